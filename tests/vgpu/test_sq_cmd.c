// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SQ_CMD: the waves that a command selects, and its effect on them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sq_gpu.h"

/* CMD and MODE values, and the fields' places: navi10_enum.h (Linux 6.1) */
#define CMD(cmd, mode, data) ((cmd) | (mode) << 4 | (data) << 8)
#define CHECK(vmid)	(1U << 7 | (u32)(vmid) << 28)
#define WAVE(slot)	((slot) << 16)
#define QUEUE(id)	((u32)(id) << 24)
#define HALT		CMD(1, 1, 1)
#define RESUME		CMD(1, 1, 0)

static int setup(void **state)
{
	struct vgpu *g = gpu_new(1, 1, 4);

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0,
		  GPU_LAUNCH_HALTED(GPU_VMID) |
		  GPU_LAUNCH_HALTED(GPU_OTHER_VMID));
	gpu_code(g, GPU_VA, (u32[]){ I_BRANCH_SELF }, 1);
	*state = g;
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

/* One wave on each WGP, of VMID 3, 3, 5 and 5, queues 0, 1, 2 and 3. */
static void four_waves(struct vgpu *g)
{
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	unsigned int i;

	for (i = 0; i < 4; i++) {
		d.vmid = i < 2 ? GPU_VMID : GPU_OTHER_VMID;
		d.queue.pipe = i / 2;
		d.queue.queue = i;
		gpu_launch(g, &d);
	}
}

static void command(struct vgpu *g, u32 cmd)
{
	gpu_write(g, R_SQ_CMD, 0, cmd);
}

/* Bit n: the wave on WGP n is halted. */
static u32 halted(struct vgpu *g)
{
	struct vgpu_wave *w;
	unsigned int i;
	u32 map = 0;

	for (i = 0; i < 4; i++) {
		w = vgpu_sq_wave(g, 0, 0, i, 0, 0);
		if (w && w->halt) {
			assert_int_equal(w->stop, VGPU_STOP_HALT);
			map |= BIT(i);
		}
	}
	return map;
}

static void check_vmid_limits_a_command_to_a_vmid(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	assert_int_equal(halted(g), 0xf);
	assert_false(vgpu_sq_runnable(g));
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xc);
	assert_true(vgpu_sq_runnable(g));
	command(g, RESUME | CHECK(GPU_OTHER_VMID));
	assert_int_equal(halted(g), 0);
	command(g, HALT | CHECK(GPU_OTHER_VMID));
	assert_int_equal(halted(g), 0xc);
	command(g, HALT | CHECK(7));
	assert_int_equal(halted(g), 0xc);
	assert_int_equal(vgpu_complaints_total(g), 0);
}

static void a_command_without_check_vmid_hits_all_and_is_a_complaint(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	command(g, RESUME | (u32)GPU_VMID << 28);
	assert_int_equal(halted(g), 0);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_VMID0), 1);
	command(g, HALT | CHECK(0));
	assert_int_equal(halted(g), 0);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_VMID0), 2);
}

static void quirk_sethalt_checks_vmid_works(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	vgpu_quirk_set(g, "sethalt-checks-vmid", 0);
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0);
	/* only SETHALT is in doubt */
	command(g, CMD(3, 1, 0) | CHECK(GPU_VMID));
	assert_int_equal(gpu_count_waves(g), 2);
}

static void a_command_for_one_wave(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 32);
	struct vgpu_wave *w;

	d.rsrc1 = 1 << 29;
	gpu_launch(g, &d);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(2, 3));
	command(g, CMD(1, 0, 0) | CHECK(GPU_VMID) | WAVE(1));
	/* Only WGP 0..3 x SIMD 0..3 x slots 0 and 1 have waves. */
	w = vgpu_sq_wave(g, 0, 0, 2, 3, 1);
	assert_int_equal(w->stop, 0);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	command(g, HALT | CHECK(GPU_VMID));
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	assert_false(vgpu_sq_runnable(g));
	assert_int_equal(vgpu_complaints_total(g), 0);
}

static void a_command_for_one_wave_of_several_instances_is_a_complaint(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	command(g, CMD(1, 0, 0) | CHECK(GPU_VMID));
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_BANK), 1);
	/* done all the same, in slot 0 of each SIMD */
	assert_int_equal(halted(g), 0xc);
}

static void a_broadcast_is_limited_to_a_simd(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(1, 0));
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xd);
	/* a SIMD without waves */
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 2));
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xd);
	assert_int_equal(vgpu_complaints_total(g), 0);
	/* a WGP and a shader engine that are not there */
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(4, 0));
	command(g, RESUME | CHECK(GPU_VMID));
	gpu_write(g, R_GRBM_GFX_INDEX, 0, 1 << 16 | GPU_SIMD(0, 0));
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xd);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_BANK), 2);
}

static void a_broadcast_is_limited_to_a_queue_pipe_or_me(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	command(g, CMD(1, 2, 0) | CHECK(GPU_VMID) | QUEUE(1));
	assert_int_equal(halted(g), 0xd);
	command(g, CMD(1, 3, 0) | CHECK(GPU_OTHER_VMID) | QUEUE(1));
	assert_int_equal(halted(g), 0x1);
	command(g, CMD(1, 4, 1) | CHECK(GPU_OTHER_VMID) | QUEUE(1));
	assert_int_equal(halted(g), 0xd);
	command(g, CMD(1, 4, 0) | CHECK(GPU_OTHER_VMID) | QUEUE(0));
	assert_int_equal(halted(g), 0xd);
	vgpu_quirk_set(g, "sq-cmd-queue-id", 0);
	command(g, CMD(1, 2, 0) | CHECK(GPU_OTHER_VMID) | QUEUE(7));
	assert_int_equal(halted(g), 0x1);
	assert_int_equal(vgpu_complaints_total(g), 0);
}

/* What gfx_v10_0_ring_soft_recovery() (gfx_v10_0.c, Linux 6.1) writes. */
static void the_driver_s_soft_recovery_kills_waves(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	command(g, 0x30000093);
	assert_int_equal(gpu_count_waves(g), 2);
	assert_int_equal(halted(g), 0xc);
	assert_int_equal(vgpu_complaints_total(g), 0);
}

static void killing_all_waves_ends_a_dispatch(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);

	gpu_launch(g, &d);
	assert_true(vgpu_sq_queue_busy(g, d.queue));
	command(g, CMD(3, 1, 0) | CHECK(GPU_VMID));
	assert_false(vgpu_sq_queue_busy(g, d.queue));
}

static void a_command_sets_debug_mode(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w;

	four_waves(g);
	w = vgpu_sq_wave(g, 0, 0, 0, 0, 0);
	command(g, CMD(4, 1, 1) | CHECK(GPU_VMID));
	/* MODE.DEBUG_EN, and no more */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_MODE), 1 << 11);
	assert_true(w->slow);
	assert_false(vgpu_sq_wave(g, 0, 0, 2, 0, 0)->debug_en);
	command(g, CMD(4, 1, 0) | CHECK(GPU_VMID));
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_MODE), 0);
	assert_false(w->slow);
}

static void commands_set_priority_and_fatal_halt(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w;

	four_waves(g);
	w = vgpu_sq_wave(g, 0, 0, 0, 0, 0);
	command(g, CMD(6, 1, 2) | CHECK(GPU_VMID));
	/* STATUS.SPI_PRIO [2:1] */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_STATUS) & 6, 4);

	command(g, RESUME | CHECK(GPU_VMID));
	command(g, CMD(7, 1, 1) | CHECK(GPU_VMID));
	assert_int_equal(w->stop, VGPU_STOP_FATAL);
	assert_true(w->fatal_halt);
	/* RESUME is not enough. */
	command(g, RESUME | CHECK(GPU_VMID));
	assert_false(vgpu_sq_runnable(g));
	command(g, CMD(7, 1, 0) | CHECK(GPU_VMID));
	assert_int_equal(w->stop, 0);
}

static void unknown_commands_are_complaints(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	command(g, CMD(2, 1, 0) | CHECK(GPU_VMID));	/* SAVECTX */
	command(g, CMD(9, 1, 0) | CHECK(GPU_VMID));
	command(g, CMD(1, 5, 0) | CHECK(GPU_VMID));
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_REGISTER), 3);
	assert_int_equal(halted(g), 0xf);
	assert_int_equal(gpu_count_waves(g), 4);
	/* 0 is no command at all */
	command(g, 0);
	assert_int_equal(vgpu_complaints_total(g), 3);
}

static void a_fault_makes_commands_have_no_effect(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	vgpu_fault_arm(g, VGPU_FAULT_IGNORE_SQ_CMD, 1, VGPU_FAULT_ANY);
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xf);
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xc);
}

static void a_fault_makes_resumes_have_no_effect(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	vgpu_fault_arm(g, VGPU_FAULT_IGNORE_RESUME, 1, VGPU_FAULT_ANY);
	command(g, HALT | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xf);
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xf);
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xc);
}

static void single_step_executes_one_instruction(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, I_ADD_S20_1, I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 3);
	u32 step = CMD(8, 0, 0) | CHECK(GPU_VMID);
	struct vgpu_queue_id queue = { .me = 1 };

	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	command(g, step);
	assert_int_equal(w->s[20], 1);
	assert_true(w->pc == GPU_VA + 4);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	assert_int_equal(w->instructions, 1);
	command(g, step);
	assert_int_equal(w->s[20], 2);
	assert_true(w->pc == GPU_VA + 8);
	/* A running wave does not step. */
	command(g, CMD(1, 0, 0) | CHECK(GPU_VMID));
	command(g, step);
	assert_true(w->pc == GPU_VA + 8);
	command(g, CMD(1, 0, 1) | CHECK(GPU_VMID));
	command(g, step);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_false(vgpu_sq_queue_busy(g, queue));
}

/* It is not done yet when the write is; other waves run before that. */
static void single_step_may_execute_later(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, I_ADD_S20_1, I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 3);
	u32 step = CMD(8, 0, 0) | CHECK(GPU_VMID);

	assert_int_equal(vgpu_quirk_set(g, "single-step-at-once", 0), 0);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	command(g, step);
	assert_int_equal(w->instructions, 0);
	assert_true(vgpu_sq_runnable(g));
	/* It is still to be halted, and so it says. */
	assert_true(w->halt);
	gpu_run(g);
	assert_int_equal(w->instructions, 1);
	assert_int_equal(w->s[20], 1);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	/* Twice before its turn comes is once. */
	command(g, step);
	command(g, step);
	gpu_run(g);
	assert_int_equal(w->s[20], 2);
	command(g, step);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
}

/* A halted wave ends when it is resumed in any way. */
static void a_kill_of_a_halted_wave_waits_for_its_resume(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, I_BRANCH_TWO };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 2);
	u32 kill = CMD(3, 1, 0) | CHECK(GPU_VMID);

	assert_int_equal(vgpu_quirk_set(g, "kill-at-once", 2), 0);
	command(g, kill);
	assert_int_equal(gpu_count_waves(g), 1);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	command(g, CMD(8, 1, 0) | CHECK(GPU_VMID));
	assert_int_equal(gpu_count_waves(g), 0);

	gpu_halted_wave(g, code, 2);
	command(g, kill);
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(gpu_count_waves(g), 0);
	/* One that runs ends at once. */
	gpu_halted_wave(g, code, 2);
	command(g, RESUME | CHECK(GPU_VMID));
	command(g, kill);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_int_equal(g->counters.instructions, 0);
}

static void host_reads(struct vgpu *g, unsigned int num)
{
	while (num--)
		vgpu_reg_read(g, g->profile->regs[R_IH_VMID_0_LUT]);
}

/* The quirk sq-cmd-lag: each command waits for so many accesses, in its own bank. */
static void commands_are_delayed_by_accesses(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	assert_int_equal(vgpu_quirk_set(g, "sq-cmd-lag", 3), 0);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(1, 0));
	command(g, RESUME | CHECK(GPU_VMID));
	host_reads(g, 1);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	command(g, RESUME | CHECK(GPU_OTHER_VMID));
	host_reads(g, 2);
	assert_int_equal(halted(g), 0xf);
	host_reads(g, 1);
	assert_int_equal(halted(g), 0xd);
	host_reads(g, 1);
	assert_int_equal(halted(g), 0x1);

	/* A smaller lag does not let a command overtake those before it. */
	command(g, HALT | CHECK(GPU_OTHER_VMID));
	assert_int_equal(vgpu_quirk_set(g, "sq-cmd-lag", 0), 0);
	command(g, RESUME | CHECK(GPU_OTHER_VMID));
	assert_int_equal(halted(g), 0x1);
	vgpu_sq_cmds_finish(g);
	assert_int_equal(halted(g), 0x1);
	assert_true(vgpu_sq_cmds_wait_ns(g) == UINT64_MAX);
	command(g, HALT | CHECK(GPU_OTHER_VMID));
	assert_int_equal(halted(g), 0xd);
	assert_int_equal(vgpu_complaints_total(g), 0);
}

/* A host that makes no more accesses gets its commands done, too. */
static void the_delay_of_commands_is_limited(void **state)
{
	struct vgpu *g = *state;

	four_waves(g);
	assert_int_equal(vgpu_quirk_set(g, "sq-cmd-lag", 1000), 0);
	command(g, RESUME | CHECK(GPU_VMID));
	assert_int_equal(halted(g), 0xf);
	assert_true(vgpu_sq_cmds_wait_ns(g) != UINT64_MAX);
	while (vgpu_sq_cmds_wait_ns(g) != UINT64_MAX)
		assert_int_equal(halted(g), 0xf);
	assert_int_equal(halted(g), 0xc);

	/* A reset drops those that wait; more than there is room for do not wait. */
	command(g, RESUME | CHECK(GPU_OTHER_VMID));
	vgpu_sq_reset(g);
	four_waves(g);
	vgpu_sq_cmds_finish(g);
	assert_int_equal(halted(g), 0xf);
	for (unsigned int i = 0; i < 200; i++)
		command(g, (i & 1 ? HALT : RESUME) | CHECK(GPU_VMID));
	command(g, RESUME | CHECK(GPU_OTHER_VMID));
	vgpu_sq_cmds_finish(g);
	assert_int_equal(halted(g), 0x3);
	assert_int_equal(vgpu_complaints_total(g), 0);
}

/* Code that was run stays as it was, until the caches are invalidated. */
static void sqc_caches_invalidates_instructions(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, I_BRANCH_TWO };
	static const u32 nop = I_NOP;
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 2);
	u32 step = CMD(8, 0, 0) | CHECK(GPU_VMID);

	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	command(g, step);
	command(g, step);
	memcpy(gpu_mem(g, GPU_VA), &nop, 4);
	command(g, step);
	assert_int_equal(w->s[20], 2);
	command(g, step);

	/* Data, or nothing to be done; then without effect. */
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	gpu_write(g, R_SQC_CACHES, 0, 6);
	gpu_write(g, R_SQC_CACHES, 0, 1);
	assert_int_equal(vgpu_quirk_set(g, "sqc-caches", 0), 0);
	gpu_write(g, R_SQC_CACHES, 0, 5);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	command(g, step);
	assert_int_equal(w->s[20], 3);
	command(g, step);

	assert_int_equal(vgpu_quirk_set(g, "sqc-caches", 1), 0);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	gpu_write(g, R_SQC_CACHES, 0, 5);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	command(g, step);
	assert_int_equal(w->s[20], 3);
	assert_true(w->pc == GPU_VA + 4);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(check_vmid_limits_a_command_to_a_vmid),
		TEST(a_command_without_check_vmid_hits_all_and_is_a_complaint),
		TEST(quirk_sethalt_checks_vmid_works),
		TEST(a_command_for_one_wave),
		TEST(a_command_for_one_wave_of_several_instances_is_a_complaint),
		TEST(a_broadcast_is_limited_to_a_simd),
		TEST(a_broadcast_is_limited_to_a_queue_pipe_or_me),
		TEST(the_driver_s_soft_recovery_kills_waves),
		TEST(killing_all_waves_ends_a_dispatch),
		TEST(a_command_sets_debug_mode),
		TEST(commands_set_priority_and_fatal_halt),
		TEST(unknown_commands_are_complaints),
		TEST(a_fault_makes_commands_have_no_effect),
		TEST(a_fault_makes_resumes_have_no_effect),
		TEST(single_step_executes_one_instruction),
		TEST(single_step_may_execute_later),
		TEST(a_kill_of_a_halted_wave_waits_for_its_resume),
		TEST(commands_are_delayed_by_accesses),
		TEST(the_delay_of_commands_is_limited),
		TEST(sqc_caches_invalidates_instructions),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
