// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records which functions a program enters, and its ioctls of amdgpudbg between them. This
 * is a library for LD_PRELOAD: programs and libraries that were compiled with
 * -finstrument-functions call the two hooks below, which are empty in glibc.
 *
 * $WALK_LOG names the file of the record. Its lines, in the order of events:
 *	enter OBJECT OFFSET	the first entry of the function at that offset
 *	ioctl NR		each such ioctl, with its number in hexadecimal
 * $WALK_FROM, if set, is the beginning of the name of an exported function. Then the record
 * contains only its first call, and the functions that it calls. Assumes one thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/amdgpudbg.h>

#define SEEN_SIZE (1U << 16)	/* slots; wavectl and its libraries have 4,000 functions */

static void *seen[SEEN_SIZE];
static FILE *log_file;
static __thread bool busy;
static void *from;		/* the function of $WALK_FROM, once it is entered */
static bool over;		/* it has returned */

static FILE *open_log(void)
{
	const char *name = getenv("WALK_LOG");

	if (!log_file && name)
		log_file = fopen(name, "w");
	return log_file;
}

/* Returns the slot of a function, or the free slot that it would get. */
static void **slot_of(void *fn)
{
	unsigned int i = ((uintptr_t)fn >> 4) % SEEN_SIZE;

	while (seen[i] && seen[i] != fn)
		i = (i + 1) % SEEN_SIZE;
	return &seen[i];
}

/* True if the record includes this function. Names are looked up on the first entry only. */
static bool is_wanted(const Dl_info *info, void *fn)
{
	const char *name = getenv("WALK_FROM");

	if (!name || from)
		return true;
	if (!info->dli_sname || info->dli_saddr != fn ||
	    strncmp(info->dli_sname, name, strlen(name)))
		return false;
	from = fn;
	return true;
}

void __cyg_profile_func_enter(void *fn, void *site);
void __cyg_profile_func_exit(void *fn, void *site);

void __cyg_profile_func_enter(void *fn, void *site)
{
	Dl_info info;

	(void)site;
	if (busy || over)
		return;
	busy = true;
	if (!*slot_of(fn) && open_log() && dladdr(fn, &info) && is_wanted(&info, fn)) {
		*slot_of(fn) = fn;
		fprintf(log_file, "enter %s %#tx\n", info.dli_fname,
			(char *)fn - (char *)info.dli_fbase);
	}
	busy = false;
}

void __cyg_profile_func_exit(void *fn, void *site)
{
	(void)site;
	if (fn == from)
		over = true;
}

int ioctl(int fd, unsigned long nr, ...)
{
	va_list args;
	void *arg;

	va_start(args, nr);
	arg = va_arg(args, void *);
	va_end(args);
	if (_IOC_TYPE(nr) == AMDGPUDBG_IOC_TYPE && !busy && open_log())
		fprintf(log_file, "ioctl %#lx\n", (unsigned long)_IOC_NR(nr));
	/* Write the record up to here, so that it survives if the program is killed. */
	if (log_file)
		fflush(log_file);
	return syscall(SYS_ioctl, fd, nr, arg);
}
