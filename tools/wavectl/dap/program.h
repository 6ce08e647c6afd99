/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that "launch" has started.
 */
#ifndef WAVECTL_DAP_PROGRAM_H
#define WAVECTL_DAP_PROGRAM_H

#include "dap/dap.h"

/* Start the program that the arguments describe, traced until its first job. Returns 0 or -1. */
int program_start(struct dap *d, struct request *r);
/*
 * Is it about to submit a job? Returns 0; -EAGAIN: not yet; else the reason why it will not, in
 * *why, which the caller frees.
 */
int program_wait_job(struct dap *d, char **why);
/* The process that submits the job, its DRM client, and the number of the GPU */
void program_get_process(const struct dap *d, int32_t *pid, uint64_t *client, uint32_t *gpu);
/* Let it continue without tracing. */
void program_release(struct dap *d);
/* Send what it has printed to the client. */
void program_copy_output(struct dap *d);
/* Descriptors for poll(2); -1: there is none */
int program_job_fd(const struct dap *d);
void program_get_fds(const struct dap *d, int *exited, int output[2]);
/* Release it, and stop reading what it prints. */
void program_free(struct dap *d);

#endif /* WAVECTL_DAP_PROGRAM_H */
