// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A handler that goes on to the next instruction, around one that does not: see README.md.
 */
#include "isa/internal.h"

const struct vgpu_insn *vgpu_exec_one(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i, s32 left)
{
	c->left = left;
	i = i->one(c, i);
	/* None is left when it was the last one for now. */
	return vgpu_goto(c, i, c->left);
}
