// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames of the Debug Adapter Protocol: see frames.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/util.h"
#include "dap/frames.h"

static const char end_of_header[] = "\r\n\r\n";
static const char length_key[] = "Content-Length:";

void frames_add(struct frames *frames, const void *bytes, size_t size)
{
	size_t kept = frames->end - frames->begin;

	if (frames->begin) {
		memmove(frames->bytes, frames->bytes + frames->begin, kept);
		frames->begin = 0;
		frames->end = kept;
	}
	if (kept + size > frames->room) {
		frames->room = 2 * (kept + size);
		frames->bytes = xreallocarray(frames->bytes, frames->room, 1);
	}
	memcpy(frames->bytes + kept, bytes, size);
	frames->end += size;
}

void frames_free(struct frames *frames)
{
	free(frames->bytes);
	*frames = (struct frames){ 0 };
}

/* Parse the value of Content-Length, from @text to @end. */
static int parse_length(const char *text, const char *end, size_t *length)
{
	const char *digit;

	while (text < end && *text == ' ')
		text++;
	*length = 0;
	for (digit = text; digit < end && isdigit((unsigned char)*digit); digit++) {
		*length = *length * 10 + (size_t)(*digit - '0');
		if (*length > FRAME_CONTENT_MAX)
			return -E2BIG;
	}
	return digit == text || digit != end ? -EBADMSG : 0;
}

/* Parse the lines of a header, which end at @end. Other fields are ignored. */
static int parse_header(const char *text, const char *end, size_t *length)
{
	bool found = false;
	int ret;

	while (text < end) {
		const char *eol = memmem(text, (size_t)(end - text), "\r\n", 2);
		size_t key = sizeof(length_key) - 1;

		if (!eol)
			eol = end;
		if ((size_t)(eol - text) >= key && !strncasecmp(text, length_key, key)) {
			ret = found ? -EBADMSG : parse_length(text + key, eol, length);
			if (ret)
				return ret;
			found = true;
		} else if (!memchr(text, ':', (size_t)(eol - text))) {
			return -EBADMSG;
		}
		text = eol + 2;
	}
	return found ? 0 : -EBADMSG;
}

int frames_take(struct frames *frames, const char **content, size_t *size)
{
	size_t have = frames->end - frames->begin;
	const char *text = frames->bytes + frames->begin, *end;
	int ret;

	if (!have)
		return 0;
	end = memmem(text, have, end_of_header, 4);
	if (!end)
		return have > FRAME_HEADER_MAX ? -E2BIG : 0;
	if (end - text > FRAME_HEADER_MAX)
		return -E2BIG;
	ret = parse_header(text, end, size);
	if (ret)
		return ret;
	*content = end + 4;
	if ((size_t)(*content - text) + *size > have)
		return 0;
	frames->begin += (size_t)(*content - text) + *size;
	return 1;
}
