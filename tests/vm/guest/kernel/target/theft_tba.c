// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses that a trap handler may have: see theft.h.
 */
#include "theft.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "trap_prog.h"

/*
 * What is anywhere else in the target's address space, others may have mapped, too,
 * and at the same address.
 */
void a_handler_lies_in_ones_own_buffer(void **state)
{
	struct amdgpudbg_mem_alloc mine, others;
	const uint64_t page = 4096;
	int session = thief_session(), other;
	uint32_t vmid;

	(void)state;
	be(USER, true);
	other = thief_opens();
	assert_int_equal(mem_alloc(session, &mine, AMDGPUDBG_MEM_ALLOC_EXEC,
				   page), 0);
	assert_int_equal(mem_alloc(other, &others, AMDGPUDBG_MEM_ALLOC_EXEC,
				   page), 0);
#define SET(tba, size) set_handler(session, tba, size, 0, 0, &vmid)
	/* The target's own memory; another session's; where nothing is */
	assert_int_equal(SET(target.memory, 256), -EPERM);
	assert_int_equal(SET(others.va, page), -EPERM);
	assert_int_equal(SET(1ull << 40, 256), -EPERM);
	be(ROOT, true);
	assert_registers_are_as_before();
	be(USER, true);
	assert_int_equal(clear_handler(session), -ENOENT);
	assert_int_equal(SET(mine.va, page), 0);
	/* A second one is no way around it, and the first stays. */
	assert_int_equal(SET(target.memory, 256), -EPERM);
	assert_int_equal(clear_handler(session), 0);
	be(ROOT, true);
	assert_int_equal(SET(target.memory, 256), 0);
	assert_int_equal(clear_handler(session), 0);
	/* Nor is a session that was root's once. */
	be(USER, true);
	assert_int_equal(SET(target.memory, 256), -EPERM);
#undef SET
	close(other);
	be(ROOT, true);
	assert_registers_are_as_before();
}
