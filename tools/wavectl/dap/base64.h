/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Base64 of RFC 4648, in which the protocol has the content of memory.
 */
#ifndef WAVECTL_DAP_BASE64_H
#define WAVECTL_DAP_BASE64_H

#include <stddef.h>

/* The caller frees the results. */
char *base64_encode(const void *bytes, size_t size);
/* NULL: @text is not base64 */
void *base64_decode(const char *text, size_t *size);

#endif /* WAVECTL_DAP_BASE64_H */
