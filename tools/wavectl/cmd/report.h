/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports for other commands.
 */
#ifndef WAVECTL_CMD_REPORT_H
#define WAVECTL_CMD_REPORT_H

#include "report/collect.h"

/*
 * Collect a report of each GPU of open_own_targets(), close the sessions, so that the waves run
 * again, write the report to @output, which may be NULL, and print it. Returns an exit status.
 */
int report_make(struct wavectl *w, const struct report_cause *cause, int interrupt_fd,
		const char *output);

#endif /* WAVECTL_CMD_REPORT_H */
