/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: registers and memory of a halted wave, as its program sees them. The
 * functions here connect a wave of amdgpudbg-debug.h with the variables and expressions of
 * amdgpudbg-debug-code.h.
 */
#ifndef AMDGPUDBG_DEBUG_WAVE_H
#define AMDGPUDBG_DEBUG_WAVE_H

#include <amdgpudbg-debug.h>

#ifdef __cplusplus
extern "C" {
#endif

struct adbgd_wave_context;	/* registers and memory of one halted wave */

/**
 * adbgd_wave_context_new() - create a reader of the registers and memory of a halted wave
 * @at: slot of the wave
 * @code: the code object that the wave executes, which must outlive @context; NULL: not known
 * @context: set to the reader; free it with adbgd_wave_context_free()
 *
 * The reader keeps what it has read. Create a new one when the wave was resumed or something was
 * changed by other functions than adbgd_wave_memory_write(). Other waves of the work-group may
 * change LDS at any time unless they are halted, too.
 *
 * Return: 0, or
 * -ENODATA: there is no wave in this slot;
 * -EINPROGRESS: the wave is not halted;
 * -ENOMEM: out of memory;
 * any error of adbg_wave_read().
 */
int adbgd_wave_context_new(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			   struct adbgd_code *code, struct adbgd_wave_context **context,
			   struct adbgd_error *error) ADBG_WUR;

/** adbgd_wave_context_free() - free a reader; NULL is ignored */
void adbgd_wave_context_free(struct adbgd_wave_context *context);

/** adbgd_wave_context_get() - get the callbacks for one lane, valid until @context is freed */
struct adbgd_context adbgd_wave_context_get(struct adbgd_wave_context *context, uint32_t lane);

/** adbgd_wave_context_get_wave() - get the state that the wave had when @context was created */
const struct amdgpudbg_wave *
adbgd_wave_context_get_wave(const struct adbgd_wave_context *context);

/** adbgd_wave_context_get_pc() - get the address of the next instruction in the program */
uint64_t adbgd_wave_context_get_pc(const struct adbgd_wave_context *context);

/** adbgd_wave_context_get_lanes() - get the number of lanes, 32 or 64 */
uint32_t adbgd_wave_context_get_lanes(const struct adbgd_wave_context *context);

/**
 * adbgd_wave_get_group() - get the work-group and the work-items of a wave
 * @group: set to x, y and z of the work-group in its dispatch
 * @first_item: set to the number of lane 0's work-item in the work-group. Work-items are numbered
 *	from 0, x changing fastest, and lane N has the work-item @first_item + N.
 *
 * The hardware writes both to TTMP8 to TTMP11 of a wave that starts with a trap handler
 * (ROCdbgapi, "TTMP register layout" of gfx10). In a wave of graphics the values have no meaning.
 *
 * Return: 0, or -ENODATA: the wave was started before it could have a trap handler.
 */
int adbgd_wave_get_group(const struct adbgd_wave_context *context, uint32_t group[3],
			 uint32_t *first_item, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_memory_read() - read memory as a lane of the wave sees it
 * @space: enum adbgd_space
 * @address: ADBGD_SPACE_GLOBAL: an address of the process, or a flat address, which can also be in
 *	LDS or in private memory; _LOCAL: in the LDS of the work-group; _PRIVATE: in the private
 *	(scratch) memory of @lane
 * @buffer: set to @size bytes
 *
 * Private memory of a wave is in its process, where the dwords of its lanes alternate. The
 * beginning is taken from the buffer descriptor that the function at the PC uses, for code objects
 * with symbols; or else from FLAT_SCRATCH. Both are set by the first instructions of a kernel. The
 * hardware does not clear FLAT_SCRATCH when a wave starts, so that it can have the value of an
 * earlier wave in programs that never set it.
 *
 * Global and private memory is read as adbg_vm_read() does: what waves have stored may still be
 * in the L2 cache of the GPU, see "GPU caches" in adbg_vm(3).
 *
 * Return: 0, or
 * -EINVAL: there is no such space or lane;
 * -ENODATA: the kernel has not set up its private memory, or has none;
 * -ERANGE: the address is outside of the space;
 * any error of adbgd_lds_read(), adbg_reg_access() and adbg_vm_read().
 */
int adbgd_wave_memory_read(struct adbgd_wave_context *context, uint32_t space, uint32_t lane,
			   uint64_t address, void *buffer, size_t size,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_memory_write() - write memory as a lane of the wave sees it
 *
 * The arguments are those of adbgd_wave_memory_read(). After an error a part may be written. In
 * LDS, the other bytes of the first and last 4 bytes are read and written back. Do not write to
 * code where breakpoints are: that would remove them.
 *
 * Return: 0, or any error of adbgd_wave_memory_read(), adbgd_lds_write() and adbg_vm_write().
 */
int adbgd_wave_memory_write(struct adbgd_wave_context *context, uint32_t space, uint32_t lane,
			    uint64_t address, const void *buffer, size_t size,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_convert_address() - convert an address from one address space to another
 * @from: enum adbgd_space of @address
 * @to: the other space. One of them is ADBGD_SPACE_GLOBAL, or both are equal.
 * @result: set to the address in @to
 *
 * An address in LDS or private memory becomes a flat address and vice versa. The null pointer of a
 * space, which is 0 for ADBGD_SPACE_GLOBAL and 0xffffffff for the others, becomes that of the other
 * one ("Address Spaces" in AMDGPUUsage, LLVM 19).
 *
 * Return: 0, or
 * -EINVAL: @from or @to is not supported;
 * -ERANGE: the memory of @to has no such address;
 * -ENODATA: the flat addresses of the target are not known, see adbg_session_get_apertures().
 */
int adbgd_wave_convert_address(const struct adbgd_wave_context *context, uint32_t from,
			       uint64_t address, uint32_t to, uint64_t *result,
			       struct adbgd_error *error) ADBG_WUR;

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_WAVE_H */
