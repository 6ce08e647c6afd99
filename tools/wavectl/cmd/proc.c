// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl proc list.
 */
#include <errno.h>

#include "base/wavectl.h"

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

int cmd_proc_list(struct wavectl *w)
{
	const struct adbg_client *client;
	struct adbg_client_list *list;
	int32_t pid = w->pid;
	int ret, status;

	/* To be listed, not to be debugged. */
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
