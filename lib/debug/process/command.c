// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What nothing outside of a halted wave can do with it: its trap handler does it, by a command
 * (trap_abi.h), and the wave is as it was afterwards.
 */
#include <time.h>

#include "target.h"
#include "trap_abi.h"

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

static int wait_done(struct adbgd_process *p, uint32_t op)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int64_t end = adbgd_now_ms() + ANSWER_MS;
	uint32_t done;
	int ret;

	for (;;) {
		ret = adbg_mem_read(p->session, p->memory_id, TRAP_HDR_DONE, &done, sizeof(done));
		if (ret || done == op)
			return ret;
		if (adbgd_now_ms() > end)
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
	int ret = adbgd_wave_settle(p, &before->at, &w, NULL);

	if (ret || !w)
		return ret ? ret : -ENODATA;
	now = *w;
	return adbgd_wave_put_ttmp(p, &now, before->ttmp);
}

int adbgd_command(struct adbgd_process *p, const struct amdgpudbg_wave *wave, uint32_t op,
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

int adbgd_command_check(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
			struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];

	if (!adbgd_wave_has_handler(p, wave))
		return adbgd_fail(error, -EOPNOTSUPP, "wave %s began before process %d was "
				  "attached to, and has no trap handler that could do it",
				  adbg_wave_name(&wave->at, name), p->info.pid);
	return 0;
}

int adbgd_command_failed(struct adbgd_process *p, struct adbgd_error *error, int ret,
			 const struct amdgpudbg_wave_coord *at)
{
	char name[ADBG_WAVE_NAME_MAX];

	if (ret == -ETIMEDOUT)
		return adbgd_fail(error, ret, "the trap handler of wave %s gives no answer",
				  adbg_wave_name(at, name));
	return adbgd_failed(p, error, ret, "the trap handler of wave %s does not do it",
			    adbg_wave_name(at, name));
}
