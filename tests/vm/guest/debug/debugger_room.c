// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A process without free addresses for the debugger's memory, when the debugger attaches or
 * later. The process has mapped all addresses, without memory.
 */
#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "until.h"

#define HOLE		0x1234560000	/* from where the region begins */
#define PAGE		4096
#define MAX_HOLE	(64 << 20)	/* there is room for a handler in it */
#define WANTED		20		/* instructions of a trace, most of them the handler's */
/* Instructions of "rounds" from rounds_loop to rounds_loop */
#define IN_ROUND	12
#define STEPPED_ROUNDS	3

static uint64_t region;

/* --------------------------------------------------------------------- addresses */

struct mappings {
	struct amdgpudbg_mapping *of;
	uint32_t num;
};

/* Of the region, as a session tells that changes nothing */
static struct mappings look(void)
{
	struct adbg_session *session = own_session();
	struct mappings now;

	assert_int_equal(adbg_vm_mappings(session, region, GPU_REGION, &now.of, &now.num), 0);
	close_own_session();
	return now;
}

/* What a debugger had there goes when the process has no jobs. */
static bool has_no_buffer(void *arg)
{
	struct mappings now = look();
	bool has = false;

	(void)arg;
	for (uint32_t i = 0; i < now.num; i++)
		has |= now.of[i].kind != AMDGPUDBG_KIND_NONE;
	free(now.of);
	return !has;
}

static bool is_as_before(void *arg)
{
	const struct mappings *before = arg;
	struct mappings now = look();
	bool same = now.num == before->num &&
		    !memcmp(now.of, before->of, now.num * sizeof(*now.of));

	free(now.of);
	return same;
}

/* All that are left, around what there is */
static void take_all(void)
{
	struct mappings now = look();
	uint64_t at = region;

	for (uint32_t i = 0; i < now.num; i++) {
		if (now.of[i].va > at)
			assert_int_equal(gpu_take(&prog.gpu, at, now.of[i].va - at), 0);
		at = now.of[i].va + now.of[i].bytes;
	}
	if (at < region + GPU_REGION)
		assert_int_equal(gpu_take(&prog.gpu, at, region + GPU_REGION - at), 0);
	free(now.of);
}

static void give(uint64_t va, uint64_t bytes)
{
	assert_int_equal(gpu_give(&prog.gpu, va, bytes), 0);
}

/* But for what has memory */
static void give_all(void)
{
	struct mappings now = look();

	for (uint32_t i = 0; i < now.num; i++) {
		if (now.of[i].kind == AMDGPUDBG_KIND_NONE)
			give(now.of[i].va, now.of[i].bytes);
	}
	free(now.of);
}

int set_up_room(void **state)
{
	struct amdgpudbg_mem_alloc b = { .bytes = 1 };
	struct adbg_session *session;

	(void)state;
	session = own_session();
	assert_int_equal(adbg_mem_alloc(session, &b), 0);
	region = b.va & ~(GPU_REGION - 1);
	close_own_session();
	return until(has_no_buffer, NULL, DEADLINE_MS / 1000) ? 0 : -1;
}

int take_down_room(void **state)
{
	int ret = take_down(state);

	give_all();
	return ret;
}

/* ------------------------------------------------------------------ when it attaches */

static void is_refused(const char *what, int ret)
{
	char words[128];

	assert_int_equal(ret, -EADDRNOTAVAIL);
	snprintf(words, sizeof(words), "cannot allocate %s in process %d: ", what, getpid());
	if (strncmp(error.text, words, strlen(words)))
		fail_msg("\"%s\" does not begin with \"%s\"", error.text, words);
}

/* There are more and more, until there is room for all of it: it works then. */
void a_process_without_free_addresses_for_a_handler(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	struct adbgd_breakpoint *b;
	struct mappings before;
	uint64_t bytes = 0;
	int ret;

	(void)state;
	take_all();
	for (;;) {
		before = look();
		ret = attach(getpid());
		if (!ret)
			break;
		is_refused("a trap handler", ret);
		/* Nothing is left of what it could have. */
		assert_true(until(is_as_before, &before, DEADLINE_MS / 1000));
		free(before.of);
		assert_true(bytes < MAX_HOLE);
		give(region + HOLE + bytes, bytes ? bytes : PAGE);
		bytes = bytes ? 2 * bytes : PAGE;
	}
	free(before.of);
	/* A page is not enough. */
	assert_true(bytes > PAGE);
	MUST(adbgd_breakpoint_set(process, address_of("breaks_call"), 0, &b, &error));
	start_job();
	release_waves();
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_process_continue(process, &error));
	finish_job();
}

/* ---------------------------------------------------------------------------- later */

/* All that "rounds" has in its wave at rounds_loop, after so many rounds */
static void assert_rounds(const struct adbgd_stop *stop, uint32_t rounds)
{
	uint32_t v1[32], v3[32];

	assert_true(stop->pc == address_of("rounds_loop"));
	assert_int_equal(read_sgpr(&stop->at, 13), rounds);
	read_lanes(&stop->at, 1, v1);
	read_lanes(&stop->at, 3, v3);
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(v3[i], after_rounds(input(v1[i] / 4), rounds));
}

/* What needs room for records; @num: as many as were done */
static int trace(struct adbgd_stop *stop, uint64_t *num, uint32_t *num_alone)
{
	struct adbgd_trace *t;
	int ret;

	*num = WANTED;
	MUST(adbgd_trace_begin(process, &stop->at, &t, &error));
	ret = adbgd_trace_record(process, t, num, stop, &error);
	*num_alone = adbgd_trace_get_info(t)->num_alone;
	assert_true(adbgd_trace_get_info(t)->num_steps == *num);
	adbgd_trace_free(t);
	return ret;
}

/* A wave at rounds_loop for the first time; the others stand somewhere. */
static struct adbgd_stop one_stops(void)
{
	const struct adbgd_condition first = { .nth = 1 };
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;

	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_loop"), 0, &first, &b, &error));
	start_rounds();
	stop = stop_at(b);
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_process_halt(process, &error));
	assert_rounds(&stop, 0);
	return stop;
}

static void continue_all(void)
{
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
}

/* A wave's handler has no room for what it does: there is no trace, and the host steps. */
void a_process_without_free_addresses_for_records(void **state)
{
	struct adbgd_stop stop;
	uint32_t num_alone;
	uint64_t num;

	(void)state;
	MUST(attach(getpid()));
	stop = one_stops();
	take_all();
	is_refused("a trace buffer", trace(&stop, &num, &num_alone));
	/* The first one is the host's. */
	assert_true(num == 1);
	assert_int_equal(num_alone, 0);
	num = STEPPED_ROUNDS * IN_ROUND - 1;
	MUST(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error));
	assert_true(num == STEPPED_ROUNDS * IN_ROUND - 1);
	assert_rounds(&stop, STEPPED_ROUNDS);
	continue_all();
	/* With addresses, it has one. While there are jobs, amdgpu does not unmap any. */
	give_all();
	stop = one_stops();
	MUST(trace(&stop, &num, &num_alone));
	assert_true(num == WANTED && num_alone);
	continue_all();
}
