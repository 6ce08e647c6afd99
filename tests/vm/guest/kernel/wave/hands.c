// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wave slots that pass from one user to another while a session reads them: a user who debugs
 * waves of the same user must never see or change anything of another user's waves. The
 * software GPU lends a slot of one user to a wave of the other ("lend" of its control socket),
 * at each read of a call in turn and for different times. At the end both users run short waves
 * as fast as they can.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "people.h"
#include "self.h"
#include "truth.h"
#include "until.h"
#include "victim.h"

#define DATA "/usr/share/amdgpudbg/"
#define MIN_ITEMS 1024		/* 32 waves, two for each SIMD of a small GPU */
#define WAVE_ITEMS 32		/* registers.s, and spin of kernels.cl */
#define DEADLINE_S 60
/* Buffers before the code, so that no other process has code there. */
#define PAD (64 << 20)
#define M0 0x3000		/* see registers.s */
#define FOREVER 1000000
#define NUM_HWREGS (AMDGPUDBG_GFX10_3_SCHED_MODE + 1)

/* For how many reads the slot is lent; the short form has the first two of them. */
static const unsigned int stays[] = { 1, FOREVER, 3, 8 };
#define NUM_STAYS (sizeof(stays) / sizeof(stays[0]))
#define NUM_STAYS_SHORT 2
#define ROUNDS 1000
#define ROUNDS_SHORT 30

static uint32_t num_items;	/* of each of the two, so that each SIMD has waves of both */
static struct prog mine;
static struct gpu_buffer pad, code;
static struct gpu_job job;
static struct victim stranger;
static uint32_t strangers_pasid;
static int session = -1;
static int roots = -1;		/* root's, who holds the other's waves */
static struct amdgpudbg_wave ref;	/* the wave of mine that is looked at */
static unsigned int lent_to;		/* the other's slot */

/* ------------------------------------------------------------------ set up */

static int start_mine(const char *code_object)
{
	int ret;

	be(USER, true);
	ret = prog_open(&mine, NULL, code_object, num_items, 0);
	if (!ret)
		ret = gpu_alloc(&mine.gpu, &pad, PAD);
	if (!ret)
		ret = gpu_alloc(&mine.gpu, &code, mine.co.size);
	if (!ret)
		memcpy(code.cpu, mine.co.image, mine.co.size);
	return ret;
}

static void close_mine(void)
{
	gpu_free(&mine.gpu, &code);
	gpu_free(&mine.gpu, &pad);
	prog_close(&mine);
}

static int submit(const char *kernel, uint32_t items, struct gpu_job *j)
{
	struct prog_kernarg *arg = mine.buf[PROG_KERNARG].cpu;
	struct gpu_buffer bufs[PROG_NUM_BUFS + 1];
	struct codeobj_kernel ck;
	struct gpu_dispatch d = {
		.kernel = &ck,
		.code_va = code.va,
		.kernarg_va = mine.buf[PROG_KERNARG].va,
		.groups = items / PROG_GROUP,
		.group_size = PROG_GROUP,
	};
	int ret = codeobj_find(&mine.co, kernel, &ck);

	if (ret)
		return ret;
	*arg = (struct prog_kernarg){
		.out = mine.buf[PROG_OUT].va,
		.in = mine.buf[PROG_IN].va,
		.ctl = mine.buf[PROG_CTL].va,
		.n = items,
	};
	memcpy(bufs, mine.buf, sizeof(mine.buf));
	bufs[PROG_NUM_BUFS] = code;
	return gpu_submit(&mine.gpu, &d, bufs, PROG_NUM_BUFS + 1, j);
}

static int open_session(void)
{
	const struct self s = { .prog = mine };

	return self_session(&s, true);
}

/* In place of what was lent until now: how many reads that has counted. */
static unsigned int lend(unsigned int after, unsigned int stay)
{
	char question[256], answer[256];
	const char *reads;

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"lend\",\"se\":%u,\"sa\":%u,\"wgp\":%u,\"simd\":%u,"
		 "\"slot\":%u,\"to\":%u,\"after\":%u,\"stay\":%u}",
		 ref.at.se, ref.at.sa, ref.at.wgp, ref.at.simd, ref.at.wave,
		 lent_to, after, stay);
	be(ROOT, true);
	if (vgpu_ask(question, answer, sizeof(answer))) {
		fprintf(stderr, "vgpu does not lend: %s\n", answer);
		abort();
	}
	be(USER, true);
	reads = strstr(answer, "\"reads\":");
	return reads ? strtoul(reads + 8, NULL, 0) : 0;
}

static int list_one(uint32_t flags, struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .entry_size = sizeof(*wave),
		.capacity = 1, .waves = (uintptr_t)wave, .flags = flags,
		.select.at = ref.at, .select.at_mask = 0x3f,
	};
	int ret = self_call(session, AMDGPUDBG_IOC_WAVE_LIST, &list);

	return ret ? ret : (int)list.count;
}

static uint32_t vmid_of(uint32_t pasid)
{
	static struct amdgpudbg_wave waves[MAX_WAVES];

	assert_true(see_waves(pasid, waves, MAX_WAVES) > 0);
	return waves[0].vmid;
}

/* A wave of mine that shares its SIMD with one of the other's. */
static void find_neighbours(uint32_t my_vmid)
{
	static struct truth own, others;

	be(ROOT, true);
	own = truth_of(my_vmid);
	others = truth_of(vmid_of(strangers_pasid));
	be(USER, true);
	for (unsigned int i = 0; i < own.count; i++) {
		struct amdgpudbg_wave_coord a = own.wave[i].at;

		for (unsigned int k = 0; k < others.count; k++) {
			struct amdgpudbg_wave_coord b = others.wave[k].at;

			lent_to = b.wave;
			b.wave = a.wave;
			if (memcmp(&a, &b, sizeof(a)))
				continue;
			memcpy(&ref.at, &a, sizeof(ref.at));
			return;
		}
	}
	fail_msg("no SIMD with waves of both");
}

static uint32_t my_vmid(void)
{
	struct amdgpudbg_wave any;
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .entry_size = sizeof(any),
		.capacity = 1, .waves = (uintptr_t)&any,
	};
	int ret = self_call(session, AMDGPUDBG_IOC_WAVE_LIST, &list);

	assert_true(!ret || ret == -EMSGSIZE);
	return any.vmid;
}

static int start_stranger(const char *how)
{
	char items[16];
	char *spin[] = { "compute", "-n", items, "-r", "1", "spin", NULL };
	char *loop[] = { "compute", "-n", "128", "-r", "1", "-l", "hash", NULL };

	snprintf(items, sizeof(items), "%u", num_items);
	be(ROOT, true);
	if (victim_start_as(&stranger, OTHER, strcmp(how, "loop") ? spin : loop))
		return -1;
	strangers_pasid = pasid_of(stranger.pid);
	be(USER, true);
	return strangers_pasid ? 0 : -1;
}

static int finish_stranger(void)
{
	be(ROOT, true);
	return victim_finish(&stranger);
}

/* My waves wait, with registers that are known; the other's spin. */
static int set_up(void **state)
{
	uint32_t *ctl;
	int ret;

	(void)state;
	if (start_mine(DATA "registers.co") || start_stranger("spin"))
		return -1;
	ctl = prog_ctl(&mine);
	ctl[0] = 0;
	ctl[1] = 0;
	ret = submit("registers", num_items, &job);
	if (!ret)
		ret = prog_wait(&mine, 1, num_items);
	if (ret)
		return ret;
	session = open_session();
	if (session < 0)
		return session;
	find_neighbours(my_vmid());
	return list_one(0, &ref) == 1 ? 0 : -1;
}

static int take_down(void **state)
{
	const uint32_t *out = mine.buf[PROG_OUT].cpu;
	int ret;

	(void)state;
	lend(0, 0);
	close(session);
	if (roots >= 0)
		close(roots);
	roots = -1;
	prog_ctl(&mine)[0] = 1;
	ret = gpu_wait(&mine.gpu, &job, deadline_ns(DEADLINE_S) - now_ns());
	if (!ret)
		gpu_job_free(&mine.gpu, &job);
	for (uint32_t i = 0; i < num_items && !ret; i++) {
		/* See registers.s: v8, s24, M0, VCC_LO */
		if (out[i] == (8u << 16 | i % PROG_GROUP) + 0x5000 + 24 + M0 +
			      0x4000)
			continue;
		fprintf(stderr, "result %u is %#x\n", i, out[i]);
		ret = -EILSEQ;
	}
	close_mine();
	return finish_stranger() ?: ret;
}

/* ---------------------------------------------------------------- checking */

static bool in_my_code(uint64_t pc)
{
	return pc >= code.va && pc < code.va + mine.co.size;
}

static bool is_my_instruction(uint32_t dw0)
{
	for (size_t i = 0; i + 4 <= mine.co.size; i += 4)
		if (!memcmp(mine.co.image + i, &dw0, sizeof(dw0)))
			return true;
	return false;
}

static bool is_same(const struct amdgpudbg_wave *w, unsigned int hwreg)
{
	return w->hw[hwreg] == ref.hw[hwreg];
}

static void assert_mine(const struct amdgpudbg_wave *w, unsigned int after,
			unsigned int stay)
{
	if (in_my_code(w->pc) && is_my_instruction(HW(w, INST_DW0)) &&
	    HW(w, M0) == M0 && w->exec == ref.exec && w->vmid == ref.vmid &&
	    w->pasid == ref.pasid && is_same(w, AMDGPUDBG_GFX10_3_HW_ID1) &&
	    is_same(w, AMDGPUDBG_GFX10_3_HW_ID2) &&
	    is_same(w, AMDGPUDBG_GFX10_3_GPR_ALLOC) &&
	    is_same(w, AMDGPUDBG_GFX10_3_LDS_ALLOC) &&
	    is_same(w, AMDGPUDBG_GFX10_3_IB_STS2) &&
	    !(w->flags & (AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP)))
		return;
	fail_msg("lent after %u reads for %u: pc %#llx inst %#x m0 %#x exec %#llx flags %#x hw_id2 %#x gpr_alloc %#x",
		 after, stay, (unsigned long long)w->pc, HW(w, INST_DW0),
		 HW(w, M0), (unsigned long long)w->exec, w->flags,
		 HW(w, HW_ID2), HW(w, GPR_ALLOC));
}

typedef void (*look_fn)(unsigned int after, unsigned int stay);

/* Lend the slot at each read that @look makes there, until it makes no more. */
static void at_each_read(look_fn look)
{
	unsigned int after, i, reads;

	for (after = 0;; after++) {
		reads = lend(after, stays[0]);
		if (after && reads < after)
			break;
		look(after, stays[0]);
		for (i = 1; i < long_or_short(NUM_STAYS, NUM_STAYS_SHORT); i++) {
			lend(after, stays[i]);
			look(after, stays[i]);
		}
	}
	lend(0, 0);
	/* It was lent at some of them. */
	assert_true(after > 3);
}

/* ------------------------------------------------------------------- tests */

static void list(unsigned int after, unsigned int stay)
{
	struct amdgpudbg_wave wave;
	int ret = list_one(0, &wave);

	assert_in_range(ret, 0, 1);
	if (ret)
		assert_mine(&wave, after, stay);
}

static void a_list_has_no_wave_of_another_process(void **state)
{
	struct amdgpudbg_wave wave;

	(void)state;
	at_each_read(list);
	/* Once the slot is free again, the wave of this process is there. */
	assert_int_equal(list_one(0, &wave), 1);
	assert_mine(&wave, 0, 0);
	/* Others start and run during the call. */
	assert_int_equal(see_halted(0), 0);
}

/* Root does not pay for what he may see anyway, but one record is one wave's. */
static void a_list_of_root_mixes_no_two_waves(void **state)
{
	(void)state;
	close(session);
	be(ROOT, true);
	session = open_session();
	assert_true(session >= 0);
	be(ROOT, true);
	for (unsigned int after = 0; after < 25; after++) {
		struct amdgpudbg_wave wave;

		lend(after, FOREVER);
		be(ROOT, true);
		if (list_one(0, &wave))
			assert_mine(&wave, after, FOREVER);
	}
	be(USER, true);
}

static void list_ttmps(unsigned int after, unsigned int stay)
{
	struct amdgpudbg_wave wave;
	int ret = list_one(AMDGPUDBG_WAVE_LIST_TTMP, &wave);

	assert_in_range(ret, 0, 1);
	if (ret)
		assert_mine(&wave, after, stay);
}

/* Root holds the other's waves, so that all their registers could be read. */
static void halt_stranger(void)
{
	struct amdgpudbg_wave_control wc = {
		.size = sizeof(wc),
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		.vmid = vmid_of(strangers_pasid),
	};
	const struct self s = { .prog = mine };

	be(ROOT, true);
	roots = self_session(&s, false);
	assert_true(roots >= 0);
	assert_int_equal(self_call(roots, AMDGPUDBG_IOC_WAVE_CONTROL, &wc), 0);
	be(USER, true);
}

static void a_list_has_no_halted_wave_of_another_process(void **state)
{
	(void)state;
	halt_stranger();
	at_each_read(list_ttmps);
}

static int access_regs(uint32_t flags, uint32_t space, uint32_t first,
		       uint32_t count, uint32_t *values)
{
	const struct amdgpudbg_reg_range range = {
		.space = space, .first = first, .count = count,
	};
	struct amdgpudbg_reg_access a = {
		.size = sizeof(a), .flags = flags, .at = ref.at,
		.num_ranges = 1, .ranges = (uintptr_t)&range,
		.values = (uintptr_t)values, .num_values = count,
	};

	return self_call(session, AMDGPUDBG_IOC_REG_ACCESS, &a);
}

static void read_hwregs(unsigned int after, unsigned int stay)
{
	uint32_t v[NUM_HWREGS] = { 0 };
	int ret = access_regs(0, AMDGPUDBG_REG_HW, 0, NUM_HWREGS, v);
	struct amdgpudbg_wave wave = {
		.vmid = ref.vmid,
		.pasid = ref.pasid,
		.pc = (uint64_t)v[AMDGPUDBG_GFX10_3_PC_HI] << 32 |
		      v[AMDGPUDBG_GFX10_3_PC_LO],
		.exec = (uint64_t)v[AMDGPUDBG_GFX10_3_EXEC_HI] << 32 |
			v[AMDGPUDBG_GFX10_3_EXEC_LO],
	};

	memcpy(wave.hw, v, sizeof(v));
	if (!ret)
		assert_mine(&wave, after, stay);
	else if (ret != -ENODATA && ret != -ESTALE)
		fail_msg("lent after %u reads for %u: %d", after, stay, ret);
}

static void registers_of_another_wave_in_the_slot_are_not_read(void **state)
{
	uint32_t value;

	(void)state;
	at_each_read(read_hwregs);
	/* Once the slot is free again, they can be read. */
	assert_int_equal(access_regs(0, AMDGPUDBG_REG_HW, 0, 1, &value), 0);
}

/* What the software GPU says of M0 of the other's wave */
static uint32_t strangers_m0(void)
{
	static char answer[1 << 17];
	char question[128];
	const char *m0;

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"wave\",\"se\":%u,\"sa\":%u,\"wgp\":%u,\"simd\":%u,\"slot\":%u}",
		 ref.at.se, ref.at.sa, ref.at.wgp, ref.at.simd, lent_to);
	be(ROOT, true);
	if (vgpu_ask(question, answer, sizeof(answer)))
		abort();
	be(USER, true);
	m0 = strstr(answer, "\"m0\":\"");
	if (!m0)
		abort();
	return strtoul(m0 + 6, NULL, 0);
}

#define WRITTEN 0x77777777

/* My wave runs, so it is refused; the other's is halted. */
static void write_m0(unsigned int after, unsigned int stay)
{
	uint32_t value = WRITTEN;
	int ret = access_regs(AMDGPUDBG_REG_ACCESS_WRITE, AMDGPUDBG_REG_HW,
			      AMDGPUDBG_GFX10_3_M0, 1, &value);

	if (ret != -EINPROGRESS && ret != -ENODATA && ret != -ESTALE)
		fail_msg("lent after %u reads for %u: %d", after, stay, ret);
}

static void registers_of_another_wave_in_the_slot_are_not_written(void **state)
{
	uint32_t before;

	(void)state;
	halt_stranger();
	before = strangers_m0();
	assert_int_not_equal(before, WRITTEN);
	at_each_read(write_m0);
	assert_int_equal(strangers_m0(), before);
}

/* ------------------------------------------------------------------- races */

static atomic_bool stop;

/* One short job after the other. */
static void *run_jobs(void *arg)
{
	int *ret = arg;

	prog_ctl(&mine)[0] = 1;
	while (!stop && !*ret) {
		struct gpu_job short_job;

		*ret = submit("registers", 128, &short_job);
		if (!*ret)
			*ret = gpu_wait(&mine.gpu, &short_job,
					deadline_ns(DEADLINE_S) - now_ns());
		if (!*ret)
			gpu_job_free(&mine.gpu, &short_job);
	}
	return NULL;
}

static void look_at_all(unsigned int *seen)
{
	static struct amdgpudbg_wave waves[MAX_WAVES];
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .entry_size = sizeof(waves[0]),
		.capacity = MAX_WAVES, .waves = (uintptr_t)waves,
	};

	assert_int_equal(self_call(session, AMDGPUDBG_IOC_WAVE_LIST, &list), 0);
	for (unsigned int i = 0; i < list.count; i++)
		if (!in_my_code(waves[i].pc))
			fail_msg("list: pc %#llx, vmid %u",
				 (unsigned long long)waves[i].pc,
				 waves[i].vmid);
	*seen += list.count;
	for (unsigned int i = 0; i < list.count && i < 4; i++) {
		uint32_t pc[2];

		ref.at = waves[i].at;
		if (!access_regs(0, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_LO, 2,
				 pc) &&
		    !in_my_code((uint64_t)pc[1] << 32 | pc[0]))
			fail_msg("read: pc %#x%08x", pc[1], pc[0]);
	}
}

static void short_waves_in_one_slot_are_distinguished(void **state)
{
	unsigned int i, seen = 0;
	pthread_t thread;
	int ret = 0;

	(void)state;
	assert_int_equal(start_mine(DATA "registers.co"), 0);
	assert_int_equal(start_stranger("loop"), 0);
	session = open_session();
	assert_true(session >= 0);
	stop = false;
	assert_int_equal(pthread_create(&thread, NULL, run_jobs, &ret), 0);
	for (i = 0; i < long_or_short(ROUNDS, ROUNDS_SHORT); i++)
		look_at_all(&seen);
	stop = true;
	pthread_join(thread, NULL);
	assert_int_equal(ret, 0);
	print_message("# %u calls, %u waves\n", i, seen);
	close(session);
	close_mine();
	assert_int_equal(finish_stranger(), 0);
}

/* Groups go to all WGPs in turn, and their waves to the SIMDs in turn. */
static int count_items(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	static const struct self any;
	uint32_t simds;
	int fd, ret;

	(void)state;
	fd = self_session(&any, false);
	if (fd < 0)
		return fd;
	ret = self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info);
	close(fd);
	if (ret)
		return ret;
	simds = info.num_se * info.num_sa * info.num_wgp * info.num_simd;
	num_items = simds * WAVE_ITEMS;
	if (num_items < MIN_ITEMS)
		num_items = MIN_ITEMS;
	return 0;
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, take_down)
	const struct CMUnitTest tests[] = {
		TEST(a_list_has_no_wave_of_another_process),
		TEST(a_list_of_root_mixes_no_two_waves),
		TEST(a_list_has_no_halted_wave_of_another_process),
		TEST(registers_of_another_wave_in_the_slot_are_not_read),
		TEST(registers_of_another_wave_in_the_slot_are_not_written),
		cmocka_unit_test(short_waves_in_one_slot_are_distinguished),
	};

	return cmocka_run_group_tests(tests, count_items, NULL);
}
