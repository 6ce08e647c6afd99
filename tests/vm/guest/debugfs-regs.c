// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another program that uses the GPU's banked registers, as umr would: through
 * debugfs amdgpu_regs2, with its own bank selects. It writes a different value
 * to SQ_SHADER_TMA_LO of each of two VMIDs, and reads them back in a loop until
 * standard input ends; a wrong value means that a bank select of somebody else
 * came in between.
 *
 * debugfs-regs FILE
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* amdgpu_umr.h, Linux 6.1 and 6.12 */
struct regs2_state {
	struct {
		uint32_t use_srbm, use_grbm, pg_lock;
	} head;
	struct {
		uint32_t se, sh, instance;
	} grbm;
	struct {
		uint32_t me, pipe, queue, vmid;
	} srbm;
};

struct regs2_state_v2 {
	struct regs2_state v1;
	uint32_t xcc_id;
};

#define REGS2_SET_STATE _IOWR(0x20, 0, struct regs2_state)
#define REGS2_SET_STATE_V2 _IOWR(0x20, 1, struct regs2_state_v2)

/* GC base 0x1260 + mmSQ_SHADER_TMA_LO, gc_10_3_0_offset.h (Linux 6.1) */
#define SQ_SHADER_TMA_LO (0x1260 + 0x10b4)
#define FIRST_VMID 5
#define NUM_VMIDS 2

static int select_vmid(int fd, uint32_t vmid)
{
	struct regs2_state_v2 s = {
		.v1 = { .head = { .use_srbm = 1 }, .srbm = { .vmid = vmid } },
	};

	/* V1 drops the VMID on 6.12 and later, V2 is not on 6.1. */
	if (!ioctl(fd, REGS2_SET_STATE_V2, &s))
		return 0;
	return ioctl(fd, REGS2_SET_STATE, &s.v1) ? -errno : 0;
}

static int access_reg(int fd, uint32_t vmid, uint32_t *val, int write)
{
	int ret = select_vmid(fd, vmid);
	ssize_t n;

	if (ret)
		return ret;
	n = write ? pwrite(fd, val, 4, SQ_SHADER_TMA_LO * 4) :
		    pread(fd, val, 4, SQ_SHADER_TMA_LO * 4);
	return n == 4 ? 0 : n < 0 ? -errno : -EIO;
}

static int loop(int fd, unsigned long *turns)
{
	struct pollfd end = { .fd = STDIN_FILENO, .events = POLLIN | POLLHUP };
	uint32_t i, val;
	int ret;

	while (poll(&end, 1, 0) == 0) {
		for (i = 0; i < NUM_VMIDS; i++) {
			ret = access_reg(fd, FIRST_VMID + i, &val, 0);
			if (ret)
				return ret;
			if (val != 0x5a0000 + i) {
				fprintf(stderr,
					"turn %lu: VMID %u shows %08x\n",
					*turns, FIRST_VMID + i, val);
				return -EILSEQ;
			}
		}
		if (++*turns == 1) {
			printf("running\n");
			fflush(stdout);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long turns = 0;
	uint32_t i, val;
	int fd, ret = 0;

	fd = argc == 2 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
	if (fd < 0) {
		perror(argc == 2 ? argv[1] : "usage: debugfs-regs FILE");
		return 2;
	}
	for (i = 0; i < NUM_VMIDS && !ret; i++) {
		val = 0x5a0000 + i;
		ret = access_reg(fd, FIRST_VMID + i, &val, 1);
	}
	if (!ret)
		ret = loop(fd, &turns);
	for (i = 0, val = 0; i < NUM_VMIDS; i++)
		access_reg(fd, FIRST_VMID + i, &val, 1);
	if (ret)
		fprintf(stderr, "debugfs-regs: %s\n", strerror(-ret));
	printf("%lu turns\n", turns);
	return ret ? 1 : 0;
}
