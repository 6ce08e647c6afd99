// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names as users read and type them: C++ names, and names of addresses.
 */
#include <stdio.h>
#include <string.h>

#include "code_object.h"
#include "demangle.h"

/* Bytes of a name that are compared in one step */
#define BYTES_OF_STEP	64

ADBGD_API char *adbgd_demangle_name(const char *name, uint32_t flags)
{
	struct adbgd_demangled d;

	if (!adbgd_demangle(name, &d))
		return NULL;
	if (flags & ADBGD_DEMANGLE_WHOLE)
		return d.text;
	memmove(d.text, d.text + d.name, d.end - d.name);
	d.text[d.end - d.name] = 0;
	return d.text;
}

/* Are @length bytes of a name equal to the name that is wanted, except for blanks? */
static bool is_equal(const char *name, size_t length, const char *wanted)
{
	const char *end = name + length;

	for (;;) {
		while (name < end && *name == ' ')
			name++;
		while (*wanted == ' ')
			wanted++;
		if (name == end || !*wanted)
			return name == end && !*wanted;
		if (*name++ != *wanted++)
			return false;
	}
}

/* Compare from one scope to the end of the name, of its parameters, and of its last part. */
static bool matches_from(const struct adbgd_demangled *d, size_t begin, size_t length,
			 const char *wanted)
{
	const char *name = d->text + begin;

	return is_equal(name, d->end - begin, wanted) ||
	       is_equal(name, length - begin, wanted) ||
	       (begin <= d->args && is_equal(name, d->args - begin, wanted));
}

static bool matches(const struct adbgd_demangled *d, const char *wanted)
{
	size_t length = strlen(d->text), i;
	int depth = 0;

	if (is_equal(d->text, length, wanted) || matches_from(d, d->name, length, wanted))
		return true;
	for (i = d->name; i + 1 < d->end; i++) {
		char c = d->text[i];

		depth += (c == '<' || c == '(' || c == '{') - (c == '>' || c == ')' || c == '}');
		if (!depth && c == ':' && d->text[i + 1] == ':' &&
		    matches_from(d, i + 2, length, wanted))
			return true;
	}
	return false;
}

/* Can it be in an identifier? */
static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/*
 * The identifier that a C++ name must contain if it matches: the last one before parameters and
 * template arguments. Return: its length; 0: there is none, as for operators.
 */
static size_t key_of(const char *wanted, const char **key)
{
	size_t length;

	if (strstr(wanted, "operator") || strchr(wanted, '{') || strstr(wanted, "(anonymous"))
		return 0;
	for (*key = wanted;;) {
		for (length = 0; is_letter((*key)[length]); length++)
			;
		if (strncmp(*key + length, "::", 2))
			break;
		*key += length + 2 + ((*key)[length + 2] == '~');
	}
	return (*key)[length] && !strchr("(<", (*key)[length]) ? 0 : length;
}

/* Is it worth converting the name? */
static bool has_key(const char *name, const char *key, size_t length)
{
	const char *at = name;

	if (strncmp(name, "_Z", 2))
		return false;
	if (!length)
		return true;
	while ((at = strchr(at, *key))) {
		if (!strncmp(at, key, length))
			return true;
		at++;
	}
	return false;
}

/* Compare names that are not equal. @steps: set to what that took, for ADBGD_COST_STEPS */
static bool compare(const char *name, const char *wanted, uint64_t *steps)
{
	struct adbgd_demangled d;
	const char *key = NULL;
	size_t length = key_of(wanted, &key);
	bool result;

	*steps = 1;
	if (!has_key(name, key, length))
		return false;
	result = adbgd_demangle(name, &d);
	*steps += strlen(name) / BYTES_OF_STEP + d.steps;
	if (!result)
		return false;
	*steps += strlen(d.text) / BYTES_OF_STEP;
	result = matches(&d, wanted);
	free(d.text);
	return result;
}

ADBGD_API bool adbgd_name_matches(const char *name, const char *wanted)
{
	uint64_t steps;

	return !strcmp(name, wanted) || compare(name, wanted, &steps);
}

int adbgd_code_name_matches(struct adbgd_code *code, const char *name, const char *wanted,
			    struct adbgd_error *error)
{
	uint64_t steps = 1;
	bool result = !strcmp(name, wanted) || compare(name, wanted, &steps);
	int ret = adbgd_spend(&code->budget, ADBGD_COST_STEPS, steps, code->name, error);

	return ret ? ret : result;
}

/* What has been found, in the order of addresses */
struct found {
	const struct adbgd_symbol **symbols;
	size_t max;
	size_t count;
	const struct adbgd_symbol *last;
};

static void add(struct found *f, const struct adbgd_symbol *symbol)
{
	if (f->last && f->last->address == symbol->address)
		return;
	if (f->count < f->max)
		f->symbols[f->count] = symbol;
	f->last = symbol;
	f->count++;
}

/* Find the symbols that have exactly this name. They are adjacent in the order of names. */
static void find_exact(const struct adbgd_code *code, const char *name, struct found *f)
{
	const struct adbgd_symbol *first = adbgd_code_find_symbol(code, name);
	size_t low = 0, high = code->num_symbols;

	if (!first)
		return;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(code->by_name[mid]->name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < code->num_symbols && !strcmp(code->by_name[low]->name, name); low++)
		add(f, code->by_name[low]);
}

static int find_matching(struct adbgd_code *code, const char *name, struct found *f,
			 struct adbgd_error *error)
{
	size_t i;
	int ret;

	for (i = 0; i < code->num_symbols; i++) {
		ret = adbgd_code_name_matches(code, code->symbols[i].name, name, error);
		if (ret < 0)
			return ret;
		if (ret)
			add(f, &code->symbols[i]);
	}
	return 0;
}

ADBGD_API int adbgd_code_find_symbols(struct adbgd_code *code, const char *name,
				      const struct adbgd_symbol **symbols, size_t max,
				      size_t *count, struct adbgd_error *error)
{
	struct found f = { .symbols = symbols, .max = max };
	int ret = 0;

	find_exact(code, name, &f);
	if (!f.count) {
		adbgd_budget_begin(&code->budget);
		ret = find_matching(code, name, &f, error);
	}
	if (ret)
		return ret;
	*count = f.count;
	return f.count ? 0 : adbgd_fail(error, -ENOENT, "%s has no symbol %s", code->name, name);
}

ADBGD_API char *adbgd_code_address_name(const struct adbgd_code *code, uint64_t address)
{
	const struct adbgd_symbol *s = adbgd_code_symbol_at(code, address);
	unsigned long long off = s ? address - s->address : 0;
	char *source = s ? adbgd_demangle_name(s->name, 0) : NULL, *name = NULL;
	int n;

	if (!s)
		n = asprintf(&name, "%#llx", (unsigned long long)address);
	else if (off)
		n = asprintf(&name, "%s+%#llx", source ? source : s->name, off);
	else
		n = asprintf(&name, "%s", source ? source : s->name);
	free(source);
	return n < 0 ? NULL : name;
}

ADBGD_API char *adbgd_code_format_address(const struct adbgd_code *code, uint64_t address,
					  char name[ADBGD_NAME_MAX])
{
	char *whole = adbgd_code_address_name(code, address), *plus;
	size_t length;

	if (!whole) {
		snprintf(name, ADBGD_NAME_MAX, "%#llx", (unsigned long long)address);
		return name;
	}
	/* C++ names may be long: truncate the name so that the offset is complete. */
	plus = strrchr(whole, '+');
	length = plus ? (size_t)(plus - whole) : strlen(whole);
	snprintf(name, ADBGD_NAME_MAX, "%.*s%s", (int)(length < 200 ? length : 200), whole,
		 plus && strlen(plus) < 24 ? plus : "");
	free(whole);
	return name;
}
