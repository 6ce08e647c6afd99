// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program that "launch" has started: see program.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/out.h"
#include "dap/program.h"
#include "waves/hold.h"

struct start {
	struct adbgd_program *program;	/* NULL: it was released */
	int exited;			/* pidfd */
	int output[2];			/* pipes: its standard output and error */
	char *rest[2];			/* the beginning of a character that was cut */
};

/* What a program is started with */
struct setup {
	char **argv;
	char **envp;			/* NULL: the environment of the debugger */
	const char *directory;		/* NULL: that of the debugger */
};

extern char **environ;

/* -------------------------------------------------------------------- arguments */

static int take_argv(struct request *r, struct setup *setup)
{
	struct json_object *array = json_child(r->arguments, "args", json_type_array);
	const char *program = json_text(r->arguments, "program");
	size_t num = json_length(array);

	if (!program || !*program)
		return out_fail(r, "\"program\" is missing");
	setup->argv = xcalloc(num + 2, sizeof(*setup->argv));
	setup->argv[0] = (char *)program;
	for (size_t i = 0; i < num; i++) {
		struct json_object *word = json_object_array_get_idx(array, i);

		if (!json_object_is_type(word, json_type_string))
			return out_fail(r, "\"args\" has an element that is not a string");
		setup->argv[i + 1] = (char *)json_object_get_string(word);
	}
	return 0;
}

static bool is_variable(const char *entry, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(entry, name, length) && entry[length] == '=';
}

/* Remove a variable, which the new value replaces. */
static void remove_variable(char **envp, size_t *num, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < *num; i++) {
		if (is_variable(envp[i], name))
			free(envp[i]);
		else
			envp[kept++] = envp[i];
	}
	*num = kept;
}

/* The environment of the debugger with the changes of "env", where null removes a variable */
static void take_envp(struct request *r, struct setup *setup)
{
	struct json_object *env = json_child(r->arguments, "env", json_type_object);
	size_t num = 0, own = 0;

	if (!env)
		return;
	while (environ[own])
		own++;
	setup->envp = xcalloc(own + json_object_object_length(env) + 1, sizeof(*setup->envp));
	for (; num < own; num++)
		setup->envp[num] = xstrdup(environ[num]);
	json_object_object_foreach(env, name, value) {
		char *entry = NULL;

		remove_variable(setup->envp, &num, name);
		if (json_object_is_type(value, json_type_string)) {
			xappend(&entry, "%s=%s", name, json_object_get_string(value));
			setup->envp[num++] = entry;
		}
	}
	setup->envp[num] = NULL;
}

static void free_setup(struct setup *setup)
{
	for (size_t i = 0; setup->envp && setup->envp[i]; i++)
		free(setup->envp[i]);
	free(setup->envp);
	free(setup->argv);
}

/* --------------------------------------------------------------------- starting */

/* What the start of a program replaces for a moment, since the program inherits it */
struct replaced {
	int directory;
	int fds[2];
};

static int replace(struct replaced *old, const struct setup *setup, const int pipes[2])
{
	int ret = 0;

	old->directory = open(".", O_PATH | O_CLOEXEC);
	for (int i = 0; i < 2; i++) {
		old->fds[i] = fcntl(STDOUT_FILENO + i, F_DUPFD_CLOEXEC, 3);
		if (dup2(pipes[i], STDOUT_FILENO + i) < 0)
			ret = -errno;
	}
	if (setup->directory && chdir(setup->directory))
		ret = -errno;
	return ret;
}

static void restore(struct replaced *old)
{
	for (int i = 0; i < 2; i++) {
		if (old->fds[i] < 0)
			continue;
		dup2(old->fds[i], STDOUT_FILENO + i);
		close(old->fds[i]);
	}
	if (old->directory < 0)
		return;
	ignore_result(fchdir(old->directory));
	close(old->directory);
}

static int start_in_pipes(struct dap *d, struct request *r, const struct setup *setup,
			  const int pipes[2])
{
	struct adbgd_error error = { .error = 0 };
	struct replaced old;
	int ret = replace(&old, setup, pipes);

	if (ret) {
		restore(&old);
		return out_fail(r, "cannot start the program%s%s: %s",
				setup->directory ? " in " : "",
				setup->directory ? setup->directory : "", strerror(-ret));
	}
	/* The program must not inherit what is ignored here, see debug/run.c. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	hold_ignore_again(true);
	ret = adbgd_program_start(setup->argv, setup->envp, ADBGD_PROGRAM_BACKGROUND,
				  &d->start->program, &error);
	hold_ignore_again(false);
	signal(SIGPIPE, SIG_IGN);
	restore(&old);
	return ret ? out_fail(r, "%s", error.text) : 0;
}

static int start_program(struct dap *d, struct request *r, const struct setup *setup)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 }, pipes[2], ret;

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		return out_fail(r, "cannot create a pipe: %s", strerror(errno));
	d->start->output[0] = out[0];
	d->start->output[1] = err[0];
	for (int i = 0; i < 2; i++)
		fcntl(d->start->output[i], F_SETFL, O_NONBLOCK);
	pipes[0] = out[1];
	pipes[1] = err[1];
	ret = start_in_pipes(d, r, setup, pipes);
	close(out[1]);
	close(err[1]);
	if (ret)
		return ret;
	d->shell.child = adbgd_program_get_info(d->start->program)->child;
	d->start->exited = (int)syscall(SYS_pidfd_open, d->shell.child, 0);
	return 0;
}

int program_start(struct dap *d, struct request *r)
{
	struct setup setup = { .directory = json_text(r->arguments, "cwd") };
	int ret;

	d->start = xcalloc(1, sizeof(*d->start));
	*d->start = (struct start){ .exited = -1, .output = { -1, -1 } };
	ret = take_argv(r, &setup);
	if (!ret) {
		take_envp(r, &setup);
		ret = start_program(d, r, &setup);
	}
	free_setup(&setup);
	if (ret)
		program_free(d);
	return ret;
}

/* ---------------------------------------------------------------- the first job */

int program_wait_job(struct dap *d, char **why)
{
	struct adbg_session *session = d->shell.is_undecided ? NULL : d->w->session;
	struct adbgd_error error;
	int ret;

	ret = adbgd_program_wait_job(d->start->program, session, 0, &error);
	if (ret && ret != -EAGAIN)
		*why = xstrdup(error.text);
	return ret == -EINTR ? -EAGAIN : ret;
}

void program_get_process(const struct dap *d, int32_t *pid, uint64_t *client, uint32_t *gpu)
{
	const struct adbgd_program_info *info = adbgd_program_get_info(d->start->program);

	*pid = info->pid;
	*client = info->client_id;
	*gpu = info->gpu;
}

void program_release(struct dap *d)
{
	adbgd_program_release(d->start->program);
	d->start->program = NULL;
}

int program_job_fd(const struct dap *d)
{
	return d->start && d->start->program ? adbgd_program_get_fd(d->start->program) : -1;
}

void program_get_fds(const struct dap *d, int *exited, int output[2])
{
	if (!d->start)
		return;
	*exited = d->shell.child ? d->start->exited : -1;
	memcpy(output, d->start->output, sizeof(d->start->output));
}

/* ----------------------------------------------------------------------- output */

/* Length of @text without a UTF-8 character at its end that is not complete */
static size_t whole_length(const char *text, size_t length)
{
	size_t begin = length;

	while (begin && length - begin < 3 && ((unsigned char)text[begin - 1] & 0xc0) == 0x80)
		begin--;
	if (begin && (unsigned char)text[begin - 1] >= 0xc0) {
		unsigned char first = (unsigned char)text[begin - 1];
		size_t needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;

		if (length - begin + 1 < needed)
			return begin - 1;
	}
	return length;
}

static void send_output(struct dap *d, int i, char *bytes, size_t size)
{
	struct buffer text = { 0 };
	size_t whole;

	if (d->start->rest[i])
		buffer_append(&text, d->start->rest[i], strlen(d->start->rest[i]));
	/* A NUL would end the text. */
	for (char *nul; (nul = memchr(bytes, '\0', size));)
		*nul = '?';
	buffer_append(&text, bytes, size);
	whole = whole_length(text.text, text.length);
	free(d->start->rest[i]);
	d->start->rest[i] = whole < text.length ? xstrdup(text.text + whole) : NULL;
	text.text[whole] = '\0';
	if (whole)
		out_text(d, i ? "stderr" : "stdout", text.text);
	free(text.text);
}

static void copy_output(struct dap *d, int i)
{
	char bytes[4096];
	ssize_t n;

	/* A program that prints without end must not keep requests waiting. */
	for (int turn = 0; turn < 16 && d->start->output[i] >= 0; turn++) {
		n = read(d->start->output[i], bytes, sizeof(bytes));
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n > 0) {
			send_output(d, i, bytes, (size_t)n);
			continue;
		}
		close(d->start->output[i]);
		d->start->output[i] = -1;
	}
}

void program_copy_output(struct dap *d)
{
	if (!d->start)
		return;
	copy_output(d, 0);
	copy_output(d, 1);
}

void program_free(struct dap *d)
{
	struct start *start = d->start;

	if (!start)
		return;
	adbgd_program_release(start->program);
	if (start->exited >= 0)
		close(start->exited);
	for (int i = 0; i < 2; i++) {
		if (start->output[i] >= 0)
			close(start->output[i]);
		free(start->rest[i]);
	}
	free(start);
	d->start = NULL;
}
