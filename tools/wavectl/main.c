// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The entry point. The rest is in wavectl.c, where tests can call it.
 */
#include "base/wavectl.h"

int main(int argc, char **argv)
{
	return wavectl_main(argc, argv);
}
