// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another program that uses the GPU's banked registers, as umr would: through
 * debugfs amdgpu_regs2, with its own bank selects. It writes a different value
 * to SQ_SHADER_TMA_LO of each of two VMIDs, and reads them back in a loop until
 * standard input ends; a wrong value means that a bank select of somebody else
 * came in between.
 *
 * debugfs-regs DIR
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "regs2.h"

/* GC base 0x1260 + mmSQ_SHADER_TMA_LO, gc_10_3_0_offset.h (Linux 6.1) */
#define SQ_SHADER_TMA_LO (0x1260 + 0x10b4)
/* amdkfd's, which nobody uses here: a session may set those of amdgpu's VMIDs */
#define FIRST_VMID 14
#define NUM_VMIDS 2
#define VALUE(i) (0x5a0000 + (i))

static struct regs2_state bank_of(uint32_t vmid)
{
	return (struct regs2_state){ .use_srbm = 1, .srbm = { .vmid = vmid } };
}

static int check(struct regs2 *regs, uint32_t i, unsigned long turns)
{
	struct regs2_state bank = bank_of(FIRST_VMID + i);
	uint32_t val = 0;
	int ret = regs2_read(regs, &bank, SQ_SHADER_TMA_LO, &val);

	if (!ret && val != VALUE(i)) {
		fprintf(stderr, "turn %lu: VMID %u shows %08x\n", turns,
			FIRST_VMID + i, val);
		ret = -EILSEQ;
	}
	return ret;
}

static int loop(struct regs2 *regs, unsigned long *turns)
{
	struct pollfd end = { .fd = STDIN_FILENO, .events = POLLIN | POLLHUP };
	uint32_t i;
	int ret;

	while (poll(&end, 1, 0) == 0) {
		for (i = 0; i < NUM_VMIDS; i++) {
			ret = check(regs, i, *turns);
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

static int fill(struct regs2 *regs, bool on)
{
	struct regs2_state bank;
	int ret = 0;
	uint32_t i;

	for (i = 0; i < NUM_VMIDS && !ret; i++) {
		bank = bank_of(FIRST_VMID + i);
		ret = regs2_write(regs, &bank, SQ_SHADER_TMA_LO,
				  on ? VALUE(i) : 0);
	}
	return ret;
}

int main(int argc, char **argv)
{
	unsigned long turns = 0;
	struct regs2 regs;
	int ret;

	ret = argc == 2 ? regs2_open(&regs, argv[1]) : -EINVAL;
	if (ret) {
		fprintf(stderr, "debugfs-regs DIR: %s\n", strerror(-ret));
		return 2;
	}
	ret = fill(&regs, true);
	if (!ret)
		ret = loop(&regs, &turns);
	if (ret)
		fprintf(stderr, "debugfs-regs: %s\n", strerror(-ret));
	printf("%lu turns\n", turns);
	if (fill(&regs, false))
		ret = -EIO;
	regs2_close(&regs);
	return ret ? 1 : 0;
}
