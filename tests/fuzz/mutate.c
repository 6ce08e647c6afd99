// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts values into structures that a caller should not pass. The kind of a member
 * determines which values are interesting, and whether the kernel may accept them. A value
 * counts as one that the kernel must refuse only if it is wrong under all circumstances.
 */
#include "fuzz.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

uint64_t odd_number(struct rng *r)
{
	static const uint64_t odd[] = {
		0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127,
		128, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 32767,
		32768, 65535, 65536, INT32_MAX, 0x80000000, UINT32_MAX - 7,
		UINT32_MAX, 0x100000000, INT64_MAX, 0x8000000000000000,
		UINT64_MAX - 4095, UINT64_MAX,
	};
	unsigned int bit = rng_below(r, 64);

	switch (rng_below(r, 4)) {
	case 0:
		return 1ull << bit;
	case 1:
		return (1ull << bit) - 1;
	case 2:
		return rng_next(r) >> bit;
	default:
		return odd[rng_below(r, sizeof(odd) / sizeof(odd[0]))];
	}
}

static uint64_t get(const void *arg, const struct member *m)
{
	uint64_t val = 0;

	memcpy(&val, (const char *)arg + m->offset,
	       m->size < sizeof(val) ? m->size : sizeof(val));
	return val;
}

static void put(void *arg, const struct member *m, uint64_t val)
{
	memcpy((char *)arg + m->offset, &val,
	       m->size < sizeof(val) ? m->size : sizeof(val));
}

static void put_noise(struct rng *r, unsigned char *p, size_t n)
{
	while (n--)
		*p++ = rng_next(r);
}

static bool mutate_size(struct worker *w, const struct call *call,
			unsigned char *arg, const struct member *m)
{
	uint32_t size;

	switch (rng_below(&w->rng, 4)) {
	case 0:
		size = rng_below(&w->rng, call->size);
		break;
	case 1:		/* a newer caller */
		size = call->size + 1 + rng_below(&w->rng, TAIL);
		put(arg, m, size);
		if (rng_once_in(&w->rng, 2))
			return false;
		arg[size - 1] = 1;
		return true;
	case 2:
		size = PAGE + 1 + rng_next(&w->rng) % (UINT32_MAX - PAGE);
		break;
	default:
		size = odd_number(&w->rng);
		break;
	}
	put(arg, m, size);
	return size < call->size || size > PAGE;
}

static bool mutate_reserved(struct worker *w, void *arg, const struct member *m)
{
	((unsigned char *)arg)[m->offset + rng_below(&w->rng, m->size)] =
		1 + rng_below(&w->rng, 255);
	return true;
}

static bool mutate_flags(struct worker *w, void *arg, const struct member *m)
{
	uint32_t val = rng_next(&w->rng);

	switch (rng_below(&w->rng, 3)) {
	case 0:
		val &= m->arg;
		break;
	case 1:
		val = get(arg, m) | 1U << rng_below(&w->rng, 32);
		break;
	}
	put(arg, m, val);
	return val & ~m->arg;
}

static bool mutate_enum(struct worker *w, void *arg, const struct member *m)
{
	uint32_t val = rng_once_in(&w->rng, 2) ? rng_below(&w->rng, 20) :
						odd_number(&w->rng);

	put(arg, m, val);
	return val >= 32 || !(m->arg & 1U << val);
}

/* True for the place of a wave that the call names by its id: the kernel only writes it. */
static bool is_written(const struct call *call, const void *arg,
		       const struct member *m)
{
	const struct amdgpudbg_wave_control *wc = arg;

	return call == &calls[CALL_WAVE_CONTROL] &&
	       m->offset == offsetof(struct amdgpudbg_wave_control, at) &&
	       wc->mode == AMDGPUDBG_WAVEMODE_ID;
}

static bool mutate_coord(struct worker *w, unsigned char *arg,
			 const struct member *m)
{
	const struct amdgpudbg_info *info = &w->process->info;
	const uint32_t num[6] = {
		info->num_xcc, info->num_se, info->num_sa, info->num_wgp,
		info->num_simd, info->num_wave,
	};
	struct amdgpudbg_wave_coord at;
	uint16_t part[6];
	unsigned int i = rng_below(&w->rng, 7);

	if (i == 6) {
		memcpy(&at, arg + m->offset, sizeof(at));
		at.__reserved = 1U << rng_below(&w->rng, 32);
		memcpy(arg + m->offset, &at, sizeof(at));
		return true;
	}
	memcpy(part, arg + m->offset, sizeof(part));
	part[i] = rng_once_in(&w->rng, 3) ? odd_number(&w->rng) :
		  rng_below(&w->rng, num[i] + 1);
	memcpy(arg + m->offset, part, sizeof(part));
	/* The part is out of range, or is not zero and must be. */
	return part[i] >= num[i];
}

static uint64_t odd_pointer(struct worker *w, const struct call *call)
{
	uint64_t base = (uintptr_t)w->arena.theirs;

	switch (rng_below(&w->rng, 10)) {
	case 0:
		return 0;
	case 1:
		return arena_hole(w);
	case 2:
		return arena_hole(w) + PAGE - 1 - rng_below(&w->rng, 64);
	case 3:
		return base + ARENA_DATA + ARENA_DATA_SIZE -
		       rng_below(&w->rng, 512);
	case 4:
		return 0xffff888000000000 + rng_below(&w->rng, 1 << 30);
	case 5:
		return 0x8000000000000000 | rng_next(&w->rng);
	case 6:
		return base + ARENA_DATA + rng_below(&w->rng, ARENA_DATA_SIZE);
	case 7:
		/* The array overlaps the structure; in other roles that could do harm. */
		if (w->process->role == ROLE_WILD)
			return base + rng_below(&w->rng, call->size);
		return UINT64_MAX;
	case 8:
		return 0x7ffffffff000 - rng_below(&w->rng, PAGE);
	default:
		return odd_number(&w->rng);
	}
}

static uint64_t odd_va(struct worker *w)
{
	struct process *p = w->process;
	uint64_t va = 0;

	pthread_mutex_lock(&p->lock);
	if (p->num_buffers)
		va = p->buffers[rng_below(&w->rng, p->num_buffers) %
				MAX_BUFFERS].va;
	pthread_mutex_unlock(&p->lock);
	switch (rng_below(&w->rng, 6)) {
	case 0:
		return va + rng_below(&w->rng, 2 * PAGE);
	case 1:
		return va + 256 * rng_below(&w->rng, 64);
	case 2:		/* the hole of 48-bit addresses */
		return 0x800000000000 + rng_next(&w->rng) % 0x1000000000000;
	case 3:
		return rng_next(&w->rng) & 0x7fffffffff00;
	case 4:
		return 0xffff800000000000 | (rng_next(&w->rng) >> 17);
	default:
		return odd_number(&w->rng);
	}
}

static int odd_fd(struct worker *w)
{
	static const int none[] = { -1, -2, INT_MIN, INT_MAX, NO_FD };
	struct process *p = w->process;

	switch (rng_below(&w->rng, 5)) {
	case 0:
		return none[rng_below(&w->rng, sizeof(none) / sizeof(none[0]))];
	case 1:
		return p->odd_fds[rng_below(&w->rng, p->num_odd_fds)];
	case 2:
		return p->sessions[rng_below(&w->rng, NUM_SESSIONS)];
	case 3:
		return p->drm_fds[rng_below(&w->rng, p->num_victims)];
	default:
		return p->pidfds[rng_below(&w->rng, p->num_victims)];
	}
}

static bool mutate_vmids(struct worker *w, void *arg, const struct member *m)
{
	uint32_t val = rng_once_in(&w->rng, 2) ? odd_number(&w->rng) :
						rng_next(&w->rng) & 0xfffe;

	put(arg, m, val);
	return val & 1 || val >> NUM_VMID;
}

bool mutate_member(struct worker *w, const struct call *call, void *arg,
		   const struct member *m)
{
	switch (m->kind) {
	case KIND_SIZE:
		return mutate_size(w, call, arg, m);
	case KIND_RESERVED:
		return mutate_reserved(w, arg, m);
	case KIND_FLAGS:
		return mutate_flags(w, arg, m);
	case KIND_ENUM:
		return mutate_enum(w, arg, m);
	case KIND_COORD:
		return mutate_coord(w, arg, m) && !is_written(call, arg, m);
	case KIND_VMID_MASK:
		return mutate_vmids(w, arg, m);
	case KIND_OUT:
		put_noise(&w->rng, (unsigned char *)arg + m->offset, m->size);
		return false;
	case KIND_VMID:
		put(arg, m, rng_once_in(&w->rng, 2) ? odd_number(&w->rng) :
			    rng_below(&w->rng, NUM_VMID));
		return (uint32_t)get(arg, m) >= NUM_VMID;
	case KIND_POINTER:
		put(arg, m, odd_pointer(w, call));
		return false;
	case KIND_VA:
		put(arg, m, odd_va(w));
		return false;
	case KIND_FD:
		put(arg, m, (uint32_t)odd_fd(w));
		return false;
	case KIND_PC:
		put(arg, m, get(arg, m) + 4 * rng_below(&w->rng, 8) - 16);
		return false;
	case KIND_NUMBER:
	case KIND_COUNT:
	case KIND_STRIDE:
	case KIND_BYTES:
		put(arg, m, rng_once_in(&w->rng, 2) ? odd_number(&w->rng) :
			    get(arg, m) + rng_below(&w->rng, 9) - 4);
		return false;
	}
	return false;
}

/* Change an element of the array to which the structure points. */
static bool mutate_array(struct worker *w, enum call_id id, void *arg)
{
	static const struct call *control = &calls[CALL_WAVE_CONTROL];
	struct amdgpudbg_wave_batch *batch = arg;
	struct amdgpudbg_reg_access *ra = arg;
	struct amdgpudbg_reg_range *range;
	struct amdgpudbg_batch_op *op;

	if (id == CALL_WAVE_BATCH) {
		op = arena_at(w, batch->ops + (uint64_t)batch->entry_size *
			      rng_below(&w->rng, batch->count), sizeof(*op));
		if (rng_once_in(&w->rng, 8)) {
			op->__reserved = 1;
			return true;
		}
		/* Not the size, because it determines which members the kernel reads. */
		return mutate_member(w, control, &op->control,
				     &control->members[1 + rng_below(&w->rng,
						control->num_members - 1)]);
	}
	range = arena_at(w, ra->ranges, ra->num_ranges * sizeof(*range));
	range += rng_below(&w->rng, ra->num_ranges);
	((uint32_t *)range)[rng_below(&w->rng, sizeof(*range) / 4)] =
		odd_number(&w->rng);
	return range->__reserved || range->space > AMDGPUDBG_REG_HW ||
	       !range->count;
}

bool mutate_badly(struct worker *w, enum call_id id, void *arg)
{
	const struct call *call = &calls[id];
	unsigned int tries;

	for (tries = 0; tries < 8; tries++)
		if (mutate_member(w, call, arg,
				  &call->members[rng_below(&w->rng,
							   call->num_members)]))
			return true;
	return false;
}

bool mutate(struct worker *w, enum call_id id, void *arg)
{
	const struct call *call = &calls[id];
	unsigned int n, i;
	bool bad = false;

	if (!rng_once_in(&w->rng, w->process->odd))
		return false;
	switch (rng_below(&w->rng, 8)) {
	case 0 ... 4:
		n = 1;
		break;
	case 5 ... 6:
		n = 2 + rng_below(&w->rng, 3);
		break;
	default:
		put_noise(&w->rng, (unsigned char *)arg + 4, call->size - 4);
		return false;
	}
	if ((id == CALL_WAVE_BATCH || id == CALL_REG_ACCESS) &&
	    rng_once_in(&w->rng, 2))
		return mutate_array(w, id, arg);
	for (i = 0; i < n; i++)
		bad |= mutate_member(w, call, arg,
				     &call->members[rng_below(&w->rng,
							call->num_members)]);
	/* After several changes, a later one may have undone an earlier one. */
	return bad && n == 1;
}
