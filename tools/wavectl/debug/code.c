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

#include "base/util.h"
#include "waves/hold.h"

/* ------------------------------------------------------------------ the list */

static uint64_t text_of(const struct adbgd_code *code)
{
	return adbgd_code_get_info(code)->text.start;
}

/* Insert by address; replaces one at the same address. */
static const struct code_object *insert(struct debugger *d, struct adbgd_code *code,
					bool is_from_file)
{
	uint64_t start = text_of(code);
	size_t i = 0;

	while (i < d->num_objects && text_of(d->objects[i].code) < start)
		i++;
	if (i < d->num_objects && text_of(d->objects[i].code) == start) {
		adbgd_code_free(d->objects[i].code);
	} else {
		d->objects = xreallocarray(d->objects, d->num_objects + 1,
					   sizeof(*d->objects));
		memmove(&d->objects[i + 1], &d->objects[i],
			(d->num_objects - i) * sizeof(*d->objects));
		d->num_objects++;
	}
	d->objects[i] = (struct code_object){ .code = code, .is_from_file = is_from_file };
	return &d->objects[i];
}

static void drop_found(struct debugger *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->num_objects; i++) {
		if (d->objects[i].is_from_file)
			d->objects[kept++] = d->objects[i];
		else
			adbgd_code_free(d->objects[i].code);
	}
	d->num_objects = kept;
}

struct adbgd_code *code_at(const struct debugger *d, uint64_t va)
{
	for (size_t i = 0; d && i < d->num_objects; i++) {
		const struct adbgd_span *text =
			&adbgd_code_get_info(d->objects[i].code)->text;

		if (va - text->start < text->size)
			return d->objects[i].code;
	}
	return NULL;
}

/* -------------------------------------------------------------------- memory */

/* Executable memory of the process */
struct executable {
	struct adbgd_span *spans;
	size_t num;
};

static bool is_code(const struct amdgpudbg_mapping *m)
{
	const uint32_t needed = AMDGPUDBG_MAPPING_READ | AMDGPUDBG_MAPPING_EXEC;

	if ((m->flags & needed) != needed)
		return false;
	return m->kind == AMDGPUDBG_KIND_SYSTEM || m->kind == AMDGPUDBG_KIND_VRAM ||
	       m->kind == AMDGPUDBG_KIND_USERPTR;
}

/* Adjacent mappings are one span, since a code object may extend over several. */
static void add_span(struct executable *e, const struct amdgpudbg_mapping *m)
{
	struct adbgd_span *last = e->num ? &e->spans[e->num - 1] : NULL;

	if (last && last->start + last->size == m->va)
		last->size += m->bytes;
	else
		e->spans[e->num++] = (struct adbgd_span){ .start = m->va, .size = m->bytes };
}

static int find_executable(struct wavectl *w, struct executable *e)
{
	struct amdgpudbg_mapping *list;
	uint32_t count;
	int ret = adbg_vm_mappings(w->session, 0, 0, &list, &count);

	if (ret)
		return fail(w, ret, "cannot list the mappings");
	e->spans = xcalloc(count + 1, sizeof(*e->spans));
	e->num = 0;
	for (uint32_t i = 0; i < count; i++)
		if (is_code(&list[i]))
			add_span(e, &list[i]);
	free(list);
	return WAVECTL_OK;
}

static int match(struct debugger *d, const struct adbgd_code *code,
		 const struct adbgd_span *spans, size_t num, uint64_t *address,
		 struct adbgd_error *error)
{
	struct adbgd_memory memory;

	/* Without a budget: an interrupt of the code object ends it. */
	debug_get_memory(d, &memory);
	return adbgd_code_find_base(code, &memory, spans, num, NULL, 0, address, error);
}

bool code_is_there(struct debugger *d, const struct adbgd_code *code)
{
	const struct adbgd_code_info *info = adbgd_code_get_info(code);
	uint64_t address;

	/* An object that was found in memory has just been located. */
	if (info->flags & ADBGD_CODE_LOADED)
		return true;
	return !match(d, code, &info->text, 1, &address, NULL);
}

/* Open the code object whose header is at @address. NULL: it is incomplete. */
static struct adbgd_code *take_found(const struct adbgd_memory *memory,
				     const struct executable *e, uint64_t address)
{
	struct adbgd_code *code;
	uint64_t size = 0, text;

	for (size_t i = 0; i < e->num; i++)
		if (address - e->spans[i].start < e->spans[i].size)
			size = e->spans[i].size - (address - e->spans[i].start);
	if (adbgd_code_new_memory(memory, address, size, &code, NULL))
		return NULL;
	/* A copy of a file: find its instructions. */
	if (!(adbgd_code_get_info(code)->flags & ADBGD_CODE_HAS_BASE) &&
	    (adbgd_code_find_base(code, memory, e->spans, e->num, NULL, 0, &text, NULL) ||
	     adbgd_code_set_base(code, text, NULL))) {
		adbgd_code_free(code);
		return NULL;
	}
	return code;
}

/* Add all code objects. -ENOENT at the end; -EINTR; or an error of adbgd_memory_find_code(). */
static int look_in(struct debugger *d, const struct adbgd_memory *memory,
		   const struct executable *e, struct adbgd_error *error)
{
	uint64_t address = 0, from;

	for (from = 0; !hold_interrupted(); from = address + 1) {
		struct adbgd_code *code;
		int ret = adbgd_memory_find_code(memory, e->spans, e->num, from, &address, error);

		if (ret)
			return ret;
		code = take_found(memory, e, address);
		/* The user named its file, which has more information. */
		if (code && code_at(d, text_of(code)))
			adbgd_code_free(code);
		else if (code)
			insert(d, code, false);
	}
	return -EINTR;
}

int code_search(struct wavectl *w)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_memory memory;
	struct adbgd_error error;
	struct executable e;
	int status = find_executable(w, &e), ret;

	if (status)
		return status;
	drop_found(d);
	debug_get_memory(d, &memory);
	ret = adbgd_scan_budget_new(w->shell->signals, &memory.budget, &error);
	if (!ret) {
		ret = look_in(d, &memory, &e, &error);
		adbgd_scan_budget_free(memory.budget);
	}
	free(e.spans);
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	/* If there are too many, those that were found can be used. */
	return ret == -ENOENT || ret == -E2BIG ? WAVECTL_OK : debug_fail(w, &error);
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

/* --------------------------------------------------------------------- files */

static int fail_elsewhere(struct wavectl *w, const struct adbgd_code *code,
			  const struct adbgd_error *error)
{
	const char *gpu = debug_gpu(w);
	const char *of = adbgd_code_get_info(code)->gpu;
	char *hint = NULL;
	int status;

	if (error->error == -ENOTUNIQ)
		xappend(&hint, "give the address of its instructions with --address");
	else if (strcmp(gpu, of))
		xappend(&hint, "it was compiled for %s, but this GPU is %s", of, gpu);
	status = fail_with(w, error->error == -ENOENT ? WAVECTL_GONE :
			   exit_status(error->error), hint, "%s", error->text);
	free(hint);
	return status;
}

/* Set the load address. Returns an exit status. */
static int place(struct wavectl *w, struct adbgd_code *code, const uint64_t *address)
{
	struct debugger *d = w->shell->debugger;
	struct executable e = { 0 };
	struct adbgd_error error;
	uint64_t found = 0;
	int ret, status;

	if (address) {
		if (adbgd_code_set_base(code, *address, &error))
			return debug_fail(w, &error);
		if (!code_is_there(d, code))
			return fail_with(w, WAVECTL_GONE, NULL,
					 "the instructions of %s are not at 0x%016" PRIx64,
					 adbgd_code_get_info(code)->name, *address);
		return WAVECTL_OK;
	}
	status = find_executable(w, &e);
	if (status)
		return status;
	ret = match(d, code, e.spans, e.num, &found, &error);
	free(e.spans);
	if (ret)
		return fail_elsewhere(w, code, &error);
	return adbgd_code_set_base(code, found, &error) ? debug_fail(w, &error) : WAVECTL_OK;
}

/* Add the code object with this index of a file, see adbgd_code_open_entry(). */
static int add_entry(struct wavectl *w, const char *path, size_t index, const uint64_t *address,
		     const struct code_object **object)
{
	struct debugger *d = w->shell->debugger;
	const char *gpu = debug_gpu(w);
	struct adbgd_error error;
	struct adbgd_code *code;
	int status;

	if (adbgd_code_open_entry(path, gpu, index, &code, &error))
		return debug_fail(w, &error);
	adbgd_code_set_interrupt(code, w->shell->signals);
	status = place(w, code, address);
	if (status)
		adbgd_code_free(code);
	else
		*object = insert(d, code, true);
	return status;
}

/* Are there further code objects in the file, one for each file that was compiled? */
static bool has_entry(struct wavectl *w, const char *path, size_t index)
{
	const char *gpu = debug_gpu(w);
	struct adbgd_code *code;

	if (adbgd_code_open_entry(path, gpu, index, &code, NULL))
		return false;
	adbgd_code_free(code);
	return true;
}

/* Find code objects of the file in memory. Those that are not loaded are left out. */
static int add_found(struct wavectl *w, const char *path, const struct code_object **object)
{
	struct debugger *d = w->shell->debugger;
	const char *gpu = debug_gpu(w);
	struct executable e = { 0 };
	struct adbgd_code *code;
	uint64_t address;
	int status = find_executable(w, &e);

	*object = NULL;
	for (size_t i = 0; !status && !hold_interrupted() &&
	     !adbgd_code_open_entry(path, gpu, i, &code, NULL); i++) {
		adbgd_code_set_interrupt(code, w->shell->signals);
		if (match(d, code, e.spans, e.num, &address, NULL) ||
		    adbgd_code_set_base(code, address, NULL))
			adbgd_code_free(code);
		else
			*object = insert(d, code, true);
	}
	free(e.spans);
	if (!status && hold_interrupted())
		return hold_fail_interrupted(w);
	return status || *object ? status :
	       fail_with(w, WAVECTL_GONE, NULL, "no code object of %s is in memory", path);
}

static int add(struct wavectl *w, const char *path, const uint64_t *address,
	       const struct code_object **object)
{
	return !address && has_entry(w, path, 1) ? add_found(w, path, object) :
						   add_entry(w, path, 0, address, object);
}

int code_add(struct wavectl *w, const char *path, const uint64_t *address,
	     const struct code_object **object)
{
	bool fresh = !w->shell || !w->shell->debugger;
	int status = debug_open(w);

	if (status)
		return status;
	status = add(w, path, address, object);
	/*
	 * Do not leave a trap handler in the process because of a file that is not a code object.
	 */
	if (status && fresh)
		debug_close(w->shell);
	return status;
}

int code_add_files(struct wavectl *w)
{
	const struct code_object *object;
	int status = WAVECTL_OK;

	for (unsigned int i = 0; !status && i < w->code_objects.num; i++)
		status = code_add(w, w->code_objects.names[i], NULL, &object);
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
	if (!code)
		return false;
	adbgd_code_format_address(code, va, place->symbol);
	if (!adbgd_line_at(code, va, &line, NULL) && line.line) {
		place->file = line.file;
		place->line = line.line;
		snprintf(place->text, sizeof(place->text), "%s at %.100s:%" PRIu32,
			 place->symbol, code_base_name(line.file), line.line);
	} else {
		snprintf(place->text, sizeof(place->text), "%s", place->symbol);
	}
	return place->file || adbgd_code_symbol_at(code, va);
}

/* Append the source line, if it is known. */
static void append_line(char **text, const struct place *place)
{
	if (place->file)
		xappend(text, " at %s:%" PRIu32, code_base_name(place->file), place->line);
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

	code_emit_place_in(w, code_at(d, va), va, d && d->num_objects);
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
