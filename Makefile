# SPDX-License-Identifier: GPL-2.0-or-later
#
# The front door. Each folder describes its own parts in a build.mk, which is
# included here; all output goes to build/. `make help` lists the targets.

# Of the module, the libraries and the tools alike
VERSION := 0.2.0

BUILD := build
KDIR ?= /lib/modules/$(shell uname -r)/build
KERNEL ?= 6.1

# Compile through ccache where the machine has it; `make CCACHE=` does without.
CCACHE ?= $(shell command -v ccache)
ifeq ($(origin CC),default)
CC := $(strip $(CCACHE) gcc)
endif
CFLAGS ?= -O2 -g
# A warning is no error by default, because a user's compiler can be newer than ours.
# WERROR=1 makes it one, as in make ci and make lint.
WERROR ?= 0
WERROR_FLAG := $(if $(filter-out 0,$(WERROR)),-Werror)
WARNFLAGS := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes $(WERROR_FLAG)
ALL_CFLAGS = -std=gnu11 $(CFLAGS) $(WARNFLAGS) -MMD -MP -Iuapi
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib

# Filled by the fragments. What `make install` makes is in INSTALLED.
ALL_TARGETS = $(MODULE_TARGETS) $(LIB_TARGETS) $(WAVECTL_TARGETS) $(VGPU_TARGETS) $(MAN_TARGETS)
MODULE_TARGETS :=
LIB_TARGETS :=
WAVECTL_TARGETS :=
VGPU_TARGETS :=
MAN_TARGETS :=
INSTALLED :=
UNIT_TESTS :=

.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:

include tools/found.mk
include kernel/build.mk
include trap/build.mk
include lib/build.mk
include lib/debug/build.mk
include tools/vgpu/build.mk
include tools/wavectl/build.mk
include tools/debian/build.mk
include tests/unit/build.mk
include tests/vgpu/build.mk
include tests/vgpu/fuzz/build.mk
include tests/isa/build.mk
include tests/trap/build.mk
include tests/vm/build.mk
include tests/unit/debug/build.mk
include tests/vulkan/build.mk
include tests/outside/build.mk
include tests/dap/build.mk
include tests/top/build.mk
include tests/growth/build.mk
include tests/fuzz/build.mk
include tests/syzkaller/build.mk
include tests/bench/build.mk
include tests/walk/build.mk
include tests/packages/build.mk
include tests/lint/build.mk
include tests/deb/build.mk

.PHONY: all lib wavectl vgpu man programs help clean

all: found $(ALL_TARGETS) ## Build the module for the running kernel, libraries, wavectl, vgpu

# Parts by name: lib, wavectl, vgpu and man; module is in kernel/build.mk.
lib: $(LIB_TARGETS) ## Build the libraries, as far as this machine can
	$(if $(LIB_TARGETS),@:,$(call cannot,$@,$(LIB_NEEDS)))
wavectl: $(WAVECTL_TARGETS) ## Build wavectl
	$(if $(WAVECTL_TARGETS),@:,$(call cannot,$@,$(WAVECTL_NEEDS)))
vgpu: $(VGPU_TARGETS) ## Build vgpu, the software GPU
	$(if $(VGPU_TARGETS),@:,$(call cannot,$@,$(VGPU_NEEDS)))
man: $(MAN_TARGETS) ## Build the manual pages
	$(if $(MAN_TARGETS),@:,$(call cannot,$@,$(MAN_NEEDS)))

# All that is compiled here but the module, and what tests on the host and in guests
# are made of.
programs: $(VM_TARGETS) $(UNIT_TESTS) $(UNIT_NEEDS) $(BENCH_OUT)/bench_isa

clean: ## Remove everything that was built
	rm -rf $(BUILD)

help: ## List the targets
	@grep -hE '^[a-z_-]+:.*## ' $(MAKEFILE_LIST) | sort | \
		awk -F ':.*## ' '{ printf "  %-15s %s\n", $$1, $$2 }'

# Packages are built in a tree of their own.
-include $(shell find $(BUILD) -path $(BUILD)/deb -prune -o -name '*.d' -type f -print 2>/dev/null)
