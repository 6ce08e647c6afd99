// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave barrier: the waves that wait, those for which they wait, and why these have not
 * arrived. Bit positions are those of gc_10_3_0_sh_mask.h, Linux 6.1.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

static struct run r;

/* SQ_WAVE_STATUS: VALID and IN_TG; IN_BARRIER, HALT, TRAP_EN; SQ_WAVE_HW_ID2.WG_ID */
#define MEMBER		0x00010800
#define WAITS		(MEMBER | 0x00001000)
#define HALT		0x00002000
#define TRAP_EN		0x00000040
#define WG(n)		((n) << 16)

#define WAVE(the_wave, the_flags, the_status, the_id) { \
	.at = { .wgp = 3, .simd = 1, .wave = (the_wave) }, .flags = (the_flags), \
	.vmid = 1, .hw_mask = MOCK_HW_MASK, .pc = 0x100001000 + 4 * (the_wave), \
	.HW(STATUS) = (the_status), .HW(HW_ID2) = (the_id), \
}

/* What a hang can look like: five are missing, each for another reason. */
static struct amdgpudbg_wave hang[] = {
	WAVE(0, 0, MEMBER, WG(2)),
	WAVE(1, 0, WAITS, WG(2)),
	WAVE(2, AMDGPUDBG_WAVE_HALTED, MEMBER | HALT, WG(2)),
	WAVE(3, AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, MEMBER | HALT | TRAP_EN, WG(2)),
	WAVE(4, AMDGPUDBG_WAVE_PRIV, MEMBER | TRAP_EN, WG(2)),
	WAVE(5, AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV, MEMBER | HALT | TRAP_EN, WG(2)),
	WAVE(6, AMDGPUDBG_WAVE_HALTED, WAITS | HALT, WG(2)),
	/* One all of whose waves wait, and one of which none does */
	WAVE(7, 0, WAITS, WG(0)),
	WAVE(8, 0, WAITS, WG(0)),
	WAVE(9, 0, MEMBER, WG(1)),
};

#define LIST(which, count) { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .check = which, .waves = hang, .num_waves = count, \
}

static const char *const table[] = {
	"GROUP  BARRIER  NAME                      VMID  PC                  STATE       WHY\n",
	"2      waits    se0.sa0.wgp3.simd1.wave1  1     0x0000000100001004  at-barrier  -\n",
	"2      waits    se0.sa0.wgp3.simd1.wave6  1     0x0000000100001018  halted      debugger\n",
	"2      missing  se0.sa0.wgp3.simd1.wave0  1     0x0000000100001000  running     -\n",
	"2      missing  se0.sa0.wgp3.simd1.wave2  1     0x0000000100001008  halted      debugger\n",
	"2      missing  se0.sa0.wgp3.simd1.wave3  1     0x000000010000100c  halted      s_trap 3\n",
	"2      missing  se0.sa0.wgp3.simd1.wave4  1     0x0000000100001010  in-handler  -\n",
	"2      missing  se0.sa0.wgp3.simd1.wave5  1     0x0000000100001014  in-handler  -\n",
	"2 waiting, 5 missing; work-groups: 1\n",
};

/* As s_trap 3 leaves it: TTMP0 and TTMP1 are its address, and the number */
static int set_trap(void **state)
{
	hang[3].ttmp[0] = (uint32_t)hang[3].pc - 4;
	hang[3].ttmp[1] = 0x00030001;
	return run_setup(state);
}

static void waiting_and_missing_waves_are_listed(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST(all_vmids, ARRAY_SIZE(hang)) };
	static const char *const names[] = { "wave barrier", "barrier", "info barrier" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *line = r.out;

		mock_expect(expect, ARRAY_SIZE(expect));
		assert_int_equal(run(&r, names[i]), 0);
		for (size_t k = 0; k < ARRAY_SIZE(table); k++) {
			assert_memory_equal(line, table[k], strlen(table[k]));
			line += strlen(table[k]);
		}
		assert_string_equal(line, "");
	}
}

static void json_lists_the_waves_at_a_barrier(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN_VMID, LIST(vmid_1, ARRAY_SIZE(hang)),
	};
	struct json_object *o, *wave;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "--json barrier --vmid 1"), 0);
	o = json_tokener_parse(r.out);
	assert_non_null(o);
	int_is(o, "groups", 1);
	int_is(o, "waiting", 2);
	int_is(o, "missing", 5);
	assert_int_equal(json_object_array_length(member(o, "waves")), 7);
	wave = json_object_array_get_idx(member(o, "waves"), 4);
	string_is(wave, "barrier", "missing");
	string_is(wave, "name", "se0.sa0.wgp3.simd1.wave3");
	int_is(member(wave, "at"), "wave", 3);
	string_is(wave, "pc", "0x000000010000100c");
	string_is(wave, "why", "s_trap 3");
	int_is(wave, "group", 2);
	int_is(wave, "vmid", 1);
	json_object_put(o);
}

#define OTHER(the_wgp, the_wave, the_status, the_id) { \
	.at = { .wgp = (the_wgp), .wave = (the_wave) }, .vmid = 1, \
	.hw_mask = MOCK_HW_MASK, .HW(STATUS) = (the_status), .HW(HW_ID2) = (the_id), \
}

/* HW_ID2: QUEUE_ID, PIPE_ID, ME_ID and VM_ID; STATE_ID, which is no part of what a group is */
static struct amdgpudbg_wave others[] = {
	OTHER(0, 0, WAITS, WG(0)),
	OTHER(0, 1, MEMBER, WG(0) | 2 << 12),
	OTHER(0, 2, WAITS, WG(1)),
	OTHER(0, 3, WAITS, WG(0) | 1),
	OTHER(0, 4, WAITS, WG(0) | 1 << 4),
	OTHER(0, 5, WAITS, WG(0) | 1 << 8),
	OTHER(0, 6, WAITS, WG(0) | 1 << 24),
	OTHER(1, 0, WAITS, WG(0)),
	/* Alone in its group, with number 0 like the first of the others: no IN_TG */
	OTHER(0, 7, MEMBER & ~0x800, WG(0)),
	/* Nothing is known of it. */
	OTHER(0, 8, WAITS, WG(0)),
};

static void waves_of_other_groups_are_not_counted_as_missing(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = others,
		  .num_waves = ARRAY_SIZE(others) },
	};

	(void)state;
	others[9].hw_mask = 0;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "barrier"), 0);
	contains(r.out, "  waits    se0.sa0.wgp0.simd0.wave0 ");
	contains(r.out, "  missing  se0.sa0.wgp0.simd0.wave1 ");
	contains(r.out, "\n1 waiting, 1 missing; work-groups: 1\n");
}

static void a_process_without_waiting_waves_is_reported(void **state)
{
	static const struct mock_ioctl not_waiting[] = { OPEN, LIST(all_vmids, 1) };
	static const struct mock_ioctl none[] = { OPEN, LIST(all_vmids, 0) };

	(void)state;
	mock_expect(not_waiting, ARRAY_SIZE(not_waiting));
	assert_int_equal(run(&r, "wave barrier"), 0);
	assert_string_equal(r.out, "no wave waits at a barrier for other waves\n");
	mock_expect(none, ARRAY_SIZE(none));
	assert_int_equal(run(&r, "wave barrier"), 0);
	assert_string_equal(r.out, "no wave waits at a barrier for other waves\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(waiting_and_missing_waves_are_listed, set_trap,
						run_teardown),
		cmocka_unit_test_setup_teardown(json_lists_the_waves_at_a_barrier, set_trap,
						run_teardown),
		RUN_TEST(waves_of_other_groups_are_not_counted_as_missing),
		RUN_TEST(a_process_without_waiting_waves_is_reported),
	};

	return cmocka_run_group_tests_name("wavectl_barrier", tests, NULL, NULL);
}
