// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/isa/disasm.c and insn.c. Texts and lengths are compared with llvm-objdump on the
 * same code; expected flow and operands were derived by hand from the "RDNA 2" Instruction Set
 * Architecture (AMD, 2020), chapters 3 to 5.
 */
#include "debug/util.h"

#include <stdio.h>

#define FLOW	DEBUG_CO "flow.co"

static struct adbgd_disasm *disasm_new(const char *gpu, uint32_t lanes)
{
	struct adbgd_disasm *disasm;
	struct adbgd_error error;

	if (adbgd_disasm_new(gpu, lanes, &disasm, &error))
		fail_msg("%s", error.text);
	return disasm;
}

static struct adbgd_insn insn_at(struct adbgd_disasm *d, struct adbgd_code *code, uint64_t at)
{
	const struct adbgd_span *text = &adbgd_code_get_info(code)->text;
	uint64_t left = text->start + text->size - at;
	uint8_t bytes[ADBGD_INSN_SIZE_MAX];
	struct adbgd_error error;
	struct adbgd_insn insn;

	if (left > sizeof(bytes))
		left = sizeof(bytes);
	assert_int_equal(adbgd_code_read(code, at, bytes, left, &error), 0);
	if (adbgd_disasm_insn(d, at, bytes, left, &insn, &error))
		fail_msg("%s", error.text);
	return insn;
}

/*
 * "	s_branch 2                  // 000000000004: BF820002 <vars+0x10>"; where the text
 * is long there is no blank in front of the slashes. @label: "vars+0x10>", or NULL
 */
static bool line_of_tool(char *line, char **text, uint64_t *address, size_t *size,
			 char **label)
{
	char *remark = strstr(line, "// 0"), *end;

	*size = 0;
	if (line[0] != '\t' || !remark)
		return false;
	*address = strtoull(remark + 3, &end, 16);
	*label = strchr(end, '<');
	*label += *label ? 1 : 0;
	/* Words of 8 digits, or bytes of 2 */
	for (end++; *end == ' ';) {
		char *word = end + 1;

		strtoul(word, &end, 16);
		if (end == word)
			break;
		*size += (end - word) / 2;
	}
	for (end = remark; end > line && end[-1] == ' '; end--)
		;
	*end = 0;
	*text = line + 1;
	return true;
}

/* objdump names the place to which an instruction branches. */
static void compare_target(struct adbgd_code *code, const struct adbgd_insn *insn,
			   const char *label)
{
	unsigned long long offset = 0;
	const struct adbgd_symbol *s;
	char name[128] = "";

	/* Not for s_call_b64, nor for places where no code is. */
	if (!label) {
		assert_true(!insn->target || insn->flow == ADBGD_FLOW_CALL ||
			    insn->target < adbgd_code_get_info(code)->text.start);
		return;
	}
	sscanf(label, "%127[^+>]+%llx", name, &offset);
	s = adbgd_code_find_symbol(code, name);
	assert_int_equal(insn->target, offset +
			 (s ? s->address : adbgd_code_get_info(code)->text.start));
}

static unsigned int compare_all(const char *path, const char *gpu, uint32_t lanes,
				const char *options)
{
	char *said = run_tool("llvm-objdump-19 -d %s %s", options, path), *at = said, *line;
	struct adbgd_disasm *d = disasm_new(gpu, lanes);
	struct adbgd_code *code = open_code(path);
	unsigned int count = 0;
	struct adbgd_insn insn;
	uint64_t address;
	char *text, *label;
	size_t size;

	while ((line = next_line(&at))) {
		if (!line_of_tool(line, &text, &address, &size, &label))
			continue;
		insn = insn_at(d, code, address);
		assert_string_equal(insn.text, text);
		assert_int_equal(insn.size, size);
		assert_int_equal(insn.address, address);
		compare_target(code, &insn, label);
		count++;
	}
	free(said);
	adbgd_code_free(code);
	adbgd_disasm_free(d);
	return count;
}

static void texts_are_those_of_objdump(void **state)
{
	(void)state;
	assert_true(compare_all(DEBUG_CO "vars_O0.co", "gfx1033", 32, "") > 500);
	assert_true(compare_all(DEBUG_CO "vars_O1.co", "gfx1033", 32, "") > 200);
	assert_true(compare_all(DEBUG_CO "vars_O1_64.co", "gfx1033", 64,
				"--mattr=-wavefrontsize32,+wavefrontsize64") > 200);
	assert_true(compare_all(KERNELS_CO "kernels.co", "gfx1033", 32, "") > 300);
	assert_int_equal(compare_all(FLOW, "gfx1033", 32, ""), 32);
}

#define S(n, count, flags)	{ AMDGPUDBG_REG_SGPR, n, count, flags }
#define V(n, count, flags)	{ AMDGPUDBG_REG_VGPR, n, count, flags }
#define T(n, count, flags)	{ AMDGPUDBG_REG_TTMP, n, count, flags }
#define EXEC(n, count, flags)	{ ADBGD_REG_EXEC, n, count, flags }
#define M0(flags)		{ ADBGD_REG_M0, 0, 1, flags }
#define FIRST			ADBGD_OPERAND_FIRST

/* The lines of flow.s; targets in bytes from the instruction */
static const struct {
	const char *mnemonic;
	enum adbgd_flow flow;
	int target;
	unsigned int num;
	struct adbgd_operand operands[6];
} flow[] = {
	{ "s_cbranch_scc1", ADBGD_FLOW_COND, 4 + 16 * 4, 0, { { 0 } } },
	{ "s_branch", ADBGD_FLOW_BRANCH, 4 - 4 * 4, 0, { { 0 } } },
	{ "s_call_b64", ADBGD_FLOW_CALL, 4 + 3 * 4, 1, { S(4, 2, FIRST) } },
	{ "s_swappc_b64", ADBGD_FLOW_CALL_REG, 0, 2, { S(30, 2, FIRST), S(16, 2, 0) } },
	{ "s_setpc_b64", ADBGD_FLOW_JUMP_REG, 0, 1, { S(30, 2, FIRST) } },
	{ "s_rfe_b64", ADBGD_FLOW_TRAP_RETURN, 0, 1, { T(0, 2, FIRST) } },
	{ "s_trap", ADBGD_FLOW_TRAP, 0, 0, { { 0 } } },
	{ "s_subvector_loop_begin", ADBGD_FLOW_COND, 4 + 4 * 4, 1, { S(3, 1, FIRST) } },
	{ "s_endpgm_saved", ADBGD_FLOW_END, 0, 0, { { 0 } } },
	{ "s_cbranch_cdbguser", ADBGD_FLOW_COND, 4 + 4 * 4, 0, { { 0 } } },
	{ "s_waitcnt", ADBGD_FLOW_WAIT, 0, 0, { { 0 } } },
	{ "s_waitcnt_vscnt", ADBGD_FLOW_WAIT, 0, 0, { { 0 } } },
	{ "s_barrier", ADBGD_FLOW_BARRIER, 0, 0, { { 0 } } },
	{ "v_add_f32_e32", ADBGD_FLOW_NEXT, 0, 3, { V(1, 1, FIRST), S(2, 1, 0), V(3, 1, 0) } },
	{ "v_add_f32_dpp", ADBGD_FLOW_NEXT, 0, 3, { V(1, 1, FIRST), V(2, 1, 0), V(3, 1, 0) } },
	{ "v_add_co_u32", ADBGD_FLOW_NEXT, 0, 4,
	  { V(1, 1, FIRST), S(106, 1, 0), V(2, 1, 0), V(3, 1, 0) } },
	{ "v_fma_f32", ADBGD_FLOW_NEXT, 0, 3, { V(1, 1, FIRST), V(2, 1, 0), S(3, 1, 0) } },
	{ "v_readlane_b32", ADBGD_FLOW_NEXT, 0, 3, { S(4, 1, FIRST), V(5, 1, 0), M0(0) } },
	{ "global_load_dwordx4", ADBGD_FLOW_NEXT, 0, 2, { V(1, 4, FIRST), V(5, 2, 0) } },
	{ "s_load_dwordx8", ADBGD_FLOW_NEXT, 0, 2, { S(8, 8, FIRST), S(4, 2, 0) } },
	{ "image_sample", ADBGD_FLOW_NEXT, 0, 5,
	  { V(0, 4, FIRST), V(4, 1, 0), V(7, 1, 0), S(8, 8, 0), S(16, 4, 0) } },
	{ "s_mov_b64", ADBGD_FLOW_NEXT, 0, 1, { EXEC(0, 2, FIRST) } },
	{ "s_and_b32", ADBGD_FLOW_NEXT, 0, 3,
	  { S(106, 1, FIRST), EXEC(0, 1, 0), S(107, 1, 0) } },
	{ "s_mov_b32", ADBGD_FLOW_NEXT, 0, 2, { M0(FIRST), T(7, 1, 0) } },
	{ "s_setreg_b32", ADBGD_FLOW_NEXT, 0, 1, { S(5, 1, 0) } },
	{ "s_sendmsg", ADBGD_FLOW_NEXT, 0, 0, { { 0 } } },
	{ "s_mov_b32", ADBGD_FLOW_NEXT, 0, 1, { S(0, 1, FIRST) } },
	{ "s_endpgm", ADBGD_FLOW_END, 0, 0, { { 0 } } },
	{ "s_code_end", ADBGD_FLOW_ILLEGAL, 0, 0, { { 0 } } },
	{ ".long", ADBGD_FLOW_ILLEGAL, 0, 0, { { 0 } } },
	{ ".long", ADBGD_FLOW_ILLEGAL, 0, 0, { { 0 } } },
	{ ".byte", ADBGD_FLOW_ILLEGAL, 0, 0, { { 0 } } },
};

static void flow_and_operands_are_those_of_the_book(void **state)
{
	struct adbgd_disasm *d = disasm_new("gfx1033", 32);
	struct adbgd_code *code = open_code(FLOW);
	uint64_t at = adbgd_code_get_info(code)->text.start;
	struct adbgd_insn insn;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(flow); i++, at += insn.size) {
		size_t length = strlen(flow[i].mnemonic);

		insn = insn_at(d, code, at);
		if (strncmp(insn.text, flow[i].mnemonic, length) ||
		    (insn.text[length] && insn.text[length] != ' '))
			fail_msg("%s is not %s", insn.text, flow[i].mnemonic);
		assert_int_equal(insn.flow, flow[i].flow);
		assert_int_equal(insn.target, flow[i].target ? at + flow[i].target : 0);
		assert_int_equal(insn.num_operands, flow[i].num);
		for (k = 0; k < flow[i].num; k++)
			assert_memory_equal(&insn.operands[k], &flow[i].operands[k],
					    sizeof(insn.operands[k]));
	}
	assert_int_equal(at, adbgd_code_get_info(code)->text.start +
			     adbgd_code_get_info(code)->text.size);
	adbgd_code_free(code);
	adbgd_disasm_free(d);
}

/* Each selector of SDWA: LLVM 19.1 does not survive those that there are none of. */
static void no_selector_ends_the_program(void **state)
{
	/* v_mov_b32, v_add_f32 (also "v_add_f32" of gfx8 by its number), v_cmp_eq_u32 */
	static const uint32_t first[] = { 0x7e0202f9, 0x060202f9, 0x7d8402f9 };
	static const char *const gpus[] = { "gfx803", "gfx900", "gfx1010", "gfx1033" };
	struct adbgd_insn insn;

	(void)state;
	for (unsigned int g = 0; g < ARRAY_SIZE(gpus); g++) {
		struct adbgd_disasm *d = disasm_new(gpus[g], 64);
		unsigned int legal = 0;

		for (unsigned int i = 0; i < ARRAY_SIZE(first) << 11; i++) {
			/* DST_SEL, DST_UNUSED, SRC0_SEL, SRC1_SEL */
			const uint32_t words[2] = {
				first[i >> 11], 1 | (i & 0x1f) << 8 | (i >> 5 & 7) << 16 |
				(i >> 8 & 7) << 24,
			};

			assert_int_equal(adbgd_disasm_insn(d, 0, words, sizeof(words), &insn,
							   NULL), 0);
			legal += insn.flow == ADBGD_FLOW_NEXT && insn.size == 8;
		}
		assert_in_range(legal, 100, ARRAY_SIZE(first) << 11);
		adbgd_disasm_free(d);
	}
}

/* In waves of 64 lanes VCC and EXEC are pairs. */
static void masks_are_as_long_as_the_wave(void **state)
{
	/* v_cmp_eq_u32_e32 vcc, v1, v2 and v_cmp_eq_u32_e64 s[4:5], v1, v2 */
	static const uint32_t words[] = { 0x7d840501, 0xd4c20004, 0x00020501 };
	struct adbgd_disasm *d = disasm_new("gfx1033", 64);
	struct adbgd_insn insn;

	(void)state;
	assert_int_equal(adbgd_disasm_insn(d, 0, words, 4, &insn, NULL), 0);
	assert_string_equal(insn.text, "v_cmp_eq_u32_e32 vcc, v1, v2");
	assert_int_equal(insn.operands[0].number, 106);
	assert_int_equal(insn.operands[0].count, 2);
	assert_int_equal(adbgd_disasm_insn(d, 0, words + 1, 8, &insn, NULL), 0);
	assert_string_equal(insn.text, "v_cmp_eq_u32_e64 s[4:5], v1, v2");
	assert_int_equal(insn.operands[0].count, 2);
	adbgd_disasm_free(d);
	d = disasm_new("gfx1033", 32);
	assert_int_equal(adbgd_disasm_insn(d, 0, words + 1, 8, &insn, NULL), 0);
	assert_string_equal(insn.text, "v_cmp_eq_u32_e64 s4, v1, v2");
	assert_int_equal(insn.operands[0].count, 1);
	/* The second half of an instruction that has two is missing. */
	assert_int_equal(adbgd_disasm_insn(d, 0, words + 1, 4, &insn, NULL), 0);
	assert_string_equal(insn.text, ".long 0xd4c20004");
	assert_int_equal(insn.flow, ADBGD_FLOW_ILLEGAL);
	adbgd_disasm_free(d);
}

/* The same operations of other generations: encodings differ, and some names. */
static void other_generations_are_disassembled(void **state)
{
	static const struct {
		const char *gpu, *source;
		enum adbgd_flow flow;
	} cases[] = {
		{ "gfx906", "s_branch 4", ADBGD_FLOW_BRANCH },
		{ "gfx906", "s_swappc_b64 s[30:31], s[4:5]", ADBGD_FLOW_CALL_REG },
		{ "gfx90a", "s_trap 2", ADBGD_FLOW_TRAP },
		{ "gfx1100", "s_endpgm", ADBGD_FLOW_END },
		{ "gfx1100", "s_setpc_b64 s[30:31]", ADBGD_FLOW_JUMP_REG },
		{ "gfx1201", "s_wait_loadcnt 0x0", ADBGD_FLOW_WAIT },
		{ "gfx1201", "s_barrier_signal -1", ADBGD_FLOW_NEXT },
		{ "gfx1201", "s_barrier_wait 0xffff", ADBGD_FLOW_BARRIER },
	};
	uint8_t bytes[8];
	size_t i, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct adbgd_disasm *d = disasm_new(cases[i].gpu, 64);
		char *said = run_tool("echo '%s' | llvm-mc-19 -triple=amdgcn-amd-amdhsa "
				      "-mcpu=%s -show-encoding | sed -n 's/.*encoding: //p'",
				      cases[i].source, cases[i].gpu);
		struct adbgd_insn insn;
		char *at = said;

		for (n = 0; *at && n < sizeof(bytes); n++) {
			at += strspn(at, "[, ");
			bytes[n] = strtoul(at, &at, 16);
			if (*at == ']')
				*at = 0;
		}
		assert_int_equal(n, 4);
		assert_int_equal(adbgd_disasm_insn(d, 0x100, bytes, n, &insn, NULL), 0);
		assert_string_equal(insn.text, cases[i].source);
		assert_int_equal(insn.flow, cases[i].flow);
		free(said);
		adbgd_disasm_free(d);
	}
}

/* Of each GPU, too, that LLVM does not know: it would end the program. */
static void code_that_cannot_be_disassembled_is_reported(void **state)
{
	static const char *const old[] = { "gfx600", "gfx703", "gfx950", "gfx1153" };
	struct adbgd_disasm *d = NULL;
	struct adbgd_error error;
	struct adbgd_insn insn;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(old); i++) {
		assert_int_equal(adbgd_disasm_new(old[i], 64, &d, &error), -EOPNOTSUPP);
		assert_non_null(strstr(error.text, "LLVM 19 cannot disassemble code for gfx"));
	}
	assert_int_equal(adbgd_disasm_new("gfx", 32, &d, &error), -EINVAL);
	assert_string_equal(error.text, "unknown GPU: gfx");
	assert_int_equal(adbgd_disasm_new("gfx906", 32, &d, &error), -EINVAL);
	assert_int_equal(adbgd_disasm_new("gfx1033", 16, &d, &error), -EINVAL);
	assert_null(d);
	d = disasm_new("gfx1033", 32);
	assert_int_equal(adbgd_disasm_insn(d, 0x40, "", 0, &insn, &error), -ENODATA);
	assert_string_equal(error.text, "there are no bytes at 0x40");
	adbgd_disasm_free(d);
}

static void every_gpu_of_llvm_can_be_asked_for(void **state)
{
	char *text = run_tool("llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=help 2>&1 "
			      "</dev/null | awk '/^Available features/ { exit } "
			      "$1 ~ /^gfx([89]|1)/ { print $1 }'");
	static const uint32_t word = 0xbf800000;	/* s_nop 0 in all of them */
	char *at = text, *cpu;
	unsigned int count = 0;
	struct adbgd_insn insn;

	(void)state;
	while ((cpu = next_line(&at))) {
		struct adbgd_disasm *d = disasm_new(cpu, 64);

		assert_int_equal(adbgd_disasm_insn(d, 0, &word, 4, &insn, NULL), 0);
		assert_string_equal(insn.text, "s_nop 0");
		adbgd_disasm_free(d);
		count++;
	}
	assert_true(count > 30);
	free(text);
}

/* Arbitrary words: some length, never beyond what there is, and no crash */
static void any_bytes_can_be_disassembled(void **state)
{
	struct adbgd_disasm *d = disasm_new("gfx1033", 32);
	uint32_t words[6], seed = 1;
	struct adbgd_insn insn;
	size_t size, i, k;

	(void)state;
	for (i = 0; i < 20000; i++) {
		for (k = 0; k < 6; k++) {
			seed = seed * 1664525 + 1013904223;
			words[k] = seed ^ seed >> 13;
		}
		size = 1 + i % sizeof(words);
		assert_int_equal(adbgd_disasm_insn(d, i * 4, words, size, &insn, NULL), 0);
		assert_true(insn.size > 0 && insn.size <= size);
		assert_true(insn.text[0] != 0);
		assert_true(insn.num_operands <= ADBGD_OPERANDS_MAX);
	}
	adbgd_disasm_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_those_of_objdump),
		cmocka_unit_test(flow_and_operands_are_those_of_the_book),
		cmocka_unit_test(no_selector_ends_the_program),
		cmocka_unit_test(masks_are_as_long_as_the_wave),
		cmocka_unit_test(other_generations_are_disassembled),
		cmocka_unit_test(code_that_cannot_be_disassembled_is_reported),
		cmocka_unit_test(every_gpu_of_llvm_can_be_asked_for),
		cmocka_unit_test(any_bytes_can_be_disassembled),
	};

	return cmocka_run_group_tests_name("debug_disasm", tests, NULL, NULL);
}
