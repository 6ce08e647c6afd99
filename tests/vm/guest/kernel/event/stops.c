// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of waves that stop in a trap handler, and their causes: the default handler, s_trap,
 * exceptions, a watch; and interrupts that the hardware itself sends. This process is its own
 * target.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "prog.h"
#include "until.h"

#define CODE_OBJECT "/usr/share/amdgpudbg/traps.co"
#define DEADLINE_MS 60000
#define WAVES 2		/* of one work-group */
#define S_TRAP 0xbf920000u	/* with trap 0 */
#define TTMP1_RESUMED (1u << 31)	/* TRAP_TTMP1_RESUMED_BIT */
/* All that is about a wave, or that would end one */
#define STOPS (1ULL << AMDGPUDBG_EVENT_WAVE | 1ULL << AMDGPUDBG_EVENT_GPU_RESET | \
	       1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED | 1ULL << AMDGPUDBG_EVENT_HANDLER_LOST)

static const uint32_t slow_code[] = {
#include "slow.inc"
};

static struct prog prog;
static struct gpu_job job;
static struct adbg_session *session;

static int set_up(void **state)
{
	struct amdgpudbg_target_set target = {
		.drm_fd = prog.gpu.fd, .pidfd = -1,
	};
	(void)state;
	return adbg_open("0", &session) ||
	       adbg_target_set(session, &target) ||
	       adbg_event_enable(session, STOPS, 0, 0);
}

static int take_down(void **state)
{
	(void)state;
	adbg_session_close(session);
	return 0;
}

static void start(const char *kernel)
{
	uint32_t *in = prog.buf[PROG_IN].cpu;

	for (uint32_t i = 0; i < prog.items; i++)
		in[i] = i * 3;
	memset(prog.buf[PROG_OUT].cpu, 0, prog.buf[PROG_OUT].size);
	assert_int_equal(prog_submit(&prog, kernel, &job), 0);
}

/* It must have ended, with results greater by @add. */
static void finish(uint32_t add)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu;

	assert_int_equal(gpu_wait(&prog.gpu, &job, DEADLINE_MS * 1000000ull),
			 0);
	for (uint32_t i = 0; i < prog.items; i++)
		assert_int_equal(out[i], i * 3 + add);
	gpu_job_free(&prog.gpu, &job);
}

static struct amdgpudbg_event next_event(void)
{
	struct amdgpudbg_event ev = { 0 };

	assert_int_equal(adbg_event_next(session, &ev, DEADLINE_MS), 0);
	return ev;
}

static void control(enum amdgpudbg_waveop op, const struct amdgpudbg_event *ev)
{
	struct amdgpudbg_wave_control wc = {
		.op = op, .mode = AMDGPUDBG_WAVEMODE_SINGLE, .vmid = ev->vmid,
		.at = ev->at,
	};

	assert_int_equal(adbg_wave_control(session, &wc), 0);
	assert_int_equal(wc.changed, 1);
}

/* A wave that its handler has halted, because of the program's instruction */
static void is_stop(const struct amdgpudbg_event *ev, uint32_t vmid,
		    uint64_t cause, uint32_t trap_id)
{
	const uint32_t *code = prog.buf[PROG_CODE].cpu;

	assert_int_equal(ev->type, AMDGPUDBG_EVENT_WAVE);
	assert_int_equal(ev->flags, AMDGPUDBG_EVENT_HAS_WAVE |
					    AMDGPUDBG_EVENT_HAS_STATE |
					    AMDGPUDBG_EVENT_IS_PRIV);
	assert_int_equal(ev->vmid, vmid);
	assert_int_equal(ev->cause, cause);
	assert_int_equal(ev->trap_id, trap_id);
	assert_int_equal(ev->watch_mask, 0);
	assert_in_range(ev->pc, prog.buf[PROG_CODE].va,
			prog.buf[PROG_CODE].va + prog.co.size - 1);
	if (cause == AMDGPUDBG_CAUSE_S_TRAP)
		assert_int_equal(code[(ev->pc - prog.buf[PROG_CODE].va) / 4],
				 S_TRAP | trap_id);
}

/* The next events are of such stops, one of each wave. */
static void all_stop(struct amdgpudbg_event *ev, uint32_t vmid, uint64_t cause,
		     uint32_t trap_id)
{
	for (int i = 0; i < WAVES; i++) {
		ev[i] = next_event();
		is_stop(&ev[i], vmid, cause, trap_id);
	}
}

static void resume_all(const struct amdgpudbg_event *ev)
{
	for (int i = 0; i < WAVES; i++)
		control(AMDGPUDBG_WAVEOP_RESUME, &ev[i]);
}

static void s_trap_is_a_stop(void **state)
{
	struct amdgpudbg_event ev[WAVES];
	uint32_t vmid;

	(void)state;
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	start("trap_value");
	for (int i = 0; i < WAVES; i++) {
		ev[i] = next_event();
		assert_int_equal(ev[i].seq, i + 1);
		is_stop(&ev[i], vmid, AMDGPUDBG_CAUSE_S_TRAP, 3);
	}
	assert_memory_not_equal(&ev[0].at, &ev[1].at, sizeof(ev[0].at));
	resume_all(ev);
	finish(5);
	assert_int_equal(adbg_trap_uninstall(session), 0);
}

/* The session of the test gets its event with, or after, the others. */
static void a_session_gets_only_the_causes_that_it_wants(void **state)
{
	static const uint64_t causes[] = {
		AMDGPUDBG_CAUSE_WATCH | AMDGPUDBG_CAUSE_MEM_VIOL,
		AMDGPUDBG_CAUSE_WATCH | AMDGPUDBG_CAUSE_S_TRAP,
	};
	struct amdgpudbg_target_set target = {
		.drm_fd = prog.gpu.fd, .pidfd = -1,
	};
	struct amdgpudbg_event ev[WAVES], other_ev = { 0 };
	struct adbg_session *other[2];
	uint32_t vmid;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(adbg_open("0", &other[i]), 0);
		assert_int_equal(adbg_target_set(other[i], &target), 0);
		assert_int_equal(adbg_event_enable(other[i], 1ULL << AMDGPUDBG_EVENT_WAVE,
						   causes[i], 0), 0);
	}
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	start("trap_value");
	all_stop(ev, vmid, AMDGPUDBG_CAUSE_S_TRAP, 3);
	for (int i = 0; i < WAVES; i++)
		assert_int_equal(adbg_event_next(other[1], &other_ev, DEADLINE_MS), 0);
	assert_int_equal(adbg_event_next(other[0], &other_ev, 0), -EAGAIN);
	resume_all(ev);
	finish(5);
	assert_int_equal(adbg_trap_uninstall(session), 0);
	adbg_session_close(other[0]);
	adbg_session_close(other[1]);
}

static void the_event_of_an_exception_has_its_cause(void **state)
{
	struct amdgpudbg_event ev[WAVES];
	uint32_t vmid;

	(void)state;
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	start("trap_div0");
	all_stop(ev, vmid, AMDGPUDBG_CAUSE_FLOAT_DIV0, 0);
	resume_all(ev);
	finish(0xff);
	assert_int_equal(adbg_trap_uninstall(session), 0);
}

/* The waves that an event was about end, and the job with them. */
static void kill_all(const struct amdgpudbg_event *ev)
{
	for (int i = 0; i < WAVES; i++)
		control(AMDGPUDBG_WAVEOP_KILL, &ev[i]);
	assert_int_equal(gpu_wait(&prog.gpu, &job, DEADLINE_MS * 1000000ull),
			 0);
	gpu_job_free(&prog.gpu, &job);
}

/* The hardware says so by itself; nothing else would. */
static void an_illegal_instruction_needs_no_handler(void **state)
{
	struct amdgpudbg_event ev[WAVES];

	(void)state;
	start("trap_illegal");
	for (int i = 0; i < WAVES; i++) {
		ev[i] = next_event();
		assert_int_equal(ev[i].type, AMDGPUDBG_EVENT_WAVE);
		assert_int_equal(ev[i].flags, AMDGPUDBG_EVENT_HAS_WAVE |
				 AMDGPUDBG_EVENT_HAS_STATE | AMDGPUDBG_EVENT_IS_ERROR);
		assert_int_equal(ev[i].cause, AMDGPUDBG_CAUSE_ILLEGAL_INST);
		/* SQ_INTERRUPT_ERROR_TYPE_ILLEGAL_INST */
		assert_int_equal(ev[i].data >> 19, 1);
	}
	kill_all(ev);
}

/* With a handler it is reported twice: by the hardware, and by the handler. */
static void an_illegal_instruction_stops_in_the_handler(void **state)
{
	struct amdgpudbg_event stop[WAVES];
	uint32_t vmid;
	int stops = 0, errors = 0;

	(void)state;
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	start("trap_illegal");
	while (stops + errors < 2 * WAVES) {
		struct amdgpudbg_event ev = next_event();

		assert_int_equal(ev.type, AMDGPUDBG_EVENT_WAVE);
		assert_int_equal(ev.cause, AMDGPUDBG_CAUSE_ILLEGAL_INST);
		if (ev.flags & AMDGPUDBG_EVENT_IS_ERROR) {
			assert_false(ev.flags & AMDGPUDBG_EVENT_IS_PRIV);
			errors++;
			continue;
		}
		is_stop(&ev, vmid, AMDGPUDBG_CAUSE_ILLEGAL_INST, 0);
		assert_true(stops < WAVES);
		stop[stops++] = ev;
	}
	assert_int_equal(errors, WAVES);
	kill_all(stop);
	assert_int_equal(adbg_trap_uninstall(session), 0);
}

/* Have all waves halted again, not in their handler? Those that were resumed are marked. */
static bool all_have_halted_again(void *arg)
{
	struct amdgpudbg_wave_list halted = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV,
		.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
	};
	int num = 0;

	assert_int_equal(adbg_wave_list_fill(arg, session, &halted), 0);
	for (size_t i = 0; i < adbg_wave_list_count(arg); i++)
		num += !(adbg_wave_list_get(arg, i)->ttmp[1] & TTMP1_RESUMED);
	return num == WAVES;
}

/*
 * The debugger's handler is gone, and the module's in its place cannot get past the
 * instruction. It does not return to it again and again, each time with an interrupt.
 */
static void an_illegal_instruction_halts_a_wave_whose_handler_was_removed(void **state)
{
	struct amdgpudbg_event ev, at[WAVES];
	struct adbg_wave_list *list;
	int stops = 0, errors = 0;
	uint32_t vmid;

	(void)state;
	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	start("trap_illegal");
	while (stops < WAVES || errors < WAVES) {
		ev = next_event();
		if (ev.flags & AMDGPUDBG_EVENT_IS_ERROR)
			errors++;
		else
			at[stops++ % WAVES] = ev;
	}
	assert_int_equal(adbg_trap_uninstall(session), 0);
	assert_int_equal(adbg_resume_all(session, NULL), 0);
	assert_true(until(all_have_halted_again, list, DEADLINE_MS / 1000));
	for (int i = 0; i < WAVES; i++)
		assert_true(adbg_wave_list_get(list, i)->pc == at[0].pc);
	/* Nor does the module resume them, which it looks for every 20 ms. */
	assert_int_equal(adbg_event_next(session, &ev, 200), -EAGAIN);
	assert_true(all_have_halted_again(list));
	kill_all(at);
	adbg_wave_list_free(list);
}

/* After the first instruction, and of no exception. */
static void debug_mode_is_a_stop(void **state)
{
	struct amdgpudbg_launch_set launch = {
		.mode = AMDGPUDBG_LAUNCH_DEBUG,
	};
	struct amdgpudbg_event ev[WAVES];
	uint32_t vmid;

	(void)state;
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	assert_int_equal(adbg_launch_set(session, &launch), 0);
	start("trap_value");
	all_stop(ev, vmid, AMDGPUDBG_CAUSE_DEBUG, 0);
	kill_all(ev);
	launch.mode = AMDGPUDBG_LAUNCH_NORMAL;
	assert_int_equal(adbg_launch_set(session, &launch), 0);
	assert_int_equal(adbg_trap_uninstall(session), 0);
}

static void a_watch_hit_is_a_stop(void **state)
{
	struct amdgpudbg_launch_set launch = {
		.flags = AMDGPUDBG_LAUNCH_SET_EXCP,
		.excp_mask = AMDGPUDBG_CAUSE_WATCH,
	};
	struct amdgpudbg_watch_set watch = {
		.mode = AMDGPUDBG_WATCH_NONREAD,
		.address = prog.buf[PROG_OUT].va, .bytes = 256,
	};
	struct amdgpudbg_event ev[WAVES];
	uint32_t vmid;

	(void)state;
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	assert_int_equal(adbg_watch_set(session, &watch), 0);
	assert_int_equal(adbg_launch_set(session, &launch), 0);
	assert_int_equal(watch.id, 0);
	start("trap_value");
	all_stop(ev, vmid, AMDGPUDBG_CAUSE_S_TRAP, 3);
	resume_all(ev);
	for (int i = 0; i < WAVES; i++) {
		ev[i] = next_event();
		assert_int_equal(ev[i].type, AMDGPUDBG_EVENT_WAVE);
		assert_int_equal(ev[i].cause, AMDGPUDBG_CAUSE_WATCH);
		assert_int_equal(ev[i].watch_mask, 1);
		assert_int_equal(ev[i].trap_id, 0);
		assert_true(ev[i].flags & AMDGPUDBG_EVENT_HAS_STATE);
	}
	resume_all(ev);
	finish(5);
	assert_int_equal(adbg_watch_clear(session, watch.id), 0);
	assert_int_equal(adbg_trap_uninstall(session), 0);
}

/* slow.S, with how far it is to count */
static uint32_t install_slow(uint32_t count)
{
	struct amdgpudbg_mem_alloc code = {
		.flags = AMDGPUDBG_MEM_ALLOC_EXEC, .bytes = sizeof(slow_code),
	};
	struct amdgpudbg_trap_handler handler = {
		.tba_size = sizeof(slow_code), .tma = prog.buf[PROG_CTL].va,
		.tma_size = PROG_CTL_WORDS * 4,
	};

	prog_ctl(&prog)[0] = count;
	assert_int_equal(adbg_mem_alloc(session, &code), 0);
	assert_int_equal(adbg_mem_write(session, code.id, 0, slow_code,
					sizeof(slow_code)), 0);
	handler.tba = code.va;
	assert_int_equal(adbg_trap_handler_set(session, &handler), 0);
	return handler.vmid;
}

/* From its message to its halt it takes milliseconds. */
static void the_event_waits_for_a_slow_handler(void **state)
{
	uint32_t vmid = install_slow(30000);
	struct amdgpudbg_event ev[WAVES];

	(void)state;
	start("trap_value");
	all_stop(ev, vmid, AMDGPUDBG_CAUSE_S_TRAP, 3);
	resume_all(ev);
	finish(5);
	assert_int_equal(adbg_trap_handler_clear(session), 0);
}

/* As it does not halt its wave, all that is known is that it was entered. */
static void the_stop_of_an_unknown_handler_has_no_cause(void **state)
{
	uint32_t vmid = install_slow(UINT32_MAX);
	struct amdgpudbg_event ev[WAVES];

	(void)state;
	start("trap_value");
	for (int i = 0; i < WAVES; i++) {
		ev[i] = next_event();
		assert_int_equal(ev[i].type, AMDGPUDBG_EVENT_WAVE);
		assert_int_equal(ev[i].flags, AMDGPUDBG_EVENT_HAS_WAVE |
					      AMDGPUDBG_EVENT_IS_PRIV);
		assert_int_equal(ev[i].vmid, vmid);
		assert_int_equal(ev[i].cause, 0);
	}
	kill_all(ev);
	assert_int_equal(adbg_trap_handler_clear(session), 0);
}

static int set_up_group(void **state)
{
	(void)state;
	return prog_open(&prog, NULL, CODE_OBJECT, PROG_GROUP, 0);
}

static int take_down_group(void **state)
{
	(void)state;
	prog_close(&prog);
	return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, take_down)
	const struct CMUnitTest tests[] = {
		TEST(s_trap_is_a_stop),
		TEST(a_session_gets_only_the_causes_that_it_wants),
		TEST(the_event_of_an_exception_has_its_cause),
		TEST(debug_mode_is_a_stop),
		TEST(an_illegal_instruction_needs_no_handler),
		TEST(an_illegal_instruction_stops_in_the_handler),
		TEST(an_illegal_instruction_halts_a_wave_whose_handler_was_removed),
		TEST(a_watch_hit_is_a_stop),
		TEST(the_event_waits_for_a_slow_handler),
		TEST(the_stop_of_an_unknown_handler_has_no_cause),
	};

	return cmocka_run_group_tests(tests, set_up_group, take_down_group);
}
