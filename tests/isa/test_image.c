// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of the texels of images, compared with AMD's address library, whose results for
 * arbitrary texels are in images/. Also descriptors that no driver writes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "isa/image/image.h"
#include "isa/table.h"
#include "machine.h"

#include <string.h>

#define BASE	0x123450000ULL
#define DATA	(MACHINE_BASE + 0x10000)

struct row {
	u32 deep, mode, size, width, height, slices, levels, pipe_xor;
	u32 level, x, y, z;
	u64 address;
};

static const struct row vangogh[] = {
#include "images/vangogh.inc"
};

static const struct row navi21[] = {
#include "images/navi21.inc"
};

/* The resource: "RDNA 2" ISA, AMD 2020, 8.2.5 */
static void describe(const struct row *t, u32 *r)
{
	/* 8, 16, 32, 32_32 and 32_32_32_32 UINT */
	static const u32 formats[] = { 5, 11, 20, 62, 75 };
	u64 base = BASE >> 8 | t->pipe_xor;
	u32 type = t->deep ? 10 : 13;

	r[0] = (u32)base;
	r[1] = (u32)(base >> 32) | formats[t->size] << 20 | (t->width - 1) << 30;
	r[2] = (t->width - 1) >> 2 | (t->height - 1) << 14 | 1U << 31;
	r[3] = 0xfac | (t->levels - 1) << 16 | t->mode << 20 | type << 28;
	r[4] = t->slices - 1;
	r[5] = (t->levels - 1) << 4;
	r[6] = 0;
	r[7] = 0;
}

static unsigned int compare(struct machine *m, const struct row *t)
{
	struct vgpu_mimg mimg = { .dmask = 1 };
	struct vgpu_insn i = { .op = VGPU_OP_IMAGE_LOAD, .mimg = &mimg,
			       .saddr = 8, .format = VGPU_FMT_MIMG };
	struct vgpu_image im;
	u64 at;

	describe(t, &m->w->s[8]);
	m->g.isa->w = m->w;
	assert_true(vgpu_image_read(m->g.isa, &i, &im));
	at = vgpu_image_address(&im, t->level, t->x, t->y, t->z) - BASE;
	if (at == t->address)
		return 0;
	print_message("mode %u, %u bytes, %ux%ux%u%s, level %u of %u, %u %u %u: 0x%llx, the library: 0x%llx\n",
		      t->mode, 1 << t->size, t->width, t->height, t->slices,
		      t->deep ? " deep" : "", t->level, t->levels, t->x, t->y,
		      t->z, (unsigned long long)at,
		      (unsigned long long)t->address);
	return 1;
}

/* A GPU with other pipes and packers */
static struct machine *machine_of(u32 gb_addr_config)
{
	struct machine *m = machine_new();

	vgpu_isa_fini(&m->g);
	m->profile.gb_addr_config = gb_addr_config;
	assert_int_equal(vgpu_isa_init(&m->g), 0);
	return m;
}

static void test_addresses(void **state)
{
	static const struct {
		u32 gb_addr_config;
		const struct row *rows;
		size_t num;
	} gpus[] = {
		{ 0x142, vangogh, ARRAY_SIZE(vangogh) },
		{ 0x8100444, navi21, ARRAY_SIZE(navi21) },
	};
	unsigned int n, k, bad = 0;

	(void)state;
	for (k = 0; k < ARRAY_SIZE(gpus); k++) {
		struct machine *m = machine_of(gpus[k].gb_addr_config);

		for (n = 0; n < gpus[k].num; n++)
			bad += compare(m, &gpus[k].rows[n]);
		assert_true(n > 900);
		machine_free(m);
	}
	assert_int_equal(bad, 0);
}

/* Of a GPU of which there is no table, linear images are known. */
static void test_no_table(void **state)
{
	struct vgpu_mimg mimg = { .dmask = 1 };
	struct vgpu_insn i = { .op = VGPU_OP_IMAGE_LOAD, .mimg = &mimg,
			       .saddr = 8, .format = VGPU_FMT_MIMG };
	struct machine *m = machine_of(0x143);
	struct row t = vangogh[0];
	struct vgpu_image im;

	(void)state;
	m->g.isa->w = m->w;
	describe(&t, &m->w->s[8]);
	assert_int_equal(t.mode, 0);
	assert_true(vgpu_image_read(m->g.isa, &i, &im));
	t.mode = 9;
	describe(&t, &m->w->s[8]);
	assert_false(vgpu_image_read(m->g.isa, &i, &im));
	machine_free(m);
}

/* What is not modelled is refused, not guessed. */
static void test_refused(void **state)
{
	struct vgpu_mimg m = { .dmask = 1 };
	struct vgpu_insn i = { .op = VGPU_OP_IMAGE_LOAD, .mimg = &m,
			       .saddr = 8, .format = VGPU_FMT_MIMG };
	struct machine *mach = machine_new();
	struct vgpu_isa_state *c = mach->g.isa;
	u32 *r = &mach->w->s[8];
	struct vgpu_image im;

	(void)state;
	c->w = mach->w;
	describe(&vangogh[0], r);
	assert_true(vgpu_image_read(c, &i, &im));
	r[6] = 1 << 21;			/* compressed */
	assert_false(vgpu_image_read(c, &i, &im));
	describe(&vangogh[0], r);
	r[3] = (r[3] & 0x0fffffff) | 14U << 28;		/* several samples */
	assert_false(vgpu_image_read(c, &i, &im));
	describe(&vangogh[0], r);
	r[1] = (r[1] & ~(0x1ffU << 20)) | 169 << 20;	/* BC1_UNORM */
	assert_false(vgpu_image_read(c, &i, &im));
	describe(&vangogh[0], r);
	r[3] = (r[3] & ~(0x1fU << 20)) | 11 << 20;	/* no such mode */
	assert_false(vgpu_image_read(c, &i, &im));
	describe(&vangogh[0], r);
	m.r128 = true;
	assert_false(vgpu_image_read(c, &i, &im));
	machine_free(mach);
}

/* An image instruction, "RDNA 2" ISA, AMD 2020, chapter 13: MIMG; s[8:15], s[16:19] */
static void encode(u32 *words, unsigned int op, u32 dim, u32 dmask)
{
	words[0] = 0xf0000000 | (op & 127) << 18 | op >> 7 | dim << 3 | dmask << 8;
	words[1] = 32 << 8 | 2 << 16 | 4 << 21;		/* v32, v0 */
}

static void run_one(struct machine *m, const u32 *words, const u32 *sgprs)
{
	machine_reset(m, 32);
	machine_code(m, words, 8);
	memcpy(&m->w->s[8], sgprs, 12 * 4);
	machine_run(m, 1);
}

#define SAMPLE_LZ	39	/* opcodes: the same, 13.4 */
#define SAMPLE		32
#define GATHER4		64
#define LOAD		0
#define LOAD_MIP	1
#define STORE		8
#define DIM_2D		1
#define DIM_2D_ARRAY	5

/* 2 x 2 texels of 32 bits, and a sampler */
static void small_image(u32 *s, u32 type)
{
	memset(s, 0, 12 * 4);
	s[0] = (u32)(DATA >> 8);
	s[1] = 22U << 20 | 1U << 30;
	s[2] = 1 << 14 | 1U << 31;
	s[3] = 0xfac | type << 28;
	s[9] = 0x00f00000;		/* MAX_LOD 15 */
}

/* The first level or slice is behind the last: there is none to take. */
static void test_nothing_there(void **state)
{
	struct machine *m = machine_new();
	u32 words[2], s[12];

	(void)state;
	small_image(s, 9);
	s[3] |= 3 << 12;				/* BASE_LEVEL */
	encode(words, SAMPLE_LZ, DIM_2D, 1);
	run_one(m, words, s);
	assert_int_equal(m->illegal, 1);
	encode(words, SAMPLE, DIM_2D, 1);
	run_one(m, words, s);
	assert_int_equal(m->illegal, 1);
	s[3] |= 2 << 16;				/* LAST_LEVEL */
	s[5] |= 15 << 4;				/* MAX_MIP */
	run_one(m, words, s);
	assert_int_equal(m->illegal, 1);
	encode(words, LOAD_MIP, DIM_2D, 1);
	run_one(m, words, s);
	assert_int_equal(m->illegal, 1);

	small_image(s, 13);
	s[4] = 2 | 3 << 16;				/* DEPTH, BASE_ARRAY */
	encode(words, SAMPLE_LZ, DIM_2D_ARRAY, 1);
	run_one(m, words, s);
	assert_int_equal(m->illegal, 1);
	s[4] = 3 | 3 << 16;
	run_one(m, words, s);
	assert_int_equal(m->illegal, 0);
	machine_free(m);
}

/*
 * TRAPSTS gathers what floating-point arithmetic raises ("RDNA 2" ISA, AMD 2020,
 * 3.8: EXCP), and nothing of what conversions on the way to memory do.
 */
static void test_exceptions_stay(void **state)
{
	/* buffer_load_format_x, buffer_store_format_x v32, off, s[8:11], 0 */
	static const u32 accesses[][2] = {
		{ 0xe0000000, 0x80022000 }, { 0xe0100000, 0x80022000 },
	};
	static const u8 images[] = { LOAD_MIP, STORE, SAMPLE, SAMPLE_LZ, GATHER4 };
	struct machine *m = machine_new();
	u32 words[3] = { 0x7e425528 }, s[12];	/* v_rcp_f32 v33, v40 */
	unsigned int n, l;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(images) + ARRAY_SIZE(accesses); n++) {
		small_image(s, 9);
		s[1] = (s[1] & ~GENMASK(28, 20)) | 56U << 20;	/* UNORM */
		if (n < ARRAY_SIZE(images)) {
			encode(words + 1, images[n], DIM_2D, 1);
		} else {
			memcpy(words + 1, accesses[n - ARRAY_SIZE(images)], 8);
			s[0] = (u32)DATA;
			s[1] = DATA >> 32;
			s[2] = 0x1000;
			s[3] = 0xfac | 56U << 12;
		}
		machine_reset(m, 32);
		memset(machine_mem(m, DATA), 3, 0x1000);
		machine_code(m, words, sizeof(words));
		memcpy(&m->w->s[8], s, sizeof(s));
		for (l = 0; l < 32; l++) {
			/* Inexact, as all that is read, and a signalling NaN */
			m->w->v[0][l] = 0x3e99999a;
			m->w->v[32][l] = l & 1 ? 0x7fa00000 : 0x3e99999a;
			m->w->v[40][l] = l == 7 ? 0 : 0x3f800000;
		}
		assert_int_equal(machine_run(m, 2), 2);
		assert_int_equal(m->illegal, 0);
		assert_int_equal(m->w->excp, WAVE_EXCP_DIV0);
	}
	machine_free(m);
}

/*
 * A sample may take as long as thousands of other instructions: the host is heard
 * after each.
 */
static void test_slice(void **state)
{
	struct machine *m = machine_new();
	u32 words[16], s[12];
	unsigned int n;

	(void)state;
	small_image(s, 9);
	for (n = 6; n < ARRAY_SIZE(words); n++)
		words[n] = 0xbf800000;		/* s_nop */
	encode(words, SAMPLE_LZ, DIM_2D, 1);
	encode(words + 2, SAMPLE_LZ, DIM_2D, 1);
	encode(words + 4, LOAD, DIM_2D, 1);
	machine_reset(m, 32);
	machine_code(m, words, sizeof(words));
	memcpy(&m->w->s[8], s, sizeof(s));
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 10), 1);
	assert_int_equal(m->w->pc, MACHINE_BASE + 8);
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 10), 1);
	assert_int_equal(vgpu_isa_run(&m->g, m->w, 10), 10);
	assert_int_equal(m->w->instructions, 12);
	assert_int_equal(m->w->stop, 0);
	machine_free(m);
}

/* Where there is something to choose from, as often as not what is modelled */
static void any_descriptor(u32 *s)
{
	static const u8 formats[] = { 1, 5, 14, 20, 22, 29, 56, 62, 71, 77, 132 };
	unsigned int n;

	for (n = 0; n < 12; n++)
		s[n] = machine_random();
	if (machine_random() & 3)
		s[0] = (u32)(MACHINE_BASE >> 8) + machine_random() % 0x10000;
	s[1] &= ~(GENMASK(7, 0) | GENMASK(28, 20));
	s[1] |= (u32)formats[machine_random() % ARRAY_SIZE(formats)] << 20;
	s[3] = (s[3] & GENMASK(27, 0)) | (8 + machine_random() % 6) << 28;
	if (machine_random() & 1)
		s[3] &= ~GENMASK(15, 12);
	if (machine_random() & 1)
		s[5] |= 15 << 4;
	s[6] &= ~BIT(21);
	s[8] &= ~GENMASK(30, 29);
	s[10] &= ~(BIT(21) | BIT(23) | BIT(27));
	s[11] &= ~BIT(31);
}

static u32 any_coordinate(void)
{
	static const u32 edges[] = {
		0, 1, 2, 0x3f800000, 0x3f000000, 0xbf800000, 0x7f800000,
		0xff800000, 0x7fc00000, 0x7f7fffff, 0x80000000, 0xffffffff,
	};

	if (machine_random() & 1)
		return edges[machine_random() % ARRAY_SIZE(edges)];
	if (machine_random() & 1)
		return machine_random() % 64;
	return machine_random();
}

/*
 * A guest can write anything into a descriptor. What comes of it is not compared:
 * the instruction ends, and nothing but the image's memory is touched, which the
 * sanitizers see (tests/vgpu/fuzz).
 */
static void test_any_descriptor(void **state)
{
	const struct vgpu_isa_table *t = &vgpu_table_gfx10_3[VGPU_FMT_MIMG];
	struct machine *m = machine_new();
	unsigned int n, k, l, done = 0;
	u32 words[2], s[12], op;

	(void)state;
	for (n = 0; n < 100000; n++) {
		do {
			op = machine_random() % t->num;
		} while (!t->rows[op].op);
		encode(words, op, machine_random() & 7, machine_random() & 15);
		any_descriptor(s);
		machine_reset(m, 32);
		for (k = 0; k < 13; k++)
			for (l = 0; l < VGPU_LANES; l++)
				m->w->v[k][l] = any_coordinate();
		m->w->s[VGPU_S_EXEC] = 1U << machine_random() % 32;
		machine_code(m, words, sizeof(words));
		memcpy(&m->w->s[8], s, sizeof(s));
		machine_run(m, 1);
		done += !m->illegal;
	}
	assert_true(done > n / 8);
	machine_free(m);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nothing_there),
		cmocka_unit_test(test_exceptions_stay),
		cmocka_unit_test(test_slice),
		cmocka_unit_test(test_any_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
