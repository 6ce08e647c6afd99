/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vfio-user server: one listening UNIX socket, one host (QEMU) at a time.
 */
#ifndef VGPU_TRANSPORT_H
#define VGPU_TRANSPORT_H

#include "types.h"

struct vgpu;

int vgpu_transport_init(struct vgpu *g);
void vgpu_transport_fini(struct vgpu *g);

/* Get the descriptor to poll for reading: that of the host, or the listening one. */
int vgpu_transport_fd(struct vgpu *g);
/*
 * Accept a host, or answer all messages that have arrived, when the descriptor is
 * readable. When the host disconnects, this sets g->stop unless opt.persist.
 */
void vgpu_transport_serve(struct vgpu *g);

/* Raise the MSI. */
void vgpu_transport_irq(struct vgpu *g);

/*
 * Create a listening UNIX socket at @path (also for control.c). A socket file that no
 * process serves any more is replaced. Returns the file descriptor, -EADDRINUSE if
 * another process listens there, or another -errno.
 */
int vgpu_listen(const char *path);

#endif /* VGPU_TRANSPORT_H */
