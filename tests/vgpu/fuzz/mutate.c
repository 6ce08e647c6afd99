// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The custom mutator of libFuzzer, which changes inputs by records, and by dwords in them.
 */
#include <string.h>

#include "generate.h"

size_t LLVMFuzzerMutate(u8 *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max_size,
			       unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const u8 *a, size_t size_a, const u8 *b,
				 size_t size_b, u8 *out, size_t max_out,
				 unsigned int seed);

#define MAX_RECORDS 64

/* Where the records begin, and where the last one ends. */
static unsigned int find_records(const u8 *data, size_t size, size_t *at)
{
	unsigned int num = 0;
	struct record r;
	size_t pos = 0;

	at[0] = 0;
	while (num < MAX_RECORDS && size - pos >= sizeof(r)) {
		memcpy(&r, data + pos, sizeof(r));
		if (sizeof(r) + r.num * 4 > size - pos)
			break;
		pos += sizeof(r) + r.num * 4;
		at[++num] = pos;
	}
	return num;
}

/* Put @len bytes in the place of @old bytes at @pos. Returns the new size. */
static size_t replace(u8 *data, size_t size, size_t max, size_t pos, size_t old,
		      const void *with, size_t len)
{
	if (size - old + len > max)
		return size;
	memmove(data + pos + len, data + pos + old, size - pos - old);
	if (len)
		memcpy(data + pos, with, len);
	return size - old + len;
}

/* A few dwords of a record, which keeps its size. */
static void change_dwords(u8 *record, size_t len)
{
	u32 num = (len - sizeof(struct record)) / 4, n = 1 + fuzz_random(3);
	u32 val, *at;

	if (!num) {
		record[2 + fuzz_random(2)] = fuzz_random(256);
		return;
	}
	while (n--) {
		at = (u32 *)(record + sizeof(struct record)) + fuzz_random(num);
		memcpy(&val, at, 4);
		switch (fuzz_random(4)) {
		case 0:
			val = fuzz_dword();
			break;
		case 1:
			val ^= 1U << fuzz_random(32);
			break;
		case 2:
			val += fuzz_random(9) - 4;
			break;
		default:
			LLVMFuzzerMutate((u8 *)&val, 4, 4);
		}
		memcpy(at, &val, 4);
	}
}

size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	static u32 new[RECORD_DWORDS];
	size_t at[MAX_RECORDS + 1], len, pos, old;
	unsigned int num, i;

	fuzz_seed(seed);
	num = find_records(data, size, at);
	size = at[num];
	i = fuzz_random(num + 1);
	pos = at[i];
	old = i < num ? at[i + 1] - pos : 0;
	switch (old ? fuzz_random(8) : 0) {
	case 0:
	case 1:
		len = fuzz_record((void *)new);
		return replace(data, size, max_size, pos, 0, new, len);
	case 2:
		len = fuzz_record((void *)new);
		return replace(data, size, max_size, pos, old, new, len);
	case 3:
		return replace(data, size, max_size, pos, old, NULL, 0);
	case 4:
		memcpy(new, data + pos, old);
		return replace(data, size, max_size, at[fuzz_random(num + 1)], 0,
			       new, old);
	case 5:
		data[pos + 2 + fuzz_random(2)] = fuzz_random(256);
		return size;
	default:
		change_dwords(data + pos, old);
		return size;
	}
}

/* The beginning of one, the end of the other. */
size_t LLVMFuzzerCustomCrossOver(const u8 *a, size_t size_a, const u8 *b,
				 size_t size_b, u8 *out, size_t max_out,
				 unsigned int seed)
{
	size_t at[MAX_RECORDS + 1], head, tail;
	unsigned int num;

	fuzz_seed(seed);
	num = find_records(a, size_a, at);
	head = at[fuzz_random(num + 1)];
	num = find_records(b, size_b, at);
	tail = at[fuzz_random(num + 1)];
	size_b = at[num];
	if (head + size_b - tail > max_out)
		return 0;
	memcpy(out, a, head);
	memcpy(out + head, b + tail, size_b - tail);
	return head + size_b - tail;
}
