/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the arguments of a wave's kernel are.
 */
#ifndef ADBGD_KERNARG_H
#define ADBGD_KERNARG_H

#include "code_object.h"

/** adbgd_kernarg_kernel() - find the kernel that contains an instruction; NULL: none */
const struct adbgd_kernel *adbgd_kernarg_kernel(const struct adbgd_code *code, uint64_t pc);

#endif /* ADBGD_KERNARG_H */
