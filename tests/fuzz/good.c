// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fills the structures of calls as a debugger would, with waves, buffers and files that
 * the process knows from earlier calls. Such calls pass the checks of their arguments, and
 * so reach the code behind these checks.
 */
#include "fuzz.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* s_rfe_b64 [ttmp0, ttmp1] on gfx10 (llvm-mc 19): a trap handler in a word */
#define S_RFE 0xbe80226c

static const uint32_t waveops[] = {
	AMDGPUDBG_WAVEOP_HALT, AMDGPUDBG_WAVEOP_RESUME,
	AMDGPUDBG_WAVEOP_HALT, AMDGPUDBG_WAVEOP_RESUME,
	AMDGPUDBG_WAVEOP_STEP, AMDGPUDBG_WAVEOP_TRAP,
	AMDGPUDBG_WAVEOP_DEBUG, AMDGPUDBG_WAVEOP_KILL,
};

static struct amdgpudbg_wave some_wave(struct worker *w)
{
	struct process *p = w->process;
	struct amdgpudbg_wave wave = { .vmid = 1 };

	pthread_mutex_lock(&p->lock);
	if (p->num_waves)
		wave = p->waves[rng_below(&w->rng, p->num_waves)];
	pthread_mutex_unlock(&p->lock);
	return wave;
}

static struct buffer some_buffer(struct worker *w)
{
	struct process *p = w->process;
	struct buffer b = { .va = 0x100000, .bytes = PAGE };
	unsigned int i, n, at;

	pthread_mutex_lock(&p->lock);
	n = p->num_buffers < MAX_BUFFERS ? p->num_buffers : MAX_BUFFERS;
	at = n ? rng_below(&w->rng, n) : 0;
	for (i = 0; i < n; i++, at = (at + 1) % n) {
		if (!p->buffers[at].id)
			continue;
		b = p->buffers[at];
		/* Sometimes use a buffer of another session. */
		if (b.session == w->session || rng_once_in(&w->rng, 32))
			break;
	}
	pthread_mutex_unlock(&p->lock);
	return b;
}

bool reaches_hostile(const struct process *p, int session)
{
	int file = session < 0 || !p->hints ? -1 : p->file[session];

	return file >= 0 && p->hints->birth[file] == p->birth[session];
}

/* Prefers a buffer in the hostile target, which can act against the call. */
int place_with_buffer(struct worker *w)
{
	struct process *p = w->process;
	unsigned int i, at = rng_below(&w->rng, MAX_BUFFERS);
	int session = -1;

	pthread_mutex_lock(&p->lock);
	for (i = 0; i < MAX_BUFFERS && !reaches_hostile(p, session); i++) {
		if (p->buffers[at].id)
			session = p->buffers[at].session;
		at = (at + 1) % MAX_BUFFERS;
	}
	pthread_mutex_unlock(&p->lock);
	return session;
}

bool find_buffer(struct worker *w, uint32_t id, struct buffer *b)
{
	struct process *p = w->process;
	bool found = false;
	unsigned int i;

	pthread_mutex_lock(&p->lock);
	for (i = 0; i < MAX_BUFFERS && id && !found; i++) {
		*b = p->buffers[i];
		found = b->session == w->session && b->id == id;
	}
	pthread_mutex_unlock(&p->lock);
	return found;
}

static void fill_capability(struct worker *w, void *arg)
{
	struct amdgpudbg_capability *c = arg;

	c->id = rng_below(&w->rng, AMDGPUDBG_CAP_JOB_LIST + 1);
}

static void fill_select(struct worker *w, struct amdgpudbg_select *select)
{
	struct amdgpudbg_wave wave = some_wave(w);

	if (rng_once_in(&w->rng, 3))
		select->vmid_mask = 1U << (wave.vmid % 32);
	if (rng_once_in(&w->rng, 8))
		select->xcc_mask = 1;
	if (rng_once_in(&w->rng, 8))
		select->pasid = wave.pasid;
	if (rng_once_in(&w->rng, 4)) {
		select->at.simd = wave.at.simd;
		select->at_mask = AMDGPUDBG_AT_SIMD;
	} else if (rng_once_in(&w->rng, 4)) {
		select->at.se = wave.at.se;
		select->at_mask = AMDGPUDBG_AT_SE;
	}
	if (rng_once_in(&w->rng, 8))
		select->stage_mask = 1U << AMDGPUDBG_STAGE_COMPUTE;
	if (rng_once_in(&w->rng, 16)) {
		select->wave_flags_mask = AMDGPUDBG_WAVE_OWNED;
		select->wave_flags = AMDGPUDBG_WAVE_OWNED;
	} else if (rng_once_in(&w->rng, 8)) {
		select->wave_flags_mask = AMDGPUDBG_WAVE_HALTED;
		select->wave_flags = rng_once_in(&w->rng, 2) ?
				     AMDGPUDBG_WAVE_HALTED : 0;
	}
}

static void fill_list(struct worker *w, void *arg)
{
	struct amdgpudbg_wave_list *list = arg;

	if (rng_once_in(&w->rng, 2))
		list->flags = AMDGPUDBG_WAVE_LIST_TTMP;
	if (rng_once_in(&w->rng, 4))
		list->flags |= AMDGPUDBG_WAVE_LIST_GPU_TIME;
	if (rng_once_in(&w->rng, 4))
		list->flags |= AMDGPUDBG_WAVE_LIST_PID;
	fill_select(w, &list->select);
	if (rng_once_in(&w->rng, 3))
		list->hw_want = rng_next(&w->rng) &
				((1U << (AMDGPUDBG_GFX10_3_SCHED_MODE + 1)) - 1);
	if (rng_once_in(&w->rng, 3))
		list->hw_want |= AMDGPUDBG_HW_WANT_PC;
	if (rng_once_in(&w->rng, 4))
		list->hw_want |= AMDGPUDBG_HW_WANT_EXEC;
	list->entry_size = sizeof(struct amdgpudbg_wave);
	if (rng_once_in(&w->rng, 8))
		list->entry_size += 8 * rng_below(&w->rng, 16);
	list->capacity = MAX_WAVES;
	if (rng_once_in(&w->rng, 8))
		list->capacity = rng_below(&w->rng, MAX_WAVES);
	arena_array(w, list->capacity * (size_t)list->entry_size, &list->waves);
}

static void fill_snapshot(struct worker *w, void *arg)
{
	struct amdgpudbg_wave_list *list = arg;

	fill_list(w, arg);
	if (rng_once_in(&w->rng, 2))
		list->flags |= AMDGPUDBG_WAVE_LIST_HOLD;
	if (rng_once_in(&w->rng, 4))
		list->timeout_ms = 1 + rng_below(&w->rng, 400);
}

void fill_good_control(struct worker *w, struct amdgpudbg_wave_control *wc)
{
	struct amdgpudbg_wave wave = some_wave(w);

	wc->size = sizeof(*wc);
	wc->op = waveops[rng_below(&w->rng, sizeof(waveops) / sizeof(waveops[0]))];
	/* Resume halted waves frequently, because further calls have little effect on them. */
	if (wave.flags & AMDGPUDBG_WAVE_HALTED && rng_once_in(&w->rng, 2))
		wc->op = AMDGPUDBG_WAVEOP_RESUME;
	if (rng_once_in(&w->rng, 2))
		wc->mode = AMDGPUDBG_WAVEMODE_SINGLE;
	else if (rng_once_in(&w->rng, 3))
		wc->mode = AMDGPUDBG_WAVEMODE_SELECT;
	else
		wc->mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS +
			   rng_below(&w->rng, 2);
	if (rng_once_in(&w->rng, 8))
		wc->timeout_ms = 1 + rng_below(&w->rng, 400);
	if (wc->mode == AMDGPUDBG_WAVEMODE_SELECT)
		fill_select(w, &wc->select);
	else
		wc->vmid = rng_once_in(&w->rng, 3) ? 0 : wave.vmid;
	if (wc->mode == AMDGPUDBG_WAVEMODE_SINGLE ||
	    wc->mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU)
		wc->at = wave.at;
	if (wc->mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU) {
		wc->at.simd = 0;
		wc->at.wave = 0;
	}
	if (wc->op == AMDGPUDBG_WAVEOP_TRAP)
		wc->trap_id = rng_below(&w->rng, 16);
	if (wc->op == AMDGPUDBG_WAVEOP_DEBUG && rng_once_in(&w->rng, 2))
		wc->flags = AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF;
	if (wc->mode == AMDGPUDBG_WAVEMODE_SINGLE && rng_once_in(&w->rng, 8)) {
		wc->flags |= AMDGPUDBG_WAVE_CONTROL_EXPECT_PC;
		wc->pc = wave.pc;
	}
	if (wc->mode != AMDGPUDBG_WAVEMODE_SINGLE || !wave.id)
		return;
	/* The id from the list: another wave may use the slot since. */
	if (rng_once_in(&w->rng, 3)) {
		wc->flags |= AMDGPUDBG_WAVE_CONTROL_EXPECT_ID;
		wc->id = wave.id;
	} else if (rng_once_in(&w->rng, 2)) {
		wc->mode = AMDGPUDBG_WAVEMODE_ID;
		wc->id = wave.id;
	}
}

static void fill_control(struct worker *w, void *arg)
{
	fill_good_control(w, arg);
}

static void fill_target(struct worker *w, void *arg)
{
	struct amdgpudbg_target_set *t = arg;
	struct process *p = w->process;
	unsigned int i = rng_below(&w->rng, p->num_victims), file;

	t->drm_fd = p->drm_fds[i];
	t->pidfd = rng_once_in(&w->rng, 3) ? -1 : p->pidfds[i];
	if (p->hostile && (w->wants_hostile || rng_once_in(&w->rng, 2))) {
		/* The file that the target has there now, if pidfd_getfd() is permitted */
		file = rng_below(&w->rng, HOSTILE_FILES);
		w->taken_file = file;
		w->taken_birth = p->hints->birth[file];
		w->taken_fd = syscall(SYS_pidfd_getfd, p->hostile,
				      HOSTILE_FD + file, 0);
		t->drm_fd = w->taken_fd;
		t->pidfd = rng_once_in(&w->rng, 3) ? -1 : p->hostile;
	}
	if (!w->wants_hostile && rng_once_in(&w->rng, 4)) {
		t->drm_fd = -1;
		t->pidfd = -1;
	} else if (rng_once_in(&w->rng, 2)) {
		t->flags = AMDGPUDBG_TARGET_SET_TAKE_FD;
	}
}

void fill_good_batch(struct worker *w, struct amdgpudbg_wave_batch *batch)
{
	unsigned char *ops;
	size_t bytes;
	uint32_t i;

	batch->flags = rng_below(&w->rng, 2);
	batch->entry_size = sizeof(struct amdgpudbg_batch_op);
	if (rng_once_in(&w->rng, 8))
		batch->entry_size += 8 * rng_below(&w->rng, 16);
	batch->count = 1 + rng_below(&w->rng, 6);
	bytes = (size_t)batch->count * batch->entry_size;
	ops = arena_array(w, bytes, &batch->ops);
	memset(ops, 0, bytes);
	for (i = 0; i < batch->count; i++, ops += batch->entry_size)
		fill_good_control(w, &((struct amdgpudbg_batch_op *)ops)->control);
}

static void fill_batch(struct worker *w, void *arg)
{
	fill_good_batch(w, arg);
}

static uint32_t fill_range(struct worker *w, struct amdgpudbg_reg_range *r)
{
	memset(r, 0, sizeof(*r));
	r->space = rng_below(&w->rng, AMDGPUDBG_REG_HW + 1);
	r->count = 1 + rng_below(&w->rng, 4);
	switch (r->space) {
	case AMDGPUDBG_REG_SGPR:
		r->first = rng_below(&w->rng, 104);
		break;
	case AMDGPUDBG_REG_TTMP:
		r->first = rng_below(&w->rng, 13);
		break;
	case AMDGPUDBG_REG_HW:
		r->first = rng_below(&w->rng, AMDGPUDBG_GFX10_3_SCHED_MODE + 1);
		r->count = 1;
		break;
	case AMDGPUDBG_REG_VGPR:
		r->first = rng_below(&w->rng, 8);
		r->count = 1 + rng_below(&w->rng, 2);
		r->first_lane = rng_below(&w->rng, 28);
		r->num_lanes = 1 + rng_below(&w->rng, 4);
		return r->count * r->num_lanes;
	}
	return r->count;
}

/*
 * @ra is not in the arena, because the nuisance changes the arena and new arrays overwrite
 * older ones. For the same reason, no count is read back from an array.
 */
void fill_good_regs(struct worker *w, struct amdgpudbg_reg_access *ra)
{
	struct amdgpudbg_wave wave = some_wave(w);
	struct amdgpudbg_reg_range range, *ranges;
	uint32_t i, *values;

	ra->at = wave.at;
	ra->vmid = rng_once_in(&w->rng, 2) ? wave.vmid : 0;
	if (rng_once_in(&w->rng, 8)) {
		ra->flags |= AMDGPUDBG_REG_ACCESS_EXPECT_PC;
		ra->pc = wave.pc;
	}
	if (wave.id && rng_once_in(&w->rng, 4)) {
		ra->flags |= AMDGPUDBG_REG_ACCESS_EXPECT_ID;
		ra->id = wave.id;
	}
	ra->num_ranges = 1 + rng_below(&w->rng, 4);
	ranges = arena_array(w, ra->num_ranges * sizeof(*ranges), &ra->ranges);
	for (i = 0; i < ra->num_ranges; i++) {
		ra->num_values += fill_range(w, &range);
		ranges[i] = range;
	}
	values = arena_array(w, ra->num_values * 4, &ra->values);
	if (rng_once_in(&w->rng, 3)) {
		ra->flags |= AMDGPUDBG_REG_ACCESS_WRITE;
		for (i = 0; i < ra->num_values; i++)
			values[i] = rng_next(&w->rng);
		if (rng_once_in(&w->rng, 4)) {
			ra->flags |= rng_once_in(&w->rng, 2) ?
				     AMDGPUDBG_REG_ACCESS_COMPARE :
				     AMDGPUDBG_REG_ACCESS_MASK;
			arena_array(w, ra->num_values * 4, &ra->compare);
		}
	}
}

static void fill_regs(struct worker *w, void *arg)
{
	fill_good_regs(w, arg);
}

static void fill_reg_batch(struct worker *w, void *arg)
{
	struct amdgpudbg_reg_batch *batch = arg;
	struct amdgpudbg_reg_access access;
	unsigned char *ops;
	size_t bytes;
	uint32_t i;

	batch->flags = rng_below(&w->rng, 2);
	batch->entry_size = sizeof(struct amdgpudbg_reg_batch_op);
	if (rng_once_in(&w->rng, 8))
		batch->entry_size += 8 * rng_below(&w->rng, 16);
	batch->count = 1 + rng_below(&w->rng, 4);
	bytes = (size_t)batch->count * batch->entry_size;
	ops = arena_array(w, bytes, &batch->ops);
	memset(ops, 0, bytes);
	for (i = 0; i < batch->count; i++, ops += batch->entry_size) {
		access = (struct amdgpudbg_reg_access){ .size = sizeof(access) };
		fill_good_regs(w, &access);
		((struct amdgpudbg_reg_batch_op *)ops)->access = access;
	}
}

static void fill_alloc(struct worker *w, void *arg)
{
	struct amdgpudbg_mem_alloc *m = arg;

	m->flags = rng_below(&w->rng, 4);
	m->bytes = 1 + rng_below(&w->rng, 16 * PAGE);
}

static void fill_free(struct worker *w, void *arg)
{
	struct amdgpudbg_mem_free *m = arg;

	m->id = some_buffer(w).id;
}

static void fill_copy(struct worker *w, void *arg)
{
	struct amdgpudbg_mem_copy *m = arg;
	struct buffer b = w->fresh.id ? w->fresh : some_buffer(w);
	uint32_t *data;
	size_t i;

	m->flags = rng_below(&w->rng, 2) ? AMDGPUDBG_MEM_COPY_WRITE : 0;
	m->id = b.id;
	m->offset = 4 * rng_below(&w->rng, 16);
	m->bytes = b.bytes - m->offset;
	if (m->bytes > 16 * PAGE || (!w->fresh.id && rng_once_in(&w->rng, 2)))
		m->bytes = rng_below(&w->rng, PAGE);
	data = arena_array(w, m->bytes, &m->data);
	if (m->flags)
		for (i = 0; i < m->bytes / 4; i++)
			data[i] = S_RFE;
}

static void fill_access(struct worker *w, void *arg)
{
	struct amdgpudbg_vm_access *a = arg;
	struct buffer b = some_buffer(w);
	uint32_t *data;
	size_t i;

	/* The range may include pages after the buffer, which may not be mapped. */
	a->va = b.va;
	a->bytes = rng_below(&w->rng, PAGE);
	if (w->process->hostile && rng_once_in(&w->rng, 3)) {
		a->va = HOSTILE_VA + HOSTILE_STRIDE *
				     rng_below(&w->rng, HOSTILE_OBJECTS);
		a->bytes = rng_below(&w->rng, 8 * PAGE);
	}
	data = arena_array(w, a->bytes, &a->data);
	if (rng_once_in(&w->rng, 4)) {
		a->flags = AMDGPUDBG_VM_ACCESS_WRITE;
		for (i = 0; i < a->bytes / 4; i++)
			data[i] = S_RFE;
		if (rng_once_in(&w->rng, 2)) {
			a->flags |= AMDGPUDBG_VM_ACCESS_PATCH;
			a->va += 4 * rng_below(&w->rng, 64);
			a->bytes = 4 + 4 * rng_below(&w->rng, 4);
			data = arena_array(w, a->bytes, &a->data);
			memset(data, 0, a->bytes);
		}
	} else if (rng_once_in(&w->rng, 8)) {
		a->flags = AMDGPUDBG_VM_ACCESS_UNPATCH;
		if (rng_once_in(&w->rng, 2))
			a->flags |= AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP;
		a->va += 4 * rng_below(&w->rng, 64);
		a->bytes = 4;
		a->data = 0;
	} else if (rng_once_in(&w->rng, 2)) {
		a->va += rng_below(&w->rng, 2 * PAGE) - PAGE;
	}
}

static void fill_mappings(struct worker *w, void *arg)
{
	struct amdgpudbg_vm_list *l = arg;

	l->entry_size = sizeof(struct amdgpudbg_mapping);
	l->capacity = rng_below(&w->rng, 64);
	arena_array(w, (size_t)l->capacity * l->entry_size, &l->mappings);
	if (rng_once_in(&w->rng, 2)) {
		l->va = some_buffer(w).va;
		l->bytes = 1 + rng_below(&w->rng, PAGE);
	}
}

static void fill_handler(struct worker *w, void *arg)
{
	struct amdgpudbg_trap_handler *t = arg;
	struct buffer code = some_buffer(w), data = some_buffer(w);

	if (rng_once_in(&w->rng, 4)) {
		t->flags = AMDGPUDBG_TRAP_HANDLER_CLEAR;
		return;
	}
	t->tba = code.va;
	t->tba_size = 256;
	if (rng_once_in(&w->rng, 2)) {
		t->tma = data.va;
		t->tma_size = 64;
		if (rng_once_in(&w->rng, 2)) {
			t->flags = AMDGPUDBG_TRAP_HANDLER_CHAIN;
			t->chain_offset = 8 * rng_below(&w->rng, 7);
		}
	}
}

static void fill_watch(struct worker *w, void *arg)
{
	struct amdgpudbg_watch_set *s = arg;
	struct buffer b = some_buffer(w);

	s->mode = rng_below(&w->rng, AMDGPUDBG_WATCH_ALL + 1);
	s->address = b.va;
	if (rng_once_in(&w->rng, 4)) {
		s->flags = AMDGPUDBG_WATCH_SET_MASK;
		s->mask = 0xfffffffff000;
	} else {
		s->bytes = 128 << rng_below(&w->rng, 6);
	}
}

static void fill_clear(struct worker *w, void *arg)
{
	struct amdgpudbg_watch_clear *c = arg;

	c->id = rng_below(&w->rng, 4);
}

static void fill_launch(struct worker *w, void *arg)
{
	static const uint32_t modes[] = {
		AMDGPUDBG_LAUNCH_NORMAL, AMDGPUDBG_LAUNCH_HALT,
		AMDGPUDBG_LAUNCH_DEBUG,
	};
	struct amdgpudbg_launch_set *l = arg;

	l->mode = modes[rng_below(&w->rng, 3)];
	if (rng_once_in(&w->rng, 4))
		l->flags = AMDGPUDBG_LAUNCH_SET_STALL;
	if (rng_once_in(&w->rng, 2)) {
		l->flags |= AMDGPUDBG_LAUNCH_SET_EXCP;
		l->excp_mask = rng_once_in(&w->rng, 2) ?
			       AMDGPUDBG_CAUSE_WATCH :
			       rng_below(&w->rng, 1024) & ~AMDGPUDBG_CAUSE_ILLEGAL_INST;
		if (rng_once_in(&w->rng, 4))
			l->flags |= AMDGPUDBG_LAUNCH_SET_REPLACE;
	}
}

static void fill_events(struct worker *w, void *arg)
{
	struct amdgpudbg_event_enable *e = arg;

	e->mask = 2 * rng_below(&w->rng, 1 << AMDGPUDBG_EVENT_VM_CHANGED);
	if (e->mask >> AMDGPUDBG_EVENT_WAVE & 1 && rng_once_in(&w->rng, 2))
		e->cause_mask = rng_below(&w->rng, 1 << 17);
	e->capacity = rng_once_in(&w->rng, 2) ? 0 : 1 + rng_below(&w->rng, 4096);
	e->entry_size = sizeof(struct amdgpudbg_event);
	if (!rng_below(&w->rng, 4))
		e->entry_size += 8 * rng_below(&w->rng, 16);
}

static void fill_jobs(struct worker *w, void *arg)
{
	struct amdgpudbg_job_list *l = arg;

	l->entry_size = sizeof(struct amdgpudbg_job);
	if (rng_once_in(&w->rng, 8))
		l->entry_size += 8 * rng_below(&w->rng, 16);
	l->capacity = rng_below(&w->rng, 16);
	l->ib_capacity = rng_below(&w->rng, 32);
	arena_array(w, (size_t)l->capacity * l->entry_size, &l->jobs);
	arena_array(w, l->ib_capacity * sizeof(struct amdgpudbg_ib), &l->ibs);
}

static void (*const fill[NUM_IOCTLS])(struct worker *w, void *arg) = {
	[CALL_GET_CAPABILITY] = fill_capability,
	[CALL_WAVE_LIST] = fill_list,
	[CALL_WAVE_SNAPSHOT] = fill_snapshot,
	[CALL_WAVE_CONTROL] = fill_control,
	[CALL_TARGET_SET] = fill_target,
	[CALL_WAVE_BATCH] = fill_batch,
	[CALL_REG_ACCESS] = fill_regs,
	[CALL_REG_BATCH] = fill_reg_batch,
	[CALL_MEM_ALLOC] = fill_alloc,
	[CALL_MEM_FREE] = fill_free,
	[CALL_MEM_COPY] = fill_copy,
	[CALL_VM_ACCESS] = fill_access,
	[CALL_VM_LIST] = fill_mappings,
	[CALL_TRAP_HANDLER] = fill_handler,
	[CALL_WATCH_SET] = fill_watch,
	[CALL_WATCH_CLEAR] = fill_clear,
	[CALL_LAUNCH_SET] = fill_launch,
	[CALL_EVENT_ENABLE] = fill_events,
	[CALL_JOB_LIST] = fill_jobs,
};

void fill_good(struct worker *w, enum call_id id, void *arg)
{
	w->arena.used = 0;
	memset(arg, 0, calls[id].size);
	if (fill[id])
		fill[id](w, arg);
	*(uint32_t *)arg = calls[id].size;
}
