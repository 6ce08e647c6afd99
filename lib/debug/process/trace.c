// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Traces: the registers of a wave at the beginning, and the changes by each step. A step takes
 * only as much memory as it changes, and a trace can be read in both directions.
 */
#include <string.h>

#include "trace.h"

/* A wave has at most 64 lanes of 512 VGPRs. The limit also has room for all other registers. */
#define MAX_WORDS	(1 << 16)

static uint64_t count_words(const struct adbgd_trace_info *info)
{
	return (uint64_t)info->num_hwregs + info->num_sgprs +
	       (uint64_t)info->num_vgprs * info->lanes;
}

/* Hardware registers that instructions change; of STATUS only these fields */
static const char *const hw_names[] = {
	"PC_LO", "PC_HI", "M0", "EXEC_LO", "EXEC_HI", "MODE", "TRAPSTS", "FLAT_SCRATCH_LO",
	"FLAT_SCRATCH_HI",
};

static const char *const status_names[] = { "SCC", "USER_PRIO", "EXECZ", "VCCZ" };

static uint32_t status_mask(const struct adbg_reg *status)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < ARRAY_SIZE(status_names); i++) {
		const struct adbg_field *field = adbg_reg_find_field(status, status_names[i]);

		if (field)
			mask |= ((1U << field->width) - 1) << field->shift;
	}
	return mask;
}

static void set_mask(struct adbgd_trace *t, const struct adbg_reg *reg, uint32_t mask)
{
	if (reg && reg->number < t->info.num_hwregs)
		t->masks[reg->number] = mask;
}

static void set_masks(struct adbgd_trace *t)
{
	const struct adbg_reg *status = adbg_reg_find(t->info.gc_version, "STATUS");

	for (size_t i = 0; i < ARRAY_SIZE(hw_names); i++)
		set_mask(t, adbg_reg_find(t->info.gc_version, hw_names[i]), UINT32_MAX);
	if (status)
		set_mask(t, status, status_mask(status));
}

ADBGD_API int adbgd_trace_new(const struct adbgd_trace_info *info, struct adbgd_trace **trace,
			      struct adbgd_error *error)
{
	struct adbgd_trace *t;

	if (info->lanes != 32 && info->lanes != 64)
		return adbgd_fail(error, -EINVAL, "a wave has 32 or 64 lanes, not %u",
				  info->lanes);
	if (info->num_hwregs > MAX_WORDS || info->num_sgprs > MAX_WORDS ||
	    info->num_vgprs > MAX_WORDS || count_words(info) > MAX_WORDS)
		return adbgd_fail(error, -E2BIG, "a wave has at most %u registers, with those of "
				  "each lane", MAX_WORDS);
	t = calloc(1, sizeof(*t));
	if (t) {
		t->words = calloc(count_words(info) + 1, sizeof(*t->words));
		t->taken = calloc(count_words(info) + 1, sizeof(*t->taken));
		t->masks = calloc(info->num_hwregs + 1, sizeof(*t->masks));
	}
	if (!t || !t->words || !t->taken || !t->masks) {
		adbgd_trace_free(t);
		return adbgd_no_memory(error, "a trace");
	}
	t->info = *info;
	t->info.num_steps = 0;
	t->info.num_words = (uint32_t)count_words(info);
	set_masks(t);
	*trace = t;
	return 0;
}

ADBGD_API void adbgd_trace_free(struct adbgd_trace *trace)
{
	if (!trace)
		return;
	free(trace->words);
	free(trace->taken);
	free(trace->masks);
	free(trace->changes);
	free(trace->ends);
	free(trace);
}

ADBGD_API const struct adbgd_trace_info *adbgd_trace_get_info(const struct adbgd_trace *trace)
{
	return &trace->info;
}

static int add_change(struct adbgd_trace *t, uint32_t word, uint32_t bits)
{
	void *more = adbgd_grow(t->changes, t->num_changes, &t->room_changes,
				sizeof(*t->changes));

	if (!more)
		return -ENOMEM;
	t->changes = more;
	t->changes[t->num_changes++] = (struct adbgd_trace_change){ word, bits };
	return 0;
}

static int add_step(struct adbgd_trace *t, const uint32_t *words)
{
	void *more = adbgd_grow(t->ends, t->info.num_steps, &t->room_ends, sizeof(*t->ends));
	int ret = 0;

	if (!more)
		return -ENOMEM;
	t->ends = more;
	for (uint32_t i = 0; !ret && i < t->info.num_words; i++)
		if (words[i] != t->words[i])
			ret = add_change(t, i, words[i] ^ t->words[i]);
	return ret;
}

ADBGD_API int adbgd_trace_add_step(struct adbgd_trace *trace, const uint32_t *words,
				   struct adbgd_error *error)
{
	size_t before = trace->num_changes;
	int ret;

	if (trace->has_begun) {
		/* The step is compared with the state at the end of the trace. */
		ret = adbgd_trace_seek(trace, trace->info.num_steps, error);
		if (!ret)
			ret = add_step(trace, words);
		if (ret) {
			trace->num_changes = before;
			return adbgd_no_memory(error, "a trace");
		}
		trace->ends[trace->info.num_steps] = trace->num_changes;
		trace->position = ++trace->info.num_steps;
	}
	memcpy(trace->words, words, trace->info.num_words * sizeof(*words));
	trace->has_begun = true;
	return 0;
}

int adbgd_trace_record_words(struct adbgd_trace *trace, uint32_t *words, struct adbgd_error *error)
{
	for (uint32_t i = 0; trace->has_begun && i < trace->info.num_hwregs; i++) {
		uint32_t mask = trace->masks[i];

		/* Bits that instructions cannot change keep the value of the trace's beginning. */
		words[i] = (words[i] & mask) | (trace->words[i] & ~mask);
	}
	return adbgd_trace_add_step(trace, words, error);
}

/* Apply the changes of a step, forward or backward. */
static void apply(struct adbgd_trace *t, uint64_t step)
{
	for (size_t i = step ? t->ends[step - 1] : 0; i < t->ends[step]; i++)
		t->words[t->changes[i].word] ^= t->changes[i].bits;
}

ADBGD_API int adbgd_trace_seek(struct adbgd_trace *trace, uint64_t step,
			       struct adbgd_error *error)
{
	if (step > trace->info.num_steps)
		return adbgd_fail(error, -ERANGE, "the trace has %llu steps, not %llu",
				  (unsigned long long)trace->info.num_steps,
				  (unsigned long long)step);
	while (trace->position < step)
		apply(trace, trace->position++);
	while (trace->position > step)
		apply(trace, --trace->position);
	return 0;
}

ADBGD_API const uint32_t *adbgd_trace_get_all_regs(const struct adbgd_trace *trace)
{
	return trace->words;
}

ADBGD_API const uint32_t *adbgd_trace_get_regs(const struct adbgd_trace *trace, uint32_t space,
					       uint32_t lane, uint32_t *count)
{
	const struct adbgd_trace_info *info = &trace->info;
	const uint32_t *words = trace->words;

	*count = 0;
	if (lane && (space != AMDGPUDBG_REG_VGPR || lane >= info->lanes))
		return NULL;
	switch (space) {
	case AMDGPUDBG_REG_HW:
		*count = info->num_hwregs;
		break;
	case AMDGPUDBG_REG_SGPR:
		words += info->num_hwregs;
		*count = info->num_sgprs;
		break;
	case AMDGPUDBG_REG_VGPR:
		words += info->num_hwregs + info->num_sgprs + lane * info->num_vgprs;
		*count = info->num_vgprs;
		break;
	}
	return *count ? words : NULL;
}

/* Get the word of a hardware register by its name. */
static uint64_t hwreg(const struct adbgd_trace *t, const char *name)
{
	const struct adbg_reg *reg = adbg_reg_find(t->info.gc_version, name);

	return reg && reg->number < t->info.num_hwregs ? t->words[reg->number] : 0;
}

ADBGD_API uint64_t adbgd_trace_get_pc(const struct adbgd_trace *trace)
{
	uint64_t pc = hwreg(trace, "PC_HI") << 32 | hwreg(trace, "PC_LO");

	/* Sign-extend it, as in the PC of waves. */
	return pc & 1ULL << 47 ? pc | 0xffffULL << 48 : pc;
}
