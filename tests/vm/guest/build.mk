# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs and data that run inside the guest. GUEST_FILES is what a boot needs.

GUEST_OUT := $(BUILD)/tests/vm/guest
GUEST_FILES := $(addprefix $(GUEST_OUT)/,compute abi debugfs-regs tap.sh kernels.co)
VM_TARGETS += $(GUEST_FILES)

DRM_CFLAGS = $(shell pkg-config --cflags libdrm_amdgpu)
DRM_LIBS = $(shell pkg-config --libs libdrm_amdgpu)

$(GUEST_OUT)/%.o: tests/vm/guest/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/kernels $(DRM_CFLAGS) -c $< -o $@

$(GUEST_OUT)/compute: $(addprefix $(GUEST_OUT)/,compute.o gpu.o) \
		$(addprefix $(KERNELS_OUT)/,codeobj.o kernels_cpu.o)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/abi: $(addprefix $(GUEST_OUT)/,abi.o victim.o)
	$(CC) -o $@ $^ -lcmocka

$(GUEST_OUT)/debugfs-regs: $(addprefix $(GUEST_OUT)/,debugfs-regs.o regs2.o)
	$(CC) -o $@ $^

$(GUEST_OUT)/kernels.co: $(KERNELS_OUT)/kernels.co
	cp $< $@

$(GUEST_OUT)/tap.sh: tests/vm/guest/tap.sh
	@mkdir -p $(@D)
	cp $< $@
