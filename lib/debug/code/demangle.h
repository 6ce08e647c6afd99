/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * C++ names of the Itanium ABI, as clang writes them into symbols, become text. The names are not
 * trusted: the memory for one of them, and thereby the time, is bounded, although a short name can
 * stand for a text of any size.
 *
 * https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling names what each function reads.
 */
#ifndef ADBGD_DEMANGLE_H
#define ADBGD_DEMANGLE_H

#include <stdbool.h>

#include "internal.h"

/* The text of a name, and what belongs to which part of it */
struct adbgd_demangled {
	char *text;		/* with return type and parameters; the caller frees it */
	size_t name;		/* offset of the qualified name */
	size_t args;		/* offset of the template arguments of its last part, if any */
	size_t end;		/* offset after the name, where the parameters begin */
	uint64_t steps;		/* what it took, also in vain; for ADBGD_COST_STEPS of budget.h */
};

/**
 * adbgd_demangle() - convert a C++ name
 * @name: a name of a symbol
 *
 * Return: false if it is not a C++ name, or not one that is supported.
 */
bool adbgd_demangle(const char *name, struct adbgd_demangled *result);

#endif /* ADBGD_DEMANGLE_H */
