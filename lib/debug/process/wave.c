// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waves of a process: listing, testing, moving and resuming them. See wave.h.
 */
#include <string.h>

#include "breakpoint.h"
#include "trap_abi.h"
#include "wave.h"

/* As in TTMP0 and TTMP1 */
#define PC_BITS		48
#define S_TRAP_SIZE	4

int adbgd_waves_list(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     struct adbgd_error *error)
{
	struct amdgpudbg_wave_list what = { .flags = AMDGPUDBG_WAVE_LIST_TTMP };
	int ret;

	if (at) {
		what.select.at = *at;
		what.select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE |
				      AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP |
				      AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE;
	}
	ret = adbg_wave_list_fill(process->waves, process->session, &what);
	return ret ? adbgd_failed(process, error, ret, "cannot list the waves") : 0;
}

bool adbgd_wave_left_handler(const struct amdgpudbg_wave *wave)
{
	return !(wave->flags & AMDGPUDBG_WAVE_PRIV) &&
	       (!(wave->flags & AMDGPUDBG_WAVE_HALTED) || wave->flags & AMDGPUDBG_WAVE_TTMP);
}

bool adbgd_wave_in_handler(const struct adbgd_process *process,
			   const struct amdgpudbg_wave *wave)
{
	(void)process;
	return !adbgd_wave_left_handler(wave);
}

bool adbgd_wave_is_halting(const struct adbgd_process *process,
			   const struct amdgpudbg_wave *wave)
{
	return wave->flags & AMDGPUDBG_WAVE_HALTED && adbgd_wave_in_handler(process, wave);
}

bool adbgd_wave_is_stopping(const struct adbgd_process *process,
			    const struct amdgpudbg_wave *wave)
{
	uint64_t in_code = wave->pc - process->handler.code_va;

	if (!(wave->flags & AMDGPUDBG_WAVE_PRIV))
		return adbgd_wave_in_handler(process, wave);
	return in_code >= ADBGD_NUM_HANDLERS * process->handler.size ||
	       in_code % process->handler.size >= TRAP_STOP;
}

bool adbgd_waves_have(const struct adbgd_process *process, adbgd_wave_test *test)
{
	const struct amdgpudbg_wave *w;
	size_t i;

	for (i = 0; (w = adbg_wave_list_get(process->waves, i)); i++) {
		if (test(process, w))
			return true;
	}
	return false;
}

int adbgd_waves_list_without(struct adbgd_process *process, adbgd_wave_test *test,
			     struct adbgd_error *error)
{
	unsigned int looks = 0;
	int ret;

	do {
		ret = adbgd_waves_list(process, NULL, error);
	} while (!ret && adbgd_waves_have(process, test) && ++looks < ADBGD_MAX_POLLS);
	return ret;
}

int adbgd_wave_wait_left_handler(struct adbgd_process *process,
				 const struct amdgpudbg_wave_coord *at,
				 const struct amdgpudbg_wave **wave, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	unsigned int looks = 0;
	int ret;

	do {
		ret = adbgd_waves_list(process, at, error);
		*wave = ret ? NULL : adbg_wave_list_get(process->waves, 0);
	} while (*wave && !adbgd_wave_left_handler(*wave) && ++looks < ADBGD_MAX_POLLS);
	if (looks == ADBGD_MAX_POLLS)
		ret = adbgd_fail(error, -EAGAIN, "wave %s does not leave its handler",
				 adbg_wave_name(at, name));
	return ret;
}

bool adbgd_wave_is_same(const struct amdgpudbg_wave *before, const struct amdgpudbg_wave *now)
{
	return now->vmid == before->vmid &&
	       (!(now->flags & AMDGPUDBG_WAVE_TTMP) ||
		!memcmp(now->ttmp + ADBGD_TTMP_GROUP, before->ttmp + ADBGD_TTMP_GROUP,
			ADBGD_NUM_TTMP_GROUP * sizeof(*now->ttmp)));
}

struct amdgpudbg_wave_control adbgd_wave_resume_op(const struct amdgpudbg_wave *wave)
{
	return (struct amdgpudbg_wave_control){
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC,
		.at = wave->at, .vmid = wave->vmid, .pc = wave->pc,
	};
}

int adbgd_wave_resume(struct adbgd_process *process, const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_control control = adbgd_wave_resume_op(wave);

	return adbg_wave_control(process->session, &control);
}

int adbgd_waves_resume(struct adbgd_process *process, struct amdgpudbg_batch_op *ops, int num,
		       int *first)
{
	struct amdgpudbg_wave_batch batch = { .flags = AMDGPUDBG_WAVE_BATCH_CONTINUE };
	int done = 0, i, ret = 0;

	/* The module ends a batch early if it takes longer than a second. */
	while (!ret && done < num) {
		batch.ops = (uintptr_t)(ops + done);
		batch.count = num - done;
		ret = adbg_wave_batch(process->session, &batch);
		for (i = done; !ret && i < num && ops[i].error != -ECANCELED; i++) {
			if (ops[i].error && !adbgd_wave_is_gone(ops[i].error) && !*first)
				*first = ops[i].error;
			done++;
		}
	}
	return ret;
}

static bool same_place(uint64_t a, uint64_t b)
{
	return !((a ^ b) << (64 - PC_BITS));
}

/*
 * The trap handler leaves its wave behind the s_trap. When the module removes the patch, it moves
 * the wave back to the instruction; the stop is still pending, and nothing else marks it.
 */
static bool is_where_trapped(const struct amdgpudbg_wave *w, const struct adbg_trap *trap)
{
	if (!trap->id || trap->host)
		return same_place(w->pc, trap->pc);
	return same_place(w->pc, trap->pc + S_TRAP_SIZE) ||
	       (trap->id == TRAP_ID_BREAK && same_place(w->pc, trap->pc));
}

/*
 * The wave has a pending stop as AMDGPUDBG_IOC_TRAP_HANDLER describes it: it is halted where it
 * has trapped, and there is a cause.
 */
bool adbgd_wave_pending_trap(const struct adbgd_process *p, const struct amdgpudbg_wave *w,
			     struct adbg_trap *trap)
{
	const char *cause;

	if (!(w->flags & AMDGPUDBG_WAVE_HALTED) || w->flags & AMDGPUDBG_WAVE_PRIV ||
	    w->vmid != p->info.vmid || !adbgd_wave_has_handler(p, w) ||
	    adbg_wave_get_trap(w, p->info.gc_version, trap) || trap->resumed)
		return false;
	if (!is_where_trapped(w, trap))
		return false;
	return trap->id || trap->host ||
	       adbg_wave_get_causes(w, p->info.gc_version, &cause, 1) ||
	       adbgd_field(p, w, "MODE", "DEBUG_EN");
}

uint32_t adbgd_field(const struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		     const char *reg_name, const char *field_name)
{
	const struct adbg_reg *reg = adbg_reg_find(process->info.gc_version, reg_name);
	const struct adbg_field *field = reg ? adbg_reg_find_field(reg, field_name) : NULL;

	return field ? adbg_field_value(field, adbg_reg_value(reg, wave)) : 0;
}

bool adbgd_wave_is_pending(const struct adbgd_process *process,
			   const struct amdgpudbg_wave *wave)
{
	struct adbg_trap trap;

	return adbgd_wave_pending_trap(process, wave, &trap);
}

/* A wave in another VMID has started before this one was reserved. */
bool adbgd_wave_has_handler(const struct adbgd_process *process,
			    const struct amdgpudbg_wave *wave)
{
	return wave->vmid == process->info.vmid &&
	       adbgd_field(process, wave, "STATUS", "TRAP_EN");
}

/* Write PC, TTMP0, and TTMP1 with @mark, if they still are as in @wave. */
static int write_state(struct adbgd_process *process, struct amdgpudbg_wave *wave, uint64_t pc,
		       const uint32_t *ttmp, uint32_t mark)
{
	const struct adbg_reg *lo = adbg_reg_find(process->info.gc_version, "PC_LO");
	const struct adbg_reg *hi = adbg_reg_find(process->info.gc_version, "PC_HI");
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = lo->number, .count = 1 },
		{ .space = AMDGPUDBG_REG_HW, .first = hi->number, .count = 1 },
		{ .space = AMDGPUDBG_REG_TTMP, .first = 0, .count = 2 },
	};
	uint32_t values[] = {
		(uint32_t)pc, pc >> 32 & 0xffff, ttmp[0], ttmp[1] | mark,
	};
	uint32_t compare[] = {
		(uint32_t)wave->pc, wave->pc >> 32 & 0xffff, wave->ttmp[0], wave->ttmp[1],
	};
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE | AMDGPUDBG_REG_ACCESS_COMPARE,
		.at = wave->at, .vmid = wave->vmid,
		.num_ranges = ARRAY_SIZE(ranges), .ranges = (uintptr_t)ranges,
		.values = (uintptr_t)values, .compare = (uintptr_t)compare,
		.num_values = ARRAY_SIZE(values),
	};
	int ret = adbg_reg_access(process->session, &access);

	if (ret)
		return ret;
	wave->pc = pc;
	wave->ttmp[0] = ttmp[0];
	wave->ttmp[1] = ttmp[1] | mark;
	return 0;
}

int adbgd_wave_move(struct adbgd_process *process, struct amdgpudbg_wave *wave, uint64_t pc)
{
	return write_state(process, wave, pc, wave->ttmp, 0);
}

int adbgd_wave_move_reported(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			     uint64_t pc)
{
	return write_state(process, wave, pc, wave->ttmp, 1U << TRAP_TTMP1_RESUMED_BIT);
}

/* --------------------------------------------------- waves that the caller has halted */

static bool is_kept(const struct adbgd_process *p, uint64_t id)
{
	size_t i = 0;

	while (i < p->num_kept && p->kept[i] != id)
		i++;
	return i < p->num_kept;
}

bool adbgd_wave_is_kept(const struct adbgd_process *process, const struct amdgpudbg_wave *wave)
{
	return wave->id && is_kept(process, wave->id);
}

/* The id of a wave ends when the wave is resumed, and is not used again. */
ADBGD_API int
adbgd_process_keep_halted(struct adbgd_process *process,
			  bool (*wants)(void *data, const struct amdgpudbg_wave *wave),
			  void *data, struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	uint64_t *kept;
	size_t num = 0, i;
	/* A wave has no id while it is in its handler. */
	int ret = adbgd_waves_list_without(process, adbgd_wave_is_halting, error);

	if (ret)
		return ret;
	kept = calloc(adbg_wave_list_count(process->waves) + 1, sizeof(*kept));
	if (!kept)
		return adbgd_no_memory(error, "a list of waves");
	for (i = 0; (w = adbg_wave_list_get(process->waves, i)); i++)
		if (w->flags & AMDGPUDBG_WAVE_HALTED && w->id &&
		    (is_kept(process, w->id) || !wants || wants(data, w)))
			kept[num++] = w->id;
	free(process->kept);
	process->kept = kept;
	process->num_kept = num;
	return 0;
}

void adbgd_wave_keep_again(struct adbgd_process *process, const struct amdgpudbg_wave *before)
{
	struct amdgpudbg_wave now;
	size_t i = 0;

	if (!adbgd_wave_is_kept(process, before) ||
	    adbgd_wave_look_up_halted(process, &before->at, &now) ||
	    !adbgd_wave_is_same(before, &now))
		return;
	while (process->kept[i] != before->id)
		i++;
	process->kept[i] = now.id;
}

int adbgd_wave_look_up_halted(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at,
			      struct amdgpudbg_wave *wave)
{
	struct adbg_wave_list *list = process->waves;
	const struct amdgpudbg_wave *w;
	int ret = adbg_wave_list_new(&process->waves);

	if (!ret) {
		ret = adbgd_waves_list(process, at, NULL);
		w = ret ? NULL : adbg_wave_list_get(process->waves, 0);
		if (w && w->flags & AMDGPUDBG_WAVE_HALTED)
			*wave = *w;
		else if (!ret)
			ret = -ESTALE;
		adbg_wave_list_free(process->waves);
	}
	process->waves = list;
	return ret;
}

int adbgd_wave_make_pending(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			    const struct amdgpudbg_wave *before)
{
	return write_state(process, wave, before->pc, before->ttmp, 0);
}

int adbgd_wave_mark_reported(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			     const uint32_t *ttmp)
{
	return write_state(process, wave, wave->pc, ttmp, 1U << TRAP_TTMP1_RESUMED_BIT);
}

/* ------------------------------------------------------- displaced instructions */

/*
 * Displaced instructions of breakpoints. Each is in a slot in the buffer of the trap handler's
 * code.
 *
 * The content of a slot stays known until the slot is used again, also after the breakpoint was
 * cleared: a wave may still be in it, or have a pending stop in it.
 */

uint64_t adbgd_displaced_va(const struct adbgd_process *process, uint32_t slot)
{
	return process->handler.displaced_va + (uint64_t)slot * ADBGD_DISPLACED_SIZE;
}

uint64_t adbgd_breakpoint_displaced(const struct adbgd_breakpoint *breakpoint)
{
	return adbgd_displaced_va(breakpoint->process, breakpoint->slot);
}

const struct adbgd_displaced *adbgd_displaced_around(const struct adbgd_process *process,
						     uint64_t pc, uint64_t *in_program)
{
	uint64_t slot = (pc - process->handler.displaced_va) / ADBGD_DISPLACED_SIZE;
	const struct adbgd_displaced *copy;

	if (pc < process->handler.displaced_va || slot >= ADBGD_NUM_DISPLACED)
		return NULL;
	copy = &process->handler.displaced[slot];
	return adbgd_displaced_pc(copy, adbgd_displaced_va(process, slot), pc, in_program) ?
	       copy : NULL;
}

bool adbgd_is_in_displaced(const struct adbgd_process *process, uint64_t pc)
{
	uint64_t in_program;
	const struct adbgd_displaced *copy = adbgd_displaced_around(process, pc, &in_program);

	return copy && (pc - process->handler.displaced_va) % ADBGD_DISPLACED_SIZE <
	       4 * copy->num_copied;
}

bool adbgd_is_in_same_displaced(const struct adbgd_process *process, uint64_t pc, uint64_t other)
{
	return adbgd_is_in_displaced(process, pc) && adbgd_is_in_displaced(process, other) &&
	       (pc - process->handler.displaced_va) / ADBGD_DISPLACED_SIZE ==
	       (other - process->handler.displaced_va) / ADBGD_DISPLACED_SIZE;
}

int adbgd_displaced_check(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error)
{
	uint32_t there[ADBGD_DISPLACED_DWORDS];
	const struct adbgd_displaced *copy;
	uint64_t at, in_program;
	int ret;

	if (!adbgd_is_in_displaced(process, pc))
		return 0;
	copy = adbgd_displaced_around(process, pc, &in_program);
	at = pc - (pc - process->handler.displaced_va) % ADBGD_DISPLACED_SIZE;
	ret = adbg_mem_read(process->session, process->handler.code_id,
			    at - process->handler.code_va, there, 4 * copy->num);
	if (ret || !memcmp(there, copy->code, 4 * copy->num))
		return ret;
	return adbgd_fail(error, -EBADMSG, "the program has overwritten the displaced instruction "
			  "of %#llx", (unsigned long long)copy->pc);
}

static bool slot_is_used(const struct adbgd_process *p, uint32_t slot)
{
	const struct adbgd_breakpoint *b;
	const struct amdgpudbg_wave *w;
	size_t i;

	for (b = p->breakpoints.first; b; b = b->next) {
		if (!adbgd_is_stepped(b) && b->slot == slot)
			return true;
	}
	/* A wave may still be in the displaced instruction of a cleared breakpoint. */
	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (w->pc - adbgd_displaced_va(p, slot) < ADBGD_DISPLACED_SIZE)
			return true;
	}
	return false;
}

/*
 * There are twice as many slots as patches. They are used in turn, so that a freed slot stays
 * unused for as long as possible.
 */
int adbgd_displaced_take_slot(struct adbgd_process *process, const struct adbgd_displaced *copy,
			      uint32_t *slot, struct adbgd_error *error)
{
	uint32_t i;
	int ret = adbgd_waves_list(process, NULL, error);

	if (ret)
		return ret;
	for (i = 0; i < ADBGD_NUM_DISPLACED; i++) {
		*slot = (process->handler.next_displaced + i) % ADBGD_NUM_DISPLACED;
		if (slot_is_used(process, *slot))
			continue;
		process->handler.next_displaced = *slot + 1;
		process->handler.displaced[*slot] = *copy;
		return 0;
	}
	return adbgd_fail(error, -ENOSPC, "there are too many breakpoints, or too many waves that "
			  "execute displaced instructions");
}

ADBGD_API uint32_t adbgd_wave_get_number(const struct adbgd_process *process,
					 const struct amdgpudbg_wave_coord *at)
{
	uint32_t mailbox = adbgd_process_mailbox(process, at);

	return mailbox == TRAP_NO_MAILBOX ? 0 : mailbox + 1;
}

ADBGD_API int adbgd_wave_find_number(const struct adbgd_process *process, uint32_t number,
				     struct amdgpudbg_wave_coord *at)
{
	const uint32_t *header = process->handler.header;
	uint32_t n = number - 1;

	if (n >= header[TRAP_HDR_NUM_MAILBOXES / 4])
		return -ENOENT;
	*at = (struct amdgpudbg_wave_coord){ .wave = n % header[TRAP_HDR_NUM_WAVE / 4] };
	n /= header[TRAP_HDR_NUM_WAVE / 4];
	at->simd = n % header[TRAP_HDR_NUM_SIMD / 4];
	n /= header[TRAP_HDR_NUM_SIMD / 4];
	at->wgp = n % header[TRAP_HDR_NUM_WGP / 4];
	n /= header[TRAP_HDR_NUM_WGP / 4];
	at->sa = n % header[TRAP_HDR_NUM_SA / 4];
	at->se = n / header[TRAP_HDR_NUM_SA / 4];
	return 0;
}
