// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kernels for breakpoints and steps, with instructions of each length, some of which use the
// PC. Each instruction at which a test stops has a label. Arguments as in kernels.cl.
//
// breaks: x = in[i]; then eight times x = 3 * (x & 0xffffff) + 0x12345, by a function that is
// called in each round; then out[i] = x, or 0 if s_getpc_b64 has returned a wrong address.
// Before that, each work-item increments ctl[1], and waits until ctl[0] is set.
//
// rounds: the same for ctl[2] rounds, by a function that calls another one; then in[n + i] is
// the number of rounds. ctl[2] is read after each round, so it can be set at run time.
//
// rounds64: the same, in waves of 64.
//
// cdbg: out[i] is 16, plus a bit for each s_cbranch_cdbg* that has branched, from cdbg_at on:
// cdbguser 1, cdbgsys 2, cdbgsys_or_user 4, cdbgsys_and_user 8.
//
// share: out[i] is in[i], copied through LDS, which holds it for a group of 64 at share_full.
//
// exchange: in groups of 128, x = in[i]; then eight times x = 3 * (y & 0xffffff) + i, where y
// is the x of the work-item 32 places later in the group; then out[i] = x. Barriers order that.
// The wave whose first work-item is ctl[4] waits for ctl[5] before its first barrier.

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1033"
	.text
// Registers: s[4:5] out, s[6:7] in, s[8:9] ctl, s10 n; s12 the group's first work-item,
// v1 4 * i, v2 0; s13 number of rounds, v3 x
.macro	begin	wait, shift=6
	s_load_dwordx4	s[4:7], s[0:1], 0x0
	s_load_dwordx4	s[8:11], s[0:1], 0x10
	s_lshl_b32	s12, s2, \shift
	v_add_nc_u32	v1, s12, v0
	v_lshlrev_b32	v1, 2, v1
	v_mov_b32	v2, 0
	v_mov_b32	v4, 1
	s_waitcnt	lgkmcnt(0)
	global_atomic_add	v2, v4, s[8:9] offset:4
\wait:
	s_sleep		127
	global_load_dword	v4, v2, s[8:9] glc dlc
	s_waitcnt	vmcnt(0)
	v_readfirstlane_b32	s13, v4
	s_cmp_eq_u32	s13, 0
	s_cbranch_scc1	\wait
	global_load_dword	v3, v1, s[6:7]
\wait\()_read:
	s_movk_i32	s13, 0
	s_waitcnt	vmcnt(0)
.endm

	.globl	breaks
	.type	breaks, @function
	.p2align 8
breaks:
	begin	breaks_wait
breaks_loop:
	s_add_u32	s13, s13, 1
breaks_call:
	s_call_b64	s[16:17], breaks_function
breaks_compare:
	s_cmp_lt_u32	s13, 8
breaks_branch:
	s_cbranch_scc1	breaks_loop
breaks_getpc:
	s_getpc_b64	s[14:15]
breaks_after:
	s_add_u32	s14, s14, breaks - breaks_after
	s_addc_u32	s15, s15, -1
	s_getpc_b64	s[18:19]
breaks_again:
	s_add_u32	s18, s18, breaks - breaks_again
	s_addc_u32	s19, s19, -1
	s_cmp_eq_u64	s[14:15], s[18:19]
	s_cselect_b32	s14, -1, 0
	v_and_b32	v3, s14, v3
breaks_store:
	global_store_dword	v1, v3, s[4:5]
breaks_end:
	s_endpgm

breaks_function:
	v_and_b32	v3, 0xffffff, v3
breaks_mad:
	v_mad_u32_u24	v3, v3, 3, 0x12345
breaks_return:
	s_setpc_b64	s[16:17]
	.size	breaks, . - breaks

	.globl	rounds
	.type	rounds, @function
	.p2align 8
rounds:
	s_getpc_b64	s[20:21]
rounds_here:
	s_add_u32	s20, s20, rounds_outer - rounds_here
	s_addc_u32	s21, s21, 0
	begin	rounds_wait
rounds_loop:
	s_add_u32	s13, s13, 1
rounds_call:
	s_swappc_b64	s[16:17], s[20:21]
rounds_after:
	global_load_dword	v4, v2, s[8:9] offset:8 glc dlc
	s_waitcnt	vmcnt(0)
	v_readfirstlane_b32	s18, v4
	s_cmp_lt_u32	s13, s18
rounds_branch:
	s_cbranch_scc1	rounds_loop
	global_store_dword	v1, v3, s[4:5]
	v_lshl_add_u32	v4, s10, 2, v1
	v_mov_b32	v5, s13
	global_store_dword	v4, v5, s[6:7]
rounds_end:
	s_endpgm

rounds_outer:
	s_call_b64	s[22:23], rounds_inner
rounds_outer_return:
	s_setpc_b64	s[16:17]

rounds_inner:
	v_and_b32	v3, 0xffffff, v3
rounds_mad:
	v_mad_u32_u24	v3, v3, 3, 0x12345
rounds_inner_return:
	s_setpc_b64	s[22:23]
	.size	rounds, . - rounds

	.globl	rounds64
	.type	rounds64, @function
	.set	rounds64, rounds

.macro	mark	branch, bit
	\branch	mark_\bit
	s_branch	past_\bit
mark_\bit:
	v_or_b32	v3, \bit, v3
past_\bit:
.endm
	.globl	cdbg
	.type	cdbg, @function
	.p2align 8
cdbg:
	begin	cdbg_wait
	v_mov_b32	v3, 16
cdbg_at:
	s_nop		0
	mark	s_cbranch_cdbguser, 1
	mark	s_cbranch_cdbgsys, 2
	mark	s_cbranch_cdbgsys_or_user, 4
	mark	s_cbranch_cdbgsys_and_user, 8
	global_store_dword	v1, v3, s[4:5]
	s_endpgm
	.size	cdbg, . - cdbg

	.globl	share
	.type	share, @function
	.p2align 8
share:
	begin	share_wait
	v_lshlrev_b32	v5, 2, v0
	ds_write_b32	v5, v3
	s_waitcnt	lgkmcnt(0)
	s_barrier
share_full:
	ds_read_b32	v3, v5
	s_waitcnt	lgkmcnt(0)
	global_store_dword	v1, v3, s[4:5]
	s_endpgm
	.size	share, . - share

// Registers: v5 i; v6 and v7 LDS addresses of the x of this work-item and of the other one
	.globl	exchange
	.type	exchange, @function
	.p2align 8
exchange:
	begin	exchange_wait, 7
	v_add_nc_u32	v5, s12, v0
	v_lshlrev_b32	v6, 2, v0
	v_add_nc_u32	v7, 32, v0
	v_and_b32	v7, 0x7f, v7
	v_lshlrev_b32	v7, 2, v7
	global_load_dword	v4, v2, s[8:9] offset:16 glc dlc
	v_readfirstlane_b32	s14, v5
	s_waitcnt	vmcnt(0)
	v_readfirstlane_b32	s15, v4
	s_cmp_lg_u32	s14, s15
	s_cbranch_scc1	exchange_loop
exchange_late:
	s_sleep		127
	global_load_dword	v4, v2, s[8:9] offset:20 glc dlc
	s_waitcnt	vmcnt(0)
	v_readfirstlane_b32	s15, v4
	s_cmp_eq_u32	s15, 0
	s_cbranch_scc1	exchange_late
exchange_loop:
	s_add_u32	s13, s13, 1
	ds_write_b32	v6, v3
exchange_before:
	s_waitcnt	lgkmcnt(0)
exchange_barrier:
	s_barrier
exchange_after:
	ds_read_b32	v3, v7
	s_waitcnt	lgkmcnt(0)
	s_barrier
	v_and_b32	v3, 0xffffff, v3
	v_mad_u32_u24	v3, v3, 3, v5
	s_cmp_lt_u32	s13, 8
	s_cbranch_scc1	exchange_loop
	global_store_dword	v1, v3, s[4:5]
exchange_end:
	s_endpgm
	.size	exchange, . - exchange

	.rodata
	.p2align 6
.macro	describe	name, wave32=1
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 28
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 24
		.amdhsa_wavefront_size32 \wave32
	.end_amdhsa_kernel
.endm
	describe	breaks
	describe	rounds
	describe	rounds64, 0
	describe	share
	describe	cdbg
	describe	exchange
