/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only interface to the hardware: the operations of a generation of GPUs. Register
 * numbers and encodings are in the files of this folder only.
 */
#ifndef WDBG_HW_H
#define WDBG_HW_H

#include <linux/amdgpudbg.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct wdbg_hw;

/**
 * struct wdbg_wave_stop - why a wave has stopped
 * @vmid: its VMID
 * @watch_mask: watches that were hit, one bit each, with AMDGPUDBG_CAUSE_WATCH
 * @cause: AMDGPUDBG_CAUSE_*, the possible reasons why it entered its handler
 * @trap_id: of s_trap, or of a host's trap
 * @still: it was halted all the time, so that all of this belongs to one wave
 * @pc: PC at which it entered its handler if it is halted in it, or by its s_trap, else
 *	its PC
 */
struct wdbg_wave_stop {
	u32 vmid;
	u32 watch_mask;
	u64 cause;
	u32 trap_id;
	bool still;
	u64 pc;
};

/**
 * struct wdbg_fault - faults of an address space
 * @time: when the first was seen, nanoseconds of CLOCK_MONOTONIC
 * @address: of the page
 * @vmid: VMID of the address space
 * @pasid: PASID of the VMID, 0 if the hardware did not report it
 * @access: AMDGPUDBG_FAULT_*
 * @client: the unit that has made the access
 * @count: how many
 */
struct wdbg_fault {
	u64 time;
	u64 address;
	u32 vmid;
	u32 pasid;
	u32 access;
	u32 client;
	u32 count;
};

/*
 * Size of addresses and PCs of a wave in bits: AMDGPU_GMC_HOLE_* are the addresses that
 * do not exist. The ABI has the bits above it equal to the highest bit.
 */
#define WDBG_VA_BITS	48
#define WDBG_VA_END	BIT_ULL(WDBG_VA_BITS)

static inline u64 wdbg_va_signed(u64 va)
{
	return sign_extend64(va, WDBG_VA_BITS - 1);
}

/* Callers may also pass them as the registers have them: without the sign. */
static inline bool wdbg_is_va(u64 va)
{
	return va < WDBG_VA_END || va == wdbg_va_signed(va);
}

/* @a has its sign. */
static inline bool wdbg_va_is(u64 a, u64 given)
{
	return wdbg_is_va(given) && wdbg_va_signed(given) == a;
}

/* As large as SQ_CMD.VM_ID, 4 bits in every generation. */
#define WDBG_NUM_VMID	16

/* amdgpu has cu_info.bitmap[4][4] for up to 8 shader engines of 2 arrays. */
#define WDBG_MAX_SE	8
#define WDBG_MAX_SA	2

/* Watches of a GPU, at most; an id is a bit of SQ_WAVE_TRAPSTS. */
#define WDBG_MAX_WATCHES	4

/* Results of wdbg_wave_ops.state() */
#define WDBG_WAVE_VALID		BIT(0)
#define WDBG_WAVE_HALTED	BIT(1)
#define WDBG_WAVE_PRIV		BIT(2)	/* in its trap handler */
#define WDBG_WAVE_TRAP_EN	BIT(3)	/* it has a trap handler */

/**
 * enum wdbg_inst - what to expect of a step over an instruction
 * @WDBG_INST_PLAIN: the wave continues behind it, or somewhere else
 * @WDBG_INST_JUMP: it may lead to itself, so that the PC stays
 * @WDBG_INST_END: the wave ends
 * @WDBG_INST_UNHALT: the wave resumes itself
 */
enum wdbg_inst {
	WDBG_INST_PLAIN,
	WDBG_INST_JUMP,
	WDBG_INST_END,
	WDBG_INST_UNHALT,
};

/**
 * enum wdbg_belief - does the hardware behave as assumed?
 * @WDBG_UNTRIED: not known, because no wave could show it so far
 * @WDBG_WORKS: it was seen to do so
 * @WDBG_BROKEN: it was seen not to do so
 */
enum wdbg_belief {
	WDBG_UNTRIED,
	WDBG_WORKS,
	WDBG_BROKEN,
};

/**
 * enum wdbg_gc_segment - which of an IP's base addresses an offset counts from
 * @WDBG_SEG0: segment 0
 * @WDBG_SEG1: segment 1
 * @WDBG_NUM_SEGS: number of them
 */
enum wdbg_gc_segment {
	WDBG_SEG0,
	WDBG_SEG1,
	WDBG_NUM_SEGS,
};

/**
 * struct wdbg_launch_state - how waves start, settings of all VMIDs
 * @mode_vmids: VMIDs that @mode is for, one bit each
 * @mode: enum amdgpudbg_launch_mode
 * @excp: AMDGPUDBG_CAUSE_* that waves of all VMIDs have enabled when they start
 * @excp_replace: @excp replaces the exceptions of their program, instead of being added
 */
struct wdbg_launch_state {
	u32 mode_vmids;
	u32 mode;
	u64 excp;
	bool excp_replace;
};

/**
 * struct wdbg_launch_ops - how a generation's waves start
 * @stalled: get the VMIDs whose waves do not start now, one bit each
 * @stall: let no new waves of these VMIDs start; waves that are on their way have
 *	started when it returns
 * @end_stall: let waves of these VMIDs start again, except those of wdbg_hw.guarded
 * @stall_guarded: let no new waves of the VMIDs of wdbg_hw.guarded start
 * @excps: AMDGPUDBG_CAUSE_* that can be enabled
 * @read: get how waves start now
 * @write: set how waves start. The VMIDs that it concerns should be stalled.
 *
 * Context: within wdbg_bank_lock(), no bank selected. @stall_guarded: wdbg_hw.lock is
 *	held, all banks are selected; does not sleep.
 */
struct wdbg_launch_ops {
	u32 (*stalled)(struct wdbg_hw *hw);
	void (*stall)(struct wdbg_hw *hw, u32 vmid_mask);
	void (*end_stall)(struct wdbg_hw *hw, u32 vmid_mask);
	void (*stall_guarded)(struct wdbg_hw *hw);
	u64 excps;
	void (*read)(struct wdbg_hw *hw, struct wdbg_launch_state *state);
	void (*write)(struct wdbg_hw *hw,
		      const struct wdbg_launch_state *state);
};

/**
 * struct wdbg_watch - a watch
 * @vmid: VMID whose accesses it sees
 * @mode: kind of accesses, enum amdgpudbg_watch_mode
 * @address: an access hits if its address & @mask is equal to this
 * @mask: see @address; the bits of wdbg_watch_ops.always are set
 */
struct wdbg_watch {
	u32 vmid;
	u32 mode;
	u64 address;
	u64 mask;
};

/**
 * struct wdbg_watch_regs - all registers of one watch
 * @value: in the order of the generation
 */
struct wdbg_watch_regs {
	u32 value[6];
};

/**
 * struct wdbg_watch_ops - a generation's address watches
 * @num: their number, up to WDBG_MAX_WATCHES
 * @granule: smallest number of bytes that can be watched, a power of two
 * @always: bits of an address that every watch compares
 * @encode: compute the registers' values for an active watch
 * @read: read a watch's registers
 * @write: write them, so that the watch is off until all are written
 * @valid: is the watch active, whichever user has set it?
 * @same: do both values mean the same, as far as registers can be read back?
 *
 * All except @encode and @same: within wdbg_bank_lock(), no bank selected.
 */
struct wdbg_watch_ops {
	u32 num;
	u32 granule;
	u64 always;
	void (*encode)(const struct wdbg_watch *watch,
		       struct wdbg_watch_regs *regs);
	void (*read)(struct wdbg_hw *hw, u32 id, struct wdbg_watch_regs *regs);
	void (*write)(struct wdbg_hw *hw, u32 id,
		      const struct wdbg_watch_regs *regs);
	bool (*valid)(struct wdbg_hw *hw, u32 id);
	bool (*same)(const struct wdbg_watch_regs *a,
		     const struct wdbg_watch_regs *b);
};

/**
 * struct wdbg_hwreg - a hardware register of a wave
 * @index: index of the register on this generation, 0 if it has none
 * @writable: bits that can be written; the others stay as they are
 * @raised: those of them that the hardware may set by itself at any time
 * @zero: bits that must be zero in a value that is written
 * @kfd: the hardware may set other bits of it, for amdkfd, at any time, and they must
 *	not get lost
 */
struct wdbg_hwreg {
	u32 index;
	u32 writable;
	u32 raised;
	u32 zero;
	bool kfd;
};

/**
 * struct wdbg_reg_ops - a generation's registers of waves
 * @num_sgpr: number of SGPRs, VCC included
 * @num_ttmp: number of TTMPs
 * @max_vgpr: VGPRs of one lane, at most
 * @num_agpr: accumulation VGPRs of one lane
 * @max_lane: lanes of a wave, at most
 * @wave_sizes: lanes that a wave may have: 32, 64, or both together
 * @lds_granule: unit of LDS_ALLOC.LDS_SIZE in bytes
 * @regset: enum amdgpudbg_regset
 * @num_hwregs: number of hardware registers, at most AMDGPUDBG_WAVE_NUM_HW
 * @hwregs: the hardware registers
 * @pc: number of PC_LO among them; the next one is PC_HI
 * @exec: number of EXEC_LO; the next one is EXEC_HI
 * @lanes: number of the one that says how many lanes a wave has
 * @default_want: the ones that a record has if the caller does not select any
 * @still: is the wave in the slot @at halted with nothing in flight, so that all its
 *	registers can be read and written?
 * @allocated: get the number of VGPRs and lanes of the wave in the slot @at
 * @read: read @count consecutive registers, of one lane in case of VGPRs; only
 *	registers that exist. All except hardware registers need a wave that is @still.
 * @write: write one register of a wave that is @still
 *
 * Context: within wdbg_bank_lock(), the SIMD of @at selected.
 */
struct wdbg_reg_ops {
	u32 num_sgpr;
	u32 num_ttmp;
	u32 max_vgpr;
	u32 num_agpr;
	u32 max_lane;
	u32 wave_sizes;
	u32 lds_granule;
	u32 regset;
	u32 num_hwregs;
	const struct wdbg_hwreg *hwregs;
	u32 pc;
	u32 exec;
	u32 lanes;
	u64 default_want;
	bool (*still)(struct wdbg_hw *hw,
		      const struct amdgpudbg_wave_coord *at);
	void (*allocated)(struct wdbg_hw *hw,
			  const struct amdgpudbg_wave_coord *at, u32 *vgprs,
			  u32 *lanes);
	void (*read)(struct wdbg_hw *hw, const struct amdgpudbg_wave_coord *at,
		     enum amdgpudbg_reg_space space, u32 first, u32 lane,
		     u32 count, u32 *values);
	void (*write)(struct wdbg_hw *hw,
		      const struct amdgpudbg_wave_coord *at,
		      enum amdgpudbg_reg_space space, u32 reg, u32 lane,
		      u32 value);
};

/**
 * struct wdbg_trap_regs - the registers of one VMID's trap handler
 * @value: in the order of the generation
 */
struct wdbg_trap_regs {
	u32 value[4];
};

/**
 * struct wdbg_trap_ops - a generation's trap handlers
 * @align: alignment of the addresses of a handler and of its memory in bytes
 * @leave_code: a handler that returns from every trap at once
 * @leave_size: its length in bytes
 * @select_vmid: select the VMID whose registers are accessed; 0: as all other code
 *	expects
 * @encode: compute the registers' values for a handler at @tba with memory at @tma;
 *	with @enable, new waves have it
 * @read: read the registers of the selected VMID
 * @write: write them
 * @enabled: do new waves get this handler?
 * @same: do both values mean the same?
 * @decode: get the addresses of the values, without sign; returns @enabled
 * @apertures: get the addresses of LDS and scratch memory in the flat address space of
 *	the selected VMID's waves
 * @at_trap: the wave in the slot @at is halted: is its PC where its handler leaves a
 *	wave that it halts, and was the wave not marked since it has trapped?
 * @mark: mark the wave in the slot @at for @at_trap, until it traps again, because it
 *	is about to be resumed; it is halted
 * @trapped_by: if @at_trap because of an instruction that traps, return true and get
 *	its address
 * @rewind: move the wave in the slot @at back to that instruction
 *
 * Context: for @select_vmid srbm_lock is held. @read, @write, @apertures: within
 *	wdbg_vmid_lock(). @at_trap, @mark, @trapped_by, @rewind: see &struct wdbg_reg_ops.
 */
struct wdbg_trap_ops {
	u32 align;
	const u32 *leave_code;
	u32 leave_size;
	void (*select_vmid)(struct wdbg_hw *hw, u32 vmid);
	void (*encode)(u64 tba, u64 tma, bool enable,
		       struct wdbg_trap_regs *regs);
	void (*read)(struct wdbg_hw *hw, struct wdbg_trap_regs *regs);
	void (*write)(struct wdbg_hw *hw, const struct wdbg_trap_regs *regs);
	bool (*enabled)(const struct wdbg_trap_regs *regs);
	bool (*decode)(const struct wdbg_trap_regs *regs, u64 *tba, u64 *tma);
	void (*apertures)(struct wdbg_hw *hw, u64 *lds, u64 *scratch);
	bool (*same)(const struct wdbg_trap_regs *a,
		     const struct wdbg_trap_regs *b);
	bool (*at_trap)(struct wdbg_hw *hw,
			const struct amdgpudbg_wave_coord *at);
	void (*mark)(struct wdbg_hw *hw,
		     const struct amdgpudbg_wave_coord *at);
	bool (*trapped_by)(struct wdbg_hw *hw,
			   const struct amdgpudbg_wave_coord *at, u64 *pc);
	void (*rewind)(struct wdbg_hw *hw,
		       const struct amdgpudbg_wave_coord *at, u64 pc);
};

/**
 * struct wdbg_wave_ops - waves and their slots
 * @live: get the slots of the selected SIMD that hold a wave, one bit each
 * @state: get WDBG_WAVE_* of the wave in the slot @at
 * @vmid: get the VMID of the wave in the slot @at
 * @pc: get the program counter of the wave in the slot @at, in bytes, with its
 *	sign
 * @debug: is the wave in the slot @at in debug mode?
 * @inst: get the kind of the instruction that the halted wave in the slot @at
 *	would step over
 * @read: fill in a record from the registers, with the hardware registers @want,
 *	one bit each; with @ttmps, its TTMPs if the wave is halted outside of its
 *	handler. Returns false if the slot is empty, or its wave not of one of @vmids;
 *	with HW_ID2 in @want, also if it is another wave at the end.
 * @command: send @op to the wave at @at, or with @broadcast to all waves of the
 *	selected banks, of this VMID; @data is the trap id (TRAP), 1 or 0 for on or off
 *	(DEBUG), else 0. STEP needs a halted wave, and is for single ones.
 * @has_stopped: is the wave in the slot @at halted, or in its handler?
 * @read_stop: read why; returns false if the slot is empty, or has another wave at the
 *	end than at the beginning
 *
 * Within wdbg_bank_lock(); @at must be the SIMD that was selected last.
 */
struct wdbg_wave_ops {
	u32 (*live)(struct wdbg_hw *hw,
		    const struct amdgpudbg_wave_coord *at);
	u32 (*state)(struct wdbg_hw *hw,
		     const struct amdgpudbg_wave_coord *at);
	u32 (*vmid)(struct wdbg_hw *hw,
		    const struct amdgpudbg_wave_coord *at);
	u64 (*pc)(struct wdbg_hw *hw,
		  const struct amdgpudbg_wave_coord *at);
	bool (*debug)(struct wdbg_hw *hw,
		      const struct amdgpudbg_wave_coord *at);
	enum wdbg_inst (*inst)(struct wdbg_hw *hw,
			       const struct amdgpudbg_wave_coord *at);
	bool (*read)(struct wdbg_hw *hw,
		     const struct amdgpudbg_wave_coord *at, u32 vmids,
		     u64 want, bool ttmps, struct amdgpudbg_wave *wave);
	void (*command)(struct wdbg_hw *hw, enum amdgpudbg_waveop op, u32 data,
			bool broadcast, const struct amdgpudbg_wave_coord *at,
			u32 vmid);
	bool (*has_stopped)(struct wdbg_hw *hw,
			    const struct amdgpudbg_wave_coord *at);
	bool (*read_stop)(struct wdbg_hw *hw,
			  const struct amdgpudbg_wave_coord *at,
			  struct wdbg_wave_stop *stop);
};

/**
 * struct wdbg_iv_ops - interrupts of waves, and of faults of address spaces
 * @is_wave: is an interrupt of this source from a wave? Called in hard interrupt
 *	context.
 * @is_fault: does an interrupt of this source report a fault of an address space?
 *	Called in hard interrupt context.
 * @fault: fill in a fault from such an interrupt, except its time, VMID, PASID and
 *	count. Called in hard interrupt context, before amdgpu has seen the interrupt:
 *	amdgpu is about to read the same registers itself.
 * @decode: fill in type, at, data, cause and %AMDGPUDBG_EVENT_IS_PRIV of an event
 *	from src_data of such an interrupt; false if it is not about one wave
 */
struct wdbg_iv_ops {
	bool (*is_wave)(u32 client_id, u32 src_id);
	bool (*is_fault)(u32 client_id, u32 src_id);
	void (*fault)(const struct wdbg_hw *hw, u32 client_id,
		      const u32 data[2], struct wdbg_fault *fault);
	bool (*decode)(const u32 data[2], struct amdgpudbg_event *event);
};

/**
 * struct wdbg_hw_ops - one generation
 * @name: AMD's name of it
 * @num_simd: SIMDs in one WGP (gfx10 and later) or CU
 * @max_wave: wave slots in one SIMD, at most
 * @num_traps: trap ids of the TRAP operation, from 0 on
 * @num_cu: CUs in one WGP; 1 on generations that have no WGPs
 * @cu_banks: number of SQ_CMD that are necessary to reach all SIMDs of a WGP or CU by
 *	broadcasts
 * @all_banks: argument of @swap_select that selects all banks
 * @wave: waves and their slots
 * @iv: interrupts of waves, and of faults of address spaces
 * @launch: how waves start
 * @watch: address watches
 * @regs: registers of waves
 * @trap: trap handlers
 * @check: check that all registers that are used are within the register BAR. Touches
 *	none. Returns 0 or -ERANGE.
 * @select: select the bank of the SIMD at @at for the calls below
 * @select_all: select all banks for writes, as all other code expects
 * @swap_select: select as the value says, and return the value of the previous
 *	selection. Context: wdbg_hw.lock is held; does not sleep.
 * @icache_inv: invalidate the instruction caches. No bank selected.
 * @vmid_pasid: get the PASID that this VMID belongs to, 0 if to none
 *
 * All except @check, @swap_select and @vmid_pasid: within wdbg_bank_lock(). @at must be
 * the SIMD that was selected last.
 */
struct wdbg_hw_ops {
	const char *name;
	u32 num_simd;
	u32 max_wave;
	u32 num_traps;
	u32 num_cu;
	u32 cu_banks;
	u32 all_banks;
	const struct wdbg_wave_ops *wave;
	const struct wdbg_iv_ops *iv;
	const struct wdbg_launch_ops *launch;
	const struct wdbg_watch_ops *watch;
	const struct wdbg_reg_ops *regs;
	const struct wdbg_trap_ops *trap;
	int (*check)(const struct wdbg_hw *hw);
	void (*select)(struct wdbg_hw *hw,
		       const struct amdgpudbg_wave_coord *at);
	void (*select_all)(struct wdbg_hw *hw);
	u32 (*swap_select)(struct wdbg_hw *hw, u32 select);
	void (*icache_inv)(struct wdbg_hw *hw);
	u32 (*vmid_pasid)(struct wdbg_hw *hw, u32 vmid);
};

/**
 * struct wdbg_hw - the registers of one GPU
 * @ops: its generation
 * @rmmio: the register BAR, as mapped by amdgpu
 * @num_regs: 32-bit registers in it
 * @bank_lock: amdgpu's lock of GRBM_GFX_INDEX and of the SQ_IND pair
 * @srbm_lock: amdgpu's lock of GRBM_GFX_CNTL; NULL if it is not known
 * @gc_base: bases of the graphics core's registers, in registers
 * @oss_base: base of the interrupt handler's registers, in registers
 * @num_xcc: number of XCCs, limit of a wave coordinate's member
 * @num_se: shader engines in an XCC
 * @num_sa: shader arrays in a shader engine
 * @num_wgp: WGPs or CUs in a shader array
 * @num_simd: SIMDs in a WGP or CU
 * @num_wave: wave slots in a SIMD
 * @wgp_mask: WGPs or CUs of a shader array that exist and are not harvested
 * @vmid_wanted: number of threads that wait in wdbg_vmid_lock()
 * @lock: held for each access to a register, and each change of one that is read
 *	before. So the probe of a tracepoint, which cannot sleep, can make an access in
 *	between: see wdbg_hw_freeze().
 * @bank_held: this module holds @bank_lock; under @lock
 * @frozen_bank: wdbg_hw_freeze() has got @bank_lock
 * @guarded: VMIDs whose waves do not start until the guard allows it; under @lock
 * @banked: within wdbg_bank_lock(): a bank is selected
 * @ind_index: within wdbg_bank_lock(): value of SQ_IND_INDEX of the selected bank, if
 *	@ind_valid
 * @ind_valid: see @ind_index
 * @active: does the generation's bitmap of live slots work?
 * @idle: does its bitmap of waves with nothing in flight show halted waves?
 * @halts: a wave may have been halted
 * @halted_seen: both bitmaps were compared with a halted wave
 * @auto_incr: does the index of SQ_IND count up?
 * @locked_at: value of @reads + @writes when the bank was locked
 * @reads: register reads so far
 * @writes: register writes so far
 *
 * Everything from @banked on changes in use. The owner of the GPU lets one thread use
 * it at a time.
 */
struct wdbg_hw {
	const struct wdbg_hw_ops *ops;
	void __iomem *rmmio;
	u32 num_regs;
	struct mutex *bank_lock; /* amdgpu's grbm_idx_mutex */
	struct mutex *srbm_lock; /* amdgpu's srbm_mutex */
	u32 gc_base[WDBG_NUM_SEGS];
	u32 oss_base;

	u16 num_xcc;
	u16 num_se;
	u16 num_sa;
	u16 num_wgp;
	u16 num_simd;
	u16 num_wave;
	u32 wgp_mask[WDBG_MAX_SE][WDBG_MAX_SA];

	atomic_t vmid_wanted;
	raw_spinlock_t lock; /* each access; taken where nothing may sleep */
	bool bank_held;
	bool frozen_bank;
	u32 guarded;

	bool banked;
	u32 ind_index;
	bool ind_valid;
	enum wdbg_belief active;
	enum wdbg_belief idle;
	bool halts;
	bool halted_seen;
	enum wdbg_belief auto_incr;
	u32 locked_at;
	u32 reads;
	u32 writes;
};

extern const struct wdbg_hw_ops wdbg_gfx10_3_ops;

const struct wdbg_hw_ops *wdbg_hw_find(u32 gc_version);

#endif /* WDBG_HW_H */
