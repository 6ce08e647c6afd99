// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Checks of line tables before libdw reads them. libdw joins the names of directory and file for
 * each file, so that one long directory name and many files take memory like their product. And
 * it needs some hundred bytes for each row, which may have only one byte. DWARF 4 and 5, 6.2.4
 * and 6.2.5.
 */
#include "line_header.h"

#include <string.h>

#include "code_object.h"

/* The man page names this limit. */
#define SECTION_MAX	(16U << 20)
#define FORMATS_MAX	32

/* Content of an entry: the text of the file. LLVM 19, AMDGPUUsage, "Line Number Information" */
#define LNCT_LLVM_SOURCE	0x2001

/* Memory of libdw for a file, in addition to its name */
#define FILE_SIZE	32

struct tables {
	struct adbgd_dwarf *d;
	/* the following are about the current table */
	unsigned int offset_size;
	unsigned int opcode_base;
	uint8_t lengths[256];		/* number of arguments of standard opcodes */
	uint64_t longest;		/* length of the longest directory name, in bytes */
	struct adbgd_error *error;
	int ret;			/* result of charge() */
};

/* Charge something. On failure, end all loops over the table by setting @c->bad. */
static void charge(struct adbgd_cursor *c, struct tables *t, enum adbgd_cost cost, uint64_t num)
{
	if (!t->ret)
		t->ret = adbgd_dwarf_spend(t->d, cost, num, t->error);
	c->bad |= t->ret;
}

/* Get the length of a string in a string section. */
static uint64_t string_of(struct adbgd_cursor *c, const struct adbgd_section *section,
			  unsigned int size)
{
	uint64_t at = adbgd_cursor_number(c, size);
	struct adbgd_cursor s;

	if (!adbgd_cursor_begin(&s, section, at)) {
		c->bad = true;
		return 0;
	}
	at = adbgd_cursor_string(&s);
	c->bad |= s.bad;
	return at;
}

/* Skip a value. Return its length if it is a string, else 0. */
static uint64_t form(struct adbgd_cursor *c, const struct tables *t, uint64_t which)
{
	switch (which) {
	case DW_FORM_string:
		return adbgd_cursor_string(c);
	case DW_FORM_line_strp:
		return string_of(c, &t->d->sections.line_str, t->offset_size);
	case DW_FORM_strp:
		return string_of(c, &t->d->sections.str, t->offset_size);
	case DW_FORM_udata:
		adbgd_cursor_uleb(c);
		return 0;
	case DW_FORM_data1:
		adbgd_cursor_number(c, 1);
		return 0;
	case DW_FORM_data2:
		adbgd_cursor_number(c, 2);
		return 0;
	case DW_FORM_data4:
		adbgd_cursor_number(c, 4);
		return 0;
	case DW_FORM_data8:
		adbgd_cursor_number(c, 8);
		return 0;
	case DW_FORM_data16:
		adbgd_cursor_number(c, 16);
		return 0;
	default:
		/* No compiler uses another form there. */
		c->bad = true;
		return 0;
	}
}

/* What each entry of a list of directories or files of DWARF 5 consists of */
struct formats {
	unsigned int num;
	uint64_t types[FORMATS_MAX];	/* DW_LNCT_* */
	uint64_t forms[FORMATS_MAX];
};

/* Read the formats of a list. Return its number of entries. */
static uint64_t begin_list(struct adbgd_cursor *c, struct formats *f)
{
	uint64_t count;
	unsigned int k;

	f->num = adbgd_cursor_number(c, 1);
	c->bad |= f->num > FORMATS_MAX;
	for (k = 0; k < f->num && !c->bad; k++) {
		f->types[k] = adbgd_cursor_uleb(c);
		f->forms[k] = adbgd_cursor_uleb(c);
	}
	count = adbgd_cursor_uleb(c);
	/* Entries without any content could be repeated without limit. */
	c->bad |= count && !f->num;
	return count;
}

/*
 * Check a list of directories or files of DWARF 5. @longest: set to the length of the longest
 * name
 */
static void entries(struct adbgd_cursor *c, struct tables *t, uint64_t folder,
		    uint64_t *longest)
{
	struct formats f;
	uint64_t count = begin_list(c, &f), length, i;
	unsigned int k;

	for (i = 0; i < count && !c->bad; i++) {
		for (k = 0; k < f.num && !c->bad; k++) {
			length = form(c, t, f.forms[k]);
			if (f.types[k] != DW_LNCT_path)
				continue;
			charge(c, t, ADBGD_COST_NAMES, folder + length + FILE_SIZE);
			if (length > *longest)
				*longest = length;
		}
	}
}

/* Check the lists before DWARF 5, which end with an empty name. */
static void lists(struct adbgd_cursor *c, struct tables *t, uint64_t folder)
{
	uint64_t length;

	while ((length = adbgd_cursor_string(c)) && !c->bad) {
		charge(c, t, ADBGD_COST_NAMES, FILE_SIZE);
		if (length > folder)
			folder = length;
	}
	while (!c->bad && (length = adbgd_cursor_string(c))) {
		adbgd_cursor_uleb(c);
		adbgd_cursor_uleb(c);
		adbgd_cursor_uleb(c);
		charge(c, t, ADBGD_COST_NAMES, folder + length + FILE_SIZE);
	}
	t->longest = folder;
}

/* Read a header up to its lists, and set @program to the line program. Return the version. */
static unsigned int begin_header(struct adbgd_cursor *c, struct tables *t,
				 struct adbgd_cursor *program)
{
	uint64_t size = adbgd_cursor_number(c, 4);
	unsigned int version, i;

	t->offset_size = size == 0xffffffff ? 8 : 4;
	if (t->offset_size == 8)
		size = adbgd_cursor_number(c, 8);
	if (c->bad || size > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return 0;
	}
	c->end = c->at + size;
	version = adbgd_cursor_number(c, 2);
	c->bad |= version < 2 || version > 5;
	if (version >= 5)
		adbgd_cursor_number(c, 2);	/* sizes of addresses and segment selectors */
	size = adbgd_cursor_number(c, t->offset_size);
	*program = *c;
	adbgd_cursor_skip(program, size);
	/* Lengths of instructions, default_is_stmt, line_base and line_range */
	adbgd_cursor_number(c, version >= 4 ? 5 : 4);
	t->opcode_base = adbgd_cursor_number(c, 1);
	for (i = 1; i < t->opcode_base && !c->bad; i++)
		t->lengths[i] = adbgd_cursor_number(c, 1);
	return version;
}

/* Check a header, and move @c to the line program. */
static void header(struct adbgd_cursor *c, struct tables *t, uint64_t folder)
{
	struct adbgd_cursor program;
	unsigned int version = begin_header(c, t, &program);

	if (c->bad)
		return;
	t->longest = folder;
	if (version < 5) {
		lists(c, t, folder);
	} else {
		entries(c, t, 0, &t->longest);
		entries(c, t, t->longest, &t->longest);
	}
	program.bad |= c->bad;
	*c = program;
}

static void extended_opcode(struct adbgd_cursor *c, struct tables *t)
{
	uint64_t length = adbgd_cursor_uleb(c);
	struct adbgd_cursor inside = *c;
	unsigned int opcode;

	adbgd_cursor_skip(c, length);
	inside.end = c->at;
	opcode = adbgd_cursor_number(&inside, 1);
	if (opcode == DW_LNE_end_sequence)
		charge(c, t, ADBGD_COST_ROWS, 1);
	else if (opcode == DW_LNE_define_file)
		charge(c, t, ADBGD_COST_NAMES,
		       t->longest + adbgd_cursor_string(&inside) + FILE_SIZE);
}

/* Charge the rows that the line program makes. libdw reports what is damaged in it. */
static void rows(struct adbgd_cursor *c, struct tables *t)
{
	unsigned int opcode, i;

	while (c->at < c->end && !c->bad) {
		opcode = adbgd_cursor_number(c, 1);
		charge(c, t, ADBGD_COST_STEPS, 1);
		if (opcode >= t->opcode_base || opcode == DW_LNS_copy)
			charge(c, t, ADBGD_COST_ROWS, 1);
		else if (!opcode)
			extended_opcode(c, t);
		else if (opcode == DW_LNS_fixed_advance_pc)
			adbgd_cursor_number(c, 2);
		else
			for (i = 0; i < t->lengths[opcode]; i++)
				adbgd_cursor_uleb(c);
	}
}

static uint64_t folder_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *name;

	if (!dwarf_attr(unit, DW_AT_comp_dir, &attr))
		return 0;
	name = dwarf_formstring(&attr);
	return name ? strlen(name) : 0;
}

int adbgd_line_headers_check(struct adbgd_dwarf *d, struct adbgd_error *error)
{
	const struct adbgd_section *line = &d->sections.line;
	struct tables t = { .d = d, .error = error };
	struct adbgd_cursor c;
	uint64_t at;
	size_t i;

	if (line->size > SECTION_MAX)
		return adbgd_fail(error, -E2BIG, "%s: its line table has more than %u MiB",
				  d->code->name, SECTION_MAX >> 20);
	for (i = 0; i < d->num_units; i++) {
		at = adbgd_dwarf_number(&d->units[i].lines, DW_AT_stmt_list, UINT64_MAX);
		/* libdw reports a missing table, if it is needed. */
		if (!adbgd_cursor_begin(&c, line, at))
			continue;
		header(&c, &t, folder_of(&d->units[i].lines));
		if (c.bad && !t.ret)
			return adbgd_fail(error, -EBADMSG,
					  "%s: its debug information is damaged: the header of a "
					  "line table", d->code->name);
		/*
		 * Charge the rows also if units share a table, because each unit gets rows of its
		 * own.
		 */
		rows(&c, &t);
		if (t.ret)
			return t.ret;
	}
	return 0;
}

/* Skip a string, and get it; NULL: it is none. */
static const char *text_of(struct adbgd_cursor *c, const struct tables *t, uint64_t which)
{
	const struct adbgd_section *strings = which == DW_FORM_strp ? &t->d->sections.str :
								      &t->d->sections.line_str;
	struct adbgd_cursor peek = *c;
	const uint8_t *text = NULL;

	if (which == DW_FORM_string)
		text = c->at;
	else if ((which == DW_FORM_strp || which == DW_FORM_line_strp) &&
		 adbgd_cursor_begin(&peek, strings, adbgd_cursor_number(&peek, t->offset_size)))
		text = peek.at;
	/* This checks also whether the string has an end. */
	form(c, t, which);
	return c->bad ? NULL : (const char *)text;
}

/* Find the source of a file in the list of files. */
static const char *source_of(struct adbgd_cursor *c, struct tables *t, size_t number)
{
	struct formats f;
	uint64_t count = begin_list(c, &f), i;
	const char *text = NULL, *is;
	unsigned int k;

	for (i = 0; i < count && i <= number && !c->bad; i++) {
		charge(c, t, ADBGD_COST_STEPS, f.num);
		for (k = 0; k < f.num && !c->bad; k++) {
			is = text_of(c, t, f.forms[k]);
			if (i == number && f.types[k] == LNCT_LLVM_SOURCE)
				text = is;
		}
	}
	return c->bad || !text || !*text ? NULL : text;
}

const char *adbgd_line_header_source(struct adbgd_dwarf *d, Dwarf_Die *unit, size_t number)
{
	struct adbgd_budget *budget = &d->code->budget;
	uint64_t names = budget->spent[ADBGD_COST_NAMES], longest = 0;
	struct adbgd_cursor c, program;
	struct tables t = { .d = d };
	const char *text = NULL;

	if (!adbgd_cursor_begin(&c, &d->sections.line,
				adbgd_dwarf_number(unit, DW_AT_stmt_list, UINT64_MAX)) ||
	    begin_header(&c, &t, &program) < 5 || c.bad)
		return NULL;
	entries(&c, &t, 0, &longest);
	if (!c.bad)
		text = source_of(&c, &t, number);
	/* libdw keeps the names only once. */
	adbgd_unspend(budget, ADBGD_COST_NAMES, budget->spent[ADBGD_COST_NAMES] - names);
	return text;
}
