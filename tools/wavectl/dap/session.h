/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The beginning and the end of a session.
 */
#ifndef WAVECTL_DAP_SESSION_H
#define WAVECTL_DAP_SESSION_H

#include "dap/dap.h"

int session_initialize(struct dap *d, struct request *r);
int session_launch(struct dap *d, struct request *r);
int session_attach(struct dap *d, struct request *r);
int session_configuration_done(struct dap *d, struct request *r);
int session_terminate(struct dap *d, struct request *r);
int session_disconnect(struct dap *d, struct request *r);

/* Descriptors of a started program; each is -1 if there is none */
struct session_fds {
	int job;		/* it is about to submit a job */
	int exit;		/* it has ended */
	int output[2];		/* its standard output and error */
};

void session_get_fds(const struct dap *d, struct session_fds *fds);
/* Handle what the descriptors report, and the end of the program. */
void session_poll(struct dap *d);
/*
 * End the session: resume all waves, and with @terminate end the program. It has no effect if that
 * was done.
 */
void session_end(struct dap *d, bool terminate);

#endif /* WAVECTL_DAP_SESSION_H */
