// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel interface with all kinds of wrong calls. Every call here uses the ioctls
 * directly; waves of another process run at the same time, and must not be affected.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi.h"
#include "busy.h"
#include "child.h"

struct abi {
	const char *name;
	unsigned long nr;
	size_t size;
	size_t min_size;
	void (*fill)(void *arg);	/* a good call that changes nothing */
};

static void fill_none(void *arg)
{
	(void)arg;
}

/* Giving up a target that there is not. */
static void fill_target(void *arg)
{
	struct amdgpudbg_target_set *target = arg;

	target->drm_fd = -1;
	target->pidfd = -1;
}

static void fill_watch(void *arg)
{
	struct amdgpudbg_watch_set *watch = arg;

	watch->mode = AMDGPUDBG_WATCH_ALL;
	watch->address = 0x100000000;
	watch->bytes = 4096;
}

static void fill_alloc(void *arg)
{
	((struct amdgpudbg_mem_alloc *)arg)->bytes = 1;
}

static void fill_handler(void *arg)
{
	struct amdgpudbg_trap_handler *handler = arg;

	handler->tba = 0x100000000;
	handler->tba_size = 256;
}

static void fill_access(void *arg)
{
	struct amdgpudbg_vm_access *access = arg;

	access->va = 0x100000000;
	access->bytes = 1;
}

static void fill_mappings(void *arg)
{
	((struct amdgpudbg_vm_list *)arg)->entry_size =
		sizeof(struct amdgpudbg_mapping);
}

/* All that there are, which are running. */
static void fill_jobs(void *arg)
{
	static struct amdgpudbg_job jobs[64];
	static struct amdgpudbg_ib ibs[1024];
	struct amdgpudbg_job_list *list = arg;

	list->entry_size = sizeof(jobs[0]);
	list->capacity = 64;
	list->jobs = (uintptr_t)jobs;
	list->ib_capacity = 1024;
	list->ibs = (uintptr_t)ibs;
}

/* Now, and when it was first published */
#define SIZES(name, NAME) \
	sizeof(struct amdgpudbg_##name), AMDGPUDBG_##NAME##_SIZE_V1

static const struct abi calls[] = {
	{ "GET_INFO", AMDGPUDBG_IOC_GET_INFO,
	  SIZES(info, INFO), fill_none },
	{ "GET_CAPABILITY", AMDGPUDBG_IOC_GET_CAPABILITY,
	  SIZES(capability, CAPABILITY), fill_none },
	{ "GET_BUSY", AMDGPUDBG_IOC_GET_BUSY,
	  SIZES(busy, BUSY), fill_none },
	{ "WAVE_LIST", AMDGPUDBG_IOC_WAVE_LIST,
	  SIZES(wave_list, WAVE_LIST), fill_list },
	{ "WAVE_SNAPSHOT", AMDGPUDBG_IOC_WAVE_SNAPSHOT,
	  SIZES(wave_list, WAVE_LIST), fill_list },
	{ "WAVE_CONTROL", AMDGPUDBG_IOC_WAVE_CONTROL,
	  SIZES(wave_control, WAVE_CONTROL), fill_control },
	{ "WAVE_BATCH", AMDGPUDBG_IOC_WAVE_BATCH,
	  SIZES(wave_batch, WAVE_BATCH), fill_batch },
	{ "REG_ACCESS", AMDGPUDBG_IOC_REG_ACCESS,
	  SIZES(reg_access, REG_ACCESS), fill_regs },
	{ "REG_BATCH", AMDGPUDBG_IOC_REG_BATCH,
	  SIZES(reg_batch, REG_BATCH), fill_reg_batch },
	{ "TARGET_SET", AMDGPUDBG_IOC_TARGET_SET,
	  SIZES(target_set, TARGET_SET), fill_target },
	{ "MEM_ALLOC", AMDGPUDBG_IOC_MEM_ALLOC,
	  SIZES(mem_alloc, MEM_ALLOC), fill_alloc },
	{ "MEM_FREE", AMDGPUDBG_IOC_MEM_FREE,
	  SIZES(mem_free, MEM_FREE), fill_none },
	{ "MEM_COPY", AMDGPUDBG_IOC_MEM_COPY,
	  SIZES(mem_copy, MEM_COPY), fill_none },
	{ "VM_ACCESS", AMDGPUDBG_IOC_VM_ACCESS,
	  SIZES(vm_access, VM_ACCESS), fill_access },
	{ "VM_LIST", AMDGPUDBG_IOC_VM_LIST,
	  SIZES(vm_list, VM_LIST), fill_mappings },
	{ "TRAP_HANDLER", AMDGPUDBG_IOC_TRAP_HANDLER,
	  SIZES(trap_handler, TRAP_HANDLER), fill_handler },
	{ "WATCH_SET", AMDGPUDBG_IOC_WATCH_SET,
	  SIZES(watch_set, WATCH_SET), fill_watch },
	{ "WATCH_CLEAR", AMDGPUDBG_IOC_WATCH_CLEAR,
	  SIZES(watch_clear, WATCH_CLEAR), fill_none },
	{ "LAUNCH_SET", AMDGPUDBG_IOC_LAUNCH_SET,
	  SIZES(launch_set, LAUNCH_SET), fill_none },
	/* No events, as before */
	{ "EVENT_ENABLE", AMDGPUDBG_IOC_EVENT_ENABLE,
	  SIZES(event_enable, EVENT_ENABLE), fill_none },
	{ "JOB_LIST", AMDGPUDBG_IOC_JOB_LIST,
	  SIZES(job_list, JOB_LIST), fill_jobs },
};

#define NUM_CALLS (sizeof(calls) / sizeof(calls[0]))

/* What a good call gives, without a target. */
static int result_of(unsigned long nr)
{
	switch (nr) {
	case AMDGPUDBG_IOC_MEM_ALLOC:
	case AMDGPUDBG_IOC_MEM_FREE:
	case AMDGPUDBG_IOC_MEM_COPY:
	case AMDGPUDBG_IOC_VM_ACCESS:
	case AMDGPUDBG_IOC_VM_LIST:
	case AMDGPUDBG_IOC_TRAP_HANDLER:
	case AMDGPUDBG_IOC_WATCH_SET:
	case AMDGPUDBG_IOC_LAUNCH_SET:
		return -ENOTCONN;
	case AMDGPUDBG_IOC_WATCH_CLEAR:
		return -ENOENT;
	default:
		return 0;
	}
}

static void unknown_ioctl_is_enotty(void **state)
{
	uint32_t buf[64] = { sizeof(buf) };

	(void)state;
	assert_int_equal(call(_IO(AMDGPUDBG_IOC_TYPE, 0x00), buf), -ENOTTY);
	assert_int_equal(call(_IO(AMDGPUDBG_IOC_TYPE, 0x7f), buf), -ENOTTY);
	assert_int_equal(call(_IO(AMDGPUDBG_IOC_TYPE, 0xff), buf), -ENOTTY);
	assert_int_equal(call(_IO('X', 0x80), buf), -ENOTTY);
	assert_int_equal(call(_IOWR(AMDGPUDBG_IOC_TYPE, 0x80, uint32_t), buf),
			 -ENOTTY);
}

static void short_struct_is_einval(void **state)
{
	uint32_t buf[128];
	size_t i, size;

	(void)state;
	for (i = 0; i < NUM_CALLS; i++) {
		for (size = 0; size < calls[i].min_size; size++) {
			memset(buf, 0, sizeof(buf));
			calls[i].fill(buf);
			buf[0] = size;
			assert_int_equal(call(calls[i].nr, buf), -EINVAL);
		}
	}
}

static void long_struct_with_zero_tail_works(void **state)
{
	uint32_t buf[256];
	size_t i;

	(void)state;
	for (i = 0; i < NUM_CALLS; i++) {
		memset(buf, 0, sizeof(buf));
		calls[i].fill(buf);
		buf[0] = calls[i].size + 64;
		assert_int_equal(call(calls[i].nr, buf),
				 result_of(calls[i].nr));
		/* The kernel wrote only what it knows. */
		assert_int_equal(buf[calls[i].size / 4], 0);
	}
}

static void long_struct_with_other_tail_is_e2big(void **state)
{
	char buf[1024];
	size_t i;

	(void)state;
	for (i = 0; i < NUM_CALLS; i++) {
		memset(buf, 0, sizeof(buf));
		calls[i].fill(buf);
		*(uint32_t *)buf = calls[i].size + 64;
		buf[calls[i].size + 63] = 1;
		assert_int_equal(call(calls[i].nr, buf), -E2BIG);
		*(uint32_t *)buf = 0x7fffffff;
		assert_int_equal(call(calls[i].nr, buf), -E2BIG);
		*(uint32_t *)buf = 0xffffffff;
		assert_int_equal(call(calls[i].nr, buf), -E2BIG);
	}
}

static void misaligned_struct_works(void **state)
{
	char buf[1024];
	uint32_t aligned[256];
	uint32_t size;
	size_t i;

	(void)state;
	for (i = 0; i < NUM_CALLS; i++) {
		memset(aligned, 0, sizeof(aligned));
		calls[i].fill(aligned);
		size = calls[i].size;
		memcpy(buf + 1, aligned, size);
		memcpy(buf + 1, &size, sizeof(size));
		assert_int_equal(call(calls[i].nr, buf + 1),
				 result_of(calls[i].nr));
	}
}

static void faulting_struct_is_efault(void **state)
{
	uint32_t *ro;
	size_t i;

	(void)state;
	ro = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < NUM_CALLS; i++) {
		uint32_t *p = (uint32_t *)(fence - calls[i].size / 2);

		assert_int_equal(call(calls[i].nr, NULL), -EFAULT);
		assert_int_equal(call(calls[i].nr, fence), -EFAULT);
		memset(p, 0, calls[i].size / 2);
		*p = calls[i].size;
		assert_int_equal(call(calls[i].nr, p), -EFAULT);

		mprotect(ro, 4096, PROT_READ | PROT_WRITE);
		memset(ro, 0, 4096);
		calls[i].fill(ro);
		ro[0] = calls[i].size;
		mprotect(ro, 4096, PROT_READ);
		assert_int_equal(call(calls[i].nr, ro), -EFAULT);
	}
	munmap(ro, 4096);
}

static void halt_without_room_for_the_answer_changes_nothing(void **state)
{
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);
	struct amdgpudbg_wave_control *ro;

	(void)state;
	wc.size = sizeof(wc);
	ro = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*ro = wc;
	mprotect(ro, 4096, PROT_READ);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_CONTROL, ro), -EFAULT);
	munmap(ro, 4096);
	assert_none_halted();
}

static void unknown_flags_are_eopnotsupp(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info), .flags = 1 };
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.flags = 1U << 31,
	};
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);
	struct amdgpudbg_target_set target = { .size = sizeof(target) };
	struct amdgpudbg_capability cap = { .size = sizeof(cap), .flags = 1 };
	struct amdgpudbg_mem_free mem = { .size = sizeof(mem), .flags = 1 };
	struct amdgpudbg_watch_clear watch = { .size = sizeof(watch), .flags = 1 };
	struct amdgpudbg_job_list jobs = { .size = sizeof(jobs), .flags = 1 };

	(void)state;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_INFO, &info), -EOPNOTSUPP);
	assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), -EOPNOTSUPP);
	assert_int_equal(call(AMDGPUDBG_IOC_MEM_FREE, &mem), -EOPNOTSUPP);
	assert_int_equal(call(AMDGPUDBG_IOC_WATCH_CLEAR, &watch), -EOPNOTSUPP);
	assert_int_equal(call(AMDGPUDBG_IOC_JOB_LIST, &jobs), -EOPNOTSUPP);
	fill_target(&target);
	target.flags = AMDGPUDBG_TARGET_SET_TAKE_FD << 1;
	assert_int_equal(call(AMDGPUDBG_IOC_TARGET_SET, &target), -EOPNOTSUPP);
	/* There is no descriptor to be taken. */
	target.flags = AMDGPUDBG_TARGET_SET_TAKE_FD;
	assert_int_equal(call(AMDGPUDBG_IOC_TARGET_SET, &target), -EINVAL);
	fill_list(&list);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_LIST, &list), -EOPNOTSUPP);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_SNAPSHOT, &list), -EOPNOTSUPP);
	/* This one is a snapshot's alone. */
	list.flags = AMDGPUDBG_WAVE_LIST_HOLD;
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_LIST, &list), -EOPNOTSUPP);
	wc.flags = 1U << 31;
	assert_int_equal(control(&wc), -EOPNOTSUPP);
	/* To halt waves alone */
	wc = single(AMDGPUDBG_WAVEOP_RESUME);
	wc.flags = AMDGPUDBG_WAVE_CONTROL_FORCE;
	assert_int_equal(control(&wc), -EINVAL);
	list.flags = AMDGPUDBG_WAVE_LIST_FORCE;
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_SNAPSHOT, &list), -EINVAL);
	assert_none_halted();
}

static void reserved_members_must_be_zero(void **state)
{
	struct amdgpudbg_capability cap = {
		.size = sizeof(cap), .__reserved = 1,
	};
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .select.__reserved[0] = 1,
	};
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);

	(void)state;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), -EINVAL);
	fill_list(&list);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_LIST, &list), -EINVAL);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_SNAPSHOT, &list), -EINVAL);
	list.select.__reserved[0] = 0;
	list.__reserved = 1;
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_LIST, &list), -EINVAL);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_SNAPSHOT, &list), -EINVAL);
	wc.at.__reserved = 1;
	assert_int_equal(control(&wc), -EINVAL);
	assert_none_halted();
}

static void another_wave_is_estale(void **state)
{
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);

	(void)state;
	wc.vmid = waves[0].vmid == 15 ? 14 : waves[0].vmid + 1;
	assert_int_equal(control(&wc), -ESTALE);
	wc = single(AMDGPUDBG_WAVEOP_HALT);
	wc.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC;
	wc.pc = 0x123456789000;
	assert_int_equal(control(&wc), -ESTALE);
	assert_none_halted();
}

static void empty_slot_is_enodata(void **state)
{
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);
	unsigned int i, count;

	(void)state;
	assert_int_equal(list_waves(&count), 0);
	wc.at.wave = 15;
	for (i = 0; i < count; i++)
		assert_memory_not_equal(&waves[i].at, &wc.at, sizeof(wc.at));
	assert_int_equal(control(&wc), -ENODATA);
	assert_none_halted();
}

static void a_vmid_without_waves_matches_none(void **state)
{
	struct amdgpudbg_wave_control wc = {
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		.vmid = waves[0].vmid == 15 ? 14 : waves[0].vmid + 1,
	};

	(void)state;
	assert_int_equal(control(&wc), 0);
	assert_int_equal(wc.matched, 0);
	assert_int_equal(wc.changed, 0);
	assert_none_halted();
}

static void another_session_cannot_resume(void **state)
{
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);
	int other = open(NODE, O_RDWR | O_CLOEXEC);

	(void)state;
	assert_true(other >= 0);
	assert_int_equal(control(&wc), 0);
	assert_int_equal(wc.matched, 1);
	assert_int_equal(wc.changed, 1);
	assert_int_equal(wc.busy, AMDGPUDBG_BUSY_NONE);
	wc = single(AMDGPUDBG_WAVEOP_RESUME);
	wc.size = sizeof(wc);
	wc.busy = 0xaaaaaaaa;
	assert_int_equal(ioctl(other, AMDGPUDBG_IOC_WAVE_CONTROL, &wc), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(wc.busy, AMDGPUDBG_BUSY_WAVE);
	assert_busy(other, AMDGPUDBG_BUSY_WAVE, getpid());
	close(other);
	wc = single(AMDGPUDBG_WAVEOP_RESUME);
	assert_int_equal(control(&wc), 0);
	assert_none_halted();
}

/* In a child, as a user who may open the node but is not privileged. */
static int as_user(void *arg)
{
	struct amdgpudbg_reg_access regs = { .size = sizeof(regs) };
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);
	struct amdgpudbg_info info = { .size = sizeof(info) };
	unsigned int count;
	int fd;

	(void)arg;
	if (setgid(1000) || setuid(1000))
		return 1;
	/* The session of root, inherited: its caller's rights count. */
	if (call(AMDGPUDBG_IOC_GET_INFO, &info))
		return 2;
	if (list_waves(&count) != -EPERM)
		return 3;
	fill_regs(&regs);
	if (call(AMDGPUDBG_IOC_REG_ACCESS, &regs) != -EPERM)
		return 6;
	if (control(&wc) != -EPERM)
		return 4;
	fd = open(NODE, O_RDWR);
	return fd >= 0 || errno != EACCES ? 5 : 0;
}

static void unprivileged_user_is_refused(void **state)
{
	(void)state;
	assert_int_equal(child_run(as_user, NULL), 0);
	assert_none_halted();
}

static void read_write_and_mmap_are_refused(void **state)
{
	char c = 0;

	(void)state;
	assert_int_equal(read(dev, &c, 1), -1);
	assert_int_equal(write(dev, &c, 1), -1);
	assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_SHARED, dev, 0),
			 MAP_FAILED);
}

/* What the kernel says by itself when the machine is busy. */
static bool is_of_busy_machine(const char *line)
{
	return strstr(line, "hrtimer: interrupt took") ||
	       strstr(line, "clocksource: ");
}

/* All of the above came from user mistakes, and those never print. */
static void kernel_log_is_silent(void **state)
{
	static char log[1 << 18];
	int n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);
	char *p, *line, *rest;
	bool silent = true;

	(void)state;
	assert_true(n > 0);
	log[n] = 0;
	p = strstr(log, "ABI-TEST-BEGINS");
	assert_non_null(p);
	strtok_r(p, "\n", &rest);
	while ((line = strtok_r(NULL, "\n", &rest))) {
		if (is_of_busy_machine(line))
			continue;
		print_message("kernel log: %s\n", line);
		silent = false;
	}
	assert_true(silent);
}

static int mark_log(void)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	int ret = fd < 0 || write(fd, "ABI-TEST-BEGINS\n", 16) != 16;

	if (fd >= 0)
		close(fd);
	return ret;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_ioctl_is_enotty),
		cmocka_unit_test(short_struct_is_einval),
		cmocka_unit_test(long_struct_with_zero_tail_works),
		cmocka_unit_test(long_struct_with_other_tail_is_e2big),
		cmocka_unit_test(misaligned_struct_works),
		cmocka_unit_test(faulting_struct_is_efault),
		cmocka_unit_test(halt_without_room_for_the_answer_changes_nothing),
		cmocka_unit_test(unknown_flags_are_eopnotsupp),
		cmocka_unit_test(reserved_members_must_be_zero),
		cmocka_unit_test(capability_ids_are_bounded),
		cmocka_unit_test(limits_are_reported),
		cmocka_unit_test(list_arguments_are_checked),
		cmocka_unit_test(list_returns_the_needed_count),
		cmocka_unit_test(list_records_follow_the_stride),
		cmocka_unit_test(list_filters_by_vmid),
		cmocka_unit_test(control_arguments_are_checked),
		cmocka_unit_test(reg_arguments_are_checked),
		cmocka_unit_test(batch_arguments_are_checked),
		cmocka_unit_test(batch_without_room_for_the_answer_changes_nothing),
		cmocka_unit_test(longer_operations_of_a_batch_work),
		cmocka_unit_test(another_wave_is_estale),
		cmocka_unit_test(empty_slot_is_enodata),
		cmocka_unit_test(a_vmid_without_waves_matches_none),
		cmocka_unit_test(another_session_cannot_resume),
		cmocka_unit_test(unprivileged_user_is_refused),
		cmocka_unit_test(read_write_and_mmap_are_refused),
		cmocka_unit_test(kernel_log_is_silent),
	};

	if (mark_log())
		return 1;
	return cmocka_run_group_tests(tests, set_up, take_down);
}
