// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl shell, batch, run and attach: commands that are typed, and those of a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/split.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/debug.h"
#include "debug/run.h"
#include "shell/edit.h"
#include "shell/lines.h"
#include "shell/shell_session.h"
#include "waves/action.h"

struct batch_args {
	bool keep_going;
	bool echo;
};

/* The source of lines, and what an error does */
struct script {
	struct lines lines;
	const char *name;
	unsigned int number;		/* number of the current line */
	bool continues;			/* continue after an error */
	bool is_batch;			/* Ctrl-C ends all of it */
	bool echo;			/* print each line first */
};

/* Print the line as if it had been typed. */
static int echo(const struct script *script, const struct shell_loop *loop, const char *line)
{
	struct emit *e = loop->emit;

	if (!script->echo || loop->opener->json)
		return 0;
	emit_begin(e);
	emit_str(e, "line", line);
	emit_say(e, EDIT_PROMPT "{line}");
	return emit_end(e);
}

static int fail_lines(const struct script *script, struct shell_loop *loop, int error)
{
	struct wavectl w = *loop->opener;
	char *where = NULL;
	int status;

	xappend(&where, "%s:%u", script->name, script->number + 1);
	w.where = where;
	if (error == -E2BIG)
		status = fail_with(&w, WAVECTL_USAGE, NULL,
				   "the line is longer than %u bytes",
				   LINE_BYTES_MAX);
	else if (error == -EILSEQ)
		status = fail_with(&w, WAVECTL_USAGE, NULL,
				   "the line contains a null byte");
	else
		status = fail_system(&w, error, "cannot read");
	free(where);
	return status;
}

static int run_line(struct script *script, struct shell_loop *loop, const char *line)
{
	char *where = NULL;
	int status;

	script->number++;
	if (echo(script, loop, line))
		return WAVECTL_FAILED;
	xappend(&where, "%s:%u", script->name, script->number);
	status = shell_session_line(loop, line, where, script->number);
	free(where);
	return status;
}

/* Read more. Returns an exit status, other than 0 if the rest is not executed. */
static int read_more(struct script *script, struct shell_loop *loop)
{
	int ret;

	if (shell_session_wait(loop, script->lines.fd) != SHELL_INPUT)
		return WAVECTL_OK;
	ret = lines_read(&script->lines);
	return ret ? fail_lines(script, loop, ret) : WAVECTL_OK;
}

/* Is the script over before the next line? Events since the last one may end it. */
static bool is_over(const struct script *script, struct shell_loop *loop)
{
	shell_session_report(loop);
	if (loop->interrupted && script->is_batch) {
		fail_with((struct wavectl *)loop->opener, WAVECTL_FAILED, NULL,
			  "interrupted");
		if (!loop->status)
			loop->status = WAVECTL_FAILED;
		return true;
	}
	loop->interrupted = false;
	return loop->ended || (loop->status && !script->continues);
}

static int run_script(struct script *script, struct shell_loop *loop)
{
	int ret, status = WAVECTL_OK;
	char *line, *where = NULL;

	while (!is_over(script, loop)) {
		ret = lines_take(&script->lines, &line);
		if (!ret)
			break;
		if (ret == 1)
			run_line(script, loop, line);
		else if (ret == -EAGAIN)
			status = read_more(script, loop);
		else
			status = fail_lines(script, loop, ret);
		if (status)
			return status;
	}
	xappend(&where, "%s:%u", script->name, script->number);
	shell_session_end_lines(loop, where);
	free(where);
	shell_session_report(loop);
	return loop->status;
}

/* Execute the lines of a descriptor as they arrive. */
static int run_fd(struct script *script, struct shell_loop *loop, int fd)
{
	int status;

	lines_init(&script->lines, fd);
	status = run_script(script, loop);
	lines_free(&script->lines);
	return status;
}

/*
 * Execute the lines of a file within a line. The status of the session is that of its own lines.
 */
static int run_lines(struct script *script, struct shell_loop *loop, int fd)
{
	int before = loop->status, status;

	loop->status = WAVECTL_OK;
	status = run_fd(script, loop, fd);
	loop->status = before;
	return status;
}

/* Execute a command before the lines. If the session has no process after it, it ends. */
static int run_first(struct shell_loop *loop, const char *first)
{
	int status = first ? shell_session_line(loop, first, NULL, 0) : WAVECTL_OK;

	return first && !loop->shell.pid ? status : WAVECTL_OK;
}

/*
 * Execute the commands of --execute, also after one that fails. Returns the exit status of the last
 * one.
 */
static int run_executed(struct shell_loop *loop)
{
	const struct executed_lines *executed = &loop->opener->executed;
	int status = WAVECTL_OK;
	char *where = NULL;

	for (unsigned int i = 0; i < executed->num && !loop->ended; i++) {
		shell_session_report(loop);
		if (loop->interrupted)
			return fail_with((struct wavectl *)loop->opener, WAVECTL_FAILED, NULL,
					 "interrupted");
		free(where);
		where = NULL;
		xappend(&where, "command %u", i + 1);
		status = shell_session_line(loop, executed->lines[i], where, i + 1);
	}
	if (!status)
		status = shell_session_end_lines(loop, where);
	free(where);
	shell_session_report(loop);
	return status;
}

/* Run a shell. @script: NULL: the user types. @first: NULL, or the first line */
static int run_loop(struct wavectl *w, struct script *script, int fd, const char *first)
{
	struct shell_loop loop;
	int status;

	status = open_shell_target(w);
	if (status)
		return status;
	status = shell_session_begin(&loop, w);
	loop.shell.reads_stdin = !w->executed.num && (!script || fd == STDIN_FILENO);
	loop.shell.is_typed = !w->executed.num && !script;
	if (!status)
		status = run_first(&loop, first);
	if (!status && w->executed.num)
		status = run_executed(&loop);
	else if (!status)
		status = script ? run_fd(script, &loop, fd) : edit_run(&loop);
	shell_session_end(&loop);
	/* A command may have selected another GPU. */
	w->session = loop.shell.session;
	return status;
}

static int fail_nested(struct wavectl *w)
{
	return fail_with(w, WAVECTL_USAGE, NULL,
			 "this is already a session: type the commands directly");
}

/* Run a shell. @first: NULL, or its first line */
static int run_shell(struct wavectl *w, const char *first)
{
	struct script script = { .name = "-", .continues = true };
	bool is_typed = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	return run_loop(w, is_typed ? NULL : &script, is_typed ? -1 : STDIN_FILENO, first);
}

static int cmd_shell(struct wavectl *w)
{
	return w->shell ? fail_nested(w) : run_shell(w, NULL);
}

/* Get the command and its options as a line of the shell. */
static char *line_of(struct wavectl *w, const char *command)
{
	char *line = xstrdup(command);

	for (unsigned int i = 0; i < w->code_objects.num; i++) {
		split_quote(&line, "--code-object");
		split_quote(&line, w->code_objects.names[i]);
	}
	if (w->client)
		xappend(&line, " --client %llu", (unsigned long long)w->client);
	split_quote(&line, "--");
	for (int i = 0; i < w->num_words; i++)
		split_quote(&line, w->words[i]);
	return line;
}

/* Run a shell that begins with this command, which selects its process. */
static int run_in_shell(struct wavectl *w, const char *command)
{
	char *line = line_of(w, command);
	int status;

	/* These options apply only to that line, because there is no process before it. */
	w->code_objects.num = 0;
	w->client = 0;
	status = run_shell(w, line);
	free(line);
	return status;
}

static int cmd_run(struct wavectl *w)
{
	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, "wavectl run -- PROGRAM ARGS...",
				 "the program is missing");
	if (w->shell)
		return run_program(w);
	return run_in_shell(w, "run");
}

static int cmd_attach(struct wavectl *w)
{
	uint64_t pid;

	if (w->num_words != 1 || !parse_u64(w->words[0], INT32_MAX, &pid) || !pid)
		return fail_with(w, WAVECTL_USAGE, "see \"wavectl proc list\"",
				 "\"attach\" takes the number of a process");
	if (w->shell)
		return run_attach(w, (int32_t)pid);
	return run_in_shell(w, "attach");
}

static void emit_detaching(struct wavectl *w, const void *data)
{
	emit_uint(w->emit, "pid", *(const int32_t *)data);
}

/* A shell that has no process of its own can attach to another one after that. */
static int detach(struct wavectl *w, void *data)
{
	struct shell_loop *loop = shell_loop_of(w);
	int ret = 0;

	(void)data;
	debug_close(w->shell);
	if (loop->opener->pid)
		return WAVECTL_OK;
	ret = adbg_target_clear(w->session);
	if (ret && !loop->shell.has_exited)
		return fail(w, ret, "cannot release the process");
	loop->shell.pid = 0;
	loop->shell.client = 0;
	return WAVECTL_OK;
}

static int cmd_detach(struct wavectl *w)
{
	int32_t pid = w->shell ? w->shell->pid : 0;
	int status = WAVECTL_OK;

	if (!w->shell || !w->shell->debugger)
		return fail_with(w, w->shell ? WAVECTL_GONE : WAVECTL_USAGE, NULL,
				 "the debugger is not attached to a process");
	status = open_target(w);
	return status ? status : action_run(w, &(struct action){
		.what = "detach from process {pid}",
		.done = w->shell->has_exited ? "detached from process {pid}, which has exited" :
			"detached from process {pid}, which continues to run",
		.describe = emit_detaching, .run = detach, .data = &pid,
	});
}

/* A file may execute others; more of them are a circle. */
#define MAX_NESTED	16

/* Execute the lines of a file in this session, until the first error. */
static int cmd_source(struct wavectl *w)
{
	struct script script = { .is_batch = true };
	struct shell_loop *loop;
	bool is_typed;
	int fd, status;

	if (!w->shell)
		return fail_with(w, WAVECTL_USAGE, "use \"wavectl batch FILE\"",
				 "\"source file\" is for a shell or batch");
	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"source\" takes one file");
	loop = shell_loop_of(w);
	if (w->dry_run && !loop->opener->dry_run)
		return fail_with(w, WAVECTL_USAGE, "add it to the lines of the file",
				 "--dry-run would not apply to the commands of the file");
	if (loop->num_nested >= MAX_NESTED)
		return fail_with(w, WAVECTL_USAGE, NULL, "%s: files are nested more than %u times",
				 w->words[0], MAX_NESTED);
	script.name = w->words[0];
	fd = open(script.name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_system(w, -errno, "cannot open %s", script.name);
	is_typed = loop->shell.is_typed;
	loop->shell.is_typed = false;
	loop->num_nested++;
	status = run_lines(&script, loop, fd);
	loop->num_nested--;
	loop->shell.is_typed = is_typed;
	close(fd);
	return status;
}

static int cmd_batch(struct wavectl *w)
{
	const struct batch_args *args = w->args;
	struct script script = {
		.continues = args->keep_going, .is_batch = true, .echo = args->echo,
	};
	int fd, status;

	if (w->shell)
		return fail_nested(w);
	if (w->executed.num && !w->num_words)
		return run_loop(w, NULL, -1, NULL);
	if (w->num_words != 1 || w->executed.num)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"batch\" takes one file, or - for standard input, or --execute");

	script.name = w->words[0];
	if (!strcmp(script.name, "-"))
		return run_loop(w, &script, STDIN_FILENO, NULL);
	fd = open(script.name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_system(w, -errno, "cannot open %s", script.name);
	status = run_loop(w, &script, fd, NULL);
	close(fd);
	return status;
}

static const struct option_desc opt_keep_going = {
	"keep-going", 'k', NULL, "continue with the next line after an error",
	option_flag, OPTION_OF(struct batch_args, keep_going),
};

static const struct option_desc opt_echo = {
	"echo", 0, NULL, "print each line before executing it",
	option_flag, OPTION_OF(struct batch_args, echo),
};

static const struct option_desc *const shell_options[] = {
	TARGET_OPTIONS, &opt_code_object, &opt_debug_dir, &opt_directory, &opt_execute, NULL,
};

static const struct option_desc *const attach_options[] = {
	&opt_client, &opt_code_object, &opt_debug_dir, &opt_directory, &opt_execute, NULL,
};

static const struct option_desc *const run_options[] = {
	&opt_code_object, &opt_debug_dir, &opt_directory, &opt_execute, NULL,
};

static const struct option_desc *const batch_options[] = {
	TARGET_OPTIONS, &opt_code_object, &opt_debug_dir, &opt_directory, &opt_execute,
	&opt_keep_going,
	&opt_echo, NULL,
};

const struct command shell_commands[] = {
	{
		.noun = "shell",
		.summary = "enter commands that share one session",
		.help = "What a command halts or sets stays in effect for the next commands; waves are\n"
			"resumed when the shell exits. Commands are as on the command line; --pid of the\n"
			"shell applies to all of them. \"halt\" and similar commands return immediately. Ctrl-C\n"
			"ends a command that waits, \"quit\" or Ctrl-D the shell. Events are reported as they\n"
			"occur.",
		.options = shell_options,
		.run = cmd_shell,
	},
	{
		.noun = "attach",
		.args = "PID",
		.summary = "debug a running process, in a shell",
		.help = "The process keeps running, and new waves can stop. A shell or batch that was started\n"
			"with --pid refuses this command, because it has a process already.",
		.options = attach_options,
		.run = cmd_attach,
	},
	{
		.noun = "detach",
		.summary = "end debugging of the process, which continues to run",
		.help = "Breakpoints are removed, and all waves are resumed. A shell that was started\n"
			"without --pid can attach to another process.",
		.options = target_options,
		.run = cmd_detach,
	},
	{
		.noun = "run",
		.aliases = { "r" },
		.args = "[--] PROGRAM [ARGS...]",
		.summary = "start a program that stops at its first wave, in a shell",
		.help = "The debugger attaches before the program, or a process that it started, submits its\n"
			"first job to the GPU. The first waves are halted before their first instruction.\n"
			"\"continue\" resumes them, and new waves start normally. A shell or batch that was\n"
			"started with --pid refuses this command, because it has a process already. If\n"
			"commands are typed, the program has no standard input and does not receive Ctrl-C.\n"
			"It keeps running when the shell exits.",
		.options = run_options,
		.run = cmd_run,
	},
	{
		.noun = "source",
		.verb = "file",
		.aliases = { "source" },
		.args = "FILE",
		.summary = "execute the commands of a file in this shell",
		.help = "The first error ends the execution of the file. Files may contain this command.",
		.options = no_options,
		.run = cmd_source,
	},
	{
		.noun = "batch",
		.args = "[FILE]",
		.summary = "execute the commands of a file in one session",
		.help = "Like the shell, with the lines of FILE, or of standard input if FILE is -. The first\n"
			"error ends the batch. Empty lines and comments after # are ignored. With --json,\n"
			"print one document for each command. With --execute, which needs no FILE and not\n"
			"even the word \"batch\", the exit status is that of the last command.",
		.options = batch_options,
		.args_size = sizeof(struct batch_args),
		.run = cmd_batch,
	},
	{ .noun = NULL },
};
