// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands that a wave's trap handler executes for libamdgpudbg-debug: access to the LDS of the
 * kernel "share" of breaks.s, to VGPRs of its waves, and to the bits by which "cdbg" branches.
 */
#include "debugger.h"

#include <errno.h>
#include <unistd.h>

#define GROUP		64
#define LDS_BYTES	512	/* of which the kernel uses the first half */
#define WORDS		(LDS_BYTES / 4)

/* All waves stand where each group has filled its LDS. */
static void all_are_full(struct adbgd_stop stops[NUM_WAVES])
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address_of("share_full"), 0, &b, &error));
	prog.lds_bytes = LDS_BYTES;
	start_kernel("share");
	prog.lds_bytes = 0;
	release_waves();
	all_stop_at(b, stops);
}

/* s12: the group's first item */
static uint32_t first_item(const struct adbgd_stop *stop)
{
	return read_sgpr(&stop->at, 12);
}

static uint32_t read_vgpr0(const struct adbgd_stop *stop)
{
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_VGPR, .first = 0, .count = 1, .num_lanes = 1,
	};
	uint32_t value;
	struct amdgpudbg_reg_access access = {
		.at = stop->at, .num_ranges = 1, .ranges = (uintptr_t)&range,
		.num_values = 1, .values = (uintptr_t)&value,
	};

	assert_int_equal(adbg_reg_access(adbgd_process_get_session(process), &access), 0);
	return value;
}

static void read_state(const struct adbgd_stop *stop, struct adbg_wave_state *state)
{
	struct amdgpudbg_wave wave = wave_at(&stop->at);

	assert_int_equal(adbg_wave_state_read(state, adbgd_process_get_session(process), &wave),
			 0);
}

/* TTMPs are the handler's, but for the first two and those of the work-group. */
static void assert_same(const struct adbg_wave_state *a, const struct adbg_wave_state *b,
			uint32_t space, uint32_t lane)
{
	uint32_t num, same;
	const uint32_t *x = adbg_wave_state_get(a, space, lane, &num);
	const uint32_t *y = adbg_wave_state_get(b, space, lane, &same);

	assert_int_equal(num, same);
	for (uint32_t i = 0; i < num; i++) {
		if (space == AMDGPUDBG_REG_TTMP && i >= 2 && (i < 8 || i > 11))
			continue;
		if (x[i] != y[i])
			fail_msg("register %u of %u, lane %u: %#x, not %#x", i, space, lane,
				 y[i], x[i]);
	}
}

static void assert_state(const struct adbgd_stop *stop, const struct adbg_wave_state *before)
{
	struct adbg_wave_state *now;

	assert_int_equal(adbg_wave_state_new(&now), 0);
	read_state(stop, now);
	assert_same(before, now, AMDGPUDBG_REG_HW, 0);
	assert_same(before, now, AMDGPUDBG_REG_SGPR, 0);
	assert_same(before, now, AMDGPUDBG_REG_TTMP, 0);
	for (uint32_t lane = 0; lane < 32; lane++)
		assert_same(before, now, AMDGPUDBG_REG_VGPR, lane);
	adbg_wave_state_free(now);
}

static void holds_input(const struct adbgd_stop *stop)
{
	uint32_t words[WORDS], bytes, first = first_item(stop);

	MUST(adbgd_lds_get_size(process, &stop->at, &bytes, &error));
	assert_int_equal(bytes, LDS_BYTES);
	MUST(adbgd_lds_read(process, &stop->at, 0, words, LDS_BYTES, &error));
	for (uint32_t i = 0; i < GROUP; i++)
		assert_int_equal(words[i], input(first + i));
	/* The last word of it alone */
	words[0] = 0;
	MUST(adbgd_lds_read(process, &stop->at, 4 * (GROUP - 1), words, 4, &error));
	assert_int_equal(words[0], input(first + GROUP - 1));
}

/* What a lane reads then is another's: in[] backwards, in each group. */
static void turn_round(const struct adbgd_stop *stop)
{
	uint32_t words[GROUP], first = first_item(stop);

	for (uint32_t i = 0; i < GROUP; i++)
		words[i] = input(first + GROUP - 1 - i);
	MUST(adbgd_lds_write(process, &stop->at, 0, words, sizeof(words), &error));
}

void lds_is_read_and_written(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	struct adbg_wave_state *before;
	const uint32_t *out = prog.buf[PROG_OUT].cpu;

	(void)state;
	assert_int_equal(adbg_wave_state_new(&before), 0);
	all_are_full(stops);
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		read_state(&stops[i], before);
		holds_input(&stops[i]);
		assert_state(&stops[i], before);
	}
	assert_no_stop();
	/* The two waves of a group have the same. */
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		read_state(&stops[i], before);
		turn_round(&stops[i]);
		assert_state(&stops[i], before);
	}
	adbg_wave_state_free(before);
	MUST(adbgd_process_continue(process, &error));
	wait_job();
	for (uint32_t i = 0; i < prog.items; i++)
		assert_int_equal(out[i], input(i / GROUP * GROUP + GROUP - 1 - i % GROUP));
	assert_no_stop();
}

/* A wave that was stepped is no different. */
void lds_is_accessed_after_a_step(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], stop;
	const uint32_t *out = prog.buf[PROG_OUT].cpu;

	(void)state;
	all_are_full(stops);
	MUST(adbgd_wave_step(process, &stops[3].at, &stop, &error));
	holds_input(&stop);
	MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
	holds_input(&stop);
	assert_int_equal(stop.reason, ADBGD_STOP_STEP);
	MUST(adbgd_process_continue(process, &error));
	wait_job();
	for (uint32_t i = 0; i < prog.items; i++)
		assert_int_equal(out[i], input(i));
}

static void refused(int ret, int wanted, const char *words)
{
	assert_int_equal(ret, wanted);
	if (!strstr(error.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, error.text);
}

void wrong_lds_accesses_are_refused(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	struct amdgpudbg_wave_coord at;
	uint32_t words[WORDS];

	(void)state;
	all_are_full(stops);
	at = stops[0].at;
	refused(adbgd_lds_read(process, &at, 0, words, LDS_BYTES + 4, &error), -ERANGE,
		"has 512 bytes of LDS");
	refused(adbgd_lds_read(process, &at, UINT32_MAX - 3, words, 8, &error), -ERANGE,
		"has 512 bytes of LDS");
	refused(adbgd_lds_write(process, &at, 2, words, 4, &error), -EINVAL, "words of 4 bytes");
	refused(adbgd_lds_read(process, &at, 0, words, 3, &error), -EINVAL, "words of 4 bytes");
	MUST(adbgd_lds_read(process, &at, LDS_BYTES, words, 0, &error));
	MUST(adbgd_process_continue(process, &error));
	wait_job();
	refused(adbgd_lds_read(process, &at, 0, words, 4, &error), -ENODATA,
		"there is no wave of process");
}

/* The kernel "breaks" has none; and some waves have no handler. */
void lds_of_waves_that_have_none_is_refused(void **state)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = {
		.capacity = NUM_WAVES, .waves = (uintptr_t)waves,
	};
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;
	uint32_t word;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_loop"), 0, &b, &error));
	start_job();
	wait_begun();
	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	refused(adbgd_lds_read(process, &waves[0].at, 0, &word, 4, &error), -EINPROGRESS, "is not halted");
	release_waves();
	stop = stop_at(b);
	refused(adbgd_lds_read(process, &stop.at, 0, &word, 4, &error), -ENODATA, "has no LDS");
	detach();
	finish_job();
	prog.lds_bytes = LDS_BYTES;
	start_kernel("share");
	prog.lds_bytes = 0;
	wait_begun();
	MUST(attach(getpid()));
	MUST(adbgd_process_halt(process, &error));
	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	refused(adbgd_lds_read(process, &waves[0].at, 0, &word, 4, &error), -EOPNOTSUPP,
		"started before the debugger attached");
	MUST(adbgd_process_continue(process, &error));
	release_waves();
	wait_job();
}

/* As many as there are, as they are by SQ_IND; the wave is as before. */
static void has_vgprs(const struct adbgd_stop *stop, const struct adbg_wave_state *state)
{
	static uint32_t values[32 * 256];
	const uint32_t *lane;
	uint32_t num;

	(void)adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, 0, &num);
	assert_true(num > 2);
	for (uint32_t count = num; count; count = count > 3 ? 3 : count - 1) {
		memset(values, 0xee, sizeof(values));
		MUST(adbgd_vgprs_read(process, &stop->at, count, values, &error));
		for (uint32_t i = 0; i < 32; i++) {
			lane = adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, i, &num);
			assert_memory_equal(values + i * count, lane, 4 * count);
		}
		assert_int_equal(values[32 * count], 0xeeeeeeee);
	}
	refused(adbgd_vgprs_read(process, &stop->at, num + 1, values, &error), -ERANGE,
		"has VGPRs 0 to");
	refused(adbgd_vgprs_read(process, &stop->at, 0, values, &error), -ERANGE,
		"has VGPRs 0 to");
	refused(adbgd_vgprs_read(process, &stop->at, UINT32_MAX, values, &error), -ERANGE,
		"has VGPRs 0 to");
}

void vgprs_of_all_lanes_are_read_by_one_command(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	struct adbg_wave_state *before;

	(void)state;
	assert_int_equal(adbg_wave_state_new(&before), 0);
	all_are_full(stops);
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		read_state(&stops[i], before);
		has_vgprs(&stops[i], before);
		assert_state(&stops[i], before);
	}
	adbg_wave_state_free(before);
	assert_no_stop();
	MUST(adbgd_process_continue(process, &error));
	wait_job();
}

/* Each combination, of two waves each */
void cond_dbg_bits_change_branches(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	const uint32_t *out = prog.buf[PROG_OUT].cpu;
	uint32_t wanted[NUM_WAVES];
	struct adbgd_breakpoint *b;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("cdbg_at"), 0, &b, &error));
	start_kernel("cdbg");
	release_waves();
	all_stop_at(b, stops);
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		uint32_t user = i & 1, sys = i >> 1 & 1;
		struct amdgpudbg_wave wave = wave_at(&stops[i].at);

		assert_int_equal(adbgd_wave_get_cond_dbg(process, &wave), 0);
		MUST(adbgd_wave_set_cond_dbg(process, &stops[i].at, i & 3, &error));
		wave = wave_at(&stops[i].at);
		assert_int_equal(adbgd_wave_get_cond_dbg(process, &wave), i & 3);
		/* s12 is the group's first item; v0 of lane 0 the wave's first of those. */
		wanted[(first_item(&stops[i]) + read_vgpr0(&stops[i])) / 32] =
			16 | user | sys << 1 | (user | sys) << 2 | (user & sys) << 3;
	}
	assert_int_equal(adbgd_wave_set_cond_dbg(process, &stops[0].at, 4, &error), -EINVAL);
	assert_no_stop();
	MUST(adbgd_process_continue(process, &error));
	wait_job();
	for (uint32_t i = 0; i < prog.items; i++)
		assert_int_equal(out[i], wanted[i / 32]);
}
