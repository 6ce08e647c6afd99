// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code objects and source files: see place.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/out.h"
#include "dap/place.h"
#include "debug/code.h"

/* A source file that was looked for */
struct source {
	char *file;		/* as the debug information names it */
	uint64_t text_start;	/* of its code object */
	char *path;		/* where the user's directory has it; or NULL */
	char *text;		/* if the code object contains it; or NULL */
};

/* Code objects determine how many files there are, and what they contain. */
#define MAX_SOURCES	4096
#define MAX_TEXT	(64u << 20)	/* bytes of all texts */

struct sources {
	struct source *all;
	size_t num;
	size_t text;		/* bytes of all texts */
};

struct sources *place_sources_new(void)
{
	return xcalloc(1, sizeof(struct sources));
}

void place_sources_free(struct sources *sources)
{
	for (size_t i = 0; sources && i < sources->num; i++) {
		free(sources->all[i].file);
		free(sources->all[i].path);
		free(sources->all[i].text);
	}
	if (sources)
		free(sources->all);
	free(sources);
}

/* ----------------------------------------------------------------- code objects */

/* Files that cannot be read are tried again. */
static void add_files(struct dap *d)
{
	const struct adbgd_object *object;
	size_t left = 0;

	for (size_t i = 0; i < d->num_code_files; i++) {
		if (code_add(d->w, d->code_files[i], NULL, &object))
			d->code_files[left++] = d->code_files[i];
		else
			free(d->code_files[i]);
	}
	d->num_code_files = left;
}

void place_refresh(struct dap *d)
{
	struct debugger *debugger = d->shell.debugger;

	add_files(d);
	/* The first time, all memory is new. Those that were found can be used. */
	if (debugger->objects)
		code_update(debugger);
	else
		ignore_result(code_search(d->w));
	debug_drop_news(debugger);
}

/* ---------------------------------------------------------------------- sources */

static char *join_lines(const struct adbgd_source *source)
{
	struct buffer text = { 0 };
	const char *line;

	buffer_append(&text, "", 0);
	for (uint32_t i = 1; (line = adbgd_source_get_line(source, i)); i++) {
		buffer_append(&text, line, strlen(line));
		buffer_append(&text, "\n", 1);
	}
	return text.text;
}

/* Look for the file in the user's directory, and in the code object. */
static void look(struct dap *d, struct adbgd_code *code, struct source *new)
{
	const char *const folders[] = { d->directory, NULL };
	struct adbgd_source *source;

	if (d->directory && !adbgd_source_open(new->file, folders, NULL, &source, NULL)) {
		new->path = xstrdup(adbgd_source_get_path(source));
		adbgd_source_free(source);
	} else if (d->sources->text < MAX_TEXT &&
		   !adbgd_source_open_embedded(code, new->file, &source, NULL)) {
		new->text = join_lines(source);
		d->sources->text += strlen(new->text);
		adbgd_source_free(source);
	}
}

/* Returns the index of the source; MAX_SOURCES: there are too many. */
static size_t need_source(struct dap *d, struct adbgd_code *code, const char *file)
{
	uint64_t start = adbgd_code_get_info(code)->text.start;
	struct sources *sources = d->sources;
	struct source *new;

	for (size_t i = 0; i < sources->num; i++)
		if (sources->all[i].text_start == start && !strcmp(sources->all[i].file, file))
			return i;
	if (sources->num == MAX_SOURCES)
		return MAX_SOURCES;
	sources->all = xreallocarray(sources->all, sources->num + 1, sizeof(*sources->all));
	new = &sources->all[sources->num];
	*new = (struct source){ .file = xstrdup(file), .text_start = start };
	look(d, code, new);
	return sources->num++;
}

void place_put_source(struct dap *d, struct json_object *object, const char *key,
		      struct adbgd_code *code, const char *file)
{
	static const struct source unknown;
	size_t i = need_source(d, code, file);
	const struct source *source = i < MAX_SOURCES ? &d->sources->all[i] : &unknown;
	struct json_object *child = json_new();

	json_put_text(child, "name", code_base_name(file));
	json_put_text(child, "path", source->path ? source->path : file);
	if (source->text) {
		json_put_number(child, "sourceReference", (int64_t)i + 1);
		json_put_text(child, "origin", "embedded in the code object");
	}
	json_put(object, key, child);
}

const char *place_source_text(const struct dap *d, uint64_t number)
{
	const struct sources *sources = d->sources;

	return number && number <= sources->num ? sources->all[number - 1].text : NULL;
}
