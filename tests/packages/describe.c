// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints what the debugger library knows of a code object, as text that tests/packages/check
 * compares with the output of LLVM's and GNU's tools.
 *
 * usage: describe kernels|frames|entries FILE GPU INDEX
 *	kernels: the name of each kernel, and its C++ name, with a tab between them
 *	frames: the functions and lines of each function's instructions, with FRAME_STEP bytes
 *		between them, in the format of llvm-symbolizer; the addresses are printed to
 *		standard error
 *	entries: each kernel at whose first instruction a breakpoint is impossible, and why
 *
 * Exit status 3: FILE has no code object INDEX for the GPU.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-code.h>
#include <amdgpudbg-debug-name.h>

#include "isa/displace.h"

#define GC_10_3		0x0a0300
#define MAX_FRAMES	64
#define FRAME_STEP	64	/* bytes */
#define INSN_BYTES	20	/* of the longest instruction, see adbgd_insn_length() */

static int print_kernels(struct adbgd_code *code)
{
	const struct adbgd_kernel *kernel;
	size_t i;

	for (i = 0; (kernel = adbgd_code_get_kernel(code, i)); i++) {
		char *name = adbgd_demangle_name(kernel->name, ADBGD_DEMANGLE_WHOLE);

		printf("%s\t%s\n", kernel->name, name ? name : kernel->name);
		free(name);
	}
	return 0;
}

/* llvm-symbolizer prints line 0 with any column and with or without a file. */
static void print_frame(const struct adbgd_frame *frame)
{
	printf("%s\n", frame->function);
	if (!frame->line || frame->flags & ADBGD_FRAME_NEAR)
		printf("?\n");
	else
		printf("%s:%u:%u\n", frame->file ? frame->file : "??", frame->line, frame->column);
}

static int print_frames_at(struct adbgd_code *code, uint64_t address)
{
	struct adbgd_frame frames[MAX_FRAMES];
	struct adbgd_error error;
	size_t count, i;

	if (adbgd_frames_at(code, address, frames, MAX_FRAMES, &count, &error)) {
		fprintf(stderr, "describe: %s\n", error.text);
		return 1;
	}
	fprintf(stderr, "%#" PRIx64 "\n", address);
	for (i = 0; i < count && i < MAX_FRAMES; i++)
		print_frame(&frames[i]);
	printf("\n");
	return 0;
}

static int print_frames(struct adbgd_code *code)
{
	const struct adbgd_symbol *symbol;
	struct adbgd_error error;
	size_t i;

	if (adbgd_code_load_debug(code, &error)) {
		fprintf(stderr, "describe: %s\n", error.text);
		return 1;
	}
	for (i = 0; (symbol = adbgd_code_get_symbol(code, i)); i++) {
		uint64_t at;

		if (!(symbol->flags & ADBGD_SYMBOL_FUNCTION))
			continue;
		for (at = symbol->address; at < symbol->address + symbol->size; at += FRAME_STEP)
			if (print_frames_at(code, at))
				return 1;
	}
	return 0;
}

static int print_entry(struct adbgd_code *code, const struct adbgd_kernel *kernel)
{
	struct adbgd_displaced copy;
	uint32_t words[INSN_BYTES / 4] = { 0 };
	struct adbgd_error error;
	size_t length;
	int ret;

	ret = adbgd_code_read(code, kernel->entry, words, sizeof(words), &error);
	if (ret) {
		printf("%s: %s\n", kernel->name, error.text);
		return 1;
	}
	length = adbgd_insn_length(GC_10_3, words, sizeof(words));
	ret = adbgd_displace(GC_10_3, words, length / 4, kernel->entry, &copy);
	if (ret)
		printf("%s: %#x: %s\n", kernel->name, words[0], strerror(-ret));
	return 0;
}

static int print_entries(struct adbgd_code *code)
{
	const struct adbgd_kernel *kernel;
	size_t i;

	for (i = 0; (kernel = adbgd_code_get_kernel(code, i)); i++)
		if (print_entry(code, kernel))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	struct adbgd_code *code;
	struct adbgd_error error;
	int ret;

	if (argc != 5)
		return 2;
	ret = adbgd_code_open_entry(argv[2], argv[3], strtoul(argv[4], NULL, 0), &code, &error);
	if (ret) {
		fprintf(stderr, "describe: %s\n", error.text);
		return ret == -ENOENT ? 3 : 1;
	}
	if (!strcmp(argv[1], "kernels"))
		ret = print_kernels(code);
	else if (!strcmp(argv[1], "frames"))
		ret = print_frames(code);
	else
		ret = print_entries(code);
	adbgd_code_free(code);
	return ret;
}
