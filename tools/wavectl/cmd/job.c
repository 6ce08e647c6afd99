// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl job list: the jobs on the rings of the GPU and their processes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/pasid.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "report/from.h"
#include "report/show.h"
#include "waves/job.h"

static void emit_seconds(struct emit *e, const char *key, uint64_t ms)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu.%03llu s", (unsigned long long)(ms / 1000),
		 (unsigned long long)(ms % 1000));
	emit_str(e, key, text);
}

/* The time until the driver's timeout for the first job of the ring */
static void emit_left(struct emit *e, const struct amdgpudbg_job *job)
{
	if (!(job->flags & AMDGPUDBG_JOB_OLDEST))
		emit_none(e, "left");
	else if (job->flags & AMDGPUDBG_JOB_HELD)
		emit_str(e, "left", "held");
	else if (job->left_ms == JOB_FOR_EVER)
		emit_str(e, "left", "no timeout");
	else
		emit_seconds(e, "left", job->left_ms);
}

static void emit_owner(struct wavectl *w, const struct amdgpudbg_job *job)
{
	const struct adbg_client *client = pasid_client(w, job->pasid);

	if (job->pid)
		emit_uint(w->emit, "pid", job->pid);
	else
		emit_none(w->emit, "pid");
	if (client)
		emit_str(w->emit, "program", client->name);
	else
		emit_none(w->emit, "program");
}

static void emit_job(struct wavectl *w, const struct amdgpudbg_job_list *list,
		     const struct amdgpudbg_job *job)
{
	char text[JOB_TEXT_MAX];
	struct emit *e = w->emit;

	emit_row(e);
	emit_gpu_number(w);
	emit_str(e, "ring", job_ring(job, text));
	emit_str(e, "job", job_name(job, text));
	emit_bool(e, "oldest", job->flags & AMDGPUDBG_JOB_OLDEST);
	emit_uint(e, "vmid", job->vmid);
	emit_uint(e, "pasid", job->pasid);
	emit_owner(w, job);
	emit_seconds(e, "age", job_age_ms(job, list->time));
	emit_left(e, job);
	emit_uint(e, "ibs", job->num_ibs);

	emit_quiet(e, true);
	emit_uint(e, "ring_type", job->ring_type);
	emit_uint(e, "xcc", job->xcc);
	emit_uint(e, "me", job->me);
	emit_uint(e, "pipe", job->pipe);
	emit_uint(e, "queue", job->queue);
	emit_uint(e, "seq_signaled", job->seq_signaled);
	emit_uint(e, "seq_emitted", job->seq_emitted);
	emit_uint(e, "begin_time", job->begin_time);
	emit_uint(e, "timeout_ms", job->timeout_ms);
	emit_uint(e, "left_ms", job->left_ms);
	emit_uint(e, "first_ib", job->first_ib);
	emit_quiet(e, false);
}

/* The indirect buffers of a GPU, in the order of its jobs. @first: index of its first job */
static void emit_ibs(struct wavectl *w, const struct amdgpudbg_job_list *list, size_t first)
{
	const struct amdgpudbg_job *job;
	const struct amdgpudbg_ib *ib;

	for (size_t i = 0; (job = adbg_jobs_get(list, i)); i++) {
		for (size_t n = 0; (ib = adbg_jobs_get_ib(list, job, n)); n++) {
			emit_row(w->emit);
			emit_uint(w->emit, "of_job", first + i);
			emit_hex64(w->emit, "address", ib->va);
			emit_uint(w->emit, "dwords", ib->dwords);
			emit_hex32(w->emit, "flags", ib->flags);
		}
	}
}

/* Print the lists of @num GPUs. */
static int print_jobs(struct wavectl *w, const struct amdgpudbg_job_list *lists, size_t num)
{
	const struct amdgpudbg_job *job;
	size_t count = 0;

	emit_begin(w->emit);
	emit_table(w->emit, "jobs", true);
	for (size_t n = 0; use_target(w, n); n++)
		for (size_t i = 0; (job = adbg_jobs_get(&lists[n], i)); i++)
			emit_job(w, &lists[n], job);
	emit_table_end(w->emit);
	emit_table(w->emit, "indirect_buffers", w->verbose);
	for (size_t n = 0; n < num; n++) {
		emit_ibs(w, &lists[n], count);
		count += lists[n].count;
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	/* All GPUs have the same clock. */
	emit_uint(w->emit, "time", lists[0].time);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_job_list(struct wavectl *w)
{
	struct amdgpudbg_job_list *lists = NULL;
	int ret = 0, status;
	size_t num = 0;

	if (w->from)
		return report_from(w, report_show_jobs);
	status = open_targets(w);
	if (status)
		return status;
	for (size_t i = 0; !ret && use_target(w, i); i++) {
		lists = xreallocarray(lists, i + 1, sizeof(*lists));
		lists[i] = (struct amdgpudbg_job_list){ 0 };
		ret = adbg_jobs(w->session, &lists[i]);
		num += !ret;
	}
	status = ret ? fail(w, ret, "cannot list the jobs") : print_jobs(w, lists, num);
	while (num)
		adbg_jobs_free(&lists[--num]);
	free(lists);
	return status;
}

static const struct option_desc *const job_options[] = {
	TARGET_OPTIONS, &opt_from, NULL,
};

const struct command job_commands[] = {
	{
		.noun = "job",
		.verb = "list",
		.aliases = { "jobs" },
		.summary = "list the jobs on the rings of the GPU, and their processes",
		.help = "If a ring hangs, its oldest job is the one that hangs. LEFT is the time until the\n"
			"driver's timeout for it, or \"held\" while waves are halted. With --pid, list the\n"
			"jobs of that process; without it, list all jobs, which needs root. With --verbose,\n"
			"also list the indirect buffers of each job.",
		.options = job_options,
		.run = cmd_job_list,
	},
	{ .noun = NULL },
};
