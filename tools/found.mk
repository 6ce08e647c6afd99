# SPDX-License-Identifier: GPL-2.0-or-later
#
# What of this machine the build can use, what else it would use, and what is left out
# without it. `make` prints this as a table. Debian's names of packages.

# Tests name what is to be taken for missing.
MISSING ?=

# $(call found,NAME,CONDITION): NAME if there is any text in CONDITION
found = $(if $(strip $2),$(filter-out $(MISSING),$1))
in_path = $(shell command -v $1 2>/dev/null)
has_pc = $(shell pkg-config --exists $1 2>/dev/null && echo yes)

# Not kernel.release: Debian's says 6.1.192 for 6.1.0-56-amd64.
KERNEL_RELEASE := $(if $(filter headers,$(MISSING)),,$(shell \
	sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h 2>/dev/null))
CLANG_GPU ?= clang-19
# CC may begin with ccache, and have options.
COMPILER := $(firstword $(filter-out %ccache,$(CC)))

FOUND := $(call found,headers,$(KERNEL_RELEASE)) \
	$(call found,gcc,$(call in_path,$(COMPILER))) \
	$(call found,clang,$(call in_path,$(firstword $(CLANG_GPU)))) \
	$(call found,pkg-config,$(call in_path,pkg-config)) \
	$(call found,json-c,$(call has_pc,json-c)) \
	$(call found,libedit,$(call has_pc,libedit)) \
	$(call found,ncurses,$(call has_pc,ncursesw)) \
	$(call found,libdw,$(call has_pc,libdw libelf)) \
	$(call found,scdoc,$(call in_path,scdoc))

# $(call have,NAME...): text if all of them were found
have = $(if $(filter-out $(FOUND),$1),,yes)

# What each part needs
LIB_NEEDS := gcc clang
LIBDEBUG_NEEDS := $(LIB_NEEDS)
LIBDEBUG_TEST_NEEDS := $(LIBDEBUG_NEEDS) pkg-config libdw
VGPU_NEEDS := gcc pkg-config json-c
WAVECTL_NEEDS := $(LIB_NEEDS) pkg-config json-c libedit
MAN_NEEDS := scdoc

# $(call part,NAMES,WHAT...): WHAT if all of NAMES were found
part = $(if $(call have,$1),$2)

# $(call found_row,NAME,WHAT,PACKAGE,LEFT OUT)
comma := ,
define found_row
@$(if $(call have,$1),printf '  found    %s\n' '$2',printf \
	'  missing  %-26s left out: %-30s package: %s\n' '$2' '$4' '$3')
endef

.PHONY: found
found: ## Print what the build can use of this machine, and what it lacks
	$(call found_row,headers,kernel headers $(KERNEL_RELEASE),linux-headers-$(shell uname -r)$(comma) or KDIR=,module)
	$(call found_row,gcc,$(COMPILER),gcc,libraries$(comma) wavectl$(comma) vgpu)
	$(call found_row,clang,$(firstword $(CLANG_GPU)),clang-19,libraries$(comma) wavectl)
	$(call found_row,pkg-config,pkg-config,pkg-config,source lines$(comma) wavectl$(comma) vgpu)
	$(call found_row,json-c,json-c,libjson-c-dev,wavectl$(comma) vgpu)
	$(call found_row,libedit,libedit,libedit-dev,wavectl)
	$(call found_row,ncurses,ncurses,libncurses-dev,wavectl top on a terminal)
	$(call found_row,libdw,libdw and libelf,libdw-dev,source lines$(comma) variables)
	$(call found_row,scdoc,scdoc,scdoc,man pages)

# $(call cannot,TARGET,NAMES): instead of a part that was asked for by name
define cannot
@echo "$1 cannot be built here: $(filter-out $(FOUND),$2) missing (see make found)" >&2; exit 1
endef
