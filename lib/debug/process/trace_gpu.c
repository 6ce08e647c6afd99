// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Recording the trace of a wave on the GPU: the wave executes many instructions, and its trap
 * handler records its registers after each one, without the host (TRAP_HDR_TRACE of trap_abi.h).
 *
 * The wave halts before an instruction that the handler cannot record; the host steps that one.
 * Steps without a trace work in the same way, except that all records are written to the same
 * place.
 */
#include <string.h>

#include "breakpoint.h"
#include "isa/displace_ops.h"
#include "trace.h"
#include "trap_abi.h"
#include "wave.h"

/* In ms. A wave that has recorded nothing for this time is assumed to wait for something. */
#define STILL_MS	300

/* Words of the handler's header, from TRAP_HDR_TRACE on */
enum { TRACE, LEFT, AT_LO, AT_HI, SIZE, VGPRS, STOP_AT, NUM_WORDS };

struct chunk {
	struct adbgd_process *process;
	struct adbgd_trace *trace;	/* NULL: only count the steps */
	struct amdgpudbg_wave wave;	/* its state before the run, then after it */
	uint32_t size;			/* of a record, in bytes; 0: records are not read */
	uint32_t num, left;
	int64_t last_ms;		/* when @left last decreased, in ms */
};

static int write_words(struct adbgd_process *p, uint32_t from, const uint32_t *words,
		       uint32_t num)
{
	return adbg_mem_write(p->session, p->handler.memory_id, TRAP_HDR_TRACE + 4 * from, words,
			      4 * num);
}

/* --------------------------------------------------------- can the handler do it? */

/*
 * Must the wave stop before a patch, for the host to step the replaced instruction?
 *
 * A wave that executes a patch executes the condition program. Steps do not count as hits, so a
 * wave may not do so where a condition counts. The displaced form of an s_branch has no
 * instruction, only a return trap, so the handler would not record that step. At a patch the
 * handler sees the s_trap instead of the replaced instruction, which the host may have to execute.
 * Without records (@keeps is false) nothing shows that a step was in the middle of a displaced
 * instruction, so it would be counted.
 */
static bool has_patch_for_host(const struct adbgd_process *p, bool keeps)
{
	const struct adbgd_breakpoint *b;

	for (b = p->breakpoints.first; b; b = b->next)
		if (b->has_condition && !adbgd_is_stepped(b) &&
		    (!keeps || b->condition.every > 1 || b->condition.nth ||
		     !p->handler.displaced[b->slot].num_copied ||
		     adbgd_displace_gfx10_3.is_for_host(b->insn[0])))
			return true;
	return false;
}

/* A wave that the handler steps is not checked for breakpoints by stepping. */
static bool has_stepped(const struct adbgd_process *p)
{
	const struct adbgd_breakpoint *b = p->breakpoints.first;

	while (b && !adbgd_is_stepped(b))
		b = b->next;
	return b;
}

static bool can_do_next(struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	struct adbgd_memory memory;
	uint32_t insn;

	adbgd_process_get_memory(p, &memory);
	return !adbgd_breakpoint_under(p, wave->pc) &&
	       !memory.read(memory.data, wave->pc, &insn, sizeof(insn)) &&
	       !adbgd_displace_gfx10_3.is_for_host(insn);
}

/* @t: NULL: there is no trace, only count steps */
static bool is_for_handler(struct adbgd_process *p, const struct adbgd_trace *t,
			   const struct amdgpudbg_wave *wave)
{
	if (t && (t->info.num_sgprs != TRAP_RECORD_NUM_SGPRS || t->info.num_vgprs % 4))
		return false;
	return adbgd_wave_has_handler(p, wave) && !adbgd_field(p, wave, "MODE", "DEBUG_EN") &&
	       (t || !has_stepped(p)) && can_do_next(p, wave);
}

/* --------------------------------------------------------------------- resuming */

static int debug(struct chunk *c, uint32_t flags, uint64_t pc)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_DEBUG, .flags = flags,
		.at = c->wave.at, .vmid = c->wave.vmid, .pc = pc,
	};

	return adbg_wave_control(c->process->session, &control);
}

static int set_debug(struct chunk *c, bool on)
{
	return debug(c, AMDGPUDBG_WAVE_CONTROL_EXPECT_PC |
		     (on ? 0 : AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF), c->wave.pc);
}

/*
 * Take the wave out of debug mode, whatever its PC is. An error is ignored: this follows another
 * error, or the wave has ended.
 */
static void stop_debugging(struct chunk *c)
{
	int ret = debug(c, AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF, 0);

	(void)ret;
}

static int mark(struct chunk *c, uint32_t id)
{
	const struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_TTMP, .first = 13, .count = 1,
	};
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE,
		.at = c->wave.at, .vmid = c->wave.vmid,
		.num_ranges = 1, .ranges = (uintptr_t)&range,
		.values = (uintptr_t)&id, .num_values = 1,
	};

	return adbg_reg_access(c->process->session, &access);
}

/* A number that no wave has in TTMP13, so that no wave of an earlier trace writes into this one */
static uint32_t next_id(struct adbgd_process *p)
{
	return ++p->last_trace << (TRAP_TTMP13_TRACED_BIT + 1) | TRAP_TTMP13_TRACED;
}

static int resume_recording(struct chunk *c)
{
	struct adbgd_process *p = c->process;
	const uint32_t words[NUM_WORDS] = {
		[TRACE] = next_id(p), [LEFT] = c->num,
		[AT_LO] = (uint32_t)p->handler.records_va, [AT_HI] = p->handler.records_va >> 32,
		[SIZE] = c->size, [VGPRS] = c->trace ? c->trace->info.num_vgprs : 0,
		[STOP_AT] = has_patch_for_host(p, c->trace) ?
			    adbgd_displace_gfx10_3.s_trap(TRAP_ID_BREAK) : 0,
	};
	int ret = write_words(p, TRACE, words, NUM_WORDS);

	if (!ret)
		ret = mark(c, words[TRACE]);
	if (!ret)
		ret = set_debug(c, true);
	if (ret)
		return ret;
	c->last_ms = adbgd_now_ms();
	ret = adbgd_wave_resume(p, &c->wave);
	if (ret)
		stop_debugging(c);
	return ret;
}

static int read_left(struct chunk *c, uint32_t *left)
{
	return adbg_mem_read(c->process->session, c->process->handler.memory_id,
			     TRAP_HDR_TRACE_LEFT, left, sizeof(*left));
}

static int is_halted(void *arg, struct adbgd_error *error)
{
	struct chunk *c = arg;
	uint32_t left;
	int ret = read_left(c, &left);

	if (ret)
		return adbgd_failed(c->process, error, ret, "the trap handler's memory cannot be "
				    "read");
	if (left != c->left)
		c->last_ms = adbgd_now_ms();
	c->left = left;
	return adbgd_now_ms() - c->last_ms > STILL_MS;
}

/* -------------------------------------------------------------------- after the stop */

/* Is the buffer full, or does the host have to step? Such stops are not reported. */
static bool is_ours(struct chunk *c, uint64_t *pc)
{
	struct adbgd_process *p = c->process;
	struct adbg_trap trap;

	if (!adbgd_wave_pending_trap(p, &c->wave, &trap) || trap.host)
		return false;
	*pc = trap.pc;
	if (trap.id)
		return trap.id == TRAP_ID_BREAK && (adbgd_breakpoint_at(p, trap.pc) ||
						    adbgd_breakpoint_was_at(p, trap.pc));
	if (adbgd_wave_trapped_for(p, &c->wave))
		return false;
	/*
	 * In the middle of a displaced instruction the wave stays there; the next step executes
	 * the rest.
	 */
	if (adbgd_is_in_displaced(p, c->wave.pc) || !adbgd_displaced_around(p, c->wave.pc, pc))
		*pc = c->wave.pc;
	return true;
}

/* Leave debug mode, and mark the stop as reported if it belongs to the trace. */
static int wait_left_handler(struct chunk *c, int now)
{
	enum adbgd_traced traced = ADBGD_TRACED;
	uint64_t pc;
	int ret = 0;

	if (now == ADBGD_WAVE_ENDED)
		return ADBGD_TRACED_TO_END;
	if (now == ADBGD_WAVE_STOPPED) {
		if (is_ours(c, &pc))
			ret = adbgd_wave_move_reported(c->process, &c->wave, pc);
		else
			traced = ADBGD_TRACED_TO_TRAP;
	}
	if (!ret)
		ret = set_debug(c, false);
	return ret ? ret : (int)traced;
}

/* Wait until the wave is halted. Return: enum adbgd_traced or -errno. */
static int wait_for(struct chunk *c, struct adbgd_error *error)
{
	const struct amdgpudbg_wave before = c->wave;
	char name[ADBG_WAVE_NAME_MAX];
	int now = adbgd_wave_wait(c->process, &before, is_halted, c, &c->wave, error), ret;

	/* The wave makes no progress, or the wait was interrupted: halt it where it is. */
	if (now == ADBGD_WAVE_LATE)
		now = adbgd_wave_halt(c->process, &before, &c->wave, error);
	if (now < 0) {
		stop_debugging(c);
		return now;
	}
	ret = wait_left_handler(c, now);
	return ret < 0 ? adbgd_failed(c->process, error, ret, "cannot trace wave %s",
				      adbg_wave_name(&before.at, name)) : ret;
}

/* --------------------------------------------------------------------------- records */

static void set_hwreg(struct adbgd_trace *t, const char *name, uint32_t value)
{
	const struct adbg_reg *reg = adbg_reg_find(t->info.gc_version, name);

	if (reg && reg->number < t->info.num_hwregs)
		t->taken[reg->number] = value;
}

static uint32_t without_debug(const struct adbgd_trace *t, uint32_t mode)
{
	const struct adbg_reg *reg = adbg_reg_find(t->info.gc_version, "MODE");

	return mode & ~(1U << adbg_reg_find_field(reg, "DEBUG_EN")->shift);
}

static void copy_record(struct adbgd_trace *t, const uint32_t *r, uint64_t pc)
{
	const struct adbgd_trace_info *info = &t->info;
	uint32_t *to = t->taken;

	memcpy(to, t->words, info->num_hwregs * sizeof(*to));
	set_hwreg(t, "PC_LO", (uint32_t)pc);
	set_hwreg(t, "PC_HI", (uint32_t)(pc >> 32) & 0xffff);
	set_hwreg(t, "STATUS", r[TRAP_RECORD_STATUS / 4]);
	set_hwreg(t, "TRAPSTS", r[TRAP_RECORD_TRAPSTS / 4]);
	set_hwreg(t, "MODE", without_debug(t, r[TRAP_RECORD_MODE / 4]));
	set_hwreg(t, "M0", r[TRAP_RECORD_M0 / 4]);
	set_hwreg(t, "EXEC_LO", r[TRAP_RECORD_EXEC_LO / 4]);
	set_hwreg(t, "EXEC_HI", r[TRAP_RECORD_EXEC_HI / 4]);
	set_hwreg(t, "FLAT_SCRATCH_LO", r[TRAP_RECORD_FLAT_SCRATCH_LO / 4]);
	set_hwreg(t, "FLAT_SCRATCH_HI", r[TRAP_RECORD_FLAT_SCRATCH_HI / 4]);
	to += info->num_hwregs;
	memcpy(to, r + TRAP_RECORD_SGPRS / 4, info->num_sgprs * sizeof(*to));
	to += info->num_sgprs;
	memcpy(to, r + TRAP_RECORD_VGPRS / 4,
	       (size_t)info->lanes * info->num_vgprs * sizeof(*to));
}

/*
 * Add one record to the trace, unless the wave was in the middle of a displaced instruction: then
 * it has not executed the program's instruction yet.
 */
static int take_record(struct chunk *c, const uint32_t *r, struct adbgd_error *error)
{
	uint64_t pc = r[TRAP_RECORD_PC_LO / 4] |
		      (uint64_t)(r[TRAP_RECORD_PC_HI / 4] & TRAP_TTMP1_PC_HI) << 32;
	uint64_t in_program;
	int ret;

	pc = adbgd_canonical(c->process, pc);
	if (adbgd_is_in_displaced(c->process, pc))
		return 0;
	if (!adbgd_displaced_around(c->process, pc, &in_program))
		in_program = pc;
	copy_record(c->trace, r, in_program);
	ret = adbgd_trace_record_words(c->trace, c->trace->taken, error);
	c->trace->info.num_alone += !ret;
	return ret;
}

static int take_records(struct chunk *c, struct adbgd_error *error)
{
	struct adbgd_process *p = c->process;
	uint32_t *records, i, done;
	int ret = read_left(c, &c->left);

	if (!ret && c->left > c->num)
		ret = -EBADMSG;
	if (ret)
		return adbgd_failed(p, error, ret, "cannot read the records of a trace");
	done = c->num - c->left;
	if (!c->trace)
		return 0;
	records = malloc((size_t)done * c->size + 1);
	if (!records)
		return adbgd_no_memory(error, "a trace");
	if (done)
		ret = adbg_mem_read(p->session, p->handler.records_id, 0, records, done * c->size);
	if (ret)
		adbgd_failed(p, error, ret, "cannot read the records of a trace");
	for (i = 0; !ret && i < done; i++)
		ret = take_record(c, records + (size_t)i * c->size / 4, error);
	free(records);
	return ret;
}

static int run(struct chunk *c, struct adbgd_error *error)
{
	const uint32_t none = 0;
	char name[ADBG_WAVE_NAME_MAX];
	int ret = resume_recording(c), traced, over;

	if (ret)
		return adbgd_failed(c->process, error, ret, "cannot trace wave %s",
				    adbg_wave_name(&c->wave.at, name));
	traced = wait_for(c, error);
	/* Without TRACE, a wave that could not be halted writes no more records. */
	over = write_words(c->process, TRACE, &none, 1);
	ret = take_records(c, traced < 0 ? NULL : error);
	if (traced < 0 || ret)
		return traced < 0 ? traced : ret;
	return over ? adbgd_failed(c->process, error, over, "the trap handler's memory cannot be "
				   "written") : traced;
}

/*
 * Execute up to @num steps. Return: enum adbgd_traced, with ADBGD_TRACED also if the handler
 * cannot execute any; or -errno.
 */
static int run_some(struct chunk *c, const struct amdgpudbg_wave_coord *at, uint64_t num,
		    struct adbgd_error *error)
{
	struct adbgd_process *p = c->process;
	int ret = adbgd_wave_find(p, at, &c->wave, error);

	if (ret)
		return ret;
	if (!is_for_handler(p, c->trace, &c->wave))
		return ADBGD_TRACED;
	ret = adbgd_process_make_records(p);
	/* Steps that are only counted can also be executed by the host. */
	if (ret && !c->trace)
		return ADBGD_TRACED;
	if (ret)
		return adbgd_failed(p, error, ret, "cannot allocate a trace buffer in "
				    "process %d",
				    p->info.pid);
	c->num = c->size ? ADBGD_RECORDS_SIZE / c->size : UINT32_MAX;
	if (num < c->num)
		c->num = (uint32_t)num;
	c->left = c->num;
	return run(c, error);
}

int adbgd_trace_on_gpu(struct adbgd_process *process, struct adbgd_trace *trace, uint64_t num,
		       struct adbgd_error *error)
{
	struct chunk c = {
		.process = process, .trace = trace,
		.size = TRAP_RECORD_VGPRS + 4 * trace->info.lanes * trace->info.num_vgprs,
	};

	return run_some(&c, &trace->info.at, num, error);
}

int adbgd_steps_on_gpu(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		       uint64_t *num, struct adbgd_error *error)
{
	struct chunk c = { .process = process };
	int traced = run_some(&c, at, *num, error);

	*num = c.left <= c.num ? c.num - c.left : 0;
	return traced;
}

int adbgd_traced_stop(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      int traced, struct adbgd_traced_at *now, struct adbgd_error *error)
{
	struct adbgd_breakpoint *b;
	struct adbg_trap trap;
	uint64_t pc;
	int ret;

	*now = (struct adbgd_traced_at){
		.stop = { .reason = ADBGD_STOP_WAVE_END, .at = *at },
	};
	if (traced == ADBGD_TRACED_TO_END)
		return 0;
	ret = adbgd_wave_find(process, at, &now->wave, error);
	if (ret && !(ret == -EBUSY && traced == ADBGD_TRACED_TO_TRAP))
		return ret;
	pc = adbgd_wave_get_pc(process, &now->wave);
	b = adbgd_breakpoint_under(process, pc);
	now->stop.reason = ADBGD_STOP_STEP;
	now->stop.pc = pc;
	/* Of a wave that has trapped, the next stop says where it is. */
	if (b && (!b->test.evaluate || (!ret && adbgd_breakpoint_is_at(b, &now->stop))))
		now->stop.breakpoint = b->info.number;
	now->has_undone = adbgd_wave_pending_trap(process, &now->wave, &trap) && !trap.host;
	return 0;
}
