/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that a seed repeats: splitmix64, as in Java's
 * java.util.SplittableRandom.
 */
#ifndef FUZZ_RNG_H
#define FUZZ_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* 0 to n - 1 */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* True once in @n times. */
static inline bool rng_once_in(struct rng *r, uint32_t n)
{
	return rng_below(r, n) == 0;
}

#endif /* FUZZ_RNG_H */
