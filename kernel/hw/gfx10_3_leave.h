/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gfx10.3: a trap handler that returns from every trap at once, but halts its wave at
 * an illegal instruction. It is assembled from trap/leave.S, which explains it.
 */
#ifndef WDBG_HW_GFX10_3_LEAVE_H
#define WDBG_HW_GFX10_3_LEAVE_H

static const u32 leave_code[] = {
	0xb96ef802, 0x93efff6d, 0x00080010, 0xbf840013,
	0xbf0d986d, 0xbf85001b, 0xbf06ff6f, 0x000000ff,
	0xbf84000b, 0xbefa036c, 0xbefb1a6d, 0xf4081c3d,
	0xfa000000, 0xbf8cc07f, 0xbf06ff71, 0x6b636162,
	0xbf840003, 0xbeed1d9f, 0xb9ee0002, 0xbe802272,
	0x806c846c, 0x826d806d, 0xbf82000a, 0xb96ff803,
	0x876fff6f, 0x00000800, 0xbf850005, 0xba804803,
	0x00000000, 0xba801ac3, 0x00000000, 0xbf820001,
	0xbf8d0001, 0x876dff6d, 0x0000ffff, 0xb9ee0002,
	0xbe80226c,
};

#endif /* WDBG_HW_GFX10_3_LEAVE_H */
