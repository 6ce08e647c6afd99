// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl shell and batch: commands that are typed, and those of a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dialogue.h"
#include "edit.h"
#include "lines.h"
#include "util.h"

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
				   "the line is no text");
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
	status = talk_line(talk, line, where, script->number);
	free(where);
	return status;
}

/* Read more. An exit status, if there is nothing more to be done. */
static int read_more(struct script *script, struct talk *talk)
{
	int ret;

	if (talk_wait(talk, script->lines.fd) != TALK_INPUT)
		return WAVECTL_OK;
	ret = lines_read(&script->lines);
	return ret ? fail_lines(script, talk, ret) : WAVECTL_OK;
}

/* Before the next line; what has happened since the last one may be the end. */
static bool is_over(const struct script *script, struct talk *talk)
{
	talk_tell(talk);
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
	talk_tell(talk);
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

/* Begin a talk; @script NULL: somebody types. */
static int run_talk(struct wavectl *w, struct script *script, int fd)
{
	struct talk talk;
	int status;

	status = open_target(w);
	if (status)
		return status;
	status = talk_begin(&talk, w);
	if (!status)
		status = script ? run_fd(script, &talk, fd) :
				  edit_run(&talk);
	talk_end(&talk);
	return status;
}

static int fail_nested(struct wavectl *w)
{
	return fail_with(w, WAVECTL_USAGE, NULL,
			 "there is a session already: type the commands");
}

int cmd_shell(struct wavectl *w)
{
	struct script script = { .name = "-", .goes_on = true };

	if (w->dialogue)
		return fail_nested(w);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return run_talk(w, NULL, -1);
	return run_talk(w, &script, STDIN_FILENO);
}

int cmd_batch(struct wavectl *w)
{
	struct script script = { .goes_on = w->keep_going, .is_batch = true };
	int fd, status;

	if (w->dialogue)
		return fail_nested(w);
	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "it takes one file, or - for standard input");

	script.name = w->words[0];
	if (!strcmp(script.name, "-"))
		return run_talk(w, &script, STDIN_FILENO);
	fd = open(script.name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_system(w, -errno, "cannot open %s", script.name);
	status = run_talk(w, &script, fd);
	close(fd);
	return status;
}
