// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer of the kernel interface, for a guest with the software GPU. It runs as root,
 * and prints a report of what it did and then its results as TAP.
 *
 * fuzz [--seed N] [--seconds N | --calls N] [--seeds FILE] [--round N]
 *	[--shallow N] [--odd N]
 *
 * The first rounds use the seeds of FILE, which have found defects before. --round is the
 * number of calls that each worker makes in a round. After each of these calls, the worker
 * makes --shallow calls that the kernel must refuse at once. One in --odd of the former
 * (default: 2) has odd or wrong arguments; with a larger number, more calls pass the first
 * check. --calls ends the run after the round in which it is reached; calls that the first
 * check of their arguments may have refused do not count. --seed with the number that a
 * failed round has printed repeats this round, as far as the scheduling of threads allows.
 */
#define _GNU_SOURCE
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define DEFAULT_ROUND 1000
#define DEFAULT_SHALLOW 16
#define DEFAULT_ODD 2
#define ROUND_SECONDS 40
/*
 * The longest time for a call. A list of all 2,560 slots of navi21-hybrid takes up to 9 s, and
 * several times that if other programs use the machine.
 */
#define BOUND_SECONDS 90
/*
 * The guarded programs are replaced after this time. The job timeout of the guest must be
 * longer than this and a round together.
 */
#define GUARDED_SECONDS 90
#define MAX_SEEDS 100

struct options {
	uint64_t seed, calls;
	unsigned int seconds, round, shallow, odd;
	uint64_t seeds[MAX_SEEDS];
	unsigned int num_seeds;
};

void problem(struct shared *shared, const char *fmt, ...)
{
	unsigned int i = atomic_fetch_add(&shared->num_problems, 1);
	va_list ap;

	if (i >= MAX_PROBLEMS)
		return;
	va_start(ap, fmt);
	vsnprintf(shared->problem[i], sizeof(shared->problem[i]), fmt, ap);
	va_end(ap);
}

static int read_seeds(struct options *o, const char *path)
{
	char line[256], *end;
	FILE *f = fopen(path, "r");
	uint64_t seed;

	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f) && o->num_seeds < MAX_SEEDS) {
		seed = strtoull(line, &end, 0);
		if (end != line)
			o->seeds[o->num_seeds++] = seed;
	}
	fclose(f);
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: fuzz [--seed N] [--seconds N | --calls N] [--seeds FILE] [--round N] [--shallow N] [--odd N]\n");
	return 2;
}

static int parse(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "seconds", required_argument, NULL, 't' },
		{ "calls", required_argument, NULL, 'c' },
		{ "seeds", required_argument, NULL, 'f' },
		{ "round", required_argument, NULL, 'r' },
		{ "shallow", required_argument, NULL, 'w' },
		{ "odd", required_argument, NULL, 'o' },
		{ }
	};
	int opt;

	*o = (struct options){
		.round = DEFAULT_ROUND, .shallow = DEFAULT_SHALLOW,
		.odd = DEFAULT_ODD,
	};
	o->seed = time(NULL);
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (opt == 's')
			o->seed = strtoull(optarg, NULL, 0);
		else if (opt == 't')
			o->seconds = strtoul(optarg, NULL, 0);
		else if (opt == 'c')
			o->calls = strtoull(optarg, NULL, 0);
		else if (opt == 'r')
			o->round = strtoul(optarg, NULL, 0);
		else if (opt == 'w')
			o->shallow = strtoul(optarg, NULL, 0);
		else if (opt == 'o')
			o->odd = strtoul(optarg, NULL, 0);
		else if (opt != 'f' || read_seeds(o, optarg))
			return usage();
	}
	return optind == argc && o->round && o->odd && (o->seconds || o->calls) ?
	       0 : usage();
}

/* An ioctl that is known looks for its structure first. */
static void find_ioctls(struct supervisor *s)
{
	unsigned int i;

	for (i = 0; i < NUM_CALLS; i++) {
		s->shared->there[i] = i >= NUM_IOCTLS ||
			!ioctl(s->watcher, calls[i].nr, NULL) || errno != ENOTTY;
		if (!s->shared->there[i])
			printf("# The module does not know %s.\n", calls[i].name);
	}
}

static int set_up(struct supervisor *s, const struct options *o)
{
	int ret;

	s->shared = mmap(NULL, sizeof(*s->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->shared == MAP_FAILED)
		return -errno;
	s->calls = o->round;
	s->shallow = o->shallow;
	s->odd = o->odd;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	s->round_seconds = ROUND_SECONDS;
	s->bound_seconds = BOUND_SECONDS;
	s->hints_fd = memfd_create("hints", 0);
	s->hints = mmap(NULL, sizeof(*s->hints), PROT_READ | PROT_WRITE,
			MAP_SHARED, s->hints_fd, 0);
	if (ftruncate(s->hints_fd, sizeof(*s->hints)) || s->hints == MAP_FAILED)
		return -errno;
	/* Before all others, so that theirs lies between its pages. */
	ret = foreign_start(&s->foreign, CONTROL_UID);
	if (ret)
		return ret;
	s->watcher = open(NODE, O_RDWR | O_CLOEXEC);
	if (s->watcher < 0)
		return -errno;
	find_ioctls(s);
	ret = vgpu_open();
	if (!ret)
		ret = vgpu_expect_wave_faults(true);
	return ret ? ret : vgpu_read_regs(&s->before);
}

/* All rounds; false after the first that fails. */
static bool run(struct supervisor *s, struct options *o)
{
	uint64_t begun = now_ns(), renewed = 0, seed, calls;
	struct rng rng = { o->seed };
	unsigned int i;
	bool more = true;

	for (i = 0; more; i++) {
		if (!renewed || s->guarded_ending ||
		    now_ns() - renewed > GUARDED_SECONDS * 1000000000ull) {
			if (guarded_finish(s) || guarded_start(s))
				return false;
			renewed = now_ns();
		}
		if (i < o->num_seeds)
			seed = o->seeds[i];
		else
			seed = i == o->num_seeds ? o->seed : rng_next(&rng);
		if (!round_run(s, seed)) {
			printf("# The round of seed %#llx failed.\n",
			       (unsigned long long)seed);
			return false;
		}
		calls = tally_deep(s->shared);
		printf("# round %u, seed %#llx: %llu calls, %llu past the first check, in %llu s\n",
		       i, (unsigned long long)seed,
		       (unsigned long long)tally_calls(s->shared),
		       (unsigned long long)calls,
		       (unsigned long long)(now_ns() - begun) / 1000000000);
		if (o->seconds)
			more = now_ns() - begun < o->seconds * 1000000000ull;
		else
			more = calls < o->calls;
		more |= i + 1 < o->num_seeds;
	}
	return true;
}

static void print_acts(const struct hints *hints)
{
	static const char *const name[NUM_ACTS] = {
		[ACT_SWAP] = "handles swapped",
		[ACT_STEAL] = "handles of new buffers swapped",
		[ACT_MOVE] = "moves of all objects",
		[ACT_SCATTER] = "buffers moved before a copy",
		[ACT_MAP] = "mappings changed",
		[ACT_FILE] = "files closed or replaced",
		[ACT_CHILD] = "children",
		[ACT_CREDENTIALS] = "changes of who may trace it",
		[ACT_EXEC] = "executions of itself",
	};
	unsigned int i;

	printf("# hostile target:");
	for (i = 0; i < NUM_ACTS; i++)
		printf("%s %llu %s", i ? "," : "",
		       (unsigned long long)hints->acts[i], name[i]);
	printf("; %u calls announced; %llu buffers copied in VRAM\n",
	       hints->asked, (unsigned long long)hints->in_vram);
}

/* Of the time since the guest has booted */
static double cpu_busy(void)
{
	double ticks[4] = { 0 }, all;
	FILE *f = fopen("/proc/stat", "r");
	int n;

	if (!f)
		return 0;
	n = fscanf(f, "cpu %lf %lf %lf %lf", &ticks[0], &ticks[1], &ticks[2],
		   &ticks[3]);
	fclose(f);
	all = ticks[0] + ticks[1] + ticks[2] + ticks[3];
	return n == 4 && all > 0 ? 1 - ticks[3] / all : 0;
}

static void print_sums(const struct supervisor *s)
{
	unsigned long long all = tally_calls(s->shared);
	unsigned long long deep = tally_deep(s->shared);
	double calling = s->calling_ns / 1e9, took = s->took_ns / 1e9;

	printf("# %llu calls, %llu of them past the first check, %llu not, in %u rounds\n",
	       all, deep, all - deep, s->rounds);
	printf("# %.0f s, of which debuggers ran for %.0f s: %.1f calls past the first check a second, %.1f while debuggers ran; the guest's CPUs were busy for %.0f%% of the time\n",
	       took, calling, took > 0 ? deep / took : 0,
	       calling > 0 ? deep / calling : 0, 100 * s->busy);
}

static int report(const struct supervisor *s, bool well)
{
	unsigned int i, n = s->shared->num_problems;

	tally_print(s->shared);
	print_sums(s);
	print_acts(s->hints);
	printf("# %u jobs of the hostile target ended by killing their waves, %u by the end of the debuggers; the programs that must not be affected ended early %u times\n",
	       s->long_jobs, s->ended_debuggers, s->unblocked);
	printf("# %u processes killed within a round; VRAM lost its gaps in %u\n",
	       s->kills, s->rebuilt);
	printf("%sok 1 - hostile callers and targets get documented errors, reach no memory of other users and leave nothing behind\n",
	       well && !n ? "" : "not ");
	for (i = 0; i < n && i < MAX_PROBLEMS; i++)
		printf("# %s\n", s->shared->problem[i]);
	printf("1..1\n");
	return well && !n ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct supervisor s = { 0 };
	struct options o;
	int64_t begun;
	bool well;
	int ret;

	if (argc > 1 && !strcmp(argv[1], "--hostile"))
		return hostile_main(argc, argv);
	if (parse(&o, argc, argv))
		return 2;
	ret = abi_table_is_whole() ? set_up(&s, &o) : -EINVAL;
	if (ret) {
		printf("Bail out! fuzz: %s\n", strerror(-ret));
		return 2;
	}
	/* What is known of a round that does not end is of use only if it is printed. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# seed %#llx\n", (unsigned long long)o.seed);
	jobs_trace();
	begun = now_ns();
	well = run(&s, &o);
	s.took_ns = now_ns() - begun;
	s.busy = cpu_busy();
	if (guarded_finish(&s))
		well = false;
	if (vgpu_expect_wave_faults(false))
		well = false;
	if (foreign_end(&s.foreign))
		problem(s.shared, "The third user's program does not end.");
	return report(&s, well);
}
