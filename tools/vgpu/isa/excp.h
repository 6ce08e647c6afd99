/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floating-point exceptions of one instruction.
 */
#ifndef VGPU_ISA_EXCP_H
#define VGPU_ISA_EXCP_H

#include "internal.h"

/*
 * The TRAPSTS bits that the instruction at w->pc will raise with the present
 * register contents. Only asked for when MODE.EXCP_EN has any of them.
 */
u32 vgpu_fp_exceptions(struct vgpu_isa_state *c);

#endif /* VGPU_ISA_EXCP_H */
