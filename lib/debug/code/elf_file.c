// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ELF headers, segments and sections: see elf_file.h.
 */
#include "elf_file.h"

#include <string.h>

#include "budget.h"

/*
 * In bytes: charged for each call in addition to its bytes, because there may be a call for each
 * symbol
 */
#define READ_COST	4096

static int read_memory(const struct adbgd_elf *elf, uint64_t address, void *buffer,
		       uint64_t size, struct adbgd_error *error)
{
	int ret = adbgd_spend(elf->memory->budget, ADBGD_COST_COPIED, size + READ_COST,
			      elf->name, error);

	if (ret)
		return ret;
	ret = elf->memory->read(elf->memory->data, address, buffer, size);
	return !ret ? 0 : adbgd_fail(error, ret, "%s: memory at %#llx cannot be read: %s",
				     elf->name, (unsigned long long)address, strerror(-ret));
}

/* Read @size bytes at @offset of a file, or of the copy of a file in memory. */
static int read_at(const struct adbgd_elf *elf, uint64_t offset, void *buffer,
		   uint64_t size, struct adbgd_error *error)
{
	if (offset > elf->size || size > elf->size - offset)
		return adbgd_fail(error, -EBADMSG,
				  "%s is truncated: it needs bytes at %#llx, but ends at %#llx",
				  elf->name, (unsigned long long)(offset + size),
				  (unsigned long long)elf->size);
	if (elf->bytes) {
		memcpy(buffer, elf->bytes + offset, size);
		return 0;
	}
	return read_memory(elf, elf->start + offset, buffer, size, error);
}

static int check_machine(const struct adbgd_elf *elf, struct adbgd_error *error)
{
	const Elf64_Ehdr *h = &elf->header;

	if (memcmp(h->e_ident, ELFMAG, SELFMAG))
		return adbgd_fail(error, -ENOEXEC, "%s is not an ELF file", elf->name);
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return adbgd_fail(error, -ENOEXEC,
				  "%s is not a code object: it is not 64-bit little-endian",
				  elf->name);
	if (h->e_machine != EM_AMDGPU)
		return adbgd_fail(error, -ENOEXEC,
				  "%s is not for AMD GPUs: its ELF machine is %u, not %u",
				  elf->name, h->e_machine, EM_AMDGPU);
	return 0;
}

static int check_ident(const struct adbgd_elf *elf, struct adbgd_error *error)
{
	const Elf64_Ehdr *h = &elf->header;
	int ret = check_machine(elf, error);

	if (ret)
		return ret;
	if (h->e_type == ET_REL)
		return adbgd_fail(error, -ENOEXEC,
				  "%s was not linked; ld.lld -shared makes a code object of it",
				  elf->name);
	if (h->e_type != ET_DYN && h->e_type != ET_EXEC)
		return adbgd_fail(error, -ENOEXEC, "%s is not a code object: its ELF type is %u",
				  elf->name, h->e_type);
	return 0;
}

static int read_segments(struct adbgd_elf *elf, struct adbgd_error *error)
{
	const Elf64_Ehdr *h = &elf->header;
	unsigned int i;
	int ret;

	if (!h->e_phnum || h->e_phentsize != sizeof(Elf64_Phdr))
		return adbgd_fail(error, -EBADMSG, "%s has no segments", elf->name);
	if (h->e_phnum > ADBGD_ELF_SEGMENTS_MAX)
		return adbgd_fail(error, -E2BIG, "%s has %u segments; at most %u are read",
				  elf->name, h->e_phnum, ADBGD_ELF_SEGMENTS_MAX);
	elf->num_segments = h->e_phnum;
	elf->segments = calloc(h->e_phnum, sizeof(Elf64_Phdr));
	if (!elf->segments)
		return adbgd_no_memory(error, elf->name);
	ret = read_at(elf, h->e_phoff, elf->segments,
		      h->e_phnum * sizeof(Elf64_Phdr), error);
	for (i = 0; !ret && i < elf->num_segments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type != PT_LOAD)
			continue;
		if (p->p_filesz > p->p_memsz || p->p_vaddr + p->p_memsz < p->p_vaddr ||
		    p->p_offset + p->p_filesz < p->p_offset)
			ret = adbgd_fail(error, -EBADMSG, "%s: segment %u is invalid",
					 elf->name, i);
		else if (p->p_vaddr + p->p_memsz > ADBGD_ELF_SIZE_MAX)
			ret = adbgd_fail(error, -E2BIG,
					 "%s: segment %u ends at %#llx, beyond 1 GiB",
					 elf->name, i,
					 (unsigned long long)(p->p_vaddr + p->p_memsz));
	}
	return ret;
}

static int read_sections(struct adbgd_elf *elf, struct adbgd_error *error)
{
	const Elf64_Ehdr *h = &elf->header;
	const Elf64_Shdr *names;
	int ret;

	/* A file without sections can be executed, too. */
	if (!h->e_shnum || !h->e_shoff)
		return 0;
	if (h->e_shentsize != sizeof(Elf64_Shdr))
		return adbgd_fail(error, -EBADMSG, "%s: section headers of %u bytes are invalid",
				  elf->name, h->e_shentsize);
	if (h->e_shnum > ADBGD_ELF_SECTIONS_MAX)
		return adbgd_fail(error, -E2BIG, "%s has %u sections; at most %u are read",
				  elf->name, h->e_shnum, ADBGD_ELF_SECTIONS_MAX);
	elf->sections = calloc(h->e_shnum, sizeof(Elf64_Shdr));
	if (!elf->sections)
		return adbgd_no_memory(error, elf->name);
	ret = read_at(elf, h->e_shoff, elf->sections,
		      h->e_shnum * sizeof(Elf64_Shdr), error);
	if (ret)
		return ret;
	elf->num_sections = h->e_shnum;
	if (h->e_shstrndx >= h->e_shnum)
		return 0;
	names = &elf->sections[h->e_shstrndx];
	if (names->sh_type == SHT_STRTAB && names->sh_offset <= elf->size &&
	    names->sh_size <= elf->size - names->sh_offset) {
		elf->section_names = (const char *)elf->bytes + names->sh_offset;
		elf->section_names_size = names->sh_size;
	}
	return 0;
}

static int read_header(struct adbgd_elf *elf, struct adbgd_error *error)
{
	if (elf->size < sizeof(Elf64_Ehdr))
		return adbgd_fail(error, -ENOEXEC, "%s is not an ELF file: it has only %llu bytes",
				  elf->name, (unsigned long long)elf->size);
	return read_at(elf, 0, &elf->header, sizeof(elf->header), error);
}

static int open_common(struct adbgd_elf *elf, struct adbgd_error *error)
{
	int ret = read_header(elf, error);

	if (!ret)
		ret = check_ident(elf, error);
	if (!ret)
		ret = read_segments(elf, error);
	if (!ret && elf->bytes)
		ret = read_sections(elf, error);
	if (ret)
		adbgd_elf_close(elf);
	return ret;
}

int adbgd_elf_open_file(struct adbgd_elf *elf, const uint8_t *bytes, uint64_t size,
			const char *name, struct adbgd_error *error)
{
	memset(elf, 0, sizeof(*elf));
	elf->name = name;
	elf->bytes = bytes;
	elf->size = size;
	if (size > ADBGD_ELF_SIZE_MAX)
		return adbgd_fail(error, -E2BIG, "%s has more than 1 GiB", name);
	return open_common(elf, error);
}

int adbgd_elf_open_sections(struct adbgd_elf *elf, const uint8_t *bytes, uint64_t size,
			    const char *name, struct adbgd_error *error)
{
	int ret;

	memset(elf, 0, sizeof(*elf));
	elf->name = name;
	elf->bytes = bytes;
	elf->size = size;
	ret = read_header(elf, error);
	if (!ret)
		ret = check_machine(elf, error);
	if (!ret)
		ret = read_sections(elf, error);
	if (ret)
		adbgd_elf_close(elf);
	return ret;
}

int adbgd_elf_open_memory(struct adbgd_elf *elf, const struct adbgd_memory *memory,
			  uint64_t address, uint64_t size, const char *name,
			  struct adbgd_error *error)
{
	unsigned int i;
	int ret;

	memset(elf, 0, sizeof(*elf));
	elf->name = name;
	elf->memory = memory;
	elf->start = address;
	elf->size = size < ADBGD_ELF_SIZE_MAX ? size : ADBGD_ELF_SIZE_MAX;
	if (address + elf->size < address)
		elf->size = -address;
	ret = open_common(elf, error);
	if (ret)
		return ret;
	/* The header is at the beginning of the file, in the segment with offset 0. */
	elf->base = address;
	for (i = 0; i < elf->num_segments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type == PT_LOAD && !p->p_offset && p->p_filesz) {
			elf->base = address - p->p_vaddr;
			return 0;
		}
	}
	adbgd_elf_close(elf);
	return adbgd_fail(error, -EBADMSG, "%s: no segment contains the ELF header", name);
}

void adbgd_elf_close(struct adbgd_elf *elf)
{
	free(elf->segments);
	free(elf->sections);
	elf->segments = NULL;
	elf->sections = NULL;
	elf->num_segments = 0;
	elf->num_sections = 0;
}

/* Find the first segment of a type. */
static const Elf64_Phdr *segment_of_type(const struct adbgd_elf *elf, uint32_t type)
{
	unsigned int i;

	for (i = 0; i < elf->num_segments; i++) {
		if (elf->segments[i].p_type == type)
			return &elf->segments[i];
	}
	return NULL;
}

/*
 * In a copy of the file, the dynamic table is at another address than after loading, because it
 * is behind the first segment. A dynamic table begins with one of a few tags, and ends with
 * DT_NULL.
 */
bool adbgd_elf_is_loaded(const struct adbgd_elf *elf)
{
	const Elf64_Phdr *p = segment_of_type(elf, PT_DYNAMIC);
	Elf64_Dyn first, last;

	if (!p || p->p_filesz < 2 * sizeof(first) || p->p_filesz % sizeof(first))
		return true;
	return !adbgd_elf_read(elf, p->p_vaddr, &first, sizeof(first), NULL) &&
	       !adbgd_elf_read(elf, p->p_vaddr + p->p_filesz - sizeof(last), &last,
			       sizeof(last), NULL) &&
	       first.d_tag && first.d_tag <= 0x6fffffff && last.d_tag == DT_NULL;
}

int adbgd_elf_file_size(const struct adbgd_elf *elf, uint64_t *size,
			struct adbgd_error *error)
{
	const Elf64_Ehdr *h = &elf->header;
	uint64_t end = 0;
	unsigned int i;

	for (i = 0; i < elf->num_segments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type == PT_LOAD && p->p_offset + p->p_filesz > end)
			end = p->p_offset + p->p_filesz;
	}
	/* lld writes the section headers last. */
	if (h->e_shnum && h->e_shoff < ADBGD_ELF_SIZE_MAX &&
	    h->e_shoff + (uint64_t)h->e_shnum * sizeof(Elf64_Shdr) > end)
		end = h->e_shoff + (uint64_t)h->e_shnum * sizeof(Elf64_Shdr);
	if (end > elf->size)
		return adbgd_fail(error, -EBADMSG,
				  "%s is truncated: it has %#llx bytes, but the memory ends after "
				  "%#llx",
				  elf->name, (unsigned long long)end,
				  (unsigned long long)elf->size);
	*size = end;
	return 0;
}

uint64_t adbgd_elf_loaded_size(const struct adbgd_elf *elf)
{
	uint64_t end = 0;
	unsigned int i;

	for (i = 0; i < elf->num_segments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type == PT_LOAD && p->p_vaddr + p->p_filesz > end)
			end = p->p_vaddr + p->p_filesz;
	}
	/* The header may be at another address of the file than 0. */
	return end - (elf->start - elf->base);
}

/* Find the segment that has @size bytes at @address; NULL: there is none. */
static const Elf64_Phdr *segment_with(const struct adbgd_elf *elf, uint64_t address,
				      uint64_t size)
{
	unsigned int i;

	for (i = 0; i < elf->num_segments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];
		uint64_t in = address - p->p_vaddr;

		if (p->p_type == PT_LOAD && address >= p->p_vaddr && in <= p->p_filesz &&
		    size <= p->p_filesz - in)
			return p;
	}
	return NULL;
}

int adbgd_elf_read(const struct adbgd_elf *elf, uint64_t address, void *buffer,
		   uint64_t size, struct adbgd_error *error)
{
	const Elf64_Phdr *p = segment_with(elf, address, size);

	if (!p)
		return adbgd_fail(error, -EBADMSG, "%s has nothing at its address %#llx",
				  elf->name, (unsigned long long)address);
	if (!elf->bytes)
		return read_memory(elf, elf->base + address, buffer, size, error);
	return read_at(elf, p->p_offset + (address - p->p_vaddr), buffer, size, error);
}

const uint8_t *adbgd_elf_bytes(const struct adbgd_elf *elf, uint64_t address, uint64_t size)
{
	const Elf64_Phdr *p = segment_with(elf, address, size);
	uint64_t offset;

	if (!elf->bytes || !p)
		return NULL;
	offset = p->p_offset + (address - p->p_vaddr);
	/* A header may describe more bytes than the file has. */
	if (offset > elf->size || size > elf->size - offset)
		return NULL;
	return elf->bytes + offset;
}

const Elf64_Shdr *adbgd_elf_section(const struct adbgd_elf *elf, const char *name)
{
	size_t length = strlen(name) + 1;
	unsigned int i;

	for (i = 0; i < elf->num_sections; i++) {
		uint32_t at = elf->sections[i].sh_name;

		if (at < elf->section_names_size &&
		    length <= elf->section_names_size - at &&
		    !memcmp(elf->section_names + at, name, length))
			return &elf->sections[i];
	}
	return NULL;
}

bool adbgd_elf_text(const struct adbgd_elf *elf, struct adbgd_span *text)
{
	const Elf64_Shdr *s = adbgd_elf_section(elf, ".text");
	unsigned int i;

	for (i = 0; i < elf->num_segments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || !p->p_filesz)
			continue;
		text->start = p->p_vaddr;
		text->size = p->p_filesz;
		/*
		 * Prefer the section, if it is in the segment, because the segment may also have
		 * other code.
		 */
		if (s && s->sh_size && s->sh_addr >= p->p_vaddr &&
		    s->sh_addr - p->p_vaddr < p->p_filesz &&
		    s->sh_size <= p->p_filesz - (s->sh_addr - p->p_vaddr)) {
			text->start = s->sh_addr;
			text->size = s->sh_size;
		}
		return true;
	}
	return false;
}
