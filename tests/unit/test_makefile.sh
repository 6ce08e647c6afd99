#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a warning of a compiler is: nothing that stops somebody's build, whose
# compiler may be newer than any of ours; a failure where it is asked for. And what
# becomes of a command for the guest. TAP; run from the top of the tree.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What the make that runs this was told is not what is tested here.
unset MAKEFLAGS MFLAGS MAKELEVEL WERROR

# One object of each compiler. Whatever it compiles, it has something to say.
host=lib/obj/strerror.o
gpu=trap/gfx10_3_stop.o
echo '#warning "from the test"' >"$work/warns.h"

# build OBJECT VARIABLE...: anew, by a compiler that warns
build()
{
	local object=$work/build/$1
	shift

	rm -rf "$work/build"
	make -s BUILD="$work/build" CC="gcc -include $work/warns.h" \
		CLANG_GPU="clang-19 -include $work/warns.h" "$@" "$object" \
		>"$work/said" 2>&1
}

warned()
{
	grep -q 'from the test' "$work/said"
}

tolerated()
{
	if ! build "$@" || ! warned; then
		cat "$work/said"
		return 1
	fi
}

refused()
{
	if build "$@" || ! warned; then
		cat "$work/said"
		return 1
	fi
}

check "a warning of the host's compiler stops no build" tolerated $host
check "nor does one of the GPU's" tolerated $gpu
check "nor where WERROR=0 says so" tolerated $host WERROR=0
check "with WERROR=1 that of the host's compiler does" refused $host WERROR=1
check "and that of the GPU's" refused $gpu WERROR=1
# What the recipe of "vm" hands on, of which it says so much itself
reaches_the_guest()
{
	local typed said

	typed=$(cat <<-'EOF'
		echo $x "$(id)" it's `date` #1 $$ \
		echo another line
	EOF
	)
	# shellcheck disable=SC2016 # for make and its shell
	said=$(make -s --eval 'vm-cmd:;@printf %s "$$VM_CMD"' vm-cmd CMD="$typed")
	[ "$said" = "$typed" ] || { echo "$said"; return 1; }
	# shellcheck disable=SC2016 # as make prints it
	make -n vm CMD="$typed" | grep -F -- '--command "$VM_CMD"'
}

check "a command reaches the guest as it was typed" reaches_the_guest
checks_done
