# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the compute kernels for the GPU (wave32 and wave64) and for the CPU.

KERNELS_OUT := $(BUILD)/tests/kernels
CLANG_GPU ?= clang-19
GPU_CPU := gfx1033
# -ffp-contract=off: the tests compare the results bit by bit with those of the CPU.
GPU_CLFLAGS := -x cl -cl-std=CL2.0 -Xclang -finclude-default-header \
	-target amdgcn-amd-amdhsa -nogpulib -O2 -ffp-contract=off -Wall \
	$(WERROR_FLAG)

$(KERNELS_OUT)/kernels.co $(KERNELS_OUT)/kernels64.co: tests/kernels/kernels.cl
$(KERNELS_OUT)/touch.co: tests/kernels/touch.cl
$(KERNELS_OUT)/traps.co: tests/kernels/traps.cl
$(KERNELS_OUT)/death.co: tests/kernels/kernels.cl tests/kernels/traps.cl
$(KERNELS_OUT)/kernels.co $(KERNELS_OUT)/kernels64.co $(KERNELS_OUT)/touch.co \
		$(KERNELS_OUT)/traps.co $(KERNELS_OUT)/death.co: tests/kernels/cl.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(GPU_CLFLAGS) -mcpu=$(GPU_CPU) \
		$(if $(findstring 64,$(@F)),-mwavefrontsize64) $(filter %.cl,$^) -o $@

# The kernels with line numbers and variables, for the debugger's tests
$(KERNELS_OUT)/kernels_debug.co: tests/kernels/kernels.cl tests/kernels/cl.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(filter-out -O2,$(GPU_CLFLAGS)) -O1 -g -mcpu=$(GPU_CPU) $< -o $@

# The same and those with variables in private memory, without optimization and with little
$(addprefix $(KERNELS_OUT)/,private_O0.co private_O0_64.co private_O1.co private_O0_embed.co): \
		tests/kernels/kernels.cl tests/kernels/private.cl tests/kernels/cl.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(filter-out -O2,$(GPU_CLFLAGS)) $(if $(findstring O0,$(@F)),-O0,-O1) -g \
		$(if $(findstring _64,$(@F)),-mwavefrontsize64) \
		$(if $(findstring _embed,$(@F)),-gembed-source) \
		-mcpu=$(GPU_CPU) $(filter %.cl,$^) -o $@

# The same and a kernel that is stepped line by line
$(addprefix $(KERNELS_OUT)/,lines_O0.co lines_O1.co): \
		tests/kernels/kernels.cl tests/kernels/lines.cl tests/kernels/cl.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(filter-out -O2,$(GPU_CLFLAGS)) $(if $(findstring O0,$(@F)),-O0,-O1) -g \
		-mcpu=$(GPU_CPU) $(filter %.cl,$^) -o $@

# A kernel of HIP: its debug information differs from that of OpenCL C.
$(KERNELS_OUT)/methods.co: tests/kernels/methods.hip
	@mkdir -p $(@D)
	$(CLANG_GPU) -x hip --offload-arch=$(GPU_CPU) --offload-device-only --no-gpu-bundle-output \
		-nogpuinc -nogpulib -O0 -g -Wall $(WERROR_FLAG) $< -o $@

$(addprefix $(KERNELS_OUT)/,breaks.co faults.co registers.co steps.co): \
		$(KERNELS_OUT)/%.co: tests/kernels/%.s
	@mkdir -p $(@D)
	$(CLANG_GPU) -target amdgcn-amd-amdhsa -mcpu=$(GPU_CPU) $< -o $@

$(KERNELS_OUT)/%.o: tests/kernels/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -ffp-contract=off -Itests/kernels -c $< -o $@
