/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A process that is debugged: what its parts share.
 *
 * What a wave has been told of is in the wave itself: TTMP1 of one whose handler has
 * halted it says why, until somebody marks that it has gone on (trap_abi.h). A stop that is
 * told is marked, and the wave put where it is in its program. So a wave that is halted
 * and not marked is one whose event is still to be read, and must not be resumed.
 */
#ifndef ADBGD_TARGET_H
#define ADBGD_TARGET_H

#include <stdbool.h>

#include "isa/displace.h"
#include "internal.h"
#include "isa/length.h"

/* Places for copies of instructions: more than patches, so that one rests for a while */
#define ADBGD_NUM_PLACES	(2 * AMDGPUDBG_PATCH_MAX)
#define ADBGD_PLACE_SIZE	(4 * ADBGD_COPY_DWORDS)

/* Likewise points, of conditions; and the trap handler, in turn */
#define ADBGD_NUM_POINTS	(2 * AMDGPUDBG_PATCH_MAX)
#define ADBGD_NUM_HANDLERS	2

/* In info.flags: nobody but until.c knows it, nor its number, which is 0 */
#define ADBGD_BREAKPOINT_STATION	(1U << 31)

struct adbgd_breakpoint {
	struct adbgd_breakpoint_info info;
	struct adbgd_process *process;
	struct adbgd_breakpoint *next;	/* by number */
	uint32_t insn[ADBGD_MAX_DWORDS];	/* what is in the program, from there on */
	uint32_t place;		/* of the copy */
	struct adbgd_condition condition;
	bool has_condition;
	struct adbgd_condition station;	/* a wave that runs to it alone (until.c) */
	bool has_station;
	bool ends_with_stations;	/* it is temporary, and was hit while it was one */
	uint32_t point;		/* of a condition that counts: an offset in the handler's memory */
	bool is_over;		/* a temporary one that could not be taken out yet */
	bool is_out;		/* being cleared: waves that it has stopped are to be resumed */
};

/* It changes no code (match.c): it has no instruction, no place, no copy. */
static inline bool adbgd_is_match(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->info.flags & ADBGD_BREAKPOINT_STEPPED;
}

/* Likewise, and it is not being cleared */
static inline bool adbgd_is_set_match(const struct adbgd_breakpoint *breakpoint)
{
	return adbgd_is_match(breakpoint) && !breakpoint->is_out;
}

/* As much as a group can have of LDS (RDNA 2 ISA, "Local data share") */
#define ADBGD_ARENA_SIZE	65536

/* Room for records of traces: some of a large wave, some hundred of a small one */
#define ADBGD_RECORDS_SIZE	(2 << 20)

/* How long it may take until somebody looks at waves that no event tells of */
#define ADBGD_LOOK_MS	20

/* A wave that is in its handler is out of it soon, or in a loop there for ever. */
#define ADBGD_MAX_LOOKS	1000

/* Addresses of breakpoints that are gone: a wave may still be on its way to be told */
#define ADBGD_NUM_GONE	64

struct adbgd_watchpoint {
	struct adbgd_watchpoint_info info;
	struct adbgd_process *process;
	struct adbgd_watchpoint *next;	/* by number */
	uint32_t id;		/* of the GPU's watch */
};

/* Of waves that begin: do they stand before their first instruction? */
enum adbgd_at_start {
	ADBGD_RUN_AT_START,
	ADBGD_COUNT_AT_START,	/* yes, and they go on as long as there are jobs to be counted */
	ADBGD_TELL_AT_START,	/* yes, and the first one is to be told */
	ADBGD_STAND_AT_START,	/* yes, and it was told */
};

struct adbgd_process {
	struct adbgd_process_info info;
	struct adbg_session *session;
	bool owns_session;
	int interrupt_fd;		/* -1: none; see adbgd_process_set_interrupt() */
	struct adbg_wave_list *waves;	/* of whoever has listed last */
	struct adbgd_breakpoint *breakpoints;
	struct adbgd_watchpoint *watchpoints;
	uint32_t last_number, last_watchpoint;
	uint64_t gone[ADBGD_NUM_GONE];
	uint32_t num_gone;		/* ever */
	uint32_t va_bits;
	bool had_handler;
	bool lost_events;	/* there may be waves that nobody tells of */
	bool is_gone;		/* there will be none any more */
	enum adbgd_at_start at_start;
	uint64_t jobs_left, jobs_since;	/* to be counted, 1: the next; of those that begin then */
	bool *stands;		/* by box: for another reason than that it begins; NULL: none */
	bool *ran;		/* by box: before a halt that is under way; NULL: there is none */
	int proc_fd, program_fd;	/* of the program that it executes; -1: cannot be seen */
	struct adbgd_owner owner;	/* of the process at attach */
	int owner_error;		/* 0, or what adbgd_process_get_owner() gives */
	uint32_t code_id, memory_id, records_id; /* buffers in the target: 0 is none */
	uint64_t code_va, memory_va, records_va;
	uint64_t code_size, memory_size;
	uint64_t handler_size;		/* from one handler in code to the next */
	uint32_t handler;		/* the one that is set, or is to be */
	bool is_decided;		/* it knows all conditions, and none that is gone */
	bool debugs_all;		/* waves are in debug mode, and begin in it */
	uint64_t places;		/* address of the copies, within code */
	struct adbgd_copy copies[ADBGD_NUM_PLACES];	/* what is there; length 0: nothing was */
	uint64_t spare;			/* of a dword there that is nobody's */
	uint64_t points;		/* offset of the points, within memory */
	uint64_t arena;			/* likewise of what commands bring and take */
	uint32_t header[32];		/* what memory begins with */
	uint32_t next_place, next_point;
	uint32_t last_trace;		/* each that a handler records has a number */
};

/* --------------------------------------------------------------- target.c */

/**
 * adbgd_failed() - adbgd_fail() for a call of libamdgpudbg, with its words
 * @what: what could not be done, and to what
 */
int adbgd_failed(struct adbgd_process *process, struct adbgd_error *error, int ret,
		 const char *what, ...) __attribute__((format(printf, 4, 5)));

/** adbgd_now_ns() - nanoseconds of CLOCK_MONOTONIC, as events have them */
uint64_t adbgd_now_ns(void);

/** adbgd_now_ms() - milliseconds of it */
int64_t adbgd_now_ms(void);

/** adbgd_is_interrupted() - can that be read which interrupts? */
bool adbgd_is_interrupted(const struct adbgd_process *process);

/** adbgd_check_mapping() - is something mapped there? @flags: AMDGPUDBG_MAPPING_* of the first */
int adbgd_check_mapping(struct adbgd_process *process, uint64_t address, uint64_t size,
			uint32_t *flags, struct adbgd_error *error);

/** adbgd_process_handler() - address of a handler's code, from 0 */
uint64_t adbgd_process_handler(const struct adbgd_process *process, uint32_t handler);

/** adbgd_process_box() - number of the mailbox of a slot's waves */
uint32_t adbgd_process_box(const struct adbgd_process *process,
			   const struct amdgpudbg_wave_coord *at);

/** adbgd_process_make_records() - room for records of traces, if there is none; 0 or -errno */
int adbgd_process_make_records(struct adbgd_process *process);

/** adbgd_process_set_handler() - also if there is one; 0 or -errno */
int adbgd_process_set_handler(struct adbgd_process *process, struct adbgd_error *error);

/** adbgd_process_set_launch() - of waves that begin: what watchpoints, at_start, matches want */
int adbgd_process_set_launch(struct adbgd_process *process, bool has_watchpoints);

/* -------------------------------------------------------------- process.c */

/** adbgd_open_gpu() - adbg_open(), with words */
int adbgd_open_gpu(const char *gpu, struct adbg_session **session, struct adbgd_error *error);

/** adbgd_process_attach_in() - as adbgd_process_attach(); @session is its own, or closed */
int adbgd_process_attach_in(struct adbg_session *session, int32_t pid, uint64_t client_id,
			    struct adbgd_process **process, struct adbgd_error *error);

/* ----------------------------------------------------------------- wave.c */

/** adbgd_waves_list() - list the process's waves, or the one at @at; 0 or -errno */
int adbgd_waves_list(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     struct adbgd_error *error);

/** adbgd_field() - a field of a hardware register of a listed wave; 0: it has none */
uint32_t adbgd_field(const struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		     const char *reg_name, const char *field_name);

/** adbgd_wave_is_untold() - has its handler halted it, and nobody was told? */
bool adbgd_wave_is_untold(const struct adbgd_process *process,
			  const struct amdgpudbg_wave *wave);

/** adbgd_wave_why() - how it came into its handler, if it is untold */
bool adbgd_wave_why(const struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		    struct adbg_trap *trap);

/** adbgd_wave_is_settled() - not in its handler; if it is halted, it can be looked at */
bool adbgd_wave_is_settled(const struct amdgpudbg_wave *wave);

/* What a listed wave may be; some always are in their handler, where a condition fails often. */
typedef bool adbgd_wave_test(const struct adbgd_process *process,
			     const struct amdgpudbg_wave *wave);

/** adbgd_wave_is_unsettled() - the contrary of adbgd_wave_is_settled() */
adbgd_wave_test adbgd_wave_is_unsettled;

/** adbgd_wave_is_halting() - is it halted, but still in its handler? */
adbgd_wave_test adbgd_wave_is_halting;

/** adbgd_wave_is_stopping() - may its handler have told already that it stops? */
adbgd_wave_test adbgd_wave_is_stopping;

/** adbgd_waves_have() - is there such a wave among those that were listed? */
bool adbgd_waves_have(const struct adbgd_process *process, adbgd_wave_test *test);

/** adbgd_waves_list_without() - list waves, when there is no such one any more, or in vain */
int adbgd_waves_list_without(struct adbgd_process *process, adbgd_wave_test *test,
			     struct adbgd_error *error);

/**
 * adbgd_wave_settle() - look at a wave until it has left its handler
 * @wave: set to it, as it was seen last; NULL: there is none in the slot any more
 * Return: 0 or -errno; -EAGAIN it does not leave it.
 */
int adbgd_wave_settle(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      const struct amdgpudbg_wave **wave, struct adbgd_error *error);

/** adbgd_wave_is_gone() - it was another wave's slot meanwhile, or somebody has let it go */
static inline bool adbgd_wave_is_gone(int ret)
{
	return ret == -ESTALE || ret == -ENODATA;
}

/** adbgd_wave_resume_op() - adbgd_wave_resume() as an operation, for a batch */
struct amdgpudbg_wave_control adbgd_wave_resume_op(const struct amdgpudbg_wave *wave);

/** adbgd_wave_resume() - let a wave go on that is still where @wave says */
int adbgd_wave_resume(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/**
 * adbgd_waves_resume() - do operations in calls that are as few as can be
 * @first: set to what the first one has given that has failed, unless it is set already or
 *	its wave is gone
 * Return: 0; -errno of a call, and the rest was not done.
 */
int adbgd_waves_resume(struct adbgd_process *process, struct amdgpudbg_batch_op *ops, int num,
		       int *first);

/** adbgd_wave_has_handler() - did it start with the debugger's trap handler? */
bool adbgd_wave_has_handler(const struct adbgd_process *process,
			    const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_put() - put a halted wave somewhere, and mark that it is told
 * @wave: as it must be still: PC, TTMP0 and TTMP1, else -ESTALE; changed likewise
 */
int adbgd_wave_put(struct adbgd_process *process, struct amdgpudbg_wave *wave, uint64_t pc);

/** adbgd_wave_move() - the same without the mark, which the module sets when it is resumed */
int adbgd_wave_move(struct adbgd_process *process, struct amdgpudbg_wave *wave, uint64_t pc);

/** adbgd_wave_put_ttmp() - adbgd_wave_put(), but it stays there; @ttmp: its TTMP0 and TTMP1 */
int adbgd_wave_put_ttmp(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			const uint32_t *ttmp);

/* ----------------------------------------------------------------- copy.c */

/** adbgd_process_place() - address of a place for a copy, from 0 */
uint64_t adbgd_process_place(const struct adbgd_process *process, uint32_t place);

/** adbgd_breakpoint_copy() - address of its copy */
uint64_t adbgd_breakpoint_copy(const struct adbgd_breakpoint *breakpoint);

/** adbgd_copy_put() - take a place for a copy, which is not written there yet; 0 or a sentence */
int adbgd_copy_put(struct adbgd_process *process, const struct adbgd_copy *copy, uint32_t *place,
		   struct adbgd_error *error);

/** adbgd_copy_around() - the copy that @pc is in, which @in_program is then; NULL: it is in none */
const struct adbgd_copy *adbgd_copy_around(const struct adbgd_process *process, uint64_t pc,
					   uint64_t *in_program);

/** adbgd_is_in_copied() - is it in a copy, among what stands for the instruction? */
bool adbgd_is_in_copied(const struct adbgd_process *process, uint64_t pc);

/** adbgd_is_in_same_copied() - is it, and @other among what stands for the same instruction? */
bool adbgd_is_in_same_copied(const struct adbgd_process *process, uint64_t pc, uint64_t other);

/**
 * adbgd_copy_check() - compare the copy that @pc is in with what was written there
 *
 * Waves of the target can write to the buffer of the copies. This finds a copy that was changed
 * before a wave is stepped through it; a change by another wave during the step makes the step do
 * something else, but never makes it endless.
 *
 * Return: 0, also if @pc is in no copy; -EBADMSG it was changed; -errno it cannot be read.
 */
int adbgd_copy_check(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error);

/* -------------------------------------------------------------- patched.c */

/** adbgd_patch() - what is in the place of the instruction */
uint32_t adbgd_patch(void);

/** adbgd_is_patched() - is that in memory? Where it cannot be read, waves may still run it. */
bool adbgd_is_patched(struct adbgd_process *process, uint64_t address);

/* ------------------------------------------------------------ exception.c */

/* Bits of MODE.EXCP_EN and TRAPSTS.EXCP, as the registers of gfx10.3 name them */
#define ADBGD_EXCP_WATCH	(1U << 7)
#define ADBGD_EXCP_MEM_VIOL	(1U << 8)

/**
 * adbgd_wave_trapped_for() - bits of TRAPSTS that make it trap: exceptions that are enabled, and
 * what always does
 */
uint32_t adbgd_wave_trapped_for(const struct adbgd_process *process,
				const struct amdgpudbg_wave *wave);

/** adbgd_wave_cause() - AMDGPUDBG_CAUSE_* of the exceptions that it has trapped for */
uint64_t adbgd_wave_cause(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_clear_exceptions() - before a wave that is told is put elsewhere
 *
 * One that has stopped for an exception would have it again before its next instruction:
 * trap/stop.S clears it only when the wave is resumed in the same place.
 */
int adbgd_wave_clear_exceptions(struct adbgd_process *process,
				const struct amdgpudbg_wave *wave);

/** adbgd_wave_watches() - the GPU's watches that it has trapped for, as bits */
uint32_t adbgd_wave_watches(const struct adbgd_process *process,
			    const struct amdgpudbg_wave *wave);

/* ----------------------------------------------------------------- wait.c */

/* The wave's work-group, as the hardware tells its handler (emit_gfx10_3.c) */
#define ADBGD_TTMP_GROUP	8
#define ADBGD_NUM_TTMP_GROUP	3

/* What has become of a wave that was let go on; or -errno */
enum adbgd_wave_now {
	ADBGD_WAVE_STOPPED,	/* by its handler; nobody was told */
	ADBGD_WAVE_ENDED,
	ADBGD_WAVE_LATE,	/* neither, in time, or until it was interrupted */
};

/* Is it time to give up? 0, 1, or -errno with a sentence */
typedef int adbgd_wave_late(void *arg, struct adbgd_error *error);

/**
 * adbgd_wave_wait() - until it stops, or ends
 * @before: as it was when it was let go on
 * @is_late: is asked between two looks
 * @now: set to it, if it has stopped
 */
int adbgd_wave_wait(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    adbgd_wave_late *is_late, void *arg, struct amdgpudbg_wave *now,
		    struct adbgd_error *error);

/** adbgd_wave_halt() - where it is; @now: set to it, if it has stopped or is late */
int adbgd_wave_halt(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    struct amdgpudbg_wave *now, struct adbgd_error *error);

/* ----------------------------------------------------------------- site.c */

/** adbgd_site_read() - an instruction's dwords, or more; how many there are, or -errno */
int adbgd_site_read(struct adbgd_process *process, uint64_t address,
		    uint32_t insn[ADBGD_MAX_DWORDS], struct adbgd_error *error);

/**
 * adbgd_site_look() - is an instruction there, that waves may run?
 * @memory: the process's, without breakpoints
 * Return: how many dwords it has, or -errno.
 */
int adbgd_site_look(struct adbgd_process *process, const struct adbgd_memory *memory,
		    uint64_t address, uint32_t insn[ADBGD_MAX_DWORDS],
		    struct adbgd_error *error);

/* ---------------------------------------------------------------- match.c */

/** adbgd_match_tag() - what its handler leaves in TTMP13 of a wave that stops for it */
uint32_t adbgd_match_tag(const struct adbgd_breakpoint *breakpoint);

/** adbgd_matches_have() - are there any? */
bool adbgd_matches_have(const struct adbgd_process *process);

/**
 * adbgd_match_at() - one that is set, for that address or what is there; NULL: none
 *
 * One without a condition, if there is one.
 */
struct adbgd_breakpoint *adbgd_match_at(struct adbgd_process *process, uint64_t address);

/**
 * adbgd_match_by() - the one that a step has stopped a wave for
 * @tag: TTMP13; set: is it one of a match, which may be gone
 * Return: NULL: none, or it is gone
 */
struct adbgd_breakpoint *adbgd_match_by(const struct adbgd_process *process, uint32_t tag,
					bool *set);

/** adbgd_matches_begin() - waves are in debug mode from now on; 0, or a sentence */
int adbgd_matches_begin(struct adbgd_process *process, struct adbgd_error *error);

/** adbgd_matches_end() - unless there are others, they are not any more */
void adbgd_matches_end(struct adbgd_process *process);

/** adbgd_matches_lost() - they are not, nor will be those that begin */
void adbgd_matches_lost(struct adbgd_process *process);

/** adbgd_matches_resume() - before a halted wave goes on, it is in debug mode; 0 or -errno */
int adbgd_matches_resume(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/** adbgd_matches_step() - before the host steps one, it is not; 0 or -errno */
int adbgd_matches_step(struct adbgd_process *process, const struct amdgpudbg_wave *wave);

/* ------------------------------------------------------------------ run.c */

/** adbgd_wave_can_go_on() - is it halted, and nothing is to be told of it? */
adbgd_wave_test adbgd_wave_can_go_on;

/* ---------------------------------------------------------------- blame.c */

/** adbgd_blame() - @stop's insn; all else of it is set, but for a breakpoint */
uint64_t adbgd_blame(struct adbgd_process *process, const struct adbg_trap *trap,
		     const struct adbgd_stop *stop);

/* ---------------------------------------------------------------- start.c */

/** adbgd_wave_is_starting() - does it stand where it begins, and is still to be told or let go? */
adbgd_wave_test adbgd_wave_is_starting;

/** adbgd_start_stands() - a wave was told of: so it stands for another reason */
void adbgd_start_stands(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at);

/** adbgd_start_left() - its slot may be another's next */
void adbgd_start_left(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at);

/** adbgd_start_job() - AMDGPUDBG_EVENT_JOB_BEGIN has come */
void adbgd_start_job(struct adbgd_process *process, const struct amdgpudbg_event *event);

/** adbgd_start_lost() - events were lost */
void adbgd_start_lost(struct adbgd_process *process);

/**
 * adbgd_start_look() - tell of a wave that begins, or let those go that are not to stand
 *
 * All waves were listed just now.
 *
 * Return: 0; -EAGAIN there is nothing to tell; or a sentence.
 */
int adbgd_start_look(struct adbgd_process *process, struct adbgd_stop *stop,
		     struct adbgd_error *error);

/** adbgd_start_timeout() - in how many milliseconds that should be done; -1: not at all */
int adbgd_start_timeout(const struct adbgd_process *process);

/* ----------------------------------------------------------------- exec.c */

/** adbgd_exec_open() - of a process, which it may be that nobody may look at so */
void adbgd_exec_open(struct adbgd_process *process);
void adbgd_exec_close(struct adbgd_process *process);

/** adbgd_exec_is_seen() - is it to be looked at now and then? */
bool adbgd_exec_is_seen(const struct adbgd_process *process);

/** adbgd_exec_look() - does it execute another program than before? Then @stop is set. */
bool adbgd_exec_look(struct adbgd_process *process, struct adbgd_stop *stop);

/* ------------------------------------------------------------ condition.c */

/**
 * adbgd_condition_take() - give a condition to a breakpoint that is in no list yet
 * @condition: NULL: none
 */
int adbgd_condition_take(struct adbgd_breakpoint *breakpoint,
			 const struct adbgd_condition *condition, struct adbgd_error *error);

/**
 * adbgd_process_decide() - have the trap handler decide by the breakpoints' conditions
 *
 * Nothing is done if it does so already. Before a patch is set that it has to know.
 *
 * Return: 0; -ENOSPC, -EAGAIN, and as adbg_trap_handler_set(), and it decides as before.
 */
int adbgd_process_decide(struct adbgd_process *process, struct adbgd_error *error);

/** adbgd_process_renew() - list waves, when each has left the handler in which it was */
int adbgd_process_renew(struct adbgd_process *process, struct adbgd_error *error);

/* -------------------------------------------------------------- command.c */

/** adbgd_command_check() - can it be given a command? 0, or a sentence */
int adbgd_command_check(struct adbgd_process *process, const struct amdgpudbg_wave *wave,
			struct adbgd_error *error);

/**
 * adbgd_command() - have a halted wave's trap handler do something, and wait for it
 * @wave: as adbgd_wave_find() gives it
 * @op: TRAP_OP_*
 * @address: in LDS, of the arena's first dword
 * @count: as TRAP_HDR_COUNT
 * Return: 0 or -errno, for adbgd_command_failed()
 */
int adbgd_command(struct adbgd_process *process, const struct amdgpudbg_wave *wave, uint32_t op,
		  uint32_t address, uint32_t count);

/** adbgd_command_failed() - that in words */
int adbgd_command_failed(struct adbgd_process *process, struct adbgd_error *error, int ret,
			 const struct amdgpudbg_wave_coord *at);

/* ----------------------------------------------------------- breakpoint.c */

/** adbgd_breakpoint_for() - the one for an address, which may be pending; NULL: none */
struct adbgd_breakpoint *adbgd_breakpoint_for(const struct adbgd_process *process,
					      uint64_t address);

/** adbgd_breakpoint_at() - the one at an address that is set; NULL: none */
struct adbgd_breakpoint *adbgd_breakpoint_at(const struct adbgd_process *process,
					     uint64_t address);

/**
 * adbgd_breakpoint_under() - the same for a wave that is to go on from there
 *
 * What was put there may have gone with the code that it was in, and other code be there:
 * then the breakpoint is pending from now on, and not the wave's business.
 */
struct adbgd_breakpoint *adbgd_breakpoint_under(struct adbgd_process *process,
						uint64_t address);

/**
 * adbgd_breakpoints_arm() - set those that are pending, as far as that can be
 * @wanted: NULL, or the one whose failure is the call's; all others stay pending
 *
 * Return: 0; -errno nothing could be done at all; what @wanted gives.
 */
int adbgd_breakpoints_arm(struct adbgd_process *process,
			  const struct adbgd_breakpoint *wanted, struct adbgd_error *error);

/** adbgd_canonical() - an address as waves have it: with its sign in all bits above */
uint64_t adbgd_canonical(const struct adbgd_process *process, uint64_t address);

/** adbgd_breakpoint_add() - as adbgd_breakpoint_set_if(), also with _STATION in @flags */
int adbgd_breakpoint_add(struct adbgd_process *process, uint64_t address, uint32_t flags,
			 const struct adbgd_condition *condition,
			 struct adbgd_breakpoint **breakpoint, struct adbgd_error *error);

/** adbgd_breakpoint_pass_on() - a halted wave goes on at @pc, as if it had not stopped there */
int adbgd_breakpoint_pass_on(struct adbgd_process *process, struct amdgpudbg_wave *wave,
			     uint64_t pc);

/** adbgd_breakpoint_is_over() - clear it, or later if it cannot be done now */
void adbgd_breakpoint_is_over(struct adbgd_breakpoint *breakpoint);

/** adbgd_breakpoint_was_at() - was one there that is gone, and is no s_trap there now? */
bool adbgd_breakpoint_was_at(struct adbgd_process *process, uint64_t address);

/** adbgd_breakpoints_pending() - are there any? */
bool adbgd_breakpoints_pending(const struct adbgd_process *process);

/** adbgd_breakpoints_lost() - all are pending: patches have gone, or go now */
void adbgd_breakpoints_lost(struct adbgd_process *process);

/** adbgd_breakpoints_look() - those whose code is another by now are pending */
void adbgd_breakpoints_look(struct adbgd_process *process);

/** adbgd_breakpoints_free() - forget them; their patches go with the session */
void adbgd_breakpoints_free(struct adbgd_process *process);

/* ---------------------------------------------------------------- watch.c */

/** adbgd_watchpoints_hit() - say which one it is, by @watch_mask, and count it */
void adbgd_watchpoints_hit(struct adbgd_process *process, struct adbgd_stop *stop);

/** adbgd_watchpoints_lost() - no wave stops at them any more */
void adbgd_watchpoints_lost(struct adbgd_process *process);

/** adbgd_watchpoints_clear() - all; in a session that goes on */
void adbgd_watchpoints_clear(struct adbgd_process *process);

/** adbgd_watchpoints_free() - forget them; the GPU's watches go with the session */
void adbgd_watchpoints_free(struct adbgd_process *process);

/* ------------------------------------------------------------ run.c, stop.c */

/** adbgd_wave_find() - the wave, if it is halted and was told of; else a sentence */
int adbgd_wave_find(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    struct amdgpudbg_wave *wave, struct adbgd_error *error);

/** adbgd_wave_leave() - from a breakpoint into the copy, before it is resumed */
int adbgd_wave_leave(struct adbgd_process *process, struct amdgpudbg_wave *wave);

/** adbgd_wave_tell() - of one for which adbgd_wave_why() is true; -EAGAIN: nothing to tell */
int adbgd_wave_tell(struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		    struct adbgd_stop *stop);

#endif /* ADBGD_TARGET_H */
