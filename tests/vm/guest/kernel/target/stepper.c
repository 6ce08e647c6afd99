// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A trap handler that steps its wave: at a trap by the host it sets MODE.DEBUG_EN, and then it
 * logs each instruction, without the host and without sending events, until it clears DEBUG_EN.
 * The wave belongs to this program, which runs "rounds" of tests/kernels/breaks.s; its PC after
 * each instruction is known from that source. The handler is stepper.S.
 *
 * To examine the wave, the test holds it in its handler at certain entries of the log and sets
 * its halt, which takes effect when it leaves the handler.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "prog.h"
#include "stepper.h"
#include "trap_abi.h"
#include "truth.h"
#include "until.h"

#define CODE_FILE "/usr/share/amdgpudbg/breaks.co"
#define ITEMS 128
#define DEADLINE_S 60
#define ROUNDS 8

/* Entries of the log, of which the first is no step: the wave is looked at when it has those */
#define AT_FIRST	1
#define WAITING		24	/* it is still in the kernel's wait loop */
#define STEPS		64

/* Words of ctl, see breaks.s */
enum { CTL_GO, CTL_BEGUN, CTL_ROUNDS };

/* SQ_WAVE_MODE.DEBUG_EN: cwsr_trap_handler_gfx10.asm (Linux 6.1) */
#define MODE_DEBUG_EN (1 << 11)

static const uint32_t stepper_code[] = {
#include "stepper.inc"
};

/* What the handler's memory holds */
struct memory {
	uint32_t end, hold, count, strange;
	uint32_t log[STEPPER_MAX][2];
};

_Static_assert(offsetof(struct memory, end) == STEPPER_END, "end");
_Static_assert(offsetof(struct memory, hold) == STEPPER_HOLD, "hold");
_Static_assert(offsetof(struct memory, count) == STEPPER_COUNT, "count");
_Static_assert(offsetof(struct memory, strange) == STEPPER_STRANGE, "strange");
_Static_assert(offsetof(struct memory, log) == STEPPER_LOG, "log");
_Static_assert(sizeof(((struct memory *)0)->log[0]) == 1 << STEPPER_ENTRY_SHIFT, "entry");

static struct prog prog;
static struct gpu_job job;
static struct adbg_session *session;
static struct adbg_wave_list *list;
static struct amdgpudbg_wave_coord at;	/* of the wave that is stepped */
static uint32_t vmid, pasid, tma;	/* the last is the number of a buffer; 0: it has gone */
static uint64_t tma_va;

static volatile uint32_t *ctl(void)
{
	return prog_ctl(&prog);
}

/* ------------------------------------------------------------ the kernel's way */

/* The instructions of "rounds" from its wait loop on, in the order in which they are done */
static const struct {
	const char *label;
	uint32_t offset;
} places[] = {
	{ "rounds_wait", 0 },		/* s_sleep */
#define WAIT_LOAD 1
	{ "rounds_wait", 4 },		/* global_load_dword */
	{ "rounds_wait", 12 },		/* s_waitcnt */
	{ "rounds_wait", 16 },		/* v_readfirstlane_b32 */
	{ "rounds_wait", 20 },		/* s_cmp_eq_u32 */
#define WAIT_BRANCH 5
	{ "rounds_wait", 24 },		/* s_cbranch_scc1 */
	{ "rounds_wait", 28 },		/* global_load_dword */
	{ "rounds_wait_read", 0 },	/* s_movk_i32 */
	{ "rounds_wait_read", 4 },	/* s_waitcnt */
#define LOOP 9
	{ "rounds_loop", 0 },		/* s_add_u32 */
	{ "rounds_call", 0 },		/* s_swappc_b64 */
	{ "rounds_outer", 0 },		/* s_call_b64 */
	{ "rounds_inner", 0 },		/* v_and_b32 */
	{ "rounds_mad", 0 },		/* v_mad_u32_u24 */
	{ "rounds_inner_return", 0 },	/* s_setpc_b64 */
	{ "rounds_outer_return", 0 },	/* s_setpc_b64 */
	{ "rounds_after", 0 },		/* global_load_dword */
	{ "rounds_after", 8 },		/* s_waitcnt */
	{ "rounds_after", 12 },		/* v_readfirstlane_b32 */
	{ "rounds_after", 16 },		/* s_cmp_lt_u32 */
#define LOOP_BRANCH 20
	{ "rounds_branch", 0 },		/* s_cbranch_scc1 */
	{ "rounds_branch", 4 },		/* global_store_dword */
	{ "rounds_branch", 12 },	/* v_lshl_add_u32 */
	{ "rounds_branch", 20 },	/* v_mov_b32 */
	{ "rounds_branch", 24 },	/* global_store_dword */
#define THE_END 25
	{ "rounds_end", 0 },		/* s_endpgm */
};

_Static_assert(sizeof(places) / sizeof(places[0]) == THE_END + 1, "places");

static uint64_t address(size_t place)
{
	uint64_t offset;

	assert_int_equal(codeobj_find_label(&prog.co, places[place].label, &offset), 0);
	return prog.buf[PROG_CODE].va + offset + places[place].offset;
}

/* A wave that follows it */
struct way {
	size_t place;
	bool go;		/* what it would read of ctl */
	bool has_read;		/* and what it has */
	uint32_t rounds;
};

static void step(struct way *w)
{
	size_t was = w->place++;

	if (was == WAIT_LOAD)
		w->has_read = w->go;
	if (was == WAIT_BRANCH && !w->has_read)
		w->place = 0;
	if (was == LOOP_BRANCH && ++w->rounds < ROUNDS)
		w->place = LOOP;
}

static uint64_t logged_pc(const struct memory *m, uint32_t i)
{
	return (uint64_t)(m->log[i][1] & TRAP_TTMP1_PC_HI) << 32 | m->log[i][0];
}

/* Its first entry is anywhere in the wait loop, which the wave may leave after WAITING. */
static struct way first_of(const struct memory *m)
{
	struct way w = { 0 };

	assert_int_equal(m->log[0][1] & ~TRAP_TTMP1_PC_HI,
			 1 << TRAP_TTMP1_HT_BIT | STEPPER_ID_BEGIN << TRAP_TTMP1_ID_SHIFT);
	while (w.place <= WAIT_BRANCH && address(w.place) != logged_pc(m, 0))
		w.place++;
	if (w.place > WAIT_BRANCH)
		fail_msg("the host's trap has found the wave at %#llx, not where it waits",
			 (unsigned long long)logged_pc(m, 0));
	return w;
}

/* Are all entries those that the kernel's source wants? Where the wave is after them. */
static struct way assert_log(const struct memory *m)
{
	struct way w = first_of(m);

	for (uint32_t i = 1; i < m->count; i++) {
		w.go = i >= WAITING;
		step(&w);
		assert_in_range(w.place, 0, THE_END);
		if (logged_pc(m, i) != address(w.place))
			fail_msg("after %u steps the wave was at %#llx, not at %#llx, %s+%u", i,
				 (unsigned long long)logged_pc(m, i),
				 (unsigned long long)address(w.place), places[w.place].label,
				 places[w.place].offset);
		/* No trap id, no host's trap, no PC_REWIND */
		assert_int_equal(m->log[i][1] & ~TRAP_TTMP1_PC_HI, 0);
	}
	return w;
}

/* ----------------------------------------------------------- the handler's memory */

static void write_word(uint32_t offset, uint32_t value)
{
	assert_int_equal(adbg_mem_write(session, tma, offset, &value, sizeof(value)), 0);
}

static const struct memory *read_memory(void)
{
	static struct memory m;

	assert_int_equal(adbg_mem_read(session, tma, 0, &m, sizeof(m)), 0);
	if (m.strange)
		fail_msg("after %u entries the handler has given up, TTMP1 %#x", m.count,
			 m.strange);
	return &m;
}

static bool has_entries(void *arg)
{
	return read_memory()->count == *(uint32_t *)arg;
}

/* --------------------------------------------------------------------- the waves */

static void control(enum amdgpudbg_waveop op, uint32_t trap_id)
{
	struct amdgpudbg_wave_control wc = {
		.op = op, .vmid = vmid, .at = at, .trap_id = trap_id,
	};

	assert_int_equal(adbg_wave_control(session, &wc), 0);
	assert_int_equal(wc.changed, 1);
}

static bool is_stepped(const struct amdgpudbg_wave *w)
{
	return !memcmp(&w->at, &at, sizeof(at));
}

/* As it is now */
static const struct amdgpudbg_wave *stepped(void)
{
	const struct amdgpudbg_wave *w;
	size_t i = 0;

	assert_int_equal(adbg_wave_list_read(list, session, 1U << vmid), 0);
	do {
		w = adbg_wave_list_get(list, i++);
	} while (w && !is_stepped(w));
	if (!w)
		fail_msg("the wave has ended");
	return w;
}

static bool is_halted(void *arg)
{
	(void)arg;
	return (stepped()->flags & (AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV)) ==
	       AMDGPUDBG_WAVE_HALTED;
}

/* It is_halted where the last entry says; is it in debug mode there? */
static void assert_halted_at_entry(const struct memory *m, bool debug)
{
	struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_MODE, .count = 1 },
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_PC_LO, .count = 2 },
	};
	uint32_t values[3];
	struct amdgpudbg_reg_access read = {
		.at = at, .vmid = vmid, .num_ranges = 2, .ranges = (uintptr_t)ranges,
		.values = (uintptr_t)values, .num_values = 3,
	};

	assert_int_equal(adbg_reg_access(session, &read), 0);
	if (debug != !!(values[0] & MODE_DEBUG_EN))
		fail_msg("with %u entries MODE is %#x, %s DEBUG_EN", m->count, values[0],
			 debug ? "without" : "with");
	assert_true(((uint64_t)values[2] << 32 | values[1]) == logged_pc(m, m->count - 1));
}

/* All others have nothing to do with it. */
static void assert_others_are_not_in_debug_mode(void)
{
	const struct amdgpudbg_wave *w;
	unsigned int others = 0;

	for (size_t i = 0; (w = adbg_wave_list_get(list, i)); i++) {
		if (is_stepped(w))
			continue;
		assert_false(w->hw[AMDGPUDBG_GFX10_3_MODE] & MODE_DEBUG_EN);
		others++;
	}
	assert_in_range(others, 1, ITEMS);
}

/*
 * When the log has @count entries, where the wave is held: halt it, and let it out of its
 * handler. It is to be held again at @next.
 */
static void halt_at(uint32_t count, uint32_t next, bool debug)
{
	if (!until(has_entries, &count, DEADLINE_S))
		fail_msg("the log has %u entries, not %u", read_memory()->count, count);
	control(AMDGPUDBG_WAVEOP_HALT, 0);
	write_word(STEPPER_HOLD, next);
	if (!until(is_halted, NULL, DEADLINE_S))
		fail_msg("with %u entries the wave does not stand behind its handler", count);
	assert_int_equal(read_memory()->count, count);
	assert_halted_at_entry(read_memory(), debug);
}

static uint64_t num_traps(void)
{
	struct truth_history history[MAX_VMIDS];

	truth_history_of(pasid, history);
	return history[vmid].traps;
}

/* ------------------------------------------------------------------------ set-up */

static int install(void)
{
	struct amdgpudbg_mem_alloc code = {
		.flags = AMDGPUDBG_MEM_ALLOC_EXEC, .bytes = sizeof(stepper_code),
	};
	struct amdgpudbg_mem_alloc mem = {
		.flags = AMDGPUDBG_MEM_ALLOC_UNCACHED, .bytes = sizeof(struct memory),
	};
	struct amdgpudbg_trap_handler handler = {
		.tba_size = sizeof(stepper_code), .tma_size = sizeof(struct memory),
	};
	int ret = adbg_mem_alloc(session, &code);

	if (!ret)
		ret = adbg_mem_alloc(session, &mem);
	if (!ret)
		ret = adbg_mem_write(session, code.id, 0, stepper_code, sizeof(stepper_code));
	handler.tba = code.va;
	handler.tma = mem.va;
	if (!ret)
		ret = adbg_trap_handler_set(session, &handler);
	vmid = handler.vmid;
	tma = mem.id;
	tma_va = mem.va;
	return ret;
}

static uint32_t input(uint32_t i)
{
	return i * 0x9e3779b9;
}

static int start(const char *kernel)
{
	uint32_t *in = prog.buf[PROG_IN].cpu;

	for (uint32_t i = 0; i < ITEMS; i++)
		in[i] = input(i);
	memset(in + ITEMS, 0, ITEMS * sizeof(*in));
	memset(prog.buf[PROG_OUT].cpu, 0, prog.buf[PROG_OUT].size);
	memset(prog_ctl(&prog), 0, PROG_CTL_WORDS * 4);
	ctl()[CTL_ROUNDS] = ROUNDS;
	return prog_submit(&prog, kernel, &job) || prog_wait(&prog, CTL_BEGUN, ITEMS);
}

/* The waves of *state, a kernel, wait for ctl; the last of them is to be stepped. */
static int set_up(void **state)
{
	struct amdgpudbg_target_set target = {
		.drm_fd = prog.gpu.fd, .pidfd = -1,
	};
	struct amdgpudbg_info info;
	uint64_t types;

	if (adbg_open(NULL, &session) || adbg_target_set(session, &target) ||
	    adbg_session_get_info(session, &info))
		return -1;
	pasid = target.pasid;
	/* Jobs begin and end, and memory is mapped, in any case. */
	types = info.event_mask &
		~(1ULL << AMDGPUDBG_EVENT_JOB_BEGIN | 1ULL << AMDGPUDBG_EVENT_JOB_END |
		  1ULL << AMDGPUDBG_EVENT_VM_CHANGED);
	if (adbg_event_enable(session, types, 0, 0) || install() || start(*state) ||
	    adbg_wave_list_read(list, session, 1U << vmid) ||
	    adbg_wave_list_count(list) < 2)
		return -1;
	at = adbg_wave_list_get(list, adbg_wave_list_count(list) - 1)->at;
	return 0;
}

static int finish(void)
{
	int ret;

	ctl()[CTL_GO] = 1;
	ret = gpu_wait(&prog.gpu, &job, deadline_ns(DEADLINE_S) - now_ns());
	if (!ret)
		gpu_job_free(&prog.gpu, &job);
	return ret;
}

/* Also after a test has failed, whose wave may still be held. */
static int take_down(void **state)
{
	const uint32_t none = 0;
	int ret = 0;

	(void)state;
	if (tma && adbg_mem_write(session, tma, STEPPER_HOLD, &none, sizeof(none)))
		ret = -1;
	adbg_session_close(session);
	return job.ib.cpu && finish() ? -1 : ret;
}

static int set_up_group(void **state)
{
	int ret;

	(void)state;
	ret = prog_open(&prog, NULL, CODE_FILE, ITEMS, 0);
	return ret ? ret : adbg_wave_list_new(&list);
}

static int take_down_group(void **state)
{
	(void)state;
	adbg_wave_list_free(list);
	prog_close(&prog);
	return 0;
}

/* ------------------------------------------------------------------------- tests */

/* Check that no event was sent before: the first one is the one that is requested here. */
static void assert_no_event(void)
{
	struct amdgpudbg_event ev = { 0 };

	control(AMDGPUDBG_WAVEOP_TRAP, STEPPER_ID_REPORT);
	assert_int_equal(adbg_event_next(session, &ev, DEADLINE_S * 1000), 0);
	if (ev.type != AMDGPUDBG_EVENT_WAVE || ev.data != STEPPER_REPORT)
		fail_msg("event %s, data %#llx, cause %#x", adbg_event_type_name(ev.type),
			 (unsigned long long)ev.data, ev.cause);
	assert_int_equal(ev.seq, 1);
	assert_memory_equal(&ev.at, &at, sizeof(at));
}

/* All waves, with right results; what is in the handler's memory then. */
static const struct memory *end_well(void)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu, *in = prog.buf[PROG_IN].cpu;
	const struct memory *m;
	struct amdgpudbg_event ev;

	assert_int_equal(finish(), 0);
	m = read_memory();
	for (uint32_t i = 0; i < ITEMS; i++) {
		uint32_t x = input(i);

		for (uint32_t round = 0; round < ROUNDS; round++)
			x = 3 * (x & 0xffffff) + 0x12345;
		assert_int_equal(out[i], x);
		assert_int_equal(in[ITEMS + i], ROUNDS);
	}
	assert_int_equal(adbg_event_next(session, &ev, 0), -EAGAIN);
	return m;
}

/*
 * The wave waits all the time, and its handler steps it. Then it is_halted there, and all waves
 * may go.
 */
static void begin_steps(uint32_t end)
{
	write_word(STEPPER_END, end);
	write_word(STEPPER_HOLD, AT_FIRST);
	control(AMDGPUDBG_WAVEOP_TRAP, STEPPER_ID_BEGIN);
	halt_at(AT_FIRST, WAITING, true);
	assert_others_are_not_in_debug_mode();
	control(AMDGPUDBG_WAVEOP_RESUME, 0);
	halt_at(WAITING, end, true);
	ctl()[CTL_GO] = 1;
}

/* Then the handler ends debug mode, and the wave runs on by itself. */
static void a_handler_steps_its_wave_for_a_while(void **state)
{
	uint64_t traps = num_traps();
	struct way w;

	(void)state;
	begin_steps(1 + STEPS);
	control(AMDGPUDBG_WAVEOP_RESUME, 0);
	halt_at(1 + STEPS, 0, false);
	w = assert_log(read_memory());
	/* It was in the loop for more than one round, and is there still. */
	assert_in_range(w.rounds, 2, ROUNDS - 1);
	assert_no_event();
	control(AMDGPUDBG_WAVEOP_RESUME, 0);
	assert_int_equal(end_well()->count, 1 + STEPS);
	/* The steps, and two by the host */
	assert_int_equal(num_traps() - traps, STEPS + 2);
}

/* The host's trap in the midst of it is no step. */
static void a_handler_steps_its_wave_to_its_end(void **state)
{
	uint64_t traps = num_traps();
	const struct memory *m;

	(void)state;
	begin_steps(0);
	assert_no_event();
	assert_halted_at_entry(read_memory(), true);
	control(AMDGPUDBG_WAVEOP_RESUME, 0);
	m = end_well();
	assert_int_equal(assert_log(m).place, THE_END);
	assert_int_equal(num_traps() - traps, m->count - 1 + 2);
}

static bool is_out_of_debug_mode(void *arg)
{
	(void)arg;
	return !(stepped()->hw[AMDGPUDBG_GFX10_3_MODE] & MODE_DEBUG_EN);
}

/* The wave is in it when its session ends. By who comes next it is let out. */
static void debug_mode_ends_with_the_session(void **state)
{
	struct amdgpudbg_target_set target = {
		.drm_fd = prog.gpu.fd, .pidfd = -1,
	};
	uint32_t count = AT_FIRST, none = 0;

	(void)state;
	write_word(STEPPER_HOLD, count);
	control(AMDGPUDBG_WAVEOP_TRAP, STEPPER_ID_BEGIN);
	assert_true(until(has_entries, &count, DEADLINE_S));
	assert_false(is_out_of_debug_mode(NULL));
	adbg_session_close(session);
	tma = 0;
	assert_int_equal(adbg_open(NULL, &session), 0);
	assert_int_equal(adbg_target_set(session, &target), 0);
	assert_int_equal(adbg_vm_write(session, getpid(), tma_va + STEPPER_HOLD, &none,
				       sizeof(none)), 0);
	if (!until(is_out_of_debug_mode, NULL, DEADLINE_S))
		fail_msg("the wave traps after each instruction for ever");
}

int main(void)
{
#define TEST(f, kernel) \
	{ #f ", " kernel, f, set_up, take_down, kernel }
	const struct CMUnitTest tests[] = {
		TEST(a_handler_steps_its_wave_for_a_while, "rounds"),
		TEST(a_handler_steps_its_wave_for_a_while, "rounds64"),
		TEST(a_handler_steps_its_wave_to_its_end, "rounds"),
		TEST(a_handler_steps_its_wave_to_its_end, "rounds64"),
		TEST(debug_mode_ends_with_the_session, "rounds"),
	};

	return cmocka_run_group_tests(tests, set_up_group, take_down_group);
}
