// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/eval_name.c: registers and pseudo variables in expressions, without debug
 * information.
 */
#include "debug/util.h"

#include <errno.h>

#include <amdgpudbg-debug-value.h>

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	*value = space * 0x100000 + number * 0x100 + lane;
	return 0;
}

static const struct adbgd_context context = {
	.read_register = read_register, .lanes = 32, .lane = 7,
};

static void evaluates(const char *expression, size_t size, const char *wanted)
{
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[64];

	if (adbgd_value_eval(NULL, expression, &context, &value, &error))
		fail_msg("%s: %s", expression, error.text);
	adbgd_value_text(value, 0, text, sizeof(text));
	if (strcmp(text, wanted) || adbgd_value_get_type(value)->size != size)
		fail_msg("%s is %s, and not %s", expression, text, wanted);
	adbgd_value_free(value);
}

static void fails(const char *expression, int ret, const char *words)
{
	struct adbgd_value *value = NULL;
	struct adbgd_error error;

	assert_int_equal(adbgd_value_eval(NULL, expression, &context, &value, &error), ret);
	if (!strstr(error.text, words))
		fail_msg("%s: \"%s\" is not in \"%s\"", expression, words, error.text);
	assert_null(value);
}

/*
 * read_register() gives space << 20 | number << 8 | lane. The spaces: EXEC 0x100, M0 0x101, SCC
 * 0x102, PC 0x104, WAVE 0x105, GROUP 0x106, ITEM 0x107; the lane is 7.
 */
static void pseudo_variables_are_unsigned(void **state)
{
	(void)state;
	/* 0x1040010710400007 */
	evaluates("$pc", 8, "1170937032965357575");
	evaluates("$pc - 0x1040010710400000", 8, "7");
	evaluates("$m0", 4, "269484039");	/* 0x10100007 */
	evaluates("$scc", 4, "270532615");	/* 0x10200007 */
	evaluates("$wave", 4, "273678343");	/* 0x10500007 */
	evaluates("$group", 4, "274726919");	/* 0x10600007 */
	evaluates("$group_z - $group_y", 4, "256");
	evaluates("$item", 4, "275775495");	/* 0x10700007 */
	evaluates("$lane", 4, "7");
	evaluates("$lane - 8", 4, "4294967295");
	evaluates("$lane == 7 && $scc > 1", 4, "1");
	evaluates("(float)$lane / 2", 4, "3.5");
	evaluates("(local int *)$lane", 4, "(int *) local#0x7");
	fails("$group.x", -ENOENT, "");
	fails("$groups", -EINVAL, "known are $pc, $exec, $exec_lo, $exec_hi, $vcc, $vcc_lo, "
	      "$vcc_hi, $scc, $m0, $lane, $wave, $group, $group_y, $group_z, $item, $v0 to $v255, $s0 to $s105");
	fails("0 && $pcc", -EINVAL, "there is no register or pseudo variable '$pcc'");
}

/* A wave of 32 lanes has 32 of its bits. */
static void exec_has_one_bit_per_lane(void **state)
{
	struct adbgd_context wave64 = context;
	struct adbgd_value *value;
	struct adbgd_error error;
	uint64_t bits;

	(void)state;
	evaluates("$exec", 4, "268435463");	/* 0x10000007 */
	evaluates("~$exec", 4, "4026531832");
	wave64.lanes = 64;
	assert_int_equal(adbgd_value_eval(NULL, "$exec", &wave64, &value, &error), 0);
	assert_int_equal(adbgd_value_get_type(value)->size, 8);
	memcpy(&bits, adbgd_value_get_bytes(value), 8);
	assert_true(bits == 0x1000010710000007);
	adbgd_value_free(value);
}

static void pseudo_variables_are_listed(void **state)
{
	static const char *const names[] = {
		"pc", "exec", "exec_lo", "exec_hi", "vcc", "vcc_lo", "vcc_hi", "scc", "m0",
		"lane", "wave", "group", "group_y", "group_z", "item",
	};

	(void)state;
	for (size_t j = 0; j < ARRAY_SIZE(names); j++)
		assert_string_equal(adbgd_pseudo_variable_get_name(j), names[j]);
	assert_null(adbgd_pseudo_variable_get_name(ARRAY_SIZE(names)));
}

static int no_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
		       uint32_t *value)
{
	(void)data;
	(void)space;
	(void)number;
	(void)lane;
	(void)value;
	return -EPERM;
}

static void registers_that_cannot_be_read_are_named(void **state)
{
	struct adbgd_context none = context;
	struct adbgd_value *value;
	struct adbgd_error error;

	(void)state;
	none.read_register = no_register;
	assert_int_equal(adbgd_value_eval(NULL, "$lane + $pc", &none, &value, &error), -EPERM);
	assert_string_equal(error.text, "$pc cannot be read: Operation not permitted");
	none.read_register = NULL;
	assert_int_equal(adbgd_value_eval(NULL, "$scc", &none, &value, &error), -EINVAL);
	assert_int_equal(adbgd_value_eval(NULL, "$lane", &none, &value, &error), 0);
	adbgd_value_free(value);
}

static void only_names_need_debug_information(void **state)
{
	(void)state;
	assert_false(adbgd_expression_names_variable("1 + 0x7f * $v0 - $exec_lo"));
	assert_false(adbgd_expression_names_variable("(unsigned int)$s4 >> sizeof(const long)"));
	assert_false(adbgd_expression_names_variable("((__local int *)$s4)[3] + $1.a"));
	assert_false(adbgd_expression_names_variable("*(local int *)0x40"));
	assert_false(adbgd_expression_names_variable("$v0 == 'x' || $v0 == '\\n'"));
	assert_true(adbgd_expression_names_variable("'x' + y"));
	assert_true(adbgd_expression_names_variable("(local)"));
	assert_true(adbgd_expression_names_variable("x"));
	assert_true(adbgd_expression_names_variable("$v0 + x"));
	assert_true(adbgd_expression_names_variable("(struct pair *)$s4"));
	assert_true(adbgd_expression_names_variable("sizeof(record_t)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pseudo_variables_are_unsigned),
		cmocka_unit_test(exec_has_one_bit_per_lane),
		cmocka_unit_test(pseudo_variables_are_listed),
		cmocka_unit_test(registers_that_cannot_be_read_are_named),
		cmocka_unit_test(only_names_need_debug_information),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
