// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "thread apply": a command for one halted wave after the other. The rest of the line is a command
 * with options of its own, so that the shell executes this and not the dispatcher.
 */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/short.h"
#include "base/util.h"
#include "debug/code.h"
#include "debug/focus.h"
#include "shell/apply.h"
#include "waves/hold.h"

bool apply_is_typed(const struct wavectl *w, const struct split *split)
{
	const char *word;
	char *names;

	if (split->num_words < 2 || strcmp(split->words[1], "apply"))
		return false;
	word = short_noun(w, split->words[0], &names);
	free(names);
	return word && !strcmp(word, "thread");
}

/* "all", "3" or "2-4". Returns false for any other word. */
static bool take_numbers(const char *word, uint32_t *from, uint32_t *to)
{
	if (strcmp(word, "all"))
		return parse_range(word, UINT32_MAX, from, to);
	*from = 0;
	*to = UINT32_MAX;
	return true;
}

/* The words that name waves begin at index 2. Returns the number of them. */
static int count_numbers(const struct split *split)
{
	uint32_t from, to;
	int i = 2;

	while (i < split->num_words && take_numbers(split->words[i], &from, &to))
		i++;
	return i - 2;
}

/* The command, and the waves for which it is executed */
struct application {
	const struct split *split;
	int num;			/* words that name waves */
	char *line;
	apply_line *run;
	void *data;
};

static bool is_named(const struct application *a, uint32_t number)
{
	uint32_t from, to;

	for (int i = 0; i < a->num; i++)
		if (take_numbers(a->split->words[2 + i], &from, &to) && number >= from &&
		    number <= to)
			return true;
	return false;
}

static void say_wave(struct wavectl *w, uint32_t number, const struct amdgpudbg_wave *wave)
{
	const struct debugger *d = w->shell->debugger;
	uint64_t pc = adbgd_wave_get_pc(d->process, wave);
	struct place place;

	emit_begin(w->emit);
	emit_uint(w->emit, "number", number);
	emit_at(w->emit, "name", &wave->at);
	emit_hex64(w->emit, "pc", pc);
	code_emit_place(w, pc);
	emit_say(w->emit, code_name_place(d, pc, &place) ?
		 "wave {number}, {name} at {pc}, {place}:" : "wave {number}, {name} at {pc}:");
	emit_end(w->emit);
}

/* The status is that of the first command that failed; the others are executed, too. */
static int run_for_waves(struct wavectl *w, const struct application *a,
			 const struct adbg_wave_list *list)
{
	struct debugger *d = w->shell->debugger;
	const struct amdgpudbg_wave *wave;
	int status = WAVECTL_OK, ret;
	unsigned int count = 0;
	uint32_t number;

	for (size_t i = 0; i < adbg_wave_list_count(list) && !hold_interrupted() &&
	     w->shell->debugger == d; i++) {
		wave = adbg_wave_list_get(list, i);
		number = adbgd_wave_get_number(d->process, &wave->at);
		if (!is_named(a, number))
			continue;
		count++;
		d->wave = wave->at;
		d->has_wave = true;
		say_wave(w, number, wave);
		ret = a->run(a->data, a->line);
		status = status ? status : ret;
	}
	return count ? status : fail_with(w, WAVECTL_GONE, "see the numbers in \"info waves\"",
					  "no halted wave has such a number");
}

static int run_line(struct wavectl *w, const struct application *a)
{
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED,
		.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
	};
	struct debugger *d = w->shell->debugger;
	struct amdgpudbg_wave_coord before = d->wave;
	bool had_wave = d->has_wave;
	struct adbg_wave_list *list;
	int status, ret;

	ret = adbg_wave_list_new(&list);
	if (ret)
		return fail_system(w, ret, "cannot list the waves");
	ret = adbg_wave_list_fill(list, w->session, &what);
	if (ret) {
		adbg_wave_list_free(list);
		return fail(w, ret, "cannot list the waves");
	}
	status = run_for_waves(w, a, list);
	adbg_wave_list_free(list);
	if (w->shell->debugger == d) {
		d->wave = before;
		d->has_wave = had_wave;
	}
	return status;
}

int apply_run(struct wavectl *w, const struct split *split, apply_line *run, void *data)
{
	struct application a = {
		.split = split, .num = count_numbers(split), .run = run, .data = data,
	};
	int status;

	if (!a.num || a.num + 2 == split->num_words)
		return fail_with(w, WAVECTL_USAGE, "such as \"thread apply all backtrace\"",
				 "\"thread apply\" takes all, or numbers of waves, and a command");
	status = debug_open_target(w);
	if (status)
		return status;
	a.line = split_join(split, split->words + a.num + 2, split->num_words - a.num - 2);
	status = run_line(w, &a);
	free(a.line);
	return status;
}
