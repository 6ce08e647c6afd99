/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as expressions, such as $pc or out + 4.
 */
#ifndef WAVECTL_ADDRESS_H
#define WAVECTL_ADDRESS_H

#include "debug/debug.h"

struct address {
	uint64_t va;
	uint32_t space;		/* enum adbgd_space */
};

#define ADDRESS_TEXT_MAX 32

/*
 * Evaluate an expression in the selected lane of the selected wave, as "print" does. Its value is
 * an address, whose space is that of the pointer; numbers are addresses of the process's memory.
 * There must be a debugger, see debug_open(). Returns an exit status.
 */
int address_eval(struct wavectl *w, const char *text, struct address *address);
/*
 * Find where in the process's memory the value of an expression is. Fails if it is elsewhere, or
 * nowhere, such as a sum. Otherwise like address_eval()
 */
int address_of_value(struct wavectl *w, const char *text, uint64_t *va);
/*
 * The same for an expression without variables, only of registers, pseudo variables and numbers,
 * that is an address of the process's memory
 */
int address_of_registers(struct wavectl *w, const char *text, uint64_t *va);
/* Is @text the name of a variable in scope at the PC of the selected wave? */
bool address_is_variable(struct wavectl *w, const char *text);
/* Parse an address as "print" prints it: "private#0x18" or "local#0x40" */
bool address_parse(const char *text, struct address *address);
/* Print an address so. Returns @text. */
char *address_text(const struct address *address, char text[ADDRESS_TEXT_MAX]);
/*
 * Read memory as the selected lane of the selected wave sees it; the process's memory needs no
 * halted wave. There must be a debugger. Returns an exit status.
 */
int address_read(struct wavectl *w, const struct address *address, void *buffer, size_t size);

#endif /* WAVECTL_ADDRESS_H */
