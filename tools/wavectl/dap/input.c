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
/* Requests that take less time than this do not end early because the session is to end. */
#define GRACE_MS	1000

/* What a message that has arrived does to the request that is being handled */
enum urgency {
	URGENCY_NONE,
	URGENCY_PAUSE,		/* ends a step */
	URGENCY_CANCEL,		/* ends one request */
	URGENCY_END,		/* ends a step, and a request that takes long */
};

struct input {
	pthread_t thread;
	pthread_mutex_t lock;		/* protects what follows */
	pthread_cond_t has_room;
	struct message *first;
	struct message *last;
	unsigned int num_queued;
	size_t memory;			/* of the queued messages */
	unsigned int num_ends;		/* queued messages of URGENCY_END */
	bool is_running;		/* a request that can be interrupted is being handled */
	bool is_step;			/* it waits for a wave */
	bool was_interrupted;
	int64_t running;		/* its number */
	uint64_t since;			/* when it has begun, of now_ns() */
	bool ends;
	int fd;
	int ready;			/* eventfd: a message is queued */
	int stop;			/* eventfd: the thread ends, or looks at the time */
};

static uint32_t urgency_of(struct json_object *request)
{
	static const char *const names[] = { "pause", "cancel", "disconnect", "terminate" };
	static const uint32_t urgencies[] = {
		URGENCY_PAUSE, URGENCY_CANCEL, URGENCY_END, URGENCY_END,
	};
	const char *command = json_text(request, "command");
	uint32_t i;

	if (!request)
		return URGENCY_END;
	return command && find_name(names, ARRAY_SIZE(names), command, &i) ? urgencies[i] :
	       URGENCY_NONE;
}

/* ----------------------------------------------------------------- interruptions */

/* Does the message interrupt what is being handled at once? The lock is held. */
static bool interrupts(const struct input *input, const struct message *message)
{
	int64_t cancelled;

	switch (message->urgency) {
	case URGENCY_PAUSE:
	case URGENCY_END:
		return input->is_step;
	case URGENCY_CANCEL:
		if (json_number(json_child(message->request, "arguments", json_type_object),
				"requestId", &cancelled))
			return cancelled == input->running;
		return input->is_step;
	default:
		return false;
	}
}

static void interrupt(struct input *input)
{
	if (!input->is_running || input->was_interrupted)
		return;
	input->was_interrupted = true;
	hold_interrupt();
}

/* A message that is queued may interrupt what now begins. The lock is held. */
static void look_at_queue(struct input *input)
{
	const uint64_t one = 1;

	for (const struct message *m = input->first; m; m = m->next)
		if (interrupts(input, m))
			interrupt(input);
	/* The thread waits for the time that is left. */
	if (input->num_ends)
		ignore_result(write(input->stop, &one, sizeof(one)));
}

/*
 * Interrupt a request that takes too long, because the session is to end. Returns the time until
 * then in milliseconds; -1: it does not come.
 */
static int check_time(struct input *input)
{
	uint64_t ms;
	int left = -1;

	pthread_mutex_lock(&input->lock);
	if (input->is_running && !input->was_interrupted && input->num_ends) {
		ms = (now_ns() - input->since) / 1000000;
		left = ms < GRACE_MS ? (int)(GRACE_MS - ms) : -1;
		if (left < 0)
			interrupt(input);
	}
	pthread_mutex_unlock(&input->lock);
	return left;
}

/* Wait for input (@fd: -1: for none), or until the thread is to end. Returns false then. */
static bool wait_for_input(struct input *input, int fd)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN }, { .fd = input->stop, .events = POLLIN },
	};
	uint64_t count;
	bool ends;

	for (;;) {
		/* The wait before this one may have taken what wakes the thread. */
		pthread_mutex_lock(&input->lock);
		ends = input->ends;
		pthread_mutex_unlock(&input->lock);
		if (ends || fds[0].revents)
			return !ends;
		if (poll(fds, ARRAY_SIZE(fds), check_time(input)) < 0 && errno != EINTR)
			return false;
		if (fds[1].revents)
			ignore_result(read(input->stop, &count, sizeof(count)));
	}
}

/* -------------------------------------------------------------------- the thread */

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
	message->urgency = urgency_of(request);
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
	input->num_ends += message->urgency == URGENCY_END;
	if (interrupts(input, message))
		interrupt(input);
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
	struct frames frames = { 0 };
	const char *damage = NULL;
	char bytes[65536];

	while (!damage && wait_for_input(input, input->fd)) {
		ssize_t n = read(input->fd, bytes, sizeof(bytes));

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
	/* What is handled now may take long. */
	ignore_result(wait_for_input(input, -1));
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
	input->num_ends -= message->urgency == URGENCY_END;
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

void input_begin_request(struct input *input, const struct message *message)
{
	int64_t seq;

	/* Requests that interrupt others are short, and a disconnect has to undo everything. */
	if (message->urgency != URGENCY_NONE || !json_number(message->request, "seq", &seq))
		return;
	pthread_mutex_lock(&input->lock);
	input->is_running = true;
	input->was_interrupted = false;
	input->running = seq;
	input->since = now_ns();
	look_at_queue(input);
	pthread_mutex_unlock(&input->lock);
}

void input_end_request(struct input *input)
{
	pthread_mutex_lock(&input->lock);
	input->is_running = false;
	pthread_mutex_unlock(&input->lock);
}

void input_begin_step(struct input *input)
{
	pthread_mutex_lock(&input->lock);
	input->is_step = true;
	look_at_queue(input);
	pthread_mutex_unlock(&input->lock);
}

void input_end_step(struct input *input)
{
	pthread_mutex_lock(&input->lock);
	input->is_step = false;
	pthread_mutex_unlock(&input->lock);
}
