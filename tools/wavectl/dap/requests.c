// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of requests: see requests.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/breaks.h"
#include "dap/bytes.h"
#include "dap/data.h"
#include "dap/disassemble.h"
#include "dap/input.h"
#include "dap/out.h"
#include "dap/place.h"
#include "dap/requests.h"
#include "dap/session.h"
#include "dap/threads.h"
#include "waves/hold.h"

static int source(struct dap *d, struct request *r)
{
	struct json_object *child = json_child(r->arguments, "source", json_type_object);
	uint64_t number = json_count(child, "sourceReference", 0);
	const char *text;

	if (!number)
		number = json_count(r->arguments, "sourceReference", 0);
	text = place_source_text(d, number);
	if (!text)
		return out_fail(r, "no code object contains this source");
	json_put_text(r->body, "content", text);
	return 0;
}

/* Cancel a request that waits. One that is executed was interrupted when this one arrived. */
static int cancel(struct dap *d, struct request *r)
{
	struct message *message;
	struct request other = { 0 };
	int64_t seq;

	if (!json_number(r->arguments, "requestId", &seq))
		return 0;
	message = input_remove(d->input, seq);
	if (!message)
		return 0;
	other.seq = seq;
	other.command = json_text(message->request, "command");
	if (other.command) {
		other.error = xstrdup("cancelled");
		out_answer(d, &other);
		free(other.error);
	}
	input_free_message(message);
	return 0;
}

static const struct handler {
	const char *command;
	/* Return 0; or -1, and r->error. The response is sent afterwards, if it was not yet. */
	int (*handle)(struct dap *d, struct request *r);
} handlers[] = {
	{ "initialize", session_initialize },
	{ "launch", session_launch },
	{ "attach", session_attach },
	{ "configurationDone", session_configuration_done },
	{ "terminate", session_terminate },
	{ "disconnect", session_disconnect },
	{ "cancel", cancel },
	{ "setBreakpoints", breaks_set_lines },
	{ "setFunctionBreakpoints", breaks_set_functions },
	{ "setInstructionBreakpoints", breaks_set_instructions },
	{ "setExceptionBreakpoints", threads_set_exceptions },
	{ "threads", threads_list },
	{ "stackTrace", threads_stack },
	{ "continue", threads_continue },
	{ "pause", threads_pause },
	{ "next", threads_next },
	{ "stepIn", threads_step_in },
	{ "stepOut", threads_step_out },
	{ "exceptionInfo", threads_exception_info },
	{ "scopes", data_scopes },
	{ "variables", data_variables },
	{ "setVariable", data_set_variable },
	{ "setExpression", data_set_expression },
	{ "evaluate", data_evaluate },
	{ "amdgpudbg/lane", data_lane },
	{ "readMemory", bytes_read },
	{ "writeMemory", bytes_write },
	{ "disassemble", disassemble },
	{ "source", source },
};

static const struct handler *find(const char *command)
{
	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++)
		if (!strcmp(handlers[i].command, command))
			return &handlers[i];
	return NULL;
}

static void fail_handled(struct request *r)
{
	/* As the protocol wants it */
	if (hold_interrupted())
		out_fail(r, "cancelled");
	else if (!r->error)
		out_fail(r, "the request has failed");
}

void requests_handle(struct dap *d, struct json_object *message)
{
	const char *type = json_text(message, "type");
	struct request r = {
		.command = json_text(message, "command"),
		.arguments = json_child(message, "arguments", json_type_object),
	};
	const struct handler *handler;

	if (!type || strcmp(type, "request") || !r.command ||
	    !json_number(message, "seq", &r.seq)) {
		out_line(d, "important", "a message was ignored: it is not a request");
		return;
	}
	r.body = json_new();
	handler = find(r.command);
	if (!handler)
		out_fail(&r, "unknown request '%s'", r.command);
	else if (handler->handle(d, &r))
		fail_handled(&r);
	out_answer(d, &r);
	json_object_put(r.body);
	free(r.error);
}
