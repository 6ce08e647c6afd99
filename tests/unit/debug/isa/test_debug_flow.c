// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/isa/flow.c: for each dword of the tests' kernels, whether it is the start of an
 * instruction, compared with LLVM. It may report that it does not know a few; all other results
 * must be right.
 */
#include "debug/util.h"

#include <stdio.h>

#include "isa/flow.h"

#define BASE		0x7f0000000000ULL
#define GFX10_3		ADBG_GC_VERSION(10, 3, 1)
#define S_CODE_END	0xbf9f0000

static struct fake_memory fake;
static uint8_t *image;
static size_t size;

static struct adbgd_code *load(const char *name)
{
	char path[128];
	uint8_t *file;
	size_t file_size;

	snprintf(path, sizeof(path), KERNELS_CO "%s.co", name);
	file = read_whole(path, &file_size);
	fake_init(&fake);
	image = fake_add(&fake, BASE, 1 << 20);
	size = load_segments(file, image);
	assert_in_range(size, 1, 1 << 20);
	free(file);
	return open_code(path);
}

static int verdict_on(uint64_t address, uint64_t *in)
{
	struct adbgd_flow_walk r;
	int verdict;

	assert_int_equal(adbgd_flow_begin(&r, &fake.memory, GFX10_3, address), 0);
	verdict = adbgd_flow_find_start(&r, address, in);
	adbgd_flow_free(&r);
	return verdict;
}

struct tally {
	unsigned int known, unknown, middles;
};

static void count(struct tally *t, uint64_t address, uint64_t begin, const char *name)
{
	bool begins = address == begin;
	uint64_t in = 0;
	int verdict = verdict_on(address, &in);

	if (verdict == -ENOENT) {
		t->unknown++;
		return;
	}
	if (verdict != begins)
		fail_msg("%s+%#llx: %d", name, (unsigned long long)(address - BASE), verdict);
	t->known++;
	if (verdict)
		return;
	assert_true(in == begin);
	t->middles++;
}

static void compare(struct adbgd_disasm *disasm, const struct adbgd_symbol *symbol,
		    struct tally *t)
{
	uint64_t at = symbol->address, end = at + symbol->size, i;
	struct adbgd_error error;
	struct adbgd_insn insn;

	for (; at < end; at += insn.size) {
		assert_int_equal(adbgd_disasm_insn(disasm, at, image + at, end - at, &insn,
						   &error), 0);
		for (i = 0; i < insn.size; i += 4)
			count(t, BASE + at + i, BASE + at, symbol->name);
	}
}

static void of_kernels(const char *name, struct tally *t)
{
	struct adbgd_code *code = load(name);
	const struct adbgd_symbol *symbol;
	struct adbgd_disasm *disasm;
	struct adbgd_error error;

	assert_int_equal(adbgd_disasm_new("gfx1033", 32, &disasm, &error), 0);
	for (size_t i = 0; (symbol = adbgd_code_get_symbol(code, i)); i++) {
		if (symbol->flags & ADBGD_SYMBOL_FUNCTION && symbol->size)
			compare(disasm, symbol, t);
	}
	adbgd_disasm_free(disasm);
	adbgd_code_free(code);
	fake_free(&fake);
}

static void nothing_is_wrong(void **state)
{
	static const char *const names[] = {
		"breaks", "kernels", "kernels64", "kernels_debug", "steps", "death", "touch",
	};
	struct tally t = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		of_kernels(names[i], &t);
	assert_in_range(t.middles, 70, UINT32_MAX);
	if (t.unknown > t.known / 10)
		fail_msg("%u dwords are unknown, %u known", t.unknown, t.known);
}

/* Encodings of the RDNA 2 ISA document, but for those that no program has */
static const uint32_t v_mov_literal[] = { 0x7e0202ff, 0xbf810000 };
#define S_ENDPGM	0xbf810000
#define S_NOP		0xbf800000

static uint32_t *some(void)
{
	fake_init(&fake);
	return (uint32_t *)fake_add(&fake, BASE, 2 * ADBGD_FLOW_PAGE_SIZE);
}

/* A literal that looks like an end is none, nor is there one before a page that is not there. */
static void literals_are_no_ends(void **state)
{
	uint32_t *words = some();
	uint64_t in;

	(void)state;
	for (unsigned int i = 0; i < 64; i += 2)
		memcpy(words + i, v_mov_literal, sizeof(v_mov_literal));
	/* Its last dword is before what could be the beginning of a program. */
	words[64] = S_NOP;
	words[65] = S_ENDPGM;
	assert_int_equal(verdict_on(BASE, &in), 1);
	for (unsigned int i = 0; i < 64; i += 2) {
		assert_int_equal(verdict_on(BASE + 4 * i, &in), 1);
		assert_int_equal(verdict_on(BASE + 4 * i + 4, &in), 0);
		assert_true(in == BASE + 4 * i);
	}
	assert_int_equal(verdict_on(BASE + 4 * 64, &in), 1);
	fake_free(&fake);
}

/* Behind an end, and where no way leads, anything may be. */
static void what_is_not_reached_is_not_known(void **state)
{
	uint32_t *words = some();
	uint64_t in;

	(void)state;
	words[0] = S_ENDPGM;
	memcpy(words + 1, v_mov_literal, sizeof(v_mov_literal));
	words[64] = S_CODE_END;
	words[65] = S_NOP;
	assert_int_equal(verdict_on(BASE + 4, &in), -ENOENT);
	assert_int_equal(verdict_on(BASE + 8, &in), -ENOENT);
	assert_int_equal(verdict_on(BASE + 4 * 65, &in), -ENOENT);
	/* Nothing is there. */
	assert_int_equal(verdict_on(BASE + 2 * ADBGD_FLOW_PAGE_SIZE, &in), -ENOENT);
	fake_free(&fake);
}

/* The one before, and none before the first */
static void one_is_before_the_other(void **state)
{
	uint32_t *words = some();
	struct adbgd_flow_insn insn;
	struct adbgd_flow_walk r;
	uint64_t in;

	(void)state;
	words[0] = S_NOP;
	memcpy(words + 1, v_mov_literal, sizeof(v_mov_literal));
	words[3] = S_ENDPGM;
	assert_int_equal(adbgd_flow_begin(&r, &fake.memory, GFX10_3, BASE), 0);
	assert_int_equal(adbgd_flow_find_start(&r, BASE + 12, &in), 1);
	assert_int_equal(adbgd_flow_before(&r, BASE + 12, &insn), 1);
	assert_true(insn.pc == BASE + 4 && insn.num == 2);
	assert_int_equal(adbgd_flow_before(&r, BASE + 4, &insn), 1);
	assert_true(insn.pc == BASE && insn.num == 1);
	assert_int_equal(adbgd_flow_before(&r, BASE, &insn), 0);
	/* As far as one looks */
	assert_int_equal(adbgd_flow_read(&r, BASE + ADBGD_FLOW_DISTANCE + ADBGD_FLOW_PAGE_SIZE,
					 &insn), -E2BIG);
	assert_int_equal(adbgd_flow_read(&r, BASE - ADBGD_FLOW_DISTANCE - 4, &insn), -E2BIG);
	adbgd_flow_free(&r);
	fake_free(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_wrong),
		cmocka_unit_test(literals_are_no_ends),
		cmocka_unit_test(what_is_not_reached_is_not_known),
		cmocka_unit_test(one_is_before_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
