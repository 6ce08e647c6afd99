// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A threaded handler around a plain one: it executes the plain handler's instruction and
 * then calls the handler of the next one. See "How it runs" in README.md.
 */
#include "isa/internal.h"

const struct vgpu_insn *vgpu_exec_one(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i, s32 left)
{
	c->left = left;
	i = i->one(c, i);
	/* The plain handler may have set c->left to end the run. */
	return vgpu_goto(c, i, c->left);
}
