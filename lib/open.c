// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening a GPU by what it is called: its PCI address, its render node, or
 * nothing where there is only one.
 */
#include <errno.h>

#include "internal.h"

static int find_only(const struct adbg_gpu_list *list, const char *unused,
		     const struct adbg_gpu **gpu)
{
	(void)unused;

	if (adbg_gpu_list_count(list) > 1)
		return -ENOTUNIQ;

	*gpu = adbg_gpu_list_get(list, 0);
	return *gpu ? 0 : -ENODEV;
}

/* Open the GPU that @find picks out of all there are. */
static int open_found(int (*find)(const struct adbg_gpu_list *list,
				  const char *what,
				  const struct adbg_gpu **gpu),
		      const char *what, struct adbg_session **session)
{
	const struct adbg_gpu *gpu;
	struct adbg_gpu_list *list;
	int ret;

	ret = adbg_gpu_list_new(&list);
	if (ret)
		return ret;

	ret = find(list, what, &gpu);
	if (!ret)
		ret = adbg_session_open(gpu->number, session);

	adbg_gpu_list_free(list);
	return ret;
}

ADBG_API int adbg_session_open_only(struct adbg_session **session)
{
	return open_found(find_only, NULL, session);
}

ADBG_API int adbg_session_open_pci(const char *address,
				   struct adbg_session **session)
{
	return open_found(adbg_gpu_list_find_pci, address, session);
}

ADBG_API int adbg_session_open_render(const char *path,
				      struct adbg_session **session)
{
	return open_found(adbg_gpu_list_find_render, path, session);
}
