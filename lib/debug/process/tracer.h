/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that runs under ptrace(2), with all that it starts, until one of them is about to
 * give a GPU a job: then that one stands in its system call.
 */
#ifndef ADBGD_TRACER_H
#define ADBGD_TRACER_H

#include <sys/types.h>

#include "internal.h"

struct adbgd_tracer;

enum adbgd_tracer_state {
	ADBGD_TRACER_RUNS,
	ADBGD_TRACER_ASKS,	/* a thread is stopped before such a system call */
	ADBGD_TRACER_ENDED,	/* the program, with all that it has started */
	ADBGD_TRACER_FAILED,	/* tracing has ended */
};

/**
 * struct adbgd_traced - how far it is
 * @child: the program that was started: a child of the caller, who has to wait for it
 * @status: for _ENDED: see waitpid(2)
 * @tid: for _ASKS: the thread
 * @fd: for _ASKS: the descriptor of the job
 * @error: for _FAILED: -errno
 */
struct adbgd_traced {
	enum adbgd_tracer_state state;
	pid_t child;
	int status;
	pid_t tid;
	int fd;
	int error;
};

/**
 * adbgd_tracer_start() - start a program
 * @argv: its file, which is looked for as by a shell, and its arguments
 * @envp: its environment
 * @flags: ADBGD_PROGRAM_*
 *
 * Return: as adbgd_program_start(), and then there is no child.
 */
int adbgd_tracer_start(char *const *argv, char *const *envp, uint32_t flags,
		       struct adbgd_tracer **tracer, struct adbgd_error *error);

/** adbgd_tracer_get_fd() - for poll(2): adbgd_tracer_get() tells something new */
int adbgd_tracer_get_fd(const struct adbgd_tracer *tracer);

/** adbgd_tracer_get() - how far it is */
const struct adbgd_traced *adbgd_tracer_get(struct adbgd_tracer *tracer);

/** adbgd_tracer_resume() - resume the thread of _ASKS; tracing continues */
void adbgd_tracer_resume(struct adbgd_tracer *tracer);

/** adbgd_tracer_end() - resume all threads, end tracing, and free @tracer */
void adbgd_tracer_end(struct adbgd_tracer *tracer);

#endif /* ADBGD_TRACER_H */
