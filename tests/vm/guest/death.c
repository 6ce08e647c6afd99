// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A debugger is killed at each stage, and at moments that nobody chose. After
 * each death everything on the GPU is as it was before, and its victim's results
 * are right in the end. TAP.
 *
 * death [-n RANDOM] [-s SEED] [-t STAGE]
 *	RANDOM moments (default 20), each in a stage that is drawn, too; STAGE:
 *	only the stages whose name has this in it
 * death victim
 *	the program that is debugged: its waves turn around until "q" comes; for
 *	each "j" it does another job, and says "d" when that is done
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
#define DEADLINE_MS 20000
/* A random death comes within this time of the debugger's begin. */
#define MAX_LIFE_US 60000

/* --------------------------------------------------------------- the victim */

/*
 * The job's buffer stays: amdgpu unmaps one when all jobs of the address space
 * have ended, and maps no other before that.
 */
static int do_job(struct prog *p)
{
	struct gpu_job job;
	int ret;

	p->ring = 1;
	ret = prog_submit(p, "hash", &job);
	if (ret)
		return ret;
	ret = gpu_wait(&p->gpu, &job, AMDGPU_TIMEOUT_INFINITE);
	if (!ret && write(STDOUT_FILENO, "d", 1) != 1)
		ret = -errno;
	return ret;
}

/* Each work-item has undone its turns: see the kernel "spin". */
static int check_results(struct prog *p)
{
	const uint32_t *out = p->buf[PROG_OUT].cpu, *in = p->buf[PROG_IN].cpu;

	for (uint32_t i = 0; i < p->items; i++)
		if (out[i] != (i ^ in[i]))
			return -EIO;
	return 0;
}

static int victim_main(void)
{
	volatile uint32_t *ctl;
	struct gpu_job job;
	struct prog p;
	char c = 0;
	int ret;

	ret = prog_open(&p, NULL, NULL, ITEMS, 0);
	if (ret)
		return 1;
	for (uint32_t i = 0; i < ITEMS; i++)
		((uint32_t *)p.buf[PROG_IN].cpu)[i] = i * 2654435761u;
	ctl = prog_ctl(&p);
	ret = prog_submit(&p, "spin", &job);
	if (!ret)
		ret = prog_wait(&p, 1, ITEMS);
	if (ret)
		return 1;
	if (write(STDOUT_FILENO, "running\n", 8) != 8)
		return 1;

	while (!ret && read(STDIN_FILENO, &c, 1) == 1 && c != 'q')
		if (c == 'j')
			ret = do_job(&p);
	ctl[0] = 1;
	if (!ret)
		ret = gpu_wait(&p.gpu, &job, AMDGPU_TIMEOUT_INFINITE);
	if (!ret)
		ret = check_results(&p);
	if (ret)
		fprintf(stderr, "victim: %s\n", strerror(-ret));
	return ret ? 1 : 0;
}

/* ------------------------------------------------------------- how things are */

#define NUM_VMID 16
static const char *const vmid_regs[] = {
	"SQ_SHADER_TBA_LO", "SQ_SHADER_TBA_HI", "SQ_SHADER_TMA_LO",
	"SQ_SHADER_TMA_HI",
};

static const char *const regs[] = {
	"GRBM_GFX_INDEX", "GRBM_GFX_CNTL",
	"SPI_GDBG_WAVE_CNTL", "SPI_GDBG_WAVE_CNTL2", "SPI_GDBG_TRAP_CONFIG",
	"SPI_GDBG_TRAP_MASK",
#define WATCH(i) \
	"TCP_WATCH" #i "_ADDR_H", "TCP_WATCH" #i "_ADDR_L", \
	"TCP_WATCH" #i "_CNTL", "SQ_WATCH" #i "_ADDR_H", \
	"SQ_WATCH" #i "_ADDR_L", "SQ_WATCH" #i "_CNTL"
	WATCH(0), WATCH(1), WATCH(2), WATCH(3),
#undef WATCH
};

#define NUM_REGS (sizeof(regs) / sizeof(regs[0]))
#define NUM_VMID_REGS (sizeof(vmid_regs) / sizeof(vmid_regs[0]))

struct scene {
	uint32_t reg[NUM_REGS];
	uint32_t vmid_reg[NUM_VMID][NUM_VMID_REGS];
	uint32_t waves;
	uint32_t halted;
	uint32_t mode;		/* of all waves, one or the other */
	uint32_t sessions;	/* references to the module */
};

static struct victim victim;
static struct scene before;
static int tests;

static uint32_t read_number(const char *path)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0) {
		perror(path);
		abort();
	}
	close(fd);
	return strtoul(text, NULL, 10);
}

/* @all: also what is per VMID, which takes its time */
static void look_around(struct scene *s, bool all)
{
	static struct adbg_wave waves[DEATH_MAX_WAVES];

	memset(s, 0, sizeof(*s));
	s->waves = see_waves(0, waves, DEATH_MAX_WAVES);
	for (uint32_t i = 0; i < s->waves && i < DEATH_MAX_WAVES; i++) {
		s->halted += !!(waves[i].flags & ADBG_WAVE_HALTED);
		s->mode |= waves[i].mode;
	}
	for (size_t i = 0; i < NUM_REGS; i++)
		s->reg[i] = vgpu_reg(regs[i]);
	for (int vmid = 0; all && vmid < NUM_VMID; vmid++)
		for (size_t i = 0; i < NUM_VMID_REGS; i++)
			s->vmid_reg[vmid][i] =
				vgpu_vmid_reg(vmid_regs[i], vmid);
	s->sessions = read_number("/sys/module/amdgpudbg/refcnt");
}

static bool differs(const char *what, uint32_t now, uint32_t was, bool tell)
{
	if (now == was)
		return false;
	if (tell)
		printf("# %s is 0x%08x, was 0x%08x\n", what, now, was);
	return true;
}

static bool is_another(const struct scene *s, bool all, bool tell)
{
	bool ret = differs("number of waves", s->waves, before.waves, tell);
	char name[64];

	ret |= differs("number of halted waves", s->halted, 0, tell);
	ret |= differs("MODE of the waves", s->mode, before.mode, tell);
	ret |= differs("users of the module", s->sessions, before.sessions,
		       tell);
	for (size_t i = 0; i < NUM_REGS; i++)
		ret |= differs(regs[i], s->reg[i], before.reg[i], tell);
	for (int vmid = 0; all && vmid < NUM_VMID; vmid++) {
		for (size_t i = 0; i < NUM_VMID_REGS; i++) {
			snprintf(name, sizeof(name), "%s of VMID %d",
				 vmid_regs[i], vmid);
			ret |= differs(name, s->vmid_reg[vmid][i],
				       before.vmid_reg[vmid][i], tell);
		}
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

/* Its process; says "r" on @fd when it has reached the stage, "!" if not. */
static void __attribute__((noreturn)) debug(const struct stage *stage, int fd)
{
	struct adbg_session *session;
	int ret;

	/* Not even the end of this test program keeps it alive. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!stage->as_root)
		be_for_good(USER, true);
	ret = adbg_session_open(0, &session);
	if (!ret && !stage->whole_gpu)
		ret = adbg_target_attach(session, victim.pid, 0, NULL);
	if (!ret)
		ret = stage->reach(session);
	if (ret)
		fprintf(stderr, "# %s: %s\n", stage->name,
			adbg_errname(ret));
	if (write(fd, ret ? "!" : "r", 1) != 1 || ret)
		_exit(1);
	while (stage->again && !ret)
		ret = stage->again(session);
	if (ret) {
		fprintf(stderr, "# %s: %s\n", stage->name,
			adbg_errname(ret));
		_exit(1);
	}
	for (;;)
		pause();
}

static pid_t start_debugger(const struct stage *stage, int *said)
{
	int fds[2];
	pid_t pid;

	fflush(stdout);
	if (pipe2(fds, O_CLOEXEC))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid)
		debug(stage, fds[1]);
	close(fds[1]);
	*said = fds[0];
	return pid;
}

/* Whether it lived until then. */
static bool kill_debugger(pid_t pid, int said)
{
	int status;

	kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid)
		abort();
	close(said);
	return WIFSIGNALED(status);
}

static void begin_job(void)
{
	if (write(victim.in, "j", 1) != 1)
		abort();
}

static bool job_ends(void)
{
	struct pollfd p = { .fd = victim.out, .events = POLLIN };
	char c;

	return poll(&p, 1, DEADLINE_MS) == 1 && read(victim.out, &c, 1) == 1 &&
	       c == 'd';
}

static bool has_new_halted(void *arg)
{
	(void)arg;
	return see_halted(0) == WAVES;
}

/*
 * Begin a job whose waves are not to run. That it does not end has no event;
 * this is as long as a job takes that does.
 */
static bool job_is_stopped(const struct stage *stage)
{
	struct pollfd p = { .fd = victim.out, .events = POLLIN };

	if (!stage->stops_new && !stage->halts_new)
		return true;
	begin_job();
	if (stage->halts_new)
		return until(has_new_halted, NULL, DEADLINE_MS / 1000);
	return poll(&p, 1, 300) == 0;
}

/* Everything as before, and the victim's next job runs as ever. */
static bool all_is_well(bool all)
{
	struct scene s;
	bool well;

	look_around(&s, all);
	well = !is_another(&s, all, true);
	begin_job();
	if (!job_ends()) {
		printf("# the victim's next job does not end\n");
		well = false;
	}
	return well;
}

static void die_at(const struct stage *stage)
{
	bool reached, shows = true, lived, stopped = true;
	struct scene s;
	char c = 0;
	pid_t pid;
	int said;

	pid = start_debugger(stage, &said);
	reached = read(said, &c, 1) == 1 && c == 'r';
	if (reached && stage->shows) {
		look_around(&s, false);
		s.sessions = before.sessions;
		shows = is_another(&s, false, false);
	}
	if (reached)
		stopped = job_is_stopped(stage);
	lived = kill_debugger(pid, said);
	if (reached && (stage->stops_new || stage->halts_new))
		stopped &= job_ends();
	verdict(reached && shows && lived && stopped, "%s: it came to that%s",
		stage->name, !shows ? ", but nothing shows" :
		!stopped ? ", but a job's waves ran" : "");
	verdict(all_is_well(true), "%s: nothing is left of it", stage->name);
}

static void die_at_random(unsigned int n)
{
	const struct stage *stage;
	int64_t end, life;
	unsigned int i;
	bool well = true;
	pid_t pid;
	int said;

	for (i = 0; i < n && well; i++) {
		stage = &stages[random() % num_stages];
		life = random() % MAX_LIFE_US;
		end = now_ns() + life * 1000;
		pid = start_debugger(stage, &said);
		while (now_ns() < end)
			sched_yield();
		kill_debugger(pid, said);
		well = all_is_well(i % 16 == 15);
		if (!well)
			printf("# death %u: %s, after %lld us\n", i,
			       stage->name, (long long)life);
	}
	verdict(well && i == n, "%u deaths at random moments", n);
}

static int start_victim(void)
{
	char *argv[] = { "death", "victim", NULL };
	int ret;

	ret = victim_start_as(&victim, USER, argv);
	if (ret)
		return ret;
	look_around(&before, true);
	return before.waves == WAVES && !before.halted ? 0 : -EIO;
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
	be(ROOT, true);
	verdict(!start_victim(), "a victim with waves");
	for (unsigned int i = 0; i < num_stages; i++)
		if (strstr(stages[i].name, only))
			die_at(&stages[i]);
	die_at_random(n);
	if (write(victim.in, "q", 1) != 1)
		abort();
	verdict(!victim_finish(&victim), "the victim's results are right");
	printf("1..%d\n", tests);
	return 0;
}
