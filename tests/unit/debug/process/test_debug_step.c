// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/process/run.c: a step from a breakpoint whose displaced instruction the program has
 * overwritten, or replaced by a jump to itself. This file simulates the GPU.
 */
#include "debug/util.h"

#include <errno.h>

#include "mock.h"
#include "process/breakpoint.h"

#define PC		0x123400001000ull	/* of the instruction under the breakpoint */
#define CODE		0x200000000ull	/* the buffer of the debugger's code */
#define PLACES		(CODE + 0x1000)
#define MAX_STEPS	100

#define S_SETPC_S4	0xbe802004	/* s_setpc_b64 s[4:5] */
#define S_SWAPPC_S4	0xbe862104	/* s_swappc_b64 s[6:7], s[4:5] */

static struct adbgd_process process;
static struct adbgd_breakpoint breakpoint;
static struct amdgpudbg_wave wave;
static uint32_t buffer[ADBGD_DISPLACED_DWORDS];	/* what is in the place of the copy */
static const uint64_t *steps_to;	/* where each step leads, the last one again and again */
static unsigned int num_steps_to, num_steps;

static void read_patch(void *arg)
{
	struct amdgpudbg_vm_access *access = arg;
	uint32_t patch = adbgd_patch_insn();

	memcpy((void *)(uintptr_t)access->data, &patch, sizeof(patch));
	access->done = access->bytes;
}

static void read_buffer(void *arg)
{
	const struct amdgpudbg_mem_copy *copy = arg;
	uint64_t at = copy->offset - (PLACES - CODE);

	assert_int_equal(copy->flags, 0);
	assert_true(at < sizeof(buffer) && copy->bytes <= sizeof(buffer) - at);
	memcpy((void *)(uintptr_t)copy->data, (char *)buffer + at, copy->bytes);
}

/* PC_LO and PC_HI come first. */
static void write_pc(void *arg)
{
	struct amdgpudbg_reg_access *access = arg;
	const uint32_t *values = (const uint32_t *)(uintptr_t)access->values;

	wave.pc = values[0] | (uint64_t)values[1] << 32;
	access->num_done = access->num_values;
}

static void step_wave(void *arg)
{
	struct amdgpudbg_wave_control *control = arg;

	assert_int_equal(control->op, AMDGPUDBG_WAVEOP_STEP);
	assert_int_equal(control->pc, wave.pc);
	if (num_steps >= MAX_STEPS)
		fail_msg("one step takes more than %u steps of the wave", MAX_STEPS);
	wave.pc = steps_to[num_steps < num_steps_to ? num_steps : num_steps_to - 1];
	num_steps++;
	control->matched = 1;
	control->changed = 1;
	control->new_pc = wave.pc;
}

static const struct mock_ioctl answers[] = {
	{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = &wave, .num_waves = 1 },
	{ .request = AMDGPUDBG_IOC_VM_ACCESS, .check = read_patch },
	{ .request = AMDGPUDBG_IOC_MEM_COPY, .check = read_buffer },
	{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = write_pc },
	{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .check = step_wave },
};

static void begin(uint32_t insn, const uint64_t *to, unsigned int num)
{
	static const struct mock_ioctl open[] = { MOCK_GET_INFO };

	process = (struct adbgd_process){
		.info = { .vmid = 1, .gc_version = ADBG_GC_VERSION(10, 3, 1) },
		.session = mock_session(open, 1),
		.interrupt_fd = -1, .va_bits = 48,
		.handler = { .code_id = 1, .code_va = CODE, .displaced_va = PLACES },
		.breakpoints.first = &breakpoint,
	};
	mock_answer(answers, ARRAY_SIZE(answers));
	assert_int_equal(adbg_wave_list_new(&process.waves), 0);
	breakpoint = (struct adbgd_breakpoint){
		.info = { .number = 1, .address = PC }, .process = &process, .insn = { insn },
	};
	assert_int_equal(adbgd_displace(process.info.gc_version, &insn, 1, PC,
					&process.handler.displaced[0]), 0);
	memcpy(buffer, process.handler.displaced[0].code, sizeof(buffer));
	wave = (struct amdgpudbg_wave){
		.vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, .pc = PC,
	};
	steps_to = to;
	num_steps_to = num;
	num_steps = 0;
}

static void end(void)
{
	adbg_wave_list_free(process.waves);
	adbg_session_close(process.session);
}

static void a_jump_to_its_own_copy_is_one_step(void **state)
{
	static const uint64_t to[] = { PLACES };
	struct adbgd_error error;
	struct adbgd_stop stop;

	(void)state;
	begin(S_SETPC_S4, to, ARRAY_SIZE(to));
	if (adbgd_wave_step(&process, &wave.at, &stop, &error))
		fail_msg("%s", error.text);
	assert_int_equal(num_steps, 1);
	assert_int_equal(stop.reason, ADBGD_STOP_STEP);
	assert_int_equal(stop.pc, PC);
	assert_int_equal(stop.breakpoint, 1);
	end();
}

/* A wave that began before the process had its own VMID. */
static void a_stop_has_the_vmid_of_its_wave(void **state)
{
	static const uint64_t to[] = { PLACES };
	struct adbgd_error error;
	struct adbgd_stop stop;

	(void)state;
	begin(S_SETPC_S4, to, ARRAY_SIZE(to));
	wave.vmid = 2;
	if (adbgd_wave_step(&process, &wave.at, &stop, &error))
		fail_msg("%s", error.text);
	assert_int_equal(stop.reason, ADBGD_STOP_STEP);
	assert_int_equal(stop.vmid, 2);
	end();
}

/* s_swappc_b64 is copied as two moves of the return address and a jump. */
static void a_step_does_all_of_a_copy(void **state)
{
	static const uint64_t to[] = { PLACES + 8, PLACES + 16, 0x300000000ull };
	struct adbgd_error error;
	struct adbgd_stop stop;

	(void)state;
	begin(S_SWAPPC_S4, to, ARRAY_SIZE(to));
	assert_int_equal(process.handler.displaced[0].num_copied, 5);
	if (adbgd_wave_step(&process, &wave.at, &stop, &error))
		fail_msg("%s", error.text);
	assert_int_equal(num_steps, 3);
	assert_int_equal(stop.pc, 0x300000000ull);
	end();
}

static void a_call_into_its_own_copy_ends_the_step(void **state)
{
	static const uint64_t to[] = { PLACES + 8, PLACES + 16, PLACES + 8 };
	struct adbgd_error error;
	struct adbgd_stop stop;

	(void)state;
	begin(S_SWAPPC_S4, to, ARRAY_SIZE(to));
	if (adbgd_wave_step(&process, &wave.at, &stop, &error))
		fail_msg("%s", error.text);
	assert_int_equal(num_steps, 3);
	assert_int_equal(stop.pc, PC);
	end();
}

static void a_copy_that_was_overwritten_is_not_executed(void **state)
{
	static const uint64_t to[] = { 0x300000000ull };
	struct adbgd_error error;
	struct adbgd_stop stop;

	(void)state;
	begin(S_SETPC_S4, to, ARRAY_SIZE(to));
	buffer[0] ^= 1;
	assert_int_equal(adbgd_wave_step(&process, &wave.at, &stop, &error), -EBADMSG);
	assert_string_equal(error.text,
			    "the program has overwritten the displaced instruction of "
			    "0x123400001000");
	assert_int_equal(num_steps, 0);
	assert_int_equal(wave.pc, PC);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(a_jump_to_its_own_copy_is_one_step),
		MOCK_TEST(a_stop_has_the_vmid_of_its_wave),
		MOCK_TEST(a_step_does_all_of_a_copy),
		MOCK_TEST(a_call_into_its_own_copy_ends_the_step),
		MOCK_TEST(a_copy_that_was_overwritten_is_not_executed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
