// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scalar memory: loads, clocks, and invalidation of caches. The scalar cache is not modelled,
 * so loads always see the present contents of memory.
 */
#include "isa/internal.h"
#include "regs/log.h"

#include <string.h>

/*
 * Load @num dwords into SGPRs. Dwords on a page that is missing read 0, and the wave has a
 * memory violation after the instruction.
 */
static const struct vgpu_insn *load(struct vgpu_isa_state *c,
				    const struct vgpu_insn *i, u64 va,
				    unsigned int num)
{
	struct vgpu_wave *w = c->w;
	u32 values[16], bits = 0;
	unsigned int n;

	va &= ~3ULL;
	for (n = 0; n < num; n++, va += 4) {
		u8 *p = vgpu_gmc_ptr(c->g, c->tlb, w->vmid, va, false);

		if (p) {
			memcpy(&values[n], p, 4);
			continue;
		}
		values[n] = 0;
		if (!bits)
			vgpu_gmc_fault(c->g, w->vmid, va, VGPU_READ);
		bits = WAVE_EXCP_MEM_VIOL;
	}
	memcpy(&w->s[i->dst], values, num * 4);
	if (c->w->slow)
		bits |= c->hooks->memory.watch(c->g, w, va - num * 4, num * 4,
					 VGPU_WATCH_SCALAR_READ);
	return bits ? vgpu_raise(c, i, bits) : vgpu_next(i);
}

static s64 offset(const struct vgpu_isa_state *c, const struct vgpu_insn *i)
{
	s64 v = i->offset;

	if (i->soffset != VGPU_S_NULL)
		v += c->w->s[i->soffset];
	return v;
}

static const struct vgpu_insn *do_load(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i)
{
	const u32 *base = &c->w->s[i->saddr];
	u64 va = make_64(base[1], base[0]) + (u64)offset(c, i);

	return load(c, i, va & 0xffffffffffffULL,
		    vgpu_type_dwords(vgpu_op_info[i->op].dst, 32));
}

static const struct vgpu_insn *do_buffer_load(struct vgpu_isa_state *c,
					      const struct vgpu_insn *i)
{
	const u32 *rsrc = &c->w->s[i->saddr];
	unsigned int num = vgpu_type_dwords(vgpu_op_info[i->op].dst, 32);
	u64 base = make_64(rsrc[1] & 0xffff, rsrc[0]);
	u64 stride = rsrc[1] >> 16 & 0x3fff;
	u64 size = stride ? stride * rsrc[2] : rsrc[2];
	u64 off = (u64)offset(c, i) & ~3ULL;

	/* A load out of range returns 0, as for vector buffers. */
	if (off + num * 4 > size) {
		memset(&c->w->s[i->dst], 0, num * 4);
		return vgpu_next(i);
	}
	return load(c, i, base + off, num);
}

/* S_MEMTIME reads the shader clock, which is 1 GHz here, the other the 100 MHz reference. */
static const struct vgpu_insn *do_time(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i)
{
	vgpu_write64(c, i->dst, i->op == VGPU_OP_S_MEMTIME ? vgpu_now_ns() :
		     vgpu_clock());
	return vgpu_next(i);
}

static const struct vgpu_insn *do_inv(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i)
{
	(void)c;
	return vgpu_next(i);
}

void vgpu_handlers_smem(vgpu_exec_fn *fn)
{
	unsigned int op;

	for (op = VGPU_OP_S_LOAD_DWORD; op <= VGPU_OP_S_LOAD_DWORDX16; op++)
		fn[op] = do_load;
	for (op = VGPU_OP_S_BUFFER_LOAD_DWORD;
	     op <= VGPU_OP_S_BUFFER_LOAD_DWORDX16; op++)
		fn[op] = do_buffer_load;
	fn[VGPU_OP_S_GL1_INV] = do_inv;
	fn[VGPU_OP_S_DCACHE_INV] = do_inv;
	/* Prefetches of translations have no visible effect. */
	fn[VGPU_OP_S_ATC_PROBE] = do_inv;
	fn[VGPU_OP_S_ATC_PROBE_BUFFER] = do_inv;
	fn[VGPU_OP_S_MEMTIME] = do_time;
	fn[VGPU_OP_S_MEMREALTIME] = do_time;
}
