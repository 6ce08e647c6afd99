# SPDX-License-Identifier: GPL-2.0-or-later
#
# wavectl, its man pages and its completion.

WAVECTL_BUILD := $(BUILD)/tools/wavectl
WAVECTL := $(WAVECTL_BUILD)/wavectl
WAVECTL_HAS_NCURSES := $(call have,pkg-config ncurses)
# Only these need ncurses.
WAVECTL_NCURSES_SRCS := $(addprefix tools/wavectl/top/,screen.c draw.c terminal.c)
WAVECTL_SRCS := $(filter-out $(if $(WAVECTL_HAS_NCURSES),,$(WAVECTL_NCURSES_SRCS)),$(wildcard $(addprefix tools/wavectl/,*.c shell/*.c dap/*.c top/*.c \
	cmd/*.c debug/*.c waves/*.c base/*.c report/*.c)))
WAVECTL_OBJS := $(WAVECTL_SRCS:tools/wavectl/%.c=$(WAVECTL_BUILD)/obj/%.o)
WAVECTL_MAN_SRCS := $(wildcard tools/wavectl/man/*.1.scd)
WAVECTL_MAN := $(call part,$(MAN_NEEDS),$(WAVECTL_MAN_SRCS:tools/wavectl/man/%.scd=$(WAVECTL_BUILD)/%))
MAN_TARGETS += $(WAVECTL_MAN)
WAVECTL_COMPLETION := $(WAVECTL_BUILD)/wavectl.bash
WAVECTL_CPPFLAGS := $(LIBDEBUG_CPPFLAGS) -Itools/wavectl -D_GNU_SOURCE \
	-DWAVECTL_VERSION='"$(VERSION)"' $(if $(WAVECTL_HAS_NCURSES),-DWAVECTL_NCURSES)

WAVECTL_LIBS := -ljson-c -ledit $(if $(WAVECTL_HAS_NCURSES),$(shell \
	pkg-config --libs ncursesw)) -pthread

WAVECTL_TARGETS += $(call part,$(WAVECTL_NEEDS),$(WAVECTL) $(WAVECTL_COMPLETION))

$(WAVECTL_BUILD)/obj/cmd/gpu.o: Makefile
$(WAVECTL_BUILD)/obj/%.o: tools/wavectl/%.c tools/wavectl/build.mk lib/build.mk
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(WAVECTL_CPPFLAGS) -c -o $@ $<

# In the tree the libraries are found from where wavectl is; see install-wavectl.
$(WAVECTL): $(WAVECTL_OBJS) $(LIB_LINK) $(LIBDEBUG_LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(WAVECTL_OBJS) -L$(LIB_BUILD) \
		-lamdgpudbg-debug -lamdgpudbg $(WAVECTL_LIBS) -Wl,-rpath,'$$ORIGIN/../../lib'

$(WAVECTL_BUILD)/%.1: tools/wavectl/man/%.1.scd
	@mkdir -p $(@D)
	scdoc < $< > $@

$(WAVECTL_COMPLETION): tools/wavectl/completion.sh $(WAVECTL)
	sh $< $(WAVECTL) > $@

.PHONY: install-wavectl
ifneq ($(WAVECTL_TARGETS),)
INSTALLED += $(PREFIX)/bin/wavectl $(addprefix $(PREFIX)/share/man/man1/,$(notdir $(WAVECTL_MAN))) \
	$(PREFIX)/share/bash-completion/completions/wavectl
install: install-wavectl
endif

# Linked again: what is installed has the rpath of its place, or none where the
# dynamic linker looks anyway.
WAVECTL_RPATH := $(if $(filter $(PREFIX)/lib,$(LIBDIR)),$$ORIGIN/../lib,$(LIBDIR))
install-wavectl: $(WAVECTL_OBJS) $(LIB_LINK) $(LIBDEBUG_LINK) $(WAVECTL_MAN) \
		$(WAVECTL_COMPLETION)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(CC) $(CFLAGS) $(LDFLAGS) -o $(DESTDIR)$(PREFIX)/bin/wavectl \
		$(WAVECTL_OBJS) -L$(LIB_BUILD) -lamdgpudbg-debug -lamdgpudbg $(WAVECTL_LIBS) \
		$(if $(filter /usr,$(PREFIX)),,-Wl,-rpath,'$(WAVECTL_RPATH)')
	$(if $(WAVECTL_MAN),install -m 644 $(WAVECTL_MAN) $(DESTDIR)$(PREFIX)/share/man/man1/)
	install -m 644 $(WAVECTL_COMPLETION) \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/wavectl
