# SPDX-License-Identifier: GPL-2.0-or-later
#
# A client of the Debug Adapter Protocol on the host, and wavectl dap in a guest

.PHONY: check-dap
check-dap: ## An editor's client of wavectl dap, which needs node and npm (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/run --deadline 600 --name dap "tests/dap/check $(KERNEL)"
