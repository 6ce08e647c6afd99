/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the model, and the ioctls on each part of it. A function of this header returns
 * 0 or a negative errno value, as struct amdgpudbg_* of the uapi header documents it.
 */
#ifndef TESTS_UNIT_MODEL_STATE_H
#define TESTS_UNIT_MODEL_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mock.h"

/* Process 4711 has one client. It has this VMID, in which its waves are. */
#define MODEL_PID	4711
#define MODEL_PASID	32769
#define MODEL_VMID	1

#define MODEL_WAVES_MAX		10
#define MODEL_EVENTS_MAX	8
#define MODEL_NUM_WATCH		4
#define MODEL_NUM_SGPR		108
#define MODEL_NUM_VGPR		4	/* of each wave: GPR_ALLOC.VGPR_SIZE is 0 */
#define MODEL_MEMORY_BYTES	0x2000
#define MODEL_PATCHES_MAX	4
#define MODEL_BUFFERS_MAX	4

struct model_wave {
	struct amdgpudbg_wave wave;
	uint32_t sgpr[MODEL_NUM_SGPR];
	uint32_t vgpr[MODEL_NUM_VGPR][64];
};

struct model_buffer {
	uint64_t va;
	uint64_t bytes;
	uint32_t flags;
	uint8_t *data;
};

struct model {
	struct amdgpudbg_info info;
	bool has_no_jobs;
	bool has_target;
	uint32_t target_pasid;

	struct model_wave waves[MODEL_WAVES_MAX];
	size_t num_waves;

	struct amdgpudbg_event events[MODEL_EVENTS_MAX];
	size_t num_events;
	int events_end;		/* errno of the read() after them; 0: it waits */

	uint8_t memory[MODEL_MEMORY_BYTES];
	bool is_remapped;	/* what is written was mapped anew, as code that a program loads */
	uint64_t num_maps;	/* how often it was */
	bool is_slow;		/* reading memory takes a millisecond */
	struct {
		uint64_t va;
		uint64_t bytes;
		uint8_t original[AMDGPUDBG_PATCH_BYTES_MAX];
	} patches[MODEL_PATCHES_MAX];
	struct model_buffer buffers[MODEL_BUFFERS_MAX];
	uint32_t watches;	/* a bit for each that is set */

	const struct amdgpudbg_wave *stuck;	/* keeps its state when it is halted or resumed */
	uint32_t ends_at_step;	/* a wave ends at this step, 0: none does */
	bool timeouts_held;
	bool control_busy;	/* waves cannot be halted, see mock_busy */
	bool vmid_busy;		/* the VMID cannot be reserved, see mock_busy */
	unsigned short columns;	/* of the terminal while waves are listed; 0: it stays as it is */
	uint32_t num_written;	/* registers that can be written; 0: all */
	unsigned long fail_request;	/* gives this error; 0: none does */
	int fail_error;
};

extern struct model model;

/* The VMIDs of the session: those of the target, or all */
uint32_t model_scope(void);

void model_begin_waves(void);
/* Replace the waves. The values of @waves are completed: registers, and flags of them. */
void model_set_waves(const struct amdgpudbg_wave *waves, size_t count);
void model_set_pc(struct amdgpudbg_wave *wave, uint64_t pc);
int model_wave_list(void *arg);
int model_wave_snapshot(void *arg);
int model_wave_control(void *arg);
int model_wave_batch(void *arg);
int model_reg_access(void *arg);

void model_begin_memory(void);
/* Replace the beginning of the memory by the code of a small kernel. */
void model_write_code(void);
int model_vm_access(void *arg);
int model_vm_list(void *arg);
int model_mem_alloc(void *arg);
int model_mem_free(void *arg);
int model_mem_copy(void *arg);
int model_trap_handler(void *arg);
int model_watch_set(void *arg);
int model_watch_clear(void *arg);
int model_launch_set(void *arg);

#endif /* TESTS_UNIT_MODEL_STATE_H */
