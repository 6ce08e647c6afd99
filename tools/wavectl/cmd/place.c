// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl info line, info symbol and info source: the addresses of a line, the name of an address,
 * and the current source file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/address.h"
#include "debug/code.h"
#include "debug/focus.h"
#include "debug/location.h"

static int emit_line(struct wavectl *w, uint64_t va)
{
	struct adbgd_code *code = code_at(w->shell->debugger, va);
	struct adbgd_line line;
	struct place place;

	emit_row(w->emit);
	if (code && !adbgd_line_at(code, va, &line, NULL) && line.line) {
		emit_uint(w->emit, "line", line.line);
		emit_str(w->emit, "file", line.file);
		emit_bool(w->emit, "near", line.flags & ADBGD_LINE_NEAR);
		emit_hex64(w->emit, "address", line.address);
		emit_hex64(w->emit, "end", line.end);
	} else {
		emit_none(w->emit, "line");
		emit_none(w->emit, "file");
		emit_none(w->emit, "near");
		emit_hex64(w->emit, "address", va);
		emit_none(w->emit, "end");
	}
	if (code_name_place(w->shell->debugger, va, &place))
		emit_str(w->emit, "symbol", place.symbol);
	else
		emit_none(w->emit, "symbol");
	return WAVECTL_OK;
}

static int say_location(struct wavectl *w, const struct location *location)
{
	emit_begin(w->emit);
	emit_table(w->emit, "lines", true);
	for (size_t i = 0; i < location->num; i++)
		emit_line(w, location->va[i]);
	emit_table_end(w->emit);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* The line of the PC of the selected wave */
static int line_here(struct wavectl *w, struct location *location)
{
	struct adbgd_code *code;
	struct focus focus;
	int status = focus_open(w, &focus);

	if (!status)
		status = code_need_at(w, focus.pc, &code);
	if (!status) {
		location->va = xcalloc(1, sizeof(*location->va));
		location->va[0] = focus_insn(&focus);
		location->num = 1;
	}
	focus_close(&focus);
	return status;
}

static int cmd_info_line(struct wavectl *w)
{
	struct location location = { 0 };
	int status = debug_open_target(w);

	if (status)
		return status;
	status = w->num_words ? location_open(w, LOCATION_STOP, &location) :
				line_here(w, &location);
	if (status)
		return status;
	status = say_location(w, &location);
	location_free(&location);
	return status;
}

static int say_symbol(struct wavectl *w, uint64_t va)
{
	struct adbgd_code *code;
	struct place place;
	int status = code_need_at(w, va, &code);

	if (status)
		return status;
	if (!code_name_place(w->shell->debugger, va, &place))
		return fail_with(w, WAVECTL_GONE, NULL, "no symbol contains 0x%016" PRIx64, va);
	emit_begin(w->emit);
	emit_hex64(w->emit, "address", va);
	emit_str(w->emit, "symbol", place.symbol);
	emit_str(w->emit, "place", place.text);
	emit_str(w->emit, "object", adbgd_code_get_info(code)->name);
	emit_say(w->emit, "{place}, in {object}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_info_symbol(struct wavectl *w)
{
	struct address address = { .space = ADBGD_SPACE_GLOBAL };
	char *text;
	int status;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"info symbol\" takes an address");
	status = debug_open_target(w);
	if (status)
		return status;
	text = expression_words(w, w->words, w->num_words);
	if (!parse_u64(text, UINT64_MAX, &address.va))
		status = address_eval(w, text, &address);
	free(text);
	return status ? status : say_symbol(w, address.va);
}

static int cmd_info_source(struct wavectl *w)
{
	const struct debugger *d;
	struct adbgd_code *code;
	struct place place = { .file = NULL };
	struct focus focus;
	int status = debug_open_target(w);

	if (status)
		return status;
	d = w->shell->debugger;
	if (!focus_try(w, &focus) && !focus_select(w, &focus))
		status = d->listed ? WAVECTL_OK : focus_open(w, &focus);
	else
		status = code_need_at(w, focus.pc, &code);
	if (!status && !focus.context)
		code_name_place(d, focus.pc, &place);
	focus_close(&focus);
	if (status)
		return status;
	if (!place.file && !d->listed)
		return fail_with(w, WAVECTL_GONE, NULL, "there is no current source file");
	emit_begin(w->emit);
	emit_str(w->emit, "file", place.file ? place.file : d->listed);
	if (place.file)
		emit_uint(w->emit, "line", place.line);
	else
		emit_none(w->emit, "line");
	emit_say(w->emit, place.file ? "the selected wave is at line {line} of {file}" :
				       "{file} was listed last");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

const struct command place_commands[] = {
	{
		.noun = "info",
		.verb = "line",
		.args = "[LOCATION]",
		.summary = "print the addresses of a source line",
		.help = LOCATION_HELP
			"Without an argument, use the line of the selected wave.",
		.options = target_options,
		.run = cmd_info_line,
	},
	{
		.noun = "info",
		.verb = "symbol",
		.args = "ADDRESS",
		.expression_from = 1,
		.summary = "print the name of an address in code",
		.help = "ADDRESS is a number or an expression, such as $pc.",
		.options = target_options,
		.run = cmd_info_symbol,
	},
	{
		.noun = "info",
		.verb = "source",
		.summary = "print the current source file",
		.options = target_options,
		.run = cmd_info_source,
	},
	{ .noun = NULL },
};
