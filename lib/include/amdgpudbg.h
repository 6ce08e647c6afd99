/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg: the C interface to amdgpudbg, the wave debugger for AMD GPUs.
 *
 * This is the only public header of the library. It stands on its own: it
 * needs neither the kernel's headers nor those of the amdgpu driver.
 */
#ifndef AMDGPUDBG_H
#define AMDGPUDBG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * DOC: Rules for the whole library
 *
 * Results. Functions that can fail return 0 or a negative errno value; the
 * variable errno is no part of the interface. adbg_strerror() puts the value
 * into words. A function that fails leaves its output parameters as they were,
 * unless its description says otherwise.
 *
 * EINTR. Calls that a signal may interrupt are restarted by the library. The
 * one exception is adbg_wave_control() with an operation that must not be done
 * twice (%ADBG_WAVE_OP_TRAP): it returns -EINTR, and the caller has to look at
 * the waves to know.
 *
 * Threads. There is no global state, no hidden thread, no signal handler, and
 * nothing is printed. One thread at a time may use an object; different
 * objects are independent. Functions that take no object may be called from
 * any thread at any time.
 *
 * Ownership. Objects made by the library (&struct adbg_session, &struct
 * adbg_gpu_list, &struct adbg_wave_list) are freed by their own function.
 * Pointers that a getter returns belong to the object and live as long as it
 * does, or until the call that fills it again.
 *
 * Structures that the caller allocates begin with @sz, the size that the
 * caller was compiled with. Define them with ADBG_DEFINE_STRUCT(), which sets it.
 * Such structures only ever grow at the end. The library takes a shorter one
 * as if the missing members were zero, and refuses a longer one with -E2BIG
 * when members that it does not know are not zero.
 */

/**
 * ADBG_DEFINE_STRUCT - define a zeroed structure of the library with its size set
 * @type: name of the structure type, without "struct"
 * @name: name of the variable
 * @...: designated initialisers, such as .vmid = 1
 */
#define ADBG_DEFINE_STRUCT(type, name, ...) \
	struct type name = { .sz = sizeof(struct type), __VA_ARGS__ }

#if defined(__GNUC__)
#define ADBG_WUR __attribute__((__warn_unused_result__))
#else
#define ADBG_WUR
#endif

/* ---------------------------------------------------------------- version */

/**
 * adbg_version() - version of the library that is running
 *
 * Return: text such as "0.1.0", static.
 */
const char *adbg_version(void);

/**
 * adbg_abi_version() - kernel interface that the library was built for
 *
 * Return: the AMDGPUDBG_ABI_VERSION that the library knows. A module with a
 * greater number works too.
 */
uint32_t adbg_abi_version(void);

/* --------------------------------------------------------------- the GPUs */

/* Parts of adbg_gpu_info.gc_version. */
#define ADBG_GC_VERSION(major, minor, rev) \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(rev))
#define ADBG_GC_MAJOR(version)	((version) >> 16)
#define ADBG_GC_MINOR(version)	((version) >> 8 & 0xff)
#define ADBG_GC_REV(version)	((version) & 0xff)

/**
 * struct adbg_gpu_info - what the module knows of a GPU
 * @sz: sizeof(struct adbg_gpu_info), see ADBG_DEFINE_STRUCT()
 * @abi_version: kernel interface of the loaded module
 * @gc_version: graphics core, see ADBG_GC_VERSION()
 * @pci_domain: PCI address
 * @pci_bus: PCI address
 * @pci_device: PCI address
 * @pci_function: PCI address
 * @vendor_id: PCI identity, 0x1002 for AMD
 * @device_id: PCI identity
 * @num_xcc: accelerator complexes
 * @num_se: shader engines
 * @num_sa: shader arrays in one shader engine
 * @num_wgp: workgroup processors (gfx10 and later; compute units before) in
 *	one shader array, harvested ones included
 * @num_simd: SIMDs in one workgroup processor or compute unit
 * @num_wave: wave slots in one SIMD
 * @num_vmid: VMIDs 1 to @num_vmid - 1 may be named in other calls
 * @first_kfd_vmid: VMIDs from this one on belong to the compute driver amdkfd
 * @num_capabilities: ids that adbg_session_get_capability() accepts
 * @num_active_cu: compute units that are not harvested
 * @gpu_reset_count: resets of the GPU since its driver took it
 * @render_minor: minor number of the GPU's render node, such as 128
 * @driver_build_id: GNU build id of the loaded amdgpu.ko in hexadecimal, empty
 *	when unknown
 * @module_version: version of the loaded amdgpudbg.ko
 *
 * Source: AMDGPUDBG_IOC_GET_INFO.
 */
struct adbg_gpu_info {
	uint32_t sz;
	uint32_t abi_version;
	uint32_t gc_version;
	uint32_t pci_domain;
	uint16_t pci_bus;
	uint8_t pci_device;
	uint8_t pci_function;
	uint16_t vendor_id;
	uint16_t device_id;
	uint32_t num_xcc;
	uint32_t num_se;
	uint32_t num_sa;
	uint32_t num_wgp;
	uint32_t num_simd;
	uint32_t num_wave;
	uint32_t num_vmid;
	uint32_t first_kfd_vmid;
	uint32_t num_capabilities;
	uint32_t num_active_cu;
	uint32_t gpu_reset_count;
	uint32_t render_minor;
	char driver_build_id[48];
	char module_version[32];
};

/**
 * struct adbg_gpu - one GPU in a list
 * @number: N of /dev/amdgpudbgN
 * @error: 0, or the negative errno value that asking the GPU gave; @info is
 *	then all zero
 * @path: its device node
 * @info: what the module knows of it
 */
struct adbg_gpu {
	uint32_t number;
	int32_t error;
	char path[32];
	struct adbg_gpu_info info;
};

/** struct adbg_gpu_list - the GPUs that the module serves; opaque */
struct adbg_gpu_list;

/**
 * adbg_gpu_list_new() - look which GPUs there are
 * @list: set to a new list, in the order of the node numbers. It may be empty.
 *
 * Each node is opened for a moment to ask it; one that cannot be asked is
 * listed too, with its error.
 *
 * Return: 0; -ENOMEM; what opendir(3) gives for /dev.
 */
int adbg_gpu_list_new(struct adbg_gpu_list **list) ADBG_WUR;

/**
 * adbg_gpu_list_free() - free a list
 * @list: the list, or NULL
 */
void adbg_gpu_list_free(struct adbg_gpu_list *list);

/**
 * adbg_gpu_list_count() - number of GPUs in a list
 * @list: the list
 *
 * Return: the number.
 */
size_t adbg_gpu_list_count(const struct adbg_gpu_list *list);

/**
 * adbg_gpu_list_get() - one GPU of a list
 * @list: the list
 * @i: its place, from 0
 *
 * Return: the GPU, owned by @list; NULL when there is none at @i.
 */
const struct adbg_gpu *adbg_gpu_list_get(const struct adbg_gpu_list *list,
					 size_t i);

/**
 * adbg_gpu_list_find_pci() - the GPU at a PCI address
 * @list: the list
 * @address: such as "0000:0a:00.0"; the domain may be left out
 * @gpu: set to the GPU, owned by @list
 *
 * Return: 0; -EINVAL when @address is no PCI address; -ENODEV when the list has
 * no such GPU; the error of a GPU that could not be asked, if there is one and
 * no other matches.
 */
int adbg_gpu_list_find_pci(const struct adbg_gpu_list *list,
			   const char *address,
			   const struct adbg_gpu **gpu) ADBG_WUR;

/**
 * adbg_gpu_list_find_render() - the GPU that a DRM render node belongs to
 * @list: the list
 * @path: such as "/dev/dri/renderD128"
 * @gpu: set to the GPU, owned by @list
 *
 * Return: 0; -ENOTTY when @path is no DRM render node; what stat(2) gives for
 * @path; otherwise as adbg_gpu_list_find_pci().
 */
int adbg_gpu_list_find_render(const struct adbg_gpu_list *list,
			      const char *path,
			      const struct adbg_gpu **gpu) ADBG_WUR;

/**
 * adbg_module_status() - what the module says about the GPUs of the machine
 * @text: set to the text, shortened to @size. A line for each AMD GPU: PCI
 *	address, vendor:device, node or "-", a sentence. Without any AMD GPU
 *	there is only a sentence. The last line has no line feed.
 * @size: size of @text in bytes, at least 1
 *
 * The answer to "why is this GPU not there": the module's parameter "status",
 * read from /sys/module/amdgpudbg/parameters/status.
 *
 * Return: 0; -ENOENT when the module is not loaded; -ENODATA when it is loaded
 * and says nothing; -EINVAL; what read(2) gives.
 */
int adbg_module_status(char *text, size_t size) ADBG_WUR;

/* --------------------------------------------------------------- sessions */

/**
 * struct adbg_session - an open GPU; opaque
 *
 * A session owns what it changes on the GPU. When it closes (also because its
 * process was killed), the kernel takes it all back: waves that it halted run
 * on, unless they were halted with %ADBG_WAVE_LEAVE_HALTED.
 *
 * The file descriptor is closed by execve(2). A child of fork(2) shares it, and
 * the session then lives until both have closed it.
 */
struct adbg_session;

/**
 * adbg_session_open() - open a GPU by number
 * @number: N of /dev/amdgpudbgN
 * @session: set to the new session, to be closed with adbg_session_close()
 *
 * Return: 0; -ENOENT no such node; -EACCES no permission on the node; -ENODEV
 * the GPU is gone; -ENOTTY the node is not amdgpudbg's; -ENOMEM; other values
 * of open(2).
 */
int adbg_session_open(unsigned int number,
		      struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_open_only() - open the GPU when there is only one
 * @session: set to the new session
 *
 * Return: as adbg_session_open(); -ENODEV there is none; -ENOTUNIQ there are
 * several.
 */
int adbg_session_open_only(struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_open_pci() - open the GPU at a PCI address
 * @address: see adbg_gpu_list_find_pci()
 * @session: set to the new session
 *
 * Return: as adbg_session_open() and adbg_gpu_list_find_pci().
 */
int adbg_session_open_pci(const char *address,
			  struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_open_render() - open the GPU of a DRM render node
 * @path: see adbg_gpu_list_find_render()
 * @session: set to the new session
 *
 * Return: as adbg_session_open() and adbg_gpu_list_find_render().
 */
int adbg_session_open_render(const char *path,
			     struct adbg_session **session) ADBG_WUR;

/**
 * adbg_session_close() - close a session
 * @session: the session, or NULL
 *
 * The kernel takes back what the session changed.
 */
void adbg_session_close(struct adbg_session *session);

/**
 * adbg_session_get_fd() - the file descriptor of a session
 * @session: the session
 *
 * For fcntl(2) and for passing it on. It belongs to the session: do not close
 * it.
 *
 * Return: the descriptor.
 */
int adbg_session_get_fd(const struct adbg_session *session);

/**
 * adbg_session_get_number() - which GPU a session is for
 * @session: the session
 *
 * Return: N of /dev/amdgpudbgN.
 */
unsigned int adbg_session_get_number(const struct adbg_session *session);

/**
 * adbg_session_get_gc_version() - graphics core of the session's GPU
 * @session: the session
 *
 * Asks nobody: the version was read when the session was opened.
 *
 * Return: see ADBG_GC_VERSION(); what the adbg_reg functions want.
 */
uint32_t adbg_session_get_gc_version(const struct adbg_session *session);

/**
 * adbg_session_get_info() - what the module knows of the GPU, as of now
 * @session: the session
 * @info: defined with ADBG_DEFINE_STRUCT(), filled up to its size
 *
 * Touches no register, and works while the GPU sleeps.
 *
 * Return: 0; -EINVAL @info is NULL or too short; -ENODEV the GPU is gone.
 */
int adbg_session_get_info(struct adbg_session *session,
			  struct adbg_gpu_info *info) ADBG_WUR;

/**
 * struct adbg_capability - one thing that the GPU, its driver and the module
 * can or cannot do
 * @sz: sizeof(struct adbg_capability), see ADBG_DEFINE_STRUCT()
 * @id: its number, see adbg_session_get_capability()
 * @supported: 1 or 0
 * @__reserved: zero
 * @name: short name, such as "wave-halt"
 * @reason: why not, as a sentence; empty when supported
 *
 * Source: AMDGPUDBG_IOC_GET_CAPABILITY.
 */
struct adbg_capability {
	uint32_t sz;
	uint32_t id;
	uint32_t supported;
	uint32_t __reserved;
	char name[32];
	char reason[144];
};

/**
 * adbg_session_get_capability() - ask for one capability by number
 * @session: the session
 * @id: from 0 to num_capabilities - 1 of &struct adbg_gpu_info. The numbers
 *	are those of enum amdgpudbg_capability_id in linux/amdgpudbg.h.
 * @capability: defined with ADBG_DEFINE_STRUCT(), filled up to its size
 *
 * Touches no register.
 *
 * Return: 0; -EINVAL the module does not know @id, or @capability is NULL or
 * too short; -ENODEV the GPU is gone.
 */
int adbg_session_get_capability(struct adbg_session *session, uint32_t id,
				struct adbg_capability *capability) ADBG_WUR;

/* -------------------------------------------------- wave names and filters */

/**
 * struct adbg_wave_at - where a wave slot is, all counted from 0
 * @xcc: accelerator complex, 0 on GPUs that have one
 * @se: shader engine
 * @sa: shader array in the shader engine ("SH" on gfx9 and older)
 * @wgp: workgroup processor in the array (compute unit on gfx9 and older)
 * @simd: SIMD in the workgroup processor
 * @wave: slot in the SIMD
 * @__reserved: zero
 *
 * Of fixed size, laid out as struct amdgpudbg_wave_coord.
 */
struct adbg_wave_at {
	uint16_t xcc;
	uint16_t se;
	uint16_t sa;
	uint16_t wgp;
	uint16_t simd;
	uint16_t wave;
	uint32_t __reserved;
};

/** ADBG_WAVE_NAME_MAX - size of a buffer that holds any wave's name */
#define ADBG_WAVE_NAME_MAX	64

/**
 * adbg_wave_name() - print the name of a wave slot
 * @at: the slot
 * @name: buffer of ADBG_WAVE_NAME_MAX bytes, always enough
 *
 * The name is like "se0.sa0.wgp3.simd1.wave5", with "xcc1." in front on an
 * accelerator complex other than the first. adbg_wave_spec_parse() reads it
 * back.
 *
 * Return: @name.
 */
char *adbg_wave_name(const struct adbg_wave_at *at,
		     char name[ADBG_WAVE_NAME_MAX]);

/**
 * struct adbg_range - a range of one member of a wave's place
 * @first: lowest value
 * @last: highest value, included; ADBG_RANGE_MAX with @first 0 is "any"
 */
struct adbg_range {
	uint16_t first;
	uint16_t last;
};

#define ADBG_RANGE_MAX	UINT16_MAX

/**
 * struct adbg_wave_spec - a filter for wave slots
 * @xcc: wanted accelerator complexes
 * @se: wanted shader engines
 * @sa: wanted shader arrays
 * @wgp: wanted workgroup processors
 * @simd: wanted SIMDs
 * @wave: wanted slots
 *
 * Of fixed size.
 */
struct adbg_wave_spec {
	struct adbg_range xcc;
	struct adbg_range se;
	struct adbg_range sa;
	struct adbg_range wgp;
	struct adbg_range simd;
	struct adbg_range wave;
};

/**
 * adbg_wave_spec_parse() - read a wave's name or a filter
 * @text: what to read
 * @spec: set to the filter
 * @bad: when not NULL, set on failure to the offset in @text of the part that
 *	is wrong
 *
 * A filter has up to six parts divided by dots: xcc, se, sa, wgp, simd, wave.
 * A part is a number, a range "2-5" or "*" for any, with the name of its place
 * in front ("wgp3") or without. "sh" is taken for "sa" and "cu" for "wgp". A
 * part without a name is for the place after the one before it, and the first
 * such is for se, or for xcc when all six are given. Places that are left out
 * are any, but for xcc, which is then 0. "*" alone means every wave.
 *
 * All of these name the same slot: "se0.sa0.wgp3.simd1.wave5",
 * "se0.sh0.cu3.simd1.wave5", "0.0.3.1.5", "xcc0.se0.sa0.wgp3.simd1.wave5".
 * "wgp3" and "*.*.3" mean all waves on every WGP 3, "0.0.0-3.*.0" the first
 * slots of four WGPs.
 *
 * Return: 0; -EINVAL not a filter; -ERANGE a number is above 65535.
 */
int adbg_wave_spec_parse(const char *text, struct adbg_wave_spec *spec,
			 size_t *bad) ADBG_WUR;

/**
 * adbg_wave_spec_match() - is a slot in a filter
 * @spec: the filter
 * @at: the slot
 *
 * Return: true when it is.
 */
bool adbg_wave_spec_match(const struct adbg_wave_spec *spec,
			  const struct adbg_wave_at *at);

/**
 * adbg_wave_spec_single() - does a filter name exactly one slot
 * @spec: the filter
 * @at: when not NULL and the answer is yes, set to the slot
 *
 * Return: true when it does.
 */
bool adbg_wave_spec_single(const struct adbg_wave_spec *spec,
			   struct adbg_wave_at *at);

/**
 * adbg_wave_spec_wgp() - does a filter name one whole WGP or compute unit
 * @spec: the filter
 * @at: when not NULL and the answer is yes, set to its place, with simd and
 *	wave 0
 *
 * Return: true when xcc, se, sa and wgp are one value each, and simd and wave
 * are any.
 */
bool adbg_wave_spec_wgp(const struct adbg_wave_spec *spec,
			struct adbg_wave_at *at);

/* -------------------------------------------------------- listing of waves */

/**
 * enum adbg_wave_flag - bits of adbg_wave.flags
 * @ADBG_WAVE_HALTED: halted, by whomever
 * @ADBG_WAVE_PRIV: in a trap handler
 * @ADBG_WAVE_WAVE64: 64 lanes, else 32
 * @ADBG_WAVE_PASID: the member pasid is valid
 */
enum adbg_wave_flag {
	ADBG_WAVE_HALTED = 1 << 0,
	ADBG_WAVE_PRIV = 1 << 1,
	ADBG_WAVE_WAVE64 = 1 << 2,
	ADBG_WAVE_PASID = 1 << 3,
};

/**
 * struct adbg_wave - one live wave, as read from its slot
 * @at: where it is
 * @flags: &enum adbg_wave_flag
 * @vmid: VMID that it runs in
 * @pasid: process address space that the VMID belonged to when the wave was
 *	read; valid with %ADBG_WAVE_PASID
 * @status: SQ_WAVE_STATUS
 * @pc: address of its next instruction in the VMID's address space, in bytes
 * @exec: EXEC, one bit per lane
 * @trapsts: SQ_WAVE_TRAPSTS
 * @mode: SQ_WAVE_MODE
 * @hw_id1: SQ_WAVE_HW_ID1 (HW_ID on gfx9 and older)
 * @hw_id2: SQ_WAVE_HW_ID2 (zero on gfx9 and older)
 * @gpr_alloc: SQ_WAVE_GPR_ALLOC
 * @lds_alloc: SQ_WAVE_LDS_ALLOC
 * @ib_sts: SQ_WAVE_IB_STS
 * @ib_sts2: SQ_WAVE_IB_STS2 (zero on gfx9 and older)
 * @ib_dbg1: SQ_WAVE_IB_DBG1
 * @inst_dw0: SQ_WAVE_INST_DW0, the instruction word at @pc; zero where the
 *	generation has no such register
 * @m0: M0
 * @__reserved: zero
 *
 * Registers are raw; the adbg_reg functions take them apart. A wave that is not
 * halted ran on between the reads of its registers.
 *
 * Laid out as struct amdgpudbg_wave, so that the kernel writes straight into
 * the caller's buffer. May grow at the end: step through a buffer of them by
 * the size that the buffer was read with.
 */
struct adbg_wave {
	struct adbg_wave_at at;
	uint32_t flags;
	uint32_t vmid;
	uint32_t pasid;
	uint32_t status;
	uint64_t pc;
	uint64_t exec;
	uint32_t trapsts;
	uint32_t mode;
	uint32_t hw_id1;
	uint32_t hw_id2;
	uint32_t gpr_alloc;
	uint32_t lds_alloc;
	uint32_t ib_sts;
	uint32_t ib_sts2;
	uint32_t ib_dbg1;
	uint32_t inst_dw0;
	uint32_t m0;
	uint32_t __reserved;
};

/**
 * struct adbg_wave_read - adbg_wave_read()
 * @sz: sizeof(struct adbg_wave_read), see ADBG_DEFINE_STRUCT()
 * @vmid_mask: in, one bit per wanted VMID; 0 means all but VMID 0
 * @waves: in, the caller's buffer; may be NULL when @capacity is 0
 * @entry_size: in, bytes from one record to the next; 0 means
 *	sizeof(struct adbg_wave) of the library
 * @capacity: in, records that fit in the buffer
 * @count: out, live waves that were found
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 * @gpu_reset_count: out, see &struct adbg_gpu_info
 */
struct adbg_wave_read {
	uint32_t sz;
	uint32_t vmid_mask;
	struct adbg_wave *waves;
	uint32_t entry_size;
	uint32_t capacity;
	uint32_t count;
	uint32_t reg_reads;
	uint32_t reg_writes;
	uint32_t gpu_reset_count;
};

/**
 * adbg_wave_read() - read the live waves into the caller's buffer
 * @session: the session
 * @request: what is wanted, and where to; defined with ADBG_DEFINE_STRUCT()
 *
 * One system call, no allocation. Waves come in the order of their places. They
 * are not stopped for it: waves that begin or end meanwhile may or may not be
 * there. Needs CAP_SYS_ADMIN.
 *
 * Return: 0; -EMSGSIZE more waves than @capacity: the buffer holds the first
 * ones and @count says how many there were; -EINVAL a bit of @vmid_mask is no
 * VMID, or a size is wrong; -E2BIG; -EPERM; -EOPNOTSUPP; -EBUSY the GPU is
 * being reset; -ENODEV the GPU is gone.
 */
int adbg_wave_read(struct adbg_session *session,
		   struct adbg_wave_read *request) ADBG_WUR;

/**
 * struct adbg_wave_list - a list of waves that grows as needed; opaque
 *
 * It keeps its buffer, so that reading again costs one system call.
 */
struct adbg_wave_list;

/**
 * adbg_wave_list_new() - make an empty list
 * @list: set to the list, to be freed with adbg_wave_list_free()
 *
 * Return: 0; -ENOMEM.
 */
int adbg_wave_list_new(struct adbg_wave_list **list) ADBG_WUR;

/**
 * adbg_wave_list_free() - free a list
 * @list: the list, or NULL
 */
void adbg_wave_list_free(struct adbg_wave_list *list);

/**
 * adbg_wave_list_read() - fill a list with the live waves, as of now
 * @list: the list; its former contents are gone, also on failure
 * @session: the session
 * @vmid_mask: see &struct adbg_wave_read
 *
 * Makes the buffer longer and asks again while the kernel has more waves than
 * fit.
 *
 * Return: as adbg_wave_read(); -ENOMEM; -EMSGSIZE only when the number of waves
 * outran the buffer eight times.
 */
int adbg_wave_list_read(struct adbg_wave_list *list,
			struct adbg_session *session,
			uint32_t vmid_mask) ADBG_WUR;

/**
 * adbg_wave_list_count() - number of waves in a list
 * @list: the list
 *
 * Return: the number.
 */
size_t adbg_wave_list_count(const struct adbg_wave_list *list);

/**
 * adbg_wave_list_get() - one wave of a list
 * @list: the list
 * @i: its place, from 0
 *
 * Return: the wave, owned by @list; NULL when there is none at @i.
 */
const struct adbg_wave *adbg_wave_list_get(const struct adbg_wave_list *list,
					   size_t i);

/**
 * adbg_wave_list_get_cost() - what the last reading of a list took
 * @list: the list
 * @reg_reads: when not NULL, set to the register reads of its last system call
 * @reg_writes: when not NULL, set to the register writes of it
 */
void adbg_wave_list_get_cost(const struct adbg_wave_list *list,
			     uint32_t *reg_reads, uint32_t *reg_writes);

/* -------------------------------------------------------- control of waves */

/**
 * enum adbg_wave_op - what to do with waves
 * @ADBG_WAVE_OP_HALT: stop issuing instructions
 * @ADBG_WAVE_OP_RESUME: go on after a halt
 * @ADBG_WAVE_OP_KILL: end at once
 * @ADBG_WAVE_OP_DEBUG: enter the trap handler after each instruction
 * @ADBG_WAVE_OP_TRAP: enter the trap handler once
 *
 * The numbers are those of HSA_DBG_WAVEOP (Linux 5.10 amdkfd/kfd_dbgmgr.h).
 */
enum adbg_wave_op {
	ADBG_WAVE_OP_HALT = 1,
	ADBG_WAVE_OP_RESUME = 2,
	ADBG_WAVE_OP_KILL = 3,
	ADBG_WAVE_OP_DEBUG = 4,
	ADBG_WAVE_OP_TRAP = 5,
};

/**
 * enum adbg_wave_mode - which waves
 * @ADBG_WAVE_MODE_SINGLE: the one at a place
 * @ADBG_WAVE_MODE_PROCESS: all of a VMID
 * @ADBG_WAVE_MODE_PROCESS_CU: all of a VMID on one WGP (compute unit on gfx9
 *	and older)
 *
 * The numbers are those of HSA_DBG_WAVEMODE (Linux 5.10 amdkfd/kfd_dbgmgr.h).
 */
enum adbg_wave_mode {
	ADBG_WAVE_MODE_SINGLE = 0,
	ADBG_WAVE_MODE_PROCESS = 2,
	ADBG_WAVE_MODE_PROCESS_CU = 3,
};

/**
 * enum adbg_wave_control_flag - bits of adbg_wave_control.flags
 * @ADBG_WAVE_EXPECT_PC: %ADBG_WAVE_MODE_SINGLE only: the wave must be at pc
 * @ADBG_WAVE_LEAVE_HALTED: %ADBG_WAVE_OP_HALT only: the waves stay halted when
 *	the session closes
 */
enum adbg_wave_control_flag {
	ADBG_WAVE_EXPECT_PC = 1 << 0,
	ADBG_WAVE_LEAVE_HALTED = 1 << 1,
};

/**
 * struct adbg_wave_control - adbg_wave_control()
 * @sz: sizeof(struct adbg_wave_control), see ADBG_DEFINE_STRUCT()
 * @op: in, &enum adbg_wave_op
 * @mode: in, &enum adbg_wave_mode
 * @flags: in, &enum adbg_wave_control_flag
 * @vmid: in, VMID of the waves. Always compared, by the hardware and by the
 *	module: a wave of another VMID is never touched.
 * @trap_id: in, %ADBG_WAVE_OP_TRAP only, else zero
 * @at: in, the wave (SINGLE), the WGP (PROCESS_CU: simd and wave zero), or
 *	all zero (PROCESS)
 * @pc: in, with %ADBG_WAVE_EXPECT_PC, else zero
 * @matched: out, live waves that the call was about
 * @changed: out, how many of them were seen in the wanted state afterwards
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 *
 * Source: AMDGPUDBG_IOC_WAVE_CONTROL.
 */
struct adbg_wave_control {
	uint32_t sz;
	uint32_t op;
	uint32_t mode;
	uint32_t flags;
	uint32_t vmid;
	uint32_t trap_id;
	struct adbg_wave_at at;
	uint64_t pc;
	uint32_t matched;
	uint32_t changed;
	uint32_t reg_reads;
	uint32_t reg_writes;
};

/**
 * adbg_wave_control() - halt, resume, kill, debug or trap waves
 * @session: the session; it becomes the owner of what it halts
 * @control: what to do, and what came of it; defined with ADBG_DEFINE_STRUCT()
 *
 * One system call. Waves that start after it are not touched by it. Needs
 * CAP_SYS_ADMIN.
 *
 * Return: 0; -ETIMEDOUT a wave did not reach the wanted state in time: the
 * outputs are valid and what was changed stays changed; -ENODATA the slot is
 * empty; -ESTALE the slot holds a wave of another VMID, or at another pc;
 * -ENXIO no such place; -EBUSY another session halted it, or the GPU is being
 * reset; -EOPNOTSUPP the GPU cannot; -EPERM; -EINVAL; -E2BIG; -EIO; -ENODEV
 * the GPU is gone; -EINTR see the rule at the top.
 */
int adbg_wave_control(struct adbg_session *session,
		      struct adbg_wave_control *control) ADBG_WUR;

/* ---------------------------------------------- taking wave registers apart */

/**
 * struct adbg_field - one field of a register
 * @name: as in AMD's headers, such as "HALT"
 * @shift: its lowest bit
 * @width: its number of bits
 * @bits: NULL, or @width names, one for each bit of a field that is a set of
 *	flags, the lowest bit first
 */
struct adbg_field {
	const char *name;
	uint32_t shift;
	uint32_t width;
	const char *const *bits;
};

/**
 * struct adbg_reg - one register of a wave in one generation
 * @name: as in AMD's headers, such as "SQ_WAVE_STATUS"
 * @index: its SQ_IND_INDEX index
 * @num_fields: see adbg_reg_get_field()
 *
 * Part of static tables. Only the library makes these; there is more behind
 * the members shown.
 */
struct adbg_reg {
	const char *name;
	uint32_t index;
	uint32_t num_fields;
};

/**
 * adbg_reg_count() - number of registers that the library can take apart
 * @gc_version: see adbg_session_get_gc_version()
 *
 * Return: the number; 0 for a generation that it does not know.
 */
size_t adbg_reg_count(uint32_t gc_version);

/**
 * adbg_reg_get() - one register of a generation
 * @gc_version: see adbg_session_get_gc_version()
 * @i: its place in the table, from 0
 *
 * Return: the register, static; NULL when there is none at @i.
 */
const struct adbg_reg *adbg_reg_get(uint32_t gc_version, size_t i);

/**
 * adbg_reg_find() - a register by name
 * @gc_version: see adbg_session_get_gc_version()
 * @name: such as "SQ_WAVE_STATUS", or without the prefix "SQ_WAVE_"
 *
 * Return: the register, static; NULL when there is none of that name.
 */
const struct adbg_reg *adbg_reg_find(uint32_t gc_version, const char *name);

/**
 * adbg_reg_get_field() - one field of a register
 * @reg: the register
 * @i: its place, from 0; the lowest field comes first
 *
 * Return: the field, static; NULL when there is none at @i.
 */
const struct adbg_field *adbg_reg_get_field(const struct adbg_reg *reg,
					    size_t i);

/**
 * adbg_reg_find_field() - a field by name
 * @reg: the register
 * @name: such as "HALT"
 *
 * Return: the field, static; NULL when there is none of that name.
 */
const struct adbg_field *adbg_reg_find_field(const struct adbg_reg *reg,
					     const char *name);

/**
 * adbg_reg_value() - the raw value of a register of a wave
 * @reg: the register
 * @wave: the wave, complete: a record that was read with a shorter size must
 *	be copied into a zeroed &struct adbg_wave before
 *
 * Return: the value.
 */
uint32_t adbg_reg_value(const struct adbg_reg *reg,
			const struct adbg_wave *wave);

/**
 * adbg_field_value() - the value of a field
 * @field: the field
 * @raw: the register's value
 *
 * Return: the value, shifted down to bit 0.
 */
uint32_t adbg_field_value(const struct adbg_field *field, uint32_t raw);

/* ----------------------------------------------------------------- errors */

/**
 * enum adbg_call - what failed, for adbg_strerror()
 * @ADBG_CALL_ANY: anything else
 * @ADBG_CALL_OPEN: finding and opening a GPU
 * @ADBG_CALL_INFO: adbg_session_get_info(), adbg_session_get_capability()
 * @ADBG_CALL_WAVE_READ: adbg_wave_read(), adbg_wave_list_read()
 * @ADBG_CALL_WAVE_CONTROL: adbg_wave_control()
 */
enum adbg_call {
	ADBG_CALL_ANY,
	ADBG_CALL_OPEN,
	ADBG_CALL_INFO,
	ADBG_CALL_WAVE_READ,
	ADBG_CALL_WAVE_CONTROL,
};

/**
 * adbg_strerror() - what an error means for a call
 * @call: the call that returned it
 * @error: what it returned; the sign does not matter
 *
 * Return: a clause in lower case without a full stop, static; never NULL.
 */
const char *adbg_strerror(enum adbg_call call, int error);

/**
 * adbg_strhint() - what to do about an error
 * @call: the call that returned it
 * @error: what it returned; the sign does not matter
 *
 * Return: a clause in lower case without a full stop, static; NULL when there
 * is nothing to say.
 */
const char *adbg_strhint(enum adbg_call call, int error);

/**
 * adbg_errname() - the name of an errno value
 * @error: the value; the sign does not matter
 *
 * Return: a name such as "EBUSY", static; "E?" when unknown.
 */
const char *adbg_errname(int error);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_H */
