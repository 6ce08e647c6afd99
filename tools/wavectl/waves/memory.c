// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses addresses and values, reads and writes files: see memory.h.
 */
#include "waves/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/util.h"

int memory_take_address(struct wavectl *w, struct memory *m)
{
	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: each process has its own address space");
	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "the address is missing");
	if (!parse_u64(w->words[0], UINT64_MAX, &m->va))
		return fail_with(w, WAVECTL_USAGE,
				 "an address is a number, such as 0x600000001000",
				 "'%s' is not an address", w->words[0]);
	return WAVECTL_OK;
}

/* Store a dword in the byte order of the GPU: the lowest byte first. */
static void put_dword(uint8_t *to, uint32_t value)
{
	for (unsigned int i = 0; i < 4; i++)
		to[i] = value >> 8 * i;
}

int memory_take_values(struct wavectl *w, struct memory *m)
{
	uint64_t value;

	m->bytes = 4 * (w->num_words - 1);
	m->data = xcalloc(1, m->bytes);
	for (int i = 1; i < w->num_words; i++) {
		if (!parse_u64(w->words[i], UINT32_MAX, &value))
			return fail_with(w, WAVECTL_USAGE, NULL,
					 "'%s' is not a 32-bit value",
					 w->words[i]);
		put_dword(m->data + 4 * (i - 1), value);
	}
	return WAVECTL_OK;
}

static int fail_file(struct wavectl *w, const char *file, int error)
{
	return fail_with(w, WAVECTL_FAILED, NULL, "%s: %s", file,
			 strerror(-error));
}

int memory_read_file(const char *name, uint64_t max, struct memory *m)
{
	FILE *file = fopen(name, "re");
	size_t room = 0, n;
	int ret = 0;

	if (!file)
		return -errno;
	do {
		room = room ? 2 * room : 65536;
		m->data = xreallocarray(m->data, 1, room);
		n = fread(m->data + m->bytes, 1, room - m->bytes, file);
		m->bytes += n;
	} while (m->bytes == room && room < max);
	if (ferror(file))
		ret = -EIO;
	else if (!feof(file) && fgetc(file) != EOF)
		ret = -EFBIG;
	fclose(file);
	return ret;
}

int memory_take_file(struct wavectl *w, const char *file, struct memory *m)
{
	int ret = memory_read_file(file, MEMORY_MAX_BYTES, m);

	if (ret)
		return fail_file(w, file, ret);
	if (!m->bytes)
		return fail_with(w, WAVECTL_USAGE, NULL, "%s is empty",
				 file);
	return WAVECTL_OK;
}

int memory_save(struct wavectl *w, const char *file, const struct memory *m)
{
	struct output output;
	int ret = output_open(&output, file);

	if (!ret) {
		fwrite(m->data, 1, m->bytes, output.file);
		ret = output_finish(&output);
	}
	return ret ? fail_with(w, WAVECTL_FAILED, NULL, "cannot write %s: %s", file,
			       output_strerror(ret)) : WAVECTL_OK;
}
