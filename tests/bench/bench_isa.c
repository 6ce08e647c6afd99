// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The speed of the software GPU's instructions, in million wave instructions per second of CPU
 * time on one core: a loop of 8 vector and 3 scalar instructions, one of more expensive
 * instructions, and loops that load and store.
 *
 * usage: bench_isa [SECONDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "machine.h"

#define SLICE 1000000

/*
 * Made by: llvm-mc-19 -triple=amdgcn -mcpu=gfx1033 -show-encoding
 * The branch goes back to the first instruction; s0 is never 0 for long.
 */
static const u32 mixed[] = {
	0x4a000501,	/* v_add_nc_u32_e32 v0, v1, v2 */
	0x3a060500,	/* v_xor_b32_e32 v3, v0, v2 */
	0x34080683,	/* v_lshlrev_b32_e32 v4, 3, v3 */
	0x4a0a0804,	/* v_add_nc_u32_e32 v5, s4, v4 */
	0x060c0f07,	/* v_add_f32_e32 v6, v7, v7 */
	0x10100d06,	/* v_mul_f32_e32 v8, v6, v6 */
	0x38020b01,	/* v_or_b32_e32 v1, v1, v5 */
	0x36040702,	/* v_and_b32_e32 v2, v2, v3 */
	0x80048104,	/* s_add_u32 s4, s4, 1 */
	0xbf068004,	/* s_cmp_eq_u32 s4, 0 */
	0xbf84fff5,	/* s_cbranch_scc0 -11 */
	0xbf82fff4,	/* s_branch -12 */
};

/* Carries, exceptions that are computed, a modifier, EXEC */
static const u32 wrapped[] = {
	0xd70f6a03, 0x00020103,	/* v_add_co_u32 v3, vcc_lo, v3, v0 */
	0x500a0b04,	/* v_add_co_ci_u32_e32 v5, vcc_lo, v4, v5, vcc_lo */
	0x7c081106,	/* v_cmp_gt_f32_e32 vcc_lo, v6, v8 */
	0x02040501,	/* v_cndmask_b32_e32 v2, v1, v2, vcc_lo */
	0x20121106,	/* v_max_f32_e32 v9, v6, v8 */
	0xd54b0006, 0x241a1107,	/* v_fma_f32 v6, -v7, v8, v6 */
	0xbe863c6a,	/* s_and_saveexec_b32 s6, vcc_lo */
	0xbefe0306,	/* s_mov_b32 exec_lo, s6 */
	0xbf82fff5,	/* s_branch -11 */
};

static const u32 loads[] = {
	0xdc308000, 0x027d0000,	/* global_load_dword v2, v[0:1], off */
	0xdc308080, 0x037d0000,	/* global_load_dword v3, v[0:1], off offset:128 */
	0xdc308100, 0x047d0000,	/* global_load_dword v4, v[0:1], off offset:256 */
	0xdc308180, 0x057d0000,	/* global_load_dword v5, v[0:1], off offset:384 */
	0xbf82fff7,		/* s_branch -9 */
};

/* s5 moves all lanes to other pages and back. */
static const u32 moving_loads[] = {
	0x3a000005,		/* v_xor_b32_e32 v0, s5, v0 */
	0xdc308000, 0x027d0000,	/* global_load_dword v2, v[0:1], off */
	0xdc308080, 0x037d0000,	/* global_load_dword v3, v[0:1], off offset:128 */
	0xdc308100, 0x047d0000,	/* global_load_dword v4, v[0:1], off offset:256 */
	0xdc308180, 0x057d0000,	/* global_load_dword v5, v[0:1], off offset:384 */
	0xbf82fff6,		/* s_branch -10 */
};

static const u32 stores[] = {
	0xdc708000, 0x007d0200,	/* global_store_dword v[0:1], v2, off */
	0xdc708080, 0x007d0300,	/* global_store_dword v[0:1], v3, off offset:128 */
	0xdc708100, 0x007d0400,	/* global_store_dword v[0:1], v4, off offset:256 */
	0xdc708180, 0x007d0500,	/* global_store_dword v[0:1], v5, off offset:384 */
	0xbf82fff7,		/* s_branch -9 */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void prepare(struct machine *m, const u32 *code, size_t size,
		    unsigned int lanes, u64 exec)
{
	unsigned int l;

	machine_reset(m, lanes);
	machine_code(m, code, size);
	m->w->s[VGPU_S_EXEC] = (u32)exec;
	m->w->s[VGPU_S_EXEC + 1] = exec >> 32;
	m->w->s[5] = 8 * VGPU_PAGE_SIZE;
	for (l = 0; l < VGPU_LANES; l++) {
		u64 va = MACHINE_BASE + 0x10000 + l * 4;

		m->w->v[0][l] = (u32)va;
		m->w->v[1][l] = va >> 32;
		m->w->v[7][l] = 0x3f800000 + l;
	}
}

/* Lanes of a few pages each: every lane takes the way by the TLB. */
static void scatter(struct machine *m)
{
	unsigned int l;

	for (l = 0; l < VGPU_LANES; l++)
		m->w->v[0][l] += (l & 7) * VGPU_PAGE_SIZE;
}

static void measure(struct machine *m, const char *what, double seconds)
{
	double start = now(), took;
	u64 done = 0;

	do {
		done += machine_run(m, SLICE);
		took = now() - start;
	} while (took < seconds && !m->w->stop);
	printf("%-36s %8.1f M wave instructions/s\n", what,
	       (double)done / took / 1e6);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	struct machine *m = machine_new();

	prepare(m, mixed, sizeof(mixed), 32, 0xffffffff);
	measure(m, "8 VALU + 3 SALU, wave32", seconds);
	prepare(m, mixed, sizeof(mixed), 32, 0x0fffffff);
	measure(m, "8 VALU + 3 SALU, wave32, masked", seconds);
	prepare(m, mixed, sizeof(mixed), 64, ~0ULL);
	measure(m, "8 VALU + 3 SALU, wave64", seconds);
	prepare(m, wrapped, sizeof(wrapped), 32, 0xffffffff);
	measure(m, "carries, compares, modifiers, EXEC", seconds);
	prepare(m, loads, sizeof(loads), 32, 0xffffffff);
	measure(m, "4 loads + 1 branch, wave32", seconds);
	prepare(m, loads, sizeof(loads), 32, 0xffffffff);
	scatter(m);
	measure(m, "4 loads + 1 branch, wave32, 8 pages", seconds);
	prepare(m, moving_loads, sizeof(moving_loads), 32, 0xffffffff);
	scatter(m);
	measure(m, "the same, other pages each time", seconds);
	prepare(m, stores, sizeof(stores), 32, 0xffffffff);
	measure(m, "4 stores + 1 branch, wave32", seconds);
	prepare(m, stores, sizeof(stores), 32, 0xffffffff);
	scatter(m);
	measure(m, "4 stores + 1 branch, wave32, 8 pages", seconds);
	machine_free(m);
	return 0;
}
