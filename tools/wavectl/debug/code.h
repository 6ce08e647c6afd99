/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code objects that a dialogue's debugger knows: files that were given, and what lies in
 * the process's memory; and what they call an address.
 */
#ifndef WAVECTL_CODE_H
#define WAVECTL_CODE_H

#include "debug/debug.h"

/* What an address is called */
struct place {
	char symbol[ADBGD_NAME_MAX];	/* "saxpy+0x1c" */
	const char *file;		/* NULL: not known; the code object's */
	uint32_t line;
	char text[ADBGD_NAME_MAX + 128];	/* "saxpy+0x1c at saxpy.cl:12" */
};

/*
 * Know the code object of a file, which lies at @address, or, if that is NULL, where its
 * instructions are found. An exit status; nothing has changed if it fails. @object is good
 * until others are looked for.
 */
int code_add(struct wavectl *w, const char *path, const uint64_t *address,
	     const struct code_object **object);
/* Those of --code-object. An exit status. */
int code_add_given(struct wavectl *w);
/*
 * Look for code objects in the process's memory, anew: those that are gone are forgotten.
 * It takes the longer, the more memory is mapped. An exit status.
 */
int code_look(struct wavectl *w);
/* Is it still where it was? */
bool code_is_there(struct debugger *d, const struct adbgd_code *code);

/* The one that has the instruction at @va; NULL: none that is known */
struct adbgd_code *code_at(const struct debugger *d, uint64_t va);
/* Likewise, and if there is none, look in memory. An exit status. */
int code_need_at(struct wavectl *w, uint64_t va, struct adbgd_code **code);
/* False: it has no name. @d may be NULL. */
bool code_name_place(const struct debugger *d, uint64_t va, struct place *place);
/*
 * Members "place", and for JSON "file" and "line"; the first one is for JSON alone, too,
 * where no code object is known.
 */
void code_emit_place(struct wavectl *w, uint64_t va);
/* The name of a file without its folders */
const char *code_base_name(const char *file);

#endif /* WAVECTL_CODE_H */
