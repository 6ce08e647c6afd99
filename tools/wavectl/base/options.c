// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options that several commands have: see options.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/options.h"
#include "base/util.h"

#define SPEC_HINT \
	"use names such as se0.sa0.wgp3.simd1.wave5, 0.0.3.1.5, se0.sa0.wgp3, *.*.0-2"

int parse_spec(struct wavectl *w, const char *text, struct adbg_wave_spec *spec)
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

int parse_waves(struct wavectl *w, const char *text)
{
	int status = parse_spec(w, text, &w->waves.spec);

	w->waves.is_set = !status;
	w->waves.text = text;
	return status;
}

/* timerfd takes more, but 30 years are enough. */
#define MAX_SECONDS 1e9

bool option_flag(const char *arg, void *member)
{
	(void)arg;
	*(bool *)member = true;
	return true;
}

static bool option_any_text(const char *arg, void *member)
{
	*(const char **)member = arg;
	return true;
}

bool option_text(const char *arg, void *member)
{
	return option_any_text(arg, member) && *arg;
}

bool option_positive(const char *arg, void *member)
{
	uint64_t *number = member;

	return parse_u64(arg, UINT64_MAX, number) && *number;
}

bool option_optional(const char *arg, void *member)
{
	struct optional_u64 *optional = member;

	optional->is_set = parse_u64(arg, UINT64_MAX, &optional->value);
	return optional->is_set;
}

bool option_seconds(const char *arg, void *member)
{
	uint64_t *ns = member;
	double seconds;
	char *end;

	if (!isdigit((unsigned char)*arg))
		return false;
	seconds = strtod(arg, &end);
	if (*end || !(seconds > 0) || seconds > MAX_SECONDS)
		return false;

	*ns = seconds * 1e9;
	return *ns > 0;
}

bool parse_range(const char *arg, uint32_t max, uint32_t *from_number, uint32_t *to_number)
{
	const char *dash = strchr(arg, '-');
	char first[16] = "";
	uint64_t from, to;

	if (dash && dash - arg < (int)sizeof(first))
		memcpy(first, arg, dash - arg);
	if (!parse_u64(dash ? first : arg, max, &from) ||
	    !parse_u64(dash ? dash + 1 : arg, max, &to) || to < from)
		return false;

	*from_number = from;
	*to_number = to;
	return true;
}

bool parse_lanes(const char *arg, uint32_t *first_lane, uint32_t *last_lane)
{
	return parse_range(arg, 63, first_lane, last_lane);
}

bool option_lanes(const char *arg, void *member)
{
	struct lane_range *lanes = member;

	lanes->is_set = parse_lanes(arg, &lanes->first, &lanes->last);
	return lanes->is_set;
}

bool option_causes(const char *arg, void *member)
{
	return cause_parse(arg, member);
}

bool option_watch_mode(const char *arg, void *member)
{
	return watch_mode_parse(arg, member);
}

static bool parse_pid(const char *arg, void *member)
{
	uint64_t pid;

	if (!parse_u64(arg, INT32_MAX, &pid) || !pid)
		return false;
	*(int32_t *)member = pid;
	return true;
}

static bool parse_vmid(const char *arg, void *member)
{
	uint64_t vmid;

	/* A VMID is a bit of the 32-bit mask of the kernel interface. */
	if (!parse_u64(arg, 31, &vmid) || !vmid)
		return false;
	*(uint32_t *)member = vmid;
	return true;
}

static bool parse_format(const char *arg, void *member)
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
	*(enum value_format *)member = format;
	return true;
}

static bool parse_code_object(const char *arg, void *member)
{
	struct code_object_files *files = member;

	if (!*arg || files->num == MAX_CODE_OBJECTS)
		return false;
	files->names[files->num++] = arg;
	return true;
}

static bool parse_line(const char *arg, void *member)
{
	struct executed_lines *executed = member;

	if (executed->num == MAX_EXECUTED)
		return false;
	executed->lines[executed->num++] = arg;
	return true;
}

/* --help and --version, which select the command: see dispatch.c */
static bool ignore(const char *arg, void *member)
{
	(void)arg;
	(void)member;
	return true;
}

const struct option_desc global_options[] = {
	{ "gpu", 'g', "GPU", "the GPU of this number, node, PCI address or part of a name",
	  option_text, OPTION_SHARED(gpu) },
	{ "pci", 0, "ADDR", "the GPU at a PCI address, such as 0000:0a:00.0",
	  option_any_text, OPTION_SHARED(pci) },
	{ "render", 'r', "PATH", "the GPU of a render node, such as /dev/dri/renderD128",
	  option_any_text, OPTION_SHARED(render) },
	{ "json", 'j', NULL, "print JSON, one object per line", option_flag, OPTION_SHARED(json) },
	{ "dry-run", 'n', NULL, "print what the command would do, but do not do it",
	  option_flag, OPTION_SHARED(dry_run) },
	{ "verbose", 'v', NULL, "print more", option_flag, OPTION_SHARED(verbose) },
	{ "help", 'h', NULL, "print general help, or the help of a command",
	  ignore, OPTION_SHARED(commands) },
	{ "version", 0, NULL, "print the versions", ignore, OPTION_SHARED(commands) },
};

const unsigned int num_global_options = ARRAY_SIZE(global_options);

const struct option_desc opt_pid = {
	"pid", 'p', "P", "select the waves of this process", parse_pid, OPTION_SHARED(pid),
};

const struct option_desc opt_client = {
	"client", 0, "ID", "select one client of the process; see \"wavectl proc list\"",
	option_positive, OPTION_SHARED(client),
};

const struct option_desc opt_vmid = {
	"vmid", 0, "V", "select the waves of this VMID", parse_vmid, OPTION_SHARED(vmid),
};

const struct option_desc opt_all = {
	"all", 'a', NULL, "select the waves of all VMIDs", option_flag, OPTION_SHARED(all),
};

const struct option_desc opt_pc = {
	"pc", 0, "ADDR", "only if the PC of the wave is this address",
	option_optional, OPTION_SHARED(pc),
};

const struct option_desc opt_for = {
	"for", 0, "SECONDS", "end the command after this time",
	option_seconds, OPTION_SHARED(hold_ns),
};

const struct option_desc opt_format = {
	"format", 'f', "FORMAT", "format of 32-bit values: hex (default), int, uint or float",
	parse_format, OPTION_SHARED(format),
};

const struct option_desc opt_code_object = {
	"code-object", 0, "FILE",
	"read names and lines of the code from this file (may be repeated)",
	parse_code_object, OPTION_SHARED(code_objects),
};

const struct option_desc opt_debug_dir = {
	"debug-dir", 0, "PATH",
	"search .dwo and .dwp files in this directory (may be repeated)",
	parse_code_object, OPTION_SHARED(debug_dirs),
};

const struct option_desc opt_execute = {
	"execute", 'e', "COMMAND", "execute this command of the shell, then end (may be repeated)",
	parse_line, OPTION_SHARED(executed),
};

const struct option_desc opt_directory = {
	"directory", 'd', "FOLDER", "search source files in this directory",
	option_text, OPTION_SHARED(directory),
};

const struct option_desc opt_from = {
	"from", 0, "FILE", "read the report in FILE instead of a GPU",
	option_text, OPTION_SHARED(from),
};

const struct option_desc *const target_options[] = { TARGET_OPTIONS, NULL };
const struct option_desc *const no_options[] = { NULL };
