// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl as a child process: see run_wavectl.h.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* It has a function fail(), cmocka a macro. */
#include "base/wavectl.h"
#include "shell/complete.h"

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

#define MAX_WORDS 32
/* Seconds until a child that hangs is ended by SIGALRM. */
#define DEADLINE 30

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

static int call_main(const void *arg)
{
	const char *args = arg;
	char *argv[MAX_WORDS + 1] = { "wavectl" };
	char *text = strdup(args), *rest = text;
	int argc = 1, status;

	while (argc < MAX_WORDS && (argv[argc] = strsep(&rest, " ")))
		argc += *argv[argc] != '\0';
	argv[argc] = NULL;
	status = wavectl_main(argc, argv);
	free(text);
	return status;
}

/* @full: standard output is /dev/full */
static void start(struct run *run, int (*function)(const void *arg), const void *arg, bool full)
{
	int out[2], status;

	memset(run, 0, sizeof(*run));
	must(!pipe2(out, O_CLOEXEC), "pipe");
	run->err_fd = memfd_create("stderr", MFD_CLOEXEC);
	must(run->err_fd >= 0, "memfd");
	fflush(NULL);

	run->pid = fork();
	must(run->pid >= 0, "fork");
	if (!run->pid) {
		if (full)
			out[1] = open("/dev/full", O_WRONLY | O_CLOEXEC);
		must(dup2(out[1], STDOUT_FILENO) >= 0 &&
		     dup2(run->err_fd, STDERR_FILENO) >= 0, "dup2");
		alarm(DEADLINE);
		status = function(arg);
		mock_verify();
		exit(status);
	}

	close(out[1]);
	run->out_fd = out[0];
}

void run_start(struct run *run, const char *args)
{
	start(run, call_main, args, false);
}

void run_start_full(struct run *run, const char *args)
{
	start(run, call_main, args, true);
}

/* Read more of standard output; 0 at its end. */
static ssize_t read_some(struct run *run, size_t max)
{
	size_t have = strlen(run->out);
	ssize_t n;

	must(have + max < sizeof(run->out), "too much output");
	n = read(run->out_fd, run->out + have, max);
	must(n >= 0, "read");
	return n;
}

void run_line(struct run *run)
{
	while (read_some(run, 1) > 0)
		if (run->out[strlen(run->out) - 1] == '\n')
			return;
}

void run_end(struct run *run)
{
	int status;

	while (read_some(run, 1024) > 0)
		;
	must(waitpid(run->pid, &status, 0) == run->pid, "waitpid");
	run->status = WIFEXITED(status) ? WEXITSTATUS(status) :
		      -WTERMSIG(status);
	must(pread(run->err_fd, run->err, sizeof(run->err) - 1, 0) >= 0,
	     "pread");
	close(run->out_fd);
	close(run->err_fd);
	if (run->status < 0)
		fprintf(stderr, "%s", run->err);
}

int run(struct run *run, const char *args)
{
	run_start(run, args);
	run_end(run);
	return run->status;
}

int run_function(struct run *run, int (*function)(const void *arg), const void *arg)
{
	start(run, function, arg, false);
	run_end(run);
	return run->status;
}

int run_setup(void **state)
{
	mock_setup(state);
	mock_set_nodes(&mock_node, 1);
	return 0;
}

int run_setup_process(void **state)
{
	run_setup(state);
	mock_proc_file("4711/fdinfo/9",
		       "pasid:\t32769\ndrm-driver:\tamdgpu\n"
		       "drm-pdev:\t0000:04:00.0\ndrm-client-id:\t41\n");
	return 0;
}

int run_teardown(void **state)
{
	(void)state;
	mock_reset();
	return 0;
}

/* Runs in the child, where cmocka's asserts have no place to go. */
static void mask_is(const struct amdgpudbg_wave_list *list, uint32_t mask)
{
	if (list->select.vmid_mask != mask)
		abort();
}

void asks_for_ends(void *arg)
{
	const struct amdgpudbg_event_enable *enable = arg;

	/* A reset, the end of the time, the loss of the VMID, sleep */
	if (enable->mask != (1 << 4 | 1 << 6 | 1 << 7 | 1 << 8) || enable->capacity)
		abort();
}

void all_vmids(void *arg)
{
	mask_is(arg, 0);
}

void vmid_1(void *arg)
{
	mask_is(arg, 0x2);
}

void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in '%s'", part, text);
}

void completes(const struct wavectl *w, const struct debugger *d, const char *line,
	       const char *words)
{
	struct completions c;
	char text[256] = "";

	complete_line(w, d, line, &c);
	for (size_t i = 0; i < c.count; i++) {
		strncat(text, c.words[i], sizeof(text) - strlen(text) - 1);
		strncat(text, " ", sizeof(text) - strlen(text) - 1);
	}
	complete_free(&c);
	if (strcmp(text, words))
		fail_msg("'%s': '%s'", line, text);
}

struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, key, &v))
		fail_msg("no %s in %s", key, json_object_to_json_string(o));
	return v;
}

void string_is(struct json_object *o, const char *key, const char *value)
{
	assert_true(json_object_is_type(member(o, key), json_type_string));
	assert_string_equal(json_object_get_string(member(o, key)), value);
}

void int_is(struct json_object *o, const char *key, int value)
{
	assert_true(json_object_is_type(member(o, key), json_type_int));
	assert_int_equal(json_object_get_int(member(o, key)), value);
}
