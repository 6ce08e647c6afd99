// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands of trap_abi.h: a halted wave's handler copies LDS and VGPRs to memory, or memory to
 * LDS, and does not change the wave otherwise. Each test compares it with the same wave on a GPU
 * without a debugger.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"
#include "trap_abi.h"

#define COMMAND_BUFFER		0xc000	/* from PAIR_TMA */
#define GUARD		0xdead0000U
/* SQ_CMD TRAP, navi10_enum.h (Linux 6.1); the id in DATA [11:8], gc_10_3_0_sh_mask.h */
#define TRAP_15		PAIR_COMMAND(5, TRAP_ID_COMMAND)
#define HW_STATUS	2
#define HW_TRAPSTS	3

static const u32 program[] = { I_NOP, I_ADD_S20_1, 0xbf92000f /* s_trap 15 */, I_ENDPGM };

static u32 *header(struct pair *p)
{
	return (u32 *)gpu_mem(p->debugged, PAIR_TMA);
}

static u32 *command_buffer(struct pair *p)
{
	return (u32 *)gpu_mem(p->debugged, PAIR_TMA + COMMAND_BUFFER);
}

static u32 *lds_of(struct vgpu_wave *w, u32 *words)
{
	u8 *lds = vgpu_wave_lds(w, words);

	*words /= 4;
	return (u32 *)lds;
}

static u32 mailbox_of(struct pair *p)
{
	const struct vgpu_wave *w = p->d;

	return trap_mailbox(header(p), w->se, w->sa, w->wgp, w->simd, w->slot);
}

/* Set every register and dword of LDS to a value that is not 0 and differs from the others. */
static void fill(struct vgpu *g, struct vgpu_wave *w, u64 exec)
{
	u32 words, *lds = lds_of(w, &words);

	for (u32 n = 0; n < VGPU_NUM_VGPRS; n++)
		for (u32 lane = 0; lane < w->lanes; lane++)
			w->v[n][lane] = 0x10000000 + n * 0x100 + lane;
	for (u32 n = 0; n < 102; n++)
		w->s[n] = 0x20000000 + n;
	for (u32 n = 0; n < words; n++)
		lds[n] = 0x30000000 + n;
	w->s[VGPU_S_EXEC] = lower_32_bits(exec);
	w->s[VGPU_S_EXEC + 1] = upper_32_bits(exec);
	vgpu_wave_update_slow(g, w);
}

static void begin(struct pair *p, unsigned int lanes, u64 exec)
{
	pair_wave(p, lanes);
	p->a->pc = GPU_VA;
	p->d->pc = GPU_VA;
	pair_write(p, GPU_VA, program, sizeof(program));
	fill(p->alone, p->a, exec);
	fill(p->debugged, p->d, exec);
	pair_ready(p, PAIR_HOST);
	assert_false(pair_differs(p, "before"));
}

static void order(struct pair *p, u32 op, u32 mailbox, u32 first, u32 count)
{
	u32 *h = header(p);

	h[TRAP_HDR_MAILBOX / 4] = mailbox;
	h[TRAP_HDR_COUNT / 4] = count;
	h[TRAP_HDR_LDS / 4] = 4 * first;
	h[TRAP_HDR_FROM_LDS / 4] = COMMAND_BUFFER - 4 * first;
	h[TRAP_HDR_DONE / 4] = 0;
	h[TRAP_HDR_OP / 4] = op;
	gpu_write(p->debugged, R_SQ_CMD, 0, TRAP_15);
	gpu_run(p->debugged);
}

/* Check that no interrupt was sent and no mailbox has changed. */
static void was_done(struct pair *p, u32 op, u64 iv_entries, u32 stops)
{
	assert_int_equal(header(p)[TRAP_HDR_DONE / 4], op);
	assert_int_equal(p->debugged->counters.iv_entries, iv_entries);
	assert_int_equal(pair_stops(p), stops);
	assert_false(pair_differs(p, "afterwards"));
}

static void read_some(struct pair *p, u32 first, u32 count)
{
	u64 iv_entries = p->debugged->counters.iv_entries;
	u32 stops = pair_stops(p);

	for (u32 n = 0; n < 512; n++)
		command_buffer(p)[n] = GUARD + n;
	order(p, TRAP_OP_LDS_READ, mailbox_of(p), first, count);
	was_done(p, TRAP_OP_LDS_READ, iv_entries, stops);
	for (u32 n = 0; n < count; n++)
		assert_int_equal(command_buffer(p)[n], 0x30000000 + first + n);
	assert_int_equal(command_buffer(p)[count], GUARD + count);
}

static void write_some(struct pair *p, u32 first, u32 count)
{
	u64 iv_entries = p->debugged->counters.iv_entries;
	u32 words, stops = pair_stops(p), *lds = lds_of(p->a, &words);

	for (u32 n = 0; n < count; n++)
		lds[first + n] = command_buffer(p)[n] = 0x40000000 + n;
	order(p, TRAP_OP_LDS_WRITE, mailbox_of(p), first, count);
	was_done(p, TRAP_OP_LDS_WRITE, iv_entries, stops);
}

/* Test waves of both sizes, with some active lanes; they continue where they were. */
static void in_all(void (*what)(struct pair *p))
{
	static const u64 exec[] = { 0, 1, 0xfffffffe, 0xffffffffffffffff };
	struct pair p;

	pair_new(&p);
	for (unsigned int lanes = 32; lanes <= 64; lanes += 32) {
		for (unsigned int n = 0; n < ARRAY_SIZE(exec); n++) {
			begin(&p, lanes, lanes == 32 ? (u32)exec[n] : exec[n]);
			what(&p);
			pair_step(&p);
			assert_false(pair_differs(&p, "a step later"));
		}
	}
	pair_free(&p);
}

/* Execute two commands: the second must not repeat the first. */
static void move_lds(struct pair *p)
{
	read_some(p, 0, 256);
	read_some(p, 255, 1);
	write_some(p, 4, 3);
	write_some(p, 0, 256);
}

static void lds_is_read_and_written_by_command(void **state)
{
	(void)state;
	in_all(move_lds);
}

/* Read the VGPRs of all lanes, also of inactive ones, but only those that the wave has. */
static void read_vgprs(struct pair *p, u32 count)
{
	u64 iv_entries = p->debugged->counters.iv_entries;
	u32 stops = pair_stops(p), lanes = p->d->lanes;

	for (u32 n = 0; n <= lanes * count; n++)
		command_buffer(p)[n] = GUARD + n;
	order(p, TRAP_OP_VGPR_READ, mailbox_of(p), 0, count);
	was_done(p, TRAP_OP_VGPR_READ, iv_entries, stops);
	for (u32 lane = 0; lane < lanes; lane++)
		for (u32 n = 0; n < count; n++)
			assert_int_equal(command_buffer(p)[lane * count + n],
					 0x10000000 + n * 0x100 + lane);
	assert_int_equal(command_buffer(p)[lanes * count], GUARD + lanes * count);
}

static void read_some_vgprs(struct pair *p)
{
	read_vgprs(p, 4);
	read_vgprs(p, 24);
	read_vgprs(p, VGPU_NUM_VGPRS);
}

static void vgprs_are_read_by_command(void **state)
{
	(void)state;
	in_all(read_some_vgprs);
}

/* STATUS.COND_DBG_USER [20] and _SYS [21], and nothing else: gc_9_0_sh_mask.h (Linux 6.12) */
static void cond_dbg_is_set_by_command(void **state)
{
	struct pair p;
	u32 before = 0, status = 0;

	(void)state;
	pair_new(&p);
	begin(&p, 32, ~0U);
	assert_true(vgpu_wave_getreg(p.debugged, p.d, HW_STATUS, &before));
	for (u32 bits = 1; bits < 5; bits++) {
		order(&p, TRAP_OP_COND_DBG, mailbox_of(&p), 0, bits & 3);
		assert_int_equal(header(&p)[TRAP_HDR_DONE / 4], TRAP_OP_COND_DBG);
		assert_true(vgpu_wave_getreg(p.debugged, p.d, HW_STATUS, &status));
		assert_int_equal(status, before | (bits & 3) << 20);
	}
	assert_false(pair_differs(&p, "when they are 0 again"));
	pair_free(&p);
}

/* A wave that the command does not name stops as for any trap by the host. */
static void a_command_for_another_wave_is_an_ordinary_trap(void **state)
{
	struct pair p;

	(void)state;
	pair_new(&p);
	begin(&p, 32, ~0U);
	for (unsigned int n = 0; n < 3; n++) {
		u64 iv_entries = p.debugged->counters.iv_entries;
		u32 stops = pair_stops(&p);

		command_buffer(&p)[0] = GUARD;
		order(&p, n == 1 ? 0 : n == 2 ? 99 : TRAP_OP_LDS_READ, mailbox_of(&p) + !n, 0, 1);
		assert_int_equal(header(&p)[TRAP_HDR_DONE / 4], 0);
		assert_int_equal(command_buffer(&p)[0], GUARD);
		assert_int_equal(p.debugged->counters.iv_entries, iv_entries + 1);
		assert_int_equal(pair_stops(&p), stops + 1);
		assert_false(pair_differs(&p, "afterwards"));
	}
	pair_free(&p);
}

/* The program's s_trap has the id of commands, while the buffer has one for this wave. */
static void an_s_trap_with_the_id_of_commands_is_an_ordinary_trap(void **state)
{
	struct pair p;
	u32 stops;

	(void)state;
	pair_new(&p);
	begin(&p, 32, ~0U);
	order(&p, TRAP_OP_LDS_READ, mailbox_of(&p), 0, 1);
	header(&p)[TRAP_HDR_DONE / 4] = 0;
	stops = pair_stops(&p);
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(header(&p)[TRAP_HDR_DONE / 4], 0);
	assert_int_equal(pair_stops(&p), stops + 1);
	assert_int_equal(p.d->pc, GPU_VA + 12);
	pair_free(&p);
}

/* The exception for which the wave has stopped stays visible, and the wave can be resumed. */
static void a_command_keeps_a_pending_exception(void **state)
{
	struct pair p;
	u32 trapsts = 0;

	(void)state;
	pair_new(&p);
	begin(&p, 32, ~0U);
	p.d->excp_en = 1;
	p.d->excp = 1;
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(pair_stops(&p), 1);
	order(&p, TRAP_OP_LDS_READ, mailbox_of(&p), 0, 1);
	assert_int_equal(header(&p)[TRAP_HDR_DONE / 4], TRAP_OP_LDS_READ);
	assert_int_equal(pair_stops(&p), 1);
	assert_true(vgpu_wave_getreg(p.debugged, p.d, HW_TRAPSTS, &trapsts));
	assert_int_equal(trapsts & 0x1ff, 1);
	assert_int_equal(p.d->pc, GPU_VA);
	/* Up to its s_trap */
	gpu_write(p.debugged, R_SQ_CMD, 0, PAIR_RESUME);
	gpu_run(p.debugged);
	assert_int_equal(pair_stops(&p), 2);
	assert_int_equal(p.d->pc, GPU_VA + 12);
	pair_free(&p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lds_is_read_and_written_by_command),
		cmocka_unit_test(vgprs_are_read_by_command),
		cmocka_unit_test(cond_dbg_is_set_by_command),
		cmocka_unit_test(a_command_for_another_wave_is_an_ordinary_trap),
		cmocka_unit_test(an_s_trap_with_the_id_of_commands_is_an_ordinary_trap),
		cmocka_unit_test(a_command_keeps_a_pending_exception),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
