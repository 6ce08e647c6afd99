// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_REG_ACCESS, and AMDGPUDBG_IOC_REG_BATCH: many accesses in one call.
 *
 * A long transfer releases the bank lock now and then, and the GPU's lock, too, if
 * others wait for it. Afterwards the wave is checked again; if a session has resumed or
 * changed it in between, the transfer fails.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

#define ALL_FLAGS	(AMDGPUDBG_REG_ACCESS_WRITE | \
			 AMDGPUDBG_REG_ACCESS_COMPARE | \
			 AMDGPUDBG_REG_ACCESS_EXPECT_PC | \
			 AMDGPUDBG_REG_ACCESS_MASK | \
			 AMDGPUDBG_REG_ACCESS_EXPECT_ID)

/* How long a wave may take to halt: for the operations that it has in flight */
#define STILL_MS	10

/* Registers that are read at once, before the bank lock can be released */
#define MAX_RUN		128

/**
 * struct access - a transfer in progress
 * @session: the session
 * @args: the call
 * @ranges: its ranges
 * @values: its values
 * @compare: what the registers must hold before they are written, or NULL
 * @mask: the bits of each register that are written, or NULL: all
 * @write: it is a write
 * @not_kfd: it writes what must not be written in a VMID of amdkfd
 * @still: the wave must be halted for it
 * @halted: the wave is halted
 * @stalled: no waves start in its VMID during the access
 * @vmid: of the wave, once it was read
 * @open: the GPU's lock and the bank lock are held, within the power bracket
 * @bracket: the bracket
 */
struct access {
	struct wdbg_session *session;
	struct amdgpudbg_reg_access *args;
	struct amdgpudbg_reg_range *ranges;
	u32 *values;
	u32 *compare;
	u32 *mask;
	bool write;
	bool not_kfd;
	bool still;
	bool halted;
	bool stalled;
	u32 vmid;
	bool open;
	int bracket;
};

/**
 * typedef run_fn - called for each run of registers
 * @a: the transfer
 * @space: kind of the registers
 * @first: the first register
 * @lane: its lane
 * @count: number of registers, at most MAX_RUN
 * @pos: index of their values
 *
 * Return: 0, or an error that ends the transfer.
 */
typedef int (*run_fn)(struct access *a, enum amdgpudbg_reg_space space,
		      u32 first, u32 lane, u32 count, u32 pos);

/* Only the session that has halted a wave may write to it. The VMID was read. */
static int registers_check_owner(struct access *a)
{
	struct wdbg_gpu *gpu = a->session->gpu;
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, &a->args->at);

	if (!a->write || !slot->owner || slot->owner == a->session ||
	    slot->vmid != a->vmid)
		return 0;
	return wdbg_busy_with(a->session, AMDGPUDBG_BUSY_WAVE, slot->owner);
}

/* An id exists only while the slot has an owner and the wave is halted. */
static bool registers_has_id(const struct access *a)
{
	const struct amdgpudbg_reg_access *args = a->args;

	return !(args->flags & AMDGPUDBG_REG_ACCESS_EXPECT_ID) ||
	       wdbg_wave_slot(a->session->gpu, &args->at)->id == args->id;
}

/*
 * Is the wave there, and may it be touched? Read its state first, then its VMID: a
 * halted wave cannot have ended in between, and keeps its VMID.
 */
static int registers_check_wave(struct access *a)
{
	struct amdgpudbg_reg_access *args = a->args;
	struct wdbg_gpu *gpu = a->session->gpu;
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, &args->at);
	struct wdbg_hw *hw = &gpu->hw;
	u32 state;

	state = hw->ops->wave->state(hw, &args->at);
	if (state & WDBG_WAVE_HALTED)
		wdbg_wave_claim(gpu, &args->at);
	else
		wdbg_wave_own(slot, NULL);
	if (!(state & WDBG_WAVE_VALID))
		return -ENODATA;
	if (!registers_has_id(a))
		return -ESTALE;
	if (a->still)
		a->halted = hw->ops->regs->still(hw, &args->at);
	else
		a->halted = state & WDBG_WAVE_HALTED &&
			    !(state & WDBG_WAVE_PRIV);
	a->vmid = hw->ops->wave->vmid(hw, &args->at);
	if (!a->vmid || !wdbg_scope_has_vmid(a->session, a->vmid))
		return -ENODATA;
	if (args->vmid && args->vmid != a->vmid)
		return -ESTALE;
	return registers_check_owner(a);
}

/* Select the wave's bank, and wait until the wave is halted if it has to be. */
static int registers_wait_still(struct access *a)
{
	ktime_t deadline = ktime_add_ms(ktime_get(), STILL_MS);
	struct wdbg_hw *hw = &a->session->gpu->hw;
	int ret, looks = 0;

	wdbg_bank_select(hw, &a->args->at);
	do {
		ret = registers_check_wave(a);
		if (ret || !a->still || a->halted)
			return ret;
	} while (wdbg_wave_retry(hw, &a->args->at, &looks, deadline));
	return -EINPROGRESS;
}

/* Is it still halted, or if it was not before, is it there at all? */
static bool registers_is_as_before(struct access *a)
{
	const struct amdgpudbg_wave_coord *at = &a->args->at;
	struct wdbg_hw *hw = &a->session->gpu->hw;
	u32 state;

	if (a->still)
		return hw->ops->regs->still(hw, at);
	state = hw->ops->wave->state(hw, at);
	if (a->halted)
		return state & WDBG_WAVE_HALTED && !(state & WDBG_WAVE_PRIV);
	return state & WDBG_WAVE_VALID;
}

/*
 * Is it the same wave, in the same state, and may it still be touched? The VMID of a
 * running wave can go to another process when the wave has ended.
 */
static int registers_check_same(struct access *a)
{
	struct wdbg_hw *hw = &a->session->gpu->hw;

	if (!registers_is_as_before(a) || !registers_has_id(a) ||
	    hw->ops->wave->vmid(hw, &a->args->at) != a->vmid ||
	    !wdbg_scope_has_vmid(a->session, a->vmid))
		return -ESTALE;
	/* Another session may have become its owner between two turns. */
	return registers_check_owner(a);
}

static int registers_begin(struct access *a)
{
	struct wdbg_gpu *gpu = a->session->gpu;
	int ret;

	if (wdbg_gpu_lock_killable(gpu, a->session))
		return -EINTR;
	ret = wdbg_scope_check(a->session, WDBG_TO_CONTROL);
	if (!ret)
		ret = wdbg_session_power_begin(a->session, &a->bracket);
	if (ret) {
		wdbg_gpu_unlock(gpu);
		return ret;
	}
	wdbg_bank_lock(&gpu->hw);
	a->open = true;
	return 0;
}

static void registers_end(struct access *a)
{
	struct wdbg_gpu *gpu = a->session->gpu;

	if (!a->open)
		return;
	a->open = false;
	wdbg_bank_unlock(&gpu->hw);
	wdbg_halt_budget_update(gpu);
	wdbg_session_power_end(a->session, a->bracket);
	wdbg_gpu_unlock(gpu);
}

/* Let other callers use the GPU. If this fails, @a may not be open any more. */
static int registers_end_turn(struct access *a)
{
	struct wdbg_gpu *gpu = a->session->gpu;
	u64 changes = wdbg_wave_changes(gpu, &a->args->at, a->vmid);
	u32 resets = gpu->reset_seen;
	int ret;

	registers_end(a);
	ret = registers_begin(a);
	if (ret)
		return ret;
	return changes == wdbg_wave_changes(gpu, &a->args->at, a->vmid) &&
	       resets == gpu->reset_seen ? 0 : -ESTALE;
}

/*
 * Let other users in after a long use. Between two turns, a halted wave can have been
 * resumed only by an agent that is no session, or have been ended by a reset of its
 * job: another wave that is halted in its slot would have another PC. Changes by
 * sessions while the GPU's lock is not held are counted.
 */
static int registers_breathe(struct access *a)
{
	const struct amdgpudbg_wave_coord *at = &a->args->at;
	struct wdbg_gpu *gpu = a->session->gpu;
	struct wdbg_hw *hw = &gpu->hw;
	int ret = 0;
	u64 pc;

	if (!wdbg_bank_is_due(hw))
		return 0;
	pc = hw->ops->wave->pc(hw, at);
	if (a->still && !a->stalled && wdbg_gpu_lock_is_due(gpu))
		ret = registers_end_turn(a);
	else
		wdbg_bank_breathe(hw);
	if (ret)
		return ret;
	wdbg_bank_select(hw, at);
	ret = registers_check_same(a);
	if (!ret && a->still && hw->ops->wave->pc(hw, at) != pc)
		ret = -ESTALE;
	return ret;
}

static int registers_for_lane(struct access *a, const struct amdgpudbg_reg_range *range,
			      u32 lane, run_fn fn, u32 pos)
{
	u32 done, run;
	int ret;

	for (done = 0; done < range->count; done += run) {
		run = min_t(u32, range->count - done, MAX_RUN);
		ret = registers_breathe(a);
		if (!ret)
			ret = fn(a, range->space, range->first + done, lane,
				 run, pos + done);
		if (ret)
			return ret;
	}
	return 0;
}

static int registers_for_runs(struct access *a, run_fn fn)
{
	const struct amdgpudbg_reg_range *range = a->ranges;
	u32 i, lane, pos = 0;
	int ret;

	for (i = 0; i < a->args->num_ranges; i++, range++) {
		for (lane = 0; lane < max(range->num_lanes, 1U); lane++) {
			ret = registers_for_lane(a, range, range->first_lane + lane, fn,
						 pos);
			if (ret)
				return ret;
			pos += range->count;
		}
	}
	return 0;
}

static int registers_read_run(struct access *a, enum amdgpudbg_reg_space space,
			      u32 first, u32 lane, u32 count, u32 pos)
{
	struct wdbg_hw *hw = &a->session->gpu->hw;

	hw->ops->regs->read(hw, &a->args->at, space, first, lane, count,
			    a->values + pos);
	a->args->num_done += count;
	return 0;
}

static int registers_compare_run(struct access *a, enum amdgpudbg_reg_space space,
				 u32 first, u32 lane, u32 count, u32 pos)
{
	struct wdbg_hw *hw = &a->session->gpu->hw;
	u32 values[MAX_RUN];

	hw->ops->regs->read(hw, &a->args->at, space, first, lane, count, values);
	if (memcmp(values, a->compare + pos, count * sizeof(u32)))
		return -ESTALE;
	return 0;
}

/*
 * Write the bits @bits of one register, and verify it. @changed: the bits that have to
 * differ from when they were compared; all, if they were not. Bits that the hardware
 * has raised since, as a memory access from before the halt may complete late, stay
 * unless they are among them. A register can only be written as a whole, so what is
 * raised between the read and the write here is lost.
 */
static int registers_write_one(struct access *a, enum amdgpudbg_reg_space space, u32 reg,
			       u32 lane, u32 value, u32 bits, u32 changed)
{
	const struct amdgpudbg_wave_coord *at = &a->args->at;
	struct wdbg_hw *hw = &a->session->gpu->hw;
	u32 writable = U32_MAX, raised = 0, mask, back;

	if (space == AMDGPUDBG_REG_HW) {
		writable = hw->ops->regs->hwregs[reg].writable;
		raised = hw->ops->regs->hwregs[reg].raised;
	}
	writable &= bits;
	if (writable != U32_MAX) {
		mask = writable & ~(raised & ~changed);
		hw->ops->regs->read(hw, at, space, reg, lane, 1, &back);
		value = (back & ~mask) | (value & mask);
	}
	hw->ops->regs->write(hw, at, space, reg, lane, value);
	hw->ops->regs->read(hw, at, space, reg, lane, 1, &back);
	if ((back ^ value) & writable & ~(back & raised))
		return -EIO;
	return 0;
}

static int registers_write_run(struct access *a, enum amdgpudbg_reg_space space,
			       u32 first, u32 lane, u32 count, u32 pos)
{
	u32 i, value, bits = U32_MAX, changed = U32_MAX;
	int ret;

	wdbg_wave_changed(a->session->gpu, a->vmid, &a->args->at);
	for (i = 0; i < count; i++) {
		value = a->values[pos + i];
		if (a->compare)
			changed = value ^ a->compare[pos + i];
		if (a->mask)
			bits = a->mask[pos + i];
		ret = registers_breathe(a);
		if (!ret)
			ret = registers_write_one(a, space, first + i, lane, value, bits,
						  changed);
		if (ret)
			return ret;
		a->args->num_done++;
	}
	return 0;
}

/* Does the wave have all of the VGPRs and lanes of the call? */
static int registers_check_given(struct access *a)
{
	struct wdbg_hw *hw = &a->session->gpu->hw;
	u32 i, vgprs = 0, lanes = 0;

	for (i = 0; i < a->args->num_ranges; i++) {
		const struct amdgpudbg_reg_range *range = &a->ranges[i];

		if (range->space != AMDGPUDBG_REG_VGPR)
			continue;
		if (!lanes)
			hw->ops->regs->allocated(hw, &a->args->at, &vgprs, &lanes);
		if (range->first + range->count > vgprs ||
		    range->first_lane + range->num_lanes > lanes)
			return -ENXIO;
	}
	return 0;
}

static int registers_access_settled(struct access *a)
{
	struct amdgpudbg_reg_access *args = a->args;
	struct wdbg_hw *hw = &a->session->gpu->hw;
	int ret;

	if (a->not_kfd && wdbg_kfd_vmids(a->session->gpu) & BIT(a->vmid))
		return -EOPNOTSUPP;
	if (args->flags & AMDGPUDBG_REG_ACCESS_EXPECT_PC &&
	    !wdbg_va_is(hw->ops->wave->pc(hw, &args->at), args->pc))
		return -ESTALE;
	ret = registers_check_given(a);
	if (!ret && a->compare)
		ret = registers_for_runs(a, registers_compare_run);
	/* That took some time, and the writes that follow cannot be taken back. */
	if (!ret && a->compare)
		ret = registers_check_same(a);
	if (!ret)
		ret = registers_for_runs(a, a->write ? registers_write_run :
					 registers_read_run);
	/* What was read of a wave that has ended in between is not valid. */
	return ret ? ret : registers_check_same(a);
}

/*
 * With new waves stalled in its VMID, so that no other process's wave can have the slot
 * and leave it to a wave that would be taken for the first.
 */
static int registers_access_stalled(struct access *a)
{
	struct wdbg_gpu *gpu = a->session->gpu;
	u32 vmids = BIT(a->vmid);
	int ret;

	wdbg_bank_select_all(&gpu->hw);
	ret = wdbg_stall_begin(gpu, vmids);
	if (ret)
		return ret;
	a->stalled = true;
	ret = registers_wait_still(a);
	if (!ret)
		ret = registers_access_settled(a);
	wdbg_bank_select_all(&gpu->hw);
	wdbg_stall_end(gpu, vmids);
	return ret;
}

static int registers_access_locked(struct access *a)
{
	int ret;

	ret = registers_wait_still(a);
	if (ret)
		return ret;
	if (!a->halted && wdbg_scope_is_strict(a->session))
		return registers_access_stalled(a);
	return registers_access_settled(a);
}

static int registers_transfer(struct access *a)
{
	int ret = registers_begin(a);

	if (!ret)
		ret = registers_access_locked(a);
	registers_end(a);
	return ret;
}

static int registers_check_args(struct wdbg_gpu *gpu,
				const struct amdgpudbg_reg_access *args)
{
	bool write = args->flags & AMDGPUDBG_REG_ACCESS_WRITE;
	u32 second = args->flags & (AMDGPUDBG_REG_ACCESS_COMPARE |
				    AMDGPUDBG_REG_ACCESS_MASK);

	if (args->flags & ~ALL_FLAGS)
		return -EOPNOTSUPP;
	if (args->at.__reserved || args->__reserved || args->vmid >= WDBG_NUM_VMID)
		return -EINVAL;
	if (second ? !write || !is_power_of_2(second) : args->compare)
		return -EINVAL;
	if (!(args->flags & AMDGPUDBG_REG_ACCESS_EXPECT_PC) && args->pc)
		return -EINVAL;
	if (!(args->flags & AMDGPUDBG_REG_ACCESS_EXPECT_ID) != !args->id)
		return -EINVAL;
	if (!args->num_ranges || args->num_ranges > AMDGPUDBG_REG_RANGES_MAX)
		return -EINVAL;
	if (!args->num_values || args->num_values > AMDGPUDBG_REG_VALUES_MAX)
		return -EINVAL;
	return wdbg_wave_exists(gpu, &args->at) ? 0 : -ENXIO;
}

/* Check a range against the generation; @limit is the end of the range's space. */
static int registers_check_limits(const struct wdbg_reg_ops *ops,
				  const struct amdgpudbg_reg_range *range)
{
	u32 limit;

	switch (range->space) {
	case AMDGPUDBG_REG_SGPR:
		limit = ops->num_sgpr;
		break;
	case AMDGPUDBG_REG_VGPR:
		limit = ops->max_vgpr;
		break;
	case AMDGPUDBG_REG_TTMP:
		limit = ops->num_ttmp;
		break;
	case AMDGPUDBG_REG_HW:
		limit = ops->num_hwregs;
		break;
	case AMDGPUDBG_REG_AGPR:
		/* No generation that the module knows has them. */
		return -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
	if (!range->count || range->count > limit ||
	    range->first > limit - range->count)
		return -EINVAL;
	if (range->space != AMDGPUDBG_REG_VGPR)
		return range->first_lane || range->num_lanes ? -EINVAL : 0;
	if (!range->num_lanes || range->num_lanes > ops->max_lane ||
	    range->first_lane > ops->max_lane - range->num_lanes)
		return -EINVAL;
	return 0;
}

/* Can the hardware registers of a range be read, or written with @values? */
static int registers_check_hwregs(struct access *a,
				  const struct amdgpudbg_reg_range *range,
				  const u32 *values)
{
	const struct wdbg_reg_ops *ops = a->session->gpu->hw.ops->regs;
	u32 i;

	for (i = 0; i < range->count; i++) {
		const struct wdbg_hwreg *reg = &ops->hwregs[range->first + i];

		if (!reg->index || (a->write && !reg->writable))
			return -EOPNOTSUPP;
		if (a->write && values[i] & reg->zero)
			return -EINVAL;
		a->not_kfd |= a->write && reg->kfd;
	}
	return 0;
}

/* Also finds out whether the wave must be halted for them. */
static int registers_check_ranges(struct access *a)
{
	const struct wdbg_reg_ops *ops = a->session->gpu->hw.ops->regs;
	const struct amdgpudbg_reg_range *range = a->ranges;
	u32 i, left = a->args->num_values;
	int ret;

	for (i = 0; i < a->args->num_ranges; i++, range++) {
		/* Less than 2^32: both factors are within small limits by then. */
		u32 count;

		ret = range->__reserved ? -EINVAL : registers_check_limits(ops, range);
		if (ret)
			return ret;
		count = range->count * max(range->num_lanes, 1U);
		if (count > left)
			return -EINVAL;
		if (range->space == AMDGPUDBG_REG_HW) {
			ret = registers_check_hwregs(a, range, a->values +
						     a->args->num_values - left);
			if (ret)
				return ret;
		} else {
			a->still = true;
		}
		left -= count;
	}
	return left ? -EINVAL : 0;
}

/* Copy a caller's memory, accounted to the caller, unlike memdup_user(). */
static void *registers_dup_user(u64 from, size_t bytes)
{
	void *copy = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);

	if (!copy)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(copy, u64_to_user_ptr(from), bytes)) {
		kvfree(copy);
		return ERR_PTR(-EFAULT);
	}
	return copy;
}

static int registers_copy_in(struct access *a)
{
	const struct amdgpudbg_reg_access *args = a->args;
	size_t bytes = args->num_values * sizeof(u32);
	u32 **second = args->flags & AMDGPUDBG_REG_ACCESS_MASK ? &a->mask :
								 &a->compare;

	a->ranges = registers_dup_user(args->ranges,
				       args->num_ranges * sizeof(*a->ranges));
	if (IS_ERR(a->ranges))
		return PTR_ERR(a->ranges);
	a->values = a->write ?
		registers_dup_user(args->values, bytes) :
		kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!a->values)
		return -ENOMEM;
	if (IS_ERR(a->values))
		return PTR_ERR(a->values);
	if (!(args->flags & (AMDGPUDBG_REG_ACCESS_COMPARE |
			     AMDGPUDBG_REG_ACCESS_MASK)))
		return 0;
	*second = registers_dup_user(args->compare, bytes);
	return PTR_ERR_OR_ZERO(*second);
}

static void registers_free_copies(struct access *a)
{
	if (!IS_ERR(a->ranges))
		kvfree(a->ranges);
	if (!IS_ERR(a->values))
		kvfree(a->values);
	if (!IS_ERR(a->compare))
		kvfree(a->compare);
	if (!IS_ERR(a->mask))
		kvfree(a->mask);
}

/* Check everything and copy the lists in. The caller frees them, also after an error. */
static int registers_prepare(struct access *a)
{
	int ret;

	a->args->num_done = 0;
	ret = registers_check_args(a->session->gpu, a->args);
	if (ret)
		return ret;
	a->write = a->args->flags & AMDGPUDBG_REG_ACCESS_WRITE;
	a->still = a->write;
	ret = registers_copy_in(a);
	return ret ? ret : registers_check_ranges(a);
}

static int registers_run(struct access *a)
{
	struct amdgpudbg_reg_access *args = a->args;
	int ret = registers_transfer(a);

	if (!ret && !a->write &&
	    copy_to_user(u64_to_user_ptr(args->values), a->values,
			 args->num_values * sizeof(u32)))
		ret = -EFAULT;
	return ret;
}

static int registers_access_run(struct wdbg_cmd *cmd)
{
	struct access a = { .session = cmd->session, .args = cmd->data };
	int ret = registers_prepare(&a);

	if (!ret)
		ret = registers_run(&a);
	registers_free_copies(&a);
	return ret;
}

const struct wdbg_ioctl wdbg_reg_access = {
	.flags = ALL_FLAGS,
	.run = registers_access_run,
};

/* ------------------------------------------------------------------ batches */

/* After this time, no further access begins. */
#define BATCH_MS	1000

/**
 * struct reg_batch - a batch of accesses in progress
 * @cmd: the call
 * @args: its structure
 * @op: the current access
 */
struct reg_batch {
	struct wdbg_cmd *cmd;
	struct amdgpudbg_reg_batch *args;
	struct amdgpudbg_reg_batch_op op;
};

static void __user *registers_batch_entry(const struct reg_batch *b, u32 i)
{
	return u64_to_user_ptr(b->args->ops) + (size_t)i * b->args->entry_size;
}

static int registers_batch_copy_in(struct reg_batch *b, u32 i)
{
	return wdbg_copy_op(&b->op, sizeof(b->op), AMDGPUDBG_REG_ACCESS_SIZE_V1,
			    registers_batch_entry(b, i), b->args->entry_size);
}

static int registers_batch_copy_out(struct reg_batch *b, u32 i, int error)
{
	const size_t head = offsetof(struct amdgpudbg_reg_batch_op, access);

	b->op.error = error;
	if (copy_to_user(registers_batch_entry(b, i), &b->op,
			 head + min_t(size_t, b->op.access.size,
				      sizeof(b->op.access))))
		return -EFAULT;
	return 0;
}

/* Check one access, and do it if @now. */
static int registers_batch_one(struct reg_batch *b, bool now)
{
	struct access a = {
		.session = b->cmd->session, .args = &b->op.access,
	};
	int ret;

	if (b->cmd->read_only && a.args->flags & AMDGPUDBG_REG_ACCESS_WRITE)
		return -EBADF;
	ret = registers_prepare(&a);
	if (!ret && now)
		ret = registers_run(&a);
	registers_free_copies(&a);
	b->op.access.busy = ret == -EBUSY ? b->cmd->busy : AMDGPUDBG_BUSY_NONE;
	return ret;
}

/*
 * Also check that the results can be written. The lists of an access are not kept,
 * because those of all could need a lot of memory; so they are copied, and checked,
 * once more.
 */
static int registers_batch_check(struct reg_batch *b)
{
	int ret;
	u32 i;

	for (i = 0; i < b->args->count; i++) {
		ret = registers_batch_copy_in(b, i);
		if (!ret)
			ret = registers_batch_one(b, false);
		if (!ret)
			ret = registers_batch_copy_out(b, i, -ECANCELED);
		if (ret)
			return ret;
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return 0;
}

static int registers_batch_run(struct reg_batch *b)
{
	bool keep_going = b->args->flags & AMDGPUDBG_REG_BATCH_CONTINUE;
	ktime_t end = ktime_add_ms(ktime_get(), BATCH_MS);
	int ret, error;
	u32 i;

	for (i = 0; i < b->args->count; i++) {
		if (i && ktime_after(ktime_get(), end))
			break;
		if (fatal_signal_pending(current))
			break;
		ret = registers_batch_copy_in(b, i);
		if (ret)
			return ret;
		error = registers_batch_one(b, true);
		ret = registers_batch_copy_out(b, i, error);
		if (ret)
			return ret;
		if (!error)
			b->args->done++;
		else if (!keep_going)
			break;
	}
	return 0;
}

/* An error that concerns each of them is an error of the call. */
static int registers_batch_allowed(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (wdbg_gpu_lock_killable(gpu, session))
		return -EINTR;
	ret = gpu->adev ? wdbg_scope_check(session, WDBG_TO_CONTROL) : -ENODEV;
	wdbg_gpu_unlock(gpu);
	return ret;
}

static int registers_batch_check_args(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_reg_batch *args = cmd->data;

	args->done = 0;
	if (!args->count || args->count > AMDGPUDBG_REG_BATCH_MAX ||
	    !wdbg_is_stride(args->entry_size, AMDGPUDBG_REG_BATCH_OP_SIZE_V1))
		return -EINVAL;
	return 0;
}

static int registers_batch_call(struct wdbg_cmd *cmd)
{
	struct reg_batch b = { .cmd = cmd, .args = cmd->data };
	int ret = registers_batch_check(&b);

	if (!ret)
		ret = registers_batch_allowed(cmd->session);
	return ret ? ret : registers_batch_run(&b);
}

const struct wdbg_ioctl wdbg_reg_batch = {
	.flags = AMDGPUDBG_REG_BATCH_CONTINUE,
	.check = registers_batch_check_args,
	.run = registers_batch_call,
};
