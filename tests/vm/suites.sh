# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the suites' headers say about where they can run. For scripts that have
# sourced lib.sh, whose SUITES is the folder.

# suite_header SUITE WORD: what the suite's header says about WORD
suite_header()
{
	[[ ! -e $SUITES/$1 ]] || sed -n "1,20s/^# $2: *//p" "$SUITES/$1"
}

# suite_names: all there are, in order
suite_names()
{
	local file

	# shellcheck disable=SC2153 # of lib.sh
	for file in "$SUITES"/*; do
		[[ ! -f $file || ! -x $file ]] || echo "${file##*/}"
	done
}

# suite_runs_on SUITE SERIES: is it for this kernel? Where amdgpu is built in, only
# those that ask for it: the others want to load it.
suite_runs_on()
{
	local kernels

	kernels=$(suite_header "$1" kernel)
	if [[ $2 == builtin || $kernels ]]; then
		grep -qwF -- "$2" <<<"$kernels"
	fi
}

# suite_differs SUITE: can its result be another one on another kernel? Else it is enough
# to run it on the default one.
suite_differs()
{
	suite_header "$1" differs | grep -qw kernel
}

# suite_is_long SUITE: is it left out unless long suites are wanted?
suite_is_long()
{
	[[ $(suite_header "$1" long) ]]
}

# suites_of SERIES [--long]: those for this kernel, in order; without --long, those that
# are not long
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
