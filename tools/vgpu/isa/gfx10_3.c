// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instruction set of gfx10.3.
 */
#include "isa.h"
#include "table.h"

const struct vgpu_isa vgpu_isa_gfx10_3 = {
	.name = "gfx10.3",
	.tables = vgpu_table_gfx10_3,
	.decode = vgpu_decode_gfx10,
};

