// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl cond-dbg: the bits of the selected wave that s_cbranch_cdbg* test.
 */
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/focus.h"
#include "waves/action.h"

struct cond_dbg {
	const struct amdgpudbg_wave_coord *at;
	uint32_t bits;		/* with the changes that the command asks for */
};

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

static void emit_bits(struct wavectl *w, const void *data)
{
	const struct cond_dbg *c = data;

	emit_at(w->emit, "name", c->at);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		emit_uint(w->emit, words[i].word, !!(c->bits & words[i].bit));
}

static const char sentence[] = "{name} has user={user} sys={sys}";

static int print(struct wavectl *w, const struct cond_dbg *c)
{
	emit_begin(w->emit);
	emit_bits(w, c);
	emit_say(w->emit, sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int set_bits(struct wavectl *w, void *data)
{
	const struct cond_dbg *c = data;
	struct adbgd_error error;

	return adbgd_wave_set_cond_dbg(w->shell->debugger->process, c->at, c->bits, &error) ?
	       debug_fail(w, &error) : WAVECTL_OK;
}

static int cmd_cond_dbg(struct wavectl *w)
{
	uint32_t set = 0, clear = 0;
	struct cond_dbg c;
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
	status = focus_open(w, &focus);
	if (!status) {
		c.at = &focus.wave.at;
		c.bits = adbgd_wave_get_cond_dbg(w->shell->debugger->process, &focus.wave);
		c.bits = (c.bits & ~clear) | set;
		status = !(set | clear) ? print(w, &c) : action_run(w, &(struct action){
			.what = "set user={user} sys={sys} of {name}", .done = sentence,
			.describe = emit_bits, .run = set_bits, .has_dry_run = true, .data = &c,
		});
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
