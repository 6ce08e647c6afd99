/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process of a PASID, as far as the caller may see processes.
 */
#ifndef WAVECTL_PASID_H
#define WAVECTL_PASID_H

#include "base/wavectl.h"

/* Find the client with this PASID in @list. Returns NULL if there is none. */
const struct adbg_client *pasid_find_client(const struct adbg_client_list *list,
					    uint32_t pasid);
/*
 * Find the client with this PASID among the processes that the command is about. The list is
 * read at the first call. Returns NULL if the client is unknown. The result is valid until
 * pasid_forget_clients().
 */
const struct adbg_client *pasid_client(struct wavectl *w, uint32_t pasid);
void pasid_forget_clients(struct wavectl *w);

#endif /* WAVECTL_PASID_H */
