# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the library of an imagined later release, whose structures have grown, and a
# program for it: see README.md.

GROWTH_OUT := $(BUILD)/tests/growth
GROWN_UAPI := $(GROWTH_OUT)/uapi/linux/amdgpudbg.h
GROWN_OBJS := $(LIB_SRCS:lib/%.c=$(GROWTH_OUT)/lib/%.o)
GROWN_SO := $(GROWTH_OUT)/$(LIB_SONAME)

# Records that do not begin with their size, and that arrays hold at a stride
GROWN_RECORDS := wave mapping job

$(GROWN_UAPI): uapi/linux/amdgpudbg.h tests/growth/grow.awk tests/growth/build.mk
	@mkdir -p $(@D)
	awk -v RECORDS="$(GROWN_RECORDS)" -f tests/growth/grow.awk $< > $@

# The first -I makes the compiler find the grown header instead of the real one.
$(GROWTH_OUT)/lib/%.o: lib/%.c $(GROWN_UAPI)
	@mkdir -p $(@D)
	$(CC) -I$(GROWTH_OUT)/uapi $(ALL_CFLAGS) $(LIB_CPPFLAGS) \
		-DADBG_VERSION='"$(VERSION)"' -fPIC -fvisibility=hidden \
		-c -o $@ $<

$(GROWTH_OUT)/lib/trap.o: $(TRAP_OUT)/gfx10_3_stop.inc
$(GROWTH_OUT)/lib/trap.o: LIB_CPPFLAGS += $(TRAP_CPPFLAGS)

$(GROWN_SO): $(GROWN_OBJS) lib/libamdgpudbg.map
	$(CC) $(CFLAGS) -shared $(LDFLAGS) -Wl,-soname,$(LIB_SONAME) \
		-Wl,--version-script=lib/libamdgpudbg.map -Wl,-z,defs \
		-o $@ $(GROWN_OBJS)

# In the guest it is data, which a suite puts where it is looked for.
$(GUEST_OUT)/libamdgpudbg-grown: $(GROWN_SO)
	@mkdir -p $(@D)
	install -m 644 $< $@

$(GUEST_OUT)/growth: tests/growth/growth.c $(LIB_LINK)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Ilib/include -o $@ $< -L$(LIB_BUILD) -lamdgpudbg

$(GUEST_OUT)/growth-grown: tests/growth/growth.c $(LIB_LINK) $(GROWN_UAPI)
	@mkdir -p $(@D)
	$(CC) -I$(GROWTH_OUT)/uapi $(ALL_CFLAGS) -Ilib/include -DGROWN -o $@ \
		$< -L$(LIB_BUILD) -lamdgpudbg

VM_TARGETS += $(addprefix $(GUEST_OUT)/,growth growth-grown libamdgpudbg-grown)

-include $(GROWN_OBJS:.o=.d)
