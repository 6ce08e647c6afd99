/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of waves, faults, jobs and mappings */
#ifndef WDBG_EVENT_H
#define WDBG_EVENT_H

#include <linux/types.h>

#include "part.h"

struct wdbg_gpu;
struct wdbg_session;

/* event/source.c */
extern const struct wdbg_part wdbg_event_part;
void wdbg_event_source_update(struct wdbg_gpu *gpu);
bool wdbg_event_source_polls(const struct wdbg_gpu *gpu);

/* event/filter.c */
bool wdbg_event_concerns(const struct wdbg_session *session, u64 mask, u32 pasid,
			 u64 time);

/* event/job.c */
extern const struct wdbg_part wdbg_job_part;
const char *wdbg_job_unsupported_reason(const struct wdbg_gpu *gpu);
int wdbg_job_begin(struct wdbg_gpu *gpu);
void wdbg_job_update(struct wdbg_gpu *gpu);

/* event/mapping.c */
int wdbg_mapping_want(struct wdbg_session *session);
u64 wdbg_mapping_generation(const struct wdbg_session *session);
void wdbg_mapping_update(struct wdbg_gpu *gpu);
extern const struct wdbg_part wdbg_mapping_part;

/* event/enable.c */
u64 wdbg_events_possible(const struct wdbg_gpu *gpu);

#endif /* WDBG_EVENT_H */
