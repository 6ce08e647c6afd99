/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs wavectl as a child process on the simulated machine of mock.h, and reads its output. The
 * child aborts at an ioctl that was not expected, and if an expected one was not made.
 */
#ifndef TESTS_UNIT_RUN_WAVECTL_H
#define TESTS_UNIT_RUN_WAVECTL_H

#include <stddef.h>
#include <sys/types.h>

#include <json-c/json.h>

struct debugger;
struct wavectl;

struct run {
	pid_t pid;
	int out_fd;
	int err_fd;
	int status;	/* exit status, or minus the signal that ended it */
	char out[65536];
	char err[8192];
};

/* Start it with @args, words divided by blanks. */
void run_start(struct run *run, const char *args);
/* The same with a standard output that takes nothing, as on a full disk. */
void run_start_full(struct run *run, const char *args);
/* Wait for a whole line on its standard output; it is added to run->out. */
void run_line(struct run *run);
/* Wait for its end, and collect what it says. */
void run_end(struct run *run);
/* All of it. Returns run->status. */
int run(struct run *run, const char *args);
/* The same of a function, in the place of wavectl_main(); it gives the exit status. */
int run_function(struct run *run, int (*function)(const void *arg), const void *arg);

/* Around each test: there is a GPU; in the end everything is forgotten. */
int run_setup(void **state);
/* There is process 4711, too, which uses it. */
int run_setup_process(void **state);
int run_teardown(void **state);
#define RUN_TEST(test) \
	cmocka_unit_test_setup_teardown(test, run_setup, run_teardown)
#define RUN_TEST_PROCESS(test) \
	cmocka_unit_test_setup_teardown(test, run_setup_process, run_teardown)

/*
 * For mock_expect(): the GPU list and the session ask who it is; where a VMID is
 * named, it is compared then.
 */
#define OPEN MOCK_GET_INFO, MOCK_GET_INFO
#define OPEN_VMID OPEN, MOCK_GET_INFO

/* Before something is held, it asks for the events that end a hold. */
#define LISTENS { \
	.request = AMDGPUDBG_IOC_EVENT_ENABLE, .check = asks_for_ends, \
}

/* The first @n of mock_waves; @which checks what is asked for. */
#define LIST_WAVES(which, n) { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .check = which, \
	.waves = mock_waves, .num_waves = n, \
}

/* A hold has expired, the GPU was reset, the VMID is lost. */
void asks_for_ends(void *arg);

/* All VMIDs are meant, or VMID 1. */
void all_vmids(void *arg);
void vmid_1(void *arg);

/* What was said. These fail the test that calls them. */
void contains(const char *text, const char *part);
void lacks(const char *text, const char *part);
/* What the shell completes a line to: words, each with a blank behind it */
void completes(const struct wavectl *w, const struct debugger *d, const char *line,
	       const char *words);
struct json_object *member(struct json_object *o, const char *key);
void string_is(struct json_object *o, const char *key, const char *value);
void int_is(struct json_object *o, const char *key, int value);

#endif /* TESTS_UNIT_RUN_WAVECTL_H */
