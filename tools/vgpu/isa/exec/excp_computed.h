/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions that are found out by doing the arithmetic once more.
 */
#ifndef VGPU_ISA_EXCP_COMPUTED_H
#define VGPU_ISA_EXCP_COMPUTED_H

#include "isa/internal.h"

/* What @i raises in its active lanes, on top of what its sources signal. */
u32 vgpu_excp_computed(struct vgpu_isa_state *c, const struct vgpu_insn *i);

/* Of rounding @v to half precision; @v may have been rounded to 53 bits. */
u32 vgpu_excp_to_f16(const struct vgpu_isa_state *c, double v);

#endif /* VGPU_ISA_EXCP_COMPUTED_H */
