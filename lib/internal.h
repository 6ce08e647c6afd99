/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the library share: the marker of exported functions, the
 * one way to the kernel, and the handling of sized structures.
 */
#ifndef ADBG_INTERNAL_H
#define ADBG_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <amdgpudbg.h>

#define ADBG_API __attribute__((__visibility__("default")))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct adbg_session {
	int fd;
	unsigned int number;
	uint32_t gc_version;
	uint32_t max_waves;
	struct adbg_event_buffer *events;	/* NULL: none were enabled */
	uint32_t hsa_watches;	/* those of adbg_hsa_address_watch(), one bit each */
	uint32_t trap_code;	/* buffers of adbg_trap_install(); 0: none */
	uint32_t trap_boxes;
	uint32_t trap_num_boxes;
	uint32_t busy_vmid;	/* see adbg_session_get_vmid_user() */
	uint32_t busy_pasid;
	char pci[16];		/* as drm-pdev: "0000:0a:00.0" */
};

/**
 * adbg_ioctl() - call the module
 * @fd: node of the GPU
 * @request: AMDGPUDBG_IOC_*
 * @arg: its structure
 *
 * Return: 0 or -errno; -EINTR when a signal came first.
 */
int adbg_ioctl(int fd, unsigned long request, void *arg);

/**
 * adbg_note_vmid_user() - remember for adbg_session_get_vmid_user()
 * @session: the session
 * @ret: what the call returned
 * @vmid: what it says of the VMID
 * @pasid: and of who is in it
 */
void adbg_note_vmid_user(struct adbg_session *session, int ret, uint32_t vmid,
			 uint32_t pasid);

/** adbg_ioctl_restart() - as adbg_ioctl(), again after -EINTR */
int adbg_ioctl_restart(int fd, unsigned long request, void *arg);

/**
 * adbg_struct_in() - take a sized structure from the caller
 * @to: the library's own copy, filled with zeros past the caller's size
 * @known: size of @to, the structure as this library knows it
 * @from: the caller's, which begins with its size
 * @min: size of its first published version
 *
 * Return: 0; -EINVAL @from is NULL or shorter than @min; -E2BIG it is longer
 * than @known and the rest is not zero.
 */
int adbg_struct_in(void *to, size_t known, const void *from, size_t min);

/**
 * adbg_struct_out() - give a sized structure to the caller
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
 * @info: set to the answer, sz included
 *
 * Return: 0 or -errno.
 */
int adbg_node_info(int fd, struct adbg_gpu_info *info);

/** adbg_node_open() - open /dev/amdgpudbgN; a descriptor or -errno */
int adbg_node_open(unsigned int number);

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
 * adbg_find_value() - find the line "key: value" in a text
 * @text: lines
 * @key: what stands before the colon
 *
 * Return: the value, which goes on to the end of @text; NULL: no such line.
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

struct amdgpudbg_wave_control;

/**
 * adbg_control_in() - an operation on waves, as the kernel wants it
 * @call: set to it
 * @control: the caller's, of any size
 *
 * Return: as adbg_struct_in().
 */
int adbg_control_in(struct amdgpudbg_wave_control *call,
		    const struct adbg_wave_control *control);

/** adbg_control_out() - its results, to a @control that adbg_control_in() took */
void adbg_control_out(struct adbg_wave_control *control,
		      const struct amdgpudbg_wave_control *call);

#endif /* ADBG_INTERNAL_H */
