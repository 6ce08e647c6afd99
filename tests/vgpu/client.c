// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tests' vfio-user client.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "client.h"
#include "host/transport.h"

void client_init(struct client *c, struct vgpu *g, bool persist)
{
	struct vgpu_options opt = { .persist = persist };

	*c = (struct client) { .g = g, .fd = -1 };
	strcpy(c->dir, "/tmp/vgpu-test.XXXXXX");
	assert_non_null(mkdtemp(c->dir));
	snprintf(c->socket_path, sizeof(c->socket_path), "%s/vfio", c->dir);
	snprintf(c->control_path, sizeof(c->control_path), "%s/control",
		 c->dir);
	opt.socket_path = c->socket_path;
	opt.control_path = c->control_path;
	opt.log_path = "/dev/null";
	assert_int_equal(vgpu_create(g, vgpu_profile_find("vangogh"), &opt), 0);
}

void client_fini(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	vgpu_destroy(c->g);
	assert_int_equal(access(c->socket_path, F_OK), -1);
	assert_int_equal(access(c->control_path, F_OK), -1);
	assert_int_equal(rmdir(c->dir), 0);
}

void client_connect(struct client *c)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	strcpy(addr.sun_path, c->socket_path);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(c->fd >= 0);
	assert_int_equal(connect(c->fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	vgpu_transport_serve(c->g);
}

void client_disconnect(struct client *c)
{
	close(c->fd);
	c->fd = -1;
	vgpu_transport_serve(c->g);
}

void client_send(struct client *c, const void *buf, size_t len, int fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec iov = { .iov_base = (void *)buf, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *cmsg;

		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	}
	assert_int_equal(sendmsg(c->fd, &msg, MSG_NOSIGNAL), len);
	vgpu_transport_serve(c->g);
}

static void receive(struct client *c, void *buf, size_t len, int *fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	u8 *p = buf;

	while (len) {
		struct iovec iov = { .iov_base = p, .iov_len = len };
		struct msghdr msg = {
			.msg_iov = &iov, .msg_iovlen = 1,
			.msg_control = control.buf,
			.msg_controllen = sizeof(control.buf),
		};
		struct cmsghdr *cmsg;
		ssize_t n = recvmsg(c->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

		assert_true(n > 0);
		cmsg = CMSG_FIRSTHDR(&msg);
		if (cmsg && fd)
			memcpy(fd, CMSG_DATA(cmsg), sizeof(*fd));
		p += n;
		len -= (size_t)n;
	}
}

int client_call(struct client *c, u16 command, const void *payload, u32 len,
		int fd, void *reply, u32 *reply_len, int *reply_fd)
{
	u32 room = reply_len ? *reply_len : 0;
	struct vfio_user_header hdr = {
		.id = ++c->id, .command = command,
		.size = (u32)sizeof(hdr) + len,
	};
	u8 *msg = malloc(hdr.size);
	int unused = -1;

	assert_non_null(msg);
	memcpy(msg, &hdr, sizeof(hdr));
	if (len)
		memcpy(msg + sizeof(hdr), payload, len);
	client_send(c, msg, hdr.size, fd);
	free(msg);

	if (!reply_fd)
		reply_fd = &unused;
	*reply_fd = -1;
	receive(c, &hdr, sizeof(hdr), reply_fd);
	assert_int_equal(hdr.id, c->id);
	assert_int_equal(hdr.command, command);
	assert_true(hdr.flags & VFIO_USER_REPLY);
	if (hdr.flags & VFIO_USER_ERROR) {
		assert_int_equal(hdr.size, sizeof(hdr));
		assert_true(hdr.error > 0);
		return -(int)hdr.error;
	}
	assert_true(hdr.size - sizeof(hdr) <= room);
	if (reply_len)
		*reply_len = hdr.size - (u32)sizeof(hdr);
	receive(c, reply, hdr.size - sizeof(hdr), NULL);
	if (unused >= 0)
		close(unused);
	return 0;
}

bool client_has_input(struct client *c)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

int client_read(struct client *c, u32 region, u64 offset, void *buf, u32 len)
{
	struct vfio_user_region_rw req = {
		.offset = offset, .region = region, .count = len,
	};
	u32 reply_len = (u32)sizeof(req) + len;
	struct vfio_user_region_rw *reply = malloc(reply_len);
	int ret;

	assert_non_null(reply);
	ret = client_call(c, VFIO_USER_REGION_READ, &req, sizeof(req), -1,
			  reply, &reply_len, NULL);
	if (!ret) {
		assert_int_equal(reply_len, sizeof(req) + len);
		assert_memory_equal(reply, &req, sizeof(req));
		memcpy(buf, reply->data, len);
	}
	free(reply);
	return ret;
}

int client_write(struct client *c, u32 region, u64 offset, const void *buf,
		 u32 len)
{
	struct vfio_user_region_rw *req = malloc(sizeof(*req) + len);
	struct vfio_user_region_rw reply;
	u32 reply_len = sizeof(reply);
	int ret;

	assert_non_null(req);
	*req = (struct vfio_user_region_rw) {
		.offset = offset, .region = region, .count = len,
	};
	memcpy(req->data, buf, len);
	ret = client_call(c, VFIO_USER_REGION_WRITE, req,
			  (u32)sizeof(*req) + len, -1, &reply, &reply_len,
			  NULL);
	if (!ret)
		assert_memory_equal(&reply, req, sizeof(reply));
	free(req);
	return ret;
}

int client_dma_map(struct client *c, u64 addr, u64 size, u64 offset, int fd)
{
	struct vfio_user_dma_map map = {
		.argsz = sizeof(map), .addr = addr, .size = size,
		.offset = offset,
		.flags = VFIO_USER_DMA_READ | VFIO_USER_DMA_WRITE,
	};

	return client_call(c, VFIO_USER_DMA_MAP, &map, sizeof(map), fd, NULL,
			   NULL, NULL);
}

int client_dma_unmap(struct client *c, u64 addr, u64 size)
{
	struct vfio_user_dma_unmap unmap = {
		.argsz = sizeof(unmap), .addr = addr, .size = size,
	};
	u32 len = sizeof(unmap);

	return client_call(c, VFIO_USER_DMA_UNMAP, &unmap, sizeof(unmap), -1,
			   &unmap, &len, NULL);
}
