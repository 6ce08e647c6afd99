// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the errors of the kernel interface mean for each call, and what to do
 * about them. The meanings are those at the top of linux/amdgpudbg.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

struct errtext {
	enum adbg_subject about;
	int error;
	const char *text;
	const char *hint;
};

#define NO_ADDRESS "no addresses of the process are free where a debugger's memory goes"
#define NO_ADDRESS_HINT "list its mappings"

#define ISOLATION_HINT \
	"switch enforce_isolation of amdgpu off: in sysfs, or else a parameter of the module"

/* The first that fits is taken, so the special ones come before the general. */
static const struct errtext texts[] = {
	{ ABOUT_OPEN, ENOENT, "there is no such GPU or render node",
	  "list the GPUs, and look at the status of the module" },
	{ ABOUT_OPEN, ENODEV, "the module serves no such GPU",
	  "the amdgpu driver must have bound it before amdgpudbg can" },
	{ ABOUT_OPEN, ENOTUNIQ, "there is more than one GPU",
	  "say which one" },
	{ ABOUT_OPEN, EACCES, "no permission to open the device node",
	  "run as root, or get access to /dev/amdgpudbg*" },
	{ ABOUT_OPEN, EMFILE,
	  "the process has too many open files, or its user too many sessions",
	  "end other debuggers" },
	{ ABOUT_OPEN, EPERM, "the kernel does not allow opening the GPU",
	  "run as root" },
	{ ABOUT_OPEN, ENOTTY, "it is not the kind of device expected",
	  "name a DRM render node such as /dev/dri/renderD128" },
	{ ABOUT_OPEN, EINVAL, "it names no GPU",
	  "a PCI address looks like 0000:0a:00.0" },
	{ ABOUT_OPEN, EBUSY, "the GPU is busy", NULL },

	{ ABOUT_WAVE_READ, EINVAL, "a VMID is out of range",
	  "VMIDs go from 1 to the GPU's number of VMIDs minus one" },
	{ ABOUT_WAVE_READ, EMSGSIZE, "there are more waves than fit",
	  "make the buffer larger" },

	{ ABOUT_WAVE_READ, ENXIO, "the GPU has no such place",
	  "see its geometry in the list of GPUs" },
	{ ABOUT_WAVE_READ, ETIMEDOUT,
	  "some waves did not halt, or resume, in time", "try again" },

	{ ABOUT_WAVE_CONTROL, EINPROGRESS,
	  "the wave is not halted, or runs in its trap handler",
	  "halt it first" },
	{ ABOUT_WAVE_CONTROL, EINVAL,
	  "the operation, the VMID or the wave's place is not valid", NULL },
	{ ABOUT_WAVE_CONTROL, ENXIO, "the GPU has no such wave slot",
	  "see its geometry in the list of GPUs" },
	{ ABOUT_WAVE_CONTROL, ENODATA, "the wave slot is empty",
	  "the wave has ended; list the waves again" },
	{ ABOUT_WAVE_CONTROL, ESTALE,
	  "the wave slot holds another wave than the one expected",
	  "the wave has ended; list the waves again" },
	{ ABOUT_WAVE_CONTROL, EOPNOTSUPP,
	  "the GPU cannot do it to waves, or they are to trap and use amdkfd",
	  "the list of capabilities says why; a trap would end a ROCm program" },
	{ ABOUT_WAVE_CONTROL, EPERM,
	  "not allowed, or users may not stop waves on this machine",
	  "name a process of yours that it is about, or run as root (CAP_SYS_PTRACE)" },
	{ ABOUT_WAVE_CONTROL, ETIMEDOUT,
	  "some waves did not reach the wanted state in time",
	  "a wave in a trap handler takes a halt only after it" },

	{ ABOUT_TARGET, EPERM, "you may not debug this process",
	  "debug your own processes, or run as root" },
	{ ABOUT_TARGET, EACCES, "you may not look at this process",
	  "debug your own processes, or run as root" },
	{ ABOUT_TARGET, ESRCH, "there is no such process",
	  "in a container, processes outside have no number" },
	{ ABOUT_TARGET, EXDEV, "/proc does not show the process",
	  "it is of another PID namespace: mount the /proc of your own" },
	{ ABOUT_TARGET, ENODATA,
	  "the process has no such file of this GPU open",
	  "list the processes that use it" },
	{ ABOUT_TARGET, ENOTUNIQ,
	  "the process uses the GPU in several ways", "say which client" },
	{ ABOUT_TARGET, EBADF, "a descriptor is not open", NULL },
	{ ABOUT_TARGET, ENOTTY, "the file is no DRM file of this GPU",
	  "the target's own descriptor is wanted, as pidfd_getfd() gives it" },
	{ ABOUT_TARGET, EINVAL, "it names no process", NULL },
	{ ABOUT_TARGET, EOPNOTSUPP,
	  "the driver has not numbered the process's address space", NULL },
	{ ABOUT_TARGET, EMFILE,
	  "too many files are open, or targets of the user are still being closed",
	  "wait for the jobs of programs that were debugged to end" },
	{ ABOUT_TARGET, EAGAIN, "the process's files change all the time",
	  "try again" },

	{ ABOUT_REG_READ, EINVAL,
	  "the registers, lanes or the wave's place are not valid", NULL },
	{ ABOUT_REG_READ, ENXIO,
	  "the GPU has no such wave slot, or the wave no such VGPR or lane",
	  "see its GPR_ALLOC and IB_STS2" },
	{ ABOUT_REG_READ, ENODATA, "the wave slot is empty",
	  "the wave has ended; list the waves again" },
	{ ABOUT_REG_READ, ESTALE,
	  "the wave slot holds another wave than the one expected",
	  "the wave has ended or gone on; list the waves again" },
	{ ABOUT_REG_READ, EINPROGRESS, "the wave is not halted",
	  "halt it; a wave in a trap handler stops only after it" },
	{ ABOUT_REG_READ, EOPNOTSUPP, "the GPU has no such register",
	  "list the registers" },

	{ ABOUT_REG_WRITE, EINVAL,
	  "the registers, lanes, values or the wave's place are not valid",
	  NULL },
	{ ABOUT_REG_WRITE, ENXIO,
	  "the GPU has no such wave slot, or the wave no such VGPR or lane",
	  "see its GPR_ALLOC and IB_STS2" },
	{ ABOUT_REG_WRITE, ENODATA, "the wave slot is empty",
	  "the wave has ended; list the waves again" },
	{ ABOUT_REG_WRITE, ESTALE,
	  "the wave is another than the one expected, or its registers hold other values",
	  "read them again" },
	{ ABOUT_REG_WRITE, EINPROGRESS, "the wave is not halted",
	  "halt it; a wave in a trap handler stops only after it" },
	{ ABOUT_REG_WRITE, EOPNOTSUPP,
	  "the GPU has no such register, or it cannot be written",
	  "list the registers" },
	{ ABOUT_REG_WRITE, EIO,
	  "a register does not show what was written to it",
	  "this GPU cannot write that register" },
	{ ABOUT_EVENT, EINVAL, "no events are enabled, or too many wanted",
	  NULL },
	{ ABOUT_EVENT, EAGAIN, "no event came in time", NULL },
	{ ABOUT_EVENT, ENOTCONN, "the target has exited", NULL },
	{ ABOUT_EVENT, EPROTO, "the module says what is not understood",
	  "use a newer library" },

	{ ABOUT_WATCH, EINVAL,
	  "the mode, the address or the size of the watch is not valid",
	  "the size is a power of two and the address a multiple of it" },
	{ ABOUT_WATCH, ENOSPC, "all watches are in use",
	  "clear one, or end the other debugger" },
	{ ABOUT_WATCH, ENOENT, "the session has no such watch",
	  "a reset of the GPU ends all watches" },
	{ ABOUT_WATCH, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "name a process that it is about" },
	{ ABOUT_LAUNCH, EINVAL,
	  "the launch mode or the exceptions are not valid", NULL },
	{ ABOUT_LAUNCH, EPERM,
	  "exceptions are enabled for the waves of everybody, or users may not stop waves on this machine",
	  "this needs CAP_SYS_ADMIN: run as root" },
	{ ABOUT_LAUNCH, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "name a process that it is about" },

	{ ABOUT_MEM, EINVAL, "it is not within a buffer, or too large",
	  NULL },
	{ ABOUT_MEM, ENOSPC,
	  "the session has as many buffers as it may, or too many that were freed are still in the target",
	  "free one, or let the target's jobs end" },
	{ ABOUT_MEM, EADDRNOTAVAIL, NO_ADDRESS, NO_ADDRESS_HINT },
	{ ABOUT_MEM, ENOENT, "the session has no such buffer", NULL },
	{ ABOUT_MEM, ESTALE,
	  "the process has replaced the buffer while it was made", "try again" },
	{ ABOUT_MEM, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "name a process that it is about" },
	{ ABOUT_MEM, ETIMEDOUT, "the GPU does not write page tables",
	  "it hangs; see the kernel log" },
	{ ABOUT_VM, ENXIO, "there is no memory at the address",
	  "list the process's mappings" },
	{ ABOUT_VM, EACCES, "the memory is encrypted", NULL },
	{ ABOUT_VM, EOPNOTSUPP,
	  "the memory is another device's, the driver's own or the process's own pages, or the module cannot",
	  "list the process's mappings, and the capabilities" },
	{ ABOUT_VM, EBUSY,
	  "the memory is being moved, or another session has a patch there, or the GPU is being reset",
	  "try again" },
	{ ABOUT_VM, EINVAL,
	  "too many bytes, or no place for a patch, or a value is not valid",
	  "patches are whole dwords within a page" },
	{ ABOUT_VM, EEXIST, "the session has a patch there", "take it out first" },
	{ ABOUT_VM, ENOENT, "the session has no such patch",
	  "a reset of the GPU, or the loss of the VMID, ends all patches" },
	{ ABOUT_VM, ENOSPC, "the session, or its user, has as many patches as it may",
	  "take one out" },
	{ ABOUT_VM, EMSGSIZE, "there are more mappings than fit",
	  "make the buffer larger" },
	{ ABOUT_VM, ESRCH,
	  "the process has ended, or executes another program than when its memory was opened",
	  NULL },
	{ ABOUT_VM, EINTR, "interrupted: a page of the process's own memory has not come",
	  "a file system or the process itself keeps it back" },
	{ ABOUT_VM, EAGAIN, "no process can be started that copies the process's own pages",
	  "see RLIMIT_NPROC in getrlimit(2)" },
	{ ABOUT_VM, ECANCELED, "what copies the process's own pages was killed",
	  "try again" },
	{ ABOUT_VM, EPERM, "you may not read the process's own pages",
	  "debug your own processes, or run as root" },
	{ ABOUT_VM, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "name a process that it is about" },
	{ ABOUT_JOB, EMSGSIZE, "there are more jobs than fit",
	  "make the buffer larger" },
	{ ABOUT_JOB, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "name a process that it is about" },
	{ ABOUT_TRAP, EINVAL,
	  "the handler or its memory is misplaced, or too short",
	  "addresses are multiples of 256; each lies in one buffer" },
	{ ABOUT_TRAP, ENOENT, "the session has no trap handler",
	  "a reset of the GPU ends it" },
	{ ABOUT_TRAP, EEXIST, "the default trap handler is installed",
	  "uninstall it first" },
	{ ABOUT_TRAP, ENXIO, "the GPU has no such wave slot",
	  "see its geometry in the list of GPUs" },
	{ ABOUT_TRAP, ENOSPC,
	  "the session has as many buffers as it may, or too many that were freed are still in the target",
	  "free one, or let the target's jobs end" },
	{ ABOUT_TRAP, EADDRNOTAVAIL, NO_ADDRESS, NO_ADDRESS_HINT },
	{ ABOUT_TRAP, ESTALE,
	  "the process has replaced a buffer while it was made", "try again" },
	{ ABOUT_TRAP, EPERM,
	  "the handler is in no buffer of the session, or users may not stop waves on this machine",
	  "put it into one, or have CAP_SYS_ADMIN, as root has" },
	{ ABOUT_TRAP, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "name a process that it is about" },
	{ ABOUT_ANY, EPERM, "not allowed",
	  "name a process of yours that it is about, or run as root (CAP_SYS_PTRACE)" },
	{ ABOUT_ANY, EACCES, "no permission", "run as root" },
	{ ABOUT_ANY, EOPNOTSUPP,
	  "this GPU, its driver or the module cannot do it",
	  "the list of capabilities says why" },
	{ ABOUT_ANY, ENOTTY, "the module does not know the call",
	  "load a newer amdgpudbg.ko" },
	{ ABOUT_ANY, E2BIG, "the module is too old for the request",
	  "load a newer amdgpudbg.ko" },
	{ ABOUT_ANY, ENODEV, "the GPU is gone",
	  "it was unbound or unplugged; open it again when it is back" },
	{ ABOUT_ANY, EBUSY, "not now", "try again later" },
	{ ABOUT_ANY, EIO, "the hardware does not show what was written",
	  "see the kernel log" },
	{ ABOUT_ANY, ETIMEDOUT, "the hardware did not answer in time",
	  "see the kernel log" },
	{ ABOUT_ANY, EINVAL, "a value is not valid", NULL },
	{ ABOUT_ANY, ERANGE, "a number is too large", NULL },
	{ ABOUT_ANY, EOVERFLOW, "a 32-bit program has no such address or size",
	  "use a 64-bit program" },
	{ ABOUT_ANY, EFAULT, "a buffer is not accessible", NULL },
	{ ABOUT_ANY, ENOMEM, "out of memory", NULL },
	{ ABOUT_ANY, EINTR, "interrupted by a signal", "call it again" },
	{ ABOUT_ANY, ENOENT, "not found", NULL },
	{ ABOUT_ANY, ESRCH, "no such process", NULL },
	{ ABOUT_ANY, ENOTCONN, "the process that this is about has exited",
	  NULL },
	{ ABOUT_ANY, EAGAIN, "not yet", "try again" },
	{ ABOUT_ANY, ENOSYS, "the kernel is too old", NULL },
	{ ABOUT_ANY, EMFILE, "too many open files", NULL },
	{ ABOUT_ANY, 0, "success", NULL },
};

#define END_OTHER "end the other debugger"

/* By enum amdgpudbg_busy_cause */
static const struct errtext busy_texts[] = {
	[AMDGPUDBG_BUSY_RESET] = { .text = "the GPU is being reset",
		.hint = "try again when the reset is over" },
	[AMDGPUDBG_BUSY_SLEEP] = { .text = "the system is about to sleep",
		.hint = "try again when it is awake" },
	[AMDGPUDBG_BUSY_HALT_EXPIRED] = {
		.text = "waves were stopped for as long as users may",
		.hint = "try again later, or have CAP_SYS_ADMIN, as root has" },
	[AMDGPUDBG_BUSY_TARGET] = {
		.text = "the session has a target already" },
	[AMDGPUDBG_BUSY_IN_USE] = {
		.text = "the session's trap handler lies in the buffer",
		.hint = "take the handler off first" },
	[AMDGPUDBG_BUSY_WAVE] = {
		.text = "another session holds the waves",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_TRAP_HANDLER] = {
		.text = "another session has set a trap handler",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_LAUNCH] = {
		.text = "another session has said how waves start",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_VMID_SESSION] = {
		.text = "another session has the VMID that can be reserved",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_VMID_RESERVED] = {
		.text = "another process has reserved the VMID that can be",
		.hint = "try again when it has ended" },
	[AMDGPUDBG_BUSY_VMID_JOBS] = {
		.text = "another process has jobs in the VMID that amdgpu has reserved",
		.hint = "try again when they have ended" },
	[AMDGPUDBG_BUSY_VMID_LOST] = {
		.text = "the process has given its VMID back, or shares it",
		.hint = "try again" },
	[AMDGPUDBG_BUSY_MOVED] = {
		.text = "the process's memory is being moved, or waits for a job of the process",
		.hint = "try again" },
	[AMDGPUDBG_BUSY_PATCH] = {
		.text = "another session has a patch there",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_WATCH] = {
		.text = "another session has watches, and no other is left",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_ISOLATION] = {
		.text = "amdgpu has all processes use one VMID in turns (enforce_isolation)",
		.hint = ISOLATION_HINT },
	[AMDGPUDBG_BUSY_DISPLAY] = {
		.text = "graphics waves would stop while a display of this GPU shows a picture",
		.hint = "debug from another machine or a text console, or force it" },
	[AMDGPUDBG_BUSY_WAVE_SAVED] = {
		.text = "the wave is saved in memory",
		.hint = "try again when it runs" },
};

/* Where it is not who it is in most cases: by enum amdgpudbg_busy_by */
static const struct errtext busy_by_texts[] = {
	[AMDGPUDBG_BUSY_BY_LEFT] = {
		.text = "what a session has left there is not undone yet",
		.hint = "it goes by itself: try again" },
	[AMDGPUDBG_BUSY_BY_AMDKFD] = {
		.text = "amdkfd's debugger has said how waves start",
		.hint = END_OTHER },
};

#define NAME(e) { e, #e }

static const struct {
	int error;
	const char *name;
} names[] = {
	NAME(EPERM), NAME(ENOENT), NAME(ESRCH), NAME(ENOSYS), NAME(EINTR), NAME(EIO), NAME(ENXIO),
	NAME(E2BIG), NAME(EBADF), NAME(EAGAIN), NAME(ENOMEM), NAME(EACCES),
	NAME(EFAULT), NAME(EXDEV), NAME(EBUSY), NAME(EEXIST), NAME(ENODEV), NAME(ENOTDIR),
	NAME(EINVAL), NAME(ENFILE), NAME(EMFILE), NAME(ENOTTY), NAME(ENOSPC),
	NAME(EPIPE), NAME(ERANGE), NAME(EOVERFLOW), NAME(ELOOP), NAME(ENAMETOOLONG),
	NAME(ENODATA), NAME(EPROTO), NAME(ENOTUNIQ), NAME(EMSGSIZE),
	NAME(EADDRNOTAVAIL), NAME(EOPNOTSUPP), NAME(ECANCELED), NAME(ENOTCONN),
	NAME(ETIMEDOUT), NAME(ESTALE), NAME(EINPROGRESS),
};

/* Those of the target itself, with AMDGPUDBG_BUSY_BY_NONE */
static const struct errtext own_jobs_text = {
	.text = "the process has jobs from before its trap handler",
	.hint = "try again when they have ended",
};

/* What the session's last -EBUSY was about, as the module knows it; or NULL */
static const struct errtext *find_busy(const struct adbg_session *session)
{
	struct amdgpudbg_busy busy = { .size = sizeof(busy) };

	if (adbg_ioctl_restart(session->fd, AMDGPUDBG_IOC_GET_BUSY, &busy) ||
	    busy.cause >= ARRAY_SIZE(busy_texts) ||
	    !busy_texts[busy.cause].text)
		return NULL;

	if (busy.cause == AMDGPUDBG_BUSY_VMID_JOBS && busy.by == AMDGPUDBG_BUSY_BY_NONE)
		return &own_jobs_text;
	if (busy.by < ARRAY_SIZE(busy_by_texts) && busy_by_texts[busy.by].text)
		return &busy_by_texts[busy.by];
	return &busy_texts[busy.cause];
}

static const struct errtext *find_text(const struct adbg_session *session,
				       int error)
{
	enum adbg_subject about = session ? ABOUT_ANY : ABOUT_OPEN;
	const struct errtext *busy = NULL;

	error = abs(error);
	if (session && error == EBUSY)
		busy = find_busy(session);
	if (busy)
		return busy;
	if (session && adbg_is_waiter(session))
		about = session->event_error == error ? ABOUT_EVENT : ABOUT_ANY;
	else if (session && (!session->error || session->error == error))
		about = session->about;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].error == error &&
		    (texts[i].about == about || texts[i].about == ABOUT_ANY))
			return &texts[i];

	return NULL;
}

ADBG_API const char *adbg_strerror(const struct adbg_session *session,
				   int error)
{
	const struct errtext *text = find_text(session, error);

	return text ? text->text : "unexpected error";
}

ADBG_API const char *adbg_strhint(const struct adbg_session *session,
				  int error)
{
	const struct errtext *text = find_text(session, error);

	return text ? text->hint : NULL;
}

ADBG_API const char *adbg_errname(int error)
{
	error = abs(error);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].error == error)
			return names[i].name;

	return "E?";
}
