// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processes of the waves: see process.h.
 */
#include "top/process.h"

#include <stdlib.h>
#include <string.h>

#include "base/pasid.h"
#include "base/util.h"
#include "waves/hold.h"

#define MAX_PROCESSES	64
/* A process without waves is kept for so many samples. */
#define KEEP_SAMPLES	64
/* The owner of an unknown PASID is searched for after so many samples again. */
#define LOOK_SAMPLES	64
/* Searches for code objects take at most a tenth of the time. */
#define SEARCH_PAUSE	9
#define SEARCH_NS	1000000000

/* ---------------------------------------------------------------------- processes */

struct top_process *top_find_process(const struct top *t, size_t gpu, uint32_t pasid)
{
	for (size_t i = 0; i < t->num_processes; i++)
		if (t->processes[i]->gpu == gpu && t->processes[i]->pasid == pasid)
			return t->processes[i];
	return NULL;
}

static void drop(struct top *t, size_t i)
{
	struct top_process *p = t->processes[i];

	hot_forget_names(&t->hot, p->gpu, p->pasid);
	if (p->is_open)
		report_process_close(&p->of);
	free(p->program);
	free(p);
	t->processes[i] = t->processes[--t->num_processes];
}

void top_drop_processes(struct top *t, bool all)
{
	for (size_t i = t->num_processes; i-- > 0;)
		if (all || t->hot.samples - t->processes[i]->seen_at > KEEP_SAMPLES)
			drop(t, i);
}

/* Make room for a process: drop the one that had no wave for the longest time. */
static void make_room(struct top *t)
{
	size_t oldest = 0;

	if (t->num_processes < MAX_PROCESSES)
		return;
	for (size_t i = 1; i < t->num_processes; i++)
		if (t->processes[i]->seen_at < t->processes[oldest]->seen_at)
			oldest = i;
	drop(t, oldest);
}

/*
 * Find the owner of the address space, and open it. Without permission for that, its code has no
 * names.
 */
static void look(struct top *t, struct top_process *p, const struct amdgpudbg_wave *wave)
{
	struct wavectl *w = t->w;
	const struct adbg_client *client;

	use_target(w, p->gpu);
	pasid_forget_clients(w);
	p->looked_at = t->hot.samples;
	p->owner = wave->pid;
	p->pid = wave->pid;
	client = pasid_client(w, p->pasid);
	if (!client || (w->pid && client->pid != w->pid))
		return;
	p->pid = client->pid;
	free(p->program);
	p->program = xstrdup(client->name);
	p->is_open = !report_process_open(w, client->pid, p->pasid,
					  w->pid ? w->client : client->client_id,
					  t->interrupt_fd, &p->of);
}

struct top_process *top_get_process(struct top *t, size_t gpu, const struct amdgpudbg_wave *wave)
{
	struct top_process *p;

	if (!(wave->flags & AMDGPUDBG_WAVE_PASID))
		return NULL;
	for (size_t i = 0; i < t->num_processes; i++) {
		p = t->processes[i];
		/* A PASID can get another owner. */
		if (p->gpu == gpu && p->pasid == wave->pasid && p->owner != wave->pid)
			drop(t, i);
	}
	p = top_find_process(t, gpu, wave->pasid);
	if (!p) {
		make_room(t);
		p = xcalloc(1, sizeof(*p));
		p->gpu = gpu;
		p->pasid = wave->pasid;
		t->processes = xreallocarray(t->processes, t->num_processes + 1,
					     sizeof(*t->processes));
		t->processes[t->num_processes++] = p;
		look(t, p, wave);
	} else if (!p->is_open && t->hot.samples - p->looked_at >= LOOK_SAMPLES) {
		look(t, p, wave);
	}
	p->seen_at = t->hot.samples;
	return p;
}

/* --------------------------------------------------------------------------- names */

/*
 * Search the memory of the process for code objects, if the last search is long enough ago in
 * comparison with the time that it took. Names of PCs are then found anew.
 */
static void search(struct top *t, struct top_process *p)
{
	struct wavectl *view = &p->of.view;
	uint64_t begin = now_ns(), end;

	if (begin < p->search_after_ns || hold_interrupted())
		return;
	/* Without --pid, not each process needs to have loaded them. */
	view->caught = t->w->pid ? t->w->caught : &t->ignored;
	if (!p->has_files && (view->code_objects.num || view->debug_dirs.num))
		ignore_result(code_add_files(view));
	p->has_files = true;
	/* Without code objects, names are missing. */
	view->caught = &t->ignored;
	ignore_result(code_search(view));
	end = now_ns();
	p->search_after_ns = end + SEARCH_PAUSE * (end - begin) + SEARCH_NS;
	hot_forget_names(&t->hot, p->gpu, p->pasid);
}

struct adbgd_disasm *top_disasm(struct top *t, const struct top_process *p, uint64_t pc,
				uint32_t lanes)
{
	struct top_gpu *gpu = &t->gpus[p->gpu];
	struct adbgd_disasm **disasm;

	if (!lanes)
		lanes = insn_lanes(code_at(&p->of.debugger, pc), pc);
	disasm = &gpu->disasm[lanes == 64];
	if (!*disasm && !gpu->has_no_disasm)
		gpu->has_no_disasm = adbgd_disasm_new(debug_gpu(&p->of.view),
						      lanes == 64 ? 64 : 32, disasm, NULL);
	return gpu->has_no_disasm ? NULL : *disasm;
}

/* Does the instruction wait for memory, or for a time? */
static bool is_waiting(const struct adbgd_insn *insn)
{
	return insn->flow == ADBGD_FLOW_WAIT || !strncmp(insn->text, "s_sleep", strlen("s_sleep"));
}

static void name_code(struct top *t, struct top_process *p, struct hot_entry *entry)
{
	struct adbgd_disasm *disasm;
	struct adbgd_insn insn;
	struct adbgd_code *code;

	if (!code_at(&p->of.debugger, entry->pc))
		search(t, p);
	code = code_at(&p->of.debugger, entry->pc);
	entry->name.place = code_short_place(code, entry->pc);
	disasm = top_disasm(t, p, entry->pc, 0);
	if (!disasm || !insn_at(&p->of.view, disasm, entry->pc, &insn))
		return;
	entry->name.instruction = xstrdup(insn.text);
	entry->name.waits = is_waiting(&insn);
}

void top_name(struct top *t, struct top_process *p, struct hot_entry *entry)
{
	hot_clear_name(entry);
	if (p && p->is_open)
		name_code(t, p, entry);
	if (p) {
		entry->name.pid = p->pid;
		entry->name.program = p->program ? xstrdup(p->program) : NULL;
	}
	entry->named_at = t->hot.samples;
}
