/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only door to the hardware: what a generation of GPUs can be asked to do.
 * Register numbers and encodings stay behind it, in the files of this folder.
 */
#ifndef WDBG_HW_H
#define WDBG_HW_H

#include <linux/amdgpudbg.h>
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct wdbg_hw;

/* As large as SQ_CMD.VM_ID, 4 bits in every generation. */
#define WDBG_NUM_VMID	16

/* amdgpu has cu_info.bitmap[4][4] for up to 8 shader engines of 2 arrays. */
#define WDBG_MAX_SE	8
#define WDBG_MAX_SA	2

/* Results of wdbg_hw_ops.wave_state() */
#define WDBG_WAVE_VALID		BIT(0)
#define WDBG_WAVE_HALTED	BIT(1)

/**
 * enum wdbg_bitmap - is a register that is said to show live slots to be believed
 * @WDBG_BITMAP_UNTRIED: not known: there was no live wave so far
 * @WDBG_BITMAP_WORKS: it has shown exactly those that are there
 * @WDBG_BITMAP_BROKEN: it has not shown one that is there
 */
enum wdbg_bitmap {
	WDBG_BITMAP_UNTRIED,
	WDBG_BITMAP_WORKS,
	WDBG_BITMAP_BROKEN,
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
 * struct wdbg_hw_ops - one generation
 * @name: as AMD calls it
 * @num_simd: SIMDs in one WGP (gfx10 and later) or CU
 * @max_wave: wave slots in one SIMD, at most
 * @num_cu: CUs in one WGP; 1 on generations that have no WGPs
 * @cu_banks: how many SIMDs of a WGP or CU one SQ_CMD does not reach
 *	together: so many broadcasts are needed for one WGP or CU
 * @check: are all registers that are used within the register BAR? Touches
 *	none. Returns 0 or -ERANGE.
 * @select: select the bank of the SIMD at @at for the calls below
 * @select_all: select all banks for writes, as everybody else expects
 * @live_slots: slots of the selected SIMD that hold a wave, one bit each
 * @wave_state: WDBG_WAVE_* of the wave in the slot @at
 * @wave_vmid: VMID of the wave in the slot @at
 * @wave_pc: program counter of the wave in the slot @at, in bytes
 * @read_wave: fill in all of a record but its pasid; returns false if the slot
 *	turned out to be empty at the end
 * @command: let the wave at @at, or with @broadcast all waves of the selected
 *	banks, of this VMID do @op
 * @vmid_pasid: the PASID that this VMID belongs to, 0 if to none
 *
 * All but @check and @vmid_pasid: Context: within wdbg_bank_lock(). @at must be
 * the SIMD that was selected last.
 */
struct wdbg_hw_ops {
	const char *name;
	u32 num_simd;
	u32 max_wave;
	u32 num_cu;
	u32 cu_banks;
	int (*check)(const struct wdbg_hw *hw);
	void (*select)(struct wdbg_hw *hw,
		       const struct amdgpudbg_wave_coord *at);
	void (*select_all)(struct wdbg_hw *hw);
	u32 (*live_slots)(struct wdbg_hw *hw,
			  const struct amdgpudbg_wave_coord *at);
	u32 (*wave_state)(struct wdbg_hw *hw,
			  const struct amdgpudbg_wave_coord *at);
	u32 (*wave_vmid)(struct wdbg_hw *hw,
			 const struct amdgpudbg_wave_coord *at);
	u64 (*wave_pc)(struct wdbg_hw *hw,
		       const struct amdgpudbg_wave_coord *at);
	bool (*read_wave)(struct wdbg_hw *hw,
			  const struct amdgpudbg_wave_coord *at,
			  struct amdgpudbg_wave *wave);
	void (*command)(struct wdbg_hw *hw, enum amdgpudbg_waveop op,
			bool broadcast, const struct amdgpudbg_wave_coord *at,
			u32 vmid);
	u32 (*vmid_pasid)(struct wdbg_hw *hw, u32 vmid);
};

/**
 * struct wdbg_hw - the registers of one GPU
 * @ops: its generation
 * @rmmio: the register BAR, as mapped by amdgpu
 * @num_regs: 32-bit registers in it
 * @bank_lock: amdgpu's lock of GRBM_GFX_INDEX and of the SQ_IND pair
 * @gc_base: bases of the graphics core's registers, in registers
 * @oss_base: base of the interrupt handler's registers, in registers
 * @num_xcc: bounds of a wave coordinate's members
 * @num_se: likewise
 * @num_sa: likewise
 * @num_wgp: likewise
 * @num_simd: likewise
 * @num_wave: likewise
 * @wgp_mask: WGPs or CUs of a shader array that are there and not harvested
 * @banked: within wdbg_bank_lock(): a bank is selected
 * @ind_index: within wdbg_bank_lock(): what SQ_IND_INDEX of the selected bank
 *	holds, if @ind_valid
 * @ind_valid: see @ind_index
 * @bitmap: what is known of the generation's bitmap of live slots
 * @locked_at: value of @reads + @writes when the bank was locked
 * @reads: register reads so far
 * @writes: register writes so far
 *
 * Everything from @banked on changes in use. The owner of the GPU lets one
 * thread use it at a time.
 */
struct wdbg_hw {
	const struct wdbg_hw_ops *ops;
	void __iomem *rmmio;
	u32 num_regs;
	struct mutex *bank_lock; /* amdgpu's grbm_idx_mutex */
	u32 gc_base[WDBG_NUM_SEGS];
	u32 oss_base;

	u16 num_xcc;
	u16 num_se;
	u16 num_sa;
	u16 num_wgp;
	u16 num_simd;
	u16 num_wave;
	u32 wgp_mask[WDBG_MAX_SE][WDBG_MAX_SA];

	bool banked;
	u32 ind_index;
	bool ind_valid;
	enum wdbg_bitmap bitmap;
	u32 locked_at;
	u32 reads;
	u32 writes;
};

extern const struct wdbg_hw_ops wdbg_gfx10_3_ops;

const struct wdbg_hw_ops *wdbg_hw_find(u32 gc_version);

#endif /* WDBG_HW_H */
