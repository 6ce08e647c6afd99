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

/* Hit counters of conditions; twice as many as patches for the same reason */
#define ADBGD_NUM_HIT_COUNTERS	(2 * AMDGPUDBG_PATCH_MAX)

/* Places for the trap handler's code, used in turn */
#define ADBGD_NUM_HANDLERS	2

/* Bytes: as much as a work-group can have of LDS (RDNA 2 ISA, "Local data share") */
#define ADBGD_COMMAND_BUFFER_SIZE	65536

/* Bytes for records of traces: some steps of a large wave, some hundred of a small one */
#define ADBGD_RECORDS_SIZE	(2 << 20)

/* Milliseconds between two polls for waves that raise no event */
#define ADBGD_POLL_MS	20

/*
 * How often a wave in its trap handler is polled. After so many polls it does not leave the
 * handler any more: it is in an endless loop there.
 */
#define ADBGD_MAX_POLLS	1000

/* How many addresses of cleared breakpoints are kept: waves may still stop there */
#define ADBGD_NUM_CLEARED	64

/**
 * struct adbgd_handler_memory - the trap handler in the target's memory
 *
 * There are three buffers: code, with the displaced instructions behind the handlers; memory,
 * with the header, mailboxes, hit counters and the command buffer; and records of traces,
 * allocated when they are first needed.
 *
 * @code_id, @memory_id, @records_id: buffers of the session; 0: not allocated
 * @size: from one handler in the code buffer to the next, in bytes
 * @current: which handler is set, or is set next
 * @was_set: a handler was set since the process was attached to
 * @has_conditions: the handler knows all conditions, and none of a cleared breakpoint
 * @displaced_va: address of the slots for displaced instructions
 * @displaced: what is in each slot; length 0: it was never used
 * @spare_va: address of a dword of the code buffer that has no other use
 * @counters: offset of the hit counters in memory
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
 * @cleared: addresses of the last breakpoints that were cleared, a ring
 * @num_cleared: how many were ever cleared
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

/* Are new waves halted before their first instruction? */
enum adbgd_launch_state {
	ADBGD_LAUNCH_RUN,		/* no */
	ADBGD_LAUNCH_COUNT_JOBS,	/* yes, and resumed while jobs are counted */
	ADBGD_LAUNCH_REPORT_FIRST,	/* yes, and the first one is to be reported */
	ADBGD_LAUNCH_REPORTED,		/* yes, and the first one was reported */
};

/**
 * struct adbgd_launch - new waves, see wave_launch.c
 * @jobs_left: jobs to count; 1: the next one is it
 * @jobs_since: count jobs that began after this time, in ns of CLOCK_MONOTONIC
 * @halted: by mailbox: the wave was halted before it could be a new one, or its stop was
 *	reported; NULL: none
 * @ran: by mailbox: the wave ran before the halt that is being done; NULL: there is none
 */
struct adbgd_launch {
	enum adbgd_launch_state state;
	uint64_t jobs_left, jobs_since;
	bool *halted;
	bool *ran;
};

/**
 * struct adbgd_exec - which program the process executes
 * @proc_fd, @program_fd: of the process and its program; -1: they cannot be opened
 * @owner: user and group of the process when it was attached to
 * @owner_error: 0, or the result of adbgd_process_get_owner()
 */
struct adbgd_exec {
	int proc_fd, program_fd;
	struct adbgd_owner owner;
	int owner_error;
};

struct adbgd_process {
	struct adbgd_process_info info;
	struct adbg_session *session;
	bool owns_session;
	int interrupt_fd;		/* -1: none; see adbgd_process_set_interrupt() */
	struct adbg_wave_list *waves;	/* result of the last adbgd_waves_list() */
	uint32_t va_bits;
	bool lost_events;		/* there may be pending stops without an event */
	bool has_exited;		/* there will be no waves any more */
	struct adbgd_handler_memory handler;
	struct adbgd_breakpoints breakpoints;
	struct adbgd_watchpoints watchpoints;
	struct adbgd_launch launch;
	struct adbgd_exec exec;
	uint32_t last_trace;		/* number of the last trace that a handler recorded */
};

/* --------------------------------------------------------------- target.c */

/**
 * adbgd_failed() - set the error of a failed call of libamdgpudbg, with its text and hint
 * @ret: what the call returned
 * @what: format of a phrase that says what could not be done, and to what
 * Return: @ret.
 */
int adbgd_failed(struct adbgd_process *process, struct adbgd_error *error, int ret,
		 const char *what, ...) __attribute__((format(printf, 4, 5)));

/** adbgd_now_ns() - read CLOCK_MONOTONIC in nanoseconds, as in events */
uint64_t adbgd_now_ns(void);

/** adbgd_now_ms() - read CLOCK_MONOTONIC in milliseconds */
int64_t adbgd_now_ms(void);

/** adbgd_is_interrupted() - test whether the descriptor of set_interrupt() is readable */
bool adbgd_is_interrupted(const struct adbgd_process *process);

/**
 * adbgd_check_mapping() - test whether memory is mapped
 * @flags: set to AMDGPUDBG_MAPPING_* of the first mapping
 * Return: 0; -ENXIO nothing is mapped there; as adbg_vm_mappings().
 */
int adbgd_check_mapping(struct adbgd_process *process, uint64_t address, uint64_t size,
			uint32_t *flags, struct adbgd_error *error);

/** adbgd_process_handler() - get the address of a handler's code, 0 to ADBGD_NUM_HANDLERS - 1 */
uint64_t adbgd_process_handler(const struct adbgd_process *process, uint32_t handler);

/** adbgd_process_mailbox() - get the number of a wave slot's mailbox, or TRAP_NO_MAILBOX */
uint32_t adbgd_process_mailbox(const struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at);

/** adbgd_process_make_records() - allocate the buffer for records, if there is none */
int adbgd_process_make_records(struct adbgd_process *process);

/** adbgd_process_set_handler() - set handler.current as the process's trap handler */
int adbgd_process_set_handler(struct adbgd_process *process, struct adbgd_error *error);

/**
 * adbgd_process_set_launch() - set how new waves start
 * @has_watchpoints: enable the exception of watchpoints in them
 *
 * They start halted or in debug mode, as launch.state and breakpoints.in_debug_mode say.
 */
int adbgd_process_set_launch(struct adbgd_process *process, bool has_watchpoints);

/* -------------------------------------------------------------- process.c */

/** adbgd_open_gpu() - adbg_open() that sets @error */
int adbgd_open_gpu(const char *gpu, struct adbg_session **session, struct adbgd_error *error);

/**
 * adbgd_process_attach_in() - attach in a session that was opened before
 * @session: owned by the process from now on; closed on failure
 */
int adbgd_process_attach_in(struct adbg_session *session, int32_t pid, uint64_t client_id,
			    struct adbgd_process **process, struct adbgd_error *error);

/* ----------------------------------------------------------------- exec.c */

/** adbgd_exec_open() - open the process's program, if the caller may see it */
void adbgd_exec_open(struct adbgd_process *process);
void adbgd_exec_close(struct adbgd_process *process);

/** adbgd_exec_is_seen() - test whether adbgd_exec_poll() can find something */
bool adbgd_exec_is_seen(const struct adbgd_process *process);

/** adbgd_exec_poll() - test whether the process executes another program; then set @stop */
bool adbgd_exec_poll(struct adbgd_process *process, struct adbgd_stop *stop);

#endif /* ADBGD_PROCESS_H */
