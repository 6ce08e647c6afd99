// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols and kernels of code objects.
 */
#include <stdio.h>
#include <string.h>

#include "code_object.h"

/* LLVM 19, AMDGPUUsage, "Kernel Descriptor": offsets in it, and its size */
#define DESCRIPTOR_SIZE		64
#define DESCRIPTOR_LDS		0
#define DESCRIPTOR_PRIVATE	4
#define DESCRIPTOR_KERNARG	8
#define DESCRIPTOR_ENTRY	16
#define DESCRIPTOR_PROPERTIES	56
#define PROPERTY_WAVE32		(1U << 10)	/* ENABLE_WAVEFRONT_SIZE32 */

/* ENABLE_SGPR_*: user SGPRs that a wave begins with, in their order, and how many each takes */
#define PROPERTY_PRIVATE_BUFFER	(1U << 0)	/* 4 */
#define PROPERTY_DISPATCH_PTR	(1U << 1)	/* 2 */
#define PROPERTY_QUEUE_PTR	(1U << 2)	/* 2 */
#define PROPERTY_KERNARG_PTR	(1U << 3)

static int by_address(const void *a, const void *b)
{
	const struct adbgd_symbol *x = a, *y = b;
	uint32_t xf = x->flags & ADBGD_SYMBOL_FUNCTION;
	uint32_t yf = y->flags & ADBGD_SYMBOL_FUNCTION;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (xf != yf)
		return xf ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Among symbols of the same name, the one with the lowest address comes first. */
static int by_name(const void *a, const void *b)
{
	const struct adbgd_symbol *x = *(const struct adbgd_symbol *const *)a;
	const struct adbgd_symbol *y = *(const struct adbgd_symbol *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : x < y ? -1 : x > y;
}

static int by_entry(const void *a, const void *b)
{
	const struct adbgd_kernel *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	return strcmp(x->name, y->name);
}

static const char *name_of(const struct adbgd_code *code, const Elf64_Sym *s)
{
	return s->st_name < code->table.names_size ? code->table.names + s->st_name : "";
}

/*
 * Symbols may share the ends of their names, so that there may be more bytes to compare than were
 * read: limit the sum of their lengths.
 */
static int check_names(const struct adbgd_code *code, struct adbgd_error *error)
{
	uint64_t left = ADBGD_ELF_COMPARED_MAX;
	size_t i, length;

	for (i = 0; i < code->table.count; i++) {
		length = strlen(name_of(code, &code->table.symbols[i])) + 1;
		if (length > left)
			return adbgd_fail(error, -E2BIG,
					  "%s: the names of its symbols have more than %u bytes",
					  code->name, ADBGD_ELF_COMPARED_MAX);
		left -= length;
	}
	return 0;
}

static void add_symbol(struct adbgd_code *code, const Elf64_Sym *s)
{
	struct adbgd_symbol *to = &code->symbols[code->num_symbols];
	unsigned int type = ELF64_ST_TYPE(s->st_info);
	const char *name = name_of(code, s);

	if (!*name || (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE))
		return;
	if (s->st_shndx == SHN_UNDEF) {
		code->num_undefined++;
		return;
	}
	/* Absolute symbols, which the assembler makes of .set, are constants, not addresses. */
	if (s->st_shndx == SHN_ABS)
		return;
	to->name = name;
	to->address = s->st_value;
	to->size = s->st_size;
	if (adbgd_code_has(code, s->st_value))
		to->flags |= ADBGD_SYMBOL_CODE;
	if (type == STT_FUNC)
		to->flags |= ADBGD_SYMBOL_FUNCTION;
	if (ELF64_ST_BIND(s->st_info) == STB_LOCAL)
		to->flags |= ADBGD_SYMBOL_LOCAL;
	code->num_symbols++;
}

static uint32_t word(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* "NAME.kd" is the descriptor of the kernel NAME. Return: the length of NAME; 0: it is not. */
static size_t kernel_name(const struct adbgd_symbol *s)
{
	size_t length = strlen(s->name);

	if (s->size != DESCRIPTOR_SIZE || length <= 3 || strcmp(s->name + length - 3, ".kd"))
		return 0;
	return length - 3;
}

/* Compare a name with @length bytes of another one, as strcmp() does. */
static int compare(const char *name, const char *other, size_t length)
{
	int order = strncmp(name, other, length);

	return order ? order : name[length] != 0;
}

/* Find the symbol whose name has these @length bytes */
static const struct adbgd_symbol *find(const struct adbgd_code *code, const char *name,
				       size_t length)
{
	size_t low = 0, high = code->num_symbols;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(code->by_name[mid]->name, name, length) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < code->num_symbols && !compare(code->by_name[low]->name, name, length) ?
	       code->by_name[low] : NULL;
}

static void set_kernarg_sgpr(struct adbgd_kernel *k, uint32_t properties)
{
	if (!(properties & PROPERTY_KERNARG_PTR))
		return;
	k->flags |= ADBGD_KERNEL_HAS_KERNARG;
	k->kernarg_sgpr = (properties & PROPERTY_PRIVATE_BUFFER ? 4 : 0) +
			  (properties & PROPERTY_DISPATCH_PTR ? 2 : 0) +
			  (properties & PROPERTY_QUEUE_PTR ? 2 : 0);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Sort the symbols of the code by how well they name what follows: first those that say how long
 * they are, then functions, kernels and exported symbols, and last local labels.
 */
static int rank_symbols(struct adbgd_code *code, struct adbgd_error *error)
{
	uint64_t *entries = calloc(code->num_kernels + 1, sizeof(*entries));
	unsigned int rank;
	size_t i;

	for (rank = 0; rank < ADBGD_NUM_RANKS; rank++)
		code->ranks[rank] = calloc(code->num_symbols + 1, sizeof(*code->ranks[rank]));
	if (!entries || !code->ranks[ADBGD_RANK_SIZED] || !code->ranks[ADBGD_RANK_BEGIN] ||
	    !code->ranks[ADBGD_RANK_LABEL]) {
		free(entries);
		return adbgd_no_memory(error, code->name);
	}
	for (i = 0; i < code->num_kernels; i++)
		entries[i] = code->kernels[i].entry;
	for (i = 0; i < code->num_symbols; i++) {
		const struct adbgd_symbol *s = &code->symbols[i];

		if (!(s->flags & ADBGD_SYMBOL_CODE))
			continue;
		rank = ADBGD_RANK_LABEL;
		if (s->size)
			rank = ADBGD_RANK_SIZED;
		else if (s->flags & ADBGD_SYMBOL_FUNCTION || !(s->flags & ADBGD_SYMBOL_LOCAL) ||
			 bsearch(&s->address, entries, code->num_kernels, sizeof(*entries),
				 by_number))
			rank = ADBGD_RANK_BEGIN;
		code->ranks[rank][code->num_ranked[rank]++] = s;
	}
	free(entries);
	return 0;
}

static int add_kernel(struct adbgd_code *code, const struct adbgd_elf *elf,
		      const struct adbgd_symbol *s, struct adbgd_error *error)
{
	struct adbgd_kernel *k = &code->kernels[code->num_kernels];
	const struct adbgd_symbol *function;
	size_t length = kernel_name(s);
	uint8_t kd[DESCRIPTOR_SIZE];
	int64_t entry;
	int ret;

	if (!length)
		return 0;
	ret = adbgd_elf_read(elf, s->address, kd, sizeof(kd), error);
	if (ret)
		return ret;
	memcpy(&entry, kd + DESCRIPTOR_ENTRY, sizeof(entry));
	k->descriptor = s->address;
	k->entry = s->address + entry;
	if (!adbgd_code_has(code, k->entry) || k->entry % 4)
		return adbgd_fail(error, -EBADMSG,
				  "%s: the kernel descriptor of %.*s has the entry address %#llx, "
				  "where no code is",
				  code->name, (int)(length < 200 ? length : 200), s->name,
				  (unsigned long long)k->entry);
	function = find(code, s->name, length);
	k->name = function ? function->name : s->name;
	k->size = function && function->address == k->entry ? function->size : 0;
	k->lds_size = word(kd + DESCRIPTOR_LDS);
	k->private_size = word(kd + DESCRIPTOR_PRIVATE);
	k->kernarg_size = word(kd + DESCRIPTOR_KERNARG);
	set_kernarg_sgpr(k, word(kd + DESCRIPTOR_PROPERTIES));
	k->lanes = code->gpu->major >= 10 &&
		   (word(kd + DESCRIPTOR_PROPERTIES) & PROPERTY_WAVE32) ? 32 : 64;
	code->num_kernels++;
	return 0;
}

int adbgd_code_symbols(struct adbgd_code *code, const struct adbgd_elf *elf,
		       struct adbgd_error *error)
{
	size_t i, num_kernels = 0;
	int ret;

	ret = adbgd_elf_symbols(elf, &code->table, error);
	if (!ret)
		ret = check_names(code, error);
	if (ret)
		return ret;
	code->symbols = calloc(code->table.count + 1, sizeof(*code->symbols));
	code->by_name = calloc(code->table.count + 1, sizeof(*code->by_name));
	if (!code->symbols || !code->by_name)
		return adbgd_no_memory(error, code->name);
	for (i = 0; i < code->table.count; i++)
		add_symbol(code, &code->table.symbols[i]);
	qsort(code->symbols, code->num_symbols, sizeof(*code->symbols), by_address);
	for (i = 0; i < code->num_symbols; i++)
		code->by_name[i] = &code->symbols[i];
	qsort(code->by_name, code->num_symbols, sizeof(*code->by_name), by_name);

	for (i = 0; i < code->num_symbols; i++)
		num_kernels += !!kernel_name(&code->symbols[i]);
	code->kernels = calloc(num_kernels + 1, sizeof(*code->kernels));
	if (!code->kernels)
		return adbgd_no_memory(error, code->name);
	for (i = 0; !ret && i < code->num_symbols; i++)
		ret = add_kernel(code, elf, &code->symbols[i], error);
	qsort(code->kernels, code->num_kernels, sizeof(*code->kernels), by_entry);
	return ret ? ret : rank_symbols(code, error);
}

void adbgd_code_move_symbols(struct adbgd_code *code, uint64_t by)
{
	size_t i;

	for (i = 0; i < code->num_symbols; i++)
		code->symbols[i].address += by;
	for (i = 0; i < code->num_kernels; i++) {
		code->kernels[i].descriptor += by;
		code->kernels[i].entry += by;
	}
}

ADBGD_API const struct adbgd_symbol *
adbgd_code_get_symbol(const struct adbgd_code *code, size_t i)
{
	return i < code->num_symbols ? &code->symbols[i] : NULL;
}

ADBGD_API const struct adbgd_symbol *
adbgd_code_find_symbol(const struct adbgd_code *code, const char *name)
{
	return find(code, name, strlen(name));
}

/* Get the number of symbols of a list that begin at @address or before. */
static size_t begin_before(const struct adbgd_symbol *const *list, size_t num, uint64_t address)
{
	size_t low = 0;

	while (low < num) {
		size_t mid = low + (num - low) / 2;

		if (list[mid]->address <= address)
			low = mid + 1;
		else
			num = mid;
	}
	return low;
}

/*
 * Take the last of those that contain @address; among symbols of the same address the first, which
 * is a function if any.
 */
static const struct adbgd_symbol *last_with(const struct adbgd_symbol *const *list, size_t num,
					    uint64_t address)
{
	const struct adbgd_symbol *s = NULL;
	size_t i;

	for (i = begin_before(list, num, address); i-- > 0;) {
		if (s && list[i]->address != s->address)
			break;
		if (!list[i]->size || address - list[i]->address < list[i]->size)
			s = list[i];
	}
	return s;
}

ADBGD_API const struct adbgd_symbol *
adbgd_code_symbol_at(const struct adbgd_code *code, uint64_t address)
{
	const struct adbgd_symbol *s = NULL;
	unsigned int i;

	for (i = 0; !s && adbgd_code_has(code, address) && i < ADBGD_NUM_RANKS; i++)
		s = last_with(code->ranks[i], code->num_ranked[i], address);
	return s;
}

ADBGD_API const struct adbgd_kernel *
adbgd_code_get_kernel(const struct adbgd_code *code, size_t i)
{
	return i < code->num_kernels ? &code->kernels[i] : NULL;
}

ADBGD_API const struct adbgd_kernel *
adbgd_code_find_kernel(const struct adbgd_code *code, const char *name)
{
	size_t i;

	for (i = 0; i < code->num_kernels; i++) {
		if (!strcmp(code->kernels[i].name, name))
			return &code->kernels[i];
	}
	return NULL;
}
