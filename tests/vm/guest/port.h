/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions to vgpu's control socket, which the guest sees as a virtio port: one JSON
 * object a line. The answer to a question that an earlier client has asked, and has not
 * waited for, may still arrive; each question has an id, by which its answer is found.
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
