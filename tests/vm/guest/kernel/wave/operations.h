/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program "operations": its waves, and helpers that call the module for them. Unless stated
 * otherwise, a failure ends the test.
 */
#ifndef GUEST_OPERATIONS_H
#define GUEST_OPERATIONS_H

#include <stddef.h>
#include <stdint.h>

#include <amdgpudbg.h>

#include "prog.h"
#include "truth.h"

#define NUM_WAVES 8

/* Words of ctl, see steps.s */
enum { CTL_GO, CTL_BEGUN };
enum { GO = 1, GO_IN_PLACE = 2 };

struct fixture {
	struct prog prog;
	struct gpu_job job;
	struct adbg_session *session;
	struct adbg_wave_list *list;
	uint32_t vmid;
};

extern struct fixture fx;

int set_up_group(void **state);
int take_down_group(void **state);
/* NUM_WAVES run, and there is a session, and a list of them. */
int set_up(void **state);
/* Resume the waves, so that they end; also after a test has failed. */
int take_down(void **state);

volatile uint32_t *ctl(void);
/* The waves of fx.vmid, as they really are */
struct truth look(void);

/* A job of so many work-items, with @go in ctl. 0 or -errno. */
int submit(const char *kernel, uint32_t items, uint32_t go);
/* The usual job, and wait until all of it has begun. 0 or -errno. */
int start_waves(void);
/* Wait until all waves that fit have begun, after @ended others; how many. */
uint32_t wait_full(uint32_t ended);
/* Resume the job, and wait for its end. 0 or -errno. */
int end_waves(void);

/* Wave @i of the list */
const struct amdgpudbg_wave *wave(size_t i);
/* List those of fx.vmid again. */
void list_waves(void);

/* An operation on wave @i of the list, or on all waves of fx.vmid */
struct amdgpudbg_wave_control single(enum amdgpudbg_waveop op, size_t i);
struct amdgpudbg_wave_control process(enum amdgpudbg_waveop op);
/* It works, for @matched and @changed waves. */
void succeeds(struct amdgpudbg_wave_control *c, uint32_t matched,
	      uint32_t changed);
/* Such an operation works, and changes all waves that it is about. */
void do_single(enum amdgpudbg_waveop op, size_t i);
void do_process(enum amdgpudbg_waveop op);

/* operations_list.c: batches, snapshots and filters */
void a_batch_does_all_in_order(void **state);
void the_time_of_a_batch_is_limited(void **state);
void the_rest_of_a_batch_is_done_by_the_next(void **state);
void a_batch_ends_at_an_error_or_continues(void **state);
void a_wrong_batch_changes_nothing(void **state);
void a_snapshot_is_one_moment(void **state);
void a_snapshot_resumes_what_it_halted_and_no_more(void **state);
void a_snapshot_that_does_not_fit_halts_all_waves(void **state);
void a_snapshot_is_one_moment_of_busy_waves(void **state);
void a_list_has_the_pc_of_halted_waves(void **state);
void a_snapshot_that_fails_leaves_waves_as_they_were(void **state);
void lists_are_filtered(void **state);
void wrong_lists_are_refused(void **state);

/* operations_id.c: ids of waves */
void a_wave_has_an_id_while_it_is_halted(void **state);
void a_halt_returns_the_id_of_its_wave(void **state);
void an_id_finds_its_wave(void **state);
void an_id_is_expected(void **state);
void a_slot_that_is_reused_gets_nothing_that_was_meant_for_the_wave_before(void **state);
void slots_that_are_all_reused_get_nothing_that_was_meant_for_the_waves_before(void **state);

/* operations_record.c: what a record says, and what it costs */
void a_sampler_reads_four_registers_a_wave(void **state);
void a_record_has_the_registers_that_are_wanted(void **state);
void unknown_registers_in_a_record_are_refused(void **state);
void a_list_says_when_it_was_and_how_records_are_laid_out(void **state);
void a_list_has_the_time_of_the_gpu_if_it_is_wanted(void **state);
void a_record_says_who_has_halted_a_wave(void **state);
void a_record_has_the_process_of_its_wave_if_it_is_wanted(void **state);
void other_users_do_not_see_which_process_has_halted_a_wave(void **state);
void waves_are_selected_by_their_stage(void **state);

/* operations_regs.c: registers of many waves in one call */
void registers_of_all_waves_are_read_by_one_call(void **state);
void a_batch_of_accesses_ends_with_an_error_or_continues(void **state);
void an_access_of_a_batch_says_why_it_is_busy(void **state);
void a_wrong_batch_of_accesses_changes_nothing(void **state);

/* operations_select.c: waves that a selection names */
void all_processes_are_halted_and_resumed_by_one_call_each(void **state);
void a_process_is_halted_by_its_pasid(void **state);
void waves_are_halted_by_a_filter_of_coordinates(void **state);
void waves_are_selected_by_their_flags(void **state);
void a_selection_does_not_take_waves_of_another_session(void **state);
void a_wrong_selection_changes_nothing(void **state);
void a_call_waits_as_long_as_its_timeout_says(void **state);

/* operations_reports.c: what calls return about waves, about themselves, and their cost */
void a_record_has_what_its_mask_says(void **state);
void resume_returns_halted_waves_only(void **state);
void each_register_access_is_counted(void **state);

/* operations_sleep.c: what is halted when the system sleeps */
void waves_left_halted_are_resumed_before_sleep(void **state);
void waves_halted_by_other_sessions_are_resumed_before_sleep(void **state);

#endif /* GUEST_OPERATIONS_H */
