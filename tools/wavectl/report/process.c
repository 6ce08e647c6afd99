// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A process of a report: see process.h.
 */
#include "report/process.h"

#include <stdio.h>
#include <stdlib.h>

static int read_memory(void *data, uint64_t address, void *buffer, size_t size)
{
	const struct report_process *p = data;

	return adbg_vm_read(p->view.session, p->pid, address, buffer, size);
}

/* Another session on the same GPU */
static int open_session(struct wavectl *w, int32_t pid, uint64_t client,
			struct adbg_session **session)
{
	char number[16];
	int ret;

	snprintf(number, sizeof(number), "%u", adbg_session_get_number(w->session));
	ret = adbg_open(number, session);
	if (ret)
		return ret;
	ret = adbg_target_attach(*session, pid, client, NULL);
	if (ret)
		adbg_session_close(*session);
	return ret;
}

int report_process_open(struct wavectl *w, int32_t pid, uint32_t pasid, uint64_t client,
			int interrupt_fd, struct report_process *p)
{
	int ret = 0;

	*p = (struct report_process){ .pid = pid, .pasid = pasid, .view = *w };
	p->owns_session = w->pid != pid;
	if (p->owns_session)
		ret = open_session(w, pid, client, &p->view.session);
	if (ret)
		return ret;
	adbg_session_set_interrupt(p->view.session, interrupt_fd);
	p->view.pid = pid;
	p->view.client = client;
	p->view.shell = &p->shell;
	p->debugger.memory = (struct adbgd_memory){ .read = read_memory, .data = p };
	p->shell = (struct shell_session){
		.session = p->view.session, .pid = pid, .client = client,
		.debugger = &p->debugger, .debug_dirs = &p->view.debug_dirs,
		.signals = interrupt_fd,
	};
	/* Without mappings, there are no code objects and no neighbours of faults. */
	if (adbg_vm_mappings(p->view.session, 0, 0, &p->mappings, &p->num_mappings))
		p->num_mappings = 0;
	return 0;
}

void report_process_close(struct report_process *p)
{
	adbgd_objects_free(p->debugger.objects);
	debug_drop_news(&p->debugger);
	free(p->debugger.news);
	free(p->mappings);
	if (p->owns_session)
		adbg_session_close(p->view.session);
	else
		adbg_session_set_interrupt(p->view.session, -1);
}
