// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The executable memory of a process, and which parts of it have to be searched for code objects.
 */
#include "objects.h"

/* Adjacent mappings up to this size are searched as a whole, if one of them is new. */
#define WHOLE_MAX	(16ULL << 20)

/* Jobs that begin after memory was mapped, and at which it is searched again */
#define NUM_JOBS	3

/* Bytes at the begin and at the end of a range that a sample has */
#define SAMPLE_PART	4096

static bool is_code(const struct amdgpudbg_mapping *m)
{
	const uint32_t needed = AMDGPUDBG_MAPPING_READ | AMDGPUDBG_MAPPING_EXEC;

	if ((m->flags & needed) != needed)
		return false;
	return m->kind == AMDGPUDBG_KIND_SYSTEM || m->kind == AMDGPUDBG_KIND_VRAM ||
	       m->kind == AMDGPUDBG_KIND_USERPTR;
}

/* Find the mapping in the list of before. @i: where to begin, and then where it was found */
static const struct adbgd_executable *find(const struct adbgd_memory_map *map, size_t *i,
					   const struct amdgpudbg_mapping *m)
{
	while (*i < map->num && map->all[*i].mapping.va < m->va)
		(*i)++;
	if (*i == map->num || memcmp(&map->all[*i].mapping, m, sizeof(*m)))
		return NULL;
	return &map->all[*i];
}

int adbgd_memory_map_read(struct adbgd_memory_map *map, struct adbg_session *session,
			  bool is_first, struct adbgd_error *error)
{
	struct adbgd_memory_map now = { .num = 0 };
	const struct adbgd_executable *before;
	struct amdgpudbg_mapping *list;
	size_t at = 0;
	uint32_t count, i;
	int ret = adbg_vm_mappings(session, 0, 0, &list, &count);

	if (ret)
		return adbgd_fail(error, ret, "cannot list the mappings: %s", strerror(-ret));
	now.all = calloc((size_t)count + 1, sizeof(*now.all));
	for (i = 0; now.all && i < count; i++) {
		if (!is_code(&list[i]))
			continue;
		before = find(map, &at, &list[i]);
		now.all[now.num++] = before ? *before : (struct adbgd_executable){
			.mapping = list[i], .is_new = true, .jobs_left = is_first ? 0 : NUM_JOBS,
		};
	}
	free(list);
	if (!now.all)
		return adbgd_no_memory(error, "a list of mappings");
	free(map->all);
	*map = now;
	return 0;
}

static uint64_t end_of(const struct adbgd_executable *e)
{
	return e->mapping.va + e->mapping.bytes;
}

/* Get the index after the last of the mappings that are adjacent from @first on. */
static size_t last_adjacent(const struct adbgd_memory_map *map, size_t first)
{
	size_t i = first + 1;

	while (i < map->num && end_of(&map->all[i - 1]) == map->all[i].mapping.va)
		i++;
	return i;
}

static struct adbgd_span span_of(const struct adbgd_memory_map *map, size_t first, size_t end)
{
	uint64_t start = map->all[first].mapping.va;

	return (struct adbgd_span){
		.start = start, .size = end_of(&map->all[end - 1]) - start,
	};
}

bool adbgd_memory_map_around(const struct adbgd_memory_map *map, uint64_t address,
			     struct adbgd_span *span)
{
	size_t first, end;

	for (first = 0; first < map->num; first = end) {
		end = last_adjacent(map, first);
		*span = span_of(map, first, end);
		if (address - span->start < span->size)
			return true;
	}
	return false;
}

static bool is_to_search(const struct adbgd_executable *e, bool is_job)
{
	return e->is_new || (is_job && e->jobs_left);
}

bool adbgd_memory_map_waits(const struct adbgd_memory_map *map, bool is_job)
{
	size_t i;

	for (i = 0; i < map->num; i++)
		if (is_to_search(&map->all[i], is_job))
			return true;
	return false;
}

/* Add those of the adjacent mappings from @first to @end that are to be searched. */
static size_t add_spans(const struct adbgd_memory_map *map, size_t first, size_t end, bool is_job,
			struct adbgd_span *spans)
{
	struct adbgd_span whole = span_of(map, first, end);
	size_t num = 0, i, from;

	for (i = first; i < end; i++) {
		from = i;
		while (i < end && is_to_search(&map->all[i], is_job))
			i++;
		if (i == from)
			continue;
		spans[num++] = whole.size <= WHOLE_MAX ? whole : span_of(map, from, i);
		if (whole.size <= WHOLE_MAX)
			break;
	}
	return num;
}

int adbgd_memory_map_spans(const struct adbgd_memory_map *map, bool is_all, bool is_job,
			   struct adbgd_span **spans, size_t *num, struct adbgd_error *error)
{
	size_t first, end;

	*num = 0;
	*spans = calloc(map->num + 1, sizeof(**spans));
	if (!*spans)
		return adbgd_no_memory(error, "a list of mappings");
	for (first = 0; first < map->num; first = end) {
		end = last_adjacent(map, first);
		if (is_all)
			(*spans)[(*num)++] = span_of(map, first, end);
		else
			*num += add_spans(map, first, end, is_job, *spans + *num);
	}
	return 0;
}

void adbgd_memory_map_searched(struct adbgd_memory_map *map, bool is_job)
{
	size_t i;

	for (i = 0; i < map->num; i++) {
		if (is_job && !map->all[i].is_new && map->all[i].jobs_left)
			map->all[i].jobs_left--;
		map->all[i].is_new = false;
	}
}

/* FNV-1a */
static uint64_t add_bytes(uint64_t sum, const uint8_t *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3;
	return sum;
}

uint64_t adbgd_memory_sample(const struct adbgd_memory *memory, const struct adbgd_span *span)
{
	size_t size = span->size < SAMPLE_PART ? span->size : SAMPLE_PART;
	uint64_t sum = 0xcbf29ce484222325;
	uint8_t bytes[SAMPLE_PART];

	if (memory->read(memory->data, span->start, bytes, size))
		return 0;
	sum = add_bytes(sum, bytes, size);
	if (span->size > SAMPLE_PART) {
		if (memory->read(memory->data, span->start + span->size - size, bytes, size))
			return 0;
		sum = add_bytes(sum, bytes, size);
	}
	return sum | 1;
}
