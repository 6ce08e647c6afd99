/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program with the kernels of tests/kernels: the device, the code object, and the buffers
 * that all these kernels use.
 */
#ifndef GUEST_PROG_H
#define GUEST_PROG_H

#include "gpu.h"

#define PROG_GROUP 64
#define PROG_CTL_WORDS 64

enum { PROG_CODE, PROG_KERNARG, PROG_OUT, PROG_IN, PROG_CTL, PROG_NUM_BUFS };

/* What all kernels take */
struct prog_kernarg {
	uint64_t out, in, ctl;
	uint32_t n;
};

struct prog {
	struct gpu gpu;
	struct codeobj co;
	struct gpu_buffer buf[PROG_NUM_BUFS];
	bool graphics;		/* dispatches go to a graphics ring */
	unsigned int ring;	/* which ring of that kind, from 0 */
	uint32_t items;
	uint32_t group_size;	/* 0: PROG_GROUP */
	uint32_t lds_bytes;	/* see struct gpu_dispatch */
	bool as_file;		/* see prog_put_file() */
	unsigned int again;	/* 0, or number of a word of ctl: struct gpu_dispatch */
};

/* NULL for @node or @code: the usual. 0 or -errno, and a line on stderr. */
int prog_open(struct prog *p, const char *node, const char *code,
	      uint32_t items, unsigned int ring);
/*
 * The code object as it is in its file takes the place of its segments, and its kernels run
 * there. They must not have data of their own, which is not where they look for it.
 */
void prog_put_file(struct prog *p);
/* After a failed job its buffers may still be in use: then do not. */
void prog_close(struct prog *p);
/* Dispatch @kernel for all items; the buffers are as the caller left them. */
int prog_submit(struct prog *p, const char *kernel, struct gpu_job *job);
/* Wait until a word of ctl has at least that value. 0 or -ETIME. */
int prog_wait(struct prog *p, unsigned int word, uint32_t value);
/* The words that the kernels call ctl */
static inline uint32_t *prog_ctl(struct prog *p)
{
	return p->buf[PROG_CTL].cpu;
}

#endif /* GUEST_PROG_H */
