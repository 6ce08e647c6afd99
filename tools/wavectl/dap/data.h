/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests about variables, registers and lanes.
 */
#ifndef WAVECTL_DAP_DATA_H
#define WAVECTL_DAP_DATA_H

#include "dap/dap.h"

int data_scopes(struct dap *d, struct request *r);
int data_variables(struct dap *d, struct request *r);
int data_set_variable(struct dap *d, struct request *r);
int data_set_expression(struct dap *d, struct request *r);
int data_evaluate(struct dap *d, struct request *r);
/* "amdgpudbg/lane": select the lane for which variables and expressions are read */
int data_lane(struct dap *d, struct request *r);

#endif /* WAVECTL_DAP_DATA_H */
