/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program "abi": a session of root, the waves of another process, which always run, and
 * valid calls.
 */
#ifndef GUEST_ABI_H
#define GUEST_ABI_H

#include <stdint.h>

#include <linux/amdgpudbg.h>

#define NODE "/dev/amdgpudbg0"
#define ITEMS 256		/* 8 waves of 32 */
#define MAX_WAVES 64

extern int dev;			/* the session */
extern char *fence;		/* address of a page that cannot be accessed */
extern struct amdgpudbg_wave waves[MAX_WAVES];	/* as they were listed last */
/* What the structures point to that are filled below */
extern struct amdgpudbg_reg_range ranges[2];
extern uint32_t values[8];
extern struct amdgpudbg_batch_op batch_op;
extern struct amdgpudbg_reg_batch_op reg_batch_op;

int set_up(void **state);
int take_down(void **state);

/* Fill zeroes, but for the size: a good call that changes nothing. */
void fill_list(void *arg);
/* Resume waves that are not halted. */
void fill_control(void *arg);
/* Reading STATUS and TRAPSTS of a wave that runs. */
void fill_regs(void *arg);
/* The same as fill_control(), as the only operation of a batch. */
void fill_batch(void *arg);
void fill_reg_batch(void *arg);

/* Calls of the session: 0 or -errno. */
int call(unsigned long nr, void *arg);
/* @count is how many there are, all of which are in waves if they fit. */
int list_waves(unsigned int *count);
int control(struct amdgpudbg_wave_control *wc);

/* A control call that is right in every member. */
struct amdgpudbg_wave_control single(unsigned int op);
/* All waves are there, and none is halted; else the test fails. */
void assert_none_halted(void);

/* abi_args.c: which arguments calls take */
void capability_ids_are_bounded(void **state);
void limits_are_reported(void **state);
void list_arguments_are_checked(void **state);
void list_returns_the_needed_count(void **state);
void list_records_follow_the_stride(void **state);
void list_filters_by_vmid(void **state);
void control_arguments_are_checked(void **state);
void reg_arguments_are_checked(void **state);
void batch_arguments_are_checked(void **state);
void batch_without_room_for_the_answer_changes_nothing(void **state);
void longer_operations_of_a_batch_work(void **state);

#endif /* GUEST_ABI_H */
