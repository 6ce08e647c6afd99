# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the checkers themselves are made of is not checked: a scan for leaks, for
# one, would take minutes. Variables of kbuild, for make's command line.
KASAN_SANITIZE_kmemleak.o=n
KASAN_SANITIZE_lockdep.o=n
KASAN_SANITIZE_debugobjects.o=n
KASAN_SANITIZE_rbtree.o=n
KASAN_SANITIZE_spinlock.o=n
KASAN_SANITIZE_spinlock_debug.o=n
KASAN_SANITIZE_unwind_frame.o=n
UBSAN_SANITIZE_kmemleak.o=n
UBSAN_SANITIZE_lockdep.o=n
UBSAN_SANITIZE_debugobjects.o=n
UBSAN_SANITIZE_rbtree.o=n
UBSAN_SANITIZE_spinlock.o=n
UBSAN_SANITIZE_spinlock_debug.o=n
UBSAN_SANITIZE_unwind_frame.o=n
UBSAN_SANITIZE_slub.o=n
UBSAN_SANITIZE_slab_common.o=n
UBSAN_SANITIZE_stackdepot.o=n
