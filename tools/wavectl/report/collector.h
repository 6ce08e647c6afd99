/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of a report are collected from.
 */
#ifndef WAVECTL_REPORT_COLLECTOR_H
#define WAVECTL_REPORT_COLLECTOR_H

#include "base/json.h"
#include "report/process.h"

/* Why a report is collected */
struct report_cause {
	const char *what;		/* "request", "fault", "exception", "timeout", "time" */
	const struct amdgpudbg_event *faults;	/* VM_FAULT events, as far as they were seen */
	size_t num_faults;
};

struct collector {
	struct wavectl *w;
	const struct report_cause *cause;
	int interrupt_fd;
	struct json_object *root;
	struct adbg_wave_list *list;
	bool is_held;			/* the waves of the list are halted */
	struct report_process **processes;
	size_t num_processes;
};

/* The process with this PASID; NULL: unknown, or not to be read */
struct report_process *collector_process(const struct collector *c, uint32_t pasid);
/* Was an earlier wave of the list at the same PC of the same address space? */
bool collector_has_before(const struct collector *c, size_t index);

#endif /* WAVECTL_REPORT_COLLECTOR_H */
