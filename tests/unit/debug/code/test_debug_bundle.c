// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/bundle.c: files with code objects for several GPUs. The bundles are written here
 * as clang's documentation describes them, because clang-offload-bundler is in a package of its
 * own; llvm-objcopy puts them into an executable.
 */
#include "debug/util.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAGIC		"__CLANG_OFFLOAD_BUNDLE__"
#define HIP		"hipv4-amdgcn-amd-amdhsa--"
#define HOST		"host-x86_64-unknown-linux--"
#define ROOM		(1 << 20)

struct file {
	uint8_t bytes[ROOM];
	size_t size;
};

static struct file plain, packed, whole;

static void put(uint8_t *at, uint64_t value, size_t size)
{
	memcpy(at, &value, size);
}

/* Write a bundle: the host's empty entry, and a code object (names.co) for each GPU. */
static void make_bundle(struct file *f, const char *const *gpus, size_t num)
{
	size_t size, at = strlen(MAGIC) + 8, data = 4096, i;
	uint8_t *object = read_whole(DEBUG_CO "names.co", &size);
	char triple[64];

	memset(f, 0, sizeof(*f));
	memcpy(f->bytes, MAGIC, strlen(MAGIC));
	put(f->bytes + at - 8, num + 1, 8);
	for (i = 0; i <= num; i++) {
		snprintf(triple, sizeof(triple), "%s%s", i ? HIP : HOST, i ? gpus[i - 1] : "");
		put(f->bytes + at, data, 8);
		put(f->bytes + at + 8, i ? size : 0, 8);
		put(f->bytes + at + 16, strlen(triple), 8);
		memcpy(f->bytes + at + 24, triple, strlen(triple));
		at += 24 + strlen(triple);
		if (i) {
			memcpy(f->bytes + data, object, size);
			data += (size + 4095) / 4096 * 4096;
		}
	}
	f->size = data;
	free(object);
}

/* Compress a bundle by zlib (0) or zstd (1), with a header of the given version. */
static void pack(const struct file *from, struct file *to, unsigned int method,
		 unsigned int version)
{
	void *library = dlopen(method ? "libzstd.so.1" : "libz.so.1", RTLD_NOW);
	void *function = library ? dlsym(library, method ? "ZSTD_compress" : "compress") : NULL;
	size_t (*zstd)(void *, size_t, const void *, size_t, int) = function;
	int (*zlib)(void *, unsigned long *, const void *, unsigned long) = function;
	size_t width = version == 3 ? 8 : 4, header = 8 + (version > 1 ? 2 : 1) * width + 8;
	unsigned long size = ROOM - header;

	assert_non_null(function);
	memset(to, 0, sizeof(*to));
	if (method)
		size = zstd(to->bytes + header, size, from->bytes, from->size, 3);
	else
		assert_int_equal(zlib(to->bytes + header, &size, from->bytes, from->size), 0);
	to->size = header + size;
	memcpy(to->bytes, "CCOB", 4);
	put(to->bytes + 4, version, 2);
	put(to->bytes + 6, method, 2);
	if (version > 1)
		put(to->bytes + 8, to->size, width);
	put(to->bytes + header - 8 - width, from->size, width);
}

static void write_file(const char *path, const struct file *f)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(f->bytes, 1, f->size, file), f->size);
	fclose(file);
}

static int open_entry(const struct file *f, const char *gpu, size_t index,
		      struct adbgd_error *error)
{
	char path[] = "/tmp/test_debug_bundle.XXXXXX";
	struct adbgd_code *code;
	int ret, fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	write_file(path, f);
	ret = adbgd_code_open_entry(path, gpu, index, &code, error);
	unlink(path);
	if (ret)
		return ret;
	assert_non_null(adbgd_code_find_kernel(code, "_ZN3sim4fillIfLi4EEEvPT_j"));
	assert_int_equal(adbgd_code_load_debug(code, NULL), 0);
	adbgd_code_free(code);
	return 0;
}

static void the_entry_for_the_gpu_is_selected(void **state)
{
	static const char *const gpus[] = { "gfx906:xnack-", "gfx1030", "gfx1033" };
	struct adbgd_error error;

	(void)state;
	make_bundle(&plain, gpus, 3);
	assert_int_equal(open_entry(&plain, "gfx1033", 0, &error), 0);
	assert_int_equal(open_entry(&plain, "gfx1033", 1, &error), -ENOENT);
	assert_int_equal(open_entry(&plain, "gfx906", 0, &error), 0);
	/* Another one of the family */
	assert_int_equal(open_entry(&plain, "gfx1031", 0, &error), 0);
}

static void the_entries_are_listed_if_none_fits(void **state)
{
	static const char *const gpus[] = { "gfx906:xnack-", "gfx906:xnack+", "gfx1100" };
	struct adbgd_error error;

	(void)state;
	make_bundle(&plain, gpus, 3);
	assert_int_equal(open_entry(&plain, "gfx1033", 0, &error), -ENOEXEC);
	assert_non_null(strstr(error.text, "no code for gfx1033, but for gfx906, gfx1100"));
	assert_int_equal(open_entry(&plain, NULL, 0, &error), -ENOTUNIQ);
	assert_non_null(strstr(error.text, "contains code for several GPUs: gfx906, gfx1100"));
	/* One with each setting of XNACK */
	assert_int_equal(open_entry(&plain, "gfx906", 1, &error), 0);
	make_bundle(&plain, gpus, 0);
	assert_int_equal(open_entry(&plain, "gfx1033", 0, &error), -ENOEXEC);
	assert_non_null(strstr(error.text, "contains no code for AMD GPUs"));
}

static void generic_targets_fit(void **state)
{
	static const char *const gpus[] = { "gfx10-3-generic", "gfx1030", "gfx9-generic" };
	struct adbgd_error error;

	(void)state;
	make_bundle(&plain, gpus, 3);
	assert_int_equal(open_entry(&plain, "gfx1033", 0, &error), 0);
	assert_int_equal(open_entry(&plain, "gfx1033", 1, &error), -ENOENT);
	assert_int_equal(open_entry(&plain, "gfx90c", 0, &error), 0);
	assert_int_equal(open_entry(&plain, "gfx1100", 0, &error), -ENOEXEC);
}

static void compressed_bundles_are_read(void **state)
{
	static const char *const gpus[] = { "gfx1030", "gfx1033" };
	struct adbgd_error error;
	unsigned int method, version;

	(void)state;
	make_bundle(&plain, gpus, 2);
	for (method = 0; method < 2; method++) {
		for (version = 1; version <= 3; version++) {
			pack(&plain, &packed, method, version);
			assert_int_equal(open_entry(&packed, "gfx1033", 0, &error), 0);
		}
	}
	/* The magic number of zstd, behind the header */
	packed.bytes[32] ^= 0xff;
	assert_true(open_entry(&packed, "gfx1033", 0, &error) < 0);
	pack(&plain, &packed, 1, 2);
	put(packed.bytes + 6, 7, 2);
	assert_int_equal(open_entry(&packed, "gfx1033", 0, &error), -EOPNOTSUPP);
	assert_non_null(strstr(error.text, "compressed with method 7"));
}

/* More bytes than the compressed ones can contain */
static void a_bundle_that_would_become_too_large_is_refused(void **state)
{
	static const char *const gpus[] = { "gfx1033" };
	struct adbgd_error error;

	(void)state;
	make_bundle(&plain, gpus, 1);
	pack(&plain, &packed, 1, 2);
	put(packed.bytes + 12, 0x3fffffff, 4);
	assert_int_equal(open_entry(&packed, "gfx1033", 0, &error), -E2BIG);
}

/* The time grows with the size of the file, not with its square. */
static void a_file_of_small_bundles_is_read_soon(void **state)
{
	size_t size = 4 << 20, at;
	uint8_t *bytes = calloc(1, size);
	struct adbgd_error error;
	struct adbgd_code *code;
	clock_t began = clock();

	(void)state;
	assert_non_null(bytes);
	/* A bundle without entries */
	memset(&plain, 0, sizeof(plain));
	memcpy(plain.bytes, MAGIC, strlen(MAGIC));
	plain.size = strlen(MAGIC) + 8;
	/* zstd would leave the magic number as it is. */
	pack(&plain, &packed, 0, 2);
	for (at = 0; size - at >= packed.size; at += packed.size)
		memcpy(bytes + at, packed.bytes, packed.size);
	assert_int_equal(adbgd_code_new(bytes, at, "it", &code, &error), -ENOEXEC);
	assert_non_null(strstr(error.text, "contains no code for AMD GPUs"));
	assert_true((clock() - began) / CLOCKS_PER_SEC < 10);
	free(bytes);
}

/* Two compiled files: one bundle for each, the second one compressed */
static void executables_contain_bundles(void **state)
{
	static const char *const gpus[] = { "gfx1030", "gfx1033" };
	char path[] = "/tmp/test_debug_bundle.XXXXXX", *said;
	struct adbgd_error error;
	struct adbgd_code *code;
	int fd = mkstemp(path), i;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	make_bundle(&plain, gpus, 2);
	pack(&plain, &packed, 1, 2);
	whole = plain;
	memcpy(whole.bytes + plain.size, packed.bytes, packed.size);
	whole.size = plain.size + packed.size;
	write_file(path, &whole);
	said = run_tool("llvm-objcopy-19 --add-section .hip_fatbin=%s /bin/true %s.exe", path,
			path);
	free(said);
	strcat(strcpy((char *)whole.bytes, path), ".exe");
	for (i = 0; i < 2; i++) {
		assert_int_equal(adbgd_code_open_entry((char *)whole.bytes, "gfx1033", i, &code,
						       &error), 0);
		adbgd_code_free(code);
	}
	assert_int_equal(adbgd_code_open_entry((char *)whole.bytes, "gfx1033", 2, &code, &error),
			 -ENOENT);
	unlink(path);
	unlink((char *)whole.bytes);
	/* An executable without code for GPUs */
	assert_int_equal(adbgd_code_open("/bin/true", &code, &error), -ENOEXEC);
	assert_non_null(strstr(error.text, "is not for AMD GPUs"));
}

/* Every byte of the header is damaged in turn, and the file is cut anywhere in it. */
static void damaged_bundles_are_refused(void **state)
{
	static const char *const gpus[] = { "gfx1030", "gfx1033" };
	struct adbgd_error error;
	struct adbgd_code *code;
	size_t i;

	(void)state;
	make_bundle(&plain, gpus, 2);
	for (i = 0; i < 256; i++) {
		plain.bytes[i] ^= 0xff;
		if (!adbgd_code_new(plain.bytes, plain.size, "it", &code, &error))
			adbgd_code_free(code);
		else
			assert_true(*error.text);
		plain.bytes[i] ^= 0xff;
		assert_true(adbgd_code_new(plain.bytes, i, "it", &code, &error) < 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_entry_for_the_gpu_is_selected),
		cmocka_unit_test(the_entries_are_listed_if_none_fits),
		cmocka_unit_test(generic_targets_fit),
		cmocka_unit_test(compressed_bundles_are_read),
		cmocka_unit_test(a_bundle_that_would_become_too_large_is_refused),
		cmocka_unit_test(a_file_of_small_bundles_is_read_soon),
		cmocka_unit_test(executables_contain_bundles),
		cmocka_unit_test(damaged_bundles_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
