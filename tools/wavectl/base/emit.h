/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that wavectl prints on standard output. A command says each value
 * once, by key; the same value becomes a table cell, a word in a sentence or a
 * JSON member, so that text and JSON cannot tell different things.
 *
 * A document holds members, tables and sentences. In text, tables and
 * sentences are printed in the order in which they were begun, and members
 * only where a sentence names them. In JSON a document is one object on one
 * line, and sentences are left out.
 *
 * What is printed is safe for a terminal, whatever the values are: see text.h.
 */
#ifndef WAVECTL_EMIT_H
#define WAVECTL_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg.h>

struct emit;

/* @json: print JSON, else text */
struct emit *emit_new(bool json);
/* Before the first document */
void emit_set_json(struct emit *e, bool json);
void emit_free(struct emit *e);

/* The tables and members that follow belong to a new document. */
void emit_begin(struct emit *e);
/* The same of one that is about this moment: see emit_gather(). */
void emit_begin_live(struct emit *e);
/* Print the document. -EIO when standard output does not take it. */
int emit_end(struct emit *e);

/*
 * From here on, documents that are not about a moment are kept, until they are printed
 * as the array @key of the document that was begun. For JSON only.
 */
void emit_gather(struct emit *e);
void emit_gathered(struct emit *e, const char *key);

/*
 * Rows that follow belong to the table @key, an array of objects in JSON. A table has as
 * many columns as its rows have keys; a row without one of them has "-" there. A table that
 * is not @shown is for JSON only.
 */
void emit_table(struct emit *e, const char *key, bool shown);
void emit_row(struct emit *e);
/* Members that follow belong to the document again. */
void emit_table_end(struct emit *e);

/* Members that follow are for JSON only, until told otherwise. */
void emit_quiet(struct emit *e, bool quiet);

/* A member of the row, or of the document when no table is open. */
void emit_str(struct emit *e, const char *key, const char *value);
void emit_uint(struct emit *e, const char *key, uint64_t value);
void emit_bool(struct emit *e, const char *key, bool value);
void emit_hex32(struct emit *e, const char *key, uint32_t value);
void emit_hex64(struct emit *e, const char *key, uint64_t value);
/* @count names, an array in JSON */
void emit_names(struct emit *e, const char *key, const char *const *names,
		unsigned int count);
/*
 * A value for each lane, from @first on; @active has a bit for each lane of the
 * wave. An array in JSON; in text, lines below the row, with those that are not
 * active in parentheses.
 */
void emit_lanes(struct emit *e, const char *key, const char *const *values,
		unsigned int first, unsigned int count, uint64_t active);
/* Nothing to say: "-", null in JSON */
void emit_none(struct emit *e, const char *key);
/* A wave's place: @key is its name; JSON has its coordinates beside it. */
void emit_at(struct emit *e, const char *key,
	     const struct amdgpudbg_wave_coord *at);
/*
 * A register with its fields: in "registers" in JSON; in text a line below the row,
 * without what is zero.
 */
void emit_reg(struct emit *e, const struct adbg_reg *reg, uint32_t value);

/*
 * Below a row, or in a document: an array @key, or with NULL the next one of the array
 * that is open; the values of its lines follow. Those whose bit of @active is 0 are in
 * parentheses.
 */
void emit_list(struct emit *e, const char *key);
void emit_list_line(struct emit *e, const char *label,
		    const char *const *values, unsigned int count,
		    uint64_t active);
void emit_list_end(struct emit *e);
/* The same for an object @key of values with names */
void emit_members(struct emit *e, const char *key);
void emit_hex_line(struct emit *e, const char *name, uint32_t value);
/* One that was @before; with both in JSON */
void emit_hex_change(struct emit *e, const char *name, uint32_t before, uint32_t now);
/*
 * The same for each of @lanes, 8 to a line, and no line of lanes whose bits of @changed are
 * all 0. In text without what was before.
 */
void emit_lane_changes(struct emit *e, const char *name, const uint32_t *before,
		       const uint32_t *now, unsigned int lanes, uint64_t changed);
void emit_members_end(struct emit *e);
/* There is nothing of that, because of @why. */
void emit_failed(struct emit *e, const char *key, const char *why);

/*
 * A line of text in which {key} stands for a member of the document. For text
 * only.
 */
void emit_say(struct emit *e, const char *sentence);

#endif /* WAVECTL_EMIT_H */
