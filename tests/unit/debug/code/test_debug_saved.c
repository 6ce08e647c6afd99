// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/isa/saved*.c: vgpu's interpreter executes random instructions of those with which
 * functions save registers. After each of them, all that the state claims must be true: a value
 * that is claimed and wrong would be shown as a register of a caller.
 */
#include <stdio.h>

#include "interpreted.h"
#include "isa/saved_state.h"

#define ROUNDS		3000
#define INSNS		40
#define NUM_VGPRS	8
/* Of the stack pointer, for one lane */
#define STACK		0x100

/* Encodings of the RDNA 2 ISA document, chapter "Microcode formats" */
#define SOP1(op, d, s)		(0xbe800000 | (d) << 16 | (op) << 8 | (s))
#define SOP2(op, d, a, b)	(0x80000000 | (op) << 23 | (d) << 16 | (b) << 8 | (a))
#define SOPK(op, d, value)	(0xb0000000 | (op) << 23 | (d) << 16 | ((value) & 0xffff))
#define VOP1(op, d, s)		(0x7e000000 | (d) << 17 | (op) << 9 | (s))
#define VOP2(op, d, a, b)	((op) << 25 | (uint32_t)(d) << 17 | (b) << 9 | (a))
#define VOPC(op, a, b)		(0x7c000000 | (op) << 17 | (b) << 9 | (a))
#define VOP3(op, d)		(0xd4000000 | (op) << 16 | (d))
#define MUBUF(op, offset)	(0xe0000000 | (op) << 18 | (offset))
#define LITERAL			255
#define NUMBER(n)		((n) < 0 ? 192 - (n) : 128 + (n))

static struct machine *machine;
static struct vgpu_wave *wave, entry;
static unsigned long claims;
static char text[INSNS * 24];

static uint32_t below(uint32_t n)
{
	return machine_random() % n;
}

/* ------------------------------------------------------------------- instructions */

/* SGPRs whose values do not matter to the interpreter; those of stacks are changed apart. */
static uint32_t any_sgpr(bool is_pair)
{
	static const uint8_t list[] = { 4, 6, 8, 30, 106, 126 };
	uint32_t first = list[below(sizeof(list))];

	return is_pair || (first == 126 && wave->lanes == 32) ? first : first + below(2);
}

static uint32_t any_source(bool is_pair)
{
	switch (below(8)) {
	case 0:
		return NUMBER(0);
	case 1:
		return NUMBER(-1);
	case 2:
		return NUMBER((int)below(8));
	case 3:
		return wave->lanes == 64 || is_pair ? 126 : 126 + below(2);
	case 4:
		return is_pair ? 126 : 32;
	default:
		return any_sgpr(is_pair);
	}
}

static unsigned int scalar(uint32_t *insn)
{
	static const uint8_t saves[] = { 0x24, 0x25, 0x26, 0x27 }, saves32[] = { 0x3c, 0x3d, 0x3e };
	uint32_t op = below(8), which = below(4);

	switch (below(6)) {
	case 0:
		*insn = SOP1(3, any_sgpr(false), any_source(false));
		return 1;
	case 1:
		*insn = SOP1(4, any_sgpr(true), any_source(true));
		return 1;
	case 2:
		*insn = wave->lanes == 64 ? SOP1(saves[which], any_sgpr(true), any_source(true)) :
			SOP1(saves32[which % 3], any_sgpr(false), any_source(false));
		return 1;
	case 3:
		/* S_{AND,OR,XOR,ANDN2}_{B32,B64} */
		*insn = SOP2(0x0e + op, any_sgpr(op & 1), any_source(op & 1), any_source(op & 1));
		return 1;
	case 4:
		/* S_ADD_U32, S_SUB_U32, S_ADD_I32, S_SUB_I32, S_ADDC_U32 */
		*insn = SOP2(below(5), any_sgpr(false), any_source(false), any_source(false));
		return 1;
	default:
		*insn = SOPK(below(2) ? 0 : 15, any_sgpr(false), machine_random());
		return 1;
	}
}

/* The stack pointer, and copies of it in s33 and s34 */
static unsigned int stack(uint32_t *insn)
{
	uint32_t size = 16 * below(4) * wave->lanes, to = 32 + below(3), from = 32 + below(3);

	switch (below(3)) {
	case 0:
		*insn = SOP1(3, to == 32 ? 33 : to, from);
		return 1;
	case 1:
		*insn = SOPK(15, to, below(2) ? size : -size);
		return 1;
	default:
		insn[0] = SOP2(below(4), to, from, LITERAL);
		insn[1] = size;
		return 2;
	}
}

static unsigned int vector(uint32_t *insn)
{
	uint32_t to = below(NUM_VGPRS), from = below(NUM_VGPRS), lane = below(6);

	switch (below(7)) {
	case 0:
		*insn = VOP1(1, to, below(2) ? 256 + from : any_sgpr(false));
		return 1;
	case 1:
		*insn = VOP1(2, any_sgpr(false), 256 + from);
		return 1;
	case 2:		/* V_READLANE_B32 */
		insn[0] = VOP3(0x360, any_sgpr(false));
		insn[1] = (256 + from) | NUMBER((int)lane) << 9;
		return 2;
	case 3:		/* V_WRITELANE_B32 */
	case 4:
		insn[0] = VOP3(0x361, to);
		insn[1] = any_source(false) | NUMBER((int)lane) << 9;
		return 2;
	case 5:		/* V_ADD_NC_U32 */
		*insn = VOP2(0x25, to, NUMBER((int)lane), from);
		return 1;
	default:	/* V_CMP_LT_U32, V_CMPX_LT_U32 */
		*insn = VOPC(below(3) ? 0xc1 : 0xd1, NUMBER((int)lane), from);
		return 1;
	}
}

/* BUFFER_STORE_DWORD*, BUFFER_LOAD_DWORD* */
static unsigned int memory(uint32_t *insn)
{
	insn[0] = MUBUF((below(2) ? 0x1c : 0x0c) + below(4), 4 * below(8));
	insn[1] = (32 + below(3)) << 24 | below(NUM_VGPRS - 3) << 8;
	return 2;
}

static unsigned int any_insn(uint32_t *insn)
{
	switch (below(8)) {
	case 0:
	case 1:
		return memory(insn);
	case 2:
		return stack(insn);
	case 3:
	case 4:
	case 5:
		return vector(insn);
	default:
		return scalar(insn);
	}
}

/* ------------------------------------------------------------------------- claims */

static void claim(bool is_true, const char *what, uint32_t number)
{
	claims++;
	if (!is_true)
		fail_msg("wave%u: not true: %s %u, after%s", wave->lanes, what, number, text);
}

static bool is_value(const struct adbgd_known *k, uint32_t value)
{
	switch (k->kind) {
	case ADBGD_KNOWN_ENTRY:
		return value == entry.s[k->reg] + k->number;
	case ADBGD_KNOWN_CONST:
		return value == k->number;
	case ADBGD_KNOWN_INVERTED:
		return value == ~entry.s[k->reg];
	case ADBGD_KNOWN_MASK:
		return !(value & ~entry.s[k->reg]);
	default:
		return true;
	}
}

static uint32_t private_word(int32_t at, uint32_t lane)
{
	const struct adbgd_swizzle swizzle = {
		.base = VA_SCRATCH, .lanes = wave->lanes,
	};
	uint32_t value;

	memcpy(&value, machine_mem(machine, adbgd_swizzle_address(&swizzle, lane, STACK + at)), 4);
	return value;
}

static bool was_active(uint32_t lane)
{
	return entry.s[VGPU_S_EXEC + lane / 32] >> lane % 32 & 1;
}

static void check_item(const struct adbgd_saved_item *item)
{
	uint32_t lane, value;

	for (lane = 0; lane < wave->lanes; lane++) {
		value = item->in_memory ? private_word(item->at, lane) : wave->v[item->at][lane];
		if (item->is_vgpr) {
			if (item->vgpr.lanes & (was_active(lane) ? ADBGD_LANES_ON :
								   ADBGD_LANES_OFF))
				claim(value == entry.v[item->vgpr.reg][lane], "a VGPR in memory",
				      item->vgpr.reg);
		} else if (item->lane == lane ||
			   (item->lane == ADBGD_EACH_LANE && was_active(lane))) {
			claim(is_value(&item->value, value), item->in_memory ?
			      "an SGPR in memory" : "an SGPR in lanes of VGPR", item->at);
		}
	}
}

static void check_state(const struct adbgd_saved_state *state)
{
	uint32_t i, lane;

	for (i = 0; i < ADBGD_NUM_S; i++) {
		if (i < 108 || i >= ADBGD_S_EXEC)
			claim(is_value(&state->s[i], wave->s[i]), "SGPR", i);
	}
	for (i = 0; i < NUM_VGPRS; i++) {
		for (lane = 0; lane < wave->lanes; lane++) {
			if (state->v[i].lanes & (was_active(lane) ? ADBGD_LANES_ON :
								    ADBGD_LANES_OFF))
				claim(wave->v[i][lane] == entry.v[state->v[i].reg][lane], "VGPR",
				      i);
		}
	}
	for (i = 0; i < state->num_items; i++)
		check_item(&state->items[i]);
}

/* ------------------------------------------------------------------------- rounds */

static void begin(const struct codeobj_kernel *k, unsigned int lanes)
{
	static const struct kernel_where where = {
		.image = VA_IMAGE, .kernarg = VA_KERNARG, .dispatch = VA_DISPATCH,
		.scratch = VA_SCRATCH, .scratch_offset = SCRATCH_OFFSET,
	};
	uint32_t i, lane;

	vgpu_isa_invalidate(&machine->g, ~0U);
	machine_reset(machine, lanes);
	kernel_wave(machine->w, k, &where, 0, 0);
	wave = machine->w;
	for (i = 4; i < 108; i++)
		wave->s[i] = machine_random();
	for (i = 32; i < 35; i++)
		wave->s[i] = STACK * lanes;
	/* A function is not called without an active lane. */
	wave->s[VGPU_S_EXEC] = below(3) ? machine_random() | 0x10 : 0xffffffff;
	wave->s[VGPU_S_EXEC + 1] = lanes == 32 ? 0 : below(3) ? machine_random() : 0xffffffff;
	for (i = 0; i < NUM_VGPRS; i++) {
		for (lane = 0; lane < lanes; lane++)
			wave->v[i][lane] = machine_random();
	}
	wave->pc = VA_IMAGE;
}

static void round_of(const struct codeobj_kernel *k, unsigned int lanes)
{
	struct adbgd_saved_state state;
	uint32_t insn[2] = { 0 };
	unsigned int n, num;
	uint64_t pc;

	begin(k, lanes);
	adbgd_saved_begin(&state);
	/* s33 and s34 are copies of the stack pointer. */
	state.s[33] = state.s[32];
	state.s[34] = state.s[32];
	entry = *wave;
	*text = '\0';
	for (n = 0; n < INSNS; n++) {
		pc = wave->pc;
		num = any_insn(insn);
		memcpy(machine_mem(machine, pc), insn, 4 * num);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), num == 2 ?
			 " %08x:%08x" : " %08x", insn[0], insn[1]);
		assert_int_equal(machine_run(machine, 1), 1);
		if (machine->faults + machine->illegal + machine->complaints)
			fail_msg("%s: %s", text, machine->log);
		adbgd_saved_apply_gfx10_3(&state, pc, insn, num, lanes);
		check_state(&state);
	}
}

static void what_is_known_is_true(unsigned int lanes)
{
	struct codeobj_kernel k;
	struct codeobj co;
	unsigned int i;

	assert_int_equal(codeobj_load(&co, DEBUG_CO "calls_O0.co"), 0);
	assert_int_equal(codeobj_find(&co, "calls", &k), 0);
	for (i = 0; i < ROUNDS; i++)
		round_of(&k, lanes);
	codeobj_unload(&co);
	print_message("# %lu claims\n", claims);
	assert_true(claims > 1000UL * ROUNDS);
}

static void what_is_known_in_wave32_is_true(void **state)
{
	(void)state;
	what_is_known_is_true(32);
}

static void what_is_known_in_wave64_is_true(void **state)
{
	(void)state;
	what_is_known_is_true(64);
}

static int setup(void **state)
{
	(void)state;
	machine = machine_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	machine_free(machine);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_known_in_wave32_is_true),
		cmocka_unit_test(what_is_known_in_wave64_is_true),
	};

	return cmocka_run_group_tests_name("debug_saved", tests, setup, teardown);
}
