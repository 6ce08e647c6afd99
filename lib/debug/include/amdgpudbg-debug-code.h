/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug, what can be known of code without a process that runs it: code objects,
 * source lines, types, variables, values, instructions. Who includes amdgpudbg-debug.h has
 * this, too.
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
 * Those of libamdgpudbg: 0 or a negative errno value, objects of one thread at a time,
 * nothing printed, no globals, what a getter returns belongs to its object. Besides:
 *
 * A function that can fail takes a &struct adbgd_error last, which may be NULL. If it
 * fails, the sentence in it says what is wrong, and where; else it stays as it was.
 *
 * Addresses are those of the GPU's address space, once the code object was placed; before
 * that they are those of its file.
 *
 * Nothing that comes from a file or from the target's memory is believed: what does not
 * fit gives -EBADMSG, and what is larger than the limits in libamdgpudbg-debug(3), -E2BIG.
 * Memory and time are bounded by what was read: per code object, and in sum for those that
 * one search has found (adbgd_budget_new()). Long work ends with -EINTR when it is interrupted.
 *
 * Names: what a file or the target's memory calls symbols, functions, variables, members and
 * source files are raw bytes up to a 0, at most 4095 of them, and longer names are cut. They
 * need not be UTF-8, and may hold control characters. A caller that shows them has to make
 * them harmless. They may also be in the sentence of a &struct adbgd_error.
 *
 * Structures that begin with adbgd_ are of fixed size: a later member takes the place of a
 * reserved one, and is 0 when the library is older than it.
 */

struct adbgd_code;		/* a code object: instructions, symbols, debug information */
struct adbgd_source;		/* the text of a source file */
struct adbgd_variables;		/* the variables that are in scope somewhere */
struct adbgd_value;		/* bytes of a type, as they were read */
struct adbgd_budget;		/* what a search through memory may cost */
struct adbgd_disasm;		/* a disassembler for one GPU and size of waves */

/** struct adbgd_error - why a call has failed */
struct adbgd_error {
	int32_t error;		/* negative, as the call returns it */
	uint32_t __reserved;
	char text[504];		/* a sentence without its full stop */
};

/* --------------------------------------------------------- a target's memory */

/** struct adbgd_memory - how to read memory of the target */
struct adbgd_memory {
	/* All of @size, and 0; or -errno, and @buffer may hold anything */
	int (*read)(void *data, uint64_t address, void *buffer, size_t size);
	void *data;		/* of the callback's own */
	struct adbgd_budget *budget;	/* NULL: each call has one of its own, see below */
};

/**
 * adbgd_budget_new() - limit what a search through a target's memory costs
 * @interrupt_fd: as of adbgd_process_set_interrupt(): stays the caller's; -1: there is none
 * @budget: set to a new budget, for one search: a sequence of calls of adbgd_code_scan(),
 *	adbgd_code_new_memory() and adbgd_code_locate() with it in &struct adbgd_memory
 *
 * It counts also what was copied in vain, and does not let code objects overlap: what lies in
 * one that was taken is a part of it. The debug information of all of them together takes
 * 1 GiB at most. The other limits are in libamdgpudbg-debug(3).
 *
 * Return: 0; -ENOMEM.
 */
int adbgd_budget_new(int interrupt_fd, struct adbgd_budget **budget,
		     struct adbgd_error *error) ADBG_WUR;

/** adbgd_budget_free() - free a budget; code objects that were found with it stay */
void adbgd_budget_free(struct adbgd_budget *budget);

/** struct adbgd_span - a piece of an address space */
struct adbgd_span {
	uint64_t start;
	uint64_t size;
};

/* --------------------------------------------------------------- code objects */

/**
 * adbgd_code_open() - read a code object from a file
 * @path: an ELF file for AMD GPUs, linked
 * Return: 0; -EBADMSG it is damaged; -ENOEXEC it is something else; -E2BIG; -ENOMEM; what
 * open(2) and read(2) give.
 */
int adbgd_code_open(const char *path, struct adbgd_code **code,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_new() - likewise from the bytes of a file
 * @image: is copied
 * @name: what errors call it
 * Return: as adbgd_code_open().
 */
int adbgd_code_new(const void *image, size_t size, const char *name,
		   struct adbgd_code **code, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_new_memory() - take the code object that lies in the target's memory
 * @memory: is not needed afterwards
 * @address: where its ELF header is
 * @size: how far the memory goes on behind @address
 *
 * It may lie there as a loader has put it, or as its file was read. In the former case it
 * is placed there, and has no debug information.
 *
 * Return: as adbgd_code_open(); -EEXIST it lies in one that was taken with the same budget; -EINTR
 * interrupted; what @memory gives.
 */
int adbgd_code_new_memory(const struct adbgd_memory *memory, uint64_t address,
			  uint64_t size, struct adbgd_code **code,
			  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_new_raw() - stand for code without an ELF around it
 * @gpu: such as "gfx1033"
 * @lanes: of its waves, 32 or 64
 * @text: where it lies
 * Return: 0; -EINVAL no such GPU, or it has no such waves; -ENOMEM.
 */
int adbgd_code_new_raw(const char *gpu, uint32_t lanes, const struct adbgd_span *text,
		       struct adbgd_code **code, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_set_interrupt() - let long work on a code object be interrupted
 * @fd: as of adbgd_process_set_interrupt(); -1: there is none. One that was found with a budget
 *	has the budget's at first.
 *
 * While it can be read, calls that read debug information, or search it for long, fail with
 * -EINTR. What was read so far is given up; the next call begins anew.
 */
void adbgd_code_set_interrupt(struct adbgd_code *code, int fd);

/** adbgd_code_free() - free a code object, and all that belongs to it */
void adbgd_code_free(struct adbgd_code *code);

/**
 * adbgd_code_scan() - look for a code object in memory
 * @spans: where to look, at each multiple of 4096
 * @from: addresses below it are left out; for the next one, that of the last plus 1
 * @address: set to where it begins, for adbgd_code_new_memory()
 * Return: 0; -ENOENT there is none; -E2BIG the budget does not suffice; -EINTR interrupted. Memory
 * that cannot be read is passed over.
 */
int adbgd_code_scan(const struct adbgd_memory *memory, const struct adbgd_span *spans,
		    size_t num_spans, uint64_t from, uint64_t *address,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_locate() - look where a code object's instructions lie in memory
 * @spans: where to look, at each multiple of 256
 * @masked: what a debugger has changed there, and need not be the same
 * @address: set to where the first byte of its instructions is
 * Return: 0; -ENOENT nowhere; -ENOTUNIQ at several places; -ENODATA it has none; -E2BIG
 * too much that is almost the same, or more than the budget; -EINTR interrupted.
 */
int adbgd_code_locate(const struct adbgd_code *code, const struct adbgd_memory *memory,
		      const struct adbgd_span *spans, size_t num_spans,
		      const struct adbgd_span *masked, size_t num_masked,
		      uint64_t *address, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_set_base() - say where a code object lies
 * @address: of the first byte of its instructions
 * Return: 0; -EINVAL it cannot lie there.
 */
int adbgd_code_set_base(struct adbgd_code *code, uint64_t address,
			struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_code_info - what a code object is */
struct adbgd_code_info {
	const char *name;	/* path, or what it was called */
	const char *gpu;	/* such as "gfx1033" */
	struct adbgd_span text;	/* its instructions, now */
	uint64_t bias;		/* address less address in the file */
	uint32_t flags;		/* ADBGD_CODE_* */
	uint32_t version;	/* of the HSA code object, 3 to 6; 0: another ABI, or raw */
	uint32_t lanes;		/* of its waves, if all kernels have the same; else 0 */
	uint32_t __reserved[5];	/* 0 */
};

#define ADBGD_CODE_HAS_BASE	(1U << 0)	/* it is known where it lies */
#define ADBGD_CODE_LOADED	(1U << 1)	/* taken from memory, without debug information */
#define ADBGD_CODE_RAW		(1U << 2)	/* there is no ELF */
#define ADBGD_CODE_XNACK	(1U << 3)	/* built for GPUs with XNACK on */
#define ADBGD_CODE_SRAMECC	(1U << 4)	/* built for GPUs with SRAMECC on */

/** adbgd_code_get_info() - the same until the code object is placed */
const struct adbgd_code_info *adbgd_code_get_info(const struct adbgd_code *code);

/**
 * adbgd_code_read() - bytes of a code object as they were before anybody changed them
 * Return: 0; -ENODATA the code object does not have them: it is raw, or was taken from
 * memory; -ENXIO it is not there.
 */
int adbgd_code_read(const struct adbgd_code *code, uint64_t address, void *buffer,
		    size_t size, struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_symbol - a name of an address */
struct adbgd_symbol {
	const char *name;
	uint64_t address;
	uint64_t size;		/* 0: not known */
	uint32_t flags;		/* ADBGD_SYMBOL_* */
	uint32_t __reserved[3];	/* 0 */
};

#define ADBGD_SYMBOL_CODE	(1U << 0)	/* of instructions */
#define ADBGD_SYMBOL_FUNCTION	(1U << 1)	/* of a function's first one */
#define ADBGD_SYMBOL_LOCAL	(1U << 2)

/** adbgd_code_get_symbol() - the symbol at @i, from 0, by address; NULL: there is none */
const struct adbgd_symbol *adbgd_code_get_symbol(const struct adbgd_code *code, size_t i);

/** adbgd_code_find_symbol() - by its name; NULL: there is none */
const struct adbgd_symbol *adbgd_code_find_symbol(const struct adbgd_code *code,
						  const char *name);

/** adbgd_code_symbol_at() - of the instruction at @address; NULL: there is none */
const struct adbgd_symbol *adbgd_code_symbol_at(const struct adbgd_code *code,
						uint64_t address);

#define ADBGD_NAME_MAX	256	/* bytes that adbgd_code_name() fills at most */

/** adbgd_code_name() - print an address, "saxpy+0x1c", "0x100001c"; gives @name */
char *adbgd_code_name(const struct adbgd_code *code, uint64_t address,
		      char name[ADBGD_NAME_MAX]);

/** struct adbgd_kernel - a function that can be dispatched */
struct adbgd_kernel {
	const char *name;
	uint64_t descriptor;	/* address of its kernel descriptor */
	uint64_t entry;		/* address of its first instruction */
	uint64_t size;		/* of its instructions, in bytes; 0: not known */
	uint32_t lanes;		/* of its waves, 32 or 64 */
	uint32_t lds_size;	/* of a work-group, in bytes, as far as it is fixed */
	uint32_t private_size;	/* of a work-item, in bytes */
	uint32_t kernarg_size;	/* in bytes */
	uint32_t __reserved[4];	/* 0 */
};

/** adbgd_code_get_kernel() - the kernel at @i, from 0, by entry; NULL: there is none */
const struct adbgd_kernel *adbgd_code_get_kernel(const struct adbgd_code *code, size_t i);

/** adbgd_code_find_kernel() - by its name; NULL: there is none */
const struct adbgd_kernel *adbgd_code_find_kernel(const struct adbgd_code *code,
						  const char *name);

/* --------------------------------------------------------------- source lines */

/**
 * struct adbgd_line - instructions of one source line
 *
 * A line number of 0 is of instructions that no line has.
 */
struct adbgd_line {
	const char *file;	/* with its folder, as the compiler was given it */
	uint64_t address;	/* of the first instruction */
	uint64_t end;		/* address behind the last one */
	uint32_t line;		/* from 1 */
	uint32_t column;	/* from 1; 0: not known */
	uint32_t flags;		/* ADBGD_LINE_* */
	uint32_t __reserved[3];	/* 0 */
};

#define ADBGD_LINE_STATEMENT	(1U << 0)	/* a good place for a breakpoint */
#define ADBGD_LINE_PROLOGUE_END	(1U << 1)	/* parameters are where they belong from here */

/**
 * adbgd_code_load_debug() - read the debug information now, which others do when needed
 * Return: 0; -ENODATA there is none; -EBADMSG it is damaged; -EOPNOTSUPP a part of it is in
 * another file (.gnu_debugaltlink, -gsplit-dwarf), which is never opened; -E2BIG; -EINTR
 * interrupted; -ENOMEM: then the debug information is read anew by the next call that needs it,
 * and lists of variables that exist already cannot be used any more: with them, -ENOMEM, too.
 */
int adbgd_code_load_debug(struct adbgd_code *code, struct adbgd_error *error) ADBG_WUR;

/** adbgd_code_get_file() - the source file at @i, from 0; NULL: there is none */
const char *adbgd_code_get_file(struct adbgd_code *code, size_t i);

/**
 * adbgd_line_at() - which source line is the instruction at @address of?
 * Return: 0; -ENOENT of none; as adbgd_code_load_debug().
 */
int adbgd_line_at(struct adbgd_code *code, uint64_t address, struct adbgd_line *line,
		  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_line_find() - where does a source line begin?
 * @file: its name; folders may be left out at its beginning
 * @number: from 1; if there is no code of it, the nearest line behind that has some
 * @lines: @max of them at most are set, one for each function that it was compiled into
 * @count: set to how many there are
 * Return: 0; -ENOENT no such file, or no code there or behind; -ENOTUNIQ there are several
 * such files, and @error names them; as adbgd_code_load_debug().
 */
int adbgd_line_find(struct adbgd_code *code, const char *file, uint32_t number,
		    struct adbgd_line *lines, size_t max, size_t *count,
		    struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_frame - a function that an instruction is of */
struct adbgd_frame {
	const char *function;	/* "?" if it has no name */
	const char *file;	/* where it is in that function; NULL: not known */
	uint32_t line;		/* 0: not known */
	uint32_t column;
	uint64_t entry;		/* address of the first instruction of this copy */
	uint32_t flags;		/* ADBGD_FRAME_* */
	uint32_t __reserved[3];	/* 0 */
};

#define ADBGD_FRAME_INLINED	(1U << 0)	/* into the next frame */

/**
 * adbgd_frames_at() - the function at @address, and those that it was inlined into
 * @frames: @max of them at most are set, the innermost first
 * @count: set to how many there are
 * Return: 0; -ENOENT no function; as adbgd_code_load_debug().
 */
int adbgd_frames_at(struct adbgd_code *code, uint64_t address, struct adbgd_frame *frames,
		    size_t max, size_t *count, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_function_find() - where does a function begin?
 * @name: as in its source
 * @lines: @max of them at most are set: behind its prologue, and where it was inlined
 * @count: set to how many there are
 * Return: 0; -ENOENT no such function, or none of its code; as adbgd_code_load_debug().
 */
int adbgd_function_find(struct adbgd_code *code, const char *name,
			struct adbgd_line *lines, size_t max, size_t *count,
			struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_owner - with whose rights files are opened that a target names */
struct adbgd_owner {
	uint32_t uid;
	uint32_t gid;
};

/**
 * adbgd_source_open() - read a source file
 * @file: as of struct adbgd_line. The target may have chosen it: see "Names" above.
 * @folders: NULL, or folders that the user has named, NULL at the end. The file is looked for
 *	below each with all of its folders, then with fewer and fewer, with the caller's
 *	rights. It must be below the folder: neither ".." nor a symbolic link leads out of it.
 * @owner: NULL: the file is only looked for below @folders. Else it is opened under its own
 *	name first, with the rights of this user and group: see adbgd_process_get_owner().
 *
 * Only a regular file is ever opened, and none below /proc, /sys and other file systems of the
 * kernel.
 *
 * Return: 0; -ENOENT it is nowhere; -EPERM the caller cannot take the rights of @owner; -EACCES
 * they do not suffice; -E2BIG it has more than 64 MiB, or a million lines; -ENOMEM; what openat2(2)
 * and read(2) give.
 */
int adbgd_source_open(const char *file, const char *const *folders,
		      const struct adbgd_owner *owner,
		      struct adbgd_source **source, struct adbgd_error *error) ADBG_WUR;

/** adbgd_source_free() - free a source file */
void adbgd_source_free(struct adbgd_source *source);

/** adbgd_source_get_path() - where it was */
const char *adbgd_source_get_path(const struct adbgd_source *source);

/** adbgd_source_get_line() - line @number, from 1, without its end; NULL: there is none */
const char *adbgd_source_get_line(const struct adbgd_source *source, uint32_t number);

/** adbgd_source_count() - number of lines */
uint32_t adbgd_source_count(const struct adbgd_source *source);

/* ------------------------------------------------------------------------- types */

enum adbgd_type_kind {
	ADBGD_TYPE_OTHER,	/* no value of it can be shown */
	ADBGD_TYPE_VOID,
	ADBGD_TYPE_BOOL,
	ADBGD_TYPE_SIGNED,
	ADBGD_TYPE_UNSIGNED,
	ADBGD_TYPE_CHAR,	/* an integer that may be a letter; see ADBGD_TYPE_IS_SIGNED */
	ADBGD_TYPE_FLOAT,	/* of 2, 4 or 8 bytes */
	ADBGD_TYPE_ENUM,
	ADBGD_TYPE_POINTER,
	ADBGD_TYPE_ARRAY,
	ADBGD_TYPE_VECTOR,	/* an array that is one operand: float4 */
	ADBGD_TYPE_STRUCT,
	ADBGD_TYPE_UNION,
	ADBGD_TYPE_FUNCTION,
};

#define ADBGD_TYPE_IS_SIGNED	(1U << 0)

/* Address spaces, as LLVM's upstream compiler numbers them in DWARF */
enum adbgd_space {
	ADBGD_SPACE_GLOBAL = 0,	/* addresses of the process: also flat ones */
	ADBGD_SPACE_PRIVATE = 1, /* bytes of one lane's scratch */
	ADBGD_SPACE_LOCAL = 2,	/* bytes of the work-group's LDS */
};

struct adbgd_type;

/** struct adbgd_member - of a struct, a union or an enum */
struct adbgd_member {
	const char *name;	/* NULL if it has none */
	const struct adbgd_type *type;	/* NULL in an enum */
	int64_t value;		/* of an enumerator */
	uint64_t offset;	/* in bytes */
	uint32_t bit_offset;	/* of a bit field, from the lowest bit at @offset */
	uint32_t bit_size;	/* 0: it is none */
};

/** struct adbgd_type - a type; "const" and typedefs are in its name alone */
struct adbgd_type {
	const char *name;
	uint64_t size;		/* in bytes; 0: not known, or more than can be read */
	const struct adbgd_type *target;	/* NULL, or of what: pointer, array, vector */
	uint64_t count;		/* of elements */
	const struct adbgd_member *members;
	uint32_t num_members;
	uint32_t kind;		/* enum adbgd_type_kind */
	uint32_t flags;		/* ADBGD_TYPE_IS_* */
	uint32_t space;		/* of a pointer: enum adbgd_space, or what the compiler says */
};

/* --------------------------------------------------------------------- variables */

/** struct adbgd_variable - a variable that is in scope */
struct adbgd_variable {
	const char *name;
	const struct adbgd_type *type;	/* owned by the code object */
	const char *function;	/* that it belongs to; it may be inlined; NULL: to none */
	const char *file;	/* where it is declared; NULL: not known */
	uint32_t line;		/* 0: not known */
	uint32_t depth;		/* of its block: 0 is the innermost */
	uint32_t flags;		/* ADBGD_VARIABLE_* */
	uint32_t __reserved;
};

#define ADBGD_VARIABLE_PARAMETER	(1U << 0)
#define ADBGD_VARIABLE_HIDDEN		(1U << 1)	/* by one of its name, further in */
#define ADBGD_VARIABLE_GLOBAL		(1U << 2)	/* outside of functions */

/**
 * adbgd_variables_new() - the variables that are in scope at @pc
 * @variables: set to a new list: the innermost block first, in each as declared. It may be
 *	empty.
 * Return: 0; -ENOENT @pc is in no function; as adbgd_code_load_debug().
 */
int adbgd_variables_new(struct adbgd_code *code, uint64_t pc,
			struct adbgd_variables **variables,
			struct adbgd_error *error) ADBG_WUR;

/** adbgd_variables_free() - free a list; the code object must still be there */
void adbgd_variables_free(struct adbgd_variables *variables);

/** adbgd_variables_get() - the variable at @i, from 0; NULL when there is none */
const struct adbgd_variable *
adbgd_variables_get(const struct adbgd_variables *variables, size_t i);

/** adbgd_variables_find() - the one that a name means; its number or -ENOENT */
int adbgd_variables_find(const struct adbgd_variables *variables,
			 const char *name) ADBG_WUR;

/** struct adbgd_context - the wave in which variables are looked for */
struct adbgd_context {
	/*
	 * A register: @space is AMDGPUDBG_REG_SGPR, with VCC at 106 and 107; _VGPR; or
	 * ADBGD_REG_EXEC. 0 or -errno.
	 */
	int (*read_register)(void *data, uint32_t space, uint32_t number, uint32_t lane,
			     uint32_t *value);
	/* Memory of a &enum adbgd_space, as @lane sees it. 0 or -errno. */
	int (*read_memory)(void *data, uint32_t space, uint32_t lane, uint64_t address,
			   void *buffer, size_t size);
	void *data;
	uint32_t lanes;		/* of the wave, 32 or 64 */
	uint32_t lane;
};

#define ADBGD_REG_EXEC	0x100	/* EXEC, lower half at 0 */

enum adbgd_where {
	ADBGD_NOWHERE,		/* this piece of the variable was optimized out */
	ADBGD_IN_REGISTER,
	ADBGD_IN_MEMORY,
	ADBGD_IS_VALUE,		/* nowhere, but it is known what it is */
};

/** struct adbgd_piece - where some bytes of a variable are */
struct adbgd_piece {
	uint32_t where;		/* enum adbgd_where */
	uint32_t space;		/* of the register or the memory, as of struct adbgd_context */
	uint32_t number;	/* of the register; what is longer goes on in the next one */
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
 * adbgd_variable_locate() - where is a variable, for one lane?
 * @i: which one of @variables
 * @context: asked where the location depends on registers or memory
 * Return: 0; -ENODATA nowhere, as @error says; -EOPNOTSUPP it is told by something that is
 * not supported; -ENOENT no such variable; -EBADMSG; -E2BIG; what @context gives.
 */
int adbgd_variable_locate(struct adbgd_variables *variables, size_t i,
			  const struct adbgd_context *context,
			  struct adbgd_location *location,
			  struct adbgd_error *error) ADBG_WUR;

/** adbgd_location_text() - print a location, "v3", "s[4:5]", "private 0x18"; gives @text */
char *adbgd_location_text(const struct adbgd_location *location, char *text, size_t size);

/* ------------------------------------------------------------------------ values */

/**
 * adbgd_variable_read() - read a variable of one lane
 * @value: set to a new value, which lives no longer than the code object
 * Return: as adbgd_variable_locate(); -E2BIG also if it has more than 1 MiB.
 */
int adbgd_variable_read(struct adbgd_variables *variables, size_t i,
			const struct adbgd_context *context, struct adbgd_value **value,
			struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_value_eval() - compute an expression of one lane
 * @variables: those that it can name; NULL: none
 * @expression: as in C: variables, numbers, ( ) [ ] . -> and the operators but = ++ -- & of one
 *	operand, ?: and casts; and the wave's registers, as $v0, $s4, $vcc, $exec_lo, which are
 *	unsigned. Both . and -> are for structs and for pointers to them.
 * @value: set to a new value, which lives no longer than the code object
 *
 * Integers wrap. What is in memory is read as far as it takes: one element of an array, and
 * nothing that && and || leave out.
 *
 * Return: 0; -EINVAL it is no expression, or has no value; -ENOENT no such variable or
 * member; -E2BIG it is nested too deeply; as adbgd_variable_read(); what @context gives.
 */
int adbgd_value_eval(struct adbgd_variables *variables, const char *expression,
		     const struct adbgd_context *context, struct adbgd_value **value,
		     struct adbgd_error *error) ADBG_WUR;

/** adbgd_value_new() - make a value of bytes, of which there are at least as many as of @type */
int adbgd_value_new(const struct adbgd_type *type, const void *bytes,
		    struct adbgd_value **value, struct adbgd_error *error) ADBG_WUR;

/** adbgd_value_free() - free a value */
void adbgd_value_free(struct adbgd_value *value);

/** adbgd_value_get_type() - its type */
const struct adbgd_type *adbgd_value_get_type(const struct adbgd_value *value);

/** adbgd_value_get_bytes() - its bytes, as many as of its type; what is not known is 0 */
const void *adbgd_value_get_bytes(const struct adbgd_value *value);

/**
 * adbgd_value_text() - print a value, as gdb does
 * @flags: ADBGD_VALUE_*
 * @text: set to the text, shortened to @size bytes; as for snprintf(3)
 * Return: length of the whole text.
 */
size_t adbgd_value_text(const struct adbgd_value *value, uint32_t flags, char *text,
			size_t size);

#define ADBGD_VALUE_HEX		(1U << 0)	/* integers and floats as raw hexadecimal */

/* -------------------------------------------------------------------- instructions */

/**
 * adbgd_disasm_new() - make a disassembler, by LLVM 19, which is loaded now
 * @gpu: such as "gfx1033"
 * @lanes: of the waves, 32 or 64
 * Return: 0; -EINVAL no such GPU, or it has no such waves; -EOPNOTSUPP LLVM cannot
 * disassemble it; -ENOENT there is no LLVM 19; -ENOMEM.
 */
int adbgd_disasm_new(const char *gpu, uint32_t lanes, struct adbgd_disasm **disasm,
		     struct adbgd_error *error) ADBG_WUR;

/** adbgd_disasm_free() - free a disassembler */
void adbgd_disasm_free(struct adbgd_disasm *disasm);

/* Where a wave goes on after an instruction */
enum adbgd_flow {
	ADBGD_FLOW_NEXT,	/* at the next one */
	ADBGD_FLOW_BRANCH,	/* s_branch: at the target */
	ADBGD_FLOW_COND,	/* s_cbranch and such: at the target, or the next one */
	ADBGD_FLOW_CALL,	/* s_call: at the target, and later at the next one */
	ADBGD_FLOW_CALL_REG,	/* s_swappc: the target is in registers, the last operand */
	ADBGD_FLOW_JUMP_REG,	/* s_setpc, which is return, too; likewise */
	ADBGD_FLOW_TRAP,	/* s_trap: in the trap handler */
	ADBGD_FLOW_TRAP_RETURN,	/* s_rfe: likewise in registers */
	ADBGD_FLOW_BARRIER,	/* at the next one, once other waves are there */
	ADBGD_FLOW_WAIT,	/* at the next one, once something has ended: s_waitcnt */
	ADBGD_FLOW_END,		/* nowhere: s_endpgm */
	ADBGD_FLOW_ILLEGAL,	/* it is no instruction */
};

/** struct adbgd_operand - registers that an instruction names */
struct adbgd_operand {
	uint32_t space;		/* AMDGPUDBG_REG_SGPR, _VGPR, _TTMP, or ADBGD_REG_EXEC, ... */
	uint32_t number;	/* the first one */
	uint32_t count;		/* how many registers of 32 bits */
	uint32_t flags;		/* ADBGD_OPERAND_* */
};

#define ADBGD_REG_M0	0x101
#define ADBGD_REG_SCC	0x102
#define ADBGD_REG_AGPR	0x103		/* accumulation VGPRs */
#define ADBGD_OPERAND_FIRST	(1U << 0)	/* named first, where most results go */

#define ADBGD_OPERANDS_MAX	24
#define ADBGD_INSN_TEXT_MAX	256
#define ADBGD_INSN_SIZE_MAX	20	/* bytes of the longest instruction */

/** struct adbgd_insn - an instruction */
struct adbgd_insn {
	uint64_t address;
	uint64_t target;	/* of flow BRANCH, COND and CALL; else 0 */
	uint32_t size;		/* in bytes */
	uint32_t flow;		/* enum adbgd_flow */
	uint32_t num_operands;
	uint32_t __reserved;
	struct adbgd_operand operands[ADBGD_OPERANDS_MAX];	/* as written, each once */
	char text[ADBGD_INSN_TEXT_MAX];	/* "s_add_u32 s0, s0, s1" */
};

/**
 * adbgd_disasm_insn() - take one instruction apart
 * @address: where it is
 * @bytes: @size of them, from there on
 * @insn: set to it; what is none is a ".long" or, at the end, a ".byte"
 * Return: 0; -ENODATA @size is 0.
 */
int adbgd_disasm_insn(struct adbgd_disasm *disasm, uint64_t address, const void *bytes,
		      size_t size, struct adbgd_insn *insn,
		      struct adbgd_error *error) ADBG_WUR;

/** struct adbgd_insn_match - instructions whose first dword has @value where @mask has bits */
struct adbgd_insn_match {
	uint32_t value;
	uint32_t mask;
};

#define ADBGD_MAX_INSN_MATCHES	4

/**
 * adbgd_insn_find() - how instructions of a name begin, for adbgd_breakpoint_set_insn()
 * @mnemonic: "v_add_f32", which is all of its encodings, or "v_add_f32_e64"
 * @insns: filled
 * @num: set to how many
 *
 * It is asked of LLVM, by taking instructions apart.
 *
 * Return: 0; -ENOENT the GPU has none of that name, or more than the first dword tells them;
 * -EOPNOTSUPP it is not of gfx10.3.
 */
int adbgd_insn_find(struct adbgd_disasm *disasm, const char *mnemonic,
		    struct adbgd_insn_match insns[ADBGD_MAX_INSN_MATCHES], size_t *num,
		    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_insn_length() - how long an instruction is, for which LLVM need not be there
 * @gc_version: of the GPU, as of struct amdgpudbg_info
 * @bytes: @size of them, from the instruction on; ADBGD_INSN_SIZE_MAX, if there are so many
 * Return: in bytes; 0: no instruction begins so, or it is longer than @size, or it is not
 * known of that GPU.
 */
size_t adbgd_insn_length(uint32_t gc_version, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_CODE_H */
