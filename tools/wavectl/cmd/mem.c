// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl mem read and mem write: the memory of a process at GPU addresses.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "report/from.h"
#include "report/show.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/memory.h"
#include "waves/progress.h"

/* NULL: not given */
struct mem_args {
	const char *output;
	const char *input;
};

#define ROW 16

/* Print the address at which the access failed. */
static int fail_at(struct wavectl *w, const struct memory *m, uint64_t done,
		   int error, const char *what)
{
	return fail_memory(w, error, what, m->va + done);
}

/* ------------------------------------------------------------------- read */

static void emit_line(struct emit *e, uint64_t va, const uint8_t *data,
		      unsigned int bytes)
{
	char hex[3 * ROW + 1] = "", text[ROW + 1] = "";

	for (unsigned int i = 0; i < bytes; i++) {
		snprintf(hex + 3 * i, 4, "%02x ", data[i]);
		text[i] = data[i] < 128 && isprint(data[i]) ?
			  data[i] : '.';
	}
	hex[3 * bytes - 1] = '\0';
	emit_row(e);
	emit_hex64(e, "address", va);
	emit_str(e, "data", hex);
	emit_str(e, "text", text);
}

static int say_memory(struct wavectl *w, const struct memory *m)
{
	emit_begin(w->emit);
	emit_table(w->emit, "memory", true);
	for (uint64_t at = 0; at < m->bytes; at += ROW)
		emit_line(w->emit, m->va + at, m->data + at,
			  m->bytes - at < ROW ? m->bytes - at : ROW);
	emit_table_end(w->emit);
	emit_uint(w->emit, "bytes", m->bytes);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int save(struct wavectl *w, const struct memory *m)
{
	const struct mem_args *args = w->args;
	int status = memory_save(w, args->output, m);

	if (status)
		return status;
	emit_begin(w->emit);
	emit_hex64(w->emit, "address", m->va);
	emit_uint(w->emit, "bytes", m->bytes);
	emit_str(w->emit, "file", args->output);
	emit_say(w->emit, "saved {bytes} bytes at {address} to {file}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

struct reading {
	struct wavectl *w;
	const struct memory *m;
};

static int read_some(void *arg, uint64_t done, uint64_t *num)
{
	const struct reading *r = arg;

	return adbg_vm_copy(r->w->session, r->w->pid, 0, r->m->va + done, r->m->data + done,
			    *num, num);
}

static int read_memory(struct wavectl *w, struct memory *m)
{
	const struct mem_args *args = w->args;

	/* Each part is one call. */
	const struct progress p = {
		.what = "bytes", .num = m->bytes, .at_once = AMDGPUDBG_VM_ACCESS_MAX,
		.part = read_some,
	};
	struct reading r = { .w = w, .m = m };
	uint64_t done;
	int ret;

	m->data = xcalloc(1, m->bytes);
	ret = progress_run(&p, &r, &done);
	if (ret)
		return fail_at(w, m, done, ret, "read");
	if (done < m->bytes)
		return hold_fail_interrupted(w);
	return args->output ? save(w, m) : say_memory(w, m);
}

static int show_recorded(struct wavectl *w, struct json_object *root)
{
	uint64_t va, bytes;

	if (w->num_words != 2 || !parse_u64(w->words[0], UINT64_MAX, &va) ||
	    !parse_u64(w->words[1], MEMORY_MAX_BYTES, &bytes) || !bytes)
		return fail_with(w, WAVECTL_USAGE, NULL, "an address and a size are required");
	return report_show_memory(w, root, va, bytes);
}

static int cmd_mem_read(struct wavectl *w)
{
	struct memory m = { 0 };
	int status;

	if (w->from)
		return report_from(w, show_recorded);
	status = memory_take_address(w, &m);
	if (status)
		return status;
	if (w->num_words != 2 || !parse_u64(w->words[1], MEMORY_MAX_BYTES, &m.bytes) ||
	    !m.bytes)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "the number of bytes is missing or not a number from 1 to 0x%llx",
				 MEMORY_MAX_BYTES);
	status = open_target(w);
	if (!status)
		status = read_memory(w, &m);
	free(m.data);
	return status;
}

/* ------------------------------------------------------------------ write */

static void emit_range(struct wavectl *w, const void *data)
{
	const struct memory *m = data;

	emit_hex64(w->emit, "address", m->va);
	emit_uint(w->emit, "bytes", m->bytes);
}

static int write_memory(struct wavectl *w, void *data)
{
	const struct memory *m = data;
	uint64_t done = 0;
	int ret;

	ret = adbg_vm_copy(w->session, w->pid, AMDGPUDBG_VM_ACCESS_WRITE, m->va, m->data,
			   m->bytes, &done);
	return ret ? fail_at(w, m, done, ret, "write") : WAVECTL_OK;
}

static int cmd_mem_write(struct wavectl *w)
{
	const struct mem_args *args = w->args;
	struct memory m = { 0 };
	int status = memory_take_address(w, &m);

	if (status)
		return status;
	if (args->input ? w->num_words > 1 : w->num_words <= 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "nothing to write: give values or --input FILE");
	status = args->input ? memory_take_file(w, args->input, &m) : memory_take_values(w, &m);
	if (!status)
		status = open_target(w);
	if (!status)
		status = action_run(w, &(struct action){
			.what = "write {bytes} bytes at {address}",
			.done = "wrote {bytes} bytes at {address}",
			.describe = emit_range, .run = write_memory,
			.has_dry_run = true, .data = &m,
		});
	free(m.data);
	return status;
}

static const struct option_desc opt_output = {
	"output", 'o', "FILE", "write the bytes to this file",
	option_text, OPTION_OF(struct mem_args, output),
};

static const struct option_desc opt_input = {
	"input", 'i', "FILE", "read the bytes from this file",
	option_text, OPTION_OF(struct mem_args, input),
};

static const struct option_desc *const mem_read_options[] = {
	TARGET_OPTIONS, &opt_output, &opt_from, NULL,
};

static const struct option_desc *const mem_write_options[] = {
	TARGET_OPTIONS, &opt_input, NULL,
};

const struct command mem_commands[] = {
	{
		.noun = "mem",
		.verb = "read",
		.args = "ADDRESS BYTES",
		.summary = "read the memory of a process at a GPU address",
		.help = "ADDRESS is an address that the waves of the process use, such as the PC of a wave.\n"
			"While waves exist, running or halted, the data that they wrote may still be only\n"
			"in the caches of the GPU.",
		.options = mem_read_options,
		.args_size = sizeof(struct mem_args),
		.run = cmd_mem_read,
	},
	{
		.noun = "mem",
		.verb = "write",
		.args = "ADDRESS [VALUE]...",
		.summary = "write the memory of a process at a GPU address",
		.help = "Each VALUE has 32 bits; --input writes the bytes of a file instead. A wave that has\n"
			"the memory in a cache, for example its code, may not see the change.",
		.options = mem_write_options,
		.args_size = sizeof(struct mem_args),
		.run = cmd_mem_write,
	},
	{ .noun = NULL },
};
