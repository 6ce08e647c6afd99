// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Source files that the compiler has put into the debug information (-gembed-source).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "code_object.h"
#include "dwarf_open.h"
#include "line_header.h"
#include "source.h"

/* Find the text of a file in a unit's line table; NULL: it is not there. */
static int text_in_unit(struct adbgd_dwarf *d, Dwarf_Die *unit, const char *file,
			const char **text, struct adbgd_error *error)
{
	Dwarf_Files *files;
	const char *name;
	size_t num, i;
	int ret = 0;

	if (!dwarf_hasattr(unit, DW_AT_stmt_list))
		return 0;
	if (dwarf_getsrcfiles(unit, &files, &num))
		return adbgd_dwarf_bad(d, "its line table", error);
	for (i = 0; !ret && i < num && !*text; i++) {
		ret = adbgd_dwarf_spend(d, ADBGD_COST_STEPS, 1 + strlen(file) / 16, error);
		if (ret)
			return ret;
		name = adbgd_dwarf_file(d, unit, dwarf_filesrc(files, i, NULL, NULL));
		if (name && !strcmp(name, file))
			*text = adbgd_line_header_source(d, unit, i);
	}
	return ret;
}

static int new_embedded(struct adbgd_code *code, const char *file, struct adbgd_source **source,
			struct adbgd_error *error)
{
	const char *text = NULL;
	struct adbgd_dwarf *d;
	char path[PATH_MAX];
	size_t i;
	int ret = adbgd_dwarf_get(code, &d, error);

	for (i = 0; !ret && !text && i < d->num_units; i++)
		ret = text_in_unit(d, &d->units[i].lines, file, &text, error);
	if (ret)
		return ret;
	if (!text)
		return adbgd_fail(error, -ENOENT, "%.200s does not contain the source file %.200s",
				  code->name, file);
	snprintf(path, sizeof(path), "%.1800s, embedded in %.1800s", file, code->name);
	return adbgd_source_new(path, text, source, error);
}

ADBGD_API int adbgd_source_open_embedded(struct adbgd_code *code, const char *file,
					 struct adbgd_source **source, struct adbgd_error *error)
{
	struct adbgd_guard guard;

	if (setjmp(*adbgd_guard_begin(&guard, code)))
		return adbgd_guard_lost(&guard, error);
	return adbgd_guard_end(&guard, new_embedded(code, file, source, error));
}
