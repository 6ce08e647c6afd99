// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program stores to memory next to a patch while the debugger sets and removes patches: see
 * memory.h.
 */
#include "memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "until.h"

#define NUM_WORDS (AMDGPUDBG_PATCH_BYTES_MAX / 4)
#define ROUNDS 400

/*
 * A thread that stores to all words but the first, as long as it is to. It notices when one
 * of them is not what it has stored last: a store of its own was lost.
 */
struct storer {
	volatile uint32_t *words;
	atomic_uint wanted, begun, ended;	/* the round */
	atomic_bool stores, is_over;
	uint32_t lost;
};

static void store(struct storer *s, uint32_t round)
{
	uint32_t last[NUM_WORDS], n = round << 16, i;

	for (i = 1; i < NUM_WORDS; i++) {
		last[i] = n++;
		s->words[i] = last[i];
	}
	atomic_store(&s->begun, round);
	while (atomic_load(&s->stores)) {
		for (i = 1; i < NUM_WORDS; i++) {
			s->lost += s->words[i] != last[i];
			last[i] = n++;
			s->words[i] = last[i];
		}
	}
	for (i = 1; i < NUM_WORDS; i++)
		s->lost += s->words[i] != last[i];
	atomic_store(&s->ended, round);
}

static void *be_storer(void *arg)
{
	struct storer *s = arg;
	uint32_t round = 0;

	while (!atomic_load(&s->is_over)) {
		if (atomic_load(&s->wanted) == round)
			continue;
		store(s, ++round);
	}
	return NULL;
}

struct in_round {
	atomic_uint *at;
	uint32_t round;
};

static bool is_in_round(void *arg)
{
	const struct in_round *r = arg;

	return atomic_load(r->at) == r->round;
}

static void wait_round(atomic_uint *at, uint32_t round)
{
	struct in_round r = { at, round };

	/* Mostly it takes less than a look of until(). */
	while (atomic_load(at) != round && !until(is_in_round, &r, DEADLINE_S))
		fail_msg("the storing thread does not come to round %u", round);
}

/* The storing thread has overwritten all of the patch but its first word by then. */
static void unpatch_beside_stores(int fd, uint64_t va, volatile uint32_t *words)
{
	uint32_t data[NUM_WORDS] = { 0 }, round;
	struct storer s = { .words = words };
	pthread_t thread;

	words[0] = 1;
	assert_int_equal(pthread_create(&thread, NULL, be_storer, &s), 0);
	for (round = 1; round <= ROUNDS; round++) {
		assert_int_equal(vm_access(fd, PATCH, va, data, sizeof(data), NULL), 0);
		atomic_store(&s.stores, true);
		atomic_store(&s.wanted, round);
		wait_round(&s.begun, round);
		assert_int_equal(unpatch(fd, va, sizeof(data)), 0);
		atomic_store(&s.stores, false);
		wait_round(&s.ended, round);
		assert_int_equal(words[0], 1);
	}
	atomic_store(&s.is_over, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(s.lost, 0);
}

void unpatch_loses_no_store_of_the_program(void **state)
{
	static const uint32_t domains[] = {
		AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_DOMAIN_VRAM,
	};
	int fd = session();
	struct bo b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(domains) / sizeof(domains[0]); i++) {
		bo_new(&b, domains[i], AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, false);
		assert_non_null(b.cpu);
		unpatch_beside_stores(fd, b.va, (uint32_t *)(b.cpu + SKIPPED));
		bo_free(&b);
	}
	close(fd);
}
