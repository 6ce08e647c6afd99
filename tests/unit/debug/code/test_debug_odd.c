// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug with debug information that our compiler, or any compiler, does not write:
 * debug/odd.s, whose expected values were computed by hand (DWARF 4, 2.5); and with files that
 * are truncated or changed. `make fuzz-code` does more of this.
 */
#include "debug/util.h"

#include <elf.h>
#include <stdio.h>

#define ODD	DEBUG_CO "odd.co"

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	if (space == AMDGPUDBG_REG_VGPR)
		*value = 0x11223344 + number * 0x100 + lane;
	else if (space == AMDGPUDBG_REG_SGPR)
		*value = 0x1000 * number;
	else
		*value = 0xe0 + number;
	return 0;
}

/* Each dword holds its address, and its space in the highest byte. */
static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
		       void *buffer, size_t size)
{
	uint32_t word = address | space << 24;

	(void)data;
	(void)lane;
	memset(buffer, 0, size);
	memcpy(buffer, &word, size < 4 ? size : 4);
	return 0;
}

static struct adbgd_code *code;
static struct adbgd_variables *variables;

static int setup(void **state)
{
	struct adbgd_error error;

	(void)state;
	code = open_code(ODD);
	if (adbgd_variables_new(code, adbgd_code_find_symbol(code, "f")->address, &variables,
				&error))
		fail_msg("%s", error.text);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	adbgd_variables_free(variables);
	adbgd_code_free(code);
	return 0;
}

static int read_text(const char *name, uint32_t lanes, char *text, size_t size)
{
	const struct adbgd_context context = {
		.read_register = read_register, .read_memory = read_memory,
		.lanes = lanes, .lane = 5,
	};
	struct adbgd_value *value;
	struct adbgd_error error;
	int ret;

	ret = adbgd_variables_find(variables, name);
	if (ret < 0)
		fail_msg("there is no %s", name);
	ret = adbgd_variable_read(variables, ret, &context, &value, &error);
	if (ret) {
		assert_int_equal(error.error, ret);
		snprintf(text, size, "%s", error.text);
		return ret;
	}
	adbgd_value_text(value, 0, text, size);
	adbgd_value_free(value);
	return 0;
}

static void each_operation_does_what_dwarf_says(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "arithmetic", "6" },			/* ((5 + 7) * 2 - 4) / 3 */
		{ "signs", "-3" },
		{ "bits", "12799" },			/* ~((~0x31) << 8): 0x31ff */
		{ "stack", "3" },			/* 1 + 2 */
		{ "branch", "9" },
		{ "vgpr", "287455817" },		/* 0x11223344 + 0x700 + 5 */
		{ "half", "<optimized out>" },
		/* A register has 32 bits, which address private memory: space 1, 4 * 0x1000 + 8 */
		{ "memory", "16793608" },
		{ "pointed", "16793600" },
		{ "implicit", "305419896" },		/* 0x12345678 */
		{ "frame", "16777240" },		/* 0x18 in space 1 */
		{ "number", "42" },
		{ "block", "67305985" },		/* 0x04030201 */
		/* The type tells whether a constant of one byte has a sign. */
		{ "minus", "-1" },
		{ "plus", "255" },
		{ "large", "81985529216486895" },	/* 0x0123456789abcdef */
		{ "below", "-300" },
		{ "word", "6513249" },			/* "abc" */
		/* 0x55667788, 0x77881122, 0x11223344, 0x56; other members have no valid place. */
		{ "placed", "{added = 1432778632, sum = 2005405986, self = 287454020, bits = 86}" },
	};
	char text[512];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (read_text(cases[i].name, 32, text, sizeof(text)))
			fail_msg("%s", text);
		if (strcmp(text, cases[i].text))
			fail_msg("%s is %s, not %s", cases[i].name, text, cases[i].text);
	}
	/* Two registers of 32 bits: 0xe0, and above it 0xe1 */
	assert_int_equal(read_text("exec", 64, text, sizeof(text)), 0);
	assert_string_equal(text, "966367641824");
}

static void what_is_wrong_has_a_reason(void **state)
{
	static const struct {
		const char *name;
		int error;
		const char *text;
	} cases[] = {
		{ "endless", -EBADMSG, "endless: its location is damaged: it has no end" },
		{ "middle", -EBADMSG, "middle: its location is damaged: it leads to the middle "
		  "of an operation" },
		{ "empty", -EBADMSG, "empty: its location is damaged: the stack is empty" },
		{ "zero", -EBADMSG, "zero: its location is damaged: a division by 0" },
		{ "deep", -EBADMSG, "deep: its location is damaged: the stack is full" },
		{ "exec", -EBADMSG, "exec: DWARF register 17 is for waves of 64 lanes, but "
		  "the wave has 32" },
		{ "pc", -EOPNOTSUPP, "pc: it is in the PC, which is not supported" },
		{ "nothing", -EBADMSG, "nothing: there is no DWARF register 200" },
		{ "cfa", -EOPNOTSUPP, "cfa: its location uses DW_OP_call_frame_cfa, which is "
		  "not supported" },
		{ "entry", -EOPNOTSUPP, "entry: its location uses DW_OP_entry_value, which is "
		  "not supported" },
		{ "round", -EOPNOTSUPP, "round: values of type a cannot be shown" },
		{ "within", -EOPNOTSUPP, NULL },
		{ "broken", -EOPNOTSUPP, "broken: values of type ? cannot be shown" },
		{ "again", -EOPNOTSUPP, "again: values of type ? cannot be shown" },
		{ "huge", -E2BIG, "huge: it has 17179869176 bytes; at most 1 MiB is read" },
	};
	char text[512];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(read_text(cases[i].name, 32, text, sizeof(text)),
				 cases[i].error);
		if (cases[i].text)
			assert_string_equal(text, cases[i].text);
	}
	/* libdw does not know it; it is named all the same. */
	assert_int_equal(read_text("llvm", 32, text, sizeof(text)), -EOPNOTSUPP);
	assert_non_null(strstr(text, "DW_OP_LLVM_user"));
	/* A pointer to itself is a pointer. */
	assert_int_equal(read_text("list", 32, text, sizeof(text)), 0);
	assert_non_null(strstr(text, "*) 0x0"));
}

/* Found by the fuzzer: the list of frames was empty, and no error. */
static void a_block_in_no_function_is_none(void **state)
{
	struct adbgd_frame frame;
	struct adbgd_error error;
	size_t count;

	(void)state;
	assert_int_equal(adbgd_frames_at(code, adbgd_code_find_symbol(code, "f")->address + 8,
					 &frame, 1, &count, &error), -ENOENT);
}

static void siblings_that_lead_backwards_are_refused(void **state)
{
	struct adbgd_variables *none;
	struct adbgd_error error;
	struct adbgd_code *odd;

	(void)state;
	odd = open_code(DEBUG_CO "odd_sibling.co");
	assert_int_equal(adbgd_variables_new(odd, adbgd_code_find_symbol(odd, "f")->address,
					     &none, &error), -EBADMSG);
	assert_non_null(strstr(error.text, "entries lead backwards"));
	adbgd_code_free(odd);
}

/* libdw would make 512 MiB of 96 KiB: the product of the folder's name and the files. */
static void names_of_files_that_multiply_are_refused(void **state)
{
	struct adbgd_error error;
	struct adbgd_code *odd;

	(void)state;
	odd = open_code(DEBUG_CO "odd_names.co");
	assert_int_equal(adbgd_code_load_debug(odd, &error), -E2BIG);
	assert_non_null(strstr(error.text, "because of its bytes of names"));
	adbgd_code_free(odd);
}

#define MANY	200000

/*
 * The file with another table of symbols behind it: @MANY descriptors of kernels, whose
 * names are different, or all the same one of 2 KiB.
 */
static uint8_t *with_symbols(bool same, size_t *size)
{
	size_t old, names = same ? 2048 : MANY * 12, i;
	uint8_t *file = read_whole(DEBUG_CO "vars_O1_plain.co", &old), *big;
	struct adbgd_code *plain = open_code(DEBUG_CO "vars_O1_plain.co");
	uint64_t kd = adbgd_code_find_kernel(plain, "vars")->descriptor;
	Elf64_Shdr *s, *strings = NULL;
	size_t at = (old + 15) / 16 * 16;
	Elf64_Sym *symbols;
	Elf64_Ehdr *h;

	*size = at + MANY * sizeof(*symbols) + names;
	big = calloc(1, *size);
	assert_non_null(big);
	memcpy(big, file, old);
	h = (Elf64_Ehdr *)big;
	s = (Elf64_Shdr *)(big + h->e_shoff);
	symbols = (Elf64_Sym *)(big + at);
	if (same) {
		memset(symbols + MANY, 'k', names - 4);
		strcpy((char *)(symbols + MANY) + names - 4, ".kd");
	}
	for (i = 0; i < MANY; i++) {
		symbols[i].st_name = same ? 0 : i * 12;
		symbols[i].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
		symbols[i].st_shndx = 1;
		symbols[i].st_value = kd;
		symbols[i].st_size = 64;
		if (!same)
			snprintf((char *)(symbols + MANY) + i * 12, 12, "k%06zu.kd", i);
	}
	for (i = 0; i < h->e_shnum; i++) {
		if (s[i].sh_type != SHT_SYMTAB)
			continue;
		strings = &s[s[i].sh_link];
		s[i].sh_offset = at;
		s[i].sh_size = MANY * sizeof(*symbols);
	}
	assert_non_null(strings);
	strings->sh_offset = at + MANY * sizeof(*symbols);
	strings->sh_size = names;
	adbgd_code_free(plain);
	free(file);
	return big;
}

/* Each kernel looks for its function's symbol: this ends before the tests' deadline. */
static void many_kernels_do_not_take_for_ever(void **state)
{
	struct adbgd_error error;
	struct adbgd_code *many;
	size_t size;
	uint8_t *file = with_symbols(false, &size);

	(void)state;
	if (adbgd_code_new(file, size, "many", &many, &error))
		fail_msg("%s", error.text);
	assert_non_null(adbgd_code_get_kernel(many, MANY - 1));
	assert_null(adbgd_code_get_kernel(many, MANY));
	adbgd_code_free(many);
	free(file);
	file = with_symbols(true, &size);
	assert_int_equal(adbgd_code_new(file, size, "same", &many, &error), -E2BIG);
	assert_string_equal(error.text,
			    "same: the names of its symbols have more than 67108864 bytes");
	free(file);
}

/* All that can be asked of a file; what comes of it does not matter here. */
static void ask(const uint8_t *bytes, size_t size)
{
	const struct adbgd_context context = {
		.read_register = read_register, .read_memory = read_memory, .lanes = 32,
	};
	struct adbgd_variables *list;
	struct adbgd_code *file;
	struct adbgd_value *value;
	struct adbgd_frame frame;
	struct adbgd_line line;
	struct adbgd_error error;
	char text[64];
	size_t count, i;
	uint64_t pc;
	int ret;

	ret = adbgd_code_new(bytes, size, "it", &file, &error);
	if (ret) {
		assert_true(error.error == ret && error.text[0]);
		return;
	}
	pc = adbgd_code_get_info(file)->text.start + 0x40;
	ret = adbgd_line_at(file, pc, &line, NULL);
	ret |= adbgd_frames_at(file, pc, &frame, 1, &count, NULL);
	if (!adbgd_variables_new(file, pc, &list, NULL)) {
		for (i = 0; adbgd_variables_get(list, i); i++) {
			if (adbgd_variable_read(list, i, &context, &value, NULL))
				continue;
			adbgd_value_text(value, 0, text, sizeof(text));
			adbgd_value_free(value);
		}
		adbgd_variables_free(list);
	}
	adbgd_code_free(file);
}

static void files_may_be_cut_off_anywhere(void **state)
{
	size_t size, n;
	uint8_t *file = read_whole(DEBUG_CO "vars_O1.co", &size), *copy;

	(void)state;
	/* In a buffer of its own, so that a sanitizer sees what is read behind it */
	for (n = 0; n < size; n += n < 1024 ? 1 : 37) {
		copy = malloc(n + !n);
		assert_non_null(copy);
		memcpy(copy, file, n);
		ask(copy, n);
		free(copy);
	}
	free(file);
}

static void headers_may_say_anything(void **state)
{
	static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t size, n, k;
	uint8_t *file = read_whole(DEBUG_CO "vars_O1.co", &size), old;
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)file;
	size_t sections = h->e_shoff;

	(void)state;
	for (n = 0; n < size; n++) {
		/* The ELF header, those of segments, those of sections */
		if (n == sizeof(*h) + 8 * sizeof(Elf64_Phdr))
			n = sections;
		for (k = 0; k < sizeof(odd); k++) {
			old = file[n];
			file[n] = odd[k];
			ask(file, size);
			file[n] = old;
		}
	}
	free(file);
}

/* libelf of Debian 12 does not read zstd; libzstd is always there, because dpkg needs it. */
static void sections_compressed_with_zstd_or_zlib_are_read(void **state)
{
	struct adbgd_code *packed = open_code(DEBUG_CO "vars_O1_zstd.co"), *zlib;
	struct adbgd_line line;
	struct adbgd_error error;
	uint64_t at = adbgd_code_find_symbol(packed, "touch")->address;
	char *expected = run_tool("llvm-symbolizer-19 --no-inlines --obj=" DEBUG_CO
				  "vars_O1_zstd.co %#llx", (unsigned long long)at);
	char place[64];

	(void)state;
	assert_int_equal(adbgd_line_at(packed, at, &line, &error), 0);
	snprintf(place, sizeof(place), "vars.cl:%u:%u\n", line.line, line.column);
	assert_non_null(strstr(expected, place));
	free(expected);
	adbgd_code_free(packed);
	zlib = open_code(DEBUG_CO "vars_O1_zlib.co");
	assert_int_equal(adbgd_code_load_debug(zlib, &error), 0);
	adbgd_code_free(zlib);
}

static void a_compression_that_does_not_exist_is_named(void **state)
{
	size_t size, i;
	uint8_t *file = read_whole(DEBUG_CO "vars_O1_zlib.co", &size);
	Elf64_Ehdr *header = (void *)file;
	Elf64_Shdr *sections = (void *)(file + header->e_shoff);
	const Elf64_Word type = 77;
	struct adbgd_code *packed;
	struct adbgd_error error;

	(void)state;
	/* The sections begin at any offset. */
	for (i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_flags & SHF_COMPRESSED)
			memcpy(file + sections[i].sh_offset + offsetof(Elf64_Chdr, ch_type), &type,
			       sizeof(type));
	}
	assert_int_equal(adbgd_code_new(file, size, "new.co", &packed, &error), 0);
	assert_int_equal(adbgd_code_load_debug(packed, &error), -EOPNOTSUPP);
	assert_non_null(strstr(error.text, " is compressed with method 77, "));
	adbgd_code_free(packed);
	free(file);
}

static void what_is_packed_to_be_too_large_is_refused(void **state)
{
	size_t size, i;
	uint8_t *file = read_whole(DEBUG_CO "vars_O1_zlib.co", &size);
	Elf64_Ehdr *h = (Elf64_Ehdr *)file;
	Elf64_Shdr *s = (Elf64_Shdr *)(file + h->e_shoff);
	struct adbgd_code *packed;
	struct adbgd_error error;
	unsigned int found = 0;

	(void)state;
	for (i = 0; i < h->e_shnum; i++) {
		Elf64_Chdr *c = (Elf64_Chdr *)(file + s[i].sh_offset);

		if (!(s[i].sh_flags & SHF_COMPRESSED) || found++)
			continue;
		c->ch_size = 1ULL << 40;
	}
	assert_true(found > 0);
	assert_int_equal(adbgd_code_new(file, size, "it", &packed, &error), 0);
	assert_int_equal(adbgd_code_load_debug(packed, &error), -E2BIG);
	assert_non_null(strstr(error.text, "would have 1099511627776 when it is decompressed"));
	adbgd_code_free(packed);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_operation_does_what_dwarf_says),
		cmocka_unit_test(what_is_wrong_has_a_reason),
		cmocka_unit_test(a_block_in_no_function_is_none),
		cmocka_unit_test(siblings_that_lead_backwards_are_refused),
		cmocka_unit_test(names_of_files_that_multiply_are_refused),
		cmocka_unit_test(many_kernels_do_not_take_for_ever),
		cmocka_unit_test(files_may_be_cut_off_anywhere),
		cmocka_unit_test(headers_may_say_anything),
		cmocka_unit_test(sections_compressed_with_zstd_or_zlib_are_read),
		cmocka_unit_test(a_compression_that_does_not_exist_is_named),
		cmocka_unit_test(what_is_packed_to_be_too_large_is_refused),
	};

	return cmocka_run_group_tests_name("debug_odd", tests, setup, teardown);
}
