// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/isa/length.c: each instruction that LLVM can decode has the length that LLVM
 * reports, except for buffer instructions with a literal as SOFFSET, which the RDNA 2 ISA
 * document does not define.
 */
#include "debug/util.h"

#include "isa/length.h"

#define NUM_WORDS	400000

static uint32_t random_state = 1;

/* xorshift32 */
static uint32_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

/* Operands that a dword follows are rare by chance: LITERAL, SDWA, DPP. */
static uint32_t operand(uint32_t word, unsigned int shift, unsigned int bits)
{
	static const uint32_t some[] = { 255, 249, 250, 233, 234 };
	uint32_t mask = (1U << bits) - 1;

	return (word & ~(mask << shift)) | some[next_random() % ARRAY_SIZE(some)] << shift;
}

static void make(uint32_t words[ADBGD_MAX_DWORDS])
{
	for (unsigned int i = 0; i < ADBGD_MAX_DWORDS; i++)
		words[i] = next_random();
	switch (next_random() % 8) {
	case 0:
		words[0] = operand(words[0] & 0x7fffffff, 0, 9);
		break;
	case 1:
		words[0] = operand((words[0] & 0x3fffffff) | 2U << 30, next_random() % 2 * 8, 8);
		break;
	case 2:
		/* VOP3, VOP3P: of many operations few are valid */
		words[0] = (words[0] & 0x03ffffff) | (next_random() % 2 ? 0x35U : 0x33U) << 26;
		words[1] = operand(words[1], next_random() % 3 * 9, 9);
		break;
	case 3:
		/* MIMG: with one to three dwords of addresses, or none */
		words[0] = (words[0] & 0x03ffffff) | 0x3cU << 26;
		break;
	default:
		break;
	}
}

/* MUBUF, MTBUF */
static bool is_buffer(uint32_t word)
{
	return word >> 26 == 0x38 || word >> 26 == 0x3a;
}

static void lengths_are_those_of_llvm(void **state)
{
	uint32_t words[ADBGD_MAX_DWORDS];
	unsigned int num[ADBGD_MAX_DWORDS + 1] = { 0 };
	struct adbgd_disasm *disasm;
	struct adbgd_error error;
	struct adbgd_insn insn;

	(void)state;
	assert_int_equal(adbgd_disasm_new("gfx1033", 32, &disasm, &error), 0);
	for (unsigned int i = 0; i < NUM_WORDS; i++) {
		make(words);
		assert_int_equal(adbgd_disasm_insn(disasm, 0, words, sizeof(words), &insn,
						   &error), 0);
		if (insn.flow == ADBGD_FLOW_ILLEGAL)
			continue;
		if (is_buffer(words[0]) && insn.size == 12) {
			assert_int_equal(adbgd_length(ADBG_GC_VERSION(10, 3, 1), words), 0);
			continue;
		}
		num[insn.size / 4]++;
		if (adbgd_length(ADBG_GC_VERSION(10, 3, 1), words) != insn.size / 4)
			fail_msg("%#x %#x: %zu, not %u: %s", words[0], words[1],
				 adbgd_length(ADBG_GC_VERSION(10, 3, 1), words),
				 insn.size / 4, insn.text);
	}
	/* There were some of each. */
	for (unsigned int i = 1; i <= ADBGD_MAX_DWORDS; i++)
		assert_in_range(num[i], 100, NUM_WORDS);
	adbgd_disasm_free(disasm);
}

static void others_are_not_known(void **state)
{
	const uint32_t s_nop[ADBGD_MAX_DWORDS] = { 0xbf800000 };

	(void)state;
	assert_int_equal(adbgd_length(ADBG_GC_VERSION(10, 3, 0), s_nop), 1);
	assert_int_equal(adbgd_length(ADBG_GC_VERSION(11, 0, 0), s_nop), 0);
	assert_int_equal(adbgd_length(ADBG_GC_VERSION(9, 0, 0), s_nop), 0);
}

/* RDNA 2 ISA document: SOPP has one dword; SMEM two; what is all ones is none. */
static void bytes_that_are_not_there_make_no_instruction(void **state)
{
	const uint8_t s_nop[] = { 0x00, 0x00, 0x80, 0xbf };
	const uint8_t s_load[] = { 0x02, 0x00, 0x00, 0xf4, 0x18, 0x00, 0x00, 0xfa };
	const uint32_t gfx10_3 = ADBG_GC_VERSION(10, 3, 1);
	uint8_t ones[ADBGD_INSN_SIZE_MAX];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	assert_int_equal(adbgd_insn_length(gfx10_3, s_nop, sizeof(s_nop)), 4);
	assert_int_equal(adbgd_insn_length(gfx10_3, s_nop, 3), 0);
	assert_int_equal(adbgd_insn_length(gfx10_3, s_nop, 0), 0);
	assert_int_equal(adbgd_insn_length(gfx10_3, s_load, sizeof(s_load)), 8);
	assert_int_equal(adbgd_insn_length(gfx10_3, s_load, 7), 0);
	assert_int_equal(adbgd_insn_length(gfx10_3, ones, sizeof(ones)), 0);
	assert_int_equal(adbgd_insn_length(ADBG_GC_VERSION(9, 0, 0), s_nop, sizeof(s_nop)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_are_those_of_llvm),
		cmocka_unit_test(others_are_not_known),
		cmocka_unit_test(bytes_that_are_not_there_make_no_instruction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
