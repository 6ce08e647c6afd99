#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of check-dap in the guest: wavectl dap on two virtio ports, one after the other. Its
# exit status is 0 if nothing is left of the sessions.

# shellcheck source=tests/vm/guest/parts/tap.sh
. /usr/share/amdgpudbg/tap.sh
# shellcheck source=tests/vm/guest/parts/talk.sh
. /usr/share/amdgpudbg/talk.sh

ports=/dev/virtio-ports
failed()
{
	echo "guest.sh: $*"
	exit 1
}

cd /usr/share/amdgpudbg || exit 1
exec 4<>$ports/org.amdgpudbg.dap.launch
# Clients ignore fields of a header that they do not know.
printf 'Ready: yes\r\n' >&4
su user -c "exec wavectl dap" <&4 >&4 || failed "the first session ended with status $?"
exec 4>&-

# A program that runs one job after the other
mkfifo /tmp/target.in
su user -c "exec compute -c kernels_debug.co -n 64 -p -l square" </tmp/target.in >/tmp/results 2>&1 &
target=$!
exec 7>/tmp/target.in
until_true 60 grep -q "^square" /tmp/results || failed "the program does not run"
exec 4<>$ports/org.amdgpudbg.dap.attach
printf 'Target: %s\r\n' "$target" >&4
su user -c "exec wavectl dap" <&4 >&4 || failed "the second session ended with status $?"
exec 4>&-

# Nothing is left: the program continues, and its results are right.
halted=$(wavectl wave list --pid "$target" | grep -c HALT)
[ "$halted" = 0 ] || failed "$halted waves are still halted"
count=$(grep -c . /tmp/results)
until_true 60 has_more_results "$count" || failed "the program does not continue"
exec 7>&-
wait "$target" || failed "the program ended with status $?"
[ "$(sort -u /tmp/results | grep -c .)" = 1 ] || failed "results are wrong: $(sort -u /tmp/results)"
