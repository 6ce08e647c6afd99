/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: the debugger on top of libamdgpudbg: processes and their waves, break-
 * and watchpoints, traces; and by amdgpudbg-debug-code.h, where the rules for all of it stand,
 * what their code is. Each function has a man page; libamdgpudbg-debug(3) is the way in.
 */
#ifndef AMDGPUDBG_DEBUG_H
#define AMDGPUDBG_DEBUG_H

#include <amdgpudbg-debug-code.h>

#ifdef __cplusplus
extern "C" {
#endif

struct adbgd_program;		/* a program that was started, before its first job */
struct adbgd_process;		/* a process that is debugged, and its waves */
struct adbgd_breakpoint;	/* an instruction before which waves stop */
struct adbgd_watchpoint;	/* memory that waves stop for when they access it */
struct adbgd_trace;		/* what a wave has done, instruction by instruction */

/* ------------------------------------------------------------------------ programs */

#define ADBGD_PROGRAM_BACKGROUND	(1U << 0)	/* nothing to read; Ctrl-C is not for it */
#define ADBGD_PROGRAM_STOP_AT_START	(1U << 1)	/* of adbgd_process_run() */

/**
 * adbgd_program_start() - start a program, to be debugged from its first job on
 * @argv: its file, which is looked for in PATH if it has no slash, and its arguments; then NULL
 * @envp: its environment; NULL: as the caller's
 * @flags: ADBGD_PROGRAM_BACKGROUND, or 0
 *
 * It runs under ptrace(2), with all that it starts, until adbgd_program_release(), which makes
 * system calls slow. It is a child of the caller, who has to wait for its end; so is, until
 * then, the process that traces, which is not to be waited for. When the thread that has
 * called this ends, or the caller dies, the program goes on by itself.
 *
 * Return: 0; what execve(2) gives; -EPERM the kernel lets no process be debugged; -EINVAL.
 */
int adbgd_program_start(char *const *argv, char *const *envp, uint32_t flags,
			struct adbgd_program **program, struct adbgd_error *error) ADBG_WUR;

/** adbgd_program_get_fd() - for poll(2): adbgd_program_wait() has something to do */
int adbgd_program_get_fd(const struct adbgd_program *program);

/**
 * adbgd_program_wait() - wait until a program is about to give a GPU its first job
 * @session: of the GPU
 * @timeout_ms: how long; 0: not at all; -1: for ever
 *
 * It may also be a process that the program has started. It then stands in a system call until
 * adbgd_program_release(), and adbgd_program_get_info() says which process and DRM client that
 * is. Jobs for other GPUs need this function to go on.
 *
 * Return: 0; -EAGAIN not yet; -EINTR; -ECHILD it has ended without; -EACCES, -EPERM which GPU a
 * job is for may not be seen.
 */
int adbgd_program_wait(struct adbgd_program *program, struct adbg_session *session,
		       int timeout_ms, struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_program_info - what has become of a program */
struct adbgd_program_info {
	uint64_t client_id;	/* of @pid, which gives the job there */
	int32_t pid;		/* 0: nobody does yet */
	int32_t child;		/* the program itself, a child of the caller */
	uint32_t __reserved[4];	/* 0 */
};

/** adbgd_program_get_info() - as it was found by adbgd_program_wait() */
const struct adbgd_program_info *adbgd_program_get_info(const struct adbgd_program *program);

/** adbgd_program_release() - it goes on by itself, and @program is freed; NULL is none */
void adbgd_program_release(struct adbgd_program *program);

/* ----------------------------------------------------------------------- processes */

/**
 * adbgd_process_attach() - debug a process that uses a GPU
 * @gpu: which GPU, as for adbg_open()
 * @pid: the process, which neither helps nor notices
 * @client_id: which of its DRM clients, if it has several on this GPU; else 0
 *
 * Its waves that start from now on have the debugger's trap handler. Those that are there
 * can be halted, but do not stop at a breakpoint.
 *
 * Return: 0; as adbg_open(), adbg_target_attach(), adbg_mem_alloc() and
 * adbg_trap_handler_set(); -EOPNOTSUPP also for a generation that is not known.
 */
int adbgd_process_attach(const char *gpu, int32_t pid, uint64_t client_id,
			 struct adbgd_process **process, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_run() - likewise a process that is started, before it gives the GPU a job
 * @gpu: as of adbgd_process_attach()
 * @argv, @envp, @flags: as of adbgd_program_start(); with ADBGD_PROGRAM_STOP_AT_START as after
 *	adbgd_process_stop_at_start(), too
 * @child: NULL, or set to the program, for whose end the caller has to wait, also on failure;
 *	0: there is none. It is the process, or has started it.
 *
 * If this fails, the program goes on by itself.
 *
 * Return: as these, adbgd_program_wait() and adbgd_process_attach().
 */
int adbgd_process_run(const char *gpu, char *const *argv, char *const *envp, uint32_t flags,
		      int32_t *child, struct adbgd_process **process,
		      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_new() - likewise, in a session that has its target already
 * @session: which stays the caller's. It must outlive the process, have no trap handler,
 *	and have ADBGD_PROCESS_EVENTS enabled.
 * @pid: the target
 *
 * When the process executes another program (execve(2)), that is told as ADBGD_STOP_EXEC,
 * once it is noticed. Its waves then are still those of the program before, all that is set
 * stays, and so it goes on until the process has ended; the other program's waves are
 * for who attaches to it anew.
 */
int adbgd_process_new(struct adbg_session *session, int32_t pid,
		      struct adbgd_process **process, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_detach() - let a process go on as if nothing had been
 *
 * Its code is as before, all its waves go on, and all that belongs to @process is freed.
 * So it is when the debugger dies. Of a session that is the caller's, the trap handler is
 * cleared.
 *
 * Return: 0; the first -errno of what could not be undone in a session that is the caller's:
 * that is undone when the session is closed. @process is freed in either case.
 */
int adbgd_process_detach(struct adbgd_process *process);

/**
 * adbgd_process_set_interrupt() - have a way to end what waits
 * @fd: whose it stays, such as a signalfd; -1: there is none, as at first
 *
 * While it can be read, which nobody does here, calls that let waves run and wait for them
 * end, and adbgd_process_next_stop() does: they say -EINTR, and the waves that have been let go
 * for it are halted where they are, as when the time is over. adbgd_process_until(), _next() and
 * _finish() return 0 and ADBGD_STOP_INTERRUPTED. adbgd_wave_step_n() and adbgd_trace_steps() end after
 * the step that they are in, and say how many they have done. If @process has opened its
 * session itself, that gets @fd, too: see adbg_session_set_interrupt().
 */
void adbgd_process_set_interrupt(struct adbgd_process *process, int fd);

/** struct adbgd_process_info - what a process is */
struct adbgd_process_info {
	int32_t pid;
	uint32_t pasid;		/* of its address space */
	uint32_t vmid;		/* which its waves run in that start; another one after a loss */
	uint32_t gc_version;	/* as of struct amdgpudbg_info */
	const char *gpu;	/* what code objects of the GPU are called, "gfx1033" */
	uint32_t __reserved[6];	/* 0 */
};

/** adbgd_process_get_info() - the same as long as the process is attached to */
const struct adbgd_process_info *
adbgd_process_get_info(const struct adbgd_process *process);

/**
 * adbgd_process_get_session() - for what else libamdgpudbg can do with the target
 *
 * The trap handler, patches and events are the process's; so are resuming and stepping.
 */
struct adbg_session *adbgd_process_get_session(const struct adbgd_process *process);

/**
 * adbgd_process_get_owner() - with whose rights files are opened that the process names
 * @owner: set to the process's user and group
 * Return: 0; -EPERM its real, effective, saved and file-system user or group differ, or are
 * not those that it had at attach, so that it is not clear for whom it acts; -ESRCH it has
 * ended.
 */
int adbgd_process_get_owner(const struct adbgd_process *process, struct adbgd_owner *owner,
			    struct adbgd_error *error) ADBG_WUR;

/** adbgd_process_get_memory() - the target's memory, without what was put into its code */
void adbgd_process_get_memory(struct adbgd_process *process, struct adbgd_memory *memory);

/* Why a wave stands still, or a process is none any more */
enum adbgd_stop_reason {
	ADBGD_STOP_BREAKPOINT = 1,
	ADBGD_STOP_STEP,	/* adbgd_wave_step() has done what it was to do */
	ADBGD_STOP_TRAP,	/* s_trap in the program; trap_id is its number */
	ADBGD_STOP_HOST_TRAP,	/* WAVEOP_TRAP, likewise */
	ADBGD_STOP_EXCEPTION,	/* cause: AMDGPUDBG_CAUSE_* */
	ADBGD_STOP_WATCH,	/* likewise; see adbgd_watchpoint_set() */
	ADBGD_STOP_WAVE_END,	/* the wave has ended by the step */
	ADBGD_STOP_EXPIRED,	/* waves were halted for too long, and go on */
	ADBGD_STOP_INVALIDATED,	/* a reset, sleep, or another process: nothing is set any more */
	ADBGD_STOP_EXITED,	/* the process has ended, or the GPU is gone */
	ADBGD_STOP_START,	/* a wave that begins: see adbgd_process_stop_at_start() */
	ADBGD_STOP_EXEC,	/* the process executes another program: see adbgd_process_new() */
	ADBGD_STOP_INTERRUPTED,	/* in vain, by adbgd_process_until(): it is over, or interrupted */
};

/**
 * struct adbgd_stop - why and where
 *
 * @insn is known of _TRAP, of _WATCH, and of the exceptions MEM_VIOL and ILLEGAL_INST. Memory may
 * answer late: where the hardware does not tell how far the wave has gone meanwhile
 * (TTMP1.PC_REWIND), it is the last instruction before @pc, in the order of addresses, that can
 * have done it.
 */
struct adbgd_stop {
	uint32_t reason;	/* enum adbgd_stop_reason */
	uint32_t watch_mask;	/* with AMDGPUDBG_CAUSE_WATCH: the GPU's watches, one bit each */
	uint64_t cause;		/* AMDGPUDBG_CAUSE_*, of a wave that has trapped */
	uint64_t pc;		/* of the instruction that is next */
	uint64_t insn;		/* the instruction that it has stopped for; 0: it is not known */
	struct amdgpudbg_wave_coord at;	/* the wave; all 0 for process stops */
	uint32_t trap_id;
	uint32_t breakpoint;	/* its number; 0: at none */
	uint32_t watchpoint;	/* its number; if it hit several, the first: see @watch_mask */
	uint32_t __reserved[3];	/* 0 */
};

/** adbgd_stop_reason_name() - such as "breakpoint"; "?" for what is none */
const char *adbgd_stop_reason_name(uint32_t reason);

/**
 * adbgd_process_get_fd() - for poll(2): there may be a stop to be told
 *
 * It is the session's, and goes with the process.
 */
int adbgd_process_get_fd(const struct adbgd_process *process);

/**
 * adbgd_process_next_stop() - the next wave that stands still, in their order
 * @timeout_ms: how long to wait for it; 0: not at all; -1: for ever
 *
 * Others run on. Also where breakpoints are set that had to wait.
 *
 * Return: 0; -EAGAIN there is none; -EINTR; as read(2) of the session.
 */
int adbgd_process_next_stop(struct adbgd_process *process, int timeout_ms,
			    struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_handle_event() - what an event means, that the caller has read from the session
 * Return: as adbgd_process_next_stop(); -EAGAIN it is no stop.
 */
int adbgd_process_handle_event(struct adbgd_process *process, const struct amdgpudbg_event *event,
			       struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_poll_timeout() - for poll(2) of who reads events himself
 *
 * In so many milliseconds adbgd_process_poll_stop() is to be called, if no event has come: for
 * breakpoints that wait for what nobody tells of, waves that begin or whose events were lost,
 * and what program the process executes. -1: it need not.
 */
int adbgd_process_poll_timeout(const struct adbgd_process *process);

/**
 * adbgd_process_poll_stop() - a wave that stands still and was not told of
 *
 * To be called when all events were taken that had come.
 *
 * Also sets breakpoints that had to wait, lets waves of jobs go on that are not to stand, and
 * tells of ADBGD_STOP_EXEC. adbgd_process_next_stop() does so by itself.
 *
 * Return: as adbgd_process_next_stop(); -EAGAIN there is none.
 */
int adbgd_process_poll_stop(struct adbgd_process *process, struct adbgd_stop *stop,
			    struct adbgd_error *error) ADBG_WUR;

/** ADBGD_PROCESS_EVENTS - those that a process needs, a mask of enum amdgpudbg_event_type */
#define ADBGD_PROCESS_EVENTS \
	(1ULL << AMDGPUDBG_EVENT_WAVE | 1ULL << AMDGPUDBG_EVENT_TARGET_GONE | \
	 1ULL << AMDGPUDBG_EVENT_GPU_RESET | 1ULL << AMDGPUDBG_EVENT_GPU_GONE | \
	 1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED | 1ULL << AMDGPUDBG_EVENT_HANDLER_LOST | \
	 1ULL << AMDGPUDBG_EVENT_SLEEP | 1ULL << AMDGPUDBG_EVENT_JOB_BEGIN | \
	 1ULL << AMDGPUDBG_EVENT_JOB_END)

/**
 * adbgd_process_stop_at_start() - let waves that begin from now on stand before their first
 * instruction
 * @on: or not, from now on; those that stand there stay
 *
 * The first one is told of, as ADBGD_STOP_START. Those that begin then stand, too, until
 * adbgd_process_continue() lets all go on, and what this has set is over. So it is after
 * ADBGD_STOP_INVALIDATED and _EXPIRED.
 *
 * Return: 0; as adbg_launch_set().
 */
int adbgd_process_stop_at_start(struct adbgd_process *process, bool on,
				struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_stop_at_job() - likewise, from a job on
 * @number: which of those that begin from now on, 1 is the next: jobs of rings for graphics
 *	and compute, as amdgpu gives them to these (AMDGPUDBG_EVENT_JOB_BEGIN)
 *
 * All of its waves stand before their first instruction. Waves of the jobs before it do, too,
 * and are let go on by adbgd_process_next_stop() or _poll_stop(): each of these jobs takes longer
 * by a moment. When jobs are at work at the same time, nothing tells whose wave it is: those
 * still stand then that begin when this job has begun. When events were lost, it is as if it
 * had begun. adbgd_process_stop_at_start() ends it.
 *
 * Return: 0; -EINVAL @number is 0; -EOPNOTSUPP there are no events of jobs; as
 * adbg_launch_set().
 */
int adbgd_process_stop_at_job(struct adbgd_process *process, uint64_t number,
			      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_begin_halt() - the caller is about to halt waves, by the session itself
 *
 * And then adbgd_process_end_halt(). While one that begins is waited for, those that ran
 * before and stand afterwards are not taken for it. adbgd_process_halt() does so by itself.
 *
 * Return: 0; -ENOMEM; as adbg_wave_list_fill().
 */
int adbgd_process_begin_halt(struct adbgd_process *process,
			     struct adbgd_error *error) ADBG_WUR;

/** adbgd_process_end_halt() - it has; return likewise */
int adbgd_process_end_halt(struct adbgd_process *process,
			   struct adbgd_error *error) ADBG_WUR;

/** adbgd_process_halt() - halt all waves; as adbg_halt_all() */
int adbgd_process_halt(struct adbgd_process *process, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_continue() - let all waves go on that are halted
 *
 * But those of which a stop or a start is still to be told. Who is at a breakpoint does its
 * instruction, while the breakpoint stays for all others.
 */
int adbgd_process_continue(struct adbgd_process *process,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_continue() - likewise one wave
 * Return: 0; -ENODATA there is no wave; -EINPROGRESS it is not halted; -EBUSY its stop is
 * still to be told; as adbg_wave_control().
 */
int adbgd_wave_continue(struct adbgd_process *process,
			const struct amdgpudbg_wave_coord *at,
			struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_step() - let a halted wave do one instruction
 * @stop: where it is then: ADBGD_STOP_STEP or _WAVE_END. What it has trapped for
 *	meanwhile is told by adbgd_process_next_stop().
 * Return: as adbgd_wave_continue(); -ETIMEDOUT the instruction waits for something; -EBADMSG the
 * program has written over the copy of the instruction under a breakpoint.
 */
int adbgd_wave_step(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_step_n() - let a halted wave do so many instructions
 * @num: how many, at least 1; set to how many it has done: less, if it ends, or traps in one,
 *	which adbgd_process_next_stop() tells, or comes to a breakpoint that has no condition
 * @stop: as of the last step, if there was one
 *
 * Where they are many, it does them without the host, as far as adbgd_trace_steps() does.
 */
int adbgd_wave_step_n(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      uint64_t *num, struct adbgd_stop *stop,
		      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_until() - let a halted wave run until it comes to an instruction
 * @address: the instruction, as of adbgd_breakpoint_set(); not that where it is, but again
 * @timeout_ms: how long to wait for it; -1: for ever
 * @stop: ADBGD_STOP_STEP when it is there; or what else it has stopped for before, which then
 *	is told; or ADBGD_STOP_WAVE_END
 *
 * Others stay as they are: those that run do so. It is waited for here, and no event is read
 * meanwhile. What tells it from another one that is in its slot later is its work-group: where
 * the same one of a next job is there before it was seen that it had ended, that is taken for it.
 *
 * Return: as adbgd_wave_continue() and adbgd_breakpoint_set_if(); -EAGAIN also where a
 * breakpoint is pending; -ETIMEDOUT it is not there in time, and was halted where it is.
 */
int adbgd_wave_until(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     uint64_t address, int timeout_ms, struct adbgd_stop *stop,
		     struct adbgd_error *error) ADBG_WUR;

/** adbgd_wave_next() - likewise one instruction; of a call, until it has returned */
int adbgd_wave_next(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    int timeout_ms, struct adbgd_stop *stop,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_finish() - likewise until it returns from where it is, or is about to end
 *
 * It then is where s_setpc_b64 has led, or at s_endpgm; which of these there are is found by
 * the instructions from where it is on.
 *
 * Return: also -E2BIG there are too many, -ENOENT none.
 */
int adbgd_wave_finish(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      int timeout_ms, struct adbgd_stop *stop,
		      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_until() - let all halted waves run until they come to an instruction
 * @address: as of adbgd_wave_until()
 * @timeout_ms: how long to wait for all of them; -1: for ever
 * @stops: as of adbgd_wave_until(), or ADBGD_STOP_INTERRUPTED if it is not there in time; in the
 *	order of the waves
 * @max: for how many there is room
 * @count: set to how many waves have run; with an error, too, to those of which @stops tells
 *
 * They go on together, and each is waited for. Those whose stop is still to be told stay, and
 * others that run stay where they come to the same place, until all are waited for. Where
 * there already is a breakpoint with a condition, that is not looked at meanwhile.
 *
 * Return: as adbgd_breakpoint_set(); -ENODATA no wave is halted; -ENOSPC more than @max are.
 */
int adbgd_process_until(struct adbgd_process *process, uint64_t address, int timeout_ms,
			struct adbgd_stop *stops, size_t max, size_t *count,
			struct adbgd_error *error) ADBG_WUR;

/** adbgd_process_next() - likewise one instruction each; of a call, until it has returned */
int adbgd_process_next(struct adbgd_process *process, int timeout_ms,
		       struct adbgd_stop *stops, size_t max, size_t *count,
		       struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_finish() - likewise until each returns from where it is, or is about to end
 * Return: also as adbgd_wave_finish(), of any of them: then none has run.
 */
int adbgd_process_finish(struct adbgd_process *process, int timeout_ms,
			 struct adbgd_stop *stops, size_t max, size_t *count,
			 struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_lds_get_size() - how much LDS a halted wave's work-group has
 * @bytes: set to it; 0: none
 * Return: as adbgd_wave_continue().
 */
int adbgd_lds_get_size(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		       uint32_t *bytes, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_lds_read() - read the LDS of a halted wave's work-group
 * @address: as the group's instructions have it, from 0; a multiple of 4, as is @bytes
 *
 * It is done by the wave's trap handler, and the wave stays as and where it is. Others of its
 * group that run may change the LDS meanwhile.
 *
 * Return: 0; as adbgd_wave_continue(); -EINVAL; -ERANGE there is not so much; -ENODATA there
 * is none; -EOPNOTSUPP the wave began before the process was attached to; -ETIMEDOUT its
 * handler gives no answer.
 */
int adbgd_lds_read(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		   uint32_t address, void *buffer, uint32_t bytes,
		   struct adbgd_error *error) ADBG_WUR;

/** adbgd_lds_write() - likewise, write it */
int adbgd_lds_write(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		    uint32_t address, const void *buffer, uint32_t bytes,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_vgprs_read() - read the first VGPRs of a halted wave, in all lanes, at once
 * @count: how many of each lane, at least 1
 * @values: filled, lane after lane: 32 or 64 times @count
 *
 * It is done by the wave's trap handler, in a time that hardly depends on @count, where
 * adbg_reg_access() takes an access to a register of the GPU for each value. So it is for many.
 *
 * Return: as adbgd_lds_read(); -ERANGE the wave has not so many.
 */
int adbgd_vgprs_read(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     uint32_t count, uint32_t *values, struct adbgd_error *error) ADBG_WUR;

#define ADBGD_COND_DBG_USER	(1U << 0)
#define ADBGD_COND_DBG_SYS	(1U << 1)

/** adbgd_wave_get_cond_dbg() - ADBGD_COND_DBG_* of a listed wave: STATUS.COND_DBG_* */
uint32_t adbgd_wave_get_cond_dbg(const struct adbgd_process *process,
				 const struct amdgpudbg_wave *wave);

/**
 * adbgd_wave_set_cond_dbg() - set them, by which s_cbranch_cdbguser and its like branch
 * @bits: ADBGD_COND_DBG_*; those that are not given are 0 afterwards
 * Return: as adbgd_lds_read().
 */
int adbgd_wave_set_cond_dbg(struct adbgd_process *process,
			    const struct amdgpudbg_wave_coord *at, uint32_t bits,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_get_pc() - where a listed wave is in its program
 * @wave: as read with AMDGPUDBG_WAVE_LIST_TTMP
 *
 * A wave at a breakpoint is at its instruction, whatever its registers say.
 */
uint64_t adbgd_wave_get_pc(const struct adbgd_process *process,
			   const struct amdgpudbg_wave *wave);

/* ---------------------------------------------------------------------- breakpoints */

#define ADBGD_BREAKPOINT_TEMPORARY	(1U << 0)	/* gone when a wave has stopped there */
#define ADBGD_BREAKPOINT_PENDING	(1U << 1)	/* out: it is not set yet */
#define ADBGD_BREAKPOINT_STEPPED		(1U << 2)	/* it changes no code */

/** struct adbgd_breakpoint_info - what a breakpoint is */
struct adbgd_breakpoint_info {
	uint64_t address;	/* 0, if it is of instructions */
	uint64_t hits;		/* waves that have stopped there, as far as was told */
	uint32_t number;	/* from 1; none comes twice */
	uint32_t flags;		/* ADBGD_BREAKPOINT_* */
	uint32_t num_insns;	/* of adbgd_breakpoint_set_insn(); else 0 */
	uint32_t __reserved;	/* 0 */
	struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES];
};

/**
 * adbgd_breakpoint_set() - let waves stop before an instruction
 * @address: the instruction, in memory that waves may run
 * @flags: ADBGD_BREAKPOINT_TEMPORARY, ADBGD_BREAKPOINT_STEPPED, or 0
 * @breakpoint: NULL, or set to it
 *
 * While the process has waves or jobs that began before it was attached to, the breakpoint
 * is pending: such a wave would do nothing instead of the instruction.
 *
 * With ADBGD_BREAKPOINT_STEPPED code stays as it is: as long as there is such a breakpoint, all
 * waves are in debug mode, and their trap handler compares where they are after each
 * instruction: some forty of its instructions for one of theirs. A wave does not stop before
 * its very first instruction, since it comes after none, nor before one that follows a
 * breakpoint without the flag, which it does elsewhere.
 *
 * Return: 0; -EINVAL no address of an instruction; -ENXIO nothing is mapped there;
 * -EACCES waves may not run it; -EEXIST there is one; -EOPNOTSUPP the instruction
 * cannot be executed elsewhere, as those must that waves go on from; as adbg_vm_patch().
 */
int adbgd_breakpoint_set(struct adbgd_process *process, uint64_t address, uint32_t flags,
			 struct adbgd_breakpoint **breakpoint,
			 struct adbgd_error *error) ADBG_WUR;

/* What a register is compared for; unsigned, if it does not say otherwise */
enum adbgd_relation {
	ADBGD_NO_COMPARE,
	ADBGD_EQUAL,
	ADBGD_NOT_EQUAL,
	ADBGD_LESS,
	ADBGD_LESS_SIGNED,
	ADBGD_HAS_BITS,		/* any of these */
};

#define ADBGD_CONDITION_WAVE	(1U << 0)	/* only the wave in slot @at */
#define ADBGD_CONDITION_GROUP	(1U << 1)	/* only waves of work-group @group */

/**
 * struct adbgd_condition - which waves stop at a breakpoint: all that it says must hold
 * @flags: ADBGD_CONDITION_*
 * @relation: of the register to @value
 * @space: AMDGPUDBG_REG_SGPR; AMDGPUDBG_REG_VGPR, where it need hold in one active lane
 *	only; ADBGD_REG_EXEC, ADBGD_REG_M0
 * @reg: its number in there; a VGPR must be one that the waves have
 * @value: what it is compared with
 * @every: stop at each so-many-th hit, by whatever wave; 0 and 1: at each
 * @nth: 0; or stop at this hit alone, from 1, which is the first to arrive. Not with @every
 * @lanes: one of these is active, and a VGPR's compare holds there; 0: any that is active
 * @at: of ADBGD_CONDITION_WAVE
 * @group: of ADBGD_CONDITION_GROUP: its x, y and z, in a dispatch
 *
 * What comes to the breakpoint while all else holds is a hit.
 */
struct adbgd_condition {
	uint32_t flags;
	uint32_t relation;	/* enum adbgd_relation */
	uint32_t space;
	uint32_t reg;
	uint32_t value;
	uint32_t every;
	uint32_t nth;
	uint32_t group[3];
	uint64_t lanes;
	struct amdgpudbg_wave_coord at;
	uint32_t __reserved[4];	/* 0 */
};

/**
 * adbgd_breakpoint_set_if() - likewise for some waves
 * @condition: which ones; NULL: all
 *
 * It is decided on the GPU: the others do the instruction and go on, without the host.
 *
 * Return: as adbgd_breakpoint_set(); -EINVAL also for what cannot be, or never holds;
 * -ENOSPC also if there is no room for one more condition; -EAGAIN waves do not leave the
 * handler with the conditions of before.
 */
int adbgd_breakpoint_set_if(struct adbgd_process *process, uint64_t address, uint32_t flags,
			    const struct adbgd_condition *condition,
			    struct adbgd_breakpoint **breakpoint,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_set_condition() - give another one to a breakpoint; NULL: none
 *
 * Hits are counted from 0 again. Who has stopped by the one of before, and was not told of,
 * still is.
 *
 * Return: as adbgd_breakpoint_set_if(), and then nothing has changed.
 */
int adbgd_breakpoint_set_condition(struct adbgd_breakpoint *breakpoint,
				   const struct adbgd_condition *condition,
				   struct adbgd_error *error) ADBG_WUR;

/** adbgd_breakpoint_get_condition() - NULL: all waves stop */
const struct adbgd_condition *
adbgd_breakpoint_get_condition(const struct adbgd_breakpoint *breakpoint);

/**
 * adbgd_breakpoint_set_insn() - let waves stop before instructions that are alike, anywhere
 * @insns: @num of them, 1 to ADBGD_MAX_INSN_MATCHES: one of these is the instruction
 * @flags: ADBGD_BREAKPOINT_TEMPORARY, or 0; it has ADBGD_BREAKPOINT_STEPPED
 * @condition: as of adbgd_breakpoint_set_if(); NULL: none
 *
 * What is compared is what memory has: of an instruction under a breakpoint that is an s_trap.
 *
 * Return: as adbgd_breakpoint_set_if(); -EINVAL also for bits of a value that are not in its
 * mask, and for a mask without bits.
 */
int adbgd_breakpoint_set_insn(struct adbgd_process *process,
			      const struct adbgd_insn_match *insns, size_t num, uint32_t flags,
			      const struct adbgd_condition *condition,
			      struct adbgd_breakpoint **breakpoint,
			      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_breakpoint_clear() - take a breakpoint out of the code, and free it
 *
 * Resume the waves that have stopped for it and whose stop was not reported. If that fails,
 * the breakpoint is out of the code, has ADBGD_BREAKPOINT_PENDING, and is not freed: clear it
 * again, or detach. The module has put these waves back to the instruction.
 *
 * Return: 0; -errno of adbg_vm_unpatch(), and the breakpoint is as before; -errno of what
 * resumes waves: adbg_wave_list(), adbg_reg_access(), adbg_wave_control(), or -EAGAIN waves do
 * not leave the handler that decided by the conditions of before.
 */
int adbgd_breakpoint_clear(struct adbgd_breakpoint *breakpoint,
			   struct adbgd_error *error) ADBG_WUR;

/** adbgd_breakpoint_get_info() - as it is now */
const struct adbgd_breakpoint_info *
adbgd_breakpoint_get_info(const struct adbgd_breakpoint *breakpoint);

/** adbgd_process_get_breakpoint() - the one at @i, from 0, by number; NULL: there is none */
struct adbgd_breakpoint *adbgd_process_get_breakpoint(const struct adbgd_process *process,
						      size_t i);

/* ---------------------------------------------------------------------- watchpoints */

#define ADBGD_WATCHPOINT_INVALIDATED	(1U << 0)	/* out: hits nothing any more */

/** struct adbgd_watchpoint_info - what a watchpoint is */
struct adbgd_watchpoint_info {
	uint64_t address;
	uint64_t size;		/* in bytes */
	uint64_t hits;		/* waves that have stopped for it, as far as was told */
	uint32_t number;	/* from 1; none comes twice */
	uint32_t mode;		/* enum amdgpudbg_watch_mode */
	uint32_t flags;		/* ADBGD_WATCHPOINT_* */
	uint32_t __reserved[3];	/* 0 */
};

/**
 * adbgd_watchpoint_set() - let waves stop behind what they do to some memory
 * @size: in bytes: a power of two, at least watch_granule of struct amdgpudbg_info
 * @mode: enum amdgpudbg_watch_mode
 * @watchpoint: NULL, or set to it
 *
 * All waves that began with the debugger's trap handler. The pc of the stop is behind the
 * instruction that has hit, and may be behind others, too, since the memory answers late: it
 * is the last that accesses memory before pc, or one of those before that.
 *
 * Return: 0; -EINVAL the GPU cannot watch that; -ENXIO nothing is mapped there; -ENOSPC the
 * GPU has no watch left; as adbg_watch_set(), adbg_launch_set() and adbg_reg_access().
 */
int adbgd_watchpoint_set(struct adbgd_process *process, uint64_t address, uint64_t size,
			 uint32_t mode, struct adbgd_watchpoint **watchpoint,
			 struct adbgd_error *error) ADBG_WUR;

/** adbgd_watchpoint_clear() - take a watchpoint away, and free it; as adbg_watch_clear() */
int adbgd_watchpoint_clear(struct adbgd_watchpoint *watchpoint,
			   struct adbgd_error *error) ADBG_WUR;

/** adbgd_watchpoint_get_info() - as it is now */
const struct adbgd_watchpoint_info *
adbgd_watchpoint_get_info(const struct adbgd_watchpoint *watchpoint);

/** adbgd_process_get_watchpoint() - the one at @i, from 0, by number; NULL: there is none */
struct adbgd_watchpoint *adbgd_process_get_watchpoint(const struct adbgd_process *process,
						      size_t i);

/* --------------------------------------------------------------------- traces */

/**
 * struct adbgd_trace_info - of what a trace is
 *
 * A wave's registers are num_words words of 32 bits: its hardware registers by their
 * numbers, SGPRs with VCC, and then, lane by lane, VGPRs. Of the hardware registers that no
 * instruction sets there is what the wave had at the beginning.
 */
struct adbgd_trace_info {
	uint32_t gc_version;
	uint32_t lanes;		/* 32 or 64 */
	uint32_t num_hwregs;
	uint32_t num_sgprs;
	uint32_t num_vgprs;	/* of a lane */
	uint32_t num_words;
	uint64_t num_steps;	/* instructions that the wave has done */
	struct amdgpudbg_wave_coord at;	/* where it was; all 0 if that is not known */
	uint32_t num_alone;	/* of the steps, those that its handler has recorded */
	uint32_t __reserved;	/* 0 */
};

/**
 * adbgd_trace_begin() - begin a trace of a halted wave, with the registers that it has
 * @trace: free it by adbgd_trace_free(); it needs no process
 * Return: as adbgd_wave_continue() and adbg_reg_access(); -ENOMEM.
 */
int adbgd_trace_begin(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		      struct adbgd_trace **trace, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_trace_steps() - let its wave do instructions, and keep what each has changed
 * @num: how many, at least 1; set to how many it has done, also on failure: less, if one
 *	ends the wave, or makes it trap, which adbgd_process_next_stop() tells
 * @stop: as of the last step, if there was one
 *
 * Return: as adbgd_wave_step(); -ESTALE the wave is not where the trace ends.
 */
int adbgd_trace_steps(struct adbgd_process *process, struct adbgd_trace *trace, uint64_t *num,
		      struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_trace_new() - make an empty trace, such as for one that was saved
 * @info: all but num_words and num_steps
 * Return: 0; -EINVAL; -E2BIG so many registers has no wave; -ENOMEM.
 */
int adbgd_trace_new(const struct adbgd_trace_info *info, struct adbgd_trace **trace,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_trace_add() - add one step, and be behind it; the first call, the beginning
 * @words: all registers, as they are then
 * Return: 0; -ENOMEM, and it is as before.
 */
int adbgd_trace_add(struct adbgd_trace *trace, const uint32_t *words,
		    struct adbgd_error *error) ADBG_WUR;

/** adbgd_trace_free() - free a trace; NULL is none */
void adbgd_trace_free(struct adbgd_trace *trace);

/** adbgd_trace_get_info() - of what it is */
const struct adbgd_trace_info *adbgd_trace_get_info(const struct adbgd_trace *trace);

/**
 * adbgd_trace_seek() - go to where so many steps were done, forward or back
 * @step: from 0, the beginning, to num_steps
 * Return: 0; -ERANGE.
 */
int adbgd_trace_seek(struct adbgd_trace *trace, uint64_t step,
		     struct adbgd_error *error) ADBG_WUR;

/** adbgd_trace_get_pc() - the instruction that is next there */
uint64_t adbgd_trace_get_pc(const struct adbgd_trace *trace);

/** adbgd_trace_get_words() - all registers there, until the trace changes or moves */
const uint32_t *adbgd_trace_get_words(const struct adbgd_trace *trace);

/** adbgd_trace_get() - those of one kind; as adbg_wave_state_get() */
const uint32_t *adbgd_trace_get(const struct adbgd_trace *trace, uint32_t space, uint32_t lane,
				uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_H */
