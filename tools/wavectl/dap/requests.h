/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of requests.
 */
#ifndef WAVECTL_DAP_REQUESTS_H
#define WAVECTL_DAP_REQUESTS_H

#include "dap/dap.h"

/* Handle a message of the client, and answer it. */
void requests_handle(struct dap *d, struct json_object *message);

#endif /* WAVECTL_DAP_REQUESTS_H */
