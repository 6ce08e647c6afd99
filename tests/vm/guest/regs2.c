// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One banked register access over debugfs. V1 of the ioctl drops the VMID on
 * 6.12 and later, and V2 is not on 6.1, so the newest that works is used.
 */
#include "regs2.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

struct regs2_state_v2 {
	struct regs2_state v1;
	uint32_t xcc_id;
};

#define REGS2_SET_STATE _IOWR(0x20, 0, struct regs2_state)
#define REGS2_SET_STATE_V2 _IOWR(0x20, 1, struct regs2_state_v2)

int regs2_open(struct regs2 *r, const char *path)
{
	struct regs2_state_v2 s = { .v1 = { .use_srbm = 0 } };

	*r = (struct regs2){ .fd = open(path, O_RDWR | O_CLOEXEC) };
	if (r->fd < 0)
		return -errno;
	r->v1 = ioctl(r->fd, REGS2_SET_STATE_V2, &s) < 0;
	return 0;
}

static int select_bank(struct regs2 *r, const struct regs2_state *bank,
		       uint32_t reg)
{
	struct regs2_state_v2 s = { .v1 = *bank };

	r->syscalls += 2;
	if (r->v1 ? ioctl(r->fd, REGS2_SET_STATE, &s.v1) :
		    ioctl(r->fd, REGS2_SET_STATE_V2, &s))
		return -errno;
	return lseek(r->fd, (off_t)reg * 4, SEEK_SET) < 0 ? -errno : 0;
}

static int result(ssize_t n)
{
	if (n < 0)
		return -errno;
	return n == 4 ? 0 : -EIO;
}

int regs2_read(struct regs2 *r, const struct regs2_state *bank, uint32_t reg,
	       uint32_t *val)
{
	int ret = select_bank(r, bank, reg);

	r->syscalls++;
	return ret ? ret : result(read(r->fd, val, 4));
}

int regs2_write(struct regs2 *r, const struct regs2_state *bank, uint32_t reg,
		uint32_t val)
{
	int ret = select_bank(r, bank, reg);

	r->syscalls++;
	return ret ? ret : result(write(r->fd, &val, 4));
}
