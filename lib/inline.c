// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The inline functions of the header, as functions of the library, for bindings to other
 * languages. A C program has its own inline functions, with the structure sizes that it was
 * compiled with; these functions use the sizes of the library.
 */
#define ADBG_INLINE __attribute__((visibility("default")))

/* The header defines these functions without declaring them before. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#include <amdgpudbg.h>
