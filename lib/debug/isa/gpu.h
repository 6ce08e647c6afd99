/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The GPUs that code objects are built for: names and properties.
 */
#ifndef ADBGD_GPU_H
#define ADBGD_GPU_H

#include <stdbool.h>
#include <stdint.h>

struct adbgd_gpu {
	const char *name;	/* name in LLVM */
	uint8_t mach;		/* EF_AMDGPU_MACH of its code objects */
	uint8_t major;		/* generation, such as 10 for gfx1033 */
	bool disasm;		/* LLVM 19 disassembles it */
	bool flat_scratch;	/* stack pointers of compiled code are offsets for one lane */
};

/** adbgd_gpu_by_name() - find a GPU by its name; NULL: unknown */
const struct adbgd_gpu *adbgd_gpu_by_name(const char *name);

/** adbgd_gpu_by_mach() - find a GPU by EF_AMDGPU_MACH; NULL: unknown */
const struct adbgd_gpu *adbgd_gpu_by_mach(uint32_t mach);

/** adbgd_gpu_by_gc() - find a GPU by the version of its graphics core; NULL: unknown */
const struct adbgd_gpu *adbgd_gpu_by_gc(uint32_t gc_version);

/** adbgd_gpu_has_lanes() - test whether its waves can have this number of lanes */
bool adbgd_gpu_has_lanes(const struct adbgd_gpu *gpu, uint32_t lanes);

/** adbgd_gpu_at() - get the GPU with index @i; NULL: there are fewer */
const struct adbgd_gpu *adbgd_gpu_at(unsigned int i);

struct adbgd_disasm;

/** adbgd_disasm_gpu() - get the GPU for which a disassembler was created */
const struct adbgd_gpu *adbgd_disasm_gpu(const struct adbgd_disasm *disasm);

#endif /* ADBGD_GPU_H */
