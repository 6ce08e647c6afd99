/* SPDX-License-Identifier: MIT */
/*
 * The memory of this folder's trap handlers (TMA), and properties of their code: one
 * definition for the assembly, the libraries and the tests.
 *
 * The memory consists of a header, one mailbox for each wave slot of the GPU, and the hit
 * counters that the condition program uses, if any. Every number is a little-endian dword,
 * every offset is in bytes.
 */
#ifndef TRAP_ABI_H
#define TRAP_ABI_H

#define TRAP_ABI_VERSION	6

/*
 * The header, which is written before the handler is set, has the size of each level of
 * the topology. The handler loads the last four at once.
 */
#define TRAP_HDR_VERSION	0	/* TRAP_ABI_VERSION */
#define TRAP_HDR_NUM_MAILBOXES	4	/* waves with a larger number have no mailbox */
#define TRAP_HDR_NUM_SA		16	/* shader arrays in an engine */
#define TRAP_HDR_NUM_WGP	20	/* WGPs in an array */
#define TRAP_HDR_NUM_SIMD	24	/* SIMDs in a WGP */
#define TRAP_HDR_NUM_WAVE	28	/* slots in a SIMD */

/*
 * The command buffer: a command is an operation that only a wave's own handler can execute.
 * The host writes it while no command is in progress, OP last, and then traps the halted
 * wave with the id TRAP_ID_COMMAND. The wave executes the command if MAILBOX is the number
 * of its own mailbox, writes OP to DONE, and is halted where it was. It sends no interrupt
 * and does not write its mailbox.
 */
#define TRAP_HDR_OP		32	/* TRAP_OP_*; 0: no command, the trap is an ordinary one */
#define TRAP_HDR_MAILBOX	36	/* the number of the wave's mailbox */
#define TRAP_HDR_COUNT		40	/* dwords, at least one, unless OP gives it another meaning */
#define TRAP_HDR_LDS		44	/* address of the first dword in LDS */
#define TRAP_HDR_FROM_LDS	48	/* offset of the first dword in the memory, minus LDS */
#define TRAP_HDR_DONE		52	/* OP of the last command, written by the GPU */

#define TRAP_OP_LDS_READ	1	/* copy from LDS to the memory */
#define TRAP_OP_LDS_WRITE	2	/* copy from the memory to LDS */
#define TRAP_OP_COND_DBG	3	/* COUNT [0] to STATUS.COND_DBG_USER, [1] to COND_DBG_SYS */
#define TRAP_OP_VGPR_READ	4	/* copy VGPRs to the memory: see below */
#define TRAP_ID_COMMAND		15

/*
 * TRAP_OP_VGPR_READ writes the first COUNT VGPRs, COUNT dwords for each lane, one lane
 * after the other, at the offset FROM_LDS. COUNT is a multiple of 4, up to 256. It is for
 * callers that need many VGPRs at once: with SQ_IND, each register of each lane is a
 * separate access.
 */

/*
 * The end of the header is for a trace: after each instruction of a wave in debug mode whose
 * TTMP13 is equal to TRACE, the handler writes a record at AT, and the wave continues; the
 * condition program is not executed. The wave stops as any wave in debug mode when LEFT is
 * 0, before an instruction that may end debug mode (it writes MODE), before one where the
 * wave may wait (s_barrier, s_sethalt), and before one whose first dword is STOP_AT. Other
 * causes of traps are handled as usual, and may stop the wave.
 *
 * With s_trap TRAP_ID_BREAK as STOP_AT, the wave executes no patch, so that the condition
 * program is not executed for it there either, and counts no hit.
 *
 * The host writes these members while no wave has this value in TTMP13. Then the GPU writes
 * AT, and after that LEFT: a record is complete when LEFT has been decremented for it.
 */
#define TRAP_HDR_TRACE		64	/* TRAP_TTMP13_TRACED and higher bits, new for each trace */
#define TRAP_HDR_TRACE_LEFT	68	/* number of records for which there is room */
#define TRAP_HDR_TRACE_AT_LO	72	/* address of the next record, a multiple of 4 */
#define TRAP_HDR_TRACE_AT_HI	76
#define TRAP_HDR_TRACE_SIZE	80	/* bytes from one record to the next */
#define TRAP_HDR_TRACE_VGPRS	84	/* number of VGPRs of the wave: a multiple of 4, up to 256 */
#define TRAP_HDR_TRACE_STOP_AT	88	/* first dword of one; 0: none */
#define TRAP_HDR_SIZE		128

/*
 * A record of a trace: the registers of the wave, and the VGPRs of each lane, one lane
 * after the other
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
 * A mailbox: the state of the wave when it last entered the handler and stopped. Only the
 * GPU writes it, TRAP_MAILBOX_COUNT after everything else.
 */
#define TRAP_MAILBOX_COUNT	0	/* number of stops of waves in this slot */
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
 * Mailboxes are numbered by slot, then SIMD, WGP, shader array and engine. The handler also
 * sends the number with its interrupt (M0), or this number if the wave has no mailbox.
 */
#define TRAP_NO_MAILBOX		0x7fffff

/*
 * The condition program: space in the handler's code for instructions that decide whether
 * the wave stops. As assembled, every wave stops. The program is executed for s_trap, the
 * host's traps and steps; an exception always stops the wave.
 *
 * On entry, TTMP0 and TTMP1 have the values that the trap has set, TTMP2 is STATUS with the
 * SCC of the interrupted code, and operations may be outstanding. The program may change
 * SCC, TTMP3 to TTMP7, TTMP12, TTMP14 and TTMP15, and nothing else. It ends at the end of its
 * space. The result is in these registers:
 *
 *   SCC	1: stop the wave
 *   TTMP3	if SCC is 1: the offset of the hit counter that counts this hit; 0, its
 *		value on entry: none
 *   TTMP12	if the trap is the s_trap of a patch, whether the wave stops or not: the
 *		distance from the handler's TRAP_DISPLACED_FROM to the displaced instruction
 *		(see below); else 0, its value on entry
 *   TTMP13	at a step, a number for the debugger that reads the stopped wave, without
 *		the bits TRAP_TTMP13_RESERVED; its value on entry is 0
 */
#define TRAP_CONDITION		0x90	/* from the handler's start */
#define TRAP_CONDITION_DWORDS	256
#define TRAP_DISPLACED_FROM	(TRAP_CONDITION + 4 * TRAP_CONDITION_DWORDS + 16)

/*
 * The handler's code from here on is executed only by waves that stop, or execute a command.
 * A wave whose PC is before it will continue, or has not reported its stop yet.
 */
#define TRAP_STOP		0x1140

/*
 * A hit counter, which the host writes before a condition program uses it; the GPU changes
 * only HITS. LIMIT and STOPS_AT stay in the scalar cache after the handler has loaded them,
 * so each counter has its own cache line.
 */
#define TRAP_COUNTER_HITS	0	/* number of hits, from 0 to LIMIT; then 0 again */
#define TRAP_COUNTER_LIMIT	4
#define TRAP_COUNTER_STOPS_AT	8	/* the wave stops if HITS had this value before its hit */
#define TRAP_COUNTER_SIZE	64

/* s_trap's id for breakpoints: TRAP_ID_DEBUGGER of AMD's GPU debug SDK */
#define TRAP_ID_BREAK		7

/*
 * A wave that reaches a patch and does not stop there executes the displaced instruction out
 * of line, and then a return trap: an s_trap with this id, a word that distinguishes it from
 * an s_trap of the program, and the address to return to. Every handler of this folder
 * executes return traps, so that a displaced instruction stays usable when the debugger
 * dies.
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
/* Set by the handler or the module, not the hardware: the wave did not stop, or was resumed. */
#define TRAP_TTMP1_RESUMED_BIT	31

/*
 * TTMP13 of a wave that has stopped for an exception is PC[31:0] with this bit, so that the
 * handler recognises the wave when it traps again after it was resumed. A debugger that
 * clears TRAPSTS before it resumes the wave should clear TTMP13, too.
 */
#define TRAP_TTMP13_STOPPED	1

/* TTMP13 of a wave that is traced has this bit, and not the one above. */
#define TRAP_TTMP13_TRACED_BIT	1
#define TRAP_TTMP13_TRACED	(1 << TRAP_TTMP13_TRACED_BIT)

/* If any of these bits is set, TTMP13 is not a number of the condition program. */
#define TRAP_TTMP13_RESERVED	(TRAP_TTMP13_STOPPED | TRAP_TTMP13_TRACED)

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Fill in a header of TRAP_HDR_SIZE bytes for a GPU; every slot has a mailbox. */
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
