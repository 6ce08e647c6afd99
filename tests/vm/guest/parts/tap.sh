# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC3024
#
# Functions for the suites, which run under busybox's ash inside the guest: TAP output, programs
# with waves on the GPU (victims), and requests to vgpu's control socket.

tap_n=0

# ok WHAT COMMAND...: a test that passes if the command succeeds. The command runs in this
# shell, so that it can open files and start processes for later tests.
ok()
{
	local what=$1 status
	shift

	"$@" >/tmp/ok.out 2>&1
	status=$?
	verdict "$what" "$status"
	[ $status = 0 ] || { cat /tmp/ok.out; echo "status $status"; } | sed 's/^/# /'
	return $status
}

# ok_long WHAT COMMAND...: the same for a command that takes minutes. Its output is printed as it
# comes, as a sign of life, without which the harness ends the guest.
ok_long()
{
	local what=$1 status printer line
	shift

	rm -f /tmp/ok.fifo
	mkfifo /tmp/ok.fifo
	while read -r line; do
		echo "# $line"
	done </tmp/ok.fifo &
	printer=$!
	"$@" >/tmp/ok.fifo 2>&1
	status=$?
	wait $printer
	verdict "$what" "$status"
	return $status
}

# verdict WHAT STATUS: print the result of a test
verdict()
{
	tap_n=$((tap_n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $tap_n - $1"
	else
		echo "not ok $tap_n - $1"
	fi
}

# is WHAT GOT WANTED: a test that passes if GOT is WANTED
is()
{
	[ "$2" = "$3" ]
	verdict "$1" $?
	[ "$2" = "$3" ] || printf '# got:    %s\n# wanted: %s\n' "$2" "$3"
}

# exits WHAT STATUS COMMAND...: a test that passes if the command ends with this status
exits()
{
	local what=$1 wanted=$2 out status
	shift 2

	out=$("$@" 2>&1)
	status=$?
	[ $status = "$wanted" ]
	verdict "$what" $?
	[ $status = "$wanted" ] ||
		printf '%s\n' "$out" "status $status, not $wanted" | sed 's/^/# /'
}

done_testing()
{
	echo "1..$tap_n"
}

# until_true SECONDS COMMAND...: repeat the command until it succeeds. For conditions for
# which there is no event; fails after SECONDS, or as many times that as the guest is slower than
# others.
until_true()
{
	local deadline=$(($(cut -d. -f1 /proc/uptime) + $1 * ${GUEST_SLOW:-1}))
	shift

	until "$@" >/dev/null 2>&1; do
		[ "$(cut -d. -f1 /proc/uptime)" -lt $deadline ] || return 1
		usleep 20000
	done
}

# victim_prepare: create the FIFO from which victims read; they end when they read a line or
# the end of file
victim_prepare()
{
	rm -f /tmp/victim.*
	mkfifo /tmp/victim.in
	victims=
}

# victim_running NAME: wait until the victim with the output /tmp/victim.NAME has printed
# "running"
victim_running()
{
	local line

	eval "exec 8<'/tmp/victim.$1'"
	read -r line <&8
	# This process must not keep the other end of the victim's input open.
	cat <&8 >>/tmp/victim.out 7>&- &
	exec 8<&-
	[ "$line" = running ] || { echo "$line"; return 1; }
}

# victim_start ITEMS RING...: start a process with waves on the GPU for each ring; returns when
# the waves run. There is one such group of victims at a time.
victim_start()
{
	local items=$1 ring
	shift

	victim_prepare
	for ring in "$@"; do
		mkfifo "/tmp/victim.$ring"
		compute -n "$items" -r "$ring" spin </tmp/victim.in \
			>"/tmp/victim.$ring" 2>&1 &
		victims="$victims $!"
	done
	exec 7>/tmp/victim.in
	for ring in "$@"; do
		victim_running "$ring" || return 1
	done
}

# victim_start_as OPTION KERNEL...: start compute with the option; returns when it has run each
# kernel once
victim_start_as()
{
	victim_prepare
	mkfifo /tmp/victim.as
	compute "$@" </tmp/victim.in >/tmp/victim.as 2>&1 &
	victims=" $!"
	exec 7>/tmp/victim.in
	victim_running as
}

# victim_start_loop KERNEL...: the same, and it then has one job after the other
victim_start_loop()
{
	victim_start_as -l "$@"
}

# victim_start_idle KERNEL...: the same, but it then has no job. So a debugger that attaches
# need not wait, for a second, until the driver has closed the duplicate of its file.
victim_start_idle()
{
	victim_start_as -w "$@"
}

# victim_finish: end the victims; succeeds if all their results were right
victim_finish()
{
	local pid status=0

	exec 7>&-
	for pid in $victims; do
		wait "$pid" || status=$?
	done
	[ $status = 0 ] || cat /tmp/victim.out
	return $status
}

# vgpu JSON: send a request to vgpu's control socket and print the answer; succeeds if that
# has "ok"
vgpu()
{
	vgpu_of "" "$1"
}

# vgpu_of N JSON: the same for the GPU N: empty, or 2 for the second one
vgpu_of()
{
	exec 9<>"/dev/virtio-ports/org.amdgpudbg.vgpu$1"
	shift
	vgpu_talk "$1"
	exec 9>&-
	echo "$vgpu_answer"
	case $vgpu_answer in
	*'"ok":true'* | *'"ok": true'*) return 0 ;;
	esac
	return 1
}

# vgpu_talk JSON: send a request through descriptor 9, which is the port, and set $vgpu_answer.
# The id of the request is the present time, which distinguishes its answer from a late answer
# to an earlier request.
vgpu_talk()
{
	read -r vgpu_id _ </proc/uptime
	echo "{\"id\":\"$vgpu_id\",${1#?}" >&9
	# A read returns the end of file while the host's end of the port is not connected.
	until_true 60 vgpu_answered
}

vgpu_answered()
{
	while read -r vgpu_answer <&9; do
		case $vgpu_answer in
		'{"id":"'"$vgpu_id"'",'*) return 0 ;;
		esac
	done
	return 1
}

# waves [FLAG]: print the rows of the wave list, or those with a flag such as HALT
# shellcheck disable=SC2120 # suites do
waves()
{
	wavectl wave list | grep '^se' | grep -- "${1:-^se}"
}

# wave_count [FLAG]: print the number of these rows
wave_count()
{
	local list

	list=$(wavectl wave list 2>&1) || { echo "no list: $list"; return 1; }
	echo "$list" | grep '^se' | grep -c -- "${1:-^se}"
}

# pcs: print the name and the PC of each wave, one line each
pcs()
{
	# shellcheck disable=SC2119 # all of them
	waves | awk '{ print $1, $4 }'
}

# hold ARGS...: start a wavectl that halts waves until unhold; sets $held to its first line
hold()
{
	rm -f /tmp/hold
	mkfifo /tmp/hold
	wavectl wave halt "$@" >/tmp/hold 2>&1 7>&- &
	holder=$!
	exec 6</tmp/hold
	read -r held <&6
	[ "$held" ]
}

# unhold [SIGNAL]: end the wavectl that holds them, by SIGINT as a user does; returns its status
unhold()
{
	local status

	kill "-${1:-INT}" "$holder"
	wait "$holder" 2>/dev/null
	status=$?
	exec 6<&-
	return $status
}

# held_no_more: wait until a wavectl ends whose hold was ended by the module. It may have been
# stopped by a signal, so continue it.
held_no_more()
{
	local status

	kill -CONT "$holder"
	wait "$holder" 2>/dev/null
	status=$?
	exec 6<&-
	return $status
}

# debugger ARGS...: start a wavectl that keeps a setting until unhold
debugger()
{
	rm -f /tmp/hold
	mkfifo /tmp/hold
	wavectl "$@" >/tmp/hold 2>&1 7>&- &
	holder=$!
	exec 6</tmp/hold
	read -r held <&6
	case $held in
	*"holding, Ctrl-C ends") ;;
	*) echo "$held"; return 1 ;;
	esac
}

# follow ARGS...: start `wavectl event follow`; returns when it receives events
follow()
{
	local line

	rm -f /tmp/follow /tmp/followed
	mkfifo /tmp/follow
	wavectl event follow "$@" >/tmp/follow 2>/tmp/follow.err 7>&- &
	follower=$!
	exec 5</tmp/follow
	read -r line <&5
	cat <&5 >/tmp/followed 7>&- &
	follow_copy=$!
	exec 5<&-
	[ "$line" = "printing events; Ctrl-C ends" ]
}

# followed: wait until it ends, and print its output; returns its status
followed()
{
	local status

	wait "$follower"
	status=$?
	wait "$follow_copy"
	cat /tmp/followed /tmp/follow.err
	return $status
}

# hammer_start ARGS...: start hammer; returns when all its threads have made calls
hammer_start()
{
	local line

	rm -f /tmp/hammer.*
	mkfifo /tmp/hammer.in /tmp/hammer.out
	hammer "$@" </tmp/hammer.in >/tmp/hammer.out 2>&1 &
	hammer=$!
	exec 5>/tmp/hammer.in 4</tmp/hammer.out
	read -r line <&4
	[ "$line" = running ] || { echo "$line"; return 1; }
	# Read its output, or it would block.
	cat <&4 >/tmp/hammer.log 5>&- &
	hammer_log=$!
	exec 4<&-
}

# hammer_end: end hammer; succeeds if all its results were allowed ones
hammer_end()
{
	local status

	exec 5>&-
	wait "$hammer"
	status=$?
	wait "$hammer_log"
	cat /tmp/hammer.log
	return $status
}

# event_types: print the types of the events that were followed, one per line
event_types()
{
	awk '{ print $3 }' /tmp/followed
}

# events_arrive: let two waves send a message each; succeeds if both are reported
events_arrive()
{
	follow --count 2 --timeout 120 && compute -n 64 -m 1 message && followed
}

# The folder with Debian 13's Vulkan drivers, if the suite's header has "needs: vulkan"
vulkan_root=/vulkan-trixie

vulkan_prepare()
{
	local dir

	for dir in dev proc sys; do
		mkdir -p $vulkan_root/$dir &&
			mount --rbind /$dir $vulkan_root/$dir || return 1
	done
	mkdir -p $vulkan_root/tmp && cp /usr/bin/vulkan $vulkan_root/usr/bin/ &&
		cp /usr/share/amdgpudbg/*.spv $vulkan_root/tmp/
}

# vulkan_shaders: print the names of the shaders
vulkan_shaders()
{
	local spv

	for spv in "$vulkan_root"/tmp/*.spv; do
		spv=${spv##*/}
		echo "${spv%.spv}"
	done
}

# radv SHADER [OPTION]: run a shader with RADV; replaces this shell. Its results go to
# SHADER.out; tests/vm/run has written those of lavapipe to SHADER.lvp.
radv()
{
	radv_by vulkan ${2:+"$2"} RADV "/tmp/$1.spv" "/tmp/$1.out"
}

# radv_by PROGRAM ARGS...: run any program in that folder with RADV as the driver
radv_by()
{
	HOME=/tmp MESA_SHADER_CACHE_DISABLE=1 \
		VK_DRIVER_FILES=/usr/share/vulkan/icd.d/radeon_icd.json \
		exec chroot $vulkan_root "$@"
}

# radv_of_user SHADER [OPTION]: as radv, but as the unprivileged user
radv_of_user()
{
	mkdir -p $vulkan_root/bin $vulkan_root/etc
	cp /bin/busybox $vulkan_root/bin/ && ln -sf busybox $vulkan_root/bin/sh &&
		cp /etc/passwd /etc/group $vulkan_root/etc/ && chmod 1777 $vulkan_root/tmp ||
		return 1
	radv_by busybox su user -c "exec vulkan ${2:-} RADV /tmp/$1.spv /tmp/$1.out"
}

# vulkan_same SHADER: are the results of RADV and lavapipe equal? They would also be equal if
# nothing was written, so check that.
vulkan_same()
{
	local lvp=$vulkan_root/tmp/$1.lvp out=$vulkan_root/tmp/$1.out

	if cmp -s -n 65536 "$lvp" /dev/zero; then
		echo "nothing is written"
		return 1
	fi
	if ! cmp -l "$lvp" "$out" >/tmp/differ; then
		echo "$(wc -l </tmp/differ) bytes differ:"
		head -n 40 /tmp/differ
		return 1
	fi
}

# works: do the GPU, its driver and amdgpudbg work? It uses descriptor 5.
works()
{
	compute saxpy && wavectl wave list && events_arrive
}

# log_timeouts: the number of job timeouts and GPU resets in the kernel's log since the guest's start.
# Compare it with that at the begin of a suite: others have run in the same guest.
log_timeouts()
{
	dmesg | grep -cE 'amdgpu.*(GPU reset|ring .* timeout)'
}

# checker_is_silent [N]: has vgpu (of the GPU N, see vgpu_of) no complaint so far, and is no register bank still selected? The
# module selects a bank while it reads waves, so wait until it has finished.
checker_is_silent()
{
	until_true 60 none_selected "${1:-}" || return 1
	case $vgpu_answer in
	*'"total":0'* | *'"total": 0'*) return 0 ;;
	esac
	return 1
}

none_selected()
{
	vgpu_of "$1" '{"cmd":"complaints"}' && case $vgpu_answer in
	*'"selected":false'* | *'"selected": false'*) return 0 ;;
	esac
	return 1
}

# reset_gpu: let the driver reset the whole GPU
reset_gpu()
{
	cat "$(debugfs_dir)/amdgpu_gpu_recover"
}

# drop_coredumps: delete the dumps that the driver keeps after a reset, because they keep its
# module loaded
drop_coredumps()
{
	local f

	for f in /sys/class/devcoredump/devcd*/data; do
		[ ! -e "$f" ] || echo 1 >"$f"
	done
}

# long_or_short LONG SHORT: print LONG if the suite runs in its long form, else SHORT
long_or_short()
{
	if [ "${GUEST_LONG:-0}" = 1 ]; then
		echo "$1"
	else
		echo "$2"
	fi
}

# debugfs_dir: print the debugfs folder of the GPU's DRM device; each of its nodes has one
debugfs_dir()
{
	local f

	for f in /sys/kernel/debug/dri/*/amdgpu_regs2; do
		echo "${f%/*}"
		return
	done
}
