# SPDX-License-Identifier: LGPL-2.1-or-later
#
# libamdgpudbg: shared and static library, pkg-config file, man pages, examples,
# and the udev rule for the node that it opens.

LIB_SONAME := libamdgpudbg.so.0

LIB_BUILD := $(BUILD)/lib
LIB_SRCS := $(wildcard lib/*.c)
LIB_OBJS := $(LIB_SRCS:lib/%.c=$(LIB_BUILD)/obj/%.o)
LIB_A := $(LIB_BUILD)/libamdgpudbg.a
LIB_SO := $(LIB_BUILD)/$(LIB_SONAME)
LIB_LINK := $(LIB_BUILD)/libamdgpudbg.so
LIB_PC := $(LIB_BUILD)/libamdgpudbg.pc
LIB_MAN := $(call part,$(MAN_NEEDS),$(patsubst lib/man/%.scd,$(LIB_BUILD)/man/%,\
	$(wildcard lib/man/*.scd)))
MAN_TARGETS += $(LIB_MAN)
LIB_EXAMPLES := $(patsubst lib/examples/%.c,$(LIB_BUILD)/examples/%,\
	$(wildcard lib/examples/*.c))

# For everything that uses the library.
LIB_CPPFLAGS := -Ilib/include

LIB_TARGETS += $(call part,$(LIB_NEEDS),$(LIB_A) $(LIB_LINK) $(LIB_PC) $(LIB_EXAMPLES))

$(LIB_BUILD)/obj/%.o: lib/%.c lib/build.mk
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LIB_CPPFLAGS) -DADBG_VERSION='"$(VERSION)"' \
		-fPIC -fvisibility=hidden -c -o $@ $<

$(LIB_BUILD)/obj/version.o: Makefile

# The default trap handler is in the library.
$(LIB_BUILD)/obj/trap.o: $(TRAP_OUT)/gfx10_3_stop.inc
$(LIB_BUILD)/obj/trap.o: LIB_CPPFLAGS += $(TRAP_CPPFLAGS)

$(LIB_A): $(LIB_OBJS)
	rm -f $@
	$(AR) rcs $@ $^

$(LIB_SO): $(LIB_OBJS) lib/libamdgpudbg.map
	$(CC) $(CFLAGS) -shared $(LDFLAGS) -Wl,-soname,$(LIB_SONAME) \
		-Wl,--version-script=lib/libamdgpudbg.map -Wl,-z,defs \
		-o $@ $(LIB_OBJS)

$(LIB_LINK): $(LIB_SO)
	ln -sf $(LIB_SONAME) $@

# Depends on PREFIX and LIBDIR, which may differ between two calls of make.
.PHONY: FORCE
$(LIB_PC): lib/libamdgpudbg.pc.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' $< > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/lib/man/%: lib/man/%.scd
	@mkdir -p $(@D)
	scdoc < $< > $@

# In-tree programs find the library beside them, wherever the tree is.
$(LIB_BUILD)/examples/%: $(LIB_BUILD)/obj/examples/%.o $(LIB_LINK)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< \
		-L$(LIB_BUILD) -lamdgpudbg -Wl,-rpath,'$$ORIGIN/..'

# NAME:PAGE for each function that has no page of its name, as the pages say
LIB_MAN_NAMES := $(call part,$(MAN_NEEDS),$(shell awk -f lib/man/names.awk \
	$(wildcard lib/man/*.3.scd)))

# What `make install` makes: each part names its own.
INSTALLED += $(addprefix $(PREFIX)/include/,amdgpudbg.h amdgpudbg-hsa.h linux/amdgpudbg.h) \
	$(addprefix $(LIBDIR)/,libamdgpudbg.a $(LIB_SONAME) libamdgpudbg.so \
		pkgconfig/libamdgpudbg.pc) \
	$(PREFIX)/lib/udev/rules.d/60-amdgpudbg.rules \
	$(addprefix $(PREFIX)/share/man/man3/,$(notdir $(LIB_MAN)) \
		$(foreach n,$(LIB_MAN_NAMES),$(firstword $(subst :, ,$(n)))))

.PHONY: install install-lib uninstall
install: $(if $(call have,$(LIB_NEEDS)),install-lib) ## Install what was built (PREFIX=, LIBDIR=, DESTDIR=)

uninstall: ## Take away what install has made, for the same PREFIX=, LIBDIR= and DESTDIR=
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))

install-lib: $(LIB_A) $(LIB_SO) $(LIB_PC) $(LIB_MAN)
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(PREFIX)/include/linux \
		$(DESTDIR)$(PREFIX)/share/man/man3 \
		$(DESTDIR)$(PREFIX)/lib/udev/rules.d
	install -m 644 lib/include/*.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 uapi/linux/amdgpudbg.h $(DESTDIR)$(PREFIX)/include/linux/
	install -m 644 $(LIB_A) $(DESTDIR)$(LIBDIR)/
	install -m 755 $(LIB_SO) $(DESTDIR)$(LIBDIR)/
	ln -sf $(LIB_SONAME) $(DESTDIR)$(LIBDIR)/libamdgpudbg.so
	install -m 644 $(LIB_PC) $(DESTDIR)$(LIBDIR)/pkgconfig/
	$(if $(LIB_MAN),install -m 644 $(LIB_MAN) $(DESTDIR)$(PREFIX)/share/man/man3/)
	@for n in $(LIB_MAN_NAMES); do \
		echo ".so man3/$${n#*:}" >"$(DESTDIR)$(PREFIX)/share/man/man3/$${n%:*}" || \
			exit; \
	done
	install -m 644 lib/60-amdgpudbg.rules \
		$(DESTDIR)$(PREFIX)/lib/udev/rules.d/
