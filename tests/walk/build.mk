# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lists the source files that a command enters: see walk.

.PHONY: walk

WALK_BUILD := $(BUILD)/walk
WALK_OUT := $(WALK_BUILD)/guest

# The trap handlers and the programs for the GPU are taken from the usual build.
WALK_SHARED = $(foreach v,ISA_OBJS TRAP_OUT DEBUG_CO,$v="$($v)")

$(WALK_OUT)/entered.so: tests/walk/entered.c uapi/linux/amdgpudbg.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) -fPIC -shared -o $@ $<

walk: $(WALK_OUT)/entered.so ## The source files that a halt and a breakpoint enter (KERNEL=)
	$(call prepare,$(KERNEL))
	@+$(MAKE) $(SUBMAKE_FLAGS) -s BUILD=$(WALK_BUILD) $(WALK_SHARED) \
		CFLAGS="-O1 -g -finstrument-functions" \
		$(WALK_BUILD)/tools/wavectl/wavectl $(WALK_BUILD)/lib/$(LIBDEBUG_SONAME)
	@cp $(WALK_BUILD)/tools/wavectl/wavectl $(WALK_BUILD)/lib/lib*.so.0 $(WALK_OUT)/
	@tests/walk/walk $(KERNEL) $(WALK_OUT)
