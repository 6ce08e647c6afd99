/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: expressions, and values that the user of a debugger keeps.
 *
 * Expressions of adbgd_value_eval() are those of C, without ++, --, assignments, calls and ?:. They
 * consist of variables, numbers, characters and registers, ( ) [ ] . -> and operators, among them:
 *
 * &x: the pointer to x, with the address space of its memory; x must be in memory;
 * sizeof x, sizeof(type): an unsigned long; x is not evaluated;
 * (type)x: a cast to a type of C, one that the debug information names, or a pointer. A float that
 *	the integer type cannot represent is an error. A pointer stays in its address space,
 *	unless "global", "local" or "private" before the type says in which an integer is meant;
 * x@3: as in gdb, the array of 3 elements of which x, which must be in memory, is the first;
 * $1, $, $$, $$2, $name: values of &struct adbgd_value_names.
 *
 * Both . and -> work for structs and for pointers to structs. In a member function of C++, the
 * members of its object are in scope; those of base classes and anonymous unions are found, too.
 */
#ifndef AMDGPUDBG_DEBUG_VALUE_H
#define AMDGPUDBG_DEBUG_VALUE_H

#include <amdgpudbg-debug-code.h>

#ifdef __cplusplus
extern "C" {
#endif

/** struct adbgd_value_names - callback for values that expressions name after a $ */
struct adbgd_value_names {
	/*
	 * Find a value. @name is "" for $, "$" for $$, "$2" for $$2, "1" for $1, or a name that is
	 * neither a register nor a pseudo variable. @value is set to the one for @lane, which stays
	 * valid until the next call. 0, or -errno with a message in @error.
	 */
	int (*find)(void *data, const char *name, uint32_t lane, const struct adbgd_value **value,
		    struct adbgd_error *error);
	void *data;
};

/**
 * adbgd_value_copy() - copy a value
 * @copy: set to the copy, which adbgd_value_free() frees
 *
 * The copy is valid as long as the value, see adbgd_value_eval().
 *
 * Return: 0; -ENOMEM.
 */
int adbgd_value_copy(const struct adbgd_value *value, struct adbgd_value **copy,
		     struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_values_keep() - copy values with their type, so that they do not need the code object
 * @values: the values, @num of them, such as those of several lanes; NULL: there is none
 * @copies: set to @num copies, or NULL; adbgd_value_free() frees each, also after the code object
 * @size: set to the bytes of memory that the copies take together
 *
 * If the types that a pointer needs are too many, what it points to is not known in the copy.
 *
 * Return: 0; -ENOMEM; -E2BIG: the types of members and elements take more than 256 KiB.
 */
int adbgd_values_keep(const struct adbgd_value *const *values, size_t num,
		      struct adbgd_value **copies, uint64_t *size,
		      struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_name_is_register() - test if a name after a $ is a register or a pseudo variable
 * @name: the name, without the $
 *
 * Return: true also for registers that no GPU has, such as v999.
 */
bool adbgd_name_is_register(const char *name);

/**
 * adbgd_expression_names_variable() - test if an expression needs variables or types by name
 *
 * Return: false: it only has numbers, registers, keywords and the base types of C, so that it can
 * be evaluated without debug information.
 */
bool adbgd_expression_names_variable(const char *expression);

/**
 * adbgd_expression_check() - test if an expression can be a condition, without evaluating it
 * @variables: the variables that it may name; NULL: none
 * @names: finds the values that it names after a $, of any lane; NULL: there are none
 *
 * Return: 0, or
 * -EINVAL: it is malformed, its value is neither a number nor a pointer, or it has an unknown name
 *	after $;
 * -ENOENT: there is no such variable or member;
 * -E2BIG: it is nested too deeply.
 */
int adbgd_expression_check(struct adbgd_variables *variables, const char *expression,
			   const struct adbgd_value_names *names,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_expression_is_true() - test if the value of an expression is not 0 in one lane
 * @is_true: set to the result
 *
 * Return: 0; or any error of adbgd_value_eval(), -EINVAL also if the value is neither a number nor
 * a pointer.
 */
int adbgd_expression_is_true(struct adbgd_variables *variables, const char *expression,
			     const struct adbgd_context *context, bool *is_true,
			     struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_expression_get_term() - get one of the terms that must all be true in a condition
 * @i: its index, from 0
 * @length: set to the number of its characters, without blanks around it
 *
 * The terms are the operands of && outside of brackets. If there is a || outside of brackets, the
 * expression is one term.
 *
 * Return: the beginning of the term in @expression; NULL: there are no more.
 */
const char *adbgd_expression_get_term(const char *expression, size_t i, size_t *length);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_VALUE_H */
