// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The address of the kernarg segment: a wave begins with it in two SGPRs, and it is lost when one
 * of them is written. The instructions of the kernel are followed from each write on, so that it
 * is known for each instruction whether a write can come before it.
 */
#include "kernarg.h"

#include <string.h>

/* Longer kernels are not followed. */
#define SIZE_MAX_FOLLOWED	(1U << 20)

/* A step of the budget takes much less time than disassembling an instruction. */
#define INSN_STEPS		64

/* What is known of a dword of the kernel */
#define INSN_BEGINS	(1U << 0)
#define INSN_WRITES	(1U << 1)	/* it may change the SGPRs */
#define INSN_AFTER	(1U << 2)	/* an instruction that may change them can come before */
#define INSN_NEXT	(1U << 3)	/* it can be followed by the next one */

struct dword {
	uint32_t target;	/* index of the dword to which it branches; NO_TARGET */
	uint8_t flags;		/* INSN_* */
	uint8_t size;		/* in dwords */
};

#define NO_TARGET	UINT32_MAX

struct adbgd_kernarg {
	uint64_t entry;		/* of the kernel, in the file */
	uint32_t num;
	struct dword dwords[];
};

const struct adbgd_kernel *adbgd_kernarg_kernel(const struct adbgd_code *code, uint64_t pc)
{
	const struct adbgd_kernel *k;
	size_t i;

	for (i = 0; (k = adbgd_code_get_kernel(code, i)); i++) {
		if (pc == k->entry || pc - k->entry < k->size)
			return k;
	}
	return NULL;
}

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/*
 * VOP3 instructions whose second operand is a result: a carry, or a flag of each lane. Before gfx9
 * additions without "_co_" in their names have a carry, too.
 */
static bool has_second_result(const struct adbgd_gpu *gpu, const char *text)
{
	return strstr(text, "_co_") || begins_with(text, "v_div_scale_") ||
	       begins_with(text, "v_mad_u64_") || begins_with(text, "v_mad_i64_") ||
	       (gpu->major < 9 && (begins_with(text, "v_add") || begins_with(text, "v_sub")));
}

/*
 * May an instruction change SGPR @sgpr or the next one? The first operand counts as a result, also
 * where it is none, such as of s_cmp. s_movrel* write to any SGPR.
 */
static bool may_write(const struct adbgd_gpu *gpu, const struct adbgd_insn *insn, uint32_t sgpr)
{
	bool any = has_second_result(gpu, insn->text);
	uint32_t i;

	if (insn->flow == ADBGD_FLOW_CALL || insn->flow == ADBGD_FLOW_CALL_REG ||
	    insn->flow == ADBGD_FLOW_JUMP_REG || begins_with(insn->text, "s_movrel"))
		return true;
	for (i = 0; i < insn->num_operands; i++) {
		const struct adbgd_operand *o = &insn->operands[i];

		if (o->space == AMDGPUDBG_REG_SGPR && o->number <= sgpr + 1 &&
		    o->number + o->count > sgpr && (any || o->flags & ADBGD_OPERAND_FIRST))
			return true;
	}
	return false;
}

static void note_insn(struct adbgd_kernarg *of, uint32_t at, const struct adbgd_insn *insn,
		      bool writes)
{
	uint64_t target = (insn->target - insn->address) / 4 + at;
	struct dword *d = &of->dwords[at];

	d->flags = INSN_BEGINS | (writes ? INSN_WRITES : 0);
	d->size = insn->size / 4;
	d->target = NO_TARGET;
	if (insn->flow != ADBGD_FLOW_BRANCH && insn->flow != ADBGD_FLOW_END &&
	    insn->flow != ADBGD_FLOW_ILLEGAL)
		d->flags |= INSN_NEXT;
	if (insn->target && target < of->num)
		d->target = target;
}

/* Disassemble the kernel, whose instructions are @bytes. */
static int disassemble(struct adbgd_code *code, const struct adbgd_kernel *k,
		       struct adbgd_kernarg *of, const uint8_t *bytes, bool *jumps,
		       struct adbgd_error *error)
{
	struct adbgd_disasm *disasm;
	struct adbgd_insn insn;
	uint32_t at;
	int ret;

	ret = adbgd_disasm_new(code->gpu->name, k->lanes, &disasm, error);
	if (ret)
		return ret;
	for (at = 0; at < of->num; at += insn.size < 4 ? 1 : insn.size / 4) {
		ret = adbgd_spend(&code->budget, ADBGD_COST_STEPS, INSN_STEPS, code->name, error);
		if (!ret)
			ret = adbgd_disasm_insn(disasm, k->entry + 4ULL * at, bytes + 4ULL * at,
						4ULL * (of->num - at), &insn, error);
		if (ret)
			break;
		note_insn(of, at, &insn, may_write(code->gpu, &insn, k->kernarg_sgpr));
		*jumps |= insn.flow == ADBGD_FLOW_JUMP_REG;
	}
	adbgd_disasm_free(disasm);
	return ret;
}

/* Mark an instruction that can come after a write; add it to the list unless it is there. */
static void mark(struct adbgd_kernarg *of, uint64_t at, uint32_t *list, size_t *count)
{
	if (at >= of->num || of->dwords[at].flags & INSN_AFTER)
		return;
	of->dwords[at].flags |= INSN_AFTER;
	list[(*count)++] = at;
}

static void mark_followers(struct adbgd_kernarg *of, uint32_t at, uint32_t *list, size_t *count)
{
	const struct dword *d = &of->dwords[at];

	if (d->flags & INSN_NEXT)
		mark(of, (uint64_t)at + d->size, list, count);
	if (d->target != NO_TARGET)
		mark(of, d->target, list, count);
}

/* Mark all that can come after a write. @jumps: there is a jump to an unknown instruction. */
static int follow(struct adbgd_kernarg *of, bool jumps, struct adbgd_error *error)
{
	uint32_t *list = calloc(of->num + 1, sizeof(*list));
	size_t count = 0;
	uint32_t at;

	if (!list)
		return adbgd_no_memory(error, "the instructions of a kernel");
	for (at = 0; at < of->num; at++) {
		if (jumps && at)
			of->dwords[at].flags |= INSN_AFTER;
		else if (of->dwords[at].flags & INSN_WRITES)
			mark_followers(of, at, list, &count);
	}
	while (count)
		mark_followers(of, list[--count], list, &count);
	free(list);
	return 0;
}

static int read_code(const struct adbgd_code *code, const struct adbgd_kernel *k,
		     const struct adbgd_context *context, uint8_t *bytes, size_t size,
		     struct adbgd_error *error)
{
	int ret = adbgd_code_read(code, k->entry, bytes, size, error);

	if (ret != -ENODATA)
		return ret;
	ret = context->read_memory ? context->read_memory(context->data, ADBGD_SPACE_GLOBAL, 0,
							   k->entry, bytes, size) : -EINVAL;
	return !ret ? 0 : adbgd_fail(error, ret, "the instructions of the kernel %.128s cannot be "
				     "read: %s", k->name, adbgd_context_reason(context, ret));
}

static int analyze(struct adbgd_code *code, const struct adbgd_kernel *k,
		   const struct adbgd_context *context, struct adbgd_kernarg *of,
		   struct adbgd_error *error)
{
	uint8_t *bytes = malloc(k->size + 1);
	bool jumps = false;
	int ret;

	if (!bytes)
		return adbgd_no_memory(error, code->name);
	of->entry = k->entry - code->info.bias;
	of->num = k->size / 4;
	ret = read_code(code, k, context, bytes, k->size, error);
	if (!ret)
		ret = disassemble(code, k, of, bytes, &jumps, error);
	if (!ret)
		ret = follow(of, jumps, error);
	free(bytes);
	return ret;
}

/* Get what is known of the instructions of a kernel. */
static int get_flow(struct adbgd_code *code, const struct adbgd_kernel *k,
		    const struct adbgd_context *context, struct adbgd_error *error)
{
	struct adbgd_kernarg *of;
	int ret;

	if (code->kernarg && code->kernarg->entry == k->entry - code->info.bias)
		return 0;
	if (k->size > SIZE_MAX_FOLLOWED)
		return adbgd_fail(error, -ENODATA, "the address of the arguments of %.128s is only "
				  "known at its first instruction, because it has more than %u KiB",
				  k->name, SIZE_MAX_FOLLOWED >> 10);
	adbgd_budget_begin(&code->budget);
	of = calloc(1, sizeof(*of) + k->size / 4 * sizeof(of->dwords[0]));
	if (!of)
		return adbgd_no_memory(error, code->name);
	ret = analyze(code, k, context, of, error);
	if (ret) {
		free(of);
		return ret;
	}
	free(code->kernarg);
	code->kernarg = of;
	return 0;
}

static int check(struct adbgd_code *code, const struct adbgd_kernel *k, uint64_t pc,
		 const struct adbgd_context *context, struct adbgd_error *error)
{
	const struct dword *d;
	int ret;

	/* Without a size only the first instruction is known. */
	if (pc == k->entry && !k->size)
		return 0;
	ret = get_flow(code, k, context, error);
	if (ret)
		return pc == k->entry ? 0 : ret;
	if ((pc - k->entry) / 4 >= code->kernarg->num)
		return adbgd_fail(error, -ENODATA, "no instruction begins at %#llx",
				  (unsigned long long)pc);
	d = &code->kernarg->dwords[(pc - k->entry) / 4];
	if (pc % 4 || !(d->flags & INSN_BEGINS))
		return adbgd_fail(error, -ENODATA, "no instruction begins at %#llx",
				  (unsigned long long)pc);
	if (d->flags & INSN_AFTER)
		return adbgd_fail(error, -ENODATA, "the address of the arguments was in s[%u:%u], "
				  "which may have changed before this instruction",
				  k->kernarg_sgpr, k->kernarg_sgpr + 1);
	return 0;
}

ADBGD_API int adbgd_kernarg_locate(struct adbgd_code *code, uint64_t pc,
				   const struct adbgd_context *context, uint64_t *address,
				   struct adbgd_error *error)
{
	const struct adbgd_kernel *k = adbgd_kernarg_kernel(code, pc);
	uint32_t halves[2], i;
	int ret;

	if (!k)
		return adbgd_fail(error, -ENODATA, "the address of the arguments is only known in "
				  "the code of a kernel, and %#llx is outside",
				  (unsigned long long)pc);
	if (!(k->flags & ADBGD_KERNEL_HAS_KERNARG))
		return adbgd_fail(error, -ENODATA, "waves of the kernel %.128s do not get the "
				  "address of arguments", k->name);
	ret = check(code, k, pc, context, error);
	for (i = 0; !ret && i < 2; i++) {
		ret = context->read_register ?
		      context->read_register(context->data, AMDGPUDBG_REG_SGPR,
					     k->kernarg_sgpr + i, context->lane, &halves[i]) :
		      -EINVAL;
		if (ret)
			return adbgd_fail(error, ret, "s%u, which has the address of the "
					  "arguments, cannot be read: %s", k->kernarg_sgpr + i,
					  adbgd_context_reason(context, ret));
	}
	if (ret)
		return ret;
	*address = halves[0] | (uint64_t)halves[1] << 32;
	return 0;
}
