// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another program that uses the GPU's banked registers, as umr would: through debugfs
 * amdgpu_regs2, with its own bank selects. It reads SH_MEM_BASES of two VMIDs in a loop until
 * standard input ends. amdgpu sets that register once, to different values for its own VMIDs
 * and for those of amdkfd. If a value changes, another program has changed the bank select
 * during an access.
 *
 * debugfs-regs DIR
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "regs2.h"

/* GC base 0x1260 + mmSH_MEM_BASES, gc_10_3_0_offset.h (Linux 6.1) */
#define SH_MEM_BASES (0x1260 + 0x10aa)
/* Up to 7 amdgpu's, from 8 on amdkfd's: gfx_v10_0.c (Linux 6.1) */
#define FIRST_VMID 7
#define NUM_VMIDS 2

static struct regs2_state bank_of(uint32_t vmid)
{
	return (struct regs2_state){ .use_srbm = 1, .srbm = { .vmid = vmid } };
}

static int read_bases(struct regs2 *regs, uint32_t i, uint32_t *val)
{
	struct regs2_state bank = bank_of(FIRST_VMID + i);

	return regs2_read(regs, &bank, SH_MEM_BASES, val);
}

static int check(struct regs2 *regs, uint32_t i, uint32_t wanted,
		 unsigned long turns)
{
	uint32_t val;
	int ret = read_bases(regs, i, &val);

	if (!ret && val != wanted) {
		fprintf(stderr, "turn %lu: VMID %u shows %08x, not %08x\n",
			turns, FIRST_VMID + i, val, wanted);
		ret = -EILSEQ;
	}
	return ret;
}

static int loop(struct regs2 *regs, const uint32_t *wanted,
		unsigned long *turns)
{
	struct pollfd end = { .fd = STDIN_FILENO, .events = POLLIN | POLLHUP };
	uint32_t i;
	int ret;

	while (poll(&end, 1, 0) == 0) {
		for (i = 0; i < NUM_VMIDS; i++) {
			ret = check(regs, i, wanted[i], *turns);
			if (ret)
				return ret;
		}
		if (++*turns == 1) {
			printf("running\n");
			fflush(stdout);
		}
	}
	return 0;
}

static int learn(struct regs2 *regs, uint32_t *wanted)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < NUM_VMIDS && !ret; i++)
		ret = read_bases(regs, i, &wanted[i]);
	/* Or a wrong bank would not show. */
	return !ret && wanted[0] == wanted[1] ? -ENOTUNIQ : ret;
}

int main(int argc, char **argv)
{
	uint32_t wanted[NUM_VMIDS];
	unsigned long turns = 0;
	struct regs2 regs;
	int ret;

	ret = argc == 2 ? regs2_open(&regs, argv[1]) : -EINVAL;
	if (ret) {
		fprintf(stderr, "debugfs-regs DIR: %s\n", strerror(-ret));
		return 2;
	}
	ret = learn(&regs, wanted);
	if (!ret)
		ret = loop(&regs, wanted, &turns);
	if (ret)
		fprintf(stderr, "debugfs-regs: %s\n", strerror(-ret));
	printf("%lu turns\n", turns);
	regs2_close(&regs);
	return ret ? 1 : 0;
}
