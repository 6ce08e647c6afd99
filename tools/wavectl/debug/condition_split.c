// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Divides conditions between the GPU and the host: see condition.h. If the GPU cannot decide a
 * condition, it still gets those terms that it can decide, and the rest becomes an expression for
 * the host. The parts that are no expressions, such as "lane 0-7", are always the GPU's.
 */
#include "debug/condition.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-condition.h>
#include <amdgpudbg-debug-value.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/split.h"
#include "base/util.h"
#include "debug/code.h"
#include "debug/values.h"

char *condition_cut(struct wavectl *w)
{
	char *cut;
	int i = 0;

	while (i < w->num_words && strcmp(w->words[i], "if"))
		i++;
	if (i == w->num_words)
		return NULL;
	cut = expression_words(w, w->words + i + 1, w->num_words - i - 1);
	w->num_words = i;
	return cut;
}

struct splitter {
	struct wavectl *w;
	const uint64_t *pc;		/* NULL: not at an address */
	char *gpu;			/* terms for the GPU */
	char *host;			/* terms for the host */
	bool names_variables;
};

struct silence {
	char **before;
	char *caught;
	bool json;
};

/* From the first call to the second one, nothing is printed. */
static void begin_silence(struct wavectl *w, struct silence *silence)
{
	*silence = (struct silence){ .before = w->caught, .json = w->json };
	w->caught = &silence->caught;
	w->json = false;
}

static void end_silence(struct wavectl *w, struct silence *silence)
{
	w->caught = silence->before;
	w->json = silence->json;
	free(silence->caught);
}

/* The same as condition_parse_gpu(), without a message */
static int try_gpu(struct splitter *s, const char *text, struct adbgd_condition *c,
		   struct condition_found *found)
{
	struct silence silence;
	int status;

	begin_silence(s->w, &silence);
	status = condition_parse_gpu(s->w, text, s->pc, c, found);
	end_silence(s->w, &silence);
	return status;
}

/* Print why the GPU cannot decide it. */
static int fail_gpu(struct splitter *s, const char *text)
{
	struct condition_found found;
	struct adbgd_condition c;

	return condition_parse_gpu(s->w, text, s->pc, &c, &found) ?: WAVECTL_USAGE;
}

/* ------------------------------------------------------------------------ splitting */

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* A character constant is a word, too. */
static size_t word_length(const char *text)
{
	size_t length = split_quoted_length(text);

	if (length)
		return length;

	while (is_in_word(text[length]))
		length++;
	return length;
}

/* Does a part begin here that is no expression, with its argument? Returns its length, or 0. */
static size_t part_length(const char *text)
{
	static const char *const names[] = { "wave", "group", "lane", "every", "hit" };
	size_t length = word_length(text), argument;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (length != strlen(names[i]) || strncmp(text, names[i], length))
			continue;
		argument = length + strspn(text + length, " ");
		/* Before an operator, it is a variable. */
		if (argument == length || !isalnum((unsigned char)text[argument]))
			return 0;
		return argument + strcspn(text + argument, " &");
	}
	return 0;
}

/* Does the text end with an operator or a bracket, so that an operand follows? */
static bool wants_operand(const char *from, const char *end)
{
	while (end > from && end[-1] == ' ')
		end--;
	/* A part may also follow "&&". */
	return end > from && strchr("(+-*/%<>=!|^~,[", end[-1]);
}

/* The length of the expression at the beginning of @text: up to the next part, or the end */
static size_t run_length(const char *text)
{
	size_t i = 0;
	int depth = 0;

	while (text[i]) {
		if (strchr("([", text[i]))
			depth++;
		else if (strchr(")]", text[i]))
			depth--;
		if (depth <= 0 && (!i || text[i - 1] == ' ') && part_length(text + i) &&
		    !wants_operand(text, text + i))
			break;
		i += word_length(text + i) ?: 1;
	}
	return i;
}

/* Copy an expression, with && for "and". The caller frees it. */
static char *copy_run(const char *text, size_t length)
{
	char *copy = xstrdup("");
	size_t i = 0, n;

	while (i < length) {
		n = word_length(text + i) ?: 1;
		if (n == 3 && !strncmp(text + i, "and", 3))
			xappend(&copy, "&&");
		else
			xappend(&copy, "%.*s", (int)n, text + i);
		i += n;
	}
	return copy;
}

/* Cut the && between an expression and a part. @before, @after: is there a part? */
static char *trim(char *text, bool before, bool after)
{
	size_t length;

	text += strspn(text, " ");
	if (before && !strncmp(text, "&&", 2))
		text += 2;
	text += strspn(text, " ");
	length = strlen(text);
	while (length && text[length - 1] == ' ')
		length--;
	if (after && length >= 2 && !strncmp(text + length - 2, "&&", 2))
		length -= 2;
	text[length] = '\0';
	return text;
}

static void append(char **to, const char *term, size_t length)
{
	xappend(to, "%s%.*s", *to ? " && " : "", (int)length, term);
}

/* Give a term to the GPU if it can decide it together with those that it has, else to the host. */
static int add_term(struct splitter *s, const char *term, size_t length)
{
	struct condition_found found;
	struct adbgd_condition c;
	char *both = s->gpu ? xstrdup(s->gpu) : NULL;
	int status;

	append(&both, term, length);
	status = try_gpu(s, both, &c, &found);
	if (!status) {
		free(s->gpu);
		s->gpu = both;
		s->names_variables |= found.names_variables;
		both = NULL;
	} else if (found.is_final) {
		status = fail_gpu(s, both);
	} else {
		append(&s->host, term, length);
		status = WAVECTL_OK;
	}
	free(both);
	return status;
}

static int add_run(struct splitter *s, const char *run)
{
	int status = WAVECTL_OK;
	const char *term;
	size_t length;

	for (size_t i = 0; !status && (term = adbgd_expression_get_term(run, i, &length)); i++)
		status = add_term(s, term, length);
	return status;
}

static int split(struct splitter *s, const char *text)
{
	bool is_after_part = false;
	int status = WAVECTL_OK;
	size_t length;
	char *run;

	while (!status && *(text += strspn(text, " "))) {
		length = part_length(text);
		if (length) {
			xappend(&s->gpu, "%s%.*s", s->gpu ? " " : "", (int)length, text);
		} else {
			length = run_length(text);
			run = copy_run(text, length);
			status = *trim(run, is_after_part, text[length]) ?
				 add_run(s, trim(run, is_after_part, text[length])) : WAVECTL_OK;
			free(run);
		}
		is_after_part = part_length(text);
		text += length;
	}
	return status;
}

/* -------------------------------------------------------------------------- checks */

static bool is_register(const struct wavectl *w, const char *text, size_t length)
{
	const struct debugger *d = w->shell->debugger;
	struct amdgpudbg_reg_range range;
	char word[16];

	if (length >= sizeof(word))
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	return !strcmp(word, "m0") || !strcmp(word, "scc") ||
	       !adbg_reg_parse(adbgd_process_get_info(d->process)->gc_version, word, &range);
}

/* Is the word before @at a dot or an arrow, so that a member follows? */
static bool is_member(const char *from, const char *at)
{
	while (at > from && at[-1] == ' ')
		at--;
	return at > from && (at[-1] == '.' || (at - from > 1 && at[-1] == '>' && at[-2] == '-'));
}

static bool is_variable(struct adbgd_variables *variables, const char *text, size_t length)
{
	char *word = NULL;
	bool is;

	xappend(&word, "%.*s", (int)length, text);
	is = variables && adbgd_variables_find(variables, word) >= 0;
	free(word);
	return is;
}

/*
 * Write the condition with registers as in expressions: "v3 + 1 > 2" as "$v3 + 1 > 2". *@first: the
 * first register, a part of @text; NULL: there is none. The caller frees the result.
 */
static char *with_dollars(const struct wavectl *w, struct adbgd_variables *variables,
			  const char *text, const char **first)
{
	char *copy = xstrdup("");
	const char *at = text;
	size_t length;

	*first = NULL;
	for (; *at; at += length) {
		size_t part = at == text || at[-1] == ' ' ? part_length(at) : 0;

		length = part ?: word_length(at) ?: 1;
		if (!part && is_in_word(*at) && is_register(w, at, length) &&
		    !is_member(text, at) && !is_variable(variables, at, length)) {
			xappend(&copy, "$");
			*first = *first ? *first : at;
		}
		xappend(&copy, "%.*s", (int)length, at);
	}
	return copy;
}

/* Is the condition right? Nothing is printed. */
static bool is_valid(struct splitter *s, const char *text)
{
	struct silence silence;
	struct condition c;
	int status;

	begin_silence(s->w, &silence);
	status = condition_parse(s->w, text, s->pc, &c);
	end_silence(s->w, &silence);
	condition_free(&c);
	return !status;
}

/* Does the condition compare its first word, as only the GPU can if that is a register? */
static bool begins_with_comparison(const char *text)
{
	text += word_length(text);
	text += strspn(text, " ");
	text += *text == 's';
	return *text && strchr("<>=!&", *text);
}

static int fail_register(struct splitter *s, const char *hint, const char *name)
{
	return fail_with(s->w, WAVECTL_USAGE, hint,
			 "registers in expressions are written with a $, such as $%.*s",
			 (int)word_length(name), name);
}

/* Is the reason of the host better than that of the GPU? Registers are the GPU's, too. */
static bool is_for_host(const struct splitter *s)
{
	if (is_register(s->w, s->host, word_length(s->host)))
		return false;
	return adbgd_expression_names_variable(s->host) || strpbrk(s->host, "'\"") ||
	       (*s->host && strchr(s->host + 1, '$'));
}

static const char registers_hint[] =
	"in an expression, registers are named as by \"print\": $v3, $s13";

/*
 * Fail because the host cannot evaluate its part of the condition @text. @error: why; NULL: no
 * variables are known there
 */
static int fail_host(struct splitter *s, struct adbgd_variables *variables, const char *text,
		     const struct adbgd_error *error)
{
	struct condition_found found;
	char *fixed, *hint = NULL;
	struct adbgd_condition c;
	const char *first;
	int status;

	/* The GPU can decide it, but not together with what it has. */
	if (!try_gpu(s, s->host, &c, &found))
		return fail_gpu(s, text);
	fixed = with_dollars(s->w, variables, text, &first);
	if (first && is_valid(s, fixed)) {
		xappend(&hint, "did you mean '%s'?", fixed);
		status = fail_register(s, hint, first);
	} else if (error && is_for_host(s)) {
		status = fail_with(s->w, WAVECTL_USAGE,
				   error->error == -ENOENT ? registers_hint : NULL,
				   "the condition cannot be evaluated: %s", error->text);
	} else if (is_register(s->w, s->host, word_length(s->host)) &&
		   !begins_with_comparison(s->host)) {
		status = fail_register(s, NULL, s->host);
	} else {
		status = fail_gpu(s, text);
	}
	free(fixed);
	free(hint);
	return status;
}

/* Can the host evaluate it where the breakpoint is? @text: the whole condition */
static int check_host(struct splitter *s, const char *text)
{
	const struct debugger *d = s->w->shell->debugger;
	struct adbgd_code *code = s->pc ? code_at(d, *s->pc) : NULL;
	struct adbgd_variables *variables = NULL;
	struct adbgd_error error;
	int status;

	if (adbgd_expression_names_variable(s->host) &&
	    (!code || adbgd_variables_new(code, *s->pc, &variables, &error)))
		return fail_host(s, NULL, text, NULL);
	status = adbgd_expression_check(variables, s->host, values_names(s->w->shell), &error) ?
		 fail_host(s, variables, text, &error) : WAVECTL_OK;
	adbgd_variables_free(variables);
	return status;
}

/* --------------------------------------------------------------------------- parsing */

static int split_all(struct splitter *s, const char *text, struct condition *c)
{
	struct condition_found found;
	int status = split(s, text);

	if (!status && !s->gpu && !s->host)
		return fail_gpu(s, text);
	if (!s->gpu)
		c->gpu = (struct adbgd_condition){ .relation = ADBGD_RELATION_NONE };
	if (!status && s->gpu && try_gpu(s, s->gpu, &c->gpu, &found))
		status = fail_gpu(s, s->gpu);
	if (!status && s->host)
		status = check_host(s, text);
	if (status)
		return status;
	c->has_gpu = s->gpu;
	c->expression = s->host;
	s->host = NULL;
	c->text = s->names_variables || c->expression ? xstrdup(text) : NULL;
	return WAVECTL_OK;
}

int condition_parse(struct wavectl *w, const char *text, const uint64_t *pc, struct condition *c)
{
	struct splitter s = { .w = w, .pc = pc };
	struct condition_found found;
	int status;

	*c = (struct condition){ .has_gpu = true };
	status = try_gpu(&s, text, &c->gpu, &found);
	if (!status && found.names_variables)
		c->text = xstrdup(text);
	else if (status)
		status = split_all(&s, text, c);
	free(s.gpu);
	free(s.host);
	return status;
}

int condition_add_count(struct wavectl *w, uint32_t every, uint32_t nth, struct condition *c)
{
	if (!every && !nth)
		return WAVECTL_OK;
	if (c->gpu.every || c->gpu.nth)
		return fail_with(w, WAVECTL_USAGE, NULL, "the condition has a hit count, too");
	c->gpu.every = every;
	c->gpu.nth = nth;
	c->has_gpu = true;
	return WAVECTL_OK;
}

void condition_free(struct condition *c)
{
	free(c->expression);
	free(c->text);
	c->expression = NULL;
	c->text = NULL;
}

const struct adbgd_condition *condition_gpu(const struct condition *c)
{
	return c && c->has_gpu ? &c->gpu : NULL;
}

int condition_complete(const struct condition *c, struct adbgd_breakpoint *b,
		       struct adbgd_error *error)
{
	return c && c->expression ? adbgd_breakpoint_set_expression(b, c->expression, error) : 0;
}
