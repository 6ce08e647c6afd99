// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A load for tests that run at the same time: threads, each with its own session, make one call
 * of the module after the other, on the whole GPU or on one process, until standard input ends
 * or has a character.
 *
 * hammer [-e] [-g] [-p PID] [-s SECONDS] [-t THREADS]
 *	-e	settings of a session may be removed by others, such as before sleep
 *	-g	the GPU may also be removed and added: a thread then opens it again
 *	-s	end after that time, but not before each thread has done a round;
 *		standard input is not read
 *
 * Prints "running" when every thread has done a round, and at the end the average duration of
 * each call and the numbers of its results. The exit status is 1 if a call had a result that is
 * not allowed, or never succeeded although no other session can prevent that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <amdgpudbg.h>
#include <linux/amdgpudbg.h>

#include "array_size.h"
#include "until.h"

#define MAX_WAVES	64
#define MAX_THREADS	16
#define MAX_ERRNO	134

static bool may_end;
static bool gpu_may_go;
static int64_t end_ns;		/* 0: standard input tells */
static int target_pid;
static atomic_bool stopping;
static atomic_bool failed;
static _Thread_local const char *failed_part;

struct hammer {
	pthread_t thread;
	struct adbg_session *session;
	int fd;
	unsigned long rounds;
	struct amdgpudbg_wave waves[MAX_WAVES];
	unsigned int num_waves;
	atomic_bool begun;
	atomic_bool done;
};

/**
 * struct step - one kind of call
 * @name: for the table of results
 * @targeted: only makes sense with a target
 * @works: for one of the sessions at least, whatever the others do
 * @run: does it; 0 or a negative errno value
 * @allowed: what it may return besides 0, ended by 0
 */
struct step {
	const char *name;
	bool targeted;
	bool works;
	int (*run)(struct hammer *h);
	int allowed[6];
};

static int call(struct hammer *h, unsigned long nr, void *arg)
{
	return ioctl(h->fd, nr, arg) ? -errno : 0;
}

static int get_info(struct hammer *h)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };

	return call(h, AMDGPUDBG_IOC_GET_INFO, &info);
}

static int list_by(struct hammer *h, unsigned long nr)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.entry_size = sizeof(h->waves[0]),
		.capacity = MAX_WAVES,
		.waves = (uintptr_t)h->waves,
	};
	int ret = call(h, nr, &list);

	h->num_waves = ret ? 0 : list.count;
	return ret;
}

static int list(struct hammer *h)
{
	return list_by(h, AMDGPUDBG_IOC_WAVE_LIST);
}

static int snapshot(struct hammer *h)
{
	return list_by(h, AMDGPUDBG_IOC_WAVE_SNAPSHOT);
}

static const struct amdgpudbg_wave *some_wave(const struct hammer *h)
{
	return h->num_waves ? &h->waves[h->rounds % h->num_waves] : NULL;
}

static int process(struct hammer *h, uint32_t op)
{
	struct amdgpudbg_wave_control wc = {
		.size = sizeof(wc),
		.op = op,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};
	const struct amdgpudbg_wave *wave = some_wave(h);

	if (!wave)
		return 0;
	wc.vmid = wave->vmid;
	return call(h, AMDGPUDBG_IOC_WAVE_CONTROL, &wc);
}

static int halt_process(struct hammer *h)
{
	return process(h, AMDGPUDBG_WAVEOP_HALT);
}

static int resume_process(struct hammer *h)
{
	return process(h, AMDGPUDBG_WAVEOP_RESUME);
}

static int single(struct hammer *h, uint32_t op)
{
	struct amdgpudbg_wave_control wc = {
		.size = sizeof(wc),
		.op = op,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
	};
	const struct amdgpudbg_wave *wave = some_wave(h);

	if (!wave)
		return 0;
	wc.at = wave->at;
	wc.vmid = wave->vmid;
	return call(h, AMDGPUDBG_IOC_WAVE_CONTROL, &wc);
}

static int halt_wave(struct hammer *h)
{
	return single(h, AMDGPUDBG_WAVEOP_HALT);
}

static int step_wave(struct hammer *h)
{
	return single(h, AMDGPUDBG_WAVEOP_STEP);
}

static int resume_wave(struct hammer *h)
{
	return single(h, AMDGPUDBG_WAVEOP_RESUME);
}

static int read_registers(struct hammer *h)
{
	struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_SGPR, .count = 16,
	};
	uint32_t values[16];
	struct amdgpudbg_reg_access access = {
		.size = sizeof(access),
		.num_ranges = 1,
		.ranges = (uintptr_t)&range,
		.values = (uintptr_t)values,
		.num_values = 16,
	};
	const struct amdgpudbg_wave *wave = some_wave(h);

	if (!wave)
		return 0;
	access.at = wave->at;
	access.vmid = wave->vmid;
	return call(h, AMDGPUDBG_IOC_REG_ACCESS, &access);
}

static int watch(struct hammer *h)
{
	struct amdgpudbg_watch_set set = {
		.size = sizeof(set),
		.mode = AMDGPUDBG_WATCH_ATOMIC,
		.address = 0x500000000000,
		.bytes = 4096,
	};
	struct amdgpudbg_watch_clear clear = { .size = sizeof(clear) };
	int ret = call(h, AMDGPUDBG_IOC_WATCH_SET, &set);

	if (ret)
		return ret;
	clear.id = set.id;
	return call(h, AMDGPUDBG_IOC_WATCH_CLEAR, &clear);
}

static int launch_with(struct hammer *h, uint32_t mode)
{
	struct amdgpudbg_launch_set set = {
		.size = sizeof(set), .mode = mode,
	};

	return call(h, AMDGPUDBG_IOC_LAUNCH_SET, &set);
}

static int launch(struct hammer *h)
{
	int ret = launch_with(h, AMDGPUDBG_LAUNCH_HALT);

	return ret ? ret : launch_with(h, AMDGPUDBG_LAUNCH_NORMAL);
}

/* Which of the calls of a step it was, for who reads what has gone wrong. */
static int part(int ret, const char *what)
{
	if (ret)
		failed_part = what;
	return ret;
}

static int put_handler(struct hammer *h, const struct amdgpudbg_mem_alloc *mem)
{
	struct amdgpudbg_trap_handler trap = {
		.size = sizeof(trap), .tba = mem->va, .tba_size = mem->bytes,
	};

	return part(call(h, AMDGPUDBG_IOC_TRAP_HANDLER, &trap), "set");
}

static int take_handler(struct hammer *h)
{
	struct amdgpudbg_trap_handler trap = {
		.size = sizeof(trap), .flags = AMDGPUDBG_TRAP_HANDLER_CLEAR,
	};

	return part(call(h, AMDGPUDBG_IOC_TRAP_HANDLER, &trap), "clear");
}

/* A handler that no wave enters: no new waves start that would trap. */
static int handler(struct hammer *h)
{
	struct amdgpudbg_mem_alloc mem = {
		.size = sizeof(mem), .bytes = 4096,
		.flags = AMDGPUDBG_MEM_ALLOC_EXEC,
	};
	struct amdgpudbg_mem_free done = { .size = sizeof(done) };
	int ret = part(call(h, AMDGPUDBG_IOC_MEM_ALLOC, &mem), "alloc");
	int err;

	if (ret)
		return ret;
	ret = put_handler(h, &mem);
	if (!ret)
		ret = take_handler(h);
	done.id = mem.id;
	err = call(h, AMDGPUDBG_IOC_MEM_FREE, &done);
	return ret ? ret : part(err, "free");
}

static const struct step steps[] = {
	{ "info", false, true, get_info, { 0 } },
	{ "list", false, true, list, { EBUSY, EMSGSIZE } },
	{ "snapshot", false, false, snapshot, { EBUSY, EMSGSIZE } },
	{ "halt-process", false, false, halt_process, { EBUSY, ENODATA } },
	{ "halt-wave", false, false, halt_wave, { EBUSY, ENODATA, ESTALE } },
	{ "step-wave", false, false, step_wave,
	  { EBUSY, ENODATA, ESTALE, EINPROGRESS } },
	{ "registers", false, false, read_registers,
	  { EBUSY, ENODATA, ESTALE, EINPROGRESS } },
	{ "resume-wave", false, false, resume_wave, { EBUSY, ENODATA, ESTALE } },
	{ "resume-process", false, false, resume_process, { EBUSY, ENODATA } },
	{ "watch", true, true, watch, { EBUSY, ENOSPC } },
	{ "launch", true, true, launch, { EBUSY } },
	/*
	 * If the process has jobs all the time, what is freed stays; and a busy
	 * GPU may be slow with page tables.
	 */
	{ "handler", true, true, handler, { EBUSY, ENOSPC, ETIMEDOUT } },
};

#define NUM_STEPS ARRAY_SIZE(steps)

static atomic_ulong results[NUM_STEPS][MAX_ERRNO];
static atomic_ulong took_us[NUM_STEPS];	/* all calls together */

static bool is_allowed(const struct step *step, int err)
{
	if (!err)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(step->allowed) && step->allowed[i]; i++)
		if (step->allowed[i] == err)
			return true;
	if (err == ENOENT)
		return may_end || gpu_may_go;
	return gpu_may_go && (err == ENODEV || err == ENOTCONN);
}

static void complain(const char *what, int err)
{
	fprintf(stderr, "hammer: %s%s%s: %s\n", what, failed_part ? " " : "",
		failed_part ?: "", strerror(err));
	failed = true;
	stopping = true;
}

/* The GPU, and in it the process if it still has it. */
static bool take_gpu(struct hammer *h)
{
	int ret = adbg_open(NULL, &h->session);

	if (ret) {
		if (!gpu_may_go)
			complain("open", -ret);
		return false;
	}
	h->fd = adbg_session_get_fd(h->session);
	h->num_waves = 0;
	if (!target_pid)
		return true;
	ret = adbg_target_attach(h->session, target_pid, 0, NULL);
	if (ret && !gpu_may_go)
		complain("attach", -ret);
	return !ret || gpu_may_go;
}

static void leave_gpu(struct hammer *h)
{
	if (h->session)
		adbg_session_close(h->session);
	h->session = NULL;
}

static void one_round(struct hammer *h)
{
	for (size_t i = 0; i < NUM_STEPS && !stopping; i++) {
		int64_t begin = now_ns();
		int err;

		if (steps[i].targeted && !target_pid)
			continue;
		failed_part = NULL;
		err = -steps[i].run(h);
		took_us[i] += (now_ns() - begin) / 1000;
		if (err < 0 || err >= MAX_ERRNO)
			err = MAX_ERRNO - 1;
		results[i][err]++;
		if (!is_allowed(&steps[i], err))
			complain(steps[i].name, err);
		if (err == ENODEV || err == ENOTCONN) {
			leave_gpu(h);
			return;
		}
	}
}

static void *hammer_thread(void *arg)
{
	struct hammer *h = arg;

	while (!stopping && !(end_ns && h->rounds && now_ns() >= end_ns)) {
		if (!h->session && !take_gpu(h)) {
			leave_gpu(h);
			/* The node comes by the driver's probe. */
			usleep(10000);
			continue;
		}
		one_round(h);
		h->rounds++;
		h->begun = true;
	}
	h->begun = true;
	leave_gpu(h);
	h->done = true;
	return NULL;
}

static void print_results(void)
{
	for (size_t i = 0; i < NUM_STEPS; i++) {
		unsigned long num = 0;

		for (int err = 0; err < MAX_ERRNO; err++)
			num += results[i][err];
		printf("# %-15s %7lu us", steps[i].name,
		       num ? took_us[i] / num : 0);
		for (int err = 0; err < MAX_ERRNO; err++)
			if (results[i][err])
				printf(" %lu %s", results[i][err],
				       err ? strerrorname_np(err) : "ok");
		printf("\n");
		if (steps[i].works && num && !results[i][0]) {
			fprintf(stderr, "hammer: %s has never worked\n",
				steps[i].name);
			failed = true;
		}
	}
}

/* Until standard input ends, or the threads do. */
static void wait_for_end(const struct hammer *hammers, unsigned int num)
{
	/* With -s, it is no matter what standard input does. */
	struct pollfd end = {
		.fd = end_ns ? -1 : STDIN_FILENO, .events = POLLIN,
	};
	bool printed = false;

	for (;;) {
		unsigned int begun = 0, done = 0;

		for (unsigned int i = 0; i < num; i++) {
			begun += hammers[i].begun;
			done += hammers[i].done;
		}
		if (begun == num && !printed) {
			printed = true;
			printf("running\n");
			fflush(stdout);
		}
		if (stopping || done == num || poll(&end, 1, 20) != 0)
			break;
	}
	if (!end_ns)
		stopping = true;
}

int main(int argc, char **argv)
{
	static struct hammer hammers[MAX_THREADS];
	unsigned int i, num = 2;
	int opt;

	while ((opt = getopt(argc, argv, "egp:s:t:")) != -1) {
		switch (opt) {
		case 'e':
			may_end = true;
			break;
		case 'g':
			gpu_may_go = true;
			break;
		case 'p':
			target_pid = atoi(optarg);
			break;
		case 's':
			end_ns = now_ns() + strtoul(optarg, NULL, 0) *
				 1000000000ll;
			break;
		case 't':
			num = strtoul(optarg, NULL, 0);
			break;
		default:
			return 2;
		}
	}
	if (!num || num > MAX_THREADS || optind != argc) {
		fprintf(stderr, "usage: hammer [-e] [-g] [-p PID] [-s SECONDS] [-t THREADS]\n");
		return 2;
	}
	for (i = 0; i < num; i++)
		if (pthread_create(&hammers[i].thread, NULL, hammer_thread,
				   &hammers[i]))
			return 2;
	wait_for_end(hammers, num);
	for (i = 0; i < num; i++)
		pthread_join(hammers[i].thread, NULL);
	print_results();
	return failed ? 1 : 0;
}
