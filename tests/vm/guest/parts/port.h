/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to vgpu's control socket, which is a virtio port in the guest: one JSON object per
 * line. The answer to a request of an earlier client that did not wait for it may still arrive,
 * so each request has an id, by which its answer is found.
 */
#ifndef GUEST_PORT_H
#define GUEST_PORT_H

#include <stddef.h>

#define VGPU_PORT "/dev/virtio-ports/org.amdgpudbg.vgpu"

/*
 * Ask on the open port @fd. @questions are objects without an id, each with a newline
 * behind it. Their answers go to @answers, a line each, in the same order. Return 0, or
 * -errno; -EPROTO: one of them does not say that all is well.
 */
int port_ask(int fd, const char *questions, char *answers, size_t size);

#endif /* GUEST_PORT_H */
