/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as expressions, such as $pc or out + 4.
 */
#ifndef WAVECTL_ADDRESS_H
#define WAVECTL_ADDRESS_H

#include "debug/debug.h"

/*
 * Evaluate an expression in the selected lane of the selected wave, as "print" does; *@va is its
 * value, an address of the process's memory. There must be a debugger, see debug_open(). Returns
 * an exit status.
 */
int address_eval(struct wavectl *w, const char *text, uint64_t *va);
/* The same for an expression without variables, only of registers, pseudo variables and numbers */
int address_of_registers(struct wavectl *w, const char *text, uint64_t *va);
/* Is @text the name of a variable in scope at the PC of the selected wave? */
bool address_is_variable(struct wavectl *w, const char *text);

#endif /* WAVECTL_ADDRESS_H */
