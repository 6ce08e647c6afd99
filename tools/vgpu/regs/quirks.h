/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quirks: assumptions about silicon that only hardware can confirm. Each has a name, a
 * default and its source, and can be set with --quirk NAME=VALUE or the control socket.
 * The list is quirks.def.
 */
#ifndef VGPU_QUIRKS_H
#define VGPU_QUIRKS_H

#include "types.h"

struct vgpu;

enum vgpu_quirk {
#define QUIRK(id, name, def, text) VGPU_QUIRK_##id,
#include "regs/quirks.def"
#undef QUIRK
	VGPU_NUM_QUIRKS,
};

int vgpu_quirks_init(struct vgpu *g);
void vgpu_quirks_fini(struct vgpu *g);
u32 vgpu_quirk(const struct vgpu *g, enum vgpu_quirk q);
/* Set a quirk. -ENOENT: there is no quirk of that name. */
int vgpu_quirk_set(struct vgpu *g, const char *name, u32 value);
const char *vgpu_quirk_name(enum vgpu_quirk q);
const char *vgpu_quirk_text(enum vgpu_quirk q);
u32 vgpu_quirk_default(enum vgpu_quirk q);

#endif /* VGPU_QUIRKS_H */
