// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/wave.c and lib/wave_list.c: reading waves, lists that grow, control of waves.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

/* What the next WAVE_LIST must ask for. */
static uint32_t wanted_capacity, wanted_mask, wanted_stride;

static void check_list(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	assert_int_equal(list->size, sizeof(*list));
	assert_int_equal(list->flags, 0);
	assert_int_equal(list->timeout_ms, 0);
	assert_int_equal(list->capacity, wanted_capacity);
	assert_int_equal(list->select.vmid_mask, wanted_mask);
	assert_int_equal(list->entry_size, wanted_stride);
}

#define LIST_FOUR { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .check = check_list, \
	.waves = mock_waves, .num_waves = ARRAY_SIZE(mock_waves), \
}

static void waves_go_to_the_callers_buffer(void **state)
{
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO, LIST_FOUR };
	struct adbg_session *session = mock_session(expect, 2);
	struct amdgpudbg_wave waves[6];
	struct amdgpudbg_wave_list read = {
		.waves = (uintptr_t)waves, .capacity = 6, .select.vmid_mask = 0x2,
	};

	(void)state;
	memset(waves, 0xee, sizeof(waves));
	wanted_capacity = 6;
	wanted_mask = 0x2;
	wanted_stride = sizeof(struct amdgpudbg_wave);
	assert_int_equal(adbg_wave_read(session, &read), 0);
	assert_int_equal(read.count, 4);
	assert_int_equal(read.gpu_reset_count, 2);
	assert_int_equal(waves[1].at.wgp, 3);
	assert_int_equal(waves[1].at.simd, 1);
	assert_int_equal(waves[1].at.wave, 5);
	assert_int_equal(waves[1].flags,
			 AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV |
				 AMDGPUDBG_WAVE_WAVE64 | AMDGPUDBG_WAVE_PASID |
				 AMDGPUDBG_WAVE_HAS_HANDLER);
	assert_int_equal(waves[1].pasid, 0x8001);
	assert_true(waves[1].pc == 0xffff800000001004);
	assert_true(waves[1].exec == 0x8000000000000001);
	assert_int_equal(waves[1].HW(TRAPSTS), 0x80);
	assert_int_equal(waves[3].vmid, 3);
	assert_int_equal(waves[4].vmid, 0xeeeeeeee);
	adbg_session_close(session);
}

static void a_short_buffer_says_how_many_there_are(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, LIST_FOUR, LIST_FOUR,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave waves[3];
	struct amdgpudbg_wave_list read = { .waves = (uintptr_t)waves,
					    .capacity = 2 };
	struct amdgpudbg_wave_list count = { 0 };

	(void)state;
	memset(waves, 0xee, sizeof(waves));
	wanted_capacity = 2;
	wanted_mask = 0;
	assert_int_equal(adbg_wave_read(session, &read), -EMSGSIZE);
	assert_int_equal(read.count, 4);
	assert_int_equal(waves[1].at.wgp, 3);
	assert_int_equal(waves[2].vmid, 0xeeeeeeee);

	/* Without a buffer it counts. */
	wanted_capacity = 0;
	assert_int_equal(adbg_wave_read(session, &count), -EMSGSIZE);
	assert_int_equal(count.count, 4);
	adbg_session_close(session);
}

/* A caller with a stride of its own */
static int read_as_asked(struct adbg_session *session,
			 struct amdgpudbg_wave_list *read)
{
	return adbg_call(session, AMDGPUDBG_IOC_WAVE_LIST, read);
}

static void records_may_be_longer_or_shorter(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, LIST_FOUR, LIST_FOUR,
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct {
		struct amdgpudbg_wave wave;
		uint64_t newer;
	} waves[4];
	struct amdgpudbg_wave_list read = {
		.size = sizeof(read), .waves = (uintptr_t)waves,
		.entry_size = sizeof(waves[0]), .capacity = 4,
	};

	(void)state;
	memset(waves, 0xee, sizeof(waves));
	wanted_capacity = 4;
	wanted_mask = 0;
	wanted_stride = sizeof(waves[0]);
	assert_int_equal(read_as_asked(session, &read), 0);
	assert_int_equal(waves[3].wave.vmid, 3);
	assert_int_equal(waves[3].newer, 0);

	read.entry_size = 64;
	wanted_stride = 64;
	assert_int_equal(read_as_asked(session, &read), 0);
	assert_int_equal(((struct amdgpudbg_wave *)((char *)waves + 192))->vmid,
			 3);
	wanted_stride = sizeof(struct amdgpudbg_wave);
	adbg_session_close(session);
}

static void errors_leave_the_request_alone(void **state)
{
	static const int errors[] = {
		EPERM, EINVAL, EOPNOTSUPP, EBUSY, ENODEV, EFAULT, ETIMEDOUT,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		const struct mock_ioctl expect[] = {
			MOCK_GET_INFO,
			{ .request = AMDGPUDBG_IOC_WAVE_LIST, .error = EINTR },
			{ .request = AMDGPUDBG_IOC_WAVE_LIST,
			  .error = errors[i] },
		};
		struct adbg_session *session = mock_session(expect, 3);
		struct amdgpudbg_wave_list read = { .count = 77 };

		assert_int_equal(adbg_wave_read(session, &read), -errors[i]);
		assert_int_equal(read.count, 77);
		adbg_session_close(session);
	}
	mock_reset();
}

static void a_list_reads_with_one_call(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, LIST_FOUR, LIST_FOUR,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .error = ENODEV },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct adbg_wave_list *list = NULL;

	(void)state;
	wanted_capacity = 256;
	wanted_mask = 0x8;
	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_wave_list_count(list), 0);
	assert_null(adbg_wave_list_get(list, 0));
	assert_int_equal(adbg_wave_list_read(list, session, 0x8), 0);
	assert_int_equal(adbg_wave_list_count(list), 4);
	assert_int_equal(adbg_wave_list_get(list, 2)->at.sa, 1);
	assert_null(adbg_wave_list_get(list, 4));

	assert_int_equal(adbg_wave_list_read(list, session, 0x8), 0);
	assert_int_equal(adbg_wave_list_read(list, session, 0x8), -ENODEV);
	assert_int_equal(adbg_wave_list_count(list), 0);
	adbg_wave_list_free(list);
	adbg_wave_list_free(NULL);
	adbg_session_close(session);
}

/* It is the caller's structure: the list's own buffer does not stay in it. */
static void a_list_keeps_its_buffer_to_itself(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, LIST_FOUR,
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT, .error = EBUSY },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave mine = { .vmid = 77 };
	struct amdgpudbg_wave_list what = {
		.waves = (uintptr_t)&mine, .capacity = 1, .select.vmid_mask = 0x8,
	};
	struct adbg_wave_list *list = NULL;

	(void)state;
	wanted_capacity = 256;
	wanted_mask = 0x8;
	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_wave_list_fill(list, session, &what), 0);
	assert_int_equal(what.count, 4);
	assert_ptr_equal((void *)(uintptr_t)what.waves, &mine);
	assert_int_equal(what.capacity, 1);
	assert_int_equal(adbg_wave_list_snapshot(list, session, &what), -EBUSY);
	assert_ptr_equal((void *)(uintptr_t)what.waves, &mine);
	assert_int_equal(what.capacity, 1);
	assert_int_equal(mine.vmid, 77);
	adbg_wave_list_free(list);
	adbg_session_close(session);
}

/* The GPU of mock_info has 512 slots. */
static struct amdgpudbg_wave *many_waves(size_t count)
{
	struct amdgpudbg_wave *waves = calloc(count, sizeof(*waves));

	assert_non_null(waves);
	for (size_t i = 0; i < count; i++)
		waves[i].vmid = i;
	return waves;
}

static uint32_t capacities[8];
static unsigned int num_capacities;

static void note_capacity(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	assert_true(num_capacities < ARRAY_SIZE(capacities));
	capacities[num_capacities++] = list->capacity;
}

static void a_list_grows_until_all_waves_fit(void **state)
{
	struct amdgpudbg_wave *waves = many_waves(500);
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .check = note_capacity,
		  .waves = waves, .num_waves = 300 },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .check = note_capacity,
		  .waves = waves, .num_waves = 500 },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .check = note_capacity,
		  .waves = waves, .num_waves = 499 },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .check = note_capacity,
		  .waves = waves, .num_waves = 500 },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct adbg_wave_list *list = NULL;

	(void)state;
	num_capacities = 0;
	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_wave_list_read(list, session, 0), 0);
	assert_int_equal(adbg_wave_list_count(list), 499);
	assert_int_equal(adbg_wave_list_get(list, 498)->vmid, 498);
	assert_int_equal(num_capacities, 3);
	assert_int_equal(capacities[0], 256);
	assert_int_equal(capacities[1], 391);	/* 300 and some */
	assert_int_equal(capacities[2], 512);	/* no more slots than that */

	/* The buffer stays. */
	assert_int_equal(adbg_wave_list_read(list, session, 0), 0);
	assert_int_equal(adbg_wave_list_count(list), 500);
	assert_int_equal(capacities[3], 512);
	adbg_wave_list_free(list);
	adbg_session_close(session);
	free(waves);
}

static void a_list_gives_up_on_a_kernel_that_never_has_enough(void **state)
{
	static struct mock_ioctl expect[9] = { MOCK_GET_INFO };
	struct amdgpudbg_wave *waves = many_waves(9000);
	struct adbg_wave_list *list = NULL;
	struct adbg_session *session;

	(void)state;
	for (uint32_t i = 1; i < ARRAY_SIZE(expect); i++)
		expect[i] = (struct mock_ioctl){
			.request = AMDGPUDBG_IOC_WAVE_LIST,
			.waves = waves, .num_waves = 1000 * i,
		};
	session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_wave_list_read(list, session, 0), -EMSGSIZE);
	assert_int_equal(adbg_wave_list_count(list), 0);
	adbg_wave_list_free(list);
	adbg_session_close(session);
	free(waves);
}

static void control_hands_everything_on(void **state)
{
	static const struct amdgpudbg_wave_control in = {
		.size = sizeof(in),
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC |
			 AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED,
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = 5,
		.trap_id = 9,
		.at = { .xcc = 1, .se = 2, .sa = 3, .wgp = 4, .simd = 5,
			.wave = 6, .__reserved = 7 },
		.pc = 0x123456789abc,
	};
	static const struct amdgpudbg_wave_control out = {
		.size = sizeof(out), .matched = 1, .changed = 1,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .in = &in,
		  .out = &out, .size = sizeof(in) },
	};
	struct adbg_session *session = mock_session(expect, 2);
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC |
			 AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED,
		.vmid = 5,
		.trap_id = 9,
		.at = { 1, 2, 3, 4, 5, 6, 7 },
		.pc = 0x123456789abc,
	};

	(void)state;
	assert_int_equal(adbg_wave_control(session, &control), 0);
	assert_int_equal(control.matched, 1);
	assert_int_equal(control.changed, 1);
	assert_int_equal(control.vmid, 5);
	assert_int_equal(control.size, sizeof(control));
	adbg_session_close(session);
}

static void a_timeout_returns_how_far_it_got(void **state)
{
	static const struct amdgpudbg_wave_control out = {
		.size = sizeof(out), .matched = 40, .changed = 37,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .out = &out,
		  .size = sizeof(out), .error = ETIMEDOUT },
	};
	struct adbg_session *session = mock_session(expect, 2);
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, .vmid = 1,
	};

	(void)state;
	assert_int_equal(adbg_wave_control(session, &control), -ETIMEDOUT);
	assert_int_equal(control.matched, 40);
	assert_int_equal(control.changed, 37);
	adbg_session_close(session);
}

static void errors_of_control_leave_it_alone(void **state)
{
	static const int errors[] = {
		EPERM, EINVAL, EOPNOTSUPP, ENXIO, ENODATA, ESTALE, EBUSY, EIO,
		ENODEV, E2BIG,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		const struct mock_ioctl expect[] = {
			MOCK_GET_INFO,
			{ .request = AMDGPUDBG_IOC_WAVE_CONTROL,
			  .error = errors[i] },
		};
		struct adbg_session *session = mock_session(expect, 2);
		struct amdgpudbg_wave_control control = {
			.matched = 77, .op = AMDGPUDBG_WAVEOP_RESUME,
		};

		assert_int_equal(adbg_wave_control(session, &control),
				 -errors[i]);
		assert_int_equal(control.matched, 77);
		adbg_session_close(session);
	}
	mock_reset();
}

static void a_call_is_done_again_after_a_signal(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = EINTR },
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL },
		{ .request = AMDGPUDBG_IOC_WAVE_BATCH, .error = EINTR },
		{ .request = AMDGPUDBG_IOC_WAVE_BATCH, .error = ENXIO },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave_control trap = { .op = AMDGPUDBG_WAVEOP_TRAP };
	struct amdgpudbg_wave_batch batch = { 0 };

	(void)state;
	assert_int_equal(adbg_wave_control(session, &trap), 0);
	assert_int_equal(adbg_wave_batch(session, &batch), -ENXIO);
	adbg_session_close(session);
}

static void check_wishes(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	assert_int_equal(list->flags, AMDGPUDBG_WAVE_LIST_TTMP);
	assert_int_equal(list->select.at_mask, AMDGPUDBG_AT_SE | AMDGPUDBG_AT_WAVE);
	assert_int_equal(list->select.at.se, 1);
	assert_int_equal(list->select.at.wave, 7);
	assert_int_equal(list->select.wave_flags_mask, AMDGPUDBG_WAVE_PRIV);
	assert_int_equal(list->select.wave_flags, 0);
	assert_int_equal(list->num_halted, 0);
}

static void halted_three(void *arg)
{
	check_wishes(arg);
	((struct amdgpudbg_wave_list *)arg)->num_halted = 3;
}

static void a_list_takes_flags_and_filters(void **state)
{
	struct amdgpudbg_wave *waves = many_waves(300);
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT, .check = halted_three,
		  .waves = waves, .num_waves = 300 },
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT, .check = halted_three,
		  .waves = waves, .num_waves = 300 },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.at = { .se = 1, .wave = 7 },
		.select.at_mask = AMDGPUDBG_AT_SE | AMDGPUDBG_AT_WAVE,
		.select.wave_flags_mask = AMDGPUDBG_WAVE_PRIV,
		/* These are the list's own business. */
		.capacity = 1,
		.entry_size = 8,
		.num_halted = 55,
	};
	struct adbg_wave_list *list;

	(void)state;
	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_wave_list_snapshot(list, session, &what), 0);
	assert_int_equal(adbg_wave_list_count(list), 300);
	/* Those that the first call halted, it has resumed. */
	assert_int_equal(what.num_halted, 3);
	assert_int_equal(what.count, 300);
	assert_int_equal(what.gpu_reset_count, 2);
	adbg_wave_list_free(list);
	adbg_session_close(session);
	free(waves);
}

static uint32_t halts;

static void halt_some(void *arg)
{
	((struct amdgpudbg_wave_list *)arg)->num_halted = halts;
	halts -= 290;
}

static void halted_waves_of_all_calls_count(void **state)
{
	struct amdgpudbg_wave *waves = many_waves(300);
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT, .check = halt_some,
		  .waves = waves, .num_waves = 300 },
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT, .check = halt_some,
		  .waves = waves, .num_waves = 300 },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave_list what = { .flags = AMDGPUDBG_WAVE_LIST_HOLD };
	struct adbg_wave_list *list;

	(void)state;
	halts = 295;
	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_wave_list_snapshot(list, session, &what), 0);
	assert_int_equal(what.num_halted, 295 + 5);
	adbg_wave_list_free(list);
	adbg_session_close(session);
	free(waves);
}

static void a_step_returns_the_pc_of_the_wave(void **state)
{
	static const struct amdgpudbg_wave_control out = {
		.size = sizeof(out), .matched = 1, .changed = 1,
		.new_pc = 0x800000001004,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .out = &out,
		  .size = sizeof(out) },
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = EINPROGRESS },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave_control step = {
		.op = AMDGPUDBG_WAVEOP_STEP, .vmid = 1,
	};

	(void)state;
	assert_int_equal(adbg_wave_control(session, &step), 0);
	assert_true(step.new_pc == 0x800000001004);
	assert_int_equal(adbg_wave_control(session, &step), -EINPROGRESS);
	adbg_session_close(session);
}

static const struct mock_op batch_ops[] = {
	{
		.in = {
			.size = sizeof(struct amdgpudbg_wave_control),
			.op = AMDGPUDBG_WAVEOP_STEP, .vmid = 2,
			.at = { .wgp = 3 },
		},
		.matched = 1, .changed = 1, .new_pc = 0x1008,
	},
	{
		.in = {
			.size = sizeof(struct amdgpudbg_wave_control),
			.op = AMDGPUDBG_WAVEOP_TRAP, .vmid = 2, .trap_id = 5,
			.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		},
		.error = EBUSY,
	},
	{
		.in = {
			.size = sizeof(struct amdgpudbg_wave_control),
			.op = AMDGPUDBG_WAVEOP_DEBUG, .vmid = 2,
			.flags = AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF,
			.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		},
		.matched = 8, .changed = 7, .error = ETIMEDOUT,
	},
};

static void fill_batch(struct amdgpudbg_batch_op *ops)
{
	for (size_t i = 0; i < ARRAY_SIZE(batch_ops); i++) {
		ops[i] = (struct amdgpudbg_batch_op){ .control =
							      batch_ops[i].in };
		/* The size is the library's to set. */
		ops[i].control.size = 0;
	}
}

static void a_batch_is_one_call(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_BATCH, .ops = batch_ops,
		  .num_ops = ARRAY_SIZE(batch_ops) },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_batch_op ops[ARRAY_SIZE(batch_ops)];
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)ops, .count = ARRAY_SIZE(batch_ops),
		.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE,
	};

	(void)state;
	fill_batch(ops);
	assert_int_equal(adbg_wave_batch(session, &batch), 0);
	assert_int_equal(batch.done, 1);
	assert_int_equal(ops[0].error, 0);
	assert_int_equal(ops[1].error, -EBUSY);
	assert_int_equal(ops[2].error, -ETIMEDOUT);
	assert_true(ops[0].control.new_pc == 0x1008);
	assert_int_equal(ops[2].control.matched, 8);
	assert_int_equal(ops[2].control.changed, 7);
	adbg_session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(waves_go_to_the_callers_buffer),
		MOCK_TEST(a_short_buffer_says_how_many_there_are),
		MOCK_TEST(records_may_be_longer_or_shorter),
		MOCK_TEST(errors_leave_the_request_alone),
		MOCK_TEST(a_list_reads_with_one_call),
		MOCK_TEST(a_list_keeps_its_buffer_to_itself),
		MOCK_TEST(a_list_grows_until_all_waves_fit),
		MOCK_TEST(a_list_gives_up_on_a_kernel_that_never_has_enough),
		MOCK_TEST(control_hands_everything_on),
		MOCK_TEST(a_timeout_returns_how_far_it_got),
		MOCK_TEST(errors_of_control_leave_it_alone),
		MOCK_TEST(a_call_is_done_again_after_a_signal),
		MOCK_TEST(a_list_takes_flags_and_filters),
		MOCK_TEST(halted_waves_of_all_calls_count),
		MOCK_TEST(a_step_returns_the_pc_of_the_wave),
		MOCK_TEST(a_batch_is_one_call),
	};

	return cmocka_run_group_tests_name("lib_wave", tests, NULL, NULL);
}
