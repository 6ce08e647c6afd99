// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler: turns, time, barriers, the end of waves and of queues.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sq_gpu.h"

static int setup(void **state)
{
	*state = gpu_new(1, 1, 4);
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

/* All waves that run have got on about equally. */
struct progress {
	u64 least, most;
	unsigned int waves;
};

static void note(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	struct progress *p = arg;

	(void)g;
	if (!p->waves++ || w->instructions < p->least)
		p->least = w->instructions;
	if (w->instructions > p->most)
		p->most = w->instructions;
}

static void a_dispatch_ends_with_its_waves(void **state)
{
	static const u32 code[] = { I_NOP, I_ADD_S20_1, I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(256, 300);

	gpu_code(g, GPU_VA, code, 3);
	assert_false(vgpu_sq_runnable(g));
	assert_int_equal(vgpu_sq_dispatch(g, &d), 0);
	assert_true(vgpu_sq_runnable(g));
	assert_true(vgpu_sq_queue_busy(g, d.queue));
	gpu_run(g);
	assert_false(vgpu_sq_queue_busy(g, d.queue));
	assert_int_equal(g->counters.dispatches, 1);
	assert_int_equal(g->counters.waves, 300 * 8);
	assert_int_equal(g->counters.instructions, 300 * 8 * 3);
}

static void waves_run_in_turns(void **state)
{
	static const u32 code[] = { I_NOP, I_BRANCH_TWO };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 64);
	struct progress p = { 0 };

	gpu_code(g, GPU_VA, code, 2);
	vgpu_sq_dispatch(g, &d);
	/* Many short turns, so that it matters where the next one begins. */
	while (g->counters.instructions < 64 * 1000)
		vgpu_sq_run(g, 1);
	vgpu_sq_for_each(g, note, &p);
	assert_int_equal(p.waves, 64);
	/* The longest slice is 512 instructions and a bit. */
	assert_true(p.least > 0);
	assert_true(p.most - p.least <= 2 * 528);
	assert_true(vgpu_sq_runnable(g));
}

/* A loop of two is seen at both of its PCs, whatever the slices are. */
static void a_loop_is_seen_at_each_of_its_pcs(void **state)
{
	static const u32 code[] = { I_NOP, I_BRANCH_TWO };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	unsigned int i, first = 0;

	gpu_code(g, GPU_VA, code, 2);
	gpu_launch(g, &d);
	for (i = 0; i < 100; i++) {
		vgpu_sq_run(g, 1);
		first += vgpu_sq_wave(g, 0, 0, 0, 0, 0)->pc == GPU_VA;
	}
	assert_in_range(first, 10, 90);
}

/*
 * With 64 waves spinning, the host is heard again in time. The best of many
 * runs, because this process may have to wait for its processor.
 */
static void the_host_is_answered_in_time_while_64_waves_run(void **state)
{
	static const u32 code[] = { I_NOP, I_BRANCH_TWO };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 64);
	u64 best = ~0ULL, start, took;
	unsigned int i;

	gpu_code(g, GPU_VA, code, 2);
	vgpu_sq_dispatch(g, &d);
	vgpu_sq_run(g, 1000000);
	for (i = 0; i < 200; i++) {
		start = vgpu_now_ns();
		vgpu_sq_run(g, 20000);
		took = vgpu_now_ns() - start;
		assert_true(took >= 20000);
		if (took < best)
			best = took;
	}
	assert_true(best < 60000);
}

/* 64 * 127 clocks (RDNA2 ISA, S_SLEEP), of 1 ns: no clock of RDNA2 is slower in use. */
#define SLEEP_127		0xbf8e007f
#define SLEEP_0			0xbf8e0000
#define SLEEP_127_NS		8128
#define BRANCH_THREE		0xbf82fffd

/* A wave that sleeps in a loop goes round it no more often than that allows. */
static void a_sleeping_wave_loops_no_faster_than_its_sleep(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, SLEEP_127, BRANCH_THREE };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 3);
	u64 start = vgpu_now_ns();

	vgpu_wave_halt(g, w, false);
	w->s[20] = 0;
	while (w->s[20] < 100) {
		vgpu_sq_run(g, 1000);
		assert_true(vgpu_sq_runnable(g));
		assert_in_range(vgpu_sq_sleeps_ns(g), 0, SLEEP_127_NS);
	}
	assert_in_range(w->s[20] - 1, 0, (vgpu_now_ns() - start) / SLEEP_127_NS);
}

/* When all do, a turn executes nothing. */
static void a_turn_of_sleeping_waves_executes_nothing(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, SLEEP_127, BRANCH_THREE };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 3);
	unsigned int seen = 0;
	u64 before, wakes, ran;

	vgpu_wave_halt(g, w, false);
	for (unsigned int i = 0; i < 1000000 && seen < 10; i++) {
		vgpu_sq_run(g, 1);
		before = vgpu_now_ns();
		wakes = before + vgpu_sq_sleeps_ns(g);
		ran = g->counters.instructions;
		vgpu_sq_run(g, 1);
		/* Else this process had to wait for its processor. */
		if (vgpu_now_ns() < wakes) {
			assert_int_equal(g->counters.instructions, ran);
			seen++;
		}
	}
	assert_int_equal(seen, 10);
}

/* A wave that does not sleep has the time, and wakes no other. */
static void a_sleeping_wave_leaves_the_time_to_others(void **state)
{
	static const u32 sleeps[] = { I_ADD_S20_1, SLEEP_127, BRANCH_THREE };
	static const u32 works[] = { I_NOP, SLEEP_0, BRANCH_THREE };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, sleeps, 3);
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	u64 start = vgpu_now_ns();

	gpu_code(g, GPU_VA + 0x100, works, 3);
	d.pgm = GPU_VA + 0x100;
	gpu_launch(g, &d);
	vgpu_wave_halt(g, w, false);
	w->s[20] = 0;
	while (g->counters.instructions < 100000) {
		vgpu_sq_run(g, 1000);
		assert_int_equal(vgpu_sq_sleeps_ns(g), 0);
	}
	assert_true(w->s[20] > 0);
	assert_in_range(w->s[20] - 1, 0, (vgpu_now_ns() - start) / SLEEP_127_NS);
}

static void a_halted_wave_needs_no_time(void **state)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 1);
	u64 before = g->counters.instructions;

	assert_false(vgpu_sq_runnable(g));
	vgpu_sq_run(g, 1000000);
	assert_int_equal(g->counters.instructions, before);
	vgpu_wave_halt(g, w, false);
	assert_true(vgpu_sq_runnable(g));
	vgpu_sq_run(g, 1000);
	assert_true(g->counters.instructions > before);
}

static void a_shader_halts_its_wave(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, I_SETHALT, I_ADD_S20_1,
				    I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 4);

	vgpu_wave_halt(g, w, false);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 1);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	assert_int_equal(w->s[20], 1);
	assert_true(w->pc == GPU_VA + 8);
	vgpu_wave_halt(g, w, false);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
}

/* Three waves: two wait, the last one is held back, then all continue. */
static void waves_wait_at_a_barrier_for_the_last_one(void **state)
{
	static const u32 code[] = { I_BARRIER, I_ADD_S20_1, I_SETHALT,
				    I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(96, 1);
	struct vgpu_wave *w[3];
	unsigned int i;

	gpu_code(g, GPU_VA, code, 4);
	d.rsrc1 = 1 << 29;
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	gpu_launch(g, &d);
	for (i = 0; i < 3; i++) {
		w[i] = vgpu_sq_wave(g, 0, 0, 0, i, 0);
		assert_non_null(w[i]);
	}
	vgpu_wave_halt(g, w[0], false);
	vgpu_wave_halt(g, w[1], false);
	gpu_run(g);
	for (i = 0; i < 2; i++) {
		assert_int_equal(w[i]->stop, VGPU_STOP_BARRIER);
		/* STATUS.IN_BARRIER */
		assert_true(vgpu_wave_reg(g, w[i], VGPU_HWREG_STATUS) & 1 << 12);
		assert_int_equal(w[i]->s[20], 0);
	}
	/* Halted at the barrier: released, it stays where it is. */
	vgpu_wave_halt(g, w[1], true);
	vgpu_wave_halt(g, w[2], false);
	gpu_run(g);
	assert_int_equal(w[0]->s[20], 1);
	assert_int_equal(w[1]->s[20], 0);
	assert_int_equal(w[1]->stop, VGPU_STOP_HALT);
	assert_int_equal(w[2]->s[20], 1);
	vgpu_wave_halt(g, w[1], false);
	gpu_run(g);
	assert_int_equal(w[1]->s[20], 1);
}

/* The others do not wait for waves that have ended or were killed. */
static void a_barrier_does_not_wait_for_ended_waves(void **state)
{
	static const u32 code[] = { I_BARRIER, I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(96, 1);
	struct vgpu_wave *w[3];
	unsigned int i;

	gpu_code(g, GPU_VA, code, 2);
	d.rsrc1 = 1 << 29;
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	gpu_launch(g, &d);
	for (i = 0; i < 3; i++)
		w[i] = vgpu_sq_wave(g, 0, 0, 0, i, 0);
	vgpu_wave_halt(g, w[0], false);
	vgpu_wave_halt(g, w[1], false);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 3);
	/* One of those that wait, and then the one that never came. */
	vgpu_wave_end(g, w[1]);
	gpu_run(g);
	assert_int_equal(w[0]->stop, VGPU_STOP_BARRIER);
	vgpu_wave_end(g, w[2]);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_false(vgpu_sq_queue_busy(g, d.queue));
}

static void a_single_wave_does_not_wait_at_a_barrier(void **state)
{
	static const u32 code[] = { I_BARRIER, I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 2);

	vgpu_wave_halt(g, w, false);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
}

static void killing_a_queue_ends_its_waves(void **state)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1000);
	struct vgpu_dispatch other = gpu_dispatch(32, 1);

	gpu_code(g, GPU_VA, code, 1);
	other.queue.queue = 1;
	vgpu_sq_dispatch(g, &other);
	vgpu_sq_dispatch(g, &d);
	vgpu_sq_dispatch(g, &d);
	gpu_start(g);
	assert_int_equal(gpu_count_waves(g), 256);
	vgpu_sq_queue_kill(g, d.queue);
	assert_false(vgpu_sq_queue_busy(g, d.queue));
	assert_true(vgpu_sq_queue_busy(g, other.queue));
	vgpu_sq_run(g, 10000);
	assert_int_equal(gpu_count_waves(g), 1);
}

static void a_reset_ends_all_waves(void **state)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 1000);
	u64 serial;

	gpu_code(g, GPU_VA, code, 1);
	vgpu_sq_dispatch(g, &d);
	vgpu_sq_run(g, 10000);
	serial = vgpu_sq_wave(g, 0, 0, 0, 0, 0)->serial;
	vgpu_sq_reset(g);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_false(vgpu_sq_runnable(g));
	assert_false(vgpu_sq_queue_busy(g, d.queue));
	/* It works again, and a serial number is never used twice. */
	vgpu_sq_dispatch(g, &d);
	gpu_start(g);
	assert_int_equal(gpu_count_waves(g), 256);
	assert_true(vgpu_sq_wave(g, 0, 0, 0, 0, 0)->serial > serial);
}

static void an_impossible_geometry_is_refused(void **state)
{
	struct vgpu *g = *state;
	u8 num_wgp = g->num_wgp;
	struct vgpu_sq *sq = g->sq;

	g->sq = NULL;
	g->num_wgp = 6;
	assert_true(vgpu_sq_init(g) < 0);
	assert_null(g->sq);
	g->num_wgp = num_wgp;
	g->sq = sq;
	assert_null(vgpu_sq_wave(g, 1, 0, 0, 0, 0));
	assert_null(vgpu_sq_wave(g, 0, 0, 4, 0, 0));
	assert_null(vgpu_sq_wave(g, 0, 0, 0, 4, 0));
	assert_null(vgpu_sq_wave(g, 0, 0, 0, 0, 16));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(a_dispatch_ends_with_its_waves),
		TEST(waves_run_in_turns),
		TEST(a_loop_is_seen_at_each_of_its_pcs),
		TEST(the_host_is_answered_in_time_while_64_waves_run),
		TEST(a_sleeping_wave_loops_no_faster_than_its_sleep),
		TEST(a_turn_of_sleeping_waves_executes_nothing),
		TEST(a_sleeping_wave_leaves_the_time_to_others),
		TEST(a_halted_wave_needs_no_time),
		TEST(a_shader_halts_its_wave),
		TEST(waves_wait_at_a_barrier_for_the_last_one),
		TEST(a_barrier_does_not_wait_for_ended_waves),
		TEST(a_single_wave_does_not_wait_at_a_barrier),
		TEST(killing_a_queue_ends_its_waves),
		TEST(a_reset_ends_all_waves),
		TEST(an_impossible_geometry_is_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
