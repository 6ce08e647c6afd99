// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds locations in code: see location.h.
 */
#include "debug/location.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/util.h"
#include "debug/address.h"
#include "debug/code.h"
#include "debug/focus.h"
#include "waves/hold.h"

/*
 * Maximum number of copies of a line or function in one code object, each of which gets a
 * breakpoint
 */
#define MAX_COPIES 64

/* In longer functions, the beginnings of instructions are not checked. */
#define MAX_FUNCTION (16 << 20)

#define HINT "use \"code add FILE\" or --code-object FILE for names"

/* What to find in each code object */
struct wanted {
	const char *name;	/* function or symbol; NULL: a line */
	const char *file;
	uint32_t line;
	enum location_use use;
};

static void add_address(struct location *l, uint64_t va)
{
	l->va = xreallocarray(l->va, l->num + 1, sizeof(*l->va));
	l->va[l->num++] = va;
}

/* --------------------------------------------------------- in one code object */

/* Find by lines. Returns 0 or -errno; one address for each function or copy of it. */
static int add_lines(struct adbgd_code *code,
		     const struct wanted *wanted, struct location *l,
		     struct adbgd_error *error)
{
	struct adbgd_line lines[MAX_COPIES];
	size_t count = 0;
	int ret;

	ret = wanted->name ?
	      adbgd_function_find(code, wanted->name, lines, MAX_COPIES, &count, error) :
	      adbgd_line_find(code, wanted->file, wanted->line, lines, MAX_COPIES, &count,
			      error);
	if (ret)
		return ret;
	if (count > MAX_COPIES) {
		error->error = -E2BIG;
		snprintf(error->text, sizeof(error->text),
			 "it has code at %zu addresses; give one of them", count);
		return -E2BIG;
	}
	for (size_t i = 0; i < count; i++)
		add_address(l, lines[i].address);
	return 0;
}

static int add_symbol(struct adbgd_code *code,
		      const struct wanted *wanted, struct location *l)
{
	const struct adbgd_symbol *symbol = adbgd_code_find_symbol(code, wanted->name);

	if (!symbol)
		return -ENOENT;
	add_address(l, symbol->address);
	return 0;
}

static int find_in(struct adbgd_code *code,
		   const struct wanted *wanted, struct location *l,
		   struct adbgd_error *error)
{
	int ret;

	if (wanted->name && wanted->use == LOCATION_BEGIN &&
	    !add_symbol(code, wanted, l))
		return 0;
	ret = add_lines(code, wanted, l, error);
	/* Without lines: assembly, or a library without libdw */
	if ((ret == -ENOENT || ret == -ENODATA || ret == -EOPNOTSUPP) && wanted->name &&
	    !add_symbol(code, wanted, l))
		return 0;
	return ret;
}

/*
 * Search the known code objects. Returns 0; -ENOENT: not found, with a reason from a code object
 * with lines in @error; else the error in @error.
 */
static int find_known(const struct debugger *d, const struct wanted *wanted,
		      struct location *l, struct adbgd_error *error)
{
	struct adbgd_error why;

	error->error = 0;
	for (size_t i = 0; i < d->num_objects && !hold_interrupted(); i++) {
		int ret = find_in(d->objects[i].code, wanted, l, &why);

		if (ret && ret != -ENOENT && ret != -ENODATA) {
			*error = why;
			return ret;
		}
		if (ret && (ret == -ENOENT || !error->error))
			*error = why;
	}
	return l->num ? 0 : -ENOENT;
}

/* ------------------------------------------------------------------- messages */

static char *near_name(const struct debugger *d, const char *name)
{
	struct suggestion best = suggest_for(name);
	const struct adbgd_symbol *symbol;
	char *hint = NULL;

	for (size_t i = 0; i < d->num_objects && !hold_interrupted(); i++)
		for (size_t k = 0; (symbol = adbgd_code_get_symbol(d->objects[i].code, k));
		     k++)
			if (symbol->flags & ADBGD_SYMBOL_CODE)
				suggest_try(&best, symbol->name);
	if (best.word)
		xappend(&hint, "did you mean '%s'?", best.word);
	return hint;
}

static int fail_nowhere(struct wavectl *w, const struct wanted *wanted,
			const struct adbgd_error *error)
{
	const struct debugger *d = w->shell->debugger;
	char *hint;
	int status;

	if (!d->num_objects)
		return fail_with(w, WAVECTL_GONE, HINT, "no code object of the process is known");
	if (!wanted->name)
		return fail_with(w, WAVECTL_GONE, error->error == -ENODATA ? HINT : NULL, "%s",
				 error->text);
	hint = near_name(d, wanted->name);
	status = fail_with(w, WAVECTL_GONE, hint ? hint : HINT,
			   "no code object has a function or a symbol '%s'", wanted->name);
	free(hint);
	return status;
}

/* Search the known code objects, then those in memory now. */
static int find(struct wavectl *w, const struct wanted *wanted, struct location *l)
{
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;
	int ret = find_known(d, wanted, l, &error), status;

	if (ret == -ENOENT) {
		status = code_search(w);
		if (status)
			return status;
		ret = find_known(d, wanted, l, &error);
	}
	if (!ret && !hold_interrupted())
		return WAVECTL_OK;
	free(l->va);
	*l = (struct location){ 0 };
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	return ret == -ENOENT ? fail_nowhere(w, wanted, &error) : debug_fail(w, &error);
}

/* ------------------------------------------------------------------ arguments */

bool location_is_line(const char *word)
{
	return strchr(word, ':');
}

/* Get the source file at the PC of the selected wave. */
static int focused_file(struct wavectl *w, char **file)
{
	struct place place;
	struct focus focus;
	int status = focus_open(w, &focus);

	if (status)
		return status;
	if (code_name_place(w->shell->debugger, focus.pc, &place) && place.file)
		*file = xstrdup(place.file);
	else
		status = fail_with(w, WAVECTL_GONE, "FILE:LINE",
				   "the file is missing: no source line is known at 0x%016" PRIx64 ", the PC of the selected wave",
				   focus.pc);
	focus_close(&focus);
	return status;
}

/* Split FILE:LINE or :LINE. The caller frees @wanted->file. */
static int split_line(struct wavectl *w, const char *word, struct wanted *wanted)
{
	const char *colon = strrchr(word, ':');
	char *file = NULL;
	uint64_t line;
	int status;

	if (!parse_u64(colon + 1, UINT32_MAX, &line) || !line)
		return fail_with(w, WAVECTL_USAGE, "FILE:LINE",
				 "'%s' is not a line: '%s' is not a number of at least 1", word,
				 colon + 1);
	wanted->line = line;
	if (colon == word) {
		status = focused_file(w, &file);
		if (status)
			return status;
	} else {
		xappend(&file, "%.*s", (int)(colon - word), word);
	}
	wanted->file = file;
	return WAVECTL_OK;
}

static int find_line(struct wavectl *w, const char *word, enum location_use use,
		     struct location *l)
{
	struct wanted wanted = { .use = use };
	int status = split_line(w, word, &wanted);

	if (!status)
		status = find(w, &wanted, l);
	free((char *)wanted.file);
	return status;
}

/* Find SYMBOL+OFFSET, which counts from the symbol, not from the end of the prologue. */
static int find_offset(struct wavectl *w, const char *word, struct location *l)
{
	const char *plus = strrchr(word, '+');
	struct wanted wanted = { .use = LOCATION_BEGIN };
	uint64_t offset;
	char *name = NULL;
	int status;

	if (!parse_u64(plus + 1, UINT32_MAX, &offset) || plus == word)
		return fail_with(w, WAVECTL_USAGE, "SYMBOL+OFFSET, such as saxpy+0x1c",
				 "'%s' is not a location: '%s' is not a number", word, plus + 1);
	xappend(&name, "%.*s", (int)(plus - word), word);
	wanted.name = name;
	status = find(w, &wanted, l);
	for (size_t i = 0; !status && i < l->num; i++)
		l->va[i] += offset;
	free(name);
	return status;
}

/* Evaluate an expression of registers and pseudo variables in the selected wave and lane. */
static int find_expression(struct wavectl *w, const char *word, struct location *l)
{
	uint64_t va;
	int status = address_of_registers(w, word, &va);

	if (!status)
		add_address(l, va);
	return status;
}

int location_find(struct wavectl *w, const char *word, enum location_use use,
		  struct location *location)
{
	/* gdb's mark of an address */
	const char *number = *word == '*' ? word + 1 : word;
	struct wanted wanted = { .name = word, .use = use };
	uint64_t va;

	*location = (struct location){ 0 };
	if (parse_u64(number, UINT64_MAX, &va)) {
		add_address(location, va);
		return WAVECTL_OK;
	}
	if (*number == '$')
		return find_expression(w, number, location);
	if (number != word || (*word >= '0' && *word <= '9') || !*word)
		return fail_with(w, WAVECTL_USAGE,
				 "an address is a number, such as 0x600000001000",
				 "'%s' is not an address", word);
	if (location_is_line(word))
		return find_line(w, word, use, location);
	if (strchr(word, '+'))
		return find_offset(w, word, location);
	return find(w, &wanted, location);
}

int location_find_line(struct wavectl *w, const char *word, const char **file,
		       uint32_t *line)
{
	const struct debugger *d = w->shell->debugger;
	struct wanted wanted = { .use = LOCATION_BEGIN };
	struct location l = { 0 };
	struct adbgd_code *code;
	struct adbgd_line first;
	int status = split_line(w, word, &wanted);

	if (status)
		return status;
	*line = wanted.line;
	/* Find the file, also if that line is after all code. */
	wanted.line = 1;
	status = find(w, &wanted, &l);
	free((char *)wanted.file);
	if (status)
		return status;
	code = code_at(d, l.va[0]);
	if (!code || adbgd_line_at(code, l.va[0], &first, NULL))
		status = fail_with(w, WAVECTL_GONE, NULL, "no code for line '%s'", word);
	else
		*file = first.file;
	free(l.va);
	return status;
}

/* ---------------------------------------------------------- check of the address */

/* Print that @va is data, if a symbol shows that: a kernel descriptor or a constant. */
static int fail_data(struct wavectl *w, uint64_t va)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_symbol *s;

	for (size_t i = 0; i < d->num_objects; i++) {
		for (size_t k = 0; (s = adbgd_code_get_symbol(d->objects[i].code, k)); k++) {
			if (s->flags & ADBGD_SYMBOL_CODE || va - s->address >= s->size)
				continue;
			return fail_with(w, WAVECTL_USAGE, NULL,
					 "0x%016" PRIx64 " is not code but data, %s",
					 va, s->name);
		}
	}
	return WAVECTL_OK;
}

/*
 * Decode from the beginning of the function: returns the address of the instruction that
 * contains @va, or @va if none is known to.
 */
static uint64_t begin_of(const struct debugger *d, const struct adbgd_symbol *symbol,
			 uint64_t va)
{
	uint32_t gc_version = adbgd_process_get_info(d->process)->gc_version;
	size_t size = va - symbol->address, done, length;
	uint8_t *bytes = xcalloc(1, size + ADBGD_INSN_SIZE_MAX);
	struct adbgd_memory memory;

	adbgd_process_get_memory(d->process, &memory);
	if (memory.read(memory.data, symbol->address, bytes, size))
		size = 0;
	/* Only lengths matter, so zeros may follow @va. */
	for (done = 0; done < size; done += length) {
		length = adbgd_insn_length(gc_version, bytes + done,
					   size - done + ADBGD_INSN_SIZE_MAX);
		if (!length || length > size - done)
			break;
	}
	va = done < size && length ? symbol->address + done : va;
	free(bytes);
	return va;
}

static int check_inside(struct wavectl *w, struct adbgd_code *code, uint64_t va)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_symbol *symbol = adbgd_code_symbol_at(code, va);
	char name[ADBGD_NAME_MAX];
	uint64_t begin;

	if (!symbol || va - symbol->address > MAX_FUNCTION)
		return WAVECTL_OK;
	begin = begin_of(d, symbol, va);
	if (begin == va)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_USAGE, NULL,
			 "0x%016" PRIx64
			 " is in the middle of the instruction at %s, 0x%016" PRIx64,
			 va, adbgd_code_format_address(code, begin, name), begin);
}

int location_check(struct wavectl *w, uint64_t va)
{
	const struct debugger *d = w->shell->debugger;
	struct adbgd_code *code = code_at(d, va);

	return code ? check_inside(w, code, va) : fail_data(w, va);
}

int location_open(struct wavectl *w, enum location_use use, struct location *location)
{
	int status = WAVECTL_OK;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE,
				 "ADDRESS, SYMBOL+OFFSET, FUNCTION, or FILE:LINE", "the location is missing");
	if (w->num_words > 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "exactly one location is required");
	status = debug_open_target(w);
	if (!status)
		status = location_find(w, w->words[0], use, location);
	for (size_t i = 0; !status && i < location->num; i++) {
		status = location_check(w, location->va[i]);
		if (status)
			free(location->va);
	}
	return status;
}
