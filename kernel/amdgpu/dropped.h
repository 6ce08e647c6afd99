/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of dropped jobs and their owners, in fixed memory: a VMID goes from one
 * address space to the next, and only those of the last one are counted for it. The
 * others are reported only to sessions that see the whole GPU.
 *
 * Needs nothing of the kernel, so that a test on the host can use it.
 */
#ifndef WDBG_DROPPED_H
#define WDBG_DROPPED_H

#define WDBG_DROPPED_VMIDS	16

/**
 * struct wdbg_dropped_sum - jobs for which there was no room
 * @vm: amdgpu's struct amdgpu_vm of all of them; only to be compared
 * @last: when the last one began
 * @count: number of them
 */
struct wdbg_dropped_sum {
	const void *vm;
	u64 last;
	u32 count;
};

/**
 * struct wdbg_dropped - all dropped jobs
 * @of: for each VMID, those of the address space that has had it last
 * @others: those of address spaces that had these VMIDs before; of all at once
 */
struct wdbg_dropped {
	struct wdbg_dropped_sum of[WDBG_DROPPED_VMIDS];
	struct wdbg_dropped_sum others;
};

/* Count a job of @vm, which has @vmid. Two that begin at once may come in any order. */
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
 * Number of jobs of @vm, or with @whole of all address spaces, for a session that wants
 * them since @since. 0 if all have begun before. If only some have, all count: too many
 * is better than too few.
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
