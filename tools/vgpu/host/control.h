/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control socket: tests and benchmarks read and change vgpu's state with JSON, one
 * object per line. vgpu(1) describes the commands.
 */
#ifndef VGPU_CONTROL_H
#define VGPU_CONTROL_H

#include <poll.h>

#include "types.h"

struct vgpu;

#define VGPU_CONTROL_CLIENTS	16
/* Number of descriptors to poll: the listening one and one of each client */
#define VGPU_CONTROL_POLLFDS	(1 + VGPU_CONTROL_CLIENTS)

int vgpu_control_init(struct vgpu *g);
void vgpu_control_fini(struct vgpu *g);
/* Fill @fds and return their number; after poll(), serve those that are ready. */
unsigned int vgpu_control_pollfds(struct vgpu *g, struct pollfd *fds);
void vgpu_control_serve(struct vgpu *g, const struct pollfd *fds,
			unsigned int num);

/*
 * control_cmds.c: get the answer to the request @line (NULL: it was too long), without a
 * newline. The caller frees it. NULL: out of memory.
 */
char *vgpu_control_answer(struct vgpu *g, const char *line);

#endif /* VGPU_CONTROL_H */
