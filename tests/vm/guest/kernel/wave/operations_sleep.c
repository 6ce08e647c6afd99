// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Before the system sleeps, all halted waves are resumed, because the driver waits for all jobs.
 * See operations.h.
 */
#include "operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "regs2.h"
#include "self.h"

#define DEBUGFS "/sys/kernel/debug/dri/0"

/* GC base 0x1260 + mmSQ_CMD, gc_10_3_0_offset.h (Linux 6.1) */
#define SQ_CMD (0x1260 + 0x111b)
/* CMD SETHALT, MODE BROADCAST, CHECK_VMID, DATA 1 */
#define SQ_CMD_HALT_ALL (1 | 1 << 4 | 1 << 7 | 1 << 8)
#define SQ_CMD_VM_ID_SHIFT 28

/* Up to the point where all tasks are frozen, and back. */
static void fall_asleep(void)
{
	assert_int_equal(write_file("/sys/power/pm_test", "freezer"), 0);
	assert_int_equal(write_file("/sys/power/state", "freeze"), 0);
}

/* Resume all waves of all sessions, or a test that fails would not end. */
static void resume_all(void)
{
	struct amdgpudbg_wave_control c = process(AMDGPUDBG_WAVEOP_RESUME);
	struct adbg_session *session;

	assert_int_equal(adbg_open(NULL, &session), 0);
	assert_int_equal(adbg_wave_control(session, &c), 0);
	adbg_session_close(session);
}

static void all_wake_up(void)
{
	struct truth before = look(), after;

	fall_asleep();
	after = look();
	if (truth_halted(&after))
		resume_all();
	assert_int_equal(before.count, NUM_WAVES);
	assert_int_equal(truth_halted(&before), NUM_WAVES);
	assert_int_equal(after.count, NUM_WAVES);
	assert_int_equal(truth_halted(&after), 0);
}

static void halt_and_leave(struct adbg_session *session)
{
	struct amdgpudbg_wave_control c = process(AMDGPUDBG_WAVEOP_HALT);

	c.flags = AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED;
	assert_int_equal(adbg_wave_control(session, &c), 0);
	assert_int_equal(c.changed, NUM_WAVES);
}

/* The sessions that they were left halted by are no more, but for the last. */
void waves_left_halted_are_resumed_before_sleep(void **state)
{
	struct adbg_session *other;

	(void)state;
	/* First the GPU is not in use; then one session uses it. */
	halt_and_leave(fx.session);
	adbg_session_close(fx.session);
	fx.session = NULL;
	all_wake_up();
	assert_int_equal(adbg_open(NULL, &fx.session), 0);
	list_waves();
	assert_int_equal(adbg_open(NULL, &other), 0);
	halt_and_leave(other);
	adbg_session_close(other);
	all_wake_up();
	halt_and_leave(fx.session);
	all_wake_up();
	/* It is theirs no more, and all is as ever. */
	do_process(AMDGPUDBG_WAVEOP_HALT);
	do_process(AMDGPUDBG_WAVEOP_RESUME);
}

/* As umr does. */
void waves_halted_by_other_sessions_are_resumed_before_sleep(void **state)
{
	struct regs2_state all = {
		.use_grbm = 1,
		.grbm = { REGS2_BROADCAST, REGS2_BROADCAST, REGS2_BROADCAST },
	};
	struct regs2 regs;

	(void)state;
	assert_int_equal(regs2_open(&regs, DEBUGFS), 0);
	assert_int_equal(regs2_write(&regs, &all, SQ_CMD, SQ_CMD_HALT_ALL |
				     fx.vmid << SQ_CMD_VM_ID_SHIFT), 0);
	regs2_close(&regs);
	all_wake_up();
}
