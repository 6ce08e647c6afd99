/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work-groups, as the registers of their waves tell them, and who waits in them at s_barrier.
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
	size_t index;		/* in the list */
	uint32_t number;	/* of the group in its WGP: HW_ID2.WG_ID */
	uint32_t id;		/* what of HW_ID2 all waves of the group have */
	bool waits;		/* at s_barrier, for those that have not come there */
};

/*
 * Those of a list, group by group; in each first those that wait, in the order of the list.
 * How many; @members is to be freed. -EOPNOTSUPP: the generation is not known.
 */
int group_members(const struct adbg_wave_list *list, uint32_t gc_version,
		  struct group_member **members);
/* How many of @count members, from the first on, are one group */
size_t group_size(const struct group_member *members, size_t count);

#endif /* WAVECTL_GROUP_H */
