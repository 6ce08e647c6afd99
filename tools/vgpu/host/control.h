/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control socket: tests and benchmarks ask and change vgpu in JSON, one
 * object per line. The commands are described in vgpu(1).
 */
#ifndef VGPU_CONTROL_H
#define VGPU_CONTROL_H

#include <poll.h>

#include "types.h"

struct vgpu;

#define VGPU_CONTROL_CLIENTS	16
/* What the main loop has to poll for it: the listening fd and each client. */
#define VGPU_CONTROL_POLLFDS	(1 + VGPU_CONTROL_CLIENTS)

int vgpu_control_init(struct vgpu *g);
void vgpu_control_fini(struct vgpu *g);
/* Fill @fds, return how many; then serve what poll() found. */
unsigned int vgpu_control_pollfds(struct vgpu *g, struct pollfd *fds);
void vgpu_control_serve(struct vgpu *g, const struct pollfd *fds,
			unsigned int num);

/*
 * control_cmds.c: answer the line @line (NULL: one that was too long) with one
 * line, without the newline. malloc'ed, NULL when there is no memory.
 */
char *vgpu_control_answer(struct vgpu *g, const char *line);

#endif /* VGPU_CONTROL_H */
