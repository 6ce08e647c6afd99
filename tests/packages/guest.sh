# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# The guest's part of check, which sets kernel: runs it without a debugger, and then with a breakpoint
# in a function that is inlined several times. Each line of a result has a word in front of it.

# shellcheck disable=SC2154 # kernel: check
co=/usr/share/amdgpudbg/rocrand.co
# Engines, first engine, seed, offset
arguments="buffer:1536 32:0 64:12345 64:3"

# shellcheck disable=SC2086
dispatch $co $kernel 1 64 $arguments </dev/null >/tmp/alone || exit
sed 's/^/ALONE /' /tmp/alone
cat >/tmp/commands <<end
break rocrand_xorwow.h:209
continue
bt
break clear
end
# shellcheck disable=SC2086
wavectl run --code-object $co -- dispatch $co $kernel 1 64 $arguments \
	</tmp/commands >/tmp/debugged 2>&1 || { cat /tmp/debugged; exit 1; }
sed -E 's/^([0-9a-f]{8})$/DEBUGGED \1/' /tmp/debugged
