// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * GPUs, see gpu.h. The numbers are EF_AMDGPU_MACH_AMDGCN_* of LLVM's BinaryFormat/ELF.h (21.1). A
 * test compares those that LLVM 19 knows with its compiler.
 *
 * LLVM ends the program if it is asked to disassemble for a GPU that it does not support, or that
 * is older than gfx8. Therefore the table contains what LLVM 19.1 supports.
 *
 * Stack pointers are offsets in the memory of a lane where SIFrameLowering has a scale factor of
 * 1: on GPUs with architected flat scratch (AMDGPUUsage, "Processors"). On other GPUs they are
 * offsets in the memory of the wave, and so larger by the number of lanes.
 */
#include "gpu.h"

#include <stddef.h>
#include <string.h>

#include "internal.h"

static const struct adbgd_gpu gpus[] = {
	{ "gfx600", 0x20, 6, false, false },
	{ "gfx601", 0x21, 6, false, false },
	{ "gfx602", 0x3a, 6, false, false },
	{ "gfx700", 0x22, 7, false, false },
	{ "gfx701", 0x23, 7, false, false },
	{ "gfx702", 0x24, 7, false, false },
	{ "gfx703", 0x25, 7, false, false },
	{ "gfx704", 0x26, 7, false, false },
	{ "gfx705", 0x3b, 7, false, false },
	{ "gfx801", 0x28, 8, true, false },
	{ "gfx802", 0x29, 8, true, false },
	{ "gfx803", 0x2a, 8, true, false },
	{ "gfx805", 0x3c, 8, true, false },
	{ "gfx810", 0x2b, 8, true, false },
	{ "gfx900", 0x2c, 9, true, false },
	{ "gfx902", 0x2d, 9, true, false },
	{ "gfx904", 0x2e, 9, true, false },
	{ "gfx906", 0x2f, 9, true, false },
	{ "gfx908", 0x30, 9, true, false },
	{ "gfx909", 0x31, 9, true, false },
	{ "gfx90a", 0x3f, 9, true, false },
	{ "gfx90c", 0x32, 9, true, false },
	{ "gfx940", 0x40, 9, true, true },
	{ "gfx941", 0x4b, 9, true, true },
	{ "gfx942", 0x4c, 9, true, true },
	{ "gfx950", 0x4f, 9, false, true },
	{ "gfx9-generic", 0x51, 9, true, false },
	{ "gfx9-4-generic", 0x5f, 9, false, true },
	{ "gfx1010", 0x33, 10, true, false },
	{ "gfx1011", 0x34, 10, true, false },
	{ "gfx1012", 0x35, 10, true, false },
	{ "gfx1013", 0x42, 10, true, false },
	{ "gfx10-1-generic", 0x52, 10, true, false },
	{ "gfx1030", 0x36, 10, true, false },
	{ "gfx1031", 0x37, 10, true, false },
	{ "gfx1032", 0x38, 10, true, false },
	{ "gfx1033", 0x39, 10, true, false },
	{ "gfx1034", 0x3e, 10, true, false },
	{ "gfx1035", 0x3d, 10, true, false },
	{ "gfx1036", 0x45, 10, true, false },
	{ "gfx10-3-generic", 0x53, 10, true, false },
	{ "gfx1100", 0x41, 11, true, true },
	{ "gfx1101", 0x46, 11, true, true },
	{ "gfx1102", 0x47, 11, true, true },
	{ "gfx1103", 0x44, 11, true, true },
	{ "gfx1150", 0x43, 11, true, true },
	{ "gfx1151", 0x4a, 11, true, true },
	{ "gfx1152", 0x55, 11, true, true },
	{ "gfx1153", 0x58, 11, false, true },
	{ "gfx11-generic", 0x54, 11, true, true },
	{ "gfx1200", 0x48, 12, true, true },
	{ "gfx1201", 0x4e, 12, true, true },
	{ "gfx12-generic", 0x59, 12, true, true },
};

const struct adbgd_gpu *adbgd_gpu_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		if (!strcmp(gpus[i].name, name))
			return &gpus[i];
	}
	return NULL;
}

const struct adbgd_gpu *adbgd_gpu_by_mach(uint32_t mach)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		if (gpus[i].mach == mach)
			return &gpus[i];
	}
	return NULL;
}

const struct adbgd_gpu *adbgd_gpu_by_gc(uint32_t gc_version)
{
	const char *name = adbg_gpu_name(gc_version);

	return name ? adbgd_gpu_by_name(name) : NULL;
}

bool adbgd_gpu_has_lanes(const struct adbgd_gpu *gpu, uint32_t lanes)
{
	return lanes == 64 || (lanes == 32 && gpu->major >= 10);
}

const struct adbgd_gpu *adbgd_gpu_at(unsigned int i)
{
	return i < ARRAY_SIZE(gpus) ? &gpus[i] : NULL;
}
