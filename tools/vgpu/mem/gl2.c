// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The L2 cache of the graphics core in front of VRAM. It caches whole pages and has room
 * for all of VRAM: what software can notice is only which data the host does not see, and
 * until when.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu.h"
#include "mem/gl2.h"
#include "regs/quirks.h"

/**
 * struct vgpu_gl2 - the cache
 * @now: as large as VRAM: the cached pages with the graphics core's writes
 * @before: as large as VRAM: the cached pages as VRAM had them when they were read
 * @held: whether a page is cached, by page number
 * @pages: the numbers of the cached pages
 * @num: number of cached pages
 */
struct vgpu_gl2 {
	u8 *now;
	u8 *before;
	bool *held;
	u32 *pages;
	u32 num;
};

/* Reserve address space; a page takes memory only when it is written. */
static void *reserve(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void release(void *p, size_t size)
{
	if (p)
		munmap(p, size);
}

int vgpu_gl2_init(struct vgpu *g)
{
	size_t pages = g->vram_size >> VGPU_PAGE_SHIFT;
	struct vgpu_gl2 *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	g->gl2 = c;
	c->now = reserve(g->vram_size);
	c->before = reserve(g->vram_size);
	c->held = reserve(pages * sizeof(*c->held));
	c->pages = reserve(pages * sizeof(*c->pages));
	if (c->now && c->before && c->held && c->pages)
		return 0;
	vgpu_gl2_fini(g);
	return -ENOMEM;
}

void vgpu_gl2_fini(struct vgpu *g)
{
	size_t pages = g->vram_size >> VGPU_PAGE_SHIFT;
	struct vgpu_gl2 *c = g->gl2;

	if (!c)
		return;
	release(c->now, g->vram_size);
	release(c->before, g->vram_size);
	release(c->held, pages * sizeof(*c->held));
	release(c->pages, pages * sizeof(*c->pages));
	free(c);
	g->gl2 = NULL;
}

u8 *vgpu_gl2_page(struct vgpu *g, u8 *page)
{
	struct vgpu_gl2 *c = g->gl2;
	size_t offset = page - g->vram;
	u32 number = offset >> VGPU_PAGE_SHIFT;

	if (!vgpu_quirk(g, VGPU_QUIRK_GL2_WRITE_BACK) && !c->held[number])
		return page;
	if (!c->held[number]) {
		memcpy(c->now + offset, page, VGPU_PAGE_SIZE);
		memcpy(c->before + offset, page, VGPU_PAGE_SIZE);
		c->held[number] = true;
		c->pages[c->num++] = number;
	}
	return c->now + offset;
}

static void write_page(struct vgpu *g, size_t offset)
{
	const u8 *now = g->gl2->now + offset, *before = g->gl2->before + offset;
	unsigned int i;

	for (i = 0; i < VGPU_PAGE_SIZE; i++)
		if (now[i] != before[i])
			g->vram[offset + i] = now[i];
}

bool vgpu_gl2_write_back(struct vgpu *g)
{
	bool any = g->gl2->num;
	u32 i;

	for (i = 0; i < g->gl2->num; i++)
		write_page(g, (size_t)g->gl2->pages[i] << VGPU_PAGE_SHIFT);
	vgpu_gl2_drop(g);
	return any;
}

void vgpu_gl2_drop(struct vgpu *g)
{
	struct vgpu_gl2 *c = g->gl2;

	while (c->num)
		c->held[c->pages[--c->num]] = false;
}
