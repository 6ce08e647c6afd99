// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The handlers clear exceptions in TRAPSTS and do not write its other bits, which the
 * hardware may set at any time: SAVECTX requests a context save from amdkfd's handler, and
 * is lost if TRAPSTS is written as a whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "pair.h"

static const u32 leave_code[] = {
#include "gfx10_3_leave.inc"
};

#define RAISED	(WAVE_EXCP_INVALID | WAVE_EXCP_MEM_VIOL)

/* A wave that runs, before its first instruction */
static struct vgpu_wave *running_wave(struct vgpu *g)
{
	static const u32 code[] = { I_NOP, I_BRANCH_TWO };
	struct vgpu_wave *w;

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	w = gpu_halted_wave(g, code, ARRAY_SIZE(code));
	gpu_write(g, R_SQ_CMD, 0, PAIR_RESUME);
	assert_int_equal(w->stop, 0);
	w->excp_en = WAVE_EXCP_INVALID;
	return w;
}

/* Until it has left the handler. SAVECTX is set before instruction @when; how many there are */
static unsigned int run_handler(struct vgpu *g, struct vgpu_wave *w, unsigned int when)
{
	unsigned int n;

	assert_true(w->priv);
	for (n = 0; w->priv; n++) {
		if (n == when)
			w->excp |= WAVE_EXCP_SAVECTX;
		assert_int_equal(vgpu_isa_run(g, w, 1), 1);
	}
	return n;
}

static void is_kept_whenever_it_is_set(struct vgpu *g, bool stops)
{
	struct vgpu_wave *w = running_wave(g);
	unsigned int when, num;

	for (when = 0; ; when++) {
		vgpu_trap_exception(g, w, RAISED);
		if (stops) {
			run_handler(g, w, ~0U);
			assert_int_equal(w->stop, VGPU_STOP_HALT);
			assert_int_equal(w->excp, RAISED);
			gpu_write(g, R_SQ_CMD, 0, PAIR_RESUME);
		}
		num = run_handler(g, w, when);
		assert_int_equal(w->stop, 0);
		if (when >= num)
			break;
		if (w->excp != WAVE_EXCP_SAVECTX)
			fail_msg("set before instruction %u of %u, TRAPSTS has 0x%x", when, num,
				 w->excp);
		w->excp = 0;
	}
	assert_in_range(num, 5, 1000);
	assert_int_equal(w->excp, 0);
	gpu_free(g);
}

static void the_default_handler_keeps_savectx(void **state)
{
	(void)state;
	is_kept_whenever_it_is_set(pair_gpu(1, 1, 1, PAIR_HANDLER, PAIR_TMA), true);
}

static void the_handler_that_returns_at_once_keeps_savectx(void **state)
{
	struct vgpu *g = pair_gpu(1, 1, 1, PAIR_HANDLER, PAIR_TMA);

	(void)state;
	gpu_code(g, PAIR_HANDLER, leave_code, ARRAY_SIZE(leave_code));
	is_kept_whenever_it_is_set(g, false);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_handler_keeps_savectx),
		cmocka_unit_test(the_handler_that_returns_at_once_keeps_savectx),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
