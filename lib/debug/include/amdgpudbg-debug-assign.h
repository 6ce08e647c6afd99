/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: changing variables, registers and memory of a wave by assignments of C.
 */
#ifndef AMDGPUDBG_DEBUG_ASSIGN_H
#define AMDGPUDBG_DEBUG_ASSIGN_H

#include <amdgpudbg-debug-wave.h>

#ifdef __cplusplus
extern "C" {
#endif

/** struct adbgd_writer - callbacks that change registers and memory of a wave */
struct adbgd_writer {
	/* The arguments are those of &struct adbgd_context. 0 or -errno. */
	int (*write_register)(void *data, uint32_t space, uint32_t number, uint32_t lane,
			      uint32_t value);
	int (*write_memory)(void *data, uint32_t space, uint32_t lane, uint64_t address,
			    const void *buffer, size_t size);
	/* Optional: return a message that says why the last of the callbacks has failed. */
	const char *(*explain)(void *data);
	void *data;
};

/**
 * adbgd_location_write() - change a part of a variable of one lane
 * @location: see adbgd_variable_locate()
 * @offset: of the first byte in the variable
 * @bytes: @size bytes
 * @context: reads registers of which only a part is changed, and has the lane
 *
 * Nothing is changed unless all of the bytes can be: after -ENODATA and -EROFS. What is in an SGPR
 * or in shared memory changes for all lanes.
 *
 * Return: 0, or
 * -ENODATA: a part was optimized out;
 * -EROFS: a part is not stored: the compiler has replaced it by its value;
 * -ERANGE: the variable has fewer bytes;
 * any error of @context and @writer.
 */
int adbgd_location_write(const struct adbgd_location *location, uint64_t offset, const void *bytes,
			 size_t size, const struct adbgd_context *context,
			 const struct adbgd_writer *writer, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_expression_find_assignment() - find the operator of an assignment: "x = 1" or "x += 1"
 *
 * Return: the offset of the =; -ENOENT: the expression has no assignment.
 */
int adbgd_expression_find_assignment(const char *expression) ADBG_WUR;

/**
 * adbgd_value_assign() - execute an assignment for one lane
 * @variables: the variables that it may name; NULL: none
 * @assignment: two expressions of adbgd_value_eval() with a = between them. The left one names a
 *	variable, an element, a member, also a bit field, what a pointer points to, or a register:
 *	$v0, $s4, $vcc, $exec, $m0 and their halves.
 * @writer: see adbgd_wave_context_get_writer()
 *
 * The right side is converted as in C, but it is an error if its value does not fit: an integer
 * into N bits if it is below -2^(N-1) or above 2^N - 1, or a number that is too large for a float.
 * A structure or an array can only be set to a value of the same type. Nothing is changed if the
 * assignment is refused. What is in an SGPR or in shared memory changes for all lanes.
 *
 * Return: 0, or
 * -EINVAL: it is malformed, or the left side cannot be assigned to, or has another type;
 * -EOVERFLOW: the value does not fit;
 * any error of adbgd_value_eval() and adbgd_location_write().
 */
int adbgd_value_assign(struct adbgd_variables *variables, const char *assignment,
		       const struct adbgd_context *context, const struct adbgd_writer *writer,
		       struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_context_get_writer() - get callbacks that change a wave, valid until @context is freed
 *
 * SGPRs, VGPRs, EXEC and M0 can be changed, and all memory that adbgd_wave_memory_write() changes.
 * Callers of outer frames have saved registers elsewhere: use the callback for registers only in
 * the innermost frame.
 */
struct adbgd_writer adbgd_wave_context_get_writer(struct adbgd_wave_context *context);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_ASSIGN_H */
