// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copies of the instructions that breakpoints stand for, each in a place of its own in the
 * buffer of the trap handler's code.
 *
 * What is in a place is known until another copy comes there, also when the breakpoint is gone:
 * a wave may still be in it, or have stopped in it and nobody was told.
 */
#include <string.h>

#include "target.h"

uint64_t adbgd_process_place(const struct adbgd_process *process, uint32_t place)
{
	return process->places + (uint64_t)place * ADBGD_PLACE_SIZE;
}

uint64_t adbgd_breakpoint_copy(const struct adbgd_breakpoint *breakpoint)
{
	return adbgd_process_place(breakpoint->process, breakpoint->place);
}

const struct adbgd_copy *adbgd_copy_around(const struct adbgd_process *process, uint64_t pc,
					   uint64_t *in_program)
{
	uint64_t place = (pc - process->places) / ADBGD_PLACE_SIZE;
	const struct adbgd_copy *copy;

	if (pc < process->places || place >= ADBGD_NUM_PLACES)
		return NULL;
	copy = &process->copies[place];
	return adbgd_displaced_pc(copy, adbgd_process_place(process, place), pc, in_program) ?
	       copy : NULL;
}

bool adbgd_is_in_copied(const struct adbgd_process *process, uint64_t pc)
{
	uint64_t in_program;
	const struct adbgd_copy *copy = adbgd_copy_around(process, pc, &in_program);

	return copy && (pc - process->places) % ADBGD_PLACE_SIZE < 4 * copy->num_copied;
}

bool adbgd_is_in_same_copied(const struct adbgd_process *process, uint64_t pc, uint64_t other)
{
	return adbgd_is_in_copied(process, pc) && adbgd_is_in_copied(process, other) &&
	       (pc - process->places) / ADBGD_PLACE_SIZE ==
	       (other - process->places) / ADBGD_PLACE_SIZE;
}

int adbgd_copy_check(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error)
{
	uint32_t there[ADBGD_COPY_DWORDS];
	const struct adbgd_copy *copy;
	uint64_t at, in_program;
	int ret;

	if (!adbgd_is_in_copied(process, pc))
		return 0;
	copy = adbgd_copy_around(process, pc, &in_program);
	at = pc - (pc - process->places) % ADBGD_PLACE_SIZE;
	ret = adbg_mem_read(process->session, process->code_id, at - process->code_va, there,
			    4 * copy->num);
	if (ret || !memcmp(there, copy->code, 4 * copy->num))
		return ret;
	return adbgd_fail(error, -EBADMSG, "the program has written over the debugger's copy of "
			  "the instruction at %#llx", (unsigned long long)copy->pc);
}

static bool is_taken(const struct adbgd_process *p, uint32_t place)
{
	const struct adbgd_breakpoint *b;
	const struct amdgpudbg_wave *w;
	size_t i;

	for (b = p->breakpoints; b; b = b->next) {
		if (!adbgd_is_match(b) && b->place == place)
			return true;
	}
	/* Also by a wave that is still in the copy of a breakpoint that is gone */
	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (w->pc - adbgd_process_place(p, place) < ADBGD_PLACE_SIZE)
			return true;
	}
	return false;
}

/* There are twice as many places as breakpoints; the one that was left last comes last. */
int adbgd_copy_put(struct adbgd_process *process, const struct adbgd_copy *copy, uint32_t *place,
		   struct adbgd_error *error)
{
	uint32_t i;
	int ret = adbgd_waves_list(process, NULL, error);

	if (ret)
		return ret;
	for (i = 0; i < ADBGD_NUM_PLACES; i++) {
		*place = (process->next_place + i) % ADBGD_NUM_PLACES;
		if (is_taken(process, *place))
			continue;
		process->next_place = *place + 1;
		process->copies[*place] = *copy;
		return 0;
	}
	return adbgd_fail(error, -ENOSPC, "there are too many breakpoints, or waves in the "
			  "copies of their instructions");
}
