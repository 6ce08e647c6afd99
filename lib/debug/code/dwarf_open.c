// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening the debug information of a code object when it is first needed, after checking what
 * libelf and libdw may read.
 */
#include "dwarf_open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "code_object.h"
#include "dwarf_check.h"
#include "dwarf_units.h"
#include "line_header.h"
#include "unpack.h"

/* Abandoned debug information stays allocated. After this number of times, opening always fails. */
#define LOST_MAX	8

/* ---------------------------------------------------- out of memory in libdw */

/* Guard of the innermost call in this thread that may use libdw */
static _Thread_local struct adbgd_guard *innermost;

jmp_buf *adbgd_guard_begin(struct adbgd_guard *guard, struct adbgd_code *code)
{
	guard->code = code;
	guard->outer = innermost;
	innermost = guard;
	/*
	 * For adbgd_dwarf_bad(): libelf and libdw do not export their error numbers of missing
	 * memory.
	 */
	errno = 0;
	return &guard->env;
}

static void __attribute__((noreturn)) out_of_memory(void)
{
	longjmp(innermost->env, 1);
}

static void dwarf_lose(struct adbgd_code *code)
{
	struct adbgd_dwarf *d = code->dwarf;

	adbgd_dwarf_free(code->opening);
	code->opening = NULL;
	code->dwarf_error.error = 0;
	if (!d)
		return;
	d->is_lost = true;
	d->next_lost = code->lost;
	code->lost = d;
	code->num_lost++;
	code->dwarf = NULL;
}

int adbgd_guard_lost(struct adbgd_guard *guard, struct adbgd_error *error)
{
	innermost = guard->outer;
	dwarf_lose(guard->code);
	return adbgd_no_memory(error, guard->code->name);
}

int adbgd_guard_end(struct adbgd_guard *guard, int ret)
{
	innermost = guard->outer;
	if (ret == -ENOMEM)
		dwarf_lose(guard->code);
	return ret;
}

/* ------------------------------------------------------------------- opening */

static int check_there_is_some(const struct adbgd_code *code, struct adbgd_error *error)
{
	const struct adbgd_elf *elf = &code->elf;

	if (!code->image)
		return adbgd_fail(error, -ENODATA, "%s has no debug information, because it was "
				  "not read from a file", code->name);
	if (!adbgd_elf_section(elf, ".debug_info") && !adbgd_elf_section(elf, ".zdebug_info"))
		return adbgd_fail(error, -ENODATA, "%s has no debug information (clang makes it "
				  "with -g)", code->name);
	return 0;
}

/* Check the section names as libdw will see them. */
static int check_names(const struct adbgd_dwarf *d, struct adbgd_error *error)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh = { 0 };
	const char *name;
	size_t names;
	int ret = 0;

	if (elf_getshdrstrndx(d->elf, &names))
		return adbgd_fail(error, -EBADMSG, "%s: its sections have no names",
				  d->code->name);
	while (!ret && (scn = elf_nextscn(d->elf, scn))) {
		name = gelf_getshdr(scn, &sh) ? elf_strptr(d->elf, names, sh.sh_name) : NULL;
		ret = adbgd_dwarf_check_name(d->code, name, sh.sh_flags,
					     elf_ndxscn(scn) == names, error);
	}
	return ret;
}

static const char *compression_name(uint32_t type, char *number, size_t size)
{
	if (type == ELFCOMPRESS_ZLIB)
		return "zlib";
	/* ELFCOMPRESS_ZSTD, which the elf.h of Debian 12 does not have */
	if (type == 2)
		return "zstd";
	snprintf(number, size, "method %u", type);
	return number;
}

/*
 * Decompress a section as libdw would do. Here it is known which section and which compression
 * is the reason if it fails. Sections are still compressed with zstd if libzstd is not installed;
 * libelf reads them since version 0.189, and only if it was built so.
 */
static int decompress(const struct adbgd_dwarf *d, Elf_Scn *scn, const char *name,
		      struct adbgd_error *error)
{
	char number[32];
	GElf_Chdr header;

	if (!gelf_getchdr(scn, &header))
		return adbgd_fail(error, -EBADMSG, "%s: its debug information is damaged: the header "
				  "of the compressed section %s", d->code->name, name);
	if (elf_compress(scn, 0, 0) >= 0)
		return 0;
	if (errno == ENOMEM)
		return adbgd_no_memory(error, d->code->name);
	if (header.ch_type == ELFCOMPRESS_ZLIB)
		return adbgd_fail(error, -EBADMSG, "%s: its debug information is damaged: the "
				  "section %s, compressed with zlib", d->code->name, name);
	return adbgd_fail(error, -EOPNOTSUPP, "%s: its section %s is compressed with %s, which the "
			  "installed libraries do not read; compile with -gz=zlib, or convert it with "
			  "llvm-objcopy --decompress-debug-sections", d->code->name, name,
			  compression_name(header.ch_type, number, sizeof(number)));
}

/* Decompress the sections with debug information. Their sizes were checked. */
static int decompress_all(const struct adbgd_dwarf *d, struct adbgd_error *error)
{
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;
	size_t names;
	int ret = 0;

	if (elf_getshdrstrndx(d->elf, &names))
		return 0;
	while (!ret && (scn = elf_nextscn(d->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_COMPRESSED))
			continue;
		name = elf_strptr(d->elf, names, sh.sh_name);
		if (name && !strncmp(name, ".debug_", 7))
			ret = decompress(d, scn, name, error);
	}
	return ret;
}

/* Keep this order: each step relies on the checks before it. */
static int open_and_check(struct adbgd_dwarf *d, struct adbgd_error *error)
{
	size_t size;
	int ret;

	elf_version(EV_CURRENT);
	ret = adbgd_dwarf_check_sizes(d->code, error);
	if (!ret)
		ret = adbgd_unpack(d->code, &d->unpacked, &size, error);
	if (ret)
		return ret;
	if (d->unpacked)
		d->elf = elf_memory((char *)d->unpacked, size);
	else
		d->elf = elf_memory((char *)d->code->image, d->code->image_size);
	if (!d->elf)
		return adbgd_dwarf_bad(d, "its sections", error);
	ret = check_names(d, error);
	if (!ret)
		ret = decompress_all(d, error);
	if (ret)
		return ret;
	d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (!d->dwarf)
		return adbgd_dwarf_bad(d, "its sections", error);
	d->out_of_memory = out_of_memory;
	dwarf_new_oom_handler(d->dwarf, out_of_memory);
	/* With this, libdw does not search for a supplementary file. No form refers to it. */
	dwarf_setalt(d->dwarf, d->dwarf);
	d->sections = adbgd_dwarf_sections(d->elf);
	ret = adbgd_dwarf_check_units(d->code, &d->sections, false, error);
	if (!ret)
		ret = adbgd_dwarf_units(d, error);
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
	code->opening = d;
	/* An earlier attempt has freed everything that it charged. */
	adbgd_budget_reset(&code->budget);
	ret = open_and_check(d, error);
	code->opening = NULL;
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
	if (code->num_lost >= LOST_MAX)
		return adbgd_no_memory(error, code->name);
	if (!code->dwarf) {
		/* Damaged debug information stays damaged: do not read it again. */
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
