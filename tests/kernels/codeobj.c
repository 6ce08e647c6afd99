// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads AMDGPU code objects for tests. libelf finds the segments and symbols, and this
 * file decodes the kernel descriptors.
 */
#include "codeobj.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The value of EM_AMDGPU, which older elf.h files lack */
#define CODEOBJ_EM_AMDGPU 224
#define DESCRIPTOR_SIZE 64

static int read_file(struct codeobj *co, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return -EINVAL;
	}
	co->file_size = st.st_size;
	co->file = malloc(co->file_size + 1);
	n = co->file ? read(fd, co->file, co->file_size) : -1;
	close(fd);
	return n == (ssize_t)co->file_size ? 0 : -EIO;
}

static int copy_segments(struct codeobj *co, Elf *elf)
{
	size_t num, i;
	GElf_Phdr ph;
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh) || eh.e_machine != CODEOBJ_EM_AMDGPU ||
	    elf_getphdrnum(elf, &num))
		return -ENOEXEC;
	for (i = 0; i < num; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD)
			continue;
		if (ph.p_offset + ph.p_filesz > co->file_size ||
		    ph.p_filesz > ph.p_memsz)
			return -ENOEXEC;
		if (ph.p_vaddr + ph.p_memsz > co->size)
			co->size = ph.p_vaddr + ph.p_memsz;
	}
	co->image = calloc(1, co->size);
	if (!co->image)
		return -ENOMEM;
	for (i = 0; i < num; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD)
			continue;
		memcpy(co->image + ph.p_vaddr, (char *)co->file + ph.p_offset,
		       ph.p_filesz);
		if (ph.p_flags & PF_X)
			co->text_in_file = ph.p_offset - ph.p_vaddr;
	}
	return 0;
}

int codeobj_load(struct codeobj *co, const char *path)
{
	Elf *elf;
	int ret;

	memset(co, 0, sizeof(*co));
	elf_version(EV_CURRENT);
	ret = read_file(co, path);
	if (!ret) {
		elf = elf_memory(co->file, co->file_size);
		ret = elf ? copy_segments(co, elf) : -ENOEXEC;
		elf_end(elf);
	}
	if (ret)
		codeobj_unload(co);
	return ret;
}

void codeobj_unload(struct codeobj *co)
{
	free(co->image);
	free(co->file);
	memset(co, 0, sizeof(*co));
}

/* @table: SHT_DYNSYM, or SHT_SYMTAB, which has local ones, too */
static int find_symbol(Elf *elf, GElf_Word table, const char *name, uint64_t *value)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;
	Elf_Data *data;
	size_t i;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != table)
			continue;
		data = elf_getdata(scn, NULL);
		for (i = 0; data && gelf_getsym(data, i, &sym); i++) {
			const char *s = elf_strptr(elf, sh.sh_link, sym.st_name);

			if (s && !strcmp(s, name)) {
				*value = sym.st_value;
				return 0;
			}
		}
	}
	return -ENOENT;
}

static uint32_t word(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

int codeobj_find(const struct codeobj *co, const char *name,
		 struct codeobj_kernel *k)
{
	Elf *elf = elf_memory(co->file, co->file_size);
	const uint8_t *kd;
	const size_t size = strlen(name) + sizeof(".kd");
	char *symbol = malloc(size);
	uint64_t at;
	int64_t entry;
	int ret;

	if (symbol)
		snprintf(symbol, size, "%s.kd", name);
	ret = elf && symbol ? find_symbol(elf, SHT_DYNSYM, symbol, &at) : -ENOEXEC;
	free(symbol);
	elf_end(elf);
	if (ret)
		return ret;
	if (at + DESCRIPTOR_SIZE > co->size)
		return -ENOEXEC;
	kd = co->image + at;
	memcpy(&entry, kd + 16, sizeof(entry));
	k->entry = at + entry;
	k->lds_size = word(kd);
	k->private_size = word(kd + 4);
	k->kernarg_size = word(kd + 8);
	k->rsrc3 = word(kd + 44);
	k->rsrc1 = word(kd + 48);
	k->rsrc2 = word(kd + 52);
	k->properties = word(kd + 56) & 0xffff;
	return k->entry < co->size ? 0 : -ENOEXEC;
}

int codeobj_find_label(const struct codeobj *co, const char *name, uint64_t *offset)
{
	Elf *elf = elf_memory(co->file, co->file_size);
	int ret = elf ? find_symbol(elf, SHT_SYMTAB, name, offset) : -ENOEXEC;

	elf_end(elf);
	return ret;
}
