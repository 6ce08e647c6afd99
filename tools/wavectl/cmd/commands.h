/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of commands, each in the file of its commands. The last row has no noun.
 */
#ifndef WAVECTL_COMMANDS_H
#define WAVECTL_COMMANDS_H

#include "base/wavectl.h"

extern const struct command gpu_commands[];
extern const struct command proc_commands[];
extern const struct command wave_list_commands[];
extern const struct command wave_control_commands[];
extern const struct command barrier_commands[];
extern const struct command wave_step_commands[];
extern const struct command focus_commands[];
extern const struct command event_commands[];
extern const struct command reg_commands[];
extern const struct command mem_commands[];
extern const struct command cond_dbg_commands[];
extern const struct command lds_commands[];
extern const struct command patch_commands[];
extern const struct command vm_commands[];
extern const struct command job_commands[];
extern const struct command report_commands[];
extern const struct command catch_commands[];
extern const struct command top_commands[];
extern const struct command break_commands[];
extern const struct command enable_commands[];
extern const struct command collect_commands[];
extern const struct command display_commands[];
extern const struct command watchpoint_commands[];
extern const struct command cond_commands[];
extern const struct command until_commands[];
extern const struct command loop_commands[];
extern const struct command trace_commands[];
extern const struct command disasm_commands[];
extern const struct command code_commands[];
extern const struct command code_show_commands[];
extern const struct command place_commands[];
extern const struct command print_commands[];
extern const struct command printf_commands[];
extern const struct command assign_commands[];
extern const struct command convenience_commands[];
extern const struct command frame_commands[];
extern const struct command source_commands[];
extern const struct command examine_commands[];
extern const struct command watch_commands[];
extern const struct command launch_commands[];
extern const struct command trap_commands[];
extern const struct command shell_commands[];
extern const struct command dap_commands[];
extern const struct command help_commands[];

#endif /* WAVECTL_COMMANDS_H */
