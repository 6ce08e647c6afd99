# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the software GPU. Every .c file in this folder and the folders below it is part of
# it, so a new block or GPU needs no line in this file. mkfirmware is a separate program
# that makes the placeholder firmware.

VGPU_OUT := $(BUILD)/tools/vgpu
VGPU := $(VGPU_OUT)/vgpu

VGPU_SRCS := $(filter-out %/mkfirmware.c,$(wildcard tools/vgpu/*.c \
	tools/vgpu/*/*.c tools/vgpu/*/*/*.c))
VGPU_OBJS := $(VGPU_SRCS:%.c=$(BUILD)/%.o)
# The handlers of instructions are loops over lanes, which -O3 vectorises.
VGPU_FAST := exec/exec% image/exec%
VGPU_FAST_OBJS := $(filter $(VGPU_FAST:%=$(BUILD)/tools/vgpu/isa/%.o),$(VGPU_OBJS))

VGPU_CFLAGS = $(ALL_CFLAGS) -D_GNU_SOURCE -DVGPU_VERSION='"$(VERSION)"' \
	-Itools/vgpu $(shell pkg-config --cflags json-c)
VGPU_LIBS = $(shell pkg-config --libs json-c) -lm

VGPU_TARGETS += $(call part,$(VGPU_NEEDS),$(VGPU))

$(VGPU): $(VGPU_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(VGPU_LIBS) -o $@

$(VGPU_FAST_OBJS): VGPU_OPT := -O3

$(VGPU_OUT)/%.o: tools/vgpu/%.c
	@mkdir -p $(@D)
	$(CC) $(VGPU_CFLAGS) $(VGPU_OPT) -c $< -o $@

VGPU_MAN := $(call part,$(MAN_NEEDS),$(VGPU_OUT)/vgpu.1)
MAN_TARGETS += $(VGPU_MAN)

$(VGPU_OUT)/vgpu.1: tools/vgpu/vgpu.1.scd
	@mkdir -p $(@D)
	scdoc <$< >$@

.PHONY: install-vgpu
ifneq ($(VGPU_TARGETS),)
INSTALLED += $(PREFIX)/bin/vgpu $(VGPU_MAN:%=$(PREFIX)/share/man/man1/vgpu.1)
install: install-vgpu
endif

install-vgpu: $(VGPU) $(VGPU_MAN)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(VGPU) $(DESTDIR)$(PREFIX)/bin/
	$(if $(VGPU_MAN),install -m 644 $(VGPU_MAN) $(DESTDIR)$(PREFIX)/share/man/man1/)

# Placeholder firmware of all profiles: amdgpu requests these files, and the guest has them
# if the real firmware is missing.
ifneq ($(wildcard tools/vgpu/firmware/mkfirmware.c),)
VGPU_FIRMWARE := $(VGPU_OUT)/firmware/.stamp

VGPU_TARGETS += $(call part,$(VGPU_NEEDS),$(VGPU_FIRMWARE))

$(VGPU_OUT)/mkfirmware: $(VGPU_OUT)/firmware/mkfirmware.o \
		$(filter-out %/main.o,$(VGPU_OBJS))
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(VGPU_LIBS) -o $@

$(VGPU_FIRMWARE): $(VGPU_OUT)/mkfirmware
	@mkdir -p $(@D)/amdgpu
	$< $(@D)/amdgpu
	@touch $@
endif

.PHONY: vgpu-regs

vgpu-regs: ## Generate vgpu's register tables again, from the kernel source in LINUX
	tools/vgpu/gen/regs.py $(LINUX)
