// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Values as text, in the format of gdb with "print repeats 10" and "print elements 200".
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "location.h"
#include "number.h"
#include "value.h"
#include "value_format.h"

#define REPEATS		10
#define ELEMENTS	200
#define DEPTH_MAX	64

struct printer {
	struct adbgd_text out;
	const struct adbgd_value *value;
	uint32_t flags;
	bool numbers;			/* in vectors: print numbers without characters */
	unsigned int elements;		/* number of elements printed so far */
};

static void print(struct printer *p, const struct adbgd_type *t, uint64_t at,
		  unsigned int depth);

/* The letter of ADBGD_VALUE_FORMAT(); 0: none */
static char format_of(const struct printer *p)
{
	return p->flags >> 8 & 0x7f;
}

static bool is_known(const struct printer *p, uint64_t at, uint64_t size)
{
	return !memchr(p->value->known + at, 0, size);
}

/* Read an integer of 1 to 8 bytes. */
static uint64_t raw(const struct printer *p, uint64_t at, uint64_t size)
{
	uint64_t v = 0;

	memcpy(&v, p->value->bytes + at, size < 8 ? size : 8);
	return v;
}

static void print_enum(struct printer *p, const struct adbgd_type *t, uint64_t v,
		       unsigned int bits)
{
	uint64_t mask = bits < 64 ? (1ULL << bits) - 1 : UINT64_MAX;
	uint32_t i;

	for (i = 0; i < t->num_members; i++) {
		if (((uint64_t)t->members[i].value & mask) == (v & mask) &&
		    t->members[i].name) {
			adbgd_text_add(&p->out, "%s", t->members[i].name);
			return;
		}
	}
	if (t->flags & ADBGD_TYPE_IS_SIGNED)
		adbgd_text_add(&p->out, "%" PRId64, adbgd_sign_extend(v, bits));
	else
		adbgd_text_add(&p->out, "%" PRIu64, v);
}

/* Print a scalar of @bits bits, which may be fewer than those of its type. */
static void print_scalar(struct printer *p, const struct adbgd_type *t, uint64_t v,
			 unsigned int bits)
{
	if (format_of(p)) {
		adbgd_format_scalar(&p->out, t, v, bits, format_of(p),
				    p->flags & ADBGD_VALUE_PADDED);
		return;
	}
	if (p->flags & ADBGD_VALUE_HEX && t->kind != ADBGD_TYPE_POINTER) {
		adbgd_text_add(&p->out, "0x%0*" PRIx64, (int)(bits + 3) / 4, v);
		return;
	}
	switch (t->kind) {
	case ADBGD_TYPE_BOOL:
		if (v > 1)
			adbgd_text_add(&p->out, "%" PRIu64, v);
		else
			adbgd_text_add(&p->out, v ? "true" : "false");
		break;
	case ADBGD_TYPE_SIGNED:
		adbgd_text_add(&p->out, "%" PRId64, adbgd_sign_extend(v, bits));
		break;
	case ADBGD_TYPE_CHAR:
		if (t->flags & ADBGD_TYPE_IS_SIGNED)
			adbgd_text_add(&p->out, "%" PRId64, adbgd_sign_extend(v, bits));
		else
			adbgd_text_add(&p->out, "%" PRIu64, v);
		if (p->numbers)
			break;
		adbgd_text_add(&p->out, " '");
		adbgd_format_letter(&p->out, v, '\'');
		adbgd_text_add(&p->out, "'");
		break;
	case ADBGD_TYPE_FLOAT:
		adbgd_format_float(&p->out, v, t->size);
		break;
	case ADBGD_TYPE_ENUM:
		print_enum(p, t, v, bits);
		break;
	case ADBGD_TYPE_POINTER:
		adbgd_text_add(&p->out, "%s0x%" PRIx64, adbgd_space_name(t->space), v);
		break;
	default:
		adbgd_text_add(&p->out, "%" PRIu64, v);
	}
}

/* Do two elements have the same bytes, and is the same part of them known? */
static bool is_same(const struct printer *p, uint64_t a, uint64_t b, uint64_t size)
{
	return !memcmp(p->value->bytes + a, p->value->bytes + b, size) &&
	       !memcmp(p->value->known + a, p->value->known + b, size);
}

static void print_elements(struct printer *p, const struct adbgd_type *t, uint64_t at,
			   unsigned int depth)
{
	uint64_t size = t->target->size, i, same;
	bool numbers = p->numbers;

	p->numbers |= t->kind == ADBGD_TYPE_VECTOR;
	adbgd_text_add(&p->out, "{");
	for (i = 0; i < t->count; i += same) {
		if (i)
			adbgd_text_add(&p->out, ", ");
		if (p->elements >= ELEMENTS) {
			/* Replaces the comma, as in gdb */
			if (i)
				p->out.length -= 2;
			adbgd_text_add(&p->out, "...");
			break;
		}
		for (same = 1; i + same < t->count &&
		     is_same(p, at + i * size, at + (i + same) * size, size); same++)
			;
		if (same <= REPEATS)
			same = 1;
		print(p, t->target, at + i * size, depth + 1);
		if (same > 1)
			adbgd_text_add(&p->out, " <repeats %" PRIu64 " times>", same);
		p->elements += same > 1 ? REPEATS : 1;
	}
	adbgd_text_add(&p->out, "}");
	p->numbers = numbers;
}

/* Count equal characters from @at on. */
static uint64_t count_letters(const uint8_t *text, uint64_t at, uint64_t end)
{
	uint64_t i = at + 1;

	while (i < end && text[i] == text[at])
		i++;
	return i - at;
}

/* "ab", 'c' <repeats 15 times>, "de" */
static void print_string(struct printer *p, uint64_t at, uint64_t count)
{
	const uint8_t *text = p->value->bytes + at;
	uint64_t i, same, printed = 0;
	bool quoted = false;

	/* The 0 byte at its end is not a part of the string. */
	if (count && !text[count - 1])
		count--;
	for (i = 0; i < count && printed < ELEMENTS; i += same) {
		same = count_letters(text, i, count);
		if (same > REPEATS) {
			adbgd_text_add(&p->out, quoted ? "\", " : i ? ", " : "");
			adbgd_text_add(&p->out, "'");
			adbgd_format_letter(&p->out, text[i], '\'');
			adbgd_text_add(&p->out, "' <repeats %" PRIu64 " times>", same);
			quoted = false;
			printed += REPEATS;
			continue;
		}
		if (!quoted)
			adbgd_text_add(&p->out, i ? ", \"" : "\"");
		quoted = true;
		adbgd_format_letter(&p->out, text[i], '"');
		same = 1;
		printed++;
	}
	adbgd_text_add(&p->out, quoted ? "\"" : count ? "" : "\"\"");
	if (i < count)
		adbgd_text_add(&p->out, "...");
}

static void print_array(struct printer *p, const struct adbgd_type *t, uint64_t at,
			unsigned int depth)
{
	const struct adbgd_type *of = t->target;

	/* The size of a vector may include padding. */
	if (!of || !of->size || t->count > t->size / of->size)
		adbgd_text_add(&p->out, "<%s>", t->name);
	else if (t->kind == ADBGD_TYPE_ARRAY && of->kind == ADBGD_TYPE_CHAR && of->size == 1 &&
		 is_known(p, at, t->count) && !(p->flags & ADBGD_VALUE_HEX) &&
		 !format_of(p))
		print_string(p, at, t->count);
	else
		print_elements(p, t, at, depth);
}

static void print_member(struct printer *p, const struct adbgd_type *t,
			 const struct adbgd_member *m, uint64_t at, unsigned int depth)
{
	uint64_t bytes, v;

	if (m->name)
		adbgd_text_add(&p->out, "%s = ", m->name);
	if (!m->bit_size) {
		/* The last member of a struct may be an array without a length. */
		if (m->offset > t->size || m->type->size > t->size - m->offset ||
		    !m->type->size)
			adbgd_text_add(&p->out, "<%s>", m->type->name);
		else
			print(p, m->type, at + m->offset, depth + 1);
		return;
	}
	bytes = (m->bit_offset + (uint64_t)m->bit_size + 7) / 8;
	if (m->bit_size > 64 || bytes > 8 || m->offset > t->size ||
	    bytes > t->size - m->offset || m->bit_offset > 63) {
		adbgd_text_add(&p->out, "<%s>", m->type->name);
		return;
	}
	if (!is_known(p, at + m->offset, bytes)) {
		adbgd_text_add(&p->out, "<optimized out>");
		return;
	}
	v = raw(p, at + m->offset, bytes) >> m->bit_offset;
	if (m->bit_size < 64)
		v &= (1ULL << m->bit_size) - 1;
	print_scalar(p, m->type, v, m->bit_size);
}

static void print_struct(struct printer *p, const struct adbgd_type *t, uint64_t at,
			 unsigned int depth)
{
	uint32_t i;

	adbgd_text_add(&p->out, "{");
	for (i = 0; i < t->num_members; i++) {
		if (p->elements >= ELEMENTS) {
			adbgd_text_add(&p->out, "...");
			break;
		}
		adbgd_text_add(&p->out, i ? ", " : "");
		print_member(p, t, &t->members[i], at, depth);
		p->elements++;
	}
	adbgd_text_add(&p->out, "}");
}

static void print(struct printer *p, const struct adbgd_type *t, uint64_t at,
		  unsigned int depth)
{
	if (depth > DEPTH_MAX) {
		adbgd_text_add(&p->out, "...");
		return;
	}
	switch (t->kind) {
	case ADBGD_TYPE_ARRAY:
	case ADBGD_TYPE_VECTOR:
		print_array(p, t, at, depth);
		return;
	case ADBGD_TYPE_STRUCT:
	case ADBGD_TYPE_UNION:
		print_struct(p, t, at, depth);
		return;
	case ADBGD_TYPE_OTHER:
	case ADBGD_TYPE_VOID:
	case ADBGD_TYPE_FUNCTION:
		adbgd_text_add(&p->out, "<%s>", t->name);
		return;
	default:
		break;
	}
	if (!t->size || t->size > 8) {
		adbgd_text_add(&p->out, "<%s>", t->name);
	} else if (!is_known(p, at, t->size)) {
		adbgd_text_add(&p->out, "<optimized out>");
	} else {
		if (!depth && t->kind == ADBGD_TYPE_POINTER && !format_of(p))
			adbgd_text_add(&p->out, "(%s) ", t->name);
		print_scalar(p, t, raw(p, at, t->size), 8 * t->size);
	}
}

ADBGD_API size_t adbgd_value_text(const struct adbgd_value *value, uint32_t flags,
				  char *text, size_t size)
{
	struct printer p = {
		.out = { .text = text, .size = size },
		.value = value,
		.flags = flags,
	};

	if (size)
		text[0] = 0;
	if (!adbgd_format_is_known(format_of(&p)))
		p.flags &= ~ADBGD_VALUE_FORMAT(0x7f);
	print(&p, value->type, 0, 0);
	return p.out.length;
}
