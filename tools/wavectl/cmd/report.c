// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl report: the state of a GPU or a process as text and as a file.
 */
#include "cmd/report.h"

#include "base/options.h"
#include "cmd/commands.h"
#include "report/from.h"
#include "report/load.h"
#include "waves/hold.h"

struct report_args {
	const char *output;		/* NULL: not given */
};

int report_make(struct wavectl *w, const struct report_cause *cause, int interrupt_fd,
		const char *output)
{
	struct json_object *all = json_object_new_array(), *root;
	int status = WAVECTL_OK;

	for (size_t i = 0; !status && use_target(w, i); i++) {
		status = report_collect(w, cause, interrupt_fd, &root);
		/* The waves run again before the report is written, whatever happened. */
		close_target(w);
		if (!status)
			json_append(all, root);
	}
	close_targets(w);
	root = report_join(all);
	if (!status && output)
		status = report_save(w, output, root);
	if (!status)
		status = report_show_each(w, root);
	json_object_put(root);
	return status;
}

static int cmd_report(struct wavectl *w)
{
	static const struct report_cause cause = { .what = "request" };
	const struct report_args *args = w->args;
	struct hold hold;
	int status;

	if (w->num_words)
		return fail_with(w, WAVECTL_USAGE, NULL, "unexpected argument '%s'", w->words[0]);
	if (w->from)
		return report_show_file(w);
	/* Signals are caught before waves are halted. */
	status = hold_open(w, &hold, 0);
	if (status)
		return status;
	status = open_own_targets(w);
	if (!status)
		status = report_make(w, &cause, hold.signals, args->output);
	hold_end(&hold);
	return status;
}

static const struct option_desc opt_output = {
	"output", 'o', "FILE", "also write the report to FILE, for the option --from",
	option_text, OPTION_OF(struct report_args, output),
};

static const struct option_desc *const report_options[] = {
	TARGET_OPTIONS, &opt_output, &opt_code_object,
	&opt_debug_dir, &opt_directory, &opt_from, NULL,
};

const struct command report_commands[] = {
	{
		.noun = "report",
		.summary = "report jobs, waves, registers and code at this moment, for a bug report",
		.help = "Halts all waves of --pid or, as root, of each GPU, collects the report, and resumes\n"
			"them. With --pid, it contains nothing of other processes. With --output, the\n"
			"file can be read offline by --from of this command and of \"wave list\", \"job list\",\n"
			"\"reg read\", \"disasm\", \"vm map\", \"mem read\" and \"x\".",
		.options = report_options,
		.args_size = sizeof(struct report_args),
		.run = cmd_report,
	},
	{ .noun = NULL },
};
