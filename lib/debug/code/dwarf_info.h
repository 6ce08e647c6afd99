/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The debug information of a code object: units, a tree of what is in each, and source
 * lines. Addresses in here are those of the file.
 *
 * libdw reads the sections and takes entries apart. Which entry follows which is found
 * out once, here, and each step checked: libdw goes round for ever where entries lead
 * backwards.
 */
#ifndef ADBGD_DWARF_INFO_H
#define ADBGD_DWARF_INFO_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

#include "budget.h"
#include "dwarf_list.h"
#include "internal.h"

/* How deep entries may be nested; the other limits are those of budget.c. */
#define ADBGD_DWARF_DEPTH_MAX	128

struct adbgd_code;

/* A range of addresses */
struct adbgd_interval {
	uint64_t low;
	uint64_t high;		/* behind it */
};

/* An entry of the tree of a unit. Its children follow it. */
struct adbgd_entry {
	Dwarf_Off offset;
	uint32_t parent;	/* its number; of the first: 0 */
	uint32_t end;		/* number of the first one that is not below it */
	uint32_t first_range;	/* of functions and blocks */
	uint32_t num_ranges;
	uint32_t tag;
};

struct adbgd_unit {
	Dwarf_Die die;
	uint32_t first_range;
	uint32_t num_ranges;
	struct adbgd_entry *entries;	/* NULL: not read yet */
	uint32_t num_entries;
	uint32_t num_tree_ranges;	/* of the entries */
};

/* A row of the table of lines */
struct adbgd_row {
	uint64_t address;
	const char *file;	/* of one file, the same pointer in all rows */
	uint32_t line;
	uint32_t column;
	uint32_t flags;		/* ADBGD_LINE_* and ADBGD_ROW_* */
	uint32_t order;		/* among rows of one address */
};

#define ADBGD_ROW_END		(1U << 31)	/* no row covers this address */
#define ADBGD_ROW_EPILOGUE	(1U << 30)	/* the function's frame is taken down here */

struct adbgd_dwarf {
	struct adbgd_code *code;
	bool is_lost;			/* a call was given up in the middle, see dwarf_open.h */
	struct adbgd_dwarf *next_lost;
	Elf *elf;
	Dwarf *dwarf;
	struct adbgd_dwarf_lists lists;
	struct adbgd_unit *units;
	size_t num_units;
	struct adbgd_interval *ranges;
	size_t num_ranges, room_ranges;
	bool has_rows;
	struct adbgd_row *rows;		/* by address */
	size_t num_rows, room_rows;
	const char **files;		/* of the rows, by name */
	size_t num_files;
	void *types;			/* tree of those that were needed, see type.c */
	struct adbgd_type_node *all_types;
	void (*free_types)(struct adbgd_dwarf *dwarf);	/* NULL: none were */
	void *names;			/* tree of names that were put together, or cut */
	void *seen;			/* tree of expressions that were charged, see expr.c */
	struct adbgd_error no_types;	/* why no more types can be made; 0: they can */
	void *last_unit;		/* what was asked for last, and the answer */
	const char *last_file, *last_name;
};

/** adbgd_dwarf_units() - have the list of units read, which must be empty */
int adbgd_dwarf_units(struct adbgd_dwarf *dwarf, struct adbgd_error *error);

/**
 * adbgd_dwarf_bad() - fail because of what libdw has said last, about @what
 *
 * Return: -EBADMSG; -ENOMEM if libelf or libdw had no memory.
 */
int adbgd_dwarf_bad(struct adbgd_dwarf *dwarf, const char *what,
		    struct adbgd_error *error);

/** adbgd_dwarf_tree() - have the entries of a unit read */
int adbgd_dwarf_tree(struct adbgd_dwarf *dwarf, struct adbgd_unit *unit,
		     struct adbgd_error *error);

/** adbgd_dwarf_in() - do ranges have an address? */
bool adbgd_dwarf_in(const struct adbgd_dwarf *dwarf, uint32_t first, uint32_t num,
		    uint64_t address);

/** adbgd_dwarf_die() - the entry as libdw has it; NULL: it cannot be read */
Dwarf_Die *adbgd_dwarf_die(struct adbgd_dwarf *dwarf, Dwarf_Off offset, Dwarf_Die *die);

/** adbgd_dwarf_find() - the unit and number of an entry; NULL, or an error: there is none */
int adbgd_dwarf_find(struct adbgd_dwarf *dwarf, Dwarf_Off offset,
		     struct adbgd_unit **unit, uint32_t *number,
		     struct adbgd_error *error);

/** adbgd_dwarf_number() - an attribute that is a number, or @otherwise */
uint64_t adbgd_dwarf_number(Dwarf_Die *die, unsigned int attribute, uint64_t otherwise);

/**
 * adbgd_dwarf_name() - a name that is no longer than a path
 * @name: as libdw has it; NULL: none
 *
 * Return: @name, or one of PATH_MAX - 1 bytes that belongs to @dwarf.
 */
const char *adbgd_dwarf_name(struct adbgd_dwarf *dwarf, const char *name);

/** adbgd_dwarf_spend() - adbgd_spend() of the code object's budget */
int adbgd_dwarf_spend(struct adbgd_dwarf *dwarf, enum adbgd_cost cost, uint64_t num,
		      struct adbgd_error *error);

/**
 * adbgd_dwarf_file() - name of a source file with all its folders
 * @unit: the unit's entry
 * @file: as libdw has it; NULL: none
 *
 * Return: @file, or a name that belongs to @dwarf, cut as by adbgd_dwarf_name().
 */
const char *adbgd_dwarf_file(struct adbgd_dwarf *dwarf, Dwarf_Die *unit, const char *file);

/** adbgd_dwarf_file_of() - the file that an attribute has the number of; NULL: none */
const char *adbgd_dwarf_file_of(struct adbgd_dwarf *dwarf, Dwarf_Die *die,
				unsigned int attribute);

/** adbgd_dwarf_rows() - have the table of lines read */
int adbgd_dwarf_rows(struct adbgd_dwarf *dwarf, struct adbgd_error *error);

/** adbgd_dwarf_row() - the row that an address is in; NULL: none */
const struct adbgd_row *adbgd_dwarf_row(const struct adbgd_dwarf *dwarf,
					uint64_t address);

/** adbgd_dwarf_line() - the line that a row is of, with its addresses in memory */
void adbgd_dwarf_line(const struct adbgd_dwarf *dwarf, const struct adbgd_row *row,
		      struct adbgd_line *line);

#endif /* ADBGD_DWARF_INFO_H */
