#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of check-dap in the guest: wavectl dap on virtio ports, one after the other. Its exit
# status is 0 if nothing is left of the sessions.

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

# session NAME USER FIELD: one session on a port. Clients ignore fields of a header that they do not
# know; it tells them that the session begins.
session()
{
	exec 4<>"$ports/org.amdgpudbg.dap.$1"
	printf '%s\r\n' "$3" >&4
	su "$2" -c "exec wavectl dap" <&4 >&4 || failed "the session $1 ended with status $?"
	exec 4>&-
}

no_program()
{
	! pidof compute reload >/dev/null
}

# The target continues, and none of its waves is halted.
target_runs()
{
	halted=$(wavectl wave list --pid "$target" | grep -c HALT)
	[ "$halted" = 0 ] || failed "after $1, $halted waves are still halted"
	count=$(grep -c . /tmp/results)
	until_true 60 has_more_results "$count" || failed "after $1, the program does not continue"
}

cd /usr/share/amdgpudbg || exit 1
session launch user "Ready: yes"

# A program that runs one job after the other
mkfifo /tmp/target.in
su user -c "exec compute -c kernels_debug.co -n 64 -p -l square" </tmp/target.in >/tmp/results 2>&1 &
target=$!
exec 7>/tmp/target.in
until_true 60 grep -q "^square" /tmp/results || failed "the program does not run"
session attach user "Target: $target"
target_runs "a disconnect"
session end user "Target: $target"
target_runs "the end of the input"
exec 7>&-
wait "$target" || failed "the program ended with status $?"
[ "$(sort -u /tmp/results | grep -c .)" = 1 ] || failed "results are wrong: $(sort -u /tmp/results)"

# Programs that wavectl has launched end with the session.
session frames user "Ready: yes"
until_true 60 no_program || failed "a program is left after the end of the input"
session reload user "Ready: yes"
until_true 60 no_program || failed "the program that loads its code has not ended"
vgpu '{"cmd":"expect","complaint":"vm-fault","on":true}' >/dev/null
session fault user "Ready: yes"
until_true 60 no_program || failed "a program is left after a disconnect"
vgpu '{"cmd":"expect","complaint":"vm-fault","on":false}' >/dev/null
session exception root "Ready: yes"
until_true 60 no_program || failed "a program is left after the last session"
