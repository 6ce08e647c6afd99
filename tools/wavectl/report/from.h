/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports of one or several GPUs, and the files with them. Each function returns an exit status.
 */
#ifndef WAVECTL_REPORT_FROM_H
#define WAVECTL_REPORT_FROM_H

#include "base/json.h"
#include "base/wavectl.h"

/* Read the report of w->from, and call @show for the GPU that --gpu or --pci selects. */
int report_from(struct wavectl *w, int (*show)(struct wavectl *w, struct json_object *root));
/* Print a report of one or several GPUs. */
int report_show_each(struct wavectl *w, struct json_object *root);
/* Print the report of w->from; of several GPUs, those that --gpu or --pci selects, or all. */
int report_show_file(struct wavectl *w);

#endif /* WAVECTL_REPORT_FROM_H */
