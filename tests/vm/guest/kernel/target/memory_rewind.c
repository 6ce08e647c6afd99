// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The number of times that the module waits for waves in their handler when it removes the
 * patches of many sessions: see memory.h. Each wait takes up to 200 ms, with the GPU's lock
 * held, and is a trace event, so the test need not measure time.
 */
#include "memory.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "people.h"
#include "self.h"
#include "until.h"

#define TRACING "/sys/kernel/tracing/"
#define REWIND TRACING "events/amdgpudbg/amdgpudbg_rewind/enable"
#define NUM_SESSIONS 8

/* A word of ctl, and what it says to gate.S, whose memory ctl is */
enum { CTL_GATE = 16 };
enum { CLOSED, OPEN = 2 };

static const uint32_t gate_code[] = {
#include "gate.inc"
};

static void write_as_root(const char *path, const char *text)
{
	int fd;

	be(ROOT, true);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	assert_true(fd >= 0);
	if (*text)
		assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	be(USER, true);
}

static void trace_rewinds(void)
{
	write_as_root(TRACING "trace", "");
	write_as_root(REWIND, "1");
}

static unsigned int count_rewinds(void)
{
	unsigned int num = 0;
	char line[256];
	FILE *f;

	write_as_root(REWIND, "0");
	be(ROOT, true);
	f = fopen(TRACING "trace", "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		num += !!strstr(line, "amdgpudbg_rewind: ");
	fclose(f);
	be(USER, true);
	return num;
}

static int control(int fd, const struct amdgpudbg_wave *wave, uint32_t op)
{
	struct amdgpudbg_wave_control c = {
		.size = sizeof(c), .op = op, .at = wave->at, .vmid = wave->vmid,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
	};

	if (op == AMDGPUDBG_WAVEOP_TRAP) {
		memset(&c.at, 0, sizeof(c.at));
		c.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
		c.trap_id = 1;
	}
	return self_call(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &c);
}

static bool are_in_handler(void *arg)
{
	struct stopped *s = arg;
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .entry_size = sizeof(s->wave[0]),
		.capacity = NUM_WAVES, .waves = (uintptr_t)s->wave,
	};
	uint32_t i, num = 0;

	assert_int_equal(self_call(s->fd, AMDGPUDBG_IOC_WAVE_LIST, &list), 0);
	assert_int_equal(list.count, NUM_WAVES);
	for (i = 0; i < NUM_WAVES; i++)
		num += !!(s->wave[i].flags & AMDGPUDBG_WAVE_PRIV);
	return num == NUM_WAVES;
}

/**
 * struct many - waves that stay in their handler, and sessions with one patch each
 * @keeper: the session of the handler
 * @fds: the sessions with patches
 * @memory: where the patches are
 * @job: of the waves
 * @waves: the waves
 */
struct many {
	int keeper;
	int fds[NUM_SESSIONS];
	struct bo memory;
	struct gpu_job job;
	struct stopped waves;
};

static void many_patch(struct many *m)
{
	uint32_t i;

	for (i = 0; i < NUM_SESSIONS; i++) {
		m->fds[i] = session();
		assert_int_equal(patch(m->fds[i], m->memory.va + 64 * i, 1), 0);
	}
}

static void many_set_up(struct many *m)
{
	struct amdgpudbg_mem_alloc code;

	bo_new(&m->memory, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	memset(m->memory.cpu, 0, BO_BYTES);
	m->keeper = session();
	assert_int_equal(mem_alloc(m->keeper, &code, AMDGPUDBG_MEM_ALLOC_EXEC,
				   sizeof(gate_code)), 0);
	assert_int_equal(mem_write(m->keeper, code.id, 0, gate_code,
				   sizeof(gate_code)), 0);
	assert_int_equal(set_handler(m->keeper, code.va, sizeof(gate_code),
				     prog.buf[PROG_CTL].va, PROG_CTL_WORDS * 4,
				     NULL), 0);
	start("trap_spin", &m->job);
	wait_begun();
	assert_int_equal(prog_ctl(&prog)[CTL_GATE], CLOSED);
	m->waves.fd = m->keeper;
	are_in_handler(&m->waves);
	assert_int_equal(control(m->keeper, m->waves.wave, AMDGPUDBG_WAVEOP_TRAP),
			 0);
	assert_true(until(are_in_handler, &m->waves, DEADLINE_S));
	many_patch(m);
}

static void many_take_down(struct many *m)
{
	uint32_t i;

	for (i = 0; i < NUM_SESSIONS; i++) {
		assert_int_equal(*(uint32_t *)(m->memory.cpu + SKIPPED + 64 * i),
				 0);
		close(m->fds[i]);
	}
	((volatile uint32_t *)prog_ctl(&prog))[CTL_GATE] = OPEN;
	stop_spinning();
	/* As long as there is this handler, it returns to the kernel's own s_trap. */
	close(m->keeper);
	finish(&m->job, -1);
	bo_free(&m->memory);
}

void patches_of_many_sessions_wait_once_when_the_handler_is_cleared(void **state)
{
	struct many m;

	(void)state;
	many_set_up(&m);
	trace_rewinds();
	assert_int_equal(clear_handler(m.keeper), 0);
	assert_int_equal(count_rewinds(), 1);
	many_take_down(&m);
}

static void want_event(int fd, uint32_t type)
{
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable), .mask = 1ULL << type,
		.entry_size = sizeof(struct amdgpudbg_event),
	};

	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
}

static void wait_event(int fd, uint32_t type)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct amdgpudbg_event event;

	assert_int_equal(poll(&p, 1, (deadline_ns(DEADLINE_S) - now_ns()) /
				     1000000), 1);
	assert_int_equal(read(fd, &event, sizeof(event)), sizeof(event));
	assert_int_equal(event.type, type);
}

/* Each session has halted a wave, and the time of all is over at once. */
void patches_of_many_sessions_wait_once_when_their_time_is_over(void **state)
{
	unsigned int limit;
	struct many m;
	uint32_t i;

	(void)state;
	many_set_up(&m);
	for (i = 0; i < NUM_SESSIONS; i++)
		want_event(m.fds[i], AMDGPUDBG_EVENT_HALT_EXPIRED);
	be(ROOT, true);
	limit = self_limit_users(600);
	be(USER, true);
	for (i = 0; i < NUM_SESSIONS; i++)
		assert_int_equal(control(m.fds[i], &m.waves.wave[i],
					 AMDGPUDBG_WAVEOP_HALT), 0);
	trace_rewinds();
	be(ROOT, true);
	self_set_limit(0);
	be(USER, true);
	for (i = 0; i < NUM_SESSIONS; i++)
		wait_event(m.fds[i], AMDGPUDBG_EVENT_HALT_EXPIRED);
	assert_int_equal(count_rewinds(), 1);
	many_take_down(&m);
	be(ROOT, true);
	self_set_limit(limit);
	be(USER, true);
}

void patches_of_many_sessions_wait_once_when_the_vmid_is_given_back(void **state)
{
	union drm_amdgpu_vm unreserve = {
		.in.op = AMDGPU_VM_OP_UNRESERVE_VMID,
	};
	struct many m;
	uint32_t i;

	(void)state;
	many_set_up(&m);
	want_event(m.keeper, AMDGPUDBG_EVENT_HANDLER_LOST);
	for (i = 0; i < NUM_SESSIONS; i++)
		want_event(m.fds[i], AMDGPUDBG_EVENT_HANDLER_LOST);
	trace_rewinds();
	assert_int_equal(ioctl(prog.gpu.fd, DRM_IOCTL_AMDGPU_VM, &unreserve), 0);
	wait_event(m.keeper, AMDGPUDBG_EVENT_HANDLER_LOST);
	assert_int_equal(count_rewinds(), 1);
	many_take_down(&m);
}
