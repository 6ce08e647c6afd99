# SPDX-License-Identifier: LGPL-2.1-or-later
#
# libamdgpudbg-debug: shared library, pkg-config file, man pages. Without elfutils' libdw
# it has no source lines and variables. LLVM is not linked, but loaded on the first disassembly.

LIBDEBUG_SONAME := libamdgpudbg-debug.so.0

LIBDEBUG_SRCS := $(filter-out %/no_libdw.c,\
	$(wildcard $(addprefix lib/debug/,*.c code/*.c inspect/*.c isa/*.c process/*.c)))
LIBDEBUG_OBJS := $(LIBDEBUG_SRCS:lib/%.c=$(LIB_BUILD)/obj/%.o)
# Only these need libdw. Without it, no_libdw.c takes their place, and source lines and
# variables are not supported.
LIBDEBUG_DWARF_OBJS := $(patsubst %,$(LIB_BUILD)/obj/debug/code/%.o,argument dwarf_form \
	dwarf_info dwarf_open dwarf_sections dwarf_units expr expr_find lds line line_header \
	line_table passed scope source_embedded split type type_find variable)
LIBDEBUG_PLAIN_OBJS := $(filter-out $(LIBDEBUG_DWARF_OBJS),$(LIBDEBUG_OBJS)) \
	$(LIB_BUILD)/obj/debug/code/no_libdw.o
LIBDEBUG_PLAIN_LIBS := -lm -ldl
# The same library as it is built without libdw, for tests
LIBDEBUG_PLAIN_SO := $(LIB_BUILD)/no-libdw/$(LIBDEBUG_SONAME)
# The generator of the trap handler's code needs no other library.
LIBDEBUG_HANDLER_OBJS := $(addprefix $(LIB_BUILD)/obj/debug/isa/,condition_program.o emit_gfx10_3.o \
	displace.o displace_gfx10_3.o handler.o)
LIBDEBUG_SO := $(LIB_BUILD)/$(LIBDEBUG_SONAME)
LIBDEBUG_LINK := $(LIB_BUILD)/libamdgpudbg-debug.so
LIBDEBUG_PC := $(LIB_BUILD)/libamdgpudbg-debug.pc
LIBDEBUG_MAN := $(call part,$(LIBDEBUG_NEEDS) $(MAN_NEEDS),$(patsubst \
	lib/debug/man/%.scd,$(LIB_BUILD)/man/%,$(wildcard lib/debug/man/*.scd)))
MAN_TARGETS += $(LIBDEBUG_MAN)
ifneq ($(call have,pkg-config libdw),)
LIBDEBUG_LIBS := -ldw -lelf $(LIBDEBUG_PLAIN_LIBS)
else
LIBDEBUG_OBJS := $(LIBDEBUG_PLAIN_OBJS)
LIBDEBUG_LIBS := $(LIBDEBUG_PLAIN_LIBS)
endif

# For everything that uses the library, and for its own sources.
LIBDEBUG_CPPFLAGS := $(LIB_CPPFLAGS) -Ilib/debug/include
LIBDEBUG_SRC_CPPFLAGS := $(LIBDEBUG_CPPFLAGS) -Ilib/debug $(TRAP_CPPFLAGS) -D_GNU_SOURCE

$(LIB_BUILD)/obj/debug/%.o: lib/debug/%.c lib/debug/build.mk
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LIBDEBUG_SRC_CPPFLAGS) -fPIC \
		-fvisibility=hidden -c -o $@ $<

$(LIB_BUILD)/obj/debug/isa/handler.o: $(TRAP_OUT)/gfx10_3_stop.inc

# Linked with libamdgpudbg, so that a program need only link or load this library.
$(LIBDEBUG_SO): $(LIBDEBUG_OBJS) lib/debug/libamdgpudbg-debug.map $(LIB_LINK)
	$(CC) $(CFLAGS) -shared $(LDFLAGS) -Wl,-soname,$(LIBDEBUG_SONAME) \
		-Wl,--version-script=lib/debug/libamdgpudbg-debug.map -Wl,-z,defs \
		-Wl,--as-needed -o $@ $(LIBDEBUG_OBJS) -L$(LIB_BUILD) -lamdgpudbg \
		$(LIBDEBUG_LIBS)

$(LIBDEBUG_PLAIN_SO): $(LIBDEBUG_PLAIN_OBJS) lib/debug/libamdgpudbg-debug.map $(LIB_LINK)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared $(LDFLAGS) -Wl,-soname,$(LIBDEBUG_SONAME) \
		-Wl,--version-script=lib/debug/libamdgpudbg-debug.map -Wl,-z,defs \
		-Wl,--as-needed -o $@ $(LIBDEBUG_PLAIN_OBJS) -L$(LIB_BUILD) -lamdgpudbg \
		$(LIBDEBUG_PLAIN_LIBS)

LIBDEBUG_EXAMPLES := $(patsubst lib/debug/examples/%.c,$(LIB_BUILD)/debug-examples/%,\
	$(wildcard lib/debug/examples/*.c))

$(LIB_BUILD)/debug-examples/%: $(LIB_BUILD)/obj/debug/examples/%.o $(LIBDEBUG_LINK)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< -L$(LIB_BUILD) \
		-lamdgpudbg-debug -lamdgpudbg -Wl,-rpath,'$$ORIGIN/..'

$(LIBDEBUG_LINK): $(LIBDEBUG_SO)
	ln -sf $(LIBDEBUG_SONAME) $@

$(LIBDEBUG_PC): lib/debug/libamdgpudbg-debug.pc.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' $< > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(LIBDEBUG_MAN): $(LIB_BUILD)/man/%: lib/debug/man/%.scd
	@mkdir -p $(@D)
	scdoc < $< > $@

# NAME:PAGE for each function that has no page of its name, as the pages say
LIBDEBUG_MAN_NAMES := $(call part,$(LIBDEBUG_NEEDS) $(MAN_NEEDS),$(shell \
	awk -f lib/man/names.awk $(wildcard lib/debug/man/*.3.scd)))

.PHONY: install-debug
ifneq ($(call have,$(LIBDEBUG_NEEDS)),)
LIB_TARGETS += $(LIBDEBUG_LINK) $(LIBDEBUG_PC) $(LIBDEBUG_EXAMPLES)

INSTALLED += $(addprefix $(PREFIX)/include/,amdgpudbg-debug.h amdgpudbg-debug-code.h \
		amdgpudbg-debug-assign.h amdgpudbg-debug-async.h amdgpudbg-debug-backtrace.h \
		amdgpudbg-debug-breakpoint.h \
		amdgpudbg-debug-loop.h amdgpudbg-debug-name.h amdgpudbg-debug-objects.h \
		amdgpudbg-debug-step.h amdgpudbg-debug-value.h amdgpudbg-debug-condition.h \
		amdgpudbg-debug-wave.h) \
	$(addprefix $(LIBDIR)/,$(LIBDEBUG_SONAME) libamdgpudbg-debug.so \
		pkgconfig/libamdgpudbg-debug.pc) \
	$(addprefix $(PREFIX)/share/man/man3/,$(notdir $(LIBDEBUG_MAN)) \
		$(foreach n,$(LIBDEBUG_MAN_NAMES),$(firstword $(subst :, ,$(n)))))

install: install-debug
endif

install-debug: install-lib $(LIBDEBUG_SO) $(LIBDEBUG_PC) $(LIBDEBUG_MAN)
	install -m 644 lib/debug/include/*.h $(DESTDIR)$(PREFIX)/include/
	install -m 755 $(LIBDEBUG_SO) $(DESTDIR)$(LIBDIR)/
	ln -sf $(LIBDEBUG_SONAME) $(DESTDIR)$(LIBDIR)/libamdgpudbg-debug.so
	install -m 644 $(LIBDEBUG_PC) $(DESTDIR)$(LIBDIR)/pkgconfig/
	$(if $(LIBDEBUG_MAN),install -m 644 $(LIBDEBUG_MAN) $(DESTDIR)$(PREFIX)/share/man/man3/)
	@for n in $(LIBDEBUG_MAN_NAMES); do \
		echo ".so man3/$${n#*:}" >"$(DESTDIR)$(PREFIX)/share/man/man3/$${n%:*}" || \
			exit; \
	done
