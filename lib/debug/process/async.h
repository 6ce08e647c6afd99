/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starting operations without waiting for them.
 */
#ifndef ADBGD_ASYNC_H
#define ADBGD_ASYNC_H

#include "operation.h"

/**
 * adbgd_operation_start() - complete the start of an operation
 * @ret: what the begin of its first stage has returned; unless 0, the operation is freed
 * @number: NULL, or set to its number
 *
 * Return: @ret.
 */
int adbgd_operation_start(struct adbgd_operation *operation, int ret, uint32_t *number);

#endif /* ADBGD_ASYNC_H */
