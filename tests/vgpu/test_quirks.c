// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Quirks: each has a name, a source, a row in the README, and can be set.
 */
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vgpu.h"

#define README "tools/vgpu/README.md"

static void every_quirk_is_in_the_readme(void **state)
{
	static char text[1 << 16];
	FILE *f = fopen(README, "r");
	int i, rows = 0;
	char row[1024];
	char *p;

	(void)state;
	if (!f)
		fail_msg("no " README " here: tests run in the top folder");
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);

	for (i = 0; i < VGPU_NUM_QUIRKS; i++) {
		snprintf(row, sizeof(row), "| `%s` | %u | %s |\n",
			 vgpu_quirk_name(i), vgpu_quirk_default(i),
			 vgpu_quirk_text(i));
		if (!strstr(text, row))
			fail_msg("%s lacks this row:\n%s", README, row);
	}
	/* And none that is gone: all such rows begin with a name in quotes. */
	for (p = strstr(text, "| quirk |"); p && (p = strstr(p, "\n| `")); p++)
		rows++;
	assert_int_equal(rows, VGPU_NUM_QUIRKS);
}

static void names_are_lower_case_and_different(void **state)
{
	const char *p;
	int i, other;

	(void)state;
	for (i = 0; i < VGPU_NUM_QUIRKS; i++) {
		for (p = vgpu_quirk_name(i); *p; p++)
			assert_true(islower(*p) || isdigit(*p) || *p == '-');
		for (other = 0; other < i; other++)
			assert_string_not_equal(vgpu_quirk_name(i),
						vgpu_quirk_name(other));
		/* What is assumed, and in brackets or words where it was read */
		assert_true(strlen(vgpu_quirk_text(i)) > 20);
	}
}

static void values_begin_with_the_default_and_can_be_set(void **state)
{
	struct vgpu g = { 0 };
	int i;

	(void)state;
	assert_int_equal(vgpu_quirks_init(&g), 0);
	for (i = 0; i < VGPU_NUM_QUIRKS; i++) {
		assert_int_equal(vgpu_quirk(&g, i), vgpu_quirk_default(i));
		assert_int_equal(vgpu_quirk_set(&g, vgpu_quirk_name(i),
						1000 + (u32)i), 0);
	}
	for (i = 0; i < VGPU_NUM_QUIRKS; i++)
		assert_int_equal(vgpu_quirk(&g, i), 1000 + i);
	assert_int_equal(vgpu_quirk_set(&g, "no-such-quirk", 1), -ENOENT);
	vgpu_quirks_fini(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_quirk_is_in_the_readme),
		cmocka_unit_test(names_are_lower_case_and_different),
		cmocka_unit_test(values_begin_with_the_default_and_can_be_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
