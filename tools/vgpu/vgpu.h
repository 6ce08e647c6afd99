/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One software GPU, and the interfaces of its blocks that are too small for a
 * header of their own. Blocks call each other only through the functions
 * declared here and in gmc.h, regs.h, sq.h, wave.h and isa/isa.h; each keeps its
 * state in a struct of its own, private to its .c file.
 *
 * One thread runs everything: the socket, the engines, the waves. So there are
 * no locks, and an access of the host sees a GPU that stands still.
 */
#ifndef VGPU_VGPU_H
#define VGPU_VGPU_H

#include "gmc.h"
#include "profile.h"
#include "regs.h"
#include "sq.h"
#include "types.h"

/* Shader engines and arrays that there may be. */
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
	bool persist;			/* wait for the next QEMU when one goes */
	u32 vram_mib;
	u8 num_se, num_sa, num_wgp;
	u32 harvest[VGPU_MAX_SE][VGPU_MAX_SA];	/* WGPs that are not there */
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
 * Exact counts of what happened, read by tests and benchmarks over the control
 * socket. Each block increments its own. COUNTER(member, block that counts it).
 */
#define VGPU_COUNTERS(COUNTER) \
	COUNTER(reg_reads)	/* regs.c: by the host, through BAR5 */ \
	COUNTER(reg_writes) \
	COUNTER(doorbells)	/* pci.c: writes to BAR2 */ \
	COUNTER(irqs)		/* transport.c: MSIs raised */ \
	COUNTER(iv_entries)	/* ih.c: entries put into the ring */ \
	COUNTER(packets)	/* cp.c, sdma.c */ \
	COUNTER(dispatches)	/* sq.c: compute dispatches and draws begun */ \
	COUNTER(waves)		/* sq.c: waves launched */ \
	COUNTER(instructions)	/* of all waves, added up per slice */ \
	COUNTER(traps)		/* trap.c: entries into a trap handler */ \
	COUNTER(tlb_misses)	/* gmc.c */ \
	COUNTER(vm_faults) \
	COUNTER(smu_messages) \
	COUNTER(psp_commands) \
	COUNTER(resets)		/* vgpu.c */ \
	COUNTER(busy_ns)	/* main.c: not waiting for anything */

struct vgpu_counters {
#define VGPU_COUNTER_MEMBER(name) u64 name;
	VGPU_COUNTERS(VGPU_COUNTER_MEMBER)
#undef VGPU_COUNTER_MEMBER
	/* reg_reads and reg_writes by block (regs.c) */
	u64 block_reads[VGPU_NUM_BLOCKS];
	u64 block_writes[VGPU_NUM_BLOCKS];
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
	struct vgpu_critic *critic;
	struct vgpu_control *control;
	struct vgpu_quirks *quirks;
	struct vgpu_faults *faults;

	bool stop;			/* leave the main loop */
};

/* vgpu.c: all blocks, in order. */
int vgpu_create(struct vgpu *g, const struct vgpu_profile *profile,
		const struct vgpu_options *opt);
void vgpu_destroy(struct vgpu *g);
/* MODE2 reset by the SMU: waves, queues and registers go, VRAM stays. */
void vgpu_reset(struct vgpu *g);
/* PCI reset, or a new host: VRAM is as at power-on, too. */
void vgpu_cold_reset(struct vgpu *g);
/*
 * Let engines and waves work for about @budget_ns. Returns true when there is
 * more to do now, false when only an event from outside can bring more.
 */
bool vgpu_work(struct vgpu *g, u64 budget_ns);
/*
 * Is an engine waiting for memory that the guest may change without telling
 * (WAIT_REG_MEM, POLL_REGMEM)? Then the loop looks again every millisecond.
 */
bool vgpu_polling(struct vgpu *g);

/* instances.c: which parts of the graphics core are there, and selected? */
struct vgpu_selection {
	/* What the fields say, which is where reads go, */
	u8 se, sa, wgp, simd;
	/* and what of it is all for writes (*_BROADCAST_WRITES). */
	bool all_se, all_sa, all_instances;
};

int vgpu_instances_init(struct vgpu *g);
bool vgpu_wgp_exists(const struct vgpu *g, unsigned int se, unsigned int sa,
		     unsigned int wgp);
/* A shader engine is there if any WGP of it is. */
bool vgpu_se_exists(const struct vgpu *g, unsigned int se);
unsigned int vgpu_num_wgps(const struct vgpu *g);
struct vgpu_selection vgpu_selection(struct vgpu *g);
/* Does a write go to this WGP? */
bool vgpu_selects_wgp(const struct vgpu_selection *sel, unsigned int se,
		      unsigned int sa, unsigned int wgp);

/* transport.c: raise the MSI. */
void vgpu_transport_irq(struct vgpu *g);

/* ih.c */
struct vgpu_iv {
	struct vgpu_iv_source source;
	u8 ring_id;
	u8 vmid;
	u16 pasid;	/* filled from IH_VMID_n_LUT when vmid is not 0 */
	u32 src_data[4];
};

int vgpu_ih_init(struct vgpu *g);
void vgpu_ih_fini(struct vgpu *g);
void vgpu_ih_reset(struct vgpu *g);
/* Append an entry to ring 0 and interrupt the host. */
void vgpu_ih_push(struct vgpu *g, const struct vgpu_iv *iv);
/* True when the doorbell was that of IH_DOORBELL_RPTR. */
bool vgpu_ih_doorbell(struct vgpu *g, u32 index, u64 value);
/* PASID that the driver put in IH_VMID_n_LUT. */
u16 vgpu_ih_pasid(struct vgpu *g, unsigned int vmid);

/* nbio.c: indirect access, memory size; discovery table and VBIOS at init. */
int vgpu_nbio_init(struct vgpu *g);
void vgpu_nbio_fini(struct vgpu *g);
/* Discovery table and VBIOS into VRAM: at init and at each cold reset. */
int vgpu_nbio_load_tables(struct vgpu *g);
/* SMN: byte-addressed registers behind PCIE_INDEX2/DATA2 */
u32 vgpu_smn_read(struct vgpu *g, u32 addr);
void vgpu_smn_write(struct vgpu *g, u32 addr, u32 val);

/* psp.c, smu.c */
int vgpu_psp_init(struct vgpu *g);
void vgpu_psp_fini(struct vgpu *g);
void vgpu_psp_reset(struct vgpu *g);
int vgpu_smu_init(struct vgpu *g);
void vgpu_smu_fini(struct vgpu *g);
void vgpu_smu_reset(struct vgpu *g);
/* The driver has allowed GFXOFF and not taken it back: no GC access now. */
bool vgpu_smu_gfxoff_allowed(struct vgpu *g);

/* CLOCK_MONOTONIC (log.c) */
u64 vgpu_now_ns(void);

/* The 100 MHz counter behind GPU timestamps (gfx_v10_0.c: xclk of Van Gogh). */
static inline u64 vgpu_clock(void)
{
	return vgpu_now_ns() / 10;
}

/* cp.c */
int vgpu_cp_init(struct vgpu *g);
void vgpu_cp_fini(struct vgpu *g);
void vgpu_cp_reset(struct vgpu *g);
/* A write to a doorbell; @index in dwords. True when it was for the CP. */
bool vgpu_cp_doorbell(struct vgpu *g, u32 index, u64 value);
/* Process packets. True when something was done. */
bool vgpu_cp_run(struct vgpu *g);
bool vgpu_cp_polling(struct vgpu *g);
/* Fault injection: the queue takes no more packets until reset. */
int vgpu_cp_hang(struct vgpu *g, struct vgpu_queue_id id);

/* sdma.c */
int vgpu_sdma_init(struct vgpu *g);
void vgpu_sdma_fini(struct vgpu *g);
void vgpu_sdma_reset(struct vgpu *g);
bool vgpu_sdma_doorbell(struct vgpu *g, u32 index, u64 value);
bool vgpu_sdma_run(struct vgpu *g);
bool vgpu_sdma_polling(struct vgpu *g);

/* discovery.c, vbios.c: make the tables; return the size, or -errno. */
int vgpu_discovery_build(const struct vgpu *g, void *buf, size_t size);
int vgpu_vbios_build(const struct vgpu *g, void *buf, size_t size);

/*
 * critic.c: what a driver or debugger must not do. One log line each, counted
 * by kind; with --strict any makes vgpu exit with status 1.
 */
enum vgpu_complaint {
	VGPU_BAD_REGISTER,	/* unknown register with side effects, out of range */
	VGPU_BAD_PACKET,	/* unknown PM4 or SDMA packet */
	VGPU_BAD_OPCODE,	/* instruction that is in no table */
	VGPU_BAD_MESSAGE,	/* unknown PSP command or SMU message */
	VGPU_BAD_VM_FAULT,
	VGPU_BAD_GFXOFF,	/* GC access while GFXOFF is allowed */
	VGPU_BAD_BANK,		/* bank select left behind or wrong for the access */
	VGPU_BAD_VMID0,		/* wave command or trap handler for VMID 0 */
	VGPU_BAD_KFD_VMID,	/* trap handler of a VMID that amdkfd owns */
	VGPU_BAD_DOORBELL,
	VGPU_NUM_COMPLAINTS,
};

int vgpu_critic_init(struct vgpu *g);
void vgpu_critic_fini(struct vgpu *g);
void vgpu_complain(struct vgpu *g, enum vgpu_complaint what,
		   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
u64 vgpu_complaints(const struct vgpu *g, enum vgpu_complaint what);
u64 vgpu_complaints_total(const struct vgpu *g);
const char *vgpu_complaint_name(enum vgpu_complaint what);
/*
 * A test that provokes complaints on purpose says so beforehand over the
 * control socket; expected ones are counted apart.
 */
void vgpu_critic_expect(struct vgpu *g, enum vgpu_complaint what, bool on);

/* The latest complaints, oldest first; NULL when there are no more. */
const char *vgpu_critic_line(const struct vgpu *g, unsigned int n);
/* How many complaints of a kind were expected. */
u64 vgpu_complaints_expected(const struct vgpu *g, enum vgpu_complaint what);

/* log.c: one line, with the time since start. */
int vgpu_log_init(struct vgpu *g);
void vgpu_log_fini(struct vgpu *g);
void vgpu_log(struct vgpu *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * quirks.c: assumptions about silicon that only hardware can confirm, each with
 * a name, a default and the source it was read from; set by --quirk NAME=VALUE
 * or the control socket. The list is quirks.def.
 */
enum vgpu_quirk {
#define QUIRK(id, name, def, text) VGPU_QUIRK_##id,
#include "quirks.def"
#undef QUIRK
	VGPU_NUM_QUIRKS,
};

int vgpu_quirks_init(struct vgpu *g);
void vgpu_quirks_fini(struct vgpu *g);
u32 vgpu_quirk(const struct vgpu *g, enum vgpu_quirk q);
/* -ENOENT when there is no quirk of that name. */
int vgpu_quirk_set(struct vgpu *g, const char *name, u32 value);
const char *vgpu_quirk_name(enum vgpu_quirk q);
const char *vgpu_quirk_text(enum vgpu_quirk q);
u32 vgpu_quirk_default(enum vgpu_quirk q);

/* faults.c: what tests break on purpose; taken once per request. */
enum vgpu_fault {
	VGPU_FAULT_DROP_IRQ,		/* the next interrupts are not raised */
	VGPU_FAULT_CORRUPT_READ,	/* the next reads of a register are wrong */
	VGPU_FAULT_IGNORE_SQ_CMD,	/* the next wave commands do nothing */
	VGPU_NUM_FAULTS,
};

int vgpu_faults_init(struct vgpu *g);
void vgpu_faults_fini(struct vgpu *g);
/* @arg is what it is limited to (the dword of a register), or VGPU_FAULT_ANY. */
#define VGPU_FAULT_ANY (~0U)
const char *vgpu_fault_name(enum vgpu_fault f);
void vgpu_fault_arm(struct vgpu *g, enum vgpu_fault f, u32 count, u32 arg);
/* True, and one less armed, when the fault is to happen now. */
bool vgpu_fault_take(struct vgpu *g, enum vgpu_fault f, u32 arg);

#endif /* VGPU_VGPU_H */
