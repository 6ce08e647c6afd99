// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A process of root that always reads registers, in calls that are as long as possible: see
 * theft.h.
 */
#define _GNU_SOURCE
#include "theft.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "self.h"
#include "until.h"

/* What each wave of 32 lanes has been given at least */
#define VGPRS 8
#define LANES 32
#define NUM_VALUES (AMDGPUDBG_REG_RANGES_MAX * VGPRS * LANES)

/**
 * struct reader - the process
 * @pid: the process
 * @calls: how many calls have ended
 * @stop: it is to end
 */
static struct reader {
	pid_t pid;
	atomic_uint calls;
	atomic_bool stop;
} *reader;

/* A wave of any victim's; it stays halted until the session ends. */
static int halt_one(int session, struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_control halt = {
		.size = sizeof(halt),
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
	};

	if (!see_waves(0, wave, 1))
		return -ENOENT;
	halt.at = wave->at;
	halt.vmid = wave->vmid;
	return self_call(session, AMDGPUDBG_IOC_WAVE_CONTROL, &halt);
}

static int read_for_ever(void)
{
	static struct amdgpudbg_reg_range ranges[AMDGPUDBG_REG_RANGES_MAX];
	static uint32_t values[NUM_VALUES];
	struct amdgpudbg_reg_access access = {
		.size = sizeof(access),
		.num_ranges = AMDGPUDBG_REG_RANGES_MAX,
		.ranges = (uintptr_t)ranges,
		.values = (uintptr_t)values,
		.num_values = NUM_VALUES,
	};
	int session = self_session(NULL, false), ret;
	struct amdgpudbg_wave wave;

	for (unsigned int i = 0; i < AMDGPUDBG_REG_RANGES_MAX; i++)
		ranges[i] = (struct amdgpudbg_reg_range){
			.space = AMDGPUDBG_REG_VGPR, .count = VGPRS,
			.num_lanes = LANES,
		};
	ret = session < 0 ? session : halt_one(session, &wave);
	access.at = wave.at;
	access.vmid = wave.vmid;
	while (!ret && !reader->stop) {
		ret = self_call(session, AMDGPUDBG_IOC_REG_ACCESS, &access);
		reader->calls++;
	}
	return ret;
}

static bool has_read(void *unused)
{
	(void)unused;
	return reader->calls;
}

void reader_begins(void)
{
	pid_t pid;

	reader = mmap(NULL, sizeof(*reader), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(reader, MAP_FAILED);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(-read_for_ever());
	reader->pid = pid;
	assert_true(until(has_read, NULL, 60));
}

void reader_ends(void)
{
	int status;

	if (!reader)
		return;
	reader->stop = true;
	assert_int_equal(waitpid(reader->pid, &status, 0), reader->pid);
	munmap(reader, sizeof(*reader));
	reader = NULL;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}
