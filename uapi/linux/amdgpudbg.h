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
 * One character device per GPU, ``/dev/amdgpudbgN``. Opening it makes a
 * session. The session owns whatever it changed on the GPU, and closing it
 * (also by the death of its last owner) takes all of that back.
 *
 * Open the node with O_RDWR to control waves. A descriptor that was opened with O_RDONLY can
 * only read: a call that halts waves, writes, allocates, installs or sets anything on the GPU
 * or in the target gives -EBADF, as write(2) does. These are %AMDGPUDBG_IOC_WAVE_SNAPSHOT,
 * %AMDGPUDBG_IOC_WAVE_CONTROL, %AMDGPUDBG_IOC_WAVE_BATCH, %AMDGPUDBG_IOC_MEM_ALLOC,
 * %AMDGPUDBG_IOC_MEM_FREE, %AMDGPUDBG_IOC_TRAP_HANDLER, %AMDGPUDBG_IOC_WATCH_SET,
 * %AMDGPUDBG_IOC_WATCH_CLEAR and %AMDGPUDBG_IOC_LAUNCH_SET; and with a flag WRITE (or
 * UNPATCH) %AMDGPUDBG_IOC_REG_ACCESS, %AMDGPUDBG_IOC_REG_BATCH, %AMDGPUDBG_IOC_MEM_COPY and
 * %AMDGPUDBG_IOC_VM_ACCESS. All others are allowed, %AMDGPUDBG_IOC_TARGET_SET and
 * %AMDGPUDBG_IOC_EVENT_ENABLE too: they concern the session alone.
 *
 * A user, which is the real user ID of the caller, has at most AMDGPUDBG_SESSION_MAX
 * sessions open at a time, on all GPUs together: then opening one more gives -EMFILE.
 * CAP_SYS_RESOURCE in the initial user namespace overrides that.
 *
 * Every ioctl argument is a structure whose first member is ``size``, set by
 * the caller to the size of the structure it was built with:
 *
 *  - a structure shorter than the first published version (AMDGPUDBG_*_SIZE_V1)
 *    gives -EINVAL;
 *  - a longer one, of at most AMDGPUDBG_SIZE_MAX, is accepted when all the bytes that the
 *    kernel does not know are zero, and gives -E2BIG otherwise;
 *  - members that a short structure lacks are taken as zero, and zero always
 *    means the behaviour from before the member existed;
 *  - members named ``__reserved`` must be zero, else -EINVAL.
 *
 * This interface is not frozen: AMDGPUDBG_ABI_VERSION is 0 until the first release, and
 * until then each change may move members and reuse numbers. A program must have been
 * compiled with the header of the module that it uses. From version 1 on, numbers are
 * never reused, members are only appended, and each release that appends anything has an
 * AMDGPUDBG_ABI_VERSION greater by one. Structures are the same for 32- and 64-bit
 * callers.
 *
 * A call that fails changed nothing on the GPU, unless its description says
 * otherwise. That what it is to write can be written is tried before; when
 * another thread takes that memory away during the call, it gives -EFAULT, and
 * what it did stays, but for a new buffer or watch, whose number is not known.
 *
 * DOC: Scope and authority
 *
 * A session without a target acts on the whole GPU, and each call that looks at
 * or changes waves needs a right to do so to everybody's, in the initial user namespace:
 *
 * ================ =========================================================
 * CAP_PERFMON      to list waves without stopping them, and jobs, and to be told events,
 *                  as it lets all processes be sampled: %AMDGPUDBG_IOC_WAVE_LIST,
 *                  %AMDGPUDBG_IOC_JOB_LIST, %AMDGPUDBG_IOC_EVENT_ENABLE
 * CAP_SYS_PTRACE   that, and to look into waves and to control them, as it lets every
 *                  process be debugged: %AMDGPUDBG_IOC_WAVE_SNAPSHOT,
 *                  %AMDGPUDBG_IOC_WAVE_CONTROL, %AMDGPUDBG_IOC_WAVE_BATCH,
 *                  %AMDGPUDBG_IOC_REG_ACCESS, %AMDGPUDBG_IOC_REG_BATCH
 * CAP_SYS_ADMIN    all of it, and what concerns more than the waves of a call, also
 *                  with a target: to stop waves for as long as one likes (see below),
 *                  to leave them halted (AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED), to
 *                  enable exceptions for all VMIDs (%AMDGPUDBG_IOC_LAUNCH_SET), and a
 *                  trap handler that lies in no buffer
 *                  (%AMDGPUDBG_IOC_TRAP_HANDLER)
 * ================ =========================================================
 *
 * A session with a target (%AMDGPUDBG_IOC_TARGET_SET) acts on this target alone, whoever
 * calls, and needs nothing beyond the open node: the caller could only get the target's
 * DRM file from its owner, or by pidfd_getfd(), for which the kernel has done
 * its ptrace check. Waves and VMIDs of others do not exist for such a session.
 * When its target is gone, it gets -ENOTCONN until it has another one or gives
 * it up; it does not fall back to the whole GPU.
 *
 * What a session has changed on the GPU is its lease. Another session that
 * wants to change the same gets -EBUSY, and is told who has it by
 * %AMDGPUDBG_IOC_GET_BUSY.
 *
 * DOC: Addresses
 *
 * An address of a target, and the PC of a wave, has @va_bits of &struct amdgpudbg_info.
 * What the module says has the highest of them as its sign in all bits above, as
 * amdgpu's own interface has it; what it is given may have zeros there instead, as
 * hardware registers do. Any other number is no address: nothing is there, no wave is
 * there, and what is to be set there gives -EINVAL.
 *
 * DOC: How long waves may be stopped
 *
 * While sessions have waves stopped, the jobs on the graphics and compute rings do
 * not time out (%AMDGPUDBG_CAP_TIMEOUT_HOLD), so that the driver does not take the
 * GPU for hung, and would not notice if it was.
 *
 * Callers without CAP_SYS_ADMIN, all of them together, can therefore have waves
 * stopped for a limited time: halt_seconds of the module, 60 unless it was given
 * another. It counts while a session that such a caller has used for it has waves
 * halted, in whatever way they came to be so: by its calls, by its trap handler, or
 * because they started halted; and while waves of a VMID that it has stalled may
 * wait. A trap handler or launch mode alone counts nothing. When the time is over,
 * these sessions' waves are resumed, their patches and launch modes taken back, they are
 * told (%AMDGPUDBG_EVENT_HALT_EXPIRED), and calls that stop waves, or set what may
 * stop them, give -EBUSY until every job could have timed out once. After as long a
 * time without a stop, what was used before is forgotten. @halt_left_ms and
 * @halt_wait_ms of &struct amdgpudbg_info tell how things stand. halt_seconds of 0
 * means that they cannot stop waves at all: -EPERM.
 *
 * Afterwards, a job has as much time left as it had before. When callers with
 * CAP_SYS_ADMIN had waves stopped, it has its full time again.
 *
 * DOC: Displays
 *
 * A halted graphics wave holds up the graphics ring, and with it the picture of a compositor
 * that draws with the same GPU, in which the debugger may be shown. So what stops waves gives
 * -EBUSY with %AMDGPUDBG_BUSY_DISPLAY while all of this is so: a CRTC of the GPU is active;
 * its primary node has a DRM master, or a lease of it exists; and a job of the target, or
 * without a target of any process, is on a graphics ring. That a process is master alone says
 * little: the first that opens a primary node is.
 *
 * %AMDGPUDBG_WAVEOP_HALT, %AMDGPUDBG_IOC_WAVE_SNAPSHOT with HOLD, %AMDGPUDBG_IOC_LAUNCH_SET
 * with a mode or a stall, and %AMDGPUDBG_IOC_TRAP_HANDLER ask for that, unless they have a
 * flag FORCE. With that flag the caller knows how to get at the debugger without the picture.
 *
 * DOC: Errors
 *
 * ============= ============================================================
 * ENOTTY        unknown ioctl number; a file that is no DRM file of this GPU
 * E2BIG         the structure is newer than the kernel and uses what is new
 * EFAULT        the structure, or a buffer that it names, is not accessible
 * EINVAL        a value is wrong, a reserved member is not zero
 * EOPNOTSUPP    this GPU, driver or module cannot: an unknown flag or
 *               operation, a capability that %AMDGPUDBG_IOC_GET_CAPABILITY
 *               reports as missing
 * EPERM         the caller may not
 * EACCES        the memory is encrypted
 * ENXIO         the GPU has no such coordinate; the target has no memory at the
 *               address
 * ENODATA       the wave slot is empty
 * ESTALE        the wave slot holds another wave than the caller expects; the target
 *               has replaced a buffer while it was made
 * EAGAIN        no event is there (O_NONBLOCK)
 * EINPROGRESS   the wave is running, or in its trap handler: it is not halted
 * EBUSY         not now: %AMDGPUDBG_IOC_GET_BUSY tells why, and who is in the way
 * ENOSPC        all watch slots, or all of a session's buffers or patches, are in use, or
 *               too many freed buffers are still in the target
 * ENOENT        the session has no such buffer, watch or patch
 * EEXIST        the session has a patch there
 * EBADF         the file descriptor is not open; the call changes something, and the node
 *               was opened for reading only
 * ESRCH         the process has exited
 * ECANCELED     an operation of a batch was not tried
 * ENOTCONN      the session has no target, or no longer
 * EMSGSIZE      the buffer is too small; the needed count is returned
 * ETIMEDOUT     the hardware did not answer in the allowed time
 * EIO           the hardware does not show what was written to it
 * ENODEV        the GPU is gone (unbound, unplugged, shut down)
 * ENOMEM        the kernel has no memory for it
 * EADDRNOTAVAIL no addresses of the target are free where buffers go
 * EINTR         a signal came while read() waited, and its handler does not restart
 *               calls (SA_RESTART)
 * ============= ============================================================
 */

#define AMDGPUDBG_ABI_VERSION	0	/* not frozen */

#define AMDGPUDBG_SIZE_MAX	4096	/* of a structure, and of a record of a list */

#define AMDGPUDBG_SESSION_MAX	256	/* of one user, open at a time */
/* Files of targets that one user's sessions have given up, and that are still to be closed */
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
};

/**
 * struct amdgpudbg_wave_coord - where a wave slot is
 * @xcc: accelerator complex, 0 on GPUs that have one
 * @se: shader engine
 * @sa: shader array within @se (SH in the headers of gfx9 and older)
 * @wgp: workgroup processor within @sa on gfx10 and later, compute unit before
 * @simd: SIMD within @wgp
 * @wave: slot within @simd
 * @__reserved: must be zero
 *
 * All are counted from 0; the bounds are in &struct amdgpudbg_info.
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
 * struct amdgpudbg_info - AMDGPUDBG_IOC_GET_INFO
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
 * @num_xcc: out, number of values of each member of a wave coordinate
 * @num_se: out
 * @num_sa: out, shader arrays in one shader engine
 * @num_wgp: out, in one shader array, harvested ones included
 * @num_simd: out, in one WGP (gfx10 and later) or CU
 * @num_wave: out, slots in one SIMD
 * @num_vmid: out, VMIDs 1 to @num_vmid - 1 may be named in other calls
 * @first_kfd_vmid: out, VMIDs from this one on belong to amdkfd, in each XCC
 * @num_capabilities: out, ids accepted by AMDGPUDBG_IOC_GET_CAPABILITY
 * @num_active_cu: out, compute units that are not harvested
 * @gpu_reset_count: out, resets of this GPU since the driver took it, those of
 *	one ring or one job included
 * @render_minor: out, minor number of the GPU's DRM render node
 * @regset: out, &enum amdgpudbg_regset
 * @driver_build_id: out, GNU build id of the amdgpu.ko that is loaded, as
 *	hexadecimal text, empty when unknown
 * @module_version: out, version of amdgpudbg.ko as text
 * @halt_left_ms: out, for how long callers without CAP_SYS_ADMIN may have waves
 *	stopped from now on, in milliseconds; 0xffffffff: for that long or longer
 * @halt_wait_ms: out, 0, or if that is over, in how long they may again;
 *	0xffffffff: never
 * @num_watch: out, address watches that the GPU has, for all processes together
 * @watch_granule: out, smallest number of bytes that can be watched, a power of two
 * @watch_mask_ones: out, bits that must be one in @mask of &struct
 *	amdgpudbg_watch_set
 * @va_bits: out, bits of an address, see "Addresses"
 * @gpu_clock_khz: out, frequency of the counter that the GPU's timestamps are made of, as
 *	%AMDGPUDBG_IOC_WAVE_LIST has it; 0: it cannot be read
 * @event_mask: out, the events that can be enabled here: ``1 << type`` for each type of
 *	&enum amdgpudbg_event_type
 * @excp_supported: out, AMDGPUDBG_CAUSE_* that %AMDGPUDBG_IOC_LAUNCH_SET can enable
 * @unique_id: out, serial number of the GPU, 0 if it has none, or amdgpu does not tell
 * @max_buffer_bytes: out, of one buffer, see AMDGPUDBG_IOC_MEM_ALLOC
 * @max_access_bytes: out, of one call, see AMDGPUDBG_IOC_VM_ACCESS
 * @is_apu: out, 1 if the GPU shares the CPU's memory, else 0
 * @num_sgpr: out, numbers of %AMDGPUDBG_REG_SGPR, VCC included
 * @num_vgpr: out, numbers of %AMDGPUDBG_REG_VGPR; a wave may have been given fewer
 * @num_agpr: out, accumulation VGPRs, 0 where there are none
 * @num_ttmp: out, numbers of %AMDGPUDBG_REG_TTMP
 * @lds_granule: out, bytes that one in LDS_ALLOC.LDS_SIZE of a wave stands for
 * @wave_sizes: out, lanes that a wave may have: 32, 64, or both together (96)
 * @max_trap_id: out, greatest trap id of %AMDGPUDBG_WAVEOP_TRAP
 * @max_reg_ranges: out, ranges of one AMDGPUDBG_IOC_REG_ACCESS
 * @max_reg_values: out, values of one
 * @max_buffers: out, buffers of one session
 * @max_patches: out, patches of one session
 * @max_patch_bytes: out, bytes of one patch
 * @max_batch: out, operations of one AMDGPUDBG_IOC_WAVE_BATCH
 *
 * The limits are those of the module that runs. The constants of this header, such as
 * AMDGPUDBG_MEM_MAX_BUFFERS, are what its own release had: a later one allows as much or
 * more.
 *
 * Works at any time, also while the GPU sleeps, and touches no register.
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
 * @AMDGPUDBG_CAP_VMID_PASID: tell the PASID that a wave's VMID belongs to
 * @AMDGPUDBG_CAP_TIMEOUT_HOLD: keep the driver from resetting the GPU while a
 *	session holds waves halted
 * @AMDGPUDBG_CAP_TARGET: act on the waves of one process, without privilege
 * @AMDGPUDBG_CAP_SNAPSHOT: list waves that all stand still
 * @AMDGPUDBG_CAP_WAVE_STEP: let a halted wave do one instruction
 * @AMDGPUDBG_CAP_REG_READ: read registers of a wave
 * @AMDGPUDBG_CAP_REG_WRITE: write registers of a wave
 * @AMDGPUDBG_CAP_MEMORY: buffers in the target's GPU address space
 * @AMDGPUDBG_CAP_TRAP_HANDLER: set the trap handler of the target
 * @AMDGPUDBG_CAP_WATCH: watch addresses
 * @AMDGPUDBG_CAP_LAUNCH_MODE: let waves start halted or in debug mode
 * @AMDGPUDBG_CAP_EXCP_MASK: enable exceptions for waves that start
 * @AMDGPUDBG_CAP_STALL: keep waves from starting
 * @AMDGPUDBG_CAP_EVENTS: be told of stops, exceptions and watch hits, by amdgpu's
 *	interrupts and without polling
 * @AMDGPUDBG_CAP_VMID_GUARD: no way is known by which a wave of another process
 *	starts with what is set for a target's VMID
 * @AMDGPUDBG_CAP_VM_ACCESS: read, write and list the target's memory by address
 * @AMDGPUDBG_CAP_JOB_EVENTS: be told of jobs that begin and end
 * @AMDGPUDBG_CAP_PATCH: patch the target's code
 * @AMDGPUDBG_CAP_PRECISE_MEM: stop waves at the memory access that failed
 *	(AMDGPUDBG_LAUNCH_SET_PRECISE_MEM)
 * @AMDGPUDBG_CAP_PRECISE_ALU: stop waves at the instruction that raised an arithmetic
 *	exception (AMDGPUDBG_LAUNCH_SET_PRECISE_ALU)
 * @AMDGPUDBG_CAP_JOB_LIST: list the jobs that are on the GPU's rings
 *
 * @num_capabilities of &struct amdgpudbg_info says how many the module knows.
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
 * enum amdgpudbg_reason - why a capability is missing, or limited
 * @AMDGPUDBG_REASON_NONE: it is neither
 * @AMDGPUDBG_REASON_REMARK: it is there, but in another way than on other GPUs
 * @AMDGPUDBG_REASON_GPU: the GPU, or its generation, cannot
 * @AMDGPUDBG_REASON_DRIVER: the amdgpu.ko that is loaded cannot, or is not understood
 * @AMDGPUDBG_REASON_KFD: the target's waves are amdkfd's, where it cannot be done
 * @AMDGPUDBG_REASON_NO_CWSR: the target's waves are amdkfd's, which cannot save them
 *	and so takes the GPU for hung when they are halted for too long
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
 * struct amdgpudbg_capability - AMDGPUDBG_IOC_GET_CAPABILITY
 * @size: sizeof(struct amdgpudbg_capability)
 * @flags: must be zero
 * @id: in, &enum amdgpudbg_capability_id; unknown to the module: -EINVAL
 * @supported: out, 1 or 0
 * @reason_code: out, &enum amdgpudbg_reason
 * @__reserved: must be zero
 * @name: out, short name, such as "wave-halt"
 * @reason: out, a sentence: why not; when supported, what is otherwise than on other
 *	GPUs or for other targets, as far as was seen until now; else empty
 *
 * A session with a target gets the answer for that target: the waves of a process that
 * uses amdkfd run in VMIDs in which the module sets no registers. Without a target, it is
 * that for a target which does not. Touches no register.
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
 * enum amdgpudbg_busy_cause - why a call has given -EBUSY
 * @AMDGPUDBG_BUSY_NONE: no call of the session has
 * @AMDGPUDBG_BUSY_RESET: the GPU is being reset
 * @AMDGPUDBG_BUSY_SLEEP: the system is about to sleep
 * @AMDGPUDBG_BUSY_HALT_EXPIRED: callers without CAP_SYS_ADMIN have had waves stopped
 *	for as long as they may; again in @wait_ms
 * @AMDGPUDBG_BUSY_TARGET: the session has a target already
 * @AMDGPUDBG_BUSY_IN_USE: the session's own trap handler lies in the buffer
 * @AMDGPUDBG_BUSY_WAVE: a wave was halted, or put in debug mode, by another session
 * @AMDGPUDBG_BUSY_TRAP_HANDLER: another session has set a trap handler
 * @AMDGPUDBG_BUSY_LAUNCH: another session, or amdkfd's debugger, has said how waves
 *	start
 * @AMDGPUDBG_BUSY_VMID_SESSION: another session has the VMID that can be reserved, for
 *	another target; or its target's waves have not left its handler yet, or the target
 *	keeps the driver from getting the VMID back (Linux 6.1)
 * @AMDGPUDBG_BUSY_VMID_RESERVED: another process has reserved it itself
 * @AMDGPUDBG_BUSY_VMID_JOBS: @vmid is the target's, but jobs of another process are
 *	still there; with %AMDGPUDBG_BUSY_BY_NOBODY, of a patch: jobs of the target's own,
 *	from before it had its trap handler
 * @AMDGPUDBG_BUSY_VMID_LOST: the target has given its VMID back, or another process
 *	has come to share it, see %AMDGPUDBG_EVENT_HANDLER_LOST
 * @AMDGPUDBG_BUSY_MOVED: the target's memory is being moved, or the target holds the lock
 *	of its address space
 * @AMDGPUDBG_BUSY_PATCH: another session has a patch there, or one that is to come out
 *	is still there
 * @AMDGPUDBG_BUSY_WATCH: all watches are in use, some by another session
 * @AMDGPUDBG_BUSY_ISOLATION: amdgpu has all processes use one VMID in turns, so that
 *	none can be the target's own: its enforce_isolation is on (Linux 6.12)
 * @AMDGPUDBG_BUSY_DISPLAY: graphics waves would stop while the process of @pid shows a
 *	picture on a display of this GPU; see "Displays"
 * @AMDGPUDBG_BUSY_WAVE_SAVED: reserved: the wave is saved in memory, and in no slot
 *
 * Who is in the way is @by of &struct amdgpudbg_busy.
 *
 * The same number is in @busy of the structure of each call that can give -EBUSY: of that
 * call, while the answer of AMDGPUDBG_IOC_GET_BUSY may be about another thread's. It is
 * %AMDGPUDBG_BUSY_NONE when the call succeeds, and not written after any other error.
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
 * enum amdgpudbg_busy_by - who is in the way
 * @AMDGPUDBG_BUSY_BY_NOBODY: nobody else
 * @AMDGPUDBG_BUSY_BY_SESSION: another session, of @pid
 * @AMDGPUDBG_BUSY_BY_LEFT: what a session has left there, which has ended or was parted
 *	from it; it goes by itself
 * @AMDGPUDBG_BUSY_BY_PROCESS: a process that uses the GPU, of @pasid if that is known
 * @AMDGPUDBG_BUSY_BY_AMDKFD: a debugger by way of amdkfd
 */
enum amdgpudbg_busy_by {
	AMDGPUDBG_BUSY_BY_NOBODY = 0,
	AMDGPUDBG_BUSY_BY_SESSION = 1,
	AMDGPUDBG_BUSY_BY_LEFT = 2,
	AMDGPUDBG_BUSY_BY_PROCESS = 3,
	AMDGPUDBG_BUSY_BY_AMDKFD = 4,
};

/**
 * struct amdgpudbg_busy - AMDGPUDBG_IOC_GET_BUSY
 * @size: sizeof(struct amdgpudbg_busy)
 * @flags: must be zero
 * @cause: out, &enum amdgpudbg_busy_cause
 * @pid: out, the process that opened the session which is in the way (BY_SESSION), in
 *	the caller's PID namespace then, also if it has ended since and others have the
 *	session; 0 if it is not there
 * @vmid: out, VMID_JOBS only, else 0
 * @pasid: out, likewise, 0 if it is not known
 * @wait_ms: out, HALT_EXPIRED only, else 0: in how many milliseconds from now it can
 *	be asked again; 0xffffffff: never
 * @by: out, &enum amdgpudbg_busy_by
 *
 * Of the session's last call that has given -EBUSY, or of the operation of a batch
 * that has. Works at any time, and touches no register.
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
 * struct amdgpudbg_target_set - AMDGPUDBG_IOC_TARGET_SET
 * @size: sizeof(struct amdgpudbg_target_set)
 * @flags: AMDGPUDBG_TARGET_SET_TAKE_FD: after the call, @drm_fd is no descriptor of the
 *	caller any more, whether the call succeeds or fails. It is removed without the
 *	flush of close(2), by which amdgpu waits until the target's queued jobs have
 *	begun, without a limit, then up to a second until they have ended, and amdkfd
 *	preempts all queues of a target that uses it
 * @drm_fd: in, DRM file of this GPU, the target's own, as pidfd_getfd(),
 *	SCM_RIGHTS or dup() give it: opening the target's /proc/PID/fd entry
 *	makes another file with an address space of its own. Render and primary
 *	nodes will do. -1: the session gives up its target
 * @pidfd: in, pidfd of the target, whose exit ends the session's hold on it;
 *	-1: its exit is not noticed, and its memory stays until the session ends. The
 *	caller may close it after the call
 * @pasid: out, the target's address space, as "pasid:" of its fdinfo
 * @vmid_mask: out, VMIDs that belonged to it just now, one bit each
 * @xcc_mask: out, the XCCs that its waves may run on, one bit each
 * @halt_limit_ms: out, 0, or for how long its waves may be halted before the driver takes
 *	the GPU for hung, also if root has halted them: of a target of amdkfd that has no CWSR
 *	(context save of waves), which preempts queues and waits for it no longer
 * @lds_aperture: out, address of LDS in the target's flat address space (SH_MEM_BASES of
 *	its VMID), 0 if it is not known now: of a target of amdkfd that has no VMID
 * @scratch_aperture: out, that of scratch memory
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @__reserved: must be zero
 *
 * To get @drm_fd from a PID: readlink() the entries of /proc/PID/fd, pidfd_getfd() those
 * that begin with "/dev/dri/", and try each; -ENOTTY means that the file is no DRM file of
 * this GPU. A process can have several address spaces, one for each time that it has
 * opened a DRM node, and "pasid:" in /proc/PID/fdinfo tells them apart. A session has one
 * of them as its target.
 *
 * From then on, everything that the session does concerns the target alone.
 * The session keeps the file open until the target exits, the session gives
 * it up or closes, or the GPU goes; what it has changed is taken back first.
 *
 * A caller that keeps a descriptor of the target's file should not close it, or exit, while
 * waves of the target are halted: amdgpu waits in close(2), which no signal ends, for a lock
 * that the target may hold in a close(2) of its own until its jobs end.
 *
 * With AMDGPUDBG_TARGET_SET_TAKE_FD, @drm_fd is the caller's after an error only if the
 * module has not read the whole structure: -EFAULT for its address, -E2BIG, or -EINVAL for
 * its size; and after -EMFILE, since closing it here could have to wait for jobs. If another
 * thread has closed @drm_fd or replaced it by another file during the call, the number stays
 * as that thread has left it.
 *
 * Errors: -EBADF; -ENOTTY; -EBUSY the session has a target already; -EINVAL @pidfd is
 * no pidfd, or not -1 though @drm_fd is, or @drm_fd is less, or is -1 with a flag;
 * -ESRCH the process of @pidfd has exited; -EOPNOTSUPP the driver has not numbered its
 * address space; -EMFILE sessions of the user have given up targets whose files are not
 * closed yet, AMDGPUDBG_USER_CLOSING_MAX of them, and the caller lacks CAP_SYS_RESOURCE in
 * the initial user namespace.
 *
 * The module closes the file of a target that was given up when no call needs it any more.
 * Where it is the last descriptor of that file, the driver waits for the target's jobs
 * then, and other files of the GPU may have to wait for this one. The call that gives up
 * the target does not wait for that. -EMFILE goes away when these jobs end.
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

/* amdgpudbg_wave.flags: the state of the wave, and what the record has of it */
#define AMDGPUDBG_WAVE_HALTED	(1U << 0)	/* by a session, its handler, or others */
#define AMDGPUDBG_WAVE_PRIV	(1U << 1)	/* in a trap handler */
#define AMDGPUDBG_WAVE_WAVE64	(1U << 2)	/* 64 lanes, else 32 */
#define AMDGPUDBG_WAVE_PASID	(1U << 3)	/* pasid is valid */
#define AMDGPUDBG_WAVE_TTMP	(1U << 4)	/* ttmp is valid */
#define AMDGPUDBG_WAVE_HAS_PC	(1U << 5)	/* pc is valid: all of PC was read */
#define AMDGPUDBG_WAVE_HAS_EXEC	(1U << 6)	/* exec is valid: all of EXEC was read */
#define AMDGPUDBG_WAVE_OWNED	(1U << 7)	/* this session has halted it */
#define AMDGPUDBG_WAVE_OWNED_BY_OTHER	(1U << 8)	/* another session has halted it */
#define AMDGPUDBG_WAVE_BY_HANDLER	(1U << 9)	/* its trap handler has halted it */
#define AMDGPUDBG_WAVE_FATAL_HALT	(1U << 10)	/* halted by an error, cannot resume */
#define AMDGPUDBG_WAVE_BARRIER	(1U << 11)	/* waits at a barrier */
#define AMDGPUDBG_WAVE_HAS_HANDLER	(1U << 12)	/* has a trap handler */
#define AMDGPUDBG_WAVE_SAVED	(1U << 13)	/* reserved: saved to memory, no slot */

/**
 * DOC: Ids of waves
 *
 * A slot does not identify a wave: the next wave can have it as soon as one has ended. An
 * id does. It is unique on all GPUs, and never used again while the module is loaded. But no
 * register has such a number, so a wave has one only while the module knows that another
 * cannot have taken its place: from when a session has halted it, or owns it because its
 * trap handler has halted it or it has started halted, and it was seen outside of its
 * handler; until it is resumed, by whatever session or end of one, told to trap, ends, or the
 * GPU is reset. Steps and writes to its registers leave it its id. Resumed and halted once
 * more, it has another one. In all other cases the id is 0. So it always is for a wave that
 * runs, and for waves of amdkfd's VMIDs, which amdkfd can save and restore elsewhere.
 *
 * It is assumed that a trap handler does not end its wave during a step of that wave, and
 * that root does not resume or kill halted waves by other means than the module.
 *
 * AMDGPUDBG_WAVE_SAVED, %AMDGPUDBG_BUSY_WAVE_SAVED and %AMDGPUDBG_EVENT_WAVE_MOVED are
 * reserved for waves that amdkfd saves: no module has them yet.
 */

/**
 * enum amdgpudbg_stage - of which stage of a pipeline a wave is
 * @AMDGPUDBG_STAGE_UNKNOWN: not known
 * @AMDGPUDBG_STAGE_COMPUTE: compute
 * @AMDGPUDBG_STAGE_GRAPHICS: graphics, but the stage is not known
 * @AMDGPUDBG_STAGE_VERTEX: vertices or primitives (VS, NGG)
 * @AMDGPUDBG_STAGE_HULL: tessellation control (HS)
 * @AMDGPUDBG_STAGE_GEOMETRY: geometry (GS)
 * @AMDGPUDBG_STAGE_PIXEL: pixels (PS)
 *
 * gfx10.3 tells COMPUTE by the queue (HW_ID2.ME_ID), and GRAPHICS by STATUS.MUST_EXPORT.
 * A wave of the graphics queue that need not export is UNKNOWN: it may be of a dispatch
 * there, or of a stage that exports nothing.
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

/* Hardware registers that a record of this header has room for */
#define AMDGPUDBG_WAVE_NUM_HW	32

/**
 * struct amdgpudbg_wave - one live wave, as read from its slot
 * @id: id of the wave, see "Ids of waves", 0 if it has none
 * @time: when it was read, nanoseconds of CLOCK_MONOTONIC
 * @pc: program counter, byte address in the VMID's address space, see "Addresses"; valid
 *	with AMDGPUDBG_WAVE_HAS_PC, else 0
 * @exec: one bit per lane that is active; valid with AMDGPUDBG_WAVE_HAS_EXEC, else 0
 * @hw_mask: which of @hw were read, one bit each
 * @at: where it is
 * @flags: AMDGPUDBG_WAVE_*. WAVE64 needs a register on some GPUs (IB_STS2 on gfx10.3), and
 *	is only set if that is in @hw_mask. OWNED, OWNED_BY_OTHER and BY_HANDLER are of
 *	halted waves. A wave that a session has halted while it was in its trap handler, and
 *	that its handler has halted then, is BY_HANDLER
 * @vmid: VMID it runs in
 * @pasid: PASID that the VMID belonged to when the wave was read, see
 *	AMDGPUDBG_WAVE_PASID. The table behind it is a history: an idle VMID
 *	keeps its last PASID.
 * @stage: &enum amdgpudbg_stage
 * @owner_pid: with OWNED_BY_OTHER, the process that opened the other session, in the
 *	caller's PID namespace; 0 if it is not there, or is of another user and the caller
 *	lacks CAP_SYS_PTRACE in the initial user namespace
 * @__reserved: zero
 * @ttmp: TTMP0 to TTMP15, see AMDGPUDBG_WAVE_LIST_TTMP
 * @__reserved2: zero; room for members of later releases (queue, dispatch, work-group)
 * @hw: hardware registers, raw, by their numbers in the GPU's register set: see
 *	@regset of &struct amdgpudbg_info. Those that are not in @hw_mask are 0. It grows at
 *	its end; it begins at @hw_offset of &struct amdgpudbg_wave_list
 *
 * A wave that is not halted runs on between the reads of its registers, so that only
 * a halted wave's record is one moment in time.
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
	__s32 owner_pid;
	__u32 __reserved;
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
 * struct amdgpudbg_select - which waves a call is about
 * @xcc_mask: one bit for each XCC whose waves are wanted; 0: all. A bit that is no XCC of
 *	the GPU: -ENXIO
 * @vmid_mask: one bit for each VMID whose waves are wanted; 0: all VMIDs of the target, or
 *	without a target all but VMID 0. Bit 0, or a bit that is no VMID: -EINVAL
 * @pasid: only waves of VMIDs that belong to this PASID; 0: any. It is looked up in each
 *	call, because the VMID of an address space changes
 * @at_mask: AMDGPUDBG_AT_*: which members of @at count
 * @at: only waves at this place, as far as @at_mask says. Members that @at_mask does not
 *	name must be zero, else -EINVAL. -ENXIO: the GPU has no such place
 * @wave_flags: the values that the flags of a wave must have, AMDGPUDBG_WAVE_*. A bit that
 *	is not in @wave_flags_mask: -EINVAL
 * @wave_flags_mask: which flags of a wave are compared; 0: none. Those that only say what
 *	a record has, TTMP, HAS_PC, HAS_EXEC, and SAVED give -EOPNOTSUPP
 * @stage_mask: only waves of these stages, 1 << AMDGPUDBG_STAGE_*; 0: any. A bit that is no
 *	stage: -EINVAL
 * @__reserved: must be zero
 *
 * All conditions must hold. All zero selects all waves of the session's scope. A session
 * with a target never reaches waves of others: what it selects there does not exist.
 *
 * A VMID is a number within an XCC. So a session without a target that names VMIDs of a GPU
 * with several XCCs must name a single XCC in @xcc_mask, else -EINVAL.
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

/* The longest timeout_ms of a call */
#define AMDGPUDBG_TIMEOUT_MS_MAX	1000

/* amdgpudbg_wave_list.flags */
#define AMDGPUDBG_WAVE_LIST_TTMP	(1U << 0)	/* of halted waves */
#define AMDGPUDBG_WAVE_LIST_HOLD	(1U << 1)	/* snapshot only: they stay halted */
#define AMDGPUDBG_WAVE_LIST_GPU_TIME	(1U << 2)	/* gpu_time is wanted */
#define AMDGPUDBG_WAVE_LIST_FORCE	(1U << 3)	/* HOLD only: see "Displays" */

/**
 * struct amdgpudbg_wave_list - AMDGPUDBG_IOC_WAVE_LIST, AMDGPUDBG_IOC_WAVE_SNAPSHOT
 * @size: sizeof(struct amdgpudbg_wave_list)
 * @flags: AMDGPUDBG_WAVE_LIST_*. TTMP: the records of waves that are halted and not in
 *	their trap handler have @ttmp. HOLD (SNAPSHOT only): the waves that the call has
 *	halted stay halted. GPU_TIME: the GPU's counter is read, for @gpu_time; -EOPNOTSUPP
 *	if @gpu_clock_khz of &struct amdgpudbg_info is 0
 * @select: in, which waves are listed
 * @hw_want: in, which hardware registers are read, one bit for each number in the GPU's
 *	register set; 0: those that a record has on this GPU by default. See below. A
 *	register that the GPU has not: -EOPNOTSUPP
 * @waves: in, address of the buffer
 * @entry_size: in, distance of two records in the buffer, at least the size of
 *	the first published &struct amdgpudbg_wave and at most AMDGPUDBG_SIZE_MAX.
 *	What is longer than the module's record is cleared behind it; what is shorter
 *	has the begin of it.
 * @capacity: in, number of records that fit in the buffer
 * @count: out, number of live waves that @select selects. More than @capacity:
 *	-EMSGSIZE, and the first @capacity records are valid.
 * @num_halted: out, waves that SNAPSHOT has halted
 * @gpu_reset_count: out, see &struct amdgpudbg_info
 * @timeout_ms: in, SNAPSHOT only, else zero: how long waves may take to halt, and then to
 *	resume, in milliseconds; 0: 200. At most AMDGPUDBG_TIMEOUT_MS_MAX, else -EINVAL
 * @hw_offset: out, where the hardware registers begin in a record. Members that a later
 *	release has lie before it
 * @num_hw: out, how many hardware registers a record has room for, in the module and in
 *	@entry_size
 * @time: out, nanoseconds of CLOCK_MONOTONIC: when the call began to read waves; of
 *	SNAPSHOT, a moment at which all of them were halted
 * @gpu_time: out, with GPU_TIME, else 0: the counter that the GPU's timestamps are made of
 *	at @time, in units of 1 / @gpu_clock_khz ms
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @__reserved: must be zero
 *
 * A list reads of each wave HW_ID2, for its VMID, and STATUS, for its flags, or what other
 * GPUs have in their place, and @hw_want; @hw_mask has these two as well. So a sampler of
 * PC_LO, PC_HI and STATUS costs four register reads a wave. @pc needs PC_LO and PC_HI, and
 * @exec needs EXEC_LO and EXEC_HI, also of a wave with 32 lanes. To find the waves, a list
 * also reads one register of each SIMD, or of each slot if the GPU cannot report its used
 * slots, and one for the PASID of each VMID that has waves; with a target, some more for
 * the VMIDs of the target. Registers of a wave that is found halted are read once more.
 * A slot can go to another wave while it is read. With HW_ID2 in @hw_want, or 0, it is read
 * again at the end, and the slot is not listed if the wave is another one.
 *
 * Waves come in the order of their coordinates. LIST halts none: waves that begin
 * or end during the call may or may not be listed, and none is listed twice. Of the job of
 * a wave that is listed, %AMDGPUDBG_EVENT_JOB_BEGIN can be read when the call returns.
 *
 * SNAPSHOT halts all waves of the scope that the XCCs, VMIDs and PASID of @select name
 * before the first is read, and starts no new ones, so that the list is one moment. Those
 * that it has halted are resumed before it returns, unless their trap handler has halted
 * them in between: see AMDGPUDBG_IOC_TRAP_HANDLER. The other members of @select say what
 * is listed, not what is halted. A wave runs while it is in its trap handler, halted or
 * not: see AMDGPUDBG_WAVE_PRIV.
 *
 * With HOLD they stay halted and belong to the session, as if
 * AMDGPUDBG_IOC_WAVE_CONTROL had halted them; also when -EMSGSIZE is returned.
 *
 * A slot can go to another process's wave, and back, while it is read. So none of the
 * target's waves start during a LIST without CAP_SYS_ADMIN, nor a SNAPSHOT: what is
 * listed is then the target's alone. During a LIST with CAP_SYS_ADMIN they do, and
 * a record is one wave's unless the slot went there and back.
 *
 * -EBADF: SNAPSHOT, but the node was opened for reading only.
 *
 * -ETIMEDOUT: not all waves halted in time, or resumed afterwards; what the call
 * had halted was resumed.
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
 * @AMDGPUDBG_WAVEOP_HALT: stop issuing instructions
 * @AMDGPUDBG_WAVEOP_RESUME: go on after a halt
 * @AMDGPUDBG_WAVEOP_KILL: end at once
 * @AMDGPUDBG_WAVEOP_DEBUG: enter the trap handler after each instruction
 * @AMDGPUDBG_WAVEOP_TRAP: enter the trap handler once
 * @AMDGPUDBG_WAVEOP_STEP: do one instruction, halted before and after. Not of
 *	HSA; single waves only
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
 * enum amdgpudbg_wavemode - which waves
 * @AMDGPUDBG_WAVEMODE_SINGLE: the one at the given coordinate
 * @AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS: all of the given VMID
 * @AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU: all of the given VMID on the WGP
 *	(gfx10 and later) or CU of the given coordinate
 * @AMDGPUDBG_WAVEMODE_SELECT: those that @select of &struct amdgpudbg_wave_control
 *	selects. Not of HSA
 * @AMDGPUDBG_WAVEMODE_ID: the one that has the given id, wherever it is. Not of HSA
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
 * struct amdgpudbg_wave_control - AMDGPUDBG_IOC_WAVE_CONTROL
 * @size: sizeof(struct amdgpudbg_wave_control)
 * @flags: AMDGPUDBG_WAVE_CONTROL_EXPECT_PC (%AMDGPUDBG_WAVEMODE_SINGLE and _ID only):
 *	the wave must be at @pc, else -ESTALE.
 *	AMDGPUDBG_WAVE_CONTROL_EXPECT_ID (%AMDGPUDBG_WAVEMODE_SINGLE only): the wave must
 *	have the id @id, else -ESTALE, or -ENODATA if the slot is empty.
 *	AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED (%AMDGPUDBG_WAVEOP_HALT only): the
 *	waves stay halted when the session closes, at most until the system
 *	sleeps; needs CAP_SYS_ADMIN.
 *	AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF (%AMDGPUDBG_WAVEOP_DEBUG only): leave
 *	debug mode.
 * @op: in, &enum amdgpudbg_waveop
 * @mode: in, &enum amdgpudbg_wavemode
 * @vmid: in, VMID of the waves, 1 to num_vmid - 1 of &struct amdgpudbg_info; zero
 *	with SELECT. The hardware acts on waves of this VMID only (SQ_CMD.CHECK_VMID); a
 *	single wave of another VMID gives -ESTALE. A session with a target may
 *	give 0: all VMIDs of the target; a VMID that is not the target's gives
 *	-ENODATA, as does the slot of a wave that is not.
 * @trap_id: in, %AMDGPUDBG_WAVEOP_TRAP only, else zero: 0 to 15 on gfx9 and
 *	later, 0 to 7 before. Waves of amdkfd's VMIDs (@first_kfd_vmid of &struct
 *	amdgpudbg_info) do not take it: -EOPNOTSUPP. Their handler is the ROCm
 *	runtime's, which ends the program at a trap that it does not expect
 * @at: in, the wave (SINGLE); @at.wave and @at.simd zero (PROCESS_CU); all
 *	zero (PROCESS, SELECT). Out with ID: where the wave is
 * @pc: in, see @flags, else zero
 * @id: in, with EXPECT_ID and ID the id of a wave, else zero: see "Ids of waves". 0 there
 *	is -EINVAL; an id that no wave of the session's scope has, or has any more: -ESTALE
 * @timeout_ms: in, how long waves may take to reach the wanted state, in milliseconds; 0:
 *	200. At most AMDGPUDBG_TIMEOUT_MS_MAX, else -EINVAL
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @select: in, SELECT only, else all zero: the waves, in all VMIDs together. STEP is for
 *	single waves only: -EINVAL
 * @matched: out, live waves that the call was about; of RESUME, those that were halted
 * @changed: out, how many of them were seen in the wanted state afterwards
 * @new_pc: out, STEP: where the wave is now
 *
 * SELECT: a wave is chosen by its state before the call. HALT also halts waves that start
 * during the call, unless @select has flags or a slot: then no wave of these VMIDs starts
 * during the call. That no wave is selected is no error: @matched is 0 then, as it is with
 * PROCESS. RESUME of the flag AMDGPUDBG_WAVE_OWNED resumes all waves that this
 * session has halted; without that, a wave that another session has halted gives -EBUSY,
 * and nothing changes.
 *
 * Changed is: halted (HALT), not halted (RESUME), ended (KILL), in or out of
 * debug mode (DEBUG). RESUME: also those that had stopped by themselves, and may
 * have gone on and stopped again. TRAP: those that have a trap handler, for only
 * they enter it. STEP: halted again; -EINPROGRESS if the wave was not halted, or is
 * in its trap handler, where it runs; a wave that ended by it is no error, and
 * matched but not changed.
 *
 * KILL, DEBUG and TRAP are done to waves as they are, running or halted; no new
 * ones of their VMIDs start meanwhile. So a wave need not be at @pc any more when
 * it is hit, but is the one that was. Waves that start after the call are not
 * touched by it, but debug mode ends with the session for all that it put in it.
 * A session that halted waves resumes them when it closes; waves that another
 * session halted stay as they are: anything but halting them gives -EBUSY. While
 * a session holds waves halted, jobs do not time out; those of waves that were left
 * halted by a session that has closed do. For callers without CAP_SYS_ADMIN the
 * time is limited: see "How long waves may be stopped" for -EBUSY and -EPERM.
 *
 * -EBADF: the node was opened for reading only.
 *
 * -ETIMEDOUT: a wave of the scope did not reach the wanted state in time;
 * @matched and @changed are valid, and what was changed stays changed.
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
 * @error: out, 0 or a negative errno value; -ECANCELED: not tried, and may be asked
 *	for again
 * @__reserved: must be zero
 * @control: as for AMDGPUDBG_IOC_WAVE_CONTROL, with its own size. It is the last
 *	member, since it may grow.
 */
struct amdgpudbg_batch_op {
	__s32 error;
	__u32 __reserved;
	struct amdgpudbg_wave_control control;
};

/* amdgpudbg_wave_batch.flags */
#define AMDGPUDBG_WAVE_BATCH_CONTINUE	(1U << 0)	/* also after an error */

#define AMDGPUDBG_WAVE_BATCH_MAX	1024

/**
 * struct amdgpudbg_wave_batch - AMDGPUDBG_IOC_WAVE_BATCH
 * @size: sizeof(struct amdgpudbg_wave_batch)
 * @flags: AMDGPUDBG_WAVE_BATCH_*
 * @entry_size: in, distance of two operations, at least the size of the first
 *	published &struct amdgpudbg_batch_op and at most AMDGPUDBG_SIZE_MAX. What lies
 *	behind one's @control is left alone.
 * @count: in, number of operations, 1 to AMDGPUDBG_WAVE_BATCH_MAX
 * @done: out, number of operations that succeeded
 * @busy: out, &enum amdgpudbg_busy_cause, see there; that of an
 *	operation is in its @control
 * @ops: in, address of the operations; each is written back
 *
 * The operations are done in order. All of them are checked before the first is done:
 * what is wrong with any of them fails the call, and nothing has changed. Later errors
 * are in the operations, and the call succeeds.
 *
 * Others' calls can come between two operations of a batch that has kept them waiting
 * for a twentieth of a second, but not before. If the rest of the batch is not allowed
 * any more then, the error is in the next operation.
 *
 * An operation is not tried after one that failed, without
 * %AMDGPUDBG_WAVE_BATCH_CONTINUE, nor when the call has taken a second. The first one
 * always is.
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
 *	GPUs that have none, as gfx10.3
 */
enum amdgpudbg_reg_space {
	AMDGPUDBG_REG_SGPR = 0,
	AMDGPUDBG_REG_VGPR = 1,
	AMDGPUDBG_REG_TTMP = 2,
	AMDGPUDBG_REG_HW = 3,
	AMDGPUDBG_REG_AGPR = 4,
};

/**
 * enum amdgpudbg_regset - which hardware registers the waves of a GPU have
 * @AMDGPUDBG_REGSET_GFX10_3: &enum amdgpudbg_gfx10_3_reg
 *
 * Each generation has a set of its own, with the names that AMD's headers have for it:
 * gfx12 has neither STATUS nor TRAPSTS.
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
 * A write leaves the bits alone that are not to be written, and a register without
 * others gives -EOPNOTSUPP. These can be: M0, EXEC_LO and _HI, FLAT_SCRATCH_LO and
 * _HI; PC_LO, where bits 1:0 must be zero, else -EINVAL, and PC_HI[15:0]; MODE but
 * DEBUG_EN, for which there is %AMDGPUDBG_WAVEOP_DEBUG; TRAPSTS but SAVECTX and
 * DP_RATE; SCC, USER_PRIO, SKIP_EXPORT and PERF_EN of STATUS.
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
 * struct amdgpudbg_reg_range - registers that follow each other
 * @space: &enum amdgpudbg_reg_space
 * @first: number of the first register
 * @count: how many, at least 1
 * @first_lane: VGPRs only: the first lane, else zero
 * @num_lanes: VGPRs only: how many lanes, at least 1, else zero
 * @__reserved: must be zero
 *
 * Takes @count values, or for VGPRs @count x @num_lanes: all of the first lane,
 * then all of the second.
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
 * struct amdgpudbg_reg_access - AMDGPUDBG_IOC_REG_ACCESS
 * @size: sizeof(struct amdgpudbg_reg_access)
 * @flags: AMDGPUDBG_REG_ACCESS_*. COMPARE needs WRITE: nothing is written
 *	unless all registers hold @compare, else -ESTALE. EXPECT_PC: the wave
 *	must be at @pc, else -ESTALE. EXPECT_ID: the wave must have the id @id, else
 *	-ESTALE. MASK needs WRITE, and excludes COMPARE:
 *	only the bits that are set in @compare are written, the others keep the
 *	value that they have at that moment.
 * @at: in, the wave
 * @vmid: in, VMID that the wave must be of, else -ESTALE; 0: any of the scope
 * @num_ranges: in, 1 to AMDGPUDBG_REG_RANGES_MAX
 * @pc: in, see @flags, else zero
 * @id: in, see @flags and "Ids of waves", else zero; 0 with EXPECT_ID: -EINVAL
 * @ranges: in, address of the &struct amdgpudbg_reg_range
 * @values: in, address of the values, all ranges one after the other
 * @compare: in, address of as many values, COMPARE and MASK only, else zero
 * @num_values: in, number of values, exactly what the ranges take, at most
 *	AMDGPUDBG_REG_VALUES_MAX
 * @num_done: out, how many of them were read, or written and read back
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @__reserved: must be zero
 *
 * One moment of one wave: it stands still from the first register to the last.
 * Hardware registers can be read while the wave runs, and then are of a moment
 * each. All others, and all writes, need a halted wave: -EINPROGRESS if it does not
 * stand still after a short wait. A halt reaches a wave that is in a trap
 * handler only after it. While registers of a wave are read that runs, none of its
 * VMID start, unless the caller has CAP_SYS_ADMIN: see AMDGPUDBG_IOC_WAVE_LIST.
 *
 * A write needs a wave that no other session has halted (-EBUSY). It is read
 * back: -EIO if a register does not show what was written to it; then the
 * @num_done values before it are written, those after it are not. What was
 * written stays when the session ends.
 *
 * The hardware may raise exceptions in TRAPSTS of a halted wave, for memory accesses
 * of before. A write clears those that the caller does not know of; with COMPARE, bits
 * that @values has as @compare has are left alone; with MASK, all that are not named.
 * The module can write a register only as a whole, after a read. In VMIDs of amdkfd,
 * whose requests for a context save (TRAPSTS.SAVECTX) could get lost in between, a
 * write of TRAPSTS gives -EOPNOTSUPP.
 *
 * -EBADF: WRITE, but the node was opened for reading only.
 *
 * -EINVAL: a range ends beyond what the generation has. -ENXIO: a range ends
 * beyond what the wave has been given (VGPRs) or has (lanes). -ESTALE also: the
 * wave has ended, or has been resumed or changed by others, in between; what was read is
 * not returned, @num_done values were written. Calls of others can come in between when
 * a call has kept them waiting for a twentieth of a second.
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
 * @error: out, 0 or a negative errno value; -ECANCELED: not tried
 * @__reserved: must be zero
 * @access: as for AMDGPUDBG_IOC_REG_ACCESS, with its own size. It is the last member,
 *	since it may grow.
 */
struct amdgpudbg_reg_batch_op {
	__s32 error;
	__u32 __reserved;
	struct amdgpudbg_reg_access access;
};

/* amdgpudbg_reg_batch.flags */
#define AMDGPUDBG_REG_BATCH_CONTINUE	(1U << 0)	/* also after an error */

#define AMDGPUDBG_REG_BATCH_MAX	1024

/**
 * struct amdgpudbg_reg_batch - AMDGPUDBG_IOC_REG_BATCH
 * @size: sizeof(struct amdgpudbg_reg_batch)
 * @flags: AMDGPUDBG_REG_BATCH_*
 * @entry_size: in, distance of two accesses, at least the size of the first published
 *	&struct amdgpudbg_reg_batch_op and at most AMDGPUDBG_SIZE_MAX. What lies behind one's
 *	@access is left alone.
 * @count: in, number of accesses, 1 to AMDGPUDBG_REG_BATCH_MAX
 * @done: out, number of accesses that succeeded
 * @__reserved: must be zero
 * @ops: in, address of the accesses; @error of each, and what AMDGPUDBG_IOC_REG_ACCESS
 *	writes back, are written
 *
 * Registers of many waves, or several times of one, in one call. Each access is one moment
 * of its wave; calls of others can come between two of them. They are done in order. All of
 * them are checked before the first is done: what is wrong with any of them fails the call,
 * and nothing has changed. Later errors are in the accesses, and the call succeeds.
 *
 * An access is not tried after one that failed, without %AMDGPUDBG_REG_BATCH_CONTINUE, nor
 * when the call has taken a second. The first one always is.
 *
 * -EBADF: one of them is a write, but the node was opened for reading only.
 */
struct amdgpudbg_reg_batch {
	__u32 size;
	__u32 flags;
	__u32 entry_size;
	__u32 count;
	__u32 done;
	__u32 __reserved;
	__aligned_u64 ops;
};

/* amdgpudbg_mem_alloc.flags */
#define AMDGPUDBG_MEM_ALLOC_EXEC	(1U << 0)	/* waves may run it */
#define AMDGPUDBG_MEM_ALLOC_UNCACHED	(1U << 1)	/* for mailboxes */

#define AMDGPUDBG_MEM_MAX_BUFFERS	32	/* of one session */
#define AMDGPUDBG_MEM_MAX_BYTES		(16U << 20)	/* of one buffer */
#define AMDGPUDBG_MEM_MAX_FREED		128	/* of one target, not gone yet */

/**
 * struct amdgpudbg_mem_alloc - AMDGPUDBG_IOC_MEM_ALLOC
 * @size: sizeof(struct amdgpudbg_mem_alloc)
 * @flags: AMDGPUDBG_MEM_ALLOC_*
 * @bytes: in, at least 1; out, rounded up to pages
 * @va: out, address in the target's GPU address space
 * @id: out, number of the buffer in this session
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 *
 * A buffer in system memory, filled with zeros, that the target's waves can
 * reach when the call returns. It belongs to the session, and goes with it. Needs
 * a target.
 *
 * It takes one of the target's buffer handles. The target can close it, or move the
 * memory; nothing else than the buffer's own memory is ever copied.
 *
 * The target can hold the lock of its address space for as long as a job of its own
 * takes. The call waits for that for a few seconds at most, and holds up no other caller.
 *
 * Errors: -EBADF the node was opened for reading only; -EBUSY the target holds that lock,
 * %AMDGPUDBG_BUSY_MOVED; -ESTALE the target has closed or replaced the buffer while it was made; -EINVAL @bytes is zero or more
 * than AMDGPUDBG_MEM_MAX_BYTES; -ENOSPC the session has AMDGPUDBG_MEM_MAX_BUFFERS, or
 * AMDGPUDBG_MEM_MAX_FREED of this or any other session are freed and still there, see
 * &struct amdgpudbg_mem_free; -EADDRNOTAVAIL where the module puts such buffers, the
 * target has not @bytes in one piece that it has mapped nothing at; -ENOMEM; -ETIMEDOUT
 * the GPU does not write page tables.
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
 * struct amdgpudbg_mem_free - AMDGPUDBG_IOC_MEM_FREE
 * @size: sizeof(struct amdgpudbg_mem_free)
 * @flags: must be zero
 * @id: in, number of the buffer
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 *
 * The number is free at once. The memory stays in the target's address space, and
 * the target's DRM file open, until the target has no jobs: amdgpu lets no later job
 * begin until a buffer is out of the page tables, and takes it out when all jobs
 * have ended. So it is when the session ends with buffers. What waves may still
 * need, see AMDGPUDBG_IOC_TRAP_HANDLER, stays until they do not.
 *
 * Errors: -EBADF the node was opened for reading only; -ENOENT no such buffer; -EBUSY the
 * session's trap handler lies in it.
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
 * struct amdgpudbg_mem_copy - AMDGPUDBG_IOC_MEM_COPY
 * @size: sizeof(struct amdgpudbg_mem_copy)
 * @flags: AMDGPUDBG_MEM_COPY_WRITE: from @data to the buffer, else from there
 * @id: in, number of the buffer
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @offset: in, bytes from the buffer's begin
 * @bytes: in, how many; all of them must lie within the buffer, else -EINVAL
 * @data: in, address in the caller's memory
 *
 * Instructions that were cached stay cached: waves see new code when they
 * start afterwards. A call that fails may have copied a part.
 *
 * Errors: -EBADF WRITE, but the node was opened for reading only; -EINVAL; -ENOENT no such
 * buffer; -EFAULT; -EBUSY the memory is being moved, or
 * the target holds the lock of its address space, for a second or more,
 * %AMDGPUDBG_BUSY_MOVED; or the GPU is being reset; -ENOMEM.
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
 * %AMDGPUDBG_IOC_VM_ACCESS and %AMDGPUDBG_IOC_VM_LIST take addresses as the target's
 * waves have them.
 *
 * What is accessed is what the host sees of the memory, not what a wave sees: the
 * GPU's caches are neither written back nor invalidated. Between jobs that is the
 * same, because amdgpu flushes them at the end of each. While a wave is there, also a
 * halted one, its GPU's L2 may hold newer data than the memory has (dirty lines), and
 * lines that it has read stay as they were for it, and instructions in its instruction
 * cache too. Memory that is mapped uncached (AMDGPU_VM_MTYPE_UC) is seen by both as it
 * is, as are kernel arguments and buffers in system memory that the CPU has written
 * before the job began, and code.
 *
 * Whatever the mapping lets waves do, the call may read and write, as ptrace() may.
 * Memory that is only the driver's own, that comes from another device, or that is the
 * target's own pages (userptr) is not accessed: it is listed. The last has its address
 * in the target, for its /proc/PID/mem. What amdkfd has mapped without a buffer object
 * (SVM) is not found.
 */

/**
 * enum amdgpudbg_mapping_kind - what lies behind an address
 * @AMDGPUDBG_KIND_NONE: no memory: nothing is mapped, or that which reads zero (PRT)
 * @AMDGPUDBG_KIND_SYSTEM: pages of the system's memory that belong to the driver
 * @AMDGPUDBG_KIND_VRAM: the GPU's memory
 * @AMDGPUDBG_KIND_USERPTR: pages of the target itself
 * @AMDGPUDBG_KIND_IMPORTED: memory of another device or driver (dma-buf)
 * @AMDGPUDBG_KIND_DRIVER: amdgpu's own, which it maps in each address space
 * @AMDGPUDBG_KIND_OTHER: no memory of these: GDS, GWS, OA, doorbells, and what may
 *	be preempted (amdkfd)
 *
 * Between %AMDGPUDBG_KIND_SYSTEM and _VRAM, a buffer moves as amdgpu likes.
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
#define AMDGPUDBG_VM_ACCESS_UNPATCH	(1U << 2)	/* take a patch out */
#define AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP (1U << 3)	/* waves stay behind it */

#define AMDGPUDBG_VM_ACCESS_MAX		(16U << 20)	/* in one call */
#define AMDGPUDBG_PATCH_MAX		256	/* of one session */
#define AMDGPUDBG_USER_PATCH_MAX	1024	/* of one user */
#define AMDGPUDBG_PATCH_BYTES_MAX	64	/* of one patch */

/**
 * struct amdgpudbg_vm_access - AMDGPUDBG_IOC_VM_ACCESS
 * @size: sizeof(struct amdgpudbg_vm_access)
 * @flags: AMDGPUDBG_VM_ACCESS_WRITE: from @data to the target's memory, else from there.
 *	PATCH, only with WRITE: a patch, see below. UNPATCH, without these: take out the
 *	patch that is at @va and has @bytes; @data must be 0. UNPATCH_KEEP, only with
 *	UNPATCH: leave waves where they are
 * @va: in, address in the target's GPU address space, any
 * @bytes: in, how many, at most AMDGPUDBG_VM_ACCESS_MAX; over as many mappings
 *	as there are
 * @data: in, address in the caller's memory
 * @done: out, how many were copied, from the first on; also with an error
 * @bad: out, with -ENXIO, -EACCES, -EOPNOTSUPP and -EBUSY: the first address that
 *	could not be accessed, @va + @done; else 0
 * @kind: out, &enum amdgpudbg_mapping_kind of what is at @bad; else 0
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 *
 * See "The target's memory". Needs a target. Waves may run or be halted. The bytes are
 * copied in pieces, between which the target may change its mappings, and its waves
 * the memory.
 *
 * A patch is the session's: what was there before comes back when the session or its
 * target ends; with UNPATCH; before the system sleeps; when the time is over for which its
 * waves may be stopped (%AMDGPUDBG_EVENT_HALT_EXPIRED); and when the target's trap handler
 * goes, whichever session has set it: before CLEAR takes it off, or a session that ends;
 * after a reset of the GPU, or the loss of the VMID, has taken it away. Of
 * it those dwords come back that still hold the patch: a write without PATCH goes over
 * it, and stays. Reading shows what is there. @va and @bytes are multiples of 4, @bytes
 * at most AMDGPUDBG_PATCH_BYTES_MAX, and all within 4096 bytes whose address is a multiple
 * of that: else -EINVAL. The GPU's instruction caches are invalidated each time; its L2
 * is not, see "The target's memory". Waves that run see each dword change by itself.
 *
 * When a patch comes out, waves of the target that its s_trap has made enter their handler,
 * which has halted them there, are put back to where it was, so that they execute the
 * instruction that was in its place when they are resumed. They stay halted, and TTMP0 and
 * TTMP1 still say why: only the PC differs. UNPATCH waits up to 0.2 seconds for waves that
 * are in their handler at that moment; one whose handler takes longer is not put back, and
 * its caller has to move it, as with UNPATCH_KEEP. With that, waves stay behind the s_trap. If
 * the caller does not move such a wave, it continues 4 bytes into the original instruction.
 * At the end of a session it cannot be done where amdgpu holds a lock of the memory, as it does
 * for a target that submits more jobs than fit behind a halted one: such a patch comes out
 * when the lock is free, and waves that come to it until then continue behind it.
 *
 * A patch is in memory, not at an address: all see it who have that mapped, at whatever
 * address, and it comes out there, whatever is mapped at @va by then. UNPATCH takes any
 * address that the memory has, or, if that has none any more, the one where it was patched.
 * The memory stays while the patch does, unless nobody else has it and no job uses it:
 * then the patch goes with it. A second patch over any byte of one of the session's own
 * gives -EEXIST, over another session's -EBUSY, from whatever address or process.
 *
 * If the target has a trap handler, but also jobs from before that have not ended, in
 * another VMID, a patch is refused with -EBUSY and %AMDGPUDBG_BUSY_VMID_JOBS: waves of
 * theirs, of which some may be still to start, would go on behind an s_trap.
 *
 * Errors: -EBADF WRITE or UNPATCH, but the node was opened for reading only; -EINVAL @bytes
 * is too large; -ENOSPC the session has AMDGPUDBG_PATCH_MAX
 * patches, or the user who has opened it AMDGPUDBG_USER_PATCH_MAX and the caller lacks
 * CAP_SYS_RESOURCE, with those that cannot be taken out yet; -ENOENT UNPATCH, but there
 * is no such patch, or no longer; -EFAULT @data is not accessible; -ENXIO @bad is not
 * mapped, or has no memory behind it; -EACCES it is encrypted (TMZ); -EOPNOTSUPP it is
 * of another kind than %AMDGPUDBG_KIND_SYSTEM or _VRAM, or the capability is missing,
 * then @bad is 0; -EBUSY the memory has been moved, or the address space changed, for a
 * second; of a patch as said above; or the GPU is being reset, then @bad is 0; -EIO,
 * -ENOMEM.
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
#define AMDGPUDBG_MAPPING_READ		(1U << 0)	/* waves may read */
#define AMDGPUDBG_MAPPING_WRITE		(1U << 1)	/* waves may write */
#define AMDGPUDBG_MAPPING_EXEC		(1U << 2)	/* waves may run it */
#define AMDGPUDBG_MAPPING_PRT		(1U << 3)	/* reads zero, if unmapped */
#define AMDGPUDBG_MAPPING_ENCRYPTED	(1U << 4)	/* TMZ */

/**
 * struct amdgpudbg_mapping - addresses that follow each other, with memory behind them
 * @va: the first
 * @bytes: how many, a multiple of 4096
 * @flags: AMDGPUDBG_MAPPING_*
 * @kind: &enum amdgpudbg_mapping_kind
 * @offset: of @va in the buffer object that is mapped, in bytes
 * @cpu_address: %AMDGPUDBG_KIND_USERPTR: of @va, in the target; else 0
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
 * struct amdgpudbg_vm_list - AMDGPUDBG_IOC_VM_LIST
 * @size: sizeof(struct amdgpudbg_vm_list)
 * @flags: must be zero
 * @va: in, only mappings that have one of @bytes addresses from here on
 * @bytes: in, 0: all mappings, then @va must be 0
 * @entry_size: in, distance of two records in the buffer, at least the size of the
 *	first published &struct amdgpudbg_mapping and at most AMDGPUDBG_SIZE_MAX. As in &struct
 *	amdgpudbg_wave_list
 * @capacity: in, number of records that fit in the buffer
 * @count: out, number of mappings that were found. More than @capacity: -EMSGSIZE, and
 *	the first @capacity records are valid.
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @mappings: in, address of the buffer
 * @generation: out, the mappings are those of this generation or later: see
 *	%AMDGPUDBG_EVENT_VM_CHANGED; 0 unless the session has enabled that event
 *
 * See "The target's memory". Needs a target. In the order of the addresses, as they
 * are without sign. Mappings that come or go meanwhile may or may not be listed; none
 * is listed twice.
 *
 * Errors: -EOPNOTSUPP the capability %AMDGPUDBG_CAP_VM_ACCESS is missing; -EBUSY the
 * address space has changed for a second; -EFAULT, -ENOMEM.
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
#define AMDGPUDBG_TRAP_HANDLER_CLEAR	(1U << 0)	/* put the old one back */
#define AMDGPUDBG_TRAP_HANDLER_CHAIN	(1U << 1)	/* store the old one for it */
#define AMDGPUDBG_TRAP_HANDLER_FORCE	(1U << 2)	/* see "Displays" */

/**
 * struct amdgpudbg_trap_handler - AMDGPUDBG_IOC_TRAP_HANDLER
 * @size: sizeof(struct amdgpudbg_trap_handler)
 * @flags: AMDGPUDBG_TRAP_HANDLER_CLEAR: all other members in must be zero.
 *	AMDGPUDBG_TRAP_HANDLER_CHAIN: store the pair that was there before, see
 *	@chain_offset
 * @tba: in, address of the handler, a multiple of 256
 * @tba_size: in, its length in bytes, at least 4
 * @tma: in, address of the handler's memory, a multiple of 256, or zero
 * @tma_size: in, its length in bytes, zero if and only if @tma is
 * @vmid: out, VMID that was reserved for the target, and has the handler; 0: not fixed,
 *	the firmware may change it. Never needed to select the target's waves
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @chain_offset: in, CHAIN only, else zero: where in the handler's memory the module
 *	stores what SQ_SHADER_TBA and _TMA of the VMID hold, two 64-bit words, TBA with
 *	TRAP_EN as its bit 63. It does so before it writes the new pair, so that the new
 *	handler can jump to the old one from its first trap on. A multiple of 8; both words
 *	must lie within @tma_size, and @tma in a buffer of the session, else -EINVAL. A
 *	call that replaces the session's own handler stores the pair that was there
 *	before the first one
 *
 * SQ_SHADER_TBA and _TMA of the target's VMID, with TRAP_EN. The VMID is
 * reserved for the target for as long as the session has a handler or a watch
 * there, so that all of the target's later jobs run in it. Each of the two
 * areas must lie in one buffer of the session, or in the target's address space
 * below or above the hole; that of the handler in a buffer, if the caller has not
 * CAP_SYS_ADMIN (-EPERM). Setting another one replaces the session's own. Needs
 * a target.
 *
 * amdgpu also reserves a VMID in which another process still has jobs. Nothing is
 * set there before it is certain that nobody's but the target's are: that takes up
 * to 300 ms, and then is -EBUSY with %AMDGPUDBG_BUSY_VMID_JOBS.
 *
 * A wave has the handler if it starts while one is set, and then for all its
 * life. CLEAR puts back what was there before, for waves that start from then on;
 * those that had the handler return from each trap at once. So does the session's
 * end, and they are resumed then, and leave debug mode, in which their handler may have
 * put them. The VMID stays reserved, and what the handler used stays mapped, until the
 * last of them has ended.
 *
 * Waves that the handler halts belong to the session, as if it had halted them.
 * What a handler has to leave alone for that, so that it is told from one that has let
 * its wave go on, is the generation's. Of %AMDGPUDBG_REGSET_GFX10_3: a wave
 * that somebody halts while it is in its handler, or is about to enter it,
 * is taken for one that the handler has halted if it then stands where TTMP0 and
 * TTMP1 say: at the PC that they hold, or behind it for s_trap; and if that has a
 * cause, which is a trap id, a trap by the host, debug mode, or an exception that
 * is set in TRAPSTS and enabled. So a handler that halts its wave leaves these two
 * as they were; one that lets it go on sets bit 31 of TTMP1, or clears the cause.
 * That bit is also set when the wave is resumed.
 *
 * Job timeouts are held as long as there is a handler; for callers without
 * CAP_SYS_ADMIN, while it has waves halted: see "How long waves may be stopped",
 * also for -EBUSY and -EPERM. That a handler has halted a wave is noticed by its
 * interrupt, if the session wants events of waves, else within 250 ms.
 *
 * The handler ends by itself, and what the session does next about it gives
 * -ENOENT: with a reset of the whole GPU, when the system sleeps, when the target
 * gives its VMID back, and when another process comes to share it (Linux 6.12); see
 * %AMDGPUDBG_EVENT_HANDLER_LOST.
 *
 * Errors: -EBADF the node was opened for reading only;
 * -EBUSY another session has a handler there, or another process has
 * reserved a VMID that it would share with the target (Linux 6.12) or the only
 * one there is, or has jobs in it, see above, or amdgpu's enforce_isolation is on
 * (Linux 6.12); -EOPNOTSUPP the VMID belongs to
 * amdkfd, whose own handler must stay; -EINVAL; -ENOENT CLEAR, but there is none;
 * -ETIMEDOUT the GPU does not write page tables; -ENOSPC, -EADDRNOTAVAIL, -ESTALE, and
 * -EBUSY with %AMDGPUDBG_BUSY_MOVED, as AMDGPUDBG_IOC_MEM_ALLOC, for what is to take the
 * handler's place; -EIO the
 * registers do not show what was written to them, and were put back.
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
 * enum amdgpudbg_watch_mode - which accesses a watch sees
 * @AMDGPUDBG_WATCH_READ: reads
 * @AMDGPUDBG_WATCH_NONREAD: writes and atomics
 * @AMDGPUDBG_WATCH_ATOMIC: atomics
 * @AMDGPUDBG_WATCH_ALL: all
 *
 * The numbers of HSA_DBG_WATCH_MODE (Linux 5.10 amdkfd/kfd_dbgmgr.h).
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
 * struct amdgpudbg_watch_set - AMDGPUDBG_IOC_WATCH_SET
 * @size: sizeof(struct amdgpudbg_watch_set)
 * @flags: AMDGPUDBG_WATCH_SET_MASK
 * @mode: in, &enum amdgpudbg_watch_mode
 * @id: out, number of the watch, less than @num_watch of &struct amdgpudbg_info: a hit
 *	shows AMDGPUDBG_CAUSE_WATCH0 << @id
 * @address: in, in the target's GPU address space
 * @bytes: in, a power of two, at least @watch_granule of &struct amdgpudbg_info;
 *	@address must be a multiple of it. Zero with MASK.
 * @mask: in, MASK only, else zero: an access hits when (its address & @mask) ==
 *	@address. Bits below the granule must be zero, those of @watch_mask_ones of
 *	&struct amdgpudbg_info (gfx10: 30 and higher) must be one: -EINVAL.
 * @vmid: out, VMID that was reserved for the target, and has the watch; 0: not fixed, the
 *	firmware may change it. Never needed to select the target's waves
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 *
 * A hit shows in TRAPSTS of the wave: EXCP bit 7 for watch 0, EXCP_HI for the
 * others. Only waves that have a trap handler, and exception
 * AMDGPUDBG_CAUSE_WATCH enabled, stop at a watch: see
 * AMDGPUDBG_IOC_TRAP_HANDLER, and AMDGPUDBG_IOC_LAUNCH_SET, which this call does
 * not replace. Needs a target.
 *
 * The hardware has few watches, for all. The registers' former values are put
 * back when the watch is cleared, when the session ends, before the system
 * sleeps, and when the target loses the VMID (%AMDGPUDBG_EVENT_HANDLER_LOST); after a
 * reset of the GPU the watch is gone.
 *
 * Errors: -EBADF the node was opened for reading only;
 * -ENOSPC all watches are in use, by the session or amdkfd; -EBUSY some of
 * them by another session; -EIO the registers do
 * not show what was written to them, and were put back; for those of reserving
 * the VMID see AMDGPUDBG_IOC_TRAP_HANDLER.
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
 * struct amdgpudbg_watch_clear - AMDGPUDBG_IOC_WATCH_CLEAR
 * @size: sizeof(struct amdgpudbg_watch_clear)
 * @flags: must be zero
 * @id: in, number of the watch
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 *
 * Errors: -EBADF the node was opened for reading only; -ENOENT the session has no such
 * watch, or it went by a reset or sleep, or with the VMID.
 */
struct amdgpudbg_watch_clear {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 busy;
};

/*
 * Why a wave has trapped: @cause of &struct amdgpudbg_event. Those that are in
 * @excp_supported of &struct amdgpudbg_info are also exceptions that
 * %AMDGPUDBG_IOC_LAUNCH_SET can enable. The numbers are the ABI's own, the same for all
 * generations, and not those of a register. No supported GPU reports the last four yet.
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
#define AMDGPUDBG_CAUSE_WATCH		(1ULL << 9)	/* watch_mask says which were hit */
#define AMDGPUDBG_CAUSE_DEBUG		(1ULL << 10)	/* an instruction in debug mode */
#define AMDGPUDBG_CAUSE_S_TRAP		(1ULL << 11)	/* s_trap; trap_id has its number */
#define AMDGPUDBG_CAUSE_HOST_TRAP	(1ULL << 12)	/* WAVEOP_TRAP, with trap_id */
#define AMDGPUDBG_CAUSE_WAVE_START	(1ULL << 13)
#define AMDGPUDBG_CAUSE_WAVE_END	(1ULL << 14)
#define AMDGPUDBG_CAUSE_MEM_ECC		(1ULL << 15)
#define AMDGPUDBG_CAUSE_XNACK		(1ULL << 16)

/**
 * enum amdgpudbg_launch_mode - how waves start
 * @AMDGPUDBG_LAUNCH_NORMAL: running
 * @AMDGPUDBG_LAUNCH_HALT: halted, before their first instruction
 * @AMDGPUDBG_LAUNCH_DEBUG: with MODE.DEBUG_EN: they trap after each instruction
 *
 * The numbers of KFD_DBG_TRAP_WAVE_LAUNCH_MODE (include/uapi/linux/kfd_ioctl.h
 * of Linux 6.12).
 */
enum amdgpudbg_launch_mode {
	AMDGPUDBG_LAUNCH_NORMAL = 0,
	AMDGPUDBG_LAUNCH_HALT = 1,
	AMDGPUDBG_LAUNCH_DEBUG = 3,
};

/* amdgpudbg_launch_set.flags */
#define AMDGPUDBG_LAUNCH_SET_EXCP	(1U << 0)	/* set @excp_mask */
#define AMDGPUDBG_LAUNCH_SET_STALL	(1U << 1)	/* no new waves at all */
/* With _EXCP: @excp_mask replaces what the waves' programs enable; else it adds to that */
#define AMDGPUDBG_LAUNCH_SET_REPLACE	(1U << 2)
#define AMDGPUDBG_LAUNCH_SET_PRECISE_MEM	(1U << 3)	/* AMDGPUDBG_CAP_PRECISE_MEM */
#define AMDGPUDBG_LAUNCH_SET_PRECISE_ALU	(1U << 4)	/* AMDGPUDBG_CAP_PRECISE_ALU */
#define AMDGPUDBG_LAUNCH_SET_FORCE		(1U << 5)	/* see "Displays" */

/**
 * struct amdgpudbg_launch_set - AMDGPUDBG_IOC_LAUNCH_SET
 * @size: sizeof(struct amdgpudbg_launch_set)
 * @flags: AMDGPUDBG_LAUNCH_SET_*
 * @mode: in, &enum amdgpudbg_launch_mode, for the target's new waves
 * @vmid: out, VMID that was reserved for the target
 * @excp_mask: in, AMDGPUDBG_CAUSE_* that new waves have enabled in addition to those of
 *	their own program, or with AMDGPUDBG_LAUNCH_SET_REPLACE instead of those; any of
 *	@excp_supported of &struct amdgpudbg_info; zero unless AMDGPUDBG_LAUNCH_SET_EXCP
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @__reserved: must be zero
 *
 * How the target's waves start from now on: the whole state, which replaces
 * that of the session's last call. All zero is how they started before. Waves
 * that start halted belong to the session, as if it had halted them. Job
 * timeouts are held while this is anything but normal; for callers without
 * CAP_SYS_ADMIN, while it stops waves: see "How long waves may be stopped", also
 * for -EBUSY and -EPERM.
 *
 * Where the generation has one exception mask for all VMIDs (gfx10 and older),
 * AMDGPUDBG_LAUNCH_SET_REPLACE and any bit but AMDGPUDBG_CAUSE_WATCH, which only the
 * owner of a watch can notice, need CAP_SYS_ADMIN; and where it has one launch mode for
 * all of the VMIDs that have one, another session's other mode gives -EBUSY.
 *
 * Taken back when the session ends, and before the system sleeps; waves that it
 * kept from starting start, those that started halted are resumed, and those that
 * started in debug mode leave it. So it is when
 * the time is over for which a caller without CAP_SYS_ADMIN may halt waves, see
 * %AMDGPUDBG_EVENT_HALT_EXPIRED. After a reset of the GPU waves start as before, and
 * when the target loses the VMID (%AMDGPUDBG_EVENT_HANDLER_LOST). Needs a target.
 *
 * Errors: -EBADF the node was opened for reading only;
 * -EBUSY also another session has set anything for the VMID; -EOPNOTSUPP also an
 * exception that this GPU cannot enable; -EIO the
 * registers do not show what was written to them, and were put back; for those of
 * reserving the VMID see AMDGPUDBG_IOC_TRAP_HANDLER.
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
 * @va: address in the job's address space; of a job that has none, in amdgpu's own
 * @dwords: length
 * @flags: AMDGPU_IB_FLAG_* (drm/amdgpu_drm.h)
 */
struct amdgpudbg_ib {
	__aligned_u64 va;
	__u32 dwords;
	__u32 flags;
};

/* amdgpudbg_job.flags */
#define AMDGPUDBG_JOB_OLDEST	(1U << 0)	/* of its ring: left_ms is about it */
#define AMDGPUDBG_JOB_HELD	(1U << 1)	/* its ring's timeout is held */

/**
 * struct amdgpudbg_job - a job that amdgpu has given to a ring and that has not ended
 * @ring: number of the ring, among the GPU's
 * @ring_type: AMDGPU_HW_IP_* of it (drm/amdgpu_drm.h)
 * @xcc: of the ring
 * @me: micro engine of the ring
 * @pipe: its pipe in @me
 * @queue: its queue in @pipe
 * @flags: AMDGPUDBG_JOB_*
 * @vmid: the VMID that the job was granted, 0 if it has no address space
 * @pasid: of its address space, 0 if it has none
 * @pid: the process that has opened the address space's DRM file, in the caller's PID
 *	namespace (from Linux 6.7 on, the process that uses it); 0 if there is none, it is
 *	not in there, or has closed the file
 * @job: number of the job in @job_context, as in &struct amdgpudbg_event
 * @job_context: of whose jobs @job is one
 * @begin_time: when it was given to the ring, nanoseconds of CLOCK_MONOTONIC; 0: this
 *	very moment
 * @seq_signaled: sequence number of the ring's last fence that it has signaled
 * @seq_emitted: that of the last fence that was put on the ring
 * @timeout_ms: how long the ring's oldest job may take, 0xffffffff: for ever
 * @left_ms: AMDGPUDBG_JOB_OLDEST: how much of that is left, for AMDGPUDBG_JOB_HELD: will
 *	be when the timeouts are not held any more; 0xffffffff: for ever. Of other jobs,
 *	whose time has not begun: @timeout_ms
 * @first_ib: the first of its indirect buffers among all that are listed; after -EMSGSIZE,
 *	compare it with @ib_capacity of &struct amdgpudbg_job_list before use
 * @num_ibs: how many it has, in the order in which the ring executes them
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
 * struct amdgpudbg_job_list - AMDGPUDBG_IOC_JOB_LIST
 * @size: sizeof(struct amdgpudbg_job_list)
 * @flags: must be zero
 * @entry_size: in, distance of two records in @jobs, at least the size of the first
 *	published &struct amdgpudbg_job and at most AMDGPUDBG_SIZE_MAX. As in &struct
 *	amdgpudbg_wave_list
 * @capacity: in, number of records that fit in @jobs
 * @count: out, number of jobs that were found. More than @capacity: -EMSGSIZE, and the
 *	first @capacity records are valid.
 * @ib_capacity: in, number of indirect buffers that fit in @ibs
 * @ib_count: out, how many all jobs have together. More than @ib_capacity: -EMSGSIZE,
 *	and the first @ib_capacity are valid. A caller that wants no indirect buffers
 *	gives 0, and -EMSGSIZE with @count not above @capacity is then a complete list
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @jobs: in, address of the buffer for the jobs
 * @ibs: in, address of the buffer for their &struct amdgpudbg_ib, which follow each other
 * @time: out, when the list was made, nanoseconds of CLOCK_MONOTONIC
 *
 * The jobs that are on the GPU's rings now, those of one ring in the order in which they
 * were given to it, whether or not the session existed then. Jobs that still wait in
 * amdgpu's scheduler are not on a ring. A session with a target gets the jobs of the
 * target's address space; without one, the call needs CAP_PERFMON, CAP_SYS_PTRACE or
 * CAP_SYS_ADMIN, and lists those of all processes and of amdgpu itself. What amdkfd's
 * queues execute is no job. Touches no register.
 *
 * While the driver handles a timeout, the job that has timed out is on no ring.
 *
 * Errors: -EOPNOTSUPP the capability %AMDGPUDBG_CAP_JOB_LIST is missing; -EBUSY the GPU is
 * being reset; -EPERM; -EFAULT; -ENOMEM.
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

/**
 * enum amdgpudbg_handler_lost - why a session has lost its trap handler
 * @AMDGPUDBG_HANDLER_LOST_VMID_GIVEN_BACK: the target has given back the VMID that was
 *	reserved for it
 * @AMDGPUDBG_HANDLER_LOST_VMID_SHARED: another process has come to share the VMID, or
 *	amdgpu has all processes use one in turns (enforce_isolation; Linux 6.12)
 * @AMDGPUDBG_HANDLER_LOST_RESET: the handler was gone after a reset, which
 *	%AMDGPUDBG_EVENT_GPU_RESET reports as well
 * @AMDGPUDBG_HANDLER_LOST_REWRITTEN: amdgpu, or root by its debugfs files, has written
 *	other addresses into the VMID's registers (SQ_SHADER_TBA, SQ_SHADER_TMA), which stay
 *
 * With the first two, the session's watches, launch mode and exceptions are gone as well;
 * patches go with each of them. Before the system sleeps, %AMDGPUDBG_EVENT_SLEEP reports
 * the loss of all of it.
 */
enum amdgpudbg_handler_lost {
	AMDGPUDBG_HANDLER_LOST_VMID_GIVEN_BACK = 1,
	AMDGPUDBG_HANDLER_LOST_VMID_SHARED = 2,
	AMDGPUDBG_HANDLER_LOST_RESET = 3,
	AMDGPUDBG_HANDLER_LOST_REWRITTEN = 4,
};

/**
 * enum amdgpudbg_event_type - what can happen
 * @AMDGPUDBG_EVENT_LOST: the queue was full, or interrupts came too fast; @data
 *	events were lost here, at most
 * @AMDGPUDBG_EVENT_WAVE: a wave's trap handler, or with AMDGPUDBG_EVENT_IS_PRIV clear
 *	the wave's own program, has sent an interrupt; or with AMDGPUDBG_EVENT_IS_ERROR the
 *	hardware has reported an error of the wave. @cause is why it has trapped, as far as
 *	that is known.
 * @AMDGPUDBG_EVENT_TARGET_GONE: the target has exited; the last event of it
 * @AMDGPUDBG_EVENT_GPU_RESET: the GPU was reset, or a ring or a job of it; @data is the
 *	new gpu_reset_count. After a reset of the whole GPU, waves, handlers, watches
 *	and launch modes are gone; else those of them that it has not reached are still
 *	there. Patches go with their handler. To set a handler or a launch mode again is
 *	right in both cases, and taking away a watch or a patch that has gone gives
 *	-ENOENT.
 * @AMDGPUDBG_EVENT_GPU_GONE: the GPU is gone; the last event
 * @AMDGPUDBG_EVENT_HALT_EXPIRED: waves were stopped for longer than callers
 *	without CAP_SYS_ADMIN may; the session's waves were resumed, its patches and its
 *	launch mode were taken back
 * @AMDGPUDBG_EVENT_HANDLER_LOST: the session's handler is gone, or what else it had set
 *	for the VMID @vmid; @data is why, &enum amdgpudbg_handler_lost. No wave of another
 *	process has started with it: see %AMDGPUDBG_CAP_VMID_GUARD.
 * @AMDGPUDBG_EVENT_SLEEP: the system is about to sleep: all of the session's waves
 *	were resumed, its handler, watches, patches and launch mode are gone. Told before,
 *	and most often read afterwards.
 * @AMDGPUDBG_EVENT_JOB_BEGIN: amdgpu has given a job to a ring
 * @AMDGPUDBG_EVENT_JOB_END: this job has ended; with AMDGPUDBG_EVENT_IS_ERROR it was
 *	not run, or not to its end, and @data is why: a positive errno value, as far as
 *	amdgpu says so (Linux 6.1 does not of all)
 * @AMDGPUDBG_EVENT_VM_FAULT: the GPU has accessed @address of an address space in a way
 *	that its page tables do not allow. Equal faults (@address, @access, @client, @vmid,
 *	@pasid) that come together are one event with a @count. Of a flood of different
 *	faults only some hundred per second are reported; the others are counted as lost.
 * @AMDGPUDBG_EVENT_VM_CHANGED: memory was mapped into the target's address space, or a
 *	mapping has gone; @generation is which generation of them there is now. One that
 *	was not read yet may stand for later changes, too. It may also come without a
 *	change. A list (%AMDGPUDBG_IOC_VM_LIST) with this @generation or a later one
 *	contains the change. Needs a target.
 * @AMDGPUDBG_EVENT_WAVE_MOVED: reserved: the wave @wave_id, which was at @from, was saved to
 *	memory and is @at now. No module reports it yet, so that it cannot be enabled.
 *
 * Of jobs, a session is told if they have begun after it has asked for that, and after
 * it has got its target; of each such job of the target's address space, both. In the
 * order of their times, which are those of the begin and the end themselves. A job that
 * a reset sends to its ring once more does not begin again. Needs
 * %AMDGPUDBG_CAP_JOB_EVENTS, else -EOPNOTSUPP. Without a target they are all jobs, also
 * those of amdgpu itself, whose @pasid is 0.
 *
 * Masks of types, such as @mask of &struct amdgpudbg_event_enable, have the bit
 * ``1 << type`` for each of them. No type has the number 0.
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
#define AMDGPUDBG_EVENT_NUM_IBS		4	/* indirect buffers that an event has room for */

/* amdgpudbg_event.access, any of them */
#define AMDGPUDBG_FAULT_READ		(1U << 0)
#define AMDGPUDBG_FAULT_WRITE		(1U << 1)
#define AMDGPUDBG_FAULT_EXECUTE		(1U << 2)

#define AMDGPUDBG_FAULT_CLIENT_UNKNOWN	0xffffffff	/* amdgpudbg_event.client */

/* amdgpudbg_event.flags */
#define AMDGPUDBG_EVENT_HAS_WAVE	(1U << 0)	/* at and vmid are valid */
#define AMDGPUDBG_EVENT_HAS_STATE	(1U << 1)	/* pc is, too */
#define AMDGPUDBG_EVENT_HAS_JOB		(1U << 2)	/* vmid, job and ring are valid */
#define AMDGPUDBG_EVENT_IS_PRIV		(1U << 3)	/* sent in a trap handler */
#define AMDGPUDBG_EVENT_IS_ERROR	(1U << 4)	/* sent by the hardware, not the wave */

/**
 * struct amdgpudbg_event - one record of read()
 * @size: bytes of this record; the next begins there
 * @type: one of &enum amdgpudbg_event_type
 * @seq: number of the event in this session, from 1, without gaps. That of
 *	%AMDGPUDBG_EVENT_LOST is the number of the first that was lost, and the
 *	next event's is greater by its @data.
 * @time: when it was noticed, nanoseconds of CLOCK_MONOTONIC
 * @flags: AMDGPUDBG_EVENT_HAS_*, AMDGPUDBG_EVENT_IS_*
 * @data: what the wave sent (M0, as many of its low bits as the generation sends: 23 of
 *	%AMDGPUDBG_REGSET_GFX10_3), or the hardware about its error; see also @type
 * @vmid: VMID of the wave or the job, or see @type
 * @pasid: the PASID that the interrupt carried, 0 if none
 * @at: the wave, see AMDGPUDBG_EVENT_HAS_WAVE
 * @wave_id: its id, 0 if that is not known
 * @pc: see AMDGPUDBG_EVENT_HAS_STATE: where the wave was when it entered its handler
 *	if it is halted in it, else its PC
 * @cause: AMDGPUDBG_CAUSE_* that can have made the wave enter its handler; zero: not
 *	known, or the message has no such cause
 * @watch_mask: watches that were hit, ``1 << id`` for each, with AMDGPUDBG_CAUSE_WATCH
 * @trap_id: number of the trap, with AMDGPUDBG_CAUSE_S_TRAP and _HOST_TRAP
 * @job: see AMDGPUDBG_EVENT_HAS_JOB: number of the job in @job_context, from 1, without
 *	gaps: what DRM_AMDGPU_CS has returned to the process as its handle
 * @job_context: of whose jobs @job is one: those of one amdgpu context on one of its
 *	rings. Both are as the kernel's tracepoints show them of the job's fence.
 * @ring: number of the ring that the job was given to, among the GPU's
 * @ring_type: AMDGPU_HW_IP_* of it (drm/amdgpu_drm.h)
 * @ring_name: amdgpu's name of it, such as "comp_1.0.0"
 * @address: of %AMDGPUDBG_EVENT_VM_FAULT: the first address of the page
 * @access: AMDGPUDBG_FAULT_*, 0 if it is not known
 * @client: number of the part of the GPU that has made the access, as amdgpu reports it in
 *	the kernel log ("Faulty UTCL2 client ID"), or AMDGPUDBG_FAULT_CLIENT_UNKNOWN
 * @generation: of %AMDGPUDBG_EVENT_VM_CHANGED
 * @count: faults that the event stands for
 * @num_ibs: of %AMDGPUDBG_EVENT_JOB_BEGIN: indirect buffers of the job, 0 if amdgpu does not
 *	show them; %AMDGPUDBG_IOC_JOB_LIST lists those that @ibs has no room for
 * @from: of %AMDGPUDBG_EVENT_WAVE_MOVED
 * @ibs: the first @num_ibs of them, %AMDGPUDBG_EVENT_NUM_IBS at most
 *
 * The wave's state is read a moment after the interrupt: when it has left its handler,
 * but at most 250 ms later. A handler that wants it to be right halts its wave. The state
 * of a running wave may be that of another process, whose wave had the slot in between: so a
 * session with a target gets @pc, @cause, @watch_mask and @trap_id of halted waves only, and
 * of others only the @cause that the interrupt itself carried.
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
 * struct amdgpudbg_event_enable - AMDGPUDBG_IOC_EVENT_ENABLE
 * @size: sizeof(struct amdgpudbg_event_enable)
 * @flags: must be zero
 * @mask: in, the events to enable: ``1 << type`` for each type of &enum
 *	amdgpudbg_event_type; a bit that is not in @event_mask of &struct amdgpudbg_info
 *	gives -EOPNOTSUPP. Zero: none any more,
 *	and what was not read is thrown away. %AMDGPUDBG_EVENT_LOST, _TARGET_GONE and
 *	_GPU_GONE come with any other.
 * @cause_mask: in, AMDGPUDBG_CAUSE_* of the %AMDGPUDBG_EVENT_WAVE events to report; zero:
 *	all. An event whose @cause is zero passes every mask, because its cause is not
 *	known. Bits without a meaning give -EOPNOTSUPP. Zero unless @mask has
 *	%AMDGPUDBG_EVENT_WAVE.
 * @capacity: in, events that the queue holds, 1 to AMDGPUDBG_EVENT_CAPACITY_MAX; 0:
 *	256. Zero if @mask is. What is in the queue stays, as far as it fits in the new
 *	one.
 * @entry_size: in, longest record that the caller wants to read, at least the size of
 *	the first published &struct amdgpudbg_event and at most AMDGPUDBG_SIZE_MAX;
 *	zero if @mask is. Longer ones are cut: @size of each is the smaller of the
 *	module's and this.
 * @busy: out, &enum amdgpudbg_busy_cause, see there
 * @__reserved: must be zero
 *
 * Without a target, the events of the waves of the whole GPU, for which the
 * call needs CAP_PERFMON, CAP_SYS_PTRACE or CAP_SYS_ADMIN.
 *
 * read() of the session's file gives as many whole events as fit: -EMSGSIZE if
 * not even one does, -EAGAIN with O_NONBLOCK if there is none, else it waits;
 * -EINVAL if no events are enabled. Each event is given to one reader. After
 * the last event of a target or a GPU that is gone: -ENOTCONN or -ENODEV. poll():
 * EPOLLIN if there is an event, EPOLLHUP if there will be none any more.
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
 * The sizes that structures had when they were first published: less is refused, in
 * @size as in a stride. They never change; sizeof() grows. The others, &struct
 * amdgpudbg_wave_coord, &struct amdgpudbg_select and &struct amdgpudbg_reg_range, do not.
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
