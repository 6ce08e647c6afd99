// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A debugger is killed at each stage, and at random moments. After each death the state of the
 * GPU is as it was before, and the results of its target, the victim, are correct at the end.
 * Prints TAP.
 *
 * death [-n RANDOM] [-s SEED] [-t STAGE]
 *	RANDOM: number of random moments (default 20), each in a random stage;
 *	STAGE: only the stages whose name contains this
 * death victim
 *	the program that is debugged: its waves run in a loop. It executes orders,
 *	which are letters on standard input, and answers each with the same letter
 *	when it has executed it:
 *	j  run a job		t  run a job that traps once
 *	s  begin a job that traps repeatedly
 *	e  end that job
 *	x  let the waves in the loop end; no answer
 *	w  wait for their end
 *	b  begin new ones, after the end of earlier ones
 *	q  end the program; no answer
 */
#define _GNU_SOURCE
#include "death.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "people.h"
#include "prog.h"
#include "self.h"
#include "until.h"
#include "victim.h"

#define ITEMS 128		/* 4 waves of 32 */
#define WAVES 4
#define DEADLINE_MS 60000
#define CODE_OBJECT "/usr/share/amdgpudbg/death.co"
/*
 * A random death comes within half as long again as the way to the stage takes,
 * and this.
 */
#define MIN_SPAN_NS 20000000

/* --------------------------------------------------------------- the victim */

/*
 * Nothing is freed: amdgpu unmaps a buffer when all jobs of the address space have
 * ended, and maps no other before that. Jobs beside the waves that turn around
 * have buffers of their own.
 */
static struct prog spinner, jobber;
static struct gpu_job spin, trapping;

/* What a job's results are, from its input: see the kernels. */
static uint32_t plus_5(uint32_t i, uint32_t in)
{
	(void)i;
	return in + 5;
}

static uint32_t turned_around(uint32_t i, uint32_t in)
{
	return i ^ in;
}

static int check_results(struct prog *p, uint32_t (*result)(uint32_t i,
							    uint32_t in))
{
	const uint32_t *out = p->buf[PROG_OUT].cpu, *in = p->buf[PROG_IN].cpu;

	for (uint32_t i = 0; i < ITEMS; i++) {
		if (out[i] == result(i, in[i]))
			continue;
		fprintf(stderr, "result %u is %#x, not %#x\n", i, out[i],
			result(i, in[i]));
		return -EIO;
	}
	return 0;
}

/* Begin a kernel that counts its work-items, and wait for all to begin. */
static int begin(struct prog *p, const char *kernel, struct gpu_job *job)
{
	int ret;

	prog_ctl(p)[0] = 0;
	prog_ctl(p)[1] = 0;
	ret = prog_submit(p, kernel, job);
	return ret ? ret : prog_wait(p, 1, ITEMS);
}

static int end(struct prog *p, struct gpu_job *job)
{
	int ret;

	prog_ctl(p)[0] = 1;
	ret = gpu_wait(&p->gpu, job, AMDGPU_TIMEOUT_INFINITE);
	return ret ? ret : check_results(p, turned_around);
}

static int do_job(struct prog *p, const char *kernel)
{
	struct gpu_job job;
	int ret = prog_submit(p, kernel, &job);

	return ret ? ret : gpu_wait(&p->gpu, &job, AMDGPU_TIMEOUT_INFINITE);
}

static int do_trap(struct prog *p)
{
	int ret = do_job(p, "trap_value");

	return ret ? ret : check_results(p, plus_5);
}

static int prepare_victim(void)
{
	uint32_t *in;
	int ret;

	ret = prog_open(&spinner, NULL, CODE_OBJECT, ITEMS, 0);
	if (ret)
		return ret;
	jobber = spinner;
	jobber.ring = 1;
	ret = gpu_alloc(&jobber.gpu, &jobber.buf[PROG_KERNARG], 4096);
	if (!ret)
		ret = gpu_alloc(&jobber.gpu, &jobber.buf[PROG_OUT], ITEMS * 4);
	if (!ret)
		ret = gpu_alloc(&jobber.gpu, &jobber.buf[PROG_CTL],
				PROG_CTL_WORDS * 4);
	in = spinner.buf[PROG_IN].cpu;
	for (uint32_t i = 0; i < ITEMS; i++)
		in[i] = i * 2654435761u;
	return ret;
}

static int obey(char c)
{
	static bool spins = true;
	bool stopping;

	switch (c) {
	case 'j':
		return do_job(&jobber, "hash");
	case 't':
		return do_trap(&jobber);
	case 's':
		return begin(&jobber, "trap_spin", &trapping);
	case 'e':
		return end(&jobber, &trapping);
	case 'x':
		prog_ctl(&spinner)[0] = 1;
		return 0;
	}
	/* 'w', 'b' and 'q' */
	stopping = spins;
	spins = c == 'b';
	if (stopping) {
		int ret = end(&spinner, &spin);

		if (ret)
			return ret;
	}
	return c == 'b' ? begin(&spinner, "spin", &spin) : 0;
}

static int victim_main(void)
{
	int ret;
	char c;

	ret = prepare_victim();
	if (!ret)
		ret = begin(&spinner, "spin", &spin);
	if (!ret && write(STDOUT_FILENO, "running\n", 8) != 8)
		ret = -EIO;
	do {
		if (!ret && read(STDIN_FILENO, &c, 1) != 1)
			ret = -EPIPE;
		if (!ret)
			ret = obey(c);
		if (!ret && c != 'x' && c != 'q' &&
		    write(STDOUT_FILENO, &c, 1) != 1)
			ret = -EPIPE;
	} while (!ret && c != 'q');
	if (ret)
		fprintf(stderr, "victim: %s\n", strerror(-ret));
	return ret ? 1 : 0;
}

/* ------------------------------------------------------------- how things are */

struct scene {
	uint32_t reg[VGPU_NUM_REGS];
	uint32_t waves;
	uint32_t halted;
	uint32_t mode;		/* of all waves, one or the other */
	uint32_t sessions;	/* references to the module */
	uint32_t memory;	/* of the victim, without its jobs, in KiB */
	uint32_t reserve;	/* what reserving a VMID comes to: errno */
};

static struct vgpu_reg_at regs[VGPU_NUM_REGS];
static struct victim victim;
static struct scene before;
static unsigned int num_jobs;	/* of the victim, each with a page */
static int tests;

/* The number behind @key in a file; -1 if there is none. */
static long read_number(const char *path, const char *key)
{
	char text[4096] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *at;

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0) {
		perror(path);
		abort();
	}
	close(fd);
	at = strstr(text, key);
	return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

/* System memory in the victim's GPU address space, by amdgpu's account. */
static uint32_t victim_memory(void)
{
	char path[64];
	long kib = -1;

	for (int fd = 3; kib < 0 && fd < 16; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", victim.pid,
			 fd);
		if (!access(path, R_OK))
			kib = read_number(path, "drm-memory-gtt:");
	}
	if (kib < 0)
		abort();
	return kib - num_jobs * 4;
}

/*
 * What comes of it when a bystander takes what only one can have at a time: the
 * reserved VMID, and the trap handler in it.
 */
static int try_reserve(void)
{
	static int drm = -1;
	struct adbg_session *session;
	int ret, tries = 0;

	if (drm < 0)
		drm = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	ret = adbg_open("0", &session);
	if (drm < 0 || ret)
		abort();
	ret = adbg_target_attach(session, getpid(), 0, NULL);
	if (ret)
		abort();
	/* On a busy machine, the GPU can be slow with page tables. */
	do {
		ret = adbg_trap_install(session, NULL);
	} while (ret == -ETIMEDOUT && ++tries < 20);
	adbg_session_close(session);
	return -ret;
}

static void look_around(struct scene *s)
{
	static struct amdgpudbg_wave waves[DEATH_MAX_WAVES];

	memset(s, 0, sizeof(*s));
	s->reserve = try_reserve();
	s->waves = see_waves(0, waves, DEATH_MAX_WAVES);
	for (uint32_t i = 0; i < s->waves && i < DEATH_MAX_WAVES; i++) {
		s->halted += !!(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
		s->mode |= HW(&waves[i], MODE);
	}
	s->memory = victim_memory();
	vgpu_regs(regs, VGPU_NUM_REGS, s->reg);
	s->sessions = read_number("/sys/module/amdgpudbg/refcnt", "");
}

static bool differs(const char *what, uint32_t now, uint32_t was, bool print)
{
	if (now == was)
		return false;
	if (print)
		printf("# %s is 0x%08x, was 0x%08x\n", what, now, was);
	return true;
}

static bool is_another(const struct scene *s, bool print)
{
	bool ret = differs("number of waves", s->waves, before.waves, print);
	char name[64];

	ret |= differs("number of halted waves", s->halted, 0, print);
	ret |= differs("MODE of the waves", s->mode, before.mode, print);
	ret |= differs("users of the module", s->sessions, before.sessions,
		       print);
	ret |= differs("the victim's memory", s->memory, before.memory, print);
	ret |= differs("the error of reserving", s->reserve, before.reserve,
		       print);
	for (size_t i = 0; i < VGPU_NUM_REGS; i++) {
		snprintf(name, sizeof(name), "%s of VMID %d", regs[i].name,
			 regs[i].vmid);
		ret |= differs(name, s->reg[i], before.reg[i], print);
	}
	return ret;
}

static void verdict(bool ok, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void verdict(bool ok, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("%sok %d - ", ok ? "" : "not ", ++tests);
	vprintf(format, args);
	printf("\n");
	fflush(stdout);
	va_end(args);
}

/* ------------------------------------------------------------ the debugger */

struct debugger {
	pid_t pid;
	int go;		/* a letter written here resumes it after each of these: */
	int said;	/* "a": attached; "r": there; "t": has done then() */
};

static int say(int fd, char c)
{
	return write(fd, &c, 1) == 1 ? 0 : -errno;
}

static int wait_to_go(int go)
{
	char c;

	return read(go, &c, 1) == 1 ? 0 : -EPIPE;
}

static int debug(const struct stage *stage, int go, int said)
{
	struct adbg_session *session;
	int ret;

	ret = adbg_open("0", &session);
	if (!ret && !stage->whole_gpu)
		ret = adbg_target_attach(session, victim.pid, 0, NULL);
	ret = ret ?: say(said, 'a') ?: wait_to_go(go) ?: stage->reach(session);
	ret = ret ?: say(said, 'r');
	if (!ret && stage->then)
		ret = wait_to_go(go) ?: stage->then(session) ?: say(said, 't');
	while (stage->again && !ret)
		ret = stage->again(session);
	return ret;
}

static void start_debugger(struct debugger *d, const struct stage *stage)
{
	int go[2], said[2], ret;

	fflush(stdout);
	if (pipe2(go, O_CLOEXEC) || pipe2(said, O_CLOEXEC))
		abort();
	d->pid = fork();
	if (d->pid < 0)
		abort();
	d->go = go[1];
	d->said = said[0];
	if (d->pid) {
		close(go[0]);
		close(said[1]);
		return;
	}
	close(go[1]);
	/* Not even the end of this test program keeps it alive. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!stage->as_root)
		be_for_good(USER, true);
	ret = debug(stage, go[0], said[1]);
	if (ret) {
		fprintf(stderr, "# %s: %s\n", stage->name, adbg_errname(ret));
		_exit(1);
	}
	for (;;)
		pause();
}

static bool debugger_says(const struct debugger *d, char wanted)
{
	char c;

	return read(d->said, &c, 1) == 1 && c == wanted;
}

/* It may have died already. */
static void resume_debugger(const struct debugger *d)
{
	if (say(d->go, 'g') && errno != EPIPE)
		abort();
}

/* Whether it lived until then. */
static bool kill_debugger(const struct debugger *d)
{
	int status;

	kill(d->pid, SIGKILL);
	if (waitpid(d->pid, &status, 0) != d->pid)
		abort();
	close(d->go);
	close(d->said);
	return WIFSIGNALED(status);
}

/* -------------------------------------------------------------- its death */

static void order_victim(char c)
{
	if (c == 'j' || c == 't' || c == 's' || c == 'b')
		num_jobs++;
	if (write(victim.in, &c, 1) != 1)
		abort();
}

static bool victim_says(char wanted)
{
	struct pollfd p = { .fd = victim.out, .events = POLLIN };
	char c;

	if (poll(&p, 1, DEADLINE_MS) == 1 && read(victim.out, &c, 1) == 1 &&
	    c == wanted)
		return true;
	printf("# the victim does not say '%c'\n", wanted);
	return false;
}

static bool has_new_halted(void *arg)
{
	(void)arg;
	return see_halted(0) == WAVES;
}

/*
 * Begin the stage's job. That one does not end has no event; this is as long as
 * a job takes that does.
 */
static bool job_does_so(const struct stage *stage)
{
	struct pollfd p = { .fd = victim.out, .events = POLLIN };

	if (!stage->job)
		return true;
	order_victim(stage->job);
	if (stage->halts_new)
		return until(has_new_halted, NULL, DEADLINE_MS / 1000);
	if (stage->stops_new)
		return poll(&p, 1, 300) == 0;
	return victim_says(stage->job);
}

/* After the death. @heard: the victim has said that the job is done, or begun. */
static bool job_ends(const struct stage *stage, bool heard)
{
	bool well = heard || victim_says(stage->job);

	if (stage->job != 's')
		return well;
	order_victim('e');
	return victim_says('e') && well;
}

/* But for waves, of which there are none now. */
static bool is_as_before(void *arg)
{
	struct scene s;

	(void)arg;
	look_around(&s);
	s.waves = before.waves;
	s.mode = before.mode;
	return !is_another(&s, false);
}

/*
 * Memory goes a while after the last wave, with or without a trap handler in it.
 * When it goes there must be no waves yet: see death.h.
 */
static void settle(const struct stage *stage)
{
	if (stage->memory)
		until(is_as_before, NULL, DEADLINE_MS / 1000);
}

/* Everything as before, and the victim's next job runs as ever. */
static bool all_is_well(void)
{
	struct scene s;
	bool well;

	look_around(&s);
	well = !is_another(&s, true);
	order_victim('j');
	return victim_says('j') && well;
}

/*
 * Waves that turn around begin when the debugger has attached: while there are
 * any, amdgpu_flush() waits for a second when a descriptor of the target's file is
 * closed. For what else they are in the way of, see death.h.
 */
static bool end_waves(void)
{
	order_victim('x');
	order_victim('w');
	return victim_says('w');
}

static bool begin_waves(void)
{
	order_victim('b');
	return victim_says('b');
}

static bool renew_waves(const struct stage *stage)
{
	bool ended = end_waves();

	settle(stage);
	return begin_waves() && ended;
}

/* Returns how long it took until the stage was reached, in ns. */
static int64_t die_at(const struct stage *stage)
{
	bool reached, shows = true, lived, does_so = false, ends;
	int64_t begun, took;
	struct debugger d;
	struct scene s;

	ends = end_waves();
	begun = now_ns();
	start_debugger(&d, stage);
	reached = debugger_says(&d, 'a');
	if (stage->waves != WAVES_ARE_GONE)
		ends &= begin_waves();
	resume_debugger(&d);
	reached = reached && debugger_says(&d, 'r');
	took = now_ns() - begun;
	if (reached && (stage->shows || stage->reserves)) {
		look_around(&s);
		s.sessions = before.sessions;
		shows = (!stage->shows || is_another(&s, false)) &&
			(!stage->reserves || s.reserve == EBUSY);
	}
	if (reached)
		does_so = job_does_so(stage);
	if (reached && stage->then) {
		resume_debugger(&d);
		reached = debugger_says(&d, 't');
	}
	if (stage->waves == WAVES_END)
		order_victim('x');
	lived = kill_debugger(&d);
	if (reached && stage->job)
		ends &= job_ends(stage, !stage->halts_new && !stage->stops_new);
	if (stage->waves != WAVES_STAY)
		ends &= renew_waves(stage);
	verdict(reached && shows && lived && does_so && ends,
		"%s: the debugger dies at this stage%s", stage->name,
		!shows ? ", but nothing shows" : !does_so ?
		", but a job did not do what it should" : "");
	verdict(all_is_well(), "%s: nothing is left of the killed debugger", stage->name);
	return took;
}

/* Until @end, or until the debugger says @wanted: then true. */
static bool wait_until(int64_t end, const struct debugger *d, char wanted)
{
	struct pollfd p = { .fd = d->said, .events = POLLIN };

	do {
		if (wanted && poll(&p, 1, 0) == 1)
			return debugger_says(d, wanted);
		sched_yield();
	} while (now_ns() < end);
	return false;
}

/*
 * A death within @span ns, at some stage or on the way there, before, with or
 * after the stage's job.
 */
static bool die_once(const struct stage *stage, int64_t span, int64_t *life)
{
	int64_t begun, job_at;
	struct debugger d;
	bool spins = false, ends;

	*life = random() % span;
	job_at = random() % (*life + 1);
	ends = end_waves();
	begun = now_ns();
	start_debugger(&d, stage);
	if (wait_until(begun + *life, &d, 'a')) {
		spins = stage->waves != WAVES_ARE_GONE;
		if (spins)
			ends &= begin_waves();
		resume_debugger(&d);
	}
	if (stage->job) {
		wait_until(begun + job_at, &d, 0);
		order_victim(stage->job);
	}
	/* then() follows the stage, the job has begun or not. */
	if (stage->then && wait_until(begun + *life, &d, 'r'))
		resume_debugger(&d);
	wait_until(begun + *life, &d, 0);
	if (spins && stage->waves == WAVES_END) {
		order_victim('x');
		spins = false;
	}
	kill_debugger(&d);
	if (stage->job)
		ends &= job_ends(stage, false);
	if (!spins)
		ends &= renew_waves(stage);
	return all_is_well() && ends;
}

/* @took: how long it takes to reach each stage */
static void die_at_random(unsigned int n, const int64_t *took)
{
	unsigned int i, which;
	bool well = true;
	int64_t life;

	for (i = 0; i < n && well; i++) {
		do {
			which = random() % num_stages;
		} while (!took[which]);
		well = die_once(&stages[which],
				took[which] * 3 / 2 + MIN_SPAN_NS, &life);
		if (!well)
			printf("# death %u: %s, after %lld us\n", i,
			       stages[which].name, (long long)life / 1000);
		else if (i % 20 == 19)
			printf("# %u deaths\n", i + 1);
		fflush(stdout);
	}
	verdict(well && i == n, "nothing is left of %u debuggers killed at random moments", n);
}

static int start_victim(void)
{
	char *argv[] = { "death", "victim", NULL };
	int ret;

	ret = victim_start_as(&victim, USER, argv);
	if (ret)
		return ret;
	look_around(&before);
	return before.waves == WAVES && !before.halted && !before.reserve ?
	       0 : -EIO;
}

/* Those that have @only in their name; with their times, at random moments. */
static int test(unsigned int n, const char *only)
{
	int64_t *took = calloc(num_stages, sizeof(*took));
	unsigned int i, num = 0;

	if (!took)
		abort();
	verdict(!start_victim(), "a victim with waves is running");
	for (i = 0; i < num_stages; i++) {
		if (!strstr(stages[i].name, only))
			continue;
		took[i] = die_at(&stages[i]);
		num++;
	}
	if (n && num)
		die_at_random(n, took);
	order_victim('q');
	verdict(!victim_finish(&victim), "the victim's results are right");
	printf("1..%d\n", tests);
	free(took);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int n = 20, seed = time(NULL);
	const char *only = "";
	int opt;

	if (argc == 2 && !strcmp(argv[1], "victim"))
		return victim_main();
	while ((opt = getopt(argc, argv, "n:s:t:")) != -1) {
		if (opt == 'n')
			n = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			seed = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			only = optarg;
		else
			return 2;
	}
	printf("# seed %u\n", seed);
	srandom(seed);
	/* A debugger that died by itself is detected by the missing answer. */
	signal(SIGPIPE, SIG_IGN);
	be(ROOT, true);
	vgpu_name_regs(regs);
	return test(n, only);
}
