// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Patterns of the instructions with a certain mnemonic: LLVM disassembles one instruction for
 * each opcode of each encoding, and the mnemonics are compared.
 */
#include <string.h>

#include "gpu.h"
#include "internal.h"

/*
 * An encoding: its first dword has @value in the bits @fixed, and its opcode in the bits
 * @operation. The other bits of @value, and the second dword @second, are operands that most
 * opcodes accept. Other opcodes need 0 as second dword, and some of these need the bits @others
 * in the first dword.
 */
struct encoding {
	uint32_t value, fixed, operation, second, others;
};

/*
 * RDNA 2 ISA document, "Microcode formats"; encodings with more fixed bits come first. Operands:
 * v0, v1 and v2; "off" and "null", 125; 0 as a constant, 128. MTBUF is missing, because its
 * opcode is not only in the first dword. Most MIMG opcodes need one bit of DMASK; those for rays
 * need all bits, and UNRM and R128.
 */
static const struct encoding gfx10_3[] = {
	{ 0xbe800000, 0xff800000, 0x0000ff00, 0, 0 },		/* SOP1 */
	{ 0xbf000000, 0xff800000, 0x007f0000, 0, 0 },		/* SOPC */
	{ 0xbf800000, 0xff800000, 0x007f0000, 0, 0 },		/* SOPP */
	{ 0xcc000000, 0xff800000, 0x007f0000, 0x1c0a0300, 0 },	/* VOP3P */
	{ 0x7e000100, 0xfe000000, 0x0001fe00, 0, 0 },		/* VOP1 */
	{ 0x7c000100, 0xfe000000, 0x01fe0000, 0, 0 },		/* VOPC */
	{ 0xdc000000, 0xfc00c000, 0x01fc0000, 0x007d0000, 0 },	/* FLAT, by SEG */
	{ 0xdc004000, 0xfc00c000, 0x01fc0000, 0x007d0000, 0 },
	{ 0xdc008000, 0xfc00c000, 0x01fc0000, 0x007d0000, 0 },
	{ 0xf4000000, 0xfc000000, 0x03fc0000, 0xfa000000, 0 },	/* SMEM */
	{ 0xd4000000, 0xfc000000, 0x03ff0000, 0x040a0300, 0 },	/* VOP3 */
	{ 0xc8000000, 0xfc000000, 0x00030000, 0, 0 },		/* VINTRP */
	{ 0xd8000000, 0xfc000000, 0x03fc0000, 0, 0 },		/* DS */
	{ 0xe0000000, 0xfc000000, 0x03fc0000, 0x80000000, 0 },	/* MUBUF */
	{ 0xf0000100, 0xfc000000, 0x01fc0001, 0, 0x9f00 },	/* MIMG */
	{ 0xf8000000, 0xfc000000, 0, 0, 0 },			/* EXP */
	{ 0xb0000000, 0xf0000000, 0x0f800000, 0, 0 },		/* SOPK */
	{ 0x80000000, 0xc0000000, 0x3f800000, 0, 0 },		/* SOP2 */
	{ 0x00000100, 0x80000000, 0x7e000000, 0, 0 },		/* VOP2 */
};

/* Find the encoding with the most fixed bits that matches a word. */
static const struct encoding *encoding_of(uint32_t word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(gfx10_3); i++) {
		if (!((word ^ gfx10_3[i].value) & gfx10_3[i].fixed))
			return &gfx10_3[i];
	}
	return NULL;
}

/* A mnemonic may be followed by the encoding: "v_add_f32" matches "v_add_f32_e32". */
static bool is_called(const char *text, const char *mnemonic)
{
	size_t n = strlen(mnemonic);

	if (strncmp(text, mnemonic, n))
		return false;
	text += n;
	if (!strncmp(text, "_e32", 4) || !strncmp(text, "_e64", 4))
		text += 4;
	return !*text || *text == ' ';
}

/*
 * Does an instruction of the encoding with this first dword have the mnemonic? Return: 1, 0 or
 * -errno.
 */
static int is_one(struct adbgd_disasm *disasm, const struct encoding *e, uint32_t word,
		  const char *mnemonic, struct adbgd_error *error)
{
	const uint32_t pairs[][2] = { { word, e->second }, { word, 0 }, { word | e->others, 0 } };
	uint32_t words[ADBGD_INSN_SIZE_MAX / 4] = { 0 };
	struct adbgd_insn insn;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		memcpy(words, pairs[i], sizeof(pairs[i]));
		ret = adbgd_disasm_insn(disasm, 0, words, sizeof(words), &insn, error);
		if (ret)
			return ret;
		if (insn.flow != ADBGD_FLOW_ILLEGAL && is_called(insn.text, mnemonic))
			return 1;
	}
	return 0;
}

/* Try each value of the opcode, from 0 on. */
static int find_in(struct adbgd_disasm *disasm, const struct encoding *e, const char *mnemonic,
		   struct adbgd_insn_match *insns, size_t *num, struct adbgd_error *error)
{
	uint32_t operation = 0, word;
	int ret;

	do {
		word = e->value | operation;
		if (encoding_of(word) == e) {
			ret = is_one(disasm, e, word, mnemonic, error);
			if (ret < 0)
				return ret;
			if (ret && *num == ADBGD_MAX_INSN_MATCHES)
				return adbgd_fail(error, -E2BIG, "more than %d encodings are called "
						  "%s", ADBGD_MAX_INSN_MATCHES, mnemonic);
			if (ret)
				insns[(*num)++] = (struct adbgd_insn_match){
					.value = (e->value & e->fixed) | operation,
					.mask = e->fixed | e->operation,
				};
		}
		operation = (operation - e->operation) & e->operation;
	} while (operation);
	return 0;
}

ADBGD_API int adbgd_mnemonic_get_patterns(struct adbgd_disasm *disasm, const char *mnemonic,
					  struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES],
					  size_t *num, struct adbgd_error *error)
{
	const char *gpu = adbgd_disasm_gpu(disasm)->name;
	size_t i;
	int ret = 0;

	if (strncmp(gpu, "gfx103", strlen("gfx103")))
		return adbgd_fail(error, -EOPNOTSUPP, "breakpoints on instructions are not "
				  "supported for %s", gpu);
	*num = 0;
	for (i = 0; !ret && i < ARRAY_SIZE(gfx10_3); i++)
		ret = find_in(disasm, &gfx10_3[i], mnemonic, insns, num, error);
	if (!ret && !*num)
		ret = adbgd_fail(error, -ENOENT, "the GPU has no instruction %s, or its first "
				 "dword does not identify it", mnemonic);
	return ret;
}
