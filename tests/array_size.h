/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_ARRAY_SIZE_H
#define TESTS_ARRAY_SIZE_H

/* The text is the same as in the headers of the product, some of which tests include too. */
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* TESTS_ARRAY_SIZE_H */
