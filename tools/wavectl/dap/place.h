/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code objects and source files of the process.
 */
#ifndef WAVECTL_DAP_PLACE_H
#define WAVECTL_DAP_PLACE_H

#include "dap/dap.h"

struct sources *place_sources_new(void);
void place_sources_free(struct sources *sources);

/*
 * Search memory that is new for code objects, and add the files that the client has named. Returns
 * true if one was loaded or unloaded.
 */
bool place_refresh(struct dap *d);
/* Are there files of the client that are not in memory yet? */
bool place_has_pending_files(const struct dap *d);

/*
 * Find the addresses of a source line. @file: path at the client; as many of its last directories
 * must match as a code object knows. The caller frees the array. Returns their number; 0, and the
 * reason in *why, which the caller frees: there is none.
 */
size_t place_find_line(struct dap *d, const char *file, uint32_t line,
		       struct adbgd_line **lines, char **why);

/* Add the member @key, which describes a source file of @code. */
void place_put_source(struct dap *d, struct json_object *object, const char *key,
		      struct adbgd_code *code, const char *file);
/* The text of a source that place_put_source() has given this number. NULL: there is none. */
const char *place_source_text(const struct dap *d, uint64_t number);

#endif /* WAVECTL_DAP_PLACE_H */
