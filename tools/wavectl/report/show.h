/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a report, or the part of it that a command shows with --from. w->pid, if it is set,
 * selects a process. Each function returns an exit status.
 */
#ifndef WAVECTL_REPORT_SHOW_H
#define WAVECTL_REPORT_SHOW_H

#include "base/json.h"
#include "base/wavectl.h"

/* All of it, in the order in which a reader needs it */
int report_show(struct wavectl *w, struct json_object *root);
/* The waves that w->waves selects; with --verbose their hardware registers */
int report_show_waves(struct wavectl *w, struct json_object *root);
int report_show_jobs(struct wavectl *w, struct json_object *root);
/* The mappings, or the one with the address in w->words, or those near it */
int report_show_mappings(struct wavectl *w, struct json_object *root);
/* The code around each PC, or only that with the address in w->words */
int report_show_code(struct wavectl *w, struct json_object *root);
/* Registers: w->words are the wave and the registers. @lanes: not set: all */
int report_show_registers(struct wavectl *w, struct json_object *root,
			  const struct lane_range *lanes);
/* Memory as words. It must have been recorded completely. */
int report_show_memory(struct wavectl *w, struct json_object *root, uint64_t va,
		       uint64_t bytes);

#endif /* WAVECTL_REPORT_SHOW_H */
