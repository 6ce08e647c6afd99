// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Assignments: an expression that names what is stored somewhere, "=", and an expression.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include <amdgpudbg-debug-assign.h>

#include "convert.h"
#include "eval.h"
#include "location.h"
#include "value.h"

/* -------------------------------------------------------------------- conversions */

static int fail_fit(struct adbgd_eval *e, const struct adbgd_number *n, const char *type,
		    uint32_t bits)
{
	if (n->is_float)
		return adbgd_fail(e->error, -EOVERFLOW, "%g does not fit into %.200s (%u bits)",
				  n->value, type, bits);
	return adbgd_fail(e->error, -EOVERFLOW, n->is_signed ?
			  "%lld does not fit into %.200s (%u bits)" :
			  "%llu does not fit into %.200s (%u bits)",
			  (long long)adbgd_number_integer(n), type, bits);
}

/* Convert a number to the bits of a type; @num_bits: of a bit field, or 0 */
static int convert(struct adbgd_eval *e, const struct adbgd_type *type, uint32_t num_bits,
		   const struct adbgd_number *n, uint64_t *bits)
{
	uint32_t num = num_bits ? num_bits : 8 * (uint32_t)type->size;
	bool fits;

	switch (type->kind) {
	case ADBGD_TYPE_FLOAT:
		fits = adbgd_convert_to_float(adbgd_number_as_float(n, type->size), type->size,
					      bits);
		break;
	case ADBGD_TYPE_BOOL:
		*bits = adbgd_number_is_true(n);
		fits = true;
		break;
	case ADBGD_TYPE_POINTER:
		if (n->is_float)
			return adbgd_fail(e->error, -EINVAL, "a float cannot be assigned to %.200s",
					  type->name);
		fits = adbgd_convert_to_integer(n, num, false, bits);
		break;
	default:
		fits = adbgd_convert_to_integer(n, num, type->flags & ADBGD_TYPE_IS_SIGNED, bits);
	}
	return fits ? 0 : fail_fit(e, n, type->name, num);
}

/* --------------------------------------------------------------------- locations */

static int fail_write(const struct adbgd_writer *writer, int ret, const char *what,
		      struct adbgd_error *error)
{
	return adbgd_fail(error, ret, "%s cannot be changed: %s", what,
			  writer->explain ? writer->explain(writer->data) : strerror(-ret));
}

static int write_memory(const struct adbgd_context *c, const struct adbgd_writer *writer,
			uint32_t space, uint64_t address, const uint8_t *bytes, size_t size,
			struct adbgd_error *error)
{
	int ret = writer->write_memory ? writer->write_memory(writer->data, space, c->lane, address,
							      bytes, size) : -EINVAL;

	return ret ? fail_write(writer, ret, "memory", error) : 0;
}

/* Change bytes of registers from byte @from of register @number on. */
static int write_registers(const struct adbgd_context *c, const struct adbgd_writer *writer,
			   uint32_t space, uint32_t number, uint64_t from, const uint8_t *bytes,
			   size_t size, struct adbgd_error *error)
{
	uint32_t word;
	size_t part;
	int ret;

	for (number += from / 4, from %= 4; size; number++, from = 0, bytes += part, size -= part) {
		part = 4 - from < size ? 4 - from : size;
		ret = c->read_register ? c->read_register(c->data, space, number, c->lane, &word) :
					 -EINVAL;
		if (ret)
			return adbgd_fail(error, ret, "a register cannot be read: %s",
					  adbgd_context_reason(c, ret));
		memcpy((uint8_t *)&word + from, bytes, part);
		ret = writer->write_register ? writer->write_register(writer->data, space, number,
								      c->lane, word) : -EINVAL;
		if (ret)
			return fail_write(writer, ret, "a register", error);
	}
	return 0;
}

static int check_piece(const struct adbgd_piece *p, struct adbgd_error *error)
{
	if (p->where == ADBGD_PIECE_OPTIMIZED_OUT)
		return adbgd_fail(error, -ENODATA, "it was optimized out at this instruction");
	if (p->where == ADBGD_PIECE_HAS_VALUE)
		return adbgd_fail(error, -EROFS, "it is not stored at this instruction: the "
				  "compiler uses its value");
	return 0;
}

static int write_piece(const struct adbgd_piece *p, uint64_t from, const uint8_t *bytes,
		       size_t size, const struct adbgd_context *c,
		       const struct adbgd_writer *writer, struct adbgd_error *error)
{
	if (p->where == ADBGD_PIECE_IN_MEMORY)
		return write_memory(c, writer, p->space, p->address + from, bytes, size, error);
	return write_registers(c, writer, p->space, p->number, from, bytes, size, error);
}

/* Check the pieces that have some bytes, or write them. */
static int each_piece(const struct adbgd_location *l, uint64_t offset, const uint8_t *bytes,
		      size_t size, const struct adbgd_context *c,
		      const struct adbgd_writer *writer, bool writes, struct adbgd_error *error)
{
	uint64_t begin = 0, from;
	uint32_t i;
	size_t part;
	int ret = 0;

	for (i = 0; !ret && size && i < l->num_pieces; begin += l->pieces[i++].size) {
		const struct adbgd_piece *p = &l->pieces[i];

		if (offset - begin >= p->size)
			continue;
		from = offset - begin;
		part = p->size - from < size ? p->size - from : size;
		ret = writes ? write_piece(p, from, bytes, part, c, writer, error) :
			       check_piece(p, error);
		offset += part;
		bytes += part;
		size -= part;
	}
	if (!ret && size)
		return adbgd_fail(error, -ERANGE, "a part of it is not known");
	return ret;
}

ADBGD_API int adbgd_location_write(const struct adbgd_location *location, uint64_t offset,
				   const void *bytes, size_t size,
				   const struct adbgd_context *context,
				   const struct adbgd_writer *writer, struct adbgd_error *error)
{
	int ret = each_piece(location, offset, bytes, size, context, writer, false, error);

	return ret ? ret : each_piece(location, offset, bytes, size, context, writer, true, error);
}

/* -------------------------------------------------------------------- assignments */

static int write_name(struct adbgd_eval *e, const struct adbgd_name *name, const uint8_t *bytes,
		      const struct adbgd_writer *writer)
{
	if (name->space != AMDGPUDBG_REG_SGPR && name->space != AMDGPUDBG_REG_VGPR &&
	    name->space != ADBGD_REG_EXEC && name->space != ADBGD_REG_M0)
		return adbgd_fail(e->error, -EINVAL, "this pseudo variable cannot be changed; $v0, "
				  "$s0, $vcc, $exec, $m0 and similar registers can");
	return write_registers(e->context, writer, name->space, name->number, 0, bytes, name->size,
			       e->error);
}

static int store(struct adbgd_eval *e, const struct adbgd_storage *at, const void *bytes,
		 size_t size, const struct adbgd_writer *writer)
{
	switch (at->kind) {
	case ADBGD_STORED_MEMORY:
		return write_memory(e->context, writer, at->space, at->address, bytes, size,
				    e->error);
	case ADBGD_STORED_PIECES:
		return adbgd_location_write(at->location, at->offset, bytes, size, e->context,
					    writer, e->error);
	case ADBGD_STORED_REGISTER:
		return write_name(e, &at->name, bytes, writer);
	default:
		return adbgd_fail(e->error, -EINVAL, "the left side of = is a value and cannot be "
				  "changed: it must be a variable, a member, an element, or a "
				  "register");
	}
}

/* The bits around a bit field stay as they were read. */
static int store_bits(struct adbgd_eval *e, const struct adbgd_storage *at,
		      const struct adbgd_number *n, const struct adbgd_writer *writer)
{
	uint64_t mask = (at->bit_size == 64 ? 0 : 1ULL << at->bit_size) - 1, bits;
	int ret = convert(e, at->type, at->bit_size, n, &bits);

	if (ret)
		return ret;
	bits = (at->bytes & ~(mask << at->bit_offset)) | (bits & mask) << at->bit_offset;
	return store(e, at, &bits, (at->bit_offset + at->bit_size + 7) / 8, writer);
}

static bool is_number(const struct adbgd_type *type)
{
	const uint8_t none[8] = { 0 };
	struct adbgd_number n;

	return adbgd_number_read(type, none, 0, 0, &n);
}

static int copy(struct adbgd_eval *e, const struct adbgd_term *to, struct adbgd_term *from,
		const struct adbgd_writer *writer)
{
	int ret;

	if (to->type != from->type &&
	    (to->type->kind != from->type->kind || to->type->size != from->type->size ||
	     strcmp(to->type->name, from->type->name)))
		return adbgd_fail(e->error, -EINVAL, "a value of type %.200s cannot be assigned to "
				  "%.200s", from->type->name, to->type->name);
	if (!to->type->size)
		return adbgd_fail(e->error, -EINVAL, "the size of %.200s is not known",
				  to->type->name);
	ret = adbgd_term_load(e, from);
	if (ret)
		return ret;
	if (memchr(from->value->known + from->offset, 0, from->type->size))
		return adbgd_fail(e->error, -ENODATA, "a part of the value was optimized out at "
				  "this instruction");
	return store(e, &to->at, from->value->bytes + from->offset, to->type->size, writer);
}

static int assign(struct adbgd_eval *e, const struct adbgd_term *to, struct adbgd_term *from,
		  const struct adbgd_writer *writer)
{
	struct adbgd_number n;
	uint64_t bits;
	int ret;

	if (to->at.is_kept)
		return adbgd_fail(e->error, -EINVAL, "a value that was kept cannot be changed, "
				  "only what its pointers point to");
	if (!to->at.bit_size && !is_number(to->type))
		return copy(e, to, from, writer);
	ret = adbgd_term_read_number(e, from, &n);
	if (ret)
		return ret;
	if (to->at.bit_size)
		return store_bits(e, &to->at, &n, writer);
	ret = convert(e, to->type, 0, &n, &bits);
	return ret ? ret : store(e, &to->at, &bits, to->type->size, writer);
}

static int fail_operator(struct adbgd_eval *e)
{
	size_t length = strspn(e->at, "+-*/%&|^<>");

	if (length && e->at[length] == '=')
		return adbgd_eval_fail(e, "only = assigns, not operators such as +=: an operator");
	return adbgd_eval_fail(e, "'=' is expected");
}

ADBGD_API int adbgd_value_assign(struct adbgd_variables *variables, const char *assignment,
				 const struct adbgd_context *context,
				 const struct adbgd_writer *writer, struct adbgd_error *error)
{
	struct adbgd_eval e = {
		.variables = variables, .context = context,
		.text = assignment, .at = assignment, .error = error,
	};
	struct adbgd_term to, from;
	int ret = adbgd_eval_unary(&e, &to);

	if (!ret && !adbgd_eval_take(&e, "="))
		ret = fail_operator(&e);
	if (!ret)
		ret = adbgd_eval_whole(&e, &from);
	if (!ret)
		ret = assign(&e, &to, &from, writer);
	adbgd_eval_free(&e);
	return ret;
}

ADBGD_API int adbgd_expression_find_assignment(const char *expression)
{
	const char *at = expression;

	while (*at) {
		size_t length = adbgd_eval_quoted_length(at);

		if (length || *at != '=') {
			at += length ? length : 1;
			continue;
		}
		if (at[1] == '=') {
			at += 2;
			continue;
		}
		/* A comparison, unless it is a shift */
		if (at == expression || !strchr("<>!", at[-1]) ||
		    (at - expression > 1 && at[-1] != '!' && at[-2] == at[-1]))
			return at - expression < INT_MAX ? (int)(at - expression) : -ENOENT;
		at++;
	}
	return -ENOENT;
}
