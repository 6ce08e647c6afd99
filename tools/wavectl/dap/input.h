/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of the client. A thread reads standard input, so that a request can interrupt an
 * operation that waits for waves.
 */
#ifndef WAVECTL_DAP_INPUT_H
#define WAVECTL_DAP_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

struct input;

/* What has arrived; the user frees it by input_free_message() */
struct message {
	struct message *next;
	struct json_object *request;	/* NULL: the end of the input */
	uint32_t urgency;		/* see input.c */
	size_t memory;			/* bytes that it takes, about */
	const char *damage;		/* NULL, or why a message was ignored or the input ends */
};

/* Begin to read @fd. Returns 0 or -errno. */
int input_new(int fd, struct input **input);
/* End the thread, and discard what was not taken. NULL is ignored. */
void input_free(struct input *input);
/* A descriptor that is readable while there is a message */
int input_get_fd(const struct input *input);
/* Take the next message. NULL: there is none. */
struct message *input_take(struct input *input);
void input_free_message(struct message *message);
/* Take the request with this sequence number, which was not taken yet. NULL: there is none. */
struct message *input_remove(struct input *input, int64_t seq);

/*
 * From the first call to the second one, the request of @message is being handled. A "cancel" of it
 * interrupts the session as a signal does, see hold_interrupt(). So do disconnect, terminate and
 * the end of the input, but only after a second, so that a client need not wait for its responses
 * before it ends. It does not matter whether they arrive before or after the first call.
 */
void input_begin_request(struct input *input, const struct message *message);
void input_end_request(struct input *input);
/* The request waits for a wave: these requests, and pause, interrupt it at once. */
void input_begin_step(struct input *input);
void input_end_step(struct input *input);

#endif /* WAVECTL_DAP_INPUT_H */
