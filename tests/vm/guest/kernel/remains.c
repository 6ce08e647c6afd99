// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program with a job, and a debugger that has settings on the GPU, for suites in which the
 * GPU, its driver or amdgpudbg is then removed.
 *
 * remains WHAT open|ended running|halted|dead
 *	WHAT: the settings of the debugger's session, see the table of states. Then
 *	the session stays open or ends, and the program's job runs, or its waves stay
 *	halted also without the session, or the program is dead.
 *
 * Prints "ready" when this state is reached. When standard input ends, the session and the
 * program end, too. The exit status is 0 unless something failed before "ready".
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <amdgpudbg.h>

#include "array_size.h"
#include "prog.h"
#include "until.h"

#define ITEMS		64	/* 2 waves */
#define WAVES		2
#define SECONDS		60	/* for what should take a moment */
#define NUM_BUFFERS	3
#define S_NOP		0xbf800000

/* ------------------------------------------------------------ the program */

/* What the debugger needs to know of it */
struct places {
	uint64_t code;		/* of a kernel that does not run */
	uint64_t data;
};

static pid_t program;
static int to_program;		/* and from there */
static struct places places;

static void fail(const char *what, int error)
{
	fprintf(stderr, "remains: %s: %s\n", what, strerror(-error));
	if (program > 0)
		kill(program, SIGKILL);
	exit(1);
}

static void must(const char *what, int error)
{
	if (error)
		fail(what, error);
}

/* The GPU may go at any time: then what follows fails, and that is right. */
static int run_program(int fd)
{
	struct codeobj_kernel kernel;
	struct gpu_job job;
	struct prog p = { .items = 0 };
	char c;

	if (prog_open(&p, NULL, NULL, ITEMS, 0) ||
	    codeobj_find(&p.co, "saxpy", &kernel))
		return 1;
	places.code = p.buf[PROG_CODE].va + kernel.entry;
	places.data = p.buf[PROG_OUT].va;
	if (write(fd, &places, sizeof(places)) != sizeof(places) ||
	    read(fd, &c, 1) != 1)
		return 1;
	memset(prog_ctl(&p), 0, PROG_CTL_WORDS * 4);
	if (prog_submit(&p, "spin", &job) || prog_wait(&p, 1, ITEMS) ||
	    write(fd, &c, 1) != 1)
		return 1;
	/* Until the other end is closed. */
	while (read(fd, &c, 1) == 1)
		;
	prog_ctl(&p)[0] = 1;
	return gpu_wait(&p.gpu, &job, SECONDS * 1000000000ull) ? 1 : 0;
}

static void start_program(void)
{
	int ends[2];

	must("socketpair", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) ?
			   -errno : 0);
	program = fork();
	if (!program) {
		close(ends[0]);
		_exit(run_program(ends[1]));
	}
	close(ends[1]);
	to_program = ends[0];
	if (program < 0)
		fail("fork", -errno);
	if (read(to_program, &places, sizeof(places)) != sizeof(places))
		fail("the program does not begin", -EIO);
}

static void start_job(void)
{
	char c = 'j';

	if (write(to_program, &c, 1) != 1 || read(to_program, &c, 1) != 1)
		fail("the program has no job", -EIO);
}

/* -------------------------------------------------------------- the waves */

struct seen {
	struct adbg_session *session;
	struct adbg_wave_list *list;
	int error;
	unsigned int vmid;
	struct amdgpudbg_wave_coord first;
};

/* How many waves there are */
static size_t look(struct seen *seen)
{
	const struct amdgpudbg_wave *wave;

	seen->error = adbg_wave_list_read(seen->list, seen->session, 0);
	must("list", seen->error);
	wave = adbg_wave_list_get(seen->list, 0);
	if (wave) {
		seen->vmid = wave->vmid;
		seen->first = wave->at;
	}
	return adbg_wave_list_count(seen->list);
}

static bool all_there(void *seen)
{
	return look(seen) == WAVES;
}

static bool none_there(void *seen)
{
	return look(seen) == 0;
}

static bool none_halted(void *arg)
{
	struct seen *seen = arg;
	size_t i, n = look(seen);

	for (i = 0; i < n; i++)
		if (adbg_wave_list_get(seen->list, i)->flags &
		    AMDGPUDBG_WAVE_HALTED)
			return false;
	return true;
}

static void control(struct adbg_session *s, uint32_t op, uint32_t flags,
		    unsigned int vmid)
{
	struct amdgpudbg_wave_control args = {
		.op = op, .flags = flags, .vmid = vmid,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};

	must("operation on all waves", adbg_wave_control(s, &args));
}

/*
 * What amdgpu does when a program dies waits for its job: its waves are ended by a
 * session on the whole GPU.
 */
static void kill_program(unsigned int vmid)
{
	struct seen seen = { .error = 0 };

	kill(program, SIGKILL);
	must("open", adbg_open(NULL, &seen.session));
	must("list", adbg_wave_list_new(&seen.list));
	/* Its debugger's session resumes them. */
	if (!until(none_halted, &seen, SECONDS))
		fail("waves stay halted", -ETIME);
	control(seen.session, AMDGPUDBG_WAVEOP_KILL, 0, vmid);
	if (!until(none_there, &seen, SECONDS))
		fail("waves stay", -ETIME);
	adbg_wave_list_free(seen.list);
	adbg_session_close(seen.session);
	waitpid(program, NULL, 0);
	program = 0;
}

/* ------------------------------------------------------------- the states */

static void make_buffers(struct adbg_session *s, bool free_them)
{
	struct amdgpudbg_mem_alloc mem[NUM_BUFFERS];
	int64_t deadline = deadline_ns(SECONDS);
	uint32_t word = S_NOP;
	int i, ret;

	for (i = 0; i < NUM_BUFFERS; i++) {
		/* A busy GPU can be slower with page tables than a call waits. */
		do {
			mem[i] = (struct amdgpudbg_mem_alloc){ .bytes = 4096 << i };
			ret = adbg_mem_alloc(s, &mem[i]);
		} while (ret == -ETIMEDOUT && now_ns() < deadline);
		must("MEM_ALLOC", ret);
		must("MEM_COPY", adbg_mem_write(s, mem[i].id, 0, &word,
						sizeof(word)));
	}
	for (i = 0; free_them && i < NUM_BUFFERS; i++)
		must("MEM_FREE", adbg_mem_free(s, mem[i].id));
}

static void set_buffers(struct adbg_session *s, const struct seen *seen)
{
	(void)seen;
	make_buffers(s, false);
}

static void free_buffers(struct adbg_session *s, const struct seen *seen)
{
	(void)seen;
	make_buffers(s, true);
}

static pid_t freeing;		/* keeps making and removing buffers, or 0 */

/* Until the GPU goes, or the parent. */
static int free_until_the_end(struct adbg_session *of_parent, int fd)
{
	struct amdgpudbg_mem_alloc mem;
	struct adbg_session *s;
	struct prog p = { .items = 0 };
	bool ordered = false;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	adbg_session_close(of_parent);
	if (prog_open(&p, NULL, NULL, ITEMS, 0) || adbg_open(NULL, &s) ||
	    adbg_target_attach(s, getpid(), 0, NULL))
		return 1;
	do {
		mem = (struct amdgpudbg_mem_alloc){ .bytes = 4096 };
		if (adbg_mem_alloc(s, &mem))
			return 0;
		if (!ordered && write(fd, "f", 1) != 1)
			return 1;
		ordered = true;
	} while (!adbg_mem_free(s, mem.id));
	return 0;
}

/*
 * Another program without jobs and its debugger: buffers are being made and removed at any
 * moment.
 */
static void keep_freeing_buffers(struct adbg_session *s, const struct seen *seen)
{
	int ends[2];
	char c;

	(void)seen;
	must("pipe", pipe(ends) ? -errno : 0);
	freeing = fork();
	if (!freeing)
		_exit(free_until_the_end(s, ends[1]));
	close(ends[1]);
	if (freeing < 0 || read(ends[0], &c, 1) != 1)
		fail("buffers are not freed", -EIO);
	close(ends[0]);
}

static void set_handler(struct adbg_session *s)
{
	int64_t deadline = deadline_ns(SECONDS);
	int ret;

	do {
		ret = adbg_trap_install(s, NULL);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	must("TRAP_HANDLER", ret);
}

/* It leaves as long as there are waves that have started with it. */
static void clear_handler(struct adbg_session *s, const struct seen *seen)
{
	(void)seen;
	must("CLEAR", adbg_trap_uninstall(s));
}

static void set_patch(struct adbg_session *s, const struct seen *seen)
{
	const uint32_t nop = S_NOP;

	(void)seen;
	must("PATCH", adbg_vm_patch(s, places.code, &nop, sizeof(nop)));
}

static void set_watch(struct adbg_session *s)
{
	struct amdgpudbg_watch_set watch = {
		.mode = AMDGPUDBG_WATCH_NONREAD,
		.address = places.data, .bytes = 4096,
	};

	must("WATCH_SET", adbg_watch_set(s, &watch));
}

/* The reservation of a VMID, for something that no wave of the test notices. */
static void reserve(struct adbg_session *s)
{
	struct amdgpudbg_launch_set launch = {
		.flags = AMDGPUDBG_LAUNCH_SET_EXCP,
		.excp_mask = AMDGPUDBG_CAUSE_INT_DIV0,
	};

	must("LAUNCH_SET", adbg_launch_set(s, &launch));
}

static void halt_one(struct adbg_session *s, const struct seen *seen)
{
	struct amdgpudbg_wave_control args = {
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = seen->vmid, .at = seen->first,
	};

	must("HALT", adbg_wave_control(s, &args));
}

static void hold_snapshot(struct adbg_session *s, const struct seen *seen)
{
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_HOLD,
	};

	must("SNAPSHOT", adbg_wave_list_snapshot(seen->list, s, &what));
}

/**
 * struct state - what a session has
 * @name: of the state
 * @before: done before the job begins, or NULL
 * @during: done while it runs, or NULL
 */
static const struct state {
	const char *name;
	void (*before)(struct adbg_session *s);
	void (*during)(struct adbg_session *s, const struct seen *seen);
} states[] = {
	{ "buffers", NULL, set_buffers },
	{ "freed-buffers", NULL, free_buffers },
	{ "freeing-buffers", NULL, keep_freeing_buffers },
	{ "handler", set_handler, NULL },
	{ "cleared-handler", set_handler, clear_handler },
	{ "patch", NULL, set_patch },
	{ "watch", set_watch, NULL },
	{ "reservation", reserve, NULL },
	{ "halted-wave", NULL, halt_one },
	{ "snapshot", NULL, hold_snapshot },
};

static const struct state *find_state(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(states); i++)
		if (!strcmp(states[i].name, name))
			return &states[i];
	return NULL;
}

/* All of @state, with the job as @job says. The session, which may have ended. */
static struct adbg_session *set_up(const struct state *state, bool ends,
				   const char *job)
{
	struct seen seen = { .error = 0 };

	start_program();
	must("open", adbg_open(NULL, &seen.session));
	must("attach", adbg_target_attach(seen.session, program, 0, NULL));
	if (state->before)
		state->before(seen.session);
	start_job();
	must("list", adbg_wave_list_new(&seen.list));
	if (!until(all_there, &seen, SECONDS))
		fail("waves do not come", -ETIME);
	if (state->during)
		state->during(seen.session, &seen);
	if (!strcmp(job, "halted"))
		control(seen.session, AMDGPUDBG_WAVEOP_HALT,
			AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED, seen.vmid);
	adbg_wave_list_free(seen.list);
	if (ends) {
		adbg_session_close(seen.session);
		seen.session = NULL;
	}
	if (!strcmp(job, "dead"))
		kill_program(seen.vmid);
	return seen.session;
}

int main(int argc, char **argv)
{
	const struct state *state = argc == 4 ? find_state(argv[1]) : NULL;
	struct adbg_session *session;
	char c;

	if (!state) {
		fprintf(stderr, "usage: remains WHAT open|ended running|halted|dead\n");
		return 2;
	}
	session = set_up(state, !strcmp(argv[2], "ended"), argv[3]);
	printf("ready\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) == 1)
		;
	if (session)
		adbg_session_close(session);
	/*
	 * Its DRM file is closed then. Linux 6.1 forgets the device with the last file, also
	 * if amdgpu has been bound again. It also has a copy of to_program, and calls that a
	 * reset has not refused continue: the program would wait for the end of its input.
	 */
	if (freeing) {
		kill(freeing, SIGKILL);
		waitpid(freeing, NULL, 0);
	}
	close(to_program);
	if (program)
		waitpid(program, NULL, 0);
	return 0;
}
