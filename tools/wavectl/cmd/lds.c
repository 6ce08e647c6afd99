// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl lds read and lds write: the LDS of the work-group of the selected wave.
 */
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/focus.h"
#include "waves/action.h"
#include "waves/memory.h"
#include "waves/regs.h"

struct lds_args {
	uint64_t count;			/* 0: not given */
	const char *output;		/* NULL: not given */
	const char *input;
};

#define PER_ROW		4

/* Get the selected wave and the size of its LDS. Returns an exit status. */
static int open_lds(struct wavectl *w, struct amdgpudbg_wave_coord *at, uint32_t *size)
{
	struct adbgd_error error;
	struct debugger *d;
	struct focus focus;
	int status = debug_open_target(w);

	if (status)
		return status;
	status = focus_open(w, &focus);
	*at = focus.wave.at;
	focus_close(&focus);
	if (status)
		return status;
	d = w->shell->debugger;
	return adbgd_lds_get_size(d->process, at, size, &error) ? debug_fail(w, &error) :
								     WAVECTL_OK;
}

static int take_address(struct wavectl *w, struct memory *m)
{
	if (!w->num_words)
		return WAVECTL_OK;
	if (!parse_u64(w->words[0], UINT32_MAX, &m->va))
		return fail_with(w, WAVECTL_USAGE, "LDS addresses are numbers that start at 0",
				 "'%s' is not an LDS address", w->words[0]);
	return WAVECTL_OK;
}

static int say_words(struct wavectl *w, const struct memory *m,
		     const struct amdgpudbg_wave_coord *at)
{
	emit_begin(w->emit);
	emit_at(w->emit, "name", at);
	emit_table(w->emit, "lds", true);
	for (uint64_t from = 0; from < m->bytes; from += 4 * PER_ROW) {
		uint64_t left = (m->bytes - from) / 4;
		char *line = format_words(w->format, m->data + from,
					  left < PER_ROW ? left : PER_ROW);

		emit_row(w->emit);
		emit_hex32(w->emit, "address", m->va + from);
		emit_str(w->emit, "data", line);
		free(line);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "bytes", m->bytes);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int say_saved(struct wavectl *w, const struct memory *m,
		     const struct amdgpudbg_wave_coord *at)
{
	const struct lds_args *args = w->args;
	int status = memory_save(w, args->output, m);

	if (status)
		return status;
	emit_begin(w->emit);
	emit_at(w->emit, "name", at);
	emit_hex32(w->emit, "address", m->va);
	emit_uint(w->emit, "bytes", m->bytes);
	emit_str(w->emit, "file", args->output);
	emit_say(w->emit, "saved {bytes} bytes of LDS at {address} to {file}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_lds_read(struct wavectl *w)
{
	const struct lds_args *args = w->args;
	struct amdgpudbg_wave_coord at;
	struct memory m = { 0 };
	struct adbgd_error error;
	struct debugger *d;
	uint32_t size;
	int status = w->num_words > 1 ?
		     fail_with(w, WAVECTL_USAGE, "use --count for the number of words",
			       "unexpected argument '%s'", w->words[1]) : take_address(w, &m);

	if (!status)
		status = open_lds(w, &at, &size);
	if (status)
		return status;
	/* By default all from the address on. The library rejects a size that is too large. */
	m.bytes = size > m.va ? size - m.va : 4;
	if (args->count)
		m.bytes = 4 * (args->count < UINT32_MAX / 4 ? args->count : UINT32_MAX / 4);
	d = w->shell->debugger;
	m.data = xcalloc(1, m.bytes < size ? size : m.bytes);
	if (adbgd_lds_read(d->process, &at, m.va, m.data, m.bytes, &error))
		status = debug_fail(w, &error);
	else
		status = args->output ? say_saved(w, &m, &at) : say_words(w, &m, &at);
	free(m.data);
	return status;
}

struct lds_write {
	struct memory m;
	struct amdgpudbg_wave_coord at;
};

static void emit_write(struct wavectl *w, const void *data)
{
	const struct lds_write *write = data;

	emit_at(w->emit, "name", &write->at);
	emit_hex32(w->emit, "address", write->m.va);
	emit_uint(w->emit, "bytes", write->m.bytes);
}

static int write_words(struct wavectl *w, void *data)
{
	const struct lds_write *write = data;
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;

	return adbgd_lds_write(d->process, &write->at, write->m.va, write->m.data,
			       write->m.bytes, &error) ? debug_fail(w, &error) : WAVECTL_OK;
}

static int cmd_lds_write(struct wavectl *w)
{
	const struct lds_args *args = w->args;
	struct lds_write write = { .m.va = 0 };
	struct memory *m = &write.m;
	uint32_t size;
	int status;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, NULL, "the address is missing");
	if (args->input ? w->num_words > 1 : w->num_words <= 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "nothing to write: give values or --input FILE");
	status = take_address(w, m);
	if (!status)
		status = args->input ? memory_take_file(w, args->input, m) :
				       memory_take_values(w, m);
	if (!status && m->bytes > UINT32_MAX)
		status = fail_with(w, WAVECTL_USAGE, NULL, "%s is too large", args->input);
	if (!status)
		status = open_lds(w, &write.at, &size);
	if (!status)
		status = action_run(w, &(struct action){
			.what = "write {bytes} bytes of LDS at {address}",
			.done = "wrote {bytes} bytes of LDS at {address}",
			.describe = emit_write, .run = write_words,
			.has_dry_run = true, .data = &write,
		});
	free(m->data);
	return status;
}

static const struct option_desc opt_lds_words = {
	"count", 'c', "N", "number of 32-bit words (default: all)",
	option_positive, OPTION_OF(struct lds_args, count),
};

static const struct option_desc opt_output = {
	"output", 'o', "FILE", "write the bytes to this file",
	option_text, OPTION_OF(struct lds_args, output),
};

static const struct option_desc opt_input = {
	"input", 'i', "FILE", "read the bytes from this file",
	option_text, OPTION_OF(struct lds_args, input),
};

static const struct option_desc *const lds_read_options[] = {
	TARGET_OPTIONS, &opt_lds_words, &opt_format, &opt_output, NULL,
};

static const struct option_desc *const mem_write_options[] = {
	TARGET_OPTIONS, &opt_input, NULL,
};

const struct command lds_commands[] = {
	{
		.noun = "lds",
		.verb = "read",
		.aliases = { "lds" },
		.args = "[ADDRESS]",
		.summary = "read the LDS of the work-group of the selected wave",
		.help = "For a shell or batch. ADDRESS is the address that the instructions of the\n"
			"work-group use (default: 0). The trap handler of the wave reads the LDS; the state\n"
			"of the wave does not change.",
		.options = lds_read_options,
		.args_size = sizeof(struct lds_args),
		.run = cmd_lds_read,
	},
	{
		.noun = "lds",
		.verb = "write",
		.args = "ADDRESS [VALUE]...",
		.summary = "write the LDS of the work-group of the selected wave",
		.help = "Each VALUE has 32 bits; --input writes the bytes of a file instead.",
		.options = mem_write_options,
		.args_size = sizeof(struct lds_args),
		.run = cmd_lds_write,
	},
	{ .noun = NULL },
};
