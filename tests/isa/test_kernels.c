// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiled kernels have the same results on the interpreter and on the CPU: in wave32 and
 * wave64, with and without AVX2, also when they are executed one instruction at a time.
 *
 * usage: test_kernels WAVE32_CODE_OBJECT WAVE64_CODE_OBJECT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codeobj.h"
#include "kernel_wave.h"
#include "kernels_cpu.h"
#include "machine.h"

#define ITEMS		1500	/* not a multiple of a wave */
#define GROUP		64
#define IN_WORDS	4
#define OUT_WORDS	16
#define CTL_WORDS	64

#define VA_IMAGE	MACHINE_BASE
#define VA_KERNARG	(MACHINE_BASE + 0x100000)
#define VA_CTL		(MACHINE_BASE + 0x101000)
#define VA_IN		(MACHINE_BASE + 0x200000)
#define VA_OUT		(MACHINE_BASE + 0x300000)
#define VA_SCRATCH	(MACHINE_BASE + 0x1000000)

static unsigned int count, failed;

static void result(bool ok, const char *name, const char *variant)
{
	printf("%sok %u - %s %s\n", ok ? "" : "not ", ++count, name, variant);
	failed += !ok;
}

static u32 random_float(bool high_half)
{
	static const u32 special[] = {
		0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
		0x7fc00000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
		0x7f000000, 0x00400000, 0x3f7fffff, 0x4b000000, 0x33800000,
	};
	u32 r = machine_random();

	if (!(r & 7))
		r = special[machine_random() % ARRAY_SIZE(special)];
	else if (!(r & 0x18))	/* about 1 */
		r = (r & 0x807fffff) | (120 + machine_random() % 16) << 23;
	/* The same specials, with the wider exponent of a double */
	if (high_half && !(machine_random() & 3))
		r = (r & 0x80000000) | (machine_random() & 1 ? 0x7ff00000 : 0x000fffff);
	return r;
}

static u32 input(enum input kind, unsigned int word)
{
	u32 r = machine_random();

	if (kind == INPUT_FLOAT)
		return random_float(false);
	if (kind == INPUT_DOUBLE)
		return word & 1 ? machine_random() & -(machine_random() & 1) : random_float(true);
	switch (r & 7) {
	case 0:
		return machine_random() & 0xff;
	case 1:
		return -(machine_random() & 0xff);
	case 2:
		return 0;
	}
	return machine_random();
}

static bool run(struct machine *m, const struct codeobj_kernel *k,
		unsigned int lanes, bool slow)
{
	static const struct kernel_where where = {
		.image = VA_IMAGE, .kernarg = VA_KERNARG, .scratch = VA_SCRATCH,
	};
	u32 group, wave;

	for (group = 0; group < (ITEMS + GROUP - 1) / GROUP; group++) {
		for (wave = 0; wave < GROUP / lanes; wave++) {
			machine_reset(m, lanes);
			kernel_wave(m->w, k, &where, group, wave);
			m->w->slow = slow;
			machine_run(m, 10000000);
			if (m->ended == 1 && !m->faults && !m->complaints)
				continue;
			printf("# group %u wave %u pc 0x%llx ended %u faults %u (0x%llx) illegal %u: %s\n",
			       group, wave,
			       (unsigned long long)(m->w->pc - VA_IMAGE),
			       m->ended, m->faults,
			       (unsigned long long)m->fault_va, m->illegal,
			       m->log);
			return false;
		}
	}
	return true;
}

static bool same(const u32 *got, const u32 *want, const u32 *in,
		 unsigned int per_item, unsigned int words)
{
	unsigned int n, shown = 0;

	for (n = 0; n < words; n++) {
		const u32 *item = &in[n / per_item * IN_WORDS];

		if (got[n] == want[n])
			continue;
		if (shown++ < 6)
			printf("# word %u of item %u (%08x %08x %08x %08x): %08x, expected %08x\n",
			       n % per_item, n / per_item, item[0], item[1],
			       item[2], item[3], got[n], want[n]);
	}
	return !shown;
}

static void test(struct machine *m, const struct codeobj *co,
		 const struct cpu_kernel *cpu, unsigned int lanes, bool slow)
{
	static u32 in[(ITEMS + GROUP) * IN_WORDS];
	static u32 out[(ITEMS + GROUP) * OUT_WORDS];
	u32 ctl[CTL_WORDS];
	u64 args[4] = { VA_OUT, VA_IN, VA_CTL, ITEMS };
	struct codeobj_kernel k;
	char variant[48];
	unsigned int n;
	bool ok;

	snprintf(variant, sizeof(variant), "wave%u%s%s", lanes,
		 slow ? " step by step" : "",
		 getenv("VGPU_NO_AVX2") ? " without AVX2" : "");
	if (codeobj_find(co, cpu->name, &k)) {
		printf("# no kernel %s\n", cpu->name);
		result(false, cpu->name, variant);
		return;
	}
	for (n = 0; n < ARRAY_SIZE(in); n++)
		in[n] = input(cpu->input, n);
	memset(out, 0, sizeof(out));
	for (n = 0; n < CTL_WORDS; n++)
		ctl[n] = n * 0x01010101;
	vgpu_isa_invalidate(&m->g, ~0U);
	memcpy(machine_mem(m, VA_IMAGE), co->image, co->size);
	memcpy(machine_mem(m, VA_KERNARG), args, sizeof(args));
	memcpy(machine_mem(m, VA_IN), in, sizeof(in));
	memcpy(machine_mem(m, VA_CTL), ctl, sizeof(ctl));
	memset(machine_mem(m, VA_OUT), 0, sizeof(out));

	for (n = 0; n < ITEMS; n++) {
		cpu_global_id = n;
		cpu->run(out, in, ctl, ITEMS);
	}
	ok = run(m, &k, lanes, slow) &&
	     same((u32 *)machine_mem(m, VA_OUT), out, in, OUT_WORDS,
		  ARRAY_SIZE(out)) &&
	     same((u32 *)machine_mem(m, VA_CTL), ctl, in, CTL_WORDS, CTL_WORDS);
	result(ok, cpu->name, variant);
}

static void test_all(const char *const paths[2])
{
	struct machine *m = machine_new();
	const struct cpu_kernel *cpu;
	struct codeobj co;
	unsigned int n;

	for (n = 0; n < 2; n++) {
		unsigned int lanes = n ? 64 : 32;

		if (codeobj_load(&co, paths[n])) {
			result(false, "code object", paths[n]);
			continue;
		}
		for (cpu = cpu_kernels; cpu->name; cpu++) {
			test(m, &co, cpu, lanes, false);
			test(m, &co, cpu, lanes, true);
		}
		codeobj_unload(&co);
	}
	machine_free(m);
}

int main(int argc, char **argv)
{
	const char *const paths[2] = { argv[1], argc > 2 ? argv[2] : NULL };

	if (argc != 3) {
		fprintf(stderr, "usage: %s WAVE32 WAVE64\n", argv[0]);
		return 2;
	}
	test_all(paths);
	setenv("VGPU_NO_AVX2", "1", 1);
	test_all(paths);
	printf("1..%u\n", count);
	return failed != 0;
}
