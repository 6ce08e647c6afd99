// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Changing registers and memory of a halted wave, for assignments.
 */
#include <errno.h>
#include <string.h>

#include <amdgpudbg-debug-assign.h>

#include "context.h"

/* Write a register of the GPU, and keep it in what was read. */
static int write_gpu(struct adbgd_wave_context *c, uint32_t space, uint32_t number, uint32_t lane,
		     uint32_t value, struct adbgd_error *error)
{
	bool is_vgpr = space == AMDGPUDBG_REG_VGPR;
	struct amdgpudbg_reg_range range = {
		.space = space, .first = number, .count = 1,
		.first_lane = is_vgpr ? lane : 0, .num_lanes = is_vgpr,
	};
	struct amdgpudbg_reg_access access = {
		.at = c->wave.at, .vmid = c->wave.vmid, .flags = AMDGPUDBG_REG_ACCESS_WRITE,
		.ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)&value, .num_values = 1,
	};
	int ret = adbg_reg_access(c->session, &access);
	size_t i;

	if (ret)
		return adbgd_wave_failed(c, error, ret, "the wave's register cannot be written");
	for (i = 0; i < c->num_registers; i++)
		if (c->registers[i].space == space && c->registers[i].number == number)
			c->registers[i].lanes[is_vgpr ? lane : 0] = value;
	return 0;
}

static int write_hw(struct adbgd_wave_context *c, const char *name, uint32_t value,
		    struct adbgd_error *error)
{
	const struct adbg_reg *reg = adbg_reg_find(adbg_session_get_gc_version(c->session), name);

	if (!reg)
		return adbgd_fail(error, -EOPNOTSUPP, "this GPU has no register %s", name);
	return write_gpu(c, reg->space, reg->number, 0, value, error);
}

static int write_exec(struct adbgd_wave_context *c, uint32_t number, uint32_t value,
		      struct adbgd_error *error)
{
	uint32_t shift = 32 * number;
	int ret = write_hw(c, number ? "EXEC_HI" : "EXEC_LO", value, error);

	if (ret)
		return ret;
	c->wave.exec &= ~(0xffffffffULL << shift);
	c->wave.exec |= (uint64_t)value << shift;
	return 0;
}

static int write_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			  uint32_t value)
{
	struct adbgd_wave_context *c = data;

	if (space == ADBGD_REG_EXEC && number < c->lanes / 32)
		return write_exec(c, number, value, &c->error);
	if (space == ADBGD_REG_M0)
		return write_hw(c, "M0", value, &c->error);
	if (space == AMDGPUDBG_REG_SGPR || (space == AMDGPUDBG_REG_VGPR && lane < c->lanes))
		return write_gpu(c, space, number, lane, value, &c->error);
	return adbgd_fail(&c->error, -EINVAL, "this register cannot be changed");
}

static int write_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
			const void *buffer, size_t size)
{
	struct adbgd_wave_context *c = data;

	return adbgd_wave_memory_write(c, space, lane, address, buffer, size, &c->error);
}

static const char *explain(void *data)
{
	const struct adbgd_wave_context *c = data;

	return c->error.text;
}

ADBGD_API struct adbgd_writer adbgd_wave_context_get_writer(struct adbgd_wave_context *context)
{
	return (struct adbgd_writer){
		.write_register = write_register, .write_memory = write_memory,
		.explain = explain, .data = context,
	};
}
