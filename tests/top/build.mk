# SPDX-License-Identifier: GPL-2.0-or-later
#
# wavectl top in tmux, over the console of a guest

.PHONY: check-top
check-top: ## wavectl top in tmux on the host, over a guest's console (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/run --deadline 900 --name top "tests/top/check $(KERNEL)"
