// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading the registers of a halted wave for variables and expressions. A register is read in all
 * lanes at once, because usually the other lanes are needed next.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "context.h"

int adbgd_wave_failed(const struct adbgd_wave_context *c, struct adbgd_error *error, int ret,
		      const char *format, ...)
{
	const char *hint = adbg_strhint(c->session, ret);
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return adbgd_fail(error, ret, "%s: %s%s%s", text, adbg_strerror(c->session, ret),
			  hint ? "; " : "", hint ? hint : "");
}

/* ------------------------------------------------------------------- registers */

static const struct adbgd_register_value *find_value(const struct adbgd_wave_context *c,
						     uint32_t space, uint32_t number)
{
	size_t i;

	for (i = 0; i < c->num_registers; i++) {
		if (c->registers[i].space == space && c->registers[i].number == number)
			return &c->registers[i];
	}
	return NULL;
}

static int read_lanes(const struct adbgd_wave_context *c, struct adbgd_register_value *value)
{
	bool is_vgpr = value->space == AMDGPUDBG_REG_VGPR;
	struct amdgpudbg_reg_range range = {
		.space = value->space, .first = value->number, .count = 1,
		.num_lanes = is_vgpr ? c->lanes : 0,
	};
	struct amdgpudbg_reg_access access = {
		.at = c->wave.at, .vmid = c->wave.vmid,
		.ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)value->lanes, .num_values = is_vgpr ? c->lanes : 1,
	};

	return adbg_reg_access(c->session, &access);
}

/* Read a register of the GPU. */
static int read_gpu(struct adbgd_wave_context *c, uint32_t space, uint32_t number, uint32_t lane,
		    uint32_t *value, struct adbgd_error *error)
{
	const struct adbgd_register_value *known = find_value(c, space, number);
	struct adbgd_register_value read = { .space = space, .number = number };
	char name[ADBG_WAVE_NAME_MAX];
	void *array;
	int ret;

	if (!known) {
		ret = read_lanes(c, &read);
		if (ret)
			return adbgd_wave_failed(c, error, ret, "a register of wave %s cannot "
					    "be read", adbg_wave_name(&c->wave.at, name));
		array = adbgd_grow(c->registers, c->num_registers, &c->room, sizeof(read));
		if (!array)
			return adbgd_no_memory(error, "registers of a wave");
		c->registers = array;
		c->registers[c->num_registers] = read;
		known = &c->registers[c->num_registers++];
	}
	*value = known->lanes[space == AMDGPUDBG_REG_VGPR ? lane : 0];
	return 0;
}

int adbgd_wave_read_hw(struct adbgd_wave_context *c, const char *name, const char *field,
		       uint32_t *value, struct adbgd_error *error)
{
	uint32_t gc_version = adbg_session_get_gc_version(c->session);
	const struct adbg_reg *reg = adbg_reg_find(gc_version, name);
	const struct adbg_field *f = reg && field ? adbg_reg_find_field(reg, field) : NULL;
	int ret;

	if (!reg || (field && !f))
		return adbgd_fail(error, -EOPNOTSUPP, "this GPU has no register %s%s%s", name,
				  field ? "." : "", field ? field : "");
	ret = read_gpu(c, reg->space, reg->number, 0, value, error);
	if (!ret && f)
		*value = adbg_field_value(f, *value);
	return ret;
}

/* Read what follows from the wave's state, or from a hardware register. */
static int read_special(struct adbgd_wave_context *c, uint32_t space, uint32_t number,
			uint32_t *value, struct adbgd_error *error)
{
	bool is_pair = space == ADBGD_REG_EXEC || space == ADBGD_REG_PC;

	if (number > is_pair)
		return adbgd_fail(error, -EINVAL, "there is no such register");
	switch (space) {
	case ADBGD_REG_EXEC:
		*value = c->wave.exec >> 32 * number;
		return 0;
	case ADBGD_REG_PC:
		*value = c->pc >> 32 * number;
		return 0;
	case ADBGD_REG_WAVE:
		*value = adbgd_wave_get_number(c->process, &c->wave.at);
		return 0;
	case ADBGD_REG_M0:
		return adbgd_wave_read_hw(c, "M0", NULL, value, error);
	case ADBGD_REG_SCC:
		return adbgd_wave_read_hw(c, "STATUS", "SCC", value, error);
	default:
		return adbgd_fail(error, -EINVAL, "there is no such register");
	}
}

int adbgd_wave_read_register(struct adbgd_wave_context *c, uint32_t space, uint32_t number,
			     uint32_t lane, uint32_t *value, struct adbgd_error *error)
{
	if (space >= ADBGD_REG_EXEC)
		return read_special(c, space, number, value, error);
	if (space == AMDGPUDBG_REG_VGPR && lane >= c->lanes)
		return adbgd_fail(error, -EINVAL, "the wave has no lane %u", lane);
	return read_gpu(c, space, number, lane, value, error);
}

/* ------------------------------------------------------------------- callbacks */

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	struct adbgd_wave_context *c = data;

	return adbgd_wave_read_register(c, space, number, lane, value, &c->error);
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
		       void *buffer, size_t size)
{
	struct adbgd_wave_context *c = data;

	return adbgd_wave_memory_read(c, space, lane, address, buffer, size, &c->error);
}

static const char *explain(void *data)
{
	const struct adbgd_wave_context *c = data;

	return c->error.text;
}

ADBGD_API struct adbgd_context adbgd_wave_context_get(struct adbgd_wave_context *context,
						      uint32_t lane)
{
	return (struct adbgd_context){
		.read_register = read_register, .read_memory = read_memory, .explain = explain,
		.data = context, .lanes = context->lanes, .lane = lane,
	};
}

/* -------------------------------------------------------------------- contexts */

static int list(struct adbg_session *session, const struct amdgpudbg_wave_coord *at,
		struct adbg_wave_list *waves)
{
	struct amdgpudbg_wave_list what = {
		.select.at = *at, .flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA |
				  AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE,
	};

	return adbg_wave_list_fill(waves, session, &what);
}

/* The wave may have a stop that was not reported yet. */
static int find_halted(struct adbgd_wave_context *c, const struct amdgpudbg_wave_coord *at,
		       struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	struct adbg_wave_list *waves;
	int ret = adbg_wave_list_new(&waves);

	if (ret)
		return adbgd_no_memory(error, "a list of waves");
	ret = list(c->session, at, waves);
	if (ret)
		ret = adbgd_wave_failed(c, error, ret, "the state of %s cannot be read",
					adbg_wave_name(at, name));
	else if (!adbg_wave_list_count(waves))
		ret = adbgd_fail(error, -ENODATA, "there is no wave %s", adbg_wave_name(at, name));
	else
		c->wave = *adbg_wave_list_get(waves, 0);
	adbg_wave_list_free(waves);
	if (!ret && !(c->wave.flags & AMDGPUDBG_WAVE_HALTED))
		return adbgd_fail(error, -EINPROGRESS, "%s is running", adbg_wave_name(at, name));
	return ret;
}

ADBGD_API int adbgd_wave_context_new(struct adbgd_process *process,
				     const struct amdgpudbg_wave_coord *at,
				     struct adbgd_code *code,
				     struct adbgd_wave_context **context,
				     struct adbgd_error *error)
{
	struct adbgd_wave_context *c = calloc(1, sizeof(*c));
	int ret;

	if (!c)
		return adbgd_no_memory(error, "registers of a wave");
	c->process = process;
	c->session = adbgd_process_get_session(process);
	c->pid = adbgd_process_get_info(process)->pid;
	c->code = code;
	ret = find_halted(c, at, error);
	if (ret) {
		free(c);
		return ret;
	}
	c->pc = adbgd_wave_get_pc(process, &c->wave);
	c->lanes = c->wave.flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
	*context = c;
	return 0;
}

ADBGD_API void adbgd_wave_context_free(struct adbgd_wave_context *context)
{
	if (!context)
		return;
	free(context->registers);
	free(context->lds.bytes);
	free(context->private.bytes);
	free(context);
}

ADBGD_API const struct amdgpudbg_wave *
adbgd_wave_context_get_wave(const struct adbgd_wave_context *context)
{
	return &context->wave;
}

ADBGD_API uint64_t adbgd_wave_context_get_pc(const struct adbgd_wave_context *context)
{
	return context->pc;
}

ADBGD_API uint32_t adbgd_wave_context_get_lanes(const struct adbgd_wave_context *context)
{
	return context->lanes;
}
