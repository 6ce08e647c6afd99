# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that each library must pass, for test scripts to source. They set
# these variables:
# shellcheck disable=SC2154
#	so		its file
#	symbol_list	the file with its exported symbols
#	version		the prefix of the names of its versions
#	public_headers	its headers, a pattern
#	header_flags	flags for the headers that these include
# and a function functions(), which prints the names of its functions.

# Each header must compile alone, with any warning that a user may enable.
public_header()
{
	local flags="$header_flags -fsyntax-only -Wall -Wextra -Wpadded"

	flags+=" -pedantic-errors -Werror"

	# shellcheck disable=SC2086
	gcc -x c -std=c99 $flags "$1" &&
		gcc -x c -std=c11 $flags "$1" &&
		g++ -x c++ -std=c++11 $flags "$1" &&
		g++ -x c++ -std=c++17 $flags "$1" &&
		g++ -x c++ -std=c++20 $flags "$1"
}

# The symbols of the list, without its comments
listed()
{
	grep -v '^#' "$symbol_list"
}

symbols()
{
	diff -u <(listed) <(nm -D --defined-only --no-demangle \
		"$so" | awk '$2 == "T" { print $3 }' |
		sed 's/@.*//' | sort)
}

only_functions_are_exported()
{
	! nm -D --defined-only "$so" |
		awk '$2 != "T" && $2 != "A"' | grep .
}

symbols_have_versions()
{
	[ "$(nm -D --defined-only --with-symbol-versions \
		"$so" | grep -c "@@$version")" = \
		"$(listed | wc -l)" ]
}

# In a comment of one line, or at the head of one. One comment describes all *_sized().
every_function_is_documented()
{
	local name bad=0

	while read -r name; do
		# shellcheck disable=SC2086 # a pattern
		grep -Eq "^( \*|/\*\*) $name\(\) - ." $public_headers ||
			{ echo "$name"; bad=1; }
	done < <(functions | grep -v '_sized$')
	return $bad
}

soname()
{
	readelf -d "$so" | grep SONAME | grep -cF "[$(basename "$so")]"
}

# The library neither prints nor handles signals nor makes threads.
keeps_to_itself()
{
	! nm -D --undefined-only "$so" | grep -E \
		' (printf|puts|putchar|fputs|fprintf|stdout|stderr|perror|signal|sigaction|pthread_create|exit|abort)(@|$)'
}
