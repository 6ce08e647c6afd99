#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Help, man pages and completion of wavectl agree with its table of commands. Prints TAP; run
# from the top of the tree, BUILD=build.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh

BUILD=${BUILD:-build}
wavectl=$BUILD/tools/wavectl/wavectl
man=tools/wavectl/man
table()
{
	"$wavectl" dump-commands
}

# options: each option of the table once, without its "="
options()
{
	table | cut -d'|' -f3 | tr ' ' '\n' | grep '^--' | tr -d = | sort -u
}

# page NAME: the manual page with the synopsis of a command
page()
{
	grep -l "^\*wavectl\* \*$1\*" $man/*.scd
}

man_has_every_command()
{
	local name aliases rest file bad=0 between='\*, \*'

	while IFS='|' read -r name aliases rest; do
		[ "$name" ] || continue
		# one synopsis, and a paragraph in the same page
		file=$(page "$name")
		[ "$(wc -w <<<"$file")" = 1 ] || { echo "$name: synopsis"; bad=1; continue; }
		grep -q "^\*$name\*${aliases:+ (short: \*${aliases// /$between}\*)}" "$file" ||
			[ "$name" = version ] || { echo "$name: paragraph"; bad=1; }
	done < <(table)
	return $bad
}

man_has_every_option()
{
	local name rest file option bad=0

	while IFS='|' read -r name rest; do
		[ "$name" ] || continue
		file=$(page "$name")
		for option in $(cut -d'|' -f2 <<<"$rest" | tr ' ' '\n' | grep '^--' | tr -d =); do
			grep -qE "^(\*-.\*, )?\*$option\*" $man/wavectl.1.scd "$file" ||
				{ echo "$name: $option"; bad=1; }
		done
	done < <(table)
	return $bad
}

# plain: text without the markup of man pages and without quotes, in lower case
plain()
{
	tr -d '*_"\134' | tr '[:upper:]' '[:lower:]'
}

# option_texts PAGE: a line for each option, with its name and its text
option_texts()
{
	awk '
		function flush() { if (name) print name text; name = text = "" }
		/^\t/ && name { sub(/^\t+/, ""); text = text " " $0; next }
		/./ { flush() }
		/^(\*-.\*, )?\*--[a-z-]+\*/ {
			match($0, /--[a-z-]+/)
			name = substr($0, RSTART, RLENGTH)
		}
		END { flush() }
	' "$1" | plain
}

# help_texts [COMMAND...]: a line for each option, with its name and its text
help_texts()
{
	"$wavectl" help "$@" |
		sed -nE 's/^  (-.,|   ) (--[a-z-]+)( [^ ]+)? +(.*)$/\2 \4/p' | plain
}

# repeats NAME PAGE...: the pages contain the help text of each option of a command
repeats()
{
	local name=$1 option text bad=0

	shift
	# shellcheck disable=SC2086 # one word or two
	while read -r option text; do
		cat "$@" | grep "^$option " | grep -qF -- "$text" ||
			{ echo "$name: $option: no '$text'"; bad=1; }
	done < <(help_texts $name)
	return $bad
}

man_repeats_help()
{
	local dir name rest file bad=0

	dir=$(mktemp -d)
	for file in "$man"/*.scd; do
		option_texts "$file" >"$dir/$(basename "$file")"
	done
	repeats "" "$dir/wavectl.1.scd" || bad=1
	while IFS='|' read -r name rest; do
		[ "$name" ] || continue
		repeats "$name" "$dir/wavectl.1.scd" "$dir/$(basename "$(page "$name")")" || bad=1
	done < <(table)
	rm -r "$dir"
	return $bad
}

man_has_no_other_option()
{
	! comm -13 <(options) \
		<(grep -ohE '\*--[a-z-]+\*' $man/*.scd | tr -d '*' | sort -u) | grep .
}

main_page_names_every_page()
{
	local file name bad=0

	[ "$(wc -l <$man/wavectl.1.scd)" -le 300 ] || { echo "wavectl(1) is long"; bad=1; }
	for file in "$man"/wavectl-*.scd; do
		name=$(basename "$file" .1.scd)
		grep -q "^|  $name(1)" $man/wavectl.1.scd || { echo "$name"; bad=1; }
	done
	return $bad
}

# 0 to 7, in the man page and in the help, and nothing more
exit_statuses()
{
	[ "$(sed -n '/^# EXIT STATUS/,/^# EX/p' $man/wavectl.1.scd |
		grep -oE '^\*[0-9]\*' | tr -d '*\n')" = 01234567 ] &&
		[ "$("$wavectl" --help | grep -oE '^  [0-9]  ' |
			tr -d ' \n')" = 01234567 ]
}

# Every example is understood: it gets as far as to look for a GPU (status 5),
# or to a GPU that this machine really has.
examples_are_understood()
{
	local line status bad=0

	while read -r line; do
		read -ra words <<<"${line%++}"
		"$wavectl" --dry-run "${words[@]:1}" >/dev/null 2>&1
		status=$?
		[ $status != 2 ] || { echo "$line: usage"; bad=1; }
	done < <(sed -n '/^# EXAMPLES/,/^# SEE/p' $man/*.scd | grep -E '^	?wavectl ')
	return $bad
}

# complete WORDS...: what completion offers for the last word
complete_words()
{
	bash -c '
		. "$1"
		shift
		wavectl() { printf "%s\n" 0 /dev/amdgpudbg0 0000:04:00.0 7 0000:0b:00.0; }
		COMP_WORDS=(wavectl "$@")
		COMP_CWORD=$#
		COMP_LINE="wavectl $*"
		COMP_LINE=${COMP_LINE// : /:}
		COMP_POINT=${#COMP_LINE}
		COMPREPLY=()
		_wavectl
		printf "%s\n" "${COMPREPLY[@]}" | sort -u | tr "\n" " "
	' - "$BUILD/tools/wavectl/wavectl.bash" "$@"
}

offers()
{
	local wanted=$1 got

	shift
	got=$(complete_words "$@")
	[ "$got" = "$wanted" ] || { echo "'$*': '$got'"; return 1; }
}

completion()
{
	offers "advance attach awatch b backtrace barrier batch break bt c caps catch code commands cond cond-dbg condition continue d dap delete detach disable disasm display down echo enable event events f fin finish focus frame gpu halt help ignore info init-if-undefined job jobs kill l lane launch lds list loop mem n next nexti ni p patch print printf proc r reg regs report resume run rwatch s set shell show si source step stepi tbreak thread top trace trap u undisplay until up version vm watch watchpoint wave where x " "" &&
		offers "barrier debug focus halt kill list resume snapshot step trap " wave "" &&
		offers "resume " wave r &&
		offers "clear insn list set start " break "" &&
		offers "--stepping " break main --st &&
		offers " " break list --m &&
		offers "--vmid= " wave halt --vm &&
		offers "--vmid= " halt --vm &&
		offers "--leave-halted " --json wave halt --le &&
		offers "--json " caps --j &&
		offers "--leave-halted " --pid 4711 halt --le &&
		offers "--leave-halted " --pid = 4711 wave halt --le &&
		offers "--leave-halted " -p 4711 halt -v se0.sa0.wgp3 --le &&
		offers "--timeout= " events --count 3 wgp1 --ti &&
		offers "--leave-halted " --pci 0000 : 0a : 00.0 halt --le &&
		offers "--leave-halted " -vp 4711 halt --le &&
		offers "resume " help wave r &&
		IFS=: offers "--leave-halted " halt --le &&
		offers " " halt --pid "" &&
		offers " " halt --pid = "" &&
		offers " " halt -p h &&
		offers "/dev/amdgpudbg0 0 0000:04:00.0 0000:0b:00.0 7 " caps --gpu "" &&
		offers "0 0000:04:00.0 0000:0b:00.0 " caps --gpu = 0 &&
		offers "/dev/amdgpudbg0 " -g / &&
		offers "0b:00.0 " caps -g 0000 : 0b &&
		offers "--leave-halted " --gpu 7 halt --le &&
		offers " " wave resume --leave
}

# pairs: each letter, and the name of its option, of every command
pairs()
{
	local name rest

	while IFS='|' read -r name rest; do
		# shellcheck disable=SC2086 # one word or two
		"$wavectl" help $name
	done < <(table) |
		sed -nE 's/^  -(.), --([a-z-]+).*/\1 \2/p' | sort -u
}

# given.c reads them before it knows of which command they are.
options_of_a_name_agree()
{
	[ "$(pairs | wc -l)" -gt 5 ] && ! pairs | cut -c1 | uniq -d | grep . || return
	! table | cut -d'|' -f3 | tr ' ' '\n' | grep '^--' | sort -u |
		tr -d = | uniq -d | grep . &&
		! table | cut -d'|' -f4 | grep -oE '.:?' | sort -u |
			tr -d : | uniq -d | grep .
}

# The argument is no verb, and is a wave for commands that take one.
short_forms_reach_their_commands()
{
	local name aliases alias rest said bad=0

	while IFS='|' read -r name aliases rest; do
		for alias in $aliases; do
			said=$("$wavectl" "$alias" 0.0.0.0.0 --help 2>&1 | head -n 1)
			[[ $said == "Usage: wavectl $name "* ]] ||
				{ echo "$alias: $said"; bad=1; }
		done
	done < <(table)
	return $bad
}

man_pages_are_made()
{
	local file bad=0

	grep -q '^\.SH EXIT STATUS' "$BUILD/tools/wavectl/wavectl.1" || bad=1
	for file in "$man"/*.scd; do
		[ -s "$BUILD/tools/wavectl/$(basename "$file" .scd)" ] ||
			{ echo "$file"; bad=1; }
	done
	return $bad
}

check "each command has a synopsis and a paragraph in one man page" man_has_every_command
check "each option of a command is in its man page or in wavectl(1)" man_has_every_option
check "the man page describes each option in the words of --help" man_repeats_help
check "the man pages have no unknown option" man_has_no_other_option
check "exit statuses in man page and help" exit_statuses
check "the examples of the man pages are understood" examples_are_understood
check "completion" completion
check "options of one name or letter all take an argument, or none" options_of_a_name_agree
check "short forms reach their commands" short_forms_reach_their_commands
check "wavectl(1) is short and names each other page" main_page_names_every_page
check "the man pages are made" man_pages_are_made
checks_done
