// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/hsa.c: the bits of the old interface's message, and the ioctls that result from the
 * thunk's calls. Bit positions: HsaDbgWaveMsgAMDGen2 of amdkfd/kfd_dbgmgr.h, Linux 5.10.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg-hsa.h>

#include "mock.h"

/* HsaDbgWaveMessage of hsakmttypes.h, as programs have it */
struct thunk_message {
	void *MemoryVA;
	struct {
		uint32_t Value;
		uint32_t Reserved2;
	} WaveMsgInfoGen2;
};

_Static_assert(sizeof(struct thunk_message) ==
	       sizeof(struct adbg_hsa_wave_message), "size");
_Static_assert(offsetof(struct thunk_message, WaveMsgInfoGen2.Value) ==
	       offsetof(struct adbg_hsa_wave_message, value), "value");

/* ------------------------------------------------------------------ message */

static void each_part_has_its_bits(void **state)
{
	static const struct {
		uint32_t value;
		struct adbg_hsa_message message;
	} cases[] = {
		{ 0x00000000, { .priv = 0 } },
		{ 0x000000a5, { .user_data = 0xa5 } },
		{ 0x00000100, { .at.sa = 1 } },
		{ 0x00000200, { .priv = 1 } },
		{ 0x0003c000, { .at.wave = 15 } },
		{ 0x000c0000, { .at.simd = 3 } },
		{ 0x00f00000, { .at.wgp = 15 } },
		{ 0x03000000, { .at.se = 3 } },
		{ 0x08000000, { .type = 2 } },
		{ 0x06b58337, { .at = { .se = 2, .sa = 1, .wgp = 11, .simd = 1,
					.wave = 6 },
				.user_data = 0x37, .priv = 1, .type = 1 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct adbg_hsa_message m;
		uint32_t value = ~0u;

		memset(&m, 0xee, sizeof(m));
		adbg_hsa_message_decode(cases[i].value, &m);
		assert_memory_equal(&m, &cases[i].message, sizeof(m));
		assert_int_equal(adbg_hsa_message_encode(&m, &value), 0);
		assert_int_equal(value, cases[i].value);
	}
}

static void reserved_bits_are_not_looked_at(void **state)
{
	const struct adbg_hsa_message none = { .priv = 0 };
	struct adbg_hsa_message m;

	(void)state;
	adbg_hsa_message_decode(0xf0003c00, &m);
	assert_memory_equal(&m, &none, sizeof(m));
}

static void what_has_no_room_is_refused(void **state)
{
	static const struct adbg_hsa_message cases[] = {
		{ .at.xcc = 1 }, { .at.se = 4 }, { .at.sa = 2 },
		{ .at.wgp = 16 }, { .at.simd = 4 }, { .at.wave = 16 },
		{ .user_data = 256 }, { .priv = 2 }, { .type = 4 },
		{ .user_data = 0xffffffff },
	};
	uint32_t value = 0x1234;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(adbg_hsa_message_encode(&cases[i], &value),
				 -ERANGE);
	assert_int_equal(value, 0x1234);
}

/* ------------------------------------------------------------------ control */

static struct amdgpudbg_wave_control wanted;

static void check_control(void *arg)
{
	struct amdgpudbg_wave_control *call = arg;

	assert_int_equal(call->size, sizeof(*call));
	assert_int_equal(call->flags, 0);
	assert_int_equal(call->op, wanted.op);
	assert_int_equal(call->mode, wanted.mode);
	assert_int_equal(call->vmid, 0);
	assert_int_equal(call->trap_id, wanted.trap_id);
	assert_memory_equal(&call->at, &wanted.at, sizeof(call->at));
}

#define CONTROL { .request = AMDGPUDBG_IOC_WAVE_CONTROL, .check = check_control }

static void the_thunk_reaches_the_wave_that_it_names(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, CONTROL, CONTROL, CONTROL, CONTROL,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	/* se 0, sa 1, CU 3, SIMD 2, wave 5 */
	const struct thunk_message m = {
		.WaveMsgInfoGen2 = { 5 << 14 | 2 << 18 | 3 << 20 | 1 << 8, 77 },
	};
	const struct adbg_hsa_wave_message *message = (const void *)&m;

	(void)state;
	wanted.op = AMDGPUDBG_WAVEOP_RESUME;
	wanted.mode = AMDGPUDBG_WAVEMODE_SINGLE;
	wanted.at = (struct amdgpudbg_wave_coord){
		.sa = 1, .wgp = 3, .simd = 2, .wave = 5,
	};
	/* The trap id is for traps alone. */
	assert_int_equal(adbg_hsa_wave_control(session, 2, 0, 9, message), 0);

	wanted.op = AMDGPUDBG_WAVEOP_TRAP;
	wanted.trap_id = 7;
	assert_int_equal(adbg_hsa_wave_control(session, 5, 0, 7, message), 0);

	wanted.op = AMDGPUDBG_WAVEOP_HALT;
	wanted.trap_id = 0;
	wanted.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU;
	wanted.at.simd = 0;
	wanted.at.wave = 0;
	assert_int_equal(adbg_hsa_wave_control(session, 1, 3, 0, message), 0);

	wanted.op = AMDGPUDBG_WAVEOP_KILL;
	wanted.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	memset(&wanted.at, 0, sizeof(wanted.at));
	assert_int_equal(adbg_hsa_wave_control(session, 3, 2, 0, NULL), 0);
	adbg_session_close(session);
}

static void wrong_controls_do_not_reach_the_kernel(void **state)
{
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	struct adbg_session *session = mock_session(expect, 1);
	const struct adbg_hsa_wave_message m = { 0 };

	(void)state;
	assert_int_equal(adbg_hsa_wave_control(session, 0, 0, 0, &m), -EINVAL);
	/* A step is none of the old interface. */
	assert_int_equal(adbg_hsa_wave_control(session, 16, 0, 0, &m), -EINVAL);
	assert_int_equal(adbg_hsa_wave_control(session, 1, 0, 0, NULL),
			 -EINVAL);
	assert_int_equal(adbg_hsa_wave_control(session, 1, 3, 0, NULL),
			 -EINVAL);
	adbg_session_close(session);
}

/* ------------------------------------------------------------------ watches */

static struct {
	uint32_t mode;
	uint64_t address, mask;
	uint32_t id;
} watches[4];
static unsigned int next_watch, cleared;

static void set_next(void *arg)
{
	struct amdgpudbg_watch_set *call = arg;

	assert_int_equal(call->flags, AMDGPUDBG_WATCH_SET_MASK);
	assert_int_equal(call->mode, watches[next_watch].mode);
	assert_true(call->address == watches[next_watch].address);
	assert_true(call->mask == watches[next_watch].mask);
	assert_true(call->bytes == 0);
	call->id = watches[next_watch++].id;
}

static void note_cleared(void *arg)
{
	const struct amdgpudbg_watch_clear *call = arg;

	cleared |= 1 << call->id;
}

/* The GPU of mock_info, whose granule is 128 bytes, is asked for it. */
#define SET MOCK_GET_INFO, \
	{ .request = AMDGPUDBG_IOC_WATCH_SET, .check = set_next }
#define CLEAR { .request = AMDGPUDBG_IOC_WATCH_CLEAR, .check = note_cleared }

static void watches_are_in_granules_of_the_gpu(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, SET, SET,
		CLEAR, { .request = AMDGPUDBG_IOC_WATCH_CLEAR,
			 .check = note_cleared, .error = ENOENT },
		SET,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	void *address[3] = {
		(void *)0x7f0012345678, NULL, (void *)0x10000010c0,
	};
	const uint32_t mode[3] = { 3, 0, 1 };
	/* All bits of an address, as tools give it; and all but bits 6 to 13. */
	const uint64_t mask[3] = { ~0ull, 0, 0xffff00 };

	(void)state;
	memset(watches, 0, sizeof(watches));
	next_watch = 0;
	cleared = 0;
	watches[0].mode = AMDGPUDBG_WATCH_ALL;
	watches[0].address = 0x7f0012345600;
	watches[0].mask = 0xffffffffffffff80;
	watches[0].id = 2;
	watches[1].mode = AMDGPUDBG_WATCH_NONREAD;
	watches[1].address = 0x1000000000;
	watches[1].mask = 0xffffffffffffc000;
	watches[1].id = 0;
	assert_int_equal(adbg_hsa_address_watch(session, 3, mode, address,
						mask), 0);

	/* They are replaced by the next call, here by one without masks. */
	watches[2].mode = AMDGPUDBG_WATCH_READ;
	watches[2].address = 0x10000;
	watches[2].mask = 0xffffffffffffff80;
	watches[2].id = 1;
	address[0] = (void *)0x1003f;
	assert_int_equal(adbg_hsa_address_watch(session, 1, &mode[1], address,
						&mask[1]), 0);
	assert_int_equal(next_watch, 3);
	assert_int_equal(cleared, 1 << 2 | 1 << 0);
	adbg_session_close(session);
}

static void a_failed_call_leaves_no_watch(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, SET, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .error = ENOSPC },
		CLEAR,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	void *address[2] = { (void *)0x1000, (void *)0x2000 };
	const uint32_t mode[2] = { 3, 3 };

	(void)state;
	next_watch = 0;
	cleared = 0;
	watches[0].mode = AMDGPUDBG_WATCH_ALL;
	watches[0].address = 0x1000;
	watches[0].mask = 0xffffffffffffff80;
	watches[0].id = 3;
	assert_int_equal(adbg_hsa_address_watch(session, 2, mode, address,
						NULL), -ENOSPC);
	assert_int_equal(cleared, 1 << 3);
	adbg_session_close(session);
}

static void wrong_watches_do_not_reach_the_kernel(void **state)
{
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	struct adbg_session *session = mock_session(expect, 1);
	void *address[5] = { 0 };
	uint32_t mode[5] = { 0 };

	(void)state;
	assert_int_equal(adbg_hsa_address_watch(session, 0, mode, address,
						NULL), -EINVAL);
	assert_int_equal(adbg_hsa_address_watch(session, 5, mode, address,
						NULL), -EINVAL);
	assert_int_equal(adbg_hsa_address_watch(session, 1, NULL, address,
						NULL), -EINVAL);
	assert_int_equal(adbg_hsa_address_watch(session, 1, mode, NULL, NULL),
			 -EINVAL);
	mode[1] = 4;
	assert_int_equal(adbg_hsa_address_watch(session, 2, mode, address,
						NULL), -EINVAL);
	adbg_session_close(session);
}

/* ----------------------------------------------------------------- statuses */

static void errors_have_the_numbers_of_the_thunk(void **state)
{
	static const struct {
		int error, status;
	} cases[] = {
		{ 0, 0 }, { EPERM, 1 }, { ENODEV, 1 }, { ESTALE, 1 },
		{ EINVAL, 3 }, { ENXIO, 3 }, { ENOMEM, 6 },
		{ EOPNOTSUPP, 11 }, { EBUSY, 12 }, { ENOSPC, 13 },
		{ ETIMEDOUT, 31 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(adbg_hsa_status(cases[i].error),
				 cases[i].status);
		assert_int_equal(adbg_hsa_status(-cases[i].error),
				 cases[i].status);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(each_part_has_its_bits),
		MOCK_TEST(reserved_bits_are_not_looked_at),
		MOCK_TEST(what_has_no_room_is_refused),
		MOCK_TEST(the_thunk_reaches_the_wave_that_it_names),
		MOCK_TEST(wrong_controls_do_not_reach_the_kernel),
		MOCK_TEST(watches_are_in_granules_of_the_gpu),
		MOCK_TEST(a_failed_call_leaves_no_watch),
		MOCK_TEST(wrong_watches_do_not_reach_the_kernel),
		MOCK_TEST(errors_have_the_numbers_of_the_thunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
