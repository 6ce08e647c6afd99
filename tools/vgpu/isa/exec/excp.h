/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floating-point exceptions that instructions raise. A wave collects them, also those that
 * MODE does not enable.
 */
#ifndef VGPU_ISA_EXCP_H
#define VGPU_ISA_EXCP_H

#include "isa/internal.h"

/* How the exceptions of an operation are found. */
enum vgpu_excp_kind {
	VGPU_EXCP_CPU,		/* the CPU's flags are right */
	VGPU_EXCP_SOFT,		/* the CPU's flags, and signals of its sources */
	VGPU_EXCP_NONE,		/* it raises none, although its handler may on the CPU */
	VGPU_EXCP_SIGNALS,	/* signals of its sources: signalling NaNs, denormals */
	VGPU_EXCP_COMPUTED,	/* the same, and vgpu_excp_computed() */
};

enum vgpu_excp_kind vgpu_excp_kind(enum vgpu_op op);

/* Wrapper of an operation's handler, for all kinds but CPU. */
const struct vgpu_insn *vgpu_exec_excp(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i);

/*
 * Get the number of sources, if all are floats of 32 bits, and if neither the operation nor
 * the CPU raises an exception unless one of them is a NaN or a denormal; else 0.
 */
unsigned int vgpu_excp_quiet(enum vgpu_op op);

/* Get and clear the exceptions raised since the last call: bits of vgpu_wave.excp. */
u32 vgpu_excp_take(struct vgpu_isa_state *c);

#endif /* VGPU_ISA_EXCP_H */
