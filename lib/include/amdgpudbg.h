/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg: the C interface to amdgpudbg, the wave debugger for AMD GPUs.
 *
 * This is the only public header of the library. It stands on its own: it
 * needs neither the kernel's headers nor those of the amdgpu driver.
 */
#ifndef AMDGPUDBG_H
#define AMDGPUDBG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * DOC: Rules for the whole library
 *
 * Results. Functions that can fail return 0 or a negative errno value; the
 * variable errno is no part of the interface. adbg_strerror() puts the value
 * into words. A function that fails leaves its output parameters as they were,
 * unless its description says otherwise.
 *
 * EINTR. Calls that a signal may interrupt are restarted by the library. The
 * exceptions are operations on waves that must not be done twice
 * (%ADBG_WAVE_OP_TRAP, %ADBG_WAVE_OP_STEP, and batches): they return -EINTR, and
 * the caller has to look at the waves to know. And adbg_event_next(), which only
 * waits.
 *
 * Threads. There is no global state, no hidden thread, no signal handler, and
 * nothing is printed. One thread at a time may use an object; different
 * objects are independent. Functions that take no object may be called from
 * any thread at any time.
 *
 * Ownership. Objects made by the library (&struct adbg_session, &struct
 * adbg_gpu_list, &struct adbg_client_list, &struct adbg_wave_list) are freed by
 * their own function.
 * Pointers that a getter returns belong to the object and live as long as it
 * does, or until the call that fills it again.
 *
 * Structures that the caller allocates begin with @sz, the size that the
 * caller was compiled with. Define them with ADBG_DEFINE_STRUCT(), which sets it.
 * Such structures only ever grow at the end. The library takes a shorter one
 * as if the missing members were zero, and refuses a longer one with -E2BIG
 * when members that it does not know are not zero.
 */

/**
 * ADBG_DEFINE_STRUCT - define a zeroed structure of the library with its size set
 * @type: name of the structure type, without "struct"
 * @name: name of the variable
 * @...: designated initialisers, such as .vmid = 1
 */
#define ADBG_DEFINE_STRUCT(type, name, ...) \
	struct type name = { .sz = sizeof(struct type), __VA_ARGS__ }

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

/**
 * adbg_abi_version() - kernel interface that the library was built for
 *
 * Return: the AMDGPUDBG_ABI_VERSION that the library knows. A module with a
 * greater number works too.
 */
uint32_t adbg_abi_version(void);

/* --------------------------------------------------------------- the GPUs */

/* Parts of adbg_gpu_info.gc_version. */
#define ADBG_GC_VERSION(major, minor, rev) \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(rev))
#define ADBG_GC_MAJOR(version)	((version) >> 16)
#define ADBG_GC_MINOR(version)	((version) >> 8 & 0xff)
#define ADBG_GC_REV(version)	((version) & 0xff)

/**
 * struct adbg_gpu_info - what the module knows of a GPU
 * @sz: sizeof(struct adbg_gpu_info), see ADBG_DEFINE_STRUCT()
 * @abi_version: kernel interface of the loaded module
 * @gc_version: graphics core, see ADBG_GC_VERSION()
 * @pci_domain: PCI address
 * @pci_bus: PCI address
 * @pci_device: PCI address
 * @pci_function: PCI address
 * @vendor_id: PCI identity, 0x1002 for AMD
 * @device_id: PCI identity
 * @num_xcc: accelerator complexes
 * @num_se: shader engines
 * @num_sa: shader arrays in one shader engine
 * @num_wgp: workgroup processors (gfx10 and later; compute units before) in
 *	one shader array, harvested ones included
 * @num_simd: SIMDs in one workgroup processor or compute unit
 * @num_wave: wave slots in one SIMD
 * @num_vmid: VMIDs 1 to @num_vmid - 1 may be named in other calls
 * @first_kfd_vmid: VMIDs from this one on belong to the compute driver amdkfd
 * @num_capabilities: ids that adbg_session_get_capability() accepts
 * @num_active_cu: compute units that are not harvested
 * @gpu_reset_count: resets of the GPU since its driver took it
 * @render_minor: minor number of the GPU's render node, such as 128
 * @driver_build_id: GNU build id of the loaded amdgpu.ko in hexadecimal, empty
 *	when unknown
 * @module_version: version of the loaded amdgpudbg.ko
 * @halt_left_ms: for how long callers without CAP_SYS_ADMIN may have waves stopped
 *	from now on, in milliseconds; UINT32_MAX: for that long or longer
 * @halt_wait_ms: 0, or if that is over, in how long they may again; UINT32_MAX:
 *	never
 *
 * Source: AMDGPUDBG_IOC_GET_INFO.
 */
struct adbg_gpu_info {
	uint32_t sz;
	uint32_t abi_version;
	uint32_t gc_version;
	uint32_t pci_domain;
	uint16_t pci_bus;
	uint8_t pci_device;
	uint8_t pci_function;
	uint16_t vendor_id;
	uint16_t device_id;
	uint32_t num_xcc;
	uint32_t num_se;
	uint32_t num_sa;
	uint32_t num_wgp;
	uint32_t num_simd;
	uint32_t num_wave;
	uint32_t num_vmid;
	uint32_t first_kfd_vmid;
	uint32_t num_capabilities;
	uint32_t num_active_cu;
	uint32_t gpu_reset_count;
	uint32_t render_minor;
	char driver_build_id[48];
	char module_version[32];
	uint32_t halt_left_ms;
	uint32_t halt_wait_ms;
};

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
	struct adbg_gpu_info info;
};

/** struct adbg_gpu_list - the GPUs that the module serves; opaque */
struct adbg_gpu_list;

/**
 * adbg_gpu_list_new() - look which GPUs there are
 * @list: set to a new list, in the order of the node numbers. It may be empty.
 *
 * Each node is opened for a moment to ask it; one that cannot be asked is
 * listed too, with its error.
 *
 * Return: 0; -ENOMEM; what opendir(3) gives for /dev.
 */
int adbg_gpu_list_new(struct adbg_gpu_list **list) ADBG_WUR;

/**
 * adbg_gpu_list_free() - free a list
 * @list: the list, or NULL
 */
void adbg_gpu_list_free(struct adbg_gpu_list *list);

/**
 * adbg_gpu_list_count() - number of GPUs in a list
 * @list: the list
 *
 * Return: the number.
 */
size_t adbg_gpu_list_count(const struct adbg_gpu_list *list);

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
 * adbg_gpu_list_find_pci() - the GPU at a PCI address
 * @list: the list
 * @address: such as "0000:0a:00.0"; the domain may be left out
 * @gpu: set to the GPU, owned by @list
 *
 * Return: 0; -EINVAL when @address is no PCI address; -ENODEV when the list has
 * no such GPU; the error of a GPU that could not be asked, if there is one and
 * no other matches.
 */
int adbg_gpu_list_find_pci(const struct adbg_gpu_list *list,
			   const char *address,
			   const struct adbg_gpu **gpu) ADBG_WUR;

/**
 * adbg_gpu_list_find_render() - the GPU that a DRM render node belongs to
 * @list: the list
 * @path: such as "/dev/dri/renderD128"
 * @gpu: set to the GPU, owned by @list
 *
 * Return: 0; -ENOTTY when @path is no DRM render node; what stat(2) gives for
 * @path; otherwise as adbg_gpu_list_find_pci().
 */
int adbg_gpu_list_find_render(const struct adbg_gpu_list *list,
			      const char *path,
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
 * on, unless they were halted with %ADBG_WAVE_LEAVE_HALTED.
 *
 * The file descriptor is closed by execve(2). A child of fork(2) shares it, and
 * the session then lives until both have closed it.
 */
struct adbg_session;

/**
 * adbg_session_open() - open a GPU by number
 * @number: N of /dev/amdgpudbgN
 * @session: set to the new session, to be closed with adbg_session_close()
 *
 * Return: 0; -ENOENT no such node; -EACCES no permission on the node; -ENODEV
 * the GPU is gone; -ENOTTY the node is not amdgpudbg's; -ENOMEM; other values
 * of open(2).
 */
int adbg_session_open(unsigned int number,
		      struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_open_only() - open the GPU when there is only one
 * @session: set to the new session
 *
 * Return: as adbg_session_open(); -ENODEV there is none; -ENOTUNIQ there are
 * several.
 */
int adbg_session_open_only(struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_open_pci() - open the GPU at a PCI address
 * @address: see adbg_gpu_list_find_pci()
 * @session: set to the new session
 *
 * Return: as adbg_session_open() and adbg_gpu_list_find_pci().
 */
int adbg_session_open_pci(const char *address,
			  struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_open_render() - open the GPU of a DRM render node
 * @path: see adbg_gpu_list_find_render()
 * @session: set to the new session
 *
 * Return: as adbg_session_open() and adbg_gpu_list_find_render().
 */
int adbg_session_open_render(const char *path,
			     struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_close() - close a session
 * @session: the session, or NULL
 *
 * The kernel takes back what the session changed.
 */
void adbg_session_close(struct adbg_session *session);

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
 * adbg_session_get_vmid_user() - whose jobs have kept a call from setting something?
 * @session: the session
 * @vmid: set to the VMID that amdgpu has reserved for the target
 * @pasid: set to the PASID of who still has jobs there, 0 if it is not known; see
 *	&struct adbg_client
 *
 * After adbg_launch_set(), adbg_watch_set(), adbg_trap_handler_set() or
 * adbg_trap_install() has returned -EBUSY.
 *
 * Return: 0; -ENODATA if that was not the reason.
 */
int adbg_session_get_vmid_user(const struct adbg_session *session,
			       uint32_t *vmid, uint32_t *pasid) ADBG_WUR;

/**
 * adbg_session_get_info() - what the module knows of the GPU, as of now
 * @session: the session
 * @info: defined with ADBG_DEFINE_STRUCT(), filled up to its size
 *
 * Touches no register, and works while the GPU sleeps.
 *
 * Return: 0; -EINVAL @info is NULL or too short; -ENODEV the GPU is gone.
 */
int adbg_session_get_info(struct adbg_session *session,
			  struct adbg_gpu_info *info) ADBG_WUR;

/**
 * struct adbg_capability - one thing that the GPU, its driver and the module
 * can or cannot do
 * @sz: sizeof(struct adbg_capability), see ADBG_DEFINE_STRUCT()
 * @id: its number, see adbg_session_get_capability()
 * @supported: 1 or 0
 * @__reserved: zero
 * @name: short name, such as "wave-halt"
 * @reason: a sentence: why not; when supported, what is otherwise on this GPU than
 *	on others, as far as was seen until now; else empty
 *
 * Source: AMDGPUDBG_IOC_GET_CAPABILITY.
 */
struct adbg_capability {
	uint32_t sz;
	uint32_t id;
	uint32_t supported;
	uint32_t __reserved;
	char name[32];
	char reason[144];
};

/**
 * adbg_session_get_capability() - ask for one capability by number
 * @session: the session
 * @id: from 0 to num_capabilities - 1 of &struct adbg_gpu_info. The numbers
 *	are those of enum amdgpudbg_capability_id in linux/amdgpudbg.h.
 * @capability: defined with ADBG_DEFINE_STRUCT(), filled up to its size
 *
 * Touches no register.
 *
 * Return: 0; -EINVAL the module does not know @id, or @capability is NULL or
 * too short; -ENODEV the GPU is gone.
 */
int adbg_session_get_capability(struct adbg_session *session, uint32_t id,
				struct adbg_capability *capability) ADBG_WUR;

/* ----------------------------------------------------------------- targets */

/**
 * struct adbg_target - the process that a session is about
 * @sz: sizeof(struct adbg_target), see ADBG_DEFINE_STRUCT()
 * @drm_fd: in, the process's own DRM file of the session's GPU, as
 *	pidfd_getfd(2), SCM_RIGHTS or dup(2) give it. It stays the caller's.
 * @pidfd: in, pidfd of the process, which also stays the caller's; -1: the
 *	session does not notice its exit
 * @pasid: out, its address space on the GPU
 * @vmid_mask: out, VMIDs that belonged to it just now, one bit each
 *
 * Source: AMDGPUDBG_IOC_TARGET_SET.
 */
struct adbg_target {
	uint32_t sz;
	int32_t drm_fd;
	int32_t pidfd;
	uint32_t pasid;
	uint32_t vmid_mask;
};

/**
 * adbg_target_set() - let a session be about one process alone
 * @session: the session
 * @target: which process; defined with ADBG_DEFINE_STRUCT()
 *
 * Until then, a session is about the whole GPU, and what looks at or changes
 * waves needs CAP_SYS_ADMIN. With a target it needs nothing more than the open
 * GPU, and waves of others do not exist for it. What the session had halted on
 * the whole GPU before is resumed.
 *
 * When the process exits, what the session changed for it is taken back, and
 * calls about waves return -ENOTCONN until there is another target, or none.
 *
 * Return: 0; -EBADF a descriptor is not open; -ENOTTY @drm_fd is no DRM file of
 * the GPU; -EINVAL @pidfd is no pidfd; -ESRCH its process has exited; -EBUSY the
 * session has a target, or the GPU is being reset; -EOPNOTSUPP the driver gave
 * the process no PASID; -ENODEV the GPU is gone.
 */
int adbg_target_set(struct adbg_session *session,
		    struct adbg_target *target) ADBG_WUR;

/**
 * adbg_target_attach() - the same, of a process's number
 * @session: the session
 * @pid: the process
 * @client_id: which of its DRM clients, see &struct adbg_client; 0: the only one
 * @target: NULL, or defined with ADBG_DEFINE_STRUCT(), set to what came of it;
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
int adbg_target_attach(struct adbg_session *session, int32_t pid,
		       uint64_t client_id,
		       struct adbg_target *target) ADBG_WUR;

/**
 * adbg_target_clear() - let a session be about the whole GPU again
 * @session: the session, with or without a target
 *
 * What it changed for its target is taken back.
 *
 * Return: 0; -ENODEV the GPU is gone.
 */
int adbg_target_clear(struct adbg_session *session) ADBG_WUR;

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
int adbg_client_list_new(const struct adbg_session *session, int32_t pid,
			 struct adbg_client_list **list) ADBG_WUR;

/**
 * adbg_client_list_free() - free a list
 * @list: the list, or NULL
 */
void adbg_client_list_free(struct adbg_client_list *list);

/**
 * adbg_client_list_count() - number of clients in a list
 * @list: the list
 *
 * Return: the number.
 */
size_t adbg_client_list_count(const struct adbg_client_list *list);

/**
 * adbg_client_list_get() - one client of a list
 * @list: the list
 * @i: its place, from 0
 *
 * Return: the client, owned by @list; NULL when there is none at @i.
 */
const struct adbg_client *
adbg_client_list_get(const struct adbg_client_list *list, size_t i);

/* -------------------------------------------------- wave names and filters */

/**
 * struct adbg_wave_at - where a wave slot is, all counted from 0
 * @xcc: accelerator complex, 0 on GPUs that have one
 * @se: shader engine
 * @sa: shader array in the shader engine ("SH" on gfx9 and older)
 * @wgp: workgroup processor in the array (compute unit on gfx9 and older)
 * @simd: SIMD in the workgroup processor
 * @wave: slot in the SIMD
 * @__reserved: zero
 *
 * Of fixed size, laid out as struct amdgpudbg_wave_coord.
 */
struct adbg_wave_at {
	uint16_t xcc;
	uint16_t se;
	uint16_t sa;
	uint16_t wgp;
	uint16_t simd;
	uint16_t wave;
	uint32_t __reserved;
};

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
char *adbg_wave_name(const struct adbg_wave_at *at,
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
			  const struct adbg_wave_at *at);

/**
 * adbg_wave_spec_single() - does a filter name exactly one slot
 * @spec: the filter
 * @at: when not NULL and the answer is yes, set to the slot
 *
 * Return: true when it does.
 */
bool adbg_wave_spec_single(const struct adbg_wave_spec *spec,
			   struct adbg_wave_at *at);

/**
 * adbg_wave_spec_wgp() - does a filter name one whole WGP or compute unit
 * @spec: the filter
 * @at: when not NULL and the answer is yes, set to its place, with simd and
 *	wave 0
 *
 * Return: true when xcc, se, sa and wgp are one value each, and simd and wave
 * are any.
 */
bool adbg_wave_spec_wgp(const struct adbg_wave_spec *spec,
			struct adbg_wave_at *at);

/* -------------------------------------------------------- listing of waves */

/**
 * enum adbg_wave_flag - bits of adbg_wave.flags
 * @ADBG_WAVE_HALTED: halted, by whomever
 * @ADBG_WAVE_PRIV: in a trap handler
 * @ADBG_WAVE_WAVE64: 64 lanes, else 32
 * @ADBG_WAVE_PASID: the member pasid is valid
 * @ADBG_WAVE_TTMP: the member ttmp is valid
 */
enum adbg_wave_flag {
	ADBG_WAVE_HALTED = 1 << 0,
	ADBG_WAVE_PRIV = 1 << 1,
	ADBG_WAVE_WAVE64 = 1 << 2,
	ADBG_WAVE_PASID = 1 << 3,
	ADBG_WAVE_TTMP = 1 << 4,
};

/**
 * struct adbg_wave - one live wave, as read from its slot
 * @at: where it is
 * @flags: &enum adbg_wave_flag
 * @vmid: VMID that it runs in
 * @pasid: process address space that the VMID belonged to when the wave was
 *	read; valid with %ADBG_WAVE_PASID
 * @status: SQ_WAVE_STATUS
 * @pc: address of its next instruction in the VMID's address space, in bytes
 * @exec: EXEC, one bit per lane
 * @trapsts: SQ_WAVE_TRAPSTS
 * @mode: SQ_WAVE_MODE
 * @hw_id1: SQ_WAVE_HW_ID1 (HW_ID on gfx9 and older)
 * @hw_id2: SQ_WAVE_HW_ID2 (zero on gfx9 and older)
 * @gpr_alloc: SQ_WAVE_GPR_ALLOC
 * @lds_alloc: SQ_WAVE_LDS_ALLOC
 * @ib_sts: SQ_WAVE_IB_STS
 * @ib_sts2: SQ_WAVE_IB_STS2 (zero on gfx9 and older)
 * @ib_dbg1: SQ_WAVE_IB_DBG1
 * @inst_dw0: SQ_WAVE_INST_DW0, the instruction word at @pc; zero where the
 *	generation has no such register
 * @m0: M0
 * @__reserved: zero
 * @ttmp: TTMP0 to TTMP15, valid with %ADBG_WAVE_TTMP
 *
 * Registers are raw; the adbg_reg functions take them apart. A wave that is not
 * halted ran on between the reads of its registers.
 *
 * Laid out as struct amdgpudbg_wave, so that the kernel writes straight into
 * the caller's buffer. May grow at the end: step through a buffer of them by
 * the size that the buffer was read with.
 */
struct adbg_wave {
	struct adbg_wave_at at;
	uint32_t flags;
	uint32_t vmid;
	uint32_t pasid;
	uint32_t status;
	uint64_t pc;
	uint64_t exec;
	uint32_t trapsts;
	uint32_t mode;
	uint32_t hw_id1;
	uint32_t hw_id2;
	uint32_t gpr_alloc;
	uint32_t lds_alloc;
	uint32_t ib_sts;
	uint32_t ib_sts2;
	uint32_t ib_dbg1;
	uint32_t inst_dw0;
	uint32_t m0;
	uint32_t __reserved;
	uint32_t ttmp[16];
};

/**
 * enum adbg_wave_read_flag - bits of adbg_wave_read.flags
 * @ADBG_WAVE_READ_HALT: a snapshot: all waves of the session's target, or of the
 *	GPU, and of vmid_mask are halted before the first is read, and none start
 * @ADBG_WAVE_READ_RESUME: with HALT only: what it has halted goes on afterwards,
 *	unless its trap handler has halted it meanwhile
 * @ADBG_WAVE_READ_TTMP: the trap handler's registers of waves that stand still
 */
enum adbg_wave_read_flag {
	ADBG_WAVE_READ_HALT = 1 << 0,
	ADBG_WAVE_READ_RESUME = 1 << 1,
	ADBG_WAVE_READ_TTMP = 1 << 2,
};

/**
 * enum adbg_at_flag - members of &struct adbg_wave_at that are compared
 * @ADBG_AT_XCC: xcc
 * @ADBG_AT_SE: se
 * @ADBG_AT_SA: sa
 * @ADBG_AT_WGP: wgp
 * @ADBG_AT_SIMD: simd
 * @ADBG_AT_WAVE: wave
 */
enum adbg_at_flag {
	ADBG_AT_XCC = 1 << 0,
	ADBG_AT_SE = 1 << 1,
	ADBG_AT_SA = 1 << 2,
	ADBG_AT_WGP = 1 << 3,
	ADBG_AT_SIMD = 1 << 4,
	ADBG_AT_WAVE = 1 << 5,
};

/**
 * struct adbg_wave_read - adbg_wave_read()
 * @sz: sizeof(struct adbg_wave_read), see ADBG_DEFINE_STRUCT()
 * @vmid_mask: in, one bit per wanted VMID; 0 means all but VMID 0
 * @waves: in, the caller's buffer; may be NULL when @capacity is 0
 * @entry_size: in, bytes from one record to the next; 0 means
 *	sizeof(struct adbg_wave) of the library
 * @capacity: in, records that fit in the buffer
 * @count: out, live waves that were found
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 * @gpu_reset_count: out, see &struct adbg_gpu_info
 * @at: in, only waves that are there, as far as @at_mask says; members that it
 *	does not name are zero
 * @at_mask: in, &enum adbg_at_flag
 * @flags: in, &enum adbg_wave_read_flag
 * @wave_flags_mask: in, &enum adbg_wave_flag that must be as in @wave_flags
 * @wave_flags: in, only waves whose flags are so
 * @num_halted: out, waves that the call halted, %ADBG_WAVE_READ_HALT only
 *
 * @at and the flags say which waves are read, not which are halted.
 */
struct adbg_wave_read {
	uint32_t sz;
	uint32_t vmid_mask;
	struct adbg_wave *waves;
	uint32_t entry_size;
	uint32_t capacity;
	uint32_t count;
	uint32_t reg_reads;
	uint32_t reg_writes;
	uint32_t gpu_reset_count;
	struct adbg_wave_at at;
	uint32_t at_mask;
	uint32_t flags;
	uint32_t wave_flags_mask;
	uint32_t wave_flags;
	uint32_t num_halted;
	uint32_t __reserved;
};

/**
 * adbg_wave_read() - read the live waves into the caller's buffer
 * @session: the session
 * @request: what is wanted, and where to; defined with ADBG_DEFINE_STRUCT()
 *
 * One system call, no allocation. Waves come in the order of their places.
 * Without %ADBG_WAVE_READ_HALT they are not stopped for it: waves that begin or
 * end meanwhile may or may not be there. With it, all records are of one moment,
 * but for those of waves that are in their trap handler (%ADBG_WAVE_PRIV); the
 * session owns what it has halted, unless %ADBG_WAVE_READ_RESUME is given.
 * With HALT, and for callers without CAP_SYS_ADMIN, none of the target's waves start
 * meanwhile. Needs a target or CAP_SYS_ADMIN.
 *
 * Return: 0; -EMSGSIZE more waves than @capacity: the buffer holds the first
 * ones and @count says how many there were, and with HALT they are halted all
 * the same; -EINVAL a bit of @vmid_mask is no VMID, or a size or a filter is
 * wrong; -ENXIO the GPU has no such place; -ETIMEDOUT some waves did not halt or
 * resume in time; -E2BIG; -EPERM; -EOPNOTSUPP; -EBUSY the GPU is being reset;
 * -ENODEV the GPU is gone.
 */
int adbg_wave_read(struct adbg_session *session,
		   struct adbg_wave_read *request) ADBG_WUR;

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
 * adbg_wave_list_read() - fill a list with the live waves, as of now
 * @list: the list; its former contents are gone, also on failure
 * @session: the session
 * @vmid_mask: see &struct adbg_wave_read
 *
 * Makes the buffer longer and asks again while the kernel has more waves than
 * fit.
 *
 * Return: as adbg_wave_read(); -ENOMEM; -EMSGSIZE only when the number of waves
 * outran the buffer eight times.
 */
int adbg_wave_list_read(struct adbg_wave_list *list,
			struct adbg_session *session,
			uint32_t vmid_mask) ADBG_WUR;

/**
 * adbg_wave_list_fill() - fill a list with those live waves that are wanted
 * @list: the list; its former contents are gone, also on failure
 * @session: the session
 * @what: which waves and how, as for adbg_wave_read(), with flags and filters;
 *	its buffer and its outputs are not used
 *
 * As adbg_wave_list_read(). When the buffer has to grow, a snapshot that resumes
 * is taken again, and one that does not keeps the waves halted meanwhile.
 *
 * Return: as adbg_wave_list_read().
 */
int adbg_wave_list_fill(struct adbg_wave_list *list,
			struct adbg_session *session,
			const struct adbg_wave_read *what) ADBG_WUR;

/**
 * adbg_wave_list_get_halted() - waves that filling a list has halted
 * @list: the list
 *
 * Return: the number, of all system calls together if they stay halted.
 */
uint32_t adbg_wave_list_get_halted(const struct adbg_wave_list *list);

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
const struct adbg_wave *adbg_wave_list_get(const struct adbg_wave_list *list,
					   size_t i);

/**
 * adbg_wave_list_get_cost() - what the last reading of a list took
 * @list: the list
 * @reg_reads: when not NULL, set to the register reads of its last system call
 * @reg_writes: when not NULL, set to the register writes of it
 */
void adbg_wave_list_get_cost(const struct adbg_wave_list *list,
			     uint32_t *reg_reads, uint32_t *reg_writes);

/* -------------------------------------------------------- control of waves */

/**
 * enum adbg_wave_op - what to do with waves
 * @ADBG_WAVE_OP_HALT: stop issuing instructions
 * @ADBG_WAVE_OP_RESUME: go on after a halt
 * @ADBG_WAVE_OP_KILL: end at once
 * @ADBG_WAVE_OP_DEBUG: enter the trap handler after each instruction
 * @ADBG_WAVE_OP_TRAP: enter the trap handler once
 * @ADBG_WAVE_OP_STEP: do one instruction, halted before and after;
 *	%ADBG_WAVE_MODE_SINGLE only
 *
 * The numbers are those of HSA_DBG_WAVEOP (Linux 5.10 amdkfd/kfd_dbgmgr.h),
 * which has no STEP.
 */
enum adbg_wave_op {
	ADBG_WAVE_OP_HALT = 1,
	ADBG_WAVE_OP_RESUME = 2,
	ADBG_WAVE_OP_KILL = 3,
	ADBG_WAVE_OP_DEBUG = 4,
	ADBG_WAVE_OP_TRAP = 5,
	ADBG_WAVE_OP_STEP = 16,
};

/**
 * enum adbg_wave_mode - which waves
 * @ADBG_WAVE_MODE_SINGLE: the one at a place
 * @ADBG_WAVE_MODE_PROCESS: all of a VMID
 * @ADBG_WAVE_MODE_PROCESS_CU: all of a VMID on one WGP (compute unit on gfx9
 *	and older)
 *
 * The numbers are those of HSA_DBG_WAVEMODE (Linux 5.10 amdkfd/kfd_dbgmgr.h).
 */
enum adbg_wave_mode {
	ADBG_WAVE_MODE_SINGLE = 0,
	ADBG_WAVE_MODE_PROCESS = 2,
	ADBG_WAVE_MODE_PROCESS_CU = 3,
};

/**
 * enum adbg_wave_control_flag - bits of adbg_wave_control.flags
 * @ADBG_WAVE_EXPECT_PC: %ADBG_WAVE_MODE_SINGLE only: the wave must be at pc
 * @ADBG_WAVE_LEAVE_HALTED: %ADBG_WAVE_OP_HALT only: the waves stay halted when
 *	the session closes, at most until the system sleeps; needs CAP_SYS_ADMIN
 * @ADBG_WAVE_DEBUG_OFF: %ADBG_WAVE_OP_DEBUG only: leave debug mode
 */
enum adbg_wave_control_flag {
	ADBG_WAVE_EXPECT_PC = 1 << 0,
	ADBG_WAVE_LEAVE_HALTED = 1 << 1,
	ADBG_WAVE_DEBUG_OFF = 1 << 2,
};

/**
 * struct adbg_wave_control - adbg_wave_control()
 * @sz: sizeof(struct adbg_wave_control), see ADBG_DEFINE_STRUCT()
 * @op: in, &enum adbg_wave_op
 * @mode: in, &enum adbg_wave_mode
 * @flags: in, &enum adbg_wave_control_flag
 * @vmid: in, VMID of the waves. Always compared, by the hardware and by the
 *	module: a wave of another VMID is never touched. A session with a target
 *	may give 0: all of the target's.
 * @trap_id: in, %ADBG_WAVE_OP_TRAP only, else zero
 * @at: in, the wave (SINGLE), the WGP (PROCESS_CU: simd and wave zero), or
 *	all zero (PROCESS)
 * @pc: in, with %ADBG_WAVE_EXPECT_PC, else zero
 * @matched: out, live waves that the call was about
 * @changed: out, how many of them were seen in the wanted state afterwards
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 * @new_pc: out, %ADBG_WAVE_OP_STEP: where the wave is now
 *
 * Changed is: halted, not halted, ended, in or out of debug mode. A trap counts
 * for waves that have a trap handler, a step for one that is halted again: it
 * has matched but not changed a wave that ended by it.
 *
 * Source: AMDGPUDBG_IOC_WAVE_CONTROL.
 */
struct adbg_wave_control {
	uint32_t sz;
	uint32_t op;
	uint32_t mode;
	uint32_t flags;
	uint32_t vmid;
	uint32_t trap_id;
	struct adbg_wave_at at;
	uint64_t pc;
	uint32_t matched;
	uint32_t changed;
	uint32_t reg_reads;
	uint32_t reg_writes;
	uint64_t new_pc;
};

/**
 * adbg_wave_control() - halt, resume, kill, debug, trap or step waves
 * @session: the session; it becomes the owner of what it halts
 * @control: what to do, and what came of it; defined with ADBG_DEFINE_STRUCT()
 *
 * One system call. Waves that start after it are not touched by it. Killing,
 * debugging and trapping is done to running waves as well as to halted ones; none
 * start meanwhile. Debug mode ends with the session. Needs a target or CAP_SYS_ADMIN.
 *
 * Return: 0; -EAGAIN the wave to step is not halted, or in its trap handler;
 * -ETIMEDOUT a wave did not reach the wanted state in time: the
 * outputs are valid and what was changed stays changed; -ENODATA the slot is
 * empty; -ESTALE the slot holds a wave of another VMID, or at another pc;
 * -ENXIO no such place; -EBUSY another session halted it, the GPU is being
 * reset, or a caller without CAP_SYS_ADMIN has to wait (halt_wait_ms of &struct
 * adbg_gpu_info); -EOPNOTSUPP the GPU cannot; -EPERM; -EINVAL; -E2BIG; -EIO;
 * -ENODEV the GPU is gone; -EINTR see the rule at the top.
 */
int adbg_wave_control(struct adbg_session *session,
		      struct adbg_wave_control *control) ADBG_WUR;

/**
 * enum adbg_wave_batch_flag - bits of adbg_wave_batch.flags
 * @ADBG_WAVE_BATCH_CONTINUE: go on after an operation that failed
 */
enum adbg_wave_batch_flag {
	ADBG_WAVE_BATCH_CONTINUE = 1 << 0,
};

/* Operations in one batch, at most */
#define ADBG_WAVE_BATCH_MAX 1024

/**
 * struct adbg_wave_batch - adbg_wave_batch()
 * @sz: sizeof(struct adbg_wave_batch), see ADBG_DEFINE_STRUCT()
 * @flags: in, &enum adbg_wave_batch_flag
 * @ops: in and out, the operations, an array whose elements have the same sz
 * @errors: out, for each operation 0, what adbg_wave_control() would have
 *	returned, or -ECANCELED if it was not tried
 * @count: in, number of operations, 1 to %ADBG_WAVE_BATCH_MAX
 * @done: out, number of operations that succeeded
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 *
 * Source: AMDGPUDBG_IOC_WAVE_BATCH.
 */
struct adbg_wave_batch {
	uint32_t sz;
	uint32_t flags;
	struct adbg_wave_control *ops;
	int32_t *errors;
	uint32_t count;
	uint32_t done;
	uint32_t reg_reads;
	uint32_t reg_writes;
};

/**
 * adbg_wave_batch() - many operations on waves, in order
 * @session: the session
 * @batch: what to do, and what came of it; defined with ADBG_DEFINE_STRUCT()
 *
 * One system call, in which no other session does anything. All operations are
 * checked before the first is done. Their results are set as by
 * adbg_wave_control(). When the call has taken a second, the rest is not tried: it
 * can be asked for again. The first one always is.
 *
 * Return: 0, also when operations failed, see @errors; what is wrong with any of
 * them, and then nothing has changed; else as adbg_wave_control(); -ENOMEM.
 */
int adbg_wave_batch(struct adbg_session *session,
		    struct adbg_wave_batch *batch) ADBG_WUR;

/* ----------------------------------------------------------------- events */

/**
 * enum adbg_event_type - what can happen
 * @ADBG_EVENT_LOST: the queue was full, or interrupts came too fast; @data
 *	events were lost here, at most
 * @ADBG_EVENT_WAVE_STOPPED: a wave's trap handler, or its own program, has sent
 *	an interrupt
 * @ADBG_EVENT_WATCH_HIT: as before, because of a watch
 * @ADBG_EVENT_EXCEPTION: as before, because of an exception; or the hardware
 *	reported one
 * @ADBG_EVENT_TARGET_GONE: the target has exited; the last event of it
 * @ADBG_EVENT_GPU_RESET: the GPU was reset: what was done to waves is gone;
 *	@data is the new gpu_reset_count
 * @ADBG_EVENT_GPU_GONE: the GPU is gone; the last event
 * @ADBG_EVENT_HALT_EXPIRED: waves were stopped for longer than callers without
 *	CAP_SYS_ADMIN may; the session's waves were resumed, and its launch mode was
 *	taken back
 * @ADBG_EVENT_VMID_LOST: the target has given back the VMID @data, or must share
 *	it: the session's trap handler, watches and launch mode are gone
 *
 * LOST, TARGET_GONE and GPU_GONE come with any other that is enabled.
 */
enum adbg_event_type {
	ADBG_EVENT_LOST = 0,
	ADBG_EVENT_WAVE_STOPPED = 1,
	ADBG_EVENT_WATCH_HIT = 2,
	ADBG_EVENT_EXCEPTION = 3,
	ADBG_EVENT_TARGET_GONE = 4,
	ADBG_EVENT_GPU_RESET = 5,
	ADBG_EVENT_GPU_GONE = 6,
	ADBG_EVENT_HALT_EXPIRED = 7,
	ADBG_EVENT_VMID_LOST = 8,
};

/**
 * enum adbg_event_flag - bits of adbg_event.flags
 * @ADBG_EVENT_WAVE: at and vmid are valid
 * @ADBG_EVENT_STATE: pc, status, trapsts and ttmp are, too
 * @ADBG_EVENT_PRIV: the interrupt was sent within a trap handler
 * @ADBG_EVENT_ERROR: it was sent by the hardware, not by the wave
 */
enum adbg_event_flag {
	ADBG_EVENT_WAVE = 1 << 0,
	ADBG_EVENT_STATE = 1 << 1,
	ADBG_EVENT_PRIV = 1 << 2,
	ADBG_EVENT_ERROR = 1 << 3,
};

/**
 * struct adbg_event - something that happened
 * @sz: sizeof(struct adbg_event), see ADBG_DEFINE_STRUCT()
 * @type: &enum adbg_event_type
 * @seq: its number in the session, from 1, without gaps. That of
 *	%ADBG_EVENT_LOST is the number of the first that was lost, and the next
 *	event's is greater by its @data.
 * @time: when it was noticed, in nanoseconds of CLOCK_MONOTONIC
 * @at: the wave, see %ADBG_EVENT_WAVE
 * @flags: &enum adbg_event_flag
 * @vmid: its VMID
 * @pasid: process address space that the VMID belonged to, 0 if not known
 * @data: what the wave sent (the low 23 bits of M0), or the hardware about its
 *	error; see also @type
 * @pc: where the wave was when it entered its handler if it is in it, else the
 *	address of its next instruction; see %ADBG_EVENT_STATE
 * @status: SQ_WAVE_STATUS
 * @trapsts: SQ_WAVE_TRAPSTS
 * @ttmp: TTMP0 and TTMP1, zero unless the wave is halted
 * @cause: bits of SQ_WAVE_TRAPSTS that say why, see adbg_event_causes(); zero
 *	for s_trap, a single step and a message alone
 * @__reserved: zero
 *
 * The wave's state was read a moment after the interrupt. With a target, it is there
 * of waves that stand still alone, and so is @cause. Source: struct amdgpudbg_event.
 */
struct adbg_event {
	uint32_t sz;
	uint32_t type;
	uint64_t seq;
	uint64_t time;
	struct adbg_wave_at at;
	uint32_t flags;
	uint32_t vmid;
	uint32_t pasid;
	uint32_t data;
	uint64_t pc;
	uint32_t status;
	uint32_t trapsts;
	uint32_t ttmp[2];
	uint32_t cause;
	uint32_t __reserved[3];
};

#define ADBG_EVENT_MAX_CAPACITY	4096

/**
 * adbg_event_enable() - say which events a session is to be told
 * @session: the session
 * @types: one bit per &enum adbg_event_type; 0: none any more, and what was not
 *	taken is thrown away
 * @capacity: events that the kernel keeps until they are taken, up to
 *	%ADBG_EVENT_MAX_CAPACITY; 0: 256. 0 if @types is.
 *
 * With a target: the events of its waves. Without one: those of the whole GPU,
 * for which this call needs CAP_SYS_ADMIN. The session's descriptor becomes one
 * that does not block (O_NONBLOCK), which only matters to read(2).
 *
 * Return: 0; -EINVAL @capacity is too large; -EOPNOTSUPP the module does not
 * know a type; -EPERM; -ENOTCONN the target has exited; -ENODEV the GPU is
 * gone; -ENOMEM.
 */
int adbg_event_enable(struct adbg_session *session, uint32_t types,
		      uint32_t capacity) ADBG_WUR;

/**
 * adbg_event_next() - take the oldest event, waiting for it if need be
 * @session: the session
 * @event: defined with ADBG_DEFINE_STRUCT(), filled up to its size
 * @timeout_ms: how long to wait, in milliseconds; 0: not at all; -1: for ever
 *
 * In a loop of one's own: poll(2) adbg_session_get_fd() for POLLIN, then call
 * this with a @timeout_ms of 0 until it returns -EAGAIN, because the library
 * takes several events at a time from the kernel.
 *
 * Return: 0; -EAGAIN none came in time; -EINTR a signal came first; -EINVAL no
 * events are enabled, or @event is NULL or too short; -ENOTCONN the target has
 * exited, and this was told; -ENODEV the GPU is gone, and this was told;
 * -EPROTO the module says what is not understood; -ENOMEM.
 */
int adbg_event_next(struct adbg_session *session, struct adbg_event *event,
		    int timeout_ms) ADBG_WUR;

/**
 * adbg_event_type_name() - what a type of event is called
 * @type: &enum adbg_event_type
 *
 * Return: a name such as "wave-stopped", static; NULL when @type is not known.
 */
const char *adbg_event_type_name(uint32_t type);

/**
 * adbg_event_types_parse() - read names of types
 * @text: names as adbg_event_type_name() gives them, divided by commas; or
 *	"all"
 * @types: set to one bit for each
 *
 * Return: 0; -EINVAL one of them is none.
 */
int adbg_event_types_parse(const char *text, uint32_t *types) ADBG_WUR;

/**
 * adbg_event_causes() - name the bits of adbg_event.cause
 * @gc_version: the graphics core, see adbg_session_get_gc_version()
 * @cause: the bits
 * @names: set to the names as in AMD's headers, such as "MEM_VIOL", static
 * @max: how many @names has room for; %ADBG_EVENT_MAX_CAUSES is always enough
 *
 * Return: how many were set; 0 also when the generation is not known.
 */
size_t adbg_event_causes(uint32_t gc_version, uint32_t cause,
			 const char **names, size_t max);

#define ADBG_EVENT_MAX_CAUSES	32

/* ------------------------------------------------- watches, starting waves */

/**
 * enum adbg_watch_mode - which accesses a watch sees
 * @ADBG_WATCH_READ: reads
 * @ADBG_WATCH_NONREAD: writes and atomics
 * @ADBG_WATCH_ATOMIC: atomics
 * @ADBG_WATCH_ALL: all
 *
 * The numbers are those of HSA_DBG_WATCH_MODE (Linux 5.10 amdkfd/kfd_dbgmgr.h).
 */
enum adbg_watch_mode {
	ADBG_WATCH_READ = 0,
	ADBG_WATCH_NONREAD = 1,
	ADBG_WATCH_ATOMIC = 2,
	ADBG_WATCH_ALL = 3,
};

/**
 * enum adbg_watch_flag - bits of adbg_watch_set.flags
 * @ADBG_WATCH_MASK: mask says what is watched, and not bytes
 */
enum adbg_watch_flag {
	ADBG_WATCH_MASK = 1 << 0,
};

/**
 * struct adbg_watch_set - adbg_watch_set()
 * @sz: sizeof(struct adbg_watch_set), see ADBG_DEFINE_STRUCT()
 * @flags: in, &enum adbg_watch_flag
 * @mode: in, &enum adbg_watch_mode
 * @id: out, number of the watch, from 0: see adbg_watch_hits()
 * @address: in, where, in bytes, in the target's GPU address space
 * @bytes: in, how much: a power of two, @granule at least; @address must be a
 *	multiple of it. Zero with %ADBG_WATCH_MASK.
 * @mask: in, with %ADBG_WATCH_MASK, else zero: an access hits when
 *	(its address & @mask) == @address. Bits below @granule must be zero, and
 *	bits that the hardware always compares (30 and above on gfx10) one.
 * @granule: out, the smallest @bytes of this GPU; also when -EINVAL is returned
 * @vmid: out, VMID of the target that has the watch
 *
 * Source: AMDGPUDBG_IOC_WATCH_SET.
 */
struct adbg_watch_set {
	uint32_t sz;
	uint32_t flags;
	uint32_t mode;
	uint32_t id;
	uint64_t address;
	uint64_t bytes;
	uint64_t mask;
	uint32_t granule;
	uint32_t vmid;
};

/**
 * adbg_watch_set() - watch what the target's waves do to some memory
 * @session: the session, which has a target and becomes the watch's owner
 * @watch: what to watch, and what came of it; defined with ADBG_DEFINE_STRUCT()
 *
 * A hit shows in SQ_WAVE_TRAPSTS of the wave. Only a wave that has a trap handler
 * and %ADBG_EXCP_ADDR_WATCH enabled stops there, see adbg_launch_set(). The watch
 * ends with the session, with adbg_watch_clear(), by a reset of the GPU and when
 * the system sleeps, and with %ADBG_EVENT_VMID_LOST.
 *
 * From then on all jobs that the target submits run in one VMID, which has the
 * watch: its waves in other VMIDs are not watched.
 *
 * Return: 0; -EINVAL; -ENOTCONN the session has no target, or it has exited;
 * -ENOSPC all watches are in use, also by others; -EBUSY another process has
 * the VMID that the target would need, see adbg_session_get_vmid_user(), or the
 * GPU is being reset, or the system is about to sleep; -EOPNOTSUPP, also where the
 * target is of amdkfd; -EIO the
 * hardware does not show it, and it was taken back; -E2BIG; -ENOMEM; -ENODEV.
 */
int adbg_watch_set(struct adbg_session *session,
		   struct adbg_watch_set *watch) ADBG_WUR;

/**
 * adbg_watch_clear() - end a watch
 * @session: its owner
 * @id: its number
 *
 * Return: 0; -ENOENT the session has no such watch; -EBUSY the GPU is being
 * reset; -ENODEV.
 */
int adbg_watch_clear(struct adbg_session *session, uint32_t id) ADBG_WUR;

/**
 * adbg_watch_hits() - which watches a wave has hit
 * @gc_version: see adbg_session_get_gc_version()
 * @trapsts: the wave's SQ_WAVE_TRAPSTS
 *
 * The register keeps them until somebody clears it.
 *
 * Return: one bit for each adbg_watch_set.id; 0 for a generation that the
 * library does not know.
 */
uint32_t adbg_watch_hits(uint32_t gc_version, uint32_t trapsts);

/**
 * enum adbg_excp - exceptions of a wave, bits of SQ_WAVE_MODE.EXCP_EN
 * @ADBG_EXCP_INVALID: invalid operation
 * @ADBG_EXCP_INPUT_DENORM: an operand is denormal
 * @ADBG_EXCP_FLOAT_DIV0: division by zero
 * @ADBG_EXCP_OVERFLOW: overflow
 * @ADBG_EXCP_UNDERFLOW: underflow
 * @ADBG_EXCP_INEXACT: the result is rounded
 * @ADBG_EXCP_INT_DIV0: integer division by zero
 * @ADBG_EXCP_ADDR_WATCH: a watch was hit
 * @ADBG_EXCP_MEM_VIOL: memory violation
 */
enum adbg_excp {
	ADBG_EXCP_INVALID = 1 << 0,
	ADBG_EXCP_INPUT_DENORM = 1 << 1,
	ADBG_EXCP_FLOAT_DIV0 = 1 << 2,
	ADBG_EXCP_OVERFLOW = 1 << 3,
	ADBG_EXCP_UNDERFLOW = 1 << 4,
	ADBG_EXCP_INEXACT = 1 << 5,
	ADBG_EXCP_INT_DIV0 = 1 << 6,
	ADBG_EXCP_ADDR_WATCH = 1 << 7,
	ADBG_EXCP_MEM_VIOL = 1 << 8,
};

/**
 * enum adbg_launch_mode - how waves start
 * @ADBG_LAUNCH_NORMAL: running
 * @ADBG_LAUNCH_HALT: halted, before their first instruction
 * @ADBG_LAUNCH_DEBUG: in debug mode: those with a trap handler enter it after
 *	each instruction
 *
 * The numbers are those of KFD_DBG_TRAP_WAVE_LAUNCH_MODE
 * (include/uapi/linux/kfd_ioctl.h of Linux 6.12).
 */
enum adbg_launch_mode {
	ADBG_LAUNCH_NORMAL = 0,
	ADBG_LAUNCH_HALT = 1,
	ADBG_LAUNCH_DEBUG = 3,
};

/**
 * enum adbg_launch_flag - bits of adbg_launch_set.flags
 * @ADBG_LAUNCH_EXCP: excp_mask counts
 * @ADBG_LAUNCH_STALL: no new waves at all
 */
enum adbg_launch_flag {
	ADBG_LAUNCH_EXCP = 1 << 0,
	ADBG_LAUNCH_STALL = 1 << 1,
};

/**
 * struct adbg_launch_set - adbg_launch_set()
 * @sz: sizeof(struct adbg_launch_set), see ADBG_DEFINE_STRUCT()
 * @flags: in, &enum adbg_launch_flag
 * @mode: in, &enum adbg_launch_mode
 * @excp_mask: in, with %ADBG_LAUNCH_EXCP, else zero: &enum adbg_excp that new
 *	waves have enabled, in addition to what their program wants
 * @vmid: out, VMID of the target that this is about
 *
 * Source: AMDGPUDBG_IOC_LAUNCH_SET.
 */
struct adbg_launch_set {
	uint32_t sz;
	uint32_t flags;
	uint32_t mode;
	uint32_t excp_mask;
	uint32_t vmid;
};

/**
 * adbg_launch_set() - how the target's waves are to start from now on
 * @session: the session, which has a target
 * @launch: how, and what came of it; defined with ADBG_DEFINE_STRUCT()
 *
 * The whole state: it replaces what an earlier call has set, and all zero is as
 * it was before the first. Waves that start halted belong to the session as if
 * it had halted them. While the state is anything but zero the jobs on the
 * graphics and compute rings do not time out; for callers without CAP_SYS_ADMIN,
 * while waves are stopped by it. It ends with the session, by a reset of the GPU,
 * when the system sleeps, and when the time of %ADBG_EVENT_HALT_EXPIRED is over:
 * then waves that were kept from starting start, and those that started halted
 * are resumed.
 *
 * On gfx10 and older all of the GPU has one mask of exceptions: any bit but
 * %ADBG_EXCP_ADDR_WATCH needs CAP_SYS_ADMIN. See adbg_watch_set() for the VMID.
 *
 * Return: 0; -EINVAL; -EPERM; -ENOTCONN the session has no target, or it has
 * exited; -EBUSY another session has set it, or amdkfd another mode, or as with
 * adbg_watch_set(), or a caller without CAP_SYS_ADMIN has to wait; -EOPNOTSUPP;
 * -EIO the hardware does not show it, and it was taken back; -E2BIG; -ENOMEM;
 * -ENODEV.
 */
int adbg_launch_set(struct adbg_session *session,
		    struct adbg_launch_set *launch) ADBG_WUR;

/* ------------------------------------------------ memory and trap handlers */

/**
 * enum adbg_mem_flag - bits of adbg_mem.flags
 * @ADBG_MEM_EXEC: waves may run it
 * @ADBG_MEM_UNCACHED: what waves write is seen at once, and what is written here
 */
enum adbg_mem_flag {
	ADBG_MEM_EXEC = 1 << 0,
	ADBG_MEM_UNCACHED = 1 << 1,
};

#define ADBG_MEM_MAX_BUFFERS	32	/* of one session */
#define ADBG_MEM_MAX_BYTES	(16 << 20)	/* of one buffer */
#define ADBG_MEM_MAX_FREED	128	/* of one target, not gone yet */

/**
 * struct adbg_mem - adbg_mem_alloc()
 * @sz: sizeof(struct adbg_mem), see ADBG_DEFINE_STRUCT()
 * @flags: in, &enum adbg_mem_flag
 * @bytes: in, how many, 1 to ADBG_MEM_MAX_BYTES; out, rounded up to whole pages
 * @va: out, address in the target's GPU address space, in bytes
 * @id: out, number of the buffer in this session, never 0
 * @__reserved: zero
 *
 * Source: AMDGPUDBG_IOC_MEM_ALLOC.
 */
struct adbg_mem {
	uint32_t sz;
	uint32_t flags;
	uint64_t bytes;
	uint64_t va;
	uint32_t id;
	uint32_t __reserved;
};

/**
 * adbg_mem_alloc() - make a buffer in the target's GPU address space
 * @session: the session, which has a target
 * @mem: what is wanted, and what came of it; defined with ADBG_DEFINE_STRUCT()
 *
 * It is filled with zeros. It belongs to the session and goes with it.
 *
 * Return: 0; -EINVAL; -ENOSPC the session has ADBG_MEM_MAX_BUFFERS, or
 * ADBG_MEM_MAX_FREED are still in the target's address space; -ENOMEM; -ENOTCONN
 * the session has no target, or it has exited; -ETIMEDOUT the GPU does not
 * answer; -EBUSY the GPU is being reset; -EOPNOTSUPP; -E2BIG; -ENODEV.
 */
int adbg_mem_alloc(struct adbg_session *session, struct adbg_mem *mem) ADBG_WUR;

/**
 * adbg_mem_free() - take a buffer away
 * @session: its owner
 * @id: its number
 *
 * The memory goes when the target has no jobs; until then it can be reached there.
 *
 * Return: 0; -ENOENT the session has no such buffer; -EBUSY the session's trap
 * handler or its memory is in it; -ENOTCONN; -ENODEV.
 */
int adbg_mem_free(struct adbg_session *session, uint32_t id) ADBG_WUR;

/**
 * adbg_mem_read() - copy from a buffer
 * @session: its owner
 * @id: its number
 * @offset: from its begin, in bytes
 * @data: filled with what is there
 * @bytes: how many
 *
 * Return: 0; -EINVAL they are not all within the buffer; -ENOENT the session has
 * no such buffer; -EFAULT; -ENOMEM; -ENOTCONN; -ENODEV.
 */
int adbg_mem_read(struct adbg_session *session, uint32_t id, uint64_t offset,
		  void *data, size_t bytes) ADBG_WUR;

/**
 * adbg_mem_write() - copy to a buffer
 * @session: its owner
 * @id: its number
 * @offset: from its begin, in bytes
 * @data: what to copy
 * @bytes: how many
 *
 * Instructions that waves have cached stay cached: new code is for waves that
 * start afterwards.
 *
 * Return: as adbg_mem_read(); with -EFAULT, a part may have been copied.
 */
int adbg_mem_write(struct adbg_session *session, uint32_t id, uint64_t offset,
		   const void *data, size_t bytes) ADBG_WUR;

/**
 * struct adbg_trap_handler - adbg_trap_handler_set()
 * @sz: sizeof(struct adbg_trap_handler), see ADBG_DEFINE_STRUCT()
 * @vmid: out, VMID of the target that has the handler
 * @tba: in, address of the handler, a multiple of 256
 * @tba_size: in, its length in bytes, at least 4
 * @tma: in, address of the handler's memory, a multiple of 256; or 0
 * @tma_size: in, its length in bytes, 0 if and only if @tma is
 *
 * Each of the two must lie in one buffer of the session, or where no buffer of
 * it is; the handler in a buffer, if the caller has not CAP_SYS_ADMIN. Source:
 * AMDGPUDBG_IOC_TRAP_HANDLER.
 */
struct adbg_trap_handler {
	uint32_t sz;
	uint32_t vmid;
	uint64_t tba;
	uint64_t tba_size;
	uint64_t tma;
	uint64_t tma_size;
};

/**
 * adbg_trap_handler_set() - give the target's waves a trap handler
 * @session: the session, which has a target
 * @handler: which, and what came of it; defined with ADBG_DEFINE_STRUCT()
 *
 * For waves that start from then on, in the jobs that the target submits from
 * then on: these all run in one VMID. It replaces the session's own. Waves that
 * it halts belong to the session, as if it had halted them. While there is a
 * handler, the jobs on the graphics and compute rings do not time out; for callers
 * without CAP_SYS_ADMIN, while it has waves halted.
 *
 * It ends with the session, by a reset of the GPU, when the system sleeps, and
 * when the VMID is not the target's alone any more. Waves that have started with
 * it return from each trap at once then; what it used is kept for them until the
 * last one has ended.
 *
 * Return: 0; -EINVAL; -EPERM; -EBUSY another session has a handler there, or another
 * process has the VMID that the target would need, or the GPU is being reset, or
 * a caller without CAP_SYS_ADMIN has to wait; -ENOTCONN the session has no
 * target, or it has exited; -EOPNOTSUPP, also where the target is of amdkfd,
 * whose own handler must stay; -EIO the hardware does not show it, and it was
 * taken back; -ENOSPC, -ETIMEDOUT as adbg_mem_alloc(); -E2BIG; -ENOMEM; -ENODEV.
 */
int adbg_trap_handler_set(struct adbg_session *session,
			  struct adbg_trap_handler *handler) ADBG_WUR;

/**
 * adbg_trap_handler_clear() - put back what was there before
 * @session: the session
 *
 * Waves that the handler has halted stay halted until the session resumes them,
 * or ends.
 *
 * Return: 0; -ENOENT the session has no handler, or it has ended by itself;
 * -ENOTCONN; -ENODEV.
 */
int adbg_trap_handler_clear(struct adbg_session *session) ADBG_WUR;

/**
 * adbg_trap_install() - give the target's waves the default trap handler
 * @session: the session, which has a target
 * @vmid: set to the VMID that has the handler; may be NULL
 *
 * On every trap it tells why, see adbg_trap_read(), sends an interrupt, see
 * %ADBG_EVENT_WAVE_STOPPED, and halts its wave where it is, or behind s_trap. An
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
 * @sz: sizeof(struct adbg_trap_stop), see ADBG_DEFINE_STRUCT()
 * @count: how often waves of this slot have stopped; 0: never, and the rest is 0
 * @pc: where the wave was, in bytes; of s_trap, the address of that instruction
 * @exec: EXEC
 * @id: trap id of s_trap or of %ADBG_WAVE_OP_TRAP; 0 for an exception or a step
 * @host: 1 if it was %ADBG_WAVE_OP_TRAP, else 0
 * @ttmp: TTMP0 and TTMP1, raw
 * @status: SQ_WAVE_STATUS, in the handler
 * @trapsts: SQ_WAVE_TRAPSTS
 * @mode: SQ_WAVE_MODE
 * @m0: M0
 * @hw_id1: SQ_WAVE_HW_ID1
 * @hw_id2: SQ_WAVE_HW_ID2
 *
 * As of the last stop of a wave in this slot.
 */
struct adbg_trap_stop {
	uint32_t sz;
	uint32_t count;
	uint64_t pc;
	uint64_t exec;
	uint32_t id;
	uint32_t host;
	uint32_t ttmp[2];
	uint32_t status;
	uint32_t trapsts;
	uint32_t mode;
	uint32_t m0;
	uint32_t hw_id1;
	uint32_t hw_id2;
};

/**
 * adbg_trap_read() - what the default trap handler found in a wave
 * @session: the session
 * @at: the wave's slot
 * @stop: set to the answer; defined with ADBG_DEFINE_STRUCT()
 *
 * It is one moment of a wave that is halted, because the handler has ended then.
 *
 * Return: 0; -ENOENT adbg_trap_install() was not called; -ENXIO the GPU has no
 * such slot; -EINVAL; -E2BIG; and as adbg_mem_read().
 */
int adbg_trap_read(struct adbg_session *session, const struct adbg_wave_at *at,
		   struct adbg_trap_stop *stop) ADBG_WUR;

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
 * @index: its SQ_IND_INDEX index
 * @num_fields: see adbg_reg_get_field()
 *
 * Part of static tables. Only the library makes these; there is more behind
 * the members shown.
 */
struct adbg_reg {
	const char *name;
	uint32_t index;
	uint32_t num_fields;
};

/**
 * adbg_reg_count() - number of registers that the library can take apart
 * @gc_version: see adbg_session_get_gc_version()
 *
 * Return: the number; 0 for a generation that it does not know.
 */
size_t adbg_reg_count(uint32_t gc_version);

/**
 * adbg_reg_get() - one register of a generation
 * @gc_version: see adbg_session_get_gc_version()
 * @i: its place in the table, from 0
 *
 * Return: the register, static; NULL when there is none at @i.
 */
const struct adbg_reg *adbg_reg_get(uint32_t gc_version, size_t i);

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
 * adbg_reg_is_known() - does a wave's record have a register
 * @reg: the register
 * @wave: the wave
 *
 * Return: false for the trap handler's registers of a record without
 * %ADBG_WAVE_TTMP, else true.
 */
bool adbg_reg_is_known(const struct adbg_reg *reg,
		       const struct adbg_wave *wave);

/**
 * adbg_reg_value() - the raw value of a register of a wave
 * @reg: the register
 * @wave: the wave, complete: a record that was read with a shorter size must
 *	be copied into a zeroed &struct adbg_wave before
 *
 * Return: the value.
 */
uint32_t adbg_reg_value(const struct adbg_reg *reg,
			const struct adbg_wave *wave);

/**
 * adbg_field_value() - the value of a field
 * @field: the field
 * @raw: the register's value
 *
 * Return: the value, shifted down to bit 0.
 */
uint32_t adbg_field_value(const struct adbg_field *field, uint32_t raw);

/**
 * struct adbg_trap - how a wave came into its trap handler
 * @pc: where it was then, in bytes; of s_trap, the address of that instruction
 * @id: trap id of s_trap or of %ADBG_WAVE_OP_TRAP; 0 for an exception or a step
 * @host: 1 if it was %ADBG_WAVE_OP_TRAP, else 0
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
 * adbg_wave_get_trap() - what TTMP0 and TTMP1 tell of a wave's last trap
 * @wave: the wave, with %ADBG_WAVE_TTMP
 * @gc_version: see adbg_session_get_gc_version()
 * @trap: set to the answer
 *
 * The hardware writes these registers when a wave enters its handler. The answer
 * means nothing for a wave that never has, or whose handler uses them otherwise.
 *
 * Return: 0; -ENODATA the record does not have them; -EOPNOTSUPP the library
 * does not know the generation.
 */
int adbg_wave_get_trap(const struct adbg_wave *wave, uint32_t gc_version,
		       struct adbg_trap *trap) ADBG_WUR;

/**
 * adbg_wave_get_causes() - names of the exceptions that a wave has seen
 * @wave: the wave
 * @gc_version: see adbg_session_get_gc_version()
 * @names: filled with static names, such as "ADDR_WATCH1" or "ILLEGAL_INST": the
 *	bits of SQ_WAVE_TRAPSTS that are exceptions, the lowest first
 * @max: how many fit there; %ADBG_EVENT_MAX_CAUSES is always enough
 *
 * Return: how many were set; 0 also when the generation is not known.
 */
size_t adbg_wave_get_causes(const struct adbg_wave *wave, uint32_t gc_version,
			    const char **names, size_t max);

/* ----------------------------------- reading and writing registers of waves */

/**
 * enum adbg_reg_space - kinds of registers of a wave
 * @ADBG_REG_SGPR: scalar registers by number; VCC is 106 and 107 on gfx10 and
 *	later
 * @ADBG_REG_VGPR: vector registers by number, one value for each lane
 * @ADBG_REG_TTMP: the trap handler's scalar registers by number
 * @ADBG_REG_HW: &enum adbg_hwreg
 */
enum adbg_reg_space {
	ADBG_REG_SGPR,
	ADBG_REG_VGPR,
	ADBG_REG_TTMP,
	ADBG_REG_HW,
};

/**
 * enum adbg_hwreg - hardware registers of a wave, SQ_WAVE_* of AMD's headers
 *
 * adbg_hwreg_get() tells which of them a generation has, and adbg_wave_state
 * has them all.
 */
enum adbg_hwreg {
	ADBG_HWREG_MODE,
	ADBG_HWREG_STATUS,
	ADBG_HWREG_TRAPSTS,
	ADBG_HWREG_HW_ID1,
	ADBG_HWREG_HW_ID2,
	ADBG_HWREG_GPR_ALLOC,
	ADBG_HWREG_LDS_ALLOC,
	ADBG_HWREG_IB_STS,
	ADBG_HWREG_IB_STS2,
	ADBG_HWREG_IB_DBG1,
	ADBG_HWREG_INST_DW0,
	ADBG_HWREG_PC_LO,
	ADBG_HWREG_PC_HI,
	ADBG_HWREG_M0,
	ADBG_HWREG_EXEC_LO,
	ADBG_HWREG_EXEC_HI,
	ADBG_HWREG_FLAT_SCRATCH_LO,
	ADBG_HWREG_FLAT_SCRATCH_HI,
	ADBG_HWREG_SCHED_MODE,
};

/**
 * struct adbg_reg_range - registers that follow each other
 * @space: &enum adbg_reg_space
 * @first: number of the first register
 * @count: how many, at least 1
 * @first_lane: VGPRs only: the first lane, else zero
 * @num_lanes: VGPRs only: how many lanes, at least 1, else zero
 * @__reserved: zero
 *
 * Of fixed size, laid out as struct amdgpudbg_reg_range. Its values are @count
 * words, or for VGPRs @count times @num_lanes: all of the first lane, then all
 * of the second.
 */
struct adbg_reg_range {
	uint32_t space;
	uint32_t first;
	uint32_t count;
	uint32_t first_lane;
	uint32_t num_lanes;
	uint32_t __reserved;
};

/**
 * enum adbg_reg_access_flag - bits of adbg_reg_access.flags
 * @ADBG_REG_WRITE: write, else read
 * @ADBG_REG_COMPARE: with WRITE: only if all registers hold compare
 * @ADBG_REG_EXPECT_PC: only if the wave is at pc
 */
enum adbg_reg_access_flag {
	ADBG_REG_WRITE = 1 << 0,
	ADBG_REG_COMPARE = 1 << 1,
	ADBG_REG_EXPECT_PC = 1 << 2,
};

#define ADBG_REG_RANGES_MAX	64
#define ADBG_REG_VALUES_MAX	32768	/* 64 lanes of 512 VGPRs */

/**
 * struct adbg_reg_access - adbg_reg_access()
 * @sz: sizeof(struct adbg_reg_access), see ADBG_DEFINE_STRUCT()
 * @flags: in, &enum adbg_reg_access_flag
 * @at: in, the wave
 * @vmid: in, VMID that the wave must be of; 0: any
 * @num_ranges: in, 1 to ADBG_REG_RANGES_MAX
 * @ranges: in, which registers
 * @values: in or out, the values of all ranges, one after the other
 * @compare: in, as many values, with %ADBG_REG_COMPARE
 * @pc: in, with %ADBG_REG_EXPECT_PC, else zero
 * @num_values: in, number of values, exactly what the ranges take, at most
 *	ADBG_REG_VALUES_MAX; see adbg_reg_num_values()
 * @num_done: out, how many of them were read, or written and read back; also
 *	when the call fails
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 */
struct adbg_reg_access {
	uint32_t sz;
	uint32_t flags;
	struct adbg_wave_at at;
	uint32_t vmid;
	uint32_t num_ranges;
	const struct adbg_reg_range *ranges;
	uint32_t *values;
	const uint32_t *compare;
	uint64_t pc;
	uint32_t num_values;
	uint32_t num_done;
	uint32_t reg_reads;
	uint32_t reg_writes;
};

/**
 * adbg_reg_access() - read or write registers of one wave
 * @session: the session
 * @access: which ones; defined with ADBG_DEFINE_STRUCT()
 *
 * One system call, one moment: the wave stands still from the first register to
 * the last. Hardware registers can also be read while the wave runs, and are of
 * a moment each then, while no wave of its VMID starts if the caller lacks
 * CAP_SYS_ADMIN; everything else needs a halted wave. Each value that is
 * written is read back. Bits of a hardware register that cannot be written
 * (adbg_hwreg_info.writable) stay as they are. What was written stays when the
 * session closes.
 *
 * Source: AMDGPUDBG_IOC_REG_ACCESS.
 *
 * Return: 0; -EAGAIN the wave is not halted, or is in a trap handler; -EIO a
 * register does not show what was written to it: the @num_done values before
 * it are written; -ENODATA the slot is empty; -ESTALE the slot holds another
 * wave or one at another pc, or the registers do not hold @compare, or the wave
 * ended meanwhile; -ENXIO no such place, or the wave has not so many VGPRs or
 * lanes; -EBUSY another session has halted the wave (writes), or the GPU is
 * being reset; -EOPNOTSUPP the GPU has no such hardware register, or it cannot
 * be written; -EINVAL; -EPERM; -E2BIG; -ENOMEM; -ENODEV the GPU is gone.
 */
int adbg_reg_access(struct adbg_session *session,
		    struct adbg_reg_access *access) ADBG_WUR;

/**
 * adbg_reg_num_values() - how many values ranges take
 * @ranges: the ranges
 * @count: how many
 *
 * Return: the number, which may be above ADBG_REG_VALUES_MAX.
 */
uint64_t adbg_reg_num_values(const struct adbg_reg_range *ranges, size_t count);

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
 * struct adbg_hwreg_info - a hardware register of a generation
 * @name: as in AMD's headers without SQ_WAVE_, such as "EXEC_LO"
 * @number: &enum adbg_hwreg
 * @writable: bits that can be written
 *
 * Part of static tables; may grow at the end.
 */
struct adbg_hwreg_info {
	const char *name;
	uint32_t number;
	uint32_t writable;
};

/**
 * adbg_hwreg_get() - one hardware register of a generation
 * @gc_version: see adbg_session_get_gc_version()
 * @i: its place in the table, from 0
 *
 * Return: the register, static; NULL when there is none at @i.
 */
const struct adbg_hwreg_info *adbg_hwreg_get(uint32_t gc_version, size_t i);

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
		   struct adbg_reg_range *range) ADBG_WUR;

/** ADBG_REG_NAME_MAX - size of a buffer that holds any register's name */
#define ADBG_REG_NAME_MAX	32

/**
 * adbg_reg_name() - print the name of a register
 * @gc_version: see adbg_session_get_gc_version()
 * @space: &enum adbg_reg_space
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
 * @gpr_alloc: its SQ_WAVE_GPR_ALLOC
 *
 * Return: the number for each lane; 0 for a generation that the library does
 * not know.
 */
uint32_t adbg_wave_num_vgprs(uint32_t gc_version, uint32_t gpr_alloc);

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
			 const struct adbg_wave *wave) ADBG_WUR;

/**
 * adbg_wave_state_sgprs() - the SGPRs of a state
 * @state: the state
 * @count: set to their number, 0 when nothing was read
 *
 * Return: the values, owned by @state.
 */
const uint32_t *adbg_wave_state_sgprs(const struct adbg_wave_state *state,
				      uint32_t *count);

/**
 * adbg_wave_state_ttmps() - the TTMPs of a state
 * @state: the state
 * @count: set to their number, 0 when nothing was read
 *
 * Return: the values, owned by @state.
 */
const uint32_t *adbg_wave_state_ttmps(const struct adbg_wave_state *state,
				      uint32_t *count);

/**
 * adbg_wave_state_vgprs() - the VGPRs of one lane of a state
 * @state: the state
 * @lane: the lane, from 0
 * @count: set to their number, 0 when there is no such lane
 *
 * Return: the values, owned by @state; NULL when there is no such lane.
 */
const uint32_t *adbg_wave_state_vgprs(const struct adbg_wave_state *state,
				      uint32_t lane, uint32_t *count);

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
 * @hwreg: &enum adbg_hwreg
 *
 * Return: its value; 0 when the generation has no such register.
 */
uint32_t adbg_wave_state_get_hwreg(const struct adbg_wave_state *state,
				   uint32_t hwreg);

/**
 * adbg_wave_state_get_cost() - what the last reading of a state took
 * @state: the state
 * @reg_reads: when not NULL, set to the register reads of its system call
 * @reg_writes: when not NULL, set to the register writes of it
 */
void adbg_wave_state_get_cost(const struct adbg_wave_state *state,
			      uint32_t *reg_reads, uint32_t *reg_writes);

/* ------------------------------------------- for tools of the old interface */

/*
 * The debugger interface that amdkfd had up to Linux 5.10, as its thunk (ROCm's
 * libhsakmt) offers it to programs: hsaKmtDbgWavefrontControl(),
 * hsaKmtDbgAddressWatch(), hsaKmtSetTrapHandler(). These functions have the same
 * shape, with a session that has a target in place of the node, and mean the
 * same where the old interface worked as it was described. hsaKmtDbgRegister()
 * is opening the session and setting its target.
 */

/**
 * struct adbg_hsa_wave_message - HsaDbgWaveMessage of the thunk
 * @memory_va: MemoryVA; not looked at, as before
 * @value: HsaDbgWaveMsgAMDGen2.Value, see adbg_hsa_message_decode()
 * @reserved2: HsaDbgWaveMsgAMDGen2.Reserved2; not looked at
 *
 * Of fixed size and laid out as that, so that a pointer to one can be taken for
 * a pointer to the other.
 */
struct adbg_hsa_wave_message {
	void *memory_va;
	uint32_t value;
	uint32_t reserved2;
};

/**
 * struct adbg_hsa_message - what HsaDbgWaveMsgAMDGen2.Value says
 * @at: the wave: ShaderEngine, ShaderArray, HSACU (the WGP on gfx10 and later),
 *	SIMD, WaveId
 * @user_data: UserData, 8 bits
 * @priv: Priv, 1 bit
 * @type: MessageType, 2 bits: 0 automatic, 1 user, 2 error
 *
 * Of fixed size.
 */
struct adbg_hsa_message {
	struct adbg_wave_at at;
	uint32_t user_data;
	uint32_t priv;
	uint32_t type;
	uint32_t __reserved;
};

/**
 * adbg_hsa_message_decode() - take HsaDbgWaveMsgAMDGen2.Value apart
 * @value: the value; its reserved bits are not looked at
 * @message: set to what it says
 */
void adbg_hsa_message_decode(uint32_t value, struct adbg_hsa_message *message);

/**
 * adbg_hsa_message_encode() - make HsaDbgWaveMsgAMDGen2.Value
 * @message: what it is to say
 * @value: set to the value
 *
 * Return: 0; -ERANGE when it has no room for a member: it can name 4 shader
 * engines, 2 arrays, 16 CUs, 4 SIMDs and 16 slots, and no accelerator complex
 * but the first.
 */
int adbg_hsa_message_encode(const struct adbg_hsa_message *message,
			    uint32_t *value) ADBG_WUR;

/**
 * adbg_hsa_wave_control() - hsaKmtDbgWavefrontControl()
 * @session: the session, which has a target
 * @operand: HSA_DBG_WAVEOP: 1 halt, 2 resume, 3 kill, 4 debug, 5 trap
 * @mode: HSA_DBG_WAVEMODE: 0 one wave, 2 all waves of the target, 3 all of them
 *	on one CU (WGP on gfx10 and later)
 * @trap_id: for operand 5; else not looked at
 * @message: which wave or CU; not looked at with mode 2, when it may be NULL
 *
 * Other than the old interface, it never reaches waves of others, and says when
 * there is no such wave.
 *
 * Return: as adbg_wave_control().
 */
int adbg_hsa_wave_control(struct adbg_session *session, uint32_t operand,
			  uint32_t mode, uint32_t trap_id,
			  const struct adbg_hsa_wave_message *message) ADBG_WUR;

/** ADBG_HSA_MAX_WATCHES - how many watches the old interface had */
#define ADBG_HSA_MAX_WATCHES	4

/**
 * adbg_hsa_address_watch() - hsaKmtDbgAddressWatch()
 * @session: the session, which has a target
 * @count: how many watches, 1 to ADBG_HSA_MAX_WATCHES
 * @mode: HSA_DBG_WATCH_MODE of each, see &enum adbg_watch_mode
 * @address: where each is; NULL for a watch that is to be off
 * @mask: as the field of the old register: bit n says whether bit n + 6 of an
 *	address is compared, for n from 0 to 23. NULL, or 0 in the first one: all
 *	are compared by all watches.
 *
 * The watches of the call before are ended first, also when it fails; watches
 * set by adbg_watch_set() stay. What is watched is rounded to the granule of the
 * GPU, 128 bytes on gfx10. The thunk's events never worked, and are left out: see
 * adbg_watch_set() for what it takes that a wave stops.
 *
 * Return: as adbg_watch_set().
 */
int adbg_hsa_address_watch(struct adbg_session *session, uint32_t count,
			   const uint32_t *mode, void *const *address,
			   const uint64_t *mask) ADBG_WUR;

/**
 * adbg_hsa_set_trap_handler() - hsaKmtSetTrapHandler()
 * @session: the session, which has a target
 * @tba: address of the handler in the target's GPU address space; NULL: end the
 *	session's own
 * @tba_size: its length in bytes
 * @tma: address of the handler's memory there, or NULL
 * @tma_size: its length in bytes
 *
 * Unlike the thunk's, it is not for amdkfd's processes.
 *
 * Return: as adbg_trap_handler_set().
 */
int adbg_hsa_set_trap_handler(struct adbg_session *session, void *tba,
			      uint64_t tba_size, void *tma,
			      uint64_t tma_size) ADBG_WUR;

/**
 * adbg_hsa_status() - an error as the thunk tells it
 * @error: what a function of the library returned; the sign does not matter
 *
 * Return: HSAKMT_STATUS: 0 success, 1 error, 3 invalid parameter, 6 no memory,
 * 11 not supported, 12 unavailable at present, 13 out of resources, 31 timeout.
 */
int adbg_hsa_status(int error);

/* ----------------------------------------------------------------- errors */

/**
 * enum adbg_call - what failed, for adbg_strerror()
 * @ADBG_CALL_ANY: anything else
 * @ADBG_CALL_OPEN: finding and opening a GPU
 * @ADBG_CALL_INFO: adbg_session_get_info(), adbg_session_get_capability()
 * @ADBG_CALL_WAVE_READ: adbg_wave_read(), adbg_wave_list_read()
 * @ADBG_CALL_WAVE_CONTROL: adbg_wave_control()
 * @ADBG_CALL_TARGET: adbg_target_set(), adbg_target_attach(), adbg_target_clear(),
 *	adbg_client_list_new()
 * @ADBG_CALL_REG_READ: adbg_reg_access(), adbg_wave_state_read()
 * @ADBG_CALL_REG_WRITE: adbg_reg_access() with %ADBG_REG_WRITE
 * @ADBG_CALL_EVENT: adbg_event_enable(), adbg_event_next()
 * @ADBG_CALL_WATCH: adbg_watch_set(), adbg_watch_clear()
 * @ADBG_CALL_LAUNCH: adbg_launch_set()
 * @ADBG_CALL_MEM: adbg_mem_alloc() and the others
 * @ADBG_CALL_TRAP: adbg_trap_handler_set() and the others
 */
enum adbg_call {
	ADBG_CALL_ANY,
	ADBG_CALL_OPEN,
	ADBG_CALL_INFO,
	ADBG_CALL_WAVE_READ,
	ADBG_CALL_WAVE_CONTROL,
	ADBG_CALL_TARGET,
	ADBG_CALL_REG_READ,
	ADBG_CALL_REG_WRITE,
	ADBG_CALL_EVENT,
	ADBG_CALL_WATCH,
	ADBG_CALL_LAUNCH,
	ADBG_CALL_MEM,
	ADBG_CALL_TRAP,
};

/**
 * adbg_strerror() - what an error means for a call
 * @call: the call that returned it
 * @error: what it returned; the sign does not matter
 *
 * Return: a clause in lower case without a full stop, static; never NULL.
 */
const char *adbg_strerror(enum adbg_call call, int error);

/**
 * adbg_strhint() - what to do about an error
 * @call: the call that returned it
 * @error: what it returned; the sign does not matter
 *
 * Return: a clause in lower case without a full stop, static; NULL when there
 * is nothing to say.
 */
const char *adbg_strhint(enum adbg_call call, int error);

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
