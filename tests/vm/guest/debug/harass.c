// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A debugger that acts at random on the waves of a process, whose results must not change: it
 * halts and steps, sets and clears breakpoints wherever waves are, resumes waves, and detaches
 * while some are halted, or when it is asked to. Then it checks that it has left nothing.
 *
 * harass PID SEED: prints "attached". A line or the end of file on standard input means that
 * the process has no job any more. The last line is a summary, or an error.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <amdgpudbg-debug.h>

#include "until.h"

#define MAX_STEPS	12
#define MAX_BREAKPOINTS	6
#define MAX_CODES	16
#define MAX_THINGS	1500	/* done to waves, after which it leaves at the latest */
#define DEADLINE_S	60

/* What a mapping held in which waves were seen, without what was put there */
struct code {
	uint64_t va, bytes;
	uint8_t *is;
};

static struct adbgd_process *process;
static struct adbgd_error error;
static struct code codes[MAX_CODES];
static unsigned int num_codes;
static struct {
	unsigned int things, halts, steps, breakpoints, unset, hits;
} done;

static int fail(const char *what)
{
	fprintf(stderr, "harass: %s: %s\n", what, error.text);
	return -1;
}

static int is_wrong(const char *what)
{
	fprintf(stderr, "harass: %s\n", what);
	return -1;
}

static bool one_of(unsigned int n)
{
	return !(rand() % n);
}

static int failed_with(const char *what, int ret)
{
	fprintf(stderr, "harass: %s: %s\n", what,
		adbg_strerror(process ? adbgd_process_get_session(process) : NULL, ret));
	return -1;
}

/* ------------------------------------------------------------------------- code */

static bool is_known(uint64_t pc)
{
	for (unsigned int i = 0; i < num_codes; i++) {
		if (pc - codes[i].va < codes[i].bytes)
			return true;
	}
	return false;
}

/* The driver writes none there while its job runs. */
static int learn_code(uint64_t pc)
{
	struct code *code = &codes[num_codes];
	struct amdgpudbg_mapping *mappings;
	struct adbgd_memory memory;
	uint32_t count;
	int ret;

	if (is_known(pc))
		return 0;
	if (num_codes == MAX_CODES)
		return is_wrong("waves are everywhere");
	ret = adbg_vm_mappings(adbgd_process_get_session(process), pc, 4, &mappings, &count);
	if (ret)
		return failed_with("mappings", ret);
	if (count != 1) {
		free(mappings);
		return is_wrong("a wave is nowhere");
	}
	code->va = mappings[0].va;
	code->bytes = mappings[0].bytes;
	free(mappings);
	code->is = malloc(code->bytes);
	if (!code->is)
		return is_wrong("no memory");
	adbgd_process_get_memory(process, &memory);
	ret = memory.read(memory.data, code->va, code->is, code->bytes);
	if (ret)
		return failed_with("code", ret);
	num_codes++;
	return 0;
}

static int compare_code(struct adbg_session *session, int32_t pid)
{
	for (unsigned int i = 0; i < num_codes; i++) {
		uint8_t *now = malloc(codes[i].bytes);
		int ret = now ? adbg_vm_read(session, pid, codes[i].va, now,
					     codes[i].bytes) : -ENOMEM;

		if (!ret && memcmp(now, codes[i].is, codes[i].bytes))
			ret = is_wrong("the code is not as it was");
		else if (ret)
			failed_with("code", ret);
		free(now);
		if (ret)
			return ret;
	}
	return 0;
}

/* ------------------------------------------------------------------------ waves */

/*
 * Is the error expected? The wave has ended, has stopped with the report pending, or is not
 * halted yet; or it waits in the instruction for others.
 */
static bool is_no_wonder(int ret)
{
	return ret == -ENODATA || ret == -ESTALE || ret == -EAGAIN || ret == -EINPROGRESS ||
	       ret == -EBUSY || ret == -ETIMEDOUT;
}

/* There may be one, or an instruction that must stay in its place. */
static int set_breakpoint(uint64_t pc)
{
	int ret = adbgd_breakpoint_set(process, pc,
				       one_of(2) ? ADBGD_BREAKPOINT_TEMPORARY : 0, NULL,
				       &error);

	if (ret && ret != -EEXIST && ret != -EOPNOTSUPP)
		return fail("breakpoint");
	done.breakpoints += !ret;
	done.unset += ret == -EOPNOTSUPP;
	return 0;
}

static int play_with(const struct amdgpudbg_wave_coord *at, uint64_t pc)
{
	struct adbgd_stop stop = { .reason = ADBGD_STOP_STEP, .pc = pc };
	int num = one_of(3) ? rand() % MAX_STEPS : 0, ret = learn_code(pc);

	done.things++;
	while (!ret && num-- && stop.reason == ADBGD_STOP_STEP) {
		ret = adbgd_wave_step(process, at, &stop, &error);
		done.steps += !ret;
		done.things += !ret;
	}
	if (ret)
		return is_no_wonder(ret) ? 0 : fail("step");
	if (stop.reason != ADBGD_STOP_STEP)
		return 0;
	if (one_of(8) && !adbgd_process_get_breakpoint(process, MAX_BREAKPOINTS - 1))
		ret = set_breakpoint(stop.pc);
	if (ret || one_of(8))
		return ret;
	ret = adbgd_wave_continue(process, at, &error);
	return !ret || is_no_wonder(ret) ? 0 : fail("continue");
}

static int take_one_out(void)
{
	struct adbgd_breakpoint *b = adbgd_process_get_breakpoint(process, 0);

	if (!b || !adbgd_breakpoint_clear(b, &error))
		return 0;
	return fail("a breakpoint stays");
}

/* Act on all waves that are halted now: at their start, or by a halt. */
static int play_with_all(struct adbg_wave_list *list)
{
	struct adbg_session *session = adbgd_process_get_session(process);
	struct amdgpudbg_wave_list halted = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV,
		.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
	};
	const struct amdgpudbg_wave *wave;
	int ret;

	if (one_of(4)) {
		done.halts++;
		ret = adbgd_process_halt(process, &error);
		if (ret && !is_no_wonder(ret))
			return fail("halt");
	}
	ret = adbg_wave_list_fill(list, session, &halted);
	if (ret)
		return failed_with("list", ret);
	for (size_t i = 0; !ret && (wave = adbg_wave_list_get(list, i)); i++)
		ret = play_with(&wave->at, adbgd_wave_get_pc(process, wave));
	return ret;
}

/* Act on a wave that has stopped; if there is none, on those that are halted. */
static int play_with_next(struct adbg_wave_list *list)
{
	struct adbgd_stop stop;
	int ret = adbgd_process_wait_stop(process, 1, &stop, &error);

	if (ret == -EAGAIN)
		return play_with_all(list);
	if (ret)
		return fail("next stop");
	if (stop.reason >= ADBGD_STOP_EXPIRED)
		return is_wrong(adbgd_stop_reason_name(stop.reason));
	done.hits += stop.reason == ADBGD_STOP_BREAKPOINT;
	return play_with(&stop.at, stop.pc);
}

static int next_thing(struct adbg_wave_list *list)
{
	int ret = play_with_next(list);

	if (!ret && one_of(20))
		ret = take_one_out();
	/*
	 * All waves begin halted. If they began after the list of this round, this could
	 * resume them before the debugger has acted on any, and the job could end.
	 */
	if (!ret && done.things && one_of(50) && adbgd_process_continue(process, &error) &&
	    !is_no_wonder(error.error))
		ret = fail("continue");
	return ret;
}

static bool is_asked_to_end(int timeout_ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&in, 1, timeout_ms) > 0;
}

static int harass(void)
{
	/* Mostly it leaves before the job has ended. */
	unsigned int most = 1 + rand() % MAX_THINGS;
	struct adbg_wave_list *list;
	int ret = adbg_wave_list_new(&list);

	if (ret)
		return is_wrong("no memory");
	while (!ret && !is_asked_to_end(0) && done.things < most)
		ret = next_thing(list);
	adbg_wave_list_free(list);
	return ret;
}

/* ------------------------------------------------------------------ begin, end */

/* All that is mapped in the process */
struct mappings {
	struct amdgpudbg_mapping *mapping;
	uint32_t count;
};

static int list_mappings(struct adbg_session *session, struct mappings *m)
{
	int ret = adbg_vm_mappings(session, 0, 0, &m->mapping, &m->count);

	return ret ? failed_with("mappings", ret) : 0;
}

static bool has_mapping(const struct mappings *m, uint64_t va)
{
	for (uint32_t i = 0; i < m->count; i++) {
		if (m->mapping[i].va == va)
			return true;
	}
	return false;
}

/* Open a session that changes nothing; the process is idle at that time. */
static int open_session(int32_t pid, struct adbg_session **session)
{
	int ret = adbg_open(NULL, session);

	if (!ret)
		ret = adbg_target_attach(*session, pid, 0, NULL);
	return ret ? failed_with("open", ret) : 0;
}

/* A busy GPU can be slower with page tables than a call waits. */
static int attach(int32_t pid)
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	do {
		ret = adbgd_process_attach(NULL, pid, 0, &process, &error);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	return ret ? fail("attach") : 0;
}

static int begin(int32_t pid, struct mappings *before, struct mappings *with)
{
	struct amdgpudbg_launch_set launch = { .mode = AMDGPUDBG_LAUNCH_HALT };
	struct adbg_session *session = NULL;
	int ret = open_session(pid, &session);

	if (!ret)
		ret = list_mappings(session, before);
	adbg_session_close(session);
	if (!ret)
		ret = attach(pid);
	if (ret)
		return ret;
	session = adbgd_process_get_session(process);
	ret = adbg_launch_set(session, &launch);
	return ret ? failed_with("launch", ret) : list_mappings(session, with);
}

struct after {
	struct adbg_session *session;
	int32_t pid;
	struct mappings before, with;	/* with the debugger's own */
	int ret;
};

/* What a handler has halted while it was about to go is resumed a little later. */
static bool no_wave_is_halted(void *arg)
{
	struct amdgpudbg_wave_list halted = {
		.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED,
		.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
	};
	struct after *after = arg;
	struct adbg_wave_list *list;

	after->ret = adbg_wave_list_new(&list);
	if (after->ret)
		return true;
	after->ret = adbg_wave_list_fill(list, after->session, &halted);
	adbg_wave_list_free(list);
	return after->ret || !halted.count;
}

/* What the debugger had mapped has to wait for the target's jobs. */
static bool mappings_are_as_before(void *arg)
{
	struct after *after = arg;
	struct mappings now;
	bool as_before = true;

	after->ret = list_mappings(after->session, &now);
	if (after->ret)
		return true;
	for (uint32_t i = 0; i < after->with.count; i++) {
		uint64_t va = after->with.mapping[i].va;

		as_before &= has_mapping(&after->before, va) || !has_mapping(&now, va);
	}
	free(now.mapping);
	return as_before;
}

static int look_after(struct after *after)
{
	int ret = open_session(after->pid, &after->session);

	if (!ret)
		ret = compare_code(after->session, after->pid);
	if (ret)
		return ret;
	if (!until(no_wave_is_halted, after, DEADLINE_S))
		return is_wrong("waves are halted for ever");
	if (after->ret)
		return failed_with("list", after->ret);
	is_asked_to_end(-1);
	if (!until(mappings_are_as_before, after, DEADLINE_S))
		return is_wrong("something stays mapped");
	return after->ret ? after->ret : compare_code(after->session, after->pid);
}

int main(int argc, char **argv)
{
	struct after after = { .pid = argc == 3 ? atoi(argv[1]) : 0 };
	int ret;

	if (!after.pid)
		return EXIT_FAILURE;
	srand(strtoul(argv[2], NULL, 0));
	ret = begin(after.pid, &after.before, &after.with);
	if (ret)
		return EXIT_FAILURE;
	printf("attached\n");
	fflush(stdout);
	ret = harass();
	adbgd_process_detach(process);
	process = NULL;
	if (!ret)
		ret = look_after(&after);
	adbg_session_close(after.session);
	printf("%u things, %u halts, %u steps, %u breakpoints, %u hits, %u refused\n",
	       done.things, done.halts, done.steps, done.breakpoints, done.hits, done.unset);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
