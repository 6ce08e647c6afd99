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

ADBG_API int adbg_wave_list_read(struct adbg_wave_list *list,
				 struct adbg_session *session,
				 uint32_t vmid_mask)
{
	int ret = 0;

	list->count = 0;
	if (!list->capacity)
		ret = set_capacity(list, FIRST_CAPACITY);

	for (int try = 0; !ret && try < MAX_TRIES; try++) {
		ADBG_DEFINE_STRUCT(adbg_wave_read, request, .vmid_mask = vmid_mask,
				   .waves = list->waves, .capacity = list->capacity);

		ret = adbg_wave_read(session, &request);
		list->reg_reads = request.reg_reads;
		list->reg_writes = request.reg_writes;
		if (!ret) {
			list->count = request.count;
			return 0;
		}
		if (ret != -EMSGSIZE || try == MAX_TRIES - 1)
			break;
		ret = set_capacity(list, room_for(request.count,
						  session->max_waves));
	}

	return ret;
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
