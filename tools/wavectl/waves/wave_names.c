// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of a wave in words: see wave_names.h.
 */
#include <stdlib.h>

#include "base/util.h"
#include "waves/wave_names.h"

/* Is this field set? False if the generation does not have it. */
static bool has(const struct amdgpudbg_wave *wave, uint32_t gc_version,
		const char *in, const char *name)
{
	const struct adbg_reg *reg = adbg_reg_find(gc_version, in);
	const struct adbg_field *field;

	field = reg ? adbg_reg_find_field(reg, name) : NULL;
	return field && adbg_field_value(field, adbg_reg_value(reg, wave));
}

const char *wave_state(const struct amdgpudbg_wave *wave)
{
	/* A wave runs while it is in its handler, halted or not. */
	if (wave->flags & AMDGPUDBG_WAVE_PRIV)
		return "in-handler";
	if (wave->flags & AMDGPUDBG_WAVE_FATAL_HALT)
		return "fatal-halt";
	if (wave->flags & AMDGPUDBG_WAVE_HALTED)
		return "halted";
	return wave->flags & AMDGPUDBG_WAVE_BARRIER ? "at-barrier" : "running";
}

/* s_trap is one word long; the wave is halted behind it. */
#define S_TRAP_BYTES 4

/*
 * TTMP0 and TTMP1 describe the last trap. They are only valid while the PC is still that of the
 * trap.
 */
static char *trap_words(const struct amdgpudbg_wave *wave, uint32_t gc_version)
{
	struct adbg_trap trap;
	char *text = NULL;

	if (!(wave->flags & AMDGPUDBG_WAVE_HALTED) ||
	    !(wave->flags & AMDGPUDBG_WAVE_HAS_HANDLER) ||
	    adbg_wave_get_trap(wave, gc_version, &trap))
		return NULL;
	if (trap.host && wave->pc == trap.pc)
		xappend(&text, "trap %u by the host", trap.id);
	else if (!trap.host && trap.id && wave->pc == trap.pc + S_TRAP_BYTES)
		xappend(&text, "s_trap %u", trap.id);
	return text;
}

char *wave_why(const struct amdgpudbg_wave *wave, uint32_t gc_version)
{
	const char *causes[ADBG_MAX_CAUSES];
	char *text = trap_words(wave, gc_version);
	size_t n;

	if (text)
		return text;
	n = adbg_wave_get_causes(wave, gc_version, causes, ADBG_MAX_CAUSES);
	for (size_t i = 0; i < n; i++)
		xappend(&text, "%s%s", i ? "," : "", causes[i]);
	return text;
}

bool wave_is_debugged(const struct amdgpudbg_wave *wave, uint32_t gc_version)
{
	return has(wave, gc_version, "MODE", "DEBUG_EN");
}

bool wave_has_trapped(const struct amdgpudbg_wave *wave, uint32_t gc_version)
{
	const char *causes[ADBG_MAX_CAUSES];
	struct adbg_trap trap;
	char *words;

	if (!(wave->flags & AMDGPUDBG_WAVE_HALTED) ||
	    adbg_wave_get_trap(wave, gc_version, &trap) || trap.resumed)
		return false;
	words = trap_words(wave, gc_version);
	free(words);
	if (words)
		return true;
	/* An exception, or debug mode: it has not passed the instruction. */
	return wave->flags & AMDGPUDBG_WAVE_HAS_HANDLER && !trap.id && !trap.host &&
	       trap.pc && wave->pc == trap.pc &&
	       (wave_is_debugged(wave, gc_version) ||
		adbg_wave_get_causes(wave, gc_version, causes, ADBG_MAX_CAUSES));
}
