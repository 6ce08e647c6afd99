// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels that run into their trap handler. Without one, s_trap does nothing.
 * Not for the CPU, and not among those of kernels.h.
 */
#include "cl.h"

/*
 * out[i] = in[i] + what a handler has put into s40, else 5. It is the same for
 * all work-items of a wave.
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
 * Traps again and again until ctl[0] is set; ctl[1] counts the work-items that
 * have begun. The result does not depend on how often that was.
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
 * As trap_value, but then waits until ctl[0] is set; ctl[1] counts the work-items
 * that have begun.
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

/* An exception, enabled: a division of a float by zero. It gives infinity. */
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
