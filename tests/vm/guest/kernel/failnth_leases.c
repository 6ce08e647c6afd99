// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls in which faults are injected: memory, trap handlers, watches, launch mode, events, and
 * the end of a session that has all of these.
 */
#include "array_size.h"
#include "failnth_case.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096

/* ------------------------------------------------------------------- memory */

struct buffer {
	uint32_t id;
	uint64_t va;
};

static struct buffer buffer, other;

static int alloc(struct buffer *b, uint32_t flags, uint64_t bytes)
{
	struct amdgpudbg_mem_alloc m = {
		.size = sizeof(m), .flags = flags, .bytes = bytes,
	};
	int ret = do_ioctl(AMDGPUDBG_IOC_MEM_ALLOC, &m);

	if (!ret)
		*b = (struct buffer){ .id = m.id, .va = m.va };
	return ret;
}

static int alloc_page(void)
{
	return alloc(&buffer, 0, PAGE);
}

static int alloc_large(void)
{
	return alloc(&buffer,
		     AMDGPUDBG_MEM_ALLOC_EXEC | AMDGPUDBG_MEM_ALLOC_UNCACHED,
		     64 * PAGE);
}

static int free_buffer(void)
{
	struct amdgpudbg_mem_free m = { .size = sizeof(m), .id = buffer.id };

	return do_ioctl(AMDGPUDBG_IOC_MEM_FREE, &m);
}

/* More than a page, so that the module's own copy is not one allocation. */
static uint32_t data[4 * PAGE / sizeof(uint32_t)];

static int copy(uint32_t flags)
{
	struct amdgpudbg_mem_copy m = {
		.size = sizeof(m), .flags = flags, .id = buffer.id,
		.bytes = sizeof(data), .data = (uintptr_t)data,
	};

	return do_ioctl(AMDGPUDBG_IOC_MEM_COPY, &m);
}

static int write_value(uint32_t value)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(data); i++)
		data[i] = value;
	return copy(AMDGPUDBG_MEM_COPY_WRITE);
}

static int write_ones(void)
{
	return write_value(1);
}

static int write_twos(void)
{
	return write_value(2);
}

static int read_back(void)
{
	memset(data, 0, sizeof(data));
	return copy(0);
}

/* The same of its address, and in pieces of the module's size */
static int access_vm(uint32_t flags)
{
	struct amdgpudbg_vm_access a = {
		.size = sizeof(a), .flags = flags, .va = buffer.va,
		.bytes = sizeof(data), .data = (uintptr_t)data,
	};

	return do_ioctl(AMDGPUDBG_IOC_VM_ACCESS, &a);
}

static int write_threes_by_address(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(data); i++)
		data[i] = 3;
	return access_vm(AMDGPUDBG_VM_ACCESS_WRITE);
}

static int read_by_address(void)
{
	memset(data, 0, sizeof(data));
	return access_vm(0);
}

static int list_jobs(void)
{
	static struct amdgpudbg_job jobs[16];
	static struct amdgpudbg_ib ibs[64];
	struct amdgpudbg_job_list l = {
		.size = sizeof(l), .entry_size = sizeof(jobs[0]),
		.capacity = ARRAY_SIZE(jobs), .jobs = (uintptr_t)jobs,
		.ib_capacity = ARRAY_SIZE(ibs), .ibs = (uintptr_t)ibs,
	};

	return do_ioctl(AMDGPUDBG_IOC_JOB_LIST, &l);
}

static int list_mappings(void)
{
	static struct amdgpudbg_mapping mappings[64];
	struct amdgpudbg_vm_list l = {
		.size = sizeof(l), .entry_size = sizeof(mappings[0]),
		.capacity = ARRAY_SIZE(mappings),
		.mappings = (uintptr_t)mappings,
	};

	return do_ioctl(AMDGPUDBG_IOC_VM_LIST, &l);
}

/* The same value from one end to the other, or 0 */
static uint64_t contents(void)
{
	uint64_t value;
	size_t i;

	if (read_back())
		return UINT64_MAX;
	value = data[0];
	for (i = 0; i < ARRAY_SIZE(data); i++)
		if (data[i] != value)
			return 0;
	return value;
}

static int alloc_ones(void)
{
	int ret = alloc_large();

	return ret ? ret : write_ones();
}

/* Part of it, so that there is no other value for all. */
static int patch(void)
{
	uint32_t value = 7;
	struct amdgpudbg_vm_access a = {
		.size = sizeof(a), .va = buffer.va + 8, .bytes = 4,
		.flags = AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH,
		.data = (uintptr_t)&value,
	};

	return do_ioctl(AMDGPUDBG_IOC_VM_ACCESS, &a);
}

static int unpatch(void)
{
	struct amdgpudbg_vm_access a = {
		.size = sizeof(a), .va = buffer.va + 8, .bytes = 4,
		.flags = AMDGPUDBG_VM_ACCESS_UNPATCH,
	};

	return do_ioctl(AMDGPUDBG_IOC_VM_ACCESS, &a);
}

static int alloc_and_patch(void)
{
	int ret = alloc_ones();

	return ret ? ret : patch();
}

static int read_ones(void)
{
	int ret = read_back();

	return !ret && data[ARRAY_SIZE(data) - 1] != 1 ? -EIO : ret;
}

/* ------------------------------------------------------------ trap handlers */

/* s_rfe_b64 [ttmp0, ttmp1] on gfx10 (llvm-mc 19): no wave comes here */
#define S_RFE 0xbe80226c

static int handler(uint64_t tba, uint64_t tma, uint32_t flags)
{
	struct amdgpudbg_trap_handler t = {
		.size = sizeof(t), .flags = flags, .tba = tba,
		.tba_size = tba ? 256 : 0, .tma = tma, .tma_size = tma ? 64 : 0,
	};

	return do_ioctl(AMDGPUDBG_IOC_TRAP_HANDLER, &t);
}

static int alloc_handlers(void)
{
	int ret = alloc(&other, 0, PAGE);

	if (!ret)
		ret = alloc(&buffer, AMDGPUDBG_MEM_ALLOC_EXEC, 8 * PAGE);
	return ret ? ret : write_value(S_RFE);
}

static int set_handler(void)
{
	return handler(buffer.va, other.va, 0);
}

static int set_other_handler(void)
{
	return handler(buffer.va + PAGE, 0, 0);
}

static int clear_handler(void)
{
	return handler(0, 0, AMDGPUDBG_TRAP_HANDLER_CLEAR);
}

static int alloc_and_set(void)
{
	int ret = alloc_handlers();

	return ret ? ret : set_handler();
}

/* ------------------------------------------------------------------ watches */

static uint32_t watch_id;

static int watch(uint32_t flags, uint64_t bytes, uint64_t mask)
{
	struct amdgpudbg_watch_set w = {
		.size = sizeof(w), .flags = flags, .mode = AMDGPUDBG_WATCH_ALL,
		.address = 0x600000000000, .bytes = bytes, .mask = mask,
	};
	int ret = do_ioctl(AMDGPUDBG_IOC_WATCH_SET, &w);

	if (!ret)
		watch_id = w.id;
	return ret;
}

static int watch_bytes(void)
{
	return watch(0, PAGE, 0);
}

static int watch_mask(void)
{
	return watch(AMDGPUDBG_WATCH_SET_MASK, 0, ~(uint64_t)(PAGE - 1));
}

static int clear_watch(void)
{
	struct amdgpudbg_watch_clear w = { .size = sizeof(w), .id = watch_id };

	return do_ioctl(AMDGPUDBG_IOC_WATCH_CLEAR, &w);
}

/* ------------------------------------------------------------------- launch */

static int launch(uint32_t mode, uint32_t flags, uint64_t excp_mask)
{
	struct amdgpudbg_launch_set l = {
		.size = sizeof(l), .flags = flags, .mode = mode,
		.excp_mask = excp_mask,
	};

	return do_ioctl(AMDGPUDBG_IOC_LAUNCH_SET, &l);
}

static int launch_halted(void)
{
	return launch(AMDGPUDBG_LAUNCH_HALT, 0, 0);
}

static int launch_debug(void)
{
	return launch(AMDGPUDBG_LAUNCH_DEBUG, AMDGPUDBG_LAUNCH_SET_EXCP,
		      AMDGPUDBG_CAUSE_MEM_VIOL | AMDGPUDBG_CAUSE_WATCH);
}

static int launch_stalled(void)
{
	return launch(AMDGPUDBG_LAUNCH_NORMAL, AMDGPUDBG_LAUNCH_SET_STALL, 0);
}

static int launch_normal(void)
{
	return launch(AMDGPUDBG_LAUNCH_NORMAL, 0, 0);
}

/* ------------------------------------------------------------------- events */

static int enable(uint32_t mask, uint32_t capacity)
{
	struct amdgpudbg_event_enable e = {
		.size = sizeof(e), .mask = mask, .capacity = capacity,
		.entry_size = mask ? sizeof(struct amdgpudbg_event) : 0,
	};

	return do_ioctl(AMDGPUDBG_IOC_EVENT_ENABLE, &e);
}

static int do_not_wait(void)
{
	return fcntl(world.session, F_SETFL, O_NONBLOCK) ? -errno : 0;
}

static int enable_some(void)
{
	return enable(1ULL << AMDGPUDBG_EVENT_WAVE, 0);
}

static int enable_fewer(void)
{
	return enable(1ULL << AMDGPUDBG_EVENT_WAVE, 1);
}

/* The first one, for whom the tracepoint begins to be listened to */
static int enable_jobs(void)
{
	return enable(1ULL << AMDGPUDBG_EVENT_JOB_BEGIN | 1ULL << AMDGPUDBG_EVENT_JOB_END, 0);
}

static int disable(void)
{
	return enable(0, 0);
}

static int prepare_enabled(void)
{
	int ret = do_not_wait();

	return ret ? ret : enable_some();
}

static struct amdgpudbg_event event;

static int read_event(void)
{
	ssize_t n = read(world.session, &event, sizeof(event));

	return n == sizeof(event) ? 0 : n < 0 ? -errno : -EIO;
}

/* -EAGAIN if events are enabled, -EINVAL if not */
static uint64_t why_no_event(void)
{
	return (uint64_t)read_event();
}

static int poll_event(int timeout_ms)
{
	struct pollfd p = { .fd = world.session, .events = POLLIN };
	int ret = poll(&p, 1, timeout_ms);

	if (ret < 0)
		return -errno;
	return ret == 1 && p.revents == POLLIN ? 0 : -ETIME;
}

static int poll_now(void)
{
	return poll_event(0);
}

static uint64_t is_there(void)
{
	return !poll_now();
}

#define DEADLINE_MS 60000

/* Each of the two waves sends a message; one of them stays to be read. */
static int make_event(void)
{
	int ret;

	if (system("compute -n 64 -m 1 message >/dev/null"))
		return -EIO;
	ret = poll_event(DEADLINE_MS);
	if (!ret)
		ret = read_event();
	return ret ? ret : poll_event(DEADLINE_MS);
}

static int prepare_event(void)
{
	int ret = prepare_enabled();

	return ret ? ret : make_event();
}

/* ----------------------------------------------------------- all of it ends */

/* The handler is nowhere else the next time. */
static int have_all(void)
{
	int ret = alloc_handlers();

	if (!ret)
		ret = handler(world.self.data, world.self.data + PAGE, 0);
	if (!ret)
		ret = enable_some();
	if (!ret)
		ret = watch_bytes();
	if (!ret)
		ret = watch_mask();
	return ret ? ret : launch_debug();
}

static int open_again(void)
{
	world.session = self_session(&world.self, true);
	return world.session < 0 ? world.session : have_all();
}

static int close_session(void)
{
	return close(world.session) ? -errno : 0;
}

static int halt_all(void)
{
	return control(AMDGPUDBG_WAVEOP_HALT,
		       AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, 0, 0);
}

static int debug_all(void)
{
	return control(AMDGPUDBG_WAVEOP_DEBUG,
		       AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, 0, 0);
}

static int halt_and_debug(void)
{
	int ret = debug_all();

	return ret ? ret : halt_all();
}

static int open_and_halt(void)
{
	world.session = self_session(&world.self, false);
	return world.session < 0 ? world.session : halt_and_debug();
}

/* -------------------------------------------------------------------- table */

#define CHANGES .changes = true
#define LATE .late = true
#define RESERVES .reserves = true

/* They lie in the VMID that is reserved for the session's target. */
#define LEASE(_name, _call, _run, _undo, ...)				\
	{ _name, _call, .scope = OURSELVES, .run = _run, .undo = _undo,	\
	  CHANGES, __VA_ARGS__ }

const struct fault_case lease_cases[] = {
	{ "allocate a page", CALL_MEM_ALLOC, .scope = OURSELVES,
	  .run = alloc_page, .undo = free_buffer, CHANGES },
	{ "allocate code", CALL_MEM_ALLOC, .scope = OURSELVES,
	  .run = alloc_large, .undo = free_buffer, CHANGES },
	{ "free", CALL_MEM_FREE, .scope = OURSELVES, .set_up = alloc_large,
	  .run = free_buffer, .undo = alloc_large, .take_down = free_buffer,
	  CHANGES, LATE },
	/* After -EFAULT, what it wrote stays. */
	{ "write to memory", CALL_MEM_COPY, .scope = OURSELVES,
	  .set_up = alloc_ones, .run = write_twos, .undo = write_ones,
	  .probe = contents, CHANGES, LATE },
	{ "read memory", CALL_MEM_COPY, .scope = OURSELVES,
	  .set_up = alloc_ones, .run = read_ones, .probe = contents },

	{ "write by address", CALL_VM_ACCESS, .scope = OURSELVES,
	  .set_up = alloc_ones, .run = write_threes_by_address,
	  .undo = write_ones, .probe = contents, CHANGES, LATE },
	{ "read by address", CALL_VM_ACCESS, .scope = OURSELVES,
	  .set_up = alloc_ones, .run = read_by_address, .probe = contents },
	{ "patch", CALL_VM_ACCESS, .scope = OURSELVES, .set_up = alloc_ones,
	  .run = patch, .undo = unpatch, .probe = contents, CHANGES, LATE },
	{ "take a patch out", CALL_VM_ACCESS, .scope = OURSELVES,
	  .set_up = alloc_and_patch, .run = unpatch, .undo = patch,
	  .probe = contents, CHANGES, LATE },
	{ "list mappings", CALL_VM_LIST, .scope = OURSELVES,
	  .set_up = alloc_ones, .run = list_mappings, .probe = contents },
	{ "list jobs", CALL_JOB_LIST, .scope = THE_VICTIM, .run = list_jobs },

	LEASE("set a trap handler", CALL_TRAP_HANDLER, set_handler,
	      clear_handler, .set_up = alloc_handlers, LATE, RESERVES),
	LEASE("replace a trap handler", CALL_TRAP_HANDLER, set_other_handler,
	      set_handler, .set_up = alloc_and_set, LATE),
	LEASE("clear a trap handler", CALL_TRAP_HANDLER, clear_handler,
	      set_handler, .set_up = alloc_and_set, LATE),

	LEASE("set a watch", CALL_WATCH_SET, watch_bytes, clear_watch,
	      RESERVES),
	LEASE("set a second watch", CALL_WATCH_SET, watch_mask, clear_watch,
	      .set_up = watch_bytes),
	LEASE("clear a watch", CALL_WATCH_CLEAR, clear_watch, watch_bytes,
	      .set_up = watch_bytes, LATE),

	LEASE("start waves halted", CALL_LAUNCH_SET, launch_halted,
	      launch_normal, LATE, RESERVES),
	LEASE("start waves in debug mode", CALL_LAUNCH_SET, launch_debug,
	      launch_normal, LATE, RESERVES),
	LEASE("start no waves", CALL_LAUNCH_SET, launch_stalled,
	      launch_normal, LATE, RESERVES),
	LEASE("start waves another way", CALL_LAUNCH_SET, launch_debug,
	      launch_halted, .set_up = launch_halted, LATE),
	LEASE("start waves as before", CALL_LAUNCH_SET, launch_normal,
	      launch_stalled, .set_up = launch_stalled, LATE),

	{ "enable events", CALL_EVENT_ENABLE, .scope = WHOLE_GPU,
	  .set_up = do_not_wait, .run = enable_some, .undo = disable,
	  .probe = why_no_event, CHANGES, LATE },
	{ "enable events of jobs", CALL_EVENT_ENABLE, .scope = WHOLE_GPU,
	  .set_up = do_not_wait, .run = enable_jobs, .undo = disable,
	  .probe = why_no_event, CHANGES, LATE },
	{ "enable events, a smaller queue", CALL_EVENT_ENABLE,
	  .scope = THE_VICTIM, .set_up = prepare_enabled,
	  .run = enable_fewer, .undo = enable_some, .probe = why_no_event },
	{ "disable events", CALL_EVENT_ENABLE, .scope = THE_VICTIM,
	  .set_up = prepare_enabled, .run = disable, .undo = enable_some,
	  .probe = why_no_event, CHANGES, LATE },
	{ "read an event", CALL_READ, .scope = WHOLE_GPU,
	  .set_up = prepare_event, .run = read_event, .undo = make_event,
	  .probe = is_there, CHANGES },
	/* What is polled for is the caller's memory, too. */
	{ "poll for an event", CALL_POLL, .also = EFAULT, .scope = WHOLE_GPU,
	  .set_up = prepare_event, .run = poll_now, .probe = is_there },

	{ "close a session with watches, handler, and launch mode", CALL_CLOSE,
	  .scope = OURSELVES, .set_up = have_all, .run = close_session,
	  .undo = open_again, CHANGES },
	{ "close a session with halted waves", CALL_CLOSE,
	  .scope = WHOLE_GPU, .set_up = halt_and_debug,
	  .run = close_session, .undo = open_and_halt, CHANGES },
};

const unsigned int num_lease_cases = ARRAY_SIZE(lease_cases);
