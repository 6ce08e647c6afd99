// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl top: a map of the waves and the hottest PCs, on a terminal, as text or as a picture.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/output.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "top/print.h"
#include "top/screen.h"
#include "top/svg.h"
#include "waves/action.h"
#include "waves/hold.h"

#define DEFAULT_DELAY_NS	1000000000

/* ------------------------------------------------------------------------- samples */

/* Wait for the time between two samples, or for a signal. */
static void pause_between(const struct top *t, uint64_t ns)
{
	struct pollfd signals = { .fd = t->interrupt_fd, .events = POLLIN };
	struct timespec time = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	(void)ppoll(&signals, 1, &time, NULL);
}

static int take_samples(struct top *t, const struct top_options *options)
{
	uint64_t count = options->count ? options->count : 1;
	int ret;

	for (uint64_t i = 0; i < count; i++) {
		if (i)
			pause_between(t, options->delay_ns);
		if (hold_interrupted())
			return hold_fail_interrupted(t->w);
		ret = top_sample(t);
		if (ret)
			return fail(t->w, ret, "cannot list the waves");
	}
	return WAVECTL_OK;
}

/* ------------------------------------------------------------------------- picture */

struct picture_file {
	const struct top *top;
	const char *name;
};

static void describe_picture(struct wavectl *w, const void *data)
{
	const struct picture_file *file = data;

	emit_str(w->emit, "file", file->name);
}

static void write_picture(FILE *f, const struct top *t)
{
	struct svg_gpu *gpus = xcalloc(t->num_gpus, sizeof(*gpus));

	for (size_t i = 0; i < t->num_gpus; i++)
		gpus[i] = (struct svg_gpu){
			.title = t->gpus[i].title, .map = &t->gpus[i].map,
			.number = adbg_session_get_number(t->gpus[i].session),
		};
	svg_write(f, gpus, t->num_gpus, &t->hot);
	free(gpus);
}

static int save_picture(struct wavectl *w, void *data)
{
	const struct picture_file *file = data;
	struct output output;
	int ret = output_open(&output, file->name);

	if (!ret) {
		write_picture(output.file, file->top);
		ret = output_finish(&output);
	}
	return ret ? fail_with(w, WAVECTL_FAILED, NULL, "cannot write %s: %s", file->name,
			       output_strerror(ret)) : WAVECTL_OK;
}

static int print_picture(struct top *t, const char *name)
{
	struct picture_file file = { .top = t, .name = name };

	return action_run(t->w, &(struct action){
		.what = "write a picture of the map to {file}",
		.describe = describe_picture, .run = save_picture,
		.done = "wrote a picture of the map to {file}", .data = &file,
	});
}

/* ------------------------------------------------------------------------- command */

static int print_once(struct top *t, const struct top_options *options)
{
	int status = take_samples(t, options);

	if (!status && options->svg)
		status = print_picture(t, options->svg);
	if (status || !options->once)
		return status;
	emit_begin(t->w->emit);
	top_print(t);
	return emit_end(t->w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Is the map to be shown on a terminal, and is there one? */
static int check_terminal(struct wavectl *w, const struct top_options *options)
{
	const char *hint = "use --once or --svg FILE";

	if (options->once || options->svg)
		return WAVECTL_OK;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return fail_with(w, WAVECTL_FAILED, hint,
				 "standard input and output are not a terminal");
	if (w->json)
		return fail_with(w, WAVECTL_USAGE, hint, "the map on a terminal has no --json");
	return WAVECTL_OK;
}

static int cmd_top(struct wavectl *w)
{
	const struct top_options *options = w->args;
	struct hold hold;
	struct top t;
	int status = check_terminal(w, options);

	if (status)
		return status;
	status = hold_open(w, &hold, 0);
	if (status)
		return status;
	status = top_open(&t, w, hold.signals);
	if (!status && (options->once || options->svg))
		status = print_once(&t, options);
	else if (!status)
		status = screen_run(&t, options);
	top_close(&t);
	hold_end(&hold);
	return status;
}

static const struct option_desc opt_delay = {
	"delay", 0, "SECONDS", "time between two samples (default: 1)",
	option_seconds, OPTION_OF(struct top_options, delay_ns),
};

static const struct option_desc opt_count = {
	"count", 'c', "N", "end after N samples; with --once or --svg, the default is 1",
	option_positive, OPTION_OF(struct top_options, count),
};

static const struct option_desc opt_once = {
	"once", 0, NULL, "print the map and the hottest PCs once, and exit",
	option_flag, OPTION_OF(struct top_options, once),
};

static const struct option_desc opt_svg = {
	"svg", 0, "FILE", "write a picture of the map (SVG) to FILE, and exit",
	option_text, OPTION_OF(struct top_options, svg),
};

static const struct option_desc *const top_command_options[] = {
	TARGET_OPTIONS, &opt_delay, &opt_count, &opt_once, &opt_svg, &opt_code_object,
	&opt_debug_dir, &opt_directory, NULL,
};

static const struct top_options default_options = { .delay_ns = DEFAULT_DELAY_NS };

const struct command top_commands[] = {
	{
		.noun = "top",
		.summary = "show where waves run, their states, and the hottest PCs",
		.help = "A map has a letter for each slot of the GPU. Samples halt no wave. Keys halt, resume\n"
			"and inspect waves, see \"?\" on the screen; when the command ends, the waves that it\n"
			"halted are resumed. Without --pid, this command needs root or CAP_PERFMON.",
		.options = top_command_options,
		.args_size = sizeof(struct top_options),
		.default_args = &default_options,
		.run = cmd_top,
	},
	{ .noun = NULL },
};
