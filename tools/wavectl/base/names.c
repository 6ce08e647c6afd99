// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of modes, exceptions and states: see names.h.
 */
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg.h>

#include "base/names.h"
#include "base/util.h"

static const char *const watch_modes[] = {
	[AMDGPUDBG_WATCH_READ] = "read",
	[AMDGPUDBG_WATCH_NONREAD] = "nonread",
	[AMDGPUDBG_WATCH_ATOMIC] = "atomic",
	[AMDGPUDBG_WATCH_ALL] = "all",
};

static const char *const launch_modes[] = {
	[AMDGPUDBG_LAUNCH_NORMAL] = "normal",
	[AMDGPUDBG_LAUNCH_HALT] = "halt",
	[AMDGPUDBG_LAUNCH_DEBUG] = "debug",
};

/* The bits of AMDGPUDBG_CAUSE_* */
static const char *const causes[] = {
	"invalid", "input-denorm", "float-div0", "overflow", "underflow",
	"inexact", "int-div0", "mem-viol", "illegal-inst", "addr-watch", "debug",
	"s-trap", "host-trap", "wave-start", "wave-end", "mem-ecc", "xnack",
};

_Static_assert(ARRAY_SIZE(causes) == NUM_CAUSES, "causes");

const char *watch_mode_name(uint32_t mode)
{
	return mode < ARRAY_SIZE(watch_modes) ? watch_modes[mode] : NULL;
}

bool watch_mode_parse(const char *text, uint32_t *mode)
{
	return find_name(watch_modes, ARRAY_SIZE(watch_modes), text, mode);
}

const char *launch_mode_name(uint32_t mode)
{
	return mode < ARRAY_SIZE(launch_modes) ? launch_modes[mode] : NULL;
}

bool launch_mode_parse(const char *text, uint32_t *mode)
{
	return find_name(launch_modes, ARRAY_SIZE(launch_modes), text, mode);
}

unsigned int cause_names(uint64_t mask, const char *names[NUM_CAUSES])
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < NUM_CAUSES; i++)
		if (mask >> i & 1)
			names[n++] = causes[i];

	return n;
}

bool cause_parse(const char *text, uint64_t *mask)
{
	char *words = xstrdup(text), *rest = words;
	const char *word;
	bool known = true;
	uint32_t bit;

	*mask = 0;
	while (known && (word = strsep(&rest, ","))) {
		known = find_name(causes, NUM_CAUSES, word, &bit);
		if (known)
			*mask |= 1ULL << bit;
	}
	free(words);
	return known;
}

bool wave_state_parse(const char *text, struct wave_state_flags *state)
{
	static const struct {
		const char *name;
		struct wave_state_flags state;
	} states[] = {
		{ "running", { AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV, 0 } },
		{ "halted", { AMDGPUDBG_WAVE_HALTED, AMDGPUDBG_WAVE_HALTED } },
		{ "in-handler", { AMDGPUDBG_WAVE_PRIV, AMDGPUDBG_WAVE_PRIV } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		if (strcmp(text, states[i].name))
			continue;
		*state = states[i].state;
		return true;
	}

	return false;
}
