// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Results of single instructions: files in results/ have, line by line, an
 * instruction, what registers and memory hold before it and what it changes.
 * Whatever a line does not say must stay as it was. Every operation that is
 * implemented must have a line. The format is described in README.md.
 *
 * usage: test_results FILE...
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

#define DATA		(MACHINE_BASE + 0x10000)
#define DATA_SIZE	4096
#define MAX_LINE	512
#define MAX_ROWS	4096
#define HWREG_SH_MEM_BASES 15

/* SQ_WAVE_STATUS, gc_10_3_0_sh_mask.h (Linux 6.1) */
#define STATUS_PRIV	BIT(5)
#define STATUS_TRAP_EN	BIT(6)
/* Made of other state: SCC, EXECZ, VCCZ, IN_BARRIER */
#define STATUS_MADE	(BIT(0) | BIT(9) | BIT(10) | BIT(12))

struct row {
	char *text;		/* the whole line */
	const char *file;
	unsigned int line;
	unsigned int lanes;
	char *insn, *before, *after;
	u32 words[VGPU_MAX_WORDS];
	unsigned int num_words;
};

/* What is compared: the wave, memory, and what the machine wrote down. */
struct state {
	struct vgpu_wave w;
	u8 data[DATA_SIZE];
	u8 lds[MACHINE_LDS];
	unsigned int ended, illegal, barriers, messages, complaints, faults;
	u32 mode, status, trapsts, excp;	/* as registers have them */
	u32 bases;
	int s_trap;
	u32 quirk[VGPU_NUM_QUIRKS];	/* set before, not compared */
};

static struct row rows[MAX_ROWS];
static unsigned int num_rows, failed, count;
static bool op_seen[VGPU_NUM_OPS];

static void fatal(const struct row *r, const char *why, const char *what)
{
	printf("Bail out! %s:%u: %s: %s\n", r->file, r->line, why, what);
	exit(1);
}

static char *trim(char *s)
{
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = 0;
	return s;
}

static void read_file(const char *path)
{
	char line[MAX_LINE];
	unsigned int n = 0;
	FILE *f = fopen(path, "r");

	if (!f) {
		printf("Bail out! %s: %s\n", path, strerror(errno));
		exit(1);
	}
	while (fgets(line, sizeof(line), f)) {
		struct row *r = &rows[num_rows];
		char *s = trim(line), *colon, *arrow;

		n++;
		if (!*s || *s == '#')
			continue;
		*r = (struct row){ .text = strdup(s), .file = path, .line = n,
				   .lanes = 32 };
		s = strdup(s);
		if (!strncmp(s, "64 ", 3)) {
			r->lanes = 64;
			s += 3;
		}
		/* " : ", as hardware registers have commas and brackets. */
		colon = strstr(s, " : ");
		arrow = strstr(s, "->");
		if (!colon || !arrow || arrow < colon || num_rows + 1 >= MAX_ROWS)
			fatal(r, "not \"instruction : before -> after\"", r->text);
		*colon = 0;
		*arrow = 0;
		r->insn = trim(s);
		r->before = trim(colon + 3);
		r->after = trim(arrow + 2);
		num_rows++;
	}
	fclose(f);
}

/* All lines of one wave size through one llvm-mc. False: there is none. */
static bool assemble(unsigned int lanes)
{
	char path[] = "/tmp/test_results.XXXXXX", cmd[256], line[MAX_LINE];
	int fd = mkstemp(path);
	unsigned int n = 0, lines = 0;
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!f)
		return false;
	for (n = 0; n < num_rows; n++) {
		if (rows[n].lanes == lanes)
			lines += fprintf(f, "%s\n", rows[n].insn) > 0;
	}
	fclose(f);
	snprintf(cmd, sizeof(cmd),
		 "llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx1033 %s -show-encoding %s",
		 lanes == 64 ? "-mattr=-wavefrontsize32,+wavefrontsize64" : "",
		 path);
	f = popen(cmd, "r");
	for (n = 0; f && fgets(line, sizeof(line), f);) {
		char *s = strstr(line, "encoding: [");
		u8 *to;

		if (!s)
			continue;
		while (n < num_rows && rows[n].lanes != lanes)
			n++;
		if (n == num_rows)
			break;
		to = (u8 *)rows[n].words;
		for (s += 10; *s == '[' || *s == ','; rows[n].num_words++)
			*to++ = (u8)strtoul(s + 1, &s, 16);
		rows[n].num_words /= 4;
		n++;
		lines--;
	}
	if (f)
		pclose(f);
	unlink(path);
	/* One that is wrong would shift all others. */
	if (f && n && lines) {
		printf("Bail out! llvm-mc-19 takes not all instructions\n");
		exit(1);
	}
	return n;
}

/* A number: 12, 0x1f, 1.5f (float), 1.5d (double), &0x10 (address of data) */
static u64 value(const struct row *r, char **s)
{
	char *p = *s;
	size_t len = strcspn(p, ",} ");
	u64 v;

	if (*p == '&')
		return DATA + strtoull(p + 1, s, 0);
	if (strncmp(p, "0x", 2) && strncmp(p, "-0x", 3) && len &&
	    (p[len - 1] == 'f' || p[len - 1] == 'd')) {
		double d = strtod(p, s);
		float f = (float)d;

		if (*s != p + len - 1)
			fatal(r, "not a number", p);
		++*s;
		memcpy(&v, &d, 8);
		if (p[len - 1] == 'f') {
			v = 0;
			memcpy(&v, &f, 4);
		}
		return v;
	}
	v = *p == '-' ? (u64)strtoll(p, s, 0) : strtoull(p, s, 0);
	if (*s == p)
		fatal(r, "not a number", p);
	return v;
}

/* "4" or "4:5" in brackets, or a plain number. Returns how many registers. */
static unsigned int range(char **s, unsigned int *first)
{
	unsigned int last;

	if (**s != '[') {
		*first = strtoul(*s, s, 10);
		return 1;
	}
	*first = strtoul(*s + 1, s, 10);
	last = **s == ':' ? strtoul(*s + 1, s, 10) : *first;
	++*s;
	return last - *first + 1;
}

static void set_lane(struct state *st, unsigned int reg, unsigned int num,
		     unsigned int lane, u64 v)
{
	st->w.v[reg][lane] = (u32)v;
	if (num > 1)
		st->w.v[reg + 1][lane] = v >> 32;
}

/* A VGPR: one value for all (active) lanes, or {lane 0, lane 1, ...} */
static void set_vgpr(const struct row *r, struct state *st, char **s, u64 lanes)
{
	unsigned int first, num, lane = 0;
	u64 v;

	num = range(s, &first);
	if (**s != '=' || first + num > VGPU_NUM_VGPRS)
		fatal(r, "not a VGPR", *s);
	++*s;
	if (**s != '{') {
		v = value(r, s);
		for (lane = 0; lane < VGPU_LANES; lane++) {
			if (lanes >> lane & 1)
				set_lane(st, first, num, lane, v);
		}
		return;
	}
	do {
		++*s;
		/* "-": this lane is not touched */
		if (**s == '-' && ((*s)[1] == ',' || (*s)[1] == '}'))
			++*s;
		else
			set_lane(st, first, num, lane, value(r, s));
		lane++;
	} while (**s == ',');
	if (*(*s)++ != '}')
		fatal(r, "no }", *s);
}

static u32 *scalar_field(struct state *st, const char *name, size_t len)
{
	static const struct {
		const char *name;
		size_t offset;
	} fields[] = {
		{ "vcc_lo", offsetof(struct state, w.s[VGPU_S_VCC]) },
		{ "vcc_hi", offsetof(struct state, w.s[VGPU_S_VCC + 1]) },
		{ "exec_lo", offsetof(struct state, w.s[VGPU_S_EXEC]) },
		{ "exec_hi", offsetof(struct state, w.s[VGPU_S_EXEC + 1]) },
		{ "m0", offsetof(struct state, w.s[VGPU_S_M0]) },
		{ "scc", offsetof(struct state, w.scc) },
		{ "mode", offsetof(struct state, mode) },
		{ "status", offsetof(struct state, status) },
		{ "trapsts", offsetof(struct state, trapsts) },
		{ "stop", offsetof(struct state, w.stop) },
		{ "ended", offsetof(struct state, ended) },
		{ "illegal", offsetof(struct state, illegal) },
		{ "barriers", offsetof(struct state, barriers) },
		{ "messages", offsetof(struct state, messages) },
		{ "complaints", offsetof(struct state, complaints) },
		{ "faults", offsetof(struct state, faults) },
		{ "excp", offsetof(struct state, excp) },
		{ "trap", offsetof(struct state, s_trap) },
		{ "bases", offsetof(struct state, bases) },
		{ "vgprs", offsetof(struct state, w.num_vgprs) },
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(fields); n++) {
		if (strlen(fields[n].name) == len &&
		    !strncmp(fields[n].name, name, len))
			return (u32 *)((char *)st + fields[n].offset);
	}
	return NULL;
}

static void set_sgprs(const struct row *r, struct state *st, char **s,
		      unsigned int base)
{
	unsigned int first, num, n;
	u64 v;

	num = range(s, &first);
	if (*(*s)++ != '=')
		fatal(r, "no =", *s);
	if (**s != '{') {
		v = value(r, s);
		st->w.s[base + first] = (u32)v;
		if (num == 2)
			st->w.s[base + first + 1] = v >> 32;
		return;
	}
	for (n = 0; n < num; n++) {
		++*s;
		st->w.s[base + first + n] = (u32)value(r, s);
	}
	if (*(*s)++ != '}')
		fatal(r, "no }", *s);
}

static void set_quirk(const struct row *r, struct state *st, char **s)
{
	size_t len = strcspn(*s, "=");
	unsigned int n;

	for (n = 0; n < VGPU_NUM_QUIRKS; n++) {
		const char *name = vgpu_quirk_name(n);

		if (strlen(name) != len || strncmp(name, *s, len))
			continue;
		*s += len + 1;
		st->quirk[n] = (u32)value(r, s);
		return;
	}
	fatal(r, "no such quirk", *s);
}

/* One "register=value" */
static void assign(const struct row *r, struct state *st, char **s, u64 lanes)
{
	size_t len = strcspn(*s, "=");
	u32 *field = scalar_field(st, *s, len);
	u64 v;

	if (field) {
		*s += len + 1;
		v = value(r, s);
		*field = (u32)v;
	} else if (!strncmp(*s, "scratch=", 8)) {
		*s += 8;
		st->w.flat_scratch = value(r, s);
	} else if (!strncmp(*s, "quirk.", 6)) {
		*s += 6;
		set_quirk(r, st, s);
	} else if (!strncmp(*s, "pc=", 3)) {
		*s += 3;
		st->w.pc = MACHINE_BASE + 4 * value(r, s);
	} else if (!strncmp(*s, "vcc=", 4) || !strncmp(*s, "exec=", 5)) {
		u32 *reg = &st->w.s[**s == 'v' ? VGPU_S_VCC : VGPU_S_EXEC];

		*s += len + 1;
		v = value(r, s);
		reg[0] = (u32)v;
		reg[1] = v >> 32;
	} else if (!strncmp(*s, "ttmp", 4)) {
		*s += 4;
		set_sgprs(r, st, s, VGPU_S_TTMP0);
	} else if (!strncmp(*s, "m+", 2) || !strncmp(*s, "l+", 2)) {
		bool lds = **s == 'l';
		u64 at;

		*s += 2;
		at = strtoull(*s, s, 0);
		if (*(*s)++ != '=' || at + 4 > (lds ? MACHINE_LDS : DATA_SIZE))
			fatal(r, "not a place in memory", *s);
		v = value(r, s);
		memcpy((lds ? st->lds : st->data) + at, &v, 4);
	} else if (**s == 's') {
		++*s;
		set_sgprs(r, st, s, 0);
	} else if (**s == 'v') {
		++*s;
		set_vgpr(r, st, s, lanes);
	} else {
		fatal(r, "what is this", *s);
	}
}

static void assign_all(const struct row *r, struct state *st, const char *text,
		       u64 lanes)
{
	char *copy = strdup(text), *s = copy;

	while (*s) {
		assign(r, st, &s, lanes);
		if (*s && !isspace((unsigned char)*s))
			fatal(r, "no blank between", s);
		while (isspace((unsigned char)*s))
			s++;
	}
	free(copy);
}

/* The members of the wave that its registers are made of. */
static void set_registers(struct machine *m, const struct state *st)
{
	machine_set_reg(m, VGPU_HWREG_MODE, st->mode);
	machine_set_reg(m, VGPU_HWREG_TRAPSTS, st->trapsts);
	machine_set_reg(m, VGPU_HWREG_STATUS, st->status | st->w.scc);
	/* What no instruction can set */
	m->w->priv = st->status & STATUS_PRIV;
	m->w->trap_en = st->status & STATUS_TRAP_EN;
}

static void observe(struct machine *m, struct state *st)
{
	st->w = *m->w;
	memcpy(st->data, machine_mem(m, DATA), DATA_SIZE);
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

static bool differ(const struct row *r, const char *what, unsigned int n,
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

static unsigned int compare_memory(const struct row *r, const char *name,
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

static unsigned int compare(const struct row *r, const struct state *got,
			    const struct state *want)
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
	bad += compare_memory(r, "m+", got->data, want->data, DATA_SIZE);
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

/* Registers that no line mentions have values of their own. */
static void fill(struct state *st)
{
	unsigned int n, lane;

	for (n = 0; n < VGPU_NUM_QUIRKS; n++)
		st->quirk[n] = vgpu_quirk_default(n);
	for (n = 0; n < VGPU_S_VCC; n++)
		st->w.s[n] = 0xa5000000 + n;
	for (n = 0; n < VGPU_NUM_VGPRS; n++) {
		for (lane = 0; lane < VGPU_LANES; lane++)
			st->w.v[n][lane] = 0x5a000000 + n * 0x100 + lane;
	}
	for (n = 0; n < DATA_SIZE; n++)
		st->data[n] = (u8)(n * 7 + 3);
	for (n = 0; n < MACHINE_LDS; n++)
		st->lds[n] = (u8)(n * 5 + 1);
}

/* Lists of lanes come with an EXEC of as many lanes, unless it is given. */
static u64 list_exec(const struct row *r)
{
	const char *s = strstr(r->before, "={"), *v = r->before;
	unsigned int n = 1;

	/* Only VGPRs have lists of lanes. */
	while ((s = strstr(v, "={"))) {
		const char *name = s;

		while (name > r->before && name[-1] != ' ')
			name--;
		if (*name == 'v')
			break;
		v = s + 2;
	}
	if (!s)
		return r->lanes == 64 ? ~0ULL : 0xffffffff;
	for (; *s && *s != '}'; s++)
		n += *s == ',';
	return n == 64 ? ~0ULL : BIT_ULL(n) - 1;
}

static void run_row(struct machine *m, const struct row *r, const char *variant)
{
	const struct vgpu_isa_row *isa_row = NULL;
	static struct state before, want, got;
	struct vgpu_fields f;
	unsigned int bad, n;

	if (!r->num_words)
		fatal(r, "llvm-mc made nothing of", r->insn);
	machine_reset(m, r->lanes);
	machine_code(m, r->words, r->num_words * 4);
	memset(machine_mem(m, MACHINE_BASE + r->num_words * 4), 0, 64);
	observe(m, &before);
	fill(&before);
	before.w.s[VGPU_S_EXEC] = (u32)list_exec(r);
	before.w.s[VGPU_S_EXEC + 1] = list_exec(r) >> 32;
	assign_all(r, &before, r->before, ~0ULL);
	*m->w = before.w;
	set_registers(m, &before);
	memcpy(machine_mem(m, DATA), before.data, DATA_SIZE);
	memcpy(m->lds, before.lds, MACHINE_LDS);
	m->s_trap = before.s_trap;
	for (n = 0; n < VGPU_NUM_QUIRKS; n++)
		vgpu_quirk_set(&m->g, vgpu_quirk_name(n), before.quirk[n]);
	m->hwreg[HWREG_SH_MEM_BASES] = before.bases;

	want = before;
	want.w.pc = MACHINE_BASE + r->num_words * 4;
	assign_all(r, &want, r->after, vgpu_wave_exec(&before.w) &
		   (r->lanes == 64 ? ~0ULL : 0xffffffff));
	/* What was raised is also kept. */
	want.trapsts |= want.excp;
	vgpu_isa_run(&m->g, m->w, 1);
	observe(m, &got);
	bad = compare(r, &got, &want);
	failed += !!bad;
	printf("%sok %u - %s%s\n", bad ? "not " : "", ++count, r->insn, variant);
	if (vgpu_isa_gfx10_3.decode(r->words, &f))
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

	for (n = 0; n < num_rows; n++)
		run_row(m, &rows[n], variant);
	machine_free(m);
}

int main(int argc, char **argv)
{
	int n;

	for (n = 1; n < argc; n++)
		read_file(argv[n]);
	if (!assemble(32) || !assemble(64) || !num_rows ||
	    !rows[0].num_words) {
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
