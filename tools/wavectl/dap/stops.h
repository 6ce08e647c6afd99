/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops of waves: conditions and log points, and the events for the client.
 */
#ifndef WAVECTL_DAP_STOPS_H
#define WAVECTL_DAP_STOPS_H

#include "dap/dap.h"

/* Handle the events and stops that have arrived. Returns true if more may be left. */
bool stops_take(struct dap *d);
/* Find stops without events. Call it after the timeout of debug_poll_timeout(). */
void stops_poll(struct dap *d);
/*
 * Report how a step has ended. @error: NULL, or why the wave could not be stepped to its
 * destination
 */
void stops_report_step(struct dap *d, const struct adbgd_stop *stop, const char *error);
/* Send the event "stopped". @thread: 0: none in particular */
void stops_send(struct dap *d, const char *reason, uint32_t thread, bool all, const char *text);
/* Resume all waves. Returns 0 or -1, with the reason in @error. */
int stops_resume_all(struct dap *d, struct adbgd_error *error);
/* Enable the exceptions of setExceptionBreakpoints in new waves. Returns 0 or -errno. */
int stops_set_exceptions(struct dap *d);
/* The names of the causes of a stop, with commas; the caller frees it. NULL: there is none. */
char *stops_causes(const struct adbgd_stop *stop);
/* End the session: the process has exited. */
void stops_process_exited(struct dap *d);

#endif /* WAVECTL_DAP_STOPS_H */
