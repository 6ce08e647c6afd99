/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects a report: the state of the GPU, or of one process, at one moment. The waves are halted
 * while it is collected.
 */
#ifndef WAVECTL_REPORT_COLLECT_H
#define WAVECTL_REPORT_COLLECT_H

#include "report/collector.h"

#define REPORT_FORMAT	1	/* the member "amdgpudbg_report" */

/*
 * Collect a report. w->session must be a session of the command alone, since its close resumes the
 * waves; --pid, if it is given, must be its target. Then nothing about other processes is in the
 * report. @root is set to the report, which the caller frees by json_object_put(). Returns an exit
 * status.
 */
int report_collect(struct wavectl *w, const struct report_cause *cause, int interrupt_fd,
		   struct json_object **root);
/*
 * Make one report of an array with those of all GPUs, which is freed. The caller frees the result
 * by json_object_put().
 */
struct json_object *report_join(struct json_object *all);

#endif /* WAVECTL_REPORT_COLLECT_H */
