/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of the kernel interface to which an operation on waves leads. They follow from the
 * options and, where these leave it open, from the waves that are live now.
 */
#ifndef WAVECTL_PLAN_H
#define WAVECTL_PLAN_H

#include "base/wavectl.h"

struct step {
	struct amdgpudbg_wave_control control;
	int error;		/* result of the call: 0 or -errno */
	bool may_be_gone;	/* the wave was found in the list, not named by the user */
	bool may_be_held;	/* another session may hold some of the waves */
	bool was_held;		/* another session did */
};

/* Options of an operation, apart from the selection of waves */
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
 * Fill @plan for @op and @options. Call plan_free() also after an error. Reads the waves into
 * @list if the plan depends on them, and always with --dry-run. Returns an exit status;
 * WAVECTL_GONE if there is no wave.
 */
int plan_make(struct wavectl *w, enum amdgpudbg_waveop op,
	      const struct plan_options *options, struct plan *plan,
	      struct adbg_wave_list *list);
void plan_free(struct plan *plan);

/*
 * Set in @select the coordinates of @spec that have one value, which the kernel can compare.
 * Returns true if these are all.
 */
bool plan_select(const struct adbg_wave_spec *spec, struct amdgpudbg_select *select);

/* Do the options select @wave? */
bool plan_wants(const struct wavectl *w, const struct amdgpudbg_wave *wave);

/*
 * Run all steps with as few calls as possible. A step may fail in the ways that its members
 * allow. Returns an exit status, of the first other error.
 */
int plan_run(struct wavectl *w, struct plan *plan);

/*
 * Run @ops, all->count of them, with as few calls as possible, and continue after errors. The
 * results, and the sums in @all, are those of one call. Returns an exit status.
 */
int plan_batch(struct wavectl *w, enum amdgpudbg_waveop op,
	       struct amdgpudbg_batch_op *ops,
	       struct amdgpudbg_wave_batch *all);

/*
 * Check the options that select waves, such as --vmid, and open the GPU. Returns an exit status.
 */
int plan_open(struct wavectl *w);

/* Print that the options select no wave. Returns an exit status. */
int plan_no_wave(struct wavectl *w);

/* "halt", "kill", ...; the past participle, for a result */
const char *op_name(enum amdgpudbg_waveop op);
const char *plan_done(const struct plan *plan);

/* Print the steps as a table, with their results if @done. */
void plan_emit(struct wavectl *w, const struct plan *plan, bool shown,
	       bool done);

#endif /* WAVECTL_PLAN_H */
