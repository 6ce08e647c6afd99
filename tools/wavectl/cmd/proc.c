// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl proc list: the processes that use the GPU.
 */
#include <errno.h>

#include "base/options.h"
#include "base/wavectl.h"
#include "cmd/commands.h"

static void emit_client(struct emit *e, const struct adbg_client *client)
{
	emit_row(e);
	emit_uint(e, "pid", client->pid);
	emit_uint(e, "client", client->client_id);
	emit_uint(e, "pasid", client->pasid);
	emit_uint(e, "fd", client->fd);
	emit_uint(e, "num_fds", client->num_fds);
	emit_str(e, "name", client->name);
}

static int cmd_proc_list(struct wavectl *w)
{
	const struct adbg_client *client;
	struct adbg_client_list *list;
	int32_t pid = w->pid;
	int ret, status;

	/* --pid limits the list here; the process is not opened for debugging. */
	w->pid = 0;
	status = open_target(w);
	if (status)
		return status;

	ret = adbg_client_list_new(w->session, pid, &list);
	if (ret == -EPERM || ret == -EACCES)
		return fail_with(w, WAVECTL_DENIED, adbg_target_reason(pid),
				 "cannot inspect process %d", pid);
	if (ret)
		return fail(w, ret, pid ? "cannot inspect process %d" :
				  "cannot search for processes", pid);

	emit_begin(w->emit);
	emit_table(w->emit, "clients", true);
	for (size_t i = 0; (client = adbg_client_list_get(list, i)); i++)
		emit_client(w->emit, client);
	emit_table_end(w->emit);
	if (!adbg_client_list_count(list))
		emit_say(w->emit, pid ? "the process does not use this GPU" :
				  "no process that you may inspect uses this GPU");
	adbg_client_list_free(list);
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
