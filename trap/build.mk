# SPDX-License-Identifier: GPL-2.0-only
#
# Trap handlers: build/trap/NAME.bin is the code, NAME.inc the same as numbers
# for a C array.

TRAP_OUT := $(BUILD)/trap
CLANG_GPU ?= clang-19
TRAP_ASFLAGS := -target amdgcn-amd-amdhsa -nogpulib -Wall $(WERROR_FLAG)
# For everything that reads a handler's memory.
TRAP_CPPFLAGS := -Itrap -I$(TRAP_OUT)

$(TRAP_OUT)/gfx10_3_%.o: trap/gfx10_3_%.S trap/trap_abi.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(TRAP_ASFLAGS) -mcpu=gfx1033 -c $< -o $@

# The assembler has resolved everything; nothing is left to be linked.
$(TRAP_OUT)/%.bin: $(TRAP_OUT)/%.o
	objcopy -I elf64-little -O binary -j .text $< $@

$(TRAP_OUT)/%.inc: $(TRAP_OUT)/%.bin
	od -An -v -tx4 $< | sed 's/ \([0-9a-f]\{8\}\)/0x\1, /g' > $@
