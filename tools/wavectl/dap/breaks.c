// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests that set breakpoints: see breaks.h.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/breakpoint.h"
#include "dap/breaks.h"
#include "dap/out.h"
#include "dap/place.h"

/* Read what a kind of breakpoint needs from its JSON object. Returns 0 or -1. */
typedef int take_one(struct dap *d, struct request *r, struct json_object *from,
		     struct breakpoint_request *b);

static int check_state(const struct dap *d, struct request *r)
{
	return d->state == DAP_STARTING || d->state == DAP_ATTACHED ? 0 :
	       out_fail(r, "no process is being debugged");
}

static int replace(struct dap *d, struct request *r, enum breakpoint_kind kind, const char *file,
		   take_one *take)
{
	struct json_object *from = json_child(r->arguments, "breakpoints", json_type_array);
	size_t num = json_length(from);
	struct breakpoint_request *all;
	int ret = check_state(d, r);

	if (ret)
		return ret;
	all = xcalloc(num + 1, sizeof(*all));
	for (size_t i = 0; !ret && i < num; i++) {
		struct json_object *one = json_object_array_get_idx(from, i);

		all[i] = (struct breakpoint_request){
			.kind = kind, .file = file,
			.condition = json_text(one, "condition"),
			.hit_condition = json_text(one, "hitCondition"),
			.log = json_text(one, "logMessage"),
		};
		ret = take(d, r, one, &all[i]);
	}
	if (!ret) {
		if (d->shell.debugger)
			place_refresh(d);
		breakpoint_replace(d, kind, file, all, num, json_put_array(r->body, "breakpoints"));
	}
	free(all);
	return ret;
}

static int take_line(struct dap *d, struct request *r, struct json_object *from,
		     struct breakpoint_request *b)
{
	int64_t line;

	if (!json_number(from, "line", &line))
		return out_fail(r, "a breakpoint has no line");
	if (line < (int64_t)d->first_line || line >= INT32_MAX)
		return out_fail(r, "there is no line %lld", (long long)line);
	b->line = (uint32_t)(line + 1 - (int64_t)d->first_line);
	return 0;
}

int breaks_set_lines(struct dap *d, struct request *r)
{
	struct json_object *source = json_child(r->arguments, "source", json_type_object);
	const char *file = json_text(source, "path");

	if (!file)
		file = json_text(source, "name");
	if (!file || !*file)
		return out_fail(r, "the source has neither a path nor a name");
	return replace(d, r, BREAKPOINT_LINE, file, take_line);
}

static int take_function(struct dap *d, struct request *r, struct json_object *from,
			 struct breakpoint_request *b)
{
	(void)d;
	b->name = json_text(from, "name");
	return b->name && *b->name ? 0 : out_fail(r, "a breakpoint has no name");
}

int breaks_set_functions(struct dap *d, struct request *r)
{
	return replace(d, r, BREAKPOINT_FUNCTION, NULL, take_function);
}

static int take_instruction(struct dap *d, struct request *r, struct json_object *from,
			    struct breakpoint_request *b)
{
	const char *reference = json_text(from, "instructionReference");
	int64_t offset = 0;

	(void)d;
	if (!reference || !parse_u64(reference, UINT64_MAX, &b->address))
		return out_fail(r, "'%s' is not the address of an instruction",
				reference ? reference : "");
	json_number(from, "offset", &offset);
	b->address += (uint64_t)offset;
	return 0;
}

int breaks_set_instructions(struct dap *d, struct request *r)
{
	return replace(d, r, BREAKPOINT_INSTRUCTION, NULL, take_instruction);
}
