// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patches of code: how they are set and removed, and the waves that have reached them: see
 * memory.h.
 */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "busy.h"
#include "people.h"
#include "self.h"
#include "trap_abi.h"
#include "until.h"

#define S_MOV_S40_5 0xbea80385	/* as trap_value and trap_wait have it */
#define S_MOV_S40_7 0xbea80387
#define S_TRAP_1 0xbf920001

static const uint32_t stop_code[] = {
#include "gfx10_3_stop.inc"
};

int patch(int fd, uint64_t va, uint32_t value)
{
	return vm_access(fd, PATCH, va, &value, 4, NULL);
}

int unpatch(int fd, uint64_t va, uint64_t bytes)
{
	return vm_access(fd, AMDGPUDBG_VM_ACCESS_UNPATCH, va, NULL, bytes,
			 NULL);
}

int session(void)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(set_target(fd, prog.gpu.fd, false), 0);
	return fd;
}

/* The first one of a kernel's instructions that is @insn */
static uint64_t find_insn(const char *name, uint32_t insn)
{
	const uint8_t *code = prog.buf[PROG_CODE].cpu;
	struct codeobj_kernel kernel;
	uint64_t at;

	assert_int_equal(codeobj_find(&prog.co, name, &kernel), 0);
	for (at = kernel.entry; memcmp(code + at, &insn, 4); at += 4)
		assert_true(at < prog.co.size);
	return prog.buf[PROG_CODE].va + at;
}

static uint32_t dword_at(uint64_t va)
{
	uint32_t value;

	assert_int_equal(vm_read(va, &value, 4), 0);
	return value;
}

static void code_is_as_before(const struct prog *p)
{
	assert_memory_equal(p->buf[PROG_CODE].cpu, p->co.image, p->co.size);
}

static void gives(int add)
{
	struct gpu_job job;

	start("trap_value", &job);
	finish(&job, add);
}

void a_patch_is_executed_until_it_is_removed(void **state)
{
	uint64_t at = find_insn("trap_value", S_MOV_S40_5);
	int fd = session();

	(void)state;
	gives(5);
	assert_int_equal(patch(fd, at, S_MOV_S40_7), 0);
	assert_int_equal(dword_at(at), S_MOV_S40_7);
	gives(7);
	assert_int_equal(unpatch(fd, at, 4), 0);
	assert_int_equal(dword_at(at), S_MOV_S40_5);
	gives(5);
	assert_int_equal(unpatch(fd, at, 4), -ENOENT);

	/* When the session gives up its target, and when it ends. */
	assert_int_equal(patch(fd, at, S_MOV_S40_7), 0);
	assert_int_equal(set_target(fd, -1, false), 0);
	gives(5);
	assert_int_equal(set_target(fd, prog.gpu.fd, false), 0);
	assert_int_equal(unpatch(fd, at, 4), -ENOENT);
	assert_int_equal(patch(fd, at, S_MOV_S40_7), 0);
	gives(7);
	close(fd);
	gives(5);
	code_is_as_before(&prog);
}

/* What is written over a patch stays; its other dwords are put back. */
void a_write_changes_memory_under_a_patch(void **state)
{
	uint32_t *in = prog.buf[PROG_IN].cpu, mine[4] = { 11, 12, 13, 14 };
	uint64_t va = prog.buf[PROG_IN].va;
	uint32_t other = 99, i;
	int fd = session();

	(void)state;
	for (i = 0; i < 4; i++)
		in[i] = i;
	assert_int_equal(vm_access(fd, PATCH, va, mine, sizeof(mine), NULL), 0);
	assert_memory_equal(in, mine, sizeof(mine));
	assert_int_equal(vm_write(va + 4, &other, 4), 0);
	in[2] = 98;
	close(fd);
	assert_int_equal(in[0], 0);
	assert_int_equal(in[1], 99);
	assert_int_equal(in[2], 98);
	assert_int_equal(in[3], 3);
}

struct place {
	int fd;
	uint64_t va;
};

static bool can_patch(void *arg)
{
	const struct place *place = arg;

	return !patch(place->fd, place->va, 0);
}

void the_size_of_patches_is_limited(void **state)
{
	static uint32_t data[AMDGPUDBG_PATCH_BYTES_MAX / 4 + 1];
	uint32_t *in = prog.buf[PROG_IN].cpu, i;
	struct amdgpudbg_vm_access a;
	uint64_t va = prog.buf[PROG_IN].va;
	int fd = session(), other = session();
	struct place last = { .fd = fd };
	struct bo b;

	(void)state;
	for (i = 0; i < 2 * ITEMS; i++)
		in[i] = i;
	assert_int_equal(vm_access(fd, PATCH, va, data, sizeof(data), &a),
			 -EINVAL);
	assert_int_equal(vm_access(fd, PATCH, va, data, 0, &a), -EINVAL);
	assert_int_equal(vm_access(fd, PATCH, va, data, 3, &a), -EINVAL);
	assert_int_equal(vm_access(fd, PATCH, va + 2, data, 4, &a), -EINVAL);
	assert_int_equal(vm_access(fd, PATCH, va + PAGE - 4, data, 8, &a),
			 -EINVAL);
	assert_int_equal(vm_access(fd, AMDGPUDBG_VM_ACCESS_PATCH, va, data, 4,
				   &a), -EINVAL);
	assert_int_equal(vm_access(fd, PATCH | AMDGPUDBG_VM_ACCESS_UNPATCH, va,
				   data, 4, &a), -EINVAL);
	assert_int_equal(vm_access(fd, AMDGPUDBG_VM_ACCESS_UNPATCH, va, data, 4,
				   &a), -EINVAL);
	assert_int_equal(vm_access(fd, UNPATCH_KEEP, va, data, 4, &a), -EINVAL);
	assert_int_equal(vm_access(fd, AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP, va,
				   NULL, 4, &a), -EINVAL);
	assert_int_equal(vm_access(fd, PATCH | AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP,
				   va, data, 4, &a), -EINVAL);
	assert_int_equal(vm_access(fd, PATCH, va, (void *)4, 4, &a), -EFAULT);
	assert_int_equal(vm_access(fd, PATCH, 0x10000, data, 4, &a), -ENXIO);
	assert_int_equal(a.bad, 0x10000);

	assert_int_equal(vm_access(fd, PATCH, va + 8, data, 16, &a), 0);
	assert_int_equal(vm_access(fd, PATCH, va + 8, data, 16, &a), -EEXIST);
	assert_int_equal(vm_access(fd, PATCH, va + 20, data, 8, &a), -EEXIST);
	assert_int_equal(vm_access(fd, PATCH, va + 4, data, 8, &a), -EEXIST);
	assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);
	assert_int_equal(vm_access(other, PATCH, va + 20, data, 8, &a), -EBUSY);
	assert_busy(other, AMDGPUDBG_BUSY_PATCH, getpid());
	assert_int_equal(unpatch(other, va + 8, 16), -ENOENT);
	assert_int_equal(unpatch(fd, va + 8, 12), -ENOENT);
	assert_int_equal(unpatch(fd, va + 12, 12), -ENOENT);
	assert_int_equal(vm_access(other, PATCH, va + 24, data, 8, &a), 0);
	assert_int_equal(vm_access(fd, PATCH, va, data, 8, &a), 0);

	/* A patch goes with what it was in, as soon as no job has that. */
	bo_new(&b, AMDGPU_GEM_DOMAIN_VRAM, 0, false);
	assert_int_equal(vm_access(fd, PATCH, b.va, data, 8, &a), 0);
	bo_free(&b);
	for (i = 3; i < AMDGPUDBG_PATCH_MAX; i++)
		assert_int_equal(vm_access(fd, PATCH, va + 4 * (i + 8), data, 4,
					   &a), 0);
	last.va = va + 4 * (i++ + 8);
	assert_true(until(can_patch, &last, DEADLINE_S));
	assert_int_equal(vm_access(fd, PATCH, va + 4 * (i + 8), data, 4, &a),
			 -ENOSPC);
	assert_int_equal(unpatch(fd, va, 8), 0);
	assert_int_equal(vm_access(fd, PATCH, va + 4 * (i + 8), data, 4, &a), 0);
	for (i = 8 + 3; i <= AMDGPUDBG_PATCH_MAX + 9; i++)
		assert_int_equal(in[i], 0);
	close(fd);
	assert_int_equal(in[5], 5);
	assert_int_equal(in[6], 0);
	close(other);
	for (i = 0; i < 2 * ITEMS; i++)
		assert_int_equal(in[i], i);
}

/* ----------------------------------------------------- waves that come to one */

static struct prog spin;

static void start_spinning(struct gpu_job *job)
{
	uint32_t *in = spin.buf[PROG_IN].cpu, i;

	for (i = 0; i < ITEMS; i++)
		in[i] = i * 0x9e3779b9;
	memset(spin.buf[PROG_OUT].cpu, 0, spin.buf[PROG_OUT].size);
	memset(spin.buf[PROG_CTL].cpu, 0, spin.buf[PROG_CTL].size);
	assert_int_equal(prog_submit(&spin, "spin", job), 0);
	assert_int_equal(prog_wait(&spin, 1, ITEMS), 0);
}

/* Its results do not depend on how often it went round, but on each step. */
static void end_spinning(struct gpu_job *job)
{
	const uint32_t *out = spin.buf[PROG_OUT].cpu, *in = spin.buf[PROG_IN].cpu;
	uint32_t i;

	((volatile uint32_t *)prog_ctl(&spin))[0] = 1;
	assert_int_equal(gpu_wait(&spin.gpu, job,
				  deadline_ns(DEADLINE_S) - now_ns()), 0);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(out[i], in[i] ^ i);
	gpu_job_free(&spin.gpu, job);
}

/*
 * Writes s_trap to the PC of the waves, through a mapping @behind bytes further, and resumes
 * them. @vmid is set to theirs.
 */
static void break_by(int fd, uint32_t *vmid, uint64_t behind)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	uint32_t i;
	int ret;

	assert_int_equal(halt_waves(fd, waves, NUM_WAVES), NUM_WAVES);
	*vmid = waves[0].vmid;
	for (i = 0; i < NUM_WAVES; i++) {
		ret = patch(fd, waves[i].pc + behind, S_TRAP_1);
		if (ret)
			assert_int_equal(ret, -EEXIST);
	}
	assert_int_equal(self_resume(fd, *vmid), 0);
}

static void break_where_they_are(int fd, uint32_t *vmid)
{
	break_by(fd, vmid, 0);
}

static void open_spin(void)
{
	assert_int_equal(prog_open(&spin, NULL, NULL, ITEMS, 0), 0);
}

/* The debugger's end, in whatever way: waves that wait at its patches do all. */
void waves_that_wait_at_a_patch_continue_there(void **state)
{
	struct stopped s;
	struct handler h;
	struct gpu_job job;
	uint32_t vmid;
	int fd, round;

	(void)state;
	open_spin();
	for (round = 0; round < 4; round++) {
		fd = session();
		install(fd, &h, stop_code, sizeof(stop_code));
		start_spinning(&job);
		break_where_they_are(fd, &vmid);
		wait_stopped(fd, vmid, &s);
		close(fd);
		code_is_as_before(&spin);
		end_spinning(&job);
	}
	prog_close(&spin);
}

/* Take out the patches that have stopped the waves of @s. Several may have stopped at one. */
static void unpatch_waves(int fd, uint32_t flags, const struct stopped *s)
{
	uint32_t i;
	int ret;

	for (i = 0; i < NUM_WAVES; i++) {
		ret = vm_access(fd, flags, s->wave[i].pc - 4, NULL, 4, NULL);
		if (ret)
			assert_int_equal(ret, -ENOENT);
	}
	code_is_as_before(&spin);
}

/* All waves are still halted, @behind bytes behind where the patches were. */
static void waves_are_at(int fd, const struct stopped *s, uint64_t behind)
{
	struct amdgpudbg_wave now[NUM_WAVES];
	uint32_t i, j;

	assert_int_equal(halt_waves(fd, now, NUM_WAVES), NUM_WAVES);
	for (i = 0; i < NUM_WAVES; i++) {
		for (j = 0; memcmp(&s->wave[j].at, &now[i].at, sizeof(now->at));)
			assert_true(++j < NUM_WAVES);
		assert_true(now[i].pc == s->wave[j].pc - 4 + behind);
		assert_int_equal(now[i].ttmp[0], s->wave[j].ttmp[0]);
		assert_int_equal(now[i].ttmp[1], s->wave[j].ttmp[1]);
	}
}

/*
 * UNPATCH puts waves back, whatever the length of the instruction is. Also if the debugger
 * dies just then: waves are resumed by its end.
 */
void waves_halted_at_a_patch_resume_at_the_original_instruction(void **state)
{
	struct stopped s;
	struct handler h;
	struct gpu_job job;
	uint32_t vmid;
	int fd, round;

	(void)state;
	open_spin();
	for (round = 0; round < 4; round++) {
		fd = session();
		install(fd, &h, stop_code, sizeof(stop_code));
		start_spinning(&job);
		break_where_they_are(fd, &vmid);
		wait_stopped(fd, vmid, &s);
		unpatch_waves(fd, AMDGPUDBG_VM_ACCESS_UNPATCH, &s);
		waves_are_at(fd, &s, 0);
		if (round % 2)
			assert_int_equal(self_resume(fd, vmid), 0);
		else
			close(fd);
		end_spinning(&job);
		if (round % 2)
			close(fd);
	}
	prog_close(&spin);
}

void unpatch_keep_leaves_waves_behind_the_s_trap(void **state)
{
	struct stopped s;
	struct handler h;
	struct gpu_job job;
	uint32_t vmid, i;
	int fd, ret;

	(void)state;
	open_spin();
	fd = session();
	install(fd, &h, stop_code, sizeof(stop_code));
	start_spinning(&job);
	break_where_they_are(fd, &vmid);
	wait_stopped(fd, vmid, &s);
	unpatch_waves(fd, UNPATCH_KEEP, &s);
	waves_are_at(fd, &s, 4);
	/* Another patch in the same place is one that they have stopped at. */
	for (i = 0; i < NUM_WAVES; i++) {
		ret = patch(fd, s.wave[i].pc - 4, S_TRAP_1);
		if (ret)
			assert_int_equal(ret, -EEXIST);
	}
	unpatch_waves(fd, AMDGPUDBG_VM_ACCESS_UNPATCH, &s);
	waves_are_at(fd, &s, 0);
	assert_int_equal(self_resume(fd, vmid), 0);
	end_spinning(&job);
	close(fd);
	prog_close(&spin);
}

/*
 * Without the handler waves would skip the patched instructions: so patches are removed with
 * it, and when the session ends that has set it.
 */
void patches_are_removed_before_their_handler(void **state)
{
	int fd, keeper, round;
	struct stopped s;
	struct handler h;
	struct gpu_job job;
	uint32_t vmid;

	(void)state;
	open_spin();
	for (round = 0; round < 2; round++) {
		fd = session();
		keeper = round ? session() : fd;
		install(keeper, &h, stop_code, sizeof(stop_code));
		start_spinning(&job);
		break_where_they_are(fd, &vmid);
		wait_stopped(keeper, vmid, &s);
		if (round) {
			close(keeper);
		} else {
			assert_int_equal(clear_handler(fd), 0);
			assert_int_equal(self_resume(fd, vmid), 0);
		}
		code_is_as_before(&spin);
		assert_int_equal(unpatch(fd, s.wave[0].pc - 4, 4), -ENOENT);
		end_spinning(&job);
		close(fd);
	}
	prog_close(&spin);
}

/*
 * Their code is mapped once more, in the upper half of the addresses, and they run it
 * there; the patches are set here.
 */
void waves_continue_at_all_addresses_of_a_patch(void **state)
{
	struct gpu_buffer *code = &spin.buf[PROG_CODE];
	struct stopped s;
	struct handler h;
	struct gpu_job job;
	struct bo there;
	uint32_t vmid;
	uint64_t here;
	int fd, round;

	(void)state;
	open_spin();
	here = code->va;
	bo_room(&there, code->size, true);
	there.bo = code->bo;
	assert_int_equal(bo_map(&there, 0, code->size, there.reserved,
				AMDGPU_VM_PAGE_READABLE |
				AMDGPU_VM_PAGE_EXECUTABLE), 0);
	for (round = 0; round < 4; round++) {
		fd = session();
		install(fd, &h, stop_code, sizeof(stop_code));
		code->va = there.reserved;
		start_spinning(&job);
		code->va = here;
		break_by(fd, &vmid, here - there.reserved);
		wait_stopped(fd, vmid, &s);
		close(fd);
		code_is_as_before(&spin);
		end_spinning(&job);
	}
	bo_unmap(&there, 0, code->size, there.reserved);
	amdgpu_va_range_free(there.range);
	prog_close(&spin);
}

/* Another session's are none of theirs. */
void waves_stay_at_patches_that_stay(void **state)
{
	struct stopped before, after;
	struct handler h;
	struct gpu_job job;
	uint32_t vmid, i;
	int fd, other;

	(void)state;
	open_spin();
	fd = session();
	install(fd, &h, stop_code, sizeof(stop_code));
	start_spinning(&job);
	break_where_they_are(fd, &vmid);
	wait_stopped(fd, vmid, &before);
	other = session();
	assert_int_equal(patch(other, prog.buf[PROG_IN].va, 1), 0);
	close(other);
	after = before;
	assert_true(are_stopped(&after));
	for (i = 0; i < NUM_WAVES; i++)
		assert_int_equal(after.wave[i].pc, before.wave[i].pc);
	close(fd);
	end_spinning(&job);
	prog_close(&spin);
}

/* As a process of its own: says when it has come to each of its steps. */
static void be_debugger(int in, int out)
{
	struct stopped s;
	struct handler h;
	uint32_t vmid;
	char c = 0;
	int fd = session();

	install(fd, &h, stop_code, sizeof(stop_code));
	assert_int_equal(write(out, &c, 1), 1);
	assert_int_equal(read(in, &c, 1), 1);
	break_where_they_are(fd, &vmid);
	wait_stopped(fd, vmid, &s);
	assert_int_equal(write(out, &c, 1), 1);
	pause();
}

void patches_of_a_killed_debugger_are_removed(void **state)
{
	struct gpu_job job;
	int to[2], from[2];
	char c = 0;
	pid_t pid;

	(void)state;
	open_spin();
	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		be_debugger(to[0], from[1]);
		_exit(1);
	}
	close(from[1]);
	assert_int_equal(read(from[0], &c, 1), 1);
	start_spinning(&job);
	assert_int_equal(write(to[1], &c, 1), 1);
	assert_int_equal(read(from[0], &c, 1), 1);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	code_is_as_before(&spin);
	end_spinning(&job);
	close(from[0]);
	close(to[0]);
	close(to[1]);
	prog_close(&spin);
}

/* Where nothing empties the instruction caches, waves run what they have. */
void without_invalidation_the_old_code_runs(void **state)
{
	struct stopped s;
	struct handler h;
	struct gpu_job job;
	uint32_t vmid;
	int fd;

	(void)state;
	open_spin();
	fd = session();
	install(fd, &h, stop_code, sizeof(stop_code));
	set_quirk("sqc-caches", 0);
	start_spinning(&job);
	break_where_they_are(fd, &vmid);
	/* If one came to a patch, it would not end. */
	end_spinning(&job);
	set_quirk("sqc-caches", 1);
	close(fd);
	code_is_as_before(&spin);

	fd = session();
	install(fd, &h, stop_code, sizeof(stop_code));
	start_spinning(&job);
	break_where_they_are(fd, &vmid);
	wait_stopped(fd, vmid, &s);
	close(fd);
	end_spinning(&job);
	prog_close(&spin);
}

/* Is the word at @arg what it was? */
static bool is_one(void *arg)
{
	return *(volatile uint32_t *)arg == 1;
}

void a_patch_is_removed_with_its_target(void **state)
{
	struct amdgpudbg_target_set set = { .size = sizeof(set) };
	int fd = open(NODE, O_RDWR | O_CLOEXEC), drm;
	const uint64_t va = 0x200000000;
	uint32_t *word;
	pid_t pid;

	(void)state;
	drm = open(RENDER, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0 && drm >= 0);
	word = map_in(drm, va);
	*word = 1;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		pause();
		_exit(1);
	}
	set.drm_fd = drm;
	set.pidfd = syscall(SYS_pidfd_open, pid, 0);
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_TARGET_SET, &set), 0);
	assert_int_equal(patch(fd, va, 2), 0);
	assert_int_equal(*word, 2);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(until(is_one, word, DEADLINE_S));
	munmap(word, PAGE);
	close(set.pidfd);
	close(drm);
	close(fd);
}

static void enable_handler_lost(int fd)
{
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable), .mask = 1ULL << AMDGPUDBG_EVENT_HANDLER_LOST,
		.entry_size = sizeof(struct amdgpudbg_event),
	};

	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
}

/* read() waits for the event. */
static void handler_is_lost(int fd, uint32_t vmid, enum amdgpudbg_handler_lost why)
{
	struct amdgpudbg_event event;

	assert_int_equal(read(fd, &event, sizeof(event)), sizeof(event));
	assert_int_equal(event.type, AMDGPUDBG_EVENT_HANDLER_LOST);
	assert_int_equal(event.data, why);
	if (vmid)
		assert_int_equal(event.vmid, vmid);
}

/* Another target's session, which has a handler in a VMID that is reserved for it. */
static int session_with_vmid(int drm)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);
	struct handler h;

	assert_true(fd >= 0);
	assert_int_equal(set_target(fd, drm, false), 0);
	install(fd, &h, stop_code, sizeof(stop_code));
	enable_handler_lost(fd);
	return fd;
}

/* A target that loses its VMID loses its own patches; those of others stay. */
void patches_stay_when_another_target_loses_its_vmid(void **state)
{
	union drm_amdgpu_vm unreserve = {
		.in.op = AMDGPU_VM_OP_UNRESERVE_VMID,
	};
	int drm = open(RENDER, O_RDWR | O_CLOEXEC), fd = session(), other;
	uint32_t *in = prog.buf[PROG_IN].cpu, *word;
	const uint64_t va = 0x200000000;

	(void)state;
	assert_true(drm >= 0);
	word = map_in(drm, va);
	*word = 1;
	in[0] = 1;
	other = session_with_vmid(drm);
	assert_int_equal(patch(other, va, 2), 0);
	assert_int_equal(patch(fd, prog.buf[PROG_IN].va, 2), 0);
	assert_int_equal(ioctl(drm, DRM_IOCTL_AMDGPU_VM, &unreserve), 0);
	handler_is_lost(other, 0, AMDGPUDBG_HANDLER_LOST_VMID_RELEASED);
	assert_true(until(is_one, word, DEADLINE_S));
	assert_int_equal(unpatch(other, va, 4), -ENOENT);
	assert_int_equal(in[0], 2);
	assert_int_equal(unpatch(fd, prog.buf[PROG_IN].va, 4), 0);
	assert_int_equal(in[0], 1);
	munmap(word, PAGE);
	close(other);
	close(drm);
	close(fd);
}

static void reset_gpu(void)
{
	const char *debugfs = getenv("DEBUGFS_DIR");
	char path[256], text[64];
	int fd;

	assert_non_null(debugfs);
	snprintf(path, sizeof(path), "%s/amdgpu_gpu_recover", debugfs);
	be(ROOT, true);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text)) > 0);
	close(fd);
	be(USER, true);
}

/* With the handler that waves would need which come there; what has none stays. */
void a_patch_goes_with_its_handler_that_a_reset_ends(void **state)
{
	uint32_t *in = prog.buf[PROG_IN].cpu, word;
	uint64_t va = prog.buf[PROG_IN].va;
	int fd = session();
	struct handler h;

	(void)state;
	in[0] = 1;
	enable_handler_lost(fd);
	install(fd, &h, stop_code, sizeof(stop_code));
	assert_int_equal(patch(fd, va, 2), 0);
	reset_gpu();
	/* The session need not call for that. */
	handler_is_lost(fd, h.vmid, AMDGPUDBG_HANDLER_LOST_RESET);
	assert_int_equal(vm_access(fd, 0, va, &word, 4, NULL), 0);
	assert_true(until(is_one, in, DEADLINE_S));
	assert_int_equal(unpatch(fd, va, 4), -ENOENT);
	assert_int_equal(clear_handler(fd), -ENOENT);

	assert_int_equal(patch(fd, va, 2), 0);
	reset_gpu();
	assert_int_equal(vm_access(fd, 0, va, &word, 4, NULL), 0);
	assert_int_equal(unpatch(fd, va, 4), 0);
	assert_int_equal(in[0], 1);
	close(fd);
}

static void is_refused_for_jobs(int fd, uint64_t va, uint32_t vmid)
{
	struct amdgpudbg_busy busy;

	assert_int_equal(patch(fd, va, S_MOV_S40_7), -EBUSY);
	busy = busy_of(fd);
	assert_int_equal(busy.cause, AMDGPUDBG_BUSY_VMID_JOBS);
	assert_int_equal(busy.by, AMDGPUDBG_BUSY_BY_NONE);
	assert_int_equal(busy.vmid, vmid);
	assert_int_not_equal(busy.pasid, 0);
	code_is_as_before(&prog);
}

/* They are in another VMID than the handler, and may have waves yet to come. */
void patches_wait_for_jobs_without_the_handler(void **state)
{
	uint64_t at = find_insn("trap_value", S_MOV_S40_5);
	struct amdgpudbg_wave waves[NUM_WAVES];
	int fd = session(), other = session();
	struct gpu_job job;
	struct handler h;

	(void)state;
	start("trap_spin", &job);
	wait_begun();
	assert_int_equal(halt_waves(fd, waves, NUM_WAVES), NUM_WAVES);
	assert_int_equal(self_resume(fd, waves[0].vmid), 0);
	/* Without a handler, there is no wait for the waves to have one. */
	assert_int_equal(patch(fd, at, S_MOV_S40_7), 0);
	assert_int_equal(unpatch(fd, at, 4), 0);
	install(fd, &h, stop_code, sizeof(stop_code));
	assert_int_not_equal(h.vmid, waves[0].vmid);
	is_refused_for_jobs(fd, at, waves[0].vmid);
	is_refused_for_jobs(other, at, waves[0].vmid);
	stop_spinning();
	finish(&job, -1);
	assert_int_equal(patch(fd, at, S_MOV_S40_7), 0);
	assert_int_equal(unpatch(fd, at, 4), 0);
	/* Those of its own VMID have it. */
	open_spin();
	start_spinning(&job);
	assert_int_equal(patch(other, at, S_MOV_S40_7), 0);
	assert_int_equal(unpatch(other, at, 4), 0);
	end_spinning(&job);
	prog_close(&spin);
	close(other);
	close(fd);
	code_is_as_before(&prog);
}
