// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/code*.c and elf*.c: the contents of code objects, compared with the output of
 * LLVM's tools for the same files, and the search for them in memory that is filled as by a
 * loader.
 */
#include "debug/util.h"

#include <elf.h>
#include <stdio.h>
#include <unistd.h>

#define VARS		DEBUG_CO "vars_O1.co"
#define BASE		0x100000000ULL
#define IMAGE_SIZE	0x10000

/* llvm-readelf: "     5: 0000000000001a00  2080 FUNC    GLOBAL PROTECTED   7 vars" */
static bool symbol_of_tool(const char *path, const char *name, uint64_t *address,
			   uint64_t *size)
{
	char *text = run_tool("llvm-readelf-19 --symbols %s", path), *at = text, *line;
	unsigned long long value, bytes;
	char index[16], called[128];
	bool found = false;

	while ((line = next_line(&at)) && !found) {
		if (sscanf(line, " %*d: %llx %lli %*s %*s %*s %15s %127s", &value, &bytes,
			   index, called) == 4 && strcmp(index, "UND") &&
		    !strcmp(called, name)) {
			*address = value;
			*size = bytes;
			found = true;
		}
	}
	free(text);
	return found;
}

static void symbols_and_kernels_are_those_of_readelf(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	const struct adbgd_kernel *k = adbgd_code_find_kernel(code, "vars");
	const struct adbgd_symbol *s;
	uint64_t address, size;
	size_t i;

	(void)state;
	for (i = 0; (s = adbgd_code_get_symbol(code, i)); i++) {
		assert_true(symbol_of_tool(VARS, s->name, &address, &size));
		assert_int_equal(s->address, address);
		assert_int_equal(s->size, size);
	}
	/* vars, shared, their descriptors, touch, and what the compiler adds */
	assert_true(i >= 5);
	assert_non_null(k);
	assert_true(symbol_of_tool(VARS, "vars", &address, &size));
	assert_int_equal(k->entry, address);
	assert_int_equal(k->size, size);
	assert_true(symbol_of_tool(VARS, "vars.kd", &address, &size));
	assert_int_equal(k->descriptor, address);
	assert_int_equal(k->lanes, 32);
	k = adbgd_code_find_kernel(code, "shared");
	assert_non_null(k);
	/* "int one[64]", and three arguments: 8, 8 and 4 bytes */
	assert_int_equal(k->lds_size, 64 * 4);
	assert_true(k->kernarg_size >= 20);
	assert_int_equal(k->private_size, 0);
	assert_null(adbgd_code_get_kernel(code, 2));
	assert_null(adbgd_code_find_kernel(code, "touch"));
	adbgd_code_free(code);
}

static void lanes_are_those_that_it_was_built_for(void **state)
{
	struct adbgd_code *code = open_code(KERNELS_CO "kernels64.co");

	(void)state;
	assert_int_equal(adbgd_code_get_info(code)->lanes, 64);
	adbgd_code_free(code);
	code = open_code(KERNELS_CO "kernels.co");
	assert_int_equal(adbgd_code_get_info(code)->lanes, 32);
	adbgd_code_free(code);
}

static void an_address_has_a_name(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	uint64_t address, size;
	char name[ADBGD_NAME_MAX];

	(void)state;
	assert_true(symbol_of_tool(VARS, "touch", &address, &size));
	assert_string_equal(adbgd_code_format_address(code, address, name), "touch");
	assert_string_equal(adbgd_code_format_address(code, address + 12, name), "touch+0xc");
	assert_string_equal(adbgd_code_symbol_at(code, address + size - 4)->name, "touch");
	/* Behind the last instruction of a function there is padding, of no function. */
	assert_true(size % 256 != 0);
	assert_null(adbgd_code_symbol_at(code, address + size));
	assert_string_equal(adbgd_code_format_address(code, 4, name), "0x4");
	adbgd_code_free(code);
}

/* The number of a GPU as LLVM's assembler writes it: e_flags of what it makes */
static uint32_t flags_of(const char *cpu)
{
	char path[] = "/tmp/test_debug_code.XXXXXX", *said;
	Elf64_Ehdr h;
	FILE *file;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	said = run_tool("echo s_endpgm | llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=%s "
			"-filetype=obj -o %s", cpu, path);
	free(said);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fread(&h, sizeof(h), 1, file), 1);
	fclose(file);
	unlink(path);
	return h.e_flags;
}

static void every_gpu_that_llvm_knows_is_known(void **state)
{
	char *text = run_tool("llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=help 2>&1 "
			      "</dev/null | awk '/^Available features/ { exit } "
			      "$1 ~ /^gfx[0-9]/ { print $1 }'");
	char *at = text, *cpu;
	struct adbgd_error error;
	struct adbgd_code *code;
	unsigned int count = 0;
	size_t size;
	uint8_t *file = read_whole(VARS, &size);

	(void)state;
	while ((cpu = next_line(&at))) {
		((Elf64_Ehdr *)file)->e_flags = flags_of(cpu);
		if (adbgd_code_new(file, size, cpu, &code, &error))
			fail_msg("%s", error.text);
		assert_string_equal(adbgd_code_get_info(code)->gpu, cpu);
		adbgd_code_free(code);
		count++;
	}
	assert_true(count > 40);
	((Elf64_Ehdr *)file)->e_flags = 0xfe;
	assert_int_equal(adbgd_code_new(file, size, "vars", &code, &error), -ENOEXEC);
	assert_string_equal(error.text, "vars is for an unknown GPU, e_flags 0xfe");
	free(file);
	free(text);
}

static void versions_and_features_are_reported(void **state)
{
	/* LLVM 19, AMDGPUUsage: EI_ABIVERSION and e_flags; 0x2f is gfx906. */
	static const struct {
		uint8_t abi;
		uint32_t flags, version, features;
	} cases[] = {
		{ 1, 0x2f, 3, 0 },
		{ 1, 0x2f | 0x100, 3, ADBGD_CODE_XNACK },
		{ 1, 0x2f | 0x200, 3, ADBGD_CODE_SRAMECC },
		{ 2, 0x2f | 0x100, 4, 0 },	/* any */
		{ 2, 0x2f | 0x300, 4, ADBGD_CODE_XNACK },
		{ 3, 0x2f | 0xe00, 5, ADBGD_CODE_SRAMECC },
		{ 4, 0x39 | 1U << 24, 6, 0 },
	};
	struct adbgd_error error;
	struct adbgd_code *code;
	size_t size, i;
	uint8_t *file = read_whole(VARS, &size);
	Elf64_Ehdr *h = (Elf64_Ehdr *)file;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		h->e_ident[EI_ABIVERSION] = cases[i].abi;
		h->e_flags = cases[i].flags;
		assert_int_equal(adbgd_code_new(file, size, "vars", &code, &error), 0);
		assert_int_equal(adbgd_code_get_info(code)->version, cases[i].version);
		assert_int_equal(adbgd_code_get_info(code)->flags, cases[i].features);
		adbgd_code_free(code);
	}
	h->e_ident[EI_ABIVERSION] = 0;
	assert_int_equal(adbgd_code_new(file, size, "vars", &code, &error), -ENOEXEC);
	assert_string_equal(error.text,
			    "vars is a code object of version 2; 3 to 6 are supported");
	free(file);
}

static void a_placed_code_object_has_moved(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	uint64_t entry = adbgd_code_find_kernel(code, "vars")->entry;
	uint64_t text = adbgd_code_get_info(code)->text.start;
	uint32_t word, again;
	struct adbgd_error error;

	(void)state;
	assert_int_equal(adbgd_code_read(code, entry, &word, 4, NULL), 0);
	assert_int_equal(adbgd_code_get_info(code)->flags & ADBGD_CODE_HAS_BASE, 0);
	assert_int_equal(adbgd_code_set_base(code, BASE + text, &error), 0);
	assert_int_equal(adbgd_code_find_kernel(code, "vars")->entry, BASE + entry);
	assert_int_equal(adbgd_code_get_info(code)->bias, BASE);
	assert_int_equal(adbgd_code_read(code, BASE + entry, &again, 4, NULL), 0);
	assert_int_equal(word, again);
	assert_int_equal(adbgd_code_read(code, entry, &again, 4, &error), -ENXIO);
	/* And once more, from there */
	assert_int_equal(adbgd_code_set_base(code, text + 0x1000, &error), 0);
	assert_int_equal(adbgd_code_find_kernel(code, "vars")->entry, entry + 0x1000);
	assert_int_equal(adbgd_code_set_base(code, text + 2, &error), -EINVAL);
	assert_int_equal(adbgd_code_set_base(code, -256ULL, &error), -EINVAL);
	assert_int_equal(adbgd_code_find_kernel(code, "vars")->entry, entry + 0x1000);
	adbgd_code_free(code);
}

/* @loaded: by segments; else the file as it is */
static uint8_t *memory_with(struct fake_memory *fake, const uint8_t *file, size_t size,
			    bool loaded)
{
	uint8_t *bytes;

	fake_init(fake);
	bytes = fake_add(fake, BASE, IMAGE_SIZE);
	/* It need not be the first page, and there may be other ELF files. */
	bytes = fake_add(fake, BASE + 2 * IMAGE_SIZE, IMAGE_SIZE) + 0x3000;
	memcpy(fake->pieces[0].bytes + 0x1000, file, 64);
	fake->pieces[0].bytes[0x1000 + 18] = EM_X86_64;
	if (loaded)
		load_segments(file, bytes);
	else
		memcpy(bytes, file, size);
	return bytes;
}

static void what_a_loader_has_loaded_is_found(void **state)
{
	struct adbgd_code *code, *of_file = open_code(VARS);
	const struct adbgd_kernel *k, *in_file;
	struct adbgd_error error;
	struct fake_memory fake;
	uint64_t at, wanted = BASE + 2 * IMAGE_SIZE + 0x3000;
	size_t size;
	uint8_t *file = read_whole(VARS, &size);

	(void)state;
	memory_with(&fake, file, size, true);
	assert_int_equal(adbgd_memory_find_code(&fake.memory, fake.spans, fake.num, 0, &at,
						&error), 0);
	assert_int_equal(at, wanted);
	assert_int_equal(adbgd_code_new_memory(&fake.memory, at, IMAGE_SIZE - 0x3000, &code,
					       &error), 0);
	assert_int_equal(adbgd_code_get_info(code)->flags,
			 ADBGD_CODE_HAS_BASE | ADBGD_CODE_LOADED);
	assert_string_equal(adbgd_code_get_info(code)->gpu, "gfx1033");
	assert_int_equal(adbgd_code_get_info(code)->bias, wanted);
	k = adbgd_code_find_kernel(code, "vars");
	in_file = adbgd_code_find_kernel(of_file, "vars");
	assert_non_null(k);
	assert_int_equal(k->entry, wanted + in_file->entry);
	assert_int_equal(k->size, in_file->size);
	assert_int_equal(k->lanes, 32);
	assert_int_equal(adbgd_code_load_debug(code, &error), -ENODATA);
	assert_int_equal(adbgd_memory_find_code(&fake.memory, fake.spans, fake.num, at + 1, &at,
						&error), -ENOENT);
	adbgd_code_free(code);
	adbgd_code_free(of_file);
	fake_free(&fake);
	free(file);
}

static void a_copy_of_a_file_in_memory_is_read_as_one(void **state)
{
	struct adbgd_error error;
	struct adbgd_code *code;
	struct fake_memory fake;
	uint64_t at;
	size_t size;
	uint8_t *file = read_whole(VARS, &size);

	(void)state;
	memory_with(&fake, file, size, false);
	assert_int_equal(adbgd_memory_find_code(&fake.memory, fake.spans, fake.num, 0, &at,
						&error), 0);
	if (adbgd_code_new_memory(&fake.memory, at, IMAGE_SIZE - 0x3000, &code, &error))
		fail_msg("%s", error.text);
	assert_int_equal(adbgd_code_get_info(code)->flags, 0);
	assert_int_equal(adbgd_code_load_debug(code, &error), 0);
	adbgd_code_free(code);
	/* Less memory than it needs */
	assert_int_equal(adbgd_code_new_memory(&fake.memory, at, size - 8, &code, &error),
			 -EBADMSG);
	assert_non_null(strstr(error.text, "is truncated"));
	fake_free(&fake);
	free(file);
}

/* The instructions alone, as a program does that only uploads these */
static uint8_t *memory_with_text(struct fake_memory *fake, const struct adbgd_code *code,
				 unsigned int offset)
{
	const struct adbgd_span *text = &adbgd_code_get_info(code)->text;
	uint8_t *bytes;

	fake_init(fake);
	fake_add(fake, BASE, 0x1800);
	bytes = fake_add(fake, BASE + 0x2000, IMAGE_SIZE * 4) + offset;
	assert_int_equal(adbgd_code_read(code, text->start, bytes, text->size, NULL), 0);
	return bytes;
}

static void a_file_is_placed_where_its_instructions_are(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	static const unsigned int offsets[] = { 0, 256, 0xff00, 0x20000 };
	struct adbgd_error error;
	struct fake_memory fake;
	uint64_t at = 0;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		memory_with_text(&fake, code, offsets[i]);
		if (adbgd_code_find_base(code, &fake.memory, fake.spans, fake.num, NULL, 0, &at,
					 &error))
			fail_msg("%s", error.text);
		assert_int_equal(at, BASE + 0x2000 + offsets[i]);
		fake_free(&fake);
	}
	adbgd_code_free(code);
}

static void what_a_debugger_has_changed_is_passed_over(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	struct adbgd_span masked[2] = { { BASE + 0x2100, 4 }, { 0, 4 } };
	const struct adbgd_span *text = &adbgd_code_get_info(code)->text;
	struct adbgd_error error;
	struct fake_memory fake;
	uint64_t at = 0;
	uint8_t *bytes;

	(void)state;
	bytes = memory_with_text(&fake, code, 0x100);
	/* Its first instruction, and its last: s_trap 7 */
	memcpy(bytes, "\x07\x00\x92\xbf", 4);
	memcpy(bytes + text->size - 4, "\x07\x00\x92\xbf", 4);
	masked[1].start = BASE + 0x2100 + text->size - 4;
	assert_int_equal(adbgd_code_find_base(code, &fake.memory, fake.spans, fake.num, masked, 1,
					      &at, &error), -ENOENT);
	assert_non_null(strstr(error.text, "are not in memory"));
	assert_int_equal(adbgd_code_find_base(code, &fake.memory, fake.spans, fake.num, masked, 2,
					      &at, &error), 0);
	assert_int_equal(at, BASE + 0x2100);
	/* Nothing else may differ. */
	bytes[5] ^= 1;
	assert_int_equal(adbgd_code_find_base(code, &fake.memory, fake.spans, fake.num, masked, 2,
					      &at, &error), -ENOENT);
	fake_free(&fake);
	adbgd_code_free(code);
}

static void code_found_at_two_addresses_is_reported(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	const struct adbgd_span *text = &adbgd_code_get_info(code)->text;
	struct adbgd_error error;
	struct fake_memory fake;
	uint64_t at = 0;
	uint8_t *bytes;

	(void)state;
	bytes = memory_with_text(&fake, code, 0x100);
	memcpy(bytes + 0x8000, bytes, text->size);
	assert_int_equal(adbgd_code_find_base(code, &fake.memory, fake.spans, fake.num, NULL, 0,
					      &at, &error), -ENOTUNIQ);
	assert_non_null(strstr(error.text, "at 0x100002100 and at 0x10000a100"));
	assert_int_equal(at, 0);
	fake_free(&fake);
	adbgd_code_free(code);
}

/* Memory and instructions that are 0 but for the last byte: all is almost the same. */
static void almost_the_same_is_not_compared_for_ever(void **state)
{
	struct adbgd_code *code;
	struct adbgd_error error;
	struct fake_memory fake;
	uint64_t at = 0;
	size_t size;
	uint8_t *file = read_whole(VARS, &size), *big;
	Elf64_Ehdr *h;
	Elf64_Phdr *p;
	size_t more = 1 << 20, i;

	(void)state;
	/* Its instructions are 1 MiB at its end, without sections. */
	big = calloc(1, size + more);
	assert_non_null(big);
	memcpy(big, file, size);
	h = (Elf64_Ehdr *)big;
	p = (Elf64_Phdr *)(big + h->e_phoff);
	h->e_shnum = 0;
	for (i = 0; i < h->e_phnum; i++) {
		if (p[i].p_type == PT_DYNAMIC)
			p[i].p_type = PT_NULL;
		if (p[i].p_type != PT_LOAD || !(p[i].p_flags & PF_X))
			continue;
		p[i].p_offset = size;
		p[i].p_vaddr = 0x100000;
		p[i].p_filesz = more;
		p[i].p_memsz = more;
	}
	big[size + more - 1] = 1;
	if (adbgd_code_new(big, size + more, "big", &code, &error))
		fail_msg("%s", error.text);
	fake_init(&fake);
	fake_add(&fake, BASE, 4 << 20);
	assert_int_equal(adbgd_code_find_base(code, &fake.memory, fake.spans, fake.num, NULL, 0,
					      &at, &error), -E2BIG);
	assert_string_equal(error.text, "big: too many places in memory are almost equal to its "
			    "instructions");
	fake_free(&fake);
	adbgd_code_free(code);
	free(big);
	free(file);
}

static void code_without_an_elf_has_addresses_only(void **state)
{
	static const struct adbgd_span text = { BASE, 0x100 };
	struct adbgd_error error;
	struct adbgd_code *code;
	char name[ADBGD_NAME_MAX];
	uint32_t word;

	(void)state;
	assert_int_equal(adbgd_code_new_raw("gfx1033", 32, &text, &code, &error), 0);
	assert_int_equal(adbgd_code_get_info(code)->flags, ADBGD_CODE_RAW | ADBGD_CODE_HAS_BASE);
	assert_string_equal(adbgd_code_format_address(code, BASE + 8, name), "0x100000008");
	assert_int_equal(adbgd_code_read(code, BASE, &word, 4, &error), -ENODATA);
	assert_int_equal(adbgd_code_load_debug(code, &error), -ENODATA);
	adbgd_code_free(code);
	assert_int_equal(adbgd_code_new_raw("gfx9999", 32, &text, &code, &error), -EINVAL);
	assert_string_equal(error.text, "unknown GPU: gfx9999");
	assert_int_equal(adbgd_code_new_raw("gfx906", 32, &text, &code, &error), -EINVAL);
	assert_string_equal(error.text, "gfx906 has no waves of 32 lanes");
}

static void a_file_that_is_no_code_object_is_reported(void **state)
{
	static const struct {
		const char *path;
		int error;
		const char *text;
	} cases[] = {
		{ "/nowhere.co", -ENOENT, "/nowhere.co: No such file or directory" },
		{ "/tmp", -EISDIR, "/tmp: it is a directory" },
		{ "/dev/null", -ENOEXEC, "/dev/null: it is not a regular file" },
		{ "README.md", -ENOEXEC, "README.md is not an ELF file" },
		{ "/proc/self/exe", -ENOEXEC, "/proc/self/exe is not for AMD GPUs: "
		  "its ELF machine is 62, not 224" },
		{ DEBUG_CO "vars.o", -ENOEXEC, DEBUG_CO "vars.o was not linked; ld.lld "
		  "-shared makes a code object of it" },
	};
	struct adbgd_code *code = NULL;
	struct adbgd_error error;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(adbgd_code_open(cases[i].path, &code, &error),
				 cases[i].error);
		assert_int_equal(error.error, cases[i].error);
		assert_string_equal(error.text, cases[i].text);
		/* Without the output parameter */
		assert_int_equal(adbgd_code_open(cases[i].path, &code, NULL), cases[i].error);
	}
	assert_null(code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_and_kernels_are_those_of_readelf),
		cmocka_unit_test(lanes_are_those_that_it_was_built_for),
		cmocka_unit_test(an_address_has_a_name),
		cmocka_unit_test(every_gpu_that_llvm_knows_is_known),
		cmocka_unit_test(versions_and_features_are_reported),
		cmocka_unit_test(a_placed_code_object_has_moved),
		cmocka_unit_test(what_a_loader_has_loaded_is_found),
		cmocka_unit_test(a_copy_of_a_file_in_memory_is_read_as_one),
		cmocka_unit_test(a_file_is_placed_where_its_instructions_are),
		cmocka_unit_test(what_a_debugger_has_changed_is_passed_over),
		cmocka_unit_test(code_found_at_two_addresses_is_reported),
		cmocka_unit_test(almost_the_same_is_not_compared_for_ever),
		cmocka_unit_test(code_without_an_elf_has_addresses_only),
		cmocka_unit_test(a_file_that_is_no_code_object_is_reported),
	};

	return cmocka_run_group_tests_name("debug_code", tests, NULL, NULL);
}
