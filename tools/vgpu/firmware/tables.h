/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that the machine's firmware leaves for the driver: the discovery table and the
 * VBIOS.
 */
#ifndef VGPU_TABLES_H
#define VGPU_TABLES_H

#include "types.h"

struct vgpu;

/* Build a table; return its size, or -errno. */
int vgpu_discovery_build(const struct vgpu *g, void *buf, size_t size);
int vgpu_vbios_build(const struct vgpu *g, void *buf, size_t size);

/* Write both to VRAM: at init and at each cold reset. */
int vgpu_tables_load(struct vgpu *g);

#endif /* VGPU_TABLES_H */
