// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lookups in tables: instruction sets by name, rows of their decode tables, formats, and the
 * swizzle patterns of a GPU's images.
 */
#include <string.h>

#include "isa/image/format.h"
#include "isa/isa.h"
#include "isa/image/swizzle.h"
#include "isa/table.h"

static const struct vgpu_isa *const all[] = {
	&vgpu_isa_gfx10_3,
};

const struct vgpu_isa *vgpu_isa_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

const struct vgpu_isa_row *vgpu_isa_row(const struct vgpu_isa *isa,
					const struct vgpu_fields *f)
{
	const struct vgpu_isa_table *t = &isa->tables[f->format];

	if (f->opcode >= t->num || !t->rows[f->opcode].mnemonic)
		return NULL;
	return &t->rows[f->opcode];
}

const struct vgpu_format_info *vgpu_format(const struct vgpu_isa *isa,
					   unsigned int number)
{
	const struct vgpu_formats *f = isa->formats;

	return number < f->num && f->rows[number].bytes ? &f->rows[number] : NULL;
}

const struct vgpu_swizzle *vgpu_swizzle_find(u32 pipes, u32 packers)
{
	unsigned int i;

	for (i = 0; i < vgpu_num_swizzles; i++)
		if (vgpu_swizzles[i].pipes == pipes &&
		    vgpu_swizzles[i].packers == packers)
			return &vgpu_swizzles[i];
	return NULL;
}
