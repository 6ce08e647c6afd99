// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Types are created when they are needed, with all types that they refer to: first each entry
 * becomes a type with references to others, then sizes and names are determined, which depend on
 * the other types.
 */
#include "type.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <string.h>

#include "code_object.h"
#include "dwarf_form.h"

#define NAME_SIZE	256
/* Names that an integer may have by typedef, one after the other */
#define NAMES_OF_INTEGER	8
/* Maximum nesting of typedefs and arrays; only circular definitions exceed it. */
#define DEPTH_MAX	64

enum state { NEW, NAMING, DONE };

/* A type, and data for creating it */
struct adbgd_type_node {
	struct adbgd_type type;		/* the first member: node_of() */
	Dwarf_Off offset;		/* of its entry; unused for inner dimensions */
	struct adbgd_type_node *next;	/* list of all types */
	struct adbgd_type_node *alias;	/* the type of which it is another name */
	struct adbgd_member *members;
	const char *given;		/* its own name; NULL: none */
	const char *prefix;		/* such as "const " */
	uint32_t dwarf_tag;
	enum state state;
	char name[];
};

/* Constant: nothing writes to it, because it is DONE. */
static const struct adbgd_type_node void_node = {
	.type = { .name = "void", .kind = ADBGD_TYPE_VOID },
	.dwarf_tag = DW_TAG_unspecified_type,
	.state = DONE,
};

static const struct adbgd_type_node damaged_node = {
	.type = { .name = "?", .kind = ADBGD_TYPE_OTHER },
	.dwarf_tag = DW_TAG_unspecified_type,
	.state = DONE,
};

static struct adbgd_type_node *node_of(const struct adbgd_type *type)
{
	return (struct adbgd_type_node *)type;
}

static int by_offset(const void *a, const void *b)
{
	const struct adbgd_type_node *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void nothing(void *node)
{
	(void)node;
}

static void types_free(struct adbgd_dwarf *dwarf)
{
	struct adbgd_type_node *node;

	tdestroy(dwarf->types, nothing);
	while ((node = dwarf->all_types)) {
		dwarf->all_types = node->next;
		free(node->members);
		free(node);
	}
}

/*
 * Types and members are never freed one by one. If there are too many, creating them fails. An
 * interrupt does not leave incomplete types: it is ignored here, and seen by the next loop.
 */
static int charge(struct adbgd_dwarf *d, enum adbgd_cost cost, struct adbgd_error *error)
{
	int ret = adbgd_dwarf_spend(d, cost, 1, error);

	return ret == -EINTR ? 0 : ret;
}

/* Return: NULL: no memory, or too many types; @d->no_types has the reason. */
static struct adbgd_type_node *node_new(struct adbgd_dwarf *d, Dwarf_Off offset)
{
	struct adbgd_type_node *node;

	if (charge(d, ADBGD_COST_TYPES, &d->no_types))
		return NULL;
	node = calloc(1, sizeof(*node) + NAME_SIZE);
	if (!node) {
		adbgd_no_memory(&d->no_types, d->code->name);
		return NULL;
	}
	node->offset = offset;
	node->type.name = node->name;
	node->next = d->all_types;
	d->all_types = node;
	d->free_types = types_free;
	return node;
}

/* Get the node of an entry, which is created if needed; NULL: see node_new(). */
static struct adbgd_type_node *node_get(struct adbgd_dwarf *d, Dwarf_Die *die)
{
	struct adbgd_type_node key = { .offset = adbgd_dwarf_offset(d, die) }, **found, *node;

	found = tfind(&key, &d->types, by_offset);
	if (found)
		return *found;
	node = node_new(d, key.offset);
	if (node && tsearch(node, &d->types, by_offset))
		return node;
	return NULL;
}

/*
 * Report why a type could not be created. Clear the reason, because it may be another one next
 * time.
 */
static int fail_type(struct adbgd_dwarf *d, struct adbgd_error *error)
{
	struct adbgd_error why = d->no_types;

	d->no_types.error = 0;
	return why.error ? adbgd_fail(error, why.error, "%s", why.text) :
	       adbgd_dwarf_bad(d, "a type", error);
}

/*
 * Get the type that DW_AT_type refers to; void if there is none. NULL: see node_new(), or it is
 * damaged.
 */
static const struct adbgd_type *target_of(struct adbgd_dwarf *d, Dwarf_Die *die)
{
	struct adbgd_type_node *node;
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr))
		return &void_node.type;
	if (!dwarf_formref_die(&attr, &type))
		return NULL;
	node = node_get(d, &type);
	return node ? &node->type : NULL;
}

/* Set the kind of an integer or a float, with what is needed for printing. */
static void fill_base(struct adbgd_type *t, Dwarf_Die *die)
{
	uint64_t encoding = adbgd_dwarf_number(die, DW_AT_encoding, 0);

	switch (encoding) {
	case DW_ATE_boolean:
		t->kind = ADBGD_TYPE_BOOL;
		break;
	case DW_ATE_signed:
		t->kind = ADBGD_TYPE_SIGNED;
		t->flags = ADBGD_TYPE_IS_SIGNED;
		break;
	case DW_ATE_unsigned:
		t->kind = ADBGD_TYPE_UNSIGNED;
		break;
	case DW_ATE_signed_char:
		t->kind = ADBGD_TYPE_CHAR;
		t->flags = ADBGD_TYPE_IS_SIGNED;
		break;
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		t->kind = ADBGD_TYPE_CHAR;
		break;
	case DW_ATE_float:
		t->kind = ADBGD_TYPE_FLOAT;
		break;
	default:
		return;
	}
	if (t->kind == ADBGD_TYPE_FLOAT ? t->size != 2 && t->size != 4 && t->size != 8 :
	    t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8)
		t->kind = ADBGD_TYPE_OTHER;
}

static uint64_t count_of(Dwarf_Die *range)
{
	uint64_t upper = adbgd_dwarf_number(range, DW_AT_upper_bound, UINT64_MAX);

	/*
	 * An array of unknown length has neither attribute; then this is UINT64_MAX + 1, which is
	 * 0.
	 */
	return adbgd_dwarf_number(range, DW_AT_count, upper + 1);
}

/* Iteration over the children of an entry, in the order that adbgd_dwarf_tree() has checked */
struct children {
	struct adbgd_dwarf *d;
	struct adbgd_unit *unit;
	uint32_t next;
	uint32_t end;
};

static int children_of(struct adbgd_dwarf *d, Dwarf_Off offset, struct children *c,
		       struct adbgd_error *error)
{
	uint32_t number;
	int ret;

	memset(c, 0, sizeof(*c));
	c->d = d;
	ret = adbgd_dwarf_find(d, offset, &c->unit, &number, error);
	/* The entry is in a type unit, whose entries are not read. */
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	c->next = number + 1;
	c->end = c->unit->entries[number].end;
	return 0;
}

/* Get the next child, and return its tag; 0: there is none. */
static uint32_t next_child(struct children *c, Dwarf_Die *die)
{
	const struct adbgd_entry *e;

	if (c->next >= c->end)
		return 0;
	e = &c->unit->entries[c->next];
	c->next = e->end;
	return adbgd_dwarf_die(c->d, e->offset, die) ? e->tag : 0;
}

/*
 * Fill in an array. int[2][3] is an array of arrays, so each further dimension gets a node of its
 * own.
 */
static int fill_array(struct adbgd_dwarf *d, struct adbgd_type_node *node, Dwarf_Die *die,
		      struct adbgd_error *error)
{
	struct adbgd_type_node *part = NULL;
	struct children c;
	unsigned int dimensions = 0;
	Dwarf_Die range;
	uint32_t tag;
	int ret;

	ret = children_of(d, node->offset, &c, error);
	if (ret)
		return ret;
	while ((tag = next_child(&c, &range))) {
		if (tag != DW_TAG_subrange_type)
			continue;
		if (++dimensions > DEPTH_MAX)
			break;
		if (!part) {
			part = node;
		} else {
			struct adbgd_type_node *inner = node_new(d, 0);

			if (!inner)
				return fail_type(d, error);
			inner->type.kind = ADBGD_TYPE_ARRAY;
			inner->dwarf_tag = DW_TAG_array_type;
			part->type.target = &inner->type;
			part = inner;
		}
		part->type.count = count_of(&range);
	}
	part = part ? part : node;
	part->type.target = target_of(d, die);
	node->type.kind = dwarf_hasattr(die, DW_AT_GNU_vector) ? ADBGD_TYPE_VECTOR :
								 ADBGD_TYPE_ARRAY;
	return part->type.target ? 0 : fail_type(d, error);
}

/* Has an enumeration negative values? Its DW_AT_type is an integer, maybe by another name. */
static bool is_signed_enum(const Dwarf_Die *die)
{
	Dwarf_Die type = *die;
	unsigned int depth;
	Dwarf_Attribute attr;
	uint64_t encoding;

	for (depth = 0; depth < NAMES_OF_INTEGER; depth++) {
		if (!dwarf_attr_integrate(&type, DW_AT_type, &attr) ||
		    !dwarf_formref_die(&attr, &type))
			break;
	}
	encoding = adbgd_dwarf_number(&type, DW_AT_encoding, 0);
	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

static void fill_enumerator(struct adbgd_member *m, bool is_signed, Dwarf_Die *die)
{
	struct adbgd_constant constant;
	Dwarf_Attribute attr;

	if (dwarf_attr(die, DW_AT_const_value, &attr) &&
	    !adbgd_form_constant(&attr, is_signed, &constant) && !constant.bytes)
		m->value = constant.number;
}

/* Fill a member. @is_placed: set to false if its place in the object is not known */
static int fill_member(struct adbgd_dwarf *d, struct adbgd_member *m, Dwarf_Die *die,
		       bool *is_placed, struct adbgd_error *error)
{
	uint64_t bit;

	m->type = target_of(d, die);
	if (!m->type)
		return fail_type(d, error);
	m->bit_size = adbgd_dwarf_number(die, DW_AT_bit_size, 0);
	*is_placed = adbgd_form_place(die, m->type->size, &bit);
	m->offset = bit / 8;
	m->bit_offset = bit % 8;
	return 0;
}

static int fill_members(struct adbgd_dwarf *d, struct adbgd_type_node *node,
			uint32_t wanted, struct adbgd_error *error)
{
	struct adbgd_member *members;
	struct children c;
	struct adbgd_member *m;
	bool is_placed = true;
	size_t room = 0;
	Dwarf_Die die;
	uint32_t tag;
	int ret;

	ret = children_of(d, node->offset, &c, error);
	while (!ret && (tag = next_child(&c, &die))) {
		/* Base classes become members without a name. */
		if (tag != wanted && !(tag == DW_TAG_inheritance &&
				       wanted == DW_TAG_member))
			continue;
		/* Static members are not in the object. */
		if (dwarf_hasattr(&die, DW_AT_external) ||
		    dwarf_hasattr(&die, DW_AT_declaration))
			continue;
		ret = charge(d, ADBGD_COST_MEMBERS, error);
		if (ret)
			return ret;
		members = adbgd_grow(node->members, node->type.num_members, &room,
				     sizeof(*members));
		if (!members)
			return adbgd_no_memory(error, d->code->name);
		node->members = members;
		node->type.members = members;
		m = &members[node->type.num_members];
		memset(m, 0, sizeof(*m));
		m->name = adbgd_dwarf_name(d, dwarf_diename(&die));
		if (tag == DW_TAG_enumerator)
			fill_enumerator(m, node->type.flags & ADBGD_TYPE_IS_SIGNED, &die);
		else
			ret = fill_member(d, m, &die, &is_placed, error);
		/* Do not show what would be read from the wrong place. */
		node->type.num_members += is_placed;
	}
	return ret;
}

/* Set the size of a pointer: LLVM, AMDGPUUsage, "Address Spaces". */
static void fill_pointer(struct adbgd_type *t, Dwarf_Die *die)
{
	t->kind = ADBGD_TYPE_POINTER;
	t->space = adbgd_dwarf_number(die, DW_AT_address_class, ADBGD_SPACE_GLOBAL);
	if (!t->size)
		t->size = t->space == ADBGD_SPACE_PRIVATE ||
			  t->space == ADBGD_SPACE_LOCAL ? 4 : 8;
}

static const char *prefix_of(uint32_t tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const ";
	case DW_TAG_volatile_type:
		return "volatile ";
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return "";
	default:
		return NULL;
	}
}

/* In C, the name of a struct needs its keyword, unless it is that of a typedef. */
static const char *keyword_of(uint32_t tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return NULL;
	}
}

static bool is_tagged(Dwarf_Die *die)
{
	Dwarf_Die unit;
	int language;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	language = dwarf_srclang(&unit);
	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == DW_LANG_OpenCL;
}

static int fill(struct adbgd_dwarf *d, struct adbgd_type_node *node,
		struct adbgd_error *error)
{
	struct adbgd_type *t = &node->type;
	Dwarf_Die die;

	if (!adbgd_dwarf_die(d, node->offset, &die))
		return adbgd_dwarf_bad(d, "a type", error);
	node->dwarf_tag = dwarf_tag(&die);
	node->given = dwarf_diename(&die);
	node->prefix = prefix_of(node->dwarf_tag);
	if (!node->prefix && node->given && is_tagged(&die))
		node->prefix = keyword_of(node->dwarf_tag);
	t->size = adbgd_dwarf_number(&die, DW_AT_byte_size, 0);
	switch (node->dwarf_tag) {
	case DW_TAG_base_type:
		fill_base(t, &die);
		return 0;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		fill_pointer(t, &die);
		break;
	case DW_TAG_array_type:
		return fill_array(d, node, &die, error);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		t->kind = ADBGD_TYPE_STRUCT;
		return fill_members(d, node, DW_TAG_member, error);
	case DW_TAG_union_type:
		t->kind = ADBGD_TYPE_UNION;
		return fill_members(d, node, DW_TAG_member, error);
	case DW_TAG_enumeration_type:
		t->kind = ADBGD_TYPE_ENUM;
		t->flags = is_signed_enum(&die) ? ADBGD_TYPE_IS_SIGNED : 0;
		return fill_members(d, node, DW_TAG_enumerator, error);
	case DW_TAG_subroutine_type:
		t->kind = ADBGD_TYPE_FUNCTION;
		return 0;
	case DW_TAG_typedef:
		break;
	default:
		if (!node->prefix)
			return 0;
		break;
	}
	/* The type that a pointer points to, or of which this one is another name */
	t->target = target_of(d, &die);
	if (!t->target)
		return fail_type(d, error);
	if (t->kind != ADBGD_TYPE_POINTER)
		node->alias = node_of(t->target);
	return 0;
}

static void finish(struct adbgd_type_node *node, unsigned int depth);

/* Copy everything but the name from the type of which this one is another name. */
static void finish_alias(struct adbgd_type_node *node, unsigned int depth)
{
	const struct adbgd_type *of = &node->alias->type;
	const char *name = node->type.name;

	finish(node->alias, depth + 1);
	snprintf(node->name, NAME_SIZE, "%s%.*s", node->prefix ? node->prefix : "",
		 NAME_SIZE - 16, node->given ? node->given : of->name);
	node->type = *of;
	node->type.name = name;
}

static void name_pointer(struct adbgd_type_node *node, unsigned int depth)
{
	const struct adbgd_type *to = node->type.target;
	size_t length;
	char mark = node->dwarf_tag == DW_TAG_pointer_type ? '*' : '&';

	finish(node_of(to), depth + 1);
	length = strlen(to->name);
	snprintf(node->name, NAME_SIZE, "%.*s%s%c", NAME_SIZE - 16, to->name,
		 length && to->name[length - 1] == '*' ? "" : " ", mark);
}

static void finish_array(struct adbgd_type_node *node, unsigned int depth)
{
	const struct adbgd_type *of = node->type.target, *element = of;
	char dimensions[NAME_SIZE - 16] = "";
	size_t n = 0;

	finish(node_of(of), depth + 1);
	if (!node->type.size &&
	    __builtin_mul_overflow(of->size, node->type.count, &node->type.size))
		node->type.size = 0;
	/* "int [2][3]": from the outermost to the innermost dimension */
	element = &node->type;
	while (element->kind == ADBGD_TYPE_ARRAY && element->target &&
	       node_of(element)->dwarf_tag == DW_TAG_array_type && n < 128) {
		n += snprintf(dimensions + n, sizeof(dimensions) - n,
			      element->count ? "[%llu]" : "[]",
			      (unsigned long long)element->count);
		element = element->target;
	}
	if (node->type.kind == ADBGD_TYPE_VECTOR)
		snprintf(node->name, NAME_SIZE, "%.200s __vector(%llu)", of->name,
			 (unsigned long long)node->type.count);
	else
		snprintf(node->name, NAME_SIZE, "%.100s %.140s", element->name,
			 dimensions);
}

/* Set name and size, after those of the types on which they depend. */
static void finish(struct adbgd_type_node *node, unsigned int depth)
{
	if (node->state != NEW)
		return;
	node->state = NAMING;
	if (depth > DEPTH_MAX || (node->alias && node->alias->state == NAMING)) {
		node->type.kind = ADBGD_TYPE_OTHER;
		node->type.size = 0;
		snprintf(node->name, NAME_SIZE, "%.200s", node->given ? node->given : "?");
	} else if (node->alias) {
		finish_alias(node, depth);
	} else if (node->type.kind == ADBGD_TYPE_POINTER) {
		name_pointer(node, depth);
	} else if (node->type.kind == ADBGD_TYPE_ARRAY ||
		   node->type.kind == ADBGD_TYPE_VECTOR) {
		finish_array(node, depth);
	} else {
		snprintf(node->name, NAME_SIZE, "%s%.200s", node->prefix ? node->prefix : "",
			 node->given ? node->given :
			 node->type.kind == ADBGD_TYPE_STRUCT ? "struct {...}" :
			 node->type.kind == ADBGD_TYPE_UNION ? "union {...}" :
			 node->type.kind == ADBGD_TYPE_ENUM ? "enum {...}" :
			 node->type.kind == ADBGD_TYPE_FUNCTION ? "function" : "?");
	}
	node->state = DONE;
}

/* Complete the types that were added after @before, of which @found is one. */
static int complete(struct adbgd_dwarf *dwarf, struct adbgd_type_node *before,
		    const struct adbgd_type *found, const struct adbgd_type **type,
		    struct adbgd_error *error)
{
	struct adbgd_type_node *stop = before, *node;
	int ret;

	/*
	 * Filling a node may add new nodes at the head of the list: repeat this until there are
	 * none. Inner dimensions of arrays are complete, and have no entry of their own.
	 */
	while (dwarf->all_types != stop) {
		struct adbgd_type_node *first = dwarf->all_types;

		for (node = first; node != stop; node = node->next) {
			if (node->dwarf_tag || !node->offset)
				continue;
			ret = fill(dwarf, node, error);
			if (ret)
				goto err_unfilled;
		}
		stop = first;
	}
	for (node = dwarf->all_types; node != before; node = node->next)
		finish(node, 0);
	*type = found;
	return 0;

err_unfilled:
	/* Other types may refer to this one, so keep it as a type that cannot be shown. */
	node->type.kind = ADBGD_TYPE_OTHER;
	node->type.size = 0;
	node->type.num_members = 0;
	for (node = dwarf->all_types; node != before; node = node->next) {
		if (!node->dwarf_tag)
			node->dwarf_tag = DW_TAG_unspecified_type;
		if ((node->type.kind == ADBGD_TYPE_ARRAY ||
		     node->type.kind == ADBGD_TYPE_VECTOR ||
		     node->type.kind == ADBGD_TYPE_POINTER) && !node->type.target)
			node->type.kind = ADBGD_TYPE_OTHER;
	}
	for (node = dwarf->all_types; node != before; node = node->next)
		finish(node, 0);
	if (ret != -EBADMSG)
		return ret;
	*type = &damaged_node.type;
	return 0;
}

int adbgd_type_of(struct adbgd_dwarf *dwarf, Dwarf_Off entry,
		  const struct adbgd_type **type, struct adbgd_error *error)
{
	struct adbgd_type_node *before = dwarf->all_types;
	const struct adbgd_type *found = NULL;
	Dwarf_Die die;

	if (adbgd_dwarf_die(dwarf, entry, &die))
		found = target_of(dwarf, &die);
	if (!found && dwarf->no_types.error)
		return fail_type(dwarf, error);
	if (!found) {
		*type = &damaged_node.type;
		return 0;
	}
	return complete(dwarf, before, found, type, error);
}

int adbgd_type_at(struct adbgd_dwarf *dwarf, Dwarf_Off entry, const struct adbgd_type **type,
		  struct adbgd_error *error)
{
	struct adbgd_type_node *before = dwarf->all_types, *node;
	Dwarf_Die die;

	if (!adbgd_dwarf_die(dwarf, entry, &die))
		return adbgd_dwarf_bad(dwarf, "a type", error);
	node = node_get(dwarf, &die);
	return node ? complete(dwarf, before, &node->type, type, error) : fail_type(dwarf, error);
}
