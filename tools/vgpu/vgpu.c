// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The GPU as a whole: creates its blocks in the order in which they depend on each other,
 * resets them, and divides the time between engines and waves.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/psp.h"
#include "firmware/smu.h"
#include "firmware/tables.h"
#include "front/cp.h"
#include "front/sdma.h"
#include "gpu.h"
#include "host/control.h"
#include "host/dma.h"
#include "host/pci.h"
#include "host/transport.h"
#include "isa/isa.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/faults.h"
#include "regs/log.h"
#include "regs/nbio.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/sq.h"
#include "vgpu.h"

static int vram_init(struct vgpu *g)
{
	void *map;

	g->vram_fd = memfd_create("vgpu-vram", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (g->vram_fd < 0)
		return -errno;
	if (ftruncate(g->vram_fd, (off_t)g->vram_size))
		return -errno;
	/* The host maps the file, too. If it shrank it, an access would raise SIGBUS. */
	if (fcntl(g->vram_fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return -errno;
	map = mmap(NULL, g->vram_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		   g->vram_fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	g->vram = map;
	return 0;
}

static void vram_fini(struct vgpu *g)
{
	if (g->vram)
		munmap(g->vram, g->vram_size);
	if (g->vram_fd >= 0)
		close(g->vram_fd);
	g->vram = NULL;
	g->vram_fd = -1;
}

/*
 * All blocks, in the order of their creation and reset. Blocks of GC are reset by MODE2,
 * the other blocks only with the whole device.
 */
static const struct {
	const char *name;
	int (*init)(struct vgpu *g);
	void (*fini)(struct vgpu *g);
	void (*reset)(struct vgpu *g);
	bool gc;
} blocks[] = {
	{ "quirks", vgpu_quirks_init, vgpu_quirks_fini, NULL, false },
	{ "faults", vgpu_faults_init, vgpu_faults_fini, NULL, false },
	{ "checker", vgpu_checker_init, vgpu_checker_fini, NULL, false },
	{ "vram", vram_init, vram_fini, NULL, false },
	{ "dma", vgpu_dma_init, vgpu_dma_fini, NULL, false },
	{ "regs", vgpu_regs_init, vgpu_regs_fini, NULL, false },
	{ "harvest", vgpu_harvest_init, NULL, NULL, false },
	{ "nbio", vgpu_nbio_init, vgpu_nbio_fini, vgpu_nbio_reset, false },
	{ "tables", vgpu_tables_load, NULL, NULL, false },
	{ "gmc", vgpu_gmc_init, vgpu_gmc_fini, vgpu_gmc_reset, true },
	{ "ih", vgpu_ih_init, vgpu_ih_fini, vgpu_ih_reset, false },
	{ "psp", vgpu_psp_init, vgpu_psp_fini, vgpu_psp_reset, false },
	{ "smu", vgpu_smu_init, vgpu_smu_fini, vgpu_smu_reset, false },
	{ "isa", vgpu_isa_init, vgpu_isa_fini, NULL, false },
	{ "sq", vgpu_sq_init, vgpu_sq_fini, vgpu_sq_reset, true },
	{ "cp", vgpu_cp_init, vgpu_cp_fini, vgpu_cp_reset, true },
	{ "sdma", vgpu_sdma_init, vgpu_sdma_fini, vgpu_sdma_reset, true },
	{ "pci", vgpu_pci_init, vgpu_pci_fini, vgpu_pci_reset, false },
	{ "transport", vgpu_transport_init, vgpu_transport_fini, NULL, false },
	{ "control", vgpu_control_init, vgpu_control_fini, NULL, false },
};

/* Hook: does the graphics core, which includes SDMA, have work that keeps it powered? */
static bool core_busy(struct vgpu *g)
{
	return vgpu_sq_busy(g) || vgpu_cp_busy(g) || vgpu_sdma_busy(g);
}

int vgpu_create(struct vgpu *g, const struct vgpu_profile *profile,
		const struct vgpu_options *opt)
{
	size_t i;
	int ret;

	memset(g, 0, sizeof(*g));
	g->profile = profile;
	g->opt = *opt;
	g->hooks.reset = vgpu_reset;
	g->hooks.cold_reset = vgpu_cold_reset;
	g->hooks.core_busy = core_busy;
	g->hooks.core_boot = vgpu_cp_boot;
	g->vram_fd = -1;
	g->num_se = opt->num_se ? opt->num_se : profile->num_se;
	g->num_sa = opt->num_sa ? opt->num_sa : profile->num_sa;
	g->num_wgp = opt->num_wgp ? opt->num_wgp : profile->num_wgp;
	g->num_simd = profile->num_simd;
	g->num_slots = profile->num_slots;
	g->vram_size = (u64)(opt->vram_mib ? opt->vram_mib :
			     profile->vram_mib) << 20;

	ret = vgpu_log_init(g);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		ret = blocks[i].init(g);
		if (ret) {
			vgpu_log(g, "cannot create %s: %s", blocks[i].name,
				 strerror(-ret));
			vgpu_destroy(g);
			return ret;
		}
	}
	return 0;
}

/* Each fini function accepts a block that was not created. */
void vgpu_destroy(struct vgpu *g)
{
	size_t i;

	for (i = ARRAY_SIZE(blocks); i-- > 0;)
		if (blocks[i].fini)
			blocks[i].fini(g);
	vgpu_log_fini(g);
}

static void reset_blocks(struct vgpu *g, bool all)
{
	size_t i;

	g->counters.resets++;
	/* Reset registers first, because blocks then write their own power-on values. */
	vgpu_regs_reset(g, all);
	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		if (blocks[i].reset && (all || blocks[i].gc))
			blocks[i].reset(g);
	vgpu_isa_invalidate(g, ~0U);
}

void vgpu_reset(struct vgpu *g)
{
	reset_blocks(g, false);
}

void vgpu_cold_reset(struct vgpu *g)
{
	reset_blocks(g, true);
	vgpu_sq_forget(g);
	/* Free the pages; they read as zeros afterwards, also in the guest's mapping. */
	if (fallocate(g->vram_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		      0, (off_t)g->vram_size))
		memset(g->vram, 0, g->vram_size);
	vgpu_tables_load(g);
}

u64 vgpu_work(struct vgpu *g, u64 budget_ns)
{
	u64 cmds_ns = vgpu_sq_cmds_wait_ns(g), waves_ns;
	bool engines = vgpu_cp_run(g), waves = vgpu_sq_runnable(g);

	if (vgpu_sdma_run(g))
		engines = true;
	if (waves)
		vgpu_sq_run(g, budget_ns);
	/* If the core has run out of work, count its entry into GFXOFF. */
	vgpu_smu_core_off(g);
	if (engines)
		return 0;
	waves_ns = waves ? vgpu_sq_sleeps_ns(g) : UINT64_MAX;
	return waves_ns < cmds_ns ? waves_ns : cmds_ns;
}

bool vgpu_polling(struct vgpu *g)
{
	return vgpu_cp_polling(g) || vgpu_sdma_polling(g);
}
