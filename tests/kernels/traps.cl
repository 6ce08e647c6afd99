// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels that enter their trap handler. Without a handler, s_trap does nothing.
 * They cannot run on the CPU, and so are not among those of kernels.h.
 */
#include "cl.h"

/*
 * out[i] = in[i] + the value that a handler has put into s40, or 5 without a handler.
 * The value is the same for all work-items of a wave.
 */
KERNEL(trap_value)
{
	u32 i = global_id();
	u32 v;

	__asm__ volatile("s_mov_b32 s40, 5\n\t"
			 "s_trap 3\n\t"
			 "s_nop 0\n\t"
			 "v_mov_b32 %0, s40" : "=v"(v) : : "s40");
	if (i < n)
		out[i] = in[i] + v;
}

/*
 * Executes s_trap repeatedly until ctl[0] is set; ctl[1] counts the work-items that
 * have begun. The result does not depend on the number of traps.
 */
KERNEL(trap_spin)
{
	u32 i = global_id();
	u32 h = i, turns = 0;

	atomic_op(fetch_add, &ctl[1], 1);
	do {
		h = h * 1664525 + 1013904223;
		turns++;
		__asm__ volatile("s_trap 2");
	} while (!load_fresh(&ctl[0]));
	for (; turns; turns--)
		h = (h - 1013904223) * 4276115653u;
	if (i < n)
		out[i] = h ^ in[i];
}

/*
 * Like trap_value, but waits after the trap until ctl[0] is set; ctl[1] counts the
 * work-items that have begun.
 */
KERNEL(trap_wait)
{
	u32 i = global_id();
	u32 v;

	atomic_op(fetch_add, &ctl[1], 1);
	__asm__ volatile("s_mov_b32 s40, 5\n\t"
			 "s_trap 3\n\t"
			 "s_nop 0\n\t"
			 "v_mov_b32 %0, s40" : "=v"(v) : : "s40");
	while (!load_fresh(&ctl[0]))
		pause();
	if (i < n)
		out[i] = in[i] + v;
}

/* An enabled exception: the reciprocal of the float 0, whose result is infinity */
KERNEL(trap_div0)
{
	u32 i = global_id();
	u32 v;

	__asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 9), 4\n\t"
			 "v_rcp_f32 %0, %1\n\t"
			 "s_nop 0\n\t"
			 "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 9), 0"
			 : "=v"(v) : "v"(0));
	if (i < n)
		out[i] = in[i] + (v >> 23);
}

/* No instruction has this encoding: all bits of its major opcode are ones. */
KERNEL(trap_illegal)
{
	u32 i = global_id();

	__asm__ volatile(".long 0xffffffff");
	if (i < n)
		out[i] = in[i];
}
