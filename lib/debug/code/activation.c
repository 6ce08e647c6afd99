// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Registers of the frames of a call chain: those of a caller are where the functions that it has
 * called, one after the other, have left or saved them.
 */
#include "activation.h"

#include <errno.h>

/* ------------------------------------------------------------------ the wave itself */

static int fail_context(struct adbgd_backtrace *bt, int ret)
{
	return adbgd_fail(&bt->error, ret, "%s", adbgd_context_reason(&bt->context, ret));
}

/* Read a register of the wave, with the numbers of adbgd_activation_read(). */
static int read_wave(struct adbgd_backtrace *bt, bool is_vgpr, uint32_t number, uint32_t lane,
		     uint32_t *value)
{
	uint32_t space = is_vgpr ? AMDGPUDBG_REG_VGPR : AMDGPUDBG_REG_SGPR;
	const struct adbgd_context *c = &bt->context;
	int ret;

	if (!is_vgpr && number == ADBGD_S_M0) {
		space = ADBGD_REG_M0;
		number = 0;
	} else if (!is_vgpr && number >= ADBGD_S_EXEC) {
		space = ADBGD_REG_EXEC;
		number -= ADBGD_S_EXEC;
	}
	ret = c->read_register(c->data, space, number, lane, value);
	return ret ? fail_context(bt, ret) : 0;
}

static int read_private(struct adbgd_backtrace *bt, uint32_t lane, uint64_t address,
			uint32_t *value)
{
	const struct adbgd_context *c = &bt->context;
	int ret;

	if (!c->read_memory)
		return adbgd_fail(&bt->error, -ENODATA, "private memory cannot be read");
	ret = c->read_memory(c->data, ADBGD_SPACE_PRIVATE, lane, address, value, sizeof(*value));
	return ret ? fail_context(bt, ret) : 0;
}

/* ------------------------------------------------------------------------ callers */

/* @saved: an address from the stack pointer on entry */
static int read_saved(struct adbgd_backtrace *bt, unsigned int activation, int32_t at,
		      uint32_t lane, uint32_t *value)
{
	uint32_t stack;
	int ret = adbgd_activation_read_entry(bt, activation, false, ADBGD_S_STACK, 0, &stack);

	if (ret)
		return ret;
	if (!bt->code->gpu->flat_scratch)
		stack /= bt->context.lanes;
	return read_private(bt, lane, (uint64_t)stack + at, value);
}

static int read_exec(struct adbgd_backtrace *bt, unsigned int activation, uint64_t *exec)
{
	uint32_t low, high = 0;
	int ret = adbgd_activation_read_entry(bt, activation, false, ADBGD_S_EXEC, 0, &low);

	if (!ret && bt->context.lanes > 32)
		ret = adbgd_activation_read_entry(bt, activation, false, ADBGD_S_EXEC + 1, 0,
						  &high);
	*exec = (uint64_t)high << 32 | low;
	return ret;
}

/* The lane of a value that is in each active lane */
static int choose_lane(struct adbgd_backtrace *bt, unsigned int activation, uint32_t *lane)
{
	uint64_t exec;
	int ret;

	if (*lane != ADBGD_EACH_LANE)
		return 0;
	ret = read_exec(bt, activation, &exec);
	if (!ret && !exec)
		ret = adbgd_fail(&bt->error, -ENODATA, "no lane was active when %s was called",
				 bt->activations[activation].name);
	if (!ret)
		*lane = __builtin_ctzll(exec);
	return ret;
}

static int read_place(struct adbgd_backtrace *bt, unsigned int activation,
		      const struct adbgd_saved_place *place, uint32_t lane, uint32_t *value)
{
	int ret;

	switch (place->where) {
	case ADBGD_SAVED_IN_SGPR:
		ret = adbgd_activation_read(bt, activation, false, place->number, 0, value);
		break;
	case ADBGD_SAVED_IN_LANE:
	case ADBGD_SAVED_IN_VGPR:
		ret = adbgd_activation_read(bt, activation, true, place->number, lane, value);
		break;
	default:
		ret = read_saved(bt, activation, place->at, lane, value);
		break;
	}
	if (!ret)
		*value -= place->plus;
	return ret;
}

/* A value can be in several places; a function that was called may have changed some. */
static int read_sgpr(struct adbgd_backtrace *bt, unsigned int activation, uint32_t number,
		     uint32_t *value)
{
	const struct adbgd_activation *a = &bt->activations[activation];
	struct adbgd_saved_place place;
	uint32_t next = 0;
	int ret = -ENODATA;

	while (ret == -ENODATA && adbgd_saved_sgpr(a->saved, number, &next, &place)) {
		ret = choose_lane(bt, activation, &place.lane);
		if (!ret)
			ret = read_place(bt, activation, &place, place.lane, value);
	}
	return ret;
}

static int read_vgpr(struct adbgd_backtrace *bt, unsigned int activation, uint32_t number,
		     uint32_t lanes, uint32_t lane, uint32_t *value)
{
	const struct adbgd_activation *a = &bt->activations[activation];
	struct adbgd_saved_place place;
	uint32_t next = 0;
	int ret = -ENODATA;

	while (ret == -ENODATA && adbgd_saved_vgpr(a->saved, number, lanes, &next, &place))
		ret = read_place(bt, activation, &place, lane, value);
	return ret;
}

int adbgd_activation_read_entry(struct adbgd_backtrace *bt, unsigned int activation, bool is_vgpr,
				uint32_t number, uint32_t lane, uint32_t *value)
{
	const struct adbgd_activation *a = &bt->activations[activation];
	uint64_t exec;
	int ret = -ENODATA;

	if (a->saved && !is_vgpr)
		ret = read_sgpr(bt, activation, number, value);
	if (a->saved && is_vgpr)
		ret = read_vgpr(bt, activation, number, ADBGD_LANES_ALL, lane, value);
	/* Maybe only the lanes are known that were active at the call, or the others. */
	if (ret == -ENODATA && a->saved && is_vgpr && !read_exec(bt, activation, &exec))
		ret = read_vgpr(bt, activation, number,
				exec >> lane & 1 ? ADBGD_LANES_ON : ADBGD_LANES_OFF, lane, value);
	if (ret != -ENODATA)
		return ret;
	return adbgd_fail(&bt->error, ret, "%s, or a function that it has called, may have changed "
			  "%c%u, and has not saved it", a->name, is_vgpr ? 'v' : 's', number);
}

int adbgd_activation_read(struct adbgd_backtrace *bt, unsigned int activation, bool is_vgpr,
			  uint32_t number, uint32_t lane, uint32_t *value)
{
	if (++bt->reads > ADBGD_READS_MAX)
		return adbgd_fail(&bt->error, -E2BIG, "it could be in too many places");
	if (!activation)
		return read_wave(bt, is_vgpr, number, lane, value);
	return adbgd_activation_read_entry(bt, activation - 1, is_vgpr, number, lane, value);
}

/* ---------------------------------------------------------------------- callbacks */

static int read_other(struct adbgd_backtrace *bt, const struct adbgd_activation *a, uint32_t space,
		      uint32_t number, uint32_t lane, uint32_t *value)
{
	const struct adbgd_context *c = &bt->context;
	bool is_outer = a != bt->activations;
	int ret;

	if (is_outer && space == ADBGD_REG_PC && number < 2) {
		*value = a->pc >> 32 * number;
		return 0;
	}
	if (is_outer && space == ADBGD_REG_SCC)
		return adbgd_fail(&bt->error, -ENODATA, "SCC is not known in outer frames");
	ret = c->read_register(c->data, space, number, lane, value);
	return ret ? fail_context(bt, ret) : 0;
}

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	struct adbgd_activation *a = data;
	unsigned int i = a - a->of->activations;

	a->of->reads = 0;
	if (space == AMDGPUDBG_REG_VGPR && number < ADBGD_NUM_V)
		return adbgd_activation_read(a->of, i, true, number, lane, value);
	if (space == AMDGPUDBG_REG_SGPR && number < ADBGD_S_VCC + 2)
		return adbgd_activation_read(a->of, i, false, number, lane, value);
	if (space == ADBGD_REG_EXEC && number < 2)
		return adbgd_activation_read(a->of, i, false, ADBGD_S_EXEC + number, lane, value);
	if (space == ADBGD_REG_M0 && !number)
		return adbgd_activation_read(a->of, i, false, ADBGD_S_M0, lane, value);
	return read_other(a->of, a, space, number, lane, value);
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	struct adbgd_activation *a = data;
	const struct adbgd_context *c = &a->of->context;
	int ret = c->read_memory(c->data, space, lane, address, buffer, size);

	return ret ? fail_context(a->of, ret) : 0;
}

static const char *explain(void *data)
{
	const struct adbgd_activation *a = data;

	return a->of->error.text;
}

ADBGD_API struct adbgd_context adbgd_backtrace_get_context(struct adbgd_backtrace *backtrace,
							   size_t i, uint32_t lane)
{
	unsigned int activation = backtrace->entries[i].activation;

	return (struct adbgd_context){
		.read_register = read_register,
		.read_memory = backtrace->context.read_memory ? read_memory : NULL,
		.explain = explain, .data = &backtrace->activations[activation],
		.lanes = backtrace->context.lanes, .lane = lane,
	};
}
