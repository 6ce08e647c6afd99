// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patterns of instructions by name: each instruction for which LLVM prints a name matches one of
 * the patterns that the library finds for this name, and LLVM prints this name for each
 * instruction that matches.
 */
#include "debug/util.h"

#include <stdio.h>

#define TRIES	4000
#define SAMPLES	100

static struct adbgd_disasm *disasm;
static struct adbgd_error error;

static uint32_t random_word(void)
{
	static uint64_t seed = 0x2545f4914f6cdd1dULL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 16);
}

/* All encodings, and then any operands; a literal, if there is one, is no matter. */
static void random_insn(uint32_t *words)
{
	static const uint32_t begins[] = {
		0x00000000, 0x7c000000, 0x7e000000, 0x80000000, 0xb0000000, 0xbe800000, 0xbf000000,
		0xbf800000, 0xcc000000, 0xd4000000, 0xd8000000, 0xdc000000, 0xe0000000, 0xf0000000,
		0xf4000000,
	};
	static const uint32_t bits[] = {
		0x7fffffff, 0x01ffffff, 0x01ffffff, 0x3fffffff, 0x0fffffff, 0x007fffff, 0x007fffff,
		0x007fffff, 0x007fffff, 0x03ffffff, 0x03ffffff, 0x03ffffff, 0x03ffffff, 0x03ffffff,
		0x03ffffff,
	};
	size_t n = random_word() % (sizeof(begins) / sizeof(begins[0]));

	words[0] = begins[n] | (random_word() & bits[n]);
	/* Few operands are so good as these. */
	words[1] = random_word() % 2 ? random_word() : random_word() & 0x040f07ff;
	memset(words + 2, 0, 3 * sizeof(*words));
}

static bool take_apart(const uint32_t *words, struct adbgd_insn *insn, char *name)
{
	size_t n;

	assert_int_equal(adbgd_disasm_insn(disasm, 0, words, 20, insn, &error), 0);
	if (insn->flow == ADBGD_FLOW_ILLEGAL)
		return false;
	n = strcspn(insn->text, " ");
	memcpy(name, insn->text, n);
	name[n] = '\0';
	return true;
}

/* Without what tells encodings of one operation apart */
static void only_operation(char *name)
{
	static const char *const ends[] = { "_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa", "_dpp8" };
	size_t n, length = strlen(name);

	for (n = 0; n < sizeof(ends) / sizeof(ends[0]); n++) {
		size_t end = strlen(ends[n]);

		if (length > end && !strcmp(name + length - end, ends[n])) {
			name[length - end] = '\0';
			return;
		}
	}
}

/* Two dwords tell the operation; it has none of the first one's. */
static bool is_left_out(const char *name)
{
	return !strncmp(name, "tbuffer_", strlen("tbuffer_"));
}

static bool is_like(const struct adbgd_insn_match *insns, size_t num, uint32_t word)
{
	while (num-- && (word & insns[num].mask) != insns[num].value)
		;
	return num != SIZE_MAX;
}

static void what_has_a_name_is_found_by_it(void **state)
{
	struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES];
	char name[ADBGD_INSN_TEXT_MAX], other[ADBGD_INSN_TEXT_MAX];
	unsigned int n, k, found = 0, alike = 0;
	struct adbgd_insn insn;
	uint32_t words[5];
	size_t num;

	(void)state;
	for (n = 0; n < TRIES && found < SAMPLES; n++) {
		random_insn(words);
		if (!take_apart(words, &insn, name))
			continue;
		only_operation(name);
		if (is_left_out(name))
			continue;
		found++;
		if (adbgd_mnemonic_get_patterns(disasm, name, insns, &num, &error))
			fail_msg("%08x %08x, %s: %s", words[0], words[1], insn.text, error.text);
		if (!is_like(insns, num, words[0]))
			fail_msg("%08x is none of those that %s begins as", words[0], name);
		for (k = 0; k < 50; k++) {
			size_t i = random_word() % num;

			words[0] = insns[i].value | (random_word() & ~insns[i].mask);
			words[1] = random_word() & 0x040f07ff;
			if (!take_apart(words, &insn, other))
				continue;
			only_operation(other);
			if (strcmp(other, name))
				fail_msg("%08x begins as %s, and is %s", words[0], name, insn.text);
			alike++;
		}
	}
	printf("# %u of %u have a name; %u others are called the same\n", found, n, alike);
	assert_true(found == SAMPLES && alike > SAMPLES * 10);
}

static void is_found(const char *name, size_t num, const uint32_t *pairs)
{
	struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES];
	size_t n, found = 0;

	if (adbgd_mnemonic_get_patterns(disasm, name, insns, &found, &error))
		fail_msg("%s: %s", name, error.text);
	assert_int_equal(found, num);
	for (n = 0; n < num; n++) {
		assert_int_equal(insns[n].value, pairs[2 * n]);
		assert_int_equal(insns[n].mask, pairs[2 * n + 1]);
	}
}

#define PAIRS(...) ((const uint32_t[]){ __VA_ARGS__ })

/* RDNA 2 ISA document: the operations' numbers, and "Microcode formats" */
static void encodings_of_a_name_are_chosen(void **state)
{
	(void)state;
	is_found("v_add_f32", 2, PAIRS(0xd5030000, 0xffff0000, 0x06000000, 0xfe000000));
	is_found("v_add_f32_e32", 1, PAIRS(0x06000000, 0xfe000000));
	is_found("v_add_f32_e64", 1, PAIRS(0xd5030000, 0xffff0000));
	is_found("s_barrier", 1, PAIRS(0xbf8a0000, 0xffff0000));
	is_found("s_mov_b32", 1, PAIRS(0xbe800300, 0xff80ff00));
	is_found("s_movk_i32", 1, PAIRS(0xb0000000, 0xff800000));
	is_found("s_add_u32", 1, PAIRS(0x80000000, 0xff800000));
	is_found("s_load_dword", 1, PAIRS(0xf4000000, 0xfffc0000));
	is_found("global_store_dword", 1, PAIRS(0xdc708000, 0xfdfcc000));
	is_found("flat_store_dword", 1, PAIRS(0xdc700000, 0xfdfcc000));
	is_found("ds_add_u32", 1, PAIRS(0xd8000000, 0xfffc0000));
	is_found("buffer_load_dword", 1, PAIRS(0xe0300000, 0xfffc0000));
	is_found("image_bvh_intersect_ray", 1, PAIRS(0xf1980001, 0xfdfc0001));
	is_found("exp", 1, PAIRS(0xf8000000, 0xfc000000));
}

static void what_is_no_name_is_said(void **state)
{
	static const char *const names[] = {
		"", "v_add", "v_add_f32_e3", "v_add_f32_e64x", "v_add_f32 ", "nosuch", "s_",
		".long", "tbuffer_load_format_x",
	};
	struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES];
	struct adbgd_disasm *gfx9;
	size_t n, num;

	(void)state;
	for (n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		assert_int_equal(adbgd_mnemonic_get_patterns(disasm, names[n], insns, &num, &error),
				 -ENOENT);
		assert_int_equal(num, 0);
		assert_non_null(strstr(error.text, "the GPU has no instruction"));
	}
	assert_int_equal(adbgd_disasm_new("gfx900", 64, &gfx9, &error), 0);
	assert_int_equal(adbgd_mnemonic_get_patterns(gfx9, "s_nop", insns, &num, &error),
			 -EOPNOTSUPP);
	assert_string_equal(error.text, "breakpoints on instructions are not supported for gfx900");
	adbgd_disasm_free(gfx9);
}

static int open_disasm(void **state)
{
	(void)state;
	return adbgd_disasm_new("gfx1033", 32, &disasm, &error);
}

static int close_disasm(void **state)
{
	(void)state;
	adbgd_disasm_free(disasm);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_a_name_is_found_by_it),
		cmocka_unit_test(encodings_of_a_name_are_chosen),
		cmocka_unit_test(what_is_no_name_is_said),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, open_disasm, close_disasm);
}
