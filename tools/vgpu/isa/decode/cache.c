// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decode cache: pages of predecoded instructions. The key is the VMID, the address, and
 * the numbers of lanes and VGPRs of the wave, because decoding depends on them. An
 * instruction is decoded when a wave first reaches it. Like the instruction cache of
 * hardware, a page keeps old code until it is invalidated, even if memory changes.
 */
#include "regs/quirks.h"
#include "isa/image/image.h"

#include <stdlib.h>
#include <string.h>

static void page_init(const struct vgpu_isa_state *c, struct vgpu_isa_page *p,
		      u64 va, u32 vmid)
{
	unsigned int n;

	memset(p, 0, offsetof(struct vgpu_isa_page, insn));
	p->va = va;
	p->vmid = vmid;
	p->lanes = c->lanes;
	p->vgprs = c->w->num_vgprs;
	p->shared_vgprs = c->w->shared_vgprs;
	p->flushes = vgpu_gmc_tlb(c->g)->flushes[vmid];
	for (n = 0; n < VGPU_PAGE_DWORDS; n++)
		p->insn[n].exec = c->exec_decode;
	for (; n < VGPU_PAGE_INSNS; n++)
		p->insn[n].exec = c->exec_page_end;
}

/* Free the operands to which the page's instructions point. */
static void page_drop_operands(struct vgpu_isa_page *p)
{
	while (p->mimgs) {
		struct vgpu_mimg *m = p->mimgs;

		p->mimgs = m->next;
		free(m);
	}
	while (p->consts) {
		struct vgpu_const *k = p->consts;

		p->consts = k->next;
		free(k);
	}
}

struct vgpu_mimg *vgpu_page_mimg(struct vgpu_isa_page *p)
{
	struct vgpu_mimg *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	m->next = p->mimgs;
	p->mimgs = m;
	return m;
}

void vgpu_page_free(struct vgpu_isa_page *p)
{
	if (!p)
		return;
	page_drop_operands(p);
	free(p);
}

const struct vgpu_const *vgpu_page_const(struct vgpu_isa_page *p, u64 value)
{
	struct vgpu_const *k;
	unsigned int l;

	for (k = p->consts; k; k = k->next) {
		if (k->value == value)
			return k;
	}
	k = aligned_alloc(64, sizeof(*k));
	if (!k)
		abort();
	k->value = value;
	for (l = 0; l < VGPU_LANES; l++) {
		k->row[0][l] = (u32)value;
		k->row[1][l] = value >> 32;
	}
	k->next = p->consts;
	p->consts = k;
	return k;
}

/* Get a free index in pages[], or that of the page that was used least recently. */
static unsigned int page_place(struct vgpu_isa_state *c)
{
	unsigned int n, oldest = 0;

	for (n = 0; n < VGPU_ISA_PAGES; n++) {
		if (!c->pages[n])
			return n;
		if (c->pages[n]->last_use < c->pages[oldest]->last_use &&
		    c->pages[n] != c->page)
			oldest = n;
	}
	return oldest;
}

/* A bit of the quirk icache-drop; the other one is in sq/dispatch.c. */
#define DROP_BY_FLUSH		BIT(1)

static bool is_flushed(const struct vgpu_isa_state *c,
		       const struct vgpu_isa_page *p)
{
	return p->flushes != c->tlb->flushes[p->vmid] &&
	       vgpu_quirk(c->g, VGPU_QUIRK_ICACHE_DROP) & DROP_BY_FLUSH;
}

struct vgpu_isa_page *vgpu_page_get(struct vgpu_isa_state *c, u64 va, u32 vmid)
{
	struct vgpu_isa_page *p;
	unsigned int n;

	va &= ~(u64)(VGPU_PAGE_SIZE - 1);
	for (n = 0; n < VGPU_ISA_PAGES; n++) {
		p = c->pages[n];
		if (!p || p->va != va || p->vmid != vmid ||
		    p->lanes != c->lanes || p->vgprs != c->w->num_vgprs ||
		    p->shared_vgprs != c->w->shared_vgprs)
			continue;
		if (is_flushed(c, p))
			break;
		p->last_use = ++c->clock;
		return p;
	}
	if (!vgpu_gmc_translate(c->g, vmid, va, VGPU_EXEC))
		return NULL;
	if (n == VGPU_ISA_PAGES)
		n = page_place(c);
	p = c->pages[n];
	if (p) {
		page_drop_operands(p);
	} else {
		p = aligned_alloc(64, (sizeof(*p) + 63) / 64 * 64);
		if (!p)
			abort();
		c->pages[n] = p;
	}
	page_init(c, p, va, vmid);
	p->last_use = ++c->clock;
	return p;
}

unsigned int vgpu_fetch(struct vgpu_isa_state *c, u64 va, u32 *words,
			unsigned int num)
{
	const u8 *p = NULL;
	unsigned int n;

	memset(words, 0, num * sizeof(*words));
	for (n = 0; n < num; n++, va += 4) {
		if (!p || !(va & (VGPU_PAGE_SIZE - 1)))
			p = vgpu_gmc_translate(c->g, c->w->vmid, va, VGPU_EXEC);
		if (!p)
			break;
		memcpy(&words[n], p, 4);
		p += 4;
	}
	return n;
}

void vgpu_isa_invalidate(struct vgpu *g, unsigned int vmid)
{
	struct vgpu_isa_state *c = g->isa;
	unsigned int n;

	for (n = 0; n < VGPU_ISA_PAGES; n++) {
		if (!c->pages[n] || (vmid != ~0U && c->pages[n]->vmid != vmid))
			continue;
		if (c->pages[n] == c->page) {
			/* A wave executes in the page (s_icache_inv): empty it. */
			u64 va = c->page->va;
			u32 id = c->page->vmid;

			page_drop_operands(c->page);
			page_init(c, c->page, va, id);
			continue;
		}
		vgpu_page_free(c->pages[n]);
		c->pages[n] = NULL;
	}
}
