// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AMDGPUDBG_IOC_LAUNCH_SET with real waves: they start halted at their first instruction, in
 * debug mode, with exceptions enabled, or not at all. Nothing of that is left when the session
 * ends, in all ways in which it can end.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "busy.h"
#include "child.h"
#include "self.h"
#include "victim.h"

/* SQ_WAVE_MODE: DEBUG_EN, EXCP_EN */
#define MODE_DEBUG_EN		(1u << 11)
#define MODE_EXCP_EN_SHIFT	12
/* Bits of MODE.EXCP_EN and TRAPSTS.EXCP, and SPI_GDBG_TRAP_MASK.REPLACE */
#define EXCP_FLOAT_DIV0		(1u << 2)
#define EXCP_WATCH		(1u << 7)
#define TRAP_MASK_REPLACE	(1u << 9)
/* Of a kernel descriptor (AMDGPUUsage of LLVM 19) */
#define KD_RSRC2		52
#define RSRC2_FLOAT_DIV0	(1u << 26)

static struct self self;
static struct amdgpudbg_wave waves[SELF_WAVES];
/* Registers as they were before anything. */
static uint32_t wave_cntl, wave_cntl2, trap_mask;

static struct amdgpudbg_launch_set launch_set(uint32_t flags, uint32_t mode,
					      uint64_t excp)
{
	return (struct amdgpudbg_launch_set){
		.size = sizeof(struct amdgpudbg_launch_set),
		.flags = flags, .mode = mode, .excp_mask = excp,
	};
}

static int set(int session, uint32_t flags, uint32_t mode, uint64_t excp)
{
	struct amdgpudbg_launch_set args = launch_set(flags, mode, excp);

	return self_call(session, AMDGPUDBG_IOC_LAUNCH_SET, &args);
}

static void assert_registers_are_as_before(void)
{
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), wave_cntl);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL2"), wave_cntl2);
	assert_int_equal(vgpu_reg("SPI_GDBG_TRAP_MASK"), trap_mask);
}

/* All waves of the kernel are at its first instruction, and stay there. */
static void assert_not_begun(int session)
{
	int i, turn;

	for (turn = 0; turn < 3; turn++) {
		assert_int_equal(self_list(session, waves), SELF_WAVES);
		for (i = 0; i < SELF_WAVES; i++) {
			assert_true(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
			assert_true(waves[i].pc == self.entry);
		}
	}
	assert_int_equal(self_done(&self), 0);
}

static int set_up(void **state)
{
	(void)state;
	wave_cntl = vgpu_reg("SPI_GDBG_WAVE_CNTL");
	wave_cntl2 = vgpu_reg("SPI_GDBG_WAVE_CNTL2");
	trap_mask = vgpu_reg("SPI_GDBG_TRAP_MASK");
	return self_open(&self);
}

static int take_down(void **state)
{
	(void)state;
	self_close(&self);
	return 0;
}

static void arguments_are_checked(void **state)
{
	int session = self_session(&self, true);

	(void)state;
	assert_true(session >= 0);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_FORCE << 1, 0, 0), -EOPNOTSUPP);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_PRECISE_MEM, 0, 0), -EOPNOTSUPP);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_PRECISE_ALU, 0, 0), -EOPNOTSUPP);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_REPLACE, 0, 0), -EINVAL);
	assert_int_equal(set(session, 0, 2, 0), -EINVAL);
	assert_int_equal(set(session, 0, 4, 0), -EINVAL);
	/* Always enabled, no exception, and no cause at all */
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0,
			     AMDGPUDBG_CAUSE_ILLEGAL_INST), -EOPNOTSUPP);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0,
			     AMDGPUDBG_CAUSE_S_TRAP), -EOPNOTSUPP);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0, 1ULL << 63),
			 -EOPNOTSUPP);
	assert_int_equal(set(session, 0, 0, AMDGPUDBG_CAUSE_WATCH),
			 -EINVAL);
	assert_registers_are_as_before();
	close(session);
}

static void a_launch_mode_without_a_target_is_refused(void **state)
{
	int session = self_session(&self, false);

	(void)state;
	assert_true(session >= 0);
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), -ENOTCONN);
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_NORMAL, 0),
			 -ENOTCONN);
	assert_registers_are_as_before();
	close(session);
}

static void waves_start_halted(void **state)
{
	struct amdgpudbg_launch_set args =
		launch_set(0, AMDGPUDBG_LAUNCH_HALT, 0);
	int session = self_session(&self, true), i;
	const uint32_t *out = self.prog.buf[PROG_OUT].cpu;

	(void)state;
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_LAUNCH_SET, &args), 0);
	assert_int_not_equal(args.vmid, 0);
	memset(self.prog.buf[PROG_OUT].cpu, 0, SELF_LANES * 4);
	assert_int_equal(self_start(&self, "touch_write", 12), 0);
	assert_int_equal(self_wait_waves(session, waves, SELF_WAVES), 0);
	assert_int_equal(waves[0].vmid, args.vmid);
	assert_not_begun(session);

	assert_int_equal(self_resume(session, waves[0].vmid), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	for (i = 0; i < SELF_LANES; i++)
		assert_int_equal(out[i], 5);

	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_NORMAL, 0), 0);
	assert_registers_are_as_before();
	assert_int_equal(self_start(&self, "touch_write", 12), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	close(session);
}

static void waves_that_start_halted_belong_to_the_session(void **state)
{
	int session = self_session(&self, true);
	int other = self_session(&self, true);

	(void)state;
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_waves(session, waves, SELF_WAVES), 0);
	assert_int_equal(self_resume(other, waves[0].vmid), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_WAVE, getpid());
	assert_not_begun(session);

	/* Also when new ones do not start so any more. */
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_NORMAL, 0), 0);
	assert_int_equal(self_resume(other, waves[0].vmid), -EBUSY);
	close(other);
	assert_not_begun(session);
	assert_int_equal(self_resume(session, waves[0].vmid), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	close(session);
}

static void closing_the_session_resumes_new_waves(void **state)
{
	int session = self_session(&self, true);

	(void)state;
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_waves(session, waves, SELF_WAVES), 0);
	assert_not_begun(session);
	close(session);
	assert_registers_are_as_before();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
}

static void releasing_the_target_resumes_new_waves(void **state)
{
	struct amdgpudbg_target_set give_up = {
		.size = sizeof(give_up), .drm_fd = -1, .pidfd = -1,
	};
	int session = self_session(&self, true);

	(void)state;
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_waves(session, waves, SELF_WAVES), 0);
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_TARGET_SET, &give_up),
			 0);
	assert_registers_are_as_before();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	close(session);
}

static void waves_start_in_debug_mode(void **state)
{
	int session = self_session(&self, true), i;

	(void)state;
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_DEBUG, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_list(session, waves), SELF_WAVES);
	for (i = 0; i < SELF_WAVES; i++)
		assert_true(HW(&waves[i], MODE) & MODE_DEBUG_EN);
	assert_int_equal(self_finish(&self), 0);
	close(session);
	assert_registers_are_as_before();

	session = self_session(&self, true);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_list(session, waves), SELF_WAVES);
	for (i = 0; i < SELF_WAVES; i++)
		assert_false(HW(&waves[i], MODE) & MODE_DEBUG_EN);
	assert_int_equal(self_finish(&self), 0);
	close(session);
}

static int count_debugged(int session)
{
	int i, num = 0;

	assert_int_equal(self_list(session, waves), SELF_WAVES);
	for (i = 0; i < SELF_WAVES; i++)
		num += !!(HW(&waves[i], MODE) & MODE_DEBUG_EN);
	return num;
}

/* Also for those that began in it; what others begin with afterwards is no matter. */
static void debug_mode_ends_with_the_session(void **state)
{
	static const uint32_t then[] = {
		AMDGPUDBG_LAUNCH_DEBUG, AMDGPUDBG_LAUNCH_NORMAL, AMDGPUDBG_LAUNCH_HALT,
	};
	int session, other = self_session(&self, true);
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(then) / sizeof(then[0]); i++) {
		session = self_session(&self, true);
		assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_DEBUG, 0), 0);
		assert_int_equal(self_start(&self, "touch_read", 0), 0);
		assert_int_equal(self_wait_done(&self), 0);
		assert_int_equal(set(session, 0, then[i], 0), 0);
		assert_int_equal(count_debugged(other), SELF_WAVES);
		close(session);
		assert_int_equal(count_debugged(other), 0);
		assert_int_equal(self_finish(&self), 0);
		assert_registers_are_as_before();
	}
	close(other);
}

static void exceptions_are_enabled(void **state)
{
	const uint32_t mask = EXCP_WATCH | EXCP_FLOAT_DIV0;
	int session = self_session(&self, true), i;

	(void)state;
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0,
			     AMDGPUDBG_CAUSE_WATCH | AMDGPUDBG_CAUSE_FLOAT_DIV0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_list(session, waves), SELF_WAVES);
	for (i = 0; i < SELF_WAVES; i++)
		assert_int_equal(HW(&waves[i], MODE) >> MODE_EXCP_EN_SHIFT & mask,
				 mask);
	assert_int_equal(self_finish(&self), 0);
	/* The whole state is replaced. */
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(vgpu_reg("SPI_GDBG_TRAP_MASK"), trap_mask);
	close(session);
	assert_registers_are_as_before();
}

/* MODE.EXCP_EN of waves that start now */
static uint32_t enabled_at_start(int session)
{
	uint32_t mode;
	int i;

	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_list(session, waves), SELF_WAVES);
	mode = HW(&waves[0], MODE);
	for (i = 1; i < SELF_WAVES; i++)
		assert_int_equal(HW(&waves[i], MODE), mode);
	assert_int_equal(self_finish(&self), 0);
	return mode >> MODE_EXCP_EN_SHIFT & 0x1ff;
}

static void exceptions_replace_those_of_the_program(void **state)
{
	const uint32_t replace = AMDGPUDBG_LAUNCH_SET_EXCP | AMDGPUDBG_LAUNCH_SET_REPLACE;
	int session = self_session(&self, true);
	uint32_t *rsrc2;
	uint64_t kd;

	(void)state;
	assert_int_equal(codeobj_find_label(&self.prog.co, "touch_read.kd", &kd), 0);
	rsrc2 = (uint32_t *)(self.prog.co.image + kd + KD_RSRC2);
	*rsrc2 |= RSRC2_FLOAT_DIV0;
	assert_int_equal(enabled_at_start(session), EXCP_FLOAT_DIV0);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0, AMDGPUDBG_CAUSE_WATCH), 0);
	assert_int_equal(enabled_at_start(session), EXCP_FLOAT_DIV0 | EXCP_WATCH);
	assert_int_equal(set(session, replace, 0, AMDGPUDBG_CAUSE_WATCH), 0);
	assert_int_equal(vgpu_reg("SPI_GDBG_TRAP_MASK"), EXCP_WATCH | TRAP_MASK_REPLACE);
	assert_int_equal(enabled_at_start(session), EXCP_WATCH);
	assert_int_equal(set(session, replace, 0, 0), 0);
	assert_int_equal(enabled_at_start(session), 0);
	/* The whole state is replaced. */
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(vgpu_reg("SPI_GDBG_TRAP_MASK"), trap_mask);
	assert_int_equal(set(session, replace, 0, 0), 0);
	close(session);
	assert_registers_are_as_before();
	*rsrc2 &= ~RSRC2_FLOAT_DIV0;
}

/* In a child without privilege, with a session and a target of its own. */
static int as_user(void *arg)
{
	int session = *(int *)arg;

	if (setgid(1000) || setuid(1000))
		return 1;
	if (set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0,
		AMDGPUDBG_CAUSE_FLOAT_DIV0) != -EPERM ||
	    set(session, AMDGPUDBG_LAUNCH_SET_EXCP | AMDGPUDBG_LAUNCH_SET_REPLACE, 0,
		AMDGPUDBG_CAUSE_WATCH) != -EPERM)
		return 2;
	if (set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0,
		AMDGPUDBG_CAUSE_WATCH))
		return 3;
	if (set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0))
		return 4;
	return set(session, 0, AMDGPUDBG_LAUNCH_NORMAL, 0) ? 5 : 0;
}

static void an_exception_stops_waves(void **state)
{
	int session = self_session(&self, true), i;

	(void)state;
	assert_int_equal(self_handler(session), 0);
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_EXCP, 0,
			     AMDGPUDBG_CAUSE_FLOAT_DIV0), 0);
	self_write(&self, 0x3f800000);
	assert_int_equal(self_start(&self, "touch_rcp", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);

	self_write(&self, 0);
	assert_int_equal(self_start(&self, "touch_rcp", 0), 0);
	assert_int_equal(self_wait_halted(session, waves), 0);
	for (i = 0; i < SELF_WAVES; i++)
		assert_true(HW(&waves[i], TRAPSTS) & EXCP_FLOAT_DIV0);
	assert_int_equal(self_done(&self), 0);
	assert_int_equal(self_resume(session, waves[0].vmid), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);

	/* Not those that have it not enabled. */
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_NORMAL, 0), 0);
	assert_int_equal(self_start(&self, "touch_rcp", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	close(session);
	assert_registers_are_as_before();
}

static void debug_mode_stops_after_each_instruction(void **state)
{
	int session = self_session(&self, true), i, turn;
	uint64_t pc;

	(void)state;
	assert_int_equal(self_handler(session), 0);
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_DEBUG, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	pc = self.entry;
	for (turn = 0; turn < 4; turn++) {
		assert_int_equal(self_wait_halted(session, waves), 0);
		for (i = 0; i < SELF_WAVES; i++) {
			assert_true(waves[i].pc == waves[0].pc);
			assert_in_range(waves[i].pc, pc + 4, pc + 8);
		}
		pc = waves[0].pc;
		assert_int_equal(self_done(&self), 0);
		assert_int_equal(self_resume(session, waves[0].vmid), 0);
	}
	/* They resume when the last session closes. */
	close(session);
	assert_registers_are_as_before();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
}

static void others_exceptions_need_privilege(void **state)
{
	int session = self_session(&self, true);

	(void)state;
	assert_int_equal(child_run(as_user, &session), 0);
	close(session);
	assert_registers_are_as_before();
}

static void stalled_waves_do_not_start(void **state)
{
	int session = self_session(&self, true);
	struct victim victim;

	(void)state;
	assert_int_equal(set(session, AMDGPUDBG_LAUNCH_SET_STALL, 0, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	/* At the same time those of another process do, on another ring. */
	assert_int_equal(victim_start(&victim, 256, 1), 0);
	assert_int_equal(victim_finish(&victim), 0);
	assert_int_equal(self_list(session, waves), 0);
	assert_int_equal(self_done(&self), 0);

	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_NORMAL, 0), 0);
	assert_registers_are_as_before();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	close(session);
}

static void a_stall_outlives_changes_of_the_mode(void **state)
{
	const uint32_t stall = AMDGPUDBG_LAUNCH_SET_STALL;
	int session = self_session(&self, true);
	struct victim victim;

	(void)state;
	assert_int_equal(set(session, stall, 0, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(set(session, stall, AMDGPUDBG_LAUNCH_DEBUG, 0), 0);
	assert_int_equal(set(session, stall, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(victim_start(&victim, 256, 1), 0);
	assert_int_equal(victim_finish(&victim), 0);
	assert_int_equal(self_list(session, waves), 0);
	/* And then they start as was wanted last. */
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(self_wait_waves(session, waves, SELF_WAVES), 0);
	assert_not_begun(session);
	close(session);
	assert_registers_are_as_before();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
}

static void one_session_at_a_time_has_a_launch_mode(void **state)
{
	int session = self_session(&self, true);
	int other = self_session(&self, true);

	(void)state;
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(set(other, 0, AMDGPUDBG_LAUNCH_DEBUG, 0), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_LAUNCH, getpid());
	assert_int_equal(set(other, AMDGPUDBG_LAUNCH_SET_STALL, 0, 0), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_LAUNCH, getpid());
	assert_busy(session, AMDGPUDBG_BUSY_NONE, 0);
	close(session);
	assert_int_equal(set(other, 0, AMDGPUDBG_LAUNCH_DEBUG, 0), 0);
	close(other);
	assert_registers_are_as_before();
}

struct stage {
	uint32_t flags, mode;
	int waves;	/* that are there when the debugger is killed */
};

/* In a child: the debugger. */
static int reach(void *arg)
{
	const struct stage *stage = arg;
	int session = self_session(&self, true);

	return session < 0 ? session : set(session, stage->flags, stage->mode,
					   0);
}

static void a_killed_debugger_leaves_no_launch_mode(void **state)
{
	struct stage stages[] = {
		{ 0, AMDGPUDBG_LAUNCH_HALT, SELF_WAVES },
		{ 0, AMDGPUDBG_LAUNCH_DEBUG, SELF_WAVES },
		{ AMDGPUDBG_LAUNCH_SET_STALL, AMDGPUDBG_LAUNCH_NORMAL, 0 },
		{ AMDGPUDBG_LAUNCH_SET_STALL, AMDGPUDBG_LAUNCH_HALT, 0 },
	};
	unsigned int i;
	int session = self_session(&self, true);
	pid_t pid;

	(void)state;
	for (i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		pid = child_hold(reach, &stages[i]);
		assert_true(pid > 0);
		assert_int_equal(self_start(&self, "touch_read", 0), 0);
		assert_int_equal(self_wait_waves(session, waves,
						 stages[i].waves), 0);
		assert_int_equal(child_kill(pid), 0);
		assert_registers_are_as_before();
		assert_int_equal(self_wait_done(&self), 0);
		assert_int_equal(self_finish(&self), 0);
	}
	close(session);
}

static void sleep_resumes_new_waves(void **state)
{
	int session = self_session(&self, true);

	(void)state;
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_waves(session, waves, SELF_WAVES), 0);
	/* Up to the point where all tasks are frozen, and back. */
	assert_int_equal(write_file("/sys/power/pm_test", "freezer"), 0);
	assert_int_equal(write_file("/sys/power/state", "freeze"), 0);
	assert_registers_are_as_before();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	/* And then all is as ever. */
	assert_int_equal(set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0), 0);
	close(session);
	assert_registers_are_as_before();
}

/* In a child without privilege: it waits until its parent is content. */
static int halt_as_user(int session, int parent)
{
	char c;

	if (setgid(1000) || setuid(1000))
		return 1;
	if (set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0))
		return 2;
	if (write(parent, &c, 1) != 1 || read(parent, &c, 1) != 1)
		return 3;
	/* Others' jobs come first now. */
	return set(session, 0, AMDGPUDBG_LAUNCH_HALT, 0) == -EBUSY ? 0 : 4;
}

static void the_launch_mode_of_a_user_ends_with_his_time(void **state)
{
	int session = self_session(&self, true), pair[2], status;
	unsigned int limit;
	char c = 0;
	pid_t pid;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	limit = self_limit_users(1);
	pid = fork();
	if (pid == 0)
		_exit(halt_as_user(session, pair[1]));
	/* If it fails, so does the read. */
	close(pair[1]);
	assert_int_equal(read(pair[0], &c, 1), 1);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	/* No session resumes them; the module does when the user's time is over. */
	assert_int_equal(self_wait_done(&self), 0);
	assert_registers_are_as_before();
	assert_int_equal(write(pair[0], &c, 1), 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(self_finish(&self), 0);
	self_set_limit(limit);
	close(pair[0]);
	close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_are_checked),
		cmocka_unit_test(a_launch_mode_without_a_target_is_refused),
		cmocka_unit_test(waves_start_halted),
		cmocka_unit_test(waves_that_start_halted_belong_to_the_session),
		cmocka_unit_test(closing_the_session_resumes_new_waves),
		cmocka_unit_test(releasing_the_target_resumes_new_waves),
		cmocka_unit_test(waves_start_in_debug_mode),
		cmocka_unit_test(debug_mode_ends_with_the_session),
		cmocka_unit_test(exceptions_are_enabled),
		cmocka_unit_test(exceptions_replace_those_of_the_program),
		cmocka_unit_test(an_exception_stops_waves),
		cmocka_unit_test(debug_mode_stops_after_each_instruction),
		cmocka_unit_test(others_exceptions_need_privilege),
		cmocka_unit_test(stalled_waves_do_not_start),
		cmocka_unit_test(a_stall_outlives_changes_of_the_mode),
		cmocka_unit_test(one_session_at_a_time_has_a_launch_mode),
		cmocka_unit_test(a_killed_debugger_leaves_no_launch_mode),
		cmocka_unit_test(sleep_resumes_new_waves),
		cmocka_unit_test(the_launch_mode_of_a_user_ends_with_his_time),
	};

	return cmocka_run_group_tests(tests, set_up, take_down);
}
