/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attributes that are constants, in all versions of DWARF.
 */
#ifndef ADBGD_DWARF_FORM_H
#define ADBGD_DWARF_FORM_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* A constant: a number, or bytes that belong to libdw */
struct adbgd_constant {
	uint64_t number;	/* if @bytes is NULL */
	const uint8_t *bytes;
	uint64_t size;		/* of @bytes; of a number: 8 */
};

/**
 * adbgd_form_constant() - get DW_AT_const_value
 * @is_signed: extend the sign of DW_FORM_data1 to DW_FORM_data8, which do not tell it
 *
 * DW_FORM_data4 and DW_FORM_data8 are constants here in all versions: before DWARF 4 they are
 * offsets in sections only in attributes that may refer to a list.
 *
 * Return: 0; -EBADMSG it is of no such form, or damaged.
 */
int adbgd_form_constant(Dwarf_Attribute *attr, bool is_signed, struct adbgd_constant *constant);

/**
 * adbgd_form_place() - get the place of a member: DW_AT_data_member_location, DW_AT_bit_offset
 * @die: a member or a base class
 * @size: size of the member's type in bytes
 * @bit: set to the number of bits from the beginning of the object
 *
 * Return: true; false: it is computed from the object, as that of a virtual base class, and not
 * known here.
 */
bool adbgd_form_place(Dwarf_Die *die, uint64_t size, uint64_t *bit);

#endif /* ADBGD_DWARF_FORM_H */
