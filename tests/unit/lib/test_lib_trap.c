// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/mem.c and lib/trap.c: the arguments and results of their ioctls, and the meaning of the
 * default handler's mailboxes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg-hsa.h>

#include "mock.h"

#define CALL(nr, _in, _out) { \
	.request = AMDGPUDBG_IOC_##nr, .in = _in, .out = _out, \
	.size = sizeof(*(_in)), \
}

#define FAILS(nr, _error) { .request = AMDGPUDBG_IOC_##nr, .error = _error }
#define COPY(_check) { .request = AMDGPUDBG_IOC_MEM_COPY, .check = _check }

static void memory_hands_everything_on(void **state)
{
	static const struct amdgpudbg_mem_alloc in = {
		.size = sizeof(in), .flags = AMDGPUDBG_MEM_ALLOC_UNCACHED,
		.bytes = 5000,
	};
	static const struct amdgpudbg_mem_alloc out = {
		.size = sizeof(out), .flags = AMDGPUDBG_MEM_ALLOC_UNCACHED,
		.bytes = 8192, .va = 0x601234560000, .id = 7,
	};
	static const struct amdgpudbg_mem_free free_in = {
		.size = sizeof(free_in), .id = 7,
	};
	static char data[4];
	const struct amdgpudbg_mem_copy write_in = {
		.size = sizeof(write_in), .flags = AMDGPUDBG_MEM_COPY_WRITE,
		.id = 7, .offset = 4096, .bytes = 4, .data = (uintptr_t)data,
	};
	const struct amdgpudbg_mem_copy read_in = {
		.size = sizeof(read_in), .id = 7, .offset = 1, .bytes = 3,
		.data = (uintptr_t)data,
	};
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		CALL(MEM_ALLOC, &in, &out),
		CALL(MEM_COPY, &write_in, NULL),
		CALL(MEM_COPY, &read_in, NULL),
		CALL(MEM_FREE, &free_in, NULL),
		FAILS(MEM_FREE, EBUSY),
		FAILS(MEM_ALLOC, ENOSPC),
		FAILS(MEM_COPY, EFAULT),
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_mem_alloc mem = {
		.flags = AMDGPUDBG_MEM_ALLOC_UNCACHED,
		.bytes = 5000,
	};

	(void)state;
	assert_int_equal(adbg_mem_alloc(session, &mem), 0);
	assert_int_equal(mem.bytes, 8192);
	assert_true(mem.va == 0x601234560000);
	assert_int_equal(mem.id, 7);
	assert_int_equal(mem.size, sizeof(mem));
	assert_int_equal(adbg_mem_write(session, 7, 4096, data, 4), 0);
	assert_int_equal(adbg_mem_read(session, 7, 1, data, 3), 0);
	assert_int_equal(adbg_mem_free(session, 7), 0);
	assert_int_equal(adbg_mem_free(session, 7), -EBUSY);
	assert_int_equal(adbg_mem_alloc(session, &mem), -ENOSPC);
	assert_int_equal(mem.id, 7);
	assert_int_equal(adbg_mem_read(session, 7, 0, data, 1), -EFAULT);
	adbg_session_close(session);
}

static const struct amdgpudbg_trap_handler set_in = {
	.size = sizeof(set_in), .tba = 0x601000000000, .tba_size = 4096,
	.tma = 0x602000000000, .tma_size = 256,
};

static const struct amdgpudbg_trap_handler set_out = {
	.size = sizeof(set_out), .tba = 0x601000000000, .tba_size = 4096,
	.tma = 0x602000000000, .tma_size = 256, .vmid = 5,
};

static const struct amdgpudbg_trap_handler clear_in = {
	.size = sizeof(clear_in), .flags = AMDGPUDBG_TRAP_HANDLER_CLEAR,
};

static void a_handler_hands_everything_on(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		CALL(TRAP_HANDLER, &set_in, &set_out),
		FAILS(TRAP_HANDLER, EBUSY),
		CALL(TRAP_HANDLER, &clear_in, NULL),
		FAILS(TRAP_HANDLER, ENOENT),
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_trap_handler handler = {
		.tba = 0x601000000000, .tba_size = 4096,
		.tma = 0x602000000000, .tma_size = 256,
	};

	(void)state;
	assert_int_equal(adbg_trap_handler_set(session, &handler), 0);
	assert_int_equal(handler.vmid, 5);
	handler.vmid = 3;
	assert_int_equal(adbg_trap_handler_set(session, &handler), -EBUSY);
	assert_int_equal(handler.vmid, 3);
	assert_int_equal(adbg_trap_handler_clear(session), 0);
	assert_int_equal(adbg_trap_handler_clear(session), -ENOENT);
	adbg_session_close(session);
}

static void the_thunks_call_sets_and_clears(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		CALL(TRAP_HANDLER, &set_in, &set_out),
		CALL(TRAP_HANDLER, &clear_in, NULL),
		FAILS(TRAP_HANDLER, ENOENT),
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));

	(void)state;
	assert_int_equal(adbg_hsa_set_trap_handler(session,
						   (void *)0x601000000000, 4096,
						   (void *)0x602000000000, 256),
			 0);
	assert_int_equal(adbg_hsa_set_trap_handler(session, NULL, 0, NULL, 0),
			 0);
	assert_int_equal(adbg_hsa_set_trap_handler(session, NULL, 0, NULL, 0),
			 0);
	assert_int_equal(adbg_hsa_set_trap_handler(session, NULL, 4, NULL, 0),
			 -EINVAL);
	adbg_session_close(session);
}

/* One for each slot, and no more: see trap_abi.h. */
static uint32_t num_mailboxes(void)
{
	return mock_info.num_se * mock_info.num_sa * mock_info.num_wgp *
	       mock_info.num_simd * mock_info.num_wave;
}

static const struct amdgpudbg_mem_alloc code_out = {
	.size = sizeof(code_out), .flags = AMDGPUDBG_MEM_ALLOC_EXEC,
	.bytes = 4096, .va = 0x601000000000, .id = 1,
};

static const struct amdgpudbg_mem_alloc mailboxes_out = {
	.size = sizeof(mailboxes_out), .flags = AMDGPUDBG_MEM_ALLOC_UNCACHED,
	.bytes = 256, .va = 0x602000000000, .id = 2,
};

static void is_mailboxes(void *arg)
{
	const struct amdgpudbg_mem_alloc *alloc = arg;

	assert_int_equal(alloc->flags, AMDGPUDBG_MEM_ALLOC_UNCACHED);
	assert_int_equal(alloc->bytes, 128 + num_mailboxes() * 64);
}

static void is_code(void *arg)
{
	const struct amdgpudbg_mem_copy *copy = arg;
	const uint32_t *code = (const void *)(uintptr_t)copy->data;

	assert_int_equal(copy->flags, AMDGPUDBG_MEM_COPY_WRITE);
	assert_int_equal(copy->id, 1);
	/* s_getreg_b32 ttmp2, hwreg(HW_REG_STATUS) ... s_rfe_b64 ttmp[4:5] */
	assert_int_equal(code[0], 0xb96ef802);
	assert_int_equal(code[copy->bytes / 4 - 1], 0xbe802270);
}

static void is_header(void *arg)
{
	const struct amdgpudbg_mem_copy *copy = arg;
	const uint32_t *header = (const void *)(uintptr_t)copy->data;

	assert_int_equal(copy->id, 2);
	assert_int_equal(copy->offset, 0);
	assert_int_equal(copy->bytes, 128);
	assert_int_equal(header[0], 6);
	assert_int_equal(header[1], num_mailboxes());
	assert_int_equal(header[4], mock_info.num_sa);
	assert_int_equal(header[5], mock_info.num_wgp);
	assert_int_equal(header[6], mock_info.num_simd);
	assert_int_equal(header[7], mock_info.num_wave);
}

#define INSTALLS \
	MOCK_GET_INFO, \
	{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &code_out, \
	  .size = sizeof(code_out) }, \
	{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &mailboxes_out, \
	  .size = sizeof(mailboxes_out), .check = is_mailboxes }, \
	COPY(is_code), COPY(is_header)

#define FREES_BOTH \
	CALL(MEM_FREE, &free_code, NULL), CALL(MEM_FREE, &free_mailboxes, NULL)

static const struct amdgpudbg_mem_free free_code = {
	.size = sizeof(free_code), .id = 1,
};

static const struct amdgpudbg_mem_free free_mailboxes = {
	.size = sizeof(free_mailboxes), .id = 2,
};

/* The mailbox of se0.sa0.wgp2.simd1.wave3 */
static void give_mailbox(void *arg)
{
	static const uint32_t mailbox[16] = {
		4, 0x9abcdef0, 0x01031234, 0x20040, 0x84, 0x2c0, 0xdeadbeef,
		0x89abcdef, 0x01234567, 0x11, 0x22,
	};
	const struct amdgpudbg_mem_copy *copy = arg;

	assert_int_equal(copy->flags, 0);
	assert_int_equal(copy->id, 2);
	assert_int_equal(copy->offset,
			 128 + 64 * ((2 * mock_info.num_simd + 1) *
				    mock_info.num_wave + 3));
	assert_int_equal(copy->bytes, sizeof(mailbox));
	memcpy((void *)(uintptr_t)copy->data, mailbox, sizeof(mailbox));
}

static void the_default_handler_is_loaded_and_read(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		INSTALLS,
		CALL(TRAP_HANDLER, &set_in, &set_out),
		COPY(give_mailbox),
		CALL(TRAP_HANDLER, &clear_in, NULL),
		FREES_BOTH,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave_coord at = { .wgp = 2, .simd = 1, .wave = 3 };
	struct adbg_trap_stop stop = { 0 };
	uint32_t vmid = 0;

	(void)state;
	assert_int_equal(adbg_trap_read(session, &at, &stop), -ENOENT);
	assert_int_equal(adbg_trap_uninstall(session), -ENOENT);
	assert_int_equal(adbg_trap_install(session, &vmid), 0);
	assert_int_equal(vmid, 5);
	assert_int_equal(adbg_trap_install(session, NULL), -EEXIST);

	assert_int_equal(adbg_trap_read(session, &at, &stop), 0);
	assert_int_equal(stop.count, 4);
	assert_true(stop.pc == 0x12349abcdef0);
	assert_true(stop.exec == 0x0123456789abcdef);
	assert_int_equal(stop.id, 3);
	assert_int_equal(stop.host, 1);
	assert_int_equal(stop.ttmp[0], 0x9abcdef0);
	assert_int_equal(stop.ttmp[1], 0x01031234);
	assert_int_equal(stop.HW(STATUS), 0x20040);
	assert_int_equal(stop.HW(TRAPSTS), 0x84);
	assert_int_equal(stop.HW(MODE), 0x2c0);
	assert_int_equal(stop.HW(M0), 0xdeadbeef);
	assert_int_equal(stop.HW(HW_ID1), 0x11);
	assert_int_equal(stop.HW(HW_ID2), 0x22);
	/* Those six, by their numbers */
	assert_int_equal(stop.hw_mask, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 |
			 1 << 4 | 1 << 13);
	assert_int_equal(stop.size, sizeof(stop));

	at.se = 1;
	assert_int_equal(adbg_trap_read(session, &at, &stop), -ENXIO);
	at.se = 0;
	/* These would be others' mailboxes. */
	at.wave = mock_info.num_wave;
	assert_int_equal(adbg_trap_read(session, &at, &stop), -ENXIO);
	at.wave = 0;
	at.simd = mock_info.num_simd;
	assert_int_equal(adbg_trap_read(session, &at, &stop), -ENXIO);
	at.simd = 0;
	at.wgp = mock_info.num_wgp;
	assert_int_equal(adbg_trap_read(session, &at, &stop), -ENXIO);
	at.wgp = 0;
	at.xcc = 1;
	assert_int_equal(adbg_trap_read(session, &at, &stop), -ENXIO);
	assert_int_equal(adbg_trap_uninstall(session), 0);
	assert_int_equal(adbg_trap_uninstall(session), -ENOENT);
	adbg_session_close(session);
}

/* Of the 16384 numbers that HW_ID1 could make, navi21-hybrid has 2560 slots. */
static void is_navi21_mailboxes(void *arg)
{
	const struct amdgpudbg_mem_alloc *alloc = arg;

	assert_int_equal(alloc->bytes, 128 + 2560 * 64);
}

/* The last slot's is the last one. */
static void give_last_mailbox(void *arg)
{
	static const uint32_t mailbox[16] = { 1 };
	const struct amdgpudbg_mem_copy *copy = arg;

	assert_int_equal(copy->offset, 128 + 2559 * 64);
	memcpy((void *)(uintptr_t)copy->data, mailbox, sizeof(mailbox));
}

static void a_large_gpu_has_as_many_mailboxes_as_slots(void **state)
{
	static struct amdgpudbg_info navi21;
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &navi21,
		  .size = sizeof(navi21) },
		{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &code_out,
		  .size = sizeof(code_out) },
		{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &mailboxes_out,
		  .size = sizeof(mailboxes_out), .check = is_navi21_mailboxes },
		{ .request = AMDGPUDBG_IOC_MEM_COPY },
		{ .request = AMDGPUDBG_IOC_MEM_COPY },
		CALL(TRAP_HANDLER, &set_in, &set_out),
		COPY(give_last_mailbox),
	};
	struct amdgpudbg_wave_coord at = {
		.se = 3, .sa = 1, .wgp = 4, .simd = 3, .wave = 15,
	};
	struct adbg_trap_stop stop = { 0 };
	struct adbg_session *session;

	(void)state;
	navi21 = mock_info;
	navi21.num_se = 4;
	navi21.num_sa = 2;
	navi21.num_wgp = 5;
	navi21.num_simd = 4;
	navi21.num_wave = 16;
	session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_trap_install(session, NULL), 0);
	assert_int_equal(adbg_trap_read(session, &at, &stop), 0);
	at.se = 4;
	assert_int_equal(adbg_trap_read(session, &at, &stop), -ENXIO);
	adbg_session_close(session);
}

/* Where RADV has its shaders: addresses have 48 bits and a sign. */
static void give_high_mailbox(void *arg)
{
	static const uint32_t mailbox[16] = { 1, 0x9abcdef0, 0x0002ffff };
	const struct amdgpudbg_mem_copy *copy = arg;

	memcpy((void *)(uintptr_t)copy->data, mailbox, sizeof(mailbox));
}

static void a_stop_in_the_upper_half_is_there(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		INSTALLS,
		CALL(TRAP_HANDLER, &set_in, &set_out),
		COPY(give_high_mailbox),
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave_coord at = { .wave = 0 };
	struct adbg_trap_stop stop = { 0 };

	(void)state;
	assert_int_equal(adbg_trap_install(session, NULL), 0);
	assert_int_equal(adbg_trap_read(session, &at, &stop), 0);
	assert_true(stop.pc == 0xffffffff9abcdef0);
	assert_int_equal(stop.id, 2);
	assert_int_equal(stop.host, 0);
	adbg_session_close(session);
}

/* The former one has exited: its buffers and watches went with it. */
static void a_new_target_has_nothing_of_the_former(void **state)
{
	static const struct amdgpudbg_watch_set watch_out = {
		.size = sizeof(watch_out), .id = 1, .vmid = 5,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		INSTALLS,
		CALL(TRAP_HANDLER, &set_in, &set_out),
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .out = &watch_out,
		  .size = sizeof(watch_out) },
		{ .request = AMDGPUDBG_IOC_TARGET_SET },
		INSTALLS,
		CALL(TRAP_HANDLER, &set_in, &set_out),
		/* And no WATCH_CLEAR: */
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .out = &watch_out,
		  .size = sizeof(watch_out) },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_target_set target = { .drm_fd = 0, .pidfd = -1 };
	void *const where[] = { (void *)0x601000000000 };
	const uint32_t mode[] = { AMDGPUDBG_WATCH_ALL };

	(void)state;
	assert_int_equal(adbg_trap_install(session, NULL), 0);
	assert_int_equal(adbg_hsa_address_watch(session, 1, mode, where, NULL),
			 0);
	assert_int_equal(adbg_target_set(session, &target), 0);
	assert_int_equal(adbg_trap_install(session, NULL), 0);
	assert_int_equal(adbg_hsa_address_watch(session, 1, mode, where, NULL),
			 0);
	adbg_session_close(session);
}

static void what_fails_leaves_nothing_behind(void **state)
{
	static const struct mock_ioctl busy[] = {
		MOCK_GET_INFO,
		INSTALLS,
		FAILS(TRAP_HANDLER, EBUSY),
		FREES_BOTH,
	};
	static const struct mock_ioctl full[] = {
		MOCK_GET_INFO,
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &code_out,
		  .size = sizeof(code_out) },
		FAILS(MEM_ALLOC, ENOSPC),
		CALL(MEM_FREE, &free_code, NULL),
	};
	struct adbg_session *session = mock_session(busy, ARRAY_SIZE(busy));
	uint32_t vmid = 77;

	(void)state;
	assert_int_equal(adbg_trap_install(session, &vmid), -EBUSY);
	assert_int_equal(vmid, 77);
	adbg_session_close(session);
	mock_verify();
	mock_reset();

	session = mock_session(full, ARRAY_SIZE(full));
	assert_int_equal(adbg_trap_install(session, &vmid), -ENOSPC);
	assert_int_equal(adbg_trap_uninstall(session), -ENOENT);
	adbg_session_close(session);
}

/* A handler that a reset has ended can be installed again. */
static void a_lost_handler_is_given_up(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		INSTALLS,
		CALL(TRAP_HANDLER, &set_in, &set_out),
		FAILS(TRAP_HANDLER, ENOENT),
		FREES_BOTH,
		INSTALLS,
		CALL(TRAP_HANDLER, &set_in, &set_out),
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));

	(void)state;
	assert_int_equal(adbg_trap_install(session, NULL), 0);
	assert_int_equal(adbg_trap_uninstall(session), -ENOENT);
	assert_int_equal(adbg_trap_install(session, NULL), 0);
	adbg_session_close(session);
}

static void other_generations_have_no_default_handler(void **state)
{
	static struct amdgpudbg_info gfx11;
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &gfx11,
		  .size = sizeof(gfx11) },
	};
	struct adbg_session *session;

	(void)state;
	gfx11 = mock_info;
	gfx11.gc_version = 11 << 16;
	session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_trap_install(session, NULL), -EOPNOTSUPP);
	adbg_session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(memory_hands_everything_on),
		MOCK_TEST(a_handler_hands_everything_on),
		MOCK_TEST(the_thunks_call_sets_and_clears),
		MOCK_TEST(the_default_handler_is_loaded_and_read),
		MOCK_TEST(a_large_gpu_has_as_many_mailboxes_as_slots),
		MOCK_TEST(a_stop_in_the_upper_half_is_there),
		MOCK_TEST(a_new_target_has_nothing_of_the_former),
		MOCK_TEST(what_fails_leaves_nothing_behind),
		MOCK_TEST(a_lost_handler_is_given_up),
		MOCK_TEST(other_generations_have_no_default_handler),
	};

	return cmocka_run_group_tests_name("lib_trap", tests, NULL, NULL);
}
