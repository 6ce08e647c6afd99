/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an operation on waves comes down to: the operations of the kernel
 * interface, decided from the options and, where they leave something open, from
 * the waves that are live now; and doing them.
 */
#ifndef WAVECTL_PLAN_H
#define WAVECTL_PLAN_H

#include "base/wavectl.h"

struct step {
	struct amdgpudbg_wave_control control;
	int error;		/* of doing it, 0 or -errno */
	bool may_be_gone;	/* found by looking, not named by the user */
	bool may_be_held;	/* closing the session does what is ours */
	bool was_held;		/* and it came to that */
};

/* What options say about an operation, beside which waves */
struct plan_options {
	bool leave_halted;
	bool force;
	bool off;		/* leave debug mode */
	uint32_t trap_id;
};

struct plan {
	enum amdgpudbg_waveop op;
	struct plan_options options;
	struct step *steps;
	unsigned int num_steps;
	uint64_t matched;	/* sums over the steps that were run */
	uint64_t changed;
};

/*
 * Fill @plan for @op and @options; free it also on failure. Reads the waves into @list where
 * that is needed, and always for --dry-run. An exit status; no live wave to do
 * anything with is WAVECTL_GONE.
 */
int plan_make(struct wavectl *w, enum amdgpudbg_waveop op,
	      const struct plan_options *options, struct plan *plan,
	      struct adbg_wave_list *list);
void plan_free(struct plan *plan);

/*
 * What of the places that @spec names the kernel can compare: members that have one value.
 * Returns true if that is all of it.
 */
bool plan_select(const struct adbg_wave_spec *spec, struct amdgpudbg_select *select);

/* Is @wave one that the options mean? */
bool plan_wants(const struct wavectl *w, const struct amdgpudbg_wave *wave);

/*
 * Do all steps, as few calls as possible. Steps may fail as they allow for. An
 * exit status, of the first step that failed otherwise.
 */
int plan_run(struct wavectl *w, struct plan *plan);

/*
 * Do all of @ops, all->count of them: in as few calls as possible, and also after
 * errors. Their results, and the sums in @all, are as of one call. An exit status.
 */
int plan_batch(struct wavectl *w, enum amdgpudbg_waveop op,
	       struct amdgpudbg_batch_op *ops,
	       struct amdgpudbg_wave_batch *all);

/*
 * Check what words and options say about waves, such as --vmid, and open what they
 * name. An exit status.
 */
int plan_open(struct wavectl *w);

/* There is no wave that the options mean: an exit status. */
int plan_no_wave(struct wavectl *w);

/* "halt", "kill", ...; what was done to waves, in front of how many */
const char *op_name(enum amdgpudbg_waveop op);
const char *plan_done(const struct plan *plan);

/* The steps as a table; with their results when @done. */
void plan_emit(struct wavectl *w, const struct plan *plan, bool shown,
	       bool done);

#endif /* WAVECTL_PLAN_H */
