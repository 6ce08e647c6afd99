// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See dwarf_form.h. DWARF 2, 3 and 4, 5.5.6 and 7.5; DWARF 5, 5.7.6 and 7.5.5.
 */
#include "dwarf_form.h"

#include <errno.h>
#include <string.h>

#include "cursor.h"
#include "internal.h"

/* Get a number of a fixed size. libdw would always extend the sign. */
static int fixed(Dwarf_Attribute *attr, unsigned int size, bool is_signed,
		 struct adbgd_constant *constant)
{
	constant->number = 0;
	/* Reading the attribute has checked that it is within the section. */
	memcpy(&constant->number, attr->valp, size);
	if (is_signed)
		constant->number = adbgd_sign_extend(constant->number, 8 * size);
	return 0;
}

int adbgd_form_constant(Dwarf_Attribute *attr, bool is_signed, struct adbgd_constant *constant)
{
	Dwarf_Sword number;
	Dwarf_Block block;
	Dwarf_Addr address;
	const char *text;

	*constant = (struct adbgd_constant){ .size = 8 };
	switch (attr->form) {
	case DW_FORM_data1:
		return fixed(attr, 1, is_signed, constant);
	case DW_FORM_data2:
		return fixed(attr, 2, is_signed, constant);
	case DW_FORM_data4:
		return fixed(attr, 4, is_signed, constant);
	case DW_FORM_data8:
		return fixed(attr, 8, is_signed, constant);
	case DW_FORM_addr:
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		if (dwarf_formaddr(attr, &address))
			return -EBADMSG;
		constant->number = address;
		return 0;
	default:
		break;
	}
	/* This includes DW_FORM_data16. */
	if (!dwarf_formblock(attr, &block)) {
		constant->bytes = block.data;
		constant->size = block.length;
		return 0;
	}
	text = dwarf_formstring(attr);
	if (text) {
		constant->bytes = (const uint8_t *)text;
		constant->size = strlen(text) + 1;
		return 0;
	}
	if (dwarf_formsdata(attr, &number))
		return -EBADMSG;
	constant->number = number;
	return 0;
}

/* Evaluate the location of a member in DWARF 2, which begins with the object's address. */
static bool added(const Dwarf_Block *block, uint64_t *bytes)
{
	const struct adbgd_section section = { .bytes = block->data, .size = block->length };
	struct adbgd_cursor c;
	unsigned int op;

	*bytes = 0;
	/* Without any operation, it is the object's address itself. */
	if (!adbgd_cursor_begin(&c, &section, 0))
		return true;
	op = adbgd_cursor_number(&c, 1);
	if (op == DW_OP_plus_uconst || op == DW_OP_constu)
		*bytes = adbgd_cursor_uleb(&c);
	else if (op == DW_OP_const1u || op == DW_OP_const2u || op == DW_OP_const4u)
		*bytes = adbgd_cursor_number(&c, op == DW_OP_const1u ? 1 :
						 op == DW_OP_const2u ? 2 : 4);
	else if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		*bytes = op - DW_OP_lit0;
	else
		return false;
	if (op != DW_OP_plus_uconst && adbgd_cursor_number(&c, 1) != DW_OP_plus)
		return false;
	return !c.bad && c.at == c.end;
}

static bool offset_of(Dwarf_Die *die, uint64_t *bytes)
{
	Dwarf_Attribute attr;
	Dwarf_Half version;
	Dwarf_Word number;
	Dwarf_Block block;
	Dwarf_Die unit;

	*bytes = 0;
	/* A member of a union has none. */
	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return true;
	if (!dwarf_formblock(&attr, &block))
		return added(&block, bytes);
	/* Before DWARF 4 these forms refer to a list of locations. */
	if ((attr.form == DW_FORM_data4 || attr.form == DW_FORM_data8) &&
	    (!dwarf_cu_die(attr.cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) ||
	     version < 4))
		return false;
	if (dwarf_formudata(&attr, &number))
		return false;
	*bytes = number;
	return true;
}

static bool number_of(Dwarf_Die *die, unsigned int attribute, uint64_t *number)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr(die, attribute, &attr) || dwarf_formudata(&attr, &word))
		return false;
	*number = word;
	return true;
}

bool adbgd_form_place(Dwarf_Die *die, uint64_t size, uint64_t *bit)
{
	uint64_t bytes, bits, before;

	if (number_of(die, DW_AT_data_bit_offset, bit))
		return true;
	if (!offset_of(die, &bytes))
		return false;
	*bit = bytes * 8;
	/* Before DWARF 4, bits count from the highest one of a unit that has @size bytes. */
	if (!number_of(die, DW_AT_bit_offset, &before) || !number_of(die, DW_AT_bit_size, &bits))
		return true;
	number_of(die, DW_AT_byte_size, &size);
	*bit += size * 8 - before - bits;
	return before < 1024 && bits < 1024 && before + bits <= size * 8;
}
