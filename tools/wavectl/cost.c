// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the calls of a command have cost.
 */
#include "wavectl.h"

void note_cost(struct wavectl *w)
{
	struct amdgpudbg_info info = { 0 };

	if (!w->verbose || adbg_session_get_info(w->session, &info))
		return;

	w->reg_reads = info.reg_reads;
	w->reg_writes = info.reg_writes;
}

void emit_cost(struct wavectl *w)
{
	if (!w->verbose)
		return;

	if (w->session)
		note_cost(w);
	emit_uint(w->emit, "reg_reads", w->reg_reads);
	emit_uint(w->emit, "reg_writes", w->reg_writes);
	emit_say(w->emit, "{reg_reads} register reads, {reg_writes} writes");
}
