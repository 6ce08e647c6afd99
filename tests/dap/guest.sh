#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of check-dap in the guest: wavectl dap on a virtio port. Its exit status is 0 if nothing
# is left of the session.

# shellcheck source=tests/vm/guest/parts/tap.sh
. /usr/share/amdgpudbg/tap.sh

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
su user -c "exec wavectl dap" <&4 >&4 || failed "the session ended with status $?"
exec 4>&-

# Nothing is left: no wave is halted.
halted=$(wavectl wave list | grep -c HALT)
[ "$halted" = 0 ] || failed "$halted waves are still halted"
