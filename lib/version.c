// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Version of the library.
 */
#include "internal.h"

ADBG_API const char *adbg_version(void)
{
	return ADBG_VERSION;
}
