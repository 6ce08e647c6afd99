// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All calls, on waves and processes of other users: see isolate.h.
 */
#include "isolate.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>

#include "busy.h"

static struct amdgpudbg_wave foreign;	/* a wave of another user */
static uint32_t own_vmid;
static uint32_t value;
static struct amdgpudbg_wave room[MAX_WAVES];
static struct amdgpudbg_reg_range range = {
	.space = AMDGPUDBG_REG_SGPR, .first = 0, .count = 1,
};

static struct amdgpudbg_batch_op op;
static struct amdgpudbg_reg_batch_op reg_op;

union any {
	uint32_t size;
	struct amdgpudbg_wave_list list;
	struct amdgpudbg_wave_control control;
	struct amdgpudbg_wave_batch batch;
	struct amdgpudbg_reg_batch reg_batch;
	struct amdgpudbg_reg_access reg;
	struct amdgpudbg_mem_alloc alloc;
	struct amdgpudbg_mem_free free;
	struct amdgpudbg_mem_copy copy;
	struct amdgpudbg_trap_handler handler;
	struct amdgpudbg_watch_set watch;
	struct amdgpudbg_watch_clear unwatch;
	struct amdgpudbg_launch_set launch;
	struct amdgpudbg_event_enable events;
};

static void fill_list(union any *a)
{
	a->list.entry_size = sizeof(room[0]);
	a->list.capacity = MAX_WAVES;
	a->list.waves = (uintptr_t)room;
}

static void fill_snapshot(union any *a)
{
	fill_list(a);
	a->list.flags = AMDGPUDBG_WAVE_LIST_HOLD;
	a->list.select.vmid_mask = 1U << foreign.vmid;
}

static void fill_single(union any *a, uint32_t what)
{
	a->control.op = what;
	a->control.mode = AMDGPUDBG_WAVEMODE_SINGLE;
	a->control.vmid = foreign.vmid;
	a->control.at = foreign.at;
}

static void fill_halt(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_HALT);
}

/* The wave is foreign, the VMID that it is said to be of is not. */
static void fill_halt_lie(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_HALT);
	a->control.vmid = own_vmid;
}

static void fill_halt_any(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_HALT);
	a->control.vmid = 0;
}

static void fill_resume(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_RESUME);
}

static void fill_kill(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_KILL);
}

static void fill_debug(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_DEBUG);
}

static void fill_trap(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_TRAP);
}

static void fill_step(union any *a)
{
	fill_single(a, AMDGPUDBG_WAVEOP_STEP);
}

static void fill_halt_all(union any *a)
{
	a->control.op = AMDGPUDBG_WAVEOP_HALT;
	a->control.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	a->control.vmid = foreign.vmid;
}

static void fill_kill_all(union any *a)
{
	fill_halt_all(a);
	a->control.op = AMDGPUDBG_WAVEOP_KILL;
}

static void fill_halt_cu(union any *a)
{
	fill_halt_all(a);
	a->control.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU;
	a->control.at = foreign.at;
	a->control.at.simd = 0;
	a->control.at.wave = 0;
}

static void fill_batch(union any *a)
{
	union any one = { .control = { .size = sizeof(one.control) } };

	fill_halt(&one);
	op = (struct amdgpudbg_batch_op){ .control = one.control };
	a->batch.entry_size = sizeof(op);
	a->batch.count = 1;
	a->batch.ops = (uintptr_t)&op;
}

static void fill_read(union any *a)
{
	a->reg.at = foreign.at;
	a->reg.vmid = foreign.vmid;
	a->reg.num_ranges = 1;
	a->reg.ranges = (uintptr_t)&range;
	a->reg.values = (uintptr_t)&value;
	a->reg.num_values = 1;
}

static void fill_read_any(union any *a)
{
	fill_read(a);
	a->reg.vmid = 0;
}

static void fill_write(union any *a)
{
	fill_read(a);
	a->reg.flags = AMDGPUDBG_REG_ACCESS_WRITE;
}

static void fill_reg_batch(union any *a)
{
	union any one = { .reg = { .size = sizeof(one.reg) } };

	fill_write(&one);
	reg_op = (struct amdgpudbg_reg_batch_op){ .access = one.reg };
	a->reg_batch.entry_size = sizeof(reg_op);
	a->reg_batch.count = 1;
	a->reg_batch.ops = (uintptr_t)&reg_op;
}

static void fill_alloc(union any *a)
{
	a->alloc.bytes = 4096;
}

static void fill_copy(union any *a)
{
	a->copy.bytes = sizeof(value);
	a->copy.data = (uintptr_t)&value;
}

static void fill_handler(union any *a)
{
	a->handler.tba = 0x600000000000;
	a->handler.tba_size = 256;
}

static void fill_watch(union any *a)
{
	a->watch.mode = AMDGPUDBG_WATCH_ALL;
	a->watch.address = 0x600000000000;
	a->watch.bytes = 4096;
}

static void fill_launch(union any *a)
{
	a->launch.mode = AMDGPUDBG_LAUNCH_HALT;
}

static void fill_excp(union any *a)
{
	a->launch.flags = AMDGPUDBG_LAUNCH_SET_EXCP;
	a->launch.excp_mask = AMDGPUDBG_CAUSE_MEM_VIOL;
}

static void fill_events(union any *a)
{
	a->events.mask = 1ULL << AMDGPUDBG_EVENT_WAVE;
	a->events.entry_size = sizeof(struct amdgpudbg_event);
}

static void fill_nothing(union any *a)
{
	(void)a;
}

/* The expected error for a user without a target, and for one with a target of his own */
#define NOT_TRIED 1
static const struct attempt {
	const char *name;
	unsigned long nr;
	uint32_t size;
	void (*fill)(union any *a);
	int alone;
	int with_target;
} attempts[] = {
#define LIST AMDGPUDBG_IOC_WAVE_LIST, sizeof(struct amdgpudbg_wave_list)
#define SNAPSHOT AMDGPUDBG_IOC_WAVE_SNAPSHOT, sizeof(struct amdgpudbg_wave_list)
#define CONTROL AMDGPUDBG_IOC_WAVE_CONTROL, \
	sizeof(struct amdgpudbg_wave_control)
#define REG AMDGPUDBG_IOC_REG_ACCESS, sizeof(struct amdgpudbg_reg_access)
#define MEM(which, type) AMDGPUDBG_IOC_MEM_##which, \
	sizeof(struct amdgpudbg_mem_##type)
	{ "list", LIST, fill_list, -EPERM, NOT_TRIED },
	{ "snapshot", SNAPSHOT, fill_snapshot, -EPERM, 0 },
	{ "halt", CONTROL, fill_halt, -EPERM, -ENODATA },
	{ "halt, own VMID", CONTROL, fill_halt_lie, -EPERM, -ENODATA },
	{ "halt, any VMID", CONTROL, fill_halt_any, -EPERM, -ENODATA },
	{ "resume", CONTROL, fill_resume, -EPERM, -ENODATA },
	{ "kill", CONTROL, fill_kill, -EPERM, -ENODATA },
	{ "debug", CONTROL, fill_debug, -EPERM, -ENODATA },
	{ "trap", CONTROL, fill_trap, -EPERM, -ENODATA },
	{ "step", CONTROL, fill_step, -EPERM, -ENODATA },
	{ "halt all", CONTROL, fill_halt_all, -EPERM, -ENODATA },
	{ "kill all", CONTROL, fill_kill_all, -EPERM, -ENODATA },
	{ "halt WGP", CONTROL, fill_halt_cu, -EPERM, -ENODATA },
	{ "batch", AMDGPUDBG_IOC_WAVE_BATCH,
	  sizeof(struct amdgpudbg_wave_batch), fill_batch, -EPERM, 0 },
	{ "read", REG, fill_read, -EPERM, -ENODATA },
	{ "read, any VMID", REG, fill_read_any, -EPERM, -ENODATA },
	{ "write", REG, fill_write, -EPERM, -ENODATA },
	{ "batch of accesses", AMDGPUDBG_IOC_REG_BATCH,
	  sizeof(struct amdgpudbg_reg_batch), fill_reg_batch, -EPERM, 0 },
	{ "alloc", MEM(ALLOC, alloc), fill_alloc, -ENOTCONN, NOT_TRIED },
	{ "free", MEM(FREE, free), fill_nothing, -ENOTCONN, -ENOENT },
	{ "copy", MEM(COPY, copy), fill_copy, -ENOTCONN, -ENOENT },
	{ "handler", AMDGPUDBG_IOC_TRAP_HANDLER,
	  sizeof(struct amdgpudbg_trap_handler), fill_handler, -ENOTCONN,
	  NOT_TRIED },
	{ "watch", AMDGPUDBG_IOC_WATCH_SET,
	  sizeof(struct amdgpudbg_watch_set), fill_watch, -ENOTCONN,
	  NOT_TRIED },
	{ "unwatch", AMDGPUDBG_IOC_WATCH_CLEAR,
	  sizeof(struct amdgpudbg_watch_clear), fill_nothing, -ENOENT,
	  -ENOENT },
	{ "launch mode", AMDGPUDBG_IOC_LAUNCH_SET,
	  sizeof(struct amdgpudbg_launch_set), fill_launch, -ENOTCONN,
	  NOT_TRIED },
	{ "exceptions", AMDGPUDBG_IOC_LAUNCH_SET,
	  sizeof(struct amdgpudbg_launch_set), fill_excp, -EPERM, -EPERM },
	{ "events", AMDGPUDBG_IOC_EVENT_ENABLE,
	  sizeof(struct amdgpudbg_event_enable), fill_events, -EPERM,
	  NOT_TRIED },
#undef LIST
#undef CONTROL
#undef REG
#undef MEM
};

static int attempt(struct adbg_session *session, const struct attempt *t)
{
	union any a = { .size = 0 };

	memset(&a, 0, sizeof(a));
	t->fill(&a);
	a.size = t->size;
	value = 0xdeadbeef;
	if (ioctl(adbg_session_get_fd(session), t->nr, &a))
		return -errno;
	/* What may succeed has found nothing. */
	if (t->nr == AMDGPUDBG_IOC_WAVE_LIST)
		assert_int_equal(a.list.count, 0);
	if (t->nr == AMDGPUDBG_IOC_WAVE_BATCH) {
		assert_int_equal(a.batch.done, 0);
		assert_int_equal(op.error, -ENODATA);
	}
	if (t->nr == AMDGPUDBG_IOC_REG_BATCH) {
		assert_int_equal(a.reg_batch.done, 0);
		assert_int_equal(reg_op.error, -ENODATA);
	}

	return 0;
}

static void try_all(struct adbg_session *session, const struct person *victim,
		    bool with_target)
{
	int wanted, got;

	assert_int_equal(see_waves(victim->pasid, waves, MAX_WAVES), WAVES);
	memcpy(&foreign, &waves[1], sizeof(foreign));
	own_vmid = vmid_of(&user);
	assert_true(victim == &user || own_vmid != foreign.vmid);

	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++) {
		wanted = with_target ? attempts[i].with_target :
				       attempts[i].alone;
		if (wanted == NOT_TRIED)
			continue;
		got = attempt(session, &attempts[i]);
		if (got != wanted)
			fail_msg("%s: %d, not %d", attempts[i].name, got,
				 wanted);
		assert_int_equal(value, 0xdeadbeef);
		assert_runs(victim);
	}
}

void without_a_target_nothing_can_be_done(void **state)
{
	struct adbg_session *session = open_session();

	(void)state;
	try_all(session, &other, false);
	try_all(session, &root, false);
	try_all(session, &user, false);
	adbg_session_close(session);
}

void with_a_target_nothing_can_be_done_to_others(void **state)
{
	struct adbg_session *session = open_on(&user);

	(void)state;
	try_all(session, &other, true);
	try_all(session, &root, true);
	/* Also while one's own waves are halted. */
	halt(session, &user);
	try_all(session, &other, true);
	adbg_session_close(session);
}

/* Root has halted them: a user can neither see that nor change it. */
void waves_halted_by_root_stay_halted(void **state)
{
	struct adbg_session *session = open_on(&user), *roots;
	unsigned int count;

	(void)state;
	be(ROOT, true);
	roots = open_session();
	halt(roots, &other);
	be(USER, true);
	assert_int_equal(see_waves(other.pasid, waves, MAX_WAVES), WAVES);
	memcpy(&foreign, &waves[1], sizeof(foreign));
	own_vmid = vmid_of(&user);
	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++) {
		if (attempts[i].with_target != NOT_TRIED)
			assert_int_equal(attempt(session, &attempts[i]),
					 attempts[i].with_target);
		assert_int_equal(see_halted(other.pasid), WAVES);
	}
	assert_sees_only(session, &user);
	/* He can list his own waves, which root halts now, but cannot resume them. */
	be(ROOT, true);
	halt(roots, &user);
	be(USER, true);
	assert_int_equal(list(session, &count), 0);
	assert_int_equal(count, WAVES);
	assert_true(waves[0].flags & AMDGPUDBG_WAVE_HALTED);
	assert_int_equal(control(session, AMDGPUDBG_WAVEOP_RESUME,
				 waves[0].vmid),
			 -EBUSY);
	assert_busy(adbg_session_get_fd(session), AMDGPUDBG_BUSY_WAVE, getpid());
	be(ROOT, true);
	adbg_session_close(roots);
	be(USER, true);
	adbg_session_close(session);
}
