// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The thief: see theft.h.
 */
#define _GNU_SOURCE
#include "theft.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpu_drm.h>
#include <xf86drm.h>

#include "self.h"
#include "trap_prog.h"
#include "until.h"

#define RENDER "/dev/dri/renderD128"
#define PAGE 4096
/* Unlike what the program's own s_trap gives, see traps.cl */
#define STOLEN 1000
#define GRANULE_1G (1ull << 30)

const struct kind kinds[] = {
	{ "launch halted", .mode = AMDGPUDBG_LAUNCH_HALT, .result = NOT_TRIED },
	{ "launch in debug mode", .mode = AMDGPUDBG_LAUNCH_DEBUG },
	{ "launch with exceptions", .flags = AMDGPUDBG_LAUNCH_SET_EXCP,
	  .excp = AMDGPUDBG_CAUSE_WATCH },
	{ "stall", .flags = AMDGPUDBG_LAUNCH_SET_STALL, .result = NOT_TRIED },
	{ "watch", .watch = true },
	{ "handler", .handler = true, .result = -EIO },
	{ "handler that victims have mapped", .handler = true, .gift = true,
	  .result = -EIO },
	/* It would skip what it traps at. */
	{ "handler that victims have mapped, debug mode", .handler = true,
	  .gift = true, .mode = AMDGPUDBG_LAUNCH_DEBUG, .result = NOT_TRIED },
};

const unsigned int num_kinds = ARRAY_SIZE(kinds);

/* It puts what its memory holds into s40. */
static const uint32_t handler_code[] = {
#include "handler.inc"
};

static int session = -1;
/* Of the handler that is set, if one is */
static struct amdgpudbg_mem_alloc code, data;
static uint32_t watch_id;

static const struct vgpu_reg_at registers[] = {
	{ .name = "SPI_GDBG_WAVE_CNTL" },
	{ .name = "SPI_GDBG_WAVE_CNTL2" },
	{ .name = "SPI_GDBG_TRAP_MASK" },
	{ .name = "TCP_WATCH0_CNTL" }, { .name = "TCP_WATCH1_CNTL" },
	{ .name = "TCP_WATCH2_CNTL" }, { .name = "TCP_WATCH3_CNTL" },
	{ .name = "SQ_WATCH0_CNTL" }, { .name = "SQ_WATCH1_CNTL" },
	{ .name = "SQ_WATCH2_CNTL" }, { .name = "SQ_WATCH3_CNTL" },
#define VMID(n) \
	{ .name = "SQ_SHADER_TBA_LO", .vmid = (n) }, \
	{ .name = "SQ_SHADER_TBA_HI", .vmid = (n) }, \
	{ .name = "SQ_SHADER_TMA_LO", .vmid = (n) }
	VMID(1), VMID(2), VMID(3), VMID(4), VMID(5), VMID(6), VMID(7),
#undef VMID
};

static uint32_t before[ARRAY_SIZE(registers)];

/* A buffer as any program makes it, which holds the handler and its data. */
int gift_make(void)
{
	union drm_amdgpu_gem_create create = { .in = {
		.bo_size = 2 * PAGE, .alignment = PAGE,
		.domains = AMDGPU_GEM_DOMAIN_GTT,
	} };
	int drm = open(RENDER, O_RDWR | O_CLOEXEC), fd = -1;
	uint32_t value = STOLEN;
	char *page;

	if (drm < 0)
		return -errno;
	if (drmIoctl(drm, DRM_IOCTL_AMDGPU_GEM_CREATE, &create) ||
	    drmPrimeHandleToFD(drm, create.out.handle, DRM_CLOEXEC | DRM_RDWR,
			       &fd))
		return -errno;
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	memcpy(page, handler_code, sizeof(handler_code));
	memcpy(page + PAGE, &value, sizeof(value));
	munmap(page, 2 * PAGE);
	close(drm);
	return fd;
}

int thief_set_up(void)
{
	vgpu_regs(registers, ARRAY_SIZE(registers), before);
	return 0;
}

int thief_session(void)
{
	return session;
}

/* The target's DRM file is duplicated for this moment only. */
int thief_opens(void)
{
	struct amdgpudbg_target_set set = { .size = sizeof(set) };
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	set.pidfd = pidfd_open(target.pid, 0);
	set.drm_fd = pidfd_getfd(set.pidfd, target.drm_fd, 0);
	assert_true(set.drm_fd >= 0);
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_TARGET_SET, &set), 0);
	close(set.drm_fd);
	close(set.pidfd);
	return fd;
}

void thief_begins(void)
{
	thief_ends();
	be(USER, true);
	session = thief_opens();
	be(ROOT, true);
	memset(&code, 0, sizeof(code));
}

void thief_ends(void)
{
	if (session >= 0)
		close(session);
	session = -1;
}

static int set_handler_of(uint32_t *vmid)
{
	uint32_t value = STOLEN;
	int ret = 0;

	if (!code.va) {
		ret = mem_alloc(session, &code, AMDGPUDBG_MEM_ALLOC_EXEC, PAGE);
		if (!ret)
			ret = mem_alloc(session, &data,
					AMDGPUDBG_MEM_ALLOC_UNCACHED, PAGE);
		if (!ret)
			ret = mem_write(session, code.id, 0, handler_code,
					sizeof(handler_code));
		if (!ret)
			ret = mem_write(session, data.id, 0, &value,
					sizeof(value));
		/* No buffer is no test. */
		assert_int_equal(ret, 0);
	}
	return set_handler(session, code.va, code.bytes, data.va, data.bytes,
			   vmid);
}

int thief_watches(int fd, uint32_t *vmid, uint32_t *id)
{
	struct amdgpudbg_watch_set args = {
		.size = sizeof(args), .mode = AMDGPUDBG_WATCH_ALL,
		.address = target.memory & ~(GRANULE_1G - 1),
		.bytes = GRANULE_1G,
	};
	int ret = self_call(fd, AMDGPUDBG_IOC_WATCH_SET, &args);

	*vmid = args.vmid;
	*id = args.id;
	return ret;
}

int thief_clears_watch(int fd, uint32_t id)
{
	struct amdgpudbg_watch_clear args = {
		.size = sizeof(args), .id = id,
	};

	return self_call(fd, AMDGPUDBG_IOC_WATCH_CLEAR, &args);
}

static bool has_launch(const struct kind *kind)
{
	return kind->flags || kind->mode;
}

static int launch(int fd, uint32_t flags, uint32_t mode, uint64_t excp,
		  uint32_t *vmid)
{
	struct amdgpudbg_launch_set args = {
		.size = sizeof(args), .flags = flags, .mode = mode,
		.excp_mask = excp,
	};
	int ret = self_call(fd, AMDGPUDBG_IOC_LAUNCH_SET, &args);

	if (vmid)
		*vmid = args.vmid;
	return ret;
}

int thief_launches(int fd, uint32_t mode, uint32_t *vmid)
{
	return launch(fd, 0, mode, 0, vmid);
}

int grab(const struct kind *kind, uint32_t *vmid)
{
	int ret = 0;

	*vmid = 0;
	be(USER, true);
	if (kind->handler)
		ret = set_handler_of(vmid);
	if (!ret && kind->watch)
		ret = thief_watches(session, vmid, &watch_id);
	if (!ret && has_launch(kind))
		ret = launch(session, kind->flags, kind->mode, kind->excp,
			     vmid);
	be(ROOT, true);
	return ret;
}

void release(const struct kind *kind)
{
	be(USER, true);
	if (has_launch(kind))
		thief_launches(session, AMDGPUDBG_LAUNCH_NORMAL, NULL);
	if (kind->watch)
		thief_clears_watch(session, watch_id);
	if (kind->handler)
		clear_handler(session);
	be(ROOT, true);
}

bool can_begin(void *arg)
{
	int ret;

	(void)arg;
	be(USER, true);
	ret = thief_launches(session, AMDGPUDBG_LAUNCH_NORMAL, NULL);
	be(ROOT, true);
	return !ret;
}

void give(const struct kind *kind)
{
	if (!kind->gift)
		return;
	for (int i = 0; i < NUM_VICTIMS; i++) {
		assert_int_equal(actor_call(&victims[i], ACTOR_MAP, code.va),
				 0);
		assert_int_equal(actor_call(&victims[i], ACTOR_MAP_DATA,
					    data.va), 0);
	}
}

void take_gifts_back(const struct kind *kind)
{
	if (!kind->gift)
		return;
	for (int i = 0; i < NUM_VICTIMS; i++) {
		actor_call(&victims[i], ACTOR_UNMAP, code.va);
		actor_call(&victims[i], ACTOR_UNMAP, data.va);
	}
}

static bool are_as_before(void *arg)
{
	uint32_t now[ARRAY_SIZE(registers)];

	(void)arg;
	vgpu_regs(registers, ARRAY_SIZE(registers), now);
	return !memcmp(now, before, sizeof(before));
}

void assert_registers_are_as_before(void)
{
	uint32_t now[ARRAY_SIZE(registers)];

	if (until(are_as_before, NULL, 60))
		return;
	vgpu_regs(registers, ARRAY_SIZE(registers), now);
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		if (now[i] != before[i])
			fail_msg("%s of VMID %u is %#x, not %#x",
				 registers[i].name, registers[i].vmid, now[i],
				 before[i]);
}

void assert_gone(const struct kind *kind)
{
	be(USER, true);
	if (kind->watch)
		assert_int_equal(thief_clears_watch(session, watch_id),
				 -ENOENT);
	if (kind->handler)
		assert_int_equal(clear_handler(session), -ENOENT);
	be(ROOT, true);
	assert_registers_are_as_before();
}
