// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finding the processes that use a GPU by their DRM files in /proc/PID/fdinfo ("drm-pdev",
 * "drm-client-id": Documentation/gpu/drm-usage-stats.rst of Linux 6.12; "pasid":
 * amdgpu_show_fdinfo(), Linux 6.1 to 7.2).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* Larger than the fdinfo of any DRM file */
#define TEXT_SIZE 8192

/*
 * Maximum number of times that a DRM file without "pasid" is read. With a signal every
 * millisecond, one of several reads is interrupted. Files of other drivers never have it.
 */
#define TRIES 16

struct adbg_client_list {
	struct adbg_client *clients;
	size_t count;
};

static bool is_value(const char *found, const char *wanted)
{
	size_t n = strlen(wanted);

	return found && !strncmp(found, wanted, n) &&
	       (found[n] == '\n' || !found[n]);
}

static bool is_drm_file(const char *proc, int fd)
{
	static const char dri[] = "/dev/dri/";
	char path[64], link[sizeof(dri) - 1];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%s/fd/%d", proc, fd);
	n = readlink(path, link, sizeof(link));
	return n == sizeof(link) && !memcmp(link, dri, sizeof(link));
}

/*
 * amdgpu omits its lines if a signal to the reader interrupts it while it takes the lock of the
 * address space, and the read still succeeds (amdgpu_show_fdinfo(), Linux 6.1 to 7.2). So read a
 * DRM file without "pasid" again, unless another driver is named.
 */
static ssize_t read_fdinfo(const char *proc, int fd, char *text, size_t size)
{
	const char *driver;
	int tries = 0;
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%s/fdinfo/%d", proc, fd);
	do {
		n = adbg_read_text(path, text, size);
		if (n < 0 || adbg_find_value(text, "pasid"))
			break;
		driver = adbg_find_value(text, "drm-driver");
		if (driver && !is_value(driver, "amdgpu"))
			break;
	} while (++tries < TRIES && is_drm_file(proc, fd));
	return n;
}

int adbg_client_read(const char *proc, int fd, const char *pci,
		     struct adbg_client *client)
{
	char text[TEXT_SIZE];
	const char *id, *pasid;
	ssize_t n;

	n = read_fdinfo(proc, fd, text, sizeof(text));
	if (n < 0)
		return n;

	id = adbg_find_value(text, "drm-client-id");
	pasid = adbg_find_value(text, "pasid");
	if (!id || !pasid || !is_value(adbg_find_value(text, "drm-driver"), "amdgpu") ||
	    !is_value(adbg_find_value(text, "drm-pdev"), pci))
		return -ENOTTY;

	*client = (struct adbg_client){
		.client_id = strtoull(id, NULL, 10),
		.pasid = strtoul(pasid, NULL, 10),
		.fd = fd,
		.num_fds = 1,
	};
	return 0;
}

/*
 * Add a client, unless the list has it: several descriptors may refer to one file, because they
 * are duplicates or were inherited.
 */
static int add_client(struct adbg_client_list *list, size_t first,
		      const struct adbg_client *client)
{
	struct adbg_client *clients;

	for (size_t i = first; i < list->count; i++) {
		if (list->clients[i].client_id != client->client_id)
			continue;
		list->clients[i].num_fds++;
		if (client->fd < list->clients[i].fd)
			list->clients[i].fd = client->fd;
		return 0;
	}

	clients = reallocarray(list->clients, list->count + 1,
			       sizeof(*clients));
	if (!clients)
		return -ENOMEM;
	list->clients = clients;
	clients[list->count++] = *client;
	return 0;
}

static void read_name(int32_t pid, char *name, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (adbg_read_text(path, name, size) < 0)
		*name = '\0';
	name[strcspn(name, "\n")] = '\0';
}

static bool is_number(const char *text)
{
	if (!*text)
		return false;
	while (*text)
		if (!isdigit((unsigned char)*text++))
			return false;

	return true;
}

static int by_id(const void *a, const void *b)
{
	const struct adbg_client *x = a, *y = b;

	if (x->pid != y->pid)
		return (x->pid > y->pid) - (x->pid < y->pid);
	return (x->client_id > y->client_id) - (x->client_id < y->client_id);
}

/* Add the clients of one process. */
static int scan_process(struct adbg_client_list *list, const char *pci,
			int32_t pid)
{
	struct adbg_client client;
	char path[64], name[16];
	const struct dirent *entry;
	size_t first = list->count;
	char proc[16];
	int ret = 0;
	DIR *dir;

	snprintf(proc, sizeof(proc), "%d", pid);
	snprintf(path, sizeof(path), "/proc/%s/fdinfo", proc);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;

	read_name(pid, name, sizeof(name));
	while (!ret && (errno = 0, entry = readdir(dir))) {
		if (!is_number(entry->d_name))
			continue;
		ret = adbg_client_read(proc, atoi(entry->d_name), pci,
				       &client);
		if (!ret) {
			client.pid = pid;
			memcpy(client.name, name, sizeof(name));
			ret = add_client(list, first, &client);
		} else if (!adbg_is_lack(ret)) {
			/* It is another kind of file, or was closed since. */
			ret = 0;
		}
	}
	/* The process has exited, or the caller has lost the permission. */
	if (!ret && errno)
		ret = errno == ENOENT ? -ESRCH : -errno;

	closedir(dir);
	return ret;
}

/* Add the clients of all processes that the caller may inspect. */
static int scan_all(struct adbg_client_list *list, const char *pci)
{
	const struct dirent *entry;
	int ret = 0;
	DIR *dir;

	dir = opendir("/proc");
	if (!dir)
		return -errno;

	while (!ret && (entry = readdir(dir))) {
		if (!is_number(entry->d_name))
			continue;
		ret = scan_process(list, pci, atoi(entry->d_name));
		if (!adbg_is_lack(ret))
			ret = 0;
	}

	closedir(dir);
	return ret;
}

static int make_list(const char *pci, int32_t pid, struct adbg_client_list **list)
{
	struct adbg_client_list *l;
	int ret;

	if (pid < 0)
		return -EINVAL;
	l = calloc(1, sizeof(*l));
	if (!l)
		return -ENOMEM;

	ret = pid ? scan_process(l, pci, pid) : scan_all(l, pci);
	if (ret) {
		adbg_client_list_free(l);
		return ret;
	}

	if (l->count)
		qsort(l->clients, l->count, sizeof(*l->clients), by_id);
	*list = l;
	return 0;
}

ADBG_API int adbg_client_list_new(struct adbg_session *session, int32_t pid,
				  struct adbg_client_list **list)
{
	return adbg_failed(session, ABOUT_TARGET,
			   make_list(session->pci, pid, list));
}

ADBG_API int adbg_gpu_client_list_new(const struct adbg_gpu *gpu, int32_t pid,
				      struct adbg_client_list **list)
{
	char pci[ADBG_PCI_SIZE];

	if (gpu->error)
		return gpu->error;
	adbg_pci_name(&gpu->info, pci);
	return make_list(pci, pid, list);
}

ADBG_API void adbg_client_list_free(struct adbg_client_list *list)
{
	if (!list)
		return;

	free(list->clients);
	free(list);
}

ADBG_API const struct adbg_client *
adbg_client_list_get(const struct adbg_client_list *list, size_t i)
{
	return i < list->count ? &list->clients[i] : NULL;
}
