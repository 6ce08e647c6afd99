/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expected results of vector operations on floats, computed without the interpreter: by
 * MPFR, exactly and then rounded once. oracle_float.c explains how to add an operation, which
 * takes one line. Integers are in models_int.c.
 */
#ifndef TESTS_ISA_ORACLE_H
#define TESTS_ISA_ORACLE_H

#include <mpfr.h>

#include "isa/internal.h"

/* MODE, as one operation sees it. */
struct oracle_mode {
	bool ieee, fp16_ovfl;
	mpfr_rnd_t round32, round64;	/* 64: all but 32 bits */
	bool daz32, daz64, ftz32, ftz64;
};

/* A source: its value, after flushing, and what it was. */
struct oracle_value {
	mpfr_t x;
	u64 bits;
	bool nan, snan, denormal;
};

struct oracle_result {
	u64 bits;
	bool any_nan;		/* any quiet NaN will do */
	bool skip;		/* nothing is known */
	u32 excp;		/* WAVE_EXCP_* */
	u32 excp_known;		/* those that are compared */
};

/* Exact, or with so many bits that rounding it is rounding the exact one. */
#define ORACLE_BITS	4500

/* What is special about an operation */
#define ORACLE_COPY	BIT(0)	/* the result is a source: it is not flushed */
#define ORACLE_FLUSH	BIT(1)	/* no denormals, whatever MODE says */
#define ORACLE_QUIET_NUM BIT(2)	/* a NaN among the sources may give a number */

/* Exceptions that a row compares */
#define EXCP_SIGNALS	(WAVE_EXCP_INVALID | WAVE_EXCP_DENORM)
#define EXCP_ALL	GENMASK(5, 0)

typedef void (*oracle_float_fn)(mpfr_t r, struct oracle_value *s,
				mpfr_rnd_t round, const struct oracle_mode *m);

struct oracle {
	enum vgpu_op op;
	oracle_float_fn real;
	unsigned int flags;	/* ORACLE_* */
	unsigned int ulps;	/* how far the result may be off */
	u32 excp;		/* EXCP_* */
};

/* Its operands as the oracle sees them: one half of two, floats as floats. */
struct vgpu_op_info oracle_info(enum vgpu_op op);
/* How many results a lane has: 2 for halves that have nothing to do with each other. */
unsigned int oracle_halves(enum vgpu_op op);

extern const struct oracle oracle_floats[];
extern const unsigned int oracle_num_floats;

void oracle_mode_of(struct oracle_mode *m, const struct vgpu_wave *w);

/* @src: one lane's sources, as they are in the registers. */
void oracle_compute(const struct oracle *o, const struct oracle_mode *m,
		    const u64 *src, struct oracle_result *res);

/* Are the two at most @ulps apart? */
bool oracle_near(enum vgpu_type type, u64 a, u64 b, unsigned int ulps);

bool oracle_is_nan(enum vgpu_type type, u64 bits);

#endif /* TESTS_ISA_ORACLE_H */
