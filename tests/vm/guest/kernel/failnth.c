// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/thread-self/fail-nth, used as tools/testing/selftests/iommu/
 * iommufd_fail_nth.c of Linux does.
 */
#include "failnth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "self.h"

#define DEBUGFS "/sys/kernel/debug/"

static int file = -1;

/*
 * fail-nth alone says when; without these, allocations that may wait do not
 * fail. Nothing is to be written to the kernel log.
 */
static const struct {
	const char *path;
	const char *value;
} knobs[] = {
	{ DEBUGFS "failslab/ignore-gfp-wait", "N" },
	{ DEBUGFS "failslab/probability", "0" },
	{ DEBUGFS "failslab/verbose", "0" },
	{ DEBUGFS "fail_page_alloc/ignore-gfp-wait", "N" },
	{ DEBUGFS "fail_page_alloc/ignore-gfp-highmem", "N" },
	{ DEBUGFS "fail_page_alloc/min-order", "0" },
	{ DEBUGFS "fail_page_alloc/probability", "0" },
	{ DEBUGFS "fail_page_alloc/verbose", "0" },
	{ DEBUGFS "fail_usercopy/probability", "0" },
	{ DEBUGFS "fail_usercopy/verbose", "0" },
};

int failnth_open(void)
{
	size_t i;
	int ret;

	file = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (file < 0)
		return -errno;
	for (i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++) {
		ret = write_file(knobs[i].path, knobs[i].value);
		if (ret) {
			fprintf(stderr, "# %s\n", knobs[i].path);
			return ret;
		}
	}
	return 0;
}

/* The fault may hit this very call: then there is none any more. */
static void write_nth(unsigned int n)
{
	char text[16];
	int tries, len = snprintf(text, sizeof(text), "%u", n);

	for (tries = 0; tries < 2; tries++)
		if (pwrite(file, text, len, 0) == len)
			return;
	perror("fail-nth");
	abort();
}

void failnth_arm(unsigned int n)
{
	write_nth(n);
}

bool failnth_disarm(void)
{
	char text[16] = "";
	bool failed;

	/* That it hits the reading means that nothing else was hit. */
	if (pread(file, text, sizeof(text) - 1, 0) < 0) {
		if (errno == EFAULT)
			return false;
		perror("fail-nth");
		abort();
	}
	failed = !strtoul(text, NULL, 10);
	if (!failed)
		write_nth(0);
	return failed;
}
