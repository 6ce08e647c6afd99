/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floating-point exceptions that instructions raise: a wave gathers them
 * whether MODE enables them or not.
 */
#ifndef VGPU_ISA_EXCP_H
#define VGPU_ISA_EXCP_H

#include "isa/internal.h"

/* How one learns what an operation has raised. */
enum vgpu_excp_kind {
	VGPU_EXCP_CPU,		/* the CPU's flags are right */
	VGPU_EXCP_SOFT,		/* the same, but for what its sources are */
	VGPU_EXCP_NONE,		/* it raises nothing; the CPU does */
	VGPU_EXCP_SIGNALS,	/* only for what its sources are */
	VGPU_EXCP_COMPUTED,	/* by arithmetic of its own */
};

enum vgpu_excp_kind vgpu_excp_kind(enum vgpu_op op);

/* In place of the operation's handler, unless the kind is CPU. */
const struct vgpu_insn *vgpu_exec_excp(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i);

/*
 * Do its sources have to be 32-bit floats that are NaNs or denormals, for anything to be
 * raised, by the CPU as well? Their number, else 0.
 */
unsigned int vgpu_excp_quiet(enum vgpu_op op);

/* What was raised since the last call: bits of vgpu_wave.excp. */
u32 vgpu_excp_take(struct vgpu_isa_state *c);

#endif /* VGPU_ISA_EXCP_H */
