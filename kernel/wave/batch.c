// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_WAVE_BATCH: many operations on waves in one call.
 */
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "gpu.h"
#include "halt_budget.h"
#include "ioctl.h"
#include "session.h"
#include "wave/wave.h"

/*
 * After this time, no further operation begins. The last one takes as long as it would
 * alone, which wdbg_wave_deadline() limits. Until then, other callers and a reset
 * get the GPU between two operations: see wdbg_gpu_lock_is_due().
 */
#define BATCH_MS	1000

/**
 * struct batch - a batch in progress
 * @session: the session
 * @args: the call
 * @ops: the module's copy of the operations
 * @seen: for operations on many waves, if there are any
 * @end: no operation begins after this time
 * @next: the operation that comes next
 * @ended: no further operation begins
 */
struct batch {
	struct wdbg_session *session;
	struct amdgpudbg_wave_batch *args;
	struct amdgpudbg_batch_op *ops;
	struct wdbg_seen *seen;
	ktime_t end;
	u32 next;
	bool ended;
};

static void __user *batch_entry(const struct batch *b, u32 i)
{
	return u64_to_user_ptr(b->args->ops) + (size_t)i * b->args->entry_size;
}

static int batch_copy_in(const struct batch *b)
{
	u32 i;
	int ret;

	for (i = 0; i < b->args->count; i++) {
		ret = wdbg_copy_op(&b->ops[i], sizeof(b->ops[i]),
				   AMDGPUDBG_WAVE_CONTROL_SIZE_V1, batch_entry(b, i),
				   b->args->entry_size);
		b->ops[i].control.busy = AMDGPUDBG_BUSY_NONE;
		if (!ret)
			ret = wdbg_control_check(b->session->gpu,
						 &b->ops[i].control);
		if (ret)
			return ret;
		b->ops[i].error = -ECANCELED;
	}
	return 0;
}

/* Operations run one after the other and share this memory. */
static int batch_make_room(struct batch *b)
{
	struct wdbg_seen *seen;
	u32 i;

	for (i = 0; i < b->args->count && !b->seen; i++) {
		seen = wdbg_control_room(b->session->gpu, &b->ops[i].control);
		if (IS_ERR(seen))
			return PTR_ERR(seen);
		b->seen = seen;
	}
	return 0;
}

static int batch_copy_out(const struct batch *b)
{
	const size_t head = offsetof(struct amdgpudbg_batch_op, control);
	struct amdgpudbg_batch_op *op;
	u32 i;

	for (i = 0; i < b->args->count; i++) {
		op = &b->ops[i];
		if (copy_to_user(batch_entry(b, i), op,
				 head + min_t(size_t, op->control.size,
					      sizeof(op->control))))
			return -EFAULT;
	}
	return 0;
}

/* Until the end of the batch, or of its turn */
static void batch_run_ops(struct batch *b)
{
	bool keep_going = b->args->flags & AMDGPUDBG_WAVE_BATCH_CONTINUE;
	struct amdgpudbg_batch_op *op;
	u32 first = b->next;

	for (; b->next < b->args->count; b->next++) {
		/*
		 * Always do the first, so that a caller who repeats the call makes
		 * progress.
		 */
		if (b->next && ktime_after(ktime_get(), b->end))
			break;
		if (fatal_signal_pending(current))
			break;
		if (b->next != first && wdbg_gpu_lock_is_due(b->session->gpu))
			return;
		op = &b->ops[b->next];
		op->error = wdbg_control_run(b->session, &op->control, b->seen);
		if (op->error == -EBUSY)
			op->control.busy = b->session->busy.cause;
		if (!op->error)
			b->args->done++;
		else if (!keep_going)
			break;
	}
	b->ended = true;
}

/* Check also the operations that come later: the call refuses all, or none. */
static int batch_allowed(struct batch *b)
{
	int ret = 0;
	u32 i;

	for (i = b->next; !ret && i < b->args->count; i++)
		ret = wdbg_control_allowed(b->session, &b->ops[i].control);
	return ret;
}

static int batch_turn(struct batch *b)
{
	struct wdbg_gpu *gpu = b->session->gpu;
	int ret, bracket;

	if (wdbg_gpu_lock_killable(gpu, b->session))
		return -EINTR;
	ret = batch_allowed(b);
	if (!ret)
		ret = wdbg_session_power_begin(b->session, &bracket);
	if (!ret) {
		batch_run_ops(b);
		wdbg_halt_budget_update(gpu);
		wdbg_session_power_end(b->session, bracket);
	}
	wdbg_gpu_unlock(gpu);
	return ret;
}

/*
 * Each turn is like a call of its own. An operation that is not possible any more,
 * because of a change in between, gets an error; the ones before have been done.
 */
static int batch_run(struct batch *b)
{
	int ret;

	b->end = ktime_add_ms(ktime_get(), BATCH_MS);
	do {
		ret = batch_turn(b);
	} while (!ret && !b->ended);
	if (!ret || !b->next)
		return ret;
	b->ops[b->next].error = ret;
	return 0;
}

static int batch_check(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_wave_batch *args = cmd->data;

	args->done = 0;
	if (!args->count || args->count > AMDGPUDBG_WAVE_BATCH_MAX ||
	    !wdbg_is_stride(args->entry_size, AMDGPUDBG_BATCH_OP_SIZE_V1))
		return -EINVAL;
	return 0;
}

static int batch_call(struct wdbg_cmd *cmd)
{
	struct batch b = { .session = cmd->session, .args = cmd->data };
	int ret;

	b.ops = kvcalloc(b.args->count, sizeof(*b.ops), GFP_KERNEL_ACCOUNT);
	if (!b.ops)
		return -ENOMEM;
	ret = batch_copy_in(&b);
	if (!ret)
		ret = batch_make_room(&b);
	/* Find out before waves change whether the results can be written. */
	if (!ret)
		ret = batch_copy_out(&b);
	if (!ret)
		ret = batch_run(&b);
	if (!ret)
		ret = batch_copy_out(&b);
	kvfree(b.seen);
	kvfree(b.ops);
	return ret;
}

const struct wdbg_ioctl wdbg_wave_batch = {
	.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE,
	.check = batch_check,
	.run = batch_call,
};
