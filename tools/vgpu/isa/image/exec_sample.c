// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Image samples and gathers. Operands: "RDNA 2" ISA, AMD 2020, 8.2; the computation: Vulkan
 * 1.3, "Image Operations". Coordinates and levels of detail have 8 bits of fraction, as
 * drivers report (subTexelPrecisionBits, mipmapPrecisionBits).
 */
#include "isa/image/image.h"
#include "isa/exec/lanes.h"

#include <math.h>
#include <string.h>
#include <xmmintrin.h>

#define DIM_CUBE		3

enum clamp {
	CLAMP_WRAP, CLAMP_MIRROR, CLAMP_LAST, CLAMP_MIRROR_ONCE_LAST,
	CLAMP_HALF_BORDER, CLAMP_MIRROR_ONCE_HALF_BORDER, CLAMP_BORDER,
	CLAMP_MIRROR_ONCE_BORDER,
};

enum filter { FILTER_POINT, FILTER_LINEAR };
enum mip { MIP_NONE, MIP_POINT, MIP_LINEAR };
enum border { BORDER_TRANSPARENT, BORDER_BLACK, BORDER_WHITE, BORDER_REGISTER };

struct sampler {
	u8 clamp[3];
	u8 compare;
	u8 mag, min, mip, border;
	bool unnormalized;
	double min_lod, max_lod, bias;
};

static struct vgpu_image_variant variants[VGPU_NUM_OPS];

/* The operands of a lane. */
struct point {
	double s[3];		/* coordinates */
	u32 slice;
	int offset[3];
	double reference, bias, lod, clamp;
	double dx[3], dy[3];
};

struct sampling {
	struct vgpu_isa_state *c;
	const struct vgpu_insn *i;
	struct vgpu_accesses *a;
	struct vgpu_image im;
	struct sampler sm;
	struct vgpu_image_variant v;
	unsigned int dims;	/* number of coordinates that are filtered */
	bool array;
};

static s32 signed_bits(struct vgpu_bits b, const u32 *r)
{
	unsigned int unused = 32 - (unsigned int)__builtin_popcount(b.mask);

	return (s32)(vgpu_bits_get(b, r) << unused) >> unused;
}

static bool sampler_read(struct sampling *p)
{
	const struct vgpu_mimg *m = p->i->mimg;
	const struct vgpu_sampler_layout *at = p->c->isa->sampler;
	const u32 *r = &p->c->w->s[m->samp];
	struct sampler *sm = &p->sm;
	unsigned int n;

	for (n = 0; n < 3; n++)
		sm->clamp[n] = vgpu_bits_get(at->clamp[n], r);
	sm->compare = vgpu_bits_get(at->compare, r);
	sm->unnormalized = vgpu_bits_get(at->unnormalized, r) || m->unnormalized;
	sm->mag = vgpu_bits_get(at->mag_filter, r);
	sm->min = vgpu_bits_get(at->min_filter, r);
	sm->mip = vgpu_bits_get(at->mip_filter, r);
	sm->border = vgpu_bits_get(at->border_type, r);
	sm->min_lod = vgpu_bits_get(at->min_lod, r) / 256.0;
	sm->max_lod = vgpu_bits_get(at->max_lod, r) / 256.0;
	sm->bias = signed_bits(at->lod_bias, r) / 256.0;
	/* Anisotropy, minimum and maximum filters and border colour tables are not modelled. */
	return sm->mag <= FILTER_LINEAR && sm->min <= FILTER_LINEAR &&
	       sm->mip <= MIP_LINEAR && !vgpu_bits_get(at->filter_mode, r) &&
	       sm->border != BORDER_REGISTER;
}

static double clamp_to(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;	/* NaN stays */
}

static void set_dims(struct sampling *p)
{
	p->dims = vgpu_image_dims(p->i->mimg->dim);
	p->array = p->i->mimg->dim >= DIM_CUBE;
}

/*
 * Convert a coordinate to the number of a slice, counted from the image's first slice, and
 * limit it to those that exist. For a cube the coordinate is 8 * cube + face, which drivers
 * compute from V_CUBEID and the layer; a cube has six slices in memory, and the number of
 * the cube is limited (Mesa 25.0, ac_nir_lower_tex.c, prepare_cube_coords(); LLPC,
 * ImageBuilder.cpp, whose loads use 6 * cube + face).
 */
static u32 slice_of(const struct sampling *p, double at)
{
	s32 last = (s32)p->im.last_array - (s32)p->im.base_array;
	s32 slice = isnan(at) ? 0 : (s32)rint(clamp_to(at, -65536, 65535));
	s32 cube = slice >> 3, face = slice & 7, last_cube = (last + 1) / 6 - 1;

	if (p->i->mimg->dim == DIM_CUBE) {
		cube = cube > last_cube ? last_cube : cube;
		slice = 6 * (cube < 0 ? 0 : cube) + (face < 5 ? face : 5);
	}
	slice = slice > last ? last : slice;
	return slice < 0 ? 0 : (u32)slice;
}

static double float_operand(struct sampling *p, unsigned int k, unsigned int l)
{
	return (double)vgpu_as_f32(p->c->w->v[p->i->mimg->addr[k]][l]);
}

/* Read derivatives from operand @at on. Returns the number of the next operand. */
static unsigned int read_derivatives(struct sampling *p, unsigned int at,
				     unsigned int l, double *d)
{
	const u8 *addr = p->i->mimg->addr;
	unsigned int n;
	u32 v;

	for (n = 0; n < p->dims; n++) {
		if (p->v.g16) {
			v = p->c->w->v[addr[at + n / 2]][l] >> n % 2 * 16;
			d[n] = vgpu_f16_value(v & 0xffff);
		} else {
			d[n] = float_operand(p, at + n, l);
		}
	}
	return at + (p->v.g16 ? (p->dims + 1) / 2 : p->dims);
}

/* Read a lane's operands: offset, bias, reference, derivatives, coordinates, level or clamp. */
static void read_point(struct sampling *p, unsigned int l, struct point *t)
{
	const struct vgpu_mimg *m = p->i->mimg;
	unsigned int at = 0, n;

	memset(t, 0, sizeof(*t));
	if (p->v.offset) {
		u32 packed = p->c->w->v[m->addr[at++]][l];

		for (n = 0; n < 3; n++)
			t->offset[n] = (s32)(packed << (26 - 8 * n)) >> 26;
	}
	if (p->v.bias)
		t->bias = float_operand(p, at++, l);
	if (p->v.compare)
		t->reference = float_operand(p, at++, l);
	if (p->v.derivatives) {
		at = read_derivatives(p, at, l, t->dx);
		at = read_derivatives(p, at, l, t->dy);
	}
	for (n = 0; n < p->dims; n++)
		t->s[n] = float_operand(p, at++, l);
	if (p->array)
		t->slice = slice_of(p, float_operand(p, at++, l));
	if (p->i->mimg->dim == DIM_CUBE) {
		/* Shaders compute coordinates from 1 to 2 with v_cubesc_f32 and the like. */
		t->s[0] -= 1;
		t->s[1] -= 1;
	}
	if (p->v.lod)
		t->lod = float_operand(p, at++, l);
	else if (p->v.clamp)
		t->clamp = float_operand(p, at++, l);
}

static double size_of(const struct sampling *p, u32 level, unsigned int n)
{
	const struct vgpu_image_level *lv = &p->im.level[level];

	return n == 0 ? lv->width : n == 1 ? lv->height : lv->depth;
}

/* Compute derivatives from the coordinates of the lanes of a quad. */
static void quad_derivatives(struct sampling *p, unsigned int l,
			     struct point *t)
{
	struct point q[3];
	unsigned int n, quad = l & ~3U;

	for (n = 0; n < 3; n++)
		read_point(p, quad + n, &q[n]);
	for (n = 0; n < p->dims; n++) {
		t->dx[n] = q[1].s[n] - q[0].s[n];
		t->dy[n] = q[2].s[n] - q[0].s[n];
	}
}

static double implicit_lod(struct sampling *p, const struct point *t)
{
	double x = 0, y = 0;
	unsigned int n;

	for (n = 0; n < p->dims; n++) {
		double size = p->sm.unnormalized ? 1 :
			      size_of(p, p->im.base_level, n);

		x += t->dx[n] * size * t->dx[n] * size;
		y += t->dy[n] * size * t->dy[n] * size;
	}
	return log2(fmax(x, y)) / 2;
}

static double level_of_detail(struct sampling *p, unsigned int l,
			      struct point *t)
{
	double lod = t->lod, least = p->sm.min_lod;

	if (p->v.zero || p->sm.unnormalized)
		return 0;
	if (!p->v.lod) {
		if (!p->v.derivatives)
			quad_derivatives(p, l, t);
		lod = implicit_lod(p, t);
	}
	lod += p->sm.bias + t->bias;
	least = fmax(least, fmax(p->im.min_lod / 256.0, t->clamp));
	if (isnan(lod))
		lod = 0;
	return clamp_to(lod, least, p->sm.max_lod);
}

/* Apply a clamp mode: get the number of the texel, of @size, for @at; -1: the border. */
static s64 wrap(enum clamp mode, s64 at, s64 size)
{
	s64 twice;

	switch (mode) {
	case CLAMP_WRAP:
		at %= size;
		return at < 0 ? at + size : at;
	case CLAMP_MIRROR:
		twice = at % (2 * size);
		if (twice < 0)
			twice += 2 * size;
		return twice < size ? twice : 2 * size - 1 - twice;
	case CLAMP_MIRROR_ONCE_LAST:
	case CLAMP_MIRROR_ONCE_HALF_BORDER:
	case CLAMP_MIRROR_ONCE_BORDER:
		if (at < 0)
			at = -1 - at;
		break;
	default:
		break;
	}
	if (at >= 0 && at < size)
		return at;
	if (mode == CLAMP_LAST || mode == CLAMP_MIRROR_ONCE_LAST)
		return at < 0 ? 0 : size - 1;
	return -1;
}

static bool compares(unsigned int func, double reference, double texel)
{
	bool less = reference < texel, equal = reference == texel;

	/* The numbers of D3D and Vulkan, whose bits are less, equal and greater. */
	return (func & 1 && less) || (func & 2 && equal) ||
	       (func & 4 && reference > texel);
}

/* Read one texel with the clamp mode of each coordinate, and compare it if requested. */
static void fetch(struct sampling *p, const struct point *t, u32 level,
		  const s64 *at, u32 *v)
{
	bool outside = false;
	u32 xyz[3] = { 0 };
	u64 va;
	unsigned int n;

	for (n = 0; n < p->dims; n++) {
		s64 k = wrap(p->sm.clamp[n], at[n],
			     (s64)size_of(p, level, n));

		outside |= k < 0;
		xyz[n] = (u32)k;
	}
	if (p->array)
		xyz[2] = p->im.base_array + t->slice;
	if (p->dims < 2)
		xyz[1] = 0;
	if (outside) {
		u32 one = vgpu_format_is_integer(p->im.format) ? 1 : 0x3f800000;

		for (n = 0; n < 4; n++)
			v[n] = p->sm.border == BORDER_WHITE ||
			       (n == 3 && p->sm.border == BORDER_BLACK) ? one : 0;
	} else {
		va = vgpu_image_address(&p->im, level, xyz[0], xyz[1], xyz[2]);
		vgpu_texel_read(p->c, p->a, va, v);
	}
	if (p->v.compare)
		v[0] = compares(p->sm.compare, t->reference,
				(double)vgpu_as_f32(v[0])) ? 0x3f800000 : 0;
}

/* Get coordinate @n in units of 1/256 texel of the level. */
static s64 fixed(struct sampling *p, const struct point *t, u32 level,
		 unsigned int n)
{
	double s = t->s[n] * (p->sm.unnormalized ? 1 : size_of(p, level, n));

	if (isnan(s))
		s = 0;
	s = clamp_to(s, -1e9, 1e9);
	return (s64)floor(s * 256 + 0.5) + 256 * (s64)t->offset[n];
}

static void nearest(struct sampling *p, const struct point *t, u32 level,
		    u32 *v)
{
	s64 at[3] = { 0 };
	unsigned int n;

	for (n = 0; n < p->dims; n++) {
		double s = t->s[n] * (p->sm.unnormalized ? 1 :
				      size_of(p, level, n));

		at[n] = (s64)floor(clamp_to(isnan(s) ? 0 : s, -1e9, 1e9)) +
			t->offset[n];
	}
	fetch(p, t, level, at, v);
}

static void linear(struct sampling *p, const struct point *t, u32 level,
		   double *sum)
{
	s64 first[3], at[3] = { 0 };
	double part[3];
	unsigned int n, corner;
	u32 v[4];

	memset(sum, 0, 4 * sizeof(*sum));
	for (n = 0; n < p->dims; n++) {
		first[n] = fixed(p, t, level, n) - 128;
		part[n] = (double)(first[n] & 255) / 256;
		first[n] >>= 8;
	}
	for (corner = 0; corner < 1U << p->dims; corner++) {
		double weight = 1;

		for (n = 0; n < p->dims; n++) {
			at[n] = first[n] + (corner >> n & 1);
			weight *= corner >> n & 1 ? part[n] : 1 - part[n];
		}
		if (weight == 0)
			continue;
		fetch(p, t, level, at, v);
		for (n = 0; n < 4; n++)
			sum[n] += weight * (double)vgpu_as_f32(v[n]);
	}
}

static void sample_level(struct sampling *p, const struct point *t, u32 level,
			 bool filter, u32 *v)
{
	double sum[4];
	unsigned int n;

	/* Integers are not filtered. */
	if (!filter || (vgpu_format_is_integer(p->im.format) && !p->v.compare)) {
		nearest(p, t, level, v);
		return;
	}
	linear(p, t, level, sum);
	for (n = 0; n < 4; n++)
		v[n] = vgpu_of_f32((float)sum[n]);
}

static u32 level_at(const struct sampling *p, double lod)
{
	u32 most = p->im.last_level - p->im.base_level;

	return p->im.base_level + (lod <= 0 ? 0 : lod >= most ? most : (u32)lod);
}

static void sample(struct sampling *p, const struct point *t, double lod,
		   u32 *v)
{
	bool filter = lod <= 0 ? p->sm.mag : p->sm.min;
	double whole, part;
	unsigned int n;
	u32 other[4];

	lod = floor(clamp_to(lod, 0, 16) * 256 + 0.5) / 256;
	if (p->sm.mip != MIP_LINEAR) {
		/* Round to nearest; a half goes to the larger level, as in Vulkan. */
		lod = p->sm.mip == MIP_NONE ? 0 : ceil(lod + 0.5) - 1;
		sample_level(p, t, level_at(p, lod), filter, v);
		return;
	}
	whole = floor(lod);
	part = lod - whole;
	sample_level(p, t, level_at(p, whole), filter, v);
	if (part == 0 || vgpu_format_is_integer(p->im.format))
		return;
	sample_level(p, t, level_at(p, whole + 1), filter, other);
	for (n = 0; n < 4; n++)
		v[n] = vgpu_of_f32((float)((1 - part) *
					   (double)vgpu_as_f32(v[n]) +
					   part * (double)vgpu_as_f32(other[n])));
}

/* Get one component of the four texels that a linear filter would use, in Vulkan's order. */
static void gather(struct sampling *p, const struct point *t, double lod,
		   u32 *v)
{
	static const u8 order[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
	unsigned int n, k = 0, sel;
	u32 level = level_at(p, lod), texel[4];
	s64 at[3] = { 0 }, first[2];

	while (k < 3 && !(p->i->mimg->dmask >> k & 1))
		k++;
	sel = p->v.compare ? VGPU_SEL_X : p->im.sel[k];
	for (n = 0; n < 2; n++)
		first[n] = (fixed(p, t, level, n) - 128) >> 8;
	for (n = 0; n < 4; n++) {
		at[0] = first[0] + order[n][0];
		at[1] = first[1] + order[n][1];
		fetch(p, t, level, at, texel);
		if (sel >= VGPU_SEL_X)
			v[n] = texel[sel - VGPU_SEL_X];
		else if (sel == VGPU_SEL_1)
			v[n] = vgpu_format_is_integer(p->im.format) ? 1 :
			       0x3f800000;
		else
			v[n] = 0;
	}
}

static void sample_lane(struct sampling *p, unsigned int l, u32 *v)
{
	struct point t;
	double lod;

	read_point(p, l, &t);
	lod = level_of_detail(p, l, &t);
	if (p->v.gather)
		gather(p, &t, lod, v);
	else
		sample(p, &t, lod, v);
}

static const struct vgpu_insn *do_sample(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i)
{
	struct vgpu_accesses a = { .lanes = c->exec, .step = 4 };
	struct sampling p = { .c = c, .i = i, .a = &a, .v = variants[i->op] };
	u32 csr = _mm_getcsr(), v[VGPU_LANES][4];
	unsigned int l;

	if (i->mimg->a16 || !vgpu_image_read(c, i, &p.im) || !sampler_read(&p))
		return vgpu_exec_illegal(c, i);
	set_dims(&p);
	a.format = p.im.format;
	memcpy(a.sel, p.im.sel, 4);
	_mm_setcsr(VGPU_MXCSR_DEFAULT);
	for (l = 0; l < c->lanes; l++) {
		if (c->exec >> l & 1)
			sample_lane(&p, l, v[l]);
	}
	/* Write results last: lanes of a quad read each other's coordinates. */
	for (l = 0; l < c->lanes; l++) {
		if (c->exec >> l & 1)
			vgpu_texel_to_lane(c, i, &a, l, v[l]);
	}
	_mm_setcsr(csr);
	return a.bits ? vgpu_access_done(c, i, &a) : vgpu_rest(c, i);
}

void vgpu_handlers_sample(vgpu_exec_fn *fn)
{
	unsigned int op;

	for (op = VGPU_OP_IMAGE_SAMPLE; op <= VGPU_OP_IMAGE_GATHER4_C_LZ_O;
	     op++) {
		variants[op] = vgpu_image_variant(op);
		fn[op] = do_sample;
	}
}
