/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log, and the clock that its lines and the GPU go by.
 */
#ifndef VGPU_LOG_H
#define VGPU_LOG_H

#include "types.h"

struct vgpu;

/* CLOCK_MONOTONIC */
u64 vgpu_now_ns(void);

/* The 100 MHz counter behind GPU timestamps (gfx_v10_0.c: xclk of Van Gogh). */
static inline u64 vgpu_clock(void)
{
	return vgpu_now_ns() / 10;
}

/*
 * One line, with the time since start. After the first hundred with the same @fmt some
 * are left out, and counted, when they come too fast.
 */
int vgpu_log_init(struct vgpu *g);
void vgpu_log_fini(struct vgpu *g);
void vgpu_log(struct vgpu *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The same, but each: traces, and what is counted elsewhere. */
void vgpu_log_each(struct vgpu *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* VGPU_LOG_H */
