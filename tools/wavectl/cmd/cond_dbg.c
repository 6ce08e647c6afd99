// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl cond-dbg: the bits of the selected wave that s_cbranch_cdbg* test.
 */
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/focus.h"

static const struct {
	const char *word;
	uint32_t bit;
} words[] = {
	{ "user", ADBGD_COND_DBG_USER },
	{ "sys", ADBGD_COND_DBG_SYS },
};

/* Parse "user=1" and similar words. */
static int take_word(struct wavectl *w, const char *text, uint32_t *set, uint32_t *clear)
{
	const char *value = strchr(text, '=');

	for (size_t i = 0; value && i < ARRAY_SIZE(words); i++) {
		size_t length = strlen(words[i].word);

		if ((size_t)(value - text) != length || strncmp(text, words[i].word, length))
			continue;
		if (!strcmp(value, "=1"))
			*set |= words[i].bit;
		else if (!strcmp(value, "=0"))
			*clear |= words[i].bit;
		else
			break;
		return WAVECTL_OK;
	}
	return fail_with(w, WAVECTL_USAGE, "use user=0, user=1, sys=0 or sys=1",
			 "unknown setting '%s'", text);
}

static int say(struct wavectl *w, const struct amdgpudbg_wave_coord *at, uint32_t bits)
{
	emit_begin(w->emit);
	emit_bool(w->emit, "dry_run", w->dry_run);
	emit_at(w->emit, "name", at);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		emit_uint(w->emit, words[i].word, !!(bits & words[i].bit));
	emit_say(w->emit, w->dry_run ? "{name} would have user={user} sys={sys}" :
				       "{name} has user={user} sys={sys}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_cond_dbg(struct wavectl *w)
{
	uint32_t set = 0, clear = 0, bits;
	struct adbgd_error error;
	struct debugger *d;
	struct focus focus;
	int i, status = WAVECTL_OK;

	for (i = 0; !status && i < w->num_words; i++)
		status = take_word(w, w->words[i], &set, &clear);
	if (!status && set & clear)
		status = fail_with(w, WAVECTL_USAGE, NULL, "the same bit is set twice, to 0 and to 1");
	if (!status)
		status = debug_open_target(w);
	if (status)
		return status;
	d = w->shell->debugger;
	status = focus_open(w, &focus);
	if (!status) {
		bits = (adbgd_wave_get_cond_dbg(d->process, &focus.wave) & ~clear) | set;
		if (set | clear && !w->dry_run &&
		    adbgd_wave_set_cond_dbg(d->process, &focus.wave.at, bits, &error))
			status = debug_fail(w, &error);
		else
			status = say(w, &focus.wave.at, bits);
	}
	focus_close(&focus);
	return status;
}

const struct command cond_dbg_commands[] = {
	{
		.noun = "cond-dbg",
		.args = "[user=0|1] [sys=0|1]",
		.summary = "read or set the bits that s_cbranch_cdbguser and similar test",
		.help = "For a shell or batch. Sets or prints STATUS.COND_DBG_USER and STATUS.COND_DBG_SYS of\n"
			"the selected wave.",
		.options = target_options,
		.run = cmd_cond_dbg,
	},
	{ .noun = NULL },
};
