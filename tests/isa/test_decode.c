// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decoder, compared with LLVM's: every row of the table with many operands, every opcode
 * without a row, and random words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "llvm.h"
#include "machine.h"

#define TRIES		96	/* encodings per row */
#define FUZZ		300000
#define MAX_SHOWN	10
#define LITERAL		0x11223344

static const char *const format_names[VGPU_NUM_FORMATS] = {
	[VGPU_FMT_SOP2] = "SOP2", [VGPU_FMT_SOPK] = "SOPK",
	[VGPU_FMT_SOP1] = "SOP1", [VGPU_FMT_SOPC] = "SOPC",
	[VGPU_FMT_SOPP] = "SOPP", [VGPU_FMT_SMEM] = "SMEM",
	[VGPU_FMT_VOP2] = "VOP2", [VGPU_FMT_VOP1] = "VOP1",
	[VGPU_FMT_VOPC] = "VOPC", [VGPU_FMT_VOP3] = "VOP3",
	[VGPU_FMT_VOP3P] = "VOP3P", [VGPU_FMT_VINTRP] = "VINTRP",
	[VGPU_FMT_DS] = "DS", [VGPU_FMT_FLAT] = "FLAT",
	[VGPU_FMT_SCRATCH] = "SCRATCH", [VGPU_FMT_GLOBAL] = "GLOBAL",
	[VGPU_FMT_MUBUF] = "MUBUF", [VGPU_FMT_MTBUF] = "MTBUF",
	[VGPU_FMT_MIMG] = "MIMG", [VGPU_FMT_EXP] = "EXP",
};

static const struct vgpu_isa *isa = &vgpu_isa_gfx10_3;
static unsigned int count, failed;

static void result(bool ok, const char *what, unsigned int lanes)
{
	printf("%sok %u - %s wave%u\n", ok ? "" : "not ", ++count, what, lanes);
	failed += !ok;
}

static u32 below(u32 n)
{
	return machine_random() % n;
}

/* An SGPR that begins any tuple, VCC or TTMPs. */
static u32 sgpr(void)
{
	switch (below(6)) {
	case 0:
		return VGPU_S_VCC;
	case 1:
		return VGPU_S_TTMP0 + 4 * below(3);
	default:
		return 4 * below(24);
	}
}

static u32 scalar_source(void)
{
	switch (below(5)) {
	case 0:
		return VGPU_SRC_ZERO + below(81);
	case 1:
		return VGPU_SRC_HALF + below(9);
	case 2:
		return below(2) ? VGPU_SRC_LITERAL : VGPU_SRC_SCC;
	default:
		return sgpr();
	}
}

static u32 vgpr(void)
{
	return 2 * below(120);
}

static u32 vector_source(void)
{
	return below(2) ? VGPU_SRC_VGPR0 + vgpr() : scalar_source();
}

/* abs, neg, clamp, omod: where the operation may have them */
static void vop3_modifiers(u32 *w, enum vgpu_op op)
{
	const struct vgpu_op_info *info = &vgpu_op_info[op];
	unsigned int k;

	for (k = 0; k < 3; k++) {
		if (!vgpu_type_is_float(info->src[k]))
			continue;
		if (!info->sdst || info->class == VGPU_CLASS_VCMP)
			w[0] |= below(2) << (8 + k);
		w[1] |= below(2) << (29 + k);
	}
	if (info->dst == VGPU_T_F32) {
		w[0] |= below(2) << 15;
		w[1] |= below(4) << 27;
	}
}

static bool has_sdst(enum vgpu_op op)
{
	return vgpu_op_info[op].class == VGPU_CLASS_VALU &&
	       vgpu_op_info[op].sdst;
}

static void make_vop3(u32 *w, u32 op, enum vgpu_op sem, bool plain)
{
	const struct vgpu_op_info *info = &vgpu_op_info[sem];
	u32 src[3] = { 0 };
	unsigned int k, n = 0;

	for (k = 0; k < 3; k++) {
		if (sem == VGPU_OP_NONE)
			src[n] = VGPU_SRC_VGPR0 + 2 * k + 2;
		else if (info->src[k] == VGPU_T_M)
			src[n] = 4 * below(24);
		else if (info->src[k] == VGPU_T_S32)
			src[n] = 4 * below(24);
		else if (info->src[k] != VGPU_T__ &&
			 info->src[k] != VGPU_T_DF32 &&
			 info->src[k] != VGPU_T_DF16)
			src[n] = plain || n ? VGPU_SRC_VGPR0 + vgpr() :
				 vector_source();
		else
			continue;
		n++;
	}
	w[0] = 0x35U << 26 | op << 16;
	w[1] = src[2] << 18 | src[1] << 9 | src[0];
	if (info->class == VGPU_CLASS_VCMP)
		w[0] |= sgpr();
	else if (info->class == VGPU_CLASS_VCMPX || op < 0x100)
		w[0] |= VGPU_S_EXEC;
	else if (info->dst == VGPU_T_S32)
		w[0] |= sgpr();
	else if (info->dst || sem == VGPU_OP_NONE)
		w[0] |= vgpr();
	if (has_sdst(sem))
		w[0] |= sgpr() << 8;
	if (sem != VGPU_OP_NONE)
		vop3_modifiers(w, sem);
}

/*
 * Any of the kinds of operands in each field, of which none is one: what an
 * opcode without an operation has is for LLVM to say.
 */
static u32 any_sources(void)
{
	static const u16 kinds[] = { VGPU_SRC_VGPR0 + 8, 8, 0 };

	return (u32)kinds[below(3)] << 18 | kinds[below(3)] << 9 |
	       kinds[below(3)];
}

static void make_vop3p(u32 *w, u32 op, enum vgpu_op sem)
{
	const struct vgpu_op_info *info = &vgpu_op_info[sem];
	unsigned int k;

	w[0] = 0x198U << 23 | op << 16 | vgpr();
	w[1] = 3U << 27;
	if (sem == VGPU_OP_NONE) {
		w[1] |= any_sources();
		return;
	}
	for (k = 0; k < 3; k++) {
		if (!info->src[k])
			continue;
		w[1] |= (k ? VGPU_SRC_VGPR0 + vgpr() : vector_source()) << 9 * k;
		w[0] |= below(2) << (11 + k);
		if (k < 2)
			w[1] ^= below(2) << (27 + k);
		else
			w[0] |= BIT(14);
		if (info->src[k] != VGPU_T_PF16)
			continue;
		w[0] |= below(2) << (8 + k);
		w[1] |= below(2) << (29 + k);
	}
	w[0] |= below(2) << 15;
}

static u32 flags(u32 glc, u32 slc, u32 dlc)
{
	return below(2) * glc | below(2) * slc | below(2) * dlc;
}

static void make_flat(u32 *w, u32 op, u32 seg, enum vgpu_op sem, bool plain)
{
	const struct vgpu_op_info *info = &vgpu_op_info[sem];
	bool atomic = info->dst && info->src[1], glc = below(2);
	bool known = sem != VGPU_OP_NONE;
	bool addtid = known && strstr(info->name, "ADDTID");

	w[0] = 0x37U << 26 | op << 18 | seg << 14 |
	       (seg ? below(4096) : below(2048));
	w[1] = addtid ? 0 : vgpr();
	if (plain)
		w[0] &= ~4095U;
	else
		w[0] |= flags(0, 1 << 17, 1 << 12) | (u32)glc << 16;
	/* Without knowing better: atomics of both kinds, loads, stores */
	if (known ? info->src[1] : plain || below(2))
		w[1] |= vgpr() << 8;
	if (known ? info->dst && (!atomic || w[0] & BIT(16)) :
	    (w[0] & BIT(16)) || below(2))
		w[1] |= vgpr() << 24;
	if (seg == 0 || (!addtid && below(2)))
		w[1] |= VGPU_S_NULL << 16;
	else
		w[1] |= (seg == 1 && below(2) ? VGPU_SADDR_NONE :
			 4 * below(24)) << 16;
	if (seg == 1 && (w[1] >> 16 & 127) != VGPU_S_NULL)
		w[1] &= ~255U;
}

static void make_ds(u32 *w, u32 op, enum vgpu_op sem, unsigned int try)
{
	/* Which of address, data 0, data 1 and destination there are. */
	static const u32 forms[] = {
		0x040c0802, 0x000c0802, 0x04000802, 0x00000802, 0x04000002,
		0x00000800, 0x00000000, 0x00000002, 0x04000000,
	};
	const struct vgpu_op_info *info = &vgpu_op_info[sem];

	w[0] = 0x36U << 26 | op << 18;
	w[1] = forms[try % ARRAY_SIZE(forms)];
	if (sem == VGPU_OP_NONE) {
		if (try / ARRAY_SIZE(forms) % 2)
			w[0] |= BIT(17);
		return;
	}
	if (!info->dst && !info->src[1])
		return;
	w[0] |= try < 8 ? 0 : machine_random() & 0xffff;
	w[1] = strstr(info->name, "ADDTID") || sem == VGPU_OP_DS_APPEND ||
	       sem == VGPU_OP_DS_CONSUME ? 0 : vgpr();
	w[1] |= info->src[1] ? vgpr() << 8 : 0;
	w[1] |= info->src[2] ? vgpr() << 16 : 0;
	w[1] |= info->dst ? vgpr() << 24 : 0;
}

static void make_smem(u32 *w, u32 op, enum vgpu_op sem, unsigned int try)
{
	const struct vgpu_op_info *info = &vgpu_op_info[sem];
	bool known = sem != VGPU_OP_NONE;

	w[0] = 0x3dU << 26 | op << 18;
	w[1] = 0;
	if (known ? info->dst : 1)
		w[0] |= 16 * below(6) << 6;
	if (known && !info->src[0])
		return;
	w[0] |= 2 * below(24) | flags(1 << 16, 0, 1 << 14);
	w[1] = below(2) ? VGPU_S_NULL << 25 | (machine_random() & 0x1fffff) :
	       4 * below(24) << 25;
	if (!known && try % 2)
		w[0] &= ~(BIT(16) | BIT(14));
}

static void make_mubuf(u32 *w, u32 op, enum vgpu_op sem)
{
	bool none = sem == VGPU_OP_BUFFER_GL0_INV ||
		    sem == VGPU_OP_BUFFER_GL1_INV;

	w[0] = 0x38U << 26 | op << 18;
	w[1] = 0;
	if (none)
		return;
	w[0] |= below(4096) | flags(1 << 14, 0, 1 << 15) | below(4) << 12;
	w[1] = below(2) << 22 | below(24) << 16 | vgpr() << 8;
	w[1] |= w[0] & (3 << 12) ? vgpr() : 0;
	w[1] |= (below(2) ? 4 * below(24) : VGPU_SRC_ZERO + below(60)) << 24;
}

static void make_mimg(u32 *w, u32 op, enum vgpu_op sem, unsigned int try)
{
	const struct vgpu_op_info *info = &vgpu_op_info[sem];
	bool atomic = info->class == VGPU_CLASS_MEM;
	u32 dmask = try & 8 ? 1 : sem == VGPU_OP_NONE ? 15 : 1 + below(15);

	w[0] = 0x3cU << 26 | (op & 0x7f) << 18 | (try & 7) << 3 | op >> 7;
	w[1] = (try & 16 ? 3 : 0) << 21 | 2 << 16 | 4 << 8 | 2;
	if (sem == VGPU_OP_NONE) {
		/* Ray tracing has UNRM and R128 always. */
		w[0] |= dmask << 8 | (try / 32 == 1 ? BIT(12) | BIT(15) :
				      try / 32 == 2 ? BIT(12) : 0);
		return;
	}
	/* Where it has no such form, LLVM shows what it likes. */
	if (atomic)
		dmask = info->src[1] == VGPU_T_B64 ? 3 : 1;
	if ((try & 7) >= 6)
		w[0] &= ~(7U << 3);
	w[0] |= dmask << 8 | flags(1 << 13, 1 << 25, 1 << 7) | below(2) << 12;
	w[1] |= below(2) << 30 | (atomic ? 0 : below(2) << 31);
	if (try & 32 && !atomic) {	/* addresses of their own: more than one */
		w[0] = (w[0] & ~(7U << 3)) | 2 << 3 | 3 << 1;
		w[2] = machine_random() & 0x7f7f7f7f;
		w[3] = machine_random() & 0x7f7f7f7f;
		w[4] = machine_random() & 0x7f7f7f7f;
	}
}

/* One encoding of a row; @try: which variant. */
static void make(u32 *w, unsigned int format, u32 op, enum vgpu_op sem,
		 unsigned int try)
{
	const struct vgpu_op_info *info = &vgpu_op_info[sem];
	bool known = sem != VGPU_OP_NONE, plain = try < 8;
	unsigned int n;

	for (n = 0; n < VGPU_MAX_WORDS; n++)
		w[n] = LITERAL;
	switch (format) {
	case VGPU_FMT_SOP2:
		w[0] = 2U << 30 | op << 23 | sgpr() << 16 |
		       scalar_source() << 8 | sgpr();
		break;
	case VGPU_FMT_SOPK:
		w[0] = 0xbU << 28 | op << 23 | sgpr() << 16 | (machine_random() & 0xffff);
		break;
	case VGPU_FMT_SOP1:
		w[0] = 0x17dU << 23 | op << 8;
		if (known ? info->dst : try & 1)
			w[0] |= sgpr() << 16;
		if (known ? info->src[0] : try & 2)
			w[0] |= below(2) ? sgpr() : scalar_source();
		break;
	case VGPU_FMT_SOPC:
		w[0] = 0x17eU << 23 | op << 16 | scalar_source() << 8 | sgpr();
		break;
	case VGPU_FMT_SOPP:
		w[0] = 0x17fU << 23 | op << 16 | (plain ? 0 : machine_random() & 0xffff);
		break;
	case VGPU_FMT_SMEM:
		make_smem(w, op, sem, try);
		break;
	case VGPU_FMT_VOP1:
		w[0] = 0x3fU << 25 | op << 9;
		if (!known ? try & 1 : info->dst)
			w[0] |= (info->dst == VGPU_T_S32 ? sgpr() : vgpr()) <<
				17;
		if (!known ? try & 2 : info->src[0])
			w[0] |= plain ? VGPU_SRC_VGPR0 + vgpr() :
				vector_source();
		break;
	case VGPU_FMT_VOP2:
		w[0] = op << 25 | vgpr() << 17 | vgpr() << 9 |
		       (plain ? VGPU_SRC_VGPR0 + vgpr() : vector_source());
		break;
	case VGPU_FMT_VOPC:
		w[0] = 0x3eU << 25 | op << 17 | vgpr() << 9 |
		       (plain ? VGPU_SRC_VGPR0 + vgpr() : vector_source());
		break;
	case VGPU_FMT_VOP3:
		make_vop3(w, op, sem, plain);
		if (sem == VGPU_OP_NONE)
			w[1] = any_sources();
		break;
	case VGPU_FMT_VOP3P:
		make_vop3p(w, op, sem);
		break;
	case VGPU_FMT_VINTRP:
		w[0] = 0x32U << 26 | 4 << 18 | op << 16 | (try & 3);
		break;
	case VGPU_FMT_DS:
		make_ds(w, op, sem, try);
		break;
	case VGPU_FMT_FLAT:
		make_flat(w, op, 0, sem, plain);
		break;
	case VGPU_FMT_SCRATCH:
		make_flat(w, op, 1, sem, plain);
		break;
	case VGPU_FMT_GLOBAL:
		make_flat(w, op, 2, sem, plain);
		break;
	case VGPU_FMT_MUBUF:
		make_mubuf(w, op, sem);
		break;
	case VGPU_FMT_MTBUF:
		make_mubuf(w, 0, VGPU_OP_NONE);
		w[0] = 0x3aU << 26 | (1 + below(77)) << 19 | (op & 7) << 16 |
		       (w[0] & 0xffff);
		w[1] |= (op >> 3) << 21;
		break;
	case VGPU_FMT_MIMG:
		make_mimg(w, op, sem, try);
		break;
	case VGPU_FMT_EXP:
		w[0] = 0x3eU << 26 | 0xf;
		w[1] = 0x04030201;
		break;
	}
}

/* LLVM shows immediates of these by names; only the mnemonic is compared. */
static bool operands_shown(unsigned int format, enum vgpu_op op)
{
	switch (format) {
	case VGPU_FMT_SOPP:
		return false;
	case VGPU_FMT_VOP3P:
		return vgpu_op_info[op].class == VGPU_CLASS_VALU;
	}
	switch (op) {
	case VGPU_OP_NONE:
	case VGPU_OP_S_GETREG_B32:
	case VGPU_OP_S_SETREG_B32:
	case VGPU_OP_S_SETREG_IMM32_B32:
	case VGPU_OP_S_CALL_B64:
	case VGPU_OP_S_VERSION:
	case VGPU_OP_S_SUBVECTOR_LOOP_BEGIN:
	case VGPU_OP_S_SUBVECTOR_LOOP_END:
	case VGPU_OP_S_ATC_PROBE:
	case VGPU_OP_S_ATC_PROBE_BUFFER:
	case VGPU_OP_S_WAITCNT_VSCNT:
	case VGPU_OP_S_WAITCNT_VMCNT:
	case VGPU_OP_S_WAITCNT_EXPCNT:
	case VGPU_OP_S_WAITCNT_LGKMCNT:
	case VGPU_OP_DS_SWIZZLE_B32:
	case VGPU_OP_V_SWAP_B32:
	case VGPU_OP_V_SWAPREL_B32:
		return false;
	default:
		return true;
	}
}

static bool compare(const u32 *w, unsigned int format, unsigned int lanes,
		    const char *theirs, unsigned int their_words, bool operands)
{
	static unsigned int shown[VGPU_NUM_FORMATS];
	char ours[256];
	unsigned int words = vgpu_isa_text(isa, w, lanes, ours, sizeof(ours));
	bool ok = words == their_words;

	if (operands)
		ok = ok && !strcmp(ours, theirs);
	else
		ok = ok && strcspn(ours, " ") == strcspn(theirs, " ") &&
		     !strncmp(ours, theirs, strcspn(ours, " "));
	if (!ok && shown[format]++ < MAX_SHOWN)
		printf("# %s %08x %08x: '%s' (%u), LLVM: '%s' (%u)\n",
		       format_names[format] ? format_names[format] : "?",
		       w[0], w[1], ours, words, theirs, their_words);
	return ok;
}

static void test_format(struct llvm *llvm, unsigned int lanes,
			unsigned int format)
{
	const struct vgpu_isa_table *t = &isa->tables[format];
	unsigned int op, try, bad = 0, unseen = 0;
	u32 w[VGPU_MAX_WORDS];
	char theirs[256];

	for (op = 0; op < t->num; op++) {
		const struct vgpu_isa_row *row = &t->rows[op];
		unsigned int seen = 0;

		for (try = 0; row->mnemonic && try < TRIES; try++) {
			unsigned int n;

			make(w, format, op, row->op, try);
			n = llvm_text(llvm, w, VGPU_MAX_WORDS, theirs,
				      sizeof(theirs));
			/* Not every combination of fields is valid. */
			if (!n || !strncmp(theirs, ".long", 5))
				continue;
			seen++;
			bad += !compare(w, format, lanes, theirs, n,
					operands_shown(format, row->op));
		}
		if (row->mnemonic && !seen) {
			printf("# %s: no valid encoding was tried\n",
			       row->mnemonic);
			unseen++;
		}
	}
	result(!bad && !unseen, format_names[format], lanes);
}

/* What has no row here has no meaning for LLVM either. */
static void test_missing(struct llvm *llvm, unsigned int lanes)
{
	unsigned int format, op, try, bad = 0;
	u32 w[VGPU_MAX_WORDS];
	struct vgpu_fields f;
	char theirs[256];

	for (format = 1; format < VGPU_NUM_FORMATS; format++) {
		const struct vgpu_isa_table *t = &isa->tables[format];

		for (op = 0; op < t->num; op++) {
			for (try = 0; !t->rows[op].mnemonic && try < TRIES;
			     try++) {
				make(w, format, op, VGPU_OP_NONE, try);
				if (!isa->decode(w, &f) || f.format != format ||
				    f.opcode != op)
					continue;
				if (!llvm_text(llvm, w, VGPU_MAX_WORDS, theirs,
					       sizeof(theirs)))
					continue;
				if (bad++ < MAX_SHOWN)
					printf("# %s 0x%x is '%s'\n",
					       format_names[format], op,
					       theirs);
			}
		}
	}
	result(!bad, "opcodes without a row", lanes);
}

static void test_random(struct llvm *llvm, unsigned int lanes)
{
	unsigned int n, k, bad = 0, valid = 0;
	u32 w[VGPU_MAX_WORDS];
	char theirs[256];

	for (n = 0; n < FUZZ; n++) {
		unsigned int len;

		for (k = 0; k < VGPU_MAX_WORDS; k++)
			w[k] = machine_random();
		/* LLVM 19.1.7 crashes on some second words of SDWA. */
		if (!(w[0] & BIT(31)) && (w[0] & 0x1ff) == 249)
			w[0] ^= 1;
		/* It also sees literals where buffers cannot have them. */
		if (w[0] >> 28 == 0xe && w[1] >> 24 == VGPU_SRC_LITERAL)
			w[1] ^= BIT(31);
		len = llvm_text(llvm, w, VGPU_MAX_WORDS, theirs,
				sizeof(theirs));
		if (!len)
			continue;
		valid++;
		bad += !compare(w, VGPU_FMT_NONE, lanes, theirs, len, false);
	}
	printf("# %u of %u random words were valid\n", valid, FUZZ);
	result(!bad && valid > FUZZ / 4, "random words", lanes);
}

/* Two rows of a format with one name would be two encodings of one thing. */
static void test_overlap(void)
{
	unsigned int format, a, b, bad = 0;

	for (format = 1; format < VGPU_NUM_FORMATS; format++) {
		const struct vgpu_isa_table *t = &isa->tables[format];

		for (a = 0; a < t->num; a++) {
			for (b = a + 1; t->rows[a].mnemonic && b < t->num; b++) {
				if (!t->rows[b].mnemonic ||
				    strcmp(t->rows[a].mnemonic,
					   t->rows[b].mnemonic))
					continue;
				printf("# %s: 0x%x and 0x%x are both %s\n",
				       format_names[format], a, b,
				       t->rows[a].mnemonic);
				bad++;
			}
		}
	}
	result(!bad, "no two opcodes of a format have one name", 32);
}

int main(void)
{
	unsigned int lanes, format;

	for (lanes = 32; lanes <= 64; lanes += 32) {
		struct llvm *llvm = llvm_open("gfx1033", lanes);

		if (!llvm) {
			printf("1..0 # SKIP no libLLVM 19 with the AMDGPU target\n");
			return 77;
		}
		for (format = 1; format < VGPU_NUM_FORMATS; format++)
			test_format(llvm, lanes, format);
		test_missing(llvm, lanes);
		test_random(llvm, lanes);
	}
	test_overlap();
	printf("1..%u\n", count);
	return failed != 0;
}
