# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# The part of check-top in the guest, read by the shell on its console: a program with waves, and
# wavectl top for it, as the user. What check waits for begins with "guest:".

# shellcheck source=tests/vm/guest/parts/tap.sh
. /usr/share/amdgpudbg/tap.sh
# shellcheck source=tests/vm/guest/parts/talk.sh
. /usr/share/amdgpudbg/talk.sh

co=/usr/share/amdgpudbg/kernels_debug.co
console=/dev/ttyS0
export TERM=screen

# num_halted: the number of halted waves
num_halted()
{
	wavectl wave list --pid "$target" --state halted | grep -c "^se"
}

# halts N: is this their number?
halts()
{
	[ "$(num_halted)" = "$1" ]
}

# top: as the user, on this terminal
top()
{
	su user -c "exec wavectl top --pid $target --code-object $co --delay 0.2"
}

# resize_when_all_halt: the terminal gets another size when all waves are halted
resize_when_all_halt()
{
	until_true 120 halts "$all" && stty rows 30 cols 100 <$console
}

# kill_when_one_halts: top is killed when it has halted a wave
kill_when_one_halts()
{
	until_true 120 halts 1 && kill -KILL "$(pidof wavectl)"
}

# print_halted WHEN: how many waves are halted, when none should be
print_halted()
{
	until_true 60 halts 0
	echo "guest: $1, $(num_halted) waves are halted"
}

# A message of the kernel on the console would move what top has drawn.
dmesg -n 1
stty rows 24 cols 80
target_start -c $co -n 256 spin || echo "guest: the program does not run"
all=$(wavectl wave list --pid "$target" | grep -c "^se")

resize_when_all_halt &
top
echo "guest: top ended with status $?"
print_halted "after q"
# The screen of the next top would hide these lines before they are seen.
read -r _

kill_when_one_halts &
top
echo "guest: top was killed, status $?"
stty sane
print_halted "after a kill"

echo >&7
says "spin: 256 results, 0 wrong" && echo "guest: the results are right"
exec 7>&- 8<&-
wait "$target"
echo "guest: the program ended with status $?"
