// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/isa/writes_gfx10_3.c: the registers that an instruction writes are the operands that
 * LLVM prints as its results.
 */
#include "debug/util.h"

#include "isa/length.h"
#include "isa/writes.h"

#define NUM_WORDS	600000

static uint32_t random_state = 7;

/* xorshift32 */
static uint32_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

/* Instructions of all encodings; few random numbers are valid VOP3. */
static void make(uint32_t words[ADBGD_MAX_DWORDS])
{
	static const uint32_t encodings[] = { 0x33, 0x35, 0x36, 0x37, 0x38, 0x3a, 0x3d, 0x35 };

	for (unsigned int i = 0; i < ADBGD_MAX_DWORDS; i++)
		words[i] = next_random();
	if (next_random() % 2)
		words[0] = (words[0] & 0x03ffffff) | encodings[next_random() % 8] << 26;
	/* s_load_* has reserved bits, and VOP3 few operations. */
	if (words[0] >> 26 == 0x3d)
		words[0] &= 0xfc3fffffU & ~(3U << 13);
	if (words[0] >> 26 == 0x35 && next_random() % 2)
		words[1] &= 0x07ffffff;
}

/* Does the text begin with a result? */
static bool has_result(const struct adbgd_insn *insn)
{
	static const char *const without[] = {
		"s_cmp", "s_bitcmp", "s_setpc", "s_rfe", "s_setreg", "s_waitcnt", "s_cbranch",
		"s_setvskip", "exp", "s_movreld", "s_movrelsd", "v_movreld", "v_movrelsd",
		"v_swaprel",
		"ds_write", "ds_gws", "ds_nop", "s_dcache", "s_atc", "image_store", "s_set_gpr",
		"v_cmpx", "ds_append", "s_call", "s_swappc", "s_subvector",
	};
	bool returns = strstr(insn->text, " glc") || strstr(insn->text, "_rtn_");

	if (strstr(insn->text, "_store_") || strstr(insn->text, " lds"))
		return false;
	if (strstr(insn->text, "_atomic_"))
		return returns;
	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		if (!strncmp(insn->text, without[i], strlen(without[i])))
			return false;
	}
	if (!strncmp(insn->text, "ds_", 3))
		return returns || strstr(insn->text, "ds_read") || strstr(insn->text, "permute") ||
		       strstr(insn->text, "swizzle");
	return true;
}

static bool is_in(const struct adbgd_range ranges[2], uint32_t number)
{
	return number - ranges[0].first < ranges[0].count ||
	       number - ranges[1].first < ranges[1].count;
}

static bool writes_operand(const struct adbgd_writes *w, const struct adbgd_operand *o)
{
	for (uint32_t i = 0; i < o->count; i++) {
		switch (o->space) {
		case AMDGPUDBG_REG_VGPR:
			if (!is_in(w->vector, o->number + i))
				return false;
			break;
		case AMDGPUDBG_REG_SGPR:
			if (!is_in(w->scalar, o->number + i))
				return false;
			break;
		case ADBGD_REG_EXEC:
			if (!is_in(w->scalar, ADBGD_S_EXEC + o->number + i))
				return false;
			break;
		case ADBGD_REG_M0:
			if (!is_in(w->scalar, ADBGD_S_M0))
				return false;
			break;
		}
	}
	return true;
}

/* Registers that the operands name as results, and those which are implied */
static unsigned int count_results(const struct adbgd_insn *insn)
{
	unsigned int count = 0;

	for (uint32_t i = 0; i < insn->num_operands; i++) {
		if (insn->operands[i].flags & ADBGD_OPERAND_FIRST &&
		    insn->operands[i].space != AMDGPUDBG_REG_TTMP)
			count += insn->operands[i].count;
	}
	return count;
}

static unsigned int count_writes(const struct adbgd_writes *w)
{
	return w->scalar[0].count + w->scalar[1].count + w->vector[0].count + w->vector[1].count;
}

/* Has it results besides the first operand? */
static bool has_more(const struct adbgd_insn *insn)
{
	static const char *const more[] = {
		"saveexec", "wrexec", "_co_", "div_scale", "v_mad_u64", "v_mad_i64", "v_swap_b32",
		"image_", "s_subvector", " tfe",
	};

	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		if (strstr(insn->text, more[i]))
			return true;
	}
	return false;
}

static void results_are_those_of_llvm(void **state)
{
	const uint32_t lanes = *(const uint32_t *)*state;
	uint32_t words[ADBGD_MAX_DWORDS];
	unsigned int compared = 0;
	struct adbgd_disasm *disasm;
	struct adbgd_writes writes;
	struct adbgd_error error;
	struct adbgd_insn insn;

	assert_int_equal(adbgd_disasm_new("gfx1033", lanes, &disasm, &error), 0);
	for (unsigned int i = 0; i < NUM_WORDS; i++) {
		make(words);
		assert_int_equal(adbgd_disasm_insn(disasm, 0, words, sizeof(words), &insn,
						   &error), 0);
		/* A register that is not aligned, or a TTMP in user code, is "Invalid". */
		if (insn.flow == ADBGD_FLOW_ILLEGAL || !insn.num_operands || !has_result(&insn) ||
		    strstr(insn.text, "Warning") || strstr(insn.text, "Invalid") ||
		    adbgd_length(ADBG_GC_VERSION(10, 3, 1), words) != insn.size / 4)
			continue;
		adbgd_writes_gfx10_3(words, lanes, &writes);
		compared++;
		if (insn.operands[0].flags & ADBGD_OPERAND_FIRST &&
		    !writes_operand(&writes, &insn.operands[0]))
			fail_msg("%#x %#x: a result is missing: %s", words[0], words[1], insn.text);
		if (!has_more(&insn) && count_writes(&writes) > count_results(&insn))
			fail_msg("%#x %#x: %u results, not %u: %s", words[0], words[1],
				 count_writes(&writes), count_results(&insn), insn.text);
	}
	assert_in_range(compared, 50000, NUM_WORDS);
	adbgd_disasm_free(disasm);
}

static void stores_and_comparisons_have_no_other_result(void **state)
{
	static const struct {
		uint32_t words[ADBGD_MAX_DWORDS];
		unsigned int count;
	} rows[] = {
		/* buffer_store_dword v3, v0, s[0:3], 0 offen */
		{ { 0xe0701000, 0x80000300 }, 0 },
		/* global_store_dword v14, v0, s[12:13] */
		{ { 0xdc708000, 0x000c000e }, 0 },
		/* v_cmpx_eq_u32 1, v0 */
		{ { 0x7da40081 }, 1 },
		/* s_endpgm */
		{ { 0xbf810000 }, 0 },
		/* s_cmp_eq_u32 0, 0 */
		{ { 0xbf068080 }, 0 },
		/* s_setpc_b64 s[30:31] */
		{ { 0xbe80201e }, 0 },
		/* s_swappc_b64 s[30:31], s[4:5] */
		{ { 0xbe9e2104 }, 2 },
		/* s_xor_saveexec_b32 s4, -1 */
		{ { 0xbe843ec1 }, 2 },
		/* v_writelane_b32 v7, s30, 0 */
		{ { 0xd7610007, 0x0001001e }, 1 },
	};
	struct adbgd_writes writes;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		adbgd_writes_gfx10_3(rows[i].words, 32, &writes);
		assert_int_equal(count_writes(&writes), rows[i].count);
	}
}

int main(void)
{
	static uint32_t lanes[] = { 32, 64 };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(results_are_those_of_llvm, &lanes[0]),
		{ "results_are_those_of_llvm_in_wave64", results_are_those_of_llvm, NULL, NULL,
		  &lanes[1] },
		cmocka_unit_test(stores_and_comparisons_have_no_other_result),
	};

	return cmocka_run_group_tests_name("debug_writes", tests, NULL, NULL);
}
