/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hottest PCs: how often waves were seen at each of them. Old samples count less and less, and
 * the memory is bounded. No function here accesses a GPU.
 */
#ifndef WAVECTL_TOP_HOT_H
#define WAVECTL_TOP_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* After so many samples, a sample has half of its weight. */
#define HOT_HALF_LIFE	64
/* PCs that are kept. A new one replaces the one with the least weight. */
#define HOT_MAX		1024

/* What is known of a PC; the texts belong to the entry. NULL: unknown */
struct hot_name {
	int32_t pid;			/* 0: unknown */
	char *program;
	char *instruction;
	char *place;			/* "saxpy+0x1c at saxpy.cl:12", as tables show it */
	bool waits;			/* the instruction waits */
};

struct hot_entry {
	uint32_t gpu, pasid;
	uint64_t pc;
	double weight;			/* samples of waves that were not halted */
	uint64_t samples;		/* their number, without loss of weight */
	uint32_t waves;			/* in the last sample, also those that are halted */
	uint64_t named_at;		/* number of the sample when it was named; 0: not yet */
	struct hot_name name;
};

struct hot {
	struct hot_entry *entries;	/* ordered by GPU, PASID and PC */
	size_t num;
	double total;			/* weight of all samples, also of replaced entries */
	uint64_t samples;		/* number of samples */
};

/* Orders of the list */
enum hot_order {
	HOT_BY_SHARE,
	HOT_BY_WAVES,
	HOT_BY_PC,
	HOT_BY_PROCESS,
	HOT_NUM_ORDERS,
};

const char *hot_order_name(enum hot_order order);

void hot_init(struct hot *hot);
void hot_free(struct hot *hot);
/* Begin a sample: what was counted before loses weight, and no wave is at any PC. */
void hot_begin(struct hot *hot);
/*
 * Count a wave. @runs: it is not halted. Returns the entry, which is valid until the next call;
 * its name is empty if it is new.
 */
struct hot_entry *hot_add(struct hot *hot, uint32_t gpu, uint32_t pasid, uint64_t pc, bool runs);
/* The percentage of the samples at this PC */
double hot_share(const struct hot *hot, const struct hot_entry *entry);
/* Forget what is known of a PC. */
void hot_clear_name(struct hot_entry *entry);
/* Forget what is known of the PCs of a process, or of all if @pasid is 0. */
void hot_forget_names(struct hot *hot, uint32_t gpu, uint32_t pasid);
/*
 * Write the first @max entries in an order to @list. Entries without weight and without waves are
 * left out. Returns their number.
 */
size_t hot_sort(const struct hot *hot, enum hot_order order, const struct hot_entry **list,
		size_t max);

#endif /* WAVECTL_TOP_HOT_H */
