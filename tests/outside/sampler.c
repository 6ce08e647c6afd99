// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sampling profiler: shows at which PCs the waves are, and how often.
 *
 * outside-sampler [-g GPU] [-p PID] [-n LISTS] [-u MICROSECONDS]
 *
 * Lists the waves of the GPU, or of one process, LISTS times, and halts none. Prints one line
 * for each PC and state, the most frequent first:
 *
 *	PASID PC STATE COUNT PERCENT
 *
 * It uses no registers, which differ between generations: the module reads what determines
 * PC and state.
 *
 * Programs may have different code at the same address, so waves with the same PC are
 * counted separately for each address space (PASID).
 */
#include "outside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The states of a wave that are counted separately */
#define STATES	(AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV | AMDGPUDBG_WAVE_BARRIER)

struct place {
	__u64 pc;
	__u32 pasid;
	__u32 state;
	unsigned long count;
};

struct histogram {
	struct place *places;
	size_t num, room;
	unsigned long total;
};

static void count(struct histogram *h, const struct place *p)
{
	size_t i;

	h->total++;
	for (i = 0; i < h->num; i++) {
		struct place *q = &h->places[i];

		if (q->pc == p->pc && q->pasid == p->pasid && q->state == p->state) {
			q->count++;
			return;
		}
	}
	if (h->num == h->room) {
		h->room = 2 * h->room + 64;
		h->places = realloc(h->places, h->room * sizeof(*p));
		if (!h->places)
			fail("out of memory");
	}
	h->places[h->num] = *p;
	h->places[h->num++].count = 1;
}

static int more_first(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	if (p->count != q->count)
		return p->count < q->count ? 1 : -1;
	if (p->pc != q->pc)
		return p->pc > q->pc ? 1 : -1;
	return (p->state > q->state) - (p->state < q->state);
}

/* name_of: what keeps the wave from executing its program, the strongest first */
static const char *name_of(__u32 state)
{
	if (state & AMDGPUDBG_WAVE_HALTED)
		return "halted";
	if (state & AMDGPUDBG_WAVE_PRIV)
		return "handler";
	return state & AMDGPUDBG_WAVE_BARRIER ? "barrier" : "running";
}

static void print(struct histogram *h, unsigned long lists)
{
	size_t i;

	if (h->num)
		qsort(h->places, h->num, sizeof(*h->places), more_first);
	printf("# %lu lists, %lu samples\n", lists, h->total);
	for (i = 0; i < h->num; i++) {
		const struct place *p = &h->places[i];

		printf("%u 0x%016" PRIx64 " %s %lu %.1f\n", p->pasid, (uint64_t)p->pc,
		       name_of(p->state), p->count, 100.0 * p->count / h->total);
	}
}

static void sample(int session, const struct amdgpudbg_info *info, struct amdgpudbg_wave *waves,
		   struct histogram *h)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .hw_want = AMDGPUDBG_HW_WANT_PC, .waves = (uintptr_t)waves,
		.entry_size = sizeof(*waves), .capacity = num_slots(info),
	};
	__u32 i;

	if (ioctl(session, AMDGPUDBG_IOC_WAVE_LIST, &list))
		fail_call("WAVE_LIST", list.busy);
	for (i = 0; i < list.count; i++) {
		const struct amdgpudbg_wave *w = &waves[i];
		struct place p = {
			.pc = w->pc, .state = w->flags & STATES,
			.pasid = w->flags & AMDGPUDBG_WAVE_PASID ? w->pasid : 0,
		};

		if (w->flags & AMDGPUDBG_WAVE_HAS_PC)
			count(h, &p);
	}
}

int main(int argc, char **argv)
{
	unsigned long lists = 1000, pause = 1000, i;
	struct amdgpudbg_target_set target;
	struct histogram h = { 0 };
	struct amdgpudbg_wave *waves;
	struct amdgpudbg_info info;
	unsigned int gpu = 0;
	int session, option;
	pid_t pid = 0;

	while ((option = getopt(argc, argv, "g:p:n:u:")) != -1) {
		switch (option) {
		case 'g':
			gpu = number(optarg, 0, 255);
			break;
		case 'p':
			pid = number(optarg, 1, 0x7fffffff);
			break;
		case 'n':
			lists = number(optarg, 1, 100000000);
			break;
		case 'u':
			pause = number(optarg, 0, 999999);
			break;
		default:
			return 2;
		}
	}
	session = open_session(gpu, &info);
	if (pid)
		take_target(session, pid, &target);
	waves = allocate(num_slots(&info), sizeof(*waves));
	for (i = 0; i < lists; i++) {
		if (i && pause)
			usleep(pause);
		sample(session, &info, waves, &h);
	}
	print(&h, lists);
	free(h.places);
	free(waves);
	return 0;
}
