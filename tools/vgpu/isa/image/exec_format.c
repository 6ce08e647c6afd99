// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads and stores that convert formats: of typed buffers, of buffers with the format of
 * their resource, of images.
 */
#include "isa/image/image.h"
#include "isa/exec/lanes.h"

#include <xmmintrin.h>

#include <string.h>

struct form {
	u8 num;		/* number of components; 0: DMASK selects them */
	bool d16;	/* a component takes half of a register */
	bool high;	/* the upper half */
};

static const struct form forms[VGPU_NUM_OPS] = {
	[VGPU_OP_LOAD_FORMAT_X] = { .num = 1 },
	[VGPU_OP_LOAD_FORMAT_XY] = { .num = 2 },
	[VGPU_OP_LOAD_FORMAT_XYZ] = { .num = 3 },
	[VGPU_OP_LOAD_FORMAT_XYZW] = { .num = 4 },
	[VGPU_OP_LOAD_FORMAT_D16_X] = { .num = 1, .d16 = true },
	[VGPU_OP_LOAD_FORMAT_D16_XY] = { .num = 2, .d16 = true },
	[VGPU_OP_LOAD_FORMAT_D16_XYZ] = { .num = 3, .d16 = true },
	[VGPU_OP_LOAD_FORMAT_D16_XYZW] = { .num = 4, .d16 = true },
	[VGPU_OP_LOAD_FORMAT_D16_HI_X] = { 1, true, true },
	[VGPU_OP_STORE_FORMAT_X] = { .num = 1 },
	[VGPU_OP_STORE_FORMAT_XY] = { .num = 2 },
	[VGPU_OP_STORE_FORMAT_XYZ] = { .num = 3 },
	[VGPU_OP_STORE_FORMAT_XYZW] = { .num = 4 },
	[VGPU_OP_STORE_FORMAT_D16_X] = { .num = 1, .d16 = true },
	[VGPU_OP_STORE_FORMAT_D16_XY] = { .num = 2, .d16 = true },
	[VGPU_OP_STORE_FORMAT_D16_XYZ] = { .num = 3, .d16 = true },
	[VGPU_OP_STORE_FORMAT_D16_XYZW] = { .num = 4, .d16 = true },
	[VGPU_OP_STORE_FORMAT_D16_HI_X] = { 1, true, true },
};

static struct form form_of(const struct vgpu_insn *i)
{
	struct form f = forms[i->op];

	if (i->format == VGPU_FMT_MIMG)
		f.d16 = i->mimg->d16;
	return f;
}

/* Get a bitmap of the components for which the instruction has registers. */
static unsigned int components(const struct vgpu_insn *i)
{
	if (i->format == VGPU_FMT_MIMG)
		return i->mimg->dmask ?: 1;
	return (1U << forms[i->op].num) - 1;
}

void vgpu_texel_to_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			const struct vgpu_accesses *a, unsigned int l,
			const u32 *v)
{
	u32 one = vgpu_format_is_integer(a->format) ? 1 : 0x3f800000;
	u32 mask = vgpu_image_gathers(i) ? 15 : components(i), k, n = 0;
	struct form f = form_of(i);

	for (k = 0; k < 4; k++) {
		unsigned int sel = vgpu_image_gathers(i) ? VGPU_SEL_X + k : a->sel[k];
		u32 out = sel >= VGPU_SEL_X ? v[sel - VGPU_SEL_X] :
			  sel == VGPU_SEL_1 ? one : 0;
		u32 *d;

		if (!(mask >> k & 1))
			continue;
		d = &c->w->v[i->dst + (f.d16 ? n / 2 : n)][l];
		if (!f.d16) {
			*d = out;
		} else {
			if (!vgpu_format_is_integer(a->format))
				out = vgpu_half_of(out);
			if (n % 2 || f.high)
				*d = (*d & 0xffff) | out << 16;
			else
				*d = (*d & 0xffff0000) | (out & 0xffff);
		}
		n++;
	}
}

/* Get the components of a lane in the order of memory, which DST_SEL defines. */
static void lane_to_texel(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			  const struct vgpu_accesses *a, unsigned int l, u32 *v)
{
	u32 mask = components(i), k, n = 0;
	struct form f = form_of(i);

	memset(v, 0, 16);
	for (k = 0; k < 4; k++) {
		u32 in;

		if (!(mask >> k & 1))
			continue;
		in = c->w->v[i->reg[1] + (f.d16 ? n / 2 : n)][l];
		if (f.d16) {
			in = n % 2 || f.high ? in >> 16 : in & 0xffff;
			if (a->format->number == VGPU_SINT)
				in = (u32)(s16)in;
			else if (a->format->number != VGPU_UINT)
				in = vgpu_of_half(in);
		}
		if (a->sel[k] >= VGPU_SEL_X)
			v[a->sel[k] - VGPU_SEL_X] = in;
		n++;
	}
}

static bool buffer_format(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			  struct vgpu_accesses *a)
{
	const struct vgpu_buffer_layout *at = c->isa->buffer;
	u32 r3 = c->w->s[i->saddr + 3], k;
	const struct vgpu_format_info *f;

	f = vgpu_format(c->isa, i->format == VGPU_FMT_MTBUF ? i->simm16 :
			FIELD_GET(at->format, r3));
	if (!f || !vgpu_addresses(c, i, f->bytes, true, a))
		return false;
	a->format = f;
	/* DST_SEL is not used if the instruction has the format (MTBUF). */
	for (k = 0; k < 4; k++)
		a->sel[k] = i->format == VGPU_FMT_MTBUF ? VGPU_SEL_X + k :
			    FIELD_GET(at->dst_sel, r3) >> 3 * k & 7;
	return true;
}

/* Get the format and compute addresses. Returns false if the access is not modelled. */
static bool prepare(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		    struct vgpu_accesses *a, enum vgpu_watch_kind kind)
{
	if (i->format == VGPU_FMT_MIMG ? !vgpu_addresses(c, i, 0, true, a) :
	    !buffer_format(c, i, a))
		return false;
	if (c->w->slow)
		vgpu_watch_lanes(c, a, a->format->bytes, kind);
	return true;
}

void vgpu_texel_read(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		     u32 *v)
{
	u32 size = a->format->bytes, data[4] = { 0 }, n;

	for (n = 0; n < size; n += 4)
		vgpu_copy_in(c, a, va + n / 4 * a->step,
			     size - n < 4 ? size - n : 4, &data[n / 4]);
	vgpu_texel_unpack(a->format, data, v);
}

static const struct vgpu_insn *do_load(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i)
{
	u32 csr = _mm_getcsr();
	struct vgpu_accesses a;
	unsigned int l;

	if (!prepare(c, i, &a, VGPU_WATCH_READ))
		return vgpu_exec_illegal(c, i);
	_mm_setcsr(VGPU_MXCSR_DEFAULT);
	for (l = 0; l < c->lanes; l++) {
		static const u8 zeros[4];
		u32 v[4] = { 0 };

		if (!(c->exec >> l & 1))
			continue;
		if (a.lanes >> l & 1) {
			vgpu_texel_read(c, &a, c->addr[l], v);
			vgpu_texel_to_lane(c, i, &a, l, v);
		} else {	/* out of bounds: all components are 0 */
			struct vgpu_accesses none = a;

			memcpy(none.sel, zeros, 4);
			vgpu_texel_to_lane(c, i, &none, l, v);
		}
	}
	_mm_setcsr(csr);
	return vgpu_access_done(c, i, &a);
}

static const struct vgpu_insn *do_store(struct vgpu_isa_state *c,
					const struct vgpu_insn *i)
{
	u32 csr = _mm_getcsr(), n;
	struct vgpu_accesses a;
	unsigned int l;

	if (!prepare(c, i, &a, VGPU_WATCH_WRITE))
		return vgpu_exec_illegal(c, i);
	_mm_setcsr(VGPU_MXCSR_DEFAULT);
	for (l = 0; l < c->lanes; l++) {
		u32 size = a.format->bytes, v[4], data[4];

		if (!(a.lanes >> l & 1))
			continue;
		lane_to_texel(c, i, &a, l, v);
		vgpu_texel_pack(a.format, v, data);
		for (n = 0; n < size; n += 4)
			vgpu_copy_out(c, &a, c->addr[l] + n / 4 * a.step,
				      size - n < 4 ? size - n : 4,
				      data[n / 4]);
	}
	_mm_setcsr(csr);
	return vgpu_access_done(c, i, &a);
}

void vgpu_handlers_format(vgpu_exec_fn *fn)
{
	unsigned int op;

	for (op = VGPU_OP_LOAD_FORMAT_X; op <= VGPU_OP_LOAD_FORMAT_D16_HI_X;
	     op++)
		fn[op] = do_load;
	for (op = VGPU_OP_STORE_FORMAT_X; op <= VGPU_OP_STORE_FORMAT_D16_HI_X;
	     op++)
		fn[op] = do_store;
	fn[VGPU_OP_IMAGE_LOAD] = do_load;
	fn[VGPU_OP_IMAGE_LOAD_MIP] = do_load;
	fn[VGPU_OP_IMAGE_STORE] = do_store;
	fn[VGPU_OP_IMAGE_STORE_MIP] = do_store;
}
