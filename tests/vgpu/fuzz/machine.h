/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The GPU that is fuzzed, with its host: set up as by a driver; what the host does afterwards
 * must not be trusted.
 */
#ifndef TESTS_VGPU_FUZZ_MACHINE_H
#define TESTS_VGPU_FUZZ_MACHINE_H

#include "engine.h"
#include "input.h"

enum machine_queue {
	QUEUE_KIQ,
	QUEUE_COMPUTE,
	QUEUE_GFX,
	NUM_QUEUES,
};

/* Once, and then at the start of each input. */
void machine_create(void);
void machine_reset(void);

/* What can be seen of what has been done: the same each time, of the same input. */
u64 machine_digest(void);

/* Memory of the VMIDs at FUZZ_VA + @offset. */
u32 *machine_memory(u32 offset);
/* Any dword of what has been given out of VRAM; @offset is cut down. */
u32 *machine_vram(u32 offset);

/* Put packets into a ring and ring its doorbell. */
void machine_submit(enum machine_queue which, const u32 *dwords, u32 num);
void machine_submit_sdma(const u32 *dwords, u32 num);

/* One turn of the main loop. */
void machine_work(void);

/* Bytes for the vfio-user socket, with a file of a kind (0: none). */
void machine_send(const void *buf, size_t len, unsigned int file);
/* Bytes for the control socket. */
void machine_control(const void *buf, size_t len);

#endif /* TESTS_VGPU_FUZZ_MACHINE_H */
