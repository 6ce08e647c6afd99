// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All commands, in the order in which help prints them. Dispatcher, help, completion and the
 * test of the man pages use this list.
 */
#include <stddef.h>

#include "cmd/commands.h"

const struct command *const command_tables[] = {
	gpu_commands,
	proc_commands,
	wave_list_commands,
	wave_control_commands,
	barrier_commands,
	wave_step_commands,
	focus_commands,
	event_commands,
	reg_commands,
	mem_commands,
	cond_dbg_commands,
	lds_commands,
	patch_commands,
	vm_commands,
	job_commands,
	report_commands,
	catch_commands,
	top_commands,
	break_commands,
	enable_commands,
	collect_commands,
	display_commands,
	watchpoint_commands,
	cond_commands,
	until_commands,
	loop_commands,
	trace_commands,
	disasm_commands,
	code_commands,
	code_show_commands,
	place_commands,
	print_commands,
	printf_commands,
	assign_commands,
	convenience_commands,
	frame_commands,
	source_commands,
	examine_commands,
	watch_commands,
	launch_commands,
	trap_commands,
	shell_commands,
	dap_commands,
	help_commands,
	NULL,
};
