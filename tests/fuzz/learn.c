// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Evaluates the results of successful calls: it records waves and buffers, which later
 * calls use, and checks that a process got no information about other users.
 */
#include "foreign.h"
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
	const struct buffer b = {
		.session = w->session, .id = m->id, .va = m->va, .bytes = m->bytes,
	};
	struct process *p = w->process;
	uint32_t i;

	pthread_mutex_lock(&p->lock);
	p->buffers[p->num_buffers++ % MAX_BUFFERS] = b;
	pthread_mutex_unlock(&p->lock);
	if (!p->hints)
		return;
	if (b.session >= 0)
		w->fresh = b;
	/* It may see one's address with another's size. */
	i = atomic_fetch_add(&p->hints->next, 1) % MAX_HINTS;
	atomic_store(&p->hints->va[i], m->va);
	atomic_store(&p->hints->bytes[i], m->bytes);
}

void forget_buffers(struct process *p, int session, uint32_t id)
{
	unsigned int i;

	pthread_mutex_lock(&p->lock);
	for (i = 0; i < MAX_BUFFERS; i++)
		if (p->buffers[i].session == session &&
		    (!id || p->buffers[i].id == id))
			p->buffers[i].id = 0;
	pthread_mutex_unlock(&p->lock);
}

static void learn_data(struct worker *w, uint64_t addr, uint64_t bytes)
{
	const void *data = arena_at(w, addr, bytes);

	if (data && foreign_is_in(data, bytes))
		problem(w->process->shared, "%s reads memory of another user.",
			calls[w->slot->call].name);
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
			problem(p->shared, "An unprivileged session got information about VMID %u of another user.",
				e.vmid);
	}
}

/*
 * This is valid even if the nuisance has changed the arguments or some of the data: such
 * changes do not produce the contents of another user's pages.
 */
void learn_copy(struct worker *w, enum call_id id, const void *in)
{
	const struct amdgpudbg_mem_copy *copy = in;
	const struct amdgpudbg_vm_access *access = in;

	if (id == CALL_MEM_COPY && !(copy->flags & AMDGPUDBG_MEM_COPY_WRITE))
		learn_data(w, copy->data, copy->bytes);
	if (id == CALL_VM_ACCESS && !access->flags)
		learn_data(w, access->data, access->bytes);
}

void learn(struct worker *w, enum call_id id, const void *in, const void *arg)
{
	const struct amdgpudbg_wave_list *list = in;
	const struct amdgpudbg_target_set *target = in;

	switch (id) {
	case CALL_WAVE_LIST:
	case CALL_WAVE_SNAPSHOT:
		learn_waves(w, list->entry_size, arg);
		break;
	case CALL_MEM_ALLOC:
		learn_buffer(w, arg);
		break;
	case CALL_TARGET_SET:
		w->process->has_target[w->session] = target->drm_fd >= 0;
		w->process->birth[w->session] = w->taken_birth;
		w->process->file[w->session] = w->taken_file;
		forget_buffers(w->process, w->session, 0);
		break;
	case CALL_MEM_FREE:
		forget_buffers(w->process, w->session,
			       ((const struct amdgpudbg_mem_free *)in)->id);
		break;
	default:
		break;
	}
}
