// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening the debug information of a code object, when it is needed first: what may be
 * left to libelf and libdw is found out before.
 */
#include "dwarf_open.h"

#include <errno.h>
#include <string.h>

#include "code_object.h"
#include "dwarf_check.h"
#include "line_header.h"

static int check_there_is_some(const struct adbgd_code *code, struct adbgd_error *error)
{
	const struct adbgd_elf *elf = &code->elf;

	if (!code->image)
		return adbgd_fail(error, -ENODATA, "%s has no debug information: no file of it "
				  "is known", code->name);
	if (!adbgd_elf_section(elf, ".debug_info") && !adbgd_elf_section(elf, ".zdebug_info"))
		return adbgd_fail(error, -ENODATA, "%s has no debug information (clang makes it "
				  "with -g)", code->name);
	return 0;
}

/* In this order: each may be done because of what was checked before. */
static int open_and_check(struct adbgd_dwarf *d, struct adbgd_error *error)
{
	int ret;

	elf_version(EV_CURRENT);
	d->elf = elf_memory((char *)d->code->image, d->code->image_size);
	if (!d->elf)
		return adbgd_dwarf_bad(d, "its sections", error);
	ret = adbgd_dwarf_check_sections(d, error);
	if (ret)
		return ret;
	d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (!d->dwarf)
		return adbgd_dwarf_bad(d, "its sections", error);
	/* libdw looks for no supplementary file when there is one. No form refers to it. */
	dwarf_setalt(d->dwarf, d->dwarf);
	adbgd_dwarf_lists_init(&d->lists, d->elf, &d->code->budget, d->code->name);
	ret = adbgd_dwarf_check_units(d, error);
	ret = ret ? ret : adbgd_dwarf_units(d, error);
	return ret ? ret : adbgd_line_headers_check(d, error);
}

static int dwarf_new(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		     struct adbgd_error *error)
{
	struct adbgd_dwarf *d;
	int ret = check_there_is_some(code, error);

	if (ret)
		return ret;
	d = calloc(1, sizeof(*d));
	if (!d)
		return adbgd_no_memory(error, code->name);
	d->code = code;
	/* Of a try before nothing is left. */
	adbgd_budget_reset(&code->budget);
	ret = open_and_check(d, error);
	if (ret) {
		adbgd_dwarf_free(d);
		return ret;
	}
	*dwarf = d;
	return 0;
}

int adbgd_dwarf_get(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		    struct adbgd_error *error)
{
	int ret;

	adbgd_budget_begin(&code->budget);
	if (!code->dwarf) {
		/* What is damaged stays so, and is not read again and again. */
		if (code->dwarf_error.error && code->dwarf_error.error != -EINTR)
			goto err;
		ret = dwarf_new(code, &code->dwarf, &code->dwarf_error);
		if (ret)
			goto err;
	}
	*dwarf = code->dwarf;
	return 0;

err:
	return adbgd_fail(error, code->dwarf_error.error, "%s", code->dwarf_error.text);
}
