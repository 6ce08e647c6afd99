// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading all registers of a halted wave in one call.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reg.h"

/* Ranges of registers, in the order of their values */
enum { SGPRS, TTMPS, HWREGS, VGPRS, NUM_RANGES };

struct adbg_wave_state {
	struct amdgpudbg_reg_range range[NUM_RANGES];
	uint32_t *values;
	uint32_t capacity;
	uint32_t begin[NUM_RANGES];	/* index of their first value */
	bool valid;
};

ADBG_API int adbg_wave_state_new(struct adbg_wave_state **state)
{
	struct adbg_wave_state *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;

	*state = s;
	return 0;
}

ADBG_API void adbg_wave_state_free(struct adbg_wave_state *state)
{
	if (!state)
		return;

	free(state->values);
	free(state);
}

static void fill_ranges(struct adbg_wave_state *s,
			const struct reg_table *table, uint32_t gc_version,
			const struct amdgpudbg_wave *wave)
{
	uint32_t lanes = wave->flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;

	s->range[SGPRS] = (struct amdgpudbg_reg_range){
		.space = AMDGPUDBG_REG_SGPR, .count = table->file.num_sgpr,
	};
	s->range[TTMPS] = (struct amdgpudbg_reg_range){
		.space = AMDGPUDBG_REG_TTMP, .count = table->file.num_ttmp,
	};
	s->range[HWREGS] = (struct amdgpudbg_reg_range){
		.space = AMDGPUDBG_REG_HW, .count = table->num_hwregs,
	};
	s->range[VGPRS] = (struct amdgpudbg_reg_range){
		.space = AMDGPUDBG_REG_VGPR,
		.count = adbg_wave_num_vgprs(gc_version, wave),
		.num_lanes = lanes,
	};
}

/* Does the wave's record contain the registers that tell its number of VGPRs and lanes? */
static bool is_sized(uint32_t gc_version, const struct amdgpudbg_wave *wave)
{
	const struct adbg_reg *lanes = adbg_reg_find(gc_version, "IB_STS2");

	return adbg_wave_num_vgprs(gc_version, wave) &&
	       (!lanes || adbg_reg_is_known(lanes, wave));
}

static int make_room(struct adbg_wave_state *s, uint32_t num)
{
	uint32_t *values;

	if (num <= s->capacity)
		return 0;

	values = reallocarray(s->values, num, sizeof(*values));
	if (!values)
		return -ENOMEM;
	s->values = values;
	s->capacity = num;
	return 0;
}

static int read_state(struct adbg_wave_state *state,
		      struct adbg_session *session,
		      const struct amdgpudbg_wave *wave)
{
	const struct reg_table *table = adbg_reg_table(session->gc_version);
	struct amdgpudbg_reg_access access = {
		.at = wave->at,
		.vmid = wave->vmid,
		.ranges = (uintptr_t)state->range,
		.num_ranges = NUM_RANGES,
	};
	uint32_t num = 0;
	int ret;

	state->valid = false;
	if (!table)
		return -EOPNOTSUPP;

	fill_ranges(state, table, session->gc_version, wave);
	if (!is_sized(session->gc_version, wave))
		return -EINVAL;
	for (size_t i = 0; i < NUM_RANGES; i++) {
		state->begin[i] = num;
		num += adbg_reg_num_values(&state->range[i], 1);
	}
	ret = make_room(state, num);
	if (ret)
		return ret;

	access.values = (uintptr_t)state->values;
	access.num_values = num;
	ret = adbg_reg_access(session, &access);
	state->valid = !ret;
	return ret;
}

ADBG_API int adbg_wave_state_read(struct adbg_wave_state *state,
				  struct adbg_session *session,
				  const struct amdgpudbg_wave *wave)
{
	return adbg_failed(session, ABOUT_REG_READ,
			   read_state(state, session, wave));
}

ADBG_API uint32_t
adbg_wave_state_get_lanes(const struct adbg_wave_state *state)
{
	return state->valid ? state->range[VGPRS].num_lanes : 0;
}

/* Find the range of a space; NUM_RANGES: there is none. */
static size_t find_range(const struct adbg_wave_state *state, uint32_t space)
{
	size_t i = 0;

	while (i < NUM_RANGES && state->range[i].space != space)
		i++;
	return i;
}

ADBG_API const uint32_t *
adbg_wave_state_get(const struct adbg_wave_state *state, uint32_t space,
		    uint32_t lane, uint32_t *count)
{
	size_t i = find_range(state, space);
	uint32_t lanes = 1;

	if (space == AMDGPUDBG_REG_VGPR)
		lanes = adbg_wave_state_get_lanes(state);
	*count = 0;
	if (!state->valid || i == NUM_RANGES || lane >= lanes)
		return NULL;

	*count = state->range[i].count;
	return state->values + state->begin[i] + (size_t)lane * *count;
}
