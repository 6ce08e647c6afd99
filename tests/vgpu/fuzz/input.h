/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of the fuzzer's inputs: records that consist of a header and some dwords. Any bytes
 * are a valid input; an incomplete record at the end is ignored.
 */
#ifndef TESTS_VGPU_FUZZ_INPUT_H
#define TESTS_VGPU_FUZZ_INPUT_H

#include "types.h"

/* RECORD(name, what it does with its argument and its dwords) */
#define RECORDS(RECORD) \
	RECORD(WORK)		/* so many turns of the main loop */ \
	RECORD(REG_WRITE)	/* a role: index behind it, value */ \
	RECORD(REG_READ)	/* the same, without a value */ \
	RECORD(DWORD_WRITE)	/* any register: number, value */ \
	RECORD(DOORBELL)	/* which; value */ \
	RECORD(POKE)		/* memory of the GPU: offset, dwords */ \
	RECORD(PM4)		/* a queue: dwords for its ring */ \
	RECORD(IB)		/* a queue, a VMID: dwords of an indirect buffer */ \
	RECORD(SDMA)		/* dwords for its ring */ \
	RECORD(SDMA_IB)		/* a VMID: dwords of an indirect buffer */ \
	RECORD(CODE)		/* how: a program, which is dispatched */ \
	RECORD(HANDLER)		/* a program: the trap handler */ \
	RECORD(MESSAGE)		/* command and file: payload of a vfio-user message */ \
	RECORD(BYTES)		/* bytes for the vfio-user socket */ \
	RECORD(CONTROL)		/* bytes for the control socket */ \
	RECORD(QUIRK)		/* which; value */

enum record_op {
#define RECORD_ENUM(name) OP_##name,
	RECORDS(RECORD_ENUM)
#undef RECORD_ENUM
	NUM_OPS,
};

#define MAX_DWORDS 255

struct record {
	u8 op;		/* modulo NUM_OPS */
	u8 num;		/* dwords */
	u16 arg;
	u32 dwords[];
};

/* Room for any */
#define RECORD_DWORDS (1 + MAX_DWORDS)

/* Where things are that a VMID of waves sees; machine.c maps it. */
#define FUZZ_VA		0x100000000ULL
#define FUZZ_VA_PAGES	32
#define FUZZ_CODE	0x0000		/* programs */
#define FUZZ_HANDLER	0x2000
#define FUZZ_IB		0x4000
#define FUZZ_SDMA_IB	0x6000
#define FUZZ_DATA	0x8000
/* The VMIDs that have it */
#define FUZZ_VMIDS	3
/* Memory of the guest, by bus address */
#define FUZZ_BUS	0x200000
#define FUZZ_BUS_SIZE	0x20000
/* Doorbells, in dwords */
#define FUZZ_DOORBELL_KIQ	0x10
#define FUZZ_DOORBELL_COMPUTE	0x20
#define FUZZ_DOORBELL_GFX	0x30
#define FUZZ_DOORBELL_SDMA	0x40

#endif /* TESTS_VGPU_FUZZ_INPUT_H */
