# SPDX-License-Identifier: MIT
#
# Builds the trap handlers: build/trap/GENERATION_NAME.bin has the code, and .inc the same
# code as numbers for a C array.

TRAP_OUT := $(BUILD)/trap
TRAP_ASFLAGS := -target amdgcn-amd-amdhsa -nogpulib -Wall $(WERROR_FLAG)
# Flags for C files that read a handler's memory.
TRAP_CPPFLAGS := -Itrap -I$(TRAP_OUT)

TRAP_HANDLERS := $(addprefix $(TRAP_OUT)/,gfx10_3_leave.o gfx10_3_stop.o)

$(TRAP_OUT)/gfx10_3_%.o: trap/%.S trap/gfx10_3.inc trap/trap_abi.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(TRAP_ASFLAGS) -mcpu=gfx1033 -DGENERATION='"gfx10_3.inc"' \
		-c $< -o $@

# The assembler has resolved all symbols, so there is nothing to link.
$(TRAP_OUT)/%.bin: $(TRAP_OUT)/%.o
	objcopy -I elf64-little -O binary -j .text $< $@

$(TRAP_OUT)/%.inc: $(TRAP_OUT)/%.bin
	od -An -v -tx4 $< | sed 's/ \([0-9a-f]\{8\}\)/0x\1, /g' > $@

# The disassembly of the handlers, for the review of changes. It is stored with the sources,
# and tests/trap/test_trap_golden.sh compares it with the handlers.
.PHONY: trap-golden
trap-golden: $(TRAP_HANDLERS) ## Write the trap handlers' disassembly, trap/*.dis, anew
	for o in $^; do \
		trap/disassemble "$$o" >"trap/$$(basename "$$o" .o).dis" || exit; \
	done
