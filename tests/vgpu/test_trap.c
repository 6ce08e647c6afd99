// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traps: entry and return, what makes a wave trap and what does not, halting
 * in and out of the handler, messages to the host.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sq_gpu.h"

#define HANDLER		(GPU_VA + 0x1000)
#define TTMP(n)		(VGPU_S_TTMP0 + (n))
/* SQ_CMD: MODE BROADCAST, CHECK_VMID, VM_ID 3 */
#define COMMAND(cmd, data) ((cmd) | 1 << 4 | 1 << 7 | (data) << 8 | 3 << 28)
#define HW_REG_MODE	1
#define HW_REG_STATUS	2
#define HW_REG_TRAPSTS	3

static int setup(void **state)
{
	struct vgpu *g = gpu_new(1, 1, 4);

	gpu_set_handler(g, GPU_VMID, HANDLER, true);
	*state = g;
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

static const u32 loop[] = { I_BRANCH_SELF };

/* Halted where it starts; its handler loops. */
static struct vgpu_wave *new_wave(struct vgpu *g)
{
	struct vgpu_wave *w = gpu_halted_wave(g, loop, 1);

	gpu_code(g, HANDLER, loop, 1);
	return w;
}

static struct vgpu_wave *running_wave(struct vgpu *g)
{
	struct vgpu_wave *w = new_wave(g);

	vgpu_wave_halt(g, w, false);
	assert_int_equal(w->stop, 0);
	return w;
}

static bool in_handler(const struct vgpu_wave *w)
{
	return w->priv;
}

static void assert_entered(const struct vgpu_wave *w, u32 pc_lo, u32 ttmp1)
{
	assert_true(in_handler(w));
	assert_true(w->pc == HANDLER);
	assert_int_equal(w->s[TTMP(0)], pc_lo);
	assert_int_equal(w->s[TTMP(1)], ttmp1);
}

static void s_trap_enters_the_handler(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	w->pc = 0x123456789abcULL;
	vgpu_trap_s_trap(g, w, 0x42);
	assert_entered(w, 0x56789abc, 0x00421234);
	assert_int_equal(g->counters.traps, 1);

	/* Inside of the handler it is skipped. */
	vgpu_trap_s_trap(g, w, 1);
	assert_true(w->pc == HANDLER + 4);
	assert_int_equal(w->s[TTMP(1)], 0x00421234);
	assert_int_equal(g->counters.traps, 1);

	assert_true(vgpu_trap_return(g, w, 0x123456789ac0ULL));
	assert_false(in_handler(w));
	assert_true(w->pc == 0x123456789ac0ULL);
	assert_false(vgpu_trap_return(g, w, 0));
	assert_true(w->pc == 0x123456789ac0ULL);
}

/* TBA is 48 bits, shifted by 8, with the sign in bit 47. */
static void tba_is_sign_extended(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	gpu_set_handler(g, GPU_VMID, 0xffff8765432100ULL << 8, true);
	vgpu_trap_s_trap(g, w, 1);
	assert_true(w->pc == 0xffff876543210000ULL);
	/* PC: bits 63:48 come from bit 47 */
	assert_true(vgpu_trap_return(g, w, 0x0000ffff00000000ULL));
	assert_true(w->pc == 0xffffffff00000000ULL);
}

static void traps_without_a_handler_do_nothing(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w;

	gpu_set_handler(g, GPU_VMID, HANDLER, false);
	w = running_wave(g);
	vgpu_trap_s_trap(g, w, 1);
	assert_true(w->pc == GPU_VA + 4);
	vgpu_trap_host(g, w, 1);
	w->debug_en = true;
	w->excp_en = WAVE_EXCP_ARITH;
	vgpu_trap_step(g, w);
	vgpu_trap_exception(g, w, WAVE_EXCP_DIV0);
	assert_int_equal(w->excp, WAVE_EXCP_DIV0);
	assert_false(in_handler(w));
	assert_int_equal(w->stop, 0);
	assert_int_equal(g->counters.traps, 0);
}

static void an_illegal_instruction_enters_the_handler(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	vgpu_trap_illegal(g, w);
	assert_entered(w, 0, 1);
	assert_int_equal(w->excp, WAVE_EXCP_ILLEGAL_INST);
	assert_int_equal(w->stop, 0);
	/* In the handler there is no help any more. */
	vgpu_trap_illegal(g, w);
	assert_int_equal(w->stop, VGPU_STOP_FATAL);
	assert_true(w->fatal_halt);
	assert_false(vgpu_sq_runnable(g));
}

static void an_error_without_a_handler_halts_the_wave_for_ever(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w;

	gpu_set_handler(g, GPU_VMID, HANDLER, false);
	w = running_wave(g);
	vgpu_trap_illegal(g, w);
	assert_int_equal(w->stop, VGPU_STOP_FATAL);
	vgpu_wave_end(g, w);

	w = running_wave(g);
	vgpu_trap_exception(g, w, WAVE_EXCP_MEM_VIOL);
	assert_int_equal(w->stop, VGPU_STOP_FATAL);
	assert_int_equal(w->excp, WAVE_EXCP_MEM_VIOL);
}

static void quirk_fatal_without_handler_works(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w;

	gpu_set_handler(g, GPU_VMID, HANDLER, false);
	vgpu_quirk_set(g, "fatal-without-handler", 0);
	w = running_wave(g);
	vgpu_trap_exception(g, w, WAVE_EXCP_MEM_VIOL);
	assert_int_equal(w->stop, 0);
	assert_int_equal(w->excp, WAVE_EXCP_MEM_VIOL);
	vgpu_trap_illegal(g, w);
	assert_int_equal(gpu_count_waves(g), 0);
}

static void only_enabled_exceptions_trap(void **state)
{
	static const struct {
		u32 bits, excp_en;
		bool traps;
	} cases[] = {
		{ WAVE_EXCP_INVALID, 0x01, true },
		{ WAVE_EXCP_INVALID, 0x1fe, false },
		{ WAVE_EXCP_INT_DIV0, 0x40, true },
		{ WAVE_EXCP_WATCH0, 0x80, true },
		{ WAVE_EXCP_WATCH0, 0x17f, false },
		/* watches 1 and 3: the same bit of EXCP_EN */
		{ WAVE_EXCP_WATCH0 << 1, 0x80, true },
		{ WAVE_EXCP_WATCH0 << 3, 0x80, true },
		{ WAVE_EXCP_WATCH0 << 3, 0x17f, false },
		/* cannot be masked */
		{ WAVE_EXCP_MEM_VIOL, 0, true },
		/* no exception */
		{ WAVE_EXCP_SAVECTX, 0x1ff, false },
	};
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		/* SQ_WAVE_MODE.EXCP_EN [20:12] */
		vgpu_wave_setreg(g, w, HW_REG_MODE, 0x1ff << 12,
				 cases[i].excp_en << 12);
		w->excp = 0;
		w->pc = GPU_VA;
		vgpu_trap_exception(g, w, cases[i].bits);
		assert_int_equal(w->excp, cases[i].bits);
		assert_int_equal(in_handler(w), cases[i].traps);
		if (in_handler(w))
			assert_entered(w, 0, 1);
		w->excp = 0;
		vgpu_trap_return(g, w, GPU_VA);
	}
}

/* An exception that the handler leaves set brings the wave back at once. */
static void an_exception_that_stays_set_traps_again(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	w->excp_en = WAVE_EXCP_WATCH;
	vgpu_trap_exception(g, w, WAVE_EXCP_WATCH0);
	assert_int_equal(g->counters.traps, 1);
	assert_true(vgpu_trap_return(g, w, GPU_VA + 8));
	assert_entered(w, 8, 1);
	assert_int_equal(g->counters.traps, 2);

	/* Unless it halts: then when it is resumed. */
	assert_true(vgpu_wave_setreg(g, w, HW_REG_STATUS, 1 << 13,
				     1 << 13));
	assert_int_equal(w->stop, 0);
	vgpu_trap_return(g, w, GPU_VA + 8);
	assert_false(in_handler(w));
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	gpu_write(g, R_SQ_CMD, 0, COMMAND(1, 0));
	assert_int_equal(g->counters.traps, 3);
	assert_true(in_handler(w));

	/* Cleared by the handler, it stays away. */
	vgpu_wave_setreg(g, w, HW_REG_TRAPSTS, 0x80, 0);
	vgpu_trap_return(g, w, GPU_VA + 8);
	assert_false(in_handler(w));
	assert_true(w->pc == GPU_VA + 8);

	vgpu_quirk_set(g, "trap-level", 0);
	vgpu_trap_exception(g, w, WAVE_EXCP_WATCH0);
	vgpu_trap_return(g, w, GPU_VA + 8);
	assert_false(in_handler(w));
}

static void a_trap_by_the_host_enters_the_handler(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = new_wave(g);

	/* It reaches a halted wave; HALT does not count in the handler. */
	gpu_write(g, R_SQ_CMD, 0, COMMAND(5, 4));
	assert_entered(w, 0, 1 << 24 | 4 << 16 | 1);
	assert_int_equal(w->stop, 0);
	assert_true(w->halt);

	/* The next one waits until the handler is left. */
	gpu_write(g, R_SQ_CMD, 0, COMMAND(5, 9));
	assert_int_equal(w->s[TTMP(1)] >> 16 & 0xff, 4);
	assert_true(w->host_trap);
	vgpu_trap_return(g, w, GPU_VA);
	assert_entered(w, 0, 1 << 24 | 9 << 16 | 1);
	assert_false(w->host_trap);
	vgpu_trap_return(g, w, GPU_VA);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	assert_int_equal(g->counters.traps, 2);

	vgpu_quirk_set(g, "host-trap-pends", 0);
	gpu_write(g, R_SQ_CMD, 0, COMMAND(5, 1));
	gpu_write(g, R_SQ_CMD, 0, COMMAND(5, 2));
	vgpu_trap_return(g, w, GPU_VA);
	assert_int_equal(g->counters.traps, 3);
}

static void a_halt_in_the_handler_takes_effect_at_its_end(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	vgpu_trap_s_trap(g, w, 1);
	gpu_write(g, R_SQ_CMD, 0, COMMAND(1, 1));
	assert_int_equal(w->stop, 0);
	assert_true(vgpu_sq_runnable(g));
	vgpu_trap_return(g, w, GPU_VA);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	assert_false(vgpu_sq_runnable(g));

	vgpu_quirk_set(g, "halt-ignored-in-handler", 0);
	vgpu_wave_halt(g, w, false);
	vgpu_trap_s_trap(g, w, 1);
	gpu_write(g, R_SQ_CMD, 0, COMMAND(1, 1));
	assert_int_equal(w->stop, VGPU_STOP_HALT);
}

static void a_kill_in_the_handler_follows_the_quirk(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	vgpu_quirk_set(g, "kill-at-once", 1);
	vgpu_trap_s_trap(g, w, 1);
	gpu_write(g, R_SQ_CMD, 0, COMMAND(3, 0));
	assert_int_equal(gpu_count_waves(g), 1);
	assert_true(in_handler(w));
	vgpu_trap_return(g, w, GPU_VA);
	assert_int_equal(gpu_count_waves(g), 0);

	vgpu_quirk_set(g, "kill-at-once", 3);
	w = running_wave(g);
	vgpu_trap_s_trap(g, w, 1);
	gpu_write(g, R_SQ_CMD, 0, COMMAND(3, 0));
	assert_int_equal(gpu_count_waves(g), 0);
}

/* RDNA ISA, S_TRAP: TTMP1 = {1'h0, pc_rewind[5:0], HT[0], trapID[7:0], PC[47:32]} */
static void ttmp1_has_pc_rewind(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	vgpu_quirk_set(g, "pc-rewind", 0x2a);
	vgpu_trap_exception(g, w, WAVE_EXCP_MEM_VIOL);
	assert_entered(w, 0, 0x2a << 25 | 1);
	w->excp = 0;
	vgpu_trap_return(g, w, GPU_VA);
	/* A wave that requests a trap knows where it is. */
	vgpu_trap_s_trap(g, w, 0xff);
	assert_entered(w, 0, 0x00ff0001);
}

/* A memory violation of the second instruction is reported two instructions later. */
static void a_memory_violation_is_reported_late(void **state)
{
	static const u32 code[] = {
		I_ADD_S20_1,
		0xf4000040, 0xfa000000,	/* s_load_dword s1, s[0:1], 0x0 */
		I_ADD_S20_1, I_ADD_S20_1, I_ADD_S20_1, I_BRANCH_SELF,
	};
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, ARRAY_SIZE(code));

	gpu_code(g, HANDLER, loop, 1);
	vgpu_quirk_set(g, "memory-exception-lag", 2);
	vgpu_wave_halt(g, w, false);
	while (!in_handler(w))
		vgpu_sq_run(g, 1);
	assert_entered(w, 20, 1);
	assert_int_equal(w->s[20], 3);
	assert_int_equal(w->excp, WAVE_EXCP_MEM_VIOL);
	assert_false(w->slow);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_VM_FAULT), 1);
}

/*
 * The exception of an earlier instruction of the program arrives while the wave is in
 * its handler for another reason. It stays in TRAPSTS, whose exceptions are sticky
 * (RDNA 2 ISA, TRAPSTS.EXCP), and traps after s_rfe_b64 (quirk trap-level).
 */
static void a_late_exception_during_the_handler_traps_after_it(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	vgpu_quirk_set(g, "memory-exception-lag", 2);
	vgpu_trap_memory(g, w, WAVE_EXCP_MEM_VIOL);
	vgpu_trap_s_trap(g, w, 0x42);
	assert_entered(w, 0, 0x00420001);
	vgpu_trap_late(g, w);
	assert_int_equal(w->excp, 0);
	vgpu_trap_late(g, w);
	assert_int_equal(w->excp, WAVE_EXCP_MEM_VIOL);
	assert_entered(w, 0, 0x00420001);
	assert_int_equal(w->stop, 0);
	assert_int_equal(g->counters.traps, 1);
	vgpu_trap_return(g, w, GPU_VA + 4);
	assert_entered(w, 4, 1);
	assert_int_equal(g->counters.traps, 2);
}

/* What the handler itself has done is as without a lag, when it is reported there. */
static void a_late_exception_of_the_handler_is_its_own(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	vgpu_quirk_set(g, "memory-exception-lag", 2);
	vgpu_trap_s_trap(g, w, 1);
	vgpu_trap_memory(g, w, WAVE_EXCP_MEM_VIOL);
	vgpu_trap_late(g, w);
	vgpu_trap_return(g, w, GPU_VA + 4);
	vgpu_trap_late(g, w);
	assert_entered(w, 4, 1);
	assert_int_equal(w->stop, 0);

	vgpu_trap_memory(g, w, WAVE_EXCP_MEM_VIOL);
	vgpu_trap_late(g, w);
	vgpu_trap_late(g, w);
	assert_int_equal(w->stop, VGPU_STOP_FATAL);
}

/* A violation, s_trap, and the answer of the memory while the handler runs. */
static void a_late_violation_after_s_trap(void **state)
{
	static const u32 code[] = {
		0xf4000040, 0xfa000000,	/* s_load_dword s1, s[0:1], 0x0 */
		I_TRAP_1, I_BRANCH_SELF,
	};
	static const u32 handler[] = {
		0x806c846c,	/* s_add_u32 ttmp0, ttmp0, 4 */
		I_NOP, I_NOP, I_NOP, I_RFE_TTMP0,
	};
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, ARRAY_SIZE(code));

	gpu_code(g, HANDLER, handler, ARRAY_SIZE(handler));
	vgpu_quirk_set(g, "memory-exception-lag", 3);
	vgpu_wave_halt(g, w, false);
	while (g->counters.traps < 2 && !w->stop)
		vgpu_sq_run(g, 1);
	assert_int_equal(w->stop, 0);
	assert_int_equal(w->excp, WAVE_EXCP_MEM_VIOL);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_VM_FAULT), 1);
}

static void debug_mode_traps_after_an_instruction(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);

	w->pc = GPU_VA + 4;
	vgpu_trap_step(g, w);
	assert_false(in_handler(w));
	assert_true(vgpu_wave_setreg(g, w, HW_REG_MODE, 1 << 11,
				     1 << 11));
	assert_true(w->slow);
	vgpu_trap_step(g, w);
	assert_entered(w, 4, 1);
	vgpu_trap_step(g, w);
	assert_int_equal(g->counters.traps, 1);
}

/* With a real handler: one instruction, then the handler, and so on. */
static void debug_mode_with_a_real_handler(void **state)
{
	static const u32 code[] = { I_ADD_S20_1, I_ADD_S20_1, I_ADD_S20_1,
				    I_ENDPGM };
	static const u32 handler[] = { I_NOP, I_RFE_TTMP0 };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 4);

	gpu_code(g, HANDLER, handler, 2);
	w->debug_en = true;
	vgpu_wave_update_slow(g, w);
	vgpu_wave_halt(g, w, false);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_int_equal(g->counters.traps, 3);
	/* 3 x (1 + 2) and s_endpgm */
	assert_int_equal(g->counters.instructions, 10);
}

static void the_handler_writes_status(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);
	u32 val;

	/* Outside of the handler STATUS keeps what it has. */
	assert_true(vgpu_wave_setreg(g, w, HW_REG_STATUS, ~0U, ~0U));
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_STATUS), 0x10440);
	vgpu_trap_s_trap(g, w, 1);
	/* Inside: not PRIV, TRAP_EN, EXECZ, VCCZ, IN_TG, IN_BARRIER, TRAP,
	 * VALID, FATAL_HALT
	 */
	assert_true(vgpu_wave_setreg(g, w, HW_REG_STATUS, ~0U, 0));
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_STATUS), 0x10460);
	assert_true(vgpu_wave_setreg(g, w, HW_REG_STATUS, ~0U, 0x00b17e61));
	assert_true(vgpu_wave_getreg(g, w, HW_REG_STATUS, &val));
	assert_int_equal(val, 0x312461);
	assert_int_equal(w->scc, 1);
}

static void the_handler_reads_hardware_registers(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = running_wave(g);
	u32 val;

	assert_false(vgpu_wave_getreg(g, w, 0, &val));
	assert_false(vgpu_wave_setreg(g, w, 63, ~0U, 0));
	assert_true(vgpu_wave_setreg(g, w, HW_REG_MODE, 0xf0, 0xaa));
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_MODE), 0xa0);
	assert_true(vgpu_wave_setreg(g, w, 20, ~0U, 0x1000));
	assert_true(vgpu_wave_setreg(g, w, 21, ~0U, 0x7f));
	assert_true(w->flat_scratch == 0x7f00001000ULL);
	*vgpu_reg_of_vmid(g, GPU_VMID, R_SH_MEM_BASES, 0) = 0x00020001;
	assert_true(vgpu_wave_getreg(g, w, 15, &val));
	assert_int_equal(val, 0x00020001);
	assert_true(vgpu_wave_getreg(g, w, 24, &val));
	assert_int_equal(val, 0x03000100);
	assert_true(vgpu_wave_setreg(g, w, 24, ~0U, 0));
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_HW_ID2), 0x03000100);

	/* TMA can be read in the handler only. */
	*vgpu_reg_of_vmid(g, GPU_VMID, R_SQ_SHADER_TMA_LO, 0) = 0xabc;
	assert_true(vgpu_wave_getreg(g, w, 18, &val));
	assert_int_equal(val, 0);
	vgpu_trap_s_trap(g, w, 1);
	assert_true(vgpu_wave_getreg(g, w, 18, &val));
	assert_int_equal(val, 0xabc);
}

static void s_sendmsg_sends_an_interrupt(void **state)
{
	struct vgpu *g = gpu_new(2, 2, 4);
	struct vgpu_dispatch d = gpu_dispatch(32, 16);
	struct vgpu_wave *w;
	const u32 *iv;

	(void)state;
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	d.rsrc1 = 1 << 29;
	gpu_launch(g, &d);
	gpu_launch(g, &d);
	w = vgpu_sq_wave(g, 1, 1, 2, 1, 0);
	assert_non_null(w);
	w->s[VGPU_S_M0] = 0xff123456;
	vgpu_wave_sendmsg(g, w, 1);
	assert_int_equal(g->counters.iv_entries, 1);
	iv = gpu_iv(g, 0);
	/* SE1SH 0x0b, source 239, VMID 3, its PASID */
	assert_int_equal(iv[0], 0x0300ef0b);
	assert_int_equal(iv[3], GPU_PASID);
	/* data 0x123456, SA 1 << 23, SIMD 1 << 30 */
	assert_int_equal(iv[4], 0x40923456);
	/* WGP 2, SE 1 << 4, wave encoding 1 << 6 */
	assert_int_equal(iv[5], 0x52);

	w->priv = true;
	w->s[VGPU_S_M0] = 0x800001;
	vgpu_wave_sendmsg(g, w, 1);
	iv = gpu_iv(g, 1);
	/* [22:0] of M0, SA, PRIV 1 << 24, SIMD */
	assert_int_equal(iv[4], 0x41800001);
	gpu_free(g);
}

/* Reported with a handler and without, and for what happens in it. */
static void errors_send_an_interrupt_with_and_without_a_handler(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = new_wave(g);
	const u32 *iv;

	vgpu_trap_exception(g, w, WAVE_EXCP_INEXACT);
	assert_int_equal(g->counters.iv_entries, 0);
	vgpu_trap_illegal(g, w);
	assert_true(in_handler(w));
	assert_int_equal(g->counters.iv_entries, 1);
	iv = gpu_iv(g, 0);
	assert_int_equal(iv[0] & 0xff00ffff, 0x0300ef0a);
	assert_int_equal(iv[3], GPU_PASID);
	/* type 1 << 19, not from within the handler */
	assert_int_equal(iv[4] & 0x01ffffff, 0x00080000);
	/* error encoding 2 << 6 */
	assert_int_equal(iv[5] & 0xc0, 0x80);

	vgpu_trap_exception(g, w, WAVE_EXCP_MEM_VIOL);
	assert_int_equal(g->counters.iv_entries, 2);
	/* type 2 << 19, PRIV 1 << 24 */
	assert_int_equal(gpu_iv(g, 1)[4] & 0x01ffffff, 0x01100000);

	vgpu_quirk_set(g, "sq-error-interrupt", 0);
	vgpu_trap_illegal(g, w);
	assert_int_equal(g->counters.iv_entries, 2);
}

static void test_doorbell_message(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = new_wave(g);

	/* Doorbell at dword 0x846 of the BAR, enabled: number 0x423 of its page */
	*vgpu_reg_of_queue(g, 1, 0, 0, R_CP_HQD_PQ_DOORBELL_CONTROL, 0) =
		0x846 << 2 | 1 << 30;
	w->s[VGPU_S_EXEC] = 0x80000000;
	vgpu_wave_sendmsg(g, w, 10);
	assert_int_equal(w->s[VGPU_S_EXEC], 0x023);
	assert_int_equal(vgpu_complaints_total(g), 0);
	vgpu_wave_sendmsg(g, w, 4);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_OPCODE), 1);
}

/* A debugger's round: stop at s_trap, tell the host, halt, resume. */
static void a_wave_stops_at_s_trap_and_is_resumed(void **state)
{
	static const u32 code[] = { I_TRAP_1, I_ADD_S20_1, I_ENDPGM };
	/*
	 * Past the s_trap; set HALT in STATUS; tell the host; return.
	 * 0x806c846c: s_add_u32 ttmp0, ttmp0, 4
	 * 0xbf8d0001: s_sethalt 1
	 * 0xbf900001: s_sendmsg MSG_INTERRUPT
	 */
	static const u32 handler[] = { 0x806c846c, I_SETHALT, 0xbf900001,
				       I_RFE_TTMP0 };
	struct vgpu *g = *state;
	struct vgpu_wave *w = gpu_halted_wave(g, code, 3);

	gpu_code(g, HANDLER, handler, 4);
	vgpu_wave_halt(g, w, false);
	gpu_run(g);
	assert_int_equal(g->counters.iv_entries, 1);
	assert_int_equal(gpu_iv(g, 0)[4] >> 24 & 1, 1);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	assert_false(in_handler(w));
	assert_true(w->pc == GPU_VA + 4);
	assert_int_equal(w->s[20], 0);

	gpu_write(g, R_SQ_CMD, 0, COMMAND(1, 0));
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_int_equal(g->counters.traps, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(s_trap_enters_the_handler),
		TEST(tba_is_sign_extended),
		TEST(traps_without_a_handler_do_nothing),
		TEST(an_illegal_instruction_enters_the_handler),
		TEST(an_error_without_a_handler_halts_the_wave_for_ever),
		TEST(quirk_fatal_without_handler_works),
		TEST(only_enabled_exceptions_trap),
		TEST(an_exception_that_stays_set_traps_again),
		TEST(a_trap_by_the_host_enters_the_handler),
		TEST(a_halt_in_the_handler_takes_effect_at_its_end),
		TEST(a_kill_in_the_handler_follows_the_quirk),
		TEST(ttmp1_has_pc_rewind),
		TEST(a_memory_violation_is_reported_late),
		TEST(a_late_exception_during_the_handler_traps_after_it),
		TEST(a_late_exception_of_the_handler_is_its_own),
		TEST(a_late_violation_after_s_trap),
		TEST(debug_mode_traps_after_an_instruction),
		TEST(debug_mode_with_a_real_handler),
		TEST(the_handler_writes_status),
		TEST(the_handler_reads_hardware_registers),
		cmocka_unit_test(s_sendmsg_sends_an_interrupt),
		TEST(errors_send_an_interrupt_with_and_without_a_handler),
		TEST(test_doorbell_message),
		TEST(a_wave_stops_at_s_trap_and_is_resumed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
