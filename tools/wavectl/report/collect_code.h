/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code around the PCs of the waves of a report.
 */
#ifndef WAVECTL_REPORT_COLLECT_CODE_H
#define WAVECTL_REPORT_COLLECT_CODE_H

#include "report/collector.h"

/* Add instructions, source lines and the bytes of the code. */
void report_collect_code(struct collector *c);

#endif /* WAVECTL_REPORT_COLLECT_CODE_H */
