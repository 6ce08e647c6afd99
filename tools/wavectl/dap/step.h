/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps of one wave.
 */
#ifndef WAVECTL_DAP_STEP_H
#define WAVECTL_DAP_STEP_H

#include "dap/dap.h"

enum step_kind {
	STEP_IN,
	STEP_OVER,		/* calls are one step */
	STEP_OUT,		/* until the innermost frame returns, or the kernel ends */
};

/*
 * Step a halted wave, and wait for it; other waves do not change. @is_instruction: else to the
 * beginning of another source line. Returns 0, and @stop; or -errno, the reason in @error, and
 * in @stop where the wave is if it has moved.
 */
int step_wave(struct dap *d, const struct amdgpudbg_wave_coord *at, enum step_kind kind,
	      bool is_instruction, struct adbgd_stop *stop, struct adbgd_error *error);

#endif /* WAVECTL_DAP_STEP_H */
