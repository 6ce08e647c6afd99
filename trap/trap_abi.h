/* SPDX-License-Identifier: MIT */
/*
 * The memory of the trap handlers of this folder (TMA), and the properties of their
 * code that others need: one definition for the assembly, the libraries and the tests.
 *
 * The memory is a header, then one mailbox for each wave slot of the GPU, and then, if
 * the condition program uses some, hit counters. Every number is a little-endian dword,
 * every offset counts bytes.
 */
#ifndef TRAP_ABI_H
#define TRAP_ABI_H

#define TRAP_ABI_VERSION	6

/*
 * The header, written before the handler is set: the size of each level of the
 * topology. The last four are read at once.
 */
#define TRAP_HDR_VERSION	0	/* TRAP_ABI_VERSION */
#define TRAP_HDR_NUM_MAILBOXES	4	/* waves beyond it have no mailbox */
#define TRAP_HDR_NUM_SA		16	/* shader arrays in an engine */
#define TRAP_HDR_NUM_WGP	20	/* WGPs in an array */
#define TRAP_HDR_NUM_SIMD	24	/* SIMDs in a WGP */
#define TRAP_HDR_NUM_WAVE	28	/* slots in a SIMD */

/*
 * Then there is a command: an operation that is not possible from outside, done by a
 * wave's own handler. The host writes it while none is in progress, OP last; then it
 * traps the wave, which is halted, with the id TRAP_ID_COMMAND. The wave executes the
 * command if BOX is its own mailbox, writes OP to DONE, and is halted where it was. It
 * sends no interrupt, and writes no mailbox for it.
 */
#define TRAP_HDR_OP		32	/* TRAP_OP_*; 0: there is none, and the trap is an ordinary one */
#define TRAP_HDR_MAILBOX	36	/* the number of a mailbox */
#define TRAP_HDR_COUNT		40	/* dwords, at least one, unless OP gives it another meaning */
#define TRAP_HDR_LDS		44	/* address of the first dword in LDS */
#define TRAP_HDR_FROM_LDS	48	/* offset of the first in the memory, minus LDS */
#define TRAP_HDR_DONE		52	/* written by the GPU */

#define TRAP_OP_LDS_READ	1	/* from LDS into the memory */
#define TRAP_OP_LDS_WRITE	2
#define TRAP_OP_COND_DBG	3	/* COUNT to STATUS.COND_DBG_USER and, the next bit, _SYS */
#define TRAP_OP_VGPR_READ	4	/* the first COUNT VGPRs of each lane, lane after lane: see below */
#define TRAP_ID_COMMAND		15

/*
 * TRAP_OP_VGPR_READ writes a multiple of 4 VGPRs, up to 256, at the offset FROM_LDS:
 * COUNT dwords for each lane. It is for callers that need many at once: by SQ_IND each
 * register of each lane is an access of its own.
 */

/*
 * The end of the header is a trace: for a wave in debug mode whose TTMP13 is TRACE, the
 * handler writes a record at AT after each instruction, and the wave continues, no
 * matter what the condition program says. It stops as any wave in debug mode when LEFT
 * is 0, or before an instruction that may end debug mode, or where it may wait for
 * others: one that writes MODE, s_barrier, s_sethalt. Other causes of traps are not
 * part of it: the wave traps, and may stop for them.
 *
 * The host writes it while no wave has that TTMP13. Afterwards the GPU writes AT, and
 * then LEFT: a record is complete when LEFT shows it.
 */
#define TRAP_HDR_TRACE		64	/* TRAP_TTMP13_TRACED and bits above, unlike the last ones */
#define TRAP_HDR_TRACE_LEFT	68	/* records */
#define TRAP_HDR_TRACE_AT_LO	72	/* address of the next record, a multiple of 4 */
#define TRAP_HDR_TRACE_AT_HI	76
#define TRAP_HDR_TRACE_SIZE	80	/* distance of two records */
#define TRAP_HDR_TRACE_VGPRS	84	/* number of VGPRs of the wave: a multiple of 4, up to 256 */
#define TRAP_HDR_SIZE		128

/*
 * A record: the registers of the wave, and its VGPRS for each lane, one lane after the
 * other
 */
#define TRAP_RECORD_PC_LO	0
#define TRAP_RECORD_PC_HI	4	/* TTMP1: PC[47:32] and more */
#define TRAP_RECORD_STATUS	8
#define TRAP_RECORD_TRAPSTS	12
#define TRAP_RECORD_MODE	16	/* with DEBUG_EN */
#define TRAP_RECORD_M0		20
#define TRAP_RECORD_EXEC_LO	24
#define TRAP_RECORD_EXEC_HI	28
#define TRAP_RECORD_FLAT_SCRATCH_LO 32
#define TRAP_RECORD_FLAT_SCRATCH_HI 36
#define TRAP_RECORD_SGPRS	64	/* with VCC */
#define TRAP_RECORD_NUM_SGPRS	108
#define TRAP_RECORD_VGPRS	512

/*
 * A mailbox: the state that the handler found when the wave entered it for the last
 * time. Only the GPU writes it, TRAP_MAILBOX_COUNT after everything else.
 */
#define TRAP_MAILBOX_COUNT	0	/* how often waves of this slot stopped */
#define TRAP_MAILBOX_TTMP0	4	/* PC[31:0] */
#define TRAP_MAILBOX_TTMP1	8	/* PC[47:32], TrapID, HT, PCRewind */
#define TRAP_MAILBOX_STATUS	12
#define TRAP_MAILBOX_TRAPSTS	16
#define TRAP_MAILBOX_MODE	20
#define TRAP_MAILBOX_M0		24
#define TRAP_MAILBOX_EXEC_LO	28
#define TRAP_MAILBOX_EXEC_HI	32
#define TRAP_MAILBOX_HW_ID1	36
#define TRAP_MAILBOX_HW_ID2	40
#define TRAP_MAILBOX_SIZE	64
#define TRAP_MAILBOX_SHIFT	6	/* log2(TRAP_MAILBOX_SIZE) */

/*
 * The number of a slot's mailbox: it counts slots, then SIMDs, WGPs, arrays, engines.
 * The handler also sends it with its interrupt (M0), or that there is none.
 */
#define TRAP_NO_MAILBOX		0x7fffff

/*
 * The condition program: space in the handler's code for instructions that decide
 * whether the wave stops. As assembled, it always does. The program runs for s_trap,
 * the host's traps and steps; an exception always stops the wave.
 *
 * It is entered with TTMP0 and TTMP1 as the trap has set them, while operations may
 * still be in flight. It may use SCC and TTMP3 to TTMP7, TTMP12, TTMP14 and TTMP15,
 * nothing else, and continues behind the last dword of its space, with SCC: 1 stops the
 * wave. Then TTMP3 is the hit counter that counts this hit, an offset in the memory; 0,
 * its value on entry, is none. If the trap is the s_trap of a patch, TTMP12 is the
 * distance from the handler's TRAP_DISPLACED_FROM to the displaced instruction (see
 * below), whether the wave stops or not; otherwise it stays 0. At a step the program may
 * also set a number in TTMP13, which is 0 before, for the reader of a wave that has
 * stopped: without TRAP_TTMP13_RESERVED.
 */
#define TRAP_CONDITION		0x90	/* from the handler's start */
#define TRAP_CONDITION_DWORDS	256
#define TRAP_DISPLACED_FROM	(TRAP_CONDITION + 4 * TRAP_CONDITION_DWORDS + 16)

/*
 * Only a wave that stops is in the handler's code from here on: a wave before it will
 * continue, or has not reported its stop yet.
 */
#define TRAP_STOP		0x1140

/*
 * A hit counter, written before a condition program uses it; the GPU changes HITS
 * alone. LIMIT and STOPS_AT stay in the scalar cache once the handler has loaded them, so
 * each counter has a cache line of its own.
 */
#define TRAP_COUNTER_HITS	0	/* hits: 0 to LIMIT, and again from 0 */
#define TRAP_COUNTER_LIMIT	4
#define TRAP_COUNTER_STOPS_AT	8	/* the wave stops if HITS was this */
#define TRAP_COUNTER_SIZE	64

/* s_trap's id for breakpoints: TRAP_ID_DEBUGGER of AMD's GPU debug SDK */
#define TRAP_ID_BREAK		7

/*
 * A wave that reaches a patch and does not stop there executes the displaced
 * instruction out of line, and then a return trap: an s_trap with this id, a word that
 * distinguishes it from one of the program's, and the address to return to. Every
 * handler of this folder knows it, so that a displaced instruction stays usable when
 * the debugger dies.
 */
#define TRAP_ID_RETURN		255
#define TRAP_RETURN_TRAP	0
#define TRAP_RETURN_WORD	4	/* TRAP_RETURN_MAGIC */
#define TRAP_RETURN_PC_LO	8
#define TRAP_RETURN_PC_HI	12	/* PC[47:32] */
#define TRAP_RETURN_SIZE	16
#define TRAP_RETURN_MAGIC	0x6b636162

/* TTMP1 of gfx10 */
#define TRAP_TTMP1_PC_HI	0x0000ffff
#define TRAP_TTMP1_ID_SHIFT	16
#define TRAP_TTMP1_ID_BITS	8
#define TRAP_TTMP1_HT_BIT	24
/* Not set by the hardware: the wave did not stop, or was resumed since. */
#define TRAP_TTMP1_RESUMED_BIT	31

/*
 * TTMP13 of a wave that has stopped for an exception is its PC with this bit, so that
 * the handler recognises it when it is resumed. A debugger that clears TRAPSTS before
 * it resumes the wave should clear TTMP13, too.
 */
#define TRAP_TTMP13_STOPPED	1

/* TTMP13 of a wave that is traced has this bit, and not the one above. */
#define TRAP_TTMP13_TRACED_BIT	1
#define TRAP_TTMP13_TRACED	(1 << TRAP_TTMP13_TRACED_BIT)

/* These bits mean that TTMP13 is no number of the condition program. */
#define TRAP_TTMP13_RESERVED	(TRAP_TTMP13_STOPPED | TRAP_TTMP13_TRACED)

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Fill in a header of TRAP_HDR_SIZE for a GPU, every slot of which has a mailbox. */
static inline void trap_header(uint32_t *header, uint32_t num_se, uint32_t num_sa,
			       uint32_t num_wgp, uint32_t num_simd, uint32_t num_wave)
{
	for (uint32_t i = 0; i < TRAP_HDR_SIZE / 4; i++)
		header[i] = 0;
	header[TRAP_HDR_VERSION / 4] = TRAP_ABI_VERSION;
	header[TRAP_HDR_NUM_MAILBOXES / 4] = num_se * num_sa * num_wgp * num_simd * num_wave;
	header[TRAP_HDR_NUM_SA / 4] = num_sa;
	header[TRAP_HDR_NUM_WGP / 4] = num_wgp;
	header[TRAP_HDR_NUM_SIMD / 4] = num_simd;
	header[TRAP_HDR_NUM_WAVE / 4] = num_wave;
}

/* Get the number of a slot's mailbox from a header. */
static inline uint32_t trap_mailbox(const uint32_t *header, uint32_t se, uint32_t sa,
				    uint32_t wgp, uint32_t simd, uint32_t wave)
{
	uint32_t num_sa = header[TRAP_HDR_NUM_SA / 4];
	uint32_t num_wgp = header[TRAP_HDR_NUM_WGP / 4];
	uint32_t num_simd = header[TRAP_HDR_NUM_SIMD / 4];
	uint32_t num_wave = header[TRAP_HDR_NUM_WAVE / 4];
	uint32_t mailbox;

	if (sa >= num_sa || wgp >= num_wgp || simd >= num_simd ||
	    wave >= num_wave)
		return TRAP_NO_MAILBOX;
	mailbox = (((se * num_sa + sa) * num_wgp + wgp) * num_simd + simd) *
		  num_wave + wave;
	return mailbox < header[TRAP_HDR_NUM_MAILBOXES / 4] ? mailbox : TRAP_NO_MAILBOX;
}
#endif

#endif /* TRAP_ABI_H */
