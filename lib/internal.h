/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the library share: the marker of exported functions, the
 * one way to the kernel.
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

/* What an error can be about, for its words */
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

struct adbg_session {
	int fd;
	unsigned int number;
	uint32_t gc_version;
	uint64_t event_mask;	/* of its info */
	uint32_t max_waves;
	struct adbg_event_buffer *events;	/* NULL: none were enabled */
	uint32_t hsa_watches;	/* those of adbg_hsa_address_watch(), one bit each */
	uint32_t trap_code;	/* buffers of adbg_trap_install(); 0: none */
	uint32_t trap_mailboxes;
	uint32_t trap_header[32];	/* what the second begins with */
	enum adbg_subject about;	/* of the call that has failed last */
	int error;		/* its errno value; 0: any may come of it */
	/*
	 * The thread to which adbg_event_next() has failed, and has nothing else since;
	 * 0: none. Only that one reads or writes event_error.
	 */
	_Atomic uintptr_t event_thread;
	int event_error;
	char pci[16];		/* as drm-pdev: "0000:0a:00.0" */
	int32_t pages_pid;	/* of the process that pages_fd is of; 0: of none */
	int pages_fd;		/* its address space, see pages.c; or -errno */
	struct adbg_copier *copier;	/* the process that uses pages_fd; NULL: none yet */
	int interrupt_fd;	/* of adbg_session_set_interrupt(); -1: none */
	bool is_interrupted;	/* it has ended a copy, and was readable since */
};

/**
 * adbg_ioctl_restart() - call the module, again after -EINTR
 * @fd: node of the GPU
 * @request: AMDGPUDBG_IOC_*
 * @arg: its structure
 *
 * Return: 0 or -errno.
 */
int adbg_ioctl_restart(int fd, unsigned long request, void *arg);

/**
 * adbg_pages_open() - open the address space that a process has now
 * @pid: the process
 *
 * Return: a descriptor; -ESRCH there is no such process; what open(2) gives for /proc/PID/mem.
 */
int adbg_pages_open(int32_t pid);

/**
 * adbg_pages_keep() - set the address space for adbg_pages_copy()
 * @pid: the process; 0: none
 * @fd: of adbg_pages_open(), or its error; owned by @session from now on
 */
void adbg_pages_keep(struct adbg_session *session, int32_t pid, int fd);

/**
 * adbg_pages_copy() - copy from or to the pages of a process
 * @pid: the process; its address space is kept with the first copy, unless it is kept already
 * @write: copy from @data to the process
 * @address: in the process
 * @bytes: of @data
 *
 * Return: number of bytes, not 0; -ENXIO nothing is mapped there; -ESRCH the address space is
 * gone, because the process has ended or executes another program; -EINTR a page has not come
 * until the session was interrupted; the error of @fd; what clone(2) and socketpair(2) give;
 * -ECANCELED the process that copies was killed.
 */
ssize_t adbg_pages_copy(struct adbg_session *session, int32_t pid, bool write,
			uint64_t address, void *data, size_t bytes);

/**
 * adbg_struct_out() - give a structure to a caller
 * @to: the caller's, which begins with its size. That stays as it is.
 * @from: the library's own
 * @known: size of @from
 *
 * Copies up to the smaller size and clears the rest of a longer @to.
 */
void adbg_struct_out(void *to, const void *from, size_t known);

/**
 * adbg_node_info() - ask an open node what GPU it is
 * @fd: the node
 * @info: set to the answer
 * @size: of @info, which may be longer or shorter than it is known here
 *
 * Return: 0 or -errno.
 */
int adbg_node_info(int fd, struct amdgpudbg_info *info, size_t size);

/**
 * adbg_failed() - remember a failure for adbg_strerror()
 * @session: the session
 * @about: what it is about
 * @ret: what the call returns; only an error is remembered
 *
 * Return: @ret.
 */
int adbg_failed(struct adbg_session *session, enum adbg_subject about, int ret);

/**
 * adbg_event_failed() - the same for calls that wait for events
 * @session: the session; another thread can be using it
 * @ret: what the call returns
 *
 * Return: @ret.
 */
int adbg_event_failed(struct adbg_session *session, int ret);

/** adbg_is_waiter() - has adbg_event_next() failed last of what this thread has done? */
bool adbg_is_waiter(const struct adbg_session *session);

/** adbg_node_open() - open /dev/amdgpudbgN; a descriptor or -errno */
int adbg_node_open(unsigned int number);

/**
 * adbg_parse_node() - read the number of a node
 * @what: "N" or "/dev/amdgpudbgN"
 * @number: set to N
 *
 * Return: is it one?
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
 * adbg_is_lack() - does the caller or the system lack descriptors or memory?
 * @error: what open(2) gives as errno, negative
 *
 * Any other error of a file below /proc says something about the process.
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
 * adbg_client_read() - what kind of DRM client is a descriptor
 * @proc: the process, as /proc calls it: "123" or "self"
 * @fd: descriptor in that process
 * @pci: the GPU that it must be of
 * @client: set to what is known of it, without pid and name
 *
 * Return: 0; -ENOTTY it is no file of that GPU; what open(2) gives.
 */
int adbg_client_read(const char *proc, int fd, const char *pci,
		     struct adbg_client *client);

#endif /* ADBG_INTERNAL_H */
