// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loops that a wave executes: recording its steps, and reading its instructions.
 */
#include <errno.h>

#include "loop.h"
#include "process/process.h"

/* Instructions that are recorded between two searches for loops */
#define RECORD_FIRST	64
#define RECORD_MAX	2048

ADBGD_API void adbgd_loops_free(struct adbgd_loops *loops)
{
	size_t i;

	if (!loops)
		return;
	for (i = 0; i < loops->num_found; i++) {
		free(loops->found[i]->spans);
		free(loops->found[i]);
	}
	free(loops->at);
	free(loops->depth);
	free(loops->insns);
	free(loops);
}

ADBGD_API const struct adbgd_loop *adbgd_loops_get(const struct adbgd_loops *loops, size_t i)
{
	return i < loops->num_found ? &loops->found[i]->info : NULL;
}

/* ------------------------------------------------------------------- instructions */

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Memory may end after a short instruction. */
static int read_insn(const struct adbgd_memory *memory, struct adbgd_disasm *disasm, uint64_t pc,
		     struct adbgd_loop_insn *insn, struct adbgd_error *error)
{
	size_t size = 0;
	int ret;

	while (size < sizeof(insn->dwords)) {
		ret = memory->read(memory->data, pc + size, &insn->dwords[size / 4], 4);
		if (ret && !size)
			return adbgd_fail(error, ret, "the instruction at %#llx cannot be read",
					  (unsigned long long)pc);
		if (ret)
			break;
		size += 4;
	}
	return adbgd_disasm_insn(disasm, pc, insn->dwords, size, &insn->insn, error);
}

/* Read each instruction once. @sorted: all addresses */
static int read_insns(struct adbgd_loops *l, struct adbgd_disasm *disasm,
		      const struct adbgd_memory *memory, const uint64_t *sorted,
		      struct adbgd_error *error)
{
	size_t room = 0;
	uint64_t i;
	int ret;

	for (i = 0; i <= l->num; i++) {
		struct adbgd_loop_insn *insns;

		if (i && sorted[i] == sorted[i - 1])
			continue;
		insns = adbgd_grow(l->insns, l->num_insns, &room, sizeof(*insns));
		if (!insns)
			return adbgd_no_memory(error, "instructions");
		l->insns = insns;
		insns[l->num_insns] = (struct adbgd_loop_insn){ .insn.address = sorted[i] };
		ret = read_insn(memory, disasm, sorted[i], &insns[l->num_insns], error);
		/* The next instruction need not exist: the wave has ended, or will fault. */
		if (ret && sorted[i] != sorted[l->num + 1])
			return ret;
		l->num_insns++;
	}
	return 0;
}

static uint32_t index_of(const struct adbgd_loops *l, uint64_t pc)
{
	size_t low = 0, high = l->num_insns;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (l->insns[middle].insn.address <= pc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Set @l->at. @pcs has room for twice the addresses, of which the second half is sorted. */
static int take_insns(struct adbgd_loops *l, struct adbgd_trace *trace,
		      struct adbgd_disasm *disasm, const struct adbgd_memory *memory,
		      uint64_t *pcs, struct adbgd_error *error)
{
	uint64_t *sorted = pcs + l->num + 1, i;
	int ret = 0;

	for (i = 0; !ret && i <= l->num; i++) {
		ret = adbgd_trace_seek(trace, i, error);
		pcs[i] = adbgd_trace_get_pc(trace);
		sorted[i] = pcs[i];
	}
	if (ret)
		return ret;
	qsort(sorted, l->num + 1, sizeof(*sorted), compare_addresses);
	sorted[l->num + 1] = pcs[l->num];
	ret = read_insns(l, disasm, memory, sorted, error);
	for (i = 0; !ret && i <= l->num; i++)
		l->at[i] = index_of(l, pcs[i]);
	return ret;
}

ADBGD_API int adbgd_loops_new(struct adbgd_trace *trace, struct adbgd_disasm *disasm,
			      const struct adbgd_memory *memory, struct adbgd_loops **loops,
			      struct adbgd_error *error)
{
	const struct adbgd_trace_info *info = adbgd_trace_get_info(trace);
	struct adbgd_loops *l = calloc(1, sizeof(*l));
	uint64_t *pcs = calloc(2 * (info->num_steps + 1) + 1, sizeof(*pcs));
	int ret = -ENOMEM;
	size_t i;

	if (l) {
		l->gc_version = info->gc_version;
		l->lanes = info->lanes;
		l->num = info->num_steps;
		l->at = calloc(l->num + 1, sizeof(*l->at));
		l->depth = calloc(l->num + 1, sizeof(*l->depth));
	}
	if (!l || !pcs || !l->at || !l->depth)
		ret = adbgd_no_memory(error, "the steps of a wave");
	else
		ret = take_insns(l, trace, disasm, memory, pcs, error);
	if (!ret)
		ret = adbgd_loops_find(l, error);
	free(pcs);
	if (ret) {
		adbgd_loops_free(l);
		return ret;
	}
	for (i = 0; i < l->num_found; i++)
		adbgd_loop_find_conditions(l, l->found[i]);
	*loops = l;
	return 0;
}

/* ---------------------------------------------------------------------- recording */

static bool is_repeated(const struct adbgd_loops *l, uint64_t iterations)
{
	size_t i;

	for (i = 0; i < l->num_found; i++)
		if (l->found[i]->is_active && !l->found[i]->info.left &&
		    l->found[i]->repeated >= iterations)
			return true;
	return false;
}

/* Record some steps. Return: 1 the wave cannot be stepped further; 0 or -errno. */
static int record(struct adbgd_process *process, struct adbgd_trace *trace, uint64_t wanted,
		  uint64_t *done, struct adbgd_stop *stop, struct adbgd_error *error)
{
	uint64_t num = wanted;
	int ret = adbgd_trace_record(process, trace, &num, stop, error);

	*done += num;
	return ret ? ret : num < wanted;
}

ADBGD_API int adbgd_loops_record(struct adbgd_process *process, struct adbgd_trace *trace,
				 struct adbgd_disasm *disasm, uint64_t iterations, uint64_t *num,
				 struct adbgd_stop *stop, struct adbgd_loops **loops,
				 struct adbgd_error *error)
{
	uint64_t max = *num, done = 0, some = RECORD_FIRST;
	struct adbgd_memory memory;
	int ret = 0, failed;

	*num = 0;
	*loops = NULL;
	if (!max || !iterations)
		return adbgd_fail(error, -EINVAL, "the numbers of instructions and iterations must "
				  "be at least 1");
	adbgd_process_get_memory(process, &memory);
	while (!ret && done < max && !adbgd_is_interrupted(process)) {
		ret = record(process, trace, some < max - done ? some : max - done, &done, stop,
			     error);
		*num = done;
		if (!done)
			break;
		adbgd_loops_free(*loops);
		*loops = NULL;
		failed = adbgd_loops_new(trace, disasm, &memory, loops, ret < 0 ? NULL : error);
		if (failed)
			return ret < 0 ? ret : failed;
		if (is_repeated(*loops, iterations))
			break;
		some = some < RECORD_MAX ? 2 * some : RECORD_MAX;
	}
	return ret > 0 ? 0 : ret;
}
