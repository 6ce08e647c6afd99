// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The sections of debug information, see dwarf_info.h.
 */
#include "dwarf_info.h"

#include <gelf.h>
#include <string.h>

static bool is_called(const char *is, const char *name)
{
	/* A section like ".zdebug_line" is meant, too. It is decompressed by now. */
	return !strcmp(is, name) || (!strncmp(is, ".z", 2) && !strcmp(is + 2, name + 1));
}

/* Find a section by its name; NULL: there is none. */
static Elf_Scn *find(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	const char *is;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		is = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		if (is && is_called(is, name))
			return scn;
	}
	return NULL;
}

static struct adbgd_section section(Elf *elf, const char *name)
{
	Elf_Scn *scn = find(elf, name);
	const Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	struct adbgd_section found = { 0 };

	if (data && data->d_buf) {
		found.bytes = data->d_buf;
		found.size = data->d_size;
	}
	return found;
}

struct adbgd_dwarf_sections adbgd_dwarf_sections(Elf *elf)
{
	return (struct adbgd_dwarf_sections){
		.info = section(elf, ".debug_info"),
		.types = section(elf, ".debug_types"),
		.abbrev = section(elf, ".debug_abbrev"),
		.ranges = section(elf, ".debug_ranges"),
		.rnglists = section(elf, ".debug_rnglists"),
		.loc = section(elf, ".debug_loc"),
		.loclists = section(elf, ".debug_loclists"),
		.line = section(elf, ".debug_line"),
		.line_str = section(elf, ".debug_line_str"),
		.str = section(elf, ".debug_str"),
	};
}

void adbgd_dwarf_replace(const struct adbgd_dwarf *dwarf, const char *name, void *content)
{
	Elf_Scn *scn = find(dwarf->elf, name);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	/* libdw has used this one since version 0.189, and the other before. */
	Elf_Data *raw = scn ? elf_rawdata(scn, NULL) : NULL;

	/* libdw reads the content by these pointers each time, and does not free it. */
	if (data)
		data->d_buf = content;
	if (raw)
		raw->d_buf = content;
}
