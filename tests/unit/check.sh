# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions that print results as TAP, for test scripts to source.

n=0

# check NAME COMMAND...: one result; what a command that fails says is shown
check()
{
	local name=$1 said

	shift
	n=$((n + 1))
	if said=$("$@" 2>&1); then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		echo "# ${said//$'\n'/$'\n'# }"
	fi
}

checks_done()
{
	echo "1..$n"
}
