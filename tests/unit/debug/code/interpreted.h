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

#endif /* TESTS_UNIT_INTERPRETED_H */
