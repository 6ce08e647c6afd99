// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The examples of the library do what they say. Their main() is renamed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "mock.h"

int waves_main(void);
int halt_main(int argc, char **argv);

/* What a stream got while @fn ran. */
static char said[4096];
static int ran;

static void run_saying(int stream, int (*fn)(int argc, char **argv), int argc,
		       char **argv)
{
	int fd = memfd_create("said", MFD_CLOEXEC);
	int saved = dup(stream);

	fflush(stdout);
	dup2(fd, stream);
	ran = fn(argc, argv);
	fflush(stdout);
	dup2(saved, stream);
	close(saved);
	memset(said, 0, sizeof(said));
	assert_true(pread(fd, said, sizeof(said) - 1, 0) >= 0);
	close(fd);
}

static int waves(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return waves_main();
}

static void the_waves_are_printed(void **state)
{
	static const char wanted[] =
		"se0.sa0.wgp0.simd0.wave0 vmid 1 pc 0x800000001000 SCC TRAP_EN IN_TG VALID\n"
		"se0.sa0.wgp3.simd1.wave5 vmid 1 pc 0xffff800000001004 PRIV TRAP_EN HALT VALID\n";
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves,
		  .num_waves = 2 },
	};

	(void)state;
	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, ARRAY_SIZE(expect));
	run_saying(STDOUT_FILENO, waves, 0, NULL);
	assert_int_equal(ran, EXIT_SUCCESS);
	assert_string_equal(said, wanted);
}

static void errors_of_examples_are_printed(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .error = EPERM },
	};

	(void)state;
	run_saying(STDERR_FILENO, waves, 0, NULL);
	assert_int_equal(ran, EXIT_FAILURE);
	assert_non_null(strstr(said, "cannot open a GPU: "));

	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, ARRAY_SIZE(expect));
	run_saying(STDERR_FILENO, waves, 0, NULL);
	assert_int_equal(ran, EXIT_FAILURE);
	assert_non_null(strstr(said, "cannot list the waves: not permitted"));
}

static const struct amdgpudbg_wave_control halted = {
	.size = sizeof(halted), .matched = 3, .changed = 3,
};

static void waves_are_halted_by_the_example(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .out = &halted,
		  .size = sizeof(halted) },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves,
		  .num_waves = 3 },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves,
		  .num_waves = 3 },
	};
	char *argv[] = { "halt", "1", NULL };

	(void)state;
	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, ARRAY_SIZE(expect));
	run_saying(STDOUT_FILENO, halt_main, 2, argv);
	assert_int_equal(ran, EXIT_SUCCESS);
	assert_string_equal(said, "halted 3 of 3 waves\n"
				  "3 of 3 waves are halted\n");
	assert_int_equal(mock_open_nodes(), 0);
}

static void a_wave_that_moves_is_seen(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .out = &halted,
		  .size = sizeof(halted) },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves,
		  .num_waves = 3 },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves + 1,
		  .num_waves = 3 },
	};
	char *argv[] = { "halt", "1", NULL };

	(void)state;
	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, ARRAY_SIZE(expect));
	run_saying(STDOUT_FILENO, halt_main, 2, argv);
	assert_int_equal(ran, EXIT_FAILURE);
	assert_non_null(strstr(said, "0 of 3 waves are halted"));

	run_saying(STDERR_FILENO, halt_main, 1, argv);
	assert_int_equal(ran, EXIT_FAILURE);
	assert_non_null(strstr(said, "usage"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(the_waves_are_printed),
		MOCK_TEST(errors_of_examples_are_printed),
		MOCK_TEST(waves_are_halted_by_the_example),
		MOCK_TEST(a_wave_that_moves_is_seen),
	};

	return cmocka_run_group_tests_name("lib_examples", tests, NULL, NULL);
}
