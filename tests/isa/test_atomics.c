// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Atomics of memory and of the LDS with random and edge operands: the values that they store and
 * return are those of the named operation, computed with 128-bit integers and the CPU's
 * comparisons of floats ("RDNA 2" ISA, AMD 2020, 12.13, 12.15, 12.18). Each row of the table
 * that is an atomic is tested. The lanes of an instruction access different addresses, because
 * the document does not define the order of lanes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "machine.h"

#define ROUNDS	300
#define ADDR	4
#define DATA0	8
#define DATA1	12
#define DST	20
#define RSRC	8	/* SGPRs of a buffer */
#define PLACE	(MACHINE_BASE + 0x10000)
#define PLACES	64	/* of 8 bytes, more than lanes */

typedef __int128 wide;

/* One lane: old value, first and second data; for all exchanges second is compared. */
struct in {
	u64 old, src, cmp;
	unsigned int bits;
};

static unsigned int count, failed;

static wide sint(u64 v, unsigned int bits)
{
	return bits == 64 ? (wide)(s64)v : (wide)(s32)v;
}

static double real(u64 v, unsigned int bits)
{
	float f;
	double d;

	memcpy(&d, &v, 8);
	memcpy(&f, &v, 4);
	return bits == 64 ? d : (double)f;
}

static u64 sum(const struct in *i)
{
	volatile float r = (float)real(i->old, 32) + (float)real(i->src, 32);
	u32 v;

	memcpy(&v, (const void *)&r, 4);
	return v;
}

#define UNSIGNED(x)	((wide)(x))
#define SIGNED(x)	sint(x, i->bits)
#define REAL(x)		real(x, i->bits)

/* The names in the mnemonics, and what becomes of the old value */
#define OPS(X) \
	X("swap", src) X("wrxchg", src) \
	X("add", UNSIGNED(old) + src) X("sub", UNSIGNED(old) - src) \
	X("rsub", UNSIGNED(src) - old) \
	X("csub", old < src ? 0 : UNSIGNED(old) - src) \
	X("min_i", SIGNED(src) < SIGNED(old) ? src : old) \
	X("smin", SIGNED(src) < SIGNED(old) ? src : old) \
	X("max_i", SIGNED(src) > SIGNED(old) ? src : old) \
	X("smax", SIGNED(src) > SIGNED(old) ? src : old) \
	X("min_u", src < old ? src : old) X("umin", src < old ? src : old) \
	X("max_u", src > old ? src : old) X("umax", src > old ? src : old) \
	X("and", src & old) X("or", src | old) X("xor", src ^ old) \
	X("inc", old >= src ? 0 : UNSIGNED(old) + 1) \
	X("dec", old == 0 || old > src ? src : UNSIGNED(old) - 1) \
	X("mskor", (old & ~src) | cmp) \
	X("wrap", old >= src ? UNSIGNED(old) - src : UNSIGNED(old) + cmp) \
	X("cmpswap", old == cmp ? src : old) X("cmpst_b", old == cmp ? src : old) \
	X("fcmpswap", REAL(old) == REAL(cmp) ? src : old) \
	X("cmpst_f", REAL(old) == REAL(cmp) ? src : old) \
	X("fmin", REAL(src) < REAL(old) ? src : old) \
	X("min_f", REAL(src) < REAL(old) ? src : old) \
	X("fmax", REAL(src) > REAL(old) ? src : old) \
	X("max_f", REAL(src) > REAL(old) ? src : old) \
	X("add_f", sum(i))

#define NAME(what, expr)	what,
static const char *const names[] = { OPS(NAME) };

/* The longest name counts, where one begins with another. False: there is none. */
static bool result(const char *name, const struct in *i, u64 *r)
{
#define VALUE(what, expr)	(wide)(expr),
	const u64 old = i->old, src = i->src, cmp = i->cmp;
	const wide values[] = { OPS(VALUE) };
	size_t n, best = 0;

	for (n = 0; n < ARRAY_SIZE(names); n++) {
		size_t len = strlen(names[n]);

		if (strncmp(name, names[n], len) || len <= best)
			continue;
		best = len;
		*r = i->bits == 64 ? (u64)values[n] : (u32)values[n];
	}
	return best;
}

static const char *after(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) ? NULL : s + n;
}

/* What an atomic of the LDS, which returns or does not, is called behind its prefix */
static const char *lds_name(const char *mnemonic, char *buf)
{
	const char *rtn, *name = after(mnemonic, "ds_");

	strcpy(buf, name ?: "");
	rtn = strstr(buf, "_rtn");
	if (rtn)	/* "min_rtn_i32" is "min_i32" */
		memmove((char *)(uintptr_t)rtn, rtn + 4, strlen(rtn + 4) + 1);
	return buf;
}

static const char *name_of(unsigned int format, const char *mnemonic, char *buf)
{
	const char *name = strstr(mnemonic, "_atomic_");

	return format == VGPU_FMT_DS ? lds_name(mnemonic, buf) :
	       name ? name + strlen("_atomic_") : NULL;
}

/* The LDS does more, which other tests have. */
static bool is_no_atomic(const char *name)
{
	static const char *const others[] = {
		"read", "write", "nop", "permute", "bpermute", "swizzle", "append",
		"consume", "condxchg", "wrxchg2",
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(others); n++) {
		if (after(name, others[n]))
			return true;
	}
	return false;
}

static u64 operand(u64 like)
{
	static const u64 edges[] = {
		0, 1, ~0ULL, 0x80000000, 0x7fffffff, 0x8000000000000000,
		0x7fffffffffffffff, 0x8000000080000000, 0x3f800000, 0xbf800000,
		0x3ff0000000000000, 0x7f800000, 0x7fc00000, 0xff800000,
		0x7ff0000000000000, 0x7ff8000000000000, 0x00000001, 0x80000001,
	};

	switch (machine_random() % 4) {
	case 0:
		return edges[machine_random() % ARRAY_SIZE(edges)];
	case 1:
		return like + machine_random() % 3 - 1;
	}
	return make_64(machine_random(), machine_random());
}

struct trial {
	u64 mem[PLACES];
	u32 v[32][VGPU_LANES];
	u32 exec;
	unsigned int place[32];
};

static u64 pair(const struct trial *t, unsigned int reg, unsigned int l,
		unsigned int dwords)
{
	return make_64(dwords == 2 ? t->v[reg + 1][l] : 0, t->v[reg][l]);
}

static void fill(struct trial *t, unsigned int format)
{
	unsigned int l, n, first = machine_random();

	for (n = 0; n < PLACES; n++)
		t->mem[n] = operand(0);
	for (n = 0; n < 32; n++) {
		for (l = 0; l < VGPU_LANES; l++)
			t->v[n][l] = machine_random();
	}
	for (l = 0; l < 32; l++) {
		u64 va;

		/* An odd factor: no two have the same. */
		t->place[l] = (l * 13 + first) % PLACES;
		va = format == VGPU_FMT_DS || format == VGPU_FMT_MUBUF ?
		     t->place[l] * 8 : PLACE + t->place[l] * 8;
		t->v[ADDR][l] = (u32)va;
		t->v[ADDR + 1][l] = va >> 32;
		for (n = DATA0; n < DATA1 + 4; n += 2) {
			u64 v = operand(t->mem[t->place[l]]);

			t->v[n][l] = (u32)v;
			t->v[n + 1][l] = v >> 32;
			if (machine_random() % 2)
				t->v[n + 1][l] = t->mem[t->place[l]] >> 32;
		}
	}
	t->exec = machine_random() % 4 ? ~0U : machine_random();
}

/* The second data follow the first ones, but in the LDS, which compares the first. */
static void take(struct in *i, const struct trial *t, unsigned int format,
		 const char *name, unsigned int l)
{
	unsigned int dwords = i->bits / 32;

	i->old = dwords == 2 ? t->mem[t->place[l]] : (u32)t->mem[t->place[l]];
	i->src = pair(t, DATA0, l, dwords);
	i->cmp = pair(t, format == VGPU_FMT_DS ? DATA1 : DATA0 + dwords, l, dwords);
	if (format == VGPU_FMT_DS && after(name, "cmpst")) {
		u64 v = i->src;

		i->src = i->cmp;
		i->cmp = v;
	}
}

static bool is_nan(u64 v)
{
	return (v & 0x7fffffff) > 0x7f800000;
}

static unsigned int compare(const struct machine *m, const struct trial *t,
			    const u8 *mem, bool any_nan)
{
	unsigned int n, l, bad = 0;
	u64 got;

	for (n = 0; n < PLACES; n++) {
		memcpy(&got, mem + 8 * n, 8);
		bad += got != t->mem[n] && !(any_nan && is_nan(got) &&
		       is_nan(t->mem[n]) && got >> 32 == t->mem[n] >> 32);
	}
	for (n = 0; n < 32; n++) {
		for (l = 0; l < VGPU_LANES; l++)
			bad += m->w->v[n][l] != t->v[n][l];
	}
	return bad;
}

static unsigned int run(struct machine *m, unsigned int format, const char *name,
			enum vgpu_op op, bool returns, u8 *mem)
{
	bool wide64 = vgpu_op_info[op].dst ? vgpu_op_info[op].dst == VGPU_T_B64 :
		      vgpu_op_info[op].src[1] == VGPU_T_B64;
	static struct trial t;
	unsigned int l, dst = format == VGPU_FMT_MUBUF ? DATA0 : DST;

	fill(&t, format);
	memcpy(m->w->v, t.v, sizeof(t.v));
	memcpy(mem, t.mem, sizeof(t.mem));
	m->w->pc = MACHINE_BASE;
	m->w->s[VGPU_S_EXEC] = t.exec;
	vgpu_isa_run(&m->g, m->w, 1);
	for (l = 0; l < 32; l++) {
		struct in i = { .bits = wide64 ? 64 : 32 };
		u64 r;

		if (!(t.exec >> l & 1))
			continue;
		take(&i, &t, format, name, l);
		result(name, &i, &r);
		t.mem[t.place[l]] = wide64 ? r : (t.mem[t.place[l]] >> 32 << 32) | r;
		if (!returns)
			continue;
		t.v[dst][l] = (u32)i.old;
		if (wide64)
			t.v[dst + 1][l] = i.old >> 32;
	}
	/* Which NaN a sum has is the CPU's choice. */
	return compare(m, &t, mem, !strncmp(name, "add_f", 5)) + m->illegal;
}

static void test_form(struct machine *m, unsigned int format, unsigned int opcode,
		      bool returns)
{
	const struct vgpu_isa_row *row =
		&vgpu_isa_gfx10_3.tables[format].rows[opcode];
	struct encoding e = {
		.dst = format == VGPU_FMT_MUBUF ? DATA0 : DST,
		.src = { ADDR, DATA0, DATA1 },
		.saddr = format == VGPU_FMT_MUBUF ? RSRC : VGPU_S_NULL,
		.flags = format == VGPU_FMT_MUBUF ?
			 BIT(12) | (returns ? BIT(14) : 0) :
			 returns ? BIT(16) : 0,
	};
	u8 *mem = format == VGPU_FMT_DS ? m->lds : machine_mem(m, PLACE);
	u32 w[VGPU_MAX_WORDS] = { 0 };
	unsigned int n, bad = 0;
	char buf[64];

	encode(w, format, opcode, row->op, &e);
	machine_reset(m, 32);
	machine_code(m, w, sizeof(w));
	m->w->s[RSRC] = (u32)PLACE;
	m->w->s[RSRC + 1] = PLACE >> 32;
	m->w->s[RSRC + 2] = PLACES * 8;
	m->w->s[RSRC + 3] = 3U << 28;
	for (n = 0; n < ROUNDS && bad < 4; n++)
		bad += run(m, format, name_of(format, row->mnemonic, buf), row->op,
			   returns, mem);
	failed += !!bad;
	printf("%sok %u - %s%s\n", bad ? "not " : "", ++count, row->mnemonic,
	       returns ? ", returns" : "");
}

static void test_row(struct machine *m, unsigned int format, unsigned int opcode)
{
	const struct vgpu_isa_row *row =
		&vgpu_isa_gfx10_3.tables[format].rows[opcode];
	struct in none = { .bits = 32 };
	const char *name;
	char buf[64];
	u64 r;

	if (!row->mnemonic || row->op == VGPU_OP_NONE)
		return;
	name = name_of(format, row->mnemonic, buf);
	if (!name || (format == VGPU_FMT_DS && is_no_atomic(name)))
		return;
	if (!result(name, &none, &r)) {
		printf("not ok %u - nothing is known of %s\n", ++count,
		       row->mnemonic);
		failed++;
		return;
	}
	if (format == VGPU_FMT_DS) {
		test_form(m, format, opcode, vgpu_op_info[row->op].dst);
		return;
	}
	test_form(m, format, opcode, false);
	test_form(m, format, opcode, true);
}

int main(void)
{
	static const u8 formats[] = { VGPU_FMT_DS, VGPU_FMT_FLAT, VGPU_FMT_GLOBAL,
				      VGPU_FMT_MUBUF };
	struct machine *m = machine_new();
	unsigned int n, opcode;

	for (n = 0; n < ARRAY_SIZE(formats); n++) {
		for (opcode = 0;
		     opcode < vgpu_isa_gfx10_3.tables[formats[n]].num; opcode++)
			test_row(m, formats[n], opcode);
	}
	machine_free(m);
	printf("1..%u\n", count);
	return failed != 0;
}
