// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run of instructions, apart from the instructions themselves: pages, the decode cache,
 * single steps, address watches, exceptions, traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"

/* llvm-mc-19 -triple=amdgcn -mcpu=gfx1033 -show-encoding */
#define S_MOV_S4_1		0xbe840381
#define S_ADD_S4_1		0x80048104	/* s_add_u32 s4, s4, 1 */
#define S_MOV_S5_LITERAL	0xbe8503ff, 0x12345678
#define S_BRANCH(n)		(0xbf820000 | ((n) & 0xffff))
#define S_SETPC_S6		0xbe802006
#define S_ENDPGM		0xbf810000
#define S_SLEEP			0xbf8e0001
#define S_ICACHE_INV		0xbf930000
#define S_NOP			0xbf800000
#define S_ROUND_UP		0xbfa40001
#define S_DEBUG_EN		0xba8002c1, 0x00000001	/* MODE bit 11 = 1 */
#define S_LOAD_S4		0xf4000103, 0xfa000000	/* from s[6:7] */
#define V_RCP_V1_V0		0x7e025500
#define V_RCP_IFLAG_V1_V0	0x7e025700
#define V_SQRT_V1_V0		0x7e026700
#define V_ADD_V1_V0_V2		0x06020500	/* v_add_f32 */
#define V_MIN_F32		0x1e020500	/* v1, v0, v2, as the next */
#define V_ADD_F16		0x64020500
#define V_CMP_LT_F32		0x7c020500
#define V_CVT_I32_F32		0x7e021100	/* v1, v0 */
#define V_CLREXCP		0x7e008200
#define S_GETREG_TRAPSTS	0xb904f803	/* s4 */
#define V_MUL_F64		0xd5650004, 0x00020500	/* v[4:5], v[0:1], v[2:3] */
#define V_DIV_FIXUP		0xd55f0001, 0x040a0102	/* v1, v2, v0, v2 */
#define V_INTERP		0xc8000001	/* is in no table of operations */
#define NO_INSTRUCTION		0x7e001200	/* VOP1 opcode 9 */
#define V_MOV_V4_V24		0x7e080318
#define V_LSHL_V4_V255		0xd6ff0004, 0x0003fe84	/* v[4:5], 4, v[255:256] */
#define V_ADD_CO_VCC_HI		0xd70f6b04, 0x00020702	/* v4, vcc_hi, v2, v3 */
#define LOAD_V2			0xdc308000, 0x027d0000	/* v2, v[0:1] */
#define STORE_V2		0xdc708000, 0x007d0200	/* v[0:1], v2 */
#define ATOMIC_ADD_V2		0xdcc88000, 0x007d0200	/* v[0:1], v2 */

#define DATA	(MACHINE_BASE + 0x10000)

static int setup(void **state)
{
	*state = machine_new();
	return 0;
}

static int teardown(void **state)
{
	machine_free(*state);
	return 0;
}

static void code(struct machine *m, const u32 *words, size_t size)
{
	machine_reset(m, 32);
	machine_code(m, words, size);
}

#define CODE(m, ...) do { \
		const u32 words_[] = { __VA_ARGS__ }; \
		code(m, words_, sizeof(words_)); \
	} while (0)

static void put(struct machine *m, u64 va, u32 word)
{
	memcpy(machine_mem(m, va), &word, 4);
}

static void set_v64(struct machine *m, unsigned int reg, u64 v)
{
	unsigned int l;

	for (l = 0; l < VGPU_LANES; l++) {
		m->w->v[reg][l] = (u32)v;
		m->w->v[reg + 1][l] = v >> 32;
	}
}

static void runs_as_many_as_asked(void **state)
{
	struct machine *m = *state;

	CODE(m, S_ADD_S4_1, S_BRANCH(-2));
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 1001), 1001);
	assert_int_equal(m->w->s[4], 501);
	assert_int_equal(m->w->pc, MACHINE_BASE + 4);
	assert_int_equal(m->w->instructions, 1001);
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 1), 1);
	assert_int_equal(m->w->pc, MACHINE_BASE);
}

static void ends_early(void **state)
{
	struct machine *m = *state;

	CODE(m, S_ADD_S4_1, S_ENDPGM);
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 1000), 2);
	assert_int_equal(m->ended, 1);
	assert_int_equal(m->w->pc, MACHINE_BASE + 8);
}

static void sleep_gives_the_slice_back(void **state)
{
	struct machine *m = *state;

	CODE(m, S_SLEEP, S_BRANCH(-2));
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 1000), 1);
	assert_int_equal(m->w->stop, VGPU_STOP_YIELD);
	assert_int_equal(m->w->pc, MACHINE_BASE + 4);
}

/* The literal of an instruction is on the next page. */
static void instruction_straddles_pages(void **state)
{
	struct machine *m = *state;

	CODE(m, S_NOP);
	put(m, MACHINE_BASE + 0xff8, S_MOV_S4_1);
	put(m, MACHINE_BASE + 0xffc, 0xbe8503ff);
	put(m, MACHINE_BASE + 0x1000, 0x12345678);
	put(m, MACHINE_BASE + 0x1004, S_ADD_S4_1);
	put(m, MACHINE_BASE + 0x1008, S_ENDPGM);
	m->w->pc = MACHINE_BASE + 0xff8;
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 100), 4);
	assert_int_equal(m->w->s[5], 0x12345678);
	assert_int_equal(m->w->s[4], 2);
	assert_int_equal(m->ended, 1);
}

static void literal_on_a_missing_page(void **state)
{
	struct machine *m = *state;

	CODE(m, S_NOP);
	put(m, MACHINE_HOLE - 4, 0xbe8503ff);
	m->w->pc = MACHINE_HOLE - 4;
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->illegal, 1);
	assert_int_equal(m->w->pc, MACHINE_HOLE - 4);
}

static void branches_between_pages(void **state)
{
	struct machine *m = *state;

	CODE(m, S_BRANCH(0x7ff));
	put(m, MACHINE_BASE + 0x2000, S_ADD_S4_1);
	put(m, MACHINE_BASE + 0x2004, S_BRANCH(-0x802));
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 300), 300);
	assert_int_equal(m->w->s[4], 100);
}

/* More pages than the cache keeps, twice. */
static void more_pages_than_the_cache(void **state)
{
	struct machine *m = *state;
	u64 n, pages = 2 * VGPU_ISA_PAGES + 3;

	CODE(m, S_NOP);
	for (n = 0; n < pages; n++) {
		u64 va = MACHINE_BASE + n * VGPU_PAGE_SIZE;

		put(m, va, S_ADD_S4_1);
		put(m, va + 4, S_BRANCH(n + 1 < pages ? 0x3fe : 0));
	}
	put(m, MACHINE_BASE + (pages - 1) * VGPU_PAGE_SIZE + 8, S_SETPC_S6);
	m->w->s[6] = (u32)MACHINE_BASE;
	m->w->s[7] = MACHINE_BASE >> 32;
	vgpu_isa_run(&m->g, m->w, 3 * (2 * pages + 1));
	assert_int_equal(m->w->s[4], 3 * pages);
}

static void fetch_from_a_missing_page(void **state)
{
	struct machine *m = *state;

	CODE(m, S_SETPC_S6);
	m->w->s[6] = (u32)MACHINE_HOLE;
	m->w->s[7] = MACHINE_HOLE >> 32;
	vgpu_isa_run(&m->g, m->w, 100);
	assert_int_equal(m->faults, 1);
	assert_int_equal(m->fault_va, MACHINE_HOLE);
	assert_int_equal(m->exceptions, WAVE_EXCP_MEM_VIOL);
	assert_int_equal(m->exception_pc, MACHINE_HOLE);
}

static void patched_code_needs_invalidation(void **state)
{
	struct machine *m = *state;

	CODE(m, S_ADD_S4_1, S_BRANCH(-2));
	vgpu_isa_run(&m->g, m->w, 2);
	put(m, MACHINE_BASE, S_MOV_S4_1);
	vgpu_isa_run(&m->g, m->w, 20);
	assert_int_equal(m->w->s[4], 11);
	/* Another VMID's does not help. */
	vgpu_isa_invalidate(&m->g, MACHINE_VMID + 1);
	vgpu_isa_run(&m->g, m->w, 2);
	assert_int_equal(m->w->s[4], 12);
	vgpu_isa_invalidate(&m->g, MACHINE_VMID);
	vgpu_isa_run(&m->g, m->w, 2);
	assert_int_equal(m->w->s[4], 1);
}

static void wave_invalidates_itself(void **state)
{
	struct machine *m = *state;

	CODE(m, S_ADD_S4_1, S_ICACHE_INV, S_BRANCH(-3));
	vgpu_isa_run(&m->g, m->w, 1);
	put(m, MACHINE_BASE, S_MOV_S4_1);
	m->w->s[4] = 50;
	vgpu_isa_run(&m->g, m->w, 30);
	assert_int_equal(m->w->s[4], 1);
}

static void no_such_instruction(void **state)
{
	struct machine *m = *state;

	CODE(m, S_NOP, NO_INSTRUCTION);
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 100), 2);
	assert_int_equal(m->illegal, 1);
	assert_int_equal(m->complaints, 1);
	assert_int_equal(m->w->pc, MACHINE_BASE + 4);
	assert_non_null(strstr(m->log, "7e001200"));
}

/* "RDNA 2" ISA, chapter 13, SDWA: selects of 7, and DST_UNUSED 3, are reserved. */
static void reserved_selects(void **state)
{
	/* v_mov_b32_sdwa v1, v0 dst_sel:DWORD dst_unused:PAD src0_sel:DWORD */
	static const u32 second[] = { 0x00060700, 0x00070600, 0x00061e00 };
	struct machine *m = *state;
	unsigned int i;

	CODE(m, 0x7e0202f9, 0x00060600, S_ENDPGM);
	vgpu_isa_run(&m->g, m->w, 100);
	assert_int_equal(m->illegal, 0);
	for (i = 0; i < ARRAY_SIZE(second); i++) {
		CODE(m, 0x7e0202f9, second[i], S_ENDPGM);
		vgpu_isa_run(&m->g, m->w, 100);
		assert_int_equal(m->illegal, 1);
	}
}

/* An address in v[255:256]: there is no such register. */
static void address_beyond_the_last_vgpr(void **state)
{
	struct machine *m = *state;

	CODE(m, 0xdc308000, 0x027d00ff, S_ENDPGM);
	vgpu_isa_run(&m->g, m->w, 100);
	assert_int_equal(m->illegal, 1);
	/* With a base in s[6:7] it is v255 alone. */
	CODE(m, 0xdc308000, 0x020600ff, S_ENDPGM);
	m->w->s[6] = (u32)DATA;
	m->w->s[7] = DATA >> 32;
	put(m, DATA, 0x1234);
	vgpu_isa_run(&m->g, m->w, 100);
	assert_int_equal(m->illegal, 0);
	assert_int_equal(m->w->v[2][0], 0x1234);
}

/* Waves with more or fewer VGPRs execute the same code, one after the other. */
static void vgprs_of_each_wave(void **state)
{
	static const u32 vgprs[] = { 24, 32, 16, 24 };
	struct machine *m = *state;
	unsigned int n;

	CODE(m, V_MOV_V4_V24, S_ENDPGM);
	for (n = 0; n < ARRAY_SIZE(vgprs); n++) {
		machine_reset(m, 32);
		m->w->num_vgprs = vgprs[n];
		m->w->v[0][3] = 7;
		m->w->v[24][3] = 9;
		assert_int_equal(machine_run(m, 10), 2);
		assert_int_equal(m->w->v[4][3], vgprs[n] > 24 ? 9 : 7);
	}
}

/* It begins with one that the wave has; there is none behind it. */
static void pair_behind_the_last_vgpr(void **state)
{
	struct machine *m = *state;

	CODE(m, V_LSHL_V4_V255, S_ENDPGM);
	m->w->v[0][3] = 1;
	m->w->v[1][3] = 2;
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->illegal, 0);
	assert_int_equal(m->complaints, 1);
	assert_int_equal(m->w->v[4][3], 16);
	assert_int_equal(m->w->v[5][3], 32);
}

/*
 * A mask of a wave64 that begins with VCC_HI ends with a TTMP, which only the handler
 * can write. That of a wave32, which has decoded the same code, does not.
 */
static void masks_of_each_wave_size(void **state)
{
	struct machine *m = *state;

	CODE(m, V_ADD_CO_VCC_HI, S_ENDPGM);
	machine_run(m, 10);
	machine_reset(m, 64);
	memset(m->w->v[2], 0xff, sizeof(m->w->v[2]));
	memset(m->w->v[3], 0xff, sizeof(m->w->v[3]));
	m->w->s[VGPU_S_TTMP0] = 5;
	machine_run(m, 10);
	assert_int_equal(m->w->s[VGPU_S_VCC + 1], ~0U);
	assert_int_equal(m->w->s[VGPU_S_TTMP0], 5);
}

static void instruction_without_operation(void **state)
{
	struct machine *m = *state;

	CODE(m, V_INTERP);
	vgpu_isa_run(&m->g, m->w, 100);
	assert_int_equal(m->illegal, 1);
	assert_non_null(strstr(m->log, "v_interp_p1_f32"));
}

static void step_after_each_instruction(void **state)
{
	struct machine *m = *state;

	CODE(m, S_ADD_S4_1, S_ADD_S4_1, S_ADD_S4_1, S_ENDPGM);
	m->w->debug_en = true;
	m->w->trap_en = true;
	m->w->slow = true;
	vgpu_isa_run(&m->g, m->w, 2);
	assert_int_equal(m->steps, 2);
	/* Not after the end of the program. */
	vgpu_isa_run(&m->g, m->w, 2);
	assert_int_equal(m->steps, 3);
}

static void no_step_in_the_handler(void **state)
{
	struct machine *m = *state;

	CODE(m, S_ADD_S4_1, S_BRANCH(-2));
	m->w->debug_en = true;
	m->w->trap_en = true;
	m->w->priv = true;
	m->w->slow = true;
	vgpu_isa_run(&m->g, m->w, 10);
	assert_int_equal(m->steps, 0);
}

/* The instruction that switches it on is not stepped itself. */
static void step_begins_with_the_next(void **state)
{
	struct machine *m = *state;

	CODE(m, S_DEBUG_EN, S_ADD_S4_1, S_ENDPGM);
	m->w->trap_en = true;
	m->w->slow = true;
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->steps, 0);
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->steps, 1);
}

static void watch(struct machine *m, enum vgpu_watch_kind kind, u32 bits)
{
	m->watch_va = DATA;
	m->watch_kind = kind;
	m->watch_bits = bits;
	m->w->slow = true;
	set_v64(m, 0, DATA);
	m->w->s[6] = (u32)DATA;
	m->w->s[7] = DATA >> 32;
}

static void watch_of_reads(void **state)
{
	struct machine *m = *state;

	CODE(m, STORE_V2, LOAD_V2, S_ENDPGM);
	watch(m, VGPU_WATCH_READ, WAVE_EXCP_WATCH0);
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, 0);
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, WAVE_EXCP_WATCH0);
	assert_int_equal(m->exception_pc, MACHINE_BASE + 16);
}

static void watch_of_writes_and_atomics(void **state)
{
	struct machine *m = *state;

	CODE(m, STORE_V2, ATOMIC_ADD_V2, S_ENDPGM);
	watch(m, VGPU_WATCH_WRITE, BIT(12));
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, BIT(12));
	/* The access is done: the exception comes after it. */
	assert_int_equal(*(u32 *)machine_mem(m, DATA), m->w->v[2][31]);

	CODE(m, LOAD_V2, ATOMIC_ADD_V2, S_ENDPGM);
	watch(m, VGPU_WATCH_ATOMIC, BIT(13));
	vgpu_isa_run(&m->g, m->w, 2);
	assert_int_equal(m->exceptions, BIT(13));
}

static void watch_of_scalar_loads(void **state)
{
	struct machine *m = *state;

	CODE(m, S_LOAD_S4, S_ENDPGM);
	watch(m, VGPU_WATCH_SCALAR_READ, BIT(14));
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, BIT(14));
}

static void watch_sees_active_lanes_only(void **state)
{
	struct machine *m = *state;

	CODE(m, LOAD_V2, S_ENDPGM);
	watch(m, VGPU_WATCH_READ, WAVE_EXCP_WATCH0);
	set_v64(m, 0, DATA + 64);
	m->w->v[0][5] = (u32)DATA;
	m->w->s[VGPU_S_EXEC] = ~BIT(5);
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, 0);
}

/* The exceptions of one instruction with v0, v2 the same in all lanes. */
static u32 excp(struct machine *m, u32 word, u32 v0, u32 v2, u32 enable)
{
	unsigned int l;

	CODE(m, word, S_ENDPGM);
	m->w->excp_en |= enable;
	for (l = 0; l < VGPU_LANES; l++) {
		m->w->v[0][l] = v0;
		m->w->v[2][l] = v2;
	}
	vgpu_isa_run(&m->g, m->w, 1);
	if (m->exceptions)
		assert_int_equal(m->exception_pc, MACHINE_BASE + 4);
	return m->exceptions;
}

static void float_exceptions(void **state)
{
	struct machine *m = *state;
	const u32 one = 0x3f800000, big = 0x7f7fffff;

	/* None enabled: not even looked for. */
	assert_int_equal(excp(m, V_RCP_V1_V0, 0, 0, 0), 0);
	assert_int_equal(excp(m, V_RCP_V1_V0, 0, 0, 4), WAVE_EXCP_DIV0);
	assert_int_equal(excp(m, V_RCP_V1_V0, 0x40000000, 0, 4), 0);
	assert_int_equal(excp(m, V_RCP_V1_V0, 0x40400000, 0, 4),
			 WAVE_EXCP_INEXACT);
	assert_int_equal(excp(m, V_SQRT_V1_V0, 0xbf800000, 0, 1),
			 WAVE_EXCP_INVALID);
	assert_int_equal(excp(m, V_ADD_V1_V0_V2, one, one, 0x3f), 0);
	assert_int_equal(excp(m, V_ADD_V1_V0_V2, big, big, 0x3f),
			 WAVE_EXCP_OVERFLOW | WAVE_EXCP_INEXACT);
	assert_int_equal(excp(m, V_ADD_V1_V0_V2, 1, 1, 0x3f),
			 WAVE_EXCP_DENORM);
	assert_int_equal(excp(m, V_ADD_V1_V0_V2, 0x7f800000, 0xff800000, 0x3f),
			 WAVE_EXCP_INVALID);
	assert_int_equal(excp(m, V_RCP_IFLAG_V1_V0, 0, 0, 0x40),
			 WAVE_EXCP_INT_DIV0);
	assert_int_equal(excp(m, V_RCP_IFLAG_V1_V0, one, 0, 0x40), 0);
	/* The results are those of a wave without exceptions. */
	assert_int_equal(m->w->v[1][3], one);
}

/* A wave gathers what MODE does not enable, for s_getreg too. */
static void exceptions_are_gathered(void **state)
{
	struct machine *m = *state;
	unsigned int l;

	CODE(m, V_RCP_V1_V0, S_GETREG_TRAPSTS, V_ADD_V1_V0_V2, S_ENDPGM);
	for (l = 0; l < VGPU_LANES; l++) {
		m->w->v[0][l] = l == 7 ? 0 : 0x3f800000;
		m->w->v[2][l] = 1;
	}
	machine_run(m, 10);
	assert_int_equal(m->ended, 1);
	assert_int_equal(m->exceptions, 0);
	assert_int_equal(m->w->s[4], 4);	/* TRAPSTS.EXCP[2] */
	assert_int_equal(m->w->excp, WAVE_EXCP_DIV0 |
			 WAVE_EXCP_DENORM | WAVE_EXCP_INEXACT);

	/* Of two, the second one alone; nothing of another wave's. */
	CODE(m, V_RCP_V1_V0, V_CLREXCP, V_ADD_V1_V0_V2, S_ENDPGM);
	for (l = 0; l < VGPU_LANES; l++) {
		m->w->v[0][l] = 0;
		m->w->v[2][l] = 0x3f800000;
	}
	machine_run(m, 10);
	assert_int_equal(m->w->excp, 0);
	CODE(m, S_NOP, S_ENDPGM);
	machine_run(m, 10);
	assert_int_equal(m->w->excp, 0);
}

/* What lanes hold that are not active does not matter, whatever it is. */
static void inactive_lanes_raise_nothing(void **state)
{
	static const u32 words[] = {
		V_ADD_V1_V0_V2, V_RCP_V1_V0, V_SQRT_V1_V0, V_CMP_LT_F32,
		V_RCP_IFLAG_V1_V0, V_MIN_F32, V_CVT_I32_F32, V_ADD_F16,
	};
	static const u32 bad[] = { 0, 1, 0x7f800001, 0x7f7fffff, 0xff800000 };
	struct machine *m = *state;
	unsigned int l, n;

	for (n = 0; n < ARRAY_SIZE(words); n++) {
		CODE(m, words[n], S_ENDPGM);
		for (l = 0; l < VGPU_LANES; l++) {
			m->w->v[0][l] = bad[l % ARRAY_SIZE(bad)];
			m->w->v[2][l] = bad[l / 7 % ARRAY_SIZE(bad)];
		}
		m->w->v[0][7] = 0x3f800000;
		m->w->v[2][7] = 0x3f800000;
		m->w->s[VGPU_S_EXEC] = BIT(7);
		m->w->excp_en |= 0x7f;
		vgpu_isa_run(&m->g, m->w, 1);
		assert_int_equal(m->w->excp, 0);
	}
}

/* It is the instruction that was decoded which raises. */
static void exceptions_of_what_was_decoded(void **state)
{
	struct machine *m = *state;
	unsigned int l;

	CODE(m, V_RCP_V1_V0, S_ENDPGM);
	for (l = 0; l < VGPU_LANES; l++)
		m->w->v[0][l] = 0x3f800000;
	vgpu_isa_run(&m->g, m->w, 1);
	put(m, MACHINE_BASE, S_NOP);	/* without invalidating */
	m->w->pc = MACHINE_BASE;
	m->w->excp_en |= 4;
	m->w->v[0][3] = 0;
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->w->v[1][3], 0x7f800000);
	assert_int_equal(m->exceptions, WAVE_EXCP_DIV0);
}

/* The last step of a division is where dividing by zero is noticed. */
static void division_by_zero(void **state)
{
	struct machine *m = *state;
	unsigned int l;

	CODE(m, V_DIV_FIXUP, S_ENDPGM);
	m->w->excp_en |= 4;
	for (l = 0; l < VGPU_LANES; l++) {
		m->w->v[0][l] = 0;
		m->w->v[2][l] = 0x3f800000;
	}
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, WAVE_EXCP_DIV0);
	assert_int_equal(m->w->v[1][0], 0x7f800000);
}

static void exceptions_of_active_lanes_only(void **state)
{
	struct machine *m = *state;
	unsigned int l;

	CODE(m, V_RCP_V1_V0, S_ENDPGM);
	m->w->excp_en |= 4;
	for (l = 0; l < VGPU_LANES; l++)
		m->w->v[0][l] = l == 7 ? 0 : 0x3f800000;
	m->w->s[VGPU_S_EXEC] = ~BIT(7);
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, 0);
}

static void double_underflow(void **state)
{
	struct machine *m = *state;

	CODE(m, V_MUL_F64, S_ENDPGM);
	m->w->excp_en |= 0x10;
	set_v64(m, 0, 0x0010000000000001);
	set_v64(m, 2, 0x3fe0000000000000);
	vgpu_isa_run(&m->g, m->w, 1);
	assert_int_equal(m->exceptions, WAVE_EXCP_UNDERFLOW |
			 WAVE_EXCP_INEXACT);
}

/* A change of MODE is seen by the next instruction of the same run. */
static void rounding_changes_at_once(void **state)
{
	struct machine *m = *state;
	unsigned int l;

	CODE(m, V_ADD_V1_V0_V2, S_ROUND_UP, S_NOP, S_ENDPGM);
	put(m, MACHINE_BASE + 8, V_ADD_V1_V0_V2 + BIT(17));	/* to v2 */
	for (l = 0; l < VGPU_LANES; l++) {
		m->w->v[0][l] = 0x3f800000;
		m->w->v[2][l] = 0x33000000;
	}
	vgpu_isa_run(&m->g, m->w, 10);
	assert_int_equal(m->w->v[1][0], 0x3f800000);
	assert_int_equal(m->w->v[2][0], 0x3f800001);
}

static void trace_has_a_line_per_instruction(void **state)
{
	struct machine *m = *state;

	CODE(m, S_ADD_S4_1, V_ADD_V1_V0_V2, S_ENDPGM);
	m->g.opt.trace_waves = true;
	m->w->slow = true;
	vgpu_isa_run(&m->g, m->w, 2);
	m->g.opt.trace_waves = false;
	assert_int_equal(m->lines, 2);
	assert_non_null(strstr(m->log, "pc 100000004 exec ffffffff"));
	assert_non_null(strstr(m->log, ": v_add_f32 v1, v0, v2"));
}

/* Lanes with addresses on several pages, one of them missing. */
static void faults_of_some_lanes(void **state)
{
	struct machine *m = *state;
	unsigned int l;

	CODE(m, LOAD_V2, S_ADD_S4_1, S_ENDPGM);
	for (l = 0; l < 32; l++) {
		u64 va = DATA + (l & 3) * VGPU_PAGE_SIZE + l * 4;

		put(m, va, 1000 + l);
		if (l == 9 || l == 20)
			va = MACHINE_HOLE + l * 4;
		m->w->v[0][l] = (u32)va;
		m->w->v[1][l] = va >> 32;
	}
	vgpu_isa_run(&m->g, m->w, 2);
	for (l = 0; l < 32; l++)
		assert_int_equal(m->w->v[2][l],
				 l == 9 || l == 20 ? 0 : 1000 + l);
	/* Reported once, by the first lane; the wave continued. */
	assert_int_equal(m->faults, 1);
	assert_int_equal(m->fault_va, MACHINE_HOLE + 36);
	assert_int_equal(m->exceptions, WAVE_EXCP_MEM_VIOL);
	assert_int_equal(m->exception_pc, MACHINE_BASE + 8);
	assert_int_equal(m->w->s[4], 1);
}

/* Dense, in one page, but for the last lane's bytes. */
static void load_across_a_page_end(void **state)
{
	struct machine *m = *state;
	u64 base = DATA + VGPU_PAGE_SIZE - 32 * 4 + 2;
	unsigned int l;

	CODE(m, LOAD_V2, S_ENDPGM);
	for (l = 0; l < 33; l++)
		put(m, base - 2 + l * 4, 0x10000 * (2 * l + 1) + 2 * l);
	for (l = 0; l < 32; l++) {
		m->w->v[0][l] = (u32)(base + l * 4);
		m->w->v[1][l] = base >> 32;
	}
	vgpu_isa_run(&m->g, m->w, 1);
	for (l = 0; l < 32; l++)
		assert_int_equal(m->w->v[2][l],
				 0x10000 * (2 * l + 2) + 2 * l + 1);
	assert_int_equal(m->faults, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(runs_as_many_as_asked),
		TEST(ends_early),
		TEST(sleep_gives_the_slice_back),
		TEST(instruction_straddles_pages),
		TEST(literal_on_a_missing_page),
		TEST(branches_between_pages),
		TEST(more_pages_than_the_cache),
		TEST(fetch_from_a_missing_page),
		TEST(patched_code_needs_invalidation),
		TEST(wave_invalidates_itself),
		TEST(no_such_instruction),
		TEST(reserved_selects),
		TEST(address_beyond_the_last_vgpr),
		TEST(vgprs_of_each_wave),
		TEST(pair_behind_the_last_vgpr),
		TEST(masks_of_each_wave_size),
		TEST(instruction_without_operation),
		TEST(step_after_each_instruction),
		TEST(no_step_in_the_handler),
		TEST(step_begins_with_the_next),
		TEST(watch_of_reads),
		TEST(watch_of_writes_and_atomics),
		TEST(watch_of_scalar_loads),
		TEST(watch_sees_active_lanes_only),
		TEST(float_exceptions),
		TEST(exceptions_are_gathered),
		TEST(inactive_lanes_raise_nothing),
		TEST(exceptions_of_what_was_decoded),
		TEST(division_by_zero),
		TEST(exceptions_of_active_lanes_only),
		TEST(double_underflow),
		TEST(rounding_changes_at_once),
		TEST(trace_has_a_line_per_instruction),
		TEST(faults_of_some_lanes),
		TEST(load_across_a_page_end),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
