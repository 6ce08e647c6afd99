// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session and the waves of the program "abi": see abi.h.
 */
#include "abi.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "victim.h"

static struct victim victim;
int dev = -1;
char *fence;
struct amdgpudbg_wave waves[MAX_WAVES];
struct amdgpudbg_reg_range ranges[2];
uint32_t values[8];
struct amdgpudbg_batch_op batch_op;
struct amdgpudbg_reg_batch_op reg_batch_op;

int call(unsigned long nr, void *arg)
{
	return ioctl(dev, nr, arg) ? -errno : 0;
}

void fill_list(void *arg)
{
	struct amdgpudbg_wave_list *list = arg;

	list->entry_size = sizeof(waves[0]);
	list->capacity = MAX_WAVES;
	list->waves = (uintptr_t)waves;
}

void fill_control(void *arg)
{
	struct amdgpudbg_wave_control *wc = arg;

	wc->op = AMDGPUDBG_WAVEOP_RESUME;
	wc->mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	wc->vmid = waves[0].vmid;
}

void fill_regs(void *arg)
{
	struct amdgpudbg_reg_access *regs = arg;

	ranges[0] = (struct amdgpudbg_reg_range){
		.space = AMDGPUDBG_REG_HW,
		.first = AMDGPUDBG_GFX10_3_STATUS,
		.count = 2,
	};
	regs->at = waves[0].at;
	regs->num_ranges = 1;
	regs->ranges = (uintptr_t)ranges;
	regs->values = (uintptr_t)values;
	regs->num_values = 2;
}

void fill_batch(void *arg)
{
	struct amdgpudbg_wave_batch *batch = arg;

	memset(&batch_op, 0, sizeof(batch_op));
	batch_op.control.size = sizeof(batch_op.control);
	fill_control(&batch_op.control);
	batch->entry_size = sizeof(batch_op);
	batch->count = 1;
	batch->ops = (uintptr_t)&batch_op;
}

void fill_reg_batch(void *arg)
{
	struct amdgpudbg_reg_batch *batch = arg;

	memset(&reg_batch_op, 0, sizeof(reg_batch_op));
	reg_batch_op.access.size = sizeof(reg_batch_op.access);
	fill_regs(&reg_batch_op.access);
	batch->entry_size = sizeof(reg_batch_op);
	batch->count = 1;
	batch->ops = (uintptr_t)&reg_batch_op;
}

int list_waves(unsigned int *count)
{
	struct amdgpudbg_wave_list list = { .size = sizeof(list) };
	int ret;

	fill_list(&list);
	ret = call(AMDGPUDBG_IOC_WAVE_LIST, &list);
	*count = list.count;
	return ret;
}

int control(struct amdgpudbg_wave_control *wc)
{
	wc->size = sizeof(*wc);
	return call(AMDGPUDBG_IOC_WAVE_CONTROL, wc);
}

struct amdgpudbg_wave_control single(unsigned int op)
{
	return (struct amdgpudbg_wave_control){
		.op = op,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = waves[0].vmid,
		.at = waves[0].at,
	};
}

void assert_none_halted(void)
{
	unsigned int i, count;

	assert_int_equal(list_waves(&count), 0);
	assert_int_equal(count, ITEMS / 32);
	for (i = 0; i < count; i++)
		assert_false(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
}

int set_up(void **state)
{
	unsigned int count;
	long page = sysconf(_SC_PAGESIZE);

	(void)state;
	dev = open(NODE, O_RDWR | O_CLOEXEC);
	if (dev < 0)
		return -1;
	fence = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fence += page;
	/* Not unmapped: another mapping would take its place. */
	mprotect(fence, page, PROT_NONE);
	if (victim_start(&victim, ITEMS, 0))
		return -1;
	return list_waves(&count) || count != ITEMS / 32 ? -1 : 0;
}

int take_down(void **state)
{
	(void)state;
	close(dev);
	return victim_finish(&victim);
}
