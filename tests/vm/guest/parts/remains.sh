# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# For suites that have sourced tap.sh: the GPU, its driver or amdgpudbg is removed while a
# program has a job and a debugger has settings on the GPU (remains.c).

gpu=$(basename "$(readlink -f /sys/class/drm/renderD128/device)")
ko=/lib/modules/$(uname -r)/amdgpudbg.ko

# remains_start WHAT open|ended running|halted|dead: start remains with these arguments
remains_start()
{
	local line

	rm -f /tmp/remains.*
	mkfifo /tmp/remains.in /tmp/remains.out
	remains "$@" </tmp/remains.in >/tmp/remains.out 2>/tmp/remains.err &
	remains=$!
	exec 7>/tmp/remains.in 8</tmp/remains.out
	read -r line <&8
	exec 8<&-
	[ "$line" = ready ] || { cat /tmp/remains.err; return 1; }
}

remains_end()
{
	exec 7>&-
	wait "$remains"
}

# leave HOW: remove the GPU, unbind its driver, unload amdgpudbg, or reset the GPU
leave()
{
	case $1 in
	unbind) echo "$gpu" >/sys/bus/pci/drivers/amdgpu/unbind ;;
	remove) echo 1 >"/sys/bus/pci/devices/$gpu/remove" ;;
	# Memory that the module has left must not prevent the driver from being unbound.
	rmmod) rmmod amdgpudbg && leave unbind ;;
	reset) reset_gpu ;;
	esac
}

# come_back HOW: undo leave
come_back()
{
	case $1 in
	unbind | rmmod) echo "$gpu" >/sys/bus/pci/drivers/amdgpu/bind ;;
	remove) echo 1 >/sys/bus/pci/rescan ;;
	reset) drop_coredumps ;;
	esac || return 1
	# Load it as /init does, for the suites that follow.
	[ "$1" != rmmod ] || insmod "$ko" halt_seconds=6000 || return 1
	until_true 60 test -c /dev/amdgpudbg0
}

# left_and_works HOW WHAT open|ended running|halted|dead: test one combination
left_and_works()
{
	local how=$1
	shift

	remains_start "$@" || { remains_end; return 1; }
	leave "$how" || { remains_end; return 1; }
	remains_end && come_back "$how" && compute saxpy &&
		[ "$(wave_count HALT)" = 0 ]
}

# leaves HOW WHAT open|ended running|halted|dead: the same, as a test
leaves()
{
	ok "$1: $2, session $3, job $4" left_and_works "$@"
}

# leaves_all HOW...: test all combinations. rmmod is not possible with an open session; and the
# last four settings leave nothing when a session has ended.
leaves_all()
{
	local how what job

	for how in "$@"; do
		for job in running halted dead; do
			for what in buffers freed-buffers handler cleared-handler patch; do
				leaves "$how" $what ended $job
			done
			[ "$how" != rmmod ] || continue
			for what in buffers freed-buffers freeing-buffers handler \
					cleared-handler patch watch reservation \
					halted-wave snapshot; do
				leaves "$how" $what open $job
			done
		done
	done
}
