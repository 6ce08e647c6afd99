// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that waves use: see memory.h.
 */
#include "memory.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "self.h"
#include "until.h"

#define ROUNDS 200
#define WORD 5		/* of the memory that a wave writes */

uint32_t halt_waves(int fd, struct amdgpudbg_wave *waves, uint32_t max)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.flags = AMDGPUDBG_WAVE_LIST_HOLD,
		.entry_size = sizeof(waves[0]),
		.capacity = max,
		.waves = (uintptr_t)waves,
	};

	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_WAVE_SNAPSHOT, &list), 0);
	return list.count;
}

void code_is_what_a_halted_wave_runs(void **state)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct prog_kernarg arg;
	struct gpu_job job;
	uint32_t word, i;
	uint8_t *code = prog.buf[PROG_CODE].cpu;

	(void)state;
	start("trap_spin", &job);
	wait_begun();
	assert_int_equal(halt_waves(dev, waves, NUM_WAVES), NUM_WAVES);
	for (i = 0; i < NUM_WAVES; i++) {
		assert_int_equal(vm_read(waves[i].pc, &word, 4), 0);
		assert_int_equal(word, waves[i].hw[AMDGPUDBG_GFX10_3_INST_DW0]);
		assert_memory_equal(&word, code + (waves[i].pc -
						   prog.buf[PROG_CODE].va), 4);
	}
	/* What the job was given. */
	assert_int_equal(vm_read(prog.buf[PROG_KERNARG].va, &arg, sizeof(arg)),
			 0);
	assert_int_equal(arg.ctl, prog.buf[PROG_CTL].va);
	assert_int_equal(arg.n, ITEMS);
	assert_int_equal(self_resume(dev, waves[0].vmid), 0);
	stop_spinning();
	finish(&job, -1);
}

static int step(const struct amdgpudbg_wave *wave, uint64_t pc, uint64_t *new_pc)
{
	struct amdgpudbg_wave_control c = {
		.size = sizeof(c),
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC,
		.op = AMDGPUDBG_WAVEOP_STEP,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = wave->vmid,
		.at = wave->at,
		.pc = pc,
	};
	int ret = self_call(dev, AMDGPUDBG_IOC_WAVE_CONTROL, &c);

	*new_pc = c.new_pc;
	return ret;
}

static int read_mode(const struct amdgpudbg_wave *wave, uint64_t pc)
{
	uint32_t value;
	struct amdgpudbg_reg_range mode = {
		.space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_MODE,
		.count = 1,
	};
	struct amdgpudbg_reg_access a = {
		.size = sizeof(a), .flags = AMDGPUDBG_REG_ACCESS_EXPECT_PC,
		.at = wave->at, .vmid = wave->vmid, .pc = pc,
		.ranges = (uintptr_t)&mode, .num_ranges = 1,
		.values = (uintptr_t)&value, .num_values = 1,
	};

	return self_call(dev, AMDGPUDBG_IOC_REG_ACCESS, &a);
}

/* As RADV's code: its address is reported the same everywhere, and accepted without sign. */
void code_may_lie_above_the_hole(void **state)
{
	struct gpu_buffer low = prog.buf[PROG_CODE], *high = &prog.buf[PROG_CODE];
	const uint64_t without_sign = (1ULL << 48) - 1;
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct gpu_job job;
	uint64_t pc, next;
	uint32_t word;

	(void)state;
	assert_int_equal(gpu_alloc_high(&prog.gpu, high, low.size), 0);
	memcpy(high->cpu, low.cpu, low.size);
	assert_true(high->va >> 47 == 0x1ffff);
	start("trap_spin", &job);
	wait_begun();
	assert_int_equal(halt_waves(dev, waves, NUM_WAVES), NUM_WAVES);
	pc = waves[0].pc;
	assert_in_range(pc, high->va, high->va + high->size - 4);
	assert_int_equal(waves[0].hw[AMDGPUDBG_GFX10_3_PC_HI], pc >> 32 & 0xffff);
	assert_int_equal(vm_read(pc, &word, 4), 0);
	assert_int_equal(word, waves[0].hw[AMDGPUDBG_GFX10_3_INST_DW0]);
	assert_int_equal(read_mode(&waves[0], pc), 0);
	assert_int_equal(read_mode(&waves[0], pc & without_sign), 0);
	assert_int_equal(read_mode(&waves[0], pc ^ 1ULL << 60), -ESTALE);
	assert_int_equal(step(&waves[0], pc ^ 1ULL << 60, &next), -ESTALE);
	assert_int_equal(step(&waves[0], pc, &next), 0);
	assert_in_range(next, high->va, high->va + high->size - 4);
	assert_int_equal(step(&waves[0], next & without_sign, &next), 0);
	assert_in_range(next, high->va, high->va + high->size - 4);
	assert_int_equal(self_resume(dev, waves[0].vmid), 0);
	stop_spinning();
	finish(&job, -1);
	gpu_free(&prog.gpu, high);
	prog.buf[PROG_CODE] = low;
}

/* The job ends by what the debugger writes while its waves are halted. */
void a_wave_sees_what_was_written(void **state)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct gpu_job job;
	uint32_t word = 1;

	(void)state;
	start("trap_spin", &job);
	wait_begun();
	assert_int_equal(halt_waves(dev, waves, NUM_WAVES), NUM_WAVES);
	assert_int_equal(vm_write(prog.buf[PROG_CTL].va, &word, 4), 0);
	assert_int_equal(self_resume(dev, waves[0].vmid), 0);
	finish(&job, -1);
}

/* VRAM that the CPU does not reach: the GPU finds there what was written. */
void the_gpu_sees_memory_without_a_bar(void **state)
{
	struct prog_kernarg *arg = prog.buf[PROG_KERNARG].cpu;
	uint32_t *out = prog.buf[PROG_OUT].cpu, in[ITEMS], back[ITEMS], i;
	struct codeobj_kernel kernel;
	struct gpu_dispatch d = {
		.kernel = &kernel,
		.code_va = prog.buf[PROG_CODE].va,
		.kernarg_va = prog.buf[PROG_KERNARG].va,
		.groups = ITEMS / PROG_GROUP,
		.group_size = PROG_GROUP,
	};
	struct amdgpudbg_mapping m;
	struct gpu_job job;
	struct bo b;

	(void)state;
	bo_new(&b, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_NO_CPU_ACCESS |
	       AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, false);
	vm_at(b.va, &m);
	assert_int_equal(m.kind, AMDGPUDBG_KIND_VRAM);
	for (i = 0; i < ITEMS; i++)
		in[i] = 3 * i;
	/* At an odd place, and then at the right one. */
	assert_int_equal(vm_write(b.va + 4097, in, sizeof(in)), 0);
	assert_int_equal(vm_read(b.va + 4097, back, sizeof(back)), 0);
	assert_memory_equal(in, back, sizeof(in));
	assert_int_equal(vm_write(b.va + 4096, in, sizeof(in)), 0);

	*arg = (struct prog_kernarg){
		.out = prog.buf[PROG_OUT].va, .in = b.va + 4096,
		.ctl = prog.buf[PROG_CTL].va, .n = ITEMS,
	};
	assert_int_equal(codeobj_find(&prog.co, "trap_value", &kernel), 0);
	assert_int_equal(gpu_submit(&prog.gpu, &d, prog.buf, PROG_NUM_BUFS,
				    &job), 0);
	assert_int_equal(gpu_wait(&prog.gpu, &job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	gpu_job_free(&prog.gpu, &job);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(out[i], in[i] + 5);

	/* And the other way: what the GPU wrote there. */
	memset(back, 0, sizeof(back));
	assert_int_equal(vm_write(b.va + 3, back, sizeof(back)), 0);
	arg->out = b.va + 8;
	assert_int_equal(gpu_submit(&prog.gpu, &d, prog.buf, PROG_NUM_BUFS,
				    &job), 0);
	assert_int_equal(gpu_wait(&prog.gpu, &job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	gpu_job_free(&prog.gpu, &job);
	assert_int_equal(vm_read(b.va + 8, back, sizeof(back)), 0);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(back[i], in[i] + 5);
	bo_free(&b);
}

/* A wave has written a word of VRAM, and waits. What is there for the host, then? */
static uint32_t written_by_a_wave_that_waits(struct prog *touch,
					     const struct bo *b)
{
	struct prog_kernarg *arg = touch->buf[PROG_KERNARG].cpu;
	volatile uint32_t *ctl = prog_ctl(touch);
	const uint32_t one = 1, other = 77;
	struct codeobj_kernel kernel;
	struct gpu_dispatch d = {
		.kernel = &kernel,
		.code_va = touch->buf[PROG_CODE].va,
		.kernarg_va = touch->buf[PROG_KERNARG].va,
		.groups = 1,
		.group_size = PROG_GROUP,
	};
	struct gpu_job job;
	uint32_t seen, word;

	assert_int_equal(vm_write(b->va + 4 * WORD, &one, 4), 0);
	ctl[0] = 0;
	ctl[1] = 0;
	ctl[4] = WORD;
	*arg = (struct prog_kernarg){
		.out = touch->buf[PROG_OUT].va, .in = b->va,
		.ctl = touch->buf[PROG_CTL].va, .n = PROG_GROUP,
	};
	assert_int_equal(codeobj_find(&touch->co, "touch_write", &kernel), 0);
	assert_int_equal(gpu_submit(&touch->gpu, &d, touch->buf, PROG_NUM_BUFS,
				    &job), 0);
	assert_int_equal(prog_wait(touch, 1, PROG_GROUP), 0);
	assert_int_equal(vm_read(b->va + 4 * WORD, &seen, 4), 0);
	assert_int_equal(vm_write(b->va + 4 * WORD + 4, &other, 4), 0);
	ctl[0] = 1;
	assert_int_equal(gpu_wait(&touch->gpu, &job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	gpu_job_free(&touch->gpu, &job);

	/* Afterwards, all is there. */
	assert_int_equal(vm_read(b->va + 4 * WORD, &word, 4), 0);
	assert_int_equal(word, 5);
	assert_int_equal(vm_read(b->va + 4 * WORD + 4, &word, 4), 0);
	assert_int_equal(word, other);
	return seen;
}

void data_in_a_cache_is_not_read(void **state)
{
	struct prog touch;
	struct bo b;

	(void)state;
	assert_int_equal(prog_open(&touch, NULL,
				   "/usr/share/amdgpudbg/touch.co", PROG_GROUP,
				   0), 0);
	bo_new(&b, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_VM_ALWAYS_VALID |
	       AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, false);
	assert_int_equal(written_by_a_wave_that_waits(&touch, &b), 5);
	set_quirk("gl2-write-back", 1);
	assert_int_equal(written_by_a_wave_that_waits(&touch, &b), 1);
	set_quirk("gl2-write-back", 0);
	assert_int_equal(written_by_a_wave_that_waits(&touch, &b), 5);
	bo_free(&b);
	prog_close(&touch);
}

static atomic_bool over;

/* Maps and unmaps an object at the same place, and makes new ones. */
static void *come_and_go(void *arg)
{
	struct bo *b = arg;
	struct bo other;

	while (!over) {
		bo_unmap(b, SKIPPED, MAPPED, b->va);
		if (bo_map(b, SKIPPED, MAPPED, b->va, AMDGPU_VM_PAGE_READABLE))
			return (void *)1;
		bo_new(&other, AMDGPU_GEM_DOMAIN_GTT, 0, false);
		bo_free(&other);
	}
	return NULL;
}

void mappings_may_be_removed_during_a_list(void **state)
{
	static struct amdgpudbg_mapping m[256];
	static uint8_t data[MAPPED];
	struct amdgpudbg_vm_access a;
	uint32_t i, done = 0;
	pthread_t thread;
	void *failed;
	struct bo b;
	int ret;

	(void)state;
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	memset(b.cpu, 0x5a, BO_BYTES);
	over = false;
	assert_int_equal(pthread_create(&thread, NULL, come_and_go, &b), 0);
	for (i = 0; i < ROUNDS; i++) {
		memset(data, 0, sizeof(data));
		ret = vm_access(dev, 0, b.va, data, MAPPED, &a);
		/* -EBUSY: the lock was held for a second, as it may be on a slow machine. */
		if (ret && ret != -EBUSY)
			assert_int_equal(ret, -ENXIO);
		/* What was done is right, and nothing else was. */
		assert_in_range(a.done, 0, MAPPED);
		while (a.done && data[a.done - 1] == 0x5a)
			a.done--;
		assert_int_equal(a.done, 0);
		done += !ret;
		do {
			ret = vm_list(b.va, MAPPED, m, 256);
		} while (ret == -EBUSY);
		assert_in_range(ret, 0, 1);
	}
	over = true;
	assert_int_equal(pthread_join(thread, &failed), 0);
	assert_null(failed);
	print_message("%u of %u were read as a whole\n", done, i);
	bo_free(&b);
}
