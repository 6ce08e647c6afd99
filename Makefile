# SPDX-License-Identifier: GPL-2.0-or-later
#
# The front door. Each folder describes its own parts in a build.mk, which is
# included here; all output goes to build/. `make help` lists the targets.

BUILD := build
KDIR ?= /lib/modules/$(shell uname -r)/build
KERNEL ?= 6.1

CC ?= gcc
CFLAGS ?= -O2 -g
WARNFLAGS := -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes
ALL_CFLAGS = -std=gnu11 $(CFLAGS) $(WARNFLAGS) -MMD -MP -Iuapi
PREFIX ?= /usr/local

# Filled by the fragments.
ALL_TARGETS :=
UNIT_TESTS :=

.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:

include kernel/build.mk
include trap/build.mk
include lib/build.mk
include tools/vgpu/build.mk
include tools/wavectl/build.mk
include tests/unit/build.mk
include tests/vgpu/build.mk
include tests/isa/build.mk
include tests/vm/build.mk
include tests/fuzz/build.mk
include tests/syzkaller/build.mk
include tests/bench/build.mk
include tests/lint/build.mk

.PHONY: all help clean

all: $(ALL_TARGETS) ## Build the module for the running kernel, library, wavectl and vgpu

clean: ## Remove everything that was built
	rm -rf $(BUILD)

help: ## List the targets
	@grep -hE '^[a-z_-]+:.*## ' $(MAKEFILE_LIST) | sort | \
		awk -F ':.*## ' '{ printf "  %-15s %s\n", $$1, $$2 }'

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
