// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on integers: a line each, in integers that are wide enough. a, b
 * and c are the sources, of 16, 32 or 64 bits, not extended.
 */
#include "oracle.h"

#define INT(name, expr) \
static u64 do_##name(u64 a, u64 b, u64 c) \
{ \
	const u64 r = (expr); \
	\
	(void)a; (void)b; (void)c; \
	return r; \
}

#define S32(x) ((s64)(s32)(x))
#define S16(x) ((s64)(s16)(x))
/* The field of @w bits from @o on */
#define FIELD(x, o, w) ((x) >> (o) & (BIT_ULL(w) - 1))
#define LESS(x, y) ((x) < (y) ? (x) : (y))
#define MORE(x, y) ((x) > (y) ? (x) : (y))

static u64 sign_extend(u64 v, unsigned int width)
{
	return width && v >> (width - 1) & 1 ? v | ~0ULL << width : v;
}

static u64 count(u64 v)
{
	u64 n = 0;

	for (; v; v >>= 1)
		n += v & 1;
	return n;
}

static u64 reverse(u64 v)
{
	u64 r = 0;
	unsigned int n;

	for (n = 0; n < 32; n++)
		r |= (v >> n & 1) << (31 - n);
	return r;
}

static u64 median(s64 a, s64 b, s64 c)
{
	return (u64)(a + b + c - LESS(LESS(a, b), c) - MORE(MORE(a, b), c));
}

#define OPS(X) \
	X(V_NOT_B32, ~a) \
	X(V_AND_B32, a & b) \
	X(V_OR_B32, a | b) \
	X(V_XOR_B32, a ^ b) \
	X(V_XNOR_B32, ~(a ^ b)) \
	X(V_ADD_NC_U32, a + b) \
	X(V_SUB_NC_U32, a - b) \
	X(V_SUBREV_NC_U32, b - a) \
	X(V_ADD3_U32, a + b + c) \
	X(V_XAD_U32, (a ^ b) + c) \
	X(V_MUL_LO_U32, a * b) \
	X(V_MUL_HI_U32, a * b >> 32) \
	X(V_MUL_HI_I32, (u64)(S32(a) * S32(b)) >> 32) \
	X(V_MUL_U32_U24, FIELD(a, 0, 24) * FIELD(b, 0, 24)) \
	X(V_MUL_HI_U32_U24, FIELD(a, 0, 24) * FIELD(b, 0, 24) >> 32) \
	X(V_MUL_I32_I24, sign_extend(FIELD(a, 0, 24), 24) * \
			 sign_extend(FIELD(b, 0, 24), 24)) \
	X(V_MAD_U32_U24, FIELD(a, 0, 24) * FIELD(b, 0, 24) + c) \
	X(V_MAD_I32_I24, sign_extend(FIELD(a, 0, 24), 24) * \
			 sign_extend(FIELD(b, 0, 24), 24) + c) \
	X(V_MIN_I32, (u64)LESS(S32(a), S32(b))) \
	X(V_MAX_I32, (u64)MORE(S32(a), S32(b))) \
	X(V_MIN_U32, LESS(a, b)) \
	X(V_MAX_U32, MORE(a, b)) \
	X(V_MED3_I32, median(S32(a), S32(b), S32(c))) \
	X(V_MED3_U32, median((s64)a, (s64)b, (s64)c)) \
	X(V_LSHLREV_B32, b << (a & 31)) \
	X(V_LSHRREV_B32, b >> (a & 31)) \
	X(V_ASHRREV_I32, (u64)(S32(b) >> (a & 31))) \
	X(V_LSHLREV_B64, b << (a & 63)) \
	X(V_LSHRREV_B64, b >> (a & 63)) \
	X(V_ASHRREV_I64, (u64)((s64)b >> (a & 63))) \
	X(V_LSHL_ADD_U32, (a << (b & 31)) + c) \
	X(V_ADD_LSHL_U32, (a + b) << (c & 31)) \
	X(V_BFE_U32, FIELD(a, b & 31, c & 31)) \
	X(V_BFE_I32, (b & 31) + (c & 31) > 32 ? (u64)(S32(a) >> (b & 31)) * \
		     !!(c & 31) : sign_extend(FIELD(a, b & 31, c & 31), c & 31)) \
	X(V_BFI_B32, (a & b) | (~a & c)) \
	X(V_BFREV_B32, reverse(a)) \
	X(V_BCNT_U32_B32, count(a) + b) \
	X(V_ALIGNBIT_B32, (a << 32 | b) >> (c & 31)) \
	X(V_ALIGNBYTE_B32, (a << 32 | b) >> (c & 3) * 8) \
	X(V_SAD_U32, MORE(a, b) - LESS(a, b) + c) \
	X(V_ADD_NC_U16, a + b) \
	X(V_SUB_NC_U16, a - b) \
	X(V_MUL_LO_U16, a * b) \
	X(V_MAD_U16, a * b + c) \
	X(V_MIN_I16, (u64)LESS(S16(a), S16(b))) \
	X(V_MAX_U16, MORE((u16)a, (u16)b))

#define X INT
OPS(X)
#undef X

const struct oracle oracle_ints[] = {
#define X(name, expr) { VGPU_OP_##name, NULL, do_##name, 0, 0, EXCP_ALL },
OPS(X)
#undef X
};

const unsigned int oracle_num_ints = ARRAY_SIZE(oracle_ints);
