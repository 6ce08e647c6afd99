// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AMDGPUDBG_IOC_WATCH_SET and _CLEAR with accesses of real waves. A wave without a trap
 * handler continues after a hit, which is then shown by its TRAPSTS.
 */
#include <errno.h>
#include <libgen.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "busy.h"
#include "child.h"
#include "regs2.h"
#include "self.h"
#include "victim.h"

#define NUM_WATCHES	4
#define GRANULE		128

/* TCP_WATCH0_CNTL, gc_10_3_0_offset.h of Linux 6.1, from GC's segment 0 */
#define GC_SEGMENT_0		0x1260
#define TCP_WATCH_ADDR_H(id)	(GC_SEGMENT_0 + 0x2040 + 3 * (id))
#define TCP_WATCH_CNTL(id)	(GC_SEGMENT_0 + 0x2042 + 3 * (id))
#define CNTL_VALID		(1u << 31)
#define CNTL_VMID(vmid)		((vmid) << 24)

static struct self self;
static struct amdgpudbg_wave waves[SELF_WAVES];
static const char *debugfs;

static const char *const registers[] = {
	"TCP_WATCH0_ADDR_H", "TCP_WATCH0_ADDR_L", "TCP_WATCH0_CNTL",
	"TCP_WATCH1_ADDR_H", "TCP_WATCH1_ADDR_L", "TCP_WATCH1_CNTL",
	"TCP_WATCH2_ADDR_H", "TCP_WATCH2_ADDR_L", "TCP_WATCH2_CNTL",
	"TCP_WATCH3_ADDR_H", "TCP_WATCH3_ADDR_L", "TCP_WATCH3_CNTL",
	"SQ_WATCH0_ADDR_H", "SQ_WATCH0_ADDR_L", "SQ_WATCH0_CNTL",
	"SQ_WATCH1_ADDR_H", "SQ_WATCH1_ADDR_L", "SQ_WATCH1_CNTL",
	"SQ_WATCH2_ADDR_H", "SQ_WATCH2_ADDR_L", "SQ_WATCH2_CNTL",
	"SQ_WATCH3_ADDR_H", "SQ_WATCH3_ADDR_L", "SQ_WATCH3_CNTL",
};

static uint32_t before[ARRAY_SIZE(registers)];

/* SQ_WAVE_TRAPSTS: EXCP.ADDR_WATCH0 and EXCP_HI, one bit per watch */
static uint32_t hits_of(uint32_t trapsts)
{
	return (trapsts >> 7 & 1) | (trapsts >> 12 & 7) << 1;
}

static struct amdgpudbg_watch_set watch(uint32_t mode, uint64_t address,
					uint64_t bytes)
{
	return (struct amdgpudbg_watch_set){
		.size = sizeof(struct amdgpudbg_watch_set),
		.mode = mode, .address = address, .bytes = bytes,
	};
}

static struct amdgpudbg_watch_set masked(uint64_t address, uint64_t mask)
{
	return (struct amdgpudbg_watch_set){
		.size = sizeof(struct amdgpudbg_watch_set),
		.flags = AMDGPUDBG_WATCH_SET_MASK,
		.mode = AMDGPUDBG_WATCH_ALL, .address = address, .mask = mask,
	};
}

static int set(int session, struct amdgpudbg_watch_set *args)
{
	return self_call(session, AMDGPUDBG_IOC_WATCH_SET, args);
}

static int clear(int session, uint32_t id)
{
	struct amdgpudbg_watch_clear args = { .size = sizeof(args), .id = id };

	return self_call(session, AMDGPUDBG_IOC_WATCH_CLEAR, &args);
}

static void assert_registers_are_as_before(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registers); i++)
		assert_int_equal(vgpu_reg(registers[i]), before[i]);
}

/* Run a kernel that accesses a byte of in; which watches did its waves hit? */
static uint32_t touch(int session, const char *kernel, uint32_t offset)
{
	uint32_t hits;
	int i;

	assert_int_equal(self_start(&self, kernel, offset), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_list(session, waves), SELF_WAVES);
	hits = hits_of(HW(&waves[0], TRAPSTS));
	for (i = 1; i < SELF_WAVES; i++)
		assert_int_equal(hits_of(HW(&waves[i], TRAPSTS)), hits);
	assert_int_equal(self_finish(&self), 0);
	return hits;
}

static int set_up(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(registers); i++)
		before[i] = vgpu_reg(registers[i]);
	return self_open(&self);
}

static void arguments_are_checked(void **state)
{
	const uint64_t in = self.data;
	int session = self_session(&self, true);
	struct amdgpudbg_watch_set args;

	(void)state;
#define EXPECT(err, start, change) do { \
	args = start; \
	change; \
	assert_int_equal(set(session, &args), err); \
} while (0)
#define PLAIN watch(AMDGPUDBG_WATCH_READ, in, GRANULE)
#define MASKED masked(in, ~(uint64_t)(GRANULE - 1))
	EXPECT(-EOPNOTSUPP, PLAIN, args.flags = 2);
	EXPECT(-EINVAL, PLAIN, args.mode = 4);
	EXPECT(-EINVAL, PLAIN, args.bytes = 0);
	EXPECT(-EINVAL, PLAIN, args.bytes = GRANULE / 2);
	EXPECT(-EINVAL, PLAIN, args.bytes = 3 * GRANULE);
	EXPECT(-EINVAL, PLAIN, args.bytes = 1ull << 31);
	EXPECT(-EINVAL, PLAIN, args.bytes = 1ull << 63);
	EXPECT(-EINVAL, PLAIN, args.address += 4);
	EXPECT(-EINVAL, PLAIN, (args.address += GRANULE,
				args.bytes = 2 * GRANULE));
	EXPECT(-EINVAL, PLAIN, args.address = 1ull << 47 | 1ull << 60);
	EXPECT(-EINVAL, PLAIN, args.address = 1ull << 48);
	EXPECT(-EINVAL, PLAIN, args.mask = ~0ull);
	EXPECT(-EINVAL, MASKED, args.bytes = GRANULE);
	EXPECT(-EINVAL, MASKED, args.mask = ~0ull);
	EXPECT(-EINVAL, MASKED, args.mask &= ~(1ull << 30));
	EXPECT(-EINVAL, MASKED, args.mask &= ~(1ull << 47));
	EXPECT(-EINVAL, MASKED, (args.mask &= ~256ull, args.address |= 256));
#undef EXPECT
#undef PLAIN
#undef MASKED
	assert_int_equal(clear(session, 0), -ENOENT);
	assert_int_equal(clear(session, NUM_WATCHES), -ENOENT);
	assert_int_equal(clear(session, 0xffffffff), -ENOENT);
	assert_registers_are_as_before();
	close(session);
}

/* As a PC register has it, and as amdgpu's own interface has it. */
static void an_address_may_lack_its_sign(void **state)
{
	const uint64_t high = 0xffff800000000000 | self.data;
	uint32_t with_sign[ARRAY_SIZE(registers)];
	int session = self_session(&self, true);
	struct amdgpudbg_watch_set args;
	size_t i;

	(void)state;
	args = watch(AMDGPUDBG_WATCH_READ, high, GRANULE);
	assert_int_equal(set(session, &args), 0);
	for (i = 0; i < ARRAY_SIZE(registers); i++)
		with_sign[i] = vgpu_reg(registers[i]);
	assert_int_equal(clear(session, args.id), 0);
	args = watch(AMDGPUDBG_WATCH_READ, high & ((1ull << 48) - 1), GRANULE);
	assert_int_equal(set(session, &args), 0);
	for (i = 0; i < ARRAY_SIZE(registers); i++)
		assert_int_equal(vgpu_reg(registers[i]), with_sign[i]);
	assert_int_equal(clear(session, args.id), 0);
	assert_registers_are_as_before();
	close(session);
}

/* Each size and mask that it does not exclude is taken, and no other. */
static void watch_limits_are_reported_before_a_watch_is_set(void **state)
{
	int session = self_session(&self, true);
	struct amdgpudbg_info info = { .size = sizeof(info) };
	struct amdgpudbg_watch_set args;
	unsigned int bit;
	int ret, wanted;
	uint64_t one;
	uint32_t i;

	(void)state;
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_GET_INFO, &info), 0);
	/* ADDR_LOW and MASK of gfx10 begin with bit 7. */
	assert_int_equal(info.watch_granule, GRANULE);
	assert_int_equal(info.num_watch, NUM_WATCHES);
	for (bit = 0; bit < 64; bit++) {
		one = 1ull << bit;
		/* With all but this bit, and those that are too low */
		args = masked(0, ~(info.watch_granule - 1ull) & ~one);
		wanted = info.watch_mask_ones & one ? -EINVAL : 0;
		ret = set(session, &args);
		assert_int_equal(ret, wanted);
		if (!ret)
			assert_int_equal(clear(session, args.id), 0);
		/* At 0, which is a multiple of any size */
		args = watch(AMDGPUDBG_WATCH_ALL, 0, one);
		wanted = one < info.watch_granule ||
			 (info.watch_mask_ones & (one - 1)) ? -EINVAL : 0;
		ret = set(session, &args);
		assert_int_equal(ret, wanted);
		if (!ret)
			assert_int_equal(clear(session, args.id), 0);
	}
	for (i = 0; i < info.num_watch; i++) {
		args = watch(AMDGPUDBG_WATCH_ALL, self.data, GRANULE);
		assert_int_equal(set(session, &args), 0);
	}
	assert_int_equal(set(session, &args), -ENOSPC);
	close(session);
	assert_registers_are_as_before();
}

static void a_watch_without_a_target_is_refused(void **state)
{
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_ALL,
						self.data, GRANULE);
	int session = self_session(&self, false);

	(void)state;
	assert_int_equal(set(session, &args), -ENOTCONN);
	assert_registers_are_as_before();
	close(session);
}

static void each_mode_of_a_watch_hits_its_accesses(void **state)
{
	static const struct {
		const char *kernel;
		bool seen[4];	/* by READ, NONREAD, ATOMIC, ALL */
	} accesses[] = {
		{ "touch_read", { true, false, false, true } },
		{ "touch_scalar", { true, false, false, true } },
		{ "touch_write", { false, true, false, true } },
		{ "touch_atomic", { false, true, true, true } },
	};
	int session = self_session(&self, true);
	struct amdgpudbg_watch_set args;
	uint32_t mode;
	size_t i;

	(void)state;
	for (mode = 0; mode < 4; mode++) {
		args = watch(mode, self.data, GRANULE);
		assert_int_equal(set(session, &args), 0);
		assert_int_not_equal(args.vmid, 0);
		for (i = 0; i < ARRAY_SIZE(accesses); i++)
			assert_int_equal(touch(session, accesses[i].kernel, 4),
					 accesses[i].seen[mode] << args.id);
		assert_int_equal(waves[0].vmid, args.vmid);
		assert_int_equal(clear(session, args.id), 0);
		assert_registers_are_as_before();
	}
	assert_int_equal(touch(session, "touch_read", 4), 0);
	close(session);
}

static void each_size_of_a_watch_is_exact(void **state)
{
	static const uint64_t sizes[] = { GRANULE, 256, 4096, 65536, 1 << 18 };
	int session = self_session(&self, true);
	struct amdgpudbg_watch_set args;
	uint64_t begin;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		begin = 2 * sizes[i];
		args = watch(AMDGPUDBG_WATCH_ALL, self.data + begin,
			     sizes[i]);
		assert_int_equal(set(session, &args), 0);
#define HITS(at) touch(session, "touch_write", at)
		assert_int_equal(HITS(begin - 4), 0);
		assert_int_equal(HITS(begin), 1 << args.id);
		assert_int_equal(HITS(begin + sizes[i] - 4), 1 << args.id);
		assert_int_equal(HITS(begin + sizes[i]), 0);
#undef HITS
		assert_int_equal(clear(session, args.id), 0);
	}
	close(session);
}

static void a_mask_may_ignore_bits_in_the_middle(void **state)
{
	const uint64_t in = self.data;
	/* Every second granule of every fourth page. */
	struct amdgpudbg_watch_set args =
		masked(in + GRANULE, ~(uint64_t)(0xf00 | 0x3f000 | 0x7f));
	static const struct {
		uint32_t offset;
		bool hit;
	} accesses[] = {
		{ 0, false }, { GRANULE, true }, { 2 * GRANULE, false },
		{ 3 * GRANULE, true }, { 4096, false }, { 4096 + 128, true },
		{ 0x3ff80, true }, { 0x40080, false },
	};
	int session = self_session(&self, true);
	size_t i;

	(void)state;
	assert_int_equal(set(session, &args), 0);
	for (i = 0; i < ARRAY_SIZE(accesses); i++) {
		assert_int_equal(touch(session, "touch_read",
				       accesses[i].offset),
				 accesses[i].hit << args.id);
		assert_int_equal(touch(session, "touch_scalar",
				       accesses[i].offset),
				 accesses[i].hit << args.id);
	}
	close(session);
	assert_registers_are_as_before();
}

static void a_watch_hit_stops_the_wave(void **state)
{
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_NONREAD,
						self.data, GRANULE);
	struct amdgpudbg_launch_set launch = {
		.size = sizeof(launch), .flags = AMDGPUDBG_LAUNCH_SET_EXCP,
		.excp_mask = AMDGPUDBG_CAUSE_WATCH,
	};
	const uint32_t *out = self.prog.buf[PROG_OUT].cpu;
	int session = self_session(&self, true), i;

	(void)state;
	assert_int_equal(self_handler(session), 0);
	assert_int_equal(set(session, &args), 0);
	/* Not those that have it not enabled, though they have a handler. */
	assert_int_equal(touch(session, "touch_write", 4), 1 << args.id);

	assert_int_equal(self_call(session, AMDGPUDBG_IOC_LAUNCH_SET, &launch),
			 0);
	assert_int_equal(launch.vmid, args.vmid);
	assert_int_equal(touch(session, "touch_read", 4), 0);
	assert_int_equal(touch(session, "touch_write", GRANULE), 0);
	assert_int_equal(self_start(&self, "touch_write", 4), 0);
	assert_int_equal(self_wait_halted(session, waves), 0);
	for (i = 0; i < SELF_WAVES; i++)
		assert_int_equal(hits_of(HW(&waves[i], TRAPSTS)), 1 << args.id);
	assert_int_equal(self_done(&self), 0);
	assert_int_equal(self_resume(session, args.vmid), 0);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
	for (i = 0; i < SELF_LANES; i++)
		assert_int_equal(out[i], 5);
	close(session);
	assert_registers_are_as_before();
}

static void all_watches_are_distinguished(void **state)
{
	int session = self_session(&self, true);
	int other = self_session(&self, true);
	struct amdgpudbg_watch_set args;
	uint32_t id, seen = 0;
	int i, owner[NUM_WATCHES] = { 0 };

	(void)state;
	/* Two sessions share them. */
	for (i = 0; i < NUM_WATCHES; i++) {
		args = watch(AMDGPUDBG_WATCH_ALL, self.data + 4096 * i,
			     GRANULE);
		assert_int_equal(set(i % 2 ? other : session, &args), 0);
		assert_true(args.id < NUM_WATCHES);
		assert_false(seen & 1 << args.id);
		seen |= 1 << args.id;
		owner[args.id] = i % 2 ? other : session;
		assert_int_equal(touch(session, "touch_read", 4096 * i),
				 1 << args.id);
	}
	/* Either has the other one in its way. */
	assert_int_equal(set(session, &args), -EBUSY);
	assert_busy(session, AMDGPUDBG_BUSY_WATCH, getpid());
	assert_int_equal(set(other, &args), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_WATCH, getpid());
	for (id = 0; id < NUM_WATCHES; id++)
		assert_int_equal(clear(owner[id] == session ? other : session,
				       id), -ENOENT);

	/* One that is free is given again; closing frees them, too. */
	assert_int_equal(clear(owner[2], 2), 0);
	assert_int_equal(set(other, &args), 0);
	assert_int_equal(args.id, 2);
	close(other);
	assert_int_equal(set(session, &args), 0);
	close(session);
	assert_registers_are_as_before();
}

static void accesses_of_other_processes_do_not_hit(void **state)
{
	/* Far more than all that the other program has. */
	struct amdgpudbg_watch_set args =
		watch(AMDGPUDBG_WATCH_ALL, self.data & ~((1ull << 30) - 1),
		      1 << 30);
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .entry_size = sizeof(waves[0]),
		.capacity = SELF_WAVES, .waves = (uintptr_t)waves,
	};
	int session = self_session(&self, true);
	int all = self_session(&self, false);
	struct victim victim;
	uint32_t i;

	(void)state;
	assert_int_equal(set(session, &args), 0);
	assert_int_equal(touch(session, "touch_read", 0), 1 << args.id);
	assert_int_equal(victim_start(&victim, SELF_WAVES * 32, 0), 0);
	assert_int_equal(self_call(all, AMDGPUDBG_IOC_WAVE_LIST, &list), 0);
	assert_int_equal(list.count, SELF_WAVES);
	for (i = 0; i < list.count; i++) {
		assert_int_not_equal(waves[i].vmid, args.vmid);
		assert_int_equal(hits_of(HW(&waves[i], TRAPSTS)), 0);
	}
	assert_int_equal(victim_finish(&victim), 0);
	close(all);
	close(session);
}

/* Write a register of all CUs, as another program would. */
static void write_register(uint32_t reg, uint32_t value)
{
	static const struct regs2_state bank = {
		.use_grbm = 1,
		.grbm = { REGS2_BROADCAST, REGS2_BROADCAST, REGS2_BROADCAST },
	};
	struct regs2 regs;

	assert_int_equal(regs2_open(&regs, debugfs), 0);
	assert_int_equal(regs2_write(&regs, &bank, reg, value), 0);
	regs2_close(&regs);
}

static void watches_of_other_programs_are_kept(void **state)
{
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_ALL,
						self.data, GRANULE);
	const uint32_t theirs = CNTL_VALID | CNTL_VMID(15u);
	int session = self_session(&self, true), i;

	(void)state;
	write_register(TCP_WATCH_CNTL(0), theirs);
	assert_int_equal(vgpu_reg("TCP_WATCH0_CNTL"), theirs);
	for (i = 1; i < NUM_WATCHES; i++) {
		assert_int_equal(set(session, &args), 0);
		assert_int_equal(args.id, i);
	}
	assert_int_equal(set(session, &args), -ENOSPC);
	close(session);
	assert_int_equal(vgpu_reg("TCP_WATCH0_CNTL"), theirs);
	write_register(TCP_WATCH_CNTL(0), before[2]);
	assert_registers_are_as_before();
}

static void a_watch_that_the_gpu_does_not_keep_is_removed(void **state)
{
	static const char fault[] =
		"{\"cmd\":\"fault\",\"name\":\"corrupt-read\","
		"\"register\":\"TCP_WATCH0_ADDR_H\",\"count\":2}";
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_ALL,
						self.data, GRANULE);
	int session = self_session(&self, true);
	char answer[512];

	(void)state;
	/* One read of what was before, which is then wrong, too, and one after. */
	assert_int_equal(vgpu_ask(fault, answer, sizeof(answer)), 0);
	assert_int_equal(set(session, &args), -EIO);
	write_register(TCP_WATCH_ADDR_H(0), before[0]);
	assert_registers_are_as_before();
	assert_int_equal(touch(session, "touch_read", 0), 0);
	assert_int_equal(set(session, &args), 0);
	assert_int_equal(clear(session, args.id), 0);
	close(session);
}

/* In a child: a debugger with a watch. */
static int set_one(void *arg)
{
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_ALL,
						self.data, GRANULE);
	int session = self_session(&self, true);

	(void)arg;
	return session < 0 ? session : set(session, &args);
}

static void a_killed_debugger_leaves_no_watch(void **state)
{
	pid_t pid = child_hold(set_one, NULL);

	(void)state;
	assert_true(pid > 0);
	assert_true(vgpu_reg("TCP_WATCH0_CNTL") & CNTL_VALID);
	assert_int_equal(child_kill(pid), 0);
	assert_registers_are_as_before();
}

static void a_gpu_reset_removes_watches(void **state)
{
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_ALL,
						self.data, GRANULE);
	int session = self_session(&self, true);
	char path[256], text[64];
	FILE *f;

	(void)state;
	assert_int_equal(set(session, &args), 0);
	snprintf(path, sizeof(path), "%s/amdgpu_gpu_recover", debugfs);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_int_equal(clear(session, args.id), -ENOENT);
	assert_int_equal(set(session, &args), 0);
	assert_int_equal(args.id, 0);
	assert_int_equal(touch(session, "touch_read", 0), 1);
	close(session);
	assert_registers_are_as_before();
}

static void sleep_removes_watches(void **state)
{
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_ALL, self.data,
						GRANULE);
	int session = self_session(&self, true);

	(void)state;
	assert_int_equal(set(session, &args), 0);
	assert_int_equal(write_file("/sys/power/pm_test", "freezer"), 0);
	assert_int_equal(write_file("/sys/power/state", "freeze"), 0);
	assert_registers_are_as_before();
	assert_int_equal(clear(session, args.id), -ENOENT);
	close(session);
}

/* The last one: the test's own use of the GPU ends with it, too. */
static void unbinding_the_driver_removes_watches(void **state)
{
	struct amdgpudbg_watch_set args = watch(AMDGPUDBG_WATCH_ALL, self.data,
						GRANULE);
	struct amdgpudbg_launch_set launch = {
		.size = sizeof(launch), .mode = AMDGPUDBG_LAUNCH_HALT,
		.flags = AMDGPUDBG_LAUNCH_SET_STALL,
	};
	const uint32_t wave_cntl = vgpu_reg("SPI_GDBG_WAVE_CNTL");
	const uint32_t wave_cntl2 = vgpu_reg("SPI_GDBG_WAVE_CNTL2");
	int session = self_session(&self, true);
	char device[64] = "";

	(void)state;
	assert_true(readlink("/sys/class/drm/renderD128/device", device,
			     sizeof(device) - 1) > 0);
	assert_int_equal(set(session, &args), 0);
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_LAUNCH_SET, &launch),
			 0);
	assert_int_equal(write_file("/sys/bus/pci/drivers/amdgpu/unbind",
				    basename(device)), 0);
	assert_registers_are_as_before();
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL"), wave_cntl);
	assert_int_equal(vgpu_reg("SPI_GDBG_WAVE_CNTL2"), wave_cntl2);
	assert_int_equal(clear(session, args.id), -ENODEV);
	assert_int_equal(set(session, &args), -ENODEV);
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_LAUNCH_SET, &launch),
			 -ENODEV);
	close(session);
	/* The render node keeps its number only if the old one is not open. */
	self_close(&self);
	assert_int_equal(write_file("/sys/bus/pci/drivers/amdgpu/bind",
				    basename(device)), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_are_checked),
		cmocka_unit_test(an_address_may_lack_its_sign),
		cmocka_unit_test(watch_limits_are_reported_before_a_watch_is_set),
		cmocka_unit_test(a_watch_without_a_target_is_refused),
		cmocka_unit_test(each_mode_of_a_watch_hits_its_accesses),
		cmocka_unit_test(each_size_of_a_watch_is_exact),
		cmocka_unit_test(a_mask_may_ignore_bits_in_the_middle),
		cmocka_unit_test(a_watch_hit_stops_the_wave),
		cmocka_unit_test(all_watches_are_distinguished),
		cmocka_unit_test(accesses_of_other_processes_do_not_hit),
		cmocka_unit_test(watches_of_other_programs_are_kept),
		cmocka_unit_test(a_watch_that_the_gpu_does_not_keep_is_removed),
		cmocka_unit_test(a_killed_debugger_leaves_no_watch),
		cmocka_unit_test(a_gpu_reset_removes_watches),
		cmocka_unit_test(sleep_removes_watches),
		cmocka_unit_test(unbinding_the_driver_removes_watches),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: addrwatch DEBUGFS_DIR\n");
		return 2;
	}
	debugfs = argv[1];
	return cmocka_run_group_tests(tests, set_up, NULL);
}
