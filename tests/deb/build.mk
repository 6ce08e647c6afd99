# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests of the Debian packages.

.PHONY: check-deb
check-deb: ## Install the packages on Debian 12 and 13, and load what DKMS builds in guests
	@tests/vm/setup deb $(SERIES)
	@+$(MAKE) $(SUBMAKE_FLAGS) -s $(VM_TARGETS)
	@+$(MAKE) --no-print-directory -s deb >/dev/null
	@tests/run --deadline 3600 --name lintian tests/deb/lint \
		--name deb-debian12 "tests/deb/check bookworm 6.1 6.12" \
		--name deb-debian13 "tests/deb/check trixie 6.12 7.2"
