// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/eval_condition.c and inspect/condition.c: conditions that the host decides. The
 * variables of vars.cl are in simulated private memory, with other values in each lane; in which
 * lanes a condition is true comes from the compiler of this file.
 */
#include "debug/util.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include <amdgpudbg-debug-condition.h>
#include <amdgpudbg-debug-value.h>

#include "vars.h"

#pragma GCC diagnostic ignored "-Wparentheses"

#define VARS	DEBUG_CO "vars_O0.co"

/* In this lane, what @at points to cannot be read. */
#define BAD_LANE	5

static int ints[NUM_INTS];
static const int *at = ints;
static int x, n, i, array[4];
static unsigned int u;
static float f;
static record_t r;

static const struct served {
	const char *name;
	void *bytes;
	size_t size;
} served[] = {
#define SERVED(name) { #name, (void *)&name, sizeof(name) }
	SERVED(at), SERVED(x), SERVED(n), SERVED(i), SERVED(u), SERVED(f), SERVED(array), SERVED(r),
};

static struct adbgd_code *code;
static struct adbgd_variables *variables;
static uint64_t places[ARRAY_SIZE(served)];	/* in private memory */
static uint64_t exec;
static unsigned int num_read;
static bool is_interrupted;

/* The values in a lane, as the kernel computes them with other lanes and numbers */
static void choose(uint32_t lane)
{
	i = lane;
	x = (int)lane * 7 - 40;
	n = 4;
	u = lane * 2654435761u;
	f = x * 0.5f;
	at = ints + lane;
	for (int j = 0; j < 4; j++)
		array[j] = x + j;
	r = (record_t){ .first = { x + 1, f }, .wide = u & 0x7ff };
}

/* v3 is the number of the lane, s5 is 42. Private memory begins at 0. */
static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	if (space == ADBGD_REG_EXEC)
		*value = exec >> 32 * number;
	else if (space == ADBGD_REG_GROUP)
		*value = number;
	else
		*value = space == AMDGPUDBG_REG_VGPR ? lane * number / 3 :
			 number == 5 ? 42 : 0;
	return 0;
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	(void)data;
	num_read++;
	if (is_interrupted)
		return -EINTR;
	choose(lane);
	if (space == ADBGD_SPACE_GLOBAL) {
		uint64_t offset = address - (uintptr_t)ints;

		if (lane == BAD_LANE || size > sizeof(ints) || offset > sizeof(ints) - size)
			return -EFAULT;
		memcpy(buffer, (const char *)ints + offset, size);
		return 0;
	}
	for (size_t j = 0; j < ARRAY_SIZE(served); j++) {
		uint64_t offset = address - places[j];

		if (offset > served[j].size || size > served[j].size - offset)
			continue;
		memcpy(buffer, (const char *)served[j].bytes + offset, size);
		return 0;
	}
	return -EFAULT;
}

static struct adbgd_context context = {
	.read_register = read_register, .read_memory = read_memory, .lanes = 32,
};

static int set_up(void **state)
{
	uint32_t number = line_of("tests/unit/debug/code/vars.cl", "total += mix(");
	struct adbgd_location location;
	struct adbgd_error error;
	struct adbgd_line found;
	size_t count;

	(void)state;
	code = open_code(VARS);
	if (adbgd_line_find(code, "vars.cl", number, &found, 1, &count, &error) ||
	    adbgd_variables_new(code, found.address, &variables, &error))
		return -1;
	for (size_t j = 0; j < ARRAY_SIZE(served); j++) {
		if (adbgd_variable_locate(variables,
					  adbgd_variables_find(variables, served[j].name),
					  &context, &location, &error) ||
		    location.pieces[0].space != ADBGD_SPACE_PRIVATE)
			return -1;
		places[j] = location.pieces[0].address;
	}
	for (int j = 0; j < NUM_INTS; j++)
		ints[j] = j * j;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	adbgd_variables_free(variables);
	adbgd_code_free(code);
	return 0;
}

/* --------------------------------------------------------------------------- lanes */

static uint64_t lanes_of(const struct adbgd_condition *condition, const char *expression)
{
	struct adbgd_error error;
	uint64_t lanes;

	if (adbgd_condition_find_lanes(condition, variables, expression, &context, &lanes, &error))
		fail_msg("%s: %s", expression, error.text);
	return lanes;
}

/* Is the expression true in the same lanes for the library as for the compiler? */
#define SAME(condition, gpu, ...) do { \
	uint64_t wanted = 0; \
	for (uint32_t l = 0; l < context.lanes; l++) { \
		choose(l); \
		if (exec >> l & 1 && (gpu) && (__VA_ARGS__)) \
			wanted |= 1ULL << l; \
	} \
	if (lanes_of(condition, #__VA_ARGS__) != wanted) \
		fail_msg("%s: not in the lanes %#llx", #__VA_ARGS__, \
			 (unsigned long long)wanted); \
} while (0)

static void same_lanes(void)
{
	SAME(NULL, true, x > 3);
	SAME(NULL, true, x > 3 && i < 20);
	SAME(NULL, true, x < -20 || x > 100);
	SAME(NULL, true, array[i & 3] == x + 2);
	SAME(NULL, true, r.first.a % 5 == 0 && r.wide > 600);
	SAME(NULL, true, f * 3 > 10.5);
	SAME(NULL, true, (u & 0xff) == 0x11 * (i & 15));
	SAME(NULL, true, *array);
	SAME(NULL, true, i == 31);
	SAME(NULL, true, i == 100);
	SAME(NULL, true, f);
	SAME(NULL, true, x == 'a' - 60);
	SAME(NULL, true, array[0] > ' ' && array[1] < 'z');
	SAME(NULL, true, i == '\n' || i == '\0' || i == '\x1f' || i == '\036');
	SAME(NULL, true, x + '\xff' == 1 || x + '\377' == 8);
	SAME(NULL, true, x == '\'' || x == '"' || x == '\\' || x == '(' - 12 || x == '&' - 24);
	SAME(NULL, true, sizeof('a') == 4 && x > 'A' && 'A' > 64);
}

static void conditions_are_true_where_c_says(void **state)
{
	(void)state;
	context.lanes = 32;
	exec = 0xffffffff;
	same_lanes();
	exec = 0x80f0aa01;
	same_lanes();
	context.lanes = 64;
	exec = ~0ULL;
	same_lanes();
	exec = 0xf000000000000001;
	same_lanes();
	context.lanes = 32;
}

static void only_active_lanes_count(void **state)
{
	(void)state;
	exec = 0xffffffff;
	assert_true(lanes_of(NULL, "i == 31") == 1ULL << 31);
	exec = 0x7fffffff;
	assert_true(!lanes_of(NULL, "i == 31"));
	exec = 0;
	assert_true(!lanes_of(NULL, "1"));
}

/* x > 100 is true in lanes from 21 on, i < 8 in others: no lane has both. */
static void all_terms_must_be_true_in_one_lane(void **state)
{
	const struct adbgd_condition small = {
		.relation = ADBGD_RELATION_LESS, .space = AMDGPUDBG_REG_VGPR, .reg = 3, .value = 8,
	};

	(void)state;
	exec = 0xffffffff;
	assert_true(lanes_of(NULL, "x > 100") && lanes_of(NULL, "i < 8"));
	assert_true(!lanes_of(NULL, "x > 100 && i < 8"));
	assert_true(lanes_of(&small, NULL) == 0xff);
	assert_true(!lanes_of(&small, "x > 100"));
	SAME(&small, i < 8, x > -20);
}

static void the_gpus_part_is_true_in_the_same_lane(void **state)
{
	struct adbgd_condition c = {
		.relation = ADBGD_RELATION_GREATER_SIGNED, .space = AMDGPUDBG_REG_VGPR, .reg = 3,
		.value = 9, .lanes = 0xffff,
		.more = { { ADBGD_RELATION_NOT_EQUAL, AMDGPUDBG_REG_VGPR, 3, 12 },
			  { ADBGD_RELATION_EQUAL, AMDGPUDBG_REG_SGPR, 5, 42 } },
	};

	(void)state;
	exec = 0xffffffff;
	SAME(&c, i > 9 && i != 12 && i < 16, x % 2 == 0);
	c.more[1].value = 43;
	assert_true(!lanes_of(&c, "1"));
	c = (struct adbgd_condition){ .flags = ADBGD_CONDITION_GROUP, .group = { 0, 1, 2 } };
	assert_true(lanes_of(&c, "i == 3") == 8);
	c.group[2] = 1;
	assert_true(!lanes_of(&c, "i == 3"));
}

/* Where the comparison is false, nothing is read. */
static void the_gpus_part_guards_the_rest(void **state)
{
	const struct adbgd_condition other = {
		.relation = ADBGD_RELATION_NOT_EQUAL, .space = AMDGPUDBG_REG_VGPR, .reg = 3,
		.value = BAD_LANE,
	};

	(void)state;
	exec = 0xffffffff;
	SAME(&other, i != BAD_LANE, *at > 900);
	num_read = 0;
	exec = 1ULL << BAD_LANE;
	assert_true(!lanes_of(&other, "*at > 3"));
	assert_int_equal(num_read, 0);
}

static void what_cannot_be_evaluated_is_an_error_unless_it_is_true_elsewhere(void **state)
{
	struct adbgd_error error;
	uint64_t lanes;

	(void)state;
	exec = 0xffffffff;
	assert_true(lanes_of(NULL, "*at == 36") == 1 << 6);
	assert_true(adbgd_condition_find_lanes(NULL, variables, "*at == 3", &context, &lanes,
					       &error) == -EFAULT);
	assert_non_null(strstr(error.text, "lane 5: "));
	assert_non_null(strstr(error.text, "cannot be read"));
	assert_int_equal(adbgd_condition_find_lanes(NULL, variables, "1 / (x - x)", &context,
						    &lanes, &error), -EINVAL);
	is_interrupted = true;
	assert_int_equal(adbgd_condition_find_lanes(NULL, variables, "x > 3", &context, &lanes,
						    &error), -EINTR);
	is_interrupted = false;
}

/* ------------------------------------------------------------------- terms, checks */

static void has_terms(const char *expression, const char *wanted)
{
	char all[256] = "";
	const char *term;
	size_t length;

	for (size_t j = 0; (term = adbgd_expression_get_term(expression, j, &length)); j++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "[%.*s]", (int)length, term);
	assert_string_equal(all, wanted);
}

static void terms_are_what_and_combines(void **state)
{
	(void)state;
	has_terms("x > 3", "[x > 3]");
	has_terms(" x > 3&&  y ", "[x > 3][y]");
	has_terms("a && b && c", "[a][b][c]");
	has_terms("(a && b) && c[d && e] > 1", "[(a && b)][c[d && e] > 1]");
	has_terms("a && b || c", "[a && b || c]");
	has_terms("(a || b) && c", "[(a || b)][c]");
	has_terms("a & b && c", "[a & b][c]");
	has_terms("a == '&' && b == '(' && c == '\\''", "[a == '&'][b == '('][c == '\\'']");
	has_terms("a == '\"' && b == '|'", "[a == '\"'][b == '|']");
	has_terms("&& a &&", "[][a][]");
	has_terms("", "[]");
}

static void is_refused(const char *expression, int ret, const char *words)
{
	struct adbgd_error error = { .text = "" };

	assert_int_equal(adbgd_expression_check(variables, expression, NULL, &error), ret);
	if (!strstr(error.text, words))
		fail_msg("%s: \"%s\" is not in \"%s\"", expression, words, error.text);
}

/* Nothing is read for it. */
static void conditions_are_checked_without_a_wave(void **state)
{
	static const char *const good[] = {
		"x > 3", "at[i] == 4", "r.first.b < 1.5", "(u & 3) == 2 || odd", "at && *at", "$v3",
		"1 / x", "array[x]", "at == 0", "*at && at[1] && $exec", "colour", "(float)x < f",
		"x << (u - 40)", "1 % (x - 1)", "*array@x",
	};
	struct adbgd_error error;

	(void)state;
	num_read = 0;
	for (size_t j = 0; j < ARRAY_SIZE(good); j++)
		if (adbgd_expression_check(variables, good[j], NULL, &error))
			fail_msg("%s: %s", good[j], error.text);
	assert_int_equal(num_read, 0);
	is_refused("x >", -EINVAL, "a name or a number is expected");
	is_refused("x == ''", -EINVAL, "one character in ' is expected");
	is_refused("x == 'ab'", -EINVAL, "one character in ' is expected");
	is_refused("x == '\\q'", -EINVAL, "one character in ' is expected");
	is_refused("x == '\\x100'", -EINVAL, "one character in ' is expected");
	is_refused("x == 'a", -EINVAL, "a ' is missing");
	is_refused("x == \"a\"", -EINVAL, "expressions have no strings");
	is_refused("x = 3", -EINVAL, "an operator is expected");
	is_refused("nothing > 3", -ENOENT, "there is no variable 'nothing'");
	is_refused("x > 3 && nothing", -ENOENT, "there is no variable 'nothing'");
	is_refused("x > 3 && r.nothing", -ENOENT, "no member nothing");
	is_refused("r.first.a || r.nothing", -ENOENT, "no member nothing");
	/* The types are wrong, whatever the values are. */
	is_refused("f % 2", -EINVAL, "");
	is_refused("x << f", -EINVAL, "");
	is_refused("f & 1", -EINVAL, "");
	is_refused("r", -EINVAL, "is not a number");
	is_refused("x > 3 && p", -EINVAL, "is not a number");
	is_refused("$nothing", -EINVAL, "there is no register or pseudo variable '$nothing'");
	assert_int_equal(adbgd_expression_check(NULL, "$v3 > 1", NULL, &error), 0);
	assert_int_equal(adbgd_expression_check(NULL, "x > 1", NULL, &error), -ENOENT);
}

/* ------------------------------------------------------------------- values after $ */

static int limit = 20;

/* $limit is limit; $1 is three times the lane, from lane 4 on. */
static int find_value(void *data, const char *name, uint32_t lane, const struct adbgd_value **found,
		      struct adbgd_error *error)
{
	static const struct adbgd_type type = {
		.name = "int", .size = 4, .kind = ADBGD_TYPE_SIGNED, .flags = ADBGD_TYPE_IS_SIGNED,
	};
	struct adbgd_value **kept = data;
	int number = *name == '1' ? 3 * (int)lane : limit;

	if (strcmp(name, "limit") && (strcmp(name, "1") || lane < 4)) {
		snprintf(error->text, sizeof(error->text), "there is no $%s", name);
		return error->error = -EINVAL;
	}
	adbgd_value_free(*kept);
	assert_int_equal(adbgd_value_new_bytes(&type, &number, kept, NULL), 0);
	*found = *kept;
	return 0;
}

static void values_are_asked_for_at_each_decision(void **state)
{
	struct adbgd_value *kept = NULL;
	const struct adbgd_value_names names = { .find = find_value, .data = &kept };
	struct adbgd_error error = { .text = "" };

	(void)state;
	exec = 0xffffffff;
	context.names = &names;
	assert_true(lanes_of(NULL, "i > $limit") == 0xffe00000);
	limit = 30;
	assert_true(lanes_of(NULL, "i > $limit") == 0x80000000);
	assert_true(lanes_of(NULL, "x == $1 + 4 * $v3 - 40 && i >= 4") == 0xfffffff0);
	context.names = NULL;
	assert_int_equal(adbgd_expression_check(variables, "i > $limit", &names, &error), 0);
	/* A value of one lane suffices. */
	assert_int_equal(adbgd_expression_check(variables, "i > $1", &names, &error), 0);
	assert_int_equal(adbgd_expression_check(variables, "i > $2", &names, &error), -EINVAL);
	assert_string_equal(error.text, "there is no $2");
	assert_int_equal(adbgd_expression_check(variables, "i > $n", &names, &error), -EINVAL);
	is_refused("i > $limit", -EINVAL, "there is no register or pseudo variable '$limit'");
	is_refused("i > $1", -EINVAL, "there is no history of values");
	adbgd_value_free(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_true_where_c_says),
		cmocka_unit_test(only_active_lanes_count),
		cmocka_unit_test(all_terms_must_be_true_in_one_lane),
		cmocka_unit_test(the_gpus_part_is_true_in_the_same_lane),
		cmocka_unit_test(the_gpus_part_guards_the_rest),
		cmocka_unit_test(what_cannot_be_evaluated_is_an_error_unless_it_is_true_elsewhere),
		cmocka_unit_test(terms_are_what_and_combines),
		cmocka_unit_test(conditions_are_checked_without_a_wave),
		cmocka_unit_test(values_are_asked_for_at_each_decision),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
