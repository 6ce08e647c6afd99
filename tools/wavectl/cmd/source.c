// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl source list: source lines around a location, or after those listed last.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/frame.h"
#include "debug/location.h"
#include "debug/source.h"

struct source_args {
	uint64_t count;			/* 0: not given */
};

/* Number of lines, as in gdb */
#define DEFAULT_LINES	10

/* Maximum number of nested inlined functions */
#define MAX_FRAMES	32

/* The lines to list */
struct listing {
	char *file;
	uint32_t line;		/* the one that was asked for */
	uint32_t first;
	uint32_t last;		/* 0: as many as usual */
};

/* The line of the selected frame */
static bool find_place(struct wavectl *w, struct focus *focus, struct place *place)
{
	const struct adbgd_backtrace_frame *f;

	if (frame_open_selected(w, focus))
		return false;
	if (!focus->frame)
		return code_name_place(w->shell->debugger, focus_insn(focus), place) &&
		       place->file;
	f = frame_get(focus, focus->frame);
	place->file = f->function.file;
	place->line = f->function.line;
	place->is_near = f->function.flags & ADBGD_FRAME_NEAR;
	return place->file;
}

/* The function of the selected frame; NULL: it is the innermost one. */
static const char *frame_function(const struct focus *focus)
{
	return focus->frame ? frame_get(focus, focus->frame)->function.function : NULL;
}

static void emit_lines(struct wavectl *w, const struct adbgd_source *source,
		       const struct listing *listing, uint32_t count)
{
	struct debugger *d = w->shell->debugger;
	bool has_place = false;
	struct focus focus;
	struct place place;
	const char *line;

	d->listed_pc = 0;
	if (focus_try(w, &focus)) {
		d->listed_pc = focus.pc;
		has_place = find_place(w, &focus, &place) && !strcmp(place.file, listing->file);
	}
	focus_close(&focus);
	emit_table(w->emit, "lines", true);
	for (uint32_t i = listing->first; i - listing->first < count; i++) {
		char *text;

		line = adbgd_source_get_line(source, i);
		if (!line)
			break;
		text = source_expand(line);
		emit_row(w->emit);
		emit_str(w->emit, "mark", has_place && place.line == i ? "=>" : "");
		emit_uint(w->emit, "line", i);
		emit_str(w->emit, "text", text);
		free(text);
	}
	emit_table_end(w->emit);
}

static int say_lines(struct wavectl *w, const struct adbgd_source *source,
		     const struct listing *listing)
{
	const struct source_args *args = w->args;
	struct debugger *d = w->shell->debugger;
	uint32_t count = listing->last ? listing->last - listing->first + 1 :
			 args->count ? args->count : DEFAULT_LINES;

	if (listing->first > adbgd_source_get_num_lines(source))
		return fail_with(w, WAVECTL_GONE, NULL, "%s has %" PRIu32 " lines",
				 adbgd_source_get_path(source), adbgd_source_get_num_lines(source));
	emit_begin(w->emit);
	emit_str(w->emit, "file", listing->file);
	emit_str(w->emit, "path", adbgd_source_get_path(source));
	emit_lines(w, source, listing, count);
	free(d->listed);
	d->listed = xstrdup(listing->file);
	d->listed_line = listing->line;
	d->first_line = listing->first;
	d->next_line = listing->first + count;
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int list(struct wavectl *w, const struct listing *listing)
{
	struct adbgd_source *source;
	struct adbgd_error error;
	int status;

	if (source_open(w, listing->file, &source, &error))
		return fail_with(w, exit_status(error.error),
				 "use --directory to say where the source files are",
				 "%s", error.text);
	status = say_lines(w, source, listing);
	adbgd_source_free(source);
	return status;
}

static void around(struct listing *listing, const char *file, uint32_t line)
{
	listing->file = xstrdup(file);
	listing->line = line;
	listing->first = line > DEFAULT_LINES / 2 ? line - DEFAULT_LINES / 2 : 1;
}

/* Find the line of @va in a function of that name, into which others may be inlined. */
static bool around_function(struct adbgd_code *code, uint64_t va,
			    const char *function, struct listing *listing)
{
	struct adbgd_frame frames[MAX_FRAMES];
	size_t count = 0;

	if (adbgd_frames_at(code, va, frames, MAX_FRAMES, &count, NULL))
		return false;
	for (size_t i = 0; i < count && i < MAX_FRAMES; i++) {
		if (strcmp(frames[i].function, function) || !frames[i].file || !frames[i].line)
			continue;
		around(listing, frames[i].file, frames[i].line);
		return true;
	}
	return false;
}

/* @function: NULL, or the name that the user gave */
static int around_address(struct wavectl *w, struct listing *listing, uint64_t va,
			  const char *function)
{
	struct adbgd_code *code;
	struct place place;
	int status = code_need_at(w, va, &code);

	if (status)
		return status;
	if (function && around_function(code, va, function, listing))
		return WAVECTL_OK;
	if (!code_name_place(w->shell->debugger, va, &place) || !place.file)
		return fail_with(w, WAVECTL_GONE, NULL,
				 "no source line is known for the instruction at 0x%016" PRIx64,
				 va);
	around(listing, place.file, place.line);
	return WAVECTL_OK;
}

/* Was a file listed that a list without an argument continues? */
static bool continues(struct wavectl *w)
{
	struct focus focus;
	bool has_focus = focus_try(w, &focus);
	bool is = location_is_listed(w->shell->debugger, has_focus ? &focus : NULL);

	focus_close(&focus);
	return is;
}

/*
 * List the lines at the PC of the selected wave; if these were listed last, the lines that
 * follow.
 */
static int find_here(struct wavectl *w, struct listing *listing)
{
	const struct debugger *d = w->shell->debugger;
	struct focus focus;
	int status;

	if (continues(w)) {
		listing->file = xstrdup(d->listed);
		listing->first = d->next_line;
		listing->line = d->next_line;
		return WAVECTL_OK;
	}
	status = focus_open(w, &focus);
	if (!status)
		status = frame_open_selected(w, &focus);
	if (!status)
		status = around_address(w, listing, focus.frame ? frame_lookup(&focus) :
					focus_insn(&focus), frame_function(&focus));
	focus_close(&focus);
	return status;
}

/* List the lines before those that were listed last, or before the selected wave. */
static int find_before(struct wavectl *w, struct listing *listing)
{
	const struct source_args *args = w->args;
	uint32_t count = args->count ? args->count : DEFAULT_LINES, before;
	const struct debugger *d = w->shell->debugger;
	int status = WAVECTL_OK;

	if (continues(w)) {
		listing->file = xstrdup(d->listed);
		before = d->first_line;
	} else {
		status = find_here(w, listing);
		if (status)
			return status;
		before = listing->first;
	}
	if (before <= 1)
		return fail_with(w, WAVECTL_GONE, NULL, "line 1 of %s was listed already",
				 listing->file);
	listing->last = before - 1;
	listing->first = before > count ? before - count : 1;
	listing->line = listing->first;
	return WAVECTL_OK;
}

static int find_there(struct wavectl *w, const char *word, struct listing *listing)
{
	struct location location;
	const char *file;
	uint32_t line;
	int status;

	if (location_is_line(word)) {
		status = location_find_line(w, word, &file, &line);
		if (!status)
			around(listing, file, line);
		return status;
	}
	status = location_find(w, word, LOCATION_STOP, &location);
	if (status)
		return status;
	status = around_address(w, listing, location.va[0], word);
	location_free(&location);
	return status;
}

/* "FIRST,LAST", "FIRST," or ",LAST"; @word: up to the comma, @last: after it. LAST is a number. */
static int find_range(struct wavectl *w, const char *word, const char *last,
		      struct listing *listing)
{
	uint64_t number = 0;
	int status;

	if (*last && (!parse_u64(last, UINT32_MAX, &number) || !number))
		return fail_with(w, WAVECTL_USAGE, "FIRST,LAST, such as 45,50",
				 "'%s' is not a line", last);
	status = find_there(w, *word ? word : last, listing);
	if (status)
		return status;
	listing->last = number;
	if (*word)
		listing->first = listing->line;
	else
		listing->first = number > DEFAULT_LINES ? number - DEFAULT_LINES + 1 : 1;
	return !number || listing->first <= number ? WAVECTL_OK :
	       fail_with(w, WAVECTL_USAGE, NULL, "line %" PRIu32 " is after line %s",
			 listing->first, last);
}

static int find_words(struct wavectl *w, struct listing *listing)
{
	char *word, *comma;
	int status;

	if (!w->num_words)
		return find_here(w, listing);
	if (!strcmp(w->words[0], "-"))
		return find_before(w, listing);
	word = xstrdup(w->words[0]);
	comma = strrchr(word, ',');
	if (comma && (comma[1] == '\0' || location_is_line(comma + 1))) {
		*comma = '\0';
		status = find_range(w, word, comma + 1, listing);
	} else {
		status = find_there(w, word, listing);
	}
	free(word);
	return status;
}

static int list_words(struct wavectl *w)
{
	struct listing listing = { 0 };
	int status = find_words(w, &listing);

	if (!status)
		status = list(w, &listing);
	free(listing.file);
	return status;
}

static int cmd_source_list(struct wavectl *w)
{
	const struct source_args *args = w->args;
	struct debugger *d;
	int status;

	if (w->num_words > 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "at most one location can be given");
	if (args->count && w->num_words && strchr(w->words[0], ','))
		return fail_with(w, WAVECTL_USAGE, NULL, "a range and --count cannot be used together");
	status = debug_open_target(w);
	if (status)
		return status;
	d = w->shell->debugger;
	if (w->directory) {
		free(d->directory);
		d->directory = xstrdup(w->directory);
	}
	return list_words(w);
}

static const struct option_desc opt_lines = {
	"count", 'c', "N", "number of lines (default: 10)",
	option_positive, OPTION_OF(struct source_args, count),
};

static const struct option_desc *const source_options[] = {
	TARGET_OPTIONS, &opt_lines, &opt_directory, NULL,
};

const struct command source_commands[] = {
	{
		.noun = "source",
		.verb = "list",
		.aliases = { "list", "l" },
		.args = "[LOCATION | FIRST,LAST | -]",
		.summary = "list source lines, in a shell or batch",
		.help = LOCATION_HELP
			"FIRST,LAST lists these lines, such as 45,50; one of them may be left out. Without\n"
			"an argument, list the lines around the PC of the selected wave, and then the lines\n"
			"that follow; - lists the lines before.",
		.options = source_options,
		.args_size = sizeof(struct source_args),
		.run = cmd_source_list,
	},
	{ .noun = NULL },
};
