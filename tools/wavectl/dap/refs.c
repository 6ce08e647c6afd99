// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers for frames and variables: see refs.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "dap/refs.h"

/* A client that asks without ever resuming does not fill the memory. */
#define MAX_REFS	(1u << 20)
#define MAX_TEXT	(64u << 20)	/* bytes of all expressions */

struct refs {
	struct ref *all;	/* by number */
	size_t num;
	size_t room;
	size_t text;		/* bytes of their expressions */
	uint32_t last;
};

static size_t text_of(const struct ref *ref)
{
	return ref->expression ? strlen(ref->expression) + 1 : 0;
}

struct refs *refs_new(void)
{
	return xcalloc(1, sizeof(struct refs));
}

void refs_free(struct refs *refs)
{
	if (!refs)
		return;
	refs_drop(refs, 0);
	free(refs->all);
	free(refs);
}

uint32_t refs_add(struct refs *refs, const struct ref *ref)
{
	struct ref *new;

	if (refs->num == MAX_REFS || refs->last == INT32_MAX ||
	    refs->text + text_of(ref) > MAX_TEXT)
		return 0;
	if (refs->num == refs->room) {
		refs->room = refs->room ? 2 * refs->room : 64;
		refs->all = xreallocarray(refs->all, refs->room, sizeof(*refs->all));
	}
	new = &refs->all[refs->num++];
	*new = *ref;
	new->id = ++refs->last;
	refs->text += text_of(ref);
	if (ref->expression)
		new->expression = xstrdup(ref->expression);
	return new->id;
}

static int compare(const void *key, const void *element)
{
	const uint64_t *id = key;
	const struct ref *ref = element;

	return *id < ref->id ? -1 : *id > ref->id;
}

const struct ref *refs_find(const struct refs *refs, uint64_t id)
{
	return refs->num ? bsearch(&id, refs->all, refs->num, sizeof(*refs->all), compare) : NULL;
}

void refs_drop(struct refs *refs, uint32_t thread)
{
	size_t kept = 0;

	for (size_t i = 0; i < refs->num; i++) {
		if (thread && refs->all[i].thread != thread) {
			refs->all[kept++] = refs->all[i];
			continue;
		}
		refs->text -= text_of(&refs->all[i]);
		free((char *)refs->all[i].expression);
	}
	refs->num = kept;
}
