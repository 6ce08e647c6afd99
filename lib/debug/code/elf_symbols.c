// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols of an ELF file, from its sections or, as for a loader, from its dynamic table: see
 * elf_file.h.
 */
#include <string.h>

#include "elf_file.h"

/* Content of the dynamic table; 0: missing */
struct dynamic {
	uint64_t symbols;
	uint64_t names;
	uint64_t names_size;
	uint64_t hash;
};

static int allocate(const struct adbgd_elf *elf, struct adbgd_elf_symbols *s,
		    uint64_t count, uint64_t names_size, struct adbgd_error *error)
{
	if (count > ADBGD_ELF_SYMBOLS_MAX || names_size > ADBGD_ELF_NAMES_MAX)
		return adbgd_fail(error, -E2BIG, "%s has %llu symbols with %llu bytes of names; "
				  "at most %u and %u are read", elf->name,
				  (unsigned long long)count, (unsigned long long)names_size,
				  ADBGD_ELF_SYMBOLS_MAX, ADBGD_ELF_NAMES_MAX);
	s->count = count;
	s->names_size = names_size;
	s->symbols = calloc(count + 1, sizeof(Elf64_Sym));
	/* One byte more, because the last name may have no 0 at its end. */
	s->names = calloc(1, names_size + 1);
	if (s->symbols && s->names)
		return 0;
	return adbgd_no_memory(error, elf->name);
}

static int from_section(const struct adbgd_elf *elf, const Elf64_Shdr *section,
			struct adbgd_elf_symbols *s, struct adbgd_error *error)
{
	const Elf64_Shdr *names;
	uint64_t count = section->sh_size / sizeof(Elf64_Sym);
	int ret;

	if (section->sh_link >= elf->num_sections)
		return adbgd_fail(error, -EBADMSG, "%s: symbols have no names", elf->name);
	names = &elf->sections[section->sh_link];
	if (section->sh_offset > elf->size || names->sh_offset > elf->size ||
	    section->sh_size > elf->size - section->sh_offset ||
	    names->sh_size > elf->size - names->sh_offset)
		return adbgd_fail(error, -EBADMSG, "%s is truncated: its symbols are missing",
				  elf->name);
	ret = allocate(elf, s, count, names->sh_size, error);
	if (ret)
		return ret;
	memcpy(s->symbols, elf->bytes + section->sh_offset, count * sizeof(Elf64_Sym));
	memcpy(s->names, elf->bytes + names->sh_offset, names->sh_size);
	return 0;
}

static int read_dynamic(const struct adbgd_elf *elf, struct dynamic *d,
			struct adbgd_error *error)
{
	uint64_t at = 0, end = 0;
	unsigned int i;
	Elf64_Dyn entry;
	int ret;

	memset(d, 0, sizeof(*d));
	for (i = 0; i < elf->num_segments; i++) {
		if (elf->segments[i].p_type == PT_DYNAMIC) {
			at = elf->segments[i].p_vaddr;
			end = at + elf->segments[i].p_filesz;
		}
	}
	for (i = 0; at < end && i < 256; i++, at += sizeof(entry)) {
		ret = adbgd_elf_read(elf, at, &entry, sizeof(entry), error);
		if (ret)
			return ret;
		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_SYMTAB)
			d->symbols = entry.d_un.d_ptr;
		if (entry.d_tag == DT_STRTAB)
			d->names = entry.d_un.d_ptr;
		if (entry.d_tag == DT_STRSZ)
			d->names_size = entry.d_un.d_val;
		if (entry.d_tag == DT_HASH)
			d->hash = entry.d_un.d_ptr;
	}
	return 0;
}

static int from_dynamic(const struct adbgd_elf *elf, struct adbgd_elf_symbols *s,
			struct adbgd_error *error)
{
	struct dynamic d;
	uint32_t hash[2];	/* nbucket and nchain, which is the number of symbols */
	int ret;

	ret = read_dynamic(elf, &d, error);
	if (ret)
		return ret;
	if (!d.symbols || !d.names || !d.hash)
		return allocate(elf, s, 0, 0, error);
	ret = adbgd_elf_read(elf, d.hash, hash, sizeof(hash), error);
	if (ret)
		return ret;
	/* Symbols and names are within the readable memory. */
	if (hash[1] > elf->size / sizeof(Elf64_Sym) || d.names_size > elf->size)
		return adbgd_fail(error, -EBADMSG, "%s is truncated: its symbols are missing",
				  elf->name);
	ret = allocate(elf, s, hash[1], d.names_size, error);
	if (!ret)
		ret = adbgd_elf_read(elf, d.symbols, s->symbols,
				     s->count * sizeof(Elf64_Sym), error);
	return ret ? ret : adbgd_elf_read(elf, d.names, s->names, s->names_size, error);
}

/*
 * Truncate names at the maximum length: the next byte begins another name. The names
 * are the library's own copy, and symbols may begin anywhere in them.
 */
static void cut_names(struct adbgd_elf_symbols *symbols)
{
	char *at = symbols->names, *end = at + symbols->names_size;
	size_t length;

	for (; at < end; at += length + 1) {
		length = strnlen(at, ADBGD_ELF_NAME_MAX);
		if (length == ADBGD_ELF_NAME_MAX)
			at[--length] = 0;
	}
}

int adbgd_elf_symbols(const struct adbgd_elf *elf, struct adbgd_elf_symbols *symbols,
		      struct adbgd_error *error)
{
	const Elf64_Shdr *section = NULL;
	unsigned int i;
	int ret;

	memset(symbols, 0, sizeof(*symbols));
	/* Prefer the complete table, which stripped files lack. */
	for (i = 0; i < elf->num_sections; i++) {
		uint32_t type = elf->sections[i].sh_type;

		if (type == SHT_SYMTAB || (type == SHT_DYNSYM && !section))
			section = &elf->sections[i];
	}
	ret = section ? from_section(elf, section, symbols, error) :
			from_dynamic(elf, symbols, error);
	if (ret)
		adbgd_elf_symbols_free(symbols);
	else
		cut_names(symbols);
	return ret;
}

void adbgd_elf_symbols_free(struct adbgd_elf_symbols *symbols)
{
	free(symbols->symbols);
	free(symbols->names);
	memset(symbols, 0, sizeof(*symbols));
}
