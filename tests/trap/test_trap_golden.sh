#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Trap handlers: the assembled code is the reviewed one (trap/*.dis), and needs no linker. Prints
# TAP; run from the top of the tree.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh

if ! command -v llvm-objdump-19 >/dev/null; then
	echo "1..0 # SKIP llvm-objdump-19 is not there"
	exit 77
fi

as_reviewed()
{
	trap/disassemble "$1" | diff -u "$2" - ||
		{ echo "\"make trap-golden\" writes it anew"; return 1; }
}

nothing_to_link()
{
	local found

	found=$(llvm-objdump-19 -r "$1" | grep RELOCATION)
	[ -z "$found" ] || { echo "$found"; return 1; }
}

all_are_there()
{
	local text

	for text in trap/*.dis; do
		[ -e "$BUILD/trap/$(basename "$text" .dis).o" ] ||
			{ echo "no handler for $text"; return 1; }
	done
}

for object in "$BUILD"/trap/*.o; do
	name=$(basename "$object" .o)
	check "$name is as reviewed" as_reviewed "$object" "trap/$name.dis"
	check "$name is not relocated" nothing_to_link "$object"
done
check "what was reviewed is built" all_are_there
checks_done
