// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Product names of GPUs, from the table of libdrm: lines of PCI device ID, PCI revision and name,
 * separated by commas, IDs in hexadecimal.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define NAMES	"/usr/share/libdrm/amdgpu.ids"

/* Read the PCI revision of a GPU, which the kernel interface does not have. */
static int read_revision(const struct amdgpudbg_info *info, unsigned long *revision)
{
	char pci[ADBG_PCI_SIZE], path[64], text[16];
	ssize_t n;

	adbg_pci_name(info, pci);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/revision", pci);
	n = adbg_read_text(path, text, sizeof(text));
	if (n < 0)
		return n;
	*revision = strtoul(text, NULL, 16);
	return 0;
}

/* Parse "ID," in hexadecimal and blanks after it; set @text to what follows. */
static bool take_id(char **text, unsigned long *id)
{
	char *end;

	*id = strtoul(*text, &end, 16);
	if (end == *text || *end != ',')
		return false;
	*text = end + 1 + strspn(end + 1, " \t");
	return true;
}

/* Is it the line of this device? Set @line to the name. */
static bool is_line(char **line, uint32_t device, unsigned long revision)
{
	unsigned long id, rev;

	return isxdigit((unsigned char)**line) && take_id(line, &id) && take_id(line, &rev) &&
	       id == device && rev == revision;
}

ADBG_API int adbg_gpu_product(const struct amdgpudbg_info *info, char *text, size_t size)
{
	unsigned long revision = 0;
	char *line = NULL;
	int fd, ret;
	FILE *in;

	if (!size)
		return -EINVAL;
	ret = read_revision(info, &revision);
	if (ret)
		return ret;
	fd = open(NAMES, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	in = fdopen(fd, "r");
	if (!in) {
		close(fd);
		return -ENOMEM;
	}

	ret = -ENOENT;
	for (size_t n = 0; ret && getline(&line, &n, in) >= 0;) {
		char *name = line;

		if (!is_line(&name, info->device_id, revision))
			continue;
		name[strcspn(name, "\r\n")] = '\0';
		snprintf(text, size, "%s", name);
		ret = 0;
	}
	free(line);
	fclose(in);
	return ret;
}
