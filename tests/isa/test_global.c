// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GLOBAL loads and stores of one to four dwords, with and without a base in SGPRs, compared with
 * a model that accesses single bytes: an address per lane ("RDNA 2" ISA, AMD 2020, 9.1 and 9.3),
 * one lane after the other; missing bytes read 0 and are not written, and the first of them
 * causes the fault. The interpreter has several paths, which depend on the present and earlier
 * addresses of the lanes. So one instruction is executed repeatedly, with lanes that keep their
 * addresses, change them, or have addresses that the fast paths do not support.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"

/* Pages on both sides of the missing one */
#define BEGIN		(MACHINE_HOLE - 0x20000)
#define END		(MACHINE_HOLE + 0x20000)
#define PAGE		4096U
/* Not where memory begins: lanes that store reach that, too. */
#define CODE		(MACHINE_BASE + 0x10000)

/* "RDNA 2" ISA, AMD 2020, 13.7: FLAT, SEG 2; opcodes of table 98 */
#define GLOBAL		0xdc008000
#define OP(n)		((n) << 18)
#define V_ADDR		10
#define V_DATA		20
#define S_BASE		8
#define S_NONE		125

static const u32 load_ops[] = { 0, 12, 13, 15, 14 };
static const u32 store_ops[] = { 0, 28, 29, 31, 30 };

struct insn {
	u32 num, offset;	/* dwords; bytes, 12 bits with sign */
	u32 data;		/* VGPR */
	bool store, based;
};

static struct machine *m;
static u8 model[END - BEGIN];
static u32 regs[VGPU_NUM_VGPRS][VGPU_LANES];

static u32 chance(u32 n)
{
	return machine_random() % n;
}

static s64 offset_of(const struct insn *i)
{
	return (s64)(i->offset ^ 0x800) - 0x800;
}

static void encode(const struct insn *i)
{
	u32 op = (i->store ? store_ops : load_ops)[i->num];
	u32 saddr = i->based ? S_BASE : S_NONE;
	u32 words[2] = {
		GLOBAL | OP(op) | i->offset,
		saddr << 16 | V_ADDR | (i->store ? i->data << 8 : i->data << 24),
	};

	vgpu_isa_invalidate(&m->g, ~0U);
	memcpy(machine_mem(m, CODE), words, sizeof(words));
}

static u64 lane_address(const struct insn *i, unsigned int l)
{
	u64 va = regs[V_ADDR][l];

	if (i->based)
		va += (u64)m->w->s[S_BASE + 1] << 32 | m->w->s[S_BASE];
	else
		va |= (u64)regs[V_ADDR + 1][l] << 32;
	return va + (u64)offset_of(i);
}

/* Give a lane the address, if it can have it. */
static void aim(const struct insn *i, unsigned int l, u64 va)
{
	va -= (u64)offset_of(i);
	if (i->based)
		va -= (u64)m->w->s[S_BASE + 1] << 32 | m->w->s[S_BASE];
	m->w->v[V_ADDR][l] = (u32)va;
	m->w->v[V_ADDR + 1][l] = va >> 32;
}

/* Where lanes are */
static u64 place(u32 how, u64 at, unsigned int l, unsigned int odd)
{
	switch (how) {
	case 0:
		return at + l * 4;
	case 1:
		return at;
	case 2:
		return (at & -(u64)PAGE) + chance(PAGE / 4 - 4) * 4;
	case 3:
		return (at & -(u64)PAGE) + (l & 7) * PAGE + chance(1000) * 4;
	case 4:
		return BEGIN + l % 32 * PAGE + chance(1000) * 4;
	case 5:
		return (at | (PAGE - 1)) + 1 - 64 + l * 4;
	case 6:
		return at + 1 + l * 16;
	case 7:
		return l == odd ? MACHINE_HOLE + chance(PAGE) : at + l * 4;
	case 8:
		return l == odd ? at + 0x500000000ULL : at + l * 4;
	case 9:
		return MACHINE_BASE - 64 + l * 4;
	case 10:
		return (u64)-(s64)(4 * VGPU_LANES) + l * 4;
	case 11:
		return l == odd ? at : at + 8 * l;
	case 12:
		return MACHINE_HOLE - 40 + l * 4;
	default:
		return BEGIN + chance(END - BEGIN - 64);
	}
}

#define PLACES		14

static void aim_all(const struct insn *i)
{
	u32 how = chance(PLACES), odd = chance(m->w->lanes), l;
	u64 at = BEGIN + chance((END - BEGIN) / 4 - 4 * PAGE) * 4;

	if (chance(3) == 0)
		at &= ~15ULL;
	for (l = 0; l < m->w->lanes; l++)
		aim(i, l, place(how, at, l, odd));
}

static u8 *model_byte(u64 va)
{
	if (va < MACHINE_BASE || va >= END || va / PAGE == MACHINE_HOLE / PAGE)
		return NULL;
	return va < BEGIN ? machine_mem(m, va) : &model[va - BEGIN];
}

/* False: of a dword a byte was missing. */
static bool model_dword(u64 va, u32 *reg, bool store, u64 *missing)
{
	u8 bytes[4] = { 0 }, *p;
	bool all = true;
	u32 n;

	if (store)
		memcpy(bytes, reg, 4);
	for (n = 0; n < 4; n++) {
		p = model_byte(va + n);
		if (!p && all)
			*missing = va + n;
		all &= !!p;
		if (p && store)
			*p = bytes[n];
		else if (p)
			bytes[n] = *p;
	}
	if (!store)
		memcpy(reg, bytes, 4);
	return all;
}

/* Executes it on regs[] and model[]. Returns if there is a fault, and where. */
static bool run_model(const struct insn *i, u64 exec, u64 *fault)
{
	u64 va[VGPU_LANES], missing = 0;
	bool faulted = false;
	unsigned int l, n;

	for (l = 0; l < m->w->lanes; l++)
		va[l] = lane_address(i, l);
	for (l = 0; l < m->w->lanes; l++) {
		for (n = 0; n < i->num && exec >> l & 1; n++) {
			if (model_dword(va[l] + n * 4, &regs[i->data + n][l],
					i->store, &missing) || faulted)
				continue;
			faulted = true;
			*fault = missing;
		}
	}
	return faulted;
}

static void run_once(const struct insn *i, u64 exec)
{
	struct vgpu_wave *w = m->w;
	u64 fault = 0;
	bool faulted;

	memcpy(regs, w->v, sizeof(regs));
	w->pc = CODE;
	w->stop = 0;
	w->s[VGPU_S_EXEC] = (u32)exec;
	w->s[VGPU_S_EXEC + 1] = exec >> 32;
	m->faults = 0;
	faulted = run_model(i, exec, &fault);
	assert_int_equal(vgpu_isa_run(&m->g, w, 1), 1);
	assert_int_equal(m->faults, faulted);
	if (faulted)
		assert_int_equal(m->fault_va, fault);
	assert_int_equal(w->pc, CODE + 8);
	assert_int_equal(memcmp(regs, w->v, sizeof(regs)), 0);
	assert_int_equal(memcmp(model, machine_mem(m, BEGIN), sizeof(model)), 0);
}

static void fill(void)
{
	unsigned int n, l;

	for (n = 0; n < sizeof(model); n++)
		model[n] = machine_random();
	memcpy(machine_mem(m, BEGIN), model, sizeof(model));
	for (n = 0; n < VGPU_NUM_VGPRS; n++) {
		for (l = 0; l < VGPU_LANES; l++)
			m->w->v[n][l] = machine_random();
	}
}

/* Of 32 lanes: all, none, all but one, or any. A wave64's halves need not agree. */
static u32 half_of_exec(void)
{
	switch (chance(4)) {
	case 0:
		return ~0U;
	case 1:
		return 0;
	case 2:
		return ~BIT(chance(32));
	default:
		return machine_random();
	}
}

/* Mostly all; of a wave32 the upper half means nothing. */
static u64 some_exec(void)
{
	u32 low = half_of_exec();

	return chance(3) ? ~0ULL : (u64)half_of_exec() << 32 | low;
}

/* One instruction, for a while; with a flush now and then. */
static void run_some(const struct insn *i, unsigned int lanes)
{
	struct vgpu_wave *w = m->w;
	unsigned int n;
	u64 base;

	machine_reset(m, lanes);
	fill();
	/* A base from which lanes carry into the upper half, or do not. */
	base = chance(2) ? MACHINE_BASE - 0x2000 : BEGIN - chance(0x1000);
	w->s[S_BASE] = (u32)base;
	w->s[S_BASE + 1] = base >> 32;
	encode(i);
	aim_all(i);
	for (n = 0; n < 24; n++) {
		/* The last load may have been to its own address. */
		if (chance(2) || (i->data <= V_ADDR + 1 && !i->store))
			aim_all(i);
		if (chance(10) == 0)
			vgpu_tlb_forget(vgpu_gmc_tlb(&m->g), 1 << MACHINE_VMID);
		w->slow = chance(8) == 0;
		run_once(i, some_exec());
	}
}

static void against_a_model(unsigned int lanes)
{
	unsigned int n, round;

	for (n = 0; n < 16; n++) {
		for (round = 0; round < 12; round++) {
			struct insn i = {
				.num = 1 + n % 4, .store = n & 4, .based = n & 8,
				.offset = chance(2) ? 0 : chance(4096),
				/* Its own address, or not */
				.data = chance(4) ? V_DATA : V_ADDR,
			};

			run_some(&i, lanes);
		}
	}
}

static void wave32(void **state)
{
	(void)state;
	against_a_model(32);
}

static void wave64(void **state)
{
	(void)state;
	against_a_model(64);
}

/*
 * All lanes are in one page, or each in one of two, when one of them goes to where it
 * begins in the page before the missing one, @room bytes from its end. @flush: where
 * the others are is found out anew.
 */
static void one_at_the_end(const struct insn *i, unsigned int lanes, u32 room,
			   bool apart, bool flush)
{
	u32 odd = chance(lanes), n, l;
	u64 va;

	machine_reset(m, lanes);
	fill();
	m->w->s[S_BASE] = (u32)(BEGIN - 0x2000);
	m->w->s[S_BASE + 1] = (BEGIN - 0x2000) >> 32;
	encode(i);
	for (l = 0; l < lanes; l++) {
		va = MACHINE_HOLE - PAGE + l * 16;
		aim(i, l, apart && l % 2 && l != odd ? va - PAGE : va);
	}
	for (n = 0; n < 2; n++)
		run_once(i, ~0ULL);
	assert_int_equal(m->faults, 0);
	aim(i, odd, MACHINE_HOLE - room);
	if (flush)
		vgpu_tlb_forget(vgpu_gmc_tlb(&m->g), 1 << MACHINE_VMID);
	run_once(i, ~0ULL);
	assert_int_equal(m->faults, room < 4 * i->num);
}

/* From what fits to what has but its first byte in the page */
static void page_ends(void **state)
{
	unsigned int n, room, how;

	(void)state;
	for (n = 0; n < 16; n++) {
		struct insn i = {
			.num = 1 + n % 4, .store = n & 4, .based = n & 8,
			.data = V_DATA,
		};

		for (room = 1; room <= 4 * i.num + 1; room++) {
			for (how = 0; how < 8; how++)
				one_at_the_end(&i, how & 4 ? 64 : 32, room,
					       how & 1, how & 2);
		}
	}
}

/* Where lanes were, but for the upper half of the address, there is nothing. */
static void other_4_gib(void **state)
{
	unsigned int n, l;

	(void)state;
	for (n = 0; n < 8; n++) {
		struct insn i = {
			.num = 1 + n % 4, .store = n & 4, .data = V_DATA,
		};

		machine_reset(m, 32);
		fill();
		encode(&i);
		for (l = 0; l < 32; l++)
			aim(&i, l, BEGIN + l * (PAGE + 16));
		run_once(&i, ~0ULL);
		run_once(&i, ~0ULL);
		assert_int_equal(m->faults, 0);
		for (l = 0; l < 32; l++)
			m->w->v[V_ADDR + 1][l] += 1;
		run_once(&i, ~0ULL);
		assert_int_equal(m->faults, 1);
	}
}

/* Lanes that store to one address do so in their order, whatever their pages. */
static void last_lane_wins(void **state)
{
	struct insn i = { .num = 1, .store = true, .data = V_DATA };
	u64 at = BEGIN + 3 * PAGE;
	unsigned int l, n;

	(void)state;
	machine_reset(m, 32);
	fill();
	encode(&i);
	for (n = 0; n < 3; n++) {
		for (l = 0; l < 32; l++) {
			aim(&i, l, l == 5 ? at - 2 : at + (l & n) * PAGE);
			m->w->v[V_DATA][l] = 0x01010101 * l;
		}
		run_once(&i, 0xffffffff);
		assert_int_equal(*machine_mem(m, at), 31 & ~n);
	}
}

static int begin(void **state)
{
	(void)state;
	m = machine_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	machine_free(m);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wave32),
		cmocka_unit_test(wave64),
		cmocka_unit_test(page_ends),
		cmocka_unit_test(other_4_gib),
		cmocka_unit_test(last_lane_wins),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, begin, end);
}
