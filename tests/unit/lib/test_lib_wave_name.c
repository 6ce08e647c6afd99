// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/wave_name.c: names of waves and filters.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "../../array_size.h"

#define R(from, to) { .first = (from), .last = (to) }
#define ANY R(0, 65535)
#define SPEC(a, b, c, d, e, f) \
	{ .xcc = a, .se = b, .sa = c, .wgp = d, .simd = e, .wave = f }

static void names_are_printed(void **state)
{
	static const struct {
		struct amdgpudbg_wave_coord at;
		const char *name;
	} cases[] = {
		{ { 0, 0, 0, 3, 1, 5, 0 }, "se0.sa0.wgp3.simd1.wave5" },
		{ { 0, 7, 1, 15, 3, 31, 0 }, "se7.sa1.wgp15.simd3.wave31" },
		{ { 2, 0, 0, 0, 0, 0, 0 }, "xcc2.se0.sa0.wgp0.simd0.wave0" },
		{ { 65535, 65535, 65535, 65535, 65535, 65535, 0 },
		  "xcc65535.se65535.sa65535.wgp65535.simd65535.wave65535" },
	};
	char name[ADBG_WAVE_NAME_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct adbg_wave_spec spec;
		struct amdgpudbg_wave_coord at;

		assert_ptr_equal(adbg_wave_name(&cases[i].at, name), name);
		assert_string_equal(name, cases[i].name);
		/* and read back */
		assert_int_equal(adbg_wave_spec_parse(name, &spec, NULL), 0);
		assert_int_equal(adbg_wave_spec_mode(&spec, &at),
				 AMDGPUDBG_WAVEMODE_SINGLE);
		assert_memory_equal(&at, &cases[i].at, sizeof(at));
	}
}

/* Of each slot of a GPU with several XCCs, which is as good as any other GPU */
static void each_name_is_a_filter_for_its_slot_alone(void **state)
{
	enum { NUM = 3 * 2 * 2 * 2 * 2 * 2 };
	char name[ADBG_WAVE_NAME_MAX];

	(void)state;
	for (uint16_t i = 0; i < NUM; i++) {
		struct amdgpudbg_wave_coord at = {
			.xcc = i / 32, .se = i >> 4 & 1, .sa = i >> 3 & 1,
			.wgp = i >> 2 & 1, .simd = i >> 1 & 1, .wave = i & 1,
		};
		struct adbg_wave_spec spec;

		assert_int_equal(adbg_wave_spec_parse(adbg_wave_name(&at, name), &spec, NULL), 0);
		for (uint16_t k = 0; k < NUM; k++) {
			struct amdgpudbg_wave_coord other = {
				.xcc = k / 32, .se = k >> 4 & 1, .sa = k >> 3 & 1,
				.wgp = k >> 2 & 1, .simd = k >> 1 & 1, .wave = k & 1,
			};

			assert_int_equal(adbg_wave_spec_match(&spec, &other), k == i);
		}
	}
}

static void one_slot_has_many_spellings(void **state)
{
	static const char *const spellings[] = {
		"se0.sa0.wgp3.simd1.wave5", "se0.sh0.cu3.simd1.wave5",
		"0.0.3.1.5", "0.0.0.3.1.5", "xcc0.se0.sa0.wgp3.simd1.wave5",
		"xcc0.0.0.3.1.5", "se0.0.wgp3.1.5", "0.0.wgp3.simd1.5",
		"00.000.0003.01.05", "0-0.0.3-3.1.5",
	};
	static const struct amdgpudbg_wave_coord wanted = {
		0, 0, 0, 3, 1, 5, 0
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		struct amdgpudbg_wave_coord at = { 9, 9, 9, 9, 9, 9, 9 };
		struct adbg_wave_spec spec;

		assert_int_equal(adbg_wave_spec_parse(spellings[i], &spec,
						      NULL), 0);
		assert_int_equal(adbg_wave_spec_mode(&spec, &at),
				 AMDGPUDBG_WAVEMODE_SINGLE);
		assert_int_equal(adbg_wave_spec_mode(&spec, NULL),
				 AMDGPUDBG_WAVEMODE_SINGLE);
		assert_memory_equal(&at, &wanted, sizeof(at));
		assert_true(adbg_wave_spec_match(&spec, &wanted));
	}
}

static void filters_are_read(void **state)
{
	static const struct {
		const char *text;
		struct adbg_wave_spec spec;
	} cases[] = {
		{ "*", SPEC(ANY, ANY, ANY, ANY, ANY, ANY) },
		{ "*.*", SPEC(ANY, ANY, ANY, ANY, ANY, ANY) },
		{ "*.*.*.*.*.*", SPEC(ANY, ANY, ANY, ANY, ANY, ANY) },
		{ "xcc*", SPEC(ANY, ANY, ANY, ANY, ANY, ANY) },
		{ "xcc1-2", SPEC(R(1, 2), ANY, ANY, ANY, ANY, ANY) },
		{ "2", SPEC(ANY, R(2, 2), ANY, ANY, ANY, ANY) },
		{ "se1", SPEC(ANY, R(1, 1), ANY, ANY, ANY, ANY) },
		{ "wgp3", SPEC(ANY, ANY, ANY, R(3, 3), ANY, ANY) },
		{ "wave0", SPEC(ANY, ANY, ANY, ANY, ANY, R(0, 0)) },
		{ "sa1.wave2-4",
		  SPEC(ANY, ANY, R(1, 1), ANY, ANY, R(2, 4)) },
		{ "*.*.0-2", SPEC(ANY, ANY, ANY, R(0, 2), ANY, ANY) },
		{ "0.*.3.*.0-65535",
		  SPEC(ANY, R(0, 0), ANY, R(3, 3), ANY, ANY) },
		{ "se0-1.sa*.cu7",
		  SPEC(ANY, R(0, 1), ANY, R(7, 7), ANY, ANY) },
		{ "wgp2.1",
		  SPEC(ANY, ANY, ANY, R(2, 2), R(1, 1), ANY) },
		/* What is within one WGP has the name of one XCC. */
		{ "2.1.3", SPEC(R(0, 0), R(2, 2), R(1, 1), R(3, 3), ANY, ANY) },
		{ "xcc*.2.1.3", SPEC(ANY, R(2, 2), R(1, 1), R(3, 3), ANY, ANY) },
		{ "1.2.3.4.5.6",
		  SPEC(R(1, 1), R(2, 2), R(3, 3), R(4, 4), R(5, 5), R(6, 6)) },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct adbg_wave_spec spec;

		assert_int_equal(adbg_wave_spec_parse(cases[i].text, &spec,
						      NULL), 0);
		assert_memory_equal(&spec, &cases[i].spec, sizeof(spec));
	}
}

static void nonsense_is_refused_and_pointed_at(void **state)
{
	static const struct {
		const char *text;
		int error;
		size_t bad;
	} cases[] = {
		{ "", -EINVAL, 0 },
		{ ".", -EINVAL, 0 },
		{ "0.", -EINVAL, 2 },
		{ ".0", -EINVAL, 0 },
		{ "0..0", -EINVAL, 2 },
		{ "se", -EINVAL, 0 },
		{ "se0.", -EINVAL, 4 },
		{ "SE0", -EINVAL, 0 },
		{ "foo0", -EINVAL, 0 },
		{ "simdx", -EINVAL, 0 },
		{ "wavefront0", -EINVAL, 0 },
		{ "se0.sa0.wgp3.simd1.wave5.0", -EINVAL, 25 },
		{ "0.0.0.0.0.0.0", -EINVAL, 10 },
		{ "wave5.0", -EINVAL, 6 },
		{ "sa0.se0", -EINVAL, 4 },
		{ "se0.se0", -EINVAL, 4 },
		{ "sa0.sh0", -EINVAL, 4 },
		{ "se0.xcc0", -EINVAL, 4 },
		{ "5-2", -EINVAL, 0 },
		{ "0.5-", -EINVAL, 2 },
		{ "-5", -EINVAL, 0 },
		{ "1-2-3", -EINVAL, 0 },
		{ "1-*", -EINVAL, 0 },
		{ "*1", -EINVAL, 0 },
		{ "**", -EINVAL, 0 },
		{ "0x1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "se0,sa0", -EINVAL, 0 },
		{ "65536", -ERANGE, 0 },
		{ "0.0.0-65536", -ERANGE, 4 },
		{ "4294967296", -ERANGE, 0 },
		{ "se0.sa18446744073709551616", -ERANGE, 4 },
		{ "99999999999999999999999999999", -ERANGE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct adbg_wave_spec spec, before;
		size_t bad = 99;

		memset(&spec, 0x5a, sizeof(spec));
		before = spec;
		if (adbg_wave_spec_parse(cases[i].text, &spec, &bad) !=
		    cases[i].error || bad != cases[i].bad)
			fail_msg("'%s': bad at %zu", cases[i].text, bad);
		assert_memory_equal(&spec, &before, sizeof(spec));
		assert_int_equal(adbg_wave_spec_parse(cases[i].text, &spec,
						      NULL), cases[i].error);
	}
	assert_int_equal(adbg_wave_spec_parse(NULL, NULL, NULL), -EINVAL);
}

static bool matches(const char *text, struct amdgpudbg_wave_coord at)
{
	struct adbg_wave_spec spec;

	assert_int_equal(adbg_wave_spec_parse(text, &spec, NULL), 0);
	return adbg_wave_spec_match(&spec, &at);
}

static void filters_match_what_they_say(void **state)
{
	const struct amdgpudbg_wave_coord at = { 0, 1, 0, 3, 2, 7, 0 };
	const struct amdgpudbg_wave_coord far = { 1, 1, 0, 3, 2, 7, 0 };

	(void)state;
	assert_true(matches("*", at));
	assert_true(matches("*", far));
	assert_true(matches("1.0.3.2.7", at));
	assert_false(matches("1.0.3.2.7", far));
	assert_true(matches("1.1.0.3.2.7", far));
	assert_true(matches("wgp3", at));
	assert_true(matches("wgp0-3", at));
	assert_true(matches("wgp3-9", at));
	assert_false(matches("wgp0-2", at));
	assert_false(matches("wgp4-9", at));
	assert_false(matches("se0", at));
	assert_false(matches("sa1", at));
	assert_false(matches("simd1", at));
	assert_false(matches("wave6", at));
	assert_true(matches("*.*.*.*.7", at));
}

/* The numbers are those of HSA_DBG_WAVEMODE. */
static void the_mode_of_a_filter_is_returned(void **state)
{
	enum { ONE = 0, EVERY = 2, WGP = 3, NONE = -ENOENT };
	static const struct {
		const char *text;
		int mode;
		struct amdgpudbg_wave_coord at;
	} cases[] = {
		{ "se0.sa1.wgp3", WGP, { 0, 0, 1, 3, 0, 0, 0 } },
		{ "0.1.3", WGP, { 0, 0, 1, 3, 0, 0, 0 } },
		{ "0.1.3.*", WGP, { 0, 0, 1, 3, 0, 0, 0 } },
		{ "0.1.3.*.*", WGP, { 0, 0, 1, 3, 0, 0, 0 } },
		{ "xcc0.se0.sa1.wgp3", WGP, { 0, 0, 1, 3, 0, 0, 0 } },
		{ "2.0.1.3.*.*", WGP, { 2, 0, 1, 3, 0, 0, 0 } },
		{ "0.1.3.0.0", ONE, { 0, 0, 1, 3, 0, 0, 0 } },
		{ "0.1.3.1.7", ONE, { 0, 0, 1, 3, 1, 7, 0 } },
		{ "*", EVERY, { 0, 0, 0, 0, 0, 0, 0 } },
		{ "*.*.*.*.*.*", EVERY, { 0, 0, 0, 0, 0, 0, 0 } },
		{ "*.*", EVERY, { 0, 0, 0, 0, 0, 0, 0 } },
		{ "xcc0", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "xcc*.se0", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "wgp3", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "0.1", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "0.1.2-3", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "0.1.3.0", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "0.1.3.*.0", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "0.1.3.0-3.*", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "*.1.3", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
		{ "*.*.*.*.*.0", NONE, { 9, 9, 9, 9, 9, 9, 9 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct amdgpudbg_wave_coord at = { 9, 9, 9, 9, 9, 9, 9 };
		struct adbg_wave_spec spec;

		assert_int_equal(adbg_wave_spec_parse(cases[i].text, &spec,
						      NULL), 0);
		if (adbg_wave_spec_mode(&spec, &at) != cases[i].mode ||
		    memcmp(&at, &cases[i].at, sizeof(at)))
			fail_msg("%s", cases[i].text);
		assert_int_equal(adbg_wave_spec_mode(&spec, NULL),
				 cases[i].mode);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_printed),
		cmocka_unit_test(each_name_is_a_filter_for_its_slot_alone),
		cmocka_unit_test(one_slot_has_many_spellings),
		cmocka_unit_test(filters_are_read),
		cmocka_unit_test(nonsense_is_refused_and_pointed_at),
		cmocka_unit_test(filters_match_what_they_say),
		cmocka_unit_test(the_mode_of_a_filter_is_returned),
	};

	return cmocka_run_group_tests_name("lib_wave_name", tests, NULL, NULL);
}
