// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Locations as text: "v3", "s[4:5]", "private#0x18".
 */
#include <stdarg.h>
#include <stdio.h>

#include "location.h"

/* Append to a text in a buffer. The length is counted also when the buffer is full. */
void adbgd_text_add(struct adbgd_text *t, const char *format, ...)
{
	size_t left = t->length < t->size ? t->size - t->length : 0;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(left ? t->text + t->length : NULL, left, format, args);
	va_end(args);
	t->length += n > 0 ? n : 0;
}

static void registers(struct adbgd_text *t, uint32_t space, uint32_t number,
		      uint32_t count)
{
	static const struct {
		uint32_t space;
		const char *name;
	} files[] = {
		{ AMDGPUDBG_REG_SGPR, "s" },
		{ AMDGPUDBG_REG_VGPR, "v" },
		{ AMDGPUDBG_REG_TTMP, "ttmp" },
	};
	const char *name = "?";
	size_t i;

	if (space == ADBGD_REG_EXEC) {
		adbgd_text_add(t, count > 1 ? "exec" : number ? "exec_hi" : "exec_lo");
		return;
	}
	if (space == AMDGPUDBG_REG_SGPR && (number == 106 || number == 107)) {
		adbgd_text_add(t, count > 1 ? "vcc" : number == 107 ? "vcc_hi" : "vcc_lo");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (files[i].space == space)
			name = files[i].name;
	}
	if (count > 1)
		adbgd_text_add(t, "%s[%u:%u]", name, number, number + count - 1);
	else
		adbgd_text_add(t, "%s%u", name, number);
}

const char *adbgd_space_name(uint32_t space)
{
	switch (space) {
	case ADBGD_SPACE_GLOBAL:
		return "";
	case ADBGD_SPACE_PRIVATE:
		return "private#";
	case ADBGD_SPACE_LOCAL:
		return "local#";
	default:
		return "?#";
	}
}

static void piece(struct adbgd_text *t, const struct adbgd_piece *p)
{
	uint32_t count = p->size ? (p->size + 3) / 4 : 1;

	switch (p->where) {
	case ADBGD_PIECE_IN_REGISTER:
		registers(t, p->space, p->number, count);
		break;
	case ADBGD_PIECE_IN_MEMORY:
		adbgd_text_add(t, "%s%#llx", adbgd_space_name(p->space),
			       (unsigned long long)p->address);
		break;
	case ADBGD_PIECE_HAS_VALUE:
		if (p->bytes)
			adbgd_text_add(t, "constant of %u bytes", p->size);
		else
			adbgd_text_add(t, "constant %lld", (long long)p->address);
		break;
	default:
		adbgd_text_add(t, "<optimized out>");
	}
}

static bool continues(const struct adbgd_piece *a, const struct adbgd_piece *b)
{
	return a->where == ADBGD_PIECE_IN_REGISTER && b->where == a->where &&
	       b->space == a->space && a->size % 4 == 0 &&
	       b->number == a->number + a->size / 4;
}

ADBGD_API char *adbgd_variable_location_text(const struct adbgd_location *location, char *text,
					     size_t size)
{
	struct adbgd_text t = { .text = text, .size = size };
	struct adbgd_piece p;
	uint32_t i;

	if (size)
		text[0] = 0;
	for (i = 0; i < location->num_pieces && i < ADBGD_PIECES_MAX; i++) {
		p = location->pieces[i];
		/* Adjacent registers such as v0, v1 and v2 are written as v[0:2]. */
		while (i + 1 < location->num_pieces && i + 1 < ADBGD_PIECES_MAX &&
		       continues(&p, &location->pieces[i + 1]))
			p.size += location->pieces[++i].size;
		adbgd_text_add(&t, t.length ? ", " : "");
		piece(&t, &p);
	}
	return text;
}
