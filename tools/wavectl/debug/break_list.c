// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Breakpoints as arguments: see break_list.h.
 */
#include "debug/break_list.h"

#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"

struct adbgd_breakpoint *break_list_at(const struct wavectl *w, size_t i)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;

	return d ? adbgd_process_get_breakpoint(d->process, i) : NULL;
}

static void add(struct break_list *list, struct adbgd_breakpoint *b)
{
	for (uint64_t i = 0; i < list->count; i++)
		if (list->breakpoints[i] == b)
			return;
	list->breakpoints = xreallocarray(list->breakpoints, list->count + 1,
					  sizeof(*list->breakpoints));
	list->breakpoints[list->count++] = b;
}

static int take_range(struct wavectl *w, const char *word, uint32_t *from, uint32_t *to)
{
	return parse_range(word, UINT32_MAX, from, to) ? WAVECTL_OK :
	       fail_with(w, WAVECTL_USAGE, NULL,
			 "'%s' is not the number of a breakpoint, or a range such as 2-4", word);
}

static int add_range(struct wavectl *w, const char *word, struct break_list *list)
{
	uint64_t before = list->count;
	struct adbgd_breakpoint *b;
	uint32_t from, to;
	int status = take_range(w, word, &from, &to);

	if (status)
		return status;
	if (from == to) {
		status = debug_find_breakpoint(w, from, &b);
		if (!status)
			add(list, b);
		return status;
	}
	for (size_t i = 0; (b = break_list_at(w, i)); i++)
		if (adbgd_breakpoint_get_info(b)->number >= from &&
		    adbgd_breakpoint_get_info(b)->number <= to)
			add(list, b);
	return list->count > before ? WAVECTL_OK :
	       fail_with(w, WAVECTL_GONE, "see \"break list\"", "there are no breakpoints %s",
			 word);
}

static int find_all(struct wavectl *w, struct break_list *list)
{
	struct adbgd_breakpoint *b;

	for (size_t i = 0; (b = break_list_at(w, i)); i++)
		add(list, b);
	return list->count ? WAVECTL_OK :
	       fail_with(w, WAVECTL_GONE, NULL, "there are no breakpoints");
}

int break_list_take(struct wavectl *w, struct break_list *list)
{
	int status = WAVECTL_OK;
	uint32_t from, to;

	*list = (struct break_list){ .count = 0 };
	/* A word that is wrong is reported also without a GPU. */
	for (int i = 0; !status && i < w->num_words; i++)
		status = take_range(w, w->words[i], &from, &to);
	if (!status)
		status = open_target(w);
	if (!status && !w->num_words)
		status = find_all(w, list);
	for (int i = 0; !status && i < w->num_words; i++)
		status = add_range(w, w->words[i], list);
	return status;
}

void break_list_free(struct break_list *list)
{
	free(list->breakpoints);
}
