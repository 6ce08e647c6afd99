/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests about waves: lists, frames, execution, exceptions.
 */
#ifndef WAVECTL_DAP_THREADS_H
#define WAVECTL_DAP_THREADS_H

#include "dap/dap.h"

int threads_list(struct dap *d, struct request *r);
int threads_stack(struct dap *d, struct request *r);
int threads_continue(struct dap *d, struct request *r);
int threads_pause(struct dap *d, struct request *r);
int threads_next(struct dap *d, struct request *r);
int threads_step_in(struct dap *d, struct request *r);
int threads_step_out(struct dap *d, struct request *r);
int threads_exception_info(struct dap *d, struct request *r);
int threads_set_exceptions(struct dap *d, struct request *r);

#endif /* WAVECTL_DAP_THREADS_H */
