# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# For suites that have sourced tap.sh: a program of an unprivileged user with one job after the
# other, and `wavectl batch` for it, to which the suite sends commands line by line.

# The process of the suite. $$ is the same in its subshells.
read -r talk_shell _ </proc/self/stat

# target_start ARGS...: start compute, whose first kernel is "spin"; returns when that runs
target_start()
{
	target_is compute "$@"
}

# target_is PROGRAM ARGS...: start another program, whose first line is "running"
target_is()
{
	target_says running "$@"
}

# target_says WORD PROGRAM ARGS...: start a program whose first line is WORD
target_says()
{
	local word=$1

	shift
	rm -f /tmp/target.in /tmp/target.out
	mkfifo /tmp/target.in /tmp/target.out
	su user -c "exec $*" </tmp/target.in >/tmp/target.out 2>&1 5>&- &
	target=$!
	exec 7>/tmp/target.in 8</tmp/target.out
	says "$word"
}

# says LINE: is this the next line of the target?
says()
{
	local line

	read -r line <&8
	[ "$line" = "$1" ] || { echo "it says '$line'"; return 1; }
}

# next_job: end "spin"; succeeds if its results are right
next_job()
{
	echo >&7
	says "spin: 64 results, 0 wrong"
}

# target_finish LINE: end the target, whose last line must be LINE; returns its status
target_finish()
{
	exec 7>&-
	says "$1"
	exec 8<&-
	wait "$target"
}

# talk ARGS...: start `wavectl batch` for the target, as the user; send() sends a line to it
talk()
{
	talk_alone --pid "$target" "$@"
}

# talk_alone ARGS...: the same without --pid
talk_alone()
{
	talk_in "batch -" "$@"
}

# talk_in COMMAND ARGS...: start another command of wavectl that reads such lines, by the program
# and arguments in $talk_by, if that is set
talk_in()
{
	# The process below empties its output only when it runs: until then, that of the command
	# before it would be taken for its own.
	rm -f /tmp/talk.in /tmp/talk.out
	mkfifo /tmp/talk.in
	: >/tmp/talk.out
	su user -c "exec ${talk_by:-} wavectl $*" </tmp/talk.in \
		>/tmp/talk.out 2>&1 7>&- 8<&- &
	talker=$!
	answers=0
	exec 5>/tmp/talk.in
}

send()
{
	echo "$*" >&5
}

# answer COMMAND: send a command to the batch and print its output. It is refused in a subshell,
# as of a pipe or $(...): the number of answers would be forgotten there, and all later calls would
# wait for too few.
answer()
{
	local before self

	read -r self _ </proc/self/stat
	if [ "$self" != "$talk_shell" ]; then
		echo "answer '$1': not in a subshell, which forgets the number of answers" >&2
		return 1
	fi
	before=$(wc -l </tmp/talk.out)
	send "$1"
	send "nosuch"
	answers=$((answers + 1))
	it_said $answers "unknown command 'nosuch'" || return
	tail -n +$((before + 1)) /tmp/talk.out | grep -v "unknown command 'nosuch'"
}

# says_there COMMAND TEXT: does the batch's output for the command contain TEXT?
says_there()
{
	answer "$1" >/tmp/answer
	cat /tmp/answer
	grep -q -- "$2" /tmp/answer
}

# talk_finish: end the batch; returns its status
talk_finish()
{
	exec 5>&-
	wait "$talker"
}

# it_said COUNT TEXT: wait until exactly COUNT lines of the batch's output contain TEXT; a line that
# begins with "N waves" counts as N
it_said()
{
	until_true 200 said_so_often "$1" "$2" && return
	tail -n 30 /tmp/talk.out
	return 1
}

said_so_often()
{
	[ "$(grep -- "$2" /tmp/talk.out |
		awk '{ sum += $1 ~ /^[0-9]+$/ && $2 == "waves" ? $1 : 1 } END { print sum + 0 }')" = "$1" ]
}

# halted COUNT: are so many waves halted?
halted()
{
	[ "$(wave_count HALT)" = "$1" ]
}

# said TEXT: wait until the batch has printed TEXT once, else call failed() of the suite
said()
{
	it_said 1 "$1" >/tmp/said || failed "it does not say '$1'"
}

# has_more_results COUNT: has the target written more results to /tmp/results, not counting one
# that may be in progress?
has_more_results()
{
	[ "$(grep -c . /tmp/results)" -gt $(($1 + 1)) ]
}

# line TEXT: number of the line of $source with this text, of which there is one
# shellcheck disable=SC2154 # source: the suite
line()
{
	grep -nF -- "$1" "$source" | cut -d: -f1
}

# input N: in[N], as compute fills it
input()
{
	local x=$((0x9e3779b9)) n=-1

	while [ $((n += 1)) -le "$1" ]; do
		x=$(((x ^ x << 13) & 0xffffffff))
		x=$((x ^ x >> 17))
		x=$(((x ^ x << 5) & 0xffffffff))
	done
	echo $x
}
