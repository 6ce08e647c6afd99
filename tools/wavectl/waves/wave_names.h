/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a wave is up to, in words.
 */
#ifndef WAVECTL_WAVE_NAMES_H
#define WAVECTL_WAVE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg.h>

/* "running", "halted", "in-handler", "fatal-halt", "at-barrier" */
const char *wave_state(const struct amdgpudbg_wave *wave);
/*
 * Why it stands where it is, "s_trap 3", or the exceptions that it has seen, as far
 * as its registers tell: to be freed; NULL: they tell nothing.
 */
char *wave_why(const struct amdgpudbg_wave *wave, uint32_t gc_version);
/* Does it trap after each instruction? */
bool wave_is_debugged(const struct amdgpudbg_wave *wave, uint32_t gc_version);
/*
 * Has its trap handler halted a wave that is halted, whoever else wanted it to be? As in
 * the module, that is told by where it stands.
 */
bool wave_has_trapped(const struct amdgpudbg_wave *wave, uint32_t gc_version);

#endif /* WAVECTL_WAVE_NAMES_H */
