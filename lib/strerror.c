// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Messages and hints for errors of the kernel interface, by call. Their meanings are those at the
 * top of linux/amdgpudbg.h.
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

#define NO_ADDRESS "the process has no free addresses in the range for the debugger's buffers"
#define NO_ADDRESS_HINT "list the mappings of the process"

#define ISOLATION_HINT \
	"switch off enforce_isolation of amdgpu, in sysfs or as a module parameter"

/* The first match is used, so that special texts must precede the general ones. */
static const struct errtext texts[] = {
	{ ABOUT_OPEN, ENOENT, "no such GPU or render node",
	  "list the GPUs, and see the module's status in /sys/module/amdgpudbg/gpus" },
	{ ABOUT_OPEN, ENODEV, "the module does not serve this GPU",
	  "the amdgpu driver must be bound to it" },
	{ ABOUT_OPEN, ENOTUNIQ, "there is more than one GPU",
	  "select one" },
	{ ABOUT_OPEN, EACCES, "no permission to open the device node",
	  "run as root, or get access to /dev/amdgpudbg*" },
	{ ABOUT_OPEN, EMFILE,
	  "the process has too many open files, or its user too many sessions",
	  "close other debuggers" },
	{ ABOUT_OPEN, EPERM, "the kernel does not allow opening the GPU",
	  "run as root" },
	{ ABOUT_OPEN, ENOTTY, "not a DRM render node",
	  "use a node such as /dev/dri/renderD128" },
	{ ABOUT_OPEN, EINVAL, "not a GPU name",
	  "a PCI address looks like 0000:0a:00.0" },
	{ ABOUT_OPEN, EBUSY, "the GPU is busy", NULL },

	{ ABOUT_WAVE_READ, EINVAL, "a VMID is out of range",
	  "VMIDs go from 1 to the GPU's number of VMIDs minus one" },
	{ ABOUT_WAVE_READ, EMSGSIZE, "the buffer is too small for all waves",
	  "make the buffer larger" },

	{ ABOUT_WAVE_READ, ENXIO, "the GPU has no such coordinate",
	  "see its geometry in the list of GPUs" },
	{ ABOUT_WAVE_READ, ETIMEDOUT,
	  "some waves did not halt or resume in time", "try again" },

	{ ABOUT_WAVE_CONTROL, EINPROGRESS,
	  "the wave is not halted, or is in its trap handler",
	  "halt it first" },
	{ ABOUT_WAVE_CONTROL, EINVAL,
	  "the operation, the VMID or the coordinate of the wave is not valid", NULL },
	{ ABOUT_WAVE_CONTROL, ENXIO, "the GPU has no such wave slot",
	  "see its geometry in the list of GPUs" },
	{ ABOUT_WAVE_CONTROL, ENODATA, "the wave slot is empty",
	  "the wave has ended; list the waves again" },
	{ ABOUT_WAVE_CONTROL, ESTALE,
	  "the wave slot holds another wave than the one expected",
	  "the wave has ended; list the waves again" },
	{ ABOUT_WAVE_CONTROL, EOPNOTSUPP,
	  "the GPU does not support this operation on waves, or waves of amdkfd would trap",
	  "the list of capabilities has the reason; a trap would end a ROCm program" },
	{ ABOUT_WAVE_CONTROL, EPERM,
	  "not permitted, or users cannot stop waves on this machine (halt_seconds is 0)",
	  "select a process of yours, or run as root (CAP_SYS_PTRACE)" },
	{ ABOUT_WAVE_CONTROL, ETIMEDOUT,
	  "some waves did not reach the requested state in time",
	  "a wave in its trap handler halts only when it leaves the handler" },

	{ ABOUT_TARGET, EPERM, "no permission to debug this process",
	  "debug your own processes, or run as root" },
	{ ABOUT_TARGET, EACCES, "no permission to read this process",
	  "debug your own processes, or run as root" },
	{ ABOUT_TARGET, ESRCH, "no such process",
	  "in a container, processes outside of it have no PID" },
	{ ABOUT_TARGET, EXDEV, "/proc does not show the process",
	  "mount the /proc of your own PID namespace" },
	{ ABOUT_TARGET, ENODATA,
	  "the process has not opened this GPU, or has no such client",
	  "list the processes that use the GPU" },
	{ ABOUT_TARGET, ENOTUNIQ,
	  "the process has several DRM clients", "select one of them" },
	{ ABOUT_TARGET, EBADF, "a descriptor is not open", NULL },
	{ ABOUT_TARGET, ENOTTY, "not a DRM file of this GPU",
	  "use the target's own descriptor, as returned by pidfd_getfd()" },
	{ ABOUT_TARGET, EINVAL, "not a process", NULL },
	{ ABOUT_TARGET, EOPNOTSUPP,
	  "the driver has not assigned a PASID to the process's address space", NULL },
	{ ABOUT_TARGET, EMFILE,
	  "too many open files, or too many former targets of the user are still being closed",
	  "wait until the jobs of these programs have ended" },
	{ ABOUT_TARGET, EAGAIN, "the process keeps opening and closing files",
	  "try again" },

	{ ABOUT_REG_READ, EINVAL,
	  "the registers, the lanes or the coordinate of the wave are not valid", NULL },
	{ ABOUT_REG_READ, ENXIO,
	  "the GPU has no such wave slot, or the wave has no such VGPR or lane",
	  "see GPR_ALLOC and IB_STS2 of the wave" },
	{ ABOUT_REG_READ, ENODATA, "the wave slot is empty",
	  "the wave has ended; list the waves again" },
	{ ABOUT_REG_READ, ESTALE,
	  "the wave slot holds another wave than the one expected",
	  "the wave has ended or was resumed; list the waves again" },
	{ ABOUT_REG_READ, EINPROGRESS, "the wave is not halted",
	  "halt it; a wave in its trap handler halts only when it leaves the handler" },
	{ ABOUT_REG_READ, EOPNOTSUPP, "the GPU has no such register",
	  "list the registers" },

	{ ABOUT_REG_WRITE, EINVAL,
	  "the registers, the lanes, the values or the coordinate of the wave are not valid",
	  NULL },
	{ ABOUT_REG_WRITE, ENXIO,
	  "the GPU has no such wave slot, or the wave has no such VGPR or lane",
	  "see GPR_ALLOC and IB_STS2 of the wave" },
	{ ABOUT_REG_WRITE, ENODATA, "the wave slot is empty",
	  "the wave has ended; list the waves again" },
	{ ABOUT_REG_WRITE, ESTALE,
	  "the slot holds another wave than the one expected, or its registers have other values",
	  "read them again" },
	{ ABOUT_REG_WRITE, EINPROGRESS, "the wave is not halted",
	  "halt it; a wave in its trap handler halts only when it leaves the handler" },
	{ ABOUT_REG_WRITE, EOPNOTSUPP,
	  "the GPU has no such register, or it cannot be written",
	  "list the registers" },
	{ ABOUT_REG_WRITE, EIO,
	  "a register did not keep the written value",
	  "this GPU cannot write that register" },
	{ ABOUT_EVENT, EINVAL, "no events are enabled, or the requested queue is too large",
	  NULL },
	{ ABOUT_EVENT, EAGAIN, "no event within the time limit", NULL },
	{ ABOUT_EVENT, ENOTCONN, "the target has exited", NULL },
	{ ABOUT_EVENT, EPROTO, "the module sent an event that this library does not know",
	  "use a newer library" },

	{ ABOUT_WATCH, EINVAL,
	  "the mode, the address or the size of the watch is not valid",
	  "the size is a power of two and the address a multiple of it" },
	{ ABOUT_WATCH, ENOSPC, "all watches are in use",
	  "clear one, or close the other debugger" },
	{ ABOUT_WATCH, ENOENT, "the session has no such watch",
	  "a reset of the GPU removes all watches" },
	{ ABOUT_WATCH, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "select a process" },
	{ ABOUT_LAUNCH, EINVAL,
	  "the launch mode or the exceptions are not valid", NULL },
	{ ABOUT_LAUNCH, EPERM,
	  "exceptions would be enabled for the waves of all processes, or users cannot stop waves on this machine (halt_seconds is 0)",
	  "this needs CAP_SYS_ADMIN: run as root" },
	{ ABOUT_LAUNCH, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "select a process" },

	{ ABOUT_MEM, EINVAL, "the range is not within a buffer, or the size is not valid",
	  NULL },
	{ ABOUT_MEM, ENOSPC,
	  "the session has the maximum number of buffers, or the target still has too many freed ones",
	  "free one, or wait until the target's jobs have ended" },
	{ ABOUT_MEM, EADDRNOTAVAIL, NO_ADDRESS, NO_ADDRESS_HINT },
	{ ABOUT_MEM, ENOENT, "the session has no such buffer", NULL },
	{ ABOUT_MEM, ESTALE,
	  "the process replaced the buffer while it was allocated", "try again" },
	{ ABOUT_MEM, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "select a process" },
	{ ABOUT_MEM, ETIMEDOUT, "the GPU does not write page tables",
	  "the GPU hangs; see the kernel log" },
	{ ABOUT_VM, ENXIO, "there is no memory at the address",
	  "list the process's mappings" },
	{ ABOUT_VM, EACCES, "the memory is encrypted", NULL },
	{ ABOUT_VM, EOPNOTSUPP,
	  "the memory belongs to another device, to the driver or to the process (userptr), or the module cannot access memory here",
	  "list the process's mappings, and the capabilities" },
	{ ABOUT_VM, EBUSY,
	  "the memory is being moved, another session has a patch at this address, or the GPU is being reset",
	  "try again" },
	{ ABOUT_VM, EINVAL,
	  "too many bytes, a patch that crosses a page, or a value that is not valid",
	  "a patch consists of whole dwords within a page" },
	{ ABOUT_VM, EEXIST, "the session already has a patch at this address", "remove it first" },
	{ ABOUT_VM, ENOENT, "the session has no such patch",
	  "a reset of the GPU or the loss of the VMID removes all patches" },
	{ ABOUT_VM, ENOSPC, "the session or its user has the maximum number of patches",
	  "remove one" },
	{ ABOUT_VM, EMSGSIZE, "the buffer is too small for all mappings",
	  "make the buffer larger" },
	{ ABOUT_VM, ESRCH,
	  "the process has ended, or executes another program than when its memory was opened",
	  NULL },
	{ ABOUT_VM, EINTR, "interrupted while waiting for a page of the process's memory",
	  "a file system or the process itself (userfaultfd) does not provide the page" },
	{ ABOUT_VM, EAGAIN, "cannot start the helper process that copies the process's own pages",
	  "see RLIMIT_NPROC in getrlimit(2)" },
	{ ABOUT_VM, ECANCELED, "the helper process that copies the process's own pages was killed",
	  "try again" },
	{ ABOUT_VM, EPERM, "no permission to read the process's own pages",
	  "debug your own processes, or run as root" },
	{ ABOUT_VM, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "select a process" },
	{ ABOUT_JOB, EMSGSIZE, "the buffer is too small for all jobs",
	  "make the buffer larger" },
	{ ABOUT_JOB, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "select a process" },
	{ ABOUT_TRAP, EINVAL,
	  "the address or the size of the handler or of its memory is not valid",
	  "addresses are multiples of 256; each lies in one buffer" },
	{ ABOUT_TRAP, ENOENT, "the session has no trap handler",
	  "a reset of the GPU removes it" },
	{ ABOUT_TRAP, EEXIST, "the default trap handler is installed",
	  "uninstall it first" },
	{ ABOUT_TRAP, ENXIO, "the GPU has no such wave slot",
	  "see its geometry in the list of GPUs" },
	{ ABOUT_TRAP, ENOSPC,
	  "the session has the maximum number of buffers, or the target still has too many freed ones",
	  "free one, or wait until the target's jobs have ended" },
	{ ABOUT_TRAP, EADDRNOTAVAIL, NO_ADDRESS, NO_ADDRESS_HINT },
	{ ABOUT_TRAP, ESTALE,
	  "the process replaced a buffer while it was allocated", "try again" },
	{ ABOUT_TRAP, EPERM,
	  "the handler is not in a buffer of the session, or users cannot stop waves on this machine (halt_seconds is 0)",
	  "put the handler into a buffer, or run as root (CAP_SYS_ADMIN)" },
	{ ABOUT_TRAP, ENOTCONN,
	  "the session has no target, or the target has exited",
	  "select a process" },
	{ ABOUT_ANY, EPERM, "not permitted",
	  "select a process of yours, or run as root (CAP_SYS_PTRACE)" },
	{ ABOUT_ANY, EACCES, "no permission", "run as root" },
	{ ABOUT_ANY, EOPNOTSUPP,
	  "this GPU, its driver or the module does not support this",
	  "the list of capabilities has the reason" },
	{ ABOUT_ANY, ENOTTY, "the module does not know this call",
	  "load a newer amdgpudbg.ko" },
	{ ABOUT_ANY, E2BIG, "the module is too old for this call",
	  "load a newer amdgpudbg.ko" },
	{ ABOUT_ANY, ENODEV, "the GPU is gone",
	  "it was unbound or unplugged; open it again when it is bound" },
	{ ABOUT_ANY, EBUSY, "busy", "try again later" },
	{ ABOUT_ANY, EIO, "a register did not keep the written value",
	  "see the kernel log" },
	{ ABOUT_ANY, ETIMEDOUT, "the hardware did not answer in time",
	  "see the kernel log" },
	{ ABOUT_ANY, EINVAL, "a value is not valid", NULL },
	{ ABOUT_ANY, ERANGE, "a number is too large", NULL },
	{ ABOUT_ANY, EOVERFLOW, "the address or size does not fit in a 32-bit program",
	  "use a 64-bit program" },
	{ ABOUT_ANY, EFAULT, "a buffer is not accessible", NULL },
	{ ABOUT_ANY, ENOMEM, "out of memory", NULL },
	{ ABOUT_ANY, EINTR, "interrupted by a signal", "call it again" },
	{ ABOUT_ANY, ENOENT, "not found", NULL },
	{ ABOUT_ANY, ESRCH, "no such process", NULL },
	{ ABOUT_ANY, ENOTCONN, "the session has no target, or the target has exited",
	  NULL },
	{ ABOUT_ANY, EAGAIN, "not available yet", "try again" },
	{ ABOUT_ANY, ENOSYS, "the kernel is too old", NULL },
	{ ABOUT_ANY, EMFILE, "too many open files", NULL },
	{ ABOUT_ANY, 0, "success", NULL },
};

#define END_OTHER "close the other debugger"

/* By enum amdgpudbg_busy_cause */
static const struct errtext busy_texts[] = {
	[AMDGPUDBG_BUSY_RESET] = { .text = "the GPU is being reset",
		.hint = "try again when the reset is over" },
	[AMDGPUDBG_BUSY_SLEEP] = { .text = "the system is about to sleep",
		.hint = "try again when it is awake" },
	[AMDGPUDBG_BUSY_HALT_EXPIRED] = {
		.text = "users have used up the time for which they can stop waves",
		.hint = "try again later, or run as root (CAP_SYS_ADMIN)" },
	[AMDGPUDBG_BUSY_TARGET] = {
		.text = "the session already has a target" },
	[AMDGPUDBG_BUSY_IN_USE] = {
		.text = "the buffer contains the session's trap handler",
		.hint = "remove the handler first" },
	[AMDGPUDBG_BUSY_WAVE] = {
		.text = "another session has halted the waves or put them in debug mode",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_TRAP_HANDLER] = {
		.text = "another session has set a trap handler",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_LAUNCH] = {
		.text = "another session has set how waves start",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_VMID_SESSION] = {
		.text = "another session has the only VMID that can be reserved",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_VMID_RESERVED] = {
		.text = "another process has reserved the only VMID that can be reserved",
		.hint = "try again when it has ended" },
	[AMDGPUDBG_BUSY_VMID_JOBS] = {
		.text = "another process still has jobs in the VMID reserved for the target",
		.hint = "try again when they have ended" },
	[AMDGPUDBG_BUSY_VMID_LOST] = {
		.text = "the process released its VMID, or shares it with another process",
		.hint = "try again" },
	[AMDGPUDBG_BUSY_MOVED] = {
		.text = "the process's memory is being moved, or is locked until a job of the process ends",
		.hint = "try again" },
	[AMDGPUDBG_BUSY_PATCH] = {
		.text = "another session has a patch at this address",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_WATCH] = {
		.text = "all watches are in use, some by another session",
		.hint = END_OTHER },
	[AMDGPUDBG_BUSY_ISOLATION] = {
		.text = "all processes use one VMID in turns (enforce_isolation of amdgpu)",
		.hint = ISOLATION_HINT },
	[AMDGPUDBG_BUSY_DISPLAY] = {
		.text = "graphics waves would stop while a display of this GPU shows a picture",
		.hint = "debug from another machine or a text console, or use the force option" },
	[AMDGPUDBG_BUSY_WAVE_SAVED] = {
		.text = "the wave is saved in memory and has no slot",
		.hint = "try again when it runs" },
};

/* Texts for an unusual origin of -EBUSY, by enum amdgpudbg_busy_by */
static const struct errtext busy_by_texts[] = {
	[AMDGPUDBG_BUSY_BY_LEFT] = {
		.text = "changes of a closed session are not undone yet",
		.hint = "try again" },
	[AMDGPUDBG_BUSY_BY_AMDKFD] = {
		.text = "a debugger has set by amdkfd how waves start",
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

/* The jobs belong to the target itself, AMDGPUDBG_BUSY_BY_NONE */
static const struct errtext own_jobs_text = {
	.text = "the process has jobs that began before its trap handler was set",
	.hint = "try again when they have ended",
};

/* Get the text for the cause of the session's last -EBUSY; NULL: it is not known. */
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
