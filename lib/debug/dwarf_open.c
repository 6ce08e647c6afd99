// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening the debug information of a code object, when it is needed first: what may be
 * left to libelf and libdw is found out before.
 */
#include "dwarf_open.h"

#include <endian.h>
#include <string.h>

#include "code_object.h"
#include "line_header.h"

/* Bytes that a section will have when libelf has decompressed it; 0: it is not packed */
static uint64_t inflated(const struct adbgd_elf *elf, const Elf64_Shdr *s)
{
	Elf64_Chdr packed;
	uint64_t gnu[2];	/* "ZLIB", and the size, the highest byte first */

	if (s->sh_type == SHT_NOBITS || s->sh_offset > elf->size ||
	    s->sh_size > elf->size - s->sh_offset)
		return 0;
	if (s->sh_flags & SHF_COMPRESSED && s->sh_size >= sizeof(packed)) {
		memcpy(&packed, elf->bytes + s->sh_offset, sizeof(packed));
		return packed.ch_size;
	}
	if (s->sh_size >= 12 && !memcmp(elf->bytes + s->sh_offset, "ZLIB", 4)) {
		memcpy(gnu, elf->bytes + s->sh_offset + 4, 8);
		return be64toh(gnu[0]);
	}
	return 0;
}

static int check_sections(const struct adbgd_code *code, struct adbgd_error *error)
{
	const struct adbgd_elf *elf = &code->elf;
	uint64_t sum = 0, size;
	unsigned int i;

	if (!code->image)
		return adbgd_fail(error, -ENODATA, "%s has no debug information: no file of it "
				  "is known", code->name);
	if (!adbgd_elf_section(elf, ".debug_info") && !adbgd_elf_section(elf, ".zdebug_info"))
		return adbgd_fail(error, -ENODATA, "%s has no debug information (clang makes it "
				  "with -g)", code->name);
	for (i = 0; i < elf->num_sections; i++) {
		size = inflated(elf, &elf->sections[i]);
		if (size > ADBGD_DWARF_INFLATED_MAX - sum)
			return adbgd_fail(error, -E2BIG,
					  "%s: its sections have more than 1 GiB when they are "
					  "decompressed", code->name);
		sum += size;
	}
	return 0;
}

static int dwarf_new(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		     struct adbgd_error *error)
{
	struct adbgd_dwarf *d;
	int ret = check_sections(code, error);

	if (ret)
		return ret;
	d = calloc(1, sizeof(*d));
	if (!d)
		return adbgd_no_memory(error, code->name);
	d->code = code;
	elf_version(EV_CURRENT);
	d->elf = elf_memory((char *)code->image, code->image_size);
	if (d->elf)
		d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (!d->dwarf)
		ret = adbgd_dwarf_bad(d, "its sections", error);
	else
		ret = adbgd_dwarf_units(d, error);
	ret = ret ? ret : adbgd_line_headers_check(d, error);
	if (ret) {
		adbgd_dwarf_free(d);
		return ret;
	}
	*dwarf = d;
	return 0;
}

int adbgd_dwarf_get(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		    struct adbgd_error *error)
{
	int ret;

	if (!code->dwarf) {
		/* What is damaged stays so, and is not read again and again. */
		if (code->dwarf_error.error)
			goto err;
		ret = dwarf_new(code, &code->dwarf, &code->dwarf_error);
		if (ret)
			goto err;
	}
	*dwarf = code->dwarf;
	return 0;

err:
	return adbgd_fail(error, code->dwarf_error.error, "%s", code->dwarf_error.text);
}
