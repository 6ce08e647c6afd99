// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds locations in code: see location.h.
 */
#include "debug/location.h"

#include <ctype.h>
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

/* Symbols of the same name that are listed */
#define MAX_CANDIDATES 4

/* In longer functions, the beginnings of instructions are not checked. */
#define MAX_FUNCTION (16 << 20)

#define IS_LOADED "\"info code\" shows whether it is loaded"
#define HINT "use \"code add FILE\" or --code-object FILE for names"

/* What to find in each code object */
struct wanted {
	const char *name;	/* function or symbol; NULL: a line */
	const char *file;
	bool is_path;		/* the first directories of the file may be others */
	uint32_t line;
	enum location_use use;
	bool is_begin;		/* of a function: its first instruction */
};

void location_free(struct location *location)
{
	free(location->va);
	free(location->word);
	*location = (struct location){ .num = 0 };
}

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
			 "it has code at %zu addresses; give one of them as *ADDRESS", count);
		return -E2BIG;
	}
	for (size_t i = 0; i < count; i++)
		add_address(l, lines[i].address);
	return 0;
}

/* Describe symbols of the same name by what they are in, or by their parameters. */
static int fail_ambiguous(const struct adbgd_code *code, const char *name,
			  const struct adbgd_symbol *const *symbols, size_t count,
			  struct adbgd_error *error)
{
	size_t shown = count < MAX_CANDIDATES ? count : MAX_CANDIDATES;
	char *text = NULL, *where;

	xappend(&text, "'%.64s' is ambiguous; give one of these %zu addresses:", name, count);
	for (size_t i = 0; i < shown; i++) {
		where = strcmp(symbols[i]->name, name) ?
			adbgd_demangle_name(symbols[i]->name, ADBGD_DEMANGLE_WHOLE) :
			adbgd_code_address_name(code, symbols[i]->address);
		xappend(&text, "%s 0x%" PRIx64 " (%.80s)", i ? "," : "", symbols[i]->address,
			where ? where : symbols[i]->name);
		free(where);
	}
	error->error = -ENOTUNIQ;
	snprintf(error->text, sizeof(error->text), "%s%s", text, shown < count ? ", ..." : "");
	free(text);
	return -ENOTUNIQ;
}

static int add_symbol(struct adbgd_code *code,
		      const struct wanted *wanted, struct location *l, struct adbgd_error *error)
{
	const struct adbgd_symbol *symbols[MAX_CANDIDATES];
	size_t count;
	int ret = adbgd_code_find_symbols(code, wanted->name, symbols, MAX_CANDIDATES, &count,
					  error);

	if (ret)
		return ret;
	if (count > 1)
		return fail_ambiguous(code, wanted->name, symbols, count, error);
	add_address(l, symbols[0]->address);
	return 0;
}

static int find_in(struct adbgd_code *code,
		   const struct wanted *wanted, struct location *l,
		   struct adbgd_error *error)
{
	struct adbgd_error why;
	int found = -ENOENT, ret;

	if (wanted->name && wanted->is_begin)
		found = add_symbol(code, wanted, l, error);
	if (found != -ENOENT)
		return found;
	ret = add_lines(code, wanted, l, error);
	/* Without lines: assembly, or a library without libdw */
	if ((ret != -ENOENT && ret != -ENODATA && ret != -EOPNOTSUPP) || !wanted->name)
		return ret;
	found = add_symbol(code, wanted, l, &why);
	if (found && found != -ENOENT)
		*error = why;
	return found == -ENOENT ? ret : found;
}

/*
 * Search the known code objects. Returns 0; -ENOENT: not found, with a reason from a code object
 * with lines in @error; else the error in @error.
 */
static int find_known(const struct debugger *d, const struct wanted *wanted,
		      struct location *l, struct adbgd_error *error)
{
	struct adbgd_error why;
	struct adbgd_code *code;

	error->error = 0;
	for (size_t i = 0; (code = code_get(d, i)) && !hold_interrupted(); i++) {
		int ret = find_in(code, wanted, l, &why);

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
	struct adbgd_code *code;
	char *hint = NULL;

	for (size_t i = 0; (code = code_get(d, i)) && !hold_interrupted(); i++)
		for (size_t k = 0; (symbol = adbgd_code_get_symbol(code, k)); k++)
			if (symbol->flags & ADBGD_SYMBOL_CODE)
				suggest_try(&best, symbol->name);
	if (best.word)
		xappend(&hint, "did you mean '%s'?", best.word);
	return hint;
}

/* Get a pending file with such a location; NULL: there is none. */
static const struct adbgd_code *find_pending(const struct debugger *d,
					     const struct wanted *wanted)
{
	struct location l = { .num = 0 };
	struct adbgd_object *object;

	for (size_t i = 0; (object = adbgd_objects_get(d->objects, i)); i++) {
		const struct adbgd_object_info *info = adbgd_object_get_info(object);
		struct adbgd_error error;
		int ret;

		if (hold_interrupted())
			break;
		if (!(info->flags & ADBGD_OBJECT_PENDING))
			continue;
		ret = find_in(info->code, wanted, &l, &error);
		location_free(&l);
		if (!ret || ret == -ENOTUNIQ)
			return info->code;
	}
	return NULL;
}

static int fail_nowhere(struct wavectl *w, const struct wanted *wanted,
			const struct adbgd_error *error)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_code *code;
	char *hint;
	int status;

	code = find_pending(d, wanted);
	if (code && wanted->name)
		return fail_with(w, WAVECTL_GONE, IS_LOADED, "'%s' is in %s, which is not loaded yet",
				 wanted->name, adbgd_code_get_info(code)->name);
	if (code)
		return fail_with(w, WAVECTL_GONE, IS_LOADED,
				 "%s:%" PRIu32 " is in %s, which is not loaded yet", wanted->file,
				 wanted->line, adbgd_code_get_info(code)->name);
	if (!code_get(d, 0))
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

/* Is a location that is not in memory good for a breakpoint? */
static bool may_wait(const struct debugger *d, const struct wanted *wanted)
{
	return wanted->use == LOCATION_LATER ||
	       (wanted->use == LOCATION_BREAK && find_pending(d, wanted));
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
	location_free(l);
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	if (ret == -ENOENT && may_wait(d, wanted))
		return WAVECTL_OK;
	return ret == -ENOENT ? fail_nowhere(w, wanted, &error) : debug_fail(w, &error);
}

/* ------------------------------------------------------------------ arguments */

/* "50", "+2" or "-2" */
static bool is_number(const char *word)
{
	return isdigit((unsigned char)word[*word == '+' || *word == '-']);
}

/* As in gdb, only *ADDRESS is an address. */
static bool is_hexadecimal(const char *word)
{
	return word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
}

bool location_is_line(const char *word)
{
	const char *colon = strrchr(word, ':');

	/* Two of them are in the name of a function. */
	return (colon && (colon == word || colon[-1] != ':')) ||
	       (is_number(word) && !is_hexadecimal(word));
}

bool location_is_listed(const struct debugger *d, const struct focus *focus)
{
	return d->listed && (!focus || d->listed_pc == focus->pc);
}

/*
 * Get the current source file, and the line from which others are counted: that of the selected
 * wave, or what was listed after it stopped there.
 */
static bool find_current(struct wavectl *w, char **file, uint32_t *line)
{
	const struct debugger *d = w->shell->debugger;
	struct focus focus;
	bool has_focus = focus_try(w, &focus) || focus_select(w, &focus), has_place;
	struct place place = { .file = NULL };

	has_place = has_focus && code_name_place(d, focus.pc, &place) && place.file;
	if (location_is_listed(d, has_focus ? &focus : NULL)) {
		*file = xstrdup(d->listed);
		*line = has_place && !strcmp(place.file, d->listed) ? place.line : d->listed_line;
	} else if (has_place) {
		*file = xstrdup(place.file);
		*line = place.line;
	}
	focus_close(&focus);
	return *file;
}

/* Set the file and the line of @wanted, @number as it was typed, perhaps with a sign. */
static int set_current(struct wavectl *w, const char *number, uint64_t value,
		       struct wanted *wanted)
{
	uint32_t line = 0;
	char *file = NULL;

	if (!find_current(w, &file, &line))
		return fail_with(w, WAVECTL_GONE,
				 "use FILE:LINE for a line, or *ADDRESS for an address",
				 "'%s' is a line, but there is no current source file", number);
	wanted->file = file;
	wanted->line = *number == '+' ? line + value : *number == '-' ? line - value : value;
	if (*number == '-' ? value < line : wanted->line)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_USAGE, NULL,
			 "there is no line '%s': the current line is %" PRIu32, number, line);
}

/* Split FILE:LINE, :LINE, LINE, +LINES or -LINES. The caller frees @wanted->file. */
static int split_line(struct wavectl *w, const char *word, struct wanted *wanted)
{
	const char *colon = strrchr(word, ':'), *number = colon ? colon + 1 : word;
	char *file = NULL;
	uint64_t line;
	bool is_offset = !colon && (*number == '+' || *number == '-');

	if (!parse_u64(number + is_offset, UINT32_MAX, &line) || is_hexadecimal(number) ||
	    (!line && !is_offset))
		return fail_with(w, WAVECTL_USAGE, "FILE:LINE",
				 "'%s' is not a line: '%s' is not a number of at least 1", word,
				 number);
	if (!colon || colon == word)
		return set_current(w, number, line, wanted);
	xappend(&file, "%.*s", (int)(colon - word), word);
	wanted->file = file;
	wanted->line = line;
	return WAVECTL_OK;
}

static int find_line(struct wavectl *w, const char *word, enum location_use use,
		     struct location *l)
{
	struct wanted wanted = { .use = use };
	int status = split_line(w, word, &wanted);

	if (!status)
		status = find(w, &wanted, l);
	if (!status)
		xappend(&l->word, "%s:%" PRIu32, wanted.file, wanted.line);
	free((char *)wanted.file);
	return status;
}

static int fail_offset(struct wavectl *w, const char *word, const char *number)
{
	return fail_with(w, WAVECTL_USAGE, "SYMBOL+OFFSET, such as saxpy+0x1c",
			 "'%s' is not a location: '%s' is not a number", word, number);
}

static bool has_offset(const char *word)
{
	return strchr(word, '+') && !strstr(word, "operator");
}

/* The caller frees @name. */
static bool split_offset(const char *word, char **name, uint64_t *offset)
{
	const char *plus = strrchr(word, '+');

	if (plus == word || !parse_u64(plus + 1, UINT32_MAX, offset))
		return false;
	xappend(name, "%.*s", (int)(plus - word), word);
	return true;
}

/* Find SYMBOL+OFFSET, which counts from the symbol, not from the end of the prologue. */
static int find_offset(struct wavectl *w, const char *word, enum location_use use,
		       struct location *l)
{
	struct wanted wanted = { .use = use, .is_begin = true };
	char *name = NULL;
	uint64_t offset;
	int status;

	if (!split_offset(word, &name, &offset))
		return fail_offset(w, word, strrchr(word, '+') + 1);
	wanted.name = name;
	status = find(w, &wanted, l);
	for (size_t i = 0; !status && i < l->num; i++)
		l->va[i] += offset;
	if (!status)
		l->word = xstrdup(word);
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

/* Find *ADDRESS, *SYMBOL+OFFSET or *$EXPRESSION; @word begins after the *. */
static int find_address(struct wavectl *w, const char *word, struct location *location)
{
	struct wanted wanted = { .name = word, .use = LOCATION_BEGIN, .is_begin = true };
	uint64_t va;
	int status;

	if (parse_u64(word, UINT64_MAX, &va)) {
		add_address(location, va);
		return WAVECTL_OK;
	}
	if (*word == '$')
		return find_expression(w, word, location);
	if (isdigit((unsigned char)*word) || !*word || location_is_line(word))
		return fail_with(w, WAVECTL_USAGE,
				 "an address is a number, such as *0x600000001000",
				 "'*%s' is not an address", word);
	if (!strchr(word, '+'))
		return find(w, &wanted, location);
	status = find_offset(w, word, LOCATION_BEGIN, location);
	/* It is an address, and does not follow its code. */
	free(location->word);
	location->word = NULL;
	return status;
}

int location_find(struct wavectl *w, const char *word, enum location_use use,
		  struct location *location)
{
	struct wanted wanted = {
		.name = word, .use = use, .is_begin = use == LOCATION_BEGIN,
	};
	char *hint = NULL;
	int status;

	*location = (struct location){ 0 };
	if (*word == '*' || *word == '$' || !*word ||
	    (use == LOCATION_BEGIN && isdigit((unsigned char)*word)))
		return find_address(w, word + (*word == '*'), location);
	if (is_hexadecimal(word)) {
		xappend(&hint, "use *%s for the address", word);
		status = fail_with(w, WAVECTL_USAGE, hint,
				   "'%s' is not a location: a number is a line", word);
		free(hint);
		return status;
	}
	if (location_is_line(word))
		return find_line(w, word, use, location);
	if (has_offset(word))
		return find_offset(w, word, use, location);
	status = find(w, &wanted, location);
	if (!status)
		location->word = xstrdup(word);
	return status;
}

/* As find_in(), for a path with fewer and fewer directories */
static int find_by_path(struct adbgd_code *code, const struct wanted *wanted, struct location *l,
			struct adbgd_error *error)
{
	struct wanted part = *wanted;
	const char *slash;
	int ret;

	for (;;) {
		ret = find_in(code, &part, l, error);
		slash = wanted->is_path ? strchr(part.file, '/') : NULL;
		if (ret != -ENOENT || !slash)
			return ret;
		part.file = slash + 1;
	}
}

/* As find_known(), but a code object with an error does not hide the others. */
static int find_loaded(const struct debugger *d, const struct wanted *wanted,
		       struct location *l, struct adbgd_error *error)
{
	struct adbgd_error why;
	struct adbgd_code *code;
	int first = -ENOENT;

	*error = (struct adbgd_error){ .text = "no code object of the process is known yet" };
	for (size_t i = 0; (code = code_get(d, i)); i++) {
		int ret = hold_interrupted() ? -EINTR : find_by_path(code, wanted, l, &why);

		if (ret == -EINTR)
			return ret;
		if (!ret || first != -ENOENT)
			continue;
		if (ret != -ENOENT && ret != -ENODATA)
			first = ret;
		/* That a code object has no lines is no reason if another one has some. */
		if (ret != -ENODATA || !error->error)
			*error = why;
	}
	return l->num ? 0 : first;
}

int location_find_loaded(const struct debugger *d, const char *word, bool is_path,
			 struct location *location, struct adbgd_error *error)
{
	const char *colon = location_is_line(word) ? strrchr(word, ':') : NULL;
	struct wanted wanted = { .name = word };
	uint64_t number = 0;
	char *part = NULL;
	int ret;

	*location = (struct location){ .num = 0 };
	if (colon) {
		xappend(&part, "%.*s", (int)(colon - word), word);
		ignore_result(parse_u64(colon + 1, UINT32_MAX, &number));
		wanted = (struct wanted){ .file = part, .is_path = is_path, .line = number };
	} else if (has_offset(word) && split_offset(word, &part, &number)) {
		wanted = (struct wanted){ .name = part, .is_begin = true };
	}
	ret = find_loaded(d, &wanted, location, error);
	for (size_t i = 0; !ret && !colon && i < location->num; i++)
		location->va[i] += number;
	free(part);
	if (ret)
		location_free(location);
	return ret;
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

	*line = wanted.line;
	/* Find the file, also if that line is after all code. */
	wanted.line = 1;
	if (!status)
		status = find(w, &wanted, &l);
	free((char *)wanted.file);
	if (status)
		return status;
	code = code_at(d, l.va[0]);
	if (!code || adbgd_line_at(code, l.va[0], &first, NULL))
		status = fail_with(w, WAVECTL_GONE, NULL, "no code for line '%s'", word);
	else
		*file = first.file;
	location_free(&l);
	return status;
}

/* ---------------------------------------------------------- check of the address */

/* Print that @va is data, if a symbol shows that: a kernel descriptor or a constant. */
static int fail_data(struct wavectl *w, uint64_t va)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_symbol *s;
	struct adbgd_code *code;

	for (size_t i = 0; (code = code_get(d, i)); i++) {
		for (size_t k = 0; (s = adbgd_code_get_symbol(code, k)); k++) {
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
	char *word;
	int status;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE,
				 "LINE, FILE:LINE, FUNCTION, SYMBOL+OFFSET, or *ADDRESS",
				 "the location is missing");
	/* An expression may have several words, such as "*$pc + 8". */
	if (w->num_words > 1 && !strchr("*$", *w->words[0]))
		return fail_with(w, WAVECTL_USAGE, NULL, "exactly one location is required");
	status = debug_open_target(w);
	word = join_words(w->words, w->num_words);
	if (!status)
		status = location_find(w, word, use, location);
	free(word);
	for (size_t i = 0; !status && i < location->num; i++) {
		status = location_check(w, location->va[i]);
		if (status)
			location_free(location);
	}
	return status;
}
