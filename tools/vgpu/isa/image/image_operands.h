/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which operands an image instruction has, by its name, DIM and the like.
 */
#ifndef VGPU_ISA_IMAGE_OPERANDS_H
#define VGPU_ISA_IMAGE_OPERANDS_H

#include "isa/table.h"

/* What the name of an operation says about its operands. */
struct vgpu_image_variant {
	bool gather, offset, bias, compare, derivatives, lod, zero, clamp;
	bool g16;	/* derivatives of 16 bits */
	bool mip;	/* loads and stores: the level is an operand */
	bool sampled;
};

struct vgpu_image_variant vgpu_image_variant(unsigned int op);
/* How many coordinates an address has, by the instruction's DIM. */
unsigned int vgpu_image_coords(unsigned int dim);
/* Of them, those that are filtered: no slice, face or sample */
unsigned int vgpu_image_dims(unsigned int dim);
/* How many registers the address takes, and the data. */
unsigned int vgpu_image_address_regs(const struct vgpu_fields *f,
				     unsigned int op);
unsigned int vgpu_image_data_regs(const struct vgpu_fields *f, unsigned int op);

#endif /* VGPU_ISA_IMAGE_OPERANDS_H */
