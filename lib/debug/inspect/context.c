// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Readers of the registers and memory of a halted wave, for variables and expressions.
 */
#include <errno.h>

#include "context.h"

/* ------------------------------------------------------------------- callbacks */

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
	struct adbgd_context callbacks = adbgd_wave_registers(context);

	callbacks.read_memory = read_memory;
	callbacks.explain = explain;
	callbacks.lane = lane;
	return callbacks;
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
