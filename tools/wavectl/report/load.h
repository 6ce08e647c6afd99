/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the file of a report.
 */
#ifndef WAVECTL_REPORT_LOAD_H
#define WAVECTL_REPORT_LOAD_H

#include "base/json.h"
#include "base/wavectl.h"

/* Read a report. The caller frees it by json_object_put(). Returns an exit status. */
int report_load(struct wavectl *w, const char *file, struct json_object **root);
/* Write a report to a file, which only its owner can read. Returns an exit status. */
int report_save(struct wavectl *w, const char *file, struct json_object *root);

#endif /* WAVECTL_REPORT_LOAD_H */
