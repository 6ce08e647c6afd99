// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel interface against callers that do everything wrong. Every call
 * here goes straight to the ioctls; waves of another process run meanwhile, and
 * must run on as if nothing had happened.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>

#include "child.h"
#include "victim.h"

#define NODE "/dev/amdgpudbg0"
#define ITEMS 256		/* 8 waves of 32 */
#define MAX_WAVES 64

static struct victim victim;
static int dev = -1;
static char *fence;		/* address of a page that cannot be accessed */

struct abi {
	const char *name;
	unsigned long nr;
	size_t size;
	void (*fill)(void *arg);	/* a good call that changes nothing */
};

static struct amdgpudbg_wave waves[MAX_WAVES];

static void fill_none(void *arg)
{
	(void)arg;
}

static void fill_list(void *arg)
{
	struct amdgpudbg_wave_list *list = arg;

	list->entry_size = sizeof(waves[0]);
	list->capacity = MAX_WAVES;
	list->waves = (uintptr_t)waves;
}

/* Resuming waves that nobody halted. */
static void fill_control(void *arg)
{
	struct amdgpudbg_wave_control *wc = arg;

	wc->op = AMDGPUDBG_WAVEOP_RESUME;
	wc->mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	wc->vmid = waves[0].vmid;
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

static struct amdgpudbg_reg_range ranges[2];
static uint32_t values[8];

/* Reading STATUS and TRAPSTS of a wave that runs. */
static void fill_regs(void *arg)
{
	struct amdgpudbg_reg_access *regs = arg;

	ranges[0] = (struct amdgpudbg_reg_range){
		.space = AMDGPUDBG_REG_HW,
		.first = AMDGPUDBG_HWREG_STATUS,
		.count = 2,
	};
	regs->at = waves[0].at;
	regs->num_ranges = 1;
	regs->ranges = (uintptr_t)ranges;
	regs->values = (uintptr_t)values;
	regs->num_values = 2;
}

/* The same as the only operation of a batch. */
static struct amdgpudbg_batch_op batch_op;

static void fill_batch(void *arg)
{
	struct amdgpudbg_wave_batch *batch = arg;

	memset(&batch_op, 0, sizeof(batch_op));
	batch_op.control.size = sizeof(batch_op.control);
	fill_control(&batch_op.control);
	batch->entry_size = sizeof(batch_op);
	batch->count = 1;
	batch->ops = (uintptr_t)&batch_op;
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

static const struct abi calls[] = {
	{ "GET_INFO", AMDGPUDBG_IOC_GET_INFO,
	  sizeof(struct amdgpudbg_info), fill_none },
	{ "GET_CAPABILITY", AMDGPUDBG_IOC_GET_CAPABILITY,
	  sizeof(struct amdgpudbg_capability), fill_none },
	{ "WAVE_LIST", AMDGPUDBG_IOC_WAVE_LIST,
	  sizeof(struct amdgpudbg_wave_list), fill_list },
	{ "WAVE_CONTROL", AMDGPUDBG_IOC_WAVE_CONTROL,
	  sizeof(struct amdgpudbg_wave_control), fill_control },
	{ "WAVE_BATCH", AMDGPUDBG_IOC_WAVE_BATCH,
	  sizeof(struct amdgpudbg_wave_batch), fill_batch },
	{ "REG_ACCESS", AMDGPUDBG_IOC_REG_ACCESS,
	  sizeof(struct amdgpudbg_reg_access), fill_regs },
	{ "TARGET_SET", AMDGPUDBG_IOC_TARGET_SET,
	  sizeof(struct amdgpudbg_target_set), fill_target },
	{ "MEM_ALLOC", AMDGPUDBG_IOC_MEM_ALLOC,
	  sizeof(struct amdgpudbg_mem_alloc), fill_alloc },
	{ "MEM_FREE", AMDGPUDBG_IOC_MEM_FREE,
	  sizeof(struct amdgpudbg_mem_free), fill_none },
	{ "MEM_COPY", AMDGPUDBG_IOC_MEM_COPY,
	  sizeof(struct amdgpudbg_mem_copy), fill_none },
	{ "TRAP_HANDLER", AMDGPUDBG_IOC_TRAP_HANDLER,
	  sizeof(struct amdgpudbg_trap_handler), fill_handler },
	{ "WATCH_SET", AMDGPUDBG_IOC_WATCH_SET,
	  sizeof(struct amdgpudbg_watch_set), fill_watch },
	{ "WATCH_CLEAR", AMDGPUDBG_IOC_WATCH_CLEAR,
	  sizeof(struct amdgpudbg_watch_clear), fill_none },
	{ "LAUNCH_SET", AMDGPUDBG_IOC_LAUNCH_SET,
	  sizeof(struct amdgpudbg_launch_set), fill_none },
	/* No events, as before */
	{ "EVENT_ENABLE", AMDGPUDBG_IOC_EVENT_ENABLE,
	  sizeof(struct amdgpudbg_event_enable), fill_none },
};

#define NUM_CALLS (sizeof(calls) / sizeof(calls[0]))

static int call(unsigned long nr, void *arg)
{
	return ioctl(dev, nr, arg) ? -errno : 0;
}

/* Does the kernel write to the structure? */
static bool has_answer(unsigned long nr)
{
	return nr != AMDGPUDBG_IOC_EVENT_ENABLE &&
	       nr != AMDGPUDBG_IOC_WATCH_CLEAR &&
	       nr != AMDGPUDBG_IOC_MEM_FREE && nr != AMDGPUDBG_IOC_MEM_COPY;
}

/* What a good call gives, without a target. */
static int result_of(unsigned long nr)
{
	switch (nr) {
	case AMDGPUDBG_IOC_MEM_ALLOC:
	case AMDGPUDBG_IOC_MEM_FREE:
	case AMDGPUDBG_IOC_MEM_COPY:
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

static int list_waves(unsigned int *count)
{
	struct amdgpudbg_wave_list list = { .size = sizeof(list) };
	int ret;

	fill_list(&list);
	ret = call(AMDGPUDBG_IOC_WAVE_LIST, &list);
	*count = list.count;
	return ret;
}

static int control(struct amdgpudbg_wave_control *wc)
{
	wc->size = sizeof(*wc);
	return call(AMDGPUDBG_IOC_WAVE_CONTROL, wc);
}

/* A control call that is right in every member. */
static struct amdgpudbg_wave_control single(unsigned int op)
{
	return (struct amdgpudbg_wave_control){
		.op = op,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = waves[0].vmid,
		.at = waves[0].at,
	};
}

static void assert_none_halted(void)
{
	unsigned int i, count;

	assert_int_equal(list_waves(&count), 0);
	assert_int_equal(count, ITEMS / 32);
	for (i = 0; i < count; i++)
		assert_false(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
}

static int set_up(void **state)
{
	unsigned int count;
	long page = sysconf(_SC_PAGESIZE);

	(void)state;
	dev = open(NODE, O_RDWR | O_CLOEXEC);
	if (dev < 0)
		return -1;
	fence = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fence += page;
	/* Not unmapped: another mapping would take its place. */
	mprotect(fence, page, PROT_NONE);
	if (victim_start(&victim, ITEMS, 0))
		return -1;
	return list_waves(&count) || count != ITEMS / 32 ? -1 : 0;
}

static int take_down(void **state)
{
	(void)state;
	close(dev);
	return victim_finish(&victim);
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
		for (size = 0; size < calls[i].size; size++) {
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
		assert_int_equal(call(calls[i].nr, ro),
				 has_answer(calls[i].nr) ? -EFAULT :
							   result_of(calls[i].nr));
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

	(void)state;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_INFO, &info), -EOPNOTSUPP);
	fill_list(&list);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_LIST, &list), -EOPNOTSUPP);
	wc.flags = 1U << 3;
	assert_int_equal(control(&wc), -EOPNOTSUPP);
	assert_none_halted();
}

static void reserved_members_must_be_zero(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info), .__reserved = 1 };
	struct amdgpudbg_capability cap = {
		.size = sizeof(cap), .__reserved = 1,
	};
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .__reserved = 1,
	};
	struct amdgpudbg_wave_control wc = single(AMDGPUDBG_WAVEOP_HALT);

	(void)state;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_INFO, &info), -EINVAL);
	assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), -EINVAL);
	fill_list(&list);
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_LIST, &list), -EINVAL);
	wc.at.__reserved = 1;
	assert_int_equal(control(&wc), -EINVAL);
	assert_none_halted();
}

static void capability_ids_are_bounded(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	struct amdgpudbg_capability cap = { .size = sizeof(cap) };
	unsigned int i;

	(void)state;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_INFO, &info), 0);
	assert_int_equal(info.num_capabilities, AMDGPUDBG_NUM_CAPS);
	for (i = 0; i < info.num_capabilities; i++) {
		cap.id = i;
		assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), 0);
		assert_true(cap.name[0]);
		assert_int_equal(!cap.supported, !!cap.reason[0]);
	}
	cap.id = i;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), -EINVAL);
	cap.id = 0xffffffff;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), -EINVAL);
}

static int list_with(uint32_t mask, uint32_t entry, uint32_t capacity,
		     void *buf, uint32_t *count)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.vmid_mask = mask,
		.entry_size = entry,
		.capacity = capacity,
		.waves = (uintptr_t)buf,
	};
	int ret = call(AMDGPUDBG_IOC_WAVE_LIST, &list);

	*count = list.count;
	return ret;
}

static void list_arguments_are_checked(void **state)
{
	const uint32_t entry = sizeof(waves[0]);
	uint32_t count;

	(void)state;
	assert_int_equal(list_with(1, entry, 1, waves, &count), -EINVAL);
	assert_int_equal(list_with(1 << 16, entry, 1, waves, &count), -EINVAL);
	assert_int_equal(list_with(0, 0, 1, waves, &count), -EINVAL);
	assert_int_equal(list_with(0, entry - 4, 1, waves, &count), -EINVAL);
	assert_int_equal(list_with(0, entry, MAX_WAVES, NULL, &count), -EFAULT);
	assert_int_equal(list_with(0, entry, MAX_WAVES, fence - entry, &count),
			 -EFAULT);
}

static void list_tells_the_needed_count(void **state)
{
	struct amdgpudbg_wave one[2];
	uint32_t count;

	(void)state;
	assert_int_equal(list_with(0, sizeof(one[0]), 0, NULL, &count),
			 -EMSGSIZE);
	assert_int_equal(count, ITEMS / 32);
	memset(one, 0xaa, sizeof(one));
	assert_int_equal(list_with(0, sizeof(one[0]), 1, one, &count),
			 -EMSGSIZE);
	assert_int_equal(count, ITEMS / 32);
	assert_int_equal(one[0].vmid, waves[0].vmid);
	assert_int_equal(one[1].vmid, 0xaaaaaaaa);
}

static void list_records_follow_the_stride(void **state)
{
	enum { STRIDE = sizeof(struct amdgpudbg_wave) + 24 };
	static unsigned char buf[MAX_WAVES * STRIDE];
	uint32_t count, i, j;

	(void)state;
	memset(buf, 0xaa, sizeof(buf));
	assert_int_equal(list_with(0, STRIDE, MAX_WAVES, buf, &count), 0);
	assert_int_equal(count, ITEMS / 32);
	for (i = 0; i < count; i++) {
		struct amdgpudbg_wave w;

		memcpy(&w, buf + i * STRIDE, sizeof(w));
		assert_memory_equal(&w.at, &waves[i].at, sizeof(w.at));
		for (j = sizeof(w); j < STRIDE; j++)
			assert_int_equal(buf[i * STRIDE + j], 0);
	}
	assert_int_equal(buf[count * STRIDE], 0xaa);
}

static void list_filters_by_vmid(void **state)
{
	uint32_t vmid = waves[0].vmid, count;

	(void)state;
	assert_int_equal(list_with(1U << vmid, sizeof(waves[0]), MAX_WAVES,
				   waves, &count), 0);
	assert_int_equal(count, ITEMS / 32);
	assert_int_equal(list_with(0xfffe & ~(1U << vmid), sizeof(waves[0]),
				   MAX_WAVES, waves, &count), 0);
	assert_int_equal(count, 0);
	assert_none_halted();
}

static void control_arguments_are_checked(void **state)
{
	struct amdgpudbg_wave_control wc;

	(void)state;
#define EXPECT(err, change) do { \
	wc = single(AMDGPUDBG_WAVEOP_HALT); \
	change; \
	assert_int_equal(control(&wc), err); \
} while (0)
	EXPECT(-EOPNOTSUPP, wc.op = 0);
	EXPECT(-EOPNOTSUPP, wc.op = 6);
	EXPECT(-EOPNOTSUPP, wc.op = 17);
	EXPECT(-EINVAL, wc.mode = 1);
	EXPECT(-EINVAL, wc.mode = 4);
	EXPECT(-EINVAL, wc.vmid = 0);
	EXPECT(-EINVAL, wc.vmid = 16);
	EXPECT(-EINVAL, wc.vmid = 0x80000001);
	EXPECT(-EINVAL, wc.trap_id = 1);
	EXPECT(-EINVAL, (wc.op = AMDGPUDBG_WAVEOP_TRAP, wc.trap_id = 16));
	EXPECT(-EINVAL, wc.flags = AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF);
	EXPECT(-EAGAIN, wc.op = AMDGPUDBG_WAVEOP_STEP);
	EXPECT(-EINVAL, (wc.op = AMDGPUDBG_WAVEOP_STEP,
			 wc.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			 memset(&wc.at, 0, sizeof(wc.at))));
	EXPECT(-EINVAL, wc.pc = 4);
	EXPECT(-EINVAL, (wc.op = AMDGPUDBG_WAVEOP_RESUME,
			 wc.flags = AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED));
	EXPECT(-EINVAL, (wc.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			 wc.at.wgp = 1));
	EXPECT(-EINVAL, (wc.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			 memset(&wc.at, 0, sizeof(wc.at)),
			 wc.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC));
	EXPECT(-EINVAL, (wc.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU,
			 wc.at.simd = 0, wc.at.wave = 1));
	EXPECT(-ENXIO, wc.at.xcc = 1);
	EXPECT(-ENXIO, wc.at.se = 64);
	EXPECT(-ENXIO, wc.at.sa = 64);
	EXPECT(-ENXIO, wc.at.wgp = 64);
	EXPECT(-ENXIO, wc.at.simd = 4);
	EXPECT(-ENXIO, wc.at.wave = 32);
	EXPECT(-ENXIO, wc.at.wave = 0xffff);
#undef EXPECT
	assert_none_halted();
}

static void reg_arguments_are_checked(void **state)
{
	struct amdgpudbg_reg_access regs;
	unsigned int count;

	(void)state;
	assert_int_equal(list_waves(&count), 0);
	memset(values, 0, sizeof(values));
#define EXPECT(err, change) do { \
	memset(&regs, 0, sizeof(regs)); \
	regs.size = sizeof(regs); \
	fill_regs(&regs); \
	change; \
	assert_int_equal(call(AMDGPUDBG_IOC_REG_ACCESS, &regs), err); \
} while (0)
#define RANGE(s, f, c, l, n) \
	(ranges[0] = (struct amdgpudbg_reg_range){ \
		.space = s, .first = f, .count = c, .first_lane = l, \
		.num_lanes = n, \
	}, regs.num_values = (c) * ((n) ? (n) : 1))
	EXPECT(0, (void)regs);
	assert_int_equal(regs.num_done, 2);
	assert_true(values[0] & 1 << 16 /* STATUS.VALID */);
	EXPECT(-EOPNOTSUPP, regs.flags = 1U << 3);
	EXPECT(-EOPNOTSUPP, regs.flags = 1U << 31);
	EXPECT(-EINVAL, regs.flags = AMDGPUDBG_REG_ACCESS_COMPARE);
	EXPECT(-EINVAL, regs.compare = (uintptr_t)values);
	EXPECT(-EINVAL, (regs.flags = AMDGPUDBG_REG_ACCESS_WRITE,
			 regs.compare = (uintptr_t)values));
	EXPECT(-EINVAL, regs.pc = 4);
	EXPECT(-EINVAL, regs.vmid = 16);
	EXPECT(-EINVAL, regs.at.__reserved = 1);
	EXPECT(-EINVAL, regs.num_ranges = 0);
	EXPECT(-EINVAL, regs.num_ranges = AMDGPUDBG_REG_RANGES_MAX + 1);
	EXPECT(-EINVAL, regs.num_ranges = 0xffffffff);
	EXPECT(-EINVAL, regs.num_values = 0);
	EXPECT(-EINVAL, regs.num_values = 1);
	EXPECT(-EINVAL, regs.num_values = 3);
	EXPECT(-EINVAL, regs.num_values = AMDGPUDBG_REG_VALUES_MAX + 1);
	EXPECT(-EINVAL, ranges[0].__reserved = 1);
	EXPECT(-EINVAL, RANGE(4, 0, 1, 0, 0));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_SGPR, 107, 2, 0, 0));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_SGPR, 108, 1, 0, 0));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_SGPR, 0xffffffff, 1, 0, 0));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_SGPR, 0xffffffff, 2, 0, 0));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_SGPR, 0, 1, 1, 0));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_SGPR, 0, 1, 0, 1));
	EXPECT(-EINVAL, (RANGE(AMDGPUDBG_REG_SGPR, 0, 0, 0, 0),
			 regs.num_values = 1));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_TTMP, 16, 1, 0, 0));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_VGPR, 256, 1, 0, 1));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_VGPR, 0, 1, 64, 1));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_VGPR, 0, 1, 0xffffffff, 2));
	EXPECT(-EINVAL, (RANGE(AMDGPUDBG_REG_VGPR, 0, 1, 0, 0),
			 regs.num_values = 1));
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_HW, AMDGPUDBG_NUM_HWREGS, 1, 0, 0));
	EXPECT(-EINVAL, (RANGE(AMDGPUDBG_REG_HW, 0, 0x80000001, 0, 0),
			 regs.num_values = 2));
	EXPECT(-EFAULT, regs.ranges = 0);
	EXPECT(-EFAULT, regs.ranges = (uintptr_t)fence - 8);
	EXPECT(-EFAULT, regs.values = (uintptr_t)fence - 4);
	EXPECT(-EFAULT, (regs.flags = AMDGPUDBG_REG_ACCESS_WRITE,
			 regs.values = (uintptr_t)fence));
	EXPECT(-EFAULT, (regs.flags = AMDGPUDBG_REG_ACCESS_WRITE |
				      AMDGPUDBG_REG_ACCESS_COMPARE,
			 regs.compare = (uintptr_t)fence - 4));
	EXPECT(-ENXIO, regs.at.se = 64);
	EXPECT(-ENXIO, regs.at.wave = 32);
	EXPECT(-ESTALE, regs.vmid = waves[0].vmid % 15 + 1);
	EXPECT(-ESTALE, (regs.flags = AMDGPUDBG_REG_ACCESS_EXPECT_PC,
			 regs.pc = 0x123456789000));
	EXPECT(-ENODATA, regs.at.wave = 15);
	/* Not halted. */
	EXPECT(-EAGAIN, RANGE(AMDGPUDBG_REG_SGPR, 0, 8, 0, 0));
	EXPECT(-EAGAIN, RANGE(AMDGPUDBG_REG_VGPR, 0, 1, 0, 8));
	EXPECT(-EAGAIN, (RANGE(AMDGPUDBG_REG_HW, AMDGPUDBG_HWREG_M0, 1, 0, 0),
			 regs.flags = AMDGPUDBG_REG_ACCESS_WRITE));
	/* Not to be written. */
	EXPECT(-EOPNOTSUPP, (RANGE(AMDGPUDBG_REG_HW, AMDGPUDBG_HWREG_HW_ID1, 1,
				   0, 0),
			     regs.flags = AMDGPUDBG_REG_ACCESS_WRITE));
#undef RANGE
#undef EXPECT
	assert_none_halted();
}

static void batch_arguments_are_checked(void **state)
{
	struct amdgpudbg_wave_batch batch;

	(void)state;
#define EXPECT(err, change) do { \
	memset(&batch, 0, sizeof(batch)); \
	batch.size = sizeof(batch); \
	fill_batch(&batch); \
	batch_op.control.op = AMDGPUDBG_WAVEOP_HALT; \
	change; \
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_BATCH, &batch), err); \
} while (0)
	EXPECT(-EOPNOTSUPP, batch.flags = 2);
	EXPECT(-EINVAL, batch.__reserved = 1);
	EXPECT(-EINVAL, batch.count = 0);
	EXPECT(-EINVAL, batch.count = AMDGPUDBG_WAVE_BATCH_MAX + 1);
	EXPECT(-EINVAL, batch.entry_size = 0);
	EXPECT(-EINVAL, batch.entry_size -= 8);
	EXPECT(-EINVAL, batch.entry_size += 8);
	EXPECT(-EINVAL, batch.entry_size = 0xfffffff8);
	EXPECT(-EINVAL, batch_op.control.size -= 8);
	EXPECT(-EINVAL, batch_op.control.size += 8);
	EXPECT(-EINVAL, batch_op.control.size = 0);
	EXPECT(-EINVAL, batch_op.__reserved = 1);
	EXPECT(-EINVAL, batch_op.control.vmid = 0);
	EXPECT(-EINVAL, batch_op.control.vmid = 16);
	EXPECT(-EOPNOTSUPP, batch_op.control.op = 0);
	EXPECT(-EFAULT, batch.ops = 0);
	EXPECT(-EFAULT, batch.ops = (uintptr_t)fence);
	EXPECT(-EFAULT, batch.ops = UINT64_MAX - 8);
	/* The second one lies behind the fence. */
	EXPECT(-EFAULT, (batch.count = 2,
			 memcpy(fence - sizeof(batch_op), &batch_op,
				sizeof(batch_op)),
			 batch.ops = (uintptr_t)fence - sizeof(batch_op)));
#undef EXPECT
	assert_none_halted();
}

static void batch_without_room_for_the_answer_changes_nothing(void **state)
{
	struct amdgpudbg_wave_batch batch = { .size = sizeof(batch) };
	void *ro;

	(void)state;
	fill_batch(&batch);
	batch_op.control.op = AMDGPUDBG_WAVEOP_KILL;
	ro = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(ro, &batch_op, sizeof(batch_op));
	mprotect(ro, 4096, PROT_READ);
	batch.ops = (uintptr_t)ro;
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_BATCH, &batch), -EFAULT);
	munmap(ro, 4096);
	assert_none_halted();
}

/* Two operations of a caller whose structure has grown by 16 bytes. */
static void longer_operations_of_a_batch_work(void **state)
{
	struct {
		struct amdgpudbg_wave_control control;
		uint64_t newer[2];
		int32_t error;
		uint32_t reserved;
	} ops[2];
	struct amdgpudbg_wave_batch batch = {
		.size = sizeof(batch), .entry_size = sizeof(ops[0]),
		.count = 2, .ops = (uintptr_t)ops,
	};
	unsigned int i;

	(void)state;
	memset(ops, 0, sizeof(ops));
	for (i = 0; i < 2; i++) {
		fill_control(&ops[i].control);
		ops[i].control.size = sizeof(ops[0]) - 8;
		ops[i].error = 77;
	}
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_BATCH, &batch), 0);
	assert_int_equal(batch.done, 2);
	for (i = 0; i < 2; i++) {
		assert_int_equal(ops[i].error, 0);
		assert_int_equal(ops[i].control.matched, ITEMS / 32);
	}
	ops[1].newer[1] = 1;
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_BATCH, &batch), -E2BIG);
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
	wc = single(AMDGPUDBG_WAVEOP_RESUME);
	wc.size = sizeof(wc);
	assert_int_equal(ioctl(other, AMDGPUDBG_IOC_WAVE_CONTROL, &wc), -1);
	assert_int_equal(errno, EBUSY);
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
		cmocka_unit_test(list_arguments_are_checked),
		cmocka_unit_test(list_tells_the_needed_count),
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
