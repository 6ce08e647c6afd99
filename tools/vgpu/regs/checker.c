// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checker: counts, for each kind, what a driver or debugger must not do, and keeps the
 * latest complaints for the control socket. main.c prints the counts at the end.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu.h"
#include "regs/checker.h"
#include "regs/log.h"

/* Maximum number of log lines of a kind; further complaints are only counted. */
#define CHECKER_MAX_LINES 100
/* Number of complaints that the control socket can show. */
#define CHECKER_KEPT 64

struct vgpu_checker {
	u64 count[VGPU_NUM_COMPLAINTS];
	u64 expected[VGPU_NUM_COMPLAINTS];
	bool expect[VGPU_NUM_COMPLAINTS];
	char kept[CHECKER_KEPT][200];
	u64 num_kept;		/* number of all complaints; kept[] has the latest */
};

static const char *const names[VGPU_NUM_COMPLAINTS] = {
	[VGPU_BAD_REGISTER] = "bad-register",
	[VGPU_BAD_SIDE_EFFECT] = "side-effect",
	[VGPU_BAD_PACKET] = "bad-packet",
	[VGPU_BAD_OPCODE] = "bad-opcode",
	[VGPU_BAD_GPR] = "bad-gpr",
	[VGPU_BAD_MESSAGE] = "bad-message",
	[VGPU_BAD_VM_FAULT] = "vm-fault",
	[VGPU_BAD_GFXOFF] = "gfxoff",
	[VGPU_BAD_BANK] = "bad-bank",
	[VGPU_BAD_VMID0] = "vmid0",
	[VGPU_BAD_KFD_VMID] = "kfd-vmid",
	[VGPU_BAD_DOORBELL] = "bad-doorbell",
};

int vgpu_checker_init(struct vgpu *g)
{
	g->checker = calloc(1, sizeof(*g->checker));
	return g->checker ? 0 : -ENOMEM;
}

void vgpu_checker_fini(struct vgpu *g)
{
	free(g->checker);
	g->checker = NULL;
}

const char *vgpu_complaint_name(enum vgpu_complaint what)
{
	return names[what];
}

void vgpu_complain(struct vgpu *g, enum vgpu_complaint what,
		   const char *fmt, ...)
{
	struct vgpu_checker *c = g->checker;
	bool expected = c->expect[what];
	u64 seen = c->count[what] + c->expected[what];
	char text[sizeof(c->kept[0]) - 32];
	char *line;
	va_list ap;

	(expected ? c->expected : c->count)[what]++;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);

	line = c->kept[c->num_kept++ % CHECKER_KEPT];
	snprintf(line, sizeof(c->kept[0]), "%s: %s", names[what], text);
	if (seen < CHECKER_MAX_LINES)
		vgpu_log_each(g, "%s %s", expected ? "EXPECTED" : "COMPLAINT", line);
	else if (seen == CHECKER_MAX_LINES)
		vgpu_log_each(g, "%s: more of this is counted, not logged",
			      names[what]);
}

u64 vgpu_complaints(const struct vgpu *g, enum vgpu_complaint what)
{
	return g->checker->count[what];
}

u64 vgpu_complaints_expected(const struct vgpu *g, enum vgpu_complaint what)
{
	return g->checker->expected[what];
}

u64 vgpu_complaints_total(const struct vgpu *g)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < VGPU_NUM_COMPLAINTS; i++)
		sum += g->checker->count[i];
	return sum;
}

const char *vgpu_checker_line(const struct vgpu *g, unsigned int n)
{
	const struct vgpu_checker *c = g->checker;
	u64 first = c->num_kept > CHECKER_KEPT ? c->num_kept - CHECKER_KEPT : 0;

	if (first + n >= c->num_kept)
		return NULL;
	return c->kept[(first + n) % CHECKER_KEPT];
}

void vgpu_checker_expect(struct vgpu *g, enum vgpu_complaint what, bool on)
{
	g->checker->expect[what] = on;
}
