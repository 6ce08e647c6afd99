/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of memory in a target and of trap handlers: this process as a target, with the
 * kernels of traps.cl, and a debugger's calls, through the ioctls. Unless stated otherwise, a
 * failure ends the test.
 */
#ifndef GUEST_TRAP_PROG_H
#define GUEST_TRAP_PROG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/amdgpudbg.h>

#include "prog.h"

#define NODE "/dev/amdgpudbg0"
#define ITEMS 256		/* 8 waves of 32 */
#define NUM_WAVES (ITEMS / 32)
#define DEADLINE_S 60

struct handler {
	struct amdgpudbg_mem_alloc code, tma;
	uint32_t header[32];	/* of tma: trap_abi.h */
	uint32_t vmid;
};

struct stopped {
	int fd;
	uint32_t vmid;
	uint32_t count;		/* how many are wanted */
	struct amdgpudbg_wave wave[64];
};

extern struct prog prog;

/* 0 or -errno */
int open_prog(void);

/* Calls of a session @fd: 0 or -errno. self.h has some more. */
/*
 * On a busy machine, the GPU can be slower with page tables than a call waits: the
 * first one and set_handler() try again then.
 */
int mem_alloc(int fd, struct amdgpudbg_mem_alloc *args, uint32_t flags,
	      uint64_t bytes);
int mem_free(int fd, uint32_t id);
int mem_copy(int fd, uint32_t flags, uint32_t id, uint64_t offset,
	     const void *data, uint64_t bytes);
int mem_write(int fd, uint32_t id, uint64_t offset, const void *data,
	      uint64_t bytes);
int mem_read(int fd, uint32_t id, uint64_t offset, void *data, uint64_t bytes);
int set_target(int fd, int drm_fd, bool pidfd);
int set_handler(int fd, uint64_t tba, uint64_t tba_size, uint64_t tma,
		uint64_t tma_size, uint32_t *vmid);
int clear_handler(int fd);
int install_loaded(int fd, struct handler *h);

/* A session whose target is the file @drm_fd. */
int open_session(int drm_fd);
/* Make the buffers of a handler, and write its code. */
void load(int fd, struct handler *h, const uint32_t *code, size_t size);
void install(int fd, struct handler *h, const uint32_t *code, size_t size);
void uninstall(int fd, const struct handler *h);

/* Jobs, all on compute ring 0 if not said otherwise */
void start(const char *name, struct gpu_job *job);
void start_on(unsigned int ring, const char *name, struct gpu_job *job);
/* Until all work-items of trap_spin have begun. */
void wait_begun(void);
void stop_spinning(void);
/* All results must be the input and @add, or that of trap_spin if it is negative. */
void finish(struct gpu_job *job, int add);

/* Do so many waves of @arg, a struct stopped, stand where they were halted? */
bool are_stopped(void *arg);
/* Until all waves do; @s is filled. */
void wait_stopped(int fd, uint32_t vmid, struct stopped *s);

/* Read SQ_SHADER_TBA_LO to TMA_HI by other means than the module; as root. */
void read_regs(uint32_t vmid, uint32_t regs[4]);
/* As the driver would, and as root can by debugfs */
void write_regs(uint32_t vmid, const uint32_t regs[4]);
/* Until they are, if this is root. */
void assert_regs_zero(uint32_t vmid);
/* Does the driver let something else be mapped where @arg, an allocation, was? */
bool is_free(void *arg);
/* Until nothing is left of the handler in registers and in the address space. */
void assert_taken_back(const struct handler *h);

#endif /* GUEST_TRAP_PROG_H */
