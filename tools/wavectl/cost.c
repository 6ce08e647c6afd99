// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the calls of a command have cost.
 */
#include "wavectl.h"

void emit_cost(struct wavectl *w)
{
	struct amdgpudbg_info info;

	if (!w->verbose || adbg_session_get_info(w->session, &info))
		return;

	emit_uint(w->emit, "reg_reads", info.reg_reads);
	emit_uint(w->emit, "reg_writes", info.reg_writes);
	emit_say(w->emit, "{reg_reads} register reads, {reg_writes} writes");
}
