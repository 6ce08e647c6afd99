# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests: targets that boot one. Each does its own set-up first, in a make of
# its own, because what is not installed yet cannot be a prerequisite.

SERIES := 6.1 6.12 7.2

# What serves a guest, and what goes into it.
VM_PROGRAMS = $(BUILD)/tools/vgpu/vgpu $(BUILD)/tools/wavectl/wavectl $(GUEST_FILES)

UNIT_TESTS += tests/run-selftest

.PHONY: setup vm vm-programs check-vm matrix demo check-harness

setup: ## Install what is missing, fetch QEMU and the guest kernel (KERNEL=)
	@tests/vm/setup $(KERNEL)

vm-programs: $(VM_PROGRAMS)

# $(call prepare,SERIES...): everything that a boot needs but the module
define prepare
	@tests/vm/setup $(1)
	@+$(MAKE) --no-print-directory -s vm-programs
endef

vm: ## A guest with everything loaded: a shell, or CMD='...' (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) \
		$(if $(CMD),--command "$$CMD",--shell)

check-vm: ## The suites of tests/vm/suites in the guest (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/run --deadline 1800 --name vm-$(KERNEL) "tests/vm/check $(KERNEL)"

matrix: ## For each guest kernel: build without warnings, boot, all suites
	$(call prepare,$(SERIES))
	@tests/run --deadline 1800 $(foreach s,$(SERIES),\
		--name vm-$(s) "tests/vm/check $(s)")

check-harness: ## Does the harness see each way in which a guest can fail?
	$(call prepare,$(KERNEL))
	@tests/run --deadline 1800 "tests/vm/selftest $(KERNEL)"

demo: ## Boot, load everything, halt and resume the waves of a program (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) --bare --command demo
