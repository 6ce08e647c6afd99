// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One banked register access over debugfs. V1 of the ioctl drops the VMID on
 * 6.12 and later, and V2 is not on 6.1, so the newest that works is used.
 */
#include "regs2.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

struct regs2_state_v2 {
	struct regs2_state v1;
	uint32_t xcc_id;
};

#define REGS2_SET_STATE _IOWR(0x20, 0, struct regs2_state)
#define REGS2_SET_STATE_V2 _IOWR(0x20, 1, struct regs2_state_v2)

static int open_in(const char *dir, const char *name)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Counted by the driver: each 0 needs its 1. */
static int allow_gfxoff(struct regs2 *r, uint32_t allow)
{
	return write(r->gfxoff, &allow, sizeof(allow)) < 0 ? -errno : 0;
}

int regs2_open(struct regs2 *r, const char *dir)
{
	struct regs2_state_v2 s = { .v1 = { .use_srbm = 0 } };
	int ret;

	*r = (struct regs2){ .fd = open_in(dir, "amdgpu_regs2") };
	if (r->fd < 0)
		return r->fd;
	r->gfxoff = open_in(dir, "amdgpu_gfxoff");
	ret = r->gfxoff < 0 ? r->gfxoff : allow_gfxoff(r, 0);
	if (ret) {
		close(r->fd);
		return ret;
	}
	r->v1 = ioctl(r->fd, REGS2_SET_STATE_V2, &s) < 0;
	return 0;
}

void regs2_close(struct regs2 *r)
{
	allow_gfxoff(r, 1);
	close(r->gfxoff);
	close(r->fd);
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

int regs2_gfxoff_allowed(const char *dir)
{
	int fd = open_in(dir, "amdgpu_gfxoff");
	uint32_t state;
	int ret;

	if (fd < 0)
		return fd;
	ret = result(read(fd, &state, sizeof(state)));
	close(fd);
	return ret ? ret : !!state;
}
