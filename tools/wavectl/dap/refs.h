/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that clients get for frames and for variables with parts. They are valid until the wave
 * resumes, and are not used again.
 */
#ifndef WAVECTL_DAP_REFS_H
#define WAVECTL_DAP_REFS_H

#include <stdbool.h>
#include <stdint.h>

struct refs;

enum ref_kind {
	REF_FRAME,
	REF_VARIABLES,		/* variables of a frame in one lane */
	REF_GLOBALS,
	REF_LANES,		/* all lanes, each with the variables */
	REF_WAVE,		/* registers of the wave: pc, exec and so on */
	REF_SGPRS,
	REF_VGPRS,		/* of one lane */
	REF_LDS,
	REF_VALUE,		/* the parts of a value */
};

struct ref {
	uint32_t id;
	enum ref_kind kind;
	uint32_t thread;
	uint32_t frame;		/* 0: the innermost one */
	uint32_t lane;
	const char *expression;	/* of REF_VALUE */
};

struct refs *refs_new(void);
void refs_free(struct refs *refs);
/* Add a reference. Its expression is copied. Returns its number; 0: there are too many. */
uint32_t refs_add(struct refs *refs, const struct ref *ref);
/* Find a reference. NULL: it is not valid any more. */
const struct ref *refs_find(const struct refs *refs, uint64_t id);
/* Forget the references of a wave; 0: of all */
void refs_drop(struct refs *refs, uint32_t thread);

#endif /* WAVECTL_DAP_REFS_H */
