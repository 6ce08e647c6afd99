// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copies of types: see kept_type.h.
 *
 * Types refer to each other, also in circles. The types that a copy needs are first listed, and
 * then copied into one allocation, which counts its users.
 */
#include "kept_type.h"

#include <errno.h>

/* Marks a type that is the first member of a struct node. */
#define IS_KEPT		(1U << 30)
/* The types of one copy: their number, and the bytes that they take with names and members */
#define TYPES_MAX	1024
#define SIZE_MAX_KEPT	(256U << 10)

struct node {
	struct adbgd_type type;
	struct kept *kept;
};

struct kept {
	unsigned int users;
	struct node nodes[];		/* followed by their members, and by all names */
};

/* The types to copy */
struct list {
	const struct adbgd_type **types;
	size_t num, room;
	uint64_t size;			/* of their copies */
	uint64_t num_members;
};

static struct node *node_of(const struct adbgd_type *type)
{
	return (struct node *)type;
}

bool adbgd_type_is_kept(const struct adbgd_type *type)
{
	return type && type->flags & IS_KEPT;
}

void adbgd_type_kept_hold(const struct adbgd_type *type)
{
	node_of(type)->kept->users++;
}

void adbgd_type_kept_release(const struct adbgd_type *type)
{
	struct kept *kept = node_of(type)->kept;

	if (!--kept->users)
		free(kept);
}

/* ------------------------------------------------------------------ types to copy */

static uint64_t size_of_name(const char *name)
{
	return name ? strlen(name) + 1 : 0;
}

static ssize_t find(const struct list *l, const struct adbgd_type *type)
{
	for (size_t i = 0; type && i < l->num; i++)
		if (l->types[i] == type)
			return i;
	return -1;
}

static int add(struct list *l, const struct adbgd_type *type)
{
	const struct adbgd_type **types;

	if (!type || find(l, type) >= 0)
		return 0;
	l->size += sizeof(struct node) + size_of_name(type->name) +
		   (uint64_t)type->num_members * sizeof(struct adbgd_member);
	l->num_members += type->num_members;
	if (l->num >= TYPES_MAX || l->size > SIZE_MAX_KEPT)
		return -E2BIG;
	for (uint32_t i = 0; i < type->num_members; i++)
		l->size += size_of_name(type->members[i].name);
	types = adbgd_grow(l->types, l->num, &l->room, sizeof(*types));
	if (!types)
		return -ENOMEM;
	l->types = types;
	types[l->num++] = type;
	return l->size > SIZE_MAX_KEPT ? -E2BIG : 0;
}

/* Add a type, and those of its members and elements, but not those to which pointers point. */
static int add_with_parts(struct list *l, const struct adbgd_type *type)
{
	size_t first = l->num;
	int ret = add(l, type);

	for (size_t i = first; !ret && i < l->num; i++) {
		const struct adbgd_type *of = l->types[i];

		if (of->kind != ADBGD_TYPE_POINTER)
			ret = add(l, of->target);
		for (uint32_t m = 0; !ret && m < of->num_members; m++)
			ret = add(l, of->members[m].type);
	}
	return ret;
}

/* Add what pointers point to, as far as there is room. */
static int add_targets(struct list *l)
{
	int ret = 0;

	for (size_t i = 0; i < l->num && ret != -ENOMEM; i++) {
		const struct list before = *l;

		if (l->types[i]->kind != ADBGD_TYPE_POINTER)
			continue;
		ret = add_with_parts(l, l->types[i]->target);
		if (ret) {
			l->num = before.num;
			l->size = before.size;
			l->num_members = before.num_members;
		}
	}
	return ret == -ENOMEM ? ret : 0;
}

/* ---------------------------------------------------------------------------- copy */

static const char *copy_name(const char *name, char **names)
{
	const char *copy = *names;

	if (!name)
		return NULL;
	*names = stpcpy(*names, name) + 1;
	return copy;
}

static const struct adbgd_type *copy_of(struct kept *kept, const struct list *l,
					const struct adbgd_type *type)
{
	ssize_t i = find(l, type);

	return i < 0 ? NULL : &kept->nodes[i].type;
}

static void fill(struct kept *kept, const struct list *l)
{
	struct adbgd_member *members = (struct adbgd_member *)(kept->nodes + l->num);
	char *names = (char *)(members + l->num_members);

	for (size_t i = 0; i < l->num; i++) {
		const struct adbgd_type *from = l->types[i];
		struct adbgd_type *to = &kept->nodes[i].type;

		kept->nodes[i].kept = kept;
		*to = *from;
		/* The highest bits mark who owns a type. */
		to->flags = (from->flags & (IS_KEPT - 1)) | IS_KEPT;
		to->name = copy_name(from->name, &names);
		to->target = copy_of(kept, l, from->target);
		to->members = from->num_members ? members : NULL;
		for (uint32_t m = 0; m < from->num_members; m++, members++) {
			*members = from->members[m];
			members->name = copy_name(members->name, &names);
			members->type = copy_of(kept, l, members->type);
		}
	}
}

static int copy(const struct list *l, const struct adbgd_type **type)
{
	struct kept *kept = calloc(1, sizeof(*kept) + l->size);

	if (!kept)
		return -ENOMEM;
	kept->users = 1;
	fill(kept, l);
	*type = &kept->nodes[0].type;
	return 0;
}

int adbgd_type_keep(const struct adbgd_type *type, const struct adbgd_type **kept, uint64_t *size,
		    struct adbgd_error *error)
{
	struct list l = { .types = NULL };
	int ret = add_with_parts(&l, type);

	if (!ret)
		ret = add_targets(&l);
	if (!ret)
		ret = copy(&l, kept);
	if (!ret)
		*size += sizeof(struct kept) + l.size;
	free(l.types);
	if (ret == -E2BIG)
		return adbgd_fail(error, ret, "the type %.200s is too large to be kept",
				  type->name);
	return ret ? adbgd_no_memory(error, "a type") : 0;
}
