// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/kept_type.c and values of the user in expressions: they stay as they were when
 * the types of the code object are gone.
 */
#include "debug/util.h"

#include <errno.h>
#include <stdio.h>

#include <amdgpudbg-debug-assign.h>
#include <amdgpudbg-debug-value.h>

#define VARS	DEBUG_CO "vars_O0.co"

/* A list as in C: the elements have a pointer to the next one. */
struct element {
	int32_t number;
	uint8_t low;			/* bits 0 to 3 of it */
	struct element *next;
};

static struct element second = { 7, 2, NULL }, first = { -5, 3, &second };

/* Types as a code object has them, which are overwritten and freed */
struct types {
	struct adbgd_type number, byte, element, pointer, array;
	struct adbgd_member members[3];
	char name[32];
};

static struct types *new_types(void)
{
	struct types *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	strcpy(t->name, "struct element");
	t->number = (struct adbgd_type){ .name = "int", .size = 4, .kind = ADBGD_TYPE_SIGNED,
					 .flags = ADBGD_TYPE_IS_SIGNED };
	t->byte = (struct adbgd_type){ .name = "uchar", .size = 1, .kind = ADBGD_TYPE_UNSIGNED };
	t->members[0] = (struct adbgd_member){ .name = "number", .type = &t->number };
	t->members[1] = (struct adbgd_member){ .name = "low", .type = &t->byte, .offset = 4,
					       .bit_size = 4 };
	t->members[2] = (struct adbgd_member){ .name = "next", .type = &t->pointer, .offset = 8 };
	t->element = (struct adbgd_type){ .name = t->name, .size = sizeof(struct element),
					  .kind = ADBGD_TYPE_STRUCT, .members = t->members,
					  .num_members = 3 };
	t->pointer = (struct adbgd_type){ .name = "struct element *", .size = 8,
					  .kind = ADBGD_TYPE_POINTER, .target = &t->element };
	t->array = (struct adbgd_type){ .name = "int [3]", .size = 12, .count = 3,
					.kind = ADBGD_TYPE_ARRAY, .target = &t->number };
	return t;
}

static void free_types(struct types *t)
{
	memset(t, 0xa5, sizeof(*t));
	free(t);
}

static struct adbgd_value *kept[4];	/* $1 is kept[0] */

static int find(void *data, const char *name, uint32_t lane, const struct adbgd_value **value,
		struct adbgd_error *error)
{
	(void)data;
	(void)lane;
	*value = name[0] >= '1' && name[0] <= '4' ? kept[name[0] - '1'] : NULL;
	if (!strcmp(name, "list"))
		*value = kept[0];
	if (*value)
		return 0;
	error->error = -EINVAL;
	snprintf(error->text, sizeof(error->text), "no $%s", name);
	return -EINVAL;
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	(void)data;
	(void)lane;
	if (space != ADBGD_SPACE_GLOBAL || address < 0x1000)
		return -EFAULT;
	memcpy(buffer, (void *)(uintptr_t)address, size);
	return 0;
}

static const struct adbgd_value_names names = { .find = find };

static const struct adbgd_context context = {
	.read_memory = read_memory, .lanes = 32, .names = &names,
};

static void is(const char *expression, const char *wanted)
{
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[256];

	if (adbgd_value_eval(NULL, expression, &context, &value, &error))
		fail_msg("%s: %s", expression, error.text);
	adbgd_value_text(value, 0, text, sizeof(text));
	adbgd_value_free(value);
	if (strcmp(text, wanted))
		fail_msg("%s is %s, and not %s", expression, text, wanted);
}

static void fails(const char *expression, const char *words)
{
	struct adbgd_value *value = NULL;
	struct adbgd_error error;

	assert_int_not_equal(adbgd_value_eval(NULL, expression, &context, &value, &error), 0);
	if (!strstr(error.text, words))
		fail_msg("%s: \"%s\" is not in \"%s\"", expression, words, error.text);
}

static int drop(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		adbgd_value_free(kept[i]);
		kept[i] = NULL;
	}
	return 0;
}

static struct adbgd_value *value_of(const struct adbgd_type *type, const void *bytes)
{
	struct adbgd_value *value;

	assert_int_equal(adbgd_value_new_bytes(type, bytes, &value, NULL), 0);
	return value;
}

/* Keep a value as $1, and free its types. */
static uint64_t keep_only(struct types *t, const struct adbgd_type *type, const void *bytes)
{
	struct adbgd_value *value = value_of(type, bytes);
	struct adbgd_error error;
	uint64_t size;

	if (adbgd_values_keep((const struct adbgd_value *const *)&value, 1, kept, &size, &error))
		fail_msg("%s", error.text);
	adbgd_value_free(value);
	free_types(t);
	return size;
}

static void a_kept_structure_has_its_members(void **state)
{
	struct types *t = new_types();

	(void)state;
	keep_only(t, &t->element, &first);
	is("$1.number", "-5");
	is("$1.low + 1", "4");
	is("$1.next->number", "7");
	is("$1.next->next", "(struct element *) 0x0");
	is("$1.next->low == 2 && $1.number < 0", "1");
	is("$list.number", "-5");
	fails("$1.none", "struct element has no member none");
	fails("$2", "no $2");
	fails("$lists", "there is no register or pseudo variable '$lists'");
	is("sizeof($1)", "16");
}

static void types_that_expressions_make_keep_the_copy(void **state)
{
	struct element *at = &first;
	struct types *t = new_types();
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[64], wanted[64];

	(void)state;
	keep_only(t, &t->pointer, &at);
	is("(*$1).number", "-5");
	is("$1[0].next->number", "7");
	assert_int_equal(adbgd_value_eval(NULL, "&$1->next", &context, &value, &error), 0);
	/* Its type refers to the copy, which is not used otherwise. */
	drop(NULL);
	snprintf(wanted, sizeof(wanted), "(struct element **) 0x%llx",
		 (unsigned long long)(uintptr_t)&first.next);
	adbgd_value_text(value, 0, text, sizeof(text));
	assert_string_equal(text, wanted);
	assert_string_equal(adbgd_value_get_type(value)->target->target->name, "struct element");
	adbgd_value_free(value);
}

/* Values of lanes share a type; a value of a value that was kept has no other type either. */
static void values_of_lanes_share_their_type(void **state)
{
	static const int32_t numbers[3] = { 1, 2, 3 };
	struct types *t = new_types();
	const struct adbgd_value *values[4] = { value_of(&t->array, numbers), NULL,
						value_of(&t->array, numbers),
						value_of(&t->number, numbers + 2) };
	struct adbgd_value *again;
	struct adbgd_error error;
	uint64_t one, all;

	(void)state;
	assert_int_equal(adbgd_values_keep(values, 1, kept, &one, &error), 0);
	drop(NULL);
	assert_int_equal(adbgd_values_keep(values, 4, kept, &all, &error), 0);
	assert_true(one > 24 && all > one && all < 3 * one);
	for (size_t i = 0; i < 4; i++)
		adbgd_value_free((struct adbgd_value *)values[i]);
	free_types(t);
	assert_ptr_equal(adbgd_value_get_type(kept[0]), adbgd_value_get_type(kept[2]));
	assert_null(kept[1]);
	is("$1[1] + $3[2] + $4", "8");
	values[0] = kept[0];
	assert_int_equal(adbgd_values_keep(values, 1, &again, &one, &error), 0);
	assert_ptr_equal(adbgd_value_get_type(again), adbgd_value_get_type(kept[0]));
	adbgd_value_free(kept[0]);
	kept[0] = again;
	is("$1", "{1, 2, 3}");
}

#define NUM_LARGE	40000

/* What pointers point to is left out if it is too large, members are not. */
static void types_of_hostile_sizes_are_refused(void **state)
{
	struct adbgd_member *members = calloc(NUM_LARGE, sizeof(*members));
	struct types *t = new_types();
	struct adbgd_value *value;
	struct adbgd_error error;
	uint64_t size;

	(void)state;
	assert_non_null(members);
	for (size_t i = 0; i < NUM_LARGE; i++)
		members[i] = (struct adbgd_member){ .name = "m", .type = &t->number };
	t->element.members = members;
	t->element.num_members = NUM_LARGE;
	value = value_of(&t->element, &first);
	assert_int_equal(adbgd_values_keep((const struct adbgd_value *const *)&value, 1, kept,
					   &size, &error), -E2BIG);
	assert_string_equal(error.text, "the type struct element is too large to be kept");
	adbgd_value_free(value);
	assert_true(keep_only(t, &t->pointer, &first.next) < 1024);
	fails("$1->number", "the type that struct element * points to is not known");
	free(members);
}

/* A pointer to a pointer to a pointer ...: a graph without an end in its first 1024 types */
static void long_chains_of_types_are_cut(void **state)
{
	struct adbgd_type *chain = calloc(5000, sizeof(*chain));
	struct adbgd_value *value;
	const struct adbgd_type *type;
	uint64_t null = 0, size, num = 0;

	(void)state;
	assert_non_null(chain);
	for (size_t i = 0; i < 5000; i++)
		chain[i] = (struct adbgd_type){ .name = "p", .size = 8,
						.kind = ADBGD_TYPE_POINTER,
						.target = &chain[(i + 1) % 5000] };
	value = value_of(chain, &null);
	assert_int_equal(adbgd_values_keep((const struct adbgd_value *const *)&value, 1, kept,
					   &size, NULL), 0);
	adbgd_value_free(value);
	free(chain);
	for (type = adbgd_value_get_type(kept[0]); type; type = type->target)
		num++;
	assert_int_equal(num, 1024);
	assert_true(size < 256 << 10);
}

static int write_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
			const void *buffer, size_t size)
{
	(void)data;
	(void)space;
	(void)lane;
	memcpy((void *)(uintptr_t)address, buffer, size);
	return 0;
}

static void kept_values_cannot_be_changed(void **state)
{
	static const struct adbgd_writer writer = { .write_memory = write_memory };
	static const char *const refused[] = { "$1 = 3", "$1.number = 3", "$1.low = 1",
					       "$1.next = 0", "$list = $1" };
	struct types *t = new_types();
	struct adbgd_error error;

	(void)state;
	keep_only(t, &t->element, &first);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		assert_int_equal(adbgd_value_assign(NULL, refused[i], &context, &writer, &error),
				 -EINVAL);
		assert_string_equal(error.text, "a value that was kept cannot be changed, only "
				    "what its pointers point to");
	}
	assert_int_equal(adbgd_value_assign(NULL, "$1.next->number = $1.number + 20", &context,
					    &writer, &error), 0);
	assert_int_equal(second.number, 15);
	second.number = 7;
}

/* The debug information describes the type; "struct pair" has a and b (vars.h). */
static void values_outlive_their_code_object(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	struct adbgd_variables *variables;
	const struct adbgd_value *value;
	struct { int32_t a; float b; } pair = { 41, 2.5 };
	struct adbgd_error error;
	struct adbgd_line found;
	size_t count;
	uint64_t size;
	char text[64];

	(void)state;
	assert_int_equal(adbgd_function_find(code, "vars", &found, 1, &count, &error), 0);
	assert_int_equal(adbgd_variables_new(code, found.address, &variables, &error), 0);
	snprintf(text, sizeof(text), "*(struct pair *)0x%llx",
		 (unsigned long long)(uintptr_t)&pair);
	assert_int_equal(adbgd_value_eval(variables, text, &context, (struct adbgd_value **)&value,
					  &error), 0);
	assert_int_equal(adbgd_values_keep(&value, 1, kept, &size, &error), 0);
	adbgd_value_free((struct adbgd_value *)value);
	adbgd_variables_free(variables);
	adbgd_code_free(code);
	is("$1", "{a = 41, b = 2.5}");
	pair.a++;
	is("$1.a * 2", "82");
	is("(&$1)->a", "42");
	is("&$1 == &$1.a", "1");
}

static void registers_are_no_names_of_values(void **state)
{
	static const char *const registers[] = { "pc", "exec", "lane", "item", "v0", "s105",
						 "v999", "s106", "group_z" };
	static const char *const others[] = { "", "x", "v", "s", "v1x", "pcs", "_", "lanes" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		assert_true(adbgd_name_is_register(registers[i]));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(adbgd_name_is_register(others[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_kept_structure_has_its_members, drop),
		cmocka_unit_test_teardown(types_that_expressions_make_keep_the_copy, drop),
		cmocka_unit_test_teardown(values_of_lanes_share_their_type, drop),
		cmocka_unit_test_teardown(types_of_hostile_sizes_are_refused, drop),
		cmocka_unit_test_teardown(long_chains_of_types_are_cut, drop),
		cmocka_unit_test_teardown(kept_values_cannot_be_changed, drop),
		cmocka_unit_test_teardown(values_outlive_their_code_object, drop),
		cmocka_unit_test(registers_are_no_names_of_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
