// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See split.h.
 *
 * libdw (0.188 to 0.192) joins a skeleton with its split unit by itself: indexes of addresses, base
 * addresses and ranges then work as if there was one file. It has no function to which the split
 * unit could be given, but opens the file that DW_AT_dwo_name names, when it is first asked for the
 * split unit, and never again for the same skeleton. That name is the target's. Therefore, before
 * libdw is asked, the file is found, read and checked here, what is needed of it is written to a
 * memory file (memfd_create(2)), and for the duration of the call the attribute names that:
 * "/proc/self/fd/N" takes the place of the name, of which libdw keeps no copy. An absolute name is
 * opened as it is. If any skeleton has no file, the debug information is not used at all, so
 * that libdw is never asked for a split unit that was not opened.
 */
#include "split.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "code_object.h"
#include "file.h"
#include "split_file.h"

/* Room for "/proc/self/fd/N" */
#define NAME_ROOM	32

/* Opening a file takes as long as so many steps. */
#define OPEN_STEPS	256

/* State while units are opened. It belongs to the Dwarf, in case libdw has no memory. */
struct adbgd_split_work {
	struct adbgd_split_file *packages;	/* .dwp files, which several units need */
	size_t num_packages, room_packages;
	struct adbgd_split_file file;
	/* a file of one unit, and libdw's view of it */
	uint8_t *image;
	size_t image_size;
	Elf *elf;
	Dwarf *dwarf;
	int fd;					/* memory file; -1: none */
};

/* The search for one unit */
struct search {
	struct adbgd_dwarf *d;
	struct adbgd_split_work *w;
	struct adbgd_debug_search where;
	uint64_t id;
	char path[PATH_MAX];		/* the file that is looked at */
	bool has_other;			/* a file has another unit */
	uint64_t other;			/* its id */
	char other_path[PATH_MAX];
	struct adbgd_error why;		/* what is wrong with the first bad file; error 0: none */
};

static void drop_image(struct adbgd_split_work *w)
{
	dwarf_end(w->dwarf);
	elf_end(w->elf);
	free(w->image);
	w->dwarf = NULL;
	w->elf = NULL;
	w->image = NULL;
}

void adbgd_split_end(struct adbgd_dwarf *d)
{
	struct adbgd_split_work *w = d->split_work;
	size_t i;

	if (!w)
		return;
	drop_image(w);
	for (i = 0; i < w->num_packages; i++)
		adbgd_split_file_free(d->code, &w->packages[i]);
	adbgd_split_file_free(d->code, &w->file);
	if (w->fd >= 0)
		close(w->fd);
	free(w->packages);
	free(w);
	d->split_work = NULL;
}

static struct adbgd_split_work *work_of(struct adbgd_dwarf *d)
{
	struct adbgd_split_work *w = d->split_work;

	if (w)
		return w;
	w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->fd = -1;
	d->split_work = w;
	d->free_splits = adbgd_split_end;
	return w;
}

/* --------------------------------------------------------------------- finding it */

/* Is the unit in the image? Return: 1; 0 no; -errno. */
static int find_unit(struct search *s, struct adbgd_error *error)
{
	struct adbgd_split_work *w = s->w;
	Dwarf_CU *unit = NULL;
	bool is_found = false;
	uint8_t type;
	uint64_t id;
	int ret;

	/* Look at all units: libdw would open the file that a skeleton among them names. */
	while (!(ret = dwarf_get_units(w->dwarf, unit, &unit, NULL, &type, NULL, NULL))) {
		if (type == DW_UT_skeleton)
			return adbgd_fail(error, -EBADMSG, "a part of it is in another file");
		if (type != DW_UT_split_compile ||
		    dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &id, NULL, NULL))
			continue;
		if (id == s->id) {
			is_found = true;
		} else if (!s->has_other) {
			s->has_other = true;
			s->other = id;
			memcpy(s->other_path, s->path, sizeof(s->path));
		}
	}
	return ret < 0 ? adbgd_fail(error, -EBADMSG, "its units are damaged: %s",
				    dwarf_errmsg(-1)) : is_found;
}

/* Read the image by libdw. It is not the one that will be joined with the skeleton. */
static int look_into(struct search *s, struct adbgd_error *error)
{
	struct adbgd_split_work *w = s->w;
	struct adbgd_dwarf_sections sections;
	int ret;

	w->elf = elf_memory((char *)w->image, w->image_size);
	w->dwarf = w->elf ? dwarf_begin_elf(w->elf, DWARF_C_READ, NULL) : NULL;
	if (!w->dwarf)
		return adbgd_fail(error, -EBADMSG, "its sections are damaged: %s",
				  dwarf_errmsg(-1));
	dwarf_new_oom_handler(w->dwarf, s->d->out_of_memory);
	sections = adbgd_dwarf_sections(w->elf);
	ret = adbgd_dwarf_check_units(s->d->code, &sections, true, error);
	if (!ret)
		ret = find_unit(s, error);
	return ret;
}

/* Is the unit in a file? If so, the image is that of the unit. Return: 1; 0 no; -errno. */
static int try_file(struct search *s, const struct adbgd_split_file *file,
		    struct adbgd_error *error)
{
	struct adbgd_split_work *w = s->w;
	struct adbgd_error why;
	int ret;

	drop_image(w);
	ret = adbgd_split_file_image(s->d->code, file, s->id, &w->image, &w->image_size, error);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = look_into(s, &why);
	if (ret < 0)
		adbgd_fail(error, ret, "%.1800s: %.340s", file->path, why.text);
	return ret;
}

/* Was this .dwp file read before? NULL: no */
static struct adbgd_split_file *package_of(const struct search *s)
{
	size_t i;

	for (i = 0; i < s->w->num_packages; i++) {
		if (!strcmp(s->w->packages[i].path, s->path))
			return &s->w->packages[i];
	}
	return NULL;
}

/* Keep a .dwp file for the other units. Return: NULL: no memory */
static struct adbgd_split_file *keep(struct adbgd_split_work *w)
{
	struct adbgd_split_file *packages = adbgd_grow(w->packages, w->num_packages,
						       &w->room_packages, sizeof(*packages));

	if (!packages)
		return NULL;
	w->packages = packages;
	packages[w->num_packages] = w->file;
	memset(&w->file, 0, sizeof(w->file));
	return &packages[w->num_packages++];
}

static int try_descriptor(struct search *s, int fd, struct adbgd_error *error)
{
	struct adbgd_split_file *file = package_of(s);
	int ret;

	if (file)
		return try_file(s, file, error);
	file = &s->w->file;
	adbgd_split_file_free(s->d->code, file);
	ret = adbgd_split_file_read(s->d->code, fd, s->path, file, error);
	if (!ret && file->sections[ADBGD_SPLIT_INDEX].bytes) {
		file = keep(s->w);
		if (!file)
			return adbgd_no_memory(error, s->path);
	}
	return ret ? ret : try_file(s, file, error);
}

/* Try one place. Return: 1 the unit is there; 0 no; -errno. */
static int try_place(struct search *s, size_t index, struct adbgd_error *error)
{
	int fd, ret = adbgd_dwarf_spend(s->d, ADBGD_COST_STEPS, OPEN_STEPS, error);

	if (ret)
		return ret;
	fd = adbgd_debug_path_open(&s->where, index, s->path);
	if (fd == -ENOENT || fd == -ERANGE)
		return fd == -ENOENT ? 0 : fd;
	if (fd < 0)
		return adbgd_fail(error, fd, "%s: %s", s->path, adbgd_file_error(fd));
	ret = try_descriptor(s, fd, error);
	close(fd);
	return ret;
}

/* A bad file in one place does not prevent that the right one is found in another. */
static bool ends_search(int error)
{
	return error == -EINTR || error == -ENOMEM || error == -E2BIG;
}

static int not_found(struct search *s, struct adbgd_error *error)
{
	const char *code = s->d->code->name, *name = s->where.name;

	if (s->why.error)
		return adbgd_fail(error, s->why.error, "%s", s->why.text);
	if (s->has_other)
		return adbgd_fail(error, -EOPNOTSUPP, "%.150s: a part of its debug information is in "
				  "another file, %.100s, but %.150s is of another compilation: its "
				  "DWO id is 0x%016" PRIx64 ", not 0x%016" PRIx64, code, name,
				  s->other_path, s->other, s->id);
	return adbgd_fail(error, -EOPNOTSUPP, "%.200s: a part of its debug information is in another "
			  "file, %.200s, which was not found; give the folder that contains it, or "
			  "compile without -gsplit-dwarf", code, name);
}

/* Find the file of the unit, and make an image of it. */
static int find_file(struct search *s, struct adbgd_error *error)
{
	struct adbgd_error why;
	size_t index;
	int ret;

	for (index = 0; ; index++) {
		ret = try_place(s, index, &why);
		if (ret > 0)
			return 0;
		if (ret == -ERANGE)
			return not_found(s, error);
		if (ends_search(ret))
			return adbgd_fail(error, ret, "%s", why.text);
		if (ret && !s->why.error)
			s->why = why;
	}
}

/* ---------------------------------------------------------- joining it with libdw */

/* Write the image to a memory file, which nothing can change then. Return: 0 or -errno. */
static int write_file(struct adbgd_split_work *w)
{
	size_t done = 0;
	ssize_t n;

	w->fd = memfd_create("amdgpudbg-dwo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (w->fd < 0)
		return -errno;
	while (done < w->image_size) {
		n = write(w->fd, w->image + done, w->image_size - done);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += n;
	}
	return fcntl(w->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) ? -errno : 0;
}

/* Make room behind the names of a section, for a longer one in place of the last. */
static int make_room(struct adbgd_dwarf *d, unsigned int i, struct adbgd_section *section,
		     struct adbgd_error *error)
{
	static const char *const sections[ADBGD_DWARF_STRINGS] = {
		".debug_str", ".debug_line_str",
	};
	int ret = adbgd_dwarf_spend(d, ADBGD_COST_SPLIT, section->size + NAME_ROOM, error);

	if (ret)
		return ret;
	d->strings[i] = calloc(1, section->size + NAME_ROOM);
	if (!d->strings[i])
		return adbgd_no_memory(error, d->code->name);
	memcpy(d->strings[i], section->bytes, section->size);
	section->bytes = (uint8_t *)d->strings[i];
	adbgd_dwarf_replace(d, sections[i], d->strings[i]);
	return 0;
}

/* Find the name of a skeleton where it can be changed, with NAME_ROOM bytes. */
static int find_name(struct adbgd_dwarf *d, Dwarf_Attribute *attr, char **name,
		     struct adbgd_error *error)
{
	struct adbgd_section *sections[ADBGD_DWARF_STRINGS] = {
		&d->sections.str, &d->sections.line_str,
	};
	uintptr_t at = (uintptr_t)dwarf_formstring(attr);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ADBGD_DWARF_STRINGS; i++) {
		if (!sections[i]->bytes ||
		    at - (uintptr_t)sections[i]->bytes >= sections[i]->size)
			continue;
		at -= (uintptr_t)sections[i]->bytes;
		if (!d->strings[i])
			ret = make_room(d, i, sections[i], error);
		if (ret)
			return ret;
		*name = d->strings[i] + at;
		if (*name == dwarf_formstring(attr))
			return 0;
		break;
	}
	/* The name is in the entry itself, or this version of libdw is not known. */
	return adbgd_fail(error, -EOPNOTSUPP, "%s: its skeleton unit has the name of the other file in "
			  "a form that is not supported", d->code->name);
}

/* Have libdw open the memory file as the file of the skeleton. */
static int join(struct adbgd_dwarf *d, Dwarf_Attribute *attr, Dwarf_Die *die,
		struct adbgd_error *error)
{
	char before[NAME_ROOM], *name = NULL;
	int ret = find_name(d, attr, &name, error);

	if (ret)
		return ret;
	memcpy(before, name, NAME_ROOM);
	snprintf(name, NAME_ROOM, "/proc/self/fd/%d", d->split_work->fd);
	memset(die, 0, sizeof(*die));
	ret = dwarf_cu_info(attr->cu, NULL, NULL, NULL, die, NULL, NULL, NULL);
	memcpy(name, before, NAME_ROOM);
	if (ret || !die->addr)
		return adbgd_dwarf_bad(d, "its split unit", error);
	return 0;
}

static uint64_t end_of(const struct adbgd_dwarf *d)
{
	const struct adbgd_split *last = d->num_splits ? d->splits[d->num_splits - 1] : NULL;

	return last ? last->first + last->sections.info.size : d->sections.info.size;
}

/* Add the split unit to the list of them. */
static int add(struct adbgd_dwarf *d, Dwarf_Die *skeleton, Dwarf_Die *die,
	       struct adbgd_error *error)
{
	struct adbgd_split **splits = adbgd_grow(d->splits, d->num_splits, &d->room_splits,
						 sizeof(*splits)), *s;
	Dwarf_Attribute attr;
	Dwarf_Word base;

	s = splits ? calloc(1, sizeof(*s)) : NULL;
	if (splits)
		d->splits = splits;
	if (!s)
		return adbgd_no_memory(error, d->code->name);
	s->dwarf = dwarf_cu_getdwarf(die->cu);
	s->first = end_of(d);
	s->sections = adbgd_dwarf_sections(dwarf_getelf(s->dwarf));
	if (dwarf_attr(skeleton, DW_AT_GNU_ranges_base, &attr) && !dwarf_formudata(&attr, &base))
		s->ranges_base = base;
	splits[d->num_splits++] = s;
	dwarf_new_oom_handler(s->dwarf, d->out_of_memory);
	dwarf_setalt(s->dwarf, s->dwarf);
	if (!tsearch(s, &d->split_tree, adbgd_split_by_dwarf))
		return adbgd_no_memory(error, d->code->name);
	return 0;
}

static int open_unit(struct search *s, Dwarf_Attribute *attr, struct adbgd_unit *unit,
		     struct adbgd_error *error)
{
	struct adbgd_split_work *w = s->w;
	struct adbgd_dwarf *d = s->d;
	int ret = find_file(s, error);

	if (!ret)
		/* It stays as long as the Dwarf. */
		ret = adbgd_dwarf_spend(d, ADBGD_COST_SPLIT, w->image_size, error);
	if (ret)
		return ret;
	ret = write_file(w);
	if (ret)
		ret = adbgd_fail(error, ret, "%s: a memory file: %s", s->path, strerror(-ret));
	if (!ret)
		ret = join(d, attr, &unit->die, error);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	drop_image(w);
	return ret ? ret : add(d, &unit->lines, &unit->die, error);
}

int adbgd_split_open(struct adbgd_dwarf *d, struct adbgd_unit *unit, struct adbgd_error *error)
{
	struct adbgd_split_work *w = work_of(d);
	Dwarf_Die *skeleton = &unit->lines;
	Dwarf_Attribute attr;
	struct search *s;
	int ret;

	s = w ? calloc(1, sizeof(*s)) : NULL;
	if (!s)
		return adbgd_no_memory(error, d->code->name);
	s->d = d;
	s->w = w;
	s->where.paths = &d->code->debug_paths;
	s->where.file = d->code->is_named ? d->code->name : NULL;
	/* libdw asks for the two attributes in this order. */
	if (dwarf_attr(skeleton, DW_AT_dwo_name, &attr) ||
	    dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attr))
		s->where.name = adbgd_dwarf_name(d, dwarf_formstring(&attr));
	if (!s->where.name || !*s->where.name)
		ret = adbgd_fail(error, -EBADMSG, "%s: its debug information is damaged: a skeleton "
				 "unit does not name its other file", d->code->name);
	else if (dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &s->id, NULL, NULL))
		ret = adbgd_dwarf_bad(d, "a skeleton unit", error);
	else
		ret = open_unit(s, &attr, unit, error);
	free(s);
	return ret;
}
