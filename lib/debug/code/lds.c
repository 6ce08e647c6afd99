// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where variables in LDS are: see lds.h.
 *
 * LLVM assigns their addresses when it generates the code of a kernel, and writes them nowhere: the
 * debug information refers to a symbol of each variable, such as "kernel.variable", which remains
 * undefined and is 0 therefore. Only the size of all LDS of a kernel is known, from its descriptor.
 * A kernel's LDS begins at 0. So a variable that takes all of it is at 0.
 *
 * What compilers put into LDS besides, such as parts of structures, and arrays of private memory
 * that they have moved there, has no symbols, but is contained in the size.
 */
#include "lds.h"

#include <errno.h>

#include "kernarg.h"
#include "scope.h"

/*
 * Is a symbol that of a variable in the function of a kernel? Clang names it "kernel.variable" in
 * OpenCL C, and "_ZZ...E..." for a kernel "_Z..." in C++ (Itanium C++ ABI, 5.1.4.6).
 */
static bool is_in(const struct adbgd_kernel *k, const char *symbol)
{
	size_t length = strlen(k->name);

	if (!strncmp(symbol, k->name, length) && symbol[length] == '.')
		return true;
	return !strncmp(k->name, "_Z", 2) && !strncmp(symbol, "_ZZ", 3) &&
	       !strncmp(symbol + 3, k->name + 2, length - 2) && symbol[1 + length] == 'E';
}

static bool is_in_any(const struct adbgd_code *code, const char *symbol)
{
	for (size_t i = 0; i < code->num_kernels; i++)
		if (is_in(&code->kernels[i], symbol))
			return true;
	return false;
}

/*
 * Is one symbol that of a variable of the kernel, and are all others those of other kernels? One of
 * no kernel could be in the LDS of any of them.
 */
static bool has_one(const struct adbgd_code *code, const struct adbgd_kernel *k)
{
	const struct adbgd_elf_symbols *table = &code->table;
	size_t count = 0;

	for (size_t i = 0; i < table->count; i++) {
		const Elf64_Sym *s = &table->symbols[i];
		const char *name = s->st_name < table->names_size ? table->names + s->st_name : "";

		if (s->st_shndx != SHN_UNDEF || !*name)
			continue;
		if (is_in(k, name))
			count++;
		else if (!is_in_any(code, name))
			return false;
	}
	return count == 1;
}

/* Is the variable one of the kernel's own function? */
static bool is_of_kernel(const struct adbgd_expr *e, const struct adbgd_kernel *k)
{
	struct adbgd_unit *unit;
	uint32_t number;

	return e->function &&
	       !adbgd_dwarf_find(e->dwarf, adbgd_dwarf_offset(e->dwarf, e->function), &unit,
				 &number, NULL) &&
	       unit->entries[number].tag == DW_TAG_subprogram &&
	       adbgd_scope_entry(e->dwarf, unit, number) ==
	       k->entry - e->dwarf->code->info.bias;
}

static int fail_many(struct adbgd_error *error)
{
	return adbgd_fail(error, -ENODATA, "it is in LDS at an unknown address, because the code "
			  "object has several variables there; \"lds read\" shows all of LDS");
}

/*
 * Is the variable all LDS of each kernel that has any? Then it is so, too, for those that call the
 * function in which it is.
 */
static bool is_all_of_each(const struct adbgd_code *code, uint64_t size)
{
	const struct adbgd_kernel *k;

	for (size_t i = 0; (k = adbgd_code_get_kernel(code, i)); i++)
		if (k->lds_size && k->lds_size != size)
			return false;
	return true;
}

int adbgd_lds_check(const struct adbgd_expr *e, struct adbgd_error *error)
{
	const struct adbgd_code *code = e->dwarf->code;
	const struct adbgd_kernel *k = adbgd_kernarg_kernel(code, e->pc + code->info.bias);
	int ret;

	/* A function that is called may be used by several kernels. */
	if (!k)
		return code->num_undefined <= 1 && is_all_of_each(code, e->size) ? 0 :
		       fail_many(error);
	if (k->lds_size != e->size)
		return adbgd_fail(error, -ENODATA, "it is in LDS at an unknown address, because it "
				  "has %llu bytes and the LDS of its kernel %u; \"lds read\" "
				  "shows all of LDS", (unsigned long long)e->size, k->lds_size);
	if (code->num_undefined <= 1)
		return 0;
	ret = adbgd_dwarf_spend(e->dwarf, ADBGD_COST_STEPS,
				code->table.count + code->num_undefined * code->num_kernels, error);
	if (ret)
		return ret;
	return is_of_kernel(e, k) && has_one(code, k) ? 0 : fail_many(error);
}
