#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The committed tables are equal to the output of their generators.

isa=tools/vgpu/isa/generated
out=$(mktemp)
trap 'rm -f "$out"' EXIT

if ! python3 -c 'import ctypes; ctypes.CDLL("libLLVM.so.19.1")' 2>/dev/null; then
	echo "1..0 # SKIP no python3 or no libLLVM 19"
	exit 77
fi
echo 1..1
if python3 "$isa/gen_table.py" gfx10_3 gfx1033 >"$out" &&
	diff -u "$isa/gfx10_3_table.c" "$out" | sed 's/^/# /' &&
	cmp -s "$isa/gfx10_3_table.c" "$out"; then
	echo "ok 1 - gfx10_3_table.c is up to date"
else
	echo "not ok 1 - gfx10_3_table.c is up to date"
	exit 1
fi
