// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watch set and watch list.
 *
 * A watch belongs to its session, so "set" waits until it is to end. A wave that hit a watch
 * shows that in its registers as long as it lives, to every session.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/watch_stop.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/watch.h"

struct watch_args {
	struct optional_u64 address;
	uint64_t bytes;			/* 0: not given */
	struct optional_u64 mask;
	uint32_t mode;
	bool stop;
	uint64_t count;			/* 0: not given */
	bool off;
};

static const struct watch_args default_args = { .mode = AMDGPUDBG_WATCH_NONREAD };

/* Print the live waves that hit a watch of @ids. Returns their number, or -errno. */
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

static void describe(struct wavectl *w, const void *data)
{
	watch_emit(w, data);
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
	xappend(&sentence, "watch {watch} of VMID {vmid} is set%s", hold_end_text(w));
	emit_say(w->emit, sentence);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int clear_watches(struct wavectl *w)
{
	uint64_t count = 0;
	int status;

	if (!w->shell)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--off is only for settings made in the same shell or batch");
	status = open_target(w);
	if (status)
		return status;

	for (uint32_t id = 0; id < 32; id++) {
		if (!(w->shell->watches >> id & 1))
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

/* Print the hits and clear the watch. The process may have exited, or the GPU may be gone. */
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
	if (w->shell)
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

static int hold_watch(struct wavectl *w, void *data)
{
	static const struct hold_ops kept = {
		.set = set_watch, .say = say_set, .end = end_watch,
	};
	const struct watch_args *args = w->args;

	return args->stop ? watch_stop(w, data, args->count) : hold_keep(w, &kept, data);
}

static int cmd_watch_set(struct wavectl *w)
{
	const struct watch_args *args = w->args;
	struct amdgpudbg_watch_set watch = {
		.mode = args->mode, .address = args->address.value,
		.bytes = args->bytes, .mask = args->mask.value,
		.flags = args->mask.is_set ? AMDGPUDBG_WATCH_SET_MASK : 0,
	};
	int status;

	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: only the memory of one process can be watched");
	if (args->off)
		return clear_watches(w);
	if (args->count && !args->stop)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--count needs --stop");
	if (!args->address.is_set || !args->bytes == !args->mask.is_set)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--address, and either --bytes or --mask, are required");

	status = open_target(w);
	if (status)
		return status;
	return action_run(w, &(struct action){
		.what = watch.flags & AMDGPUDBG_WATCH_SET_MASK ?
			"watch {address} under {mask} for {mode}" :
			"watch {bytes} bytes at {address} for {mode}",
		.describe = describe, .run = hold_watch, .data = &watch,
	});
}

static int cmd_watch_list(struct wavectl *w)
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

static const struct option_desc opt_address = {
	"address", 0, "ADDR", "first address to watch",
	option_optional, OPTION_OF(struct watch_args, address),
};

static const struct option_desc opt_bytes = {
	"bytes", 0, "N", "number of bytes, a power of two",
	option_positive, OPTION_OF(struct watch_args, bytes),
};

static const struct option_desc opt_mask = {
	"mask", 0, "MASK", "watch addresses that equal ADDR in the bits of MASK",
	option_optional, OPTION_OF(struct watch_args, mask),
};

static const struct option_desc opt_watch_mode = OPTION_WATCH_MODE(struct watch_args);

static const struct option_desc opt_stop = {
	"stop", 0, NULL, "stop waves that access the range, print them, and resume them",
	option_flag, OPTION_OF(struct watch_args, stop),
};

static const struct option_desc opt_stops = OPTION_COUNT_STOPS(struct watch_args);

static const struct option_desc opt_set_off = OPTION_SET_OFF(struct watch_args);

static const struct option_desc *const watch_options[] = {
	TARGET_OPTIONS, &opt_address, &opt_bytes, &opt_mask, &opt_watch_mode,
	&opt_stop, &opt_stops, &opt_format, &opt_for, &opt_set_off, NULL,
};

const struct command watch_commands[] = {
	{
		.noun = "watch",
		.verb = "set",
		.summary = "watch memory accesses of the waves of a process, until Ctrl-C",
		.help = "Waves that have a trap handler and the exception addr-watch enabled stop when they\n"
			"hit the watch; others only record the hit, see \"watch list\". At the end, the live\n"
			"waves that hit the watch are listed. --stop sets up both for new waves, prints each\n"
			"hit with the registers of the wave, and resumes the wave.",
		.options = watch_options,
		.args_size = sizeof(struct watch_args),
		.default_args = &default_args,
		.run = cmd_watch_set,
	},
	{
		.noun = "watch",
		.verb = "list",
		.summary = "list the live waves that have hit a watch",
		.options = target_options,
		.run = cmd_watch_list,
	},
	{ .noun = NULL },
};
