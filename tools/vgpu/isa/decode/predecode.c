// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Handlers of two pseudo-instructions: a dword that has not been decoded yet, which is
 * decoded and executed, and the end of a page, which jumps to the next page.
 */
#include "isa/internal.h"

#include <string.h>

static const struct vgpu_insn *exec_page_end(struct vgpu_isa_state *c,
					     const struct vgpu_insn *i, s32 left)
{
	/* The pseudo-instruction does not count as executed. */
	c->left = left + 1;
	i = vgpu_jump(c, vgpu_insn_pc(c, i), i);
	return vgpu_goto(c, i, c->left);
}

static const struct vgpu_insn *exec_decode(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i, s32 left)
{
	unsigned int index = vgpu_insn_index(c, i);
	struct vgpu_insn *d = &c->page->insn[index];
	const struct vgpu_isa_row *row = NULL;
	u32 words[VGPU_MAX_WORDS];
	struct vgpu_fields f;
	unsigned int got;

	got = vgpu_fetch(c, vgpu_insn_pc(c, i), words, VGPU_MAX_WORDS);
	if (c->isa->decode(words, &f) && f.words <= got)
		row = vgpu_isa_row(c->isa, &f);
	memset(d, 0, sizeof(*d));
	memset(&c->page->detail[index], 0, sizeof(c->page->detail[index]));
	d->next = (f.words ? f.words : 1) * sizeof(*d);
	if (!row || row->op == VGPU_OP_NONE || !vgpu_bind(c, d, &f, row->op)) {
		d->exec = vgpu_exec_one;
		d->one = vgpu_exec_illegal;
	}
	return d->exec(c, d, left);
}

void vgpu_predecode_init(struct vgpu_isa_state *c)
{
	c->exec_decode = exec_decode;
	c->exec_page_end = exec_page_end;
}
