# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Derives a verdict from the logs of one boot. For scripts that have sourced suites.sh. $log is
# the folder of the logs, qemu_status the exit status of QEMU, vgpu_statuses that of each vgpu.
# shellcheck disable=SC2154

# patterns FILE: print the patterns of a file, without comments and reasons
patterns()
{
	sed -e '/^#/d' -e '/^$/d' -e 's/\t.*//' "$VM_DIR/$1"
}

# find_splats: filter lines "SUITE: TEXT" for complaints of the kernel
find_splats()
{
	grep -aE -f <(patterns splats) | grep -avE -f <(patterns allowed-splats; echo '^$') || true
}

# kernel_splats: print complaints of the kernel as lines "SUITE: TEXT". If the guest did not reach
# its end, its last messages are only in the log of the console.
kernel_splats()
{
	local last

	# A record: level, number, microseconds, flags; text
	sed -nE 's/^kmsg ([^:]+): [0-9]+,[0-9]+,([0-9]+),[^;]*;(.*)$/\1: [\2 us] \3/p' \
		"$log/results" >"$log/kmsg"
	find_splats <"$log/kmsg"
	if ! guest_finished; then
		last=$(awk '$1 == "begin" { name = $2 } END { print name ? name : "boot" }' \
			"$log/results")
		tr -d '\r' <"$log/console" | find_splats |
		while read -r line; do
			grep -qaF -- "${line#*] }" "$log/kmsg" || echo "$last: $line"
		done
	fi
}

guest_finished()
{
	grep -q '^status ' "$log/results"
}

# guest_was_ended: has the harness ended the guest?
guest_was_ended()
{
	[[ -e $log/stalled || -e $log/refused ]]
}

guest_status()
{
	sed -n 's/^status //p' "$log/results"
}

# boot_problems: print all that is wrong with the boot as a whole, one sentence per line
boot_problems()
{
	local reason

	[[ ! -e $log/stalled ]] || echo "the guest hangs: $(<"$log/stalled")"
	[[ ! -e $log/refused ]] || echo "the guest is of no use: $(<"$log/refused")"
	sed -n 's/^failed //p' "$log/results"
	if ! guest_finished && ! guest_was_ended; then
		reason=$(tr -d '\r' <"$log/console" |
			grep -aoE 'Kernel panic.*' | head -n 1 || true)
		echo "the guest died before its end${reason:+: $reason}"
	fi
	if [[ $qemu_status != 0 ]] && ! guest_was_ended; then
		echo "QEMU ended with status $qemu_status: $(tail -n 2 "$log/qemu" | tr '\n' ' ')"
	fi
	vgpu_problems
}

# vgpu_problems: print what the exit statuses of the vgpus say
vgpu_problems()
{
	local i name

	for i in "${!vgpu_statuses[@]}"; do
		name=vgpu
		[[ $i == 0 ]] || name="the second GPU's vgpu"
		if ((vgpu_statuses[i] >= 128)); then
			echo "$name was ended by signal $((vgpu_statuses[i] - 128))"
		elif ((vgpu_statuses[i])); then
			echo "$name complains: it ended with status ${vgpu_statuses[i]}"
		fi
	done
}

# show_logs: print the most important lines of the logs, when a boot has failed
# driver_tasks: the tasks that wait in amdgpu or in amdgpudbg, in what the kernel of a guest
# that hangs has printed
driver_tasks()
{
	tr -d '\r' <"$log/console" | sed 's/^\[ *[0-9.]*\] //' | awk '
		/^task:/ { if (ours) printf "%s", text; text = ours = "" }
		/^task:/ || text { text = text $0 "\n" }
		/\[amdgpu(dbg)?\]$/ { ours = 1 }
		END { if (ours) printf "%s", text }' | head -n 120
}

show_logs()
{
	local file

	if [[ -e $log/stalled ]]; then
		echo "--- $(grep -c 'task:' "$log/console") tasks are in $log/console; these wait in" \
			"the driver or in the module:"
		driver_tasks
	fi
	for file in console vgpu.out vgpu.log vgpu2.out vgpu2.log qemu; do
		[[ -s $log/$file ]] || continue
		echo "--- the end of $log/$file"
		tail -n 25 "$log/$file" | tr -d '\r'
	done
}

# suite_tap SUITE...: print the results of all suites of the boot as TAP lines without a plan.
# In addition to the suite's own tests, each has a test that its kernel log is clean.
suite_tap()
{
	local name status

	kernel_splats >"$log/splats"
	for name in "$@"; do
		if ! grep -qx "begin $name" "$log/results"; then
			echo "not ok - $name: never started, since the boot failed before"
			continue
		fi
		sed -n "s/^tap $name: //p" "$log/results" >"$log/$name.tap"
		status=$(awk -v name="$name" '$1 == "end" && $2 == name { print $3 }' \
			"$log/results")
		awk -v name="$name" -v status="${status:-137}" \
			-f "$TOP/tests/tap.awk" "$log/$name.tap"
		clean_log_test "$name"
	done
	clean_log_test boot
	boot_test
}

# clean_log_test SUITE: test that the kernel log has no complaints, except for those that the
# suite's header allows ("log")
clean_log_test()
{
	local name=$1 test="$1: nothing to complain about in the kernel log" found

	found=$(grep -aE "^$name: " "$log/splats" | sed 's/^[^:]*: //' |
		grep -avE -f <(suite_header "$name" log; echo '^$') || true)
	if [[ $found ]]; then
		echo "not ok - $test"
		printf '%s\n' "$found" | sed 's/^/# /'
	else
		echo "ok - $test"
	fi
}

boot_test()
{
	local problems

	problems=$(boot_problems)
	if [[ $problems ]]; then
		echo "not ok - boot: the guest and vgpu came to their end without a complaint"
		{ echo "$problems"; show_logs; } | sed 's/^/# /'
	else
		echo "ok - boot: the guest and vgpu came to their end without a complaint"
	fi
}

# command_verdict: return the exit status of a boot for one command or a shell
command_verdict()
{
	local problems splats

	problems=$(boot_problems)
	splats=$(kernel_splats)
	if [[ $problems || $splats ]]; then
		{
			show_logs
			echo "--- what is wrong"
			[[ ! $problems ]] || echo "$problems"
			[[ ! $splats ]] || echo "in the kernel log: $splats"
		} >&2
	fi
	if [[ -e $log/refused ]]; then
		return 125
	elif ! guest_finished; then
		return 124
	elif [[ $(guest_status) == 0 && ( $problems || $splats ) ]]; then
		return 123
	fi
	return "$(guest_status)"
}
