// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl x: 32-bit words of the memory of a process, like gdb's command x.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/location.h"
#include "waves/memory.h"
#include "waves/regs.h"

struct examine_args {
	uint64_t count;			/* 0: not given */
};

#define PER_ROW		4
#define MAX_WORDS	(1 << 20)

static void emit_words(struct wavectl *w, uint64_t va, const uint8_t *data, uint64_t count)
{
	char *line = format_words(w->format, data, count);

	emit_row(w->emit);
	emit_hex64(w->emit, "address", va);
	code_emit_place(w, va);
	emit_str(w->emit, "data", line);
	free(line);
}

static int say(struct wavectl *w, const struct memory *m)
{
	emit_begin(w->emit);
	emit_table(w->emit, "memory", true);
	for (uint64_t at = 0; at < m->bytes; at += 4 * PER_ROW) {
		uint64_t left = (m->bytes - at) / 4;

		emit_words(w, m->va + at, m->data + at, left < PER_ROW ? left : PER_ROW);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "bytes", m->bytes);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* With a debugger, read the code as it is without breakpoints. */
static int read_words(struct wavectl *w, struct memory *m)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;
	struct adbgd_memory memory;

	m->data = xcalloc(1, m->bytes);
	if (!d)
		return adbg_vm_read(w->session, w->pid, m->va, m->data, m->bytes);
	adbgd_process_get_memory(d->process, &memory);
	return memory.read(memory.data, m->va, m->data, m->bytes);
}

static int examine(struct wavectl *w, uint64_t va)
{
	const struct examine_args *args = w->args;
	struct memory m = { .va = va, .bytes = 4 * (args->count ? args->count : 1) };
	int ret = read_words(w, &m);
	int status = ret ? fail(w, ret, "cannot read 0x%016" PRIx64, va) : say(w, &m);

	free(m.data);
	return status;
}

/* A name needs the debugger, an address does not. */
static int find_address(struct wavectl *w, uint64_t *va)
{
	struct location location;
	int status;

	if (parse_u64(w->words[0], UINT64_MAX, va))
		return WAVECTL_OK;
	status = debug_open(w);
	if (!status)
		status = location_find(w, w->words[0], LOCATION_BEGIN, &location);
	if (status)
		return status;
	*va = location.va[0];
	free(location.va);
	return WAVECTL_OK;
}

static int cmd_x(struct wavectl *w)
{
	const struct examine_args *args = w->args;
	uint64_t va;
	int status;

	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: each process has its own address space");
	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "one location is required");
	if (args->count > MAX_WORDS)
		return fail_with(w, WAVECTL_USAGE, "use \"mem read\" with --output for more",
				 "--count: at most %u words can be printed", MAX_WORDS);
	status = open_target(w);
	if (!status)
		status = find_address(w, &va);
	return status ? status : examine(w, va);
}

static const struct option_desc opt_words = {
	"count", 'c', "N", "number of 32-bit words (default: 1)",
	option_positive, OPTION_OF(struct examine_args, count),
};

static const struct option_desc *const x_options[] = {
	TARGET_OPTIONS, &opt_words, &opt_format, NULL,
};

const struct command examine_commands[] = {
	{
		.noun = "x",
		.args = "LOCATION",
		.summary = "print 32-bit words of the memory of a process",
		.help = LOCATION_HELP
			"Names of symbols and functions need a shell or batch.",
		.options = x_options,
		.args_size = sizeof(struct examine_args),
		.run = cmd_x,
	},
	{ .noun = NULL },
};
