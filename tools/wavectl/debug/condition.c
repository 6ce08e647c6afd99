// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses conditions that the GPU decides: see condition.h. Their meaning is that of the library.
 */
#include "base/options.h"
#include "debug/condition.h"
#include "debug/focus.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "base/split.h"
#include "base/util.h"
#include "debug/code.h"
#include "waves/regs.h"

#define HINT \
	"such as: i > 3 && j == 2, s13 == 5, v3 < 42 lane 0-7, group 7,0,0, wave se0.sa0.wgp0.simd1.wave2, every 10, hit 1"

/* Relations as they are typed, besides those of the library */
enum typed_relation {
	TYPED_LESS_EQUAL = ADBGD_RELATION_GREATER_SIGNED + 1,
	TYPED_GREATER_EQUAL,
};

static const char *const typed_relations[] = {
	[ADBGD_RELATION_EQUAL] = "==",
	[ADBGD_RELATION_NOT_EQUAL] = "!=",
	[ADBGD_RELATION_LESS] = "<",
	[ADBGD_RELATION_LESS_SIGNED] = "s<",
	[ADBGD_RELATION_HAS_BITS] = "&",
	[ADBGD_RELATION_GREATER] = ">",
	[ADBGD_RELATION_GREATER_SIGNED] = "s>",
	[TYPED_LESS_EQUAL] = "<=",
	[TYPED_GREATER_EQUAL] = ">=",
};

const char *condition_relation(uint32_t relation)
{
	return typed_relations[relation];
}

struct parser {
	struct wavectl *w;
	char **words;
	int num;
	int next;
	struct adbgd_condition *c;
	const uint64_t *pc;		/* NULL: not at an address */
	struct condition_found *found;
};

static const struct adbgd_process_info *process_info(const struct wavectl *w)
{
	const struct debugger *d = w->shell->debugger;

	return adbgd_process_get_info(d->process);
}

/* ---------------------------------------------------------------------- words */

static void add_word(struct parser *p, const char *from, size_t length)
{
	p->words = xreallocarray(p->words, p->num + 1, sizeof(*p->words));
	p->words[p->num] = NULL;
	xappend(&p->words[p->num++], "%.*s", (int)length, from);
}

/* The length of an operator at the beginning of @text; 0: there is none */
static size_t operator_length(const struct parser *p, const char *text)
{
	static const char *const two[] = { "&&", "==", "!=", "<=", ">=" };
	uint32_t relation;

	for (size_t i = 0; i < ARRAY_SIZE(two); i++)
		if (!strncmp(text, two[i], 2))
			return 2;
	/* After an operand, s< is a relation. At other places s may be a variable. */
	if (*text == 's' && (text[1] == '<' || text[1] == '>') && p->num &&
	    !find_name(typed_relations, ARRAY_SIZE(typed_relations), p->words[p->num - 1],
		       &relation))
		return 2;
	return strchr("<>&", *text) ? 1 : 0;
}

/* Does a word end here? The > of -> is a part of it. */
static bool ends_word(const char *from, const char *at)
{
	if (!*at || *at == ' ')
		return true;
	return strchr("<>&=!", *at) && !(*at == '>' && at > from && at[-1] == '-');
}

/* Split at blanks and operators, so that "i>3&&j==2" has the words that it has with blanks. */
static void split_words(struct parser *p, const char *text)
{
	size_t length;

	while (*(text += strspn(text, " "))) {
		length = operator_length(p, text);
		while (!length || (!operator_length(p, text) && !ends_word(text, text + length)))
			length += split_quoted_length(text + length) ?: 1;
		add_word(p, text, length);
		text += length;
	}
}

/* --------------------------------------------------------------------- reading */

/* Get the next word. NULL, with a message: there is none. */
static const char *take(struct parser *p, const char *after)
{
	if (p->next < p->num)
		return p->words[p->next++];
	fail_with(p->w, WAVECTL_USAGE, HINT,
		  "a value is missing after '%s' in the condition", after);
	return NULL;
}

/* The condition is not one for the host, either. */
static struct wavectl *final(struct parser *p)
{
	p->found->is_final = true;
	return p->w;
}

static int is_wrong(struct parser *p, const char *word)
{
	return fail_with(p->w, WAVECTL_USAGE, HINT, "unexpected '%s' in the condition", word);
}

static int parse_wave(struct parser *p, const char *text)
{
	struct adbg_wave_spec spec;
	int status = parse_spec(p->w, text, &spec);

	if (status)
		return status;
	if (adbg_wave_spec_mode(&spec, &p->c->at) != AMDGPUDBG_WAVEMODE_SINGLE)
		return fail_with(p->w, WAVECTL_USAGE, HINT,
				 "'%s' does not name a single wave", text);
	p->c->flags |= ADBGD_CONDITION_WAVE;
	return WAVECTL_OK;
}

/* X, or X,Y, or X,Y,Z */
static int parse_group(struct parser *p, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *part;
	uint64_t value;
	int i = 0;

	while ((part = strsep(&rest, ",")) && i < 3 && parse_u64(part, UINT32_MAX, &value))
		p->c->group[i++] = (uint32_t)value;
	free(copy);
	p->c->flags |= ADBGD_CONDITION_GROUP;
	return part ? is_wrong(p, text) : WAVECTL_OK;
}

/* Restrict the condition to these lanes, in addition to what was said of lanes before. */
static int add_lanes(struct parser *p, uint64_t lanes, const char *name, const char *what)
{
	if (p->c->lanes)
		lanes &= p->c->lanes;
	if (!lanes)
		return fail_with(final(p), WAVECTL_USAGE, NULL,
				 "no lane fulfils '%s %s': lanes have the numbers 0 to %u", name,
				 what, LANES_MAX - 1);
	p->c->lanes = lanes;
	return WAVECTL_OK;
}

/* Ranges with commas between them, as in "0-2,5" */
static int parse_lane(struct parser *p, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *part;
	uint32_t first, last;
	uint64_t lanes = 0;

	while ((part = strsep(&rest, ",")) && parse_lanes(part, &first, &last))
		lanes |= (~0ULL >> (63 - (last - first))) << first;
	free(copy);
	return part ? is_wrong(p, text) : add_lanes(p, lanes, "lane", text);
}

static int parse_number(struct parser *p, const char *text, uint32_t *number)
{
	uint64_t value;

	if (!parse_u64(text, UINT32_MAX, &value) || !value)
		return is_wrong(p, text);
	*number = (uint32_t)value;
	return WAVECTL_OK;
}

/* A register or a variable that is compared */
struct operand {
	const char *name;
	uint32_t space;
	uint32_t reg;
	bool is_signed;
	bool is_float;
	bool is_register;		/* named as such: its type is that of the number */
	uint32_t high;			/* the second register, of a variable with 64 bits */
	bool has_high;
};

static bool parse_register(struct parser *p, const char *text, struct operand *o)
{
	struct amdgpudbg_reg_range range;

	o->is_register = true;
	if (!strcmp(text, "m0") || !strcmp(text, "scc")) {
		o->space = *text == 'm' ? ADBGD_REG_M0 : ADBGD_REG_SCC;
		return true;
	}
	if (!strcmp(text, "exec_lo") || !strcmp(text, "exec_hi")) {
		o->space = ADBGD_REG_EXEC;
		o->reg = !strcmp(text, "exec_hi");
		return true;
	}
	if (adbg_reg_parse(process_info(p->w)->gc_version, text, &range) || range.count != 1 ||
	    (range.space != AMDGPUDBG_REG_SGPR && range.space != AMDGPUDBG_REG_VGPR))
		return false;
	o->space = range.space;
	o->reg = range.first;
	return true;
}

/* Parse what follows the name of a register or a pseudo variable. */
static int parse_relation(struct parser *p, const char *name, uint32_t *relation, uint32_t *value)
{
	const char *word = take(p, name), *number;
	uint64_t v;

	if (!word)
		return WAVECTL_USAGE;
	if (!find_name(typed_relations, ARRAY_SIZE(typed_relations), word, relation))
		return is_wrong(p, word);
	number = take(p, word);
	if (!number)
		return WAVECTL_USAGE;
	if (!parse_u64(number, UINT32_MAX, &v))
		return is_wrong(p, number);
	*value = (uint32_t)v;
	return WAVECTL_OK;
}

/* ------------------------------------------------------------------ comparisons */

static int add_compare(struct parser *p, const struct operand *o, uint32_t relation, uint32_t value)
{
	struct adbgd_condition *c = p->c;
	int i = 0;

	if (!c->relation) {
		c->relation = relation;
		c->space = o->space;
		c->reg = o->reg;
		c->value = value;
		return WAVECTL_OK;
	}
	while (i < ADBGD_MAX_MORE && c->more[i].relation)
		i++;
	if (i == ADBGD_MAX_MORE)
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "the condition has too many comparisons: %d of integers, or half as many of floats, are possible",
				 ADBGD_MAX_MORE + 1);
	c->more[i] = (struct adbgd_comparison){
		.relation = relation, .space = o->space, .reg = o->reg, .value = value,
	};
	return WAVECTL_OK;
}

static int fail_always(struct parser *p, const struct operand *o, uint32_t relation,
		       const char *number)
{
	return fail_with(final(p), WAVECTL_USAGE, NULL, "'%s %s %s' is true for all values or for none",
			 o->name, typed_relations[relation], number);
}

/* <= and >= as < and > of the next number. */
static int compare_integer(struct parser *p, const struct operand *o, uint32_t relation,
			   int64_t value, const char *number)
{
	bool is_signed = o->is_signed || (o->is_register && value < 0);
	int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
	uint32_t typed = relation;

	if (relation == ADBGD_RELATION_LESS_SIGNED || relation == ADBGD_RELATION_GREATER_SIGNED)
		is_signed = true;
	if (value < INT32_MIN || value > UINT32_MAX ||
	    (value < 0 && *number != '-' && *number != '\''))
		return fail_with(final(p), WAVECTL_USAGE, NULL,
				 "'%s' has more than 32 bits", number);
	/* As C does if the variable is unsigned */
	if (!is_signed)
		value = (uint32_t)value;
	if (relation == TYPED_LESS_EQUAL || relation == TYPED_GREATER_EQUAL) {
		if (relation == TYPED_LESS_EQUAL ? value >= most : value <= least)
			return fail_always(p, o, typed, number);
		value += relation == TYPED_LESS_EQUAL ? 1 : -1;
		relation = relation == TYPED_LESS_EQUAL ? ADBGD_RELATION_LESS :
							  ADBGD_RELATION_GREATER;
	}
	if (is_signed && relation == ADBGD_RELATION_LESS)
		relation = ADBGD_RELATION_LESS_SIGNED;
	if (is_signed && relation == ADBGD_RELATION_GREATER)
		relation = ADBGD_RELATION_GREATER_SIGNED;
	/* A 32-bit pattern such as 0xffffffff equals a negative number, but is not ordered. */
	if (relation != ADBGD_RELATION_EQUAL && relation != ADBGD_RELATION_NOT_EQUAL &&
	    relation != ADBGD_RELATION_HAS_BITS && o->is_signed && (value < least || value > most))
		return fail_always(p, o, typed, number);
	return add_compare(p, o, relation, (uint32_t)value);
}

/* The first pattern after those of all numbers: NaNs have larger ones. */
#define NO_POSITIVE	0x7f800001
#define NO_NEGATIVE	0xff800001

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* The next float after @value */
static float next_float(float value, bool is_up)
{
	uint32_t bits = bits_of(value);
	float next;

	if (value == 0)
		bits = is_up ? 1 : (1U << 31) + 1;
	else
		bits += (value > 0) == is_up ? 1 : -1;
	memcpy(&next, &bits, sizeof(next));
	return next;
}

/*
 * Floats are compared as integers, which raises no exception in the program: the patterns of
 * positive numbers are ordered as signed integers, those of negative ones the other way round, and
 * two comparisons leave out the NaNs.
 */
static int float_less(struct parser *p, const struct operand *o, float value)
{
	int status = value > 0 ?
		     add_compare(p, o, ADBGD_RELATION_LESS_SIGNED, bits_of(value)) :
		     add_compare(p, o, ADBGD_RELATION_GREATER,
				 value < 0 ? bits_of(value) : 1U << 31);

	return status ? status : add_compare(p, o, ADBGD_RELATION_LESS, NO_NEGATIVE);
}

static int float_greater(struct parser *p, const struct operand *o, float value)
{
	int status = value < 0 ?
		     add_compare(p, o, ADBGD_RELATION_LESS, bits_of(value)) :
		     add_compare(p, o, ADBGD_RELATION_GREATER_SIGNED,
				 value > 0 ? bits_of(value) : 0);

	return status ? status : add_compare(p, o, ADBGD_RELATION_LESS_SIGNED, NO_POSITIVE);
}

/* 0 and -0 are equal. */
static int float_zero(struct parser *p, const struct operand *o, bool is_equal)
{
	int status;

	if (!is_equal)
		return add_compare(p, o, ADBGD_RELATION_HAS_BITS, INT32_MAX);
	status = add_compare(p, o, ADBGD_RELATION_LESS_SIGNED, 1);
	return status ? status : add_compare(p, o, ADBGD_RELATION_LESS, (1U << 31) + 1);
}

/*
 * A number that is not a float, such as 0.1, which C compares as a double: @value, the nearest
 * float, is on its other side than the next one.
 */
static int compare_double(struct parser *p, const struct operand *o, uint32_t relation,
			  double number, float value, const char *typed)
{
	bool is_above = (double)value > number;

	switch (relation) {
	case ADBGD_RELATION_LESS:
	case TYPED_LESS_EQUAL:
		return float_less(p, o, is_above ? value : next_float(value, true));
	case ADBGD_RELATION_GREATER:
	case TYPED_GREATER_EQUAL:
		return float_greater(p, o, is_above ? next_float(value, false) : value);
	default:
		return fail_with(final(p), WAVECTL_USAGE, "append f for the nearest float",
				 "no 32-bit float is exactly %s", typed);
	}
}

static int compare_float(struct parser *p, const struct operand *o, uint32_t relation,
			 double exact, const char *number)
{
	float value = (float)exact;

	if (!isfinite(value))
		return fail_with(final(p), WAVECTL_USAGE, NULL,
				 "'%s' is not a finite float", number);
	if ((double)value != exact && relation != ADBGD_RELATION_HAS_BITS)
		return compare_double(p, o, relation, exact, value, number);
	switch (relation) {
	case ADBGD_RELATION_EQUAL:
	case ADBGD_RELATION_NOT_EQUAL:
		return value == 0 ? float_zero(p, o, relation == ADBGD_RELATION_EQUAL) :
				    add_compare(p, o, relation, bits_of(value));
	case ADBGD_RELATION_LESS:
		return float_less(p, o, value);
	case ADBGD_RELATION_GREATER:
		return float_greater(p, o, value);
	case TYPED_LESS_EQUAL:
		return float_less(p, o, next_float(value, true));
	case TYPED_GREATER_EQUAL:
		return float_greater(p, o, next_float(value, false));
	default:
		return fail_with(p->w, WAVECTL_USAGE, NULL, "'%s' does not compare floats",
				 typed_relations[relation]);
	}
}

/* Both halves of a variable with 64 bits */
static int compare_long(struct parser *p, const struct operand *o, uint32_t relation,
			int64_t value)
{
	struct operand high = *o;
	int status;

	if (relation != ADBGD_RELATION_EQUAL)
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "'%s' has 64 bits: the GPU can compare it only by ==", o->name);
	high.reg = o->high;
	status = add_compare(p, o, relation, (uint32_t)value);
	return status ? status : add_compare(p, &high, relation, (uint64_t)value >> 32);
}

/* 'a', '\n' */
static bool is_character(const char *text, int64_t *value)
{
	const struct adbgd_context context = { .lanes = 64 };
	struct adbgd_value *character;
	int32_t number;

	if (*text != '\'' || adbgd_value_eval(NULL, text, &context, &character, NULL))
		return false;
	memcpy(&number, adbgd_value_get_bytes(character), sizeof(number));
	adbgd_value_free(character);
	*value = number;
	return true;
}

/* "5", "-5", "0x10"; the whole range of 64 bits */
static bool is_integer(const char *text, int64_t *value)
{
	uint64_t v;

	if (is_character(text, value))
		return true;
	if (*text == '-' && parse_u64(text + 1, INT64_MAX, &v)) {
		*value = -(int64_t)v;
		return true;
	}
	if (!parse_u64(text, UINT64_MAX, &v))
		return false;
	*value = (int64_t)v;
	return true;
}

/* "1.5", "-2e3"; "1.5f" and integers, which become floats */
static bool is_float(const char *text, double *value)
{
	const char *digits = text + (*text == '-');
	char *end;

	if (!isdigit((unsigned char)*digits) && *digits != '.')
		return false;
	*value = strtod(text, &end);
	if (*end == 'f' || !strpbrk(text, ".eEpP"))
		*value = strtof(text, &end);
	end += *end == 'f';
	return !*end;
}

/* "5u": where the operand is unsigned, or only bits are compared, 5 means the same. */
static bool is_unsigned(const struct operand *o, uint32_t relation, const char *text,
			int64_t *value)
{
	char *digits = xstrdup(text);
	size_t length = strlen(digits);
	bool is = length && tolower((unsigned char)digits[length - 1]) == 'u' && *digits != '-';

	if (is) {
		digits[length - 1] = '\0';
		is = is_integer(digits, value) && *value >= 0 && *value <= UINT32_MAX &&
		     !o->has_high && (!o->is_signed || relation == ADBGD_RELATION_EQUAL ||
				      relation == ADBGD_RELATION_NOT_EQUAL);
	}
	free(digits);
	return is;
}

static int compare_number(struct parser *p, const struct operand *o, uint32_t relation,
			  const char *number)
{
	int64_t integer;
	double value;

	if (o->is_float)
		return is_float(number, &value) ? compare_float(p, o, relation, value, number) :
						  is_wrong(p, number);
	if (is_integer(number, &integer) || is_unsigned(o, relation, number, &integer))
		return o->has_high ? compare_long(p, o, relation, integer) :
				     compare_integer(p, o, relation, integer, number);
	if (o->is_register && is_float(number, &value))
		return compare_float(p, o, relation, value, number);
	return is_wrong(p, number);
}

static int parse_compare_of(struct parser *p, const struct operand *o)
{
	const char *word = take(p, o->name), *number;
	uint32_t relation;

	if (!word)
		return WAVECTL_USAGE;
	if (!find_name(typed_relations, ARRAY_SIZE(typed_relations), word, &relation))
		return is_wrong(p, word);
	number = take(p, word);
	return number ? compare_number(p, o, relation, number) : WAVECTL_USAGE;
}

/* -------------------------------------------------------------------- variables */

static int no_register(void *data, uint32_t space, uint32_t number, uint32_t lane, uint32_t *value)
{
	(void)data;
	(void)space;
	(void)number;
	(void)lane;
	(void)value;
	return -ENODATA;
}

static int no_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		     size_t size)
{
	(void)data;
	(void)space;
	(void)lane;
	(void)address;
	(void)buffer;
	(void)size;
	return -ENODATA;
}

static const char *no_wave(void *data)
{
	(void)data;
	return "it depends on registers of the wave";
}

/* Set the registers of @o from the location of the variable. */
static int take_location(struct parser *p, const struct adbgd_location *l, uint32_t size,
			 struct operand *o)
{
	const struct adbgd_piece *first = &l->pieces[0], *last = &l->pieces[l->num_pieces - 1];
	char where[128];

	for (uint32_t i = 0; i < l->num_pieces; i++)
		if ((l->pieces[i].size != 4 && l->pieces[i].size != size) ||
		    l->pieces[i].where != ADBGD_PIECE_IN_REGISTER ||
		    l->pieces[i].space != first->space ||
		    (first->space != AMDGPUDBG_REG_SGPR && first->space != AMDGPUDBG_REG_VGPR))
			return fail_with(p->w, WAVECTL_USAGE, NULL,
					 "the GPU compares registers, but at 0x%016" PRIx64 " '%s' is in %s",
					 *p->pc, o->name, first->where == ADBGD_PIECE_HAS_VALUE ?
					 "no register: its value is known" :
					 adbgd_variable_location_text(l, where, sizeof(where)));
	o->space = first->space;
	o->reg = first->number;
	o->has_high = size == 8;
	o->high = l->num_pieces > 1 ? last->number : first->number + 1;
	return WAVECTL_OK;
}

static int take_type(struct parser *p, const struct adbgd_type *type, struct operand *o)
{
	switch (type ? type->kind : 0) {
	case ADBGD_TYPE_FLOAT:
		o->is_float = true;
		break;
	case ADBGD_TYPE_SIGNED:
	case ADBGD_TYPE_UNSIGNED:
	case ADBGD_TYPE_ENUM:
	case ADBGD_TYPE_POINTER:
		o->is_signed = type->flags & ADBGD_TYPE_IS_SIGNED;
		break;
	default:
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "a condition cannot compare '%s', which is a %s", o->name,
				 type && type->name ? type->name : "?");
	}
	if (type->size != 4 && (type->size != 8 || o->is_float))
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "a condition compares 32 bits, but '%s' has %u", o->name,
				 (unsigned int)type->size * 8);
	return WAVECTL_OK;
}

/* Code is compiled for one of the two wave sizes, and its locations are refused for the other. */
static int locate_in_any(struct adbgd_variables *variables, int i, struct adbgd_location *location,
			 struct adbgd_error *error)
{
	struct adbgd_context context = {
		.read_register = no_register, .read_memory = no_memory, .explain = no_wave,
		.lanes = 32,
	};
	int ret = adbgd_variable_locate(variables, i, &context, location, error);

	context.lanes = 64;
	return ret ? adbgd_variable_locate(variables, i, &context, location, error) : 0;
}

static int locate(struct parser *p, struct adbgd_variables *variables, int i, struct operand *o)
{
	const struct adbgd_type *type = adbgd_variables_get(variables, i)->type;
	struct adbgd_location location;
	struct adbgd_error error;
	int status = take_type(p, type, o);
	const char *reason;

	if (status)
		return status;
	if (locate_in_any(variables, i, &location, &error)) {
		/* The text begins with the name. */
		reason = strstr(error.text, ": ");
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "'%s' is in no register at 0x%016" PRIx64 ": %s", o->name, *p->pc,
				 reason ? reason + 2 : error.text);
	}
	return take_location(p, &location, type->size, o);
}

/* Find the variable in scope at the address of the breakpoint. */
static int parse_variable(struct parser *p, const char *name, struct operand *o)
{
	const struct debugger *d = p->w->shell->debugger;
	struct adbgd_code *code = p->pc ? code_at(d, *p->pc) : NULL;
	struct adbgd_variables *variables;
	int i, status;

	if (!code || adbgd_variables_new(code, *p->pc, &variables, NULL))
		return is_wrong(p, name);
	i = adbgd_variables_find(variables, name);
	p->found->names_variables |= i >= 0;
	status = i < 0 ? is_wrong(p, name) : locate(p, variables, i, o);
	adbgd_variables_free(variables);
	return status;
}

static int parse_compare(struct parser *p, const char *word)
{
	struct operand o = { .name = word };
	int status = WAVECTL_OK;

	if (!parse_register(p, word, &o)) {
		o.is_register = false;
		status = parse_variable(p, word, &o);
	}
	return status ? status : parse_compare_of(p, &o);
}

static bool holds(uint32_t relation, uint32_t a, uint32_t b)
{
	switch (relation) {
	case ADBGD_RELATION_EQUAL:
		return a == b;
	case ADBGD_RELATION_NOT_EQUAL:
		return a != b;
	case ADBGD_RELATION_LESS:
		return a < b;
	case ADBGD_RELATION_LESS_SIGNED:
		return (int32_t)a < (int32_t)b;
	case ADBGD_RELATION_GREATER:
		return a > b;
	case ADBGD_RELATION_GREATER_SIGNED:
		return (int32_t)a > (int32_t)b;
	case TYPED_LESS_EQUAL:
		return a <= b;
	case TYPED_GREATER_EQUAL:
		return a >= b;
	default:
		return a & b;
	}
}

/* The lanes for which the comparison is true, like "lane RANGE" */
static int parse_lane_number(struct parser *p)
{
	uint64_t lanes = 0;
	uint32_t relation, value;
	char text[32];
	int status = parse_relation(p, "$lane", &relation, &value);

	if (status)
		return status;
	for (uint32_t lane = 0; lane < LANES_MAX; lane++)
		if (holds(relation, lane, value))
			lanes |= 1ULL << lane;
	snprintf(text, sizeof(text), "%s %u", typed_relations[relation], value);
	return add_lanes(p, lanes, "$lane", text);
}

/* The wave of this number, like "wave WAVE" */
static int parse_wave_number(struct parser *p)
{
	const struct debugger *d = p->w->shell->debugger;
	uint32_t relation, value;
	int status = parse_relation(p, "$wave", &relation, &value);

	if (status)
		return status;
	if (relation != ADBGD_RELATION_EQUAL)
		return fail_with(p->w, WAVECTL_USAGE, "$wave == NUMBER",
				 "the GPU can compare $wave only by ==, not by %s",
				 typed_relations[relation]);
	if (adbgd_wave_find_number(d->process, value, &p->c->at))
		return fail_with(final(p), WAVECTL_USAGE, "\"print $wave\" prints that of the selected wave",
				 "the GPU has no wave slot number %u", value);
	p->c->flags |= ADBGD_CONDITION_WAVE;
	return WAVECTL_OK;
}

/* Parse a comparison of a pseudo variable, or of a register in the syntax of "print". */
static int parse_pseudo(struct parser *p, const char *word)
{
	struct operand o = { .name = word };

	if (!strcmp(word, "$lane"))
		return parse_lane_number(p);
	if (!strcmp(word, "$wave"))
		return parse_wave_number(p);
	if (!strcmp(word, "$pc"))
		return fail_with(p->w, WAVECTL_USAGE, "set the breakpoint at that address instead",
				 "conditions compare 32-bit registers, and $pc has 64 bits");
	if (!strcmp(word, "$exec") || !strcmp(word, "$vcc"))
		return fail_with(p->w, WAVECTL_USAGE, NULL,
				 "conditions compare 32-bit registers: use %s_lo or %s_hi", word,
				 word);
	if (!parse_register(p, word + 1, &o))
		return fail_with(p->w, WAVECTL_USAGE,
				 "conditions know $scc, $m0, $lane, $wave, $exec_lo, $exec_hi, $vcc_lo, $vcc_hi, $v0 to $v255, $s0 to $s105",
				 "there is no register or pseudo variable '%s'", word);
	return parse_compare_of(p, &o);
}

static int parse_part(struct parser *p, const char *word)
{
	static const char *const names[] = { "wave", "group", "lane", "every", "hit" };
	const char *argument;
	uint32_t which;

	if (*word == '$')
		return parse_pseudo(p, word);
	if (!find_name(names, ARRAY_SIZE(names), word, &which))
		return parse_compare(p, word);
	argument = take(p, word);
	if (!argument)
		return WAVECTL_USAGE;
	switch (which) {
	case 0:
		return parse_wave(p, argument);
	case 1:
		return parse_group(p, argument);
	case 2:
		return parse_lane(p, argument);
	case 3:
		return parse_number(p, argument, &p->c->every);
	default:
		return parse_number(p, argument, &p->c->nth);
	}
}

/* Between two parts, "and" and "&&" mean the same, and nothing else does. */
static void skip_and(struct parser *p)
{
	if (p->next + 1 < p->num && (!strcmp(p->words[p->next], "and") ||
				     !strcmp(p->words[p->next], "&&")))
		p->next++;
}

int condition_parse_gpu(struct wavectl *w, const char *text, const uint64_t *pc,
			struct adbgd_condition *c, struct condition_found *found)
{
	struct parser p = { .w = w, .c = c, .pc = pc, .found = found };
	int status = WAVECTL_OK;

	*c = (struct adbgd_condition){ .relation = ADBGD_RELATION_NONE };
	*found = (struct condition_found){ .is_final = false };
	split_words(&p, text);
	do {
		const char *word = take(&p, "if");

		status = word ? parse_part(&p, word) : WAVECTL_USAGE;
		if (!status)
			skip_and(&p);
	} while (!status && p.next < p.num);
	/* What follows may be another operand. */
	found->is_final &= p.next == p.num;
	for (int i = 0; i < p.num; i++)
		free(p.words[i]);
	free(p.words);
	return status;
}
