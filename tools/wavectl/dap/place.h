/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code objects and source files of the process.
 */
#ifndef WAVECTL_DAP_PLACE_H
#define WAVECTL_DAP_PLACE_H

#include "dap/dap.h"

struct sources *place_sources_new(void);
void place_sources_free(struct sources *sources);

/* Search memory that is new for code objects, and add the files that the client has named. */
void place_refresh(struct dap *d);

/* Add the member @key, which describes a source file of @code. */
void place_put_source(struct dap *d, struct json_object *object, const char *key,
		      struct adbgd_code *code, const char *file);
/* The text of a source that place_put_source() has given this number. NULL: there is none. */
const char *place_source_text(const struct dap *d, uint64_t number);

#endif /* WAVECTL_DAP_PLACE_H */
