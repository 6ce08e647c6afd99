// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of all commands. Help, completion and the test of the man page are
 * made from it.
 */
#include <stddef.h>

#include "util.h"
#include "wavectl.h"

#define WAVES "[WAVES]"

/* Of those that take a LOCATION */
#define LOCATIONS \
	"LOCATION is an address, SYMBOL, SYMBOL+OFFSET, FUNCTION, FILE:LINE, or :LINE in\n" \
	"the file where the wave in focus is.\n"

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
		.summary = "what can be done with the GPU, and why not",
		.help = "With --pid, what can be done with that process: one that uses amdkfd has other\n"
			"answers.",
		.options = map_options,
		.run = cmd_caps,
	},
	{
		.noun = "proc",
		.verb = "list",
		.summary = "list the processes that use the GPU",
		.help = "Each line is one client: one use that a process makes of the GPU, with an\n"
			"address space of its own. Others' processes are listed for root only.",
		.options = proc_options,
		.run = cmd_proc_list,
	},
	{
		.noun = "wave",
		.verb = "list",
		.args = WAVES,
		.takes_waves = true,
		.summary = "list the live waves",
		.help = "With --verbose, also what is not zero of its registers, field by field.",
		.options = list_options,
		.run = cmd_wave_list,
	},
	{
		.noun = "wave",
		.verb = "halt",
		.aliases = { "halt" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "halt waves, and hold them until Ctrl-C",
		.help = "--pid alone halts every wave of that process, --vmid alone every wave of\n"
			"that VMID; WAVES is one wave, one WGP or a pattern of waves, such as\n"
			"se0.sa0.wgp3.simd1.wave5, 0.0.3.1.5, se0.sa0.wgp3, *.*.0-2; --all halts\n"
			"every VMID that has live waves. Without --pid it takes root.\n"
			"Waves that start later are not halted. The waves run on when wavectl\n"
			"ends, however it ends, unless --leave-halted is given.",
		.options = halt_options,
		.run = cmd_wave_halt,
	},
	{
		.noun = "wave",
		.verb = "resume",
		.aliases = { "resume" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "let waves go on that were left halted",
		.help = "Takes the waves that \"wave halt --leave-halted\" left. Waves that\n"
			"another session holds stay halted.",
		.options = resume_options,
		.run = cmd_wave_resume,
	},
	{
		.noun = "wave",
		.verb = "snapshot",
		.args = WAVES,
		.takes_waves = true,
		.summary = "list the live waves, all as of one moment",
		.help = "Halts all waves of --pid, of --vmid or of the GPU, lets none start, reads\n"
			"them, and lets them go on. A wave that is in its trap handler runs on.\n"
			"With --regs, each wave with all of its registers: values of lanes that EXEC\n"
			"has switched off are in parentheses.",
		.options = snapshot_options,
		.run = cmd_wave_snapshot,
	},
	{
		.noun = "wave",
		.verb = "barrier",
		.aliases = { "barrier" },
		.summary = "list the waves that wait at a barrier, and those that are missing",
		.help = "For each work-group of which waves wait at s_barrier: these, and those that have\n"
			"not come there and have not ended, with where they are and what holds them. No\n"
			"wave is stopped for it; one that is only late is missing, too: ask again.",
		.options = barrier_options,
		.run = cmd_wave_barrier,
	},
	{
		.noun = "wave",
		.verb = "step",
		.aliases = { "step" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "let halted waves do one instruction, or more",
		.help = "Waves that are not halted are left out, unless --halt is given. With\n"
			"--verbose, every address that each wave came to.",
		.options = step_options,
		.run = cmd_wave_step,
	},
	{
		.noun = "wave",
		.verb = "kill",
		.aliases = { "kill" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "end waves at once",
		.help = "What they were to compute is not computed; the program is not told.\n"
			"Waves that start later are not ended.",
		.options = resume_options,
		.run = cmd_wave_kill,
	},
	{
		.noun = "wave",
		.verb = "trap",
		.args = WAVES,
		.takes_waves = true,
		.summary = "let waves enter their trap handler",
		.help = "Waves that have no trap handler do not change.",
		.options = trap_options,
		.run = cmd_wave_trap,
	},
	{
		.noun = "wave",
		.verb = "debug",
		.args = WAVES,
		.takes_waves = true,
		.summary = "let waves trap after each instruction, until Ctrl-C",
		.help = "Waves that have no trap handler go on as before.",
		.options = debug_options,
		.run = cmd_wave_debug,
	},
	{
		.noun = "wave",
		.verb = "focus",
		.aliases = { "focus", "wave" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "choose the wave that \"print\" and the like are about",
		.help = "It is for a shell or batch with --pid. Without a wave, say which it is. A wave\n"
			"that stops at a breakpoint comes there by itself, unless the one that was there\n"
			"still stands.",
		.options = map_options,
		.run = cmd_wave_focus,
	},
	{
		.noun = "event",
		.verb = "follow",
		.aliases = { "events" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "print what happens to waves, as it happens",
		.help = "A line for each event: seconds since the boot, number, type, wave, VMID,\n"
			"PASID, PC, what was sent, why. It ends with the process of --pid, with\n"
			"--count or --timeout, or with Ctrl-C. Without --pid it takes root. The\n"
			"types: wave, gpu-reset, halt-expired and others; and\n"
			"always lost, target-gone, gpu-gone.",
		.options = event_options,
		.run = cmd_event_follow,
	},
	{
		.noun = "reg",
		.verb = "list",
		.summary = "list the registers of a wave, and what can be done with them",
		.options = no_options,
		.run = cmd_reg_list,
	},
	{
		.noun = "reg",
		.verb = "read",
		.aliases = { "regs" },
		.args = "WAVE REG...",
		.summary = "read registers of a wave",
		.help = "WAVE is one wave, such as se0.sa0.wgp3.simd1.wave5; REG is s4, s0-15,\n"
			"v[0:3], ttmp11, vcc, pc, exec, m0, status and so on, see \"reg list\".\n"
			"All are of one moment. The wave must be halted, by whomever or by\n"
			"--halt, but for those that \"reg list\" says can be read at any time.\n"
			"Values of lanes that EXEC has switched off are in parentheses.",
		.options = reg_read_options,
		.run = cmd_reg_read,
	},
	{
		.noun = "reg",
		.verb = "write",
		.aliases = { "set" },
		.args = "WAVE REG=VALUE[,VALUE]...",
		.summary = "write registers of a wave",
		.help = "As \"reg read\", with a value for each REG, or one for each of its\n"
			"registers. The wave must be halted, and by no other session: --halt, or\n"
			"\"wave halt --leave-halted\". Each value is read back.",
		.options = reg_write_options,
		.run = cmd_reg_write,
	},
	{
		.noun = "mem",
		.verb = "read",
		.args = "ADDRESS BYTES",
		.summary = "read a process's memory as its waves have it",
		.help = "ADDRESS is one of the process's waves', such as a wave's PC. What a wave\n"
			"has written may be in the GPU's caches alone while it is there, halted or\n"
			"not.",
		.options = mem_read_options,
		.run = cmd_mem_read,
	},
	{
		.noun = "mem",
		.verb = "write",
		.args = "ADDRESS [VALUE]...",
		.summary = "write a process's memory as its waves have it",
		.help = "The values are of 32 bits each; --input takes a file's bytes instead. A\n"
			"wave that has the memory in a cache, as it has its code, may not see it.",
		.options = mem_write_options,
		.run = cmd_mem_write,
	},
	{
		.noun = "cond-dbg",
		.args = "[user=0|1] [sys=0|1]",
		.summary = "how s_cbranch_cdbguser and its like branch",
		.help = "In a shell or batch: STATUS.COND_DBG_USER and COND_DBG_SYS of the wave in\n"
			"focus, or what they are.",
		.options = map_options,
		.run = cmd_cond_dbg,
	},
	{
		.noun = "lds",
		.verb = "read",
		.aliases = { "lds" },
		.args = "[ADDRESS]",
		.summary = "read the LDS of the work-group whose wave is in focus",
		.help = "In a shell or batch. ADDRESS is as the group's instructions have it, 0 if not\n"
			"given. The wave's trap handler does it, and the wave stays as it is.",
		.options = lds_read_options,
		.run = cmd_lds_read,
	},
	{
		.noun = "lds",
		.verb = "write",
		.args = "ADDRESS [VALUE]...",
		.summary = "write it",
		.help = "The values are of 32 bits each; --input takes a file's bytes instead.",
		.options = mem_write_options,
		.run = cmd_lds_write,
	},
	{
		.noun = "patch",
		.verb = "set",
		.args = "ADDRESS VALUE...",
		.summary = "write over a process's code, until Ctrl-C",
		.help = "The values are of 32 bits each, 16 at most, and all in one page of 4096 bytes.\n"
			"Waves run them from now on; what was there before comes back at the end. In\n"
			"a shell or batch it stays until \"patch clear\".",
		.options = patch_options,
		.run = cmd_patch_set,
	},
	{
		.noun = "patch",
		.verb = "clear",
		.args = "[ADDRESS]",
		.summary = "take out the patch that begins at an address, or all",
		.help = "It is for what a shell or batch has set.",
		.options = map_options,
		.run = cmd_patch_clear,
	},
	{
		.noun = "vm",
		.verb = "map",
		.args = "[ADDRESS]",
		.summary = "list what is mapped at the addresses of a process's waves",
		.help = "With ADDRESS, the mapping that it lies in. Memory of kind system and vram,\n"
			"and userptr, the process's own, can be read and written.",
		.options = map_options,
		.run = cmd_vm_map,
	},
	{
		.noun = "job",
		.verb = "list",
		.aliases = { "jobs" },
		.summary = "list the jobs on the GPU's rings, and whose they are",
		.help = "The oldest job of a ring that does not end is the one that hangs: LEFT is for how\n"
			"long the driver still waits for it, \"held\" if waves are stopped at present. With\n"
			"--pid, the jobs of that process; without, those of all, which needs root. With\n"
			"--verbose, the commands of each job (indirect buffers).",
		.options = map_options,
		.run = cmd_job_list,
	},
	{
		.noun = "break",
		.verb = "set",
		.aliases = { "break", "b" },
		.args = "LOCATION [if CONDITION...]",
		.summary = "let a process's waves stop before an instruction",
		.help = LOCATIONS
			"A function is meant behind its prologue. A line or a function that was compiled\n"
			"into several gets a breakpoint in each.\n"
			"It is for a shell or batch with --pid, and stays until \"break clear\". A wave\n"
			"that stops is told of; \"continue\" and \"wave step\" let it go on, with the\n"
			"breakpoint in place for the others. While there are waves that began before\n"
			"the first breakpoint, it waits. CONDITION is one or more of: REG RELATION\n"
			"VALUE, with ==, !=, <, s< (signed) or & (any of these bits), such as v3 == 42,\n"
			"of a VGPR in any lane; lane 0-7; group 7,0,0; wave WAVE; every N, each so-many-th\n"
			"hit; hit N, this one alone. The GPU decides; other waves go on. With --match code\n"
			"stays as it is: waves compare where they are after each instruction, and are slow.",
		.options = break_options,
		.run = cmd_break_set,
	},
	{
		.noun = "break",
		.verb = "insn",
		.args = "MNEMONIC | VALUE[/MASK] [if CONDITION...]",
		.summary = "likewise before instructions that are alike, anywhere",
		.help = "MNEMONIC is as LLVM 19 has it, such as s_barrier; v_add_f32 is also v_add_f32_e32\n"
			"and v_add_f32_e64. Or VALUE is what an instruction's first 32 bits are where MASK\n"
			"has bits, all if not given. It is as \"break set --match\".",
		.options = break_insn_options,
		.run = cmd_break_insn,
	},
	{
		.noun = "break",
		.verb = "start",
		.summary = "let waves stand before their first instruction",
		.help = "It is for a shell or batch with --pid. The first wave that begins is told of;\n"
			"others stand, too, until \"continue\" lets all go on, and waves begin as before.\n"
			"With --job, waves of the jobs before begin halted, too, and are let go on at\n"
			"once. Jobs of graphics and compute are counted, as they are given to a ring: 1\n"
			"is the next. Of those that are at work at the same time, all waves stand then.",
		.options = break_start_options,
		.run = cmd_break_start,
	},
	{
		.noun = "break",
		.verb = "list",
		.summary = "list the breakpoints of a shell or batch",
		.options = map_options,
		.run = cmd_break_list,
	},
	{
		.noun = "break",
		.verb = "clear",
		.aliases = { "delete", "d" },
		.args = "[NUMBER]",
		.summary = "take out a breakpoint, or all",
		.help = "Waves that stand there go on with the instruction.",
		.options = map_options,
		.run = cmd_break_clear,
	},
	{
		.noun = "watchpoint",
		.verb = "set",
		.aliases = { "watch" },
		.args = "ADDRESS",
		.summary = "let waves stop behind what they do to some memory",
		.help = "In a shell or batch. Without --bytes it is the least that the GPU can watch, with\n"
			"ADDRESS in it. Waves stop that have the debugger's trap handler: those that\n"
			"began since its first command. \"watch set\" is for what it takes no debugger for.",
		.options = watchpoint_options,
		.run = cmd_watchpoint_set,
	},
	{
		.noun = "watchpoint",
		.verb = "list",
		.summary = "list the watchpoints of a shell or batch",
		.options = map_options,
		.run = cmd_watchpoint_list,
	},
	{
		.noun = "watchpoint",
		.verb = "clear",
		.args = "[NUMBER]",
		.summary = "take away a watchpoint, or all",
		.options = map_options,
		.run = cmd_watchpoint_clear,
	},
	{
		.noun = "cond",
		.args = "NUMBER [CONDITION...]",
		.summary = "give a breakpoint another condition, or none",
		.help = "CONDITION is as of \"break set\". Hits are counted from 0 again.",
		.options = map_options,
		.run = cmd_cond,
	},
	{
		.noun = "continue",
		.aliases = { "c" },
		.args = WAVES,
		.takes_waves = true,
		.summary = "let waves go on that are halted, in a shell or batch",
		.help = "All waves of the process, or the one that WAVES names, also those that stand\n"
			"at a breakpoint; but those whose stop is still to be told.",
		.options = map_options,
		.run = cmd_continue,
	},
	{
		.noun = "until",
		.aliases = { "u" },
		.args = "LOCATION [WAVE]",
		.summary = "let a halted wave run until it comes to an instruction",
		.help = LOCATIONS
			"In a shell or batch. Without WAVE it is the one in focus. Others stay\n"
			"as they are. The wave may stop elsewhere before; when the time of --timeout,\n"
			"or 10 s, is over, it is halted.",
		.options = until_options,
		.run = cmd_until,
	},
	{
		.noun = "next",
		.aliases = { "n" },
		.args = "[WAVE]",
		.takes_waves = true,
		.summary = "let a halted wave do one instruction, with all that it calls",
		.help = "As \"until\". Calls are s_swappc_b64 and s_call_b64.",
		.options = until_options,
		.run = cmd_next,
	},
	{
		.noun = "finish",
		.aliases = { "fin" },
		.args = "[WAVE]",
		.takes_waves = true,
		.summary = "let a halted wave run until its function returns",
		.help = "As \"until\": behind the next s_setpc_b64 that is not of a function that it\n"
			"calls, or before s_endpgm.",
		.options = until_options,
		.run = cmd_finish,
	},
	{
		.noun = "stepi",
		.aliases = { "si" },
		.args = "[N] [WAVE]",
		.summary = "let a halted wave do one instruction, or N",
		.help = "In a shell or batch; \"wave step\" is for many waves. With --changes, each\n"
			"instruction that was done, and below it the new values of registers; of a VGPR\n"
			"eight lanes to a line, those that are as before in parentheses. PC is left out.",
		.options = stepi_options,
		.run = cmd_stepi,
	},
	{
		.noun = "trace",
		.verb = "save",
		.args = "FILE [N] [WAVE]",
		.summary = "let a halted wave do N instructions, and save what they change",
		.help = "In a shell or batch; 100 instructions, if N is not given, or until it stops for\n"
			"something else. \"trace show\" reads the file, here or anywhere.",
		.options = map_options,
		.run = cmd_trace_save,
	},
	{
		.noun = "trace",
		.verb = "show",
		.args = "FILE",
		.summary = "show what was saved: each instruction, and what it has changed",
		.help = "With --at, all registers as they were then. It needs no GPU.",
		.options = trace_show_options,
		.run = cmd_trace_show,
	},
	{
		.noun = "disasm",
		.args = "[LOCATION]",
		.summary = "disassemble a process's code, in a shell or batch",
		.help = LOCATIONS
			"Without it, from where the wave in focus is; => is where that is, and below it\n"
			"is what the instruction's registers hold, VGPRs of the lane in focus.\n"
			"By LLVM 19. Breakpoints are not seen.",
		.options = disasm_options,
		.run = cmd_disasm,
	},
	{
		.noun = "code",
		.verb = "add",
		.args = "FILE",
		.summary = "know the names and lines of a process's code, in a shell or batch",
		.help = "FILE is the code object that the process runs, as the compiler has made it, with\n"
			"-g for lines and variables. Where it lies is found by its instructions.",
		.options = code_options,
		.run = cmd_code_add,
	},
	{
		.noun = "info",
		.verb = "barrier",
		.summary = "as \"wave barrier\"",
		.options = barrier_options,
		.run = cmd_wave_barrier,
	},
	{
		.noun = "info",
		.verb = "waves",
		.args = WAVES,
		.takes_waves = true,
		.summary = "as \"wave list\"",
		.options = list_options,
		.run = cmd_wave_list,
	},
	{
		.noun = "info",
		.verb = "breakpoints",
		.summary = "as \"break list\"",
		.options = map_options,
		.run = cmd_break_list,
	},
	{
		.noun = "info",
		.verb = "map",
		.args = "[ADDRESS]",
		.summary = "as \"vm map\"",
		.options = map_options,
		.run = cmd_vm_map,
	},
	{
		.noun = "info",
		.verb = "code",
		.summary = "list the code objects of a process, in a shell or batch",
		.help = "Those that were added, and those that are found in the process's memory, which\n"
			"takes the longer, the more of it waves may run.",
		.options = map_options,
		.run = cmd_info_code,
	},
	{
		.noun = "info",
		.verb = "variables",
		.summary = "list the variables in scope, where the wave in focus is",
		.help = "Their values are those of one lane: of --lane, or the one in focus.",
		.options = print_options,
		.run = cmd_info_variables,
	},
	{
		.noun = "print",
		.aliases = { "p" },
		.args = "EXPRESSION",
		.summary = "print a variable, or what is computed of some, where the wave in focus is",
		.help = "As in C: x, *p, in[i + 1], r.first.a, x & 7 && y < 0, without casts and what has\n"
			"effects; and registers: $v3, $s4, $exec. Behind -- it may begin with a minus.\n"
			"In each lane, in that of \"lane\", or in those of --lane; once if it is the same in\n"
			"all of these. Values of lanes that EXEC has switched off are in parentheses.",
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
			"Without it, around where the wave in focus is, and then on from there.",
		.options = source_options,
		.run = cmd_source_list,
	},
	{
		.noun = "x",
		.args = "LOCATION",
		.summary = "print words of a process's memory",
		.help = LOCATIONS
			"Names are for a shell or batch.",
		.options = x_options,
		.run = cmd_x,
	},
	{
		.noun = "lane",
		.args = "[LANE]",
		.summary = "choose the lane that \"print\" and \"disasm\" are about, or all",
		.help = "It takes a number, or all.",
		.options = map_options,
		.run = cmd_lane,
	},
	{
		.noun = "watch",
		.verb = "set",
		.summary = "watch what a process's waves do to memory, until Ctrl-C",
		.help = "Waves that have a trap handler and the exception addr-watch enabled stop\n"
			"at a hit, others show it, see \"watch list\". At the end the live waves that\n"
			"have hit the watch are listed. --stop sees to both for waves that start from\n"
			"now on, prints each hit with the wave's registers, and resumes the wave.",
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
		.summary = "let a process's waves start in another way, until Ctrl-C",
		.help = "--mode halt halts each wave before its first instruction, --mode debug lets\n"
			"those with a trap handler enter it after each one. The exceptions: invalid,\n"
			"input-denorm, float-div0, overflow, underflow, inexact, int-div0,\n"
			"addr-watch, mem-viol; all but addr-watch, and --replace, take root, because\n"
			"the GPU enables them for all processes. At the end waves start as before,\n"
			"and those that started halted run on.",
		.options = launch_options,
		.run = cmd_launch_set,
	},
	{
		.noun = "trap",
		.verb = "install",
		.summary = "stop a process's waves at traps, until Ctrl-C",
		.help = "Gives waves that start from now on the default trap handler, and prints a\n"
			"line for each wave that stops: at s_trap, at an exception or a watch, or\n"
			"in debug mode. It stays halted until the end, or goes on with --resume.\n"
			"At the end all waves run on.",
		.options = install_options,
		.run = cmd_trap_install,
	},
	{
		.noun = "trap",
		.verb = "set",
		.args = "FILE",
		.summary = "give a process's waves a trap handler, until Ctrl-C",
		.help = "FILE is the handler's code, as the GPU runs it. A line is printed for each\n"
			"interrupt that it sends. It must return; waves that it halts belong to\n"
			"wavectl, and run on at the end.",
		.options = handler_options,
		.run = cmd_trap_set,
	},
	{
		.noun = "shell",
		.summary = "type commands, all in one session",
		.help = "What a command has halted or set stays so for the next one, and at the end\n"
			"waves run on. Commands are as on the command line; --pid is that of the\n"
			"shell. \"halt\" and the like return at once; Ctrl-C ends a command that waits,\n"
			"\"quit\" or Ctrl-D the shell. What happens by itself is told when it happens.",
		.options = shell_options,
		.run = cmd_shell,
	},
	{
		.noun = "attach",
		.args = "PID",
		.summary = "debug a process, in a shell",
		.help = "It runs on, and waves that begin from now on can stop. In a shell or batch it takes\n"
			"one without --pid.",
		.options = attach_options,
		.run = cmd_attach,
	},
	{
		.noun = "run",
		.aliases = { "r" },
		.args = "[--] PROGRAM [ARGS...]",
		.summary = "start a program, which stops at its first wave, in a shell",
		.help = "It is debugged before it gives the GPU its first job, or what it has started is;\n"
			"its first waves stand before their first instruction. \"continue\" lets them go,\n"
			"and from then on waves begin as ever. In a shell or batch it takes one without\n"
			"--pid. Where commands are typed, the program reads nothing, and Ctrl-C is not\n"
			"for it. It runs on when the shell ends.",
		.options = run_options,
		.run = cmd_run,
	},
	{
		.noun = "batch",
		.args = "FILE",
		.summary = "run the commands of a file, all in one session",
		.help = "As the shell, with the lines of FILE, or with - those of standard input; the\n"
			"first error ends it. Empty lines and what follows a # say nothing. With\n"
			"--json, one document for each line that is a command.",
		.options = batch_options,
		.run = cmd_batch,
	},
	{
		.noun = "version",
		.summary = "versions of wavectl, the library and the module",
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
