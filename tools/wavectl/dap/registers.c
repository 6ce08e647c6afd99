// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers and LDS of a wave: see registers.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/out.h"
#include "dap/registers.h"
#include "waves/regs.h"

/* Registers of the wave: those of 64 bits have two names for the library */
static const char *const wave_registers[] = {
	"pc", "exec", "vcc", "m0", "status", "mode", "trapsts", "hw_id1", "hw_id2", "gpr_alloc",
	"lds_alloc", "ib_sts",
};

/* A client that does not ask for a part gets the first words of LDS. */
#define WORDS_MAX	16384

static uint32_t version(const struct scope *scope)
{
	return adbg_session_get_gc_version(scope->d->w->session);
}

static uint32_t lds_bytes(struct scope *scope)
{
	uint32_t bytes = 0;

	ignore_result(adbgd_lds_get_size(scope->d->shell.debugger->process, &scope->focus.wave.at,
					 &bytes, NULL));
	return bytes;
}

uint64_t registers_count(struct scope *scope, enum ref_kind kind)
{
	const struct adbg_reg_file *file = adbg_reg_get_file(version(scope));

	switch (kind) {
	case REF_WAVE:
		return ARRAY_SIZE(wave_registers);
	case REF_SGPRS:
		return file ? file->num_sgpr : 0;
	case REF_VGPRS:
		return adbg_wave_num_vgprs(version(scope), &scope->focus.wave);
	case REF_LDS:
		return lds_bytes(scope) / 4;
	default:
		return 0;
	}
}

/* Read or write one range. Returns 0 or -errno. */
static int access_range(struct scope *scope, struct amdgpudbg_reg_range *range, uint32_t *values,
			uint32_t flags)
{
	struct amdgpudbg_reg_access access = {
		.flags = flags,
		.at = scope->focus.wave.at, .vmid = scope->focus.wave.vmid,
		.ranges = (uintptr_t)range, .num_ranges = 1,
		.values = (uintptr_t)values, .num_values = range->count,
	};

	if (range->space == AMDGPUDBG_REG_VGPR) {
		range->first_lane = scope->lane;
		range->num_lanes = 1;
	}
	return adbg_reg_access(scope->d->w->session, &access);
}

static void push_value(struct json_object *array, const char *name, uint64_t value, int digits,
		       const char *evaluate)
{
	struct json_object *object = json_push(array);
	char text[32];

	snprintf(text, sizeof(text), "0x%0*" PRIx64, digits, value);
	json_put_text(object, "name", name);
	json_put_text(object, "value", text);
	json_put_text(object, "type", digits == 16 ? "64 bits" : "32 bits");
	json_put_number(object, "variablesReference", 0);
	json_put_text(object, "evaluateName", evaluate);
}

static void push_wave_registers(struct scope *scope, struct json_object *array)
{
	for (size_t i = 0; i < ARRAY_SIZE(wave_registers); i++) {
		const char *name = wave_registers[i];
		struct amdgpudbg_reg_range range;
		uint32_t values[2] = { 0 };
		char evaluate[16];
		uint64_t value;

		if (adbg_reg_parse(version(scope), name, &range) || range.count > 2 ||
		    access_range(scope, &range, values, 0))
			continue;
		value = range.count == 2 ? (uint64_t)values[1] << 32 | values[0] : values[0];
		/* In its trap handler, the wave has another PC than in its program. */
		if (!strcmp(name, "pc"))
			value = scope->focus.pc;
		snprintf(evaluate, sizeof(evaluate), "$%s", name);
		push_value(array, name, value, range.count == 2 ? 16 : 8, i < 4 ? evaluate : NULL);
	}
}

static int push_range(struct scope *scope, struct request *r, struct json_object *array,
		      uint32_t space, uint32_t first, uint32_t count)
{
	struct amdgpudbg_reg_range range = { .space = space, .first = first, .count = count };
	uint32_t *values = xcalloc(count + 1, sizeof(*values));
	char name[ADBG_REG_NAME_MAX], evaluate[ADBG_REG_NAME_MAX + 1];
	int ret = count ? access_range(scope, &range, values, 0) : 0;

	for (uint32_t i = 0; !ret && i < count; i++) {
		reg_shown_name(version(scope), space, first + i, name);
		snprintf(evaluate, sizeof(evaluate), "$%s", name);
		push_value(array, name, values[i], 8, evaluate);
	}
	free(values);
	return ret ? out_fail(r, "cannot read registers: %s",
			      adbg_strerror(scope->d->w->session, ret)) : 0;
}

/* ------------------------------------------------------------------ outer frames */

/* Add a register of a frame that waits for a call: its value, or why that is not known. */
static void push_saved(struct scope *scope, struct json_object *array, uint32_t space,
		       uint32_t number, const char *name)
{
	struct adbgd_context context = focus_context(&scope->focus, scope->lane);
	char *text = NULL, evaluate[ADBG_REG_NAME_MAX + 1];
	struct json_object *object;
	uint32_t value;

	snprintf(evaluate, sizeof(evaluate), "$%s", name);
	if (!context.read_register(context.data, space, number, scope->lane, &value)) {
		push_value(array, name, value, 8, evaluate);
		return;
	}
	xappend(&text, "<%s>", context.explain ? context.explain(context.data) : "not known");
	object = json_push(array);
	json_put_text(object, "name", name);
	json_put_text(object, "value", text);
	json_put_number(object, "variablesReference", 0);
	free(text);
}

/* What else the wave has, such as its status, is not that of a frame. */
static void push_saved_wave(struct scope *scope, struct json_object *array)
{
	push_value(array, "pc", scope->frame.pc, 16, "$pc");
	push_value(array, "exec", scope->focus.wave.exec, 16, "$exec");
}

static void push_saved_range(struct scope *scope, struct json_object *array, uint32_t space,
			     uint32_t first, uint32_t count)
{
	char name[ADBG_REG_NAME_MAX];

	for (uint32_t i = first; i < first + count; i++) {
		reg_shown_name(version(scope), space, i, name);
		push_saved(scope, array, space, i, name);
	}
}

/* --------------------------------------------------------------------------- LDS */

static int push_lds(struct scope *scope, struct request *r, struct json_object *array,
		    uint32_t first, uint32_t count)
{
	uint32_t *words = xcalloc(count + 1, sizeof(*words));
	struct adbgd_error error;
	int ret = count ? adbgd_lds_read(scope->d->shell.debugger->process,
					 &scope->focus.wave.at, 4 * first, words, 4 * count,
					 &error) : 0;
	char name[16];

	for (uint32_t i = 0; !ret && i < count; i++) {
		snprintf(name, sizeof(name), "0x%04x", 4 * (first + i));
		push_value(array, name, words[i], 8, NULL);
	}
	free(words);
	return ret ? out_fail(r, "%s", error.text) : 0;
}

int registers_push(struct scope *scope, struct request *r, struct json_object *array,
		   enum ref_kind kind)
{
	uint64_t num = registers_count(scope, kind);
	uint64_t first = json_count(r->arguments, "start", 0);
	uint64_t count = json_count(r->arguments, "count", 0);

	uint32_t space = kind == REF_SGPRS ? AMDGPUDBG_REG_SGPR : AMDGPUDBG_REG_VGPR;

	if (kind == REF_WAVE) {
		if (scope->frame.is_outer)
			push_saved_wave(scope, array);
		else
			push_wave_registers(scope, array);
		return 0;
	}
	if (first > num)
		first = num;
	if (!count || count > num - first)
		count = num - first;
	if (count > WORDS_MAX)
		count = WORDS_MAX;
	if (kind == REF_LDS)
		return push_lds(scope, r, array, (uint32_t)first, (uint32_t)count);
	if (!scope->frame.is_outer)
		return push_range(scope, r, array, space, (uint32_t)first, (uint32_t)count);
	push_saved_range(scope, array, space, (uint32_t)first, (uint32_t)count);
	return 0;
}

int registers_write(struct scope *scope, struct request *r, const char *name, uint64_t value)
{
	uint32_t values[2] = { (uint32_t)value, (uint32_t)(value >> 32) };
	struct amdgpudbg_reg_range range;
	int ret;

	if (scope->frame.is_outer)
		return out_fail(r, "the frame waits for a call; only registers of the innermost frame "
				"can be changed");
	if (adbg_reg_parse(version(scope), name, &range) || range.count > 2)
		return out_fail(r, "there is no register '%s'", name);
	if (range.count == 1 && value > UINT32_MAX)
		return out_fail(r, "%s has 32 bits", name);
	ret = access_range(scope, &range, values, AMDGPUDBG_REG_ACCESS_WRITE);
	return ret ? out_fail(r, "cannot write %s: %s", name,
			      adbg_strerror(scope->d->w->session, ret)) : 0;
}
