// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One round. The supervisor starts victims that may be harmed and one debugger process
 * per role, watches all of them while they run, and kills some of the debuggers at random.
 * At the end, it checks that the state of the GPU is what it was before.
 */
#define _GNU_SOURCE
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The victims are one of root, two of a user, and the witness, which belongs to a third
 * user. No debugger but that of root may act on the witness. Together with the guarded
 * programs and a reserved VMID, they need the 7 VMIDs that amdgpu has for graphics. The
 * hostile target may open more files, each of which needs one more. Where a job may then
 * have to wait for a job that spins, guarded_let_end() ends those that no debugger may end.
 */
#define NUM_WILD 4
#define WILD_SPINS 1		/* one long job; the others run one short job after the other */
#define WILD_HOSTILE 2		/* most often the target of hostile.c */
#define WITNESS 3
#define LOOK_MS 200
#define END_MS 1000
#define END_TRIES 40
#define REST_SECONDS 60
/*
 * How long a job of the hostile target may take before the supervisor kills its waves,
 * before it lets the guarded programs end, and before it kills the target and the debuggers.
 * All processes that wait for the job (see hostile.c) must continue within a minute, because
 * the kernel reports hung tasks then.
 */
#define JOB_SECONDS 8
#define JOB_GUARDED_SECONDS 12
#define JOB_DEBUGGER_SECONDS 16
/* How long the end of the programs may take before the guarded ones are asked to end, too */
#define BLOCKED_SECONDS 10

struct round {
	struct victim wild[NUM_WILD];
	unsigned int num_wild;
	bool hostile;			/* victim WILD_HOSTILE is the target of hostile.c */
	bool job_is_long;		/* the waves of its job are being killed */
	bool ending;			/* the debuggers are being ended by force */
	int witness;			/* the PASID of the witness */
	uint64_t intrusions;		/* vgpu_intrusions() of the witness before the round */
	struct process *process[NUM_ROLES];
	pid_t pid[NUM_ROLES];
	pid_t group[NUM_ROLES];		/* of a process that has ended: its children remain */
	uint64_t kill_at[NUM_ROLES];	/* kill after this many calls of the role; 0: never */
	struct rng rng;
};

/*
 * In three of four rounds, this is the target of hostile.c. In the others, it only frees
 * the VMID that its debuggers have reserved, at random.
 */
static int start_hostile(const struct supervisor *s, struct round *r,
			 struct victim *v)
{
	uint64_t seed = rng_next(&r->rng);

	r->hostile = !rng_once_in(&r->rng, 4);
	return r->hostile ? hostile_start(v, USER_UID, s->hints_fd, seed) :
			    victim_loop_on(v, USER_UID, true);
}

static int start_wild(const struct supervisor *s, struct round *r)
{
	static const uid_t uid[NUM_WILD] = {
		0, USER_UID, USER_UID, CONTROL_UID,
	};
	int ret = 0;

	for (r->num_wild = 0; r->num_wild < NUM_WILD; r->num_wild++) {
		struct victim *v = &r->wild[r->num_wild];

		if (r->num_wild == WILD_SPINS)
			ret = victim_spin_silent(v, uid[r->num_wild]);
		else if (r->num_wild == WILD_HOSTILE)
			ret = start_hostile(s, r, v);
		else if (r->num_wild == WITNESS)
			ret = victim_loop_on(v, uid[r->num_wild], false);
		else
			ret = victim_loop(v, uid[r->num_wild]);
		if (ret)
			return ret;
	}
	r->witness = victim_pasid(&r->wild[WITNESS]);
	if (r->witness < 0)
		return r->witness;
	return vgpu_intrusions(r->witness, &r->intrusions);
}

/* Settings for one process must not affect waves of others, however short these are. */
static void check_witness(struct supervisor *s, struct round *r)
{
	uint64_t now;
	int ret = vgpu_intrusions(r->witness, &now);

	if (ret)
		problem(s->shared, "vgpu does not tell what has happened: %s.",
			strerror(-ret));
	else if (now != r->intrusions)
		problem(s->shared, "Waves of a third user have had others' handlers, launch modes or watches %llu times.",
			(unsigned long long)(now - r->intrusions));
}

static int add_victim(struct process *p, const struct victim *v)
{
	int pidfd = victim_pidfd(v), drm = -ENOENT, tries;

	/* The hostile target may be closing this file at the moment. */
	for (tries = 0; drm < 0 && tries < 100; tries++)
		drm = victim_drm_fd(v, pidfd);
	if (drm < 0)
		return drm;
	p->pidfds[p->num_victims] = pidfd;
	p->drm_fds[p->num_victims++] = drm;
	return 0;
}

static int prepare(struct supervisor *s, struct round *r, enum role role)
{
	struct process *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (p == MAP_FAILED)
		return -errno;
	r->process[role] = p;
	p->role = role;
	p->shared = s->shared;
	p->rng.state = rng_next(&r->rng);
	p->calls = s->calls;
	p->shallow = s->shallow;
	p->odd = s->odd;
	p->control_vmid = s->control.vmid;
	p->gentle_vmids = 1U << s->gentle.vmid;
	if (role == ROLE_GENTLE)
		return add_victim(p, &s->gentle.victim);
	ret = add_victim(p, &r->wild[role == ROLE_ROOT ? 0 : WILD_SPINS]);
	if (!ret)
		ret = add_victim(p, &r->wild[WILD_HOSTILE]);
	if (!ret && r->hostile) {
		p->hostile = p->pidfds[p->num_victims - 1];
		p->hints = s->hints;
	}
	return ret;
}

static void close_victims(struct process *p)
{
	unsigned int i;

	for (i = 0; i < p->num_victims; i++) {
		close(p->drm_fds[i]);
		close(p->pidfds[i]);
	}
}

/* Close the files of the victims of other roles: a process gets those of its own only. */
static void close_others(struct round *r, enum role mine)
{
	unsigned int role;

	for (role = 0; role < NUM_ROLES; role++)
		if (role != mine)
			close_victims(r->process[role]);
}

/* Close what only the supervisor uses, such as the ends of victims' pipes. */
static void close_own(const struct supervisor *s, const struct round *r)
{
	unsigned int i;

	close(s->watcher);
	close(s->foreign.fd);
	close(s->control.victim.in);
	close(s->gentle.victim.in);
	for (i = 0; i < r->num_wild; i++)
		if (r->wild[i].in >= 0)
			close(r->wild[i].in);
}

static int start_processes(struct supervisor *s, struct round *r)
{
	unsigned int role;
	int ret;

	for (role = 0; role < NUM_ROLES; role++) {
		ret = prepare(s, r, role);
		if (ret)
			return ret;
	}
	fflush(NULL);
	for (role = 0; role < NUM_ROLES; role++) {
		if (rng_once_in(&r->rng, 2))
			r->kill_at[role] = tally_role(s->shared, role) + 1 +
				rng_below(&r->rng, s->calls * NUM_WORKERS *
						   (1 + s->shallow));
		r->pid[role] = fork();
		if (r->pid[role] == 0) {
			/* A group of its own, so that it can be killed with its children. */
			setpgid(0, 0);
			close_others(r, role);
			close_own(s, r);
			process_main(r->process[role]);
		}
		if (r->pid[role] < 0)
			return -errno;
	}
	return 0;
}

/* Returns true if a call takes longer than s->bound_seconds. */
static bool any_overdue(struct supervisor *s)
{
	struct slot *slot = &s->shared->slot[0][0];
	uint64_t now = now_ns(), since;
	bool overdue = false;
	unsigned int i;

	for (i = 0; i < NUM_ROLES * NUM_WORKERS; i++) {
		since = atomic_load(&slot[i].since);
		if (!since || now < since ||
		    now - since < s->bound_seconds * 1000000000ull)
			continue;
		problem(s->shared, "%s has not returned for %u s.",
			calls[slot[i].call].name, s->bound_seconds);
		show_stack(slot[i].tid);
		overdue = true;
	}
	return overdue;
}

static void kill_some(struct supervisor *s, struct round *r)
{
	unsigned int role;

	for (role = 0; role < NUM_ROLES; role++) {
		if (!r->kill_at[role] || r->pid[role] <= 0 ||
		    tally_role(s->shared, role) < r->kill_at[role])
			continue;
		kill(r->pid[role], END_SIGNAL);
		r->kill_at[role] = 0;
		s->kills++;
	}
}

/*
 * Reap the children of a process that has ended. They were killed, because they may wait for
 * an event for ever, and the supervisor is their subreaper. Returns false if some have not
 * ended: a child can close a file of the target, which waits for the target's jobs.
 */
static bool reap_children(pid_t *group)
{
	pid_t pid;

	while (*group > 0) {
		pid = waitpid(-*group, NULL, WNOHANG);
		if (!pid)
			return false;
		if (pid < 0)
			*group = 0;
	}
	return true;
}

/* Reap the processes that have ended. Returns the number of those that still run. */
static unsigned int reap(struct supervisor *s, struct round *r)
{
	unsigned int role, i, running = 0;
	int status;

	for (role = 0; role < NUM_ROLES; role++) {
		running += !reap_children(&r->group[role]);
		if (r->pid[role] <= 0)
			continue;
		if (waitpid(r->pid[role], &status, WNOHANG) != r->pid[role]) {
			running++;
			continue;
		}
		if (WIFSIGNALED(status) && WTERMSIG(status) != END_SIGNAL)
			problem(s->shared, "A process of role %u was ended by signal %d.",
				role, WTERMSIG(status));
		r->group[role] = r->pid[role];
		r->pid[role] = 0;
		kill(-r->group[role], END_SIGNAL);
		running += !reap_children(&r->group[role]);
		for (i = 0; i < NUM_WORKERS; i++)
			atomic_store(&s->shared->slot[role][i].since, 0);
	}
	return running;
}

/*
 * Kill all debuggers and their children. A child that closes a file of the target may hold the
 * lock of its contexts, until the target's jobs have ended or the child is killed. The debugger
 * waits uninterruptibly for this lock, so it cannot be reaped before.
 */
static void kill_all(struct round *r)
{
	unsigned int role;

	for (role = 0; role < NUM_ROLES; role++) {
		if (r->pid[role] <= 0)
			continue;
		kill(r->pid[role], END_SIGNAL);
		kill(-r->pid[role], END_SIGNAL);
	}
}

static bool protected(const struct supervisor *s, uint32_t vmid)
{
	return vmid == s->control.vmid || vmid == s->gentle.vmid;
}

/*
 * Kill the waves of all wild victims, which may never end after changes of their registers
 * and code. Returns how many there were, or -errno.
 */
static int kill_wild_waves(struct supervisor *s)
{
	int i, wild = 0, n = list_waves(s, 0);

	for (i = 0; i < n; i++) {
		struct amdgpudbg_wave_control wc = {
			.size = sizeof(wc),
			.op = AMDGPUDBG_WAVEOP_KILL,
			.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			.vmid = s->waves[i].vmid,
		};

		if (protected(s, wc.vmid))
			continue;
		wild++;
		ioctl(s->watcher, AMDGPUDBG_IOC_WAVE_CONTROL, &wc);
	}
	return n < 0 ? n : wild;
}

/* Returns since how many ns the hostile target has waited for its oldest job. */
static int64_t longest_job(const struct supervisor *s)
{
	int64_t job = atomic_load(&s->hints->job_since);
	int64_t nop = atomic_load(&s->hints->nop_since);
	int64_t now = now_ns();

	job = job ? now - job : 0;
	nop = nop ? now - nop : 0;
	return job > nop ? job : nop;
}

/* End all debuggers, and the hostile target, whose locks they may be waiting for. */
static void end_debuggers(struct supervisor *s, struct round *r)
{
	s->shared->stop = true;
	r->ending = true;
	if (r->hostile)
		kill(-r->wild[WILD_HOSTILE].pid, SIGTERM);
	kill_all(r);
}

/*
 * The hostile target assumes that its jobs end; see hostile.c. The supervisor kills waves
 * that would never end. It cannot kill waves that a session has halted, so if a job still
 * takes too long, it ends the debuggers and the target. From then on, it continues to kill
 * waves: a job that the target has left behind can wait for the VMID of a program that spins.
 *
 * END_SIGNAL alone does not end a debugger that closes a file of the target. The debugger
 * waits uninterruptibly for the lock of the file's contexts. The target, or a child of it
 * that executes a program, holds this lock while it closes the same file, until its jobs
 * have ended (amdgpu_ctx_mgr_entity_flush()). For this reason, debuggers should let
 * AMDGPUDBG_TARGET_SET_TAKE_FD take their descriptors.
 */
static void end_long_job(struct supervisor *s, struct round *r)
{
	int64_t took = r->hostile ? longest_job(s) : 0;
	bool is_long = took > JOB_SECONDS * 1000000000ll;

	if (is_long && !r->job_is_long)
		s->long_jobs++;
	r->job_is_long = is_long;
	if (is_long || r->ending)
		kill_wild_waves(s);
	if (took > JOB_GUARDED_SECONDS * 1000000000ll)
		guarded_let_end(s);
	/* Also if the debuggers were asked to end: the job may be what they wait for. */
	if (took <= JOB_DEBUGGER_SECONDS * 1000000000ll || r->ending)
		return;
	s->ended_debuggers++;
	end_debuggers(s, r);
}

static void show_debuggers(const struct round *r)
{
	unsigned int role;

	for (role = 0; role < NUM_ROLES; role++)
		if (r->pid[role] > 0)
			show_stacks(r->pid[role]);
	show_amdgpu_stacks();
	show_jobs();
}

/* Watch the processes until all have ended. Returns false if they do not end. */
static bool look_on(struct supervisor *s, struct round *r)
{
	int64_t end = now_ns() + s->round_seconds * 1000000000ll;
	bool late = false;

	while (reap(s, r)) {
		poll(NULL, 0, LOOK_MS);
		guarded_check(s, false);
		kill_some(s, r);
		end_long_job(s, r);
		if (now_ns() > end)
			s->shared->stop = true;
		if (any_overdue(s) ||
		    now_ns() > end + 2ll * s->bound_seconds * 1000000000) {
			/* No signal ends a process that hangs in the kernel. */
			if (late) {
				problem(s->shared, "Debuggers do not end.");
				show_debuggers(r);
				return false;
			}
			late = true;
			guarded_let_end(s);
			end_debuggers(s, r);
			end = now_ns();
		}
	}
	return true;
}

/*
 * End all wild victims at once: with amdgpu of Linux 6.1, the end of one can wait for jobs
 * of another.
 */
static void end_wild(struct supervisor *s, struct round *r)
{
	unsigned int i, tries;

	for (i = 0; i < r->num_wild; i++) {
		/*
		 * The victim need not do all its work. The waves of one that spins outlive
		 * it if it is ended in this way. For SIGTERM, see compute.c.
		 */
		if (i != WILD_SPINS || rng_once_in(&r->rng, 2))
			kill(r->wild[i].pid, i == WILD_HOSTILE ? SIGTERM : END_SIGNAL);
	}
	for (i = 0; i < r->num_wild; i++) {
		for (tries = 0; !victim_let_end(&r->wild[i], END_MS); tries++) {
			if (tries == BLOCKED_SECONDS * 1000 / END_MS)
				guarded_let_end(s);
			if (tries == END_TRIES) {
				problem(s->shared, "A program that was harmed does not end.");
				show_stack(r->wild[i].pid);
				show_amdgpu_stacks();
				show_jobs();
				return;
			}
			kill_wild_waves(s);
		}
		victim_drop(&r->wild[i]);
	}
}

static void *close_fds(void *arg)
{
	struct process *const *process = arg;
	unsigned int role;

	for (role = 0; role < NUM_ROLES; role++) {
		if (!process[role])
			continue;
		close_victims(process[role]);
		munmap(process[role], sizeof(*process[role]));
	}
	return NULL;
}

struct closing {
	struct supervisor *s;
	pthread_t thread;
	bool closed;
	int waves;		/* result of the last kill_wild_waves() */
};

static bool has_closed(void *arg)
{
	struct closing *c = arg;

	c->waves = kill_wild_waves(c->s);
	c->closed = c->closed || !pthread_tryjoin_np(c->thread, NULL);
	return c->closed && !c->waves;
}

/*
 * Close the last descriptors of the victims' DRM files, which waits for their jobs. Waves
 * of a program that was killed, or that a handler or a wrong register has broken, end only
 * by KILL, and then further waves of the same job may start. Returns false if the files do
 * not close or waves remain.
 */
static bool close_wild(struct supervisor *s, const struct round *r)
{
	/* static, because the thread continues if this function stops waiting for it */
	static struct process *process[NUM_ROLES];
	struct closing c = { .s = s };

	memcpy(process, r->process, sizeof(process));
	if (pthread_create(&c.thread, NULL, close_fds, process)) {
		problem(s->shared, "No thread to close the programs' files.");
		return false;
	}
	if (until(has_closed, &c, BLOCKED_SECONDS))
		return true;
	guarded_let_end(s);
	if (until(has_closed, &c, REST_SECONDS))
		return true;
	if (!c.closed) {
		problem(s->shared, "The programs' DRM files do not close.");
		show_amdgpu_stacks();
		show_jobs();
	} else if (c.waves < 0) {
		problem(s->shared, "Waves are not listed: %s.",
			strerror(-c.waves));
	} else {
		problem(s->shared, "Waves outlive their programs, and KILL.");
	}
	return false;
}

static void check_halted(struct supervisor *s)
{
	unsigned int num, halted;

	if (vgpu_waves(0, &num, &halted) || halted)
		problem(s->shared, "%u of %u waves are halted after all debuggers have ended.",
			halted, num);
}

struct rest {
	const struct vgpu_regs *before;
	struct vgpu_regs after;
	int ret;
};

static bool rests(void *arg)
{
	struct rest *r = arg;

	r->ret = vgpu_read_regs(&r->after);
	return r->ret || vgpu_same_regs(r->before, &r->after, false);
}

/*
 * Check that all registers are as before the round. The check waits: the module restores
 * the registers of a handler only when the last wave has left the handler, which can be
 * after the end of its session, and a kernel worker selects banks to find that out.
 */
static void check_rest(struct supervisor *s)
{
	struct rest r = { .before = &s->before };
	int ret;

	if (!until(rests, &r, REST_SECONDS)) {
		vgpu_same_regs(&s->before, &r.after, true);
		problem(s->shared, "Registers are not as before.");
	}
	if (r.ret)
		problem(s->shared, "vgpu does not tell its registers: %s.",
			strerror(-r.ret));
	ret = vgpu_complaints();
	if (ret)
		problem(s->shared, "vgpu has %d complaints.", ret);
	guarded_check(s, true);
}

/* Check that no call has changed memory outside of its target. */
static void check_foreign(struct supervisor *s)
{
	struct foreign_answer answer;
	int ret = foreign_check(&s->foreign, &answer);

	if (ret)
		problem(s->shared, "The memory of a third user cannot be looked at: %s.",
			strerror(-ret));
	else if (answer.wrong)
		problem(s->shared, "%u of %u pieces of memory of a third user have changed.",
			answer.wrong, answer.pieces);
	s->rebuilt += !ret && answer.rebuilt;
}

bool round_run(struct supervisor *s, uint64_t seed)
{
	struct round r = { .rng = { seed } };
	bool ended = true;
	int64_t begun;
	int ret;

	s->rounds++;
	s->shared->stop = false;
	atomic_store(&s->hints->job_since, 0);
	atomic_store(&s->hints->nop_since, 0);
	ret = start_wild(s, &r);
	if (!ret)
		ret = start_processes(s, &r);
	if (ret) {
		problem(s->shared, "The round does not start: %s.",
			strerror(-ret));
		kill_all(&r);
	}
	begun = now_ns();
	ended = look_on(s, &r);
	s->calling_ns += now_ns() - begun;
	if (!ended)
		return false;
	check_halted(s);
	check_witness(s, &r);
	end_wild(s, &r);
	if (!close_wild(s, &r))
		return false;
	check_rest(s);
	check_foreign(s);
	return !s->shared->num_problems;
}
