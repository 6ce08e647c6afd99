// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on the selected waves: see control.h.
 */
#include "top/control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "waves/hold.h"
#include "waves/plan.h"

#define AT_WGP	(AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP)
#define AT_SIMD	(AT_WGP | AMDGPUDBG_AT_SIMD)

/* ---------------------------------------------------------------------- selection */

/* The number of slots that belong together */
static size_t unit_slots(const struct map *map, enum top_unit unit)
{
	switch (unit) {
	case UNIT_WAVE:
		return 1;
	case UNIT_SIMD:
		return map->size.wave;
	case UNIT_WGP:
		return (size_t)map->size.wave * map->size.simd;
	default:
		return map->num_slots;
	}
}

bool selection_has(const struct top *t, const struct selection *s, size_t slot)
{
	size_t slots = unit_slots(&t->gpus[s->gpu].map, s->unit);

	return slot / slots == s->slot / slots;
}

char *selection_name(const struct top *t, const struct selection *s)
{
	const struct map *map = &t->gpus[s->gpu].map;
	struct amdgpudbg_wave_coord at = map_coord(map, s->slot);
	char name[ADBG_WAVE_NAME_MAX], *text = NULL, *end;

	adbg_wave_name(&at, name);
	end = strstr(name, s->unit == UNIT_WGP ? ".simd" : ".wave");
	if (end && s->unit != UNIT_WAVE)
		*end = '\0';
	if (s->unit != UNIT_ALL)
		xappend(&text, "%s", name);
	else if (t->w->pid)
		xappend(&text, "process %d", t->w->pid);
	else
		xappend(&text, "GPU %u", adbg_session_get_number(t->gpus[s->gpu].session));
	return text;
}

size_t selection_count(const struct top *t, const struct selection *s)
{
	const struct map *map = &t->gpus[s->gpu].map;
	size_t num = 0;

	for (size_t i = 0; i < map->num_slots; i++)
		num += map->states[i] != MAP_FREE && selection_has(t, s, i);
	return num;
}

/* The condition by which the module finds the waves */
static struct amdgpudbg_select select_of(const struct top *t, const struct selection *s)
{
	const struct top_gpu *gpu = &t->gpus[s->gpu];
	const struct amdgpudbg_wave *wave = top_wave(gpu, s->slot);
	struct amdgpudbg_select select = { .at_mask = 0 };

	if (s->unit == UNIT_ALL)
		return select;
	select.at = map_coord(&gpu->map, s->slot);
	select.at_mask = AT_SIMD | AMDGPUDBG_AT_WAVE;
	if (s->unit != UNIT_WAVE) {
		select.at.wave = 0;
		select.at_mask = AT_SIMD;
	}
	if (s->unit == UNIT_WGP) {
		select.at.simd = 0;
		select.at_mask = AT_WGP;
	}
	/* A wave of another process may be there by now. */
	if (s->unit == UNIT_WAVE && wave && wave->flags & AMDGPUDBG_WAVE_PASID)
		select.pasid = wave->pasid;
	return select;
}

/* ---------------------------------------------------------------------- operations */

static const char *past(enum amdgpudbg_waveop op)
{
	const struct plan plan = { .op = op };

	return plan_done(&plan);
}

/*
 * Resume those that this command has halted. If there are none, resume those that no debugger
 * holds: they were left halted.
 */
static int resume(struct adbg_session *session, struct amdgpudbg_wave_control *c)
{
	struct amdgpudbg_select select = c->select;
	int ret;

	c->select.wave_flags_mask = AMDGPUDBG_WAVE_OWNED;
	c->select.wave_flags = AMDGPUDBG_WAVE_OWNED;
	ret = adbg_wave_control(session, c);
	if (ret || c->matched)
		return ret;
	c->select = select;
	return adbg_wave_control(session, c);
}

static char *fail_text(struct wavectl *w, int error, enum amdgpudbg_waveop op, const char *name)
{
	char **before = w->caught, *text = NULL;

	w->caught = &text;
	fail(w, error, "cannot %s the waves of %s", op_name(op), name);
	w->caught = before;
	return text;
}

static char *result_text(struct wavectl *w, const struct amdgpudbg_wave_control *c,
			 const char *name)
{
	enum amdgpudbg_waveop op = c->op;
	char *text = NULL;

	if (!c->matched) {
		xappend(&text, "no %s wave at %s",
			op == AMDGPUDBG_WAVEOP_RESUME ? "halted" : "live", name);
		return text;
	}
	xappend(&text, "%s %u of %u waves of %s", past(op), c->changed, c->matched, name);
	if (op == AMDGPUDBG_WAVEOP_HALT)
		hold_say_left(w, &text);
	return text;
}

char *control_waves(struct top *t, const struct selection *s, enum amdgpudbg_waveop op)
{
	struct amdgpudbg_wave_control c = {
		.op = op, .mode = AMDGPUDBG_WAVEMODE_SELECT, .select = select_of(t, s),
	};
	struct adbg_session *session = t->gpus[s->gpu].session;
	char *name = selection_name(t, s), *text = NULL;
	int ret;

	if (t->w->dry_run) {
		xappend(&text, "would %s the %zu waves of %s", op_name(op),
			selection_count(t, s), name);
		free(name);
		return text;
	}
	use_target(t->w, s->gpu);
	if (op == AMDGPUDBG_WAVEOP_RESUME)
		ret = resume(session, &c);
	else
		ret = adbg_wave_control(session, &c);
	/* Waves that did not react in time count as not changed. */
	if (ret && ret != -ETIMEDOUT)
		text = fail_text(t->w, ret, op, name);
	else
		text = result_text(t->w, &c, name);
	free(name);
	return text;
}

size_t control_resume_all(struct top *t)
{
	size_t num = 0;

	for (size_t i = 0; i < t->num_gpus; i++) {
		struct amdgpudbg_wave_control c = {
			.op = AMDGPUDBG_WAVEOP_RESUME, .mode = AMDGPUDBG_WAVEMODE_SELECT,
			.select.wave_flags_mask = AMDGPUDBG_WAVE_OWNED,
			.select.wave_flags = AMDGPUDBG_WAVE_OWNED,
		};

		/* What this cannot resume, the end of the session does. */
		if (!adbg_wave_control(t->gpus[i].session, &c))
			num += c.changed;
	}
	return num;
}
