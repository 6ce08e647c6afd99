// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds work-groups: see group.h.
 *
 * The waves of a group are in one WGP, where HW_ID2.WG_ID numbers the groups that have several
 * waves, and belong to one queue and VMID. A wave that is alone in its group waits for no other
 * wave and has no number, as in LLVM 19 (AMDGPUBaseInfo.cpp, getMaxWorkGroupsPerCU()):
 * STATUS.IN_TG distinguishes it from the group with number 0.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/util.h"
#include "waves/group.h"

/* Where a generation has the fields that this file reads */
struct fields {
	const struct adbg_reg *status, *id;
	const struct adbg_field *in_group, *in_barrier, *number;
	uint32_t common;	/* bits of HW_ID2 */
};

static bool add_common(struct fields *f, const char *name)
{
	const struct adbg_field *field = adbg_reg_find_field(f->id, name);

	if (field)
		f->common |= (uint32_t)((1ULL << field->width) - 1) << field->shift;
	return field;
}

static bool find_fields(uint32_t gc_version, struct fields *f)
{
	*f = (struct fields){
		.status = adbg_reg_find(gc_version, "STATUS"),
		.id = adbg_reg_find(gc_version, "HW_ID2"),
	};
	if (!f->status || !f->id)
		return false;
	f->in_group = adbg_reg_find_field(f->status, "IN_TG");
	f->in_barrier = adbg_reg_find_field(f->status, "IN_BARRIER");
	f->number = adbg_reg_find_field(f->id, "WG_ID");
	return f->in_group && f->in_barrier && f->number && add_common(f, "WG_ID") &&
	       add_common(f, "QUEUE_ID") && add_common(f, "PIPE_ID") &&
	       add_common(f, "ME_ID") && add_common(f, "VM_ID");
}

/* False: the wave is alone in its group, or the record does not show it. */
static bool read_member(const struct fields *f, const struct amdgpudbg_wave *wave,
			size_t index, struct group_member *m)
{
	uint32_t status = adbg_reg_value(f->status, wave);
	uint32_t id = adbg_reg_value(f->id, wave);

	if (!adbg_reg_is_known(f->id, wave) || !adbg_field_value(f->in_group, status))
		return false;
	*m = (struct group_member){
		.wave = wave,
		.index = index,
		.number = adbg_field_value(f->number, id),
		.id = id & f->common,
		.waits = adbg_field_value(f->in_barrier, status),
	};
	return true;
}

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_groups(const struct group_member *a, const struct group_member *b)
{
	const struct amdgpudbg_wave_coord *v = &a->wave->at, *w = &b->wave->at;

	return compare(v->xcc, w->xcc) ?: compare(v->se, w->se) ?: compare(v->sa, w->sa) ?:
	       compare(v->wgp, w->wgp) ?: compare(a->wave->vmid, b->wave->vmid) ?:
	       compare(a->id, b->id);
}

static int compare_members(const void *one, const void *other)
{
	const struct group_member *a = one, *b = other;

	return compare_groups(a, b) ?: compare(b->waits, a->waits) ?:
	       compare(a->index, b->index);
}

int group_members(const struct adbg_wave_list *list, uint32_t gc_version,
		  struct group_member **members)
{
	const struct amdgpudbg_wave *wave;
	struct fields fields;
	int count = 0;

	if (!find_fields(gc_version, &fields))
		return -EOPNOTSUPP;
	*members = xcalloc(adbg_wave_list_count(list) + 1, sizeof(**members));
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		count += read_member(&fields, wave, i, *members + count);
	qsort(*members, count, sizeof(**members), compare_members);
	return count;
}

size_t group_size(const struct group_member *members, size_t count)
{
	size_t size = 0;

	while (size < count && !compare_groups(&members[0], &members[size]))
		size++;
	return size;
}
