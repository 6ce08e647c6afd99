/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests of libamdgpudbg-debug on a process: a program with the kernel of breaks.s, and what
 * is known of it. Where nothing else is said, a failure ends the test.
 */
#ifndef GUEST_DEBUGGER_H
#define GUEST_DEBUGGER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg-debug.h>

#include "prog.h"

#define CODE_FILE	"/usr/share/amdgpudbg/breaks.co"
#define ITEMS		256
#define NUM_WAVES	(ITEMS / 32)
#define ROUNDS		8		/* of the loop in breaks.s */
#define DEADLINE_MS	60000

extern struct prog prog;
extern struct gpu_job job;
extern struct adbgd_process *process;
extern struct adbgd_error error;

/* What must give 0, else with the error's words */
#define MUST(call) \
	do { \
		int ret_ = (call); \
		if (ret_) \
			fail_msg("%s: %d, %s", #call, ret_, error.text); \
	} while (0)

/*
 * Attach to this process, which then is @process; @to: another's. On a busy machine the GPU
 * can be slower with page tables than a call waits: that is tried again. 0 or -errno.
 */
int attach(int32_t to);
void detach(void);

/* Address of a name in breaks.s, where the program has it */
uint64_t address_of(const char *name);

/* The job begins; its waves wait until let_go(). */
void start_job(void);
void let_go(void);
/* Until all work-items have begun */
void wait_begun(void);
/* Has it ended? */
bool job_has_ended(void);
/* It has ended, with right results; the code is as it was. */
void finish_job(void);

/* Is the program's code as it was? */
bool is_code_as_before(void);
void assert_code_as_before(void);

/* The next stop, which there must be */
struct adbgd_stop next_stop(void);
/* There is none to be told. */
void assert_no_stop(void);
/* The next one is of a wave at the breakpoint @b, which its own registers say, too. */
struct adbgd_stop stop_at(struct adbgd_breakpoint *b);
/* Such stops of all waves, of each one */
void all_stop_at(struct adbgd_breakpoint *b, struct adbgd_stop stops[NUM_WAVES]);

/* How many waves are halted; until as many are */
unsigned int count_halted(void);
void wait_halted(unsigned int num);

/* A scalar register of a wave that stands still */
uint32_t read_sgpr(const struct amdgpudbg_wave_coord *at, uint32_t number);

/* Tests, by file */
void debugger_killed_at_random(void **state);
void debugger_has_one_process(void **state);
void debugger_out_of_time(void **state);

#endif /* GUEST_DEBUGGER_H */
