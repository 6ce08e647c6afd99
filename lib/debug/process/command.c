// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Commands that only the trap handler of a halted wave can execute (trap_abi.h). Afterwards the
 * wave has the same state as before.
 */
#include <string.h>
#include <time.h>

#include "command.h"
#include "trap_abi.h"
#include "wave.h"

/*
 * In ms. A command takes some thousand instructions; a wave that has not executed them by then is
 * blocked.
 */
#define ANSWER_MS	10000
#define PAUSE_NS	100000

/* Words of the handler's header, from TRAP_HDR_OP on */
enum { OP, MAILBOX, COUNT, LDS, FROM_LDS, DONE, NUM_WORDS };

static int write_words(struct adbgd_process *p, uint32_t from, const uint32_t *words,
		       uint32_t num)
{
	return adbg_mem_write(p->session, p->handler.memory_id, TRAP_HDR_OP + 4 * from, words,
			      4 * num);
}

/* Write OP last: an unexpected trap with the same ID then finds a complete command, or none. */
static int write_command(struct adbgd_process *p, const uint32_t words[NUM_WORDS])
{
	int ret = write_words(p, MAILBOX, words + MAILBOX, NUM_WORDS - MAILBOX);

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
		ret = adbg_mem_read(p->session, p->handler.memory_id, TRAP_HDR_DONE, &done,
				    sizeof(done));
		if (ret || done == op)
			return ret;
		if (adbgd_now_ms() > end)
			return -ETIMEDOUT;
		/* A signal may end the pause early. */
		nanosleep(&pause, NULL);
	}
}

/*
 * Restore the reason for which the wave was halted. The handler writes DONE before it ends, so
 * wait until the wave has left it.
 */
static int restore(struct adbgd_process *p, const struct amdgpudbg_wave *before)
{
	const struct amdgpudbg_wave *w;
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_wait_left_handler(p, &before->at, &w, NULL);

	if (ret || !w)
		return ret ? ret : -ENODATA;
	now = *w;
	return adbgd_wave_mark_reported(p, &now, before->ttmp);
}

int adbgd_command(struct adbgd_process *p, const struct amdgpudbg_wave *wave, uint32_t op,
		  uint32_t address, uint32_t count)
{
	const uint32_t none = 0;
	const uint32_t words[NUM_WORDS] = {
		[OP] = op, [MAILBOX] = adbgd_process_mailbox(p, &wave->at), [COUNT] = count,
		[LDS] = address, [FROM_LDS] = (uint32_t)p->handler.command_buffer - address,
	};
	int ret = write_command(p, words), undone;

	if (ret)
		return ret;
	ret = trap(p, wave);
	if (!ret)
		ret = wait_done(p, op);
	undone = write_words(p, OP, &none, 1);
	if (!ret)
		ret = restore(p, wave);
	return ret ? ret : undone;
}

static bool is_at_barrier(const struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	return adbgd_field(p, wave, "STATUS", "IN_BARRIER");
}

static int check_handler(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
			 struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];

	if (!adbgd_wave_has_handler(p, wave))
		return adbgd_fail(error, -EOPNOTSUPP, "wave %s started before the debugger "
				  "attached to process %d, and has no trap handler",
				  adbg_wave_name(&wave->at, name), p->info.pid);
	return 0;
}

int adbgd_command_check(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
			struct adbgd_error *error)
{
	int ret = check_handler(p, wave, error);
	char name[ADBG_WAVE_NAME_MAX];

	if (!ret && is_at_barrier(p, wave))
		return adbgd_fail(error, -EBUSY, "wave %s waits at a barrier, where it does not "
				  "enter its trap handler", adbg_wave_name(&wave->at, name));
	return ret;
}

int adbgd_command_failed(struct adbgd_process *p, struct adbgd_error *error, int ret,
			 const struct amdgpudbg_wave_coord *at)
{
	char name[ADBG_WAVE_NAME_MAX];

	if (ret == -ETIMEDOUT)
		return adbgd_fail(error, ret, "the trap handler of wave %s does not answer",
				  adbg_wave_name(at, name));
	return adbgd_failed(p, error, ret, "cannot send a command to the trap handler of wave %s",
			    adbg_wave_name(at, name));
}

/* -------------------------------------------------------------------------- LDS */

/*
 * LDS of a halted wave's work-group, which only waves of the group can access.
 */

/*
 * Bytes per unit of SQ_WAVE_LDS_ALLOC.LDS_SIZE: 64 dwords (cwsr_trap_handler_gfx10.asm, Linux
 * 6.1)
 */
#define SIZE_UNIT	256

static int lds_check(struct adbgd_process *p, const struct amdgpudbg_wave *wave, uint32_t address,
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
	if (bytes > ADBGD_COMMAND_BUFFER_SIZE)
		return adbgd_fail(error, -E2BIG, "at most %u bytes at once",
				  ADBGD_COMMAND_BUFFER_SIZE);
	return 0;
}

/* Waves of a work-group: 1024 work-items, 32 in each */
#define GROUP_MAX	32

/* Are two waves in the same work-group? It is in one WGP, see ADBGD_TTMP_GROUP. */
static bool is_in_group(const struct adbgd_process *p, const struct amdgpudbg_wave *a,
			const struct amdgpudbg_wave *b)
{
	static const struct {
		const char *reg, *field;
	} same[] = {
		{ "LDS_ALLOC", "LDS_BASE" }, { "LDS_ALLOC", "LDS_SIZE" }, { "HW_ID2", "WG_ID" },
		{ "HW_ID2", "QUEUE_ID" }, { "HW_ID2", "PIPE_ID" }, { "HW_ID2", "ME_ID" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (adbgd_field(p, a, same[i].reg, same[i].field) !=
		    adbgd_field(p, b, same[i].reg, same[i].field))
			return false;
	return a->at.xcc == b->at.xcc && a->at.se == b->at.se && a->at.sa == b->at.sa &&
	       a->at.wgp == b->at.wgp && adbgd_wave_is_same(a, b);
}

/* List the waves of the group of @wave that do not wait at a barrier. */
static int list_others(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
		       struct amdgpudbg_wave_coord others[GROUP_MAX], size_t *num,
		       struct adbgd_error *error)
{
	int ret = adbgd_waves_list(p, NULL, error);
	const struct amdgpudbg_wave *w;

	*num = 0;
	for (size_t i = 0; !ret && *num < GROUP_MAX && (w = adbg_wave_list_get(p->waves, i)); i++)
		if (!is_at_barrier(p, w) && is_in_group(p, wave, w))
			others[(*num)++] = w->at;
	return ret;
}

/*
 * A wave that waits at a barrier does not enter its handler. Then another wave of its work-group
 * does the work, since all have the same LDS: @wave becomes one that is halted and does not wait.
 */
static int find_substitute(struct adbgd_process *p, struct amdgpudbg_wave *wave,
			   struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX], other[ADBG_WAVE_NAME_MAX];
	struct amdgpudbg_wave_coord others[GROUP_MAX];
	const struct amdgpudbg_wave waiting = *wave;
	struct amdgpudbg_wave found;
	struct adbgd_error why;
	size_t num, i;
	int ret = list_others(p, &waiting, others, &num, error);

	if (ret)
		return ret;
	for (i = 0; i < num; i++) {
		if (adbgd_wave_find(p, &others[i], &found, &why) || is_at_barrier(p, &found) ||
		    !is_in_group(p, &waiting, &found) || check_handler(p, &found, &why))
			continue;
		*wave = found;
		return 0;
	}
	adbg_wave_name(&waiting.at, name);
	if (!num)
		return adbgd_fail(error, -EBUSY, "wave %s waits at a barrier, where it does not enter "
				  "its trap handler; no other wave of its work-group was found",
				  name);
	return adbgd_fail(error, -EBUSY, "wave %s waits at a barrier, where it does not enter its trap "
			  "handler; halt wave %s of the same work-group, which does not wait",
			  name, adbg_wave_name(&others[0], other));
}

/* Find the wave whose handler is to copy this part of LDS. */
static int lds_find(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		    uint32_t address, uint32_t bytes, struct amdgpudbg_wave *wave,
		    struct adbgd_error *error)
{
	int ret = adbgd_wave_find(p, at, wave, error);

	if (!ret)
		ret = lds_check(p, wave, address, bytes, error);
	if (!ret)
		ret = check_handler(p, wave, error);
	return !ret && bytes && is_at_barrier(p, wave) ? find_substitute(p, wave, error) : ret;
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
	int ret = lds_find(process, at, address, bytes, &wave, error);

	if (ret || !bytes)
		return ret;
	ret = adbgd_command(process, &wave, TRAP_OP_LDS_READ, address, bytes / 4);
	if (!ret)
		ret = adbg_mem_read(process->session, process->handler.memory_id,
				    process->handler.command_buffer, buffer, bytes);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}

ADBGD_API int adbgd_lds_write(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at, uint32_t address,
			      const void *buffer, uint32_t bytes, struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret = lds_find(process, at, address, bytes, &wave, error);

	if (ret || !bytes)
		return ret;
	ret = adbg_mem_write(process->session, process->handler.memory_id,
			     process->handler.command_buffer, buffer, bytes);
	if (!ret)
		ret = adbgd_command(process, &wave, TRAP_OP_LDS_WRITE, address, bytes / 4);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}

/* ------------------------------------------------------------------------ VGPRs */

/*
 * Reading all VGPRs of a wave at once: the handler stores a register of all lanes with one
 * instruction, while SQ_IND needs one access for each lane.
 */

/* Number of VGPRs that one instruction of the handler stores */
#define AT_ONCE	4

static int vgprs_check(struct adbgd_process *p, const struct amdgpudbg_wave *wave, uint32_t count,
		       struct adbgd_error *error)
{
	uint32_t num = adbg_wave_num_vgprs(p->info.gc_version, wave);
	char name[ADBG_WAVE_NAME_MAX];

	if (!count || count > num)
		return adbgd_fail(error, -ERANGE, "wave %s has VGPRs 0 to %u",
				  adbg_wave_name(&wave->at, name), num - 1);
	return adbgd_command_check(p, wave, error);
}

/* Copy @count of the @stored VGPRs of each lane from the command buffer. */
static int vgprs_take(struct adbgd_process *p, uint32_t lanes, uint32_t stored, uint32_t count,
		      uint32_t *values)
{
	uint32_t *all = malloc(4UL * lanes * stored), lane;
	int ret;

	if (!all)
		return -ENOMEM;
	ret = adbg_mem_read(p->session, p->handler.memory_id, p->handler.command_buffer, all,
			    4 * lanes * stored);
	for (lane = 0; !ret && lane < lanes; lane++)
		memcpy(values + (size_t)lane * count, all + (size_t)lane * stored, 4UL * count);
	free(all);
	return ret;
}

ADBGD_API int adbgd_vgprs_read(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at, uint32_t count,
			       uint32_t *values, struct adbgd_error *error)
{
	uint32_t stored = (count + AT_ONCE - 1) / AT_ONCE * AT_ONCE, lanes;
	struct amdgpudbg_wave wave;
	int ret = adbgd_wave_find(process, at, &wave, error);

	if (!ret)
		ret = vgprs_check(process, &wave, count, error);
	if (ret)
		return ret;
	lanes = wave.flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
	ret = adbgd_command(process, &wave, TRAP_OP_VGPR_READ, 0, stored);
	if (!ret)
		ret = vgprs_take(process, lanes, stored, count, values);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}

/* ------------------------------------------------------------ STATUS.COND_DBG_* */

/*
 * STATUS.COND_DBG_USER and _SYS, which s_cbranch_cdbguser and similar instructions test.
 */

/*
 * The same bit as in gc_9_0_sh_mask.h and gc_11_0_3_sh_mask.h (Linux 6.12); the header of gc_10_3
 * does not name it.
 */
#define COND_DBG_SHIFT	20

ADBGD_API uint32_t adbgd_wave_get_cond_dbg(const struct adbgd_process *process,
					   const struct amdgpudbg_wave *wave)
{
	const struct adbg_reg *status = adbg_reg_find(process->info.gc_version, "STATUS");

	return adbg_reg_value(status, wave) >> COND_DBG_SHIFT & 3;
}

ADBGD_API int adbgd_wave_set_cond_dbg(struct adbgd_process *process,
				      const struct amdgpudbg_wave_coord *at, uint32_t bits,
				      struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret = bits & ~(ADBGD_COND_DBG_USER | ADBGD_COND_DBG_SYS) ?
		  adbgd_fail(error, -EINVAL, "unknown bits: %#x", bits) :
		  adbgd_wave_find(process, at, &wave, error);

	if (!ret)
		ret = adbgd_command_check(process, &wave, error);
	if (ret)
		return ret;
	ret = adbgd_command(process, &wave, TRAP_OP_COND_DBG, 0, bits);
	return ret ? adbgd_command_failed(process, error, ret, at) : 0;
}
