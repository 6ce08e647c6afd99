// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The two programs that must end with right results. "control" belongs to a third user,
 * and no call acts on it. "gentle" is the victim of the gentle process, whose calls must
 * not change its results.
 */
#include "supervise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>

#define END_MS 150000

int list_waves(struct supervisor *s, uint32_t mask)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.select.vmid_mask = mask,
		.entry_size = sizeof(s->waves[0]),
		.capacity = MAX_WAVES,
		.waves = (uintptr_t)s->waves,
	};

	/* EMSGSIZE: the GPU has more waves, and the list has the first of them. */
	if (ioctl(s->watcher, AMDGPUDBG_IOC_WAVE_LIST, &list) &&
	    errno != EMSGSIZE)
		return -errno;
	return list.count < MAX_WAVES ? list.count : MAX_WAVES;
}

static int start(struct supervisor *s, struct guarded *g, uid_t uid,
		 unsigned int items)
{
	uint32_t seen = s->control.running ? 1U << s->control.vmid : 0;
	int ret = victim_spin(&g->victim, uid, items), i;

	if (ret)
		return ret;
	g->running = true;
	ret = list_waves(s, 0);
	for (i = 0; i < ret; i++)
		if (!(seen & 1U << s->waves[i].vmid))
			g->vmid = s->waves[i].vmid;
	g->waves = items / 32;
	return ret < 0 ? ret : 0;
}

int guarded_start(struct supervisor *s)
{
	int ret;

	s->guarded_ending = false;
	ret = start(s, &s->control, CONTROL_UID, CONTROL_ITEMS);
	if (!ret)
		ret = start(s, &s->gentle, USER_UID, GENTLE_ITEMS);
	if (ret)
		problem(s->shared, "No programs to watch over: %s.",
			strerror(-ret));
	return ret;
}

static void check_one(struct supervisor *s, const struct guarded *g,
		      const char *name)
{
	unsigned int num, halted;
	int ret = vgpu_waves(g->vmid, &num, &halted);

	if (ret)
		problem(s->shared, "vgpu does not tell its waves: %s.",
			strerror(-ret));
	else if (num != g->waves || halted)
		problem(s->shared, "The program %s has %u waves, %u of them halted; it should have %u, and none halted.",
			name, num, halted, g->waves);
}

void guarded_check(struct supervisor *s, bool resting)
{
	if (s->guarded_ending)
		return;
	check_one(s, &s->control, "of a third user");
	if (resting)
		check_one(s, &s->gentle, "that is treated gently");
}

/*
 * If amdgpu has no VMID left for a job, the job waits. Linux 6.1 and 6.12 let it wait until
 * any VMID is free; 7.2 lets it wait for the VMID that was granted longest ago, and all later
 * jobs of that ring with it (amdgpu_ids.c, amdgpu_vmid_grab_idle()). This can be the VMID of
 * a program that spins.
 */
static bool spinning_blocks_others(void)
{
	struct utsname name;

	return !uname(&name) && atoi(name.release) >= 7;
}

void guarded_let_end(struct supervisor *s)
{
	if (s->guarded_ending || !spinning_blocks_others())
		return;
	s->unblocked++;
	s->guarded_ending = true;
	victim_let_end(&s->control.victim, 0);
	victim_let_end(&s->gentle.victim, 0);
}

static int finish(struct supervisor *s, struct guarded *g, const char *name)
{
	int ret;

	if (!g->running)
		return 0;
	g->running = false;
	if (!victim_let_end(&g->victim, END_MS)) {
		problem(s->shared, "The program %s does not end.", name);
		show_stack(g->victim.pid);
		check_one(s, g, name);
		return -ETIME;
	}
	ret = victim_finish(&g->victim);
	if (ret)
		problem(s->shared, "The program %s ends with status %d.", name,
			ret);
	return ret;
}

int guarded_finish(struct supervisor *s)
{
	int ret, ret2;

	/* End both at once: each has to execute what remains of its kernel. */
	if (s->gentle.running)
		victim_let_end(&s->gentle.victim, 0);
	ret = finish(s, &s->control, "of a third user");
	ret2 = finish(s, &s->gentle, "that is treated gently");
	return ret ? ret : ret2;
}
