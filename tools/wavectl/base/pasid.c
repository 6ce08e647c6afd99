// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds processes by PASID: see pasid.h.
 */
#include "base/pasid.h"

const struct adbg_client *pasid_find_client(const struct adbg_client_list *list,
					    uint32_t pasid)
{
	const struct adbg_client *client;

	for (size_t i = 0; (client = adbg_client_list_get(list, i)); i++)
		if (client->pasid == pasid)
			return client;

	return NULL;
}

const struct adbg_client *pasid_client(struct wavectl *w, uint32_t pasid)
{
	if (!w->looked_for_clients) {
		w->looked_for_clients = true;
		if (adbg_client_list_new(w->session, w->pid, &w->clients))
			w->clients = NULL;
	}
	return pasid && w->clients ? pasid_find_client(w->clients, pasid) : NULL;
}

void pasid_forget_clients(struct wavectl *w)
{
	adbg_client_list_free(w->clients);
	w->clients = NULL;
	w->looked_for_clients = false;
}
