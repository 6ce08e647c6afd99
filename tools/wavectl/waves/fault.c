// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults of memory accesses: see fault.h.
 */
#include "waves/fault.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "waves/mapping.h"

const char *fault_access(const struct amdgpudbg_event *ev)
{
	if (ev->access & AMDGPUDBG_FAULT_WRITE)
		return "write";
	if (ev->access & AMDGPUDBG_FAULT_EXECUTE)
		return "execution";
	return ev->access & AMDGPUDBG_FAULT_READ ? "read" : "access";
}

unsigned int fault_kinds(const struct amdgpudbg_event *ev, const char *names[FAULT_KINDS])
{
	static const char *const kinds[FAULT_KINDS] = { "read", "write", "execute" };
	unsigned int n = 0;

	for (size_t i = 0; i < FAULT_KINDS; i++)
		if (ev->access >> i & 1)
			names[n++] = kinds[i];
	return n;
}

void fault_emit(struct emit *e, const struct amdgpudbg_event *ev)
{
	emit_hex64(e, "address", ev->address);
	if (ev->client == AMDGPUDBG_FAULT_CLIENT_UNKNOWN)
		emit_none(e, "client");
	else
		emit_uint(e, "client", ev->client);
	emit_uint(e, "vmid", ev->vmid);
}

char *fault_of_wave(const struct amdgpudbg_event *faults, size_t num,
		    const struct amdgpudbg_wave *wave)
{
	const struct amdgpudbg_event *last = NULL;
	char *text = NULL;
	size_t found = 0;

	for (size_t i = 0; i < num; i++) {
		if (faults[i].vmid != wave->vmid || faults[i].pasid != wave->pasid)
			continue;
		found += !last || faults[i].address != last->address;
		last = &faults[i];
	}
	if (found == 1)
		xappend(&text, "%s of 0x%016llx", fault_access(last),
			(unsigned long long)last->address);
	else if (found)
		xappend(&text, "one of %zu faults", found);
	return text;
}

void fault_keep(struct shell_session *d, const struct amdgpudbg_event *ev)
{
	if (d->num_faults == ARRAY_SIZE(d->faults)) {
		d->num_faults--;
		memmove(d->faults, d->faults + 1, d->num_faults * sizeof(*d->faults));
	}
	d->faults[d->num_faults++] = *ev;
}

/* What is at the address; NULL: it cannot be read */
static char *describe(struct wavectl *w, uint64_t va)
{
	struct mapping_near near;
	char *text = NULL;

	if (mapping_find_near(w, va, &near))
		return NULL;
	if (!near.has_at)
		return mapping_near_text(&near, va);
	xappend(&text, "it is in 0x%016llx to 0x%016llx (%s)", near.at.va,
		near.at.va + near.at.bytes, mapping_kind(&near.at));
	return text;
}

int fault_say(struct wavectl *w, const struct amdgpudbg_event *ev)
{
	char *near = w->pid ? describe(w, ev->address) : NULL;

	emit_begin_live(w->emit);
	emit_str(w->emit, "type", "vm-fault");
	emit_str(w->emit, "access", fault_access(ev));
	fault_emit(w->emit, ev);
	emit_uint(w->emit, "count", ev->count);
	if (near)
		emit_str(w->emit, "near", near);
	else
		emit_none(w->emit, "near");
	emit_say(w->emit, "fault: {access} of {address}, client {client}, vmid {vmid}");
	if (near)
		emit_say(w->emit, "    {near}");
	free(near);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}
