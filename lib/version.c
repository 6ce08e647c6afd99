// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Versions of the library and of the kernel interface that it was built for.
 */
#include "internal.h"

ADBG_API const char *adbg_version(void)
{
	return ADBG_VERSION;
}

ADBG_API uint32_t adbg_abi_version(void)
{
	return AMDGPUDBG_ABI_VERSION;
}
