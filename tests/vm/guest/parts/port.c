// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests to vgpu's control socket: see port.h.
 */
#include "port.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "until.h"

#define DEADLINE_S 60

/* Lines that this client has asked, and what has arrived of their answers */
struct talk {
	int64_t first_id;
	unsigned int lines, answered, well;
	char *answers;
	size_t size, len;
	size_t line;		/* where the last line begins in @answers */
};

static int send_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			len -= n;
		}
	}
	return 0;
}

static int send_questions(int fd, struct talk *talk, const char *questions)
{
	const char *at, *end;
	size_t len = 0;
	char *text;
	FILE *f = open_memstream(&text, &len);
	int ret;

	if (!f)
		return -ENOMEM;
	for (at = questions; (end = strchr(at, '\n')); at = end + 1)
		fprintf(f, "{\"id\":%" PRId64 ",%.*s", talk->first_id + talk->lines++,
			(int)(end - at), at + 1);
	if (fclose(f))
		return -ENOMEM;
	ret = send_all(fd, text, len);
	free(text);
	return ret;
}

/* The last line is complete: keep the answer to a question of ours, drop another one. */
static void take_line(struct talk *talk)
{
	const char *line = talk->answers + talk->line;
	int64_t id;

	talk->answers[talk->len] = 0;
	if (sscanf(line, "{\"id\":%" SCNd64 ",", &id) != 1 || id < talk->first_id ||
	    id >= talk->first_id + talk->lines) {
		talk->len = talk->line;
		return;
	}
	talk->answered++;
	talk->well += !!strstr(line, "\"ok\":true");
	talk->line = talk->len;
}

static int read_answers(int fd, struct talk *talk)
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	char c[4096];
	ssize_t n;

	while (talk->answered < talk->lines) {
		/* A port whose other end is not there at this moment has ended. */
		if (now_ns() > deadline)
			return -ETIME;
		poll(&pfd, 1, 100);
		n = read(fd, c, sizeof(c));
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		for (ssize_t i = 0; i < n; i++) {
			if (talk->len + 1 >= talk->size)
				return -EMSGSIZE;
			talk->answers[talk->len++] = c[i];
			if (c[i] == '\n')
				take_line(talk);
		}
	}
	return talk->well == talk->lines ? 0 : -EPROTO;
}

int port_ask(int fd, const char *questions, char *answers, size_t size)
{
	/* Only one process has the port open at a time, and time does not go back. */
	struct talk talk = { .first_id = now_ns(), .answers = answers, .size = size };
	int ret = send_questions(fd, &talk, questions);

	return ret ? ret : read_answers(fd, &talk);
}
