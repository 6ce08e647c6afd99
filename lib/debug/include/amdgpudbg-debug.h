/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: a debugger library on top of libamdgpudbg. This header declares
 * processes and their waves, watchpoints and traces. It includes amdgpudbg-debug-breakpoint.h,
 * which declares breakpoints, amdgpudbg-debug-async.h, which declares operations for event loops,
 * and amdgpudbg-debug-code.h, which declares code objects, and has the rules for all functions of
 * the library. Each function has a man page; start with libamdgpudbg-debug(3).
 */
#ifndef AMDGPUDBG_DEBUG_H
#define AMDGPUDBG_DEBUG_H

#include <amdgpudbg-debug-async.h>
#include <amdgpudbg-debug-backtrace.h>
#include <amdgpudbg-debug-breakpoint.h>
#include <amdgpudbg-debug-code.h>
#include <amdgpudbg-debug-condition.h>
#include <amdgpudbg-debug-name.h>

#ifdef __cplusplus
extern "C" {
#endif

struct adbgd_program;		/* a program that was started, until its first job */
struct adbgd_process;		/* an attached process and its waves */
struct adbgd_watchpoint;	/* stops waves after they access memory */
struct adbgd_trace;		/* registers of a wave, instruction by instruction */

/* ------------------------------------------------------------------------ programs */

/* stdin is /dev/null, and the program has its own process group: no Ctrl-C reaches it */
#define ADBGD_PROGRAM_BACKGROUND	(1U << 0)
#define ADBGD_PROGRAM_STOP_AT_START	(1U << 1)	/* only for adbgd_process_start() */

/**
 * adbgd_program_start() - start a program under ptrace(2), to be debugged from its first job on
 * @argv: the file, looked up in PATH if it has no slash, and the arguments; ends with NULL
 * @envp: the environment, ends with NULL; NULL: that of the caller
 * @flags: ADBGD_PROGRAM_BACKGROUND, or 0
 * @program: set to the program; free it with adbgd_program_release()
 *
 * The program and all its children are traced until adbgd_program_release(), which makes their
 * system calls slower. The program is a child of the caller, who must call waitpid(2) for it.
 * Until the release there is one more child, the tracer; do not wait for that one. If the calling
 * thread ends or the caller dies, the program is released.
 *
 * Return: 0, or
 * -EINVAL: @argv is empty or @flags has unknown bits;
 * -EPERM: the kernel does not allow debugging;
 * any error of execve(2).
 */
int adbgd_program_start(char *const *argv, char *const *envp, uint32_t flags,
			struct adbgd_program **program, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_program_get_fd() - get a descriptor for poll(2)
 *
 * When it becomes readable, call adbgd_program_wait_job(). It belongs to @program.
 */
int adbgd_program_get_fd(const struct adbgd_program *program);

/**
 * adbgd_program_wait_job() - wait until the program or a child is about to submit its first GPU job
 * @session: a session of the GPU; NULL: any GPU that the caller can open
 * @timeout_ms: how long to wait, in milliseconds; 0: do not wait; -1: without limit
 *
 * The submitting thread is stopped in its system call until adbgd_program_release();
 * adbgd_program_get_info() returns its process, DRM client and GPU. A job for another GPU also
 * stops its thread until this function is called, which resumes it.
 *
 * Return: 0, or
 * -EAGAIN: no job was submitted in time;
 * -EINTR: a signal arrived;
 * -ECHILD: the program and its children have ended without a job;
 * -EACCES, -EPERM: the caller may not see for which GPU a job is.
 */
int adbgd_program_wait_job(struct adbgd_program *program, struct adbg_session *session,
			   int timeout_ms, struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_program_info - the process that submits the first job */
struct adbgd_program_info {
	uint64_t client_id;	/* DRM client of @pid */
	int32_t pid;		/* the process that submits the job; 0: none does yet */
	int32_t child;		/* the program that was started, a child of the caller */
	uint32_t gpu;		/* N of /dev/amdgpudbgN, if @pid is not 0 */
	uint32_t __reserved[3];	/* 0 */
};

/** adbgd_program_get_info() - get the process that the last adbgd_program_wait_job() has found */
const struct adbgd_program_info *adbgd_program_get_info(const struct adbgd_program *program);

/**
 * adbgd_program_release() - resume the program without tracing, and free @program
 *
 * NULL is ignored.
 */
void adbgd_program_release(struct adbgd_program *program);

/* ----------------------------------------------------------------------- processes */

/**
 * adbgd_process_attach() - attach to a process that uses a GPU
 * @gpu: the GPU, as for adbg_open()
 * @pid: the process; it need not cooperate, and is not stopped
 * @client_id: one of its DRM clients, if it has several on this GPU; else 0
 * @process: set to the process; free it with adbgd_process_detach()
 *
 * Waves that start from now on have the debugger's trap handler. Older waves can be halted, but do
 * not stop at breakpoints.
 *
 * Return: 0, or
 * -EOPNOTSUPP: the GPU's generation is not supported;
 * any error of adbg_open(), adbg_target_attach(), adbg_mem_alloc() and adbg_trap_handler_set().
 */
int adbgd_process_attach(const char *gpu, int32_t pid, uint64_t client_id,
			 struct adbgd_process **process, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_start() - start a program, and attach before it submits its first GPU job
 * @gpu: the GPU, as for adbg_open()
 * @argv, @envp: see adbgd_program_start()
 * @flags: see adbgd_program_start(); with ADBGD_PROGRAM_STOP_AT_START, also halt new waves as
 *	adbgd_process_stop_at_start() does
 * @child: NULL, or set to the program's pid, also on failure; 0: it was not started. The caller
 *	must call waitpid(2) for it. It is the process, or an ancestor of it.
 * @process: set to the process; free it with adbgd_process_detach()
 *
 * On failure the program keeps running without the debugger.
 *
 * Return: 0, or any error of adbgd_program_start(), adbgd_program_wait_job() and
 * adbgd_process_attach().
 */
int adbgd_process_start(const char *gpu, char *const *argv, char *const *envp, uint32_t flags,
			int32_t *child, struct adbgd_process **process,
			struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_attach_session() - debug the target of a session that the caller has opened
 * @session: stays owned by the caller, and must outlive @process. It has a target, no trap
 *	handler, and the events of ADBGD_PROCESS_EVENTS enabled.
 * @pid: the target
 * @process: set to the process; free it with adbgd_process_detach()
 *
 * If the process executes another program (execve(2)), ADBGD_STOP_EXEC is reported. The session
 * stays attached to the waves of the old program. Attach again to debug those of the new one.
 *
 * Return: 0, or any error of adbgd_process_attach().
 */
int adbgd_process_attach_session(struct adbg_session *session, int32_t pid,
				 struct adbgd_process **process,
				 struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_detach() - detach from a process, and free everything that belongs to it
 *
 * Breakpoints are removed and all waves resume. The same happens if the debugger dies. If the
 * caller owns the session, its trap handler is removed.
 *
 * Return: 0. If the caller owns the session, also the first error of an operation that failed;
 * closing the session completes that operation. @process is freed in either case.
 */
int adbgd_process_detach(struct adbgd_process *process);

/**
 * adbgd_process_set_interrupt() - set a descriptor that interrupts blocking calls
 * @fd: such as a signalfd, which stays owned by the caller; -1: none, which is the default
 *
 * While @fd is readable, functions that wait for waves return early; they never read from @fd.
 * adbgd_process_wait_stop() and functions that run one wave return -EINTR; waves resumed by the
 * call are halted again. adbgd_process_until(), _step_over() and _finish() return 0 and
 * ADBGD_STOP_INTERRUPTED. adbgd_wave_step_n() and adbgd_trace_record() finish the current
 * instruction, and return the number of executed ones. If @process owns its session, @fd is also
 * passed to adbg_session_set_interrupt().
 */
void adbgd_process_set_interrupt(struct adbgd_process *process, int fd);

/** struct adbgd_process_info - description of a process */
struct adbgd_process_info {
	int32_t pid;
	uint32_t pasid;		/* identifier of its address space */
	uint32_t vmid;		/* of waves that start; may change after _INVALIDATED */
	uint32_t gc_version;	/* see struct amdgpudbg_info */
	const char *gpu;	/* target of its code objects, such as "gfx1033" */
	uint32_t __reserved[6];	/* 0 */
};

/** adbgd_process_get_info() - get the description of a process; it is valid until the detach */
const struct adbgd_process_info *
adbgd_process_get_info(const struct adbgd_process *process);

/**
 * adbgd_process_get_session() - get the session, to use libamdgpudbg on the target
 *
 * Do not use it to set a trap handler, patch code, read events, or resume and step waves.
 */
struct adbg_session *adbgd_process_get_session(const struct adbgd_process *process);

/**
 * adbgd_process_get_credentials() - get user and group for opening files that the process names
 * @owner: set to the user and group of the process
 *
 * Return: 0, or
 * -EPERM: the real, effective, saved and file-system user (or group) differ, or have changed
 * since the attach, so that it is not clear for whom the process acts;
 * -ESRCH: the process has ended.
 */
int adbgd_process_get_credentials(const struct adbgd_process *process, struct adbgd_owner *owner,
				  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_get_memory() - get a reader of the target's memory that hides breakpoints
 * @memory: set to callbacks, valid until the detach
 */
void adbgd_process_get_memory(struct adbgd_process *process, struct adbgd_memory *memory);

/* Why a wave has stopped, or what has happened to the process */
enum adbgd_stop_reason {
	ADBGD_STOP_BREAKPOINT = 1,
	ADBGD_STOP_STEP,	/* a step is done, or a run has reached its goal */
	ADBGD_STOP_TRAP,	/* s_trap in the program; see trap_id */
	ADBGD_STOP_HOST_TRAP,	/* AMDGPUDBG_WAVEOP_TRAP; see trap_id */
	ADBGD_STOP_EXCEPTION,	/* see cause: AMDGPUDBG_CAUSE_* */
	ADBGD_STOP_WATCH,	/* watchpoint: see watch_mask */
	ADBGD_STOP_WAVE_END,	/* the wave has ended */
	ADBGD_STOP_EXPIRED,	/* halted for too long: waves were resumed */
	ADBGD_STOP_INVALIDATED,	/* reset, sleep or lost VMID: nothing is set any more */
	ADBGD_STOP_EXITED,	/* the process has ended, or the GPU was removed */
	ADBGD_STOP_START,	/* new wave: see adbgd_process_stop_at_start() */
	ADBGD_STOP_EXEC,	/* execve(2): see adbgd_process_attach_session() */
	ADBGD_STOP_INTERRUPTED,	/* timed out or interrupted; halted where it was */
	ADBGD_STOP_BREAKPOINT_STATE,	/* see adbgd_process_report_breakpoints() */
};

/**
 * struct adbgd_stop - why a wave has stopped, and where
 *
 * @insn is set for ADBGD_STOP_TRAP, ADBGD_STOP_WATCH and the exceptions MEM_VIOL and
 * ILLEGAL_INST. A wave stops some instructions after a failing memory access. If the hardware does
 * not report how many (TTMP1.PC_REWIND), @insn is the last instruction in memory before @pc that
 * can have caused the stop.
 */
struct adbgd_stop {
	uint32_t reason;	/* enum adbgd_stop_reason */
	uint32_t watch_mask;	/* with AMDGPUDBG_CAUSE_WATCH: one bit for each watch */
	uint64_t cause;		/* AMDGPUDBG_CAUSE_*; 0: no trap caused the stop */
	uint64_t pc;		/* of the next instruction */
	uint64_t insn;		/* the instruction that caused the stop; 0: not known */
	struct amdgpudbg_wave_coord at;	/* all 0: a stop of the process */
	uint32_t trap_id;
	uint32_t breakpoint;	/* its number; 0: none */
	uint32_t watchpoint;	/* number of the first that was hit; 0: none */
	uint32_t operation;	/* number of the operation that has ended; 0: none */
	int32_t error;		/* -errno: why the operation has failed; 0: it has not */
	uint32_t flags;		/* ADBGD_STOP_* flags */
	uint64_t lanes;		/* see adbgd_breakpoint_set_expression(); else 0 */
	uint32_t vmid;		/* of the wave; 0: a stop of the process */
	uint32_t pad;
};

/* In adbgd_stop.flags: see adbgd_process_get_condition_error() */
#define ADBGD_STOP_UNDECIDED	(1U << 0)

/** adbgd_stop_reason_name() - get the name of a stop reason, such as "breakpoint"; "?": unknown */
const char *adbgd_stop_reason_name(uint32_t reason);

/**
 * adbgd_process_get_fd() - get a descriptor for poll(2), readable when there is something to do
 *
 * It suffices for an event loop: when it is readable, call adbgd_process_wait_stop() with a timeout
 * of 0 until that returns -EAGAIN. Each change that the caller makes, such as setting a breakpoint,
 * makes it readable when there is something new to wait for. It belongs to @process.
 *
 * Return: the descriptor; or any error of epoll_create1(2), timerfd_create(2) and epoll_ctl(2).
 */
int adbgd_process_get_fd(struct adbgd_process *process);

/**
 * adbgd_process_wait_stop() - wait for the next stop of a wave or of the process
 * @timeout_ms: how long to wait, in milliseconds; 0: do not wait; -1: without limit
 * @stop: set to the stop
 *
 * Other waves keep running. Pending breakpoints are set if they can be.
 *
 * Return: 0, or
 * -EAGAIN: nothing has stopped in time;
 * -EINTR: interrupted, see adbgd_process_set_interrupt();
 * any error of read(2) on the session.
 */
int adbgd_process_wait_stop(struct adbgd_process *process, int timeout_ms,
			    struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_handle_event() - translate an event read from the session into a stop
 * @event: every event of the session must be passed here, in order
 * @stop: set to the stop
 *
 * If events come all the time, so that the caller has no timeout, this function also does from time
 * to time what adbgd_process_handle_timeout() does.
 *
 * Return: 0, or
 * -EAGAIN: the event is not a stop;
 * any error of adbgd_process_wait_stop().
 */
int adbgd_process_handle_event(struct adbgd_process *process, const struct amdgpudbg_event *event,
			       struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_get_poll_timeout() - get the timeout for poll(2) on the session, in milliseconds
 *
 * If no event has arrived after this time, call adbgd_process_handle_timeout(). Pending
 * breakpoints, new waves, operations, lost events and execve(2) raise no event. -1: poll without
 * limit.
 */
int adbgd_process_get_poll_timeout(const struct adbgd_process *process);

/**
 * adbgd_process_handle_timeout() - find a stop that has raised no event
 * @stop: set to the stop
 *
 * Call it when no event is left to read. It finds halted waves whose stop was not reported, new
 * waves, ends of operations, and ADBGD_STOP_EXEC. It also sets pending breakpoints, and resumes
 * waves of jobs before the one that adbgd_process_stop_at_job() names. adbgd_process_wait_stop()
 * does all of this itself.
 *
 * Return: 0, or
 * -EAGAIN: there is no such stop;
 * any error of adbgd_process_wait_stop().
 */
int adbgd_process_handle_timeout(struct adbgd_process *process, struct adbgd_stop *stop,
				 struct adbgd_error *error) ADBG_WUR;

/**
 * ADBGD_PROCESS_EVENTS - mask of the events that a process needs, see enum amdgpudbg_event_type
 */
#define ADBGD_PROCESS_EVENTS \
	(1ULL << AMDGPUDBG_EVENT_WAVE | 1ULL << AMDGPUDBG_EVENT_TARGET_GONE | \
	 1ULL << AMDGPUDBG_EVENT_GPU_RESET | 1ULL << AMDGPUDBG_EVENT_GPU_GONE | \
	 1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED | 1ULL << AMDGPUDBG_EVENT_HANDLER_LOST | \
	 1ULL << AMDGPUDBG_EVENT_SLEEP | 1ULL << AMDGPUDBG_EVENT_JOB_BEGIN | \
	 1ULL << AMDGPUDBG_EVENT_JOB_END)

/**
 * adbgd_process_stop_at_start() - halt new waves before their first instruction
 * @on: false: let new waves start running; waves that are halted already stay halted
 *
 * The first new wave is reported as ADBGD_STOP_START. All further ones are halted too, until
 * adbgd_process_continue() resumes all and ends this mode. ADBGD_STOP_INVALIDATED and
 * ADBGD_STOP_EXPIRED also end it.
 *
 * Return: 0, or any error of adbg_launch_set().
 */
int adbgd_process_stop_at_start(struct adbgd_process *process, bool on,
				struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_stop_at_job() - halt new waves, beginning with those of a certain GPU job
 * @number: number of the job, counted from now on: 1 is the next job that begins. Only jobs of
 *	graphics and compute rings count (AMDGPUDBG_EVENT_JOB_BEGIN).
 *
 * All waves of this job and of later ones are halted as by adbgd_process_stop_at_start(), which
 * also ends this mode. Waves of the jobs before are halted too, and are resumed by
 * adbgd_process_wait_stop() or _handle_timeout(), so that each job takes slightly longer. If
 * jobs run at the same time, their waves cannot be distinguished: then all waves are halted
 * that start after this job has begun. If events were lost, the library assumes that the job
 * has begun.
 *
 * Return: 0, or
 * -EINVAL: @number is 0;
 * -EOPNOTSUPP: the module cannot report jobs (capability "job-events");
 * any error of adbg_launch_set().
 */
int adbgd_process_stop_at_job(struct adbgd_process *process, uint64_t number,
			      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_set_start_callback() - have a function called for new waves before they execute
 *	anything
 * @look: called with each PC at which waves have started, for example to find their code and to
 *	set breakpoints in it, also at @pc; it must not call this function. NULL: none any more.
 * @data: passed to the function
 *
 * New waves are halted at their first instruction. adbgd_process_wait_stop(), _handle_event() and
 * _handle_timeout() call the function, and then resume them unless adbgd_process_stop_at_start() or
 * _stop_at_job() keep them; adbgd_process_continue() also calls it. Thus each job takes slightly
 * longer, and waves that start while a function waits for one wave, such as adbgd_wave_until(),
 * stay halted until it returns.
 *
 * Return: 0, or
 * any error of adbg_launch_set() and adbg_wave_list(); with NULL also of adbg_wave_control().
 * On failure the function that was set before is still called.
 */
int adbgd_process_set_start_callback(struct adbgd_process *process,
				     void (*look)(void *data, uint64_t pc), void *data,
				     struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_notify_halt_begin() - prepare for halting waves through the session
 *
 * Call it before the halt, and adbgd_process_notify_halt_end() after it. Otherwise the waves
 * that you halt may be reported as new waves (ADBGD_STOP_START). adbgd_process_halt() calls
 * both itself.
 *
 * Return: 0, or
 * -ENOMEM: out of memory;
 * any error of adbg_wave_list_fill().
 */
int adbgd_process_notify_halt_begin(struct adbgd_process *process,
				    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_notify_halt_end() - say that an announced halt is done
 *
 * Return: as adbgd_process_notify_halt_begin().
 */
int adbgd_process_notify_halt_end(struct adbgd_process *process,
				  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_halt() - halt all waves of the process, and keep them halted
 *
 * Return: 0, or any error of adbg_halt_all() and adbgd_process_keep_halted().
 */
int adbgd_process_halt(struct adbgd_process *process, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_continue() - resume all halted waves
 *
 * Waves with an unreported stop or start stay halted. A wave at a breakpoint executes the displaced
 * instruction; the breakpoint stays set for other waves.
 *
 * Return: 0, or any error of adbg_wave_list_fill(), adbg_reg_access() and adbg_wave_batch().
 */
int adbgd_process_continue(struct adbgd_process *process,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_continue() - resume one halted wave
 * @at: the wave
 *
 * Return: 0, or
 * -ENODATA: there is no wave at @at;
 * -EINPROGRESS: the wave is not halted;
 * -EBUSY: its stop was not reported yet;
 * any error of adbg_wave_control().
 */
int adbgd_wave_continue(struct adbgd_process *process,
			const struct amdgpudbg_wave_coord *at,
			struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_step() - execute one instruction of a halted wave
 * @stop: set to where the wave is then: ADBGD_STOP_STEP or ADBGD_STOP_WAVE_END. A trap of the
 *	instruction is reported by adbgd_process_wait_stop().
 *
 * Return: 0, or
 * -ETIMEDOUT: the instruction waits for other waves or for memory;
 * -EBADMSG: the program has overwritten the displaced instruction of a breakpoint;
 * any error of adbgd_wave_continue().
 */
int adbgd_wave_step(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_step_n() - execute several instructions of a halted wave
 * @num: how many, at least 1; set to how many were executed. These are fewer if the wave ends,
 *	traps, or reaches a breakpoint without a condition or with one that the host evaluates.
 * @stop: set as by adbgd_wave_step() for the last step; not changed if no step was executed
 *
 * Many steps are executed by the wave's trap handler, without the host.
 *
 * Return: 0, or
 * -EINVAL: @num is 0;
 * any error of adbgd_wave_step().
 */
int adbgd_wave_step_n(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      uint64_t *num, struct adbgd_stop *stop,
		      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_until() - run a halted wave until it reaches an instruction, and wait for it
 * @address: the instruction, see adbgd_breakpoint_set(). If the wave is there already, it runs
 *	until it is there again.
 * @timeout_ms: how long to wait, in milliseconds; -1: without limit
 * @stop: set to ADBGD_STOP_STEP if the wave has reached @address, to another stop that came
 *	before, or to ADBGD_STOP_WAVE_END. The stop is not reported again
 *
 * Other waves stay halted or running, and no event is read. If the wave ends, and a wave with the
 * same work-group coordinates starts in its slot, the library cannot distinguish the two. While a
 * breakpoint would be pending, see adbgd_breakpoint_set(), the host executes each instruction,
 * which takes longer; then breakpoints without a condition or with one that the host evaluates
 * stop the wave, also pending ones.
 *
 * Return: 0, or
 * -ETIMEDOUT: the wave was halted where it was after @timeout_ms;
 * any error of adbgd_wave_continue() and adbgd_breakpoint_set_if().
 */
int adbgd_wave_until(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     uint64_t address, int timeout_ms, struct adbgd_stop *stop,
		     struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_step_over() - run a halted wave to the next instruction, without entering calls
 *
 * Like adbgd_wave_until(). If the instruction is a call, the wave runs until the call returns.
 */
int adbgd_wave_step_over(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			 int timeout_ms, struct adbgd_stop *stop,
			 struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_finish() - run a halted wave until it returns from its function, or is about to end
 *
 * Like adbgd_wave_until(). The wave stops at the address to which s_setpc_b64 returns, or at
 * s_endpgm. The exits of the function are found by following its instructions, without symbols.
 *
 * Return: as adbgd_wave_until(), or
 * -E2BIG: the function has too many exits;
 * -ENOENT: it has none.
 */
int adbgd_wave_finish(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      int timeout_ms, struct adbgd_stop *stop,
		      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_until() - run all halted waves until they reach an instruction, and wait for all
 * @address: the instruction, see adbgd_wave_until()
 * @timeout_ms: how long to wait for all of them, in milliseconds; -1: without limit
 * @stops: set to one stop for each wave, in the order of the waves; see adbgd_wave_until().
 *	ADBGD_STOP_INTERRUPTED: the wave did not arrive, and was halted where it was.
 * @max: how many elements @stops has
 * @count: set to the number of waves that have run; on failure, to the number of set @stops
 *
 * Waves with an unreported stop stay halted. Running waves that reach @address are halted there
 * until the call ends. A condition of a breakpoint at @address is ignored during the call.
 *
 * Return: 0, or
 * -ENODATA: no wave is halted;
 * -ENOSPC: more than @max waves are halted;
 * any error of adbgd_breakpoint_set().
 */
int adbgd_process_until(struct adbgd_process *process, uint64_t address, int timeout_ms,
			struct adbgd_stop *stops, size_t max, size_t *count,
			struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_step_over() - step all halted waves over calls by one instruction
 *
 * Like adbgd_process_until().
 */
int adbgd_process_step_over(struct adbgd_process *process, int timeout_ms,
			    struct adbgd_stop *stops, size_t max, size_t *count,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_finish() - run all halted waves until they return from their functions
 *
 * Return: as adbgd_process_until(). If adbgd_wave_finish() would fail for one of the waves, its
 * error, and no wave has run.
 */
int adbgd_process_finish(struct adbgd_process *process, int timeout_ms,
			 struct adbgd_stop *stops, size_t max, size_t *count,
			 struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_lds_get_size() - get the size of the LDS of a halted wave's work-group
 * @bytes: set to the size in bytes; 0: the work-group has no LDS
 *
 * Return: 0, or any error of adbgd_wave_continue().
 */
int adbgd_lds_get_size(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		       uint32_t *bytes, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_lds_read() - read the LDS of a halted wave's work-group
 * @address: first byte, from 0, as the instructions of the work-group count; a multiple of 4
 * @bytes: how many; a multiple of 4
 *
 * The wave's trap handler reads it; the wave's state does not change. If the wave waits at a
 * barrier, the handler of a halted wave of the same work-group does, which does not wait. Running
 * waves of the group may write the LDS at the same time.
 *
 * Return: 0, or
 * -EINVAL: @address or @bytes is not a multiple of 4;
 * -ERANGE: the LDS is smaller;
 * -ENODATA: the wave has no LDS;
 * -EOPNOTSUPP: the wave started before the process was attached to;
 * -EBUSY: it waits at a barrier, and no wave of its group is halted elsewhere;
 * -ETIMEDOUT: its trap handler does not answer;
 * any error of adbgd_wave_continue().
 */
int adbgd_lds_read(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		   uint32_t address, void *buffer, uint32_t bytes,
		   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_lds_write() - write the LDS of a halted wave's work-group
 *
 * Parameters and errors are those of adbgd_lds_read().
 */
int adbgd_lds_write(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    uint32_t address, const void *buffer, uint32_t bytes,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_vgprs_read() - read the first VGPRs of all lanes of a halted wave at once
 * @count: how many VGPRs, at least 1
 * @values: set to @count values of lane 0, then of lane 1 and so on; 32 or 64 times @count
 *
 * The wave's trap handler reads them. This is much faster than adbg_reg_access(), which needs one
 * access to the GPU for each value.
 *
 * Return: 0, or
 * -ERANGE: the wave has fewer VGPRs;
 * any error of adbgd_lds_read().
 */
int adbgd_vgprs_read(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     uint32_t count, uint32_t *values, struct adbgd_error *error) ADBG_WUR;

#define ADBGD_COND_DBG_USER	(1U << 0)
#define ADBGD_COND_DBG_SYS	(1U << 1)

/** adbgd_wave_get_cond_dbg() - get STATUS.COND_DBG_* of a listed wave, as ADBGD_COND_DBG_* */
uint32_t adbgd_wave_get_cond_dbg(const struct adbgd_process *process,
				 const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_set_cond_dbg() - set STATUS.COND_DBG_* of a halted wave
 * @bits: ADBGD_COND_DBG_*; bits that are not given are cleared
 *
 * s_cbranch_cdbguser and similar instructions of the program branch by these bits.
 *
 * Return: 0, or
 * -EINVAL: @bits has other bits;
 * any error of adbgd_lds_read().
 */
int adbgd_wave_set_cond_dbg(struct adbgd_process *process,
			    const struct amdgpudbg_wave_coord *at, uint32_t bits,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_get_pc() - get the address of a listed wave's next instruction in its program
 * @wave: listed with AMDGPUDBG_WAVE_LIST_TTMP
 *
 * The PC register has another value while the wave executes a displaced instruction.
 */
uint64_t adbgd_wave_get_pc(const struct adbgd_process *process,
			   const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_get_number() - get the number of a wave, from 1
 * @at: its slot
 *
 * The number is that of the slot: all slots of the GPU are counted, first those of a SIMD, then by
 * SIMD, WGP, shader array and shader engine. A wave keeps it until it ends, also while it is moved
 * or halted, and no other wave has it at the same time; a later wave in the slot has it again. It
 * depends on nothing but the GPU: another session or process finds the wave by the same number.
 *
 * Return: the number; 0: the GPU has no such slot.
 */
uint32_t adbgd_wave_get_number(const struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at);

/**
 * adbgd_wave_find_number() - find the slot of a number
 * @number: see adbgd_wave_get_number()
 * @at: set to the slot, which may be empty
 *
 * Return: 0; -ENOENT: the GPU has no slot of this number.
 */
int adbgd_wave_find_number(const struct adbgd_process *process, uint32_t number,
			   struct amdgpudbg_wave_coord *at) ADBG_WUR;

/* ---------------------------------------------------------------------- watchpoints */

#define ADBGD_WATCHPOINT_INVALIDATED	(1U << 0)	/* output: removed, stops no waves */

/** struct adbgd_watchpoint_info - description of a watchpoint */
struct adbgd_watchpoint_info {
	uint64_t address;
	uint64_t size;		/* in bytes */
	uint64_t hits;		/* reported stops */
	uint32_t number;	/* from 1, never used again */
	uint32_t mode;		/* enum amdgpudbg_watch_mode */
	uint32_t flags;		/* ADBGD_WATCHPOINT_* */
	uint32_t __reserved[3];	/* 0 */
};

/**
 * adbgd_watchpoint_set() - stop waves after they access a range of memory
 * @address: a multiple of @size
 * @size: in bytes, a power of two, at least watch_granule of struct amdgpudbg_info
 * @mode: which accesses, enum amdgpudbg_watch_mode
 * @watchpoint: NULL, or set to the watchpoint; it belongs to @process
 *
 * Only waves with the debugger's trap handler stop. The pc of the stop is after the instruction
 * that has accessed the memory. As memory answers late, the wave may have executed further
 * instructions since. So the access was made by the last memory instruction before pc, or by an
 * earlier one.
 *
 * Return: 0, or
 * -EINVAL: the GPU cannot watch this range or mode;
 * -ENXIO: nothing is mapped there;
 * -ENOSPC: all watches of the GPU are in use;
 * any error of adbg_watch_set(), adbg_launch_set() and adbg_reg_access().
 */
int adbgd_watchpoint_set(struct adbgd_process *process, uint64_t address, uint64_t size,
			 uint32_t mode, struct adbgd_watchpoint **watchpoint,
			 struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_watchpoint_clear() - remove a watchpoint, and free it
 *
 * Return: 0, or any error of adbg_watch_clear().
 */
int adbgd_watchpoint_clear(struct adbgd_watchpoint *watchpoint,
			   struct adbgd_error *error) ADBG_WUR;

/** adbgd_watchpoint_get_info() - get the current description of a watchpoint */
const struct adbgd_watchpoint_info *
adbgd_watchpoint_get_info(const struct adbgd_watchpoint *watchpoint);

/**
 * adbgd_process_get_watchpoint() - get the watchpoint at index @i, from 0, in the order of numbers
 *
 * Return: NULL if there are no more.
 */
struct adbgd_watchpoint *adbgd_process_get_watchpoint(const struct adbgd_process *process,
						      size_t i);

/* --------------------------------------------------------------------- traces */

/**
 * struct adbgd_trace_info - description of a trace
 *
 * A step has num_words words of 32 bits: the wave's hardware registers by their numbers, its SGPRs
 * including VCC, then the VGPRs of lane 0, of lane 1 and so on. Hardware registers that
 * instructions do not change keep the value from the beginning of the trace.
 */
struct adbgd_trace_info {
	uint32_t gc_version;
	uint32_t lanes;		/* 32 or 64 */
	uint32_t num_hwregs;
	uint32_t num_sgprs;
	uint32_t num_vgprs;	/* per lane */
	uint32_t num_words;
	uint64_t num_steps;	/* executed instructions */
	struct amdgpudbg_wave_coord at;	/* slot of the wave; all 0: not known */
	uint32_t num_alone;	/* steps that the trap handler recorded, without the CPU */
	uint32_t __reserved;	/* 0 */
};

/**
 * adbgd_trace_begin() - begin a trace of a halted wave with its current registers
 * @trace: set to the trace, which needs no process; free it with adbgd_trace_free()
 *
 * Return: 0, or
 * -ENOMEM: out of memory;
 * any error of adbgd_wave_continue() and adbg_reg_access().
 */
int adbgd_trace_begin(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      struct adbgd_trace **trace, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_trace_record() - step the wave of a trace, and record what each instruction changes
 * @num: how many instructions, at least 1; set to how many were executed, also on failure. These
 *	are fewer if the wave ends or traps, which adbgd_process_wait_stop() reports.
 * @stop: set as by adbgd_wave_step() for the last step; not changed if no step was executed
 *
 * Return: 0, or
 * -ESTALE: the wave is not at the end of the trace;
 * any error of adbgd_wave_step().
 */
int adbgd_trace_record(struct adbgd_process *process, struct adbgd_trace *trace, uint64_t *num,
		       struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_trace_new() - create an empty trace, for example to load a saved one
 * @info: all members but num_words and num_steps
 * @trace: set to the trace; free it with adbgd_trace_free()
 *
 * Return: 0, or
 * -EINVAL: @info is invalid;
 * -E2BIG: more registers than any wave has;
 * -ENOMEM: out of memory.
 */
int adbgd_trace_new(const struct adbgd_trace_info *info, struct adbgd_trace **trace,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_trace_add_step() - append a step to a trace, and move to its end
 * @words: all registers after the step; in the first call, those before the first step. See struct
 *	adbgd_trace_info for their order
 *
 * Return: 0, or
 * -ENOMEM: out of memory; the trace has not changed.
 */
int adbgd_trace_add_step(struct adbgd_trace *trace, const uint32_t *words,
			 struct adbgd_error *error) ADBG_WUR;

/** adbgd_trace_free() - free a trace; NULL is ignored */
void adbgd_trace_free(struct adbgd_trace *trace);

/** adbgd_trace_get_info() - get the description of a trace */
const struct adbgd_trace_info *adbgd_trace_get_info(const struct adbgd_trace *trace);

/**
 * adbgd_trace_seek() - move to a step of a trace, forward or back
 * @step: number of instructions that were executed before, 0 to num_steps
 *
 * Return: 0, or
 * -ERANGE: the trace has fewer steps.
 */
int adbgd_trace_seek(struct adbgd_trace *trace, uint64_t step,
		     struct adbgd_error *error) ADBG_WUR;

/** adbgd_trace_get_pc() - get the address of the next instruction at the current step */
uint64_t adbgd_trace_get_pc(const struct adbgd_trace *trace);

/**
 * adbgd_trace_get_all_regs() - get all registers at the current step
 *
 * They are valid until the next adbgd_trace_seek(), _add_step() or _record().
 */
const uint32_t *adbgd_trace_get_all_regs(const struct adbgd_trace *trace);

/**
 * adbgd_trace_get_regs() - get the registers of one kind at the current step
 *
 * Parameters and result are those of adbg_wave_state_get(3).
 */
const uint32_t *adbgd_trace_get_regs(const struct adbgd_trace *trace, uint32_t space, uint32_t lane,
				     uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_H */
