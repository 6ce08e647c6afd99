/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of the Debug Adapter Protocol: "Content-Length: N", an empty line, N bytes of JSON.
 */
#ifndef WAVECTL_DAP_FRAMES_H
#define WAVECTL_DAP_FRAMES_H

#include <stddef.h>

/* Limits for what a client sends, in bytes */
#define FRAME_HEADER_MAX	4096
#define FRAME_CONTENT_MAX	(16u << 20)

/* Bytes that have arrived and were not taken; all zero at first */
struct frames {
	char *bytes;
	size_t begin;		/* of what was not taken */
	size_t end;
	size_t room;
};

void frames_add(struct frames *frames, const void *bytes, size_t size);
/*
 * Take the content of the next frame, which is valid until the next call of any of these
 * functions; it is not terminated. Returns 1; 0: it is not complete; -EBADMSG: this is not a
 * header; -E2BIG: header or content is longer than the limit. After an error the beginning of
 * the next frame is not known.
 */
int frames_take(struct frames *frames, const char **content, size_t *size);
void frames_free(struct frames *frames);

#endif /* WAVECTL_DAP_FRAMES_H */
