/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses and events.
 */
#ifndef WAVECTL_DAP_OUT_H
#define WAVECTL_DAP_OUT_H

#include "dap/dap.h"

/* Fail a request with this message. Returns -1, for handlers. */
int out_fail(struct request *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with the last error that a function of other folders has reported */
int out_fail_caught(struct dap *d, struct request *r);
/* Take the last error of a function of other folders. The caller frees it. */
char *out_take_caught(struct dap *d);

/* Send the response: an error if r->error is set. Only the first call has an effect. */
void out_answer(struct dap *d, struct request *r);
/* Send an event, and free @body, which may be NULL. */
void out_event(struct dap *d, const char *name, struct json_object *body);
/* Send text for the client's console. @category: console, important, stdout or stderr */
void out_text(struct dap *d, const char *category, const char *text);
/* The same, with a line feed at the end */
void out_line(struct dap *d, const char *category, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* WAVECTL_DAP_OUT_H */
