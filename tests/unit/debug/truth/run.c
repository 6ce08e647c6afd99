// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a kernel on the CPU, one work-item after the other, for record.py. The buffers are at the
 * addresses that they have on the GPU.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "truth.h"

unsigned int cpu_group, cpu_item;

void KERNEL(void *out, const void *in, unsigned int n);

static void *map(uint64_t address)
{
	void *p = mmap((void *)(uintptr_t)address, TRUTH_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

/* A work-item whose variables are recorded: record.py stops here */
void recorded(void *out, const void *in, unsigned int n)
{
	KERNEL(out, in, n);
}

int main(void)
{
	static const unsigned int lanes[] = TRUTH_LANES;
	void *out = map(TRUTH_OUT), *in = map(TRUTH_IN);
	unsigned int i;

	for (i = 0; i < TRUTH_ITEMS; i++)
		((int32_t *)in)[i] = truth_input(i);
	/* Local memory is static, and all work-items of the wave have to write theirs. */
	for (cpu_item = 0; cpu_item < TRUTH_WAVE; cpu_item++)
		KERNEL(out, in, TRUTH_N);
	for (i = 0; i < TRUTH_NUM_LANES; i++) {
		cpu_item = lanes[i];
		recorded(out, in, TRUTH_N);
	}
	return 0;
}
