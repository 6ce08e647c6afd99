/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that btf.c needs from its environment, in the kernel and in a host
 * program: btf.c calls nothing else, so that a host test can run it on the files of any
 * kernel.
 */
#ifndef WDBG_BTF_PORT_H
#define WDBG_BTF_PORT_H

#ifdef __KERNEL__

#include <linux/btf.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#else

#include <errno.h>
#include <linux/btf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

#define GFP_KERNEL		0
#define kvcalloc(n, size, gfp)	((void)(gfp), calloc(n, size))
#define kvfree(p)		free(p)

#endif /* __KERNEL__ */

#endif /* WDBG_BTF_PORT_H */
