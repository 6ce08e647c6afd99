// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared VGPRs, which both halves of a wave64 access. An instruction that writes one is executed
 * for one half at a time, but still counts as one instruction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"

/* llvm-mc-19 -triple=amdgcn -mcpu=gfx1033 -show-encoding */
#define S_ENDPGM		0xbf810000
/*
 * What is refused. LLVM says of most "source operand must be a VGPR", so they are encoded
 * as those with v2, or v[10:13], are; it encodes DPP and SDWA of what M0 chooses.
 */
#define V_MOVRELS_V24_S2	0x7e308602
#define V_MQSAD_V24_0		0xd5750018, 0x02021106	/* v[6:7], v8, 0 */
#define V_MQSAD_V24_S10		0xd5750018, 0x002a1106
#define V_SWAP_V24_S2		0x7e30ca02
#define V_MOVRELSD_V24_S2	0x7e308802
#define V_MOVRELSD_2_V24_S2	0x7e309002
#define V_SWAPREL_V24_S2	0x7e30d002
#define V_MOVRELS_V24_DPP	0x7e3086fa, 0xff00e402
#define V_MOVRELS_V24_SDWA	0x7e3086f9, 0x00051602

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

/* A wave with 24 VGPRs of its own, and 8 shared ones */
static void code(struct machine *m, const u32 *words, size_t size)
{
	machine_reset(m, 64);
	m->w->num_vgprs = 24;
	m->w->shared_vgprs = 8;
	machine_code(m, words, size);
}

#define CODE(m, ...) do { \
		const u32 words_[] = { __VA_ARGS__ }; \
		code(m, words_, sizeof(words_)); \
	} while (0)

/*
 * How Mesa's compiler swaps the halves of a wave64 (aco_lower_to_hw_instr.cpp,
 * p_bpermute; Mesa 25.0), and an operation that writes a mask as well.
 */
static void halves_are_swapped(void **state)
{
	struct machine *m = *state;
	unsigned int l;

	CODE(m, 0x7e3202fa, 0xcf00e401,	/* v_mov_b32_dpp v25, v1 row_mask:0xc */
	     0x92fe80a0,		/* s_bfm_b64 exec, 32, 0 */
	     0x7e300301,		/* v_mov_b32 v24, v1 */
	     0xbefe04c1,		/* s_mov_b64 exec, -1 */
	     0x7e1002fa, 0x3f00e419,	/* v_mov_b32_dpp v8, v25 row_mask:0x3 */
	     0x7e1002fa, 0xcf00e418,	/* v_mov_b32_dpp v8, v24 row_mask:0xc */
	     0xd70f6a19, 0x00020301,	/* v_add_co_u32 v25, vcc, v1, v1 */
	     0x7e120319,		/* v_mov_b32 v9, v25 */
	     S_ENDPGM);
	for (l = 0; l < 64; l++)
		m->w->v[1][l] = l < 32 ? 0x80000000 + l : l;
	machine_run(m, 20);
	assert_int_equal(m->ended, 1);
	assert_int_equal(m->complaints, 0);
	for (l = 0; l < 64; l++) {
		assert_int_equal(m->w->v[8][l], m->w->v[1][l ^ 32]);
		assert_int_equal(m->w->v[9][l], 2 * (l | 32));
	}
	assert_true(vgpu_wave_vcc(m->w) == 0xffffffff);
}

/* One report, and the wave stays where it is. */
static void refused_once(void **state)
{
	static const u32 cases[][2] = {
		{ V_MOVRELS_V24_S2 }, { V_MOVRELSD_V24_S2 },
		{ V_MOVRELSD_2_V24_S2 }, { V_SWAPREL_V24_S2 },
		{ V_SWAP_V24_S2 }, { V_MQSAD_V24_0 }, { V_MQSAD_V24_S10 },
		{ V_MOVRELS_V24_DPP }, { V_MOVRELS_V24_SDWA },
	};
	struct machine *m = *state;
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(cases); n++) {
		CODE(m, cases[n][0], cases[n][1], S_ENDPGM);
		assert_int_equal(vgpu_isa_run(&m->g, m->w, 100), 1);
		assert_int_equal(m->illegal, 1);
		assert_int_equal(m->complaints, 1);
		assert_true(m->w->pc == MACHINE_BASE);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(halves_are_swapped),
		TEST(refused_once),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
