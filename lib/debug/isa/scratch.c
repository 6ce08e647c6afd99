// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gfx10.3: private memory. Descriptors and encodings are those of the "RDNA 2" ISA document (AMD,
 * 2020), 8.1.8 "Buffer Resource Descriptor" and chapter "Microcode formats".
 *
 * A kernel begins with a descriptor of the scratch memory of all waves, and adds the offset of its
 * wave to the base (LLVM 19, SIFrameLowering::emitEntryFunctionScratchRsrcRegSetup()):
 *
 *	s_add_u32 s0, s0, s9
 *	s_addc_u32 s1, s1, 0
 *
 * From then on the registers have the wave's descriptor, also in the functions that it calls. The
 * compiler may use other registers than s[0:3].
 */
#include "scratch.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "length.h"

/* Descriptors may be in s[0:3], s[4:7], ... s[100:103]. */
#define NUM_DESCRIPTORS	26

/* MUBUF: 0x38 in [31:26]; SRSRC, a number of four SGPRs, in [20:16] of the second dword */
#define IS_MUBUF(w)	((w) >> 26 == 0x38)
#define MUBUF_SRSRC(w)	((w) >> 16 & 0x1f)

/* SOP2: 2 in [31:30]; opcode [29:23], SDST [22:16], SSRC1 [15:8], SSRC0 [7:0] */
#define SOP2_S_ADDC_U32	(0x100 | 4)
#define SOP2_OP(w)	((w) >> 23)
#define SOP2_SDST(w)	((w) >> 16 & 0x7f)
#define SOP2_SSRC1(w)	((w) >> 8 & 0xff)
#define SOP2_SSRC0(w)	((w) & 0xff)
#define SSRC_ZERO	128

/* Words of a descriptor */
#define BASE_HI(d)	((d)[1] & 0xffff)
#define STRIDE(d)	((d)[1] >> 16 & 0x3fff)
#define SWIZZLE_ENABLE	(1U << 31)	/* in word 1 */
#define INDEX_STRIDE(d)	(8U << ((d)[3] >> 21 & 3))
#define ADD_TID_ENABLE	(1U << 23)	/* in word 3 */

/* Does it add a carry to the second register of a descriptor, the upper half of the base? */
static bool completes_descriptor(uint32_t w)
{
	return SOP2_OP(w) == SOP2_S_ADDC_U32 && SOP2_SDST(w) == SOP2_SSRC0(w) &&
	       SOP2_SSRC1(w) == SSRC_ZERO && SOP2_SDST(w) % 4 == 1 &&
	       SOP2_SDST(w) / 4 < NUM_DESCRIPTORS;
}

/* The descriptors that a function uses, for private memory or other buffers */
struct use {
	uint32_t descriptors;	/* bit n: s[4n : 4n + 3] */
	/* Bytes of the function until it has completed the descriptor; 0: it does not */
	uint32_t complete_at[NUM_DESCRIPTORS];
};

/* The scan ends at the first dword that is not an instruction. */
static void scan(uint32_t gc_version, const uint32_t *code, size_t num, struct use *use)
{
	uint32_t insn[ADBGD_MAX_DWORDS], n;
	size_t at, length;

	memset(use, 0, sizeof(*use));
	for (at = 0; at < num; at += length) {
		memset(insn, 0, sizeof(insn));
		memcpy(insn, code + at, 4 * (num - at < ADBGD_MAX_DWORDS ? num - at :
					     ADBGD_MAX_DWORDS));
		length = adbgd_length(gc_version, insn);
		if (!length)
			return;
		if (IS_MUBUF(insn[0])) {
			n = MUBUF_SRSRC(insn[1]);
			if (n < NUM_DESCRIPTORS)
				use->descriptors |= 1U << n;
		} else if (completes_descriptor(insn[0])) {
			n = SOP2_SDST(insn[0]) / 4;
			/* Only before its first use: later, it is ordinary arithmetic. */
			if (!(use->descriptors >> n & 1))
				use->complete_at[n] = 4 * (at + length);
		}
	}
}

static bool decode(const uint32_t descriptor[4], struct adbgd_swizzle *swizzle)
{
	if (!(descriptor[1] & SWIZZLE_ENABLE) || !(descriptor[3] & ADD_TID_ENABLE))
		return false;
	swizzle->base = (uint64_t)BASE_HI(descriptor) << 32 | descriptor[0];
	swizzle->stride = STRIDE(descriptor);
	swizzle->lanes = INDEX_STRIDE(descriptor);
	return true;
}

static int read_descriptor(const struct adbgd_context *c, uint32_t number, uint32_t words[4])
{
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < 4; i++)
		ret = c->read_register(c->data, AMDGPUDBG_REG_SGPR, 4 * number + i, c->lane,
				       &words[i]);
	return ret;
}

int adbgd_scratch_find(uint32_t gc_version, const uint32_t *code, size_t num, uint64_t offset,
		       const struct adbgd_context *context, struct adbgd_swizzle *swizzle)
{
	int ret, otherwise = 0;
	uint32_t n, words[4];
	struct use use;

	scan(gc_version, code, num, &use);
	for (n = 0; n < NUM_DESCRIPTORS; n++) {
		if (!(use.descriptors >> n & 1))
			continue;
		/* Until then, the registers may have anything. */
		if (offset < use.complete_at[n]) {
			otherwise = -ENODATA;
			continue;
		}
		ret = read_descriptor(context, n, words);
		if (ret)
			return ret;
		if (decode(words, swizzle))
			return 1;
	}
	return otherwise;
}
