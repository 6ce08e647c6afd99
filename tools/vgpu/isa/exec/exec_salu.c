// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The handlers of scalar arithmetic, from ops_salu.def.
 */
#include "isa/exec/fmath.h"

typedef u32 type_U32, type_B32, type_KU;
typedef s32 type_I32, type_KI;
typedef u64 type_U64, type_B64;
typedef s64 type_I64;
typedef int type__;

#define READ__(c, i, k) 0
#define READ_U32 vgpu_read32
#define READ_B32 vgpu_read32
#define READ_I32 (s32)vgpu_read32
#define READ_KI (s32)vgpu_read32
#define READ_KU vgpu_read32
#define READ_U64 vgpu_read64
#define READ_B64 vgpu_read64
#define READ_I64 (s64)vgpu_read64

#define OLD_U32(w, reg) ((w)->s[reg])
#define OLD_B32 OLD_U32
#define OLD_I32(w, reg) ((s32)(w)->s[reg])
#define OLD_U64(w, reg) make_64((w)->s[(reg) + 1], (w)->s[reg])
#define OLD_B64 OLD_U64
#define OLD_I64 OLD_U64

#define WRITE_U32(c, reg, v) ((c)->w->s[reg] = (u32)(v))
#define WRITE_B32 WRITE_U32
#define WRITE_I32 WRITE_U32
#define WRITE_U64 vgpu_write64
#define WRITE_B64 vgpu_write64
#define WRITE_I64 vgpu_write64

/* Does S_MAX set SCC if both sources are equal? */
#define MAX_EQUAL(c) vgpu_quirk((c)->g, VGPU_QUIRK_S_MAX_EQUAL)

#define S(name, D, A, B, ...) \
VGPU_THREAD(name, c) \
{ \
	const type_##A a = READ_##A(c, i, 0); \
	const type_##B b = READ_##B(c, i, 1); \
	type_##D d = OLD_##D(c->w, i->dst); \
	u32 scc = c->w->scc; \
	\
	(void)a; (void)b; \
	__VA_ARGS__; \
	WRITE_##D(c, i->dst, d); \
	c->w->scc = scc; \
	return vgpu_continue(c, i, left); \
}

#define C(name, A, B, expr) \
VGPU_THREAD(name, c) \
{ \
	const type_##A a = READ_##A(c, i, 0); \
	const type_##B b = READ_##B(c, i, 1); \
	\
	c->w->scc = (expr); \
	return vgpu_continue(c, i, left); \
}

#define E(name, T, exec, saved) \
VGPU_THREAD(name, c) \
{ \
	const type_##T a = READ_##T(c, i, 0); \
	const type_##T e = OLD_##T(c->w, VGPU_S_EXEC); \
	const type_##T new = (exec); \
	\
	if (i->dst != VGPU_S_NULL) \
		WRITE_##T(c, i->dst, saved); \
	WRITE_##T(c, VGPU_S_EXEC, new); \
	c->w->scc = new != 0; \
	return vgpu_continue(c, i, left); \
}

#include "isa/ops/ops_salu.def"
#undef S
#undef C
#undef E

static const vgpu_exec_fn handlers[VGPU_NUM_OPS] = {
#define S(name, ...) \
	[VGPU_OP_##name] = one_##name,
#define C S
#define E S
#include "isa/ops/ops_salu.def"
#undef S
};

static const vgpu_thread_fn threads[VGPU_NUM_OPS] = {
#define S(name, ...) \
	[VGPU_OP_##name] = do_##name,
#include "isa/ops/ops_salu.def"
};

void vgpu_handlers_salu(vgpu_exec_fn *fn)
{
	vgpu_add_handlers(fn, handlers);
}

void vgpu_threads_salu(vgpu_thread_fn *fn)
{
	vgpu_add_threads(fn, threads);
}
