/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of a report: its mappings, memory, code objects, and instructions.
 */
#ifndef WAVECTL_REPORT_PROCESS_H
#define WAVECTL_REPORT_PROCESS_H

#include "debug/code.h"
#include "waves/mapping.h"

/*
 * A process whose memory is read by a session, without a trap handler. @view is the wavectl that
 * the functions of debug/ and waves/ get: its target is this process.
 */
struct report_process {
	int32_t pid;
	uint32_t pasid;
	struct wavectl view;
	struct shell_session shell;
	struct debugger debugger;
	bool owns_session;
	struct amdgpudbg_mapping *mappings;
	uint32_t num_mappings;
};

/*
 * Open the process: with the session of @w if its target is this process, else with a new one.
 * @interrupt_fd: readable if a signal has arrived; -1: none. Returns 0 or -errno. Call
 * report_process_close() only after success.
 */
int report_process_open(struct wavectl *w, int32_t pid, uint32_t pasid, uint64_t client,
			int interrupt_fd, struct report_process *p);
void report_process_close(struct report_process *p);

#endif /* WAVECTL_REPORT_PROCESS_H */
