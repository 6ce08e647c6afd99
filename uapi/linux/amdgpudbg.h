/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The kernel interface of amdgpudbg, the wave debugger for AMD GPUs.
 *
 * This file is the whole ABI between amdgpudbg.ko and user space. Programs
 * should use libamdgpudbg (lib/include/amdgpudbg.h) rather than these ioctls.
 */
#ifndef _UAPI_LINUX_AMDGPUDBG_H
#define _UAPI_LINUX_AMDGPUDBG_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: General rules
 *
 * Each GPU has a character device, ``/dev/amdgpudbgN``. Opening it creates a
 * session. The session owns everything that it changes on the GPU. Closing its last file
 * descriptor, also by the death of the process, restores all of that.
 *
 * Open the node with O_RDWR to control waves. A descriptor that was opened with O_RDONLY can
 * only read. Calls that change the GPU or the target give -EBADF, as write(2) does:
 * %AMDGPUDBG_IOC_WAVE_SNAPSHOT,
 * %AMDGPUDBG_IOC_WAVE_CONTROL, %AMDGPUDBG_IOC_WAVE_BATCH, %AMDGPUDBG_IOC_MEM_ALLOC,
 * %AMDGPUDBG_IOC_MEM_FREE, %AMDGPUDBG_IOC_TRAP_HANDLER, %AMDGPUDBG_IOC_WATCH_SET,
 * %AMDGPUDBG_IOC_WATCH_CLEAR and %AMDGPUDBG_IOC_LAUNCH_SET; and with a flag WRITE (or
 * UNPATCH) %AMDGPUDBG_IOC_REG_ACCESS, %AMDGPUDBG_IOC_REG_BATCH, %AMDGPUDBG_IOC_MEM_COPY and
 * %AMDGPUDBG_IOC_VM_ACCESS. All other calls are allowed, also %AMDGPUDBG_IOC_TARGET_SET and
 * %AMDGPUDBG_IOC_EVENT_ENABLE, which change only the session.
 *
 * A user (real user ID) can have at most AMDGPUDBG_SESSION_MAX sessions open at a time, on
 * all GPUs together; opening one more fails with -EMFILE. CAP_SYS_RESOURCE in the initial
 * user namespace lifts this limit.
 *
 * Every ioctl argument is a structure whose first member is ``size``. The caller sets it to
 * the size of the structure with which it was compiled:
 *
 *  - A structure shorter than its first published version (AMDGPUDBG_*_SIZE_V1) gives
 *    -EINVAL.
 *  - A structure longer than the module's, up to AMDGPUDBG_SIZE_MAX, is accepted if all
 *    bytes that the module does not know are zero, and gives -E2BIG otherwise.
 *  - Members that a shorter structure lacks are taken as zero. Zero always selects the
 *    behaviour from before the member existed.
 *  - Members named ``__reserved`` must be zero, else the call gives -EINVAL.
 *
 * This interface is not frozen: until the first release, AMDGPUDBG_ABI_VERSION is 0, and
 * each change may move members and reuse numbers. Until then, compile a program with the
 * header of the module that it uses. From version 1 on, numbers are never reused, members
 * are only appended, and each release that appends anything increments
 * AMDGPUDBG_ABI_VERSION. Structures have the same layout for 32-bit and 64-bit callers.
 *
 * A call that fails has changed nothing on the GPU, unless its description says otherwise.
 * Output memory is checked before anything changes. If another thread unmaps it during the
 * call, the call gives -EFAULT although its changes have been made; only a new buffer or
 * watch is removed again, because the caller does not know its number.
 *
 * DOC: Scope and authority
 *
 * A session without a target acts on the waves of all processes. Each of its calls that
 * reads or changes waves needs a capability in the initial user namespace:
 *
 * ================ =========================================================
 * CAP_PERFMON      list waves without stopping them, list jobs, and receive events, as this
 *                  capability allows sampling all processes: %AMDGPUDBG_IOC_WAVE_LIST,
 *                  %AMDGPUDBG_IOC_JOB_LIST, %AMDGPUDBG_IOC_EVENT_ENABLE
 * CAP_SYS_PTRACE   the above; also read and control waves, as this capability allows
 *                  debugging every process: %AMDGPUDBG_IOC_WAVE_SNAPSHOT,
 *                  %AMDGPUDBG_IOC_WAVE_CONTROL, %AMDGPUDBG_IOC_WAVE_BATCH,
 *                  %AMDGPUDBG_IOC_REG_ACCESS, %AMDGPUDBG_IOC_REG_BATCH
 * CAP_SYS_ADMIN    the above. Some operations need it also with a target: keep waves
 *                  stopped without a time limit (see below), leave them halted
 *                  (AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED), enable exceptions for all VMIDs
 *                  (%AMDGPUDBG_IOC_LAUNCH_SET), and set a trap handler that is not in a
 *                  buffer of the session (%AMDGPUDBG_IOC_TRAP_HANDLER)
 * ================ =========================================================
 *
 * A session with a target (%AMDGPUDBG_IOC_TARGET_SET) acts on this target only, also if the
 * caller is root, and needs no capability: the caller can only have got the target's DRM
 * file from its owner, or by pidfd_getfd(), which includes the kernel's ptrace check. Such a
 * session does not see waves and VMIDs of other processes. After the target has exited, its
 * calls give -ENOTCONN until another target is set or the target is cleared; it does not
 * fall back to the whole GPU.
 *
 * A session that wants to change what another session has changed gets -EBUSY;
 * %AMDGPUDBG_IOC_GET_BUSY then reports the other session's process.
 *
 * DOC: Addresses
 *
 * An address of a target, and the PC of a wave, has @va_bits bits (&struct amdgpudbg_info).
 * The module returns addresses sign-extended to 64 bits, as amdgpu's own interface does. It
 * accepts them sign-extended or zero-extended, as hardware registers have them. Any other
 * number is not an address: no memory and no wave is found there, and a call that would set
 * something there gives -EINVAL.
 *
 * DOC: How long waves may be stopped
 *
 * While sessions have waves stopped, the jobs on the graphics and compute rings do not time
 * out (%AMDGPUDBG_CAP_TIMEOUT_HOLD). The driver then neither resets a GPU whose waves are
 * halted nor notices one that really hangs.
 *
 * Callers without CAP_SYS_ADMIN, all of them together, can therefore keep waves stopped only
 * for a limited time: the module's parameter halt_seconds, 60 by default. The time counts
 * while a session of such a caller has halted waves, whether they were halted by its calls,
 * by its trap handler, or because they started halted. It also counts while the session
 * stalls a VMID whose waves may be waiting. A trap handler or launch mode alone does not
 * count. When the time is over, the waves of these sessions are resumed, their patches and
 * launch modes are removed, and they receive %AMDGPUDBG_EVENT_HALT_EXPIRED. Calls that stop
 * waves, or set what may stop them, then give -EBUSY until every job could have timed out
 * once. After the same time without a stop, the full time is available again. @halt_left_ms
 * and @halt_wait_ms of &struct amdgpudbg_info have the current values. If halt_seconds is 0,
 * these callers cannot stop waves at all: -EPERM.
 *
 * After the last wave was resumed, a job has as much time left as before the stop. If
 * callers with CAP_SYS_ADMIN had waves stopped, it has its full time again.
 *
 * DOC: Displays
 *
 * A halted graphics wave blocks the graphics ring, and so the picture of a compositor that
 * uses the same GPU. If the debugger runs in a window of that compositor, its user cannot
 * resume the wave. Calls that stop waves therefore give -EBUSY with %AMDGPUDBG_BUSY_DISPLAY
 * while all of these are true:
 *
 *  - a CRTC of the GPU is active;
 *  - the GPU's primary node has a DRM master, or a DRM lease of it exists (a master alone
 *    proves little, because the first process that opens a primary node becomes one);
 *  - a job of the target, or without a target of any process, is on a graphics ring.
 *
 * The check is made by %AMDGPUDBG_WAVEOP_HALT, %AMDGPUDBG_IOC_WAVE_SNAPSHOT with HOLD,
 * %AMDGPUDBG_IOC_LAUNCH_SET with a mode or a stall, and %AMDGPUDBG_IOC_TRAP_HANDLER. Their
 * FORCE flags skip it, for users who reach the debugger without that picture.
 *
 * DOC: Errors
 *
 * ============= ============================================================
 * ENOTTY        unknown ioctl number; a file that is no DRM file of this GPU
 * E2BIG         the structure is newer than the module and uses new members
 * EFAULT        the structure, or a buffer that it names, is not accessible
 * EINVAL        a value is wrong, or a reserved member is not zero
 * EOPNOTSUPP    this GPU, driver or module cannot do it: an unknown flag or operation, or a
 *               capability that %AMDGPUDBG_IOC_GET_CAPABILITY reports as missing
 * EPERM         the caller lacks the privilege
 * EACCES        the memory is encrypted
 * ENXIO         the GPU has no such coordinate; the target has no memory at the
 *               address
 * ENODATA       the wave slot is empty
 * ESTALE        the wave slot holds another wave than the caller expects; the target
 *               replaced a buffer while it was allocated
 * EAGAIN        no event is in the queue (O_NONBLOCK)
 * EINPROGRESS   the wave is not halted: it is running, or in its trap handler
 * EBUSY         not possible now: %AMDGPUDBG_IOC_GET_BUSY reports the reason, and the
 *               process that causes it
 * ENOSPC        all watch slots, or all buffers or patches of the session, are in use, or
 *               too many freed buffers are still in the target
 * ENOENT        the session has no such buffer, watch or patch
 * EEXIST        the session has a patch at this address
 * EBADF         the file descriptor is not open; or the call changes the GPU or the target,
 *               and the node was opened for reading only
 * ESRCH         the process has exited
 * ECANCELED     an operation of a batch was not attempted
 * ENOTCONN      the session has no target, or its target has exited
 * EMSGSIZE      the buffer is too small; the required count is returned
 * ETIMEDOUT     the hardware did not answer in time
 * EIO           a register does not have the value that was written to it
 * ENODEV        the GPU was unbound, unplugged or shut down
 * ENOMEM        the kernel is out of memory
 * EADDRNOTAVAIL the target has no free addresses in the range for buffers
 * EINTR         a signal interrupted a waiting read(), and its handler does not restart
 *               calls (SA_RESTART)
 * ============= ============================================================
 */

#define AMDGPUDBG_ABI_VERSION	0	/* not frozen */

#define AMDGPUDBG_SIZE_MAX	4096	/* of a structure, and of a record of a list */

#define AMDGPUDBG_SESSION_MAX	256	/* open sessions of one user */
/* Former targets of one user's sessions whose DRM files are not closed yet */
#define AMDGPUDBG_USER_CLOSING_MAX	64

#define AMDGPUDBG_IOC_TYPE	0xE6

enum {
	AMDGPUDBG_CMD_BASE = 0x80,
	AMDGPUDBG_CMD_GET_INFO = 0x80,
	AMDGPUDBG_CMD_GET_CAPABILITY = 0x81,
	AMDGPUDBG_CMD_WAVE_LIST = 0x82,
	AMDGPUDBG_CMD_WAVE_CONTROL = 0x83,
	AMDGPUDBG_CMD_TARGET_SET = 0x84,
	AMDGPUDBG_CMD_WAVE_BATCH = 0x85,
	AMDGPUDBG_CMD_REG_ACCESS = 0x86,
	AMDGPUDBG_CMD_MEM_ALLOC = 0x87,
	AMDGPUDBG_CMD_MEM_FREE = 0x88,
	AMDGPUDBG_CMD_MEM_COPY = 0x89,
	AMDGPUDBG_CMD_TRAP_HANDLER = 0x8a,
	AMDGPUDBG_CMD_WATCH_SET = 0x8b,
	AMDGPUDBG_CMD_WATCH_CLEAR = 0x8c,
	AMDGPUDBG_CMD_LAUNCH_SET = 0x8d,
	AMDGPUDBG_CMD_EVENT_ENABLE = 0x8e,
	AMDGPUDBG_CMD_WAVE_SNAPSHOT = 0x8f,
	AMDGPUDBG_CMD_VM_ACCESS = 0x90,
	AMDGPUDBG_CMD_VM_LIST = 0x91,
	AMDGPUDBG_CMD_GET_BUSY = 0x92,
	AMDGPUDBG_CMD_JOB_LIST = 0x93,
	AMDGPUDBG_CMD_REG_BATCH = 0x94,
	AMDGPUDBG_CMD_QUEUE_LIST = 0x95,	/* reserved */
	AMDGPUDBG_CMD_PARTITION_LIST = 0x96,	/* reserved */
};

/**
 * struct amdgpudbg_wave_coord - the position of a wave slot in the GPU
 * @xcc: accelerator complex, 0 on GPUs that have only one
 * @se: shader engine
 * @sa: shader array within @se (SH in the headers of gfx9 and older)
 * @wgp: workgroup processor within @sa on gfx10 and later, compute unit before
 * @simd: SIMD within @wgp
 * @wave: slot within @simd
 * @__reserved: must be zero
 *
 * All members count from 0; &struct amdgpudbg_info has their bounds.
 */
struct amdgpudbg_wave_coord {
	__u16 xcc;
	__u16 se;
	__u16 sa;
	__u16 wgp;
	__u16 simd;
	__u16 wave;
	__u32 __reserved;
};

/**
 * struct amdgpudbg_info - AMDGPUDBG_IOC_GET_INFO: describe the GPU and the module
 * @size: sizeof(struct amdgpudbg_info)
 * @flags: must be zero
 * @abi_version: out, AMDGPUDBG_ABI_VERSION of the module
 * @gc_version: out, graphics core: major << 16 | minor << 8 | revision
 * @pci_domain: out, PCI address of the GPU
 * @pci_bus: out
 * @pci_device: out
 * @pci_function: out
 * @vendor_id: out, PCI identity
 * @device_id: out
 * @num_xcc: out, number of XCCs. This and the next members bound wave coordinates.
 * @num_se: out
 * @num_sa: out, shader arrays in one shader engine
 * @num_wgp: out, in one shader array, including harvested ones
 * @num_simd: out, in one WGP (gfx10 and later) or CU
 * @num_wave: out, slots in one SIMD
 * @num_vmid: out, other calls accept VMIDs from 1 to @num_vmid - 1
 * @first_kfd_vmid: out, this VMID and all greater ones belong to amdkfd, in each XCC
 * @num_capabilities: out, number of ids that AMDGPUDBG_IOC_GET_CAPABILITY accepts
 * @num_active_cu: out, compute units that are not harvested
 * @gpu_reset_count: out, resets of this GPU since the driver was bound to it, including
 *	resets of a single ring or job
 * @render_minor: out, minor number of the GPU's DRM render node
 * @regset: out, &enum amdgpudbg_regset
 * @driver_build_id: out, GNU build id of the loaded amdgpu.ko as hexadecimal text, empty if
 *	unknown
 * @module_version: out, version of amdgpudbg.ko as text
 * @halt_left_ms: out, how long callers without CAP_SYS_ADMIN may keep waves stopped from now
 *	on, in milliseconds; 0xffffffff: this time or longer
 * @halt_wait_ms: out, if @halt_left_ms is 0, in how many milliseconds these callers may stop
 *	waves again; 0xffffffff: never
 * @num_watch: out, number of address watches that the GPU has for all processes together
 * @watch_granule: out, smallest number of bytes that a watch can cover, a power of two
 * @watch_mask_ones: out, bits that must be set in @mask of &struct amdgpudbg_watch_set
 * @va_bits: out, bits of an address, see "Addresses"
 * @gpu_clock_khz: out, frequency of the counter behind the GPU's timestamps, such as those
 *	of %AMDGPUDBG_IOC_WAVE_LIST; 0 if the counter cannot be read
 * @event_mask: out, the events that can be enabled here: ``1 << type`` for each type of
 *	&enum amdgpudbg_event_type
 * @excp_supported: out, AMDGPUDBG_CAUSE_* that %AMDGPUDBG_IOC_LAUNCH_SET can enable
 * @unique_id: out, serial number of the GPU, 0 if it has none or amdgpu does not report it
 * @max_buffer_bytes: out, maximum size of a buffer, see AMDGPUDBG_IOC_MEM_ALLOC
 * @max_access_bytes: out, maximum size of one AMDGPUDBG_IOC_VM_ACCESS
 * @is_apu: out, 1 if the GPU shares the CPU's memory, else 0
 * @num_sgpr: out, number of %AMDGPUDBG_REG_SGPR registers, including VCC
 * @num_vgpr: out, number of %AMDGPUDBG_REG_VGPR registers; a wave may have fewer
 * @num_agpr: out, number of accumulation VGPRs, 0 if the GPU has none
 * @num_ttmp: out, number of %AMDGPUDBG_REG_TTMP registers
 * @lds_granule: out, unit of LDS_ALLOC.LDS_SIZE of a wave, in bytes
 * @wave_sizes: out, sum of the possible numbers of lanes of a wave: 32, 64, or both (96)
 * @max_trap_id: out, greatest trap id of %AMDGPUDBG_WAVEOP_TRAP
 * @max_reg_ranges: out, maximum number of ranges of one AMDGPUDBG_IOC_REG_ACCESS
 * @max_reg_values: out, maximum number of its values
 * @max_buffers: out, maximum number of buffers of a session
 * @max_patches: out, maximum number of patches of a session
 * @max_patch_bytes: out, maximum size of a patch
 * @max_batch: out, maximum number of operations of one AMDGPUDBG_IOC_WAVE_BATCH
 *
 * The limits are those of the running module. The constants of this header, such as
 * AMDGPUDBG_MEM_MAX_BUFFERS, are the limits of the header's own release; later releases
 * allow as much or more.
 *
 * Works at any time, also while the GPU sleeps, and accesses no register.
 */
struct amdgpudbg_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 gc_version;
	__u32 pci_domain;
	__u16 pci_bus;
	__u8 pci_device;
	__u8 pci_function;
	__u16 vendor_id;
	__u16 device_id;
	__u32 num_xcc;
	__u32 num_se;
	__u32 num_sa;
	__u32 num_wgp;
	__u32 num_simd;
	__u32 num_wave;
	__u32 num_vmid;
	__u32 first_kfd_vmid;
	__u32 num_capabilities;
	__u32 num_active_cu;
	__u32 gpu_reset_count;
	__u32 render_minor;
	__u32 regset;
	char driver_build_id[48];
	char module_version[32];
	__u32 halt_left_ms;
	__u32 halt_wait_ms;
	__u32 num_watch;
	__u32 watch_granule;
	__aligned_u64 watch_mask_ones;
	__u32 va_bits;
	__u32 gpu_clock_khz;
	__aligned_u64 event_mask;
	__aligned_u64 excp_supported;
	__aligned_u64 unique_id;
	__aligned_u64 max_buffer_bytes;
	__aligned_u64 max_access_bytes;
	__u32 is_apu;
	__u32 num_sgpr;
	__u32 num_vgpr;
	__u32 num_agpr;
	__u32 num_ttmp;
	__u32 lds_granule;
	__u32 wave_sizes;
	__u32 max_trap_id;
	__u32 max_reg_ranges;
	__u32 max_reg_values;
	__u32 max_buffers;
	__u32 max_patches;
	__u32 max_patch_bytes;
	__u32 max_batch;
};

/**
 * enum amdgpudbg_capability_id - what a GPU, its driver and the module can do
 * @AMDGPUDBG_CAP_WAVE_LIST: list live waves
 * @AMDGPUDBG_CAP_WAVE_HALT: halt waves
 * @AMDGPUDBG_CAP_WAVE_RESUME: resume waves
 * @AMDGPUDBG_CAP_WAVE_KILL: kill waves
 * @AMDGPUDBG_CAP_WAVE_DEBUG: put waves in debug mode
 * @AMDGPUDBG_CAP_WAVE_TRAP: make waves enter the trap handler
 * @AMDGPUDBG_CAP_GFXOFF_HOLD: keep the graphics core powered while it is used
 * @AMDGPUDBG_CAP_RUNTIME_PM: wake the GPU, and keep it awake while it is used
 * @AMDGPUDBG_CAP_RESET_LOCK: keep GPU resets out while registers are used
 * @AMDGPUDBG_CAP_VMID_PASID: report the PASID to which a wave's VMID belongs
 * @AMDGPUDBG_CAP_TIMEOUT_HOLD: keep the driver from resetting the GPU while a session has
 *	halted waves
 * @AMDGPUDBG_CAP_TARGET: act on the waves of one process, without privilege
 * @AMDGPUDBG_CAP_SNAPSHOT: list waves while all of them are halted
 * @AMDGPUDBG_CAP_WAVE_STEP: single-step a halted wave
 * @AMDGPUDBG_CAP_REG_READ: read registers of a wave
 * @AMDGPUDBG_CAP_REG_WRITE: write registers of a wave
 * @AMDGPUDBG_CAP_MEMORY: allocate buffers in the target's GPU address space
 * @AMDGPUDBG_CAP_TRAP_HANDLER: set the trap handler of the target
 * @AMDGPUDBG_CAP_WATCH: watch addresses
 * @AMDGPUDBG_CAP_LAUNCH_MODE: make new waves start halted or in debug mode
 * @AMDGPUDBG_CAP_EXCP_MASK: enable exceptions for new waves
 * @AMDGPUDBG_CAP_STALL: keep waves from starting
 * @AMDGPUDBG_CAP_EVENTS: report stops, exceptions and watch hits as events, by amdgpu's
 *	interrupts and without polling
 * @AMDGPUDBG_CAP_VMID_GUARD: waves of other processes are protected from what is set for a
 *	target's VMID; no gap in this protection is known
 * @AMDGPUDBG_CAP_VM_ACCESS: read, write and list the target's memory by address
 * @AMDGPUDBG_CAP_JOB_EVENTS: report the begin and end of jobs as events
 * @AMDGPUDBG_CAP_PATCH: patch the target's code
 * @AMDGPUDBG_CAP_PRECISE_MEM: stop waves at the failing memory access
 *	(AMDGPUDBG_LAUNCH_SET_PRECISE_MEM)
 * @AMDGPUDBG_CAP_PRECISE_ALU: stop waves at the instruction that raised an arithmetic
 *	exception (AMDGPUDBG_LAUNCH_SET_PRECISE_ALU)
 * @AMDGPUDBG_CAP_JOB_LIST: list the jobs on the GPU's rings
 *
 * @num_capabilities of &struct amdgpudbg_info has the number that the module knows.
 */
enum amdgpudbg_capability_id {
	AMDGPUDBG_CAP_WAVE_LIST = 0,
	AMDGPUDBG_CAP_WAVE_HALT = 1,
	AMDGPUDBG_CAP_WAVE_RESUME = 2,
	AMDGPUDBG_CAP_WAVE_KILL = 3,
	AMDGPUDBG_CAP_WAVE_DEBUG = 4,
	AMDGPUDBG_CAP_WAVE_TRAP = 5,
	AMDGPUDBG_CAP_GFXOFF_HOLD = 6,
	AMDGPUDBG_CAP_RUNTIME_PM = 7,
	AMDGPUDBG_CAP_RESET_LOCK = 8,
	AMDGPUDBG_CAP_VMID_PASID = 9,
	AMDGPUDBG_CAP_TIMEOUT_HOLD = 10,
	AMDGPUDBG_CAP_TARGET = 11,
	AMDGPUDBG_CAP_SNAPSHOT = 12,
	AMDGPUDBG_CAP_WAVE_STEP = 13,
	AMDGPUDBG_CAP_REG_READ = 14,
	AMDGPUDBG_CAP_REG_WRITE = 15,
	AMDGPUDBG_CAP_MEMORY = 16,
	AMDGPUDBG_CAP_TRAP_HANDLER = 17,
	AMDGPUDBG_CAP_WATCH = 18,
	AMDGPUDBG_CAP_LAUNCH_MODE = 19,
	AMDGPUDBG_CAP_EXCP_MASK = 20,
	AMDGPUDBG_CAP_STALL = 21,
	AMDGPUDBG_CAP_EVENTS = 22,
	AMDGPUDBG_CAP_VMID_GUARD = 23,
	AMDGPUDBG_CAP_VM_ACCESS = 24,
	AMDGPUDBG_CAP_JOB_EVENTS = 25,
	AMDGPUDBG_CAP_PATCH = 26,
	AMDGPUDBG_CAP_PRECISE_MEM = 27,
	AMDGPUDBG_CAP_PRECISE_ALU = 28,
	AMDGPUDBG_CAP_JOB_LIST = 29,
};

/**
 * enum amdgpudbg_reason - the reason why a capability is missing or limited
 * @AMDGPUDBG_REASON_NONE: the capability is available without limits
 * @AMDGPUDBG_REASON_REMARK: the capability is available, but differs from other GPUs
 * @AMDGPUDBG_REASON_GPU: the GPU, or its generation, does not support it
 * @AMDGPUDBG_REASON_DRIVER: the loaded amdgpu.ko does not support it, or the module does not
 *	recognise the layout of that driver's structures
 * @AMDGPUDBG_REASON_KFD: the target's waves run in VMIDs of amdkfd, where it is not possible
 * @AMDGPUDBG_REASON_NO_CWSR: amdkfd cannot save the target's waves (no CWSR), and resets the
 *	GPU if they are halted for too long
 * @AMDGPUDBG_REASON_ISOLATION: amdgpu's enforce_isolation is on (Linux 6.12)
 */
enum amdgpudbg_reason {
	AMDGPUDBG_REASON_NONE = 0,
	AMDGPUDBG_REASON_REMARK = 1,
	AMDGPUDBG_REASON_GPU = 2,
	AMDGPUDBG_REASON_DRIVER = 3,
	AMDGPUDBG_REASON_KFD = 4,
	AMDGPUDBG_REASON_NO_CWSR = 5,
	AMDGPUDBG_REASON_ISOLATION = 6,
};

/**
 * struct amdgpudbg_capability - AMDGPUDBG_IOC_GET_CAPABILITY: describe one capability
 * @size: sizeof(struct amdgpudbg_capability)
 * @flags: must be zero
 * @id: in, &enum amdgpudbg_capability_id; -EINVAL if the module does not know it
 * @supported: out, 1 if the capability is available, else 0
 * @reason_code: out, &enum amdgpudbg_reason
 * @__reserved: must be zero
 * @name: out, short name, such as "wave-halt"
 * @reason: out, a sentence: the reason if the capability is missing; if it is available,
 *	the deviations of this GPU or target observed so far; else empty
 *
 * In a session with a target, the answer is about that target: the waves of a process that
 * uses amdkfd run in VMIDs in which the module sets no registers. Without a target, the
 * answer is about processes that do not use amdkfd. Accesses no register.
 */
struct amdgpudbg_capability {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 supported;
	__u32 reason_code;
	__u32 __reserved;
	char name[32];
	char reason[144];
};

/**
 * enum amdgpudbg_busy_cause - the reason why a call gave -EBUSY
 * @AMDGPUDBG_BUSY_NONE: no call of the session gave -EBUSY
 * @AMDGPUDBG_BUSY_RESET: the GPU is being reset
 * @AMDGPUDBG_BUSY_SLEEP: the system is about to sleep
 * @AMDGPUDBG_BUSY_HALT_EXPIRED: callers without CAP_SYS_ADMIN have used up the time for
 *	which they may stop waves; they may stop waves again in @wait_ms
 * @AMDGPUDBG_BUSY_TARGET: the session already has a target
 * @AMDGPUDBG_BUSY_IN_USE: the buffer contains the session's own trap handler
 * @AMDGPUDBG_BUSY_WAVE: another session has halted the wave or put it in debug mode
 * @AMDGPUDBG_BUSY_TRAP_HANDLER: another session has set a trap handler
 * @AMDGPUDBG_BUSY_LAUNCH: another session, or amdkfd's debugger, has set how waves start
 * @AMDGPUDBG_BUSY_VMID_SESSION: another session has the only VMID that can be reserved, for
 *	another target; or waves of its target are still in its handler; or its target keeps
 *	the driver from releasing the VMID (Linux 6.1)
 * @AMDGPUDBG_BUSY_VMID_RESERVED: another process has reserved that VMID for itself
 * @AMDGPUDBG_BUSY_VMID_JOBS: @vmid is reserved for the target, but jobs of another process
 *	are still in it. For a patch, with %AMDGPUDBG_BUSY_BY_NONE: jobs of the target
 *	itself that began before its trap handler was set
 * @AMDGPUDBG_BUSY_VMID_LOST: the target has released its VMID, or the driver has let another
 *	process share it, see %AMDGPUDBG_EVENT_HANDLER_LOST
 * @AMDGPUDBG_BUSY_MOVED: the target's memory is being moved, or the target holds the lock
 *	of its address space
 * @AMDGPUDBG_BUSY_PATCH: another session has a patch at this address, or its patch is still
 *	being removed
 * @AMDGPUDBG_BUSY_WATCH: all watches are in use, some of them by another session
 * @AMDGPUDBG_BUSY_ISOLATION: all processes use one VMID in turns, so that none can be
 *	reserved for the target: amdgpu's enforce_isolation is on (Linux 6.12)
 * @AMDGPUDBG_BUSY_DISPLAY: graphics waves would stop while the process @pid shows a picture
 *	on a display of this GPU, see "Displays"
 * @AMDGPUDBG_BUSY_WAVE_SAVED: reserved: the wave is saved in memory and has no slot
 *
 * @by of &struct amdgpudbg_busy says which session or process causes it.
 *
 * Each structure of a call that can give -EBUSY has the same number in its member @busy. It
 * is about that call, while AMDGPUDBG_IOC_GET_BUSY may report a call of another thread. It
 * is %AMDGPUDBG_BUSY_NONE if the call succeeds, and is not written after any other error.
 */
enum amdgpudbg_busy_cause {
	AMDGPUDBG_BUSY_NONE = 0,
	AMDGPUDBG_BUSY_RESET = 1,
	AMDGPUDBG_BUSY_SLEEP = 2,
	AMDGPUDBG_BUSY_HALT_EXPIRED = 3,
	AMDGPUDBG_BUSY_TARGET = 4,
	AMDGPUDBG_BUSY_IN_USE = 5,
	AMDGPUDBG_BUSY_WAVE = 6,
	AMDGPUDBG_BUSY_TRAP_HANDLER = 7,
	AMDGPUDBG_BUSY_LAUNCH = 8,
	AMDGPUDBG_BUSY_VMID_SESSION = 9,
	AMDGPUDBG_BUSY_VMID_RESERVED = 10,
	AMDGPUDBG_BUSY_VMID_JOBS = 11,
	AMDGPUDBG_BUSY_VMID_LOST = 12,
	AMDGPUDBG_BUSY_MOVED = 13,
	AMDGPUDBG_BUSY_PATCH = 14,
	AMDGPUDBG_BUSY_WATCH = 15,
	AMDGPUDBG_BUSY_ISOLATION = 16,
	AMDGPUDBG_BUSY_DISPLAY = 17,
	AMDGPUDBG_BUSY_WAVE_SAVED = 18,
};

/**
 * enum amdgpudbg_busy_by - the origin of -EBUSY
 * @AMDGPUDBG_BUSY_BY_NONE: neither another session nor another process
 * @AMDGPUDBG_BUSY_BY_SESSION: another session, opened by the process @pid
 * @AMDGPUDBG_BUSY_BY_LEFT: remains of a session that has ended or has another target; they
 *	are removed without any further call
 * @AMDGPUDBG_BUSY_BY_PROCESS: a process that uses the GPU; @pasid if it is known
 * @AMDGPUDBG_BUSY_BY_AMDKFD: a debugger that uses amdkfd
 */
enum amdgpudbg_busy_by {
	AMDGPUDBG_BUSY_BY_NONE = 0,
	AMDGPUDBG_BUSY_BY_SESSION = 1,
	AMDGPUDBG_BUSY_BY_LEFT = 2,
	AMDGPUDBG_BUSY_BY_PROCESS = 3,
	AMDGPUDBG_BUSY_BY_AMDKFD = 4,
};

/**
 * struct amdgpudbg_busy - AMDGPUDBG_IOC_GET_BUSY: report the reason of the last -EBUSY
 * @size: sizeof(struct amdgpudbg_busy)
 * @flags: must be zero
 * @cause: out, &enum amdgpudbg_busy_cause
 * @pid: out, with BY_SESSION, the process that opened the other session, as numbered in the
 *	caller's PID namespace, also if it has ended and other processes use the session; 0
 *	if that namespace does not have it
 * @vmid: out, with VMID_JOBS, the VMID, else 0
 * @pasid: out, with VMID_JOBS, the PASID of the other process, 0 if it is not known
 * @wait_ms: out, with HALT_EXPIRED, after how many milliseconds the call can succeed,
 *	0xffffffff: never; else 0
 * @by: out, &enum amdgpudbg_busy_by
 *
 * Describes the last call of the session, or operation of a batch, that gave -EBUSY. Works
 * at any time and accesses no register.
 */
struct amdgpudbg_busy {
	__u32 size;
	__u32 flags;
	__u32 cause;
	__s32 pid;
	__u32 vmid;
	__u32 pasid;
	__u32 wait_ms;
	__u32 by;
};

/* amdgpudbg_target_set.flags */
#define AMDGPUDBG_TARGET_SET_TAKE_FD	(1U << 0)

/**
 * struct amdgpudbg_target_set - AMDGPUDBG_IOC_TARGET_SET: set or clear the target
 * @size: sizeof(struct amdgpudbg_target_set)
 * @flags: AMDGPUDBG_TARGET_SET_TAKE_FD: the call closes @drm_fd for the caller, whether it
 *	succeeds or fails, but without the flush that is a part of close(2). In that flush,
 *	amdgpu waits without a limit until the target's queued jobs have begun, and then up to
 *	a second until they have ended, and amdkfd preempts all queues of the target
 * @drm_fd: in, the target's own DRM file of this GPU, a render or primary node, as returned
 *	by pidfd_getfd(), SCM_RIGHTS or dup(). (Opening the target's /proc/PID/fd entry
 *	creates another file, with an address space of its own.) -1: clear the target
 * @pidfd: in, pidfd of the target. When that process exits, the session loses its target.
 *	-1: the session does not notice the exit, and the target's memory stays allocated
 *	until the session ends. The caller may close the pidfd after the call
 * @pasid: out, number of the target's address space, as "pasid:" in its fdinfo
 * @vmid_mask: out, the VMIDs that belong to it at the moment, one bit each
 * @xcc_mask: out, the XCCs on which its waves can run, one bit each
 * @halt_limit_ms: out, how long its waves can be halted, also by root, before the driver
 *	resets the GPU; 0: no limit. There is a limit for targets of amdkfd without CWSR
 *	(context save of waves), because preempting a queue has a timeout
 * @lds_aperture: out, address of LDS in the target's flat address space (SH_MEM_BASES of
 *	its VMID); 0 if it is not known, because a target of amdkfd has no VMID at the moment
 * @scratch_aperture: out, the same for scratch memory
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @__reserved: must be zero
 *
 * To find @drm_fd for a PID: readlink() the entries of /proc/PID/fd, call pidfd_getfd() for
 * those that begin with "/dev/dri/", and try each of them. -ENOTTY means that the file is not
 * a DRM file of this GPU. A process has one address space for each time that it opened a DRM
 * node; "pasid:" in /proc/PID/fdinfo distinguishes them. The target of a session is one of
 * these address spaces.
 *
 * From then on, all calls of the session are about the target only. The session keeps the
 * file open until the target exits, the session clears its target or is closed, or the GPU
 * is removed; before that, it restores what it has changed.
 *
 * A caller that keeps a descriptor of the target's file should not close it, or exit, while
 * waves of the target are halted: in close(2), amdgpu waits uninterruptibly for a lock that
 * the target may hold in a close(2) of its own until its jobs end.
 *
 * With AMDGPUDBG_TARGET_SET_TAKE_FD, @drm_fd stays open after an error only if the module
 * could not read the whole structure (-EFAULT for its address, -E2BIG, or -EINVAL for its
 * size), and after -EMFILE, because closing it could have to wait for jobs. If another thread
 * closes @drm_fd or replaces it by another file during the call, that result stays.
 *
 * Errors:
 *
 *  - -EBADF: @drm_fd is not open
 *  - -ENOTTY: @drm_fd is not a DRM file of this GPU
 *  - -EBUSY: the session already has a target
 *  - -EINVAL: @pidfd is not a pidfd; @pidfd is not -1 although @drm_fd is; @drm_fd is less
 *    than -1, or is -1 together with a flag
 *  - -ESRCH: the process of @pidfd has exited
 *  - -EOPNOTSUPP: the driver has not assigned a PASID to the address space
 *  - -EMFILE: AMDGPUDBG_USER_CLOSING_MAX files of former targets of the user's sessions are
 *    not closed yet, and the caller lacks CAP_SYS_RESOURCE in the initial user namespace.
 *    They are closed when these targets' jobs end
 *
 * The module closes the file of a former target as soon as no call uses it. If this is the
 * last descriptor of the file, the driver then waits for the target's jobs, and other files
 * of the GPU may have to wait for it. The call that clears the target does not wait.
 */
struct amdgpudbg_target_set {
	__u32 size;
	__u32 flags;
	__s32 drm_fd;
	__s32 pidfd;
	__u32 pasid;
	__u32 vmid_mask;
	__u32 xcc_mask;
	__u32 halt_limit_ms;
	__aligned_u64 lds_aperture;
	__aligned_u64 scratch_aperture;
	__u32 busy;
	__u32 __reserved;
};

/* amdgpudbg_wave.flags: the state of the wave, and which members are valid */
#define AMDGPUDBG_WAVE_HALTED	(1U << 0)	/* by a session, its handler or anything else */
#define AMDGPUDBG_WAVE_PRIV	(1U << 1)	/* in a trap handler */
#define AMDGPUDBG_WAVE_WAVE64	(1U << 2)	/* 64 lanes, else 32 */
#define AMDGPUDBG_WAVE_PASID	(1U << 3)	/* pasid is valid */
#define AMDGPUDBG_WAVE_TTMP	(1U << 4)	/* ttmp is valid */
#define AMDGPUDBG_WAVE_HAS_PC	(1U << 5)	/* pc is valid: all of PC was read */
#define AMDGPUDBG_WAVE_HAS_EXEC	(1U << 6)	/* exec is valid: all of EXEC was read */
#define AMDGPUDBG_WAVE_OWNED	(1U << 7)	/* halted by this session */
#define AMDGPUDBG_WAVE_OWNED_BY_OTHER	(1U << 8)	/* halted by another session */
#define AMDGPUDBG_WAVE_BY_HANDLER	(1U << 9)	/* halted by its trap handler */
#define AMDGPUDBG_WAVE_FATAL_HALT	(1U << 10)	/* halted by an error, cannot resume */
#define AMDGPUDBG_WAVE_BARRIER	(1U << 11)	/* waits at a barrier */
#define AMDGPUDBG_WAVE_HAS_HANDLER	(1U << 12)	/* has a trap handler */
#define AMDGPUDBG_WAVE_SAVED	(1U << 13)	/* reserved: saved to memory, no slot */

/**
 * DOC: Ids of waves
 *
 * A slot does not identify a wave, because another wave can start in it as soon as the wave
 * has ended. An id does: it is unique on all GPUs, and is not used again while the module is
 * loaded. No register contains such a number. Therefore a wave has an id only while the
 * module knows that no other wave can have taken its slot. That time begins when the wave
 * was seen halted and outside of its trap handler, and belongs to a session: because the
 * session halted it, its handler halted it, or it started halted. It ends when the wave is
 * resumed, by any session or by the end of one, is made to trap, or ends, or when the GPU is
 * reset. Single-stepping a wave and writing its registers do not change its id. A wave that
 * is resumed and halted again has another id. At all other times the id is 0, so a running
 * wave never has one. Waves in VMIDs of amdkfd never have one either, because amdkfd can save
 * them and restore them in other slots.
 *
 * Assumptions: a trap handler does not end its wave while that wave is single-stepped, and
 * root does not resume or kill halted waves by other means than the module.
 *
 * AMDGPUDBG_WAVE_SAVED, %AMDGPUDBG_BUSY_WAVE_SAVED and %AMDGPUDBG_EVENT_WAVE_MOVED are
 * reserved for waves that amdkfd saves. The module does not use them yet.
 */

/**
 * enum amdgpudbg_stage - the pipeline stage to which a wave belongs
 * @AMDGPUDBG_STAGE_UNKNOWN: not known
 * @AMDGPUDBG_STAGE_COMPUTE: compute
 * @AMDGPUDBG_STAGE_GRAPHICS: graphics, but the stage is not known
 * @AMDGPUDBG_STAGE_VERTEX: vertices or primitives (VS, NGG)
 * @AMDGPUDBG_STAGE_HULL: tessellation control (HS)
 * @AMDGPUDBG_STAGE_GEOMETRY: geometry (GS)
 * @AMDGPUDBG_STAGE_PIXEL: pixels (PS)
 *
 * On gfx10.3, a wave is COMPUTE according to its queue (HW_ID2.ME_ID), and GRAPHICS if
 * STATUS.MUST_EXPORT is set. A wave of the graphics queue that need not export is UNKNOWN: it
 * belongs to a dispatch in that queue, or to a stage that exports nothing.
 */
enum amdgpudbg_stage {
	AMDGPUDBG_STAGE_UNKNOWN = 0,
	AMDGPUDBG_STAGE_COMPUTE = 1,
	AMDGPUDBG_STAGE_GRAPHICS = 2,
	AMDGPUDBG_STAGE_VERTEX = 3,
	AMDGPUDBG_STAGE_HULL = 4,
	AMDGPUDBG_STAGE_GEOMETRY = 5,
	AMDGPUDBG_STAGE_PIXEL = 6,
};

/* Number of hardware registers in a record of this header */
#define AMDGPUDBG_WAVE_NUM_HW	32

/**
 * struct amdgpudbg_wave - one live wave, as read from its slot
 * @id: id of the wave, see "Ids of waves", 0 if it has none
 * @time: when the wave was read, in nanoseconds of CLOCK_MONOTONIC
 * @pc: program counter, byte address in the VMID's address space, see "Addresses"; valid
 *	with AMDGPUDBG_WAVE_HAS_PC, else 0
 * @exec: one bit for each active lane; valid with AMDGPUDBG_WAVE_HAS_EXEC, else 0
 * @hw_mask: which members of @hw were read, one bit each
 * @at: position of the slot
 * @flags: AMDGPUDBG_WAVE_*. On some GPUs WAVE64 needs a register (IB_STS2 on gfx10.3), and
 *	is set only if that register is in @hw_mask. OWNED, OWNED_BY_OTHER and BY_HANDLER are
 *	set only for halted waves. If a session halted a wave in its trap handler, and the
 *	handler then halted it too, BY_HANDLER is set
 * @vmid: VMID in which it runs
 * @pasid: PASID to which the VMID belonged when the wave was read; valid with
 *	AMDGPUDBG_WAVE_PASID. An idle VMID keeps its last PASID
 * @stage: &enum amdgpudbg_stage
 * @session_pid: with OWNED_BY_OTHER, the process that opened the other session, as numbered
 *	in the caller's PID namespace; 0 if that namespace does not have it, or if it belongs
 *	to another user and the caller lacks CAP_SYS_PTRACE in the initial user namespace
 * @pid: with AMDGPUDBG_WAVE_LIST_PID, the process whose address space the wave runs in, as
 *	@pid of &struct amdgpudbg_job; 0 if it is not known
 * @ttmp: TTMP0 to TTMP15, see AMDGPUDBG_WAVE_LIST_TTMP
 * @__reserved2: zero; for members of later releases (queue, dispatch, work-group)
 * @hw: values of hardware registers, indexed by their numbers in the GPU's register set, see
 *	@regset of &struct amdgpudbg_info. Registers that are not in @hw_mask are 0. Later
 *	releases append to this array; it begins at @hw_offset of &struct amdgpudbg_wave_list
 *
 * A running wave keeps running between the reads of its registers. Only the record of a
 * halted wave shows a single moment.
 */
struct amdgpudbg_wave {
	__aligned_u64 id;
	__aligned_u64 time;
	__aligned_u64 pc;
	__aligned_u64 exec;
	__aligned_u64 hw_mask;
	struct amdgpudbg_wave_coord at;
	__u32 flags;
	__u32 vmid;
	__u32 pasid;
	__u32 stage;
	__s32 session_pid;
	__s32 pid;
	__u32 ttmp[16];
	__u32 __reserved2[16];
	__u32 hw[AMDGPUDBG_WAVE_NUM_HW];
};

/* amdgpudbg_select.at_mask: which members of at are compared */
#define AMDGPUDBG_AT_XCC	(1U << 0)
#define AMDGPUDBG_AT_SE		(1U << 1)
#define AMDGPUDBG_AT_SA		(1U << 2)
#define AMDGPUDBG_AT_WGP	(1U << 3)
#define AMDGPUDBG_AT_SIMD	(1U << 4)
#define AMDGPUDBG_AT_WAVE	(1U << 5)

/**
 * struct amdgpudbg_select - the waves that a call is about
 * @xcc_mask: one bit for each XCC whose waves are selected; 0: all XCCs. -ENXIO if the GPU
 *	has no XCC of a bit's number
 * @vmid_mask: one bit for each VMID whose waves are selected; 0: all VMIDs of the target, or
 *	without a target all but VMID 0. -EINVAL for bit 0 and for bits beyond the last VMID
 * @pasid: select only waves of VMIDs that belong to this PASID; 0: of any PASID. Each call
 *	looks the PASID up, because the VMID of an address space changes
 * @at_mask: AMDGPUDBG_AT_*: the members of @at that are compared
 * @at: select only waves with these coordinates. Members that @at_mask does not name must be
 *	zero, else -EINVAL. -ENXIO if the GPU has no such coordinate
 * @wave_flags: the values that the flags of a wave must have, AMDGPUDBG_WAVE_*. -EINVAL for
 *	bits that are not in @wave_flags_mask
 * @wave_flags_mask: the flags that are compared; 0: none. -EOPNOTSUPP for SAVED and for
 *	flags that say which members are valid: TTMP, HAS_PC, HAS_EXEC
 * @stage_mask: select only waves of these stages, 1 << AMDGPUDBG_STAGE_*; 0: of any stage.
 *	-EINVAL for bits that are not a stage
 * @__reserved: must be zero
 *
 * A wave is selected if all conditions hold. All members zero select all waves of the
 * session's scope. A session with a target never selects waves of other processes.
 *
 * A VMID is a number within an XCC. A session without a target that names VMIDs on a GPU
 * with several XCCs must therefore name a single XCC in @xcc_mask, else -EINVAL.
 */
struct amdgpudbg_select {
	__u32 xcc_mask;
	__u32 vmid_mask;
	__u32 pasid;
	__u32 at_mask;
	struct amdgpudbg_wave_coord at;
	__u32 wave_flags;
	__u32 wave_flags_mask;
	__u32 stage_mask;
	__u32 __reserved[9];
};

/* Greatest timeout_ms of a call */
#define AMDGPUDBG_TIMEOUT_MS_MAX	1000

/*
 * amdgpudbg_wave_list.hw_want: what PC and EXEC need, whatever registers a generation has for
 * that. No register set has numbers as high as these bits.
 */
#define AMDGPUDBG_HW_WANT_EXEC	(1ULL << 62)	/* for AMDGPUDBG_WAVE_HAS_EXEC */
#define AMDGPUDBG_HW_WANT_PC	(1ULL << 63)	/* for AMDGPUDBG_WAVE_HAS_PC */

/* amdgpudbg_wave_list.flags */
#define AMDGPUDBG_WAVE_LIST_TTMP	(1U << 0)	/* read TTMPs of halted waves */
#define AMDGPUDBG_WAVE_LIST_HOLD	(1U << 1)	/* snapshot only: leave waves halted */
#define AMDGPUDBG_WAVE_LIST_GPU_TIME	(1U << 2)	/* read gpu_time */
#define AMDGPUDBG_WAVE_LIST_FORCE	(1U << 3)	/* HOLD only: see "Displays" */
#define AMDGPUDBG_WAVE_LIST_PID		(1U << 4)	/* fill pid */

/**
 * struct amdgpudbg_wave_list - AMDGPUDBG_IOC_WAVE_LIST, AMDGPUDBG_IOC_WAVE_SNAPSHOT: list
 *	live waves
 * @size: sizeof(struct amdgpudbg_wave_list)
 * @flags: AMDGPUDBG_WAVE_LIST_*. TTMP: fill @ttmp of waves that are halted and not in their
 *	trap handler. HOLD (SNAPSHOT only): leave the waves halted that the call halted.
 *	GPU_TIME: read the GPU's counter to @gpu_time; -EOPNOTSUPP if @gpu_clock_khz of
 *	&struct amdgpudbg_info is 0. FORCE (with HOLD only): see "Displays". PID: fill @pid of
 *	the records, which takes a lock of the DRM device after the waves were read, and
 *	reads no register
 * @select: in, the waves to list
 * @hw_want: in, the hardware registers to read, one bit for each number in the GPU's register
 *	set, and AMDGPUDBG_HW_WANT_* for those that @pc and @exec need on any GPU; 0: the
 *	default registers of this GPU. See below. -EOPNOTSUPP if the GPU lacks one of them
 * @waves: in, address of the buffer
 * @entry_size: in, distance between two records in the buffer, at least the size of the first
 *	published &struct amdgpudbg_wave and at most AMDGPUDBG_SIZE_MAX. If it is greater than
 *	the module's record, the rest is set to zero; if it is smaller, the end of the record
 *	is cut off
 * @capacity: in, number of records that fit in the buffer
 * @count: out, number of live waves that @select selects. If it is greater than @capacity,
 *	the call gives -EMSGSIZE, and the first @capacity records are valid
 * @num_halted: out, number of waves that SNAPSHOT halted
 * @gpu_reset_count: out, see &struct amdgpudbg_info
 * @timeout_ms: in, SNAPSHOT only, else zero: time limit for halting the waves, and then for
 *	resuming them, in milliseconds; 0: 200. At most AMDGPUDBG_TIMEOUT_MS_MAX, else -EINVAL
 * @hw_offset: out, offset of the hardware registers in a record. Members that later releases
 *	add are before it
 * @num_hw: out, number of hardware registers that a record has, as limited by the module and
 *	by @entry_size
 * @time: out, nanoseconds of CLOCK_MONOTONIC: when the call began to read waves; for
 *	SNAPSHOT, a moment at which all of them were halted
 * @gpu_time: out, with GPU_TIME, value at @time of the counter behind the GPU's timestamps,
 *	in units of 1 / @gpu_clock_khz ms; else 0
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @__reserved: must be zero
 *
 * For each wave, the call reads HW_ID2 for the VMID, STATUS for the flags (on other GPUs,
 * their equivalents), and the registers of @hw_want; @hw_mask includes the first two. @pc
 * needs PC_LO and PC_HI (AMDGPUDBG_HW_WANT_PC); @exec needs EXEC_LO and EXEC_HI
 * (AMDGPUDBG_HW_WANT_EXEC), also for a wave with 32 lanes. A sampler that wants the PC and
 * the state of each wave sets AMDGPUDBG_HW_WANT_PC alone, which costs four register reads for
 * each wave. To find the waves, the call also reads one register of each SIMD, or of each slot
 * if the GPU cannot report the used slots; one for the PASID of each VMID that has waves; and
 * with a target, a few for the target's VMIDs. The registers of a halted wave are read twice.
 * Another wave can start in a slot while it is read. If @hw_want is 0 or has HW_ID2, HW_ID2
 * is read again at the end, and the slot is left out if its wave has changed.
 *
 * The records are in the order of the coordinates. LIST halts no wave. Waves that begin or
 * end during the call may be missing; no wave is listed twice. When the call returns,
 * %AMDGPUDBG_EVENT_JOB_BEGIN can be read for the job of each listed wave.
 *
 * SNAPSHOT halts all waves of the scope that the XCCs, VMIDs and PASID of @select name, and
 * keeps new waves from starting, before it reads the first one. So all records show the same
 * moment. It resumes the waves that it halted before it returns, unless their trap handler
 * has halted them in between, see AMDGPUDBG_IOC_TRAP_HANDLER. The other members of @select
 * choose the waves to list, not the waves to halt. A wave that is in its trap handler keeps
 * running there, also if it is halted, see AMDGPUDBG_WAVE_PRIV.
 *
 * With HOLD, the waves stay halted and belong to the session as if AMDGPUDBG_IOC_WAVE_CONTROL
 * had halted them, also if the call gives -EMSGSIZE.
 *
 * While a slot is read, a wave of another process can start in it and end again. Therefore
 * no wave of the target starts during a SNAPSHOT, or during a LIST without CAP_SYS_ADMIN, and
 * all records are of the target's waves. During a LIST with CAP_SYS_ADMIN waves do start, and
 * in that rare case a record mixes registers of two waves.
 *
 * -EBADF: SNAPSHOT, but the node was opened for reading only.
 *
 * -ETIMEDOUT: not all waves halted in time, or resumed afterwards. The call has resumed the
 * waves that it halted.
 */
struct amdgpudbg_wave_list {
	__u32 size;
	__u32 flags;
	struct amdgpudbg_select select;
	__aligned_u64 hw_want;
	__aligned_u64 waves;
	__u32 entry_size;
	__u32 capacity;
	__u32 count;
	__u32 num_halted;
	__u32 gpu_reset_count;
	__u32 timeout_ms;
	__u32 hw_offset;
	__u32 num_hw;
	__aligned_u64 time;
	__aligned_u64 gpu_time;
	__u32 busy;
	__u32 __reserved;
};

/*
 * enum amdgpudbg_waveop and enum amdgpudbg_wavemode keep the numbers of
 * HSA_DBG_WAVEOP and HSA_DBG_WAVEMODE (Linux 5.10 amdkfd/kfd_dbgmgr.h). They
 * are translated to each generation's SQ_CMD in the module.
 */

/**
 * enum amdgpudbg_waveop - what to do with waves
 * @AMDGPUDBG_WAVEOP_HALT: halt: stop issuing instructions
 * @AMDGPUDBG_WAVEOP_RESUME: resume halted waves
 * @AMDGPUDBG_WAVEOP_KILL: end the waves at once
 * @AMDGPUDBG_WAVEOP_DEBUG: debug mode: enter the trap handler after each instruction
 * @AMDGPUDBG_WAVEOP_TRAP: enter the trap handler once
 * @AMDGPUDBG_WAVEOP_STEP: execute one instruction of a halted wave, and halt it again.
 *	Single waves only; not an HSA operation
 */
enum amdgpudbg_waveop {
	AMDGPUDBG_WAVEOP_HALT = 1,
	AMDGPUDBG_WAVEOP_RESUME = 2,
	AMDGPUDBG_WAVEOP_KILL = 3,
	AMDGPUDBG_WAVEOP_DEBUG = 4,
	AMDGPUDBG_WAVEOP_TRAP = 5,
	AMDGPUDBG_WAVEOP_STEP = 16,
};

/**
 * enum amdgpudbg_wavemode - the waves on which an operation acts
 * @AMDGPUDBG_WAVEMODE_SINGLE: the wave at the given coordinate
 * @AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS: all waves of the given VMID
 * @AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU: all waves of the given VMID on the WGP (gfx10
 *	and later) or CU of the given coordinate
 * @AMDGPUDBG_WAVEMODE_SELECT: the waves that @select of &struct amdgpudbg_wave_control
 *	selects. Not an HSA mode
 * @AMDGPUDBG_WAVEMODE_ID: the wave with the given id, in any slot. Not an HSA mode
 */
enum amdgpudbg_wavemode {
	AMDGPUDBG_WAVEMODE_SINGLE = 0,
	AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS = 2,
	AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU = 3,
	AMDGPUDBG_WAVEMODE_SELECT = 16,
	AMDGPUDBG_WAVEMODE_ID = 17,
};

/* amdgpudbg_wave_control.flags */
#define AMDGPUDBG_WAVE_CONTROL_EXPECT_PC	(1U << 0)
#define AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED	(1U << 1)
#define AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF	(1U << 2)
#define AMDGPUDBG_WAVE_CONTROL_EXPECT_ID	(1U << 3)
#define AMDGPUDBG_WAVE_CONTROL_FORCE		(1U << 4)	/* HALT only: see "Displays" */

/**
 * struct amdgpudbg_wave_control - AMDGPUDBG_IOC_WAVE_CONTROL: halt, resume, step, trap or
 *	kill waves
 * @size: sizeof(struct amdgpudbg_wave_control)
 * @flags: AMDGPUDBG_WAVE_CONTROL_EXPECT_PC (%AMDGPUDBG_WAVEMODE_SINGLE and _ID only):
 *	the wave's PC must be @pc, else -ESTALE.
 *	AMDGPUDBG_WAVE_CONTROL_EXPECT_ID (%AMDGPUDBG_WAVEMODE_SINGLE only): the wave must
 *	have the id @id, else -ESTALE, or -ENODATA if the slot is empty.
 *	AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED (%AMDGPUDBG_WAVEOP_HALT only): the waves stay
 *	halted after the session is closed, but not beyond a sleep of the system; needs
 *	CAP_SYS_ADMIN.
 *	AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF (%AMDGPUDBG_WAVEOP_DEBUG only): end debug mode.
 * @op: in, &enum amdgpudbg_waveop
 * @mode: in, &enum amdgpudbg_wavemode
 * @vmid: in, VMID of the waves, 1 to num_vmid - 1 of &struct amdgpudbg_info; zero
 *	with SELECT. The hardware acts on waves of this VMID only (SQ_CMD.CHECK_VMID); a
 *	single wave of another VMID gives -ESTALE. In a session with a target, 0 stands for
 *	all VMIDs of the target; a VMID of another process, or the slot of a wave of another
 *	process, gives -ENODATA.
 * @trap_id: in, %AMDGPUDBG_WAVEOP_TRAP only, else zero: 0 to 15 on gfx9 and
 *	later, 0 to 7 before. Waves in VMIDs of amdkfd (@first_kfd_vmid of &struct
 *	amdgpudbg_info) give -EOPNOTSUPP, because their handler is the ROCm runtime's, which
 *	ends the program at a trap that it does not expect
 * @at: in, the coordinate of the wave (SINGLE); @at.wave and @at.simd zero (PROCESS_CU); all
 *	zero (PROCESS, SELECT). Out with ID: the coordinate of the wave
 * @pc: in, with EXPECT_PC, the PC of the wave, else zero
 * @id: in, with EXPECT_ID and ID, the id of the wave, see "Ids of waves". -EINVAL if it is 0
 *	with them; -ESTALE if no wave of the session's scope has this id. Otherwise ignored
 *	with SINGLE, and zero with all other modes. Out, with SINGLE and
 *	%AMDGPUDBG_WAVEOP_HALT, the id of the halted wave for later calls, or 0 if it has
 *	none, for example in a trap handler; with SINGLE and any other operation, without
 *	EXPECT_ID, 0
 * @timeout_ms: in, time limit for the waves to reach the requested state, in milliseconds; 0:
 *	200. At most AMDGPUDBG_TIMEOUT_MS_MAX, else -EINVAL
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @select: in, with SELECT, the waves, in all selected VMIDs together, else all zero. STEP
 *	gives -EINVAL with SELECT
 * @matched: out, number of live waves on which the call acted; with RESUME, of halted waves
 * @changed: out, number of them that were in the requested state afterwards
 * @new_pc: out, with STEP, PC of the wave after the step
 *
 * With SELECT, the state of a wave before the call decides whether it is selected. HALT also
 * halts waves that start during the call, unless @select has flags or a slot; in that case
 * no wave of these VMIDs starts during the call. If no wave is selected, the call succeeds
 * and @matched is 0, as with PROCESS. RESUME with the wave flag AMDGPUDBG_WAVE_OWNED selects
 * the waves that this session has halted. Without that flag, a selected wave that another
 * session has halted gives -EBUSY, and nothing changes.
 *
 * The requested state is: halted (HALT), not halted (RESUME), ended (KILL), in or out of debug
 * mode (DEBUG), halted again (STEP). With RESUME, @changed also counts waves that their trap
 * handler had halted before and that are halted after the call: they were resumed and have
 * stopped again. With TRAP, it counts the waves that have a trap handler, because only they
 * can enter one. STEP gives -EINPROGRESS if the wave was not halted or is in its trap handler,
 * where it runs. If the stepped instruction ends the wave, STEP succeeds with @matched 1 and
 * @changed 0.
 *
 * KILL, DEBUG and TRAP act on running and halted waves; no other waves of their VMIDs start
 * during the call. A running wave can have left @pc when the operation reaches it, but it is
 * the wave that was at @pc. Waves that start after the call are not affected. Debug mode
 * ends with the session that began it. Closing a session resumes the waves that it halted.
 * For waves that another session halted, all operations but HALT give -EBUSY. While a session
 * has halted waves, jobs do not time out; the jobs of waves that a closed session left halted
 * do. For callers without CAP_SYS_ADMIN the time is limited: see "How long waves may be
 * stopped", also for -EBUSY and -EPERM.
 *
 * -EBADF: the node was opened for reading only.
 *
 * -ETIMEDOUT: a wave did not reach the requested state in time; @matched and @changed are
 * valid, and the other waves keep their new state.
 */
struct amdgpudbg_wave_control {
	__u32 size;
	__u32 flags;
	__u32 op;
	__u32 mode;
	__u32 vmid;
	__u32 trap_id;
	struct amdgpudbg_wave_coord at;
	__aligned_u64 pc;
	__aligned_u64 id;
	__u32 timeout_ms;
	__u32 busy;
	struct amdgpudbg_select select;
	__u32 matched;
	__u32 changed;
	__aligned_u64 new_pc;
};

/**
 * struct amdgpudbg_batch_op - one operation of a batch
 * @error: out, 0 or a negative errno value; -ECANCELED if the operation was not attempted;
 *	it can be repeated in another batch
 * @__reserved: must be zero
 * @control: as for AMDGPUDBG_IOC_WAVE_CONTROL, with its own size. It is the last member,
 *	because it can grow
 */
struct amdgpudbg_batch_op {
	__s32 error;
	__u32 __reserved;
	struct amdgpudbg_wave_control control;
};

/* amdgpudbg_wave_batch.flags */
#define AMDGPUDBG_WAVE_BATCH_CONTINUE	(1U << 0)	/* do not stop at an error */

#define AMDGPUDBG_WAVE_BATCH_MAX	1024

/**
 * struct amdgpudbg_wave_batch - AMDGPUDBG_IOC_WAVE_BATCH: execute several operations on waves
 * @size: sizeof(struct amdgpudbg_wave_batch)
 * @flags: AMDGPUDBG_WAVE_BATCH_*
 * @entry_size: in, distance between two operations in memory, at least the size of the first
 *	published &struct amdgpudbg_batch_op and at most AMDGPUDBG_SIZE_MAX. The bytes after
 *	@control are not accessed
 * @count: in, number of operations, 1 to AMDGPUDBG_WAVE_BATCH_MAX
 * @done: out, number of operations that succeeded
 * @busy: out, see &enum amdgpudbg_busy_cause; each operation has its own in its @control
 * @ops: in, address of the operations; each is written back
 *
 * The operations are executed in order. All of them are checked before the first one is
 * executed; if one is invalid, the call fails and changes nothing. After that, the call
 * succeeds, and errors are reported in the operations.
 *
 * Calls of other sessions can be executed between two operations of the batch, but only
 * after they have waited for 50 ms. If the caller has lost the permission by then, the
 * next operation reports the error.
 *
 * After an operation that failed, the others are attempted only with
 * %AMDGPUDBG_WAVE_BATCH_CONTINUE. No operation is started after the call has taken a second,
 * except the first one.
 *
 * -EBADF: the node was opened for reading only.
 */
struct amdgpudbg_wave_batch {
	__u32 size;
	__u32 flags;
	__u32 entry_size;
	__u32 count;
	__u32 done;
	__u32 busy;
	__aligned_u64 ops;
};

/**
 * enum amdgpudbg_reg_space - kinds of registers of a wave
 * @AMDGPUDBG_REG_SGPR: scalar registers by number; 106 and 107 are VCC on
 *	gfx10 and later
 * @AMDGPUDBG_REG_VGPR: vector registers by number, per lane
 * @AMDGPUDBG_REG_TTMP: the trap handler's scalar registers by number
 * @AMDGPUDBG_REG_HW: hardware registers, by their numbers in the GPU's register set
 * @AMDGPUDBG_REG_AGPR: accumulation vector registers by number, per lane; -EOPNOTSUPP on
 *	GPUs that have none, such as gfx10.3
 */
enum amdgpudbg_reg_space {
	AMDGPUDBG_REG_SGPR = 0,
	AMDGPUDBG_REG_VGPR = 1,
	AMDGPUDBG_REG_TTMP = 2,
	AMDGPUDBG_REG_HW = 3,
	AMDGPUDBG_REG_AGPR = 4,
};

/**
 * enum amdgpudbg_regset - the set of hardware registers that waves of a GPU have
 * @AMDGPUDBG_REGSET_GFX10_3: &enum amdgpudbg_gfx10_3_reg
 *
 * Each generation has a set of its own, with the register names of AMD's headers. (gfx12, for
 * example, has neither STATUS nor TRAPSTS.)
 */
enum amdgpudbg_regset {
	AMDGPUDBG_REGSET_GFX10_3 = 1,
};

/**
 * enum amdgpudbg_gfx10_3_reg - hardware registers of gfx10.3, SQ_WAVE_* of AMD's headers
 * @AMDGPUDBG_GFX10_3_MODE: MODE
 * @AMDGPUDBG_GFX10_3_STATUS: STATUS
 * @AMDGPUDBG_GFX10_3_TRAPSTS: TRAPSTS
 * @AMDGPUDBG_GFX10_3_HW_ID1: HW_ID1
 * @AMDGPUDBG_GFX10_3_HW_ID2: HW_ID2
 * @AMDGPUDBG_GFX10_3_GPR_ALLOC: GPR_ALLOC
 * @AMDGPUDBG_GFX10_3_LDS_ALLOC: LDS_ALLOC
 * @AMDGPUDBG_GFX10_3_IB_STS: IB_STS
 * @AMDGPUDBG_GFX10_3_IB_STS2: IB_STS2
 * @AMDGPUDBG_GFX10_3_IB_DBG1: IB_DBG1
 * @AMDGPUDBG_GFX10_3_INST_DW0: INST_DW0
 * @AMDGPUDBG_GFX10_3_PC_LO: PC_LO
 * @AMDGPUDBG_GFX10_3_PC_HI: PC_HI
 * @AMDGPUDBG_GFX10_3_M0: M0
 * @AMDGPUDBG_GFX10_3_EXEC_LO: EXEC_LO
 * @AMDGPUDBG_GFX10_3_EXEC_HI: EXEC_HI
 * @AMDGPUDBG_GFX10_3_FLAT_SCRATCH_LO: FLAT_SCRATCH_LO
 * @AMDGPUDBG_GFX10_3_FLAT_SCRATCH_HI: FLAT_SCRATCH_HI
 * @AMDGPUDBG_GFX10_3_SCHED_MODE: SCHED_MODE
 *
 * Writable are: M0, EXEC_LO, EXEC_HI, FLAT_SCRATCH_LO and FLAT_SCRATCH_HI; PC_LO (-EINVAL if
 * bits 1:0 are not zero) and PC_HI[15:0]; MODE except DEBUG_EN, which
 * %AMDGPUDBG_WAVEOP_DEBUG sets; TRAPSTS except SAVECTX and DP_RATE; and SCC, USER_PRIO,
 * SKIP_EXPORT and PERF_EN of STATUS. A write keeps the other bits as they are. Writing a
 * register without writable bits gives -EOPNOTSUPP.
 */
enum amdgpudbg_gfx10_3_reg {
	AMDGPUDBG_GFX10_3_MODE = 0,
	AMDGPUDBG_GFX10_3_STATUS = 1,
	AMDGPUDBG_GFX10_3_TRAPSTS = 2,
	AMDGPUDBG_GFX10_3_HW_ID1 = 3,
	AMDGPUDBG_GFX10_3_HW_ID2 = 4,
	AMDGPUDBG_GFX10_3_GPR_ALLOC = 5,
	AMDGPUDBG_GFX10_3_LDS_ALLOC = 6,
	AMDGPUDBG_GFX10_3_IB_STS = 7,
	AMDGPUDBG_GFX10_3_IB_STS2 = 8,
	AMDGPUDBG_GFX10_3_IB_DBG1 = 9,
	AMDGPUDBG_GFX10_3_INST_DW0 = 10,
	AMDGPUDBG_GFX10_3_PC_LO = 11,
	AMDGPUDBG_GFX10_3_PC_HI = 12,
	AMDGPUDBG_GFX10_3_M0 = 13,
	AMDGPUDBG_GFX10_3_EXEC_LO = 14,
	AMDGPUDBG_GFX10_3_EXEC_HI = 15,
	AMDGPUDBG_GFX10_3_FLAT_SCRATCH_LO = 16,
	AMDGPUDBG_GFX10_3_FLAT_SCRATCH_HI = 17,
	AMDGPUDBG_GFX10_3_SCHED_MODE = 18,
};

/**
 * struct amdgpudbg_reg_range - consecutive registers
 * @space: &enum amdgpudbg_reg_space
 * @first: number of the first register
 * @count: number of registers, at least 1
 * @first_lane: VGPRs only: the first lane, else zero
 * @num_lanes: VGPRs only: number of lanes, at least 1, else zero
 * @__reserved: must be zero
 *
 * A range has @count values, or for VGPRs @count x @num_lanes: all registers of the first
 * lane, then all registers of the second, and so on.
 */
struct amdgpudbg_reg_range {
	__u32 space;
	__u32 first;
	__u32 count;
	__u32 first_lane;
	__u32 num_lanes;
	__u32 __reserved;
};

/* amdgpudbg_reg_access.flags */
#define AMDGPUDBG_REG_ACCESS_WRITE	(1U << 0)	/* else read */
#define AMDGPUDBG_REG_ACCESS_COMPARE	(1U << 1)	/* write if equal */
#define AMDGPUDBG_REG_ACCESS_EXPECT_PC	(1U << 2)
#define AMDGPUDBG_REG_ACCESS_MASK	(1U << 3)	/* write some bits */
#define AMDGPUDBG_REG_ACCESS_EXPECT_ID	(1U << 4)

#define AMDGPUDBG_REG_RANGES_MAX	64
#define AMDGPUDBG_REG_VALUES_MAX	32768	/* 64 lanes of 512 VGPRs */

/**
 * struct amdgpudbg_reg_access - AMDGPUDBG_IOC_REG_ACCESS: read or write registers of a wave
 * @size: sizeof(struct amdgpudbg_reg_access)
 * @flags: AMDGPUDBG_REG_ACCESS_*. WRITE: write the registers, else read them. COMPARE (with
 *	WRITE): write only if all registers have the values of @compare, else -ESTALE.
 *	EXPECT_PC: the wave's PC must be @pc, else -ESTALE. EXPECT_ID: the wave must have the
 *	id @id, else -ESTALE. MASK (with WRITE, without COMPARE): write only the bits that are
 *	set in @compare; the others keep their values
 * @at: in, the coordinate of the wave
 * @vmid: in, VMID of the wave; -ESTALE if the wave has another. 0: any VMID of the scope
 * @num_ranges: in, 1 to AMDGPUDBG_REG_RANGES_MAX
 * @pc: in, with EXPECT_PC, the PC of the wave, else zero
 * @id: in, with EXPECT_ID, the id of the wave, see "Ids of waves", else zero. 0 with
 *	EXPECT_ID gives -EINVAL
 * @ranges: in, address of the &struct amdgpudbg_reg_range
 * @values: in, address of the values of all ranges, one range after the other
 * @compare: in, with COMPARE and MASK, address of as many values, else zero
 * @num_values: in, number of values, the sum over all ranges, at most
 *	AMDGPUDBG_REG_VALUES_MAX
 * @num_done: out, number of values that were read, or written and verified
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @__reserved: must be zero
 *
 * The wave stays halted from the first register to the last, so that all values are of the
 * same moment. Hardware registers can also be read while the wave runs; each value then is
 * of a moment of its own. All other registers, and all writes, need a halted wave, else
 * -EINPROGRESS, after a short wait: a wave that is halted in its trap handler halts only
 * when it leaves the handler. While registers of a running wave are read, no other wave of
 * its VMID starts, unless the caller has CAP_SYS_ADMIN, see AMDGPUDBG_IOC_WAVE_LIST.
 *
 * A write gives -EBUSY if another session has halted the wave. Each written register is read
 * back; -EIO if one has another value. The @num_done values before it are written then, and
 * those after it are not. Written values stay when the session ends.
 *
 * The hardware can raise exceptions in TRAPSTS of a halted wave, for memory accesses that the
 * wave had begun. A plain write clears exceptions that the caller has not seen. With COMPARE,
 * bits that are equal in @values and @compare are kept; with MASK, bits that are not in the
 * mask. The module can write a register only as a whole, after reading it. In VMIDs of amdkfd
 * a write of TRAPSTS gives -EOPNOTSUPP, because a request of amdkfd for a context save
 * (TRAPSTS.SAVECTX) between the read and the write would get lost.
 *
 * Errors:
 *
 *  - -EBADF: WRITE, but the node was opened for reading only
 *  - -EINVAL: a range ends beyond the registers of this generation
 *  - -ENXIO: a range ends beyond the VGPRs or the lanes of this wave
 *  - -ESTALE, besides the cases above: the wave has ended during the call, or another session
 *    has resumed or changed it. No values are returned by a read; @num_done values are
 *    written by a write. Calls of other sessions are executed during a call only after they
 *    have waited for 50 ms
 */
struct amdgpudbg_reg_access {
	__u32 size;
	__u32 flags;
	struct amdgpudbg_wave_coord at;
	__u32 vmid;
	__u32 num_ranges;
	__aligned_u64 pc;
	__aligned_u64 id;
	__aligned_u64 ranges;
	__aligned_u64 values;
	__aligned_u64 compare;
	__u32 num_values;
	__u32 num_done;
	__u32 busy;
	__u32 __reserved;
};

/**
 * struct amdgpudbg_reg_batch_op - one access of a batch
 * @error: out, 0 or a negative errno value; -ECANCELED if the access was not attempted
 * @__reserved: must be zero
 * @access: as for AMDGPUDBG_IOC_REG_ACCESS, with its own size. It is the last member,
 *	because it can grow
 */
struct amdgpudbg_reg_batch_op {
	__s32 error;
	__u32 __reserved;
	struct amdgpudbg_reg_access access;
};

/* amdgpudbg_reg_batch.flags */
#define AMDGPUDBG_REG_BATCH_CONTINUE	(1U << 0)	/* do not stop at an error */

#define AMDGPUDBG_REG_BATCH_MAX	1024

/**
 * struct amdgpudbg_reg_batch - AMDGPUDBG_IOC_REG_BATCH: access registers of several waves
 * @size: sizeof(struct amdgpudbg_reg_batch)
 * @flags: AMDGPUDBG_REG_BATCH_*
 * @entry_size: in, distance between two accesses in memory, at least the size of the first
 *	published &struct amdgpudbg_reg_batch_op and at most AMDGPUDBG_SIZE_MAX. The bytes
 *	after @access are not accessed
 * @count: in, number of accesses, 1 to AMDGPUDBG_REG_BATCH_MAX
 * @done: out, number of accesses that succeeded
 * @busy: out, &enum amdgpudbg_busy_cause, see there; that of an access is in its @access
 * @ops: in, address of the accesses. @error and the output members of
 *	AMDGPUDBG_IOC_REG_ACCESS are written back to each
 *
 * The accesses can be of different waves or of the same one. All values of one access are of
 * the same moment; calls of other sessions can be executed between two accesses. The
 * accesses are executed in order. All of them are checked before the first one is executed;
 * if one is invalid, the call fails and changes nothing. After that, the call succeeds, and
 * errors are reported in the accesses.
 *
 * After an access that failed, the others are attempted only with
 * %AMDGPUDBG_REG_BATCH_CONTINUE. No access is started after the call has taken a second,
 * except the first one.
 *
 * -EBADF: one of them is a write, but the node was opened for reading only.
 */
struct amdgpudbg_reg_batch {
	__u32 size;
	__u32 flags;
	__u32 entry_size;
	__u32 count;
	__u32 done;
	__u32 busy;
	__aligned_u64 ops;
};

/* amdgpudbg_mem_alloc.flags */
#define AMDGPUDBG_MEM_ALLOC_EXEC	(1U << 0)	/* for code */
#define AMDGPUDBG_MEM_ALLOC_UNCACHED	(1U << 1)	/* for mailboxes */

#define AMDGPUDBG_MEM_MAX_BUFFERS	32	/* of one session */
#define AMDGPUDBG_MEM_MAX_BYTES		(16U << 20)	/* of one buffer */
#define AMDGPUDBG_MEM_MAX_FREED		128	/* of one target, not released yet */
#define AMDGPUDBG_USER_BUFFER_MAX	1024	/* of one user, those not released yet included */

/**
 * struct amdgpudbg_mem_alloc - AMDGPUDBG_IOC_MEM_ALLOC: allocate a buffer in the target
 * @size: sizeof(struct amdgpudbg_mem_alloc)
 * @flags: AMDGPUDBG_MEM_ALLOC_*
 * @bytes: in, at least 1; out, rounded up to pages
 * @va: out, address in the target's GPU address space
 * @id: out, number of the buffer in this session
 * @busy: out, see &enum amdgpudbg_busy_cause
 *
 * Allocates a buffer in system memory, filled with zeros, and maps it for the target's waves.
 * The buffer belongs to the session, and is freed when the session ends. Needs a target.
 *
 * The buffer uses one of the target's buffer handles. The target can close that handle or
 * move the memory; the module never copies other memory than the buffer's.
 *
 * The target can hold the lock of its address space for as long as one of its jobs takes. The
 * call waits for it a few seconds at most, and blocks no other caller.
 *
 * Errors:
 *
 *  - -EBADF: the node was opened for reading only
 *  - -EBUSY: the target holds that lock (%AMDGPUDBG_BUSY_MOVED)
 *  - -ESTALE: the target closed or replaced the buffer during the call
 *  - -EINVAL: @bytes is zero or greater than AMDGPUDBG_MEM_MAX_BYTES
 *  - -ENOSPC: the session has AMDGPUDBG_MEM_MAX_BUFFERS buffers; or the target still has
 *    AMDGPUDBG_MEM_MAX_FREED buffers that sessions have freed, see &struct amdgpudbg_mem_free;
 *    or the user who opened the session has AMDGPUDBG_USER_BUFFER_MAX buffers, and the caller
 *    lacks CAP_SYS_RESOURCE. Buffers that could not be released yet are counted, too
 *  - -EADDRNOTAVAIL: the range for such buffers has no free piece of @bytes
 *  - -ENOMEM
 *  - -ETIMEDOUT: the GPU does not write page tables
 */
struct amdgpudbg_mem_alloc {
	__u32 size;
	__u32 flags;
	__aligned_u64 bytes;
	__aligned_u64 va;
	__u32 id;
	__u32 busy;
};

/**
 * struct amdgpudbg_mem_free - AMDGPUDBG_IOC_MEM_FREE: free a buffer
 * @size: sizeof(struct amdgpudbg_mem_free)
 * @flags: must be zero
 * @id: in, number of the buffer
 * @busy: out, see &enum amdgpudbg_busy_cause
 *
 * The number can be used again at once. The memory stays mapped in the target's address
 * space, and the target's DRM file stays open, until the target has no jobs: amdgpu removes a
 * buffer from the page tables when all jobs have ended, and starts no later job before that.
 * The same happens to the buffers of a session that ends. A trap handler that waves still use
 * stays until they have ended, see AMDGPUDBG_IOC_TRAP_HANDLER.
 *
 * Errors:
 *
 *  - -EBADF: the node was opened for reading only
 *  - -ENOENT: the session has no such buffer
 *  - -EBUSY: the buffer contains the session's trap handler
 */
struct amdgpudbg_mem_free {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 busy;
};

/* amdgpudbg_mem_copy.flags */
#define AMDGPUDBG_MEM_COPY_WRITE	(1U << 0)	/* to the buffer */

/**
 * struct amdgpudbg_mem_copy - AMDGPUDBG_IOC_MEM_COPY: read or write a buffer
 * @size: sizeof(struct amdgpudbg_mem_copy)
 * @flags: AMDGPUDBG_MEM_COPY_WRITE: copy from @data to the buffer, else from the buffer
 * @id: in, number of the buffer
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @offset: in, offset in the buffer, in bytes
 * @bytes: in, number of bytes; -EINVAL if they are not all within the buffer
 * @data: in, address in the caller's memory
 *
 * The instruction caches are not invalidated: only waves that start afterwards execute new
 * code. A call that fails can have copied a part.
 *
 * Errors:
 *
 *  - -EBADF: WRITE, but the node was opened for reading only
 *  - -EINVAL: see @bytes
 *  - -ENOENT: the session has no such buffer
 *  - -EFAULT: @data is not accessible
 *  - -EBUSY: for a second or more, the memory was being moved or the target held the lock of
 *    its address space (%AMDGPUDBG_BUSY_MOVED); or the GPU is being reset
 *  - -ENOMEM
 */
struct amdgpudbg_mem_copy {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 busy;
	__aligned_u64 offset;
	__aligned_u64 bytes;
	__aligned_u64 data;
};

/**
 * DOC: The target's memory
 *
 * %AMDGPUDBG_IOC_VM_ACCESS and %AMDGPUDBG_IOC_VM_LIST take addresses of the target's GPU
 * address space, the addresses that its waves use.
 *
 * They access the memory as the host sees it, and neither write back nor invalidate the GPU's
 * caches. Between jobs a wave sees the same, because amdgpu flushes the caches at the end of
 * each job. While waves exist, also halted ones, the GPU's L2 can have newer data than the
 * memory (dirty lines); and a wave can keep seeing old data from lines that it has read, and
 * old instructions from its instruction cache. Host and waves always see the same in memory
 * that is mapped uncached (AMDGPU_VM_MTYPE_UC), in kernel arguments and buffers in system
 * memory that the CPU wrote before the job began, and in code.
 *
 * VM_ACCESS can read and write memory that is mapped read-only for waves, as ptrace() can. It
 * does not access memory that belongs to the driver, memory of another device, and the
 * target's own pages (userptr); VM_LIST lists these, the last with their address in the
 * target, for use with /proc/PID/mem. Memory that amdkfd mapped without a buffer object (SVM)
 * is not found.
 */

/**
 * enum amdgpudbg_mapping_kind - the kind of memory that is mapped at an address
 * @AMDGPUDBG_KIND_NONE: no memory: nothing is mapped, or a PRT mapping that reads as zero
 * @AMDGPUDBG_KIND_SYSTEM: pages of system memory that belong to the driver
 * @AMDGPUDBG_KIND_VRAM: the GPU's memory
 * @AMDGPUDBG_KIND_USERPTR: pages of the target process
 * @AMDGPUDBG_KIND_IMPORTED: memory of another device or driver (dma-buf)
 * @AMDGPUDBG_KIND_DRIVER: memory of amdgpu, which it maps in each address space
 * @AMDGPUDBG_KIND_OTHER: anything else: GDS, GWS, OA, doorbells, and preemptible memory of
 *	amdkfd
 *
 * amdgpu can move a buffer between %AMDGPUDBG_KIND_SYSTEM and _VRAM at any time.
 */
enum amdgpudbg_mapping_kind {
	AMDGPUDBG_KIND_NONE = 0,
	AMDGPUDBG_KIND_SYSTEM = 1,
	AMDGPUDBG_KIND_VRAM = 2,
	AMDGPUDBG_KIND_USERPTR = 3,
	AMDGPUDBG_KIND_IMPORTED = 4,
	AMDGPUDBG_KIND_DRIVER = 5,
	AMDGPUDBG_KIND_OTHER = 6,
};

/* amdgpudbg_vm_access.flags */
#define AMDGPUDBG_VM_ACCESS_WRITE	(1U << 0)	/* to the target's memory */
#define AMDGPUDBG_VM_ACCESS_PATCH	(1U << 1)	/* until the session ends */
#define AMDGPUDBG_VM_ACCESS_UNPATCH	(1U << 2)	/* remove a patch */
#define AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP (1U << 3)	/* do not move waves back */

#define AMDGPUDBG_VM_ACCESS_MAX		(16U << 20)	/* in one call */
#define AMDGPUDBG_PATCH_MAX		256	/* of one session */
#define AMDGPUDBG_USER_PATCH_MAX	1024	/* of one user */
#define AMDGPUDBG_PATCH_BYTES_MAX	64	/* of one patch */

/**
 * struct amdgpudbg_vm_access - AMDGPUDBG_IOC_VM_ACCESS: read, write or patch the target's
 *	memory
 * @size: sizeof(struct amdgpudbg_vm_access)
 * @flags: AMDGPUDBG_VM_ACCESS_WRITE: copy from @data to the target's memory, else from it.
 *	PATCH (with WRITE): make a patch, see below. UNPATCH (without the other two): remove
 *	the patch of @bytes bytes at @va; @data must be 0. UNPATCH_KEEP (with UNPATCH): do not
 *	move waves back
 * @va: in, address in the target's GPU address space
 * @bytes: in, number of bytes, at most AMDGPUDBG_VM_ACCESS_MAX, over any number of mappings
 * @data: in, address in the caller's memory
 * @done: out, number of bytes copied, from the first on, also if the call fails
 * @bad: out, with -ENXIO, -EACCES, -EOPNOTSUPP and -EBUSY: the first address that could not
 *	be accessed, @va + @done; else 0
 * @kind: out, &enum amdgpudbg_mapping_kind at @bad; else 0
 * @busy: out, see &enum amdgpudbg_busy_cause
 *
 * See "The target's memory". Needs a target. Its waves may be running or halted. The bytes are
 * copied in pieces; between two pieces, the target can change its mappings, and its waves
 * can change the memory.
 *
 * A patch is a write that the module undoes. It belongs to the session. The original bytes
 * are restored
 *
 *  - by UNPATCH;
 *  - when the session ends or the target exits;
 *  - before the system sleeps;
 *  - when the time is over for which the session may stop waves
 *    (%AMDGPUDBG_EVENT_HALT_EXPIRED);
 *  - when the trap handler of the target is removed, also if another session has set it:
 *    before the handler is removed by CLEAR or the end of a session, and after it was lost
 *    by a reset of the GPU or with the VMID.
 *
 * Only the dwords that still have the patched value are restored: a later write without
 * PATCH stays. Reading returns the patched bytes. @va and @bytes must be multiples of 4, and
 * @bytes at most AMDGPUDBG_PATCH_BYTES_MAX; a patch must not cross a multiple of 4096; else
 * -EINVAL. Making and removing a patch invalidates the GPU's instruction caches, but not its
 * L2, see "The target's memory". Running waves see each dword change separately.
 *
 * When a patch is removed, the module moves the PC of waves that its s_trap stopped, and that
 * their handler halted, back to the patched instruction. When they are resumed, they execute
 * the original instruction. They stay halted, and TTMP0 and TTMP1 keep the reason. UNPATCH
 * waits up to 0.2 seconds for waves that are in their handler. If a handler takes longer, its
 * wave is not moved; then, and with UNPATCH_KEEP, the caller has to move the wave, else it
 * continues 4 bytes into the original instruction. When a session ends, a patch cannot be
 * removed at once if amdgpu holds a lock of the memory, for example while the target waits
 * to submit a job behind a halted one. Such a patch is removed when the lock is free; waves
 * that reach it before that continue behind the s_trap.
 *
 * A patch is in memory, not at an address: it is visible at all addresses of all processes
 * that have this memory mapped, and is removed there even if @va is mapped to other memory by
 * then. UNPATCH accepts any address at which the memory is mapped, or the original @va if
 * there is none. The patch keeps the memory allocated, unless no process has it and no job
 * uses it; then the patch vanishes with the memory. Memory that has a patch cannot be patched
 * again, not even through another address or process: the call gives -EEXIST if the patch is of
 * the same session, -EBUSY if it is of another one.
 *
 * If the target has a trap handler, but still has jobs in another VMID that began before the
 * handler was set, a patch gives -EBUSY with %AMDGPUDBG_BUSY_VMID_JOBS: waves of these jobs
 * have no handler and would continue behind the s_trap.
 *
 * Errors:
 *
 *  - -EBADF: WRITE or UNPATCH, but the node was opened for reading only
 *  - -EINVAL: @bytes is too large, or see above
 *  - -ENOSPC: the session has AMDGPUDBG_PATCH_MAX patches; or the user who opened it has
 *    AMDGPUDBG_USER_PATCH_MAX, and the caller lacks CAP_SYS_RESOURCE. Patches that could not
 *    be removed yet are counted, too
 *  - -ENOENT: UNPATCH, but the session has no such patch
 *  - -EFAULT: @data is not accessible
 *  - -ENXIO: @bad is not mapped, or its mapping has no memory
 *  - -EACCES: @bad is encrypted (TMZ)
 *  - -EOPNOTSUPP: @bad is neither %AMDGPUDBG_KIND_SYSTEM nor _VRAM; or the capability is
 *    missing, and @bad is 0
 *  - -EBUSY: for a second, the memory was being moved or the address space kept changing; for
 *    a patch, see above; or the GPU is being reset, and @bad is 0
 *  - -EIO, -ENOMEM
 */
struct amdgpudbg_vm_access {
	__u32 size;
	__u32 flags;
	__aligned_u64 va;
	__aligned_u64 bytes;
	__aligned_u64 data;
	__aligned_u64 done;
	__aligned_u64 bad;
	__u32 kind;
	__u32 busy;
};

/* amdgpudbg_mapping.flags */
#define AMDGPUDBG_MAPPING_READ		(1U << 0)	/* waves can read it */
#define AMDGPUDBG_MAPPING_WRITE		(1U << 1)	/* waves can write it */
#define AMDGPUDBG_MAPPING_EXEC		(1U << 2)	/* waves can execute it */
#define AMDGPUDBG_MAPPING_PRT		(1U << 3)	/* unmapped parts read zero */
#define AMDGPUDBG_MAPPING_ENCRYPTED	(1U << 4)	/* TMZ */

/**
 * struct amdgpudbg_mapping - one mapping of the target's GPU address space
 * @va: first address
 * @bytes: size, a multiple of 4096
 * @flags: AMDGPUDBG_MAPPING_*
 * @kind: &enum amdgpudbg_mapping_kind
 * @offset: offset of @va in the mapped buffer object, in bytes
 * @cpu_address: with %AMDGPUDBG_KIND_USERPTR, CPU address of @va in the target; else 0
 */
struct amdgpudbg_mapping {
	__aligned_u64 va;
	__aligned_u64 bytes;
	__u32 flags;
	__u32 kind;
	__aligned_u64 offset;
	__aligned_u64 cpu_address;
};

/**
 * struct amdgpudbg_vm_list - AMDGPUDBG_IOC_VM_LIST: list the target's mappings
 * @size: sizeof(struct amdgpudbg_vm_list)
 * @flags: must be zero
 * @va: in, list only mappings that overlap the @bytes addresses from here on
 * @bytes: in, see @va; 0: list all mappings, @va must be 0
 * @entry_size: in, distance between two records in the buffer, at least the size of the first
 *	published &struct amdgpudbg_mapping and at most AMDGPUDBG_SIZE_MAX, see &struct
 *	amdgpudbg_wave_list
 * @capacity: in, number of records that fit in the buffer
 * @count: out, number of mappings found. If it is greater than @capacity, the call gives
 *	-EMSGSIZE, and the first @capacity records are valid
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @mappings: in, address of the buffer
 * @generation: out, the list includes all changes up to this generation, see
 *	%AMDGPUDBG_EVENT_VM_CHANGED; 0 unless the session has enabled that event
 *
 * See "The target's memory". Needs a target. The mappings are in the order of their addresses
 * as unsigned numbers. Mappings that are made or removed during the call may be missing; no
 * mapping is listed twice.
 *
 * Errors:
 *
 *  - -EOPNOTSUPP: the capability %AMDGPUDBG_CAP_VM_ACCESS is missing
 *  - -EBUSY: the address space kept changing for a second
 *  - -EFAULT, -ENOMEM
 */
struct amdgpudbg_vm_list {
	__u32 size;
	__u32 flags;
	__aligned_u64 va;
	__aligned_u64 bytes;
	__u32 entry_size;
	__u32 capacity;
	__u32 count;
	__u32 busy;
	__aligned_u64 mappings;
	__aligned_u64 generation;
};

/* amdgpudbg_trap_handler.flags */
#define AMDGPUDBG_TRAP_HANDLER_CLEAR	(1U << 0)	/* restore the old one */
#define AMDGPUDBG_TRAP_HANDLER_CHAIN	(1U << 1)	/* store the old one in @tma */
#define AMDGPUDBG_TRAP_HANDLER_FORCE	(1U << 2)	/* see "Displays" */

/**
 * struct amdgpudbg_trap_handler - AMDGPUDBG_IOC_TRAP_HANDLER: set or remove the target's trap
 *	handler
 * @size: sizeof(struct amdgpudbg_trap_handler)
 * @flags: AMDGPUDBG_TRAP_HANDLER_CLEAR: remove the session's handler; all other input members
 *	must be zero. AMDGPUDBG_TRAP_HANDLER_CHAIN: store the previous addresses, see
 *	@chain_offset. AMDGPUDBG_TRAP_HANDLER_FORCE: see "Displays"
 * @tba: in, address of the handler, a multiple of 256
 * @tba_size: in, its size in bytes, at least 4
 * @tma: in, address of the handler's memory, a multiple of 256, or zero
 * @tma_size: in, its size in bytes; zero if and only if @tma is zero
 * @vmid: out, the VMID that was reserved for the target and has the handler; 0 if the
 *	firmware can change it. Not needed to select the target's waves
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @chain_offset: in, with CHAIN, offset in the handler's memory at which the module stores the
 *	previous SQ_SHADER_TBA and _TMA of the VMID, as two 64-bit words, TBA with TRAP_EN as
 *	its bit 63; else zero. They are stored before the new addresses are set, so that the
 *	new handler can jump to the old one from its first trap on. -EINVAL unless it is a
 *	multiple of 8, both words are within @tma_size, and @tma is in a buffer of the
 *	session. If the call replaces a handler of the session, the stored addresses are
 *	those from before the first one
 *
 * Sets SQ_SHADER_TBA, SQ_SHADER_TMA and TRAP_EN of the target's VMID. The VMID is reserved for
 * the target as long as the session has a handler or a watch there, so that all later jobs
 * of the target run in it. Handler and memory must each be within one buffer of the session,
 * or consist of valid addresses of the target (see "Addresses"); without CAP_SYS_ADMIN, the
 * handler must be in a buffer (-EPERM). Another call replaces the session's handler. Needs a
 * target.
 *
 * amdgpu can reserve a VMID in which another process still has jobs. The module sets nothing
 * in it before all these jobs have ended. It waits up to 300 ms, and then gives -EBUSY with
 * %AMDGPUDBG_BUSY_VMID_JOBS.
 *
 * A wave has the handler if it starts while the handler is set, and keeps it until it ends.
 * CLEAR restores the previous addresses for new waves; waves that have the handler then
 * return from each trap at once. The end of the session does the same, and also resumes these
 * waves and ends their debug mode, which the handler can have begun. The VMID stays reserved,
 * and the handler's memory stays mapped, until the last of these waves has ended.
 *
 * Waves that the handler halts belong to the session, as if the session had halted them. The
 * module must be able to distinguish them from waves that something else halted in or before
 * the handler. A handler must follow rules for that, which depend on the generation. For
 * %AMDGPUDBG_REGSET_GFX10_3: a wave counts as halted by its handler if its PC is the one in
 * TTMP0 and TTMP1, or the next one after s_trap, and if a cause is present: a trap id, a trap
 * by the host, debug mode, or an exception that is set in TRAPSTS and enabled. A handler that
 * halts its wave must therefore leave TTMP0 and TTMP1 unchanged. A handler that resumes its
 * wave must set bit 31 of TTMP1 or clear the cause. The module sets that bit when it resumes
 * the wave.
 *
 * Job timeouts are held as long as a handler is set, or for callers without CAP_SYS_ADMIN
 * while it has halted waves: see "How long waves may be stopped", also for -EBUSY and -EPERM.
 * The module notices a wave that the handler halted by its interrupt, if the session has
 * enabled events of waves, and else within 250 ms.
 *
 * The handler is lost by a reset of the whole GPU, when the system sleeps, when the target
 * releases its VMID, and when the driver lets another process share the VMID (Linux 6.12). The
 * next call about the handler then gives -ENOENT. See %AMDGPUDBG_EVENT_HANDLER_LOST.
 *
 * Errors:
 *
 *  - -EBADF: the node was opened for reading only
 *  - -EBUSY: another session has a handler there; another process has reserved the only VMID,
 *    or one that it would share with the target (Linux 6.12), or has jobs in it, see above;
 *    amdgpu's enforce_isolation is on (Linux 6.12)
 *  - -EOPNOTSUPP: the VMID belongs to amdkfd, whose handler must stay
 *  - -EINVAL: see above
 *  - -ENOENT: CLEAR, but the session has no handler
 *  - -ETIMEDOUT: the GPU does not write page tables
 *  - -ENOSPC, -EADDRNOTAVAIL, -ESTALE, and -EBUSY with %AMDGPUDBG_BUSY_MOVED: as for
 *    AMDGPUDBG_IOC_MEM_ALLOC, because the call also allocates the handler that replaces this
 *    one when it is removed
 *  - -EIO: the registers did not keep the written values, and were restored
 */
struct amdgpudbg_trap_handler {
	__u32 size;
	__u32 flags;
	__aligned_u64 tba;
	__aligned_u64 tba_size;
	__aligned_u64 tma;
	__aligned_u64 tma_size;
	__u32 vmid;
	__u32 busy;
	__aligned_u64 chain_offset;
};

/**
 * enum amdgpudbg_watch_mode - the accesses that hit a watch
 * @AMDGPUDBG_WATCH_READ: reads
 * @AMDGPUDBG_WATCH_NONREAD: writes and atomics
 * @AMDGPUDBG_WATCH_ATOMIC: atomics
 * @AMDGPUDBG_WATCH_ALL: all accesses
 *
 * The numbers are those of HSA_DBG_WATCH_MODE (Linux 5.10 amdkfd/kfd_dbgmgr.h).
 */
enum amdgpudbg_watch_mode {
	AMDGPUDBG_WATCH_READ = 0,
	AMDGPUDBG_WATCH_NONREAD = 1,
	AMDGPUDBG_WATCH_ATOMIC = 2,
	AMDGPUDBG_WATCH_ALL = 3,
};

/* amdgpudbg_watch_set.flags */
#define AMDGPUDBG_WATCH_SET_MASK	(1U << 0)	/* @mask instead of @bytes */

/**
 * struct amdgpudbg_watch_set - AMDGPUDBG_IOC_WATCH_SET: watch accesses to an address range
 * @size: sizeof(struct amdgpudbg_watch_set)
 * @flags: AMDGPUDBG_WATCH_SET_MASK
 * @mode: in, &enum amdgpudbg_watch_mode
 * @id: out, number of the watch, less than @num_watch of &struct amdgpudbg_info; bit @id of
 *	@watch_mask of &struct amdgpudbg_event reports a hit
 * @address: in, address in the target's GPU address space
 * @bytes: in, a power of two, at least @watch_granule of &struct amdgpudbg_info;
 *	@address must be a multiple of it. Zero with MASK
 * @mask: in, with MASK, an access hits if (its address & @mask) == @address; else zero.
 *	-EINVAL unless bits below the granule are zero and those of @watch_mask_ones of
 *	&struct amdgpudbg_info (gfx10: 30 and higher) are one
 * @vmid: out, the VMID that was reserved for the target and has the watch; 0 if the firmware
 *	can change it. Not needed to select the target's waves
 * @busy: out, see &enum amdgpudbg_busy_cause
 *
 * A hit sets a bit in TRAPSTS of the wave: bit 7 of EXCP for watch 0, EXCP_HI for the others.
 * A wave stops at a watch only if it has a trap handler (AMDGPUDBG_IOC_TRAP_HANDLER) and the
 * exception AMDGPUDBG_CAUSE_WATCH is enabled for it (AMDGPUDBG_IOC_LAUNCH_SET); this call
 * sets neither. Needs a target.
 *
 * The hardware has only a few watches for all processes. The watch registers are restored
 * when the watch is cleared, when the session ends, before the system sleeps, and when the
 * target loses the VMID (%AMDGPUDBG_EVENT_HANDLER_LOST). A reset of the GPU removes the watch.
 *
 * Errors:
 *
 *  - -EBADF: the node was opened for reading only
 *  - -ENOSPC: all watches are in use, by this session or amdkfd
 *  - -EBUSY: all watches are in use, some of them by another session
 *  - -EIO: the registers did not keep the written values, and were restored
 *  - errors of reserving a VMID, see AMDGPUDBG_IOC_TRAP_HANDLER
 */
struct amdgpudbg_watch_set {
	__u32 size;
	__u32 flags;
	__u32 mode;
	__u32 id;
	__aligned_u64 address;
	__aligned_u64 bytes;
	__aligned_u64 mask;
	__u32 vmid;
	__u32 busy;
};

/**
 * struct amdgpudbg_watch_clear - AMDGPUDBG_IOC_WATCH_CLEAR: remove a watch
 * @size: sizeof(struct amdgpudbg_watch_clear)
 * @flags: must be zero
 * @id: in, number of the watch
 * @busy: out, see &enum amdgpudbg_busy_cause
 *
 * Errors:
 *
 *  - -EBADF: the node was opened for reading only
 *  - -ENOENT: the session has no such watch, or lost it by a reset, a sleep or with the VMID
 */
struct amdgpudbg_watch_clear {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 busy;
};

/*
 * The reason why a wave has trapped: @cause of &struct amdgpudbg_event. Bits that are also in
 * @excp_supported of &struct amdgpudbg_info are exceptions that %AMDGPUDBG_IOC_LAUNCH_SET
 * can enable. The numbers are the same for all generations and do not correspond to a
 * register. No supported GPU reports the last four yet.
 */
#define AMDGPUDBG_CAUSE_INVALID		(1ULL << 0)	/* such as a signaling NaN */
#define AMDGPUDBG_CAUSE_INPUT_DENORM	(1ULL << 1)
#define AMDGPUDBG_CAUSE_FLOAT_DIV0	(1ULL << 2)
#define AMDGPUDBG_CAUSE_OVERFLOW	(1ULL << 3)
#define AMDGPUDBG_CAUSE_UNDERFLOW	(1ULL << 4)
#define AMDGPUDBG_CAUSE_INEXACT		(1ULL << 5)
#define AMDGPUDBG_CAUSE_INT_DIV0	(1ULL << 6)
#define AMDGPUDBG_CAUSE_MEM_VIOL	(1ULL << 7)	/* a memory access failed */
#define AMDGPUDBG_CAUSE_ILLEGAL_INST	(1ULL << 8)
#define AMDGPUDBG_CAUSE_WATCH		(1ULL << 9)	/* see watch_mask */
#define AMDGPUDBG_CAUSE_DEBUG		(1ULL << 10)	/* an instruction in debug mode */
#define AMDGPUDBG_CAUSE_S_TRAP		(1ULL << 11)	/* s_trap; trap_id has its number */
#define AMDGPUDBG_CAUSE_HOST_TRAP	(1ULL << 12)	/* WAVEOP_TRAP, with trap_id */
#define AMDGPUDBG_CAUSE_WAVE_START	(1ULL << 13)
#define AMDGPUDBG_CAUSE_WAVE_END	(1ULL << 14)
#define AMDGPUDBG_CAUSE_MEM_ECC		(1ULL << 15)
#define AMDGPUDBG_CAUSE_XNACK		(1ULL << 16)

/**
 * enum amdgpudbg_launch_mode - how new waves start
 * @AMDGPUDBG_LAUNCH_NORMAL: running
 * @AMDGPUDBG_LAUNCH_HALT: halted before their first instruction
 * @AMDGPUDBG_LAUNCH_DEBUG: in debug mode (MODE.DEBUG_EN): they trap after each instruction
 *
 * The numbers are those of KFD_DBG_TRAP_WAVE_LAUNCH_MODE (include/uapi/linux/kfd_ioctl.h of
 * Linux 6.12).
 */
enum amdgpudbg_launch_mode {
	AMDGPUDBG_LAUNCH_NORMAL = 0,
	AMDGPUDBG_LAUNCH_HALT = 1,
	AMDGPUDBG_LAUNCH_DEBUG = 3,
};

/* amdgpudbg_launch_set.flags */
#define AMDGPUDBG_LAUNCH_SET_EXCP	(1U << 0)	/* set @excp_mask */
#define AMDGPUDBG_LAUNCH_SET_STALL	(1U << 1)	/* no wave starts */
/* With _EXCP: enable only @excp_mask, not also what the waves' programs enable */
#define AMDGPUDBG_LAUNCH_SET_REPLACE	(1U << 2)
#define AMDGPUDBG_LAUNCH_SET_PRECISE_MEM	(1U << 3)	/* AMDGPUDBG_CAP_PRECISE_MEM */
#define AMDGPUDBG_LAUNCH_SET_PRECISE_ALU	(1U << 4)	/* AMDGPUDBG_CAP_PRECISE_ALU */
#define AMDGPUDBG_LAUNCH_SET_FORCE		(1U << 5)	/* see "Displays" */

/**
 * struct amdgpudbg_launch_set - AMDGPUDBG_IOC_LAUNCH_SET: set how the target's waves start
 * @size: sizeof(struct amdgpudbg_launch_set)
 * @flags: AMDGPUDBG_LAUNCH_SET_*
 * @mode: in, &enum amdgpudbg_launch_mode, for the target's new waves
 * @vmid: out, VMID that was reserved for the target
 * @excp_mask: in, exceptions (AMDGPUDBG_CAUSE_*) to enable for new waves, in addition to those
 *	that their program enables, or with AMDGPUDBG_LAUNCH_SET_REPLACE instead of them; a
 *	subset of @excp_supported of &struct amdgpudbg_info; zero without
 *	AMDGPUDBG_LAUNCH_SET_EXCP
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @__reserved: must be zero
 *
 * Each call replaces the complete setting of the session's last call. All members zero
 * restore the normal start of waves. Waves that start halted belong to the session, as if it
 * had halted them. While the setting is not the normal one, job timeouts are held; for callers
 * without CAP_SYS_ADMIN, only while the setting stops waves. "How long waves may be stopped"
 * describes this, and when the call gives -EBUSY or -EPERM for this reason.
 *
 * On generations with one exception mask for all VMIDs (gfx10 and older),
 * AMDGPUDBG_LAUNCH_SET_REPLACE and all bits but AMDGPUDBG_CAUSE_WATCH need CAP_SYS_ADMIN.
 * (That bit affects only owners of watches.) On generations with one launch mode for all
 * VMIDs, a mode other than that of another session gives -EBUSY.
 *
 * The setting is undone when the session ends, before the system sleeps, and when the time is
 * over for which a caller without CAP_SYS_ADMIN can halt waves
 * (%AMDGPUDBG_EVENT_HALT_EXPIRED): stalled waves start, waves that started halted are
 * resumed, and waves that started in debug mode leave it. A reset of the GPU and the loss of
 * the VMID (%AMDGPUDBG_EVENT_HANDLER_LOST) end the setting, too. Needs a target.
 *
 * Errors:
 *
 *  - -EBADF: the node was opened for reading only
 *  - -EBUSY, besides the cases above: another session has set something for the VMID
 *  - -EOPNOTSUPP: this GPU cannot enable one of the exceptions
 *  - -EIO: the registers did not keep the written values, and were restored
 *  - errors of reserving a VMID, see AMDGPUDBG_IOC_TRAP_HANDLER
 */
struct amdgpudbg_launch_set {
	__u32 size;
	__u32 flags;
	__u32 mode;
	__u32 vmid;
	__aligned_u64 excp_mask;
	__u32 busy;
	__u32 __reserved;
};

/**
 * struct amdgpudbg_ib - an indirect buffer of a job: commands that its ring executes
 * @va: address in the job's address space, or in amdgpu's if the job has none
 * @dwords: length in dwords
 * @flags: AMDGPU_IB_FLAG_* (drm/amdgpu_drm.h)
 */
struct amdgpudbg_ib {
	__aligned_u64 va;
	__u32 dwords;
	__u32 flags;
};

/* amdgpudbg_job.flags */
#define AMDGPUDBG_JOB_OLDEST	(1U << 0)	/* oldest job of its ring, see left_ms */
#define AMDGPUDBG_JOB_HELD	(1U << 1)	/* its ring's timeout is held */

/**
 * struct amdgpudbg_job - a job that is on a ring and has not ended
 * @ring: number of the ring on this GPU
 * @ring_type: AMDGPU_HW_IP_* of the ring (drm/amdgpu_drm.h)
 * @xcc: XCC of the ring
 * @me: micro engine of the ring
 * @pipe: pipe of the ring in @me
 * @queue: queue of the ring in @pipe
 * @flags: AMDGPUDBG_JOB_*
 * @vmid: VMID that the job was granted, 0 if it has no address space
 * @pasid: PASID of its address space, 0 if it has none
 * @pid: the process that opened the address space's DRM file (from Linux 6.7 on, the process
 *	that uses it), as numbered in the caller's PID namespace; 0 if that namespace does not
 *	have it, or if it has closed the file
 * @job: number of the job in @job_context, as in &struct amdgpudbg_event
 * @job_context: the context and ring to whose jobs @job belongs, see &struct amdgpudbg_event
 * @begin_time: when the job was put on the ring, in nanoseconds of CLOCK_MONOTONIC, never 0.
 *	If amdgpu is putting it on the ring during the call, the time of the call, which is a
 *	moment before the time that its events and later lists have
 * @seq_signaled: sequence number of the last fence that the ring has signaled
 * @seq_emitted: sequence number of the last fence that was put on the ring
 * @timeout_ms: time limit for the oldest job of the ring, 0xffffffff: none
 * @left_ms: with AMDGPUDBG_JOB_OLDEST, what is left of that time, 0xffffffff: no limit; with
 *	AMDGPUDBG_JOB_HELD, it counts again when timeouts are no longer held. For other jobs,
 *	whose time has not begun, @timeout_ms
 * @first_ib: index of its first indirect buffer in @ibs of &struct amdgpudbg_job_list; after
 *	-EMSGSIZE, compare it with @ib_capacity before use
 * @num_ibs: number of its indirect buffers, in the order in which the ring executes them
 * @ring_name: amdgpu's name of the ring, such as "comp_1.0.0"
 */
struct amdgpudbg_job {
	__u32 ring;
	__u32 ring_type;
	__u32 xcc;
	__u32 me;
	__u32 pipe;
	__u32 queue;
	__u32 flags;
	__u32 vmid;
	__u32 pasid;
	__s32 pid;
	__aligned_u64 job;
	__aligned_u64 job_context;
	__aligned_u64 begin_time;
	__u32 seq_signaled;
	__u32 seq_emitted;
	__u32 timeout_ms;
	__u32 left_ms;
	__u32 first_ib;
	__u32 num_ibs;
	char ring_name[16];
};

/**
 * struct amdgpudbg_job_list - AMDGPUDBG_IOC_JOB_LIST: list the jobs on the GPU's rings
 * @size: sizeof(struct amdgpudbg_job_list)
 * @flags: must be zero
 * @entry_size: in, distance between two records in @jobs, at least the size of the first
 *	published &struct amdgpudbg_job and at most AMDGPUDBG_SIZE_MAX, see &struct
 *	amdgpudbg_wave_list
 * @capacity: in, number of records that fit in @jobs
 * @count: out, number of jobs found. If it is greater than @capacity, the call gives
 *	-EMSGSIZE, and the first @capacity records are valid
 * @ib_capacity: in, number of indirect buffers that fit in @ibs
 * @ib_count: out, number of indirect buffers of all jobs. If it is greater than @ib_capacity,
 *	the call gives -EMSGSIZE, and the first @ib_capacity are valid. A caller that needs
 *	no indirect buffers passes 0 in both @ib_capacity and @ibs: they are counted, but the
 *	call does not give -EMSGSIZE because of them
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @jobs: in, address of the buffer for the jobs
 * @ibs: in, address of the array of &struct amdgpudbg_ib
 * @time: out, when the list was made, in nanoseconds of CLOCK_MONOTONIC
 *
 * Lists the jobs that are on the GPU's rings, those of one ring in the order in which they
 * were put there. Jobs that wait in amdgpu's scheduler are not on a ring. A session with a
 * target gets the jobs of the target's address space. Without a target, the call lists the
 * jobs of all processes and of amdgpu itself, and needs CAP_PERFMON, CAP_SYS_PTRACE or
 * CAP_SYS_ADMIN. Work of amdkfd's queues is not listed. Accesses no register.
 *
 * While the driver handles a timeout, the job that timed out is not on a ring.
 *
 * Errors:
 *
 *  - -EOPNOTSUPP: the capability %AMDGPUDBG_CAP_JOB_LIST is missing
 *  - -EBUSY: the GPU is being reset
 *  - -EPERM: without a target, the caller lacks the capability
 *  - -EFAULT, -ENOMEM
 */
struct amdgpudbg_job_list {
	__u32 size;
	__u32 flags;
	__u32 entry_size;
	__u32 capacity;
	__u32 count;
	__u32 ib_capacity;
	__u32 ib_count;
	__u32 busy;
	__aligned_u64 jobs;
	__aligned_u64 ibs;
	__aligned_u64 time;
};

/*
 * Reserved: the next four structures are the arguments of two calls that the module does not
 * have yet. AMDGPUDBG_CMD_QUEUE_LIST and AMDGPUDBG_CMD_PARTITION_LIST therefore give -ENOTTY,
 * and have no AMDGPUDBG_IOC_*.
 */

/**
 * struct amdgpudbg_queue - reserved: a hardware queue that the GPU has loaded
 * @xcc: XCC of the queue
 * @me: micro engine of the queue
 * @pipe: pipe of the queue in @me
 * @queue: number of the queue in @pipe
 * @vmid: VMID of its address space (CP_HQD_VMID)
 * @pasid: PASID of this address space, 0 if it has none
 * @pid: the process, as numbered in the caller's PID namespace; 0 if that namespace does not
 *	have it
 * @doorbell: offset of its doorbell, in dwords (CP_HQD_PQ_DOORBELL_CONTROL.DOORBELL_OFFSET)
 * @ring_va: address of its ring in its address space, in bytes (CP_HQD_PQ_BASE << 8)
 * @ring_dwords: length of the ring in dwords (CP_HQD_PQ_CONTROL.QUEUE_SIZE)
 * @rptr: read pointer, in dwords (CP_HQD_PQ_RPTR)
 * @wptr: write pointer, in dwords (CP_HQD_PQ_WPTR_LO, CP_HQD_PQ_WPTR_HI)
 */
struct amdgpudbg_queue {
	__u32 xcc;
	__u32 me;
	__u32 pipe;
	__u32 queue;
	__u32 vmid;
	__u32 pasid;
	__s32 pid;
	__u32 doorbell;
	__aligned_u64 ring_va;
	__aligned_u64 ring_dwords;
	__aligned_u64 rptr;
	__aligned_u64 wptr;
};

/**
 * struct amdgpudbg_queue_list - reserved: list the hardware queues of the target, or of all
 * @size: sizeof(struct amdgpudbg_queue_list)
 * @flags: must be zero
 * @entry_size: in, distance between two records in @queues, see &struct amdgpudbg_wave_list
 * @capacity: in, number of records that fit in @queues
 * @count: out, number of queues found
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @queues: in, address of the buffer for &struct amdgpudbg_queue
 * @time: out, when the list was made, in nanoseconds of CLOCK_MONOTONIC
 */
struct amdgpudbg_queue_list {
	__u32 size;
	__u32 flags;
	__u32 entry_size;
	__u32 capacity;
	__u32 count;
	__u32 busy;
	__aligned_u64 queues;
	__aligned_u64 time;
};

/**
 * struct amdgpudbg_partition - reserved: the XCCs of one of the GPU's DRM nodes
 * @render_minor: minor number of the render node (/dev/dri/renderD*)
 * @xcc_mask: the XCCs that run its jobs
 */
struct amdgpudbg_partition {
	__u32 render_minor;
	__u32 xcc_mask;
};

/**
 * struct amdgpudbg_partition_list - reserved: list the partitions of the GPU
 * @size: sizeof(struct amdgpudbg_partition_list)
 * @flags: must be zero
 * @entry_size: in, distance between two records in @partitions, see &struct
 *	amdgpudbg_wave_list
 * @capacity: in, number of records that fit in @partitions
 * @count: out, number of partitions
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @partitions: in, address of the buffer for &struct amdgpudbg_partition
 */
struct amdgpudbg_partition_list {
	__u32 size;
	__u32 flags;
	__u32 entry_size;
	__u32 capacity;
	__u32 count;
	__u32 busy;
	__aligned_u64 partitions;
};

/**
 * enum amdgpudbg_handler_lost - the reason why a session has lost its trap handler
 * @AMDGPUDBG_HANDLER_LOST_VMID_RELEASED: the target has released the VMID that was
 *	reserved for it
 * @AMDGPUDBG_HANDLER_LOST_VMID_SHARED: the driver let another process share the VMID, or
 *	all processes use one VMID in turns (enforce_isolation; Linux 6.12)
 * @AMDGPUDBG_HANDLER_LOST_RESET: the handler was gone after a reset, which
 *	%AMDGPUDBG_EVENT_GPU_RESET reports as well
 * @AMDGPUDBG_HANDLER_LOST_REWRITTEN: amdgpu, or root by its debugfs files, has written
 *	other addresses to the VMID's registers (SQ_SHADER_TBA, SQ_SHADER_TMA); they stay
 *
 * In the first two cases, the session has also lost its watches, launch mode and exceptions.
 * In all cases, its patches were removed. Before the system sleeps, %AMDGPUDBG_EVENT_SLEEP
 * reports the loss of all of these.
 */
enum amdgpudbg_handler_lost {
	AMDGPUDBG_HANDLER_LOST_VMID_RELEASED = 1,
	AMDGPUDBG_HANDLER_LOST_VMID_SHARED = 2,
	AMDGPUDBG_HANDLER_LOST_RESET = 3,
	AMDGPUDBG_HANDLER_LOST_REWRITTEN = 4,
};

/**
 * enum amdgpudbg_event_type - types of events
 * @AMDGPUDBG_EVENT_LOST: the queue was full, or interrupts came too fast; up to @data events
 *	were lost at this point. An event that stands for several, as @count says, is one event
 *	in this number
 * @AMDGPUDBG_EVENT_WAVE: a wave sent an interrupt. With AMDGPUDBG_EVENT_IS_PRIV, its trap
 *	handler sent it; without, its program; with AMDGPUDBG_EVENT_IS_ERROR, the hardware
 *	reported an error of the wave. @cause is the reason of the trap, if it is known
 * @AMDGPUDBG_EVENT_TARGET_GONE: the target has exited; its last event
 * @AMDGPUDBG_EVENT_GPU_RESET: the GPU, or a ring or a job of it, was reset; @data is the new
 *	gpu_reset_count. A reset of the whole GPU removes waves, handlers, watches and launch
 *	modes; other resets remove only what they reach. Patches are removed with their
 *	handler. In both cases, a handler or a launch mode can be set again, and removing a
 *	watch or a patch that no longer exists gives -ENOENT
 * @AMDGPUDBG_EVENT_GPU_GONE: the GPU was removed; the last event
 * @AMDGPUDBG_EVENT_HALT_EXPIRED: waves were stopped for longer than callers without
 *	CAP_SYS_ADMIN are allowed; the session's waves were resumed, its patches and its
 *	launch mode were removed
 * @AMDGPUDBG_EVENT_HANDLER_LOST: the session has lost its handler, or what else it had set for
 *	the VMID @vmid; @data is the reason, &enum amdgpudbg_handler_lost. No wave of another
 *	process has started with it, see %AMDGPUDBG_CAP_VMID_GUARD
 * @AMDGPUDBG_EVENT_SLEEP: the system is about to sleep: all waves of the session were resumed,
 *	its handler, watches, patches and launch mode were removed. Sent before the system
 *	sleeps, but usually read afterwards
 * @AMDGPUDBG_EVENT_JOB_BEGIN: amdgpu has put a job on a ring
 * @AMDGPUDBG_EVENT_JOB_END: this job has ended. With AMDGPUDBG_EVENT_IS_ERROR it was not
 *	executed completely, and @data is the reason, a positive errno value, if amdgpu
 *	reports it (Linux 6.1 does not for all jobs)
 * @AMDGPUDBG_EVENT_VM_FAULT: the GPU accessed @address in a way that the page tables of the
 *	address space do not allow. Consecutive equal faults (@address, @access, @client,
 *	@vmid, @pasid) are one event with a @count. If there are more than some hundred
 *	different faults per second, the rest is counted as lost
 * @AMDGPUDBG_EVENT_VM_CHANGED: memory was mapped into the target's address space or unmapped;
 *	@generation is the new generation of the mappings. An event that was not read yet also
 *	stands for later changes; an event without a change is possible. A list
 *	(%AMDGPUDBG_IOC_VM_LIST) with this or a later @generation includes the change. Needs a
 *	target
 * @AMDGPUDBG_EVENT_WAVE_MOVED: reserved: the wave @wave_id, which was at @from, was saved to
 *	memory and is now in the slot @at. No module reports it yet; it cannot be enabled
 *
 * A session gets the events JOB_BEGIN and JOB_END of each job of its target that begins after
 * the session enabled them and set its target; without a target, of all jobs, including those
 * of amdgpu, whose @pasid is 0. They are in the order of their times, which are those of the
 * begin and the end. A job that is put on its ring again after a reset is not reported again.
 * These events need %AMDGPUDBG_CAP_JOB_EVENTS, else -EOPNOTSUPP.
 *
 * Masks of types, such as @mask of &struct amdgpudbg_event_enable, have the bit
 * ``1 << type`` for each type. No type has the number 0.
 */
enum amdgpudbg_event_type {
	AMDGPUDBG_EVENT_LOST = 1,
	AMDGPUDBG_EVENT_WAVE = 2,
	AMDGPUDBG_EVENT_TARGET_GONE = 3,
	AMDGPUDBG_EVENT_GPU_RESET = 4,
	AMDGPUDBG_EVENT_GPU_GONE = 5,
	AMDGPUDBG_EVENT_HALT_EXPIRED = 6,
	AMDGPUDBG_EVENT_HANDLER_LOST = 7,
	AMDGPUDBG_EVENT_SLEEP = 8,
	AMDGPUDBG_EVENT_JOB_BEGIN = 9,
	AMDGPUDBG_EVENT_JOB_END = 10,
	AMDGPUDBG_EVENT_VM_FAULT = 11,
	AMDGPUDBG_EVENT_VM_CHANGED = 12,
	AMDGPUDBG_EVENT_WAVE_MOVED = 32,
};

#define AMDGPUDBG_EVENT_CAPACITY_MAX	4096
#define AMDGPUDBG_EVENT_NUM_IBS		4	/* indirect buffers in an event */

/* amdgpudbg_event.access, bits */
#define AMDGPUDBG_FAULT_READ		(1U << 0)
#define AMDGPUDBG_FAULT_WRITE		(1U << 1)
#define AMDGPUDBG_FAULT_EXECUTE		(1U << 2)

#define AMDGPUDBG_FAULT_CLIENT_UNKNOWN	0xffffffff	/* amdgpudbg_event.client */

/* amdgpudbg_event.flags */
#define AMDGPUDBG_EVENT_HAS_WAVE	(1U << 0)	/* at and vmid are valid */
#define AMDGPUDBG_EVENT_HAS_STATE	(1U << 1)	/* pc is valid */
#define AMDGPUDBG_EVENT_HAS_JOB		(1U << 2)	/* vmid, job and ring are valid */
#define AMDGPUDBG_EVENT_IS_PRIV		(1U << 3)	/* sent in a trap handler */
#define AMDGPUDBG_EVENT_IS_ERROR	(1U << 4)	/* sent by the hardware, not the wave */

/**
 * struct amdgpudbg_event - an event, as returned by read()
 * @size: size of this record; the next one follows it
 * @type: &enum amdgpudbg_event_type
 * @seq: number of the event in this session, from 1, without gaps. %AMDGPUDBG_EVENT_LOST has
 *	the number of the first lost event, and its @data is the distance to the next number
 * @time: when the event was noticed, in nanoseconds of CLOCK_MONOTONIC
 * @flags: AMDGPUDBG_EVENT_HAS_*, AMDGPUDBG_EVENT_IS_*
 * @data: the message of the wave (low bits of M0, 23 of them with
 *	%AMDGPUDBG_REGSET_GFX10_3) or of the hardware about an error; for other types see
 *	&enum amdgpudbg_event_type
 * @vmid: VMID of the wave or the job; for other types see &enum amdgpudbg_event_type
 * @pasid: PASID that the interrupt contained, 0 if none
 * @at: coordinate of the wave, valid with AMDGPUDBG_EVENT_HAS_WAVE
 * @wave_id: id of the wave, 0 if it is not known
 * @pc: valid with AMDGPUDBG_EVENT_HAS_STATE: PC at which the wave entered its handler if it is
 *	halted in it, else its PC
 * @cause: AMDGPUDBG_CAUSE_*, possible reasons why the wave entered its handler; zero: not
 *	known, or the message has no such reason
 * @watch_mask: with AMDGPUDBG_CAUSE_WATCH, the watches that were hit, ``1 << id`` for each
 * @trap_id: with AMDGPUDBG_CAUSE_S_TRAP and _HOST_TRAP, number of the trap
 * @job: valid with AMDGPUDBG_EVENT_HAS_JOB: number of the job in @job_context, from 1, without
 *	gaps; the handle that DRM_AMDGPU_CS returned to the process
 * @job_context: number for the jobs of one amdgpu context on one ring. @job and @job_context
 *	are also in the kernel's tracepoints of the job's fence
 * @ring: number of the job's ring on this GPU
 * @ring_type: AMDGPU_HW_IP_* of the ring (drm/amdgpu_drm.h)
 * @ring_name: amdgpu's name of the ring, such as "comp_1.0.0"
 * @address: with %AMDGPUDBG_EVENT_VM_FAULT, first address of the page
 * @access: AMDGPUDBG_FAULT_*, 0 if it is not known
 * @client: number of the unit of the GPU that made the access, as amdgpu reports it in the
 *	kernel log ("Faulty UTCL2 client ID"), or AMDGPUDBG_FAULT_CLIENT_UNKNOWN
 * @generation: with %AMDGPUDBG_EVENT_VM_CHANGED, generation of the mappings
 * @count: number of faults that the event stands for
 * @num_ibs: with %AMDGPUDBG_EVENT_JOB_BEGIN, number of the job's indirect buffers, 0 if amdgpu
 *	does not report them; %AMDGPUDBG_IOC_JOB_LIST lists those that do not fit in @ibs
 * @from: with %AMDGPUDBG_EVENT_WAVE_MOVED, previous coordinate of the wave
 * @ibs: the first of these buffers, at most %AMDGPUDBG_EVENT_NUM_IBS
 *
 * The state of the wave is read after it has left its handler, but at most 250 ms after the
 * interrupt. It is reliable if the handler halts its wave. While a wave runs, its slot can
 * go to a wave of another process. So a session with a target gets @pc, @watch_mask, @trap_id
 * and the full @cause of halted waves only; for others, @cause has what the interrupt
 * contained.
 */
struct amdgpudbg_event {
	__u32 size;
	__u32 type;
	__aligned_u64 seq;
	__aligned_u64 time;
	__u32 flags;
	__u32 data;
	__u32 vmid;
	__u32 pasid;
	struct amdgpudbg_wave_coord at;
	__aligned_u64 wave_id;
	__aligned_u64 pc;
	__aligned_u64 cause;
	__u32 watch_mask;
	__u32 trap_id;
	__aligned_u64 job;
	__aligned_u64 job_context;
	__u32 ring;
	__u32 ring_type;
	char ring_name[16];
	__aligned_u64 address;
	__u32 access;
	__u32 client;
	__aligned_u64 generation;
	__u32 count;
	__u32 num_ibs;
	struct amdgpudbg_wave_coord from;
	struct amdgpudbg_ib ibs[AMDGPUDBG_EVENT_NUM_IBS];
};

/**
 * struct amdgpudbg_event_enable - AMDGPUDBG_IOC_EVENT_ENABLE: choose the events to report
 * @size: sizeof(struct amdgpudbg_event_enable)
 * @flags: must be zero
 * @mask: in, the events to enable: ``1 << type`` for each type of &enum
 *	amdgpudbg_event_type; a bit that is not in @event_mask of &struct amdgpudbg_info
 *	gives -EOPNOTSUPP. Zero: report no events and discard those that were not read.
 *	%AMDGPUDBG_EVENT_LOST, _TARGET_GONE and _GPU_GONE are reported whenever any other type
 *	is enabled
 * @cause_mask: in, report only %AMDGPUDBG_EVENT_WAVE events with one of these
 *	AMDGPUDBG_CAUSE_*, and those whose @cause is zero (not known); zero: report all.
 *	-EOPNOTSUPP for bits without a meaning. Zero unless @mask has %AMDGPUDBG_EVENT_WAVE
 * @capacity: in, capacity of the queue in events, 1 to AMDGPUDBG_EVENT_CAPACITY_MAX; 0: 256.
 *	Zero if @mask is. Events that are in the queue stay, if they fit in the new one
 * @entry_size: in, greatest record that the caller can read, at least the size of the first
 *	published &struct amdgpudbg_event and at most AMDGPUDBG_SIZE_MAX; zero if @mask is.
 *	Longer records are cut off: @size of each is the smaller of the module's size and
 *	this one
 * @busy: out, see &enum amdgpudbg_busy_cause
 * @__reserved: must be zero
 *
 * Without a target, the events are about the waves of all processes, and the call needs
 * CAP_PERFMON, CAP_SYS_PTRACE or CAP_SYS_ADMIN.
 *
 * read() of the session's file returns as many complete events as fit into the buffer;
 * -EMSGSIZE if not even one fits. If the queue is empty, it waits, or with O_NONBLOCK gives
 * -EAGAIN. It gives -EINVAL if no events are enabled, and after the last event -ENOTCONN if
 * the target has exited, or -ENODEV if the GPU was removed. Each event is returned to one
 * reader only. poll() reports EPOLLIN if an event can be read, and EPOLLHUP if no more events
 * will come.
 */
struct amdgpudbg_event_enable {
	__u32 size;
	__u32 flags;
	__aligned_u64 mask;
	__aligned_u64 cause_mask;
	__u32 capacity;
	__u32 entry_size;
	__u32 busy;
	__u32 __reserved;
};

/*
 * Sizes of the structures when they were first published, the minimum for @size and
 * @entry_size. They never change, while sizeof() can grow. &struct amdgpudbg_wave_coord,
 * &struct amdgpudbg_select and &struct amdgpudbg_reg_range never grow.
 */
#define AMDGPUDBG_INFO_SIZE_V1		288
#define AMDGPUDBG_CAPABILITY_SIZE_V1	200
#define AMDGPUDBG_TARGET_SET_SIZE_V1	56
#define AMDGPUDBG_WAVE_SIZE_V1		336
#define AMDGPUDBG_WAVE_LIST_SIZE_V1	160
#define AMDGPUDBG_WAVE_CONTROL_SIZE_V1	160
#define AMDGPUDBG_BATCH_OP_SIZE_V1	168
#define AMDGPUDBG_WAVE_BATCH_SIZE_V1	32
#define AMDGPUDBG_REG_ACCESS_SIZE_V1	88
#define AMDGPUDBG_REG_BATCH_OP_SIZE_V1	96
#define AMDGPUDBG_REG_BATCH_SIZE_V1	32
#define AMDGPUDBG_MEM_ALLOC_SIZE_V1	32
#define AMDGPUDBG_MEM_FREE_SIZE_V1	16
#define AMDGPUDBG_MEM_COPY_SIZE_V1	40
#define AMDGPUDBG_VM_ACCESS_SIZE_V1	56
#define AMDGPUDBG_MAPPING_SIZE_V1	40
#define AMDGPUDBG_VM_LIST_SIZE_V1	56
#define AMDGPUDBG_TRAP_HANDLER_SIZE_V1	56
#define AMDGPUDBG_WATCH_SET_SIZE_V1	48
#define AMDGPUDBG_WATCH_CLEAR_SIZE_V1	16
#define AMDGPUDBG_LAUNCH_SET_SIZE_V1	32
#define AMDGPUDBG_EVENT_SIZE_V1		240
#define AMDGPUDBG_EVENT_ENABLE_SIZE_V1	40
#define AMDGPUDBG_BUSY_SIZE_V1		32
#define AMDGPUDBG_JOB_SIZE_V1		104
#define AMDGPUDBG_JOB_LIST_SIZE_V1	56

#define AMDGPUDBG_IOC_GET_INFO \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_GET_INFO)
#define AMDGPUDBG_IOC_GET_CAPABILITY \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_GET_CAPABILITY)
#define AMDGPUDBG_IOC_WAVE_LIST \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WAVE_LIST)
#define AMDGPUDBG_IOC_WAVE_CONTROL \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WAVE_CONTROL)
#define AMDGPUDBG_IOC_TARGET_SET \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_TARGET_SET)
#define AMDGPUDBG_IOC_WAVE_BATCH \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WAVE_BATCH)
#define AMDGPUDBG_IOC_REG_ACCESS \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_REG_ACCESS)
#define AMDGPUDBG_IOC_MEM_ALLOC \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_MEM_ALLOC)
#define AMDGPUDBG_IOC_MEM_FREE \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_MEM_FREE)
#define AMDGPUDBG_IOC_MEM_COPY \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_MEM_COPY)
#define AMDGPUDBG_IOC_TRAP_HANDLER \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_TRAP_HANDLER)
#define AMDGPUDBG_IOC_WATCH_SET \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WATCH_SET)
#define AMDGPUDBG_IOC_WATCH_CLEAR \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WATCH_CLEAR)
#define AMDGPUDBG_IOC_LAUNCH_SET \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_LAUNCH_SET)
#define AMDGPUDBG_IOC_EVENT_ENABLE \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_EVENT_ENABLE)
#define AMDGPUDBG_IOC_WAVE_SNAPSHOT \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WAVE_SNAPSHOT)
#define AMDGPUDBG_IOC_VM_ACCESS \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_VM_ACCESS)
#define AMDGPUDBG_IOC_VM_LIST \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_VM_LIST)
#define AMDGPUDBG_IOC_GET_BUSY \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_GET_BUSY)
#define AMDGPUDBG_IOC_JOB_LIST \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_JOB_LIST)
#define AMDGPUDBG_IOC_REG_BATCH \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_REG_BATCH)

#endif /* _UAPI_LINUX_AMDGPUDBG_H */
