/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a wave in words.
 */
#ifndef WAVECTL_WAVE_NAMES_H
#define WAVECTL_WAVE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg.h>

/* "running", "halted", "in-handler", "fatal-halt", "at-barrier" */
const char *wave_state(const struct amdgpudbg_wave *wave);
/*
 * Why the wave is halted: "s_trap 3", or the exceptions that its registers record. The caller
 * frees the result; NULL: unknown.
 */
char *wave_why(const struct amdgpudbg_wave *wave, uint32_t gc_version);
/* Does the wave trap after each instruction? */
bool wave_is_debugged(const struct amdgpudbg_wave *wave, uint32_t gc_version);
/*
 * Has its trap handler halted this halted wave, whether or not someone else did, too? As in the
 * module, the PC of the wave decides it.
 */
bool wave_has_trapped(const struct amdgpudbg_wave *wave, uint32_t gc_version);

#endif /* WAVECTL_WAVE_NAMES_H */
