// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lists of waves whose buffer the library owns and grows.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

/* Fits what a small GPU runs, so that most readings need one call. */
#define FIRST_CAPACITY	256
#define MAX_TRIES	8

struct adbg_wave_list {
	struct adbg_wave *waves;
	uint32_t capacity;
	uint32_t count;
	uint32_t reg_reads;
	uint32_t reg_writes;
	uint32_t num_halted;
};

ADBG_API int adbg_wave_list_new(struct adbg_wave_list **list)
{
	struct adbg_wave_list *l = calloc(1, sizeof(*l));

	if (!l)
		return -ENOMEM;

	*list = l;
	return 0;
}

ADBG_API void adbg_wave_list_free(struct adbg_wave_list *list)
{
	if (!list)
		return;

	free(list->waves);
	free(list);
}

static int set_capacity(struct adbg_wave_list *list, uint32_t capacity)
{
	struct adbg_wave *waves;

	waves = reallocarray(list->waves, capacity, sizeof(*waves));
	if (!waves)
		return -ENOMEM;

	list->waves = waves;
	list->capacity = capacity;
	return 0;
}

/* Room for @count waves and for some that start before the next call. */
static uint32_t room_for(uint32_t count, uint32_t max)
{
	uint64_t room = (uint64_t)count + count / 4 + 16;

	if (room > max)
		room = max;
	return room > count ? room : count;
}

/* What stays halted was halted by the first call that saw it. */
static void count_halted(struct adbg_wave_list *list,
			 const struct adbg_wave_read *r)
{
	if (r->flags & ADBG_WAVE_READ_RESUME)
		list->num_halted = 0;
	list->num_halted += r->num_halted;
}

ADBG_API int adbg_wave_list_fill(struct adbg_wave_list *list,
				 struct adbg_session *session,
				 const struct adbg_wave_read *what)
{
	struct adbg_wave_read r;
	int ret;

	list->count = 0;
	list->num_halted = 0;
	ret = adbg_struct_in(&r, sizeof(r), what, sizeof(r));
	if (!ret && !list->capacity)
		ret = set_capacity(list, FIRST_CAPACITY);

	r.sz = sizeof(r);
	r.entry_size = 0;
	for (int try = 0; !ret && try < MAX_TRIES; try++) {
		r.waves = list->waves;
		r.capacity = list->capacity;
		r.num_halted = 0;
		ret = adbg_wave_read(session, &r);
		if (!ret || ret == -EMSGSIZE)
			count_halted(list, &r);
		list->reg_reads = r.reg_reads;
		list->reg_writes = r.reg_writes;
		if (!ret) {
			list->count = r.count;
			return 0;
		}
		if (ret != -EMSGSIZE || try == MAX_TRIES - 1)
			break;
		ret = set_capacity(list, room_for(r.count,
						  session->max_waves));
	}

	return ret;
}

ADBG_API int adbg_wave_list_read(struct adbg_wave_list *list,
				 struct adbg_session *session,
				 uint32_t vmid_mask)
{
	ADBG_DEFINE_STRUCT(adbg_wave_read, what, .vmid_mask = vmid_mask);

	return adbg_wave_list_fill(list, session, &what);
}

ADBG_API uint32_t
adbg_wave_list_get_halted(const struct adbg_wave_list *list)
{
	return list->num_halted;
}

ADBG_API size_t adbg_wave_list_count(const struct adbg_wave_list *list)
{
	return list->count;
}

ADBG_API const struct adbg_wave *
adbg_wave_list_get(const struct adbg_wave_list *list, size_t i)
{
	return i < list->count ? &list->waves[i] : NULL;
}

ADBG_API void adbg_wave_list_get_cost(const struct adbg_wave_list *list,
				      uint32_t *reg_reads,
				      uint32_t *reg_writes)
{
	if (reg_reads)
		*reg_reads = list->reg_reads;
	if (reg_writes)
		*reg_writes = list->reg_writes;
}
