// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mappings near an address: see mapping.h.
 */
#include "waves/mapping.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/util.h"

static const char *const kinds[] = {
	[AMDGPUDBG_KIND_NONE] = "none",
	[AMDGPUDBG_KIND_SYSTEM] = "system",
	[AMDGPUDBG_KIND_VRAM] = "vram",
	[AMDGPUDBG_KIND_USERPTR] = "userptr",
	[AMDGPUDBG_KIND_IMPORTED] = "imported",
	[AMDGPUDBG_KIND_DRIVER] = "driver",
	[AMDGPUDBG_KIND_OTHER] = "other",
};

const char *mapping_kind(const struct amdgpudbg_mapping *m)
{
	return m->kind < ARRAY_SIZE(kinds) ? kinds[m->kind] : "unknown";
}

/* The address after the last byte; the last page of the address space ends at 0. */
static uint64_t last_of(const struct amdgpudbg_mapping *m)
{
	return m->va + m->bytes - 1;
}

void mapping_search(const struct amdgpudbg_mapping *list, size_t count, uint64_t va,
		    struct mapping_near *near)
{
	*near = (struct mapping_near){ 0 };
	for (size_t i = 0; i < count; i++) {
		const struct amdgpudbg_mapping *m = &list[i];

		if (!m->bytes)
			continue;
		if (va - m->va < m->bytes) {
			near->at = *m;
			near->has_at = true;
		} else if (m->va > va && (!near->has_above || m->va < near->above.va)) {
			near->above = *m;
			near->has_above = true;
		} else if (last_of(m) < va &&
			   (!near->has_below || last_of(m) > last_of(&near->below))) {
			near->below = *m;
			near->has_below = true;
		}
	}
}

int mapping_find_near(struct wavectl *w, uint64_t va, struct mapping_near *near)
{
	struct amdgpudbg_mapping *list;
	uint32_t count;
	int ret = adbg_vm_mappings(w->session, 0, 0, &list, &count);

	if (ret)
		return ret;
	mapping_search(list, count, va, near);
	free(list);
	return 0;
}

static void append(char **text, const struct amdgpudbg_mapping *m, uint64_t distance,
		   const char *where, const char *direction)
{
	xappend(text, "%s0x%016llx to 0x%016llx (%s) %s",
		*text ? ", " : "", m->va, m->va + m->bytes, mapping_kind(m), where);
	xappend(text, " 0x%" PRIx64 " bytes %s", distance, direction);
}

char *mapping_near_text(const struct mapping_near *near, uint64_t va)
{
	char *text = NULL;

	if (near->has_below)
		append(&text, &near->below, va - last_of(&near->below) - 1, "ends", "below it");
	if (near->has_above)
		append(&text, &near->above, near->above.va - va, "begins", "above it");
	if (!text)
		xappend(&text, "the process has no mappings");
	return text;
}
