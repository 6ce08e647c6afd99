/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the library share: the marker of exported functions, the
 * one way to the kernel, and the handling of sized structures.
 */
#ifndef ADBG_INTERNAL_H
#define ADBG_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg.h>

#define ADBG_API __attribute__((__visibility__("default")))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct adbg_session {
	int fd;
	unsigned int number;
	uint32_t gc_version;
	uint32_t max_waves;
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

#endif /* ADBG_INTERNAL_H */
