// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sessions: opening a GPU by its number, and its properties.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int adbg_node_info(int fd, struct amdgpudbg_info *info, size_t size)
{
	memset(info, 0, size);
	info->size = size;
	return adbg_ioctl_restart(fd, AMDGPUDBG_IOC_GET_INFO, info);
}

/* Upper bound of the live waves of a GPU. */
static uint32_t wave_slots(const struct amdgpudbg_info *info)
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

void adbg_pci_name(const struct amdgpudbg_info *info, char pci[ADBG_PCI_SIZE])
{
	snprintf(pci, ADBG_PCI_SIZE, "%04x:%02x:%02x.%x", info->pci_domain,
		 info->pci_bus & 0xff, info->pci_device & 0x1f, info->pci_function & 7);
}

int adbg_session_new(unsigned int number, struct adbg_session **session)
{
	struct amdgpudbg_info info;
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
	s->interrupt_fd = -1;

	ret = adbg_node_info(s->fd, &info, sizeof(info));
	if (ret)
		goto err_close;
	s->gc_version = info.gc_version;
	s->event_mask = info.event_mask;
	s->max_waves = wave_slots(&info);
	adbg_pci_name(&info, s->pci);

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

	adbg_pages_keep(session, 0, -1);
	close(session->fd);
	free(session->events);
	free(session);
}

ADBG_API int adbg_session_get_fd(const struct adbg_session *session)
{
	return session->fd;
}

ADBG_API void adbg_session_set_interrupt(struct adbg_session *session, int fd)
{
	session->interrupt_fd = fd;
}

ADBG_API unsigned int
adbg_session_get_number(const struct adbg_session *session)
{
	return session->number;
}

ADBG_API void
adbg_session_get_apertures(const struct adbg_session *session, uint64_t *lds,
			   uint64_t *scratch)
{
	*lds = session->lds_aperture;
	*scratch = session->scratch_aperture;
}

ADBG_API uint32_t
adbg_session_get_gc_version(const struct adbg_session *session)
{
	return session->gc_version;
}
