// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The counters of waves, which include waves that have ended: in which state they started, and
 * what happened to them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sq_gpu.h"

#define HANDLER		(GPU_VA + 0x1000)
#define OTHER_PASID	0x8007

static int setup(void **state)
{
	struct vgpu *g = gpu_new(1, 1, 4);

	vgpu_reg_store(g, R_IH_VMID_0_LUT, GPU_OTHER_VMID, OTHER_PASID);
	gpu_code(g, GPU_VA, (u32[]){ I_ENDPGM }, 1);
	gpu_code(g, HANDLER, (u32[]){ I_ENDPGM }, 1);
	*state = g;
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

/* That of a PASID in a VMID; all zero if there is none. */
static struct vgpu_history history(struct vgpu *g, u16 pasid, u8 vmid)
{
	const struct vgpu_history *h;
	struct vgpu_history found = { .pasid = 0 };
	unsigned int n = 0;

	for (h = vgpu_sq_history(g); h; h = h->next)
		if (h->pasid == pasid && h->vmid == vmid) {
			found = *h;
			n++;
		}
	assert_true(n <= 1);
	return found;
}

#define MINE(g) history(g, GPU_PASID, GPU_VMID)

/* Two waves that start and end. */
static void run_two(struct vgpu *g, u32 vmid)
{
	struct vgpu_dispatch d = gpu_dispatch(64, 1);

	d.vmid = vmid;
	gpu_launch(g, &d);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
}

static void history_is_kept_by_pasid_and_vmid(void **state)
{
	struct vgpu *g = *state;

	assert_null(vgpu_sq_history(g));
	run_two(g, GPU_VMID);
	run_two(g, GPU_VMID);
	run_two(g, GPU_OTHER_VMID);
	assert_int_equal(MINE(g).waves, 4);
	assert_int_equal(history(g, OTHER_PASID, GPU_OTHER_VMID).waves, 2);
	/* The VMID goes to another process, which then gets another VMID. */
	vgpu_reg_store(g, R_IH_VMID_0_LUT, GPU_VMID, OTHER_PASID);
	run_two(g, GPU_VMID);
	assert_int_equal(MINE(g).waves, 4);
	assert_int_equal(history(g, OTHER_PASID, GPU_VMID).waves, 2);
	assert_int_equal(history(g, OTHER_PASID, GPU_OTHER_VMID).waves, 2);
	/* A reset does not undo what has happened. */
	vgpu_sq_reset(g);
	assert_int_equal(MINE(g).waves, 4);
	assert_int_equal(MINE(g).trap_en + MINE(g).halted + MINE(g).debug +
			 MINE(g).excp + MINE(g).stalls + MINE(g).watch_hits +
			 MINE(g).traps, 0);
}

static void end_wave(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)arg;
	vgpu_wave_end(g, w);
}

static void history_counts_started_waves(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 1);

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	gpu_launch(g, &d);
	vgpu_sq_for_each(g, end_wave, NULL);
	run_two(g, GPU_OTHER_VMID);
	assert_int_equal(MINE(g).halted, 2);
	assert_int_equal(MINE(g).debug, 0);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_DEBUG(GPU_VMID));
	run_two(g, GPU_VMID);
	assert_int_equal(MINE(g).halted, 2);
	assert_int_equal(MINE(g).debug, 2);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, 0);
	gpu_write(g, R_SPI_GDBG_TRAP_MASK, 0, 1 << 7);
	run_two(g, GPU_VMID);
	assert_int_equal(MINE(g).excp, 2);
	gpu_write(g, R_SPI_GDBG_TRAP_MASK, 0, 0);
	gpu_set_handler(g, GPU_VMID, HANDLER, true);
	run_two(g, GPU_VMID);
	assert_int_equal(MINE(g).trap_en, 2);
	gpu_set_handler(g, GPU_VMID, HANDLER, false);
	run_two(g, GPU_VMID);
	assert_int_equal(MINE(g).waves, 10);
	assert_int_equal(MINE(g).halted, 2);
	assert_int_equal(MINE(g).debug, 2);
	assert_int_equal(MINE(g).excp, 2);
	assert_int_equal(MINE(g).trap_en, 2);
	/* All but the exception mask are of one VMID. */
	assert_int_equal(history(g, OTHER_PASID, GPU_OTHER_VMID).halted, 0);
}

static void history_counts_stalled_dispatches(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 3);

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 1 << (1 + GPU_VMID));
	gpu_launch(g, &d);
	run_two(g, GPU_OTHER_VMID);
	/* Once, however often it was looked at. */
	assert_int_equal(MINE(g).stalls, 1);
	assert_int_equal(MINE(g).waves, 0);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 0);
	gpu_run(g);
	assert_int_equal(MINE(g).stalls, 1);
	assert_int_equal(MINE(g).waves, 3);
	assert_int_equal(history(g, OTHER_PASID, GPU_OTHER_VMID).stalls, 0);
}

static void history_counts_watch_hits_and_traps(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w;

	gpu_set_handler(g, GPU_VMID, HANDLER, true);
	w = gpu_halted_wave(g, (u32[]){ I_BRANCH_SELF }, 1);
	vgpu_trap_exception(g, w, WAVE_EXCP_DIV0);
	assert_int_equal(MINE(g).watch_hits, 0);
	vgpu_trap_exception(g, w, WAVE_EXCP_WATCH0);
	vgpu_trap_exception(g, w, WAVE_EXCP_WATCH0 << 2);
	assert_int_equal(MINE(g).watch_hits, 2);
	assert_int_equal(MINE(g).traps, 0);
	vgpu_trap_s_trap(g, w, 1);
	assert_int_equal(MINE(g).traps, 1);
	vgpu_wave_end(g, w);
	assert_int_equal(MINE(g).watch_hits, 2);
	assert_int_equal(MINE(g).traps, 1);
}

/* One who has ever new PASIDs makes the list no longer than that. */
static void the_length_of_the_history_is_limited(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 0);
	const struct vgpu_history *h;
	unsigned int n = 0;
	u32 pasid;

	for (pasid = 1; pasid < 3000; pasid++) {
		vgpu_reg_store(g, R_IH_VMID_0_LUT, GPU_VMID, pasid);
		assert_int_equal(vgpu_sq_dispatch(g, &d), 0);
	}
	for (h = vgpu_sq_history(g); h; h = h->next)
		n++;
	assert_in_range(n, 100, 1024);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(history_is_kept_by_pasid_and_vmid),
		TEST(history_counts_started_waves),
		TEST(history_counts_stalled_dispatches),
		TEST(history_counts_watch_hits_and_traps),
		TEST(the_length_of_the_history_is_limited),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
