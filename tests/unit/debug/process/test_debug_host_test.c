// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/process/host_test.c and stop.c: a wave at a breakpoint whose condition the host decides
 * stops or is resumed. This file simulates the GPU with one wave, and decides itself; expressions
 * are tested in test_debug_condition.c.
 */
#include "debug/util.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "mock.h"
#include "process/breakpoint.h"
#include "process/runs.h"
#include "process/stop.h"
#include "trap_abi.h"

#define PC	0x123400001000ull	/* of the instruction under the breakpoint */
#define CODE	0x200000000ull		/* the buffer of the debugger's code */
#define PLACES	(CODE + 0x1000)
#define MEMORY	2			/* id of the buffer with the hit counters */
#define S_NOP	0xbf800000

static struct adbgd_process process;
static struct adbgd_breakpoint breakpoint;
static struct amdgpudbg_wave wave;
static struct adbgd_error error;
static unsigned int num_evaluated, num_resumed;
static uint64_t resumed_at;
/* What the test says: lanes, an error, or that the wave ends during it */
static uint64_t lanes;
static int failure;
static bool changes_id;		/* the wave has another id after it */
static bool comes_again;	/* a resumed wave traps there again at once */
static bool is_unpatched;	/* the program's instruction is there */
static unsigned int num_lists;	/* of all waves */

static void trap(void);
static bool ends;

static void read_patch(void *arg)
{
	struct amdgpudbg_vm_access *access = arg;
	uint32_t patch = is_unpatched ? S_NOP : adbgd_patch_insn();

	/* Not when a patch is removed */
	if (access->data)
		memcpy((void *)(uintptr_t)access->data, &patch, sizeof(patch));
	access->done = access->bytes;
}

static uint32_t gpu_hits;	/* what the GPU has counted, in the buffer MEMORY */

static void copy_hits(const struct amdgpudbg_mem_copy *copy)
{
	void *data = (void *)(uintptr_t)copy->data;

	assert_int_equal(copy->offset, breakpoint.counter + TRAP_COUNTER_HITS);
	assert_int_equal(copy->bytes, sizeof(gpu_hits));
	if (copy->flags == AMDGPUDBG_MEM_COPY_WRITE)
		memcpy(&gpu_hits, data, sizeof(gpu_hits));
	else
		memcpy(data, &gpu_hits, sizeof(gpu_hits));
}

static void read_copy(void *arg)
{
	const struct amdgpudbg_mem_copy *copy = arg;

	if (copy->id == MEMORY) {
		copy_hits(copy);
		return;
	}
	memcpy((void *)(uintptr_t)copy->data, process.handler.displaced[0].code, copy->bytes);
}

/* PC_LO, PC_HI, TTMP0 and TTMP1, if they are as expected */
static void write_state(void *arg)
{
	struct amdgpudbg_reg_access *access = arg;
	const uint32_t *values = (const uint32_t *)(uintptr_t)access->values;
	const uint32_t *expected = (const uint32_t *)(uintptr_t)access->compare;

	assert_int_equal(access->num_values, 4);
	assert_int_equal(expected[0] | (uint64_t)expected[1] << 32, wave.pc);
	assert_int_equal(expected[2], wave.ttmp[0]);
	assert_int_equal(expected[3], wave.ttmp[1]);
	wave.pc = values[0] | (uint64_t)values[1] << 32;
	wave.ttmp[0] = values[2];
	wave.ttmp[1] = values[3];
	access->num_done = access->num_values;
}

static void control_wave(void *arg)
{
	struct amdgpudbg_wave_control *control = arg;

	control->matched = 1;
	control->changed = 1;
	if (control->op == AMDGPUDBG_WAVEOP_STEP) {
		wave.pc += 4;
		control->new_pc = wave.pc;
		return;
	}
	assert_int_equal(control->op, AMDGPUDBG_WAVEOP_RESUME);
	num_resumed++;
	resumed_at = wave.pc;
	wave.flags &= ~AMDGPUDBG_WAVE_HALTED;
	if (comes_again)
		trap();
}

static void count_list(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	num_lists += !list->select.at_mask;
}

static struct mock_ioctl answers[] = {
	{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = &wave, .num_waves = 1,
	  .check = count_list },
	{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .check = control_wave },
	{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = write_state },
	{ .request = AMDGPUDBG_IOC_VM_ACCESS, .check = read_patch },
	{ .request = AMDGPUDBG_IOC_MEM_COPY, .check = read_copy },
	{ .request = AMDGPUDBG_IOC_EVENT_ENABLE },
};

/* Commands can be sent to the wave's handler: its stop is not pending. */
static int evaluate(struct adbgd_breakpoint *b, const struct amdgpudbg_wave_coord *at,
		    uint64_t *found, struct adbgd_error *why)
{
	assert_ptr_equal(b, &breakpoint);
	assert_memory_equal(at, &wave.at, sizeof(*at));
	assert_true(wave.pc == PC);
	assert_false(adbgd_wave_is_pending(&process, &wave));
	num_evaluated++;
	wave.id += changes_id;
	*found = lanes;
	answers[0].num_waves = !ends;
	if (failure)
		snprintf(why->text, sizeof(why->text), "lane 3: it is nowhere");
	return failure;
}

/* The wave has trapped at the breakpoint, and no event says so. */
static void trap(void)
{
	wave.flags |= AMDGPUDBG_WAVE_HALTED;
	wave.pc = PC + 4;
	wave.ttmp[0] = (uint32_t)PC;
	wave.ttmp[1] = PC >> 32 | TRAP_ID_BREAK << 16;
	assert_true(adbgd_wave_is_pending(&process, &wave));
	process.lost_events = true;
}

static void begin(void)
{
	static const struct mock_ioctl open[] = { MOCK_GET_INFO };
	const struct adbg_field *trap_en;
	const uint32_t insn = S_NOP;

	process = (struct adbgd_process){
		.info = { .vmid = 1, .gc_version = ADBG_GC_VERSION(10, 3, 1) },
		.session = mock_session(open, 1),
		.interrupt_fd = -1, .va_bits = 48, .exec.program_fd = -1,
		.handler = { .code_id = 1, .code_va = CODE, .displaced_va = PLACES,
			     .memory_id = MEMORY },
		.breakpoints.first = &breakpoint,
	};
	trap_header(process.handler.header, 1, 1, 1, 1, 10);
	answers[0].num_waves = 1;
	mock_answer(answers, ARRAY_SIZE(answers));
	assert_int_equal(adbg_wave_list_new(&process.waves), 0);
	breakpoint = (struct adbgd_breakpoint){
		.info = { .number = 1, .address = PC }, .process = &process, .insn = { insn },
		.test.evaluate = evaluate,
	};
	assert_int_equal(adbgd_displace(process.info.gc_version, &insn, 1, PC,
					&process.handler.displaced[0]), 0);
	trap_en = adbg_reg_find_field(adbg_reg_find(process.info.gc_version, "STATUS"), "TRAP_EN");
	wave = (struct amdgpudbg_wave){
		.vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP,
		.hw_mask = MOCK_HW_MASK, .HW(STATUS) = 1U << trap_en->shift,
	};
	trap();
	num_evaluated = 0;
	num_resumed = 0;
	num_lists = 0;
	lanes = 0;
	failure = 0;
	comes_again = false;
	ends = false;
	is_unpatched = false;
}

static void end(void)
{
	free(process.evaluated.bits);
	free(process.kept);
	adbg_wave_list_free(process.waves);
	adbg_session_close(process.session);
}

static struct adbgd_stop stops(void)
{
	struct adbgd_stop stop;

	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), 0);
	assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT);
	assert_int_equal(stop.breakpoint, 1);
	assert_true(stop.pc == PC);
	assert_int_equal(num_resumed, 0);
	assert_true(wave.flags & AMDGPUDBG_WAVE_HALTED && wave.pc == PC);
	assert_false(adbgd_wave_is_pending(&process, &wave));
	return stop;
}

/* It executes the displaced instruction. */
static void passes(void)
{
	struct adbgd_stop stop;

	num_resumed = 0;
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EAGAIN);
	assert_int_equal(num_resumed, 1);
	assert_true(resumed_at == PLACES);
}

static void a_wave_stops_where_the_condition_is_true(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	lanes = 1ULL << 31;
	stop = stops();
	assert_true(stop.lanes == 1ULL << 31);
	assert_int_equal(stop.flags, 0);
	assert_int_equal(breakpoint.info.hits, 1);
	end();
}

static void a_wave_passes_where_it_is_false(void **state)
{
	(void)state;
	begin();
	passes();
	assert_int_equal(num_evaluated, 1);
	assert_int_equal(breakpoint.info.hits, 0);
	end();
}

static void a_wave_stops_if_it_cannot_be_decided(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	failure = -EFAULT;
	breakpoint.info.ignore = 3;
	stop = stops();
	assert_int_equal(stop.flags, ADBGD_STOP_UNDECIDED);
	assert_true(!stop.lanes);
	assert_string_equal(process.condition_error.text, "lane 3: it is nowhere");
	end();
}

static void an_interrupted_decision_is_made_later(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	failure = -EINTR;
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EAGAIN);
	assert_int_equal(num_resumed, 0);
	assert_true(adbgd_wave_is_pending(&process, &wave));
	assert_true(adbgd_process_get_poll_timeout(&process) >= 0);
	failure = 0;
	lanes = 1;
	stops();
	end();
}

static void a_wave_that_ends_during_it_does_not_stop(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	failure = -ENODATA;
	ends = true;
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EAGAIN);
	assert_int_equal(breakpoint.info.hits, 0);
	end();
}

static void only_waves_that_satisfy_it_are_counted(void **state)
{
	(void)state;
	begin();
	breakpoint.has_condition = true;
	breakpoint.condition.nth = 2;
	passes();
	trap();
	lanes = 1;
	passes();
	trap();
	lanes = 0;
	passes();
	trap();
	lanes = 1;
	num_resumed = 0;
	stops();
	assert_int_equal(breakpoint.info.hits, 1);
	breakpoint.condition = (struct adbgd_condition){ .every = 2 };
	breakpoint.test.hits = 0;
	trap();
	passes();
	trap();
	num_resumed = 0;
	stops();
	end();
}

/* Its code is unloaded. Returns what was counted. */
static uint64_t unplace(void)
{
	breakpoint.info.flags = ADBGD_BREAKPOINT_PENDING;
	breakpoint.info.address = PC;
	assert_int_equal(adbgd_breakpoint_unplace(&breakpoint, &error), 0);
	assert_true(breakpoint.info.flags & ADBGD_BREAKPOINT_NO_ADDRESS);
	return breakpoint.counted;
}

static void hits_are_kept_while_there_is_no_address(void **state)
{
	(void)state;
	begin();
	breakpoint.has_condition = true;
	breakpoint.condition.nth = 5;
	breakpoint.test.hits = 3;
	assert_int_equal(unplace(), 3);
	/* The GPU counts: "every" from 0 again each time. */
	breakpoint.has_condition = true;
	assert_int_equal(adbgd_condition_set_hits(&breakpoint, &error), 0);
	assert_int_equal(gpu_hits, 3);
	breakpoint.condition = (struct adbgd_condition){ .every = 2 };
	assert_int_equal(adbgd_condition_set_hits(&breakpoint, &error), 0);
	assert_int_equal(gpu_hits, 1);
	gpu_hits = 7;
	assert_int_equal(unplace(), 7);
	/* Without a count, nothing is kept. */
	breakpoint.has_condition = true;
	breakpoint.condition.every = 0;
	assert_int_equal(unplace(), 0);
	end();
}

static void only_waves_that_satisfy_it_are_ignored(void **state)
{
	(void)state;
	begin();
	breakpoint.info.ignore = 1;
	passes();
	assert_int_equal(breakpoint.info.ignore, 1);
	trap();
	lanes = 1;
	passes();
	assert_int_equal(breakpoint.info.ignore, 0);
	assert_int_equal(breakpoint.info.hits, 1);
	trap();
	num_resumed = 0;
	stops();
	assert_int_equal(breakpoint.info.hits, 2);
	end();
}

static void a_step_to_the_breakpoint_is_decided(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	wave.pc = PC - 4;
	wave.ttmp[1] = 0;
	process.lost_events = false;
	assert_int_equal(adbgd_wave_step(&process, &wave.at, &stop, &error), 0);
	assert_true(stop.pc == PC);
	assert_int_equal(stop.breakpoint, 0);
	assert_false(adbgd_stop_is_at_breakpoint(&process, &stop));
	wave.pc = PC - 4;
	lanes = 6;
	assert_int_equal(adbgd_wave_step(&process, &wave.at, &stop, &error), 0);
	assert_int_equal(stop.breakpoint, 1);
	assert_true(stop.lanes == 6);
	assert_true(adbgd_stop_is_at_breakpoint(&process, &stop));
	end();
}

/* A blocking function waits for one wave, and that may wait for this one. */
static void others_pass_while_one_wave_is_waited_for(void **state)
{
	(void)state;
	begin();
	adbgd_stops_pass_others(&process, true);
	assert_int_equal(num_resumed, 1);
	assert_true(resumed_at == PLACES);
	/* One that is to stop is decided once, and stays as it was. */
	trap();
	lanes = 1;
	num_evaluated = 0;
	for (int i = 0; i < 3; i++) {
		process.next_pass = 0;
		adbgd_stops_pass_others(&process, !i);
	}
	assert_int_equal(num_evaluated, 1);
	assert_int_equal(num_resumed, 1);
	assert_true(adbgd_wave_is_pending(&process, &wave));
	num_resumed = 0;
	stops();
	end();
}

/* As if the function had waited for some time */
static void pass_others(void)
{
	process.next_pass = 0;
	adbgd_stops_pass_others(&process, true);
}

/* Where the breakpoint has no test */
static void others_pass_an_ignored_breakpoint_during_a_wait(void **state)
{
	(void)state;
	begin();
	breakpoint.test.evaluate = NULL;
	breakpoint.info.ignore = 2;
	for (unsigned int i = 1; i <= 2; i++) {
		pass_others();
		assert_int_equal(num_resumed, i);
		assert_true(resumed_at == PLACES);
		assert_int_equal(breakpoint.info.ignore, 2 - i);
		assert_int_equal(breakpoint.info.hits, i);
		trap();
	}
	/* The third stop is to be reported. */
	num_resumed = 0;
	pass_others();
	assert_true(adbgd_wave_is_pending(&process, &wave));
	assert_int_equal(breakpoint.info.hits, 2);
	stops();
	end();
}

static void others_pass_an_expired_breakpoint_during_a_wait(void **state)
{
	(void)state;
	begin();
	breakpoint.test.evaluate = NULL;
	breakpoint.is_expired = true;
	pass_others();
	assert_int_equal(num_resumed, 1);
	assert_true(resumed_at == PLACES);
	assert_int_equal(breakpoint.info.hits, 0);
	end();
}

/* It executes the instruction, which is in the code again, unless that is an s_trap of its own. */
static void others_pass_a_cleared_breakpoint_during_a_wait(void **state)
{
	(void)state;
	begin();
	process.breakpoints.first = NULL;
	process.breakpoints.cleared[0] = PC;
	process.breakpoints.num_cleared = 1;
	pass_others();
	assert_int_equal(num_resumed, 0);
	assert_true(adbgd_wave_is_pending(&process, &wave));
	is_unpatched = true;
	pass_others();
	assert_int_equal(num_resumed, 1);
	assert_true(resumed_at == PC);
	end();
}

static void others_pass_the_goal_of_a_wave_during_a_wait(void **state)
{
	struct adbgd_runner runner = { .runs = true, .to = { .at = { PC }, .num = 1 } };
	struct adbgd_run run = { .process = &process, .runners = &runner, .num = 1 };

	(void)state;
	begin();
	breakpoint.test.evaluate = NULL;
	breakpoint.info.flags = ADBGD_BREAKPOINT_MOMENTARY;
	runner.wave = wave;
	process.runs = &run;
	pass_others();
	assert_int_equal(num_resumed, 0);
	runner.wave.at.wave++;
	pass_others();
	assert_int_equal(num_resumed, 1);
	assert_true(resumed_at == PLACES);
	end();
}

/* Without such breakpoints, and if all stops raise events, waves are not even listed. */
static void waves_stay_where_nothing_lets_them_pass(void **state)
{
	(void)state;
	begin();
	breakpoint.test.evaluate = NULL;
	pass_others();
	assert_int_equal(num_resumed, 0);
	assert_int_equal(num_lists, 1);
	assert_true(adbgd_wave_is_pending(&process, &wave));
	process.lost_events = false;
	num_lists = 0;
	pass_others();
	assert_int_equal(num_lists, 0);
	end();
}

/* In a run of all waves, the function waits for one after the other. */
static void others_of_a_run_pass_unless_they_have_arrived(void **state)
{
	struct adbgd_runner runner = { .runs = true, .to = { .at = { PC + 64 }, .num = 1 } };
	struct adbgd_run run = { .process = &process, .runners = &runner, .num = 1 };

	(void)state;
	begin();
	runner.wave = wave;
	process.runs = &run;
	adbgd_stops_pass_others(&process, true);
	assert_int_equal(num_resumed, 1);
	trap();
	runner.to.at[0] = PC;
	num_evaluated = 0;
	process.next_pass = 0;
	adbgd_stops_pass_others(&process, true);
	assert_int_equal(num_evaluated, 0);
	assert_true(adbgd_wave_is_pending(&process, &wave));
	end();
}

static void is_kept(void)
{
	struct adbgd_stop stop;

	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EAGAIN);
	assert_int_equal(num_resumed, 0);
	assert_true(wave.flags & AMDGPUDBG_WAVE_HALTED && wave.pc == PC);
	assert_false(adbgd_wave_is_pending(&process, &wave));
}

static void keep(bool (*wants)(void *data, const struct amdgpudbg_wave *wave))
{
	assert_int_equal(adbgd_process_notify_halt_begin(&process, &error), 0);
	assert_int_equal(adbgd_process_notify_halt_end(&process, &error), 0);
	assert_int_equal(adbgd_process_keep_halted(&process, wants, NULL, &error), 0);
}

/* Also one whose stop is ignored. */
static void a_halted_wave_does_not_pass(void **state)
{
	(void)state;
	begin();
	wave.id = 77;
	keep(NULL);
	is_kept();
	trap();
	breakpoint.info.ignore = 1;
	lanes = 1;
	is_kept();
	/* Another wave in its slot passes. */
	trap();
	wave.id = 78;
	lanes = 0;
	passes();
	end();
}

static bool is_another(void *data, const struct amdgpudbg_wave *w)
{
	(void)data;
	assert_int_equal(w->id, 77);
	return false;
}

static void a_wave_passes_while_another_one_is_halted(void **state)
{
	(void)state;
	begin();
	wave.id = 77;
	keep(is_another);
	passes();
	end();
}

/* Reading LDS in a decision makes the wave trap, which changes its id. */
static void an_interrupted_decision_keeps_the_wave_halted(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	wave.id = 77;
	keep(NULL);
	failure = -EINTR;
	changes_id = true;
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EAGAIN);
	assert_int_equal(wave.id, 78);
	changes_id = false;
	failure = 0;
	is_kept();
	end();
}

static void a_wave_that_is_not_resumed_stays_pending(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	answers[1] = (struct mock_ioctl){ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = EIO };
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EIO);
	assert_int_equal(num_resumed, 0);
	assert_true(adbgd_wave_is_pending(&process, &wave));
	assert_true(adbgd_process_get_poll_timeout(&process) >= 0);
	answers[1] = (struct mock_ioctl){
		.request = AMDGPUDBG_IOC_WAVE_CONTROL, .check = control_wave,
	};
	passes();
	end();
}

/* Nor is it at the breakpoint of the goal, if it is not counted as one that stops. */
static void waves_that_are_counted_or_ignored_pass_a_wait(void **state)
{
	(void)state;
	begin();
	breakpoint.has_condition = true;
	breakpoint.condition.nth = 3;
	lanes = 1;
	comes_again = true;
	for (int i = 0; i < 4; i++) {
		process.next_pass = 0;
		adbgd_stops_pass_others(&process, !i);
	}
	/* The third one stops, and is counted when it is reported. */
	assert_int_equal(num_resumed, 2);
	assert_int_equal(breakpoint.test.hits, 2);
	breakpoint.has_condition = false;
	breakpoint.info.ignore = 2;
	for (int i = 0; i < 4; i++) {
		process.next_pass = 0;
		adbgd_stops_pass_others(&process, !i);
	}
	assert_int_equal(num_resumed, 4);
	assert_int_equal(breakpoint.info.ignore, 0);
	assert_int_equal(breakpoint.info.hits, 2);
	comes_again = false;
	end();
}

/* The handler has stopped the wave for the first of two breakpoints at an instruction. */
static void stop_for_instruction(void)
{
	const struct adbg_field *debug_en =
		adbg_reg_find_field(adbg_reg_find(process.info.gc_version, "MODE"), "DEBUG_EN");

	wave.flags |= AMDGPUDBG_WAVE_HALTED;
	wave.HW(MODE) |= 1U << debug_en->shift;
	wave.pc = PC;
	wave.ttmp[0] = (uint32_t)PC;
	wave.ttmp[1] = PC >> 32;
	wave.ttmp[13] = adbgd_stepped_tag(&breakpoint);
	process.lost_events = true;
}

static void others_pass_a_cleared_breakpoint_by_stepping_during_a_wait(void **state)
{
	(void)state;
	begin();
	breakpoint.info.flags = ADBGD_BREAKPOINT_STEPPED;
	stop_for_instruction();
	process.breakpoints.first = NULL;
	pass_others();
	assert_int_equal(num_resumed, 1);
	assert_true(resumed_at == PC);
	end();
}

static int evaluate_second(struct adbgd_breakpoint *b, const struct amdgpudbg_wave_coord *at,
			   uint64_t *found, struct adbgd_error *why)
{
	(void)at;
	(void)why;
	assert_int_equal(b->info.number, 2);
	*found = 1;
	return 0;
}

static void a_breakpoint_that_is_false_hides_no_other_at_its_instruction(void **state)
{
	static struct adbgd_breakpoint second;
	struct adbgd_stop stop;

	(void)state;
	begin();
	breakpoint.info.flags = ADBGD_BREAKPOINT_STEPPED;
	breakpoint.info.num_insns = 1;
	second = breakpoint;
	second.info.number = 2;
	second.test.evaluate = evaluate_second;
	breakpoint.next = &second;
	stop_for_instruction();
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), 0);
	assert_int_equal(stop.breakpoint, 2);
	assert_int_equal(num_resumed, 0);
	/* A step finds it, too, and one without a condition. */
	for (int i = 0; i < 2; i++) {
		wave.pc = PC - 4;
		wave.ttmp[0] = 0;
		wave.ttmp[1] = 0;
		process.lost_events = false;
		assert_int_equal(adbgd_wave_step(&process, &wave.at, &stop, &error), 0);
		assert_int_equal(stop.breakpoint, 2);
		second.test.evaluate = NULL;
	}
	end();
}

/* A wave that was stopped by stepping has not executed the s_trap that is there. */
static void a_wave_that_passes_reaches_the_patch_there(void **state)
{
	static struct adbgd_breakpoint patch;
	struct adbgd_stop stop;

	(void)state;
	begin();
	patch = breakpoint;
	patch.test.evaluate = NULL;
	patch.info.number = 2;
	breakpoint.info.flags = ADBGD_BREAKPOINT_STEPPED;
	breakpoint.next = &patch;
	stop_for_instruction();
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EAGAIN);
	assert_int_equal(num_resumed, 1);
	assert_true(resumed_at == PC);
	end();
}

static void waves_without_an_event_are_seen_in_a_flood(void **state)
{
	const struct amdgpudbg_event ev = {
		.size = sizeof(ev), .type = AMDGPUDBG_EVENT_WAVE, .pc = PC, .vmid = 1,
		.trap_id = TRAP_ID_BREAK, .cause = AMDGPUDBG_CAUSE_S_TRAP,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE |
			 AMDGPUDBG_EVENT_IS_PRIV,
	};
	struct adbgd_stop stop;
	int fds[2];

	(void)state;
	mock_add_events(&ev, sizeof(ev));
	mock_repeat_events();
	begin();
	assert_int_equal(adbg_event_enable(process.session, 1ULL << AMDGPUDBG_EVENT_WAVE, 0, 0),
			 0);
	comes_again = true;
	/* It returns although there is always another event. */
	assert_int_equal(adbgd_process_wait_stop(&process, 0, &stop, &error), -EAGAIN);
	assert_true(num_evaluated > 0 && num_lists > 0);
	/* Also for an interruption, at once. */
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "", 1), 1);
	process.interrupt_fd = fds[0];
	num_evaluated = 0;
	assert_int_equal(adbgd_process_wait_stop(&process, -1, &stop, &error), -EINTR);
	assert_int_equal(num_evaluated, 0);
	close(fds[0]);
	close(fds[1]);
	process.interrupt_fd = -1;
	/* While jobs are counted, waves are looked at only after all events. */
	process.launch.state = ADBGD_LAUNCH_COUNT_JOBS;
	process.polled = 0;
	num_lists = 0;
	assert_int_equal(adbgd_process_handle_event(&process, &ev, &stop, &error), -EAGAIN);
	assert_int_equal(num_lists, 0);
	process.launch.state = ADBGD_LAUNCH_RUN;
	assert_int_equal(adbgd_process_handle_event(&process, &ev, &stop, &error), -EAGAIN);
	assert_int_equal(num_lists, 1);
	comes_again = false;
	end();
}

static void a_wave_of_the_condition_before_passes(void **state)
{
	(void)state;
	begin();
	process.handler.has_conditions = true;
	assert_int_equal(adbgd_breakpoint_set_condition(&breakpoint, NULL, &error), 0);
	assert_int_equal(num_evaluated, 1);
	assert_int_equal(num_resumed, 1);
	assert_null(breakpoint.test.evaluate);
	end();
}

/* The user who has interrupted a step sees that the wave is at the breakpoint. */
static void an_interrupted_step_says_that_it_was_not_decided(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	begin();
	wave.pc = PC - 4;
	wave.ttmp[1] = 0;
	failure = -EINTR;
	assert_int_equal(adbgd_wave_step(&process, &wave.at, &stop, &error), 0);
	assert_int_equal(stop.breakpoint, 1);
	assert_int_equal(stop.flags, ADBGD_STOP_UNDECIDED);
	assert_string_equal(process.condition_error.text, "interrupted");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(a_wave_stops_where_the_condition_is_true),
		MOCK_TEST(a_wave_passes_where_it_is_false),
		MOCK_TEST(a_wave_stops_if_it_cannot_be_decided),
		MOCK_TEST(an_interrupted_decision_is_made_later),
		MOCK_TEST(a_wave_that_ends_during_it_does_not_stop),
		MOCK_TEST(only_waves_that_satisfy_it_are_counted),
		MOCK_TEST(hits_are_kept_while_there_is_no_address),
		MOCK_TEST(only_waves_that_satisfy_it_are_ignored),
		MOCK_TEST(a_step_to_the_breakpoint_is_decided),
		MOCK_TEST(others_pass_while_one_wave_is_waited_for),
		MOCK_TEST(others_pass_an_ignored_breakpoint_during_a_wait),
		MOCK_TEST(others_pass_an_expired_breakpoint_during_a_wait),
		MOCK_TEST(others_pass_a_cleared_breakpoint_during_a_wait),
		MOCK_TEST(others_pass_a_cleared_breakpoint_by_stepping_during_a_wait),
		MOCK_TEST(others_pass_the_goal_of_a_wave_during_a_wait),
		MOCK_TEST(waves_stay_where_nothing_lets_them_pass),
		MOCK_TEST(others_of_a_run_pass_unless_they_have_arrived),
		MOCK_TEST(a_halted_wave_does_not_pass),
		MOCK_TEST(a_wave_passes_while_another_one_is_halted),
		MOCK_TEST(an_interrupted_decision_keeps_the_wave_halted),
		MOCK_TEST(waves_that_are_counted_or_ignored_pass_a_wait),
		MOCK_TEST(a_breakpoint_that_is_false_hides_no_other_at_its_instruction),
		MOCK_TEST(a_wave_that_passes_reaches_the_patch_there),
		MOCK_TEST(waves_without_an_event_are_seen_in_a_flood),
		MOCK_TEST(a_wave_of_the_condition_before_passes),
		MOCK_TEST(a_wave_that_is_not_resumed_stays_pending),
		MOCK_TEST(an_interrupted_step_says_that_it_was_not_decided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
