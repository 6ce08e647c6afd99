/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache between the graphics core and VRAM, as far as the host can tell that there
 * is one: see the quirk gl2-write-back.
 */
#ifndef VGPU_GL2_H
#define VGPU_GL2_H

#include "types.h"

struct vgpu;
struct vgpu_gl2;

int vgpu_gl2_init(struct vgpu *g);
void vgpu_gl2_fini(struct vgpu *g);

/*
 * What the graphics core has of a page of VRAM, which is that page unless the quirk says
 * otherwise; good until vgpu_gl2_write_back() or vgpu_gl2_drop().
 */
u8 *vgpu_gl2_page(struct vgpu *g, u8 *page);
/*
 * Write what was changed to VRAM, byte by byte, and keep nothing. Returns true if there
 * was anything: pointers from before are not good any more.
 */
bool vgpu_gl2_write_back(struct vgpu *g);
/* Keep nothing, and write nothing. */
void vgpu_gl2_drop(struct vgpu *g);

#endif /* VGPU_GL2_H */
