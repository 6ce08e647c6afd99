// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options: what they are called, what they mean, how they are checked.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/util.h"
#include "base/wavectl.h"

#define SPEC_HINT \
	"use names such as se0.sa0.wgp3.simd1.wave5, 0.0.3.1.5, se0.sa0.wgp3, *.*.0-2"

int parse_spec(struct wavectl *w, const char *text,
	       struct adbg_wave_spec *spec)
{
	size_t bad = 0;
	int len;

	if (!adbg_wave_spec_parse(text, spec, &bad))
		return WAVECTL_OK;
	len = strcspn(text + bad, ".");
	if (!len)
		return fail_with(w, WAVECTL_USAGE, SPEC_HINT,
				 "'%s' is not a wave name: a part is missing", text);
	return fail_with(w, WAVECTL_USAGE, SPEC_HINT,
			 "'%s' is not a wave name: unexpected '%.*s'", text, len,
			 text + bad);
}

/* timerfd takes more, but nobody waits for that. */
#define MAX_HOLD_SECONDS 1e9

/* More are a loop of the shell; they would be kept in memory here. */
#define MAX_STEPS 100000

static bool set_gpu(struct wavectl *w, const char *arg)
{
	uint64_t number;

	w->gpu = arg;
	return parse_u64(arg, UINT32_MAX, &number);
}

static bool set_pci(struct wavectl *w, const char *arg)
{
	w->pci = arg;
	return true;
}

static bool set_render(struct wavectl *w, const char *arg)
{
	w->render = arg;
	return true;
}

static bool set_json(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->json = true;
	return true;
}

static bool set_dry_run(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->dry_run = true;
	return true;
}

static bool set_verbose(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->verbose = true;
	return true;
}

static bool set_pid(struct wavectl *w, const char *arg)
{
	uint64_t pid;

	if (!parse_u64(arg, INT32_MAX, &pid) || !pid)
		return false;
	w->pid = pid;
	return true;
}

static bool set_client(struct wavectl *w, const char *arg)
{
	return parse_u64(arg, UINT64_MAX, &w->client) && w->client;
}

static bool set_vmid(struct wavectl *w, const char *arg)
{
	uint64_t vmid;

	/* A VMID is a bit of the 32-bit mask of the kernel interface. */
	if (!parse_u64(arg, 31, &vmid) || !vmid)
		return false;
	w->vmid = vmid;
	return true;
}

static bool set_all(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->all = true;
	return true;
}

static bool set_pc(struct wavectl *w, const char *arg)
{
	w->has_pc = true;
	return parse_u64(arg, UINT64_MAX, &w->pc);
}

static bool set_leave_halted(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->leave_halted = true;
	return true;
}

static bool set_force(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->force = true;
	return true;
}

static bool set_trap_id(struct wavectl *w, const char *arg)
{
	uint64_t id;

	/* 4 bits of SQ_CMD in the newest generations */
	if (!parse_u64(arg, 15, &id))
		return false;
	w->trap_id = id;
	return true;
}

static bool set_off(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->off = true;
	return true;
}

static bool set_resume(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->resume = true;
	return true;
}

static bool set_keep_going(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->keep_going = true;
	return true;
}

static bool set_echo(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->echo = true;
	return true;
}

static bool set_regs(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->regs = true;
	return true;
}

static bool set_stop(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->stop = true;
	return true;
}

static bool set_halt(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->halt = true;
	return true;
}

static bool set_steps(struct wavectl *w, const char *arg)
{
	return parse_u64(arg, MAX_STEPS, &w->count) && w->count;
}

static bool set_state(struct wavectl *w, const char *arg)
{
	return wave_state_parse(arg, &w->wave_flags_mask, &w->wave_flags);
}

static bool parse_seconds(const char *arg, uint64_t *ns)
{
	double seconds;
	char *end;

	if (!isdigit((unsigned char)*arg))
		return false;
	seconds = strtod(arg, &end);
	if (*end || !(seconds > 0) || seconds > MAX_HOLD_SECONDS)
		return false;

	*ns = seconds * 1e9;
	return *ns > 0;
}

static bool set_for(struct wavectl *w, const char *arg)
{
	return parse_seconds(arg, &w->hold_ns);
}

static bool set_timeout(struct wavectl *w, const char *arg)
{
	return parse_seconds(arg, &w->timeout_ns);
}

static bool set_count(struct wavectl *w, const char *arg)
{
	return parse_u64(arg, UINT64_MAX, &w->count) && w->count;
}

static bool set_type(struct wavectl *w, const char *arg)
{
	return !adbg_event_types_parse(arg, &w->types);
}

static bool set_cause(struct wavectl *w, const char *arg)
{
	return cause_parse(arg, &w->causes);
}

bool parse_lanes(const char *arg, uint32_t *first_lane, uint32_t *last_lane)
{
	const char *dash = strchr(arg, '-');
	char first[16] = "";
	uint64_t from, to;

	if (dash && dash - arg < (int)sizeof(first))
		memcpy(first, arg, dash - arg);
	if (!parse_u64(dash ? first : arg, 63, &from) ||
	    !parse_u64(dash ? dash + 1 : arg, 63, &to) || to < from)
		return false;

	*first_lane = from;
	*last_lane = to;
	return true;
}

static bool set_lane(struct wavectl *w, const char *arg)
{
	w->has_lanes = true;
	return parse_lanes(arg, &w->first_lane, &w->last_lane);
}

static bool set_format(struct wavectl *w, const char *arg)
{
	static const char *const names[] = {
		[FORMAT_HEX] = "hex",
		[FORMAT_INT] = "int",
		[FORMAT_UINT] = "uint",
		[FORMAT_FLOAT] = "float",
	};
	uint32_t format;

	if (!find_name(names, ARRAY_SIZE(names), arg, &format))
		return false;
	w->format = format;
	return true;
}

static bool set_compare(struct wavectl *w, const char *arg)
{
	w->compare = arg;
	return *arg;
}

static bool set_address(struct wavectl *w, const char *arg)
{
	w->has_address = true;
	return parse_u64(arg, UINT64_MAX, &w->address);
}

static bool set_bytes(struct wavectl *w, const char *arg)
{
	return parse_u64(arg, UINT64_MAX, &w->bytes) && w->bytes;
}

static bool set_mask(struct wavectl *w, const char *arg)
{
	w->has_mask = true;
	return parse_u64(arg, UINT64_MAX, &w->mask);
}

static bool set_watch_mode(struct wavectl *w, const char *arg)
{
	return watch_mode_parse(arg, &w->watch_mode);
}

static bool set_launch_mode(struct wavectl *w, const char *arg)
{
	return launch_mode_parse(arg, &w->launch_mode);
}

static bool set_replace(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->excp_replace = true;
	return true;
}

static bool set_exceptions(struct wavectl *w, const char *arg)
{
	return cause_parse(arg, &w->excp_mask);
}

static bool set_stall(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->stall = true;
	return true;
}

/* --help and --version, which say what the command is: see wavectl.c */
static bool set_nothing(struct wavectl *w, const char *arg)
{
	(void)w;
	(void)arg;
	return true;
}

const struct option_desc global_options[] = {
	{ "gpu", 'g', "N", "the GPU of /dev/amdgpudbgN", set_gpu },
	{ "pci", 0, "ADDR", "the GPU at a PCI address, such as 0000:0a:00.0",
	  set_pci },
	{ "render", 'r', "PATH",
	  "the GPU of a render node, such as /dev/dri/renderD128", set_render },
	{ "json", 'j', NULL, "print JSON, one object per line", set_json },
	{ "dry-run", 'n', NULL, "show what would be done, but do not do it",
	  set_dry_run },
	{ "verbose", 'v', NULL, "print more", set_verbose },
	{ "help", 'h', NULL, "print the general help, or that of a command", set_nothing },
	{ "version", 0, NULL, "print versions", set_nothing },
};

const unsigned int num_global_options = ARRAY_SIZE(global_options);

const struct option_desc opt_pid = {
	"pid", 'p', "P", "select the waves of this process", set_pid,
};

const struct option_desc opt_client = {
	"client", 0, "ID",
	"select one client of the process; see \"wavectl proc list\"", set_client,
};

const struct option_desc opt_vmid = {
	"vmid", 0, "V", "select the waves of this VMID", set_vmid,
};

const struct option_desc opt_all = {
	"all", 'a', NULL, "select the waves of all VMIDs", set_all,
};

const struct option_desc opt_all_halted = {
	"all", 'a', NULL, "all halted waves at the same time", set_all,
};

const struct option_desc opt_pc = {
	"pc", 0, "ADDR", "only if the PC of the (single) wave is this address", set_pc,
};

const struct option_desc opt_leave_halted = {
	"leave-halted", 0, NULL, "exit at once and leave the waves halted",
	set_leave_halted,
};

const struct option_desc opt_force = {
	"force", 0, NULL, "also if this freezes a display of the GPU", set_force,
};

const struct option_desc opt_for = {
	"for", 0, "SECONDS", "keep the waves halted for this time, then resume them",
	set_for,
};

const struct option_desc opt_type = {
	"type", 't', "LIST",
	"print only these events, such as wave,gpu-reset", set_type,
};

const struct option_desc opt_cause = {
	"cause", 0, "LIST",
	"print only wave events with these causes, such as mem-viol", set_cause,
};

const struct option_desc opt_count = {
	"count", 'c', "N", "exit after N events", set_count,
};

const struct option_desc opt_timeout = {
	"timeout", 0, "SECONDS", "exit after this time", set_timeout,
};

const struct option_desc opt_trap_id = {
	"trap-id", 0, "ID", "trap ID that the handler sees (default: 0)",
	set_trap_id,
};

const struct option_desc opt_off = {
	"off", 0, NULL, "end the debug mode of the waves", set_off,
};

const struct option_desc opt_set_off = {
	"off", 0, NULL, "end what this command has set in the same shell or batch", set_off,
};

const struct option_desc opt_keep_going = {
	"keep-going", 'k', NULL, "continue after an error", set_keep_going,
};

const struct option_desc opt_echo = {
	"echo", 0, NULL, "print each line before executing it", set_echo,
};

const struct option_desc opt_regs = {
	"regs", 0, NULL, "also print all registers of each wave", set_regs,
};

const struct option_desc opt_stop = {
	"stop", 0, NULL, "stop waves that hit the watch, print them, and resume them",
	set_stop,
};

const struct option_desc opt_halt = {
	"halt", 0, NULL, "halt the waves first and resume them afterwards",
	set_halt,
};

const struct option_desc opt_steps = {
	"count", 'c', "N", "number of instructions (default: 1)", set_steps,
};

const struct option_desc opt_state = {
	"state", 's', "STATE",
	"only waves in this state: running, halted or in-handler",
	set_state,
};

const struct option_desc opt_lane = {
	"lane", 'l', "RANGE", "lanes of VGPRs, such as 5 or 0-31 (default: all)",
	set_lane,
};

const struct option_desc opt_format = {
	"format", 'f', "FORMAT", "format of values: hex, int, uint or float", set_format,
};

const struct option_desc opt_compare = {
	"compare", 0, "VALUES",
	"write only if the registers have these values (comma-separated)",
	set_compare,
};

const struct option_desc opt_address = {
	"address", 0, "ADDR", "first address to watch",
	set_address,
};

const struct option_desc opt_bytes = {
	"bytes", 0, "N", "number of bytes, a power of two", set_bytes,
};

const struct option_desc opt_mask = {
	"mask", 0, "MASK", "watch addresses that equal ADDR in the bits of MASK",
	set_mask,
};

const struct option_desc opt_watch_mode = {
	"mode", 'm', "MODE",
	"accesses to watch: read, nonread (default), atomic, all",
	set_watch_mode,
};

const struct option_desc opt_launch_mode = {
	"mode", 'm', "MODE", "start new waves in this mode: normal, halt, debug",
	set_launch_mode,
};

const struct option_desc opt_replace = {
	"replace", 0, NULL, "with --exceptions: disable the exceptions that programs enable",
	set_replace,
};

const struct option_desc opt_exceptions = {
	"exceptions", 'x', "LIST",
	"exceptions to enable in new waves, such as addr-watch,float-div0",
	set_exceptions,
};

const struct option_desc opt_stall = {
	"stall", 0, NULL, "do not start new waves", set_stall,
};

const struct option_desc opt_set_for = {
	"for", 0, "SECONDS", "keep the setting for this time", set_for,
};

const struct option_desc opt_resume = {
	"resume", 0, NULL, "resume each wave after its stop was printed",
	set_resume,
};

const struct option_desc opt_stops = {
	"count", 'c', "N", "exit after N stops", set_count,
};

static bool set_output(struct wavectl *w, const char *arg)
{
	w->output = arg;
	return *arg;
}

static bool set_input(struct wavectl *w, const char *arg)
{
	w->input = arg;
	return *arg;
}

const struct option_desc opt_output = {
	"output", 'o', "FILE", "write the bytes to this file", set_output,
};

const struct option_desc opt_input = {
	"input", 'i', "FILE", "read the bytes from this file", set_input,
};

const struct option_desc opt_memory = {
	"memory", 0, "BYTES", "size of the handler's zeroed memory (TMA)",
	set_bytes,
};

static bool set_match(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->match = true;
	return true;
}

static bool set_temporary(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->temporary = true;
	return true;
}

static bool set_lanes(struct wavectl *w, const char *arg)
{
	uint64_t lanes;

	if (!parse_u64(arg, 64, &lanes) || (lanes != 32 && lanes != 64))
		return false;
	w->lanes = lanes;
	return true;
}

const struct option_desc opt_temporary = {
	"temporary", 0, NULL, "clear the breakpoint after its first stop", set_temporary,
};

const struct option_desc opt_match = {
	"match", 0, NULL, "do not change code: single-step all waves and compare (slow)", set_match,
};

static bool set_job(struct wavectl *w, const char *arg)
{
	return parse_u64(arg, UINT64_MAX, &w->job) && w->job;
}

const struct option_desc opt_job = {
	"job", 0, "N", "start with the N-th job that begins from now on", set_job,
};

const struct option_desc opt_insns = {
	"count", 'c', "N", "number of instructions (default: 8)", set_count,
};

const struct option_desc opt_lanes = {
	"lanes", 0, "N", "wave size: 32 or 64 lanes (default: 32)", set_lanes,
};

static bool set_code_object(struct wavectl *w, const char *arg)
{
	if (!*arg || w->num_code_objects == MAX_CODE_OBJECTS)
		return false;
	w->code_objects[w->num_code_objects++] = arg;
	return true;
}

static bool set_directory(struct wavectl *w, const char *arg)
{
	w->directory = arg;
	return *arg;
}

static bool set_hex(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->hex = true;
	return true;
}

static bool set_changes(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->changes = true;
	return true;
}

const struct option_desc opt_changes = {
	"changes", 0, NULL, "print each instruction and the registers that it changed",
	set_changes,
};

static bool set_at(struct wavectl *w, const char *arg)
{
	w->has_at = parse_u64(arg, UINT64_MAX, &w->at);
	return w->has_at;
}

const struct option_desc opt_at = {
	"at", 0, "N", "print all registers after N steps (0: at the beginning)", set_at,
};

const struct option_desc opt_code_object = {
	"code-object", 0, "FILE",
	"read names and lines of the code from this file (may be repeated)",
	set_code_object,
};

const struct option_desc opt_code_address = {
	"address", 0, "ADDR", "load address of the instructions", set_address,
};

const struct option_desc opt_directory = {
	"directory", 'd', "FOLDER", "directory with the source files, from now on",
	set_directory,
};

const struct option_desc opt_lines = {
	"count", 'c', "N", "number of lines (default: 10)", set_count,
};

const struct option_desc opt_words = {
	"count", 'c', "N", "number of 32-bit words (default: 1)", set_count,
};

const struct option_desc opt_lds_words = {
	"count", 'c', "N", "number of 32-bit words (default: all)", set_count,
};

const struct option_desc opt_hex = {
	"hex", 0, NULL, "print the raw values in hexadecimal", set_hex,
};

const struct option_desc opt_lane_of = {
	"lane", 'l', "RANGE", "lanes, such as 5 or 0-31", set_lane,
};
