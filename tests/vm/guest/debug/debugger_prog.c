// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See debugger.h. This process is its own target, which works because its waves do not depend
 * on its threads.
 */
#include "debugger.h"

#include <stdio.h>
#include <unistd.h>

#include "until.h"

enum { CTL_GO, CTL_BEGUN, CTL_ROUNDS, CTL_AGAIN, CTL_LATE, CTL_COME };

#define EXCHANGE_GROUP	(32 * GROUP_WAVES)

struct prog prog;
struct gpu_job job;
struct adbgd_process *process;
struct adbgd_error error;
uint64_t code_va;

static uint32_t breaks_rounds = ROUNDS;

int attach(int32_t to)
{
	int64_t deadline = deadline_ns(DEADLINE_MS / 1000);
	int ret;

	do {
		ret = adbgd_process_attach(NULL, to, 0, &process, &error);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	return ret;
}

void detach(void)
{
	adbgd_process_detach(process);
	process = NULL;
}

static struct adbg_session *session;

struct adbg_session *own_session(void)
{
	struct amdgpudbg_info info = { 0 };

	assert_null(session);
	assert_int_equal(adbg_open(NULL, &session), 0);
	assert_int_equal(adbg_target_attach(session, getpid(), 0, NULL), 0);
	assert_int_equal(adbg_session_get_info(session, &info), 0);
	assert_int_equal(adbg_event_enable(session, ADBGD_PROCESS_EVENTS & info.event_mask, 0,
					   AMDGPUDBG_EVENT_CAPACITY_MAX), 0);
	return session;
}

void close_own_session(void)
{
	adbg_session_close(session);
	session = NULL;
}

int open_some(void **state)
{
	(void)state;
	return prog_open(&prog, NULL, CODE_FILE, ITEMS, 0);
}

int open_exchange(void **state)
{
	int ret = open_some(state);

	prog.group_size = EXCHANGE_GROUP;
	prog.lds_bytes = 4 * EXCHANGE_GROUP;
	return ret;
}

int open_waves(void **state)
{
	(void)state;
	return prog_open(&prog, NULL, CODE_FILE, SOME_ITEMS, 0);
}

int open_many(void **state)
{
	(void)state;
	return prog_open(&prog, NULL, CODE_FILE, MANY_ITEMS, 0);
}

int close_prog(void **state)
{
	(void)state;
	prog_close(&prog);
	return 0;
}

int set_up(void **state)
{
	int ret = attach(getpid());

	(void)state;
	if (ret)
		print_error("%s\n", error.text);
	return ret;
}

int take_down(void **state)
{
	(void)state;
	prog.ring = 0;
	prog_ctl(&prog)[CTL_ROUNDS] = 0;
	come();
	release_waves();
	go_again();
	detach();
	close_own_session();
	return is_code_as_before() ? 0 : -1;
}

uint64_t address_in(const char *file, uint64_t va, const char *name)
{
	const struct adbgd_code_info *info;
	const struct adbgd_symbol *symbol;
	struct adbgd_code *code;
	uint64_t address;

	MUST(adbgd_code_open(file, &code, &error));
	info = adbgd_code_get_info(code);
	MUST(adbgd_code_set_base(code, info->text.start + va, &error));
	symbol = adbgd_code_find_symbol(code, name);
	if (!symbol)
		fail_msg("no %s in %s", name, file);
	address = symbol->address;
	adbgd_code_free(code);
	return address;
}

uint64_t address_of(const char *name)
{
	return address_in(CODE_FILE, code_va ? code_va : prog.buf[PROG_CODE].va, name);
}

uint32_t input(uint32_t i)
{
	return i * 0x10001 + 7;
}

uint32_t after_rounds(uint32_t x, uint32_t rounds)
{
	uint32_t mul = 3, add = 0x12345;

	if (!rounds)
		return x;
	/* Its low 24 bits do not depend on others: that is so often the same map, by doubling. */
	for (uint32_t n = rounds - 1; n; n >>= 1) {
		if (n & 1)
			x = mul * x + add;
		add += mul * add;
		mul *= mul;
	}
	return 3 * (x & 0xffffff) + 0x12345;
}

static void submit(const char *name, unsigned int again)
{
	uint32_t *in = prog.buf[PROG_IN].cpu;

	for (uint32_t i = 0; i < prog.items; i++)
		in[i] = input(i);
	memset(prog.buf[PROG_OUT].cpu, 0, prog.buf[PROG_OUT].size);
	memset(prog_ctl(&prog), 0, PROG_CTL_WORDS * 4);
	prog.again = again;
	assert_int_equal(prog_submit(&prog, name, &job), 0);
}

void start_kernel(const char *name)
{
	submit(name, 0);
}

void start_job(void)
{
	start_kernel("breaks");
}

void start_job_twice(void)
{
	submit("breaks", CTL_AGAIN);
}

void go_again(void)
{
	volatile uint32_t *ctl = prog_ctl(&prog);

	ctl[CTL_AGAIN] = 1;
}

/* None of the right ones is 0. */
static bool is_written(void *arg)
{
	const volatile uint32_t *out = prog.buf[PROG_OUT].cpu;

	(void)arg;
	for (uint32_t i = 0; i < prog.items; i++) {
		if (!out[i])
			return false;
	}
	return true;
}

static void assert_results(void)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu;

	for (uint32_t i = 0; i < prog.items; i++)
		assert_int_equal(out[i], after_rounds(input(i), breaks_rounds));
}

void wait_written(void)
{
	assert_true(until(is_written, NULL, DEADLINE_MS / 1000));
	assert_results();
	memset(prog.buf[PROG_OUT].cpu, 0, prog.buf[PROG_OUT].size);
}

void release_waves(void)
{
	volatile uint32_t *ctl = prog_ctl(&prog);

	ctl[CTL_GO] = 1;
}

void wait_begun(void)
{
	assert_int_equal(prog_wait(&prog, CTL_BEGUN, prog.items), 0);
}

bool job_has_ended(void)
{
	return !gpu_wait(&prog.gpu, &job, 0);
}

void wait_job(void)
{
	assert_int_equal(gpu_wait(&prog.gpu, &job, deadline_ns(DEADLINE_MS / 1000) - now_ns()),
			 0);
	gpu_job_free(&prog.gpu, &job);
}

void finish_job(void)
{
	wait_job();
	assert_results();
}

void start_rounds(void)
{
	start_kernel("rounds");
	prog_ctl(&prog)[CTL_ROUNDS] = UINT32_MAX;
	wait_begun();
	release_waves();
}

uint64_t finish_rounds(void)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu, *in = prog.buf[PROG_IN].cpu;
	uint64_t sum = 0;

	__atomic_store_n(&prog_ctl(&prog)[CTL_ROUNDS], 0, __ATOMIC_SEQ_CST);
	wait_job();
	for (uint32_t i = 0; i < prog.items; i++) {
		uint32_t rounds = in[prog.items + i];

		/* All lanes of a wave have done the same; one is looked at. */
		assert_true(rounds);
		assert_int_equal(rounds, in[prog.items + i / 32 * 32]);
		if (i % 32 != i / 32 % 32)
			continue;
		assert_int_equal(out[i], after_rounds(input(i), rounds));
		sum += rounds;
	}
	return sum;
}

void start_exchange(uint32_t late)
{
	start_kernel("exchange");
	prog_ctl(&prog)[CTL_LATE] = late;
	release_waves();
}

void come(void)
{
	__atomic_store_n(&prog_ctl(&prog)[CTL_COME], 1, __ATOMIC_SEQ_CST);
}

/* One round of a group, of which @x are the values */
static void exchange_round(uint32_t x[EXCHANGE_GROUP], uint32_t first)
{
	uint32_t before[EXCHANGE_GROUP];

	memcpy(before, x, sizeof(before));
	for (uint32_t i = 0; i < EXCHANGE_GROUP; i++)
		x[i] = 3 * (before[(i + 32) % EXCHANGE_GROUP] & 0xffffff) + first + i;
}

bool is_exchanged(void)
{
	const uint32_t *out = prog.buf[PROG_OUT].cpu;
	uint32_t x[EXCHANGE_GROUP];

	for (uint32_t first = 0; first < prog.items; first += EXCHANGE_GROUP) {
		for (uint32_t i = 0; i < EXCHANGE_GROUP; i++)
			x[i] = input(first + i);
		for (unsigned int round = 0; round < ROUNDS; round++)
			exchange_round(x, first);
		if (memcmp(x, out + first, sizeof(x)))
			return false;
	}
	return true;
}

void finish_exchange(void)
{
	wait_job();
	assert_true(is_exchanged());
}

/* s_add_u32 s13, s13, 1 and 2: SOP2 of the RDNA 2 ISA document */
#define COUNT_ONE	0x800d810d
#define COUNT_TWO	0x800d820d

/* @other is mapped in its place. */
static int put_code(struct gpu_buffer *other)
{
	struct gpu_buffer *code = &prog.buf[PROG_CODE];

	amdgpu_bo_cpu_unmap(code->bo);
	if (amdgpu_bo_va_op(code->bo, 0, code->size, code->va, 0, AMDGPU_VA_OP_UNMAP) ||
	    amdgpu_bo_free(code->bo) ||
	    amdgpu_bo_va_op_raw(prog.gpu.dev, other->bo, 0, code->size, code->va,
				AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_EXECUTABLE,
				AMDGPU_VA_OP_MAP))
		return -1;
	code->bo = other->bo;
	code->cpu = other->cpu;
	return 0;
}

int renew_code(void)
{
	struct gpu_buffer other;

	if (gpu_alloc(&prog.gpu, &other, prog.buf[PROG_CODE].size))
		return -1;
	memcpy(other.cpu, prog.co.image, prog.co.size);
	return put_code(&other);
}

int change_code(void)
{
	struct gpu_buffer other;
	uint32_t *insn;

	if (gpu_alloc(&prog.gpu, &other, prog.buf[PROG_CODE].size))
		return -1;
	memcpy(other.cpu, prog.co.image, prog.co.size);
	insn = (uint32_t *)((uint8_t *)other.cpu + address_of("breaks_loop") -
			    prog.buf[PROG_CODE].va);
	if (*insn != COUNT_ONE)
		return -1;
	*insn = COUNT_TWO;
	breaks_rounds = ROUNDS / 2;
	return put_code(&other);
}

bool is_code_as_before(void)
{
	return !memcmp(prog.buf[PROG_CODE].cpu, prog.co.image, prog.co.size);
}

void assert_code_as_before(void)
{
	assert_true(is_code_as_before());
}

struct adbgd_stop next_stop(void)
{
	struct adbgd_stop stop;

	MUST(adbgd_process_wait_stop(process, DEADLINE_MS, &stop, &error));
	return stop;
}

void assert_no_stop(void)
{
	struct adbgd_stop stop;

	assert_int_equal(adbgd_process_wait_stop(process, 0, &stop, &error), -EAGAIN);
}

struct amdgpudbg_wave wave_at(const struct amdgpudbg_wave_coord *at)
{
	struct amdgpudbg_wave wave;
	struct amdgpudbg_wave_list list = {
		.select.at = *at, .capacity = 1, .waves = (uintptr_t)&wave,
		.select.at_mask = AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE |
				  AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP |
				  AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE,
	};

	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	assert_int_equal(list.count, 1);
	return wave;
}

struct adbgd_stop stop_at(struct adbgd_breakpoint *b)
{
	/* The stop clears a temporary breakpoint. */
	const struct adbgd_breakpoint_info info = *adbgd_breakpoint_get_info(b);
	struct adbgd_stop stop = next_stop();
	struct amdgpudbg_wave wave = wave_at(&stop.at);
	uint64_t address = info.address;

	assert_string_equal(adbgd_stop_reason_name(stop.reason), "breakpoint");
	assert_int_equal(stop.breakpoint, info.number);
	assert_true(stop.pc == address);
	assert_true(wave.flags & AMDGPUDBG_WAVE_HALTED);
	assert_true(wave.pc == address);
	return stop;
}

void all_stop_at(struct adbgd_breakpoint *b, struct adbgd_stop stops[NUM_WAVES])
{
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		stops[i] = stop_at(b);
		for (unsigned int k = 0; k < i; k++)
			assert_memory_not_equal(&stops[k].at, &stops[i].at,
						sizeof(stops[i].at));
	}
	assert_no_stop();
}

void wait_set(struct adbgd_breakpoint *b)
{
	struct adbgd_stop stop;

	while (adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING)
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
}

struct adbgd_breakpoint *waits_for_waves_of_before(uint32_t flags)
{
	struct adbgd_breakpoint *b;

	detach();
	start_job();
	wait_begun();
	MUST(attach(getpid()));
	MUST(adbgd_breakpoint_set(process, address_of("breaks_loop"), flags, &b, &error));
	assert_true(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING);
	assert_code_as_before();
	release_waves();
	wait_set(b);
	finish_job();
	start_job();
	release_waves();
	stop_at(b);
	return b;
}

static unsigned int count_waves(uint32_t flags_mask, uint32_t flags)
{
	static struct amdgpudbg_wave waves[MAX_WAVES];
	struct amdgpudbg_wave_list list = {
		.capacity = MAX_WAVES, .waves = (uintptr_t)waves,
		.select.wave_flags_mask = flags_mask, .select.wave_flags = flags,
	};

	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	return list.count;
}

unsigned int count_halted(void)
{
	return count_waves(AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV, AMDGPUDBG_WAVE_HALTED);
}

static bool are_halted(void *arg)
{
	return count_halted() == *(unsigned int *)arg;
}

void wait_halted(unsigned int num)
{
	assert_true(until(are_halted, &num, DEADLINE_MS / 1000));
}

static bool are_left(void *arg)
{
	return count_waves(0, 0) <= *(unsigned int *)arg;
}

void wait_waves(unsigned int num)
{
	assert_true(until(are_left, &num, DEADLINE_MS / 1000));
}

void print_progress(unsigned int done)
{
	if (done % 10)
		return;
	printf("# %u times\n", done);
	fflush(stdout);
}

int read_regs(struct adbg_session *session, const struct amdgpudbg_wave_coord *at,
	      const struct amdgpudbg_reg_range *range, uint32_t *values)
{
	struct amdgpudbg_reg_access access = {
		.at = *at, .num_ranges = 1, .ranges = (uintptr_t)range,
		.num_values = range->count * (range->num_lanes ? range->num_lanes : 1),
		.values = (uintptr_t)values,
	};

	return adbg_reg_access(session, &access);
}

void read_lanes(const struct amdgpudbg_wave_coord *at, uint32_t reg, uint32_t lanes[32])
{
	const struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_VGPR, .first = reg, .count = 1, .num_lanes = 32,
	};

	assert_int_equal(read_regs(adbgd_process_get_session(process), at, &range, lanes), 0);
}

void write_reg(const struct amdgpudbg_wave_coord *at, uint32_t space, uint32_t number,
	       uint32_t value)
{
	const struct amdgpudbg_reg_range range = { .space = space, .first = number, .count = 1 };
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE, .at = *at,
		.num_ranges = 1, .ranges = (uintptr_t)&range,
		.num_values = 1, .values = (uintptr_t)&value,
	};

	assert_int_equal(adbg_reg_access(adbgd_process_get_session(process), &access), 0);
}

uint32_t read_sgpr(const struct amdgpudbg_wave_coord *at, uint32_t number)
{
	const struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_SGPR, .first = number, .count = 1,
	};
	uint32_t value;

	assert_int_equal(read_regs(adbgd_process_get_session(process), at, &range, &value), 0);
	return value;
}
