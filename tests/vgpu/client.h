/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host for tests: a small vfio-user client. Client and server are in one thread, so each
 * function sends a request, calls the server, and then reads the answer.
 */
#ifndef TESTS_VGPU_CLIENT_H
#define TESTS_VGPU_CLIENT_H

#include "host/vfio_user.h"
#include "vgpu.h"

struct client {
	struct vgpu *g;
	char dir[32];		/* with the sockets of this test */
	char socket_path[64], control_path[64];
	int fd;			/* -1: not connected */
	u16 id;
};

/* A GPU with sockets in a directory of its own; frees with client_fini(). */
void client_init(struct client *c, struct vgpu *g, bool persist);
void client_fini(struct client *c);
void client_connect(struct client *c);
void client_disconnect(struct client *c);

/* Send bytes as they are, and let the server serve. */
void client_send(struct client *c, const void *buf, size_t len, int fd);
/*
 * One request with its answer. Returns the errno of the answer, negative.
 * @reply_len: in: room in @reply, out: bytes received. @reply_fd: -1 if none.
 */
int client_call(struct client *c, u16 command, const void *payload, u32 len,
		int fd, void *reply, u32 *reply_len, int *reply_fd);
/* Is there an answer (or the end of the connection) to be read? */
bool client_has_input(struct client *c);

int client_read(struct client *c, u32 region, u64 offset, void *buf, u32 len);
int client_write(struct client *c, u32 region, u64 offset, const void *buf,
		 u32 len);
int client_dma_map(struct client *c, u64 addr, u64 size, u64 offset, int fd);
int client_dma_unmap(struct client *c, u64 addr, u64 size);

#endif /* TESTS_VGPU_CLIENT_H */
