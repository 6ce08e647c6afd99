# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Reads the headers of suites, which say where they can run. For scripts that have sourced
# lib.sh, which sets SUITES to the folder.

# suite_header SUITE WORD: print the values of the lines "# WORD:" in the suite's header, which
# must be among its first 20 lines
suite_header()
{
	[[ ! -e $SUITES/$1 ]] || sed -n "1,20s/^# $2: *//p" "$SUITES/$1"
}

# suite_files: print the names of all suites, sorted
suite_files()
{
	local file

	# shellcheck disable=SC2153 # of lib.sh
	for file in "$SUITES"/*; do
		[[ ! -f $file || ! -x $file ]] || echo "${file##*/}"
	done
}

# suite_names: print the names of all suites, in the order of the file "order"; the folders
# of the self-tests do not have this file
suite_names()
{
	if [[ -e $SUITES/order ]]; then
		grep -v '^#' "$SUITES/order"
	else
		suite_files
	fi
}

# suite_runs_on SUITE SERIES: can the suite run on this kernel? On the kernel with amdgpu built
# in, only suites that name it can: the others load amdgpu.
suite_runs_on()
{
	local kernels

	kernels=$(suite_header "$1" kernel)
	if [[ $2 == builtin || $kernels ]]; then
		grep -qwF -- "$2" <<<"$kernels"
	fi
}

# suite_differs SUITE: can the result differ between kernels? If not, it is enough to run the
# suite on the default one.
suite_differs()
{
	suite_header "$1" differs | grep -qw kernel
}

# suite_is_long SUITE: does it run only if long suites are requested?
suite_is_long()
{
	[[ $(suite_header "$1" long) ]]
}

# suites_of SERIES [--long]: print the suites for this kernel, in order; without --long, only
# those that are not long
suites_of()
{
	local name

	suite_names | while read -r name; do
		if suite_runs_on "$name" "$1" &&
				{ [[ ${2:-} ]] || ! suite_is_long "$name"; }; then
			echo "$name"
		fi
	done
}
