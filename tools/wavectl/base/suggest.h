/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean": finds the word that differs least from a mistyped one.
 */
#ifndef WAVECTL_SUGGEST_H
#define WAVECTL_SUGGEST_H

struct suggestion {
	const char *typed;
	const char *word;		/* NULL: no word is similar enough */
	unsigned int distance;
};

struct suggestion suggest_for(const char *typed);
void suggest_try(struct suggestion *best, const char *word);

#endif /* WAVECTL_SUGGEST_H */
