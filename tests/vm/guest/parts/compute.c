// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An ordinary compute program: runs kernels of tests/kernels through libdrm_amdgpu and
 * compares every result with that of the same kernel on the CPU.
 *
 * compute [-n ITEMS] [-r RING] [-d NODE] [-c CODE_OBJECT] [-m MESSAGES] [-H] [-l] [-w] [-i]
 *	[-p] [-V] [-E] [-L BYTES] [-b NODE] KERNEL...
 *
 * With -l all kernels are run repeatedly, until a line or the end of file arrives on standard
 * input; "running" is printed after the first time. With -w they are run once, and then the
 * program waits for its input without a job. With -i, results are not compared; with -p they
 * are printed. With -V, a VMID that a debugger has reserved for the program is released at
 * random, between kernels; then the program must be ended with SIGTERM. Each group gets BYTES
 * of LDS, which no kernel uses. With -E the whole file of the code object, and not its
 * segments, is in GPU memory, and is executed there.
 *
 * With -b the kernel "spin" runs on a second GPU, from before the first kernel begins until the
 * last one has ended; then its results are compared, too.
 *
 * The kernel "spin" runs until it is ended: compute prints "running" when all of its
 * work-items have started, and ends it when a line or the end of file arrives on standard
 * input. -m is the number of messages that each wave of the kernel "message" sends; with -H it
 * halts at each.
 */
#include "kernels.h"
#include "prog.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_ITEMS 1000
#define MAX_ITEMS (1 << 20)

struct run {
	struct prog p;
	uint32_t messages;
	bool halting;
	bool loops, waits;
	bool ignores;
	bool prints;
	bool moves;
	bool as_file;
	struct beside *beside;	/* NULL: one GPU is enough */
};

/* "spin" on a second GPU */
struct beside {
	struct run r;
	struct gpu_job job;
	uint32_t *ref_out;
	uint32_t ref_ctl[PROG_CTL_WORDS];
};

uint32_t cpu_global_id;

static void fill_input(const struct run *r, const struct kernel *k)
{
	uint32_t *in = r->p.buf[PROG_IN].cpu;
	uint32_t *ctl = r->p.buf[PROG_CTL].cpu;
	uint32_t x = 0x9e3779b9, i;
	float f;

	for (i = 0; i < 2 * r->p.items; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		if (k->float_input) {
			f = (float)(int32_t)x / 65536.0f;
			memcpy(&in[i], &f, sizeof(f));
		} else {
			in[i] = x;
		}
	}
	memset(ctl, 0, PROG_CTL_WORDS * 4);
	f = 2.5f;
	memcpy(&ctl[2], &f, sizeof(f));
	ctl[3] = r->messages;
	ctl[4] = r->halting;
	ctl[20] = 0xffffffff;
	ctl[22] = 0xffffffff;
}

/* Wait until all work-items have begun. */
static int wait_begun(struct run *r)
{
	uint32_t begun = (r->p.items + PROG_GROUP - 1) / PROG_GROUP * PROG_GROUP;
	int ret = prog_wait(&r->p, 1, begun);

	if (ret)
		fprintf(stderr, "compute: %u of %u work-items began\n",
			prog_ctl(&r->p)[1], begun);
	return ret;
}

static int wait_spin(struct run *r)
{
	volatile uint32_t *ctl = prog_ctl(&r->p);
	int ret = wait_begun(r);
	char c;

	if (ret)
		return ret;
	printf("running\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n')
		;
	ctl[0] = 1;
	return 0;
}

static void print_results(const struct run *r, const struct kernel *k)
{
	const uint32_t *out = r->p.buf[PROG_OUT].cpu;

	printf("%s:", k->name);
	for (uint32_t i = 0; i < r->p.items; i++)
		printf(" %u", out[i]);
	printf("\n");
	fflush(stdout);
}

static int compare(const struct run *r, const struct kernel *k,
		   const uint32_t *ref_out, const uint32_t *ref_ctl)
{
	const uint32_t *out = r->p.buf[PROG_OUT].cpu, *ctl = r->p.buf[PROG_CTL].cpu;
	unsigned int wrong = 0;
	uint32_t i;

	for (i = 0; i < r->p.items; i++) {
		if (out[i] != ref_out[i] && wrong++ < 5 && !r->ignores)
			fprintf(stderr, "compute: %s: out[%u] is %08x, not %08x\n",
				k->name, i, out[i], ref_out[i]);
	}
	/* The words before are for control. */
	for (i = 16; i < PROG_CTL_WORDS; i++) {
		if (ctl[i] != ref_ctl[i] && wrong++ < 5 && !r->ignores)
			fprintf(stderr, "compute: %s: ctl[%u] is %08x, not %08x\n",
				k->name, i, ctl[i], ref_ctl[i]);
	}
	if (r->prints && !k->spins)
		print_results(r, k);
	if (r->ignores)
		return 0;
	if (!r->loops && !r->waits)
		printf("%s: %u results, %u wrong\n", k->name, r->p.items, wrong);
	fflush(stdout);
	return wrong ? -EIO : 0;
}

static int reference(const struct run *r, const struct kernel *k,
		     uint32_t **out, uint32_t *ctl)
{
	uint32_t groups = (r->p.items + PROG_GROUP - 1) / PROG_GROUP;
	uint32_t *in = r->p.buf[PROG_IN].cpu;

	*out = calloc(r->p.items, 4);
	if (!*out)
		return -ENOMEM;
	memcpy(ctl, r->p.buf[PROG_CTL].cpu, PROG_CTL_WORDS * 4);
	ctl[0] = 1;	/* do not wait */
	for (cpu_global_id = 0; cpu_global_id < groups * PROG_GROUP; cpu_global_id++)
		k->cpu(*out, in, ctl, r->p.items);
	return 0;
}

static int run_kernel(struct run *r, const struct kernel *k)
{
	uint32_t ref_ctl[PROG_CTL_WORDS], *ref_out = NULL;
	struct gpu_job job;
	int ret;

	memset(r->p.buf[PROG_OUT].cpu, 0, r->p.buf[PROG_OUT].size);
	fill_input(r, k);
	ret = reference(r, k, &ref_out, ref_ctl);
	if (!ret)
		ret = prog_submit(&r->p, k->name, &job);
	if (ret)
		goto out;
	if (k->spins)
		ret = wait_spin(r);
	if (!ret)
		ret = gpu_wait(&r->p.gpu, &job, AMDGPU_TIMEOUT_INFINITE);
	if (!ret)
		ret = compare(r, k, ref_out, ref_ctl);
	gpu_job_free(&r->p.gpu, &job);
out:
	free(ref_out);
	if (ret)
		fprintf(stderr, "compute: %s: %s\n", k->name, strerror(-ret));
	return ret;
}

static int begin_beside(struct beside *b)
{
	const struct kernel *spin = kernel_find("spin");
	int ret;

	memset(b->r.p.buf[PROG_OUT].cpu, 0, b->r.p.buf[PROG_OUT].size);
	fill_input(&b->r, spin);
	ret = reference(&b->r, spin, &b->ref_out, b->ref_ctl);
	if (!ret)
		ret = prog_submit(&b->r.p, spin->name, &b->job);
	return ret ? ret : wait_begun(&b->r);
}

static int end_beside(struct beside *b)
{
	int ret;

	prog_ctl(&b->r.p)[0] = 1;
	ret = gpu_wait(&b->r.p.gpu, &b->job, AMDGPU_TIMEOUT_INFINITE);
	if (!ret)
		ret = compare(&b->r, kernel_find("spin"), b->ref_out, b->ref_ctl);
	gpu_job_free(&b->r.p.gpu, &b->job);
	free(b->ref_out);
	return ret;
}

/*
 * That it has none is no failure. It reserves none itself: amdgpu gives the one that was
 * granted longest ago, and if that is where another program spins, our next job waits
 * for it.
 *
 * SIGTERM is blocked: amdgpu of Linux 6.1 leaves the page directory locked when a
 * signal arrives during the call (amdgpu_vm.c, amdgpu_vm_ioctl()).
 */
static void move_vmid(struct run *r)
{
	sigset_t term;

	if (rand() % 8 >= 3)
		return;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	amdgpu_vm_unreserve_vmid(r->p.gpu.dev, 0);
	sigprocmask(SIG_UNBLOCK, &term, NULL);
}

static bool asked_to_end(int timeout_ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&in, 1, timeout_ms) != 0;
}

static int run_all(struct run *r, const struct kernel *const *k)
{
	bool reported = !r->loops && !r->waits;
	int i, ret = r->beside ? begin_beside(r->beside) : 0;

	if (ret)
		return ret;
	do {
		for (i = 0; k[i] && !ret; i++) {
			if (r->moves)
				move_vmid(r);
			ret = run_kernel(r, k[i]);
		}
		if (!ret && !reported && !r->prints) {
			printf("running\n");
			fflush(stdout);
			reported = true;
		}
	} while (!ret && r->loops && !asked_to_end(0));
	if (!ret && r->waits)
		asked_to_end(-1);
	if (r->beside)
		ret = end_beside(r->beside) ? -EIO : ret;
	return ret;
}

static int usage(void)
{
	const struct kernel *k;

	fprintf(stderr, "usage: compute [-n ITEMS] [-r RING] [-d NODE] [-c CODE_OBJECT] [-m MESSAGES] [-H] [-l] [-w] [-i] [-p] [-V] [-E] [-L BYTES] [-b NODE] KERNEL...\nkernels:");
	for (k = kernels; k->name; k++)
		fprintf(stderr, " %s", k->name);
	fprintf(stderr, "\n");
	return 2;
}

/* The options that only the begin needs */
struct options {
	const char *node, *code, *second;
	uint32_t items, lds_bytes;
	unsigned int ring;
};

/* Return false for an unknown option. */
static bool parse(int argc, char **argv, struct run *r, struct options *o)
{
	int opt;

	while ((opt = getopt(argc, argv, "n:r:d:c:m:HlwipVEL:b:")) != -1) {
		if (opt == 'n')
			o->items = strtoul(optarg, NULL, 0);
		else if (opt == 'r')
			o->ring = strtoul(optarg, NULL, 0);
		else if (opt == 'd')
			o->node = optarg;
		else if (opt == 'c')
			o->code = optarg;
		else if (opt == 'm')
			r->messages = strtoul(optarg, NULL, 0);
		else if (opt == 'H')
			r->halting = true;
		else if (opt == 'l')
			r->loops = true;
		else if (opt == 'w')
			r->waits = true;
		else if (opt == 'i')
			r->ignores = true;
		else if (opt == 'p')
			r->prints = true;
		else if (opt == 'V')
			r->moves = true;
		else if (opt == 'E')
			r->as_file = true;
		else if (opt == 'L')
			o->lds_bytes = strtoul(optarg, NULL, 0);
		else if (opt == 'b')
			o->second = optarg;
		else
			return false;
	}
	return optind < argc && o->items && o->items <= MAX_ITEMS;
}

int main(int argc, char **argv)
{
	struct options o = { .items = DEFAULT_ITEMS };
	struct run r = { .messages = 0 };
	struct beside beside = { .r = { .messages = 0 } };
	const struct kernel **k;
	int i, ret;

	if (!parse(argc, argv, &r, &o))
		return usage();
	k = calloc(argc - optind + 1, sizeof(k[0]));
	for (i = optind; k && i < argc; i++) {
		k[i - optind] = kernel_find(argv[i]);
		if (!k[i - optind])
			return usage();
	}
	if (!k || prog_open(&r.p, o.node, o.code, o.items, o.ring))
		return 1;
	if (o.second) {
		if (prog_open(&beside.r.p, o.second, o.code, o.items, 0))
			return 1;
		r.beside = &beside;
	}
	if (r.as_file)
		prog_put_file(&r.p);
	r.p.lds_bytes = o.lds_bytes;
	r.ignores |= r.prints;
	srand(getpid());
	ret = run_all(&r, k);
	/* After a failed job its buffers may still be in use. */
	if (!ret) {
		prog_close(&r.p);
		if (r.beside)
			prog_close(&beside.r.p);
	}
	free(k);
	return ret ? 1 : 0;
}
