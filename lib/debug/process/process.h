/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of an attached process, and what process.c, target.c and exec.c do with it.
 *
 * Whether a wave's stop was reported is stored in the wave itself. If the trap handler halted
 * the wave, TTMP1 says why, and the bit TRAP_TTMP1_RESUMED_BIT says whether the stop was
 * reported (trap_abi.h). Reporting a stop sets this bit and moves the wave to its place in the
 * program. So a halted wave without the bit has a pending stop: its event was not read yet,
 * and it must not be resumed.
 */
#ifndef ADBGD_PROCESS_H
#define ADBGD_PROCESS_H

#include <stdbool.h>

#include "internal.h"
#include "isa/displace.h"

/*
 * Slots for displaced instructions. There are more than patches, so that a slot is not used
 * again at once: a wave may still be in it.
 */
#define ADBGD_NUM_DISPLACED	(2 * AMDGPUDBG_PATCH_MAX)
#define ADBGD_DISPLACED_SIZE	(4 * ADBGD_DISPLACED_DWORDS)

/* Maximum number of hit counters of conditions; twice as many as patches, for the same reason */
#define ADBGD_NUM_HIT_COUNTERS	(2 * AMDGPUDBG_PATCH_MAX)

/* Places for the trap handler's code, used in turn: one may be written while waves use the other */
#define ADBGD_NUM_HANDLERS	2

/* In bytes: the largest LDS of a work-group (RDNA 2 ISA, "Local data share") */
#define ADBGD_COMMAND_BUFFER_SIZE	65536

/* In bytes, for records of traces: some steps of a large wave, hundreds of steps of a small one */
#define ADBGD_RECORDS_SIZE	(2 << 20)

/* Milliseconds between two polls for waves that raise no event */
#define ADBGD_POLL_MS	20

/*
 * A wave that is still in its trap handler after this number of polls is assumed to be in an
 * endless loop there.
 */
#define ADBGD_MAX_POLLS	1000

/* Number of cleared breakpoints whose addresses are kept, because waves may still stop there */
#define ADBGD_NUM_CLEARED	64

/**
 * struct adbgd_handler_memory - the trap handler in the target's memory
 *
 * There are three buffers: code, with the displaced instructions behind the handlers; memory,
 * with the header, mailboxes, hit counters and the command buffer; and records of traces, which
 * is allocated when it is first needed.
 *
 * @code_id, @memory_id, @records_id: buffers of the session; 0: not allocated
 * @size: distance of two handlers in the code buffer, in bytes
 * @current: index of the handler that is set, or that is set next
 * @was_set: a handler was set since the attach
 * @has_conditions: the current handler has exactly the conditions of the present breakpoints
 * @displaced_va: address of the slots for displaced instructions
 * @displaced: content of each slot; length 0: the slot was never used
 * @next_displaced: the slot at which the search for a free one starts
 * @spare_va: address of a dword of the code buffer that has no other use
 * @counters: offset of the hit counters in memory
 * @next_counter: the hit counter at which the search for a free one starts
 * @command_buffer: offset in memory of the data that commands read and write
 * @header: the first words of memory (TRAP_HDR_*)
 */
struct adbgd_handler_memory {
	uint32_t code_id, memory_id, records_id;
	uint64_t code_va, memory_va, records_va;
	uint64_t code_size, memory_size;
	uint64_t size;
	uint32_t current;
	bool was_set;
	bool has_conditions;
	uint64_t displaced_va;
	struct adbgd_displaced displaced[ADBGD_NUM_DISPLACED];
	uint32_t next_displaced;
	uint64_t spare_va;
	uint64_t counters;
	uint32_t next_counter;
	uint64_t command_buffer;
	uint32_t header[32];
};

/**
 * struct adbgd_breakpoints - the breakpoints of a process
 * @first: list, in the order of numbers
 * @last_number: the highest number that was used
 * @cleared: ring with the addresses of the breakpoints that were cleared last
 * @num_cleared: number of breakpoints that were cleared since the attach
 * @in_debug_mode: all waves are in debug mode, for breakpoints by stepping
 */
struct adbgd_breakpoints {
	struct adbgd_breakpoint *first;
	uint32_t last_number;
	uint64_t cleared[ADBGD_NUM_CLEARED];
	uint32_t num_cleared;
	bool in_debug_mode;
};

struct adbgd_watchpoints {
	struct adbgd_watchpoint *first;
	uint32_t last_number;
};

/* Whether new waves are halted before their first instruction */
enum adbgd_launch_state {
	ADBGD_LAUNCH_RUN,		/* no */
	ADBGD_LAUNCH_COUNT_JOBS,	/* yes, and resumed while jobs are counted */
	ADBGD_LAUNCH_REPORT_FIRST,	/* yes, and the first one is to be reported */
	ADBGD_LAUNCH_REPORTED,		/* yes, and the first one was reported */
};

/* Different PCs of new waves that are looked at in one poll; others follow in the next one */
#define ADBGD_NUM_LOOKED_AT	64

/** struct adbgd_slot_set - a set of wave slots; @bits: one per mailbox; NULL: it was not made */
struct adbgd_slot_set {
	uint64_t *bits;
};

/**
 * struct adbgd_launch - new waves, see wave_launch.c
 * @jobs_left: number of jobs that are still to begin; 1: the next one is the awaited job
 * @jobs_since: count jobs that begin after this time, in ns of CLOCK_MONOTONIC
 * @halted: slots whose wave is not a new one, because it was halted before new waves were
 *	awaited, or its stop was reported; not made if new waves were never awaited
 * @ran: slots whose wave was running before the halt in progress; not made if no halt is in
 *	progress
 * @look: looks at new waves, which are halted for it in each state; NULL: nothing does
 * @is_look_ending: new waves are no longer halted for @look
 * @is_lost: new waves are not halted for @look, until the handler is set again after a loss
 * @looks_often_until: time in ns of CLOCK_MONOTONIC until which waves of a job may be starting
 * @looked_at: PCs that @look was shown in this poll
 */
struct adbgd_launch {
	enum adbgd_launch_state state;
	uint64_t jobs_left, jobs_since;
	struct adbgd_slot_set halted;
	struct adbgd_slot_set ran;
	void (*look)(void *data, uint64_t pc);
	void *look_data;
	bool is_look_ending;
	bool is_lost;
	uint64_t looks_often_until;
	uint64_t looked_at[ADBGD_NUM_LOOKED_AT];
	uint32_t num_looked_at;
};

/**
 * struct adbgd_exec - which program the process executes
 * @proc_fd: directory /proc/PID; -1: it cannot be opened
 * @program_fd: /proc/PID/mem, as opened for the current program; -1: it cannot be opened
 * @owner: user and group of the process at the attach
 * @owner_error: 0, or the error that adbgd_process_get_credentials() returns
 */
struct adbgd_exec {
	int proc_fd, program_fd;
	struct adbgd_owner owner;
	int owner_error;
};

struct adbgd_run;	/* runs.h */

/**
 * struct adbgd_poll_fd - the descriptor of adbgd_process_get_fd(), see poll_fd.c
 * @epoll_fd: becomes readable with the session's events and with @timer_fd
 * @period_ms: with what period the timer expires; -1: never
 * @is_open: the descriptors are open
 */
struct adbgd_poll_fd {
	int epoll_fd, timer_fd;
	int period_ms;
	bool is_open;
};

struct adbgd_process {
	struct adbgd_process_info info;
	struct adbg_session *session;
	bool owns_session;
	int interrupt_fd;		/* -1: none; see adbgd_process_set_interrupt() */
	struct adbg_wave_list *waves;	/* result of the last adbgd_waves_list() */
	uint32_t va_bits;
	bool lost_events;		/* some stops may be pending without an event */
	bool has_exited;		/* the process has no waves any more */
	struct adbgd_handler_memory handler;
	struct adbgd_breakpoints breakpoints;
	struct adbgd_watchpoints watchpoints;
	struct adbgd_launch launch;
	struct adbgd_exec exec;
	struct adbgd_run *runs;		/* those in progress */
	uint32_t last_operation;	/* the highest number that was used */
	struct adbgd_error operation_error;	/* why the last operation has failed */
	bool reports_breakpoints;	/* see adbgd_process_report_breakpoints() */
	struct adbgd_poll_fd poll_fd;
	uint32_t last_trace;		/* number of the last trace that a trap handler recorded */
	/* For conditions that the host decides, see host_test.c */
	struct adbgd_code *(*find_code)(void *data, uint64_t address);	/* NULL: no callback */
	void *find_code_data;
	const struct adbgd_value_names *value_names;	/* NULL: conditions can name none */
	struct adbgd_error condition_error;	/* of the last stop with ADBGD_STOP_UNDECIDED */
	struct adbgd_slot_set evaluated;	/* see adbgd_stops_pass_others() */
	uint64_t next_pass;		/* time of its next look at the waves, in ns */
	size_t pass_from;		/* number in the list of waves from which it begins */
	uint64_t *kept;			/* ids, see adbgd_process_keep_halted() */
	size_t num_kept;
	uint64_t polled;		/* time of the last poll for stops without event, in ns */
};

/* Test whether new waves are to start halted. */
static inline bool adbgd_launch_halts(const struct adbgd_process *process)
{
	const struct adbgd_launch *launch = &process->launch;

	return launch->state ||
	       (launch->look && !launch->is_look_ending && !launch->is_lost);
}

/* --------------------------------------------------------------- target.c */

/**
 * adbgd_failed() - set the error of a failed call of libamdgpudbg, with its text and hint
 * @ret: what the call returned
 * @what: format of a phrase that says what could not be done, and to which object
 *
 * Return: @ret.
 */
int adbgd_failed(struct adbgd_process *process, struct adbgd_error *error, int ret,
		 const char *what, ...) __attribute__((format(printf, 4, 5)));

/** adbgd_now_ns() - read CLOCK_MONOTONIC in nanoseconds, as in events */
uint64_t adbgd_now_ns(void);

/** adbgd_now_ms() - read CLOCK_MONOTONIC in milliseconds */
int64_t adbgd_now_ms(void);

/**
 * adbgd_is_interrupted() - test whether the descriptor of adbgd_process_set_interrupt() is
 * readable
 */
bool adbgd_is_interrupted(const struct adbgd_process *process);

/**
 * adbgd_check_mapping() - test whether an address range is mapped
 * @flags: set to AMDGPUDBG_MAPPING_* of the first mapping
 *
 * Return: 0; -ENXIO nothing is mapped there; or an error of adbg_vm_mappings().
 */
int adbgd_check_mapping(struct adbgd_process *process, uint64_t address, uint64_t size,
			uint32_t *flags, struct adbgd_error *error);

/** adbgd_process_handler() - get the address of a handler's code, 0 to ADBGD_NUM_HANDLERS - 1 */
uint64_t adbgd_process_handler(const struct adbgd_process *process, uint32_t handler);

/** adbgd_process_mailbox() - get the number of a wave slot's mailbox, or TRAP_NO_MAILBOX */
uint32_t adbgd_process_mailbox(const struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at);

/** adbgd_process_make_records() - allocate the buffer for records of traces, if there is none */
int adbgd_process_make_records(struct adbgd_process *process);

/** adbgd_process_set_handler() - set the handler with index handler.current for the process */
int adbgd_process_set_handler(struct adbgd_process *process, struct adbgd_error *error);

/**
 * adbgd_process_set_launch() - set how new waves start
 * @has_watchpoints: enable the exception of watchpoints in new waves
 *
 * New waves start halted or in debug mode as launch.state and breakpoints.in_debug_mode require.
 */
int adbgd_process_set_launch(struct adbgd_process *process, bool has_watchpoints);

/* -------------------------------------------------------------- process.c */

/** adbgd_open_gpu() - open a GPU as adbg_open() does, and set @error on failure */
int adbgd_open_gpu(const char *gpu, struct adbg_session **session, struct adbgd_error *error);

/**
 * adbgd_process_attach_in() - attach to a process in a session that was opened before
 * @session: belongs to the process from now on; on failure it is closed
 */
int adbgd_process_attach_in(struct adbg_session *session, int32_t pid, uint64_t client_id,
			    struct adbgd_process **process, struct adbgd_error *error);

/* ----------------------------------------------------------------- exec.c */

/**
 * adbgd_exec_open() - open the files that show which program the process executes
 *
 * Files that the caller may not open are left out.
 */
void adbgd_exec_open(struct adbgd_process *process);
void adbgd_exec_close(struct adbgd_process *process);

/** adbgd_exec_is_seen() - test whether adbgd_exec_poll() can detect another program */
bool adbgd_exec_is_seen(const struct adbgd_process *process);

/** adbgd_exec_poll() - test whether the process executes another program; if so, set @stop */
bool adbgd_exec_poll(struct adbgd_process *process, struct adbgd_stop *stop);

#endif /* ADBGD_PROCESS_H */
