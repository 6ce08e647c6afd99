/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves as threads. The number of a thread is that of the wave, see adbgd_wave_get_number().
 */
#ifndef WAVECTL_DAP_WAVE_H
#define WAVECTL_DAP_WAVE_H

#include "dap/dap.h"
#include "debug/focus.h"

/*
 * A thread that stands for the process while it has no waves. Without one, a client could not
 * request "pause".
 */
#define THREAD_PROCESS	0x40000000

struct stops *wave_stops_new(void);
void wave_stops_free(struct stops *stops);

/* The number of the wave in this slot */
uint32_t wave_thread(const struct dap *d, const struct amdgpudbg_wave_coord *at);
/* Remember why a wave has stopped, until it resumes. */
void wave_note_stop(struct dap *d, const struct adbgd_stop *stop);
/* Why it has stopped. NULL: not known */
const struct adbgd_stop *wave_find_stop(const struct dap *d, uint32_t thread);
/* Forget stops and references of a wave that resumes; 0: of all */
void wave_forget(struct dap *d, uint32_t thread);

/* Fail the request unless the process is attached to. Returns 0 or -1. */
int wave_need_process(const struct dap *d, struct request *r);
/* Get the slot of the wave that the argument threadId names. Returns 0 or -1. */
int wave_of_request(struct dap *d, struct request *r, uint32_t *thread,
		    struct amdgpudbg_wave_coord *at);
/*
 * Open a halted wave, which becomes the selected one. Call focus_close() also after an error.
 * Returns 0 or -1.
 */
int wave_open(struct dap *d, struct request *r, uint32_t thread, struct focus *focus);
/*
 * List the waves of the process. @halted: only halted ones. The caller frees the list. Returns 0
 * or -errno.
 */
int wave_list(struct dap *d, bool halted, struct adbg_wave_list **list);

#endif /* WAVECTL_DAP_WAVE_H */
