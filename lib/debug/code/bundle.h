/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files with code objects for several GPUs: clang's offload bundles, also compressed ones, and
 * executables of HIP that contain them (section .hip_fatbin).
 */
#ifndef ADBGD_BUNDLE_H
#define ADBGD_BUNDLE_H

#include <stdbool.h>

#include "internal.h"

/** adbgd_is_bundle() - test whether bytes of a file are a bundle, or may contain one */
bool adbgd_is_bundle(const uint8_t *bytes, size_t size);

/**
 * adbgd_bundle_get() - get a code object from a file with bundles
 * @gpu: target name of the GPU, such as "gfx1033"; NULL: there must be only one
 * @index: which of the code objects for this GPU, from 0
 * @image: set to a copy of it, which the caller frees
 *
 * If there is none for exactly this GPU, those for its family are used, such as gfx10-3-generic, or
 * gfx1030 for gfx1033.
 *
 * Return: 0; -ENOENT there are fewer; -ENOTUNIQ @gpu is missing; -ENOEXEC there is none for this
 * GPU, or no bundle; -EBADMSG; -E2BIG; -EOPNOTSUPP it is compressed in a way that is not supported;
 * -ENOMEM.
 */
int adbgd_bundle_get(const uint8_t *bytes, size_t size, const char *gpu, size_t index,
		     const char *name, uint8_t **image, size_t *image_size,
		     struct adbgd_error *error);

#endif /* ADBGD_BUNDLE_H */
