// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl reg list, reg read, info registers and reg write.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/short.h"
#include "base/util.h"
#include "cmd/assign.h"
#include "cmd/commands.h"
#include "debug/focus.h"
#include "report/from.h"
#include "report/show.h"
#include "waves/action.h"
#include "waves/regs.h"

/* Print numbered registers: @prefix0 to the last. */
static void emit_file(struct emit *e, const char *prefix, uint32_t count)
{
	char name[32];

	snprintf(name, sizeof(name), "%s0-%u", prefix, count - 1);
	emit_row(e);
	emit_str(e, "register", name);
	emit_bool(e, "read_at_any_time", false);
	emit_hex32(e, "writable", UINT32_MAX);
}

static int cmd_reg_list(struct wavectl *w)
{
	const struct adbg_reg *reg;
	const struct adbg_reg_file *file;
	char name[ADBG_REG_NAME_MAX];
	uint32_t gc_version;
	int status;

	status = open_target(w);
	if (status)
		return status;
	gc_version = adbg_session_get_gc_version(w->session);
	file = adbg_reg_get_file(gc_version);
	if (!file)
		return fail_with(w, WAVECTL_UNSUPPORTED, NULL,
				 "the registers of this GPU are not known");

	emit_begin(w->emit);
	emit_table(w->emit, "registers", true);
	emit_file(w->emit, "s", file->num_sgpr);
	emit_file(w->emit, "v", file->max_vgpr);
	emit_file(w->emit, "ttmp", file->num_ttmp);
	for (size_t i = 0; (reg = adbg_reg_get(gc_version, i)); i++) {
		if (reg->space != AMDGPUDBG_REG_HW)
			continue;
		emit_row(w->emit);
		emit_str(w->emit, "register",
			 adbg_reg_name(gc_version, reg->space, reg->number,
				       name));
		emit_bool(w->emit, "read_at_any_time", true);
		emit_hex32(w->emit, "writable", reg->writable);
	}
	emit_table_end(w->emit);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int read_regs(struct wavectl *w, struct regs *regs)
{
	int status = regs_access(w, regs, false);

	if (status)
		return status;

	emit_begin(w->emit);
	regs_emit(w, regs, false);
	if (regs->has_vgprs)
		emit_hex64(w->emit, "exec", regs->exec);
	emit_uint(w->emit, "values", regs->num_values);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int show_recorded(struct wavectl *w, struct json_object *root)
{
	const struct regs_options *options = w->args;

	return report_show_registers(w, root, &options->lanes);
}

static int read_named(struct wavectl *w)
{
	struct regs regs;
	int status = regs_prepare(w, w->args, &regs, false);

	if (!status)
		status = read_regs(w, &regs);
	status = regs_resume(w, &regs) ?: status;
	regs_free(&regs);
	return status;
}

/* What is printed without arguments */
static const char *const general[] = { "pc", "exec", "vcc", "m0", "status", "s0-105" };

/* Execute a command of which the user has typed all arguments but the wave: the selected one. */
static int run_selected(struct wavectl *w, int (*run)(struct wavectl *w))
{
	char name[ADBG_WAVE_NAME_MAX], **regs = w->words, **words;
	struct amdgpudbg_wave_coord at;
	int status = focus_open_named(w, &at), num = w->num_words;

	if (status)
		return status;
	words = xcalloc(1 + (num ? (size_t)num : ARRAY_SIZE(general)), sizeof(*words));
	words[0] = adbg_wave_name(&at, name);
	for (int i = 0; i < num; i++)
		words[1 + i] = regs[i];
	for (size_t i = 0; !num && i < ARRAY_SIZE(general); i++)
		words[1 + i] = (char *)general[i];
	w->words = words;
	w->num_words = 1 + (num ? num : (int)ARRAY_SIZE(general));
	status = run(w);
	w->words = regs;
	w->num_words = num;
	free(words);
	return status;
}

static int cmd_info_registers(struct wavectl *w)
{
	return run_selected(w, read_named);
}

/* In a session with a process, the first word may be a register of the selected wave. */
static bool leaves_out_wave(const struct wavectl *w)
{
	struct adbg_wave_spec spec;
	size_t bad;

	return w->shell && w->shell->pid &&
	       (!w->num_words || adbg_wave_spec_parse(w->words[0], &spec, &bad));
}

static int cmd_reg_read(struct wavectl *w)
{
	if (w->from)
		return report_from(w, show_recorded);
	return leaves_out_wave(w) ? run_selected(w, read_named) : read_named(w);
}

static void emit_values(struct wavectl *w, const void *data)
{
	const struct regs *regs = data;

	regs_emit(w, regs, true);
	emit_uint(w->emit, "values", regs->num_values);
}

static int write_regs(struct wavectl *w, void *data)
{
	return regs_access(w, data, true);
}

static int write_named(struct wavectl *w)
{
	struct regs regs;
	int status = regs_prepare(w, w->args, &regs, true);

	if (!status)
		status = action_run(w, &(struct action){
			.what = "write {values} values", .done = "wrote {values} values",
			.describe = emit_values, .run = write_regs,
			.has_dry_run = true, .data = &regs,
		});
	status = regs_resume(w, &regs) ?: status;
	regs_free(&regs);
	return status;
}

/* "set var x = 1" is "set variable x = 1", and is taken for this command. */
static bool take_variable(struct wavectl *w)
{
	if (w->num_words < 2 || strlen(w->words[0]) < 3 ||
	    strncmp("variable", w->words[0], strlen(w->words[0])))
		return false;
	w->words++;
	w->num_words--;
	return true;
}

/* Does the first word begin with registers, as in "s4=1"? */
static bool names_registers(const struct wavectl *w)
{
	uint32_t gc_version = w->session ? adbg_session_get_gc_version(w->session) : 0;
	struct amdgpudbg_reg_range range;
	char *name = xstrdup(w->words[0]);
	int ret;

	name[strcspn(name, "=")] = '\0';
	ret = gc_version ? adbg_reg_parse(gc_version, name, &range) : 0;
	free(name);
	return ret != -EINVAL;
}

static int cmd_reg_write(struct wavectl *w)
{
	const char *first = w->num_words ? w->words[0] : "";
	const struct regs_options *options = w->args;

	if (!leaves_out_wave(w) || !w->num_words)
		return write_named(w);
	/* gdb's "set x = 1" */
	if ((take_variable(w) || !names_registers(w)) && assign_is_meant(w))
		return assign_run(w, &options->lanes);
	/* "set listsize 20" of gdb */
	if (!strchr(first, '=') && short_instead("set", first))
		return fail_with(w, WAVECTL_USAGE, short_instead("set", first),
				 "there is no setting '%s'", first);
	return run_selected(w, write_named);
}

static const struct option_desc opt_lane = {
	"lane", 'l', "RANGE", "lanes of VGPRs, such as 5 or 0-31 (default: all)",
	option_lanes, OPTION_OF(struct regs_options, lanes),
};

static const struct option_desc opt_compare = {
	"compare", 0, "VALUES", "write only if the registers have these values (comma-separated)",
	option_text, OPTION_OF(struct regs_options, compare),
};

static const struct option_desc opt_halt = {
	"halt", 0, NULL, "halt the waves first and resume them afterwards",
	option_flag, OPTION_OF(struct regs_options, halt),
};

static const struct option_desc *const reg_read_options[] = {
	TARGET_OPTIONS, &opt_lane, &opt_format, &opt_halt, &opt_vmid, &opt_pc,
	&opt_from, NULL,
};

static const struct option_desc *const info_registers_options[] = {
	TARGET_OPTIONS, &opt_lane, &opt_format, NULL,
};

static const struct option_desc *const reg_write_options[] = {
	TARGET_OPTIONS, &opt_lane, &opt_format, &opt_compare, &opt_halt,
	&opt_vmid, &opt_pc, NULL,
};

const struct command reg_commands[] = {
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
		.help = "WAVE is one wave, such as se0.sa0.wgp3.simd1.wave5, and can be left out in a shell,\n"
			"where the selected wave is the default; REG is s4, s0-15, v[0:3], ttmp11,\n"
			"vcc, pc, exec, m0, status and so on, see \"reg list\". All registers are read at the\n"
			"same moment. The wave must be halted, by any session or by --halt, except for the\n"
			"registers that \"reg list\" marks as readable at any time. Values of lanes that are\n"
			"inactive in EXEC are in parentheses.",
		.options = reg_read_options,
		.args_size = sizeof(struct regs_options),
		.run = cmd_reg_read,
	},
	{
		.noun = "info",
		.verb = "registers",
		.args = "[REG...]",
		.summary = "read registers of the selected wave",
		.help = "Without an argument, prints PC, EXEC, VCC, M0, STATUS and all SGPRs.",
		.options = info_registers_options,
		.args_size = sizeof(struct regs_options),
		.run = cmd_info_registers,
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
		.args_size = sizeof(struct regs_options),
		.run = cmd_reg_write,
	},
	{ .noun = NULL },
};
