// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory to which the pointers of a worker's calls lead: see struct arena.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* Map pages for the kernel again as they were before the nuisance changed the mapping. */
static int map_theirs(struct arena *a, size_t offset, size_t size)
{
	return mmap(a->theirs + offset, size, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED, a->memfd, offset) == MAP_FAILED ?
	       -errno : 0;
}

void arena_restore(struct arena *a)
{
	/* A failure is ignored: the calls that follow then return -EFAULT. */
	map_theirs(a, 0, PAGE);
	map_theirs(a, ARENA_DATA, ARENA_DATA_SIZE);
}

int arena_map(struct arena *a)
{
	a->memfd = memfd_create("arena", MFD_CLOEXEC);
	if (a->memfd < 0 || ftruncate(a->memfd, ARENA_SIZE))
		return -errno;
	a->ours = mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		       a->memfd, 0);
	a->theirs = mmap(NULL, ARENA_SIZE, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (a->ours == MAP_FAILED || a->theirs == MAP_FAILED)
		return -errno;
	if (map_theirs(a, 0, PAGE))
		return -errno;
	return map_theirs(a, ARENA_DATA, ARENA_DATA_SIZE);
}

void *arena_array(struct worker *w, size_t bytes, __u64 *addr)
{
	struct arena *a = &w->arena;
	size_t at;

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > ARENA_DATA_SIZE)
		bytes = ARENA_DATA_SIZE;
	if (a->used + bytes > ARENA_DATA_SIZE)
		a->used = 0;
	at = ARENA_DATA + a->used;
	/* Some arrays end exactly at the end of the mapped memory. */
	if (rng_once_in(&w->rng, 16))
		at = ARENA_DATA + ARENA_DATA_SIZE - bytes;
	else
		a->used += bytes;
	*addr = (uintptr_t)a->theirs + at;
	return a->ours + at;
}

void *arena_at(struct worker *w, uint64_t addr, size_t bytes)
{
	uint64_t base = (uintptr_t)w->arena.theirs;

	if (addr < base + ARENA_DATA || bytes > ARENA_DATA_SIZE ||
	    addr - base > ARENA_DATA + ARENA_DATA_SIZE - bytes)
		return NULL;
	return w->arena.ours + (addr - base);
}

uint64_t arena_hole(const struct worker *w)
{
	return (uintptr_t)w->arena.theirs + PAGE;
}
