// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints results as text or JSON: see emit.h.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/emit.h"
#include "base/text.h"
#include "base/util.h"

/* Version of the JSON output. It changes only if an existing member gets another meaning. */
#define JSON_SCHEMA 1

#define LANES_PER_LINE 8

/* A cell that was not added is NULL, or beyond num_cells. */
struct row {
	char **cells;
	unsigned int num_cells;
	unsigned int next_cell;	/* column that the next cell is expected in */
	char *lines;		/* below the row, each with its line feed */
	struct row *next;
};

struct table {
	const char **keys;
	unsigned int num_keys;
	struct row *first, *last;
	bool shown;
};

/* What a document shows as text: a table or a sentence. */
struct block {
	struct table *table;
	char *sentence;
	struct block *next;
};

struct emit {
	bool json;
	bool schema_done;
	bool quiet;
	bool live;			/* the document is printed at once */
	struct json_object *gathered;	/* NULL, or documents that are not live */
	struct json_object *doc;
	struct json_object *rows;	/* rows of the open table */
	struct json_object *object;	/* members are added to this object */
	struct json_object *lists[2];	/* open arrays, the outer one first */
	unsigned int num_lists;
	struct json_object *members;	/* open object of emit_members() */
	struct json_object *below;	/* open array of emit_below(), and the row that has it */
	struct json_object *above;
	struct table *table;
	struct block *first, *last;
};

struct emit *emit_new(bool json)
{
	struct emit *e = xcalloc(1, sizeof(*e));

	e->json = json;
	return e;
}

void emit_set_json(struct emit *e, bool json)
{
	e->json = json;
}

static void free_table(struct table *table)
{
	struct row *row, *next;

	for (row = table->first; row; row = next) {
		next = row->next;
		for (unsigned int i = 0; i < row->num_cells; i++)
			free(row->cells[i]);
		free(row->cells);
		free(row->lines);
		free(row);
	}
	free(table->keys);
	free(table);
}

static void free_doc(struct emit *e)
{
	struct block *block, *next;

	for (block = e->first; block; block = next) {
		next = block->next;
		if (block->table)
			free_table(block->table);
		free(block->sentence);
		free(block);
	}
	json_object_put(e->doc);

	e->first = NULL;
	e->last = NULL;
	e->table = NULL;
	e->doc = NULL;
	e->rows = NULL;
	e->object = NULL;
}

void emit_free(struct emit *e)
{
	if (!e)
		return;

	free_doc(e);
	json_object_put(e->gathered);
	free(e);
}

static void begin(struct emit *e, bool live)
{
	free_doc(e);
	e->live = live;
	e->doc = json_object_new_object();
	e->object = e->doc;
	if (e->schema_done || (e->gathered && !live))
		return;
	json_object_object_add(e->doc, "schema",
			       json_object_new_int(JSON_SCHEMA));
}

void emit_begin(struct emit *e)
{
	begin(e, false);
}

void emit_begin_live(struct emit *e)
{
	begin(e, true);
}

void emit_gather(struct emit *e)
{
	json_object_put(e->gathered);
	e->gathered = json_object_new_array();
}

void emit_gathered(struct emit *e, const char *key)
{
	json_object_object_add(e->doc, key, e->gathered);
	e->gathered = NULL;
}

static struct block *add_block(struct emit *e)
{
	struct block *block = xcalloc(1, sizeof(*block));

	if (e->last)
		e->last->next = block;
	else
		e->first = block;
	e->last = block;
	return block;
}

void emit_table(struct emit *e, const char *key, bool shown)
{
	e->table = xcalloc(1, sizeof(*e->table));
	e->table->shown = shown;
	add_block(e)->table = e->table;
	e->rows = json_object_new_array();
	json_object_object_add(e->doc, key, e->rows);
}

void emit_row(struct emit *e)
{
	struct row *row = xcalloc(1, sizeof(*row));

	if (e->table->last)
		e->table->last->next = row;
	else
		e->table->first = row;
	e->table->last = row;

	e->object = json_object_new_object();
	json_object_array_add(e->rows, e->object);
}

void emit_table_end(struct emit *e)
{
	e->table = NULL;
	e->rows = NULL;
	e->object = e->doc;
}

/*
 * The column of @key. Rows usually have the same keys in the same order, so it is the one after
 * the last; a new key becomes a new column.
 */
static unsigned int find_column(struct table *table, const char *key, unsigned int expected)
{
	if (expected < table->num_keys && !strcmp(table->keys[expected], key))
		return expected;
	for (unsigned int i = 0; i < table->num_keys; i++)
		if (!strcmp(table->keys[i], key))
			return i;
	table->keys = xreallocarray(table->keys, table->num_keys + 1, sizeof(*table->keys));
	table->keys[table->num_keys] = key;
	return table->num_keys++;
}

static void add_cell(struct emit *e, const char *key, const char *text)
{
	struct row *row = e->table->last;
	unsigned int i = find_column(e->table, key, row->next_cell);

	if (i >= row->num_cells) {
		row->cells = xreallocarray(row->cells, i + 1, sizeof(*row->cells));
		while (row->num_cells <= i)
			row->cells[row->num_cells++] = NULL;
	}
	free(row->cells[i]);
	row->cells[i] = text_shown(text);
	row->next_cell = i + 1;
}

static const char *cell_of(const struct row *row, unsigned int column)
{
	return column < row->num_cells && row->cells[column] ? row->cells[column] : "-";
}

static void add(struct emit *e, const char *key, const char *text,
		struct json_object *value)
{
	json_object_object_add(e->object, key, value);
	if (e->table && !e->quiet)
		add_cell(e, key, text);
}

void emit_quiet(struct emit *e, bool quiet)
{
	e->quiet = quiet;
}

void emit_str(struct emit *e, const char *key, const char *value)
{
	add(e, key, value, json_object_new_string(value));
}

void emit_str_short(struct emit *e, const char *key, const char *value, const char *shorter)
{
	add(e, key, e->table ? shorter : value, json_object_new_string(value));
}

void emit_uint(struct emit *e, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	add(e, key, text, json_object_new_uint64(value));
}

void emit_bool(struct emit *e, const char *key, bool value)
{
	add(e, key, value ? "yes" : "no", json_object_new_boolean(value));
}

void emit_hex32(struct emit *e, const char *key, uint32_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%08" PRIx32, value);
	emit_str(e, key, text);
}

void emit_hex64(struct emit *e, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%016" PRIx64, value);
	emit_str(e, key, text);
}

static char *join(const char *const *names, unsigned int count)
{
	struct buffer text = { 0 };

	for (unsigned int i = 0; i < count; i++) {
		if (i)
			buffer_append(&text, ",", 1);
		buffer_append(&text, names[i], strlen(names[i]));
	}
	return count ? text.text : xstrdup("-");
}

static struct json_object *name_array(const char *const *names,
				      unsigned int count)
{
	struct json_object *array = json_object_new_array();

	for (unsigned int i = 0; i < count; i++)
		json_object_array_add(array, json_object_new_string(names[i]));
	return array;
}

void emit_names(struct emit *e, const char *key, const char *const *names,
		unsigned int count)
{
	char *text = join(names, count);

	add(e, key, text, name_array(names, count));
	free(text);
}

void emit_names_short(struct emit *e, const char *key, const char *const *names,
		      unsigned int count, const char *shorter)
{
	add(e, key, shorter, name_array(names, count));
}

void emit_none(struct emit *e, const char *key)
{
	add(e, key, "-", NULL);
}

void emit_at(struct emit *e, const char *key,
	     const struct amdgpudbg_wave_coord *at)
{
	struct json_object *o = json_object_new_object();
	char name[ADBG_WAVE_NAME_MAX];

	emit_str(e, key, adbg_wave_name(at, name));
	json_object_object_add(o, "xcc", json_object_new_int(at->xcc));
	json_object_object_add(o, "se", json_object_new_int(at->se));
	json_object_object_add(o, "sa", json_object_new_int(at->sa));
	json_object_object_add(o, "wgp", json_object_new_int(at->wgp));
	json_object_object_add(o, "simd", json_object_new_int(at->simd));
	json_object_object_add(o, "wave", json_object_new_int(at->wave));
	json_object_object_add(e->object, "at", o);
}

/* Add a line of text to the row, or to the document. */
static void add_line(struct emit *e, const char *line)
{
	char *shown = text_shown(line);

	if (e->table) {
		xappend(&e->table->last->lines, "%s\n", shown);
		free(shown);
	} else {
		add_block(e)->sentence = shown;
	}
}

void emit_list(struct emit *e, const char *key)
{
	struct json_object *list = json_object_new_array();

	assert(e->num_lists < 2 && !key == !!e->num_lists);
	if (key)
		json_object_object_add(e->object, key, list);
	else
		json_object_array_add(e->lists[0], list);
	e->lists[e->num_lists++] = list;
}

/* Append the value of one lane, in parentheses if the lane is not @on. */
static void append_lane(char **line, const char *value, bool on, bool is_last)
{
	xappend(line, on ? "  %s" : " (%s)", value);
	if (on && !is_last)
		xappend(line, " ");
}

void emit_lanes(struct emit *e, const char *key, const char *const *values,
		unsigned int first, unsigned int count, uint64_t active)
{
	char text[32], *line = NULL;

	snprintf(text, sizeof(text), "%u values", count);
	add(e, key, text, name_array(values, count));
	for (unsigned int i = 0; i < count; i++) {
		bool is_last = (i + 1) % LANES_PER_LINE == 0 || i + 1 == count;

		if (i % LANES_PER_LINE == 0)
			xappend(&line, "    lane %-2u ", first + i);
		append_lane(&line, values[i], active >> (first + i) & 1, is_last);
		if (!is_last)
			continue;
		add_line(e, line);
		free(line);
		line = NULL;
	}
}

void emit_list_line(struct emit *e, const char *label,
		    const char *const *values, unsigned int count,
		    uint64_t active)
{
	struct json_object *list = e->lists[e->num_lists - 1];
	char *line = NULL;

	xappend(&line, "    %-12s", label);
	for (unsigned int i = 0; i < count; i++) {
		json_object_array_add(list, json_object_new_string(values[i]));
		append_lane(&line, values[i], active >> i & 1, i + 1 == count);
	}
	add_line(e, line);
	free(line);
}

void emit_list_end(struct emit *e)
{
	e->num_lists--;
}

void emit_members(struct emit *e, const char *key)
{
	e->members = json_object_new_object();
	json_object_object_add(e->object, key, e->members);
}

#define HEX32_MAX 16

static const char *hex32(uint32_t value, char text[HEX32_MAX])
{
	snprintf(text, HEX32_MAX, "0x%08" PRIx32, value);
	return text;
}

static struct json_object *new_hex32(uint32_t value)
{
	char text[HEX32_MAX];

	return json_object_new_string(hex32(value, text));
}

void emit_hex_line(struct emit *e, const char *name, uint32_t value)
{
	char text[HEX32_MAX], *line = NULL;

	hex32(value, text);
	json_object_object_add(e->members, name, new_hex32(value));
	xappend(&line, "    %-16s  %s", name, text);
	add_line(e, line);
	free(line);
}

/* Add an object for a register, with its old and its new value. */
static void add_change(struct emit *e, const char *name, struct json_object *before,
		       struct json_object *now)
{
	struct json_object *change = json_object_new_object();

	json_object_object_add(change, "before", before);
	json_object_object_add(change, "now", now);
	json_object_object_add(e->members, name, change);
}

void emit_hex_change(struct emit *e, const char *name, uint32_t before, uint32_t now)
{
	char was[HEX32_MAX], is[HEX32_MAX], *line = NULL;

	add_change(e, name, new_hex32(before), new_hex32(now));
	xappend(&line, "    %-16s  %s -> %s", name, hex32(before, was), hex32(now, is));
	add_line(e, line);
	free(line);
}

void emit_lane_changes(struct emit *e, const char *name, const uint32_t *before,
		       const uint32_t *now, unsigned int lanes, uint64_t changed)
{
	struct json_object *was = json_object_new_array(), *is = json_object_new_array();
	char text[HEX32_MAX], *line;

	for (unsigned int first = 0; first < lanes; first += LANES_PER_LINE) {
		line = NULL;
		xappend(&line, "    %s lane %-*u", name, (int)(10 - strlen(name)), first);
		for (unsigned int i = first; i < first + LANES_PER_LINE; i++) {
			json_object_array_add(was, new_hex32(before[i]));
			json_object_array_add(is, new_hex32(now[i]));
			append_lane(&line, hex32(now[i], text), changed >> i & 1,
				    i + 1 == first + LANES_PER_LINE);
		}
		if (changed >> first & ((1U << LANES_PER_LINE) - 1))
			add_line(e, line);
		free(line);
	}
	add_change(e, name, was, is);
}

void emit_members_end(struct emit *e)
{
	e->members = NULL;
}

void emit_below(struct emit *e, const char *key)
{
	e->below = json_object_new_array();
	json_object_object_add(e->object, key, e->below);
	e->above = e->object;
	e->quiet = true;
}

void emit_below_line(struct emit *e, const char *line)
{
	e->object = json_object_new_object();
	json_object_array_add(e->below, e->object);
	add_line(e, line);
}

void emit_below_end(struct emit *e)
{
	e->object = e->above;
	e->quiet = false;
}

void emit_failed(struct emit *e, const char *key, const char *why)
{
	char *line = NULL;

	json_object_object_add(e->object, key, json_object_new_string(why));
	xappend(&line, "    %s", why);
	add_line(e, line);
	free(line);
}

/* The names of the flags that are set in a field */
static struct json_object *bits_array(const struct adbg_field *field, uint32_t value)
{
	const char *set[32];
	unsigned int n = 0;

	for (uint32_t bit = 0; bit < field->width; bit++)
		if (value >> bit & 1)
			set[n++] = field->bits[bit];
	return name_array(set, n);
}

void append_field(char **text, const struct adbg_field *field, uint32_t value)
{
	const char *between = "";

	if (!value || (!field->bits && field->width == 32))
		return;
	xappend(text, " %s=", field->name);
	if (!field->bits)
		xappend(text, "%" PRIu32, value);
	for (uint32_t bit = 0; field->bits && bit < field->width; bit++) {
		if (!(value >> bit & 1))
			continue;
		xappend(text, "%s%s", between, field->bits[bit]);
		between = "|";
	}
}

void emit_reg(struct emit *e, const struct adbg_reg *reg, uint32_t value)
{
	struct json_object *fields = json_object_new_object();
	struct json_object *o = json_object_new_object();
	const struct adbg_field *field;
	struct json_object *regs;
	char *line = NULL;
	char text[32];

	snprintf(text, sizeof(text), "0x%08" PRIx32, value);
	xappend(&line, "    %-18s %s", reg->name, text);

	for (size_t i = 0; (field = adbg_reg_get_field(reg, i)); i++) {
		uint32_t v = adbg_field_value(field, value);

		append_field(&line, field, v);
		json_object_object_add(fields, field->name, field->bits ? bits_array(field, v) :
				       json_object_new_uint64(v));
	}

	if (!json_object_object_get_ex(e->object, "registers", &regs)) {
		regs = json_object_new_object();
		json_object_object_add(e->object, "registers", regs);
	}
	json_object_object_add(o, "value", json_object_new_string(text));
	json_object_object_add(o, "fields", fields);
	json_object_object_add(regs, reg->name, o);

	if (value)
		add_line(e, line);
	free(line);
}

static void say_string(struct buffer *text, struct json_object *value)
{
	char *shown = text_shown(json_object_get_string(value));

	buffer_append(text, shown, strlen(shown));
	free(shown);
}

/* Append a value, formatted as in a cell of a table. */
static void say_value(struct buffer *text, struct json_object *value)
{
	if (!value) {
		buffer_append(text, "-", 1);
	} else if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++) {
			buffer_append(text, ",", !!i);
			say_string(text, json_object_array_get_idx(value, i));
		}
	} else {
		say_string(text, value);
	}
}

bool emit_has(const struct emit *e, const char *key)
{
	return json_object_object_get(e->doc, key);
}

void emit_say(struct emit *e, const char *sentence)
{
	struct buffer text = { 0 };

	buffer_append(&text, "", 0);
	for (const char *p = sentence; *p; p++) {
		struct json_object *value;
		const char *end = *p == '{' ? strchr(p, '}') : NULL;
		char key[64];

		if (!end) {
			buffer_append(&text, p, 1);
			continue;
		}
		snprintf(key, sizeof(key), "%.*s", (int)(end - p - 1), p + 1);
		if (json_object_object_get_ex(e->doc, key, &value))
			say_value(&text, value);
		else
			assert(!"a sentence names a missing member");
		p = end;
	}

	add_block(e)->sentence = text.text;
}

static void print_cell(const char *text, size_t width, bool last)
{
	if (last)
		printf("%s\n", text);
	else
		printf("%-*s  ", (int)width, text);
}

static void print_heading(const char *key, size_t width, bool last)
{
	char *heading = xstrdup(key);

	for (char *c = heading; *c; c++)
		*c = *c == '_' ? ' ' : toupper((unsigned char)*c);
	print_cell(heading, width, last);
	free(heading);
}

static void print_table(const struct table *table)
{
	const unsigned int num = table->num_keys;
	const struct row *row;
	size_t *width;

	if (!table->shown || !table->first)
		return;

	width = xcalloc(num, sizeof(*width));
	for (unsigned int i = 0; i < num; i++) {
		width[i] = strlen(table->keys[i]);
		for (row = table->first; row; row = row->next)
			if (strlen(cell_of(row, i)) > width[i])
				width[i] = strlen(cell_of(row, i));
	}

	for (unsigned int i = 0; i < num; i++)
		print_heading(table->keys[i], width[i], i == num - 1);
	for (row = table->first; row; row = row->next) {
		for (unsigned int i = 0; i < num; i++)
			print_cell(cell_of(row, i), width[i], i == num - 1);
		if (row->lines)
			fputs(row->lines, stdout);
	}
	free(width);
}

static void print_text(const struct emit *e)
{
	for (const struct block *b = e->first; b; b = b->next) {
		if (b->table)
			print_table(b->table);
		else
			printf("%s\n", b->sentence);
	}
}

static void print_json(const struct emit *e)
{
	char *line = text_json(e->doc);

	printf("%s\n", line);
	free(line);
}

int emit_end(struct emit *e)
{
	if (e->gathered && !e->live)
		json_object_array_add(e->gathered, json_object_get(e->doc));
	else if (e->json)
		print_json(e);
	else
		print_text(e);

	/* A document that failed before its end is not printed. */
	e->schema_done |= json_object_object_get_ex(e->doc, "schema", NULL);
	free_doc(e);
	return fflush(stdout) || ferror(stdout) ? -EIO : 0;
}
