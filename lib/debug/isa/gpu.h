/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The GPUs that code objects are built for: names, and what of them matters here.
 */
#ifndef ADBGD_GPU_H
#define ADBGD_GPU_H

#include <stdbool.h>
#include <stdint.h>

struct adbgd_gpu {
	const char *name;	/* as LLVM calls it */
	uint8_t mach;		/* EF_AMDGPU_MACH of its code objects */
	uint8_t major;		/* of its generation: 10 of gfx1033 */
	bool disasm;		/* LLVM 19 disassembles it */
	bool flat_scratch;	/* the compiler's stack pointers are of one lane */
};

/** adbgd_gpu_by_name() - NULL: there is none of the name */
const struct adbgd_gpu *adbgd_gpu_by_name(const char *name);

/** adbgd_gpu_by_mach() - by EF_AMDGPU_MACH; NULL: not known */
const struct adbgd_gpu *adbgd_gpu_by_mach(uint32_t mach);

/** adbgd_gpu_by_gc() - by the version of the graphics core; NULL: not known */
const struct adbgd_gpu *adbgd_gpu_by_gc(uint32_t gc_version);

/** adbgd_gpu_has_lanes() - can its waves have as many? */
bool adbgd_gpu_has_lanes(const struct adbgd_gpu *gpu, uint32_t lanes);

/** adbgd_gpu_at() - the GPU at @i, from 0; NULL: there is none */
const struct adbgd_gpu *adbgd_gpu_at(unsigned int i);

struct adbgd_disasm;

/** adbgd_disasm_gpu() - the one that it is for */
const struct adbgd_gpu *adbgd_disasm_gpu(const struct adbgd_disasm *disasm);

#endif /* ADBGD_GPU_H */
