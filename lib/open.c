// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening a GPU by its name, or the only GPU.
 */
#include "internal.h"

ADBG_API int adbg_open(const char *what, struct adbg_session **session)
{
	const struct adbg_gpu *gpu;
	struct adbg_gpu_list *list;
	unsigned int number;
	int ret;

	/* The number is sufficient, so do not list the GPUs. */
	if (what && adbg_parse_node(what, &number))
		return adbg_session_new(number, session);

	ret = adbg_gpu_list_new(&list);
	if (ret)
		return ret;

	ret = adbg_gpu_list_find(list, what, &gpu);
	if (!ret)
		ret = adbg_session_new(gpu->number, session);

	adbg_gpu_list_free(list);
	return ret;
}
