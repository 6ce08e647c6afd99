// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Look-ups in what was collected: see collector.h.
 */
#include "report/collector.h"

struct report_process *collector_process(const struct collector *c, uint32_t pasid)
{
	for (size_t i = 0; i < c->num_processes; i++)
		if (c->processes[i]->pasid == pasid)
			return c->processes[i];
	return NULL;
}

bool collector_has_before(const struct collector *c, size_t index)
{
	const struct amdgpudbg_wave *wave = adbg_wave_list_get(c->list, index), *other;

	for (size_t i = 0; i < index; i++) {
		other = adbg_wave_list_get(c->list, i);
		if (other->pc == wave->pc && other->vmid == wave->vmid)
			return true;
	}
	return false;
}
