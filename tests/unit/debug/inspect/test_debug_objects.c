// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code objects of a process: files that are pending, loaded, unloaded, and loaded elsewhere;
 * objects in memory; and that memory which did not change is not read again. The mappings are
 * those of a simulated process.
 */
#include "debug/util.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <amdgpudbg-debug-objects.h>

#include "mock.h"

#define KERNELS	KERNELS_CO "kernels.co"
#define TOUCH	KERNELS_CO "touch.co"
#define DATA	0x700000000ULL
#define BASE	0x100000000ULL
#define OTHER	0x200000000ULL

#define NO_LOADS	""

static struct fake_memory memory;
static struct adbg_session *session;
static struct adbgd_objects *objects;
static struct adbgd_error error;
/* What the callback was called for, such as "+kernels.co -kernels.co" */
static char changes[512];

static void give_mappings(void *arg)
{
	struct amdgpudbg_vm_list *list = arg;
	struct amdgpudbg_mapping *to = (struct amdgpudbg_mapping *)(uintptr_t)list->mappings;

	for (size_t i = 0; i < memory.num; i++)
		to[i] = (struct amdgpudbg_mapping){
			.va = memory.spans[i].start, .bytes = memory.spans[i].size,
			.kind = AMDGPUDBG_KIND_SYSTEM,
			.flags = AMDGPUDBG_MAPPING_READ | AMDGPUDBG_MAPPING_EXEC,
		};
	list->count = memory.num;
}

static void note_change(void *data, struct adbgd_object *object, bool is_loaded)
{
	const char *name = adbgd_code_get_info(adbgd_object_get_info(object)->code)->name;
	const char *slash = strrchr(name, '/');
	size_t length = strlen(changes);

	assert_ptr_equal(data, changes);
	snprintf(changes + length, sizeof(changes) - length, "%s%c%s", length ? " " : "",
		 is_loaded ? '+' : '-', slash ? slash + 1 : name);
}

static int begin(void **state)
{
	static const struct mock_ioctl open[] = { MOCK_GET_INFO };
	static const struct mock_ioctl answers[] = {
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = give_mappings },
	};

	mock_setup(state);
	fake_init(&memory);
	fake_add(&memory, DATA, 0x10000);
	session = mock_session(open, 1);
	mock_answer(answers, ARRAY_SIZE(answers));
	assert_int_equal(adbgd_objects_new(session, &memory.memory, -1, &objects, &error), 0);
	adbgd_objects_follow(objects, ADBGD_OBJECTS_EVENTS);
	adbgd_objects_set_callback(objects, note_change, changes);
	changes[0] = '\0';
	return 0;
}

static int end(void **state)
{
	adbgd_objects_free(objects);
	adbg_session_close(session);
	fake_free(&memory);
	return mock_teardown(state);
}

static void event(uint32_t type)
{
	const struct amdgpudbg_event ev = { .type = type };

	adbgd_objects_handle_event(objects, &ev);
}

static void update(uint32_t what)
{
	if (adbgd_objects_update(objects, what, &error))
		fail_msg("%s", error.text);
}

/* Memory at @start with nothing in it; the mappings are in the order of their addresses. */
static uint8_t *map(uint64_t start, size_t size)
{
	uint8_t *bytes = fake_add(&memory, start, size);

	for (size_t i = memory.num - 1; i && memory.spans[i - 1].start > start; i--) {
		__typeof__(memory.pieces[0]) piece = memory.pieces[i];
		struct adbgd_span span = memory.spans[i];

		memory.pieces[i] = memory.pieces[i - 1];
		memory.spans[i] = memory.spans[i - 1];
		memory.pieces[i - 1] = piece;
		memory.spans[i - 1] = span;
	}
	return bytes;
}

static void unmap(uint64_t start)
{
	size_t i = 0;

	while (memory.spans[i].start != start)
		i++;
	free(memory.pieces[i].bytes);
	memory.num--;
	memmove(&memory.pieces[i], &memory.pieces[i + 1],
		(memory.num - i) * sizeof(memory.pieces[0]));
	memmove(&memory.spans[i], &memory.spans[i + 1],
		(memory.num - i) * sizeof(memory.spans[0]));
}

/* Write the segments of a file; without @header, as a driver does that copies only instructions. */
static void write_code(const char *path, uint8_t *to, bool header)
{
	size_t size;
	uint8_t *file = read_whole(path, &size);

	load_segments(file, to);
	if (!header)
		memset(to, 0, 64);
	free(file);
}

static void load(const char *path, uint64_t start)
{
	write_code(path, map(start, 0x40000), false);
}

static struct adbgd_object *add(const char *path)
{
	struct adbgd_object *object = NULL;

	if (adbgd_objects_add(objects, path, NULL, &object, &error))
		fail_msg("%s", error.text);
	return object;
}

static bool is_pending(const struct adbgd_object *object)
{
	return adbgd_object_get_info(object)->flags & ADBGD_OBJECT_PENDING;
}

static void changed(const char *expected)
{
	assert_string_equal(changes, expected);
	changes[0] = '\0';
}

/* The address of the object's first instruction, relative to the base at which it was loaded */
static void loaded_at(const struct adbgd_object *object, uint64_t base)
{
	const struct adbgd_code *code = adbgd_object_get_info(object)->code;

	assert_false(is_pending(object));
	assert_int_equal(adbgd_code_get_info(code)->bias, base);
	assert_ptr_equal(adbgd_objects_at(objects, adbgd_code_get_kernel(code, 0)->entry), code);
	assert_ptr_equal(adbgd_objects_get_loaded(objects, 0), code);
}

static void a_file_is_pending_until_it_is_loaded(void **state)
{
	struct adbgd_object *object = add(KERNELS);

	(void)state;
	assert_true(is_pending(object));
	assert_int_equal(adbgd_object_get_info(object)->flags,
			 ADBGD_OBJECT_FILE | ADBGD_OBJECT_PENDING);
	assert_null(adbgd_objects_get_loaded(objects, 0));
	assert_ptr_equal(adbgd_objects_get(objects, 0), object);
	assert_null(adbgd_objects_get(objects, 1));
	changed(NO_LOADS);
	load(KERNELS, BASE);
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	changed("+kernels.co");
	loaded_at(object, BASE);
	/* It is unloaded, */
	unmap(BASE);
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	changed("-kernels.co");
	assert_true(is_pending(object));
	assert_null(adbgd_objects_at(objects, BASE + 0x1000));
	/* and loaded at another address. */
	load(KERNELS, OTHER);
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	changed("+kernels.co");
	loaded_at(object, OTHER);
	assert_int_equal(adbgd_object_get_info(object)->num_loads, 2);
}

static void a_file_that_is_in_memory_is_loaded_at_once(void **state)
{
	struct adbgd_object *object;
	uint64_t address = OTHER;

	(void)state;
	load(KERNELS, BASE);
	object = add(KERNELS);
	changed("+kernels.co");
	loaded_at(object, BASE);
	/* The same file again is the same object. */
	object = add(KERNELS);
	loaded_at(object, BASE);
	assert_null(adbgd_objects_get(objects, 1));
	changed("-kernels.co +kernels.co");
	/* It is not there. */
	assert_int_equal(adbgd_objects_add(objects, KERNELS, &address, &object, &error), -ENOENT);
	assert_non_null(strstr(error.text, "kernels.co are not at 0x0000000200000000"));
	assert_null(adbgd_objects_get(objects, 1));
	assert_true(adbgd_objects_add(objects, "/nowhere.co", NULL, &object, &error) < 0);
	changed(NO_LOADS);
}

/* A program maps memory first; the event comes before it has written its code. */
static void code_is_found_that_is_written_after_the_event(void **state)
{
	struct adbgd_object *object = add(KERNELS);
	uint8_t *bytes;

	(void)state;
	bytes = map(BASE, 0x40000);
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	changed(NO_LOADS);
	write_code(KERNELS, bytes, false);
	update(ADBGD_OBJECTS_NEW);
	changed(NO_LOADS);
	event(AMDGPUDBG_EVENT_JOB_BEGIN);
	update(ADBGD_OBJECTS_NEW);
	changed("+kernels.co");
	loaded_at(object, BASE);
}

/* Code in memory that was mapped long ago: no event shows it, but the PC of a wave does. */
static void code_is_found_by_the_pc_of_a_wave(void **state)
{
	struct adbgd_object *object = add(KERNELS);
	const struct adbgd_code *code = adbgd_object_get_info(object)->code;
	uint64_t entry = adbgd_code_get_kernel(code, 2)->entry, reads;
	uint8_t *bytes = map(BASE, 0x40000);

	(void)state;
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	assert_int_equal(adbgd_objects_look_at(objects, BASE + entry, &error), -ENOENT);
	/* The same address again needs one look, and no search. */
	reads = memory.bytes_read;
	for (int i = 0; i < 100; i++)
		assert_int_equal(adbgd_objects_look_at(objects, BASE + entry, &error), -ENOENT);
	assert_int_equal(memory.bytes_read - reads, 100 * 256);
	write_code(KERNELS, bytes, false);
	assert_int_equal(adbgd_objects_look_at(objects, BASE + entry, &error), 0);
	changed("+kernels.co");
	loaded_at(object, BASE);
}

static void objects_in_memory_are_found_and_dropped(void **state)
{
	const struct adbgd_object *object;
	struct adbgd_object *file;
	uint8_t *bytes = map(BASE, 0x40000);

	(void)state;
	write_code(KERNELS, bytes, true);
	update(ADBGD_OBJECTS_NEW);
	changed("+the ELF at 0x100000000");
	object = adbgd_objects_get(objects, 0);
	assert_int_equal(adbgd_object_get_info(object)->flags, 0);
	/* A file that the user names has more information. */
	file = add(KERNELS);
	changed("-the ELF at 0x100000000 +kernels.co");
	loaded_at(file, BASE);
	assert_null(adbgd_objects_get(objects, 1));
	update(ADBGD_OBJECTS_ALL);
	changed(NO_LOADS);
	/* The memory is used for something else, and its mapping looks as before. */
	memset(bytes, 0, 0x40000);
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	changed("-kernels.co");
	write_code(TOUCH, bytes, true);
	event(AMDGPUDBG_EVENT_JOB_BEGIN);
	update(ADBGD_OBJECTS_ALL);
	changed("+the ELF at 0x100000000");
	unmap(BASE);
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	changed("-the ELF at 0x100000000");
	assert_ptr_equal(adbgd_objects_get(objects, 0), file);
	assert_null(adbgd_objects_get(objects, 1));
}

static void memory_that_did_not_change_is_not_read_again(void **state)
{
	const struct adbgd_objects_counts *counts = adbgd_objects_get_counts(objects);
	uint64_t lists, searched, read;

	(void)state;
	load(KERNELS, BASE);
	map(OTHER, 64 << 20);
	add(KERNELS);
	add(TOUCH);
	update(ADBGD_OBJECTS_ALL);
	lists = counts->lists;
	searched = counts->searched;
	read = memory.bytes_read;
	for (int i = 0; i < 1000; i++)
		update(i % 2 ? ADBGD_OBJECTS_ALL : ADBGD_OBJECTS_NEW);
	assert_int_equal(counts->lists, lists);
	assert_int_equal(memory.bytes_read, read);
	/* Jobs write memory, but not new one. */
	for (int i = 0; i < 1000; i++) {
		event(AMDGPUDBG_EVENT_JOB_BEGIN);
		update(ADBGD_OBJECTS_NEW);
	}
	assert_int_equal(memory.bytes_read, read);
	/* Other memory is mapped: it is searched, and the object is checked. */
	map(0x300000000, 0x10000);
	event(AMDGPUDBG_EVENT_VM_CHANGED);
	update(ADBGD_OBJECTS_NEW);
	assert_int_equal(counts->lists, lists + 1);
	/* Once for the pending file, and once for headers */
	assert_int_equal(counts->searched, searched + 2 * 0x10000);
	assert_true(memory.bytes_read - read <= 2 * 0x10000 + 2 * 4096);
	/* Again when each of the next three jobs begins, and then no more */
	for (int i = 0; i < 1000; i++) {
		event(AMDGPUDBG_EVENT_JOB_BEGIN);
		update(ADBGD_OBJECTS_NEW);
	}
	assert_int_equal(counts->searched, searched + 4 * 2 * 0x10000);
	assert_int_equal(counts->lists, lists + 1);
}

/* Without the events, it is not known what changed, so each update lists the mappings. */
static void without_events_updates_list_the_mappings(void **state)
{
	struct adbgd_object *object = add(KERNELS);

	(void)state;
	adbgd_objects_follow(objects, 0);
	load(KERNELS, BASE);
	update(ADBGD_OBJECTS_NEW);
	changed("+kernels.co");
	loaded_at(object, BASE);
	unmap(BASE);
	update(ADBGD_OBJECTS_NEW);
	changed("-kernels.co");
}

static void an_update_can_be_interrupted(void **state)
{
	static const struct mock_ioctl answers[] = {
		{ .request = AMDGPUDBG_IOC_VM_LIST, .check = give_mappings },
	};
	struct adbgd_objects *list;
	struct adbgd_object *object;
	int fd[2];

	(void)state;
	mock_answer(answers, ARRAY_SIZE(answers));
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(adbgd_objects_new(session, &memory.memory, fd[0], &list, &error), 0);
	assert_int_equal(adbgd_objects_add(list, KERNELS, NULL, &object, &error), 0);
	adbgd_objects_follow(list, ADBGD_OBJECTS_EVENTS);
	write_code(TOUCH, map(BASE, 0x40000), true);
	adbgd_objects_handle_event(list, &(struct amdgpudbg_event){
		.type = AMDGPUDBG_EVENT_VM_CHANGED });
	assert_int_equal(write(fd[1], "", 1), 1);
	assert_int_equal(adbgd_objects_update(list, ADBGD_OBJECTS_NEW, &error), -EINTR);
	assert_null(adbgd_objects_get_loaded(list, 0));
	assert_int_equal(read(fd[0], &(char){ 0 }, 1), 1);
	/* The next one continues. */
	assert_int_equal(adbgd_objects_update(list, ADBGD_OBJECTS_NEW, &error), 0);
	assert_non_null(adbgd_objects_get_loaded(list, 0));
	adbgd_objects_free(list);
	close(fd[0]);
	close(fd[1]);
}

#define OBJECTS_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OBJECTS_TEST(a_file_is_pending_until_it_is_loaded),
		OBJECTS_TEST(a_file_that_is_in_memory_is_loaded_at_once),
		OBJECTS_TEST(code_is_found_that_is_written_after_the_event),
		OBJECTS_TEST(code_is_found_by_the_pc_of_a_wave),
		OBJECTS_TEST(objects_in_memory_are_found_and_dropped),
		OBJECTS_TEST(memory_that_did_not_change_is_not_read_again),
		OBJECTS_TEST(without_events_updates_list_the_mappings),
		OBJECTS_TEST(an_update_can_be_interrupted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
