// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The results of a wave do not depend on the number of instructions that are executed at a time,
 * or on whether each of them is checked: programs of random instructions are executed one
 * instruction at a time, in slices of random length, all at once, and as a slow wave, and must
 * have the same results. This test does not know the effect of an instruction; other tests do.
 * Each program with one way of executing it is one test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define PROGRAMS	250	/* for each kind of wave and of CPU */
#define STEPS		700	/* more than without run.c */
#define MOST		40	/* instructions of a program */
#define FARTHEST	3	/* dwords that a branch leaves out */

/* Where a program is: its middle is at the end of a page. */
#define PROGRAM		(MACHINE_BASE + 4096 - 128)

/* What loads and stores reach: some pages, of which the last one is missing */
#define PAGE		4096ULL
#define WINDOW		(MACHINE_HOLE - 9 * PAGE)
#define WINDOW_SIZE	(9 * PAGE)

/* VGPRs: three addresses, which instructions do not write, and others */
#define NUM_ADDR	3
#define FIRST		6
#define LAST		30
/* SGPRs: the address of what s_load_dword loads, behind what is written */
#define S_LAST		15
#define S_ADDR		16

struct kind {
	const char *name;
	u32 lanes, vgprs, shared;
};

static const struct kind kinds[] = {
	{ "wave32", 32, VGPU_NUM_VGPRS, 0 },
	{ "wave64", 64, VGPU_NUM_VGPRS, 0 },
	{ "wave32 with few VGPRs", 32, 24, 0 },
	{ "wave64 with shared VGPRs", 64, 24, 8 },
};

enum way { ONE_BY_ONE, SLICES, AT_ONCE, SLOW, NUM_WAYS };

static const char *const way_names[] = {
	"one by one", "in slices", "at once", "slow",
};

/* What a program leaves behind */
struct result {
	struct vgpu_wave w;
	u8 mem[WINDOW_SIZE];
	u32 done, faults, exceptions, illegal, ended, complaints;
	u64 fault_va, exception_pc;
};

static struct machine *m;
static u32 program[MOST * VGPU_MAX_WORDS + FARTHEST + 1];
static u32 words;
static struct vgpu_wave begin;
static u8 begin_mem[WINDOW_SIZE];
static struct result results[NUM_WAYS];
static unsigned int count, failed;

static u32 chance(u32 n)
{
	return machine_random() % n;
}

static u32 vgpr(void)
{
	return FIRST + chance(LAST - FIRST + 1);
}

/* SGPRs, VCC and EXEC */
static u32 sgpr(void)
{
	static const u8 others[] = { 106, 107, 126, 127 };

	return chance(8) ? chance(S_LAST + 1) : others[chance(4)];
}

static u32 scalar_source(void)
{
	return chance(3) ? sgpr() : chance(4) ? 128 + chance(81) :
	       240 + chance(16);
}

static u32 source(void)
{
	return chance(3) ? 256 + vgpr() : scalar_source();
}

/* "RDNA 2" ISA, AMD 2020, chapter 13; what follows is anything. */
static u32 vector(void)
{
	switch (chance(4)) {
	case 0:
		return 0x7e000000 | vgpr() << 17 | chance(256) << 9 | source();
	case 1:
		return 0x7c000000 | chance(256) << 17 | vgpr() << 9 | source();
	case 2:
		return 0xd4000000 | chance(1024) << 16 | vgpr() |
		       (chance(4) ? 0 : chance(0x10000) & 0xff00);
	default:
		return chance(64) << 25 | vgpr() << 17 | vgpr() << 9 | source();
	}
}

/* The time differs between two runs: hwreg(HW_REG_SHADER_CYCLES) */
static bool reads_time(u32 w)
{
	return (w & 0xff800000) == 0xb9000000 && (w & 63) == 29;
}

static u32 scalar(void)
{
	switch (chance(5)) {
	case 0:
		return 0xbe800000 | sgpr() << 16 | chance(80) << 8 |
		       scalar_source();
	case 1:
		return 0xbf000000 | chance(32) << 16 | scalar_source() << 8 |
		       scalar_source();
	case 2:
		/* Those above are jumps, of which most leave the program. */
		return 0xb0000000 | chance(27) << 23 | sgpr() << 16 |
		       chance(0x10000);
	default:
		return 0x80000000 | chance(64) << 23 | sgpr() << 16 |
		       scalar_source() << 8 | scalar_source();
	}
}

/* Forward, not always to where an instruction begins: s_branch, s_cbranch_* */
static u32 branch(void)
{
	static const u8 ops[] = { 2, 4, 5, 6, 7, 8, 9 };

	return 0xbf800000 | (u32)ops[chance(7)] << 16 |
	       chance(FARTHEST + 1);
}

static void memory(u32 *w)
{
	/* global_load_dword to _dwordx3, global_store_dword to _dwordx3 */
	static const u8 ops[] = { 12, 13, 15, 14, 28, 29, 31, 30 };
	u32 data = FIRST + chance(LAST - FIRST - 2);

	if (!chance(6)) {
		/* s_load_dword s[], s[16:17], a multiple of 4 */
		w[0] = 0xf4000000 | chance(S_LAST + 1) << 6 | S_ADDR / 2;
		w[1] = 0xfa000000 | chance(512) * 4;
		return;
	}
	w[0] = 0xdc008000 | (u32)ops[chance(8)] << 18 | chance(1024) * 4 % 2048;
	w[1] = 125 << 16 | data << 8 | data << 24 | 2 * chance(NUM_ADDR);
}

static void any_instruction(u32 *w)
{
	w[1] = chance(512) << 18 | source() << 9 | source() |
	       (chance(4) ? 0 : machine_random() & 0xf8000000);
	w[2] = machine_random();
	switch (chance(8)) {
	case 0:
		w[0] = branch();
		break;
	case 1:
	case 2:
		memory(w);
		break;
	case 3:
	case 4:
		w[0] = scalar();
		break;
	default:
		w[0] = vector();
		break;
	}
}

static void set_address(unsigned int n, unsigned int l, u64 va)
{
	begin.v[2 * n][l] = (u32)va;
	begin.v[2 * n + 1][l] = va >> 32;
}

static void arbitrary_registers(const struct kind *k)
{
	unsigned int n, l;

	machine_reset(m, k->lanes);
	m->w->num_vgprs = k->vgprs;
	m->w->shared_vgprs = k->shared;
	m->w->fp_round = chance(16);
	m->w->fp_denorm = chance(16);
	begin = *m->w;
	for (n = 0; n <= S_LAST; n++)
		begin.s[n] = machine_random();
	begin.s[VGPU_S_VCC] = machine_random();
	if (k->lanes == 64)
		begin.s[VGPU_S_VCC + 1] = machine_random();
	begin.s[S_ADDR] = (u32)WINDOW;
	begin.s[S_ADDR + 1] = WINDOW >> 32;
	for (n = FIRST; n < VGPU_NUM_VGPRS; n++) {
		for (l = 0; l < VGPU_LANES; l++)
			begin.v[n][l] = chance(4) ? machine_random() :
					0x3f800000 + l;
	}
	/* Shared ones are the same in both halves. */
	for (n = k->vgprs; n < k->vgprs + k->shared; n++)
		memcpy(&begin.v[n][32], &begin.v[n][0], 32 * sizeof(u32));
	for (l = 0; l < VGPU_LANES; l++) {
		set_address(0, l, WINDOW + 64 + l * 4);
		set_address(1, l, WINDOW + l % 8 * PAGE + l * 8);
		/* Into the hole, for the last ones */
		set_address(2, l, WINDOW + WINDOW_SIZE - 1024 + l * 16);
	}
	for (n = 0; n < WINDOW_SIZE; n++)
		begin_mem[n] = machine_random();
}

static void start(void)
{
	machine_reset(m, begin.lanes);
	*m->w = begin;
	memcpy(machine_mem(m, WINDOW), begin_mem, WINDOW_SIZE);
	vgpu_isa_invalidate(&m->g, ~0U);
	memcpy(machine_mem(m, PROGRAM), program, sizeof(program));
	m->w->pc = PROGRAM;
}

/* Can it be executed, and does the next instruction follow? */
static bool fits(const u32 *w)
{
	u64 pc = PROGRAM + words * 4;

	if (reads_time(w[0]))
		return false;
	memcpy(&program[words], w, VGPU_MAX_WORDS * sizeof(*w));
	start();
	m->w->num_vgprs = VGPU_NUM_VGPRS;
	m->w->shared_vgprs = 0;
	m->w->pc = pc;
	return vgpu_isa_run(&m->g, m->w, 1) == 1 && !m->w->stop &&
	       !m->complaints && m->w->pc > pc && m->w->pc <= pc + 20;
}

/* A loop of instructions that can be executed: so most of them are, many times. */
static void arbitrary_program(void)
{
	unsigned int n;

	words = 0;
	for (n = 5 + chance(MOST - 5); n; n--) {
		u32 w[VGPU_MAX_WORDS] = { 0 };
		struct vgpu_fields f;

		do {
			any_instruction(w);
		} while (!fits(w));
		vgpu_isa_of(&m->g)->decode(w, &f);
		words += f.words;
	}
	/* s_branch, more than once: one before it may leave it out. */
	for (n = 0; n <= FARTHEST; n++) {
		program[words] = 0xbf820000 | ((-words - 1) & 0xffff);
		words++;
	}
}

static void run(enum way way, struct result *r)
{
	u32 last = 1;

	start();
	m->w->slow = way == SLOW;
	r->done = 0;
	while (r->done < STEPS && last && !(m->w->stop & ~VGPU_STOP_YIELD)) {
		u32 left = STEPS - r->done;

		if (way == ONE_BY_ONE)
			left = 1;
		else if (way == SLICES)
			left = 1 + chance(chance(2) ? 8 : 300) % left;
		last = machine_run(m, left);
		r->done += last;
	}
	m->w->slow = false;
	r->w = *m->w;
	memcpy(r->mem, machine_mem(m, WINDOW), WINDOW_SIZE);
	r->faults = m->faults;
	r->fault_va = m->fault_va;
	r->exceptions = m->exceptions;
	r->exception_pc = m->exception_pc;
	r->illegal = m->illegal;
	r->ended = m->ended;
	r->complaints = m->complaints;
}

static const char *difference(const struct result *a, const struct result *b)
{
	if (a->done != b->done)
		return "number of instructions";
	if (a->w.pc != b->w.pc || a->w.stop != b->w.stop)
		return "where the wave is";
	if (memcmp(a->w.s, b->w.s, sizeof(a->w.s)) || a->w.scc != b->w.scc)
		return "SGPRs";
	if (memcmp(a->w.v, b->w.v, sizeof(a->w.v)))
		return "VGPRs";
	if (a->w.excp != b->w.excp || a->exceptions != b->exceptions ||
	    a->exception_pc != b->exception_pc)
		return "exceptions";
	if (a->faults != b->faults || a->fault_va != b->fault_va ||
	    a->illegal != b->illegal || a->ended != b->ended ||
	    a->complaints != b->complaints)
		return "the messages to the GPU";
	if (memcmp(&a->w, &b->w, sizeof(a->w)))
		return "other state of the wave";
	return memcmp(a->mem, b->mem, WINDOW_SIZE) ? "memory" : NULL;
}

static void print_program(void)
{
	u32 n = 0;

	while (n < words) {
		struct vgpu_fields f;
		char text[128];

		vgpu_isa_text(vgpu_isa_of(&m->g), &program[n], begin.lanes, text,
			      sizeof(text));
		printf("# %3u: %08x %s\n", n * 4, program[n], text);
		vgpu_isa_of(&m->g)->decode(&program[n], &f);
		n += f.words ? f.words : 1;
	}
}

/* How far programs come matters: what stops at once compares nothing. */
static void check_kind(const struct kind *k, const char *cpu)
{
	u32 n, bad[NUM_WAYS] = { 0 }, long_ones = 0;
	enum way way;

	for (n = 0; n < PROGRAMS; n++) {
		arbitrary_registers(k);
		arbitrary_program();
		run(ONE_BY_ONE, &results[0]);
		long_ones += results[0].done == STEPS;
		for (way = SLICES; way < NUM_WAYS; way++) {
			const char *what;

			run(way, &results[way]);
			what = difference(&results[0], &results[way]);
			if (!what || bad[way]++)
				continue;
			printf("# program %u: %s\n", n, what);
			print_program();
		}
	}
	for (way = SLICES; way < NUM_WAYS; way++) {
		failed += bad[way] > 0;
		printf("%sok %u - %s, %s%s\n", bad[way] ? "not " : "", ++count,
		       k->name, way_names[way], cpu);
	}
	failed += long_ones < PROGRAMS / 2;
	printf("%sok %u - %s, most programs continue%s\n",
	       long_ones < PROGRAMS / 2 ? "not " : "", ++count, k->name, cpu);
}

static void check(const char *cpu)
{
	unsigned int n;

	m = machine_new();
	for (n = 0; n < ARRAY_SIZE(kinds); n++)
		check_kind(&kinds[n], cpu);
	machine_free(m);
}

int main(void)
{
	check("");
	setenv("VGPU_NO_AVX2", "1", 1);
	check(" without AVX2");
	printf("1..%u\n", count);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
