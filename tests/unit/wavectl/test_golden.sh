#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A transcript that differs from what wavectl prints fails, and the failure names the line.
# TAP; run from the top of the tree, BUILD=build.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh

program=$(readlink -f "${BUILD:-build}")/tests/unit/wavectl/test_wavectl_transcripts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
good=$work/good.txt
changed=$work/changed.txt

# The first command prints two lines and succeeds; the second fails; the output of the third has
# an empty line.
cat >"$good" <<'END'
# A comment

@ no wave is live
$ wavectl batch - --pid 4711 --echo
< wave list

$ wavectl wave fly

$ wavectl help wave list
END

# line PATTERN: the number of the first line of the transcript that has it
line()
{
	grep -n -m 1 -- "$1" "$changed" | cut -d: -f1
}

# fails_at LINE: one command fails, and this line is named
fails_at()
{
	local said

	said=$("$program" "$changed") && { echo "no failure"; return 1; }
	[ "$(grep -c '^not ok' <<<"$said")" = 1 ] &&
		grep -q "^# $changed:$1: the output differs" <<<"$said" && return
	echo "$said"
	return 1
}

# differs PATTERN SED: a transcript that was changed this way fails at the line with PATTERN,
# as it is before the change
differs()
{
	local at

	cp "$good" "$changed"
	at=$(line "$1")
	sed -i "$2" "$changed"
	! cmp -s "$good" "$changed" || { echo "nothing was changed"; return 1; }
	fails_at "$at"
}

# The line after it is reported, too, because it is there instead.
differs_empty()
{
	cp "$good" "$changed"
	sed -i '/^Usage/{n;d}' "$changed"
	fails_at $(($(line '^Usage') + 1))
}

# A JSON document is one line, which the transcript shows in several.
differs_json()
{
	printf '%s\n' '$ wavectl --json caps' '$ wavectl --json gpu list' >"$changed"
	"$program" --write "$changed" || return
	[ "$(grep -c '^{"schema"' "$changed")" = 2 ] || { cat "$changed"; return 1; }
	! grep '.\{101\}' "$changed" || return
	"$program" "$changed" >/dev/null || return
	sed -i 's/"active_cu":8/"active_cu":9/' "$changed"
	fails_at "$(line '"active_cu":9')"
}

# An output line that is missing in the transcript is reported at the line that follows.
an_extra_line_differs()
{
	cp "$good" "$changed"
	sed -i '/^no live waves/a more' "$changed"
	fails_at "$(line '^more')"
}

# is_refused TEXT: in addition to the good ones; nothing is written then
is_refused()
{
	{ cat "$good"; printf '%s\n' "" "$@"; } >"$changed"
	cp "$changed" "$work/before"
	! "$program" "$changed" >"$work/said" 2>&1 && grep -q '^not ok' "$work/said" &&
		! "$program" --write "$changed" 2>"$work/said" &&
		cmp "$work/before" "$changed"
}

write_restores()
{
	sed 's/live waves/waves/; /^Usage/d; s/exit status 2/exit status 3/' "$good" >"$changed"
	! cmp -s "$good" "$changed" && "$program" --write "$changed" && cmp "$good" "$changed"
}

# As many results as there are commands in all files
every_command_is_a_test()
{
	local said folder=$work/tests/unit/wavectl/transcripts

	mkdir -p "$folder"
	cp "$good" "$folder/first.txt"
	cp "$good" "$folder/second.txt"
	said=$(cd "$work" && "$program") || return
	[ "$(grep -c '^ok' <<<"$said")" = "$(cat "$folder"/*.txt | grep -c '^\$')" ] &&
		! grep -v '^ok\|^1\.\.6$' <<<"$said"
}

check "the output of new commands is added" "$program" --write "$good"
check "a transcript that agrees passes" "$program" "$good"
check "another line of standard output fails" differs '^no live' 's/^no live/some live/'
check "another line of standard error fails" differs '^! ' 's/^! wavectl/! wave/'
check "another blank fails" differs '^no live' 's/^no live/no  live/'
check "standard error is not standard output" differs '^! ' 's/^! //'
check "a line that is missing fails" differs '^no live' '/^no live/d'
check "an empty line that is missing fails" differs_empty
check "a line that is not printed fails" an_extra_line_differs
check "another value in a JSON document fails" differs_json
check "another exit status fails" differs '^# exit status' 's/exit status 2/exit status 3/'
check "a missing exit status fails" differs '^# exit status' '/^# exit status/d'
check "another order of lines fails" differs '^wavectl>' '/^wavectl>/{h;d};/^no live/G'
check "an unknown sentence is refused" is_refused '@ the moon is full' "\$ wavectl wave list"
check "a sentence without a command is refused" is_refused '@ no wave is live'
check "text without a command is refused" is_refused '# A comment' 'no live waves'
check "another program is refused" is_refused '$ ls'
check "make golden restores a transcript that was changed" write_restores
check "every command of all transcripts is a test" every_command_is_a_test
checks_done
