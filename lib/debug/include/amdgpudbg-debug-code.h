/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug, part for code that needs no running process: code objects, source lines,
 * types, variables, values and instructions. amdgpudbg-debug.h includes this header.
 */
#ifndef AMDGPUDBG_DEBUG_CODE_H
#define AMDGPUDBG_DEBUG_CODE_H

#include <amdgpudbg.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * DOC: Rules for the whole library
 *
 * The rules are those of libamdgpudbg: functions return 0 or a negative errno value; an object
 * is used by one thread at a time; nothing is printed; there are no global variables; the result
 * of a getter belongs to its object. In addition:
 *
 * A function that can fail has a &struct adbgd_error as its last parameter, which may be NULL.
 * On failure its text says what is wrong, and where; on success it is not changed.
 *
 * Addresses are those of the GPU's address space once the base of the code object is set
 * (adbgd_code_set_base()); before, they are those of its file.
 *
 * Content of files and of the target's memory is not trusted. Malformed content returns -EBADMSG;
 * content that exceeds the limits in libamdgpudbg-debug(3) returns -E2BIG. Memory and time are
 * bounded by the amount of input, for each code object, and in total for all code objects that one
 * search has found (adbgd_scan_budget_new()). Functions that take long can be interrupted, and then
 * return -EINTR.
 *
 * Names of symbols, functions, variables, members and source files come from a file or from the
 * target's memory. They end at the first 0 byte, and are cut after 4095 bytes, or 65535 bytes for
 * symbols and kernels. They need not be UTF-8, and may contain control characters, so that a caller
 * must escape them before printing. The
 * text in a &struct adbgd_error may contain such names.
 *
 * Structures that begin with adbgd_ have a fixed size. A member that is added later replaces a
 * reserved one, and is 0 if the library is older.
 */

struct adbgd_code;		/* a code object: instructions, symbols, debug information */
struct adbgd_source;		/* the text of a source file */
struct adbgd_variables;		/* the variables in scope at an instruction */
struct adbgd_value;		/* a type and bytes of that type */
struct adbgd_budget;		/* limits the cost of a search in memory */
struct adbgd_disasm;		/* a disassembler for one GPU and size of waves */

/** struct adbgd_error - why a call has failed */
struct adbgd_error {
	int32_t error;		/* negative, as the call returns it */
	uint32_t __reserved;
	char text[504];		/* message without full stop */
};

/* --------------------------------------------------------- a target's memory */

/** struct adbgd_memory - callbacks that read the target's memory */
struct adbgd_memory {
	/* Read @size bytes to @buffer, and return 0; or return -errno, in any state of @buffer. */
	int (*read)(void *data, uint64_t address, void *buffer, size_t size);
	void *data;		/* passed to the callback */
	struct adbgd_budget *budget;	/* NULL: each call has limits of its own */
};

/**
 * adbgd_scan_budget_new() - create a budget, which limits the cost of searching a target's memory
 * @interrupt_fd: a descriptor that interrupts the search while it is readable, see
 *	adbgd_process_set_interrupt(); it stays owned by the caller; -1: none
 * @budget: set to the budget; free it with adbgd_scan_budget_free()
 *
 * Use one budget for one search: put it into &struct adbgd_memory for all calls of
 * adbgd_memory_find_code(), adbgd_code_new_memory() and adbgd_code_find_base(). It also counts
 * memory that was read without finding anything. A code object that lies inside another one is
 * not reported separately. The debug information of all code objects that were found takes at
 * most 1 GiB; see libamdgpudbg-debug(3) for the other limits.
 *
 * Return: 0, or
 * -ENOMEM: out of memory.
 */
int adbgd_scan_budget_new(int interrupt_fd, struct adbgd_budget **budget,
			  struct adbgd_error *error) ADBG_WUR;

/** adbgd_scan_budget_free() - free a budget; code objects found with it stay valid */
void adbgd_scan_budget_free(struct adbgd_budget *budget);

/** struct adbgd_span - a range of addresses */
struct adbgd_span {
	uint64_t start;
	uint64_t size;
};

/* --------------------------------------------------------------- code objects */

/**
 * adbgd_code_open() - read a code object from a file
 * @path: a linked ELF file for AMD GPUs; or a file with only one, see adbgd_code_open_entry()
 * @code: set to the code object; free it with adbgd_code_free()
 *
 * Return: 0, or
 * -ENOEXEC: the file is not a code object;
 * -EBADMSG: it is damaged;
 * -E2BIG: it exceeds a limit, see libamdgpudbg-debug(3);
 * -ENOMEM: out of memory;
 * any error of open(2) and read(2).
 */
int adbgd_code_open(const char *path, struct adbgd_code **code,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_open_entry() - read a code object from a file with code objects for several GPUs
 * @path: an offload bundle of clang, also a compressed one; an executable of HIP, which contains
 *	bundles (.hip_fatbin); or a single code object
 * @gpu: target name of the GPU, such as "gfx1033"; NULL: the file has code for only one
 * @index: which of the code objects for this GPU, from 0: each compiled file has its own
 * @code: set to the code object; free it with adbgd_code_free()
 *
 * If there is none for @gpu, those for its family are used: gfx10-3-generic, or gfx1030.
 *
 * Return: 0, or
 * -ENOENT: there is no such file, or no further code object in it;
 * -ENOTUNIQ: @gpu is NULL, and there are several code objects, whose GPUs are in @error;
 * -ENOEXEC: there is none for this GPU, and @error lists those that there are;
 * -EOPNOTSUPP: it is compressed, and the library that reads it is not installed;
 * any error of adbgd_code_open().
 */
int adbgd_code_open_entry(const char *path, const char *gpu, size_t index,
			  struct adbgd_code **code, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_new() - read a code object from a copy of its file in the caller's memory
 * @image: content of the file, which is copied
 * @size: its size in bytes
 * @name: a name for error messages
 * @code: set to the code object; free it with adbgd_code_free()
 *
 * Return: 0, or any error of adbgd_code_open().
 */
int adbgd_code_new(const void *image, size_t size, const char *name,
		   struct adbgd_code **code, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_new_memory() - read a code object from the target's memory
 * @memory: how to read it; not used after the call
 * @address: of the ELF header
 * @size: bytes of memory from @address on that may belong to the code object
 * @code: set to the code object; free it with adbgd_code_free()
 *
 * The memory contains either the file, or the segments as a loader has put them. In the second case
 * the base address is set, and there is no debug information.
 *
 * Return: 0, or
 * -EEXIST: it is inside a code object that was found with the same budget;
 * -EINTR: interrupted;
 * any error of adbgd_code_open() and of @memory.
 */
int adbgd_code_new_memory(const struct adbgd_memory *memory, uint64_t address,
			  uint64_t size, struct adbgd_code **code,
			  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_new_raw() - create a code object for instructions without an ELF file
 * @gpu: the GPU's target name, such as "gfx1033"
 * @lanes: lanes of its waves, 32 or 64
 * @text: address and size of the instructions
 * @code: set to the code object; free it with adbgd_code_free()
 *
 * Return: 0, or
 * -EINVAL: the GPU is unknown, or has no waves with so many lanes;
 * -ENOMEM: out of memory.
 */
int adbgd_code_new_raw(const char *gpu, uint32_t lanes, const struct adbgd_span *text,
		       struct adbgd_code **code, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_set_interrupt() - set a descriptor that interrupts long work on a code object
 * @fd: see adbgd_process_set_interrupt(); -1: none. A code object found with a budget first has
 *	the descriptor of the budget.
 *
 * While @fd is readable, functions that read or search debug information return -EINTR. What was
 * read until then is discarded, and the next call begins again.
 */
void adbgd_code_set_interrupt(struct adbgd_code *code, int fd);

/** adbgd_code_free() - free a code object, and everything that belongs to it */
void adbgd_code_free(struct adbgd_code *code);

/**
 * adbgd_memory_find_code() - find the next code object in memory
 * @spans: ranges to search; code objects begin at multiples of 4096
 * @num_spans: how many
 * @from: ignore lower addresses; to continue a search, pass the last @address plus 1
 * @address: set to the address of the ELF header, for adbgd_code_new_memory()
 *
 * Memory that cannot be read is skipped.
 *
 * Return: 0, or
 * -ENOENT: there is no further code object;
 * -E2BIG: the budget is used up;
 * -EINTR: interrupted.
 */
int adbgd_memory_find_code(const struct adbgd_memory *memory, const struct adbgd_span *spans,
			   size_t num_spans, uint64_t from, uint64_t *address,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_find_base() - find the instructions of a code object in memory
 * @spans: ranges to search; instructions begin at multiples of 256
 * @num_spans: how many
 * @masked: ranges that may differ, because a debugger has patched them
 * @num_masked: how many
 * @address: set to the address of the first instruction, for adbgd_code_set_base()
 *
 * Return: 0, or
 * -ENOENT: they are not in memory;
 * -ENOTUNIQ: memory contains them at several addresses;
 * -ENODATA: the code object has no instructions;
 * -E2BIG: too much of the memory is almost equal, or the budget is used up;
 * -EINTR: interrupted.
 */
int adbgd_code_find_base(const struct adbgd_code *code, const struct adbgd_memory *memory,
			 const struct adbgd_span *spans, size_t num_spans,
			 const struct adbgd_span *masked, size_t num_masked,
			 uint64_t *address, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_set_base() - set the address of a code object in the target
 * @address: of the first byte of its instructions
 *
 * Return: 0, or
 * -EINVAL: the code object cannot be at this address.
 */
int adbgd_code_set_base(struct adbgd_code *code, uint64_t address,
			struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_code_info - description of a code object */
struct adbgd_code_info {
	const char *name;	/* path, or the name given by the caller */
	const char *gpu;	/* such as "gfx1033" */
	struct adbgd_span text;	/* its instructions, at the current base */
	uint64_t bias;		/* address minus address in the file */
	uint32_t flags;		/* ADBGD_CODE_* */
	uint32_t version;	/* of the HSA code object, 3 to 6; 0: another ABI, or raw */
	uint32_t lanes;		/* lanes of its waves; 0: kernels differ */
	uint32_t __reserved[5];	/* 0 */
};

#define ADBGD_CODE_HAS_BASE	(1U << 0)	/* its base address is set */
#define ADBGD_CODE_LOADED	(1U << 1)	/* of loaded segments, no debug information */
#define ADBGD_CODE_RAW		(1U << 2)	/* see adbgd_code_new_raw() */
#define ADBGD_CODE_XNACK	(1U << 3)	/* built for GPUs with XNACK on */
#define ADBGD_CODE_SRAMECC	(1U << 4)	/* built for GPUs with SRAMECC on */

/** adbgd_code_get_info() - get the description of a code object; changes with its base address */
const struct adbgd_code_info *adbgd_code_get_info(const struct adbgd_code *code);

/**
 * adbgd_code_read() - read the original bytes of a code object, without patches
 * @address: address of the first byte
 * @buffer: set to @size bytes
 *
 * Return: 0, or
 * -ENODATA: the code object was created from memory or raw, so that they are not known;
 * -ENXIO: it has nothing at these addresses.
 */
int adbgd_code_read(const struct adbgd_code *code, uint64_t address, void *buffer,
		    size_t size, struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_symbol - a symbol */
struct adbgd_symbol {
	const char *name;
	uint64_t address;
	uint64_t size;		/* 0: not known */
	uint32_t flags;		/* ADBGD_SYMBOL_* */
	uint32_t __reserved[3];	/* 0 */
};

#define ADBGD_SYMBOL_CODE	(1U << 0)	/* names instructions */
#define ADBGD_SYMBOL_FUNCTION	(1U << 1)	/* names a function */
#define ADBGD_SYMBOL_LOCAL	(1U << 2)

/**
 * adbgd_code_get_symbol() - get the symbol at index @i, from 0, in the order of addresses
 *
 * Return: NULL if there are no more.
 */
const struct adbgd_symbol *adbgd_code_get_symbol(const struct adbgd_code *code, size_t i);

/**
 * adbgd_code_find_symbol() - find a symbol by name
 *
 * Return: NULL if there is none.
 */
const struct adbgd_symbol *adbgd_code_find_symbol(const struct adbgd_code *code,
						  const char *name);

/**
 * adbgd_code_symbol_at() - find the symbol that the instruction at @address belongs to
 *
 * Return: NULL if there is none.
 */
const struct adbgd_symbol *adbgd_code_symbol_at(const struct adbgd_code *code,
						uint64_t address);

#define ADBGD_NAME_MAX	256	/* bytes, size of the buffer */

/**
 * adbgd_code_format_address() - print an address as "saxpy+0x1c", or "0x100001c" without a symbol
 *
 * Local labels only name instructions that are in no function. C++ names are printed as
 * adbgd_demangle_name() does without flags, and names of more than 200 bytes are cut.
 *
 * Return: @name.
 */
char *adbgd_code_format_address(const struct adbgd_code *code, uint64_t address,
				char name[ADBGD_NAME_MAX]);

/** struct adbgd_kernel - a kernel: a function that can be dispatched */
struct adbgd_kernel {
	const char *name;
	uint64_t descriptor;	/* address of its kernel descriptor */
	uint64_t entry;		/* address of its first instruction */
	uint64_t size;		/* of its instructions, in bytes; 0: not known */
	uint32_t lanes;		/* of its waves, 32 or 64 */
	uint32_t lds_size;	/* static LDS of a work-group, in bytes */
	uint32_t private_size;	/* scratch of a work-item, in bytes */
	uint32_t kernarg_size;	/* in bytes */
	uint32_t flags;		/* ADBGD_KERNEL_* */
	uint32_t kernarg_sgpr;	/* see ADBGD_KERNEL_HAS_KERNARG */
	uint32_t __reserved[2];	/* 0 */
};

/* A wave begins with the address of its arguments in SGPRs, @kernarg_sgpr and the next one */
#define ADBGD_KERNEL_HAS_KERNARG	(1U << 0)

/**
 * adbgd_code_get_kernel() - get the kernel at index @i, from 0, in the order of entry addresses
 *
 * Return: NULL if there are no more.
 */
const struct adbgd_kernel *adbgd_code_get_kernel(const struct adbgd_code *code, size_t i);

/**
 * adbgd_code_find_kernel() - find a kernel by name
 *
 * Return: NULL if there is none.
 */
const struct adbgd_kernel *adbgd_code_find_kernel(const struct adbgd_code *code,
						  const char *name);

/** struct adbgd_argument - an argument of a kernel, from the metadata of an HSA code object */
struct adbgd_argument {
	const char *name;	/* NULL: the compiler has not written it */
	const char *type_name;	/* such as "float*"; NULL: not known */
	const char *value_kind;	/* as LLVM's AMDGPUUsage names it, such as "by_value" */
	uint32_t offset;	/* in the kernarg segment, in bytes */
	uint32_t size;		/* in bytes */
	uint32_t flags;		/* ADBGD_ARGUMENT_* */
	uint32_t __reserved[3];	/* 0 */
};

#define ADBGD_ARGUMENT_HIDDEN	(1U << 0)	/* added by the compiler: not in the source */

/**
 * adbgd_kernel_get_arguments() - get the arguments of a kernel
 * @kernel: a kernel of @code
 * @arguments: set to an array, which is valid until @code is freed
 * @num: set to the number of its elements
 *
 * Return: 0, or
 * -ENODATA: the code object has no metadata of the kernel, or more than 16 MiB of notes in memory;
 * -EBADMSG: the metadata is malformed;
 * -E2BIG: it exceeds a limit, see libamdgpudbg-debug(3);
 * -EINTR: interrupted;
 * -ENOMEM: out of memory.
 */
int adbgd_kernel_get_arguments(struct adbgd_code *code, const struct adbgd_kernel *kernel,
			       const struct adbgd_argument **arguments, size_t *num,
			       struct adbgd_error *error) ADBG_WUR;

/* --------------------------------------------------------------- source lines */

/**
 * struct adbgd_line - instructions of one source line
 *
 * Instructions of no line have that of the code before them in their function (_NEAR), or 0.
 */
struct adbgd_line {
	const char *file;	/* path, as given to the compiler */
	uint64_t address;	/* of the first instruction */
	uint64_t end;		/* address after the last one */
	uint32_t line;		/* from 1; 0: none */
	uint32_t column;	/* from 1; 0: not known */
	uint32_t flags;		/* ADBGD_LINE_* */
	uint32_t __reserved[3];	/* 0 */
};

#define ADBGD_LINE_STATEMENT	(1U << 0)	/* suited for a breakpoint */
#define ADBGD_LINE_PROLOGUE_END	(1U << 1)	/* end of the prologue */
#define ADBGD_LINE_NEAR		(1U << 2)	/* the line is that of the code before it */

/**
 * adbgd_code_load_debug() - read the debug information now; other functions do it on demand
 *
 * Return: 0, or
 * -ENODATA: there is none;
 * -EBADMSG: it is damaged;
 * -EOPNOTSUPP: a part of it is in another file: -gsplit-dwarf, and it was not found, see
 * adbgd_code_add_debug_path(); or .gnu_debugaltlink; or the library was built without libdw;
 * -E2BIG: it exceeds a limit, see libamdgpudbg-debug(3);
 * -EINTR: interrupted;
 * -ENOMEM: out of memory. The next call that needs debug information reads it again. Lists of
 * variables that were created before become invalid: using them returns -ENOMEM.
 */
int adbgd_code_load_debug(struct adbgd_code *code, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_get_source_file() - get the name of the source file at index @i, from 0
 *
 * Return: NULL if there are no more.
 */
const char *adbgd_code_get_source_file(struct adbgd_code *code, size_t i);

/**
 * adbgd_line_at() - find the source line of the instruction at @address
 * @line: set to the line
 *
 * Return: 0, or
 * -ENOENT: it belongs to no line;
 * any error of adbgd_code_load_debug().
 */
int adbgd_line_at(struct adbgd_code *code, uint64_t address, struct adbgd_line *line,
		  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_line_find() - find the instructions where a source line begins
 * @file: name of the source file; leading directories may be left out
 * @number: from 1; a line without code stands for the next one that has code
 * @lines: set to at most @max results, one for each function that the line was compiled into
 * @count: set to the number of results there are
 *
 * Return: 0, or
 * -ENOENT: there is no such file, or it has no code at or after @number;
 * -ENOTUNIQ: there are several such files, which @error lists;
 * any error of adbgd_code_load_debug().
 */
int adbgd_line_find(struct adbgd_code *code, const char *file, uint32_t number,
		    struct adbgd_line *lines, size_t max, size_t *count,
		    struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_frame - a function that an instruction belongs to */
struct adbgd_frame {
	const char *function;	/* "?" if it has no name */
	const char *file;	/* source of the instruction; NULL: not known */
	uint32_t line;		/* 0: not known */
	uint32_t column;
	uint64_t entry;		/* address of the first instruction */
	uint32_t flags;		/* ADBGD_FRAME_* */
	uint32_t __reserved[3];	/* 0 */
};

#define ADBGD_FRAME_INLINED	(1U << 0)	/* into the next frame */
#define ADBGD_FRAME_NEAR	(1U << 1)	/* the line is that of the code before it */

/**
 * adbgd_frames_at() - find the function at @address, and those that it was inlined into
 * @frames: set to at most @max functions, the innermost first
 * @count: set to the number of functions there are
 *
 * Return: 0, or
 * -ENOENT: @address belongs to no function;
 * any error of adbgd_code_load_debug().
 */
int adbgd_frames_at(struct adbgd_code *code, uint64_t address, struct adbgd_frame *frames,
		    size_t max, size_t *count, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_function_find() - find where a function begins
 * @name: its name in the source
 * @lines: set to at most @max results: the end of its prologue, and where it was inlined
 * @count: set to the number of results there are
 *
 * Return: 0, or
 * -ENOENT: there is no such function, or it has no code;
 * any error of adbgd_code_load_debug().
 */
int adbgd_function_find(struct adbgd_code *code, const char *name,
			struct adbgd_line *lines, size_t max, size_t *count,
			struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_owner - user and group whose permissions apply to files that a target names */
struct adbgd_owner {
	uint32_t uid;
	uint32_t gid;
};

/**
 * adbgd_source_open() - read a source file
 * @file: see struct adbgd_line. The target may have chosen the name: see "Names" above.
 * @folders: NULL, or directories that the user has given, ending with NULL. The file is looked up
 *	below each of them with all of its own directories, then with one less, and so on,
 *	with the permissions of the caller. Neither ".." nor a symbolic link can lead out of them.
 * @owner: NULL: look only below @folders. Else first open @file itself, with the permissions of
 *	this user and group: see adbgd_process_get_credentials().
 * @source: set to the text; free it with adbgd_source_free()
 *
 * Only regular files are opened, and none below /proc, /sys and other kernel file systems.
 *
 * Return: 0, or
 * -ENOENT: the file was not found;
 * -EPERM: the caller cannot assume the user and group of @owner;
 * -EACCES: this user and group may not read the file;
 * -E2BIG: the file has more than 64 MiB or a million lines;
 * -ENOMEM: out of memory;
 * any error of openat2(2) and read(2).
 */
int adbgd_source_open(const char *file, const char *const *folders,
		      const struct adbgd_owner *owner,
		      struct adbgd_source **source, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_source_open_embedded() - get a source file that is contained in debug information
 * @file: see struct adbgd_line
 * @source: set to the text; free it with adbgd_source_free(). Its path names @file and @code.
 *
 * The compiler includes the text with -gembed-source. No file is opened.
 *
 * Return: 0, or
 * -ENOENT: the code object does not contain the file;
 * -E2BIG: the text has more than 64 MiB or a million lines;
 * any error of adbgd_code_load_debug().
 */
int adbgd_source_open_embedded(struct adbgd_code *code, const char *file,
			       struct adbgd_source **source, struct adbgd_error *error) ADBG_WUR;

/** adbgd_source_free() - free a source file */
void adbgd_source_free(struct adbgd_source *source);

/** adbgd_source_get_path() - get the path where the file was found */
const char *adbgd_source_get_path(const struct adbgd_source *source);

/**
 * adbgd_source_get_line() - get line @number, from 1, without its newline
 *
 * Return: NULL if there are no more.
 */
const char *adbgd_source_get_line(const struct adbgd_source *source, uint32_t number);

/** adbgd_source_get_num_lines() - get the number of lines */
uint32_t adbgd_source_get_num_lines(const struct adbgd_source *source);

/* ------------------------------------------------------------------------- types */

enum adbgd_type_kind {
	ADBGD_TYPE_OTHER,	/* values cannot be shown */
	ADBGD_TYPE_VOID,
	ADBGD_TYPE_BOOL,
	ADBGD_TYPE_SIGNED,
	ADBGD_TYPE_UNSIGNED,
	ADBGD_TYPE_CHAR,	/* see ADBGD_TYPE_IS_SIGNED */
	ADBGD_TYPE_FLOAT,	/* of 2, 4 or 8 bytes */
	ADBGD_TYPE_ENUM,
	ADBGD_TYPE_POINTER,
	ADBGD_TYPE_ARRAY,
	ADBGD_TYPE_VECTOR,	/* such as float4 */
	ADBGD_TYPE_STRUCT,
	ADBGD_TYPE_UNION,
	ADBGD_TYPE_FUNCTION,
};

#define ADBGD_TYPE_IS_SIGNED	(1U << 0)

/* Address spaces, with the numbers that LLVM uses in DWARF */
enum adbgd_space {
	ADBGD_SPACE_GLOBAL = 0,	/* process addresses, also flat ones */
	ADBGD_SPACE_PRIVATE = 1, /* bytes of one lane's scratch */
	ADBGD_SPACE_LOCAL = 2,	/* bytes of the work-group's LDS */
};

struct adbgd_type;

/** struct adbgd_member - a member of a struct or union, or an enumerator */
struct adbgd_member {
	const char *name;	/* NULL if it has none */
	const struct adbgd_type *type;	/* NULL in an enum */
	int64_t value;		/* of an enumerator */
	uint64_t offset;	/* in bytes */
	uint32_t bit_offset;	/* of a bit field, from the lowest bit at @offset */
	uint32_t bit_size;	/* 0: no bit field */
};

/** struct adbgd_type - a type; "const" and typedefs only appear in its name */
struct adbgd_type {
	const char *name;
	uint64_t size;		/* in bytes; 0: not known, or too large to be read */
	const struct adbgd_type *target;	/* of pointer, array, vector; else NULL */
	uint64_t count;		/* of elements */
	const struct adbgd_member *members;
	uint32_t num_members;
	uint32_t kind;		/* enum adbgd_type_kind */
	uint32_t flags;		/* ADBGD_TYPE_IS_* */
	uint32_t space;		/* of a pointer: enum adbgd_space, or another LLVM number */
};

/* --------------------------------------------------------------------- variables */

/** struct adbgd_variable - a variable in scope */
struct adbgd_variable {
	const char *name;
	const struct adbgd_type *type;	/* owned by the code object */
	const char *function;	/* its function, maybe inlined; NULL: none */
	const char *file;	/* where it is declared; NULL: not known */
	uint32_t line;		/* 0: not known */
	uint32_t depth;		/* of its block: 0 is the innermost */
	uint32_t flags;		/* ADBGD_VARIABLE_* */
	uint32_t __reserved;
};

#define ADBGD_VARIABLE_PARAMETER	(1U << 0)
#define ADBGD_VARIABLE_HIDDEN		(1U << 1)	/* by an inner one of the same name */
#define ADBGD_VARIABLE_GLOBAL		(1U << 2)	/* outside of functions */

/**
 * adbgd_variables_new() - list the variables that are in scope at an instruction
 * @pc: address of the instruction
 * @variables: set to a list, which may be empty: the variables of the innermost block first, in the
 *	order of their declarations, then those of the outer blocks. Free it with
 *	adbgd_variables_free().
 *
 * Return: 0, or
 * -ENOENT: @pc is in no function;
 * any error of adbgd_code_load_debug().
 */
int adbgd_variables_new(struct adbgd_code *code, uint64_t pc,
			struct adbgd_variables **variables,
			struct adbgd_error *error) ADBG_WUR;

/** adbgd_variables_free() - free a list of variables, before its code object is freed */
void adbgd_variables_free(struct adbgd_variables *variables);

/**
 * adbgd_variables_get() - get the variable at index @i, from 0
 *
 * Return: NULL if there are no more.
 */
const struct adbgd_variable *
adbgd_variables_get(const struct adbgd_variables *variables, size_t i);

/**
 * adbgd_variables_find() - find the variable that a name refers to
 *
 * Return: its index; -ENOENT: there is none.
 */
int adbgd_variables_find(const struct adbgd_variables *variables,
			 const char *name) ADBG_WUR;

struct adbgd_value_names;

/** struct adbgd_context - callbacks that read registers and memory of a wave */
struct adbgd_context {
	/*
	 * A register: @space is AMDGPUDBG_REG_SGPR, with VCC at 106 and 107; _VGPR; or
	 * ADBGD_REG_EXEC. For expressions also ADBGD_REG_PC, with the address in the program,
	 * its lower half at 0; _GROUP, at 0 to 2; _M0, _SCC, _WAVE and _ITEM, at 0. 0 or -errno.
	 */
	int (*read_register)(void *data, uint32_t space, uint32_t number, uint32_t lane,
			     uint32_t *value);
	/* Memory of a &enum adbgd_space, as @lane sees it. 0 or -errno. */
	int (*read_memory)(void *data, uint32_t space, uint32_t lane, uint64_t address,
			   void *buffer, size_t size);
	/* Optional: return a message that says why the last of the callbacks has failed. */
	const char *(*explain)(void *data);
	void *data;
	uint32_t lanes;		/* of the wave, 32 or 64 */
	uint32_t lane;
	const struct adbgd_value_names *names;	/* values after a $; NULL: none */
};

#define ADBGD_REG_EXEC	0x100	/* EXEC, lower half at 0 */
#define ADBGD_REG_PC	0x104	/* program counter, lower half at 0 */
#define ADBGD_REG_WAVE	0x105	/* number of the wave, see adbgd_wave_get_number() */
#define ADBGD_REG_GROUP	0x106	/* x, y and z of the work-group, see adbgd_wave_get_group() */
#define ADBGD_REG_ITEM	0x107	/* number of the lane's work-item in the work-group */

enum adbgd_piece_kind {
	ADBGD_PIECE_OPTIMIZED_OUT,
	ADBGD_PIECE_IN_REGISTER,
	ADBGD_PIECE_IN_MEMORY,
	ADBGD_PIECE_HAS_VALUE,	/* not stored, but the value is known */
};

/** struct adbgd_piece - where some bytes of a variable are */
struct adbgd_piece {
	uint32_t where;		/* enum adbgd_piece_kind */
	uint32_t space;		/* of register or memory, see struct adbgd_context */
	uint32_t number;	/* of the first register; further bytes follow in the next ones */
	uint32_t size;		/* in bytes */
	uint64_t address;	/* in memory; the value, if @bytes is NULL */
	const uint8_t *bytes;	/* NULL, or the value, owned by the code object */
};

#define ADBGD_PIECES_MAX	128

/** struct adbgd_location - where a variable is */
struct adbgd_location {
	uint32_t num_pieces;
	uint32_t __reserved;
	struct adbgd_piece pieces[ADBGD_PIECES_MAX];	/* the lowest bytes first */
};

/**
 * adbgd_variable_locate() - find where a variable of one lane is
 * @i: index of the variable in @variables
 * @context: called if the location depends on registers or memory
 * @location: set to the location
 *
 * Return: 0, or
 * -ENODATA: the variable is not stored anywhere, for the reason in @error;
 * -EOPNOTSUPP: its location uses something that is not supported;
 * -ENOENT: there is no such variable;
 * -EBADMSG: the debug information is damaged;
 * -E2BIG: the location exceeds a limit;
 * any error of @context.
 */
int adbgd_variable_locate(struct adbgd_variables *variables, size_t i,
			  const struct adbgd_context *context,
			  struct adbgd_location *location,
			  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_variable_location_text() - print a location as "v3", "s[4:5]" or "private 0x18"
 * @text: set to the text, shortened to @size bytes
 *
 * Return: @text.
 */
char *adbgd_variable_location_text(const struct adbgd_location *location, char *text, size_t size);

/* ------------------------------------------------------------------------ values */

/**
 * adbgd_variable_read() - read a variable of one lane
 * @i: index of the variable in @variables
 * @value: set to the value, valid until the code object is freed; free it with adbgd_value_free()
 *
 * Return: 0, or
 * -E2BIG: the variable has more than 1 MiB;
 * any error of adbgd_variable_locate().
 */
int adbgd_variable_read(struct adbgd_variables *variables, size_t i,
			const struct adbgd_context *context, struct adbgd_value **value,
			struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_kernarg_locate() - find the arguments of the kernel that a wave executes
 * @pc: address of the instruction that the wave executes next
 * @context: reads the SGPRs, and the code unless it is in the file of @code
 * @address: set to the address of the kernarg segment in global memory
 *
 * A wave begins with this address in two SGPRs, see &struct adbgd_kernel. At the first instruction
 * of a kernel they have it. At other instructions the address is used only if, on all paths from
 * the first instruction to @pc, no instruction can have changed the two SGPRs. A call and an
 * indirect jump are assumed to change them. That a debugger has changed them is not noticed.
 *
 * Return: 0, or
 * -ENODATA: the address is not known at @pc, for the reason in @error;
 * -ENOENT: LLVM 19, which disassembles the kernel, is not installed;
 * any error of adbgd_disasm_new() and of @context.
 */
int adbgd_kernarg_locate(struct adbgd_code *code, uint64_t pc,
			 const struct adbgd_context *context, uint64_t *address,
			 struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_variable_read_passed() - read the value with which a parameter was passed to its kernel
 * @i: index of the variable in @variables
 * @value: as of adbgd_variable_read(). It is the value at the kernel's first instruction, if no
 *	one has written to the kernarg segment; all lanes have the same.
 *
 * Use this when adbgd_variable_read() returns -ENODATA, and tell the user what value it is.
 *
 * Return: 0, or
 * -EINVAL: the variable is not a parameter of the kernel that contains the instruction;
 * -ENODATA: the code object has no metadata of the kernel, or the address of the arguments is not
 * known;
 * -EOPNOTSUPP: values of the type cannot be shown, or metadata and debug information disagree;
 * -ENOENT: there is no such variable, or LLVM is not installed;
 * any error of adbgd_kernel_get_arguments() and of adbgd_kernarg_locate().
 */
int adbgd_variable_read_passed(struct adbgd_variables *variables, size_t i,
			       const struct adbgd_context *context, struct adbgd_value **value,
			       struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_value_eval() - evaluate an expression for one lane
 * @variables: the variables that it may name; NULL: none
 * @expression: a C expression, see amdgpudbg-debug-value.h. $v0, $s4, $vcc, $exec_lo and similar
 *	names are registers, which are unsigned, and so are the pseudo variables, see
 *	adbgd_pseudo_variable_get_name().
 * @value: set to the value, valid until the code object is freed; free it with adbgd_value_free()
 *
 * Integers wrap. Only the memory that is needed is read: one element of an array, and not the
 * right operand of && or || if the left one decides.
 *
 * Return: 0, or
 * -EINVAL: the expression is malformed, has no value, or has an unknown name after $;
 * -ENOENT: there is no such variable or member;
 * -E2BIG: it is nested too deeply;
 * any error of adbgd_variable_read() and of @context.
 */
int adbgd_value_eval(struct adbgd_variables *variables, const char *expression,
		     const struct adbgd_context *context, struct adbgd_value **value,
		     struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_pseudo_variable_get_name() - get the name of pseudo variable or named register @i, from 0
 *
 * In expressions the names follow a $. All values are unsigned:
 *
 * pc: address of the wave's next instruction, 64 bits;
 * exec: one bit for each active lane; 32 bits in a wave of 32 lanes, 64 bits in one of 64;
 * scc: bit SCC of the register STATUS, 0 or 1;
 * m0: register M0;
 * lane: the lane for which the expression is evaluated, from 0;
 * wave: the number of the wave, see adbgd_wave_get_number();
 * exec_lo, exec_hi, vcc_lo, vcc_hi: halves of EXEC and VCC, 32 bits; vcc: both halves of VCC.
 *
 * The registers v0 to v255 and s0 to s105 are not in this list.
 *
 * Return: the name, without the $; NULL if there are no more.
 */
const char *adbgd_pseudo_variable_get_name(size_t i);

/**
 * adbgd_value_new_bytes() - create a value from bytes, at least as many as the type has
 *
 * Return: 0, or
 * -ENOMEM: out of memory.
 */
int adbgd_value_new_bytes(const struct adbgd_type *type, const void *bytes,
			  struct adbgd_value **value, struct adbgd_error *error) ADBG_WUR;

/** adbgd_value_free() - free a value */
void adbgd_value_free(struct adbgd_value *value);

/** adbgd_value_get_type() - get the type of a value */
const struct adbgd_type *adbgd_value_get_type(const struct adbgd_value *value);

/**
 * adbgd_value_get_bytes() - get the bytes of a value, as many as its type has; unknown ones are 0
 */
const void *adbgd_value_get_bytes(const struct adbgd_value *value);

/**
 * adbgd_value_get_address() - get where adbgd_value_eval() has found the value in memory
 * @space: set to the address space, see &enum adbgd_space
 * @address: set to the address
 *
 * Return: 0; -ENODATA: it has no address, such as a sum or a register.
 */
int adbgd_value_get_address(const struct adbgd_value *value, uint32_t *space,
			    uint64_t *address) ADBG_WUR;

/** adbgd_value_is_passed() - test if parameters in the expression had only their initial values */
bool adbgd_value_is_passed(const struct adbgd_value *value);

/**
 * adbgd_value_text() - print a value as gdb does
 * @flags: ADBGD_VALUE_*
 * @text: set to the text, shortened to @size bytes, as by snprintf(3)
 *
 * Return: the length of the whole text.
 */
size_t adbgd_value_text(const struct adbgd_value *value, uint32_t flags, char *text,
			size_t size);

#define ADBGD_VALUE_HEX		(1U << 0)	/* print integers and floats in hexadecimal */
#define ADBGD_VALUE_PADDED	(1U << 1)	/* formats x and t: zeros up to the type's size */
/*
 * Print each number as gdb's print/FORMAT does: one of the letters x, z, o, d, u, t, c and f.
 * Another letter has no effect. ADBGD_VALUE_HEX is ignored with it.
 */
#define ADBGD_VALUE_FORMAT(letter)	((uint32_t)(letter) << 8)

/* -------------------------------------------------------------------- instructions */

/**
 * adbgd_disasm_new() - create a disassembler, which loads LLVM 19
 * @gpu: the GPU's target name, such as "gfx1033"
 * @lanes: lanes of the waves, 32 or 64
 * @disasm: set to the disassembler; free it with adbgd_disasm_free()
 *
 * Return: 0, or
 * -EINVAL: the GPU is unknown, or has no waves with so many lanes;
 * -EOPNOTSUPP: LLVM cannot disassemble for this GPU;
 * -ENOENT: LLVM 19 is not installed;
 * -ENOMEM: out of memory.
 */
int adbgd_disasm_new(const char *gpu, uint32_t lanes, struct adbgd_disasm **disasm,
		     struct adbgd_error *error) ADBG_WUR;

/** adbgd_disasm_free() - free a disassembler */
void adbgd_disasm_free(struct adbgd_disasm *disasm);

/* Where a wave continues after an instruction */
enum adbgd_flow {
	ADBGD_FLOW_NEXT,	/* the next instruction */
	ADBGD_FLOW_BRANCH,	/* s_branch: the target */
	ADBGD_FLOW_COND,	/* s_cbranch_*: the target or the next one */
	ADBGD_FLOW_CALL,	/* s_call_*: the target, and the next one on return */
	ADBGD_FLOW_CALL_REG,	/* s_swappc_*: a call to the last operand */
	ADBGD_FLOW_JUMP_REG,	/* s_setpc_*, also used to return: the last operand */
	ADBGD_FLOW_TRAP,	/* s_trap: the trap handler */
	ADBGD_FLOW_TRAP_RETURN,	/* s_rfe_*: the last operand */
	ADBGD_FLOW_BARRIER,	/* s_barrier: the next one, when other waves have arrived */
	ADBGD_FLOW_WAIT,	/* s_waitcnt and such: the next one, after an operation has ended */
	ADBGD_FLOW_END,		/* s_endpgm: the wave ends */
	ADBGD_FLOW_ILLEGAL,	/* not a valid instruction */
};

/** struct adbgd_operand - registers that an instruction names */
struct adbgd_operand {
	uint32_t space;		/* AMDGPUDBG_REG_SGPR, _VGPR, _TTMP, or ADBGD_REG_EXEC, ... */
	uint32_t number;	/* the first one */
	uint32_t count;		/* number of 32-bit registers */
	uint32_t flags;		/* ADBGD_OPERAND_* */
};

#define ADBGD_REG_M0	0x101
#define ADBGD_REG_SCC	0x102
#define ADBGD_REG_AGPR	0x103		/* accumulation VGPRs */
#define ADBGD_OPERAND_FIRST	(1U << 0)	/* the first operand, often the result */

#define ADBGD_OPERANDS_MAX	24
#define ADBGD_INSN_TEXT_MAX	256
#define ADBGD_INSN_SIZE_MAX	20	/* length of the longest instruction */

/** struct adbgd_insn - an instruction */
struct adbgd_insn {
	uint64_t address;
	uint64_t target;	/* of flow BRANCH, COND and CALL; else 0 */
	uint32_t size;		/* in bytes */
	uint32_t flow;		/* enum adbgd_flow */
	uint32_t num_operands;
	uint32_t __reserved;
	struct adbgd_operand operands[ADBGD_OPERANDS_MAX];	/* in the text's order, each once */
	char text[ADBGD_INSN_TEXT_MAX];	/* "s_add_u32 s0, s0, s1" */
};

/**
 * adbgd_disasm_insn() - disassemble one instruction
 * @address: of the instruction
 * @bytes: @size bytes from the instruction on
 * @insn: set to the instruction. Bytes that are not an instruction become a ".long", or a ".byte"
 *	if fewer than four are left.
 *
 * Return: 0, or
 * -ENODATA: @size is 0.
 */
int adbgd_disasm_insn(struct adbgd_disasm *disasm, uint64_t address, const void *bytes,
		      size_t size, struct adbgd_insn *insn,
		      struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_insn_match - pattern: the first dword equals @value in the bits of @mask */
struct adbgd_insn_match {
	uint32_t value;
	uint32_t mask;
};

#define ADBGD_MAX_INSN_MATCHES	4

/**
 * adbgd_mnemonic_get_patterns() - get the patterns of a mnemonic, for adbgd_breakpoint_set_insn()
 * @mnemonic: "v_add_f32" for all of its encodings, or for example "v_add_f32_e64"
 * @insns: set to the patterns
 * @num: set to their number
 *
 * Return: 0, or
 * -ENOENT: the GPU has no such instruction, or its first dword does not identify it;
 * -EOPNOTSUPP: the GPU does not belong to gfx10.3.
 */
int adbgd_mnemonic_get_patterns(struct adbgd_disasm *disasm, const char *mnemonic,
				struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES], size_t *num,
				struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_insn_length() - get the length of an instruction, without LLVM
 * @gc_version: of the GPU, see struct amdgpudbg_info
 * @bytes: @size bytes from the instruction on: ADBGD_INSN_SIZE_MAX, or fewer at the end of the code
 *
 * Return: the length in bytes; 0: not an instruction, longer than @size, or an unknown GPU.
 */
size_t adbgd_insn_length(uint32_t gc_version, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_CODE_H */
