/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that read and write memory.
 */
#ifndef WAVECTL_DAP_BYTES_H
#define WAVECTL_DAP_BYTES_H

#include "dap/dap.h"

int bytes_read(struct dap *d, struct request *r);
int bytes_write(struct dap *d, struct request *r);

#endif /* WAVECTL_DAP_BYTES_H */
