// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/event.c: requests for events, extraction of events from the data of read(), names.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

#define LAST_TYPE AMDGPUDBG_EVENT_VM_CHANGED

static const struct amdgpudbg_event_enable enable_some = {
	.size = sizeof(enable_some),
	.entry_size = AMDGPUDBG_SIZE_MAX,
	.mask = 1ULL << AMDGPUDBG_EVENT_WAVE |
		1ULL << AMDGPUDBG_EVENT_GPU_RESET,
	.cause_mask = 0x5,
	.capacity = 7,
};

static const struct amdgpudbg_event_enable enable_none = {
	.size = sizeof(enable_none),
};

#define ENABLE(what) { \
	.request = AMDGPUDBG_IOC_EVENT_ENABLE, \
	.size = sizeof(what), \
	.in = &(what), \
}

static const struct mock_ioctl expect_enable[] = {
	MOCK_GET_INFO, ENABLE(enable_some),
};

static const struct amdgpudbg_event three[3] = {
	{
		.size = sizeof(three[0]),
		.type = AMDGPUDBG_EVENT_WAVE,
		.seq = 1,
		.time = 123456789012,
		.at = { .se = 1, .sa = 1, .wgp = 3, .simd = 2, .wave = 5 },
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE |
			 AMDGPUDBG_EVENT_IS_PRIV,
		.vmid = 4,
		.pasid = 0x8001,
		.data = 0x7abcde,
		.pc = 0xffff800000001004,
		.wave_id = 0x123456789abcdef0,
		.cause = AMDGPUDBG_CAUSE_HOST_TRAP,
		.watch_mask = 6,
		.trap_id = 7,
	},
	{
		.size = sizeof(three[0]),
		.type = AMDGPUDBG_EVENT_LOST,
		.seq = 2,
		.data = 40,
	},
	{
		.size = sizeof(three[0]),
		.type = AMDGPUDBG_EVENT_TARGET_GONE,
		.seq = 42,
	},
};

static struct adbg_session *enabled_session(void)
{
	struct adbg_session *s = mock_session(expect_enable,
					      ARRAY_SIZE(expect_enable));

	assert_int_equal(
		adbg_event_enable(s,
				  1ULL << AMDGPUDBG_EVENT_WAVE |
					  1ULL << AMDGPUDBG_EVENT_GPU_RESET,
				  0x5, 7),
		0);
	return s;
}

static void event_has_all_members(void **state)
{
	struct amdgpudbg_event ev = { 0 };
	struct adbg_session *s;

	(void)state;
	mock_add_events(three, sizeof(three[0]));
	s = enabled_session();
	assert_int_equal(adbg_event_next(s, &ev, -1), 0);
	assert_int_equal(ev.size, sizeof(ev));
	assert_int_equal(ev.type, AMDGPUDBG_EVENT_WAVE);
	assert_int_equal(ev.seq, 1);
	assert_int_equal(ev.time, 123456789012);
	assert_int_equal(ev.at.se, 1);
	assert_int_equal(ev.at.sa, 1);
	assert_int_equal(ev.at.wgp, 3);
	assert_int_equal(ev.at.simd, 2);
	assert_int_equal(ev.at.wave, 5);
	assert_int_equal(ev.flags, AMDGPUDBG_EVENT_HAS_WAVE |
					   AMDGPUDBG_EVENT_HAS_STATE |
					   AMDGPUDBG_EVENT_IS_PRIV);
	assert_int_equal(ev.vmid, 4);
	assert_int_equal(ev.pasid, 0x8001);
	assert_int_equal(ev.data, 0x7abcde);
	assert_true(ev.pc == 0xffff800000001004);
	assert_true(ev.wave_id == 0x123456789abcdef0);
	assert_int_equal(ev.watch_mask, 6);
	assert_int_equal(ev.cause, AMDGPUDBG_CAUSE_HOST_TRAP);
	assert_int_equal(ev.trap_id, 7);
	assert_int_equal(adbg_event_next(s, &ev, 0), -EAGAIN);
	adbg_session_close(s);
}

static void several_events_of_one_read_come_one_by_one(void **state)
{
	struct amdgpudbg_event ev = { 0 };
	struct adbg_session *s;

	(void)state;
	mock_add_events(three, sizeof(three));
	mock_end_events(ENOTCONN);
	s = enabled_session();
	for (int i = 0; i < 3; i++) {
		assert_int_equal(adbg_event_next(s, &ev, 0), 0);
		assert_int_equal(ev.seq, three[i].seq);
		assert_int_equal(ev.type, three[i].type);
		assert_int_equal(ev.data, three[i].data);
	}
	assert_int_equal(adbg_event_next(s, &ev, -1), -ENOTCONN);
	assert_int_equal(adbg_event_next(s, &ev, 0), -ENOTCONN);
	adbg_session_close(s);
}

/* A newer module's records are longer. */
static void longer_records_are_understood(void **state)
{
	struct {
		struct amdgpudbg_event ev;
		uint64_t more;
	} in[2] = {
		{ { .size = sizeof(in[0]), .seq = 5 }, 1 },
		{ { .size = sizeof(in[0]), .seq = 6 }, 2 },
	};
	struct {
		struct amdgpudbg_event ev;
		uint64_t more;
	} ev = { { .size = sizeof(ev) }, 0xaa };
	struct adbg_session *s;

	(void)state;
	mock_add_events(in, sizeof(in));
	s = enabled_session();
	assert_int_equal(adbg_event_next_sized(s, &ev.ev, 0), 0);
	assert_int_equal(ev.ev.seq, 5);
	assert_int_equal(ev.ev.size, sizeof(ev));
	/* What the library does not know is zero. */
	assert_int_equal(ev.more, 0);
	assert_int_equal(adbg_event_next_sized(s, &ev.ev, 0), 0);
	assert_int_equal(ev.ev.seq, 6);
	adbg_session_close(s);
}

static void nonsense_is_eproto(void **state)
{
	struct amdgpudbg_event in[2];
	struct amdgpudbg_event ev = { 0 };
	uint32_t sizes[] = { 0, 3, 16, sizeof(in) + 1, 0xffffffff };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct adbg_session *s;

		mock_reset();
		memcpy(in, three, sizeof(in));
		in[0].size = sizes[i];
		mock_add_events(in, sizeof(in));
		s = enabled_session();
		assert_int_equal(adbg_event_next(s, &ev, 0), -EPROTO);
		assert_int_equal(adbg_event_next(s, &ev, 0), -EAGAIN);
		adbg_session_close(s);
	}
	mock_reset();
	mock_add_events(in, 2);
	{
		struct adbg_session *s = enabled_session();

		assert_int_equal(adbg_event_next(s, &ev, 0), -EPROTO);
		adbg_session_close(s);
	}
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void waiting_ends_in_time(void **state)
{
	struct amdgpudbg_event ev = { .seq = 99 };
	struct adbg_session *s;
	int64_t begin;

	(void)state;
	s = enabled_session();
	begin = now_ms();
	assert_int_equal(adbg_event_next(s, &ev, 60), -EAGAIN);
	assert_in_range(now_ms() - begin, 59, 5000);
	/* What fails leaves its output as it was. */
	assert_int_equal(ev.seq, 99);
	adbg_session_close(s);
}

static void descriptor_can_be_waited_for(void **state)
{
	struct pollfd p = { .events = POLLIN };
	struct amdgpudbg_event ev = { 0 };
	struct adbg_session *s;

	(void)state;
	mock_add_events(three, sizeof(three[0]));
	s = enabled_session();
	p.fd = adbg_session_get_fd(s);
	assert_int_equal(poll(&p, 1, 0), 1);
	assert_int_equal(p.revents, POLLIN);
	assert_int_equal(adbg_event_next(s, &ev, 0), 0);
	assert_int_equal(poll(&p, 1, 0), 0);
	adbg_session_close(s);
}

static void arguments_are_checked(void **state)
{
	struct amdgpudbg_event ev = { 0 };
	struct adbg_session *s = mock_session(expect_enable,
					      ARRAY_SIZE(expect_enable));

	(void)state;
	/* None enabled */
	assert_int_equal(adbg_event_next(s, &ev, -1), -EINVAL);
	assert_int_equal(adbg_event_enable(s, enable_some.mask, enable_some.cause_mask, 7), 0);
	adbg_session_close(s);
}

static void all_events_are_those_of_the_gpu(void **state)
{
	static const struct amdgpudbg_event_enable enable_all = {
		.size = sizeof(enable_all), .entry_size = AMDGPUDBG_SIZE_MAX, .mask = 0x1fe,
	};
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO, ENABLE(enable_all) };
	struct adbg_session *s = mock_session(expect, ARRAY_SIZE(expect));

	(void)state;
	assert_int_equal(mock_info.event_mask, enable_all.mask);
	assert_int_equal(adbg_event_enable(s, ADBG_EVENTS_ALL, 0, 0), 0);
	adbg_session_close(s);
}

static void disabling_drops_what_was_read(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, ENABLE(enable_some), ENABLE(enable_none),
	};
	struct amdgpudbg_event ev = { 0 };
	struct adbg_session *s;

	(void)state;
	mock_add_events(three, sizeof(three));
	s = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_event_enable(s, enable_some.mask, enable_some.cause_mask, 7), 0);
	assert_int_equal(adbg_event_next(s, &ev, 0), 0);
	assert_int_equal(adbg_event_enable(s, 0, 0, 0), 0);
	assert_int_equal(adbg_event_next(s, &ev, 0), -EAGAIN);
	adbg_session_close(s);
}

static void errors_of_enabling_are_passed_on(void **state)
{
	static const int errors[] = {
		EINVAL, EOPNOTSUPP, EPERM, ENOTCONN, ENODEV, ENOMEM,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		const struct mock_ioctl expect[] = {
			MOCK_GET_INFO,
			{
				.request = AMDGPUDBG_IOC_EVENT_ENABLE,
				.error = errors[i],
				.size = sizeof(enable_some),
				.in = &enable_some,
			},
		};
		struct adbg_session *s;

		mock_reset();
		s = mock_session(expect, ARRAY_SIZE(expect));
		assert_int_equal(adbg_event_enable(s, enable_some.mask, enable_some.cause_mask, 7),
				 -errors[i]);
		adbg_session_close(s);
		mock_verify();
	}
}

static void types_have_names(void **state)
{
	uint64_t types;

	(void)state;
	for (uint32_t i = AMDGPUDBG_EVENT_LOST; i <= LAST_TYPE; i++) {
		const char *name = adbg_event_type_name(i);

		assert_non_null(name);
		assert_int_equal(adbg_event_types_parse(name, &types), 0);
		assert_int_equal(types, 1ULL << i);
	}
	assert_null(adbg_event_type_name(0));
	assert_null(adbg_event_type_name(LAST_TYPE + 1));
	assert_null(adbg_event_type_name(UINT32_MAX));
	assert_string_equal(adbg_event_type_name(AMDGPUDBG_EVENT_WAVE), "wave");
	assert_int_equal(adbg_event_types_parse("all", &types), 0);
	assert_true(types == ADBG_EVENTS_ALL);
	assert_int_equal(adbg_event_types_parse("wave,gpu-reset", &types),
			 0);
	assert_int_equal(types, 1ULL << AMDGPUDBG_EVENT_WAVE |
			 1ULL << AMDGPUDBG_EVENT_GPU_RESET);
}

static void wrong_names_are_einval(void **state)
{
	static const char *const bad[] = {
		"", ",", "wav", "wave,", ",lost", "lost,,lost",
		"wavex", "lost all", "all,lost", "LOST",
	};
	uint64_t types = 5;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(adbg_event_types_parse(bad[i], &types),
				 -EINVAL);
	assert_int_equal(adbg_event_types_parse(NULL, &types), -EINVAL);
	assert_int_equal(types, 5);
}

static void causes_have_names(void **state)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} cases[] = {
		{ AMDGPUDBG_CAUSE_INVALID, "INVALID" },
		{ AMDGPUDBG_CAUSE_INPUT_DENORM, "INPUT_DENORM" },
		{ AMDGPUDBG_CAUSE_FLOAT_DIV0, "DIV0" },
		{ AMDGPUDBG_CAUSE_OVERFLOW, "OVERFLOW" },
		{ AMDGPUDBG_CAUSE_UNDERFLOW, "UNDERFLOW" },
		{ AMDGPUDBG_CAUSE_INEXACT, "INEXACT" },
		{ AMDGPUDBG_CAUSE_INT_DIV0, "INT_DIV0" },
		{ AMDGPUDBG_CAUSE_MEM_VIOL, "MEM_VIOL" },
		{ 1 << 8, "ILLEGAL_INST" }, { 1 << 10, "DEBUG" },
		{ 1 << 11, "S_TRAP" }, { 1 << 12, "HOST_TRAP" },
		{ 1 << 13, "WAVE_START" }, { 1 << 14, "WAVE_END" },
		{ 1 << 15, "MEM_ECC" }, { 1 << 16, "XNACK" },
	};
	const char *names[ADBG_MAX_CAUSES];
	uint64_t all = 0;

	(void)state;
	assert_int_equal(adbg_event_causes(0, UINT32_MAX, names, 32), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(adbg_event_causes(cases[i].bit, UINT32_MAX, names, 32), 1);
		assert_string_equal(names[0], cases[i].name);
		all |= cases[i].bit;
	}
	/* In the order of the bits; those of later modules have no names. */
	assert_int_equal(adbg_event_causes(UINT64_MAX, 0, names, 32),
			 ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(names[i], cases[i].name);
	assert_int_equal(adbg_event_causes(~all & ~AMDGPUDBG_CAUSE_WATCH, 0, names, 32), 0);
	/* Each watch has a name of its own. */
	assert_int_equal(adbg_event_causes(AMDGPUDBG_CAUSE_WATCH, 0xa, names, 32), 2);
	assert_string_equal(names[0], "ADDR_WATCH1");
	assert_string_equal(names[1], "ADDR_WATCH3");
	assert_true(adbg_event_causes(UINT64_MAX, UINT32_MAX, names, 64) <= ADBG_MAX_CAUSES);
	names[2] = NULL;
	assert_int_equal(adbg_event_causes(all, 0, names, 2), 2);
	assert_null(names[2]);
}

struct waiter {
	struct adbg_session *session;
	pthread_barrier_t turn;
	const char *words;
};

static void *wait_for_events(void *arg)
{
	struct amdgpudbg_event ev = { 0 };
	struct waiter *w = arg;
	int ret = adbg_event_next(w->session, &ev, 0);

	pthread_barrier_wait(&w->turn);
	/* Here the other thread's call fails. */
	pthread_barrier_wait(&w->turn);
	w->words = adbg_strerror(w->session, ret);
	return NULL;
}

/* Before the kernel is asked, too: not the words of the call before. */
static void enabling_that_fails_early_has_its_own_words(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_TARGET_SET, .error = EBADF },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_target_set target = { .drm_fd = 99, .pidfd = -1 };
	const char *words;

	(void)state;
	assert_int_equal(adbg_target_set(session, &target), -EBADF);
	words = adbg_strerror(session, -EBADF);
	assert_string_equal(words, "a descriptor is not open");
	close(adbg_session_get_fd(session));
	assert_int_equal(adbg_event_enable(session, 1, 0, 0), -EBADF);
	assert_string_not_equal(adbg_strerror(session, -EBADF), words);
	adbg_session_close(session);
}

/* Both fail by the same value, and each thread gets the text for its own call. */
static void a_waiting_thread_bars_no_other(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{
			.request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = EINVAL,
			.size = sizeof(struct amdgpudbg_wave_control),
		},
	};
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT,
	};
	struct amdgpudbg_event ev = { 0 };
	struct waiter w = { .words = NULL };
	const char *before, *control_words;
	pthread_t thread;

	(void)state;
	w.session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(pthread_barrier_init(&w.turn, NULL, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_events, &w),
			 0);
	pthread_barrier_wait(&w.turn);
	assert_int_equal(adbg_wave_control(w.session, &control), -EINVAL);
	before = adbg_strerror(w.session, -EINVAL);
	pthread_barrier_wait(&w.turn);
	assert_int_equal(pthread_join(thread, NULL), 0);
	control_words = adbg_strerror(w.session, -EINVAL);
	assert_string_equal(control_words, before);
	assert_string_equal(w.words,
			    "no events are enabled, or the requested queue is too large");
	assert_string_not_equal(w.words, control_words);
	/* A thread that does both gets the text of its last failure. */
	assert_int_equal(adbg_event_next(w.session, &ev, 0), -EINVAL);
	assert_string_equal(adbg_strerror(w.session, -EINVAL), w.words);
	pthread_barrier_destroy(&w.turn);
	adbg_session_close(w.session);
}

/* A wait that ends does not take the words of the other's failure away. */
static void the_end_of_a_wait_is_not_the_others(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{
			.request = AMDGPUDBG_IOC_WAVE_CONTROL, .error = EBUSY,
			.size = sizeof(struct amdgpudbg_wave_control),
		},
	};
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT,
	};
	struct waiter w = { .words = NULL };
	const char *words;
	pthread_t thread;

	(void)state;
	w.session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_wave_control(w.session, &control), -EBUSY);
	words = adbg_strerror(w.session, -EBUSY);
	assert_int_equal(pthread_barrier_init(&w.turn, NULL, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_events, &w),
			 0);
	pthread_barrier_wait(&w.turn);
	assert_string_equal(adbg_strerror(w.session, -EBUSY), words);
	pthread_barrier_wait(&w.turn);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_barrier_destroy(&w.turn);
	adbg_session_close(w.session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(event_has_all_members),
		MOCK_TEST(several_events_of_one_read_come_one_by_one),
		MOCK_TEST(longer_records_are_understood),
		MOCK_TEST(nonsense_is_eproto),
		MOCK_TEST(waiting_ends_in_time),
		MOCK_TEST(descriptor_can_be_waited_for),
		MOCK_TEST(arguments_are_checked),
		MOCK_TEST(all_events_are_those_of_the_gpu),
		MOCK_TEST(disabling_drops_what_was_read),
		MOCK_TEST(errors_of_enabling_are_passed_on),
		MOCK_TEST(enabling_that_fails_early_has_its_own_words),
		MOCK_TEST(a_waiting_thread_bars_no_other),
		MOCK_TEST(the_end_of_a_wait_is_not_the_others),
		MOCK_TEST(types_have_names),
		MOCK_TEST(wrong_names_are_einval),
		MOCK_TEST(causes_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
