// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * LDS of a halted wave. Nothing outside of the wave reads it: its trap handler does, by a
 * command (trap_abi.h), and the wave is as it was afterwards.
 */
#include <string.h>
#include <time.h>

#include "target.h"
#include "trap_abi.h"

/* SQ_WAVE_LDS_ALLOC.LDS_SIZE: 64 dwords (cwsr_trap_handler_gfx10.asm, Linux 6.1) */
#define SIZE_UNIT	256

/* A command is some thousand instructions. A wave that gets no time for them has none. */
#define ANSWER_MS	10000
#define PAUSE_NS	100000

/* Of the header, from OP on */
enum { OP, BOX, COUNT, LDS, FROM_LDS, DONE, NUM_WORDS };

static int write_words(struct adbgd_process *p, uint32_t from, const uint32_t *words,
		       uint32_t num)
{
	return adbg_mem_write(p->session, p->memory_id, TRAP_HDR_OP + 4 * from, words, 4 * num);
}

/* OP last: a trap of somebody else's with that id finds all of it, or nothing. */
static int write_command(struct adbgd_process *p, const uint32_t words[NUM_WORDS])
{
	int ret = write_words(p, BOX, words + BOX, NUM_WORDS - BOX);

	return ret ? ret : write_words(p, OP, words + OP, 1);
}

static int trap(struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_TRAP, .trap_id = TRAP_ID_COMMAND,
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC,
		.at = wave->at, .vmid = wave->vmid, .pc = wave->pc,
	};

	return adbg_wave_control(p->session, &control);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static int wait_done(struct adbgd_process *p, uint32_t op)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int64_t end = now_ms() + ANSWER_MS;
	uint32_t done;
	int ret;

	for (;;) {
		ret = adbg_mem_read(p->session, p->memory_id, TRAP_HDR_DONE, &done, sizeof(done));
		if (ret || done == op)
			return ret;
		if (now_ms() > end)
			return -ETIMEDOUT;
		/* Who is woken up by a signal looks earlier. */
		nanosleep(&pause, NULL);
	}
}

/* Why it stands there is as before; its handler has said DONE before it was out. */
static int restore(struct adbgd_process *p, const struct amdgpudbg_wave *before)
{
	const struct amdgpudbg_wave *w;
	struct amdgpudbg_wave now;
	unsigned int looks = 0;
	int ret;

	do {
		ret = adbgd_waves_list(p, &before->at, NULL);
		w = ret ? NULL : adbg_wave_list_get(p->waves, 0);
	} while (w && !adbgd_wave_is_settled(w) && ++looks < ADBGD_MAX_LOOKS);
	if (ret || !w)
		return ret ? ret : -ENODATA;
	now = *w;
	return adbgd_wave_put_ttmp(p, &now, before->ttmp);
}

static int do_command(struct adbgd_process *p, const struct amdgpudbg_wave *wave, uint32_t op,
		      uint32_t address, uint32_t count)
{
	const uint32_t none = 0;
	const uint32_t words[NUM_WORDS] = {
		[OP] = op, [BOX] = adbgd_process_box(p, &wave->at), [COUNT] = count,
		[LDS] = address, [FROM_LDS] = (uint32_t)p->arena - address,
	};
	int ret = write_command(p, words), undone;

	if (ret)
		return ret;
	ret = trap(p, wave);
	ret = ret ? ret : wait_done(p, op);
	undone = write_words(p, OP, &none, 1);
	ret = ret ? ret : restore(p, wave);
	return ret ? ret : undone;
}

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
	if (!adbgd_wave_has_handler(p, wave))
		return adbgd_fail(error, -EOPNOTSUPP, "wave %s began before process %d was "
				  "attached to, and its LDS cannot be got at",
				  adbg_wave_name(&wave->at, name), p->info.pid);
	return 0;
}

static int fail(struct adbgd_process *p, struct adbgd_error *error, int ret,
		const struct amdgpudbg_wave_coord *at)
{
	char name[ADBG_WAVE_NAME_MAX];

	if (ret == -ETIMEDOUT)
		return adbgd_fail(error, ret, "the trap handler of wave %s gives no answer",
				  adbg_wave_name(at, name));
	return adbgd_failed(p, error, ret, "the LDS of wave %s cannot be got at",
			    adbg_wave_name(at, name));
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
	int ret = adbgd_wave_find(process, at, &wave, error);

	ret = ret ? ret : check(process, &wave, address, bytes, error);
	if (ret || !bytes)
		return ret;
	ret = do_command(process, &wave, TRAP_OP_LDS_READ, address, bytes / 4);
	ret = ret ? ret : adbg_mem_read(process->session, process->memory_id, process->arena,
					buffer, bytes);
	return ret ? fail(process, error, ret, at) : 0;
}

ADBGD_API int adbgd_lds_write(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at, uint32_t address,
			      const void *buffer, uint32_t bytes, struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret = adbgd_wave_find(process, at, &wave, error);

	ret = ret ? ret : check(process, &wave, address, bytes, error);
	if (ret || !bytes)
		return ret;
	ret = adbg_mem_write(process->session, process->memory_id, process->arena, buffer,
			     bytes);
	ret = ret ? ret : do_command(process, &wave, TRAP_OP_LDS_WRITE, address, bytes / 4);
	return ret ? fail(process, error, ret, at) : 0;
}
