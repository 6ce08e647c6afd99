// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Code objects: creating them, and their base address.
 */
#include "code_object.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <amdgpudbg-debug-objects.h>

#include "bundle.h"
#include "file.h"
#include "metadata.h"

/* LLVM 19, AMDGPUUsage, "ELF Header": e_ident and e_flags */
#define OSABI_HSA		64
#define FLAGS_MACH		0xff
#define FLAGS_V3_XNACK		0x100
#define FLAGS_V3_SRAMECC	0x200
#define FLAGS_V4_XNACK		0x300	/* all bits: it is on */
#define FLAGS_V4_SRAMECC	0xc00

/* Bytes of a target's memory that are copied at once */
#define COPY_PART		(1U << 20)

/* @size: size of its file; 0: there is no file */
static struct adbgd_code *code_alloc(const char *name, uint64_t size)
{
	struct adbgd_code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	adbgd_budget_init(&code->budget, size, -1);
	code->name = strdup(name);
	code->info.name = code->name;
	if (code->name)
		return code;
	free(code);
	return NULL;
}

/* Set version, features, and the GPU for which it was built. */
static int set_info(struct adbgd_code *code, const struct adbgd_elf *elf,
		    struct adbgd_error *error)
{
	const Elf64_Ehdr *h = &elf->header;
	uint32_t flags = h->e_flags;

	code->gpu = adbgd_gpu_by_mach(flags & FLAGS_MACH);
	if (!code->gpu)
		return adbgd_fail(error, -ENOEXEC,
				  "%s is for an unknown GPU, e_flags %#x",
				  code->name, flags);
	code->info.gpu = code->gpu->name;
	if (h->e_ident[EI_OSABI] != OSABI_HSA)
		return 0;
	/* Version 2 has the ABI version 0, and other flags. */
	if (!h->e_ident[EI_ABIVERSION])
		return adbgd_fail(error, -ENOEXEC,
				  "%s is a code object of version 2; 3 to 6 are supported",
				  code->name);
	code->info.version = h->e_ident[EI_ABIVERSION] + 2;
	if (code->info.version == 3) {
		code->info.flags |= flags & FLAGS_V3_XNACK ? ADBGD_CODE_XNACK : 0;
		code->info.flags |= flags & FLAGS_V3_SRAMECC ? ADBGD_CODE_SRAMECC : 0;
		return 0;
	}
	if ((flags & FLAGS_V4_XNACK) == FLAGS_V4_XNACK)
		code->info.flags |= ADBGD_CODE_XNACK;
	if ((flags & FLAGS_V4_SRAMECC) == FLAGS_V4_SRAMECC)
		code->info.flags |= ADBGD_CODE_SRAMECC;
	return 0;
}

static int fill(struct adbgd_code *code, const struct adbgd_elf *elf,
		struct adbgd_error *error)
{
	size_t i;
	int ret;

	ret = set_info(code, elf, error);
	if (ret)
		return ret;
	if (!adbgd_elf_text(elf, &code->info.text))
		return adbgd_fail(error, -ENOEXEC, "%s has no instructions", code->name);
	ret = adbgd_code_symbols(code, elf, error);
	if (!ret)
		ret = adbgd_metadata_find(code, elf, error);
	if (ret)
		return ret;
	for (i = 0; i < code->num_kernels; i++) {
		if (!i)
			code->info.lanes = code->kernels[i].lanes;
		else if (code->info.lanes != code->kernels[i].lanes)
			code->info.lanes = 0;
	}
	return 0;
}

/* Create a code object from @image, which it owns from now on; on failure @image is freed. */
static int new_of_image(uint8_t *image, size_t size, const char *name,
			struct adbgd_code **code, struct adbgd_error *error)
{
	struct adbgd_code *c = code_alloc(name, size);
	int ret;

	if (!c) {
		free(image);
		return adbgd_no_memory(error, name);
	}
	c->image = image;
	c->image_size = size;
	ret = adbgd_elf_open_file(&c->elf, c->image, size, c->name, error);
	if (!ret)
		ret = fill(c, &c->elf, error);
	if (ret) {
		adbgd_code_free(c);
		return ret;
	}
	*code = c;
	return 0;
}

/* Create a code object of a file, or of one in its bundles. Frees @bytes as new_of_image() does. */
static int new_of_file(uint8_t *bytes, size_t size, const char *name, const char *gpu,
		       size_t index, struct adbgd_code **code, struct adbgd_error *error)
{
	uint8_t *image;
	size_t length;
	int ret;

	if (!adbgd_is_bundle(bytes, size)) {
		if (!index)
			return new_of_image(bytes, size, name, code, error);
		free(bytes);
		return adbgd_fail(error, -ENOENT, "%s is a single code object", name);
	}
	ret = adbgd_bundle_get(bytes, size, gpu, index, name, &image, &length, error);
	free(bytes);
	return ret ? ret : new_of_image(image, length, name, code, error);
}

ADBGD_API int adbgd_code_new(const void *image, size_t size, const char *name,
			     struct adbgd_code **code, struct adbgd_error *error)
{
	uint8_t *copy;

	if (size > ADBGD_ELF_SIZE_MAX)
		return adbgd_fail(error, -E2BIG, "%s has more than 1 GiB", name);
	copy = malloc(size + 1);
	if (!copy)
		return adbgd_no_memory(error, name);
	memcpy(copy, image, size);
	return new_of_file(copy, size, name, NULL, 0, code, error);
}

int adbgd_code_read_file(int fd, const char *path, uint8_t **bytes, size_t *size,
			 struct adbgd_error *error)
{
	struct stat st;
	ssize_t n;
	int ret;

	*size = 0;
	*bytes = NULL;
	if (fstat(fd, &st) < 0)
		return adbgd_fail(error, -errno, "%s: %s", path, strerror(errno));
	if ((uint64_t)st.st_size > ADBGD_ELF_SIZE_MAX)
		return adbgd_fail(error, -E2BIG, "%s has more than 1 GiB", path);
	*bytes = malloc(st.st_size + 1);
	if (!*bytes)
		return adbgd_no_memory(error, path);
	/* Read the file instead of mapping it, because it may be truncated at any time. */
	while (*size < (size_t)st.st_size) {
		n = read(fd, *bytes + *size, st.st_size - *size);
		if (n < 0 && errno != EINTR) {
			ret = adbgd_fail(error, -errno, "%s: %s", path, strerror(errno));
			free(*bytes);
			*bytes = NULL;
			return ret;
		}
		if (!n)
			break;
		if (n > 0)
			*size += n;
	}
	return 0;
}

ADBGD_API int adbgd_code_open_entry(const char *path, const char *gpu, size_t index,
				    struct adbgd_code **code, struct adbgd_error *error)
{
	int fd = adbgd_file_open(path);
	uint8_t *bytes;
	size_t size;
	int ret;

	if (fd < 0)
		return adbgd_fail(error, fd == -ENODEV ? -ENOEXEC : fd, "%s: %s", path,
				  adbgd_file_error(fd));
	ret = adbgd_code_read_file(fd, path, &bytes, &size, error);
	close(fd);
	if (!ret)
		ret = new_of_file(bytes, size, path, gpu, index, code, error);
	if (!ret)
		(*code)->is_named = true;
	return ret;
}

ADBGD_API int adbgd_code_open(const char *path, struct adbgd_code **code,
			      struct adbgd_error *error)
{
	return adbgd_code_open_entry(path, NULL, 0, code, error);
}

/* Read a whole file from memory, in parts, so that it can be interrupted. */
static int read_copy(const struct adbgd_elf *elf, uint8_t *image, uint64_t size,
		     struct adbgd_error *error)
{
	const struct adbgd_memory *memory = elf->memory;
	uint64_t done, n;
	int ret;

	for (done = 0; done < size; done += n) {
		n = size - done < COPY_PART ? size - done : COPY_PART;
		ret = adbgd_spend(memory->budget, ADBGD_COST_COPIED, n, elf->name, error);
		if (ret)
			return ret;
		ret = memory->read(memory->data, elf->start + done, image + done, n);
		if (ret)
			return adbgd_fail(error, ret, "%s: its %#llx bytes cannot be read: %s",
					  elf->name, (unsigned long long)size, strerror(-ret));
	}
	return 0;
}

/*
 * Create a code object from a copy of its file in memory. The copy does not tell where it is
 * loaded.
 */
static int new_of_copy(const struct adbgd_elf *elf, const char *name,
		       struct adbgd_code **code, struct adbgd_error *error)
{
	uint64_t size;
	uint8_t *image;
	int ret;

	ret = adbgd_elf_file_size(elf, &size, error);
	if (ret)
		return ret;
	ret = adbgd_budget_check(elf->memory->budget, ADBGD_COST_COPIED, size, name, error);
	if (ret)
		return ret;
	image = malloc(size + 1);
	if (!image)
		return adbgd_no_memory(error, name);
	ret = read_copy(elf, image, size, error);
	if (ret) {
		free(image);
		return ret;
	}
	return new_of_image(image, size, name, code, error);
}

static int new_of_loaded(const struct adbgd_elf *elf, const char *name,
			 struct adbgd_code **code, struct adbgd_error *error)
{
	struct adbgd_code *c = code_alloc(name, 0);
	int ret;

	if (!c)
		return adbgd_no_memory(error, name);
	ret = fill(c, elf, error);
	if (!ret)
		ret = adbgd_code_set_base(c, elf->base + c->info.text.start, error);
	if (ret) {
		adbgd_code_free(c);
		return ret;
	}
	c->info.flags |= ADBGD_CODE_LOADED;
	*code = c;
	return 0;
}

static int new_of_memory(const struct adbgd_memory *memory, uint64_t address, uint64_t size,
			 const char *name, struct adbgd_code **code, struct adbgd_error *error)
{
	struct adbgd_budget *budget = memory->budget;
	struct adbgd_elf elf;
	uint64_t length;
	bool is_loaded;
	int ret;

	ret = adbgd_spend(budget, ADBGD_COST_ATTEMPTS, 1, name, error);
	if (!ret)
		ret = adbgd_elf_open_memory(&elf, memory, address, size, name, error);
	if (ret)
		return ret;
	is_loaded = adbgd_elf_is_loaded(&elf);
	ret = (is_loaded ? new_of_loaded : new_of_copy)(&elf, name, code, error);
	if (!ret) {
		length = is_loaded ? adbgd_elf_loaded_size(&elf) : (*code)->image_size;
		if (budget->taken < address + length)
			budget->taken = address + length;
		adbgd_budget_join(&(*code)->budget, budget);
		(*code)->budget.interrupt_fd = budget->interrupt_fd;
	}
	adbgd_elf_close(&elf);
	return ret;
}

ADBGD_API int adbgd_code_new_memory(const struct adbgd_memory *memory, uint64_t address,
				    uint64_t size, struct adbgd_code **code,
				    struct adbgd_error *error)
{
	struct adbgd_memory bounded = *memory;
	struct adbgd_budget own;
	char name[64];

	snprintf(name, sizeof(name), "the ELF at %#llx", (unsigned long long)address);
	if (!bounded.budget) {
		adbgd_budget_init(&own, 0, -1);
		bounded.budget = &own;
	}
	if (address < bounded.budget->taken)
		return adbgd_fail(error, -EEXIST, "%s is a part of the code object that was found "
				  "before", name);
	return new_of_memory(&bounded, address, size, name, code, error);
}

ADBGD_API int adbgd_code_new_raw(const char *gpu, uint32_t lanes,
				 const struct adbgd_span *text, struct adbgd_code **code,
				 struct adbgd_error *error)
{
	const struct adbgd_gpu *of = adbgd_gpu_by_name(gpu);
	struct adbgd_code *c;

	if (!of)
		return adbgd_fail(error, -EINVAL, "unknown GPU: %s", gpu);
	if (!adbgd_gpu_has_lanes(of, lanes))
		return adbgd_fail(error, -EINVAL, "%s has no waves of %u lanes", gpu, lanes);
	c = code_alloc("code without an ELF", 0);
	if (!c)
		return adbgd_no_memory(error, gpu);
	c->gpu = of;
	c->info.gpu = of->name;
	c->info.text = *text;
	c->info.lanes = lanes;
	c->info.flags = ADBGD_CODE_RAW | ADBGD_CODE_HAS_BASE;
	*code = c;
	return 0;
}

ADBGD_API void adbgd_code_free(struct adbgd_code *code)
{
	if (!code)
		return;
	adbgd_dwarf_free(code->dwarf);
	adbgd_dwarf_lost_free(code);
	adbgd_metadata_free(code);
	adbgd_budget_end(&code->budget);
	adbgd_elf_symbols_free(&code->table);
	adbgd_elf_close(&code->elf);
	free(code->symbols);
	free(code->by_name);
	free(code->ranks[ADBGD_RANK_SIZED]);
	free(code->ranks[ADBGD_RANK_BEGIN]);
	free(code->ranks[ADBGD_RANK_LABEL]);
	free(code->kernels);
	free(code->image);
	free(code->kernarg);
	adbgd_debug_paths_free(&code->debug_paths);
	free(code->name);
	free(code);
}

ADBGD_API int adbgd_code_add_debug_path(struct adbgd_code *code, const char *path,
					struct adbgd_error *error)
{
	int ret = adbgd_debug_paths_add(&code->debug_paths, path, error);

	/* A file that was missing may be found now. */
	if (!ret)
		code->dwarf_error.error = 0;
	return ret;
}

ADBGD_API void adbgd_code_set_interrupt(struct adbgd_code *code, int fd)
{
	code->budget.interrupt_fd = fd;
}

ADBGD_API int adbgd_code_set_base(struct adbgd_code *code, uint64_t address,
				  struct adbgd_error *error)
{
	uint64_t by = address - code->info.text.start;

	/* Instructions have a multiple of 4 bytes. */
	if (address % 4 || address + code->info.text.size < address)
		return adbgd_fail(error, -EINVAL,
				  "%s cannot be at %#llx: its %#llx bytes must begin at a multiple "
				  "of 4", code->name, (unsigned long long)address,
				  (unsigned long long)code->info.text.size);
	code->info.text.start += by;
	code->info.bias += by;
	code->info.flags |= ADBGD_CODE_HAS_BASE;
	adbgd_code_move_symbols(code, by);
	return 0;
}

ADBGD_API const struct adbgd_code_info *
adbgd_code_get_info(const struct adbgd_code *code)
{
	return &code->info;
}

ADBGD_API int adbgd_code_read(const struct adbgd_code *code, uint64_t address,
			      void *buffer, size_t size, struct adbgd_error *error)
{
	int ret;

	if (!code->image)
		return adbgd_fail(error, -ENODATA, "%s: its original bytes are not known, because "
				  "it was not read from a file",
				  code->name);
	ret = adbgd_elf_read(&code->elf, address - code->info.bias, buffer, size, NULL);
	return !ret ? 0 : adbgd_fail(error, -ENXIO, "%s does not contain %zu bytes at %#llx",
				     code->name, size, (unsigned long long)address);
}
