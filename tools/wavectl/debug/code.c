// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code objects: see code.h.
 */
#include "debug/code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "waves/hold.h"
#include "waves/stop.h"

#define PENDING "{name} is not in memory, and is pending until it is loaded"

/* ------------------------------------------------------------------ the list */

struct adbgd_code *code_get(const struct debugger *d, size_t i)
{
	return d && d->objects ? adbgd_objects_get_loaded(d->objects, i) : NULL;
}

struct adbgd_code *code_at(const struct debugger *d, uint64_t va)
{
	return d && d->objects ? adbgd_objects_at(d->objects, va) : NULL;
}

/* Keep for code_report() that a file of the user was loaded or unloaded. */
static void note_change(void *data, struct adbgd_object *object, bool is_loaded)
{
	const struct adbgd_object_info *info = adbgd_object_get_info(object);
	const struct adbgd_code_info *code = adbgd_code_get_info(info->code);
	struct debugger *d = data;

	d->num_changes++;
	if (!is_loaded)
		debug_note_unloaded(d, &code->text);
	if (!(info->flags & ADBGD_OBJECT_FILE))
		return;
	d->news = xreallocarray(d->news, d->num_news + 1, sizeof(*d->news));
	d->news[d->num_news++] = (struct code_news){
		.name = xstrdup(code->name), .text = code->text, .is_loaded = is_loaded,
	};
}

static int add_debug_dirs(struct wavectl *w, const struct code_object_files *dirs)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;

	for (unsigned int i = 0; i < dirs->num; i++)
		if (adbgd_objects_add_debug_path(d->objects, dirs->names[i], &error))
			return debug_fail(w, &error);
	return WAVECTL_OK;
}

/* Add the --debug-dir of a command in a shell, once. */
static int take_debug_dirs(struct wavectl *w)
{
	int status;

	if (w->shell->debug_dirs == &w->debug_dirs)
		return WAVECTL_OK;
	status = add_debug_dirs(w, &w->debug_dirs);
	w->debug_dirs.num = 0;
	return status;
}

/* Create the list, if there is none. Returns an exit status. */
static int open_list(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_memory memory;
	struct adbgd_error error;

	if (d->objects)
		return WAVECTL_OK;
	debug_get_memory(d, &memory);
	if (adbgd_objects_new(w->session, &memory, w->shell->signals, &d->objects, &error))
		return debug_fail(w, &error);
	adbgd_objects_follow(d->objects, d->events & ADBGD_OBJECTS_EVENTS);
	adbgd_objects_set_callback(d->objects, note_change, d);
	return w->shell->debug_dirs ? add_debug_dirs(w, w->shell->debug_dirs) : WAVECTL_OK;
}

void code_note_events(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	struct amdgpudbg_event ev = { 0 };

	if (!d->events)
		return;
	for (size_t i = 0; i < w->shell->num_kept; i++)
		adbgd_objects_handle_event(d->objects, &w->shell->kept[i]);
	while (!hold_interrupted() && !adbg_event_next(w->session, &ev, 0)) {
		stop_keep(w->shell, &ev);
		adbgd_objects_handle_event(d->objects, &ev);
	}
}

int code_search(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;
	int status = open_list(w), ret;

	if (status)
		return status;
	code_note_events(w);
	ret = adbgd_objects_update(d->objects, ADBGD_OBJECTS_ALL, &error);
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	return ret ? debug_fail(w, &error) : WAVECTL_OK;
}

void code_update(struct debugger *d)
{
	/* An error recurs in the next command that needs code objects, and is reported there. */
	if (d->objects)
		ignore_result(adbgd_objects_update(d->objects, ADBGD_OBJECTS_NEW, NULL));
}

void code_look_at(struct debugger *d, uint64_t va)
{
	if (d && d->objects)
		ignore_result(adbgd_objects_look_at(d->objects, va, NULL));
}

int code_need_at(struct wavectl *w, uint64_t va, struct adbgd_code **code)
{
	struct debugger *d = w->shell->debugger;
	int status = WAVECTL_OK;

	*code = code_at(d, va);
	if (!*code)
		status = code_search(w);
	if (status)
		return status;
	*code = code_at(d, va);
	if (*code)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_GONE, "use \"code add FILE\" or --code-object FILE",
			 "no known code object contains the instruction at 0x%016" PRIx64, va);
}

/* ---------------------------------------------------------------------- changes */

static int say_news(struct wavectl *w, const struct code_news *news)
{
	emit_begin_live(w->emit);
	emit_str(w->emit, "type", news->is_loaded ? "code-loaded" : "code-unloaded");
	emit_str(w->emit, "name", news->name);
	emit_hex64(w->emit, "address", news->text.start);
	emit_hex64(w->emit, "end", news->text.start + news->text.size);
	emit_say(w->emit, news->is_loaded ? "{name} is loaded at {address} to {end}" :
					    "{name} was unloaded from {address}, and is pending");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int code_report(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	int status = WAVECTL_OK;

	for (size_t i = 0; !status && i < d->num_news; i++)
		status = say_news(w, &d->news[i]);
	debug_drop_news(d);
	return status;
}

/* --------------------------------------------------------------------- files */

int code_add(struct wavectl *w, const char *path, const uint64_t *address,
	     const struct adbgd_object **object)
{
	bool fresh = !w->shell || !w->shell->debugger;
	struct adbgd_object *added;
	struct adbgd_error error;
	int status = debug_open(w);

	if (status)
		return status;
	status = open_list(w);
	if (!status)
		status = take_debug_dirs(w);
	if (!status)
		code_note_events(w);
	if (!status && adbgd_objects_add(w->shell->debugger->objects, path, address, &added,
					 &error)) {
		if (hold_interrupted())
			status = hold_fail_interrupted(w);
		else
			status = fail_with(w, error.error == -ENOENT && address ? WAVECTL_GONE :
					   exit_status(error.error), error.error == -ENOTUNIQ ?
					   "give the address of its instructions with --address" :
					   NULL, "%s", error.text);
	} else if (!status) {
		*object = added;
	}
	/*
	 * Do not leave a trap handler in the process because of a file that is not a code object.
	 */
	if (status && fresh)
		debug_close(w->shell);
	return status;
}

const char *code_add_sentence(const struct wavectl *w, const struct adbgd_object *object)
{
	const struct adbgd_object_info *info = adbgd_object_get_info(object);

	if (!(info->flags & ADBGD_OBJECT_PENDING))
		return "{name} is loaded at {address} to {end}";
	return strcmp(debug_gpu(w), adbgd_code_get_info(info->code)->gpu) ?
	       PENDING "; it was compiled for {gpu}, which is not this GPU" : PENDING;
}

void code_emit_object(struct wavectl *w, const struct adbgd_object *object)
{
	const struct adbgd_object_info *info = adbgd_object_get_info(object);
	const struct adbgd_code_info *code = adbgd_code_get_info(info->code);
	bool is_pending = info->flags & ADBGD_OBJECT_PENDING;

	if (is_pending) {
		emit_none(w->emit, "address");
		emit_none(w->emit, "end");
	} else {
		emit_hex64(w->emit, "address", code->text.start);
		emit_hex64(w->emit, "end", code->text.start + code->text.size);
	}
	emit_str(w->emit, "gpu", code->gpu);
	emit_bool(w->emit, "lines", !adbgd_code_load_debug(info->code, NULL));
	emit_str(w->emit, "state", is_pending ? "pending" : "there");
	emit_str(w->emit, "name", code->name);
}

/* Print that a file of --code-object is pending. */
static int say_pending(struct wavectl *w, const struct adbgd_object *object)
{
	emit_begin_live(w->emit);
	emit_str(w->emit, "type", "code-pending");
	code_emit_object(w, object);
	emit_say(w->emit, code_add_sentence(w, object));
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* The list is created when it is first needed: say now what is not there. */
static int check_debug_dirs(struct wavectl *w)
{
	for (unsigned int i = 0; i < w->debug_dirs.num; i++)
		if (access(w->debug_dirs.names[i], F_OK))
			return fail_system(w, -errno, "cannot open %s", w->debug_dirs.names[i]);
	return WAVECTL_OK;
}

int code_add_files(struct wavectl *w)
{
	const struct adbgd_object *object;
	int status = check_debug_dirs(w);

	if (!status && w->debug_dirs.num && w->shell->debugger)
		status = open_list(w) ?: take_debug_dirs(w);
	for (unsigned int i = 0; !status && i < w->code_objects.num; i++) {
		status = code_add(w, w->code_objects.names[i], NULL, &object);
		if (!status && adbgd_object_get_info(object)->flags & ADBGD_OBJECT_PENDING)
			status = say_pending(w, object);
	}
	if (!status && w->code_objects.num)
		debug_drop_news(w->shell->debugger);
	return status;
}

/* --------------------------------------------------------------------- names */

const char *code_base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

bool code_name_place(const struct debugger *d, uint64_t va, struct place *place)
{
	return code_name_place_in(code_at(d, va), va, place);
}

bool code_name_place_in(struct adbgd_code *code, uint64_t va, struct place *place)
{
	struct adbgd_line line;

	place->file = NULL;
	place->line = 0;
	place->is_near = false;
	if (!code)
		return false;
	adbgd_code_format_address(code, va, place->symbol);
	if (!adbgd_line_at(code, va, &line, NULL) && line.line) {
		place->file = line.file;
		place->line = line.line;
		place->is_near = line.flags & ADBGD_LINE_NEAR;
		snprintf(place->text, sizeof(place->text), "%s at %.100s:%" PRIu32 "%s",
			 place->symbol, code_base_name(line.file), line.line,
			 place->is_near ? CODE_NEAR : "");
	} else {
		snprintf(place->text, sizeof(place->text), "%s", place->symbol);
	}
	return place->file || adbgd_code_symbol_at(code, va);
}

/* Append the source line, if it is known. */
static void append_line(char **text, const struct place *place)
{
	if (place->file)
		xappend(text, " at %s:%" PRIu32 "%s", code_base_name(place->file), place->line,
			place->is_near ? CODE_NEAR : "");
}

/* Cut a long C++ name: first its template arguments, then its beginning. */
char *code_short_name(const char *name)
{
	size_t length = strlen(name), end = strcspn(name, "<");
	char *text = NULL;

	if (length <= CODE_NAME_SHOWN)
		xappend(&text, "%s", name);
	else if (end + strlen("<...>") <= CODE_NAME_SHOWN && name[length - 1] == '>')
		xappend(&text, "%.*s<...>", (int)end, name);
	else
		xappend(&text, "...%s", name + length - (CODE_NAME_SHOWN - strlen("...")));
	return text;
}

/* The place as a table shows it */
static char *short_place(const struct adbgd_code *code, uint64_t va, const struct place *place)
{
	const struct adbgd_symbol *symbol = adbgd_code_symbol_at(code, va);
	char *source = symbol ? adbgd_demangle_name(symbol->name, 0) : NULL;
	char *text = symbol ? code_short_name(source ? source : symbol->name) : NULL;

	if (!symbol)
		xappend(&text, "0x%" PRIx64, va);
	else if (va != symbol->address)
		xappend(&text, "+0x%" PRIx64, va - symbol->address);
	append_line(&text, place);
	free(source);
	return text;
}

char *code_short_place(struct adbgd_code *code, uint64_t va)
{
	struct place place;

	return code_name_place_in(code, va, &place) ? short_place(code, va, &place) : NULL;
}

/* The place with its whole name */
static char *whole_place(const struct adbgd_code *code, uint64_t va, const struct place *place)
{
	char *name = adbgd_code_address_name(code, va), *text = NULL;

	xappend(&text, "%s", name ? name : place->symbol);
	append_line(&text, place);
	free(name);
	return text;
}

static void emit_name(struct wavectl *w, const struct adbgd_code *code, uint64_t va,
		      const struct place *place)
{
	char *whole = whole_place(code, va, place);
	char *shorter = short_place(code, va, place);

	emit_str_short(w->emit, "place", whole, w->verbose ? whole : shorter);
	free(whole);
	free(shorter);
}

void code_emit_place(struct wavectl *w, uint64_t va)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;

	code_emit_place_in(w, code_at(d, va), va, code_get(d, 0));
}

void code_emit_place_as(struct wavectl *w, const char *key, uint64_t va)
{
	struct place place;

	if (code_name_place(w->shell->debugger, va, &place))
		emit_str(w->emit, key, place.text);
	else
		emit_none(w->emit, key);
}

void code_emit_place_in(struct wavectl *w, struct adbgd_code *code, uint64_t va, bool shown)
{
	struct place place;
	bool known = code_name_place_in(code, va, &place);

	emit_quiet(w->emit, !shown);
	if (known)
		emit_name(w, code, va, &place);
	else
		emit_none(w->emit, "place");
	emit_quiet(w->emit, true);
	if (known && place.file) {
		emit_str(w->emit, "file", place.file);
		emit_uint(w->emit, "line", place.line);
	} else {
		emit_none(w->emit, "file");
		emit_none(w->emit, "line");
	}
	emit_quiet(w->emit, false);
}
