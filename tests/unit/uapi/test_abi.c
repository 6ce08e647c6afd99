// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel interface and the library's structures have their published layout. For 32-bit
 * callers, tests/unit/uapi/abi32.c checks the former when it is compiled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

struct entry {
	const char *owner;	/* structure, NULL for the structure itself */
	const char *name;
	size_t offset;
	size_t size;
	size_t golden_offset;
	size_t golden_size;
};

#define STRUCT(s, golden) \
	{ NULL, #s, 0, sizeof(struct s), 0, golden },
#define FIELD(s, m, golden_offset, golden_size) \
	{ #s, #m, offsetof(struct s, m), sizeof(((struct s *)NULL)->m), \
	  golden_offset, golden_size },
#define NUMBER(n, value)

static const struct entry entries[] = {
#include "abi_golden.h"
#include "../lib/lib_golden.h"
};

#undef STRUCT
#undef FIELD
#undef NUMBER
#define STRUCT(s, golden)
#define FIELD(s, m, golden_offset, golden_size)
#define NUMBER(n, golden) { #n, n, golden },

static const struct {
	const char *name;
	unsigned long value;
	unsigned long golden;
} numbers[] = {
#include "abi_golden.h"
#include "../lib/lib_golden.h"
};

#define NUM_ENTRIES (sizeof(entries) / sizeof(entries[0]))

static void members_are_where_they_were(void **state)
{
	(void)state;
	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		const struct entry *e = &entries[i];

		if (e->offset != e->golden_offset || e->size != e->golden_size)
			fail_msg("%s.%s: offset %zu size %zu",
				 e->owner ? e->owner : "struct", e->name,
				 e->offset, e->size);
	}
}

/*
 * Each member begins where the one before it ends, and the last ends with the
 * structure: so there is no padding, and no member is missing from the list.
 */
static void the_list_is_complete(void **state)
{
	const struct entry *owner = NULL;
	size_t end = 0;

	(void)state;
	for (size_t i = 0; i <= NUM_ENTRIES; i++) {
		const struct entry *e = i < NUM_ENTRIES ? &entries[i] : NULL;

		if (!e || !e->owner) {
			if (owner && end != owner->size)
				fail_msg("%s ends at %zu, its members at %zu",
					 owner->name, owner->size, end);
			owner = e;
			end = 0;
			continue;
		}
		assert_string_equal(e->owner, owner->name);
		if (e->offset != end)
			fail_msg("a gap before %s.%s", e->owner, e->name);
		end += e->size;
	}
}

static void sizes_and_64_bit_members_are_aligned(void **state)
{
	(void)state;
	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		const struct entry *e = &entries[i];

		if (e->owner && e->size == 8)
			assert_int_equal(e->offset % 8, 0);
		if (!e->owner)
			assert_int_equal(e->size % 4, 0);
	}
}

/* A structure of the interface carries its own size first. */
static void arguments_begin_with_their_size(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct amdgpudbg_info, size), 0);
	assert_int_equal(offsetof(struct amdgpudbg_capability, size), 0);
	assert_int_equal(offsetof(struct amdgpudbg_wave_list, size), 0);
	assert_int_equal(offsetof(struct amdgpudbg_wave_control, size), 0);
}

static void numbers_are_what_they_were(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].value != numbers[i].golden)
			fail_msg("%s is %#lx", numbers[i].name,
				 numbers[i].value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_where_they_were),
		cmocka_unit_test(the_list_is_complete),
		cmocka_unit_test(sizes_and_64_bit_members_are_aligned),
		cmocka_unit_test(arguments_begin_with_their_size),
		cmocka_unit_test(numbers_are_what_they_were),
	};

	return cmocka_run_group_tests_name("abi", tests, NULL, NULL);
}
