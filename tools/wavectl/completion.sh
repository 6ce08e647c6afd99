#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Print the bash completion of wavectl: the words come from the program's own
# table of commands.
#
# usage: completion.sh WAVECTL

set -eu

cat <<'HEAD'
# bash completion for wavectl, made from its table of commands
_wavectl()
{
	local line name alias opts global= words= i cur command=
	cur=${COMP_WORDS[COMP_CWORD]}

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-*) ;;
		*) command+=${command:+ }${COMP_WORDS[i]} ;;
		esac
	done

	while IFS='|' read -r name alias opts; do
		if [ -z "$name" ]; then
			global=$opts
		elif [ "$command" = "$name" ] ||
		     { [ -n "$alias" ] && [ "$command" = "$alias" ]; }; then
			words+=" $opts"
		elif [ -z "$command" ]; then
			words+=" ${name%% *} $alias"
		elif [ "${name%% *}" = "$command" ]; then
			words+=" ${name#* }"
		fi
	done <<'TABLE'
HEAD
"$1" dump-commands
cat <<'TAIL'
TABLE

	case $cur in
	-*) words+=" $global" ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
}
complete -F _wavectl wavectl
TAIL
