// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See split_file.h. DWARF 5, 7.3.2 and 7.3.5; before it, gcc.gnu.org/wiki/DebugFissionDWP.
 *
 * libdw reads .dwp files only since version 0.191. Here the parts of one unit are taken out of it,
 * so that it is read like a .dwo file.
 */
#include "split_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "inflate.h"
#include "split_index.h"

/* ELFCOMPRESS_ZSTD, which the elf.h of Debian 12 does not have */
#define COMPRESS_ZSTD	2

static const char *const names[ADBGD_SPLIT_NUM] = {
	".debug_info", ".debug_types", ".debug_abbrev", ".debug_str", ".debug_str_offsets",
	".debug_loc", ".debug_loclists", ".debug_rnglists", ".debug_cu_index",
};

static int charge(struct adbgd_code *code, struct adbgd_split_file *file, uint64_t size,
		  struct adbgd_error *error)
{
	int ret = adbgd_spend(&code->budget, ADBGD_COST_SPLIT, size, file->path, error);

	if (!ret)
		file->charged += size;
	return ret;
}

static int bad(const struct adbgd_split_file *file, const char *what, struct adbgd_error *error)
{
	return adbgd_fail(error, -EBADMSG, "%s: its debug information is damaged: %s", file->path,
			  what);
}

static int inflate(struct adbgd_code *code, struct adbgd_split_file *file, unsigned int i,
		   const struct adbgd_section *packed, struct adbgd_error *error)
{
	enum adbgd_compression method;
	Elf64_Chdr header;
	int ret;

	if (packed->size < sizeof(header))
		return bad(file, "the header of a compressed section", error);
	memcpy(&header, packed->bytes, sizeof(header));
	if (header.ch_type != ELFCOMPRESS_ZLIB && header.ch_type != COMPRESS_ZSTD)
		return adbgd_fail(error, -EOPNOTSUPP, "%s: its section %s.dwo is compressed with method "
				  "%u, which is not supported", file->path, names[i],
				  header.ch_type);
	method = header.ch_type == COMPRESS_ZSTD ? ADBGD_COMPRESSION_ZSTD : ADBGD_COMPRESSION_ZLIB;
	if (header.ch_size > ADBGD_INFLATED_LEAST + ADBGD_INFLATED_RATIO * packed->size)
		return adbgd_fail(error, -E2BIG, "%s: a section of %llu bytes would have %llu when it is "
				  "decompressed", file->path, (unsigned long long)packed->size,
				  (unsigned long long)header.ch_size);
	ret = charge(code, file, header.ch_size, error);
	if (ret)
		return ret;
	file->inflated[i] = malloc(header.ch_size + 1);
	if (!file->inflated[i])
		return adbgd_no_memory(error, file->path);
	file->sections[i].bytes = file->inflated[i];
	file->sections[i].size = header.ch_size;
	return adbgd_inflate(method, packed->bytes + sizeof(header), packed->size - sizeof(header),
			     file->inflated[i], header.ch_size, file->path, error);
}

static int find_sections(struct adbgd_code *code, struct adbgd_split_file *file,
			 const struct adbgd_elf *elf, struct adbgd_error *error)
{
	struct adbgd_section section;
	const Elf64_Shdr *s;
	unsigned int i;
	char name[64];
	int ret = 0;

	for (i = 0; !ret && i < ADBGD_SPLIT_NUM; i++) {
		snprintf(name, sizeof(name), "%s%s", names[i], i == ADBGD_SPLIT_INDEX ? "" :
									".dwo");
		s = adbgd_elf_section(elf, name);
		if (!s || s->sh_type == SHT_NOBITS)
			continue;
		if (s->sh_offset > file->size || s->sh_size > file->size - s->sh_offset)
			return adbgd_fail(error, -EBADMSG, "%s is truncated: its section %s ends at "
					  "%#llx, the file at %#llx", file->path, name,
					  (unsigned long long)(s->sh_offset + s->sh_size),
					  (unsigned long long)file->size);
		section.bytes = file->bytes + s->sh_offset;
		section.size = s->sh_size;
		if (s->sh_flags & SHF_COMPRESSED)
			ret = inflate(code, file, i, &section, error);
		else
			file->sections[i] = section;
	}
	if (!ret && !file->sections[ADBGD_SPLIT_INFO].bytes)
		return adbgd_fail(error, -ENOEXEC, "%s is no file of split debug information: it has no "
				  "section .debug_info.dwo", file->path);
	return ret;
}

int adbgd_split_file_read(struct adbgd_code *code, int fd, const char *path,
			  struct adbgd_split_file *file, struct adbgd_error *error)
{
	struct adbgd_elf elf;
	struct stat st;
	int ret;

	memset(file, 0, sizeof(*file));
	file->path = strdup(path);
	if (!file->path)
		return adbgd_no_memory(error, path);
	if (fstat(fd, &st))
		return adbgd_fail(error, -errno, "%s: %s", path, strerror(errno));
	if ((uint64_t)st.st_size > ADBGD_ELF_SIZE_MAX)
		return adbgd_fail(error, -E2BIG, "%s has more than 1 GiB", path);
	adbgd_budget_add_file(&code->budget, st.st_size);
	ret = charge(code, file, st.st_size, error);
	if (!ret)
		ret = adbgd_code_read_file(fd, path, &file->bytes, &file->size, error);
	/* It may have grown. */
	if (!ret && file->size > file->charged)
		ret = charge(code, file, file->size - file->charged, error);
	if (!ret)
		ret = adbgd_elf_open_sections(&elf, file->bytes, file->size, file->path, error);
	if (ret)
		return ret;
	ret = find_sections(code, file, &elf, error);
	adbgd_elf_close(&elf);
	return ret;
}

void adbgd_split_file_free(struct adbgd_code *code, struct adbgd_split_file *file)
{
	unsigned int i;

	for (i = 0; i < ADBGD_SPLIT_NUM; i++)
		free(file->inflated[i]);
	free(file->bytes);
	free(file->path);
	adbgd_unspend(&code->budget, ADBGD_COST_SPLIT, file->charged);
	memset(file, 0, sizeof(*file));
}

/* ------------------------------------------------------------------------- images */

/* Write an ELF file with sections, of which those without bytes are left out. */
static uint8_t *write_image(const struct adbgd_section *sections, size_t *size)
{
	Elf64_Shdr headers[ADBGD_SPLIT_NUM + 2] = { { 0 } };
	unsigned int num = 1, i;
	char text[512] = "";
	size_t length = 1, at = sizeof(Elf64_Ehdr);
	Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_REL, .e_machine = EM_AMDGPU, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(h), .e_shentsize = sizeof(Elf64_Shdr),
	};
	uint8_t *image;

	for (i = 0; i < ADBGD_SPLIT_INDEX; i++) {
		if (!sections[i].bytes)
			continue;
		headers[num++] = (Elf64_Shdr){
			.sh_name = length, .sh_type = SHT_PROGBITS, .sh_addralign = 1,
			.sh_offset = at, .sh_size = sections[i].size,
		};
		length += sprintf(text + length, "%s", names[i]) + 1;
		at += sections[i].size;
	}
	headers[num] = (Elf64_Shdr){
		.sh_name = 0, .sh_type = SHT_STRTAB, .sh_addralign = 1, .sh_offset = at,
		.sh_size = length,
	};
	h.e_shstrndx = num++;
	h.e_shnum = num;
	h.e_shoff = (at + length + 7) & ~7ULL;
	*size = h.e_shoff + num * sizeof(headers[0]);
	image = calloc(1, *size);
	if (!image)
		return NULL;
	memcpy(image, &h, sizeof(h));
	at = sizeof(h);
	for (i = 0; i < ADBGD_SPLIT_INDEX; i++) {
		if (!sections[i].bytes)
			continue;
		memcpy(image + at, sections[i].bytes, sections[i].size);
		at += sections[i].size;
	}
	memcpy(image + at, text, length);
	memcpy(image + h.e_shoff, headers, num * sizeof(headers[0]));
	return image;
}

/* The names of one unit, taken out of those of all */
struct names {
	uint8_t *strings, *offsets;
	size_t size, room;
};

/* Add a string, and return where it is; -errno. */
static int64_t add_name(struct adbgd_code *code, const struct adbgd_split_file *file,
			struct names *n, uint64_t from, struct adbgd_error *error)
{
	struct adbgd_cursor c;
	const uint8_t *text;
	size_t length, room;
	uint8_t *strings;
	int ret;

	if (!adbgd_cursor_begin(&c, &file->sections[ADBGD_SPLIT_STR], from))
		return bad(file, "an offset of a string", error);
	text = c.at;
	length = adbgd_cursor_string(&c) + 1;
	if (c.bad)
		return bad(file, "a string has no end", error);
	ret = adbgd_spend(&code->budget, ADBGD_COST_STEPS, 1 + length / 64, file->path, error);
	if (ret)
		return ret;
	if (n->size + length > UINT32_MAX)
		return adbgd_fail(error, -E2BIG, "%s: its names are too long", file->path);
	if (n->size + length > n->room) {
		room = 2 * n->room + length;
		ret = adbgd_budget_check(&code->budget, ADBGD_COST_SPLIT, room, file->path, error);
		if (ret)
			return ret;
		strings = realloc(n->strings, room);
		if (!strings)
			return adbgd_no_memory(error, file->path);
		n->strings = strings;
		n->room = room;
	}
	memcpy(n->strings + n->size, text, length);
	n->size += length;
	return n->size - length;
}

/*
 * Take the names of one unit out of those of all units, which may be many, and set @sections to
 * them. DWARF requires that a split unit refers to names only by its table of offsets.
 */
static int take_names(struct adbgd_code *code, const struct adbgd_split_file *file,
		      bool has_header, struct adbgd_section *sections, struct names *n,
		      struct adbgd_error *error)
{
	struct adbgd_section *table = &sections[ADBGD_SPLIT_STR_OFFSETS];
	int64_t at = 0;
	uint32_t from, to, last = 0;
	uint64_t i;

	if (!table->bytes)
		return 0;
	n->offsets = malloc(table->size + 1);
	if (!n->offsets)
		return adbgd_no_memory(error, file->path);
	memcpy(n->offsets, table->bytes, table->size);
	for (i = has_header ? 8 : 0; i + sizeof(from) <= table->size; i += sizeof(from)) {
		memcpy(&from, table->bytes + i, sizeof(from));
		if (!n->size || from != last)
			at = add_name(code, file, n, from, error);
		if (at < 0)
			return at;
		last = from;
		to = at;
		memcpy(n->offsets + i, &to, sizeof(to));
	}
	table->bytes = n->offsets;
	sections[ADBGD_SPLIT_STR].bytes = n->strings;
	sections[ADBGD_SPLIT_STR].size = n->size;
	return 0;
}

int adbgd_split_file_image(struct adbgd_code *code, const struct adbgd_split_file *file,
			   uint64_t id, uint8_t **image, size_t *size,
			   struct adbgd_error *error)
{
	struct adbgd_section sections[ADBGD_SPLIT_NUM];
	struct names n = { 0 };
	unsigned int version;
	uint64_t sum = 0;
	int ret = 0, i;

	*image = NULL;
	memcpy(sections, file->sections, sizeof(sections));
	if (file->sections[ADBGD_SPLIT_INDEX].bytes) {
		ret = adbgd_split_index_find(code, file, id, sections, &version, error);
		if (!ret)
			ret = take_names(code, file, version >= 5, sections, &n, error);
	}
	for (i = 0; i < ADBGD_SPLIT_INDEX; i++)
		sum += sections[i].bytes ? sections[i].size : 0;
	if (!ret)
		ret = adbgd_budget_check(&code->budget, ADBGD_COST_SPLIT, sum, file->path, error);
	if (!ret) {
		*image = write_image(sections, size);
		if (!*image)
			ret = adbgd_no_memory(error, file->path);
	}
	free(n.strings);
	free(n.offsets);
	return ret;
}
