// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the GPU and the process of a command.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wavectl.h"

bool names_gpu(const struct wavectl *w)
{
	return w->gpu || w->pci || w->render;
}

static const struct adbg_gpu *find_number(const struct adbg_gpu_list *list,
					  uint32_t number)
{
	const struct adbg_gpu *gpu;

	for (size_t i = 0; (gpu = adbg_gpu_list_get(list, i)); i++)
		if (gpu->number == number)
			return gpu;

	return NULL;
}

int find_target(struct wavectl *w, const struct adbg_gpu_list *list,
		const struct adbg_gpu **gpu)
{
	int ret = 0;

	if (w->gpu) {
		*gpu = find_number(list, strtoul(w->gpu, NULL, 0));
		ret = *gpu ? 0 : -ENOENT;
		if (ret)
			return fail(w, ret, "cannot open GPU %s", w->gpu);
	} else if (w->pci) {
		ret = strchr(w->pci, ':') ?
		      adbg_gpu_list_find(list, w->pci, gpu) : -EINVAL;
		if (ret == -EINVAL)
			return fail_with(w, WAVECTL_USAGE,
					 "a PCI address looks like 0000:0a:00.0",
					 "'%s' is not a PCI address", w->pci);
		if (ret)
			return fail(w, ret,
				    "cannot open the GPU at %s", w->pci);
	} else if (w->render) {
		ret = adbg_gpu_list_find(list, w->render, gpu);
		if (ret)
			return fail(w, ret,
				    "cannot open the GPU of %s", w->render);
	} else if (adbg_gpu_list_count(list) > 1) {
		return fail_with(w, WAVECTL_USAGE,
				 "select one with --gpu, --pci or --render; see \"wavectl gpu list\"",
				 "there are %zu GPUs",
				 adbg_gpu_list_count(list));
	} else {
		*gpu = adbg_gpu_list_get(list, 0);
	}

	return WAVECTL_OK;
}

static int fail_attach(struct wavectl *w, int error)
{
	const char *what = "cannot debug process %d";

	switch (error) {
	case -EPERM:
	case -EACCES:
		return fail_with(w, WAVECTL_DENIED,
				 adbg_target_reason(w->pid), what, w->pid);
	case -ENODATA:
		if (w->client)
			return fail_with(w, WAVECTL_GONE,
					 "see \"wavectl proc list\"",
					 "process %d has no client %" PRIu64 " of this GPU",
					 w->pid, w->client);
		return fail_with(w, WAVECTL_GONE,
				 "see \"wavectl proc list\"",
				 "process %d does not use this GPU", w->pid);
	case -ENOTUNIQ:
		return fail_with(w, WAVECTL_USAGE,
				 "select one with --client; see \"wavectl proc list --pid\"",
				 "process %d has several clients of this GPU",
				 w->pid);
	default:
		return fail(w, error, what, w->pid);
	}
}

int attach_target(struct wavectl *w)
{
	int ret;

	if (!w->pid)
		return WAVECTL_OK;

	ret = adbg_target_attach(w->session, w->pid, w->client, NULL);
	return ret ? fail_attach(w, ret) : WAVECTL_OK;
}

static int open_gpu(struct wavectl *w)
{
	const struct adbg_gpu *gpu;
	struct adbg_gpu_list *list;
	int ret, status;

	ret = adbg_gpu_list_new(&list);
	if (ret)
		return fail(w, ret, "cannot search for GPUs");

	if (!adbg_gpu_list_count(list)) {
		status = fail_no_gpu(w);
		goto out;
	}

	status = find_target(w, list, &gpu);
	if (status)
		goto out;

	ret = adbg_open(gpu->path, &w->session);
	if (ret)
		status = fail(w, ret, "cannot open %s",
			      gpu->path);
out:
	adbg_gpu_list_free(list);
	return status;
}

/* Check that the GPU has the VMID of --vmid. */
static int check_vmid(struct wavectl *w)
{
	struct amdgpudbg_info info = { 0 };
	int ret;

	if (!w->vmid)
		return WAVECTL_OK;

	ret = adbg_session_get_info(w->session, &info);
	if (ret)
		return fail(w, ret, "cannot query the GPU");
	if (w->vmid >= info.num_vmid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "the GPU has no VMID %u, only 1 to %u",
				 w->vmid, info.num_vmid - 1);

	return WAVECTL_OK;
}

/* Use the session of the shell. Fail if the options select another GPU or process. */
static int join_shell(struct wavectl *w)
{
	const struct shell_session *d = w->shell;
	const char *hint = "end this session, or use another terminal";

	if (names_gpu(w))
		return fail_with(w, WAVECTL_USAGE, hint,
				 "the GPU was selected when this session started");
	if (w->pid && (w->pid != d->pid || w->client != d->client)) {
		if (!d->pid)
			return fail_with(w, WAVECTL_USAGE, hint,
					 "this session is about the whole GPU");
		return fail_with(w, WAVECTL_USAGE, hint,
				 "this session is about process %d", d->pid);
	}
	w->session = d->session;
	return WAVECTL_OK;
}

int open_target(struct wavectl *w)
{
	int status;

	if (w->shell) {
		status = join_shell(w);
	} else {
		status = open_gpu(w);
		if (!status)
			status = attach_target(w);
	}
	return status ? status : check_vmid(w);
}

int open_own_target(struct wavectl *w)
{
	char number[16];
	int ret, status;

	status = open_target(w);
	if (status || !w->shell)
		return status;

	snprintf(number, sizeof(number), "%u",
		 adbg_session_get_number(w->shell->session));
	w->shell = NULL;
	w->session = NULL;
	ret = adbg_open(number, &w->session);
	return ret ? fail(w, ret, "cannot open GPU %s", number) :
		     attach_target(w);
}

void close_target(struct wavectl *w)
{
	if (w->shell)
		return;
	adbg_session_close(w->session);
	w->session = NULL;
}

char *pci_name(const struct amdgpudbg_info *info, char name[24])
{
	snprintf(name, 24, "%04x:%02x:%02x.%x", info->pci_domain,
		 info->pci_bus, info->pci_device, info->pci_function);
	return name;
}

char *gc_name(uint32_t gc_version, char name[16])
{
	snprintf(name, 16, "%u.%u.%u", ADBG_GC_MAJOR(gc_version),
		 ADBG_GC_MINOR(gc_version), ADBG_GC_REV(gc_version));
	return name;
}
