/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that depends on the version of the kernel headers. Differences inside
 * amdgpu.ko are found at run time, see layout.c.
 */
#ifndef WDBG_COMPAT_H
#define WDBG_COMPAT_H

#include <linux/version.h>

/* The oldest and the newest series that the tests run on. */
#if KERNEL_VERSION(6, 1, 0) > LINUX_VERSION_CODE
#error "amdgpudbg needs Linux 6.1 or newer"
#endif
#if KERNEL_VERSION(7, 3, 0) <= LINUX_VERSION_CODE && !defined(WDBG_UNTRIED)
#error "amdgpudbg has been tried on Linux 6.1 to 7.2 only; KCFLAGS=-DWDBG_UNTRIED tries it"
#endif

/*
 * set_powergating_state() is called through a pointer whose type differs in name
 * from amdgpu's (see struct wdbg_gpu), which control-flow integrity traps.
 */
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
#error "amdgpudbg does not work in kernels with CONFIG_CFI"
#endif

#ifndef CONFIG_X86_64
#error "amdgpudbg has been tried on x86-64 only"
#endif

/* Linux 6.13 has ttm_bo_populate() instead of ttm_tt_populate(). */
#if KERNEL_VERSION(6, 13, 0) <= LINUX_VERSION_CODE
#define WDBG_TTM_BO_POPULATE
#endif

/* Linux 6.3 has locks_remove_posix() in a header of its own. */
#if KERNEL_VERSION(6, 3, 0) <= LINUX_VERSION_CODE
#define WDBG_FILELOCK_H
#endif

#endif /* WDBG_COMPAT_H */
