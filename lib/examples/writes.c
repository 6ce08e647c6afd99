// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Example: report which waves of a process write to an address, and where in their code. Only
 * waves that start from now on are reported, until the process ends.
 *
 *	cc writes.c $(pkg-config --cflags --libs libamdgpudbg)
 *	./a.out PID ADDRESS BYTES
 */
#include <stdio.h>
#include <stdlib.h>

#include <amdgpudbg.h>

/*
 * Events of waves that the module could not read, because they were not halted yet, have no
 * cause.
 */
#define EVENTS	(1ULL << AMDGPUDBG_EVENT_WAVE | \
		 1ULL << AMDGPUDBG_EVENT_TARGET_GONE)

/* Waves that hit the watch enter the handler, which halts them. */
static int set_up(struct adbg_session *session, int pid, const char *address,
		  const char *bytes)
{
	struct amdgpudbg_launch_set launch = ADBG_ZERO;
	struct amdgpudbg_watch_set watch = ADBG_ZERO;
	int ret;

	launch.flags = AMDGPUDBG_LAUNCH_SET_EXCP;
	launch.excp_mask = AMDGPUDBG_CAUSE_WATCH;
	watch.mode = AMDGPUDBG_WATCH_NONREAD;
	watch.address = strtoull(address, NULL, 0);
	watch.bytes = strtoull(bytes, NULL, 0);

	ret = adbg_target_attach(session, pid, 0, NULL);
	if (!ret)
		ret = adbg_event_enable(session, EVENTS, AMDGPUDBG_CAUSE_WATCH, 0);
	if (!ret)
		ret = adbg_trap_install(session, NULL);
	if (!ret)
		ret = adbg_launch_set(session, &launch);
	return ret ? ret : adbg_watch_set(session, &watch);
}

/* Report a hit and resume the wave. Returns 1 if the process has exited. */
static int next_hit(struct adbg_session *session)
{
	struct amdgpudbg_wave_control resume = ADBG_ZERO;
	struct amdgpudbg_event event = ADBG_ZERO;
	char name[ADBG_WAVE_NAME_MAX];
	int ret = adbg_event_next(session, &event, -1);

	if (ret)
		return ret;
	if (event.type == AMDGPUDBG_EVENT_TARGET_GONE)
		return 1;
	printf("%s wrote before %#llx\n", adbg_wave_name(&event.at, name),
	       event.pc);
	resume.op = AMDGPUDBG_WAVEOP_RESUME;
	resume.vmid = event.vmid;
	resume.at = event.at;
	return adbg_wave_control(session, &resume);
}

int main(int argc, char **argv)
{
	struct adbg_session *session = NULL;
	int ret;

	if (argc != 4) {
		fprintf(stderr, "usage: writes PID ADDRESS BYTES\n");
		return EXIT_FAILURE;
	}
	ret = adbg_open(NULL, &session);
	if (!ret)
		ret = set_up(session, atoi(argv[1]), argv[2], argv[3]);
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	if (!ret)
		puts("watching");
	while (!ret)
		ret = next_hit(session);
	if (ret < 0)
		fprintf(stderr, "writes: %s\n", adbg_strerror(session, ret));
	adbg_session_close(session);
	return ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
