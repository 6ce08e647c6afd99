// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the lines of results/: see results.h.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

#define MAX_LINE	512
#define MAX_ROWS	4096

static struct results_row rows[MAX_ROWS];
static unsigned int num_rows;

static void fatal(const struct results_row *r, const char *why, const char *what)
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
		struct results_row *r = &rows[num_rows];
		char *s = trim(line), *colon, *arrow;

		n++;
		if (!*s || *s == '#')
			continue;
		*r = (struct results_row){ .text = strdup(s), .file = path, .line = n,
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
		r->code.text = trim(s);
		r->before = trim(colon + 3);
		r->after = trim(arrow + 2);
		num_rows++;
	}
	fclose(f);
}

/* All lines of one wave size through one llvm-mc. False: there is none. */
static bool assemble(unsigned int lanes)
{
	static struct mc_insn *insns[MAX_ROWS];
	unsigned int n, num = 0;

	for (n = 0; n < num_rows; n++) {
		if (rows[n].lanes == lanes)
			insns[num++] = &rows[n].code;
	}
	return mc_encode(insns, num, lanes);
}

/* A number: 12, 0x1f, 1.5f (float), 1.5d (double), &0x10 (address of data) */
static u64 value(const struct results_row *r, char **s)
{
	char *p = *s;
	size_t len = strcspn(p, ",} ");
	u64 v;

	if (*p == '&')
		return RESULTS_DATA + strtoull(p + 1, s, 0);
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

static void set_lane(struct results_state *st, unsigned int reg, unsigned int num,
		     unsigned int lane, u64 v)
{
	st->w.v[reg][lane] = (u32)v;
	if (num > 1)
		st->w.v[reg + 1][lane] = v >> 32;
}

/* A VGPR: one value for all (active) lanes, or {lane 0, lane 1, ...} */
static void set_vgpr(const struct results_row *r, struct results_state *st, char **s, u64 lanes)
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

static u32 *scalar_field(struct results_state *st, const char *name, size_t len)
{
	static const struct {
		const char *name;
		size_t offset;
	} fields[] = {
		{ "vcc_lo", offsetof(struct results_state, w.s[VGPU_S_VCC]) },
		{ "vcc_hi", offsetof(struct results_state, w.s[VGPU_S_VCC + 1]) },
		{ "exec_lo", offsetof(struct results_state, w.s[VGPU_S_EXEC]) },
		{ "exec_hi", offsetof(struct results_state, w.s[VGPU_S_EXEC + 1]) },
		{ "m0", offsetof(struct results_state, w.s[VGPU_S_M0]) },
		{ "scc", offsetof(struct results_state, w.scc) },
		{ "mode", offsetof(struct results_state, mode) },
		{ "status", offsetof(struct results_state, status) },
		{ "trapsts", offsetof(struct results_state, trapsts) },
		{ "stop", offsetof(struct results_state, w.stop) },
		{ "ended", offsetof(struct results_state, ended) },
		{ "illegal", offsetof(struct results_state, illegal) },
		{ "barriers", offsetof(struct results_state, barriers) },
		{ "messages", offsetof(struct results_state, messages) },
		{ "complaints", offsetof(struct results_state, complaints) },
		{ "faults", offsetof(struct results_state, faults) },
		{ "excp", offsetof(struct results_state, excp) },
		{ "trap", offsetof(struct results_state, s_trap) },
		{ "bases", offsetof(struct results_state, bases) },
		{ "vgprs", offsetof(struct results_state, w.num_vgprs) },
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(fields); n++) {
		if (strlen(fields[n].name) == len &&
		    !strncmp(fields[n].name, name, len))
			return (u32 *)((char *)st + fields[n].offset);
	}
	return NULL;
}

static void set_sgprs(const struct results_row *r, struct results_state *st, char **s,
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

static void set_quirk(const struct results_row *r, struct results_state *st, char **s)
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
static void assign(const struct results_row *r, struct results_state *st, char **s, u64 lanes)
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
		if (*(*s)++ != '=' || at + 4 > (lds ? MACHINE_LDS : RESULTS_SIZE))
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

static void assign_all(const struct results_row *r, struct results_state *st, const char *text,
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

/* Registers that no line mentions have values of their own. */
static void fill(struct results_state *st)
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
	for (n = 0; n < RESULTS_SIZE; n++)
		st->data[n] = (u8)(n * 7 + 3);
	for (n = 0; n < MACHINE_LDS; n++)
		st->lds[n] = (u8)(n * 5 + 1);
}

/* Lists of lanes come with an EXEC of as many lanes, unless it is given. */
static u64 list_exec(const struct results_row *r)
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

void results_before(const struct results_row *r, struct results_state *st)
{
	fill(st);
	st->w.s[VGPU_S_EXEC] = (u32)list_exec(r);
	st->w.s[VGPU_S_EXEC + 1] = list_exec(r) >> 32;
	assign_all(r, st, r->before, ~0ULL);
}

void results_after(const struct results_row *r, struct results_state *st)
{
	u64 exec = vgpu_wave_exec(&st->w);

	st->w.pc = MACHINE_BASE + r->code.num_words * 4;
	assign_all(r, st, r->after, exec & (r->lanes == 64 ? ~0ULL : 0xffffffff));
	/* What was raised is also kept. */
	st->trapsts |= st->excp;
}

const struct results_row *results_row(unsigned int n)
{
	return n < num_rows ? &rows[n] : NULL;
}

bool results_read(char *const *paths, unsigned int num)
{
	unsigned int n;

	for (n = 0; n < num; n++)
		read_file(paths[n]);
	if (!assemble(32) || !assemble(64) || !num_rows || !rows[0].code.num_words)
		return false;
	for (n = 0; n < num_rows; n++) {
		if (!rows[n].code.num_words)
			fatal(&rows[n], "llvm-mc made nothing of", rows[n].code.text);
	}
	return true;
}
