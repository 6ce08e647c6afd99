// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The waves of a report: their states, registers, work-groups, and the reason why each does not
 * end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pasid.h"
#include "base/util.h"
#include "report/collect_waves.h"
#include "waves/fault.h"
#include "waves/group.h"
#include "waves/hold.h"
#include "waves/wave_insn.h"
#include "waves/wave_names.h"

/* Waves whose registers are read: in lists of many waves, most are in the same state. */
#define MAX_READ	64

/* What several functions need of one wave */
struct described {
	const struct amdgpudbg_wave *wave;
	const struct report_process *process;	/* NULL: unknown */
	uint32_t gc_version;
	const char *insn;			/* NULL: unknown */
};

/* ------------------------------------------------------------------------ reasons */

static void append_fault(const struct collector *c, const struct amdgpudbg_wave *wave,
			 char **reason)
{
	char *fault = fault_of_wave(c->cause->faults, c->cause->num_faults, wave);

	xappend(reason, ": %s",
		fault ? fault : "the address was reported before this command began");
	free(fault);
}

/* What the counters of the wave say that it waits for, such as "VM_CNT=1" */
static void append_counters(const struct described *d, char **reason)
{
	static const char *const names[] = { "VM_CNT", "LGKM_CNT", "VS_CNT", "EXP_CNT" };
	const struct adbg_reg *reg = adbg_reg_find(d->gc_version, "IB_STS");
	const struct adbg_field *field;
	uint32_t value;

	for (size_t i = 0; reg && adbg_reg_is_known(reg, d->wave) && i < ARRAY_SIZE(names); i++) {
		field = adbg_reg_find_field(reg, names[i]);
		value = field ? adbg_field_value(field, adbg_reg_value(reg, d->wave)) : 0;
		if (value)
			xappend(reason, ", %s=%u", names[i], value);
	}
}

static void append_halted(const struct described *d, char **reason)
{
	const struct amdgpudbg_wave *wave = d->wave;

	if (wave->flags & AMDGPUDBG_WAVE_OWNED_BY_OTHER && wave->session_pid)
		xappend(reason, "halted by the debugger of process %d", wave->session_pid);
	else if (wave->flags & AMDGPUDBG_WAVE_OWNED_BY_OTHER)
		xappend(reason, "halted by another debugger");
	else if (wave->flags & AMDGPUDBG_WAVE_BY_HANDLER)
		xappend(reason, "halted by its trap handler");
	else if (wave->flags & AMDGPUDBG_WAVE_HALTED && !(wave->flags & AMDGPUDBG_WAVE_OWNED))
		xappend(reason, "halted");
}

/* The caller frees it. */
static char *reason_of(const struct collector *c, const struct described *d)
{
	char *why = wave_why(d->wave, d->gc_version), *reason = NULL;

	if (why && strstr(why, "MEM_VIOL")) {
		xappend(&reason, "%s", why);
		append_fault(c, d->wave, &reason);
	} else if (why) {
		xappend(&reason, "%s", why);
	} else if (d->wave->flags & AMDGPUDBG_WAVE_FATAL_HALT) {
		xappend(&reason, "fatal halt");
	} else if (d->wave->flags & AMDGPUDBG_WAVE_BARRIER) {
		xappend(&reason, "waits at a barrier");
	} else {
		append_halted(d, &reason);
	}
	if (!reason && d->insn && !strncmp(d->insn, "s_waitcnt", strlen("s_waitcnt"))) {
		xappend(&reason, "waits for memory");
		append_counters(d, &reason);
	}
	if (!reason)
		xappend(&reason, "runs");
	free(why);
	return reason;
}

/* ---------------------------------------------------------------------- registers */

static void put_space(struct json_object *o, const char *key, const struct adbg_wave_state *state,
		      uint32_t space)
{
	uint32_t count;
	const uint32_t *values = adbg_wave_state_get(state, space, 0, &count);

	json_put_words(o, key, values, count);
}

/* Each VGPR with the values of all lanes */
static void put_vgprs(struct json_object *o, const struct adbg_wave_state *state)
{
	uint32_t lanes = adbg_wave_state_get_lanes(state), count, values[64];
	struct json_object *array = json_put_array(o, "vgprs");
	const uint32_t *lane;

	(void)adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, 0, &count);
	for (uint32_t reg = 0, num = count; reg < num; reg++) {
		for (uint32_t i = 0; i < lanes && i < ARRAY_SIZE(values); i++) {
			lane = adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, i, &count);
			values[i] = lane && reg < count ? lane[reg] : 0;
		}
		json_append(array, json_words(values, lanes));
	}
}

static void add_registers(const struct collector *c, struct adbg_wave_state *state,
			  const struct amdgpudbg_wave *wave, struct json_object *o)
{
	struct json_object *registers;

	if (!(wave->flags & AMDGPUDBG_WAVE_HALTED) ||
	    adbg_wave_state_read(state, c->w->session, wave))
		return;
	registers = json_new();
	json_put(o, "registers", registers);
	put_space(registers, "hw", state, AMDGPUDBG_REG_HW);
	put_space(registers, "sgprs", state, AMDGPUDBG_REG_SGPR);
	put_space(registers, "ttmps", state, AMDGPUDBG_REG_TTMP);
	put_vgprs(registers, state);
}

/* -------------------------------------------------------------------------- waves */

static void put_insn(const struct collector *c, struct wave_insns *insns, struct described *d,
		     struct json_object *o)
{
	struct wavectl view = d->process ? d->process->view : *c->w;
	struct wave_insn insn;

	if (!d->process)
		view.pid = 0;
	insn = wave_insn_get(&view, insns, d->wave, NULL, 0);
	d->insn = insn.text;
	json_put_text(o, "instruction", insn.text);
}

static void put_place(const struct described *d, struct json_object *o)
{
	struct place place;

	if (!d->process || !code_name_place(&d->process->debugger, d->wave->pc, &place))
		return;
	json_put_text(o, "place", place.text);
	json_put_text(o, "symbol", place.symbol);
	json_put_text(o, "file", place.file);
	json_put_uint(o, "line", place.line);
}

/* The state that the wave had before it was halted for the report */
static const char *state_before(const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave before = *wave;

	if (before.flags & AMDGPUDBG_WAVE_OWNED && !(before.flags & AMDGPUDBG_WAVE_BY_HANDLER))
		before.flags &= ~AMDGPUDBG_WAVE_HALTED;
	return wave_state(&before);
}

static void add_wave(const struct collector *c, struct wave_insns *insns, struct described *d,
		     struct json_object *o)
{
	const struct amdgpudbg_wave *wave = d->wave;
	const struct adbg_client *client = NULL;
	char name[ADBG_WAVE_NAME_MAX], *reason;

	if (wave->flags & AMDGPUDBG_WAVE_PASID)
		client = pasid_client(c->w, wave->pasid);
	json_put_text(o, "name", adbg_wave_name(&wave->at, name));
	json_put_uint(o, "vmid", wave->vmid);
	if (wave->flags & AMDGPUDBG_WAVE_PASID)
		json_put_uint(o, "pasid", wave->pasid);
	if (client) {
		json_put_uint(o, "pid", client->pid);
		json_put_text(o, "program", client->name);
	}
	json_put_address(o, "pc", wave->pc);
	json_put_address(o, "exec", wave->exec);
	json_put_uint(o, "lanes", wave->flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32);
	json_put_text(o, "state", state_before(wave));
	put_insn(c, insns, d, o);
	put_place(d, o);
	reason = reason_of(c, d);
	json_put_text(o, "reason", reason);
	free(reason);
}

static void add_waves(const struct collector *c, struct json_object *array)
{
	struct wave_insns insns = { 0 };
	struct adbg_wave_state *state;
	const struct amdgpudbg_wave *wave;
	struct described d = { .gc_version = adbg_session_get_gc_version(c->w->session) };
	struct json_object *o;

	if (adbg_wave_state_new(&state))
		out_of_memory();
	for (size_t i = 0; (wave = adbg_wave_list_get(c->list, i)) && !hold_interrupted(); i++) {
		o = json_push(array);
		d.wave = wave;
		d.process = wave->flags & AMDGPUDBG_WAVE_PASID ?
			    collector_process(c, wave->pasid) : NULL;
		add_wave(c, &insns, &d, o);
		if (i < MAX_READ || !collector_has_before(c, i))
			add_registers(c, state, wave, o);
	}
	adbg_wave_state_free(state);
	wave_insns_close(&insns);
}

/* ------------------------------------------------------------------------- groups */

static bool is_equal(struct json_object *a, struct json_object *b, const char *key)
{
	return !strcmp(json_word(a, key), json_word(b, key));
}

/* Waves at the same PC of the same process with the same reason are one row. */
static struct json_object *find_group(struct json_object *groups, struct json_object *wave)
{
	for (size_t i = 0; i < json_object_array_length(groups); i++) {
		struct json_object *group = json_object_array_get_idx(groups, i);
		uint64_t a = 0, b = 0;

		(void)json_uint(group, "vmid", &a);
		(void)json_uint(wave, "vmid", &b);
		if (a == b && is_equal(group, wave, "pc") && is_equal(group, wave, "reason") &&
		    is_equal(group, wave, "state"))
			return group;
	}
	return NULL;
}

static void copy(struct json_object *to, struct json_object *from, const char *key)
{
	struct json_object *value = json_get(from, key);

	if (value)
		json_put(to, key, json_object_get(value));
}

static void add_groups(const struct collector *c, struct json_object *waves)
{
	static const char *const keys[] = {
		"vmid", "pid", "program", "pc", "place", "instruction", "state", "reason",
	};
	struct json_object *groups = json_put_array(c->root, "groups"), *wave, *group;
	uint64_t count;

	for (size_t i = 0; i < json_object_array_length(waves); i++) {
		wave = json_object_array_get_idx(waves, i);
		group = find_group(groups, wave);
		if (group && json_uint(group, "waves", &count)) {
			json_put_uint(group, "waves", count + 1);
			continue;
		}
		group = json_push(groups);
		json_put_uint(group, "waves", 1);
		json_put_text(group, "first", json_text(wave, "name"));
		for (size_t n = 0; n < ARRAY_SIZE(keys); n++)
			copy(group, wave, keys[n]);
	}
}

/* ----------------------------------------------------------------------- barriers */

/* For each work-group in which waves wait for others: all of its waves */
static void add_barriers(const struct collector *c)
{
	struct json_object *array = json_put_array(c->root, "barriers"), *o;
	struct group_member *members = NULL;
	char name[ADBG_WAVE_NAME_MAX];
	int count = group_members(c->list, adbg_session_get_gc_version(c->w->session), &members);
	size_t size;

	for (int first = 0; first < count; first += size) {
		size = group_size(&members[first], count - first);
		if (!members[first].waits || members[first + size - 1].waits)
			continue;
		for (size_t i = first; i < first + size; i++) {
			o = json_push(array);
			json_put_uint(o, "group", members[i].number);
			json_put_text(o, "barrier", members[i].waits ? "waits" : "missing");
			json_put_text(o, "name", adbg_wave_name(&members[i].wave->at, name));
			json_put_address(o, "pc", members[i].wave->pc);
			json_put_text(o, "state", state_before(members[i].wave));
		}
	}
	free(members);
}

void report_collect_waves(struct collector *c)
{
	struct json_object *waves = json_put_array(c->root, "waves");

	add_waves(c, waves);
	add_groups(c, waves);
	add_barriers(c);
}
