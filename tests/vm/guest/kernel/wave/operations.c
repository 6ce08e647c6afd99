// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on waves, batches and snapshots, compared with the software GPU's own data about
 * the waves: how many instructions each has executed, its mode, and whether it still exists. The
 * waves belong to this program and execute a kernel whose effect at each instruction is known
 * (tests/kernels/steps.s).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>

#include "busy.h"
#include "operations.h"
#include "self.h"
#include "until.h"
#include "victim.h"

#define DEADLINE_S 60

/* Instructions of steps.s */
#define S_SETHALT_0	0xbf8d0000
#define S_CBRANCH_SELF	0xbf85ffff
#define S_ENDPGM	0xbf810000
#define MODE_DEBUG_EN	(1 << 11)

/* ----------------------------------------------------------------- stepping */

static void a_step_is_one_instruction_of_one_wave(void **state)
{
	struct truth before, after;
	struct amdgpudbg_wave_control c;
	int mine;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	list_waves();
	for (size_t n = 0; n < 40; n++) {
		before = look();
		c = single(AMDGPUDBG_WAVEOP_STEP, n % 3);
		succeeds(&c, 1, 1);
		after = look();
		assert_int_equal(after.count, NUM_WAVES);
		assert_int_equal(truth_halted(&after), NUM_WAVES);
		mine = truth_find(&after, &c.at);
		assert_true(mine >= 0);
		assert_true(c.new_pc == after.wave[mine].pc);
		for (int i = 0; i < NUM_WAVES; i++)
			assert_int_equal(after.wave[i].instructions -
					 before.wave[i].instructions,
					 i == mine);
	}
}

static void a_running_wave_is_not_stepped(void **state)
{
	struct amdgpudbg_wave_control c = single(AMDGPUDBG_WAVEOP_STEP, 0);
	struct truth t;

	(void)state;
	assert_int_equal(adbg_wave_control(fx.session, &c), -EINPROGRESS);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}

static void a_step_checks_the_expected_pc(void **state)
{
	struct amdgpudbg_wave_control c;
	struct truth before, after;
	uint64_t pc;

	(void)state;
	do_single(AMDGPUDBG_WAVEOP_HALT, 0);
	list_waves();
	pc = wave(0)->pc;
	c = single(AMDGPUDBG_WAVEOP_STEP, 0);
	c.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC;
	c.pc = pc + 4;
	before = look();
	assert_int_equal(adbg_wave_control(fx.session, &c), -ESTALE);
	after = look();
	assert_int_equal(after.wave[0].instructions,
			 before.wave[0].instructions);
	c.pc = pc;
	succeeds(&c, 1, 1);
	assert_true(c.new_pc != pc);
}

/* Step wave 0 until the next instruction is @inst. */
static void step_to(uint32_t inst)
{
	for (int n = 0; n < 50; n++) {
		list_waves();
		if (HW(wave(0), INST_DW0) == inst)
			return;
		do_single(AMDGPUDBG_WAVEOP_STEP, 0);
	}
	fail_msg("no 0x%08x", inst);
}

static void a_wave_that_would_resume_itself_stays_halted(void **state)
{
	struct amdgpudbg_wave_control c;
	struct truth t;
	uint64_t pc;
	int mine;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	ctl()[CTL_GO] = GO_IN_PLACE;
	step_to(S_SETHALT_0);
	pc = wave(0)->pc;
	c = single(AMDGPUDBG_WAVEOP_STEP, 0);
	succeeds(&c, 1, 1);
	t = look();
	mine = truth_find(&t, &c.at);
	assert_true(mine >= 0 && t.wave[mine].halted);
	assert_true(c.new_pc == pc + 4);
	assert_true(t.wave[mine].pc == pc + 4);

	/* And one that branches to itself stays where it is. */
	step_to(S_CBRANCH_SELF);
	pc = wave(0)->pc;
	t = look();
	c = single(AMDGPUDBG_WAVEOP_STEP, 0);
	succeeds(&c, 1, 1);
	assert_true(c.new_pc == pc);
	assert_int_equal(look().wave[mine].instructions,
			 t.wave[mine].instructions + 1);
	/* It would for ever. */
	do_single(AMDGPUDBG_WAVEOP_KILL, 0);
}

static void a_wave_may_end_by_a_step(void **state)
{
	struct amdgpudbg_wave_control c;
	struct truth t;

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	ctl()[CTL_GO] = GO;
	step_to(S_ENDPGM);
	c = single(AMDGPUDBG_WAVEOP_STEP, 0);
	succeeds(&c, 1, 0);
	assert_true(!c.new_pc);
	t = look();
	assert_int_equal(t.count, NUM_WAVES - 1);
	assert_int_equal(truth_halted(&t), NUM_WAVES - 1);
	assert_int_equal(truth_find(&t, &c.at), -1);
	assert_int_equal(adbg_wave_control(fx.session, &c), -ENODATA);
}

static void a_step_that_the_gpu_ignores_is_detected(void **state)
{
	struct amdgpudbg_wave_control c;

	(void)state;
	do_single(AMDGPUDBG_WAVEOP_HALT, 0);
	c = single(AMDGPUDBG_WAVEOP_STEP, 0);
	vgpu_fault("ignore-sq-cmd", 1);
	assert_int_equal(adbg_wave_control(fx.session, &c), -ETIMEDOUT);
	assert_int_equal(c.matched, 1);
	assert_int_equal(c.changed, 0);
	vgpu_fault("ignore-sq-cmd", 0);
	succeeds(&c, 1, 1);
}

/* ------------------------------------------------------------------ killing */

static void one_wave_is_killed(void **state)
{
	struct truth before = look(), after;
	struct amdgpudbg_wave_control c = single(AMDGPUDBG_WAVEOP_KILL, 2);

	(void)state;
	succeeds(&c, 1, 1);
	after = look();
	assert_int_equal(after.count, NUM_WAVES - 1);
	assert_int_equal(truth_halted(&after), 0);
	assert_true(truth_find(&before, &c.at) >= 0);
	assert_int_equal(truth_find(&after, &c.at), -1);
	assert_int_equal(adbg_wave_control(fx.session, &c), -ENODATA);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), 0);
}

static void the_waves_of_a_wgp_are_killed(void **state)
{
	struct amdgpudbg_wave_control c = process(AMDGPUDBG_WAVEOP_KILL);
	uint32_t there = 0;
	struct truth t;

	(void)state;
	c.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU;
	c.at = wave(0)->at;
	c.at.simd = 0;
	c.at.wave = 0;
	for (size_t i = 0; i < NUM_WAVES; i++)
		there += wave(i)->at.se == c.at.se && wave(i)->at.sa == c.at.sa &&
			 wave(i)->at.wgp == c.at.wgp;
	assert_in_range(there, 1, NUM_WAVES - 1);
	succeeds(&c, there, there);
	t = look();
	assert_int_equal(t.count, NUM_WAVES - there);
	assert_int_equal(truth_halted(&t), 0);
}

static void all_waves_are_killed_and_later_ones_run(void **state)
{
	(void)state;
	/* Whether halted or not. */
	do_single(AMDGPUDBG_WAVEOP_HALT, 1);
	do_process(AMDGPUDBG_WAVEOP_KILL);
	assert_int_equal(look().count, 0);
	assert_int_equal(end_waves(), 0);
	assert_int_equal(start_waves(), 0);
	list_waves();
	assert_int_equal(adbg_wave_list_count(fx.list), NUM_WAVES);
}

uint32_t wait_full(uint32_t ended)
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	uint32_t count;

	do {
		assert_true(now_ns() <= deadline);
		count = look().count;
	} while (!count || ctl()[CTL_BEGUN] != (ended + count) * 32);
	return count;
}

/*
 * More waves than slots: new ones start in slots whose waves have ended, but none while
 * waves are killed, because the module could not distinguish them.
 */
static void none_start_while_waves_are_killed(void **state)
{
	struct amdgpudbg_wave_control c = process(AMDGPUDBG_WAVEOP_KILL);
	uint32_t full, round;
	struct truth t;

	(void)state;
	assert_int_equal(end_waves(), 0);
	assert_int_equal(submit("steps", 8 * MAX_WAVES * 32, 0), 0);
	full = wait_full(0);
	assert_true(full > NUM_WAVES);
	for (round = 1; round < 4; round++) {
		succeeds(&c, full, full);
		assert_int_equal(wait_full(round * full), full);
	}
	t = look();
	assert_int_equal(truth_halted(&t), 0);
	for (unsigned int i = 0; i < t.count; i++)
		assert_true(t.wave[i].serial > full);
}

/* No command does anything. */
static void a_kill_that_the_gpu_ignores_changes_no_wave(void **state)
{
	struct amdgpudbg_wave_control one = single(AMDGPUDBG_WAVEOP_KILL, 0);
	struct amdgpudbg_wave_control all = process(AMDGPUDBG_WAVEOP_KILL);
	struct truth t;

	(void)state;
	vgpu_fault("ignore-sq-cmd", 1000000);
	assert_int_equal(adbg_wave_control(fx.session, &one), -ETIMEDOUT);
	assert_int_equal(adbg_wave_control(fx.session, &all), -ETIMEDOUT);
	assert_int_equal(all.changed, 0);
	vgpu_fault("ignore-sq-cmd", 0);
	t = look();
	assert_int_equal(t.count, NUM_WAVES);
	assert_int_equal(truth_halted(&t), 0);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), 0);
	succeeds(&one, 1, 1);
}

/* ------------------------------------------------------- debug mode and traps */

static unsigned int num_in_debug_mode(void)
{
	struct truth t = look();
	unsigned int n = 0;

	for (unsigned int i = 0; i < t.count; i++)
		n += !!(t.wave[i].mode & MODE_DEBUG_EN);
	assert_int_equal(truth_halted(&t), 0);
	return n;
}

static void debug_mode_is_set_and_cleared(void **state)
{
	struct amdgpudbg_wave_control c = single(AMDGPUDBG_WAVEOP_DEBUG, 3);

	(void)state;
	succeeds(&c, 1, 1);
	assert_int_equal(num_in_debug_mode(), 1);
	list_waves();
	assert_true(HW(wave(3), MODE) & MODE_DEBUG_EN);
	do_process(AMDGPUDBG_WAVEOP_DEBUG);
	assert_int_equal(num_in_debug_mode(), NUM_WAVES);
	c.flags = AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF;
	succeeds(&c, 1, 1);
	assert_int_equal(num_in_debug_mode(), NUM_WAVES - 1);
	c = process(AMDGPUDBG_WAVEOP_DEBUG);
	c.flags = AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF;
	succeeds(&c, NUM_WAVES, NUM_WAVES);
	assert_int_equal(num_in_debug_mode(), 0);
}

/* Another session of this process has it. */
static void refused_for_a_wave(struct amdgpudbg_wave_control *c)
{
	assert_int_equal(adbg_wave_control(fx.session, c), -EBUSY);
	assert_busy(adbg_session_get_fd(fx.session), AMDGPUDBG_BUSY_WAVE,
		    getpid());
}

static void debug_mode_belongs_to_its_session(void **state)
{
	struct amdgpudbg_wave_control c = single(AMDGPUDBG_WAVEOP_DEBUG, 0);
	struct adbg_session *other;

	(void)state;
	assert_int_equal(adbg_open(NULL, &other), 0);
	assert_int_equal(adbg_wave_control(other, &c), 0);
	c.flags = AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF;
	refused_for_a_wave(&c);
	c = process(AMDGPUDBG_WAVEOP_DEBUG);
	refused_for_a_wave(&c);
	assert_int_equal(num_in_debug_mode(), 1);
	adbg_session_close(other);
	assert_int_equal(num_in_debug_mode(), 0);
	do_process(AMDGPUDBG_WAVEOP_DEBUG);
	adbg_session_close(fx.session);
	assert_int_equal(num_in_debug_mode(), 0);
	assert_int_equal(adbg_open(NULL, &fx.session), 0);
}

/* These waves have no handler. */
static void only_waves_with_a_handler_trap(void **state)
{
	struct amdgpudbg_wave_control one = single(AMDGPUDBG_WAVEOP_TRAP, 0);
	struct amdgpudbg_wave_control all = process(AMDGPUDBG_WAVEOP_TRAP);
	struct truth t;

	(void)state;
	one.trap_id = 15;
	succeeds(&one, 1, 0);
	succeeds(&all, NUM_WAVES, 0);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
	one.trap_id = 16;
	assert_int_equal(adbg_wave_control(fx.session, &one), -EINVAL);
}

static void waves_of_another_session_are_not_changed(void **state)
{
	static const enum amdgpudbg_waveop ops[] = {
		AMDGPUDBG_WAVEOP_RESUME, AMDGPUDBG_WAVEOP_KILL,
		AMDGPUDBG_WAVEOP_DEBUG,	 AMDGPUDBG_WAVEOP_TRAP,
		AMDGPUDBG_WAVEOP_STEP,
	};
	struct adbg_session *other;
	struct amdgpudbg_wave_control c;
	struct truth before, after;

	(void)state;
	assert_int_equal(adbg_open(NULL, &other), 0);
	c = single(AMDGPUDBG_WAVEOP_HALT, 0);
	assert_int_equal(adbg_wave_control(other, &c), 0);
	before = look();
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		c = single(ops[i], 0);
		refused_for_a_wave(&c);
		if (ops[i] == AMDGPUDBG_WAVEOP_STEP)
			continue;
		c = process(ops[i]);
		refused_for_a_wave(&c);
	}
	after = look();
	assert_int_equal(after.count, NUM_WAVES);
	assert_int_equal(truth_halted(&after), 1);
	assert_int_equal(after.wave[truth_find(&after, &wave(0)->at)].instructions,
			 before.wave[truth_find(&before, &wave(0)->at)].instructions);
	adbg_session_close(other);
}

/* ------------------------------------------------------------------ targets */

static struct adbg_session *target_session(void)
{
	struct amdgpudbg_target_set target = {
		.size = sizeof(target), .drm_fd = fx.prog.gpu.fd, .pidfd = -1,
	};
	struct adbg_session *session;

	assert_int_equal(adbg_open(NULL, &session), 0);
	assert_int_equal(ioctl(adbg_session_get_fd(session),
			       AMDGPUDBG_IOC_TARGET_SET, &target), 0);
	return session;
}

static uint32_t vmid_of_other(struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_wave *w;

	assert_int_equal(adbg_wave_list_read(fx.list, fx.session, 0), 0);
	for (size_t i = 0; (w = adbg_wave_list_get(fx.list, i)); i++) {
		if (w->vmid == fx.vmid)
			continue;
		*at = w->at;
		return w->vmid;
	}
	return 0;
}

/* A wave of another process does not exist for a session with a target. */
static void others_do_not_exist(struct adbg_session *session, uint32_t vmid,
				const struct amdgpudbg_wave_coord *at)
{
	static const enum amdgpudbg_waveop ops[] = {
		AMDGPUDBG_WAVEOP_HALT, AMDGPUDBG_WAVEOP_RESUME,
		AMDGPUDBG_WAVEOP_KILL, AMDGPUDBG_WAVEOP_DEBUG,
		AMDGPUDBG_WAVEOP_TRAP, AMDGPUDBG_WAVEOP_STEP,
	};
	struct amdgpudbg_wave_control c;

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		c = single(ops[i], 0);
		c.at = *at;
		c.vmid = vmid;
		assert_int_equal(adbg_wave_control(session, &c), -ENODATA);
		c.vmid = 0;
		assert_int_equal(adbg_wave_control(session, &c), -ENODATA);
		c.vmid = fx.vmid;
		assert_int_equal(adbg_wave_control(session, &c), -ENODATA);
		if (ops[i] == AMDGPUDBG_WAVEOP_STEP)
			continue;
		c = process(ops[i]);
		c.vmid = vmid;
		assert_int_equal(adbg_wave_control(session, &c), -ENODATA);
	}
}

static void a_session_with_a_target_sees_its_waves_only(void **state)
{
	struct adbg_session *session = target_session();
	struct amdgpudbg_wave_control c;
	struct amdgpudbg_wave_coord at;
	struct victim victim;
	struct truth other;
	uint32_t vmid;
	struct amdgpudbg_wave_list what = { .flags = AMDGPUDBG_WAVE_LIST_HOLD };

	(void)state;
	assert_int_equal(victim_start(&victim, 128, 1), 0);
	vmid = vmid_of_other(&at);
	assert_int_not_equal(vmid, 0);
	others_do_not_exist(session, vmid, &at);
	what.select.vmid_mask = 1U << vmid;
	assert_int_equal(adbg_wave_list_snapshot(fx.list, session, &what), 0);
	assert_int_equal(adbg_wave_list_count(fx.list), 0);
	what.select.vmid_mask = 0;
	assert_int_equal(adbg_wave_list_snapshot(fx.list, session, &what), 0);
	assert_int_equal(adbg_wave_list_count(fx.list), NUM_WAVES);
	other = truth_of(vmid);
	assert_int_equal(other.count, 4);
	assert_int_equal(truth_halted(&other), 0);
	other = look();
	assert_int_equal(truth_halted(&other), NUM_WAVES);

	/* VMID 0: all that are the target's. */
	c = single(AMDGPUDBG_WAVEOP_STEP, 0);
	c.vmid = 0;
	assert_int_equal(adbg_wave_control(session, &c), 0);
	assert_int_equal(c.changed, 1);
	c = (struct amdgpudbg_wave_control){
		.op = AMDGPUDBG_WAVEOP_HALT, .mode = AMDGPUDBG_WAVEMODE_SELECT,
	};
	assert_int_equal(adbg_wave_control(session, &c), 0);
	assert_int_equal(c.matched, NUM_WAVES);
	other = truth_of(vmid);
	assert_int_equal(truth_halted(&other), 0);
	c = process(AMDGPUDBG_WAVEOP_KILL);
	c.vmid = 0;
	assert_int_equal(adbg_wave_control(session, &c), 0);
	assert_int_equal(c.matched, NUM_WAVES);
	assert_int_equal(c.changed, NUM_WAVES);
	assert_int_equal(look().count, 0);
	other = truth_of(vmid);
	assert_int_equal(other.count, 4);
	assert_int_equal(truth_halted(&other), 0);
	adbg_session_close(session);
	assert_int_equal(victim_finish(&victim), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, take_down)
	const struct CMUnitTest tests[] = {
		TEST(a_step_is_one_instruction_of_one_wave),
		TEST(a_running_wave_is_not_stepped),
		TEST(a_step_checks_the_expected_pc),
		TEST(a_wave_that_would_resume_itself_stays_halted),
		TEST(a_wave_may_end_by_a_step),
		TEST(a_step_that_the_gpu_ignores_is_detected),
		TEST(one_wave_is_killed),
		TEST(the_waves_of_a_wgp_are_killed),
		TEST(all_waves_are_killed_and_later_ones_run),
		TEST(none_start_while_waves_are_killed),
		TEST(a_kill_that_the_gpu_ignores_changes_no_wave),
		TEST(debug_mode_is_set_and_cleared),
		TEST(debug_mode_belongs_to_its_session),
		TEST(only_waves_with_a_handler_trap),
		TEST(waves_of_another_session_are_not_changed),
		TEST(a_batch_does_all_in_order),
		TEST(the_time_of_a_batch_is_limited),
		TEST(the_rest_of_a_batch_is_done_by_the_next),
		TEST(a_batch_ends_at_an_error_or_continues),
		TEST(a_wrong_batch_changes_nothing),
		TEST(a_snapshot_is_one_moment),
		TEST(a_snapshot_resumes_what_it_halted_and_no_more),
		TEST(a_snapshot_that_does_not_fit_halts_all_waves),
		TEST(a_snapshot_is_one_moment_of_busy_waves),
		TEST(a_list_has_the_pc_of_halted_waves),
		TEST(a_snapshot_that_fails_leaves_waves_as_they_were),
		TEST(lists_are_filtered),
		TEST(wrong_lists_are_refused),
		TEST(all_processes_are_halted_and_resumed_by_one_call_each),
		TEST(a_process_is_halted_by_its_pasid),
		TEST(waves_are_halted_by_a_filter_of_coordinates),
		TEST(waves_are_selected_by_their_flags),
		TEST(a_selection_does_not_take_waves_of_another_session),
		TEST(a_wrong_selection_changes_nothing),
		TEST(a_call_waits_as_long_as_its_timeout_says),
		TEST(a_sampler_reads_four_registers_a_wave),
		TEST(a_record_has_the_registers_that_are_wanted),
		TEST(unknown_registers_in_a_record_are_refused),
		TEST(a_list_says_when_it_was_and_how_records_are_laid_out),
		TEST(a_list_has_the_time_of_the_gpu_if_it_is_wanted),
		TEST(a_record_says_who_has_halted_a_wave),
		TEST(a_record_has_the_process_of_its_wave_if_it_is_wanted),
		TEST(other_users_do_not_see_which_process_has_halted_a_wave),
		TEST(waves_are_selected_by_their_stage),
		TEST(a_wave_has_an_id_while_it_is_halted),
		TEST(a_halt_returns_the_id_of_its_wave),
		TEST(an_id_finds_its_wave),
		TEST(an_id_is_expected),
		TEST(a_slot_that_is_reused_gets_nothing_that_was_meant_for_the_wave_before),
		TEST(slots_that_are_all_reused_get_nothing_that_was_meant_for_the_waves_before),
		TEST(registers_of_all_waves_are_read_by_one_call),
		TEST(a_batch_of_accesses_ends_with_an_error_or_continues),
		TEST(an_access_of_a_batch_says_why_it_is_busy),
		TEST(a_wrong_batch_of_accesses_changes_nothing),
		TEST(a_record_has_what_its_mask_says),
		TEST(resume_returns_halted_waves_only),
		TEST(each_register_access_is_counted),
		TEST(a_session_with_a_target_sees_its_waves_only),
		TEST(waves_left_halted_are_resumed_before_sleep),
		TEST(waves_halted_by_other_sessions_are_resumed_before_sleep),
	};

	return cmocka_run_group_tests(tests, set_up_group, take_down_group);
}
