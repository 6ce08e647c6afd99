// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clients of the control socket: reads requests and writes answers, one per line,
 * without blocking. A client's next request is served when it has read the last answer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gpu.h"
#include "host/control.h"
#include "host/transport.h"
#include "regs/log.h"

#define MAX_LINE 8192

struct client {
	int fd;			/* -1: free */
	char in[MAX_LINE];
	size_t in_len;
	bool overlong;		/* the present line is too long, and dropped up to its end */
	char *out;
	size_t out_len, out_done;
};

struct vgpu_control {
	int listen_fd;
	struct client clients[VGPU_CONTROL_CLIENTS];
};

int vgpu_control_init(struct vgpu *g)
{
	struct vgpu_control *c;
	int i;

	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->listen_fd = -1;
	for (i = 0; i < VGPU_CONTROL_CLIENTS; i++)
		c->clients[i].fd = -1;
	g->control = c;
	if (!g->opt.control_path)
		return 0;

	c->listen_fd = vgpu_listen(g->opt.control_path);
	if (c->listen_fd < 0) {
		vgpu_log(g, "control socket %s: %s", g->opt.control_path,
			 strerror(-c->listen_fd));
		return c->listen_fd;
	}
	return 0;
}

static void drop_client(struct vgpu *g, struct client *cl)
{
	vgpu_log(g, "control client %d is gone", cl->fd);
	close(cl->fd);
	free(cl->out);
	*cl = (struct client) { .fd = -1 };
}

void vgpu_control_fini(struct vgpu *g)
{
	struct vgpu_control *c = g->control;
	int i;

	if (!c)
		return;
	for (i = 0; i < VGPU_CONTROL_CLIENTS; i++)
		if (c->clients[i].fd >= 0)
			drop_client(g, &c->clients[i]);
	if (c->listen_fd >= 0) {
		close(c->listen_fd);
		unlink(g->opt.control_path);
	}
	free(c);
	g->control = NULL;
}

/* Find the end of the first complete line; NULL: there is no complete line. */
static char *next_line(struct client *cl)
{
	return memchr(cl->in, '\n', cl->in_len);
}

unsigned int vgpu_control_pollfds(struct vgpu *g, struct pollfd *fds)
{
	struct vgpu_control *c = g->control;
	unsigned int num = 0;
	int i;

	if (c->listen_fd < 0)
		return 0;
	fds[num++] = (struct pollfd) { .fd = c->listen_fd, .events = POLLIN };
	for (i = 0; i < VGPU_CONTROL_CLIENTS; i++) {
		struct client *cl = &c->clients[i];

		if (cl->fd >= 0)
			fds[num++] = (struct pollfd) {
				.fd = cl->fd,
				/*
				 * A client with an unserved line is usually ready for
				 * output, so poll() returns at once.
				 */
				.events = cl->out || next_line(cl) ? POLLOUT :
								     POLLIN,
			};
	}
	return num;
}

/* Send as much of the answer as possible. Returns false if the client has disconnected. */
static bool flush(struct client *cl)
{
	while (cl->out) {
		ssize_t n = send(cl->fd, cl->out + cl->out_done,
				 cl->out_len - cl->out_done,
				 MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		cl->out_done += (size_t)n;
		if (cl->out_done == cl->out_len) {
			free(cl->out);
			cl->out = NULL;
		}
	}
	return true;
}

static void answer(struct vgpu *g, struct client *cl, const char *line)
{
	char *text = vgpu_control_answer(g, line);
	char *out;

	if (!text)
		return;
	cl->out_len = strlen(text);
	out = realloc(text, cl->out_len + 1);
	if (!out) {
		free(text);
		return;
	}
	out[cl->out_len++] = '\n';
	cl->out = out;
	cl->out_done = 0;
}

static bool is_blank(const char *line)
{
	return line[strspn(line, " \t\r")] == 0;
}

/*
 * Answer the first complete line in cl->in, if the client has read the last answer. Answer
 * only one line in each turn, so that the guest does not wait for many requests. Returns
 * false if the client has disconnected.
 */
static bool serve_line(struct vgpu *g, struct client *cl)
{
	char *end = cl->out ? NULL : next_line(cl);

	if (end) {
		size_t used = (size_t)(end - cl->in) + 1;

		*end = 0;
		if (cl->overlong)
			answer(g, cl, NULL);
		else if (!is_blank(cl->in))
			answer(g, cl, cl->in);
		cl->overlong = false;
		cl->in_len -= used;
		memmove(cl->in, cl->in + used, cl->in_len);
		if (!flush(cl))
			return false;
	}
	if (!cl->out && cl->in_len == sizeof(cl->in)) {
		cl->overlong = true;
		cl->in_len = 0;
	}
	return true;
}

static bool serve_client(struct vgpu *g, struct client *cl, short revents)
{
	ssize_t n;

	if (cl->out)
		return flush(cl) && serve_line(g, cl);
	if (next_line(cl))
		return serve_line(g, cl);
	if (!(revents & (POLLIN | POLLHUP | POLLERR)))
		return true;
	n = recv(cl->fd, cl->in + cl->in_len, sizeof(cl->in) - cl->in_len,
		 MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n == 0)
		return false;
	cl->in_len += (size_t)n;
	return serve_line(g, cl);
}

static void accept_client(struct vgpu *g)
{
	static const char full[] =
		"{\"ok\":false,\"error\":\"too many clients\"}\n";
	struct vgpu_control *c = g->control;
	int fd = accept4(c->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	int i;

	if (fd < 0)
		return;
	for (i = 0; i < VGPU_CONTROL_CLIENTS; i++) {
		if (c->clients[i].fd >= 0)
			continue;
		c->clients[i].fd = fd;
		vgpu_log(g, "control client %d", fd);
		return;
	}
	send(fd, full, sizeof(full) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
}

void vgpu_control_serve(struct vgpu *g, const struct pollfd *fds,
			unsigned int num)
{
	struct vgpu_control *c = g->control;
	unsigned int n;
	int i;

	for (n = 0; n < num; n++) {
		if (!fds[n].revents)
			continue;
		if (fds[n].fd == c->listen_fd) {
			accept_client(g);
			continue;
		}
		for (i = 0; i < VGPU_CONTROL_CLIENTS; i++) {
			struct client *cl = &c->clients[i];

			if (cl->fd == fds[n].fd) {
				if (!serve_client(g, cl, fds[n].revents))
					drop_client(g, cl);
				break;
			}
		}
	}
}
