// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Types that expressions make of other types: see derived_type.h.
 */
#include "derived_type.h"

#include <errno.h>
#include <stdio.h>

#include "kept_type.h"

#define NAME_SIZE	256
/* Marks a type that is the first member of a struct derived. */
#define IS_DERIVED	(1U << 31)

struct derived {
	struct adbgd_type type;
	unsigned int users;
	char name[NAME_SIZE];
};

static struct derived *derived_of(const struct adbgd_type *type)
{
	return type && type->flags & IS_DERIVED ? (struct derived *)type : NULL;
}

bool adbgd_type_is_derived(const struct adbgd_type *type)
{
	return derived_of(type);
}

const struct adbgd_type *adbgd_type_hold(const struct adbgd_type *type)
{
	struct derived *d = derived_of(type);

	if (d)
		d->users++;
	else if (adbgd_type_is_kept(type))
		adbgd_type_kept_hold(type);
	return type;
}

void adbgd_type_release(const struct adbgd_type *type)
{
	struct derived *d;

	while ((d = derived_of(type)) && !--d->users) {
		type = d->type.target;
		free(d);
	}
	if (!d && adbgd_type_is_kept(type))
		adbgd_type_kept_release(type);
}

static struct derived *derived_new(const struct adbgd_type *target, uint32_t kind,
				   struct adbgd_error *error)
{
	struct derived *d = calloc(1, sizeof(*d));

	if (!d) {
		adbgd_no_memory(error, "a type");
		return NULL;
	}
	d->users = 1;
	d->type.name = d->name;
	d->type.target = adbgd_type_hold(target);
	d->type.kind = kind;
	d->type.flags = IS_DERIVED;
	return d;
}

/*
 * Put @what into the name of @of where C has it: pointers to arrays are "int (*)[4]", arrays of
 * arrays "int [2][4]".
 */
static void set_name(struct derived *d, const struct adbgd_type *of, const char *what)
{
	const char *name = of->name ? of->name : "?", *at = strstr(name, "(*");
	size_t length = strlen(name);
	bool is_array = of->kind == ADBGD_TYPE_ARRAY;
	const char *blank = length && name[length - 1] == '*' ? "" : " ";

	if (of->kind == ADBGD_TYPE_POINTER && at) {
		at += 1 + strspn(at + 1, "*");
	} else {
		at = is_array ? strchr(name, '[') : NULL;
		at = at ? at : name + length;
	}
	/* Longer names are cut. */
	if (is_array && *what == '*')
		snprintf(d->name, NAME_SIZE, "%.*s(*)%.100s", (int)(at - name), name, at);
	else
		snprintf(d->name, NAME_SIZE, "%.*s%s%s%.100s", (int)(at - name), name,
			 *at ? "" : blank, what, at);
}

int adbgd_type_pointer(const struct adbgd_type *target, uint32_t space,
		       const struct adbgd_type **type, struct adbgd_error *error)
{
	struct derived *d = derived_new(target, ADBGD_TYPE_POINTER, error);

	if (!d)
		return -ENOMEM;
	d->type.space = space;
	d->type.size = space == ADBGD_SPACE_PRIVATE || space == ADBGD_SPACE_LOCAL ? 4 : 8;
	set_name(d, target, "*");
	*type = &d->type;
	return 0;
}

int adbgd_type_array(const struct adbgd_type *element, uint64_t count,
		     const struct adbgd_type **type, struct adbgd_error *error)
{
	struct derived *d;
	char what[32];
	uint64_t size;

	if (!element->size)
		return adbgd_fail(error, -EINVAL, "the size of %.200s is not known", element->name);
	if (__builtin_mul_overflow(element->size, count, &size))
		return adbgd_fail(error, -E2BIG, "%llu times %.200s are too many",
				  (unsigned long long)count, element->name);
	d = derived_new(element, ADBGD_TYPE_ARRAY, error);
	if (!d)
		return -ENOMEM;
	d->type.count = count;
	d->type.size = size;
	snprintf(what, sizeof(what), "[%llu]", (unsigned long long)count);
	set_name(d, element, what);
	*type = &d->type;
	return 0;
}
