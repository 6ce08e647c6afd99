/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operands of an image instruction, which follow from its name, DIM and other fields.
 */
#ifndef VGPU_ISA_IMAGE_OPERANDS_H
#define VGPU_ISA_IMAGE_OPERANDS_H

#include "isa/table.h"

/* The variant of an operation, which its name contains. */
struct vgpu_image_variant {
	bool gather, offset, bias, compare, derivatives, lod, zero, clamp;
	bool g16;	/* derivatives of 16 bits */
	bool mip;	/* loads and stores: the level is an operand */
	bool sampled;
};

struct vgpu_image_variant vgpu_image_variant(unsigned int op);
/* Get the number of coordinates of an address, for the instruction's DIM. */
unsigned int vgpu_image_coords(unsigned int dim);
/* Get the number of those that are filtered, which excludes slice, face and sample. */
unsigned int vgpu_image_dims(unsigned int dim);
/* Get the number of registers for the address, and for the data. */
unsigned int vgpu_image_address_regs(const struct vgpu_fields *f,
				     unsigned int op);
unsigned int vgpu_image_data_regs(const struct vgpu_fields *f, unsigned int op);

#endif /* VGPU_ISA_IMAGE_OPERANDS_H */
