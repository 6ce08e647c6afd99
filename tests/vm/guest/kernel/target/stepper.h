/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions that stepper.S and stepper.c share: the layout of the handler's memory, with
 * offsets in bytes, and the ids of the host's traps.
 */
#ifndef GUEST_STEPPER_H
#define GUEST_STEPPER_H

/* By the host */
#define STEPPER_END		0	/* debug mode ends with that entry; 0: with none */
#define STEPPER_HOLD		4	/* with so many entries, the wave stays in its handler */

/* By the handler */
#define STEPPER_COUNT		8	/* of entries */
#define STEPPER_STRANGE		12	/* 0, or TTMP1 of a trap that it can do nothing with */
#define STEPPER_LOG		16	/* entries: TTMP0 and TTMP1 of each trap */
#define STEPPER_MAX		256	/* entries that there is room for */
#define STEPPER_ENTRY_SHIFT	3	/* log2 of the size of one */

/* Trap ids. The first entry is where the host's trap has found the wave, which begins it. */
#define STEPPER_ID_BEGIN	1
#define STEPPER_ID_REPORT		2	/* send an interrupt, with STEPPER_REPORT */

#define STEPPER_REPORT		0x57e9	/* M0 */

/* Is set in STEPPER_STRANGE, so that it is never 0 */
#define STEPPER_STRANGE_BIT	31

#endif /* GUEST_STEPPER_H */
