// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/metadata.c, msgpack.c, kernarg.c and passed.c: arguments of kernels, compared
 * with what llvm-readelf prints for the same files; malformed metadata; and at each instruction
 * that vgpu's interpreter executes, the address and the values of the arguments, which must be
 * those with which the kernel was begun, or unknown.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>

/* The interpreter has these, too. */
#include "kernel_wave.h"
#include "machine.h"
#undef ARRAY_SIZE
#include "debug/util.h"

#define VARS		DEBUG_CO "vars_O1.co"
#define NAMED		DEBUG_CO "vars_O1_args.co"
#define IMAGE_SIZE	0x10000
#define VA_IMAGE	MACHINE_BASE
#define VA_KERNARG	(MACHINE_BASE + 0x100000)
#define VA_DISPATCH	(MACHINE_BASE + 0x104000)
#define VA_IN		(MACHINE_BASE + 0x200000)
#define VA_OUT		(MACHINE_BASE + 0x300000)
#define VA_CTL		(MACHINE_BASE + 0x400000)
#define VA_SCRATCH	(MACHINE_BASE + 0x1000000)
#define N		3

/* ---------------------------------------------------------- what llvm-readelf prints */

/*
 * Get "value" of a line "  - .key:   'value'"; false: it has another key. The tool prints the
 * string "n" as "!str n".
 */
static bool value_of(const char *line, const char *key, char value[64])
{
	char found[32], text[64], *at = text;

	line += strspn(line, " -");
	if (sscanf(line, "%31[^:]: %63[^\n]", found, text) != 2 || strcmp(found, key))
		return false;
	if (!strncmp(at, "!str ", 5))
		at += 5;
	snprintf(value, 64, "%.*s", (int)strlen(at) - 2 * (*at == '\''), at + (*at == '\''));
	return true;
}

static void is_text(const char *text, const char *expected)
{
	if (!text)
		fail_msg("there is no %s", expected);
	assert_string_equal(text, expected);
}

/* Compare the arguments, whose lines are the text from @at on; true: that was all of them. */
static bool is_argument(const struct adbgd_argument *a, char **at)
{
	bool named = false;
	char *line, value[64];

	while ((line = next_line(at))) {
		if (value_of(line, ".name", value)) {
			is_text(a->name, value);
			named = true;
		} else if (value_of(line, ".offset", value)) {
			assert_int_equal(a->offset, atoi(value));
		} else if (value_of(line, ".size", value)) {
			assert_int_equal(a->size, atoi(value));
		} else if (value_of(line, ".type_name", value)) {
			is_text(a->type_name, value);
		} else if (value_of(line, ".value_kind", value)) {
			is_text(a->value_kind, value);
			/* Keys are sorted; this is the last. */
			break;
		}
	}
	assert_non_null(line);
	assert_int_equal(named, !!a->name);
	assert_int_equal(!strncmp(value, "hidden_", 7), !!(a->flags & ADBGD_ARGUMENT_HIDDEN));
	return strncmp(*at, "      - ", 8);
}

/* Compare the arguments of all kernels of a file. Return: how many they are. */
static size_t compare_file(const char *path)
{
	char *text = run_tool("llvm-readelf-19 --notes %s", path), *kernel, *symbol, *at;
	struct adbgd_code *code = open_code(path);
	size_t num, i, all = 0, kernels = 0;
	const struct adbgd_argument *arguments;
	const struct adbgd_kernel *k;
	struct adbgd_error error;
	char name[64];

	for (kernel = text; (kernel = strstr(kernel, "  - .args:\n")); kernels++) {
		symbol = strstr(kernel, "    .symbol:");
		assert_non_null(symbol);
		if (sscanf(symbol, " .symbol: %63[^.\n]", name) != 1)
			fail_msg("no name: %.40s", symbol);
		k = adbgd_code_find_kernel(code, name);
		assert_non_null(k);
		assert_true(k->flags & ADBGD_KERNEL_HAS_KERNARG);
		if (adbgd_kernel_get_arguments(code, k, &arguments, &num, &error))
			fail_msg("%s", error.text);
		kernel = symbol - 1;
		at = strstr(strstr(text, "amdhsa.kernels"), "  - .args:\n");
		for (i = 0; i < kernels; i++)
			at = strstr(at + 1, "  - .args:\n");
		at = strdup(strchr(at, '\n') + 1);
		symbol = at;
		for (i = 0; i < num; i++)
			assert_int_equal(is_argument(&arguments[i], &symbol), i + 1 == num);
		free(at);
		all += num;
	}
	assert_true(kernels > 0);
	assert_null(adbgd_code_get_kernel(code, kernels));
	free(text);
	adbgd_code_free(code);
	return all;
}

static void arguments_are_those_of_readelf(void **state)
{
	(void)state;
	assert_int_equal(compare_file(VARS), 6);
	assert_int_equal(compare_file(NAMED), 6);
	assert_true(compare_file(DEBUG_CO "vars_O0.co") >= 6);
	assert_int_equal(compare_file(KERNELS_CO "kernels.co"), 4 * 9);
	assert_int_equal(compare_file(KERNELS_CO "kernels64.co"), 4 * 9);
	compare_file(KERNELS_CO "touch.co");
}

static int ask(struct adbgd_code *code, const char *name, size_t *num, struct adbgd_error *error)
{
	const struct adbgd_kernel *k = adbgd_code_find_kernel(code, name);
	const struct adbgd_argument *arguments;

	assert_non_null(k);
	return adbgd_kernel_get_arguments(code, k, &arguments, num, error);
}

static void code_without_metadata_is_reported(void **state)
{
	struct adbgd_code *code = open_code(KERNELS_CO "breaks.co");
	struct adbgd_error error;
	size_t num;

	(void)state;
	assert_int_equal(adbgd_kernel_get_arguments(code, adbgd_code_get_kernel(code, 0), NULL,
						    &num, &error), -ENODATA);
	assert_non_null(strstr(error.text, "breaks.co has no metadata of its kernels"));
	adbgd_code_free(code);
}

static void arguments_of_loaded_code_are_found(void **state)
{
	struct fake_memory fake;
	struct adbgd_code *code;
	struct adbgd_error error;
	size_t size, num;
	uint8_t *file = read_whole(VARS, &size), *image;

	(void)state;
	fake_init(&fake);
	image = fake_add(&fake, 0x100000000ULL, IMAGE_SIZE);
	load_segments(file, image);
	if (adbgd_code_new_memory(&fake.memory, 0x100000000ULL, IMAGE_SIZE, &code, &error))
		fail_msg("%s", error.text);
	if (ask(code, "shared", &num, &error))
		fail_msg("%s", error.text);
	assert_int_equal(num, 3);
	adbgd_code_free(code);
	fake_free(&fake);
	free(file);
}

/* ------------------------------------------------------------------ malformed metadata */

/* The note of VARS in a copy of the file */
struct note {
	uint8_t *file;
	size_t size;
	Elf64_Nhdr *header;
	uint8_t *content;
};

static void read_note(struct note *n)
{
	const Elf64_Ehdr *h;
	const Elf64_Phdr *p;

	n->file = read_whole(VARS, &n->size);
	h = (const Elf64_Ehdr *)n->file;
	p = (const Elf64_Phdr *)(n->file + h->e_phoff);
	while (p->p_type != PT_NOTE)
		p++;
	n->header = (Elf64_Nhdr *)(n->file + p->p_offset);
	n->content = (uint8_t *)(n->header + 1) + 8;
}

/* What asking for the arguments of the last kernel returns */
static int ask_note(const struct note *n, size_t *num)
{
	struct adbgd_error error = { 0 };
	struct adbgd_code *code;
	int ret;

	if (adbgd_code_new(n->file, n->size, "note", &code, &error))
		fail_msg("%s", error.text);
	ret = ask(code, "shared", num, &error);
	assert_true(!ret || error.error == ret);
	/* The answer is the same. */
	assert_int_equal(ask(code, "shared", num, NULL), ret);
	adbgd_code_free(code);
	return ret;
}

static void truncated_metadata_is_refused(void **state)
{
	struct note n;
	uint32_t size, end;
	size_t num;

	(void)state;
	read_note(&n);
	size = n.header->n_descsz;
	assert_int_equal(ask_note(&n, &num), 0);
	/* The last kernel ends where the next key of the outermost map begins. */
	for (end = 0; memcmp(n.content + end, "amdhsa.target", 13); end++)
		;
	for (n.header->n_descsz = 0; n.header->n_descsz < size; n.header->n_descsz++)
		assert_int_equal(ask_note(&n, &num), n.header->n_descsz < end - 1 ? -EBADMSG : 0);
	n.header->n_descsz = 0xfffffff0;
	assert_int_equal(ask_note(&n, &num), -ENODATA);
	n.header->n_descsz = size;
	n.header->n_namesz = 0xfffffffe;
	assert_int_equal(ask_note(&n, &num), -ENODATA);
	free(n.file);
}

/* Each byte is replaced by values that are types, lengths and numbers. */
static void changed_metadata_does_no_harm(void **state)
{
	static const uint8_t bytes[] = { 0x00, 0x8f, 0x9f, 0xbf, 0xc0, 0xc1, 0xc6, 0xc9, 0xcf, 0xd8,
					 0xdb, 0xdd, 0xdf, 0xff };
	unsigned int refused = 0;
	struct note n;
	size_t i, b, num;
	int ret;

	(void)state;
	read_note(&n);
	for (i = 0; i < n.header->n_descsz; i++) {
		uint8_t was = n.content[i];

		for (b = 0; b < ARRAY_SIZE(bytes); b++) {
			n.content[i] = bytes[b];
			ret = ask_note(&n, &num);
			assert_true(!ret || ret == -EBADMSG || ret == -ENODATA);
			refused += ret != 0;
		}
		n.content[i] = was;
	}
	assert_int_equal(ask_note(&n, &num), 0);
	assert_true(refused > 1000);
	free(n.file);
}

/* MessagePack: a map of one pair, an array of one kernel */
#define KERNEL	"\x81\256amdhsa.kernels\x91\x83\xa7.symbol\xa9shared.kd" \
		"\xb5.kernarg_segment_size\x10\xa5.args"
#define KIND	"\xab.value_kind\250by_value"

static void metadata_of_wrong_types_is_refused(void **state)
{
	static const struct {
		int ret;
		size_t size;
		const char *content;
	} rows[] = {
#define ROW(ret, content) { ret, sizeof(content) - 1, content }
		ROW(0, KERNEL "\x91\x83\xa7.offset\x0c\xa5.size\x04" KIND),
		/* There may be keys that are not known, and values of any type. */
		ROW(0, KERNEL "\x91\x84\xa7.offset\x0c\xa5.size\x04\xa4.new\x82\x01\x93\xc0\xff"
		       "\31301234567\x02\32601234" KIND),
		ROW(0, KERNEL "\x91\x83\xa7.offset\xcf\0\0\0\0\0\0\0\x0c\xa5.size\xcd\0\x04" KIND),
		/* outside of the segment */
		ROW(-EBADMSG, KERNEL "\x91\x83\xa7.offset\x0d\xa5.size\x04" KIND),
		ROW(-EBADMSG, KERNEL "\x91\x83\xa7.offset\xce\xff\xff\xff\xff\xa5.size\x04" KIND),
		/* numbers of other types or too large, a kind that is a number */
		ROW(-EBADMSG, KERNEL "\x91\x83\xa7.offset\xff\xa5.size\x04" KIND),
		ROW(-EBADMSG, KERNEL "\x91\x83\xa7.offset\2410\xa5.size\x04" KIND),
		ROW(-EBADMSG, KERNEL "\x91\x83\xa7.offset\xcf\0\0\0\x01\0\0\0\0\xa5.size\x04"
		    KIND),
		ROW(-EBADMSG, KERNEL "\x91\x83\xa7.offset\0\xa5.size\x04\xab.value_kind\x01"),
		/* something is missing */
		ROW(-EBADMSG, KERNEL "\x91\x82\xa5.size\x04" KIND),
		ROW(-EBADMSG, KERNEL "\x91\x82\xa7.offset\x04" KIND),
		ROW(-EBADMSG, KERNEL "\x91\x82\xa7.offset\0\xa5.size\x04"),
		/* arguments that are none, a key that is no string */
		ROW(-EBADMSG, KERNEL "\x01"),
		ROW(-EBADMSG, KERNEL "\x91\x01"),
		ROW(-EBADMSG, KERNEL "\x91\x81\x01\x02"),
		/* counts that are larger than everything else */
		ROW(-EBADMSG, KERNEL "\xdd\xff\xff\xff\xff\x80\x80\x80\x80\x80"),
		ROW(-EBADMSG, KERNEL "\x91\xdf\xff\xff\xff\xff\xa7.offset\0"),
		ROW(-EBADMSG, KERNEL "\xdb\xff\xff\xff\xff.."),
		ROW(-EBADMSG, "\x81\256amdhsa.kernels\xdd\xff\xff\xff\xff\x80\x80"),
		ROW(-EBADMSG, "\x81\256amdhsa.kernels\xdf\x80\0\0\0\x80\x80"),
		ROW(-EBADMSG, "\xdf\xff\xff\xff\xff\xc0"),
		/* no kernels, another kernel */
		ROW(-EBADMSG, "\x81\256amdhsa.kernels\x01"),
		ROW(-EBADMSG, "\x93\x01\x02\x03"),
		ROW(-ENODATA, "\x80"),
		ROW(-ENODATA, "\x81\256amdhsa.kernels\x91\x81\xa7.symbol\xa9shares.kd"),
#undef ROW
	};
	struct note n;
	size_t i, num;
	int ret;

	(void)state;
	read_note(&n);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memcpy(n.content, rows[i].content, rows[i].size);
		n.header->n_descsz = rows[i].size;
		ret = ask_note(&n, &num);
		if (ret != rows[i].ret)
			fail_msg("row %zu: %d, not %d", i, ret, rows[i].ret);
		assert_true(ret || num == 1);
	}
	free(n.file);
}

/* A hundred thousand arrays, each in the one before */
static void deep_metadata_needs_no_stack(void **state)
{
	static const char begin[] = "\x81\244deep";
	const Elf64_Ehdr *h;
	Elf64_Phdr *p;
	struct note n;
	size_t num, deep = 100000, at;

	(void)state;
	read_note(&n);
	at = (n.size + 3) & ~3UL;
	n.file = realloc(n.file, at + 20 + 8 + deep);
	assert_non_null(n.file);
	n.header = (Elf64_Nhdr *)(n.file + at);
	*n.header = (Elf64_Nhdr){ .n_namesz = 7, .n_descsz = 8 + deep, .n_type = 32 };
	memcpy(n.header + 1, "AMDGPU\0", 8);
	n.content = (uint8_t *)(n.header + 1) + 8;
	memcpy(n.content, begin, 6);
	memset(n.content + 6, 0x91, deep + 1);
	n.content[deep + 7] = 0;
	n.size = at + 20 + 8 + deep;
	/* The notes are at the end of a segment, which is moved to where they are. */
	h = (const Elf64_Ehdr *)n.file;
	p = (Elf64_Phdr *)(n.file + h->e_phoff);
	for (; p->p_type != PT_NOTE; p++)
		;
	p->p_offset = at;
	p->p_vaddr = 0x100000;
	p->p_filesz = 28 + deep;
	for (p = (Elf64_Phdr *)(n.file + h->e_phoff); p->p_type != PT_GNU_STACK; p++)
		;
	*p = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = at, .p_vaddr = 0x100000,
			   .p_filesz = 28 + deep, .p_memsz = 28 + deep };
	assert_int_equal(ask_note(&n, &num), -ENODATA);
	/* The last element is missing. */
	n.header->n_descsz--;
	assert_int_equal(ask_note(&n, &num), -EBADMSG);
	free(n.file);
}

/* -------------------------------------------------------------------- values of a wave */

static struct machine *machine;

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	(void)lane;
	if (space != AMDGPUDBG_REG_SGPR || number >= 106)
		return -ENXIO;
	*value = machine->w->s[number];
	return 0;
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
		       void *buffer, size_t size)
{
	(void)data;
	(void)lane;
	if (space != ADBGD_SPACE_GLOBAL || address < MACHINE_BASE ||
	    address > MACHINE_BASE + MACHINE_SIZE - size)
		return -EFAULT;
	memcpy(buffer, machine_mem(machine, address), size);
	return 0;
}

static const struct adbgd_context context = {
	.read_register = read_register, .read_memory = read_memory, .lanes = 32,
};

/* Counts of what was asked at the instructions that were executed */
struct counts {
	unsigned int insns, located;	/* instructions; those where the address is known */
	unsigned int values;
	unsigned int missing;		/* values that only metadata has */
};

/* The text of the value with which a parameter of any of the kernels is passed */
static const char *passed_text(const char *name)
{
	static char text[64];
	uint64_t value = !strcmp(name, "out") ? VA_OUT : !strcmp(name, "in") ? VA_IN :
			 !strcmp(name, "ctl") ? VA_CTL : 0;

	if (value)
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
	else
		snprintf(text, sizeof(text), "%d", N);
	return text;
}

static void look_at(struct adbgd_variables *variables, size_t i, struct counts *c)
{
	const struct adbgd_variable *v = adbgd_variables_get(variables, i);
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[128], *from;
	int ret = adbgd_variable_read_passed(variables, i, &context, &value, &error);

	if (ret) {
		assert_true(ret == -ENODATA || ret == -EINVAL);
		assert_non_null(strstr(error.text, v->name));
		return;
	}
	assert_true(v->flags & ADBGD_VARIABLE_PARAMETER);
	adbgd_value_text(value, 0, text, sizeof(text));
	adbgd_value_free(value);
	from = strrchr(text, ' ');
	assert_string_equal(from ? from + 1 : text, passed_text(v->name));
	c->values++;
	ret = adbgd_variable_read(variables, i, &context, &value, NULL);
	if (!ret)
		adbgd_value_free(value);
	c->missing += ret == -ENODATA;
}

static void look_around(struct adbgd_code *code, struct counts *c)
{
	struct adbgd_variables *variables;
	uint64_t pc = machine->w->pc, address;
	struct adbgd_error error;
	size_t i;
	int ret;

	c->insns++;
	ret = adbgd_kernarg_locate(code, pc, &context, &address, &error);
	if (ret) {
		assert_int_equal(ret, -ENODATA);
	} else {
		assert_int_equal(address, VA_KERNARG);
		c->located++;
	}
	if (adbgd_variables_new(code, pc, &variables, &error))
		return;
	for (i = 0; adbgd_variables_get(variables, i); i++)
		look_at(variables, i, c);
	adbgd_variables_free(variables);
}

/* A kernel from its first instruction to its last; its arguments are those of @args. */
static void run(const char *path, const char *kernel, unsigned int lanes,
		const uint64_t args[4], struct counts *c)
{
	static const struct kernel_where where = {
		.image = VA_IMAGE, .kernarg = VA_KERNARG, .dispatch = VA_DISPATCH,
		.scratch = VA_SCRATCH,
	};
	struct adbgd_code *code = open_code(path);
	struct codeobj_kernel k;
	struct codeobj co;

	assert_int_equal(codeobj_load(&co, path), 0);
	assert_int_equal(codeobj_find(&co, kernel, &k), 0);
	assert_int_equal(adbgd_code_set_base(code, adbgd_code_get_info(code)->text.start +
					     VA_IMAGE, NULL), 0);
	memset(c, 0, sizeof(*c));
	vgpu_isa_invalidate(&machine->g, ~0U);
	memcpy(machine_mem(machine, VA_IMAGE), co.image, co.size);
	memcpy(machine_mem(machine, VA_KERNARG), args, 4 * sizeof(args[0]));
	machine_reset(machine, lanes);
	kernel_wave(machine->w, &k, &where, 0, 0);
	while (!machine->ended) {
		look_around(code, c);
		assert_int_equal(machine_run(machine, 1), 1);
		assert_int_equal(machine->faults + machine->illegal, 0);
	}
	codeobj_unload(&co);
	adbgd_code_free(code);
}

static void values_are_those_that_were_passed(void **state)
{
	static const uint64_t kernels[4] = { VA_OUT, VA_IN, VA_CTL, N };
	static const uint64_t vars[4] = { VA_OUT, VA_IN, N };
	static const char *const paths[] = {
		DEBUG_CO "vars_O0.co", VARS, NAMED, DEBUG_CO "vars_O0_64.co",
		DEBUG_CO "vars_O1_64.co", DEBUG_CO "vars_O1_dwarf4.co",
	};
	struct counts c;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		run(paths[i], "vars", strstr(paths[i], "64") ? 64 : 32, vars, &c);
		/* At least at the first instruction, with three parameters */
		assert_true(c.located >= 1 && c.values >= 3);
		run(paths[i], "shared", strstr(paths[i], "64") ? 64 : 32, vars, &c);
		assert_true(c.located >= 1 && c.values >= 3);
	}
	/* Optimized kernels without calls leave the SGPRs as they are almost until the end. */
	run(KERNELS_CO "kernels_debug.co", "square", 32, kernels, &c);
	assert_true(c.located > 5 && c.missing > 5);
	run(KERNELS_CO "kernels_debug.co", "intloop", 32, kernels, &c);
	assert_true(c.located > c.insns / 2 && c.missing > c.located);
}

static int setup(void **state)
{
	(void)state;
	machine = machine_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	machine_free(machine);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_are_those_of_readelf),
		cmocka_unit_test(code_without_metadata_is_reported),
		cmocka_unit_test(arguments_of_loaded_code_are_found),
		cmocka_unit_test(truncated_metadata_is_refused),
		cmocka_unit_test(changed_metadata_does_no_harm),
		cmocka_unit_test(metadata_of_wrong_types_is_refused),
		cmocka_unit_test(deep_metadata_needs_no_stack),
		cmocka_unit_test(values_are_those_that_were_passed),
	};

	return cmocka_run_group_tests_name("debug_args", tests, setup, teardown);
}
