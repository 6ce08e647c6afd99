/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache between the graphics core and VRAM, as far as the host can notice it: see the
 * quirk gl2-write-back.
 */
#ifndef VGPU_GL2_H
#define VGPU_GL2_H

#include "types.h"

struct vgpu;
struct vgpu_gl2;

int vgpu_gl2_init(struct vgpu *g);
void vgpu_gl2_fini(struct vgpu *g);

/*
 * Get the cached copy of a page of VRAM; without the quirk, it is @page itself. The pointer
 * is valid until vgpu_gl2_write_back() or vgpu_gl2_drop().
 */
u8 *vgpu_gl2_page(struct vgpu *g, u8 *page);
/*
 * Write the bytes that were changed to VRAM and empty the cache. Returns true if a page
 * was cached: pointers from vgpu_gl2_page() are invalid then.
 */
bool vgpu_gl2_write_back(struct vgpu *g);
/* Empty the cache without writing to VRAM. */
void vgpu_gl2_drop(struct vgpu *g);

#endif /* VGPU_GL2_H */
