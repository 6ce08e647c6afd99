// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls all functions of the library on another process. The program is built twice, with
 * the present kernel interface and with one whose structures have grown (GROWN), and the
 * tests run it with libraries and modules of both kinds.
 *
 *	growth PID		make all calls; new members are zero before and after them
 *	growth PID refused	set new members: the calls must fail with -E2BIG
 *	growth PID accepted	set new members: the calls must succeed, as the module
 *				knows these members
 *
 * Each structure ends at the end of a page, and the next page cannot be accessed. So a
 * library or module that accesses memory after the caller's structure causes a fault.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <amdgpudbg.h>

#define MAX_WAVES 64

#define CHECK(what) check(what, #what, __LINE__)

static struct adbg_session *session;

static void check(bool right, const char *what, int line)
{
	if (right)
		return;
	printf("growth.c:%d: not so: %s (%s)\n", line, what,
	       session ? adbg_strerror(session, 0) : "no session");
	exit(EXIT_FAILURE);
}

static void done(int ret, const char *what, int line)
{
	if (!ret)
		return;
	printf("growth.c:%d: %s: %s (%s)\n", line, what, adbg_errname(ret),
	       adbg_strerror(session, ret));
	exit(EXIT_FAILURE);
}

#define DONE(call) done(call, #call, __LINE__)

/* On a busy machine, the GPU can take long to write page tables. */
#define DONE_IN_TIME(call) do {						\
	int ret_, tries_ = 0;						\
									\
	do {								\
		ret_ = (call);						\
	} while (ret_ == -ETIMEDOUT && ++tries_ < 20);			\
	done(ret_, #call, __LINE__);					\
} while (0)

/* Allocates zeroed memory that ends at the end of a page. It is never freed. */
static void *at_end(size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	size_t room = (size + page - 1) / page * page;
	char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	CHECK(!mprotect(p + room, page, PROT_NONE));
	return p + room - size;
}

#define NEW(type) ((struct type *)at_end(sizeof(struct type)))

#ifdef GROWN
#define IS_ZERO(s) (!(s)->grown[0] && !(s)->grown[1])
#else
#define IS_ZERO(s) true
#endif

static void ask(void)
{
	struct amdgpudbg_info *info = NEW(amdgpudbg_info);
	struct amdgpudbg_capability *cap = NEW(amdgpudbg_capability);
	struct amdgpudbg_busy *busy = NEW(amdgpudbg_busy);

	DONE(adbg_session_get_info(session, info));
	CHECK(info->num_wave && IS_ZERO(info));
	DONE(adbg_session_get_capability(session, AMDGPUDBG_CAP_SNAPSHOT,
					 cap));
	CHECK(cap->supported && !strcmp(cap->name, "snapshot") && IS_ZERO(cap));
	DONE(adbg_session_get_busy(session, busy));
	CHECK(busy->cause == AMDGPUDBG_BUSY_NONE && IS_ZERO(busy));
}

static void attach(int pid)
{
	struct amdgpudbg_target_set *target = NEW(amdgpudbg_target_set);

	DONE(adbg_target_attach(session, pid, 0, target));
	CHECK(target->pasid && IS_ZERO(target));
}

/* The library must return the same waves in its own buffer and in the caller's. */
static uint32_t list(struct amdgpudbg_wave *first)
{
	struct amdgpudbg_wave_list *r = NEW(amdgpudbg_wave_list);
	struct amdgpudbg_wave *waves;
	struct adbg_wave_list *l;
	uint32_t count;

	DONE(adbg_wave_list_new(&l));
	DONE(adbg_wave_list_read(l, session, 0));
	count = adbg_wave_list_count(l);
	CHECK(count && count <= MAX_WAVES);
	waves = at_end(count * sizeof(*waves));
	r->waves = (uintptr_t)waves;
	r->capacity = count;
	DONE(adbg_wave_read(session, r));
	CHECK(r->count == count && IS_ZERO(r));
	r->flags = AMDGPUDBG_WAVE_LIST_TTMP | AMDGPUDBG_WAVE_LIST_HOLD;
	DONE(adbg_wave_snapshot(session, r));
	CHECK(r->count == count && r->num_halted == count && IS_ZERO(r));
	for (uint32_t i = 0; i < count; i++) {
		const struct amdgpudbg_wave *w = adbg_wave_list_get(l, i);

		CHECK(!memcmp(&w->at, &waves[i].at, sizeof(w->at)));
		CHECK(w->vmid == waves[i].vmid && w->pc && IS_ZERO(w));
		CHECK(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
		CHECK(waves[i].flags & AMDGPUDBG_WAVE_TTMP);
		CHECK(IS_ZERO(&waves[i]));
	}
	*first = waves[0];
	adbg_wave_list_free(l);
	return count;
}

/* All waves are halted when this is called. */
static void read_registers(const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_reg_access *access = NEW(amdgpudbg_reg_access);
	struct amdgpudbg_reg_range *range = NEW(amdgpudbg_reg_range);
	struct adbg_wave_state *state;
	uint32_t *pc = at_end(2 * sizeof(*pc)), count;

	DONE(adbg_reg_parse(adbg_session_get_gc_version(session), "pc", range));
	access->at = wave->at;
	access->ranges = (uintptr_t)range;
	access->num_ranges = 1;
	access->values = (uintptr_t)pc;
	access->num_values = 2;
	DONE(adbg_reg_access(session, access));
	CHECK(pc[0] == (uint32_t)wave->pc && IS_ZERO(access));

	DONE(adbg_wave_state_new(&state));
	DONE(adbg_wave_state_read(state, session, wave));
	CHECK(adbg_wave_state_get(state, AMDGPUDBG_REG_SGPR, 0, &count));
	CHECK(count);
	adbg_wave_state_free(state);
}

/* One wave is resumed and stops again, then all are resumed. */
static void control(const struct amdgpudbg_wave *wave, uint32_t count)
{
	struct amdgpudbg_wave_control *all = NEW(amdgpudbg_wave_control);
	struct amdgpudbg_wave_batch *batch = NEW(amdgpudbg_wave_batch);
	struct amdgpudbg_batch_op *ops = at_end(2 * sizeof(*ops));

	for (int i = 0; i < 2; i++) {
		ops[i].control.op = i ? AMDGPUDBG_WAVEOP_HALT :
					AMDGPUDBG_WAVEOP_RESUME;
		ops[i].control.mode = AMDGPUDBG_WAVEMODE_SINGLE;
		ops[i].control.vmid = wave->vmid;
		ops[i].control.at = wave->at;
	}
	batch->ops = (uintptr_t)ops;
	batch->count = 2;
	DONE(adbg_wave_batch(session, batch));
	CHECK(batch->done == 2 && IS_ZERO(batch));
	for (int i = 0; i < 2; i++) {
		CHECK(!ops[i].error && ops[i].control.changed == 1);
		CHECK(IS_ZERO(&ops[i].control));
	}

	all->op = AMDGPUDBG_WAVEOP_RESUME;
	all->mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	DONE(adbg_wave_control(session, all));
	CHECK(all->matched == count && all->changed == count && IS_ZERO(all));
}

static void use_memory(void)
{
	struct amdgpudbg_mem_alloc *mem = NEW(amdgpudbg_mem_alloc);
	uint32_t *word = at_end(sizeof(*word));

	mem->bytes = 1;
	DONE_IN_TIME(adbg_mem_alloc(session, mem));
	CHECK(mem->va && mem->id && mem->bytes == 4096 && IS_ZERO(mem));
	*word = 0x12345678;
	DONE(adbg_mem_write(session, mem->id, 4092, word, 4));
	*word = 0;
	DONE(adbg_mem_read(session, mem->id, 4092, word, 4));
	CHECK(*word == 0x12345678);
	DONE(adbg_mem_free(session, mem->id));
}

static void look_at_memory(const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_vm_access *access = NEW(amdgpudbg_vm_access);
	struct amdgpudbg_vm_list *r = NEW(amdgpudbg_vm_list);
	struct amdgpudbg_mapping *there = NEW(amdgpudbg_mapping);
	struct amdgpudbg_mapping *all;
	uint32_t *word = at_end(sizeof(*word)), count;

	r->va = wave->pc;
	r->bytes = sizeof(*word);
	r->mappings = (uintptr_t)there;
	r->capacity = 1;
	DONE(adbg_vm_list(session, r));
	CHECK(r->count == 1 && IS_ZERO(r) && IS_ZERO(there));
	CHECK(there->va <= wave->pc && wave->pc - there->va < there->bytes);
	DONE(adbg_vm_mappings(session, 0, 0, &all, &count));
	CHECK(count > 1 && IS_ZERO(&all[0]) && all[0].va < all[1].va);
	free(all);
	access->va = wave->pc;
	access->bytes = sizeof(*word);
	access->data = (uintptr_t)word;
	DONE(adbg_vm_access(session, access));
	CHECK(access->done == sizeof(*word) && IS_ZERO(access));
	CHECK(*word == wave->hw[AMDGPUDBG_GFX10_3_INST_DW0]);
}

/* That of the waves, at least */
static void look_at_jobs(void)
{
	struct amdgpudbg_job_list *list = NEW(amdgpudbg_job_list);
	const struct amdgpudbg_job *job;
	size_t i;

	DONE(adbg_jobs(session, list));
	CHECK(list->count && IS_ZERO(list));
	for (i = 0; (job = adbg_jobs_get(list, i)); i++)
		CHECK(job->pid && job->num_ibs && IS_ZERO(job) &&
		      adbg_jobs_get_ib(list, job, 0)->dwords);
	CHECK(i == list->count);
	adbg_jobs_free(list);
}

static void set_things(const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_launch_set *launch = NEW(amdgpudbg_launch_set);
	struct amdgpudbg_watch_set *watch = NEW(amdgpudbg_watch_set);
	struct adbg_trap_stop *stop = NEW(adbg_trap_stop);
	uint32_t vmid;

	DONE_IN_TIME(adbg_trap_install(session, &vmid));
	stop->count = 1;
	DONE(adbg_trap_read(session, &wave->at, stop));
	CHECK(!stop->count);
	watch->mode = AMDGPUDBG_WATCH_ALL;
	watch->address = 0x100000000;
	watch->bytes = 4096;
	DONE(adbg_watch_set(session, watch));
	CHECK(watch->vmid == vmid && IS_ZERO(watch));
	launch->flags = AMDGPUDBG_LAUNCH_SET_EXCP;
	launch->excp_mask = AMDGPUDBG_CAUSE_WATCH;
	DONE(adbg_launch_set(session, launch));
	CHECK(launch->vmid == vmid && IS_ZERO(launch));
	DONE(adbg_watch_clear(session, watch->id));
	DONE(adbg_trap_uninstall(session));
}

/* Without the library, which has room for any event: as much as the caller knows. */
static struct adbg_session *listen_without_library(int pid)
{
	struct amdgpudbg_event_enable *enable = NEW(amdgpudbg_event_enable);
	struct amdgpudbg_target_set target = { 0 };
	struct adbg_session *other;

	DONE(adbg_open(NULL, &other));
	DONE(adbg_target_attach(other, pid, 0, &target));
	enable->size = sizeof(*enable);
	enable->mask = 1ULL << AMDGPUDBG_EVENT_TARGET_GONE;
	enable->entry_size = sizeof(struct amdgpudbg_event);
	DONE(ioctl(adbg_session_get_fd(other), AMDGPUDBG_IOC_EVENT_ENABLE, enable));
	return other;
}

static void hear_without_library(struct adbg_session *other)
{
	struct amdgpudbg_event *event = NEW(amdgpudbg_event);
	ssize_t n = read(adbg_session_get_fd(other), event, sizeof(*event));

	CHECK(n == event->size && n >= AMDGPUDBG_EVENT_SIZE_V1);
	CHECK(event->type == AMDGPUDBG_EVENT_TARGET_GONE && IS_ZERO(event));
	adbg_session_close(other);
}

/* The suite ends the target when it reads this. */
static void see_the_end(void)
{
	struct amdgpudbg_event *event = NEW(amdgpudbg_event);

	puts("waiting");
	fflush(stdout);
	DONE(adbg_event_next(session, event, 60000));
	CHECK(event->type == AMDGPUDBG_EVENT_TARGET_GONE && IS_ZERO(event));
}

static void all_calls(int pid)
{
	struct adbg_session *other;
	struct amdgpudbg_wave wave;
	uint32_t count;

	ask();
	attach(pid);
	DONE(adbg_event_enable(session, 1ULL << AMDGPUDBG_EVENT_TARGET_GONE, 0, 0));
	other = listen_without_library(pid);
	count = list(&wave);
	read_registers(&wave);
	look_at_memory(&wave);
	look_at_jobs();
	control(&wave, count);
	use_memory();
	set_things(&wave);
	see_the_end();
	hear_without_library(other);
}

#ifdef GROWN
static void use_what_is_new(int pid, int expected)
{
	struct amdgpudbg_wave_control *all = NEW(amdgpudbg_wave_control);
	struct amdgpudbg_wave_list *r = NEW(amdgpudbg_wave_list);
	struct amdgpudbg_info *info = NEW(amdgpudbg_info);
	struct adbg_wave_list *l;

	info->grown[1] = 1;
	info->size = sizeof(*info);
	CHECK(adbg_call(session, AMDGPUDBG_IOC_GET_INFO, info) == expected);
	attach(pid);
	all->grown[0] = 1;
	all->op = AMDGPUDBG_WAVEOP_HALT;
	all->mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS;
	CHECK(adbg_wave_control(session, all) == expected);
	CHECK(expected ? !all->matched : all->matched);
	DONE(adbg_wave_list_new(&l));
	r->grown[1] = 1;
	CHECK(adbg_wave_list_fill(l, session, r) == expected);
	CHECK(!!adbg_wave_list_count(l) == !expected);
	adbg_wave_list_free(l);
}
#endif

int main(int argc, char **argv)
{
	int pid = argc > 1 ? atoi(argv[1]) : 0;

	DONE(adbg_open(NULL, &session));
	if (argc == 2)
		all_calls(pid);
#ifdef GROWN
	else
		use_what_is_new(pid, strcmp(argv[2], "refused") ? 0 : -E2BIG);
#endif
	adbg_session_close(session);
	return EXIT_SUCCESS;
}
