// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests about waves: see threads.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/util.h"
#include "dap/out.h"
#include "dap/place.h"
#include "dap/refs.h"
#include "dap/stack.h"
#include "dap/step.h"
#include "dap/stops.h"
#include "dap/threads.h"
#include "dap/wave.h"
#include "debug/code.h"
#include "waves/fault.h"

/* ------------------------------------------------------------------------ lists */

static void push_wave(struct dap *d, struct json_object *array, const struct amdgpudbg_wave *wave)
{
	uint64_t pc = adbgd_wave_get_pc(d->shell.debugger->process, wave);
	struct json_object *object = json_push(array);
	char name[ADBG_WAVE_NAME_MAX], *text = NULL;
	struct stack_frame frame;

	xappend(&text, "%s", adbg_wave_name(&wave->at, name));
	if (stack_name(d, pc, &frame))
		xappend(&text, " %s", frame.name);
	if (!(wave->flags & AMDGPUDBG_WAVE_HALTED))
		xappend(&text, " (running)");
	json_put_number(object, "id", wave_thread(d, &wave->at));
	json_put_text(object, "name", text);
	free(text);
}

static void push_process(struct dap *d, struct json_object *array)
{
	struct json_object *object = json_push(array);
	char *text = NULL;

	xappend(&text, "process %d (no waves)", d->shell.pid ? d->shell.pid : d->shell.child);
	json_put_number(object, "id", THREAD_PROCESS);
	json_put_text(object, "name", text);
	free(text);
}

int threads_list(struct dap *d, struct request *r)
{
	struct json_object *array = json_put_array(r->body, "threads");
	struct adbg_wave_list *list;
	size_t num = 0;

	if (d->state == DAP_ATTACHED && !wave_list(d, false, &list)) {
		num = adbg_wave_list_count(list);
		for (size_t i = 0; i < num; i++)
			push_wave(d, array, adbg_wave_list_get(list, i));
		adbg_wave_list_free(list);
	}
	if (!num && (d->state == DAP_STARTING || d->state == DAP_ATTACHED))
		push_process(d, array);
	return 0;
}

static void push_frame(struct dap *d, struct json_object *array, uint32_t thread,
		       const struct stack_frame *frame, uint32_t index)
{
	struct json_object *object = json_push(array);

	json_put_number(object, "id", refs_add(d->refs, &(struct ref){
		.kind = REF_FRAME, .thread = thread, .frame = index,
	}));
	json_put_text(object, "name", frame->name);
	if (frame->code && frame->file)
		place_put_source(d, object, "source", frame->code, frame->file);
	json_put_number(object, "line",
			frame->line ? (int64_t)frame->line - 1 + d->first_line : 0);
	json_put_number(object, "column",
			frame->column ? (int64_t)frame->column - 1 + d->first_column : 0);
	json_put_address(object, "instructionPointerReference", frame->pc);
	if (!frame->file)
		json_put_text(object, "presentationHint", "subtle");
}

/* In the place of the callers that are not known */
static void push_unknown(struct json_object *array, const struct stack_frame *last)
{
	struct json_object *object = json_push(array);
	char *text = NULL;

	xappend(&text, "callers are not known: %s", last->unknown);
	json_put_number(object, "id", 0);
	json_put_text(object, "name", text);
	free(text);
	json_put_number(object, "line", 0);
	json_put_number(object, "column", 0);
	json_put_text(object, "presentationHint", "label");
}

int threads_stack(struct dap *d, struct request *r)
{
	uint64_t first = json_count(r->arguments, "startFrame", 0);
	uint64_t levels = json_count(r->arguments, "levels", 0);
	struct amdgpudbg_wave_coord at;
	struct stack_frame frame;
	struct json_object *array;
	struct focus focus;
	uint32_t thread;
	size_t num, end;

	if (wave_of_request(d, r, &thread, &at))
		return -1;
	if (wave_open(d, r, thread, &focus)) {
		focus_close(&focus);
		return -1;
	}
	if (!code_at(d->shell.debugger, focus.pc)) {
		place_refresh(d);
		code_look_at(d->shell.debugger, focus.pc);
	}
	num = stack_open(d, &focus);
	stack_get(d, &focus, num - 1, &frame);
	end = frame.unknown ? num + 1 : num;
	array = json_put_array(r->body, "stackFrames");
	for (uint64_t i = first; i < end && (!levels || i - first < levels); i++) {
		if (i == num) {
			push_unknown(array, &frame);
			continue;
		}
		stack_get(d, &focus, i, &frame);
		push_frame(d, array, thread, &frame, (uint32_t)i);
	}
	focus_close(&focus);
	json_put_number(r->body, "totalFrames", (int64_t)end);
	return 0;
}

/* -------------------------------------------------------------------- execution */

int threads_continue(struct dap *d, struct request *r)
{
	bool single = json_flag(r->arguments, "singleThread", false);
	struct amdgpudbg_wave_coord at;
	struct adbgd_error error;
	uint32_t thread;

	if (wave_need_process(d, r) || (single && wave_of_request(d, r, &thread, &at)))
		return -1;
	if (single) {
		if (adbgd_wave_continue(d->shell.debugger->process, &at, &error))
			return out_fail(r, "%s", error.text);
		wave_forget(d, thread);
	} else if (stops_resume_all(d, &error)) {
		return out_fail(r, "%s", error.text);
	}
	json_put_flag(r->body, "allThreadsContinued", !single);
	return 0;
}

/* The wave to show after "pause": the requested one, the selected one, or any. 0: none is halted */
static uint32_t choose_wave(struct dap *d, uint64_t wanted)
{
	const struct debugger *debugger = d->shell.debugger;
	struct adbg_wave_list *list;
	uint32_t chosen = 0;

	if (wave_list(d, true, &list))
		return 0;
	for (size_t i = 0; i < adbg_wave_list_count(list); i++) {
		const struct amdgpudbg_wave *wave = adbg_wave_list_get(list, i);
		uint32_t thread = wave_thread(d, &wave->at);

		if (!chosen || thread == wanted)
			chosen = thread;
		if (chosen != wanted && debugger->has_wave &&
		    !memcmp(&debugger->wave, &wave->at, sizeof(wave->at)))
			chosen = thread;
	}
	adbg_wave_list_free(list);
	return chosen;
}

int threads_pause(struct dap *d, struct request *r)
{
	uint64_t wanted = json_count(r->arguments, "threadId", 0);
	struct adbgd_process *process;
	struct adbgd_error error;
	uint32_t thread;

	if (wave_need_process(d, r))
		return -1;
	process = d->shell.debugger->process;
	if (adbgd_process_halt(process, &error))
		return out_fail(r, "%s", error.text);
	wave_forget(d, 0);
	thread = choose_wave(d, wanted);
	/* Between two jobs there is none: stop the next wave. */
	if (!thread && adbgd_process_stop_at_start(process, true, &error))
		return out_fail(r, "%s", error.text);
	out_answer(d, r);
	d->waits_for_pause = !thread;
	if (thread)
		stops_send(d, "pause", thread, true, NULL);
	else
		out_line(d, "console", "the process has no waves; the next one will stop");
	return 0;
}

static int step(struct dap *d, struct request *r, enum step_kind kind)
{
	const char *granularity = json_text(r->arguments, "granularity");
	struct amdgpudbg_wave_coord at;
	struct adbgd_stop stop;
	struct adbgd_error error;
	struct focus focus;
	uint32_t thread;
	int ret;

	if (wave_of_request(d, r, &thread, &at))
		return -1;
	ret = wave_open(d, r, thread, &focus);
	focus_close(&focus);
	if (ret)
		return -1;
	wave_forget(d, thread);
	out_answer(d, r);
	ret = step_wave(d, &at, kind, granularity && !strcmp(granularity, "instruction"), &stop,
			&error);
	stops_report_step(d, &stop, ret && ret != -EINTR ? error.text : NULL);
	return 0;
}

int threads_next(struct dap *d, struct request *r)
{
	return step(d, r, STEP_OVER);
}

int threads_step_in(struct dap *d, struct request *r)
{
	return step(d, r, STEP_IN);
}

int threads_step_out(struct dap *d, struct request *r)
{
	return step(d, r, STEP_OUT);
}

/* ------------------------------------------------------------------- exceptions */

static void append_instruction(struct dap *d, const struct adbgd_stop *stop, char **text)
{
	struct stack_frame frame;

	if (!stop->insn)
		return;
	stack_name(d, stop->insn, &frame);
	xappend(text, ", caused by the instruction at 0x%016" PRIx64, stop->insn);
	if (frame.code)
		xappend(text, ", %s", frame.name);
	if (frame.file)
		xappend(text, " at %s:%u", code_base_name(frame.file), frame.line);
}

/* Where the access was that the wave has stopped for, if the module has reported it */
static void append_fault(struct dap *d, const struct adbgd_stop *stop,
			 const struct amdgpudbg_wave *wave, char **text)
{
	char *fault;

	if (!(stop->cause & AMDGPUDBG_CAUSE_MEM_VIOL))
		return;
	fault = fault_of_wave(d->shell.faults, d->shell.num_faults, wave);
	if (fault)
		xappend(text, ": %s", fault);
	free(fault);
}

static int describe_exception(struct dap *d, struct request *r, const struct focus *focus,
			      const struct adbgd_stop *stop)
{
	char *causes = stop ? stops_causes(stop) : NULL, *text = NULL;

	if (!causes)
		return out_fail(r, "the wave was not stopped by an exception");
	xappend(&text, "%s", causes);
	if (stop->reason == ADBGD_STOP_TRAP)
		xappend(&text, " %u", stop->trap_id);
	append_instruction(d, stop, &text);
	append_fault(d, stop, &focus->wave, &text);
	json_put_text(r->body, "exceptionId", causes);
	json_put_text(r->body, "description", text);
	json_put_text(r->body, "breakMode", "always");
	free(text);
	free(causes);
	return 0;
}

int threads_exception_info(struct dap *d, struct request *r)
{
	struct amdgpudbg_wave_coord at;
	struct focus focus;
	uint32_t thread;
	int ret;

	if (wave_of_request(d, r, &thread, &at))
		return -1;
	ret = wave_open(d, r, thread, &focus);
	if (!ret)
		ret = describe_exception(d, r, &focus, wave_find_stop(d, thread));
	focus_close(&focus);
	return ret;
}

int threads_set_exceptions(struct dap *d, struct request *r)
{
	struct json_object *filters = json_child(r->arguments, "filters", json_type_array);
	uint64_t before = d->exceptions, mask = 0, one;
	int ret;

	for (size_t i = 0; i < json_length(filters); i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(filters, i));

		if (!name || !cause_parse(name, &one))
			return out_fail(r, "there is no exception '%s'", name ? name : "");
		mask |= one;
	}
	d->exceptions = mask;
	if (mask == before || d->state != DAP_ATTACHED || d->waits_for_entry)
		return 0;
	ret = stops_set_exceptions(d);
	if (!ret)
		return 0;
	d->exceptions = before;
	return out_fail(r, "cannot enable exceptions: %s%s%s", adbg_strerror(d->w->session, ret),
			adbg_strhint(d->w->session, ret) ? "; " : "",
			adbg_strhint(d->w->session, ret) ?: "");
}
