// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The log: one line per message, each with the seconds since the start, to
 * stderr or a file.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gpu.h"
#include "regs/log.h"

#define NSEC_PER_SEC 1000000000ULL

struct vgpu_log {
	FILE *file;
	u64 start_ns;
};

u64 vgpu_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + (u64)ts.tv_nsec;
}

int vgpu_log_init(struct vgpu *g)
{
	struct vgpu_log *log = calloc(1, sizeof(*log));
	int ret;

	if (!log)
		return -ENOMEM;
	log->start_ns = vgpu_now_ns();
	log->file = stderr;
	if (g->opt.log_path) {
		log->file = fopen(g->opt.log_path, "we");
		if (!log->file) {
			ret = -errno;
			free(log);
			return ret;
		}
	}
	/* Lines must be there for a test that reads the file as we run. */
	setvbuf(log->file, NULL, _IOLBF, BUFSIZ);
	g->log = log;
	return 0;
}

void vgpu_log_fini(struct vgpu *g)
{
	if (g->log && g->log->file != stderr)
		fclose(g->log->file);
	free(g->log);
	g->log = NULL;
}

void vgpu_log(struct vgpu *g, const char *fmt, ...)
{
	struct vgpu_log *log = g->log;
	u64 ns = vgpu_now_ns() - log->start_ns;
	va_list ap;

	fprintf(log->file, "%4llu.%06llu ",
		(unsigned long long)(ns / NSEC_PER_SEC),
		(unsigned long long)(ns % NSEC_PER_SEC / 1000));
	va_start(ap, fmt);
	vfprintf(log->file, fmt, ap);
	va_end(ap);
	fputc('\n', log->file);
}
