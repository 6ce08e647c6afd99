/* SPDX-License-Identifier: MIT */
/*
 * The memory of the trap handlers of this folder (TMA): one definition for the
 * assembly, the library and the tests.
 *
 * A header, then one mailbox for each wave slot of the GPU. Every number is a
 * little-endian dword, every offset counts bytes.
 */
#ifndef TRAP_ABI_H
#define TRAP_ABI_H

#define TRAP_ABI_VERSION	1

/* The header, written before the handler is set. */
#define TRAP_HDR_VERSION	0	/* TRAP_ABI_VERSION */
#define TRAP_HDR_NUM_BOXES	4	/* waves beyond have no mailbox */
#define TRAP_HDR_SIZE		64

/*
 * A mailbox: what the handler found when the wave entered it for the last time.
 * Written by the GPU alone, TRAP_BOX_COUNT after everything else.
 */
#define TRAP_BOX_COUNT		0	/* how often waves of this slot stopped */
#define TRAP_BOX_TTMP0		4	/* PC[31:0] */
#define TRAP_BOX_TTMP1		8	/* PC[47:32], TrapID, HT, PCRewind */
#define TRAP_BOX_STATUS		12
#define TRAP_BOX_TRAPSTS	16
#define TRAP_BOX_MODE		20
#define TRAP_BOX_M0		24
#define TRAP_BOX_EXEC_LO	28
#define TRAP_BOX_EXEC_HI	32
#define TRAP_BOX_HW_ID1		36
#define TRAP_BOX_HW_ID2		40
#define TRAP_BOX_SIZE		64
#define TRAP_BOX_SHIFT		6	/* log2(TRAP_BOX_SIZE) */

/*
 * Which mailbox: fields of SQ_WAVE_HW_ID1, put together. It is also what the
 * handler sends with its interrupt (M0).
 */
#define TRAP_INDEX_WAVE_BITS	5
#define TRAP_INDEX_SIMD_SHIFT	5
#define TRAP_INDEX_SIMD_BITS	2
#define TRAP_INDEX_WGP_SHIFT	7
#define TRAP_INDEX_WGP_BITS	4
#define TRAP_INDEX_SA_SHIFT	11
#define TRAP_INDEX_SA_BITS	1
#define TRAP_INDEX_SE_SHIFT	12
#define TRAP_INDEX_SE_BITS	2
#define TRAP_INDEX_NUM		16384

/* TTMP1 of gfx10 */
#define TRAP_TTMP1_PC_HI	0x0000ffff
#define TRAP_TTMP1_ID_SHIFT	16
#define TRAP_TTMP1_ID_BITS	8
#define TRAP_TTMP1_HT_BIT	24
/* Not of the hardware: the wave did not stop, or was resumed since. */
#define TRAP_TTMP1_GONE_ON_BIT	31

/*
 * TTMP13 of a wave that has stopped for an exception is its PC with this bit, so
 * that it is known when it is resumed. Who clears TRAPSTS before it resumes the
 * wave should clear TTMP13, too.
 */
#define TRAP_TTMP13_STOPPED	1

#endif /* TRAP_ABI_H */
