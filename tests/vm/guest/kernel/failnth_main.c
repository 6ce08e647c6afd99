// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes each call of the kernel interface, and lets each of its allocations and accesses to user
 * memory fail once. A call that fails must have changed nothing, as seen by the software GPU
 * and by the interface itself. Prints TAP.
 *
 * failnth [-d] [-t CASE]
 *	-d: without faults, on any kernel; CASE: only cases whose name contains this
 */
#define _GNU_SOURCE
#include "failnth.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/vgpu.h"
#include "failnth_case.h"
#include "until.h"

#define NODE "/dev/amdgpudbg0"
#define RENDER_NODE "/dev/dri/renderD128"

/* A limit above the number of faults of any call, so that the test ends in any case. */
#define MAX_FAULTS 2000
#define DEADLINE_S 20

struct world world;

/* ------------------------------------------------------------- how things are */

#define MODE_DEBUG_EN (1 << 11)

/* Waves, by how they are; those of the victim one bit each, as they stay. */
struct scene {
	struct vgpu_regs regs;
	uint32_t victim, victim_halted, victim_debug;
	uint32_t others, others_halted, others_debug;
	uint64_t steps;		/* of halted waves, since the last look */
	uint64_t victim_gtt, own_gtt;
	uint64_t sessions;	/* references to the module */
	uint64_t probe;
};

static int tests;
static unsigned long total;

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

static void must(int ret, const char *what)
{
	if (ret >= 0)
		return;
	printf("Bail out! %s: %s\n", what, strerror(-ret));
	exit(1);
}

/* The number after @key in a file of the kernel's. */
static uint64_t read_number(const char *path, const char *key)
{
	char text[4096] = "", *at;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	must(n < 0 ? -errno : 0, path);
	close(fd);
	at = strstr(text, key);
	must(at ? 0 : -ENOENT, key);
	return strtoull(at + strlen(key), NULL, 10);
}

/* KiB of system memory in the address space of a DRM file */
static uint64_t gtt_of(int drm_fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", drm_fd);
	return read_number(path, "drm-memory-gtt:");
}

static void look_at_waves(struct scene *s)
{
	static struct vgpu_wave now[VGPU_MAX_WAVES], last[VGPU_MAX_WAVES];
	static int last_num;
	int i, num = vgpu_list_waves(now, VGPU_MAX_WAVES);

	must(num, "the waves");
	for (i = 0; i < num; i++) {
		bool debug = now[i].mode & MODE_DEBUG_EN;

		if (now[i].vmid == world.vmid) {
			s->victim_halted |= now[i].halted << s->victim;
			s->victim_debug |= debug << s->victim;
			s->victim++;
		} else {
			s->others++;
			s->others_halted += now[i].halted;
			s->others_debug += debug;
		}
		if (num == last_num && now[i].halted && last[i].halted)
			s->steps += now[i].instructions - last[i].instructions;
	}
	memcpy(last, now, sizeof(last));
	last_num = num;
}

static void look(const struct fault_case *c, struct scene *s)
{
	memset(s, 0, sizeof(*s));
	look_at_waves(s);
	must(vgpu_read_regs(&s->regs), "the registers");
	s->victim_gtt = gtt_of(world.drm_fd);
	s->own_gtt = gtt_of(world.self.prog.gpu.fd);
	s->sessions = read_number("/sys/module/amdgpudbg/refcnt", "");
	if (c && c->probe)
		s->probe = c->probe();
}

static bool differs(const char *what, uint64_t now, uint64_t wanted, bool print)
{
	if (now == wanted)
		return false;
	if (print)
		printf("# %s: %#llx, not %#llx\n", what,
		       (unsigned long long)now, (unsigned long long)wanted);
	return true;
}

/* @print: what is another way than @wanted */
static bool is_as(const struct scene *now, const struct scene *wanted,
		  bool print)
{
	bool differ = false;

#define COMPARE(member, what) \
	differ |= differs(what, now->member, wanted->member, print)
	COMPARE(victim, "the victim's waves");
	COMPARE(victim_halted, "the victim's halted waves");
	COMPARE(victim_debug, "the victim's waves in debug mode");
	COMPARE(others, "other waves");
	COMPARE(others_halted, "other halted waves");
	COMPARE(others_debug, "other waves in debug mode");
	COMPARE(steps, "instructions of halted waves");
	COMPARE(victim_gtt, "KiB of the victim");
	COMPARE(own_gtt, "KiB of the test");
	COMPARE(sessions, "users of the module");
	COMPARE(probe, "what the interface tells");
#undef COMPARE
	return vgpu_same_regs(&wanted->regs, &now->regs, print) && !differ;
}

/* Can another program get the VMID that only one address space at a time can reserve? */
static int reserve_vmid(void)
{
	union drm_amdgpu_vm args = { .in.op = AMDGPU_VM_OP_RESERVE_VMID };
	int fd = open(RENDER_NODE, O_RDWR | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (ioctl(fd, DRM_IOCTL_AMDGPU_VM, &args))
		ret = -errno;
	args.in.op = AMDGPU_VM_OP_UNRESERVE_VMID;
	if (!ret && ioctl(fd, DRM_IOCTL_AMDGPU_VM, &args))
		ret = -errno;
	close(fd);
	return ret;
}

/* ------------------------------------------------------------------ one case */

struct sweep {
	const struct fault_case *c;
	struct scene before, after;
	unsigned int faults;
	unsigned int failures;
	unsigned int late;
};

struct undoing {
	const struct fault_case *c;
	const struct scene *before;
	bool moved;		/* waves executed instructions in between */
	struct scene now;
};

static bool is_as_before(void *arg)
{
	struct undoing *u = arg;

	look(u->c, &u->now);
	if (u->moved)
		u->now.steps = u->before->steps;
	return is_as(&u->now, u->before, false);
}

/* What ends may leave something to a worker for a while. */
static bool is_undone(const struct fault_case *c, const struct scene *before,
		      bool moved)
{
	struct undoing u = { .c = c, .before = before, .moved = moved };

	return until(is_as_before, &u, DEADLINE_S) ||
	       is_as(&u.now, before, true);
}

struct outcomes {
	const struct scene *one, *other;
};

static bool is_memory_as(const struct scene *s, uint64_t victim, uint64_t own)
{
	return s->victim_gtt == victim && s->own_gtt == own;
}

static bool is_memory_settled(void *arg)
{
	const struct outcomes *o = arg;
	uint64_t victim = gtt_of(world.drm_fd);
	uint64_t own = gtt_of(world.self.prog.gpu.fd);

	return is_memory_as(o->one, victim, own) ||
	       is_memory_as(o->other, victim, own);
}

/*
 * Buffers that a call has freed stay for a while, until their address space has no
 * jobs, amdgpu's own included. Where they do not go, that shows in @now.
 */
static void look_at_outcome(const struct fault_case *c, struct scene *now,
			    const struct scene *one, const struct scene *other)
{
	struct outcomes o = { .one = one, .other = other };

	until(is_memory_settled, &o, DEADLINE_S);
	look(c, now);
}

static const char *err_name(int ret)
{
	return ret < 0 ? strerrorname_np(-ret) : "success";
}

static bool problem(const struct sweep *s, unsigned int n, const char *what,
		    int ret)
{
	printf("# %s, fault %u: %s (%s)\n", s->c->name, n, what, err_name(ret));
	return false;
}

static bool may_fail_with(const struct fault_case *c, int err)
{
	if (err == c->also)
		return true;
	return (err == ENOMEM || err == EFAULT) &&
	       errno_is_documented(c->call, err);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool is_memory_freed(void *arg)
{
	const struct scene *after = arg;

	return gtt_of(world.drm_fd) <= after->victim_gtt &&
	       gtt_of(world.self.prog.gpu.fd) <= after->own_gtt;
}

/*
 * It has been done: it shows, and can be undone. What it has freed may not all have
 * been gone when it was rehearsed.
 */
static bool done(struct sweep *s, unsigned int n)
{
	struct scene now;
	int ret;

	until(is_memory_freed, &s->after, DEADLINE_S);
	look(s->c, &now);
	s->after.victim_gtt = least(s->after.victim_gtt, now.victim_gtt);
	s->after.own_gtt = least(s->after.own_gtt, now.own_gtt);
	if (!is_as(&now, &s->after, true))
		return problem(s, n, "not all of it is done", 0);
	ret = s->c->undo ? s->c->undo() : 0;
	if (ret)
		return problem(s, n, "it cannot be undone", ret);
	/* What was undone moves waves, too. */
	if (!is_undone(s->c, &s->before, true))
		return problem(s, n, "not all of it is undone", 0);
	return true;
}

static bool failed(struct sweep *s, unsigned int n, int err)
{
	struct scene now;
	bool moved = false;
	int ret;

	s->failures++;
	if (!may_fail_with(s->c, err))
		return problem(s, n, "an error that is not documented", -err);
	look_at_outcome(s->c, &now, &s->before, &s->after);
	if (s->c->late && err == EFAULT && !is_as(&now, &s->before, false)) {
		s->late++;
		if (!is_as(&now, &s->after, true))
			return problem(s, n, "neither done nor not", -err);
		ret = s->c->undo ? s->c->undo() : 0;
		if (ret)
			return problem(s, n, "it cannot be undone", ret);
		moved = true;
	}
	if (!is_undone(s->c, &s->before, moved))
		return problem(s, n, "it failed and left something", -err);
	if (s->c->reserves && reserve_vmid())
		return problem(s, n, "it failed and left a VMID reserved", -err);
	return true;
}

/* Returns false if the sweep must end. */
static bool inject(struct sweep *s, unsigned int n, bool *well)
{
	bool injected;
	int ret;

	failnth_arm(n);
	ret = s->c->run();
	injected = failnth_disarm();
	s->faults += injected;
	if (ret > 0 || (ret && !injected))
		*well = problem(s, n, "it did not do what it should", ret);
	else if (ret)
		*well = failed(s, n, -ret);
	else
		*well = done(s, n);
	return injected && *well;
}

static int session_for(enum scope scope)
{
	switch (scope) {
	case NO_SESSION:
		return -1;
	case WHOLE_GPU:
	case THE_VICTIM:
		return self_session(&world.self, false);
	default:
		return self_session(&world.self, true);
	}
}

static bool begin(struct sweep *s)
{
	struct amdgpudbg_target_set t = {
		.size = sizeof(t), .drm_fd = world.drm_fd,
		.pidfd = world.pidfd,
	};
	const struct fault_case *c = s->c;
	int ret = 0;

	world.session = session_for(c->scope);
	if (c->scope != NO_SESSION && world.session < 0)
		return problem(s, 0, "no session", world.session);
	if (c->scope == THE_VICTIM)
		ret = do_ioctl(AMDGPUDBG_IOC_TARGET_SET, &t);
	if (!ret && c->set_up)
		ret = c->set_up();
	return ret ? problem(s, 0, "it cannot be prepared", ret) : true;
}

/* Once without faults, to know what it does. */
static bool rehearse(struct sweep *s)
{
	const struct fault_case *c = s->c;
	int ret;

	ret = c->reserves ? reserve_vmid() : 0;
	if (ret)
		return problem(s, 0, "a VMID is reserved before", ret);
	/* Once before, so that what is done only once is done. */
	ret = c->run();
	if (!ret && c->undo)
		ret = c->undo();
	if (ret)
		return problem(s, 0, "it does not work", ret);
	look(c, &s->before);
	look(c, &s->before);
	ret = c->run();
	if (ret)
		return problem(s, 0, "it does not work twice", ret);
	look(c, &s->after);
	if (is_as(&s->after, &s->before, !c->changes) == c->changes)
		return problem(s, 0, c->changes ? "nothing shows" :
			       "something changes", 0);
	ret = c->undo ? c->undo() : 0;
	if (ret)
		return problem(s, 0, "it cannot be undone", ret);
	if (!is_undone(c, &s->before, true))
		return problem(s, 0, "not all of it is undone", 0);
	return true;
}

static void end(const struct fault_case *c, bool *well)
{
	int ret = c->take_down ? c->take_down() : 0;

	if (ret) {
		printf("# %s: take down: %s\n", c->name, err_name(ret));
		*well = false;
	}
	if (world.session >= 0)
		close(world.session);
	world.session = -1;
}

static void sweep(const struct fault_case *c, const struct scene *first,
		  bool faults)
{
	static struct sweep s;
	unsigned int n = 1;
	bool well;

	s = (struct sweep){ .c = c };
	well = begin(&s) && rehearse(&s);
	while (well && faults && n <= MAX_FAULTS && inject(&s, n, &well))
		n++;
	end(c, &well);
	if (!is_undone(NULL, first, false))
		well = problem(&s, n, "something is left of the session", 0);
	total += s.faults;
	verdict(well && n <= MAX_FAULTS,
		"%s: no failure leaves a trace (%u faults, %u failures, %u of them late)", c->name,
		s.faults, s.failures, s.late);
}

/* ---------------------------------------------------------------- everything */

static bool has_case(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < num_wave_cases; i++)
		if (calls[wave_cases[i].call].nr == nr)
			return true;
	for (i = 0; i < num_lease_cases; i++)
		if (calls[lease_cases[i].call].nr == nr)
			return true;
	return false;
}

/* The module itself tells which numbers it knows. */
static void check_that_all_have_cases(void)
{
	int session = self_session(&world.self, false);
	unsigned int i, nr, known = 0;
	bool well = true;

	must(session, "a session");
	for (i = 0; i <= _IOC_NRMASK; i++) {
		nr = _IO(AMDGPUDBG_IOC_TYPE, i);
		if (self_call(session, nr, NULL) == -ENOTTY)
			continue;
		known++;
		if (has_case(nr))
			continue;
		printf("# ioctl %#x has no case\n", i);
		well = false;
	}
	close(session);
	verdict(well && known == NUM_IOCTLS, "all %u ioctls have cases", known);
}

static int list_victim(void)
{
	struct amdgpudbg_wave_list l = {
		.size = sizeof(l), .entry_size = sizeof(world.waves[0]),
		.capacity = VICTIM_WAVES, .waves = (uintptr_t)world.waves,
	};
	int session = self_session(&world.self, false), ret;

	if (session < 0)
		return session;
	ret = self_call(session, AMDGPUDBG_IOC_WAVE_LIST, &l);
	close(session);
	world.vmid = world.waves[0].vmid;
	return !ret && l.count != VICTIM_WAVES ? -EPROTO : ret;
}

static void set_up(void)
{
	must(self_open(&world.self), "the test's own program");
	must(victim_spin(&world.victim, 0, VICTIM_WAVES * 32), "a victim");
	world.pidfd = victim_pidfd(&world.victim);
	must(world.pidfd, "pidfd");
	world.drm_fd = victim_drm_fd(&world.victim, world.pidfd);
	must(world.drm_fd, "the victim's DRM file");
	must(vgpu_open(), "vgpu");
	must(list_victim(), "the victim's waves");
	/* No page is to come only when a call counts its allocations. */
	must(mlockall(MCL_CURRENT | MCL_FUTURE) ? -errno : 0, "mlockall");
}

static void take_down(void)
{
	struct scene s;
	int ret;

	look(NULL, &s);
	verdict(!s.victim_halted && !s.others_halted && !s.others,
		"no wave is halted after all failures");
	ret = victim_finish(&world.victim);
	if (ret)
		printf("# %s\n", ret < 0 ? strerror(-ret) : "wrong results");
	verdict(!ret, "the victim's results are right");
	verdict(!vgpu_complaints(), "the GPU has nothing to complain about");
	self_close(&world.self);
}

static void sweep_all(const struct fault_case *cases, unsigned int num,
		      const char *only, bool faults)
{
	static struct scene first;
	unsigned int i;

	look(NULL, &first);
	look(NULL, &first);
	for (i = 0; i < num; i++)
		if (strstr(cases[i].name, only))
			sweep(&cases[i], &first, faults);
}

int main(int argc, char **argv)
{
	const char *only = "";
	bool faults = true;
	int opt, ret;

	while ((opt = getopt(argc, argv, "dt:")) != -1) {
		if (opt == 'd')
			faults = false;
		else if (opt == 't')
			only = optarg;
		else
			return 2;
	}
	if (faults) {
		ret = failnth_open();
		if (ret == -ENOENT) {
			printf("1..0 # SKIP this kernel injects no faults\n");
			return 0;
		}
		must(ret, "fail-nth");
	}
	set_up();
	check_that_all_have_cases();
	sweep_all(wave_cases, num_wave_cases, only, faults);
	sweep_all(lease_cases, num_lease_cases, only, faults);
	printf("# %u cases, %lu faults\n", num_wave_cases + num_lease_cases,
	       total);
	take_down();
	printf("1..%d\n", tests);
	return 0;
}
