// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Creates records. Most are nearly valid, because others would fail the first check. Their
 * errors are random; libFuzzer keeps those that reach new code.
 */
#include <string.h>

#include "generate.h"
#include "host/vfio_user.h"
#include "vgpu.h"

/* In the FB aperture: VMID 0's addresses (profiles/vangogh.c, fb_base) */
#define MC_HI		0xf4
#define VRAM_START	0x100000

static u64 state = 1;

void fuzz_seed(u32 seed)
{
	state = seed * 2654435761ULL + 1;
}

/* xorshift64* */
static u32 next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL) >> 32;
}

u32 fuzz_random(u32 below)
{
	return next() % below;
}

static u32 one_of(const u32 *vals, u32 num)
{
	return vals[fuzz_random(num)];
}

static u32 address_lo(void)
{
	static const u32 places[] = {
		FUZZ_CODE, FUZZ_HANDLER, FUZZ_IB, FUZZ_SDMA_IB, FUZZ_DATA,
		FUZZ_VA_PAGES * 0x1000, VRAM_START, VRAM_START + 0x8000,
		FUZZ_BUS, FUZZ_BUS + FUZZ_BUS_SIZE - 4, 0xfffffffc,
	};
	u32 at = one_of(places, ARRAY_SIZE(places));

	return fuzz_random(4) ? at + 4 * fuzz_random(0x100) :
				at + fuzz_random(0x2000) - 0x1000;
}

u32 fuzz_dword(void)
{
	static const u32 edges[] = {
		0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 63, 64, 255, 256, 0xfff, 0x1000,
		0x3fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe,
		0xffffffff,
	};

	switch (fuzz_random(8)) {
	case 0:
		return one_of(edges, ARRAY_SIZE(edges));
	case 1:
		return 1U << fuzz_random(32);
	case 2:
		return next();
	case 3:
		return fuzz_random(64);
	case 4:
		return 1;	/* of FUZZ_VA, the upper half */
	case 5:
		return MC_HI;
	default:
		return address_lo();
	}
}

static void fill(u32 *out, u32 num)
{
	while (num--)
		*out++ = fuzz_dword();
}

/* Registers of compute state, from 0x2c00 on (gc_10_3_0_offset.h, Linux 6.12) */
static u32 sh_register(void)
{
	return 0x1e0 + fuzz_random(0x60);
}

/* A PM4 packet of at most @room dwords. */
static u32 pm4(u32 *out, u32 room)
{
	/* Opcode, and the dwords that it has at least */
	static const u8 ops[][2] = {
		{ 0x10, 1 }, { 0x11, 3 }, { 0x12, 1 }, { 0x15, 4 }, { 0x15, 4 },
		{ 0x16, 2 }, { 0x16, 3 }, { 0x1e, 8 }, { 0x22, 4 }, { 0x28, 2 },
		{ 0x37, 5 }, { 0x37, 5 }, { 0x3c, 6 }, { 0x3f, 3 }, { 0x40, 5 },
		{ 0x42, 1 }, { 0x46, 1 }, { 0x49, 7 }, { 0x50, 6 }, { 0x50, 6 },
		{ 0x58, 7 }, { 0x59, 1 }, { 0x68, 2 }, { 0x69, 2 }, { 0x76, 3 },
		{ 0x76, 3 }, { 0x79, 2 }, { 0x7a, 2 }, { 0x8b, 1 }, { 0x90, 1 },
		{ 0x93, 8 }, { 0x98, 1 }, { 0x9b, 2 }, { 0xa0, 7 }, { 0xa2, 6 },
		{ 0xa3, 5 }, { 0xa4, 6 },
	};
	const u8 *op = ops[fuzz_random(ARRAY_SIZE(ops))];
	u32 num = op[1], count;

	if (fuzz_random(8) == 0)
		num += fuzz_random(16);
	if (num + 1 > room)
		return 0;
	count = fuzz_random(64) ? num - 1 : next() & 0x3fff;
	out[0] = 3U << 30 | count << 16 | op[0] << 8;
	if (fuzz_random(64) == 0)
		out[0] = fuzz_dword();
	fill(out + 1, num);
	if (op[0] == 0x76)
		out[1] = sh_register();
	else if (op[0] == 0x3f)
		out[3] = fuzz_random(64) | fuzz_random(4) << 24 |
			 fuzz_random(2) << 20;
	else if (op[0] == 0x15 && fuzz_random(4))
		out[4] = 1 | fuzz_random(2) << 15 | fuzz_random(64);
	else if (op[0] == 0x37)
		out[1] = (fuzz_random(4) ? 5 : fuzz_random(16)) << 8 |
			 fuzz_random(2) << 16;
	else if (op[0] == 0xa2)
		out[1] = fuzz_random(8) << 13 | fuzz_random(4) << 16 |
			 fuzz_random(2) << 18 | (fuzz_random(3) * 2 % 5) << 26;
	return num + 1;
}

/* An SDMA packet, as long as fixed_length() of sdma_packets.c has it */
static u32 sdma(u32 *out, u32 room)
{
	static const u8 ops[][3] = {
		{ 0, 0, 1 }, { 1, 0, 7 }, { 1, 4, 13 }, { 2, 0, 6 }, { 4, 0, 6 },
		{ 5, 0, 4 }, { 6, 0, 2 }, { 8, 0, 6 }, { 9, 0, 5 }, { 10, 0, 8 },
		{ 11, 0, 5 }, { 12, 0, 10 }, { 13, 0, 3 }, { 13, 1, 3 },
		{ 13, 2, 3 }, { 14, 0, 3 }, { 16, 0, 4 }, { 17, 0, 5 },
	};
	const u8 *op = ops[fuzz_random(ARRAY_SIZE(ops))];

	if (op[2] > room)
		return 0;
	fill(out, op[2]);
	out[0] = (fuzz_random(2) ? next() & 0xffff0000 : 0) | op[1] << 8 | op[0];
	if (op[0] == 1)
		out[0] &= ~(1U << 27);
	if (op[0] == 2 && fuzz_random(4))
		out[3] = 1;
	return op[2];
}

static u32 many(u32 (*make)(u32 *out, u32 room), u32 *out, u32 most)
{
	u32 num = 0, n = 1 + fuzz_random(most);

	while (n--)
		num += make(out + num, MAX_DWORDS - num);
	return num;
}

static u32 instruction(u32 *out, u32 room)
{
	if (room >= FUZZ_IMAGE_DWORDS && fuzz_random(16) == 0)
		return fuzz_image(out);
	return room < 3 ? 0 : fuzz_instruction(out);
}

/* Selects a wave and looks at it, or does something to it. */
static u32 wave_access(struct record *r)
{
	static const u16 roles[] = {
		R_GRBM_GFX_INDEX, R_GRBM_GFX_INDEX, R_SQ_IND_INDEX,
		R_SQ_IND_INDEX, R_SQ_IND_DATA, R_SQ_IND_DATA, R_SQ_CMD,
		R_SQ_CMD, R_SPI_GDBG_WAVE_CNTL2, R_TCP_WATCH0_ADDR_H,
		R_SQ_WATCH0_ADDR_H, R_GRBM_GFX_CNTL, R_SQ_SHADER_TBA_HI,
	};

	r->arg = roles[fuzz_random(ARRAY_SIZE(roles))];
	r->dwords[0] = 0;
	r->dwords[1] = fuzz_dword();
	switch (r->arg) {
	case R_GRBM_GFX_INDEX:
		r->dwords[1] = fuzz_random(2) ? 0xe0000000 : fuzz_random(16);
		break;
	case R_SQ_IND_INDEX:
		r->dwords[1] = (0x100 + fuzz_random(0x400)) << 16 |
			       fuzz_random(4) | fuzz_random(2) << 11;
		break;
	case R_SQ_CMD:
		r->dwords[1] = fuzz_random(9) | fuzz_random(2) << 4 |
			       fuzz_random(16) << 8 | BIT(7) |
			       (1 + fuzz_random(3)) << 28;
		break;
	case R_TCP_WATCH0_ADDR_H:
	case R_SQ_WATCH0_ADDR_H:
		r->dwords[0] = fuzz_random(12);
		break;
	}
	return 2;
}

static u32 message_payload(struct record *r)
{
	static const u8 commands[] = { 1, 2, 2, 3, 4, 5, 7, 8, 8, 9, 10, 13 };
	struct vfio_user_region_rw rw;
	u32 num = fuzz_random(12);

	r->arg = commands[fuzz_random(sizeof(commands))] |
		 fuzz_random(6) << 8;
	fill(r->dwords, num);
	if ((r->arg & 0x1f) == VFIO_USER_DMA_MAP && fuzz_random(2)) {
		struct vfio_user_dma_map map = {
			.flags = 3, .addr = 0x400000 + (next() & 0xff000),
			.size = 0x1000 << fuzz_random(4),
			.offset = fuzz_random(2) * 0x1000,
		};

		memcpy(r->dwords, &map, sizeof(map));
		return sizeof(map) / 4;
	}
	if ((r->arg & 0x1e) != VFIO_USER_REGION_READ &&
	    (r->arg & 0x1f) != VFIO_USER_REGION_WRITE)
		return num;
	rw.offset = fuzz_random(2) ? fuzz_random(0x1000) : address_lo();
	rw.region = fuzz_random(9);
	rw.count = fuzz_random(4) ? 4 << fuzz_random(2) : fuzz_dword();
	memcpy(r->dwords, &rw, sizeof(rw));
	fill(r->dwords + sizeof(rw) / 4, 2);
	return sizeof(rw) / 4 + 2;
}

static u32 payload(struct record *r)
{
	switch ((enum record_op)r->op) {
	case OP_WORK:
		r->arg = fuzz_random(8);
		return 0;
	case OP_REG_WRITE:
		if (fuzz_random(3))
			return wave_access(r);
		r->dwords[0] = fuzz_random(4) ? 0 : fuzz_random(64);
		r->dwords[1] = fuzz_dword();
		return 2;
	case OP_REG_READ:
		return wave_access(r);
	case OP_POKE:
		r->dwords[0] = fuzz_random(0x40000);
		/* Page table entries, as often as not */
		r->dwords[1] = fuzz_random(2) ? fuzz_dword() :
			       address_lo() | (next() & 0xff);
		r->dwords[2] = fuzz_random(2) ? 0 : fuzz_dword();
		return 3;
	case OP_PM4:
	case OP_IB:
		return many(pm4, r->dwords, 8);
	case OP_SDMA:
	case OP_SDMA_IB:
		return many(sdma, r->dwords, 4);
	case OP_CODE:
	case OP_HANDLER:
		return many(instruction, r->dwords, 24);
	case OP_MESSAGE:
		return message_payload(r);
	case OP_CONTROL:
		return (fuzz_line((char *)r->dwords, MAX_DWORDS * 4) + 3) / 4;
	default:
		fill(r->dwords, 3);
		return 3;
	}
}

size_t fuzz_record(struct record *out)
{
	/* Some are worth more than others. */
	static const u8 ops[] = {
		OP_CODE, OP_CODE, OP_CODE, OP_CODE, OP_IB, OP_IB, OP_PM4, OP_PM4,
		OP_SDMA, OP_SDMA_IB, OP_POKE, OP_REG_WRITE, OP_REG_WRITE,
		OP_WORK, OP_WORK, OP_MESSAGE, OP_CONTROL, OP_REG_READ,
		OP_HANDLER, OP_DWORD_WRITE, OP_DOORBELL, OP_BYTES, OP_QUIRK,
	};

	out->op = ops[fuzz_random(sizeof(ops))];
	out->arg = next();
	out->num = payload(out);
	return sizeof(*out) + out->num * 4;
}
