#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# README.md agrees with the tree. Prints TAP; run from the top of the tree.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh

session()
{
	sed -n '/^## A session/,/^## /{/^    /p}' README.md
}

# Suites compare sessions.md with what wavectl prints; so what README.md has of it must be
# there in one piece.
session_is_documented()
{
	local text

	text=$(session)
	[ "$(wc -l <<<"$text")" -gt 10 ] || { echo "no session"; return 1; }
	[[ $(<tools/wavectl/sessions.md) == *"$text"* ]]
}

# Each path that README.md names
named()
{
	grep -oE '(`|\]\()[A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*' README.md | sed -E 's/^(`|\]\()//' |
		sort -u | grep -v '^render/\|^build/'
}

named_paths_exist()
{
	local path bad=0

	[ "$(named | wc -l)" -gt 20 ] || { echo "no paths"; return 1; }
	while read -r path; do
		[ -e "$path" ] || { echo "$path"; bad=1; }
	done < <(named)
	return $bad
}

# shellcheck disable=SC2016 # the quotes of Markdown
commands_exist()
{
	local noun verb bad=0 commands

	commands=$("${BUILD:-build}/tools/wavectl/wavectl" dump-commands | cut -d'|' -f1,2 |
		tr '|' '\n' | sed 's/^ *//')
	while read -r noun verb; do
		grep -qw -- "${noun}${verb:+ $verb}" <<<"$commands" ||
			{ echo "$noun $verb"; bad=1; }
	done < <(sed -n '/^## Features/,/^## /p' README.md | grep '^|' | cut -d'|' -f3 |
		grep -oE '`[a-z ]+`' | tr -d '`')
	return $bad
}

is_short()
{
	[ "$(wc -l <README.md)" -le 200 ]
}

check "the session of README.md is a part of tools/wavectl/sessions.md" session_is_documented
check "each file and directory that README.md names exists" named_paths_exist
check "each command of README.md's table of features exists" commands_exist
check "README.md has at most 200 lines" is_short
checks_done
