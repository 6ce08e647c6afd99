// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading the registers of a halted wave. A register is read in all lanes at once, because usually
 * the other lanes are needed next.
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
	void *array;
	int ret;

	if (!known) {
		ret = read_lanes(c, &read);
		if (ret)
			return adbgd_fail(error, ret, "%s", adbg_strerror(c->session, ret));
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

/* TTMP registers that the hardware sets when a wave starts (ROCdbgapi, TTMP registers of gfx10) */
#define TTMP_GROUP	8	/* and the next two: x, y, z */
#define TTMP_IN_GROUP	11
#define IN_GROUP_MASK	0x3f	/* which wave of the work-group it is */

ADBGD_API int adbgd_wave_get_group(const struct adbgd_wave_context *context, uint32_t group[3],
				   uint32_t *first_item, struct adbgd_error *error)
{
	const uint32_t needed = AMDGPUDBG_WAVE_TTMP | AMDGPUDBG_WAVE_HAS_HANDLER;
	const struct amdgpudbg_wave *wave = &context->wave;

	if ((wave->flags & needed) != needed)
		return adbgd_fail(error, -ENODATA, "the work-group of the wave is not known, "
				  "because the wave began without a trap handler");
	memcpy(group, wave->ttmp + TTMP_GROUP, 3 * sizeof(*group));
	*first_item = (wave->ttmp[TTMP_IN_GROUP] & IN_GROUP_MASK) * context->lanes;
	return 0;
}

static int read_group(struct adbgd_wave_context *c, uint32_t space, uint32_t number,
		      uint32_t lane, uint32_t *value, struct adbgd_error *error)
{
	uint32_t group[3], first_item;
	int ret = adbgd_wave_get_group(c, group, &first_item, error);

	if (!ret)
		*value = space == ADBGD_REG_ITEM ? first_item + lane : group[number];
	return ret;
}

/* Read what follows from the wave's state, or from a hardware register. */
static int read_special(struct adbgd_wave_context *c, uint32_t space, uint32_t number,
			uint32_t lane, uint32_t *value, struct adbgd_error *error)
{
	uint32_t count = space == ADBGD_REG_EXEC || space == ADBGD_REG_PC ? 2 :
			 space == ADBGD_REG_GROUP ? 3 : 1;

	if (number >= count)
		return adbgd_fail(error, -EINVAL, "there is no such register");
	switch (space) {
	case ADBGD_REG_GROUP:
	case ADBGD_REG_ITEM:
		return read_group(c, space, number, lane, value, error);
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
		return read_special(c, space, number, lane, value, error);
	if (space == AMDGPUDBG_REG_VGPR && lane >= c->lanes)
		return adbgd_fail(error, -EINVAL, "the wave has no lane %u", lane);
	return read_gpu(c, space, number, lane, value, error);
}

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	struct adbgd_wave_context *c = data;

	return adbgd_wave_read_register(c, space, number, lane, value, &c->error);
}

struct adbgd_context adbgd_wave_registers(struct adbgd_wave_context *c)
{
	return (struct adbgd_context){
		.read_register = read_register, .data = c, .lanes = c->lanes,
	};
}
