// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The log: one line per message, with the seconds since the start, to stderr or a file. A
 * guest can provoke most messages as often as it likes, so the number of lines of a kind
 * per second is limited.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gpu.h"
#include "regs/log.h"

#define NSEC_PER_SEC 1000000000ULL

/* Maximum number of lines of a kind in a burst, and per second after a burst. */
#define LOG_BURST	100
#define LOG_RATE	10
/* Number of kinds that are counted separately; the source has about half as many. */
#define LOG_KINDS	128
#define LOG_LINE	1024

/* A kind: all lines with the same format string. */
struct log_kind {
	const char *fmt;	/* NULL: this entry is free */
	u64 used_ns;		/* time up to which lines were paid for: see may_write() */
	u64 left_out;		/* lines that were not written since the last one */
};

struct vgpu_log {
	FILE *file;
	u64 start_ns;
	struct log_kind kinds[LOG_KINDS];
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
	/* Write each line at once: tests read the file while vgpu runs. */
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

/* Write one line. Its text may come from the host, so replace control characters. */
static void put_line(struct vgpu *g, const char *fmt, va_list ap)
{
	u64 ns = vgpu_now_ns() - g->log->start_ns;
	char text[LOG_LINE], *p;

	vsnprintf(text, sizeof(text), fmt, ap);
	for (p = text; *p; p++)
		if ((u8)*p < ' ')
			*p = '?';
	fprintf(g->log->file, "%4llu.%06llu %s\n",
		(unsigned long long)(ns / NSEC_PER_SEC),
		(unsigned long long)(ns % NSEC_PER_SEC / 1000), text);
}

static struct log_kind *kind_of(struct vgpu_log *log, const char *fmt)
{
	size_t at = (uintptr_t)fmt / 8 % LOG_KINDS, i;

	for (i = 0; i < LOG_KINDS - 1; i++, at = (at + 1) % LOG_KINDS)
		if (!log->kinds[at].fmt || log->kinds[at].fmt == fmt)
			break;
	/* If the table is full, further kinds share the last entry that was compared. */
	if (!log->kinds[at].fmt)
		log->kinds[at].fmt = fmt;
	return &log->kinds[at];
}

/*
 * May one more line of the kind be written now? Each line costs 1 / LOG_RATE seconds of the
 * time that has passed; at most LOG_BURST lines can be saved up.
 */
static bool may_write(struct log_kind *kind, u64 now)
{
	const u64 each = NSEC_PER_SEC / LOG_RATE;

	if (now - kind->used_ns > LOG_BURST * each)
		kind->used_ns = now - LOG_BURST * each;
	if (now - kind->used_ns < each)
		return false;
	kind->used_ns += each;
	return true;
}

void vgpu_log_each(struct vgpu *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line(g, fmt, ap);
	va_end(ap);
}

void vgpu_log(struct vgpu *g, const char *fmt, ...)
{
	struct log_kind *kind = kind_of(g->log, fmt);
	va_list ap;

	if (!may_write(kind, vgpu_now_ns())) {
		kind->left_out++;
		return;
	}
	if (kind->left_out)
		vgpu_log_each(g, "%llu lines like the next were left out",
			      (unsigned long long)kind->left_out);
	kind->left_out = 0;
	va_start(ap, fmt);
	put_line(g, fmt, ap);
	va_end(ap);
}
