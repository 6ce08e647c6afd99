// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expressions in a member function of C++: the members of its object, of base classes and of an
 * anonymous union. The expected values are those of the same structures in C.
 */
#include "debug/util.h"

#include <errno.h>
#include <stdio.h>

#include <amdgpudbg-debug-value.h>

#define OBJECT	0x500000000ULL

/* As in methods.hip */
struct counted {
	int count;
	int hidden;
};

struct named {
	struct counted counted;
	long name;
};

static struct engine {
	struct {
		short first;
	} other;
	struct named named;
	int state[2];
	union {
		int whole;
		unsigned char parts[4];
	};
	int hidden;
} object = { { -2 }, { { 11, 12 }, 1L << 40 }, { 21, 22 }, { 0x04030201 }, 31 };

static struct adbgd_code *code;
static struct adbgd_variables *variables;
static uint64_t place_of_this;		/* in private memory */

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	const uint64_t this = OBJECT;
	const uint64_t begin = space == ADBGD_SPACE_PRIVATE ? place_of_this : OBJECT;
	const size_t bytes = space == ADBGD_SPACE_PRIVATE ? sizeof(this) : sizeof(object);

	(void)data;
	(void)lane;
	if (address < begin || address - begin > bytes || size > bytes - (address - begin))
		return -EFAULT;
	memcpy(buffer, (space == ADBGD_SPACE_PRIVATE ? (const char *)&this :
			(const char *)&object) + (address - begin), size);
	return 0;
}

static const struct adbgd_context context = {
	.read_register = read_zero_register, .read_memory = read_memory, .lanes = 32,
};

static int set_up(void **state)
{
	uint32_t number = line_of("tests/kernels/methods.hip", "// here");
	struct adbgd_location location;
	struct adbgd_error error;
	struct adbgd_line found;
	size_t count;

	(void)state;
	code = open_code(KERNELS_CO "methods.co");
	if (adbgd_line_find(code, "methods.hip", number, &found, 1, &count, &error) ||
	    adbgd_variables_new(code, found.address, &variables, &error) ||
	    adbgd_variable_locate(variables, adbgd_variables_find(variables, "this"), &context,
				  &location, &error))
		return -1;
	place_of_this = location.pieces[0].address;
	return location.pieces[0].space == ADBGD_SPACE_PRIVATE ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	adbgd_variables_free(variables);
	adbgd_code_free(code);
	return 0;
}

static void evaluates(const char *expression, long long wanted)
{
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[128], number[32];

	if (adbgd_value_eval(variables, expression, &context, &value, &error))
		fail_msg("%s: %s", expression, error.text);
	adbgd_value_text(value, 0, text, sizeof(text));
	snprintf(number, sizeof(number), "%lld", wanted);
	if (strcmp(text, number))
		fail_msg("%s is %s and not %s", expression, text, number);
	adbgd_value_free(value);
}

static void fails(const char *expression, const char *words)
{
	struct adbgd_value *value = NULL;
	struct adbgd_error error;

	assert_int_not_equal(adbgd_value_eval(variables, expression, &context, &value, &error), 0);
	if (!strstr(error.text, words))
		fail_msg("%s: \"%s\" is not in \"%s\"", expression, words, error.text);
}

static void members_of_this_are_in_scope(void **state)
{
	(void)state;
	evaluates("state[1]", object.state[1]);
	evaluates("hidden", object.hidden);
	evaluates("this->hidden", object.hidden);
	evaluates("(*this).hidden", object.hidden);
	evaluates("sizeof(*this)", sizeof(object));
	evaluates("sizeof(state)", sizeof(object.state));
	evaluates("sizeof state", sizeof(object.state));
}

static void members_of_base_classes_are_found(void **state)
{
	(void)state;
	evaluates("first", object.other.first);
	evaluates("count", object.named.counted.count);
	evaluates("name", object.named.name);
	evaluates("this->count", object.named.counted.count);
	evaluates("count + state[0] * 2", object.named.counted.count + object.state[0] * 2);
	evaluates("count > 10 && first < 0", 1);
	evaluates("&name == &this->name", 1);
}

static void members_of_anonymous_unions_are_found(void **state)
{
	(void)state;
	evaluates("whole", object.whole);
	evaluates("parts[2] + 0", object.parts[2]);
	evaluates("this->parts[3] + 0", object.parts[3]);
}

static void members_hide_what_is_outside_of_functions(void **state)
{
	(void)state;
	assert_true(adbgd_variables_find(variables, "count") >= 0);
	evaluates("count", object.named.counted.count);
}

/* Debug information in which a class is its own base class, several times */
static void a_class_in_itself_has_an_end(void **state)
{
	static struct adbgd_member members[80];
	static struct adbgd_type type = {
		.name = "odd", .kind = ADBGD_TYPE_STRUCT, .size = 8, .members = members,
		.num_members = ARRAY_SIZE(members),
	};
	const struct adbgd_type *before;
	struct adbgd_variable *this;
	int i = adbgd_variables_find(variables, "this");

	(void)state;
	for (size_t m = 0; m < ARRAY_SIZE(members); m++)
		members[m].type = &type;
	this = (struct adbgd_variable *)adbgd_variables_get(variables, i);
	before = this->type->target;
	((struct adbgd_type *)this->type)->target = &type;
	fails("nothing", "there is no variable");
	fails("this->nothing", "has no member nothing");
	((struct adbgd_type *)this->type)->target = before;
}

static void variables_hide_members(void **state)
{
	struct adbgd_value *value;
	struct adbgd_error error;

	(void)state;
	/* The parameter, which this test does not serve */
	assert_int_not_equal(adbgd_value_eval(variables, "step", &context, &value, &error), 0);
	assert_null(strstr(error.text, "there is no variable"));
}

static void what_is_no_member_is_refused(void **state)
{
	(void)state;
	fails("nothing", "there is no variable 'nothing'");
	fails("this->nothing", "has no member nothing");
	fails("counted", "there is no variable 'counted'");
	fails("state.count", "has no member count");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_of_this_are_in_scope),
		cmocka_unit_test(members_of_base_classes_are_found),
		cmocka_unit_test(members_of_anonymous_unions_are_found),
		cmocka_unit_test(members_hide_what_is_outside_of_functions),
		cmocka_unit_test(a_class_in_itself_has_an_end),
		cmocka_unit_test(variables_hide_members),
		cmocka_unit_test(what_is_no_member_is_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
