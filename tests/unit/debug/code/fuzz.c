// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hostile code objects, for libFuzzer: an input is a file. It is opened as a file, and as memory
 * as if a loader had loaded it, and all functions that a debugger uses are called for it, also
 * the evaluation of expressions with its variables. It is also opened as the .dwo file of a code
 * object. Nothing may crash, and time and memory must
 * be bounded by the size of the input.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <sanitizer/allocator_interface.h>

#include <amdgpudbg-debug-objects.h>
#include <amdgpudbg-debug.h>

#define LOADED_SIZE	(1U << 16)
#define PLACES		8	/* addresses that are looked at */
#define VARIABLES	64	/* of each */
#define EXPRESSIONS	24	/* per input */
#define TOKENS		12	/* of an expression, at most */
#define EXPRESSION_SIZE	512

/*
 * Memory that an input may have at once, also libdw's: the 16 MiB that each code object may have,
 * a value and what else does not depend on it; and what budget.c allows for each of its bytes.
 */
#define MEMORY_LEAST	(32U << 20)
#define MEMORY_RATIO	128
/*
 * CPU time, to which other programs add nothing. Inputs take milliseconds; one whose time grows
 * with the square of its size, or faster, takes minutes.
 */
#define SECONDS		20
/* Following functions takes long: at each so many places */
#define FRAMES_EACH	4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
/* Of libFuzzer */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* ------------------------------------------------------------------------ bounds */

/* Bytes of the header of an offload bundle, with its only entry; and of a compressed one */
#define BUNDLE_HEADER	128
#define PACKED_ROOM	64

static size_t allocated, most_allocated;	/* bytes, now, and since the input began */

static void on_malloc(const volatile void *p, size_t size)
{
	(void)p;
	allocated += size;
	if (allocated > most_allocated)
		most_allocated = allocated;
}

static void on_free(const volatile void *p)
{
	size_t size = p ? __sanitizer_get_allocated_size(p) : 0;

	/* Some was there before the first input. */
	allocated -= size < allocated ? size : allocated;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void check_bounds(size_t size, size_t allocated_before, double began)
{
	size_t memory = most_allocated - allocated_before;
	double seconds = cpu_seconds() - began;

	if (memory > MEMORY_LEAST + MEMORY_RATIO * size) {
		fprintf(stderr, "fuzz: %zu bytes took %zu KiB of memory\n", size, memory >> 10);
		abort();
	}
	if (seconds > SECONDS) {
		fprintf(stderr, "fuzz: %zu bytes took %.1f s\n", size, seconds);
		abort();
	}
}

/* ------------------------------------------------------------------- what is asked */

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

/* ------------------------------------------------------------------- expressions */

static uint32_t random_state;

static uint32_t below(uint32_t n)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % n;
}

/* What is random is the same for the same input. */
static void start_random(const uint8_t *data, size_t size)
{
	size_t i;

	random_state = 2166136261;
	for (i = 0; i < size; i++)
		random_state = (random_state ^ data[i]) * 16777619;
}

static void append(char expression[EXPRESSION_SIZE], const char *what)
{
	size_t length = strlen(expression);

	snprintf(expression + length, EXPRESSION_SIZE - length, "%s", what);
}

static const struct adbgd_variable *any_variable(struct adbgd_variables *variables, size_t num)
{
	return num ? adbgd_variables_get(variables, below(num)) : NULL;
}

/* A variable, and what its type says that it has */
static void append_variable(char expression[EXPRESSION_SIZE], const struct adbgd_variable *v)
{
	static const char *const numbers[] = {
		"0", "1", "-1", "(1 << 31)", "(1l << 63)", "0xffffffff", "$v1",
	};
	const struct adbgd_type *type = v->type;
	unsigned int n;

	append(expression, v->name);
	for (n = 0; type && n < 4 && below(4); n++) {
		const struct adbgd_member *m;

		if (type->num_members && below(8)) {
			m = &type->members[below(type->num_members)];
			append(expression, below(2) ? "." : "->");
			append(expression, m->name ? m->name : "x");
			type = m->type;
		} else {
			append(expression, "[");
			append(expression, numbers[below(sizeof(numbers) / sizeof(numbers[0]))]);
			append(expression, "]");
			type = type->target;
		}
	}
}

static void append_operand(char expression[EXPRESSION_SIZE], struct adbgd_variables *variables,
			   size_t num)
{
	static const char *const others[] = {
		"0", "1", "2", "-1", "(1 << 31)", "(1l << 63)", "0xffffffffffffffff", "2147483648",
		"1e300", "0.5f", "-0.0", "(0.0/0.0)", "$v0", "$s4", "$vcc", "$exec", "$exec_hi",
		"$pc", "$lane", "$scc",
	};
	static const char *const prefixes[] = { "-", "!", "~", "*", "+", "(", "**", "- -" };
	const struct adbgd_variable *v = any_variable(variables, num);

	while (!below(3))
		append(expression, prefixes[below(sizeof(prefixes) / sizeof(prefixes[0]))]);
	if (v && below(4))
		append_variable(expression, v);
	else
		append(expression, others[below(sizeof(others) / sizeof(others[0]))]);
	while (!below(6))
		append(expression, ")");
}

static void make_expression(char expression[EXPRESSION_SIZE], struct adbgd_variables *variables,
			    size_t num)
{
	static const char *const operators[] = {
		"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "<",
		">=", "[", "]", ".", " ", "?", "->x",
	};
	unsigned int tokens = 1 + below(TOKENS);

	expression[0] = '\0';
	append_operand(expression, variables, num);
	while (--tokens) {
		append(expression, operators[below(sizeof(operators) / sizeof(operators[0]))]);
		append_operand(expression, variables, num);
	}
}

static void evaluate(struct adbgd_variables *variables, const char *expression,
		     const struct adbgd_context *context)
{
	struct adbgd_error error;
	struct adbgd_value *value;
	char text[300];

	if (check(adbgd_value_eval(variables, expression, context, &value, &error), &error))
		return;
	if (!adbgd_value_get_type(value) || !adbgd_value_get_bytes(value))
		abort();
	adbgd_value_text(value, 0, text, sizeof(text));
	adbgd_value_free(value);
}

static void evaluate_all(struct adbgd_variables *variables, size_t num,
			 const struct adbgd_context *context)
{
	char expression[EXPRESSION_SIZE];
	unsigned int i;

	for (i = 0; i < EXPRESSIONS; i++) {
		make_expression(expression, variables, num);
		evaluate(variables, expression, context);
	}
	/* Without variables, compute with registers. */
	make_expression(expression, NULL, 0);
	evaluate(NULL, expression, context);
}

static void look_at_passed(struct adbgd_variables *variables, size_t i,
			   const struct adbgd_context *context)
{
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[300];

	if (check(adbgd_variable_read_passed(variables, i, context, &value, &error), &error))
		return;
	adbgd_value_text(value, 0, text, sizeof(text));
	adbgd_value_free(value);
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
			adbgd_variable_location_text(&location, text, sizeof(text));
		look_at_passed(variables, i, &context);
		if (check(adbgd_variable_read(variables, i, &context, &value, &error), &error))
			continue;
		adbgd_value_text(value, 0, text, sizeof(text));
		adbgd_value_text(value, ADBGD_VALUE_HEX, text, 7);
		adbgd_value_free(value);
	}
	evaluate_all(variables, i, &context);
	adbgd_variables_free(variables);
}

/* ---------------------------------------------------------------------- the rest */

/* Once, since it takes LLVM a while; NULL where there is none */
static struct adbgd_disasm *disasm_of(uint32_t lanes)
{
	static struct adbgd_disasm *disasms[2];
	struct adbgd_disasm **d = &disasms[lanes == 64];
	static bool tried[2];
	struct adbgd_error error;

	if (!tried[lanes == 64])
		check(adbgd_disasm_new("gfx1033", lanes, d, &error), &error);
	tried[lanes == 64] = true;
	return *d;
}

static void look_at_insns(const uint8_t *bytes, size_t size, uint64_t pc, uint32_t lanes)
{
	struct adbgd_disasm *disasm = disasm_of(lanes);
	struct adbgd_insn insn;
	struct adbgd_error error;
	size_t i, length = adbgd_insn_length(ADBG_GC_VERSION(10, 3, 1), bytes, size);

	if (length > size || length > ADBGD_INSN_SIZE_MAX || length % 4)
		abort();
	for (i = 0; disasm && i < size; i += insn.size) {
		if (check(adbgd_disasm_insn(disasm, pc + i, bytes + i, size - i, &insn, &error),
			  &error))
			abort();
		if (!insn.size || insn.size > size - i ||
		    insn.num_operands > ADBGD_OPERANDS_MAX ||
		    !memchr(insn.text, 0, sizeof(insn.text)))
			abort();
	}
}

static void look_at_lines(struct adbgd_code *code, uint64_t pc)
{
	struct adbgd_frame frames[4];
	struct adbgd_line line, found[4];
	struct adbgd_source *source;
	struct adbgd_error error;
	size_t count;

	if (!check(adbgd_line_at(code, pc, &line, &error), &error)) {
		if (!line.file)
			abort();
		check(adbgd_line_find(code, line.file, line.line, found, 4, &count, &error),
		      &error);
		if (!check(adbgd_source_open_embedded(code, line.file, &source, &error), &error))
			adbgd_source_free(source);
	}
	if (check(adbgd_frames_at(code, pc, frames, 4, &count, &error), &error))
		return;
	check(adbgd_function_find(code, frames[0].function, found, 4, &count, &error),
	      &error);
}

/* Follow functions, and read registers of all frames. */
static void look_at_frames(struct adbgd_code *code, uint64_t pc, uint32_t lanes)
{
	const struct adbgd_context context = {
		.read_register = read_register, .read_memory = read_memory, .lanes = lanes,
	};
	struct adbgd_backtrace *bt;
	struct adbgd_context c;
	struct adbgd_error error;
	uint32_t value, n;
	size_t i;

	if (check(adbgd_backtrace_new(code, pc, &context, NULL, &bt, &error), &error))
		return;
	for (i = 0; adbgd_backtrace_get(bt, i); i++) {
		c = adbgd_backtrace_get_context(bt, i, 0);
		for (n = 0; n < 48; n++) {
			if (c.read_register(c.data, AMDGPUDBG_REG_SGPR, n, 0, &value) > 0 ||
			    c.read_register(c.data, AMDGPUDBG_REG_VGPR, n, n, &value) > 0)
				abort();
		}
	}
	adbgd_backtrace_free(bt);
}

static void look_at_arguments(struct adbgd_code *code)
{
	const struct adbgd_argument *arguments;
	const struct adbgd_kernel *kernel;
	struct adbgd_error error;
	size_t i, a, num;

	for (i = 0; i < PLACES && (kernel = adbgd_code_get_kernel(code, i)); i++) {
		if (check(adbgd_kernel_get_arguments(code, kernel, &arguments, &num, &error),
			  &error))
			continue;
		for (a = 0; a < num; a++) {
			if (!arguments[a].value_kind || strlen(arguments[a].value_kind) > 4095)
				abort();
		}
	}
}

static void look(struct adbgd_code *code)
{
	const struct adbgd_span *text = &adbgd_code_get_info(code)->text;
	char name[ADBGD_NAME_MAX];
	struct adbgd_error error;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	uint64_t step;
	size_t i;

	for (i = 0; adbgd_code_get_kernel(code, i); i++)
		adbgd_code_find_kernel(code, adbgd_code_get_kernel(code, i)->name);
	look_at_arguments(code);
	for (i = 0; adbgd_code_get_symbol(code, i); i++) {
		const struct adbgd_symbol *symbol = adbgd_code_get_symbol(code, i);

		adbgd_code_format_address(code, symbol->address + 4, name);
		symbol = adbgd_code_find_symbol(code, symbol->name);
		if (!symbol || strcmp(symbol->name, adbgd_code_get_symbol(code, i)->name))
			abort();
	}
	check(adbgd_code_load_debug(code, &error), &error);
	for (i = 0; adbgd_code_get_source_file(code, i); i++)
		;
	step = text->size / PLACES + 4;
	for (i = 0; i < PLACES; i++) {
		uint64_t pc = text->start + i * (step & ~3ULL);

		if (!check(adbgd_code_read(code, pc, bytes, sizeof(bytes), &error), &error))
			look_at_insns(bytes, sizeof(bytes), pc, i & 1 ? 64 : 32);
		look_at_lines(code, pc);
		look_at_variables(code, pc, i & 1 ? 64 : 32);
		if (i % FRAMES_EACH == 1)
			look_at_frames(code, pc, i & 2 ? 64 : 32);
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
	struct adbgd_memory memory = { .read = read_bytes, .data = bytes };
	struct adbgd_span span = { bytes->start, bytes->size };
	struct adbgd_error error;
	struct adbgd_code *code;
	uint64_t at;

	if (check(adbgd_scan_budget_new(-1, &memory.budget, &error), &error))
		return;
	if (!check(adbgd_memory_find_code(&memory, &span, 1, 0, &at, &error), &error) &&
	    !check(adbgd_code_new_memory(&memory, at, span.size, &code, &error), &error)) {
		check(adbgd_code_find_base(code, &memory, &span, 1, NULL, 0, &at, &error), &error);
		look(code);
		adbgd_code_free(code);
	}
	adbgd_scan_budget_free(memory.budget);
}

/* ----------------------------------------------------------------------- bundles */

/* Put numbers at @at, in little-endian order. Return: the address after them. */
static uint8_t *put(uint8_t *at, uint64_t number, size_t size)
{
	memcpy(at, &number, size);
	return at + size;
}

/* zlib (RFC 1950, 1951): one block that is stored, and the checksum */
static uint8_t *store_zlib(uint8_t *at, const uint8_t *bytes, size_t size)
{
	uint32_t a = 1, b = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		a = (a + bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	at = put(at, 0x010178, 3);
	at = put(at, size, 2);
	at = put(at, ~size, 2);
	memcpy(at, bytes, size);
	return put(at + size, __builtin_bswap32(b << 16 | a), 4);
}

/* zstd (RFC 8878): a frame of one segment with its size, and one raw block, which is the last */
static uint8_t *store_zstd(uint8_t *at, const uint8_t *bytes, size_t size)
{
	at = put(at, 0xa0fd2fb528, 5);
	at = put(at, size, 4);
	at = put(at, size << 3 | 1, 3);
	memcpy(at, bytes, size);
	return at + size;
}

static void open_bundle(uint8_t *bytes, size_t size, size_t header)
{
	struct adbgd_error error;
	struct adbgd_code *code;

	if (below(2))
		bytes[below(header)] = below(256);
	if (!check(adbgd_code_new(bytes, size, "it", &code, &error), &error))
		adbgd_code_free(code);
}

/* The bundle, compressed as "Compressed Offload Bundle Header" of clang 19 describes it */
static void in_packed_bundle(const uint8_t *bundle, size_t size)
{
	uint32_t method = below(2), version = 1 + below(3), width = version == 3 ? 8 : 4;
	size_t header = 8 + (version > 1 ? 2 : 1) * width + 8;
	uint8_t *bytes = calloc(1, size + PACKED_ROOM), *at, *end;

	if (!bytes)
		abort();
	at = put(bytes, 0x424f4343, 4);
	at = put(at, version | method << 16, 4);
	end = (method ? store_zstd : store_zlib)(bytes + header, bundle, size);
	if (version > 1)
		at = put(at, end - bytes, width);
	put(at, size, width);
	open_bundle(bytes, end - bytes, header + 16);
	free(bytes);
}

/* The same in an offload bundle, whose header is damaged now and then */
static void in_bundle(const uint8_t *data, size_t size)
{
	static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
	static const char triple[] = "hipv4-amdgcn-amd-amdhsa--gfx1033";
	const uint64_t numbers[] = { 1, BUNDLE_HEADER, size, sizeof(triple) - 1 };
	uint8_t *bytes = calloc(1, BUNDLE_HEADER + size);

	if (!bytes)
		abort();
	memcpy(bytes, magic, sizeof(magic) - 1);
	memcpy(bytes + sizeof(magic) - 1, numbers, sizeof(numbers));
	memcpy(bytes + sizeof(magic) - 1 + sizeof(numbers), triple, sizeof(triple) - 1);
	memcpy(bytes + BUNDLE_HEADER, data, size);
	/* Both formats have 16 bits for a length. */
	if (BUNDLE_HEADER + size <= UINT16_MAX)
		in_packed_bundle(bytes, BUNDLE_HEADER + size);
	open_bundle(bytes, BUNDLE_HEADER + size, BUNDLE_HEADER);
	free(bytes);
}

/* ------------------------------------------------------------------ split files */

/* The input is the .dwo or .dwp file of a code object, which is as it was compiled. */
static void beside(const char *path, const char *file)
{
	struct adbgd_error error;
	struct adbgd_code *code;

	if (adbgd_code_open(path, &code, &error) ||
	    adbgd_code_add_debug_path(code, file, &error))
		abort();
	look(code);
	adbgd_code_free(code);
}

static void as_split_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char file[32];
	Elf64_Ehdr h;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	memcpy(&h, data, sizeof(h));
	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	/* One of them is that of the input. */
	if (h.e_type == ET_REL) {
		beside(FUZZ_SPLIT "4.co", file);
		beside(FUZZ_SPLIT "5.co", file);
	}
	close(fd);
}

static void fuzz(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, 0x100000000ULL, size };
	struct adbgd_error error;
	struct adbgd_code *code;
	uint8_t *loaded;

	start_random(data, size);
	if (!check(adbgd_code_new(data, size, "it", &code, &error), &error)) {
		look(code);
		if (!check(adbgd_code_set_base(code, 0x7f0000000000, &error), &error))
			look_at_variables(code, 0x7f0000000000, 32);
		adbgd_code_free(code);
	}
	in_bundle(data, size);
	if (size < sizeof(Elf64_Ehdr))
		return;
	as_split_file(data, size);
	in_memory(&bytes);
	loaded = calloc(1, LOADED_SIZE);
	if (!loaded)
		abort();
	load(data, size, loaded);
	bytes.bytes = loaded;
	bytes.size = LOADED_SIZE;
	in_memory(&bytes);
	free(loaded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool has_hooks;
	size_t before;
	double began;

	if (!has_hooks) {
		if (!__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free))
			abort();
		has_hooks = true;
		/* LLVM is loaded once, and takes memory for itself. */
		disasm_of(32);
		disasm_of(64);
	}
	before = allocated;
	most_allocated = allocated;
	began = cpu_seconds();
	fuzz(data, size);
	check_bounds(size, before, began);
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
