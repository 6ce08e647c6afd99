// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The code objects of a process: see amdgpudbg-debug-objects.h.
 *
 * No event says that code was loaded. What there is: the events that mappings have changed and
 * that a job begins, and the addresses of waves. Mappings that are new are searched, also when
 * the next jobs begin, because a program maps memory before it writes code into it; and so is
 * the memory around a wave's PC.
 */
#include "objects.h"

#include <poll.h>

#include "code/code_object.h"

/* Instructions in unknown code that were looked at, and are not again while they are the same */
#define NUM_UNKNOWN	64

/* Bytes of an instruction stream that are compared before all of it is */
#define HEAD		64

/* Memory around a wave's PC up to this size is searched as a whole. */
#define AROUND_MAX	(256ULL << 20)

struct adbgd_object {
	struct adbgd_object_info info;
	char *path;			/* of a file */
	size_t entry;			/* index of the code object in the file */
	uint64_t sample;		/* of its instructions in memory, while it is loaded */
};

/* An address in unknown code */
struct unknown {
	uint64_t address;
	uint64_t sample;
};

struct adbgd_objects {
	struct adbg_session *session;
	struct adbgd_memory memory;
	const char *gpu;
	int interrupt_fd;
	struct adbgd_debug_paths debug_paths;
	struct adbgd_budget *sum;	/* of the memory of all objects that were found */
	void (*changed)(void *data, struct adbgd_object *object, bool is_loaded);
	void *data;
	struct adbgd_object **all;	/* loaded ones by address, then pending ones */
	size_t num, num_loaded, room;
	size_t num_found;
	struct adbgd_memory_map map;
	uint64_t followed;		/* events that are passed to handle_event() */
	bool was_listed;
	bool is_remapped;		/* mappings may have changed since the last list */
	bool is_written;		/* memory may have changed since all of it was searched */
	bool has_job;			/* a job has begun since the last search */
	struct unknown unknown[NUM_UNKNOWN];
	size_t next_unknown;
	struct adbgd_objects_counts counts;
};

/* One search, with a budget of its own */
struct search {
	struct adbgd_objects *objects;
	struct adbgd_memory memory;
	const struct adbgd_span *spans;
	size_t num;
};

static uint64_t text_of(const struct adbgd_object *object)
{
	return object->info.code->info.text.start;
}

static bool is_pending(const struct adbgd_object *object)
{
	return object->info.flags & ADBGD_OBJECT_PENDING;
}

static bool is_file(const struct adbgd_object *object)
{
	return object->info.flags & ADBGD_OBJECT_FILE;
}

static bool is_interrupted(const struct adbgd_objects *o)
{
	struct pollfd fd = { .fd = o->interrupt_fd, .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

/* ------------------------------------------------------------------------ the list */

static void object_free(struct adbgd_object *object)
{
	if (!object)
		return;
	adbgd_code_free(object->info.code);
	free(object->path);
	free(object);
}

static struct adbgd_object *object_new(struct adbgd_code *code, const char *path, size_t entry)
{
	struct adbgd_object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->info.code = code;
	object->info.flags = ADBGD_OBJECT_PENDING | (path ? ADBGD_OBJECT_FILE : 0);
	object->entry = entry;
	if (!path)
		return object;
	object->path = strdup(path);
	if (object->path)
		return object;
	free(object);
	return NULL;
}

static bool make_room(struct adbgd_objects *o)
{
	struct adbgd_object **all = adbgd_grow(o->all, o->num, &o->room, sizeof(*all));

	if (all)
		o->all = all;
	return all;
}

/* There must be room. */
static void insert(struct adbgd_objects *o, struct adbgd_object *object)
{
	size_t i = 0;

	if (is_pending(object)) {
		i = o->num;
	} else {
		while (i < o->num_loaded && text_of(o->all[i]) < text_of(object))
			i++;
		o->num_loaded++;
	}
	memmove(&o->all[i + 1], &o->all[i], (o->num - i) * sizeof(*o->all));
	o->all[i] = object;
	o->num++;
	o->num_found += !is_file(object);
}

static void take_out(struct adbgd_objects *o, struct adbgd_object *object)
{
	size_t i = 0;

	while (o->all[i] != object)
		i++;
	o->num_loaded -= i < o->num_loaded;
	memmove(&o->all[i], &o->all[i + 1], (--o->num - i) * sizeof(*o->all));
	o->num_found -= !is_file(object);
}

static void report(struct adbgd_objects *o, struct adbgd_object *object, bool is_loaded)
{
	if (o->changed)
		o->changed(o->data, object, is_loaded);
}

static void drop(struct adbgd_objects *o, struct adbgd_object *object)
{
	bool was_loaded = !is_pending(object);

	take_out(o, object);
	object->info.flags |= ADBGD_OBJECT_PENDING;
	if (was_loaded)
		report(o, object, false);
	object_free(object);
}

/* It is no longer in memory. */
static void unload(struct adbgd_objects *o, struct adbgd_object *object)
{
	if (!is_file(object)) {
		drop(o, object);
		return;
	}
	take_out(o, object);
	object->info.flags |= ADBGD_OBJECT_PENDING;
	insert(o, object);
	report(o, object, false);
}

/* Get the object whose instructions begin at @address; NULL: none. */
static struct adbgd_object *loaded_at(const struct adbgd_objects *o, uint64_t address)
{
	size_t i;

	for (i = 0; i < o->num_loaded; i++)
		if (text_of(o->all[i]) == address)
			return o->all[i];
	return NULL;
}

/* The base address is set. There must be room. */
static void load(struct adbgd_objects *o, struct adbgd_object *object)
{
	struct adbgd_object *before = loaded_at(o, text_of(object));

	/* Two files can have the same instructions: then the one that was added last counts. */
	if (before)
		drop(o, before);
	object->info.flags &= ~ADBGD_OBJECT_PENDING;
	object->info.num_loads++;
	object->sample = adbgd_memory_sample(&o->memory, &object->info.code->info.text);
	insert(o, object);
	report(o, object, true);
}

ADBGD_API struct adbgd_code *adbgd_objects_at(const struct adbgd_objects *objects, uint64_t address)
{
	size_t i;

	for (i = 0; i < objects->num_loaded; i++)
		if (adbgd_code_has(objects->all[i]->info.code, address))
			return objects->all[i]->info.code;
	return NULL;
}

/* ----------------------------------------------------------------------- searching */

static int search_begin(struct search *s, struct adbgd_objects *o, struct adbgd_error *error)
{
	*s = (struct search){ .objects = o, .memory = o->memory };
	return adbgd_scan_budget_new(o->interrupt_fd, &s->memory.budget, error);
}

static void search_end(struct search *s)
{
	adbgd_scan_budget_free(s->memory.budget);
}

/* Compare the instructions of a file with memory. Return: as adbgd_code_find_base(). */
static int find_base(struct search *s, struct adbgd_object *object, const struct adbgd_span *spans,
		     size_t num, uint64_t *address, struct adbgd_error *error)
{
	size_t i;

	s->objects->counts.searches++;
	for (i = 0; i < num; i++)
		s->objects->counts.searched += spans[i].size;
	return adbgd_code_find_base(object->info.code, &s->memory, spans, num, NULL, 0, address,
				    error);
}

/* Set the address of a pending file. False: another file is there, with the same instructions. */
static bool load_at(struct adbgd_objects *o, struct adbgd_object *object, uint64_t address)
{
	struct adbgd_object *there = loaded_at(o, address);

	if ((there && is_file(there)) || adbgd_code_set_base(object->info.code, address, NULL))
		return false;
	take_out(o, object);
	load(o, object);
	return true;
}

static int interrupted(struct adbgd_error *error)
{
	return adbgd_fail(error, -EINTR, "the search for code objects was interrupted");
}

/* Return: 0, or -EINTR; other errors leave files pending. */
static int search_files(struct search *s, struct adbgd_error *error)
{
	struct adbgd_objects *o = s->objects;
	struct adbgd_object *object;
	size_t left = 0;
	uint64_t address;
	int ret;

	while (o->num_loaded + left < o->num) {
		object = o->all[o->num_loaded + left];
		ret = find_base(s, object, s->spans, s->num, &address, NULL);
		if (ret == -EINTR)
			return interrupted(error);
		if (ret || !load_at(o, object, address))
			left++;
	}
	return 0;
}

/* Open the code object whose header is at @address. NULL: it is incomplete. */
static struct adbgd_code *open_found(struct search *s, uint64_t address)
{
	struct adbgd_code *code;
	uint64_t size = 0, text;
	size_t i;

	for (i = 0; i < s->num; i++)
		if (address - s->spans[i].start < s->spans[i].size)
			size = s->spans[i].size - (address - s->spans[i].start);
	if (adbgd_code_new_memory(&s->memory, address, size, &code, NULL))
		return NULL;
	/* A copy of a file: find its instructions. */
	if (!(code->info.flags & ADBGD_CODE_HAS_BASE) &&
	    (adbgd_code_find_base(code, &s->memory, s->spans, s->num, NULL, 0, &text, NULL) ||
	     adbgd_code_set_base(code, text, NULL))) {
		adbgd_code_free(code);
		return NULL;
	}
	return code;
}

/* Limit the memory for debug information of all objects that were found, by all searches. */
static void join(struct adbgd_objects *o, struct adbgd_code *code)
{
	adbgd_budget_end(&code->budget);
	adbgd_budget_join(&code->budget, o->sum);
	o->sum->memory += code->budget.memory;
}

/* A folder that is no longer there is left out. */
static void add_debug_paths(const struct adbgd_objects *o, struct adbgd_code *code)
{
	unsigned int i;

	for (i = 0; i < o->debug_paths.num; i++)
		if (adbgd_code_add_debug_path(code, o->debug_paths.all[i], NULL))
			continue;
}

static void add_found(struct adbgd_objects *o, struct adbgd_code *code)
{
	struct adbgd_object *object = NULL;

	/* The user named its file, which has more information; or it was found before. */
	if (!adbgd_objects_at(o, code->info.text.start) && o->num_found < ADBGD_OBJECTS_FOUND_MAX &&
	    make_room(o))
		object = object_new(code, NULL, 0);
	if (!object) {
		adbgd_code_free(code);
		return;
	}
	join(o, code);
	add_debug_paths(o, code);
	load(o, object);
}

/* Return: 0, or -EINTR. If there are too many, those that were found can be used. */
static int search_headers(struct search *s, struct adbgd_error *error)
{
	struct adbgd_objects *o = s->objects;
	uint64_t address = 0, from = 0;
	struct adbgd_code *code;
	size_t i;
	int ret;

	o->counts.searches++;
	for (i = 0; i < s->num; i++)
		o->counts.searched += s->spans[i].size;
	for (;;) {
		ret = adbgd_memory_find_code(&s->memory, s->spans, s->num, from, &address, NULL);
		if (ret == -EINTR || is_interrupted(o))
			return interrupted(error);
		if (ret)
			return 0;
		code = open_found(s, address);
		if (code)
			add_found(o, code);
		from = address + 1;
	}
}

/* ------------------------------------------------------------------------- updates */

static bool follows(const struct adbgd_objects *o, uint32_t type)
{
	return o->followed >> type & 1;
}

/* List the mappings, if they may have changed. */
static int list(struct adbgd_objects *o, struct adbgd_error *error)
{
	int ret;

	if (!o->is_remapped && follows(o, AMDGPUDBG_EVENT_VM_CHANGED))
		return 0;
	/* A change during the call raises another event. */
	o->is_remapped = false;
	o->counts.lists++;
	ret = adbgd_memory_map_read(&o->map, o->session, !o->was_listed, error);
	o->is_remapped = ret;
	o->was_listed |= !ret;
	return ret;
}

/* Is the object still at its address? @whole: compare all of a file, not only a sample */
static bool is_there(struct search *s, struct adbgd_object *object, bool whole)
{
	const struct adbgd_span *text = &object->info.code->info.text;
	struct adbgd_objects *o = s->objects;
	uint64_t sample, address;
	int ret;

	o->counts.checks++;
	sample = adbgd_memory_sample(&o->memory, text);
	if (!sample || sample != object->sample)
		return false;
	if (!whole || !is_file(object))
		return true;
	ret = adbgd_code_find_base(object->info.code, &s->memory, text, 1, NULL, 0, &address, NULL);
	/* Interrupted, or too much: it is not known that it is gone. */
	return !ret || ret == -EINTR || ret == -E2BIG;
}

static void drop_unloaded(struct search *s, bool whole)
{
	struct adbgd_objects *o = s->objects;
	size_t i = 0;

	while (i < o->num_loaded && !is_interrupted(o)) {
		if (is_there(s, o->all[i], whole))
			i++;
		else
			unload(o, o->all[i]);
	}
}

static int search_all(struct search *s, bool is_all, struct adbgd_error *error)
{
	struct adbgd_objects *o = s->objects;
	struct adbgd_span *spans;
	int ret = adbgd_memory_map_spans(&o->map, is_all, o->has_job, &spans, &s->num, error);

	if (ret)
		return ret;
	s->spans = spans;
	if (s->num)
		ret = search_files(s, error);
	if (!ret && s->num)
		ret = search_headers(s, error);
	free(spans);
	if (ret)
		return ret;
	adbgd_memory_map_searched(&o->map, o->has_job);
	o->has_job = false;
	return 0;
}

ADBGD_API int adbgd_objects_update(struct adbgd_objects *objects, uint32_t what,
				   struct adbgd_error *error)
{
	struct adbgd_objects *o = objects;
	bool is_all = what == ADBGD_OBJECTS_ALL, was_remapped;
	struct search s;
	int ret;

	was_remapped = o->is_remapped || !follows(o, AMDGPUDBG_EVENT_VM_CHANGED);
	is_all &= o->is_written || (ADBGD_OBJECTS_EVENTS & ~o->followed);
	if (!was_remapped && !is_all && !adbgd_memory_map_waits(&o->map, o->has_job))
		return 0;
	ret = search_begin(&s, o, error);
	if (ret)
		return ret;
	ret = list(o, error);
	if (!ret && (was_remapped || is_all))
		drop_unloaded(&s, is_all);
	if (!ret)
		ret = search_all(&s, is_all, error);
	if (!ret && is_all)
		o->is_written = false;
	/* Not all objects may have been checked. */
	o->is_remapped |= ret == -EINTR;
	search_end(&s);
	return ret;
}

/* Is this the first instruction of a kernel of a pending file? Then it is known where that is. */
static bool load_by_kernel(struct search *s, struct adbgd_object *object, uint64_t address,
			   const uint8_t head[HEAD])
{
	const struct adbgd_code *code = object->info.code;
	const struct adbgd_kernel *kernel;
	struct adbgd_span span;
	const uint8_t *bytes;
	uint64_t found;
	size_t i;

	for (i = 0; (kernel = adbgd_code_get_kernel(code, i)); i++) {
		bytes = adbgd_elf_bytes(&code->elf, kernel->entry - code->info.bias, HEAD);
		if (!bytes || memcmp(bytes, head, HEAD))
			continue;
		span.start = address - (kernel->entry - code->info.text.start);
		span.size = code->info.text.size;
		if (!find_base(s, object, &span, 1, &found, NULL))
			return load_at(s->objects, object, found);
	}
	return false;
}

static int search_around(struct search *s, uint64_t address, struct adbgd_error *error)
{
	struct adbgd_objects *o = s->objects;
	struct adbgd_span span;
	uint8_t head[HEAD];
	size_t i;
	int ret;

	if (!s->memory.read(s->memory.data, address, head, HEAD))
		for (i = o->num_loaded; i < o->num; i++)
			if (load_by_kernel(s, o->all[i], address, head))
				return 0;
	if (!adbgd_memory_map_around(&o->map, address, &span) || span.size > AROUND_MAX)
		return 0;
	s->spans = &span;
	s->num = 1;
	ret = search_files(s, error);
	return ret || adbgd_objects_at(o, address) ? ret : search_headers(s, error);
}

/* Was this address looked at before, with the same instructions? If not, remember it. */
static bool is_unknown(struct adbgd_objects *o, uint64_t address)
{
	struct adbgd_span span = { .start = address & ~0xffULL, .size = 0x100 };
	uint64_t sample = adbgd_memory_sample(&o->memory, &span);
	size_t i;

	for (i = 0; i < NUM_UNKNOWN; i++)
		if (o->unknown[i].address == span.start && o->unknown[i].sample == sample)
			return true;
	o->unknown[o->next_unknown++ % NUM_UNKNOWN] = (struct unknown){ span.start, sample };
	return false;
}

ADBGD_API int adbgd_objects_look_at(struct adbgd_objects *objects, uint64_t address,
				    struct adbgd_error *error)
{
	struct adbgd_objects *o = objects;
	struct search s;
	int ret = adbgd_objects_update(o, ADBGD_OBJECTS_NEW, error);

	if (ret || adbgd_objects_at(o, address))
		return ret;
	if (!is_unknown(o, address)) {
		ret = search_begin(&s, o, error);
		if (ret)
			return ret;
		ret = search_around(&s, address, error);
		search_end(&s);
		if (ret)
			return ret;
	}
	return adbgd_objects_at(o, address) ? 0 :
	       adbgd_fail(error, -ENOENT, "no known code object contains the instruction at %#llx",
			  (unsigned long long)address);
}

ADBGD_API void adbgd_objects_handle_event(struct adbgd_objects *objects,
					  const struct amdgpudbg_event *event)
{
	switch (event->type) {
	case AMDGPUDBG_EVENT_JOB_BEGIN:
		objects->has_job = true;
		objects->is_written = true;
		break;
	case AMDGPUDBG_EVENT_VM_CHANGED:
	case AMDGPUDBG_EVENT_LOST:
		objects->is_remapped = true;
		objects->is_written = true;
		memset(objects->unknown, 0, sizeof(objects->unknown));
		break;
	default:
		break;
	}
}

/* --------------------------------------------------------------------------- files */

/* Find a file in memory. Return: 0 @address is set; -ENOENT it is pending; -errno. */
static int place(struct search *s, struct adbgd_object *object, const uint64_t *at,
		 uint64_t *address, struct adbgd_error *error)
{
	struct adbgd_code *code = object->info.code;
	struct adbgd_span *spans;
	size_t num;
	int ret;

	if (at) {
		ret = adbgd_code_set_base(code, *at, error);
		if (ret)
			return ret;
		ret = find_base(s, object, &code->info.text, 1, address, error);
		return ret != -ENOENT ? ret :
		       adbgd_fail(error, ret, "the instructions of %s are not at 0x%016llx",
				  code->name, (unsigned long long)*at);
	}
	ret = adbgd_memory_map_spans(&s->objects->map, true, false, &spans, &num, error);
	if (ret)
		return ret;
	ret = find_base(s, object, spans, num, address, error);
	free(spans);
	return ret;
}

/* Drop what was added of the same file before. */
static void replace(struct adbgd_objects *o, const struct adbgd_object *by)
{
	size_t i;

	for (i = 0; i < o->num; i++) {
		struct adbgd_object *object = o->all[i];

		if (object == by || !is_file(object) || object->entry != by->entry ||
		    strcmp(object->path, by->path) ||
		    (!is_pending(object) && !is_pending(by) && text_of(object) != text_of(by)))
			continue;
		drop(o, object);
		return;
	}
}

static int add_entry(struct search *s, struct adbgd_code *code, const char *path, size_t entry,
		     const uint64_t *at, struct adbgd_object **added, struct adbgd_error *error)
{
	struct adbgd_objects *o = s->objects;
	struct adbgd_object *object = make_room(o) ? object_new(code, path, entry) : NULL;
	struct adbgd_error why;
	uint64_t address;
	int ret;

	if (!object) {
		adbgd_code_free(code);
		return adbgd_no_memory(error, path);
	}
	adbgd_code_set_interrupt(code, o->interrupt_fd);
	add_debug_paths(o, code);
	ret = place(s, object, at, &address, &why);
	if (!ret)
		ret = adbgd_code_set_base(code, address, &why);
	if (ret && (ret != -ENOENT || at)) {
		object_free(object);
		return adbgd_fail(error, ret, "%s", why.text);
	}
	if (!ret)
		object->info.flags &= ~ADBGD_OBJECT_PENDING;
	replace(o, object);
	if (ret)
		insert(o, object);
	else
		load(o, object);
	if (!*added || (is_pending(*added) && !ret))
		*added = object;
	return 0;
}

ADBGD_API int adbgd_objects_add(struct adbgd_objects *objects, const char *path,
				const uint64_t *address, struct adbgd_object **object,
				struct adbgd_error *error)
{
	struct adbgd_object *added = NULL;
	struct adbgd_code *code;
	struct search s;
	size_t i = 0;
	int ret = adbgd_code_open_entry(path, objects->gpu, 0, &code, error);

	if (ret)
		return ret;
	ret = list(objects, error);
	if (!ret)
		ret = search_begin(&s, objects, error);
	if (ret) {
		adbgd_code_free(code);
		return ret;
	}
	do {
		ret = add_entry(&s, code, path, i++, address, &added, error);
		/* Of several code objects, the address is that of the first. */
	} while (!ret && !address && !is_interrupted(objects) &&
		 !adbgd_code_open_entry(path, objects->gpu, i, &code, NULL));
	search_end(&s);
	/* If a later one is ambiguous, the others can be used. */
	if (!added)
		return ret;
	*object = added;
	return 0;
}

ADBGD_API int adbgd_objects_add_debug_path(struct adbgd_objects *objects, const char *path,
					   struct adbgd_error *error)
{
	int ret = adbgd_debug_paths_add(&objects->debug_paths, path, error);
	size_t i;

	for (i = 0; !ret && i < objects->num; i++)
		ret = adbgd_code_add_debug_path(objects->all[i]->info.code, path, error);
	return ret;
}

/* ----------------------------------------------------------------- creating, reading */

ADBGD_API int adbgd_objects_new(struct adbg_session *session, const struct adbgd_memory *memory,
				int interrupt_fd, struct adbgd_objects **objects,
				struct adbgd_error *error)
{
	struct adbgd_objects *o = calloc(1, sizeof(*o));
	int ret;

	if (!o)
		return adbgd_no_memory(error, "a list of code objects");
	ret = adbgd_scan_budget_new(interrupt_fd, &o->sum, error);
	if (ret) {
		free(o);
		return ret;
	}
	o->session = session;
	o->memory = (struct adbgd_memory){ .read = memory->read, .data = memory->data };
	o->gpu = adbg_gpu_name(adbg_session_get_gc_version(session));
	o->interrupt_fd = interrupt_fd;
	o->is_remapped = true;
	o->is_written = true;
	*objects = o;
	return 0;
}

ADBGD_API void adbgd_objects_free(struct adbgd_objects *objects)
{
	size_t i;

	if (!objects)
		return;
	for (i = 0; i < objects->num; i++)
		object_free(objects->all[i]);
	free(objects->all);
	free(objects->map.all);
	adbgd_debug_paths_free(&objects->debug_paths);
	adbgd_scan_budget_free(objects->sum);
	free(objects);
}

ADBGD_API void adbgd_objects_set_callback(struct adbgd_objects *objects,
					  void (*changed)(void *data, struct adbgd_object *object,
							  bool is_loaded),
					  void *data)
{
	objects->changed = changed;
	objects->data = data;
}

ADBGD_API void adbgd_objects_follow(struct adbgd_objects *objects, uint64_t mask)
{
	objects->followed = mask;
}

ADBGD_API struct adbgd_object *adbgd_objects_get(const struct adbgd_objects *objects, size_t i)
{
	return i < objects->num ? objects->all[i] : NULL;
}

ADBGD_API struct adbgd_code *adbgd_objects_get_loaded(const struct adbgd_objects *objects, size_t i)
{
	return i < objects->num_loaded ? objects->all[i]->info.code : NULL;
}

ADBGD_API struct adbgd_object *adbgd_objects_find(const struct adbgd_objects *objects,
						  const struct adbgd_code *code)
{
	size_t i;

	for (i = 0; i < objects->num; i++)
		if (objects->all[i]->info.code == code)
			return objects->all[i];
	return NULL;
}

ADBGD_API const struct adbgd_object_info *adbgd_object_get_info(const struct adbgd_object *object)
{
	return &object->info;
}

ADBGD_API const struct adbgd_objects_counts *
adbgd_objects_get_counts(const struct adbgd_objects *objects)
{
	return &objects->counts;
}
