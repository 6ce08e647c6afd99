// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_TRAP_HANDLER: set and clear the trap handler of a target. The handler
 * that will replace it (trap/leave.S) is created before, so that the end of a session
 * does not need memory of the target.
 */
#include <linux/capability.h>
#include <linux/overflow.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"
#include "target/trap.h"
#include "transfer.h"

/* Not an error: the handler that replaces this one has to be created first. */
#define NEEDS_LEAVE	1

/* What AMDGPUDBG_TRAP_HANDLER_CHAIN stores: TBA, with TRAP_EN as its highest bit; TMA */
#define CHAIN_BYTES	(2 * sizeof(u64))
#define CHAIN_ENABLED	BIT_ULL(63)

/* Does an area lie within one buffer, or at least at addresses that may have memory? */
static bool trap_set_area_is_right(struct wdbg_session *session, u64 address, u64 bytes)
{
	struct wdbg_buffer *buffer;
	u64 last;

	if (address & (session->gpu->hw.ops->trap->align - 1) || !address ||
	    check_add_overflow(address, bytes - 1, &last))
		return false;
	list_for_each_entry(buffer, &session->buffers, node)
		if (address < buffer->va + buffer->bytes && last >= buffer->va)
			return wdbg_trap_lies_in(buffer, address) &&
			       wdbg_trap_lies_in(buffer, last);
	return wdbg_is_va(address) && wdbg_is_va(last) &&
	       wdbg_va_signed(last) - wdbg_va_signed(address) == bytes - 1;
}

static struct wdbg_buffer *trap_set_buffer_at(struct wdbg_session *session, u64 address)
{
	struct wdbg_buffer *buffer;

	list_for_each_entry(buffer, &session->buffers, node)
		if (wdbg_trap_lies_in(buffer, address))
			return buffer;
	return NULL;
}

static int trap_set_check_args(struct wdbg_session *session,
			       const struct amdgpudbg_trap_handler *args)
{
	if (args->tba_size < sizeof(u32) ||
	    !trap_set_area_is_right(session, args->tba, args->tba_size))
		return -EINVAL;
	if (!args->tma != !args->tma_size)
		return -EINVAL;
	if (args->tma && !trap_set_area_is_right(session, args->tma, args->tma_size))
		return -EINVAL;
	if (args->flags & AMDGPUDBG_TRAP_HANDLER_CHAIN && !trap_set_buffer_at(session, args->tma))
		return -EINVAL;
	/*
	 * At such addresses another process might have mapped something, once it has
	 * the VMID.
	 */
	if (!trap_set_buffer_at(session, args->tba) && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return 0;
}

/* Copy one piece of the handler that replaces a session's. */
static int trap_set_copy_leave(struct wdbg_transfer *t)
{
	struct wdbg_gpu *gpu = t->session->gpu;

	memcpy(t->copy.data, gpu->hw.ops->trap->leave_code + t->done,
	       t->copy.bytes);
	return wdbg_buffer_copy(gpu, t->arg, t->done, &t->copy);
}

/* The session may have lost its target while the buffer was created. */
static int trap_set_keep_leave(struct wdbg_session *session,
			       struct wdbg_buffer *buffer)
{
	if (!session->gpu->adev)
		return -ENODEV;
	if (!session->target || session->target->drm != buffer->drm)
		return -ENOTCONN;
	/* Another thread of the caller has been faster. */
	if (session->leave)
		return 0;
	session->leave = buffer;
	return 0;
}

/*
 * Create the handler that replaces a session's, without the GPU's lock, since the
 * target may delay that. It belongs to the session until it is needed.
 */
static int trap_set_make_leave(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_transfer t = {
		.session = session, .no_user = true, .copy.write = true,
		.bytes = gpu->hw.ops->trap->leave_size, .run = trap_set_copy_leave,
	};
	struct wdbg_buffer *buffer;
	int ret;

	buffer = wdbg_buffer_new(session, AMDGPUDBG_MEM_ALLOC_EXEC, PAGE_SIZE);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	t.arg = buffer;
	ret = wdbg_transfer(&t);
	wdbg_gpu_lock(gpu, session);
	if (!ret)
		ret = trap_set_keep_leave(session, buffer);
	if (session->leave != buffer)
		wdbg_buffer_delete(gpu, buffer);
	wdbg_gpu_unlock(gpu);
	wdbg_gpu_closed(gpu);
	return ret;
}

static void trap_set_delete_leave(struct wdbg_session *session)
{
	if (session->leave)
		wdbg_buffer_delete(session->gpu, session->leave);
	session->leave = NULL;
}

/*
 * Write one piece of the memory for trap_set_chain(), zeros for now: t->arg is the address.
 */
static int trap_set_copy_chain(struct wdbg_transfer *t)
{
	u64 address = *(const u64 *)t->arg + t->done;
	struct wdbg_buffer *buffer = trap_set_buffer_at(t->session, address);

	if (!buffer)
		return -EINVAL;
	memset(t->copy.data, 0, t->copy.bytes);
	return wdbg_buffer_copy(t->session->gpu, buffer, address - buffer->va, &t->copy);
}

/*
 * Clear the memory that trap_set_chain() will write: so that it has pages by then, which
 * may take long, and is known to be a buffer's.
 */
static int trap_set_clear_chain(struct wdbg_session *session,
				const struct amdgpudbg_trap_handler *args)
{
	u64 address = args->tma + args->chain_offset;
	struct wdbg_transfer t = {
		.session = session, .no_user = true, .copy.write = true,
		.bytes = CHAIN_BYTES, .run = trap_set_copy_chain, .arg = &address,
	};
	int ret;

	ret = wdbg_target_lock(session);
	if (ret)
		return ret;
	if (wdbg_trap_unsupported_reason(session->gpu))
		ret = -EOPNOTSUPP;
	else
		ret = trap_set_check_args(session, args);
	wdbg_gpu_unlock(session->gpu);
	return ret ? ret : wdbg_transfer(&t);
}

/*
 * Store the pair that was there before the session's first handler, for a handler that
 * forwards the traps that it does not know. No other code writes the registers of a
 * reserved VMID, so they are the same when trap_set_program() exchanges them.
 *
 * Between wdbg_power_begin() and wdbg_power_end()
 */
static int trap_set_chain(struct wdbg_session *session, u32 vmid,
			  const struct amdgpudbg_trap_handler *args)
{
	u64 address = args->tma + args->chain_offset, pair[2];
	struct wdbg_buffer *buffer = trap_set_buffer_at(session, address);
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_trap_regs old = wdbg_trap_of(gpu)->before;
	struct wdbg_vm_copy copy = {
		.data = pair, .bytes = sizeof(pair), .write = true,
	};
	int ret;

	BUILD_BUG_ON(sizeof(pair) != CHAIN_BYTES);
	if (!wdbg_trap_of(gpu)->set) {
		wdbg_vmid_lock(hw, vmid);
		hw->ops->trap->read(hw, &old);
		wdbg_vmid_unlock(hw);
	}
	if (hw->ops->trap->decode(&old, &pair[0], &pair[1]))
		pair[0] |= CHAIN_ENABLED;
	ret = wdbg_buffer_copy(gpu, buffer, address - buffer->va, &copy);
	/* The target holds the lock, or had the memory moved since it was cleared. */
	return ret == -EAGAIN ? wdbg_busy(session, AMDGPUDBG_BUSY_MOVED) : ret;
}

/* Between wdbg_power_begin() and wdbg_power_end() */
static int trap_set_program(struct wdbg_session *session, u32 vmid,
			    const struct wdbg_trap_regs *regs)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	struct wdbg_trap_regs old, got;
	struct wdbg_hw *hw = &gpu->hw;
	int ret;

	wdbg_vmid_lock(hw, vmid);
	ret = wdbg_guard_enter(session);
	if (ret)
		goto out;
	hw->ops->trap->read(hw, &old);
	hw->ops->trap->write(hw, regs);
	hw->ops->trap->read(hw, &got);
	if (!hw->ops->trap->same(&got, regs)) {
		hw->ops->trap->write(hw, &old);
		ret = -EIO;
		goto out;
	}
	/* From here on the guard has to restore it. */
	if (!trap->set)
		trap->before = old;
	trap->now = *regs;
	trap->set = true;
out:
	wdbg_vmid_unlock(hw);
	return ret;
}

static int trap_set_program_powered(struct wdbg_session *session, u32 vmid,
				    const struct amdgpudbg_trap_handler *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap_regs regs;
	int ret, bracket;

	ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	gpu->hw.ops->trap->encode(args->tba, args->tma, true, &regs);
	ret = wdbg_target_shows_nothing(session, args->flags & AMDGPUDBG_TRAP_HANDLER_FORCE);
	if (!ret && args->flags & AMDGPUDBG_TRAP_HANDLER_CHAIN)
		ret = trap_set_chain(session, vmid, args);
	/* Not earlier: the release afterwards gives all jobs new time. */
	if (!ret)
		ret = wdbg_halt_budget_expect(session);
	if (!ret) {
		wdbg_trap_of(gpu)->holds_timeouts = !session->bounded;
		ret = trap_set_program(session, vmid, &regs);
	}
	wdbg_halt_budget_update(gpu);
	wdbg_session_power_end(session, bracket);
	return ret;
}

/* The VMID is reserved for the session. */
static int trap_set_reserved(struct wdbg_session *session, u32 vmid,
			     const struct amdgpudbg_trap_handler *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	bool was_holding = trap->holds_timeouts;
	bool was_leaving = wdbg_trap_is_leaving(trap);
	int ret;

	if (!trap->leave) {
		trap->leave = session->leave;
		session->leave = NULL;
	}
	ret = trap_set_program_powered(session, vmid, args);
	if (ret) {
		trap->holds_timeouts = was_holding;
		wdbg_halt_budget_update(gpu);
		if (!trap->set && trap->leave) {
			wdbg_buffer_delete(gpu, trap->leave);
			trap->leave = NULL;
		}
		return ret;
	}
	wdbg_trap_begin(session, args);
	if (was_leaving) {
		wdbg_vmid_put(gpu);
		wdbg_power_put(gpu);
	}
	return 0;
}

/* NEEDS_LEAVE: trap_set_make_leave() has to be called first. */
static int trap_set_begin(struct wdbg_session *session,
			  struct amdgpudbg_trap_handler *args, struct wdbg_vmid_try *try)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_trap *trap = wdbg_trap_of(gpu);
	bool first;
	int ret;

	ret = trap_set_check_args(session, args);
	if (ret)
		return ret;
	if (gpu->sleeping)
		return wdbg_busy(session, AMDGPUDBG_BUSY_SLEEP);
	if (trap->owner && trap->owner != session)
		return wdbg_busy_with(session, AMDGPUDBG_BUSY_TRAP_HANDLER,
				      trap->owner);
	if (trap->lost)
		wdbg_trap_finish_lost(session);
	if (!trap->leave && !session->leave)
		return NEEDS_LEAVE;
	first = trap->owner != session;
	if (first)
		ret = wdbg_vmid_reserve(session, try, &args->vmid);
	else
		ret = wdbg_vmid_check(session, &args->vmid);
	if (ret)
		return ret;
	ret = trap_set_reserved(session, args->vmid, args);
	if (ret && first)
		wdbg_vmid_release(session);
	return ret;
}

static int trap_set_check(struct wdbg_cmd *cmd)
{
	const u32 chain = AMDGPUDBG_TRAP_HANDLER_CHAIN;
	struct amdgpudbg_trap_handler *args = cmd->data;

	args->vmid = 0;
	if (args->flags & AMDGPUDBG_TRAP_HANDLER_CLEAR &&
	    (args->tba || args->tba_size || args->tma || args->tma_size ||
	     args->flags & ~AMDGPUDBG_TRAP_HANDLER_CLEAR))
		return -EINVAL;
	if (!(args->flags & chain))
		return args->chain_offset ? -EINVAL : 0;
	return args->chain_offset % sizeof(u64) || args->tma_size < CHAIN_BYTES ||
	       args->chain_offset > args->tma_size - CHAIN_BYTES ? -EINVAL : 0;
}

static int trap_set_locked(struct wdbg_session *session,
			   struct amdgpudbg_trap_handler *args,
			   struct wdbg_vmid_try *try)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (!gpu->adev)
		return -ENODEV;
	ret = wdbg_target_need(session);
	if (ret)
		return ret;
	if (wdbg_trap_unsupported_reason(gpu))
		return -EOPNOTSUPP;
	if (args->flags & AMDGPUDBG_TRAP_HANDLER_CLEAR)
		return wdbg_trap_clear(session);
	return trap_set_begin(session, args, try);
}

static int trap_set_run(struct wdbg_session *session,
			struct amdgpudbg_trap_handler *args,
			struct wdbg_vmid_try *try)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (wdbg_gpu_lock_killable(gpu, session))
		return -EINTR;
	ret = trap_set_locked(session, args, try);
	/* After -EBUSY, the caller will try again. */
	if (ret != -EBUSY && ret != -EAGAIN && ret != NEEDS_LEAVE)
		trap_set_delete_leave(session);
	wdbg_vmid_end_call(session);
	return ret;
}

static int trap_set_call(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_trap_handler *args = cmd->data;
	struct wdbg_vmid_try try = { };
	int ret = 0;

	if (args->flags & AMDGPUDBG_TRAP_HANDLER_CHAIN)
		ret = trap_set_clear_chain(cmd->session, args);
	while (!ret) {
		ret = trap_set_run(cmd->session, args, &try);
		if (ret == NEEDS_LEAVE)
			ret = trap_set_make_leave(cmd->session);
		else if (ret == -EAGAIN)
			ret = wdbg_vmid_wait(cmd->session);
		else
			break;
	}
	return ret;
}

const struct wdbg_ioctl wdbg_trap_handler = {
	.flags = AMDGPUDBG_TRAP_HANDLER_CLEAR | AMDGPUDBG_TRAP_HANDLER_CHAIN |
		 AMDGPUDBG_TRAP_HANDLER_FORCE,
	.check = trap_set_check,
	.run = trap_set_call,
};
