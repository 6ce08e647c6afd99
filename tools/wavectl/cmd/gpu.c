// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl gpu list, caps and version: the GPUs and their capabilities.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"

/* Print a GPU as a row. The geometry is the number of values of each coordinate. */
static void emit_info(struct wavectl *w, const struct amdgpudbg_info *info)
{
	struct emit *e = w->emit;
	char text[64];

	emit_str(e, "pci", pci_name(info, text));
	snprintf(text, sizeof(text), "%04x:%04x", info->vendor_id,
		 info->device_id);
	emit_str(e, "id", text);
	emit_str(e, "gc_version", gc_name(info->gc_version, text));
	snprintf(text, sizeof(text), "%ux%ux%ux%ux%ux%u", info->num_xcc,
		 info->num_se, info->num_sa, info->num_wgp, info->num_simd,
		 info->num_wave);
	emit_str(e, "geometry", text);
	emit_uint(e, "active_cu", info->num_active_cu);
	snprintf(text, sizeof(text), "/dev/dri/renderD%u", info->render_minor);
	emit_str(e, "render", text);
	emit_str(e, "module", info->module_version);

	emit_quiet(e, !w->verbose);
	emit_uint(e, "abi", info->abi_version);
	emit_uint(e, "num_vmid", info->num_vmid);
	emit_uint(e, "first_kfd_vmid", info->first_kfd_vmid);
	emit_uint(e, "gpu_reset_count", info->gpu_reset_count);
	emit_bool(e, "apu", info->is_apu);
	emit_hex64(e, "unique_id", info->unique_id);
	emit_uint(e, "halt_left_ms", info->halt_left_ms);
	emit_uint(e, "halt_wait_ms", info->halt_wait_ms);
	emit_str(e, "driver_build_id", info->driver_build_id);
	emit_quiet(e, false);
}

static void emit_unknown(struct wavectl *w)
{
	static const char *const shown[] = {
		"pci", "id", "gc_version", "geometry", "active_cu", "render",
		"module",
	};
	static const char *const more[] = {
		"abi", "num_vmid", "first_kfd_vmid", "gpu_reset_count",
		"apu", "unique_id", "halt_left_ms", "halt_wait_ms", "driver_build_id",
	};

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		emit_none(w->emit, shown[i]);
	emit_quiet(w->emit, !w->verbose);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++)
		emit_none(w->emit, more[i]);
	emit_quiet(w->emit, false);
}

static void emit_gpu(struct wavectl *w, const struct adbg_gpu *gpu)
{
	struct emit *e = w->emit;
	char product[128];

	emit_row(e);
	emit_uint(e, "number", gpu->number);
	emit_str(e, "node", gpu->path);
	if (gpu->error) {
		emit_unknown(w);
		emit_str(e, "error", adbg_errname(gpu->error));
	} else {
		emit_info(w, &gpu->info);
		emit_none(e, "error");
	}
	if (!gpu->error && !adbg_gpu_product(&gpu->info, product, sizeof(product)))
		emit_str(e, "name", product);
	else
		emit_none(e, "name");
}

/* Print why a GPU of the list cannot be opened. */
static int emit_gpu_error(struct wavectl *w, const struct adbg_gpu *gpu)
{
	char *text = NULL;

	if (!w->json) {
		xappend(&text, "cannot query %s: %s", gpu->path, adbg_strerror(NULL, gpu->error));
		complain(w, gpu->error, text, adbg_strhint(NULL, gpu->error));
		free(text);
	}

	return gpu->error == -EACCES || gpu->error == -EPERM ?
	       WAVECTL_DENIED : WAVECTL_FAILED;
}

static int list_gpus(struct wavectl *w, const struct adbg_gpu_list *list)
{
	const struct adbg_gpu *gpu, *wanted = NULL;
	int status = WAVECTL_OK;

	if (!adbg_gpu_list_count(list))
		return fail_no_gpu(w);
	if (names_gpu(w)) {
		status = find_named_gpu(w, list, &wanted);
		if (status)
			return status;
	}

	emit_begin(w->emit);
	emit_table(w->emit, "gpus", true);
	for (size_t i = 0; (gpu = adbg_gpu_list_get(list, i)); i++) {
		if (wanted && gpu != wanted)
			continue;
		emit_gpu(w, gpu);
		if (gpu->error)
			status = emit_gpu_error(w, gpu);
	}
	emit_table_end(w->emit);

	return emit_end(w->emit) ? WAVECTL_FAILED : status;
}

static int cmd_gpu_list(struct wavectl *w)
{
	struct adbg_gpu_list *list;
	int ret, status;

	ret = adbg_gpu_list_new(&list);
	if (ret)
		return fail(w, ret, "cannot search for GPUs");

	status = list_gpus(w, list);
	adbg_gpu_list_free(list);
	return status;
}

/* Print the capabilities of a GPU as rows. */
static int emit_caps(struct wavectl *w)
{
	struct amdgpudbg_info info = { 0 };
	int ret;

	ret = adbg_session_get_info(w->session, &info);
	if (ret)
		return fail(w, ret, "cannot query the GPU");

	for (uint32_t id = 0; id < info.num_capabilities; id++) {
		struct amdgpudbg_capability cap = { 0 };

		ret = adbg_session_get_capability(w->session, id, &cap);
		if (ret)
			return fail(w, ret, "cannot query capability %u", id);
		emit_row(w->emit);
		emit_gpu_number(w);
		emit_str(w->emit, "capability", cap.name);
		emit_bool(w->emit, "supported", cap.supported);
		emit_quiet(w->emit, true);
		emit_uint(w->emit, "reason_code", cap.reason_code);
		emit_quiet(w->emit, false);
		if (cap.reason[0])
			emit_str(w->emit, "reason", cap.reason);
		else
			emit_none(w->emit, "reason");
	}
	return WAVECTL_OK;
}

static int cmd_caps(struct wavectl *w)
{
	int status = open_targets(w);

	if (status)
		return status;
	emit_begin(w->emit);
	emit_table(w->emit, "capabilities", true);
	for (size_t i = 0; use_target(w, i); i++) {
		status = emit_caps(w);
		if (status)
			return status;
	}
	emit_table_end(w->emit);

	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* The version of the loaded module, or why it is unknown */
static void emit_module(struct emit *e)
{
	const char *version = "not loaded, or without a GPU";
	const struct adbg_gpu *gpu;
	struct adbg_gpu_list *list;

	if (adbg_gpu_list_new(&list)) {
		emit_str(e, "module", version);
		return;
	}

	gpu = adbg_gpu_list_get(list, 0);
	if (gpu)
		version = gpu->error ? adbg_strerror(NULL, gpu->error)
				     : gpu->info.module_version;
	emit_str(e, "module", version);
	adbg_gpu_list_free(list);
}

static int cmd_version(struct wavectl *w)
{
	struct emit *e = w->emit;

	emit_begin(e);
	emit_str(e, "wavectl", WAVECTL_VERSION);
	emit_str(e, "library", adbg_version());
	emit_uint(e, "abi", AMDGPUDBG_ABI_VERSION);
	emit_module(e);
	emit_str(e, "json_c", json_c_version());
	emit_say(e, "wavectl {wavectl}");
	emit_say(e, "libamdgpudbg {library}");
	emit_say(e, "kernel interface {abi}");
	emit_say(e, "amdgpudbg.ko: {module}");
	emit_say(e, "json-c {json_c}");

	return emit_end(e) ? WAVECTL_FAILED : WAVECTL_OK;
}

const struct command gpu_commands[] = {
	{
		.noun = "gpu",
		.verb = "list",
		.summary = "list the GPUs that can be debugged",
		.options = no_options,
		.run = cmd_gpu_list,
	},
	{
		.noun = "caps",
		.summary = "list the capabilities of the GPU, with the reason for each missing one",
		.help = "With --pid, list the capabilities for that process. They differ for a process that\n"
			"uses amdkfd.",
		.options = target_options,
		.run = cmd_caps,
	},
	{
		.noun = "version",
		.summary = "print the versions of wavectl, the library and the module",
		.options = no_options,
		.run = cmd_version,
	},
	{ .noun = NULL },
};
