// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets, clears and prints watches: see watch.h.
 */
#include <errno.h>
#include <stdio.h>

#include "base/names.h"
#include "base/util.h"
#include "waves/watch.h"

void watch_emit(struct wavectl *w, const struct amdgpudbg_watch_set *watch)
{
	emit_str(w->emit, "mode", watch_mode_name(watch->mode));
	emit_hex64(w->emit, "address", watch->address);
	if (watch->flags & AMDGPUDBG_WATCH_SET_MASK)
		emit_hex64(w->emit, "mask", watch->mask);
	else
		emit_uint(w->emit, "bytes", watch->bytes);
}

static int fail_set(struct wavectl *w, int error)
{
	struct amdgpudbg_info info = { 0 };
	char hint[128];

	if (error != -EINVAL || adbg_session_get_info(w->session, &info))
		return fail(w, error, "cannot set the watch");

	snprintf(hint, sizeof(hint),
		 "the size must be a power of two of at least %u, and the address a multiple of it",
		 info.watch_granule);
	return fail_with(w, WAVECTL_USAGE, hint,
			 "the GPU cannot watch this range");
}

int watch_set(struct wavectl *w, struct amdgpudbg_watch_set *watch)
{
	int ret = adbg_watch_set(w->session, watch);

	if (ret)
		return fail_set(w, ret);
	if (w->shell)
		w->shell->watches |= 1U << watch->id;
	return WAVECTL_OK;
}

void watch_clear(struct wavectl *w, uint32_t id)
{
	ignore_result(adbg_watch_clear(w->session, id));
	w->shell->watches &= ~(1U << id);
}
