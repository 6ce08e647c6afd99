/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code objects: files that the user named, and those in the memory of the process; see
 * amdgpudbg-debug-objects.h. They give names to addresses.
 */
#ifndef WAVECTL_CODE_H
#define WAVECTL_CODE_H

#include "debug/debug.h"

/* Characters of a name that a table shows, without --verbose */
#define CODE_NAME_SHOWN	48

/* Follows the line of an instruction that has none itself: it is that of the code before it. */
#define CODE_NEAR	" (near)"

/* The name of an address */
struct place {
	char symbol[ADBGD_NAME_MAX];	/* "saxpy+0x1c" */
	const char *file;		/* NULL: unknown; owned by the code object */
	uint32_t line;
	bool is_near;			/* the line is that of the code before it */
	char text[ADBGD_NAME_MAX + 128];	/* "saxpy+0x1c at saxpy.cl:12" */
};

/*
 * Add the code object of a file. @address: its load address; NULL: find it by comparing
 * instructions, now or when it is loaded later. Returns an exit status; nothing changes on an
 * error. @object is valid until the same file is added again.
 */
int code_add(struct wavectl *w, const char *path, const uint64_t *address,
	     const struct adbgd_object **object);
/* Add the files of --code-object, and print which of them are pending. Returns an exit status. */
int code_add_files(struct wavectl *w);
/* Add the members that describe a code object; get a sentence of them for one that was added. */
void code_emit_object(struct wavectl *w, const struct adbgd_object *object);
const char *code_add_sentence(const struct wavectl *w, const struct adbgd_object *object);
/*
 * Search the memory of the process for code objects, and forget those that are gone. The more
 * memory has changed, the longer it takes. Returns an exit status.
 */
int code_search(struct wavectl *w);
/* Events that were not handled yet also show changes. They are kept for the shell. */
void code_note_events(struct wavectl *w);
/* Search memory that is new, according to the events. */
void code_update(struct debugger *d);
/* Search the memory around the PC of a wave, if it is unknown. @d may be NULL. */
void code_look_at(struct debugger *d, uint64_t va);
/* Print which files were loaded or unloaded since the last call. Returns an exit status. */
int code_report(struct wavectl *w);

/* Get the loaded code object with this index, by address; NULL: there are fewer. @d may be NULL. */
struct adbgd_code *code_get(const struct debugger *d, size_t i);
/* The known code object with the instruction at @va; NULL: there is none. @d may be NULL. */
struct adbgd_code *code_at(const struct debugger *d, uint64_t va);
/* The same, but search the memory of the process if there is none. Returns an exit status. */
int code_need_at(struct wavectl *w, uint64_t va, struct adbgd_code **code);
/* Name an address. False: it has no name. @d may be NULL. */
bool code_name_place(const struct debugger *d, uint64_t va, struct place *place);
/* The same for an address in @code, which may be NULL */
bool code_name_place_in(struct adbgd_code *code, uint64_t va, struct place *place);
/*
 * Add the member "place", and in JSON "file" and "line". Without a known code object, "place" is
 * only printed in JSON, too.
 */
void code_emit_place(struct wavectl *w, uint64_t va);
/* The same for an address in @code, which may be NULL; only printed in JSON unless @shown */
void code_emit_place_in(struct wavectl *w, struct adbgd_code *code, uint64_t va, bool shown);
/* Add only the place of an address, as member @key. */
void code_emit_place_as(struct wavectl *w, const char *key, uint64_t va);
/*
 * The place of an address in @code as a table shows it. The caller frees it. NULL: it has no name,
 * or @code is NULL.
 */
char *code_short_place(struct adbgd_code *code, uint64_t va);
/* A name of at most CODE_NAME_SHOWN characters, for a table. The caller frees it. */
char *code_short_name(const char *name);
/* The name of a file without its directories */
const char *code_base_name(const char *file);

#endif /* WAVECTL_CODE_H */
