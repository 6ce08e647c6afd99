// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See bundle.h. The formats are those of clang 19, "Clang Offload Bundler": "Bundled Code Object
 * Layout" and "Compressed Offload Bundle Header" (OffloadBundler.cpp, versions 1 to 3).
 */
#include "bundle.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "inflate.h"

#define MAGIC		"__CLANG_OFFLOAD_BUNDLE__"
#define MAGIC_PACKED	"CCOB"
#define SECTION		".hip_fatbin"

#define ENTRIES_MAX	4096
#define TRIPLE_MAX	256
#define BUNDLE_SIZE_MAX	(1ULL << 30)

/* How well a code object fits a GPU; the best is first */
enum fit {
	FIT_GPU,
	FIT_GENERIC,
	FIT_FAMILY,
	FIT_NONE,
};

/* What is searched in the bundles of a file */
struct search {
	const char *name;
	const char *gpu;
	struct adbgd_error *error;
	enum fit fit;		/* of the code objects that are counted */
	size_t index;		/* of these, the one that is wanted */
	size_t count[FIT_NONE + 1];
	char names[256];	/* of the GPUs that there are code objects for */
	bool is_taking;
	uint64_t left;		/* bytes that may still be decompressed */
	uint8_t *image;
	size_t size;
};

static uint64_t number(const uint8_t *at, unsigned int size)
{
	uint64_t v = 0;

	memcpy(&v, at, size);
	return v;
}

static int damaged(const struct search *s, const char *what)
{
	return adbgd_fail(s->error, -EBADMSG, "%s is damaged: %s of its offload bundle", s->name,
			  what);
}

/* The family of gfx1033 is gfx103; its generic targets are gfx10-3-generic and gfx10-generic. */
static enum fit fit_of(const char *is, const char *gpu)
{
	size_t length = strlen(gpu);
	char name[64];

	if (!strcmp(is, gpu))
		return FIT_GPU;
	if (length < strlen("gfx900") || length > 16)
		return FIT_NONE;
	snprintf(name, sizeof(name), "%.*s-%c-generic", (int)length - 2, gpu, gpu[length - 2]);
	if (!strcmp(is, name))
		return FIT_GENERIC;
	snprintf(name, sizeof(name), "%.*s-generic", (int)length - 2, gpu);
	if (!strcmp(is, name))
		return FIT_GENERIC;
	return strlen(is) == length && !strncmp(is, gpu, length - 1) ? FIT_FAMILY : FIT_NONE;
}

static void add_name(struct search *s, const char *gpu)
{
	size_t length = strlen(s->names);

	if (!strstr(s->names, gpu))
		snprintf(s->names + length, sizeof(s->names) - length, "%s%s", length ? ", " : "",
			 gpu);
}

/* Count an entry, or take it. @triple: such as "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+" */
static int look_at(struct search *s, const char *triple, const uint8_t *bytes, uint64_t size)
{
	const char *gfx = strstr(triple, "amdgcn") ? strstr(triple, "gfx") : NULL;
	char gpu[TRIPLE_MAX];
	enum fit fit;

	if (!gfx || !size)
		return 0;
	snprintf(gpu, sizeof(gpu), "%.*s", (int)strcspn(gfx, ":"), gfx);
	add_name(s, gpu);
	fit = s->gpu ? fit_of(gpu, s->gpu) : FIT_GPU;
	if (s->count[fit]++ != s->index || fit != s->fit || !s->is_taking)
		return 0;
	s->image = malloc(size + 1);
	if (!s->image)
		return adbgd_no_memory(s->error, s->name);
	memcpy(s->image, bytes, size);
	s->size = size;
	return 0;
}

/* Look at the entries of a bundle. @end: set to where they end */
static int read_bundle(struct search *s, const uint8_t *bytes, uint64_t size, uint64_t *end)
{
	uint64_t at = strlen(MAGIC) + 8, count, offset, length, of_triple, i;
	char triple[TRIPLE_MAX];
	int ret = 0;

	if (size < at)
		return damaged(s, "the header");
	count = number(bytes + at - 8, 8);
	if (count > ENTRIES_MAX)
		return damaged(s, "the number of entries");
	*end = at;
	for (i = 0; !ret && i < count && !s->image; i++) {
		if (size - at < 24)
			return damaged(s, "an entry");
		offset = number(bytes + at, 8);
		length = number(bytes + at + 8, 8);
		of_triple = number(bytes + at + 16, 8);
		at += 24;
		if (of_triple > size - at || offset > size || length > size - offset)
			return damaged(s, "an entry");
		snprintf(triple, sizeof(triple), "%.*s",
			 (int)(of_triple < TRIPLE_MAX ? of_triple : TRIPLE_MAX - 1),
			 (const char *)bytes + at);
		at += of_triple;
		ret = look_at(s, triple, bytes + offset, length);
		*end = *end < offset + length ? offset + length : *end;
	}
	*end = *end < at ? at : *end;
	return ret;
}

/* Decompress a bundle, and look at its entries. @end: set to where the compressed one ends */
static int read_packed(struct search *s, const uint8_t *bytes, uint64_t size, uint64_t *end)
{
	unsigned int version, width, header;
	uint64_t packed, unpacked, ignored;
	uint8_t *image;
	int ret;

	version = size < 32 ? 0 : number(bytes + 4, 2);
	if (!version || version > 3)
		return damaged(s, "the header");
	/* Version 1 has no size of the whole. The last member of the header is a hash. */
	width = version == 3 ? 8 : 4;
	header = 8 + (version == 1 ? width : 2 * width) + 8;
	packed = version == 1 ? size : number(bytes + 8, width);
	unpacked = number(bytes + header - 8 - width, width);
	if (packed > size || packed < header)
		return damaged(s, "the size");
	*end = packed;
	if (unpacked > BUNDLE_SIZE_MAX || unpacked > s->left)
		return adbgd_fail(s->error, -E2BIG, "%s: an offload bundle of %llu bytes would have "
				  "%llu when it is decompressed", s->name,
				  (unsigned long long)packed, (unsigned long long)unpacked);
	s->left -= unpacked;
	if (number(bytes + 6, 2) > ADBGD_COMPRESSION_ZSTD)
		return adbgd_fail(s->error, -EOPNOTSUPP, "%s: its offload bundle is compressed with "
				  "method %u, which is not known", s->name,
				  (unsigned int)number(bytes + 6, 2));
	image = malloc(unpacked + 1);
	if (!image)
		return adbgd_no_memory(s->error, s->name);
	ret = adbgd_inflate(number(bytes + 6, 2), bytes + header, packed - header, image, unpacked,
			    s->name, s->error);
	if (!ret && (unpacked < strlen(MAGIC) || memcmp(image, MAGIC, strlen(MAGIC))))
		ret = damaged(s, "the content");
	if (!ret)
		ret = read_bundle(s, image, unpacked, &ignored);
	free(image);
	return ret;
}

/* Find the next bundle of one kind, from @at on. @found: the last one; @end: there are no more */
static void find_next(const uint8_t *at, const uint8_t *end, const char *magic,
		      const uint8_t **found)
{
	if (*found >= at)
		return;
	*found = memmem(at, end - at, magic, strlen(magic));
	if (!*found)
		*found = end;
}

/*
 * Look at all bundles of a section, where each compiled file has put one. The section is searched
 * only once for each kind, however many bundles there are of the other.
 */
static int read_all(struct search *s, const uint8_t *bytes, uint64_t size)
{
	const uint8_t *at = bytes, *end = bytes + size, *plain = NULL, *packed = NULL;
	uint64_t length;
	int ret = 0;

	memset(s->count, 0, sizeof(s->count));
	/* The sum is limited, as a file may consist of many small bundles. */
	s->left = ADBGD_INFLATED_LEAST + ADBGD_INFLATED_RATIO * size;
	while (!ret && !s->image) {
		find_next(at, end, MAGIC, &plain);
		find_next(at, end, MAGIC_PACKED, &packed);
		at = plain < packed ? plain : packed;
		if (at == end)
			break;
		ret = (at == packed ? read_packed : read_bundle)(s, at, end - at, &length);
		at += ret ? 0 : length;
	}
	return ret;
}

/* Find the section of an executable; false: there is none. */
static bool find_section(const uint8_t *bytes, size_t size, const uint8_t **at, uint64_t *length)
{
	Elf64_Shdr names, s;
	Elf64_Ehdr h;
	unsigned int i;

	memcpy(&h, bytes, sizeof(h));
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB ||
	    h.e_shentsize != sizeof(s) || h.e_shstrndx >= h.e_shnum || h.e_shoff > size ||
	    h.e_shnum > (size - h.e_shoff) / sizeof(s))
		return false;
	memcpy(&names, bytes + h.e_shoff + h.e_shstrndx * sizeof(s), sizeof(s));
	if (names.sh_offset > size || names.sh_size > size - names.sh_offset)
		return false;
	for (i = 0; i < h.e_shnum; i++) {
		memcpy(&s, bytes + h.e_shoff + i * sizeof(s), sizeof(s));
		if (s.sh_name >= names.sh_size || s.sh_type == SHT_NOBITS ||
		    names.sh_size - s.sh_name < sizeof(SECTION) || s.sh_offset > size ||
		    s.sh_size > size - s.sh_offset ||
		    memcmp(bytes + names.sh_offset + s.sh_name, SECTION, sizeof(SECTION)))
			continue;
		*at = bytes + s.sh_offset;
		*length = s.sh_size;
		return true;
	}
	return false;
}

static bool begins(const uint8_t *bytes, size_t size, const char *magic)
{
	return size >= strlen(magic) && !memcmp(bytes, magic, strlen(magic));
}

static bool is_host_elf(const uint8_t *bytes, size_t size)
{
	Elf64_Ehdr h;

	if (size < sizeof(h) || memcmp(bytes, ELFMAG, SELFMAG))
		return false;
	memcpy(&h, bytes, sizeof(h));
	return h.e_machine != EM_AMDGPU;
}

bool adbgd_is_bundle(const uint8_t *bytes, size_t size)
{
	const uint8_t *at;
	uint64_t length;

	return begins(bytes, size, MAGIC) || begins(bytes, size, MAGIC_PACKED) ||
	       (is_host_elf(bytes, size) && find_section(bytes, size, &at, &length));
}

static int fail_choice(const struct search *s)
{
	if (!*s->names)
		return adbgd_fail(s->error, -ENOEXEC, "%s contains no code for AMD GPUs", s->name);
	if (!s->gpu)
		return adbgd_fail(s->error, -ENOTUNIQ, "%s contains code for several GPUs: %s",
				  s->name, s->names);
	return adbgd_fail(s->error, -ENOEXEC, "%s contains no code for %s, but for %s", s->name,
			  s->gpu, s->names);
}

int adbgd_bundle_get(const uint8_t *bytes, size_t size, const char *gpu, size_t index,
		     const char *name, uint8_t **image, size_t *image_size,
		     struct adbgd_error *error)
{
	struct search s = { .name = name, .gpu = gpu, .error = error, .index = index };
	const uint8_t *at = bytes;
	uint64_t length = size;
	int ret;

	if (is_host_elf(bytes, size) && !find_section(bytes, size, &at, &length))
		return fail_choice(&s);
	ret = read_all(&s, at, length);
	if (ret)
		return ret;
	while (s.fit < FIT_NONE && !s.count[s.fit])
		s.fit++;
	if (s.fit == FIT_NONE || (!gpu && s.count[FIT_GPU] > 1))
		return fail_choice(&s);
	if (index >= s.count[s.fit])
		return adbgd_fail(error, -ENOENT, "%s contains only %zu code objects for %s", name,
				  s.count[s.fit], gpu ? gpu : s.names);
	s.is_taking = true;
	ret = read_all(&s, at, length);
	*image = s.image;
	*image_size = s.size;
	return ret;
}
