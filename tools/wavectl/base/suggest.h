/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean": of some words, the one that is the least changes of a letter away
 * from one that was mistyped.
 */
#ifndef WAVECTL_SUGGEST_H
#define WAVECTL_SUGGEST_H

struct suggestion {
	const char *typed;
	const char *word;		/* NULL: none is near enough */
	unsigned int distance;
};

struct suggestion suggest_for(const char *typed);
void suggest_try(struct suggestion *best, const char *word);

#endif /* WAVECTL_SUGGEST_H */
