// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The vfio-user server (QEMU docs/interop/vfio-user.rst). It never receives more bytes than
 * one message has, so that file descriptors belong to the message with which they came,
 * checks the size of each message, and answers it. No message of the host may stop vgpu.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "gpu.h"
#include "host/dma.h"
#include "host/pci.h"
#include "host/transport.h"
#include "host/vfio_user.h"
#include "regs/faults.h"
#include "regs/log.h"
#include "regs/regs.h"

/* If a host does not read a reply for so long, vgpu disconnects it. */
#define SEND_TIMEOUT_MS 5000
/* Maximum number of messages that are answered before waves and the control socket run. */
#define MESSAGES_PER_TURN 64

#define MAX_PAYLOAD (sizeof(struct vfio_user_region_rw) + VFIO_USER_MAX_XFER)

struct vgpu_transport {
	int listen_fd;
	int fd;			/* connection to the host, -1: none */
	int msi_fd;		/* eventfd, -1: MSI is off */

	/* The message that is being received */
	struct vfio_user_header hdr;
	u32 have;		/* bytes of header and payload */
	int fds[VFIO_USER_MAX_FDS];
	unsigned int num_fds;
	/* 64-bit words align structures that are read in place; one more for a final 0. */
	u64 payload[MAX_PAYLOAD / sizeof(u64) + 1];

	u64 reply[MAX_PAYLOAD / sizeof(u64)];
};

/* The reply of a handler that returns 0. */
struct reply {
	u32 size;		/* bytes of transport->reply */
	int fd;			/* descriptor to send with it, -1: none */
};

/*
 * Does a process have the socket at @addr open? This uses a datagram socket, because
 * the server would take a real connection for a host that connects and disconnects.
 */
static bool is_served(const struct sockaddr_un *addr)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool served;

	if (fd < 0)
		return true;
	served = !connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) ||
		 errno != ECONNREFUSED;
	close(fd);
	return served;
}

int vgpu_listen(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd, ret;

	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	strcpy(addr.sun_path, path);

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	ret = bind(fd, (struct sockaddr *)&addr, sizeof(addr));
	if (ret && errno == EADDRINUSE) {
		if (is_served(&addr)) {
			close(fd);
			return -EADDRINUSE;
		}
		unlink(path);
		ret = bind(fd, (struct sockaddr *)&addr, sizeof(addr));
	}
	if (!ret)
		ret = listen(fd, 8);
	if (ret) {
		ret = -errno;
		close(fd);
		return ret;
	}
	return fd;
}

int vgpu_transport_init(struct vgpu *g)
{
	struct vgpu_transport *t;

	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->listen_fd = -1;
	t->fd = -1;
	t->msi_fd = -1;
	g->transport = t;
	g->hooks.msi = vgpu_transport_irq;
	if (!g->opt.socket_path)
		return 0;

	t->listen_fd = vgpu_listen(g->opt.socket_path);
	if (t->listen_fd < 0) {
		vgpu_log(g, "socket %s: %s", g->opt.socket_path,
			 strerror(-t->listen_fd));
		return t->listen_fd;
	}
	vgpu_log(g, "listening on %s", g->opt.socket_path);
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void drop_received_fds(struct vgpu_transport *t)
{
	while (t->num_fds)
		close_fd(&t->fds[--t->num_fds]);
}

static void disconnect(struct vgpu *g, const char *why)
{
	struct vgpu_transport *t = g->transport;

	vgpu_log(g, "host disconnected: %s", why);
	vgpu_regs_check_rest(g);
	if (t->have)
		vgpu_log(g, "message %u was incomplete: %u bytes", t->hdr.id,
			 t->have);
	drop_received_fds(t);
	t->have = 0;
	close_fd(&t->msi_fd);
	close_fd(&t->fd);
	vgpu_dma_unmap_all(g);
	if (g->opt.persist)
		g->hooks.cold_reset(g);
	else
		g->stop = true;
}

void vgpu_transport_fini(struct vgpu *g)
{
	struct vgpu_transport *t = g->transport;

	if (!t)
		return;
	drop_received_fds(t);
	close_fd(&t->msi_fd);
	close_fd(&t->fd);
	if (t->listen_fd >= 0) {
		close_fd(&t->listen_fd);
		unlink(g->opt.socket_path);
	}
	free(t);
	g->transport = NULL;
}

int vgpu_transport_fd(struct vgpu *g)
{
	struct vgpu_transport *t = g->transport;

	return t->fd >= 0 ? t->fd : t->listen_fd;
}

void vgpu_transport_irq(struct vgpu *g)
{
	struct vgpu_transport *t = g->transport;
	u64 one = 1;

	if (t->msi_fd < 0 || vgpu_fault_take(g, VGPU_FAULT_DROP_IRQ, 0))
		return;
	if (write(t->msi_fd, &one, sizeof(one)) == sizeof(one))
		g->counters.irqs++;
	else
		vgpu_log(g, "MSI eventfd: %s", strerror(errno));
}

/* Send a message. Returns 0, or -errno: the host must be disconnected. */
static int send_all(struct vgpu_transport *t, struct iovec *iov, size_t num,
		    int fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = num };
	u64 end = vgpu_now_ns() + SEND_TIMEOUT_MS * 1000000ULL, now;
	ssize_t n;

	if (fd >= 0) {
		struct cmsghdr *c;

		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}

	while (msg.msg_iovlen) {
		n = sendmsg(t->fd, &msg, MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN) {
			struct pollfd p = { .fd = t->fd, .events = POLLOUT };

			/* The timeout is for the whole message, not for each part. */
			now = vgpu_now_ns();
			if (now >= end ||
			    poll(&p, 1, (end - now) / 1000000 + 1) == 0)
				return -ETIMEDOUT;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		/* The descriptor was sent with the first bytes. */
		msg.msg_control = NULL;
		msg.msg_controllen = 0;
		while (msg.msg_iovlen && (size_t)n >= msg.msg_iov->iov_len) {
			n -= (ssize_t)msg.msg_iov->iov_len;
			msg.msg_iov++;
			msg.msg_iovlen--;
		}
		if (msg.msg_iovlen) {
			msg.msg_iov->iov_base = (u8 *)msg.msg_iov->iov_base + n;
			msg.msg_iov->iov_len -= (size_t)n;
		}
	}
	return 0;
}

static int send_reply(struct vgpu_transport *t, const struct reply *r, int err)
{
	struct vfio_user_header hdr = t->hdr;
	struct iovec iov[2] = {
		{ .iov_base = &hdr, .iov_len = sizeof(hdr) },
		{ .iov_base = t->reply, .iov_len = err ? 0 : r->size },
	};

	hdr.size = (u32)(iov[0].iov_len + iov[1].iov_len);
	hdr.flags = VFIO_USER_REPLY | (err ? VFIO_USER_ERROR : 0);
	hdr.error = (u32)-err;
	return send_all(t, iov, iov[1].iov_len ? 2 : 1, err ? -1 : r->fd);
}

#define VERSION_JSON \
	"{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576,\"write_multiple\":false}}"

static int handle_version(struct vgpu *g, u32 len, struct reply *r)
{
	static const char json[] = VERSION_JSON;
	const struct vfio_user_version *in = (void *)g->transport->payload;
	struct vfio_user_version *out = (void *)g->transport->reply;

	if (len < sizeof(*in))
		return -EINVAL;
	/* in->json ends: receive() puts a 0 after each payload. */
	vgpu_log(g, "host speaks version %u.%u %s", in->major, in->minor,
		 in->json);
	if (in->major != 0)
		return -ENOTSUP;
	out->major = 0;
	out->minor = 0;
	memcpy(out->json, json, sizeof(json));
	r->size = sizeof(*out) + sizeof(json);
	return 0;
}

static int handle_dma_map(struct vgpu *g, u32 len, struct reply *r)
{
	struct vgpu_transport *t = g->transport;
	const struct vfio_user_dma_map *m = (void *)t->payload;
	int fd = t->num_fds ? t->fds[0] : -1;
	int ret;

	if (len < sizeof(*m))
		return -EINVAL;
	ret = vgpu_dma_map(g, m->addr, m->size, m->offset, fd,
			   m->flags & VFIO_USER_DMA_WRITE);
	if (ret)
		vgpu_log(g, "DMA_MAP 0x%llx size 0x%llx: %s",
			 (unsigned long long)m->addr,
			 (unsigned long long)m->size, strerror(-ret));
	r->size = 0;
	return ret;
}

static int handle_dma_unmap(struct vgpu *g, u32 len, struct reply *r)
{
	struct vgpu_transport *t = g->transport;
	const struct vfio_user_dma_unmap *m = (void *)t->payload;
	int ret;

	if (len < sizeof(*m))
		return -EINVAL;
	ret = vgpu_dma_unmap(g, m->addr, m->size);
	if (ret)
		vgpu_log(g, "DMA_UNMAP 0x%llx size 0x%llx: %s",
			 (unsigned long long)m->addr,
			 (unsigned long long)m->size, strerror(-ret));
	memcpy(t->reply, m, sizeof(*m));
	r->size = sizeof(*m);
	return ret;
}

static int handle_get_info(struct vgpu *g, u32 len, struct reply *r)
{
	struct vfio_user_device_info *info = (void *)g->transport->reply;

	if (len < sizeof(*info))
		return -EINVAL;
	*info = (struct vfio_user_device_info) {
		.argsz = sizeof(*info),
		.flags = VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET,
		.num_regions = VFIO_PCI_NUM_REGIONS,
		.num_irqs = VFIO_PCI_NUM_IRQS,
	};
	r->size = sizeof(*info);
	return 0;
}

static int handle_region_info(struct vgpu *g, u32 len, struct reply *r)
{
	struct vgpu_transport *t = g->transport;
	struct vfio_region_info info;
	struct vgpu_pci_region region;

	if (len < sizeof(info))
		return -EINVAL;
	memcpy(&info, t->payload, sizeof(info));
	if (info.index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;

	vgpu_pci_region(g, info.index, &region);
	info = (struct vfio_region_info) {
		.argsz = sizeof(info), .index = info.index,
		.size = region.size,
	};
	if (region.size)
		info.flags = VFIO_REGION_INFO_FLAG_READ;
	if (region.size && region.writable)
		info.flags |= VFIO_REGION_INFO_FLAG_WRITE;
	if (region.mmap_fd >= 0)
		info.flags |= VFIO_REGION_INFO_FLAG_MMAP;
	memcpy(t->reply, &info, sizeof(info));
	r->size = sizeof(info);
	r->fd = region.mmap_fd;
	return 0;
}

static int handle_irq_info(struct vgpu *g, u32 len, struct reply *r)
{
	struct vgpu_transport *t = g->transport;
	struct vfio_irq_info info;

	if (len < sizeof(info))
		return -EINVAL;
	memcpy(&info, t->payload, sizeof(info));
	if (info.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	info = (struct vfio_irq_info) {
		.argsz = sizeof(info), .index = info.index,
	};
	/* QEMU requires the ERR interrupt; vgpu never raises it. */
	if (info.index == VFIO_PCI_MSI_IRQ_INDEX ||
	    info.index == VFIO_PCI_ERR_IRQ_INDEX) {
		info.count = 1;
		info.flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_NORESIZE;
	}
	memcpy(t->reply, &info, sizeof(info));
	r->size = sizeof(info);
	return 0;
}

static int handle_set_irqs(struct vgpu *g, u32 len, struct reply *r)
{
	struct vgpu_transport *t = g->transport;
	struct vfio_irq_set set;
	u32 data;

	r->size = 0;
	if (len < sizeof(set))
		return -EINVAL;
	memcpy(&set, t->payload, sizeof(set));
	if (set.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	/* Only MSI is ever raised. Disabling another interrupt is valid. */
	if (set.index != VFIO_PCI_MSI_IRQ_INDEX)
		return set.count && set.index != VFIO_PCI_ERR_IRQ_INDEX ?
		       -EINVAL : 0;
	if (set.start > 1 || set.count > 1 - set.start ||
	    !(set.flags & VFIO_IRQ_SET_ACTION_TRIGGER))
		return -EINVAL;

	data = set.flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
	if (data == VFIO_IRQ_SET_DATA_EVENTFD || !set.count) {
		close_fd(&t->msi_fd);
		if (data == VFIO_IRQ_SET_DATA_EVENTFD && t->num_fds)
			t->msi_fd = t->fds[--t->num_fds];
		/* An interrupt must not block vgpu, whatever kind of file the host sends. */
		if (t->msi_fd >= 0 && fcntl(t->msi_fd, F_SETFL, O_NONBLOCK)) {
			close_fd(&t->msi_fd);
			return -EINVAL;
		}
		return 0;
	}
	if (data == VFIO_IRQ_SET_DATA_NONE) {
		vgpu_transport_irq(g);
		return 0;
	}
	return -EINVAL;
}

static int handle_region_rw(struct vgpu *g, u32 len, struct reply *r)
{
	struct vgpu_transport *t = g->transport;
	const struct vfio_user_region_rw *in = (void *)t->payload;
	struct vfio_user_region_rw *out = (void *)t->reply;

	if (len < sizeof(*in) || in->count > VFIO_USER_MAX_XFER)
		return -EINVAL;
	*out = *in;
	r->size = sizeof(*out);

	if (t->hdr.command == VFIO_USER_REGION_WRITE) {
		if (len - sizeof(*in) < in->count)
			return -EINVAL;
		return vgpu_pci_write(g, in->region, in->offset, in->data,
				      in->count);
	}
	r->size += in->count;
	return vgpu_pci_read(g, in->region, in->offset, out->data, in->count);
}

static int handle_reset(struct vgpu *g, u32 len, struct reply *r)
{
	(void)len;
	r->size = 0;
	vgpu_log(g, "reset by the host");
	g->hooks.cold_reset(g);
	return 0;
}

static int handle(struct vgpu *g, u32 len, struct reply *r)
{
	static int (*const handlers[])(struct vgpu *, u32, struct reply *) = {
		[VFIO_USER_VERSION] = handle_version,
		[VFIO_USER_DMA_MAP] = handle_dma_map,
		[VFIO_USER_DMA_UNMAP] = handle_dma_unmap,
		[VFIO_USER_DEVICE_GET_INFO] = handle_get_info,
		[VFIO_USER_DEVICE_GET_REGION_INFO] = handle_region_info,
		[VFIO_USER_DEVICE_GET_IRQ_INFO] = handle_irq_info,
		[VFIO_USER_DEVICE_SET_IRQS] = handle_set_irqs,
		[VFIO_USER_REGION_READ] = handle_region_rw,
		[VFIO_USER_REGION_WRITE] = handle_region_rw,
		[VFIO_USER_DEVICE_RESET] = handle_reset,
	};
	u16 command = g->transport->hdr.command;

	if (command >= ARRAY_SIZE(handlers) || !handlers[command]) {
		vgpu_log(g, "unknown vfio-user command %u", command);
		return -EOPNOTSUPP;
	}
	return handlers[command](g, len, r);
}

/* Handle and answer the message that was received. */
static void dispatch(struct vgpu *g)
{
	struct vgpu_transport *t = g->transport;
	u32 len = t->hdr.size - (u32)sizeof(t->hdr);
	struct reply r = { .fd = -1 };
	int ret;

	t->have = 0;
	if ((t->hdr.flags & VFIO_USER_TYPE_MASK) == 0) {
		ret = handle(g, len, &r);
		if (ret)
			vgpu_log(g, "vfio-user command %u (%u bytes): %s",
				 t->hdr.command, len, strerror(-ret));
		if (!(t->hdr.flags & VFIO_USER_NO_REPLY) &&
		    send_reply(t, &r, ret))
			disconnect(g, "it does not take replies");
	} else {
		/* vgpu sends no requests, so there is nothing to reply to. */
		vgpu_log(g, "reply to no request, command %u", t->hdr.command);
	}
	drop_received_fds(t);
}

static void keep_fds(struct vgpu_transport *t, struct msghdr *msg)
{
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		size_t num = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		size_t i;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (i = 0; i < num; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (t->num_fds < VFIO_USER_MAX_FDS)
				t->fds[t->num_fds++] = fd;
			else
				close(fd);
		}
	}
}

/*
 * Receive as much of one message as is available, and nothing of the next one. Returns 1:
 * it is complete; 0: the rest has not arrived yet; -errno: the host must be disconnected.
 */
static int receive(struct vgpu_transport *t)
{
	union {
		char buf[CMSG_SPACE(sizeof(int) * VFIO_USER_MAX_FDS)];
		struct cmsghdr align;
	} control;

	for (;;) {
		const u32 hdr_size = sizeof(t->hdr);
		struct iovec iov;
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
		ssize_t n;

		if (t->have < hdr_size) {
			iov.iov_base = (u8 *)&t->hdr + t->have;
			iov.iov_len = hdr_size - t->have;
		} else if (t->hdr.size < hdr_size ||
			   t->hdr.size - hdr_size > MAX_PAYLOAD) {
			return -EMSGSIZE;
		} else if (t->have < t->hdr.size) {
			iov.iov_base = (u8 *)t->payload + (t->have - hdr_size);
			iov.iov_len = t->hdr.size - t->have;
		} else {
			/* Terminate text at the end of the payload. */
			((u8 *)t->payload)[t->have - hdr_size] = 0;
			return 1;
		}
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		n = recvmsg(t->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0)
			return -ECONNRESET;
		keep_fds(t, &msg);
		t->have += (u32)n;
	}
}

static void accept_host(struct vgpu *g)
{
	struct vgpu_transport *t = g->transport;

	t->fd = accept4(t->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (t->fd < 0) {
		if (errno != EAGAIN && errno != ECONNABORTED)
			vgpu_log(g, "accept: %s", strerror(errno));
		return;
	}
	vgpu_log(g, "host connected");
}

void vgpu_transport_serve(struct vgpu *g)
{
	struct vgpu_transport *t = g->transport;
	int ret, i;

	if (t->fd < 0) {
		accept_host(g);
		return;
	}
	for (i = 0; t->fd >= 0 && i < MESSAGES_PER_TURN; i++) {
		ret = receive(t);
		if (ret == 0)
			return;
		if (ret < 0) {
			disconnect(g, ret == -EMSGSIZE ?
				   "size of its message is wrong" :
				   strerror(-ret));
			return;
		}
		dispatch(g);
	}
}
