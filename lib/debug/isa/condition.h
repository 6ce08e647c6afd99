/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A condition for a wave that enters its trap handler, as the handler evaluates it.
 */
#ifndef ADBGD_ISA_CONDITION_H
#define ADBGD_ISA_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg-debug.h>

/*
 * Numbers of SGPRs, and gfx10's operands for other registers (RDNA 2 ISA, "Scalar operands"). SCC
 * is that of the program: the handler has saved it.
 */
#define ADBGD_OPERAND_AFTER_SGPRS	108	/* with VCC */
#define ADBGD_OPERAND_M0		124
#define ADBGD_OPERAND_EXEC_LO		126
#define ADBGD_OPERAND_SCC		253

/**
 * struct adbgd_handler_compare - a comparison, see struct adbgd_handler_condition
 */
struct adbgd_handler_compare {
	enum adbgd_relation relation;
	bool is_vector;
	uint32_t reg;
	uint32_t value;
};

/**
 * struct adbgd_handler_condition - a wave stops if all of the following is true
 * @pcs: the next instruction has one of these addresses; PC[63:32] is the same in all of them
 * @num_pcs: 0: any address
 * @wave: slot of the wave; NULL: any
 * @group: x, y and z of its work-group; NULL: any
 * @lanes: one of these lanes is active, and matches @relation; 0: any active lane
 * @relation: compare a register with @value
 * @is_vector: the register is a VGPR; one matching lane suffices
 * @reg: its number; for SGPRs also the gfx10 operand of VCC, M0, EXEC or SCC
 * @value: what the register is compared with
 * @more: further comparisons, up to the first one without a relation; those of VGPRs have to match
 *	in one lane
 * @counter: hit counter that counts if all else is true, and then decides; 0: none
 * @patch: distance from the handler's TRAP_DISPLACED_FROM to the displaced instruction, at a
 *	higher address, of the patch at the only address in @pcs; 0: there is no patch. A wave
 *	that does not stop executes it, whether the rest is true or not. The condition is then
 *	only about the patch's s_trap, and not about a step or a trap by the host at that address.
 * @elsewhere: the address has no patch of a condition before this one
 * @step: a wave in debug mode has executed a step
 * @no_step: the trap is not such a step
 * @insns: the next instruction in memory matches one of these patterns; implies @step
 * @num_insns: 0: any instruction
 * @stepped_tag: value of TTMP13 in a wave that stops for the step; 0: none
 */
struct adbgd_handler_condition {
	const uint64_t *pcs;
	size_t num_pcs;
	const struct amdgpudbg_wave_coord *wave;
	const uint32_t *group;
	uint64_t lanes;
	enum adbgd_relation relation;
	bool is_vector;
	uint32_t reg;
	uint32_t value;
	struct adbgd_handler_compare more[ADBGD_MAX_MORE];
	uint32_t counter;
	uint32_t patch;
	bool elsewhere;
	bool step, no_step;
	const struct adbgd_insn_match *insns;
	size_t num_insns;
	uint32_t stepped_tag;
};

#endif /* ADBGD_ISA_CONDITION_H */
