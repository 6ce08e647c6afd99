// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hottest PCs: see hot.h.
 */
#include "top/hot.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* An entry with less weight, and without waves, is not shown. */
#define LEAST_WEIGHT	0.01
/* 2 to the power of -1 / HOT_HALF_LIFE */
#define KEPT_WEIGHT	0.98922801319397548

static const char *const orders[HOT_NUM_ORDERS] = {
	[HOT_BY_SHARE] = "share", [HOT_BY_WAVES] = "waves", [HOT_BY_PC] = "pc",
	[HOT_BY_PROCESS] = "process",
};

const char *hot_order_name(enum hot_order order)
{
	return orders[order];
}

void hot_clear_name(struct hot_entry *entry)
{
	free(entry->name.program);
	free(entry->name.instruction);
	free(entry->name.place);
	entry->name = (struct hot_name){ .program = NULL };
	entry->named_at = 0;
}

void hot_init(struct hot *hot)
{
	*hot = (struct hot){ .num = 0 };
	hot->entries = xcalloc(HOT_MAX, sizeof(*hot->entries));
}

void hot_free(struct hot *hot)
{
	for (size_t i = 0; i < hot->num; i++)
		hot_clear_name(&hot->entries[i]);
	free(hot->entries);
	*hot = (struct hot){ .num = 0 };
}

void hot_begin(struct hot *hot)
{
	for (size_t i = 0; i < hot->num; i++) {
		hot->entries[i].weight *= KEPT_WEIGHT;
		hot->entries[i].waves = 0;
	}
	hot->total *= KEPT_WEIGHT;
	hot->samples++;
}

/* ------------------------------------------------------------------------ entries */

static int compare_key(const struct hot_entry *a, const struct hot_entry *b)
{
	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	if (a->pasid != b->pasid)
		return a->pasid < b->pasid ? -1 : 1;
	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	return 0;
}

/* The index of the first entry that is not before @key */
static size_t find(const struct hot *hot, const struct hot_entry *key)
{
	size_t low = 0, high = hot->num;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_key(&hot->entries[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void remove_least(struct hot *hot)
{
	size_t least = 0;

	for (size_t i = 1; i < hot->num; i++)
		if (hot->entries[i].weight < hot->entries[least].weight)
			least = i;
	hot_clear_name(&hot->entries[least]);
	hot->num--;
	memmove(&hot->entries[least], &hot->entries[least + 1],
		(hot->num - least) * sizeof(*hot->entries));
}

struct hot_entry *hot_add(struct hot *hot, uint32_t gpu, uint32_t pasid, uint64_t pc, bool runs)
{
	struct hot_entry key = { .gpu = gpu, .pasid = pasid, .pc = pc }, *entry;
	size_t i = find(hot, &key);

	if (i == hot->num || compare_key(&hot->entries[i], &key)) {
		if (hot->num == HOT_MAX) {
			remove_least(hot);
			i = find(hot, &key);
		}
		memmove(&hot->entries[i + 1], &hot->entries[i],
			(hot->num - i) * sizeof(*hot->entries));
		hot->entries[i] = key;
		hot->num++;
	}
	entry = &hot->entries[i];
	entry->waves++;
	if (runs) {
		entry->weight++;
		entry->samples++;
		hot->total++;
	}
	return entry;
}

double hot_share(const struct hot *hot, const struct hot_entry *entry)
{
	return hot->total > 0 ? 100 * entry->weight / hot->total : 0;
}

void hot_forget_names(struct hot *hot, uint32_t gpu, uint32_t pasid)
{
	for (size_t i = 0; i < hot->num; i++)
		if (hot->entries[i].gpu == gpu && (!pasid || hot->entries[i].pasid == pasid))
			hot_clear_name(&hot->entries[i]);
}

/* --------------------------------------------------------------------------- order */

static int by_share(const void *a, const void *b)
{
	const struct hot_entry *x = *(const struct hot_entry *const *)a;
	const struct hot_entry *y = *(const struct hot_entry *const *)b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->waves != y->waves)
		return x->waves > y->waves ? -1 : 1;
	return compare_key(x, y);
}

static int by_waves(const void *a, const void *b)
{
	const struct hot_entry *x = *(const struct hot_entry *const *)a;
	const struct hot_entry *y = *(const struct hot_entry *const *)b;

	if (x->waves != y->waves)
		return x->waves > y->waves ? -1 : 1;
	return by_share(a, b);
}

static int by_pc(const void *a, const void *b)
{
	const struct hot_entry *x = *(const struct hot_entry *const *)a;
	const struct hot_entry *y = *(const struct hot_entry *const *)b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return compare_key(x, y);
}

/* Processes by number, and of each the hottest first */
static int by_process(const void *a, const void *b)
{
	const struct hot_entry *x = *(const struct hot_entry *const *)a;
	const struct hot_entry *y = *(const struct hot_entry *const *)b;

	if (x->gpu != y->gpu)
		return x->gpu < y->gpu ? -1 : 1;
	if (x->name.pid != y->name.pid)
		return x->name.pid < y->name.pid ? -1 : 1;
	if (x->pasid != y->pasid)
		return x->pasid < y->pasid ? -1 : 1;
	return by_share(a, b);
}

size_t hot_sort(const struct hot *hot, enum hot_order order, const struct hot_entry **list,
		size_t max)
{
	static int (*const compare[HOT_NUM_ORDERS])(const void *a, const void *b) = {
		[HOT_BY_SHARE] = by_share, [HOT_BY_WAVES] = by_waves, [HOT_BY_PC] = by_pc,
		[HOT_BY_PROCESS] = by_process,
	};
	const struct hot_entry **all = xcalloc(hot->num + 1, sizeof(*all));
	size_t num = 0;

	for (size_t i = 0; i < hot->num; i++)
		if (hot->entries[i].waves || hot->entries[i].weight >= LEAST_WEIGHT)
			all[num++] = &hot->entries[i];
	qsort(all, num, sizeof(*all), compare[order]);
	if (num > max)
		num = max;
	memcpy(list, all, num * sizeof(*list));
	free(all);
	return num;
}
