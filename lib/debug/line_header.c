// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Headers of the tables of lines, before libdw reads them: for each file it makes a name
 * of the folder's and the file's own, so that one long folder and many files take as
 * much memory as their product. DWARF 4 and 5, 6.2.4.
 */
#include "line_header.h"

#include <string.h>

#include "code_object.h"

/* Bytes of all such names; the man page tells these. */
#define NAMES_MAX	(256U << 20)
#define SECTION_MAX	(16U << 20)
#define FORMATS_MAX	32

/* Bytes that are read one after the other; @bad: there were too few */
struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

struct tables {
	Elf_Data *line, *line_str, *str;
	unsigned int offset_size;	/* of the table that is looked at */
	uint64_t total;			/* bytes of names so far */
};

static uint64_t number(struct cursor *c, unsigned int size)
{
	uint64_t v = 0;

	if ((size_t)(c->end - c->at) < size) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	memcpy(&v, c->at, size < 8 ? size : 8);
	c->at += size;
	return v;
}

static uint64_t uleb(struct cursor *c)
{
	unsigned int shift = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		byte = number(c, 1);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	return v;
}

/* Length of a string that is here */
static uint64_t string(struct cursor *c)
{
	const uint8_t *end = memchr(c->at, 0, c->end - c->at);
	uint64_t length;

	if (!end) {
		c->bad = true;
		return 0;
	}
	length = end - c->at;
	c->at = end + 1;
	return length;
}

/* And of one that is in a section of strings */
static uint64_t string_of(struct cursor *c, const Elf_Data *data, unsigned int size)
{
	uint64_t at = number(c, size);
	struct cursor s;

	if (!data || at >= data->d_size) {
		c->bad = true;
		return 0;
	}
	s.at = (const uint8_t *)data->d_buf + at;
	s.end = (const uint8_t *)data->d_buf + data->d_size;
	s.bad = false;
	at = string(&s);
	c->bad |= s.bad;
	return at;
}

/* Passes over a value; gives its length if it is a string. */
static uint64_t form(struct cursor *c, const struct tables *t, uint64_t which)
{
	switch (which) {
	case DW_FORM_string:
		return string(c);
	case DW_FORM_line_strp:
		return string_of(c, t->line_str, t->offset_size);
	case DW_FORM_strp:
		return string_of(c, t->str, t->offset_size);
	case DW_FORM_udata:
		uleb(c);
		return 0;
	case DW_FORM_data1:
		number(c, 1);
		return 0;
	case DW_FORM_data2:
		number(c, 2);
		return 0;
	case DW_FORM_data4:
		number(c, 4);
		return 0;
	case DW_FORM_data8:
		number(c, 8);
		return 0;
	case DW_FORM_data16:
		number(c, 16);
		return 0;
	default:
		/* No compiler has a name there in another form. */
		c->bad = true;
		return 0;
	}
}

/* A list of folders or files of DWARF 5; @longest: its longest name */
static void entries(struct cursor *c, struct tables *t, uint64_t folder,
		    uint64_t *longest)
{
	uint64_t forms[FORMATS_MAX], types[FORMATS_MAX], count, length, i;
	unsigned int num = number(c, 1), k;

	c->bad |= num > FORMATS_MAX;
	for (k = 0; k < num && !c->bad; k++) {
		types[k] = uleb(c);
		forms[k] = uleb(c);
	}
	count = uleb(c);
	/* What takes no bytes may come as often as it likes. */
	c->bad |= count && !num;
	for (i = 0; i < count && !c->bad && t->total <= NAMES_MAX; i++) {
		for (k = 0; k < num && !c->bad; k++) {
			length = form(c, t, forms[k]);
			if (types[k] != DW_LNCT_path)
				continue;
			t->total += folder + length + 2;
			if (length > *longest)
				*longest = length;
		}
	}
}

/* The same before DWARF 5, where lists end with an empty name */
static void lists(struct cursor *c, struct tables *t, uint64_t folder)
{
	uint64_t length;

	while ((length = string(c)) && !c->bad) {
		if (length > folder)
			folder = length;
	}
	while (!c->bad && t->total <= NAMES_MAX && (length = string(c))) {
		uleb(c);
		uleb(c);
		uleb(c);
		t->total += folder + length + 2;
	}
}

static void header(struct cursor *c, struct tables *t, uint64_t folder)
{
	uint64_t size = number(c, 4);
	unsigned int version;

	t->offset_size = size == 0xffffffff ? 8 : 4;
	if (t->offset_size == 8)
		size = number(c, 8);
	if (c->bad || size > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return;
	}
	c->end = c->at + size;
	version = number(c, 2);
	c->bad |= version < 2 || version > 5;
	if (version >= 5)
		number(c, 2);		/* sizes of addresses and of segments */
	number(c, t->offset_size);
	/* Instructions, statements, line_base and line_range */
	number(c, version >= 4 ? 5 : 4);
	size = number(c, 1);
	while (size-- > 1 && !c->bad)
		number(c, 1);
	if (version < 5) {
		lists(c, t, folder);
	} else {
		entries(c, t, 0, &folder);
		entries(c, t, folder, &folder);
	}
}

static Elf_Data *section(struct adbgd_dwarf *d, const char *name)
{
	Elf_Scn *scn = NULL;
	const char *is;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(d->elf, &names))
		return NULL;
	while ((scn = elf_nextscn(d->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		is = elf_strptr(d->elf, names, sh.sh_name);
		/* ".zdebug_line" is the same, and decompressed by now. */
		if (is && (!strcmp(is, name) ||
			   (!strncmp(is, ".z", 2) && !strcmp(is + 2, name + 1))))
			return elf_getdata(scn, NULL);
	}
	return NULL;
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
	struct tables t = {
		.line = section(d, ".debug_line"),
		.line_str = section(d, ".debug_line_str"),
		.str = section(d, ".debug_str"),
	};
	struct cursor c;
	uint64_t at;
	size_t i;

	if (!t.line)
		return 0;
	if (t.line->d_size > SECTION_MAX)
		return adbgd_fail(error, -E2BIG, "%s: its table of lines has more than %u MiB",
				  d->code->name, SECTION_MAX >> 20);
	for (i = 0; i < d->num_units; i++) {
		at = adbgd_dwarf_number(&d->units[i].die, DW_AT_stmt_list, UINT64_MAX);
		/* libdw says so itself, if there is to be one. */
		if (at >= t.line->d_size)
			continue;
		c.at = (const uint8_t *)t.line->d_buf + at;
		c.end = (const uint8_t *)t.line->d_buf + t.line->d_size;
		c.bad = false;
		header(&c, &t, folder_of(&d->units[i].die));
		if (c.bad)
			return adbgd_fail(error, -EBADMSG,
					  "%s: its debug information is damaged: the header of a "
					  "table of lines", d->code->name);
		if (t.total > NAMES_MAX)
			return adbgd_fail(error, -E2BIG,
					  "%s: the names of its source files have more than %u MiB",
					  d->code->name, NAMES_MAX >> 20);
	}
	return 0;
}
