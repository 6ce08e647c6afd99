/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many jobs were dropped, and whose they were, in room that is fixed: a VMID goes
 * from one address space to the next, and only the last one's are known by it. The
 * others' are told to who is told of everybody's.
 *
 * Without anything of the kernel, for a test on the host.
 */
#ifndef WDBG_DROPPED_H
#define WDBG_DROPPED_H

#define WDBG_DROPPED_VMIDS	16

/**
 * struct wdbg_dropped_sum - jobs for which there was no room
 * @vm: amdgpu's struct amdgpu_vm of all of them; to be compared, no more
 * @last: when the last one began
 * @count: number of them
 */
struct wdbg_dropped_sum {
	const void *vm;
	u64 last;
	u32 count;
};

/**
 * struct wdbg_dropped - all of them
 * @of: those of a VMID's address space, the last that has had it
 * @others: those of address spaces that had these VMIDs before; of all at once
 */
struct wdbg_dropped {
	struct wdbg_dropped_sum of[WDBG_DROPPED_VMIDS];
	struct wdbg_dropped_sum others;
};

/* A job of @vm, which has @vmid. Two that begin at once may come in any order. */
static inline void wdbg_dropped_add(struct wdbg_dropped *dropped, u32 vmid,
				    const void *vm, u64 began)
{
	struct wdbg_dropped_sum *sum = &dropped->of[vmid];

	if (sum->vm != vm) {
		if (dropped->others.last < sum->last)
			dropped->others.last = sum->last;
		dropped->others.count += sum->count;
		*sum = (struct wdbg_dropped_sum){ .vm = vm };
	}
	if (sum->last < began)
		sum->last = began;
	sum->count++;
}

/*
 * How many of @vm's, or of everybody's if @whole, to whom wants those since @since? None
 * if all have begun before. If only some have, all: too many is better than too few.
 */
static inline u32 wdbg_dropped_num(const struct wdbg_dropped *dropped,
				   const void *vm, bool whole, u64 since)
{
	const struct wdbg_dropped_sum *sum;
	u32 num = 0;

	for (sum = dropped->of; sum < dropped->of + WDBG_DROPPED_VMIDS; sum++)
		if ((whole || (vm && sum->vm == vm)) && sum->last >= since)
			num += sum->count;
	if (whole && dropped->others.last >= since)
		num += dropped->others.count;
	return num;
}

#endif /* WDBG_DROPPED_H */
