// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl x: the memory of a process, like gdb's command x.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/format.h"
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "cmd/disasm.h"
#include "debug/address.h"
#include "debug/code.h"
#include "debug/location.h"
#include "debug/values.h"
#include "report/from.h"
#include "report/show.h"
#include "waves/hold.h"
#include "waves/memory.h"
#include "waves/regs.h"

struct examine_args {
	uint64_t count;			/* 0: not given */
};

#define PER_ROW		4
#define MAX_WORDS	(1 << 20)
/* The longest text is a number of 64 binary digits. */
#define UNIT_TEXT_MAX	80

/* What is printed: bytes of one address space */
struct examined_memory {
	struct address from;
	uint64_t bytes;
	uint8_t *data;
};

static void emit_address(struct wavectl *w, const struct address *from, uint64_t offset)
{
	const struct address at = { .space = from->space, .va = from->va + offset };
	char text[ADDRESS_TEXT_MAX];

	emit_row(w->emit);
	if (at.space == ADBGD_SPACE_GLOBAL) {
		emit_hex64(w->emit, "address", at.va);
		code_emit_place(w, at.va);
	} else {
		emit_str(w->emit, "address", address_text(&at, text));
		emit_none(w->emit, "place");
	}
}

static void emit_words(struct wavectl *w, const struct examined_memory *m, uint64_t offset,
		       uint64_t count)
{
	char *line = format_words(w->format, m->data + offset, count);

	emit_address(w, &m->from, offset);
	emit_str(w->emit, "data", line);
	free(line);
}

static int say(struct wavectl *w, const struct examined_memory *m)
{
	emit_begin(w->emit);
	emit_table(w->emit, "memory", true);
	for (uint64_t at = 0; at < m->bytes; at += 4 * PER_ROW) {
		uint64_t left = (m->bytes - at) / 4;

		emit_words(w, m, at, left < PER_ROW ? left : PER_ROW);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "bytes", m->bytes);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* With a debugger, read the code as it is without breakpoints. */
static int read_bytes(struct wavectl *w, struct examined_memory *m)
{
	int ret;

	m->data = xcalloc(1, m->bytes);
	if (w->shell && w->shell->debugger)
		return address_read(w, &m->from, m->data, m->bytes);
	ret = adbg_vm_read(w->session, w->pid, m->from.va, m->data, m->bytes);
	return ret ? fail_memory(w, ret, "read", m->from.va) : WAVECTL_OK;
}

/* ----------------------------------------------------------- with a format of gdb */

static unsigned int bytes_of(char size)
{
	return size == 'b' ? 1 : size == 'h' ? 2 : size == 'g' ? 8 : 4;
}

/* The caller frees the text. */
static char *unit_text(const uint8_t *data, const struct format *format)
{
	const struct adbgd_type type = {
		.name = "", .size = bytes_of(format->size), .kind = ADBGD_TYPE_SIGNED,
		.flags = ADBGD_TYPE_IS_SIGNED,
	};
	struct adbgd_value *value;
	char text[UNIT_TEXT_MAX];

	if (adbgd_value_new_bytes(&type, data, &value, NULL))
		out_of_memory();
	adbgd_value_text(value, ADBGD_VALUE_FORMAT(format->letter) | ADBGD_VALUE_PADDED, text,
			 sizeof(text));
	adbgd_value_free(value);
	return xstrdup(text);
}

static void emit_units(struct wavectl *w, const struct examined_memory *m, uint64_t offset,
		       uint64_t count, const struct format *format)
{
	char *line = NULL, *text;

	for (uint64_t i = 0; i < count; i++) {
		text = unit_text(m->data + offset + i * bytes_of(format->size), format);
		xappend(&line, "%s%s", i ? "  " : "", text);
		free(text);
	}
	emit_address(w, &m->from, offset);
	emit_str(w->emit, "data", line);
	free(line);
}

/* Rows of as many units as in gdb */
static int say_units(struct wavectl *w, const struct examined_memory *m,
		     const struct format *format)
{
	uint64_t row = bytes_of(format->size) == 1 ? 8 : 16;

	emit_begin(w->emit);
	emit_table(w->emit, "memory", true);
	for (uint64_t at = 0; at < m->bytes; at += row)
		emit_units(w, m, at,
			   (m->bytes - at < row ? m->bytes - at : row) / bytes_of(format->size),
			   format);
	emit_table_end(w->emit);
	emit_uint(w->emit, "bytes", m->bytes);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* ------------------------------------------------------------------------- strings */

/* As in gdb, longer strings are printed in parts. */
#define STRING_MAX	200
/* Bytes that are read together: a part of a page, because the next one may not be readable */
#define STRING_PART	64

struct string {
	uint64_t length;		/* without the byte 0 at its end */
	bool has_end;
	uint8_t bytes[STRING_MAX + STRING_PART];
};

/* Read up to the byte 0 at the end. Returns an exit status. */
static int read_string(struct wavectl *w, const struct address *at, struct string *s)
{
	struct examined_memory part = { .from = *at };
	uint64_t done;
	uint8_t *end = NULL;
	int status;

	for (done = 0; !end && done < STRING_MAX; done += part.bytes) {
		part.from.va = at->va + done;
		part.bytes = STRING_PART - part.from.va % STRING_PART;
		status = read_bytes(w, &part);
		if (!status)
			memcpy(s->bytes + done, part.data, part.bytes);
		free(part.data);
		if (status)
			return status;
		end = memchr(s->bytes + done, 0, part.bytes);
	}
	s->length = end ? (uint64_t)(end - s->bytes) : STRING_MAX;
	s->has_end = end && s->length <= STRING_MAX;
	if (s->length > STRING_MAX)
		s->length = STRING_MAX;
	return WAVECTL_OK;
}

/* The string in quotes, with gdb's escapes. The caller frees the text. */
static char *string_text(const struct string *s)
{
	static const struct adbgd_type letter = {
		.name = "char", .size = 1, .kind = ADBGD_TYPE_CHAR,
	};
	uint64_t count = s->length + s->has_end;
	const struct adbgd_type type = {
		.name = "char []", .size = count, .kind = ADBGD_TYPE_ARRAY, .target = &letter,
		.count = count,
	};
	/* Each character has up to 4, or is a part of a repetition. */
	char text[STRING_MAX * 8], *all = NULL;
	struct adbgd_value *value;

	if (adbgd_value_new_bytes(&type, s->bytes, &value, NULL))
		out_of_memory();
	adbgd_value_text(value, 0, text, sizeof(text));
	adbgd_value_free(value);
	xappend(&all, "%s%s", text, s->has_end ? "" : "...");
	return all;
}

static void strings_free(char **texts, uint64_t num)
{
	for (uint64_t i = 0; i < num; i++)
		free(texts[i]);
	free(texts);
}

/* Print strings that follow each other; @next is set to the address after the last one. */
static int say_strings(struct wavectl *w, const struct address *from, uint64_t count,
		       uint64_t *next)
{
	struct address at = *from;
	uint64_t *lengths = xcalloc(count, sizeof(*lengths)), num;
	char **texts = xcalloc(count, sizeof(*texts));
	struct string s;
	int status = WAVECTL_OK;

	for (num = 0; !status && num < count && !hold_interrupted(); at.va += lengths[num++]) {
		status = read_string(w, &at, &s);
		if (status)
			break;
		texts[num] = string_text(&s);
		lengths[num] = s.length + s.has_end;
	}
	*next = at.va;
	if (!status && hold_interrupted())
		status = hold_fail_interrupted(w);
	if (!status) {
		emit_begin(w->emit);
		emit_table(w->emit, "memory", true);
		at.va = 0;
		for (uint64_t i = 0; i < num; at.va += lengths[i++]) {
			emit_address(w, from, at.va);
			emit_str(w->emit, "data", texts[i]);
		}
		emit_table_end(w->emit);
		emit_uint(w->emit, "bytes", at.va);
		status = emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
	}
	strings_free(texts, num);
	free(lengths);
	return status;
}

/* Set what is not given, from the last command of the shell, as gdb does. */
static void complete(const struct wavectl *w, struct format *format)
{
	const struct examined *last = w->shell ? &w->shell->examined : NULL;

	if (!format->letter)
		format->letter = last && last->letter ? last->letter : 'x';
	if (!format->size && (format->letter == 'c' || format->letter == 's'))
		format->size = 'b';
	if (!format->size)
		format->size = last && last->size ? last->size : 'w';
	if (!format->count)
		format->count = 1;
}

/* The next "x" without an argument continues at @next. */
static void remember(struct wavectl *w, const struct format *format, uint32_t space,
		     uint64_t next)
{
	if (w->shell)
		w->shell->examined = (struct examined){
			.letter = format->letter, .size = format->size, .space = space,
			.next = next,
		};
}

/* $_ is the address of the last unit, $__ the unit itself. */
static void keep_last(struct wavectl *w, const struct examined_memory *m, char letter, char size)
{
	static const struct adbgd_type integers[] = {
		{ .name = "char", .kind = ADBGD_TYPE_CHAR }, { .name = "short" },
		{ .name = "int" }, { .name = "long" },
	}, floats[] = { { .name = "char" }, { .name = "_Float16" }, { .name = "float" },
			{ .name = "double" } };
	static const char *const pointers[2][4] = {
		{ "char *", "short *", "int *", "long *" },
		{ "char *", "_Float16 *", "float *", "double *" },
	};
	unsigned int bytes = bytes_of(size), i = (unsigned int)__builtin_ctz(bytes);
	bool is_float = letter == 'f' && i;
	struct adbgd_type unit = is_float ? floats[i] : integers[i], pointer;
	uint64_t offset = m->bytes - bytes, va = m->from.va + offset;
	struct adbgd_value *value;

	unit.size = bytes;
	unit.flags = is_float ? 0 : ADBGD_TYPE_IS_SIGNED;
	if (!unit.kind)
		unit.kind = is_float ? ADBGD_TYPE_FLOAT : ADBGD_TYPE_SIGNED;
	pointer = (struct adbgd_type){
		.name = pointers[is_float][i], .kind = ADBGD_TYPE_POINTER, .target = &unit,
		.size = m->from.space == ADBGD_SPACE_GLOBAL ? 8 : 4, .space = m->from.space,
	};
	if (adbgd_value_new_bytes(&pointer, &va, &value, NULL))
		out_of_memory();
	values_set(w->shell, "_", value);
	adbgd_value_free(value);
	if (adbgd_value_new_bytes(&unit, m->data + offset, &value, NULL))
		out_of_memory();
	values_set(w->shell, "__", value);
	adbgd_value_free(value);
}

/* ------------------------------------------------------------------------ command */

static int examine_code(struct wavectl *w, const struct address *from, struct format *format)
{
	uint64_t va = from->va;
	int status;

	if (from->space != ADBGD_SPACE_GLOBAL)
		return fail_with(w, WAVECTL_USAGE, NULL, "/i: instructions are only in the memory of "
				 "the process");
	status = debug_open_target(w);
	if (!status)
		status = disasm_at(w, &va, format->count ? format->count : 1);
	if (!status)
		remember(w, format, from->space, va);
	return status;
}

static int examine(struct wavectl *w, const struct address *from, struct format *format)
{
	const struct examine_args *args = w->args;
	struct examined_memory m = { .from = *from };
	int status;

	if (format->letter == 'i')
		return examine_code(w, from, format);
	if (format->letter == 's') {
		uint64_t next;

		if (format->size != 'b')
			return fail_with(w, WAVECTL_USAGE, NULL,
					 "/s: a character of a string has 1 byte");
		status = say_strings(w, from, format->count, &next);
		if (!status)
			remember(w, format, from->space, next);
		return status;
	}
	if (format->letter)
		m.bytes = format->count * bytes_of(format->size);
	else
		m.bytes = 4 * (args->count ? args->count : 1);
	status = read_bytes(w, &m);
	if (!status)
		status = format->letter ? say_units(w, &m, format) : say(w, &m);
	if (!status)
		remember(w, format, from->space, from->va + m.bytes);
	if (!status && w->shell)
		keep_last(w, &m, format->letter, format->letter ? format->size : 'w');
	free(m.data);
	return status;
}

/* The expression or location may have several words. */
static bool is_expression(struct wavectl *w, const char *text)
{
	char *name = xstrdup(text);
	bool is;

	name[strcspn(name, "+-.")] = '\0';
	is = text[strcspn(text, "$*[ >&(@")] || address_is_variable(w, name);
	free(name);
	return is;
}

static int find_by_name(struct wavectl *w, const char *text, struct address *address)
{
	struct location location;
	char *name;
	int status;

	/* "*$pc" is the address $pc, as in other locations. */
	if (is_expression(w, text))
		return address_eval(w, text + !strncmp(text, "*$", 2), address);
	name = join_words(w->words, w->num_words);
	status = location_find(w, name, LOCATION_BEGIN, &location);
	free(name);
	if (!status) {
		address->va = location.va[0];
		location_free(&location);
	}
	return status;
}

/* An address of the process does not need the debugger, anything else does. */
static int find_address(struct wavectl *w, struct address *address)
{
	char *text;
	int status;

	*address = (struct address){ .space = ADBGD_SPACE_GLOBAL };
	if (!w->num_words) {
		address->va = w->shell->examined.next;
		address->space = w->shell->examined.space;
		return WAVECTL_OK;
	}
	if (w->num_words == 1 && parse_u64(w->words[0], UINT64_MAX, &address->va))
		return WAVECTL_OK;
	status = debug_open(w);
	if (status || (w->num_words == 1 && address_parse(w->words[0], address)))
		return status;
	address->space = ADBGD_SPACE_GLOBAL;
	text = expression_words(w, w->words, w->num_words);
	status = find_by_name(w, text, address);
	free(text);
	return status;
}

/* Check the format and the options. Without any, @format has no letter. */
static int take_format(struct wavectl *w, struct format *format)
{
	const struct examine_args *args = w->args;
	bool continues = w->shell && w->shell->examined.letter && !args->count &&
			 w->format == FORMAT_HEX;
	int status = format_take(w, "xzoductfis", format);

	if (status)
		return status;
	if (!w->slash && !continues)
		return args->count > MAX_WORDS ?
		       fail_with(w, WAVECTL_USAGE, "use \"mem read\" with --output for more",
				 "--count: at most %u words can be printed", MAX_WORDS) :
		       WAVECTL_OK;
	if (w->slash && (args->count || w->format != FORMAT_HEX))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "/%s cannot be used together with --count or --format",
				 w->slash);
	complete(w, format);
	return format->count <= MAX_WORDS ? WAVECTL_OK :
	       fail_with(w, WAVECTL_USAGE, "use \"mem read\" with --output for more",
			 "/%s: at most %u units can be printed", w->slash ? w->slash : "",
			 MAX_WORDS);
}

static int show_recorded(struct wavectl *w, struct json_object *root)
{
	const struct examine_args *args = w->args;
	uint64_t va;

	if (w->num_words != 1 || w->slash || !parse_u64(w->words[0], UINT64_MAX, &va) ||
	    args->count > MAX_WORDS)
		return fail_with(w, WAVECTL_USAGE, NULL, "--from takes an address, without a format");
	return report_show_memory(w, root, va, 4 * (args->count ? args->count : 1));
}

static int cmd_x(struct wavectl *w)
{
	struct address address;
	struct format format;
	int status;

	if (w->from)
		return report_from(w, show_recorded);
	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: each process has its own address space");
	if (w->shell ? !w->num_words && !w->shell->examined.next : w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "one location is required");
	status = take_format(w, &format);
	if (!status)
		status = open_target(w);
	if (!status)
		status = find_address(w, &address);
	return status ? status : examine(w, &address, &format);
}

static const struct option_desc opt_words = {
	"count", 'c', "N", "number of 32-bit words (default: 1)",
	option_positive, OPTION_OF(struct examine_args, count),
};

static const struct option_desc *const x_options[] = {
	TARGET_OPTIONS, &opt_words, &opt_format, &opt_from, NULL,
};

const struct command examine_commands[] = {
	{
		.noun = "x",
		.takes_format = true,
		.args = "[LOCATION | EXPRESSION]",
		.expression_from = 1,
		.summary = "print the memory of a process",
		.help = LOCATION_HELP
			"Names, expressions such as $pc or out + 4, and addresses in other memory, such\n"
			"as local#0x40 or private#0x18, need a shell or batch. As in gdb,\n"
			"\"x/4xw\" selects the count, the format (x, z, o, d, u, c, t, f, i for\n"
			"instructions, or s for strings) and the size of each unit: b (1 byte), h (2), w (4)\n"
			"or g (8). The format and the size remain for the next x; without an argument, it\n"
			"continues after the last unit. $_ is then the address of that unit and $__ its value.",
		.options = x_options,
		.args_size = sizeof(struct examine_args),
		.run = cmd_x,
	},
	{ .noun = NULL },
};
