// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two GPUs with the same wave, see pair.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "pair.h"
#include "trap_abi.h"

static const u32 stop_code[] = {
#include "gfx10_3_stop.inc"
};

#define KILL		PAIR_COMMAND(3, 0)
#define TRAP		PAIR_COMMAND(5, 1)

/* COMPUTE_PGM_RSRC1.VGPRS: 256, in units of 8 for wave32 and 4 for wave64 */
#define ALL_VGPRS(lanes) ((lanes) == 32 ? 31 : 63)
/* COMPUTE_PGM_RSRC2.LDS_SIZE [23:15]: units of 512 bytes */
#define LDS_1K		(2 << 15)
#define W32_EN		(1 << 15)

/* SQ_WAVE_MODE: cwsr_trap_handler_gfx10.asm (Linux 6.12) */
#define MODE_DEBUG_EN	BIT(11)

/* TTMP0 and 1 are the trap's, these the handler's. */
#define IS_HANDLERS(n)	((n) < 8 || (n) >= 12)

struct vgpu *pair_gpu(unsigned int num_se, unsigned int num_sa, unsigned int num_wgp, u64 handler,
		      u64 tma)
{
	struct vgpu *g = gpu_new(num_se, num_sa, num_wgp);
	u32 header[TRAP_HDR_SIZE / 4];

	trap_header(header, num_se, num_sa, num_wgp, g->num_simd, g->num_slots);
	gpu_code(g, handler, stop_code, ARRAY_SIZE(stop_code));
	memcpy(gpu_mem(g, tma), header, sizeof(header));
	gpu_set_handler(g, GPU_VMID, handler, true);
	/* GRBM_GFX_CNTL.VMID [7:4] */
	gpu_write(g, R_GRBM_GFX_CNTL, 0, GPU_VMID << 4);
	gpu_write(g, R_SQ_SHADER_TMA_LO, 0, lower_32_bits(tma >> 8));
	gpu_write(g, R_SQ_SHADER_TMA_HI, 0, upper_32_bits(tma >> 8));
	gpu_write(g, R_GRBM_GFX_CNTL, 0, 0);
	return g;
}

/* Both have the handler: STATUS.TRAP_EN is there for all to see. */
void pair_new(struct pair *p)
{
	memset(p, 0, sizeof(*p));
	p->alone = pair_gpu(1, 1, 4, PAIR_HANDLER, PAIR_TMA);
	p->debugged = pair_gpu(1, 1, 4, PAIR_HANDLER, PAIR_TMA);
}

void pair_free(struct pair *p)
{
	gpu_free(p->alone);
	gpu_free(p->debugged);
}

static struct vgpu_wave *new_wave(struct vgpu *g, unsigned int lanes)
{
	struct vgpu_dispatch d = gpu_dispatch(lanes, 1);

	gpu_write(g, R_SQ_CMD, 0, KILL);
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 0);
	d.rsrc1 = ALL_VGPRS(lanes);
	d.rsrc2 = LDS_1K;
	d.initiator = lanes == 32 ? W32_EN : 0;
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	gpu_launch(g, &d);
	return gpu_newest_wave(g);
}

void pair_wave(struct pair *p, unsigned int lanes)
{
	p->a = new_wave(p->alone, lanes);
	p->d = new_wave(p->debugged, lanes);
}

void pair_ready(struct pair *p, enum pair_by by)
{
	p->by = by;
	if (by != PAIR_HOST)
		p->d->debug_en = true;
	vgpu_wave_update_slow(p->alone, p->a);
	vgpu_wave_update_slow(p->debugged, p->d);
}

void pair_write(struct pair *p, u64 va, const void *data, size_t size)
{
	memcpy(gpu_mem(p->alone, va), data, size);
	memcpy(gpu_mem(p->debugged, va), data, size);
	vgpu_isa_invalidate(p->alone, ~0U);
	vgpu_isa_invalidate(p->debugged, ~0U);
}

/* The handler stops no wave: it is stepped through, until it has come to its end. */
static void step_and_pass(struct pair *p)
{
	do {
		gpu_write(p->debugged, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
		gpu_run(p->debugged);
	} while (gpu_count_waves(p->debugged) && p->d->priv);
}

bool pair_step(struct pair *p)
{
	struct vgpu *d = p->debugged;

	gpu_write(p->alone, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
	gpu_run(p->alone);
	if (p->by == PAIR_DEBUG) {
		gpu_write(d, R_SQ_CMD, 0, PAIR_RESUME);
	} else if (p->by == PAIR_PASS) {
		step_and_pass(p);
	} else {
		gpu_write(d, R_SQ_CMD, 0, PAIR_SINGLE_STEP);
		gpu_write(d, R_SQ_CMD, 0, TRAP);
	}
	gpu_run(d);
	if (!gpu_count_waves(p->alone))
		p->a = NULL;
	if (!gpu_count_waves(d))
		p->d = NULL;
	return p->a && p->d;
}

static bool differ(const char *what, const char *name, unsigned int n, unsigned int lane,
		   u64 alone, u64 debugged)
{
	if (alone == debugged)
		return false;
	printf("# %s: %s%u[%u] is 0x%llx, and alone 0x%llx\n", what, name, n, lane,
	       (unsigned long long)debugged, (unsigned long long)alone);
	return true;
}

/* As the wave itself reads it */
static bool differ_reg(const char *what, const struct pair *p, const char *name, unsigned int id,
		       u32 by_debugger)
{
	u32 a = 0, d = 0;

	assert_true(vgpu_wave_getreg(p->alone, p->a, id, &a));
	assert_true(vgpu_wave_getreg(p->debugged, p->d, id, &d));
	return differ(what, name, 0, 0, a, d & ~by_debugger);
}

static bool differ_scalar(const char *what, const struct pair *p)
{
	const struct vgpu_wave *a = p->a, *d = p->d;
	bool bad = false;
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(a->s); n++) {
		if (n >= VGPU_S_TTMP0 && n < VGPU_S_TTMP0 + 16 && IS_HANDLERS(n - VGPU_S_TTMP0))
			continue;
		bad |= differ(what, "s", n, 0, a->s[n], d->s[n]);
	}
	bad |= differ(what, "pc", 0, 0, a->pc, d->pc);
	bad |= differ_reg(what, p, "mode", 1, p->by == PAIR_HOST ? 0 : MODE_DEBUG_EN);
	/* SCC, EXECZ and VCCZ among them */
	bad |= differ_reg(what, p, "status", 2, 0);
	bad |= differ_reg(what, p, "trapsts", 3, 0);
	bad |= differ_reg(what, p, "ib_sts", 7, 0);
	bad |= differ(what, "scratch", 0, 0, a->flat_scratch, d->flat_scratch);
	bad |= differ(what, "stop", 0, 0, a->stop, d->stop);
	return bad;
}

static bool differ_vector(const char *what, const struct vgpu_wave *a, const struct vgpu_wave *d)
{
	bool bad = false;
	unsigned int n, lane;

	if (!memcmp(a->v, d->v, sizeof(a->v)))
		return false;
	for (n = 0; n < VGPU_NUM_VGPRS; n++) {
		for (lane = 0; lane < a->lanes; lane++)
			bad |= differ(what, "v", n, lane, a->v[n][lane], d->v[n][lane]);
	}
	return bad;
}

static bool differ_bytes(const char *what, const char *name, const u8 *a, const u8 *d, size_t size)
{
	size_t n = 0;

	if (!memcmp(a, d, size))
		return false;
	while (a[n] == d[n])
		n++;
	return differ(what, name, (unsigned int)n, 0, a[n], d[n]);
}

bool pair_differs(const struct pair *p, const char *what)
{
	bool bad;

	bad = differ_bytes(what, "memory ", gpu_mem(p->alone, GPU_VA),
			   gpu_mem(p->debugged, GPU_VA), PAIR_HANDLER - GPU_VA);
	if (p->a && p->d) {
		u32 size, other;
		const u8 *lds = vgpu_wave_lds(p->a, &size);

		bad |= differ_scalar(what, p);
		bad |= differ_vector(what, p->a, p->d);
		bad |= differ_bytes(what, "LDS ", lds, vgpu_wave_lds(p->d, &other), size);
	} else {
		bad |= differ(what, "has not ended ", 0, 0, !!p->a, !!p->d);
	}
	return bad;
}

const u32 *pair_mailbox(const struct pair *p)
{
	const struct vgpu_wave *w = p->d;
	const u32 *header = (const u32 *)gpu_mem(p->debugged, PAIR_TMA);
	u32 mailbox = trap_mailbox(header, w->se, w->sa, w->wgp, w->simd, w->slot);

	return header + (TRAP_HDR_SIZE + mailbox * TRAP_MAILBOX_SIZE) / 4;
}

void pair_set_condition(struct pair *p, const u32 *code)
{
	gpu_code(p->alone, PAIR_HANDLER + TRAP_CONDITION, code, TRAP_CONDITION_DWORDS);
	gpu_code(p->debugged, PAIR_HANDLER + TRAP_CONDITION, code, TRAP_CONDITION_DWORDS);
}

u32 pair_stops(const struct pair *p)
{
	return pair_mailbox(p)[TRAP_MAILBOX_COUNT / 4];
}

u32 *pair_counter(struct vgpu *g, unsigned int n)
{
	return (u32 *)gpu_mem(g, PAIR_TMA + PAIR_COUNTERS + n * TRAP_COUNTER_SIZE);
}
