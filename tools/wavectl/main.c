// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program's entry; all of it is in wavectl.c, where tests can reach it.
 */
#include "base/wavectl.h"

int main(int argc, char **argv)
{
	return wavectl_main(argc, argv);
}
