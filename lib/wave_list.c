// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lists of waves, whose buffer the library owns and enlarges.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Large enough for the waves of a small GPU, so that most lists need one call */
#define FIRST_CAPACITY	256
#define MAX_TRIES	8

struct adbg_wave_list {
	char *waves;
	uint32_t stride;	/* distance of two elements in bytes */
	uint32_t capacity;
	uint32_t count;
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
	char *waves;

	waves = reallocarray(list->waves, capacity, list->stride);
	if (!waves)
		return -ENOMEM;

	list->waves = waves;
	list->capacity = capacity;
	return 0;
}

/* Get a capacity for @count waves, and for some that start before the next call. */
static uint32_t room_for(uint32_t count, uint32_t max)
{
	uint64_t room = (uint64_t)count + count / 4 + 16;

	if (room > max)
		room = max;
	return room > count ? room : count;
}

static int set_stride(struct adbg_wave_list *list, uint32_t stride)
{
	uint32_t capacity = list->capacity ? list->capacity : FIRST_CAPACITY;

	if (stride == list->stride)
		return 0;

	list->stride = stride;
	list->capacity = 0;
	return set_capacity(list, capacity);
}

static int fill(struct adbg_wave_list *list, struct adbg_session *session,
		unsigned long request, struct amdgpudbg_wave_list *r)
{
	uint32_t halted = 0;
	int ret = set_stride(list, r->entry_size);

	for (int try = 0; !ret && try < MAX_TRIES; try++) {
		r->waves = (uintptr_t)list->waves;
		r->capacity = list->capacity;
		r->num_halted = 0;
		ret = adbg_call(session, request, r);
		/*
		 * With _HOLD waves stay halted, so each call counts only those that it has halted
		 * itself.
		 */
		if (r->flags & AMDGPUDBG_WAVE_LIST_HOLD)
			halted += r->num_halted;
		else
			halted = r->num_halted;
		if (!ret) {
			list->count = r->count;
			break;
		}
		if (ret != -EMSGSIZE || try == MAX_TRIES - 1)
			break;
		ret = set_capacity(list, room_for(r->count,
						  session->max_waves));
	}

	r->num_halted = halted;
	return ret;
}

ADBG_API int
adbg_wave_list_fill_sized(struct adbg_wave_list *list,
			  struct adbg_session *session, unsigned long request,
			  struct amdgpudbg_wave_list *what)
{
	struct amdgpudbg_wave_list *r;
	int ret;

	list->count = 0;
	/* The caller's structure may be longer or shorter than the one known here. */
	r = calloc(1, what->size > sizeof(*r) ? what->size : sizeof(*r));
	if (!r)
		return -ENOMEM;

	memcpy(r, what, what->size);
	ret = fill(list, session, request, r);
	/* The buffer belongs to the list, so do not return its address and capacity. */
	r->waves = what->waves;
	r->capacity = what->capacity;
	memcpy(what, r, what->size);
	free(r);
	return ret;
}

ADBG_API size_t adbg_wave_list_count(const struct adbg_wave_list *list)
{
	return list->count;
}

ADBG_API const struct amdgpudbg_wave *
adbg_wave_list_get(const struct adbg_wave_list *list, size_t i)
{
	if (i >= list->count)
		return NULL;
	return (const void *)(list->waves + i * list->stride);
}
