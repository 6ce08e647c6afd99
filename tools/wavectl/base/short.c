// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Abbreviated commands: see short.h.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/short.h"
#include "base/util.h"

struct pair {
	const char *typed;
	const char *meant;
};

/* Words that would be ambiguous or unknown. A command of the same name has priority. */
static const struct pair nouns[] = {
	{ "br", "break" }, { "dis", "disable" }, { "disa", "disable" }, { "disas", "disasm" },
	{ "disassemble", "disasm" }, { "h", "help" }, { "i", "info" }, { "inspect", "print" },
	{ "j", "jump" }, { "k", "kill" },
	{ "q", "quit" }, { "exit", "quit" }, { "t", "thread" },
	{ "tb", "tbreak" }, { "wa", "watch" }, { "wat", "watch" },
};

static const struct pair infos[] = {
	{ "b", "breakpoints" }, { "br", "breakpoints" }, { "r", "registers" },
	{ "f", "frame" }, { "s", "stack" }, { "w", "watchpoints" }, { "wa", "watchpoints" },
	{ "threads", "waves" }, { "locals", "variables" }, { "args", "variables" },
	{ "sharedlibrary", "code" }, { "dll", "code" },
};

static const struct pair instead[] = {
	{ "awatch", "use \"watchpoint set\" with --mode all" },
	{ "add-symbol-file", "use \"code add FILE\"" },
	{ "file", "use \"code add FILE\"" },
	{ "symbol-file", "use \"code add FILE\"" },
	{ "clear", "use \"delete NUMBER\"" },
	{ "define", "put the commands into a file, and execute it with \"source FILE\"" },
	{ "directory", "use the option --directory of \"source list\"" },
	{ "interrupt", "use \"halt\"" },
	{ "jump", "write the register: \"set WAVE pc=ADDRESS\"" },
	{ "ptype", "\"print\" and \"info variables\" print types" },
	{ "whatis", "\"print\" and \"info variables\" print types" },
	{ "record", "use \"trace save FILE\"" },
	{ "rwatch", "use \"watchpoint set\" with --mode read" },
	{ "start", "use \"run\", which stops at the first wave" },
	{ "starti", "use \"run\", which stops at the first wave" },
};

static const struct pair infos_instead[] = {
	{ "files", "use \"info code\"" },
	{ "functions", "use \"info code\", which prints the kernels" },
	{ "inferiors", "use \"proc list\"" },
	{ "os", "use \"proc list\"" },
	{ "proc", "use \"vm map\"" },
	{ "program", "use \"focus\"" },
	{ "scope", "use \"info variables\"" },
	{ "sources", "use \"info code\"" },
	{ "target", "use \"info code\"" },
	{ "types", "\"print\" and \"info variables\" print types" },
	{ "all-registers", "use \"wave step --changes\", or \"reg read WAVE REG...\"" },
	{ "vector", "use \"reg read WAVE v0\" and so on" },
	{ "float", "use \"reg read WAVE mode\"" },
	{ "signals", "waves have exceptions: see \"trap install\"" },
};

static const char *find(const struct pair *pairs, size_t num, const char *typed)
{
	for (size_t i = 0; i < num; i++)
		if (!strcmp(pairs[i].typed, typed))
			return pairs[i].meant;
	return NULL;
}

/* Find what the beginning of a word means. */
static const char *find_beginning(const struct pair *pairs, size_t num, const char *typed)
{
	for (size_t i = 0; i < num; i++)
		if (!strncmp(pairs[i].typed, typed, strlen(typed)))
			return pairs[i].meant;
	return NULL;
}

/* The words that begin with what was typed */
struct matches {
	const char *typed;
	const char *word;		/* the first of them */
	const struct command *of;	/* its command; NULL: the word has several */
	bool is_exact;
	unsigned int count;		/* of different commands */
	char *names;
};

static void try(struct matches *m, const char *word, const struct command *of)
{
	if (strncmp(word, m->typed, strlen(m->typed)))
		return;
	m->is_exact |= !strcmp(word, m->typed);
	/* A second form of the same command, or another verb of the same noun */
	if (m->word && (of ? of == m->of : !strcmp(word, m->word)))
		return;
	/* Nouns with verbs come in several rows, which need not follow each other. */
	if (m->names && !of && strstr(m->names, word))
		return;
	if (!m->word) {
		m->word = word;
		m->of = of;
	}
	xappend(&m->names, "%s%s", m->count++ ? ", " : "", word);
}

/* @preferred: the word that gdb prefers; NULL: none */
static const char *choose(struct matches *m, const char *preferred, char **names)
{
	const char *word = m->is_exact ? m->typed : preferred ? preferred :
			   !m->count ? m->typed : m->count == 1 ? m->word : NULL;

	*names = word ? NULL : m->names;
	if (word)
		free(m->names);
	return word;
}

const char *short_noun(const struct wavectl *w, const char *typed, char **names)
{
	struct matches m = { .typed = typed };
	const char *preferred, *word;

	for_each_command(w, c) {
		if (c->hidden)
			continue;
		try(&m, c->noun, c->verb ? NULL : c);
		for (unsigned int i = 0; c->aliases[i]; i++)
			try(&m, c->aliases[i], c);
	}
	try(&m, "help", NULL);
	try(&m, "quit", NULL);
	preferred = find(nouns, ARRAY_SIZE(nouns), typed);
	word = choose(&m, preferred, names);
	return word && word == preferred && strcmp(word, typed) ? short_noun(w, word, names) :
								  word;
}

const char *short_verb(const struct wavectl *w, const char *noun, const char *typed,
		       char **names)
{
	struct matches m = { .typed = typed };
	const char *preferred = NULL;

	for_each_command(w, c)
		if (c->verb && !strcmp(c->noun, noun))
			try(&m, c->verb, c);
	if (!strcmp(noun, "info"))
		preferred = m.count ? find(infos, ARRAY_SIZE(infos), typed) :
				      find_beginning(infos, ARRAY_SIZE(infos), typed);
	return choose(&m, preferred, names);
}

const char *short_instead(const char *noun, const char *typed)
{
	if (noun && strcmp(noun, "info"))
		return NULL;
	return noun ? find_beginning(infos_instead, ARRAY_SIZE(infos_instead), typed) :
		      find(instead, ARRAY_SIZE(instead), typed);
}
