// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading and writing registers of waves: the program debugs its own waves, whose registers are
 * known (tests/kernels/registers.s). Values that it writes appear in their results.
 */
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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg-hsa.h>
#include <linux/amdgpudbg.h>

#include "busy.h"
#include "prog.h"
#include "self.h"
#include "truth.h"

#define CODE_FILE "/usr/share/amdgpudbg/registers.co"
#define GROUP PROG_GROUP		/* 2 waves of 32 or 1 of 64 */
#define UNTOUCHED 0xdeadbeef

/* What the kernels put into their registers: see registers.s. */
#define FIRST_SGPR 24
#define NUM_SGPRS 80
#define SGPR(n) (0x5000u + (n))
#define FIRST_VGPR 8
#define NUM_VGPRS 32
#define VGPR(n, item) ((uint32_t)(n) << 16 | (item))
#define ALL_VGPRS 40
#define M0 0x3000u
#define VCC_LO 0x4000u
#define VCC_HI 0x4001u
#define RESULT(item) (VGPR(8, item) + SGPR(24) + M0 + VCC_LO)

/* v_sub_nc_u32 v5, v8, s24: the other way to a result */
#define OTHER_CODE 0xd5260005

struct fixture {
	struct prog prog;
	const char *kernel;
	struct gpu_job job;
	struct adbg_session *session;
	struct adbg_wave_list *list;
	struct amdgpudbg_wave wave;	/* the first, halted */
};

static struct fixture fx;

/* Buffers are whole pages, so there is room for two values of each item. */
static volatile uint32_t *out(void)
{
	return fx.prog.buf[PROG_OUT].cpu;
}

static int set_up_group(void **state)
{
	int ret;

	(void)state;
	ret = prog_open(&fx.prog, NULL, CODE_FILE, GROUP, 0);
	return ret ? ret : adbg_wave_list_new(&fx.list);
}

static int take_down_group(void **state)
{
	(void)state;
	adbg_wave_list_free(fx.list);
	prog_close(&fx.prog);
	return 0;
}

static int start_waves(const char *kernel)
{
	volatile uint32_t *ctl = prog_ctl(&fx.prog);
	int ret, i;

	ctl[0] = 0;
	ctl[1] = 0;
	for (i = 0; i < 2 * GROUP; i++)
		out()[i] = UNTOUCHED;
	fx.kernel = kernel;
	ret = prog_submit(&fx.prog, kernel, &fx.job);
	return ret ? ret : prog_wait(&fx.prog, 1, GROUP);
}

static int control(struct adbg_session *session, enum amdgpudbg_waveop op)
{
	struct amdgpudbg_wave_control wc = {
		.op = op, .mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = fx.wave.vmid, .at = fx.wave.at,
	};

	return adbg_wave_control(session, &wc);
}

/* The first wave as it is now. */
static int look(void)
{
	int ret = adbg_wave_list_read(fx.list, fx.session, 0);

	if (ret)
		return ret;
	if (!adbg_wave_list_count(fx.list))
		return -ENODATA;
	fx.wave = *adbg_wave_list_get(fx.list, 0);
	return 0;
}

static int start_halted(const char *name)
{
	int ret = start_waves(name);

	if (!ret)
		ret = adbg_open(NULL, &fx.session);
	if (!ret)
		ret = look();
	if (!ret)
		ret = control(fx.session, AMDGPUDBG_WAVEOP_HALT);
	return ret ? ret : look();
}

static int set_up(void **state)
{
	(void)state;
	return start_halted("registers");
}

static int set_up_64(void **state)
{
	(void)state;
	return start_halted("registers64");
}

/* Resume the waves, so that they end; also after a test has failed. */
static int finish(void)
{
	int ret;

	if (!fx.session)
		return 0;
	adbg_session_close(fx.session);
	fx.session = NULL;
	*(volatile uint32_t *)prog_ctl(&fx.prog) = 1;
	ret = gpu_wait(&fx.prog.gpu, &fx.job, AMDGPU_TIMEOUT_INFINITE);
	gpu_job_free(&fx.prog.gpu, &fx.job);
	return ret;
}

static int take_down(void **state)
{
	(void)state;
	return finish();
}

/* The work-item of the first lane of the wave that is debugged. */
static uint32_t first_item(void)
{
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_VGPR,
		.first = 0,
		.count = 1,
		.num_lanes = 1,
	};
	uint32_t item = ~0u;
	struct amdgpudbg_reg_access a = {
		.at = fx.wave.at, .ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)&item, .num_values = 1,
	};

	assert_int_equal(adbg_reg_access(fx.session, &a), 0);
	assert_true(item == 0 || item == 32);
	return item;
}

/* Let it end, and compare its results; @first to @first + 31 may be others. */
static void finish_and_compare(uint32_t first, uint32_t lane, uint32_t wanted)
{
	uint32_t i;

	assert_int_equal(finish(), 0);
	for (i = 0; i < GROUP; i++) {
		bool special = i - first < 32 &&
			       (lane == ~0u || i - first == lane);

		if (!special)
			assert_int_equal(out()[i], RESULT(i));
		else if (wanted == UNTOUCHED)
			assert_int_equal(out()[i], UNTOUCHED);
		else
			assert_int_equal(out()[i], RESULT(i) + wanted);
	}
}

/* @text as adbg_reg_parse() takes it; all values are the same */
static int access_regs(struct adbg_session *session, const char *text,
		       uint32_t lane, uint32_t flags, uint32_t *values)
{
	uint32_t gc_version = adbg_session_get_gc_version(session);
	struct amdgpudbg_reg_range range;
	struct amdgpudbg_reg_access a = {
		.at = fx.wave.at,
		.vmid = fx.wave.vmid,
		.flags = flags,
		.ranges = (uintptr_t)&range,
		.num_ranges = 1,
		.values = (uintptr_t)values,
	};
	int ret;

	assert_int_equal(adbg_reg_parse(gc_version, text, &range), 0);
	if (range.space == AMDGPUDBG_REG_VGPR) {
		range.first_lane = lane;
		range.num_lanes = 1;
	}
	a.num_values = adbg_reg_num_values(&range, 1);
	ret = adbg_reg_access(session, &a);
	if (!ret)
		assert_int_equal(a.num_done, a.num_values);
	return ret;
}

static uint32_t get(const char *text)
{
	uint32_t value[2] = { 0 };

	assert_int_equal(access_regs(fx.session, text, 0, 0, value), 0);
	return value[0];
}

static int put(const char *text, uint32_t value)
{
	return access_regs(fx.session, text, 0, AMDGPUDBG_REG_ACCESS_WRITE,
			   &value);
}

/* ------------------------------------------------------------------ reading */

static void compare_state(const struct adbg_wave_state *state,
			  uint32_t lanes, uint32_t item)
{
	const uint32_t *v, *s;
	uint32_t count, lane, i;

	s = adbg_wave_state_get(state, AMDGPUDBG_REG_SGPR, 0, &count);
	assert_int_equal(count, 108);
	for (i = FIRST_SGPR; i < FIRST_SGPR + NUM_SGPRS; i++)
		assert_int_equal(s[i], SGPR(i));
	assert_int_equal(s[106], VCC_LO);
	assert_int_equal(s[107], VCC_HI);

	assert_int_equal(adbg_wave_state_get_lanes(state), lanes);
	for (lane = 0; lane < lanes; lane++) {
		v = adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, lane,
					&count);
		assert_int_equal(count, ALL_VGPRS);
		assert_int_equal(v[0], item + lane);
		for (i = FIRST_VGPR; i < FIRST_VGPR + NUM_VGPRS; i++)
			assert_int_equal(v[i], VGPR(i, item + lane));
	}
	assert_null(adbg_wave_state_get(state, AMDGPUDBG_REG_VGPR, lanes,
					&count));
	assert_int_equal(count, 0);

	assert_int_equal(adbg_wave_state_get_hwreg(state, AMDGPUDBG_GFX10_3_M0),
			 M0);
	assert_int_equal(adbg_wave_state_get_hwreg(state,
						   AMDGPUDBG_GFX10_3_PC_LO),
			 (uint32_t)fx.wave.pc);
	assert_int_equal(adbg_wave_state_get_hwreg(state,
						   AMDGPUDBG_GFX10_3_PC_HI),
			 fx.wave.pc >> 32);
	assert_int_equal(adbg_wave_state_get_hwreg(state,
						   AMDGPUDBG_GFX10_3_EXEC_LO),
			 0xffffffff);
	assert_int_equal(adbg_wave_state_get_hwreg(state,
						   AMDGPUDBG_GFX10_3_EXEC_HI),
			 lanes == 64 ? 0xffffffff : fx.wave.exec >> 32);
	assert_int_equal(adbg_wave_state_get_hwreg(state,
						   AMDGPUDBG_GFX10_3_HW_ID2),
			 HW(&fx.wave, HW_ID2));
	assert_int_equal(adbg_wave_state_get_hwreg(state,
						   AMDGPUDBG_GFX10_3_GPR_ALLOC),
			 HW(&fx.wave, GPR_ALLOC));
}

static void check_state(uint32_t lanes)
{
	const uint32_t values = 108 + 16 + 19 + lanes * ALL_VGPRS;
	struct truth_accesses before, after;
	struct adbg_wave_state *state;
	uint32_t reads, writes, indices, item = lanes == 64 ? 0 : first_item();

	assert_int_equal(adbg_wave_state_new(&state), 0);
	before = truth_counted_accesses();
	assert_int_equal(adbg_wave_state_read(state, fx.session, &fx.wave), 0);
	after = truth_counted_accesses();
	compare_state(state, lanes, item);
	reads = after.reads - before.reads;
	writes = after.writes - before.writes;
	/* The values; an index for each lane and run of hardware registers; a few. */
	assert_in_range(reads, values, values + 8 + values / 32);
	indices = getenv("NO_AUTO_INCR") ? values + 8 : lanes + 11;
	assert_in_range(writes, indices, indices + 10 + values / 32);
	adbg_wave_state_free(state);
}

static void all_registers_of_a_wave_are_read(void **state)
{
	(void)state;
	check_state(32);
	finish_and_compare(0, 0, 0);
}

static void the_whole_state_is_right_in_wave64(void **state)
{
	(void)state;
	assert_true(fx.wave.flags & AMDGPUDBG_WAVE_WAVE64);
	check_state(64);
	finish_and_compare(0, 0, 0);
}

/* A reader of debugfs, which selects banks between the parts of a transfer. */
static pid_t start_bank_user(const char *dir)
{
	char path[256];
	uint32_t rec[32];
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	snprintf(path, sizeof(path), "%s/amdgpu_wave", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && pread(fd, rec, sizeof(rec), 1ll << 31) > 0)
		if (getppid() == 1)
			break;
	_exit(1);
}

static void long_transfers_share_the_banks(void **state)
{
	const char *dir = getenv("DEBUGFS_DIR");
	struct adbg_wave_state *regs;
	uint32_t item;
	pid_t pid;
	int i;

	(void)state;
	assert_non_null(dir);
	item = first_item();
	pid = start_bank_user(dir);
	assert_true(pid > 0);
	assert_int_equal(adbg_wave_state_new(&regs), 0);
	for (i = 0; i < 20; i++) {
		assert_int_equal(adbg_wave_state_read(regs, fx.session,
						      &fx.wave), 0);
		compare_state(regs, 32, item);
	}
	adbg_wave_state_free(regs);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	finish_and_compare(0, 0, 0);
}

static void a_running_wave_reads_no_zeros(void **state)
{
	static const char *const gprs[] = { "s24", "v8", "ttmp0", "vcc" };
	uint32_t value[2] = { 0x1234, 0x5678 };
	size_t i;

	(void)state;
	assert_int_equal(control(fx.session, AMDGPUDBG_WAVEOP_RESUME), 0);
	for (i = 0; i < sizeof(gprs) / sizeof(gprs[0]); i++) {
		assert_int_equal(access_regs(fx.session, gprs[i], 0, 0, value),
				 -EINPROGRESS);
		assert_int_equal(value[0], 0x1234);
	}
	assert_int_equal(put("s24", 1), -EINPROGRESS);
	assert_int_equal(put("m0", 1), -EINPROGRESS);
	/* Those that need no halt. */
	assert_int_equal(get("m0"), M0);
	assert_int_equal(get("gpr_alloc"), HW(&fx.wave, GPR_ALLOC));
	assert_int_equal(get("exec_lo"), 0xffffffff);
	finish_and_compare(0, 0, 0);
}

/* ------------------------------------------------------------------ writing */

static void a_written_sgpr_changes_the_result(void **state)
{
	uint32_t item = first_item();

	(void)state;
	assert_int_equal(put("s24", SGPR(24) + 0x111), 0);
	assert_int_equal(get("s24"), SGPR(24) + 0x111);
	assert_int_equal(get("s25"), SGPR(25));
	finish_and_compare(item, ~0u, 0x111);
}

static void a_written_vgpr_changes_one_lane(void **state)
{
	uint32_t item = first_item();
	uint32_t value = VGPR(8, item + 5) + 0x2222;

	(void)state;
	assert_int_equal(access_regs(fx.session, "v8", 5,
				     AMDGPUDBG_REG_ACCESS_WRITE, &value),
			 0);
	finish_and_compare(item, 5, 0x2222);
}

static void vcc_and_m0_change_the_result(void **state)
{
	uint32_t vcc[2] = { VCC_LO + 0x10, 0 };
	uint32_t item = first_item();

	(void)state;
	assert_int_equal(access_regs(fx.session, "vcc", 0,
				     AMDGPUDBG_REG_ACCESS_WRITE, vcc),
			 0);
	assert_int_equal(put("m0", M0 + 1), 0);
	finish_and_compare(item, ~0u, 0x11);
}

static void a_lane_without_exec_stores_nothing(void **state)
{
	uint32_t item = first_item();

	(void)state;
	assert_int_equal(put("exec_lo", 0xffffffff & ~(1u << 9)), 0);
	finish_and_compare(item, 9, UNTOUCHED);
}

static uint64_t find_code(uint32_t word)
{
	const struct codeobj *co = &fx.prog.co;
	struct codeobj_kernel kernel;
	size_t i;

	assert_int_equal(codeobj_find(co, fx.kernel, &kernel), 0);
	for (i = kernel.entry; i + 4 <= co->size; i += 4)
		if (!memcmp(co->image + i, &word, 4))
			return fx.prog.buf[PROG_CODE].va + i;
	fail_msg("no instruction %08x", word);
	return 0;
}

static void a_wave_continues_at_a_written_pc(void **state)
{
	uint64_t other = find_code(OTHER_CODE);
	uint32_t pc[2] = { other, other >> 32 };
	uint32_t i, item = first_item();

	(void)state;
	assert_int_equal(access_regs(fx.session, "pc", 0,
				     AMDGPUDBG_REG_ACCESS_WRITE, pc),
			 0);
	assert_int_equal(look(), 0);
	assert_true(fx.wave.pc == other);
	/* At no instruction. */
	assert_int_equal(put("pc_lo", (uint32_t)other + 2), -EINVAL);
	assert_int_equal(finish(), 0);
	for (i = 0; i < GROUP; i++)
		assert_int_equal(out()[i], i - item < 32 ?
				 VGPR(8, i) - SGPR(24) : RESULT(i));
}

static void a_written_mode_changes_the_program(void **state)
{
	uint32_t mode = get("mode"), i, item = first_item();

	(void)state;
	/* FP_ROUND, and bits that are none of MODE's. */
	assert_int_equal(put("mode", (mode ^ 0x5) | 0x60000000), 0);
	assert_int_equal(get("mode"), mode ^ 0x5);
	assert_int_equal(finish(), 0);
	for (i = 0; i < GROUP; i++)
		assert_int_equal(out()[GROUP + i],
				 i - item < 32 ? mode ^ 0x5 : mode);
}

/* A write of STATUS cannot resume a halted wave. */
static void status_keeps_its_protected_bits(void **state)
{
	uint32_t status = get("status");

	(void)state;
	assert_int_equal(put("status", status ^ 0x1), 0);
	assert_int_equal(get("status"), status ^ 0x1);
	assert_int_equal(put("status", 0), 0);
	assert_int_equal(get("status"), status & ~0xc0019u);
	assert_int_equal(put("status", 0xffffffff), 0);
	assert_int_equal(get("status"), status | 0xc0019u);
	assert_int_equal(put("status", status), 0);
	assert_int_equal(look(), 0);
	assert_true(fx.wave.flags & AMDGPUDBG_WAVE_HALTED);
	finish_and_compare(0, 0, 0);
}

static void ttmps_can_be_written(void **state)
{
	uint32_t values[16], back[16], i;

	(void)state;
	for (i = 0; i < 16; i++)
		values[i] = 0x77000000 + i;
	assert_int_equal(access_regs(fx.session, "ttmp0-15", 0,
				     AMDGPUDBG_REG_ACCESS_WRITE, values),
			 0);
	assert_int_equal(access_regs(fx.session, "ttmp[0:15]", 0, 0, back), 0);
	assert_memory_equal(back, values, sizeof(back));
	finish_and_compare(0, 0, 0);
}

/* What the library says of each hardware register is what the module does. */
static void hardware_registers_are_as_the_library_says(void **state)
{
	uint32_t gc_version = adbg_session_get_gc_version(fx.session);
	const struct adbg_reg *reg;
	uint32_t old, flip, num = 0;
	size_t i;

	(void)state;
	for (i = 0; (reg = adbg_reg_get(gc_version, i)); i++) {
		if (reg->space != AMDGPUDBG_REG_HW)
			continue;
		num++;
		old = get(reg->name);
		if (!reg->writable) {
			assert_int_equal(put(reg->name, old), -EOPNOTSUPP);
			continue;
		}
		/* Not what ends the wave, or is no place of an instruction. */
		flip = reg->writable;
		if (reg->number == AMDGPUDBG_GFX10_3_TRAPSTS)
			flip &= 0x7f;
		if (reg->number == AMDGPUDBG_GFX10_3_PC_LO)
			flip &= ~3u;
		assert_int_equal(put(reg->name, old ^ flip), 0);
		assert_int_equal(get(reg->name), old ^ flip);
		assert_int_equal(put(reg->name, old), 0);
		assert_int_equal(get(reg->name), old);
	}
	assert_int_equal(num, 19);
	finish_and_compare(0, 0, 0);
}

static int compare_and_write(uint32_t was, uint32_t value)
{
	const struct amdgpudbg_reg_range ranges[2] = {
		{ .space = AMDGPUDBG_REG_SGPR, .first = 24, .count = 1 },
		{ .space = AMDGPUDBG_REG_VGPR, .first = 8, .count = 1,
		  .first_lane = 3, .num_lanes = 1 },
	};
	uint32_t compare[2] = { SGPR(24), was };
	uint32_t values[2] = { SGPR(24) + 4, value };
	struct amdgpudbg_reg_access a = {
		.at = fx.wave.at,
		.flags = AMDGPUDBG_REG_ACCESS_WRITE |
			 AMDGPUDBG_REG_ACCESS_COMPARE,
		.ranges = (uintptr_t)ranges,
		.num_ranges = 2,
		.values = (uintptr_t)values,
		.compare = (uintptr_t)compare,
		.num_values = 2,
	};

	return adbg_reg_access(fx.session, &a);
}

static void compare_and_write_is_all_or_nothing(void **state)
{
	uint32_t item = first_item(), mine = VGPR(8, item + 3), i;

	(void)state;
	assert_int_equal(compare_and_write(mine + 1, 0), -ESTALE);
	assert_int_equal(get("s24"), SGPR(24));
	assert_int_equal(compare_and_write(mine, mine + 1), 0);
	assert_int_equal(finish(), 0);
	for (i = 0; i < GROUP; i++)
		assert_int_equal(out()[i], RESULT(i) +
				 (i - item < 32 ? 4 : 0) +
				 (i == item + 3 ? 1 : 0));
}

/* A scalar register, and TRAPSTS with exceptions, which the wave does not look at */
static int write_bits(uint32_t s24, uint32_t s24_bits, uint32_t trapsts,
		      uint32_t trapsts_bits)
{
	const struct amdgpudbg_reg_range ranges[2] = {
		{ .space = AMDGPUDBG_REG_SGPR, .first = 24, .count = 1 },
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_TRAPSTS,
		  .count = 1 },
	};
	uint32_t values[2] = { s24, trapsts }, bits[2] = { s24_bits, trapsts_bits };
	struct amdgpudbg_reg_access a = {
		.at = fx.wave.at,
		.flags = AMDGPUDBG_REG_ACCESS_WRITE | AMDGPUDBG_REG_ACCESS_MASK,
		.ranges = (uintptr_t)ranges,
		.num_ranges = 2,
		.values = (uintptr_t)values,
		.compare = (uintptr_t)bits,
		.num_values = 2,
	};

	return adbg_reg_access(fx.session, &a);
}

static void a_masked_write_keeps_the_other_bits(void **state)
{
	uint32_t s24 = SGPR(24), trapsts;

	(void)state;
	trapsts = get("trapsts");
	assert_int_equal(write_bits(~s24, 0xff00, 0x7, 0x7), 0);
	assert_int_equal(get("s24"), s24 ^ 0xff00);
	assert_int_equal(get("trapsts"), trapsts | 0x7);
	assert_int_equal(write_bits(0, 0, 0, 0x2), 0);
	assert_int_equal(get("s24"), s24 ^ 0xff00);
	assert_int_equal(get("trapsts"), (trapsts | 0x7) & ~0x2);
	assert_int_equal(write_bits(s24, ~0u, 0, 0x7), 0);
	assert_int_equal(get("s24"), s24);
	assert_int_equal(get("trapsts"), trapsts & ~0x7);
	finish_and_compare(0, 0, 0);
}

/* ------------------------------------------------------------------- whose */

static void another_wave_in_the_slot_is_detected(void **state)
{
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_SGPR, .first = 24, .count = 1,
	};
	uint32_t value = 0;
	struct amdgpudbg_reg_access a = {
		.at = fx.wave.at, .flags = AMDGPUDBG_REG_ACCESS_EXPECT_PC,
		.pc = fx.wave.pc, .ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)&value, .num_values = 1,
	};

	(void)state;
	assert_int_equal(adbg_reg_access(fx.session, &a), 0);
	assert_int_equal(value, SGPR(24));
	a.pc += 4;
	assert_int_equal(adbg_reg_access(fx.session, &a), -ESTALE);
	a.pc = 0;
	a.flags = 0;
	a.vmid = fx.wave.vmid % 15 + 1;
	assert_int_equal(adbg_reg_access(fx.session, &a), -ESTALE);
	a.vmid = 0;
	a.at.wave = 15;
	assert_int_equal(adbg_reg_access(fx.session, &a), -ENODATA);
	a.at.se = 7;
	assert_int_equal(adbg_reg_access(fx.session, &a), -ENXIO);
	finish_and_compare(0, 0, 0);
}

static void registers_that_the_wave_lacks_are_enxio(void **state)
{
	uint32_t values[2];

	(void)state;
	assert_int_equal(access_regs(fx.session, "v39", 31, 0, values), 0);
	assert_int_equal(access_regs(fx.session, "v40", 0, 0, values), -ENXIO);
	assert_int_equal(access_regs(fx.session, "v[39:40]", 0, 0, values),
			 -ENXIO);
	assert_int_equal(access_regs(fx.session, "v8", 32, 0, values), -ENXIO);
	finish_and_compare(0, 0, 0);
}

static void another_session_reads_but_does_not_write(void **state)
{
	struct adbg_session *other;
	uint32_t value = 0;

	(void)state;
	assert_int_equal(adbg_open(NULL, &other), 0);
	assert_int_equal(access_regs(other, "s24", 0, 0, &value), 0);
	assert_int_equal(value, SGPR(24));
	value = 1;
	assert_int_equal(access_regs(other, "s24", 0,
				     AMDGPUDBG_REG_ACCESS_WRITE, &value),
			 -EBUSY);
	assert_busy(adbg_session_get_fd(other), AMDGPUDBG_BUSY_WAVE, getpid());
	assert_int_equal(get("s24"), SGPR(24));
	adbg_session_close(other);
	finish_and_compare(0, 0, 0);
}

static int set_target(struct adbg_session *session, int drm_fd)
{
	struct amdgpudbg_target_set target = {
		.size = sizeof(target), .drm_fd = drm_fd, .pidfd = -1,
	};

	return ioctl(adbg_session_get_fd(session), AMDGPUDBG_IOC_TARGET_SET,
		     &target) ? -errno : 0;
}

static void only_registers_of_the_target_are_accessed(void **state)
{
	struct adbg_session *other;
	uint32_t value = 0;
	struct gpu gpu;

	(void)state;
	assert_int_equal(adbg_open(NULL, &other), 0);
	assert_int_equal(set_target(other, fx.prog.gpu.fd), 0);
	assert_int_equal(access_regs(other, "s24", 0, 0, &value), 0);
	assert_int_equal(value, SGPR(24));
	adbg_session_close(other);

	/* An address space of its own, which has no waves. */
	value = 7;
	assert_int_equal(gpu_open(&gpu, "/dev/dri/renderD128"), 0);
	assert_int_equal(adbg_open(NULL, &other), 0);
	assert_int_equal(set_target(other, gpu.fd), 0);
	assert_int_equal(access_regs(other, "s24", 0, 0, &value), -ENODATA);
	assert_int_equal(access_regs(other, "status", 0, 0, &value), -ENODATA);
	assert_int_equal(value, 7);
	assert_int_equal(access_regs(other, "s24", 0,
				     AMDGPUDBG_REG_ACCESS_WRITE, &value),
			 -ENODATA);
	adbg_session_close(other);
	gpu_close(&gpu);
	finish_and_compare(0, 0, 0);
}

/* As a tool that was written to amdkfd's thunk does it. */
static void a_wave_halted_through_debugfs_can_be_read(void **state)
{
	const struct adbg_hsa_message place = { .at = fx.wave.at };
	struct adbg_hsa_wave_message message = { .memory_va = NULL };
	struct adbg_session *other;

	(void)state;
	assert_int_equal(control(fx.session, AMDGPUDBG_WAVEOP_RESUME), 0);
	assert_int_equal(adbg_open(NULL, &other), 0);
	assert_int_equal(adbg_hsa_message_encode(&place, &message.value), 0);
	/* HALT, SINGLE; it needs a target. */
	assert_int_equal(adbg_hsa_wave_control(other, 1, 0, 0, &message),
			 -EINVAL);
	assert_int_equal(set_target(other, fx.prog.gpu.fd), 0);
	assert_int_equal(adbg_hsa_wave_control(other, 1, 0, 0, &message), 0);
	assert_int_equal(look(), 0);
	assert_true(fx.wave.flags & AMDGPUDBG_WAVE_HALTED);
	assert_int_equal(put("s30", 1), -EBUSY);
	assert_busy(adbg_session_get_fd(fx.session), AMDGPUDBG_BUSY_WAVE,
		    getpid());
	/* RESUME, SINGLE */
	assert_int_equal(adbg_hsa_wave_control(other, 2, 0, 0, &message), 0);
	assert_int_equal(look(), 0);
	assert_false(fx.wave.flags & AMDGPUDBG_WAVE_HALTED);
	adbg_session_close(other);
	finish_and_compare(0, 0, 0);
}

/* ------------------------------------------------------ hardware that cannot */

/* What this hardware can write through SQ_IND_DATA. */
static void set_quirk(unsigned int value)
{
	char question[128], answer[256];

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"quirk\",\"name\":\"sq-ind-writes\",\"value\":%u}",
		 value);
	assert_int_equal(vgpu_ask(question, answer, sizeof(answer)), 0);
	assert_non_null(strstr(answer, "true"));
}

static void a_write_that_the_gpu_ignores_is_eio(void **state)
{
	const struct amdgpudbg_reg_range ranges[3] = {
		{ .space = AMDGPUDBG_REG_SGPR, .first = 30, .count = 2 },
		{ .space = AMDGPUDBG_REG_HW,
		  .first = AMDGPUDBG_GFX10_3_MODE,
		  .count = 1 },
		{ .space = AMDGPUDBG_REG_SGPR, .first = 40, .count = 1 },
	};
	uint32_t mode = get("mode"), values[4] = { 1, 2, mode ^ 1, 3 };
	struct amdgpudbg_reg_access a = {
		.at = fx.wave.at,
		.flags = AMDGPUDBG_REG_ACCESS_WRITE,
		.ranges = (uintptr_t)ranges,
		.num_ranges = 3,
		.values = (uintptr_t)values,
		.num_values = 4,
	};

	(void)state;
	/* Hardware that can write GPRs alone. */
	set_quirk(1);
	assert_int_equal(adbg_reg_access(fx.session, &a), -EIO);
	assert_int_equal(a.num_done, 2);
	assert_int_equal(get("s30"), 1);
	assert_int_equal(get("s31"), 2);
	assert_int_equal(get("mode"), mode);
	assert_int_equal(get("s40"), SGPR(40));
	/* Hardware that can write none. */
	set_quirk(0);
	assert_int_equal(put("s40", 9), -EIO);
	assert_int_equal(put("s40", SGPR(40)), 0);
	set_quirk(15);
	assert_int_equal(put("s40", 9), 0);
	finish_and_compare(0, 0, 0);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, take_down)
	const struct CMUnitTest tests[] = {
		TEST(all_registers_of_a_wave_are_read),
		cmocka_unit_test_setup_teardown(
			the_whole_state_is_right_in_wave64, set_up_64,
			take_down),
		TEST(long_transfers_share_the_banks),
		TEST(a_running_wave_reads_no_zeros),
		TEST(a_written_sgpr_changes_the_result),
		TEST(a_written_vgpr_changes_one_lane),
		TEST(vcc_and_m0_change_the_result),
		TEST(a_lane_without_exec_stores_nothing),
		TEST(a_wave_continues_at_a_written_pc),
		TEST(a_written_mode_changes_the_program),
		TEST(status_keeps_its_protected_bits),
		TEST(ttmps_can_be_written),
		TEST(hardware_registers_are_as_the_library_says),
		TEST(compare_and_write_is_all_or_nothing),
		TEST(a_masked_write_keeps_the_other_bits),
		TEST(another_wave_in_the_slot_is_detected),
		TEST(registers_that_the_wave_lacks_are_enxio),
		TEST(another_session_reads_but_does_not_write),
		TEST(only_registers_of_the_target_are_accessed),
		TEST(a_wave_halted_through_debugfs_can_be_read),
		TEST(a_write_that_the_gpu_ignores_is_eio),
	};

	return cmocka_run_group_tests(tests, set_up_group, take_down_group);
}
