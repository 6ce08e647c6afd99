/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words for modes and exceptions, as options take them and results have them.
 */
#ifndef WAVECTL_WORDS_H
#define WAVECTL_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#define NUM_EXCP 9

/* NULL, or false, for what has no word */
const char *watch_mode_name(uint32_t mode);
bool watch_mode_parse(const char *text, uint32_t *mode);
const char *launch_mode_name(uint32_t mode);
bool launch_mode_parse(const char *text, uint32_t *mode);
/* Those of the bits of enum adbg_excp; how many */
unsigned int excp_names(uint32_t mask, const char *names[NUM_EXCP]);
bool excp_parse(const char *text, uint32_t *mask);

#endif /* WAVECTL_WORDS_H */
