// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which graphics core belongs to which generation. A new generation is a file that
 * fills in struct wdbg_hw_ops, and a row here.
 */
#include "hw/hw.h"

#define GC(_major, _minor, _rev)	((_major) << 16 | (_minor) << 8 | (_rev))

/* The graphics cores that amdgpu_discovery.c of Linux 7.2 knows by number. */
static const struct {
	u32 first;
	u32 last;
	const struct wdbg_hw_ops *ops;
} generations[] = {
	{ GC(10, 3, 0), GC(10, 3, 7), &wdbg_gfx10_3_ops },
};

/**
 * wdbg_hw_find() - find the generation of a graphics core
 * @gc_version: major << 16 | minor << 8 | revision
 *
 * Return: its operations, NULL if it is not supported.
 */
const struct wdbg_hw_ops *wdbg_hw_find(u32 gc_version)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(generations); i++)
		if (gc_version >= generations[i].first &&
		    gc_version <= generations[i].last)
			return generations[i].ops;
	return NULL;
}
