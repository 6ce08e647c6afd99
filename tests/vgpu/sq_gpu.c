// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A GPU for tests of the sequencer: see sq_gpu.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "host/dma.h"
#include "isa/isa.h"
#include "sq_gpu.h"

/* Where things are in VRAM. */
#define VRAM_SIZE	0x200000
#define PAGE_TABLE	0x10000
#define IH_RING		0x20000
#define MEMORY		0x40000

/* The FB aperture begins here in VMID 0, in units of 16 MiB. */
#define FB_LOCATION	0xf400

/* GCVM_CONTEXT1_CNTL, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define CONTEXT_ENABLE	1
/* amdgpu_vm.h (Linux 6.1): VALID, EXECUTABLE, READABLE, WRITEABLE */
#define PTE_ALL		0x71
/* IH_RB_CNTL, osssys_5_0_0_sh_mask.h (Linux 6.1): ENABLE, 4 KiB, MC_SPACE 4 */
#define IH_RB_ON	(1 | 10 << 1 | 4U << 28)

static void map_memory(struct vgpu *g, unsigned int vmid)
{
	unsigned int cntl = vmid * g->profile->gen->vm_context_stride;
	unsigned int addr = vmid * g->profile->gen->vm_context_addr_stride;
	u64 *pte = (u64 *)(g->vram + PAGE_TABLE);
	u64 i;

	for (i = 0; i < GPU_VA_SIZE >> VGPU_PAGE_SHIFT; i++)
		pte[i] = (MEMORY + (i << VGPU_PAGE_SHIFT)) | PTE_ALL;
	vgpu_reg_store(g, R_GCVM_CONTEXT0_CNTL, cntl, CONTEXT_ENABLE);
	vgpu_reg_store(g, R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, addr,
		       PAGE_TABLE | 1);
	vgpu_reg_store(g, R_GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, addr,
		       GPU_VA >> VGPU_PAGE_SHIFT);
	vgpu_reg_store(g, R_GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, addr,
		       ((GPU_VA + GPU_VA_SIZE) >> VGPU_PAGE_SHIFT) - 1);
}

static void enable_ring(struct vgpu *g)
{
	u64 ring = ((u64)FB_LOCATION << 24) + IH_RING;

	vgpu_reg_store(g, R_GCMC_VM_FB_LOCATION_BASE, 0, FB_LOCATION);
	vgpu_reg_store(g, R_IH_RB_BASE, 0, lower_32_bits(ring >> 8));
	vgpu_reg_store(g, R_IH_RB_BASE_HI, 0, upper_32_bits(ring >> 8));
	vgpu_reg_store(g, R_IH_RB_CNTL, 0, IH_RB_ON);
	vgpu_reg_store(g, R_IH_VMID_0_LUT, GPU_VMID, GPU_PASID);
}

struct vgpu *gpu_new(unsigned int num_se, unsigned int num_sa,
		     unsigned int num_wgp)
{
	struct vgpu *g = calloc(1, sizeof(*g));

	assert_non_null(g);
	g->profile = vgpu_profile_find("vangogh");
	assert_non_null(g->profile);
	g->opt.log_path = "/dev/null";
	g->num_se = num_se;
	g->num_sa = num_sa;
	g->num_wgp = num_wgp;
	g->num_simd = g->profile->num_simd;
	g->num_slots = g->profile->num_slots;
	g->vram_size = VRAM_SIZE;
	g->vram = aligned_alloc(VGPU_PAGE_SIZE, VRAM_SIZE);
	assert_non_null(g->vram);
	memset(g->vram, 0, VRAM_SIZE);

	assert_int_equal(vgpu_log_init(g), 0);
	assert_int_equal(vgpu_quirks_init(g), 0);
	assert_int_equal(vgpu_faults_init(g), 0);
	assert_int_equal(vgpu_checker_init(g), 0);
	assert_int_equal(vgpu_dma_init(g), 0);
	assert_int_equal(vgpu_regs_init(g), 0);
	assert_int_equal(vgpu_harvest_init(g), 0);
	assert_int_equal(vgpu_gmc_init(g), 0);
	assert_int_equal(vgpu_ih_init(g), 0);
	assert_int_equal(vgpu_isa_init(g), 0);
	assert_int_equal(vgpu_sq_init(g), 0);

	/* What tests count in registers begins with 0. */
	assert_int_equal(vgpu_quirk_set(g, "poison", 0), 0);
	map_memory(g, GPU_VMID);
	map_memory(g, GPU_OTHER_VMID);
	enable_ring(g);
	return g;
}

void gpu_free(struct vgpu *g)
{
	vgpu_sq_fini(g);
	vgpu_isa_fini(g);
	vgpu_ih_fini(g);
	vgpu_gmc_fini(g);
	vgpu_regs_fini(g);
	vgpu_dma_fini(g);
	vgpu_checker_fini(g);
	vgpu_faults_fini(g);
	vgpu_quirks_fini(g);
	vgpu_log_fini(g);
	free(g->vram);
	free(g);
}

u8 *gpu_mem(struct vgpu *g, u64 va)
{
	assert_in_range(va, GPU_VA, GPU_VA + GPU_VA_SIZE - 1);
	return g->vram + MEMORY + (va - GPU_VA);
}

void gpu_code(struct vgpu *g, u64 va, const u32 *code, unsigned int n)
{
	memcpy(gpu_mem(g, va), code, n * sizeof(*code));
	vgpu_isa_invalidate(g, ~0U);
}

u32 gpu_read(struct vgpu *g, enum vgpu_role role, unsigned int idx)
{
	return vgpu_reg_engine_read(g, g->profile->regs[role] + idx);
}

void gpu_write(struct vgpu *g, enum vgpu_role role, unsigned int idx, u32 val)
{
	vgpu_reg_engine_write(g, g->profile->regs[role] + idx, val);
}

void gpu_set_handler(struct vgpu *g, u32 vmid, u64 tba, bool enable)
{
	/* GRBM_GFX_CNTL.VMID [7:4], SQ_SHADER_TBA_HI.TRAP_EN [31] */
	gpu_write(g, R_GRBM_GFX_CNTL, 0, vmid << 4);
	gpu_write(g, R_SQ_SHADER_TBA_LO, 0, lower_32_bits(tba >> 8));
	gpu_write(g, R_SQ_SHADER_TBA_HI, 0,
		  (upper_32_bits(tba >> 8) & 0xff) | (u32)enable << 31);
	gpu_write(g, R_GRBM_GFX_CNTL, 0, 0);
}

u32 gpu_ind(struct vgpu *g, unsigned int slot, u32 index)
{
	gpu_write(g, R_SQ_IND_INDEX, 0, index << 16 | slot);
	return gpu_read(g, R_SQ_IND_DATA, 0);
}

void gpu_ind_write(struct vgpu *g, unsigned int slot, u32 index, u32 val)
{
	gpu_write(g, R_SQ_IND_INDEX, 0, index << 16 | slot);
	gpu_write(g, R_SQ_IND_DATA, 0, val);
}

struct vgpu_dispatch gpu_dispatch(u32 threads, u32 groups)
{
	struct vgpu_dispatch d = {
		.queue = { .me = 1, .pipe = 0, .queue = 0 },
		.vmid = GPU_VMID,
		.pgm = GPU_VA,
		.threads = { threads, 1, 1 },
		.last = { threads, 1, 1 },
		.groups = { groups, 1, 1 },
		.initiator = 1 << 15,	/* CS_W32_EN */
	};

	return d;
}

void gpu_start(struct vgpu *g)
{
	u64 before;

	do {
		before = g->counters.waves;
		vgpu_sq_run(g, 1);
	} while (g->counters.waves != before);
}

void gpu_launch(struct vgpu *g, const struct vgpu_dispatch *d)
{
	assert_int_equal(vgpu_sq_dispatch(g, d), 0);
	gpu_start(g);
}

static void newest(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	struct vgpu_wave **best = arg;

	(void)g;
	if (!*best || w->serial > (*best)->serial)
		*best = w;
}

struct vgpu_wave *gpu_newest_wave(struct vgpu *g)
{
	struct vgpu_wave *w = NULL;

	vgpu_sq_for_each(g, newest, &w);
	assert_non_null(w);
	return w;
}

struct vgpu_wave *gpu_halted_wave(struct vgpu *g, const u32 *code,
				  unsigned int n)
{
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	struct vgpu_wave *w;

	gpu_code(g, GPU_VA, code, n);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	gpu_launch(g, &d);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, 0);
	w = gpu_newest_wave(g);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	return w;
}

void gpu_run(struct vgpu *g)
{
	/* Of the processor: other programs can use it. */
	clock_t end = clock() + CLOCKS_PER_SEC;

	while (vgpu_sq_runnable(g)) {
		assert_true(clock() < end);
		vgpu_sq_run(g, 1000000);
	}
}

static void count(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)g;
	(void)w;
	++*(unsigned int *)arg;
}

unsigned int gpu_count_waves(struct vgpu *g)
{
	unsigned int n = 0;

	vgpu_sq_for_each(g, count, &n);
	return n;
}

const u32 *gpu_iv(struct vgpu *g, unsigned int n)
{
	assert_true(n < g->counters.iv_entries);
	return (const u32 *)(g->vram + IH_RING) + n * 8;
}
