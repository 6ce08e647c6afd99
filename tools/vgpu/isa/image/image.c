// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of an image's texels. The layout of the resource belongs to the instruction set
 * (descriptors.h). Sizes of blocks, the order of levels, and the block that small levels
 * share (the tail) are those of AMD's address library,
 * src/amd/addrlib/src/gfx10/gfx10addrlib.cpp of Mesa 25.0.
 */
#include "isa/image/image.h"

#include <string.h>

/* SW_*, which are the same in vega10_enum.h and navi10_enum.h (Linux 6.1) */
#define SW_LINEAR		0
#define SW_FIRST_64KB		8
#define SW_64KB_Z_X		24
#define SW_64KB_R_X		27

static u32 align(u32 v, u32 to)
{
	return (v + to - 1) / to * to;
}

static unsigned int log2_of(u32 v)
{
	return 31 - (unsigned int)__builtin_clz(v);
}

/*
 * Dimensions of the smallest blocks in texels, by logarithm of the texel's size. Thick
 * blocks (which have a depth) have at least 1 KB; thick_256b is their unit in the tail.
 */
static const u8 thin_256b[VGPU_TEXEL_SIZES][2] = {
	{ 16, 16 }, { 16, 8 }, { 8, 8 }, { 8, 4 }, { 4, 4 },
};

static const u8 thick_256b[VGPU_TEXEL_SIZES][2] = {
	{ 8, 4 }, { 4, 4 }, { 4, 4 }, { 4, 2 }, { 2, 2 },
};

static const u8 thick_1kb[VGPU_TEXEL_SIZES][3] = {
	{ 16, 8, 8 }, { 8, 8, 8 }, { 8, 8, 4 }, { 8, 4, 4 }, { 4, 4, 4 },
};

static bool mode_is_4kb(u32 mode)
{
	return (mode >= 4 && mode <= 7) || (mode >= 20 && mode <= 23);
}

static void set_block(struct vgpu_image *im)
{
	unsigned int size = log2_of(im->bytes), amp;

	im->block_d = 1;
	if (im->mode == SW_LINEAR) {
		im->block_log2 = 8;
		im->block_w = 256 / im->bytes;
		im->block_h = 1;
		return;
	}
	im->block_log2 = im->mode < 4 ? 8 : mode_is_4kb(im->mode) ? 12 : 16;
	if (im->thick) {
		amp = im->block_log2 - 10;
		im->block_w = (u32)thick_1kb[size][0] << amp / 3;
		im->block_h = (u32)thick_1kb[size][1] << (amp / 3 + amp % 3 / 2);
		im->block_d = (u32)thick_1kb[size][2] << (amp / 3 + !!(amp % 3));
		return;
	}
	amp = im->block_log2 - 8;
	im->block_w = (u32)thin_256b[size][0] << (amp - amp / 2);
	im->block_h = (u32)thin_256b[size][1] << amp / 2;
}

static u32 bit_of(u32 v, unsigned int from, unsigned int to)
{
	return (v >> from & 1) << to;
}

/* Place a small level in the tail. @m: the number of its place there. */
static void place_in_tail(const struct vgpu_image *im,
			  struct vgpu_image_level *lv, u32 m)
{
	unsigned int size = log2_of(im->bytes), k;
	const u8 *unit = im->thick ? thick_256b[size] : thin_256b[size];
	u32 offset = m > 6 ? 16U << m : m << 8;

	for (k = 0; k < 6; k++) {
		lv->tail_x |= bit_of(offset, 9 + 2 * k, k);
		lv->tail_y |= bit_of(offset, 8 + 2 * k, k);
	}
	lv->tail_x *= unit[0];
	lv->tail_y *= unit[1];
	lv->blocks = 1;
}

static u32 most_in_tail(const struct vgpu_image *im)
{
	u32 log2 = im->block_log2;

	if (im->thick)
		log2 -= (log2 - 8) / 3;
	return log2 <= 11 ? 1 + (1U << (log2 - 9)) : log2 - 4;
}

/* Get the space for a level: halving rounds it up, although it rounds the size down. */
static u32 space(u32 size, u32 level)
{
	return (size + (1U << level) - 1) >> level;
}

static bool fits_tail(const struct vgpu_image *im, u32 level, u32 left)
{
	u32 w = im->block_w, h = im->block_h;

	if (im->block_log2 < 12 || !im->max_level)
		return false;
	if (!im->thick || im->block_log2 % 3 == 1)
		w /= 2;
	else if (im->block_log2 % 3 == 0)
		h /= 2;
	/* Depth images need space for compression: levels are limited as for 4 bytes. */
	if (im->mode == SW_64KB_Z_X && im->bytes < 4) {
		w /= 2;
		h /= im->bytes == 1 ? 2 : 1;
	}
	return space(im->width, level) <= w && space(im->height, level) <= h &&
	       left <= most_in_tail(im);
}

/* Compute sizes and offsets of all levels. The smallest level is first in memory. */
static void place_levels(struct vgpu_image *im)
{
	u32 n, first_in_tail = im->max_level + 1, end = im->max_level + 1;
	u64 at = 0;

	for (n = 0; n < end; n++) {
		struct vgpu_image_level *lv = &im->level[n];

		lv->width = im->width >> n ?: 1;
		lv->height = im->height >> n ?: 1;
		lv->depth = im->type == VGPU_IMAGE_3D ? im->depth >> n ?: 1 :
			    im->depth;
		if (n < first_in_tail && fits_tail(im, n, end - n))
			first_in_tail = n;
		if (n >= first_in_tail)
			place_in_tail(im, lv, most_in_tail(im) - 1 -
				      (n - first_in_tail));
	}
	if (first_in_tail < end)
		at = 1ULL << im->block_log2;
	for (n = first_in_tail; n-- > 0;) {
		struct vgpu_image_level *lv = &im->level[n];
		u32 rows = align(space(im->height, n), im->block_h) /
			   im->block_h;

		lv->blocks = align(im->pitch ?: space(im->width, n), im->block_w) /
			     im->block_w;
		lv->offset = at;
		at += (u64)lv->blocks * rows << im->block_log2;
	}
	im->slice = at;
}

static bool type_fits(const struct vgpu_image *im)
{
	/* Samples are not modelled. */
	return im->type >= VGPU_IMAGE_1D && im->type < VGPU_IMAGE_MSAA;
}

/* Check that the ranges of levels and slices are not empty, and exist. */
static bool ranges_fit(const struct vgpu_image *im)
{
	return im->base_level <= im->last_level &&
	       im->last_level <= im->max_level &&
	       (im->type == VGPU_IMAGE_3D || im->base_array <= im->last_array);
}

/* Get the pattern of texels in a block. Returns false if vgpu has none for the mode. */
static bool read_mode(const struct vgpu_swizzle *sw, struct vgpu_image *im)
{
	u32 pattern;

	if (im->mode == SW_LINEAR)
		return true;
	if (!sw)
		return false;
	pattern = sw->index[im->type == VGPU_IMAGE_3D][im->mode]
			   [log2_of(im->bytes)];
	if (pattern)
		im->pattern = vgpu_swizzle_patterns[pattern - 1];
	im->thick = im->type == VGPU_IMAGE_3D && im->mode != SW_64KB_Z_X &&
		    im->mode != SW_64KB_R_X;
	return pattern;
}

static void read_sizes(const struct vgpu_image_layout *at, const u32 *r,
		       struct vgpu_image *im)
{
	u32 depth = vgpu_bits_get(at->depth, r);
	u32 pitch = vgpu_bits_get(at->pitch, r);
	bool flat = im->type == VGPU_IMAGE_1D || im->type == VGPU_IMAGE_2D;

	im->width = (vgpu_bits_get(at->width_hi, r)
		     << __builtin_popcount(at->width_lo.mask) |
		     vgpu_bits_get(at->width_lo, r)) + 1;
	im->height = vgpu_bits_get(at->height, r) + 1;
	if (im->type == VGPU_IMAGE_1D || im->type == VGPU_IMAGE_1D_ARRAY)
		im->height = 1;
	im->base_array = vgpu_bits_get(at->base_array, r);
	im->last_array = flat ? im->base_array : depth;
	im->depth = im->type == VGPU_IMAGE_3D ? depth + 1 : 1;
	/* In images without slices, DEPTH and the bits above it are a pitch. */
	if (flat && im->mode == SW_LINEAR && pitch >= im->width)
		im->pitch = pitch + 1;
	if (im->type != VGPU_IMAGE_3D)
		return;
	/* With ARRAY_PITCH (for stores), DEPTH is that of the base level, else of level 0. */
	if (vgpu_bits_get(at->array_pitch, r))
		im->depth <<= vgpu_bits_get(at->base_level, r);
	else
		im->base_array = 0;
}

bool vgpu_image_read(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		     struct vgpu_image *im)
{
	const struct vgpu_image_layout *at = c->isa->image;
	const u32 *r = &c->w->s[i->saddr];
	u32 n;

	memset(im, 0, sizeof(*im));
	im->type = (u8)vgpu_bits_get(at->type, r);
	im->mode = (u8)vgpu_bits_get(at->sw_mode, r);
	im->format = vgpu_format(c->isa, vgpu_bits_get(at->format, r));
	if (!im->format || !type_fits(im) || i->mimg->r128 ||
	    vgpu_bits_get(at->compressed, r))
		return false;
	im->bytes = im->format->bytes;
	if (im->bytes & (im->bytes - 1))
		return false;
	im->base = make_64(vgpu_bits_get(at->base_hi, r), r[0]) << 8;
	im->min_lod = vgpu_bits_get(at->min_lod, r);
	im->base_level = vgpu_bits_get(at->base_level, r);
	im->last_level = vgpu_bits_get(at->last_level, r);
	im->max_level = vgpu_bits_get(at->max_level, r);
	for (n = 0; n < 4; n++)
		im->sel[n] = vgpu_bits_get(at->dst_sel, r) >> 3 * n & 7;
	read_sizes(at, r, im);
	if (!ranges_fit(im) || !read_mode(c->swizzle, im))
		return false;
	set_block(im);
	if (im->mode != SW_LINEAR) {
		im->pipe_xor = im->base & ((1U << im->block_log2) - 1);
		im->base -= im->pipe_xor;
	}
	place_levels(im);
	return true;
}

static u32 in_block(const struct vgpu_image *im, u32 x, u32 y, u32 z)
{
	u32 n, at = 0;

	for (n = 0; n < im->block_log2; n++) {
		const struct vgpu_swizzle_bit *b = &im->pattern[n];

		at |= (u32)__builtin_parity((x & b->x) ^ (y & b->y) << 16) << n;
		at ^= (u32)__builtin_parity(z & b->z) << n;
	}
	return at ^ im->pipe_xor;
}

u64 vgpu_image_address(const struct vgpu_image *im, u32 level, u32 x, u32 y,
		       u32 z)
{
	const struct vgpu_image_level *lv = &im->level[level];
	u64 at = im->base + lv->offset + im->slice * (z / im->block_d);
	u64 block;

	if (im->mode == SW_LINEAR)
		return at + ((u64)y * lv->blocks << 8) + (u64)x * im->bytes;
	block = (u64)(y / im->block_h) * lv->blocks + x / im->block_w;
	return at + (block << im->block_log2) +
	       in_block(im, x + lv->tail_x, y + lv->tail_y, z);
}

u32 vgpu_image_component(struct vgpu_isa_state *c, const struct vgpu_mimg *m,
			 unsigned int k, unsigned int l)
{
	if (!m->a16)
		return c->w->v[m->addr[k]][l];
	return c->w->v[m->addr[k / 2]][l] >> k % 2 * 16 & 0xffff;
}

/* Get the address of a texel. Returns false if it is outside of the image. */
static bool texel_address(const struct vgpu_image *im, const u32 *coord,
			  unsigned int num, u32 level, u64 *at)
{
	const struct vgpu_image_level *lv;
	u32 x = coord[0], y = num > 1 ? coord[1] : 0, z = num > 2 ? coord[2] : 0;

	if (im->type == VGPU_IMAGE_1D_ARRAY) {
		z = y;
		y = 0;
	}
	level += im->base_level;
	if (level > im->last_level || level < im->base_level)
		return false;
	lv = &im->level[level];
	if (x >= lv->width || y >= lv->height)
		return false;
	z += im->base_array;
	if (z < im->base_array || z >= (im->type == VGPU_IMAGE_3D ? lv->depth :
					im->last_array + 1))
		return false;
	*at = vgpu_image_address(im, level, x, y, z);
	return true;
}

bool vgpu_image_addresses(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			  struct vgpu_accesses *a)
{
	const struct vgpu_mimg *m = i->mimg;
	unsigned int num = vgpu_image_coords(m->dim), l, k;
	struct vgpu_image im;
	u32 coord[4];

	if (!vgpu_image_read(c, i, &im))
		return false;
	for (l = 0; l < c->lanes; l++) {
		u32 level = 0;

		if (!(a->lanes >> l & 1))
			continue;
		for (k = 0; k < num; k++)
			coord[k] = vgpu_image_component(c, m, k, l);
		if (m->mip)
			level = vgpu_image_component(c, m, num, l);
		if (!texel_address(&im, coord, num, level, &c->addr[l]))
			a->lanes &= ~BIT_ULL(l);
	}
	/* Atomics support only texels of 4 bytes. */
	if (vgpu_op_info[i->op].class == VGPU_CLASS_MEM && im.bytes != 4)
		return false;
	a->format = im.format;
	memcpy(a->sel, im.sel, 4);
	return true;
}
