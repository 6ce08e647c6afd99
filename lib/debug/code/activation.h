/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Activations: functions that were called and have not returned, of which backtrace.c makes the
 * call chain of a wave.
 */
#ifndef ADBGD_ACTIVATION_H
#define ADBGD_ACTIVATION_H

#include <stdbool.h>

#include "code_object.h"
#include "isa/saved.h"

#define ADBGD_ACTIVATIONS_MAX	64
/* A register of an outer frame can be in several places, each of them again in several. */
#define ADBGD_READS_MAX		4096
#define ADBGD_HOW_MAX		sizeof(((struct adbgd_error *)0)->text)

/* A function that was called and has not returned; with those that are inlined into it */
struct adbgd_activation {
	struct adbgd_backtrace *of;
	uint64_t pc;		/* next instruction; in all but the first, after the call */
	uint64_t lookup;
	uint64_t entry;
	char name[ADBGD_NAME_MAX];
	struct adbgd_saved_state *saved;	/* NULL: it has no caller that is known */
};

struct adbgd_backtrace_entry {
	struct adbgd_backtrace_frame frame;
	unsigned int activation;
	char how[ADBGD_HOW_MAX];
};

struct adbgd_backtrace {
	struct adbgd_code *code;
	struct adbgd_context context;	/* of the wave */
	const struct adbgd_memory *memory;	/* NULL, or reads its code */
	uint64_t executed;		/* see adbgd_backtrace_new_after() */
	struct adbgd_activation activations[ADBGD_ACTIVATIONS_MAX];
	unsigned int num_activations;
	struct adbgd_backtrace_entry *entries;
	size_t num_entries, room;
	unsigned int reads;		/* registers that were read for the one that is asked for */
	struct adbgd_error error;	/* of the callback that has failed last */
};

/**
 * adbgd_activation_read() - read a register of an activation
 * @number: an SGPR, or VCC, M0 and EXEC by the numbers of isa/writes.h; or a VGPR
 *
 * Return: 0; -ENODATA: it is not known; or an error of the context. @bt->error says why.
 */
int adbgd_activation_read(struct adbgd_backtrace *bt, unsigned int activation, bool is_vgpr,
			  uint32_t number, uint32_t lane, uint32_t *value);

/**
 * adbgd_activation_read_entry() - read what a register had when the function was called
 *
 * Return: as adbgd_activation_read(), which has the same arguments.
 */
int adbgd_activation_read_entry(struct adbgd_backtrace *bt, unsigned int activation, bool is_vgpr,
				uint32_t number, uint32_t lane, uint32_t *value);

#endif /* ADBGD_ACTIVATION_H */
