# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC3024
#
# Functions for the suites, which run under busybox's ash inside the guest: TAP output, programs
# with waves on the GPU (victims), and requests to vgpu's control socket.

tap_n=0

# ok WHAT COMMAND...: passes when the command succeeds. It runs in this shell, so
# that it may open files and start processes for later.
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

# verdict WHAT STATUS
verdict()
{
	tap_n=$((tap_n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $tap_n - $1"
	else
		echo "not ok $tap_n - $1"
	fi
}

# is WHAT GOT WANTED
is()
{
	[ "$2" = "$3" ]
	verdict "$1" $?
	[ "$2" = "$3" ] || printf '# got:    %s\n# wanted: %s\n' "$2" "$3"
}

# exits WHAT STATUS COMMAND...: passes when the command ends with that status
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

# until_true SECONDS COMMAND...: repeat until it succeeds; this bounds a wait
# for something that has no event
until_true()
{
	local deadline=$(($(cut -d. -f1 /proc/uptime) + $1))
	shift

	until "$@" >/dev/null 2>&1; do
		[ "$(cut -d. -f1 /proc/uptime)" -lt $deadline ] || return 1
		usleep 20000
	done
}

# victim_prepare: what victims talk through; the end that is opened here is
# inherited, and its end or a line on it ends them
victim_prepare()
{
	rm -f /tmp/victim.*
	mkfifo /tmp/victim.in
	victims=
}

# victim_running NAME: the one whose output is /tmp/victim.NAME does what it should
victim_running()
{
	local line

	eval "exec 8<'/tmp/victim.$1'"
	read -r line <&8
	# It must not keep the other end of the victim's input open.
	cat <&8 >>/tmp/victim.out 7>&- &
	exec 8<&-
	[ "$line" = running ] || { echo "$line"; return 1; }
}

# victim_start ITEMS RING...: a process with waves on the GPU; returns when
# they run. One at a time, but for victims on other rings given at once.
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

# victim_start_as OPTION KERNEL...: a process that has done each once
victim_start_as()
{
	victim_prepare
	mkfifo /tmp/victim.as
	compute "$@" </tmp/victim.in >/tmp/victim.as 2>&1 &
	victims=" $!"
	exec 7>/tmp/victim.in
	victim_running as
}

# victim_start_loop KERNEL...: and has one job after the other
victim_start_loop()
{
	victim_start_as -l "$@"
}

# victim_start_idle KERNEL...: the same, but it has no job now. A debugger that attaches
# need not wait a second until the driver has closed its file.
victim_start_idle()
{
	victim_start_as -w "$@"
}

# victim_finish: let them end; succeeds when all results were right
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

# vgpu JSON: one question to the software GPU, one answer
vgpu()
{
	exec 9<>/dev/virtio-ports/org.amdgpudbg.vgpu
	vgpu_talk "$1"
	exec 9>&-
	echo "$vgpu_answer"
	case $vgpu_answer in
	*'"ok":true'* | *'"ok": true'*) return 0 ;;
	esac
	return 1
}

# vgpu_talk JSON: the same through descriptor 9, which is the port; the answer is
# $vgpu_answer. When the question was asked distinguishes its answer from a late one to
# a question that was given up.
vgpu_talk()
{
	read -r vgpu_id _ </proc/uptime
	echo "{\"id\":\"$vgpu_id\",${1#?}" >&9
	# A port whose other end is not there at this moment reads as ended.
	until_true 20 vgpu_answered
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

# waves [FLAG]: rows of the wave list, or those with a flag such as HALT
# shellcheck disable=SC2120 # suites do
waves()
{
	wavectl wave list | grep '^se' | grep -- "${1:-^se}"
}

# wave_count [FLAG]: how many rows these are
wave_count()
{
	local list

	list=$(wavectl wave list 2>&1) || { echo "no list: $list"; return 1; }
	echo "$list" | grep '^se' | grep -c -- "${1:-^se}"
}

# pcs: one line a wave: its name and PC
pcs()
{
	# shellcheck disable=SC2119 # all of them
	waves | awk '{ print $1, $4 }'
}

# hold ARGS...: halt waves until unhold; $held is what wavectl says
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

# unhold [SIGNAL]: end the wavectl that holds them, by SIGINT as a user would
unhold()
{
	local status

	kill "-${1:-INT}" "$holder"
	wait "$holder" 2>/dev/null
	status=$?
	exec 6<&-
	return $status
}

# held_no_more: wait for the end of a wavectl whose hold has ended by itself, and that
# may have been stopped, so that it did nothing about it
held_no_more()
{
	local status

	kill -CONT "$holder"
	wait "$holder" 2>/dev/null
	status=$?
	exec 6<&-
	return $status
}

# debugger ARGS...: a wavectl that holds something, until unhold
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

# follow ARGS...: begin to follow; returns when no event is missed any more
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

# followed: wait for its end
followed()
{
	local status

	wait "$follower"
	status=$?
	wait "$follow_copy"
	cat /tmp/followed /tmp/follow.err
	return $status
}

# hammer_start ARGS...: returns when all its threads have made calls
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
	# Or it would wait for a reader.
	cat <&4 >/tmp/hammer.log 5>&- &
	hammer_log=$!
	exec 4<&-
}

# hammer_end: succeeds when all results were as they may be
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

# event_types: of what came, one a line
event_types()
{
	awk '{ print $3 }' /tmp/followed
}

# Two waves send a message each, and both are reported.
events_arrive()
{
	follow --count 2 --timeout 20 && compute -n 64 -m 1 message && followed
}

# Debian 13's Vulkan drivers, where the suite's header says "needs: vulkan"
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

# vulkan_shaders: their names
vulkan_shaders()
{
	local spv

	for spv in "$vulkan_root"/tmp/*.spv; do
		spv=${spv##*/}
		echo "${spv%.spv}"
	done
}

# radv SHADER [OPTION]: run it by RADV, in the place of this shell. What it leaves behind is
# in SHADER.out; what lavapipe leaves behind tests/vm/run has put into SHADER.lvp.
radv()
{
	radv_by vulkan ${2:+"$2"} RADV "/tmp/$1.spv" "/tmp/$1.out"
}

# radv_by PROGRAM ARGS...: any program there, to which RADV is the driver
radv_by()
{
	HOME=/tmp MESA_SHADER_CACHE_DISABLE=1 \
		VK_DRIVER_FILES=/usr/share/vulkan/icd.d/radeon_icd.json \
		exec chroot $vulkan_root "$@"
}

# radv_of_user SHADER [OPTION]: as radv, but it is the user's
radv_of_user()
{
	mkdir -p $vulkan_root/bin $vulkan_root/etc
	cp /bin/busybox $vulkan_root/bin/ && ln -sf busybox $vulkan_root/bin/sh &&
		cp /etc/passwd /etc/group $vulkan_root/etc/ && chmod 1777 $vulkan_root/tmp ||
		return 1
	radv_by busybox su user -c "exec vulkan ${2:-} RADV /tmp/$1.spv /tmp/$1.out"
}

# vulkan_same SHADER: is it the same? An unwritten result would be, too.
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

# works: do the GPU, its driver and amdgpudbg? It uses descriptor 5.
works()
{
	compute saxpy && wavectl wave list && events_arrive
}

# checker_is_silent: vgpu has had no complaint so far, and no register bank stays
# selected. The module selects one while it looks at waves, hence the wait.
checker_is_silent()
{
	until_true 20 none_selected || return 1
	case $vgpu_answer in
	*'"total":0'* | *'"total": 0'*) return 0 ;;
	esac
	return 1
}

none_selected()
{
	vgpu '{"cmd":"complaints"}' && case $vgpu_answer in
	*'"selected":false'* | *'"selected": false'*) return 0 ;;
	esac
	return 1
}

# reset_gpu: let the driver reset the whole GPU
reset_gpu()
{
	cat "$(debugfs_dir)/amdgpu_gpu_recover"
}

# drop_coredumps: what the driver keeps of a reset also keeps its module
drop_coredumps()
{
	local f

	for f in /sys/class/devcoredump/devcd*/data; do
		[ ! -e "$f" ] || echo 1 >"$f"
	done
}

# long_or_short LONG SHORT: which of them it is this time
long_or_short()
{
	if [ "${GUEST_LONG:-0}" = 1 ]; then
		echo "$1"
	else
		echo "$2"
	fi
}

# debugfs_dir: of the GPU's DRM device; there is one for each of its nodes
debugfs_dir()
{
	local f

	for f in /sys/kernel/debug/dri/*/amdgpu_regs2; do
		echo "${f%/*}"
		return
	done
}
