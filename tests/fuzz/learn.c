// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What successful calls tell: waves and buffers for later calls to name, and
 * whether a process was told of what does not concern it.
 */
#include "fuzz.h"

#include <string.h>

/* @stride: of the records, which the kernel has replaced in @list */
static void learn_waves(struct worker *w, uint32_t stride,
			const struct amdgpudbg_wave_list *list)
{
	struct process *p = w->process;
	struct amdgpudbg_wave wave;
	unsigned char *at;
	uint32_t i, n = list->count < list->capacity ? list->count :
						      list->capacity;

	for (i = 0; i < n; i++) {
		at = arena_at(w, list->waves + (uint64_t)i * stride,
			      sizeof(wave));
		if (!at)
			break;
		memcpy(&wave, at, sizeof(wave));
		if (p->role != ROLE_ROOT && wave.vmid == p->control_vmid)
			problem(p->shared, "An unprivileged session lists a wave of VMID %u, which is another user's.",
				wave.vmid);
		if (i >= MAX_WAVES)
			continue;
		pthread_mutex_lock(&p->lock);
		p->waves[i] = wave;
		if (p->num_waves <= i)
			p->num_waves = i + 1;
		pthread_mutex_unlock(&p->lock);
	}
}

static void learn_buffer(struct worker *w, const struct amdgpudbg_mem_alloc *m)
{
	struct process *p = w->process;

	pthread_mutex_lock(&p->lock);
	p->buffers[p->num_buffers++ % MAX_BUFFERS] = (struct buffer){
		.session = w->session, .id = m->id, .va = m->va, .bytes = m->bytes,
	};
	pthread_mutex_unlock(&p->lock);
}

void learn_events(struct worker *w, const void *buf, size_t len)
{
	struct process *p = w->process;
	struct amdgpudbg_event e;

	for (; len; len -= e.size, buf = (const char *)buf + e.size) {
		if (len >= sizeof(e))
			memcpy(&e, buf, sizeof(e));
		if (len < sizeof(e) || e.size < sizeof(e) || e.size > len) {
			problem(p->shared, "read() gives no whole events.");
			return;
		}
		if (p->role != ROLE_ROOT && e.vmid == p->control_vmid &&
		    e.flags & (AMDGPUDBG_EVENT_HAS_WAVE |
			       AMDGPUDBG_EVENT_HAS_JOB))
			problem(p->shared, "An unprivileged session is told of what is in VMID %u, which is another user's.",
				e.vmid);
	}
}

void learn(struct worker *w, enum call_id id, const void *in, const void *arg)
{
	const struct amdgpudbg_wave_list *list = in;

	switch (id) {
	case CALL_WAVE_LIST:
	case CALL_WAVE_SNAPSHOT:
		learn_waves(w, list->entry_size, arg);
		break;
	case CALL_MEM_ALLOC:
		learn_buffer(w, arg);
		break;
	default:
		break;
	}
}
