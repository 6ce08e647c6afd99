// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scalar arithmetic with random and edge operands: results, SCC and EXEC are those of
 * models_salu.c, and no other SGPR changes. Each operation that is executed has a model.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "machine.h"
#include "models.h"

#define ROUNDS	4000
#define DST	20
#define SRC_A	24
#define SRC_B	28

static unsigned int count, failed;

static u64 operand(void)
{
	static const u64 edges[] = {
		0, 1, ~0ULL, 2, 31, 32, 63, 64, 0x7fffffff, 0x80000000,
		0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
		0x8000000080000000, 0x7fff, 0x8000, 0x7f, 0x80, 0x1f0000,
		0x200000, 0x400000, 0x7f0000, 0x10001f, 0x21001f, 0x40003f,
	};
	u64 v = make_64(machine_random(), machine_random());

	switch (machine_random() % 4) {
	case 0:
		return edges[machine_random() % ARRAY_SIZE(edges)];
	case 1:		/* few bits, or all but few */
		v = 1ULL << (v & 63) | 1ULL << (v >> 8 & 63);
		return machine_random() & 1 ? v : ~v;
	}
	return v;
}

static void set(struct vgpu_wave *w, unsigned int reg, u64 v)
{
	w->s[reg] = (u32)v;
	w->s[reg + 1] = v >> 32;
}

static u64 get(const struct vgpu_wave *w, unsigned int reg, unsigned int dwords)
{
	return dwords == 2 ? make_64(w->s[reg + 1], w->s[reg]) :
	       dwords ? w->s[reg] : 0;
}

static void put(struct vgpu_wave *w, unsigned int reg, unsigned int dwords, u64 v)
{
	memcpy(&w->s[reg], &v, dwords * 4);
}

/* What the wave should be afterwards */
static void expect(const struct salu_model *m, struct vgpu_wave *w, u32 imm,
		   bool sopk)
{
	unsigned int exec = strstr(m->name, "exec") ? m->dst : 2;
	struct salu_in in = {
		.a = get(w, SRC_A, m->a),
		.b = sopk ? imm : get(w, SRC_B, m->b),
		.old = get(w, DST, sopk ? 1 : m->dst),
		.exec = get(w, VGPU_S_EXEC, exec),
		.all = exec == 2 ? ~0ULL : ~0U,
		.scc = w->scc,
	};
	struct salu_out out = { in.old, in.exec, in.scc };

	m->fn(&in, &out);
	put(w, DST, m->dst, out.d);
	put(w, VGPU_S_EXEC, exec, out.exec);
	w->scc = out.scc;
}

static bool same(const struct salu_model *m, const struct vgpu_wave *got,
		 const struct vgpu_wave *want, const struct vgpu_wave *before,
		 u32 imm)
{
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(got->s) && got->s[n] == want->s[n]; n++)
		;
	if (n == ARRAY_SIZE(got->s) && got->scc == want->scc)
		return true;
	printf("# %s of 0x%llx, 0x%llx, imm 0x%x, old 0x%llx, scc %u, exec 0x%llx: 0x%llx scc %u, expected 0x%llx scc %u\n",
	       m->name, (unsigned long long)get(before, SRC_A, 2),
	       (unsigned long long)get(before, SRC_B, 2), imm,
	       (unsigned long long)get(before, DST, 2), before->scc,
	       (unsigned long long)vgpu_wave_exec(before),
	       (unsigned long long)get(got, DST, 2), got->scc,
	       (unsigned long long)get(want, DST, 2), want->scc);
	return false;
}

static unsigned int run(struct machine *mc, const struct salu_model *m,
			unsigned int format, unsigned int opcode,
			enum vgpu_op op)
{
	static struct vgpu_wave before, want;
	struct encoding e = { .dst = DST, .src = { SRC_A, SRC_B },
			      .offset = (u32)operand() & 0xffff };
	u32 w[VGPU_MAX_WORDS] = { 0 };
	unsigned int n, bad = 0;

	encode(w, format, opcode, op, &e);
	machine_reset(mc, 64);
	machine_code(mc, w, sizeof(w));
	/* An immediate needs new code. */
	for (n = 0; n < (format == VGPU_FMT_SOPK ? 40 : ROUNDS); n++) {
		mc->w->pc = MACHINE_BASE;
		mc->w->scc = machine_random() & 1;
		set(mc->w, DST, operand());
		set(mc->w, SRC_A, operand());
		set(mc->w, SRC_B, machine_random() % 8 ? operand() :
		    get(mc->w, SRC_A, 2));
		set(mc->w, VGPU_S_EXEC, operand());
		if (format == VGPU_FMT_SOPK && machine_random() % 4 == 0)
			mc->w->s[DST] = (u32)(s32)(s16)e.offset +
					machine_random() % 3 - 1;
		before = *mc->w;
		want = before;
		expect(m, &want, e.offset, format == VGPU_FMT_SOPK);
		vgpu_isa_run(&mc->g, mc->w, 1);
		bad += !same(m, mc->w, &want, &before, e.offset);
	}
	return bad + mc->illegal;
}

static void test(struct machine *mc, const struct salu_model *m)
{
	static const u8 formats[] = { VGPU_FMT_SOP2, VGPU_FMT_SOP1, VGPU_FMT_SOPC,
				      VGPU_FMT_SOPK };
	unsigned int n, k, opcode, bad = 0, seen = 0;

	for (n = 0; n < ARRAY_SIZE(formats); n++) {
		enum vgpu_op op = encode_find(formats[n], m->name, &opcode);

		for (k = 0; op && k < (formats[n] == VGPU_FMT_SOPK ? 100 : 1) &&
		     bad < 4; k++)
			bad += run(mc, m, formats[n], opcode, op);
		seen += op != VGPU_OP_NONE;
	}
	failed += bad || !seen;
	printf("%sok %u - %s\n", bad || !seen ? "not " : "", ++count, m->name);
}

static void test_all_have_models(void)
{
	unsigned int format, opcode, missing = 0;
	size_t n;

	for (format = 1; format < VGPU_FMT_SOPP; format++) {
		const struct vgpu_isa_table *t = &vgpu_isa_gfx10_3.tables[format];

		for (opcode = 0; opcode < t->num; opcode++) {
			const struct vgpu_isa_row *row = &t->rows[opcode];

			if (vgpu_op_info[row->op].class != VGPU_CLASS_SALU)
				continue;
			for (n = 0; n < num_models_salu &&
			     strcmp(models_salu[n].name, row->mnemonic); n++)
				;
			if (n < num_models_salu)
				continue;
			printf("# no model for %s\n", row->mnemonic);
			missing++;
		}
	}
	printf("%sok %u - all scalar arithmetic has a model\n",
	       missing ? "not " : "", ++count);
	failed += !!missing;
}

int main(void)
{
	struct machine *mc = machine_new();
	size_t n;

	for (n = 0; n < num_models_salu; n++)
		test(mc, &models_salu[n]);
	test_all_have_models();
	machine_free(mc);
	printf("1..%u\n", count);
	return failed != 0;
}
