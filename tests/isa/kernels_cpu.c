// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernels compiled for the CPU, which computes the expected results.
 */
#include "kernels/arith.cl"
#include "kernels_cpu.h"

u32 cpu_global_id;

const struct cpu_kernel cpu_kernels[] = {
#define ROW(name, inputs) { #name, name, inputs }
	ROW(int32, INPUT_ANY),
	ROW(int64, INPUT_ANY),
	ROW(divisions, INPUT_ANY),
	ROW(bits, INPUT_ANY),
	ROW(narrow, INPUT_ANY),
	ROW(convert, INPUT_ANY),
	ROW(floats, INPUT_FLOAT),
	ROW(divf, INPUT_FLOAT),
	ROW(doubles, INPUT_DOUBLE),
	ROW(halves, INPUT_ANY),
	ROW(scratch, INPUT_ANY),
	ROW(calls, INPUT_ANY),
	ROW(branches, INPUT_ANY),
	ROW(atomics_own, INPUT_ANY),
	ROW(atomics_shared, INPUT_ANY),
	ROW(wide, INPUT_ANY),
	{ 0 },
};
