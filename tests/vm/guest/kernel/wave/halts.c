// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on waves that their trap handler halts. STATUS.HALT does not show whether the host
 * or the handler has set it, but a wave that the handler has stopped must stay halted. The waves
 * belong to this program; they execute tests/kernels/steps.s, and gate.S is their handler.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "busy.h"
#include "prog.h"
#include "self.h"
#include "truth.h"
#include "until.h"

#define CODE_FILE "/usr/share/amdgpudbg/steps.co"
#define ITEMS 256
#define NUM_WAVES 8
#define DEADLINE_S 60
#define ROUNDS 12

/* Words of ctl: those of steps.s, and that of gate.S, whose memory it is */
enum { CTL_GO, CTL_BEGUN, CTL_GATE = 16 };
enum { CLOSED, HALT, RESUME };

/* SQ_WAVE_STATUS: gc_10_3_0_sh_mask.h (Linux 6.1) */
#define STATUS_PRIV	(1 << 5)
#define STATUS_HALT	(1 << 13)
/* RDNA 2 ISA */
#define S_ENDPGM	0xbf810000

static const uint32_t gate_code[] = {
#include "gate.inc"
};

static struct prog prog;
static struct gpu_job job;
static struct adbg_session *session, *other;
static struct adbg_wave_list *list;
static uint32_t vmid;
static int mappings_before;

static volatile uint32_t *ctl(void)
{
	return prog_ctl(&prog);
}

/* How many waves have @bits of @mask in STATUS, as the software GPU knows it? */
static unsigned int count(uint32_t mask, uint32_t bits)
{
	struct truth t = truth_of(vmid);
	unsigned int n = 0;

	for (unsigned int i = 0; i < t.count; i++)
		n += (t.wave[i].status & mask) == bits;
	return n;
}

static unsigned int num_halted(void)
{
	return count(STATUS_HALT, STATUS_HALT);
}

struct wanted {
	uint32_t mask, bits;
	unsigned int num;
};

static bool is_so(void *arg)
{
	const struct wanted *w = arg;

	return count(w->mask, w->bits) == w->num;
}

/* Until @num waves are as count() says. */
static void wait_for(uint32_t mask, uint32_t bits, unsigned int num)
{
	struct wanted w = { .mask = mask, .bits = bits, .num = num };

	assert_true(until(is_so, &w, DEADLINE_S));
}

/* Until @num waves stand where their handler has halted them. */
static void wait_stopped(unsigned int num)
{
	wait_for(STATUS_HALT | STATUS_PRIV, STATUS_HALT, num);
}

static void control(struct adbg_session *s, enum amdgpudbg_waveop op,
		    uint32_t flags)
{
	struct amdgpudbg_wave_control wc = {
		.op = op, .flags = flags,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, .vmid = vmid,
	};

	assert_int_equal(adbg_wave_control(s, &wc), 0);
	assert_int_equal(wc.matched, NUM_WAVES);
	assert_int_equal(wc.changed, NUM_WAVES);
}

static void control_one(enum amdgpudbg_waveop op, size_t i, uint32_t flags)
{
	struct amdgpudbg_wave_control wc = {
		.op = op, .flags = flags, .vmid = vmid,
	};

	wc.at = adbg_wave_list_get(list, i)->at;
	assert_int_equal(adbg_wave_control(session, &wc), 0);
	assert_int_equal(wc.matched, 1);
	assert_int_equal(wc.changed, 1);
}

/* ------------------------------------------------------------------- set-up */

static int install(void)
{
	struct amdgpudbg_mem_alloc code = {
		.flags = AMDGPUDBG_MEM_ALLOC_EXEC, .bytes = sizeof(gate_code),
	};
	struct amdgpudbg_trap_handler handler = {
		.tba_size = sizeof(gate_code), .tma = prog.buf[PROG_CTL].va,
		.tma_size = PROG_CTL_WORDS * 4,
	};
	int ret = adbg_mem_alloc(session, &code);

	if (!ret)
		ret = adbg_mem_write(session, code.id, 0, gate_code,
				     sizeof(gate_code));
	handler.tba = code.va;
	if (!ret)
		ret = adbg_trap_handler_set(session, &handler);
	vmid = handler.vmid;
	return ret;
}

static int start_waves(void)
{
	int ret;

	memset(prog_ctl(&prog), 0, PROG_CTL_WORDS * 4);
	ctl()[CTL_GATE] = HALT;
	ret = prog_submit(&prog, "steps", &job);
	return ret ? ret : prog_wait(&prog, CTL_BEGUN, ITEMS);
}

static int set_up(void **state)
{
	struct amdgpudbg_target_set target = {
		.drm_fd = prog.gpu.fd, .pidfd = -1,
	};

	(void)state;
	if (adbg_open(NULL, &session) ||
	    adbg_target_set(session, &target) || install() ||
	    start_waves() || adbg_open(NULL, &other) ||
	    adbg_wave_list_read(list, session, 1U << vmid))
		return -1;
	return adbg_wave_list_count(list) == NUM_WAVES ? 0 : -1;
}

/* How many mappings the target has, or -errno */
static int num_mappings(void)
{
	struct amdgpudbg_target_set target = {
		.drm_fd = prog.gpu.fd, .pidfd = -1,
	};
	struct amdgpudbg_mapping *mappings = NULL;
	struct adbg_session *s;
	uint32_t num = 0;
	int ret = adbg_open(NULL, &s);

	if (ret)
		return ret;
	ret = adbg_target_set(s, &target);
	if (!ret)
		ret = adbg_vm_mappings(s, 0, 0, &mappings, &num);
	free(mappings);
	adbg_session_close(s);
	return ret ? ret : (int)num;
}

static bool is_unmapped(void *arg)
{
	(void)arg;
	return num_mappings() == mappings_before;
}

/*
 * Resume the waves, so that they end; also after a test has failed. The handler's memory is freed
 * later: a job that is submitted after that waits for those before it, and so would the next
 * test's second one.
 */
static int take_down(void **state)
{
	int ret;

	(void)state;
	ctl()[CTL_GO] = 1;
	ctl()[CTL_GATE] = RESUME;
	adbg_session_close(other);
	adbg_session_close(session);
	ret = gpu_wait(&prog.gpu, &job, deadline_ns(DEADLINE_S) - now_ns());
	gpu_job_free(&prog.gpu, &job);
	return ret || !until(is_unmapped, NULL, DEADLINE_S) ? -1 : 0;
}

static int set_up_group(void **state)
{
	int ret;

	(void)state;
	ret = prog_open(&prog, NULL, CODE_FILE, ITEMS, 0);
	if (ret)
		return ret;
	mappings_before = num_mappings();
	return mappings_before < 0 ? -1 : adbg_wave_list_new(&list);
}

static int take_down_group(void **state)
{
	(void)state;
	adbg_wave_list_free(list);
	prog_close(&prog);
	return 0;
}

/* ---------------------------------------------------------------- snapshots */

/* How many waves were halted for it, or -errno. */
static int snapshot(struct adbg_session *s, struct adbg_wave_list *to)
{
	struct amdgpudbg_wave_list what = { .select.vmid_mask = 1U << vmid };
	int ret = adbg_wave_list_snapshot(to, s, &what);

	return ret ? ret : (int)what.num_halted;
}

/* That it has a handler does not mean that the handler has halted a wave. */
static void a_snapshot_resumes_waves_with_a_handler(void **state)
{
	(void)state;
	assert_int_equal(snapshot(session, list), NUM_WAVES);
	assert_int_equal(num_halted(), 0);
	assert_int_equal(snapshot(other, list), NUM_WAVES);
	assert_int_equal(num_halted(), 0);
}

static void a_snapshot_leaves_stopped_waves_as_they_are(void **state)
{
	(void)state;
	control_one(AMDGPUDBG_WAVEOP_TRAP, 3, 0);
	wait_stopped(1);
	assert_int_equal(snapshot(other, list), NUM_WAVES - 1);
	assert_int_equal(num_halted(), 1);
}

/* Of the wave that its handler has halted, and halts once more */
static void the_wave_has_an_id_until_it_traps(void)
{
	const struct amdgpudbg_wave *w = adbg_wave_list_get(list, 0);
	struct amdgpudbg_wave_control wc = {
		.op = AMDGPUDBG_WAVEOP_TRAP, .mode = AMDGPUDBG_WAVEMODE_ID,
		.id = w->id,
	};

	assert_true(wc.id);
	assert_int_equal(adbg_wave_control(session, &wc), 0);
	assert_memory_equal(&wc.at, &w->at, sizeof(wc.at));
	assert_int_equal(wc.changed, 1);
	assert_int_equal(adbg_wave_control(session, &wc), -ESTALE);
	wc.op = AMDGPUDBG_WAVEOP_RESUME;
	assert_int_equal(adbg_wave_control(session, &wc), -ESTALE);
	wait_stopped(1);
}

/* What its record says does not depend on the layout of STATUS. */
static void a_record_says_that_a_handler_has_halted_its_wave(void **state)
{
	const uint32_t flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_BY_HANDLER;
	struct amdgpudbg_wave_list what = {
		.select = { .wave_flags_mask = flags, .wave_flags = flags },
	};

	(void)state;
	control_one(AMDGPUDBG_WAVEOP_TRAP, 3, 0);
	wait_stopped(1);
	assert_int_equal(adbg_wave_list_fill(list, session, &what), 0);
	assert_int_equal(what.count, 1);
	assert_true(adbg_wave_list_get(list, 0)->flags & AMDGPUDBG_WAVE_OWNED);
	assert_int_equal(adbg_wave_list_fill(list, other, &what), 0);
	assert_int_equal(what.count, 1);
	assert_true(adbg_wave_list_get(list, 0)->flags &
		    AMDGPUDBG_WAVE_OWNED_BY_OTHER);
	the_wave_has_an_id_until_it_traps();
	/* One that its session has halted is not. */
	assert_int_equal(adbg_wave_list_read(list, session, 1U << vmid), 0);
	control_one(AMDGPUDBG_WAVEOP_HALT, 5, 0);
	assert_int_equal(adbg_wave_list_fill(list, session, &what), 0);
	assert_int_equal(what.count, 1);
	what.select.wave_flags_mask = AMDGPUDBG_WAVE_HAS_HANDLER;
	what.select.wave_flags = AMDGPUDBG_WAVE_HAS_HANDLER;
	assert_int_equal(adbg_wave_list_fill(list, session, &what), 0);
	assert_int_equal(what.count, NUM_WAVES);
}

/*
 * A wave that was stopped and resumed reaches the same address again and again: now
 * and then, it is there when the host halts it.
 */
static void a_resumed_wave_is_not_reported_as_stopped(void **state)
{
	(void)state;
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	wait_stopped(NUM_WAVES);
	control(session, AMDGPUDBG_WAVEOP_RESUME, 0);
	assert_int_equal(num_halted(), 0);
	for (int i = 0; i < ROUNDS; i++) {
		assert_int_equal(snapshot(other, list), NUM_WAVES);
		assert_int_equal(num_halted(), 0);
	}
	control_one(AMDGPUDBG_WAVEOP_TRAP, 0, 0);
	wait_stopped(1);
	control_one(AMDGPUDBG_WAVEOP_RESUME, 0, 0);
	for (int i = 0; i < ROUNDS; i++) {
		assert_int_equal(snapshot(other, list), NUM_WAVES);
		assert_int_equal(num_halted(), 0);
	}
}

/* Snapshots by another thread, while this one has an eye on the waves. */
struct snapshots {
	pthread_t thread;
	struct adbg_wave_list *list;
	atomic_bool done;
	int ret;
};

static void *take_snapshot(void *arg)
{
	struct snapshots *s = arg;

	s->ret = snapshot(other, s->list);
	atomic_store(&s->done, true);
	return NULL;
}

static bool has_halted(void *arg)
{
	struct snapshots *s = arg;

	return atomic_load(&s->done) || num_halted() == NUM_WAVES;
}

/* All waves are in their handler. They leave it in the midst of a snapshot. */
static void leave_in_snapshot(uint32_t how)
{
	struct snapshots s = { .list = list };

	wait_for(STATUS_PRIV, STATUS_PRIV, NUM_WAVES);
	assert_int_equal(pthread_create(&s.thread, NULL, take_snapshot, &s),
			 0);
	assert_true(until(has_halted, &s, DEADLINE_S));
	ctl()[CTL_GATE] = how;
	assert_int_equal(pthread_join(s.thread, NULL), 0);
	assert_true(s.ret >= 0);
}

static void a_stop_within_a_snapshot_lasts(void **state)
{
	(void)state;
	ctl()[CTL_GATE] = CLOSED;
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	leave_in_snapshot(HALT);
	wait_stopped(NUM_WAVES);
	assert_int_equal(snapshot(other, list), 0);
	wait_stopped(NUM_WAVES);
}

static void a_stop_in_debug_mode_within_a_snapshot_lasts(void **state)
{
	(void)state;
	ctl()[CTL_GATE] = CLOSED;
	control(session, AMDGPUDBG_WAVEOP_DEBUG, 0);
	leave_in_snapshot(HALT);
	wait_stopped(NUM_WAVES);
}

static void waves_resumed_during_a_snapshot_are_not_halted(void **state)
{
	(void)state;
	ctl()[CTL_GATE] = CLOSED;
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	leave_in_snapshot(RESUME);
	wait_for(STATUS_HALT | STATUS_PRIV, 0, NUM_WAVES);
}

/* Another session halts waves in their handler, which halts them too. */
static void a_stop_outlives_another_session_s_halt(void **state)
{
	(void)state;
	ctl()[CTL_GATE] = CLOSED;
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	wait_for(STATUS_PRIV, STATUS_PRIV, NUM_WAVES);
	control(other, AMDGPUDBG_WAVEOP_HALT, 0);
	ctl()[CTL_GATE] = HALT;
	wait_stopped(NUM_WAVES);
	adbg_session_close(other);
	other = NULL;
	assert_int_equal(num_halted(), NUM_WAVES);
	control(session, AMDGPUDBG_WAVEOP_RESUME, 0);
	assert_int_equal(num_halted(), 0);
}

/* But not if it was none. */
static void a_halt_of_another_session_ends_with_that_session(void **state)
{
	(void)state;
	ctl()[CTL_GATE] = CLOSED;
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	wait_for(STATUS_PRIV, STATUS_PRIV, NUM_WAVES);
	control(other, AMDGPUDBG_WAVEOP_HALT, 0);
	ctl()[CTL_GATE] = RESUME;
	wait_stopped(NUM_WAVES);
	adbg_session_close(other);
	other = NULL;
	assert_int_equal(num_halted(), 0);
}

/* -------------------------------------------------------------- launch mode */

/* Another session has the say of how waves start. */
static void launch(enum amdgpudbg_launch_mode mode)
{
	struct amdgpudbg_launch_set set = { .mode = mode };

	assert_int_equal(adbg_launch_set(other, &set), 0);
	assert_int_equal(set.vmid, vmid);
}

static void give_other_the_target(void)
{
	struct amdgpudbg_target_set target = {
		.drm_fd = prog.gpu.fd, .pidfd = -1,
	};

	assert_int_equal(adbg_target_set(other, &target), 0);
}

static int resume_all(struct adbg_session *s)
{
	struct amdgpudbg_wave_control wc = {
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, .vmid = vmid,
	};

	return adbg_wave_control(s, &wc);
}

/* As many waves again, on another ring, that start halted. */
static struct gpu_job second;

static void start_halted(void)
{
	give_other_the_target();
	launch(AMDGPUDBG_LAUNCH_HALT);
	prog.ring = 1;
	assert_int_equal(prog_submit(&prog, "steps", &second), 0);
	prog.ring = 0;
	wait_for(0, 0, 2 * NUM_WAVES);
	assert_int_equal(num_halted(), NUM_WAVES);
	assert_int_equal(ctl()[CTL_BEGUN], ITEMS);
}

static void end_second(void)
{
	adbg_session_close(other);
	other = NULL;
	assert_int_equal(prog_wait(&prog, CTL_BEGUN, 2 * ITEMS), 0);
	ctl()[CTL_GO] = 1;
	assert_int_equal(gpu_wait(&prog.gpu, &second,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	gpu_job_free(&prog.gpu, &second);
}

/* They have the handler, but it is not that which has halted them. */
static void waves_that_start_halted_outlive_a_handler(void **state)
{
	(void)state;
	start_halted();
	adbg_session_close(session);
	session = NULL;
	assert_int_equal(num_halted(), NUM_WAVES);
	assert_int_equal(ctl()[CTL_BEGUN], ITEMS);
	end_second();
}

/* Its waves are still there when the others start, which have none. */
static void waves_start_halted_while_a_handler_leaves(void **state)
{
	struct adbg_session *third;

	(void)state;
	adbg_session_close(session);
	session = NULL;
	start_halted();
	/* With a session's end, it is looked whether they have left. */
	for (int i = 0; i < 3; i++) {
		assert_int_equal(adbg_open(NULL, &third), 0);
		adbg_session_close(third);
		assert_int_equal(num_halted(), NUM_WAVES);
	}
	assert_int_equal(ctl()[CTL_BEGUN], ITEMS);
	end_second();
}

/* These must be resumed, because no session can resume them later. */
static void waves_stopped_by_a_removed_handler_are_resumed(void **state)
{
	(void)state;
	ctl()[CTL_GATE] = CLOSED;
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	wait_for(STATUS_PRIV, STATUS_PRIV, NUM_WAVES);
	give_other_the_target();
	launch(AMDGPUDBG_LAUNCH_HALT);
	adbg_session_close(session);
	session = NULL;
	ctl()[CTL_GATE] = HALT;
	wait_for(STATUS_HALT | STATUS_PRIV, 0, NUM_WAVES);
}

static void a_stop_does_not_belong_to_the_session_of_the_launch_mode(void **state)
{
	(void)state;
	give_other_the_target();
	launch(AMDGPUDBG_LAUNCH_HALT);
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	wait_stopped(NUM_WAVES);
	assert_int_equal(resume_all(other), -EBUSY);
	assert_busy(adbg_session_get_fd(other), AMDGPUDBG_BUSY_WAVE, getpid());
	launch(AMDGPUDBG_LAUNCH_NORMAL);
	assert_int_equal(resume_all(other), -EBUSY);
	assert_busy(adbg_session_get_fd(other), AMDGPUDBG_BUSY_WAVE, getpid());
	assert_busy(adbg_session_get_fd(session), AMDGPUDBG_BUSY_NONE, 0);
	launch(AMDGPUDBG_LAUNCH_HALT);
	adbg_session_close(other);
	other = NULL;
	assert_int_equal(num_halted(), NUM_WAVES);
	control(session, AMDGPUDBG_WAVEOP_RESUME, 0);
	assert_int_equal(num_halted(), 0);
}

/* --------------------------------------------------------- traps, debug mode */

/* One at a time, so that none can be taken for another. */
static void each_trap_is_a_stop(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		control_one(AMDGPUDBG_WAVEOP_TRAP, i % NUM_WAVES, 0);
		wait_stopped(1);
		control_one(AMDGPUDBG_WAVEOP_RESUME, i % NUM_WAVES, 0);
		assert_int_equal(num_halted(), 0);
	}
	control(session, AMDGPUDBG_WAVEOP_TRAP, 0);
	wait_stopped(NUM_WAVES);
}

/* It stops at once, before anybody sees it run. */
static void a_wave_stops_in_debug_mode(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		control_one(AMDGPUDBG_WAVEOP_DEBUG, i % NUM_WAVES, 0);
		wait_stopped(1);
		control_one(AMDGPUDBG_WAVEOP_RESUME, i % NUM_WAVES, 0);
		wait_stopped(1);
		control_one(AMDGPUDBG_WAVEOP_DEBUG, i % NUM_WAVES,
			    AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF);
		wait_stopped(1);
		control_one(AMDGPUDBG_WAVEOP_RESUME, i % NUM_WAVES, 0);
		assert_int_equal(num_halted(), 0);
	}
}

static void all_waves_stop_in_debug_mode(void **state)
{
	(void)state;
	control(session, AMDGPUDBG_WAVEOP_DEBUG, 0);
	wait_stopped(NUM_WAVES);
	for (int i = 0; i < ROUNDS; i++) {
		control(session, AMDGPUDBG_WAVEOP_RESUME, 0);
		wait_stopped(NUM_WAVES);
	}
	control(session, AMDGPUDBG_WAVEOP_DEBUG,
		AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF);
	wait_stopped(NUM_WAVES);
	control(session, AMDGPUDBG_WAVEOP_RESUME, 0);
	assert_int_equal(num_halted(), 0);
}

/* ------------------------------------------------- SQ_CMD that takes effect later */

static int set_lag(unsigned int accesses)
{
	char question[80], answer[256];

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"quirk\",\"name\":\"sq-cmd-lag\",\"value\":%u}", accesses);
	return vgpu_ask(question, answer, sizeof(answer));
}

static int at_once(void **state)
{
	int ret = set_lag(0);

	return take_down(state) ? -1 : ret;
}

static uint32_t next_insn(const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_INST_DW0, .count = 1,
	};
	uint32_t insn;
	struct amdgpudbg_reg_access access = {
		.at = *at, .vmid = vmid, .num_ranges = 1, .ranges = (uintptr_t)&range,
		.num_values = 1, .values = (uintptr_t)&insn,
	};

	assert_int_equal(adbg_reg_access(session, &access), 0);
	return insn;
}

static int control_at(struct adbg_session *s, enum amdgpudbg_waveop op, size_t i,
		      struct amdgpudbg_wave_control *wc)
{
	*wc = (struct amdgpudbg_wave_control){
		.op = op, .at = adbg_wave_list_get(list, i)->at, .vmid = vmid,
	};
	return adbg_wave_control(s, wc);
}

/*
 * STATUS may still be that of before, and HW_ID2 already that of an empty slot. One session
 * has a target, the other one none.
 */
static void a_wave_that_ends_when_it_is_resumed_was_resumed(void **state)
{
	struct adbg_session *const by[] = { session, other };
	struct amdgpudbg_wave_control wc;
	int ret;

	(void)state;
	for (size_t i = 0; i < NUM_WAVES; i++)
		assert_int_equal(control_at(by[i % 2], AMDGPUDBG_WAVEOP_HALT, i, &wc), 0);
	ctl()[CTL_GO] = 1;
	for (size_t i = 0; i < NUM_WAVES; i++) {
		while (next_insn(&adbg_wave_list_get(list, i)->at) != S_ENDPGM)
			assert_int_equal(control_at(by[i % 2], AMDGPUDBG_WAVEOP_STEP, i, &wc), 0);
		assert_int_equal(set_lag(i / 2 + 1), 0);
		ret = control_at(by[i % 2], AMDGPUDBG_WAVEOP_RESUME, i, &wc);
		if (ret || wc.matched != 1 || wc.changed != 1)
			fail_msg("%s target, sq-cmd-lag %zu: %d, matched %u, changed %u",
				 i % 2 ? "no" : "a", i / 2 + 1, ret, wc.matched, wc.changed);
		assert_int_equal(set_lag(0), 0);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, take_down)
	const struct CMUnitTest tests[] = {
		TEST(a_snapshot_resumes_waves_with_a_handler),
		TEST(a_snapshot_leaves_stopped_waves_as_they_are),
		TEST(a_record_says_that_a_handler_has_halted_its_wave),
		TEST(a_resumed_wave_is_not_reported_as_stopped),
		TEST(a_stop_within_a_snapshot_lasts),
		TEST(a_stop_in_debug_mode_within_a_snapshot_lasts),
		TEST(waves_resumed_during_a_snapshot_are_not_halted),
		TEST(a_stop_outlives_another_session_s_halt),
		TEST(a_halt_of_another_session_ends_with_that_session),
		TEST(waves_that_start_halted_outlive_a_handler),
		TEST(waves_start_halted_while_a_handler_leaves),
		TEST(waves_stopped_by_a_removed_handler_are_resumed),
		TEST(a_stop_does_not_belong_to_the_session_of_the_launch_mode),
		TEST(each_trap_is_a_stop),
		TEST(a_wave_stops_in_debug_mode),
		TEST(all_waves_stop_in_debug_mode),
		cmocka_unit_test_setup_teardown(
			a_wave_that_ends_when_it_is_resumed_was_resumed, set_up, at_once),
	};

	return cmocka_run_group_tests(tests, set_up_group, take_down_group);
}
