# SPDX-License-Identifier: GPL-2.0-or-later
#
# The fuzzer of the kernel interface, a program for the guest.

FUZZ := $(GUEST_OUT)/fuzz
FUZZ_OUT := $(BUILD)/tests/fuzz
FUZZ_OBJS := $(patsubst tests/fuzz/%.c,$(FUZZ_OUT)/%.o,$(wildcard tests/fuzz/*.c))
VM_TARGETS += $(FUZZ) $(GUEST_OUT)/fuzz-seeds

$(FUZZ_OUT)/%.o: tests/fuzz/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/kernels $(DRM_CFLAGS) -c $< -o $@

$(FUZZ): $(FUZZ_OBJS) $(call guest_parts,port victim) $(PROG_O)
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lpthread

$(GUEST_OUT)/fuzz-seeds: tests/fuzz/seeds
	@mkdir -p $(@D)
	cp $< $@

SECONDS ?= 60
SEED ?= $(shell date +%s)
# Calls past the first check, as quickly as possible, instead of a time
FUZZ_UNTIL = $(if $(CALLS),--calls $(CALLS) --shallow 1 --odd 8,--seconds $(SECONDS))

.PHONY: fuzz
fuzz: ## Hostile callers for SECONDS= or CALLS=, from a random SEED= (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) --append amdgpu.lockup_timeout=600000 \
		--command "fuzz --seed $(SEED) $(FUZZ_UNTIL) --seeds /usr/share/amdgpudbg/fuzz-seeds"
