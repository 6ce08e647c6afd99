// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Location expressions. The values on the stack are read as late as possible, so that a variable
 * can be located without reading it.
 *
 * LLVM's upstream compiler (19.1) writes expressions for AMD GPUs that DWARF defines differently.
 * For a variable in an address space it appends DW_OP_constu N, DW_OP_swap, DW_OP_xderef to the
 * address, and means the memory there, not an address that is stored there. Each variable of a
 * function is in private memory at first, and this stays in the expression when optimization has
 * moved the variable into a register ("DW_OP_bregx REG 0, lit1, swap, xderef"), or has found its
 * value (the same, followed by DW_OP_stack_value). Therefore:
 *
 *	- if DW_OP_stack_value follows, the address is the variable's value;
 *	- if the address is just a register, and the variable fits into it, the variable is in
 *	  this register;
 *	- if the address is just a register, and the variable is larger but one value to the
 *	  compiler (a number, pointer or vector, see adbgd_expr.is_one_value), the lowest bytes of
 *	  the variable are in this register. Usually the compiler describes each register of such
 *	  a variable (DW_OP_piece), but it loses the upper ones when it joins the copies of an
 *	  argument. They are the following ones while the argument is where the caller has left it:
 *	  "DW_OP_bregx v0" is v[0:1] for the first argument, a pointer of 8 bytes. They may be any
 *	  registers when it was moved; then only the lowest bytes are known;
 *	- everything else is in memory of the address space, for example a large structure whose
 *	  address is in a register because the caller has to receive it there.
 *
 * It does this for the address spaces of the language, that is, for OpenCL C. In HIP, variables
 * have none, and the address alone is given ("DW_OP_fbreg 8"). It is in private memory, too, if it
 * is in a frame or fits into one register: addresses of other memory have 64 bits.
 *
 * The suite wavectl-code compares the values with those of compiled kernels.
 */
#include "expr.h"

#include <string.h>

#include "code_object.h"
#include "dwarf_reg.h"
#include "expr_name.h"
#include "lds.h"
#include "scope.h"

#define STACK_MAX	64
#define STEPS_MAX	10000

/* The operation is not one of this function. Errors are negative. */
#define NOT_MINE	1

enum value_kind {
	NUMBER,
	FILE_ADDRESS,	/* a number that is an address in the file */
	REGISTER,	/* content of a register, not read yet */
	MEMORY,		/* result of the compiler's xderef idiom; see above */
};

struct value {
	enum value_kind kind;
	uint64_t number;	/* also for FILE_ADDRESS, and for MEMORY unless @is_register */
	uint32_t space, index, count;	/* of REGISTER, or of the address of MEMORY */
	uint32_t memory;	/* address space of MEMORY */
	bool is_register;
	bool is_file_address;
};

struct machine {
	const struct adbgd_expr *e;
	struct adbgd_location *location;
	struct adbgd_error *error;
	struct value stack[STACK_MAX];
	unsigned int depth;
	struct value in_register;	/* register of DW_OP_reg */
	bool is_register;
	bool is_value;			/* after DW_OP_stack_value */
	bool has_address;		/* the stack may have an address in a frame or register */
	bool is_private;		/* that address is one of private memory */
	const uint8_t *block;		/* of DW_OP_implicit_value */
	uint64_t block_size;
};

static int bad(struct machine *m, const char *what)
{
	return adbgd_fail(m->error, -EBADMSG, "its location is damaged: %s", what);
}

static int push(struct machine *m, enum value_kind kind, uint64_t number)
{
	struct value *v;

	if (m->depth >= STACK_MAX)
		return bad(m, "the stack is full");
	v = &m->stack[m->depth++];
	memset(v, 0, sizeof(*v));
	v->kind = kind;
	v->number = number;
	return 0;
}

static int read_registers(struct machine *m, const struct value *v, uint64_t *number)
{
	const struct adbgd_context *c = m->e->context;
	uint32_t i, part;
	int ret;

	*number = 0;
	if (!c || !c->read_register)
		return adbgd_fail(m->error, -EINVAL, "its location depends on registers, which are "
				  "not available");
	for (i = 0; i < v->count; i++) {
		ret = c->read_register(c->data, v->space, v->index + i, c->lane, &part);
		if (ret)
			return adbgd_fail(m->error, ret, "a register that its location depends on "
					  "cannot be read: %s", adbgd_context_reason(c, ret));
		*number |= (uint64_t)part << 32 * i;
	}
	return 0;
}

static int read_memory(struct machine *m, uint32_t space, uint64_t address,
		       uint32_t size, uint64_t *number)
{
	const struct adbgd_context *c = m->e->context;
	int ret;

	*number = 0;
	if (!size || size > sizeof(*number))
		return bad(m, "an address of an odd size");
	if (!c || !c->read_memory)
		return adbgd_fail(m->error, -EINVAL, "its location depends on memory, which is not "
				  "available");
	ret = c->read_memory(c->data, space, c->lane, address, number, size);
	return !ret ? 0 : adbgd_fail(m->error, ret, "memory that its location depends on cannot be "
				     "read: %s", adbgd_context_reason(c, ret));
}

/* Get a value as a number, reading it if needed. */
static int number_of(struct machine *m, const struct value *v, uint64_t *number)
{
	uint64_t address = v->number;
	int ret;

	switch (v->kind) {
	case REGISTER:
		return read_registers(m, v, number);
	case FILE_ADDRESS:
		*number = v->number + m->e->dwarf->code->info.bias;
		return 0;
	case MEMORY:
		ret = v->is_register ? read_registers(m, v, &address) : 0;
		return ret ? ret : read_memory(m, v->memory, address, 4, number);
	default:
		*number = v->number;
		return 0;
	}
}

static int pop(struct machine *m, uint64_t *number)
{
	if (!m->depth)
		return bad(m, "the stack is empty");
	return number_of(m, &m->stack[--m->depth], number);
}

static int push_register(struct machine *m, uint64_t dwarf_number, int64_t offset)
{
	uint32_t lanes = m->e->context ? m->e->context->lanes : 0;
	struct value v = { .kind = REGISTER };
	uint64_t number;
	int ret;

	ret = adbgd_dwarf_reg(dwarf_number, lanes, &v.space, &v.index, &v.count, m->error);
	if (!ret && offset) {
		m->has_address = true;
		m->is_private = v.count == 1;
		ret = read_registers(m, &v, &number);
		return ret ? ret : push(m, NUMBER, number + offset);
	}
	if (!ret)
		ret = push(m, REGISTER, 0);
	if (!ret)
		m->stack[m->depth - 1] = v;
	return ret;
}

/*
 * In the prologue, and after the beginning of the epilogue, the register is that of another
 * function.
 */
static int check_frame(struct machine *m)
{
	struct adbgd_dwarf *d = m->e->dwarf;
	const struct adbgd_row *row;
	struct adbgd_unit *unit;
	uint32_t number;

	/* Only the line table tells where prologue and epilogue are. */
	if (adbgd_dwarf_rows(d, NULL) ||
	    adbgd_dwarf_find(d, adbgd_dwarf_offset(d, m->e->function), &unit, &number, NULL))
		return 0;
	row = adbgd_scope_row(d, unit, number);
	if (row && row->flags & ADBGD_LINE_PROLOGUE_END && m->e->pc < row->address &&
	    m->e->pc >= adbgd_scope_entry(d, unit, number))
		return adbgd_fail(m->error, -ENODATA,
				  "its function has not set up its stack frame yet at this "
				  "instruction");
	row = adbgd_dwarf_row(d, m->e->pc);
	if (row && row->flags & ADBGD_ROW_EPILOGUE && m->e->pc > row->address)
		return adbgd_fail(m->error, -ENODATA,
				  "its function has already released its stack frame at this "
				  "instruction");
	return 0;
}

/*
 * LLVM's frame base is a register with a stack pointer: an offset in the scratch memory of the
 * wave, which is that of a lane times the number of lanes, except with architected flat scratch.
 * A kernel that needs no stack pointer has no such register, and its frame is at 0
 * (SIRegisterInfo::getFrameRegister()).
 */
static int push_frame(struct machine *m, int64_t offset)
{
	const struct adbgd_context *c = m->e->context;
	struct value v = { .kind = REGISTER };
	struct adbgd_expr base = *m->e;
	Dwarf_Attribute attr;
	uint64_t number;
	Dwarf_Op *ops;
	size_t num;
	int ret;

	m->has_address = true;
	m->is_private = true;
	if (!m->e->function)
		return bad(m, "it is in a frame, and no function has one");
	if (!dwarf_attr_integrate(m->e->function, DW_AT_frame_base, &attr))
		return push(m, NUMBER, offset);
	base.attr = &attr;
	ret = adbgd_expr_find(&base, &ops, &num, m->error);
	if (!ret)
		ret = check_frame(m);
	if (ret)
		return ret;
	if (num != 1 || (ops->atom != DW_OP_regx &&
			 (ops->atom < DW_OP_reg0 || ops->atom > DW_OP_reg31)))
		return adbgd_fail(m->error, -EOPNOTSUPP,
				  "its function's frame is not in a register");
	number = ops->atom == DW_OP_regx ? ops->number :
		 (Dwarf_Word)(ops->atom - DW_OP_reg0);
	ret = adbgd_dwarf_reg(number, c ? c->lanes : 0, &v.space, &v.index, &v.count,
			      m->error);
	if (!ret)
		ret = read_registers(m, &v, &number);
	if (!ret && !m->e->dwarf->code->gpu->flat_scratch && c->lanes)
		number /= c->lanes;
	return ret ? ret : push(m, NUMBER, number + offset);
}

/* The address space of an address for which the compiler states none */
static uint32_t default_space(const struct machine *m, const struct value *address)
{
	bool is_private = address->kind == REGISTER ? address->count == 1 :
			  address->kind == NUMBER && m->is_private;

	return is_private ? ADBGD_SPACE_PRIVATE : ADBGD_SPACE_GLOBAL;
}

/* DW_OP_xderef of the compiler's idiom, see above */
static int xderef(struct machine *m)
{
	struct value address, *v;
	uint64_t space;
	int ret;

	if (m->depth < 2)
		return bad(m, "the stack is empty");
	address = m->stack[--m->depth];
	ret = pop(m, &space);
	if (!ret)
		ret = push(m, MEMORY, address.number);
	if (ret)
		return ret;
	v = &m->stack[m->depth - 1];
	v->memory = space;
	v->is_register = address.kind == REGISTER;
	v->is_file_address = address.kind == FILE_ADDRESS;
	v->space = address.space;
	v->index = address.index;
	v->count = address.count;
	/* If the address itself is in memory, read it. */
	return address.kind == MEMORY ? number_of(m, &address, &v->number) : 0;
}

static int deref(struct machine *m, uint32_t size)
{
	uint64_t address, number;
	struct value *top;
	uint32_t space;
	int ret;

	if (!m->depth)
		return bad(m, "the stack is empty");
	/* The compiler's idiom is followed by reading what is stored there. */
	top = &m->stack[m->depth - 1];
	if (top->kind == MEMORY) {
		ret = top->is_register ? read_registers(m, top, &address) : 0;
		if (!top->is_register)
			address = top->number;
		if (!ret)
			ret = read_memory(m, top->memory, address, size, &number);
		m->depth--;
		return ret ? ret : push(m, NUMBER, number);
	}
	space = default_space(m, top);
	ret = pop(m, &address);
	if (!ret)
		ret = read_memory(m, space, address, size, &number);
	m->is_private = space == ADBGD_SPACE_PRIVATE && size == 4;
	return ret ? ret : push(m, NUMBER, number);
}

/* Convert to an integer type, by extending its sign or clearing the bits above it. */
static int convert(struct machine *m, const Dwarf_Op *op)
{
	uint64_t number, encoding, size;
	Dwarf_Die type;
	int ret;

	/* 0 means the generic type, which is that of addresses. */
	if (!op->number)
		return 0;
	if (dwarf_getlocation_die(m->e->attr, op, &type))
		return bad(m, "a type");
	encoding = adbgd_dwarf_number(&type, DW_AT_encoding, 0);
	size = adbgd_dwarf_number(&type, DW_AT_byte_size, 0);
	if (encoding == DW_ATE_float || !size || size > 8)
		return adbgd_fail(m->error, -EOPNOTSUPP, "its location converts to a type that "
				  "is no integer, which is not supported");
	ret = pop(m, &number);
	if (ret)
		return ret;
	if (size < 8) {
		number <<= 64 - 8 * size;
		number = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ?
			 (uint64_t)((int64_t)number >> (64 - 8 * size)) :
			 number >> (64 - 8 * size);
	}
	return push(m, NUMBER, number);
}

static bool is_comparison(unsigned int op)
{
	return op >= DW_OP_eq && op <= DW_OP_ne;
}

static bool is_arithmetic(unsigned int op)
{
	return op >= DW_OP_and && op <= DW_OP_xor && op != DW_OP_abs && op != DW_OP_neg &&
	       op != DW_OP_not && op != DW_OP_plus_uconst;
}

static uint64_t compare(unsigned int op, int64_t a, int64_t b)
{
	switch (op) {
	case DW_OP_eq:
		return a == b;
	case DW_OP_ge:
		return a >= b;
	case DW_OP_gt:
		return a > b;
	case DW_OP_le:
		return a <= b;
	case DW_OP_lt:
		return a < b;
	default:
		return a != b;
	}
}

/* The caller has excluded divisions that C does not define. */
static uint64_t calculate(unsigned int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case DW_OP_and:
		return a & b;
	case DW_OP_div:
		return (int64_t)a / (int64_t)b;
	case DW_OP_minus:
		return a - b;
	case DW_OP_mod:
		return a % b;
	case DW_OP_mul:
		return a * b;
	case DW_OP_or:
		return a | b;
	case DW_OP_plus:
		return a + b;
	case DW_OP_shl:
		return b < 64 ? a << b : 0;
	case DW_OP_shr:
		return b < 64 ? a >> b : 0;
	case DW_OP_shra:
		return (int64_t)a >> (b < 64 ? b : 63);
	default:
		return a ^ b;
	}
}

/* Execute an operation on the two topmost values; or return NOT_MINE. */
static int binary(struct machine *m, unsigned int op)
{
	uint64_t a, b;
	int ret;

	if (!is_arithmetic(op) && !is_comparison(op))
		return NOT_MINE;
	ret = pop(m, &b);
	if (!ret)
		ret = pop(m, &a);
	if (ret)
		return ret;
	if ((op == DW_OP_div || op == DW_OP_mod) && !b)
		return bad(m, "a division by 0");
	/* INT64_MIN / -1 overflows. */
	if (op == DW_OP_div && b == -1ULL)
		return push(m, NUMBER, -a);
	return push(m, NUMBER, is_comparison(op) ? compare(op, a, b) : calculate(op, a, b));
}

static int unary(struct machine *m, const Dwarf_Op *op)
{
	uint64_t a;
	int ret;

	if (op->atom != DW_OP_abs && op->atom != DW_OP_neg && op->atom != DW_OP_not &&
	    op->atom != DW_OP_plus_uconst)
		return NOT_MINE;
	ret = pop(m, &a);
	if (ret)
		return ret;
	switch (op->atom) {
	case DW_OP_abs:
		a = (int64_t)a < 0 ? -a : a;
		break;
	case DW_OP_neg:
		a = -a;
		break;
	case DW_OP_not:
		a = ~a;
		break;
	default:
		a += op->number;
		break;
	}
	return push(m, NUMBER, a);
}

/* Execute an operation that moves values on the stack; or return NOT_MINE. */
static int shuffle(struct machine *m, const Dwarf_Op *op)
{
	uint64_t pick = op->atom == DW_OP_over ? 1 : op->atom == DW_OP_dup ? 0 : op->number;
	struct value *top = &m->stack[m->depth], v;

	switch (op->atom) {
	case DW_OP_dup:
	case DW_OP_over:
	case DW_OP_pick:
		if (pick >= m->depth)
			return bad(m, "the stack is empty");
		v = top[-1 - (int)pick];
		if (push(m, NUMBER, 0))
			return -EBADMSG;
		m->stack[m->depth - 1] = v;
		return 0;
	case DW_OP_drop:
		if (!m->depth)
			return bad(m, "the stack is empty");
		m->depth--;
		return 0;
	case DW_OP_swap:
	case DW_OP_rot:
		if (m->depth < (op->atom == DW_OP_swap ? 2 : 3))
			return bad(m, "the stack is empty");
		v = top[-1];
		top[-1] = top[-2];
		top[-2] = v;
		if (op->atom == DW_OP_rot) {
			v = top[-2];
			top[-2] = top[-3];
			top[-3] = v;
		}
		return 0;
	default:
		return NOT_MINE;
	}
}

/* Push a number that is in the expression or in a table; or return NOT_MINE. */
static int constant(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Addr address;

	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(m, NUMBER, op->atom - DW_OP_lit0);
	switch (op->atom) {
	case DW_OP_addr:
		return push(m, FILE_ADDRESS, op->number);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push(m, NUMBER, op->number);
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(m->e->attr, op, &attr) ||
		    dwarf_formaddr(&attr, &address))
			return bad(m, "an index of addresses");
		return push(m, op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index ?
			    FILE_ADDRESS : NUMBER, address);
	default:
		return NOT_MINE;
	}
}

/* Execute an operation on registers or memory; or return NOT_MINE. */
static int access(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Block block;
	int ret;

	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(m, op->atom - DW_OP_breg0, op->number);
	if ((op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) || op->atom == DW_OP_regx) {
		ret = push_register(m, op->atom == DW_OP_regx ? op->number :
				    (Dwarf_Word)(op->atom - DW_OP_reg0), 0);
		if (ret)
			return ret;
		m->in_register = m->stack[--m->depth];
		m->is_register = true;
		return 0;
	}
	switch (op->atom) {
	case DW_OP_bregx:
		return push_register(m, op->number, op->number2);
	case DW_OP_fbreg:
		return push_frame(m, op->number);
	case DW_OP_xderef:
		return xderef(m);
	case DW_OP_deref:
		return deref(m, 8);
	case DW_OP_deref_size:
		return deref(m, op->number);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
		return convert(m, op);
	case DW_OP_stack_value:
		m->is_value = true;
		return 0;
	case DW_OP_implicit_value:
		if (dwarf_getlocation_implicit_value(m->e->attr, op, &block))
			return bad(m, "a value");
		m->block = block.data;
		m->block_size = block.length;
		return 0;
	default:
		return NOT_MINE;
	}
}

/* Variables in LDS have address 0 in the debug information; this is seldom right. */
static int check_local(struct machine *m, const struct value *v)
{
	if (v->memory != ADBGD_SPACE_LOCAL || !v->is_file_address || v->number)
		return 0;
	return adbgd_lds_check(m->e, m->error);
}

/*
 * DW_OP_stack_value came with DWARF 4. Before, LLVM leaves it out, and a private address that is a
 * constant, or computed from other values than a frame's address, is the value itself.
 */
static bool lacks_stack_value(const struct machine *m, const struct value *top)
{
	Dwarf_Half version;
	Dwarf_Die unit;

	return top->kind == MEMORY && top->memory == ADBGD_SPACE_PRIVATE && !top->is_register &&
	       !top->is_file_address && !m->has_address && !m->is_register &&
	       dwarf_cu_die(m->e->attr->cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) &&
	       version < 4;
}

/* Is this only the lowest part of a value, whose other parts the compiler has lost? */
static bool is_low_part(const struct machine *m, const struct value *top, uint64_t size)
{
	return top->kind == MEMORY && top->is_register && m->e->is_one_value &&
	       size > 4ULL * top->count;
}

/* Describe the location of a piece by the stack, or by what replaces it. */
static int piece_of(struct machine *m, uint64_t size, struct adbgd_piece *p)
{
	const struct value *top = &m->in_register;
	int ret;

	memset(p, 0, sizeof(*p));
	p->size = size;
	if (m->block) {
		p->where = ADBGD_PIECE_HAS_VALUE;
		p->bytes = m->block;
		p->size = size < m->block_size ? size : m->block_size;
		return 0;
	}
	if (!m->is_register && !m->depth) {
		p->where = ADBGD_PIECE_OPTIMIZED_OUT;
		return 0;
	}
	if (!m->is_register)
		top = &m->stack[m->depth - 1];
	if ((m->is_value || lacks_stack_value(m, top)) && !is_low_part(m, top, size)) {
		p->where = ADBGD_PIECE_HAS_VALUE;
		p->size = size < 8 ? size : 8;
		/* The value is what would otherwise have been the address. */
		if (top->kind == MEMORY && top->is_register)
			return read_registers(m, top, &p->address);
		if (top->kind != MEMORY)
			return number_of(m, top, &p->address);
		p->address = top->number;
		return 0;
	}
	if (m->is_register || is_low_part(m, top, size) ||
	    (top->kind == MEMORY && top->is_register && size <= 4ULL * top->count)) {
		p->where = ADBGD_PIECE_IN_REGISTER;
		if (!m->is_register && is_low_part(m, top, size) &&
		    (top->space != AMDGPUDBG_REG_VGPR || top->index != m->e->argument))
			p->size = 4 * top->count;
		p->space = top->space;
		p->number = top->index;
		return 0;
	}
	p->where = ADBGD_PIECE_IN_MEMORY;
	if (top->kind != MEMORY) {
		p->space = default_space(m, top);
		return number_of(m, top, &p->address);
	}
	p->space = top->memory;
	p->address = top->number;
	ret = check_local(m, top);
	if (!ret && top->is_register)
		ret = read_registers(m, top, &p->address);
	return ret;
}

static int end_piece(struct machine *m, uint64_t size)
{
	struct adbgd_location *l = m->location;
	struct adbgd_piece *p;
	int ret;

	if (l->num_pieces >= ADBGD_PIECES_MAX)
		return adbgd_fail(m->error, -E2BIG, "it is in more than %u pieces",
				  ADBGD_PIECES_MAX);
	if (size > UINT32_MAX)
		return bad(m, "a piece that is too large");
	ret = piece_of(m, size, &l->pieces[l->num_pieces]);
	if (ret)
		return ret;
	p = &l->pieces[l->num_pieces++];
	if (p->where == ADBGD_PIECE_IN_REGISTER && p->size < size &&
	    l->num_pieces < ADBGD_PIECES_MAX) {
		memset(&p[1], 0, sizeof(p[1]));
		p[1].where = ADBGD_PIECE_OPTIMIZED_OUT;
		p[1].size = size - p->size;
		l->num_pieces++;
	}
	m->depth = 0;
	m->is_register = false;
	m->is_value = false;
	m->has_address = false;
	m->is_private = false;
	m->block = NULL;
	return 0;
}

static int unsupported(struct machine *m, unsigned int op)
{
	const char *name = adbgd_expr_name(op);

	if (name)
		return adbgd_fail(m->error, -EOPNOTSUPP, "its location uses %s, which is not "
				  "supported", name);
	return adbgd_fail(m->error, -EOPNOTSUPP, "its location uses DWARF operation %#x, which "
			  "is not supported", op);
}

/* Execute DW_OP_skip or DW_OP_bra: find the operation at the target offset. */
static int jump(struct machine *m, const Dwarf_Op *ops, size_t num, size_t *at)
{
	/* The offset counts from the end of the operation, which has 3 bytes. */
	uint64_t to = ops[*at].offset + 3 + (int16_t)ops[*at].number, taken = 1;
	size_t i;
	int ret = 0;

	if (ops[*at].atom == DW_OP_bra)
		ret = pop(m, &taken);
	if (ret || !taken)
		return ret;
	ret = adbgd_dwarf_spend(m->e->dwarf, ADBGD_COST_STEPS, num, m->error);
	if (ret)
		return ret;
	for (i = 0; i < num && ops[i].offset != to; i++)
		;
	if (i == num && num && to <= ops[num - 1].offset)
		return bad(m, "it leads to the middle of an operation");
	*at = i - 1;
	return 0;
}

static int execute(struct machine *m, const Dwarf_Op *op)
{
	int ret;

	ret = constant(m, op);
	ret = ret != NOT_MINE ? ret : access(m, op);
	ret = ret != NOT_MINE ? ret : shuffle(m, op);
	ret = ret != NOT_MINE ? ret : unary(m, op);
	ret = ret != NOT_MINE ? ret : binary(m, op->atom);
	if (ret != NOT_MINE)
		return ret;
	if (op->atom == DW_OP_nop)
		return 0;
	if (op->atom == DW_OP_piece)
		return end_piece(m, op->number);
	if (op->atom == DW_OP_implicit_pointer || op->atom == DW_OP_GNU_implicit_pointer)
		return adbgd_fail(m->error, -ENODATA,
				  "what it points to was optimized out");
	return unsupported(m, op->atom);
}

int adbgd_expr_locate(const struct adbgd_expr *e, const Dwarf_Op *ops, size_t num,
		      struct adbgd_location *location, struct adbgd_error *error)
{
	struct machine *m = calloc(1, sizeof(*m));
	unsigned int steps;
	size_t at;
	int ret = 0;

	if (!m)
		return adbgd_no_memory(error, "a location");
	m->e = e;
	m->location = location;
	m->error = error;
	memset(location, 0, sizeof(*location));
	for (at = 0, steps = 0; !ret && at < num; at++) {
		if (++steps > STEPS_MAX)
			ret = bad(m, "it has no end");
		else
			ret = adbgd_dwarf_spend(e->dwarf, ADBGD_COST_STEPS, 1, error);
		if (ret)
			break;
		if (ops[at].atom == DW_OP_skip || ops[at].atom == DW_OP_bra)
			ret = jump(m, ops, num, &at);
		else
			ret = execute(m, &ops[at]);
	}
	/* Without pieces, the location is that of the whole variable, whatever its claimed size. */
	if (!ret && !location->num_pieces)
		ret = end_piece(m, e->size < UINT32_MAX ? e->size : UINT32_MAX);
	free(m);
	return ret;
}
