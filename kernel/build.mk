# SPDX-License-Identifier: GPL-2.0-only
#
# amdgpudbg.ko for the kernel of KDIR. The sources are copied below build/, so
# that kbuild leaves nothing here; this works the same for all kernels.

MODULE_DIR := $(BUILD)/kernel/$(KERNEL_RELEASE)
MODULE_SOURCES := Kbuild Makefile $(shell find kernel uapi -name '*.[ch]' -o -name Kbuild)

.PHONY: module modules_install

ifeq ($(KERNEL_RELEASE),)
module modules_install:
	@echo "There are no kernel headers in $(KDIR): install the package" \
		"linux-headers-$(shell uname -r), or say KDIR=..." >&2; exit 1
else
MODULE_TARGETS += $(MODULE_DIR)/amdgpudbg.ko
module: $(MODULE_DIR)/amdgpudbg.ko ## Build amdgpudbg.ko for the kernel of KDIR

$(MODULE_DIR)/amdgpudbg.ko: $(MODULE_SOURCES)
	@mkdir -p $(MODULE_DIR)/src
	cp -p --parents $(MODULE_SOURCES) $(MODULE_DIR)/src
	$(MAKE) -C $(KDIR) M=$(abspath $(MODULE_DIR))/src modules
	cp $(MODULE_DIR)/src/kernel/amdgpudbg.ko $@

modules_install: module ## Install amdgpudbg.ko for the kernel of KDIR
	$(MAKE) -C $(KDIR) M=$(abspath $(MODULE_DIR))/src modules_install
endif
