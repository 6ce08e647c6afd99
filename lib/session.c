// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sessions: opening a GPU by its number, and asking it what it is and what it can.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/amdgpudbg.h>

#include "internal.h"

int adbg_node_open(unsigned int number)
{
	char path[sizeof(((struct adbg_gpu *)0)->path)];
	int fd;

	snprintf(path, sizeof(path), "/dev/amdgpudbg%u", number);
	do {
		fd = open(path, O_RDWR | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);

	return fd < 0 ? -errno : fd;
}

int adbg_node_info(int fd, struct adbg_gpu_info *info)
{
	struct amdgpudbg_info in = { .size = sizeof(in) };
	int ret;

	ret = adbg_ioctl_restart(fd, AMDGPUDBG_IOC_GET_INFO, &in);
	if (ret)
		return ret;

	*info = (struct adbg_gpu_info){
		.sz = sizeof(*info),
		.abi_version = in.abi_version,
		.gc_version = in.gc_version,
		.pci_domain = in.pci_domain,
		.pci_bus = in.pci_bus,
		.pci_device = in.pci_device,
		.pci_function = in.pci_function,
		.vendor_id = in.vendor_id,
		.device_id = in.device_id,
		.num_xcc = in.num_xcc,
		.num_se = in.num_se,
		.num_sa = in.num_sa,
		.num_wgp = in.num_wgp,
		.num_simd = in.num_simd,
		.num_wave = in.num_wave,
		.num_vmid = in.num_vmid,
		.first_kfd_vmid = in.first_kfd_vmid,
		.num_capabilities = in.num_capabilities,
		.num_active_cu = in.num_active_cu,
		.gpu_reset_count = in.gpu_reset_count,
		.render_minor = in.render_minor,
		.halt_left_ms = in.halt_left_ms,
		.halt_wait_ms = in.halt_wait_ms,
	};
	/* The zeros that end the text stay in place whatever the kernel says. */
	memcpy(info->driver_build_id, in.driver_build_id,
	       sizeof(info->driver_build_id) - 1);
	memcpy(info->module_version, in.module_version,
	       sizeof(info->module_version) - 1);

	return 0;
}

/* Upper bound of the live waves of a GPU. */
static uint32_t wave_slots(const struct adbg_gpu_info *info)
{
	uint64_t n = 1;
	uint32_t dims[] = { info->num_xcc, info->num_se, info->num_sa,
			    info->num_wgp, info->num_simd, info->num_wave };

	for (size_t i = 0; i < ARRAY_SIZE(dims); i++) {
		n *= dims[i];
		if (n > UINT32_MAX)
			return UINT32_MAX;
	}

	return n;
}

ADBG_API int adbg_session_open(unsigned int number,
			       struct adbg_session **session)
{
	struct adbg_gpu_info info;
	struct adbg_session *s;
	int ret;

	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;

	ret = adbg_node_open(number);
	if (ret < 0)
		goto err_free;
	s->fd = ret;
	s->number = number;

	ret = adbg_node_info(s->fd, &info);
	if (ret)
		goto err_close;
	s->gc_version = info.gc_version;
	s->max_waves = wave_slots(&info);
	snprintf(s->pci, sizeof(s->pci), "%04x:%02x:%02x.%x",
		 info.pci_domain & 0xffff, info.pci_bus,
		 info.pci_device & 0x1f, info.pci_function & 7);

	*session = s;
	return 0;

err_close:
	close(s->fd);
err_free:
	free(s);
	return ret;
}

ADBG_API void adbg_session_close(struct adbg_session *session)
{
	if (!session)
		return;

	close(session->fd);
	free(session->events);
	free(session);
}

ADBG_API int adbg_session_get_fd(const struct adbg_session *session)
{
	return session->fd;
}

ADBG_API unsigned int
adbg_session_get_number(const struct adbg_session *session)
{
	return session->number;
}

void adbg_note_vmid_user(struct adbg_session *session, int ret, uint32_t vmid,
			 uint32_t pasid)
{
	session->busy_vmid = ret == -EBUSY ? vmid : 0;
	session->busy_pasid = ret == -EBUSY ? pasid : 0;
}

ADBG_API int adbg_session_get_vmid_user(const struct adbg_session *session,
					uint32_t *vmid, uint32_t *pasid)
{
	if (!session->busy_vmid)
		return -ENODATA;
	*vmid = session->busy_vmid;
	*pasid = session->busy_pasid;
	return 0;
}

ADBG_API uint32_t
adbg_session_get_gc_version(const struct adbg_session *session)
{
	return session->gc_version;
}

ADBG_API int adbg_session_get_info(struct adbg_session *session,
				   struct adbg_gpu_info *info)
{
	struct adbg_gpu_info now;
	int ret;

	if (!info || info->sz < sizeof(now))
		return -EINVAL;

	ret = adbg_node_info(session->fd, &now);
	if (ret)
		return ret;

	adbg_struct_out(info, &now, sizeof(now));
	return 0;
}

ADBG_API int adbg_session_get_capability(struct adbg_session *session,
					 uint32_t id,
					 struct adbg_capability *capability)
{
	struct amdgpudbg_capability in = { .size = sizeof(in), .id = id };
	struct adbg_capability now = { .sz = sizeof(now), .id = id };
	int ret;

	if (!capability || capability->sz < sizeof(now))
		return -EINVAL;

	ret = adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_GET_CAPABILITY,
				 &in);
	if (ret)
		return ret;

	now.supported = in.supported;
	memcpy(now.name, in.name, sizeof(now.name) - 1);
	memcpy(now.reason, in.reason, sizeof(now.reason) - 1);
	adbg_struct_out(capability, &now, sizeof(now));
	return 0;
}
