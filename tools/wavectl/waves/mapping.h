/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappings of the GPU address space of a process, and which are near an address.
 */
#ifndef WAVECTL_MAPPING_H
#define WAVECTL_MAPPING_H

#include "base/wavectl.h"

/* The mapping at an address, and the nearest ones below and above it */
struct mapping_near {
	bool has_at, has_below, has_above;
	struct amdgpudbg_mapping at, below, above;
};

/* "system", "vram", ... */
const char *mapping_kind(const struct amdgpudbg_mapping *m);
/* Search @count mappings. */
void mapping_search(const struct amdgpudbg_mapping *list, size_t count, uint64_t va,
		    struct mapping_near *near);
/* Search the mappings of the target. Returns 0 or -errno. */
int mapping_find_near(struct wavectl *w, uint64_t va, struct mapping_near *near);
/*
 * Describe what is near an address at which nothing is mapped, as a part of a sentence. The caller
 * frees it.
 */
char *mapping_near_text(const struct mapping_near *near, uint64_t va);

#endif /* WAVECTL_MAPPING_H */
