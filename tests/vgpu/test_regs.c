// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The register file: banks, hooks, counters, resets, and the checker's complaints about accesses
 * that a driver or debugger must not make.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine.h"

#define SCRATCH		0xc041		/* SCRATCH_REG1, gc_10_3_0_offset.h */
#define SCRATCH_OF_RING_TEST	0xc040	/* SCRATCH_REG0 */
#define UNNAMED		0x1fff0		/* no header has a register here */
#define ALLOW_GFXOFF	0x1d
#define DISALLOW_GFXOFF	0x1e

static u32 at(enum vgpu_role role)
{
	return gpu.profile->regs[role];
}

static void wr(enum vgpu_role role, u32 val)
{
	vgpu_reg_write(&gpu, at(role), val);
}

static u32 rd(enum vgpu_role role)
{
	return vgpu_reg_read(&gpu, at(role));
}

static void select_queue(u32 me, u32 pipe, u32 queue, u32 vmid)
{
	wr(R_GRBM_GFX_CNTL, pipe | me << 2 | vmid << 4 | queue << 8);
}

static void a_register_without_a_hook_stores_its_value(void **state)
{
	(void)state;
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 0);
	vgpu_reg_write(&gpu, SCRATCH, 0xcafe0001);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 0xcafe0001);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0xcafe0001);
	assert_int_equal(vgpu_reg_peek(&gpu, SCRATCH, NULL), 0xcafe0001);
}

static void vmid_banks(void **state)
{
	u32 vmid;

	(void)state;
	for (vmid = 1; vmid < 8; vmid++) {
		select_queue(0, 0, 0, vmid);
		wr(R_SQ_SHADER_TBA_LO, 0x100 + vmid);
		wr(R_SH_MEM_CONFIG, 0x200 + vmid);
	}
	/* A queue in the select changes nothing for these registers. */
	select_queue(2, 3, 7, 5);
	assert_int_equal(rd(R_SQ_SHADER_TBA_LO), 0x105);
	select_queue(0, 0, 0, 0);
	assert_int_equal(rd(R_SQ_SHADER_TBA_LO), 0);
	for (vmid = 1; vmid < 8; vmid++) {
		assert_int_equal(*vgpu_reg_of_vmid(&gpu, vmid,
						   R_SQ_SHADER_TBA_LO, 0),
				 0x100 + vmid);
		assert_int_equal(*vgpu_reg_of_vmid(&gpu, vmid,
						   R_SH_MEM_CONFIG, 0),
				 0x200 + vmid);
	}
}

static void queue_banks(void **state)
{
	const struct vgpu_bank_select sel = { .me = 1, .pipe = 2, .queue = 5 };
	u32 me, pipe, queue;

	(void)state;
	for (me = 1; me <= 2; me++)
		for (pipe = 0; pipe < 4; pipe++)
			for (queue = 0; queue < 8; queue++) {
				select_queue(me, pipe, queue, 0);
				wr(R_CP_HQD_PQ_CONTROL,
				   me << 8 | pipe << 4 | queue);
			}
	select_queue(0, 0, 0, 0);
	for (me = 1; me <= 2; me++)
		for (pipe = 0; pipe < 4; pipe++)
			for (queue = 0; queue < 8; queue++) {
				u32 *cell = vgpu_reg_of_queue(&gpu, me, pipe,
					queue, R_CP_HQD_PQ_CONTROL, 0);

				assert_int_equal(*cell, me << 8 | pipe << 4 |
						 queue);
			}
	assert_int_equal(vgpu_reg_peek(&gpu, at(R_CP_HQD_PQ_CONTROL), &sel),
			 0x125);
	/* Registers outside the banks have one value. */
	vgpu_reg_write(&gpu, SCRATCH, 1);
	select_queue(1, 2, 3, 0);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 1);
	select_queue(0, 0, 0, 0);
}

static unsigned int hook_idx;
static u32 hook_val;

static u32 hook_read(struct vgpu *g, unsigned int idx)
{
	(void)g;
	return 0x1000 + idx;
}

static void hook_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)g;
	hook_idx = idx;
	hook_val = val;
}

static void hooks(void **state)
{
	u32 base = at(R_SPI_GDBG_TRAP_MASK);

	(void)state;
	vgpu_reg_hook(&gpu, R_SPI_GDBG_TRAP_MASK, 3, 2, hook_read, hook_write);
	assert_int_equal(vgpu_reg_read(&gpu, base + 4), 0x1002);
	vgpu_reg_write(&gpu, base + 2, 77);
	assert_int_equal(hook_idx, 1);
	assert_int_equal(hook_val, 77);
	/* The hook did not store, and stored values do not run hooks. */
	assert_int_equal(vgpu_reg_load(&gpu, R_SPI_GDBG_TRAP_MASK, 2), 0);
	/* Between the strides the register is plain. */
	vgpu_reg_write(&gpu, base + 1, 5);
	assert_int_equal(vgpu_reg_read(&gpu, base + 1), 5);
	/* NULL keeps what is there for that direction. */
	vgpu_reg_hook(&gpu, R_SPI_GDBG_TRAP_MASK, 1, 1, NULL, NULL);
	assert_int_equal(vgpu_reg_read(&gpu, base), 0x1000);
}

static void counters(void **state)
{
	struct vgpu_counters before = gpu.counters;

	(void)state;
	vgpu_reg_read(&gpu, SCRATCH);
	vgpu_reg_write(&gpu, SCRATCH, 1);
	rd(R_IH_RB_CNTL);
	rd(R_RCC_CONFIG_MEMSIZE);
	rd(R_MMVM_INVALIDATE_ENG0_ACK);
	rd(R_MP1_SMN_C2PMSG_90);
	/* Engines, peeks and stored values are not accesses of the host. */
	vgpu_reg_engine_read(&gpu, SCRATCH);
	vgpu_reg_engine_write(&gpu, SCRATCH, 2);
	vgpu_reg_peek(&gpu, SCRATCH, NULL);
	vgpu_reg_load(&gpu, R_SQ_CMD, 0);
	assert_int_equal(gpu.counters.reg_reads - before.reg_reads, 5);
	assert_int_equal(gpu.counters.reg_writes - before.reg_writes, 1);
	assert_int_equal(gpu.counters.block_reads[VGPU_BLOCK_GC] -
			 before.block_reads[VGPU_BLOCK_GC], 1);
	assert_int_equal(gpu.counters.block_reads[VGPU_BLOCK_OSSSYS] -
			 before.block_reads[VGPU_BLOCK_OSSSYS], 1);
	assert_int_equal(gpu.counters.block_reads[VGPU_BLOCK_NBIO] -
			 before.block_reads[VGPU_BLOCK_NBIO], 1);
	assert_int_equal(gpu.counters.block_reads[VGPU_BLOCK_MMHUB] -
			 before.block_reads[VGPU_BLOCK_MMHUB], 1);
	assert_int_equal(gpu.counters.block_reads[VGPU_BLOCK_MP] -
			 before.block_reads[VGPU_BLOCK_MP], 1);
	assert_int_equal(gpu.counters.block_writes[VGPU_BLOCK_GC] -
			 before.block_writes[VGPU_BLOCK_GC], 1);
}

/* MODE2 resets GC alone, a cold reset everything. */
static void resets(void **state)
{
	(void)state;
	vgpu_reg_write(&gpu, SCRATCH, 1);
	vgpu_reg_store(&gpu, R_IH_VMID_0_LUT, 3, 0x8001);
	*vgpu_reg_of_vmid(&gpu, 3, R_SQ_SHADER_TBA_HI, 0) = BIT(31);
	wr(R_GRBM_GFX_INDEX, 0);
	vgpu_regs_reset(&gpu, false);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 0);
	assert_int_equal(*vgpu_reg_of_vmid(&gpu, 3, R_SQ_SHADER_TBA_HI, 0), 0);
	assert_int_equal(rd(R_GRBM_GFX_INDEX), 0xe0000000);
	assert_int_equal(vgpu_reg_load(&gpu, R_IH_VMID_0_LUT, 3), 0x8001);
	vgpu_regs_reset(&gpu, true);
	assert_int_equal(vgpu_reg_load(&gpu, R_IH_VMID_0_LUT, 3), 0);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(vgpu_reg_name(&gpu, at(R_SQ_CMD)), "SQ_CMD");
	assert_string_equal(vgpu_reg_name(&gpu, 0x1fff0), "MMHUB+0x5ff0");
	assert_string_equal(vgpu_reg_name(&gpu, 0x20000), "0x20000");
}

static void an_access_beyond_the_last_register_is_a_complaint(void **state)
{
	(void)state;
	assert_int_equal(vgpu_reg_read(&gpu, VGPU_NUM_REGS), 0xffffffff);
	vgpu_reg_write(&gpu, VGPU_NUM_REGS + 7, 1);
	vgpu_reg_engine_read(&gpu, VGPU_NUM_REGS);
	vgpu_reg_engine_write(&gpu, VGPU_NUM_REGS, 0);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 4);
}

static void an_access_to_an_unknown_register_is_a_complaint(void **state)
{
	(void)state;
	vgpu_reg_write(&gpu, UNNAMED, 1);
	/* Once is enough. */
	vgpu_reg_read(&gpu, UNNAMED);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	/* A register with a hook is known. */
	vgpu_reg_hook_dword(&gpu, UNNAMED + 1, 0, hook_read, NULL);
	vgpu_reg_read(&gpu, UNNAMED + 1);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
}

static void a_trap_handler_in_vmid_0_is_a_complaint(void **state)
{
	(void)state;
	wr(R_SQ_SHADER_TBA_LO, 0x1234);
	wr(R_SQ_SHADER_TMA_HI, 0);
	engine_expect(&gpu, VGPU_BAD_VMID0, 2);
	rd(R_SQ_SHADER_TBA_LO);
	wr(R_SH_MEM_CONFIG, 1);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
}

static void write_trap_handler(u32 vmid)
{
	wr(R_GRBM_GFX_CNTL, vmid << 4);
	wr(R_SQ_SHADER_TBA_LO, 0x1234);
	wr(R_SQ_SHADER_TBA_HI, BIT(31));
	wr(R_SQ_SHADER_TMA_LO, 0x5678);
	wr(R_SQ_SHADER_TMA_HI, 0);
	wr(R_GRBM_GFX_CNTL, 0);
}

/* amdkfd without HWS: allocate_vmid(), kfd_device_queue_manager.c (Linux 6.1) */
static void kfd_may_set_the_trap_handlers_of_its_vmids(void **state)
{
	u32 lut = gpu.profile->regs[R_IH_VMID_0_LUT];
	u32 base = gpu.profile->regs[R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32];

	(void)state;
	vgpu_reg_write(&gpu, lut + 8, 0x8001);
	write_trap_handler(8);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	/* Only of the one that is new */
	write_trap_handler(9);
	engine_expect(&gpu, VGPU_BAD_KFD_VMID, 4);
	vgpu_reg_write(&gpu, base + 2 * 8, 0x1000);
	vgpu_reg_write(&gpu, base + 2 * 8 + 1, 0);
	write_trap_handler(8);
	engine_expect(&gpu, VGPU_BAD_KFD_VMID, 4);

	/* deallocate_vmid(), and another process */
	vgpu_reg_write(&gpu, lut + 8, 0);
	write_trap_handler(8);
	engine_expect(&gpu, VGPU_BAD_KFD_VMID, 4);
	vgpu_reg_write(&gpu, lut + 8, 0x8002);
	vgpu_reg_write(&gpu, base + 2 * 9, 0x1000);
	write_trap_handler(8);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	/* VMID 0 belongs to no process, whatever its PASID. */
	vgpu_reg_write(&gpu, lut, 0x8003);
	write_trap_handler(0);
	engine_expect(&gpu, VGPU_BAD_VMID0, 4);
}

/* Dwords and bits: gc_10_3_0_offset.h, gc_10_3_0_sh_mask.h (Linux 6.1), base 0x1260, 0xa000 */
#define TCP_INVALIDATE		(0x1260 + 0x18a0)	/* START [0] */
#define VGT_EVENT_INITIATOR	(0xa000 + 0x02a4)
#define RLC_GPU_IOV_SCRATCH_DATA (0xa000 + 0x5b68)
#define CP_RB0_WPTR		(0x1260 + 0x1df4)
#define CP_GFX_HQD_ACTIVE	(0x1260 + 0x1e80)
#define SOFT_RESET_CP		BIT(0)	/* of GRBM_SOFT_RESET, as SDMA0 [23] */
#define MEC_ME1_PIPE0_RESET	BIT(16)	/* of CP_MEC_CNTL, as ME1_HALT [30] */

static void a_write_with_a_missing_side_effect_is_a_complaint(void **state)
{
	(void)state;
	vgpu_reg_write(&gpu, TCP_INVALIDATE, 0);
	vgpu_reg_write(&gpu, TCP_INVALIDATE, 2);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	vgpu_reg_write(&gpu, TCP_INVALIDATE, 1);
	engine_expect(&gpu, VGPU_BAD_SIDE_EFFECT, 1);
	assert_int_equal(vgpu_reg_read(&gpu, TCP_INVALIDATE), 1);
	/* Whatever is written */
	vgpu_reg_write(&gpu, VGT_EVENT_INITIATOR, 0);
	engine_expect(&gpu, VGPU_BAD_SIDE_EFFECT, 1);
	vgpu_reg_write(&gpu, RLC_GPU_IOV_SCRATCH_DATA, 0);
	engine_expect(&gpu, VGPU_BAD_SIDE_EFFECT, 1);
	vgpu_reg_write(&gpu, CP_RB0_WPTR, 0x40);
	vgpu_reg_write(&gpu, CP_GFX_HQD_ACTIVE, 1);
	engine_expect(&gpu, VGPU_BAD_SIDE_EFFECT, 2);
	/* By an engine as well */
	vgpu_reg_engine_write(&gpu, TCP_INVALIDATE, 1);
	engine_expect(&gpu, VGPU_BAD_SIDE_EFFECT, 1);
}

/* Registers with a behaviour: what that does not do, of what they do on hardware. */
static void side_effects_left_out(void **state)
{
	(void)state;
	wr(R_GRBM_SOFT_RESET, BIT(23));
	wr(R_GRBM_SOFT_RESET, 0);
	wr(R_CP_MEC_CNTL, BIT(30));
	wr(R_CP_MEC_CNTL, 0);
	wr(R_SQC_CACHES, 0);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	wr(R_GRBM_SOFT_RESET, SOFT_RESET_CP);
	engine_expect(&gpu, VGPU_BAD_SIDE_EFFECT, 1);
	wr(R_CP_MEC_CNTL, MEC_ME1_PIPE0_RESET);
	engine_expect(&gpu, VGPU_BAD_SIDE_EFFECT, 1);
}

static void a_trap_handler_in_a_vmid_of_kfd_is_a_complaint(void **state)
{
	u32 vmid;

	(void)state;
	for (vmid = 1; vmid < 8; vmid++) {
		select_queue(0, 0, 0, vmid);
		wr(R_SQ_SHADER_TBA_HI, BIT(31));
	}
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	for (vmid = 8; vmid < 16; vmid++) {
		select_queue(0, 0, 0, vmid);
		wr(R_SQ_SHADER_TBA_HI, BIT(31));
	}
	select_queue(0, 0, 0, 0);
	engine_expect(&gpu, VGPU_BAD_KFD_VMID, 8);
}

static void a_compute_register_of_me0_is_a_complaint(void **state)
{
	(void)state;
	wr(R_CP_HQD_PQ_CONTROL, 1);
	engine_expect(&gpu, VGPU_BAD_BANK, 1);
}

static void a_bank_select_left_behind_is_a_complaint(void **state)
{
	(void)state;
	select_queue(1, 0, 0, 0);
	wr(R_GRBM_GFX_INDEX, 0xe0000000);
	assert_true(vgpu_regs_is_selected(&gpu));
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	vgpu_regs_check_rest(&gpu);
	engine_expect(&gpu, VGPU_BAD_BANK, 1);
	/* Said once for each time it is left. */
	vgpu_regs_check_rest(&gpu);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	wr(R_GRBM_GFX_CNTL, 0);
	/* One of the three broadcast bits is missing. */
	wr(R_GRBM_GFX_INDEX, 0xa0000000);
	vgpu_regs_check_rest(&gpu);
	engine_expect(&gpu, VGPU_BAD_BANK, 1);
	wr(R_GRBM_GFX_INDEX, 4);
	assert_true(vgpu_regs_is_selected(&gpu));
	wr(R_GRBM_GFX_INDEX, 0xe0000000);
	assert_false(vgpu_regs_is_selected(&gpu));
	vgpu_regs_check_rest(&gpu);
	/* What an engine selects is not the host's. */
	vgpu_reg_engine_write(&gpu, at(R_GRBM_GFX_INDEX), 4);
	vgpu_regs_check_rest(&gpu);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
}

/* What says how waves start must not differ between shader engines. */
static void launch_registers_of_one_instance(void **state)
{
	/* SPI_GDBG_WAVE_CNTL to _TRAP_DATA1, gc_10_3_0_offset.h */
	static const u32 dwords[] = {
		0x31d1, 0x31d2, 0x31d3, 0x31d4, 0x31d5, 0x31d8, 0x31d9,
	};
	/* One of the three broadcast bits is missing; then all of them are. */
	static const u32 selects[] = {
		0x60000000, 0xa0000000, 0xc0000000, 0,
	};
	unsigned int i, k;

	(void)state;
	assert_int_equal(at(R_SPI_GDBG_WAVE_CNTL), 0x31d1);
	assert_int_equal(at(R_SPI_GDBG_WAVE_CNTL2), 0x31d4);
	for (i = 0; i < ARRAY_SIZE(dwords); i++) {
		vgpu_reg_write(&gpu, dwords[i], 0);
		vgpu_reg_read(&gpu, dwords[i]);
	}
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	for (k = 0; k < ARRAY_SIZE(selects); k++) {
		wr(R_GRBM_GFX_INDEX, selects[k]);
		for (i = 0; i < ARRAY_SIZE(dwords); i++) {
			vgpu_reg_write(&gpu, dwords[i], 0);
			engine_expect(&gpu, VGPU_BAD_BANK, 1);
			vgpu_reg_read(&gpu, dwords[i]);
		}
		/* The neighbours, and what else follows the select. */
		vgpu_reg_write(&gpu, 0x31d0, 0);
		vgpu_reg_write(&gpu, SCRATCH, 0);
		wr(R_GRBM_GFX_INDEX, 0xe0000000);
	}
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
}

static void smu_message(u32 msg)
{
	wr(R_MP1_SMN_C2PMSG_90, 0);
	wr(R_MP1_SMN_C2PMSG_82, 0);
	wr(R_MP1_SMN_C2PMSG_66, msg);
	assert_int_equal(rd(R_MP1_SMN_C2PMSG_90), 1);
}

static void gfxoff(void **state)
{
	(void)state;
	vgpu_reg_write(&gpu, SCRATCH, 3);
	smu_message(ALLOW_GFXOFF);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 0xffffffff);
	vgpu_reg_write(&gpu, SCRATCH, 4);
	assert_int_equal(rd(R_SDMA0_GFX_RB_CNTL), 0xffffffff);
	engine_expect(&gpu, VGPU_BAD_GFXOFF, 3);
	/* Others have power; the driver's own masks are forgiven. */
	rd(R_IH_RB_CNTL);
	rd(R_MMVM_INVALIDATE_ENG0_ACK);
	rd(R_RLC_SAFE_MODE);
	rd(R_GCVM_CONTEXT0_CNTL);
	vgpu_reg_write(&gpu, SCRATCH_OF_RING_TEST, 0xcafedead);
	/* KILL, BROADCAST, CHECK_VMID: soft recovery; anything else is not. */
	wr(R_SQ_CMD, 0x30000093);
	/* Engines wake the core up. */
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 3);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	wr(R_SQ_CMD, 0x30000191);
	engine_expect(&gpu, VGPU_BAD_GFXOFF, 1);
	smu_message(DISALLOW_GFXOFF);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 3);
}

static void gfxoff_quirks(void **state)
{
	(void)state;
	vgpu_reg_write(&gpu, SCRATCH, 3);
	smu_message(ALLOW_GFXOFF);
	wr(R_RLC_SAFE_MODE, 3);		/* enter */
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 3);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	vgpu_quirk_set(&gpu, "safe-mode-has-power", 0);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 0xffffffff);
	engine_expect(&gpu, VGPU_BAD_GFXOFF, 1);
	vgpu_quirk_set(&gpu, "safe-mode-has-power", 1);
	wr(R_RLC_SAFE_MODE, 1);		/* exit */
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 0xffffffff);
	engine_expect(&gpu, VGPU_BAD_GFXOFF, 1);
	vgpu_quirk_set(&gpu, "gfxoff-reads-ones", 0);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 3);
	engine_expect(&gpu, VGPU_BAD_GFXOFF, 1);
}

static void corrupt_read(void **state)
{
	(void)state;
	vgpu_reg_write(&gpu, SCRATCH, 5);
	vgpu_reg_write(&gpu, SCRATCH + 1, 6);
	vgpu_fault_arm(&gpu, VGPU_FAULT_CORRUPT_READ, 2, SCRATCH);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH + 1), 6);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), ~5U);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), ~5U);
	assert_int_equal(vgpu_reg_read(&gpu, SCRATCH), 5);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ENGINE_TEST(a_register_without_a_hook_stores_its_value),
		ENGINE_TEST(vmid_banks),
		ENGINE_TEST(queue_banks),
		ENGINE_TEST(hooks),
		ENGINE_TEST(counters),
		ENGINE_TEST(resets),
		ENGINE_TEST(names),
		ENGINE_TEST(an_access_beyond_the_last_register_is_a_complaint),
		ENGINE_TEST(an_access_to_an_unknown_register_is_a_complaint),
		ENGINE_TEST(a_trap_handler_in_vmid_0_is_a_complaint),
		ENGINE_TEST(a_trap_handler_in_a_vmid_of_kfd_is_a_complaint),
		ENGINE_TEST(kfd_may_set_the_trap_handlers_of_its_vmids),
		ENGINE_TEST(a_write_with_a_missing_side_effect_is_a_complaint),
		ENGINE_TEST(side_effects_left_out),
		ENGINE_TEST(a_compute_register_of_me0_is_a_complaint),
		ENGINE_TEST(a_bank_select_left_behind_is_a_complaint),
		ENGINE_TEST(launch_registers_of_one_instance),
		ENGINE_TEST(gfxoff),
		ENGINE_TEST(gfxoff_quirks),
		ENGINE_TEST(corrupt_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
