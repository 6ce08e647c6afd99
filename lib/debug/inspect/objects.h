/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory in which the code objects of a process are searched: objects_memory.c.
 */
#ifndef ADBGD_OBJECTS_H
#define ADBGD_OBJECTS_H

#include <amdgpudbg-debug-objects.h>

#include "internal.h"

/**
 * struct adbgd_executable - one mapping of executable memory
 * @is_new: it was not searched yet
 * @jobs_left: search it again when so many further jobs begin
 */
struct adbgd_executable {
	struct amdgpudbg_mapping mapping;
	bool is_new;
	uint8_t jobs_left;
};

/** struct adbgd_memory_map - the executable mappings of a process, by address */
struct adbgd_memory_map {
	struct adbgd_executable *all;
	size_t num;
};

/**
 * adbgd_memory_map_read() - list the executable mappings
 * @map: the list of before; mappings that it does not have are new
 * @is_first: the list of before is empty because there was none
 */
int adbgd_memory_map_read(struct adbgd_memory_map *map, struct adbg_session *session,
			  bool is_first, struct adbgd_error *error);

/** adbgd_memory_map_around() - get the adjacent mappings around an address; false: none */
bool adbgd_memory_map_around(const struct adbgd_memory_map *map, uint64_t address,
			     struct adbgd_span *span);

/** adbgd_memory_map_waits() - test whether a mapping is to be searched; @is_job: a job has begun */
bool adbgd_memory_map_waits(const struct adbgd_memory_map *map, bool is_job);

/**
 * adbgd_memory_map_spans() - get the memory to search
 * @is_all: all of it; else that of new mappings, and with @is_job, of those that wait for a job
 * @spans: set to an array, which the caller frees
 *
 * Adjacent mappings are one span, because a code object may extend over several.
 */
int adbgd_memory_map_spans(const struct adbgd_memory_map *map, bool is_all, bool is_job,
			   struct adbgd_span **spans, size_t *num, struct adbgd_error *error);

/** adbgd_memory_map_searched() - note that what adbgd_memory_map_spans() returned was searched */
void adbgd_memory_map_searched(struct adbgd_memory_map *map, bool is_job);

/**
 * adbgd_memory_sample() - get a checksum of the begin and the end of a range of memory
 *
 * Return: 0 if it cannot be read.
 */
uint64_t adbgd_memory_sample(const struct adbgd_memory *memory, const struct adbgd_span *span);

#endif /* ADBGD_OBJECTS_H */
