/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of modes, exceptions and states in options and results.
 */
#ifndef WAVECTL_NAMES_H
#define WAVECTL_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define NUM_CAUSES 17

/* The functions return NULL, or false, if the value or the name is unknown. */
const char *watch_mode_name(uint32_t mode);
bool watch_mode_parse(const char *text, uint32_t *mode);
const char *launch_mode_name(uint32_t mode);
bool launch_mode_parse(const char *text, uint32_t *mode);
/* Write the names of the causes AMDGPUDBG_CAUSE_* in @mask. Returns their number. */
unsigned int cause_names(uint64_t mask, const char *names[NUM_CAUSES]);
bool cause_parse(const char *text, uint64_t *mask);

/* A state of waves: the flags that a record of such a wave has, of those in @mask */
struct wave_state_flags {
	uint32_t mask;
	uint32_t flags;
};

bool wave_state_parse(const char *text, struct wave_state_flags *state);

#endif /* WAVECTL_NAMES_H */
