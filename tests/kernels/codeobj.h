/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads code objects that clang writes for amdgcn-amd-amdhsa: the loadable image and
 * the kernel descriptors in it (LLVM 19, AMDGPUUsage, "Kernel Descriptor").
 */
#ifndef TESTS_CODEOBJ_H
#define TESTS_CODEOBJ_H

#include <stdint.h>
#include <stddef.h>

struct codeobj {
	uint8_t *image;		/* all segments, each at its address in the object */
	size_t size;
	void *file;
	size_t file_size;
	int64_t text_in_file;	/* offset of an instruction in the file minus that in image */
};

struct codeobj_kernel {
	uint64_t entry;		/* offset of the first instruction in image */
	uint32_t rsrc1, rsrc2, rsrc3;
	uint32_t properties;	/* KERNEL_CODE_PROPERTIES: the SGPRs that it needs at its start */
	uint32_t kernarg_size;
	uint32_t lds_size;
	uint32_t private_size;
};

#define CODEOBJ_PRIVATE_SEGMENT_BUFFER	(1u << 0)
#define CODEOBJ_DISPATCH_PTR		(1u << 1)
#define CODEOBJ_QUEUE_PTR		(1u << 2)
#define CODEOBJ_KERNARG_SEGMENT_PTR	(1u << 3)
#define CODEOBJ_DISPATCH_ID		(1u << 4)
#define CODEOBJ_FLAT_SCRATCH_INIT	(1u << 5)
#define CODEOBJ_PRIVATE_SEGMENT_SIZE	(1u << 6)
#define CODEOBJ_WAVE32			(1u << 10)

/* Returns 0 or -errno; -ENOEXEC means that the file is no such code object. */
int codeobj_load(struct codeobj *co, const char *path);
void codeobj_unload(struct codeobj *co);
/* Returns -ENOENT if there is no kernel of that name. */
int codeobj_find(const struct codeobj *co, const char *name,
		 struct codeobj_kernel *k);
/* Get the offset in image of a label of the source; returns -ENOENT for an unknown name. */
int codeobj_find_label(const struct codeobj *co, const char *name, uint64_t *offset);

#endif /* TESTS_CODEOBJ_H */
