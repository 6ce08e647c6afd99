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
	local name aliases opts letters global="" words="" i word cur="" known=""
	local first="" command="" wanted="" table IFS=$' \t\n'
	table=$(_wavectl_table)

	# Options that want an argument, each between blanks
	wanted=$(while IFS='|' read -r name aliases opts letters; do
		for word in $opts; do
			[[ $word != *= ]] || printf ' %s ' "${word%=}"
		done
		while [[ $letters =~ (.): ]]; do
			printf ' -%s ' "${BASH_REMATCH[1]}"
			letters=${letters#*:}
		done
	done <<<"$table")

	# The command is the first words that are neither options nor arguments of
	# those, nor "help". bash takes "=" and ":" for words; of several letters behind
	# one "-", the last may want an argument.
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $word == -* ]]; then
			[[ $word == --* ]] || word=-${word: -1}
			[[ ${COMP_WORDS[i + 1]-} != "=" ]] || ((i++))
			[[ $wanted != *" $word "* ]] || ((i++))
			while [[ ${COMP_WORDS[i + 1]-} == ":" ]]; do ((i += 2)); done
		elif [[ -z $first && $word == help ]]; then
			continue
		elif [[ -z $first ]]; then
			first=$word
			command=$word
		elif [[ $command == "$first" ]]; then
			command+=" $word"
		fi
	done
	# It is the argument of an option, of which nothing is known but the names of GPUs.
	if ((i > COMP_CWORD)); then
		COMPREPLY=()
		[[ $word != --gpu && $word != -g ]] || _wavectl_gpus
		return
	fi
	cur=${COMP_WORDS[COMP_CWORD]}

	# Some short forms are the first word of other commands.
	while IFS='|' read -r name aliases opts letters; do
		[[ $name != "$command" && $name != "$command "* ]] || known=1
	done <<<"$table"

	while IFS='|' read -r name aliases opts letters; do
		if [[ -z $name ]]; then
			global=$opts
		elif [[ $command == "$name" || $first == "$name" ]] ||
		     [[ -z $known && " $aliases " == *" $first "* ]]; then
			words+=" $opts"
		elif [[ -z $command ]]; then
			words+=" ${name%% *} $aliases"
		elif [[ ${name%% *} == "$command" ]]; then
			words+=" ${name#* }"
		fi
	done <<<"$table"
	[[ $command ]] || words+=" help"
	[[ $cur != -* ]] || words+=" $global"
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}

# Complete an argument of --gpu. bash divides PCI addresses at ":", so only what follows the
# last one is replaced.
_wavectl_gpus()
{
	local typed=${COMP_LINE:0:COMP_POINT} IFS=$' \t\n'

	typed=${typed##*[[:blank:]]}
	typed=${typed#--gpu=}
	mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" dump-gpus 2>/dev/null)" -- "$typed")
	[[ $typed != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"${typed%:*}:"}")
}

_wavectl_table()
{
	cat <<'TABLE'
HEAD
"$1" dump-commands
cat <<'TAIL'
TABLE
}
complete -o default -F _wavectl wavectl
TAIL
