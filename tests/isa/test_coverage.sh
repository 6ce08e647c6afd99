#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The numbers of instructions that are known, decoded, executed and tested: see coverage.py.

command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
exec python3 tests/isa/coverage.py --tap
