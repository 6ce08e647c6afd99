// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The log, and its limit for lines that a guest can provoke as often as it likes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpu.h"
#include "regs/log.h"

#define MANY 20000

static struct vgpu gpu;
static char path[32];

static int setup(void **state)
{
	(void)state;
	strcpy(path, "/tmp/vgpu-log.XXXXXX");
	close(mkstemp(path));
	gpu.opt.log_path = path;
	return vgpu_log_init(&gpu);
}

static int teardown(void **state)
{
	(void)state;
	vgpu_log_fini(&gpu);
	return unlink(path);
}

/* How many lines of the log have @text in them. */
static unsigned int count(const char *text)
{
	FILE *f = fopen(path, "r");
	char line[4096];
	unsigned int n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += !!strstr(line, text);
	fclose(f);
	return n;
}

static void repeated_lines_are_left_out(void **state)
{
	u64 before = vgpu_now_ns(), seconds;
	unsigned int i;

	(void)state;
	for (i = 0; i < MANY; i++)
		vgpu_log(&gpu, "interrupt %u dropped", i);
	seconds = (vgpu_now_ns() - before) / 1000000000ULL + 1;
	/* A hundred at once, and ten a second after that */
	assert_in_range(count("dropped"), 100, 100 + 10 * seconds);
	assert_int_equal(count("interrupt 0 dropped"), 1);
	assert_int_equal(count("interrupt 99 dropped"), 1);
	/* Others are not meant. */
	vgpu_log(&gpu, "something else");
	assert_int_equal(count("something else"), 1);
}

static void traces_are_complete(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < MANY; i++)
		vgpu_log_each(&gpu, "packet %u", i);
	assert_int_equal(count("packet"), MANY);
}

/* A host's text makes no lines of its own, and none that has no end. */
static void control_characters_are_not_logged(void **state)
{
	static char text[100000];

	(void)state;
	vgpu_log(&gpu, "host: %s", "a\n   0.000000 COMPLAINT b\x1b[2J");
	assert_int_equal(count("COMPLAINT b?[2J"), 1);
	assert_int_equal(count("host: a?"), 1);
	memset(text, 'x', sizeof(text) - 1);
	vgpu_log(&gpu, "long: %s", text);
	vgpu_log(&gpu, "after");
	assert_int_equal(count("long"), 1);
	assert_int_equal(count("after"), 1);
	assert_int_equal(count(""), 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(repeated_lines_are_left_out),
		TEST(traces_are_complete),
		TEST(control_characters_are_not_logged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
