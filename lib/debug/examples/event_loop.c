// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Example: an event loop that moves all waves at once. Each wave that stops at an address is run
 * to another one; the loop waits for waves and for commands by one poll().
 *
 *	cc event_loop.c $(pkg-config --cflags --libs libamdgpudbg-debug)
 *	./a.out PID FROM TO
 *
 * Addresses are those of instructions. A line on standard input cancels all operations; its
 * end ends the program.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <amdgpudbg-debug.h>

static struct adbgd_process *process;
static struct adbgd_error error;
static uint64_t to;

static void complain(int ret)
{
	if (ret)
		fprintf(stderr, "event_loop: %s\n", error.text);
}

static void print(const struct adbgd_stop *stop)
{
	char name[ADBG_WAVE_NAME_MAX];

	printf("%s: %s at %#" PRIx64 "\n", adbg_wave_name(&stop->at, name),
	       adbgd_stop_reason_name(stop->reason), stop->pc);
}

/* The breakpoint starts an operation of its wave, and the end of the operation resumes the wave. */
static void handle(const struct adbgd_stop *stop)
{
	switch (stop->reason) {
	case ADBGD_STOP_BREAKPOINT_STATE:
		printf("breakpoint %u is set or pending\n", stop->breakpoint);
		return;
	case ADBGD_STOP_EXITED:
		printf("the process has exited\n");
		return;
	case ADBGD_STOP_WAVE_END:
		print(stop);
		return;
	case ADBGD_STOP_BREAKPOINT:
		print(stop);
		if (!stop->operation) {
			complain(adbgd_wave_start_until(process, &stop->at, to, NULL, &error));
			return;
		}
		break;
	default:
		print(stop);
	}
	complain(adbgd_wave_continue(process, &stop->at, &error));
}

static void handle_all(struct adbgd_stop *stop)
{
	int ret;

	while (stop->reason != ADBGD_STOP_EXITED) {
		ret = adbgd_process_wait_stop(process, 0, stop, &error);
		if (ret) {
			if (ret != -EAGAIN)
				complain(ret);
			return;
		}
		handle(stop);
	}
}

static void cancel_all(void)
{
	struct adbgd_operation_info info;
	struct adbgd_stop stop;
	int ret;

	while (!adbgd_process_get_operation(process, 0, &info)) {
		ret = adbgd_operation_cancel(process, info.number, &stop, &error);
		complain(ret);
		if (ret)
			return;
		handle(&stop);
	}
}

static void loop(void)
{
	struct pollfd fds[] = {
		{ .fd = adbgd_process_get_fd(process), .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};
	struct adbgd_stop stop = { .reason = 0 };
	char line[256];

	while (stop.reason != ADBGD_STOP_EXITED && poll(fds, 2, -1) > 0) {
		if (fds[0].revents)
			handle_all(&stop);
		if (!fds[1].revents)
			continue;
		if (read(STDIN_FILENO, line, sizeof(line)) <= 0)
			return;
		cancel_all();
	}
}

int main(int argc, char **argv)
{
	uint64_t from;
	int ret;

	if (argc != 4) {
		fprintf(stderr, "usage: event_loop PID FROM TO\n");
		return EXIT_FAILURE;
	}
	/* Each line is written when it is complete, also to a file. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	from = strtoull(argv[2], NULL, 0);
	to = strtoull(argv[3], NULL, 0);
	ret = adbgd_process_attach(NULL, atoi(argv[1]), 0, &process, &error);
	complain(ret);
	if (ret)
		return EXIT_FAILURE;
	adbgd_process_report_breakpoints(process, true);
	ret = adbgd_breakpoint_set(process, from, 0, NULL, &error);
	complain(ret);
	if (!ret)
		loop();
	adbgd_process_detach(process);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
