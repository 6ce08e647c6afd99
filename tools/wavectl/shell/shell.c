// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl shell, batch and run: commands that are typed, and those of a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/split.h"
#include "base/util.h"
#include "debug/run.h"
#include "shell/edit.h"
#include "shell/lines.h"
#include "shell/shell_session.h"

/* Where lines come from, and what an error makes of the rest. */
struct script {
	struct lines lines;
	const char *name;
	unsigned int number;		/* of the line */
	bool goes_on;			/* after an error */
	bool is_batch;			/* Ctrl-C is for all of it */
};

/* As somebody would see it who types it. */
static int echo(const struct talk *talk, const char *line)
{
	struct emit *e = talk->emit;

	if (!talk->opener->echo || talk->opener->json)
		return 0;
	emit_begin(e);
	emit_str(e, "line", line);
	emit_say(e, EDIT_PROMPT "{line}");
	return emit_end(e);
}

static int fail_lines(const struct script *script, struct talk *talk, int error)
{
	struct wavectl w = *talk->opener;
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

static int run_line(struct script *script, struct talk *talk, const char *line)
{
	char *where = NULL;
	int status;

	script->number++;
	if (echo(talk, line))
		return WAVECTL_FAILED;
	xappend(&where, "%s:%u", script->name, script->number);
	status = shell_session_line(talk, line, where, script->number);
	free(where);
	return status;
}

/* Read more. An exit status, if there is nothing more to be done. */
static int read_more(struct script *script, struct talk *talk)
{
	int ret;

	if (shell_session_wait(talk, script->lines.fd) != TALK_INPUT)
		return WAVECTL_OK;
	ret = lines_read(&script->lines);
	return ret ? fail_lines(script, talk, ret) : WAVECTL_OK;
}

/* Before the next line; what has happened since the last one may be the end. */
static bool is_over(const struct script *script, struct talk *talk)
{
	shell_session_tell(talk);
	if (talk->interrupted && script->is_batch) {
		fail_with((struct wavectl *)talk->opener, WAVECTL_FAILED, NULL,
			  "interrupted");
		if (!talk->status)
			talk->status = WAVECTL_FAILED;
		return true;
	}
	talk->interrupted = false;
	return talk->ended || (talk->status && !script->goes_on);
}

static int run_script(struct script *script, struct talk *talk)
{
	int ret, status = WAVECTL_OK;
	char *line;

	while (!is_over(script, talk)) {
		ret = lines_take(&script->lines, &line);
		if (!ret)
			break;
		if (ret == 1)
			run_line(script, talk, line);
		else if (ret == -EAGAIN)
			status = read_more(script, talk);
		else
			status = fail_lines(script, talk, ret);
		if (status)
			return status;
	}
	shell_session_tell(talk);
	return talk->status;
}

/* The lines of a descriptor, as they come */
static int run_fd(struct script *script, struct talk *talk, int fd)
{
	int status;

	lines_init(&script->lines, fd);
	status = run_script(script, talk);
	lines_free(&script->lines);
	return status;
}

/* A command before the lines: without a process that it is about, there are none. */
static int run_first(struct talk *talk, const char *first)
{
	int status = first ? shell_session_line(talk, first, NULL, 0) : WAVECTL_OK;

	return first && !talk->dialogue.pid ? status : WAVECTL_OK;
}

/* Begin a talk; @script NULL: somebody types. @first: NULL, or a line that comes first */
static int run_talk(struct wavectl *w, struct script *script, int fd, const char *first)
{
	struct talk talk;
	int status;

	status = open_target(w);
	if (status)
		return status;
	status = shell_session_begin(&talk, w);
	talk.dialogue.reads_stdin = !script || fd == STDIN_FILENO;
	if (!status)
		status = run_first(&talk, first);
	if (!status)
		status = script ? run_fd(script, &talk, fd) :
				  edit_run(&talk);
	shell_session_end(&talk);
	return status;
}

static int fail_nested(struct wavectl *w)
{
	return fail_with(w, WAVECTL_USAGE, NULL,
			 "this is already a session: type the commands directly");
}

/* @first: NULL, or its first line */
static int run_shell(struct wavectl *w, const char *first)
{
	struct script script = { .name = "-", .goes_on = true };
	bool is_typed = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	return run_talk(w, is_typed ? NULL : &script, is_typed ? -1 : STDIN_FILENO, first);
}

int cmd_shell(struct wavectl *w)
{
	return w->dialogue ? fail_nested(w) : run_shell(w, NULL);
}

/* What was given, as it would be typed in the shell that it is to be in */
static char *line_of(struct wavectl *w, const char *command)
{
	char *line = xstrdup(command);

	for (unsigned int i = 0; i < w->num_code_objects; i++) {
		split_quote(&line, "--code-object");
		split_quote(&line, w->code_objects[i]);
	}
	if (w->client)
		xappend(&line, " --client %llu", (unsigned long long)w->client);
	split_quote(&line, "--");
	for (int i = 0; i < w->num_words; i++)
		split_quote(&line, w->words[i]);
	return line;
}

/* A shell that begins with this command, which makes it be about a process */
static int run_in_shell(struct wavectl *w, const char *command)
{
	char *line = line_of(w, command);
	int status;

	/* They are for that line alone: before, there is no process that has them. */
	w->num_code_objects = 0;
	w->client = 0;
	status = run_shell(w, line);
	free(line);
	return status;
}

int cmd_run(struct wavectl *w)
{
	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, "wavectl run -- PROGRAM ARGS...",
				 "the program is missing");
	if (w->dialogue)
		return run_program(w);
	return run_in_shell(w, "run");
}

int cmd_attach(struct wavectl *w)
{
	uint64_t pid;

	if (w->num_words != 1 || !parse_u64(w->words[0], INT32_MAX, &pid) || !pid)
		return fail_with(w, WAVECTL_USAGE, "see \"wavectl proc list\"",
				 "\"attach\" takes the number of a process");
	if (w->dialogue)
		return run_attach(w, (int32_t)pid);
	return run_in_shell(w, "attach");
}

int cmd_batch(struct wavectl *w)
{
	struct script script = { .goes_on = w->keep_going, .is_batch = true };
	int fd, status;

	if (w->dialogue)
		return fail_nested(w);
	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"batch\" takes one file, or - for standard input");

	script.name = w->words[0];
	if (!strcmp(script.name, "-"))
		return run_talk(w, &script, STDIN_FILENO, NULL);
	fd = open(script.name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_system(w, -errno, "cannot open %s", script.name);
	status = run_talk(w, &script, fd, NULL);
	close(fd);
	return status;
}
