// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Source files of the process: see source.h.
 */
#include "debug/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "debug/code.h"

/*
 * Maximum length of a line that is printed. The target chooses the file, which may be one line
 * of 64 MiB.
 */
#define MAX_COLUMNS	4096
/* A byte of a UTF-8 character after the first one */
#define MAX_FOLLOWING	3

/* Bytes count as columns. A UTF-8 character that begins before the limit is not cut. */
static bool is_within(size_t column, char byte)
{
	return column < MAX_COLUMNS ||
	       (column < MAX_COLUMNS + MAX_FOLLOWING && ((unsigned char)byte & 0xc0) == 0x80);
}

/* Expand tabs, because they would be printed as control characters. */
char *source_expand(const char *line)
{
	static const char blanks[] = "        ", cut[] = "...";
	struct buffer text = { 0 };
	size_t column = 0;

	buffer_append(&text, "", 0);
	for (; *line && is_within(column, *line); line++) {
		size_t n = *line == '\t' ? 8 - column % 8 : 1;

		buffer_append(&text, *line == '\t' ? blanks : line, n);
		column += n;
	}
	if (*line)
		buffer_append(&text, cut, strlen(cut));
	return text.text;
}

/* Get the file from the code object that was compiled from it (-gembed-source). */
static bool open_embedded(const struct debugger *d, const char *file,
			  struct adbgd_source **source)
{
	struct adbgd_code *code;

	for (size_t i = 0; (code = code_get(d, i)); i++) {
		if (!adbgd_source_open_embedded(code, file, source, NULL))
			return true;
	}
	return false;
}

int source_open(const struct wavectl *w, const char *file, struct adbgd_source **source,
		struct adbgd_error *error)
{
	const struct debugger *d = w->shell->debugger;
	const char *const folders[] = {
		d->directory ? d->directory : w->shell->directory, NULL,
	};
	struct adbgd_owner owner;
	bool has_owner = !d->memory.read &&
			 !adbgd_process_get_credentials(d->process, &owner, NULL);
	int ret;

	ret = adbgd_source_open(file, folders, has_owner ? &owner : NULL, source, error);
	return ret && open_embedded(d, file, source) ? 0 : ret;
}

char *source_line(const struct wavectl *w, const char *file, uint32_t line)
{
	struct adbgd_source *source;
	struct adbgd_error error;
	char *text = NULL;
	const char *found;

	if (source_open(w, file, &source, &error))
		return NULL;
	found = adbgd_source_get_line(source, line);
	if (found)
		text = source_expand(found);
	adbgd_source_free(source);
	return text;
}
