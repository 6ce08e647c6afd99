// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See argument.h. LLVM 19, AMDGPUUsage, "Call Convention", "Non-Kernel Functions"; clang 19,
 * AMDGPUABIInfo::classifyArgumentType() and classifyReturnType().
 */
#include "argument.h"

#include "code_object.h"
#include "type.h"

#define DEPTH_MAX	8
/* Arguments are in v0 to v30; v31 has the work-item ids, and further arguments are in memory. */
#define VGPRS		31
/* Larger aggregates are in memory. */
#define AGGREGATE_VGPRS	16

static uint32_t dwords(uint64_t bytes)
{
	return bytes < 4 * VGPRS ? (bytes + 3) / 4 : VGPRS;
}

static uint32_t vgprs_of(const struct adbgd_type *t, unsigned int depth);

/* Elements of a byte have a register each; two of 16 bits share one. */
static uint32_t vgprs_of_vector(const struct adbgd_type *t)
{
	uint64_t size = t->target ? t->target->size : 0;

	if (!size || t->count > VGPRS)
		return VGPRS;
	return size == 1 ? t->count : dwords(size * t->count);
}

/* The members of an aggregate of more than 8 bytes are passed one by one. */
static uint32_t vgprs_of_members(const struct adbgd_type *t, unsigned int depth)
{
	uint32_t num = 0, i;

	if (t->kind == ADBGD_TYPE_ARRAY)
		return t->target && t->count <= VGPRS ?
		       t->count * vgprs_of(t->target, depth + 1) : VGPRS;
	for (i = 0; i < t->num_members && num < VGPRS; i++) {
		/* Bit fields share their register. */
		if (!t->members[i].type || t->members[i].bit_size)
			return VGPRS;
		num += vgprs_of(t->members[i].type, depth + 1);
	}
	return num;
}

/* Get the number of registers of a value; VGPRS or more: not known, or too many. */
static uint32_t vgprs_of(const struct adbgd_type *t, unsigned int depth)
{
	if (!t->size || depth >= DEPTH_MAX)
		return VGPRS;
	switch (t->kind) {
	case ADBGD_TYPE_VECTOR:
		return vgprs_of_vector(t);
	case ADBGD_TYPE_STRUCT:
	case ADBGD_TYPE_ARRAY:
		return t->size <= 8 && !depth ? dwords(t->size) : vgprs_of_members(t, depth);
	case ADBGD_TYPE_UNION:
	case ADBGD_TYPE_OTHER:
		return t->size <= 8 && !depth ? dwords(t->size) : VGPRS;
	default:
		return dwords(t->size);
	}
}

/* A large result is in memory, whose private address is the first argument. */
static bool returns_in_memory(struct adbgd_dwarf *d, Dwarf_Off function)
{
	const struct adbgd_type *t;

	return !adbgd_type_of(d, function, &t, NULL) && (t->kind == ADBGD_TYPE_STRUCT ||
	       t->kind == ADBGD_TYPE_UNION) && (t->size > 4 * AGGREGATE_VGPRS ||
	       (t->size > 8 && vgprs_of(t, 0) > AGGREGATE_VGPRS));
}

uint32_t adbgd_argument_vgpr(struct adbgd_dwarf *d, Dwarf_Off function, Dwarf_Off parameter)
{
	const struct adbgd_type *t;
	struct adbgd_unit *unit;
	uint32_t number, i, at;

	if (adbgd_dwarf_find(d, function, &unit, &number, NULL) ||
	    unit->entries[number].tag != DW_TAG_subprogram)
		return ADBGD_ARGUMENT_NONE;
	at = returns_in_memory(d, function);
	for (i = number + 1; i < unit->entries[number].end; i = unit->entries[i].end) {
		const struct adbgd_entry *e = &unit->entries[i];

		if (e->tag != DW_TAG_formal_parameter)
			continue;
		if (adbgd_dwarf_spend(d, ADBGD_COST_STEPS, VGPRS, NULL) ||
		    adbgd_type_of(d, e->offset, &t, NULL))
			break;
		if (e->offset == parameter)
			return at + vgprs_of(t, 0) <= VGPRS ? at : ADBGD_ARGUMENT_NONE;
		at += vgprs_of(t, 0);
		if (at >= VGPRS)
			break;
	}
	return ADBGD_ARGUMENT_NONE;
}
