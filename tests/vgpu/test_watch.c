// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Address watches: the accesses for which each watch register matches. Layouts and shifts are
 * those that amdgpu_amdkfd_gfx_v10.c (Linux 6.12) writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sq_gpu.h"

#define VALID		BIT(31)
#define MODE(m)		((u32)(m) << 29)
#define VMID(v)		((u32)(v) << 24)
#define MASK_ALL	0x7fffff	/* [29:7] compared: 128 bytes */
#define SQ_MASK_ALL	0xffffff	/* [29:6]: 64 bytes */
#define ADDR		0x7f1234567880ULL

enum {
	READ,
	NONREAD,
	ATOMIC,
	ALL,
};

static struct vgpu_wave wave = { .vmid = GPU_VMID };
static struct vgpu_wave other = { .vmid = GPU_OTHER_VMID };

static int setup(void **state)
{
	*state = gpu_new(1, 1, 4);
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

static void set_watch(struct vgpu *g, enum vgpu_role role, unsigned int n,
		      u64 addr, u32 cntl)
{
	gpu_write(g, role, n * 3 + 2, 0);
	gpu_write(g, role, n * 3 + 0, upper_32_bits(addr));
	gpu_write(g, role, n * 3 + 1, lower_32_bits(addr));
	gpu_write(g, role, n * 3 + 2, cntl);
}

static void set_tcp(struct vgpu *g, unsigned int n, u64 addr, u32 cntl)
{
	set_watch(g, R_TCP_WATCH0_ADDR_H, n, addr, cntl);
}

#define WATCH(n)	(WAVE_EXCP_WATCH0 << (n))

static u32 read4(struct vgpu *g, u64 addr)
{
	return vgpu_watch_match(g, &wave, addr, 4, VGPU_WATCH_READ);
}

static void a_watch_has_a_granule(void **state)
{
	struct vgpu *g = *state;

	assert_int_equal(read4(g, ADDR), 0);
	set_tcp(g, 0, ADDR, VALID | MODE(ALL) | VMID(GPU_VMID) | MASK_ALL);
	assert_int_equal(read4(g, ADDR), WATCH(0));
	assert_int_equal(read4(g, ADDR + 124), WATCH(0));
	assert_int_equal(read4(g, ADDR + 128), 0);
	assert_int_equal(read4(g, ADDR - 4), 0);
	/* an access that reaches into it */
	assert_int_equal(read4(g, ADDR - 2), WATCH(0));
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR - 8, 16,
					  VGPU_WATCH_READ), WATCH(0));
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR - 16, 16,
					  VGPU_WATCH_READ), 0);
	/* the upper half of the address counts */
	assert_int_equal(read4(g, ADDR ^ 1ULL << 46), 0);
	assert_int_equal(read4(g, ADDR ^ 1ULL << 30), 0);
}

static void a_watch_mask_ignores_address_bits(void **state)
{
	struct vgpu *g = *state;
	u64 base = ADDR & ~0xfffULL;

	/* 4 KiB: bits [29:12], so MASK is ~0xfff >> 7 */
	set_tcp(g, 0, base,
		VALID | MODE(ALL) | VMID(GPU_VMID) | (~0xfffU >> 7 & MASK_ALL));
	assert_int_equal(read4(g, base), WATCH(0));
	assert_int_equal(read4(g, base + 0xffc), WATCH(0));
	assert_int_equal(read4(g, base + 0x1000), 0);
	assert_int_equal(read4(g, base - 4), 0);
	/* No mask: 1 GiB, the bits above always compare. */
	set_tcp(g, 0, ADDR, VALID | MODE(ALL) | VMID(GPU_VMID));
	assert_int_equal(read4(g, ADDR ^ 1 << 29), WATCH(0));
	assert_int_equal(read4(g, ADDR ^ 1 << 30), 0);
}

static void each_mode_of_a_watch_hits_its_accesses(void **state)
{
	static const struct {
		unsigned int mode;
		bool read, write, atomic;
	} cases[] = {
		{ READ, true, false, false },
		{ NONREAD, false, true, true },
		{ ATOMIC, false, false, true },
		{ ALL, true, true, true },
	};
	struct vgpu *g = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		set_tcp(g, 0, ADDR, VALID | MODE(cases[i].mode) |
				    VMID(GPU_VMID) | MASK_ALL);
		assert_int_equal(!!vgpu_watch_match(g, &wave, ADDR, 4,
						    VGPU_WATCH_READ),
				 cases[i].read);
		assert_int_equal(!!vgpu_watch_match(g, &wave, ADDR, 4,
						    VGPU_WATCH_WRITE),
				 cases[i].write);
		assert_int_equal(!!vgpu_watch_match(g, &wave, ADDR, 4,
						    VGPU_WATCH_ATOMIC),
				 cases[i].atomic);
	}
}

static void a_watch_needs_its_vmid_and_valid(void **state)
{
	struct vgpu *g = *state;

	set_tcp(g, 0, ADDR, VALID | MODE(ALL) | VMID(GPU_OTHER_VMID) | MASK_ALL);
	assert_int_equal(read4(g, ADDR), 0);
	assert_int_equal(vgpu_watch_match(g, &other, ADDR, 4,
					  VGPU_WATCH_READ), WATCH(0));
	set_tcp(g, 0, ADDR, MODE(ALL) | VMID(GPU_VMID) | MASK_ALL);
	assert_int_equal(read4(g, ADDR), 0);
}

static void four_watches_are_independent(void **state)
{
	struct vgpu *g = *state;
	u32 cntl = VALID | MODE(ALL) | VMID(GPU_VMID) | MASK_ALL;
	unsigned int i;

	for (i = 0; i < 4; i++)
		set_tcp(g, i, ADDR + i * 128, cntl);
	assert_int_equal(read4(g, ADDR), WATCH(0));
	assert_int_equal(read4(g, ADDR + 128), WATCH(1));
	assert_int_equal(read4(g, ADDR + 256), WATCH(2));
	assert_int_equal(read4(g, ADDR + 384), WATCH(3));
	/* over the border of two */
	assert_int_equal(read4(g, ADDR + 254), WATCH(1) | WATCH(2));
	set_tcp(g, 3, ADDR, cntl);
	assert_int_equal(read4(g, ADDR), WATCH(3) | WATCH(0));
	vgpu_sq_reset(g);
	assert_int_equal(read4(g, ADDR), 0);
}

/* SQ_WATCH sees scalar reads only, in units of 64 bytes. */
static void sq_watch_hits_scalar_reads_only(void **state)
{
	struct vgpu *g = *state;

	set_watch(g, R_SQ_WATCH0_ADDR_H, 1, ADDR + 64,
		  VALID | MODE(ALL) | VMID(GPU_VMID) | SQ_MASK_ALL);
	assert_int_equal(read4(g, ADDR + 64), 0);
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR + 64, 4,
					  VGPU_WATCH_SCALAR_READ), WATCH(1));
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR + 60, 4,
					  VGPU_WATCH_SCALAR_READ), 0);
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR + 60, 8,
					  VGPU_WATCH_SCALAR_READ), WATCH(1));
	vgpu_quirk_set(g, "sq-watch", 0);
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR + 64, 4,
					  VGPU_WATCH_SCALAR_READ), 0);
	vgpu_quirk_set(g, "sq-watch", 1);
	set_tcp(g, 1, ADDR, VALID | MODE(ALL) | VMID(GPU_VMID) | MASK_ALL);
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR, 4,
					  VGPU_WATCH_SCALAR_READ), 0);
	/* NONREAD does not see them. */
	set_watch(g, R_SQ_WATCH0_ADDR_H, 1, ADDR + 64,
		  VALID | MODE(NONREAD) | VMID(GPU_VMID) | SQ_MASK_ALL);
	assert_int_equal(vgpu_watch_match(g, &wave, ADDR + 64, 4,
					  VGPU_WATCH_SCALAR_READ), 0);
}

/* Waves of the VMID are executed with checks while a watch is valid for it. */
static void waves_of_a_watched_vmid_run_with_checks(void **state)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 1);

	assert_false(w->slow);
	set_tcp(g, 2, ADDR, VALID | VMID(GPU_OTHER_VMID));
	assert_false(w->slow);
	set_tcp(g, 1, ADDR, VALID | VMID(GPU_VMID));
	assert_true(w->slow);
	vgpu_wave_end(g, w);
	w = gpu_halted_wave(g, code, 1);
	assert_true(w->slow);
	set_tcp(g, 1, ADDR, VMID(GPU_VMID));
	assert_false(w->slow);
	set_watch(g, R_SQ_WATCH0_ADDR_H, 0, ADDR, VALID | VMID(GPU_VMID));
	assert_true(w->slow);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(a_watch_has_a_granule),
		TEST(a_watch_mask_ignores_address_bits),
		TEST(each_mode_of_a_watch_hits_its_accesses),
		TEST(a_watch_needs_its_vmid_and_valid),
		TEST(four_watches_are_independent),
		TEST(sq_watch_hits_scalar_reads_only),
		TEST(waves_of_a_watched_vmid_run_with_checks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
