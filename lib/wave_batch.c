// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Many operations on waves in one call.
 */
#include <errno.h>
#include <stdlib.h>

#include <linux/amdgpudbg.h>

#include "internal.h"

_Static_assert((int)ADBG_WAVE_BATCH_CONTINUE ==
	       (int)AMDGPUDBG_WAVE_BATCH_CONTINUE, "flag");
_Static_assert(ADBG_WAVE_BATCH_MAX == AMDGPUDBG_WAVE_BATCH_MAX, "limit");

/* The caller's array has elements of the caller's size. */
static struct adbg_wave_control *op_at(const struct adbg_wave_batch *batch,
				       uint32_t i)
{
	return (struct adbg_wave_control *)((char *)batch->ops +
					    (size_t)i * batch->ops->sz);
}

static int ops_in(const struct adbg_wave_batch *batch,
		  struct amdgpudbg_batch_op *ops)
{
	int ret;

	for (uint32_t i = 0; i < batch->count; i++) {
		const struct adbg_wave_control *op = op_at(batch, i);

		if (op->sz != batch->ops->sz)
			return -EINVAL;
		ret = adbg_control_in(&ops[i].control, op);
		if (ret)
			return ret;
	}

	return 0;
}

static void ops_out(const struct adbg_wave_batch *batch,
		    const struct amdgpudbg_batch_op *ops)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		adbg_control_out(op_at(batch, i), &ops[i].control);
		batch->errors[i] = ops[i].error;
	}
}

static int run(struct adbg_session *session, struct adbg_wave_batch *batch,
	       struct amdgpudbg_batch_op *ops)
{
	struct amdgpudbg_wave_batch call = {
		.size = sizeof(call),
		.flags = batch->flags,
		.entry_size = sizeof(*ops),
		.count = batch->count,
		.ops = (uintptr_t)ops,
	};
	int ret;

	ret = ops_in(batch, ops);
	if (!ret)
		ret = adbg_ioctl(session->fd, AMDGPUDBG_IOC_WAVE_BATCH, &call);
	if (ret)
		return ret;

	ops_out(batch, ops);
	batch->done = call.done;
	batch->reg_reads = call.reg_reads;
	batch->reg_writes = call.reg_writes;
	return 0;
}

ADBG_API int adbg_wave_batch(struct adbg_session *session,
			     struct adbg_wave_batch *batch)
{
	struct amdgpudbg_batch_op *ops;
	struct adbg_wave_batch b;
	int ret;

	ret = adbg_struct_in(&b, sizeof(b), batch, sizeof(b));
	if (ret)
		return ret;
	if (!b.ops || !b.errors || !b.count ||
	    b.count > ADBG_WAVE_BATCH_MAX)
		return -EINVAL;

	ops = calloc(b.count, sizeof(*ops));
	if (!ops)
		return -ENOMEM;
	ret = run(session, &b, ops);
	free(ops);
	if (!ret)
		adbg_struct_out(batch, &b, sizeof(b));
	return ret;
}
