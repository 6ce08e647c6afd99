// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl proc list: the processes that use the GPU.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"

static void emit_row_of(struct wavectl *w, const struct adbg_client *client)
{
	struct emit *e = w->emit;

	emit_row(e);
	emit_gpu_number(w);
	emit_uint(e, "pid", client->pid);
	emit_uint(e, "client", client->client_id);
	emit_uint(e, "pasid", client->pasid);
	emit_uint(e, "fd", client->fd);
	emit_uint(e, "num_fds", client->num_fds);
	emit_str(e, "name", client->name);
}

/* Print the clients of a GPU as rows, and add their number to *@count. */
static int emit_clients(struct wavectl *w, int32_t pid, size_t *count)
{
	const struct adbg_client *client;
	struct adbg_client_list *list;
	int ret;

	ret = adbg_client_list_new(w->session, pid, &list);
	if (ret == -EPERM || ret == -EACCES)
		return fail_with(w, WAVECTL_DENIED, adbg_target_reason(pid),
				 "cannot inspect process %d", pid);
	if (ret)
		return fail(w, ret, pid ? "cannot inspect process %d" :
				  "cannot search for processes", pid);

	for (size_t i = 0; (client = adbg_client_list_get(list, i)); i++)
		emit_row_of(w, client);
	*count += adbg_client_list_count(list);
	adbg_client_list_free(list);
	return WAVECTL_OK;
}

static int cmd_proc_list(struct wavectl *w)
{
	const char *gpu = "this GPU";
	int32_t pid = w->pid;
	size_t count = 0;
	char *none = NULL;
	int status;

	/* --pid limits the list here; the process is not opened for debugging. */
	w->pid = 0;
	status = open_targets(w);
	if (status)
		return status;

	emit_begin(w->emit);
	emit_table(w->emit, "clients", true);
	for (size_t i = 0; use_target(w, i); i++) {
		status = emit_clients(w, pid, &count);
		if (status)
			return status;
	}
	emit_table_end(w->emit);
	if (w->shows_gpu)
		gpu = "any of the GPUs";
	xappend(&none, pid ? "the process does not use %s" :
			"no process that you may inspect uses %s", gpu);
	if (!count)
		emit_say(w->emit, none);
	free(none);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static const struct option_desc *const proc_options[] = {
	&opt_pid, NULL,
};

const struct command proc_commands[] = {
	{
		.noun = "proc",
		.verb = "list",
		.summary = "list the processes that use the GPU",
		.help = "Each row is one client. A client is one use of the GPU by a process and has its own\n"
			"GPU address space. Only root sees the processes of other users.",
		.options = proc_options,
		.run = cmd_proc_list,
	},
	{ .noun = NULL },
};
