/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is known before an instruction of a function: which registers and dwords of private memory
 * have values that registers had when the function was called.
 */
#ifndef ADBGD_SAVED_STATE_H
#define ADBGD_SAVED_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writes.h"

/* Register of the stack pointer, see "Call Convention" in AMDGPUUsage (LLVM 19) */
#define ADBGD_S_STACK		32
/* Register pair with the return address */
#define ADBGD_S_RETURN		30

/* Does a callee restore the VGPR by convention? */
static inline bool adbgd_keeps_vgpr(uint32_t number)
{
	return number >= 40 && (number - 40) / 8 % 2 == 0;
}

/* Values in SGPRs that were saved in lanes of VGPRs or in memory, and whole VGPRs in memory */
#define ADBGD_MAX_SAVED_ITEMS	192

enum adbgd_known_kind {
	ADBGD_KNOWN_NOTHING,
	ADBGD_KNOWN_ENTRY,	/* @number plus what SGPR @reg had on entry */
	ADBGD_KNOWN_CONST,	/* @number */
	ADBGD_KNOWN_INVERTED,	/* all bits of EXEC on entry inverted; @reg: the half of EXEC */
	ADBGD_KNOWN_MASK,	/* bits that were set in EXEC on entry, or fewer; @reg: as above */
};

/** struct adbgd_known - what is known of a 32-bit value */
struct adbgd_known {
	uint8_t kind;		/* enum adbgd_known_kind */
	uint8_t reg;
	uint16_t unused;
	uint32_t number;
};

/* Lanes in which a VGPR has its value: those of EXEC on entry, and the others */
#define ADBGD_LANES_ON		(1U << 0)
#define ADBGD_LANES_OFF		(1U << 1)
#define ADBGD_LANES_ALL		(ADBGD_LANES_ON | ADBGD_LANES_OFF)

/** struct adbgd_known_vgpr - a VGPR that has what VGPR @reg had on entry */
struct adbgd_known_vgpr {
	uint8_t reg;
	uint8_t lanes;		/* ADBGD_LANES_*: where it has; 0: nothing is known */
};

/* An item for each lane of EXEC on entry */
#define ADBGD_EACH_LANE		0xff

/** struct adbgd_saved_item - a value that is not in an SGPR, or a VGPR that is in memory */
struct adbgd_saved_item {
	bool in_memory;		/* else in a VGPR */
	bool is_vgpr;		/* the value is @vgpr, in its lanes */
	uint8_t lane;		/* of the value of an SGPR; ADBGD_EACH_LANE */
	struct adbgd_known_vgpr vgpr;
	int32_t at;		/* VGPR; or bytes from the stack pointer on entry, of one lane */
	struct adbgd_known value;
};

struct adbgd_saved_state {
	struct adbgd_known s[ADBGD_NUM_S];
	struct adbgd_known_vgpr v[ADBGD_NUM_V];
	int8_t scc;		/* -1: not known */
	uint32_t num_items;
	struct adbgd_saved_item items[ADBGD_MAX_SAVED_ITEMS];
};

/** adbgd_saved_begin() - set the state at the entry of a function */
void adbgd_saved_begin(struct adbgd_saved_state *state);

/** adbgd_saved_join() - keep in @to only what also holds in @from; returns whether it changed */
bool adbgd_saved_join(struct adbgd_saved_state *to, const struct adbgd_saved_state *from);

/** adbgd_saved_forget_items() - forget values in a VGPR, or in a dword of memory */
void adbgd_saved_forget_items(struct adbgd_saved_state *state, bool in_memory, int32_t at);

/** adbgd_saved_add_item() - note a value; if there is no room, it is not known */
void adbgd_saved_add_item(struct adbgd_saved_state *state, const struct adbgd_saved_item *item);

/** adbgd_saved_exec() - get the lanes that instructions affect, ADBGD_LANES_*, at most */
uint32_t adbgd_saved_exec(const struct adbgd_saved_state *state, uint32_t lanes, bool *is_exact);

enum adbgd_saved_where {
	ADBGD_SAVED_IN_SGPR,
	ADBGD_SAVED_IN_LANE,	/* of a VGPR; ADBGD_EACH_LANE: each active one */
	ADBGD_SAVED_IN_VGPR,
	ADBGD_SAVED_IN_MEMORY,
};

/** struct adbgd_saved_place - where the value that a register had on entry is now */
struct adbgd_saved_place {
	enum adbgd_saved_where where;
	uint32_t number;	/* of the register */
	uint32_t lane;		/* of an SGPR's value in a VGPR or in memory */
	int32_t at;		/* bytes from the stack pointer on entry, of one lane */
	uint32_t plus;		/* what has been added to the value */
};

/**
 * adbgd_saved_sgpr() - find the value that an SGPR had on entry
 * @next: 0 for the first place; set to the number for the next one
 *
 * Return: false: there are no more places.
 */
bool adbgd_saved_sgpr(const struct adbgd_saved_state *state, uint32_t number, uint32_t *next,
		      struct adbgd_saved_place *place);

/**
 * adbgd_saved_vgpr() - find the value that a VGPR had on entry
 * @lanes: ADBGD_LANES_*, the lanes of it that are needed
 *
 * @next and the result are those of adbgd_saved_sgpr().
 */
bool adbgd_saved_vgpr(const struct adbgd_saved_state *state, uint32_t number, uint32_t lanes,
		      uint32_t *next, struct adbgd_saved_place *place);

/**
 * adbgd_saved_apply_gfx10_3() - change the state as an instruction does that is not a jump
 * @pc: its address
 * @num: its length in dwords
 */
void adbgd_saved_apply_gfx10_3(struct adbgd_saved_state *state, uint64_t pc,
			       const uint32_t *insn, size_t num, uint32_t lanes);

#endif /* ADBGD_SAVED_STATE_H */
