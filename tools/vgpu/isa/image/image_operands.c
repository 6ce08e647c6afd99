// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kinds and numbers of an image instruction's operands: "RDNA 2" ISA, AMD 2020, 8.2.4,
 * and LLVM 19, AMDGPUBaseInfo.cpp, getAddrSizeMIMGOp().
 */
#include "isa/image/image_operands.h"

#include <stdio.h>
#include <string.h>

/* Parse the parts of a name such as IMAGE_SAMPLE_C_LZ_O. */
struct vgpu_image_variant vgpu_image_variant(unsigned int op)
{
	const char *name = vgpu_op_info[op].name;
	struct vgpu_image_variant v = { .gather = strstr(name, "GATHER4") };
	char padded[64];

	snprintf(padded, sizeof(padded), "%s_", name);
	v.sampled = v.gather || strstr(padded, "_SAMPLE_");
	v.offset = strstr(padded, "_O_");
	v.bias = strstr(padded, "_B_");
	v.compare = strstr(padded, "_C_");
	v.derivatives = strstr(padded, "_D_");
	v.lod = strstr(padded, "_L_");
	v.zero = strstr(padded, "_LZ_");
	v.clamp = strstr(padded, "_CL_");
	v.g16 = strstr(padded, "_G16_");
	v.mip = strstr(padded, "_MIP_");
	return v;
}

unsigned int vgpu_image_coords(unsigned int dim)
{
	/* 1D, 2D, 3D, cube, 1D array, 2D array, 2D MSAA, 2D MSAA array */
	static const u8 num[8] = { 1, 2, 3, 3, 2, 3, 3, 4 };

	return num[dim & 7];
}

unsigned int vgpu_image_dims(unsigned int dim)
{
	static const u8 num[8] = { 1, 2, 3, 2, 1, 2, 2, 2 };

	return num[dim & 7];
}

unsigned int vgpu_image_address_regs(const struct vgpu_fields *f,
				     unsigned int op)
{
	struct vgpu_image_variant v = vgpu_image_variant(op);
	unsigned int dims = vgpu_image_dims(f->dim), num;

	num = vgpu_image_coords(f->dim) + (v.lod || v.clamp || v.mip);
	if (f->a16)
		num = (num + 1) / 2;
	if (v.derivatives)
		num += 2 * (v.g16 ? (dims + 1) / 2 : dims);
	return num + v.offset + v.bias + v.compare;
}

unsigned int vgpu_image_data_regs(const struct vgpu_fields *f, unsigned int op)
{
	unsigned int num = (unsigned int)__builtin_popcount(f->dmask ?: 1);

	if (vgpu_image_variant(op).gather)
		num = 4;
	return (f->d16 ? (num + 1) / 2 : num) + f->tfe;
}
