# SPDX-License-Identifier: GPL-2.0-or-later
#
# Everything that a machine can say about the sources without running them.

.PHONY: lint

lint: ## checkpatch, sparse, shellcheck, codespell and the rules of the house
	@tests/vm/setup lint
	@tests/run --deadline 1200 --name lint tests/lint/lint
