/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waves of a report, and the code around their PCs.
 */
#ifndef WAVECTL_REPORT_COLLECT_WAVES_H
#define WAVECTL_REPORT_COLLECT_WAVES_H

#include "report/collector.h"

/* Add the waves, the groups of waves at one PC, and the work-groups that wait at a barrier. */
void report_collect_waves(struct collector *c);

#endif /* WAVECTL_REPORT_COLLECT_WAVES_H */
