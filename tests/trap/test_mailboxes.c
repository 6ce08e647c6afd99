// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mailboxes of the trap handler on a GPU with several shader engines: each slot has the
 * mailbox that trap_abi.h defines, and its wave sends the number with its interrupt. A wave
 * without a mailbox sends TRAP_NO_MAILBOX.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"
#include "trap_abi.h"

#define HANDLER		(GPU_VA + 0x1000)
#define TMA		(GPU_VA + 0x10000)
#define NUM_SE		4
#define NUM_SA		2
#define NUM_WGP		5
#define NUM_MAILBOXES	2560	/* with 4 SIMDs and 16 slots */
/* As many as the interrupt ring of sq_gpu.c has room for, and on all SIMDs of an engine */
#define NUM_WAVES	120

static const u32 program[] = { 0xbf920003 /* s_trap 3 */, I_ENDPGM };

static const u32 *mailbox_at(struct vgpu *g, u32 mailbox)
{
	return (const u32 *)gpu_mem(g, TMA + TRAP_HDR_SIZE + (u64)mailbox * TRAP_MAILBOX_SIZE);
}

static u32 mailbox_of(struct vgpu *g, const struct vgpu_wave *w)
{
	return trap_mailbox((const u32 *)gpu_mem(g, TMA), w->se, w->sa, w->wgp, w->simd, w->slot);
}

/* All waves stop at their s_trap. */
static struct vgpu *stopped_gpu(u32 num_mailboxes)
{
	struct vgpu *g = pair_gpu(NUM_SE, NUM_SA, NUM_WGP, HANDLER, TMA);
	struct vgpu_dispatch d = gpu_dispatch(32, NUM_WAVES);

	*(u32 *)gpu_mem(g, TMA + TRAP_HDR_NUM_MAILBOXES) = num_mailboxes;
	gpu_code(g, GPU_VA, program, ARRAY_SIZE(program));
	assert_int_equal(vgpu_sq_dispatch(g, &d), 0);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), NUM_WAVES);
	assert_int_equal(g->counters.iv_entries, NUM_WAVES);
	return g;
}

static void check_mailbox(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	u32 mailbox = mailbox_of(g, w), id1 = 0;
	unsigned int *count = arg;

	assert_in_range(mailbox, 0, NUM_MAILBOXES - 1);
	assert_int_equal(mailbox_at(g, mailbox)[TRAP_MAILBOX_COUNT / 4], 1);
	/* HW_REG_HW_ID1 */
	assert_true(vgpu_wave_getreg(g, w, 23, &id1));
	assert_int_equal(mailbox_at(g, mailbox)[TRAP_MAILBOX_HW_ID1 / 4], id1);
	count[w->se]++;
}

static void each_wave_writes_its_own_mailbox(void **state)
{
	struct vgpu *g = stopped_gpu(NUM_MAILBOXES);
	unsigned int count[NUM_SE] = { 0 }, filled = 0, n;

	(void)state;
	vgpu_sq_for_each(g, check_mailbox, count);
	for (n = 0; n < NUM_MAILBOXES; n++)
		filled += mailbox_at(g, n)[TRAP_MAILBOX_COUNT / 4];
	assert_int_equal(filled, NUM_WAVES);
	for (n = 0; n < NUM_SE; n++)
		assert_in_range(count[n], 1, NUM_WAVES);
	gpu_free(g);
}

/*
 * Fields of an interrupt: kfd_int_process_v10.c (Linux 6.12), CTXID0 and CTXID1; the
 * client is 0x0a for engine 0 (soc15_ih_clientid.h), as in tests/vgpu/test_trap.c.
 */
static u32 mailbox_of_iv(struct vgpu *g, const u32 *iv)
{
	u32 se = iv[5] >> 4 & 3, sa = iv[4] >> 23 & 1, wgp = iv[5] & 0xf;
	u32 simd = iv[4] >> 30, wave = iv[4] >> 25 & 0x1f;

	return trap_mailbox((const u32 *)gpu_mem(g, TMA), se, sa, wgp, simd, wave);
}

static void each_interrupt_has_the_number_of_the_mailbox(void **state)
{
	struct vgpu *g = stopped_gpu(NUM_MAILBOXES);
	unsigned int n;

	(void)state;
	for (n = 0; n < NUM_WAVES; n++) {
		const u32 *iv = gpu_iv(g, n);

		assert_int_equal(iv[4] & 0x7fffff, mailbox_of_iv(g, iv));
		assert_in_range(iv[4] & 0x7fffff, 0, NUM_MAILBOXES - 1);
	}
	gpu_free(g);
}

/* A header with fewer mailboxes than slots, and one with none */
static void a_wave_without_a_mailbox_sends_that_number(void **state)
{
	struct vgpu *g = stopped_gpu(640);	/* those of the first engine */
	unsigned int n, none = 0, filled = 0;

	(void)state;
	for (n = 0; n < NUM_WAVES; n++) {
		const u32 *iv = gpu_iv(g, n);

		assert_int_equal(iv[4] & 0x7fffff, mailbox_of_iv(g, iv));
		none += (iv[4] & 0x7fffff) == TRAP_NO_MAILBOX;
	}
	for (n = 0; n < NUM_MAILBOXES; n++)
		filled += mailbox_at(g, n)[TRAP_MAILBOX_COUNT / 4];
	assert_in_range(none, 1, NUM_WAVES - 1);
	assert_int_equal(filled, NUM_WAVES - none);
	gpu_free(g);

	g = stopped_gpu(0);
	for (n = 0; n < NUM_WAVES; n++)
		assert_int_equal(gpu_iv(g, n)[4] & 0x7fffff, TRAP_NO_MAILBOX);
	for (n = 0; n < NUM_MAILBOXES; n++)
		assert_int_equal(mailbox_at(g, n)[TRAP_MAILBOX_COUNT / 4], 0);
	gpu_free(g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_wave_writes_its_own_mailbox),
		cmocka_unit_test(each_interrupt_has_the_number_of_the_mailbox),
		cmocka_unit_test(a_wave_without_a_mailbox_sends_that_number),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
