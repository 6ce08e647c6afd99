// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The handlers of what is no instruction yet: one that has not been decoded, and the
 * end of a page.
 */
#include "internal.h"

#include <string.h>

static const struct vgpu_insn *exec_page_end(struct vgpu_isa_state *c,
					     const struct vgpu_insn *i)
{
	/* This was no instruction. */
	c->left++;
	return vgpu_jump(c, vgpu_insn_pc(c, i), i);
}

static const struct vgpu_insn *exec_decode(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	struct vgpu_insn *d = &c->page->insn[i->index];
	const struct vgpu_isa_row *row = NULL;
	u32 words[VGPU_MAX_WORDS];
	struct vgpu_fields f;
	unsigned int got;
	u16 index = i->index;

	got = vgpu_fetch(c, vgpu_insn_pc(c, i), words, VGPU_MAX_WORDS);
	if (c->isa->decode(words, &f) && f.words <= got)
		row = vgpu_isa_row(c->isa, &f);
	memset(d, 0, sizeof(*d));
	d->index = index;
	d->words = f.words ? f.words : 1;
	d->next = d->words * sizeof(*d);
	if (!row || row->op == VGPU_OP_NONE ||
	    !vgpu_bind(c, c->page, d, &f, row->op))
		d->exec = vgpu_exec_illegal;
	return d->exec(c, d);
}

void vgpu_predecode_init(struct vgpu_isa_state *c)
{
	c->exec_decode = exec_decode;
	c->exec_page_end = exec_page_end;
}
