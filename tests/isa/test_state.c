// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conversion of a wave's members to registers and back. Positions of fields: SQ_WAVE_* of
 * gc_10_3_0_sh_mask.h (Linux 6.1); MODE.DEBUG_EN, the bits of EXCP and EXCP_EN, and the units of
 * GPR_ALLOC and LDS_ALLOC: cwsr_trap_handler_gfx10.asm (Linux 6.12); STATUS.COND_DBG_*: gc_9_0
 * and gc_11_0_3_sh_mask.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"

#define WATCH(n)	(WAVE_EXCP_WATCH0 << (n))

/* @unit: the member's value when the field has its lowest bit alone */
struct place {
	enum vgpu_hwreg reg;
	size_t offset, size;
	u32 unit;
	u32 mask;
	bool written;		/* by a trap handler's s_setreg_b32 */
};

#define AT(name) offsetof(struct vgpu_wave, name), \
	sizeof(((struct vgpu_wave *)NULL)->name)
#define MODE(member, unit, mask) \
	{ VGPU_HWREG_MODE, AT(member), unit, mask, true }
#define STATUS(member, mask, written) \
	{ VGPU_HWREG_STATUS, AT(member), 1, mask, written }
#define TRAPSTS(bit, mask) \
	{ VGPU_HWREG_TRAPSTS, AT(excp), bit, mask, true }

static const struct place places[] = {
	MODE(fp_round, 1, 0x0000000f),
	MODE(fp_denorm, 1, 0x000000f0),
	MODE(dx10_clamp, 1, 0x00000100),
	MODE(ieee, 1, 0x00000200),
	MODE(debug_en, 1, 0x00000800),
	MODE(excp_en, WAVE_EXCP_INVALID, 0x0007f000),
	MODE(excp_en, WATCH(0) | WATCH(1) | WATCH(2) | WATCH(3), 0x00080000),
	MODE(excp_en, WAVE_EXCP_MEM_VIOL, 0x00100000),
	MODE(fp16_ovfl, 1, 0x00800000),

	/* Written or not: RDNA 2 ISA, status register fields, "write when PRIV" */
	STATUS(scc, 0x00000001, true),
	STATUS(spi_prio, 0x00000006, true),
	STATUS(user_prio, 0x00000018, true),
	STATUS(priv, 0x00000020, false),
	STATUS(trap_en, 0x00000040, false),
	STATUS(in_tg, 0x00000800, false),
	STATUS(halt, 0x00002000, true),
	STATUS(host_trap, 0x00004000, false),
	STATUS(valid, 0x00010000, false),
	STATUS(cond_dbg_user, 0x00100000, true),
	STATUS(cond_dbg_sys, 0x00200000, true),
	STATUS(fatal_halt, 0x00800000, false),

	TRAPSTS(WAVE_EXCP_INVALID, 0x00000001),
	TRAPSTS(WAVE_EXCP_DENORM, 0x00000002),
	TRAPSTS(WAVE_EXCP_DIV0, 0x00000004),
	TRAPSTS(WAVE_EXCP_OVERFLOW, 0x00000008),
	TRAPSTS(WAVE_EXCP_UNDERFLOW, 0x00000010),
	TRAPSTS(WAVE_EXCP_INEXACT, 0x00000020),
	TRAPSTS(WAVE_EXCP_INT_DIV0, 0x00000040),
	TRAPSTS(WATCH(0), 0x00000080),
	TRAPSTS(WAVE_EXCP_MEM_VIOL, 0x00000100),
	TRAPSTS(WAVE_EXCP_SAVECTX, 0x00000400),
	TRAPSTS(WAVE_EXCP_ILLEGAL_INST, 0x00000800),
	TRAPSTS(WATCH(1), 0x00007000),
	TRAPSTS(WAVE_EXCP_BUFFER_OOB, 0x00008000),
};

/*
 * All that a trap handler can write: the fields above, and of MODE LOD_CLAMPED and
 * DISABLE_PERF; of STATUS TTRACE_EN, EXPORT_RDY, TTRACE_SIMD_EN, ECC_ERR, SKIP_EXPORT,
 * PERF_EN and MUST_EXPORT; of TRAPSTS EXCP_CYCLE, EXCP_GROUP_MASK, EXCP_WAVE64HI,
 * UTC_ERROR and DP_RATE; all fields of IB_STS; SCHED_MODE.DEP_MODE.
 */
static const struct {
	enum vgpu_hwreg reg;
	u32 mask;
} written[] = {
	{ VGPU_HWREG_MODE, 0x089fffff },
	{ VGPU_HWREG_STATUS, 0x083ea19f },
	{ VGPU_HWREG_TRAPSTS, 0xf1fffdff },
	{ VGPU_HWREG_IB_STS, 0xfdc07fff },
	{ VGPU_HWREG_SCHED_MODE, 0x00000003 },
	{ VGPU_HWREG_FLAT_SCR_LO, 0xffffffff },
	{ VGPU_HWREG_FLAT_SCR_HI, 0xffffffff },
};

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

/* Nothing in MODE and TRAPSTS; in STATUS neither EXECZ nor VCCZ. */
static void clear(struct machine *m)
{
	machine_reset(m, 64);
	m->w->s[VGPU_S_VCC] = 1;
	m->w->fp_denorm = 0;
	m->w->dx10_clamp = false;
	m->w->ieee = false;
}

static void put_member(struct vgpu_wave *w, const struct place *p, u32 val)
{
	/* The CPU is little-endian, as the GPU is. */
	memcpy((char *)w + p->offset, &val, p->size);
}

/* All but the VGPRs, which no register has anything to do with. */
static bool same_wave(const struct vgpu_wave *a, const struct vgpu_wave *b)
{
	size_t after = offsetof(struct vgpu_wave, s);

	return !memcmp((const char *)a + after, (const char *)b + after,
		       sizeof(*a) - after);
}

static void members_in_registers(void **state)
{
	struct machine *m = *state;
	size_t i, r;
	u32 bit;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		u32 low = places[i].mask & -places[i].mask;

		for (bit = low; bit & places[i].mask; bit <<= 1) {
			clear(m);
			put_member(m->w, &places[i], places[i].unit * (bit / low));
			for (r = 0; r < ARRAY_SIZE(written); r++)
				if (machine_reg(m, written[r].reg) !=
				    (written[r].reg == places[i].reg ? bit : 0))
					fail_msg("place %zu: register %zu is 0x%x",
						 i, r,
						 machine_reg(m, written[r].reg));
		}
	}
}

static void registers_in_members(void **state)
{
	struct machine *m = *state;
	static struct vgpu_wave want;
	size_t i;
	u32 bit;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		u32 low = places[i].mask & -places[i].mask;

		for (bit = low; bit & places[i].mask; bit <<= 1) {
			clear(m);
			want = *m->w;
			if (places[i].written)
				put_member(&want, &places[i],
					   places[i].unit * (bit / low));
			machine_set_reg(m, places[i].reg, bit);
			if (!same_wave(m->w, &want))
				fail_msg("place %zu, bit 0x%x", i, bit);
			/* What is not written stays. */
			if (places[i].written)
				continue;
			put_member(m->w, &places[i], 1);
			want = *m->w;
			machine_set_reg(m, places[i].reg, 0);
			assert_true(same_wave(m->w, &want));
		}
	}
}

static void round_trip(void **state)
{
	struct machine *m = *state;
	unsigned int bit;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(written); i++) {
		clear(m);
		machine_set_reg(m, written[i].reg, ~0U);
		assert_int_equal(machine_reg(m, written[i].reg), written[i].mask);
		for (bit = 0; bit < 32; bit++) {
			machine_set_reg(m, written[i].reg, BIT(bit));
			assert_int_equal(machine_reg(m, written[i].reg),
					 BIT(bit) & written[i].mask);
		}
		machine_set_reg(m, written[i].reg, 0);
		assert_int_equal(machine_reg(m, written[i].reg), 0);
	}
}

/* What STATUS has of other state, and a write of it leaves alone. */
static void computed_status(void **state)
{
	struct machine *m = *state;

	clear(m);
	m->w->s[VGPU_S_EXEC] = 0;
	assert_int_equal(machine_reg(m, VGPU_HWREG_STATUS), 0);
	m->w->lanes = 32;
	assert_int_equal(machine_reg(m, VGPU_HWREG_STATUS), 0x200);
	m->w->s[VGPU_S_VCC] = 0;
	m->w->s[VGPU_S_VCC + 1] = 1;
	assert_int_equal(machine_reg(m, VGPU_HWREG_STATUS), 0x600);
	m->w->lanes = 64;
	assert_int_equal(machine_reg(m, VGPU_HWREG_STATUS), 0);
	m->w->stop = VGPU_STOP_BARRIER;
	assert_int_equal(machine_reg(m, VGPU_HWREG_STATUS), 0x1000);
	machine_set_reg(m, VGPU_HWREG_STATUS, 0x600);
	assert_int_equal(machine_reg(m, VGPU_HWREG_STATUS), 0x1000);
	assert_int_equal(m->w->stop, VGPU_STOP_BARRIER);
}

/* Registers that only tell where a wave is and what it has. */
static void read_only(void **state)
{
	static const struct {
		enum vgpu_hwreg reg;
		u32 val;
	} regs[] = {
		{ VGPU_HWREG_HW_ID1, 0x15 | 2 << 8 | 9 << 10 | 1 << 16 | 2 << 18 },
		{ VGPU_HWREG_HW_ID2,
		  5 | 2 << 4 | 1 << 8 | 0x13 << 16 | MACHINE_VMID << 24 },
		{ VGPU_HWREG_GPR_ALLOC, 64 / 4 | (24 / 4 - 1) << 8 },
		{ VGPU_HWREG_LDS_ALLOC, 4 | 6 << 12 },
		{ VGPU_HWREG_IB_STS2, 1 << 10 | 1 << 11 },
		{ VGPU_HWREG_SHADER_CYCLES, 0x56789 },
		{ VGPU_HWREG_POPS_PACKER, 0 },
	};
	struct machine *m = *state;
	struct vgpu_wave *w = m->w;
	static struct vgpu_wave want;
	size_t i;

	clear(m);
	w->slot = 0x15;
	w->simd = 2;
	w->wgp = 9;
	w->sa = 1;
	w->se = 2;
	w->queue = 5;
	w->pipe = 2;
	w->me = 1;
	w->group_id = 0x13;
	w->vgpr_base = 64;
	w->num_vgprs = 24;
	w->lds_base = 4 * 256;
	w->lds_bytes = 6 * 256;
	w->fwd_progress = true;
	w->instructions = 0x123456789;
	want = *w;
	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		assert_int_equal(machine_reg(m, regs[i].reg), regs[i].val);
		machine_set_reg(m, regs[i].reg, ~0U);
		assert_true(same_wave(w, &want));
	}
	w->lanes = 32;
	assert_int_equal(machine_reg(m, VGPU_HWREG_IB_STS2), 1 << 10);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_in_registers),
		cmocka_unit_test(registers_in_members),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(computed_status),
		cmocka_unit_test(read_only),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
