// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Helpers for all operations on a process: errors with the session's hints, time, mappings, and
 * setting its trap handler.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "process.h"
#include "trap_abi.h"

/* ", by process 4711", if another session is in the way, and its process is known */
static const char *by_whom(struct adbg_session *session, int ret, char *text, size_t size)
{
	struct amdgpudbg_busy busy;

	*text = '\0';
	if (session && ret == -EBUSY && !adbg_session_get_busy(session, &busy) && busy.pid)
		snprintf(text, size, ", by process %d", busy.pid);
	return text;
}

int adbgd_failed(struct adbgd_process *process, struct adbgd_error *error, int ret,
		 const char *what, ...)
{
	struct adbg_session *session = process ? process->session : NULL;
	const char *hint = adbg_strhint(session, ret);
	char text[256], who[32];
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	return adbgd_fail(error, ret, "%s: %s%s%s%s", text, adbg_strerror(session, ret),
			  by_whom(session, ret, who, sizeof(who)), hint ? "; " : "",
			  hint ? hint : "");
}

uint64_t adbgd_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

int64_t adbgd_now_ms(void)
{
	return adbgd_now_ns() / 1000000;
}

bool adbgd_is_interrupted(const struct adbgd_process *process)
{
	struct pollfd fd = { .fd = process->interrupt_fd, .events = POLLIN };

	/* With -1 poll() ignores the descriptor. */
	return poll(&fd, 1, 0) > 0;
}

int adbgd_check_mapping(struct adbgd_process *process, uint64_t address, uint64_t size,
			uint32_t *flags, struct adbgd_error *error)
{
	struct amdgpudbg_mapping *mappings;
	uint32_t count;
	int ret = adbg_vm_mappings(process->session, address, size, &mappings, &count);

	if (ret)
		return adbgd_failed(process, error, ret, "cannot read the mapping at %#llx",
				    (unsigned long long)address);
	*flags = count ? mappings[0].flags : 0;
	free(mappings);
	return count ? 0 : adbgd_fail(error, -ENXIO, "nothing is mapped at %#llx",
				      (unsigned long long)address);
}

uint64_t adbgd_process_handler(const struct adbgd_process *process, uint32_t handler)
{
	return process->handler.code_va + handler * process->handler.size;
}

uint32_t adbgd_process_mailbox(const struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at)
{
	return trap_mailbox(process->handler.header, at->se, at->sa, at->wgp, at->simd, at->wave);
}

int adbgd_process_set_handler(struct adbgd_process *p, struct adbgd_error *error)
{
	struct amdgpudbg_trap_handler handler = {
		.tba = adbgd_process_handler(p, p->handler.current), .tba_size = p->handler.size,
		.tma = p->handler.memory_va, .tma_size = p->handler.memory_size,
	};
	int ret;

	ret = adbg_trap_handler_set(p->session, &handler);
	if (ret)
		return adbgd_failed(p, error, ret, "cannot set the trap handler of process %d",
				    p->info.pid);
	p->info.vmid = handler.vmid;
	p->handler.was_set = true;
	return 0;
}

int adbgd_process_set_launch(struct adbgd_process *p, bool has_watchpoints)
{
	struct amdgpudbg_launch_set launch = {
		.mode = adbgd_launch_halts(p) ? AMDGPUDBG_LAUNCH_HALT :
			p->breakpoints.in_debug_mode ? AMDGPUDBG_LAUNCH_DEBUG :
			AMDGPUDBG_LAUNCH_NORMAL,
	};

	if (has_watchpoints) {
		launch.flags = AMDGPUDBG_LAUNCH_SET_EXCP;
		launch.excp_mask = AMDGPUDBG_CAUSE_WATCH;
	}
	return adbg_launch_set(p->session, &launch);
}
