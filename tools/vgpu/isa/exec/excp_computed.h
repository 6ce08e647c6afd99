/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions that are found by computing an operation again.
 */
#ifndef VGPU_ISA_EXCP_COMPUTED_H
#define VGPU_ISA_EXCP_COMPUTED_H

#include "isa/internal.h"

/* Get the exceptions of @i in its active lanes, besides the signals of its sources. */
u32 vgpu_excp_computed(struct vgpu_isa_state *c, const struct vgpu_insn *i);

/* Get the exceptions of rounding @v to half precision; @v may be rounded to 53 bits. */
u32 vgpu_excp_to_f16(const struct vgpu_isa_state *c, double v);

#endif /* VGPU_ISA_EXCP_COMPUTED_H */
