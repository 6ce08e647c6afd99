// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Creates instructions that the decoder knows, with random operands, and requests that the
 * control socket knows, with random values.
 */
#include <stdio.h>
#include <string.h>

#include "generate.h"
#include "isa/table.h"
#include "vgpu.h"

/* The first dword of an encoding, "RDNA 2" ISA, AMD 2020, chapter 13 */
static const struct {
	u32 word;
	u8 shift;	/* of the opcode */
	u8 words;
} formats[VGPU_NUM_FORMATS] = {
	[VGPU_FMT_SOP2] = { 0x80000000, 23, 1 },
	[VGPU_FMT_SOPK] = { 0xb0000000, 23, 1 },
	[VGPU_FMT_SOP1] = { 0xbe800000, 8, 1 },
	[VGPU_FMT_SOPC] = { 0xbf000000, 16, 1 },
	[VGPU_FMT_SOPP] = { 0xbf800000, 16, 1 },
	[VGPU_FMT_SMEM] = { 0xf4000000, 18, 2 },
	[VGPU_FMT_VOP2] = { 0x00000000, 25, 1 },
	[VGPU_FMT_VOP1] = { 0x7e000000, 9, 1 },
	[VGPU_FMT_VOPC] = { 0x7c000000, 17, 1 },
	[VGPU_FMT_VOP3] = { 0xd4000000, 16, 2 },
	[VGPU_FMT_VOP3P] = { 0xcc000000, 16, 2 },
	[VGPU_FMT_DS] = { 0xd8000000, 18, 2 },
	[VGPU_FMT_FLAT] = { 0xdc000000, 18, 2 },
	[VGPU_FMT_SCRATCH] = { 0xdc004000, 18, 2 },
	[VGPU_FMT_GLOBAL] = { 0xdc008000, 18, 2 },
	[VGPU_FMT_MUBUF] = { 0xe0000000, 18, 2 },
	[VGPU_FMT_MTBUF] = { 0xe8000000, 16, 2 },
};

/* What may be changed of it: all but what says which instruction it is. */
static u32 operands(enum vgpu_format f)
{
	switch (f) {
	case VGPU_FMT_SOP2:
		return 0x007fffff;
	case VGPU_FMT_SOP1:
		return 0x007f00ff;
	case VGPU_FMT_SOPK:
		return 0x007fffff;
	case VGPU_FMT_SOPC:
	case VGPU_FMT_SOPP:
		return 0x0000ffff;
	case VGPU_FMT_VOP1:
		return 0x01fe01ff;
	case VGPU_FMT_VOP2:
		return 0x01ffffff;
	case VGPU_FMT_VOPC:
		return 0x0001ffff;
	case VGPU_FMT_VOP3:
	case VGPU_FMT_VOP3P:
		return 0x0000ffff;
	case VGPU_FMT_FLAT:
	case VGPU_FMT_SCRATCH:
	case VGPU_FMT_GLOBAL:
		return 0x00033fff;
	case VGPU_FMT_MTBUF:
		return 0x03f8ffff;
	default:
		return 0x0003ffff;
	}
}

static u32 bits32(void)
{
	return fuzz_random(0x10000) << 16 | fuzz_random(0x10000);
}

/* Operands that exist: small registers, constants, SDWA, DPP, a literal */
static u32 source(void)
{
	static const u16 special[] = {
		106, 107, 108, 123, 124, 125, 126, 127, 128, 192, 193, 208, 233,
		234, 235, 239, 240, 248, 249, 250, 251, 252, 253, 254, 255,
		510, 511,
	};

	switch (fuzz_random(4)) {
	case 0:
		return fuzz_random(16);
	case 1:
		return special[fuzz_random(ARRAY_SIZE(special))];
	default:
		return 256 + fuzz_random(16);
	}
}

/* The second dword of those that have one: a few registers of each kind */
static u32 second(enum vgpu_format f)
{
	switch (f) {
	case VGPU_FMT_VOP3:
	case VGPU_FMT_VOP3P:
		return source() | source() << 9 | source() << 18 |
		       (fuzz_random(4) ? 0 : fuzz_random(32) << 27);
	case VGPU_FMT_SMEM:
		return (fuzz_random(4) ? fuzz_random(0x1000) : bits32()) |
		       125U << 25;
	case VGPU_FMT_GLOBAL:
	case VGPU_FMT_FLAT:
	case VGPU_FMT_SCRATCH:
		return fuzz_random(16) | fuzz_random(16) << 8 |
		       (fuzz_random(2) ? 125 : 0) << 16 | fuzz_random(16) << 24;
	case VGPU_FMT_MUBUF:
	case VGPU_FMT_MTBUF:
		/* Bit 21: the opcode's bit 3, of MTBUF */
		return fuzz_random(16) | fuzz_random(16) << 8 |
		       (1 + fuzz_random(2)) << 16 | fuzz_random(2) << 21 |
		       128U << 24;
	default:
		return fuzz_random(16) | fuzz_random(16) << 8 |
		       fuzz_random(16) << 16 | fuzz_random(16) << 24;
	}
}

static u32 opcode_of(enum vgpu_format f)
{
	const struct vgpu_isa_table *t = &vgpu_table_gfx10_3[f];
	u32 op = fuzz_random(t->num), n;

	for (n = 0; n < t->num && !t->rows[op].op; n++)
		op = (op + 1) % t->num;
	return op;
}

u32 fuzz_instruction(u32 *out)
{
	enum vgpu_format f;

	do {
		f = fuzz_random(VGPU_NUM_FORMATS);
	} while (!formats[f].words);
	out[0] = formats[f].word | opcode_of(f) << formats[f].shift;
	out[0] |= bits32() & operands(f);
	/* Plain operands, as often as not, where src0 is 9 bits */
	if (fuzz_random(2) && (f == VGPU_FMT_VOP1 || f == VGPU_FMT_VOP2 ||
			       f == VGPU_FMT_VOPC))
		out[0] = (out[0] & ~0x1ffU) | source();
	/* A literal, SDWA or DPP of the first, or the second dword */
	out[1] = fuzz_random(4) && formats[f].words == 2 ? second(f) : bits32();
	out[2] = fuzz_dword();
	if (fuzz_random(32) == 0)
		out[0] = bits32();
	return formats[f].words + (fuzz_random(3) == 0);
}

/* The image's resource and sampler are these SGPRs; "RDNA 2" ISA, AMD 2020, 8.2.5, 8.2.6 */
#define IMAGE_SGPR	20
#define SAMPLER_SGPR	28
#define NUM_DESCRIPTORS	12

/* Of each kind some, as GFX10_FORMAT of Mesa 25.0 has them */
static u32 image_format(void)
{
	static const u8 formats[] = {
		1, 5, 7, 13, 14, 20, 22, 29, 36, 49, 56, 62, 64, 71, 77, 130, 132,
		133, 137,
	};

	return fuzz_random(8) ? formats[fuzz_random(sizeof(formats))] :
	       fuzz_random(512);
}

static void descriptors(u32 *d)
{
	u32 last = fuzz_random(16);

	memset(d, 0, NUM_DESCRIPTORS * sizeof(*d));
	d[0] = (FUZZ_VA >> 8) + fuzz_random(FUZZ_VA_PAGES * 16);
	d[1] = image_format() << 20 | (bits32() & 0xc00fff00);
	d[2] = bits32() & (fuzz_random(2) ? ~0U : 0x8003c00f);
	d[3] = (bits32() & 0xfff) | fuzz_random(last + 1) << 12 | last << 16 |
	       fuzz_random(32) << 20 | (8 + fuzz_random(6)) << 28;
	d[4] = fuzz_random(64) + (fuzz_random(8) << 16);
	d[5] = (last + fuzz_random(16 - last)) << 4 | fuzz_random(2);
	d[8] = bits32() & 0x9fffffff;
	d[9] = bits32();
	/* Neither anisotropy nor a filter of levels that is reserved */
	d[10] = bits32() & 0xf75fffff;
	d[11] = bits32() & 0x7fffffff;
	/* One that is not so right */
	if (fuzz_random(2))
		d[fuzz_random(NUM_DESCRIPTORS)] ^= 1U << fuzz_random(32);
}

u32 fuzz_image(u32 *out)
{
	u32 d[NUM_DESCRIPTORS], op = opcode_of(VGPU_FMT_MIMG), nsa, n;
	u32 *at = out;

	descriptors(d);
	for (n = 0; n < NUM_DESCRIPTORS; n++) {
		*at++ = 0xbe8003ff | (IMAGE_SGPR + n) << 16;	/* s_mov_b32 */
		*at++ = d[n];
	}
	nsa = fuzz_random(4) ? 0 : fuzz_random(4);
	*at++ = 0xf0000000 | (op & 127) << 18 | op >> 7 | nsa << 1 |
		fuzz_random(8) << 3 | (bits32() & 0x3f80);
	*at++ = fuzz_random(16) | fuzz_random(16) << 8 | IMAGE_SGPR / 4 << 16 |
		SAMPLER_SGPR / 4 << 21 | (fuzz_random(4) ? 0 : fuzz_random(4) << 30);
	for (n = 0; n < nsa; n++)
		*at++ = bits32() & 0x0f0f0f0f;
	return at - out;
}

static size_t value(char *out, size_t size)
{
	static const char *const words[] = {
		"true", "false", "null", "\"on\"", "\"0x1\"", "-1", "[]", "{}",
		"18446744073709551615", "1e400", "\"gl2-write-back\"",
		"\"vm-fault\"", "\"drop-irq\"", "\"corrupt-read\"",
		"\"hang-queue\"", "\"GRBM_GFX_INDEX\"", "\"\\u0000\"", "\"\"",
	};

	if (fuzz_random(2))
		return snprintf(out, size, "%u", fuzz_random(20));
	if (fuzz_random(4) == 0)
		return snprintf(out, size, "%u", fuzz_dword());
	return snprintf(out, size, "%s", words[fuzz_random(ARRAY_SIZE(words))]);
}

size_t fuzz_line(char *out, size_t size)
{
	static const char *const commands[] = {
		"info", "counters", "counters-reset", "complaints", "expect",
		"quirks", "quirk", "fault", "reg", "lend", "waves", "wave",
		"history", "nothing",
	};
	static const char *const keys[] = {
		"cmd", "name", "value", "on", "complaint", "count", "dword",
		"register", "me", "pipe", "queue", "vmid", "se", "sa", "wgp",
		"simd", "slot", "to", "after", "stay", "pasid",
	};
	u32 n = fuzz_random(5);
	size_t len;

	len = snprintf(out, size, "{\"cmd\":\"%s\"",
		       commands[fuzz_random(ARRAY_SIZE(commands))]);
	while (n-- && len + 128 < size) {
		len += snprintf(out + len, size - len, ",\"%s\":",
				keys[fuzz_random(ARRAY_SIZE(keys))]);
		len += value(out + len, size - len);
	}
	len += snprintf(out + len, size - len, "}\n");
	while (len % 4)
		out[len++] = '\n';
	return len;
}
