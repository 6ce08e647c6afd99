# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# TAP for the scripts of this folder, which set work to a folder of theirs.

failed=0
num=0

# ok NAME COMMAND...: one test, with the output of the command if it fails
ok()
{
	local name=$1
	shift

	num=$((num + 1))
	# shellcheck disable=SC2154 # work: see above
	if "$@" >"$work/output" 2>&1; then
		echo "ok $num - $name"
		return
	fi
	failed=1
	echo "not ok $num - $name"
	head -n 40 "$work/output" | sed 's/^/# /'
}

# finish: print the plan, and end with a status that says whether all tests have passed
finish()
{
	echo "1..$num"
	exit $failed
}
