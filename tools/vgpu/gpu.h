/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct vgpu: one software GPU, the object that is passed to every block. Each block
 * keeps its state in a structure of its own, which only its own files access.
 *
 * One thread runs everything: the sockets, the engines, the waves. So there are no locks,
 * and the state of the GPU does not change during an access of the host.
 */
#ifndef VGPU_GPU_H
#define VGPU_GPU_H

#include "profiles/profile.h"
#include "types.h"

#define VGPU_PAGE_SHIFT	12
#define VGPU_PAGE_SIZE	(1U << VGPU_PAGE_SHIFT)

/* Maximum numbers of shader engines, and of shader arrays in each */
#define VGPU_MAX_SE	4
#define VGPU_MAX_SA	2

struct vgpu_options {
	const char *socket_path;	/* vfio-user */
	const char *control_path;	/* JSON lines, may be NULL */
	const char *log_path;		/* NULL: stderr */
	const char *firmware_dir;
	bool trace_mmio;		/* one log line per register access */
	bool trace_packets;		/* one per packet */
	bool trace_waves;		/* one per instruction */
	bool strict;			/* complaints make the exit status 1 */
	bool persist;			/* wait for the next QEMU when one disconnects */
	u32 vram_mib;
	u8 num_se, num_sa, num_wgp;
	u32 harvest[VGPU_MAX_SE][VGPU_MAX_SA];	/* bitmaps of WGPs that are missing */
};

/* The block that a register belongs to, for the counters. SDMA is in GC. */
#define VGPU_BLOCKS(BLOCK) \
	BLOCK(GC, "gc") \
	BLOCK(MMHUB, "mmhub") \
	BLOCK(OSSSYS, "osssys") \
	BLOCK(NBIO, "nbio") \
	BLOCK(MP, "mp") \
	BLOCK(OTHER, "other")

enum vgpu_block {
#define VGPU_BLOCK_ENUM(id, name) VGPU_BLOCK_##id,
	VGPU_BLOCKS(VGPU_BLOCK_ENUM)
#undef VGPU_BLOCK_ENUM
	VGPU_NUM_BLOCKS,
};

/*
 * Exact counts of events, which tests and benchmarks read over the control socket. Each
 * block increments its own. COUNTER(member), followed by the file that counts it.
 */
#define VGPU_COUNTERS(COUNTER) \
	COUNTER(reg_reads)	/* regs.c: by the host, through BAR5 */ \
	COUNTER(reg_writes) \
	COUNTER(doorbells)	/* pci.c: writes to BAR2 */ \
	COUNTER(irqs)		/* transport.c: MSIs raised */ \
	COUNTER(iv_entries)	/* ih.c: entries put into the ring */ \
	COUNTER(packets)	/* cp.c, sdma.c: packets executed */ \
	COUNTER(dispatches)	/* dispatch.c: compute dispatches queued */ \
	COUNTER(waves)		/* dispatch.c: waves started */ \
	COUNTER(instructions)	/* run.c: of all waves, updated after each slice */ \
	COUNTER(traps)		/* trap.c: entries into a trap handler */ \
	COUNTER(tlb_misses)	/* gmc.c: translations by apertures and page tables */ \
	COUNTER(vm_faults) \
	COUNTER(smu_messages) \
	COUNTER(gfxoff_allowed)	/* smu.c: how often the driver has allowed it */ \
	COUNTER(psp_commands) \
	COUNTER(resets)		/* vgpu.c */ \
	COUNTER(busy_ns)	/* main.c: time spent outside of poll() */

struct vgpu_counters {
#define VGPU_COUNTER_MEMBER(name) u64 name;
	VGPU_COUNTERS(VGPU_COUNTER_MEMBER)
#undef VGPU_COUNTER_MEMBER
	/* regs.c: reg_reads and reg_writes of each block */
	u64 block_reads[VGPU_NUM_BLOCKS];
	u64 block_writes[VGPU_NUM_BLOCKS];
};

struct vgpu;
struct vgpu_iv;
struct vgpu_wave_hooks;

/*
 * Hooks: the only way in which a block calls one above it in the layers. Each is set when
 * the block that answers is created.
 */
struct vgpu_hooks {
	/* Get guest memory by bus address, NULL: there is none; for the GMC. */
	u8 *(*bus_ptr)(struct vgpu *g, u64 addr, size_t len, bool write);
	/* Send the interrupt of a VM fault, from the GMC. */
	void (*interrupt)(struct vgpu *g, const struct vgpu_iv *iv);
	/* Raise the MSI, from the interrupt ring. */
	void (*msi)(struct vgpu *g);
	/* Services of the sequencer for instructions (wave.h). */
	const struct vgpu_wave_hooks *wave;
	/* The host is about to access a register; may be NULL. */
	void (*reg_access)(struct vgpu *g);
	/*
	 * Does the driver allow that the graphics core is powered off; and is it off? For
	 * register accesses.
	 */
	bool (*gfxoff)(struct vgpu *g);
	bool (*core_off)(struct vgpu *g);
	/* Does it have waves or packets, which keep it powered? For the SMU. */
	bool (*core_busy)(struct vgpu *g);
	/* Restart the graphics core's firmware: all queues are unmapped. */
	void (*core_boot)(struct vgpu *g);
	/* MODE2 reset, from the firmware: waves, queues and registers are reset. */
	void (*reset)(struct vgpu *g);
	/* The host has disconnected, or resets the PCI function: VRAM is cleared, too. */
	void (*cold_reset)(struct vgpu *g);
};

struct vgpu {
	const struct vgpu_profile *profile;
	struct vgpu_options opt;

	/* VRAM: a memfd, also mapped into the guest as BAR0 */
	int vram_fd;
	u8 *vram;
	u64 vram_size;
	u8 num_se, num_sa, num_wgp, num_simd, num_slots;

	struct vgpu_counters counters;
	struct vgpu_hooks hooks;

	struct vgpu_log *log;
	struct vgpu_dma *dma;
	struct vgpu_transport *transport;
	struct vgpu_pci *pci;
	struct vgpu_regs *regs;
	struct vgpu_nbio *nbio;
	struct vgpu_gmc *gmc;
	struct vgpu_gl2 *gl2;
	struct vgpu_ih *ih;
	struct vgpu_psp *psp;
	struct vgpu_smu *smu;
	struct vgpu_cp *cp;
	struct vgpu_sdma *sdma;
	struct vgpu_sq *sq;
	struct vgpu_isa_state *isa;
	struct vgpu_checker *checker;
	struct vgpu_control *control;
	struct vgpu_quirks *quirks;
	struct vgpu_faults *faults;

	bool stop;			/* leave the main loop */
};

/* Get the mask of a field; 0: the GPU's generation has no such field. */
static inline u32 vgpu_field(const struct vgpu *g, enum vgpu_field f)
{
	return g->profile->gen->fields[f];
}

/* Get the value of a field from that of its register. */
static inline u32 vgpu_get(const struct vgpu *g, enum vgpu_field f, u32 val)
{
	u32 mask = vgpu_field(g, f);

	return mask ? (val & mask) >> __builtin_ctz(mask) : 0;
}

/* Get the value of a register from that of one of its fields. */
static inline u32 vgpu_put(const struct vgpu *g, enum vgpu_field f, u32 val)
{
	u32 mask = vgpu_field(g, f);

	return mask ? val << __builtin_ctz(mask) & mask : 0;
}

#endif /* VGPU_GPU_H */
