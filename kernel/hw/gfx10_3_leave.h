/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gfx10.3: a trap handler that returns from every trap at once. This is what
 * the assembler makes of trap/leave.S, which explains it.
 */
#ifndef WDBG_HW_GFX10_3_LEAVE_H
#define WDBG_HW_GFX10_3_LEAVE_H

static const u32 leave_code[] = {
	0xb96ef802, 0x93efff6d, 0x00080010, 0xbf840005,
	0xbf0d986d, 0xbf850005, 0x806c846c, 0x826d806d,
	0xbf820002, 0xba807003, 0x00000000, 0x876dff6d,
	0x0000ffff, 0xb9ee0002, 0xbe80226c,
};

#endif /* WDBG_HW_GFX10_3_LEAVE_H */
