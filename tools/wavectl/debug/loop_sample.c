// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds loops of running waves by reading their PCs, without halting them: see loop.h. The loop of
 * a wave is the smallest one of its function that contains all PCs that were read there.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/util.h"
#include "debug/code.h"
#include "debug/insn.h"
#include "debug/loop.h"
#include "waves/hold.h"
#include "waves/plan.h"

#define PCS_MAX		64		/* different PCs of a wave that are kept */
#define FUNCTION_MAX	(1U << 20)	/* bytes of a function that are searched */
#define INTERVAL_NS	1000000

/* A wave, and where it was */
struct sampled {
	struct amdgpudbg_wave_coord at;
	uint32_t lanes;
	uint64_t samples;
	uint64_t pcs[PCS_MAX];
	uint64_t counts[PCS_MAX];
	size_t num_pcs;
};

/* Waves in the same loop, or at the same instruction */
struct found {
	uint64_t from, to;
	bool is_loop;
	const struct sampled *example;
	uint64_t waves, samples;
};

struct sampling {
	struct wavectl *w;
	struct adbg_wave_list *list;
	struct sampled *waves;
	size_t num_waves;
	size_t next;			/* where to look for the next wave of a list */
	uint64_t passes, halted;
	struct found *found;
	size_t num_found;
};

/* --------------------------------------------------------------------- reading PCs */

/* Each list has the same order: begin behind the wave before, whose successor is s->next. */
static struct sampled *find_wave(struct sampling *s, const struct amdgpudbg_wave *wave)
{
	for (size_t n = 0; n < s->num_waves; n++, s->next++) {
		if (s->next >= s->num_waves)
			s->next = 0;
		if (!memcmp(&s->waves[s->next].at, &wave->at, sizeof(wave->at)))
			return &s->waves[s->next++];
	}
	s->waves = xreallocarray(s->waves, s->num_waves + 1, sizeof(*s->waves));
	s->waves[s->num_waves] = (struct sampled){
		.at = wave->at, .lanes = wave->flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32,
	};
	return &s->waves[s->num_waves++];
}

static void add_pc(struct sampled *wave, uint64_t pc)
{
	size_t i = 0;

	while (i < wave->num_pcs && wave->pcs[i] != pc)
		i++;
	if (i == PCS_MAX)
		return;
	wave->pcs[i] = pc;
	wave->counts[i]++;
	wave->num_pcs += i == wave->num_pcs;
	wave->samples++;
}

static int read_once(struct sampling *s)
{
	struct adbgd_process *process = s->w->shell->debugger->process;
	struct amdgpudbg_wave_list what = { .hw_want = AMDGPUDBG_HW_WANT_PC };
	const struct amdgpudbg_wave *wave;
	uint64_t halted = 0;
	int ret;

	ret = adbg_wave_list_fill(s->list, s->w->session, &what);
	if (ret)
		return fail(s->w, ret, "cannot list the waves");
	for (size_t i = 0; (wave = adbg_wave_list_get(s->list, i)); i++) {
		if (!plan_wants(s->w, wave))
			continue;
		if (wave->flags & AMDGPUDBG_WAVE_HALTED)
			halted++;
		/* In its trap handler it is between two instructions of the program. */
		else if (!(wave->flags & AMDGPUDBG_WAVE_PRIV))
			add_pc(find_wave(s, wave), adbgd_wave_get_pc(process, wave));
	}
	s->halted = halted;
	s->passes++;
	return WAVECTL_OK;
}

static int read_all(struct sampling *s, uint64_t ns)
{
	const struct timespec interval = { .tv_nsec = INTERVAL_NS };
	uint64_t end = now_ns() + ns;
	int status;

	do {
		status = read_once(s);
		if (!status)
			nanosleep(&interval, NULL);
	} while (!status && now_ns() < end && !hold_interrupted());
	return status;
}

/* ------------------------------------------------------------------------- loops */

/* Get the PC that was read most often. */
static uint64_t most_frequent(const struct sampled *wave)
{
	size_t best = 0;

	for (size_t i = 1; i < wave->num_pcs; i++)
		if (wave->counts[i] > wave->counts[best])
			best = i;
	return wave->pcs[best];
}

static bool contains(const struct sampled *wave, const struct adbgd_symbol *function,
		     uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < wave->num_pcs; i++) {
		uint64_t pc = wave->pcs[i];

		/* Outside of the function the wave was in one that it calls. */
		if (pc - function->address < function->size && (pc < from || pc > to))
			return false;
	}
	return true;
}

/* Find the smallest loop of the function. */
static void find_loop(struct sampling *s, struct adbgd_disasm *disasm,
		      const struct adbgd_symbol *function, const struct sampled *wave,
		      struct found *f)
{
	uint64_t size = function->size < FUNCTION_MAX ? function->size : FUNCTION_MAX;
	uint64_t va = function->address;
	struct adbgd_insn insn;

	while (va - function->address < size && !hold_interrupted() &&
	       insn_at(s->w, disasm, va, &insn) && insn.size) {
		if ((insn.flow == ADBGD_FLOW_BRANCH || insn.flow == ADBGD_FLOW_COND) &&
		    insn.target <= va && insn.target >= function->address &&
		    (!f->is_loop || va - insn.target < f->to - f->from) &&
		    contains(wave, function, insn.target, va)) {
			f->is_loop = true;
			f->from = insn.target;
			f->to = va;
		}
		va += insn.size;
	}
}

/* Is @f also the place of this wave? Then functions need not be searched again. */
static bool is_there(const struct found *f, const struct sampled *wave)
{
	if (!f->is_loop)
		return wave->num_pcs == 1 && wave->pcs[0] == f->from && f->from == f->to;
	for (size_t i = 0; i < wave->num_pcs; i++)
		if (wave->pcs[i] < f->from || wave->pcs[i] > f->to)
			return false;
	return wave->num_pcs == f->example->num_pcs;
}

static struct found place_of(struct sampling *s, const struct sampled *wave)
{
	uint64_t pc = most_frequent(wave);
	const struct adbgd_code *code = code_at(s->w->shell->debugger, pc);
	const struct adbgd_symbol *function = code ? adbgd_code_symbol_at(code, pc) : NULL;
	struct found f = { .from = pc, .to = pc, .example = wave };
	struct adbgd_disasm *disasm;

	for (size_t i = 0; i < wave->num_pcs; i++) {
		f.from = wave->pcs[i] < f.from ? wave->pcs[i] : f.from;
		f.to = wave->pcs[i] > f.to ? wave->pcs[i] : f.to;
	}
	if (!function || !function->size ||
	    insn_open(s->w, pc, wave->lanes, NULL, &disasm, NULL))
		return f;
	find_loop(s, disasm, function, wave, &f);
	adbgd_disasm_free(disasm);
	return f;
}

static void add_wave(struct sampling *s, const struct sampled *wave)
{
	struct found f;
	size_t i = 0;

	while (i < s->num_found && !is_there(&s->found[i], wave))
		i++;
	if (i == s->num_found) {
		f = place_of(s, wave);
		for (i = 0; i < s->num_found && (s->found[i].from != f.from ||
						 s->found[i].to != f.to); i++)
			;
	}
	if (i == s->num_found) {
		s->found = xreallocarray(s->found, s->num_found + 1, sizeof(*s->found));
		s->found[s->num_found++] = f;
	}
	s->found[i].waves++;
	s->found[i].samples += wave->samples;
}

/* ------------------------------------------------------------------------- results */

static void emit_found(struct wavectl *w, const struct found *f)
{
	emit_row(w->emit);
	emit_uint(w->emit, "waves", f->waves);
	emit_str(w->emit, "state", f->is_loop ? "loop" : f->from == f->to ? "one address" :
				   "no loop known");
	emit_hex64(w->emit, "from", f->from);
	emit_hex64(w->emit, "to", f->to);
	emit_uint(w->emit, "samples", f->samples);
	code_emit_place_as(w, "begins", f->from);
	code_emit_place_as(w, "ends", f->to);
	emit_at(w->emit, "example", &f->example->at);
}

static int say(struct sampling *s)
{
	struct wavectl *w = s->w;

	emit_begin(w->emit);
	emit_table(w->emit, "loops", true);
	for (size_t i = 0; i < s->num_found; i++)
		emit_found(w, &s->found[i]);
	emit_table_end(w->emit);
	emit_uint(w->emit, "waves", s->num_waves);
	emit_uint(w->emit, "passes", s->passes);
	emit_uint(w->emit, "halted", s->halted);
	emit_say(w->emit, "read the PCs of {waves} running waves {passes} times");
	if (s->halted)
		emit_say(w->emit, "{halted} waves are halted and were left out");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int loop_sample(struct wavectl *w, uint64_t ns)
{
	struct sampling s = { .w = w };
	int status = debug_open_target(w), ret;

	if (status)
		return status;
	ret = adbg_wave_list_new(&s.list);
	if (ret)
		return fail_system(w, ret, "cannot allocate a list");
	status = read_all(&s, ns);
	for (size_t i = 0; !status && i < s.num_waves && !hold_interrupted(); i++)
		add_wave(&s, &s.waves[i]);
	if (!status)
		status = say(&s);
	adbg_wave_list_free(s.list);
	free(s.waves);
	free(s.found);
	return status;
}
