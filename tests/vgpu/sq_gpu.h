/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU for tests of the sequencer: only the blocks that waves need, without
 * sockets, with memory mapped for VMIDs 3 and 5.
 */
#ifndef TESTS_SQ_GPU_H
#define TESTS_SQ_GPU_H

#include "vgpu.h"

#define GPU_VMID	3
#define GPU_OTHER_VMID	5
/* Both VMIDs see the same 1 MiB here. */
#define GPU_VA		0x100000000ULL
#define GPU_VA_SIZE	0x100000
#define GPU_PASID	0x8003	/* of GPU_VMID */

/* GRBM_GFX_INDEX: everything, or one SIMD of shader engine 0, array 0 */
#define GPU_ALL		0xe0000000
#define GPU_SIMD(wgp, simd) ((wgp) << 2 | (simd))

/* SPI_GDBG_WAVE_CNTL2: waves of the VMID start halted, or single-stepping */
#define GPU_LAUNCH_HALTED(vmid)	(1U << (vmid) | 1 << 16)
#define GPU_LAUNCH_DEBUG(vmid)	(1U << (vmid) | 3 << 16)

/* gfx10 instructions */
#define I_NOP		0xbf800000
#define I_ENDPGM	0xbf810000
#define I_BRANCH_SELF	0xbf82ffff	/* s_branch to itself */
#define I_BRANCH_TWO	0xbf82fffe	/* s_branch one back */
#define I_BARRIER	0xbf8a0000
#define I_SETHALT	0xbf8d0001
#define I_TRAP_1	0xbf920001
#define I_RFE_TTMP0	0xbe80226c	/* s_rfe_b64 ttmp[0:1] */
#define I_ADD_S20_1	0x80148114	/* s_add_u32 s20, s20, 1 */
#define I_ILLEGAL	0xbfff0000	/* SOPP 127 */

struct vgpu *gpu_new(unsigned int num_se, unsigned int num_sa,
		     unsigned int num_wgp);
void gpu_free(struct vgpu *g);

u8 *gpu_mem(struct vgpu *g, u64 va);
/* Put instructions, up to @n of them, at @va. */
void gpu_code(struct vgpu *g, u64 va, const u32 *code, unsigned int n);

u32 gpu_read(struct vgpu *g, enum vgpu_role role, unsigned int idx);
void gpu_write(struct vgpu *g, enum vgpu_role role, unsigned int idx, u32 val);
void gpu_set_handler(struct vgpu *g, u32 vmid, u64 tba, bool enable);

/* SQ_IND of the wave in a slot of what GRBM_GFX_INDEX selects. */
u32 gpu_ind(struct vgpu *g, unsigned int slot, u32 index);
void gpu_ind_write(struct vgpu *g, unsigned int slot, u32 index, u32 val);

/* @groups of @threads in a row, wave32, all registers of RSRC* zero. */
struct vgpu_dispatch gpu_dispatch(u32 threads, u32 groups);
/* Start what fits, as long as that takes. */
void gpu_start(struct vgpu *g);
/* Dispatch, and start what fits; waves do not run. Launch must be halted. */
void gpu_launch(struct vgpu *g, const struct vgpu_dispatch *d);
/* The one that has started last. */
struct vgpu_wave *gpu_newest_wave(struct vgpu *g);
/* One wave of VMID 3 with @code, halted at its start. */
struct vgpu_wave *gpu_halted_wave(struct vgpu *g, const u32 *code,
				  unsigned int n);
/* Run until nothing can run, at most a second of the processor. */
void gpu_run(struct vgpu *g);

unsigned int gpu_count_waves(struct vgpu *g);
/* Entry @n of the interrupt ring. */
const u32 *gpu_iv(struct vgpu *g, unsigned int n);

#endif /* TESTS_SQ_GPU_H */
