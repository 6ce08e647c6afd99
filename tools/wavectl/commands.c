// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of all commands. Help, completion and the test of the man page are
 * made from it.
 */
#include <stddef.h>

#include "base/util.h"
#include "base/wavectl.h"

#define WAVES "[WAVES]"

/* Of those that take a LOCATION */
#define LOCATIONS \
	"LOCATION is an address, SYMBOL, SYMBOL+OFFSET, FUNCTION, FILE:LINE, or :LINE in\n" \
	"the source file of the selected wave.\n"

static const struct option_desc *const no_options[] = { NULL };

static const struct option_desc *const proc_options[] = {
	&opt_pid, NULL,
};

static const struct option_desc *const list_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_state, NULL,
};

static const struct option_desc *const snapshot_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_state, &opt_regs, &opt_format, NULL,
};

static const struct option_desc *const barrier_options[] = {
	TARGET_OPTIONS, &opt_vmid, NULL,
};

static const struct option_desc *const halt_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc,
	&opt_leave_halted, &opt_force, &opt_for, NULL,
};

static const struct option_desc *const resume_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, NULL,
};

static const struct option_desc *const trap_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, &opt_trap_id,
	NULL,
};

static const struct option_desc *const debug_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, &opt_off,
	&opt_for, NULL,
};

static const struct option_desc *const step_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, &opt_steps,
	&opt_halt, NULL,
};

static const struct option_desc *const event_options[] = {
	TARGET_OPTIONS, &opt_type, &opt_cause, &opt_vmid, &opt_count,
	&opt_timeout, NULL,
};

static const struct option_desc *const reg_read_options[] = {
	TARGET_OPTIONS, &opt_lane, &opt_format, &opt_halt, &opt_vmid, &opt_pc,
	NULL,
};

static const struct option_desc *const reg_write_options[] = {
	TARGET_OPTIONS, &opt_lane, &opt_format, &opt_compare, &opt_halt,
	&opt_vmid, &opt_pc, NULL,
};

static const struct option_desc *const watch_options[] = {
	TARGET_OPTIONS, &opt_address, &opt_bytes, &opt_mask, &opt_watch_mode,
	&opt_stop, &opt_stops, &opt_format, &opt_set_for, &opt_set_off, NULL,
};

static const struct option_desc *const watchpoint_options[] = {
	TARGET_OPTIONS, &opt_bytes, &opt_watch_mode, NULL,
};

static const struct option_desc *const hits_options[] = {
	TARGET_OPTIONS, NULL,
};

static const struct option_desc *const launch_options[] = {
	TARGET_OPTIONS, &opt_launch_mode, &opt_exceptions, &opt_replace, &opt_stall,
	&opt_force, &opt_set_for, &opt_set_off, NULL,
};

static const struct option_desc *const install_options[] = {
	TARGET_OPTIONS, &opt_resume, &opt_stops, &opt_set_for, &opt_set_off,
	NULL,
};

static const struct option_desc *const shell_options[] = {
	TARGET_OPTIONS, &opt_code_object, &opt_directory, NULL,
};

static const struct option_desc *const run_options[] = {
	&opt_code_object, &opt_directory, NULL,
};

static const struct option_desc *const attach_options[] = {
	&opt_client, &opt_code_object, &opt_directory, NULL,
};

static const struct option_desc *const batch_options[] = {
	TARGET_OPTIONS, &opt_code_object, &opt_directory, &opt_keep_going, &opt_echo,
	NULL,
};

static const struct option_desc *const handler_options[] = {
	TARGET_OPTIONS, &opt_memory, &opt_resume, &opt_stops, &opt_set_for,
	&opt_set_off, NULL,
};

static const struct option_desc *const mem_read_options[] = {
	TARGET_OPTIONS, &opt_output, NULL,
};

static const struct option_desc *const lds_read_options[] = {
	TARGET_OPTIONS, &opt_lds_words, &opt_format, &opt_output, NULL,
};

static const struct option_desc *const mem_write_options[] = {
	TARGET_OPTIONS, &opt_input, NULL,
};

static const struct option_desc *const patch_options[] = {
	TARGET_OPTIONS, &opt_set_for, NULL,
};

static const struct option_desc *const map_options[] = {
	TARGET_OPTIONS, NULL,
};

static const struct option_desc *const break_options[] = {
	TARGET_OPTIONS, &opt_temporary, &opt_match, NULL,
};

static const struct option_desc *const break_insn_options[] = {
	TARGET_OPTIONS, &opt_temporary, NULL,
};

static const struct option_desc *const break_start_options[] = {
	TARGET_OPTIONS, &opt_job, &opt_set_off, NULL,
};

static const struct option_desc *const until_options[] = {
	TARGET_OPTIONS, &opt_timeout, &opt_all_halted, NULL,
};

static const struct option_desc *const stepi_options[] = {
	TARGET_OPTIONS, &opt_changes, NULL,
};

static const struct option_desc *const trace_show_options[] = {
	&opt_at, &opt_format, NULL,
};

static const struct option_desc *const disasm_options[] = {
	TARGET_OPTIONS, &opt_insns, &opt_lanes, NULL,
};

static const struct option_desc *const code_options[] = {
	TARGET_OPTIONS, &opt_code_address, NULL,
};

static const struct option_desc *const print_options[] = {
	TARGET_OPTIONS, &opt_lane_of, &opt_hex, NULL,
};

static const struct option_desc *const source_options[] = {
	TARGET_OPTIONS, &opt_lines, &opt_directory, NULL,
};

static const struct option_desc *const x_options[] = {
	TARGET_OPTIONS, &opt_words, &opt_format, NULL,
};

const struct command commands[] = {
	{
		.noun = "gpu",
		.verb = "list",
		.summary = "list the GPUs that can be debugged",
		.options = no_options,
		.run = cmd_gpu_list,
	},
	{
		.noun = "caps",
		.summary = "list the capabilities of the GPU, with the reason for each missing one",
		.help = "With --pid, list the capabilities for that process. They differ for a process that\n"
			"uses amdkfd.",
		.options = map_options,
		.run = cmd_caps,
	},
	{
		.noun = "proc",
		.verb = "list",
		.summary = "list the processes that use the GPU",
		.help = "Each row is one client. A client is one use of the GPU by a process and has its own\n"
			"GPU address space. Only root sees the processes of other users.",
		.options = proc_options,
		.run = cmd_proc_list,
	},
	{
		.noun = "wave",
		.verb = "list",
		.args = WAVES,
		.takes_waves = true,
		.summary = "list the live waves",
		.help = "With --verbose, also print all nonzero fields of their registers.",
		.options = list_options,
		.run = cmd_wave_list,
	},
	{
		.noun = "wave",
		.verb = "halt",
		.aliases = { "halt" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "halt waves, and keep them halted until Ctrl-C",
		.help = "--pid alone halts all waves of the process, --vmid alone all waves of the VMID, and\n"
			"--all those of every VMID that has live waves. WAVES is one wave, one WGP or a\n"
			"pattern of waves, such as se0.sa0.wgp3.simd1.wave5, 0.0.3.1.5, se0.sa0.wgp3,\n"
			"*.*.0-2. Without --pid, this command needs root. Waves that start later are not\n"
			"halted. The waves resume when wavectl exits, even if it is killed, unless\n"
			"--leave-halted is given.",
		.options = halt_options,
		.run = cmd_wave_halt,
	},
	{
		.noun = "wave",
		.verb = "resume",
		.aliases = { "resume" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "resume waves that were left halted",
		.help = "Resumes the waves that \"wave halt --leave-halted\" left halted. Waves that another\n"
			"session has halted stay halted.",
		.options = resume_options,
		.run = cmd_wave_resume,
	},
	{
		.noun = "wave",
		.verb = "snapshot",
		.args = WAVES,
		.takes_waves = true,
		.summary = "list the live waves, all read at the same moment",
		.help = "Halts all waves of --pid, of --vmid or of the GPU, prevents new waves from\n"
			"starting, reads the waves and resumes them. A wave in its trap handler keeps\n"
			"running. With --regs, all registers of each wave are printed; values of lanes that\n"
			"are inactive in EXEC are in parentheses.",
		.options = snapshot_options,
		.run = cmd_wave_snapshot,
	},
	{
		.noun = "wave",
		.verb = "barrier",
		.aliases = { "barrier" },
		.summary = "list the waves that wait at a barrier, and those that are missing",
		.help = "For each work-group with waves that wait at s_barrier: these waves, and the\n"
			"missing ones, which neither reached the barrier nor ended, with their location and\n"
			"state. No wave is halted for it. A wave that is only late is also listed as\n"
			"missing; repeat the command to see whether it arrives.",
		.options = barrier_options,
		.run = cmd_wave_barrier,
	},
	{
		.noun = "wave",
		.verb = "step",
		.aliases = { "step" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "single-step halted waves",
		.help = "Waves that are not halted are left out, unless --halt is given. With --verbose,\n"
			"print every address that each wave reached.",
		.options = step_options,
		.run = cmd_wave_step,
	},
	{
		.noun = "wave",
		.verb = "kill",
		.aliases = { "kill" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "terminate waves immediately",
		.help = "Their results are missing, and the program is not notified. Waves that start later\n"
			"are not affected.",
		.options = resume_options,
		.run = cmd_wave_kill,
	},
	{
		.noun = "wave",
		.verb = "trap",
		.args = WAVES,
		.takes_waves = true,
		.summary = "make waves enter their trap handler",
		.help = "Waves without a trap handler do not change.",
		.options = trap_options,
		.run = cmd_wave_trap,
	},
	{
		.noun = "wave",
		.verb = "debug",
		.args = WAVES,
		.takes_waves = true,
		.summary = "make waves trap after each instruction, until Ctrl-C",
		.help = "Waves without a trap handler do not change.",
		.options = debug_options,
		.run = cmd_wave_debug,
	},
	{
		.noun = "wave",
		.verb = "focus",
		.aliases = { "focus", "wave" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "select the wave for \"print\" and other commands",
		.help = "For a shell or batch with --pid. Without an argument, print the selected wave. A\n"
			"wave that stops at a breakpoint is selected automatically, unless the wave selected\n"
			"before is still halted.",
		.options = map_options,
		.run = cmd_wave_focus,
	},
	{
		.noun = "event",
		.verb = "follow",
		.aliases = { "events" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "print events of waves as they occur",
		.help = "Prints a line for each event: seconds since boot, number, type, wave, VMID, PASID,\n"
			"PC, data and cause. It exits when the process of --pid exits, with --count or\n"
			"--timeout, or on Ctrl-C. Without --pid, it needs root. Types are wave, gpu-reset,\n"
			"halt-expired and others; lost, target-gone and gpu-gone are always reported.",
		.options = event_options,
		.run = cmd_event_follow,
	},
	{
		.noun = "reg",
		.verb = "list",
		.summary = "list the registers of waves, and how each can be accessed",
		.options = no_options,
		.run = cmd_reg_list,
	},
	{
		.noun = "reg",
		.verb = "read",
		.aliases = { "regs" },
		.args = "WAVE REG...",
		.summary = "read registers of a wave",
		.help = "WAVE is one wave, such as se0.sa0.wgp3.simd1.wave5; REG is s4, s0-15, v[0:3],\n"
			"ttmp11, vcc, pc, exec, m0, status and so on, see \"reg list\". All registers are\n"
			"read at the same moment. The wave must be halted, by any session or by --halt,\n"
			"except for the registers that \"reg list\" marks as readable at any time. Values of\n"
			"lanes that are inactive in EXEC are in parentheses.",
		.options = reg_read_options,
		.run = cmd_reg_read,
	},
	{
		.noun = "reg",
		.verb = "write",
		.aliases = { "set" },
		.args = "WAVE REG=VALUE[,VALUE]...",
		.summary = "write registers of a wave",
		.help = "Like \"reg read\", with one value for each REG or one for each of its registers. The\n"
			"wave must be halted, and not by another session: use --halt, or \"wave halt\n"
			"--leave-halted\" before. Each value is read back.",
		.options = reg_write_options,
		.run = cmd_reg_write,
	},
	{
		.noun = "mem",
		.verb = "read",
		.args = "ADDRESS BYTES",
		.summary = "read the memory of a process at a GPU address",
		.help = "ADDRESS is an address that the waves of the process use, such as the PC of a wave.\n"
			"While waves exist, running or halted, the data that they wrote may still be only\n"
			"in the caches of the GPU.",
		.options = mem_read_options,
		.run = cmd_mem_read,
	},
	{
		.noun = "mem",
		.verb = "write",
		.args = "ADDRESS [VALUE]...",
		.summary = "write the memory of a process at a GPU address",
		.help = "Each VALUE has 32 bits; --input writes the bytes of a file instead. A wave that has\n"
			"the memory in a cache, for example its code, may not see the change.",
		.options = mem_write_options,
		.run = cmd_mem_write,
	},
	{
		.noun = "cond-dbg",
		.args = "[user=0|1] [sys=0|1]",
		.summary = "read or set the bits that s_cbranch_cdbguser and similar test",
		.help = "For a shell or batch. Sets or prints STATUS.COND_DBG_USER and STATUS.COND_DBG_SYS of\n"
			"the selected wave.",
		.options = map_options,
		.run = cmd_cond_dbg,
	},
	{
		.noun = "lds",
		.verb = "read",
		.aliases = { "lds" },
		.args = "[ADDRESS]",
		.summary = "read the LDS of the work-group of the selected wave",
		.help = "For a shell or batch. ADDRESS is the address that the instructions of the\n"
			"work-group use (default: 0). The trap handler of the wave reads the LDS; the state\n"
			"of the wave does not change.",
		.options = lds_read_options,
		.run = cmd_lds_read,
	},
	{
		.noun = "lds",
		.verb = "write",
		.args = "ADDRESS [VALUE]...",
		.summary = "write the LDS of the work-group of the selected wave",
		.help = "Each VALUE has 32 bits; --input writes the bytes of a file instead.",
		.options = mem_write_options,
		.run = cmd_lds_write,
	},
	{
		.noun = "patch",
		.verb = "set",
		.args = "ADDRESS VALUE...",
		.summary = "overwrite code of a process, until Ctrl-C",
		.help = "Up to 16 values of 32 bits each, which must all lie in one page of 4096 bytes.\n"
			"Waves execute the new code immediately. The original code is restored at the end;\n"
			"in a shell or batch, by \"patch clear\".",
		.options = patch_options,
		.run = cmd_patch_set,
	},
	{
		.noun = "patch",
		.verb = "clear",
		.args = "[ADDRESS]",
		.summary = "remove the patch that begins at an address, or all patches",
		.help = "Only for patches that the same shell or batch has set.",
		.options = map_options,
		.run = cmd_patch_clear,
	},
	{
		.noun = "vm",
		.verb = "map",
		.args = "[ADDRESS]",
		.summary = "list the mappings in the GPU address space of a process",
		.help = "With ADDRESS, print the mapping that contains it. Memory of kind system, vram and\n"
			"userptr (the memory of the process itself) can be read and written.",
		.options = map_options,
		.run = cmd_vm_map,
	},
	{
		.noun = "job",
		.verb = "list",
		.aliases = { "jobs" },
		.summary = "list the jobs on the rings of the GPU, and their processes",
		.help = "If a ring hangs, its oldest job is the one that hangs. LEFT is the time until the\n"
			"driver's timeout for it, or \"held\" while waves are halted. With --pid, list the\n"
			"jobs of that process; without it, list all jobs, which needs root. With --verbose,\n"
			"also list the indirect buffers of each job.",
		.options = map_options,
		.run = cmd_job_list,
	},
	{
		.noun = "break",
		.verb = "set",
		.aliases = { "break", "b" },
		.args = "LOCATION [if CONDITION...]",
		.summary = "set a breakpoint",
		.help = LOCATIONS
			"A breakpoint at a function is placed after its prologue. If a line or a function\n"
			"was compiled into several pieces of code, each gets a breakpoint. Breakpoints\n"
			"need a shell or batch with --pid and exist until \"break clear\". Each stop is\n"
			"reported; \"continue\" and \"wave step\" resume the wave past the breakpoint, which\n"
			"stays for other waves. The breakpoint is pending while waves exist that started\n"
			"before the first breakpoint. CONDITION is one or more of: REG RELATION VALUE, with\n"
			"==, !=, <, s< (signed) or & (any of these bits set), such as v3 == 42, where one\n"
			"lane of a VGPR suffices; lane 0-7; group 7,0,0; wave WAVE; every N, each N-th hit;\n"
			"hit N, only the N-th hit. The GPU evaluates it; other waves keep running.\n"
			"--match does not change code: waves compare their PC after each instruction, and\n"
			"are slow.",
		.options = break_options,
		.run = cmd_break_set,
	},
	{
		.noun = "break",
		.verb = "insn",
		.args = "MNEMONIC | VALUE[/MASK] [if CONDITION...]",
		.summary = "stop waves before all instructions of one kind",
		.help = "MNEMONIC is a name as used by LLVM 19, such as s_barrier; v_add_f32 also means\n"
			"v_add_f32_e32 and v_add_f32_e64. VALUE is the first 32 bits of the instruction;\n"
			"only bits that are set in MASK are compared (default: all). Waves compare after each\n"
			"instruction, as with \"break set --match\".",
		.options = break_insn_options,
		.run = cmd_break_insn,
	},
	{
		.noun = "break",
		.verb = "start",
		.summary = "halt new waves before their first instruction",
		.help = "For a shell or batch with --pid. The first wave that starts is reported. More waves\n"
			"stay halted at their start, until \"continue\" resumes all of them and new waves start\n"
			"normally. With --job, waves of earlier jobs also start halted, but are resumed\n"
			"immediately. Graphics and compute jobs are counted in the order of their submission\n"
			"to a ring; 1 is the next job. If several jobs run at the same time, the waves of\n"
			"all of them stay halted.",
		.options = break_start_options,
		.run = cmd_break_start,
	},
	{
		.noun = "break",
		.verb = "list",
		.summary = "list the breakpoints of the shell or batch",
		.options = map_options,
		.run = cmd_break_list,
	},
	{
		.noun = "break",
		.verb = "clear",
		.aliases = { "delete", "d" },
		.args = "[NUMBER]",
		.summary = "clear a breakpoint, or all breakpoints",
		.help = "Waves that are halted there stay halted, and execute the instruction when resumed.",
		.options = map_options,
		.run = cmd_break_clear,
	},
	{
		.noun = "watchpoint",
		.verb = "set",
		.aliases = { "watch" },
		.args = "ADDRESS",
		.summary = "stop waves after they access a range of memory",
		.help = "For a shell or batch. Without --bytes, watch the smallest range around ADDRESS that\n"
			"the GPU supports. Only waves that started after the first command that needs the\n"
			"debugger stop, because they have its trap handler. \"watch set\" works without the\n"
			"debugger.",
		.options = watchpoint_options,
		.run = cmd_watchpoint_set,
	},
	{
		.noun = "watchpoint",
		.verb = "list",
		.summary = "list the watchpoints of the shell or batch",
		.options = map_options,
		.run = cmd_watchpoint_list,
	},
	{
		.noun = "watchpoint",
		.verb = "clear",
		.args = "[NUMBER]",
		.summary = "clear a watchpoint, or all watchpoints",
		.options = map_options,
		.run = cmd_watchpoint_clear,
	},
	{
		.noun = "cond",
		.args = "NUMBER [CONDITION...]",
		.summary = "set or clear the condition of a breakpoint",
		.help = "CONDITION is as for \"break set\". The count of hits starts at 0 again.",
		.options = map_options,
		.run = cmd_cond,
	},
	{
		.noun = "continue",
		.aliases = { "c" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "resume halted waves, in a shell or batch",
		.help = "Resumes all halted waves of the process, or the given wave. Waves at a breakpoint\n"
			"execute the instruction. Waves with an unreported stop stay halted.",
		.options = map_options,
		.run = cmd_continue,
	},
	{
		.noun = "until",
		.aliases = { "u" },
		.args = "LOCATION [WAVE]",
		.summary = "resume a halted wave until it reaches a location",
		.help = LOCATIONS
			"For a shell or batch. The default for WAVE is the selected wave. Other waves do not\n"
			"change. The wave may stop elsewhere before. If it does not arrive within the time\n"
			"of --timeout (default: 10 s), it is halted.",
		.options = until_options,
		.run = cmd_until,
	},
	{
		.noun = "next",
		.aliases = { "n" },
		.args = "[WAVE]",
		.takes_waves = true,
		.summary = "execute one instruction, including the functions that it calls",
		.help = "Like \"until\". Calls are s_swappc_b64 and s_call_b64.",
		.options = until_options,
		.run = cmd_next,
	},
	{
		.noun = "finish",
		.aliases = { "fin" },
		.args = "[WAVE]",
		.takes_waves = true,
		.summary = "resume a halted wave until its function returns",
		.help = "Like \"until\". The wave stops after the next s_setpc_b64 that does not belong to a\n"
			"called function, or before s_endpgm.",
		.options = until_options,
		.run = cmd_finish,
	},
	{
		.noun = "stepi",
		.aliases = { "si" },
		.args = "[N] [WAVE]",
		.summary = "single-step a halted wave, N times",
		.help = "For a shell or batch; \"wave step\" is for many waves. With --changes, print each\n"
			"instruction and below it the new values of registers. VGPRs are printed with eight\n"
			"lanes per line; unchanged values are in parentheses. PC is left out.",
		.options = stepi_options,
		.run = cmd_stepi,
	},
	{
		.noun = "trace",
		.verb = "save",
		.args = "FILE [N] [WAVE]",
		.summary = "single-step a halted wave and save what each instruction changed",
		.help = "For a shell or batch. Executes N instructions (default: 100), or fewer if the wave\n"
			"stops for another reason. \"trace show\" prints the file, on any machine.",
		.options = map_options,
		.run = cmd_trace_save,
	},
	{
		.noun = "trace",
		.verb = "show",
		.args = "FILE",
		.summary = "print a saved trace: each instruction, and what it changed",
		.help = "With --at, print all registers at that step. This needs no GPU.",
		.options = trace_show_options,
		.run = cmd_trace_show,
	},
	{
		.noun = "disasm",
		.args = "[LOCATION]",
		.summary = "disassemble the code of a process, in a shell or batch",
		.help = LOCATIONS
			"Without an argument, start at the PC of the selected wave. The mark => is at that\n"
			"PC; the registers of that instruction are printed below it, VGPRs for the selected\n"
			"lane. Needs LLVM 19. Breakpoints do not appear in the code.",
		.options = disasm_options,
		.run = cmd_disasm,
	},
	{
		.noun = "code",
		.verb = "add",
		.args = "FILE",
		.summary = "add a code object with names and lines, in a shell or batch",
		.help = "FILE is the code object that the process executes, as written by the compiler; use\n"
			"-g for lines and variables. Its load address is found by comparing instructions.",
		.options = code_options,
		.run = cmd_code_add,
	},
	{
		.noun = "info",
		.verb = "barrier",
		.summary = "same as \"wave barrier\"",
		.options = barrier_options,
		.run = cmd_wave_barrier,
	},
	{
		.noun = "info",
		.verb = "waves",
		.args = WAVES,
		.takes_waves = true,
		.summary = "same as \"wave list\"",
		.options = list_options,
		.run = cmd_wave_list,
	},
	{
		.noun = "info",
		.verb = "breakpoints",
		.summary = "same as \"break list\"",
		.options = map_options,
		.run = cmd_break_list,
	},
	{
		.noun = "info",
		.verb = "map",
		.args = "[ADDRESS]",
		.summary = "same as \"vm map\"",
		.options = map_options,
		.run = cmd_vm_map,
	},
	{
		.noun = "info",
		.verb = "code",
		.summary = "list the code objects of a process, in a shell or batch",
		.help = "Lists the code objects that were added and those found in the memory of the process.\n"
			"The search takes longer the more executable memory the process has.",
		.options = map_options,
		.run = cmd_info_code,
	},
	{
		.noun = "info",
		.verb = "variables",
		.summary = "list the variables in scope at the PC of the selected wave",
		.help = "Prints the values for one lane: that of --lane, or the selected one.",
		.options = print_options,
		.run = cmd_info_variables,
	},
	{
		.noun = "print",
		.aliases = { "p" },
		.args = "EXPRESSION",
		.summary = "print a variable or an expression in the selected wave",
		.help = "Expressions are as in C, without casts and side effects: x, *p, in[i + 1],\n"
			"r.first.a, x & 7 && y < 0. Registers are $v3, $s4, $exec. Write -- before an\n"
			"expression that begins with a minus. The value is printed for each lane, for the\n"
			"selected lane or for those of --lane, but only once if it is the same in all of\n"
			"them. Values of lanes that are inactive in EXEC are in parentheses.",
		.options = print_options,
		.run = cmd_print,
	},
	{
		.noun = "source",
		.verb = "list",
		.aliases = { "list", "l" },
		.args = "[LOCATION]",
		.summary = "list source lines, in a shell or batch",
		.help = LOCATIONS
			"Without an argument, list the lines around the PC of the selected wave, and then\n"
			"the lines that follow.",
		.options = source_options,
		.run = cmd_source_list,
	},
	{
		.noun = "x",
		.args = "LOCATION",
		.summary = "print 32-bit words of the memory of a process",
		.help = LOCATIONS
			"Names of symbols and functions need a shell or batch.",
		.options = x_options,
		.run = cmd_x,
	},
	{
		.noun = "lane",
		.args = "[LANE]",
		.summary = "select the lane for \"print\" and \"disasm\", or all lanes",
		.help = "Takes a lane number, or all.",
		.options = map_options,
		.run = cmd_lane,
	},
	{
		.noun = "watch",
		.verb = "set",
		.summary = "watch memory accesses of the waves of a process, until Ctrl-C",
		.help = "Waves that have a trap handler and the exception addr-watch enabled stop when they\n"
			"hit the watch; others only record the hit, see \"watch list\". At the end, the live\n"
			"waves that hit the watch are listed. --stop sets up both for new waves, prints each\n"
			"hit with the registers of the wave, and resumes the wave.",
		.options = watch_options,
		.run = cmd_watch_set,
	},
	{
		.noun = "watch",
		.verb = "list",
		.summary = "list the live waves that have hit a watch",
		.options = hits_options,
		.run = cmd_watch_list,
	},
	{
		.noun = "launch",
		.verb = "set",
		.summary = "set how new waves of a process start, until Ctrl-C",
		.help = "--mode halt halts each new wave before its first instruction; --mode debug makes\n"
			"waves with a trap handler enter it after each instruction. Exceptions are invalid,\n"
			"input-denorm, float-div0, overflow, underflow, inexact, int-div0, addr-watch,\n"
			"mem-viol. All but addr-watch, and --replace, need root, because the GPU enables\n"
			"them for all processes. At the end new waves start normally, and those that\n"
			"started halted are resumed.",
		.options = launch_options,
		.run = cmd_launch_set,
	},
	{
		.noun = "trap",
		.verb = "install",
		.summary = "stop the waves of a process at traps, until Ctrl-C",
		.help = "Installs the default trap handler for new waves and prints a line for each wave\n"
			"that stops: at s_trap, at an exception or a watch, or in debug mode. The wave stays\n"
			"halted until the end, or is resumed with --resume. At the end all waves are resumed.",
		.options = install_options,
		.run = cmd_trap_install,
	},
	{
		.noun = "trap",
		.verb = "set",
		.args = "FILE",
		.summary = "install a trap handler for the waves of a process, until Ctrl-C",
		.help = "FILE contains the machine code of the handler. A line is printed for each interrupt\n"
			"that the handler sends. The handler must return. wavectl resumes the waves that it\n"
			"halted at the end.",
		.options = handler_options,
		.run = cmd_trap_set,
	},
	{
		.noun = "shell",
		.summary = "enter commands that share one session",
		.help = "What a command halts or sets stays in effect for the next commands; waves are\n"
			"resumed when the shell exits. Commands are as on the command line; --pid of the\n"
			"shell applies to all of them. \"halt\" and similar commands return immediately. Ctrl-C\n"
			"ends a command that waits, \"quit\" or Ctrl-D the shell. Events are reported as they\n"
			"occur.",
		.options = shell_options,
		.run = cmd_shell,
	},
	{
		.noun = "attach",
		.args = "PID",
		.summary = "debug a running process, in a shell",
		.help = "The process keeps running, and new waves can stop. In a shell or batch, this needs\n"
			"one that was started without --pid.",
		.options = attach_options,
		.run = cmd_attach,
	},
	{
		.noun = "run",
		.aliases = { "r" },
		.args = "[--] PROGRAM [ARGS...]",
		.summary = "start a program that stops at its first wave, in a shell",
		.help = "The debugger attaches before the program, or a process that it started, submits its\n"
			"first job to the GPU. The first waves are halted before their first instruction.\n"
			"\"continue\" resumes them, and new waves start normally. In a shell or batch, this\n"
			"needs one that was started without --pid. If commands are typed, the program has no\n"
			"standard input and does not receive Ctrl-C. It keeps running when the shell exits.",
		.options = run_options,
		.run = cmd_run,
	},
	{
		.noun = "batch",
		.args = "FILE",
		.summary = "execute the commands of a file in one session",
		.help = "Like the shell, with the lines of FILE, or of standard input if FILE is -. The first\n"
			"error ends the batch. Empty lines and comments after # are ignored. With --json,\n"
			"print one document for each command.",
		.options = batch_options,
		.run = cmd_batch,
	},
	{
		.noun = "version",
		.summary = "print the versions of wavectl, the library and the module",
		.options = no_options,
		.run = cmd_version,
	},
	{
		.noun = "dump-commands",
		.summary = "print all commands and options, for completion",
		.hidden = true,
		.options = no_options,
		.run = cmd_dump_commands,
	},
};

const unsigned int num_commands = ARRAY_SIZE(commands);
