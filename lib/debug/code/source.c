// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Source files: finding them, and their lines.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "source.h"

/* The target chooses the file, so size and number of lines are limited. */
#define SOURCE_SIZE_MAX	(64U << 20)
#define MAX_LINES	1000000

struct adbgd_source {
	char *path;
	char *text;		/* each line ends with a 0 byte */
	size_t size;
	uint32_t *lines;	/* offsets in @text at which they begin */
	size_t num_lines, room;
};

/* Treat these errors as a missing file, so that other directories are searched. */
static int other_than_file(int fd)
{
	return fd == -ENOTDIR || fd == -EISDIR || fd == -ENODEV ? -ENOENT : fd;
}

/* Find a file below a directory: with all its own directories first, then with fewer and fewer. */
static int open_below(const char *folder, const char *file, char path[PATH_MAX])
{
	int at = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -ENOENT, length;
	const char *rest = file;

	if (at < 0)
		return other_than_file(-errno);
	while (rest && fd == -ENOENT) {
		while (*rest == '/')
			rest++;
		length = snprintf(path, PATH_MAX, "%s/%s", folder, rest);
		if (length < PATH_MAX && *rest)
			fd = other_than_file(adbgd_file_open_below(at, rest));
		rest = strchr(rest, '/');
	}
	close(at);
	return fd;
}

static int open_anywhere(const char *file, const char *const *folders,
			 const struct adbgd_owner *owner, char path[PATH_MAX],
			 struct adbgd_error *error)
{
	int fd = -ENOENT, first;
	size_t i;

	if (snprintf(path, PATH_MAX, "%s", file) >= PATH_MAX)
		return adbgd_fail(error, -ENAMETOOLONG, "the name of a source file is too long");
	if (owner)
		fd = other_than_file(adbgd_file_open_as(file, owner));
	first = fd;
	for (i = 0; fd < 0 && folders && folders[i]; i++)
		fd = open_below(folders[i], file, path);
	if (fd >= 0)
		return fd;
	/* Prefer the error of the file at the path that the target names, if that file exists. */
	if (first != -ENOENT)
		return adbgd_fail(error, first, "%s, opened as user %u: %s", file, owner->uid,
				  strerror(-first));
	if (fd != -ENOENT)
		return adbgd_fail(error, fd, "%s: %s", path, strerror(-fd));
	return adbgd_fail(error, -ENOENT, "there is no source file %s%s", file,
			  folders && folders[0] ? ", nor below the given directories" : "");
}

static int read_all(struct adbgd_source *s, int fd, struct adbgd_error *error)
{
	size_t room = 64 << 10;
	char *text = NULL;
	ssize_t n;

	/* Read until the end, because the size may have changed. */
	do {
		if (s->size > SOURCE_SIZE_MAX)
			return adbgd_fail(error, -E2BIG, "%s has more than %u MiB", s->path,
					  SOURCE_SIZE_MAX >> 20);
		if (!s->text || s->size + 2 > room) {
			room *= 2;
			text = realloc(s->text, room);
			if (!text)
				return adbgd_no_memory(error, s->path);
			s->text = text;
		}
		n = read(fd, s->text + s->size, room - s->size - 1);
		if (n > 0)
			s->size += n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		return adbgd_fail(error, -errno, "%s: %s", s->path, strerror(errno));
	s->text[s->size] = 0;
	return 0;
}

static int split(struct adbgd_source *s, struct adbgd_error *error)
{
	char *at = s->text, *end = s->text + s->size, *stop;
	uint32_t *lines;

	for (; at < end; at = stop + 1) {
		stop = memchr(at, '\n', end - at);
		if (!stop)
			stop = end;
		*stop = 0;
		if (stop > at && stop[-1] == '\r')
			stop[-1] = 0;
		if (s->num_lines == MAX_LINES)
			return adbgd_fail(error, -E2BIG, "%s has more than %d lines", s->path,
					  MAX_LINES);
		lines = adbgd_grow(s->lines, s->num_lines, &s->room, sizeof(*lines));
		if (!lines)
			return adbgd_no_memory(error, s->path);
		s->lines = lines;
		lines[s->num_lines++] = at - s->text;
	}
	return 0;
}

ADBGD_API int adbgd_source_open(const char *file, const char *const *folders,
				const struct adbgd_owner *owner,
				struct adbgd_source **source, struct adbgd_error *error)
{
	struct adbgd_source *s;
	char path[PATH_MAX];
	int fd, ret;

	fd = open_anywhere(file, folders, owner, path, error);
	if (fd < 0)
		return fd;
	s = calloc(1, sizeof(*s));
	if (s)
		s->path = strdup(path);
	if (!s || !s->path) {
		free(s);
		close(fd);
		return adbgd_no_memory(error, file);
	}
	ret = read_all(s, fd, error);
	close(fd);
	if (!ret)
		ret = split(s, error);
	if (ret) {
		adbgd_source_free(s);
		return ret;
	}
	*source = s;
	return 0;
}

int adbgd_source_new(const char *path, const char *text, struct adbgd_source **source,
		     struct adbgd_error *error)
{
	struct adbgd_source *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return adbgd_no_memory(error, path);
	s->path = strdup(path);
	s->text = strdup(text);
	s->size = strlen(text);
	if (!s->path || !s->text)
		ret = adbgd_no_memory(error, path);
	else if (s->size > SOURCE_SIZE_MAX)
		ret = adbgd_fail(error, -E2BIG, "%.400s has more than %u MiB", path,
				 SOURCE_SIZE_MAX >> 20);
	else
		ret = split(s, error);
	if (ret) {
		adbgd_source_free(s);
		return ret;
	}
	*source = s;
	return 0;
}

ADBGD_API void adbgd_source_free(struct adbgd_source *source)
{
	if (!source)
		return;
	free(source->lines);
	free(source->text);
	free(source->path);
	free(source);
}

ADBGD_API const char *adbgd_source_get_path(const struct adbgd_source *source)
{
	return source->path;
}

ADBGD_API const char *adbgd_source_get_line(const struct adbgd_source *source,
					    uint32_t number)
{
	return number && number <= source->num_lines ? source->text + source->lines[number - 1] :
						       NULL;
}

ADBGD_API uint32_t adbgd_source_get_num_lines(const struct adbgd_source *source)
{
	return source->num_lines;
}
