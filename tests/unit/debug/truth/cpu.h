/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Included in front of an OpenCL source that is compiled for the CPU: the builtins of the GPU, for
 * one work-item.
 */
__global extern unsigned int cpu_group, cpu_item;

#define __builtin_amdgcn_workgroup_id_x()	cpu_group
#define __builtin_amdgcn_workitem_id_x()	cpu_item
#define __builtin_amdgcn_s_barrier()		((void)0)
#define __builtin_amdgcn_s_sleep(clocks)	((void)0)
#define __builtin_amdgcn_fence(order, scope)	((void)0)
