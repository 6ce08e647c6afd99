/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log, and the clock of its lines and of the GPU.
 */
#ifndef VGPU_LOG_H
#define VGPU_LOG_H

#include "types.h"

struct vgpu;

/* CLOCK_MONOTONIC */
u64 vgpu_now_ns(void);

/* Read the 100 MHz counter of the GPU's timestamps (gfx_v10_0.c: xclk of Van Gogh). */
static inline u64 vgpu_clock(void)
{
	return vgpu_now_ns() / 10;
}

/*
 * vgpu_log(): log a line, with the time since the start. After the first hundred lines
 * with the same @fmt, those that come too fast are counted and left out.
 */
int vgpu_log_init(struct vgpu *g);
void vgpu_log_fini(struct vgpu *g);
void vgpu_log(struct vgpu *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The same, but no line is left out: for traces, and for lines that are limited elsewhere */
void vgpu_log_each(struct vgpu *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* VGPU_LOG_H */
