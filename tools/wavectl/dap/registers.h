/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers and LDS of a wave as variables.
 */
#ifndef WAVECTL_DAP_REGISTERS_H
#define WAVECTL_DAP_REGISTERS_H

#include "dap/value.h"

/* How many variables the scope has; of LDS, words of 4 bytes */
uint64_t registers_count(struct scope *scope, enum ref_kind kind);
/* Add those of them that the arguments "start" and "count" select. Returns 0 or -1. */
int registers_push(struct scope *scope, struct request *r, struct json_object *array,
		   enum ref_kind kind);
/* Write a register by the name that it has in the scope. Returns 0 or -1. */
int registers_write(struct scope *scope, struct request *r, const char *name, uint64_t value);

#endif /* WAVECTL_DAP_REGISTERS_H */
