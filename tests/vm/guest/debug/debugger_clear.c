// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A breakpoint is cleared at a moment when its waves cannot be resumed.
 */
#include "debugger.h"

#include <errno.h>

/* The linker puts it in the place of the library's (--wrap). */
int __real_adbg_call(struct adbg_session *session, unsigned long request, void *arg);
int __wrap_adbg_call(struct adbg_session *session, unsigned long request, void *arg);

/* How many more waves are resumed before the kernel has no memory */
static unsigned int num_resumed = UINT32_MAX;

int __wrap_adbg_call(struct adbg_session *session, unsigned long request, void *arg)
{
	const struct amdgpudbg_wave_control *control = arg;

	if (num_resumed != UINT32_MAX && request == AMDGPUDBG_IOC_WAVE_CONTROL &&
	    control->op == AMDGPUDBG_WAVEOP_RESUME) {
		if (!num_resumed)
			return -ENOMEM;
		num_resumed--;
	}
	return __real_adbg_call(session, request, arg);
}

/* All waves have stopped at it, and no stop was reported; some of them are not resumed. */
static struct adbgd_breakpoint *fail_to_clear(void)
{
	struct adbgd_breakpoint *b;
	int ret;

	MUST(adbgd_breakpoint_set(process, address_of("breaks_mad"), 0, &b, &error));
	start_job();
	release_waves();
	wait_halted(NUM_WAVES);
	num_resumed = NUM_WAVES / 2;
	ret = adbgd_breakpoint_clear(b, &error);
	num_resumed = UINT32_MAX;
	assert_int_equal(ret, -ENOMEM);
	assert_true(is_code_as_before());
	assert_ptr_equal(adbgd_process_get_breakpoint(process, 0), b);
	assert_true(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING);
	return b;
}

/* The instruction has 8 bytes. */
void a_breakpoint_whose_waves_are_not_resumed_can_be_cleared_again(void **state)
{
	struct adbgd_breakpoint *b = fail_to_clear();

	(void)state;
	MUST(adbgd_breakpoint_clear(b, &error));
	assert_null(adbgd_process_get_breakpoint(process, 0));
	assert_no_stop();
	finish_job();
}

/* Without that, waves are resumed by who looks for stops, and report none. */
void waves_of_a_breakpoint_that_is_being_cleared_report_no_stop(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	fail_to_clear();
	while (!job_has_ended())
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
	finish_job();
}

void waves_of_a_breakpoint_that_is_being_cleared_continue_after_detach(void **state)
{
	(void)state;
	fail_to_clear();
	detach();
	finish_job();
}
