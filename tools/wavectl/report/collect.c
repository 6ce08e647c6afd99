// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects a report: see collect.h.
 */
#include "report/collect.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/pasid.h"
#include "base/util.h"
#include "report/collect_code.h"
#include "report/collect_waves.h"
#include "waves/fault.h"
#include "waves/hold.h"
#include "waves/job.h"

#define MAX_PROCESSES	64
/*
 * Time to read memory and code. A process can withhold pages of its memory, and the waves, also
 * those of other processes, must not stay halted because of that.
 */
#define READ_SECONDS	30

/* ---------------------------------------------------------------------- versions */

static void add_time(struct json_object *root)
{
	time_t now = time(NULL);
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_put_text(root, "time", text);
}

static void add_versions(struct collector *c)
{
	struct json_object *o = json_new();
	struct amdgpudbg_info info = { 0 };
	struct utsname kernel;
	char text[64];

	json_put(c->root, "versions", o);
	json_put_text(o, "wavectl", WAVECTL_VERSION);
	json_put_text(o, "library", adbg_version());
	json_put_text(o, "kernel", uname(&kernel) ? NULL : kernel.release);
	if (adbg_session_get_info(c->w->session, &info))
		return;
	json_put_text(o, "module", info.module_version);
	json_put_uint(o, "abi", info.abi_version);
	json_put_text(o, "driver_build_id", info.driver_build_id);
	json_put_uint(o, "number", adbg_session_get_number(c->w->session));
	json_put_text(o, "gpu", debug_gpu(c->w));
	json_put_text(o, "gc", gc_name(info.gc_version, text));
	json_put_uint(o, "gc_version", info.gc_version);
	json_put_text(o, "pci", pci_name(&info, text));
	snprintf(text, sizeof(text), "%04x:%04x", info.vendor_id, info.device_id);
	json_put_text(o, "id", text);
	json_put_uint(o, "gpu_reset_count", info.gpu_reset_count);
}

/* --------------------------------------------------------------------- processes */

/* A process whose memory cannot be read is left out; its waves are not. */
static void add_process(struct collector *c, uint32_t pasid)
{
	const struct adbg_client *client = pasid_client(c->w, pasid);
	struct report_process *p;

	if (!client || collector_process(c, pasid) || c->num_processes == MAX_PROCESSES)
		return;
	if (c->w->pid && client->pid != c->w->pid)
		return;
	p = xcalloc(1, sizeof(*p));
	if (report_process_open(c->w, client->pid, pasid,
				c->w->pid ? c->w->client : client->client_id, c->interrupt_fd, p)) {
		free(p);
		return;
	}
	c->processes = xreallocarray(c->processes, c->num_processes + 1, sizeof(*c->processes));
	c->processes[c->num_processes++] = p;
}

static void find_code(struct report_process *p)
{
	/* Errors are printed; then names are missing. */
	if (p->view.code_objects.num || p->view.debug_dirs.num)
		ignore_result(code_add_files(&p->view));
	if (p->num_mappings && !hold_interrupted())
		ignore_result(code_search(&p->view));
}

static void open_processes(struct collector *c)
{
	const struct amdgpudbg_wave *wave;

	for (size_t i = 0; (wave = adbg_wave_list_get(c->list, i)) && !hold_interrupted(); i++)
		if (wave->flags & AMDGPUDBG_WAVE_PASID)
			add_process(c, wave->pasid);
	for (size_t i = 0; i < c->cause->num_faults; i++)
		add_process(c, c->cause->faults[i].pasid);
	for (size_t i = 0; i < c->num_processes && !hold_interrupted(); i++)
		find_code(c->processes[i]);
}

static void add_mappings(struct collector *c)
{
	struct json_object *array = json_put_array(c->root, "mappings"), *o;

	for (size_t i = 0; i < c->num_processes; i++) {
		const struct report_process *p = c->processes[i];

		for (uint32_t n = 0; n < p->num_mappings; n++) {
			const struct amdgpudbg_mapping *m = &p->mappings[n];

			o = json_push(array);
			json_put_uint(o, "pid", p->pid);
			json_put_address(o, "address", m->va);
			json_put_address(o, "end", m->va + m->bytes);
			json_put_text(o, "kind", mapping_kind(m));
			json_put_uint(o, "flags", m->flags);
			json_put_address(o, "offset", m->offset);
		}
	}
}

/* -------------------------------------------------------------------------- jobs */

static void add_job(struct collector *c, struct json_object *array,
		    const struct amdgpudbg_job *job, uint64_t now)
{
	const struct adbg_client *client = pasid_client(c->w, job->pasid);
	struct json_object *o = json_push(array);
	char text[JOB_TEXT_MAX];

	json_put_text(o, "ring", job_ring(job, text));
	json_put_text(o, "job", job_name(job, text));
	json_put_flag(o, "oldest", job->flags & AMDGPUDBG_JOB_OLDEST);
	json_put_uint(o, "vmid", job->vmid);
	json_put_uint(o, "pasid", job->pasid);
	if (job->pid)
		json_put_uint(o, "pid", job->pid);
	json_put_text(o, "program", client ? client->name : NULL);
	json_put_uint(o, "age_ms", job_age_ms(job, now));
	if (job->left_ms != JOB_FOR_EVER)
		json_put_uint(o, "left_ms", job->left_ms);
	json_put_flag(o, "held", job->flags & AMDGPUDBG_JOB_HELD);
	json_put_uint(o, "seq_signaled", job->seq_signaled);
	json_put_uint(o, "seq_emitted", job->seq_emitted);
	json_put_uint(o, "ibs", job->num_ibs);
}

/* A module without job events does not list jobs; the report has none then. */
static void add_jobs(struct collector *c)
{
	struct json_object *array = json_put_array(c->root, "jobs");
	struct amdgpudbg_job_list list = { 0 };
	const struct amdgpudbg_job *job;

	if (adbg_jobs(c->w->session, &list))
		return;
	for (size_t i = 0; (job = adbg_jobs_get(&list, i)); i++)
		if (!c->w->pid || !job->pid || job->pid == c->w->pid)
			add_job(c, array, job, list.time);
	adbg_jobs_free(&list);
}

/* ------------------------------------------------------------------------ faults */

static void add_near(struct json_object *o, const struct report_process *p, uint64_t va)
{
	struct mapping_near near;
	char *text;

	mapping_search(p->mappings, p->num_mappings, va, &near);
	json_put_flag(o, "mapped", near.has_at);
	text = mapping_near_text(&near, va);
	json_put_text(o, "near", text);
	free(text);
}

static void add_faults(struct collector *c)
{
	struct json_object *array = json_put_array(c->root, "faults"), *o;
	const char *kinds[FAULT_KINDS];

	for (size_t i = 0; i < c->cause->num_faults; i++) {
		const struct amdgpudbg_event *ev = &c->cause->faults[i];
		const struct report_process *p = collector_process(c, ev->pasid);
		char *access = NULL;

		for (unsigned int n = 0, num = fault_kinds(ev, kinds); n < num; n++)
			xappend(&access, "%s%s", access ? "," : "", kinds[n]);
		o = json_push(array);
		json_put_address(o, "address", ev->address);
		json_put_text(o, "access", access);
		if (ev->client != AMDGPUDBG_FAULT_CLIENT_UNKNOWN)
			json_put_uint(o, "client", ev->client);
		json_put_uint(o, "vmid", ev->vmid);
		json_put_uint(o, "pasid", ev->pasid);
		json_put_uint(o, "count", ev->count);
		if (p)
			add_near(o, p, ev->address);
		free(access);
	}
}

/* ----------------------------------------------------------------------- collect */

/*
 * Halt all waves and list them. If they do not halt in time, list them as they run; this is what
 * happens if the GPU does not answer.
 */
static int list_waves(struct collector *c)
{
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP | AMDGPUDBG_WAVE_LIST_HOLD,
	};
	int ret = adbg_wave_list_new(&c->list);

	if (!ret)
		ret = adbg_wave_list_snapshot(c->list, c->w->session, &what);
	c->is_held = !ret;
	if (ret == -ETIMEDOUT || ret == -EBUSY) {
		what = (struct amdgpudbg_wave_list){ .flags = AMDGPUDBG_WAVE_LIST_TTMP };
		ret = adbg_wave_list_fill(c->list, c->w->session, &what);
	}
	return ret ? fail(c->w, ret, "cannot list the waves") : WAVECTL_OK;
}

static void collect(struct collector *c)
{
	json_put_flag(c->root, "held", c->is_held);
	add_versions(c);
	open_processes(c);
	add_faults(c);
	add_jobs(c);
	report_collect_waves(c);
	report_collect_code(c);
	add_mappings(c);
}

static void close_limit(int fd, int timer)
{
	if (fd >= 0)
		close(fd);
	if (timer >= 0)
		close(timer);
}

/* A descriptor that becomes readable by a signal or when the time to read is over */
static int open_limit(int interrupt_fd, int *timer)
{
	const struct itimerspec when = { .it_value.tv_sec = READ_SECONDS };
	struct epoll_event event = { .events = EPOLLIN };
	int fd = epoll_create1(EPOLL_CLOEXEC);

	*timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (fd >= 0 && *timer >= 0 && !timerfd_settime(*timer, 0, &when, NULL) &&
	    !epoll_ctl(fd, EPOLL_CTL_ADD, *timer, &event) &&
	    (interrupt_fd < 0 || !epoll_ctl(fd, EPOLL_CTL_ADD, interrupt_fd, &event)))
		return fd;
	close_limit(fd, *timer);
	return -1;
}

static void collect_within_time(struct collector *c, int interrupt_fd)
{
	struct pollfd over;
	int timer;

	c->interrupt_fd = open_limit(interrupt_fd, &timer);
	if (c->interrupt_fd < 0) {
		c->interrupt_fd = interrupt_fd;
		collect(c);
		return;
	}
	collect(c);
	over = (struct pollfd){ .fd = timer, .events = POLLIN };
	if (poll(&over, 1, 0) > 0)
		warn("the memory that could not be read within 30 s is missing in the report");
	close_limit(c->interrupt_fd, timer);
}

int report_collect(struct wavectl *w, const struct report_cause *cause, int interrupt_fd,
		   struct json_object **root)
{
	struct collector c = { .w = w, .cause = cause };
	int status;

	pasid_forget_clients(w);
	c.root = json_new();
	json_put_uint(c.root, "amdgpudbg_report", REPORT_FORMAT);
	add_time(c.root);
	json_put_text(c.root, "cause", cause->what);
	if (w->pid)
		json_put_uint(c.root, "pid", w->pid);
	status = list_waves(&c);
	if (!status)
		collect_within_time(&c, interrupt_fd);
	for (size_t i = 0; i < c.num_processes; i++) {
		report_process_close(c.processes[i]);
		free(c.processes[i]);
	}
	free(c.processes);
	adbg_wave_list_free(c.list);
	if (!status && hold_interrupted())
		status = hold_fail_interrupted(w);
	if (status) {
		json_object_put(c.root);
		return status;
	}
	*root = c.root;
	return WAVECTL_OK;
}

struct json_object *report_join(struct json_object *all)
{
	struct json_object *root;

	if (json_length(all) == 1) {
		root = json_object_get(json_object_array_get_idx(all, 0));
		json_object_put(all);
		return root;
	}
	root = json_new();
	json_put_uint(root, "amdgpudbg_report", REPORT_FORMAT);
	json_put(root, "gpus", all);
	return root;
}
