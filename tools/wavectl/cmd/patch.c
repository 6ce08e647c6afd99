// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl patch set and patch clear. A patch belongs to its session, so "set" waits until it is
 * to end; in a shell it stays until the patch is cleared.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/memory.h"

static void emit_patch(struct wavectl *w, const void *data)
{
	const struct memory *m = data;

	emit_hex64(w->emit, "address", m->va);
	emit_uint(w->emit, "bytes", m->bytes);
}

/* ------------------------------------------- the patches of the session */

static size_t find_patch(const struct shell_session *d, uint64_t va)
{
	size_t i = 0;

	while (i < d->num_patches && d->patches[i].va != va)
		i++;
	return i;
}

static void drop_patch(struct shell_session *d, size_t i)
{
	memmove(&d->patches[i], &d->patches[i + 1],
		(--d->num_patches - i) * sizeof(*d->patches));
}

static void note_patch(struct shell_session *d, const struct memory *m)
{
	size_t i = find_patch(d, m->va);

	/* A patch that is recorded here was lost: there cannot be two at one address. */
	if (i < d->num_patches)
		drop_patch(d, i);
	d->patches = xreallocarray(d->patches, d->num_patches + 1,
				   sizeof(*d->patches));
	d->patches[d->num_patches++] = (struct patch){
		.va = m->va, .bytes = m->bytes,
	};
}

/*
 * Remove a patch, which may be gone: by a reset, or with the process or its VMID. Returns 0 or
 * -errno.
 */
static int take_out(struct wavectl *w, size_t i)
{
	const struct patch *patch = &w->shell->patches[i];
	int ret = adbg_vm_unpatch(w->session, patch->va, patch->bytes, 0);

	if (ret && ret != -ENOENT && ret != -ENOTCONN && ret != -ENODEV)
		return ret;
	drop_patch(w->shell, i);
	return 0;
}

/* ------------------------------------------------------------------- set */

static int fail_set(struct wavectl *w, const struct memory *m, int error)
{
	if (error != -EINVAL)
		return fail(w, error, "cannot patch 0x%016" PRIx64, m->va);
	return fail_with(w, WAVECTL_USAGE,
			 "the address must be a multiple of 4, and the patch must lie in one page of 4096 bytes",
			 "invalid address or size of a patch");
}

static int set_patch(struct wavectl *w, void *arg)
{
	const struct memory *m = arg;
	int ret = adbg_vm_patch(w->session, m->va, m->data, m->bytes);

	if (ret)
		return fail_set(w, m, ret);
	if (w->shell)
		note_patch(w->shell, m);
	return WAVECTL_OK;
}

static int say_set(struct wavectl *w, void *arg)
{
	hold_begin(w);
	emit_str(w->emit, "state", "holding");
	emit_patch(w, arg);
	emit_say(w->emit, hold_stays(w) ?
		 "patched {bytes} bytes at {address} until \"patch clear\" or the session's end" :
		 "patched {bytes} bytes at {address}; holding, Ctrl-C ends");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int end_patch(struct wavectl *w, void *arg)
{
	const struct memory *m = arg;
	int ret = 0;

	close_target(w);
	if (w->shell)
		ret = take_out(w, find_patch(w->shell, m->va));
	if (ret)
		return fail(w, ret, "cannot remove the patch at 0x%016" PRIx64,
			    m->va);
	emit_begin(w->emit);
	emit_str(w->emit, "state", "done");
	emit_patch(w, m);
	emit_say(w->emit, "removed the patch at {address}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int hold_patch(struct wavectl *w, void *data)
{
	static const struct hold_ops kept = {
		.set = set_patch, .say = say_set, .end = end_patch,
	};

	return hold_keep(w, &kept, data);
}

static int cmd_patch_set(struct wavectl *w)
{
	struct memory m = { 0 };
	int status = memory_take_address(w, &m);

	if (status)
		return status;
	if (w->num_words < 2 || w->num_words > 1 + AMDGPUDBG_PATCH_BYTES_MAX / 4)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"patch set\" takes an address and 1 to %u values of 32 bits",
				 AMDGPUDBG_PATCH_BYTES_MAX / 4);
	status = memory_take_values(w, &m);
	if (!status)
		status = open_target(w);
	if (!status)
		status = action_run(w, &(struct action){
			.what = "patch {bytes} bytes at {address}",
			.describe = emit_patch, .run = hold_patch, .data = &m,
		});
	free(m.data);
	return status;
}

/* ----------------------------------------------------------------- clear */

/* The patches to remove */
struct patches {
	size_t first, count;
};

static void emit_cleared(struct wavectl *w, const void *data)
{
	const struct patches *patches = data;

	emit_str(w->emit, "state", "done");
	emit_uint(w->emit, "count", patches->count);
}

static int clear_patches(struct wavectl *w, void *data)
{
	const struct patches *patches = data;
	uint64_t va;
	int ret;

	for (size_t i = 0; i < patches->count; i++) {
		va = w->shell->patches[patches->first].va;
		ret = take_out(w, patches->first);
		if (ret)
			return fail(w, ret,
				    "cannot remove the patch at 0x%016" PRIx64,
				    va);
	}
	return WAVECTL_OK;
}

static int clear(struct wavectl *w, size_t first, size_t count)
{
	struct patches patches = { .first = first, .count = count };

	return action_run(w, &(struct action){
		.what = "remove {count} patches", .done = "removed {count} patches",
		.describe = emit_cleared, .run = clear_patches,
		.has_dry_run = true, .data = &patches,
	});
}

static int cmd_patch_clear(struct wavectl *w)
{
	struct memory m = { 0 };
	size_t first = 0;
	int status;

	if (!w->shell)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"patch clear\" is only for patches set in the same shell or batch");
	if (w->num_words > 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"patch clear\" takes one address, or no argument to remove all");
	status = w->num_words ? memory_take_address(w, &m) : WAVECTL_OK;
	if (!status)
		status = open_target(w);
	if (status)
		return status;
	if (!w->num_words)
		return clear(w, 0, w->shell->num_patches);

	first = find_patch(w->shell, m.va);
	if (first == w->shell->num_patches)
		return fail_with(w, WAVECTL_GONE, NULL,
				 "the session has no patch at 0x%016" PRIx64,
				 m.va);
	return clear(w, first, 1);
}

static const struct option_desc *const patch_options[] = {
	TARGET_OPTIONS, &opt_for, NULL,
};

const struct command patch_commands[] = {
	{
		.noun = "patch",
		.verb = "set",
		.args = "ADDRESS VALUE...",
		.summary = "overwrite code of a process, until Ctrl-C",
		.help = "Up to 16 values of 32 bits each, which must all lie in one page of 4096 bytes.\n"
			"Waves execute the new code immediately. The original code is restored at the end;\n"
			"in a shell or batch, by \"patch clear\".",
		.options = patch_options,
		.run = cmd_patch_set,
	},
	{
		.noun = "patch",
		.verb = "clear",
		.args = "[ADDRESS]",
		.summary = "remove the patch that begins at an address, or all patches",
		.help = "Only for patches that the same shell or batch has set.",
		.options = target_options,
		.run = cmd_patch_clear,
	},
	{ .noun = NULL },
};
