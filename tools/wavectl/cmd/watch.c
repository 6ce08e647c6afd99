// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watch set and watch list.
 *
 * A watch belongs to its session, so set stays until it is told to end. A wave
 * that has hit a watch shows it for as long as it lives, whoever looks.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/util.h"
#include "debug/watch_stop.h"
#include "waves/hold.h"
#include "waves/watch.h"

/* The live waves that show a hit of a watch of @ids; how many, or -errno. */
static int emit_hits(struct wavectl *w, uint32_t ids)
{
	static const char *const numbers[] = { "0", "1", "2", "3" };
	uint32_t gc_version = adbg_session_get_gc_version(w->session);
	const struct amdgpudbg_wave *wave;
	struct adbg_wave_list *list;
	int ret, count = 0;

	ret = adbg_wave_list_new(&list);
	if (ret)
		return ret;
	ret = adbg_wave_list_read(list, w->session, 0);
	emit_table(w->emit, "waves", true);
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		uint32_t hits = adbg_wave_get_watches(wave, gc_version);
		const char *names[ARRAY_SIZE(numbers)];
		unsigned int n = 0;

		if (!(hits & ids))
			continue;
		emit_row(w->emit);
		emit_at(w->emit, "name", &wave->at);
		emit_uint(w->emit, "vmid", wave->vmid);
		emit_hex64(w->emit, "pc", wave->pc);
		for (unsigned int id = 0; id < ARRAY_SIZE(numbers); id++)
			if (hits & 1U << id)
				names[n++] = numbers[id];
		emit_names(w->emit, "watches", names, n);
		count++;
	}
	emit_table_end(w->emit);
	adbg_wave_list_free(list);
	return ret ? ret : count;
}

static int say_dry_run(struct wavectl *w,
		       const struct amdgpudbg_watch_set *watch)
{
	emit_begin(w->emit);
	emit_bool(w->emit, "dry_run", true);
	watch_emit(w, watch);
	emit_say(w->emit, watch->flags & AMDGPUDBG_WATCH_SET_MASK ?
		 "would watch {address} under {mask} for {mode}; nothing was changed" :
		 "would watch {bytes} bytes at {address} for {mode}; nothing was changed");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int say_set(struct wavectl *w, void *arg)
{
	const struct amdgpudbg_watch_set *watch = arg;
	char *sentence = NULL;

	hold_begin(w);
	emit_str(w->emit, "state", "holding");
	watch_emit(w, watch);
	emit_uint(w->emit, "watch", watch->id);
	emit_uint(w->emit, "vmid", watch->vmid);
	xappend(&sentence, "watch {watch} of VMID {vmid} is set%s", hold_how(w));
	emit_say(w->emit, sentence);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int clear_watches(struct wavectl *w)
{
	uint64_t count = 0;
	int status;

	if (!w->dialogue)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--off is only for settings made in the same shell or batch");
	status = open_target(w);
	if (status)
		return status;

	for (uint32_t id = 0; id < 32; id++) {
		if (!(w->dialogue->watches >> id & 1))
			continue;
		watch_clear(w, id);
		count++;
	}
	emit_begin(w->emit);
	emit_str(w->emit, "state", "done");
	emit_uint(w->emit, "count", count);
	emit_say(w->emit, "{count} watches ended");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* What it has seen. The target may have exited meanwhile, or the GPU be gone. */
static int end_watch(struct wavectl *w, void *arg)
{
	const struct amdgpudbg_watch_set *watch = arg;
	int count;

	emit_begin(w->emit);
	count = emit_hits(w, 1U << watch->id);
	if (count < 0 && count != -ENOTCONN && count != -ENODEV) {
		emit_end(w->emit);
		return fail(w, count, "cannot list the waves");
	}
	close_target(w);
	if (w->dialogue)
		watch_clear(w, watch->id);
	emit_str(w->emit, "state", "done");
	emit_uint(w->emit, "watch", watch->id);
	emit_uint(w->emit, "count", count < 0 ? 0 : count);
	emit_say(w->emit, count == -ENOTCONN ? "the process has exited" :
		 count == -ENODEV ? "the GPU is gone" :
		 "{count} live waves have hit watch {watch}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int set_watch(struct wavectl *w, void *arg)
{
	return watch_set(w, arg);
}

static const struct hold_ops kept_watch = {
	.set = set_watch, .say = say_set, .end = end_watch,
};

int cmd_watch_set(struct wavectl *w)
{
	struct amdgpudbg_watch_set watch = {
		.mode = w->watch_mode, .address = w->address,
		.bytes = w->bytes, .mask = w->mask,
		.flags = w->has_mask ? AMDGPUDBG_WATCH_SET_MASK : 0,
	};
	int status;

	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: only the memory of one process can be watched");
	if (w->off)
		return clear_watches(w);
	if (w->count && !w->stop)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--count needs --stop");
	if (!w->has_address || !w->bytes == !w->has_mask)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--address, and either --bytes or --mask, are required");

	status = open_target(w);
	if (status)
		return status;
	if (w->dry_run)
		return say_dry_run(w, &watch);
	return w->stop ? watch_stop(w, &watch) :
			 hold_keep(w, &kept_watch, &watch);
}

int cmd_watch_list(struct wavectl *w)
{
	int count, status = open_target(w);

	if (status)
		return status;
	emit_begin(w->emit);
	count = emit_hits(w, ~0U);
	if (count < 0) {
		emit_end(w->emit);
		return fail(w, count, "cannot list the waves");
	}
	emit_uint(w->emit, "count", count);
	if (!count)
		emit_say(w->emit, "no live wave has hit a watch");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}
