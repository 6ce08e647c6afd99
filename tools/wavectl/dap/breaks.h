/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that set breakpoints.
 */
#ifndef WAVECTL_DAP_BREAKS_H
#define WAVECTL_DAP_BREAKS_H

#include "dap/dap.h"

int breaks_set_lines(struct dap *d, struct request *r);
int breaks_set_functions(struct dap *d, struct request *r);
int breaks_set_instructions(struct dap *d, struct request *r);

#endif /* WAVECTL_DAP_BREAKS_H */
