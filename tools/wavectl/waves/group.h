/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds work-groups from the registers of their waves, and the waves that wait at s_barrier.
 */
#ifndef WAVECTL_GROUP_H
#define WAVECTL_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg.h>

/* A wave of a work-group that has several */
struct group_member {
	const struct amdgpudbg_wave *wave;
	size_t index;		/* index in the list of waves */
	uint32_t number;	/* of the group in its WGP: HW_ID2.WG_ID */
	uint32_t id;		/* the bits of HW_ID2 that all waves of the group share */
	bool waits;		/* it waits at s_barrier for waves that have not arrived */
};

/*
 * List the waves of @list that belong to work-groups of several waves, group by group; in each
 * group the waiting waves first, else in the order of the list. Returns their number, or
 * -EOPNOTSUPP if the generation of the GPU is unknown. The caller frees @members.
 */
int group_members(const struct adbg_wave_list *list, uint32_t gc_version,
		  struct group_member **members);
/* How many of @count members, from the first on, belong to one group */
size_t group_size(const struct group_member *members, size_t count);

#endif /* WAVECTL_GROUP_H */
