/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Used by all files of the library: the marker of exported functions, the structure of a session,
 * and functions that several files need.
 */
#ifndef ADBG_INTERNAL_H
#define ADBG_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <amdgpudbg.h>

#define ADBG_API __attribute__((__visibility__("default")))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Subject of an error, which determines its text */
enum adbg_subject {
	ABOUT_ANY,
	ABOUT_OPEN,
	ABOUT_INFO,
	ABOUT_WAVE_READ,
	ABOUT_WAVE_CONTROL,
	ABOUT_TARGET,
	ABOUT_REG_READ,
	ABOUT_REG_WRITE,
	ABOUT_EVENT,
	ABOUT_WATCH,
	ABOUT_LAUNCH,
	ABOUT_MEM,
	ABOUT_VM,
	ABOUT_JOB,
	ABOUT_TRAP,
};

/* Size of a PCI address as text; domains of virtual bridges have up to eight digits */
#define ADBG_PCI_SIZE	24

struct adbg_session {
	int fd;
	unsigned int number;
	uint32_t gc_version;
	uint64_t event_mask;	/* event_mask of struct amdgpudbg_info */
	uint32_t max_waves;
	struct adbg_event_buffer *events;	/* NULL: events were never enabled */
	uint32_t hsa_watches;	/* watches of adbg_hsa_address_watch(), one bit each */
	uint32_t trap_code;	/* buffer IDs of adbg_trap_install(); 0: none */
	uint32_t trap_mailboxes;
	uint32_t trap_header[32];	/* begin of the trap_mailboxes buffer */
	uint64_t lds_aperture;		/* of the target, see struct amdgpudbg_target_set */
	uint64_t scratch_aperture;
	enum adbg_subject about;	/* subject of the last failed call */
	int error;		/* its errno; 0: any error has this subject */
	/*
	 * The thread in which adbg_event_next() has failed, and no other call since; 0: none.
	 * Only this thread accesses event_error.
	 */
	_Atomic uintptr_t event_thread;
	int event_error;
	char pci[ADBG_PCI_SIZE];	/* as in drm-pdev: "0000:0a:00.0" */
	int32_t pages_pid;	/* the process to which pages_fd belongs; 0: none */
	int pages_fd;		/* its address space, see pages.c; or -errno */
	struct adbg_copier *copier;	/* the process that uses pages_fd; NULL: not started */
	int interrupt_fd;	/* of adbg_session_set_interrupt(); -1: none */
	bool is_interrupted;	/* an interrupt has ended a copy, and persists */
};

/**
 * adbg_ioctl_restart() - call the module, and repeat the call after -EINTR
 * @fd: node of the GPU
 * @request: AMDGPUDBG_IOC_*
 * @arg: structure of the request
 *
 * Return: 0 or -errno.
 */
int adbg_ioctl_restart(int fd, unsigned long request, void *arg);

/**
 * adbg_pages_open() - open the current address space of a process
 * @pid: the process
 *
 * Return: a descriptor; -ESRCH there is no such process; or an error of open(2) for
 * /proc/PID/mem.
 */
int adbg_pages_open(int32_t pid);

/**
 * adbg_pages_keep() - set the address space for adbg_pages_copy()
 * @pid: the process; 0: none
 * @fd: descriptor or error of adbg_pages_open(); owned by @session from now on
 */
void adbg_pages_keep(struct adbg_session *session, int32_t pid, int fd);

/**
 * adbg_pages_copy() - copy from or to the pages of a process
 * @pid: the process; the first copy opens its address space, unless it is open already
 * @write: copy from @data to the process
 * @address: address in the process
 * @bytes: size of @data
 *
 * Return: number of copied bytes, not 0, or
 * -ENXIO: nothing is mapped there;
 * -ESRCH: the address space is gone, because the process has ended or executes another program;
 * -EINTR: a page had not arrived when the session was interrupted;
 * -ECANCELED: the process that copies was killed;
 * the error passed to adbg_pages_keep();
 * any error of clone(2) and socketpair(2).
 */
ssize_t adbg_pages_copy(struct adbg_session *session, int32_t pid, bool write,
			uint64_t address, void *data, size_t bytes);

/**
 * adbg_struct_out() - copy a structure to one of the caller, which may have another size
 * @to: the caller's structure, which begins with its size; the size does not change
 * @from: the library's structure
 * @known: size of @from
 *
 * The function copies up to the smaller size, and clears the rest of a longer @to.
 */
void adbg_struct_out(void *to, const void *from, size_t known);

/**
 * adbg_node_info() - get the description of the GPU of an open node
 * @fd: the node
 * @info: set to the description
 * @size: size of @info, which may differ from the one known here
 *
 * Return: 0 or -errno.
 */
int adbg_node_info(int fd, struct amdgpudbg_info *info, size_t size);

/**
 * adbg_pci_name() - get the PCI address of a GPU as the kernel prints it, "0000:0a:00.0"
 * @info: description of the GPU
 * @pci: set to the address
 */
void adbg_pci_name(const struct amdgpudbg_info *info, char pci[ADBG_PCI_SIZE]);

/**
 * adbg_failed() - remember a failure for adbg_strerror()
 * @session: the session
 * @about: subject of the error
 * @ret: result of the call; only an error is remembered
 *
 * Return: @ret.
 */
int adbg_failed(struct adbg_session *session, enum adbg_subject about, int ret);

/**
 * adbg_event_failed() - remember a failure of a call that waits for events
 * @session: the session, which another thread may be using
 * @ret: result of the call
 *
 * Return: @ret.
 */
int adbg_event_failed(struct adbg_session *session, int ret);

/** adbg_is_waiter() - test whether adbg_event_next() is the last call that failed in this thread */
bool adbg_is_waiter(const struct adbg_session *session);

/** adbg_node_open() - open /dev/amdgpudbgN; a descriptor or -errno */
int adbg_node_open(unsigned int number);

/**
 * adbg_parse_node() - parse the name of a node
 * @what: "N" or "/dev/amdgpudbgN"
 * @number: set to N
 *
 * Return: true if @what is such a name.
 */
bool adbg_parse_node(const char *what, unsigned int *number);

/**
 * adbg_session_new() - open /dev/amdgpudbgN as a session
 * @number: N
 * @session: set to the session
 *
 * Return: as adbg_open().
 */
int adbg_session_new(unsigned int number, struct adbg_session **session);

/**
 * adbg_read_text() - read the beginning of a small file
 * @path: the file
 * @text: set to text
 * @size: size of @text in bytes, at least 1
 *
 * Return: length of @text or -errno.
 */
ssize_t adbg_read_text(const char *path, char *text, size_t size);

/**
 * adbg_is_lack() - test whether an error means that descriptors or memory are missing
 * @error: negative errno of open(2)
 *
 * Any other error of a file below /proc is caused by the process.
 */
static inline bool adbg_is_lack(int error)
{
	return error == -ENOMEM || error == -EMFILE || error == -ENFILE;
}

/**
 * adbg_find_value() - find the line "key: value" in a text
 * @text: lines
 * @key: the text before the colon
 *
 * Return: the value, followed by the rest of @text; NULL if there is no such line.
 */
const char *adbg_find_value(const char *text, const char *key);

/**
 * adbg_client_read() - read the DRM client of a descriptor
 * @proc: the process, by its name in /proc: "123" or "self"
 * @fd: descriptor in that process
 * @pci: PCI address of the GPU that the client must use
 * @client: set to the client, without pid and name
 *
 * Return: 0; -ENOTTY it is not a file of this GPU; or an error of open(2).
 */
int adbg_client_read(const char *proc, int fd, const char *pci,
		     struct adbg_client *client);

#endif /* ADBG_INTERNAL_H */
