/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the software GPU itself knows of waves, whatever debuggers say.
 */
#ifndef GUEST_TRUTH_H
#define GUEST_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpudbg.h>

#define MAX_WAVES 512		/* slots of the default geometry */

struct truth {
	unsigned int count;
	struct {
		struct adbg_wave_at at;
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
int truth_find(const struct truth *t, const struct adbg_wave_at *at);
/* How many are halted. */
unsigned int truth_halted(const struct truth *t);

#endif /* GUEST_TRUTH_H */
