// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/watch.c and lib/launch.c: the arguments and results of their ioctls.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

#define GFX10_3 (10 << 16 | 3 << 8 | 1)

static void a_watch_hands_everything_on(void **state)
{
	static const struct amdgpudbg_watch_set in = {
		.size = sizeof(in), .flags = AMDGPUDBG_WATCH_SET_MASK,
		.mode = AMDGPUDBG_WATCH_ATOMIC, .address = 0x600000000100,
		.bytes = 0x1000, .mask = ~0xffull,
	};
	static const struct amdgpudbg_watch_set out = {
		.size = sizeof(out), .id = 3, .vmid = 6,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .in = &in, .out = &out,
		  .size = sizeof(in) },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_watch_set watch = {
		.flags = AMDGPUDBG_WATCH_SET_MASK,
		.mode = AMDGPUDBG_WATCH_ATOMIC, .address = 0x600000000100,
		.bytes = 0x1000,
		.mask = ~0xffull,
	};

	(void)state;
	assert_int_equal(adbg_watch_set(session, &watch), 0);
	assert_int_equal(watch.id, 3);
	assert_int_equal(watch.vmid, 6);
	assert_true(watch.address == 0x600000000100);
	assert_int_equal(watch.size, sizeof(watch));
	adbg_session_close(session);
}

static void a_watch_is_cleared_by_its_number(void **state)
{
	static const struct amdgpudbg_watch_clear in = {
		.size = sizeof(in), .id = 2,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WATCH_CLEAR, .in = &in,
		  .size = sizeof(in) },
		{ .request = AMDGPUDBG_IOC_WATCH_CLEAR, .error = ENOENT },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));

	(void)state;
	assert_int_equal(adbg_watch_clear(session, 2), 0);
	assert_int_equal(adbg_watch_clear(session, 2), -ENOENT);
	adbg_session_close(session);
}

static void a_launch_mode_hands_everything_on(void **state)
{
	static const struct amdgpudbg_launch_set in = {
		.size = sizeof(in),
		.flags = AMDGPUDBG_LAUNCH_SET_EXCP | AMDGPUDBG_LAUNCH_SET_STALL,
		.mode = AMDGPUDBG_LAUNCH_DEBUG,
		.excp_mask = AMDGPUDBG_CAUSE_WATCH,
	};
	static const struct amdgpudbg_launch_set out = {
		.size = sizeof(out), .vmid = 4,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_LAUNCH_SET, .in = &in, .out = &out,
		  .size = sizeof(in) },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_launch_set launch = {
		.flags = AMDGPUDBG_LAUNCH_SET_EXCP | AMDGPUDBG_LAUNCH_SET_STALL,
		.mode = AMDGPUDBG_LAUNCH_DEBUG,
		.excp_mask = AMDGPUDBG_CAUSE_WATCH,
	};

	(void)state;
	assert_int_equal(adbg_launch_set(session, &launch), 0);
	assert_int_equal(launch.vmid, 4);
	assert_int_equal(launch.mode, AMDGPUDBG_LAUNCH_DEBUG);
	assert_int_equal(launch.size, sizeof(launch));
	adbg_session_close(session);
}

static void errors_leave_structures_alone(void **state)
{
	static const int errors[] = {
		EPERM, EBUSY, ENOTCONN, EOPNOTSUPP, EIO, ENODEV, ENOMEM,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		const struct mock_ioctl expect[] = {
			MOCK_GET_INFO,
			{ .request = AMDGPUDBG_IOC_WATCH_SET,
			  .error = errors[i] },
			{ .request = AMDGPUDBG_IOC_LAUNCH_SET,
			  .error = errors[i] },
		};
		struct adbg_session *session =
			mock_session(expect, ARRAY_SIZE(expect));
		struct amdgpudbg_watch_set watch = { .id = 7, .vmid = 9 };
		struct amdgpudbg_launch_set launch = { .vmid = 8 };

		assert_int_equal(adbg_watch_set(session, &watch), -errors[i]);
		assert_int_equal(watch.id, 7);
		assert_int_equal(watch.vmid, 9);
		assert_int_equal(adbg_launch_set(session, &launch), -errors[i]);
		assert_int_equal(launch.vmid, 8);
		adbg_session_close(session);
		mock_verify();
		mock_reset();
	}
}

static void hits_are_bits_of_trapsts(void **state)
{
	static const struct {
		uint32_t trapsts, watches;
	} cases[] = {
		{ 0, 0 }, { 1 << 7, 1 }, { 1 << 12, 2 }, { 1 << 13, 4 },
		{ 1 << 14, 8 }, { ~(7u << 12 | 1 << 7), 0 },
	};
	struct amdgpudbg_wave wave = { .hw_mask = MOCK_HW_MASK };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		wave.HW(TRAPSTS) = cases[i].trapsts;
		assert_int_equal(adbg_wave_get_watches(&wave, GFX10_3),
				 cases[i].watches);
	}
	wave.HW(TRAPSTS) = 1 << 7;
	/* gfx12 has another register. */
	assert_int_equal(adbg_wave_get_watches(&wave, 12 << 16), 0);
	/* It was not read. */
	wave.hw_mask &= ~(1u << AMDGPUDBG_GFX10_3_TRAPSTS);
	assert_int_equal(adbg_wave_get_watches(&wave, GFX10_3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(a_watch_hands_everything_on),
		MOCK_TEST(a_watch_is_cleared_by_its_number),
		MOCK_TEST(a_launch_mode_hands_everything_on),
		MOCK_TEST(errors_leave_structures_alone),
		MOCK_TEST(hits_are_bits_of_trapsts),
	};

	return cmocka_run_group_tests_name("lib_watch", tests, NULL, NULL);
}
