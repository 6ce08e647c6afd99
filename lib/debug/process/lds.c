// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * LDS of a halted wave's work-group. Nothing else has it: so the wave's trap handler brings
 * it, and takes it.
 */
#include "target.h"
#include "trap_abi.h"

/* SQ_WAVE_LDS_ALLOC.LDS_SIZE: 64 dwords (cwsr_trap_handler_gfx10.asm, Linux 6.1) */
#define SIZE_UNIT	256

static int check(struct adbgd_process *p, const struct amdgpudbg_wave *wave, uint32_t address,
		 uint32_t bytes, struct adbgd_error *error)
{
	uint32_t size = adbgd_field(p, wave, "LDS_ALLOC", "LDS_SIZE") * SIZE_UNIT;
	char name[ADBG_WAVE_NAME_MAX];

	if (address % 4 || bytes % 4)
		return adbgd_fail(error, -EINVAL, "LDS is read and written in words of 4 bytes");
	if (!size)
		return adbgd_fail(error, -ENODATA, "wave %s has no LDS",
				  adbg_wave_name(&wave->at, name));
	if (address > size || bytes > size - address)
		return adbgd_fail(error, -ERANGE, "wave %s has %u bytes of LDS",
				  adbg_wave_name(&wave->at, name), size);
	if (bytes > ADBGD_ARENA_SIZE)
		return adbgd_fail(error, -E2BIG, "not more than %u bytes at once",
				  ADBGD_ARENA_SIZE);
	return 0;
}

/* The wave, if its handler can be told to move that */
static int find(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		uint32_t address, uint32_t bytes, struct amdgpudbg_wave *wave,
		struct adbgd_error *error)
{
	int ret = adbgd_wave_find(p, at, wave, error);

	ret = ret ? ret : check(p, wave, address, bytes, error);
	return ret ? ret : adbgd_command_check(p, wave, error);
}

ADBGD_API int adbgd_lds_get_size(struct adbgd_process *process,
				 const struct amdgpudbg_wave_coord *at, uint32_t *bytes,
				 struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret = adbgd_wave_find(process, at, &wave, error);

	if (!ret)
		*bytes = adbgd_field(process, &wave, "LDS_ALLOC", "LDS_SIZE") * SIZE_UNIT;
	return ret;
}

ADBGD_API int adbgd_lds_read(struct adbgd_process *process,
			     const struct amdgpudbg_wave_coord *at, uint32_t address,
			     void *buffer, uint32_t bytes, struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret = find(process, at, address, bytes, &wave, error);

	if (ret || !bytes)
		return ret;
	ret = adbgd_command(process, &wave, TRAP_OP_LDS_READ, address, bytes / 4);
	ret = ret ? ret : adbg_mem_read(process->session, process->memory_id, process->arena,
					buffer, bytes);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}

ADBGD_API int adbgd_lds_write(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at, uint32_t address,
			      const void *buffer, uint32_t bytes, struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret = find(process, at, address, bytes, &wave, error);

	if (ret || !bytes)
		return ret;
	ret = adbg_mem_write(process->session, process->memory_id, process->arena, buffer,
			     bytes);
	ret = ret ? ret : adbgd_command(process, &wave, TRAP_OP_LDS_WRITE, address, bytes / 4);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}
