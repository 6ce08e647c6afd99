// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave list and snapshot: which kernel calls come of which options, and
 * what is printed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

static struct run r;

static const char *const table[] = {
	"NAME                      VMID  PASID  PC                  EXEC                INST        STATE       FLAGS                     WHY          PID  PROGRAM\n",
	"se0.sa0.wgp0.simd0.wave0  1     32769  0x0000800000001000  0x00000000ffffffff  0xbf800000  running     TRAP_EN,WAVE32            -            -    -\n",
	"se0.sa0.wgp3.simd1.wave5  1     32769  0xffff800000001004  0x8000000000000001  0xbf820000  in-handler  HALT,PRIV,TRAP_EN,WAVE64  ADDR_WATCH0  -    -\n",
	"se0.sa1.wgp3.simd0.wave2  1     32769  0x0000800000001008  0x00000000000000ff  0x00000000  running     WAVE32                    -            -    -\n",
	"se0.sa1.wgp3.simd2.wave0  3     -      0x0000900000000000  0x0000000000000001  0x00000000  running     WAVE32                    -            -    -\n",
};

static void waves_are_listed(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(all_vmids, 4) };
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

	assert_int_equal(run(&r, "wave list"), 0);
	contains(r.out, "se0.sa0.wgp3.simd1.wave5");
}

static void no_waves_are_no_error(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(all_vmids, 0) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list"), 0);
	assert_string_equal(r.out, "no live waves\n");
}

static void a_list_is_filtered(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(all_vmids, 4) };
	static const struct mock_ioctl expect_vmid[] = {
		OPEN_VMID, LIST_WAVES(vmid_1, 3),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list wgp3.simd1-2"), 0);
	lacks(r.out, "wgp0");
	contains(r.out, "se0.sa0.wgp3.simd1.wave5");
	lacks(r.out, "simd0");
	contains(r.out, "se0.sa1.wgp3.simd2.wave0");

	mock_expect(expect_vmid, ARRAY_SIZE(expect_vmid));
	assert_int_equal(run(&r, "wave list --vmid 1 *.1"), 0);
	lacks(r.out, "sa0");
	contains(r.out, "se0.sa1.wgp3.simd0.wave2");

	/* first VMIDs that the GPU does not have */
	mock_expect(expect_vmid, 3);
	assert_int_equal(run(&r, "wave list --vmid 16"), 2);
	contains(r.err, "no VMID 16, only 1 to 15");
}

static void a_list_is_json(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(all_vmids, 4) };
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
	assert_int_equal(json_object_array_length(member(o, "waves")), 4);

	wave = json_object_array_get_idx(member(o, "waves"), 1);
	string_is(wave, "name", "se0.sa0.wgp3.simd1.wave5");
	int_is(member(wave, "at"), "xcc", 0);
	int_is(member(wave, "at"), "se", 0);
	int_is(member(wave, "at"), "sa", 0);
	int_is(member(wave, "at"), "wgp", 3);
	int_is(member(wave, "at"), "simd", 1);
	int_is(member(wave, "at"), "wave", 5);
	int_is(wave, "vmid", 1);
	int_is(wave, "pasid", 0x8001);
	/* 64 bits survive */
	string_is(wave, "pc", "0xffff800000001004");
	string_is(wave, "exec", "0x8000000000000001");
	string_is(wave, "inst", "0xbf820000");
	string_is(wave, "status", "0x00012060");
	assert_int_equal(json_object_array_length(member(wave, "flags")), 4);
	flag = json_object_array_get_idx(member(wave, "flags"), 0);
	assert_string_equal(json_object_get_string(flag), "HALT");

	wave = json_object_array_get_idx(member(o, "waves"), 3);
	assert_null(member(wave, "pasid"));
	json_object_put(o);
}

static void every_register_is_shown_on_demand(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, LIST_WAVES(all_vmids, 4),
	};
	struct json_object *o, *wave, *reg, *fields;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list -v 0.0.3.1.5"), 0);
	contains(r.out, "SQ_WAVE_STATUS     0x00012060 PRIV=1 TRAP_EN=1 HALT=1 VALID=1\n");
	contains(r.out, "SQ_WAVE_TRAPSTS    0x00000080 EXCP=ADDR_WATCH0\n");
	/* What is zero is left out, but for JSON. */
	lacks(r.out, "=0 ");
	lacks(r.out, "SQ_WAVE_MODE");
	contains(r.out, "SQ_WAVE_INST_DW0   0xbf820000\n");
	contains(r.out, "SQ_WAVE_EXEC_HI    0x80000000\n");
	lacks(r.out, "FLAT_SCRATCH");
	lacks(r.out, "TTMP");

	assert_int_equal(run(&r, "-j wave list -v"), 0);
	o = json_tokener_parse(r.out);
	wave = json_object_array_get_idx(member(o, "waves"), 1);
	reg = member(member(wave, "registers"), "SQ_WAVE_STATUS");
	string_is(reg, "value", "0x00012060");
	fields = member(reg, "fields");
	int_is(fields, "HALT", 1);
	int_is(fields, "VALID", 1);
	int_is(fields, "SCC", 0);
	fields = member(member(member(wave, "registers"), "SQ_WAVE_TRAPSTS"), "fields");
	assert_int_equal(json_object_array_length(member(fields, "EXCP")), 1);
	assert_int_equal(json_object_object_length(member(wave, "registers")),
			 16);
	json_object_put(o);
}

static void wants_snapshot(void *arg)
{
	struct amdgpudbg_wave_list *list = arg;

	if (list->flags != AMDGPUDBG_WAVE_LIST_TTMP)
		abort();
	list->num_halted = 3;
}

static void wants_filter(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	if (list->flags != AMDGPUDBG_WAVE_LIST_TTMP ||
	    list->select.at_mask != (AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_WAVE) ||
	    list->select.at.wgp != 3 || list->select.at.wave != 5 || list->select.at.simd ||
	    list->select.wave_flags_mask != AMDGPUDBG_WAVE_HALTED ||
	    list->select.wave_flags != AMDGPUDBG_WAVE_HALTED)
		abort();
}

static void a_snapshot_halts_all_for_a_moment(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN,
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT,
		  .check = wants_snapshot, .waves = mock_waves,
		  .num_waves = 4 },
	};
	static const struct mock_ioctl look[] = { OPEN, LIST_WAVES(all_vmids, 4) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave snapshot"), 0);
	contains(r.out, table[2]);
	contains(r.out, "\nhalted 3 waves briefly to read them\n");

	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "wave snapshot -n"), 0);
	contains(r.out, "would halt the waves briefly; nothing was changed\n");
}

static void the_kernel_filters_what_it_can(void **state)
{
	static struct mock_ioctl expect[] = { OPEN, LIST_WAVES(wants_filter, 4) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list wgp3.simd0-2.wave5 --state halted"),
			 0);
	contains(r.out, "se0.sa0.wgp3.simd1.wave5");

	expect[2].error = ENXIO;
	assert_int_equal(run(&r, "wave list wgp3.simd0-2.wave5 -s halted"), 3);
	contains(r.err, "the GPU has no such");
}

static void traps_are_told_in_json(void **state)
{
	struct amdgpudbg_wave wave = mock_waves[1];
	const struct mock_ioctl expect[] = {
		OPEN,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = &wave,
		  .num_waves = 1 },
	};
	struct json_object *o, *row;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "-j wave list"), 0);
	o = json_tokener_parse(r.out);
	row = json_object_array_get_idx(member(o, "waves"), 0);
	assert_null(member(row, "trap_pc"));
	assert_string_equal(json_object_get_string(
		json_object_array_get_idx(member(row, "causes"), 0)),
			    "ADDR_WATCH0");
	json_object_put(o);

	wave.flags |= AMDGPUDBG_WAVE_TTMP;
	wave.ttmp[0] = 0x00001004;
	wave.ttmp[1] = 0x01038000;
	assert_int_equal(run(&r, "-j wave list"), 0);
	o = json_tokener_parse(r.out);
	row = json_object_array_get_idx(member(o, "waves"), 0);
	string_is(row, "trap_pc", "0xffff800000001004");
	int_is(row, "trap_id", 3);
	assert_true(json_object_get_boolean(member(row, "trap_host")));
	json_object_put(o);
	assert_int_equal(run(&r, "wave list -v"), 0);
	contains(r.out, "SQ_WAVE_TTMP1      0x01038000 PC_HI=32768 TRAP_ID=3 HT=1\n");
}

#define ONE_WAVE(wave) { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .waves = wave, .num_waves = 1, \
}

/* What a wave of @status, @trapsts and so on is up to; mock_waves[1] is at 0x1004. */
struct doing {
	uint32_t flags;
	uint32_t status;
	uint32_t trapsts;
	uint32_t ttmp0;
	uint32_t ttmp1;
	const char *state;
	const char *why;
};

static void what_waves_are_up_to_is_told_in_words(void **state)
{
	static const struct doing cases[] = {
		{ 0, 0x10000, 0, 0, 0, "running", NULL },
		{ 0, 0x11000, 0, 0, 0, "at-barrier", NULL },
		{ AMDGPUDBG_WAVE_HALTED, 0x12000, 0, 0, 0, "halted", NULL },
		{ AMDGPUDBG_WAVE_HALTED, 0x812000, 0x800, 0, 0, "fatal-halt",
		  "ILLEGAL_INST" },
		{ AMDGPUDBG_WAVE_PRIV, 0x10020, 0x101, 0, 0, "in-handler",
		  "INVALID,MEM_VIOL" },
		{ AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, 0x12040, 0,
		  0x1000, 0x00038000, "halted", "s_trap 3" },
		{ AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, 0x12040, 0,
		  0x1004, 0x01028000, "halted", "trap 2 by the host" },
		/* Of a trap somewhere else, and without a handler */
		{ AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, 0x12040, 0,
		  0x2000, 0x00038000, "halted", NULL },
		{ AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, 0x12000, 0,
		  0x1000, 0x00038000, "halted", NULL },
	};
	struct json_object *o, *row;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct amdgpudbg_wave wave = mock_waves[1];
		const struct mock_ioctl expect[] = { OPEN, ONE_WAVE(&wave) };

		wave.flags = cases[i].flags;
		wave.hw[AMDGPUDBG_GFX10_3_STATUS] = cases[i].status;
		wave.hw[AMDGPUDBG_GFX10_3_TRAPSTS] = cases[i].trapsts;
		wave.ttmp[0] = cases[i].ttmp0;
		wave.ttmp[1] = cases[i].ttmp1;
		mock_expect(expect, ARRAY_SIZE(expect));
		assert_int_equal(run(&r, "-j wave list"), 0);
		o = json_tokener_parse(r.out);
		row = json_object_array_get_idx(member(o, "waves"), 0);
		string_is(row, "state", cases[i].state);
		if (cases[i].why)
			string_is(row, "why", cases[i].why);
		else
			assert_null(member(row, "why"));
		json_object_put(o);
		assert_int_equal(run(&r, "wave list"), 0);
		contains(r.out, cases[i].state);
		contains(r.out, cases[i].why ?: "  -  ");
	}
}

/* No process name can control the terminal. */
static void it_is_told_whose_waves_they_are(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(all_vmids, 4) };
	struct json_object *o;

	(void)state;
	mock_proc_file("4711/comm", "a game\33[2J\n");
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list"), 0);
	contains(r.out, "  4711  a game\\x1b[2J\n");
	contains(r.out, "  -     -\n");
	assert_int_equal(run(&r, "-j wave list"), 0);
	o = json_tokener_parse(r.out);
	int_is(json_object_array_get_idx(member(o, "waves"), 0), "pid", 4711);
	assert_null(member(json_object_array_get_idx(member(o, "waves"), 3),
			   "program"));
	json_object_put(o);
}

static void wants_all_halted(void *arg)
{
	struct amdgpudbg_wave_list *list = arg;

	/* The session's end resumes them, when all was read. */
	if (list->flags != (AMDGPUDBG_WAVE_LIST_HOLD | AMDGPUDBG_WAVE_LIST_TTMP))
		abort();
	list->num_halted = 2;
}

/* Of a wave32 with GPR_ALLOC 0, which is 4 VGPRs: each value is its number. */
static void give_all(void *arg)
{
	struct amdgpudbg_reg_access *call = arg;
	uint32_t *values = (uint32_t *)(uintptr_t)call->values;

	if (call->flags || call->num_values != 108 + 16 + 19 + 4 * 32)
		abort();
	for (uint32_t i = 0; i < call->num_values; i++)
		values[i] = i;
	call->num_done = call->num_values;
}

static void a_snapshot_can_have_all_registers(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN,
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT, .waves = mock_waves,
		  .num_waves = 3, .check = wants_all_halted },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = give_all },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .error = EINPROGRESS },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = give_all },
	};
	struct json_object *o, *row, *v;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	/* One was not read, so it is not all that was asked for. */
	assert_int_equal(run(&r, "wave snapshot --regs"), 1);
	contains(r.out, "\n    MODE              0x0000007c\n");
	contains(r.out, "\n    s104          0x00000068   0x00000069   0x0000006a   0x0000006b\n");
	contains(r.out, "\n    ttmp8         0x00000074 ");
	/* EXEC_LO is 0x8a */
	contains(r.out, "\n    v0 lane 0    (0x0000008f)  0x00000093  (0x00000097)  0x0000009b  (0x0000009f)");
	contains(r.out, "\n    v3 lane 24   (0x000000f2)");
	contains(r.out, "\n    the wave is not halted\n");
	contains(r.out, "\nhalted 2 waves briefly to read them\n");

	assert_int_equal(run(&r, "-j wave snapshot --regs --format uint"), 1);
	o = json_tokener_parse(r.out);
	row = json_object_array_get_idx(member(o, "waves"), 0);
	assert_int_equal(json_object_array_length(member(row, "sgprs")), 108);
	assert_int_equal(json_object_array_length(member(row, "ttmps")), 16);
	string_is(member(row, "hwregs"), "EXEC_LO", "0x0000008a");
	v = member(row, "vgprs");
	assert_int_equal(json_object_array_length(v), 4);
	v = json_object_array_get_idx(v, 3);
	assert_int_equal(json_object_array_length(v), 32);
	assert_string_equal(json_object_get_string(
		json_object_array_get_idx(v, 31)), "270");
	row = json_object_array_get_idx(member(o, "waves"), 1);
	string_is(row, "not_read", "the wave is not halted");
	json_object_put(o);
}

static void full_output_is_noticed(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(all_vmids, 4) };

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
		RUN_TEST(waves_are_listed),
		RUN_TEST(no_waves_are_no_error),
		RUN_TEST(a_list_is_filtered),
		RUN_TEST(a_list_is_json),
		RUN_TEST(every_register_is_shown_on_demand),
		RUN_TEST(a_snapshot_halts_all_for_a_moment),
		RUN_TEST(the_kernel_filters_what_it_can),
		RUN_TEST(traps_are_told_in_json),
		RUN_TEST(what_waves_are_up_to_is_told_in_words),
		RUN_TEST_PROCESS(it_is_told_whose_waves_they_are),
		RUN_TEST(a_snapshot_can_have_all_registers),
		RUN_TEST(full_output_is_noticed),
	};

	return cmocka_run_group_tests_name("wavectl_wave_list", tests, NULL, NULL);
}
