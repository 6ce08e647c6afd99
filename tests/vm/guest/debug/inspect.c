// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory of all address spaces, read and written by libamdgpudbg-debug in the waves of the kernel
 * "records", compiled with -O0. The program's results show what was written: they are what the
 * source computes from it.
 */
#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <amdgpudbg-debug-wave.h>

#define CODE_OF(name)	"/usr/share/amdgpudbg/" name ".co"
#define SOURCE		"/usr/share/amdgpudbg/private.cl"
#define KERNEL_ITEMS	128
#define MOST_WAVES	(KERNEL_ITEMS / 32)
#define GROUP_ITEMS	64
#define NEW_ID		0x12345678
#define NEW_TILE	0x01020304

static struct adbgd_code *code;
static uint32_t lanes, changed_lane;	/* of the waves; the lane whose memory is changed */

static uint32_t in(uint32_t i)
{
	return i * 0x9e3779b1 + 12345;
}

/* What records() computes, or what it does with the new values of r.id and tile[i] */
static uint32_t result(uint32_t i, bool changed)
{
	uint32_t sum = 0;

	for (uint32_t k = 0; k < 8; k++)
		sum += (i + k) * (i + k);
	return sum + (changed ? NEW_ID : i) + (i & 31) + i * 3 + in(i) +
	       (changed ? NEW_TILE : i * 5) + i / 2;
}

/* Where the line of the source with this text begins */
static uint64_t address_of_line(const char *text)
{
	struct adbgd_line found;
	uint32_t number = 0;
	char line[256];
	size_t count;
	FILE *f = fopen(SOURCE, "r");

	assert_non_null(f);
	do {
		assert_non_null(fgets(line, sizeof(line), f));
		number++;
	} while (!strstr(line, text));
	fclose(f);
	MUST(adbgd_line_find(code, "private.cl", number, &found, 1, &count, &error));
	assert_int_equal(count, 1);
	return found.address;
}

static struct adbgd_wave_context *context_of(const struct adbgd_stop *stop)
{
	struct adbgd_wave_context *c;

	MUST(adbgd_wave_context_new(process, &stop->at, code, &c, &error));
	assert_true(adbgd_wave_context_get_pc(c) == stop->pc);
	assert_int_equal(adbgd_wave_context_get_lanes(c), lanes);
	return c;
}

/* Find a variable in memory of @space. */
static uint64_t locate(struct adbgd_wave_context *c, const char *name, uint32_t space)
{
	struct adbgd_context context = adbgd_wave_context_get(c, changed_lane);
	struct adbgd_variables *variables;
	struct adbgd_location location;
	int i;

	MUST(adbgd_variables_new(code, adbgd_wave_context_get_pc(c), &variables, &error));
	i = adbgd_variables_find(variables, name);
	assert_true(i >= 0);
	MUST(adbgd_variable_locate(variables, i, &context, &location, &error));
	adbgd_variables_free(variables);
	assert_int_equal(location.num_pieces, 1);
	assert_int_equal(location.pieces[0].where, ADBGD_PIECE_IN_MEMORY);
	assert_int_equal(location.pieces[0].space, space);
	return location.pieces[0].address;
}

static uint32_t word(struct adbgd_wave_context *c, uint32_t space, uint32_t lane, uint64_t address)
{
	uint32_t value;

	MUST(adbgd_wave_memory_read(c, space, lane, address, &value, sizeof(value), &error));
	return value;
}

/* In pieces that are not aligned, and by flat addresses */
static void write_bytes(struct adbgd_wave_context *c, uint32_t space, uint64_t address,
			uint32_t value)
{
	const uint8_t *bytes = (const uint8_t *)&value;
	uint64_t flat, back;

	MUST(adbgd_wave_convert_address(c, space, address, ADBGD_SPACE_GLOBAL, &flat, &error));
	MUST(adbgd_wave_convert_address(c, ADBGD_SPACE_GLOBAL, flat, space, &back, &error));
	assert_true(flat != address && back == address);
	MUST(adbgd_wave_memory_write(c, space, changed_lane, address, bytes, 1, &error));
	MUST(adbgd_wave_memory_write(c, ADBGD_SPACE_GLOBAL, changed_lane, flat + 1, bytes + 1, 3,
				     &error));
	assert_int_equal(word(c, ADBGD_SPACE_GLOBAL, changed_lane, flat), value);
	assert_int_equal(word(c, space, changed_lane, address), value);
}

/* r.id is what the program got from get_global_id(). */
static void has_item(const struct adbgd_wave_context *c, uint32_t lane, uint32_t id)
{
	uint32_t group[3], first_item;

	MUST(adbgd_wave_get_group(c, group, &first_item, &error));
	assert_int_equal(group[0] * GROUP_ITEMS + first_item + lane, id);
	assert_true(first_item < GROUP_ITEMS && !group[1] && !group[2]);
}

/* Change r.id and the element of tile[] of one lane. */
static void change(const struct adbgd_stop *stop)
{
	struct adbgd_wave_context *c = context_of(stop);
	uint64_t r = locate(c, "r", ADBGD_SPACE_PRIVATE);
	uint64_t tile = locate(c, "tile", ADBGD_SPACE_LOCAL);
	uint32_t i = word(c, ADBGD_SPACE_PRIVATE, changed_lane, r);

	assert_int_equal(i % lanes, changed_lane);
	has_item(c, changed_lane, i);
	assert_int_equal(word(c, ADBGD_SPACE_LOCAL, 0, tile + 4 * (i % GROUP_ITEMS)), 5 * i);
	write_bytes(c, ADBGD_SPACE_PRIVATE, r, NEW_ID);
	write_bytes(c, ADBGD_SPACE_LOCAL, tile + 4 * (i % GROUP_ITEMS), NEW_TILE);
	adbgd_wave_context_free(c);
	/* The other lanes and elements are as before, also for a new reader. */
	c = context_of(stop);
	for (uint32_t lane = 0; lane < lanes; lane++)
		assert_int_equal(word(c, ADBGD_SPACE_PRIVATE, lane, r),
				 lane == changed_lane ? NEW_ID : i - changed_lane + lane);
	tile += 4 * (i % GROUP_ITEMS);
	assert_int_equal(word(c, ADBGD_SPACE_LOCAL, 0, tile - 4), 5 * i - 5);
	assert_int_equal(word(c, ADBGD_SPACE_LOCAL, 0, tile + 4), 5 * i + 5);
	adbgd_wave_context_free(c);
}

/* Stop all waves where all variables have their values. */
static void stop_waves(struct adbgd_stop stops[MOST_WAVES])
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address_of_line("/* filled */"), 0, &b, &error));
	assert_int_equal(prog_submit(&prog, "records", &job), 0);
	for (uint32_t n = 0; n < KERNEL_ITEMS / lanes; n++)
		stops[n] = stop_at(b);
}

static void end_job(void)
{
	MUST(adbgd_process_continue(process, &error));
	assert_int_equal(gpu_wait(&prog.gpu, &job, DEADLINE_MS * 1000000ull), 0);
	gpu_job_free(&prog.gpu, &job);
}

static void what_is_written_is_used_by_the_program(void **state)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu;
	struct adbgd_stop stops[MOST_WAVES];
	(void)state;
	stop_waves(stops);
	for (uint32_t n = 0; n < KERNEL_ITEMS / lanes; n++)
		change(&stops[n]);
	end_job();
	for (uint32_t i = 0; i < KERNEL_ITEMS; i++)
		assert_int_equal(out[i], result(i, i % lanes == changed_lane));
}

static void refused(int ret, int wanted, const char *text)
{
	assert_int_equal(ret, wanted);
	if (!strstr(error.text, text))
		fail_msg("'%s' is not in '%s'", text, error.text);
}

static void wrong_addresses_are_refused(void **state)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu;
	struct adbgd_wave_context *c;
	struct adbgd_stop stops[MOST_WAVES];
	uint64_t result_va;
	uint32_t value = 0;

	(void)state;
	stop_waves(stops);
	c = context_of(&stops[0]);
	refused(adbgd_wave_memory_read(c, ADBGD_SPACE_PRIVATE, lanes, 0, &value, 4, &error),
		-EINVAL, "no lane");
	refused(adbgd_wave_memory_write(c, 3, 0, 0, &value, 4, &error), -EINVAL, "space 3");
	refused(adbgd_wave_memory_write(c, ADBGD_SPACE_PRIVATE, 0, 1ULL << 32, &value, 4, &error),
		-ERANGE, "32 bits");
	refused(adbgd_wave_memory_read(c, ADBGD_SPACE_PRIVATE, 0, 0xfffffffe, &value, 4, &error),
		-ERANGE, "no address");
	refused(adbgd_wave_memory_write(c, ADBGD_SPACE_LOCAL, 0, 65536, &value, 4, &error), -ERANGE,
		"bytes of LDS");
	refused(adbgd_wave_convert_address(c, ADBGD_SPACE_LOCAL, 0, ADBGD_SPACE_PRIVATE, &result_va,
					   &error), -EINVAL, "counterparts");
	refused(adbgd_wave_convert_address(c, ADBGD_SPACE_GLOBAL, 0x1000, ADBGD_SPACE_LOCAL,
					   &result_va, &error), -ERANGE, "is not in LDS");
	MUST(adbgd_wave_convert_address(c, ADBGD_SPACE_GLOBAL, 0, ADBGD_SPACE_LOCAL, &result_va,
					&error));
	assert_true(result_va == 0xffffffff);
	MUST(adbgd_wave_convert_address(c, ADBGD_SPACE_PRIVATE, 0xffffffff, ADBGD_SPACE_GLOBAL,
					&result_va, &error));
	assert_true(!result_va);
	adbgd_wave_context_free(c);
	end_job();
	for (uint32_t i = 0; i < KERNEL_ITEMS; i++)
		assert_int_equal(out[i], result(i, false));
}

static void a_running_wave_cannot_be_inspected(void **state)
{
	struct adbgd_wave_context *c;
	struct adbgd_stop stops[MOST_WAVES];

	(void)state;
	stop_waves(stops);
	MUST(adbgd_wave_context_new(process, &stops[1].at, NULL, &c, &error));
	adbgd_wave_context_free(c);
	end_job();
	refused(adbgd_wave_context_new(process, &stops[1].at, NULL, &c, &error), -ENODATA,
		"there is no wave");
}

static int open_records(const char *file)
{
	uint32_t *input;
	int ret = prog_open(&prog, NULL, file, KERNEL_ITEMS, 0);

	if (ret)
		return ret;
	input = prog.buf[PROG_IN].cpu;
	for (uint32_t i = 0; i < KERNEL_ITEMS; i++)
		input[i] = in(i);
	ret = adbgd_code_open(file, &code, &error);
	return ret ? ret : adbgd_code_set_base(code, adbgd_code_get_info(code)->text.start +
					       prog.buf[PROG_CODE].va, &error);
}

static int open_32(void **state)
{
	(void)state;
	lanes = 32;
	changed_lane = 3;
	return open_records(CODE_OF("private_O0"));
}

static int open_64(void **state)
{
	(void)state;
	lanes = 64;
	changed_lane = 37;
	return open_records(CODE_OF("private_O0_64"));
}

static int close_records(void **state)
{
	adbgd_code_free(code);
	return close_prog(state);
}

static int detach_records(void **state)
{
	(void)state;
	detach();
	return 0;
}

#define INSPECTED(f) cmocka_unit_test_setup_teardown(f, set_up, detach_records)

int main(void)
{
	const struct CMUnitTest tests[] = {
		INSPECTED(what_is_written_is_used_by_the_program),
		INSPECTED(wrong_addresses_are_refused),
		INSPECTED(a_running_wave_cannot_be_inspected),
	};

	return cmocka_run_group_tests(tests, open_32, close_records) +
	       cmocka_run_group_tests(tests, open_64, close_records);
}
