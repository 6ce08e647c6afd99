// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * VGPRs that a wave does not have. VGPR0 is read instead of such a source, and an instruction
 * with such a destination does nothing: it does not write other destinations or memory
 * either ("RDNA 3" ISA, AMD 2023, 3.3.2.2; "MI200" ISA, AMD 2022, 3.6.1). This is checked
 * when an instruction is decoded, because a page is used only by waves with the same number
 * of VGPRs. Registers that M0 selects are checked in exec_lane.c.
 */
#include "isa/internal.h"
#include "regs/quirks.h"

#include <string.h>

bool vgpu_beyond(const struct vgpu_isa_state *c, unsigned int first,
		 unsigned int num)
{
	return num && first + num > vgpu_wave_vgprs(c->w) &&
	       vgpu_quirk(c->g, VGPU_QUIRK_VGPR_OUT_OF_RANGE);
}

const struct vgpu_insn *vgpu_exec_nothing(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	(void)c;
	return vgpu_next(i);
}

/*
 * The address and the data of a memory instruction are groups of registers; each one
 * that the wave does not have is replaced by VGPR0. The wave cannot see the registers
 * beyond its own, so they hold a copy of VGPR0 during the instruction.
 */
const struct vgpu_insn *vgpu_exec_beyond(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i)
{
	u32 (*v)[VGPU_LANES] = c->w->v, saved[VGPU_NUM_VGPRS][VGPU_LANES];
	unsigned int first = vgpu_wave_vgprs(c->w), n;
	const struct vgpu_insn *next;

	memcpy(saved[first], v[first], (VGPU_NUM_VGPRS - first) * sizeof(*v));
	for (n = first; n < VGPU_NUM_VGPRS; n++)
		memcpy(v[n], v[0], sizeof(*v));
	next = vgpu_detail(c, i)->prepared(c, i);
	memcpy(v[first], saved[first], (VGPU_NUM_VGPRS - first) * sizeof(*v));
	return next;
}
