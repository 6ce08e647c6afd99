// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What read() and poll() return of events, by one thread and by several, and how events
 * that do not fit are reported.
 */
#define _GNU_SOURCE
#include "events.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "until.h"
#include "userfault.h"

/* ----------------------------------------------------------------- reading */

void reading_into_a_small_buffer_is_emsgsize(void **state)
{
	struct amdgpudbg_event ev[3];

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	assert_int_equal(read(dev, ev, sizeof(ev[0]) - 1), -1);
	assert_int_equal(errno, EMSGSIZE);
	send_messages(2);
	assert_true(wait_event(dev) & POLLIN);
	assert_int_equal(read(dev, ev, sizeof(ev[0]) - 1), -1);
	assert_int_equal(errno, EMSGSIZE);
	assert_int_equal(read(dev, ev, 0), -1);
	assert_int_equal(errno, EMSGSIZE);
	/* It is still there, and only whole events are given. */
	memset(ev, 0xaa, sizeof(ev));
	assert_int_equal(read(dev, ev, 2 * sizeof(ev[0]) - 1), sizeof(ev[0]));
	assert_int_equal(ev[0].seq, 1);
	assert_int_equal(ev[1].size, 0xaaaaaaaa);
	assert_int_equal(next_event(dev).seq, 2);
	assert_int_equal(next_event(dev).seq, 3);
	assert_int_equal(next_event(dev).seq, 4);
}

/* All that is there, up to what fits */
void a_large_buffer_takes_several_events(void **state)
{
	struct amdgpudbg_event ev[64];
	unsigned int n = 0;
	ssize_t ret;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	send_messages(20);
	while (n < 20 * WAVES) {
		assert_true(wait_event(dev) & POLLIN);
		ret = read(dev, ev + n, sizeof(ev) - n * sizeof(ev[0]));
		assert_true(ret > 0);
		assert_int_equal(ret % sizeof(ev[0]), 0);
		n += ret / sizeof(ev[0]);
	}
	assert_int_equal(n, 20 * WAVES);
	while (n--)
		assert_int_equal(ev[n].seq, n + 1);
}

void a_fault_keeps_the_event(void **state)
{
	long page = sysconf(_SC_PAGESIZE);
	struct amdgpudbg_event ev;
	char *two;

	(void)state;
	two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_int_equal(mprotect(two + page, page, PROT_NONE), 0);
	dev = own_session(OF_WAVES, 0, NULL);
	send_messages(2);
	assert_true(wait_event(dev) & POLLIN);
	assert_int_equal(read(dev, two + page, 3 * sizeof(ev)), -1);
	assert_int_equal(errno, EFAULT);
	assert_int_equal(read(dev, two + page - sizeof(ev) / 2, sizeof(ev)),
			 -1);
	assert_int_equal(errno, EFAULT);
	assert_int_equal(next_event(dev).seq, 1);
	/* One fits before the fault, and that one is given. */
	assert_true(wait_event(dev) & POLLIN);
	assert_int_equal(read(dev, two + page - sizeof(ev) * 3 / 2,
			      2 * sizeof(ev)), sizeof(ev));
	memcpy(&ev, two + page - sizeof(ev) * 3 / 2, sizeof(ev));
	assert_int_equal(ev.seq, 2);
	assert_int_equal(next_event(dev).seq, 3);
	munmap(two, 2 * page);
}

struct reader {
	pthread_t thread;
	int fd;
	uint64_t seq[256];
	int count;
	int error;
};

/* Blocking reads of one event until there are no more. */
static void *read_all(void *arg)
{
	struct reader *r = arg;
	struct amdgpudbg_event ev;
	ssize_t ret;

	while ((ret = read(r->fd, &ev, sizeof(ev))) == sizeof(ev) &&
	       r->count < 256)
		r->seq[r->count++] = ev.seq;
	r->error = ret < 0 ? errno : 0;
	return NULL;
}

void two_readers_get_each_event_once(void **state)
{
	struct reader readers[2] = { { .count = 0 } };
	bool seen[101] = { false };
	int i, j, total;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	assert_int_equal(fcntl(dev, F_SETFL, 0), 0);
	for (i = 0; i < 2; i++) {
		readers[i].fd = dev;
		assert_int_equal(pthread_create(&readers[i].thread, NULL,
						read_all, &readers[i]), 0);
	}
	/* They may or may not wait already: both must work. */
	send_messages(50);
	for (total = 0, i = 0; total < 100 && i < DEADLINE_MS; i++) {
		total = __atomic_load_n(&readers[0].count, __ATOMIC_RELAXED) +
			__atomic_load_n(&readers[1].count, __ATOMIC_RELAXED);
		poll(NULL, 0, 1);
	}
	assert_int_equal(total, 100);
	/* That none come any more ends both. */
	assert_int_equal(enable(dev, 0, 0), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
		assert_int_equal(readers[i].error, EINVAL);
		for (j = 0; j < readers[i].count; j++) {
			assert_in_range(readers[i].seq[j], 1, 100);
			assert_false(seen[readers[i].seq[j]]);
			seen[readers[i].seq[j]] = true;
		}
	}
}

/* A read that waits in the midst of an event, for the page to come. */
static void *read_page(void *arg)
{
	const struct userfault *u = arg;

	return (void *)read(dev, u->page, sizeof(struct amdgpudbg_event));
}

struct again {
	pthread_t thread;
	atomic_int tid;
	atomic_bool done;
	int error;
};

/* No events any more, and then events again */
static void *enable_again(void *arg)
{
	struct again *a = arg;

	a->tid = gettid();
	a->error = enable(dev, 0, 0);
	if (!a->error)
		a->error = enable(dev, OF_WAVES, 0);
	a->done = true;
	return NULL;
}

static bool is_done_or_waits(void *arg)
{
	struct again *a = arg;
	char path[64], state = 0;
	FILE *f;

	if (a->done)
		return true;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", a->tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fscanf(f, "%*d %*s %c", &state) != 1)
		state = 0;
	fclose(f);
	return state == 'S' || state == 'D';
}

/* Also if its event is thrown away while it is copied to the reader. */
void a_number_is_given_once(void **state)
{
	struct again again = { .error = 0 };
	const struct amdgpudbg_event *ev;
	struct userfault page;
	pthread_t reader;
	void *ret;

	(void)state;
	assert_int_equal(userfault_open(&page), 0);
	dev = own_session(OF_WAVES, 0, NULL);
	send_messages(1);
	assert_true(wait_event(dev) & POLLIN);
	assert_int_equal(pthread_create(&reader, NULL, read_page, &page), 0);
	assert_int_equal(userfault_wait(&page), 0);
	assert_int_equal(pthread_create(&again.thread, NULL, enable_again,
					&again), 0);
	assert_true(until(is_done_or_waits, &again, DEADLINE_MS / 1000));
	assert_int_equal(userfault_release(&page), 0);
	assert_int_equal(pthread_join(reader, &ret), 0);
	assert_int_equal((ssize_t)ret, sizeof(*ev));
	assert_int_equal(pthread_join(again.thread, NULL), 0);
	assert_int_equal(again.error, 0);
	ev = page.page;
	assert_int_equal(ev->seq, 1);
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 2);
	userfault_close(&page);
}

static void *poll_once(void *arg)
{
	struct pollfd *p = arg;

	poll(p, 1, DEADLINE_MS);
	return NULL;
}

void poll_returns_when_an_event_arrives(void **state)
{
	struct pollfd p = { .events = POLLIN };
	pthread_t thread;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	p.fd = dev;
	assert_int_equal(poll(&p, 1, 0), 0);
	assert_int_equal(pthread_create(&thread, NULL, poll_once, &p), 0);
	send_messages(1);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(p.revents, POLLIN);
}

static void on_alarm(int sig)
{
	(void)sig;
}

void a_signal_ends_a_blocking_read(void **state)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	/* Again and again: the first one may come before the read has begun. */
	const struct itimerval often = { { 1, 0 }, { 1, 0 } }, never = { { 0, 0 }, { 0, 0 } };
	struct amdgpudbg_event ev;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	assert_int_equal(fcntl(dev, F_SETFL, 0), 0);
	assert_int_equal(sigaction(SIGALRM, &sa, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	assert_int_equal(read(dev, &ev, sizeof(ev)), -1);
	assert_int_equal(errno, EINTR);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
}

/* ------------------------------------------------------------------- loss */

/*
 * Read until @total events are accounted for. Returns how many were lost, and
 * how many records said so.
 */
static uint64_t account(int fd, uint64_t total, unsigned int *records)
{
	uint64_t next = 1, lost = 0;

	*records = 0;
	while (next <= total) {
		struct amdgpudbg_event ev = next_event(fd);

		assert_int_equal(ev.seq, next);
		if (ev.type != AMDGPUDBG_EVENT_LOST) {
			next++;
			continue;
		}
		assert_true(ev.data > 0);
		assert_int_equal(ev.flags, 0);
		next += ev.data;
		lost += ev.data;
		(*records)++;
	}
	assert_int_equal(next, total + 1);
	assert_int_equal(read_error(fd), -EAGAIN);
	return lost;
}

void lost_events_are_reported(void **state)
{
	unsigned int records;
	int witness;

	(void)state;
	dev = own_session(OF_WAVES, 5, NULL);
	witness = own_session(OF_WAVES, 4096, NULL);
	send_messages(10);
	/* Told after the first session, which therefore has all by then. */
	assert_int_equal(account(witness, 20, &records), 0);
	assert_int_equal(account(dev, 20, &records), 15);
	assert_int_equal(records, 1);
	/* And on with the next number. */
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 21);
	assert_int_equal(next_event(dev).seq, 22);
	close(witness);
}

void a_queue_of_one_event_works(void **state)
{
	unsigned int records;
	int witness;

	(void)state;
	dev = own_session(OF_WAVES, 1, NULL);
	witness = own_session(OF_WAVES, 4096, NULL);
	send_messages(4);
	assert_int_equal(account(witness, 8, &records), 0);
	assert_int_equal(account(dev, 8, &records), 7);
	close(witness);
}

/* More than the interrupt ring of the module holds, without a reader */
void a_flood_of_events_is_counted(void **state)
{
	const uint64_t total = 3000 * WAVES;
	unsigned int records;

	(void)state;
	dev = own_session(OF_WAVES, 16, NULL);
	send_messages(3000);
	assert_in_range(account(dev, total, &records), 1, total - 16);
	assert_true(records > 0);
}

void a_smaller_queue_keeps_the_oldest(void **state)
{
	struct amdgpudbg_event ev;
	unsigned int records;
	int witness;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	witness = own_session(OF_WAVES, 4096, NULL);
	send_messages(5);
	assert_int_equal(account(witness, 10, &records), 0);
	assert_int_equal(enable(dev, OF_WAVES, 4), 0);
	assert_int_equal(next_event(dev).seq, 1);
	/* A larger one keeps all that the smaller one had. */
	assert_int_equal(enable(dev, OF_WAVES, 100), 0);
	assert_int_equal(next_event(dev).seq, 2);
	assert_int_equal(next_event(dev).seq, 3);
	assert_int_equal(next_event(dev).seq, 4);
	ev = next_event(dev);
	assert_int_equal(ev.type, AMDGPUDBG_EVENT_LOST);
	assert_int_equal(ev.seq, 5);
	assert_int_equal(ev.data, 6);
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 11);
	close(witness);
}
