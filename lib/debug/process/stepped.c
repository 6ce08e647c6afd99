// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Breakpoints by stepping, which do not change code: waves are in debug mode, and after each
 * instruction the trap handler compares their PC, or the next instruction.
 *
 * TTMP13 of a stopped wave tells which breakpoint has stopped it. Single steps by the host do not
 * hit these breakpoints: a step takes the wave out of debug mode, and resuming puts it back.
 */
#include <assert.h>

#include "breakpoint.h"
#include "trap_abi.h"
#include "wave.h"

/* Above all bits of TRAP_TTMP13_RESERVED */
#define TAG_SHIFT	2

uint32_t adbgd_stepped_tag(const struct adbgd_breakpoint *breakpoint)
{
	static_assert(!(TRAP_TTMP13_RESERVED >> TAG_SHIFT), "a tag has bits of its own");
	return breakpoint->info.number << TAG_SHIFT;
}

bool adbgd_stepped_exist(const struct adbgd_process *process)
{
	const struct adbgd_breakpoint *b = process->breakpoints.first;

	while (b && !adbgd_is_set_stepped(b))
		b = b->next;
	return b;
}

static bool is_like(const struct adbgd_breakpoint *b, uint32_t insn)
{
	uint32_t i;

	for (i = 0; i < b->info.num_insns; i++) {
		if ((insn & b->info.insns[i].mask) == b->info.insns[i].value)
			return true;
	}
	return false;
}

/* @insn: the instruction at @address; NULL: it cannot be read */
static bool is_for(const struct adbgd_breakpoint *b, uint64_t address, const uint32_t *insn)
{
	if (!adbgd_is_stepped(b) || b->info.flags & ADBGD_BREAKPOINT_PENDING)
		return false;
	return b->info.num_insns ? insn && is_like(b, *insn) : b->info.address == address;
}

struct adbgd_breakpoint *adbgd_stepped_at(struct adbgd_process *process, uint64_t address)
{
	struct adbgd_breakpoint *b, *found = NULL;
	struct adbgd_memory memory;
	uint32_t insn, *there = NULL;

	if (!adbgd_stepped_exist(process))
		return NULL;
	adbgd_process_get_memory(process, &memory);
	if (!memory.read(memory.data, address, &insn, sizeof(insn)))
		there = &insn;
	for (b = process->breakpoints.first; b; b = b->next) {
		if (!is_for(b, address, there))
			continue;
		if (!b->has_condition && !b->test.evaluate)
			return b;
		found = found ? found : b;
	}
	return found;
}

struct adbgd_breakpoint *adbgd_stepped_next(struct adbgd_process *process,
					    const struct adbgd_breakpoint *breakpoint,
					    uint64_t address)
{
	struct adbgd_breakpoint *b = breakpoint->next;
	struct adbgd_memory memory;
	uint32_t insn, *there = NULL;

	while (b && !(adbgd_is_stepped(b) && b->test.evaluate))
		b = b->next;
	if (!b)
		return NULL;
	adbgd_process_get_memory(process, &memory);
	if (!memory.read(memory.data, address, &insn, sizeof(insn)))
		there = &insn;
	while (b && !(b->test.evaluate && !b->is_expired && is_for(b, address, there)))
		b = b->next;
	return b;
}

struct adbgd_breakpoint *adbgd_stepped_by_tag(const struct adbgd_process *process, uint32_t tag,
					      bool *set)
{
	struct adbgd_breakpoint *b = process->breakpoints.first;

	*set = tag && !(tag & TRAP_TTMP13_RESERVED);
	while (b && !(*set && adbgd_is_set_stepped(b) && adbgd_stepped_tag(b) == tag))
		b = b->next;
	return b;
}

/* ---------------------------------------------------------------------- debug mode */

static int set_debug(struct adbgd_process *p, const struct amdgpudbg_wave *wave, bool on)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_DEBUG, .mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.at = wave->at, .vmid = wave->vmid, .pc = wave->pc,
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC |
			 (on ? 0 : AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF),
	};

	return adbg_wave_control(p->session, &control);
}

/* Change existing waves, also those in a VMID that the process had before. */
static int set_debug_all(struct adbgd_process *p, bool on)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_DEBUG, .mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		.flags = on ? 0 : AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF,
	};
	int ret = adbg_wave_control(p->session, &control);

	/* The process has no waves. */
	return ret == -ENODATA ? 0 : ret;
}

int adbgd_stepped_enable(struct adbgd_process *process, struct adbgd_error *error)
{
	int ret;

	if (process->breakpoints.in_debug_mode)
		return 0;
	process->breakpoints.in_debug_mode = true;
	/* New waves first, so that none can start between the two calls without debug mode. */
	ret = adbgd_process_set_launch(process, process->watchpoints.first);
	if (!ret)
		ret = set_debug_all(process, true);
	if (!ret)
		return 0;
	adbgd_failed(process, error, ret, "cannot put the waves of process %d into debug mode",
		     process->info.pid);
	adbgd_stepped_disable(process);
	return ret;
}

void adbgd_stepped_disable(struct adbgd_process *process)
{
	int ret;

	if (!process->breakpoints.in_debug_mode)
		return;
	process->breakpoints.in_debug_mode = false;
	ret = adbgd_process_set_launch(process, process->watchpoints.first);
	ret |= set_debug_all(process, false);
	/* If this has failed, waves in debug mode enter their handler, which resumes them. */
	(void)ret;
}

void adbgd_stepped_invalidate(struct adbgd_process *process)
{
	int ret = process->breakpoints.in_debug_mode ? set_debug_all(process, false) : 0;

	process->breakpoints.in_debug_mode = false;
	(void)ret;
}

static bool is_in_debug(const struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	return adbgd_field(p, wave, "MODE", "DEBUG_EN");
}

int adbgd_stepped_prepare_resume(struct adbgd_process *process, const struct amdgpudbg_wave *wave)
{
	if (!process->breakpoints.in_debug_mode || is_in_debug(process, wave) ||
	    !adbgd_wave_has_handler(process, wave))
		return 0;
	return set_debug(process, wave, true);
}

int adbgd_stepped_prepare_step(struct adbgd_process *process, const struct amdgpudbg_wave *wave)
{
	if (!process->breakpoints.in_debug_mode || !is_in_debug(process, wave))
		return 0;
	return set_debug(process, wave, false);
}
