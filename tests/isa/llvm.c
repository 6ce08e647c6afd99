// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See llvm.h. Functions as in llvm-c/Disassembler.h of LLVM 19.
 */
#include "llvm.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libLLVM.so.19.1"

struct llvm {
	void *context;
	size_t (*disasm)(void *context, uint8_t *bytes, uint64_t size,
			 uint64_t pc, char *buf, size_t buf_size);
};

typedef void (*init_fn)(void);

static bool call(void *lib, const char *name)
{
	init_fn fn = (init_fn)dlsym(lib, name);

	if (fn)
		fn();
	return fn;
}

struct llvm *llvm_open(const char *cpu, unsigned int lanes)
{
	void *(*create)(const char *triple, const char *cpu,
			const char *features, void *info, int tag, void *op,
			void *symbol);
	void *lib = dlopen(LIBRARY, RTLD_NOW);
	struct llvm *l = calloc(1, sizeof(*l));

	if (!l || !lib || !call(lib, "LLVMInitializeAMDGPUTargetInfo") ||
	    !call(lib, "LLVMInitializeAMDGPUTargetMC") ||
	    !call(lib, "LLVMInitializeAMDGPUDisassembler"))
		goto err_free;
	create = dlsym(lib, "LLVMCreateDisasmCPUFeatures");
	l->disasm = dlsym(lib, "LLVMDisasmInstruction");
	if (!create || !l->disasm)
		goto err_free;
	l->context = create("amdgcn-amd-amdhsa", cpu, lanes == 64 ?
			    "-wavefrontsize32,+wavefrontsize64" :
			    "+wavefrontsize32", NULL, 0, NULL, NULL);
	if (!l->context)
		goto err_free;
	return l;

err_free:
	free(l);
	return NULL;
}

/* Single blanks; no suffix of the encoding on the first word. */
static void tidy(const char *from, char *to, size_t size)
{
	size_t n = 0, first = 0;

	while (isspace((unsigned char)*from))
		from++;
	for (; *from && n + 1 < size; from++) {
		bool blank = isspace((unsigned char)*from);

		if (blank && !first) {
			first = n;
			if (n > 4 && (!strncmp(to + n - 4, "_e32", 4) ||
				      !strncmp(to + n - 4, "_e64", 4)))
				n -= 4;
		}
		if (!blank || (n && to[n - 1] != ' '))
			to[n++] = blank ? ' ' : *from;
	}
	if (!first && n > 4 && (!strncmp(to + n - 4, "_e32", 4) ||
				!strncmp(to + n - 4, "_e64", 4)))
		n -= 4;
	to[n] = 0;
}

unsigned int llvm_text(struct llvm *l, const uint32_t *words, unsigned int num,
		       char *buf, size_t size)
{
	uint8_t bytes[64];
	char text[256];
	size_t len;

	memcpy(bytes, words, num * 4);
	len = l->disasm(l->context, bytes, num * 4, 0, text, sizeof(text));
	/* Operands that it cannot have are shown with a remark. */
	if (!len || strstr(text, "/*"))
		return 0;
	tidy(text, buf, size);
	return len / 4;
}
