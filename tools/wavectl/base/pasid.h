/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a PASID is, as far as the caller may look at processes.
 */
#ifndef WAVECTL_PASID_H
#define WAVECTL_PASID_H

#include "base/wavectl.h"

/* The client of @list that has it; NULL: none has. */
const struct adbg_client *pasid_find_client(const struct adbg_client_list *list,
					    uint32_t pasid);
/*
 * Of the processes that the command is about, which are looked for when it is first
 * asked for; NULL: it cannot be known. The answer is good until pasid_forget_clients().
 */
const struct adbg_client *pasid_client(struct wavectl *w, uint32_t pasid);
void pasid_forget_clients(struct wavectl *w);

#endif /* WAVECTL_PASID_H */
