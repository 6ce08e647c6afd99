/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory references: addresses that clients give back as text.
 */
#ifndef WAVECTL_DAP_MEMORY_H
#define WAVECTL_DAP_MEMORY_H

#include "dap/dap.h"
#include "debug/address.h"

#define MEMORY_REFERENCE_MAX	64

/* Memory as a lane of a wave sees it */
struct reference {
	struct address address;
	uint32_t thread;		/* 0: memory of the process */
	uint32_t lane;
};

/*
 * Print a reference: "0x...", "local#0x40@7" in the LDS of wave 7, or "private#0x40@7.3" of its
 * lane 3. Returns @text.
 */
char *memory_reference(const struct address *address, uint32_t thread, uint32_t lane,
		       char text[MEMORY_REFERENCE_MAX]);
/* Parse a reference. False: it is none. */
bool memory_parse(const char *text, struct reference *reference);

#endif /* WAVECTL_DAP_MEMORY_H */
