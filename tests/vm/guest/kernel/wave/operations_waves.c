// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The waves for the tests of operations: see operations.h.
 */
#include "operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "self.h"

#define CODE_FILE "/usr/share/amdgpudbg/steps.co"
#define ITEMS 256

struct fixture fx;

volatile uint32_t *ctl(void)
{
	return prog_ctl(&fx.prog);
}

struct truth look(void)
{
	return truth_of(fx.vmid);
}

int submit(const char *kernel, uint32_t items, uint32_t go)
{
	ctl()[CTL_GO] = go;
	ctl()[CTL_BEGUN] = 0;
	fx.prog.items = items;
	return prog_submit(&fx.prog, kernel, &fx.job);
}

int start_waves(void)
{
	int ret = submit("steps", ITEMS, 0);

	return ret ? ret : prog_wait(&fx.prog, CTL_BEGUN, ITEMS);
}

int end_waves(void)
{
	int ret;

	ctl()[CTL_GO] = GO;	/* for "busy": a short time */
	ret = gpu_wait(&fx.prog.gpu, &fx.job, AMDGPU_TIMEOUT_INFINITE);
	gpu_job_free(&fx.prog.gpu, &fx.job);
	return ret;
}

const struct amdgpudbg_wave *wave(size_t i)
{
	const struct amdgpudbg_wave *w = adbg_wave_list_get(fx.list, i);

	assert_non_null(w);
	return w;
}

void list_waves(void)
{
	assert_int_equal(adbg_wave_list_read(fx.list, fx.session,
					     1U << fx.vmid), 0);
}

int set_up(void **state)
{
	int ret;

	(void)state;
	ret = start_waves();
	if (!ret)
		ret = adbg_open(NULL, &fx.session);
	if (!ret)
		ret = adbg_wave_list_read(fx.list, fx.session, 0);
	if (ret || adbg_wave_list_count(fx.list) != NUM_WAVES)
		return -1;
	fx.vmid = wave(0)->vmid;
	return 0;
}

int take_down(void **state)
{
	(void)state;
	/* First, so that no wave continues with values that a test has written there. */
	ctl()[CTL_GO] = GO;
	/* A test that fails may have left it. */
	vgpu_fault("ignore-sq-cmd", 0);
	adbg_session_close(fx.session);
	fx.session = NULL;
	return end_waves();
}

int set_up_group(void **state)
{
	int ret;

	(void)state;
	ret = prog_open(&fx.prog, NULL, CODE_FILE, ITEMS, 0);
	return ret ? ret : adbg_wave_list_new(&fx.list);
}

int take_down_group(void **state)
{
	(void)state;
	adbg_wave_list_free(fx.list);
	prog_close(&fx.prog);
	return 0;
}

struct amdgpudbg_wave_control single(enum amdgpudbg_waveop op, size_t i)
{
	struct amdgpudbg_wave_control c = {
		.size = sizeof(c), .op = op, .mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = fx.vmid, .at = wave(i)->at,
	};

	return c;
}

struct amdgpudbg_wave_control process(enum amdgpudbg_waveop op)
{
	struct amdgpudbg_wave_control c = {
		.size = sizeof(c),
		.op = op,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		.vmid = fx.vmid,
	};

	return c;
}

void succeeds(struct amdgpudbg_wave_control *c, uint32_t matched,
	      uint32_t changed)
{
	assert_int_equal(adbg_wave_control(fx.session, c), 0);
	assert_int_equal(c->matched, matched);
	assert_int_equal(c->changed, changed);
}

void do_single(enum amdgpudbg_waveop op, size_t i)
{
	struct amdgpudbg_wave_control c = single(op, i);

	succeeds(&c, 1, 1);
}

void do_process(enum amdgpudbg_waveop op)
{
	struct amdgpudbg_wave_control c = process(op);

	succeeds(&c, NUM_WAVES, NUM_WAVES);
}
