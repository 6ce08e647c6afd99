// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl top: maps, the list of the hottest PCs and pictures, on waves that are made up here; and
 * which ioctls a sample makes. transcripts/top.txt has what it prints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"
#include "top/svg.h"

static struct run r;

/* Navi 21, and a small GPU with as many slots as fit into 80 columns */
static const struct amdgpudbg_info large = {
	.num_xcc = 1, .num_se = 4, .num_sa = 2, .num_wgp = 5, .num_simd = 4, .num_wave = 16,
};

static const struct amdgpudbg_info small = {
	.num_xcc = 1, .num_se = 1, .num_sa = 1, .num_wgp = 4, .num_simd = 4, .num_wave = 16,
};

/* -------------------------------------------------------------------------- maps */

static void each_slot_has_a_number_and_its_coordinates(void **state)
{
	struct amdgpudbg_wave_coord last = { .se = 3, .sa = 1, .wgp = 4, .simd = 3, .wave = 15 };
	struct amdgpudbg_wave_coord at;
	struct map map;

	(void)state;
	assert_true(map_init(&map, &large));
	assert_int_equal(map.num_slots, 2560);
	for (size_t i = 0; i < map.num_slots; i++) {
		at = map_coord(&map, i);
		assert_int_equal(map_slot(&map, &at), i);
	}
	assert_int_equal(map_slot(&map, &last), 2559);
	last.wave = 16;
	assert_int_equal(map_slot(&map, &last), -1);
	map_free(&map);
}

static void a_gpu_without_or_with_too_many_slots_is_refused(void **state)
{
	struct amdgpudbg_info info = large;
	struct map map;

	(void)state;
	info.num_simd = 0;
	assert_false(map_init(&map, &info));
	info.num_simd = UINT32_MAX;
	info.num_wave = UINT32_MAX;
	assert_false(map_init(&map, &info));
}

static void waves_are_counted_by_state_and_others_are_ignored(void **state)
{
	struct amdgpudbg_wave_coord at = { .wgp = 3, .simd = 2, .wave = 7 };
	struct amdgpudbg_wave_coord none = { .wgp = 4 };
	struct map map;

	(void)state;
	assert_true(map_init(&map, &small));
	map_set(&map, &at, MAP_BARRIER, 5);
	map_set(&map, &none, MAP_BARRIER, 6);
	assert_int_equal(map.counts[MAP_BARRIER], 1);
	assert_int_equal(map.counts[MAP_FREE], 255);
	assert_int_equal(map.indexes[map_slot(&map, &at)], 5);
	/* The same slot again */
	map_set(&map, &at, MAP_RUNNING, 1);
	assert_int_equal(map.counts[MAP_BARRIER], 0);
	assert_int_equal(map.counts[MAP_RUNNING], 1);
	map_clear(&map);
	assert_int_equal(map.counts[MAP_FREE], 256);
	map_free(&map);
}

static void states_are_those_of_the_flags(void **state)
{
	static const struct {
		uint32_t flags;
		bool waits;
		enum map_state state;
	} cases[] = {
		{ 0, false, MAP_RUNNING },
		{ 0, true, MAP_WAITING },
		{ AMDGPUDBG_WAVE_BARRIER, true, MAP_BARRIER },
		{ AMDGPUDBG_WAVE_BARRIER | AMDGPUDBG_WAVE_HALTED, true, MAP_HALTED },
		{ AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_FATAL_HALT, false, MAP_FATAL },
		{ AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV, false, MAP_HANDLER },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct amdgpudbg_wave wave = { .flags = cases[i].flags };

		assert_int_equal(map_state_of(&wave, cases[i].waits), cases[i].state);
	}
}

static void each_state_has_a_letter_and_a_colour_of_its_own(void **state)
{
	(void)state;
	for (enum map_state a = 0; a < MAP_NUM_STATES; a++) {
		for (enum map_state b = 0; b < a; b++) {
			assert_int_not_equal(map_letter(a), map_letter(b));
			assert_string_not_equal(map_colour(a), map_colour(b));
			assert_string_not_equal(map_state_name(a), map_state_name(b));
		}
	}
}

/* No two slots have the same place, no row is wider than it may be, and none is lost. */
static void check_layout(const struct amdgpudbg_info *info, uint32_t width, uint32_t simds,
			 size_t rows)
{
	struct map_layout layout;
	struct map map;
	uint8_t *seen;
	size_t place;

	assert_true(map_init(&map, info));
	layout = map_divide(&map, width);
	assert_int_equal(layout.simds, simds);
	assert_int_equal(layout.num_rows, rows);
	seen = calloc(rows, 256);
	assert_non_null(seen);
	for (size_t i = 0; i < map.num_slots; i++) {
		size_t row = map_row_of(&map, &layout, i);
		uint32_t column = map_column_of(&map, &layout, i);

		assert_true(row < rows && column >= layout.label && column < 256);
		assert_true(column < width || simds == 1);
		place = row * 256 + column;
		assert_false(seen[place]);
		seen[place] = 1;
		assert_true(map_first_slot(&map, &layout, row) <= i);
		assert_true(i - map_first_slot(&map, &layout, row) <
			    map_slots_of_row(&map, &layout));
	}
	free(seen);
	map_free(&map);
}

static void layouts_fit_the_width(void **state)
{
	struct amdgpudbg_info info = small;

	(void)state;
	/* "se0.sa0.wgp0 " and four SIMDs are 80 columns. */
	check_layout(&small, 80, 4, 4);
	check_layout(&large, 80, 4, 40);
	check_layout(&small, 200, 4, 4);
	check_layout(&small, 79, 2, 8);
	check_layout(&small, 46, 2, 8);
	check_layout(&small, 45, 1, 16);
	check_layout(&small, 10, 1, 16);
	info.num_wave = 20;
	check_layout(&info, 80, 2, 8);
	info.num_simd = 3;
	check_layout(&info, 60, 1, 12);
}

/* --------------------------------------------------------------------------- PCs */

static void shares_are_those_of_the_samples(void **state)
{
	const struct hot_entry *list[4];
	struct hot hot;

	(void)state;
	hot_init(&hot);
	hot_begin(&hot);
	hot_add(&hot, 0, 1, 0x1000, true);
	hot_add(&hot, 0, 1, 0x1000, true);
	hot_add(&hot, 0, 1, 0x1000, true);
	hot_add(&hot, 0, 2, 0x1000, true);
	hot_add(&hot, 0, 2, 0x2000, false);
	assert_int_equal(hot_sort(&hot, HOT_BY_SHARE, list, ARRAY_SIZE(list)), 3);
	assert_int_equal(list[0]->pasid, 1);
	assert_int_equal(list[0]->waves, 3);
	assert_true(hot_share(&hot, list[0]) == 75);
	assert_true(hot_share(&hot, list[1]) == 25);
	/* It is halted. */
	assert_int_equal(list[2]->pc, 0x2000);
	assert_true(hot_share(&hot, list[2]) == 0);
	assert_int_equal(hot_sort(&hot, HOT_BY_SHARE, list, 1), 1);
	hot_free(&hot);
}

static void old_samples_lose_weight_and_disappear(void **state)
{
	const struct hot_entry *list[2];
	struct hot hot;
	double weight;

	(void)state;
	hot_init(&hot);
	hot_begin(&hot);
	hot_add(&hot, 0, 1, 0x1000, true);
	for (int i = 0; i < HOT_HALF_LIFE; i++)
		hot_begin(&hot);
	assert_int_equal(hot_sort(&hot, HOT_BY_SHARE, list, 2), 1);
	weight = list[0]->weight;
	assert_true(weight > 0.499999 && weight < 0.500001);
	assert_int_equal(list[0]->samples, 1);
	assert_int_equal(list[0]->waves, 0);
	/* The newer one counts twice as much. */
	hot_add(&hot, 0, 1, 0x2000, true);
	assert_int_equal(hot_sort(&hot, HOT_BY_SHARE, list, 2), 2);
	assert_int_equal(list[0]->pc, 0x2000);
	for (int i = 0; i < 7 * HOT_HALF_LIFE; i++)
		hot_begin(&hot);
	assert_int_equal(hot_sort(&hot, HOT_BY_SHARE, list, 2), 0);
	hot_free(&hot);
}

static void memory_is_bounded_and_the_hottest_stay(void **state)
{
	const struct hot_entry *list[1];
	struct hot_entry *entry;
	struct hot hot;

	(void)state;
	hot_init(&hot);
	hot_begin(&hot);
	hot_add(&hot, 0, 1, 0x100, true);
	for (uint64_t i = 0; i < 3 * HOT_MAX; i++) {
		entry = hot_add(&hot, 0, 1, 0x1000 + 4 * i, true);
		assert_int_equal(entry->pc, 0x1000 + 4 * i);
		assert_null(entry->name.instruction);
		entry->name.instruction = strdup("s_nop 0");
		hot_add(&hot, 0, 1, 0x100, true);
	}
	assert_int_equal(hot.num, HOT_MAX);
	assert_int_equal(hot_sort(&hot, HOT_BY_SHARE, list, 1), 1);
	assert_int_equal(list[0]->pc, 0x100);
	hot_free(&hot);
}

static void the_list_has_four_orders(void **state)
{
	const struct hot_entry *list[3];
	struct hot hot;

	(void)state;
	hot_init(&hot);
	hot_begin(&hot);
	hot_add(&hot, 0, 7, 0x3000, true);
	hot_add(&hot, 0, 7, 0x3000, true);
	hot_begin(&hot);
	hot_add(&hot, 0, 7, 0x2000, true)->name.pid = 30;
	hot_add(&hot, 0, 8, 0x1000, true)->name.pid = 20;
	hot_add(&hot, 0, 8, 0x1000, false);
	hot_sort(&hot, HOT_BY_SHARE, list, 3);
	assert_int_equal(list[0]->pc, 0x3000);
	hot_sort(&hot, HOT_BY_WAVES, list, 3);
	assert_int_equal(list[0]->pc, 0x1000);
	assert_int_equal(list[2]->pc, 0x3000);
	hot_sort(&hot, HOT_BY_PC, list, 3);
	assert_int_equal(list[0]->pc, 0x1000);
	assert_int_equal(list[1]->pc, 0x2000);
	hot_sort(&hot, HOT_BY_PROCESS, list, 3);
	assert_int_equal(list[0]->pc, 0x3000);
	assert_int_equal(list[1]->pc, 0x1000);
	hot_free(&hot);
}

/* ----------------------------------------------------------------------- pictures */

static char *draw(struct map *map, const char *title, const char *name)
{
	struct svg_gpu gpu = { .title = title, .map = map };
	char *text = NULL;
	struct hot hot;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	hot_init(&hot);
	hot_begin(&hot);
	hot_add(&hot, 0, 1, 0x1000, true)->name = (struct hot_name){
		.pid = 12, .program = strdup(name), .place = strdup(name),
		.instruction = strdup("s_nop 0"),
	};
	svg_write(f, &gpu, 1, &hot);
	fclose(f);
	hot_free(&hot);
	return text;
}

static size_t count_of(const char *text, const char *part)
{
	size_t num = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part))
		num++;
	return num;
}

static void a_picture_has_all_slots_and_its_waves(void **state)
{
	struct amdgpudbg_wave_coord at = { .wgp = 3, .simd = 1, .wave = 5 };
	struct map map;
	char *text;

	(void)state;
	assert_true(map_init(&map, &small));
	map_set(&map, &at, MAP_HALTED, 0);
	text = draw(&map, "GPU 0: Van Gogh", "shader");
	assert_non_null(strstr(text, " version=\"1.1\""));
	assert_int_equal(count_of(text, "fill=\"#e8e8e8\"/>"), 255);
	assert_int_equal(count_of(text, "<title>se0.sa0.wgp3.simd1.wave5 halted</title>"), 1);
	assert_int_equal(count_of(text, ">se0.sa0.wgp"), 5);
	assert_int_equal(count_of(text, "class=\"l\">H</text>"), 1);
	assert_non_null(strstr(text, "100.0 %  1 waves  12 shader  0x0000000000001000  s_nop 0"));
	free(text);
	map_free(&map);
}

/* Is @text an XML document? By libxml2's program, if it is there */
static void check_xml(const char *text)
{
	FILE *f;

	if (system("command -v xmllint >/dev/null"))
		return;
	f = popen("xmllint --nonet --noout -", "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(pclose(f), 0);
}

static void names_in_a_picture_are_escaped(void **state)
{
	struct map map;
	char *text;

	(void)state;
	assert_true(map_init(&map, &small));
	text = draw(&map, "<script>\"&'", "</text>\x1b[2J\x01\xff\xef\xbf\xbf]]>&amp;");
	assert_non_null(strstr(text, "&lt;script&gt;&quot;&amp;&#39;"));
	assert_non_null(strstr(text, "&lt;/text&gt;\\x1b[2J\\x01\\xff?]]&gt;&amp;amp;"));
	assert_null(strchr(text, '\x1b'));
	check_xml(text);
	free(text);
	map_free(&map);
}

static void a_picture_of_a_large_gpu_is_xml(void **state)
{
	struct map map;
	char *text;

	(void)state;
	assert_true(map_init(&map, &large));
	text = draw(&map, "GPU 0: Navi 21", "caf\xc3\xa9");
	assert_int_equal(count_of(text, "<rect "), 2560 + MAP_NUM_STATES - 1 + 1);
	check_xml(text);
	free(text);
	map_free(&map);
}

/* ------------------------------------------------------------------------ samples */

/* The PC and the state of each wave, and nothing more */
static void reads_four_registers(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	assert_true(list->hw_want == AMDGPUDBG_HW_WANT_PC);
	assert_int_equal(list->flags, AMDGPUDBG_WAVE_LIST_PID);
	assert_int_equal(list->select.wave_flags_mask, 0);
}

static void a_sample_is_one_list_that_halts_nothing(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, MOCK_GET_INFO, LIST_WAVES(reads_four_registers, 4),
		LIST_WAVES(reads_four_registers, 4), LIST_WAVES(reads_four_registers, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "top --once --count 3 --delay 0.001"), 0);
	contains(r.out, "R running: 0, W waiting: 0,");
	contains(r.out, "2        0      -");
}

static void a_picture_replaces_a_file_and_is_private(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, MOCK_GET_INFO, LIST_WAVES(reads_four_registers, 4),
	};
	char file[] = "/tmp/test_wavectl_top.XXXXXX", args[128];
	int fd = mkstemp(file);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(args, sizeof(args), "top --svg %s", file);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, args), 0);
	contains(r.out, "wrote a picture of the map to /tmp/test_wavectl_top.");
	lacks(r.out, "SHARE");
	unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_slot_has_a_number_and_its_coordinates),
		cmocka_unit_test(a_gpu_without_or_with_too_many_slots_is_refused),
		cmocka_unit_test(waves_are_counted_by_state_and_others_are_ignored),
		cmocka_unit_test(states_are_those_of_the_flags),
		cmocka_unit_test(each_state_has_a_letter_and_a_colour_of_its_own),
		cmocka_unit_test(layouts_fit_the_width),
		cmocka_unit_test(shares_are_those_of_the_samples),
		cmocka_unit_test(old_samples_lose_weight_and_disappear),
		cmocka_unit_test(memory_is_bounded_and_the_hottest_stay),
		cmocka_unit_test(the_list_has_four_orders),
		cmocka_unit_test(a_picture_has_all_slots_and_its_waves),
		cmocka_unit_test(names_in_a_picture_are_escaped),
		cmocka_unit_test(a_picture_of_a_large_gpu_is_xml),
		RUN_TEST(a_sample_is_one_list_that_halts_nothing),
		RUN_TEST(a_picture_replaces_a_file_and_is_private),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
