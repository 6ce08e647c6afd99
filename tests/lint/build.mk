# SPDX-License-Identifier: GPL-2.0-or-later
#
# Static checks of the sources.

UNIT_TESTS += tests/lint/layers-selftest tests/lint/spdx-selftest tests/lint/terms-selftest

.PHONY: lint lint-words

lint: ## checkpatch, sparse, shellcheck, codespell and the rules of the house
	@tests/vm/setup lint
	@+$(MAKE) $(SUBMAKE_FLAGS) -s $(LIB_OBJS) $(LIB_EXAMPLES) $(LIBDEBUG_OBJS) $(LIBDEBUG_EXAMPLES) \
		$(LIB_BUILD)/obj/debug/code/no_libdw.o \
		$(WAVECTL_OBJS) $(VGPU_OBJS) $(VGPU_FIRMWARE)
	@BUILD=$(BUILD) tests/run --deadline 1200 --name lint tests/lint/lint

lint-words: ## Write the list of words that are still to be replaced
	@tests/lint/terms --update
