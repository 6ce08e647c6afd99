// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parsing the text of an instruction: see insn.h. Only this file reads LLVM's syntax.
 */
#include "insn.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define VCC	106	/* number of VCC_LO among the SGPRs, gfx9 and later */

/* The longest matching prefix is used. */
static const struct {
	const char *mnemonic;
	enum adbgd_flow flow;
} flows[] = {
	{ "s_branch", ADBGD_FLOW_BRANCH },
	{ "s_cbranch_", ADBGD_FLOW_COND },
	{ "s_subvector_loop_", ADBGD_FLOW_COND },
	{ "s_cbranch_g_fork", ADBGD_FLOW_JUMP_REG },
	{ "s_cbranch_join", ADBGD_FLOW_JUMP_REG },
	{ "s_call_", ADBGD_FLOW_CALL },
	{ "s_swappc_", ADBGD_FLOW_CALL_REG },
	{ "s_swap_pc_", ADBGD_FLOW_CALL_REG },
	{ "s_setpc_", ADBGD_FLOW_JUMP_REG },
	{ "s_set_pc_", ADBGD_FLOW_JUMP_REG },
	{ "s_trap", ADBGD_FLOW_TRAP },
	{ "s_rfe_", ADBGD_FLOW_TRAP_RETURN },
	{ "s_barrier", ADBGD_FLOW_BARRIER },
	{ "s_barrier_signal", ADBGD_FLOW_NEXT },
	{ "s_barrier_init", ADBGD_FLOW_NEXT },
	{ "s_barrier_join", ADBGD_FLOW_NEXT },
	{ "s_barrier_leave", ADBGD_FLOW_NEXT },
	{ "s_wait_", ADBGD_FLOW_WAIT },
	{ "s_waitcnt", ADBGD_FLOW_WAIT },
	{ "s_endpgm", ADBGD_FLOW_END },
	{ "s_code_end", ADBGD_FLOW_ILLEGAL },
};

static enum adbgd_flow flow_of(const char *text)
{
	enum adbgd_flow flow = ADBGD_FLOW_NEXT;
	size_t longest = 0, length, i;

	for (i = 0; i < ARRAY_SIZE(flows); i++) {
		length = strlen(flows[i].mnemonic);
		if (length > longest && !strncmp(text, flows[i].mnemonic, length)) {
			longest = length;
			flow = flows[i].flow;
		}
	}
	return flow;
}

/* Registers with a name of their own. Pairs of 32-bit registers are as long as the wave. */
static const struct {
	const char *name;
	uint16_t space;
	uint8_t number;
	uint8_t count;		/* 0: one for 32 lanes, two for 64 */
} named[] = {
	{ "vcc", AMDGPUDBG_REG_SGPR, VCC, 2 },
	{ "vcc_lo", AMDGPUDBG_REG_SGPR, VCC, 1 },
	{ "vcc_hi", AMDGPUDBG_REG_SGPR, VCC + 1, 1 },
	{ "exec", ADBGD_REG_EXEC, 0, 2 },
	{ "exec_lo", ADBGD_REG_EXEC, 0, 1 },
	{ "exec_hi", ADBGD_REG_EXEC, 1, 1 },
	{ "m0", ADBGD_REG_M0, 0, 1 },
	{ "scc", ADBGD_REG_SCC, 0, 1 },
	{ "src_scc", ADBGD_REG_SCC, 0, 1 },
	{ "src_vccz", AMDGPUDBG_REG_SGPR, VCC, 0 },
	{ "src_execz", ADBGD_REG_EXEC, 0, 0 },
};

static const struct {
	const char *prefix;
	uint32_t space;
} files[] = {
	{ "ttmp", AMDGPUDBG_REG_TTMP },
	{ "s", AMDGPUDBG_REG_SGPR },
	{ "v", AMDGPUDBG_REG_VGPR },
	{ "a", ADBGD_REG_AGPR },
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static void add(struct adbgd_insn *insn, uint32_t space, uint32_t number, uint32_t count,
		bool first)
{
	struct adbgd_operand *o = insn->operands;
	uint32_t i;

	for (i = 0; i < insn->num_operands; i++, o++) {
		if (o->space == space && o->number == number && o->count == count)
			return;
	}
	if (i >= ADBGD_OPERANDS_MAX)
		return;
	o->space = space;
	o->number = number;
	o->count = count;
	o->flags = first ? ADBGD_OPERAND_FIRST : 0;
	insn->num_operands++;
}

static bool digits(const char **at, uint32_t *number)
{
	if (!isdigit((unsigned char)**at))
		return false;
	for (*number = 0; isdigit((unsigned char)**at) && *number < 10000; ++*at)
		*number = *number * 10 + (**at - '0');
	return true;
}

/* Parse "v3" or "s[4:5]". Return: the end of it; NULL: it is not a register. */
static const char *add_numbered(struct adbgd_insn *insn, const char *at, bool first)
{
	uint32_t from, to;
	const char *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		p = at + strlen(files[i].prefix);
		if (strncmp(at, files[i].prefix, p - at))
			continue;
		/* Halves of a register, such as "v3.l", exist from gfx11 on. */
		if (digits(&p, &from)) {
			if (!strncmp(p, ".l", 2) || !strncmp(p, ".h", 2))
				p += 2;
			if (is_word(*p))
				continue;
			add(insn, files[i].space, from, 1, first);
			return p;
		}
		if (*p++ != '[' || !digits(&p, &from))
			continue;
		to = from;
		if (*p == ':' && (p++, !digits(&p, &to)))
			continue;
		if (*p != ']' || to < from)
			continue;
		add(insn, files[i].space, from, to - from + 1, first);
		return p + 1;
	}
	return NULL;
}

static void add_named(struct adbgd_insn *insn, const char *at, size_t length,
		      uint32_t lanes, bool first)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(named); i++) {
		if (strlen(named[i].name) != length || strncmp(named[i].name, at, length))
			continue;
		add(insn, named[i].space, named[i].number,
		    named[i].count ? named[i].count : lanes / 32, first);
		return;
	}
}

/* Find all registers behind the mnemonic. The first operand ends at a comma. */
static void find_operands(struct adbgd_insn *insn, uint32_t lanes)
{
	const char *at = insn->text, *end;
	unsigned int depth = 0;
	bool first = true;

	while (*at && *at != ' ')
		at++;
	while (*at) {
		if (*at == '[' || *at == '(')
			depth++;
		else if ((*at == ']' || *at == ')') && depth)
			depth--;
		else if (*at == ',' && !depth)
			first = false;
		if (!is_word(*at)) {
			at++;
			continue;
		}
		end = add_numbered(insn, at, first);
		if (!end) {
			end = at;
			while (is_word(*end))
				end++;
			/* "op_sel:[0,1]" is no register, whatever follows. */
			if (*end != ':' && *end != '(')
				add_named(insn, at, end - at, lanes, first);
		}
		at = end;
	}
}

/* The offset of a branch is the last operand, in dwords from the end of the instruction. */
static uint64_t target_of(const struct adbgd_insn *insn)
{
	const char *at = strrchr(insn->text, ' ');
	uint64_t number = 0;
	bool negative;

	if (!at)
		return 0;
	at++;
	negative = *at == '-';
	at += negative;
	if (!strncmp(at, "0x", 2)) {
		for (at += 2; isxdigit((unsigned char)*at); at++)
			number = number * 16 + (isdigit((unsigned char)*at) ? *at - '0' :
						tolower((unsigned char)*at) - 'a' + 10);
	} else {
		for (; isdigit((unsigned char)*at); at++)
			number = number * 10 + (*at - '0');
	}
	number = negative ? -number : number;
	return insn->address + 4 + 4 * (int64_t)(int16_t)number;
}

void adbgd_insn_parse(struct adbgd_insn *insn, uint32_t lanes)
{
	insn->flow = flow_of(insn->text);
	if (insn->flow == ADBGD_FLOW_BRANCH || insn->flow == ADBGD_FLOW_COND ||
	    insn->flow == ADBGD_FLOW_CALL)
		insn->target = target_of(insn);
	find_operands(insn, lanes);
}
