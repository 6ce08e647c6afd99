/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wave that commands are about which name none, and what its registers hold.
 */
#ifndef WAVECTL_FOCUS_H
#define WAVECTL_FOCUS_H

#include "debug/debug.h"

#define FOCUS_LANES 64

/* What was read: a register, in all lanes */
struct focus_value {
	uint32_t space;
	uint32_t number;
	uint32_t lanes[FOCUS_LANES];
};

struct focus {
	struct wavectl *w;
	struct amdgpudbg_wave wave;
	uint64_t pc;			/* of the program, whatever its registers say */
	uint32_t lanes;			/* 32 or 64 */
	struct focus_value *values;
	size_t num_values;
};

/*
 * The wave in focus, which stands still. If none was put there, it is the first one that
 * does. focus_close() also after an error. An exit status.
 */
int focus_open(struct wavectl *w, struct focus *focus);
/* The same where it need not be; nothing is said. */
bool focus_try(struct wavectl *w, struct focus *focus);
void focus_close(struct focus *focus);
/* Put a wave there: it must be live. An exit status. */
int focus_set(struct wavectl *w, const struct amdgpudbg_wave_coord *at);

/* The word @i, which may be missing, names a wave, and is the last one. An exit status. */
int focus_take_word(struct wavectl *w, int i);
/*
 * The debugger, and the wave that w->spec names, which is in focus then, or the one that is.
 * With --dry-run the focus stays as it is.
 * An exit status.
 */
int focus_open_named(struct wavectl *w, struct amdgpudbg_wave_coord *at);

/* The lane that was chosen, or the first one that is active */
uint32_t focus_lane(const struct focus *focus);
/* A register, of SGPRs (with VCC), VGPRs, TTMPs or ADBGD_REG_EXEC; 0 or -errno */
int focus_read(struct focus *focus, uint32_t space, uint32_t number, uint32_t lane,
	       uint32_t *value);
/* For variables of @lane */
struct adbgd_context focus_context(struct focus *focus, uint32_t lane);

/* A stop's members, of a document that has begun */
void focus_emit_stop(struct wavectl *w, const struct adbgd_stop *stop);
/* That in a sentence, to be freed; @how: such as "stopped at" */
char *focus_stop_sentence(const struct wavectl *w, const struct adbgd_stop *stop,
			  const char *how);
/*
 * Tell of a stop. The wave is in focus from then on, unless the one that was still stands.
 * An exit status.
 */
int focus_say_stop(struct wavectl *w, const struct adbgd_stop *stop);

#endif /* WAVECTL_FOCUS_H */
