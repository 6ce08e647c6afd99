// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See debug_path.h. The target chooses the name of a .dwo file; the user has named the code object,
 * a folder, or the file itself. So the name of the target is only searched below these folders, and
 * only as its last part, or as a relative path without "..". See file.h for what is opened at all.
 */
#include "debug_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

#define PATHS_MAX	64

/* What is searched in each folder */
enum place {
	LAST_PART,	/* the last part of the name */
	RELATIVE,	/* the name itself */
	PACKAGE,	/* the .dwp file of the code object */
	NUM_PLACES,
};

void adbgd_debug_paths_free(struct adbgd_debug_paths *paths)
{
	unsigned int i;

	for (i = 0; i < paths->num; i++)
		free(paths->all[i]);
	free(paths->all);
}

int adbgd_debug_paths_add(struct adbgd_debug_paths *paths, const char *path,
			  struct adbgd_error *error)
{
	char **all, *copy;
	struct stat st;

	if (stat(path, &st))
		return adbgd_fail(error, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return adbgd_fail(error, -ENOTDIR, "%s is neither a folder nor a file", path);
	if (paths->num >= PATHS_MAX)
		return adbgd_fail(error, -E2BIG, "more than %u folders of debug information",
				  PATHS_MAX);
	copy = strdup(path);
	all = realloc(paths->all, (paths->num + 1) * sizeof(*all));
	if (all)
		paths->all = all;
	if (!copy || !all) {
		free(copy);
		return adbgd_no_memory(error, path);
	}
	all[paths->num++] = copy;
	return 0;
}

static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static bool has_parent(const char *name)
{
	size_t length;

	for (; *name; name += length + !!name[length]) {
		length = strcspn(name, "/");
		if (length == 2 && !memcmp(name, "..", 2))
			return true;
	}
	return false;
}

/* Get the name to search in a folder; false: there is none. */
static bool name_of(const struct adbgd_debug_search *s, enum place place, char *file)
{
	const char *name = s->name, *last = last_part(name);
	int length;

	switch (place) {
	case LAST_PART:
		length = snprintf(file, PATH_MAX, "%s", last);
		break;
	case RELATIVE:
		if (last == name || *name == '/' || has_parent(name))
			return false;
		length = snprintf(file, PATH_MAX, "%s", name);
		break;
	default:
		/* A code object in memory has no name of a file. */
		if (!s->file)
			return false;
		length = snprintf(file, PATH_MAX, "%s.dwp", last_part(s->file));
		break;
	}
	return length > 0 && length < PATH_MAX && strcmp(file, ".") && strcmp(file, "..");
}

/* Open @folder to search it, without reading it. Return a descriptor or -errno. */
static int open_folder(const char *folder)
{
	int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_in(const struct adbgd_debug_search *s, const char *folder, enum place place,
		   char *path)
{
	char file[PATH_MAX];
	int folder_fd, fd;

	if (!name_of(s, place, file))
		return -ENOENT;
	snprintf(path, PATH_MAX, "%.2000s/%.2000s", folder, file);
	folder_fd = open_folder(folder);
	if (folder_fd < 0)
		return folder_fd;
	fd = adbgd_file_open_below(folder_fd, file);
	close(folder_fd);
	return fd;
}

/* Search in the folder of the code object. */
static int open_beside(const struct adbgd_debug_search *s, enum place place, char *path)
{
	const char *slash = strrchr(s->file, '/');
	char folder[PATH_MAX] = ".";

	if (slash)
		snprintf(folder, sizeof(folder), "%.*s", slash == s->file ? 1 :
			 (int)(slash - s->file), s->file);
	return open_in(s, folder, place, path);
}

int adbgd_debug_path_open(const struct adbgd_debug_search *search, size_t index, char *path)
{
	enum place place = index % NUM_PLACES;
	size_t i = index / NUM_PLACES;
	const char *named;
	int fd;

	if (i >= search->paths->num) {
		if (!search->file || i > search->paths->num)
			return -ERANGE;
		return open_beside(search, place, path);
	}
	named = search->paths->all[i];
	fd = open_in(search, named, place, path);
	if (fd != -ENOTDIR || place != LAST_PART)
		return fd == -ENOTDIR ? -ENOENT : fd;
	/* The user has named the file itself. */
	snprintf(path, PATH_MAX, "%s", named);
	return adbgd_file_open(path);
}
