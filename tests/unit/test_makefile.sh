#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A warning of the compiler does not stop a user's build, because the compiler may be newer than
# those that were tested; with WERROR=1 it is an error. And a command for the guest arrives
# there unchanged. Prints TAP; run from the top of the tree.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Options of the make that runs this test must not change its result.
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

# without NAME ROW GONE KEPT: what `make all install` says and would do on a machine that
# lacks NAME; GONE and KEPT are patterns of commands
without()
{
	local said

	make MISSING="$1" found >"$work/said" || return
	if ! grep -E "^  missing  $2" "$work/said"; then
		cat "$work/said"
		return 1
	fi
	said=$(make -n BUILD="$work/none" MISSING="$1" all install) || return
	if grep -E -- "$3" <<<"$said"; then
		echo "that needs $1"
		return 1
	fi
	grep -qE -- "$4" <<<"$said" || { echo "$4 is not built either"; return 1; }
}

nothing_at_all()
{
	make -s BUILD="$work/none" all \
		MISSING="headers gcc clang pkg-config json-c libedit ncurses libdw scdoc" >"$work/said" &&
		[ "$(grep -c '^  missing  ' "$work/said")" = "$(grep -c . "$work/said")" ] &&
		[ ! -e "$work/none" ]
}

# part NAME LACKS: it says what it lacks
part_lacks()
{
	! make -s BUILD="$work/none" MISSING="$2" "$1" 2>"$work/said" &&
		grep -q "^$1 cannot be built here: $2 missing" "$work/said"
}

libraries_go_to_libdir()
{
	local said

	said=$(make -n BUILD="$work/none" PREFIX=/p LIBDIR=/p/lib64 install uninstall) &&
		! grep -E '(install|ln|rm).* /p/lib/(lib|pkgconfig)' <<<"$said" &&
		grep -q "/p/lib64/pkgconfig" <<<"$said" &&
		grep -q -- "-rpath,'/p/lib64'" <<<"$said"
}

check "without json-c there is neither wavectl nor vgpu" without json-c \
	"json-c .*wavectl, vgpu .*libjson-c-dev" 'wavectl/main|vgpu/main' libamdgpudbg.so
check "without clang there are no libraries" without clang "clang-19 .*libraries" \
	'libamdgpudbg.so|wavectl/main' vgpu/main
check "without scdoc there are no man pages" without scdoc "scdoc .*man pages" \
	'scdoc <|man/man3/lib' libamdgpudbg.so
check "without anything, all that is missing is named" nothing_at_all
check "so it is when a part is asked for" part_lacks wavectl libedit
check "libraries are installed in LIBDIR" libraries_go_to_libdir
check "a command reaches the guest as it was typed" reaches_the_guest
checks_done
