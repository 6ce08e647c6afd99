// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See expr_find.h.
 */
#include "expr_find.h"

#include <search.h>

#include "code_object.h"
#include "expr_name.h"

/* libdw does not know LLVM's operations: find out which one the expression has. */
static int name_unknown(const struct adbgd_expr *e, struct adbgd_error *error)
{
	const char *name = NULL;
	Dwarf_Block block;
	size_t i;

	if (!dwarf_formblock(e->attr, &block)) {
		for (i = 0; !name && i < block.length; i++)
			name = block.data[i] >= DW_OP_lo_user ?
			       adbgd_expr_name(block.data[i]) : NULL;
	}
	return adbgd_fail(error, -EOPNOTSUPP, "libdw does not understand its location%s%s (%s)",
			  name ? ", it seems because of " : "", name ? name : "",
			  dwarf_errmsg(-1));
}

/* Check the length of an expression, by itself or in a list. */
static int check_size(const struct adbgd_expr *e, struct adbgd_error *error)
{
	Dwarf_Block block;

	if (dwarf_formblock(e->attr, &block))
		return adbgd_dwarf_check_list(e->dwarf, e->attr, true, error);
	if (block.length <= ADBGD_LOCATION_MAX)
		return 0;
	return adbgd_fail(error, -E2BIG, "its location has %llu bytes; at most %u are read",
			  (unsigned long long)block.length, ADBGD_LOCATION_MAX);
}

static int by_pointer(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

/*
 * Charge the operations, which libdw keeps after decoding. Do it once, because lists of locations
 * may share expressions.
 */
static int charge(const struct adbgd_expr *e, const Dwarf_Op *ops, size_t num,
		  struct adbgd_error *error)
{
	struct adbgd_dwarf *d = e->dwarf;
	int ret;

	if (tfind(ops, &d->seen, by_pointer))
		return 0;
	ret = adbgd_dwarf_spend(d, ADBGD_COST_OPERATIONS, num, error);
	if (!ret && !tsearch(ops, &d->seen, by_pointer))
		ret = adbgd_no_memory(error, d->code->name);
	return ret;
}

int adbgd_expr_find(const struct adbgd_expr *e, Dwarf_Op **ops, size_t *num,
		    struct adbgd_error *error)
{
	int found = check_size(e, error);

	if (found)
		return found;
	found = dwarf_getlocation_addr(e->attr, e->pc, ops, num, 1);
	if (found < 0)
		return name_unknown(e, error);
	if (!found)
		return adbgd_fail(error, -ENODATA, "it is not available at this instruction, but "
				  "at others");
	if (!*num)
		return adbgd_fail(error, -ENODATA, "it was optimized out at this instruction");
	return charge(e, *ops, *num, error);
}
