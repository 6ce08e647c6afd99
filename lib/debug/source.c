// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Source files: where they are, and their lines.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define SOURCE_SIZE_MAX	(64U << 20)

struct adbgd_source {
	char *path;
	char *text;		/* each line ends with 0 */
	size_t size;
	char **lines;
	size_t num_lines, room;
};

/* A regular file; or -errno */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -ENOENT;
}

/* Below a folder: with all folders of its own, then with fewer and fewer */
static int open_below(const char *folder, const char *file, char path[PATH_MAX])
{
	const char *rest = file;
	int fd = -ENOENT, length;

	while (rest && fd == -ENOENT) {
		while (*rest == '/')
			rest++;
		length = snprintf(path, PATH_MAX, "%s/%s", folder, rest);
		if (length < PATH_MAX && *rest)
			fd = open_file(path);
		/* A folder's name may be that of a file here. */
		if (fd == -ENOTDIR)
			fd = -ENOENT;
		rest = strchr(rest, '/');
	}
	return fd;
}

static int open_anywhere(const char *file, const char *const *folders,
			 char path[PATH_MAX], struct adbgd_error *error)
{
	size_t i;
	int fd;

	if (snprintf(path, PATH_MAX, "%s", file) >= PATH_MAX)
		return adbgd_fail(error, -ENAMETOOLONG, "the name of a source file is too long");
	fd = open_file(path);
	for (i = 0; folders && folders[i] && (fd == -ENOENT || fd == -ENOTDIR); i++)
		fd = open_below(folders[i], file, path);
	if (fd == -ENOENT || fd == -ENOTDIR)
		return adbgd_fail(error, -ENOENT, "there is no source file %s%s", file,
				  folders && folders[0] ?
				  ", nor below the folders to look in" : "");
	return fd >= 0 ? fd : adbgd_fail(error, fd, "%s: %s", path, strerror(-fd));
}

static int read_all(struct adbgd_source *s, int fd, struct adbgd_error *error)
{
	size_t room = 64 << 10;
	char *text = NULL;
	ssize_t n;

	/* Its size may be another one meanwhile. */
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
	char **lines;

	for (; at < end; at = stop + 1) {
		stop = memchr(at, '\n', end - at);
		if (!stop)
			stop = end;
		*stop = 0;
		if (stop > at && stop[-1] == '\r')
			stop[-1] = 0;
		lines = adbgd_grow(s->lines, s->num_lines, &s->room, sizeof(*lines));
		if (!lines)
			return adbgd_no_memory(error, s->path);
		s->lines = lines;
		lines[s->num_lines++] = at;
	}
	return 0;
}

ADBGD_API int adbgd_source_open(const char *file, const char *const *folders,
				struct adbgd_source **source, struct adbgd_error *error)
{
	struct adbgd_source *s;
	char path[PATH_MAX];
	int fd, ret;

	fd = open_anywhere(file, folders, path, error);
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
	ret = ret ? ret : split(s, error);
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
	return number && number <= source->num_lines ? source->lines[number - 1] : NULL;
}

ADBGD_API uint32_t adbgd_source_count(const struct adbgd_source *source)
{
	return source->num_lines;
}
