// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stops of libamdgpudbg-debug other than breakpoints: the exceptions of faults.s, and s_trap
 * of the program. What is reported, and that the wave then continues with the result of the
 * instruction.
 */
#include "debugger.h"

#include <errno.h>
#include <stdio.h>

#include "self.h"
#include "until.h"

#define FAULTS_FILE	"/usr/share/amdgpudbg/faults.co"
#define FAULT_ITEMS	64
#define FAULT_WAVES	(FAULT_ITEMS / 32)

static struct prog faults;
static struct gpu_job fault;
static bool fault_runs;

/* Results as of IEEE 754, where no trap is: "7. Default exception handling". */
static const struct kind {
	const char *kernel, *at;
	const char *name;	/* as adbg_event_causes() has it */
	uint32_t cause;
	uint32_t mask, result;
} kinds[] = {
	{ "fault_invalid", "fault_invalid_at", "INVALID",
	  AMDGPUDBG_CAUSE_INVALID, 0x7fc00000, 0x7fc00000 },
	{ "fault_denorm", "fault_denorm_at", "INPUT_DENORM",
	  AMDGPUDBG_CAUSE_INPUT_DENORM, ~0u, 1 },
	{ "fault_div0", "fault_div0_at", "DIV0",
	  AMDGPUDBG_CAUSE_FLOAT_DIV0, ~0u, 0x7f800000 },
	{ "fault_overflow", "fault_overflow_at", "OVERFLOW",
	  AMDGPUDBG_CAUSE_OVERFLOW, ~0u, 0x7f800000 },
	{ "fault_underflow", "fault_underflow_at", "UNDERFLOW",
	  AMDGPUDBG_CAUSE_UNDERFLOW, ~0u, 0x00400000 },
	{ "fault_inexact", "fault_inexact_at", "INEXACT",
	  AMDGPUDBG_CAUSE_INEXACT, ~0u, 0x3f800000 },
	{ "fault_int_div0", "fault_int_div0_at", "INT_DIV0",
	  AMDGPUDBG_CAUSE_INT_DIV0, ~0u, 0x7f800000 },
	/* It was not done. */
	{ "fault_mem_viol", "fault_mem_viol_at", "MEM_VIOL",
	  AMDGPUDBG_CAUSE_MEM_VIOL, 0, 0 },
	{ "fault_unmasked", "fault_unmasked_at", "MEM_VIOL",
	  AMDGPUDBG_CAUSE_MEM_VIOL, 0, 0 },
	/* The debugger resumes it behind the instruction. */
	{ "fault_illegal", "fault_illegal_at", "ILLEGAL_INST",
	  AMDGPUDBG_CAUSE_ILLEGAL_INST, ~0u, 77 },
};

#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void start_fault(const char *kernel)
{
	memset(faults.buf[PROG_OUT].cpu, 0, faults.buf[PROG_OUT].size);
	assert_int_equal(prog_submit(&faults, kernel, &fault), 0);
	fault_runs = true;
}

static int wait_fault(unsigned int seconds)
{
	int ret = gpu_wait(&faults.gpu, &fault, deadline_ns(seconds) - now_ns());

	if (ret)
		return ret;
	gpu_job_free(&faults.gpu, &fault);
	fault_runs = false;
	return 0;
}

static void finish_fault(uint32_t mask, uint32_t result)
{
	const uint32_t *out = faults.buf[PROG_OUT].cpu;

	assert_int_equal(wait_fault(DEADLINE_MS / 1000), 0);
	for (uint32_t i = 0; i < FAULT_ITEMS; i++)
		assert_int_equal(out[i] & mask, result);
	assert_no_stop();
}

static uint64_t address_of_fault(const char *name)
{
	return address_in(FAULTS_FILE, faults.buf[PROG_CODE].va, name);
}

/* As trap_abi.h says who moves a wave that has stopped for an exception */
static void go_behind(const struct adbgd_stop *stop)
{
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_TRAPSTS, .count = 1 },
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_PC_LO, .count = 1 },
		{ .space = AMDGPUDBG_REG_TTMP, .first = 13, .count = 1 },
	};
	uint32_t values[] = { 0, (uint32_t)stop->pc + 4, 0 };
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE, .at = stop->at,
		.num_ranges = 3, .ranges = (uintptr_t)ranges,
		.num_values = 3, .values = (uintptr_t)values,
	};

	assert_int_equal(adbg_reg_access(adbgd_process_get_session(process), &access), 0);
}

/* It stands behind the instruction, which it has done; at it, if it is none. */
static void stops_for(const struct kind *kind)
{
	char after[64];
	uint64_t at = address_of_fault(kind->at), pc;
	struct adbgd_stop stop = next_stop();
	const char *names[2];

	assert_string_equal(adbgd_stop_reason_name(stop.reason), "exception");
	assert_int_equal(stop.cause, kind->cause);
	assert_int_equal(adbg_event_causes(stop.cause, stop.watch_mask, names, 2), 1);
	assert_string_equal(names[0], kind->name);
	snprintf(after, sizeof(after), "%s_after", kind->kernel);
	pc = kind->cause == AMDGPUDBG_CAUSE_ILLEGAL_INST ? at : address_of_fault(after);
	if (stop.pc != pc)
		fail_msg("%s: it is at %#llx, not %#llx", kind->name,
			 (unsigned long long)stop.pc, (unsigned long long)pc);
	if (kind->cause == AMDGPUDBG_CAUSE_ILLEGAL_INST ||
	    kind->cause == AMDGPUDBG_CAUSE_MEM_VIOL)
		assert_true(stop.insn == at);
	else
		assert_true(!stop.insn);
	if (pc == at)
		go_behind(&stop);
	MUST(adbgd_wave_continue(process, &stop.at, &error));
}

static void raise_and_continue(const struct kind *kind)
{
	start_fault(kind->kernel);
	for (unsigned int i = 0; i < FAULT_WAVES; i++)
		stops_for(kind);
	finish_fault(kind->mask, kind->result);
}

/* The software GPU would complain. */
static int expect_bad_opcode(bool on)
{
	char question[128], answer[256];

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"expect\",\"complaint\":\"bad-opcode\",\"on\":%s}",
		 on ? "true" : "false");
	return vgpu_ask(question, answer, sizeof(answer));
}

/* ------------------------------------------------------- before and after each test */

/* The debugger attaches before this process is a second client of the GPU. */
int set_up_faults(void **state)
{
	int ret = set_up(state);

	if (!ret)
		ret = prog_open(&faults, NULL, FAULTS_FILE, FAULT_ITEMS, 0);
	if (ret)
		detach();
	return ret;
}

/* A failed test has left waves that do not end by themselves. */
static int kill_waves(void)
{
	struct amdgpudbg_wave_control kill = { .op = AMDGPUDBG_WAVEOP_KILL };
	const struct amdgpudbg_wave *wave;
	struct adbg_session *session;
	struct adbg_wave_list *list;
	int ret = adbg_open(NULL, &session);

	if (ret)
		return ret;
	ret = adbg_wave_list_new(&list);
	if (!ret) {
		ret = adbg_wave_list_read(list, session, 0);
		for (size_t i = 0; !ret && (wave = adbg_wave_list_get(list, i)); i++) {
			kill.at = wave->at;
			kill.vmid = wave->vmid;
			ret = adbg_wave_control(session, &kill);
			if (ret == -ENODATA || ret == -ESTALE)
				ret = 0;
		}
		adbg_wave_list_free(list);
	}
	adbg_session_close(session);
	return ret;
}

/* Also after a failed test, nothing of it is in the way of the next one. */
int take_down_faults(void **state)
{
	int ret = 0;

	detach();
	if (fault_runs && wait_fault(5) && !kill_waves())
		ret = wait_fault(DEADLINE_MS / 1000);
	fault_runs = false;
	prog_close(&faults);
	if (expect_bad_opcode(false))
		ret = -1;
	return take_down(state) ? -1 : ret;
}

void each_exception_is_a_stop(void **state)
{
	(void)state;
	for (const struct kind *kind = kinds; kind < kinds + NUM_KINDS; kind++) {
		bool is_illegal = kind->cause == AMDGPUDBG_CAUSE_ILLEGAL_INST;

		if (is_illegal)
			assert_int_equal(expect_bad_opcode(true), 0);
		raise_and_continue(kind);
		if (is_illegal)
			assert_int_equal(expect_bad_opcode(false), 0);
	}
}

/* A stop that was reported is not reported again when the wave is resumed, or stepped before. */
static void check_reported_once(const struct kind *kind)
{
	struct adbgd_stop stop = next_stop();

	assert_int_equal(stop.cause, kind->cause);
	MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "step");
	MUST(adbgd_wave_continue(process, &stop.at, &error));
}

/* The same in a displaced instruction, whose breakpoint is cleared then, or @before that */
static void check_reported_once_at_breakpoint(const struct kind *kind, bool before)
{
	struct adbgd_stop stops[FAULT_WAVES];
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address_of_fault(kind->at), 0, &b, &error));
	start_fault(kind->kernel);
	for (unsigned int i = 0; i < FAULT_WAVES; i++) {
		stops[i] = next_stop();
		assert_string_equal(adbgd_stop_reason_name(stops[i].reason), "breakpoint");
	}
	for (unsigned int i = 0; i < FAULT_WAVES; i++)
		MUST(adbgd_wave_continue(process, &stops[i].at, &error));
	wait_halted(FAULT_WAVES);
	if (before)
		MUST(adbgd_breakpoint_clear(b, &error));
	for (unsigned int i = 0; i < FAULT_WAVES; i++) {
		stops[i] = next_stop();
		assert_int_equal(stops[i].cause, kind->cause);
		assert_in_range(stops[i].pc, address_of_fault(kind->at),
				address_of_fault(kind->at) + 8);
	}
	if (!before)
		MUST(adbgd_breakpoint_clear(b, &error));
	for (unsigned int i = 0; i < FAULT_WAVES; i++)
		MUST(adbgd_wave_continue(process, &stops[i].at, &error));
	finish_fault(kind->mask, kind->result);
}

/* By who waits for it himself, and reads no event */
static void check_report_of_a_wait(const struct kind *kind)
{
	struct adbgd_stop stops[FAULT_WAVES], stop;
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address_of_fault(kind->kernel), 0, &b, &error));
	start_fault(kind->kernel);
	for (unsigned int i = 0; i < FAULT_WAVES; i++)
		stops[i] = next_stop();
	MUST(adbgd_breakpoint_clear(b, &error));
	for (unsigned int i = 0; i < FAULT_WAVES; i++) {
		MUST(adbgd_wave_until(process, &stops[i].at, address_of_fault(kind->kernel),
				      DEADLINE_MS, &stop, &error));
		assert_string_equal(adbgd_stop_reason_name(stop.reason), "exception");
		assert_int_equal(stop.cause, kind->cause);
		assert_true(stop.insn == (kind->cause == AMDGPUDBG_CAUSE_MEM_VIOL ?
					  address_of_fault(kind->at) : 0));
	}
	MUST(adbgd_process_continue(process, &error));
	finish_fault(kind->mask, kind->result);
}

void each_exception_is_reported_once(void **state)
{
	(void)state;
	for (const struct kind *kind = kinds; kind < kinds + NUM_KINDS; kind++) {
		if (kind->cause == AMDGPUDBG_CAUSE_ILLEGAL_INST)
			continue;
		start_fault(kind->kernel);
		for (unsigned int i = 0; i < FAULT_WAVES; i++)
			check_reported_once(kind);
		finish_fault(kind->mask, kind->result);
		check_reported_once_at_breakpoint(kind, false);
		check_reported_once_at_breakpoint(kind, true);
		check_report_of_a_wait(kind);
	}
}

static void stops_for_trap_of(const char *kernel, uint32_t id)
{
	struct adbgd_stop stop = next_stop();
	char after[64];

	snprintf(after, sizeof(after), "%s_after", kernel);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "trap");
	assert_int_equal(stop.cause, AMDGPUDBG_CAUSE_S_TRAP);
	assert_int_equal(stop.trap_id, id);
	assert_int_equal(stop.breakpoint, 0);
	assert_true(stop.pc == address_of_fault(after));
	assert_true(stop.insn == stop.pc - 4);
	MUST(adbgd_wave_continue(process, &stop.at, &error));
}

static void stops_for_trap(void)
{
	stops_for_trap_of("fault_trap", 3);
}

void s_trap_is_a_stop(void **state)
{
	(void)state;
	start_fault("fault_trap");
	for (unsigned int i = 0; i < FAULT_WAVES; i++)
		stops_for_trap();
	finish_fault(~0u, 78);
}

/* ----------------------------------------------- s_trap 7, as breakpoints are, too */

static struct adbgd_breakpoint *break_near(const char *name, int32_t offset, uint32_t flags)
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address_of_fault(name) + offset, flags, &b, &error));
	return b;
}

/* One wave may be further than the other: they are resumed one after the other. */
static void trap7_between(struct adbgd_breakpoint *before, struct adbgd_breakpoint *behind)
{
	struct adbgd_stop stops[FAULT_WAVES];

	start_fault("fault_trap7");
	for (unsigned int i = 0; before && i < FAULT_WAVES; i++)
		stops[i] = stop_at(before);
	for (unsigned int i = 0; before && i < FAULT_WAVES; i++) {
		MUST(adbgd_wave_continue(process, &stops[i].at, &error));
		stops_for_trap_of("fault_trap7", 7);
		if (behind)
			stops[i] = stop_at(behind);
	}
	for (unsigned int i = 0; !before && i < FAULT_WAVES; i++)
		stops_for_trap_of("fault_trap7", 7);
	for (unsigned int i = 0; before && behind && i < FAULT_WAVES; i++)
		MUST(adbgd_wave_continue(process, &stops[i].at, &error));
	finish_fault(~0u, 79);
}

/*
 * An s_trap of the program is reported as such: where there is no breakpoint, next to some,
 * and where a wave has stopped for a breakpoint by stepping.
 */
void s_trap_7_is_no_breakpoint(void **state)
{
	struct adbgd_breakpoint *before, *behind;

	(void)state;
	trap7_between(NULL, NULL);
	/* None can be in its place, but some can around it. */
	assert_int_equal(adbgd_breakpoint_set(process, address_of_fault("fault_trap7_at"), 0, NULL,
					      &error), -EOPNOTSUPP);
	trap7_between(NULL, NULL);
	before = break_near("fault_trap7_at", -8, 0);
	trap7_between(before, NULL);
	behind = break_near("fault_trap7_after", 4, 0);
	trap7_between(before, behind);
	assert_true(adbgd_breakpoint_get_info(before)->hits == 2 * FAULT_WAVES);
	assert_true(adbgd_breakpoint_get_info(behind)->hits == FAULT_WAVES);
	MUST(adbgd_breakpoint_clear(behind, &error));
	MUST(adbgd_breakpoint_clear(before, &error));
	/* Where it stands then, it does not stop again. */
	behind = break_near("fault_trap7_after", 0, 0);
	trap7_between(NULL, NULL);
	MUST(adbgd_breakpoint_clear(behind, &error));
	before = break_near("fault_trap7_at", 0, ADBGD_BREAKPOINT_STEPPED);
	trap7_between(before, NULL);
	MUST(adbgd_breakpoint_clear(before, &error));
	trap7_between(NULL, NULL);
}

/* v0 is the number of the work-item in its group, at first; there is one group. */
static bool is_first_wave(const struct adbgd_stop *stop)
{
	uint32_t v0[32];

	read_lanes(&stop->at, 0, v0);
	return !v0[0];
}

/*
 * Trace the first wave from its start to the instruction that stops it. The other one
 * runs, and stops there, too.
 */
static struct adbgd_trace *trace_fault(const char *kernel, bool alone)
{
	struct adbgd_breakpoint *b;
	struct adbgd_trace *t;
	struct adbgd_stop stops[FAULT_WAVES], stop;
	unsigned int first;

	MUST(adbgd_breakpoint_set(process, address_of_fault(kernel), 0, &b, &error));
	start_fault(kernel);
	for (unsigned int i = 0; i < FAULT_WAVES; i++) {
		stops[i] = next_stop();
		assert_int_equal(stops[i].reason, ADBGD_STOP_BREAKPOINT);
	}
	first = is_first_wave(&stops[0]) ? 0 : 1;
	assert_true(is_first_wave(&stops[first]) && !is_first_wave(&stops[!first]));
	MUST(adbgd_wave_continue(process, &stops[!first].at, &error));
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_trace_begin(process, &stops[first].at, &t, &error));
	record_trace(t, alone, &stop);
	return t;
}

/* The ninth instruction of each enables the exception that the tenth has; NULL: s_trap has none */
static void trace_both_ways(const struct kind *kind)
{
	struct adbgd_trace *traces[2];

	for (unsigned int alone = 0; alone < 2; alone++) {
		traces[alone] = trace_fault(kind ? kind->kernel : "fault_trap", alone);
		for (unsigned int i = 0; i < FAULT_WAVES; i++) {
			if (kind)
				stops_for(kind);
			else
				stops_for_trap();
		}
		finish_fault(kind ? kind->mask : ~0u, kind ? kind->result : 78);
		assert_int_equal(adbgd_trace_get_info(traces[alone])->num_steps, 10);
	}
	same_traces(traces[0], traces[1]);
	adbgd_trace_free(traces[0]);
	adbgd_trace_free(traces[1]);
}

void traces_end_where_waves_stop(void **state)
{
	(void)state;
	for (const struct kind *kind = kinds; kind < kinds + NUM_KINDS; kind++) {
		if (kind->cause == AMDGPUDBG_CAUSE_FLOAT_DIV0 ||
		    kind->cause == AMDGPUDBG_CAUSE_MEM_VIOL)
			trace_both_ways(kind);
	}
	trace_both_ways(NULL);
}

static uint64_t steps_to_end(bool alone)
{
	const struct adbgd_condition never = {
		.relation = ADBGD_RELATION_EQUAL, .space = AMDGPUDBG_REG_SGPR, .reg = 13,
		.value = 0x12345678,
	};
	struct adbgd_stop stops[FAULT_WAVES], stop;
	struct adbgd_breakpoint *b, *other;
	struct adbgd_trace *t;
	uint64_t num, steps;

	MUST(adbgd_breakpoint_set(process, address_of_fault("fault_mode"), 0, &b, &error));
	MUST(adbgd_breakpoint_set_if(process, address_of_fault("fault_mode_after"), 0, &never,
				     &other, &error));
	start_fault("fault_mode");
	for (unsigned int i = 0; i < FAULT_WAVES; i++)
		stops[i] = next_stop();
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_wave_continue(process, &stops[1].at, &error));
	MUST(adbgd_trace_begin(process, &stops[0].at, &t, &error));
	do {
		num = alone ? 1000 : 1;
		MUST(adbgd_trace_record(process, t, &num, &stop, &error));
	} while (stop.reason == ADBGD_STOP_STEP);
	assert_int_equal(stop.reason, ADBGD_STOP_WAVE_END);
	steps = adbgd_trace_get_info(t)->num_steps;
	adbgd_trace_free(t);
	MUST(adbgd_breakpoint_clear(other, &error));
	finish_fault(~0u, 79);
	return steps;
}

/* Nothing is left out, though the wave takes debug mode off itself, at a breakpoint. */
void a_trace_has_no_gap(void **state)
{
	(void)state;
	/* fault_mode has 15 */
	assert_int_equal(steps_to_end(false), 15);
	assert_int_equal(steps_to_end(true), 15);
}

static void control_all(uint32_t op, uint32_t flags, uint32_t trap_id)
{
	struct amdgpudbg_wave_control control = {
		.op = op, .mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, .flags = flags,
		.trap_id = trap_id,
	};

	assert_int_equal(adbg_wave_control(adbgd_process_get_session(process), &control), 0);
	assert_int_equal(control.matched, NUM_WAVES);
	assert_int_equal(control.changed, NUM_WAVES);
}

/* Of waves in the middle of anything; some of them at once, and all together afterwards */
void traps_by_the_host_are_reported(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	start_rounds();
	for (unsigned int i = 0; i < NUM_WAVES; i += 3) {
		control_all(AMDGPUDBG_WAVEOP_TRAP, 0, 5);
		for (unsigned int k = 0; k < NUM_WAVES; k++) {
			stop = next_stop();
			assert_string_equal(adbgd_stop_reason_name(stop.reason), "host-trap");
			assert_int_equal(stop.cause, AMDGPUDBG_CAUSE_HOST_TRAP);
			assert_int_equal(stop.trap_id, 5);
			if (k < i)
				MUST(adbgd_wave_continue(process, &stop.at, &error));
		}
		assert_no_stop();
		MUST(adbgd_process_continue(process, &error));
		assert_int_equal(count_halted(), 0);
	}
	finish_rounds();
	assert_no_stop();
}

/* Each wave stops behind each instruction. */
void stops_in_debug_mode_are_reported(void **state)
{
	struct amdgpudbg_wave_coord stops[NUM_WAVES];
	struct adbgd_stop stop;

	(void)state;
	start_rounds();
	MUST(adbgd_process_halt(process, &error));
	control_all(AMDGPUDBG_WAVEOP_DEBUG, 0, 0);
	for (unsigned int i = 0; i < 10; i++) {
		MUST(adbgd_process_continue(process, &error));
		for (unsigned int k = 0; k < NUM_WAVES; k++) {
			stop = next_stop();
			assert_string_equal(adbgd_stop_reason_name(stop.reason), "step");
			assert_int_equal(stop.cause, AMDGPUDBG_CAUSE_DEBUG);
			assert_in_range(stop.pc, address_of("rounds"),
					address_of("rounds_inner_return"));
			for (unsigned int n = 0; n < k; n++)
				assert_memory_not_equal(&stops[n], &stop.at, sizeof(stop.at));
			stops[k] = stop.at;
		}
		assert_no_stop();
	}
	control_all(AMDGPUDBG_WAVEOP_DEBUG, AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF, 0);
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
}
