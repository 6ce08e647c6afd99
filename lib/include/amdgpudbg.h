/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg: the C interface to amdgpudbg, the wave debugger for AMD GPUs.
 *
 * Structures and constants of the ioctls are those of <linux/amdgpudbg.h>, which
 * describes them; each function has a man page. For tools that were written to amdkfd's
 * old interface there is <amdgpudbg-hsa.h>.
 */
#ifndef AMDGPUDBG_H
#define AMDGPUDBG_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/amdgpudbg.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Functions that can fail return 0 or a negative errno value. The other rules, for threads,
 * signals, ownership and the sizes of structures, are in libamdgpudbg(3). A function that
 * names an AMDGPUDBG_IOC_* is that ioctl, which linux/amdgpudbg.h describes.
 */

/* Zero-initializer that gives no warning in C and C++ */
#ifdef __cplusplus
#define ADBG_ZERO {}
#else
#define ADBG_ZERO { 0 }
#endif

/* Inline functions are also exported, for other languages; see lib/inline.c */
#ifndef ADBG_INLINE
#define ADBG_INLINE static inline
#endif

#if defined(__GNUC__)
#define ADBG_WUR __attribute__((__warn_unused_result__))
#else
#define ADBG_WUR
#endif

struct adbg_session;		/* an open GPU; owns what it changes there */
struct adbg_gpu_list;		/* the GPUs that the module serves */
struct adbg_client_list;	/* DRM clients of a GPU */
struct adbg_wave_list;		/* live waves; keeps its buffer, which grows as needed */
struct adbg_wave_state;		/* all registers of a wave; keeps its buffer, too */
struct adbg_trap_stop;

/** adbg_version() - get the version of the library in use, such as "0.2.0", static */
const char *adbg_version(void);

/* ------------------------------------------ functions that know a structure's size */

/*
 * Not for programs: the functions of the same names without _sized call these with the sizes of
 * structures in this header, so that the library also works with programs that were compiled with
 * an older or a newer one.
 */
int adbg_gpu_list_new_sized(struct adbg_gpu_list **list, size_t info_size) ADBG_WUR;
int adbg_target_attach_sized(struct adbg_session *session, int32_t pid,
			     uint64_t client_id,
			     struct amdgpudbg_target_set *target) ADBG_WUR;
int adbg_wave_list_fill_sized(struct adbg_wave_list *list, struct adbg_session *session,
			      unsigned long request,
			      struct amdgpudbg_wave_list *what) ADBG_WUR;
int adbg_event_next_sized(struct adbg_session *session, struct amdgpudbg_event *event,
			  int timeout_ms) ADBG_WUR;
int adbg_vm_mappings_sized(struct adbg_session *session, uint64_t va, uint64_t bytes,
			   uint32_t entry_size, void **mappings,
			   uint32_t *count) ADBG_WUR;
int adbg_jobs_sized(struct adbg_session *session, struct amdgpudbg_job_list *list) ADBG_WUR;
int adbg_trap_read_sized(struct adbg_session *session,
			 const struct amdgpudbg_wave_coord *at,
			 struct adbg_trap_stop *stop) ADBG_WUR;

/* --------------------------------------------------------------- the GPUs */

/* Parts of gc_version of struct amdgpudbg_info */
#define ADBG_GC_VERSION(major, minor, rev) \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(rev))
#define ADBG_GC_MAJOR(version)	((version) >> 16)
#define ADBG_GC_MINOR(version)	((version) >> 8 & 0xff)
#define ADBG_GC_REV(version)	((version) & 0xff)

/** adbg_gpu_name() - get LLVM's name of a GPU, such as "gfx1033", static; NULL if unknown */
const char *adbg_gpu_name(uint32_t gc_version);

/** adbg_gpu_product() - get the product name, "AMD Radeon RX 6800 XT"; see adbg_gpu_list(3) */
int adbg_gpu_product(const struct amdgpudbg_info *info, char *text, size_t size) ADBG_WUR;

/** struct adbg_gpu - one GPU in a list */
struct adbg_gpu {
	uint32_t number;	/* N of /dev/amdgpudbgN */
	int32_t error;		/* 0, or -errno if info could not be read and is all zero */
	char path[32];		/* its device node */
	uint32_t __reserved[8];	/* 0 */
	struct amdgpudbg_info info;	/* in the size of the caller's header */
};

/** adbg_gpu_list_new() - list the GPUs that the module serves, by number */
ADBG_WUR ADBG_INLINE int
adbg_gpu_list_new(struct adbg_gpu_list **list)
{
	return adbg_gpu_list_new_sized(list, sizeof(struct amdgpudbg_info));
}

/** adbg_gpu_list_free() - free a list */
void adbg_gpu_list_free(struct adbg_gpu_list *list);

/** adbg_gpu_list_get() - get the GPU at index @i; NULL beyond the last */
const struct adbg_gpu *adbg_gpu_list_get(const struct adbg_gpu_list *list, size_t i);

/** adbg_gpu_list_count() - count the GPUs in a list */
ADBG_INLINE size_t
adbg_gpu_list_count(const struct adbg_gpu_list *list)
{
	size_t count = 0;

	while (adbg_gpu_list_get(list, count))
		count++;
	return count;
}

/** adbg_gpu_list_find() - find a GPU of @list; @what: as for adbg_open(); see adbg_gpu_list(3) */
int adbg_gpu_list_find(const struct adbg_gpu_list *list, const char *what,
		       const struct adbg_gpu **gpu) ADBG_WUR;

/** adbg_module_status() - get the module's status, a line for each GPU; see adbg_gpu_list(3) */
int adbg_module_status(char *text, size_t size) ADBG_WUR;

/* --------------------------------------------------------------- sessions */

/**
 * adbg_open() - open a GPU as a session
 * @what: its number, node, PCI address, DRM node or name; NULL if there is only one GPU
 * Return: 0, or an error that adbg_session(3) lists
 */
int adbg_open(const char *what, struct adbg_session **session) ADBG_WUR;

/** adbg_session_close() - close a session and restore what it changed */
void adbg_session_close(struct adbg_session *session);

/** adbg_call() - call the ioctl @request, AMDGPUDBG_IOC_*; the size of @arg must be set */
int adbg_call(struct adbg_session *session, unsigned long request, void *arg) ADBG_WUR;

/** adbg_session_get_fd() - get the file descriptor; it belongs to the session */
int adbg_session_get_fd(const struct adbg_session *session);

/** adbg_session_set_interrupt() - interrupt adbg_vm_copy() while @fd is readable; -1: never */
void adbg_session_set_interrupt(struct adbg_session *session, int fd);

/** adbg_session_get_number() - get N of /dev/amdgpudbgN */
unsigned int adbg_session_get_number(const struct adbg_session *session);

/** adbg_session_get_gc_version() - get the generation, see ADBG_GC_VERSION() */
uint32_t adbg_session_get_gc_version(const struct adbg_session *session);

/** adbg_session_get_info() - AMDGPUDBG_IOC_GET_INFO: describe the GPU; @info is output only */
ADBG_WUR ADBG_INLINE int
adbg_session_get_info(struct adbg_session *session, struct amdgpudbg_info *info)
{
	struct amdgpudbg_info own = ADBG_ZERO;
	int ret;

	own.size = sizeof(own);
	ret = adbg_call(session, AMDGPUDBG_IOC_GET_INFO, &own);
	if (!ret)
		*info = own;
	return ret;
}

/** adbg_session_get_capability() - AMDGPUDBG_IOC_GET_CAPABILITY: describe capability @id */
ADBG_WUR ADBG_INLINE int
adbg_session_get_capability(struct adbg_session *session, uint32_t id,
			    struct amdgpudbg_capability *capability)
{
	struct amdgpudbg_capability own = ADBG_ZERO;
	int ret;

	own.size = sizeof(own);
	own.id = id;
	ret = adbg_call(session, AMDGPUDBG_IOC_GET_CAPABILITY, &own);
	if (!ret)
		*capability = own;
	return ret;
}

/** adbg_session_get_busy() - AMDGPUDBG_IOC_GET_BUSY: get the reason of the last -EBUSY */
ADBG_WUR ADBG_INLINE int
adbg_session_get_busy(struct adbg_session *session, struct amdgpudbg_busy *busy)
{
	struct amdgpudbg_busy own = ADBG_ZERO;
	int ret;

	own.size = sizeof(own);
	ret = adbg_call(session, AMDGPUDBG_IOC_GET_BUSY, &own);
	if (!ret)
		*busy = own;
	return ret;
}

/* ----------------------------------------------------------------- targets */

/** adbg_target_set() - AMDGPUDBG_IOC_TARGET_SET: set the target; -EBADF if drm_fd is negative */
ADBG_WUR ADBG_INLINE int
adbg_target_set(struct adbg_session *session, struct amdgpudbg_target_set *target)
{
	/* -1 would clear the current target. */
	if (target->drm_fd < 0)
		return -EBADF;
	target->size = sizeof(*target);
	return adbg_call(session, AMDGPUDBG_IOC_TARGET_SET, target);
}

/**
 * adbg_target_attach() - set the target of a session by its process ID
 * @client_id: one of the process's DRM clients, see &struct adbg_client; 0: its only one
 * @target: NULL, or set to the result; its descriptors are -1
 * Return: as adbg_target_set(), or an error that adbg_target(3) lists
 */
ADBG_WUR ADBG_INLINE int
adbg_target_attach(struct adbg_session *session, int32_t pid,
		   uint64_t client_id, struct amdgpudbg_target_set *target)
{
	if (target)
		target->size = sizeof(*target);
	return adbg_target_attach_sized(session, pid, client_id, target);
}

/** adbg_session_get_apertures() - get the apertures of the last target, see adbg_target(3) */
void adbg_session_get_apertures(const struct adbg_session *session, uint64_t *lds,
				uint64_t *scratch);

/** adbg_target_clear() - AMDGPUDBG_IOC_TARGET_SET: remove the target; act on the whole GPU */
ADBG_WUR ADBG_INLINE int
adbg_target_clear(struct adbg_session *session)
{
	struct amdgpudbg_target_set target = ADBG_ZERO;

	target.size = sizeof(target);
	target.drm_fd = -1;
	target.pidfd = -1;
	return adbg_call(session, AMDGPUDBG_IOC_TARGET_SET, &target);
}

/** adbg_target_reason() - guess why the caller cannot debug @pid; a static text */
const char *adbg_target_reason(int32_t pid);

/** struct adbg_client - a DRM client: an address space of a process on a GPU */
struct adbg_client {
	uint64_t client_id;	/* "drm-client-id" of its fdinfo */
	int32_t pid;
	uint32_t pasid;		/* its address space, "pasid" of its fdinfo */
	int32_t fd;		/* the lowest of its descriptors in the process */
	uint32_t num_fds;	/* number of these descriptors */
	char name[16];		/* of the process, /proc/PID/comm; raw bytes, see above */
	uint32_t __reserved[4];	/* 0 */
};

/**
 * adbg_client_list_new() - list the DRM clients of the session's GPU
 * @pid: a process; 0: all processes that the caller can read. See adbg_target(3)
 */
int adbg_client_list_new(struct adbg_session *session, int32_t pid,
			 struct adbg_client_list **list) ADBG_WUR;

/** adbg_gpu_client_list_new() - the same for a GPU that is not open; see adbg_target(3) */
int adbg_gpu_client_list_new(const struct adbg_gpu *gpu, int32_t pid,
			     struct adbg_client_list **list) ADBG_WUR;

/** adbg_client_list_free() - free a list */
void adbg_client_list_free(struct adbg_client_list *list);

/** adbg_client_list_get() - get the client at index @i; NULL beyond the last */
const struct adbg_client *
adbg_client_list_get(const struct adbg_client_list *list, size_t i);

/** adbg_client_list_count() - count the clients in a list */
ADBG_INLINE size_t
adbg_client_list_count(const struct adbg_client_list *list)
{
	size_t count = 0;

	while (adbg_client_list_get(list, count))
		count++;
	return count;
}

/* -------------------------------------------------- wave names and filters */

#define ADBG_WAVE_NAME_MAX	64	/* buffer size for any wave's name */

/** adbg_wave_name() - format a slot's name, "se0.sa0.wgp3.simd1.wave5"; returns @name */
char *adbg_wave_name(const struct amdgpudbg_wave_coord *at,
		     char name[ADBG_WAVE_NAME_MAX]);

/** struct adbg_range - a range of one member of a wave's coordinate */
struct adbg_range {
	uint16_t first;
	uint16_t last;		/* included; ADBG_RANGE_MAX with first 0 is "any" */
	uint32_t __reserved;	/* 0 */
};

#define ADBG_RANGE_MAX	UINT16_MAX

/** struct adbg_wave_spec - a filter for wave slots */
struct adbg_wave_spec {
	struct adbg_range xcc, se, sa, wgp, simd, wave;
	uint32_t __reserved[4];	/* 0 */
};

/**
 * adbg_wave_spec_parse() - parse the name of a wave, or a filter
 * @text: such as "se0.sa0.wgp3.simd1.wave5", "0.0.3.1.5", "wgp2-3", "*"
 * @bad: NULL, or set on failure to the offset of the error in @text
 * Return: 0; -EINVAL not a filter; -ERANGE a number is above 65535.
 */
int adbg_wave_spec_parse(const char *text, struct adbg_wave_spec *spec,
			 size_t *bad) ADBG_WUR;

/** adbg_wave_spec_match() - check whether a filter selects a slot */
bool adbg_wave_spec_match(const struct adbg_wave_spec *spec,
			  const struct amdgpudbg_wave_coord *at);

/**
 * adbg_wave_spec_mode() - find the wave mode that selects the same waves as a filter
 * @at: NULL, or set on success to the value for @at of &struct amdgpudbg_wave_control
 * Return: %AMDGPUDBG_WAVEMODE_SINGLE for one slot; %AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU
 * for one whole WGP or compute unit; %AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS for all waves;
 * -ENOENT if no mode fits.
 */
int adbg_wave_spec_mode(const struct adbg_wave_spec *spec,
			struct amdgpudbg_wave_coord *at) ADBG_WUR;

/* -------------------------------------------------------- listing of waves */

/** adbg_wave_read() - AMDGPUDBG_IOC_WAVE_LIST: list waves into a buffer of the caller */
ADBG_WUR ADBG_INLINE int
adbg_wave_read(struct adbg_session *session, struct amdgpudbg_wave_list *request)
{
	request->entry_size = sizeof(struct amdgpudbg_wave);
	request->size = sizeof(*request);
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_LIST, request);
}

/** adbg_wave_snapshot() - AMDGPUDBG_IOC_WAVE_SNAPSHOT: the same while all waves are halted */
ADBG_WUR ADBG_INLINE int
adbg_wave_snapshot(struct adbg_session *session, struct amdgpudbg_wave_list *request)
{
	request->entry_size = sizeof(struct amdgpudbg_wave);
	request->size = sizeof(*request);
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_SNAPSHOT, request);
}

/** adbg_wave_list_new() - allocate an empty list; 0 or -ENOMEM */
int adbg_wave_list_new(struct adbg_wave_list **list) ADBG_WUR;

/** adbg_wave_list_free() - free a list */
void adbg_wave_list_free(struct adbg_wave_list *list);

/**
 * adbg_wave_list_fill() - list waves by adbg_wave_read(), and enlarge the list as needed
 * @list: its previous contents are discarded, also on failure
 * @what: the waves to list, and the result; its buffer is not used
 * Return: as adbg_wave_read(); -ENOMEM; -EMSGSIZE if the number of waves kept growing.
 */
ADBG_WUR ADBG_INLINE int
adbg_wave_list_fill(struct adbg_wave_list *list, struct adbg_session *session,
		    struct amdgpudbg_wave_list *what)
{
	what->size = sizeof(*what);
	what->entry_size = sizeof(struct amdgpudbg_wave);
	return adbg_wave_list_fill_sized(list, session, AMDGPUDBG_IOC_WAVE_LIST, what);
}

/** adbg_wave_list_snapshot() - the same by adbg_wave_snapshot(); sums up num_halted of retries */
ADBG_WUR ADBG_INLINE int
adbg_wave_list_snapshot(struct adbg_wave_list *list, struct adbg_session *session,
			struct amdgpudbg_wave_list *what)
{
	what->size = sizeof(*what);
	what->entry_size = sizeof(struct amdgpudbg_wave);
	return adbg_wave_list_fill_sized(list, session,
					 AMDGPUDBG_IOC_WAVE_SNAPSHOT, what);
}

/** adbg_wave_list_read() - list all waves of the VMIDs in @vmid_mask; 0: of all VMIDs */
ADBG_WUR ADBG_INLINE int
adbg_wave_list_read(struct adbg_wave_list *list, struct adbg_session *session,
		    uint32_t vmid_mask)
{
	struct amdgpudbg_wave_list what = ADBG_ZERO;

	what.select.vmid_mask = vmid_mask;
	return adbg_wave_list_fill(list, session, &what);
}

/** adbg_wave_list_count() - get the number of waves in a list */
size_t adbg_wave_list_count(const struct adbg_wave_list *list);

/** adbg_wave_list_get() - get the wave at index @i; NULL beyond the last */
const struct amdgpudbg_wave *
adbg_wave_list_get(const struct adbg_wave_list *list, size_t i);

/* -------------------------------------------------------- control of waves */

/** adbg_wave_control() - AMDGPUDBG_IOC_WAVE_CONTROL: halt, resume, step, trap or kill waves */
ADBG_WUR ADBG_INLINE int
adbg_wave_control(struct adbg_session *session, struct amdgpudbg_wave_control *control)
{
	control->size = sizeof(*control);
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_CONTROL, control);
}

/** adbg_control_all() - control all waves of the session's scope; @result can be NULL */
ADBG_WUR ADBG_INLINE int
adbg_control_all(struct adbg_session *session, uint32_t op,
		 struct amdgpudbg_wave_control *result)
{
	struct amdgpudbg_wave_control control = ADBG_ZERO;
	int ret;

	control.op = op;
	control.mode = AMDGPUDBG_WAVEMODE_SELECT;
	ret = adbg_wave_control(session, &control);
	if (result)
		*result = control;
	return ret;
}

/** adbg_halt_all() - halt all waves, see adbg_control_all() */
ADBG_WUR ADBG_INLINE int
adbg_halt_all(struct adbg_session *session, struct amdgpudbg_wave_control *result)
{
	return adbg_control_all(session, AMDGPUDBG_WAVEOP_HALT, result);
}

/** adbg_resume_all() - resume all waves, see adbg_control_all() */
ADBG_WUR ADBG_INLINE int
adbg_resume_all(struct adbg_session *session, struct amdgpudbg_wave_control *result)
{
	return adbg_control_all(session, AMDGPUDBG_WAVEOP_RESUME, result);
}

/** adbg_wave_batch() - AMDGPUDBG_IOC_WAVE_BATCH: several operations; 0 even if one failed */
ADBG_WUR ADBG_INLINE int
adbg_wave_batch(struct adbg_session *session, struct amdgpudbg_wave_batch *batch)
{
	struct amdgpudbg_batch_op *ops =
		(struct amdgpudbg_batch_op *)(uintptr_t)batch->ops;
	uint32_t i;

	batch->entry_size = sizeof(*ops);
	for (i = 0; ops && i < batch->count; i++)
		ops[i].control.size = sizeof(ops[i].control);
	batch->size = sizeof(*batch);
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_BATCH, batch);
}

/* ----------------------------------------------------------------- events */

#define ADBG_EVENTS_ALL	UINT64_MAX	/* event_mask of the session's info, at run time */

/** adbg_event_enable() - AMDGPUDBG_IOC_EVENT_ENABLE: select events; sets O_NONBLOCK */
int adbg_event_enable(struct adbg_session *session, uint64_t types, uint64_t causes,
		      uint32_t capacity) ADBG_WUR;

/**
 * adbg_event_next() - take the oldest event from the queue, and wait for one if necessary
 * @timeout_ms: how long to wait, in milliseconds; 0: not at all; -1: without a limit
 *
 * Return: 0; -EAGAIN no event in time; -EINTR interrupted by a signal; -EINVAL no events are
 * enabled; after the last event, -ENOTCONN if the target has exited or -ENODEV if the GPU
 * was removed; -EPROTO the module sent an event that the library does not know; -ENOMEM.
 */
ADBG_WUR ADBG_INLINE int
adbg_event_next(struct adbg_session *session, struct amdgpudbg_event *event,
		int timeout_ms)
{
	event->size = sizeof(*event);
	return adbg_event_next_sized(session, event, timeout_ms);
}

/** adbg_event_type_name() - get a type's name, such as "gpu-reset", static; NULL if unknown */
const char *adbg_event_type_name(uint32_t type);

/** adbg_event_types_parse() - parse names of types separated by commas, or "all"; -EINVAL */
int adbg_event_types_parse(const char *text, uint64_t *types) ADBG_WUR;

#define ADBG_MAX_CAUSES	32	/* array size for the names of any causes */

/**
 * adbg_event_causes() - get the names of an event's causes, such as "MEM_VIOL", static
 * Return: the number of @names that were set, at most @max.
 */
size_t adbg_event_causes(uint64_t cause, uint32_t watch_mask, const char **names, size_t max);

/* ------------------------------------------------- watches, starting waves */

/** adbg_watch_set() - AMDGPUDBG_IOC_WATCH_SET: watch accesses to a range of memory */
ADBG_WUR ADBG_INLINE int
adbg_watch_set(struct adbg_session *session, struct amdgpudbg_watch_set *watch)
{
	watch->size = sizeof(*watch);
	return adbg_call(session, AMDGPUDBG_IOC_WATCH_SET, watch);
}

/** adbg_watch_clear() - AMDGPUDBG_IOC_WATCH_CLEAR: remove the session's watch @id */
ADBG_WUR ADBG_INLINE int
adbg_watch_clear(struct adbg_session *session, uint32_t id)
{
	struct amdgpudbg_watch_clear clear = ADBG_ZERO;

	clear.size = sizeof(clear);
	clear.id = id;
	return adbg_call(session, AMDGPUDBG_IOC_WATCH_CLEAR, &clear);
}

/** adbg_launch_set() - AMDGPUDBG_IOC_LAUNCH_SET: set how new waves start */
ADBG_WUR ADBG_INLINE int
adbg_launch_set(struct adbg_session *session, struct amdgpudbg_launch_set *launch)
{
	launch->size = sizeof(*launch);
	return adbg_call(session, AMDGPUDBG_IOC_LAUNCH_SET, launch);
}

/* ------------------------------------------------ memory and trap handlers */

/** adbg_mem_alloc() - AMDGPUDBG_IOC_MEM_ALLOC: allocate a buffer in the target */
ADBG_WUR ADBG_INLINE int
adbg_mem_alloc(struct adbg_session *session, struct amdgpudbg_mem_alloc *mem)
{
	mem->size = sizeof(*mem);
	return adbg_call(session, AMDGPUDBG_IOC_MEM_ALLOC, mem);
}

/** adbg_mem_free() - AMDGPUDBG_IOC_MEM_FREE: free the session's buffer @id */
ADBG_WUR ADBG_INLINE int
adbg_mem_free(struct adbg_session *session, uint32_t id)
{
	struct amdgpudbg_mem_free mem = ADBG_ZERO;

	mem.size = sizeof(mem);
	mem.id = id;
	return adbg_call(session, AMDGPUDBG_IOC_MEM_FREE, &mem);
}

/** adbg_mem_copy() - AMDGPUDBG_IOC_MEM_COPY: read or write the session's buffer @id */
ADBG_WUR ADBG_INLINE int
adbg_mem_copy(struct adbg_session *session, uint32_t flags, uint32_t id, uint64_t offset,
	      void *data, size_t bytes)
{
	struct amdgpudbg_mem_copy copy = ADBG_ZERO;

	copy.size = sizeof(copy);
	copy.flags = flags;
	copy.id = id;
	copy.offset = offset;
	copy.bytes = bytes;
	copy.data = (uintptr_t)data;
	return adbg_call(session, AMDGPUDBG_IOC_MEM_COPY, &copy);
}

/** adbg_mem_read() - read a buffer */
ADBG_WUR ADBG_INLINE int
adbg_mem_read(struct adbg_session *session, uint32_t id, uint64_t offset, void *data,
	      size_t bytes)
{
	return adbg_mem_copy(session, 0, id, offset, data, bytes);
}

/** adbg_mem_write() - write a buffer */
ADBG_WUR ADBG_INLINE int
adbg_mem_write(struct adbg_session *session, uint32_t id, uint64_t offset,
	       const void *data, size_t bytes)
{
	return adbg_mem_copy(session, AMDGPUDBG_MEM_COPY_WRITE, id, offset,
			     (void *)(uintptr_t)data, bytes);
}

/** adbg_vm_access() - AMDGPUDBG_IOC_VM_ACCESS: read or write the target's memory */
ADBG_WUR ADBG_INLINE int
adbg_vm_access(struct adbg_session *session, struct amdgpudbg_vm_access *access)
{
	access->size = sizeof(*access);
	return adbg_call(session, AMDGPUDBG_IOC_VM_ACCESS, access);
}

/** adbg_vm_list() - AMDGPUDBG_IOC_VM_LIST: list mappings into a buffer of the caller */
ADBG_WUR ADBG_INLINE int
adbg_vm_list(struct adbg_session *session, struct amdgpudbg_vm_list *list)
{
	list->entry_size = sizeof(struct amdgpudbg_mapping);
	list->size = sizeof(*list);
	return adbg_call(session, AMDGPUDBG_IOC_VM_LIST, list);
}

/**
 * adbg_vm_copy() - read or write any amount of the target's memory, including userptr
 * @pid: the target, to copy its own pages by /proc/PID/mem; 0: they give -EOPNOTSUPP
 * @flags: 0 to read, %AMDGPUDBG_VM_ACCESS_WRITE to write, else -EINVAL
 * @done: NULL, or set to the number of bytes copied, also on failure
 * Return: 0; an error of the ioctls, of open(2) or clone(2); -ESRCH the target has exited or
 * executes another program; -EINTR adbg_session_set_interrupt(); -EOVERFLOW in 32-bit programs
 */
int adbg_vm_copy(struct adbg_session *session, int32_t pid, uint32_t flags, uint64_t va,
		 void *data, uint64_t bytes, uint64_t *done) ADBG_WUR;

/** adbg_vm_read() - read the target's memory, see adbg_vm_copy() */
ADBG_WUR ADBG_INLINE int
adbg_vm_read(struct adbg_session *session, int32_t pid, uint64_t va,
	     void *data, uint64_t bytes)
{
	return adbg_vm_copy(session, pid, 0, va, data, bytes, NULL);
}

/** adbg_vm_write() - write the target's memory, see adbg_vm_copy() */
ADBG_WUR ADBG_INLINE int
adbg_vm_write(struct adbg_session *session, int32_t pid, uint64_t va,
	      const void *data, uint64_t bytes)
{
	return adbg_vm_copy(session, pid, AMDGPUDBG_VM_ACCESS_WRITE, va,
			    (void *)(uintptr_t)data, bytes, NULL);
}

/** adbg_vm_patch() - AMDGPUDBG_IOC_VM_ACCESS: patch code until the session ends */
ADBG_WUR ADBG_INLINE int
adbg_vm_patch(struct adbg_session *session, uint64_t va, const void *data,
	      uint64_t bytes)
{
	struct amdgpudbg_vm_access access = ADBG_ZERO;

	access.flags = AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH;
	access.va = va;
	access.bytes = bytes;
	access.data = (uintptr_t)data;
	return adbg_vm_access(session, &access);
}

/**
 * adbg_vm_unpatch() - AMDGPUDBG_IOC_VM_ACCESS: remove the patch of @bytes at @va
 * @flags: 0 or %AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP
 */
ADBG_WUR ADBG_INLINE int
adbg_vm_unpatch(struct adbg_session *session, uint64_t va, uint64_t bytes, uint32_t flags)
{
	struct amdgpudbg_vm_access access = ADBG_ZERO;

	access.flags = AMDGPUDBG_VM_ACCESS_UNPATCH | flags;
	access.va = va;
	access.bytes = bytes;
	return adbg_vm_access(session, &access);
}

/**
 * adbg_vm_mappings() - list mappings into allocated memory
 * @va: list mappings that overlap the @bytes addresses from here on; both 0: all
 * @mappings: set to an array of @count mappings, to be freed by free(3); NULL on failure
 * Return: as adbg_vm_list(), without -EMSGSIZE; -ENOMEM.
 */
ADBG_WUR ADBG_INLINE int
adbg_vm_mappings(struct adbg_session *session, uint64_t va, uint64_t bytes,
		 struct amdgpudbg_mapping **mappings, uint32_t *count)
{
	void *list = NULL;
	int ret;

	ret = adbg_vm_mappings_sized(session, va, bytes,
				     sizeof(struct amdgpudbg_mapping), &list,
				     count);
	*mappings = (struct amdgpudbg_mapping *)list;
	return ret;
}

/* --------------------------------------------------------------------- jobs */

/** adbg_jobs() - AMDGPUDBG_IOC_JOB_LIST: list jobs; free by adbg_jobs_free(); also -ENOMEM */
ADBG_WUR ADBG_INLINE int
adbg_jobs(struct adbg_session *session, struct amdgpudbg_job_list *list)
{
	list->size = sizeof(*list);
	list->entry_size = sizeof(struct amdgpudbg_job);
	return adbg_jobs_sized(session, list);
}

/** adbg_jobs_free() - free the memory that adbg_jobs() allocated */
void adbg_jobs_free(struct amdgpudbg_job_list *list);

/** adbg_jobs_get() - get the job at index @i; NULL beyond the last */
const struct amdgpudbg_job *
adbg_jobs_get(const struct amdgpudbg_job_list *list, size_t i);

/** adbg_jobs_get_ib() - get the indirect buffer at index @i of a job; NULL beyond the last */
const struct amdgpudbg_ib *
adbg_jobs_get_ib(const struct amdgpudbg_job_list *list,
		 const struct amdgpudbg_job *job, size_t i);

/** adbg_trap_handler_set() - AMDGPUDBG_IOC_TRAP_HANDLER: set the target's trap handler */
ADBG_WUR ADBG_INLINE int
adbg_trap_handler_set(struct adbg_session *session,
		      struct amdgpudbg_trap_handler *handler)
{
	handler->size = sizeof(*handler);
	return adbg_call(session, AMDGPUDBG_IOC_TRAP_HANDLER, handler);
}

/** adbg_trap_handler_clear() - AMDGPUDBG_IOC_TRAP_HANDLER: remove the handler */
ADBG_WUR ADBG_INLINE int
adbg_trap_handler_clear(struct adbg_session *session)
{
	struct amdgpudbg_trap_handler handler = ADBG_ZERO;

	handler.size = sizeof(handler);
	handler.flags = AMDGPUDBG_TRAP_HANDLER_CLEAR;
	return adbg_call(session, AMDGPUDBG_IOC_TRAP_HANDLER, &handler);
}

/**
 * adbg_trap_install() - install the default trap handler for the target's waves
 * @vmid: NULL, or set to the VMID that has the handler
 * Return: as adbg_mem_alloc() and adbg_trap_handler_set(); -EEXIST it is already installed;
 * -EOPNOTSUPP also if there is no such handler for the GPU's generation.
 */
int adbg_trap_install(struct adbg_session *session, uint32_t *vmid) ADBG_WUR;

/** adbg_trap_uninstall() - remove the default trap handler, see adbg_trap_handler_clear() */
int adbg_trap_uninstall(struct adbg_session *session) ADBG_WUR;

/** struct adbg_trap_stop - the last stop of a wave in a slot; later versions append members */
struct adbg_trap_stop {
	uint32_t size;		/* set by adbg_trap_read() */
	uint32_t count;		/* stops of waves in the slot; if 0, all members are */
	uint64_t pc;		/* pc, id and host: see struct adbg_trap */
	uint64_t exec;		/* EXEC */
	uint32_t id;
	uint32_t host;
	uint32_t ttmp[2];	/* TTMP0 and TTMP1, raw */
	uint64_t hw_mask;	/* which members of hw the handler has read */
	uint32_t hw[AMDGPUDBG_WAVE_NUM_HW];	/* see struct amdgpudbg_wave */
};

/**
 * adbg_trap_read() - read the mailbox of the default trap handler for the slot @at
 * Return: as adbg_mem_read(); -ENOENT adbg_trap_install() was not called; -ENXIO the GPU
 * has no such slot.
 */
ADBG_WUR ADBG_INLINE int
adbg_trap_read(struct adbg_session *session, const struct amdgpudbg_wave_coord *at,
	       struct adbg_trap_stop *stop)
{
	stop->size = sizeof(*stop);
	return adbg_trap_read_sized(session, at, stop);
}

/* ---------------------------------------------- taking wave registers apart */

/** struct adbg_field - one field of a register */
struct adbg_field {
	const char *name;	/* as in AMD's headers, such as "HALT" */
	uint32_t shift;		/* lowest bit */
	uint32_t width;		/* number of bits */
	const char *const *bits; /* NULL, or the names of the bits, the lowest first */
	const void *__reserved[2]; /* NULL */
};

/**
 * struct adbg_reg - one register of a wave in one generation
 *
 * Do not copy this structure: it is a part of a larger one.
 */
struct adbg_reg {
	const char *name;	/* as in AMD's headers, such as "SQ_WAVE_STATUS" */
	uint32_t space;		/* AMDGPUDBG_REG_HW or AMDGPUDBG_REG_TTMP */
	uint32_t number;	/* number in that space */
	uint32_t index;		/* index for SQ_IND_INDEX */
	uint32_t writable;	/* bits that can be written */
	uint32_t num_fields;	/* see adbg_reg_get_field() */
	uint32_t __reserved;
};

/** adbg_reg_get() - get the register at index @i of a generation; NULL beyond the last */
const struct adbg_reg *adbg_reg_get(uint32_t gc_version, size_t i);

/** adbg_reg_count() - count the registers of a generation; 0 if it is not known */
ADBG_INLINE size_t
adbg_reg_count(uint32_t gc_version)
{
	size_t count = 0;

	while (adbg_reg_get(gc_version, count))
		count++;
	return count;
}

/** adbg_reg_find() - find a register by name, with or without "SQ_WAVE_"; NULL if none */
const struct adbg_reg *adbg_reg_find(uint32_t gc_version, const char *name);

/** adbg_reg_get_field() - get the field at index @i, the lowest first; NULL beyond the last */
const struct adbg_field *adbg_reg_get_field(const struct adbg_reg *reg, size_t i);

/** adbg_reg_find_field() - find a field by name; NULL if there is none */
const struct adbg_field *adbg_reg_find_field(const struct adbg_reg *reg,
					     const char *name);

/** adbg_reg_is_known() - check whether a wave's record has a register */
ADBG_INLINE bool
adbg_reg_is_known(const struct adbg_reg *reg, const struct amdgpudbg_wave *wave)
{
	/* The library can know more registers than the caller's record has. */
	if (reg->space == AMDGPUDBG_REG_TTMP)
		return wave->flags & AMDGPUDBG_WAVE_TTMP &&
		       reg->number < sizeof(wave->ttmp) / sizeof(wave->ttmp[0]);
	return reg->number < AMDGPUDBG_WAVE_NUM_HW &&
	       (wave->hw_mask >> reg->number & 1);
}

/** adbg_reg_value() - get the value of a register; 0 if the record does not have it */
ADBG_INLINE uint32_t
adbg_reg_value(const struct adbg_reg *reg, const struct amdgpudbg_wave *wave)
{
	if (!adbg_reg_is_known(reg, wave))
		return 0;
	return reg->space == AMDGPUDBG_REG_TTMP ? wave->ttmp[reg->number] :
						  wave->hw[reg->number];
}

/** adbg_field_value() - extract a field from a register's value @raw */
ADBG_INLINE uint32_t
adbg_field_value(const struct adbg_field *field, uint32_t raw)
{
	return raw >> field->shift & (uint32_t)((1ULL << field->width) - 1);
}

/** struct adbg_trap - how a wave entered its trap handler */
struct adbg_trap {
	uint64_t pc;		/* byte address of the instruction; of s_trap itself */
	uint32_t id;		/* trap id of s_trap or WAVEOP_TRAP; 0: exception, step */
	uint32_t host;		/* 1 if it was a WAVEOP_TRAP */
	uint32_t rewind;	/* distance back to the instruction that trapped, bytes */
	uint32_t resumed;	/* 1 if it was resumed since: see AMDGPUDBG_IOC_TRAP_HANDLER */
	uint32_t __reserved[2];	/* 0 */
};

/**
 * adbg_wave_get_trap() - get a wave's last trap from its TTMP0 and TTMP1
 * Return: 0; -ENODATA the record does not have them; -EOPNOTSUPP unknown generation.
 */
int adbg_wave_get_trap(const struct amdgpudbg_wave *wave, uint32_t gc_version,
		       struct adbg_trap *trap) ADBG_WUR;

/**
 * adbg_wave_get_causes() - get the names of the exceptions in a wave's SQ_WAVE_TRAPSTS
 * @names: set to at most @max static names, such as "ADDR_WATCH1"
 * Return: the number of names; 0 also if the generation is not known.
 */
size_t adbg_wave_get_causes(const struct amdgpudbg_wave *wave, uint32_t gc_version,
			    const char **names, size_t max);

/** adbg_wave_get_watches() - get the watches that a wave has hit: bit N for watch N */
uint32_t adbg_wave_get_watches(const struct amdgpudbg_wave *wave, uint32_t gc_version);

/* ----------------------------------- reading and writing registers of waves */

/** adbg_reg_access() - AMDGPUDBG_IOC_REG_ACCESS: read or write registers of a wave */
ADBG_WUR ADBG_INLINE int
adbg_reg_access(struct adbg_session *session, struct amdgpudbg_reg_access *access)
{
	access->size = sizeof(*access);
	access->num_done = 0;
	return adbg_call(session, AMDGPUDBG_IOC_REG_ACCESS, access);
}

/** adbg_reg_batch() - AMDGPUDBG_IOC_REG_BATCH: registers of several waves; 0 even if one failed */
ADBG_WUR ADBG_INLINE int
adbg_reg_batch(struct adbg_session *session, struct amdgpudbg_reg_batch *batch)
{
	struct amdgpudbg_reg_batch_op *ops =
		(struct amdgpudbg_reg_batch_op *)(uintptr_t)batch->ops;
	uint32_t i;

	batch->entry_size = sizeof(*ops);
	for (i = 0; ops && i < batch->count; i++)
		ops[i].access.size = sizeof(ops[i].access);
	batch->size = sizeof(*batch);
	return adbg_call(session, AMDGPUDBG_IOC_REG_BATCH, batch);
}

/** adbg_reg_num_values() - count the values of ranges; can exceed the ioctl's limit */
ADBG_INLINE uint64_t
adbg_reg_num_values(const struct amdgpudbg_reg_range *ranges, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum += (uint64_t)ranges[i].count *
		       (ranges[i].space == AMDGPUDBG_REG_VGPR ||
			ranges[i].space == AMDGPUDBG_REG_AGPR ?
			ranges[i].num_lanes : 1);
	return sum;
}

/** struct adbg_reg_file - numbers of registers of a generation */
struct adbg_reg_file {
	uint32_t num_sgpr;	/* SGPRs, including VCC */
	uint32_t num_ttmp;
	uint32_t max_vgpr;	/* maximum number of VGPRs of a lane */
	uint32_t max_lane;	/* maximum number of lanes */
	uint32_t __reserved[4];	/* 0 */
};

/** adbg_reg_get_file() - get them for a generation; NULL if it is not known */
const struct adbg_reg_file *adbg_reg_get_file(uint32_t gc_version);

/**
 * adbg_reg_parse() - parse a name of registers, such as "s4", "v[0:3]" or "exec"
 * @range: set to the registers; the caller sets the lanes, which are 0
 * Return: 0; -EINVAL no such name; -ERANGE a number beyond those of the generation
 */
int adbg_reg_parse(uint32_t gc_version, const char *text,
		   struct amdgpudbg_reg_range *range) ADBG_WUR;

#define ADBG_REG_NAME_MAX	32	/* buffer size for any register's name */

/** adbg_reg_name() - format a register's name, "?" if there is none; returns @name */
char *adbg_reg_name(uint32_t gc_version, uint32_t space, uint32_t number,
		    char name[ADBG_REG_NAME_MAX]);

/** adbg_wave_num_vgprs() - get the number of a wave's VGPRs; 0 if it is not known */
uint32_t adbg_wave_num_vgprs(uint32_t gc_version, const struct amdgpudbg_wave *wave);

/** adbg_wave_state_new() - allocate an empty state; 0 or -ENOMEM */
int adbg_wave_state_new(struct adbg_wave_state **state) ADBG_WUR;

/** adbg_wave_state_free() - free a state */
void adbg_wave_state_free(struct adbg_wave_state *state);

/**
 * adbg_wave_state_read() - read all registers of a halted wave by one system call
 * @state: its previous contents are discarded, also on failure
 * @wave: the wave, from a list
 * Return: as adbg_reg_access(); -EOPNOTSUPP also if the generation is not known.
 */
int adbg_wave_state_read(struct adbg_wave_state *state, struct adbg_session *session,
			 const struct amdgpudbg_wave *wave) ADBG_WUR;

/**
 * adbg_wave_state_get() - get the registers of one kind from a state
 * @space: &enum amdgpudbg_reg_space
 * @lane: for VGPRs, the lane; else 0
 * @count: set to their number; 0 if nothing was read or there is no such lane
 * Return: the values in the order of the registers' numbers; NULL if @count is 0.
 */
const uint32_t *adbg_wave_state_get(const struct adbg_wave_state *state, uint32_t space,
				    uint32_t lane, uint32_t *count);

/** adbg_wave_state_get_lanes() - get the number of lanes, 32 or 64; 0 if nothing was read */
uint32_t adbg_wave_state_get_lanes(const struct adbg_wave_state *state);

/** adbg_wave_state_get_hwreg() - get a register, such as AMDGPUDBG_GFX10_3_PC_LO; 0 if none */
ADBG_INLINE uint32_t
adbg_wave_state_get_hwreg(const struct adbg_wave_state *state, uint32_t hwreg)
{
	uint32_t count;
	const uint32_t *regs = adbg_wave_state_get(state, AMDGPUDBG_REG_HW, 0, &count);

	return hwreg < count ? regs[hwreg] : 0;
}

/* ----------------------------------------------------------------- errors */

/**
 * adbg_strerror() - describe an error
 * @session: the session whose last failed call returned it; NULL: a function that finds or
 *	opens GPUs returned it
 * @error: an errno value, positive or negative
 * Return: a clause in lower case without a full stop, static; never NULL.
 */
const char *adbg_strerror(const struct adbg_session *session, int error);

/** adbg_strhint() - get advice about an error, as adbg_strerror(); NULL if there is none */
const char *adbg_strhint(const struct adbg_session *session, int error);

/** adbg_errname() - get the name of an errno value, such as "EBUSY", static; "E?" if unknown */
const char *adbg_errname(int error);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_H */
