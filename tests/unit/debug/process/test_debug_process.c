// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/process/process.c without a process to debug. All other tests run in the guest:
 * tests/vm/guest/debug/debugger.c.
 */
#include "debug/util.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/process.h"
#include "trap_abi.h"

static void without_a_gpu_it_is_said_so(void **state)
{
	struct adbgd_process *process = NULL;
	struct adbgd_error error = { .error = 0 };

	(void)state;
	assert_true(adbgd_process_attach("/dev/null", getpid(), 0, &process, &error) < 0);
	assert_true(error.error < 0);
	assert_non_null(strstr(error.text, "cannot open /dev/null: "));
	assert_null(process);
	adbgd_process_detach(NULL);
}

static void reasons_have_names(void **state)
{
	(void)state;
	for (uint32_t i = ADBGD_STOP_BREAKPOINT; i <= ADBGD_STOP_BREAKPOINT_STATE; i++)
		assert_string_not_equal(adbgd_stop_reason_name(i), "?");
	assert_string_equal(adbgd_stop_reason_name(0), "?");
	assert_string_equal(adbgd_stop_reason_name(ADBGD_STOP_BREAKPOINT_STATE + 1), "?");
}

/* The slots of two engines with three arrays of 4 WGPs, each with 2 SIMDs of 10 slots */
static void waves_have_numbers(void **state)
{
	static const struct {
		struct amdgpudbg_wave_coord at;
		uint32_t number;
	} waves[] = {
		{ { 0 }, 1 },
		{ { .wave = 9 }, 10 },
		{ { .simd = 1 }, 11 },
		{ { .wgp = 1 }, 21 },
		{ { .sa = 1 }, 81 },
		{ { .se = 1 }, 241 },
		/* ((((1 * 3 + 2) * 4 + 3) * 2 + 1) * 10 + 9) + 1 */
		{ { .se = 1, .sa = 2, .wgp = 3, .simd = 1, .wave = 9 }, 480 },
	};
	static const struct amdgpudbg_wave_coord nowhere[] = {
		{ .wave = 10 }, { .simd = 2 }, { .wgp = 4 }, { .sa = 3 }, { .se = 2 },
	};
	struct adbgd_process process = { .interrupt_fd = -1 };
	struct amdgpudbg_wave_coord at;

	(void)state;
	trap_header(process.handler.header, 2, 3, 4, 2, 10);
	for (size_t i = 0; i < ARRAY_SIZE(waves); i++) {
		assert_int_equal(adbgd_wave_get_number(&process, &waves[i].at), waves[i].number);
		assert_int_equal(adbgd_wave_find_number(&process, waves[i].number, &at), 0);
		assert_memory_equal(&at, &waves[i].at, sizeof(at));
	}
	for (size_t i = 0; i < ARRAY_SIZE(nowhere); i++)
		assert_int_equal(adbgd_wave_get_number(&process, &nowhere[i]), 0);
	assert_int_equal(adbgd_wave_find_number(&process, 0, &at), -ENOENT);
	assert_int_equal(adbgd_wave_find_number(&process, 481, &at), -ENOENT);
}

/* Become another user when the parent has closed @go. */
static void become(int go)
{
	char c;

	(void)!read(go, &c, 1);
	_exit(setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534) ||
	      kill(getpid(), SIGSTOP));
}

/*
 * A program that another user may write must not be taken for that of the user at attach, nor
 * what a user has named before he executed a program of root for what root has named.
 */
static void a_process_that_changes_its_user_has_no_owner(void **state)
{
	struct adbgd_process process = { .interrupt_fd = -1 };
	struct adbgd_error error;
	struct adbgd_owner owner;
	int go[2], status;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(pipe(go), 0);
	process.info.pid = fork();
	assert_true(process.info.pid >= 0);
	if (!process.info.pid) {
		close(go[1]);
		become(go[0]);
	}
	close(go[0]);
	adbgd_exec_open(&process);
	assert_int_equal(adbgd_process_get_credentials(&process, &owner, &error), 0);
	assert_int_equal(owner.uid, 0);
	close(go[1]);
	assert_int_equal(waitpid(process.info.pid, &status, WUNTRACED), process.info.pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(adbgd_process_get_credentials(&process, &owner, &error), -EPERM);
	kill(process.info.pid, SIGKILL);
	assert_int_equal(waitpid(process.info.pid, &status, 0), process.info.pid);
	assert_int_equal(adbgd_process_get_credentials(&process, &owner, &error), -ESRCH);
	adbgd_exec_close(&process);
}

/* The lowest address that was read of a process's memory */
static uint64_t lowest = UINT64_MAX;

ssize_t pread64(int fd, void *data, size_t bytes, off64_t offset)
{
	if ((uint64_t)offset < lowest)
		lowest = offset;
	return syscall(SYS_pread64, fd, data, bytes, offset);
}

ssize_t pread(int fd, void *data, size_t bytes, off_t offset)
{
	return pread64(fd, data, bytes, offset);
}

/* @executed: is closed by that */
static void __attribute__((noreturn)) execute(int go, int executed)
{
	char c;

	(void)!read(go, &c, 1);
	fcntl(executed, F_SETFD, FD_CLOEXEC);
	execlp("sleep", "sleep", "60", NULL);
	_exit(1);
}

/* No address that a process can have: the page there could be one that never comes. */
static void another_program_is_noticed_without_a_look_at_pages(void **state)
{
	struct adbgd_process process = { .interrupt_fd = -1 };
	struct adbgd_stop stop;
	int go[2], executed[2], status;
	char c;

	(void)state;
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(executed), 0);
	process.info.pid = fork();
	assert_true(process.info.pid >= 0);
	if (!process.info.pid) {
		close(go[1]);
		execute(go[0], executed[1]);
	}
	close(go[0]);
	close(executed[1]);
	adbgd_exec_open(&process);
	assert_true(adbgd_exec_is_seen(&process));
	assert_false(adbgd_exec_poll(&process, &stop));
	close(go[1]);
	assert_int_equal(read(executed[0], &c, 1), 0);
	assert_true(adbgd_exec_poll(&process, &stop));
	assert_int_equal(stop.reason, ADBGD_STOP_EXEC);
	assert_false(adbgd_exec_poll(&process, &stop));
	kill(process.info.pid, SIGKILL);
	assert_int_equal(waitpid(process.info.pid, &status, 0), process.info.pid);
	assert_false(adbgd_exec_poll(&process, &stop));
	assert_true(lowest > INT64_MAX / 2 && lowest <= INT64_MAX);
	adbgd_exec_close(&process);
	close(executed[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_gpu_it_is_said_so),
		cmocka_unit_test(reasons_have_names),
		cmocka_unit_test(waves_have_numbers),
		cmocka_unit_test(a_process_that_changes_its_user_has_no_owner),
		cmocka_unit_test(another_program_is_noticed_without_a_look_at_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
