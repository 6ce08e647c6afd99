// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Guest memory: the regions that the host has mapped, sorted by bus address, and the lookup
 * of an address. It tries the region of the last lookup first, because consecutive accesses
 * are usually to the same region.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu.h"
#include "host/dma.h"
#include "mem/gmc.h"

/* The limit of the kernel's vfio: dma_entry_limit, vfio_iommu_type1.c */
#define MAX_REGIONS 65535

struct dma_region {
	u64 addr, size;
	u8 *host;		/* address of the byte at @addr; NULL: not accessible */
	void *map;		/* result of mmap(), aligned to a page */
	size_t map_size;
	bool writable;
};

struct vgpu_dma {
	struct dma_region *regions;	/* sorted by addr, disjoint */
	size_t num, capacity;
	size_t last;			/* index of the last hit */
};

/* Get the index of the first region that ends after @addr. */
static size_t dma_find(const struct vgpu_dma *dma, u64 addr)
{
	size_t lo = 0, hi = dma->num;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		const struct dma_region *r = &dma->regions[mid];

		if (addr - r->addr < r->size || addr < r->addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Check that a file is as long as its mapping: an access after its end raises SIGBUS. */
static int check_file(int fd, u64 end, u64 page_mask)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISREG(st.st_mode) && end > (((u64)st.st_size + page_mask) & ~page_mask))
		return -EINVAL;
	return 0;
}

static int dma_grow(struct vgpu_dma *dma)
{
	size_t capacity = dma->capacity ? dma->capacity * 2 : 32;
	struct dma_region *r;

	if (dma->num < dma->capacity)
		return 0;
	if (dma->num == MAX_REGIONS)
		return -ENOSPC;
	if (capacity > MAX_REGIONS)
		capacity = MAX_REGIONS;
	r = reallocarray(dma->regions, capacity, sizeof(*r));
	if (!r)
		return -ENOMEM;
	dma->regions = r;
	dma->capacity = capacity;
	return 0;
}

int vgpu_dma_map(struct vgpu *g, u64 addr, u64 size, u64 offset, int fd,
		 bool writable)
{
	struct vgpu_dma *dma = g->dma;
	u64 page_mask = (u64)sysconf(_SC_PAGESIZE) - 1;
	u64 skew = offset & page_mask;
	struct dma_region *r;
	void *map = NULL;
	size_t i;
	int ret;

	if (!size || addr + size - 1 < addr || offset + size < offset ||
	    size + skew < size)
		return -EINVAL;

	i = dma_find(dma, addr);
	if (i < dma->num && dma->regions[i].addr <= addr + size - 1)
		return -EEXIST;

	ret = dma_grow(dma);
	if (ret)
		return ret;
	if (fd >= 0) {
		/* Pages of the bus address and of the file must have the same alignment. */
		ret = (addr ^ offset) & page_mask ? -EINVAL :
		      check_file(fd, offset + size, page_mask);
		if (ret)
			return ret;
		map = mmap(NULL, size + skew,
			   PROT_READ | (writable ? PROT_WRITE : 0),
			   MAP_SHARED, fd, (off_t)(offset - skew));
		if (map == MAP_FAILED)
			return -errno;
	}

	r = &dma->regions[i];
	memmove(r + 1, r, (dma->num - i) * sizeof(*r));
	*r = (struct dma_region) {
		.addr = addr, .size = size,
		.host = map ? (u8 *)map + skew : NULL,
		.map = map, .map_size = size + skew, .writable = writable,
	};
	dma->num++;
	return 0;
}

static void dma_remove(struct vgpu_dma *dma, size_t first, size_t num)
{
	struct dma_region *r;
	size_t i;

	if (!num)
		return;
	r = dma->regions + first;
	for (i = 0; i < num; i++)
		if (r[i].map)
			munmap(r[i].map, r[i].map_size);
	memmove(r, r + num, (dma->num - first - num) * sizeof(*r));
	dma->num -= num;
}

int vgpu_dma_init(struct vgpu *g)
{
	g->dma = calloc(1, sizeof(*g->dma));
	g->hooks.bus_ptr = vgpu_dma_ptr;
	return g->dma ? 0 : -ENOMEM;
}

void vgpu_dma_fini(struct vgpu *g)
{
	if (!g->dma)
		return;
	dma_remove(g->dma, 0, g->dma->num);
	free(g->dma->regions);
	free(g->dma);
	g->dma = NULL;
}

int vgpu_dma_unmap(struct vgpu *g, u64 addr, u64 size)
{
	struct vgpu_dma *dma = g->dma;
	size_t first, num = 0;

	if (!size || addr + size - 1 < addr)
		return -EINVAL;

	first = dma_find(dma, addr);
	while (first + num < dma->num) {
		const struct dma_region *r = &dma->regions[first + num];

		if (r->addr > addr + size - 1)
			break;
		if (r->addr < addr || r->size - 1 > addr + size - 1 - r->addr)
			return -EINVAL;
		num++;
	}
	if (!num)
		return -ENOENT;
	dma_remove(dma, first, num);
	/* The TLB has pointers into the regions that were unmapped. */
	vgpu_gmc_flush(g, ~0U);
	return 0;
}

void vgpu_dma_unmap_all(struct vgpu *g)
{
	dma_remove(g->dma, 0, g->dma->num);
	vgpu_gmc_flush(g, ~0U);
}

u8 *vgpu_dma_ptr(struct vgpu *g, u64 addr, size_t len, bool write)
{
	struct vgpu_dma *dma = g->dma;
	const struct dma_region *r;
	size_t i = dma->last;

	if (i >= dma->num || addr - dma->regions[i].addr >= dma->regions[i].size) {
		i = dma_find(dma, addr);
		if (i >= dma->num || addr < dma->regions[i].addr)
			return NULL;
		dma->last = i;
	}
	r = &dma->regions[i];
	if (!r->host || len > r->size - (addr - r->addr) ||
	    (write && !r->writable))
		return NULL;
	return r->host + (addr - r->addr);
}
