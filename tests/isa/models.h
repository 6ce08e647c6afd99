/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models: a second implementation of what instructions compute, written from the ISA document
 * by other means than the interpreter (arrays of fields, 128-bit integers, libquadmath).
 * test_models and test_scalar run both with random and edge operands.
 */
#ifndef TESTS_ISA_MODELS_H
#define TESTS_ISA_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_WORDS 4

/* One lane: the sources as they are in registers. */
struct model_in {
	uint32_t src[3][MODEL_WORDS];
	uint32_t old;		/* of the destination */
	bool clamp;
};

/* What operands are picked from, beside random ones */
enum model_edges {
	EDGES_INT,
	EDGES_F16,	/* either half; no NaN signals */
};

struct model {
	const char *name;	/* mnemonic */
	unsigned char dst;	/* dwords */
	unsigned char src[3];
	enum model_edges edges;
	bool clamp;		/* there is one; then it is tried with it too */
	bool low;		/* the upper half of the destination stays */
	bool f16;		/* halves are compared as floats: any NaN */
	void (*fn)(const struct model_in *in, uint32_t *out);
};

/* A scalar operation: sources with as many bits as it reads, zero-extended */
struct salu_in {
	uint64_t a, b;		/* SOPK: b is the immediate, 16 bits */
	uint64_t old;		/* of the destination */
	uint64_t exec, all;	/* with as many bits as the operation has */
	unsigned int scc;
};

struct salu_out {
	uint64_t d, exec;	/* preset with what they were */
	unsigned int scc;
};

struct salu_model {
	const char *name;	/* mnemonic */
	unsigned char dst, a, b;	/* dwords */
	void (*fn)(const struct salu_in *in, struct salu_out *out);
};

extern const struct salu_model models_salu[];
extern const size_t num_models_salu;
extern const struct model models_int[];
extern const size_t num_models_int;
extern const struct model models_f16[];
extern const size_t num_models_f16;

#endif /* TESTS_ISA_MODELS_H */
