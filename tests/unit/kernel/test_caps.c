// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The capabilities for each kind of target: the module's decision, compiled for the host,
 * because there are no amdkfd processes on the software GPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef int32_t s32;
typedef uint32_t u32;

#include "../../../kernel/caps.c"

#define NUM_CAPS (AMDGPUDBG_CAP_JOB_LIST + 1)
#define CAP(name) (1u << AMDGPUDBG_CAP_##name)

/* What a VMID of the target's own is needed for */
#define OF_VMID \
	(CAP(TRAP_HANDLER) | CAP(WATCH) | CAP(LAUNCH_MODE) | CAP(EXCP_MASK) | CAP(STALL))

/* Of all capabilities: which are missing, and which have another code than none? */
static void look(enum wdbg_waves_of whose, bool isolated, uint32_t *missing, uint32_t *coded)
{
	struct amdgpudbg_capability cap;

	*missing = 0;
	*coded = 0;
	for (uint32_t id = 0; id < NUM_CAPS; id++) {
		struct wdbg_answer answer = wdbg_caps_for(whose, isolated, id);

		if (!answer.supported)
			*missing |= 1u << id;
		if (answer.code)
			*coded |= 1u << id;
		/* A sentence that fits, if and only if there is something to say */
		assert_int_equal(!answer.code, !answer.text);
		if (answer.text) {
			assert_true(strlen(answer.text) < sizeof(cap.reason));
			assert_int_equal(answer.text[strlen(answer.text) - 1], '.');
		}
	}
	assert_int_equal(*missing & ~*coded, 0);
}

static uint32_t code_of(enum wdbg_waves_of whose, bool isolated, uint32_t id)
{
	return wdbg_caps_for(whose, isolated, id).code;
}

static void a_graphics_target_has_all_that_the_gpu_has(void **state)
{
	uint32_t missing, coded;

	(void)state;
	look(WDBG_WAVES_OF_RINGS, false, &missing, &coded);
	assert_int_equal(missing, 0);
	assert_int_equal(coded, 0);
	assert_int_equal(wdbg_caps_halt_limit_ms(WDBG_WAVES_OF_RINGS), 0);
}

static void isolation_takes_what_needs_a_vmid(void **state)
{
	uint32_t missing, coded;

	(void)state;
	look(WDBG_WAVES_OF_RINGS, true, &missing, &coded);
	assert_int_equal(missing, OF_VMID);
	assert_int_equal(code_of(WDBG_WAVES_OF_RINGS, true, AMDGPUDBG_CAP_WATCH),
			 AMDGPUDBG_REASON_ISOLATION);
}

static void an_amdkfd_target_with_cwsr_can_be_halted(void **state)
{
	const enum wdbg_waves_of kfd = WDBG_WAVES_OF_KFD;
	uint32_t missing, coded;

	(void)state;
	look(kfd, false, &missing, &coded);
	assert_int_equal(missing, OF_VMID | CAP(VMID_GUARD) | CAP(WAVE_TRAP));
	assert_int_equal(coded & ~missing, CAP(REG_WRITE) | CAP(JOB_EVENTS) | CAP(JOB_LIST));
	for (uint32_t id = 0; id < NUM_CAPS; id++)
		if (coded >> id & 1)
			assert_int_equal(code_of(kfd, false, id), AMDGPUDBG_REASON_KFD);
	assert_int_equal(wdbg_caps_halt_limit_ms(kfd), 0);
}

static void an_amdkfd_target_without_cwsr_can_be_halted_for_a_while(void **state)
{
	const enum wdbg_waves_of kfd = WDBG_WAVES_OF_KFD_NO_CWSR;
	uint32_t missing, coded;

	(void)state;
	look(kfd, false, &missing, &coded);
	assert_int_equal(missing, OF_VMID | CAP(VMID_GUARD) | CAP(WAVE_TRAP) |
				  CAP(TIMEOUT_HOLD));
	assert_int_equal(coded & ~missing, CAP(REG_WRITE) | CAP(JOB_EVENTS) | CAP(JOB_LIST) |
					   CAP(WAVE_HALT));
	assert_int_equal(code_of(kfd, false, AMDGPUDBG_CAP_WAVE_HALT),
			 AMDGPUDBG_REASON_NO_CWSR);
	assert_int_equal(code_of(kfd, false, AMDGPUDBG_CAP_TIMEOUT_HOLD),
			 AMDGPUDBG_REASON_NO_CWSR);
	assert_int_equal(wdbg_caps_halt_limit_ms(kfd), 4500);
}

/* All of these, and not one alone */
static void a_picture_blocks_what_stops_graphics(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 32; i++) {
		const struct wdbg_display display = {
			.active = i & 1, .master = i & 2, .leased = i & 4,
			.graphics = i & 8,
		};
		bool blocked = (i & 1) && (i & (2 | 4)) && (i & 8) && !(i & 16);

		assert_int_equal(wdbg_caps_blocked_by(&display, i & 16), blocked);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_graphics_target_has_all_that_the_gpu_has),
		cmocka_unit_test(isolation_takes_what_needs_a_vmid),
		cmocka_unit_test(an_amdkfd_target_with_cwsr_can_be_halted),
		cmocka_unit_test(an_amdkfd_target_without_cwsr_can_be_halted_for_a_while),
		cmocka_unit_test(a_picture_blocks_what_stops_graphics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
