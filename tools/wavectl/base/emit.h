/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints results on standard output. A command names each value once, by a key; the value
 * becomes a table cell, a word in a sentence or a JSON member, so that text and JSON agree.
 *
 * A document contains members, tables and sentences. In text, tables and sentences are printed
 * in the order in which they were begun, and members only where a sentence names them. In JSON,
 * a document is one object on one line, without the sentences.
 *
 * The output is safe for a terminal, whatever the values are: see text.h.
 */
#ifndef WAVECTL_EMIT_H
#define WAVECTL_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg.h>

struct emit;

/* Create an output that prints JSON, or text. */
struct emit *emit_new(bool json);
/* Switch to JSON or text. Call this before the first document. */
void emit_set_json(struct emit *e, bool json);
void emit_free(struct emit *e);

/* Begin a document. The tables and members that follow belong to it. */
void emit_begin(struct emit *e);
/*
 * Begin a document that is printed as soon as it ends, also between emit_gather() and
 * emit_gathered().
 */
void emit_begin_live(struct emit *e);
/* End and print the document. Returns -EIO if standard output cannot be written. */
int emit_end(struct emit *e);

/*
 * Keep the documents that follow, except those of emit_begin_live(). emit_gathered() prints them
 * as the array @key of the document that was begun. For JSON only.
 */
void emit_gather(struct emit *e);
void emit_gathered(struct emit *e, const char *key);

/*
 * Begin the table @key, in JSON an array of objects. A table has a column for each key of its
 * rows; a row without that key has "-" there. If @shown is false, the table is only printed in
 * JSON.
 */
void emit_table(struct emit *e, const char *key, bool shown);
void emit_row(struct emit *e);
/* End the table. Members that follow belong to the document. */
void emit_table_end(struct emit *e);

/* If @quiet, members that follow are only printed in JSON. */
void emit_quiet(struct emit *e, bool quiet);

/* Add a member to the row, or to the document if no table is open. */
void emit_str(struct emit *e, const char *key, const char *value);
/* The same, but a table shows @shorter in text. */
void emit_str_short(struct emit *e, const char *key, const char *value, const char *shorter);
void emit_uint(struct emit *e, const char *key, uint64_t value);
void emit_bool(struct emit *e, const char *key, bool value);
void emit_hex32(struct emit *e, const char *key, uint32_t value);
void emit_hex64(struct emit *e, const char *key, uint64_t value);
/* Add @count names: an array in JSON, a comma-separated list in text. */
void emit_names(struct emit *e, const char *key, const char *const *names,
		unsigned int count);
/* The same, but text shows @shorter. */
void emit_names_short(struct emit *e, const char *key, const char *const *names,
		      unsigned int count, const char *shorter);
/*
 * Add the values of @count lanes from @first on. Bit n of @active: lane n of the wave is active.
 * An array in JSON; in text, lines below the row, with the values of inactive lanes in
 * parentheses.
 */
void emit_lanes(struct emit *e, const char *key, const char *const *values,
		unsigned int first, unsigned int count, uint64_t active);
/* Add a member without a value: "-" in text, null in JSON. */
void emit_none(struct emit *e, const char *key);
/* Does the document have a member @key with a value? */
bool emit_has(const struct emit *e, const char *key);
/* Add the coordinates of a wave: @key is its name; JSON also has the coordinates. */
void emit_at(struct emit *e, const char *key,
	     const struct amdgpudbg_wave_coord *at);
/*
 * Add a register with its fields: in JSON below "registers"; in text a line below the row,
 * without the fields that are zero.
 */
void emit_reg(struct emit *e, const struct adbg_reg *reg, uint32_t value);
/* Append one field to such a line, unless it is zero or the whole register: " SCC=1". */
void append_field(char **text, const struct adbg_field *field, uint32_t value);

/*
 * Begin an array @key below a row or in the document; with NULL, the next array in the array
 * that is open. The values of its lines follow; those whose bit of @active is 0 are in
 * parentheses.
 */
void emit_list(struct emit *e, const char *key);
void emit_list_line(struct emit *e, const char *label,
		    const char *const *values, unsigned int count,
		    uint64_t active);
void emit_list_end(struct emit *e);
/* Begin an object @key whose members are values with names. */
void emit_members(struct emit *e, const char *key);
void emit_hex_line(struct emit *e, const char *name, uint32_t value);
/* Add a value that changed. Text has only the new value. */
void emit_hex_change(struct emit *e, const char *name, uint32_t before, uint32_t now);
/*
 * Add a value that changed, for @lanes lanes, 8 per line. Lines in which no bit of @changed is
 * set are left out. Text has only the new values.
 */
void emit_lane_changes(struct emit *e, const char *name, const uint32_t *before,
		       const uint32_t *now, unsigned int lanes, uint64_t changed);
void emit_members_end(struct emit *e);
/*
 * Begin an array @key of objects in the row. Each emit_below_line() begins the next one, for whose
 * members JSON has what follows; text has the line below the row.
 */
void emit_below(struct emit *e, const char *key);
void emit_below_line(struct emit *e, const char *line);
void emit_below_end(struct emit *e);
/* Add the reason for which the value @key is missing. */
void emit_failed(struct emit *e, const char *key, const char *why);

/* Print a line of text, with {key} replaced by the member of that name. For text only. */
void emit_say(struct emit *e, const char *sentence);

#endif /* WAVECTL_EMIT_H */
