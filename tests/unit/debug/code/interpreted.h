/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that vgpu's interpreter executes for tests of the debugger library: where everything is
 * in its memory, and the registers of the wave for &struct adbgd_context, whose data is the
 * machine.
 */
#ifndef TESTS_UNIT_INTERPRETED_H
#define TESTS_UNIT_INTERPRETED_H

/* The interpreter has these, too. */
#include "kernel_wave.h"
#include "machine.h"
#undef ARRAY_SIZE
#include "debug/util.h"
#include "isa/scratch.h"

#define VA_IMAGE	MACHINE_BASE
#define VA_KERNARG	(MACHINE_BASE + 0x100000)
#define VA_DISPATCH	(MACHINE_BASE + 0x104000)
#define VA_IN		(MACHINE_BASE + 0x200000)
#define VA_OUT		(MACHINE_BASE + 0x300000)
#define VA_SCRATCH	(MACHINE_BASE + 0x1000000)
#define SCRATCH_OFFSET	0x40000
#define N		3
#define GROUP		64

static inline int interpreted_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
				       uint32_t *value)
{
	struct machine *m = data;

	if (space == AMDGPUDBG_REG_VGPR && number < VGPU_NUM_VGPRS)
		*value = m->w->v[number][lane];
	else if (space == AMDGPUDBG_REG_SGPR && number < 108)
		*value = m->w->s[number];
	else if (space == ADBGD_REG_EXEC && number < 2)
		*value = m->w->s[VGPU_S_EXEC + number];
	else
		return -ENXIO;
	return 0;
}

/* The input of a work-item: negative numbers, odd ones, exact as a half when halved */
static inline int32_t interpreted_input(unsigned int item)
{
	return (int32_t)(item * 7) - 40;
}

/* Read memory as a lane sees it, for &struct adbgd_context. */
int interpreted_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size);
/*
 * Load the code object in file @path, which is open as @code, and begin its kernel with the
 * arguments VA_OUT, VA_IN and N. Call codeobj_unload() at the end.
 */
void interpreted_begin(struct machine *m, struct codeobj *co, struct adbgd_code *code,
		       const char *path, const char *kernel, unsigned int lanes);

#endif /* TESTS_UNIT_INTERPRETED_H */
