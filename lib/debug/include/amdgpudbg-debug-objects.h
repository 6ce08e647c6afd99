/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: the code objects of a process, as they are loaded and unloaded. They are
 * found in its memory, or are files of the user, which are pending until they are loaded.
 */
#ifndef AMDGPUDBG_DEBUG_OBJECTS_H
#define AMDGPUDBG_DEBUG_OBJECTS_H

#include <amdgpudbg-debug-code.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * adbgd_code_add_debug_path() - name a place where split debug information is searched
 * @path: a folder, or a .dwo or .dwp file
 *
 * Code compiled with -gsplit-dwarf has its variables and functions in other files: a .dwo for each
 * source file, or a .dwp for all (llvm-dwp), which has the name of the code object and ".dwp". They
 * are searched in these places, in the order of the calls, and then in the folder of the file that
 * adbgd_code_open() has opened. Of the name of a .dwo in the code object, its last part is
 * searched in each folder, and the whole if it is relative and leads nowhere out of the folder.
 * No other file is opened. A file must be of the same compilation, see DW_AT_dwo_id.
 *
 * Call it before the debug information is needed. If reading it has failed, it is tried again.
 *
 * Return: 0, or
 * -ENOTDIR: it is neither a folder nor a regular file;
 * -E2BIG: there are more than 64;
 * -ENOMEM: out of memory;
 * any error of stat(2).
 */
int adbgd_code_add_debug_path(struct adbgd_code *code, const char *path,
			      struct adbgd_error *error) ADBG_WUR;

struct adbgd_objects;		/* the code objects of a process */
struct adbgd_object;		/* one of them */

/** ADBGD_OBJECTS_EVENTS - mask of the events that show when memory has to be searched again */
#define ADBGD_OBJECTS_EVENTS \
	(1ULL << AMDGPUDBG_EVENT_VM_CHANGED | 1ULL << AMDGPUDBG_EVENT_JOB_BEGIN)

/* Maximum number of code objects that are found in memory */
#define ADBGD_OBJECTS_FOUND_MAX	8192

/**
 * adbgd_objects_new() - create an empty list of the code objects of a session's target
 * @session: lists the target's mappings; stays owned by the caller, and must outlive the list
 * @memory: reads the target's memory, without breakpoints, see adbgd_process_get_memory(); its
 *	budget is not used
 * @interrupt_fd: see adbgd_code_set_interrupt(); -1: none
 * @objects: set to the list; free it with adbgd_objects_free()
 *
 * Return: 0, or
 * -ENOMEM: out of memory.
 */
int adbgd_objects_new(struct adbg_session *session, const struct adbgd_memory *memory,
		      int interrupt_fd, struct adbgd_objects **objects,
		      struct adbgd_error *error) ADBG_WUR;

/** adbgd_objects_free() - free a list, and all its code objects; NULL is ignored */
void adbgd_objects_free(struct adbgd_objects *objects);

/**
 * adbgd_objects_set_callback() - set a function to call when an object was loaded or unloaded
 * @changed: called with @is_loaded after the object was added or its address was set, and without
 *	it before an object that was found is freed, or after a file has become pending. It must
 *	not call functions that change the list. NULL: none.
 * @data: passed to the callback
 */
void adbgd_objects_set_callback(struct adbgd_objects *objects,
				void (*changed)(void *data, struct adbgd_object *object,
						bool is_loaded),
				void *data);

/**
 * adbgd_objects_follow() - say which events are passed to adbgd_objects_handle_event()
 * @mask: of ADBGD_OBJECTS_EVENTS, those that the session has enabled. Without
 *	AMDGPUDBG_EVENT_VM_CHANGED, which is the default, each update lists the mappings.
 */
void adbgd_objects_follow(struct adbgd_objects *objects, uint64_t mask);

/**
 * adbgd_objects_handle_event() - note that memory may have changed
 * @event: an event of the session, of any type
 *
 * It does not search: call adbgd_objects_update() then.
 */
void adbgd_objects_handle_event(struct adbgd_objects *objects,
				const struct amdgpudbg_event *event);

/**
 * adbgd_objects_add() - add the code objects of a file that the user has named
 * @path: see adbgd_code_open_entry(); those for the session's GPU are added
 * @address: load address of the instructions; NULL: find them
 * @object: set to the first one that is loaded, or else to the first one; valid until it is
 *	replaced by another call with @path, or until adbgd_objects_free()
 *
 * A code object whose instructions are not in memory is pending, and adbgd_objects_update() loads
 * it once they are. A file replaces a code object that was found at the same address.
 *
 * Return: 0, or
 * -ENOENT: the instructions are not at @address;
 * -ENOTUNIQ: memory contains them at several addresses; give one of them as @address;
 * -EINTR: interrupted;
 * any error of adbgd_code_open_entry(), adbgd_code_set_base() and adbg_vm_mappings().
 *
 * On failure nothing was added.
 */
int adbgd_objects_add(struct adbgd_objects *objects, const char *path, const uint64_t *address,
		      struct adbgd_object **object, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_objects_add_debug_path() - call adbgd_code_add_debug_path() for all code objects, also for
 *	those that are added or found later
 *
 * Return: 0, or any error of adbgd_code_add_debug_path().
 */
int adbgd_objects_add_debug_path(struct adbgd_objects *objects, const char *path,
				 struct adbgd_error *error) ADBG_WUR;

/* What adbgd_objects_update() searches */
enum adbgd_objects_update {
	/*
	 * Memory that was mapped since the last update; also when the first jobs begin after that,
	 * because programs write code into memory after mapping it.
	 */
	ADBGD_OBJECTS_NEW,
	/* All memory; if no event has shown a change since the last time, nothing */
	ADBGD_OBJECTS_ALL,
};

/**
 * adbgd_objects_update() - find code objects that were loaded, and drop those that were unloaded
 * @what: enum adbgd_objects_update
 *
 * Code objects are unloaded if their memory was unmapped or mapped to something else, or contains
 * something else: then those that were found are freed, and files are pending again. Memory that
 * did not change is not read again.
 *
 * Return: 0, or
 * -EINTR: interrupted; the next update continues;
 * any error of adbg_vm_mappings(), with which nothing has changed.
 *
 * If there is too much to search, the rest is left out.
 */
int adbgd_objects_update(struct adbgd_objects *objects, uint32_t what,
			 struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_objects_look_at() - find the code object that a wave executes
 * @address: of an instruction, such as the first one of a new wave
 *
 * Only the mappings around @address are searched, and not again while the instructions there are
 * the same.
 *
 * Return: 0 a code object contains @address, or
 * -ENOENT: none does;
 * any error of adbgd_objects_update().
 */
int adbgd_objects_look_at(struct adbgd_objects *objects, uint64_t address,
			  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_objects_get() - get the object at index @i, from 0: first those that are loaded, by
 *	address, then those that are pending
 *
 * Return: NULL if there are no more.
 */
struct adbgd_object *adbgd_objects_get(const struct adbgd_objects *objects, size_t i);

/** adbgd_objects_get_loaded() - get the loaded code object at index @i; NULL: there is none */
struct adbgd_code *adbgd_objects_get_loaded(const struct adbgd_objects *objects, size_t i);

/** adbgd_objects_at() - find the loaded code object with the instruction at @address; NULL: none */
struct adbgd_code *adbgd_objects_at(const struct adbgd_objects *objects, uint64_t address);

/** adbgd_objects_find() - find the object of a code object; NULL: it is not in the list */
struct adbgd_object *adbgd_objects_find(const struct adbgd_objects *objects,
					const struct adbgd_code *code);

/** struct adbgd_object_info - description of an object */
struct adbgd_object_info {
	struct adbgd_code *code;	/* belongs to the object; while pending, see flags */
	uint32_t flags;		/* ADBGD_OBJECT_* */
	uint32_t num_loads;	/* how often it was loaded */
	uint32_t __reserved[6];	/* 0 */
};

/* The user has named its file; else it was found in memory */
#define ADBGD_OBJECT_FILE	(1U << 0)
/* Its instructions are not in memory, so that addresses in it have no meaning */
#define ADBGD_OBJECT_PENDING	(1U << 1)

/** adbgd_object_get_info() - get the description of an object; it changes with the object */
const struct adbgd_object_info *adbgd_object_get_info(const struct adbgd_object *object);

/** struct adbgd_objects_counts - work that a list has done, for tests and for users */
struct adbgd_objects_counts {
	uint64_t lists;		/* how often the mappings were listed */
	uint64_t searches;	/* how often memory was searched */
	uint64_t searched;	/* bytes of memory that were searched, in all of them */
	uint64_t checks;	/* how often it was checked that an object is still there */
	uint64_t __reserved[4];	/* 0 */
};

/** adbgd_objects_get_counts() - get how much work a list has done */
const struct adbgd_objects_counts *adbgd_objects_get_counts(const struct adbgd_objects *objects);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_OBJECTS_H */
