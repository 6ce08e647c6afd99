// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Results of single instructions: each line of the files in results/ has an instruction, the
 * contents of registers and memory before it, and what it changes. Everything else must not
 * change. Every operation that is implemented must have a line. The format is described in
 * README.md.
 *
 * usage: test_results FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

#define HWREG_SH_MEM_BASES 15

/* SQ_WAVE_STATUS, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define STATUS_PRIV	BIT(5)
#define STATUS_TRAP_EN	BIT(6)
/* Made of other state: SCC, EXECZ, VCCZ, IN_BARRIER */
#define STATUS_MADE	(BIT(0) | BIT(9) | BIT(10) | BIT(12))

static unsigned int failed, count;
static bool op_seen[VGPU_NUM_OPS];

/* The members of the wave that its registers are made of. */
static void set_registers(struct machine *m, const struct results_state *st)
{
	machine_set_reg(m, VGPU_HWREG_MODE, st->mode);
	machine_set_reg(m, VGPU_HWREG_TRAPSTS, st->trapsts);
	machine_set_reg(m, VGPU_HWREG_STATUS, st->status | st->w.scc);
	/* What no instruction can set */
	m->w->priv = st->status & STATUS_PRIV;
	m->w->trap_en = st->status & STATUS_TRAP_EN;
}

static void observe(struct machine *m, struct results_state *st)
{
	st->w = *m->w;
	memcpy(st->data, machine_mem(m, RESULTS_DATA), RESULTS_SIZE);
	memcpy(st->lds, m->lds, MACHINE_LDS);
	st->ended = m->ended;
	st->illegal = m->illegal;
	st->barriers = m->barriers;
	st->messages = m->messages;
	st->complaints = m->complaints;
	st->faults = m->faults;
	st->mode = machine_reg(m, VGPU_HWREG_MODE);
	st->status = machine_reg(m, VGPU_HWREG_STATUS) & ~STATUS_MADE;
	st->trapsts = machine_reg(m, VGPU_HWREG_TRAPSTS);
	st->excp = machine_trapsts(m, m->exceptions);
	st->bases = m->hwreg[HWREG_SH_MEM_BASES];
	st->s_trap = m->s_trap;
}

static bool differ(const struct results_row *r, const char *what, unsigned int n,
		   unsigned int lane, u64 got, u64 want)
{
	if (got == want)
		return false;
	printf("# %s:%u: %s\n#   %s%u[%u] is 0x%llx, expected 0x%llx\n",
	       r->file, r->line, r->text, what, n, lane,
	       (unsigned long long)got, (unsigned long long)want);
	return true;
}

/*
 * 0x7fc0dead is any quiet NaN, 0x7ff8dead the upper half of a 64-bit one; of any
 * other value 0xdead is one of 16 bits.
 */
static bool same_value(u32 got, u32 want)
{
	if (want == 0x7fc0dead)
		return (got & 0x7fc00000) == 0x7fc00000;
	if (want == 0x7ff8dead)
		return (got & 0x7ff80000) == 0x7ff80000;
	if ((want & 0xffff) == 0xdead)
		return (got & 0x7e00) == 0x7e00 && got >> 16 == want >> 16;
	return got == want;
}

static unsigned int compare_memory(const struct results_row *r, const char *name,
				   const u8 *got, const u8 *want, size_t size)
{
	unsigned int n, bad = 0;

	for (n = 0; n < size; n += 4) {
		u32 a, b;

		memcpy(&a, got + n, 4);
		memcpy(&b, want + n, 4);
		bad += differ(r, name, n, 0, a, b);
	}
	return bad;
}

static unsigned int compare(const struct results_row *r, const struct results_state *got,
			    const struct results_state *want)
{
	unsigned int n, lane, bad = 0;

	for (n = 0; n < ARRAY_SIZE(got->w.s); n++)
		bad += differ(r, "s", n, 0, got->w.s[n], want->w.s[n]);
	for (n = 0; n < VGPU_NUM_VGPRS; n++) {
		for (lane = 0; lane < VGPU_LANES; lane++) {
			if (!same_value(got->w.v[n][lane], want->w.v[n][lane]))
				bad += differ(r, "v", n, lane,
					      got->w.v[n][lane],
					      want->w.v[n][lane]);
		}
	}
	bad += compare_memory(r, "m+", got->data, want->data, RESULTS_SIZE);
	bad += compare_memory(r, "l+", got->lds, want->lds, MACHINE_LDS);
	bad += differ(r, "pc", 0, 0, got->w.pc - MACHINE_BASE,
		      want->w.pc - MACHINE_BASE);
	bad += differ(r, "scc", 0, 0, got->w.scc, want->w.scc);
	bad += differ(r, "mode", 0, 0, got->mode, want->mode);
	bad += differ(r, "status", 0, 0, got->status, want->status);
	bad += differ(r, "trapsts", 0, 0, got->trapsts, want->trapsts);
	bad += differ(r, "stop", 0, 0, got->w.stop, want->w.stop);
	bad += differ(r, "scratch", 0, 0, got->w.flat_scratch,
		      want->w.flat_scratch);
	bad += differ(r, "ended", 0, 0, got->ended, want->ended);
	bad += differ(r, "illegal", 0, 0, got->illegal, want->illegal);
	bad += differ(r, "barriers", 0, 0, got->barriers, want->barriers);
	bad += differ(r, "messages", 0, 0, got->messages, want->messages);
	bad += differ(r, "complaints", 0, 0, got->complaints, want->complaints);
	bad += differ(r, "faults", 0, 0, got->faults, want->faults);
	bad += differ(r, "excp", 0, 0, got->excp, want->excp);
	bad += differ(r, "trap", 0, 0, (u32)got->s_trap, (u32)want->s_trap);
	return bad;
}

static void run_row(struct machine *m, const struct results_row *r, const char *variant)
{
	const struct vgpu_isa_row *isa_row = NULL;
	static struct results_state before, want, got;
	struct vgpu_fields f;
	unsigned int bad, n;

	machine_reset(m, r->lanes);
	machine_code(m, r->code.words, r->code.num_words * 4);
	memset(machine_mem(m, MACHINE_BASE + r->code.num_words * 4), 0, 64);
	observe(m, &before);
	results_before(r, &before);
	*m->w = before.w;
	set_registers(m, &before);
	memcpy(machine_mem(m, RESULTS_DATA), before.data, RESULTS_SIZE);
	memcpy(m->lds, before.lds, MACHINE_LDS);
	m->s_trap = before.s_trap;
	for (n = 0; n < VGPU_NUM_QUIRKS; n++)
		vgpu_quirk_set(&m->g, vgpu_quirk_name(n), before.quirk[n]);
	m->hwreg[HWREG_SH_MEM_BASES] = before.bases;

	want = before;
	results_after(r, &want);
	vgpu_isa_run(&m->g, m->w, 1);
	observe(m, &got);
	bad = compare(r, &got, &want);
	failed += !!bad;
	printf("%sok %u - %s%s\n", bad ? "not " : "", ++count, r->code.text, variant);
	if (vgpu_isa_gfx10_3.decode(r->code.words, &f))
		isa_row = vgpu_isa_row(&vgpu_isa_gfx10_3, &f);
	if (isa_row)
		op_seen[isa_row->op] = true;
}

static void check_all_seen(void)
{
	unsigned int op, missing = 0;

	for (op = 1; op < VGPU_NUM_OPS; op++) {
		if (op_seen[op])
			continue;
		printf("# no line for %s\n", vgpu_op_info[op].name);
		missing++;
	}
	printf("%sok %u - every operation has a line\n", missing ? "not " : "",
	       ++count);
	failed += !!missing;
}

static void run_all(const char *variant)
{
	struct machine *m = machine_new();
	unsigned int n;

	for (n = 0; results_row(n); n++)
		run_row(m, results_row(n), variant);
	machine_free(m);
}

int main(int argc, char **argv)
{
	if (!results_read(argv + 1, argc - 1)) {
		printf("1..0 # SKIP llvm-mc-19 is not there\n");
		return 77;
	}
	run_all("");
	setenv("VGPU_NO_AVX2", "1", 1);
	run_all(" (without AVX2)");
	check_all_seen();
	printf("1..%u\n", count);
	return failed != 0;
}
