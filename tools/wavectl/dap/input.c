// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests of the client: see input.h.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "base/util.h"
#include "dap/frames.h"
#include "dap/input.h"
#include "waves/hold.h"

/* A client that sends more before it is answered has to wait. */
#define MAX_QUEUED	4096
#define MAX_MEMORY	(256u << 20)	/* bytes of all of them, about */
/* See text_json_values(): 64 MiB of memory for one message */
#define MAX_VALUES	(1u << 20)
#define VALUE_SIZE	64
#define DEPTH_MAX	64

struct input {
	pthread_t thread;
	pthread_mutex_t lock;		/* protects what follows */
	pthread_cond_t has_room;
	struct message *first;
	struct message *last;
	unsigned int num_queued;
	size_t memory;			/* of the queued messages */
	unsigned int num_urgent;	/* queued messages that interrupt */
	bool interruptible;
	bool ends;
	int fd;
	int ready;			/* eventfd: a message is queued */
	int stop;			/* eventfd: the thread is to end */
};

static bool is_urgent(const struct message *message)
{
	static const char *const names[] = { "pause", "disconnect", "terminate", "cancel" };
	const char *command = json_text(message->request, "command");
	uint32_t i;

	return !message->request ||
	       (command && find_name(names, ARRAY_SIZE(names), command, &i));
}

static bool is_full(const struct input *input, size_t memory)
{
	return input->num_queued >= MAX_QUEUED ||
	       (input->num_queued && input->memory + memory > MAX_MEMORY);
}

/* @memory: bytes that the request takes, about */
static void push(struct input *input, struct json_object *request, size_t memory,
		 const char *damage)
{
	struct message *message = xcalloc(1, sizeof(*message));
	const uint64_t one = 1;

	message->request = request;
	message->memory = memory;
	message->damage = damage;
	pthread_mutex_lock(&input->lock);
	while (is_full(input, memory) && !input->ends)
		pthread_cond_wait(&input->has_room, &input->lock);
	if (input->last)
		input->last->next = message;
	else
		input->first = message;
	input->last = message;
	input->num_queued++;
	input->memory += memory;
	if (is_urgent(message)) {
		input->num_urgent++;
		if (input->interruptible)
			hold_interrupt();
	}
	pthread_mutex_unlock(&input->lock);
	ignore_result(write(input->ready, &one, sizeof(one)));
}

static struct json_object *parse(const char *content, size_t size)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *object;

	if (!tokener)
		out_of_memory();
	object = json_tokener_parse_ex(tokener, content, (int)size);
	if (object && json_tokener_get_parse_end(tokener) != size) {
		json_object_put(object);
		object = NULL;
	}
	json_tokener_free(tokener);
	return object;
}

/* Take the content of a frame. Damaged content does not end the input. */
static void push_content(struct input *input, const char *content, size_t size)
{
	uint64_t values = text_json_values(content, size);
	struct json_object *object = values > MAX_VALUES ? NULL : parse(content, size);

	if (json_object_is_type(object, json_type_object)) {
		push(input, object, size + values * VALUE_SIZE, NULL);
		return;
	}
	json_object_put(object);
	push(input, json_new(), 0, values > MAX_VALUES ?
	     "a message was ignored: it has too many values" :
	     "the content of a message is not a JSON object");
}

/* Returns NULL, or why the input ends. */
static const char *push_frames(struct input *input, struct frames *frames)
{
	const char *content;
	size_t size;
	int ret;

	while ((ret = frames_take(frames, &content, &size)) > 0)
		push_content(input, content, size);
	return !ret ? NULL : ret == -E2BIG ? "a message is too long" :
	       "the header of a message has no valid Content-Length";
}

static void *read_all(void *data)
{
	struct input *input = data;
	struct pollfd fds[] = {
		{ .fd = input->fd, .events = POLLIN }, { .fd = input->stop, .events = POLLIN },
	};
	struct frames frames = { 0 };
	const char *damage = NULL;
	char bytes[65536];

	while (!damage) {
		ssize_t n;

		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents)
			break;
		n = read(input->fd, bytes, sizeof(bytes));
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			break;
		frames_add(&frames, bytes, (size_t)n);
		damage = push_frames(input, &frames);
	}
	if (!damage && frames.end > frames.begin)
		damage = "the last message is incomplete";
	push(input, NULL, 0, damage);
	frames_free(&frames);
	return NULL;
}

/* Signals are for the main thread. */
static int start(struct input *input)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = -pthread_create(&input->thread, NULL, read_all, input);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static void close_all(struct input *input)
{
	struct message *message;

	while ((message = input_take(input)))
		input_free_message(message);
	if (input->ready >= 0)
		close(input->ready);
	if (input->stop >= 0)
		close(input->stop);
	pthread_mutex_destroy(&input->lock);
	pthread_cond_destroy(&input->has_room);
	free(input);
}

int input_new(int fd, struct input **input)
{
	struct input *new = xcalloc(1, sizeof(*new));
	int ret;

	pthread_mutex_init(&new->lock, NULL);
	pthread_cond_init(&new->has_room, NULL);
	new->fd = fd;
	new->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	new->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ret = new->ready < 0 || new->stop < 0 ? -errno : start(new);
	if (ret)
		close_all(new);
	else
		*input = new;
	return ret;
}

void input_free(struct input *input)
{
	const uint64_t one = 1;

	if (!input)
		return;
	pthread_mutex_lock(&input->lock);
	input->ends = true;
	pthread_cond_signal(&input->has_room);
	pthread_mutex_unlock(&input->lock);
	ignore_result(write(input->stop, &one, sizeof(one)));
	pthread_join(input->thread, NULL);
	close_all(input);
}

int input_get_fd(const struct input *input)
{
	return input->ready;
}

/* Unlink the message after @before, or the first one. The lock is held. */
static struct message *unlink_after(struct input *input, struct message *before)
{
	struct message *message = before ? before->next : input->first;

	if (before)
		before->next = message->next;
	else
		input->first = message->next;
	if (input->last == message)
		input->last = before;
	message->next = NULL;
	input->num_queued--;
	input->memory -= message->memory;
	input->num_urgent -= is_urgent(message);
	pthread_cond_signal(&input->has_room);
	return message;
}

struct message *input_take(struct input *input)
{
	struct message *message = NULL;
	uint64_t count;

	pthread_mutex_lock(&input->lock);
	if (input->first)
		message = unlink_after(input, NULL);
	if (!input->first)
		ignore_result(read(input->ready, &count, sizeof(count)));
	pthread_mutex_unlock(&input->lock);
	return message;
}

struct message *input_remove(struct input *input, int64_t seq)
{
	struct message *before = NULL, *message = NULL;
	int64_t number;

	pthread_mutex_lock(&input->lock);
	for (struct message *m = input->first; m; before = m, m = m->next) {
		if (!json_number(m->request, "seq", &number) || number != seq)
			continue;
		message = unlink_after(input, before);
		break;
	}
	pthread_mutex_unlock(&input->lock);
	return message;
}

void input_free_message(struct message *message)
{
	json_object_put(message->request);
	free(message);
}

void input_begin_interruptible(struct input *input)
{
	pthread_mutex_lock(&input->lock);
	input->interruptible = true;
	if (input->num_urgent)
		hold_interrupt();
	pthread_mutex_unlock(&input->lock);
}

void input_end_interruptible(struct input *input)
{
	pthread_mutex_lock(&input->lock);
	input->interruptible = false;
	pthread_mutex_unlock(&input->lock);
}
