# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that need no GPU and no guest. Each is a program at
# build/tests/unit/NAME that prints TAP; it is run from the top of the tree.

UNIT_BUILD := $(BUILD)/tests/unit

# Stays last, after all that is added to UNIT_TESTS.
.PHONY: check-unit
check-unit: $(UNIT_TESTS) ## Unit tests on the host
	tests/run $(UNIT_TESTS)
