# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# The guest's part of llama: runs the backend's test without a debugger, then with a breakpoint at
# each v_fmac_f32, and once more with all waves of its first job killed. Each line of a result has
# a word in front of it.

# The files of Debian's unstable suite
sid=/sid
test=/usr/libexec/x86_64-linux-gnu/ggml/test-backend-ops
mul_mat="type_a=f32,type_b=f32,m=16,n=1,k=256,bs=.1,1.,nr=.1,1."

for folder in dev proc sys tmp; do
	mkdir -p $sid/$folder
	mount --bind /$folder $sid/$folder
done

# begin WORD: start the matrix multiplications under wavectl; its output gets WORD in front
begin()
{
	word=$1
	rm -f /tmp/in
	mkfifo /tmp/in
	wavectl run -- chroot $sid $test test -b Vulkan0 -o MUL_MAT -p "$mul_mat" \
		</tmp/in >/tmp/out 2>&1 &
	exec 5>/tmp/in
	said "stopped at .*: start\$"
}

send()
{
	echo "$*" >&5
}

# said TEXT: wait until a line of the output contains TEXT
said()
{
	left=300
	until grep -q "$1" /tmp/out; do
		left=$((left - 1))
		if [ $left = 0 ]; then
			echo "not said: $1"
			cat /tmp/out
			exit 1
		fi
		# A guest that prints nothing is ended after some time.
		[ $((left % 20)) != 0 ] || echo "waiting for: $1"
		sleep 1
	done
}

# finish: the program is still running when wavectl has ended
finish()
{
	said "backends passed"
	exec 5>&-
	wait
	sed "s/^/$word /" /tmp/out
}

for op in SQR MUL_MAT; do
	chroot $sid $test test -b Vulkan0 -o $op -p "type=f32|$mul_mat" 2>&1 | sed "s/^/ALONE $op /"
done
begin DEBUGGED
send "break insn v_fmac_f32"
send "continue"
said "stopped at .*: breakpoint 1\$"
send "disasm --count 1"
send "info threads"
send "stepi 3 --changes"
send "break clear"
send "continue"
finish
begin KILLED
send "launch set --off"
send "kill"
finish
