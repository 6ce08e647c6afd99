/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of vector instructions that are computed before the handler executes: SGPRs
 * copied to all lanes, and signs. modifiers.c computes all others, which are rarer. Included
 * by exec_valu.h, so it is compiled for two kinds of CPU.
 */
#ifndef VGPU_ISA_EXEC_SOURCES_H
#define VGPU_ISA_EXEC_SOURCES_H

#include "isa/internal.h"

static inline __attribute__((always_inline)) void
spread(const struct vgpu_isa_state *c, u32 *row, u32 v)
{
	size_t base = 0, l;

	do {
		for (l = 0; l < 32; l++)
			row[base + l] = v;
	} while ((base += 32) < c->lanes);
}

#define BROADCAST(k) \
static const struct vgpu_insn *broadcast##k(struct vgpu_isa_state *c, \
					    const struct vgpu_insn *i, \
					    s32 left) \
{ \
	spread(c, c->tmp[k][0], c->w->s[i->reg[k]]); \
	return i->spread(c, i, left); \
}

BROADCAST(0)
BROADCAST(1)
BROADCAST(2)

/* Copy a source with abs and neg applied. */
static void signs(const struct vgpu_isa_state *c,
		  const struct vgpu_src_detail *s, u32 *row)
{
	const u32 *from = vgpu_place(c, s->plain);
	const u32 keep = s->abs ? 0x7fffffff : ~0U;
	const u32 flip = s->neg ? 0x80000000 : 0;
	size_t base = 0, l;

	do {
		for (l = base; l < base + 32; l++)
			row[l] = (from[l] & keep) ^ flip;
	} while ((base += 32) < c->lanes);
}

static const struct vgpu_insn *prepare(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i)
{
	const struct vgpu_detail *d = vgpu_detail(c, i);
	unsigned int k;

	for (k = 0; k < 3; k++) {
		const u32 *s;

		if (!(d->prepare >> k & 1))
			continue;
		if (d->src[k].only_sign) {
			signs(c, &d->src[k], c->tmp[k][0]);
			continue;
		}
		if (d->src[k].kind != VGPU_KIND_SGPR) {
			vgpu_prepare_source(c, i, k);
			continue;
		}
		s = &c->w->s[i->reg[k]];
		spread(c, c->tmp[k][0], s[0]);
		if (vgpu_type_dwords(d->src[k].type, 32) == 2)
			spread(c, c->tmp[k][1], s[1]);
	}
	return d->prepared(c, i);
}

#endif /* VGPU_ISA_EXEC_SOURCES_H */
