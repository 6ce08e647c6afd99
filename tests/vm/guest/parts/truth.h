/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The software GPU's own data about waves, to compare with what the debugger reports.
 */
#ifndef GUEST_TRUTH_H
#define GUEST_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg.h>

#define MAX_WAVES 2560		/* slots of the largest GPU, navi21-hybrid: 40 WGPs */

struct truth {
	unsigned int count;
	struct {
		struct amdgpudbg_wave_coord at;
		uint64_t serial;
		uint64_t instructions;
		uint64_t pc;
		uint32_t vmid;
		uint32_t mode;
		uint32_t status;
		bool halted;
	} wave[MAX_WAVES];
};

/* The waves of one VMID, as they really are. Ends the program on failure. */
struct truth truth_of(uint32_t vmid);
/* The place of the wave at @at in @t, -1 if it is gone. */
int truth_find(const struct truth *t, const struct amdgpudbg_wave_coord *at);
/* How many are halted. */
unsigned int truth_halted(const struct truth *t);

/*
 * Has the driver ever let the graphics core be without power? amdgpu does not where the GPU
 * has no power gating in its eyes ("If GFX DPM or power gate disabled, disable GFXOFF").
 */
bool truth_uses_gfxoff(void);

struct truth_accesses {
	uint64_t reads;
	uint64_t writes;
};

/* Get the number of accesses to all registers, by all programs, since the start. */
struct truth_accesses truth_accesses(void);
/* Of those that calls of the module have taken, by its debugfs. Ends the program on failure. */
struct truth_accesses truth_counted_accesses(void);

#define MAX_VMIDS 16

/* What has happened to the waves of an address space in one VMID, ever. */
struct truth_history {
	uint64_t waves;		/* that started, and how many of them: */
	uint64_t trap_en;	/* with a trap handler */
	uint64_t halted;	/* halted */
	uint64_t debug;		/* in debug mode */
	uint64_t excp;		/* with exceptions that they have not enabled */
	uint64_t stalls;	/* dispatches that a stall has kept waiting */
	uint64_t watch_hits;
	uint64_t traps;		/* entries into a trap handler */
};

/* For each VMID. Ends the program on failure. */
void truth_history_of(uint32_t pasid, struct truth_history history[MAX_VMIDS]);

#endif /* GUEST_TRUTH_H */
