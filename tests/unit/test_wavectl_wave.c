// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave list, halt and resume: which kernel calls come of which options,
 * what is printed, what is held and for how long.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

#define TEST(f) cmocka_unit_test_setup(f, setup)

static struct run r;

static int setup(void **state)
{
	mock_setup(state);
	mock_set_nodes(&mock_node, 1);
	return 0;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in '%s'", part, text);
}

/* Runs in the child, where cmocka's asserts have no place to go. */
static void mask_is(const struct amdgpudbg_wave_list *list, uint32_t mask)
{
	if (list->vmid_mask != mask)
		abort();
}

static void all_vmids(void *arg)
{
	mask_is(arg, 0);
}

static void vmid_1(void *arg)
{
	mask_is(arg, 0x2);
}

#define LIST(which, n) { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .check = which, \
	.waves = mock_waves, .num_waves = n, \
}

/* The GPU list and the session ask who it is; a VMID is compared then. */
#define OPEN MOCK_GET_INFO, MOCK_GET_INFO
#define OPEN_VMID OPEN, MOCK_GET_INFO

static const char *const table[] = {
	"NAME                      VMID  PASID  PC                  EXEC                INST        STATUS      FLAGS\n",
	"se0.sa0.wgp0.simd0.wave0  1     32769  0x0000800000001000  0x00000000ffffffff  0xbf800000  0x00010841  TRAP_EN,WAVE32\n",
	"se0.sa0.wgp3.simd1.wave5  1     32769  0xffff800000001004  0x8000000000000001  0xbf820000  0x00012060  HALT,PRIV,TRAP_EN,WAVE64\n",
	"se0.sa1.wgp3.simd0.wave2  1     32769  0x0000800000001008  0x00000000000000ff  0x00000000  0x00010000  WAVE32\n",
	"se0.sa1.wgp3.simd2.wave0  3     -      0x0000900000000000  0x0000000000000001  0x00000000  0x00010000  WAVE32\n",
};

static void waves_are_listed(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST(all_vmids, 4) };
	const char *line = r.out;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_memory_equal(line, table[i], strlen(table[i]));
		line += strlen(table[i]);
	}
	assert_string_equal(line, "");
	assert_string_equal(r.err, "");

	assert_int_equal(run(&r, "list"), 0);
	contains(r.out, "se0.sa0.wgp3.simd1.wave5");
}

static void no_waves_are_no_error(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST(all_vmids, 0) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list"), 0);
	assert_string_equal(r.out, "no live waves\n");
}

static void a_list_is_filtered(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST(all_vmids, 4) };
	static const struct mock_ioctl expect_vmid[] = {
		OPEN_VMID, LIST(vmid_1, 3),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list --wave wgp3.simd1-2"), 0);
	lacks(r.out, "wgp0");
	contains(r.out, "se0.sa0.wgp3.simd1.wave5");
	lacks(r.out, "simd0");
	contains(r.out, "se0.sa1.wgp3.simd2.wave0");

	mock_expect(expect_vmid, ARRAY_SIZE(expect_vmid));
	assert_int_equal(run(&r, "wave list --vmid 1 -w *.1"), 0);
	lacks(r.out, "sa0");
	contains(r.out, "se0.sa1.wgp3.simd0.wave2");

	/* first VMIDs that the GPU does not have */
	mock_expect(expect_vmid, 3);
	assert_int_equal(run(&r, "wave list --vmid 16"), 2);
	contains(r.err, "no VMID 16, only 1 to 15");
}

static struct json_object *get(struct json_object *o, const char *key)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, key, &v))
		fail_msg("no %s in %s", key, json_object_to_json_string(o));
	return v;
}

static void string_is(struct json_object *o, const char *key,
		      const char *value)
{
	assert_true(json_object_is_type(get(o, key), json_type_string));
	assert_string_equal(json_object_get_string(get(o, key)), value);
}

static void int_is(struct json_object *o, const char *key, int value)
{
	assert_true(json_object_is_type(get(o, key), json_type_int));
	assert_int_equal(json_object_get_int(get(o, key)), value);
}

static void a_list_is_json(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST(all_vmids, 4) };
	struct json_object *o, *wave, *flag;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "--json wave list"), 0);
	/* one line, the schema first */
	assert_ptr_equal(strchr(r.out, '\n'), r.out + strlen(r.out) - 1);
	assert_memory_equal(r.out, "{\"schema\":1,", 12);
	o = json_tokener_parse(r.out);
	assert_non_null(o);
	int_is(o, "count", 4);
	int_is(o, "reg_reads", 104);
	int_is(o, "reg_writes", 10);
	assert_int_equal(json_object_array_length(get(o, "waves")), 4);

	wave = json_object_array_get_idx(get(o, "waves"), 1);
	string_is(wave, "name", "se0.sa0.wgp3.simd1.wave5");
	int_is(get(wave, "at"), "xcc", 0);
	int_is(get(wave, "at"), "se", 0);
	int_is(get(wave, "at"), "sa", 0);
	int_is(get(wave, "at"), "wgp", 3);
	int_is(get(wave, "at"), "simd", 1);
	int_is(get(wave, "at"), "wave", 5);
	int_is(wave, "vmid", 1);
	int_is(wave, "pasid", 0x8001);
	/* 64 bits survive */
	string_is(wave, "pc", "0xffff800000001004");
	string_is(wave, "exec", "0x8000000000000001");
	string_is(wave, "inst", "0xbf820000");
	string_is(wave, "status", "0x00012060");
	assert_int_equal(json_object_array_length(get(wave, "flags")), 4);
	flag = json_object_array_get_idx(get(wave, "flags"), 0);
	assert_string_equal(json_object_get_string(flag), "HALT");

	wave = json_object_array_get_idx(get(o, "waves"), 3);
	assert_null(get(wave, "pasid"));
	json_object_put(o);
}

static void every_register_is_shown_on_demand(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST(all_vmids, 4) };
	struct json_object *o, *wave, *reg, *fields;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list -v --wave 0.0.3.1.5"), 0);
	contains(r.out, "SQ_WAVE_STATUS     0x00012060 SCC=0 SPI_PRIO=0 USER_PRIO=0 PRIV=1 TRAP_EN=1 ");
	contains(r.out, " HALT=1 ");
	contains(r.out, "SQ_WAVE_TRAPSTS    0x00000080 EXCP=ADDR_WATCH0 SAVECTX=0");
	contains(r.out, "SQ_WAVE_INST_DW0   0xbf820000\n");
	contains(r.out, "1 waves; 104 register reads, 10 writes\n");

	assert_int_equal(run(&r, "-j wave list -v"), 0);
	o = json_tokener_parse(r.out);
	wave = json_object_array_get_idx(get(o, "waves"), 1);
	reg = get(get(wave, "registers"), "SQ_WAVE_STATUS");
	string_is(reg, "value", "0x00012060");
	fields = get(reg, "fields");
	int_is(fields, "HALT", 1);
	int_is(fields, "VALID", 1);
	int_is(fields, "SCC", 0);
	fields = get(get(get(wave, "registers"), "SQ_WAVE_TRAPSTS"), "fields");
	assert_int_equal(json_object_array_length(get(fields, "EXCP")), 1);
	assert_int_equal(json_object_object_length(get(wave, "registers")),
			 12);
	json_object_put(o);
}

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

#define HALT AMDGPUDBG_WAVEOP_HALT
#define RESUME AMDGPUDBG_WAVEOP_RESUME
#define SINGLE AMDGPUDBG_WAVEMODE_SINGLE
#define PROCESS AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS
#define PROCESS_CU AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU
#define LEAVE AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED

static void a_halt_holds_until_a_signal(void **state)
{
	static const char armed[] =
		"halted 3 of 3 waves; holding, Ctrl-C resumes\n";
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, CONTROL(&halt), CONTROL(&resume),
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

static void a_signal_during_the_halt_is_not_lost(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	struct mock_ioctl expect[] = {
		OPEN_VMID, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	expect[3].check = signal_while_halting;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1"), 0);
	contains(r.out, "resumed 3 of 3 waves");
}

static void a_hold_ends_after_its_time(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 --for 0.01"), 0);
	contains(r.out, "holding for a while, Ctrl-C resumes\n");
	contains(r.out, "resumed 3 of 3 waves\n");
}

static void a_hold_in_json_is_two_objects(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, CONTROL(&halt), CONTROL(&resume),
	};
	struct json_object *o, *step;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "--json halt --vmid 1 --for 0.01"), 0);
	o = json_tokener_parse(r.out);
	int_is(o, "schema", 1);
	string_is(o, "operation", "halt");
	string_is(o, "state", "holding");
	int_is(o, "matched", 3);
	int_is(o, "changed", 3);
	step = json_object_array_get_idx(get(o, "steps"), 0);
	string_is(step, "mode", "BROADCAST_PROCESS");
	int_is(step, "vmid", 1);
	json_object_put(o);

	o = json_tokener_parse(strchr(r.out, '\n') + 1);
	string_is(o, "operation", "resume");
	string_is(o, "state", "done");
	assert_false(json_object_object_get_ex(o, "schema", NULL));
	json_object_put(o);
}

static void halted_waves_can_be_left(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, LEAVE, 3, 3);
	const struct mock_ioctl expect[] = { OPEN_VMID, CONTROL(&halt) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 --leave-halted"), 0);
	assert_string_equal(r.out, "halted 3 of 3 waves\n");
}

static void left_waves_can_be_resumed(void **state)
{
	struct control resume = control(RESUME, PROCESS, 1, 0, 3, 3);
	const struct mock_ioctl expect[] = { OPEN_VMID, CONTROL(&resume) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave resume --vmid 1"), 0);
	assert_string_equal(r.out, "resumed 3 of 3 waves\n");
}

static void a_part_is_1_and_holds_nothing(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 40, 37);
	struct control leave = control(HALT, PROCESS, 1, LEAVE, 40, 37);
	struct control resume = control(RESUME, PROCESS, 1, 0, 40, 37);
	struct mock_ioctl expect[] = { OPEN_VMID, CONTROL(&halt) };

	(void)state;
	expect[3].error = ETIMEDOUT;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1"), 1);
	assert_string_equal(r.out, "halted 37 of 40 waves\n");

	expect[3].in = &leave.in;
	expect[3].out = &leave.out;
	assert_int_equal(run(&r, "halt --vmid 1 --leave-halted"), 1);
	assert_string_equal(r.out, "halted 37 of 40 waves\n");

	expect[3].in = &resume.in;
	expect[3].out = &resume.out;
	assert_int_equal(run(&r, "resume --vmid 1"), 1);
	assert_string_equal(r.out, "resumed 37 of 40 waves\n");
}

static void no_wave_is_3(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 0, 0);
	const struct mock_ioctl none[] = { OPEN_VMID, CONTROL(&halt) };
	static const struct mock_ioctl look[] = { OPEN, LIST(all_vmids, 4) };
	static const struct mock_ioctl empty[] = { OPEN, LIST(all_vmids, 0) };

	(void)state;
	mock_expect(none, ARRAY_SIZE(none));
	assert_int_equal(run(&r, "halt --vmid 1"), 3);
	contains(r.err, "no live wave to halt");
	assert_string_equal(r.out, "");

	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "halt --wave 0.0.3.1.6"), 3);
	contains(r.err, "no live wave at '0.0.3.1.6'");
	assert_int_equal(run(&r, "halt --wave se0.sa0.wgp1"), 3);
	assert_int_equal(run(&r, "halt --wave wgp1-2"), 3);
	assert_int_equal(run(&r, "--dry-run resume --wave wgp1-2"), 3);

	mock_expect(empty, ARRAY_SIZE(empty));
	assert_int_equal(run(&r, "halt --all"), 3);
	contains(r.err, "no live wave;");
}

static void one_wave_is_taken_with_its_vmid(void **state)
{
	struct control halt = control(HALT, SINGLE, 1, LEAVE, 1, 1);
	struct control resume = control(RESUME, SINGLE, 3, 0, 1, 1);
	struct mock_ioctl look[] = {
		OPEN, LIST(all_vmids, 4), CONTROL(&halt),
	};
	const struct mock_ioctl given[] = { OPEN_VMID, CONTROL(&halt) };

	(void)state;
	halt.in.at.wgp = 3;
	halt.in.at.simd = 1;
	halt.in.at.wave = 5;
	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "halt --wave se0.sh0.cu3.simd1.wave5 --leave-halted"),
			 0);
	assert_string_equal(r.out, "halted 1 of 1 waves\n");

	/* a VMID that is given needs no look */
	mock_expect(given, ARRAY_SIZE(given));
	assert_int_equal(run(&r, "halt --wave 0.0.3.1.5 --leave-halted --vmid 1"),
			 0);

	resume.in.at.sa = 1;
	resume.in.at.wgp = 3;
	resume.in.at.simd = 2;
	look[3].in = &resume.in;
	look[3].out = &resume.out;
	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "resume --wave 0.1.3.2.0"), 0);
}

static void the_pc_is_compared(void **state)
{
	struct control halt = control(HALT, SINGLE, 1,
				      AMDGPUDBG_WAVE_CONTROL_EXPECT_PC | LEAVE,
				      1, 1);
	struct mock_ioctl expect[] = {
		OPEN, LIST(all_vmids, 4), CONTROL(&halt),
	};

	(void)state;
	halt.in.at.wgp = 3;
	halt.in.at.simd = 1;
	halt.in.at.wave = 5;
	halt.in.pc = 0xffff800000001004;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --wave 0.0.3.1.5 --leave-halted --pc 0xffff800000001004"),
			 0);

	expect[3].error = ESTALE;
	assert_int_equal(run(&r, "halt --wave 0.0.3.1.5 --leave-halted --pc 0xffff800000001004"),
			 3);
	contains(r.err, "cannot halt se0.sa0.wgp3.simd1.wave5 of VMID 1: ");
	contains(r.err, "another wave");
}

static void a_held_wave_is_resumed_wherever_it_is(void **state)
{
	/* A held wave keeps its place, and its PC is not compared again. */
	struct control halt = control(HALT, SINGLE, 1,
				      AMDGPUDBG_WAVE_CONTROL_EXPECT_PC, 1, 1);
	struct control resume = control(RESUME, SINGLE, 1, 0, 1, 1);
	const struct mock_ioctl expect[] = {
		OPEN_VMID, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	halt.in.pc = 0x1000;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 --wave 0.0.0.0.0 --pc 0x1000 --for 0.01"),
			 0);
	contains(r.out, "resumed 1 of 1 waves");
}

static void a_wgp_takes_a_call_per_vmid(void **state)
{
	struct control one = control(HALT, PROCESS_CU, 1, LEAVE, 1, 1);
	struct control three = control(HALT, PROCESS_CU, 3, LEAVE, 1, 1);
	const struct mock_ioctl expect[] = {
		OPEN, LIST(all_vmids, 4), CONTROL(&one), CONTROL(&three),
	};
	const struct mock_ioctl given[] = { OPEN_VMID, CONTROL(&one) };

	(void)state;
	one.in.at.sa = 1;
	one.in.at.wgp = 3;
	three.in.at = one.in.at;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --wave se0.sa1.wgp3 --leave-halted"), 0);
	assert_string_equal(r.out, "halted 2 of 2 waves\n");

	mock_expect(given, ARRAY_SIZE(given));
	assert_int_equal(run(&r, "halt --wave 0.1.3 --vmid 1 --leave-halted"),
			 0);
	assert_string_equal(r.out, "halted 1 of 1 waves\n");
}

static void a_pattern_takes_a_call_per_wave(void **state)
{
	struct control a = control(RESUME, SINGLE, 1, 0, 1, 1);
	struct control b = control(RESUME, SINGLE, 1, 0, 1, 1);
	struct control c = control(RESUME, SINGLE, 3, 0, 1, 1);
	struct mock_ioctl expect[] = {
		OPEN, LIST(all_vmids, 4), CONTROL(&a), CONTROL(&b),
		CONTROL(&c),
	};

	(void)state;
	a.in.at = mock_waves[1].at;
	b.in.at = mock_waves[2].at;
	c.in.at = mock_waves[3].at;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "resume --wave *.*.1-3"), 0);
	assert_string_equal(r.out, "resumed 3 of 3 waves\n");

	/* One that has ended since is none of the pattern's waves any more. */
	expect[4].error = ENODATA;
	expect[4].out = NULL;
	expect[5].error = ESTALE;
	expect[5].out = NULL;
	assert_int_equal(run(&r, "resume --wave *.*.1-3"), 0);
	assert_string_equal(r.out, "resumed 1 of 1 waves\n");

	expect[4].error = EIO;
	mock_expect(expect, 5);
	assert_int_equal(run(&r, "resume --wave *.*.1-3"), 1);
	contains(r.err, "cannot resume se0.sa1.wgp3.simd0.wave2 of VMID 1");
}

static void all_is_every_vmid_that_has_waves(void **state)
{
	struct control one = control(HALT, PROCESS, 1, LEAVE, 3, 3);
	struct control three = control(HALT, PROCESS, 3, LEAVE, 1, 1);
	const struct mock_ioctl expect[] = {
		OPEN, LIST(all_vmids, 4), CONTROL(&one), CONTROL(&three),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --all --leave-halted"), 0);
	assert_string_equal(r.out, "halted 4 of 4 waves\n");

	assert_int_equal(run(&r, "halt -a --leave-halted -v"), 0);
	contains(r.out, "halt       BROADCAST_PROCESS  3 ");
	contains(r.out, "halted 4 of 4 waves\n");
}

static void waves_of_other_sessions_stay_halted(void **state)
{
	struct control halt = control(HALT, PROCESS, 1, 0, 3, 3);
	struct control resume = control(RESUME, PROCESS, 1, 0, 0, 0);
	struct mock_ioctl expect[] = {
		OPEN_VMID, CONTROL(&halt), CONTROL(&resume),
	};

	(void)state;
	expect[4].error = EBUSY;
	expect[4].out = NULL;
	mock_expect(expect, ARRAY_SIZE(expect));
	/* Closing the session does what is ours: that is no failure. */
	assert_int_equal(run(&r, "halt --vmid 1 --for 0.01"), 0);
	contains(r.out, "resumed all waves but those that another session holds\n");
}

static void a_reset_during_a_hold_is_no_failure(void **state)
{
	struct control halt = control(HALT, SINGLE, 1, 0, 1, 1);
	struct mock_ioctl expect[] = {
		OPEN_VMID, CONTROL(&halt),
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = ENODATA },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "halt --vmid 1 --wave 0.0.0.0.0 --for 0.01"),
			 0);
	contains(r.out, "resumed 0 of 0 waves\n");

	expect[4].error = ENODEV;
	assert_int_equal(run(&r, "halt --vmid 1 --wave 0.0.0.0.0 --for 0.01"),
			 5);
	contains(r.err, "the GPU is gone (ENODEV)");
}

/* The tables hold no WAVE_CONTROL: one that came would end the child. */
static void a_dry_run_changes_nothing(void **state)
{
	static const struct mock_ioctl look[] = { OPEN, LIST(all_vmids, 4) };
	static const struct mock_ioctl look_vmid[] = {
		OPEN_VMID, LIST(vmid_1, 3),
	};
	static const char *const looking[] = {
		"halt --all", "resume --all", "halt --wave 0.0.3.1.5",
		"resume --wave 0.1.3", "halt --wave *", "halt --all --for 1",
		"halt --all --leave-halted",
	};
	struct json_object *o, *step;
	char args[64];

	(void)state;
	mock_expect(look, ARRAY_SIZE(look));
	for (size_t i = 0; i < ARRAY_SIZE(looking); i++) {
		snprintf(args, sizeof(args), "-n %s", looking[i]);
		assert_int_equal(run(&r, args), 0);
		contains(r.out, "nothing was changed\n");
	}

	mock_expect(look_vmid, ARRAY_SIZE(look_vmid));
	assert_int_equal(run(&r, "halt --vmid 1 --dry-run"), 0);
	contains(r.out, "OPERATION  MODE               VMID  WHERE");
	contains(r.out, "halt       BROADCAST_PROCESS  1     -  ");
	contains(r.out, "se0.sa0.wgp3.simd1.wave5");
	contains(r.out, "would halt 3 waves; nothing was changed\n");

	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "--dry-run --json halt --wave se0.sa1.wgp3"),
			 0);
	o = json_tokener_parse(r.out);
	assert_true(json_object_get_boolean(get(o, "dry_run")));
	assert_int_equal(json_object_array_length(get(o, "steps")), 2);
	step = json_object_array_get_idx(get(o, "steps"), 1);
	string_is(step, "operation", "halt");
	string_is(step, "mode", "BROADCAST_PROCESS_CU");
	string_is(step, "where", "se0.sa1.wgp3");
	int_is(step, "vmid", 3);
	assert_int_equal(json_object_array_length(get(o, "waves")), 2);
	int_is(o, "matched", 2);
	json_object_put(o);
}

static void full_output_is_noticed(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST(all_vmids, 4) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	run_start_full(&r, "wave list");
	run_end(&r);
	assert_int_equal(r.status, 1);
	contains(r.err, "cannot write to standard output");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(waves_are_listed),
		TEST(no_waves_are_no_error),
		TEST(a_list_is_filtered),
		TEST(a_list_is_json),
		TEST(every_register_is_shown_on_demand),
		TEST(a_halt_holds_until_a_signal),
		TEST(a_signal_during_the_halt_is_not_lost),
		TEST(a_hold_ends_after_its_time),
		TEST(a_hold_in_json_is_two_objects),
		TEST(halted_waves_can_be_left),
		TEST(left_waves_can_be_resumed),
		TEST(a_part_is_1_and_holds_nothing),
		TEST(no_wave_is_3),
		TEST(one_wave_is_taken_with_its_vmid),
		TEST(the_pc_is_compared),
		TEST(a_held_wave_is_resumed_wherever_it_is),
		TEST(a_wgp_takes_a_call_per_vmid),
		TEST(a_pattern_takes_a_call_per_wave),
		TEST(all_is_every_vmid_that_has_waves),
		TEST(waves_of_other_sessions_stay_halted),
		TEST(a_reset_during_a_hold_is_no_failure),
		TEST(a_dry_run_changes_nothing),
		TEST(full_output_is_noticed),
	};

	return cmocka_run_group_tests_name("wavectl_wave", tests, NULL, NULL);
}
