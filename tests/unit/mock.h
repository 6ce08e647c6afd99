/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated machine around the library: device nodes, sysfs and ioctls are answered from
 * tables of the test. Ioctls must be made in the order of their table and with its arguments;
 * any other call ends the program with a message.
 *
 * A test program links mock.c and the static library: the functions of libc that mock.c
 * defines then replace the real ones.
 */
#ifndef TESTS_UNIT_MOCK_H
#define TESTS_UNIT_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/amdgpudbg.h>

#include "../array_size.h"

/* In a struct that has hw[] by the numbers of gfx10.3 */
#define HW(reg) hw[AMDGPUDBG_GFX10_3_##reg]
/* Hardware registers that the module reads of a listed wave: MODE to EXEC_HI */
#define MOCK_HW_MASK 0xffffu

struct adbg_session;
struct mock_op;

struct mock_ioctl {
	unsigned long request;
	int error;		/* errno to give, 0 for success */
	size_t size;		/* of @in and @out */
	const void *in;		/* the argument as it must come, or NULL */
	const void *out;	/* the argument as it goes back, or NULL */
	void (*check)(void *arg);	/* looks at the argument first, or NULL */
	/* AMDGPUDBG_IOC_WAVE_LIST, _SNAPSHOT: the live waves, and how many there are */
	const struct amdgpudbg_wave *waves;
	uint32_t num_waves;
	/* AMDGPUDBG_IOC_WAVE_BATCH: its operations */
	const struct mock_op *ops;
	uint32_t num_ops;
};

/* One operation of a batch: as it must come, and what comes of it. */
struct mock_op {
	struct amdgpudbg_wave_control in;
	uint32_t matched;
	uint32_t changed;
	uint64_t new_pc;
	int error;		/* errno, 0 for success */
};

struct mock_node {
	const char *name;	/* in /dev */
	int error;		/* errno of opening it, 0 for success */
	const struct amdgpudbg_info *info;	/* of its GPU, whenever asked; NULL: as expected */
};

/* The only GPU's. */
extern const struct mock_node mock_node;

/* Forget everything: no node, no module, no ioctl expected. */
void mock_reset(void);
void mock_set_nodes(const struct mock_node *nodes, size_t count);
void mock_expect(const struct mock_ioctl *table, size_t count);
/* Besides, these are answered whenever they come, as often as they do. */
void mock_answer(const struct mock_ioctl *table, size_t count);
/*
 * Answer the ioctls of all nodes with a function instead of the tables. It returns 0 or a
 * negative errno value. GET_BUSY is still answered with mock_busy.
 */
void mock_set_kernel(int (*kernel)(unsigned long request, void *arg));
/* The node whose ioctl is being answered */
const struct mock_node *mock_current_node(void);
/* The module is loaded. */
void mock_set_module(void);
/* And shows this GPU: device "0x163f", node or "", a sentence */
void mock_set_gpu(const char *address, const char *device, const char *node,
		  const char *status);
/* Or none, but the folder for them is there. */
void mock_set_no_gpu(void);
/* stat() of @path gives this. */
void mock_set_file(const char *path, mode_t mode, dev_t rdev);
/*
 * A file below /proc, "4711/fdinfo/5", with @text. From the first on, there is
 * nothing else below /proc, and pidfd_open() works for the processes there.
 */
void mock_proc_file(const char *name, const char *text);
/*
 * Files of "sys/dev/char", "sys/bus/pci/devices" and "usr/share/libdrm" are made in the same way;
 * of these directories, nothing else exists.
 *
 * The same, but a symbolic link
 */
void mock_proc_link(const char *name, const char *to);
/* What has @part in its path, NULL: nothing, cannot be opened any more. */
void mock_set_open_error(const char *part, int error);
/* So many looks at a DRM file's fdinfo are interrupted by a signal. */
void mock_set_interrupted(unsigned int times);
/* What pidfd_open() opens has this number in /proc; 0: none. */
void mock_set_shown_pid(pid_t pid);
/* For user 1000, as whom geteuid() then answers: who owns a folder of /proc. */
void mock_proc_owner(uid_t uid);
/* pidfd_getfd() gives this errno. */
void mock_set_getfd_error(int error);
/* The next pidfd_getfd() returns the file that this file of /proc describes. */
void mock_set_getfd_file(const char *name);
/*
 * What a read() of a node gives, once for each call of this, from the next
 * opening of the node on: several events are one read.
 */
void mock_add_events(const void *events, size_t size);
/* The same at once, of the nodes that are open: for a check() of an ioctl */
void mock_send_events(const void *events, size_t size);
/* The first of them is there anew in each read, for ever. */
void mock_repeat_events(void);
/* And then this errno, with POLLHUP; without it, nothing comes any more. */
void mock_end_events(int error);
/* End the events of nodes that are open, for a mock_set_kernel(): see mock_end_events(). */
void mock_close_events(int error);
/* Processes that are opened from now on have exited. */
void mock_set_exited(void);
/* Nodes in /dev that are open now. */
unsigned int mock_open_nodes(void);
/* End the program unless each expected ioctl came and each node is closed. */
void mock_verify(void);

/* The same two around each test of a program: mock_reset(), mock_verify() */
int mock_setup(void **state);
int mock_teardown(void **state);
#define MOCK_TEST(test) \
	cmocka_unit_test_setup_teardown(test, mock_setup, mock_teardown)

/* A Van Gogh, and the GET_INFO that answers so. */
extern const struct amdgpudbg_info mock_info;
/* What GET_BUSY answers, whenever it is asked; all zero at first */
extern struct amdgpudbg_busy mock_busy;

#define MOCK_GET_INFO { \
	.request = AMDGPUDBG_IOC_GET_INFO, \
	.out = &mock_info, .size = sizeof(mock_info), \
}

/* Open the only GPU, with the ioctls that come then and later. */
struct adbg_session *mock_session(const struct mock_ioctl *expect,
				  size_t count);

/* As the module: set those flags of a record that gfx10.3's STATUS in it says. */
void mock_flag_wave(struct amdgpudbg_wave *wave);

/* Three waves of VMID 1 and one of VMID 3. */
extern const struct amdgpudbg_wave mock_waves[4];

#endif /* TESTS_UNIT_MOCK_H */
