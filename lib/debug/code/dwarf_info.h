/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The debug information of a code object: its units, a tree of the entries in each, and source
 * lines. All addresses are those of the file.
 *
 * libdw reads the sections and decodes entries. The order of entries is determined once, here,
 * with a check of each step, because libdw never ends if entries refer backwards.
 */
#ifndef ADBGD_DWARF_INFO_H
#define ADBGD_DWARF_INFO_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

#include "budget.h"
#include "dwarf_list.h"
#include "internal.h"

/* Maximum nesting of entries. The other limits are in budget.c. */
#define ADBGD_DWARF_DEPTH_MAX	128

struct adbgd_code;

/* A range of addresses */
struct adbgd_interval {
	uint64_t low;
	uint64_t high;		/* end, not included */
};

/* An entry in the tree of a unit, followed by its children */
struct adbgd_entry {
	Dwarf_Off offset;
	uint32_t parent;	/* index of the parent; of the first entry: 0 */
	uint32_t end;		/* index of the first entry that is not below this one */
	uint32_t first_range;	/* for functions and blocks */
	uint32_t num_ranges;
	uint32_t tag;
};

/*
 * The entries of a unit that are in another file (-gsplit-dwarf); libdw has a Dwarf of its own for
 * them. Their offsets continue those of the code object, so that each entry has another one.
 */
struct adbgd_split {
	Dwarf *dwarf;		/* belongs to that of the code object */
	Dwarf_Off first;	/* added to offsets in @dwarf */
	struct adbgd_dwarf_sections sections;
	uint64_t ranges_base;	/* before DWARF 5: added to offsets in .debug_ranges */
};

struct adbgd_unit {
	Dwarf_Die die;		/* the entries are below this one */
	Dwarf_Die lines;	/* has the line table, directory and ranges: @die, or a skeleton */
	Dwarf_Off offset;	/* of @die */
	uint32_t first_range;
	uint32_t num_ranges;
	struct adbgd_entry *entries;	/* NULL: not read yet */
	uint32_t num_entries;
	uint32_t num_tree_ranges;	/* number of ranges of the entries */
};

/* A row of the line table */
struct adbgd_row {
	uint64_t address;
	const char *file;	/* rows of the same file have the same pointer */
	uint32_t line;
	uint32_t column;
	uint32_t flags;		/* ADBGD_LINE_* and ADBGD_ROW_* */
	uint32_t order;		/* order among rows with the same address */
};

#define ADBGD_ROW_END		(1U << 31)	/* no row covers this address */
#define ADBGD_ROW_EPILOGUE	(1U << 30)	/* the function's frame is released here */

/* Sections of names that are changed for a moment: .debug_str and .debug_line_str, see split.c */
#define ADBGD_DWARF_STRINGS	2

struct adbgd_split_work;

struct adbgd_dwarf {
	struct adbgd_code *code;
	bool is_lost;			/* a call was abandoned, see dwarf_open.h */
	struct adbgd_dwarf *next_lost;
	uint8_t *unpacked;		/* see unpack.h; NULL: the file itself is read */
	Elf *elf;
	Dwarf *dwarf;
	struct adbgd_dwarf_sections sections;
	Dwarf_OOM out_of_memory;
	struct adbgd_split **splits;	/* sorted by offset */
	size_t num_splits, room_splits;
	void *split_tree;		/* the same, sorted by Dwarf */
	char *strings[ADBGD_DWARF_STRINGS];	/* copies of those sections; NULL: not needed */
	struct adbgd_split_work *split_work;	/* while units are read */
	void (*free_splits)(struct adbgd_dwarf *dwarf);	/* frees @split_work; NULL: there is none */
	struct adbgd_unit *units;	/* sorted by offset */
	size_t num_units;
	struct adbgd_interval *ranges;
	size_t num_ranges, room_ranges;
	bool has_rows;
	struct adbgd_row *rows;		/* sorted by address */
	size_t num_rows, room_rows;
	const char **files;		/* files of the rows, sorted by name */
	size_t num_files;
	void *types;			/* tree of types that were needed, see type.c */
	struct adbgd_type_node *all_types;
	void *found_types;		/* tree of types that were found by name, see type_find.c */
	void (*free_types)(struct adbgd_dwarf *dwarf);	/* NULL: there are no types */
	void *names;			/* tree of names that were composed or truncated */
	void *seen;			/* tree of expressions that were charged, see expr.c */
	struct adbgd_error no_types;	/* why no more types can be made; error 0: they can */
	void *last_unit;		/* unit, file and result of the last adbgd_dwarf_file() */
	const char *last_file, *last_name;
};

/** adbgd_dwarf_sections() - get the sections that are checked, as libdw sees them: decompressed */
struct adbgd_dwarf_sections adbgd_dwarf_sections(Elf *elf);

/**
 * adbgd_dwarf_replace() - have libdw see another content of a section
 * @content: has at least the bytes that the section has
 */
void adbgd_dwarf_replace(const struct adbgd_dwarf *dwarf, const char *name, void *content);

/**
 * adbgd_dwarf_bad() - fail because of the last error of libdw, concerning @what
 *
 * Return: -EBADMSG; -ENOMEM if libelf or libdw had no memory.
 */
int adbgd_dwarf_bad(struct adbgd_dwarf *dwarf, const char *what,
		    struct adbgd_error *error);

/** adbgd_dwarf_tree() - read the entries of a unit, if they were not read yet */
int adbgd_dwarf_tree(struct adbgd_dwarf *dwarf, struct adbgd_unit *unit,
		     struct adbgd_error *error);

/** adbgd_dwarf_in() - test whether one of @num ranges contains an address */
bool adbgd_dwarf_in(const struct adbgd_dwarf *dwarf, uint32_t first, uint32_t num,
		    uint64_t address);

/**
 * adbgd_dwarf_ranges() - add the ranges of an entry
 * @first, @num: set to where they are in the list of ranges
 *
 * Ranges without code, because the linker has removed it, are left out.
 */
int adbgd_dwarf_ranges(struct adbgd_dwarf *dwarf, Dwarf_Die *die, uint32_t *first, uint32_t *num,
		       struct adbgd_error *error);

/** adbgd_split_by_dwarf() - compare two of &struct adbgd_split by @dwarf, for tsearch() */
int adbgd_split_by_dwarf(const void *a, const void *b);

/** adbgd_dwarf_offset() - get the offset of an entry, which is its own also among split units */
Dwarf_Off adbgd_dwarf_offset(const struct adbgd_dwarf *dwarf, Dwarf_Die *die);

/** adbgd_dwarf_die() - get the entry at an offset from libdw; NULL: it cannot be read */
Dwarf_Die *adbgd_dwarf_die(struct adbgd_dwarf *dwarf, Dwarf_Off offset, Dwarf_Die *die);

/**
 * adbgd_dwarf_find() - find the unit and the index of the entry at an offset
 *
 * Return: 0; -ENOENT there is none; -errno.
 */
int adbgd_dwarf_find(struct adbgd_dwarf *dwarf, Dwarf_Off offset,
		     struct adbgd_unit **unit, uint32_t *number,
		     struct adbgd_error *error);

/**
 * adbgd_dwarf_check_list() - check a list before libdw reads it, see adbgd_dwarf_list_check()
 * @attr: an attribute, which need not refer to a list
 * @has_locations: false: the list has address ranges
 */
int adbgd_dwarf_check_list(struct adbgd_dwarf *dwarf, Dwarf_Attribute *attr, bool has_locations,
			   struct adbgd_error *error);

/** adbgd_dwarf_number() - get an attribute that is a number; @otherwise: there is none */
uint64_t adbgd_dwarf_number(Dwarf_Die *die, unsigned int attribute, uint64_t otherwise);

/**
 * adbgd_dwarf_name() - truncate a name to the length of a path
 * @name: a name of libdw; NULL: none
 *
 * Return: @name, or its first PATH_MAX - 1 bytes, which belong to @dwarf.
 */
const char *adbgd_dwarf_name(struct adbgd_dwarf *dwarf, const char *name);

/** adbgd_dwarf_spend() - call adbgd_spend() with the code object's budget */
int adbgd_dwarf_spend(struct adbgd_dwarf *dwarf, enum adbgd_cost cost, uint64_t num,
		      struct adbgd_error *error);

/**
 * adbgd_dwarf_file() - get the name of a source file with all its directories
 * @unit: entry of the unit
 * @file: the name in libdw; NULL: none
 *
 * Return: @file, or a name that belongs to @dwarf, truncated as by adbgd_dwarf_name().
 */
const char *adbgd_dwarf_file(struct adbgd_dwarf *dwarf, Dwarf_Die *unit, const char *file);

/** adbgd_dwarf_file_of() - get the file whose number is in an attribute; NULL: none */
const char *adbgd_dwarf_file_of(struct adbgd_dwarf *dwarf, Dwarf_Die *die,
				unsigned int attribute);

/** adbgd_dwarf_rows() - read the line table, if it was not read yet */
int adbgd_dwarf_rows(struct adbgd_dwarf *dwarf, struct adbgd_error *error);

/** adbgd_dwarf_get_rows() - get the debug information of a code object with its line table */
int adbgd_dwarf_get_rows(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
			 struct adbgd_error *error);

/** adbgd_dwarf_row() - find the row that covers an address; NULL: none */
const struct adbgd_row *adbgd_dwarf_row(const struct adbgd_dwarf *dwarf,
					uint64_t address);

/**
 * adbgd_dwarf_row_at() - find the row that covers an address in memory
 *
 * Return: 0; -ENOENT with a message: there is none.
 */
int adbgd_dwarf_row_at(const struct adbgd_dwarf *dwarf, uint64_t address,
		       const struct adbgd_row **row, struct adbgd_error *error);

/** adbgd_dwarf_line() - get the source line of a row, with its addresses in memory */
void adbgd_dwarf_line(const struct adbgd_dwarf *dwarf, const struct adbgd_row *row,
		      struct adbgd_line *line);

#endif /* ADBGD_DWARF_INFO_H */
