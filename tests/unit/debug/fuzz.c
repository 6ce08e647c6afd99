// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hostile code objects, for libFuzzer: an input is a file. It is opened as one, and as
 * memory into which a loader would have put it, and asked everything that a debugger asks
 * of it. Whatever comes of that, nothing may crash, go on for ever, or take all memory.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug.h>

#define LOADED_SIZE	(1U << 16)
#define PLACES		8	/* addresses that are looked at */
#define VARIABLES	64	/* of each */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
/* Of libFuzzer */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

struct bytes {
	const uint8_t *bytes;
	uint64_t start, size;
};

static int read_bytes(void *data, uint64_t address, void *buffer, size_t size)
{
	const struct bytes *b = data;
	uint64_t in = address - b->start;

	if (in > b->size || size > b->size - in)
		return -ENXIO;
	memcpy(buffer, b->bytes + in, size);
	return 0;
}

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	*value = number * 0x9e3779b1 + space + lane;
	return number > 200 ? -EINVAL : 0;
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
		       void *buffer, size_t size)
{
	(void)data, (void)space, (void)lane;
	memset(buffer, address, size);
	return address & 1 ? -EPERM : 0;
}

/* The error is there if and only if the call has failed, and is a text. */
static int check(int ret, struct adbgd_error *error)
{
	if (ret > 0 || (ret && (error->error != ret || !error->text[0] ||
				!memchr(error->text, 0, sizeof(error->text)))))
		abort();
	return ret;
}

static void look_at_variables(struct adbgd_code *code, uint64_t pc, uint32_t lanes)
{
	const struct adbgd_context context = {
		.read_register = read_register, .read_memory = read_memory,
		.lanes = lanes, .lane = 3,
	};
	struct adbgd_variables *variables;
	struct adbgd_location location;
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[300];
	size_t i;

	if (check(adbgd_variables_new(code, pc, &variables, &error), &error))
		return;
	for (i = 0; i < VARIABLES && adbgd_variables_get(variables, i); i++) {
		const struct adbgd_variable *v = adbgd_variables_get(variables, i);

		if (!v->name || !v->type || !v->type->name)
			abort();
		if (!check(adbgd_variable_locate(variables, i, &context, &location, &error),
			   &error))
			adbgd_location_text(&location, text, sizeof(text));
		if (check(adbgd_variable_read(variables, i, &context, &value, &error), &error))
			continue;
		adbgd_value_text(value, 0, text, sizeof(text));
		adbgd_value_text(value, ADBGD_VALUE_HEX, text, 7);
		adbgd_value_free(value);
	}
	adbgd_variables_free(variables);
}

static void look_at_lines(struct adbgd_code *code, uint64_t pc)
{
	struct adbgd_frame frames[4];
	struct adbgd_line line, found[4];
	struct adbgd_error error;
	size_t count;

	if (!check(adbgd_line_at(code, pc, &line, &error), &error)) {
		if (!line.file)
			abort();
		check(adbgd_line_find(code, line.file, line.line, found, 4, &count, &error),
		      &error);
	}
	if (check(adbgd_frames_at(code, pc, frames, 4, &count, &error), &error))
		return;
	check(adbgd_function_find(code, frames[0].function, found, 4, &count, &error),
	      &error);
}

static void look(struct adbgd_code *code)
{
	const struct adbgd_span *text = &adbgd_code_get_info(code)->text;
	char name[ADBGD_NAME_MAX];
	struct adbgd_error error;
	uint8_t bytes[16];
	uint64_t step;
	size_t i;

	for (i = 0; adbgd_code_get_kernel(code, i); i++)
		adbgd_code_find_kernel(code, adbgd_code_get_kernel(code, i)->name);
	for (i = 0; adbgd_code_get_symbol(code, i); i++)
		adbgd_code_name(code, adbgd_code_get_symbol(code, i)->address + 4, name);
	check(adbgd_code_load_debug(code, &error), &error);
	for (i = 0; adbgd_code_get_file(code, i); i++)
		;
	step = text->size / PLACES + 4;
	for (i = 0; i < PLACES; i++) {
		uint64_t pc = text->start + i * (step & ~3ULL);

		check(adbgd_code_read(code, pc, bytes, sizeof(bytes), &error), &error);
		look_at_lines(code, pc);
		look_at_variables(code, pc, i & 1 ? 64 : 32);
	}
}

/* As far as it can be done: what does not fit is left out. */
static void load(const uint8_t *data, size_t size, uint8_t *to)
{
	Elf64_Ehdr h;
	Elf64_Phdr p;
	unsigned int i;

	memcpy(&h, data, sizeof(h));
	for (i = 0; i < h.e_phnum && i < 32; i++) {
		if (h.e_phoff > size || size - h.e_phoff < (i + 1) * sizeof(p))
			break;
		memcpy(&p, data + h.e_phoff + i * sizeof(p), sizeof(p));
		if (p.p_type == PT_LOAD && p.p_offset <= size &&
		    p.p_filesz <= size - p.p_offset && p.p_vaddr < LOADED_SIZE &&
		    p.p_filesz < LOADED_SIZE - p.p_vaddr)
			memcpy(to + p.p_vaddr, data + p.p_offset, p.p_filesz);
	}
}

static void in_memory(struct bytes *bytes)
{
	const struct adbgd_memory memory = { .read = read_bytes, .data = bytes };
	struct adbgd_span span = { bytes->start, bytes->size };
	struct adbgd_error error;
	struct adbgd_code *code;
	uint64_t at;

	if (check(adbgd_code_find(&memory, &span, 1, 0, &at, &error), &error))
		return;
	if (check(adbgd_code_new_memory(&memory, at, span.size, &code, &error), &error))
		return;
	check(adbgd_code_match(code, &memory, &span, 1, NULL, 0, &at, &error), &error);
	look(code);
	adbgd_code_free(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, 0x100000000ULL, size };
	struct adbgd_error error;
	struct adbgd_code *code;
	uint8_t *loaded;

	if (!check(adbgd_code_new(data, size, "it", &code, &error), &error)) {
		look(code);
		if (!check(adbgd_code_place(code, 0x7f0000000000, &error), &error))
			look_at_variables(code, 0x7f0000000000, 32);
		adbgd_code_free(code);
	}
	if (size < sizeof(Elf64_Ehdr))
		return 0;
	in_memory(&bytes);
	loaded = calloc(1, LOADED_SIZE);
	if (!loaded)
		abort();
	load(data, size, loaded);
	bytes.bytes = loaded;
	bytes.size = LOADED_SIZE;
	in_memory(&bytes);
	free(loaded);
	return 0;
}

/* Where a part of the file is: a section, or one of the tables of headers */
static bool part_of(const uint8_t *data, size_t size, unsigned int which, uint64_t *at,
		    uint64_t *length)
{
	Elf64_Ehdr h;
	Elf64_Shdr s;

	if (size < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.e_shoff > size || !h.e_shnum ||
	    size - h.e_shoff < h.e_shnum * sizeof(Elf64_Shdr))
		return false;
	which %= h.e_shnum + 2;
	*at = which ? h.e_shoff : 0;
	*length = which ? h.e_shnum * sizeof(s) : sizeof(h) + 8 * sizeof(Elf64_Phdr);
	if (which > 1) {
		memcpy(&s, data + h.e_shoff + (which - 2) * sizeof(s), sizeof(s));
		*at = s.sh_offset;
		*length = s.sh_size;
	}
	return *at < size && *length && *length <= size - *at;
}

/*
 * Changes within a section, so that the others stay where they are: else nearly all
 * inputs are damaged before anybody looks at their debug information.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff, 0x40, 0x0e };
	uint64_t at, length, i;
	unsigned int n;
	uint8_t *part;

	if (!(seed & 7) || !part_of(data, size, seed >> 3, &at, &length))
		return LLVMFuzzerMutate(data, size, max);
	if (seed & 0x100000) {
		for (n = seed >> 21 & 3; n < 4; n++) {
			seed = seed * 1664525 + 1013904223;
			i = at + (seed >> 8) % length;
			data[i] = odd[(seed >> 4) % sizeof(odd)];
		}
		return size;
	}
	part = malloc(length);
	if (!part)
		return size;
	memcpy(part, data + at, length);
	i = LLVMFuzzerMutate(part, length, length);
	memcpy(data + at, part, i);
	free(part);
	return size;
}
