// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All sources are read before a destination is written, also if their registers overlap: each
 * operation with registers for both is executed with its destination on or next to its sources,
 * and again with the same values in separate registers. Both must have the same results.
 *
 * No row of the table is exempt by name. Operations without a source or destination whose
 * register can be chosen are left out because of their operands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "machine.h"

#define VARIANTS	40	/* of a row, each wave size */
#define DST		24	/* VGPRs, with what overlaps below and above */
#define OWN		48	/* VGPRs: source k alone has those from OWN + 16 k on */
#define OWN_NUM		16
#define LOOKED_AT	96
#define SDST		32	/* SGPRs: the same */
#define SOWN		64
#define SOWN_NUM	8
#define RSRC		8	/* a resource, and a sampler behind it */
#define BASE		4	/* a pair: the address of DATA */
#define DATA		(MACHINE_BASE + 0x100000)
#define DATA_SIZE	4096
#define SHARED		0x1000ULL	/* bits 63:48 of the apertures */
#define PRIVATE		0x2000ULL
#define HWREG_SH_MEM_BASES 15
#define MAX_SHOWN	4

struct state {
	u32 v[LOOKED_AT][VGPU_LANES];
	u32 s[128];
	u32 scc, excp;
	u8 data[DATA_SIZE];
	u8 lds[MACHINE_LDS];
	u64 to;			/* of jumps */
	unsigned int faults, illegal;
};

static unsigned int count, failed;

static u32 below(u32 n)
{
	return machine_random() % n;
}

static unsigned int dwords(enum vgpu_op op, unsigned int k, unsigned int lanes)
{
	return vgpu_type_dwords(vgpu_op_info[op].src[k], lanes);
}

static bool is_memory(unsigned int format)
{
	return format >= VGPU_FMT_DS && format <= VGPU_FMT_MIMG;
}

static bool is_scalar(unsigned int format)
{
	return format <= VGPU_FMT_SMEM;
}

static bool is_image_sample(enum vgpu_op op)
{
	return vgpu_op_info[op].class == VGPU_CLASS_IMAGE &&
	       (strstr(vgpu_op_info[op].name, "SAMPLE") ||
		strstr(vgpu_op_info[op].name, "GATHER"));
}

/* VGPRs that source @k takes, 0 when it is none. */
static unsigned int vgprs(unsigned int format, enum vgpu_op op, unsigned int k)
{
	switch (format) {
	case VGPU_FMT_MIMG:
		return k ? 0 : 12;	/* as many as any has */
	case VGPU_FMT_MUBUF:
	case VGPU_FMT_MTBUF:
		return k ? 0 : 2;	/* the data are where the result is */
	case VGPU_FMT_DS:
		return k ? dwords(op, k, 32) : 1;
	case VGPU_FMT_FLAT:
	case VGPU_FMT_SCRATCH:
	case VGPU_FMT_GLOBAL:
		return k ? dwords(op, k, 32) : 2;
	}
	return !is_scalar(format) && encode_is_vector(op, k) ?
	       dwords(op, k, 32) : 0;
}

/* SGPRs of a source that is always one */
static unsigned int sgprs(unsigned int format, enum vgpu_op op, unsigned int k,
			  unsigned int lanes)
{
	if (format == VGPU_FMT_SMEM)	/* the base, and an offset */
		return k ? dwords(op, 0, 32) && k == 1 : dwords(op, k, 32);
	if (is_memory(format))
		return 0;
	if (is_scalar(format))
		return encode_is_vector(op, k) ? dwords(op, k, 32) : 0;
	return encode_is_scalar(format, op, k) ? dwords(op, k, lanes) : 0;
}

static bool writes_sgpr(unsigned int format, enum vgpu_op op)
{
	const struct vgpu_op_info *info = &vgpu_op_info[op];

	return is_scalar(format) ? info->dst : info->dst == VGPU_T_S32 ||
	       (info->sdst && format == VGPU_FMT_VOP3);
}

static bool writes_vgpr(unsigned int format, enum vgpu_op op)
{
	return !is_scalar(format) && vgpu_op_info[op].dst &&
	       vgpu_op_info[op].dst != VGPU_T_S32;
}

/* Something that may be on top of something else */
static bool can_overlap(unsigned int format, enum vgpu_op op)
{
	unsigned int k;

	if (op == VGPU_OP_NONE || format == VGPU_FMT_SOPK ||
	    format == VGPU_FMT_SOPP || strstr(vgpu_op_info[op].name, "ADDTID") ||
	    op == VGPU_OP_DS_APPEND || op == VGPU_OP_DS_CONSUME)
		return false;
	for (k = 0; k < 3; k++) {
		if (vgprs(format, op, k) && writes_vgpr(format, op))
			return true;
		if ((sgprs(format, op, k, 32) || encode_is_vector(op, k)) &&
		    writes_sgpr(format, op) && !is_memory(format))
			return true;
	}
	return false;
}

/* What is beside the destination would be written too. */
static bool swaps(enum vgpu_op op)
{
	return op == VGPU_OP_V_SWAP_B32 || op == VGPU_OP_V_SWAPREL_B32;
}

/* Where @num registers begin that share one with those from @dst to @dst + 3 */
static unsigned int near(unsigned int dst, unsigned int num, unsigned int align)
{
	unsigned int at = dst - num + 1 + below(num + 3);

	return at / align * align;
}

/* Addresses of a lane, from VGPR @at on, that lie where there is something. */
static void put_address(struct state *st, unsigned int format, enum vgpu_op op,
			unsigned int at, bool based)
{
	unsigned int l, n;

	for (l = 0; l < VGPU_LANES; l++) {
		u64 va = DATA + 8 * below(DATA_SIZE / 8 - 2);

		switch (format) {
		case VGPU_FMT_DS:
			st->v[at][l] = 8 * below(MACHINE_LDS / 8 - 2);
			break;
		case VGPU_FMT_FLAT:
			if (!below(4))
				va = (below(2) ? SHARED : PRIVATE) << 48 |
				     8 * below(8);
			st->v[at][l] = (u32)va;
			st->v[at + 1][l] = va >> 32;
			break;
		case VGPU_FMT_GLOBAL:
			st->v[at][l] = based ? (u32)(va - DATA) : (u32)va;
			st->v[at + 1][l] = va >> 32;
			break;
		case VGPU_FMT_SCRATCH:
			st->v[at][l] = 8 * below(3);
			break;
		case VGPU_FMT_MUBUF:
		case VGPU_FMT_MTBUF:
			st->v[at][l] = 8 * below(16);
			st->v[at + 1][l] = 8 * below(16);
			break;
		case VGPU_FMT_MIMG:
			for (n = 0; n < OWN_NUM; n++)
				st->v[at + n][l] = is_image_sample(op) ?
					below(2) * 0x3f000000 : below(2);
			break;
		}
	}
}

static void fill(struct state *st)
{
	/* A 2D image of RGBA, 32 bits each, linear; a buffer of 16 bytes each */
	static const u32 image[] = {
		DATA >> 8 & ~0U, DATA >> 40 | 75 << 20 | 3U << 30,
		3 << 14 | 1U << 31, 0xfac | 13U << 28, 0, 0, 0, 0,
		/* the sampler */
		0, 0, 0, 0
	};
	unsigned int n, l;

	for (n = 0; n < LOOKED_AT; n++) {
		for (l = 0; l < VGPU_LANES; l++)
			st->v[n][l] = machine_random();
	}
	for (n = 0; n < VGPU_S_VCC + 2; n++)
		st->s[n] = machine_random();
	memcpy(&st->s[RSRC], image, sizeof(image));
	st->s[BASE] = (u32)DATA;
	st->s[BASE + 1] = DATA >> 32;
	st->s[VGPU_S_M0] = 0;
	st->s[VGPU_S_EXEC] = below(4) ? ~0U : machine_random();
	st->s[VGPU_S_EXEC + 1] = below(4) ? ~0U : machine_random();
	for (n = 0; n < DATA_SIZE; n++)
		st->data[n] = (u8)machine_random();
	for (n = 0; n < MACHINE_LDS; n++)
		st->lds[n] = (u8)machine_random();
	st->scc = machine_random() & 1;
}

/* Components: four, or what an atomic's operands take; of a gather, one. */
static u32 dmask(enum vgpu_op op)
{
	const struct vgpu_op_info *info = &vgpu_op_info[op];

	if (info->class == VGPU_CLASS_MEM)
		return info->src[1] == info->dst ? 1 : 3;
	return strstr(info->name, "GATHER") ? 1 : 15;
}

/* What of the encoding has nothing to do with where registers lie */
static void choose(unsigned int format, enum vgpu_op op, struct encoding *e,
		   struct state *st)
{
	*e = (struct encoding){ .dst = is_scalar(format) ||
		vgpu_op_info[op].dst == VGPU_T_S32 ? SDST : DST, .sdst = SDST,
		.saddr = RSRC, .samp = RSRC + 8, .literal = machine_random() };
	switch (format) {
	case VGPU_FMT_VOP1:
	case VGPU_FMT_VOP2:
		/* What does not know a form is refused, twice. */
		e->sub = below(2) ? below(4) : VGPU_SUB_NONE;
		e->extra = e->sub == VGPU_SUB_SDWA ?
			   below(7) << 8 | below(3) << 11 | below(7) << 16 |
			   6 << 24 : e->sub == VGPU_SUB_DPP16 ?
			   (0x110U + below(0x3f)) << 8 | below(4) << 18 |
			   0xffU << 24 : machine_random() << 8;
		break;
	case VGPU_FMT_FLAT:
	case VGPU_FMT_GLOBAL:
	case VGPU_FMT_SCRATCH:
		e->flags = BIT(16);	/* atomics return what was there */
		e->saddr = format == VGPU_FMT_GLOBAL && below(2) ? BASE :
			   VGPU_S_NULL;
		break;
	case VGPU_FMT_MTBUF:
		e->flags = 75U << 19;
		/* fallthrough */
	case VGPU_FMT_MUBUF:
		e->flags |= BIT(14) | (1 + below(3)) << 12;
		st->s[RSRC] = (u32)DATA;
		st->s[RSRC + 1] = (DATA >> 32) | 16 << 16;
		st->s[RSRC + 2] = 120;
		/* RGBA, 32 bits each */
		st->s[RSRC + 3] = 0xfac | 75 << 12 | 1 << 28;
		break;
	case VGPU_FMT_MIMG:
		e->flags = BIT(13) | 1 << 3 | dmask(op) << 8;
		if (vgpu_op_info[op].class == VGPU_CLASS_MEM)
			st->s[RSRC + 1] ^= (75 ^ 20) << 20;	/* one UINT */
		break;
	}
}

/*
 * Places of the sources: in @e some of them on top of the destination, in @alone
 * all in registers that nothing else has. False when nothing lies on anything.
 */
static bool place(unsigned int format, enum vgpu_op op, unsigned int lanes,
		  struct encoding *e, struct encoding *alone)
{
	u32 vector = is_scalar(format) || is_memory(format) ? 0 : VGPU_SRC_VGPR0;
	bool on_top = false;
	unsigned int k;

	*alone = *e;
	for (k = 0; k < 3; k++) {
		unsigned int num = vgprs(format, op, k);
		unsigned int scalar = sgprs(format, op, k, lanes);
		bool top = below(4);

		if (scalar) {
			alone->src[k] = SOWN + SOWN_NUM * k;
			e->src[k] = top && writes_sgpr(format, op) ?
				near(SDST, scalar, scalar) : alone->src[k];
		} else if (num && vector && !e->sub && !below(4) &&
			   writes_sgpr(format, op) && k == 0) {
			/* An SGPR for all lanes */
			alone->src[k] = SOWN + SOWN_NUM * k;
			e->src[k] = near(SDST, num, num);
		} else if (num) {
			alone->src[k] = vector + OWN + OWN_NUM * k;
			e->src[k] = top && writes_vgpr(format, op) ? vector +
				(swaps(op) ? DST :
				 near(DST, num > 4 ? 4 : num, 1)) :
				alone->src[k];
		}
		on_top |= e->src[k] != alone->src[k];
	}
	return on_top;
}

/* The sources of @st, which are placed by @e, where @alone has them. */
static void move(unsigned int format, const struct encoding *e,
		 const struct encoding *alone, struct state *st)
{
	unsigned int k;

	for (k = 0; k < 3; k++) {
		u32 from = e->src[k], to = alone->src[k];

		if (from == to)
			continue;
		if (is_scalar(format) ||
		    (!is_memory(format) && from < VGPU_SRC_VGPR0))
			memmove(&st->s[to], &st->s[from],
				SOWN_NUM * sizeof(st->s[0]));
		else
			memmove(st->v[to & 255], st->v[from & 255],
				OWN_NUM * sizeof(st->v[0]));
	}
}

static void load(struct machine *m, const struct state *st)
{
	memcpy(m->w->v, st->v, sizeof(st->v));
	memcpy(m->w->s, st->s, sizeof(st->s));
	memcpy(machine_mem(m, DATA), st->data, DATA_SIZE);
	memcpy(m->lds, st->lds, MACHINE_LDS);
	m->w->scc = st->scc;
	m->w->excp = 0;
	m->w->stop = 0;
	m->w->flat_scratch = DATA;
	m->hwreg[HWREG_SH_MEM_BASES] = SHARED << 16 | PRIVATE;
	m->illegal = 0;
	m->faults = 0;
}

static void save(const struct machine *m, struct state *st)
{
	memcpy(st->v, m->w->v, sizeof(st->v));
	memcpy(st->s, m->w->s, sizeof(st->s));
	memcpy(st->data, m->mem + (DATA - MACHINE_BASE), DATA_SIZE);
	memcpy(st->lds, m->lds, MACHINE_LDS);
	st->scc = m->w->scc;
	st->excp = m->w->excp;
	st->faults = m->faults;
	st->illegal = m->illegal;
}

static void execute(struct machine *m, unsigned int at, struct state *st,
		    enum vgpu_op op)
{
	load(m, st);
	m->w->pc = MACHINE_BASE + at * 4;
	vgpu_isa_run(&m->g, m->w, 1);
	st->to = op == VGPU_OP_S_SWAPPC_B64 ? m->w->pc : 0;
	save(m, st);
	/* It is the address of the next instruction, which is elsewhere. */
	if (op == VGPU_OP_S_SWAPPC_B64)
		st->s[SDST] -= (u32)at * 4;
}

static bool same(const struct state *a, const struct state *b, bool show)
{
	unsigned int n, l;
	bool ok = a->scc == b->scc && a->excp == b->excp &&
		  a->faults == b->faults && a->illegal == b->illegal &&
		  a->to == b->to && !memcmp(a->data, b->data, DATA_SIZE) &&
		  !memcmp(a->lds, b->lds, MACHINE_LDS);

	if (!ok && show)
		printf("#   memory, SCC, exceptions or where it goes\n");
	for (n = 0; n < 128; n++) {
		if (a->s[n] == b->s[n] ||
		    (n >= SOWN && n < SOWN + 3 * SOWN_NUM))
			continue;
		if (show)
			printf("#   s%u is 0x%x, alone 0x%x\n", n, a->s[n],
			       b->s[n]);
		return false;
	}
	for (n = 0; n < OWN; n++) {
		for (l = 0; l < VGPU_LANES; l++) {
			if (a->v[n][l] == b->v[n][l])
				continue;
			if (show)
				printf("#   v%u[%u] is 0x%x, alone 0x%x\n", n,
				       l, a->v[n][l], b->v[n][l]);
			return false;
		}
	}
	return ok;
}

static void show_text(const u32 *w, unsigned int lanes)
{
	char text[256];

	vgpu_isa_text(&vgpu_isa_gfx10_3, w, lanes, text, sizeof(text));
	printf("# wave%u: %s\n", lanes, text);
}

/* One row in all its variants. Returns how many of them were executed. */
static unsigned int run(struct machine *m, unsigned int format,
			unsigned int opcode, unsigned int lanes,
			unsigned int *bad)
{
	enum vgpu_op op = vgpu_isa_gfx10_3.tables[format].rows[opcode].op;
	static struct state st, other;
	unsigned int n, done = 0;
	u32 w[2 * VGPU_MAX_WORDS];

	machine_reset(m, lanes);
	for (n = 0; n < VARIANTS; n++) {
		struct encoding e, alone;

		fill(&st);
		choose(format, op, &e, &st);
		if (!place(format, op, lanes, &e, &alone))
			continue;
		memset(w, 0, sizeof(w));
		encode(w, format, opcode, op, &e);
		encode(w + VGPU_MAX_WORDS, format, opcode, op, &alone);
		machine_code(m, w, sizeof(w));
		if (is_memory(format))
			put_address(&st, format, op, e.src[0],
				    e.saddr == BASE);
		if (format == VGPU_FMT_SMEM) {
			st.s[e.src[1]] = 4 * below(64);
			memcpy(&st.s[e.src[0]], (u32 []){ (u32)DATA,
			       DATA >> 32, DATA_SIZE, 0 },
			       4 * dwords(op, 0, lanes));
		}
		other = st;
		move(format, &e, &alone, &other);
		execute(m, 0, &st, op);
		execute(m, VGPU_MAX_WORDS, &other, op);
		done += !st.illegal;
		if (same(&st, &other, false))
			continue;
		if (++*bad <= MAX_SHOWN) {
			show_text(w, lanes);
			same(&st, &other, true);
		}
	}
	return done;
}

static void test_row(struct machine *m, unsigned int format,
		     unsigned int opcode, const char *variant)
{
	const struct vgpu_isa_row *row =
		&vgpu_isa_gfx10_3.tables[format].rows[opcode];
	unsigned int bad = 0, lanes, done;

	if (!row->mnemonic || !can_overlap(format, row->op))
		return;
	for (lanes = 32; lanes <= 64; lanes += 32) {
		done = run(m, format, opcode, lanes, &bad);
		if (done)
			continue;
		printf("# never executed by a wave%u\n", lanes);
		bad++;
	}
	failed += !!bad;
	printf("%sok %u - %s, format %u%s\n", bad ? "not " : "", ++count,
	       row->mnemonic, format, variant);
}

static void test_all(const char *variant)
{
	struct machine *m = machine_new();
	unsigned int format, opcode;

	for (format = 1; format < VGPU_NUM_FORMATS; format++) {
		for (opcode = 0;
		     opcode < vgpu_isa_gfx10_3.tables[format].num; opcode++)
			test_row(m, format, opcode, variant);
	}
	machine_free(m);
}

int main(void)
{
	test_all("");
	setenv("VGPU_NO_AVX2", "1", 1);
	test_all(" (without AVX2)");
	printf("1..%u\n", count);
	return failed != 0;
}
