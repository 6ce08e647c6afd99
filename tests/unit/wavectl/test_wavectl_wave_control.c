// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave halt, resume, kill, debug, trap and step: the ioctls that result from the options,
 * and the waves that are held and for how long. The output is in transcripts/wave-control.txt.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

static struct run r;

/* A WAVE_CONTROL as it must come, and what it gives. */
struct control {
	struct amdgpudbg_wave_control in;
	struct amdgpudbg_wave_control out;
};

#define CONTROL(c) { \
	.request = AMDGPUDBG_IOC_WAVE_CONTROL, .in = &(c)->in, \
	.out = &(c)->out, .size = sizeof((c)->in), \
}

static struct control control(uint32_t op, uint32_t mode, uint32_t vmid,
			      uint32_t flags, uint32_t matched,
			      uint32_t changed)
{
	struct control c = {
		.in = {
			.size = sizeof(c.in), .flags = flags, .op = op,
			.mode = mode, .vmid = vmid,
		},
	};

	c.out = c.in;
	c.out.matched = matched;
	c.out.changed = changed;
	return c;
}

/* The same as operations of a batch. */
static struct mock_op op(const struct control *c, int error)
{
	return (struct mock_op){
		.in = c->in, .matched = c->out.matched,
		.changed = c->out.changed, .new_pc = c->out.new_pc,
		.error = error,
	};
}

#define BATCH(table) { \
	.request = AMDGPUDBG_IOC_WAVE_BATCH, .ops = table, \
	.num_ops = ARRAY_SIZE(table), \
}

#define HALT AMDGPUDBG_WAVEOP_HALT
#define RESUME AMDGPUDBG_WAVEOP_RESUME
#define KILL AMDGPUDBG_WAVEOP_KILL
#define DEBUG AMDGPUDBG_WAVEOP_DEBUG
#define TRAP AMDGPUDBG_WAVEOP_TRAP
#define STEP AMDGPUDBG_WAVEOP_STEP
#define SINGLE AMDGPUDBG_WAVEMODE_SINGLE
#define PROCESS AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS
#define PROCESS_CU AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU
#define SELECT AMDGPUDBG_WAVEMODE_SELECT
#define LEAVE AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED

static void wave_halt_lasts_until_a_signal(void **state)
{
	static const char armed[] =
		"halted 3 of 3 waves; holding, Ctrl-C resumes\n";
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		run_start(&r, "wave halt --vmid 1");
		run_line(&r);
		assert_string_equal(r.out, armed);
		assert_int_equal(waitpid(r.pid, NULL, WNOHANG), 0);
		assert_int_equal(kill(r.pid, signals[i]), 0);
		run_end(&r);
		assert_int_equal(r.status, 0);
		contains(r.out, "\nresumed 3 of 3 waves\n");
	}
}

static void signal_while_halting(void *arg)
{
	const struct amdgpudbg_wave_control *c = arg;

	if (c->op == HALT)
		raise(SIGTERM);
}

static void a_signal_during_the_call_that_halts_is_not_lost(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	expect[4].check = signal_while_halting;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1"), 0);
	contains(r.out, "resumed 3 of 3 waves");
}

static void wave_halt_for_ends_after_its_time(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 --for 0.01"), 0);
}

static void halt_leave_halted_does_not_resume(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, LEAVE, 3, 3);
	const struct mock_ioctl expect[] = { OPEN_VMID, CONTROL(&halt) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 --leave-halted"), 0);
}

static void wave_resume_resumes_waves_that_were_left_halted(void **state)
{
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = { OPEN_VMID, CONTROL(&resume) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave resume --vmid 1"), 0);
}

static void halting_only_some_waves_exits_with_status_1(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 40, 37);
	struct control leave = control(HALT, PROCESS, 1, LEAVE, 40, 37);
	struct control resume = control(RESUME, PROCESS, 1, 0, 40, 40);
	struct control part = control(RESUME, PROCESS, 1, 0, 40, 37);
	struct mock_ioctl holds[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt), CONTROL(&resume),
	};
	struct mock_ioctl left[] = { OPEN_VMID, CONTROL(&leave) };
	struct mock_ioctl resumes[] = { OPEN_VMID, CONTROL(&part) };

	(void)state;
	holds[4].error = ETIMEDOUT;
	mock_expect(holds, ARRAY_SIZE(holds));
	assert_int_equal(run(&r, "halt --vmid 1 --for 0.01"), 1);

	left[3].error = ETIMEDOUT;
	mock_expect(left, ARRAY_SIZE(left));
	assert_int_equal(run(&r, "halt --vmid 1 --leave-halted"), 1);

	resumes[3].error = ETIMEDOUT;
	mock_expect(resumes, ARRAY_SIZE(resumes));
	assert_int_equal(run(&r, "resume --vmid 1"), 1);
}

/* The module counts it; see mock_info. */
static void halt_prints_the_halt_time_that_is_left(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt), MOCK_GET_INFO,
		CONTROL(&resume),
	};

	(void)state;
	mock_proc_file("4711/comm", "x\n");
	mock_proc_owner(1000);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 --for 0.01"), 0);
}

/* A caller without access to events cannot halt either; the error says so. */
static void halt_without_access_to_events_is_denied(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_VMID,
		{ .request = AMDGPUDBG_IOC_EVENT_ENABLE, .error = EPERM },
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = EPERM },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1"), 4);
}

static void a_command_without_a_wave_exits_with_status_3(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 0, 0);
	const struct mock_ioctl none[] = { OPEN_VMID, LISTENS, CONTROL(&halt) };
	static const struct mock_ioctl look[] = { OPEN, LIST_WAVES(all_vmids, 4) };
	struct control all = control(HALT, SELECT, 0, 0, 0, 0);
	const struct mock_ioctl empty[] = { OPEN, LISTENS, CONTROL(&all) };
	struct control wgp = all;
	const struct mock_ioctl no_wgp[] = { OPEN, LISTENS, CONTROL(&wgp) };

	(void)state;
	mock_expect(none, ARRAY_SIZE(none));
	assert_int_equal(run(&r, "halt --vmid 1"), 3);

	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "halt 0.0.3.1.6"), 3);
	assert_int_equal(run(&r, "halt wgp1-2"), 3);
	assert_int_equal(run(&r, "--dry-run resume wgp1-2"), 3);

	mock_expect(empty, ARRAY_SIZE(empty));
	assert_int_equal(run(&r, "halt --all"), 3);
	wgp.in.select.at.wgp = 1;
	wgp.in.select.at_mask = AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA |
				AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_XCC;
	mock_expect(no_wgp, ARRAY_SIZE(no_wgp));
	assert_int_equal(run(&r, "halt se0.sa0.wgp1"), 3);
}

static void the_vmid_of_a_named_wave_is_looked_up(void **state)
{
	struct control halt = control(HALT, SINGLE, 1, LEAVE, 1, 1);
	struct control resume = control(RESUME, SINGLE, 3, 0, 1, 1);
	struct mock_ioctl look[] = {
		OPEN, LIST_WAVES(all_vmids, 4), CONTROL(&halt),
	};
	const struct mock_ioctl given[] = { OPEN_VMID, CONTROL(&halt) };

	(void)state;
	halt.in.at.wgp = 3;
	halt.in.at.simd = 1;
	halt.in.at.wave = 5;
	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "halt se0.sh0.cu3.simd1.wave5 --leave-halted"),
			 0);

	/* a VMID that is given needs no look */
	mock_expect(given, ARRAY_SIZE(given));
	assert_int_equal(run(&r, "halt 0.0.3.1.5 --leave-halted --vmid 1"),
			 0);

	resume.in.at.sa = 1;
	resume.in.at.wgp = 3;
	resume.in.at.simd = 2;
	look[3].in = &resume.in;
	look[3].out = &resume.out;
	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "resume 0.1.3.2.0"), 0);
}

static void halt_with_pc_compares_the_pc(void **state)
{
	struct control halt = control(HALT, SINGLE, 1,
				      AMDGPUDBG_WAVE_CONTROL_EXPECT_PC | LEAVE,
				      1, 1);
	struct mock_ioctl expect[] = {
		OPEN, LIST_WAVES(all_vmids, 4), CONTROL(&halt),
	};

	(void)state;
	halt.in.at.wgp = 3;
	halt.in.at.simd = 1;
	halt.in.at.wave = 5;
	halt.in.pc = 0xffff800000001004;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt 0.0.3.1.5 --leave-halted --pc 0xffff800000001004"),
			 0);

	expect[3].error = ESTALE;
	assert_int_equal(run(&r, "halt 0.0.3.1.5 --leave-halted --pc 0xffff800000001004"),
			 3);
}

static void the_end_of_a_hold_does_not_compare_the_pc(void **state)
{
	/* A held wave keeps its place, and its PC is not compared again. */
	struct control halt = control(HALT, SINGLE, 1,
				      AMDGPUDBG_WAVE_CONTROL_EXPECT_PC, 1, 1);
	struct control resume = control(RESUME, SINGLE, 1, 0, 1, 1);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	halt.in.pc = 0x1000;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 0.0.0.0.0 --pc 0x1000 --for 0.01"),
			 0);
}

static void a_wgp_takes_one_operation(void **state)
{
	struct control one = control(HALT, PROCESS_CU, 1, LEAVE, 1, 1);
	struct control all = control(HALT, SELECT, 0, LEAVE, 2, 2);
	const struct mock_ioctl expect[] = { OPEN, CONTROL(&all) };
	const struct mock_ioctl given[] = { OPEN_VMID, CONTROL(&one) };

	(void)state;
	one.in.at.sa = 1;
	one.in.at.wgp = 3;
	all.in.select.at = one.in.at;
	all.in.select.at_mask = AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA |
				AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_XCC;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt se0.sa1.wgp3 --leave-halted"), 0);

	mock_expect(given, ARRAY_SIZE(given));
	assert_int_equal(run(&r, "halt 0.1.3 --vmid 1 --leave-halted"),
			 0);
}

static void waves_that_match_a_pattern_take_one_call(void **state)
{
	struct control a = control(RESUME, SINGLE, 1, 0, 1, 1);
	struct control b = control(RESUME, SINGLE, 1, 0, 1, 1);
	struct control c = control(RESUME, SINGLE, 3, 0, 1, 1);
	struct mock_op ops[3];
	struct mock_ioctl expect[] = {
		OPEN, LIST_WAVES(all_vmids, 4), BATCH(ops),
	};

	(void)state;
	a.in.at = mock_waves[1].at;
	b.in.at = mock_waves[2].at;
	c.in.at = mock_waves[3].at;
	ops[0] = op(&a, 0);
	ops[1] = op(&b, 0);
	ops[2] = op(&c, 0);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "resume *.*.1-3"), 0);
	assert_string_equal(r.out, "resumed 3 of 3 waves\n");

	/* One that has ended since is none of the pattern's waves any more. */
	ops[1] = (struct mock_op){ .in = b.in, .error = ENODATA };
	ops[2] = (struct mock_op){ .in = c.in, .error = ESTALE };
	assert_int_equal(run(&r, "resume *.*.1-3"), 0);
	assert_string_equal(r.out, "resumed 1 of 1 waves\n");

	ops[1].error = EIO;
	assert_int_equal(run(&r, "resume *.*.1-3"), 1);
	contains(r.err, "cannot resume se0.sa1.wgp3.simd0.wave2 of VMID 1");

	expect[3].error = ENODEV;
	assert_int_equal(run(&r, "resume *.*.1-3"), 5);
	contains(r.err, "cannot resume the waves: the GPU is gone");
}

/* The kernel gives up the lock after a while; the rest is for another call. */
static void operations_beyond_a_shortened_batch_are_repeated(void **state)
{
	struct control c[3];
	struct mock_op all[3], rest[2], last[1];
	const struct mock_ioctl expect[] = {
		OPEN, LIST_WAVES(all_vmids, 4), BATCH(all), BATCH(rest),
		BATCH(last),
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(c); i++) {
		c[i] = control(RESUME, SINGLE, mock_waves[i + 1].vmid, 0, 0, 0);
		c[i].in.at = mock_waves[i + 1].at;
		all[i] = op(&c[i], ECANCELED);
		c[i].out.matched = 1;
		c[i].out.changed = 1;
	}
	/* One that ends with an error was tried. */
	rest[0] = op(&c[1], ENODATA);
	rest[0].matched = 0;
	rest[0].changed = 0;
	rest[1] = all[2];
	all[0] = op(&c[0], 0);
	last[0] = op(&c[2], 0);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "resume *.*.1-3"), 0);
	assert_string_equal(r.out, "resumed 2 of 2 waves\n");
}

static void all_waves_take_one_operation(void **state)
{
	struct control all = control(HALT, SELECT, 0, LEAVE, 4, 4);
	struct control se = control(RESUME, SELECT, 0, 0, 2, 2);
	const struct mock_ioctl expect[] = { OPEN, CONTROL(&all) };
	const struct mock_ioctl of_se[] = { OPEN, CONTROL(&se) };
	const struct mock_ioctl fails[] = {
		OPEN,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = EBUSY },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --all --leave-halted"), 0);

	assert_int_equal(run(&r, "halt -a --leave-halted -v"), 0);

	se.in.select.at.se = 1;
	se.in.select.at_mask = AMDGPUDBG_AT_SE;
	mock_expect(of_se, ARRAY_SIZE(of_se));
	assert_int_equal(run(&r, "resume se1 -v"), 0);

	mock_expect(fails, ARRAY_SIZE(fails));
	assert_int_equal(run(&r, "resume se1"), 6);
	assert_int_equal(run(&r, "resume --all"), 6);
}

static void waves_of_other_sessions_stay_halted(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 0, 0);
	struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	expect[5].error = EBUSY;
	expect[5].out = NULL;
	mock_expect(expect, ARRAY_SIZE(expect));
	/* Closing the session does what is ours: that is no failure. */
	assert_int_equal(run(&r, "halt --vmid 1 --for 0.01"), 0);
}

static void a_reset_during_a_halt_does_not_fail_the_resume(void **state)
{
	struct control halt = control(HALT, SINGLE, 1, 0, 1, 1);
	struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&halt),
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = ENODATA },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 0.0.0.0.0 --for 0.01"),
			 0);
	contains(r.out, "resumed 0 of 0 waves\n");

	expect[5].error = ENODEV;
	assert_int_equal(run(&r, "halt --vmid 1 0.0.0.0.0 --for 0.01"),
			 5);
	contains(r.err, "the GPU is gone (ENODEV)");
}

/* The tables hold no WAVE_CONTROL: one that came would end the child. */
static void wave_operations_dry_run_change_nothing(void **state)
{
	static const struct mock_ioctl look[] = { OPEN, LIST_WAVES(all_vmids, 4) };
	static const struct mock_ioctl look_vmid[] = {
		OPEN_VMID, LIST_WAVES(vmid_1, 3),
	};
	static const char *const looking[] = {
		"halt --all", "resume --all", "halt 0.0.3.1.5",
		"resume 0.1.3", "halt *", "halt --all --for 1",
		"halt --all --leave-halted",
	};
	char args[64];

	(void)state;
	mock_expect(look, ARRAY_SIZE(look));
	for (size_t i = 0; i < ARRAY_SIZE(looking); i++) {
		snprintf(args, sizeof(args), "-n %s", looking[i]);
		assert_int_equal(run(&r, args), 0);
	}

	mock_expect(look_vmid, ARRAY_SIZE(look_vmid));
	assert_int_equal(run(&r, "halt --vmid 1 --dry-run"), 0);
}

static void waves_are_killed_and_trapped(void **state)
{
	struct control kill = control(KILL, PROCESS, 1, 0, 3, 3);
	struct control trap = control(TRAP, PROCESS, 1, 0, 3, 2);
	struct mock_ioctl expect[] = { OPEN_VMID, CONTROL(&kill) };

	(void)state;
	mock_busy.cause = AMDGPUDBG_BUSY_WAVE;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave kill --vmid 1"), 0);
	assert_int_equal(run(&r, "kill --vmid 1"), 0);

	trap.in.trap_id = 9;
	expect[3].in = &trap.in;
	expect[3].out = &trap.out;
	assert_int_equal(run(&r, "wave trap --vmid 1 --trap-id 9"), 1);
	expect[3].error = EBUSY;
	expect[3].out = NULL;
	assert_int_equal(run(&r, "wave trap --vmid 1 --trap-id 9"), 6);
}

static void wave_debug_lasts_until_a_signal(void **state)
{
	struct control on = control(DEBUG, PROCESS, 1, 0, 3, 3);
	struct control off = control(DEBUG, PROCESS, 1,
				     AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF, 3, 3);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, CONTROL(&on), CONTROL(&off),
	};
	const struct mock_ioctl only_off[] = { OPEN_VMID, CONTROL(&off) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave debug --vmid 1 --for 0.01"), 0);

	mock_expect(only_off, ARRAY_SIZE(only_off));
	assert_int_equal(run(&r, "wave debug --vmid 1 --off"), 0);
}

static struct mock_op step_of(unsigned int wave, uint64_t pc)
{
	struct mock_op o = {
		.in = {
			.size = sizeof(o.in), .op = STEP,
			.vmid = mock_waves[wave].vmid,
			.at = mock_waves[wave].at,
		},
		.matched = 1,
		.changed = pc != 0,
		.new_pc = pc,
	};

	return o;
}

static void halted_waves_are_stepped(void **state)
{
	struct mock_op ops[] = {
		step_of(1, 0x1008), step_of(1, 0x100c), step_of(1, 0x2010),
	};
	struct mock_ioctl expect[] = {
		OPEN, LIST_WAVES(all_vmids, 4), BATCH(ops),
	};

	(void)state;
	mock_busy.cause = AMDGPUDBG_BUSY_WAVE;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave step 0.0.3.1.5 -c 3 -v"), 0);

	/* Of the four, one is halted. */
	assert_int_equal(run(&r, "wave step --all --count 3"), 0);

	/* One that ends is done, and is no failure. */
	ops[1] = step_of(1, 0);
	ops[2].error = ENODATA;
	assert_int_equal(run(&r, "wave step --all --count 3"), 0);

	/* Another wave came into the slot: no step of ours. */
	ops[2].error = EINPROGRESS;
	assert_int_equal(run(&r, "wave step --all --count 3"), 0);

	ops[0].error = EBUSY;
	assert_int_equal(run(&r, "wave step --all --count 3"), 6);

	expect[3].num_ops = 1;
	ops[0].error = ETIMEDOUT;
	assert_int_equal(run(&r, "wave step --all"), 1);
}

static void steps_beyond_a_shortened_batch_are_repeated(void **state)
{
	const struct mock_op first[] = {
		step_of(1, 0x1008),
		{ .in = step_of(1, 0).in, .error = ECANCELED },
		{ .in = step_of(1, 0).in, .error = ECANCELED },
	};
	const struct mock_op rest[] = { step_of(1, 0x100c), step_of(1, 0x2010) };
	const struct mock_ioctl expect[] = {
		OPEN, LIST_WAVES(all_vmids, 4), BATCH(first), BATCH(rest),
	};
	struct json_object *o;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "--json wave step --all --count 3 -v"), 0);
	o = json_tokener_parse(r.out);
	assert_int_equal(json_object_array_length(member(o, "trace")), 3);
	string_is(json_object_array_get_idx(member(o, "waves"), 0), "pc",
		  "0x0000000000002010");
	json_object_put(o);
}

static void running_waves_are_not_stepped_unless_halted(void **state)
{
	const struct mock_op halts[] = {
		{ .in = { .size = sizeof(halts[0].in), .op = HALT, .vmid = 1,
			  .at = mock_waves[0].at },
		  .matched = 1, .changed = 1 },
		{ .in = { .size = sizeof(halts[0].in), .op = HALT, .vmid = 1,
			  .at = mock_waves[2].at },
		  .error = ENODATA },
	};
	const struct mock_op steps[] = {
		step_of(0, 0x1004),
		{ .in = step_of(2, 0).in, .error = ENODATA },
		step_of(0, 0x1008),
		{ .in = step_of(2, 0).in, .error = ENODATA },
	};
	static const struct mock_ioctl look[] = { OPEN, LIST_WAVES(all_vmids, 4) };
	const struct mock_ioctl expect[] = {
		OPEN, LIST_WAVES(all_vmids, 4), BATCH(halts), BATCH(steps),
	};
	struct json_object *o;

	(void)state;
	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "wave step 0.0.0.0.0"), 3);
	assert_int_equal(run(&r, "wave step 0.0.0.0.1"), 3);
	assert_int_equal(run(&r, "-n wave step --all --halt"), 0);

	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "-v wave step *.*.*.0 --halt -c 2"), 1);
	contains(r.out, "\nstepped 1 of 2 waves\n");

	assert_int_equal(run(&r, "-j wave step *.*.*.0 --halt -c 2"), 1);
	o = json_tokener_parse(r.out);
	int_is(o, "matched", 2);
	int_is(o, "changed", 1);
	assert_int_equal(json_object_array_length(member(o, "trace")), 2);
	string_is(json_object_array_get_idx(member(o, "waves"), 0), "state",
		  "resumed");
	string_is(json_object_array_get_idx(member(o, "waves"), 0), "pc",
		  "0x0000000000001008");
	string_is(json_object_array_get_idx(member(o, "waves"), 1), "state",
		  "ENODATA");
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(wave_halt_lasts_until_a_signal),
		RUN_TEST(a_signal_during_the_call_that_halts_is_not_lost),
		RUN_TEST(wave_halt_for_ends_after_its_time),
		RUN_TEST(halt_leave_halted_does_not_resume),
		RUN_TEST(wave_resume_resumes_waves_that_were_left_halted),
		RUN_TEST(halting_only_some_waves_exits_with_status_1),
		RUN_TEST(halt_prints_the_halt_time_that_is_left),
		RUN_TEST(halt_without_access_to_events_is_denied),
		RUN_TEST(a_command_without_a_wave_exits_with_status_3),
		RUN_TEST(the_vmid_of_a_named_wave_is_looked_up),
		RUN_TEST(halt_with_pc_compares_the_pc),
		RUN_TEST(the_end_of_a_hold_does_not_compare_the_pc),
		RUN_TEST(a_wgp_takes_one_operation),
		RUN_TEST(waves_that_match_a_pattern_take_one_call),
		RUN_TEST(operations_beyond_a_shortened_batch_are_repeated),
		RUN_TEST(all_waves_take_one_operation),
		RUN_TEST(waves_of_other_sessions_stay_halted),
		RUN_TEST(a_reset_during_a_halt_does_not_fail_the_resume),
		RUN_TEST(wave_operations_dry_run_change_nothing),
		RUN_TEST(waves_are_killed_and_trapped),
		RUN_TEST(wave_debug_lasts_until_a_signal),
		RUN_TEST(halted_waves_are_stepped),
		RUN_TEST(steps_beyond_a_shortened_batch_are_repeated),
		RUN_TEST(running_waves_are_not_stepped_unless_halted),
	};

	return cmocka_run_group_tests_name("wavectl_wave_control", tests, NULL, NULL);
}
