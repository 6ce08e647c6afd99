// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the texels of images are, against AMD's address library: what it says
 * of arbitrary texels is in images/image_addresses.inc.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "isa/image.h"
#include "machine.h"

#define BASE	0x123450000ULL

static const struct row {
	u32 deep, mode, size, width, height, slices, levels, pipe_xor;
	u32 level, x, y, z;
	u64 address;
} rows[] = {
#include "images/image_addresses.inc"
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

static void test_addresses(void **state)
{
	struct vgpu_mimg m = { .dmask = 1 };
	struct vgpu_insn i = { .op = VGPU_OP_IMAGE_LOAD, .mimg = &m,
			       .saddr = 8, .format = VGPU_FMT_MIMG };
	struct machine *mach = machine_new();
	struct vgpu_isa_state c = { .w = mach->w, .isa = &vgpu_isa_gfx10_3 };
	unsigned int n, bad = 0;
	struct vgpu_image im;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(rows); n++) {
		const struct row *t = &rows[n];
		u64 at;

		describe(t, &mach->w->s[8]);
		assert_true(vgpu_image_read(&c, &i, &im));
		at = vgpu_image_address(&im, t->level, t->x, t->y, t->z) - BASE;
		if (at == t->address)
			continue;
		bad++;
		print_message("mode %u, %u bytes, %ux%ux%u%s, level %u of %u, %u %u %u: 0x%llx, the library: 0x%llx\n",
			      t->mode, 1 << t->size, t->width, t->height,
			      t->slices, t->deep ? " deep" : "", t->level,
			      t->levels, t->x, t->y, t->z,
			      (unsigned long long)at,
			      (unsigned long long)t->address);
	}
	assert_int_equal(bad, 0);
	assert_true(n > 900);
	machine_free(mach);
}

/* What is not modelled is refused, not guessed. */
static void test_refused(void **state)
{
	struct vgpu_mimg m = { .dmask = 1 };
	struct vgpu_insn i = { .op = VGPU_OP_IMAGE_LOAD, .mimg = &m,
			       .saddr = 8, .format = VGPU_FMT_MIMG };
	struct machine *mach = machine_new();
	struct vgpu_isa_state c = { .w = mach->w, .isa = &vgpu_isa_gfx10_3 };
	u32 *r = &mach->w->s[8];
	struct vgpu_image im;

	(void)state;
	describe(&rows[0], r);
	assert_true(vgpu_image_read(&c, &i, &im));
	r[6] = 1 << 21;			/* compressed */
	assert_false(vgpu_image_read(&c, &i, &im));
	describe(&rows[0], r);
	r[3] = (r[3] & 0x0fffffff) | 14U << 28;		/* several samples */
	assert_false(vgpu_image_read(&c, &i, &im));
	describe(&rows[0], r);
	r[1] = (r[1] & ~(0x1ffU << 20)) | 169 << 20;	/* BC1_UNORM */
	assert_false(vgpu_image_read(&c, &i, &im));
	describe(&rows[0], r);
	r[3] = (r[3] & ~(0x1fU << 20)) | 11 << 20;	/* no such mode */
	assert_false(vgpu_image_read(&c, &i, &im));
	describe(&rows[0], r);
	m.r128 = true;
	assert_false(vgpu_image_read(&c, &i, &im));
	machine_free(mach);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
