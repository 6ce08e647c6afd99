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
	{ "br", "break" }, { "call", "print" }, { "dis", "disable" }, { "disa", "disable" },
	{ "disas", "disasm" }, { "disassemble", "disasm" }, { "h", "help" }, { "hbreak", "break" },
	{ "i", "info" }, { "inspect", "print" }, { "j", "jump" }, { "k", "kill" },
	{ "output", "print" }, { "q", "quit" }, { "exit", "quit" }, { "t", "thread" },
	{ "tb", "tbreak" }, { "thbreak", "tbreak" }, { "wa", "watch" }, { "wat", "watch" },
};

static const struct pair infos[] = {
	{ "b", "breakpoints" }, { "br", "breakpoints" }, { "r", "registers" },
	{ "f", "frame" }, { "s", "stack" }, { "w", "watchpoints" }, { "wa", "watchpoints" },
	{ "threads", "waves" }, { "sharedlibrary", "code" }, { "dll", "code" },
};

/* Commands of gdb's manual that do not exist here, and words that users ask help for */
static const struct pair instead[] = {
	{ "add-symbol-file", "use \"code add FILE\"" },
	{ "agent", "waves of amdkfd are in \"wave list\"" },
	{ "apropos", "use \"help\" and \"help GROUP\"" },
	{ "catch", "use \"launch set --exceptions\" to stop waves at exceptions" },
	{ "cd", "name files with their directories, or use --directory of \"source list\"" },
	{ "checkpoint", "a program on a GPU cannot go back; use \"trace save FILE\"" },
	{ "clear", "use \"delete NUMBER\"" },
	{ "compare-sections", "\"info code\" says whether a code object is still in memory" },
	{ "complete", "the Tab key completes commands" },
	{ "core", "read a report with --from, see \"help report\"" },
	{ "core-file", "read a report with --from, see \"help report\"" },
	{ "define", "put the commands into a file, and execute it with \"source FILE\"" },
	{ "directory", "use the option --directory of \"source list\"" },
	{ "dispatch", "use \"print $group\", \"wave list\" or \"job list\"" },
	{ "document", "put the commands into a file, and execute it with \"source FILE\"" },
	{ "dump", "use \"mem read ADDRESS --output FILE\"" },
	{ "edit", "use an editor in another terminal" },
	{ "exec-file", "use \"run -- PROGRAM\"" },
	{ "file", "use \"code add FILE\"" },
	{ "find", "use \"mem read ADDRESS --output FILE\", and search the file" },
	{ "forward-search", "use \"list\"" },
	{ "fo", "use \"list\"" },
	{ "gcore", "use \"report --output FILE\"" },
	{ "generate-core-file", "use \"report --output FILE\"" },
	{ "handle", "use \"launch set --exceptions\" to select at which exceptions waves stop" },
	{ "interrupt", "use \"halt\"" },
	{ "jump", "write the register: \"set pc=ADDRESS\"" },
	{ "layout", "editors show the source: see \"help dap\"" },
	{ "macro", "macros are not in the debug information that is read" },
	{ "make", "use another terminal" },
	{ "monitor", "the GPU is debugged by the kernel module: see \"caps\"" },
	{ "NaN", "root stops waves at NaNs by \"launch set --exceptions invalid,float-div0\"" },
	{ "nan", "root stops waves at NaNs by \"launch set --exceptions invalid,float-div0\"" },
	{ "ptype", "\"print\" and \"info variables\" print types" },
	{ "pwd", "files are named from the directory in which wavectl was started" },
	{ "queue", "use \"job list\"" },
	{ "rbreak", "use \"break FUNCTION\"; the Tab key completes names" },
	{ "record", "use \"trace save FILE\"" },
	{ "refresh", "editors show the source: see \"help dap\"" },
	{ "return", "use \"finish\", or write the register: \"set pc=ADDRESS\"" },
	{ "reverse-continue", "waves cannot go back; use \"trace save FILE\"" },
	{ "reverse-finish", "waves cannot go back; use \"trace save FILE\"" },
	{ "reverse-next", "waves cannot go back; use \"trace save FILE\"" },
	{ "reverse-search", "use \"list\"" },
	{ "reverse-step", "waves cannot go back; use \"trace save FILE\"" },
	{ "rev", "use \"list\"" },
	{ "save", "put the commands into a file, and execute it with \"source FILE\"" },
	{ "search", "use \"list\"" },
	{ "shell", "use another terminal" },
	{ "signal", "waves have no signals; use \"continue\"" },
	{ "start", "use \"run\", which stops at the first wave" },
	{ "starti", "use \"run\", which stops at the first wave" },
	{ "symbol-file", "use \"code add FILE\"" },
	{ "target", "use \"attach PID\" or \"run -- PROGRAM\"" },
	{ "tstart", "use \"trace save FILE\"" },
	{ "tty", "use --pid or \"attach\" to debug a program that runs in another terminal" },
	{ "tui", "editors show the source: see \"help dap\"" },
	{ "unset", "there are no settings; see \"help\"" },
	{ "whatis", "\"print\" and \"info variables\" print types" },
	{ "winheight", "editors show the source: see \"help dap\"" },
};

static const struct pair infos_instead[] = {
	{ "address", "\"info locals\" and \"info symbol\" say where something is" },
	{ "agents", "use \"gpu list\"" },
	{ "all-registers", "use \"info registers s0-105 v0-255\", or \"wave step --changes\"" },
	{ "auxv", "use \"proc list\"" },
	{ "dispatches", "use \"job list\", and \"print $group\" for the work-group of a wave" },
	{ "files", "use \"info code\"" },
	{ "float", "use \"info registers mode\"" },
	{ "functions", "use \"info code --kernels\"; the Tab key completes names of functions" },
	{ "handle", "use \"launch set --exceptions\" to select at which exceptions waves stop" },
	{ "inferiors", "use \"proc list\"" },
	{ "jobs", "use \"job list\"" },
	{ "lanes", "\"print $exec\" says which lanes are active, \"lane\" which one is selected" },
	{ "macro", "macros are not in the debug information that is read" },
	{ "os", "use \"proc list\"" },
	{ "proc", "use \"vm map\"" },
	{ "program", "use \"focus\"" },
	{ "queues", "use \"job list\"" },
	{ "record", "use \"trace show FILE\"" },
	{ "scope", "use \"info locals\"" },
	{ "set", "there are no settings; see \"help\"" },
	{ "sources", "use \"info code\"" },
	{ "target", "use \"info code\"" },
	{ "types", "\"print\" and \"info variables\" print types" },
	{ "vector", "use \"info registers v0-255\"" },
	{ "signals", "use \"launch set --exceptions\" to select at which exceptions waves stop" },
};

/* Settings of gdb, and their beginnings */
static const struct pair settings_instead[] = {
	{ "args", "give the arguments to \"run -- PROGRAM ARGS...\"" },
	{ "breakpoint", "a breakpoint waits by itself until it can be set" },
	{ "confirm", "only \"kill\" asks, and only at a terminal" },
	{ "cwd", "start wavectl in the directory of the program" },
	{ "disassemble-next-line", "use \"display/i $pc\"" },
	{ "environment", "use \"run -- env NAME=VALUE PROGRAM\"" },
	{ "follow-fork-mode", "the process that uses the GPU is debugged" },
	{ "height", "nothing waits for a key" },
	{ "history", "the history is kept: see wavectl-shell(1)" },
	{ "listsize", "use the option --count of \"list\"" },
	{ "logging", "use \"script\" or \"tee\" in the terminal" },
	{ "non-stop", "waves stop one by one; \"halt\" halts all of them" },
	{ "output-radix", "use formats, such as \"print/x\"" },
	{ "pagination", "nothing waits for a key" },
	{ "print", "use formats, such as \"print/x\"" },
	{ "radix", "use formats, such as \"print/x\"" },
	{ "schedule-multiple", "one process is debugged; \"continue\" resumes all of its waves" },
	{ "scheduler-locking", "\"step\", \"next\" and \"until\" move only the selected wave" },
	{ "step-mode", "use \"stepi\" where there are no lines" },
	{ "substitute-path", "use the option --directory of \"source list\"" },
	{ "verbose", "use the option --verbose of a command" },
	{ "width", "lines are as long as the terminal needs" },
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
	if (noun && !strcmp(noun, "set"))
		return find_beginning(settings_instead, ARRAY_SIZE(settings_instead), typed);
	if (noun && !strcmp(noun, "show"))
		return "there are no settings; use \"version\", \"info\" and \"help\"";
	if (noun && strcmp(noun, "info"))
		return NULL;
	return noun ? find_beginning(infos_instead, ARRAY_SIZE(infos_instead), typed) :
		      find(instead, ARRAY_SIZE(instead), typed);
}
