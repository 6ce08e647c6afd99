// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See hostile.h.
 */
#include <stdbool.h>

#include "hostile.h"

#include <dwarf.h>
#include <elf.h>

void put(struct blob *b, const void *bytes, size_t size)
{
	if (b->size + size > b->room) {
		b->room = 2 * (b->size + size);
		b->bytes = realloc(b->bytes, b->room);
		assert_non_null(b->bytes);
	}
	memcpy(b->bytes + b->size, bytes, size);
	b->size += size;
}

void put8(struct blob *b, uint8_t value)
{
	put(b, &value, sizeof(value));
}

void put16(struct blob *b, uint16_t value)
{
	put(b, &value, sizeof(value));
}

void put32(struct blob *b, uint32_t value)
{
	put(b, &value, sizeof(value));
}

void put64(struct blob *b, uint64_t value)
{
	put(b, &value, sizeof(value));
}

void put_uleb(struct blob *b, uint64_t value)
{
	do {
		put8(b, (value & 0x7f) | (value > 0x7f ? 0x80 : 0));
		value >>= 7;
	} while (value);
}

void put_string(struct blob *b, const char *text)
{
	put(b, text, strlen(text) + 1);
}

void put_run(struct blob *b, uint8_t byte, size_t count)
{
	uint8_t *run = malloc(count + 1);

	assert_non_null(run);
	memset(run, byte, count);
	put(b, run, count);
	free(run);
}

struct blob *hostile_section(struct hostile *h, const char *name)
{
	size_t i;

	for (i = 0; i < h->num; i++) {
		if (!strcmp(h->sections[i].name, name))
			return &h->sections[i].data;
	}
	assert_true(h->num < ARRAY_SIZE(h->sections));
	h->sections[h->num].name = name;
	return &h->sections[h->num++].data;
}

void hostile_flags(struct hostile *h, const char *name, uint64_t flags)
{
	size_t i;

	for (i = 0; i < h->num; i++) {
		if (!strcmp(h->sections[i].name, name))
			h->sections[i].flags = flags;
	}
}

static void put_headers(struct blob *file, uint64_t shoff, unsigned int num)
{
	Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT, 64 /* ELFOSABI_AMDGPU_HSA */, 3 },
		.e_type = ET_DYN, .e_machine = EM_AMDGPU, .e_version = EV_CURRENT,
		.e_phoff = sizeof(h), .e_shoff = shoff, .e_flags = 0x39 /* gfx1033 */,
		.e_ehsize = sizeof(h), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = num, .e_shstrndx = num - 1,
	};
	Elf64_Phdr p = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_align = 0x1000,
		.p_filesz = HOSTILE_TEXT + HOSTILE_LENGTH,
		.p_memsz = HOSTILE_TEXT + HOSTILE_LENGTH,
	};

	memcpy(file->bytes, &h, sizeof(h));
	memcpy(file->bytes + sizeof(h), &p, sizeof(p));
}

uint8_t *hostile_file(struct hostile *h, size_t *size)
{
	static const uint32_t text[] = { 0xbf800000, 0xbf800000, 0xbf800000, 0xbf810000 };
	Elf64_Shdr headers[ARRAY_SIZE(h->sections) + 3] = { 0 };
	struct blob file = { 0 }, names = { 0 };
	size_t num = 1, i;

	put_run(&file, 0, HOSTILE_TEXT);
	put(&file, text, sizeof(text));
	put8(&names, 0);
	headers[num++] = (Elf64_Shdr) {
		.sh_name = names.size, .sh_type = SHT_PROGBITS, .sh_addr = HOSTILE_TEXT,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_offset = HOSTILE_TEXT,
		.sh_size = sizeof(text), .sh_addralign = 4,
	};
	put_string(&names, ".text");
	for (i = 0; i < h->num; i++) {
		headers[num++] = (Elf64_Shdr) {
			.sh_name = names.size, .sh_type = SHT_PROGBITS,
			.sh_flags = h->sections[i].flags, .sh_offset = file.size,
			.sh_size = h->sections[i].data.size, .sh_addralign = 1,
		};
		put_string(&names, h->sections[i].name);
		put(&file, h->sections[i].data.bytes, h->sections[i].data.size);
		free(h->sections[i].data.bytes);
	}
	headers[num] = (Elf64_Shdr) {
		.sh_name = names.size, .sh_type = SHT_STRTAB, .sh_offset = file.size,
		.sh_addralign = 1,
	};
	put_string(&names, ".shstrtab");
	headers[num++].sh_size = names.size;
	put(&file, names.bytes, names.size);
	put_run(&file, 0, -file.size & 7);
	put_headers(&file, file.size, num);
	put(&file, headers, num * sizeof(*headers));
	free(names.bytes);
	memset(h, 0, sizeof(*h));
	*size = file.size;
	return file.bytes;
}

struct adbgd_code *hostile_code(struct hostile *h)
{
	struct adbgd_code *code = NULL;
	struct adbgd_error error;
	size_t size;
	uint8_t *file = hostile_file(h, &size);

	if (adbgd_code_new(file, size, "it", &code, &error))
		fail_msg("%s", error.text);
	free(file);
	return code;
}

void put_abbrev(struct blob *b, uint64_t code, unsigned int tag, bool children, ...)
{
	unsigned int attribute;
	va_list args;

	put_uleb(b, code);
	put_uleb(b, tag);
	put8(b, children);
	va_start(args, children);
	while ((attribute = va_arg(args, unsigned int))) {
		put_uleb(b, attribute);
		put_uleb(b, va_arg(args, unsigned int));
	}
	va_end(args);
	put16(b, 0);
}

size_t begin_unit(struct blob *b)
{
	size_t at = b->size;

	put32(b, 0);
	put16(b, 4);
	put32(b, 0);
	put8(b, 8);
	return at;
}

void end_unit(struct blob *b, size_t at)
{
	uint32_t length = b->size - at - 4;

	memcpy(b->bytes + at, &length, sizeof(length));
}

void put_function_abbrevs(struct blob *abbrev)
{
	put_abbrev(abbrev, 1, DW_TAG_compile_unit, true, DW_AT_low_pc, DW_FORM_addr,
		   DW_AT_high_pc, DW_FORM_data4, 0);
	put_abbrev(abbrev, 2, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string,
		   DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0);
}

void put_function(struct blob *info)
{
	put_uleb(info, 1);
	put64(info, HOSTILE_TEXT);
	put32(info, HOSTILE_LENGTH);
	put_uleb(info, 2);
	put_string(info, "f");
	put64(info, HOSTILE_TEXT);
	put32(info, HOSTILE_LENGTH);
}
