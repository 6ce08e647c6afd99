// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See unpack.h. Decompressed sections are put behind the copy of the file, and their headers lead
 * there.
 */
#include "unpack.h"

#include <string.h>

#include "inflate.h"

/* ELFCOMPRESS_ZSTD, which the elf.h of Debian 12 does not have */
#define COMPRESS_ZSTD	2
#define ALIGNMENT	16

static uint64_t aligned(uint64_t at)
{
	return (at + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static bool is_debug(const struct adbgd_elf *elf, const Elf64_Shdr *s)
{
	static const char begin[] = ".debug_";

	return s->sh_name < elf->section_names_size &&
	       elf->section_names_size - s->sh_name >= sizeof(begin) &&
	       !memcmp(elf->section_names + s->sh_name, begin, sizeof(begin) - 1);
}

/* Read the header of a section that is compressed with zstd; false: it is not. */
static bool is_packed(const struct adbgd_elf *elf, const Elf64_Shdr *s, Elf64_Chdr *packed)
{
	if (!(s->sh_flags & SHF_COMPRESSED) || s->sh_type == SHT_NOBITS || !is_debug(elf, s) ||
	    s->sh_offset > elf->size || s->sh_size > elf->size - s->sh_offset ||
	    s->sh_size < sizeof(*packed))
		return false;
	memcpy(packed, elf->bytes + s->sh_offset, sizeof(*packed));
	return packed->ch_type == COMPRESS_ZSTD;
}

/* Decompress a section to @at of the copy. */
static int unpack_section(const struct adbgd_code *code, unsigned int i, const Elf64_Chdr *packed,
			  uint8_t *image, uint64_t at, struct adbgd_error *error)
{
	const struct adbgd_elf *elf = &code->elf;
	Elf64_Shdr s = elf->sections[i];
	int ret = adbgd_inflate(ADBGD_COMPRESSION_ZSTD,
				elf->bytes + s.sh_offset + sizeof(*packed),
				s.sh_size - sizeof(*packed), image + at, packed->ch_size,
				code->name, error);

	s.sh_offset = at;
	s.sh_size = packed->ch_size;
	s.sh_addralign = packed->ch_addralign;
	s.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
	/* The headers were read from there. */
	memcpy(image + elf->header.e_shoff + i * sizeof(s), &s, sizeof(s));
	return ret;
}

int adbgd_unpack(struct adbgd_code *code, uint8_t **image, size_t *size,
		 struct adbgd_error *error)
{
	const struct adbgd_elf *elf = &code->elf;
	uint64_t at = aligned(elf->size), end = at;
	Elf64_Chdr packed;
	unsigned int i;
	int ret;

	*image = NULL;
	for (i = 0; i < elf->num_sections; i++) {
		if (is_packed(elf, &elf->sections[i], &packed))
			end = aligned(end + packed.ch_size);
	}
	if (end == at || !adbgd_can_inflate(ADBGD_COMPRESSION_ZSTD))
		return 0;
	/* The sections themselves are charged by adbgd_dwarf_check_sizes(). */
	ret = adbgd_spend(&code->budget, ADBGD_COST_INFLATED, elf->size, code->name, error);
	if (ret)
		return ret;
	*image = calloc(1, end);
	if (!*image)
		return adbgd_no_memory(error, code->name);
	*size = end;
	memcpy(*image, elf->bytes, elf->size);
	for (i = 0; !ret && i < elf->num_sections; i++) {
		if (!is_packed(elf, &elf->sections[i], &packed))
			continue;
		ret = unpack_section(code, i, &packed, *image, at, error);
		at = aligned(at + packed.ch_size);
	}
	if (ret) {
		free(*image);
		*image = NULL;
	}
	return ret;
}
