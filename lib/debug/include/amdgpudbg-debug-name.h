/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug, part for names of symbols: C++ names as in the source, and finding symbols by
 * them. amdgpudbg-debug.h includes this header.
 */
#ifndef AMDGPUDBG_DEBUG_NAME_H
#define AMDGPUDBG_DEBUG_NAME_H

#include <amdgpudbg-debug-code.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * adbgd_demangle_name() - get a C++ name as the source has it
 * @name: the name of a symbol or kernel, such as "_ZN3foo3barEi"
 * @flags: ADBGD_DEMANGLE_*
 *
 * C++ names are those of the Itanium C++ ABI, which clang writes. The format is that of c++filt.
 * The memory and time for one name are bounded.
 *
 * Return: a string, which the caller frees; NULL: it is not a C++ name, has a construct that is not
 * supported, would become longer than 64 KiB, or there is no memory. Then use @name itself.
 */
char *adbgd_demangle_name(const char *name, uint32_t flags) ADBG_WUR;

#define ADBGD_DEMANGLE_WHOLE	(1U << 0)	/* with parameters and the type of the result */

/**
 * adbgd_name_matches() - test whether a name that a user has typed means a symbol
 * @name: the name of a symbol or kernel
 * @wanted: the same name; or, for C++, its qualified name, with or without parameters and with or
 *	without the template arguments of its last part. Leading scopes may be left out, and
 *	blanks are ignored: "ns::list<int>::add(int)", "ns::list<int>::add" and "add" mean the
 *	same function.
 */
bool adbgd_name_matches(const char *name, const char *wanted);

/**
 * adbgd_code_find_symbols() - find all symbols that a name means
 * @name: see adbgd_name_matches(). If symbols have exactly this name, only these are found.
 * @symbols: set to at most @max symbols, in the order of addresses; those of the same address
 *	count once
 * @count: set to the number of symbols there are
 *
 * Return: 0, or
 * -ENOENT: there is none;
 * -E2BIG: there are too many symbols to compare;
 * -EINTR: interrupted.
 */
int adbgd_code_find_symbols(struct adbgd_code *code, const char *name,
			    const struct adbgd_symbol **symbols, size_t max, size_t *count,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_code_address_name() - get the name of an address, as adbgd_code_format_address(), but whole
 *
 * Return: a string, which the caller frees; NULL: out of memory.
 */
char *adbgd_code_address_name(const struct adbgd_code *code, uint64_t address) ADBG_WUR;

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_NAME_H */
