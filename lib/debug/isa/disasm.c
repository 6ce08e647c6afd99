// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Disassembly by LLVM 19. The library is loaded when it is first needed, because it is larger
 * than everything else together, and only this file needs it. Prototypes are those of
 * llvm-c/Disassembler.h and llvm-c/Target.h.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"
#include "insn.h"

#define LIBRARY	"libLLVM.so.19.1"
#define TRIPLE	"amdgcn-amd-amdhsa"

#define SDWA	249
#define VOPC	0x3e	/* [31:25] */

struct adbgd_disasm {
	void *context;
	size_t (*insn)(void *context, uint8_t *bytes, uint64_t size, uint64_t pc,
		       char *text, size_t text_size);
	void (*dispose)(void *context);
	const struct adbgd_gpu *gpu;
	uint32_t lanes;
};

typedef void (*init_fn)(void);

static void *symbol(void *library, const char *name, struct adbgd_error *error)
{
	void *found = dlsym(library, name);

	if (!found)
		adbgd_fail(error, -ENOENT, "LLVM cannot be used: %s has no %s", LIBRARY, name);
	return found;
}

static int initialize(void *library, struct adbgd_error *error)
{
	static const char *const names[] = {
		"LLVMInitializeAMDGPUTargetInfo",
		"LLVMInitializeAMDGPUTargetMC",
		"LLVMInitializeAMDGPUDisassembler",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		init_fn fn = (init_fn)symbol(library, names[i], error);

		if (!fn)
			return -ENOENT;
		fn();
	}
	return 0;
}

static int create(struct adbgd_disasm *d, struct adbgd_error *error)
{
	void *(*new)(const char *triple, const char *cpu, const char *features, void *info,
		     int tag, void *operand, void *look_up);
	const char *features = "";
	/* The library is never unloaded: its destructors do not support that. */
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	int ret;

	if (!library)
		return adbgd_fail(error, -ENOENT,
				  "LLVM 19, which disassembles, is not installed (package "
				  "libllvm19): %s", dlerror());
	ret = initialize(library, error);
	if (ret)
		goto err_close;
	ret = -ENOENT;
	new = symbol(library, "LLVMCreateDisasmCPUFeatures", error);
	d->insn = symbol(library, "LLVMDisasmInstruction", error);
	d->dispose = symbol(library, "LLVMDisasmDispose", error);
	if (!new || !d->insn || !d->dispose)
		goto err_close;
	if (d->gpu->major >= 10)
		features = d->lanes == 32 ? "+wavefrontsize32,-wavefrontsize64" :
					    "-wavefrontsize32,+wavefrontsize64";
	d->context = new(TRIPLE, d->gpu->name, features, NULL, 0, NULL, NULL);
	if (d->context)
		return 0;
	ret = adbgd_fail(error, -EOPNOTSUPP, "LLVM cannot disassemble code for %s", d->gpu->name);

err_close:
	dlclose(library);
	return ret;
}

ADBGD_API int adbgd_disasm_new(const char *gpu, uint32_t lanes,
			       struct adbgd_disasm **disasm, struct adbgd_error *error)
{
	const struct adbgd_gpu *of = adbgd_gpu_by_name(gpu);
	struct adbgd_disasm *d;
	int ret;

	if (!of)
		return adbgd_fail(error, -EINVAL, "unknown GPU: %s", gpu);
	if (!adbgd_gpu_has_lanes(of, lanes))
		return adbgd_fail(error, -EINVAL, "%s has no waves of %u lanes", gpu, lanes);
	if (!of->disasm)
		return adbgd_fail(error, -EOPNOTSUPP, "LLVM 19 cannot disassemble code for %s",
				  gpu);
	d = calloc(1, sizeof(*d));
	if (!d)
		return adbgd_no_memory(error, "a disassembler");
	d->gpu = of;
	d->lanes = lanes;
	ret = create(d, error);
	if (ret) {
		free(d);
		return ret;
	}
	*disasm = d;
	return 0;
}

ADBGD_API void adbgd_disasm_free(struct adbgd_disasm *disasm)
{
	if (!disasm)
		return;
	disasm->dispose(disasm->context);
	free(disasm);
}

const struct adbgd_gpu *adbgd_disasm_gpu(const struct adbgd_disasm *disasm)
{
	return disasm->gpu;
}

/* Describe bytes that are no instruction, as llvm-objdump prints them. */
static void illegal(const uint8_t *bytes, size_t size, struct adbgd_insn *insn)
{
	uint32_t word;
	size_t i, n;

	insn->flow = ADBGD_FLOW_ILLEGAL;
	insn->size = size < 4 ? size : 4;
	if (size >= 4) {
		memcpy(&word, bytes, sizeof(word));
		snprintf(insn->text, sizeof(insn->text), ".long 0x%08x", word);
		return;
	}
	n = snprintf(insn->text, sizeof(insn->text), ".byte");
	for (i = 0; i < size; i++)
		n += snprintf(insn->text + n, sizeof(insn->text) - n, "%s 0x%02x",
			      i ? "," : "", bytes[i]);
}

/* Copy the text as one line, without white space at its beginning and end. */
static void tidy(const char *from, char *to, size_t size)
{
	const char *end = from + strlen(from);
	size_t n = 0;

	while (*from == '\t' || *from == ' ' || *from == '\n')
		from++;
	while (end > from && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n'))
		end--;
	for (; from < end && n + 1 < size; from++)
		to[n++] = *from == '\t' || *from == '\n' ? ' ' : *from;
	to[n] = 0;
}

/*
 * LLVM 19.1 ends the program if an SDWA selector has the undefined value 7. VOP1, VOP2 and VOPC
 * have 0 in [31] and SDWA as SRC0; the next dword has DST_SEL [10:8], unless the instruction is a
 * compare, SRC0_SEL [18:16] and SRC1_SEL [26:24] (RDNA 2 ISA document; "Vega" and GCN3: the
 * same).
 */
static bool ends_llvm(const struct adbgd_gpu *gpu, const uint8_t *bytes, size_t size)
{
	uint32_t words[2];

	if (gpu->major > 10 || size < sizeof(words))
		return false;
	memcpy(words, bytes, sizeof(words));
	if (words[0] >> 31 || (words[0] & 0x1ff) != SDWA)
		return false;
	return (words[1] >> 16 & 7) == 7 || (words[1] >> 24 & 7) == 7 ||
	       (words[0] >> 25 != VOPC && (words[1] >> 8 & 7) == 7);
}

ADBGD_API int adbgd_disasm_insn(struct adbgd_disasm *disasm, uint64_t address,
				const void *bytes, size_t size, struct adbgd_insn *insn,
				struct adbgd_error *error)
{
	/* LLVM wants a pointer to non-const, but does not write to it. */
	uint8_t copy[ADBGD_INSN_SIZE_MAX];
	char text[2 * ADBGD_INSN_TEXT_MAX];
	size_t length = 0;

	if (!size)
		return adbgd_fail(error, -ENODATA, "there are no bytes at %#llx",
				  (unsigned long long)address);
	memset(insn, 0, sizeof(*insn));
	insn->address = address;
	if (size > sizeof(copy))
		size = sizeof(copy);
	memcpy(copy, bytes, size);
	if (size >= 4 && !ends_llvm(disasm->gpu, copy, size))
		length = disasm->insn(disasm->context, copy, size, address, text,
				      sizeof(text));
	if (!length || length > size) {
		illegal(copy, size, insn);
		return 0;
	}
	insn->size = length;
	tidy(text, insn->text, sizeof(insn->text));
	adbgd_insn_parse(insn, disasm->lanes);
	return 0;
}
