/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls, and where a function is left, by its instructions alone: there need be no symbol.
 */
#ifndef ADBGD_EXITS_H
#define ADBGD_EXITS_H

#include "target.h"

/* Each takes some room in the handler. */
#define ADBGD_MAX_EXITS		8

struct adbgd_exits {
	uint64_t at[ADBGD_MAX_EXITS];
	size_t num;
};

/** adbgd_exits_find() - each s_setpc_b64 and s_endpgm to which there is a way from @pc */
int adbgd_exits_find(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *exits,
		     struct adbgd_error *error);

/** adbgd_is_return() - is an s_setpc_b64 there? 1, 0, or -errno */
int adbgd_is_return(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error);

/** adbgd_is_call() - does a wave return to @next, what follows @pc? 1, 0, or -errno */
int adbgd_is_call(struct adbgd_process *process, uint64_t pc, uint64_t *next,
		  struct adbgd_error *error);

#endif /* ADBGD_EXITS_H */
