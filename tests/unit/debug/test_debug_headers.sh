#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The parts of libamdgpudbg-debug against which other programs build: the headers, the exported
# symbols, the installed files; and the behaviour on a machine without its optional libraries.
# Prints TAP; run from the top of the tree, BUILD=build.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh
# shellcheck source=tests/unit/library.sh
. tests/unit/library.sh

BUILD=${BUILD:-build}
# shellcheck disable=SC2034 # by library.sh
so=$BUILD/lib/libamdgpudbg-debug.so.0
symbol_list=lib/debug/symbols.txt
# shellcheck disable=SC2034
version=ADBGD_
# shellcheck disable=SC2034
public_headers='lib/debug/include/*.h'
# shellcheck disable=SC2034
header_flags="-Iuapi -Ilib/include -Ilib/debug/include"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

functions()
{
	listed
}

# The order of the map is that of the list.
map_is_the_list()
{
	diff -u <(listed) <(sed -n 's/^\tadbgd/adbgd/; s/;$//p' \
		lib/debug/libamdgpudbg-debug.map | grep '^adbgd')
}

# LLVM is none of it, since it is loaded when it is needed.
needs_few()
{
	! readelf -d "$so" | grep NEEDED |
		grep -vE '\[(libc|ld-linux-x86-64|libm|libdw|libelf|libdl|libamdgpudbg)\.so\.[0-9]+\]'
}

installs()
{
	make -s install BUILD="$BUILD" PREFIX="$work/opt"
}

installed_files()
{
	local f bad=0

	for f in include/amdgpudbg-debug.h include/amdgpudbg-debug-code.h \
		include/amdgpudbg-debug-wave.h include/amdgpudbg-debug-backtrace.h \
		include/amdgpudbg-debug-name.h include/amdgpudbg-debug-step.h \
		include/amdgpudbg-debug-breakpoint.h include/amdgpudbg-debug-loop.h \
		include/amdgpudbg-debug-assign.h include/amdgpudbg-debug-async.h \
		include/amdgpudbg-debug-value.h include/amdgpudbg-debug-condition.h \
		lib/libamdgpudbg-debug.so lib/libamdgpudbg-debug.so.0 lib/pkgconfig/libamdgpudbg-debug.pc \
		share/man/man3/libamdgpudbg-debug.3; do
		[ -e "$work/opt/$f" ] || { echo "no $f"; bad=1; }
	done
	return $bad
}

every_function_has_a_page()
{
	local name bad=0

	while read -r name; do
		[ -s "$work/opt/share/man/man3/$name.3" ] || { echo "$name"; bad=1; }
	done < <(functions)
	return $bad
}

# And its prototype is there.
every_function_is_in_a_synopsis()
{
	local name bad=0

	while read -r name; do
		grep -qF "*$name*(" lib/debug/man/*.scd || { echo "$name"; bad=1; }
	done < <(functions)
	return $bad
}

# The documented limits are those of the sources.
limits_are_reported()
{
	local name value bad=0 page=lib/debug/man/libamdgpudbg-debug.3.scd said

	for name in ELF_SEGMENTS_MAX=64 ELF_SECTIONS_MAX=4096 ELF_SYMBOLS_MAX=1048576 \
		DWARF_DEPTH_MAX=128 PIECES_MAX=128 LIMIT_PAGES=16777216 LIMIT_ATTEMPTS=8192 \
		LIMIT_UNITS=65536 LIMIT_ABBREVS=4194304 LIMIT_ENTRIES=4194304 \
		LIMIT_RANGES=4194304 LIMIT_ROWS=2097152 LIMIT_TYPES=65536 \
		LIMIT_MEMBERS=1048576 LIMIT_OPERATIONS=1048576 LIMIT_STEPS=134217728; do
		value=${name#*=}
		# shellcheck disable=SC2086
		said=$(printf '#include "%s"\n#include "%s"\n%s\n' code/elf_file.h \
			code/dwarf_info.h "static_assert(ADBGD_${name%=*} == $value, \"\");" |
			gcc -x c -std=gnu11 $header_flags -Ilib/debug -include assert.h \
				-fsyntax-only - 2>&1)
		if [ "$said" ] || ! grep -q "\b$value\b" $page; then
			echo "$name $said"
			bad=1
		fi
	done
	return $bad
}

# What code of a man page may rely on; each block is the body of a function.
man_code()
{
	cat <<-'EOF'
		#include <errno.h>
		#include <poll.h>
		#include <stdio.h>
		#include <amdgpudbg-debug.h>
	EOF
	awk '
	/^```/ && !code {
		code = 1
		printf "int f%d(struct adbgd_code *code, uint64_t pc,\n", ++n
		print "const struct adbgd_memory *memory, const struct adbgd_span *spans,"
		print "size_t num_spans, const struct adbgd_context *context);"
		printf "int f%d(struct adbgd_code *code, uint64_t pc,\n", n
		print "const struct adbgd_memory *memory, const struct adbgd_span *spans,"
		print "size_t num_spans, const struct adbgd_context *context) {"
		print "(void)code, (void)pc, (void)memory, (void)spans;"
		print "(void)num_spans, (void)context; {"
		next
	}
	/^```/ { code = 0; print "} return 0; }"; next }
	code {
		gsub(/\\\\/, "\001")
		if (/\\/)
			print "#error a single backslash"
		gsub("\001", "\\")
		print
	}' lib/debug/man/*.scd
}

man_code_compiles()
{
	# shellcheck disable=SC2086
	man_code | sed 's/struct adbgd_code \*code;$/struct adbgd_code *own;/; s/&code,/\&own,/' |
		sed 's/code_free(code)/code_free(own)/' |
		gcc -x c -std=c11 $header_flags -fsyntax-only -Wall -Wextra -Wno-unused \
			-Werror -
}

program_builds_by_pkg_config()
{
	cat >"$work/program.c" <<-'EOF'
		#include <stdio.h>
		#include <amdgpudbg-debug.h>
		int main(int argc, char **argv)
		{
			struct adbgd_error error;
			struct adbgd_code *code;
			if (argc < 2 || adbgd_code_open(argv[1], &code, &error))
				return 1;
			puts(adbgd_code_get_info(code)->gpu);
			adbgd_code_free(code);
			return 0;
		}
	EOF
	# shellcheck disable=SC2046
	PKG_CONFIG_PATH=$work/opt/lib/pkgconfig \
		gcc -Wall -Werror -o "$work/program" "$work/program.c" \
		$(PKG_CONFIG_PATH=$work/opt/lib/pkgconfig \
			pkg-config --cflags --libs libamdgpudbg-debug) &&
		[ "$(LD_LIBRARY_PATH=$work/opt/lib "$work/program" \
			"$BUILD/tests/unit/debug/vars_O1.co")" = gfx1033 ]
}

# As wavectl has it: nothing of it is linked.
loads_by_dlopen()
{
	cat >"$work/loader.c" <<-'EOF'
		#include <dlfcn.h>
		#include <stdio.h>
		int main(int argc, char **argv)
		{
			void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
			if (!library || !dlsym(library, "adbgd_code_open"))
				puts(dlerror());
			return !library;
		}
	EOF
	gcc -o "$work/loader" "$work/loader.c" &&
		LD_LIBRARY_PATH=$work/opt/lib "$work/loader" libamdgpudbg-debug.so.0
}

without_libdw_the_library_is_built()
{
	local said sources

	unset MAKEFLAGS MFLAGS MAKELEVEL
	said=$(make -n BUILD="$work/none" MISSING=libdw all install)
	sources=$(grep -oE 'lib/debug/[a-z_0-9/]+\.c' <<<"$said" | grep -v /examples/ | sort -u)
	grep -q 'code/no_libdw.c' <<<"$sources" && grep -q 'process/process.c' <<<"$sources" &&
		! grep -E -- '-ldw|-lelf' <<<"$said" || return
	# None of them includes a header of libdw-dev.
	# shellcheck disable=SC2086
	said=$(gcc -M -MG -D_GNU_SOURCE $header_flags -Ilib/debug -Itrap $sources) &&
		! grep -E '/(dwarf|libelf|gelf|elfutils/[a-z]+)\.h' <<<"$said" || return
	# Tests of debug information are left out.
	said=$(make -n BUILD="$work/none" MISSING=libdw check-unit)
	grep -q 'test_debug_step' <<<"$said" && ! grep -E 'test_debug_(line|run|value)' <<<"$said"
}

# Nine objects call libdw or libelf. The others are part of every library.
few_objects_need_libdw()
{
	local dir=$BUILD/lib/obj/debug needing replaced

	needing=$(find "$dir" -name '*.o' ! -path '*/examples/*' | sort | while read -r o; do
		nm -u "$o" | grep -qE ' U (dwarf_|elf_|gelf_|adbgd_dwarf_find)' && echo "${o#"$dir"/}"
	done)
	replaced=$(unset MAKEFLAGS MFLAGS MAKELEVEL
		comm -23 <(lib_objects "") <(lib_objects libdw))
	diff -u <(echo "$replaced") <(echo "$needing") && [ "$(wc -l <<<"$needing")" = 19 ]
}

# lib_objects MISSING: the sources of the library in a build without MISSING, as objects
lib_objects()
{
	make -n BUILD="$work/none" MISSING="$1" lib |
		grep -oE -- '-c -o [^ ]+/obj/debug/[a-z_0-9/]+\.o' | grep -v /examples/ |
		sed 's|.*/obj/debug/||' | sort -u
}

# The library as it is without libdw, with a code object that has debug information
without_libdw_there_are_no_lines()
{
	local dir=$BUILD/lib/no-libdw object=$BUILD/tests/unit/debug/vars_O1.co said

	cat >"$work/plain.c" <<-'EOF'
		#include <errno.h>
		#include <stdio.h>
		#include <amdgpudbg-debug.h>
		int main(int argc, char **argv)
		{
			const struct adbgd_kernel *k;
			struct adbgd_variables *variables;
			struct adbgd_disasm *disasm;
			struct adbgd_error error;
			struct adbgd_code *code;
			struct adbgd_insn insn;
			struct adbgd_line line;
			char bytes[ADBGD_INSN_SIZE_MAX], name[ADBGD_NAME_MAX];

			if (argc < 2 || adbgd_code_open(argv[1], &code, &error))
				return 1;
			k = adbgd_code_get_kernel(code, 0);
			if (!k || adbgd_code_read(code, k->entry, bytes, sizeof(bytes), &error) ||
			    adbgd_disasm_new("gfx1033", 32, &disasm, &error) ||
			    adbgd_disasm_insn(disasm, k->entry, bytes, sizeof(bytes), &insn, &error))
				return 2;
			puts(adbgd_code_format_address(code, k->entry, name));
			puts(insn.text);
			if (adbgd_line_at(code, k->entry, &line, &error) != -EOPNOTSUPP ||
			    adbgd_variables_new(code, k->entry, &variables, &error) != -EOPNOTSUPP)
				return 3;
			puts(error.text);
			adbgd_disasm_free(disasm);
			adbgd_code_free(code);
			return 0;
		}
	EOF
	! readelf -d "$dir/libamdgpudbg-debug.so.0" | grep -E 'lib(dw|elf)\.so' || return
	# shellcheck disable=SC2086
	gcc $header_flags -o "$work/plain" "$work/plain.c" "$dir/libamdgpudbg-debug.so.0" \
		-L"${dir%/*}" -lamdgpudbg || return
	said=$(LD_LIBRARY_PATH=$dir:${dir%/*} "$work/plain" "$object") || return
	grep -qx 's_[a-z0-9_]* .*\|v_[a-z0-9_]* .*' <<<"$said" && grep -qx vars <<<"$said" &&
		grep -q 'built without libdw' <<<"$said"
}

check "the public header compiles alone in C and C++" \
	public_header lib/debug/include/amdgpudbg-debug.h
check "so does the one that it includes" \
	public_header lib/debug/include/amdgpudbg-debug-code.h
check "and the one for names" \
	public_header lib/debug/include/amdgpudbg-debug-name.h
check "and the one for breakpoints" \
	public_header lib/debug/include/amdgpudbg-debug-breakpoint.h
check "and the one for halted waves" \
	public_header lib/debug/include/amdgpudbg-debug-wave.h
check "and the one for call chains" \
	public_header lib/debug/include/amdgpudbg-debug-backtrace.h
check "and the one for steps by source line" \
	public_header lib/debug/include/amdgpudbg-debug-step.h
check "and the one for the code objects of a process" \
	public_header lib/debug/include/amdgpudbg-debug-objects.h
check "and the one for assignments" \
	public_header lib/debug/include/amdgpudbg-debug-assign.h
check "and the one for expressions" \
	public_header lib/debug/include/amdgpudbg-debug-value.h
check "and the one for operations" \
	public_header lib/debug/include/amdgpudbg-debug-async.h
check "and the one for loops" \
	public_header lib/debug/include/amdgpudbg-debug-loop.h
check "the exported symbols are those of symbols.txt" symbols
check "and of the map" map_is_the_list
check "nothing but functions is exported" only_functions_are_exported
check "each symbol has its version" symbols_have_versions
check "each function is described in the header" every_function_is_documented
check "soname" soname
check "the library needs libdw and libelf, and no LLVM" needs_few
check "the library does not print, end or signal" keeps_to_itself
check "make install" installs
check "what is installed" installed_files
check "each function's name is a man page" every_function_has_a_page
check "each function is in a synopsis" every_function_is_in_a_synopsis
check "the limits are those of the man page" limits_are_reported
check "the code of the man pages compiles" man_code_compiles
check "a program builds by pkg-config" program_builds_by_pkg_config
check "the library can be loaded" loads_by_dlopen
check "without libdw the library is built, by sources that do not need it" \
	without_libdw_the_library_is_built
check "19 objects need libdw, and only these are left out without it" few_objects_need_libdw
check "without libdw, code can be disassembled and has no source lines" \
	without_libdw_there_are_no_lines
checks_done
