/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg: the C interface to amdgpudbg, the wave debugger for AMD GPUs.
 *
 * Structures and constants of the ioctls are those of <linux/amdgpudbg.h>. This
 * header has what a program would otherwise have to write itself. For tools that were
 * written to amdkfd's old interface there is <amdgpudbg-hsa.h>.
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

/**
 * DOC: Rules for the whole library
 *
 * Results. Functions that can fail return 0 or a negative errno value; the variable
 * errno is no part of the interface. adbg_strerror() puts the value into words. A
 * function that fails leaves its output parameters as they were, unless its
 * description says otherwise. What is named after an ioctl returns what that does,
 * with the errors at the top of linux/amdgpudbg.h.
 *
 * EINTR. Calls that a signal may interrupt are restarted by the library. The
 * exceptions are operations on waves that must not be done twice
 * (%AMDGPUDBG_WAVEOP_TRAP, %AMDGPUDBG_WAVEOP_STEP, and batches): they return -EINTR, and
 * the caller has to look at the waves to know. And adbg_event_next(), which only
 * waits.
 *
 * Threads. There is no global state, no hidden thread, no signal handler, and
 * nothing is printed. One thread at a time may use an object; different
 * objects are independent. Functions that take no object may be called from
 * any thread at any time. There is one exception: while one thread takes a session's
 * events by adbg_event_next(), another may use the session for all but events, that is
 * not for adbg_event_enable(), nor close it. adbg_strerror() and adbg_strhint() then
 * speak to each thread of its own failures.
 *
 * Ownership. Objects made by the library (&struct adbg_session, &struct
 * adbg_gpu_list, &struct adbg_client_list, &struct adbg_wave_list) are freed by
 * their own function. Pointers that a getter returns belong to the object and live as long as it
 * does, or until the call that fills it again.
 *
 * Sizes. Structures of ioctls, and some of the library's, begin with @size. What
 * takes one sets that to the size that the caller was compiled with, in an inline
 * function: no size is compiled into the library, which may be older or newer.
 * Members that it has not been given are zero.
 */

/* What @...= { 0 } is in C, without a warning in C++ */
#ifdef __cplusplus
#define ADBG_ZERO {}
#else
#define ADBG_ZERO { 0 }
#endif

#if defined(__GNUC__)
#define ADBG_WUR __attribute__((__warn_unused_result__))
#else
#define ADBG_WUR
#endif

/* ---------------------------------------------------------------- version */

/**
 * adbg_version() - version of the library that is running
 *
 * Return: text such as "0.1.0", static.
 */
const char *adbg_version(void);

/* --------------------------------------------------------------- the GPUs */

/* Parts of gc_version of struct amdgpudbg_info */
#define ADBG_GC_VERSION(major, minor, rev) \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(rev))
#define ADBG_GC_MAJOR(version)	((version) >> 16)
#define ADBG_GC_MINOR(version)	((version) >> 8 & 0xff)
#define ADBG_GC_REV(version)	((version) & 0xff)

/**
 * struct adbg_gpu - one GPU in a list
 * @number: N of /dev/amdgpudbgN
 * @error: 0, or the negative errno value that asking the GPU gave; @info is
 *	then all zero
 * @path: its device node
 * @info: what the module knows of it
 */
struct adbg_gpu {
	uint32_t number;
	int32_t error;
	char path[32];
	struct amdgpudbg_info info;
};

/** struct adbg_gpu_list - the GPUs that the module serves; opaque */
struct adbg_gpu_list;

/**
 * adbg_gpu_list_new_sized() - what adbg_gpu_list_new() calls
 *
 * With the size of &struct amdgpudbg_info that its caller was compiled with.
 */
int adbg_gpu_list_new_sized(struct adbg_gpu_list **list,
			    size_t info_size) ADBG_WUR;

/**
 * adbg_gpu_list_new() - look which GPUs there are
 * @list: set to a new list, in the order of the node numbers. It may be empty.
 *
 * Each node is opened for a moment to ask it; one that cannot be asked is
 * listed too, with its error.
 *
 * Return: 0; -ENOMEM; what opendir(3) gives for /dev.
 */
ADBG_WUR static inline int
adbg_gpu_list_new(struct adbg_gpu_list **list)
{
	return adbg_gpu_list_new_sized(list, sizeof(struct amdgpudbg_info));
}

/**
 * adbg_gpu_list_free() - free a list
 * @list: the list, or NULL
 */
void adbg_gpu_list_free(struct adbg_gpu_list *list);

/**
 * adbg_gpu_list_get() - one GPU of a list
 * @list: the list
 * @i: its place, from 0
 *
 * Return: the GPU, owned by @list; NULL when there is none at @i.
 */
const struct adbg_gpu *adbg_gpu_list_get(const struct adbg_gpu_list *list,
					 size_t i);

/**
 * adbg_gpu_list_count() - number of GPUs in a list
 * @list: the list
 *
 * Return: the number.
 */
static inline size_t
adbg_gpu_list_count(const struct adbg_gpu_list *list)
{
	size_t count = 0;

	while (adbg_gpu_list_get(list, count))
		count++;
	return count;
}

/**
 * adbg_gpu_list_find() - find a GPU by what it is called
 * @list: the list
 * @what: as for adbg_open()
 * @gpu: set to the GPU, owned by @list
 *
 * Return: 0; -EINVAL, -ENOENT, -ENOTUNIQ, -ENOTTY as adbg_open(); what stat(2) gives;
 * -ENODEV no such GPU, or, when a GPU could not be asked, why that was.
 */
int adbg_gpu_list_find(const struct adbg_gpu_list *list, const char *what,
		       const struct adbg_gpu **gpu) ADBG_WUR;

/**
 * adbg_module_status() - what the module says about the GPUs of the machine
 * @text: set to the text, shortened to @size. A line for each AMD GPU: PCI
 *	address, vendor:device, node or "-", a sentence. Without any AMD GPU
 *	there is only a sentence. The last line has no line feed.
 * @size: size of @text in bytes, at least 1
 *
 * The answer to "why is this GPU not there", from /sys/module/amdgpudbg/gpus.
 *
 * Return: 0; -ENOENT when the module is not loaded; -ENODATA when it is loaded
 * and says nothing; -EINVAL; what read(2) gives.
 */
int adbg_module_status(char *text, size_t size) ADBG_WUR;

/* --------------------------------------------------------------- sessions */

/**
 * struct adbg_session - an open GPU; opaque
 *
 * A session owns what it changes on the GPU. When it closes (also because its
 * process was killed), the kernel takes it all back: waves that it halted run
 * on, unless they were halted with %AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED.
 *
 * The file descriptor is closed by execve(2). A child of fork(2) shares it, and
 * the session then lives until both have closed it.
 */
struct adbg_session;

/**
 * adbg_open() - open a GPU as a session
 * @what: which one: its number or node ("0", "/dev/amdgpudbg0"), its PCI address
 *	("0000:0a:00.0"; the domain may be left out if it is 0), its DRM render node
 *	("/dev/dri/renderD128"); NULL: the only one
 * @session: set to the session
 *
 * Return: 0; -EINVAL @what is nothing of that; -ENOENT there is no such node; -ENODEV
 * the module serves no such GPU; -ENOTUNIQ there are several; -ENOTTY the path is no DRM
 * render node, or the node is of another driver; -EACCES, -EPERM, -EMFILE, -ENOMEM.
 */
int adbg_open(const char *what, struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_close() - close a session
 * @session: the session, or NULL
 *
 * The kernel takes back what the session changed.
 */
void adbg_session_close(struct adbg_session *session);

/**
 * adbg_call() - one ioctl of a session
 * @session: the session
 * @request: AMDGPUDBG_IOC_*
 * @arg: its structure, with its size set
 *
 * What the functions that are named after ioctls call. See the rule on EINTR.
 *
 * Return: 0, or the negative errno value that the ioctl's description says.
 */
int adbg_call(struct adbg_session *session, unsigned long request,
	      void *arg) ADBG_WUR;

/**
 * adbg_session_get_fd() - the file descriptor of a session
 * @session: the session
 *
 * For fcntl(2) and for passing it on. It belongs to the session: do not close
 * it.
 *
 * Return: the descriptor.
 */
int adbg_session_get_fd(const struct adbg_session *session);

/**
 * adbg_session_get_number() - which GPU a session is for
 * @session: the session
 *
 * Return: N of /dev/amdgpudbgN.
 */
unsigned int adbg_session_get_number(const struct adbg_session *session);

/**
 * adbg_session_get_gc_version() - graphics core of the session's GPU
 * @session: the session
 *
 * Asks nobody: the version was read when the session was opened.
 *
 * Return: see ADBG_GC_VERSION(); what the adbg_reg functions want.
 */
uint32_t adbg_session_get_gc_version(const struct adbg_session *session);

/**
 * adbg_session_get_info() - what the module knows of the GPU, as of now
 * @session: the session
 * @info: set to it
 *
 * AMDGPUDBG_IOC_GET_INFO, see &struct amdgpudbg_info. Touches no register.
 */
ADBG_WUR static inline int
adbg_session_get_info(struct adbg_session *session, struct amdgpudbg_info *info)
{
	info->size = sizeof(*info);
	return adbg_call(session, AMDGPUDBG_IOC_GET_INFO, info);
}

/**
 * adbg_session_get_capability() - ask for one capability by number
 * @session: the session
 * @id: &enum amdgpudbg_capability_id, from 0 to num_capabilities - 1 of &struct
 *	amdgpudbg_info
 * @capability: set to the answer
 *
 * AMDGPUDBG_IOC_GET_CAPABILITY, see &struct amdgpudbg_capability. Touches no register.
 */
ADBG_WUR static inline int
adbg_session_get_capability(struct adbg_session *session, uint32_t id,
			    struct amdgpudbg_capability *capability)
{
	capability->id = id;
	capability->size = sizeof(*capability);
	return adbg_call(session, AMDGPUDBG_IOC_GET_CAPABILITY, capability);
}

/**
 * adbg_session_get_busy() - why has a call given -EBUSY?
 * @session: the session
 * @busy: set to the answer about its last call that has
 *
 * AMDGPUDBG_IOC_GET_BUSY, see &struct amdgpudbg_busy. Touches no register.
 */
ADBG_WUR static inline int
adbg_session_get_busy(struct adbg_session *session, struct amdgpudbg_busy *busy)
{
	busy->flags = 0;
	busy->__reserved = 0;
	busy->size = sizeof(*busy);
	return adbg_call(session, AMDGPUDBG_IOC_GET_BUSY, busy);
}

/* ----------------------------------------------------------------- targets */

/**
 * adbg_target_set() - let a session be about one process alone
 * @session: the session
 * @target: which process
 *
 * AMDGPUDBG_IOC_TARGET_SET, see &struct amdgpudbg_target_set, and "Scope and authority"
 * in linux/amdgpudbg.h. What the session had halted on the whole GPU before is resumed.
 *
 * Return: as the ioctl; -EBADF also if @drm_fd of it is negative.
 */
ADBG_WUR static inline int
adbg_target_set(struct adbg_session *session,
		struct amdgpudbg_target_set *target)
{
	/* The kernel would give up the target that there is. */
	if (target->drm_fd < 0)
		return -EBADF;
	target->size = sizeof(*target);
	return adbg_call(session, AMDGPUDBG_IOC_TARGET_SET, target);
}

/**
 * adbg_target_attach_sized() - what adbg_target_attach() calls
 *
 * With the sizes that its caller was compiled with.
 */
int adbg_target_attach_sized(struct adbg_session *session, int32_t pid,
			     uint64_t client_id,
			     struct amdgpudbg_target_set *target) ADBG_WUR;

/**
 * adbg_target_attach() - the same, of a process's number
 * @session: the session
 * @pid: the process
 * @client_id: which of its DRM clients, see &struct adbg_client; 0: the only one
 * @target: NULL, or set to what came of it;
 *	its descriptors are -1
 *
 * Finds the process's DRM file of the session's GPU, takes a duplicate of it
 * with pidfd_getfd(2), for which the kernel asks for the right to ptrace(2) the
 * process, and gives it to adbg_target_set().
 *
 * Return: as adbg_target_set(); -ESRCH no such process, or it has exited;
 * -ENODATA it has no file of this GPU open, or none of @client_id; -ENOTUNIQ it
 * has several clients; -EPERM, -EACCES the kernel does not let the caller debug
 * it, see adbg_target_reason(); -EAGAIN its files changed each time that they
 * were looked at; -ENOSYS Linux older than 5.6; -ENOMEM; -EMFILE.
 */
ADBG_WUR static inline int
adbg_target_attach(struct adbg_session *session, int32_t pid,
		   uint64_t client_id, struct amdgpudbg_target_set *target)
{
	if (target)
		target->size = sizeof(*target);
	return adbg_target_attach_sized(session, pid, client_id, target);
}

/**
 * adbg_target_clear() - let a session be about the whole GPU again
 * @session: the session, with or without a target
 *
 * What it changed for its target is taken back.
 *
 * Return: 0; -ENODEV the GPU is gone.
 */
ADBG_WUR static inline int
adbg_target_clear(struct adbg_session *session)
{
	struct amdgpudbg_target_set target = ADBG_ZERO;

	target.size = sizeof(target);
	target.drm_fd = -1;
	target.pidfd = -1;
	return adbg_call(session, AMDGPUDBG_IOC_TARGET_SET, &target);
}

/**
 * adbg_target_reason() - why the kernel does not let the caller debug a process
 * @pid: a process for which adbg_target_attach() gave -EPERM or -EACCES
 *
 * A guess, from what /proc tells of the process, of the caller, and of the Yama
 * security module.
 *
 * Return: a clause in lower case without a full stop that says what to do,
 * static.
 */
const char *adbg_target_reason(int32_t pid);

/**
 * struct adbg_client - a DRM client: one use that a process makes of a GPU, with
 * an address space of its own there
 * @client_id: its number, "drm-client-id" of its fdinfo
 * @pid: the process
 * @pasid: its address space, "pasid" of its fdinfo
 * @fd: the lowest of its descriptors in that process
 * @num_fds: how many there are
 * @name: of the process, /proc/PID/comm
 */
struct adbg_client {
	uint64_t client_id;
	int32_t pid;
	uint32_t pasid;
	int32_t fd;
	uint32_t num_fds;
	char name[16];
};

/** struct adbg_client_list - DRM clients of a GPU; opaque */
struct adbg_client_list;

/**
 * adbg_client_list_new() - look which clients a GPU has
 * @session: the session, whose GPU it is about
 * @pid: of this process; 0: of all processes that the caller may look at
 * @list: set to a new list, by process and client id. It may be empty.
 *
 * A client that two processes share, as after fork(2), is listed for each.
 *
 * Return: 0; -ESRCH no such process; -EACCES, -EPERM the caller may not look at
 * @pid; -EINVAL @pid is negative; -ENOMEM; what opendir(3) gives for /proc.
 */
int adbg_client_list_new(struct adbg_session *session, int32_t pid,
			 struct adbg_client_list **list) ADBG_WUR;

/**
 * adbg_client_list_free() - free a list
 * @list: the list, or NULL
 */
void adbg_client_list_free(struct adbg_client_list *list);

/**
 * adbg_client_list_get() - one client of a list
 * @list: the list
 * @i: its place, from 0
 *
 * Return: the client, owned by @list; NULL when there is none at @i.
 */
const struct adbg_client *
adbg_client_list_get(const struct adbg_client_list *list, size_t i);

/**
 * adbg_client_list_count() - number of clients in a list
 * @list: the list
 *
 * Return: the number.
 */
static inline size_t
adbg_client_list_count(const struct adbg_client_list *list)
{
	size_t count = 0;

	while (adbg_client_list_get(list, count))
		count++;
	return count;
}

/* -------------------------------------------------- wave names and filters */

/** ADBG_WAVE_NAME_MAX - size of a buffer that holds any wave's name */
#define ADBG_WAVE_NAME_MAX	64

/**
 * adbg_wave_name() - print the name of a wave slot
 * @at: the slot
 * @name: buffer of ADBG_WAVE_NAME_MAX bytes, always enough
 *
 * The name is like "se0.sa0.wgp3.simd1.wave5", with "xcc1." in front on an
 * accelerator complex other than the first. adbg_wave_spec_parse() reads it
 * back.
 *
 * Return: @name.
 */
char *adbg_wave_name(const struct amdgpudbg_wave_coord *at,
		     char name[ADBG_WAVE_NAME_MAX]);

/**
 * struct adbg_range - a range of one member of a wave's place
 * @first: lowest value
 * @last: highest value, included; ADBG_RANGE_MAX with @first 0 is "any"
 */
struct adbg_range {
	uint16_t first;
	uint16_t last;
};

#define ADBG_RANGE_MAX	UINT16_MAX

/**
 * struct adbg_wave_spec - a filter for wave slots
 * @xcc: wanted accelerator complexes
 * @se: wanted shader engines
 * @sa: wanted shader arrays
 * @wgp: wanted workgroup processors
 * @simd: wanted SIMDs
 * @wave: wanted slots
 *
 * Of fixed size.
 */
struct adbg_wave_spec {
	struct adbg_range xcc;
	struct adbg_range se;
	struct adbg_range sa;
	struct adbg_range wgp;
	struct adbg_range simd;
	struct adbg_range wave;
};

/**
 * adbg_wave_spec_parse() - read a wave's name or a filter
 * @text: what to read
 * @spec: set to the filter
 * @bad: when not NULL, set on failure to the offset in @text of the part that
 *	is wrong
 *
 * A filter has up to six parts divided by dots: xcc, se, sa, wgp, simd, wave.
 * A part is a number, a range "2-5" or "*" for any, with the name of its place
 * in front ("wgp3") or without. "sh" is taken for "sa" and "cu" for "wgp". A
 * part without a name is for the place after the one before it, and the first
 * such is for se, or for xcc when all six are given. Places that are left out
 * are any, but for xcc, which is then 0. "*" alone means every wave.
 *
 * All of these name the same slot: "se0.sa0.wgp3.simd1.wave5",
 * "se0.sh0.cu3.simd1.wave5", "0.0.3.1.5", "xcc0.se0.sa0.wgp3.simd1.wave5".
 * "wgp3" and "*.*.3" mean all waves on every WGP 3, "0.0.0-3.*.0" the first
 * slots of four WGPs.
 *
 * Return: 0; -EINVAL not a filter; -ERANGE a number is above 65535.
 */
int adbg_wave_spec_parse(const char *text, struct adbg_wave_spec *spec,
			 size_t *bad) ADBG_WUR;

/**
 * adbg_wave_spec_match() - is a slot in a filter
 * @spec: the filter
 * @at: the slot
 *
 * Return: true when it is.
 */
bool adbg_wave_spec_match(const struct adbg_wave_spec *spec,
			  const struct amdgpudbg_wave_coord *at);

/**
 * adbg_wave_spec_mode() - can one operation reach just the waves of a filter
 * @spec: the filter
 * @at: NULL, or set, unless the call fails, to what @at of &struct
 *	amdgpudbg_wave_control has to be then
 *
 * Return: %AMDGPUDBG_WAVEMODE_SINGLE one slot; %AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU
 * one whole WGP or compute unit; %AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS every wave;
 * -ENOENT it is none of these.
 */
int adbg_wave_spec_mode(const struct adbg_wave_spec *spec,
			struct amdgpudbg_wave_coord *at) ADBG_WUR;

/* -------------------------------------------------------- listing of waves */

/**
 * adbg_wave_read() - read the live waves into the caller's buffer
 * @session: the session
 * @request: what is wanted, and where to; records are as long as &struct amdgpudbg_wave
 *
 * AMDGPUDBG_IOC_WAVE_LIST, see &struct amdgpudbg_wave_list. One system call, no
 * allocation. With records of another length, use adbg_call().
 */
ADBG_WUR static inline int
adbg_wave_read(struct adbg_session *session,
	       struct amdgpudbg_wave_list *request)
{
	request->entry_size = sizeof(struct amdgpudbg_wave);
	request->size = sizeof(*request);
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_LIST, request);
}

/**
 * adbg_wave_snapshot() - read the live waves of one moment into the caller's buffer
 * @session: the session
 * @request: as for adbg_wave_read()
 *
 * AMDGPUDBG_IOC_WAVE_SNAPSHOT, see &struct amdgpudbg_wave_list.
 */
ADBG_WUR static inline int
adbg_wave_snapshot(struct adbg_session *session,
		   struct amdgpudbg_wave_list *request)
{
	request->entry_size = sizeof(struct amdgpudbg_wave);
	request->size = sizeof(*request);
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_SNAPSHOT, request);
}

/**
 * struct adbg_wave_list - a list of waves that grows as needed; opaque
 *
 * It keeps its buffer, so that reading again costs one system call.
 */
struct adbg_wave_list;

/**
 * adbg_wave_list_new() - make an empty list
 * @list: set to the list, to be freed with adbg_wave_list_free()
 *
 * Return: 0; -ENOMEM.
 */
int adbg_wave_list_new(struct adbg_wave_list **list) ADBG_WUR;

/**
 * adbg_wave_list_free() - free a list
 * @list: the list, or NULL
 */
void adbg_wave_list_free(struct adbg_wave_list *list);

/**
 * adbg_wave_list_fill_sized() - what adbg_wave_list_fill() and others call
 *
 * With the sizes that its caller was compiled with.
 */
int adbg_wave_list_fill_sized(struct adbg_wave_list *list,
			      struct adbg_session *session,
			      unsigned long request,
			      struct amdgpudbg_wave_list *what) ADBG_WUR;

/**
 * adbg_wave_list_fill() - fill a list with those live waves that are wanted
 * @list: the list; its former contents are gone, also on failure
 * @session: the session
 * @what: which waves, as for adbg_wave_read(), and what came of it; its buffer is not
 *	used
 *
 * Makes the buffer longer and asks again while the kernel has more waves than fit.
 *
 * Return: as adbg_wave_read(); -ENOMEM; -EMSGSIZE only when the number of waves
 * outran the buffer eight times.
 */
ADBG_WUR static inline int
adbg_wave_list_fill(struct adbg_wave_list *list, struct adbg_session *session,
		    struct amdgpudbg_wave_list *what)
{
	what->size = sizeof(*what);
	what->entry_size = sizeof(struct amdgpudbg_wave);
	return adbg_wave_list_fill_sized(list, session,
					 AMDGPUDBG_IOC_WAVE_LIST, what);
}

/**
 * adbg_wave_list_snapshot() - the same of one moment
 * @list: as for adbg_wave_list_fill()
 * @session: likewise
 * @what: likewise; with %AMDGPUDBG_WAVE_LIST_HOLD, num_halted of it is that of all
 *	tries together
 *
 * AMDGPUDBG_IOC_WAVE_SNAPSHOT, see &struct amdgpudbg_wave_list. When the buffer has to
 * grow, a snapshot is taken again, and one that holds keeps the waves halted meanwhile.
 *
 * Return: as adbg_wave_list_fill().
 */
ADBG_WUR static inline int
adbg_wave_list_snapshot(struct adbg_wave_list *list,
			struct adbg_session *session,
			struct amdgpudbg_wave_list *what)
{
	what->size = sizeof(*what);
	what->entry_size = sizeof(struct amdgpudbg_wave);
	return adbg_wave_list_fill_sized(list, session,
					 AMDGPUDBG_IOC_WAVE_SNAPSHOT, what);
}

/**
 * adbg_wave_list_read() - fill a list with the live waves, as of now
 * @list: the list; its former contents are gone, also on failure
 * @session: the session
 * @vmid_mask: see &struct amdgpudbg_wave_list
 *
 * Return: as adbg_wave_list_fill().
 */
ADBG_WUR static inline int
adbg_wave_list_read(struct adbg_wave_list *list, struct adbg_session *session,
		    uint32_t vmid_mask)
{
	struct amdgpudbg_wave_list what = ADBG_ZERO;

	what.vmid_mask = vmid_mask;
	return adbg_wave_list_fill(list, session, &what);
}

/**
 * adbg_wave_list_count() - number of waves in a list
 * @list: the list
 *
 * Return: the number.
 */
size_t adbg_wave_list_count(const struct adbg_wave_list *list);

/**
 * adbg_wave_list_get() - one wave of a list
 * @list: the list
 * @i: its place, from 0
 *
 * Return: the wave, owned by @list; NULL when there is none at @i.
 */
const struct amdgpudbg_wave *
adbg_wave_list_get(const struct adbg_wave_list *list, size_t i);

/* -------------------------------------------------------- control of waves */

/**
 * adbg_wave_control() - halt, resume, kill, debug, trap or step waves
 * @session: the session; it becomes the owner of what it halts
 * @control: what to do, and what came of it
 *
 * AMDGPUDBG_IOC_WAVE_CONTROL, see &struct amdgpudbg_wave_control.
 *
 * Return: as the ioctl; for -EINTR see the rule at the top.
 */
ADBG_WUR static inline int
adbg_wave_control(struct adbg_session *session,
		  struct amdgpudbg_wave_control *control)
{
	control->size = sizeof(*control);
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_CONTROL, control);
}

/**
 * adbg_control_all() - do something to all waves of the session's target
 * @session: the session, which has a target
 * @op: &enum amdgpudbg_waveop, but for STEP
 * @result: NULL, or set to what came of it
 *
 * Return: as adbg_wave_control().
 */
ADBG_WUR static inline int
adbg_control_all(struct adbg_session *session, uint32_t op,
		 struct amdgpudbg_wave_control *result)
{
	struct amdgpudbg_wave_control control = ADBG_ZERO;
	int ret;

	control.op = op;
	control.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	ret = adbg_wave_control(session, &control);
	if (result)
		*result = control;
	return ret;
}

/**
 * adbg_halt_all() - adbg_control_all() with %AMDGPUDBG_WAVEOP_HALT
 * @session: the session, which has a target
 * @result: NULL, or set to what came of it
 */
ADBG_WUR static inline int
adbg_halt_all(struct adbg_session *session,
	      struct amdgpudbg_wave_control *result)
{
	return adbg_control_all(session, AMDGPUDBG_WAVEOP_HALT, result);
}

/**
 * adbg_resume_all() - adbg_control_all() with %AMDGPUDBG_WAVEOP_RESUME
 * @session: the session, which has a target
 * @result: NULL, or set to what came of it
 */
ADBG_WUR static inline int
adbg_resume_all(struct adbg_session *session,
		struct amdgpudbg_wave_control *result)
{
	return adbg_control_all(session, AMDGPUDBG_WAVEOP_RESUME, result);
}

/**
 * adbg_wave_batch() - many operations on waves, in order
 * @session: the session
 * @batch: what to do, and what came of it; the sizes of its operations are set
 *
 * AMDGPUDBG_IOC_WAVE_BATCH, see &struct amdgpudbg_wave_batch.
 *
 * Return: 0, also when operations failed: each has its error; else as the ioctl; for
 * -EINTR see the rule at the top.
 */
ADBG_WUR static inline int
adbg_wave_batch(struct adbg_session *session,
		struct amdgpudbg_wave_batch *batch)
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

/**
 * adbg_event_enable() - say which events a session is to be told
 * @session: the session
 * @types: &enum amdgpudbg_event_type, any of them ORed; 0: none any more, and what was not
 *	taken is thrown away
 * @capacity: events that the kernel keeps until they are taken, up to
 *	%AMDGPUDBG_EVENT_CAPACITY_MAX; 0: 256. 0 if @types is.
 *
 * With a target: the events of its waves. Without one: those of the whole GPU,
 * for which this call needs CAP_PERFMON or CAP_SYS_PTRACE. The session's descriptor becomes one
 * that does not block (O_NONBLOCK), which only matters to read(2).
 *
 * Return: 0; -EINVAL @capacity is too large; -EOPNOTSUPP the module does not
 * know a type; -EPERM; -ENOTCONN the target has exited; -ENODEV the GPU is
 * gone; -ENOMEM.
 */
int adbg_event_enable(struct adbg_session *session, uint32_t types,
		      uint32_t capacity) ADBG_WUR;

/**
 * adbg_event_next_sized() - what adbg_event_next() calls
 *
 * With the sizes that its caller was compiled with.
 */
int adbg_event_next_sized(struct adbg_session *session,
			  struct amdgpudbg_event *event,
			  int timeout_ms) ADBG_WUR;

/**
 * adbg_event_next() - take the oldest event, waiting for it if need be
 * @session: the session
 * @event: filled
 * @timeout_ms: how long to wait, in milliseconds; 0: not at all; -1: for ever
 *
 * In a loop of one's own: poll(2) adbg_session_get_fd() for POLLIN, then call
 * this with a @timeout_ms of 0 until it returns -EAGAIN, because the library
 * takes several events at a time from the kernel.
 *
 * Return: 0; -EAGAIN none came in time; -EINTR a signal came first; -EINVAL no
 * events are enabled; -ENOTCONN the target has exited, and this was told; -ENODEV
 * the GPU is gone, and this was told; -EPROTO the module says what is not understood; -ENOMEM.
 */
ADBG_WUR static inline int
adbg_event_next(struct adbg_session *session, struct amdgpudbg_event *event,
		int timeout_ms)
{
	event->size = sizeof(*event);
	return adbg_event_next_sized(session, event, timeout_ms);
}

/**
 * adbg_event_type_name() - what a type of event is called
 * @type: &enum amdgpudbg_event_type
 *
 * Return: a name such as "wave-stopped", static; NULL when @type is not known.
 */
const char *adbg_event_type_name(uint32_t type);

/**
 * adbg_event_types_parse() - read names of types
 * @text: names as adbg_event_type_name() gives them, divided by commas; or
 *	"all"
 * @types: set to all of them together
 *
 * Return: 0; -EINVAL one of them is none.
 */
int adbg_event_types_parse(const char *text, uint32_t *types) ADBG_WUR;

/**
 * adbg_event_causes() - name the bits of an event's cause
 * @cause: AMDGPUDBG_CAUSE_*; bits that are not known have no name
 * @names: set to the names, such as "MEM_VIOL", static
 * @max: how many @names has room for; %ADBG_MAX_CAUSES is always enough
 *
 * Return: how many were set.
 */
size_t adbg_event_causes(uint32_t cause, const char **names, size_t max);

#define ADBG_MAX_CAUSES	32

/* ------------------------------------------------- watches, starting waves */

/**
 * adbg_watch_set() - watch what the target's waves do to some memory
 * @session: the session, which has a target and becomes the watch's owner
 * @watch: what to watch, and what came of it
 *
 * AMDGPUDBG_IOC_WATCH_SET, see &struct amdgpudbg_watch_set. A wave stops at a watch only
 * if it has a trap handler and %AMDGPUDBG_EXCP_ADDR_WATCH enabled: see
 * adbg_trap_install() and adbg_launch_set().
 */
ADBG_WUR static inline int
adbg_watch_set(struct adbg_session *session, struct amdgpudbg_watch_set *watch)
{
	watch->size = sizeof(*watch);
	return adbg_call(session, AMDGPUDBG_IOC_WATCH_SET, watch);
}

/**
 * adbg_watch_clear() - end a watch
 * @session: its owner
 * @id: its number
 *
 * AMDGPUDBG_IOC_WATCH_CLEAR, see &struct amdgpudbg_watch_clear.
 */
ADBG_WUR static inline int
adbg_watch_clear(struct adbg_session *session, uint32_t id)
{
	struct amdgpudbg_watch_clear clear = ADBG_ZERO;

	clear.size = sizeof(clear);
	clear.id = id;
	return adbg_call(session, AMDGPUDBG_IOC_WATCH_CLEAR, &clear);
}

/**
 * adbg_launch_set() - how the target's waves are to start from now on
 * @session: the session, which has a target
 * @launch: how, and what came of it
 *
 * AMDGPUDBG_IOC_LAUNCH_SET, see &struct amdgpudbg_launch_set. All zero is as it was before
 * the first call.
 */
ADBG_WUR static inline int
adbg_launch_set(struct adbg_session *session,
		struct amdgpudbg_launch_set *launch)
{
	launch->size = sizeof(*launch);
	return adbg_call(session, AMDGPUDBG_IOC_LAUNCH_SET, launch);
}

/* ------------------------------------------------ memory and trap handlers */

/**
 * adbg_mem_alloc() - make a buffer in the target's GPU address space
 * @session: the session, which has a target
 * @mem: what is wanted, and what came of it
 *
 * AMDGPUDBG_IOC_MEM_ALLOC, see &struct amdgpudbg_mem_alloc.
 */
ADBG_WUR static inline int
adbg_mem_alloc(struct adbg_session *session, struct amdgpudbg_mem_alloc *mem)
{
	mem->size = sizeof(*mem);
	return adbg_call(session, AMDGPUDBG_IOC_MEM_ALLOC, mem);
}

/**
 * adbg_mem_free() - take a buffer away
 * @session: its owner
 * @id: its number
 *
 * AMDGPUDBG_IOC_MEM_FREE, see &struct amdgpudbg_mem_free.
 */
ADBG_WUR static inline int
adbg_mem_free(struct adbg_session *session, uint32_t id)
{
	struct amdgpudbg_mem_free mem = ADBG_ZERO;

	mem.size = sizeof(mem);
	mem.id = id;
	return adbg_call(session, AMDGPUDBG_IOC_MEM_FREE, &mem);
}

/**
 * adbg_mem_read() - copy from a buffer
 * @session: its owner
 * @id: its number
 * @offset: from its begin, in bytes
 * @data: filled with what is there
 * @bytes: how many
 *
 * AMDGPUDBG_IOC_MEM_COPY, see &struct amdgpudbg_mem_copy.
 */
ADBG_WUR static inline int
adbg_mem_read(struct adbg_session *session, uint32_t id, uint64_t offset,
	      void *data, size_t bytes)
{
	struct amdgpudbg_mem_copy copy = ADBG_ZERO;

	copy.size = sizeof(copy);
	copy.id = id;
	copy.offset = offset;
	copy.bytes = bytes;
	copy.data = (uintptr_t)data;
	return adbg_call(session, AMDGPUDBG_IOC_MEM_COPY, &copy);
}

/**
 * adbg_mem_write() - copy to a buffer
 * @session: its owner
 * @id: its number
 * @offset: from its begin, in bytes
 * @data: what to copy
 * @bytes: how many
 *
 * AMDGPUDBG_IOC_MEM_COPY, see &struct amdgpudbg_mem_copy.
 */
ADBG_WUR static inline int
adbg_mem_write(struct adbg_session *session, uint32_t id, uint64_t offset,
	       const void *data, size_t bytes)
{
	struct amdgpudbg_mem_copy copy = ADBG_ZERO;

	copy.size = sizeof(copy);
	copy.flags = AMDGPUDBG_MEM_COPY_WRITE;
	copy.id = id;
	copy.offset = offset;
	copy.bytes = bytes;
	copy.data = (uintptr_t)data;
	return adbg_call(session, AMDGPUDBG_IOC_MEM_COPY, &copy);
}

/**
 * adbg_vm_access() - read or write the target's memory by its address
 * @session: the session, which has a target
 * @access: what is wanted, and what came of it
 *
 * AMDGPUDBG_IOC_VM_ACCESS, see &struct amdgpudbg_vm_access, and "The target's memory" in
 * linux/amdgpudbg.h for what the GPU's caches hide.
 */
ADBG_WUR static inline int
adbg_vm_access(struct adbg_session *session, struct amdgpudbg_vm_access *access)
{
	access->size = sizeof(*access);
	return adbg_call(session, AMDGPUDBG_IOC_VM_ACCESS, access);
}

/**
 * adbg_vm_list() - list what is mapped
 * @session: the session, which has a target
 * @list: what is wanted, and where to; records are as long as &struct amdgpudbg_mapping
 *
 * AMDGPUDBG_IOC_VM_LIST, see &struct amdgpudbg_vm_list.
 */
ADBG_WUR static inline int
adbg_vm_list(struct adbg_session *session, struct amdgpudbg_vm_list *list)
{
	list->entry_size = sizeof(struct amdgpudbg_mapping);
	list->size = sizeof(*list);
	return adbg_call(session, AMDGPUDBG_IOC_VM_LIST, list);
}

/**
 * adbg_vm_copy() - the same as adbg_vm_access(), of any length and also of userptr
 * @session: the session, which has a target
 * @pid: the target, for its own pages that the GPU uses, which are read and written by
 *	process_vm_readv(2); 0: there they give -EOPNOTSUPP
 * @flags: AMDGPUDBG_VM_ACCESS_*
 * @va: address in the target's GPU address space
 * @data: in the caller's memory
 * @bytes: how many
 * @done: NULL, or set to how many were copied, from the first on; also on failure.
 *	@va + @done is then what could not be accessed
 *
 * In pieces: not one moment of memory that waves or the target write.
 *
 * Return: 0; what the ioctls say; what process_vm_readv(2) says, but -ENXIO for -EFAULT.
 */
int adbg_vm_copy(struct adbg_session *session, int32_t pid, uint32_t flags,
		 uint64_t va, void *data, uint64_t bytes,
		 uint64_t *done) ADBG_WUR;

/**
 * adbg_vm_read() - copy from the target's memory: adbg_vm_copy()
 * @session: the session, which has a target
 * @pid: the target, or 0
 * @va: address in the target's GPU address space
 * @data: filled with what is there
 * @bytes: how many
 */
ADBG_WUR static inline int
adbg_vm_read(struct adbg_session *session, int32_t pid, uint64_t va,
	     void *data, uint64_t bytes)
{
	return adbg_vm_copy(session, pid, 0, va, data, bytes, NULL);
}

/**
 * adbg_vm_write() - copy to the target's memory: adbg_vm_copy()
 * @session: the session, which has a target
 * @pid: the target, or 0
 * @va: address in the target's GPU address space
 * @data: what to copy
 * @bytes: how many
 */
ADBG_WUR static inline int
adbg_vm_write(struct adbg_session *session, int32_t pid, uint64_t va,
	      const void *data, uint64_t bytes)
{
	return adbg_vm_copy(session, pid, AMDGPUDBG_VM_ACCESS_WRITE, va,
			    (void *)(uintptr_t)data, bytes, NULL);
}

/**
 * adbg_vm_patch() - write over the target's code until the session ends
 * @session: the session, which has a target
 * @va: address in the target's GPU address space, a multiple of 4
 * @data: what to write
 * @bytes: how many, a multiple of 4, at most AMDGPUDBG_PATCH_BYTES_MAX
 *
 * AMDGPUDBG_IOC_VM_ACCESS, see about patches there.
 */
ADBG_WUR static inline int
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
 * adbg_vm_unpatch() - take a patch out
 * @session: its owner
 * @va: where it is
 * @bytes: all of it
 *
 * AMDGPUDBG_IOC_VM_ACCESS, see about patches there. Waves stay where they are.
 */
ADBG_WUR static inline int
adbg_vm_unpatch(struct adbg_session *session, uint64_t va, uint64_t bytes)
{
	struct amdgpudbg_vm_access access = ADBG_ZERO;

	access.flags = AMDGPUDBG_VM_ACCESS_UNPATCH;
	access.va = va;
	access.bytes = bytes;
	return adbg_vm_access(session, &access);
}

/**
 * adbg_vm_mappings_sized() - what adbg_vm_mappings() calls
 *
 * With the size of the record that its caller was compiled with.
 */
int adbg_vm_mappings_sized(struct adbg_session *session, uint64_t va,
			   uint64_t bytes, uint32_t entry_size,
			   void **mappings, uint32_t *count) ADBG_WUR;

/**
 * adbg_vm_mappings() - adbg_vm_list() with as much room as it takes
 * @session: the session, which has a target
 * @va: only mappings that have one of @bytes addresses from here on
 * @bytes: 0: all, then @va must be 0
 * @mappings: set to the mappings, for free(3); NULL on failure
 * @count: set to how many there are; 0 on failure
 *
 * Return: as adbg_vm_list(), without -EMSGSIZE; -ENOMEM.
 */
ADBG_WUR static inline int
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

/**
 * adbg_trap_handler_set() - give the target's waves a trap handler
 * @session: the session, which has a target
 * @handler: which, and what came of it
 *
 * AMDGPUDBG_IOC_TRAP_HANDLER, see &struct amdgpudbg_trap_handler. It replaces the
 * session's own.
 */
ADBG_WUR static inline int
adbg_trap_handler_set(struct adbg_session *session,
		      struct amdgpudbg_trap_handler *handler)
{
	handler->size = sizeof(*handler);
	return adbg_call(session, AMDGPUDBG_IOC_TRAP_HANDLER, handler);
}

/**
 * adbg_trap_handler_clear() - put back what was there before
 * @session: the session
 *
 * AMDGPUDBG_IOC_TRAP_HANDLER with %AMDGPUDBG_TRAP_HANDLER_CLEAR.
 */
ADBG_WUR static inline int
adbg_trap_handler_clear(struct adbg_session *session)
{
	struct amdgpudbg_trap_handler handler = ADBG_ZERO;

	handler.size = sizeof(handler);
	handler.flags = AMDGPUDBG_TRAP_HANDLER_CLEAR;
	return adbg_call(session, AMDGPUDBG_IOC_TRAP_HANDLER, &handler);
}

/**
 * adbg_trap_install() - give the target's waves the default trap handler
 * @session: the session, which has a target
 * @vmid: set to the VMID that has the handler; may be NULL
 *
 * On every trap it tells why, see adbg_trap_read(), sends an interrupt, see
 * %AMDGPUDBG_EVENT_WAVE_STOPPED, and halts its wave where it is, or behind s_trap. An
 * exception stays in SQ_WAVE_TRAPSTS until the wave is resumed. It uses TTMP2 to
 * TTMP7 and TTMP12 to TTMP15. See adbg_trap_handler_set() for everything else.
 *
 * Return: as adbg_mem_alloc() and adbg_trap_handler_set(); -EEXIST it is
 * installed; -EOPNOTSUPP also where there is none for the GPU's generation.
 */
int adbg_trap_install(struct adbg_session *session, uint32_t *vmid) ADBG_WUR;

/**
 * adbg_trap_uninstall() - end of adbg_trap_install()
 * @session: the session
 *
 * Return: as adbg_trap_handler_clear().
 */
int adbg_trap_uninstall(struct adbg_session *session) ADBG_WUR;

/**
 * struct adbg_trap_stop - what the default trap handler found
 * @size: sizeof(struct adbg_trap_stop), set by adbg_trap_read()
 * @count: how often waves of this slot have stopped; 0: never, and the rest is 0
 * @pc: where the wave was, in bytes; of s_trap, the address of that instruction
 * @exec: EXEC
 * @id: trap id of s_trap or of %AMDGPUDBG_WAVEOP_TRAP; 0 for an exception or a step
 * @host: 1 if it was %AMDGPUDBG_WAVEOP_TRAP, else 0
 * @ttmp: TTMP0 and TTMP1, raw
 * @hw_mask: as of &struct amdgpudbg_wave
 * @hw: likewise: hardware registers that the handler has read
 *
 * As of the last stop of a wave in this slot.
 */
struct adbg_trap_stop {
	uint32_t size;
	uint32_t count;
	uint64_t pc;
	uint64_t exec;
	uint32_t id;
	uint32_t host;
	uint32_t ttmp[2];
	uint32_t hw_mask;
	uint32_t __reserved;
	uint32_t hw[AMDGPUDBG_WAVE_NUM_HW];
};

/**
 * adbg_trap_read_sized() - what adbg_trap_read() calls
 *
 * With the sizes that its caller was compiled with.
 */
int adbg_trap_read_sized(struct adbg_session *session,
			 const struct amdgpudbg_wave_coord *at,
			 struct adbg_trap_stop *stop) ADBG_WUR;

/**
 * adbg_trap_read() - what the default trap handler found in a wave
 * @session: the session
 * @at: the wave's slot
 * @stop: set to the answer
 *
 * It is one moment of a wave that is halted, because the handler has ended then.
 *
 * Return: 0; -ENOENT adbg_trap_install() was not called; -ENXIO the GPU has no
 * such slot; -EINVAL; -E2BIG; and as adbg_mem_read().
 */
ADBG_WUR static inline int
adbg_trap_read(struct adbg_session *session,
	       const struct amdgpudbg_wave_coord *at,
	       struct adbg_trap_stop *stop)
{
	stop->size = sizeof(*stop);
	return adbg_trap_read_sized(session, at, stop);
}

/* ---------------------------------------------- taking wave registers apart */

/**
 * struct adbg_field - one field of a register
 * @name: as in AMD's headers, such as "HALT"
 * @shift: its lowest bit
 * @width: its number of bits
 * @bits: NULL, or @width names, one for each bit of a field that is a set of
 *	flags, the lowest bit first
 */
struct adbg_field {
	const char *name;
	uint32_t shift;
	uint32_t width;
	const char *const *bits;
};

/**
 * struct adbg_reg - one register of a wave in one generation
 * @name: as in AMD's headers, such as "SQ_WAVE_STATUS"
 * @space: %AMDGPUDBG_REG_HW or %AMDGPUDBG_REG_TTMP
 * @number: its number there
 * @index: its SQ_IND_INDEX index
 * @writable: bits that can be written
 * @num_fields: see adbg_reg_get_field()
 *
 * Part of static tables. Only the library makes these; there is more behind
 * the members shown.
 */
struct adbg_reg {
	const char *name;
	uint32_t space;
	uint32_t number;
	uint32_t index;
	uint32_t writable;
	uint32_t num_fields;
	uint32_t __reserved;
};

/**
 * adbg_reg_get() - one register of a generation
 * @gc_version: see adbg_session_get_gc_version()
 * @i: its place in the table, from 0
 *
 * Return: the register, static; NULL when there is none at @i.
 */
const struct adbg_reg *adbg_reg_get(uint32_t gc_version, size_t i);

/**
 * adbg_reg_count() - number of registers that the library can take apart
 * @gc_version: see adbg_session_get_gc_version()
 *
 * Return: the number; 0 for a generation that it does not know.
 */
static inline size_t
adbg_reg_count(uint32_t gc_version)
{
	size_t count = 0;

	while (adbg_reg_get(gc_version, count))
		count++;
	return count;
}

/**
 * adbg_reg_find() - a register by name
 * @gc_version: see adbg_session_get_gc_version()
 * @name: such as "SQ_WAVE_STATUS", or without the prefix "SQ_WAVE_"
 *
 * Return: the register, static; NULL when there is none of that name.
 */
const struct adbg_reg *adbg_reg_find(uint32_t gc_version, const char *name);

/**
 * adbg_reg_get_field() - one field of a register
 * @reg: the register
 * @i: its place, from 0; the lowest field comes first
 *
 * Return: the field, static; NULL when there is none at @i.
 */
const struct adbg_field *adbg_reg_get_field(const struct adbg_reg *reg,
					    size_t i);

/**
 * adbg_reg_find_field() - a field by name
 * @reg: the register
 * @name: such as "HALT"
 *
 * Return: the field, static; NULL when there is none of that name.
 */
const struct adbg_field *adbg_reg_find_field(const struct adbg_reg *reg,
					     const char *name);

/**
 * adbg_reg_is_known() - does a wave's record have a register?
 * @reg: the register
 * @wave: the wave
 *
 * Return: true if it does.
 */
static inline bool
adbg_reg_is_known(const struct adbg_reg *reg, const struct amdgpudbg_wave *wave)
{
	if (reg->space == AMDGPUDBG_REG_TTMP)
		return wave->flags & AMDGPUDBG_WAVE_TTMP;
	return wave->hw_mask >> reg->number & 1;
}

/**
 * adbg_reg_value() - the raw value of a register of a wave
 * @reg: the register
 * @wave: the wave
 *
 * Return: the value; 0 if the record does not have it.
 */
static inline uint32_t
adbg_reg_value(const struct adbg_reg *reg, const struct amdgpudbg_wave *wave)
{
	if (!adbg_reg_is_known(reg, wave))
		return 0;
	return reg->space == AMDGPUDBG_REG_TTMP ? wave->ttmp[reg->number] :
						  wave->hw[reg->number];
}

/**
 * adbg_field_value() - the value of a field
 * @field: the field
 * @raw: the register's value
 *
 * Return: the value, shifted down to bit 0.
 */
static inline uint32_t
adbg_field_value(const struct adbg_field *field, uint32_t raw)
{
	return raw >> field->shift & (uint32_t)((1ULL << field->width) - 1);
}

/**
 * struct adbg_trap - how a wave came into its trap handler
 * @pc: where it was then, in bytes; of s_trap, the address of that instruction
 * @id: trap id of s_trap or of %AMDGPUDBG_WAVEOP_TRAP; 0 for an exception or a step
 * @host: 1 if it was %AMDGPUDBG_WAVEOP_TRAP, else 0
 * @rewind: how far behind the instruction that is to blame the wave was, in
 *	bytes
 * @__reserved: zero
 */
struct adbg_trap {
	uint64_t pc;
	uint32_t id;
	uint32_t host;
	uint32_t rewind;
	uint32_t __reserved;
};

/**
 * adbg_wave_get_watches() - which watches a wave has hit
 * @wave: the wave
 * @gc_version: see adbg_session_get_gc_version()
 *
 * Its registers keep them until somebody clears them.
 *
 * Return: one bit for each number of a watch; 0 for a generation that the
 * library does not know.
 */
static inline uint32_t
adbg_wave_get_watches(const struct amdgpudbg_wave *wave, uint32_t gc_version)
{
	const struct adbg_reg *reg = adbg_reg_find(gc_version, "TRAPSTS");
	uint32_t trapsts = reg ? adbg_reg_value(reg, wave) : 0;

	/*
	 * EXCP.ADDR_WATCH0 is bit 7, the other three are EXCP_HI
	 * (gc_10_3_0_sh_mask.h of Linux 6.12 has the fields, ROCdbgapi their
	 * meaning).
	 */
	return (trapsts >> 7 & 1) | (trapsts >> 12 & 7) << 1;
}

/**
 * adbg_wave_get_trap() - what TTMP0 and TTMP1 tell of a wave's last trap
 * @wave: the wave, with %AMDGPUDBG_WAVE_TTMP
 * @gc_version: see adbg_session_get_gc_version()
 * @trap: set to the answer
 *
 * The hardware writes these registers when a wave enters its handler. The answer
 * means nothing for a wave that never has, or whose handler uses them otherwise.
 *
 * Return: 0; -ENODATA the record does not have them; -EOPNOTSUPP the library
 * does not know the generation.
 */
int adbg_wave_get_trap(const struct amdgpudbg_wave *wave, uint32_t gc_version,
		       struct adbg_trap *trap) ADBG_WUR;

/**
 * adbg_wave_get_causes() - names of the exceptions that a wave has seen
 * @wave: the wave
 * @gc_version: see adbg_session_get_gc_version()
 * @names: filled with static names, such as "ADDR_WATCH1" or "ILLEGAL_INST": the
 *	bits of SQ_WAVE_TRAPSTS that are exceptions, the lowest first
 * @max: how many fit there; %ADBG_MAX_CAUSES is always enough
 *
 * Return: how many were set; 0 also when the generation is not known.
 */
size_t adbg_wave_get_causes(const struct amdgpudbg_wave *wave,
			    uint32_t gc_version,
			    const char **names, size_t max);

/* ----------------------------------- reading and writing registers of waves */

/**
 * adbg_reg_access() - read or write registers of one wave
 * @session: the session
 * @access: which ones
 *
 * AMDGPUDBG_IOC_REG_ACCESS, see &struct amdgpudbg_reg_access. Bits of a hardware register
 * that cannot be written (writable of &struct adbg_reg) stay as they are.
 */
ADBG_WUR static inline int
adbg_reg_access(struct adbg_session *session,
		struct amdgpudbg_reg_access *access)
{
	access->size = sizeof(*access);
	access->num_done = 0;
	return adbg_call(session, AMDGPUDBG_IOC_REG_ACCESS, access);
}

/**
 * adbg_reg_num_values() - how many values ranges take
 * @ranges: the ranges
 * @count: how many
 *
 * Return: the number, which may be above AMDGPUDBG_REG_VALUES_MAX.
 */
static inline uint64_t
adbg_reg_num_values(const struct amdgpudbg_reg_range *ranges, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum += (uint64_t)ranges[i].count *
		       (ranges[i].space == AMDGPUDBG_REG_VGPR ?
			ranges[i].num_lanes : 1);
	return sum;
}

/**
 * struct adbg_reg_file - how many registers waves of a generation have
 * @num_sgpr: SGPRs that can be named, VCC included
 * @num_ttmp: TTMPs
 * @max_vgpr: VGPRs of one lane, at most
 * @max_lane: lanes, at most
 *
 * Part of static tables; may grow at the end.
 */
struct adbg_reg_file {
	uint32_t num_sgpr;
	uint32_t num_ttmp;
	uint32_t max_vgpr;
	uint32_t max_lane;
};

/**
 * adbg_reg_get_file() - how many registers waves of a generation have
 * @gc_version: see adbg_session_get_gc_version()
 *
 * Return: static; NULL for a generation that the library does not know.
 */
const struct adbg_reg_file *adbg_reg_get_file(uint32_t gc_version);

/**
 * adbg_reg_parse() - read the name of registers
 * @gc_version: see adbg_session_get_gc_version()
 * @text: what to read
 * @range: set to the registers; lanes are 0, to be filled in for VGPRs
 *
 * "s4", "v4" and "ttmp4" are one register, "s4-7" and "s[4:7]" several. Names
 * of hardware registers are those of AMD's headers, with or without "SQ_WAVE_",
 * in small or capital letters. "pc", "exec", "flat_scratch" and "vcc" are pairs,
 * the low word first; "vcc_lo" and "vcc_hi" its parts.
 *
 * Return: 0; -EINVAL no such name; -ERANGE the generation has not so many.
 */
int adbg_reg_parse(uint32_t gc_version, const char *text,
		   struct amdgpudbg_reg_range *range) ADBG_WUR;

/** ADBG_REG_NAME_MAX - size of a buffer that holds any register's name */
#define ADBG_REG_NAME_MAX	32

/**
 * adbg_reg_name() - print the name of a register
 * @gc_version: see adbg_session_get_gc_version()
 * @space: &enum amdgpudbg_reg_space
 * @number: which one
 * @name: buffer of ADBG_REG_NAME_MAX bytes, always enough
 *
 * Such as "s4", "v0", "ttmp11", "EXEC_LO"; adbg_reg_parse() reads it back. "?"
 * when there is no such register.
 *
 * Return: @name.
 */
char *adbg_reg_name(uint32_t gc_version, uint32_t space, uint32_t number,
		    char name[ADBG_REG_NAME_MAX]);

/**
 * adbg_wave_num_vgprs() - how many VGPRs a wave has been given
 * @gc_version: see adbg_session_get_gc_version()
 * @wave: the wave
 *
 * Return: the number for each lane; 0 for a generation that the library does
 * not know.
 */
uint32_t adbg_wave_num_vgprs(uint32_t gc_version,
			     const struct amdgpudbg_wave *wave);

/** struct adbg_wave_state - all registers of a wave; opaque */
struct adbg_wave_state;

/**
 * adbg_wave_state_new() - make an empty state
 * @state: set to the state, to be freed with adbg_wave_state_free()
 *
 * Return: 0; -ENOMEM.
 */
int adbg_wave_state_new(struct adbg_wave_state **state) ADBG_WUR;

/**
 * adbg_wave_state_free() - free a state
 * @state: the state, or NULL
 */
void adbg_wave_state_free(struct adbg_wave_state *state);

/**
 * adbg_wave_state_read() - read all registers of a halted wave
 * @state: the state; its former contents are gone, also on failure
 * @session: the session
 * @wave: the wave, as it was listed: its place, VMID, number of VGPRs and lanes
 *	are taken from there
 *
 * One system call.
 *
 * Return: as adbg_reg_access(); -EOPNOTSUPP also for a generation that the
 * library does not know.
 */
int adbg_wave_state_read(struct adbg_wave_state *state,
			 struct adbg_session *session,
			 const struct amdgpudbg_wave *wave) ADBG_WUR;

/**
 * adbg_wave_state_get() - the registers of one kind in a state
 * @state: the state
 * @space: &enum amdgpudbg_reg_space
 * @lane: the lane, from 0, of VGPRs; else 0
 * @count: set to their number, 0 when nothing was read, or there is no such lane
 *
 * Return: the values, in the order of the registers' numbers, owned by @state; NULL
 * when @count is 0.
 */
const uint32_t *adbg_wave_state_get(const struct adbg_wave_state *state,
				    uint32_t space, uint32_t lane,
				    uint32_t *count);

/**
 * adbg_wave_state_get_lanes() - number of lanes of a state
 * @state: the state
 *
 * Return: 32 or 64; 0 when nothing was read.
 */
uint32_t adbg_wave_state_get_lanes(const struct adbg_wave_state *state);

/**
 * adbg_wave_state_get_hwreg() - a hardware register of a state
 * @state: the state
 * @hwreg: its number in the register set, such as %AMDGPUDBG_GFX10_3_M0
 *
 * Return: its value; 0 when the generation has no such register.
 */
static inline uint32_t
adbg_wave_state_get_hwreg(const struct adbg_wave_state *state, uint32_t hwreg)
{
	uint32_t count;
	const uint32_t *regs = adbg_wave_state_get(state, AMDGPUDBG_REG_HW, 0,
						   &count);

	return hwreg < count ? regs[hwreg] : 0;
}

/* ----------------------------------------------------------------- errors */

/**
 * adbg_strerror() - what an error means
 * @session: the session whose call has returned it, its last one that has failed;
 *	NULL: it was returned by what finds or opens GPUs
 * @error: what was returned; the sign does not matter
 *
 * The same value has other words for other calls. After adbg_wave_batch(), also for the
 * error of one of its operations. For -EBUSY it asks the module: adbg_session_get_busy()
 * tells more.
 *
 * Return: a clause in lower case without a full stop, static; never NULL.
 */
const char *adbg_strerror(const struct adbg_session *session, int error);

/**
 * adbg_strhint() - what to do about an error
 * @session: as for adbg_strerror()
 * @error: what was returned; the sign does not matter
 *
 * Return: a clause in lower case without a full stop, static; NULL when there
 * is nothing to say.
 */
const char *adbg_strhint(const struct adbg_session *session, int error);

/**
 * adbg_errname() - the name of an errno value
 * @error: the value; the sign does not matter
 *
 * Return: a name such as "EBUSY", static; "E?" when unknown.
 */
const char *adbg_errname(int error);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_H */
