// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See program.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_wave.h"
#include "kernels_cpu.h"
#include "program.h"
#include "rows.h"

/* Where things are */
#define VA_CODE		GPU_VA
#define VA_KERNARG	(GPU_VA + 0xa000)
#define VA_CTL		(GPU_VA + 0xb000)
#define VA_IN		(GPU_VA + 0xc000)
#define VA_OUT		(GPU_VA + 0xe000)
#define VA_SCRATCH	(GPU_VA + 0x20000)
#define IN_WORDS	4
#define OUT_WORDS	16
#define CTL_WORDS	64

static void set_kernel(struct vgpu_wave *w, const struct codeobj_kernel *k)
{
	static const struct kernel_where where = {
		.image = VA_CODE, .kernarg = VA_KERNARG, .scratch = VA_SCRATCH,
	};

	memset(w->s, 0, VGPU_S_TTMP0 * 4);
	memset(w->v, 0, sizeof(w->v));
	kernel_wave(w, k, &where, 0, 0);
}

void program_begin(struct pair *p, const struct codeobj *co, const char *name,
		   unsigned int lanes)
{
	static u32 in[64 * IN_WORDS], out[64 * OUT_WORDS], ctl[CTL_WORDS];
	const u64 args[4] = { VA_OUT, VA_IN, VA_CTL, lanes };
	struct codeobj_kernel k;
	unsigned int n;

	assert_int_equal(codeobj_find(co, name, &k), 0);
	assert_true(co->size <= VA_KERNARG - VA_CODE);
	assert_true(VA_SCRATCH + (u64)k.private_size * lanes <= PAIR_HANDLER);
	for (n = 0; n < ARRAY_SIZE(in); n++)
		in[n] = n * 0x9e3779b9U >> (n % 5 * 6);
	for (n = 0; n < CTL_WORDS; n++)
		ctl[n] = n * 0x01010101;
	pair_write(p, VA_CODE, co->image, co->size);
	pair_write(p, VA_KERNARG, args, sizeof(args));
	pair_write(p, VA_IN, in, sizeof(in));
	pair_write(p, VA_CTL, ctl, sizeof(ctl));
	pair_write(p, VA_OUT, out, sizeof(out));
	pair_wave(p, lanes);
	set_kernel(p->a, &k);
	set_kernel(p->d, &k);
}

static const char *code_objects[2];

int program_arguments(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: %s WAVE32 WAVE64 RESULTS...\n", argv[0]);
		return 2;
	}
	if (!results_read(argv + 3, argc - 3)) {
		printf("1..0 # SKIP llvm-mc-19 is not there\n");
		return 77;
	}
	code_objects[0] = argv[1];
	code_objects[1] = argv[2];
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return 0;
}

void program_all(program_test *test, int arg)
{
	const struct cpu_kernel *cpu;
	struct codeobj co;
	struct pair p;
	unsigned int n;

	for (n = 0; n < 2; n++) {
		assert_int_equal(codeobj_load(&co, code_objects[n]), 0);
		pair_new(&p);
		for (cpu = cpu_kernels; cpu->name; cpu++)
			test(&p, &co, cpu->name, n ? 64 : 32, arg);
		pair_free(&p);
		codeobj_unload(&co);
	}
}
