// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What watches say in the registers of a wave.
 */
#include <errno.h>

#include "internal.h"

/*
 * SQ_WAVE_TRAPSTS: EXCP.ADDR_WATCH0 is bit 7, the other three are EXCP_HI
 * (gc_10_3_0_sh_mask.h of Linux 6.12 has the fields, ROCdbgapi their meaning).
 */
ADBG_API uint32_t adbg_watch_hits(uint32_t gc_version, uint32_t trapsts)
{
	uint32_t major = ADBG_GC_MAJOR(gc_version);

	if (major < 9 || major > 11)
		return 0;
	return (trapsts >> 7 & 1) | (trapsts >> 12 & 7) << 1;
}
