# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads a trace of VMIDs that are granted to another process while something is set for them,
# and checks that each is stalled before the job of that process goes to the ring. For suite
# vmid-window.
#
# The trace has the events amdgpu_vm_grab_id (recorded before the module's own probe of it
# runs), amdgpudbg_reg, amdgpu_sched_run_job (which amdgpu_job_run() of Linux 6.1 to 7.2 emits
# before it writes to the ring), and marks "VMID of PASID goes: V P" of the program theft.
#
# usage: awk -v cntl=REG -f grants.awk TRACE
# cntl is SPI_GDBG_WAVE_CNTL as amdgpudbg_reg prints it. The output has one line for each VMID
# that was granted: "early", if the settings were removed before the grant, or while the other
# process waited for it; "late" and a reason, if the job was not held back in time; else "held"
# and three times in microseconds: from the grant to the stall (written and read back), from
# the stall to the ring's turn, and from the grant to the end of the stall, 0 if the trace does
# not have that.

function number(hex,   i, n)
{
	for (i = 3; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}

# Of SPI_GDBG_WAVE_CNTL.STALL_VMID, which begins at bit 1
function stalls(value, vmid,   bits)
{
	for (bits = number(value); vmid >= 0; vmid--)
		bits = int(bits / 2)
	return bits % 2
}

function value_of(name,   text)
{
	if (!match($0, "[ ,]" name "=[^ ,]*"))
		return ""
	text = substr($0, RSTART, RLENGTH)
	sub(/.*=/, "", text)
	return text
}

function us(from, to)
{
	return int((to - from) * 1000000 + 0.5)
}

{
	match($0, /-[0-9]+ +\[/)
	pid = substr($0, RSTART + 1) + 0
	match($0, /[0-9]+\.[0-9]+: /)
	time = substr($0, RSTART) + 0
	event = substr($0, RSTART + RLENGTH)
	sub(/:.*/, "", event)
}

/VMID of PASID goes: / {
	vmid = $(NF - 1)
	owner[vmid] = $NF
	touched[vmid] = 0
	next
}

event == "amdgpu_vm_grab_id" && value_of("hub") == 0 {
	vmid = value_of("id")
	ring = value_of("ring")
	if (!(vmid in owner) || owner[vmid] == value_of("pasid"))
		next
	delete owner[vmid]
	if (touched[vmid]) {
		print "early"
		next
	}
	# From now on by its number, as the ring's next job may come soon.
	n = ++num
	job[ring] = n
	vmid_of[n] = vmid
	by[n] = pid
	granted[n] = time
	next
}

event == "amdgpudbg_reg" {
	write = $(NF - 2) == "write"
	for (vmid in owner)
		if (write)
			touched[vmid] = 1
	for (ring in job)
		if (write && by[job[ring]] != pid)
			during[job[ring]] = 1
	if ($(NF - 1) != cntl)
		next
	for (n in held)
		if (write && !lifted[n] && !stalls($NF, vmid_of[n]))
			lifted[n] = time
	for (ring in job) {
		n = job[ring]
		if (by[n] != pid || !stalls($NF, vmid_of[n]))
			continue
		if (write)
			written[n] = 1
		else if (written[n] && !(n in held))
			held[n] = time
	}
	next
}

event == "amdgpu_sched_run_job" {
	ring = value_of("ring_name")
	if (!(ring in job))
		next
	n = job[ring]
	delete job[ring]
	ran[n] = time
	if (n in held)
		verdict[n] = "held"
	else if (written[n])
		verdict[n] = "late: the stall was not read back"
	else if (during[n])
		verdict[n] = "early"
	else
		verdict[n] = "late: nothing was stalled"
}

END {
	for (n = 1; n <= num; n++) {
		if (verdict[n] != "held") {
			print verdict[n] ? verdict[n] : "late: not at its ring"
			continue
		}
		delay = 0
		if (lifted[n])
			delay = us(granted[n], lifted[n])
		print "held", us(granted[n], held[n]), us(held[n], ran[n]), delay
	}
}
