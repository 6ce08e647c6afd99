#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The parts of libamdgpudbg against which other programs build: the headers, the exported
# symbols, the installed files. Prints TAP; run from the top of the tree, BUILD=build.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh
# shellcheck source=tests/unit/library.sh
. tests/unit/library.sh

BUILD=${BUILD:-build}
so=$BUILD/lib/libamdgpudbg.so.0
symbol_list=lib/symbols.txt
version=ADBG_
public_headers='lib/include/*.h'
header_flags="-Iuapi -Ilib/include"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# asm/types.h is where the other word size keeps it; it is the same for both.
layout32()
{
	gcc -m32 -fsyntax-only -Werror -Iuapi \
		-idirafter "/usr/include/$(gcc -print-multiarch)" \
		tests/unit/uapi/abi32.c
}

# Those that are inline, too, which are exported as well
functions()
{
	listed
	grep -hEA1 -x '(ADBG_WUR )?(static inline|ADBG_INLINE) [a-z0-9_]+' lib/include/*.h |
		sed -n 's/^\(adbg_[a-z_]*\)(.*/\1/p'
}

# linux/amdgpudbg.h describes what an ioctl does, the man pages the rest: the header
# is to be read from begin to end. A symbol is for ever.
interface_is_small()
{
	[ "$(wc -l <lib/include/amdgpudbg.h)" -le 1000 ] &&
		[ "$(listed | wc -l)" -le 116 ]
}

# Other languages cannot call what is only inline.
inline_functions_are_exported()
{
	local name bad=0

	while read -r name; do
		grep -qx "$name" "$symbol_list" || { echo "$name"; bad=1; }
	done < <(grep -hEA1 -x '(ADBG_WUR )?ADBG_INLINE [a-z0-9_]+' \
			lib/include/amdgpudbg.h | sed -n 's/^\(adbg_[a-z_]*\)(.*/\1/p')
	return $bad
}

# The static library must not take names that a program may have.
static_library_keeps_its_prefix()
{
	! nm -g --defined-only "$BUILD/lib/libamdgpudbg.a" |
		awk 'NF == 3 { print $3 }' | grep -v '^adbg_'
}

needs_libc_only()
{
	! readelf -d "$BUILD/lib/libamdgpudbg.so.0" | grep NEEDED |
		grep -v 'libc\.so'
}

installs()
{
	make -s install BUILD="$BUILD" PREFIX=/usr DESTDIR="$work/usr-root" &&
		make -s install BUILD="$BUILD" PREFIX="$work/opt"
}

installed_files()
{
	local f bad=0

	for f in include/amdgpudbg.h include/amdgpudbg-hsa.h \
		include/linux/amdgpudbg.h lib/libamdgpudbg.so \
		lib/libamdgpudbg.so.0 lib/libamdgpudbg.a \
		lib/pkgconfig/libamdgpudbg.pc bin/wavectl bin/vgpu \
		share/man/man1/wavectl.1 share/man/man1/wavectl-wave.1 share/man/man1/vgpu.1 \
		share/man/man3/libamdgpudbg.3 \
		share/bash-completion/completions/wavectl \
		lib/udev/rules.d/60-amdgpudbg.rules; do
		[ -e "$work/usr-root/usr/$f" ] || { echo "no $f"; bad=1; }
	done
	return $bad
}

# What only inline functions call needs none.
every_function_has_a_page()
{
	local man=$work/usr-root/usr/share/man/man3 name bad=0

	while read -r name; do
		[ -s "$man/$name.3" ] || { echo "$name"; bad=1; }
	done < <(functions | grep -v '_sized$')
	# An alias leads to a page that says its name.
	while IFS=: read -r name page; do
		grep -q "$(basename "$name" .3 | sed 's/_/./g')" "$man/../${page#.so }" ||
			{ echo "$name: $page"; bad=1; }
	done < <(grep -H '^\.so ' "$man"/*.3)
	return $bad
}

# For the nodes as the module calls them: misc devices, see add_node().
installed_rule()
{
	local rule=$work/usr-root/usr/lib/udev/rules.d/60-amdgpudbg.rules name

	name=$(sed -n 's/.*gpu->name), "\(.*\)%d",.*/\1/p' kernel/registry.c)
	[ "$(stat -c %a "$rule")" = 644 ] &&
		grep -Fx "SUBSYSTEM==\"misc\", KERNEL==\"${name}[0-9]*\", GROUP=\"render\", MODE=\"0660\"" \
			"$rule"
}

# /usr needs no rpath; any other place does, and it must not be the tree's.
installed_wavectl()
{
	! readelf -d "$work/usr-root/usr/bin/wavectl" | grep -E 'RPATH|RUNPATH' &&
		! readelf -d "$work/opt/bin/wavectl" | grep -F "$BUILD" &&
		env -i "$work/opt/bin/wavectl" version &&
		env -i LD_LIBRARY_PATH="$work/usr-root/usr/lib" \
			"$work/usr-root/usr/bin/wavectl" version
}

# What others have put there stays.
uninstalls()
{
	local root=$work/usr-root

	touch "$root/usr/include/linux/others.h"
	make -s uninstall BUILD="$BUILD" PREFIX=/usr DESTDIR="$root" || return
	( cd "$root" && find . ! -type d ) >"$work/left"
	[ "$(cat "$work/left")" = ./usr/include/linux/others.h ] ||
		{ cat "$work/left"; return 1; }
}

# built_for MAJOR MINOR [FLAG]: would the module be built for such a kernel?
built_for()
{
	mkdir -p "$work/linux"
	cat >"$work/linux/version.h" <<-EOF
		#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
		#define LINUX_VERSION_CODE KERNEL_VERSION($1, $2, 255)
	EOF
	gcc -fsyntax-only -DCONFIG_X86_64 ${3:+"$3"} -I"$work" -x c \
		kernel/amdgpu/compat.h
}

only_kernels_that_were_tried()
{
	built_for 6 1 && built_for 6 12 && built_for 7 2 &&
		! built_for 6 0 && ! built_for 7 3 && ! built_for 8 0 &&
		built_for 7 3 -DWDBG_UNTRIED && ! built_for 6 0 -DWDBG_UNTRIED
}

# What code of a man page may rely on; amdkfd's types are those of hsakmttypes.h.
man_prelude()
{
	cat <<-'EOF'
		#include <errno.h>
		#include <stdio.h>
		#include <amdgpudbg-hsa.h>
		typedef int HSAKMT_STATUS;
		typedef uint32_t HSAuint32, HSA_DBG_WAVEOP, HSA_DBG_WAVEMODE;
		typedef struct { uint32_t value; } HsaDbgWaveMessage;
		extern struct adbg_session *session;
	EOF
}

# Each block is the body of a function, but for functions. scdoc takes a backslash for
# itself, so that "\\n" has to be written there.
man_code()
{
	awk '
	/^```/ && !code {
		code = 1
		top = FILENAME ~ /hsa/
		if (top)
			next
		printf "int f%d(struct adbg_session *session,\n", ++n
		print "const struct amdgpudbg_wave *wave, uint64_t va,"
		print "uint32_t gc_version, int32_t pid, int ret);"
		printf "int f%d(struct adbg_session *session,\n", n
		print "const struct amdgpudbg_wave *wave, uint64_t va,"
		print "uint32_t gc_version, int32_t pid, int ret) {"
		print "(void)session, (void)wave, (void)va, (void)gc_version;"
		print "(void)pid; {"
		next
	}
	/^```/ { code = 0; if (!top) print "} return ret; }"; next }
	code {
		gsub(/\\\\/, "\001")
		if (/\\/)
			print "#error a single backslash"
		gsub("\001", "\\")
		print
	}' lib/man/*.scd
}

man_code_compiles()
{
	{ man_prelude; man_code; } | gcc -x c -std=c11 -Iuapi -Ilib/include \
		-fsyntax-only -Wall -Wextra -Wno-unused -Wno-unused-parameter \
		-Werror -
}

# As the first comment of each example says.
examples_build_by_pkg_config()
{
	local example

	export PKG_CONFIG_PATH=$work/opt/lib/pkgconfig
	for example in lib/examples/*.c; do
		# shellcheck disable=SC2046
		gcc -Wall -Werror -o "$work/example" "$example" \
			$(pkg-config --cflags --libs libamdgpudbg) || return
		LD_LIBRARY_PATH=$work/opt/lib ldd "$work/example" |
			grep -c "$work/opt/lib/libamdgpudbg.so.0" || return
	done
	[ "$(pkg-config --modversion libamdgpudbg)" = \
		"$("$work/opt/bin/wavectl" version | sed -n 's/^wavectl //p')" ]
}

# What users copy from.
examples_are_c_and_cxx()
{
	local flags="-fsyntax-only -Wall -Wextra -pedantic-errors -Werror" f

	flags+=" -I$work/opt/include"
	for f in pcs writes; do
		# shellcheck disable=SC2086
		gcc -x c -std=c11 $flags "lib/examples/$f.c" &&
			g++ -x c++ -std=c++17 $flags "lib/examples/$f.c" &&
			g++ -x c++ -std=c++20 $flags "lib/examples/$f.c" ||
			return
	done
}

# The shortest useful program, with its errors, has 20 lines.
an_example_is_short()
{
	[ "$(sed -n '/^{/,/^}/p' lib/examples/pcs.c | sed '1d;$d' | grep -c .)" -le 20 ]
}

# The static library does for the same.
examples_build_statically()
{
	gcc -Wall -Werror -o "$work/static" lib/examples/waves.c \
		-I"$work/opt/include" "$work/opt/lib/libamdgpudbg.a" &&
		! ldd "$work/static" | grep amdgpudbg
}

check "the public header compiles alone in C and C++" \
	public_header lib/include/amdgpudbg.h
check "that for the old interface, too" public_header lib/include/amdgpudbg-hsa.h
check "32-bit callers have the same layout" layout32
check "the exported symbols are those of symbols.txt" symbols
check "nothing but functions is exported" only_functions_are_exported
check "each symbol has its version" symbols_have_versions
check "each function is described in the header" every_function_is_documented
check "each inline function is exported, too" inline_functions_are_exported
check "the interface is small" interface_is_small
check "the static library defines no foreign name" static_library_keeps_its_prefix
check "soname" soname
check "the library needs libc only" needs_libc_only
check "the library does not print, end or signal" keeps_to_itself
check "make install" installs
check "what is installed" installed_files
check "each function's name is a man page" every_function_has_a_page
check "the node is for group render" installed_rule
check "an installed wavectl finds its library" installed_wavectl
check "make uninstall leaves nothing, and takes nothing else" uninstalls
check "the code of the man pages compiles" man_code_compiles
check "examples build by pkg-config" examples_build_by_pkg_config
check "examples are C and C++ without a warning" examples_are_c_and_cxx
check "an example is short" an_example_is_short
check "an example builds with the static library" examples_build_statically
check "the module is built for kernels that it was tried on" only_kernels_that_were_tried
checks_done
