// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The record of a wave: its contents, and the register accesses for reading it. See operations.h.
 */
#include "operations.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"
#include "self.h"
#include "until.h"
#include "victim.h"

#define ANY_USER 1000

#define WANT(name) (1ULL << AMDGPUDBG_GFX10_3_##name)
#define WANT_PC (WANT(PC_LO) | WANT(PC_HI))
#define ALWAYS (WANT(STATUS) | WANT(HW_ID2))

/* ---------------------------------------------------------------- registers */

static void list_with(uint32_t flags, uint64_t hw_want, uint32_t vmid_mask)
{
	struct amdgpudbg_wave_list what = {
		.flags = flags, .select.vmid_mask = vmid_mask, .hw_want = hw_want,
	};

	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what), 0);
}

/* Register reads of a list, when no one else, such as the driver, reads any */
static uint64_t reads_of_list_with(uint32_t flags, uint64_t hw_want,
				   uint32_t vmid_mask)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 20; i++) {
		struct truth_accesses t0 = truth_accesses(), t1;

		list_with(flags, hw_want, vmid_mask);
		t1 = truth_accesses();
		if (t1.reads - t0.reads < least)
			least = t1.reads - t0.reads;
	}
	return least;
}

/*
 * Does a list read @each more registers of each wave than another one? Per turn of the lock, of
 * which a list takes several on a slow machine, it reads one more of each VMID.
 */
static bool costs(uint64_t more, uint64_t less, unsigned int each)
{
	return llabs((int64_t)(more - less) - each * NUM_WAVES) < NUM_WAVES / 2;
}

static uint64_t reads_of_list(uint64_t hw_want, uint32_t vmid_mask)
{
	return reads_of_list_with(0, hw_want, vmid_mask);
}

/* A VMID in which there is no wave */
static uint32_t idle_vmid(void)
{
	return fx.vmid == 1 ? 2 : 1;
}

void a_sampler_reads_four_registers_a_wave(void **state)
{
	/* Of each wave, one read shows that it is of another VMID. */
	uint64_t none = reads_of_list(AMDGPUDBG_HW_WANT_PC, 1U << idle_vmid());
	uint64_t sampler = reads_of_list(AMDGPUDBG_HW_WANT_PC, 1U << fx.vmid);
	uint64_t with_exec = reads_of_list(AMDGPUDBG_HW_WANT_PC | AMDGPUDBG_HW_WANT_EXEC,
					   1U << fx.vmid);
	uint64_t by_number = reads_of_list(WANT_PC | WANT(STATUS), 1U << fx.vmid);
	uint64_t status = reads_of_list(WANT(STATUS), 1U << fx.vmid);
	uint64_t all = reads_of_list(0, 1U << fx.vmid);
	uint64_t timed = reads_of_list_with(AMDGPUDBG_WAVE_LIST_GPU_TIME,
					    WANT(STATUS), 1U << fx.vmid);

	(void)state;
	assert_true(costs(sampler, none, 4 - 1));
	assert_true(costs(by_number, sampler, 0));
	assert_true(costs(with_exec, sampler, 2));
	assert_true(costs(status, none, 2 - 1));
	assert_true(all > sampler + 12 * NUM_WAVES);
	/* amdgpu reads the upper half, the lower, and the upper again; it is not of each wave. */
	assert_true(timed > status);
	assert_true(costs(timed, status + 3, 0));
}

void a_record_has_the_registers_that_are_wanted(void **state)
{
	const struct amdgpudbg_wave *w;
	uint64_t pc[NUM_WAVES];

	(void)state;
	do_process(AMDGPUDBG_WAVEOP_HALT);
	list_waves();
	for (size_t i = 0; i < NUM_WAVES; i++) {
		w = wave(i);
		pc[i] = w->pc;
		assert_int_equal(w->flags & (AMDGPUDBG_WAVE_HAS_PC |
					     AMDGPUDBG_WAVE_HAS_EXEC),
				 AMDGPUDBG_WAVE_HAS_PC | AMDGPUDBG_WAVE_HAS_EXEC);
		assert_int_equal(w->stage, AMDGPUDBG_STAGE_COMPUTE);
	}
	list_with(0, WANT_PC, 0);
	for (size_t i = 0; i < NUM_WAVES; i++) {
		w = wave(i);
		assert_true(w->hw_mask == (WANT_PC | ALWAYS));
		assert_true(w->pc == pc[i]);
		assert_true(w->flags & AMDGPUDBG_WAVE_HALTED);
		assert_true(w->flags & AMDGPUDBG_WAVE_HAS_PC);
		assert_false(w->flags & AMDGPUDBG_WAVE_HAS_EXEC);
		assert_true(!w->exec && !HW(w, EXEC_LO) && !HW(w, MODE));
	}
	/* The same without the numbers of this generation */
	list_with(0, AMDGPUDBG_HW_WANT_EXEC, 0);
	for (size_t i = 0; i < NUM_WAVES; i++) {
		w = wave(i);
		assert_true(w->hw_mask == (WANT(EXEC_LO) | WANT(EXEC_HI) | ALWAYS));
		assert_int_equal(w->flags & (AMDGPUDBG_WAVE_HAS_PC |
					     AMDGPUDBG_WAVE_HAS_EXEC),
				 AMDGPUDBG_WAVE_HAS_EXEC);
		assert_true(w->exec == 0xffffffff);
	}
	list_with(0, AMDGPUDBG_HW_WANT_PC | WANT(M0), 0);
	for (size_t i = 0; i < NUM_WAVES; i++) {
		assert_true(wave(i)->hw_mask == (WANT_PC | WANT(M0) | ALWAYS));
		assert_true(wave(i)->pc == pc[i]);
	}
	/* One half of the PC is no PC. */
	list_with(0, WANT(PC_LO) | WANT(SCHED_MODE) | WANT(EXEC_LO) |
		  WANT(EXEC_HI), 0);
	for (size_t i = 0; i < NUM_WAVES; i++) {
		w = wave(i);
		assert_int_equal(w->flags & (AMDGPUDBG_WAVE_HAS_PC |
					     AMDGPUDBG_WAVE_HAS_EXEC),
				 AMDGPUDBG_WAVE_HAS_EXEC);
		assert_true(!w->pc && HW(w, PC_LO) == (uint32_t)pc[i]);
		assert_true(w->exec == 0xffffffff);
	}
}

void unknown_registers_in_a_record_are_refused(void **state)
{
	struct amdgpudbg_wave_list what = { .hw_want = 1ULL << 61 };

	(void)state;
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what),
			 -EOPNOTSUPP);
	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what),
			 -EOPNOTSUPP);
	what.hw_want = 1ULL << (AMDGPUDBG_GFX10_3_SCHED_MODE + 1);
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what),
			 -EOPNOTSUPP);
}

void a_list_says_when_it_was_and_how_records_are_laid_out(void **state)
{
	const size_t head = offsetof(struct amdgpudbg_wave, hw);
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list what = {
		.capacity = NUM_WAVES, .waves = (uintptr_t)waves,
	};
	uint64_t before = now_ns(), last;

	(void)state;
	assert_int_equal(adbg_wave_read(fx.session, &what), 0);
	assert_int_equal(what.count, NUM_WAVES);
	assert_int_equal(what.hw_offset, head);
	assert_int_equal(what.num_hw, AMDGPUDBG_WAVE_NUM_HW);
	assert_in_range(what.time, before, now_ns());
	last = what.time;
	for (size_t i = 0; i < NUM_WAVES; i++) {
		assert_in_range(waves[i].time, last, now_ns());
		last = waves[i].time;
		assert_int_equal(waves[i].session_pid, 0);
	}
	before = now_ns();
	assert_int_equal(adbg_wave_snapshot(fx.session, &what), 0);
	assert_in_range(what.time, before, waves[0].time);
	/* All of them were halted then. */
	for (size_t i = 0; i < NUM_WAVES; i++)
		assert_true(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
}

/* Lists @to with the GPU's time; what that was */
static uint64_t gpu_time_of_list(struct amdgpudbg_wave_list *what)
{
	*what = (struct amdgpudbg_wave_list){
		.flags = AMDGPUDBG_WAVE_LIST_GPU_TIME,
	};
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, what), 0);
	assert_true(what->gpu_time);
	return what->gpu_time;
}

/* Has as much time passed for the GPU as for the host? */
static bool clocks_agree(uint32_t gpu_clock_khz)
{
	struct amdgpudbg_wave_list a, b;
	uint64_t gpu_ns, slack;

	gpu_time_of_list(&a);
	for (int i = 0; i < 20; i++)
		list_waves();
	gpu_time_of_list(&b);
	assert_true(b.gpu_time > a.gpu_time);
	gpu_ns = (b.gpu_time - a.gpu_time) * 1000000 / gpu_clock_khz;
	/* Either of the two is read a little after the host's time. */
	slack = (b.time - a.time) / 2 + 100000000;
	return gpu_ns + slack >= b.time - a.time && gpu_ns <= b.time - a.time + slack;
}

/*
 * It is the counter that timestamps are made of, which follows the clock. In some tries, a busy
 * machine may let much time pass between the reads of the two.
 */
void a_list_has_the_time_of_the_gpu_if_it_is_wanted(void **state)
{
	struct amdgpudbg_info info = { 0 };
	struct amdgpudbg_wave_list a, b;
	int tries = 0;

	(void)state;
	assert_int_equal(adbg_session_get_info(fx.session, &info), 0);
	assert_int_equal(info.gpu_clock_khz, 100000);
	while (!clocks_agree(info.gpu_clock_khz))
		assert_in_range(++tries, 1, 20);
	gpu_time_of_list(&a);
	b = a;
	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &b), 0);
	assert_true(b.gpu_time > a.gpu_time);
	b.flags = 0;
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &b), 0);
	assert_true(!b.gpu_time);
}

/* -------------------------------------------------------------------- owners */

/* How many of the waves have @flags of @mask, as @session sees it? */
static uint32_t count_flags(struct adbg_session *session, uint32_t mask,
			    uint32_t flags)
{
	struct amdgpudbg_wave_list what = {
		.select.vmid_mask = 1U << fx.vmid,
		.select.wave_flags_mask = mask, .select.wave_flags = flags,
	};

	assert_int_equal(adbg_wave_list_fill(fx.list, session, &what), 0);
	return what.count;
}

#define OWNED AMDGPUDBG_WAVE_OWNED
#define BY_OTHER AMDGPUDBG_WAVE_OWNED_BY_OTHER

void a_record_says_who_has_halted_a_wave(void **state)
{
	enum { MINE = 3 };
	struct amdgpudbg_wave_control c;
	struct adbg_session *other;
	struct truth t;

	(void)state;
	assert_int_equal(adbg_open(NULL, &other), 0);
	assert_int_equal(count_flags(fx.session, OWNED | BY_OTHER, 0),
			 NUM_WAVES);
	list_waves();
	for (int i = 0; i < MINE; i++)
		do_single(AMDGPUDBG_WAVEOP_HALT, i);
	c = single(AMDGPUDBG_WAVEOP_HALT, MINE);
	assert_int_equal(adbg_wave_control(other, &c), 0);
	assert_int_equal(count_flags(fx.session, OWNED, OWNED), MINE);
	for (size_t i = 0; i < MINE; i++) {
		assert_int_equal(wave(i)->session_pid, 0);
		assert_false(wave(i)->flags & AMDGPUDBG_WAVE_BY_HANDLER);
	}
	assert_int_equal(count_flags(fx.session, BY_OTHER, BY_OTHER), 1);
	assert_int_equal(wave(0)->session_pid, getpid());
	assert_int_equal(count_flags(other, OWNED, OWNED), 1);
	assert_int_equal(count_flags(other, BY_OTHER, BY_OTHER), MINE);

	/* All that one session has halted is resumed by one call. */
	c = (struct amdgpudbg_wave_control){
		.op = AMDGPUDBG_WAVEOP_RESUME, .mode = AMDGPUDBG_WAVEMODE_SELECT,
		.select = { .wave_flags_mask = OWNED, .wave_flags = OWNED },
	};
	succeeds(&c, MINE, MINE);
	t = look();
	assert_int_equal(truth_halted(&t), 1);
	succeeds(&c, 0, 0);
	adbg_session_close(other);
	t = look();
	assert_int_equal(truth_halted(&t), 0);
}

/* The driver's own name of the process: who has opened the DRM file of the address space */
void a_record_has_the_process_of_its_wave_if_it_is_wanted(void **state)
{
	struct amdgpudbg_wave_list what = { .flags = AMDGPUDBG_WAVE_LIST_PID };

	(void)state;
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what), 0);
	assert_int_equal(what.count, NUM_WAVES);
	for (size_t i = 0; i < NUM_WAVES; i++)
		assert_int_equal(wave(i)->pid, getpid());
	assert_int_equal(adbg_wave_list_snapshot(fx.list, fx.session, &what), 0);
	assert_int_equal(wave(0)->pid, getpid());
	what.flags = 0;
	assert_int_equal(adbg_wave_list_fill(fx.list, fx.session, &what), 0);
	assert_int_equal(wave(0)->pid, 0);
	/* It costs no register access. */
	assert_true(costs(reads_of_list_with(AMDGPUDBG_WAVE_LIST_PID, 0, 1U << fx.vmid),
			  reads_of_list_with(0, 0, 1U << fx.vmid), 0));
}

/* As another user, to whom the program has given its file */
static int look_as_user(void *arg)
{
	struct amdgpudbg_target_set target = {
		.size = sizeof(target), .drm_fd = fx.prog.gpu.fd, .pidfd = -1,
	};
	struct amdgpudbg_wave_list what = {
		.select = { .wave_flags_mask = BY_OTHER, .wave_flags = BY_OTHER },
	};
	struct adbg_session *session;
	int ret = victim_become(ANY_USER);

	(void)arg;
	if (!ret)
		ret = adbg_open(NULL, &session);
	if (!ret)
		ret = ioctl(adbg_session_get_fd(session),
			    AMDGPUDBG_IOC_TARGET_SET, &target);
	if (!ret)
		ret = adbg_wave_list_fill(fx.list, session, &what);
	if (ret)
		return ret;
	/* That there is one, but not which */
	return what.count == 1 && !wave(0)->session_pid ? 0 : -EPROTO;
}

void other_users_do_not_see_which_process_has_halted_a_wave(void **state)
{
	(void)state;
	do_single(AMDGPUDBG_WAVEOP_HALT, 2);
	assert_int_equal(child_run(look_as_user, NULL), 0);
}

/* -------------------------------------------------------------------- stages */

void waves_are_selected_by_their_stage(void **state)
{
	struct amdgpudbg_wave_control c = {
		.op = AMDGPUDBG_WAVEOP_HALT, .mode = AMDGPUDBG_WAVEMODE_SELECT,
		.select.stage_mask = 1U << AMDGPUDBG_STAGE_PIXEL |
				     1U << AMDGPUDBG_STAGE_UNKNOWN,
	};

	(void)state;
	succeeds(&c, 0, 0);
	c.select.stage_mask |= 1U << AMDGPUDBG_STAGE_COMPUTE;
	succeeds(&c, NUM_WAVES, NUM_WAVES);
	c.op = AMDGPUDBG_WAVEOP_RESUME;
	succeeds(&c, NUM_WAVES, NUM_WAVES);
	c.select.stage_mask = 1U << 7;
	assert_int_equal(adbg_wave_control(fx.session, &c), -EINVAL);
}
