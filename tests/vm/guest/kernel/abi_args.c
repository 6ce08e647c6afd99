// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arguments that calls accept and refuse: see abi.h.
 */
#include "abi.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

void capability_ids_are_bounded(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	struct amdgpudbg_capability cap = { .size = sizeof(cap) };
	unsigned int i;

	(void)state;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_INFO, &info), 0);
	assert_int_equal(info.num_capabilities, AMDGPUDBG_CAP_JOB_LIST + 1);
	for (i = 0; i < info.num_capabilities; i++) {
		cap.id = i;
		assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), 0);
		assert_true(cap.name[0]);
		assert_true(cap.supported || cap.reason[0]);
		assert_int_equal(!cap.reason_code, !cap.reason[0]);
	}
	cap.id = i;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), -EINVAL);
	cap.id = 0xffffffff;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_CAPABILITY, &cap), -EINVAL);
}

/* They are what the calls allow: see the other tests of arguments. */
void limits_are_reported(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };

	(void)state;
	assert_int_equal(call(AMDGPUDBG_IOC_GET_INFO, &info), 0);
	assert_int_equal(info.abi_version, 0);
	assert_int_equal(info.num_sgpr, 108);
	assert_int_equal(info.num_vgpr, 256);
	assert_int_equal(info.num_agpr, 0);
	assert_int_equal(info.num_ttmp, 16);
	assert_int_equal(info.lds_granule, 256);
	assert_int_equal(info.wave_sizes, 32 | 64);
	assert_int_equal(info.max_trap_id, 15);
	assert_int_equal(info.max_reg_ranges, AMDGPUDBG_REG_RANGES_MAX);
	assert_int_equal(info.max_reg_values, AMDGPUDBG_REG_VALUES_MAX);
	assert_int_equal(info.max_buffers, AMDGPUDBG_MEM_MAX_BUFFERS);
	assert_int_equal(info.max_buffer_bytes, AMDGPUDBG_MEM_MAX_BYTES);
	assert_int_equal(info.max_access_bytes, AMDGPUDBG_VM_ACCESS_MAX);
	assert_int_equal(info.max_patches, AMDGPUDBG_PATCH_MAX);
	assert_int_equal(info.max_patch_bytes, AMDGPUDBG_PATCH_BYTES_MAX);
	assert_int_equal(info.max_batch, AMDGPUDBG_WAVE_BATCH_MAX);
}

static int list_by(unsigned long nr, uint32_t mask, uint32_t entry,
		   uint32_t capacity, void *buf, uint32_t *count)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.select.vmid_mask = mask,
		.entry_size = entry,
		.capacity = capacity,
		.waves = (uintptr_t)buf,
	};
	int ret = call(nr, &list);

	*count = list.count;
	return ret;
}

static int list_with(uint32_t mask, uint32_t entry, uint32_t capacity,
		     void *buf, uint32_t *count)
{
	return list_by(AMDGPUDBG_IOC_WAVE_LIST, mask, entry, capacity, buf,
		       count);
}

void list_arguments_are_checked(void **state)
{
	static const unsigned long nrs[] = {
		AMDGPUDBG_IOC_WAVE_LIST, AMDGPUDBG_IOC_WAVE_SNAPSHOT,
	};
	const uint32_t entry = sizeof(waves[0]);
	uint32_t count, i;

	(void)state;
	for (i = 0; i < 2; i++) {
#define EXPECT(err, ...) \
	assert_int_equal(list_by(nrs[i], __VA_ARGS__, &count), err)
		EXPECT(-EINVAL, 1, entry, 1, waves);
		EXPECT(-EINVAL, 1 << 16, entry, 1, waves);
		EXPECT(-EINVAL, 0, 0, 1, waves);
		EXPECT(-EINVAL, 0, entry - 4, 1, waves);
		EXPECT(-EINVAL, 0, 4104, 1, waves);
		EXPECT(-EFAULT, 0, entry, MAX_WAVES, NULL);
		EXPECT(-EFAULT, 0, entry, MAX_WAVES, fence - entry);
#undef EXPECT
	}
	assert_none_halted();
}

void list_returns_the_needed_count(void **state)
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

void list_records_follow_the_stride(void **state)
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

void list_filters_by_vmid(void **state)
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

void control_arguments_are_checked(void **state)
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
	/* VMIDs from 8 on are amdkfd's. */
	EXPECT(-EOPNOTSUPP, (wc.op = AMDGPUDBG_WAVEOP_TRAP, wc.vmid = 8));
	EXPECT(-EOPNOTSUPP, (wc.op = AMDGPUDBG_WAVEOP_TRAP, wc.vmid = 15,
			     wc.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			     memset(&wc.at, 0, sizeof(wc.at))));
	EXPECT(0, (wc.op = AMDGPUDBG_WAVEOP_DEBUG, wc.vmid = 8,
		   wc.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		   memset(&wc.at, 0, sizeof(wc.at))));
	EXPECT(-EINPROGRESS, wc.op = AMDGPUDBG_WAVEOP_STEP);
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

void reg_arguments_are_checked(void **state)
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
	EXPECT(-EOPNOTSUPP, regs.flags = 1U << 5);
	EXPECT(-EOPNOTSUPP, regs.flags = 1U << 31);
	EXPECT(-EINVAL, regs.flags = AMDGPUDBG_REG_ACCESS_COMPARE);
	EXPECT(-EINVAL, regs.flags = AMDGPUDBG_REG_ACCESS_MASK);
	EXPECT(-EINVAL, (regs.flags = AMDGPUDBG_REG_ACCESS_WRITE |
				      AMDGPUDBG_REG_ACCESS_COMPARE |
				      AMDGPUDBG_REG_ACCESS_MASK,
			 regs.compare = (uintptr_t)values));
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
	EXPECT(-EINVAL, RANGE(5, 0, 1, 0, 0));
	EXPECT(-EOPNOTSUPP, RANGE(AMDGPUDBG_REG_AGPR, 0, 1, 0, 8));
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
	EXPECT(-EINVAL, RANGE(AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_SCHED_MODE + 1, 1, 0, 0));
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
	EXPECT(-EFAULT, (regs.flags = AMDGPUDBG_REG_ACCESS_WRITE |
				      AMDGPUDBG_REG_ACCESS_MASK,
			 regs.compare = (uintptr_t)fence - 4));
	EXPECT(-ENXIO, regs.at.se = 64);
	EXPECT(-ENXIO, regs.at.wave = 32);
	EXPECT(-ESTALE, regs.vmid = waves[0].vmid % 15 + 1);
	EXPECT(-ESTALE, (regs.flags = AMDGPUDBG_REG_ACCESS_EXPECT_PC,
			 regs.pc = 0x123456789000));
	EXPECT(-ENODATA, regs.at.wave = 15);
	/* Not halted. */
	EXPECT(-EINPROGRESS, RANGE(AMDGPUDBG_REG_SGPR, 0, 8, 0, 0));
	EXPECT(-EINPROGRESS, RANGE(AMDGPUDBG_REG_VGPR, 0, 1, 0, 8));
	EXPECT(-EINPROGRESS, (RANGE(AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_M0, 1, 0, 0),
			      regs.flags = AMDGPUDBG_REG_ACCESS_WRITE));
	/* Not to be written. */
	EXPECT(-EOPNOTSUPP, (RANGE(AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_HW_ID1, 1,
				   0, 0),
			     regs.flags = AMDGPUDBG_REG_ACCESS_WRITE));
#undef RANGE
#undef EXPECT
	assert_none_halted();
}

void batch_arguments_are_checked(void **state)
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
	EXPECT(-EINVAL, batch.count = 0);
	EXPECT(-EINVAL, batch.count = AMDGPUDBG_WAVE_BATCH_MAX + 1);
	EXPECT(-EINVAL, batch.entry_size = 0);
	EXPECT(-EINVAL, batch.entry_size -= 8);
	EXPECT(-EINVAL, batch.entry_size = 4104);
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

void batch_without_room_for_the_answer_changes_nothing(void **state)
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

/*
 * Two operations of a caller whose structure has grown by 16 bytes, and whose
 * entries have something of his own behind it.
 */
void longer_operations_of_a_batch_work(void **state)
{
	const uint64_t mine = 0x6d696e656d696e65;
	struct {
		int32_t error;
		uint32_t reserved;
		struct amdgpudbg_wave_control control;
		uint64_t newer[2];
		uint64_t own;
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
		/* All are halted, and resumed. */
		ops[i].control.op = i ? AMDGPUDBG_WAVEOP_RESUME :
				    AMDGPUDBG_WAVEOP_HALT;
		ops[i].control.size = sizeof(ops[0].control) +
				      sizeof(ops[0].newer);
		ops[i].error = 77;
		ops[i].own = mine;
	}
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_BATCH, &batch), 0);
	assert_int_equal(batch.done, 2);
	for (i = 0; i < 2; i++) {
		assert_int_equal(ops[i].error, 0);
		assert_int_equal(ops[i].control.matched, ITEMS / 32);
		assert_int_equal(ops[i].control.changed, ITEMS / 32);
		assert_true(ops[i].own == mine);
	}
	ops[1].newer[1] = 1;
	assert_int_equal(call(AMDGPUDBG_IOC_WAVE_BATCH, &batch), -E2BIG);
	assert_none_halted();
}
