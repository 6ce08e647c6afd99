# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests of instructions, without the rest of the GPU: see README.md.

ISA_OUT := $(BUILD)/tests/isa
ISA_OBJS := $(filter $(BUILD)/tools/vgpu/isa/%.o \
	$(BUILD)/tools/vgpu/profiles/gfx10_3.o $(BUILD)/tools/vgpu/mem/tlb.o \
	$(BUILD)/tools/vgpu/regs/quirks.o,$(VGPU_OBJS))
ISA_CFLAGS = $(VGPU_CFLAGS) -Itests/isa -Itests/kernels
# Correctly rounded, so that the CPU's results are the expected ones.
ISA_CLFLAGS = $(GPU_CLFLAGS) -cl-fp32-correctly-rounded-divide-sqrt \
	-mcpu=$(GPU_CPU) -Itests/kernels

UNIT_TESTS += $(addprefix $(ISA_OUT)/,test_decode test_format test_image \
	test_run test_shared test_slices test_global test_random test_models \
	test_compare test_state test_overlap test_scalar test_atomics test_lanes test_results.sh \
	test_kernels.sh) \
	tests/isa/test_table.sh tests/isa/test_coverage.sh

.PHONY: isa-coverage
isa-coverage: ## Instructions that LLVM knows, and vgpu decodes, executes and tests
	@python3 tests/isa/coverage.py

$(ISA_OUT)/%.o: tests/isa/%.c
	@mkdir -p $(@D)
	$(CC) $(ISA_CFLAGS) -c $< -o $@

# The CPU's side rounds once per operation, as the GPU's does.
$(ISA_OUT)/kernels_cpu.o: ISA_CFLAGS += -ffp-contract=off -fno-builtin \
	-Wno-unused-parameter

$(ISA_OUT)/kernels32.co $(ISA_OUT)/kernels64.co: tests/isa/kernels/arith.cl \
		tests/kernels/cl.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(ISA_CLFLAGS) \
		$(if $(findstring 64,$(@F)),-mwavefrontsize64) $< -o $@

$(ISA_OUT)/test_kernels: $(addprefix $(ISA_OUT)/,test_kernels.o machine.o \
		kernel_wave.o kernels_cpu.o) $(BUILD)/tests/kernels/codeobj.o $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lelf -lm -o $@

$(ISA_OUT)/test_kernels.sh: $(ISA_OUT)/test_kernels $(ISA_OUT)/kernels32.co \
		$(ISA_OUT)/kernels64.co
	@printf '#!/bin/sh\nexec %s\n' '$^' >$@
	@chmod +x $@

$(ISA_OUT)/test_decode: $(addprefix $(ISA_OUT)/,test_decode.o llvm.o machine.o) \
		$(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -ldl -lm -o $@

$(ISA_OUT)/test_models: $(addprefix $(ISA_OUT)/,test_models.o models_int.o \
		models_f16.o encode.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lquadmath -lm -o $@

$(ISA_OUT)/test_scalar: $(addprefix $(ISA_OUT)/,test_scalar.o models_salu.o \
		encode.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@

$(ISA_OUT)/test_atomics: $(addprefix $(ISA_OUT)/,test_atomics.o encode.o \
		machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@

$(ISA_OUT)/test_lanes: $(addprefix $(ISA_OUT)/,test_lanes.o encode.o machine.o) \
		$(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@

$(ISA_OUT)/test_compare: $(addprefix $(ISA_OUT)/,test_compare.o encode.o \
		machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@

$(ISA_OUT)/test_overlap: $(addprefix $(ISA_OUT)/,test_overlap.o encode.o \
		machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@

$(ISA_OUT)/test_results: $(addprefix $(ISA_OUT)/,test_results.o results.o \
		mc.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@

$(ISA_OUT)/test_results.sh: $(ISA_OUT)/test_results $(wildcard tests/isa/results/*.txt)
	@printf '#!/bin/sh\nexec %s\n' '$^' >$@
	@chmod +x $@

$(ISA_OUT)/test_random: $(addprefix $(ISA_OUT)/,test_random.o oracle.o \
		oracle_float.o encode.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lmpfr -lgmp -lm -o $@

$(ISA_OUT)/test_run: $(addprefix $(ISA_OUT)/,test_run.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lcmocka -lm -o $@

$(ISA_OUT)/test_shared: $(addprefix $(ISA_OUT)/,test_shared.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lcmocka -lm -o $@

$(ISA_OUT)/test_image: $(addprefix $(ISA_OUT)/,test_image.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lcmocka -lm -o $@

$(ISA_OUT)/test_state: $(addprefix $(ISA_OUT)/,test_state.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lcmocka -lm -o $@

$(ISA_OUT)/test_format: $(addprefix $(ISA_OUT)/,test_format.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lcmocka -lm -o $@

$(ISA_OUT)/test_global: $(addprefix $(ISA_OUT)/,test_global.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lcmocka -lm -o $@

$(ISA_OUT)/test_slices: $(addprefix $(ISA_OUT)/,test_slices.o machine.o) $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@
