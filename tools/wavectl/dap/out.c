// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Responses and events: see out.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "base/util.h"
#include "dap/out.h"

static char *vformat(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		out_of_memory();
	return text;
}

int out_fail(struct request *r, const char *format, ...)
{
	va_list args;

	free(r->error);
	va_start(args, format);
	r->error = vformat(format, args);
	va_end(args);
	return -1;
}

char *out_take_caught(struct dap *d)
{
	char *text = d->caught ? d->caught : xstrdup("unknown error");

	d->caught = NULL;
	return text;
}

int out_fail_caught(struct dap *d, struct request *r)
{
	free(r->error);
	r->error = out_take_caught(d);
	return -1;
}

/* -------------------------------------------------------------------- sending */

/* If the client has gone, the session ends. */
static void write_all(struct dap *d, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(d->out, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			d->state = DAP_OVER;
			return;
		}
		bytes += n;
		size -= (size_t)n;
	}
}

static void send_message(struct dap *d, struct json_object *message)
{
	char *text = text_json(message), *frame = NULL;

	xappend(&frame, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
	write_all(d, frame, strlen(frame));
	free(frame);
	free(text);
	json_object_put(message);
}

static struct json_object *new_message(struct dap *d, const char *type)
{
	struct json_object *message = json_new();

	if (!message)
		out_of_memory();
	json_put_number(message, "seq", ++d->seq);
	json_put_text(message, "type", type);
	return message;
}

/* The description of an error as the protocol wants it; braces would be placeholders. */
static struct json_object *error_body(const char *text)
{
	struct json_object *body = json_new();
	struct json_object *error = json_new();
	struct json_object *variables = json_new();

	if (!body || !error || !variables)
		out_of_memory();
	json_put_number(error, "id", 1);
	json_put_text(error, "format", "{text}");
	json_put_text(variables, "text", text);
	json_put_flag(error, "showUser", true);
	json_put(error, "variables", variables);
	json_put(body, "error", error);
	return body;
}

void out_answer(struct dap *d, struct request *r)
{
	struct json_object *message;

	if (r->is_answered)
		return;
	r->is_answered = true;
	message = new_message(d, "response");
	json_put_number(message, "request_seq", r->seq);
	json_put_text(message, "command", r->command);
	json_put_flag(message, "success", !r->error);
	json_put_text(message, "message", r->error);
	if (r->error)
		json_put(message, "body", error_body(r->error));
	else
		json_put(message, "body", json_object_get(r->body));
	send_message(d, message);
}

void out_event(struct dap *d, const char *name, struct json_object *body)
{
	struct json_object *message = new_message(d, "event");

	json_put_text(message, "event", name);
	if (body)
		json_put(message, "body", body);
	send_message(d, message);
}

void out_text(struct dap *d, const char *category, const char *text)
{
	struct json_object *body = json_new();

	json_put_text(body, "category", category);
	json_put_text(body, "output", text);
	out_event(d, "output", body);
}

void out_line(struct dap *d, const char *category, const char *format, ...)
{
	char *text, *line = NULL;
	va_list args;

	va_start(args, format);
	text = vformat(format, args);
	va_end(args);
	xappend(&line, "%s\n", text);
	out_text(d, category, line);
	free(line);
	free(text);
}
