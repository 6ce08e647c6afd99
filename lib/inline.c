// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The inline functions of the header once more, as functions of the library: for bindings to
 * other languages. A program in C has its own, with the sizes that it was compiled with;
 * these have those of the library.
 */
#define ADBG_INLINE __attribute__((visibility("default")))

/* The header declares none of them: it defines them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#include <amdgpudbg.h>
