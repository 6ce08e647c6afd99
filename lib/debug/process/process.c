// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Attaching to a process, and allocating buffers in its address space: one for the code of the
 * trap handler, followed by displaced instructions, and one for the handler's memory.
 *
 * Both are mapped uncached, so that running waves see later writes. Instruction caches are
 * invalidated with each patch.
 */
#include <assert.h>

#include "breakpoint.h"
#include "isa/gpu.h"
#include "isa/handler.h"
#include "poll_fd.h"
#include "runs.h"
#include "trap_abi.h"

#define TBA_ALIGN	256	/* required by AMDGPUDBG_IOC_TRAP_HANDLER */

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static int alloc(struct adbgd_process *p, uint32_t flags, uint64_t bytes, uint32_t *id,
		 uint64_t *va)
{
	struct amdgpudbg_mem_alloc mem = {
		.flags = flags | AMDGPUDBG_MEM_ALLOC_UNCACHED, .bytes = bytes,
	};
	int ret = adbg_mem_alloc(p->session, &mem);

	if (ret)
		return ret;
	*id = mem.id;
	*va = mem.va;
	return 0;
}

static int make_code(struct adbgd_process *p)
{
	uint64_t handlers, places = (uint64_t)ADBGD_NUM_DISPLACED * ADBGD_DISPLACED_SIZE;
	int ret;

	p->handler.size = round_up(adbgd_handler_size(p->info.gc_version), TBA_ALIGN);
	handlers = ADBGD_NUM_HANDLERS * p->handler.size;
	p->handler.code_size = handlers + places + sizeof(uint32_t);
	ret = alloc(p, AMDGPUDBG_MEM_ALLOC_EXEC, p->handler.code_size, &p->handler.code_id,
		    &p->handler.code_va);
	p->handler.displaced_va = p->handler.code_va + handlers;
	p->handler.spare_va = p->handler.displaced_va + places;
	return ret;
}

static int make_memory(struct adbgd_process *p, const struct amdgpudbg_info *gpu)
{
	uint32_t *header = p->handler.header;
	int ret;

	static_assert(sizeof(p->handler.header) == TRAP_HDR_SIZE, "the handler's header");
	trap_header(header, gpu->num_se, gpu->num_sa, gpu->num_wgp, gpu->num_simd,
		    gpu->num_wave);
	p->handler.counters = TRAP_HDR_SIZE +
			      (uint64_t)header[TRAP_HDR_NUM_MAILBOXES / 4] * TRAP_MAILBOX_SIZE;
	p->handler.command_buffer = p->handler.counters +
				    ADBGD_NUM_HIT_COUNTERS * TRAP_COUNTER_SIZE;
	p->handler.memory_size = p->handler.command_buffer + ADBGD_COMMAND_BUFFER_SIZE;
	ret = alloc(p, 0, p->handler.memory_size, &p->handler.memory_id, &p->handler.memory_va);
	if (ret)
		return ret;
	return adbg_mem_write(p->session, p->handler.memory_id, 0, header, TRAP_HDR_SIZE);
}

int adbgd_process_make_records(struct adbgd_process *process)
{
	struct adbgd_handler_memory *h = &process->handler;

	return h->records_id ? 0 : alloc(process, 0, ADBGD_RECORDS_SIZE, &h->records_id,
					 &h->records_va);
}

static int learn_gpu(struct adbgd_process *p, struct amdgpudbg_info *gpu,
		     struct adbgd_error *error)
{
	int ret = adbg_session_get_info(p->session, gpu);

	if (ret)
		return adbgd_failed(p, error, ret, "cannot read the properties of the GPU");
	p->info.gc_version = gpu->gc_version;
	if (!adbgd_gpu_by_gc(gpu->gc_version) || !adbgd_handler_size(gpu->gc_version))
		return adbgd_fail(error, -EOPNOTSUPP,
				  "this GPU is not supported: there is no trap handler for GC "
				  "%u.%u.%u",
				  ADBG_GC_MAJOR(gpu->gc_version),
				  ADBG_GC_MINOR(gpu->gc_version), ADBG_GC_REV(gpu->gc_version));
	p->info.gpu = adbgd_gpu_by_gc(gpu->gc_version)->name;
	p->va_bits = gpu->va_bits;
	return 0;
}

/* Set up a process whose session has a target, and its events enabled. */
static int set_up(struct adbgd_process *p, struct adbgd_error *error)
{
	struct amdgpudbg_info gpu = { 0 };
	int ret = learn_gpu(p, &gpu, error);

	if (ret)
		return ret;
	ret = make_code(p);
	if (!ret)
		ret = make_memory(p, &gpu);
	if (ret)
		return adbgd_failed(p, error, ret, "cannot allocate a trap handler in "
				    "process %d",
				    p->info.pid);
	return adbgd_conditions_load(p, error);
}

static struct adbgd_process *new_process(int32_t pid, struct adbgd_error *error)
{
	struct adbgd_process *p = calloc(1, sizeof(*p));

	if (!p || adbg_wave_list_new(&p->waves)) {
		free(p);
		adbgd_no_memory(error, "a process");
		return NULL;
	}
	p->info.pid = pid;
	p->interrupt_fd = -1;
	adbgd_exec_open(p);
	return p;
}

static int attach(struct adbgd_process *p, uint64_t client_id, struct adbgd_error *error)
{
	struct amdgpudbg_target_set target = { .drm_fd = -1 };
	struct amdgpudbg_info gpu_info = { 0 };
	int ret;

	ret = adbg_target_attach(p->session, p->info.pid, client_id, &target);
	if (ret)
		return adbgd_failed(p, error, ret, "cannot attach to process %d",
				    p->info.pid);
	p->info.pasid = target.pasid;
	/*
	 * Enable events before anything can stop. Job events are optional: event_mask has them
	 * only if the amdgpu driver reports jobs.
	 */
	ret = adbg_session_get_info(p->session, &gpu_info);
	if (!ret)
		ret = adbg_event_enable(p->session, ADBGD_PROCESS_EVENTS & gpu_info.event_mask, 0,
					AMDGPUDBG_EVENT_CAPACITY_MAX);
	if (ret)
		return adbgd_failed(p, error, ret, "cannot enable the events of waves");
	return set_up(p, error);
}

int adbgd_open_gpu(const char *gpu, struct adbg_session **session, struct adbgd_error *error)
{
	int ret = adbg_open(gpu, session);

	return ret ? adbgd_failed(NULL, error, ret, "cannot open %s", gpu ? gpu : "the GPU") : 0;
}

int adbgd_process_attach_in(struct adbg_session *session, int32_t pid, uint64_t client_id,
			    struct adbgd_process **process, struct adbgd_error *error)
{
	struct adbgd_process *p = new_process(pid, error);
	int ret;

	if (!p) {
		adbg_session_close(session);
		return -ENOMEM;
	}
	p->session = session;
	p->owns_session = true;
	ret = attach(p, client_id, error);
	if (ret)
		adbgd_process_detach(p);
	else
		*process = p;
	return ret;
}

ADBGD_API int adbgd_process_attach(const char *gpu, int32_t pid, uint64_t client_id,
				   struct adbgd_process **process,
				   struct adbgd_error *error)
{
	struct adbg_session *session;
	int ret = adbgd_open_gpu(gpu, &session, error);

	return ret ? ret : adbgd_process_attach_in(session, pid, client_id, process, error);
}

ADBGD_API int adbgd_process_attach_session(struct adbg_session *session, int32_t pid,
					   struct adbgd_process **process,
					   struct adbgd_error *error)
{
	struct adbgd_process *p = new_process(pid, error);
	int ret = -ENOMEM;

	if (p) {
		p->session = session;
		ret = set_up(p, error);
	}
	if (ret)
		adbgd_process_detach(p);
	else
		*process = p;
	return ret;
}

/*
 * Keep the first failure. Ignore errors which say that the object, the target or the GPU is gone.
 */
static void note(int *first, int ret)
{
	if (!*first && ret != -ENOENT && ret != -ENODATA && ret != -ENOTCONN && ret != -ENODEV)
		*first = ret;
}

/*
 * Clearing the handler also removes patches and resumes stopped waves, in the right order: see
 * amdgpudbg.h. Without a handler no wave has stopped for the library.
 */
static int leave_session(struct adbgd_process *p)
{
	int ret = 0;

	adbgd_watchpoints_clear(p);
	if (adbgd_launch_halts(p)) {
		p->launch.look = NULL;
		note(&ret, adbgd_process_stop_at_start(p, false, NULL));
	}
	if (p->handler.was_set)
		note(&ret, adbg_trap_handler_clear(p->session));
	if (p->handler.code_id)
		note(&ret, adbg_mem_free(p->session, p->handler.code_id));
	if (p->handler.memory_id)
		note(&ret, adbg_mem_free(p->session, p->handler.memory_id));
	if (p->handler.records_id)
		note(&ret, adbg_mem_free(p->session, p->handler.records_id));
	if (p->handler.was_set)
		note(&ret, adbg_resume_all(p->session, NULL));
	return ret;
}

ADBGD_API int adbgd_process_detach(struct adbgd_process *process)
{
	int ret = 0;

	if (!process)
		return 0;
	if (process->session)
		adbgd_stepped_disable(process);
	if (process->owns_session)
		adbg_session_close(process->session);
	else if (process->session)
		ret = leave_session(process);
	while (process->runs)
		process->runs->free(process->runs);
	adbgd_watchpoints_free(process);
	adbgd_breakpoints_free(process);
	adbgd_poll_fd_close(process);
	adbgd_exec_close(process);
	adbg_wave_list_free(process->waves);
	free(process->launch.halted.bits);
	free(process->evaluated.bits);
	free(process->kept);
	free(process->launch.ran.bits);
	free(process);
	return ret;
}

ADBGD_API void adbgd_process_set_interrupt(struct adbgd_process *process, int fd)
{
	process->interrupt_fd = fd;
	if (process->owns_session)
		adbg_session_set_interrupt(process->session, fd);
}

ADBGD_API const struct adbgd_process_info *
adbgd_process_get_info(const struct adbgd_process *process)
{
	return &process->info;
}

ADBGD_API struct adbg_session *
adbgd_process_get_session(const struct adbgd_process *process)
{
	return process->session;
}
