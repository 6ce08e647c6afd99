// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One wave runs until it reaches a place, while others are halted or run. breaks.s documents
 * the order of instructions in "rounds".
 */
#include "debugger.h"

#include <sys/eventfd.h>
#include <unistd.h>

#define NO_TIME_MS	20	/* enough to see that it does not come */

static struct adbgd_breakpoint *b;

/* A wave at rounds_loop, in its first round; all others run */
static struct adbgd_stop one_at_loop(void)
{
	const struct adbgd_condition first = { .nth = 1 };
	struct adbgd_stop stop;

	start_kernel("rounds");
	prog_ctl(&prog)[2] = UINT32_MAX;
	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_loop"), 0, &first, &b, &error));
	release_waves();
	stop = stop_at(b);
	assert_int_equal(read_sgpr(&stop.at, 13), 0);
	return stop;
}

static void is_at(const struct adbgd_stop *stop, const char *name, uint32_t round)
{
	assert_string_equal(adbgd_stop_reason_name(stop->reason), "step");
	if (stop->pc != address_of(name))
		fail_msg("it is at %#llx, not %s", (unsigned long long)stop->pc, name);
	assert_int_equal(read_sgpr(&stop->at, 13), round);
}

/* Nothing is left of what was needed for it, and all waves end. */
static void all_end(unsigned int num_breakpoints)
{
	assert_null(adbgd_process_get_breakpoint(process, num_breakpoints));
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
	while (adbgd_process_get_breakpoint(process, 0))
		MUST(adbgd_breakpoint_clear(adbgd_process_get_breakpoint(process, 0), &error));
	assert_code_as_before();
}

static void until(struct adbgd_stop *stop, const char *name)
{
	struct amdgpudbg_wave_coord at = stop->at;

	MUST(adbgd_wave_until(process, &at, address_of(name), DEADLINE_MS, stop, &error));
	assert_memory_equal(&at, &stop->at, sizeof(at));
}

static void next(struct adbgd_stop *stop)
{
	struct amdgpudbg_wave_coord at = stop->at;

	MUST(adbgd_wave_step_over(process, &at, DEADLINE_MS, stop, &error));
	assert_memory_equal(&at, &stop->at, sizeof(at));
}

static void finish(struct adbgd_stop *stop)
{
	struct amdgpudbg_wave_coord at = stop->at;

	MUST(adbgd_wave_finish(process, &at, DEADLINE_MS, stop, &error));
	assert_memory_equal(&at, &stop->at, sizeof(at));
}

static void steps(struct adbgd_stop *stop, uint64_t num)
{
	struct amdgpudbg_wave_coord at = stop->at;
	uint64_t done = num;

	MUST(adbgd_wave_step_n(process, &at, &done, stop, &error));
	assert_true(done == num);
}

/* To each name, and to the same one again, which is in the next round */
static void a_wave_runs_until_an_address(void **state)
{
	struct adbgd_stop stop = one_at_loop();

	(void)state;
	until(&stop, "rounds_inner_return");
	is_at(&stop, "rounds_inner_return", 1);
	until(&stop, "rounds_after");
	is_at(&stop, "rounds_after", 1);
	for (uint32_t round = 2; round < 6; round++) {
		until(&stop, "rounds_after");
		is_at(&stop, "rounds_after", round);
	}
	/* Where a breakpoint is for another hit, too; where one is for all, it is one. */
	until(&stop, "rounds_loop");
	is_at(&stop, "rounds_loop", 5);
	until(&stop, "rounds_loop");
	is_at(&stop, "rounds_loop", 6);
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
	assert_int_equal(adbgd_breakpoint_get_condition(b)->nth, 1);
	all_end(1);
}

static void next_steps_over_a_call(void **state)
{
	struct adbgd_stop stop = one_at_loop();

	(void)state;
	next(&stop);
	is_at(&stop, "rounds_call", 1);
	next(&stop);
	is_at(&stop, "rounds_after", 1);
	until(&stop, "rounds_outer");
	is_at(&stop, "rounds_outer", 2);
	/* s_call_b64 */
	next(&stop);
	is_at(&stop, "rounds_outer_return", 2);
	/* s_setpc_b64 is none. */
	next(&stop);
	is_at(&stop, "rounds_after", 2);
	all_end(1);
}

static void finish_leaves_a_function(void **state)
{
	struct adbgd_stop stop = one_at_loop();

	(void)state;
	until(&stop, "rounds_inner");
	is_at(&stop, "rounds_inner", 1);
	finish(&stop);
	is_at(&stop, "rounds_outer_return", 1);
	/* It is about to. */
	finish(&stop);
	is_at(&stop, "rounds_after", 1);
	/* Over a call in it */
	until(&stop, "rounds_outer");
	finish(&stop);
	is_at(&stop, "rounds_after", 2);
	/* The kernel itself is left by its end. */
	prog_ctl(&prog)[2] = 0;
	finish(&stop);
	is_at(&stop, "rounds_end", 2);
	finish(&stop);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	all_end(1);
}

static void many_steps_are_done_by_one_call(void **state)
{
	struct adbgd_stop stop = one_at_loop();
	uint64_t num = 1000;

	(void)state;
	/* To where the call returns, through both functions: see breaks.s */
	steps(&stop, 7);
	is_at(&stop, "rounds_after", 1);
	prog_ctl(&prog)[2] = 0;
	MUST(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	/* With the s_cbranch, which it does not follow, and s_endpgm */
	assert_true(num == 10);
	num = 0;
	assert_int_equal(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error), -EINVAL);
	all_end(1);
}

/* RDNA 2 ISA document: V_MAD_U32_U24 is VOP3 323 */
static const struct adbgd_insn_match mad = { 0xd5430000, 0xffff0000 };

/* Instructions of rounds_loop to rounds_branch, with those that are called */
#define IN_ROUND	12
#define MANY_ROUNDS	50

/* With a condition around, by the host; else by its handler. To a breakpoint, and no further */
static void the_number_of_steps_is_returned(void **state)
{
	const struct adbgd_condition never = { .relation = ADBGD_RELATION_EQUAL, .value = 0x12345,
					       .space = AMDGPUDBG_REG_SGPR, .reg = 13 };
	struct adbgd_stop stop = one_at_loop();
	struct adbgd_breakpoint *inner, *other;
	uint64_t num = 1000;

	(void)state;
	steps(&stop, 2 * IN_ROUND);
	is_at(&stop, "rounds_loop", 2);
	MUST(adbgd_breakpoint_clear(b, &error));
	steps(&stop, MANY_ROUNDS * IN_ROUND);
	is_at(&stop, "rounds_loop", 2 + MANY_ROUNDS);
	steps(&stop, MANY_ROUNDS * IN_ROUND + 1);
	is_at(&stop, "rounds_call", 3 + 2 * MANY_ROUNDS);
	MUST(adbgd_breakpoint_set(process, address_of("rounds_inner"), 0, &inner, &error));
	for (unsigned int i = 0; i < 2; i++) {
		MUST(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error));
		is_at(&stop, "rounds_inner", 3 + 2 * MANY_ROUNDS + i);
		assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(inner)->number);
		assert_true(num == (i ? IN_ROUND : 2));
		num = 1000;
	}
	MUST(adbgd_breakpoint_clear(inner, &error));
	/* One that changes no code */
	num = 1000;
	MUST(adbgd_breakpoint_set(process, address_of("rounds_inner"), ADBGD_BREAKPOINT_STEPPED,
				  &inner, &error));
	MUST(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error));
	is_at(&stop, "rounds_inner", 5 + 2 * MANY_ROUNDS);
	assert_true(num == IN_ROUND);
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(inner)->number);
	MUST(adbgd_breakpoint_clear(inner, &error));
	/* And one for an instruction, wherever that is */
	num = 1000;
	MUST(adbgd_breakpoint_set_insn(process, &mad, 1, 0, &never, &other, &error));
	MUST(adbgd_breakpoint_set_insn(process, &mad, 1, 0, NULL, &inner, &error));
	MUST(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error));
	is_at(&stop, "rounds_mad", 5 + 2 * MANY_ROUNDS);
	assert_true(num == 1);
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(inner)->number);
	num = 1000;
	MUST(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error));
	is_at(&stop, "rounds_mad", 6 + 2 * MANY_ROUNDS);
	assert_true(num == IN_ROUND);
	MUST(adbgd_breakpoint_clear(inner, &error));
	MUST(adbgd_breakpoint_clear(other, &error));
	num = 1000;
	prog_ctl(&prog)[2] = 0;
	MUST(adbgd_wave_step_n(process, &stop.at, &num, &stop, &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	/* In rounds_inner 2, s_setpc; rounds_after to rounds_end 10 */
	assert_true(num == 13);
	all_end(0);
}

static uint32_t traced(const struct adbgd_trace *t, uint32_t space, uint32_t lane, uint32_t n)
{
	uint32_t count;
	const uint32_t *regs = adbgd_trace_get_regs(t, space, lane, &count);

	assert_in_range(n, 0, count - 1);
	return regs[n];
}

static void seek(struct adbgd_trace *t, uint64_t step, const char *name)
{
	MUST(adbgd_trace_seek(t, step, &error));
	if (adbgd_trace_get_pc(t) != address_of(name))
		fail_msg("after %u steps it is at %#llx, not %s", (unsigned int)step,
			 (unsigned long long)adbgd_trace_get_pc(t), name);
}

/* Through both functions of "rounds", which is known instruction by instruction */
static const char *const rounds_path[] = {
	"rounds_loop", "rounds_call", "rounds_outer", "rounds_inner", "rounds_mad",
	"rounds_inner_return", "rounds_outer_return", "rounds_after",
};

#define LAST_IN_PATH	(sizeof(rounds_path) / sizeof(rounds_path[0]) - 1)

static void check_registers(struct adbgd_trace *t)
{
	uint32_t before[32];

	seek(t, 4, "rounds_mad");
	for (uint32_t i = 0; i < 32; i++)
		before[i] = traced(t, AMDGPUDBG_REG_VGPR, i, 3);
	seek(t, 5, "rounds_inner_return");
	for (uint32_t i = 0; i < 32; i++) {
		assert_true(before[i] <= 0xffffff);
		assert_int_equal(traced(t, AMDGPUDBG_REG_VGPR, i, 3), 3 * before[i] + 0x12345);
	}
	assert_int_equal(traced(t, AMDGPUDBG_REG_SGPR, 0, 13), 1);
	assert_int_equal(traced(t, AMDGPUDBG_REG_SGPR, 0, 16),
			 (uint32_t)address_of("rounds_after"));
	assert_int_equal(traced(t, AMDGPUDBG_REG_SGPR, 0, 22),
			 (uint32_t)address_of("rounds_outer_return"));
	seek(t, 0, "rounds_loop");
	assert_int_equal(traced(t, AMDGPUDBG_REG_SGPR, 0, 13), 0);
	seek(t, 1, "rounds_call");
	assert_int_equal(traced(t, AMDGPUDBG_REG_SGPR, 0, 13), 1);
}

/* There is a breakpoint on the way, whose instruction is done elsewhere. */
static void a_trace_has_the_instructions_of_the_wave(void **state)
{
	struct adbgd_stop stop = one_at_loop(), other;
	struct amdgpudbg_wave_coord at = stop.at;
	struct adbgd_trace *t;
	uint64_t num;

	(void)state;
	MUST(adbgd_trace_begin(process, &at, &t, &error));
	num = 3;
	MUST(adbgd_trace_record(process, t, &num, &stop, &error));
	assert_true(num == 3);
	num = LAST_IN_PATH - 3;
	MUST(adbgd_trace_record(process, t, &num, &stop, &error));
	is_at(&stop, "rounds_after", 1);
	for (size_t i = 0; i <= LAST_IN_PATH; i++)
		seek(t, i, rounds_path[i]);
	check_registers(t);
	/* Not from somewhere else: that is the load by which it sees its last round. */
	prog_ctl(&prog)[2] = 0;
	MUST(adbgd_wave_step(process, &at, &other, &error));
	num = 1;
	assert_int_equal(adbgd_trace_record(process, t, &num, &stop, &error), -ESTALE);
	assert_true(num == 0);
	adbgd_trace_free(t);

	MUST(adbgd_trace_begin(process, &at, &t, &error));
	num = 1000;
	MUST(adbgd_trace_record(process, t, &num, &stop, &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	/* s_waitcnt to s_endpgm, without the s_cbranch's way back */
	assert_true(num == 9 && adbgd_trace_get_info(t)->num_steps == 9);
	seek(t, 8, "rounds_end");
	/* The next one needs a wave. */
	num = 1;
	assert_int_equal(adbgd_trace_record(process, t, &num, &stop, &error), -ENODATA);
	adbgd_trace_free(t);
	all_end(1);
}

/* It stops elsewhere, or is not there in time, or ends. */
static void until_ends_when_the_wave_stops_elsewhere_or_ends(void **state)
{
	struct adbgd_stop stop = one_at_loop(), other;
	struct adbgd_breakpoint *call;
	struct amdgpudbg_wave_coord at = stop.at;

	(void)state;
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_breakpoint_set(process, address_of("rounds_outer"), 0, &call, &error));
	wait_halted(NUM_WAVES);
	MUST(adbgd_wave_until(process, &at, address_of("rounds_after"), DEADLINE_MS, &stop,
			      &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "breakpoint");
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(call)->number);
	assert_memory_equal(&stop.at, &at, sizeof(at));
	/* Other waves are reported as usual. */
	for (unsigned int i = 1; i < NUM_WAVES; i++) {
		other = stop_at(call);
		assert_memory_not_equal(&other.at, &at, sizeof(at));
	}
	assert_no_stop();
	MUST(adbgd_breakpoint_clear(call, &error));
	assert_int_equal(adbgd_wave_until(process, &at, address_of("rounds_end"), NO_TIME_MS,
					  &stop, &error), -ETIMEDOUT);
	assert_non_null(strstr(error.text, "has not arrived after 20 ms, and is halted at 0x"));
	assert_int_equal(count_halted(), NUM_WAVES);
	assert_int_equal(adbgd_wave_until(process, &at, address_of("rounds_end") + 2,
					  NO_TIME_MS, &stop, &error), -EINVAL);
	assert_int_equal(count_halted(), NUM_WAVES);
	prog_ctl(&prog)[2] = 0;
	MUST(adbgd_wave_until(process, &at, address_of("breaks_end"), DEADLINE_MS, &stop,
			      &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	assert_int_equal(adbgd_wave_until(process, &at, address_of("breaks_end"), DEADLINE_MS,
					  &stop, &error), -ENODATA);
	all_end(0);
}

/* No event reports the wave that is waited for: its registers do. */
static void a_disabled_watch_hides_no_breakpoint_by_stepping(void **state)
{
	struct adbgd_stop stop = one_at_loop();
	struct amdgpudbg_wave_coord at = stop.at;
	struct adbgd_breakpoint *call;

	(void)state;
	MUST(adbgd_breakpoint_clear(b, &error));
	/* As after a hit of a watch that another program has set */
	write_reg(&at, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_TRAPSTS, 1u << 7);
	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_call"),
				     ADBGD_BREAKPOINT_STEPPED | ADBGD_BREAKPOINT_TEMPORARY, NULL,
				     &call, &error));
	MUST(adbgd_wave_until(process, &at, address_of("rounds_after"), DEADLINE_MS, &stop,
			      &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "breakpoint");
	assert_true(stop.pc == address_of("rounds_call"));
	all_end(0);
}

/*
 * Breakpoints are pending while there are waves without a handler, which started before the attach.
 * These waves execute breaks_wait again and again, until they are released; the host steps one.
 */
static void waves_older_than_the_attach_are_stepped_to_their_goal(void **state)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = { .capacity = NUM_WAVES, .waves = (uintptr_t)waves };
	struct adbgd_breakpoint *loop;
	struct adbgd_stop stop;

	(void)state;
	detach();
	start_job();
	wait_begun();
	MUST(attach(getpid()));
	MUST(adbgd_process_halt(process, &error));
	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	assert_int_equal(list.count, NUM_WAVES);
	stop.at = waves[0].at;
	for (unsigned int i = 0; i < 2; i++) {
		until(&stop, "breaks_wait");
		assert_string_equal(adbgd_stop_reason_name(stop.reason), "step");
		assert_true(stop.pc == address_of("breaks_wait"));
	}
	MUST(adbgd_breakpoint_set(process, address_of("breaks_wait"), 0, &loop, &error));
	until(&stop, "breaks_loop");
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "breakpoint");
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(loop)->number);
	assert_true(adbgd_breakpoint_get_info(loop)->flags & ADBGD_BREAKPOINT_PENDING);
	MUST(adbgd_breakpoint_clear(loop, &error));
	assert_int_equal(adbgd_wave_until(process, &waves[1].at, address_of("breaks_loop"),
					  NO_TIME_MS, &stop, &error), -ETIMEDOUT);
	stop.at = waves[0].at;
	release_waves();
	until(&stop, "breaks_call");
	is_at(&stop, "breaks_call", 1);
	next(&stop);
	is_at(&stop, "breaks_compare", 1);
	until(&stop, "breaks_function");
	is_at(&stop, "breaks_function", 2);
	finish(&stop);
	is_at(&stop, "breaks_compare", 2);
	assert_int_equal(count_halted(), NUM_WAVES);
	MUST(adbgd_process_continue(process, &error));
	finish_job();
}

static void is_interrupted(const struct amdgpudbg_wave_coord *at)
{
	struct adbgd_stop stop = { .at = *at };
	struct adbgd_trace *t;
	uint64_t num = 1000;

	assert_int_equal(adbgd_wave_until(process, at, address_of("rounds_end"), -1, &stop,
					  &error), -EINTR);
	assert_non_null(strstr(error.text, "interrupted: wave "));
	assert_non_null(strstr(error.text, " has not arrived, and is halted at 0x"));
	assert_int_equal(count_halted(), 1);
	/* The number of steps is returned. */
	MUST(adbgd_wave_step_n(process, at, &num, &stop, &error));
	assert_true(num == 1);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "step");
	num = 1000000;
	MUST(adbgd_trace_begin(process, at, &t, &error));
	MUST(adbgd_trace_record(process, t, &num, &stop, &error));
	assert_in_range(num, 1, 999999);
	assert_true(adbgd_trace_get_info(t)->num_steps == num);
	adbgd_trace_free(t);
	assert_int_equal(adbgd_process_wait_stop(process, -1, &stop, &error), -EINTR);
}

/* There is something to be read all the time: each call ends at once. */
static void until_can_be_interrupted(void **state)
{
	struct adbgd_stop stop = one_at_loop(), stops[NUM_WAVES];
	int fd = eventfd(1, EFD_CLOEXEC);
	size_t count;

	(void)state;
	assert_true(fd >= 0);
	adbgd_process_set_interrupt(process, fd);
	is_interrupted(&stop.at);
	MUST(adbgd_process_halt(process, &error));
	MUST(adbgd_process_until(process, address_of("rounds_end"), -1, stops, NUM_WAVES, &count,
				 &error));
	assert_int_equal(count, NUM_WAVES);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(adbgd_stop_reason_name(stops[i].reason),
				    "interrupted");
	assert_int_equal(count_halted(), NUM_WAVES);
	adbgd_process_set_interrupt(process, -1);
	close(fd);
	until(&stop, "rounds_after");
	all_end(1);
}

/* The module may read a wave for its event only after the stop was reported. */
static void an_event_of_a_reported_stop_may_come_late(void **state)
{
	struct adbgd_stop stop = one_at_loop(), again;
	struct amdgpudbg_wave wave;
	struct amdgpudbg_wave_list list = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP, .select.at = stop.at,
		.select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE |
				  AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP |
				  AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE,
		.capacity = 1, .waves = (uintptr_t)&wave,
	};
	struct amdgpudbg_event event = {
		.type = AMDGPUDBG_EVENT_WAVE,
		.flags = AMDGPUDBG_EVENT_IS_PRIV | AMDGPUDBG_EVENT_HAS_STATE,
		.cause = stop.cause, .trap_id = stop.trap_id,
	};

	(void)state;
	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	assert_int_equal(list.count, 1);
	event.at = wave.at;
	event.vmid = wave.vmid;
	/* That of the s_trap, which is what the wave has trapped for */
	event.pc = stop.pc;
	assert_int_equal(adbgd_process_handle_event(process, &event, &again, &error), -EAGAIN);
	assert_no_stop();
	assert_int_equal(adbgd_breakpoint_get_info(b)->hits, 1);
	all_end(1);
}

/* ------------------------------------------------------------------- all waves */

/* All stand at rounds_loop, in their first round; no breakpoint is left. */
static void all_at_loop(struct adbgd_stop stops[NUM_WAVES])
{
	start_kernel("rounds");
	prog_ctl(&prog)[2] = UINT32_MAX;
	MUST(adbgd_breakpoint_set(process, address_of("rounds_loop"), 0, &b, &error));
	release_waves();
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
}

/* The one of @stops whose wave is @at */
static struct adbgd_stop *of_wave(struct adbgd_stop stops[NUM_WAVES],
				  const struct amdgpudbg_wave_coord *at)
{
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		if (!memcmp(&stops[i].at, at, sizeof(*at)))
			return &stops[i];
	}
	fail_msg("another wave is reported");
	return NULL;
}

/* As all but the wave @one are, which is where it says */
static void all_but(struct adbgd_stop now[NUM_WAVES], const struct adbgd_stop *one,
		    const char *name, uint32_t round)
{
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		if (!one || memcmp(&now[i].at, &one->at, sizeof(one->at)))
			is_at(&now[i], name, round);
	}
}

static void all_until(struct adbgd_stop now[NUM_WAVES], const char *name)
{
	size_t num = 0;

	MUST(adbgd_process_until(process, address_of(name), DEADLINE_MS, now, NUM_WAVES, &num,
				 &error));
	assert_int_equal(num, NUM_WAVES);
}

static void all_waves_run_until_an_address(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], now[NUM_WAVES];

	(void)state;
	all_at_loop(stops);
	all_until(now, "rounds_after");
	all_but(now, NULL, "rounds_after", 1);
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		of_wave(now, &stops[i].at);
	all_until(now, "rounds_after");
	all_but(now, NULL, "rounds_after", 2);
	all_end(0);
}

/* One is where it calls, and one elsewhere in the loop. */
static void each_wave_steps_its_own_instruction(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], now[NUM_WAVES];
	size_t num = 0;

	(void)state;
	all_at_loop(stops);
	all_until(now, "rounds_loop");
	until(&stops[0], "rounds_call");
	until(&stops[1], "rounds_inner_return");
	MUST(adbgd_process_step_over(process, DEADLINE_MS, now, NUM_WAVES, &num, &error));
	assert_int_equal(num, NUM_WAVES);
	is_at(of_wave(now, &stops[0].at), "rounds_after", 2);
	is_at(of_wave(now, &stops[1].at), "rounds_outer_return", 2);
	for (unsigned int i = 2; i < NUM_WAVES; i++)
		is_at(of_wave(now, &stops[i].at), "rounds_call", 2);
	all_end(0);
}

/* One leaves a function, in which others are, too, on their way to the end of all. */
static void each_wave_leaves_its_own_function(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], now[NUM_WAVES];
	size_t num = 0;

	(void)state;
	all_at_loop(stops);
	until(&stops[0], "rounds_mad");
	prog_ctl(&prog)[2] = 0;
	MUST(adbgd_process_finish(process, DEADLINE_MS, now, NUM_WAVES, &num, &error));
	assert_int_equal(num, NUM_WAVES);
	is_at(of_wave(now, &stops[0].at), "rounds_outer_return", 1);
	all_but(now, &stops[0], "rounds_end", 1);
	MUST(adbgd_process_finish(process, DEADLINE_MS, now, NUM_WAVES, &num, &error));
	is_at(of_wave(now, &stops[0].at), "rounds_after", 1);
	for (unsigned int i = 1; i < NUM_WAVES; i++)
		assert_string_equal(adbgd_stop_reason_name(of_wave(now, &stops[i].at)->reason),
				    "wave-end");
	all_end(0);
}

/* Those that never leave it come to where the first one does all the time. */
static void a_timeout_ends_until_for_all_waves(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], now[NUM_WAVES];
	size_t num = 0;

	(void)state;
	all_at_loop(stops);
	until(&stops[0], "rounds_mad");
	MUST(adbgd_process_finish(process, NO_TIME_MS, now, NUM_WAVES, &num, &error));
	assert_int_equal(num, NUM_WAVES);
	for (unsigned int i = 1; i < NUM_WAVES; i++)
		assert_string_equal(adbgd_stop_reason_name(of_wave(now, &stops[i].at)->reason),
				    "interrupted");
	assert_int_equal(count_halted(), NUM_WAVES);
	all_end(0);
}

/* All stops are reported, then it is done; a breakpoint with a false condition stops none. */
static void breakpoints_stop_waves_that_run_until_an_address(void **state)
{
	const struct adbgd_condition never = {
		.relation = ADBGD_RELATION_EQUAL, .space = AMDGPUDBG_REG_SGPR, .reg = 13,
		.value = ~0u,
	};
	struct adbgd_stop stops[NUM_WAVES], now[NUM_WAVES];
	struct adbgd_breakpoint *here, *there;

	(void)state;
	all_at_loop(stops);
	MUST(adbgd_breakpoint_set(process, address_of("rounds_after"),
				  ADBGD_BREAKPOINT_TEMPORARY, &here, &error));
	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_inner"),
				     ADBGD_BREAKPOINT_TEMPORARY, &never, &there, &error));
	all_until(now, "rounds_inner");
	all_but(now, NULL, "rounds_inner", 1);
	assert_true(adbgd_breakpoint_get_info(there)->hits == 0);
	all_until(now, "rounds_after");
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		assert_string_equal(adbgd_stop_reason_name(now[i].reason), "breakpoint");
		assert_true(now[i].pc == address_of("rounds_after"));
	}
	assert_ptr_equal(adbgd_process_get_breakpoint(process, 0), there);
	MUST(adbgd_breakpoint_clear(there, &error));
	all_end(0);
}

static void until_waits_for_all_halted_waves(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], now[NUM_WAVES];
	size_t num = 0;

	(void)state;
	all_at_loop(stops);
	assert_int_equal(adbgd_process_until(process, address_of("rounds_after"), DEADLINE_MS,
					     now, NUM_WAVES - 1, &num, &error), -ENOSPC);
	assert_int_equal(adbgd_process_until(process, address_of("rounds_after") + 2,
					     DEADLINE_MS, now, NUM_WAVES, &num, &error), -EINVAL);
	assert_int_equal(num, 0);
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		assert_true(wave_at(&stops[i].at).pc == stops[i].pc);
	/* One runs, which is not among them: it is already behind the address. */
	MUST(adbgd_wave_continue(process, &stops[0].at, &error));
	MUST(adbgd_process_until(process, address_of("rounds_after"), DEADLINE_MS, now,
				 NUM_WAVES, &num, &error));
	assert_int_equal(num, NUM_WAVES - 1);
	for (unsigned int i = 0; i < num; i++)
		is_at(&now[i], "rounds_after", 1);
	wait_halted(NUM_WAVES - 1);
	assert_no_stop();
	MUST(adbgd_process_until(process, address_of("rounds_end"), NO_TIME_MS, now, NUM_WAVES,
				 &num, &error));
	assert_int_equal(num, NUM_WAVES - 1);
	for (unsigned int i = 0; i < num; i++) {
		assert_string_equal(adbgd_stop_reason_name(now[i].reason),
				    "interrupted");
		assert_true(wave_at(&now[i].at).pc == now[i].pc);
	}
	assert_int_equal(count_halted(), NUM_WAVES - 1);
	MUST(adbgd_process_continue(process, &error));
	wait_halted(0);
	assert_int_equal(adbgd_process_until(process, address_of("rounds_end"), DEADLINE_MS, now,
					     NUM_WAVES, &num, &error), -ENODATA);
	all_end(0);
}

int debugger_until(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_wave_runs_until_an_address),
		TEST(next_steps_over_a_call),
		TEST(finish_leaves_a_function),
		TEST(many_steps_are_done_by_one_call),
		TEST(the_number_of_steps_is_returned),
		TEST(a_trace_has_the_instructions_of_the_wave),
		TEST(until_ends_when_the_wave_stops_elsewhere_or_ends),
		TEST(a_disabled_watch_hides_no_breakpoint_by_stepping),
		TEST(waves_older_than_the_attach_are_stepped_to_their_goal),
		TEST(until_can_be_interrupted),
		TEST(an_event_of_a_reported_stop_may_come_late),
		TEST(all_waves_run_until_an_address),
		TEST(each_wave_steps_its_own_instruction),
		TEST(each_wave_leaves_its_own_function),
		TEST(until_waits_for_all_halted_waves),
		TEST(a_timeout_ends_until_for_all_waves),
		TEST(breakpoints_stop_waves_that_run_until_an_address),
	};

	return cmocka_run_group_tests(tests, open_some, close_prog);
}
