// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Breakpoints: a patch in the program, an s_trap, and a displaced copy of the instruction that it
 * replaces. A wave that is resumed at a breakpoint executes the copy; the patch stays, so that no
 * other wave can pass it unseen. Breakpoints by stepping are in the same list, see stepped.c;
 * breakpoint_remove.c removes patches.
 */
#include <string.h>

#include "breakpoint.h"
#include "poll_fd.h"
#include "trap_abi.h"
#include "wave.h"

static bool is_pending(const struct adbgd_breakpoint *b)
{
	return b->info.flags & ADBGD_BREAKPOINT_PENDING;
}

static bool is_disabled(const struct adbgd_breakpoint *b)
{
	return b->info.flags & ADBGD_BREAKPOINT_DISABLED;
}

static bool has_no_address(const struct adbgd_breakpoint *b)
{
	return b->info.flags & ADBGD_BREAKPOINT_NO_ADDRESS;
}

/* A breakpoint that is disabled or being cleared is pending, but is not set again. */
static bool can_be_set(const struct adbgd_breakpoint *b)
{
	return is_pending(b) && !b->is_clearing && !adbgd_is_out_of_use(b);
}

/* Remember the address, because the event of a wave that has stopped there may still be unread. */
static void record_cleared(struct adbgd_process *p, uint64_t address)
{
	p->breakpoints.cleared[p->breakpoints.num_cleared++ % ADBGD_NUM_CLEARED] = address;
}

struct adbgd_breakpoint *adbgd_breakpoint_under(struct adbgd_process *process,
						uint64_t address)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_at(process, address);
	int ret;

	if (!b || adbgd_is_patched(process, address))
		return b;
	/* Memory that was mapped here before may still have the patch. Remove it there. */
	ret = adbg_vm_unpatch(process->session, address, 4, 0);
	/* Then waves have been able to stop at the patch, and must be resumed without a report. */
	process->lost_events |= !ret;
	record_cleared(process, address);
	b->info.flags |= ADBGD_BREAKPOINT_PENDING;
	adbgd_poll_fd_wake(process);
	return NULL;
}

/* --------------------------------------------------------- setting the patch */

static bool has_old_waves(const struct adbgd_process *p)
{
	const struct amdgpudbg_wave *w;
	size_t i;

	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (!adbgd_wave_has_handler(p, w))
			return true;
	}
	return false;
}

/* Call this after an operation has failed with -EBUSY. */
static bool has_old_jobs(const struct adbgd_process *p)
{
	struct amdgpudbg_busy busy;

	return !adbg_session_get_busy(p->session, &busy) &&
	       busy.cause == AMDGPUDBG_BUSY_VMID_JOBS;
}

/*
 * Load the handler that evaluates all conditions. If jobs that began before the attach prevent
 * that, return 0: their waves may start without the handler, so that no breakpoint is set yet,
 * and no condition is needed.
 */
static int load_or_wait(struct adbgd_process *p, struct adbgd_error *error)
{
	struct adbgd_error why;
	int ret = adbgd_conditions_load(p, &why);

	if (ret == -EBUSY && has_old_jobs(p))
		return 0;
	if (ret && error)
		*error = why;
	return ret;
}

static int write_displaced(struct adbgd_breakpoint *b)
{
	struct adbgd_process *p = b->process;
	const struct adbgd_displaced *copy = &p->handler.displaced[b->slot];

	return adbg_mem_write(p->session, p->handler.code_id,
			      adbgd_breakpoint_displaced(b) - p->handler.code_va, copy->code,
			      4 * copy->num);
}

/*
 * Compare the code with what it was when the breakpoint was set. If it has changed, the displaced
 * copy of the old instruction must not be executed.
 */
static int is_as_before(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	uint32_t insn[ADBGD_MAX_DWORDS];
	size_t length = adbgd_length(b->process->info.gc_version, b->insn);
	int num = adbgd_insert_read(b->process, b->info.address, insn, error);

	if (num < 0)
		return num;
	if ((size_t)num < length || memcmp(insn, b->insn, 4 * length))
		return adbgd_fail(error, -ESTALE, "the instruction at %#llx has changed since "
				  "breakpoint %u was set",
				  (unsigned long long)b->info.address, b->info.number);
	return 0;
}

static int arm_stepped(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	int ret = adbgd_stepped_enable(b->process, error);

	if (!ret)
		b->info.flags &= ~ADBGD_BREAKPOINT_PENDING;
	return ret;
}

static int arm(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	uint32_t trap = adbgd_patch_insn();
	int ret = is_as_before(b, error);

	if (ret)
		return ret;
	ret = write_displaced(b);
	/*
	 * Patch after writing the displaced instruction, because patching invalidates the
	 * instruction caches.
	 */
	if (!ret)
		ret = adbg_vm_patch(b->process->session, b->info.address, &trap, 4);
	/* The breakpoint stays pending: waves may still start without the handler. */
	if (ret == -EBUSY && has_old_jobs(b->process))
		return 0;
	if (ret)
		return adbgd_failed(b->process, error, ret,
				    "cannot set a breakpoint at %#llx",
				    (unsigned long long)b->info.address);
	b->info.flags &= ~ADBGD_BREAKPOINT_PENDING;
	return 0;
}

bool adbgd_breakpoints_pending(const struct adbgd_process *process)
{
	const struct adbgd_breakpoint *b = process->breakpoints.first;

	while (b && !can_be_set(b))
		b = b->next;
	return b;
}

static void clear_over(struct adbgd_process *p)
{
	struct adbgd_breakpoint *b, *next;

	for (b = p->breakpoints.first; b; b = next) {
		next = b->next;
		if (b->is_expired && adbgd_breakpoint_expire(b))
			return;
	}
}

int adbgd_breakpoints_arm(struct adbgd_process *process,
			  const struct adbgd_breakpoint *wanted, struct adbgd_error *error)
{
	struct adbgd_breakpoint *b;
	int ret, of_wanted = 0;

	clear_over(process);
	if (!adbgd_breakpoints_pending(process))
		return 0;
	adbgd_poll_fd_wake(process);
	/*
	 * Set the handler before listing the waves, so that waves that start after the list have
	 * it.
	 */
	ret = adbgd_process_set_handler(process, error);
	if (!ret)
		ret = adbgd_waves_list(process, NULL, error);
	if (ret || has_old_waves(process))
		return ret;
	ret = load_or_wait(process, error);
	if (ret || !process->handler.has_conditions)
		return ret;
	for (b = process->breakpoints.first; b; b = b->next) {
		if (!can_be_set(b))
			continue;
		ret = (adbgd_is_stepped(b) ? arm_stepped : arm)(b, b == wanted ? error : NULL);
		if (b == wanted)
			of_wanted = ret;
	}
	return of_wanted;
}

/*
 * Also remove patches that may have survived a reset. Otherwise the module would refuse to set
 * them again.
 */
void adbgd_breakpoints_invalidate(struct adbgd_process *process)
{
	struct adbgd_breakpoint *b;

	for (b = process->breakpoints.first; b; b = b->next) {
		/* Poll for waves that have stopped at the patch before it was removed. */
		if (!is_pending(b) && !adbgd_is_stepped(b) &&
		    !adbg_vm_unpatch(process->session, b->info.address, 4, 0))
			process->lost_events = true;
		b->info.flags |= ADBGD_BREAKPOINT_PENDING;
	}
}

void adbgd_breakpoints_check_code(struct adbgd_process *process)
{
	struct adbgd_breakpoint *b;

	for (b = process->breakpoints.first; b; b = b->next) {
		if (!is_pending(b) && !adbgd_is_stepped(b))
			(void)adbgd_breakpoint_under(process, b->info.address);
	}
}

bool adbgd_breakpoint_was_at(struct adbgd_process *process, uint64_t address)
{
	uint32_t i, insn;

	for (i = 0; i < ADBGD_NUM_CLEARED && i < process->breakpoints.num_cleared; i++) {
		if (process->breakpoints.cleared[i] == address)
			return adbg_vm_read(process->session, process->info.pid, address, &insn,
					    sizeof(insn)) || insn != adbgd_patch_insn();
	}
	return false;
}

void adbgd_breakpoints_free(struct adbgd_process *process)
{
	struct adbgd_breakpoint *next;

	for (; process->breakpoints.first; process->breakpoints.first = next) {
		next = process->breakpoints.first->next;
		adbgd_breakpoint_drop_test(process->breakpoints.first);
		free(process->breakpoints.first);
	}
}

/* ----------------------------------------------------------------- preparing */

static int prepare(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	struct adbgd_process *p = b->process;
	unsigned long long address = b->info.address;
	struct adbgd_memory memory;
	struct adbgd_displaced copy;
	int length, ret;
	uint32_t slot;

	adbgd_process_get_memory(p, &memory);
	length = adbgd_insert_check(p, &memory, address, b->insn, error);
	if (length < 0 || adbgd_is_stepped(b))
		return length < 0 ? length : 0;
	ret = adbgd_displace(p->info.gc_version, b->insn, length, address, &copy);
	if (ret)
		return adbgd_fail(error, ret, "cannot set a breakpoint at %#llx: the "
				  "instruction there, %#x, cannot be executed at another "
				  "address", address, b->insn[0]);
	/* Not &b->slot: a slot of a breakpoint in the list is in use. */
	ret = adbgd_displaced_take_slot(p, &copy, &slot, error);
	if (!ret)
		b->slot = slot;
	return ret;
}

/* ------------------------------------------------------------------- set, clear */

static void add(struct adbgd_process *p, struct adbgd_breakpoint *b)
{
	struct adbgd_breakpoint **end = &p->breakpoints.first;

	while (*end)
		end = &(*end)->next;
	*end = b;
}

static void unlink_and_free(struct adbgd_breakpoint *b)
{
	struct adbgd_breakpoint **at = &b->process->breakpoints.first;
	struct adbgd_process *p = b->process;

	if (!adbgd_is_stepped(b) && !b->is_clearing && !has_no_address(b))
		record_cleared(p, b->info.address);
	p->handler.has_conditions &= !adbgd_is_in_handler(b);
	while (*at != b)
		at = &(*at)->next;
	*at = b->next;
	adbgd_breakpoint_drop_test(b);
	free(b);
}

uint64_t adbgd_canonical(const struct adbgd_process *process, uint64_t address)
{
	uint64_t sign = 1ULL << (process->va_bits - 1);

	return address >> process->va_bits ? address : (address ^ sign) - sign;
}

static int check_address(struct adbgd_process *process, uint64_t address, uint32_t flags,
			 struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_find(process, address, flags);

	if (address % 4)
		return adbgd_fail(error, -EINVAL, "%#llx is not the address of an instruction: "
				  "it is not a multiple of 4", (unsigned long long)address);
	if (b && !b->info.number)
		return adbgd_fail(error, -EEXIST, "an operation runs a wave to %#llx: set the "
				  "breakpoint when it has ended", (unsigned long long)address);
	return b ? adbgd_fail(error, -EEXIST, "a breakpoint is already set at %#llx: number %u",
			      (unsigned long long)address, b->info.number) : 0;
}

static struct adbgd_breakpoint *new_breakpoint(struct adbgd_process *process, uint32_t flags,
					       struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = calloc(1, sizeof(*b));

	if (!b) {
		adbgd_no_memory(error, "a breakpoint");
		return NULL;
	}
	b->process = process;
	if (!(flags & ADBGD_BREAKPOINT_MOMENTARY))
		b->info.number = process->breakpoints.last_number + 1;
	b->info.flags = flags | ADBGD_BREAKPOINT_PENDING;
	return b;
}

/* Set a prepared breakpoint of the list, now or when the waves that prevent it have ended. */
static int insert(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	struct adbgd_process *p = b->process;
	int ret;

	p->handler.has_conditions &= !adbgd_is_in_handler(b);
	ret = load_or_wait(p, error);
	return ret ? ret : adbgd_breakpoints_arm(p, b, error);
}

/* The breakpoint has become one of the process. */
static void take_number(struct adbgd_breakpoint *b, struct adbgd_breakpoint **breakpoint)
{
	b->process->breakpoints.last_number += !!b->info.number;
	b->was_pending = is_pending(b);
	if (breakpoint)
		*breakpoint = b;
}

/* Add a prepared breakpoint to the process. On failure it is freed. */
static int insert_new(struct adbgd_breakpoint *b, const struct adbgd_condition *condition,
		      struct adbgd_breakpoint **breakpoint, struct adbgd_error *error)
{
	int ret = adbgd_condition_assign(b, condition, error);

	if (ret) {
		free(b);
		return ret;
	}
	add(b->process, b);
	ret = insert(b, error);
	if (ret) {
		unlink_and_free(b);
		return ret;
	}
	take_number(b, breakpoint);
	return 0;
}

int adbgd_breakpoint_add(struct adbgd_process *process, uint64_t address, uint32_t flags,
			 const struct adbgd_condition *condition,
			 struct adbgd_breakpoint **breakpoint, struct adbgd_error *error)
{
	struct adbgd_breakpoint *b;
	int ret;

	address = adbgd_canonical(process, address);
	ret = check_address(process, address, flags, error);
	if (ret)
		return ret;
	b = new_breakpoint(process, flags, error);
	if (!b)
		return -ENOMEM;
	b->info.address = address;
	ret = prepare(b, error);
	if (ret) {
		free(b);
		return ret;
	}
	return insert_new(b, condition, breakpoint, error);
}

ADBGD_API int adbgd_breakpoint_set_if(struct adbgd_process *process, uint64_t address,
				      uint32_t flags,
				      const struct adbgd_condition *condition,
				      struct adbgd_breakpoint **breakpoint,
				      struct adbgd_error *error)
{
	if (flags & ~(ADBGD_BREAKPOINT_TEMPORARY | ADBGD_BREAKPOINT_STEPPED))
		return adbgd_fail(error, -EINVAL, "unknown breakpoint flags: %#x", flags);
	return adbgd_breakpoint_add(process, address, flags, condition, breakpoint, error);
}

static int check_insns(const struct adbgd_insn_match *insns, size_t num, uint32_t flags,
		       struct adbgd_error *error)
{
	size_t i;

	if (flags & ~ADBGD_BREAKPOINT_TEMPORARY)
		return adbgd_fail(error, -EINVAL, "unknown breakpoint flags: %#x", flags);
	if (!num || num > ADBGD_MAX_INSN_MATCHES)
		return adbgd_fail(error, -EINVAL, "a breakpoint has 1 to %d instruction patterns, "
				  "not %zu", ADBGD_MAX_INSN_MATCHES, num);
	for (i = 0; i < num; i++) {
		if (insns[i].mask && !(insns[i].value & ~insns[i].mask))
			continue;
		return adbgd_fail(error, -EINVAL, "no instruction can have the value %#x under the "
				  "mask %#x",
				  insns[i].value, insns[i].mask);
	}
	return 0;
}

ADBGD_API int adbgd_breakpoint_set_insn(struct adbgd_process *process,
					const struct adbgd_insn_match *insns, size_t num,
					uint32_t flags,
					const struct adbgd_condition *condition,
					struct adbgd_breakpoint **breakpoint,
					struct adbgd_error *error)
{
	struct adbgd_breakpoint *b;
	int ret = check_insns(insns, num, flags, error);

	if (ret)
		return ret;
	b = new_breakpoint(process, flags | ADBGD_BREAKPOINT_STEPPED, error);
	if (!b)
		return -ENOMEM;
	memcpy(b->info.insns, insns, num * sizeof(*insns));
	b->info.num_insns = num;
	return insert_new(b, condition, breakpoint, error);
}

ADBGD_API int adbgd_breakpoint_set(struct adbgd_process *process, uint64_t address,
				   uint32_t flags, struct adbgd_breakpoint **breakpoint,
				   struct adbgd_error *error)
{
	return adbgd_breakpoint_set_if(process, address, flags, NULL, breakpoint, error);
}

int adbgd_breakpoint_change_condition(struct adbgd_breakpoint *breakpoint,
				      const struct adbgd_condition *condition,
				      struct adbgd_error *error)
{
	struct adbgd_process *p = breakpoint->process;
	struct adbgd_breakpoint before = *breakpoint;
	bool were_loaded = p->handler.has_conditions;
	int ret;

	if (has_no_address(breakpoint))
		return adbgd_fail(error, -EINVAL, "breakpoint %u has no address yet",
				  breakpoint->info.number);
	ret = adbgd_condition_assign(breakpoint, condition, error);
	if (ret)
		return ret;
	breakpoint->test.evaluate = NULL;
	p->handler.has_conditions &= !before.has_condition && !breakpoint->has_condition;
	ret = is_pending(breakpoint) ? load_or_wait(p, error) : adbgd_conditions_load(p, error);
	if (ret) {
		breakpoint->condition = before.condition;
		breakpoint->has_condition = before.has_condition;
		breakpoint->counter = before.counter;
		breakpoint->test = before.test;
		p->handler.has_conditions = were_loaded;
	} else {
		breakpoint->counted = 0;
		adbgd_breakpoint_drop_test(breakpoint);
	}
	return ret;
}

/* If it counts hits, the host does so from now on. */
int adbgd_breakpoint_set_test(struct adbgd_breakpoint *breakpoint,
			      const struct adbgd_host_test *test, struct adbgd_error *error)
{
	struct adbgd_process *p = breakpoint->process;
	struct adbgd_host_test before = breakpoint->test;
	bool were_loaded = p->handler.has_conditions;
	int ret;

	breakpoint->test = *test;
	breakpoint->test.hits = breakpoint->counted;
	breakpoint->test.expression = strdup(test->expression);
	if (!breakpoint->test.expression) {
		breakpoint->test = before;
		return adbgd_no_memory(error, "a condition");
	}
	/* The host counts, and breakpoints by stepping come in another order. */
	p->handler.has_conditions &= !adbgd_is_stepped(breakpoint) &&
				     (!breakpoint->has_condition ||
				      !adbgd_condition_counts(&breakpoint->condition));
	ret = is_pending(breakpoint) ? load_or_wait(p, error) : adbgd_conditions_load(p, error);
	if (ret) {
		free(breakpoint->test.expression);
		breakpoint->test = before;
		p->handler.has_conditions = were_loaded;
	} else {
		free(before.expression);
	}
	return ret;
}

void adbgd_breakpoint_drop_test(struct adbgd_breakpoint *breakpoint)
{
	free(breakpoint->test.expression);
	breakpoint->test = (struct adbgd_host_test){ .evaluate = NULL };
}

ADBGD_API const struct adbgd_condition *
adbgd_breakpoint_get_condition(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->has_condition ? &breakpoint->condition : NULL;
}

/* From here on, no wave stops for the breakpoint. */
static void mark_removed(struct adbgd_breakpoint *b)
{
	struct adbgd_process *p = b->process;

	b->info.flags |= ADBGD_BREAKPOINT_PENDING;
	p->handler.has_conditions &= !adbgd_is_in_handler(b);
	if (!adbgd_is_stepped(b) && !has_no_address(b))
		record_cleared(p, b->info.address);
	if (!adbgd_stepped_exist(p))
		adbgd_stepped_disable(p);
}

/* Waves run to its address: keep it for them, and only for them. */
static int become_momentary(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	int ret = adbgd_breakpoint_change_condition(b, &b->momentary, error);

	if (ret)
		return ret;
	b->info.flags &= ~(ADBGD_BREAKPOINT_TEMPORARY | ADBGD_BREAKPOINT_ONCE);
	b->info.flags |= ADBGD_BREAKPOINT_MOMENTARY;
	b->info.number = 0;
	b->has_momentary = false;
	b->ends_with_momentary = false;
	return 0;
}

static int breakpoint_clear(struct adbgd_breakpoint *breakpoint, struct adbgd_error *error)
{
	struct adbgd_process *p = breakpoint->process;
	bool was_there = breakpoint->is_clearing;
	int ret;

	if (breakpoint->has_momentary && !is_pending(breakpoint))
		return become_momentary(breakpoint, error);
	ret = was_there ? 0 : adbgd_breakpoint_unpatch(breakpoint, &was_there, error);

	if (ret)
		return ret;
	if (was_there && !breakpoint->is_clearing) {
		breakpoint->is_clearing = true;
		mark_removed(breakpoint);
	}
	ret = was_there ? adbgd_breakpoint_resume_removed(breakpoint, error) : 0;
	if (ret)
		return ret;
	unlink_and_free(breakpoint);
	if (!adbgd_stepped_exist(p))
		adbgd_stepped_disable(p);
	return 0;
}

ADBGD_API int adbgd_breakpoint_clear(struct adbgd_breakpoint *breakpoint,
				     struct adbgd_error *error)
{
	return breakpoint_clear(breakpoint, error);
}

ADBGD_API int adbgd_breakpoint_disable(struct adbgd_breakpoint *breakpoint,
				       struct adbgd_error *error)
{
	bool was_there;
	int ret;

	if (is_disabled(breakpoint))
		return 0;
	ret = adbgd_breakpoint_unpatch(breakpoint, &was_there, error);
	if (ret)
		return ret;
	breakpoint->info.flags |= ADBGD_BREAKPOINT_DISABLED;
	mark_removed(breakpoint);
	return was_there ? adbgd_breakpoint_resume_removed(breakpoint, error) : 0;
}

/* Insert a disabled breakpoint again. */
static int reinsert(struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	int ret = b->info.num_insns || has_no_address(b) ? 0 :
		  check_address(b->process, b->info.address, b->info.flags, error);

	if (ret)
		return ret;
	b->info.flags &= ~ADBGD_BREAKPOINT_DISABLED;
	ret = has_no_address(b) ? 0 : insert(b, error);
	if (ret) {
		b->info.flags |= ADBGD_BREAKPOINT_DISABLED;
		mark_removed(b);
	}
	return ret;
}

ADBGD_API int adbgd_breakpoint_enable(struct adbgd_breakpoint *breakpoint, uint32_t flags,
				      struct adbgd_error *error)
{
	uint32_t ends = ADBGD_BREAKPOINT_TEMPORARY | ADBGD_BREAKPOINT_ONCE;
	int ret;

	if (flags & ~ends || flags == ends)
		return adbgd_fail(error, -EINVAL, "unknown breakpoint flags: %#x", flags);
	if (breakpoint->is_clearing || breakpoint->is_expired)
		return adbgd_fail(error, -EAGAIN, "breakpoint %u is being cleared",
				  breakpoint->info.number);
	ret = is_disabled(breakpoint) ? reinsert(breakpoint, error) : 0;
	if (ret || !flags)
		return ret;
	breakpoint->info.flags &= ~ends;
	breakpoint->info.flags |= flags;
	return 0;
}

/* ------------------------------------------------------- breakpoints without an address */

static void forget_address(struct adbgd_breakpoint *b)
{
	b->info.address = 0;
	b->info.flags |= ADBGD_BREAKPOINT_NO_ADDRESS | ADBGD_BREAKPOINT_PENDING;
	b->slot = ADBGD_NO_SLOT;
	b->has_condition = false;
	adbgd_breakpoint_drop_test(b);
	b->has_momentary = false;
}

ADBGD_API int adbgd_breakpoint_set_later(struct adbgd_process *process, uint32_t flags,
					 struct adbgd_breakpoint **breakpoint,
					 struct adbgd_error *error)
{
	struct adbgd_breakpoint *b;

	if (flags & ~(ADBGD_BREAKPOINT_TEMPORARY | ADBGD_BREAKPOINT_STEPPED))
		return adbgd_fail(error, -EINVAL, "unknown breakpoint flags: %#x", flags);
	b = new_breakpoint(process, flags, error);
	if (!b)
		return -ENOMEM;
	forget_address(b);
	add(process, b);
	take_number(b, breakpoint);
	return 0;
}

/* Do both stop at the same hits? What is compared may be in other registers of other code. */
static bool counts_alike(const struct adbgd_condition *before, const struct adbgd_condition *now)
{
	return now && now->every == before->every && now->nth == before->nth;
}

ADBGD_API int adbgd_breakpoint_place(struct adbgd_breakpoint *breakpoint, uint64_t address,
				     const struct adbgd_condition *condition,
				     struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = breakpoint;
	int ret;

	address = adbgd_canonical(b->process, address);
	if (!has_no_address(b))
		return adbgd_fail(error, -EINVAL, "breakpoint %u has an address", b->info.number);
	/* Another breakpoint may be set at the address of a disabled one. */
	ret = is_disabled(b) ? 0 : check_address(b->process, address, b->info.flags, error);
	if (ret)
		return ret;
	if (!counts_alike(&b->condition, condition))
		b->counted = 0;
	b->info.address = address;
	ret = prepare(b, error);
	if (!ret)
		ret = adbgd_condition_assign(b, condition, error);
	if (!ret)
		ret = adbgd_condition_set_hits(b, error);
	if (!ret) {
		b->info.flags &= ~ADBGD_BREAKPOINT_NO_ADDRESS;
		ret = is_disabled(b) ? 0 : insert(b, error);
		if (ret)
			mark_removed(b);
	}
	if (ret)
		forget_address(b);
	return ret;
}

ADBGD_API int adbgd_breakpoint_unplace(struct adbgd_breakpoint *breakpoint,
				       struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = breakpoint;
	bool was_there;
	int ret;

	if (has_no_address(b))
		return 0;
	if (b->info.num_insns)
		return adbgd_fail(error, -EINVAL, "breakpoint %u is at instructions of a kind, not "
				  "at an address", b->info.number);
	if (b->is_clearing || b->is_expired || b->ends_with_momentary)
		return adbgd_fail(error, -EAGAIN, "breakpoint %u is being cleared",
				  b->info.number);
	ret = adbgd_breakpoint_unpatch(b, &was_there, error);
	if (ret)
		return ret;
	mark_removed(b);
	ret = was_there ? adbgd_breakpoint_resume_removed(b, error) : 0;
	b->counted = adbgd_condition_get_hits(b);
	forget_address(b);
	return ret;
}

ADBGD_API void adbgd_breakpoint_set_ignore(struct adbgd_breakpoint *breakpoint, uint32_t count)
{
	breakpoint->info.ignore = count;
}

int adbgd_breakpoint_expire(struct adbgd_breakpoint *breakpoint)
{
	int ret;

	breakpoint->is_expired = true;
	if (!(breakpoint->info.flags & ADBGD_BREAKPOINT_ONCE))
		return breakpoint_clear(breakpoint, NULL);
	ret = adbgd_breakpoint_disable(breakpoint, NULL);
	if (is_disabled(breakpoint)) {
		breakpoint->is_expired = false;
		breakpoint->ends_with_momentary = false;
	}
	return ret;
}
