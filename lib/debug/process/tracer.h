/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Running a program and all its children under ptrace(2), until one of them is about to submit a
 * GPU job. That thread is then stopped in its system call.
 */
#ifndef ADBGD_TRACER_H
#define ADBGD_TRACER_H

#include <sys/types.h>

#include "internal.h"

struct adbgd_tracer;

enum adbgd_tracer_state {
	ADBGD_TRACER_RUNS,
	ADBGD_TRACER_ASKS,	/* a thread is stopped before it submits a job */
	ADBGD_TRACER_ENDED,	/* the program and all its children have ended */
	ADBGD_TRACER_FAILED,	/* tracing has ended */
};

/**
 * struct adbgd_traced - the state of the traced program
 * @child: the program that was started: a child of the caller, who must call waitpid(2) for it
 * @status: for ADBGD_TRACER_ENDED: see waitpid(2)
 * @tid: for ADBGD_TRACER_ASKS: the thread
 * @fd: for ADBGD_TRACER_ASKS: the DRM descriptor to which the thread submits the job
 * @error: for ADBGD_TRACER_FAILED: -errno
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
 * adbgd_tracer_start() - start a program under a tracer
 * @argv: the file, looked up in PATH if it has no slash, and the arguments
 * @envp: the environment
 * @flags: ADBGD_PROGRAM_*
 *
 * Return: as adbgd_program_start(); on failure there is no child.
 */
int adbgd_tracer_start(char *const *argv, char *const *envp, uint32_t flags,
		       struct adbgd_tracer **tracer, struct adbgd_error *error);

/**
 * adbgd_tracer_get_fd() - get a descriptor for poll(2): the state has changed when it is readable
 */
int adbgd_tracer_get_fd(const struct adbgd_tracer *tracer);

/** adbgd_tracer_get() - get the current state */
const struct adbgd_traced *adbgd_tracer_get(struct adbgd_tracer *tracer);

/** adbgd_tracer_resume() - resume the thread of ADBGD_TRACER_ASKS; tracing continues */
void adbgd_tracer_resume(struct adbgd_tracer *tracer);

/** adbgd_tracer_end() - resume all threads, end tracing, and free @tracer */
void adbgd_tracer_end(struct adbgd_tracer *tracer);

#endif /* ADBGD_TRACER_H */
