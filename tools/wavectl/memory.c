// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses and values of a command line: see memory.h.
 */
#include "memory.h"
#include "util.h"

int memory_take_address(struct wavectl *w, struct memory *m)
{
	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "it takes --pid: each process has addresses of its own");
	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "which address?");
	if (!parse_u64(w->words[0], UINT64_MAX, &m->va))
		return fail_with(w, WAVECTL_USAGE,
				 "it is a number, such as 0x600000001000",
				 "'%s' is no address", w->words[0]);
	return WAVECTL_OK;
}

/* As the GPU has a dword: the lowest byte first */
static void put_dword(uint8_t *to, uint32_t value)
{
	for (unsigned int i = 0; i < 4; i++)
		to[i] = value >> 8 * i;
}

int memory_take_values(struct wavectl *w, struct memory *m)
{
	uint64_t value;

	m->bytes = 4 * (w->num_words - 1);
	m->data = xcalloc(1, m->bytes);
	for (int i = 1; i < w->num_words; i++) {
		if (!parse_u64(w->words[i], UINT32_MAX, &value))
			return fail_with(w, WAVECTL_USAGE, NULL,
					 "'%s' is no value of 32 bits",
					 w->words[i]);
		put_dword(m->data + 4 * (i - 1), value);
	}
	return WAVECTL_OK;
}
