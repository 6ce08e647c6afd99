// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl vm map: the mappings in the GPU address space of a process.
 */
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "report/from.h"
#include "report/show.h"
#include "waves/mapping.h"

static const struct {
	uint32_t flag;
	const char *name;
} flags[] = {
	{ AMDGPUDBG_MAPPING_READ, "read" },
	{ AMDGPUDBG_MAPPING_WRITE, "write" },
	{ AMDGPUDBG_MAPPING_EXEC, "exec" },
	{ AMDGPUDBG_MAPPING_PRT, "prt" },
	{ AMDGPUDBG_MAPPING_ENCRYPTED, "encrypted" },
};

static void emit_mapping(struct wavectl *w, const struct amdgpudbg_mapping *m)
{
	const char *names[ARRAY_SIZE(flags)];
	struct emit *e = w->emit;
	unsigned int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (m->flags & flags[i].flag)
			names[n++] = flags[i].name;
	emit_row(e);
	emit_gpu_number(w);
	emit_hex64(e, "address", m->va);
	emit_hex64(e, "end", m->va + m->bytes);
	emit_str(e, "kind", mapping_kind(m));
	emit_names(e, "flags", names, n);
	emit_hex64(e, "offset", m->offset);
	if (m->kind == AMDGPUDBG_KIND_USERPTR)
		emit_hex64(e, "cpu_address", m->cpu_address);
	else
		emit_none(e, "cpu_address");
}

/* Nothing is mapped at @va: name its neighbours. */
static int fail_unmapped(struct wavectl *w, uint64_t va)
{
	struct mapping_near near;
	char *text;
	int ret = mapping_find_near(w, va, &near), status;

	if (ret)
		return fail(w, ret, "cannot list the mappings");
	text = mapping_near_text(&near, va);
	status = fail_with(w, WAVECTL_GONE, NULL, "nothing is mapped at %s: %s", w->words[0],
			   text);
	free(text);
	return status;
}

/* Print the mappings on a GPU as rows, and add their number to *@count. */
static int emit_mappings(struct wavectl *w, uint64_t va, uint64_t bytes, size_t *count)
{
	struct amdgpudbg_mapping *list;
	uint32_t num;
	int ret;

	ret = adbg_vm_mappings(w->session, va, bytes, &list, &num);
	if (ret)
		return fail(w, ret, "cannot list the mappings");
	for (uint32_t i = 0; i < num; i++)
		emit_mapping(w, &list[i]);
	*count += num;
	free(list);
	return WAVECTL_OK;
}

static int map(struct wavectl *w, uint64_t va, uint64_t bytes)
{
	size_t count = 0;
	int status;

	emit_begin(w->emit);
	emit_table(w->emit, "mappings", true);
	for (size_t i = 0; use_target(w, i); i++) {
		status = emit_mappings(w, va, bytes, &count);
		if (status)
			return status;
	}
	if (bytes && !count) {
		use_target(w, 0);
		return fail_unmapped(w, va);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_vm_map(struct wavectl *w)
{
	uint64_t va = 0;
	int status;

	if (w->from)
		return report_from(w, report_show_mappings);
	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: each process has its own address space");
	if (w->num_words > 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"vm map\" takes at most one address");
	if (w->num_words && !parse_u64(w->words[0], UINT64_MAX, &va))
		return fail_with(w, WAVECTL_USAGE,
				 "an address is a number, such as 0x600000001000",
				 "'%s' is not an address", w->words[0]);
	status = open_targets(w);
	return status ? status : map(w, va, w->num_words);
}

static const struct option_desc *const vm_options[] = {
	TARGET_OPTIONS, &opt_from, NULL,
};

const struct command vm_commands[] = {
	{
		.noun = "vm",
		.verb = "map",
		.args = "[ADDRESS]",
		.summary = "list the mappings in the GPU address space of a process",
		.help = "With ADDRESS, print the mapping that contains it; if there is none, the nearest\n"
			"mappings below and above it, and how far away they are. Memory of kind system,\n"
			"vram and userptr (the memory of the process itself) can be read and written.",
		.options = vm_options,
		.run = cmd_vm_map,
	},
	{
		.noun = "info",
		.verb = "map",
		.args = "[ADDRESS]",
		.summary = "same as \"vm map\"",
		.options = vm_options,
		.run = cmd_vm_map,
	},
	{ .noun = NULL },
};
