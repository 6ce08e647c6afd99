# SPDX-License-Identifier: GPL-2.0-or-later
#
# Targets that boot guests. Each first runs tests/vm/setup in a separate make, because files
# that are not installed yet cannot be prerequisites.

SERIES := 6.1 6.12 7.2

include tests/kernels/build.mk
include tests/vm/guest/build.mk

# What serves a guest, and what goes into it; other fragments add to it.
VM_TARGETS += $(VGPU) $(VGPU_FIRMWARE) $(BUILD)/tools/wavectl/wavectl $(GUEST_FILES)

UNIT_TESTS += tests/run-selftest tests/ci-selftest tests/vm/cells-check tests/vm/cells-selftest

# It asks vgpu for its GPUs.
tests/vm/cells-check: | $(VGPU)

.PHONY: setup check check-parts ci vm check-vm matrix cells demo demo-debugger \
	demo-vulkan check-harness \
	check-debian13 check-builtin check-debug check-lag

setup: ## Install what is missing, fetch QEMU and the guest kernel (KERNEL=)
	@tests/vm/setup $(KERNEL)

# The parts of a larger run append to TESTS_RESULTS, and only that sums up.
ifdef TESTS_RESULTS
check: check-parts
else
check: ## All tests but the long ones: on the host, then the suites in the default guest
	@rm -f $(BUILD)/results/check
	@+TESTS_RESULTS=$(BUILD)/results/check \
		$(MAKE) --no-print-directory check-parts
	@tests/run --sum $(BUILD)/results/check
endif

check-parts:
	@tests/vm/setup $(KERNEL)
	@+$(MAKE) $(SUBMAKE_FLAGS) -s programs $(FUZZ_VGPU)
	@+$(MAKE) --no-print-directory check-host
	@+$(MAKE) --no-print-directory check-vm
	@+$(MAKE) --no-print-directory check-top

SUBMAKE_FLAGS = --no-print-directory \
	$(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# $(call prepare,SERIES...): everything that a boot needs but the module
define prepare
	@tests/vm/setup $(1)
	@+$(MAKE) $(SUBMAKE_FLAGS) -s $(VM_TARGETS)
endef

# As it was typed: make must not expand it, nor the shell.
VM_CMD := $(value CMD)
export VM_CMD

vm: ## A guest with everything loaded: a shell, or CMD='...' (KERNEL=)
	$(call prepare,vulkan $(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) --llvm --vulkan \
		$(if $(VM_CMD),--command "$$VM_CMD",--shell)

check-vm: ## The suites of tests/vm/suites in guests (KERNEL=, LONG=1 for all of them)
	$(call prepare,$(if $(LONG),vulkan) $(KERNEL))
	@tests/run --deadline 3600 --name vm-$(KERNEL) \
		"tests/vm/check $(KERNEL) $(if $(LONG),--long)"

ci: ## Everything that a change has to pass; .ci/run does it on a bare machine
	@+tests/ci

LAG_SUITES := wave-control wave-operations wave-handler-halts wavectl-break \
	$(filter-out debug-deaths%,$(notdir $(wildcard tests/vm/suites/debug-*)))

check-lag: ## Suites of operations and breakpoints, where SQ_CMD takes effect later (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@for lag in 1 2 3 4 5 6 7 8; do \
		echo "# sq-cmd-lag=$$lag"; \
		VGPU_ARGS="--quirk sq-cmd-lag=$$lag" tests/vm/run --series $(KERNEL) \
			--suites $(LAG_SUITES) || exit; \
	done

matrix: ## For each guest kernel and GPU: build without warnings, boot, all suites, long ones too
	$(call prepare,vulkan $(SERIES))
	@tests/vm/run-cells --all

cells: ## For each guest kernel and GPU: the suites that tests/vm/cells has for them
	$(call prepare,vulkan $(SERIES))
	@tests/vm/run-cells

check-debian13: ## Build everything on Debian 13, and run the tests on the host there
	@tests/vm/setup debian13
	@tests/run --deadline 3600 --name debian13 "tests/vm/check-host trixie"

check-builtin: ## A kernel with amdgpu built in, which it builds once, is refused
	$(call prepare,builtin)
	@tests/run --deadline 1800 --name vm-builtin "tests/vm/check builtin"

check-debug: ## All suites on a kernel that checks itself, which it builds once
	$(call prepare,debug)
	@tests/run --deadline 14400 --name vm-debug "tests/vm/check debug --long"

check-harness: ## Does the harness see each way in which a guest can fail? (LONG=1: all of them)
	$(call prepare,$(KERNEL))
	@tests/run --deadline 3600 "tests/vm/selftest $(KERNEL) $(if $(LONG),--long)"

demo: ## Boot, load everything, halt and resume the waves of a program (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) --bare --command demo

demo-debugger: ## Boot, load everything, and debug a program at source level (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) --llvm --command demo-debugger

demo-vulkan: ## The same with a Vulkan program, by Debian's RADV (KERNEL=)
	$(call prepare,vulkan $(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) --llvm --vulkan --command demo-vulkan
