/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults of memory accesses, which the module reports as events of an address space, and the waves
 * to which they belong.
 */
#ifndef WAVECTL_FAULT_H
#define WAVECTL_FAULT_H

#include "base/wavectl.h"

#define FAULT_KINDS	3	/* AMDGPUDBG_FAULT_* bits of an access */
#define FAULT_EVENTS	(1ULL << AMDGPUDBG_EVENT_VM_FAULT)

/* "read", "write", "execution", or "access" if it is not known */
const char *fault_access(const struct amdgpudbg_event *ev);
/* Fill @names with those of "read", "write" and "execute" that apply. Returns how many. */
unsigned int fault_kinds(const struct amdgpudbg_event *ev, const char *names[FAULT_KINDS]);
/* Add the members "address", "client" and "vmid". */
void fault_emit(struct emit *e, const struct amdgpudbg_event *ev);
/*
 * Describe the fault of a wave with the exception MEM_VIOL: "read of 0x0000123456789000" if its
 * address space has exactly one, "one of 3 faults" if it has more, NULL if it has none: an event
 * does not name a wave. The caller frees it.
 */
char *fault_of_wave(const struct amdgpudbg_event *faults, size_t num,
		    const struct amdgpudbg_wave *wave);
/* Keep a fault for the list of waves. The oldest is dropped if there are many. */
void fault_keep(struct shell_session *d, const struct amdgpudbg_event *ev);
/* Print a fault with the mappings near its address. Returns an exit status. */
int fault_say(struct wavectl *w, const struct amdgpudbg_event *ev);

#endif /* WAVECTL_FAULT_H */
