// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See inflate.h. Prototypes are those of zlib.h (1.2) and zstd.h (1.5), whose libraries keep them.
 */
#include "inflate.h"

#include <dlfcn.h>

static const struct {
	const char *what, *library, *function;
} libraries[] = {
	[ADBGD_COMPRESSION_ZLIB] = { "zlib", "libz.so.1", "uncompress" },
	[ADBGD_COMPRESSION_ZSTD] = { "zstd", "libzstd.so.1", "ZSTD_decompress" },
};

/* The library stays loaded. NULL: it is not installed. */
static void *load(enum adbgd_compression method)
{
	void *library = dlopen(libraries[method].library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	return library ? dlsym(library, libraries[method].function) : NULL;
}

bool adbgd_can_inflate(enum adbgd_compression method)
{
	return load(method);
}

/* Both only write within the size that they are given. */
static bool inflate(enum adbgd_compression method, void *function, const void *bytes, size_t size,
		    void *to, size_t to_size)
{
	int (*uncompress)(void *to, unsigned long *to_size, const void *bytes,
			  unsigned long size) = function;
	size_t (*decompress)(void *to, size_t to_size, const void *bytes, size_t size) = function;
	unsigned long done = to_size;

	if (method == ADBGD_COMPRESSION_ZLIB)
		return !uncompress(to, &done, bytes, size) && done == to_size;
	/* Errors are larger than all sizes. */
	return decompress(to, to_size, bytes, size) == to_size;
}

int adbgd_inflate(enum adbgd_compression method, const void *bytes, size_t size, void *to,
		  size_t to_size, const char *name, struct adbgd_error *error)
{
	void *function = load(method);

	if (!function)
		return adbgd_fail(error, -EOPNOTSUPP, "%s is compressed with %s, and %s, which reads "
				  "it, is not installed", name, libraries[method].what,
				  libraries[method].library);
	return inflate(method, function, bytes, size, to, to_size) ? 0 :
	       adbgd_fail(error, -EBADMSG, "%s is damaged: its bytes that are compressed with %s",
			  name, libraries[method].what);
}
