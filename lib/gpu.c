// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Listing the GPUs: the nodes in /dev, finding them by PCI address, DRM node or name, and the
 * module's status if there are none.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "internal.h"

#define NODE_PREFIX	"amdgpudbg"
#define MODULE_DIR	"/sys/module/amdgpudbg"
#define MODULE_GPUS	MODULE_DIR "/gpus"

/* Documentation/admin-guide/devices.txt: 226 char, DRM */
#define DRM_MAJOR		226

/* kgd2kfd_probe() of Linux 6.12, and AMDGPUUsage of LLVM 19 */
static const struct {
	uint32_t gc_version;
	const char *name;
} gpu_names[] = {
	{ ADBG_GC_VERSION(10, 3, 0), "gfx1030" },
	{ ADBG_GC_VERSION(10, 3, 1), "gfx1033" },
	{ ADBG_GC_VERSION(10, 3, 2), "gfx1031" },
	{ ADBG_GC_VERSION(10, 3, 3), "gfx1035" },
	{ ADBG_GC_VERSION(10, 3, 4), "gfx1032" },
	{ ADBG_GC_VERSION(10, 3, 5), "gfx1034" },
	{ ADBG_GC_VERSION(10, 3, 6), "gfx1036" },
	{ ADBG_GC_VERSION(10, 3, 7), "gfx1036" },
};

ADBG_API const char *adbg_gpu_name(uint32_t gc_version)
{
	for (size_t i = 0; i < ARRAY_SIZE(gpu_names); i++)
		if (gpu_names[i].gc_version == gc_version)
			return gpu_names[i].name;
	return NULL;
}

struct adbg_gpu_list {
	size_t count;
	size_t stride;		/* distance of two elements in bytes */
	char *gpus;
};

/* Parse all of @text as a decimal number. */
static bool parse_number(const char *text, unsigned int *number)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || value > UINT32_MAX)
		return false;

	*number = value;
	return true;
}

bool adbg_parse_node(const char *what, unsigned int *number)
{
	static const char node[] = "/dev/" NODE_PREFIX;

	if (!strncmp(what, node, strlen(node)))
		what += strlen(node);
	return parse_number(what, number);
}

static struct adbg_gpu *gpu_at(const struct adbg_gpu_list *list, size_t i)
{
	return (struct adbg_gpu *)(list->gpus + i * list->stride);
}

static void ask_gpu(struct adbg_gpu *gpu, size_t info_size)
{
	int fd;

	fd = adbg_node_open(gpu->number);
	if (fd < 0) {
		gpu->error = fd;
		return;
	}

	gpu->error = adbg_node_info(fd, &gpu->info, info_size);
	if (gpu->error)
		memset(&gpu->info, 0, info_size);
	close(fd);
}

static int add_gpu(struct adbg_gpu_list *list, unsigned int number)
{
	struct adbg_gpu *gpu;
	char *gpus;

	gpus = reallocarray(list->gpus, list->count + 1, list->stride);
	if (!gpus)
		return -ENOMEM;

	list->gpus = gpus;
	gpu = gpu_at(list, list->count++);
	memset(gpu, 0, list->stride);
	gpu->number = number;
	snprintf(gpu->path, sizeof(gpu->path), "/dev/" NODE_PREFIX "%u",
		 number);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct adbg_gpu *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int scan_nodes(struct adbg_gpu_list *list, DIR *dir)
{
	const size_t prefix = strlen(NODE_PREFIX);
	const struct dirent *entry;
	unsigned int number;
	int ret = 0;

	while (!ret && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, NODE_PREFIX, prefix))
			continue;
		if (parse_number(entry->d_name + prefix, &number))
			ret = add_gpu(list, number);
	}

	return ret;
}

ADBG_API int adbg_gpu_list_new_sized(struct adbg_gpu_list **list,
				     size_t info_size)
{
	struct adbg_gpu_list *l;
	DIR *dir;
	int ret;

	l = calloc(1, sizeof(*l));
	if (!l)
		return -ENOMEM;

	l->stride = offsetof(struct adbg_gpu, info) + info_size;
	dir = opendir("/dev");
	if (!dir) {
		ret = -errno;
		goto err_free;
	}

	ret = scan_nodes(l, dir);
	closedir(dir);
	if (ret)
		goto err_free;

	if (l->count)
		qsort(l->gpus, l->count, l->stride, by_number);
	for (size_t i = 0; i < l->count; i++)
		ask_gpu(gpu_at(l, i), info_size);

	*list = l;
	return 0;

err_free:
	adbg_gpu_list_free(l);
	return ret;
}

ADBG_API void adbg_gpu_list_free(struct adbg_gpu_list *list)
{
	if (!list)
		return;

	free(list->gpus);
	free(list);
}

ADBG_API const struct adbg_gpu *
adbg_gpu_list_get(const struct adbg_gpu_list *list, size_t i)
{
	return i < list->count ? gpu_at(list, i) : NULL;
}

/* Find the first GPU for which @match is true. If a GPU could not be opened, return its error. */
static int find(const struct adbg_gpu_list *list,
		bool (*match)(const struct amdgpudbg_info *info,
			      const void *what),
		const void *what, const struct adbg_gpu **gpu)
{
	int ret = -ENODEV;

	for (size_t i = 0; i < list->count; i++) {
		const struct adbg_gpu *g = gpu_at(list, i);

		if (g->error) {
			if (ret == -ENODEV)
				ret = g->error;
		} else if (match(&g->info, what)) {
			*gpu = g;
			return 0;
		}
	}

	return ret;
}

struct pci_address {
	unsigned int domain, bus, device, function;
};

/* Parse one to @digits hexadecimal digits, followed by @end; set @text to what follows. */
static bool parse_hex(const char **text, size_t digits, char end,
		      unsigned int *value)
{
	size_t n = 0;

	*value = 0;
	while (isxdigit((unsigned char)(*text)[n])) {
		char c = tolower((unsigned char)(*text)[n++]);

		if (n > digits)
			return false;
		*value = *value << 4 | (isdigit((unsigned char)c) ?
					c - '0' : c - 'a' + 10);
	}
	if (!n || (*text)[n] != end)
		return false;

	*text += n + (end != '\0');
	return true;
}

static bool parse_bdf(const char *text, struct pci_address *a)
{
	return parse_hex(&text, 2, ':', &a->bus) &&
	       parse_hex(&text, 2, '.', &a->device) &&
	       parse_hex(&text, 1, '\0', &a->function) &&
	       a->device < 32 && a->function < 8;
}

static bool parse_pci(const char *text, struct pci_address *a)
{
	const char *rest = text;

	a->domain = 0;
	if (parse_bdf(text, a))
		return true;

	/* Domains of virtual bridges (VMD) have more than four hexadecimal digits. */
	return parse_hex(&rest, 8, ':', &a->domain) && parse_bdf(rest, a);
}

static bool match_pci(const struct amdgpudbg_info *info, const void *what)
{
	const struct pci_address *a = what;

	return info->pci_domain == a->domain && info->pci_bus == a->bus &&
	       info->pci_device == a->device &&
	       info->pci_function == a->function;
}

static bool match_render(const struct amdgpudbg_info *info, const void *what)
{
	return info->render_minor == *(const unsigned int *)what;
}

/* Get the PCI address of the device to which a DRM node belongs. */
static bool parse_sysfs(unsigned int node, struct pci_address *a)
{
	char path[64], link[256];
	const char *name;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/dev/char/%d:%u/device", DRM_MAJOR, node);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return false;
	link[n] = '\0';
	name = strrchr(link, '/');
	return parse_pci(name ? name + 1 : link, a);
}

/* Find the GPU of a DRM node: "card0" or "renderD128". The module knows the render node. */
static int find_drm(const struct adbg_gpu_list *list, const char *path,
		    const struct adbg_gpu **gpu)
{
	struct pci_address a;
	unsigned int node;
	struct stat st;
	int ret;

	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISCHR(st.st_mode) || major(st.st_rdev) != DRM_MAJOR)
		return -ENOTTY;

	node = minor(st.st_rdev);
	ret = find(list, match_render, &node, gpu);
	if (ret && parse_sysfs(node, &a))
		ret = find(list, match_pci, &a, gpu);
	return ret;
}

/* Find the only GPU whose product name contains @part, or that LLVM calls so. */
static int find_name(const struct adbg_gpu_list *list, const char *part,
		     const struct adbg_gpu **gpu)
{
	const struct adbg_gpu *found = NULL;

	for (size_t i = 0; *part && i < list->count; i++) {
		const struct adbg_gpu *g = gpu_at(list, i);
		const char *llvm = adbg_gpu_name(g->info.gc_version);
		char product[128] = "";

		if (g->error)
			continue;
		/* Without a product name, it has only the other one. */
		if (adbg_gpu_product(&g->info, product, sizeof(product)))
			*product = '\0';
		if (!strcasestr(product, part) && (!llvm || strcasecmp(llvm, part)))
			continue;
		if (found)
			return -ENOTUNIQ;
		found = g;
	}

	if (!found)
		return -EINVAL;
	*gpu = found;
	return 0;
}

static int find_number(const struct adbg_gpu_list *list, unsigned int number,
		       const struct adbg_gpu **gpu)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct adbg_gpu *g = gpu_at(list, i);

		if (g->number == number) {
			*gpu = g;
			return 0;
		}
	}

	return -ENOENT;
}

ADBG_API int adbg_gpu_list_find(const struct adbg_gpu_list *list,
				const char *what, const struct adbg_gpu **gpu)
{
	struct pci_address a;
	unsigned int number;

	if (!what) {
		if (list->count > 1)
			return -ENOTUNIQ;
		*gpu = adbg_gpu_list_get(list, 0);
		return *gpu ? 0 : -ENODEV;
	}
	if (adbg_parse_node(what, &number))
		return find_number(list, number, gpu);
	if (parse_pci(what, &a))
		return find(list, match_pci, &a, gpu);
	return strchr(what, '/') ? find_drm(list, what, gpu) : find_name(list, what, gpu);
}

/* Read a file in a GPU's directory; an empty value means that there is none. */
static void read_value(const char *gpu, const char *name, char value[192])
{
	char path[256];
	ssize_t n;

	snprintf(path, sizeof(path), MODULE_GPUS "/%s/%s", gpu, name);
	n = adbg_read_text(path, value, 192);
	value[n < 0 ? 0 : n] = '\0';
	value[strcspn(value, "\n")] = '\0';
}

/* Append a line about a GPU, truncated to the space that is left. */
static void say_gpu(const char *gpu, char *text, size_t size)
{
	char node[192], status[192], vendor[192], device[192];
	size_t used = strlen(text);

	read_value(gpu, "node", node);
	read_value(gpu, "status", status);
	read_value(gpu, "device/vendor", vendor);
	read_value(gpu, "device/device", device);
	snprintf(text + used, size - used, "%s%s %04lx:%04lx %s %s",
		 used ? "\n" : "", gpu, strtoul(vendor, NULL, 16),
		 strtoul(device, NULL, 16), *node ? node : "-", status);
}

static int is_address(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

ADBG_API int adbg_module_status(char *text, size_t size)
{
	struct dirent **entries;
	struct stat st;
	int i, num;

	if (!text || !size)
		return -EINVAL;

	num = scandir(MODULE_GPUS, &entries, is_address, alphasort);
	if (num < 0)
		return errno == ENOENT && !stat(MODULE_DIR, &st) ? -ENODATA :
								   -errno;
	*text = '\0';
	for (i = 0; i < num; i++) {
		say_gpu(entries[i]->d_name, text, size);
		free(entries[i]);
	}
	free(entries);
	if (!num)
		snprintf(text, size, "There is no AMD GPU on the PCI bus.");
	return 0;
}
